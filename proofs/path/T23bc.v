(** T23, forms (b) and (c): one visit to a FIFO pool whose pieces run to their end, one processor each, or on which kernels start one after the other.
    docs/theory/path.md, "T23". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.Started path.Visit path.Fronts local.Timely.

(** F_v >= A_v + w + e_v, w no less than the visit takes when v is ready at A_v. *)
Definition pieces_inequality (S : system) (a : accounts) (whole : rules) (F : node -> Z) (v : node) : Prop :=
  let A := ready_bound S F v in exists w chains spots,
    order_of S (pool S v) = Fifo /\ (whole (pool S v) = true \/ in_turn whole (pool S v) = true) /\ 0 < exec a v /\ 0 <= w /\ A < F v /\ A + w + exec a v <= F v /\
    visited_by S F v v A A chains spots /\ visit_bound S a whole F v v chains spots w.

Theorem T23_bc_safe S h g a busy whole F v :
  well_formed S -> legal S h -> keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) ->
  rules_hold S h g a whole ->
  In v (nodes S) -> pieces_inequality S a whole F v -> safe S h F v.
Proof.
  intros wf lg laws hbusy hF hwhole hv (w & chains & spots & hfifo & hwh & hev & hw0 & hAF & hroom & hby & hbound) r hr met.
  destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
  set (A := ready_bound S F v) in *. set (t := r + F v) in *. pose proof (ready_bound_nonneg S F v) as hA. fold A in hA.
  assert (F0 : forall u, In u (nodes S) -> 0 <= F u) by exact (F_nonneg S h g a laws F hF).
  assert (hready : ready S h v r (r + A) = true) by (apply ready_while_met with (F := F); auto; fold A; lia).
  pose proof (visit_holds S h g a wf lg laws busy hbusy whole hwhole F v r hv hr met (F0 v hv) v hv hfifo (r + A) A A hready ltac:(lia)) as hvis.
  pose proof (visit_waits S wf a whole F v v hv hv eq_refl A A 1 _ ltac:(lia) _ _ _ _ hvis chains spots hby w hbound) as hy. rewrite Z.mul_1_l in hy.
  set (y := visit_length g F v r v (r + A)) in *.
  assert (hpend : forall s, r + A <= s <= t -> pending S h v r s = true).
  { intros s hs. apply pending_spec. split; [apply (ready_stays S h lg v r (r + A) s hready); lia|].
    destruct (done h v r s) eqn:hd; [|reflexivity]. rewrite (legal_done lg v r s t hd) in missed by lia. discriminate. }
  set (X := fun s => ind (pending S h v r s && negb (waits g v r s))).
  assert (hsplit : sum X (range (r + A) t) + y = t - (r + A)).
  { unfold y, visit_length. fold t. rewrite (sum_range_split _ r (r + A) t) by (unfold t; lia). rewrite (sum_zero (fun s => ind (visited_at g r v (r + A) s)) (range r (r + A))).
    - rewrite Z.add_0_l, <- sum_add, (sum_eq _ (fun _ => 1)); [rewrite sum_range_const by (unfold t; lia); lia|].
      intros s hs. rewrite in_range in hs. unfold X, visited_at. rewrite (hpend s), (proj2 (Z.leb_le (r + A) s)) by lia. destruct (waits g v r s); reflexivity.
    - intros s hs. rewrite in_range in hs. unfold visited_at. rewrite (proj2 (Z.leb_gt (r + A) s)) by lia. reflexivity. }
  pose proof (law_exec laws v r (r + A) (t + 1) hv) as hexec. fold X in hexec. rewrite (sum_range_split _ (r + A) t (t + 1)), range_one in hexec by (unfold t; lia).
  cbn [sum] in hexec.
  assert (hsome : 0 < sum X (range (r + A) t)) by (unfold t in *; lia). apply sum_pos_in in hsome. destruct hsome as (s & hs & hpos). rewrite in_range in hs.
  unfold X in hpos. rewrite hpend in hpos by lia. cbn [andb] in hpos. destruct (waits g v r s) eqn:hws; cbn in hpos; [lia|].
  assert (hgo' : goes_on S h g v).
  { assert (hvp : In v (on_pool S (pool S v))) by (now apply in_on_pool). destruct hwh as [hwh|hwh].
    - destruct (proj1 hwhole _ hwh) as (_ & hgo). now apply hgo.
    - now apply (proj1 (proj2 hwhole _ hwh)). }
  assert (hwt : waits g v r t = false) by (apply (hgo' r s t); auto; [apply hpend; lia | lia | apply hpend; unfold t; lia]).
  assert (hXt : X t = 1) by (unfold X; rewrite hpend, hwt by (unfold t; lia); reflexivity). unfold t in *. lia.
Qed.
