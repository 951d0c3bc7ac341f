(** T19: what runs while a path waits on an executor under the wait-set rule was released in time, and runs in M windows. docs/theory/executors.md, "T19". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality path.Missed path.Waiting path.T10n executors.Early executors.WaitSet.

(** No later job of v runs while v, or what is before it, waits on v's pool: jobs do not overtake one another before v. *)
Definition in_order (S : system) (g : progress) (v : node) : Prop :=
  forall r r' y s, r < r' -> ancestor_or_self S y v -> pool S y = pool S v -> waits g y r s = true -> work g v r' s = 0.

Section Limit.
  Context (S : system) (h : history) (available : node -> Z -> Z -> bool) (g : progress) (a : accounts).
  Context (wf : well_formed S) (E : early_legal S h available g) (laws : early_laws S h available g a).
  Context (window : node -> Z -> option Z) (poll : Z -> Z) (x : Z) (ws : wait_set S h available g a window poll x).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (v : node) (r : Z) (hv : In v (nodes S)).
  Let H := by_ends S h.
  Let g' := progress_by_ends S h g.
  Let lg := legal_by_ends S h available g wf E.
  Let cl := counting_by_ends S h available g wf E a laws.
  Context (met : met_before S H F v r).
  Let t := r + F v.
  Let F0 := F_nonneg S H g' a cl F hF.

  Definition same_window (o : option Z) (w : option Z) : bool := match o, w with Some k, Some k' => k =? k' | _, _ => false end.

  (** In one window no more runs than one job of each node. *)
  Lemma work_in_window w b c hi : sum (fun u => sum (fun j => ind (same_window (window u j) w) * sum (work g u j) (range b c)) (range 0 hi)) (on_pool S x) <= window_length S a x.
  Proof.
    unfold window_length. apply sum_le. intros u hu. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _).
    pose proof (el_numbers laws u hun) as (_ & hvol & _). apply sum_at_most_one.
    - apply range_nodup.
    - lia.
    - intros j _ _. apply (el_vol laws u j b c hun).
    - intros j j' _ _ h1 h2. unfold same_window in *. destruct (window u j) as [k|] eqn:e1, (window u j') as [k'|] eqn:e2, w as [w|]; try discriminate.
      apply Z.eqb_eq in h1, h2. subst. exact (ws_once ws u j j' w hu e1 e2).
  Qed.

  (** If at every tick of [b, c) something runs that is in one of these windows, there are no more ticks than what fits in. *)
  Lemma ticks_in_windows (Ks : list (option Z)) b c hi : b <= c ->
    (forall s, b <= s < c -> exists u j, In u (on_pool S x) /\ 0 <= j < hi /\ 0 < work g u j s /\ exists w, In w Ks /\ same_window (window u j) w = true) ->
    c - b <= Z.of_nat (length Ks) * window_length S a x.
  Proof.
    intros hbc hrun.
    transitivity (sum (fun w => sum (fun u => sum (fun j => ind (same_window (window u j) w) * sum (work g u j) (range b c)) (range 0 hi)) (on_pool S x)) Ks).
    - transitivity (sum (fun s => sum (fun w => sum (fun u => sum (fun j => ind (same_window (window u j) w) * work g u j s) (range 0 hi)) (on_pool S x)) Ks) (range b c)).
      + transitivity (sum (fun _ => 1) (range b c)); [rewrite sum_range_const by lia; lia|]. apply sum_le. intros s hs. rewrite in_range in hs.
        destruct (hrun s hs) as (u & j & hu & hj & hwk & w & hw & hsame).
        assert (hterm : forall u' j' w', In u' (on_pool S x) -> 0 <= ind (same_window (window u' j') w') * work g u' j' s).
        { intros u' j' w' hu'. apply in_on_pool in hu'. pose proof (el_work laws u' j' s (proj1 hu')). pose proof (ind_range (same_window (window u' j') w')). nia. }
        transitivity (ind (same_window (window u j) w) * work g u j s); [rewrite hsame; cbn [ind]; lia|].
        etransitivity; [apply (sum_in (fun j => ind (same_window (window u j) w) * work g u j s) (range 0 hi) j); [intros; now apply hterm | now apply in_range]|].
        etransitivity; [apply (sum_in (fun u => sum (fun j => ind (same_window (window u j) w) * work g u j s) (range 0 hi)) (on_pool S x) u); [|exact hu];
          intros u' hu'; apply sum_nonneg; intros; now apply hterm|].
        apply (sum_in (fun w => sum (fun u => sum (fun j => ind (same_window (window u j) w) * work g u j s) (range 0 hi)) (on_pool S x)) Ks w); [|exact hw].
        intros w' _. apply sum_nonneg. intros u' hu'. apply sum_nonneg. intros. now apply hterm.
      + apply Z.eq_le_incl. rewrite sum_exchange. apply sum_eq. intros w _. rewrite sum_exchange. apply sum_eq. intros u _. rewrite sum_exchange.
        apply sum_eq. intros j _. apply sum_scale.
    - etransitivity; [apply (sum_le _ (fun _ => window_length S a x)); intros w _; apply work_in_window|]. rewrite sum_const. lia.
  Qed.

  Lemma visit_limit_sound q u r' s : In q (on_pool S x) -> dag S q = dag S v -> released h (dag S v) r = true -> In u (on_pool S x) -> r <= s <= t ->
    waits g' q r s = true -> 0 < work g u r' s -> r' - r <= visit_limit S a F q.
  Proof.
    intros hq hqd hrel hu hs hw hwk. pose proof (proj1 (in_on_pool S x q) hq) as (hqn & hqp). pose proof (proj1 (in_on_pool S x u) hu) as (hun & _).
    pose proof (cl_waits cl q r s hqn hw) as hp. pose proof (not_after_due S H lg F v r met q s hqn hp hs) as hdue.
    destruct (cl_undone cl u r' s hun hwk) as (_ & hrs & _).
    unfold visit_limit. apply Z.min_glb; [lia|]. rewrite hqp.
    pose proof (ready_bound_nonneg S F q) as hA0. assert (hW0 : 0 <= window_length S a x).
    { apply sum_nonneg. intros y hy. apply in_on_pool in hy. pose proof (el_numbers laws y (proj1 hy)). lia. }
    cbn [waits g' progress_by_ends] in hw. apply andb_prop in hw. destruct hw as (hw & _).
    destruct (first_available S h available g a E laws window poll x ws F v r q s hq hw) as (rho & hrho & hav & hwrho & hfirst).
    assert (hrhoA : rho <= r + ready_bound S F q).
    { apply pending_spec in hp. destruct hp as (hre & _). pose proof (ready_by S H wf lg F v r met q s hqn hre hs) as hb.
      pose proof (hfirst _ (early_ready E q r _ hqn (ready_by_ends S h wf q r _ hqn hb))). lia. }
    destruct (someone_runs S h available g a window poll x ws F v r q r rho hq hwrho) as (u0 & r0 & k0 & hu0 & _ & hwk0 & hk0 & hk0le).
    destruct (ws_runs ws u r' s hu hwk) as (k & hk & hks).
    assert (hrk : r' <= poll k) by (apply (early_released E u r' (poll k) hun), (ws_polled ws u r' k hu hk)).
    assert (ho : 0 <= others_queued S F q) by (unfold others_queued; lia).
    destruct (seen_window S h available g a wf E laws window poll x ws F v r met q s rho u0 r0 k0 u r' k hq hw ltac:(fold t; lia) ltac:(lia) hav hfirst hu0 hwk0 hk0 hu hwk hk)
      as [->|(hlt & j & hj & hin)]; [nia|].
    pose proof (recent_jobs_length S h available g wf E F v r q rho hqn) as hlen.
    apply in_split in hin. destruct hin as (l1 & l2 & hsplit).
    pose proof (ticks_in_windows (Some k0 :: map (window q) (l1 ++ l2)) rho (poll k) (s + 1) ltac:(lia)) as hticks.
    assert (hrun : forall z, rho <= z < poll k -> exists u j, In u (on_pool S x) /\ 0 <= j < s + 1 /\ 0 < work g u j z /\
              exists w, In w (Some k0 :: map (window q) (l1 ++ l2)) /\ same_window (window u j) w = true).
    { intros z hz. pose proof (ws_starts_once ws q r z s hq hw (early_stays E q r rho z hqn hav ltac:(lia)) ltac:(lia)) as hwz.
      destruct (someone_runs S h available g a window poll x ws F v r q r z hq hwz) as (u1 & r1 & k1 & hu1 & hr1 & hwk1 & hk1 & hk1le).
      exists u1, r1. split; [exact hu1|]. split; [lia|]. split; [exact hwk1|]. exists (Some k1). split; [|rewrite hk1; cbn; apply Z.eqb_refl].
      destruct (seen_window S h available g a wf E laws window poll x ws F v r met q z rho u0 r0 k0 u1 r1 k1 hq hwz ltac:(fold t; lia) ltac:(lia) hav hfirst hu0 hwk0 hk0 hu1 hwk1 hk1)
        as [->|(_ & j1 & hj1 & hin1)]; [now left | right].
      rewrite hsplit in hin1. rewrite <- hj1. apply in_map. apply in_app_iff in hin1. apply in_app_iff. destruct hin1 as [|[<-|]]; [now left | | now right].
      exfalso. assert (k1 = k) as -> by congruence. lia. }
    specialize (hticks hrun). rewrite hsplit in hlen. cbn [length] in hticks. rewrite map_length, app_length in *. cbn [length] in hlen. nia.
  Qed.
End Limit.

Section Windows.
  Context (S : system) (h : history) (available : node -> Z -> Z -> bool) (g : progress) (a : accounts).
  Context (wf : well_formed S) (E : early_legal S h available g) (laws : early_laws S h available g a).
  Context (ex : Z -> bool) (window : node -> Z -> option Z) (poll : Z -> Z -> Z).
  Context (ws : forall x, ex x = true -> wait_set S h available g a window (poll x) x).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Let H := by_ends S h.
  Let g' := progress_by_ends S h g.
  Let lg := legal_by_ends S h available g wf E.
  Let cl := counting_by_ends S h available g wf E a laws.
  Let F0 := F_nonneg S H g' a cl F hF.

  Section Path.
    Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true) (met : met_before S H F v r).
    Let t := r + F v.
    Context (f l : list node) (hl : path S l v) (hpart : part_of f l) (hlast : ended_last S H r f).
    Context (cover : forall s, r <= s <= t -> exists y, In y f /\ pending S H y r s = true).
    Context (b : Z) (hb : r <= b <= t + 1) (before_t : forall y s, In y f -> ex (pool S y) = true -> r <= s < b -> waits g' y r s = true -> s < t).

    Let on y (hy : In y l) := path_nodes S l v wf hv hl y hy.

    (** What waits is a node of the walk. *)
    Lemma waits_walked y s : In y l -> r <= s <= t -> waits g' y r s = true -> In y f.
    Proof.
      intros hy hs hw. destruct (cover s hs) as (z & hz & hp). pose proof (part_in f l hpart z hz) as hzl.
      assert (y = z) as ->; [|exact hz]. apply (pending_alone S H lg y z r s); [apply (path_comparable S l v hl); auto | | exact hp].
      apply (cl_waits cl); [exact (proj1 (on y hy)) | exact hw].
    Qed.

    Lemma waits_real y s : waits g' y r s = true -> waits g y r s = true.
    Proof. intros hw. cbn [waits g' progress_by_ends] in hw. now apply andb_prop in hw. Qed.

    (** Jobs of u that run on x while the path waits there: no more than windows. *)
    Lemma work_in_windows u : ex (pool S u) = true -> In u (nodes S) ->
      sum (fun j => sum (fun s => ind (path_waits_for S g' r l u j s) * work g' u j s) (range r b)) (range 0 (t + 1))
        + (if in_dec Z.eq_dec u l then last a u else 0) <= windows_of S F (pool S u) l * vol a u.
    Proof.
      intros hex hun. set (x := pool S u) in *. pose proof (ws x hex) as W.
      assert (hu : In u (on_pool S x)) by (apply in_on_pool; auto).
      destruct (ws_length W u hu) as (hC & hlastC & hvolC).
      destruct (windows_enough S h available g a wf E laws window (poll x) x W F v r met (fun y s => waits g' y r s) b f waits_real (proj2 hb) hr (fun y hy => on y (part_in f l hpart y hy))
        (linked_by_ends S h available g wf E r f (fun y hy => proj1 (on y (part_in f l hpart y hy))) hlast))
        as (K & (hK1 & hK2) & hlen).
      { intros y s hy hp. apply before_t; [exact hy | rewrite hp; exact hex]. }
      set (done_ := fun j => sum (fun s => ind (path_waits_for S g' r l u j s) * work g' u j s) (range r b)).
      set (R := filter (fun j => 0 <? done_ j) (range 0 (t + 1))).
      assert (hdone0 : forall j, 0 <= done_ j <= vol a u).
      { intros j. split.
        - apply sum_nonneg. intros s _. pose proof (cl_work cl u j s hun). pose proof (ind_range (path_waits_for S g' r l u j s)). unfold g' in *. nia.
        - etransitivity; [|apply (cl_vol cl u j r b hun)]. apply sum_le. intros s _. pose proof (cl_work cl u j s hun).
          pose proof (ind_range (path_waits_for S g' r l u j s)). unfold g' in *. nia. }
      assert (hseen : forall j, In j R -> exists y s, In y f /\ pool S y = x /\ r <= s < b /\ waits g' y r s = true /\ 0 < work g u j s /\ In y l).
      { intros j hj. apply filter_In in hj. destruct hj as (_ & hj). apply Z.ltb_lt in hj. unfold done_ in hj. apply sum_pos_in in hj. destruct hj as (s & hs & hj).
        rewrite in_range in hs. destruct (path_waits_for S g' r l u j s) eqn:hpw; cbn [ind] in hj; [|lia].
        apply existsb_exists in hpw. destruct hpw as (y & hy & hpw). rewrite !andb_true_iff, Z.eqb_eq in hpw. destruct hpw as ((hyp & hyw) & _).
        exists y, s. split; [apply (waits_walked y s hy ltac:(unfold t in *; lia) hyw)|]. split; [exact hyp|]. split; [exact hs|]. split; [exact hyw|].
        split; [unfold g' in hj; cbn [work progress_by_ends] in hj; lia | exact hy]. }
      assert (hwin : forall j, In j R -> exists k, window u j = Some k).
      { intros j hj. destruct (hseen j hj) as (y & s & _ & _ & _ & _ & hwk & _). destruct (ws_runs W u j s hu hwk) as (k & hk & _). eauto. }
      assert (nd : NoDup (map (window u) R)).
      { assert (ndR : NoDup R) by (apply NoDup_filter, range_nodup). revert ndR hwin. generalize R. clear -W hu. intros R. induction R as [|j R IH]; intros nd hwin; cbn; [constructor|].
        inversion nd; subst. constructor; [|apply IH; auto; intros; apply hwin; now right]. intros hin. apply in_map_iff in hin. destruct hin as (j' & e & hj').
        destruct (hwin j (or_introl eq_refl)) as (k & hk). rewrite hk in e. rewrite (ws_once W u j' j k hu e hk) in hj'. contradiction. }
      assert (hincl : incl (map (window u) R) K).
      { intros w hw. apply in_map_iff in hw. destruct hw as (j & <- & hj). destruct (hseen j hj) as (y & s & h1 & h2 & h3 & h4 & h5 & _). now apply (hK2 y s u j). }
      assert (hsum : sum done_ (range 0 (t + 1)) <= Z.of_nat (length R) * vol a u).
      { transitivity (sum (fun j => ind (0 <? done_ j) * vol a u) (range 0 (t + 1))).
        - apply sum_le. intros j _. pose proof (hdone0 j). destruct (Z.ltb_spec 0 (done_ j)); cbn [ind]; lia.
        - rewrite sum_scale_r, sum_length. reflexivity. }
      assert (ndl : NoDup l) by (now apply (path_nodup S l v)).
      assert (hown : Z.of_nat (length R) + (if in_dec Z.eq_dec u l then 1 else 0) <= windows_of S F x l).
      { assert (hpl : windows_of S F x f + (if in_dec Z.eq_dec u l then if in_dec Z.eq_dec u f then 0 else 1 else 0) <= windows_of S F x l).
        { unfold windows_of. pose proof (visits_part S x f l hpart) as hvis.
          set (c := fun q => 1 + others_queued S F q).
          assert (hc : forall q, 1 <= c q) by (intros; unfold c, others_queued; lia).
          rewrite !sum_filter. 
          assert (ndf : NoDup f) by exact (part_nodup f l hpart ndl).
          assert (hnn : forall q, 0 <= ind (pool S q =? x) * c q) by (intros q; specialize (hc q); pose proof (ind_range (pool S q =? x)); nia).
          assert (hsub : sum (fun q => ind (pool S q =? x) * c q) f <= sum (fun q => ind (pool S q =? x) * c q) l)
            by (apply sum_incl; [exact ndf | exact (part_in f l hpart) | auto]).
          destruct (in_dec Z.eq_dec u l) as [hul|]; [|lia]. destruct (in_dec Z.eq_dec u f) as [|hnf]; [lia|].
          assert (hsub' : sum (fun q => ind (pool S q =? x) * c q) (u :: f) <= sum (fun q => ind (pool S q =? x) * c q) l).
          { apply sum_incl; [now constructor | intros z [<-|hz]; [exact hul | now apply (part_in f l hpart)] | auto]. }
          cbn [sum] in hsub'. specialize (hc u). fold x in hsub'. rewrite Z.eqb_refl in hsub'. cbn [ind] in hsub'. lia. }
        pose proof (NoDup_incl_length nd hincl) as hle. rewrite map_length in hle.
        destruct (in_dec Z.eq_dec u l) as [hul|]; [|lia]. destruct (in_dec Z.eq_dec u f) as [huf|]; [|lia].
        assert (nd' : NoDup (window u r :: map (window u) R)).
        { constructor; [|exact nd]. intros hin. apply in_map_iff in hin. destruct hin as (j & e & hj). destruct (hwin j hj) as (k & hk).
          rewrite hk in e. pose proof (ws_once W u r j k hu (eq_sym e) hk) as <-.
          destruct (hseen r hj) as (y & s & hyf & hyp & hs & hyw & hwk & hyl).
          destruct (Z.eq_dec y u) as [->|hne].
          - cbn [waits g' progress_by_ends] in hyw. apply andb_prop in hyw. destruct hyw as (hyw & _). pose proof (el_last laws u r s (s + 1) hun) as hz.
            rewrite range_one in hz. cbn [sum] in hz. rewrite hyw in hz. cbn [ind] in hz. lia.
          - assert (h0 : work g' u r s = 0).
            { apply (counting_alone S H g' a y u r s wf lg cl); [exact (proj1 (on y hyl)) | exact hun | exact hyw|].
              destruct (path_comparable S l v hl y u hyl hul) as [e'|[ha|ha]]; [congruence | now right | now left]. }
            unfold g' in h0. cbn [work progress_by_ends] in h0. lia. }
        assert (hincl' : incl (window u r :: map (window u) R) K) by (intros w [<-|hw]; [now apply hK1 | now apply hincl]).
        pose proof (NoDup_incl_length nd' hincl') as hle'. cbn [length] in hle'. rewrite map_length in hle'. lia. }
      fold done_. change (sum (fun j => done_ j) (range 0 (t + 1))) with (sum done_ (range 0 (t + 1))).
      destruct (in_dec Z.eq_dec u l); nia.
    Qed.
  End Path.
End Windows.
