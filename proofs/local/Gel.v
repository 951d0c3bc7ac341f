(** One node job on a preemptive GEL pool: what T1, T1e and T10g share. docs/theory/cpu.md, T1; docs/theory/path.md, T10g. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality local.Core local.Carry local.Linear local.Timely.

Section Gel.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h).

  (* Psi: node jobs with priority points no later than that of (v, r). From x before v is ready, Psi's work done and to be done. *)
  Theorem gel_core v r t A Y theta carry :
    let p := pool S v in
    keeps_laws_on (on_pool S p) S h g a ->
    In v (nodes S) -> order_of S p = Gel Y -> lagging a p = 0 -> released h (dag S v) r = true ->
    (forall u, In u (on_pool S p) -> 0 <= A u) ->
    (forall u r' s, In u (on_pool S p) -> s <= t -> ready S h u r' s = true -> r' + A u < s -> ready S h u r' (r' + A u) = true) ->
    ready S h v r (r + A v) = true -> r + A v <= t -> done h v r t = false ->
    theta <= cap a p -> 0 <= carry ->
    (forall psi s, 0 <= s < t -> rate_of S g p psi s < theta -> left_of S g a p psi s <= carry) ->
    exists x b, 0 <= x /\ 0 <= b <= A v /\
      theta * x + cap a p * (t + 1 - r - b - exec a v)
        <= carry + sum (fun u => vol a u * releases (released h (dag S u)) (r + b - x - A u) (r + Y v - Y u + 1)) (on_pool S p) - last a v.
  Proof.
    intros p laws hv hord hlag hrel hA htimely hready hlate missed htheta hc0 hcarry.
    assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
    destruct (first_such (ready S h v r) r (r + A v) hready ltac:(specialize (hA v hvp); lia)) as (ra & hra & hready' & hbefore).
    assert (hfirst : forall s, s < ra -> ready S h v r s = false).
    { intros s hs. destruct (Z_le_gt_dec r s) as [hle|hgt]; [apply hbefore; lia|].
      destruct (ready S h v r s) eqn:e; [|reflexivity]. apply ready_spec in e. lia. }
    set (psi := fun u r' => r' + Y u <=? r + Y v).
    destruct (core S h g a wf lg p laws psi v r ra t hvp hrel hready' hfirst ltac:(lia) missed A htimely ltac:(lia))
      with (hi := fun u => r + Y v - Y u) (theta := theta) (carry := carry) as (x & hx & hcore); auto.
    - unfold psi. apply Z.leb_refl.
    - intros y q u r' s hy hu hpsi hs hw hwork.
      pose proof (proj1 (in_on_pool S p y) hy) as (_ & hyp). pose proof (proj1 (in_on_pool S p u) hu) as (_ & hup).
      pose proof (order_preemptive _ S h g a laws y q u r' s hy hu ltac:(congruence) (proj1 (proj1 (in_on_pool S p u) hu))
        ltac:(rewrite hyp; auto) ltac:(rewrite hyp; auto) lg hw hwork) as hb.
      rewrite hyp, hord in hb. cbn [before] in hb.
      unfold psi in *. apply Z.leb_le in hpsi. apply Z.leb_le. lia.
    - intros u r' _ hpsi _. apply Z.leb_le in hpsi. lia.
    - intros s hs. apply hcarry. lia.
    - exists x, (ra - r). replace (r + (ra - r)) with ra by ring.
      replace (t + 1 - r - (ra - r) - exec a v) with (t + 1 - ra - exec a v) by ring. repeat split; auto; lia.
  Qed.
End Gel.
