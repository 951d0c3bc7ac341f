(** Executors of several threads: callbacks in groups. docs/theory/executors.md, "T20", with those of one thread, "T19", beside them. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality path.Missed path.Waiting path.T10n executors.Early executors.WaitSet executors.T19.

(** Callbacks of one exclusive group. *)
Definition same_group (exclusive : node -> bool) (group : node -> Z) (q u : node) : bool := exclusive q && exclusive u && (group q =? group u).

(** The rule: while a callback waits all threads run, or one of its group does. *)
Record grouped_threads (S : system) (g : progress) (a : accounts) (exclusive : node -> bool) (group : node -> Z) (x : Z) : Prop := {
  gt_order : order_of S x = FixedAny (fun _ => 0);
  gt_busy : forall q r t, In q (on_pool S x) -> waits g q r t = true -> cap a x <= rate S g x t \/
    exists u r', In u (on_pool S x) /\ same_group exclusive group q u = true /\ 0 <= r' <= t /\ 0 < work g u r' t;
}.
Arguments gt_order {S g a exclusive group x}.
Arguments gt_busy {S g a exclusive group x}.

Section Groups.
  Context (S : system) (mt : Z -> bool) (exclusive : node -> bool) (group : node -> Z).

  (** G: of a group of which the path has a node on u's pool. *)
  Definition of_group (l : list node) (u : node) : bool :=
    mt (pool S u) && existsb (fun q => (pool S q =? pool S u) && same_group exclusive group q u) l.

  Definition factor (a : accounts) (l : list node) (u : node) : Z := if of_group l u then cap a (pool S u) else 1.

  (** What is of G counts in full, which is cap times. *)
  Definition in_full (a : accounts) (l : list node) : accounts := {|
    cap := cap a; lagging := lagging a; exec := exec a; last := fun u => factor a l u * last a u; vol := fun u => factor a l u * vol a u |}.

  (** (2) for v over all pools: T19's counts on executors of one thread ([ex]), T20's on those of several ([mt]). Jobs are [ordered] at some nodes;
      [late l u]: u is the last of its group on the path, and its later jobs, [latest l u] after J at most, count by 1/m. *)
  Definition executor_inequality (a : accounts) (ex : Z -> bool) (ordered : node -> bool) (F : node -> Z) (v : node) : Prop :=
    exists M share excluded lim parallel blk (n : list node -> node -> Z) (late : list node -> node -> bool) (latest : list node -> node -> Z),
      common_multiple S a M share /\
      parallel_sound S parallel /\ (forall q, ancestor_or_self S q v -> blocking_covers S a F parallel blk q) /\
      (forall l u, path S l v -> In u (nodes S) -> excluded l u = true -> never_meanwhile S v l u) /\
      forall l, path S l v ->
        (forall q u, In q l -> In u (nodes S) -> pool S u = pool S q ->
           limit_le (if ex (pool S q) then Some (if ordered v && (u =? v) then 0 else visit_limit S a F q)
                     else if mt (pool S q) && (late l u || ordered v && (u =? v)) then Some 0 else limit S F q u) (lim l u)) /\
        (forall u, late l u = true -> In u l /\ ordered u = true /\ of_group l u = true /\ 0 <= latest l u /\
           (forall y, In y l -> pool S y = pool S u -> F y <= latest l u) /\
           forall y, In y l -> pool S y = pool S u -> same_group exclusive group y u = true -> ancestor_or_self S y u) /\
        (forall u, In u (nodes S) ->
           n l u = (if ex (pool S u) then Z.min (count S F v (excluded l) (lim l) u) (windows_of S F (pool S u) l) else count S F v (excluded l) (lim l) u)) /\
        path_length S (in_full a l) M share blk l
          + sum (fun p => share p * sum (fun u => n l u * vol (in_full a l) u + (if late l u then latest l u / period S (dag S u) * vol a u else 0)) (on_pool S p))
              (visited S l) <= M * F v.
End Groups.

Section T20.
  Context (S : system) (h : history) (available : node -> Z -> Z -> bool) (g : progress) (a : accounts).
  Context (wf : well_formed S) (E : early_legal S h available g) (laws : early_laws S h available g a).
  Context (ex : Z -> bool) (window : node -> Z -> option Z) (poll : Z -> Z -> Z).
  Context (ws : forall x, ex x = true -> wait_set S h available g a window (poll x) x).
  Context (mt : Z -> bool) (exclusive : node -> bool) (group : node -> Z) (hmt : forall x, mt x = true -> ex x = false).
  Context (gt : forall x, mt x = true -> grouped_threads S g a exclusive group x).
  Context (pace : paced S g a (filter (fun u => negb (ex (pool S u)) && negb (mt (pool S u))) (nodes S))).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Let H := by_ends S h.
  Let lg := legal_by_ends S h available g wf E.
  Let cl := counting_by_ends S h available g wf E a laws.
  Let F0 := F_nonneg S H (progress_by_ends S h g) a cl F hF.
  Let of_group := of_group S mt exclusive group.
  Let factor := factor S mt exclusive group a.
  Let in_full := in_full S mt exclusive group a.

  (** Work may count several times. *)
  Definition scaled (c : node -> Z -> Z) : progress := {| waits := waits g; work := fun u r t => c u r * work g u r t |}.

  Lemma factor_pos l u : In u (nodes S) -> 1 <= factor l u.
  Proof. intros hu. unfold factor, T20.factor. pose proof (el_cap laws u hu). destruct (T20.of_group S mt exclusive group l u); lia. Qed.

  Lemma factor_one l u : mt (pool S u) = false -> factor l u = 1.
  Proof. intros e. unfold factor, T20.factor, T20.of_group. now rewrite e. Qed.

  Lemma scaled_legal c : early_legal S h available (scaled c).
  Proof. destruct E. constructor; assumption. Qed.

  Lemma scaled_laws l c : (forall u r, In u (nodes S) -> 0 <= c u r <= factor l u) -> (forall u r, mt (pool S u) = false -> c u r = 1) -> early_laws S h available (scaled c) (in_full l).
  Proof.
    intros hc hc1. constructor; cbn [waits work scaled exec last vol cap lagging in_full T20.in_full].
    - intros u hu. destruct (el_numbers laws u hu) as (h1 & h2 & h3). pose proof (factor_pos l u hu) as hf. fold factor.
      split; [exact h1|]. split; [nia|]. intros h0. rewrite (h3 h0). ring.
    - exact (el_cap laws).
    - exact (el_waits laws).
    - intros u r t hu. pose proof (el_work laws u r t hu). specialize (hc u r hu). nia.
    - intros u r t hu hw. pose proof (el_work laws u r t hu). specialize (hc u r hu). apply (el_pending laws u r t hu). nia.
    - exact (el_exec laws).
    - intros u r b c' hu. rewrite sum_scale. pose proof (el_vol laws u r b c' hu). destruct (el_numbers laws u hu) as (_ & h2 & _). specialize (hc u r hu). fold factor.
      assert (0 <= sum (work g u r) (range b c')) by (apply sum_nonneg; intros; now apply (el_work laws)). nia.
    - intros u r b c' hu. rewrite (sum_eq _ (fun t => c u r * (ind (waits g u r t) * work g u r t))) by (intros; ring). rewrite sum_scale.
      pose proof (el_last laws u r b c' hu). destruct (el_numbers laws u hu) as (_ & h2 & _). specialize (hc u r hu). fold factor.
      assert (0 <= sum (fun t => ind (waits g u r t) * work g u r t) (range b c')).
      { apply sum_nonneg. intros t _. pose proof (el_work laws u r t hu). pose proof (ind_range (waits g u r t)). nia. }
      nia.
    - intros v r u r' t hv hu hp hw hwk. pose proof (el_work laws u r' t hu). specialize (hc u r' hu). apply (el_order laws v r u r' t hv hu hp hw). nia.
    - intros v r b c' keep hv. destruct (mt (pool S v)) eqn:hm.
      + exists []. split; [constructor|]. split; [pose proof (el_cap laws v hv); cbn; lia|]. split; [easy|]. apply Z.eq_le_incl. cbn [sum]. apply sum_zero. intros t _.
        rewrite (sum_zero _ (on_pool S (pool S v))); [ring|]. intros u _. apply sum_zero. intros r' _. rewrite (gt_order (gt _ hm)). reflexivity.
      + destruct (el_lagging laws v r b c' keep hv) as (k & h1 & h2 & h3 & h4). exists k.
        assert (hone : forall u r, In u (on_pool S (pool S v)) -> factor l u = 1 /\ c u r = 1).
        { intros u r0 hu. apply in_on_pool in hu. destruct hu as (hu & hup). split; [apply factor_one | apply hc1]; now rewrite hup. }
        split; [exact h1|]. split; [exact h2|]. split.
        * intros u r' hin. destruct (h3 u r' hin) as (k1 & k2 & (s & k3 & k4 & k5 & k6) & k7). split; [exact k1|]. split; [exact k2|]. split; [|exact k7].
          exists s. rewrite (proj2 (hone u r' k1)). repeat split; auto; lia.
        * etransitivity; [etransitivity; [|exact h4]|].
          -- apply Z.eq_le_incl. apply sum_eq. intros t _. f_equal. apply sum_eq. intros u hu. apply sum_eq. intros r' _. rewrite (proj2 (hone u r' hu)). ring.
          -- apply sum_le. intros (u, r') hin. cbn [fst]. fold factor. rewrite (proj1 (hone u 0 (proj1 (h3 u r' hin)))). lia.
  Qed.

  Lemma blocking_in_full parallel blk q l : In q (nodes S) -> blocking_covers S a F parallel blk q -> blocking_covers S (in_full l) F parallel blk q.
  Proof.
    intros hq hb n hn hs. cbn [vol in_full T20.in_full lagging] in *. fold factor. destruct (mt (pool S q)) eqn:hm.
    - rewrite (sum_zero _ (on_pool S (pool S q))).
      + specialize (hb (fun _ => 0)). cbv beta in hb. rewrite (sum_0 (on_pool S (pool S q))) in hb.
        rewrite (sum_zero (fun u => 0 * vol a u)) in hb by (intros; ring). apply hb; [|pose proof (el_cap laws q hq); lia].
        intros u hu. specialize (hn u hu). lia.
      + intros u hu. specialize (hn u hu). unfold count_lagging, may_lag in hn. rewrite (gt_order (gt _ hm)) in hn. cbn in hn. assert (n u = 0) as -> by lia. ring.
    - rewrite (sum_eq _ (fun u => n u * vol a u)); [now apply hb|]. intros u hu. apply in_on_pool in hu. rewrite factor_one by (now rewrite (proj2 hu)). ring.
  Qed.

  (** If the inequality holds for v, v meets its due instants as long as earlier ones are met. *)
  Theorem executors_safe (ordered : node -> bool) v : (forall u, ordered u = true -> in_order S g u) ->
    In v (nodes S) -> executor_inequality S mt exclusive group a ex ordered F v -> safe S H F v.
  Proof.
    intros hord hv (M & share & excluded & lim & parallel & blk & n & late & latest & hM & hpar & hblk & hexcl & hineq) r hr met. change (released h (dag S v) r = true) in hr.
    set (t := r + F v). destruct (done H v r t) eqn:missed; [reflexivity|]. exfalso.
    destruct (late_by_ends S H wf lg r v t hv hr ltac:(specialize (F0 v hv); unfold t; lia) missed) as (f & l & hl & hpart & hlast & (x0 & f' & ef & hx0) & cover).
    destruct (hineq l hl) as (hlim & hlate & hn & hbound). destruct hM as (Mpos & hshare).
    pose proof (fun y hy => path_nodes S l v wf hv hl y hy) as on.
    assert (hx0f : In x0 f) by (rewrite ef; now left). pose proof (part_in f l hpart x0 hx0f) as hx0l. destruct (on x0 hx0l) as (hx0n & hx0d).
    assert (hlatemt : forall u, late l u = true -> mt (pool S u) = true).
    { intros u hu. destruct (hlate u hu) as (_ & _ & h1 & _). unfold T20.of_group in h1. apply andb_prop in h1. tauto. }
    (* what counts of J's other jobs, and what of later ones that count by 1/m *)
    set (c0 := fun u r' => if late l u && (r <? r') then 0 else factor l u).
    set (c1 := fun u r' => if late l u && (r <? r') then 1 else factor l u).
    assert (hc0 : forall u r', In u (nodes S) -> 0 <= c0 u r' <= factor l u) by (intros u r' hu; pose proof (factor_pos l u hu); unfold c0; destruct (late l u && (r <? r')); lia).
    assert (hc1 : forall u r', In u (nodes S) -> 0 <= c1 u r' <= factor l u) by (intros u r' hu; pose proof (factor_pos l u hu); unfold c1; destruct (late l u && (r <? r')); lia).
    assert (hc01 : forall u r', mt (pool S u) = false -> c0 u r' = 1 /\ c1 u r' = 1).
    { intros u r' hm. unfold c0, c1. rewrite (factor_one l u hm). destruct (late l u) eqn:e; [apply hlatemt in e; congruence | auto]. }
    pose proof (counting_by_ends S h available (scaled c0) wf (scaled_legal c0) (in_full l) (scaled_laws l c0 hc0 (fun u r' hm => proj1 (hc01 u r' hm)))) as cl0.
    pose proof (counting_by_ends S h available (scaled c1) wf (scaled_legal c1) (in_full l) (scaled_laws l c1 hc1 (fun u r' hm => proj2 (hc01 u r' hm)))) as cl1.
    set (g0 := progress_by_ends S h (scaled c0)) in *. set (g1 := progress_by_ends S h (scaled c1)) in *. set (g' := progress_by_ends S h g).
    assert (hwork : forall u r' s, In u (nodes S) -> 0 <= work g u r' s) by (intros; now apply (el_work laws)).
    (* until when to look *)
    set (b := if ex (pool S x0) && waits g' x0 r t then t else t + 1).
    assert (hb : r <= b <= t + 1) by (specialize (F0 v hv); unfold b, t; destruct (_ && _); lia).
    assert (before_t : forall y s, In y f -> ex (pool S y) = true -> r <= s < b -> waits g' y r s = true -> s < t).
    { intros y s hy hex hs hw. destruct (Z_lt_le_dec s t) as [|hle]; [auto|]. exfalso. unfold b in hs. assert (s = t) as -> by (destruct (_ && _); lia).
      pose proof (part_in f l hpart y hy) as hyl. assert (y = x0) as ->.
      { apply (pending_alone S H lg y x0 r t); [apply (path_comparable S l v hl); auto | | exact hx0].
        apply (cl_waits cl); [exact (proj1 (on y hyl)) | exact hw]. }
      rewrite hex, hw in hs. cbn [andb] in hs. lia. }
    assert (hlim' : forall q u r' s, In u (nodes S) -> pool S u = pool S q -> In q l -> ancestor_or_self S q v -> r <= s <= r + F v ->
              waits g0 q r s = true -> 0 < work g0 u r' s -> lower (order_of S (pool S q)) u r' q r = false -> within (lim l u) (r' - r)).
    { intros q u r' s hu hp hq hqa hs hw hwk hlow. destruct (on q hq) as (hqn & hqd). eapply within_le; [|apply (hlim q u hq hu hp)].
      assert (hwk' : 0 < work g' u r' s /\ (late l u = true -> r' <= r)).
      { cbn [work g0 progress_by_ends scaled] in hwk. specialize (hwork u r' s hu). unfold c0 in hwk. cbn [work g' progress_by_ends].
        pose proof (factor_pos l u hu). destruct (late l u) eqn:el; cbn [andb] in hwk; [destruct (Z.ltb_spec r r'); [exfalso; lia|]|]; (split; [nia | intros; lia || discriminate]). }
      destruct hwk' as (hwk' & hlater). change (waits g' q r s = true) in hw.
      assert (hself : ordered v = true -> u = v -> r' <= r).
      { intros ho ->. destruct (Z_le_gt_dec r' r) as [|hgt]; [lia|]. exfalso. pose proof hw as hw'. cbn [waits g' progress_by_ends] in hw'. apply andb_prop in hw'.
        pose proof (hord v ho r r' q s ltac:(lia) hqa (eq_sym hp) (proj1 hw')) as h0. cbn [work g' progress_by_ends] in hwk'. lia. }
      destruct (ex (pool S q)) eqn:hex; [cbn [within]; destruct (ordered v && (u =? v)) eqn:ho|].
      - apply andb_prop in ho. destruct ho as (ho & hu'). apply Z.eqb_eq in hu'. specialize (hself ho hu'). lia.
      - apply (visit_limit_sound S h available g a wf E laws window (poll (pool S q)) (pool S q) (ws _ hex) F v r met q u r' s); auto;
          apply in_on_pool; auto.
      - destruct (mt (pool S q) && (late l u || ordered v && (u =? v))) eqn:hm.
        + cbn [within]. apply andb_prop in hm. destruct hm as (_ & hm). apply orb_prop in hm. destruct hm as [hm|hm]; [specialize (hlater hm); lia|].
          apply andb_prop in hm. destruct hm as (ho & hu'). apply Z.eqb_eq in hu'. specialize (hself ho hu'). lia.
        + apply (limit_sound S H g' a wf lg cl F v r hv met q u r' s); auto. }
    assert (hpath : forall y, In y l -> excluded l y = false /\ within (lim l y) 0).
    { intros y hy. destruct (on y hy) as (hyn & hyd). split.
      - destruct (excluded l y) eqn:hd; [|reflexivity]. exfalso. exact (path_node_counts S v l y wf hv hl hy (hexcl l y hl hyn hd)).
      - eapply within_le; [|apply (hlim y y hy hyn eq_refl)]. destruct (ex (pool S y)).
        + cbn [within]. destruct (ordered v && (y =? v)); [lia|]. unfold visit_limit. pose proof (F0 y hyn). pose proof (ready_bound_nonneg S F y).
          assert (0 <= window_length S a (pool S y)) by (apply sum_nonneg; intros z hz; apply in_on_pool in hz; pose proof (el_numbers laws z (proj1 hz)); lia).
          assert (0 <= others_queued S F y) by (unfold others_queued; lia). apply Z.min_glb; [lia | nia].
        + destruct (mt (pool S y) && _); [cbn; lia | apply limit_self, F0, hyn]. }
    assert (hc1pos : forall u r', In u (nodes S) -> 1 <= c1 u r').
    { intros u r' hu. pose proof (factor_pos l u hu). unfold c1. destruct (late l u && (r <? r')); lia. }
    assert (hpace : forall y s, In y l -> waits g1 y r s = true -> cap (in_full l) (pool S y) <= rate S g1 (pool S y) s).
    { intros y s hy hw. change (waits g' y r s = true) in hw. pose proof hw as hw'. cbn [waits g' progress_by_ends] in hw'. apply andb_prop in hw'. destruct hw' as (hw' & _).
      destruct (on y hy) as (hyn & hyd). cbn [cap in_full T20.in_full].
      assert (hmore : rate S g (pool S y) s <= rate S g1 (pool S y) s).
      { apply sum_le. intros u hu. apply in_on_pool in hu. apply sum_le. intros r' _. cbn [work g1 progress_by_ends scaled].
        pose proof (hwork u r' s (proj1 hu)). pose proof (hc1pos u r' (proj1 hu)). nia. }
      assert (hyp : In y (on_pool S (pool S y))) by (apply in_on_pool; auto).
      destruct (ex (pool S y)) eqn:hex.
      - rewrite (ws_cap (ws _ hex)). etransitivity; [|exact hmore]. exact (ws_rate (ws _ hex) y r s hyp hw').
      - destruct (mt (pool S y)) eqn:hm.
        + destruct (gt_busy (gt _ hm) y r s hyp hw') as [hall|(u & r' & hu & hsame & hr' & hwk)]; [etransitivity; [exact hall | exact hmore]|].
          pose proof (proj1 (in_on_pool S _ u) hu) as (hun & hup).
          assert (hg : factor l u = cap a (pool S y)).
          { unfold factor, T20.factor, T20.of_group. rewrite hup, hm. cbn [andb]. rewrite (proj2 (existsb_exists _ l)); [reflexivity|].
            exists y. split; [exact hy|]. rewrite Z.eqb_refl. exact hsame. }
          assert (hc : c1 u r' = cap a (pool S y)).
          { unfold c1. destruct (late l u && (r <? r')) eqn:el; [exfalso | exact hg]. apply andb_prop in el. destruct el as (el & hlt). apply Z.ltb_lt in hlt.
            destruct (hlate u el) as (_ & ho & _ & _ & _ & hall). rewrite (hord u ho r r' y s hlt (hall y hy (eq_sym hup) hsame) (eq_sym hup) hw') in hwk. lia. }
          assert (hnn : forall u' r0, In u' (on_pool S (pool S y)) -> 0 <= work g1 u' r0 s).
          { intros u' r0 hu'. apply in_on_pool in hu'. cbn [work g1 progress_by_ends scaled]. pose proof (hwork u' r0 s (proj1 hu')). pose proof (hc1pos u' r0 (proj1 hu')). nia. }
          unfold rate. etransitivity; [|apply (sum_in (fun u => sum (fun r => work g1 u r s) (range 0 (s + 1))) _ u); [|exact hu]].
          * etransitivity; [|apply (sum_in (fun r => work g1 u r s) _ r'); [intros; now apply hnn | apply in_range; lia]].
            cbn [work g1 progress_by_ends scaled]. rewrite hc. pose proof (el_cap laws y hyn). nia.
          * intros u' hu'. apply sum_nonneg. intros. now apply hnn.
        + etransitivity; [|exact hmore]. apply (pace y r s); [apply filter_In; rewrite hex, hm; auto | exact hw']. }
    assert (hlx : incl l l) by apply incl_refl.
    assert (coverl : forall s, r <= s <= r + F v -> exists y, In y l /\ pending S H y r s = true).
    { intros s hs. destruct (cover s hs) as (y & hy & hp). exists y. split; [exact (part_in f l hpart y hy) | exact hp]. }
    set (more := fun u => if late l u then latest l u / period S (dag S u) * vol a u else 0).
    set (there := fun p => sum (fun u => n l u * vol (in_full l) u + more u) (on_pool S p)).
    pose proof (fun y hy => blocking_in_full parallel blk y l (proj1 (on y hy)) (hblk y (path_ancestors S l v hl y hy))) as hblk'.
    pose proof (late_until S H g1 (in_full l) wf lg cl1 v r (F v) l v hl (or_introl eq_refl) coverl l v hl hv hlx blk
      (fun y hy => blocked_work S H g1 (in_full l) wf lg cl1 F hF v r hv met parallel blk y hpar (proj1 (on y hy)) (proj2 (on y hy)) (hblk' y hy))
      hpace M share (conj Mpos (fun y hy => hshare y (proj1 (on y hy)))) b there hb) as huntil.
    assert (hpool : forall p, In p (visited S l) ->
              sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for S g1 r l u r' s) * work g1 u r' s) (range r b)) (range 0 (r + F v + 1))) (on_pool S p)
                + sum (last (in_full l)) (filter (fun y => pool S y =? p) l) <= there p).
    { intros p hp. unfold there. set (la := last (in_full l)).
      assert (hlapos : forall y, In y (nodes S) -> 0 <= la y) by (intros y hy; exact (proj1 (proj1 (proj2 (cl_numbers cl1 y hy))))).
      assert (hlastsum : sum la (filter (fun y => pool S y =? p) l) <= sum (fun u => if in_dec Z.eq_dec u l then la u else 0) (on_pool S p)).
      { rewrite (sum_eq la (fun u => if in_dec Z.eq_dec u l then la u else 0)).
        - apply sum_incl; [apply NoDup_filter, (path_nodup S l v); auto| |].
          + intros y hy. apply filter_In in hy. apply in_on_pool. destruct hy as (hy & hyp). split; [exact (proj1 (on y hy)) | now apply Z.eqb_eq].
          + intros y hy. apply in_on_pool in hy. pose proof (hlapos y ltac:(tauto)). destruct (in_dec _ _ _); lia.
        - intros y hy. apply filter_In in hy. destruct (in_dec Z.eq_dec y l); [auto | tauto]. }
      etransitivity; [apply Z.add_le_mono_l, hlastsum|]. rewrite <- sum_add. apply sum_le. intros u hu. apply in_on_pool in hu. destruct hu as (hu & hup).
      destruct (cl_numbers cl1 u hu) as (_ & hvol & _).
      (* J and other jobs *)
      assert (hcount : sum (fun r' => sum (fun s => ind (path_waits_for S g0 r l u r' s) * work g0 u r' s) (range r b)) (range 0 (r + F v + 1))
                + (if in_dec Z.eq_dec u l then la u else 0) <= count S F v (excluded l) (lim l) u * vol (in_full l) u).
      { etransitivity; [|apply (meanwhile_all S H g0 (in_full l) wf lg cl0 v r (F v) hr (F0 v hv) F (lim l) l v hl (or_introl eq_refl) coverl l v hl hv eq_refl hlx hlim'
          (fun _ u r' s _ hu _ => old_jobs_done S H g0 (in_full l) lg cl0 F hF v r hv met u r' s hu) (excluded l)
          (fun u hu hd => never_meanwhile_at S v l u r (hexcl l u hl hu hd)) hpath _ (fun u hu => count_covers S H v r F (lim l) (excluded l) u wf lg hr hu) u hu)].
        apply Z.add_le_mono_r. apply sum_le. intros r' _. apply sum_range_incl; [|lia | unfold t in *; lia]. intros s _.
        pose proof (cl_work cl0 u r' s hu). pose proof (ind_range (path_waits_for S g0 r l u r' s)). nia. }
      (* later ones that count by 1/m *)
      assert (hmore : sum (fun r' => sum (fun s => ind (path_waits_for S g1 r l u r' s) * work g1 u r' s) (range r b)) (range 0 (r + F v + 1))
                <= sum (fun r' => sum (fun s => ind (path_waits_for S g0 r l u r' s) * work g0 u r' s) (range r b)) (range 0 (r + F v + 1)) + more u).
      { transitivity (sum (fun r' => sum (fun s => ind (path_waits_for S g0 r l u r' s) * work g0 u r' s) (range r b)
                                     + ind (late l u && (r <? r')) * sum (fun s => ind (path_waits_for S g' r l u r' s) * work g' u r' s) (range r b)) (range 0 (r + F v + 1))).
        - apply sum_le. intros r' _. rewrite <- sum_scale, <- sum_add. apply sum_le. intros s _.
          change (path_waits_for S g1 r l u r' s) with (path_waits_for S g' r l u r' s). change (path_waits_for S g0 r l u r' s) with (path_waits_for S g' r l u r' s).
          cbn [work g0 g1 g' progress_by_ends scaled]. unfold c0, c1. destruct (late l u && (r <? r')); cbn [ind]; lia.
        - rewrite sum_add. apply Z.add_le_mono_l. unfold more. destruct (late l u) eqn:el; [|apply Z.eq_le_incl, sum_zero; intros; cbn [andb ind]; ring].
          destruct (hlate u el) as (hul & ho & hg & hlat0 & hlat & _). destruct (on u hul) as (_ & hud). cbn [andb].
          destruct (el_numbers laws u hu) as (_ & hvola & _).
          set (D := fun r' => sum (fun s => ind (path_waits_for S g' r l u r' s) * work g' u r' s) (range r b)).
          assert (hD : forall r', D r' <= vol a u).
          { intros r'. etransitivity; [|apply (cl_vol cl u r' r b hu)]. apply sum_le. intros s _. pose proof (hwork u r' s hu).
            pose proof (ind_range (path_waits_for S g' r l u r' s)). cbn [work g' progress_by_ends]. nia. }
          assert (hin : forall r', 0 < D r' -> released h (dag S u) r' = true /\ r' <= r + latest l u).
          { intros r' hpos. apply sum_pos_in in hpos. destruct hpos as (s & hs & hpos). rewrite in_range in hs.
            destruct (path_waits_for S g' r l u r' s) eqn:hw; cbn [ind] in hpos; [|lia].
            destruct (cl_undone cl u r' s hu ltac:(cbn [work g' progress_by_ends] in hpos |- *; lia)) as (hrel & hle & _). split; [exact hrel|].
            apply existsb_exists in hw. destruct hw as (y & hy & hw). rewrite !andb_true_iff, Z.eqb_eq in hw. destruct hw as ((hyp & hyw) & _).
            pose proof (not_after_due S H lg F v r met y s (proj1 (on y hy)) (cl_waits cl y r s (proj1 (on y hy)) hyw) ltac:(unfold t in *; lia)).
            pose proof (hlat y hy hyp). lia. }
          pose proof (wf_period wf u hu) as hT. pose proof (early_sporadic E u hu) as hsp.
          transitivity (sum (fun r' => ind (released h (dag S u) r' && (r <? r') && (r' <=? r + latest l u)) * vol a u) (range 0 (r + F v + 1))).
          { apply sum_le. intros r' _. destruct (r <? r') eqn:hlt; cbn [ind]; [|rewrite Z.mul_0_l; pose proof (ind_range (released h (dag S u) r' && false && (r' <=? r + latest l u))); nia].
            rewrite Z.mul_1_l. fold (D r'). destruct (Z_lt_le_dec 0 (D r')) as [hpos|]; [|pose proof (ind_range (released h (dag S u) r' && true && (r' <=? r + latest l u))); nia].
            destruct (hin r' hpos) as (-> & hle). rewrite (proj2 (Z.leb_le r' _) hle). cbn [andb ind]. specialize (hD r'). lia. }
          rewrite sum_scale_r. apply Z.mul_le_mono_nonneg_r; [lia|].
          pose proof (counting_others (released h (dag S u)) (period S (dag S u)) hT hsp r 0 (latest l u) ltac:(now rewrite hud)) as hc.
          rewrite (proj2 (Z.leb_le 0 (latest l u)) hlat0) in hc.
          rewrite Z.min_r in hc by lia. assert (cdiv (0 + - period S (dag S u)) (period S (dag S u)) <= 0) by (apply cdiv_spec; lia).
          rewrite Z.max_l in hc by lia. etransitivity; [|etransitivity; [exact hc | lia]]. unfold releases. replace (r - 0 + 1) with (r + 1) by ring.
          transitivity (sum (fun x => ind (released h (dag S u) x && (r <? x) && (x <=? r + latest l u))) (range (r + 1) (r + latest l u + 1))).
          + rewrite (sum_eq _ (fun x => ind ((r + 1 <=? x) && (x <? r + latest l u + 1)) * ind (released h (dag S u) x && (r <? x) && (x <=? r + latest l u)))).
            2: { intros z _. destruct (Z.ltb_spec r z), (Z.leb_spec z (r + latest l u)), (Z.leb_spec (r + 1) z), (Z.ltb_spec z (r + latest l u + 1)); rewrite ?andb_true_r, ?andb_false_r; cbn [andb ind]; lia. }
            rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range].
            intros z hz. apply filter_In in hz. rewrite in_range. lia.
          + apply sum_le. intros z hz. rewrite in_range in hz. destruct (Z.eqb_spec z r); [lia|]. destruct (released h (dag S u) z); cbn [andb negb ind]; [|lia].
            pose proof (ind_range ((r <? z) && (z <=? r + latest l u))). lia. }
      rewrite (hn u hu). destruct (ex (pool S u)) eqn:hex; [|lia].
      assert (hm : mt (pool S u) = false) by (destruct (mt (pool S u)) eqn:hm; [apply hmt in hm; congruence | reflexivity]).
      pose proof (work_in_windows S h available g a wf E laws ex window poll ws F v r hv hr met f l hl hpart hlast cover b hb before_t u hex hu) as hwin.
      assert (hone : vol (in_full l) u = vol a u /\ la u = last a u) by (unfold la; cbn [vol last in_full T20.in_full]; fold factor; rewrite (factor_one l u hm); lia).
      destruct hone as (hv1 & hl1).
      assert (hsame : sum (fun r' => sum (fun s => ind (path_waits_for S g1 r l u r' s) * work g1 u r' s) (range r b)) (range 0 (r + F v + 1))
                = sum (fun r' => sum (fun s => ind (path_waits_for S g' r l u r' s) * work g' u r' s) (range r b)) (range 0 (r + F v + 1))).
      { apply sum_eq. intros r' _. apply sum_eq. intros s _. cbn [work g1 g' progress_by_ends scaled]. rewrite (proj2 (hc01 u r' hm)), Z.mul_1_l. reflexivity. }
      assert (hmore0 : more u = 0) by (unfold more; destruct (late l u) eqn:el; [apply hlatemt in el; congruence | reflexivity]).
      rewrite hsame in *. rewrite hl1, hv1, hmore0 in *.
      destruct (Z.min_spec (count S F v (excluded l) (lim l) u) (windows_of S F (pool S u) l)) as [(_ & ->)|(_ & ->)]; [lia|]. rewrite Z.add_0_r. exact hwin. }
    specialize (huntil hpool).
    assert (hexec : sum (fun y => sum (fun s => ind (executes S H g1 r y s)) (range r b)) l <= sum (exec a) l - (t + 1 - b)).
    { assert (hone : forall y, In y l -> sum (fun s => ind (executes S H g1 r y s)) (range r b) <= exec a y) by (intros y hy; apply (cl_exec cl1); exact (proj1 (on y hy))).
      unfold b in *. destruct (ex (pool S x0) && waits g' x0 r t) eqn:hw; [|replace (t + 1 - (t + 1)) with 0 by ring; rewrite Z.sub_0_r; now apply sum_le].
      apply andb_prop in hw. destruct hw as (hex & hw). assert (hx0p : In x0 (on_pool S (pool S x0))) by (apply in_on_pool; auto).
      pose proof (ws_length (ws _ hex) x0 hx0p) as (hC & _).
      assert (hzero : sum (fun s => ind (executes S H g1 r x0 s)) (range r t) = 0).
      { apply sum_zero. intros s hs. rewrite in_range in hs. destruct (executes S H g1 r x0 s) eqn:he; [exfalso | reflexivity].
        unfold executes in he. apply andb_prop in he. destruct he as (hp & hnw). cbn [waits g1 progress_by_ends scaled] in hnw. fold H in hnw. rewrite hp, andb_true_r in hnw.
        apply negb_true_iff in hnw. destruct (pending_by_ends S h available g wf E x0 r s hx0n hp) as (hav & _).
        cbn [waits g' progress_by_ends] in hw. apply andb_prop in hw.
        rewrite (ws_starts_once (ws _ hex) x0 r s t hx0p (proj1 hw) hav ltac:(lia)) in hnw. discriminate. }
      assert (hsplit : sum (fun y => sum (fun s => ind (executes S H g1 r y s)) (range r t)) l <= sum (fun y => exec a y - ind (y =? x0) * exec a x0) l).
      { apply sum_le. intros y hy. destruct (Z.eqb_spec y x0) as [->|]; cbn [ind]; [rewrite hzero; lia | specialize (hone y hy); lia]. }
      rewrite sum_sub in hsplit. rewrite (sum_unique (fun y : node => ind (y =? x0) * exec a x0) l x0) in hsplit.
      - rewrite Z.eqb_refl in hsplit. cbn [ind] in hsplit. lia.
      - now apply (path_nodup S l v).
      - exact hx0l.
      - intros y _ hne. destruct (Z.eqb_spec y x0); [contradiction | reflexivity]. }
    fold in_full in hbound. unfold path_length in hbound. change (sum (fun p => share p * there p) (visited S l)) with
      (sum (fun p => share p * sum (fun u => n l u * vol (in_full l) u + (if late l u then latest l u / period S (dag S u) * vol a u else 0)) (on_pool S p)) (visited S l)) in huntil.
    rewrite (sum_eq (fun x => M * exec (in_full l) x - share (pool S x) * (last (in_full l) x - blk x))
      (fun x => M * exec a x + share (pool S x) * (blk x - last (in_full l) x))) in hbound by (intros; cbn [exec in_full T20.in_full]; ring).
    rewrite sum_add, sum_scale in hbound. change (sum (fun x => exec a x) l) with (sum (exec a) l) in hbound.
    pose proof (Z.mul_le_mono_nonneg_l _ _ M ltac:(lia) hexec). unfold t in *. nia.
  Qed.
End T20.
