(** T23 (b) and (c), T10f and T39 in ticks as short as one likes, and bounds of one system that rest on any theorem of path/TogetherWhole.v. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu pools.PlatformLaws pools.Busy pools.Pieces pools.InTurn.
From Rta Require Import path.Walk path.Inequality path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w path.Started path.T10d_np
  path.Visit path.Fronts path.T23bc path.T10f path.T39 path.Together path.TogetherWhole Ticks TicksStarted TicksUpstream.

(** Kernels take k times as many ticks. *)
Definition finer_rules (k : Z) (whole : rules) : rules := {| keeps_going := whole; in_turn := in_turn whole; alone := fun u => k * alone whole u |}.

Section Finer.
  Context (k : Z) (k_pos : 0 < k) (S : system) (wf : well_formed S) (F : node -> Z) (a : accounts).
  Let S' := finer k S.
  Let F' := fun u => k * F u.
  Let a' := finer_accounts k a.

  Lemma spots_cover_finer T own lo hi E spots : spots_cover T own lo hi E spots -> spots_cover (k * T) own (k * lo) (k * hi) (k * E) (map (Z.mul k) spots).
  Proof.
    intros h c zs z0 hc hpat hz0. rewrite Z.mul_assoc in hpat. destruct (h (c * k) zs z0 ltac:(nia) hpat) as (sp & h1 & h2).
    { intros e. specialize (hz0 e). lia. }
    exists (fun z => k * sp z). split.
    - intros z hz hzr. destruct (h1 z hz ltac:(lia)) as (h3 & h4). split; [now apply in_map | lia].
    - intros z z' hz hz' hr hr' e. apply (h2 z z' hz hz'); [lia | lia | nia].
  Qed.

  Lemma visited_by_finer v q lo hi chains spots : visited_by S F v q lo hi chains spots ->
    visited_by S' F' v q (k * lo) (k * hi) chains (fun d => map (Z.mul k) (spots d)).
  Proof.
    intros [h1 h2]. constructor.
    - intros d hd. now apply chains_here_finer, h1.
    - intros d hd. destruct (h2 d hd) as (E & hE & hsp). exists (k * E). split; [|now apply spots_cover_finer].
      intros u hu. specialize (hE u hu). unfold F'. nia.
  Qed.

  Lemma fronts_finer v q chains c y most own self : 0 < c -> fronts S a F v q chains (c * k) y most own self -> fronts S' a' F' v q chains c y most own self.
  Proof.
    intros hc [f1 f2 f3 f4 f5 f6]. constructor; auto.
    - intros d c0 u z W hd hc0 hu hz hW hle. unfold a', F' in *. cbn [vol exec finer_accounts] in *. apply (f1 d c0 u z W); auto; [lia | lia|].
      replace (c * (k * F u)) with (c * k * F u) in hle by ring. nia.
    - intros c0 u W hc0 hu hb hW hle. unfold a' in *. cbn [vol exec finer_accounts] in *. apply (f4 c0 u W); auto; [now apply (beside_coarser k k_pos) | lia | nia].
    - intros W hW hle. unfold a' in *. cbn [vol last exec finer_accounts] in *. apply f6; [lia | nia].
  Qed.

  Lemma spots_sum (cs : list (list node)) spots c (most : list node -> Z -> Z) :
    sum (fun s => sum (fun c0 => most c0 (c * s)) cs) (map (Z.mul k) spots) = sum (fun s => sum (fun c0 => most c0 (c * k * s)) cs) spots.
  Proof. rewrite sum_map. apply sum_eq. intros s _. apply sum_eq. intros c0 _. f_equal. ring. Qed.

  Definition finer_key (x : key) : key := (fst x, option_map (Z.mul k) (snd x)).
  Definition coarser_key (x : key) : key := (fst x, option_map (fun s => s / k) (snd x)).

  Lemma coarser_finer_key x : coarser_key (finer_key x) = x.
  Proof.
    destruct x as (c, [s|]); unfold coarser_key, finer_key; cbn [fst snd option_map]; [|reflexivity]. rewrite Z.mul_comm, Z.div_mul by lia. reflexivity.
  Qed.

  Lemma visit_bound_finer whole v q chains spots w : visit_bound S a whole F v q chains spots w ->
    visit_bound S' a' (finer_rules k whole) F' v q chains (fun d => map (Z.mul k) (spots d)) (k * w).
  Proof.
    intros [hwork | hwh hproc (top & rest & val & htop & hval & hown & hsum) | hwh (all & val & hval & hown & hval0 & hsum)].
    - apply visit_by_work. intros c y hc hy. destruct (hwork (c * k) y ltac:(nia) ltac:(lia)) as (most & own & self & hfr & hlt).
      exists most, own, self. split; [now apply fronts_finer|]. change (other_dags S' v) with (other_dags S v).
      rewrite (sum_eq _ (fun d => sum (fun s => sum (fun c0 => most c0 (c * k * s)) (chains d)) (spots d))); [exact hlt|]. intros d _. apply spots_sum.
    - apply visit_by_pieces; [exact hwh | |].
      + intros u hu. destruct (hproc u hu) as (h1 & h2). unfold a'. cbn [vol exec last finer_accounts]. now rewrite h1, h2.
      + assert (hin : forall x, In x (top ++ rest) -> In (finer_key x) (map finer_key top ++ map finer_key rest)) by (intros x hx; rewrite <- map_app; now apply in_map).
        exists (map finer_key top), (map finer_key rest), (fun x => k * val (coarser_key x)). rewrite !map_length. split; [exact htop|]. split; [|split].
        * intros d c s u hd hc hs hu hr. apply in_map_iff in hs. destruct hs as (s0 & <- & hs). unfold F' in hr.
          destruct (hval d c s0 u hd hc hs hu ltac:(nia)) as (h1 & h2). split; [exact (hin _ h1)|].
          change (c, Some (k * s0)) with (finer_key (c, Some s0)). rewrite coarser_finer_key. unfold a', F'. cbn [vol finer_accounts]. nia.
        * intros c u hc hu hb. destruct (hown c u hc hu (beside_coarser k k_pos S q u hb)) as (h1 & h2). split; [exact (hin _ h1)|].
          change (c, @None Z) with (finer_key (c, None)). rewrite coarser_finer_key. unfold a'. cbn [vol finer_accounts]. nia.
        * intros D nd hD hlen. rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|]. rewrite <- (sum_map coarser_key val). apply hsum.
          -- revert nd hD. clear -k_pos. intros nd hD. induction D as [|x D IH]; cbn [map]; [constructor|]. inversion nd; subst. constructor.
             ++ intros h. apply in_map_iff in h. destruct h as (y & e & hy).
                assert (hx : In x (map finer_key rest)) by (apply hD; now left). assert (hy' : In y (map finer_key rest)) by (apply hD; now right).
                apply in_map_iff in hx, hy'. destruct hx as (x0 & <- & _), hy' as (y0 & <- & _). rewrite !coarser_finer_key in e. subst y0. contradiction.
             ++ apply IH; [assumption | intros z hz; apply hD; now right].
          -- intros x hx. apply in_map_iff in hx. destruct hx as (y & <- & hy). specialize (hD y hy). apply in_map_iff in hD. destruct hD as (z & <- & hz).
             now rewrite coarser_finer_key.
          -- rewrite map_length. exact hlen.
    - apply visit_by_turns; [exact hwh|]. exists (map finer_key all), (fun x => k * val (coarser_key x)). cbn [alone finer_rules]. split; [|split; [|split]].
      + intros d c s u hd hc hs hu hr. apply in_map_iff in hs. destruct hs as (s0 & <- & hs). unfold F' in hr.
        destruct (hval d c s0 u hd hc hs hu ltac:(nia)) as (h1 & h2). change (c, Some (k * s0)) with (finer_key (c, Some s0)). rewrite coarser_finer_key.
        split; [now apply in_map | nia].
      + intros c u hc hu hb. destruct (hown c u hc hu (beside_coarser k k_pos S q u hb)) as (h1 & h2).
        change (c, @None Z) with (finer_key (c, None)). rewrite coarser_finer_key. split; [now apply in_map | nia].
      + intros x hx. apply in_map_iff in hx. destruct hx as (y & <- & hy). rewrite coarser_finer_key. specialize (hval0 y hy). nia.
      + rewrite sum_map. rewrite (sum_eq _ (fun x => k * val x)) by (intros x _; now rewrite coarser_finer_key). rewrite sum_scale.
        unfold a'. cbn [exec finer_accounts]. change (sum (fun x => val x) all) with (sum val all). nia.
  Qed.

  Lemma pieces_inequality_finer whole v : pieces_inequality S a whole F v -> pieces_inequality S' a' (finer_rules k whole) F' v.
  Proof.
    intros (w & chains & spots & h1 & h2 & h3 & h4 & h5 & h6 & h7 & h8). exists (k * w), chains, (fun d => map (Z.mul k) (spots d)).
    assert (hA : ready_bound S' F' v = k * ready_bound S F v) by (now apply ready_bound_finer). rewrite hA.
    split; [unfold S', finer; cbn [order_of pool]; now rewrite h1|]. split; [exact h2|].
    split; [unfold a'; cbn [exec finer_accounts]; nia|]. split; [nia|]. split; [unfold F'; nia|]. split; [unfold a', F'; cbn [exec finer_accounts]; nia|].
    split; [exact (visited_by_finer v v _ _ chains spots h7) | exact (visit_bound_finer whole v v chains spots w h8)].
  Qed.

  Lemma visit_does_finer whole v q chains spots w B B_own B_self : visit_does S a whole F v q chains spots w B B_own B_self ->
    visit_does S' a' (finer_rules k whole) F' v q chains (fun d => map (Z.mul k) (spots d)) (k * w) (fun d => k * B d) (k * B_own) (k * B_self).
  Proof.
    intros [d1 d2 d3 d4 d5]. constructor.
    - unfold S', finer. cbn [order_of pool]. now rewrite d1.
    - assert (hA : ready_bound S' F' q = k * ready_bound S F q) by (now apply ready_bound_finer). rewrite hA. pose proof (visited_by_finer v q _ _ chains spots d2) as h. now rewrite Z.mul_0_r in h.
    - now apply visit_bound_finer.
    - destruct d4 as (h1 & h2 & h3). split; [intros d; apply Z.mul_nonneg_nonneg; [lia | apply h1]|]. split; apply Z.mul_nonneg_nonneg; lia.
    - intros c y hc hy. destruct (d5 (c * k) y ltac:(nia) ltac:(lia)) as (most & own & self & hfr & h1 & h2 & h3). exists most, own, self.
      rewrite !Z.mul_assoc. split; [now apply fronts_finer|]. split; [|split; [exact h2 | exact h3]]. intros d hd. rewrite Z.mul_assoc, spots_sum. exact (h1 d hd).
  Qed.

  (** What is known of pools is known in finer ticks. *)
  Definition bounds_finer (v : node) (bounded bounded' : known_bounds) : Prop := forall l p X, path S l v -> bounded l p X -> bounded' l p (k * X).

  Lemma under_way_path_finer whole bounded bounded' lim v l : bounds_finer v bounded bounded' -> path S l v -> under_way_path S a whole bounded F lim v l ->
    under_way_path S' a' (finer_rules k whole) bounded' F' (fun u => finer_limit k (lim u)) v l.
  Proof.
    intros hb hl (M & share & d & parallel & blk & part & own & others & sees & chains & spots & w & B & B_own & B_self & apart & there &
      hM & hpar & hblk & hd & hpart & hvis & hsees & h1 & h2 & hthere & h3).
    exists M, share, d, parallel, (fun q => k * blk q), (fun u x => k * part u (x / k)), (k * own), (fun x => k * others x), sees, chains, (fun q d => map (Z.mul k) (spots q d)),
      (fun q => k * w q), (fun q d => k * B q d), (fun q => k * B_own q), (fun q => k * B_self q), apart, (fun p => k * there p).
    split; [exact hM|]. split; [now apply parallel_finer|].
    split; [intros q hq; now apply blocking_finer, hblk, (ancestor_or_self_coarser k)|].
    split; [intros u hu h; apply never_finer, hd; auto|]. split; [now apply parts_finer|].
    split; [intros q hq hs; now apply visit_does_finer, hvis|]. split; [intros p hp; unfold S', finer; cbn [order_of]; now rewrite (hsees p hp)|].
    assert (hvd : forall d0 c js W, visits_do S' v sees l d0 c (fun q d => k * B q d) js W -> visits_do S v sees l d0 (c * k) B js W).
    { intros d0 c js W h p hp. etransitivity; [exact (h p hp)|]. apply Z.eq_le_incl. rewrite <- Z.mul_assoc. f_equal.
      exact (sum_scale k (fun q => B q d0) (here S p l)). }
    split; [|split; [|split; [intros p hp hap; apply (hb l p (there p) hl); now apply hthere|]]].
    - intros c js age W j0 hc hmay hj0 hage [o1 o2 o3] hv1 hv2. replace (c * (k * own)) with (c * k * own) by ring.
      apply (h1 (c * k) js (fun j => age j / k) W j0); [nia | exact (may_do_coarser k k_pos S F lim part l (dag S v) c js age W hmay) | exact hj0 | now rewrite hage | | now apply hvd |].
      + constructor.
        * intros u hu. specialize (o1 u hu). unfold a' in o1. cbn [last vol finer_accounts] in o1. lia.
        * exact o2.
        * intros c0 p (hn & hc0) hin hp. apply (o3 c0 p).
          -- split; [exact hn|]. intros x y hx hy. destruct (hc0 x y hx hy) as [|[h|h]]; [now left | right; left | right; right]; now apply ancestor_finer.
          -- exact hin.
          -- unfold S', finer. cbn [order_of]. now rewrite hp.
      + intros p hp. destruct (hv2 p hp) as (e1 & e2). split.
        * etransitivity; [exact e1|]. apply Z.eq_le_incl. rewrite <- Z.mul_assoc. f_equal. exact (sum_scale k B_own (here S p l)).
        * intros q hq. specialize (e2 q hq). lia.
    - intros x hx c js age W hc hmay hv1. replace (c * (k * others x)) with (c * k * others x) by ring.
      apply (h2 x hx (c * k) js (fun j => age j / k) W); [nia | exact (may_do_coarser k k_pos S F lim part l x c js age W hmay) | now apply hvd].
    - change (other_dags S' v) with (other_dags S v). rewrite sum_scale. change (F' v) with (k * F v).
      rewrite (sum_eq _ (fun y => k * (M * exec a y + share (pool S y) * blk y)))
        by (intros y _; unfold a'; cbn [exec finer_accounts]; change (pool S' y) with (pool S y); ring).
      change (visited S' l) with (visited S l). rewrite (sum_eq (fun p => ind (apart p) * (share p * (k * there p))) (fun p => k * (ind (apart p) * (share p * there p))))
        by (intros; ring).
      rewrite !sum_scale. nia.
  Qed.

  Lemma under_way_with_finer whole bounded bounded' v : bounds_finer v bounded bounded' -> under_way_with bounded S a whole F v ->
    under_way_with bounded' S' a' (finer_rules k whole) F' v.
  Proof.
    intros hb (hev & lim & hlim & hineq). split; [unfold a'; cbn [exec finer_accounts]; nia|]. exists (fun u => finer_limit k (lim u)). split; [now apply limits_finer|].
    intros l hl. pose proof (path_finer k S l v hl) as hl'. apply (under_way_path_finer whole bounded); auto.
  Qed.

  Lemma under_way_inequality_finer whole v : under_way_inequality S a whole F v -> under_way_inequality S' a' (finer_rules k whole) F' v.
  Proof. apply under_way_with_finer. intros l p X _ h. destruct h. Qed.

  Lemma upstream_inequality_finer full whole v : In v (nodes S) -> upstream_inequality S a full whole F v -> upstream_inequality S' a' full (finer_rules k whole) F' v.
  Proof. intros hv. apply under_way_with_finer. intros l p X hl. now apply upstream_bound_finer. Qed.
End Finer.

(** Of threads and of GPUs on which kernels start in turn: [turned]. *)
Definition platform_rules (P : platform) (turned : Z -> bool) (alone : node -> Z) : rules := {| keeps_going := platform_keeps P; in_turn := turned; alone := alone |}.

Definition platform_turns (k : Z) (S : system) (h : history) (P : platform) (e : execution) (turned : Z -> bool) (alone : node -> Z) : Prop :=
  forall p, turned p = true -> exists G turn, kind_of P p = Gpu G /\ kernels_in_turn (finer k S) h (finer_platform k P) e p G turn /\
    forall u, In u (on_pool S p) -> alone_at_most P G u (alone u).

Lemma rules_hold_finer k S h P e w a turned alone : 0 < k -> well_formed S -> sound_platform S P -> system_obeys (finer k S) h (finer_platform k P) e ->
  all_weights_valid S P w -> platform_turns k S h P e turned alone ->
  (forall u, In u (nodes S) -> exec a u = exec (counted_accounts (finer k S) (finer_platform k P) w) u) ->
  (forall p, platform_full P p = true -> of_processors (finer k S) a p) ->
  rules_hold (finer k S) h (counted_progress (finer k S) h (finer_platform k P) e w) a (finer_rules k (platform_rules P turned alone)).
Proof.
  intros hk wf sp so hw hturns hexec hproc. pose proof (well_formed_finer k hk S wf) as wf'. pose proof (sound_platform_finer k S P hk sp) as sp'. split.
  - intros p hp. destruct (platform_runs_whole (finer k S) h (finer_platform k P) e w so p hp) as (e1 & e2). split; [|exact e2].
    apply hproc. cbn [keeps_going finer_rules platform_rules] in hp. unfold platform_keeps, platform_full in *. destruct (kind_of P p); congruence.
  - intros p hp. destruct (hturns p hp) as (G & turn & hkind & hturn & halone).
    pose proof (so_pools so p) as ob. unfold pool_obeys in ob. cbn [kind_of finer_platform] in ob. rewrite hkind in ob.
    assert (halone' : forall u, In u (on_pool (finer k S) p) -> alone_at_most (finer_platform k P) G u (k * alone u)).
    { intros u hu. destruct (halone u hu) as (n & n' & c & h1 & h2 & h3 & h4 & h5 & h6 & h7). exists n, n', c. repeat (split; [assumption|]).
      cbn [length_of finer_platform]. nia. }
    destruct (platform_runs_in_turn (finer k S) h (finer_platform k P) e w wf' p G hkind sp' (so_legal so) ob (hw p G hkind) turn hturn (fun u => k * alone u) halone') as (h1 & h2).
    split; [exact h1|]. intros q r rho over hq hre hall. destruct (h2 q r rho over hq hre hall) as (Q & h3 & h4 & h5). exists Q. split; [exact h3|]. split; [exact h4|].
    rewrite hexec; [exact h5|]. apply in_on_pool in hq. tauto.
Qed.

(** Where nodes end when they have run for their worst case, a thread that ends one does not go on with another, and kernels of some GPUs start in turn. *)
Theorem bounds_hold_with_pieces_in_every_tick k S h P e turned alone F :
  0 < k -> well_formed S -> sound_platform S P -> system_obeys (finer k S) h (finer_platform k P) e ->
  ends_when_run (finer k S) h (finer_platform k P) e -> a_thread_ends (finer k S) h (finer_platform k P) e -> platform_turns k S h P e turned alone ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w step quiet, all_weights_valid S P w /\
     (forall u, In u (nodes S) -> (step (pool S u) | match kind_of P (pool S u) with Processors _ | Threads _ => 1 | Gpu _ => weight w u end)) /\
     quiet_by_configurations S P w quiet /\
     whole_reason S (counted_accounts S P w) (platform_full P) (platform_rules P turned alone) step quiet F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + k * F v) = true.
Proof.
  intros hk wf sp so hends hthread hturns hF hall v r hv hr.
  pose proof (well_formed_finer k hk S wf) as wf'. pose proof (sound_platform_finer k S P hk sp) as sp'.
  refine (bounds_hold_with_pieces (finer k S) h (platform_busy (finer k S) (finer_platform k P) e) (platform_full P) (finer_rules k (platform_rules P turned alone)) (fun u => k * F u) wf' (so_legal so) _ _ v hv r hr).
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). nia.
  - intros u hu. destruct (hall u hu) as (w & step & quiet & hw & hstep & hq & hreason).
    exists (counted_progress (finer k S) h (finer_platform k P) e w), (finer_accounts k (counted_accounts S P w)), step, (fun p => finer_limit k (quiet p)).
    destruct (facts_in_every_tick k S h P e F w step quiet hk wf sp so hF hw hstep hq) as (h1 & h2 & h3 & h4 & h5 & h6).
    assert (hlag : forall p, lagging (counted_accounts (finer k S) (finer_platform k P) w) p = lagging (counted_accounts S P w) p).
    { intros p. cbn. destruct (kind_of P p); [| | destruct (order_of S p)]; reflexivity. }
    repeat (split; [assumption|]). split; [|split; [assumption|split; [|split; [|split]]]].
    + intros x hx hex. exact (platform_executes_less (finer k S) h (finer_platform k P) e w x sp' so hw hends hx hex).
    + intros q r0 c hqn. destruct (platform_meets_few (finer k S) h (finer_platform k P) e w wf' sp' so hthread q r0 c hqn) as (few & m1 & m2 & m3).
      exists few. change (lagging (finer_accounts k (counted_accounts S P w))) with (lagging (counted_accounts S P w)). rewrite hlag in m1.
      split; [exact m1|]. split; [|exact m3]. intros x hx hxp hf. rewrite <- hlag. now apply (m2 x).
    + intros p hp. pose proof (platform_lags (finer k S) h (finer_platform k P) e w so p hp) as hl. rewrite hlag in hl. exact hl.
    + apply rules_hold_finer; auto. intros p hp. now destruct (h6 p hp).
    + assert (hcap : forall x, In x (nodes S) -> 0 <= cap (counted_accounts S P w) (pool S x)).
      { intros x hx. pose proof (law_cap h1 x hx) as (hc & _). change (0 < cap (counted_accounts S P w) (pool S x)) in hc. lia. }
      destruct hreason as [hr' | hr' | hr' | hr' | hr'].
      * apply by_fitting_reason. now apply fitting_reason_finer.
      * apply by_T10d_np. now apply started_inequality_finer.
      * apply by_T23_bc. now apply pieces_inequality_finer.
      * apply by_T10f. now apply under_way_inequality_finer.
      * apply by_T39. now apply upstream_inequality_finer.
Qed.
