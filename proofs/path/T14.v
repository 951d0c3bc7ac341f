(** T14: T10n where processes share GPUs by time slices. docs/theory/time-slices.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu pools.Slices.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n.

Section Inequality.
  Context (S : system) (a : accounts) (slices : Z -> option (Z * Z)).

  Definition kernels_there (l : list node) (p : Z) : list node := filter (fun y => pool S y =? p) l.

  (** X of path l on pool p, M times: execution of its kernels there and what they wait for. *)
  Definition virtual_time (M : Z) (share : Z -> Z) (n : node -> Z) (l : list node) (p : Z) : Z :=
    sum (fun y => M * exec a y - share p * last a y) (kernels_there l p) + share p * pool_work S a n p.

  (** Gaps of n kernels: n - 1 + ceil(X/slice), and n + floor(X/slice) if one of them has length 0. *)
  Definition slice_cost (M : Z) (share : Z -> Z) (n : node -> Z) (l : list node) (p : Z) : Z :=
    match slices p with
    | None => 0
    | Some (slice, gap) =>
      let X := virtual_time M share n l p in
      let kernels := Z.of_nat (length (kernels_there l p)) in
      gap * (if forallb (fun y => 0 <? exec a y) (kernels_there l p) then kernels - 1 + cdiv X (M * slice) else kernels + X / (M * slice))
    end.

  (** Inequality (2) and what slices cost on the pools of the path that are shared. *)
  Definition sliced_inequality (F : node -> Z) (v : node) : Prop :=
    exists M share excluded lim parallel blk,
      common_multiple S a M share /\
      parallel_sound S parallel /\ (forall q, ancestor_or_self S q v -> blocking_covers S a F parallel blk q) /\
      (forall l u, path S l v -> In u (nodes S) -> excluded l u = true -> never_meanwhile S v l u) /\
      limits S F v lim /\
      forall l, path S l v -> let n := count S F v (excluded l) lim in
        path_bound S a M share blk n l + M * sum (slice_cost M share n l) (visited S l) <= M * F v.
End Inequality.

(** ceil(x/S) - 1 = floor((x - 1)/S) of some x add up to no more than that of their sum. *)
Lemma sum_of_floors {A} (x : A -> Z) slice l : 0 < slice -> sum (fun y => x y / slice) l <= sum x l / slice.
Proof.
  intros hs. induction l as [|y l IH]; [rewrite !sum_nil, Z.div_0_l by lia; lia|]. cbn [sum].
  enough (x y / slice + sum x l / slice <= (x y + sum x l) / slice) by lia. apply Z.div_le_lower_bound; [exact hs|].
  pose proof (Z.mul_div_le (x y) slice hs). pose proof (Z.mul_div_le (sum x l) slice hs). nia.
Qed.

Lemma sum_of_ceilings {A} (x : A -> Z) slice l : 0 < slice -> l <> [] ->
  sum (fun y => cdiv (x y) slice) l <= Z.of_nat (length l) - 1 + cdiv (sum x l) slice.
Proof.
  intros hs hne. rewrite (sum_eq _ (fun y => (x y - 1) / slice + 1)) by (intros; now apply cdiv_floor). rewrite sum_add, sum_const, cdiv_floor by exact hs.
  pose proof (sum_of_floors (fun y => x y - 1) slice l hs) as h1. rewrite sum_sub, sum_const in h1.
  assert (hlen : 1 <= Z.of_nat (length l)) by (destruct l; [congruence | cbn [length]; lia]).
  pose proof (Z.div_le_mono (sum x l - 1 * Z.of_nat (length l)) (sum x l - 1) slice hs ltac:(lia)). lia.
Qed.

(** The ticks in which a node job is pending are those of one interval. *)
Lemma pending_stretch S h y r lo hi : legal S h -> lo <= hi ->
  exists b c, lo <= b <= c /\ c <= hi /\ forall s, lo <= s < hi -> pending S h y r s = ((b <=? s) && (s <? c)).
Proof.
  intros lg hle. destruct (existsb (pending S h y r) (range lo hi)) eqn:some.
  - apply existsb_exists in some. destruct some as (s0 & hs0 & hp0). rewrite in_range in hs0.
    destruct (first_such (pending S h y r) lo s0 hp0 ltac:(lia)) as (b & hb & hpb & hbefore).
    assert (hready : forall s, b <= s -> ready S h y r s = true).
    { intros s hs. apply (ready_stays S h lg y r b); [|exact hs]. apply pending_spec in hpb. tauto. }
    destruct (existsb (done h y r) (range b hi)) eqn:ends.
    + apply existsb_exists in ends. destruct ends as (s1 & hs1 & hd1). rewrite in_range in hs1.
      destruct (first_such (done h y r) b s1 hd1 ltac:(lia)) as (c & hc & hdc & hopen). exists b, c. split; [lia|]. split; [lia|]. intros s hs.
      destruct (Z.leb_spec b s); cbn [andb]; [|apply hbefore; lia]. unfold pending. rewrite hready by lia. cbn [andb].
      destruct (Z.ltb_spec s c); [now rewrite hopen by lia | now rewrite (legal_done lg y r c s hdc) by lia].
    + exists b, hi. split; [lia|]. split; [lia|]. intros s hs. destruct (Z.leb_spec b s); cbn [andb]; [|apply hbefore; lia].
      unfold pending. rewrite hready by lia. cbn [andb]. destruct (Z.ltb_spec s hi); [|lia]. destruct (done h y r s) eqn:hd; [|reflexivity].
      enough (existsb (done h y r) (range b hi) = true) by congruence. apply existsb_exists. exists s. split; [apply in_range; lia | exact hd].
  - exists lo, lo. split; [lia|]. split; [lia|]. intros s hs. destruct (pending S h y r s) eqn:hp.
    + enough (existsb (pending S h y r) (range lo hi) = true) by congruence. apply existsb_exists. exists s. split; [apply in_range; lia | exact hp].
    + destruct (Z.leb_spec lo s), (Z.ltb_spec s lo); cbn; lia || reflexivity.
Qed.

Lemma sum_in_stretch (f : Z -> bool) lo hi b c : lo <= b <= c -> c <= hi ->
  sum (fun s => ind ((b <=? s) && (s <? c) && f s)) (range lo hi) = sum (fun s => ind (f s)) (range b c).
Proof.
  intros h1 h2. rewrite (sum_range_split _ lo b hi), (sum_range_split _ b c hi) by lia.
  rewrite (sum_zero _ (range lo b)), (sum_zero _ (range c hi)).
  - rewrite Z.add_0_r, Z.add_0_l. apply sum_eq. intros s hs. rewrite in_range in hs. destruct (Z.leb_spec b s), (Z.ltb_spec s c); cbn [andb]; lia || reflexivity.
  - intros s hs. rewrite in_range in hs. destruct (Z.ltb_spec s c); [lia|]. now rewrite andb_false_r.
  - intros s hs. rewrite in_range in hs. destruct (Z.leb_spec b s); [lia|]. reflexivity.
Qed.

Section T14.
  Context (S : system) (h : history) (P : platform) (e : execution) (served : Z -> Z -> bool) (slices : Z -> option (Z * Z)).
  Context (w : weights) (wf : well_formed S) (sp : sound_platform S P) (ob : shared_system_obeys S h P e served slices) (valid : all_weights_valid S P w).
  Let g := shared_progress S h P e served slices w.
  Let a := counted_accounts S P w.
  Let lg := shared_legal _ _ _ _ _ _ ob.
  Let laws : counting_laws S h g a := shared_counting S h P e served slices w (wf_nodup wf) sp ob valid.

  Let on_pool_served p s := negb (is_shared slices p) || served p s.

  (** One kernel y of the path on a shared pool: how long it is there unserved, until t. *)
  Lemma kernel_unserved y r t slice gap : In y (nodes S) -> slices (pool S y) = Some (slice, gap) -> r <= t + 1 ->
    let x := sum (fun s => ind (waits g y r s && served (pool S y) s)) (range r (t + 1)) + exec a y in
    0 < slice /\ 0 <= gap /\
    sum (fun s => ind (pending S h y r s && negb (served (pool S y) s))) (range r (t + 1))
      <= gap * (if 0 <? exec a y then cdiv x slice else 1 + x / slice).
  Proof.
    intros hy hs hrt x. destruct (context_of S h P e served slices w sp ob valid y slice gap hy hs) as (G & hk & _ & hc & hslice & hsv & _ & hL & _).
    assert (hyp : In y (on_pool S (pool S y))) by (now apply in_on_pool).
    destruct hsv as (hgap & hwhole). split; [exact hslice|]. split; [exact (gap_nonneg _ _ _ hgap)|].
    destruct (pending_stretch S h y r r (t + 1) lg hrt) as (b & c & hb & hc' & hpend).
    assert (hin : forall f : Z -> bool, sum (fun s => ind (pending S h y r s && f s)) (range r (t + 1)) = sum (fun s => ind (f s)) (range b c)).
    { intros f. rewrite <- (sum_in_stretch f r (t + 1) b c hb hc'). apply sum_eq. intros s hsr. rewrite in_range in hsr. now rewrite (hpend s hsr). }
    assert (hwork : forall s, b <= s < c -> context_pending S h (pool S y) s).
    { intros s hsr. exists y, r. split; [exact hyp|]. rewrite hpend by lia. apply andb_true_iff. rewrite Z.leb_le, Z.ltb_lt. lia. }
    rewrite (hin (fun s => negb (served (pool S y) s))).
    (* virtual time of the stretch *)
    set (ex := fun s => pending S h y r s && negb (waits g y r s)).
    assert (hvirtual : sum (fun s => ind (served (pool S y) s)) (range b c)
              = sum (fun s => ind (waits g y r s && served (pool S y) s)) (range r (t + 1)) + sum (fun s => ind (ex s)) (range r (t + 1))).
    { rewrite <- (hin (served (pool S y))), <- sum_add. apply sum_eq. intros s _. unfold ex. destruct (waits g y r s) eqn:hw.
      - rewrite (cl_waits laws y r s hy hw). destruct (served (pool S y) s); reflexivity.
      - destruct (pending S h y r s) eqn:hp; [|reflexivity]. unfold g, shared_progress, is_shared in hw. cbn [waits] in hw. rewrite hs, hp in hw.
        apply orb_false_iff in hw. destruct hw as (_ & hw). cbn [andb] in hw. apply negb_false_iff in hw. rewrite hw. reflexivity. }
    pose proof (cl_exec laws y r r (t + 1) hy) as hexec. change (sum (fun s => ind (ex s)) (range r (t + 1)) <= exec a y) in hexec.
    destruct (Z.ltb_spec 0 (exec a y)) as [hpos|hzero].
    - apply (gaps_within (context_pending S h (pool S y)) (served (pool S y)) slice gap hslice hgap hwhole b c x); [lia | exact hwork | unfold x; lia|].
      intros hbc hlast.
      pose proof (frozen_exec S h P e served slices w sp ob valid y r r (c - 1) slice gap hy hs hpos) as hfr. change (length_of P y) with (exec a y) in hfr.
      rewrite hpend in hfr by lia. replace (c - 1 + 1) with c in hfr by ring. specialize (hfr ltac:(apply andb_true_iff; rewrite Z.leb_le, Z.ltb_lt; lia) hlast).
      change (sum (fun s => ind (ex s)) (range r c) < exec a y) in hfr.
      assert (hcut : sum (fun s => ind (ex s)) (range r (t + 1)) = sum (fun s => ind (ex s)) (range r c)).
      { rewrite (sum_range_split _ r c (t + 1)) by lia. rewrite (sum_zero _ (range c (t + 1))); [ring|]. intros s hsr. rewrite in_range in hsr. unfold ex.
        rewrite hpend by lia. destruct (Z.ltb_spec s c); [lia|]. now rewrite andb_false_r. }
      unfold x. lia.
    - etransitivity; [exact (gaps_in_stretch (context_pending S h (pool S y)) (served (pool S y)) slice gap hslice hgap hwhole b c ltac:(lia) hwork)|].
      apply Z.mul_le_mono_nonneg_l; [exact (gap_nonneg _ _ _ hgap)|]. pose proof (Z.div_le_mono (sum (fun s => ind (served (pool S y) s)) (range b c)) x slice hslice ltac:(unfold x; lia)). lia.
  Qed.

  Theorem T14_safe F v : (forall u, In u (nodes S) -> exec a u <= F u) -> In v (nodes S) -> sliced_inequality S a slices F v -> safe S h F v.
  Proof.
    intros hF hv (M & share & excluded & lim & parallel & blk & hM & hpar & hblk & hexcl & hlim & hineq) r hr met.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    assert (F0 : forall u, In u (nodes S) -> 0 <= F u).
    { intros u hu. pose proof (cl_numbers laws u hu) as (h1 & _). specialize (hF u hu). lia. }
    destruct (late_path S h wf lg r v (r + F v) hv hr ltac:(specialize (F0 v hv); lia) missed) as (l & x & hl & hx & hxn & cover).
    assert (exists l', path S l' v /\ incl l l') as (l' & hl' & hincl).
    { destruct hx as [->|ha]; [exists l; split; [auto | apply incl_refl] | eapply path_goes_on; eauto]. }
    set (t := r + F v) in *. set (n := count S F v (excluded l') lim).
    assert (hnode : forall y, In y l' -> In y (nodes S)) by (intros y hy; exact (proj1 (path_nodes S l' v wf hv hl' y hy))).
    assert (hpath : forall y, In y l' -> excluded l' y = false /\ within (lim y) 0).
    { intros y hy. pose proof (path_ancestors S l' v hl' y hy) as ha. split.
      - destruct (excluded l' y) eqn:hd; [|reflexivity]. exfalso. exact (path_node_counts S v l' y wf hv hl' hy (hexcl l' y hl' (hnode y hy) hd)).
      - eapply within_le; [apply limit_self, F0, hnode, hy | apply hlim; auto]. }
    pose proof (counted_on_pool S h g a wf lg laws v r (F v) hr (F0 v hv) F lim l x hl hx cover l' v hl' hv eq_refl hincl
      (fun q u r' s hu hp _ hq hs hw hwork hlow =>
        within_le _ _ _ (limit_sound S h g a wf lg laws F v r hv met q u r' s hu hp hq hs hw hwork hlow) (hlim q u hq hu hp))
      (fun _ u r' s _ hu _ => old_jobs_done S h g a lg laws F hF v r hv met u r' s hu)
      (excluded l') (fun u hu hd => never_meanwhile_at S v l' u r (hexcl l' u hl' hu hd)) hpath n
      (fun u hu => count_covers S h v r F lim (excluded l') u wf lg hr hu)) as hcount. cbv zeta in hcount. fold t in hcount.
    pose proof (time_split S h g r (F v) l cover l' hincl (t + 1) ltac:(specialize (F0 v hv); unfold t; lia)) as hsplit.
    (* what counts while the path waits on p, in ticks in which p is served *)
    set (W := fun p => sum (fun s => ind (path_waits S g r l' p s && on_pool_served p s)) (range r (t + 1))).
    set (U := fun p => sum (fun s => ind (path_waits S g r l' p s && negb (on_pool_served p s))) (range r (t + 1))).
    assert (hsum : sum (fun p => sum (fun s => ind (path_waits S g r l' p s)) (range r (t + 1))) (visited S l') = sum W (visited S l') + sum U (visited S l')).
    { rewrite <- sum_add. apply sum_eq. intros p _. unfold W, U. rewrite <- sum_add. apply sum_eq. intros s _.
      destruct (path_waits S g r l' p s), (on_pool_served p s); reflexivity. }
    destruct hM as (Mpos & hshare).
    assert (hMl : 0 < M /\ forall y, In y l' -> share (pool S y) * cap a (pool S y) = M) by (split; auto).
    assert (hblk' : forall y, In y l' -> sum (blocked_by S g r y) (range r (t + 1)) <= blk y).
    { intros y hy. exact (blocked_work S h g a wf lg laws F hF v r hv met parallel blk y hpar (hnode y hy) (proj2 (path_nodes S l' v wf hv hl' y hy)) (hblk y (path_ancestors S l' v hl' y hy))). }
    assert (hserved : forall p, In p (visited S l') ->
      cap a p * W p <= sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for S g r l' u r' s) * work g u r' s) (range r (t + 1))) (range 0 (t + 1))) (on_pool S p)
        + sum (fun y => sum (blocked_by S g r y) (range r (t + 1))) (kernels_there S l' p)).
    { intros p hp. apply (waited_in S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl (on_pool_served p) p (t + 1)); [|specialize (F0 v hv); fold t; unfold t; lia].
      intros y s hy hyp hon hw. rewrite <- hyp. apply (shared_pace S h P e served slices w (wf_nodup wf) sp ob valid y r s (hnode y hy) hw). intros hsh.
      unfold on_pool_served in hon. rewrite <- hyp, hsh in hon. exact hon. }
    assert (hW : sum (fun p => M * W p) (visited S l') <= sum (fun p => share p * pool_work S a n p) (visited S l') + sum (fun y => share (pool S y) * (blk y - last a y)) l').
    { rewrite <- (sum_by_pool S l' share (fun y => blk y - last a y)), <- sum_add. apply sum_le. intros p hp. pose proof (hserved p hp) as h1. pose proof (hcount p hp) as h2.
      pose proof (share_pos S h g a l' v M share p wf laws hl' hv hMl hp) as h3.
      assert (h4 : sum (fun y => sum (blocked_by S g r y) (range r (t + 1))) (kernels_there S l' p) <= sum blk (kernels_there S l' p)).
      { apply sum_le. intros y hy. apply hblk'. apply filter_In in hy. tauto. }
      unfold kernels_there in *. rewrite sum_sub.
      assert (hMp : share p * cap a p = M) by (apply in_visited in hp; destruct hp as (y & hy & <-); now apply hMl). rewrite <- hMp. nia. }
    (* gaps *)
    assert (hU : forall p, In p (visited S l') -> U p <= slice_cost S a slices M share n l' p).
    { intros p hp. unfold slice_cost. destruct (slices p) as [(slice, gap)|] eqn:hs.
      2:{ unfold U, on_pool_served, is_shared. rewrite hs. apply Z.eq_le_incl, sum_zero. intros s _. cbn [negb orb]. now rewrite andb_false_r. }
      assert (hsh : is_shared slices p = true) by (unfold is_shared; now rewrite hs).
      assert (hthere : forall y, In y (kernels_there S l' p) -> In y l' /\ pool S y = p) by (intros y hy; apply filter_In in hy; now rewrite Z.eqb_eq in hy).
      assert (hne : kernels_there S l' p <> []).
      { apply in_visited in hp. destruct hp as (y & hy & hyp). intros e0. assert (In y (kernels_there S l' p)) as h0 by (apply filter_In; split; [exact hy | now apply Z.eqb_eq]). now rewrite e0 in h0. }
      set (ws := fun y => sum (fun s => ind (waits g y r s && served p s)) (range r (t + 1))).
      set (xs := fun y => ws y + exec a y).
      assert (hrt : r <= t + 1) by (specialize (F0 v hv); unfold t; lia).
      assert (heach : forall y, In y (kernels_there S l' p) -> 0 < slice /\ 0 <= gap /\
                sum (fun s => ind (pending S h y r s && negb (served p s))) (range r (t + 1)) <= gap * (if 0 <? exec a y then cdiv (xs y) slice else 1 + xs y / slice)).
      { intros y hy. destruct (hthere y hy) as (hyl & hyp). rewrite <- hyp in hs. pose proof (kernel_unserved y r t slice gap (hnode y hyl) hs hrt) as hk. rewrite hyp in hk. exact hk. }
      assert (hpos : 0 < slice /\ 0 <= gap) by (destruct (kernels_there S l' p) as [|y ys] eqn:ek; [congruence|]; destruct (heach y (or_introl eq_refl)) as (h1 & h2 & _); auto).
      destruct hpos as (hslice & hgap).
      assert (hUy : U p <= sum (fun y => sum (fun s => ind (pending S h y r s && negb (served p s))) (range r (t + 1))) (kernels_there S l' p)).
      { rewrite (sum_exchange (fun y s => ind (pending S h y r s && negb (served p s)))). apply sum_le. intros s hsr.
        assert (h0 : 0 <= sum (fun y => ind (pending S h y r s && negb (served p s))) (kernels_there S l' p)) by (apply sum_nonneg; intros; apply ind_range).
        destruct (path_waits S g r l' p s) eqn:hw; cbn [andb ind]; [|exact h0]. unfold on_pool_served. rewrite hsh. cbn [negb orb].
        apply existsb_exists in hw. destruct hw as (y & hy & hw). apply andb_prop in hw. destruct hw as (hyp & hw). pose proof (cl_waits laws y r s (hnode y hy) hw) as hpd.
        etransitivity; [|apply (sum_in (fun y => ind (pending S h y r s && negb (served p s))) _ y); [intros; apply ind_range | apply filter_In; auto]]. cbv beta. rewrite hpd. reflexivity. }
      assert (hws : sum ws (kernels_there S l' p) <= W p).
      { unfold ws. rewrite (sum_exchange (fun y s => ind (waits g y r s && served p s))). apply sum_le. intros s hsr. unfold on_pool_served. rewrite hsh. cbn [negb orb].
        destruct (existsb (fun y => waits g y r s) (kernels_there S l' p)) eqn:some.
        - apply existsb_exists in some. destruct some as (y & hy & hw). destruct (hthere y hy) as (hyl & hyp).
          rewrite (sum_unique _ _ y); [| apply NoDup_filter, (path_nodup S l' v wf hv hl') | exact hy|].
          + replace (path_waits S g r l' p s) with true; [rewrite hw; lia|]. symmetry. apply existsb_exists. exists y. split; [exact hyl|]. now rewrite (proj2 (Z.eqb_eq _ _) hyp), hw.
          + intros z hz hne'. destruct (waits g z r s) eqn:hwz; [exfalso | reflexivity]. apply hne'. destruct (hthere z hz) as (hzl & _).
            apply (pending_alone S h lg z y r s); [exact (path_comparable S l' v hl' z y hzl hyl) | apply (cl_waits laws); auto | apply (cl_waits laws); auto].
        - rewrite sum_zero; [apply ind_range|]. intros y hy. destruct (waits g y r s) eqn:hw; [|reflexivity].
          enough (existsb (fun y => waits g y r s) (kernels_there S l' p) = true) by congruence. apply existsb_exists. eauto. }
      assert (hX : M * sum xs (kernels_there S l' p) <= virtual_time S a M share n l' p).
      { unfold virtual_time, xs. rewrite sum_add, sum_sub, !sum_scale. change (fun y => exec a y) with (exec a). change (fun y => last a y) with (last a).
        pose proof (hserved p hp) as h1. pose proof (hcount p hp) as h2. fold (kernels_there S l' p) in h2. pose proof (share_pos S h g a l' v M share p wf laws hl' hv hMl hp) as h3.
        assert (h4 : sum (fun y => sum (blocked_by S g r y) (range r (t + 1))) (kernels_there S l' p) = 0).
        { apply sum_zero. intros y hy. destruct (hthere y hy) as (hyl & hyp). apply sum_zero. intros s _. unfold blocked_by.
          rewrite <- hyp in hs. destruct (context_of S h P e served slices w sp ob valid y slice gap (hnode y hyl) hs) as (G & _ & hord & _).
          rewrite (sum_zero _ (on_pool S (pool S y))); [lia|]. intros u _. apply sum_zero. intros r' _. rewrite hord. cbn [lower ind]. lia. }
        assert (hMp : share p * cap a p = M) by (apply in_visited in hp; destruct hp as (y & hy & <-); now apply hMl). assert (hcap : 0 <= cap a p) by nia.
        assert (h5 : cap a p * sum ws (kernels_there S l' p) <= pool_work S a n p - sum (last a) (kernels_there S l' p)).
        { pose proof (Z.mul_le_mono_nonneg_l _ _ _ hcap hws) as h6. cbv beta in h2. lia. }
        pose proof (Z.mul_le_mono_nonneg_l _ _ (share p) ltac:(lia) h5) as h6. rewrite Z.mul_assoc, hMp in h6. lia. }
      etransitivity; [exact hUy|].
      assert (hdiv : forall X k, M * k <= X -> k / slice <= X / (M * slice)).
      { intros X k hk. rewrite <- (Z.div_mul_cancel_l k slice M) by lia. apply Z.div_le_mono; [nia | exact hk]. }
      destruct (forallb (fun y => 0 <? exec a y) (kernels_there S l' p)) eqn:hall.
      - rewrite forallb_forall in hall. transitivity (sum (fun y => gap * cdiv (xs y) slice) (kernels_there S l' p)).
        { apply sum_le. intros y hy. destruct (heach y hy) as (_ & _ & h1). now rewrite (hall y hy) in h1. }
        rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [exact hgap|]. etransitivity; [exact (sum_of_ceilings xs slice _ hslice hne)|]. apply Z.add_le_mono_l.
        assert (hcd : cdiv (sum xs (kernels_there S l' p)) slice = cdiv (M * sum xs (kernels_there S l' p)) (M * slice)).
        { unfold cdiv. f_equal. rewrite <- Z.mul_opp_r, Z.div_mul_cancel_l by lia. reflexivity. }
        rewrite hcd. apply cdiv_mono; [nia | exact hX].
      - transitivity (sum (fun y => gap * (1 + xs y / slice)) (kernels_there S l' p)).
        { apply sum_le. intros y hy. destruct (heach y hy) as (_ & _ & h1). etransitivity; [exact h1|]. apply Z.mul_le_mono_nonneg_l; [exact hgap|].
          destruct (0 <? exec a y); [|lia]. rewrite cdiv_floor by exact hslice. pose proof (Z.div_le_mono (xs y - 1) (xs y) slice hslice ltac:(lia)). lia. }
        rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [exact hgap|]. rewrite sum_add, sum_const. pose proof (sum_of_floors xs slice (kernels_there S l' p) hslice) as h1.
        change (fun y => xs y / slice) with (fun y => xs y / slice) in h1. pose proof (hdiv _ _ hX). lia. }
    assert (hexec : sum (fun y => sum (fun s => ind (executes S h g r y s)) (range r (t + 1))) l' <= sum (exec a) l').
    { apply sum_le. intros y hy. apply (cl_exec laws). now apply hnode. }
    specialize (hineq l' hl'). cbv zeta in hineq. fold n in hineq. unfold path_bound, path_length in hineq.
    rewrite (sum_eq (fun x0 => M * exec a x0 - share (pool S x0) * (last a x0 - blk x0)) (fun x0 => M * exec a x0 + share (pool S x0) * (blk x0 - last a x0))) in hineq by (intros; ring).
    rewrite sum_add, sum_scale in hineq. change (fun x0 => exec a x0) with (exec a) in hineq. rewrite sum_scale in hW.
    pose proof (sum_le U (slice_cost S a slices M share n l') (visited S l') hU) as hUall. rewrite hsum in hsplit. replace (t + 1 - r) with (F v + 1) in hsplit by (unfold t; ring).
    pose proof (Z.mul_le_mono_nonneg_l _ _ M ltac:(lia) hsplit) as h1. pose proof (Z.mul_le_mono_nonneg_l _ _ M ltac:(lia) hexec) as h2. pose proof (Z.mul_le_mono_nonneg_l _ _ M ltac:(lia) hUall) as h3. lia.
  Qed.

  (** T14. If the inequality holds for all nodes, every node ends within its bound. *)
  Theorem T14 F : (forall u, In u (nodes S) -> exec a u <= F u) -> (forall v, In v (nodes S) -> sliced_inequality S a slices F v) ->
    forall v, In v (nodes S) -> ends_within S h v (F v).
  Proof.
    intros hF hineq. apply all_safe; auto.
    - intros v hv. pose proof (cl_numbers laws v hv) as (? & _ & _). specialize (hF v hv). lia.
    - intros v hv. now apply T14_safe, hineq.
  Qed.
End T14.
