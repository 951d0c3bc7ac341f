(** Ticks may be as short as one likes: bounds shown for whole numbers of some unit hold in schedules whose events lie at multiples of 1/k of
    the unit, for every k >= 1.

    All inequalities are homogeneous: with every time k times as large, both sides are. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu pools.PlatformLaws pools.Busy.
From Rta Require Import path.Inequality path.T10n path.Turns path.T10a path.Instead path.Patterns path.FromReady path.Meanwhile path.T23 path.T24 path.T10w path.T10v path.T10c path.T10d path.T10m path.OneWaits path.ByAge path.Together local.Carry local.Quiet local.Linear local.Fifo local.T10g.

Section Scale.
  Context (k : Z) (k_pos : 0 < k).

  Definition finer_order (o : order) : order := match o with Gel Y => Gel (fun u => k * Y u) | _ => o end.

  (** The same system with all times in units of 1/k. *)
  Definition finer (S : system) : system := {|
    nodes := nodes S; dag := dag S; preds := preds S; pool := pool S;
    period := fun d => k * period S d;
    order_of := fun p => finer_order (order_of S p);
  |}.

  Definition finer_accounts (a : accounts) : accounts := {|
    cap := cap a; lagging := lagging a;
    exec := fun u => k * exec a u; last := fun u => k * last a u; vol := fun u => k * vol a u;
  |}.

  Definition finer_platform (P : platform) : platform := {|
    kind_of := kind_of P; length_of := fun u => k * length_of P u; blocks := blocks P; demand := demand P;
  |}.

  Definition finer_limit (o : option Z) : option Z := option_map (Z.mul k) o.

  Lemma cdiv_finer x y : y <> 0 -> cdiv (k * x) (k * y) = cdiv x y.
  Proof. intros hy. unfold cdiv. replace (- (k * x)) with (k * - x) by ring. rewrite Z.div_mul_cancel_l by lia. reflexivity. Qed.

  Lemma max_finer x y : Z.max (k * x) (k * y) = k * Z.max x y.
  Proof. nia. Qed.

  Lemma min_finer x y : Z.min (k * x) (k * y) = k * Z.min x y.
  Proof. nia. Qed.

  Section System.
    Context (S : system) (wf : well_formed S) (F : node -> Z).
    Let S' := finer S.
    Let F' := fun u => k * F u.

    Lemma ready_bound_finer q : ready_bound S' F' q = k * ready_bound S F q.
    Proof.
      unfold ready_bound, S', F', finer. cbn [preds]. induction (preds S q) as [|x l IH]; cbn [fold_right]; [ring|].
      rewrite IH. apply max_finer.
    Qed.

    Lemma limit_finer q u : limit S' F' q u = finer_limit (limit S F q u).
    Proof.
      unfold limit. rewrite ready_bound_finer. unfold S', F', finer. cbn [order_of pool].
      destruct (order_of S (pool S q)) as [|Y|pi|pi]; cbn [finer_order finer_limit option_map]; auto.
      - f_equal. rewrite <- min_finer. f_equal. ring.
      - destruct (pi u <? pi q); [reflexivity|]. destruct (pi u =? pi q); reflexivity.
      - destruct (pi u <? pi q); reflexivity.
    Qed.

    Lemma limit_le_finer x y : limit_le x y -> limit_le (finer_limit x) (finer_limit y).
    Proof. destruct x, y; cbn; auto. nia. Qed.

    Lemma count_finer v d lim u : In u (nodes S) ->
      count S' F' v d (fun u => finer_limit (lim u)) u = count S F v d lim u.
    Proof.
      intros hu. pose proof (wf_period wf u hu) as hT. unfold count, S', F', finer. cbn [dag period].
      destruct (dag S u =? dag S v).
      - unfold count_own. destruct (lim u) as [l|]; cbn [finer_limit option_map]; [|reflexivity].
        replace (- (k * period S (dag S u))) with (k * - period S (dag S u)) by ring.
        rewrite min_finer, <- Z.mul_add_distr_l, cdiv_finer, Z.div_mul_cancel_l by lia.
        replace (0 <=? k * l) with (0 <=? l); [reflexivity|]. destruct (Z.leb_spec 0 l), (Z.leb_spec 0 (k * l)); auto; nia.
      - unfold count_other. destruct (lim u) as [l|]; cbn [finer_limit option_map]; [|reflexivity].
        rewrite <- Z.mul_add_distr_l, cdiv_finer by lia. reflexivity.
    Qed.

    Lemma path_finer l v : path S' l v -> path S l v.
    Proof. intros h. induction h; [now apply path_source | eapply path_step; eauto]. Qed.

    Lemma ancestor_finer x v : ancestor S x v -> ancestor S' x v.
    Proof. intros h. induction h; [now apply ancestor_pred | eapply ancestor_step; eauto]. Qed.

    Lemma ancestor_coarser x v : ancestor S' x v -> ancestor S x v.
    Proof. intros h. induction h; [now apply ancestor_pred | eapply ancestor_step; eauto]. Qed.

    Context (a : accounts).
    Let a' := finer_accounts a.

    Lemma count_lagging_finer parallel q u : In u (nodes S) ->
      count_lagging S' F' parallel q u = count_lagging S F parallel q u.
    Proof.
      intros hu. pose proof (wf_period wf u hu) as hT.
      assert (hfloor : lag_floor S' F' q u = k * lag_floor S F q u).
      { unfold lag_floor, S', F', finer. cbn [order_of pool]. destruct (order_of S (pool S q)); cbn [finer_order]; try ring.
        rewrite <- max_finer. f_equal; ring. }
      assert (hmay : may_lag S' q u = may_lag S q u).
      { unfold may_lag, S', finer. cbn [order_of pool]. destruct (order_of S (pool S q)); reflexivity. }
      unfold count_lagging. rewrite hfloor, hmay, ready_bound_finer. unfold S', finer. cbn [dag period].
      replace (- (k * lag_floor S F q u) - k * period S (dag S u)) with (k * (- lag_floor S F q u - period S (dag S u))) by ring.
      replace (k * ready_bound S F q - k * lag_floor S F q u) with (k * (ready_bound S F q - lag_floor S F q u)) by ring.
      rewrite !cdiv_finer, Z.div_mul_cancel_l by lia.
      replace (k * lag_floor S F q u <? 0) with (lag_floor S F q u <? 0); [reflexivity|].
      destruct (Z.ltb_spec (lag_floor S F q u) 0), (Z.ltb_spec (k * lag_floor S F q u) 0); auto; nia.
    Qed.

    Lemma parallel_finer parallel : parallel_sound S parallel -> parallel_sound S' parallel.
    Proof. intros hpar q u hq hu h.
    destruct (hpar q u hq hu h) as [->|[ha|ha]]; [now left | right; left | right; right]; now apply ancestor_finer. Qed.

    Lemma ancestor_or_self_coarser q v : ancestor_or_self S' q v -> ancestor_or_self S q v.
    Proof. intros [->|h]; [now left | right; now apply ancestor_coarser]. Qed.

    Lemma blocking_finer parallel blk q : blocking_covers S a F parallel blk q -> blocking_covers S' a' F' parallel (fun q => k * blk q) q.
    Proof.
      intros hblk n hn hsum. change (on_pool S' (pool S' q)) with (on_pool S (pool S q)) in *.
      rewrite (sum_eq _ (fun u => k * (n u * vol a u))) by (intros; unfold a'; cbn [vol finer_accounts]; ring). rewrite sum_scale.
      apply Z.mul_le_mono_nonneg_l; [lia|]. apply hblk; [|exact hsum].
      intros u hu. rewrite <- count_lagging_finer by (apply in_on_pool in hu; tauto); auto.
    Qed.

    Lemma never_finer v l u : never_meanwhile S v l u -> never_meanwhile S' v l u.
    Proof.
      intros [ha|hall]; [left; now apply ancestor_finer|]. right.
      intros y hy hp. destruct (hall y hy hp) as [ha|[ha|hlow]]; [left | right; left | right; right]; try now apply ancestor_finer.
      rewrite <- hlow. unfold S', finer. cbn [order_of pool]. destruct (order_of S (pool S y)) as [|Y|pi|pi]; cbn [finer_order lower]; auto.
      destruct (Z.ltb_spec (0 + k * Y y) (0 + k * Y u)), (Z.ltb_spec (0 + Y y) (0 + Y u)); auto; nia.
    Qed.

    Lemma limits_finer v lim : limits S F v lim -> limits S' F' v (fun u => finer_limit (lim u)).
    Proof.
      intros hlim q u hq hu hp. rewrite limit_finer. apply limit_le_finer. apply hlim; auto. now apply ancestor_or_self_coarser.
    Qed.

    Lemma path_inequality_finer v : path_inequality S a F v -> path_inequality S' a' F' v.
    Proof.
      intros (M & share & d & lim & parallel & blk & hM & hpar & hblk & hd & hlim & hineq).
      exists M, share, d, (fun u => finer_limit (lim u)), parallel, (fun q => k * blk q).
      split; [exact hM|]. split; [now apply parallel_finer|].
      split; [intros q hq; now apply blocking_finer, hblk, ancestor_or_self_coarser|].
      split; [intros l u hl hu h; apply never_finer, hd; auto; now apply path_finer|].
      split; [now apply limits_finer|].
      intros l hl. specialize (hineq l (path_finer l v hl)). change (F' v) with (k * F v).
      enough (path_bound S' a' M share (fun q => k * blk q) (count S' F' v (d l) (fun u => finer_limit (lim u))) l
        = k * path_bound S a M share blk (count S F v (d l) lim) l) as ->
        by nia.
      unfold path_bound. rewrite Z.mul_add_distr_l. f_equal.
      + unfold path_length. rewrite <- sum_scale. apply sum_eq. intros x _. unfold a'. cbn [exec last finer_accounts].
        cbn [pool S' finer]. ring.
      + change (visited S' l) with (visited S l). rewrite <- sum_scale. apply sum_eq. intros p _. unfold pool_work.
        change (on_pool S' p) with (on_pool S p).
        rewrite (sum_eq _ (fun u => k * (count S F v (d l) lim u * vol a u))); [rewrite sum_scale; ring|].
        intros u hu. apply in_on_pool in hu. rewrite count_finer by tauto. unfold a'. cbn [vol finer_accounts]. ring.
    Qed.

    (** T10a: ages are rounded down to whole units, which only lets more of a job fit. *)
    Let part_finer (part : node -> Z -> Z) (u : node) (x : Z) : Z := k * part u (x / k).

    Lemma may_do_coarser lim part l d c js age W :
      may_do S' F' (fun u => finer_limit (lim u)) (part_finer part) l d c js age W
        -> may_do S F lim part l d (c * k) js (fun j => age j / k) W.
    Proof.
      assert (hchain : forall c0, chain S c0 -> chain S' c0).
      { intros c0 (hn & hc). split; [exact hn|]. intros x y hx hy. destruct (hc x y hx hy) as [|[h|h]]; auto using ancestor_finer. }
      assert (hord : forall p, order_of S p = Fifo -> order_of S' p = Fifo) by (intros p hp; unfold S', finer; cbn [order_of];
        now rewrite hp).
      intros [m1 m2 m3 m4 m5 m6]. constructor.
      - exact m1.
      - assert (hdiv : forall x y, x + k * period S d <= y -> x / k + period S d <= y / k).
        { intros x y hle. rewrite <- Z.div_add by lia. apply Z.div_le_mono; lia. }
        intros i j hi hj hne. destruct (m2 i j hi hj hne) as [h|h]; [left | right]; now apply hdiv.
      - intros u j hu hj. specialize (m3 u j hu hj). unfold part_finer in m3. lia.
      - intros u j hu hj hne. destruct (m4 u j hu hj hne) as (h1 & h2 & h3). split; [|split; [|exact h3]].
        + apply Z.div_lt_upper_bound; auto.
        + destruct (lim u) as [x|]; cbn [finer_limit option_map within] in *; [|exact h2].
          enough (- x <= age j / k) by lia. apply Z.div_le_lower_bound; lia.
      - intros c0 p j hc hin hp hj. apply (m5 c0 p j); auto.
      - intros c0 p hc hin hp. apply (m6 c0 p); auto. intros u hu. destruct (hin u hu) as (h1 & h2 & h3). repeat split; auto.
        unfold F', S', finer. cbn [period]. nia.
    Qed.

    Lemma parts_finer part : parts_cover S a F part -> parts_cover S' a' F' (part_finer part).
    Proof.
      intros hpart u x hu. destruct (hpart u (x / k) hu) as (hv & h0 & h1). unfold part_finer, a', F'. cbn [exec vol finer_accounts].
      split; [nia|]. split; [nia|]. pose proof (Z.mul_div_le x k k_pos).
      assert (hmin : Z.min (k * exec a u) (k * F u - x) <= k * Z.min (exec a u) (F u - x / k)) by nia.
      transitivity (k * Z.min (exec a u) (F u - x / k) * (k * vol a u)); [apply Z.mul_le_mono_nonneg_r; nia | nia].
    Qed.

    Lemma aligned_path_finer lim v l : path S l v -> aligned_path S a F lim v l -> aligned_path S' a' F' (fun u => finer_limit (lim u)) v l.
    Proof.
      intros hl (M & share & d & parallel & blk & part & own & others & hM & hpar & hblk & hd & hpart & h1 & h2 & h3).
      exists M, share, d, parallel, (fun q => k * blk q), (part_finer part), (k * own), (fun x => k * others x).
      split; [exact hM|]. split; [now apply parallel_finer|].
      split; [intros q hq; now apply blocking_finer, hblk, ancestor_or_self_coarser|].
      split; [intros u hu h; apply never_finer, hd; auto|]. split; [now apply parts_finer|].
      split; [|split].
      - intros c js age W j0 hc hmay hj0 hage [o1 o2 o3].
        replace (c * (k * own)) with (c * k * own) by ring.
        apply (h1 (c * k) js (fun j => age j / k) W j0); [nia | now apply may_do_coarser | exact hj0 | now rewrite hage |].
        constructor.
        * intros u hu. specialize (o1 u hu). unfold a' in o1. cbn [last vol finer_accounts] in o1. lia.
        * exact o2.
        * intros c0 p (hn & hc0) hin hp. apply (o3 c0 p).
          -- split; [exact hn|]. intros x y hx hy. destruct (hc0 x y hx hy) as [|[h|h]]; auto using ancestor_finer.
          -- exact hin.
          -- unfold S', finer. cbn [order_of]. now rewrite hp.
      - intros x hx c js age W hc hmay. replace (c * (k * others x)) with (c * k * others x) by ring.
        apply (h2 x hx (c * k) js (fun j => age j / k) W); [nia | now apply may_do_coarser].
      - change (other_dags S' v) with (other_dags S v). rewrite sum_scale. change (F' v) with (k * F v).
        rewrite (sum_eq _ (fun y => k * (M * exec a y + share (pool S y) * blk y))); [rewrite sum_scale; nia|].
        intros y _. unfold a'. cbn [exec finer_accounts]. change (pool S' y) with (pool S y). ring.
    Qed.

    Lemma aligned_within_finer lim v : aligned_within S a F lim v -> aligned_within S' a' F' (fun u => finer_limit (lim u)) v.
    Proof.
      intros hineq l hl. pose proof (path_finer l v hl) as hl'. now apply aligned_path_finer, hineq.
    Qed.

    (** T10v and T24: ages are rounded down there, too. *)
    Lemma counted_part_finer lim part u x :
      counted_part F' (fun u => finer_limit (lim u)) (part_finer part) u x = k * counted_part F lim part u (x / k).
    Proof.
      unfold counted_part, counts_at, part_finer, F'. pose proof (Z.mul_div_le x k k_pos). pose proof (Z.mul_succ_div_gt x k k_pos).
      replace (x <? k * F u) with (x / k <? F u) by (destruct (Z.ltb_spec (x / k) (F u)), (Z.ltb_spec x (k * F u)); auto; nia).
      destruct (lim u) as [y|]; cbn [finer_limit option_map]; [|destruct (x / k <? F u); cbn [andb]; lia].
      replace (- (k * y) <=? x) with (- y <=? x / k) by (destruct (Z.leb_spec (- y) (x / k)), (Z.leb_spec (- (k * y)) x); auto; nia).
      destruct ((x / k <? F u) && (- y <=? x / k)); lia.
    Qed.

    Lemma parts_on_finer lim part d p x :
      parts_on S' F' (fun u => finer_limit (lim u)) (part_finer part) d p x = k * parts_on S F lim part d p (x / k).
    Proof. unfold parts_on. change (dag_here S' d p) with (dag_here S d p). rewrite <- sum_scale. apply sum_eq. intros u _. apply counted_part_finer. Qed.

    Lemma pattern_coarser T xs : 0 < T -> pattern (k * T) xs -> pattern T (map (fun x => x / k) xs).
    Proof.
      intros hT (nd & hap).
      assert (hdiv : forall x y, x + k * T <= y -> x / k + T <= y / k).
      { intros x y hle. replace (x / k + T) with ((x + T * k) / k) by (rewrite Z.div_add by lia; reflexivity). apply Z.div_le_mono; lia. }
      assert (hstep : forall x y, In x xs -> In y xs -> x <> y -> x / k + T <= y / k \/ y / k + T <= x / k).
      { intros x y hx hy hne. destruct (hap x y hx hy hne); [left | right]; now apply hdiv. }
      split.
      - revert nd hstep. clear -hT. induction xs as [|x xs IH]; intros nd hstep; cbn; [constructor|]. inversion nd; subst. constructor.
        + intros hin. apply in_map_iff in hin. destruct hin as (y & e & hy).
          destruct (hstep y x (or_intror hy) (or_introl eq_refl) ltac:(intros ->; contradiction)); lia.
        + apply IH; auto. intros a0 b0 ha0 hb0. apply hstep; now right.
      - intros x y hx hy hne. apply in_map_iff in hx, hy. destruct hx as (x' & <- & hx), hy as (y' & <- & hy). apply hstep; auto.
        congruence.
    Qed.

    Lemma run_for_finer z g c j : run_for (k * z) (k * g) (k * c) j = k * run_for z g c j.
    Proof.
      unfold run_for. destruct (j <=? 0); [ring|].
      replace (Z.max 0 (k * z - k * g)) with (k * Z.max 0 (z - g)) by (rewrite <- Z.mul_sub_distr_l, <- max_finer; f_equal; ring).
      replace (Z.max 0 (k * z - k * g - k * c)) with (k * Z.max 0 (z - g - c)) by (rewrite <- !Z.mul_sub_distr_l, <- max_finer; f_equal; ring).
      ring.
    Qed.

    Lemma root_left_finer c fr x : root_left (k * c) (k * fr) x = k * root_left c fr (x / k).
    Proof.
      unfold root_left. pose proof (Z.mul_div_le x k k_pos). pose proof (Z.mul_succ_div_gt x k k_pos).
      replace (k * fr <=? x) with (fr <=? x / k) by (destruct (Z.leb_spec fr (x / k)), (Z.leb_spec (k * fr) x); auto; nia).
      destruct (fr <=? x / k); ring.
    Qed.

    Lemma stranded_finer p q d root strand names g c fr :
      stranded S a F p q d root strand names g c fr -> stranded S' a' F' p q d root strand names (k * g) (k * c) (k * fr).
    Proof.
      assert (hsum : forall (b : node -> bool) l, sum (fun u => ind (b u) * exec a' u) l = k * sum (fun u => ind (b u) * exec a u) l).
      { intros b l. rewrite <- sum_scale. apply sum_eq. intros u _. unfold a'. cbn [exec finer_accounts]. ring. }
      intros [s1 s2 s3 s4 s5 s6 s7]. constructor; auto.
      - nia.
      - intros u w hw ha. apply s4; [exact hw | now apply ancestor_or_self_coarser].
      - intros u hu hr. destruct (s5 u hu hr) as (h1 & h2). split; [exact h1 | unfold F'; nia].
      - intros l w hw hl. change (fun u => ind (pool S' u =? q) * exec a' u) with (fun u => ind ((fun u => pool S u =? q) u) * exec a' u).
        rewrite hsum. specialize (s6 l w hw (path_finer l w hl)). apply Z.mul_le_mono_nonneg_l; [lia | exact s6].
      - intros l w hw hl. rewrite hsum. specialize (s7 l w hw (path_finer l w hl)). apply Z.mul_le_mono_nonneg_l; [lia | exact s7].
    Qed.

    Lemma overlapped_path_finer lim v l full : In v (nodes S) -> overlapped_path S a F lim v l full
      -> overlapped_path S' a' F' (fun u => finer_limit (lim u)) v l full.
    Proof.
      intros hv (M & share & part & excluded & p & q & m & Y & Yk & before & G & early & n & red & root & strand & names & GC & C & FR & others & own
        & hM & hpart & (hpq & hvp & hvq & hcap & hlagp & hlagq & hproc & hordp & hordq) & hk & hexcl & hbefore & hearly & hloses & hG & hGm & hothers & hown & hle).
      exists M, share, (part_finer part), excluded, p, q, m, (fun u => k * Y u), (k * Yk), before, G, (fun d x => early d (x / k)), n,
        (fun d x => k * red d (x / k)), root, strand, names, (fun d => k * GC d), (fun d => k * C d), (fun d => k * FR d), (fun d => k * others d), (k * own).
      assert (hT : forall d, In d (other_dags S v) -> 0 < period S d).
      { intros d hd. apply filter_In in hd. destruct hd as (hd & _). apply nodup_In, in_map_iff in hd. destruct hd as (u & <- & hu). now apply (wf_period wf). }
      split; [exact hM|]. split; [now apply parts_finer|]. split.
      { repeat split; auto; unfold S', finer; cbn [order_of]; [now rewrite hordp | now rewrite hordq]. }
      split; [intros u hu; destruct (hk u hu) as [(h1 & ->)|h1]; [now left | now right]|].
      split; [intros u hu; now apply ancestor_finer, hexcl|].
      split; [intros y hy; destruct (hbefore y hy) as (h1 & h2 & h3); repeat split; auto; intros w hw hp; now apply ancestor_finer, h3|].
      split.
      { intros d x hd he. destruct (hearly d (x / k) hd he) as (h1 & h2). pose proof (Z.mul_div_le x k k_pos). split; [nia|].
        intros u hu. specialize (h2 u hu). nia. }
      split.
      { intros d x hd he. destruct (hloses d (x / k) hd he) as (h1 & h2 & h3). split; [now apply stranded_finer|]. split; [exact h2|].
        intros T nd hin. cbv zeta. specialize (h3 T nd hin). cbv zeta in h3.
        assert (hE : sum (fun y => ind (before y) * exec a' y) l = k * sum (fun y => ind (before y) * exec a y) l).
        { rewrite <- sum_scale. apply sum_eq. intros y _. unfold a'. cbn [exec finer_accounts]. ring. }
        rewrite hE, root_left_finer, run_for_finer.
        change (dag_here S' d q) with (dag_here S d q).
        rewrite (sum_eq (fun u => ind (negb (existsb (Z.eqb (strand d u)) T)) * counted_part F' (fun u => finer_limit (lim u)) (part_finer part) u x)
          (fun u => k * (ind (negb (existsb (Z.eqb (strand d u)) T)) * counted_part F lim part u (x / k)))).
        2: { intros u _. rewrite counted_part_finer. ring. }
        rewrite sum_scale. apply (Z.mul_le_mono_nonneg_l _ _ k) in h3; [|lia]. destruct (Z.of_nat (length T) <? n d); lia. }
      split.
      { intros xs hxs. etransitivity; [|apply (hG (fun d => map (fun x => x / k) (xs d)))].
        - apply Z.eq_le_incl. apply sum_eq. intros d _. now rewrite sum_map.
        - intros d hd. apply pattern_coarser; [now apply hT | now apply hxs]. }
      split; [exact hGm|]. split.
      { intros d xs hd hxs. specialize (hothers d _ hd (pattern_coarser _ xs (hT d hd) hxs)). rewrite sum_map in hothers.
        rewrite (sum_eq _ (fun x => k * (share p * parts_on S F lim part d p (x / k) + share q * parts_on S F lim part d q (x / k)
          - ind (early d (x / k)) * red d (x / k)))) by (intros x _; rewrite !parts_on_finer; ring).
        rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia | exact hothers]. }
      split.
      { intros xs hxs. pose proof (pattern_coarser _ (0 :: xs) (wf_period wf v hv) hxs) as hp. cbn [map] in hp. rewrite Z.div_0_l in hp by lia.
        specialize (hown _ hp). rewrite sum_map in hown. change (dag_nodes S' (dag S' v)) with (dag_nodes S (dag S v)). change (dag S' v) with (dag S v).
        rewrite (sum_eq _ (fun u => k * (share (pool S u) * own_once a l excluded u))).
        2: { intros u _. unfold own_once, a'. cbn [vol last finer_accounts]. change (pool S' u) with (pool S u).
             destruct (excluded u); [ring|]. destruct (in_dec Z.eq_dec u l); ring. }
        rewrite (sum_eq (fun x => share p * parts_on S' _ _ _ _ p x + _) (fun x => k * (share p * parts_on S F lim part (dag S v) p (x / k) + share q * parts_on S F lim part (dag S v) q (x / k))))
          by (intros x _; rewrite !parts_on_finer; ring).
        rewrite !sum_scale, <- Z.mul_add_distr_l. apply Z.mul_le_mono_nonneg_l; [lia | exact hown]. }
      change (other_dags S' v) with (other_dags S v). rewrite sum_scale. unfold F', a'.
      change (sum (exec (finer_accounts a)) l) with (sum (fun u => k * exec a u) l). rewrite sum_scale.
      change (sum (fun u => exec a u) l) with (sum (exec a) l).
      apply (Z.mul_le_mono_nonneg_l _ _ k) in hle; [|lia].
      assert (h1 : M * (k * sum (exec a) l) + k * own + k * sum others (other_dags S v) = k * (M * sum (exec a) l + own + sum others (other_dags S v))) by ring.
      assert (h2 : M * (k * F v) = k * (M * F v)) by ring. rewrite h1, h2. exact hle.
    Qed.

    (** T10c. *)
    Lemma backlog_finer v p W : backlog S a F v p W -> backlog S' a' F' v p (k * W).
    Proof.
      intros [Y c b whole below carry hord hpre hc hb hwh hbel hcarry0 hcarry hwork].
      assert (hcdiv : forall q, In q (nodes S) -> cdiv (F' q) (period S' (dag S' q)) = cdiv (F q) (period S (dag S q))).
      { intros q hq. pose proof (wf_period wf q hq). unfold F', S', finer. cbn [dag period]. rewrite cdiv_finer by lia. reflexivity. }
      apply (Build_backlog S' a' F' v p (k * W) (fun d => k * Y d) c (k * b) whole below (k * carry)); auto.
      - destruct hord as (YN & hord & hYN). exists (fun u => k * YN u). unfold S', finer. cbn [order_of dag]. rewrite hord. split; [reflexivity|].
        intros u hu. now rewrite (hYN u hu).
      - split; [nia|]. intros q hq hp. unfold F'. pose proof (proj2 hb q (ancestor_or_self_coarser q v hq) hp). nia.
      - intros q u hq. apply hbel. now apply ancestor_or_self_coarser.
      - nia.
      - intros n hn hsum. change (on_pool S' p) with (on_pool S p) in *.
        transitivity (k * sum (fun q => n q * sum (fun u => ind (below q u) * vol a u) (on_pool S p)) (on_pool S p)).
        + apply Z.eq_le_incl. rewrite <- sum_scale. apply sum_eq. intros q _.
          replace (k * (n q * sum (fun u => ind (below q u) * vol a u) (on_pool S p))) with (n q * (k * sum (fun u => ind (below q u) * vol a u) (on_pool S p))) by ring.
          f_equal. rewrite <- sum_scale. apply sum_eq. intros u _. unfold a'. cbn [vol finer_accounts]. ring.
        + apply Z.mul_le_mono_nonneg_l; [lia|]. apply hcarry; [|exact hsum]. intros q hq. specialize (hn q hq).
          rewrite hcdiv in hn by (apply in_on_pool in hq; tauto). exact hn.
      - intros x hx. change (on_pool S' p) with (on_pool S p). pose proof (Z.mul_div_le x k k_pos) as hdiv. specialize (hwork (x / k) ltac:(apply Z.div_pos; lia)).
        assert (hin : sum (fun u => vol a' u * in_closed (period S' (dag S' u)) ((if whole (dag S' u) then 0 else F' u) + x
                        + Z.min (k * b) (k * Y (dag S' v) - k * Y (dag S' u)))) (on_pool S p)
                  = k * sum (fun u => vol a u * in_closed (period S (dag S u)) ((if whole (dag S u) then 0 else F u) + x / k
                        + Z.min b (Y (dag S v) - Y (dag S u)))) (on_pool S p)).
        { rewrite <- sum_scale. apply sum_eq. intros u hu. apply in_on_pool in hu. pose proof (wf_period wf u (proj1 hu)).
          unfold a', S', F', finer. cbn [vol finer_accounts dag period]. unfold in_closed. rewrite <- Z.div_div by lia.
          set (A := if whole (dag S u) then 0 else F u). set (B := Z.min b (Y (dag S v) - Y (dag S u))).
          replace (Z.min (k * b) (k * Y (dag S v) - k * Y (dag S u))) with (k * B) by (unfold B; nia).
          replace (if whole (dag S u) then 0 else k * F u) with (k * A) by (unfold A; destruct (whole (dag S u)); ring).
          replace (k * A + x + k * B) with (x + (A + B) * k) by ring. rewrite Z.div_add by lia.
          replace (x / k + (A + B)) with (A + x / k + B) by ring. ring. }
        cbv beta. rewrite hin. nia.
    Qed.

    Lemma backlog_inequality_finer full v : backlog_inequality S a full F v -> backlog_inequality S' a' full F' v.
    Proof.
      intros (M & share & d & lim & parallel & blk & there & hM & hpar & hblk & hd & hlim & hineq).
      exists M, share, d, (fun u => finer_limit (lim u)), parallel, (fun q => k * blk q), (fun l p => k * there l p).
      split; [exact hM|]. split; [now apply parallel_finer|].
      split; [intros q hq; now apply blocking_finer, hblk, ancestor_or_self_coarser|].
      split; [intros l u hl hu h; apply never_finer, hd; auto; now apply path_finer|].
      split; [now apply limits_finer|].
      intros l hl. destruct (hineq l (path_finer l v hl)) as (hthere & hsum). change (F' v) with (k * F v). split.
      - intros p hp. destruct (hthere p hp) as [hle | (hf & W & after & [B] & nd & hafter & hle)]; [left | right].
        + etransitivity; [|apply Z.mul_le_mono_nonneg_l; [lia | exact hle]]. apply Z.eq_le_incl. unfold pool_work. change (on_pool S' p) with (on_pool S p).
          rewrite <- sum_scale. apply sum_eq. intros u hu. apply in_on_pool in hu. rewrite count_finer by tauto. unfold a'. cbn [vol finer_accounts]. ring.
        + split; [exact hf|]. exists (k * W), after. split; [constructor; now apply backlog_finer|]. split; [exact nd|]. split.
          * intros u hu. destruct (hafter u hu) as (h1 & h2). split; [exact h1 | now apply ancestor_finer].
          * rewrite (sum_eq (vol a') (fun u => k * vol a u)) by reflexivity. rewrite sum_scale. change (sum (fun u => vol a u) after) with (sum (vol a) after). nia.
      - assert (hlen : path_length S' a' M share (fun q => k * blk q) l = k * path_length S a M share blk l).
        { unfold path_length. rewrite <- sum_scale. apply sum_eq. intros x _. unfold a'. cbn [exec last finer_accounts]. cbn [pool S' finer]. ring. }
        rewrite hlen. change (visited S' l) with (visited S l). rewrite (sum_eq _ (fun p => k * (share p * there l p))) by (intros; ring).
        rewrite sum_scale. nia.
    Qed.

    Lemma overlapped_inequality_finer full v : In v (nodes S) -> overlapped_inequality S a full F v -> overlapped_inequality S' a' full F' v.
    Proof.
      intros hv (lim & hlim & hineq). exists (fun u => finer_limit (lim u)). split; [now apply limits_finer|]. intros l hl.
      destruct (hineq l (path_finer l v hl)) as [h1|h1]; [left; apply aligned_path_finer | right; apply overlapped_path_finer]; auto.
      now apply path_finer.
    Qed.

    Lemma aligned_inequality_finer v : aligned_inequality S a F v -> aligned_inequality S' a' F' v.
    Proof.
      intros (lim & hlim & hineq). exists (fun u => finer_limit (lim u)). split; [now apply limits_finer | now apply aligned_within_finer].
    Qed.

    Lemma run_at_once_finer v own T cs Z_d : 0 < T -> run_at_once S F v own T cs Z_d -> run_at_once S' F' v own (k * T) cs Z_d.
    Proof.
      intros hT hrun b xs hb hp h0. rewrite ready_bound_finer in hb. change (F' v) with (k * F v) in hb.
      etransitivity; [|apply (hrun (b / k) (map (fun x => x / k) xs))].
      - rewrite sum_map. apply sum_le. intros x _. apply sum_le. intros c _.
        destruct (existsb (fun u => may_run S' F' v u b x) c) eqn:he; [|apply ind_range].
        apply existsb_exists in he. destruct he as (u & hu & hm). unfold may_run in hm. apply andb_prop in hm. destruct hm as (h1 & h2).
        replace (existsb (fun u => may_run S F v u (b / k) (x / k)) c) with true; [cbn; lia|]. symmetry. apply existsb_exists. exists u.
        split; [exact hu|]. unfold may_run. apply Z.ltb_lt in h1. unfold F' in h1.
        rewrite (proj2 (Z.ltb_lt _ _) (Z.div_lt_upper_bound x k (F u) k_pos h1)).
        rewrite limit_finer in h2. destruct (limit S F v u) as [l|]; cbn [finer_limit option_map] in h2; [|discriminate]. cbn [andb].
        apply Z.leb_le in h2. apply Z.leb_le. enough (b / k <= (x + l * k) / k) by (rewrite Z.div_add in H by lia; lia).
        apply Z.div_le_mono; lia.
      - split; [apply Z.div_le_lower_bound; lia | apply Z.div_le_upper_bound; lia].
      - destruct own; [exact (pattern_coarser T (b :: xs) hT hp) | now apply pattern_coarser].
      - intros x hx. apply in_map_iff in hx. destruct hx as (x' & <- & hx). apply Z.div_pos; [now apply h0 | lia].
    Qed.

    Lemma jobs_ahead_finer v u : In u (nodes S) -> jobs_ahead S' F' v u = jobs_ahead S F v u.
    Proof.
      intros hu. pose proof (wf_period wf u hu) as hT. unfold jobs_ahead. rewrite limit_finer, ready_bound_finer.
      change (F' u) with (k * F u). unfold S', finer. cbn [dag period].
      destruct (limit S F v u) as [l|]; cbn [finer_limit option_map]; [|reflexivity].
      rewrite <- Z.mul_sub_distr_l. destruct (dag S u =? dag S v).
      - replace (- (k * period S (dag S u))) with (k * - period S (dag S u)) by ring.
        rewrite min_finer, <- Z.mul_add_distr_l, cdiv_finer, Z.div_mul_cancel_l by lia.
        replace (0 <=? k * l) with (0 <=? l); [reflexivity|]. destruct (Z.leb_spec 0 l), (Z.leb_spec 0 (k * l)); auto; nia.
      - rewrite <- Z.mul_add_distr_l, cdiv_finer by lia. reflexivity.
    Qed.

    Lemma at_once_inequality_finer v : In v (nodes S) -> at_once_inequality S a F v -> at_once_inequality S' a' F' v.
    Proof.
      intros hv (w & chains & own & run & hlag & hproc & hw & hAF & hroom & hchains & hown & hineq).
      exists (k * w), chains, (fun c => k * own c), run. rewrite ready_bound_finer. change (F' v) with (k * F v).
      change (pool S' v) with (pool S v). change (dag S' v) with (dag S v). change (other_dags S' v) with (other_dags S v).
      split; [exact hlag|]. split.
      { intros u hu. change (on_pool S' (pool S v)) with (on_pool S (pool S v)) in hu. destruct (hproc u hu) as (h1 & h2).
        unfold a'. cbn [vol last exec finer_accounts]. now rewrite h1, h2. }
      split; [nia|]. split; [nia|]. split; [unfold a'; cbn [exec finer_accounts]; nia|].
      assert (hT : forall d, In d (dag S v :: other_dags S v) -> 0 < period S d).
      { intros d hd. assert (exists u, In u (nodes S) /\ dag S u = d) as (u & hu & <-); [|now apply (wf_period wf)].
        destruct hd as [<-|hd]; [eauto|]. apply filter_In in hd. destruct hd as (hd & _). apply nodup_In, in_map_iff in hd.
        destruct hd as (u & <- & hu). eauto. }
      split; [|split].
      - intros d hd. destruct (hchains d hd) as ((hc & hall) & hrun). split.
        + split; [|exact hall]. intros c hcin. destruct (hc c hcin) as ((hn & hcmp) & hin). split; [|exact hin]. split; [exact hn|].
          intros x y hx hy. destruct (hcmp x y hx hy) as [|[h|h]]; auto using ancestor_finer.
        + change (period S' d) with (k * period S d). apply run_at_once_finer; auto.
      - intros c s hc hnd hin hb. unfold a'. cbn [vol finer_accounts]. rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|].
        apply (hown c s hc hnd hin). intros u hu. destruct (hb u hu) as (b1 & b2 & b3 & b4). split; [exact b1|].
        split; [intros ha; now apply b2, ancestor_finer|]. split; [intros ha; now apply b3, ancestor_finer|].
        rewrite <- b4. unfold S', finer. cbn [order_of pool]. destruct (order_of S (pool S v)) as [|Y|pi|pi]; cbn [finer_order lower]; auto.
        destruct (Z.ltb_spec (0 + k * Y v) (0 + k * Y u)), (Z.ltb_spec (0 + Y v) (0 + Y u)); auto; nia.
      - intros c y hc hy. specialize (hineq (c * k) y ltac:(nia) ltac:(lia)).
        rewrite (sum_eq _ (fun c0 => Z.min y (c * k * own c0))) by (intros; f_equal; ring).
        rewrite (sum_eq _ (fun d => Z.min (run d * y) (sum (fun u => jobs_ahead S F v u * Z.min (c * k * vol a u) y) (dag_here S d (pool S v))))).
        + exact hineq.
        + intros d _. f_equal. change (dag_here S' d (pool S v)) with (dag_here S d (pool S v)). apply sum_eq. intros u hu.
          apply in_dag_here in hu.
          rewrite jobs_ahead_finer by tauto. unfold a'. cbn [vol finer_accounts]. f_equal. f_equal. ring.
    Qed.

    (** T23. *)
    Lemma visit_inequality_finer v : In v (nodes S) -> visit_inequality S a F v -> visit_inequality S' a' F' v.
    Proof.
      intros hv (w & chains & hord & hw & hAF & hroom & hchains & hineq).
      exists (k * w), chains. rewrite ready_bound_finer. change (F' v) with (k * F v).
      change (pool S' v) with (pool S v). change (dag S' v) with (dag S v). change (other_dags S' v) with (other_dags S v).
      split; [unfold S', finer; cbn [order_of]; now rewrite hord|].
      split; [nia|]. split; [nia|]. split; [unfold a'; cbn [exec finer_accounts]; nia|].
      assert (hT : forall d, In d (dag S v :: other_dags S v) -> 0 < period S d).
      { intros d hd. assert (exists u, In u (nodes S) /\ dag S u = d) as (u & hu & <-); [|now apply (wf_period wf)].
        destruct hd as [<-|hd]; [eauto|]. apply filter_In in hd. destruct hd as (hd & _). apply nodup_In, in_map_iff in hd.
        destruct hd as (u & <- & hu). eauto. }
      split.
      { intros d hd. destruct (hchains d hd) as (hc & hall). split; [|exact hall]. intros c hcin.
        destruct (hc c hcin) as ((hn & hcmp) & hin).
        split; [|exact hin]. split; [exact hn|]. intros x y hx hy. destruct (hcmp x y hx hy) as [|[h|h]]; auto using ancestor_finer. }
      intros c y hc hy. destruct (hineq (c * k) y ltac:(nia) ltac:(lia)) as (most & own & self & X & h1 & h2 & h3 & h4 & h5 & h6 & h7).
      unfold a'. cbn [vol exec last cap finer_accounts].
      exists (fun l z => most l (z / k)), own, self, X.
      split; [|split; [intros; apply h2|split; [|split; [exact h4|split; [|split; [|exact h7]]]]]].
      - intros d l u z W hd hl hu hz hW hfit. apply (h1 d l u (z / k) W hd hl hu).
        + split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; [lia | apply hz]].
        + lia.
        + change (F' u) with (k * F u) in hfit. pose proof (Z.mul_div_le z k k_pos). assert (0 <= vol a u) by nia.
          assert (hfit' : exec a u * W <= Z.min (c * (k * F u - z)) y * vol a u) by nia.
          etransitivity; [exact hfit'|]. apply Z.mul_le_mono_nonneg_r; nia.
      - intros l u W hl hu (b1 & b2 & b3 & b4) hW hfit. apply (h3 l u W hl hu).
        + split; [exact b1|]. split; [intros ha; now apply b2, ancestor_finer|]. split; [intros ha; now apply b3, ancestor_finer|].
          now rewrite hord.
        + lia.
        + nia.
      - intros W hW hfit. apply h5; nia.
      - intros d zs hd hp h0. rewrite <- (sum_map (fun z => z / k) (fun z => sum (fun l => most l z) (chains d))). apply h6; [exact hd| |].
        + change (period S' d) with (k * period S d) in hp. destruct (d =? dag S v); [|now apply pattern_coarser; auto].
          apply (pattern_coarser _ _ (hT d hd)) in hp. cbn [map] in hp. now rewrite Z.mul_comm, Z.div_mul in hp by lia.
        + intros z hz. apply in_map_iff in hz. destruct hz as (z' & <- & hz). apply Z.div_pos; [now apply h0 | lia].
    Qed.

    Lemma load_finer p P rep step theta level carry :
      pool_load S a F p P rep step theta level carry -> pool_load S' a' F' p (k * P) rep step theta (k * level) (k * carry).
    Proof.
      intros [(h1 & h2) h3 h4 h5 h6 h7]. constructor; try nia.
      - split; [nia|]. intros u hu. change (on_pool S' p) with (on_pool S p) in hu. specialize (h2 u hu).
        unfold S', finer. cbn [dag period]. nia.
      - unfold utilization_at_most in *. change (on_pool S' p) with (on_pool S p).
        rewrite (sum_eq _ (fun u => k * (vol a u * rep u))) by (intros; unfold a'; cbn [vol finer_accounts]; ring). rewrite sum_scale. nia.
      - exact h4.
      - intros z hz hd. specialize (h7 z hz hd).
        enough (counted_carry S' a' p F' (k * level) = k * counted_carry S a p F level) as -> by nia.
        unfold counted_carry, carry_of. change (on_pool S' p) with (on_pool S p). rewrite <- sum_scale. apply sum_eq. intros u hu.
        apply in_on_pool in hu. pose proof (wf_period wf u ltac:(tauto)) as hT.
        unfold a', F', S', finer. cbn [vol exec finer_accounts dag period]. rewrite cdiv_finer by lia.
        replace (Z.max 0 (k * exec a u - k * level)) with (k * Z.max 0 (exec a u - level)) by nia.
        destruct (Z.eq_dec (exec a u) 0) as [->|hne]; [rewrite Z.mul_0_r, !Zdiv_0_r; ring|].
        rewrite Z.div_mul_cancel_l by lia. ring.
    Qed.

    Theorem reason_finer step quiet v : reason S a step quiet F v -> reason S' a' step (fun p => finer_limit (quiet p)) F' v.
    Proof.
      assert (hfifo : forall P rep carry,
                fifo_inequality S a P rep (ready_bound S F) carry v (F v) -> fifo_inequality S' a' (k * P) rep (ready_bound S' F')
                  (k * carry) v (F' v)).
      { intros P rep carry h. unfold fifo_inequality, fifo_response_inequality in *.
        change (pool S' v) with (pool S v). change (on_pool S' (pool S v)) with (on_pool S (pool S v)).
        rewrite (sum_eq _ (fun u => k * k * (vol a u * (P + rep u * ready_bound S F u)))).
        - rewrite sum_scale, ready_bound_finer. unfold a', F'. cbn [last exec cap finer_accounts]. nia.
        - intros u _. rewrite ready_bound_finer. unfold a'. cbn [vol finer_accounts]. ring. }
      intros [h | P rep theta level carry ho hl h | P rep carry ho (h1 & h2) h3 hq hc0 h | Y P rep theta level carry ho hlag hl h].
      - apply by_T10n. now apply path_inequality_finer.
      - eapply by_T10j; [| apply load_finer; exact hl |].
        + unfold S', finer. cbn [order_of pool]. now rewrite ho.
        + now apply hfifo.
      - apply by_T10j_quiet with (P := k * P) (rep := rep) (carry := k * carry).
        + unfold S', finer. cbn [order_of pool]. now rewrite ho.
        + split; [nia|]. intros u hu. change (on_pool S' (pool S' v)) with (on_pool S (pool S v)) in hu. specialize (h2 u hu).
          unfold S', finer. cbn [dag period]. nia.
        + unfold utilization_at_most in *. change (pool S' v) with (pool S v). change (on_pool S' (pool S v)) with (on_pool S (pool S v)).
          rewrite (sum_eq _ (fun u => k * (vol a u * rep u))) by (intros; unfold a'; cbn [vol finer_accounts]; ring). rewrite sum_scale.
          change (cap a' (pool S v)) with (cap a (pool S v)). nia.
        + change (pool S' v) with (pool S v). now rewrite hq.
        + nia.
        + now apply hfifo.
      - eapply by_T10g with (Y := fun u => k * Y u); [| exact hlag | apply load_finer; exact hl |].
        + unfold S', finer. cbn [order_of pool]. now rewrite ho.
        + unfold gel_inequality in *. change (pool S' v) with (pool S v). change (on_pool S' (pool S v)) with (on_pool S (pool S v)).
          rewrite (sum_eq _ (fun u => k * k * (vol a u * Z.max 0 (P - rep u * (Y u - Y v + ready_bound S F v - ready_bound S F u))))).
          * rewrite sum_scale, ready_bound_finer. unfold a', F'. cbn [last exec cap finer_accounts]. nia.
          * intros u _. rewrite !ready_bound_finer. unfold a'. cbn [vol finer_accounts].
            replace (k * P - rep u * (k * Y u - k * Y v + k * ready_bound S F v - k * ready_bound S F u))
              with (k * (P - rep u * (Y u - Y v + ready_bound S F v - ready_bound S F u))) by ring.
            rewrite <- (Z.mul_0_r k) at 1. rewrite max_finer. ring.
    Qed.

    (** T10w. *)
    Lemma done_meanwhile_coarser full lim v L L' p c jobs age j0 W : 0 < c -> 0 <= cap a p \/ L' = k * L -> L' <= k * L ->
      done_meanwhile S' a' full F' (fun u => finer_limit (lim u)) v L' p c jobs age j0 W -> done_meanwhile S a full F lim v L p (c * k) jobs age j0 W.
    Proof.
      assert (hchain : forall c0, chain S c0 -> chain S' c0).
      { intros c0 (hn & hc). split; [exact hn|]. intros x z hx hz. destruct (hc x z hx hz) as [|[h|h]]; auto using ancestor_finer. }
      intros hc0 hcap hL [m1 m2 m3 m4 m5 m6]. constructor.
      - intros d hd. destruct (m1 d hd) as (nd & hap). split; [exact nd|]. intros i j hi hj hne. specialize (hap i j hi hj hne).
        change (period S' d) with (k * period S d) in hap. lia.
      - exact m2.
      - intros u j hu hj. specialize (m3 u j hu hj). unfold a' in m3. cbn [vol finer_accounts] in m3. lia.
      - intros u j hu hj hne. destruct (m4 u j hu hj hne) as (h1 & h2). split; [unfold F' in h1; lia|].
        destruct (lim u) as [x|]; cbn [finer_limit option_map] in h2; [lia | exact h2].
      - intros hf c0 d j FU hd hc hin hj. etransitivity; [apply (m5 hf c0 d j (k * FU) hd (hchain c0 hc))|]; [|exact hj|].
        + intros u hu. destruct (hin u hu) as (h1 & h2). split; [exact h1 | unfold F'; nia].
        + unfold overlap. nia.
      - intros hf c0 d j FU hd hn hin hj. etransitivity; [apply (m6 hf c0 d j (k * FU) hd hn)|]; [|exact hj|].
        + intros u hu. destruct (hin u hu) as (h1 & h2). split; [exact h1 | unfold F'; nia].
        + change (cap a' p) with (cap a p). destruct hcap as [hcap | ->]; [apply Z.mul_le_mono_nonneg_l; [exact hcap|]; unfold overlap; nia|].
          now rewrite !Z.mul_assoc.
    Qed.

    Lemma beside_coarser q u : beside S' q u -> beside S q u.
    Proof.
      intros (b1 & b2 & b3 & b4). split; [exact b1|]. split; [intros ha; now apply b2, ancestor_finer|]. split; [intros ha; now apply b3, ancestor_finer|].
      rewrite <- b4. unfold S', finer. cbn [order_of pool]. destruct (order_of S (pool S q)) as [|Y|pi|pi]; cbn [finer_order lower]; auto.
      destruct (Z.ltb_spec (0 + k * Y q) (0 + k * Y u)), (Z.ltb_spec (0 + Y q) (0 + Y u)); auto; nia.
    Qed.

    Lemma runs_meanwhile_coarser full lim v l p c y jobs age j0 W : 0 < c ->
      runs_meanwhile S' a' full F' (fun u => finer_limit (lim u)) v l p c y jobs age j0 W
        -> runs_meanwhile S a full F lim v l p (c * k) y jobs age j0 W.
    Proof.
      assert (hchain : forall c0, chain S c0 -> chain S' c0).
      { intros c0 (hn & hc). split; [exact hn|]. intros x z hx hz. destruct (hc x z hx hz) as [|[h|h]]; auto using ancestor_finer. }
      intros hc0 [m1 m5 m6 m7]. constructor.
      - apply (done_meanwhile_coarser full lim v (F v) (F' v)); auto; unfold F'; lia.
      - intros u hu hne. destruct (m5 u hu hne) as [hul|(q & hq & hqp & hbe)]; [now left|]. right. exists q.
        split; [exact hq|]. split; [exact hqp | now apply beside_coarser].
      - intros u hu hp. specialize (m6 u hu hp). unfold a' in m6. cbn [vol last finer_accounts] in m6. lia.
      - intros hf c0 d j hd hc hin hj. apply (m7 hf c0 d j); auto.
    Qed.

    (** What is known in finer ticks is so in units of them. *)
    Definition known_coarser (known known' : ages_known) : Prop := forall c jobs age j0 W, 0 < c -> known' c jobs age j0 W -> known (c * k) jobs age j0 W.

    Lemma fitting_with_finer known known' full v : known_coarser known known' -> In v (nodes S) ->
      fitting_inequality_with known S a full F v -> fitting_inequality_with known' S' a' full F' v.
    Proof.
      intros hkn hv (M & lim & hM & hev & hlim & hnp & hineq). exists M, (fun u => finer_limit (lim u)).
      split; [exact hM|]. split; [unfold a'; cbn [exec finer_accounts]; nia|]. split; [now apply limits_finer|]. split.
      - intros q hq. destruct (hnp q (ancestor_or_self_coarser q v hq)) as [h|h]; [left; exact h | right]. unfold S', finer.
        cbn [order_of pool]. now rewrite h.
      - intros l hl. destruct (hineq l (path_finer l v hl)) as (w & hw & hsum). exists (fun p => k * w p). split.
        + intros p hp c y jobs age j0 W hc hy hrun hk'. apply (hw p hp (c * k) y jobs age j0 W); [nia | lia | now apply runs_meanwhile_coarser | now apply hkn].
        + change (visited S' l) with (visited S l). change (F' v) with (k * F v).
          assert (hexec : sum (fun x => M * exec a' x) l = k * sum (fun x => M * exec a x) l).
          { rewrite <- sum_scale. apply sum_eq. intros x _. unfold a'. cbn [exec finer_accounts]. ring. }
          rewrite hexec, (sum_scale k w). change (sum (fun a0 => w a0) (visited S l)) with (sum w (visited S l)). nia.
    Qed.

    Lemma fitting_inequality_finer full v : In v (nodes S) -> fitting_inequality S a full F v -> fitting_inequality S' a' full F' v.
    Proof. now apply fitting_with_finer. Qed.

    Theorem well_formed_finer : well_formed S'.
    Proof.
      destruct wf as [w1 w2 w3 w4]. constructor; auto. intros v hv. specialize (w4 v hv). unfold S', finer. cbn [dag period]. nia.
    Qed.
  End System.

  Lemma instead_inequality_finer S (wf : well_formed S) (F : node -> Z) a v : instead_inequality S a F v
    -> instead_inequality (finer S) (finer_accounts a) (fun u => k * F u) v.
  Proof.
    intros (ps & o & lim & ho & hlim & hineq). exists ps, (fun p => finer_order (o p)), (fun u => finer_limit (lim u)). split; [|split].
    - intros p. rewrite (ho p). unfold finer. cbn [order_of]. now destruct (ps p).
    - intros q u hq hu hp. unfold limit_instead. rewrite ready_bound_finer, limit_finer. change (pool (finer S) q) with (pool S q).
      specialize (hlim q u (ancestor_or_self_coarser S q v hq) hu hp). unfold limit_instead in hlim. destruct (ps (pool S q)).
      + apply limit_le_finer in hlim. destruct (limit S F q u); cbn [finer_limit option_map] in *; rewrite ?max_finer; exact hlim.
      + now apply limit_le_finer.
    - exact (aligned_within_finer (with_orders o S) (well_formed_any S o wf) F a lim v hineq).
  Qed.

  Lemma limit_ext S (G G' : node -> Z) q u : (forall x, G x = G' x) -> limit S G q u = limit S G' q u.
  Proof.
    intros heq. assert (hr : ready_bound S G q = ready_bound S G' q).
    { unfold ready_bound. induction (preds S q) as [|y l IH]; cbn [fold_right]; [reflexivity|]. now rewrite heq, IH. }
    unfold limit. now rewrite hr, heq.
  Qed.

  Lemma families_inequality_finer S (wf : well_formed S) (F : node -> Z) a full v :
    families_inequality S a full F v -> families_inequality (finer S) (finer_accounts a) full (fun u => k * F u) v.
  Proof.
    set (S' := finer S). set (a' := finer_accounts a). set (F' := fun u => k * F u).
    intros (M & p & D & U & cs & lim & LV & LS & I & hM & hev & hp & hnp & [d1 d2 d3 d4] & (u1 & u2 & u3 & u4) & (c1 & c2 & c3 & c4) & hlim & hLV & hle & hLS & hI & hsum).
    assert (hexec : forall l, sum (exec a') l = k * sum (exec a) l).
    { intros l. rewrite <- sum_scale. apply sum_eq. intros u _. reflexivity. }
    exists M, p, D, U, cs, (fun u => finer_limit (lim u)), (k * LV), (k * LS), (fun d => k * I d).
    split; [exact hM|]. split; [unfold a'; cbn [exec finer_accounts]; nia|]. split; [exact hp|]. split.
    { destruct hnp as [h|h]; [left; exact h | right]. unfold S', finer. cbn [order_of]. now rewrite h. }
    split; [constructor; auto; intros q hq ha; apply (d4 q hq); now apply (ancestor_coarser S)|]. split.
    { split; [exact u1|]. split; [exact u2|]. split; [exact u3|]. intros q u hq hu hna hbe. apply (u4 q u hq hu).
      - intros ha. apply hna. now apply ancestor_finer.
      - now apply (beside_coarser S). }
    split.
    { split; [exact c1|]. split; [exact c2|]. split; [|exact c4]. intros c hc. destruct (c3 c hc) as (hn & hcmp). split; [exact hn|].
      intros x z hx hz. destruct (hcmp x z hx hz) as [e|[h|h]]; [now left | right; left; now apply ancestor_finer | right; right; now apply ancestor_finer]. }
    split.
    { intros q u hq hu hup. rewrite (limit_ext S' (fun x => Z.min (F' x) (F' v)) (fun x => k * Z.min (F x) (F v))) by (intros x; unfold F'; apply min_finer).
      pose proof (hlim q u hq hu hup) as hl. apply limit_le_finer in hl. unfold S'. rewrite (limit_finer S (fun x => Z.min (F x) (F v))). exact hl. }
    split; [intros l hl; rewrite hexec; specialize (hLV l (path_finer S l v hl)); nia|]. split; [nia|].
    split; [intros l q hq hl; rewrite hexec; specialize (hLS l q hq (path_finer S l q hl)); nia|]. split.
    { intros d hd c jobs age j0 W hc hdone _ hz. rewrite Z.mul_assoc. apply (hI d hd (c * k) jobs age j0 W); [nia | | exact Logic.I | exact hz].
      apply (done_meanwhile_coarser S F a full lim v (F v) (F' v)); auto; unfold F'; lia. }
    cbv zeta in *. rewrite !hexec. change (other_dags S' v) with (other_dags S v). change (dag S' v) with (dag S v). rewrite (sum_scale k I).
    change (sum (fun a0 => I a0)) with (sum I). change (cap a' p) with (cap a p). change (F' v) with (k * F v). nia.
  Qed.

  (** T10d by age. *)
  Definition finer_aging (ag : aging) : aging := {| soon := fun u => k * soon ag u; longest := k * longest ag; twice_E := k * twice_E ag |}.
  Definition finer_aged (aged : Z -> option aging) (d : Z) : option aging := option_map finer_aging (aged d).

  Lemma left_within_finer S a d ag c y : left_within (finer S) (finer_accounts a) d (finer_aging ag) c y = left_within S a d ag (c * k) y.
  Proof. unfold left_within. apply sum_eq. intros u _. cbn [exec finer_accounts soon longest finer_aging]. f_equal; [ring|]. f_equal. ring. Qed.

  Lemma with_ages_coarser S a v aged : known_coarser (with_ages aged S a v by_periods) (with_ages (finer_aged aged) (finer S) (finer_accounts a) v by_periods).
  Proof.
    intros c jobs age j0 W hc (_ & hleft). split; [exact Logic.I|]. intros d ag j U hd hag hj nd hU. specialize (hleft d (finer_aging ag) j U hd). unfold finer_aged in hleft. rewrite hag in hleft.
    specialize (hleft eq_refl hj nd hU). rewrite left_within_finer in hleft. cbn [twice_E finer_aging] in hleft. now rewrite Z.mul_assoc in hleft.
  Qed.

  Lemma fold_max_finer (f : node -> Z) l : fold_right (fun q x => Z.max (k * f q) x) 0 l = k * fold_right (fun q x => Z.max (f q) x) 0 l.
  Proof. induction l as [|x l IH]; cbn [fold_right]; [ring|]. rewrite IH. apply max_finer. Qed.

  Lemma aged_inequality_finer S (wf : well_formed S) (F : node -> Z) a full v : In v (nodes S) ->
    aged_inequality (fun _ => by_periods) S a full F v -> aged_inequality (fun _ => by_periods) (finer S) (finer_accounts a) full (fun u => k * F u) v.
  Proof.
    intros hv (aged & haged & hineq). exists (finer_aged aged). split; [|apply (fitting_with_finer S F a (with_ages aged S a v by_periods)); [apply with_ages_coarser | exact hv | exact hineq]].
    intros d ag' hag'. unfold finer_aged in hag'. destruct (aged d) as [ag|] eqn:hag; [|discriminate]. injection hag' as <-.
    destruct (haged d ag hag) as (vd & p & lim & L & I & h1 & h2 & h3 & h4 & (h5 & h6) & h7 & h8 & h9 & h10).
    exists vd, p, (fun u => finer_limit (lim u)), (k * L), (fun d => k * I d). change (dag_nodes (finer S) d) with (dag_nodes S d).
    split; [exact h1|]. split; [exact h2|]. split.
    { destruct h3 as [h|h]; [left; exact h | right]. unfold finer. cbn [order_of]. now rewrite h. }
    split; [intros u hu; destruct (h4 u hu); split; [assumption | nia]|]. cbn [exec finer_accounts soon longest twice_E finer_aging]. split; [split|split; [nia|split; [|split]]].
    - intros u hu. destruct (h5 u hu) as (e1 & e2). split; [|cbn [exec finer_accounts soon longest finer_aging]; nia]. cbn [soon finer_aging]. rewrite e1, <- fold_max_finer.
      change (preds (finer S) u) with (preds S u). clear. induction (preds S u) as [|x l IH]; cbn [fold_right]; [reflexivity|]. rewrite IH. f_equal. cbn [exec finer_accounts]. ring.
    - destruct h6 as (u & hu & hl). exists u. split; [exact hu|]. cbn [exec finer_accounts soon longest finer_aging]. nia.
    - intros q u hq hu hup. rewrite limit_finer. apply limit_le_finer. now apply h8.
    - intros d' hd' c jobs age j0 W hc hdone hkn hz. rewrite Z.mul_assoc. apply (h9 d' hd' (c * k) jobs age j0 W); [nia | | now apply with_ages_coarser | exact hz].
      apply (done_meanwhile_coarser S F a full lim vd L (k * L)); auto. lia.
    - change (other_dags (finer S) vd) with (other_dags S vd). change (dag (finer S) vd) with (dag S vd).
      assert (hexec : sum (fun u : node => k * exec a u) (dag_nodes S d) = k * sum (exec a) (dag_nodes S d)) by exact (sum_scale k (exec a) (dag_nodes S d)).
      assert (hI : sum (fun d : Z => k * I d) (dag S vd :: other_dags S vd) = k * sum I (dag S vd :: other_dags S vd)) by exact (sum_scale k I (dag S vd :: other_dags S vd)).
      rewrite hI. change (cap (finer_accounts a) p) with (cap a p).
      change (2 * (sum (fun u : node => k * exec a u) (dag_nodes S d) - k * longest ag) + k * sum I (dag S vd :: other_dags S vd) <= cap a p * (k * twice_E ag - 2 * (k * longest ag))).
      rewrite hexec. nia.
  Qed.

  Theorem any_reason_finer S (wf : well_formed S) (F : node -> Z) a full step quiet v :
    In v (nodes S) -> any_reason S a full step quiet F v
      -> any_reason (finer S) (finer_accounts a) full step (fun p => finer_limit (quiet p)) (fun u => k * F u) v.
  Proof.
    intros hv [h | h | h | h | h | h | h];
      [apply by_reason | apply by_T10a | apply by_T10a_instead | apply by_T23 | apply by_T24 | apply by_T10v | apply by_T10c];
      [now apply reason_finer | now apply aligned_inequality_finer | now apply instead_inequality_finer | now apply visit_inequality_finer
        | now apply at_once_inequality_finer | now apply overlapped_inequality_finer | now apply backlog_inequality_finer].
  Qed.

  Lemma finer_counted S P w u : In u (nodes S) ->
    let a := counted_accounts (finer S) (finer_platform P) w in let b := finer_accounts (counted_accounts S P w) in
    (cap a (pool (finer S) u) = cap b (pool (finer S) u) /\ lagging a (pool (finer S) u) = lagging b (pool (finer S) u)) /\ exec a u
      = exec b u /\ last a u = last b u /\ vol a u = vol b u.
  Proof.
    intros _. cbn. destruct (kind_of P (pool S u)); [| | destruct (order_of S (pool S u))]; repeat split; ring.
  Qed.
End Scale.

(** Laws for some accounts hold for equal ones. *)
Lemma laws_for_equal_accounts S h g a a' :
  (forall v, In v (nodes S) -> (cap a' (pool S v) = cap a (pool S v) /\ lagging a' (pool S v) = lagging a (pool S v)) /\ exec a' v
    = exec a v /\ last a' v = last a v /\ vol a' v = vol a v) ->
  keeps_laws S h g a' -> keeps_laws S h g a.
Proof.
  intros heq [n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13].
  constructor; intros u; intros; try (destruct (heq u ltac:(assumption)) as ((e1 & e0) & e2 & e3 & e4);
    rewrite <- ?e0, <- ?e1, <- ?e2, <- ?e3, <- ?e4); eauto.
  destruct (n13 u r b c H) as (l & h1 & h2 & h3 & h4). exists l. split; [exact h1|]. split; [exact h2|]. split; [exact h3|].
  etransitivity; [exact h4|]. apply Z.eq_le_incl. apply sum_eq. intros (x, y) hx. destruct (h3 x y hx) as (hxp & _).
  apply in_on_pool in hxp.
  now destruct (heq x ltac:(tauto)) as (_ & _ & _ & e).
Qed.

Lemma quiet_for_equal_accounts S g a a' quiet :
  (forall v, In v (nodes S) -> cap a' (pool S v) = cap a (pool S v) /\ exec a' v = exec a v) ->
  quiet_holds S g a' quiet -> quiet_holds S g a quiet.
Proof.
  intros heq hq v carry s hv hc hrate. destruct (heq v hv) as (e1 & _).
  etransitivity; [|apply (hq v carry s hv hc); now rewrite e1].
  apply Z.eq_le_incl. apply sum_eq. intros u hu. apply sum_eq. intros r _. apply in_on_pool in hu.
  destruct (heq u ltac:(tauto)) as (_ & e2). now rewrite e2.
Qed.

Lemma sound_platform_finer k S P : 0 < k -> sound_platform S P -> sound_platform (finer k S) (finer_platform k P).
Proof.
  intros hk [s1 s2]. constructor; intros u hu.
  - specialize (s1 u hu). cbn. nia.
  - specialize (s2 u hu). cbn. destruct (kind_of P (pool S u)); [exact s2 | exact s2|]. destruct s2 as (h1 & h2 & h3).
    split; [exact h1|]. split; [exact h2|]. unfold queued in *. cbn [order_of finer demand finer_platform]. destruct h3 as [h3|((pi & h3) & h4)]; rewrite h3; [now left|].
    right. split; [now exists pi | exact h4].
Qed.

Lemma steps_finer k S h P e w step :
  (forall u, In u (nodes S) -> (step (pool S u) | match kind_of P (pool S u) with Processors _ | Threads _ => 1 | Gpu _ => weight w u end))
    ->
  steps (finer k S) (counted_progress (finer k S) h (finer_platform k P) e w) step.
Proof.
  intros hstep x r t hx. specialize (hstep x hx). cbn. destruct (kind_of P (pool S x)).
  - destruct (runs e x r t); cbn; [exact hstep | apply Z.divide_0_r].
  - destruct (runs e x r t); cbn; [exact hstep | apply Z.divide_0_r].
  - apply Z.divide_mul_l. exact hstep.
Qed.

(** The carry (a) of GPUs: quiet p = (g - 1) K + K' with K, K' as in T6. *)
Definition quiet_by_configurations (S : system) (P : platform) (w : weights) (quiet : Z -> option Z) : Prop :=
  forall p carry, quiet p = Some carry ->
    match kind_of P p with
    | Processors _ | Threads _ => False
    | Gpu G => exists K K', configuration_bounds S P w p G K K' /\ carry = (sms G - 1) * K + K'
    end.

Lemma quiet_finer k S h P e w quiet :
  0 < k -> sound_platform S P -> system_obeys (finer k S) h (finer_platform k P) e -> all_weights_valid S P w ->
  quiet_by_configurations S P w quiet ->
  quiet_holds (finer k S) (counted_progress (finer k S) h (finer_platform k P) e w) (finer_accounts k (counted_accounts S P w))
    (fun p => finer_limit k (quiet p)).
Proof.
  intros hk sp so hw hq v carry s hv hc hrate. cbn [pool finer] in hc. set (p := pool S v) in *.
  change (pool (finer k S) v) with p in *. destruct (quiet p) as [c|] eqn:ec; [|discriminate]. injection hc as <-.
  specialize (hq p c ec). destruct (kind_of P p) as [m|m|G] eqn:hkind; [destruct hq | destruct hq|].
  destruct hq as (K & K' & (hK & hK') & ->).
  pose proof (so_pools so p) as ob. unfold pool_obeys in ob. cbn [kind_of finer_platform] in ob. rewrite hkind in ob.
  assert (hscale : forall x, weigh (finer k S) p (fun u => weight w u * length_of (finer_platform k P) u) x
                             = k * weigh S p (fun u => weight w u * length_of P u) x).
  { intros x. unfold weigh. change (on_pool (finer k S) p) with (on_pool S p). rewrite <- sum_scale. apply sum_eq. intros u _. cbn. ring. }
  pose proof (quiet_gpu (finer k S) h (finer_platform k P) e w (sound_platform_finer k S P hk sp) p G hkind ob (hw p G hkind) (k * K)
    (k * K')) as h0.
  replace (k * ((sms G - 1) * K + K')) with ((sms G - 1) * (k * K) + k * K') by ring.
  etransitivity; [|apply h0].
  - apply Z.eq_le_incl. apply sum_eq. intros u hu. apply sum_eq. intros r _. reflexivity.
  - intros x hx. rewrite hscale. apply Z.mul_le_mono_nonneg_l; [lia|]. now apply hK.
  - intros x hx hnb. rewrite hscale. apply Z.mul_le_mono_nonneg_l; [lia|]. now apply hK'.
  - cbn [cap finer_accounts counted_accounts] in hrate. rewrite hkind in hrate. exact hrate.
Qed.

Lemma full_finer k S h P e w : system_obeys (finer k S) h (finer_platform k P) e ->
  full_holds (finer k S) h (counted_progress (finer k S) h (finer_platform k P) e w) (finer_accounts k (counted_accounts S P w)) (platform_full P).
Proof.
  intros so p hf. destruct (platform_full_holds (finer k S) h (finer_platform k P) e w p so hf) as (h1 & h2).
  split; [|split; [exact h2 | now apply platform_runs_or_waits]].
  intros x hx. specialize (h1 x hx). apply in_on_pool in hx. destruct (finer_counted k S P w x ltac:(tauto)) as (_ & e2 & e3 & e4).
  cbv zeta in e2, e3, e4. now rewrite <- e2, <- e3, <- e4.
Qed.

(** What the theorems on bounds ask of laws, in ticks of 1/k. *)
Lemma facts_in_every_tick k S h P e F w step quiet :
  0 < k -> well_formed S -> sound_platform S P -> system_obeys (finer k S) h (finer_platform k P) e ->
  (forall u, In u (nodes S) -> length_of P u <= F u) -> all_weights_valid S P w ->
  (forall u, In u (nodes S) -> (step (pool S u) | match kind_of P (pool S u) with Processors _ | Threads _ => 1 | Gpu _ => weight w u end)) ->
  quiet_by_configurations S P w quiet ->
  let g := counted_progress (finer k S) h (finer_platform k P) e w in let a := finer_accounts k (counted_accounts S P w) in
  keeps_laws (finer k S) h g a /\ busy_holds (finer k S) h g a (platform_busy (finer k S) (finer_platform k P) e) /\ steps (finer k S) g step /\
  quiet_holds (finer k S) g a (fun p => finer_limit k (quiet p)) /\ (forall u, In u (nodes (finer k S)) -> exec a u <= k * F u) /\
  full_holds (finer k S) h g a (platform_full P).
Proof.
  intros hk wf sp so hF hw hstep hq. pose proof (well_formed_finer k hk S wf) as wf'. pose proof (sound_platform_finer k S P hk sp) as sp'.
  split; [|split; [|split; [|split; [|split]]]].
  - eapply laws_for_equal_accounts; [intros x hx; exact (finer_counted k S P w x hx)|]. apply platform_keeps_laws; auto using (wf_nodup wf').
  - destruct (platform_busy_holds (finer k S) h (finer_platform k P) e w wf' sp' so hw) as [b1 b2 b3 b4 b5].
    constructor; auto. intros x r' t' hx hwx. specialize (b4 x r' t' hx hwx). destruct (finer_counted k S P w x hx) as (_ & e2 & e3 & e4).
    cbv zeta in e2, e3, e4. now rewrite <- e2, <- e3, <- e4.
  - now apply steps_finer.
  - now apply quiet_finer.
  - intros x hx. specialize (hF x hx). cbn. nia.
  - now apply full_finer.
Qed.

(** Bounds that hold by T10n, T10a, T10v, T23, T24, T10j or T10g, in schedules with events at multiples of 1/k of the unit. *)
Theorem bounds_hold_in_every_tick k S h P e F :
  0 < k -> well_formed S -> sound_platform S P -> system_obeys (finer k S) h (finer_platform k P) e ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w step quiet, all_weights_valid S P w /\
     (forall u, In u (nodes S) -> (step (pool S u) | match kind_of P (pool S u) with Processors _ | Threads _ => 1 | Gpu _ => weight w u end)) /\
     quiet_by_configurations S P w quiet /\
     any_reason S (counted_accounts S P w) (platform_full P) step quiet F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + k * F v) = true.
Proof.
  intros hk wf sp so hF hall v r hv hr.
  pose proof (well_formed_finer k hk S wf) as wf'.
  pose proof (sound_platform_finer k S P hk sp) as sp'.
  refine (bounds_hold_together (finer k S) h wf' (so_legal so) (platform_busy (finer k S) (finer_platform k P) e) (platform_full P) (fun u => k * F u) _ _ v hv r hr).
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). nia.
  - intros u hu. destruct (hall u hu) as (w & step & quiet & hw & hstep & hq & hreason).
    exists (counted_progress (finer k S) h (finer_platform k P) e w), (finer_accounts k (counted_accounts S P w)), step,
      (fun p => finer_limit k (quiet p)).
    destruct (facts_in_every_tick k S h P e F w step quiet hk wf sp so hF hw hstep hq) as (h1 & h2 & h3 & h4 & h5 & h6).
    repeat (split; [assumption|]). now apply any_reason_finer.
Qed.

Lemma fitting_reason_finer k S F a full step quiet v : 0 < k -> well_formed S -> In v (nodes S) -> fitting_reason S a full step quiet F v ->
  fitting_reason (finer k S) (finer_accounts k a) full step (fun p => finer_limit k (quiet p)) (fun u => k * F u) v.
Proof.
  intros hk wf hv [hr | hr | hr | hr]; [apply by_any_reason; now apply any_reason_finer | apply by_T10w; now apply fitting_inequality_finer
    | apply by_T10m; now apply families_inequality_finer | apply by_T10d_by_age; now apply aged_inequality_finer].
Qed.

(** And where nodes end when they have run for their worst case, by T10w, T10m or T10d by age. *)
Theorem bounds_hold_if_ended_in_every_tick k S h P e F :
  0 < k -> well_formed S -> sound_platform S P -> system_obeys (finer k S) h (finer_platform k P) e ->
  ends_when_run (finer k S) h (finer_platform k P) e ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w step quiet, all_weights_valid S P w /\
     (forall u, In u (nodes S) -> (step (pool S u) | match kind_of P (pool S u) with Processors _ | Threads _ => 1 | Gpu _ => weight w u end)) /\
     quiet_by_configurations S P w quiet /\
     fitting_reason S (counted_accounts S P w) (platform_full P) step quiet F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + k * F v) = true.
Proof.
  intros hk wf sp so hends hF hall v r hv hr.
  pose proof (well_formed_finer k hk S wf) as wf'.
  pose proof (sound_platform_finer k S P hk sp) as sp'.
  refine (bounds_hold_if_ended (finer k S) h wf' (so_legal so) (platform_busy (finer k S) (finer_platform k P) e) (platform_full P) (fun u => k * F u) _ _ v hv r hr).
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). nia.
  - intros u hu. destruct (hall u hu) as (w & step & quiet & hw & hstep & hq & hreason).
    exists (counted_progress (finer k S) h (finer_platform k P) e w), (finer_accounts k (counted_accounts S P w)), step,
      (fun p => finer_limit k (quiet p)).
    destruct (facts_in_every_tick k S h P e F w step quiet hk wf sp so hF hw hstep hq) as (h1 & h2 & h3 & h4 & h5 & h6).
    repeat (split; [assumption|]). split; [|split; [assumption|]].
    + intros x hx hex. exact (platform_executes_less (finer k S) h (finer_platform k P) e w x sp' so hw hends hx hex).
    + now apply fitting_reason_finer.
Qed.
