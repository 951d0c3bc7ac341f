(** One node job on one pool, from the last instant at which the pool was not busy: the common core of T1, T5, T6, T8, T10j and T10g.

    Psi is the set of node jobs that may keep the node job in question waiting: those ready no later (FIFO, GPUs), or those with priority
    points no later (GEL). Let it be ready from instant ready_at on. Go back from there to the last tick in which less than theta of Psi's work
    was done: all of Psi that was ready then was served, and at most [carry] of it is left. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.

Section Core.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h).
  Context (p : Z) (laws : keeps_laws_on (on_pool S p) S h g a) (psi : node -> Z -> bool).

  (** The part of Psi in the counted work of tick s, and what is left of it if nothing of it waits. *)
  Definition rate_of (s : Z) : Z := sum (fun u => sum (fun r' => ind (psi u r') * work g u r' s) (range 0 (s + 1))) (on_pool S p).
  Definition left_of (s : Z) : Z := sum (fun u => sum (fun r' => ind (psi u r') * (exec a u * work g u r' s)) (range 0 (s + 1))) (on_pool S p).

  (* The node job (v, r), ready from ready_at on, has not ended at t. *)
  Context (v : node) (r ready_at t : Z) (hv : In v (on_pool S p)) (hrel : released h (dag S v) r = true).
  Context (hready : ready S h v r ready_at = true) (hfirst : forall s, s < ready_at -> ready S h v r s = false).
  Context (hlate : ready_at <= t) (missed : done h v r t = false).

  (* Every node u of the pool is ready within A u of its release, as far as it matters. *)
  Context (A : node -> Z).
  Context (timely : forall u r' s, In u (on_pool S p) -> s <= t -> ready S h u r' s = true -> r' + A u < s -> ready S h u r' (r' + A u) = true).
  Context (timely_v : ready_at <= r + A v).

  (* Psi: with a node job that waits it holds all that keeps it waiting; hi bounds its releases. *)
  Context (psi_self : psi v r = true).
  Context (psi_down : forall y q u r' s, In y (on_pool S p) -> In u (on_pool S p) -> psi y q = true -> s <= t ->
             waits g y q s = true -> 0 < work g u r' s -> psi u r' = true).
  Context (hi : node -> Z) (psi_hi : forall u r', In u (on_pool S p) -> psi u r' = true -> released h (dag S u) r' = true -> r' <= hi u).

  Context (theta carry : Z) (theta_cap : theta <= cap a p) (carry_nonneg : 0 <= carry).
  Context (carried : forall s, 0 <= s < ready_at -> rate_of s < theta -> left_of s <= carry).

  Lemma v_in : In v (nodes S) /\ pool S v = p.
  Proof. now apply in_on_pool. Qed.

  (* While something of Psi waits, the pool works at its capacity, on Psi. *)
  Lemma psi_rate y q s : In y (on_pool S p) -> psi y q = true -> s <= t -> waits g y q s = true -> cap a p <= rate_of s.
  Proof.
    intros hy hpsi hs hw. pose proof (proj2 (proj1 (in_on_pool S p y) hy)) as hyp.
    pose proof (law_rate laws y q s hy hw) as hr. rewrite hyp in hr. etransitivity; [exact hr|].
    apply sum_le. intros u hu. apply sum_le. intros r' _. pose proof (law_work laws u r' s hu).
    destruct (Z.eq_dec (work g u r' s) 0) as [->|hne]; [lia|].
    rewrite (psi_down y q u r' s hy hu hpsi hs hw) by lia. cbn [ind]. lia.
  Qed.

  (* What counts in tick s: before the node job is ready all of Psi, then what runs while it waits. *)
  Let counts (s : Z) : bool := (s <? ready_at) || waits g v r s.

  Let share (t0 : Z) (u : node) (r' : Z) : Z := sum (fun s => ind (counts s) * (ind (psi u r') * work g u r' s)) (range t0 (t + 1)).

  Let carried_part (t0 : Z) (u : node) (r' : Z) : Z := if 0 <? t0 then ind (psi u r') * (exec a u * work g u r' (t0 - 1)) else 0.

  Let window (t0 : Z) (u : node) (r' : Z) : bool := (t0 - A u <=? r') && (r' <=? hi u).

  Lemma share_vol t0 u r' : In u (on_pool S p) -> share t0 u r' <= vol a u.
  Proof.
    intros hu. etransitivity; [|apply (law_vol laws u r' t0 (t + 1) hu)].
    apply sum_le. intros s _. pose proof (law_work laws u r' s hu).
    destruct (counts s), (psi u r'); cbn [ind]; lia.
  Qed.

  Lemma share_nonneg t0 u r' : In u (on_pool S p) -> 0 <= share t0 u r'.
  Proof.
    intros hu. apply sum_nonneg. intros s _. pose proof (law_work laws u r' s hu).
    destruct (counts s), (psi u r'); cbn [ind]; lia.
  Qed.

  Lemma carried_part_nonneg t0 u r' : In u (on_pool S p) -> 0 <= carried_part t0 u r'.
  Proof.
    intros hu. unfold carried_part. destruct (0 <? t0); [|lia]. pose proof (law_work laws u r' (t0 - 1) hu).
    pose proof (law_numbers laws u hu) as (he & _ & _). destruct (psi u r'); cbn [ind]; nia.
  Qed.

  (* A node job is carried over from before t0, or becomes ready at t0 or later; then its release is in the window. *)
  Lemma share_split t0 u r' : In u (on_pool S p) -> t0 <= ready_at ->
    (forall y q, In y (on_pool S p) -> psi y q = true -> 0 < t0 -> waits g y q (t0 - 1) = false) ->
    share t0 u r' <= carried_part t0 u r' + ind (released h (dag S u) r' && window t0 u r') * vol a u.
  Proof.
    intros hu ht0 hquiet. pose proof (law_numbers laws u hu) as (_ & hvol & _).
    pose proof (carried_part_nonneg t0 u r' hu) as hc.
    destruct (Z.eq_dec (share t0 u r') 0) as [e|hne].
    { pose proof (ind_range (released h (dag S u) r' && window t0 u r')). nia. }
    assert (hpos : 0 < share t0 u r') by (pose proof (share_nonneg t0 u r' hu); lia).
    apply sum_pos_in in hpos. destruct hpos as (s & hs & hpos). rewrite in_range in hs.
    pose proof (law_work laws u r' s hu) as hw0.
    destruct (psi u r') eqn:hpsi; cbn [ind] in hpos; [|lia].
    assert (hw : 0 < work g u r' s) by (pose proof (ind_range (counts s)); nia).
    pose proof (law_pending laws u r' s hu hw) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel' & hr' & _).
    destruct (ready S h u r' (t0 - 1)) eqn:hbefore.
    - (* ready before t0 *)
      pose proof (proj1 (ready_spec S h u r' (t0 - 1)) hbefore) as (_ & hlt & _).
      assert (hp' : pending S h u r' (t0 - 1) = true).
      { apply pending_spec. split; [exact hbefore|]. apply pending_spec in hp. destruct hp as (_ & hnd).
        destruct (done h u r' (t0 - 1)) eqn:hd; [|reflexivity]. rewrite (legal_done lg u r' _ s hd) in hnd by lia. discriminate. }
      pose proof (law_left laws u r' (t0 - 1) (t + 1) hu hp' (hquiet u r' hu hpsi ltac:(lia))) as hleft.
      unfold carried_part in *. rewrite hpsi in *. cbn [ind] in *. destruct (Z.ltb_spec 0 t0); [|lia].
      enough (share t0 u r' <= sum (work g u r') (range (t0 - 1) (t + 1))).
      { pose proof (ind_range (released h (dag S u) r' && window t0 u r')). nia. }
      transitivity (sum (work g u r') (range t0 (t + 1))).
      + apply sum_le. intros s' _. rewrite hpsi. cbn [ind]. pose proof (law_work laws u r' s' hu). pose proof (ind_range (counts s')). nia.
      + apply sum_range_incl; [intros; now apply (law_work laws) | lia | lia].
    - (* ready at t0 or later *)
      assert (hlow : t0 - A u <= r').
      { destruct (Z_le_gt_dec (t0 - A u) r') as [|hgt]; [auto|]. exfalso.
        apply pending_spec in hp. destruct hp as (hp & _).
        pose proof (timely u r' s hu ltac:(lia) hp ltac:(lia)) as hrd.
        rewrite (ready_stays S h lg u r' (r' + A u) (t0 - 1) hrd) in hbefore by lia. discriminate. }
      assert (hhigh : r' <= hi u) by (apply psi_hi; auto).
      rewrite hrel'. unfold window. rewrite (proj2 (Z.leb_le _ _) hlow), (proj2 (Z.leb_le _ _) hhigh). cbn [andb ind].
      pose proof (share_vol t0 u r' hu). lia.
  Qed.

  (* The node job itself: not its last piece. *)
  Lemma share_self t0 : t0 <= ready_at -> share t0 v r <= vol a v - last a v.
  Proof.
    intros ht0. etransitivity; [|apply (law_last laws v r t0 (t + 1) hv)].
    apply sum_le. intros s _. rewrite psi_self. cbn [ind]. pose proof (law_work laws v r s hv).
    unfold counts. destruct (Z.ltb_spec s ready_at) as [hlt|hge]; cbn [orb ind]; [|lia].
    rewrite (no_work_unless_pending _ S h g a laws v r s hv); [lia|]. unfold pending. now rewrite hfirst.
  Qed.

  Lemma window_self t0 : t0 <= ready_at -> window t0 v r = true.
  Proof.
    intros ht0. unfold window. pose proof (psi_hi v r hv psi_self hrel). apply andb_true_intro.
    rewrite !Z.leb_le. lia.
  Qed.

  (* Sums of a condition on releases over all instants up to t. *)
  Lemma window_count t0 u : In u (on_pool S p) ->
    sum (fun r' => ind (released h (dag S u) r' && window t0 u r')) (range 0 (t + 1)) <= releases (released h (dag S u)) (t0 - A u) (hi u + 1).
  Proof.
    intros hu. unfold releases.
    rewrite (sum_eq _ (fun r' => ind (window t0 u r') * ind (released h (dag S u) r')))
      by (intros r' _; destruct (released h (dag S u) r'), (window t0 u r'); reflexivity).
    rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range].
    intros r' hr'. apply filter_In in hr'. destruct hr' as (_ & hw). apply andb_prop in hw. rewrite in_range. lia.
  Qed.

  (** Core. From t0 = ready_at - x to ready_at work of Psi is done at a rate of at least theta, then at the pool's capacity whenever the node
      job waits; all this work is carried over from before t0 or belongs to releases in the window, and its own last piece is not part of it. *)
  Theorem core : exists x, 0 <= x <= ready_at /\
    theta * x + cap a p * (t + 1 - ready_at - exec a v)
      <= carry + sum (fun u => vol a u * releases (released h (dag S u)) (ready_at - x - A u) (hi u + 1)) (on_pool S p) - last a v.
  Proof.
    destruct v_in as (hvn & hvp). pose proof (legal_start lg _ _ hrel) as hr0.
    pose proof (proj1 (ready_spec S h v r ready_at) hready) as (_ & hra & _).
    destruct (last_failure (fun s => theta <=? rate_of s) 0 ready_at ltac:(lia)) as (t0 & ht0 & hbusy & hend).
    assert (hquiet : forall y q, In y (on_pool S p) -> psi y q = true -> 0 < t0 -> waits g y q (t0 - 1) = false).
    { intros y q hy hpsi hpos. destruct hend as [->|hend]; [lia|]. apply Z.leb_gt in hend.
      destruct (waits g y q (t0 - 1)) eqn:hw; [|reflexivity]. pose proof (psi_rate y q (t0 - 1) hy hpsi ltac:(lia) hw). lia. }
    exists (ready_at - t0). split; [lia|]. replace (ready_at - (ready_at - t0)) with t0 by ring.
    (* what is done, from below *)
    assert (hlow : theta * (ready_at - t0) + cap a p * (t + 1 - ready_at - exec a v)
              <= sum (fun s => ind (counts s) * rate_of s) (range t0 (t + 1))).
    { rewrite (sum_range_split _ t0 ready_at (t + 1)) by lia. apply Z.add_le_mono.
      - rewrite <- sum_range_const by lia. apply sum_le. intros s hs. rewrite in_range in hs.
        unfold counts. rewrite (proj2 (Z.ltb_lt s ready_at)) by lia. cbn [orb ind]. specialize (hbusy s ltac:(lia)).
        apply Z.leb_le in hbusy. lia.
      - assert (hpend : forall s, ready_at <= s <= t -> pending S h v r s = true).
        { intros s hs. apply pending_spec. split; [apply (ready_stays S h lg v r ready_at s); auto; lia|].
          destruct (done h v r s) eqn:hd; [|reflexivity]. rewrite (legal_done lg v r s t hd) in missed by lia. discriminate. }
        pose proof (law_exec laws v r ready_at (t + 1) hv) as hexec. pose proof (law_cap laws v hv) as (hcap & _). rewrite hvp in hcap.
        transitivity (cap a p * sum (fun s => ind (waits g v r s)) (range ready_at (t + 1))).
        + apply Z.mul_le_mono_nonneg_l; [lia|].
          assert (hone : sum (fun s => ind (pending S h v r s && negb (waits g v r s)) + ind (waits g v r s)) (range ready_at (t + 1)) = t
            + 1 - ready_at).
          { rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_range_const by lia; lia|].
            intros s hs. rewrite in_range in hs. rewrite hpend by lia. destruct (waits g v r s); reflexivity. }
          rewrite sum_add in hone. lia.
        + rewrite <- sum_scale. apply sum_le. intros s hs. rewrite in_range in hs.
          unfold counts. rewrite (proj2 (Z.ltb_ge s ready_at)) by lia. cbn [orb].
          destruct (waits g v r s) eqn:hw; cbn [ind]; [|lia]. pose proof (psi_rate v r s hv psi_self ltac:(lia) hw). lia. }
    (* the same, node job by node job *)
    assert (hsame : sum (fun s => ind (counts s) * rate_of s) (range t0 (t + 1))
              <= sum (fun u => sum (share t0 u) (range 0 (t + 1))) (on_pool S p)).
    { etransitivity.
      - apply (sum_le _ (fun s => sum (fun u => sum (fun r' => ind (counts s) * (ind (psi u r') * work g u r' s)) (range 0 (t + 1)))
          (on_pool S p))).
        intros s hs. rewrite in_range in hs. unfold rate_of. rewrite <- sum_scale. apply sum_le. intros u hu. rewrite <- sum_scale.
        apply sum_range_incl; [|lia|lia]. intros r' _. pose proof (law_work laws u r' s hu).
        destruct (counts s), (psi u r'); cbn [ind]; lia.
      - apply Z.eq_le_incl. rewrite sum_exchange. apply sum_eq. intros u _.
        rewrite (sum_exchange (fun s r' => ind (counts s) * (ind (psi u r') * work g u r' s))). reflexivity. }
    (* from above *)
    assert (hnode : forall u, In u (on_pool S p) ->
              sum (share t0 u) (range 0 (t + 1)) + ind (u =? v) * last a v
              <= sum (carried_part t0 u) (range 0 (t + 1)) + vol a u * releases (released h (dag S u)) (t0 - A u) (hi u + 1)).
    { intros u hu. pose proof (law_numbers laws u hu) as (_ & hvol & _).
      transitivity (sum (fun r' => carried_part t0 u r' + ind (released h (dag S u) r' && window t0 u r') * vol a u) (range 0 (t + 1))).
      - destruct (Z.eqb_spec u v) as [->|hne]; cbn [ind].
        + rewrite Z.mul_1_l.
          replace (last a v) with (sum (fun r' => ind (r' =? r) * last a v) (range 0 (t + 1))).
          * rewrite <- sum_add. apply sum_le. intros r' _. destruct (Z.eqb_spec r' r) as [->|hne]; cbn [ind].
            -- rewrite hrel, (window_self t0) by lia. cbn [andb ind]. pose proof (share_self t0 ltac:(lia)).
               pose proof (carried_part_nonneg t0 v r hv). lia.
            -- pose proof (share_split t0 v r' hv ltac:(lia) hquiet). lia.
          * rewrite (sum_unique _ _ r); [rewrite Z.eqb_refl; cbn [ind]; lia | apply range_nodup | apply in_range; lia|].
            intros r' _ hne. destruct (Z.eqb_spec r' r); [contradiction|]. cbn [ind]. lia.
        + rewrite Z.mul_0_l, Z.add_0_r. apply sum_le. intros r' _. apply share_split; auto. lia.
      - rewrite sum_add, sum_scale_r. pose proof (window_count t0 u hu). nia. }
    assert (hcarry : sum (fun u => sum (carried_part t0 u) (range 0 (t + 1))) (on_pool S p) <= carry).
    { destruct (Z.ltb_spec 0 t0) as [hpos|h0].
      - destruct hend as [->|hend]; [lia|]. apply Z.leb_gt in hend. etransitivity; [|apply (carried (t0 - 1) ltac:(lia) hend)].
        apply sum_le. intros u hu. replace (t0 - 1 + 1) with t0 by ring.
        rewrite (sum_range_split _ 0 t0 (t + 1)) by lia.
        rewrite (sum_zero (carried_part t0 u) (range t0 (t + 1))).
        + rewrite Z.add_0_r. apply Z.eq_le_incl. apply sum_eq. intros r' _. unfold carried_part.
          now rewrite (proj2 (Z.ltb_lt 0 t0) hpos).
        + intros r' hr'. rewrite in_range in hr'. unfold carried_part. rewrite (proj2 (Z.ltb_lt 0 t0) hpos).
          rewrite (no_work_unless_pending _ S h g a laws u r' (t0 - 1) hu); [lia|].
          destruct (pending S h u r' (t0 - 1)) eqn:hp; [|reflexivity].
          pose proof (pending_released S h lg u r' (t0 - 1) hp) as (_ & ?). lia.
      - rewrite sum_zero; [exact carry_nonneg|]. intros u _. apply sum_zero. intros r' _. unfold carried_part.
        now rewrite (proj2 (Z.ltb_ge 0 t0) h0). }
    assert (hall : sum (fun u => sum (share t0 u) (range 0 (t + 1))) (on_pool S p) + last a v
              <= carry + sum (fun u => vol a u * releases (released h (dag S u)) (t0 - A u) (hi u + 1)) (on_pool S p)).
    { assert (hlast : last a v = sum (fun u => ind (u =? v) * last a v) (on_pool S p)).
      { rewrite (sum_unique _ _ v); [rewrite Z.eqb_refl; cbn [ind]; lia | apply NoDup_filter, (wf_nodup wf) | exact hv|].
        intros u _ hne. destruct (Z.eqb_spec u v); [contradiction|]. cbn [ind]. lia. }
      rewrite hlast, <- sum_add. etransitivity; [apply sum_le; exact hnode|]. rewrite sum_add. lia. }
    lia.
  Qed.
End Core.
