(** T10j, the local bound on FIFO pools and GPUs up to full load; with kernels released by themselves it is T6.

    docs/theory/path.md, "T10j"; docs/theory/gpu.md, T6. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality local.Core local.Carry local.Linear.

(** A bound R of the time from the instant at which v is ready, times P and the capacity; nodes u are ready within A_u of their release:
      R >= (carry + sum over u on p of vol_u (1 + A_u/T_u) - s_v)/cap + e_v. *)
Definition fifo_response_inequality (S : system) (a : accounts) (P : Z) (rep A : node -> Z) (carry : Z) (v : node) (R : Z) : Prop :=
  let p := pool S v in
  P * carry + sum (fun u => vol a u * (P + rep u * A u)) (on_pool S p) - P * last a v <= P * cap a p * (R - exec a v).

(** Inequality (3) is F_v >= A_v + that. *)
Definition fifo_inequality (S : system) (a : accounts) (P : Z) (rep A : node -> Z) (carry : Z) (v : node) (F : Z) : Prop :=
  fifo_response_inequality S a P rep A carry v (F - A v).

(** The utilization of pool p is at most theta. *)
Definition utilization_at_most (S : system) (a : accounts) (p P : Z) (rep : node -> Z) (theta : Z) : Prop :=
  sum (fun u => vol a u * rep u) (on_pool S p) <= theta * P.

Section Fifo.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h).

  (** A tick before t with less than theta of work leaves at most carry. *)
  Definition carry_bound (p theta carry t : Z) : Prop :=
    forall s, 0 <= s < t -> rate S g p s < theta -> sum (fun u => sum (fun r => exec a u * work g u r s) (range 0 (s + 1))) (on_pool S p)
      <= carry.

  (** It leaves room for e_v. *)
  Lemma fifo_room v R A P rep carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a -> In v (nodes S) -> (forall u, In u (on_pool S (pool S v)) -> 0 <= A u) ->
    0 < P -> (forall u, In u (on_pool S (pool S v)) -> 0 < rep u) -> 0 <= carry -> fifo_response_inequality S a P rep A carry v R -> exec a v <= R.
  Proof.
    intros laws hv hA Ppos hreppos hc0 hineq. unfold fifo_response_inequality in hineq. set (p := pool S v) in *.
    assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
    pose proof (law_cap laws v hvp) as (hcap & _). fold p in hcap.
    assert (hs : vol a v * (P + rep v * A v) <= sum (fun u => vol a u * (P + rep u * A u)) (on_pool S p)).
    { apply (sum_in (fun u => vol a u * (P + rep u * A u))); [|exact hvp]. intros u hu. specialize (hA u hu). specialize (hreppos u hu).
      pose proof (law_numbers laws u hu) as (_ & ? & _). assert (0 <= rep u * A u) by nia. nia. }
    pose proof (law_numbers laws v hvp) as (_ & hvol & _). specialize (hA v hvp). specialize (hreppos v hvp).
    assert (0 <= rep v * A v) by nia. assert (0 <= vol a v * (rep v * A v)) by nia.
    assert (0 <= P * carry) by nia. assert (P * last a v <= P * vol a v) by nia.
    assert (0 < P * cap a p) by nia. assert (0 <= P * cap a p * (R - exec a v)) by nia. nia.
  Qed.

  (** late u: how much later than instants T_u apart u's DAG is released. *)
  Theorem fifo_response_late v r ra R A P rep late theta carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a ->
    In v (nodes S) -> order_of S (pool S v) = Fifo -> released h (dag S v) r = true ->
    (forall u, In u (on_pool S (pool S v)) -> 0 <= A u) ->
    (forall u r' s, In u (on_pool S (pool S v)) -> s <= ra + R -> ready S h u r' s = true -> r' + A u < s -> ready S h u r' (r' + A u) = true) ->
    ready S h v r ra = true -> (forall s, s < ra -> ready S h v r s = false) -> ra <= r + A v ->
    come_linearly S h (pool S v) P rep late -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
    0 <= carry -> carry_bound (pool S v) theta carry (ra + R) ->
    fifo_response_inequality S a P rep (fun u => A u + late u) carry v R ->
    done h v r (ra + R) = true.
  Proof.
    intros laws hv hord hrel hA htimely hready' hfirst hra hP hU htheta hc0 hcarry hineq.
    destruct (done h v r (ra + R)) eqn:missed; [reflexivity|]. exfalso.
    set (p := pool S v) in *. unfold fifo_response_inequality in hineq. fold p in hineq.
    assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
    destruct hP as (Ppos & hcome). pose proof (law_cap laws v hvp) as (hcap & _). fold p in hcap.
    pose proof (fun u hu => proj1 (hcome u hu)) as hreppos.
    assert (hA' : forall u, In u (on_pool S p) -> 0 <= A u + late u) by (intros u hu; specialize (hA u hu); destruct (hcome u hu) as (_ & ? & _); lia).
    pose proof (fifo_room v R (fun u => A u + late u) P rep carry laws hv hA' Ppos hreppos hc0 hineq) as hroom.
    pose proof (law_numbers laws v hvp) as (hev & hvv & _).
    set (psi := fun u r' => ready S h u r' ra).
    destruct (core S h g a wf lg p laws psi v r ra (ra + R) hvp hrel hready' hfirst ltac:(lia) missed A htimely ltac:(lia) hready')
      with (hi := fun _ : node => ra) (theta := theta) (carry := carry) as (x & hx & hcore); auto.
    - (* what keeps Psi waiting is in Psi *)
      intros y q u r' s hy hu hpsi hs hw hwork.
      pose proof (proj1 (in_on_pool S p y) hy) as (_ & hyp). pose proof (proj1 (in_on_pool S p u) hu) as (_ & hup).
      assert (hlow : lower (order_of S (pool S y)) u r' y q = false) by (now rewrite hyp, hord).
      pose proof (law_order laws y q u r' s hy hu ltac:(congruence) hw hwork hlow) as hb. rewrite hyp, hord in hb. cbn [before] in hb.
      apply hb. exact hpsi.
    - intros u r' hu hpsi _. apply ready_spec in hpsi. lia.
    - intros s hs hrate.
      assert (hin : forall u r', In u (on_pool S p) -> 0 < work g u r' s -> psi u r' = true).
      { intros u r' hu hw. pose proof (law_pending laws u r' s hu hw) as hp.
        apply pending_spec in hp. apply (ready_stays S h lg u r' s ra); [tauto | lia]. }
      unfold left_of. unfold rate_of in hrate. etransitivity; [|apply (hcarry s ltac:(lia))].
      + apply Z.eq_le_incl. apply sum_eq. intros u hu. apply sum_eq. intros r' _.
        pose proof (law_work laws u r' s hu).
        destruct (Z.eq_dec (work g u r' s) 0) as [->|hne]; [lia|]. rewrite hin by (auto; lia). cbn [ind]. lia.
      + eapply Z.le_lt_trans; [|exact hrate]. apply Z.eq_le_incl. apply sum_eq. intros u hu. apply sum_eq. intros r' _.
        pose proof (law_work laws u r' s hu).
        destruct (Z.eq_dec (work g u r' s) 0) as [->|hne]; [lia|]. rewrite hin by (auto; lia). cbn [ind]. lia.
    - (* released work, linearly *)
      assert (hlin : P * sum (fun u => vol a u * releases (released h (dag S u)) (ra - x - A u) (ra + 1)) (on_pool S p)
                <= sum (fun u => vol a u * (P + rep u * (A u + late u))) (on_pool S p) + x * sum (fun u => vol a u * rep u) (on_pool S p)).
      { rewrite <- !sum_scale, <- sum_add. apply sum_le. intros u hu. specialize (hA u hu).
        pose proof (law_numbers laws u hu) as (_ & hvol & _). destruct (hcome u hu) as (hrp & hl0 & hl). specialize (hl (ra - x - A u) ra).
        replace (ra - (ra - x - A u) + late u) with (x + (A u + late u)) in hl by ring. rewrite Z.max_r in hl by nia. nia. }
      unfold utilization_at_most in hU.
      assert (hmul : P * (theta * x + cap a p * (ra + R + 1 - ra - exec a v)) <= P * (carry +
        sum (fun u => vol a u * releases (released h (dag S u)) (ra - x - A u) (ra + 1)) (on_pool S p) - last a v)) by nia.
      assert (hUx : x * sum (fun u => vol a u * rep u) (on_pool S p) <= x * (theta * P)) by nia.
      assert (0 < P * cap a p) by nia. lia.
  Qed.

  Theorem fifo_response v r ra R A P rep theta carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a ->
    In v (nodes S) -> order_of S (pool S v) = Fifo -> released h (dag S v) r = true ->
    (forall u, In u (on_pool S (pool S v)) -> 0 <= A u) ->
    (forall u r' s, In u (on_pool S (pool S v)) -> s <= ra + R -> ready S h u r' s = true -> r' + A u < s -> ready S h u r' (r' + A u) = true) ->
    ready S h v r ra = true -> (forall s, s < ra -> ready S h v r s = false) -> ra <= r + A v ->
    common_period S (pool S v) P rep -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
    0 <= carry -> carry_bound (pool S v) theta carry (ra + R) ->
    fifo_response_inequality S a P rep A carry v R ->
    done h v r (ra + R) = true.
  Proof.
    intros laws hv hord hrel hA htimely hready hfirst hra hP hU htheta hc0 hcarry hineq.
    apply (fifo_response_late v r ra R A P rep (fun _ => 0) theta carry); auto; [now apply come_by_periods|].
    unfold fifo_response_inequality in *. rewrite (sum_eq _ (fun u => vol a u * (P + rep u * A u))); [exact hineq|]. intros u _. cbv beta. ring.
  Qed.

  (** The same from the release. *)
  Theorem fifo_local_late v r F A P rep late theta carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a ->
    In v (nodes S) -> order_of S (pool S v) = Fifo -> released h (dag S v) r = true ->
    (forall u, In u (on_pool S (pool S v)) -> 0 <= A u) ->
    (forall u r' s, In u (on_pool S (pool S v)) -> s <= r + F -> ready S h u r' s = true -> r' + A u < s -> ready S h u r' (r' + A u) = true) ->
    ready S h v r (r + A v) = true ->
    come_linearly S h (pool S v) P rep late -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
    0 <= carry -> carry_bound (pool S v) theta carry (r + F) ->
    fifo_response_inequality S a P rep (fun u => A u + late u) carry v (F - A v) ->
    done h v r (r + F) = true.
  Proof.
    intros laws hv hord hrel hA htimely hready hP hU htheta hc0 hcarry hineq.
    assert (hvp : In v (on_pool S (pool S v))) by (apply in_on_pool; auto).
    destruct (first_such (ready S h v r) r (r + A v) hready ltac:(specialize (hA v hvp); lia)) as (ra & hra & hready' & hbefore).
    assert (hfirst : forall s, s < ra -> ready S h v r s = false).
    { intros s hs. destruct (Z_le_gt_dec r s) as [hle|hgt]; [apply hbefore; lia|].
      destruct (ready S h v r s) eqn:e; [|reflexivity]. apply ready_spec in e. lia. }
    replace (r + F) with (ra + (r + F - ra)) by ring.
    apply (fifo_response_late v r ra (r + F - ra) A P rep late theta carry); auto; try lia.
    - intros u r' s hu hs. apply htimely; [exact hu | lia].
    - now replace (ra + (r + F - ra)) with (r + F) by ring.
    - unfold fifo_response_inequality in *. pose proof (law_cap laws v hvp) as (hcap & _). destruct hP as (Ppos & _).
      assert (0 < P * cap a (pool S v)) by nia. nia.
  Qed.

  (** (3) with A_u + late_u for A_u in the sums. *)
  Definition late_fifo_inequality (P : Z) (rep A late : node -> Z) (carry : Z) (v : node) (F : Z) : Prop :=
    fifo_response_inequality S a P rep (fun u => A u + late u) carry v (F - A v).

  Lemma on_time_fifo P rep A carry v F : fifo_inequality S a P rep A carry v F -> late_fifo_inequality P rep A (fun _ => 0) carry v F.
  Proof.
    unfold late_fifo_inequality, fifo_inequality, fifo_response_inequality. intros hineq.
    rewrite (sum_eq _ (fun u => vol a u * (P + rep u * A u))); [exact hineq|]. intros u _. cbv beta. ring.
  Qed.
End Fifo.
