(** T12j: T10j, T10g and T11j's (5) with release jitter and nominal periods. docs/theory/jitter.md, "T12j". T11j's (6) is not here. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import path.Walk path.Inequality local.Core local.Carry local.Linear local.Fifo local.Timely local.T10j local.T10g local.T11j.

(** The pool's load by nominal periods T: P a common multiple of these, theta a whole number from the utilization to the capacity, carry what less
    than theta of work may leave, at most ceil((F_u + J_u)/T_u) jobs of node u. Work in one tick comes in multiples of step. *)
Record late_load (S : system) (a : accounts) (F : node -> Z) (T J : Z -> Z) (p P : Z) (rep : node -> Z) (step theta level carry : Z) : Prop := {
  ll_period : 0 < P /\ forall u, In u (on_pool S p) -> 0 < T (dag S u) /\ rep u * T (dag S u) = P;
  ll_utilization : utilization_at_most S a p P rep theta;
  ll_capacity : theta <= cap a p;
  ll_level : 0 <= level;
  ll_nonneg : 0 <= carry;
  ll_carry : forall z, 0 <= z < theta -> (step | z) ->
    level * z + carry_of S a p (fun u => late_releases (T (dag S u)) (J (dag S u)) (F u)) level <= carry;
}.

(** The same of nodes that are as urgent as v. *)
Record late_urgent_load (S : system) (a : accounts) (F : node -> Z) (T J : Z -> Z) (v : node) (P : Z) (rep : node -> Z) (step theta level carry : Z) : Prop := {
  lu_period : 0 < P /\ forall u, In u (on_pool S (pool S v)) -> 0 < T (dag S u) /\ rep u * T (dag S u) = P;
  lu_utilization : sum (fun u => ind (as_urgent S v u) * (vol a u * rep u)) (on_pool S (pool S v)) <= theta * P;
  lu_capacity : theta <= cap a (pool S v);
  lu_first : sum (fun u => ind (first_always S v u) * (vol a u * rep u)) (on_pool S (pool S v)) < P * cap a (pool S v);
  lu_level : 0 <= level;
  lu_nonneg : 0 <= carry;
  lu_carry : forall z, 0 <= z < theta -> (step | z) ->
    level * z + carry_of S a (pool S v) (fun u => if as_urgent S v u then late_releases (T (dag S u)) (J (dag S u)) (F u) else 0) level <= carry;
}.

Inductive late_local (S : system) (a : accounts) (step : Z -> Z) (quiet : Z -> option Z) (F : node -> Z) (T J : Z -> Z) (v : node) : Prop :=
| by_T12j P rep theta level carry :
    order_of S (pool S v) = Fifo -> late_load S a F T J (pool S v) P rep (step (pool S v)) theta level carry ->
    late_fifo_inequality S a P rep (ready_bound S F) (fun u => J (dag S u)) carry v (F v) -> late_local S a step quiet F T J v
| by_T12j_quiet P rep carry :   (* carry (a) *)
    order_of S (pool S v) = Fifo -> (0 < P /\ forall u, In u (on_pool S (pool S v)) -> 0 < T (dag S u) /\ rep u * T (dag S u) = P) ->
    utilization_at_most S a (pool S v) P rep (cap a (pool S v)) -> quiet (pool S v) = Some carry -> 0 <= carry ->
    late_fifo_inequality S a P rep (ready_bound S F) (fun u => J (dag S u)) carry v (F v) -> late_local S a step quiet F T J v
| by_T12j_points Y P rep theta level carry :
    order_of S (pool S v) = Gel Y -> lagging a (pool S v) = 0 -> late_load S a F T J (pool S v) P rep (step (pool S v)) theta level carry ->
    late_gel_inequality S a P rep (ready_bound S F) Y (fun u => J (dag S u)) carry v (F v) -> late_local S a step quiet F T J v
| by_T12j_urgent P rep theta level carry :
    (exists pi, order_of S (pool S v) = Fixed pi \/ order_of S (pool S v) = FixedAny pi) -> lagging a (pool S v) = 0 ->
    late_urgent_load S a F T J v P rep (step (pool S v)) theta level carry ->
    urgent_inequality S a P rep (ready_bound S F) (fun u => J (dag S u)) carry v (F v) -> late_local S a step quiet F T J v.

Section T12j.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).
  Context (T J : Z -> Z) (nominal : Z -> Z -> Z) (late : jittered S h T J nominal).

  Theorem T12j_safe g a step quiet F v :
    keeps_laws S h g a -> (forall u r t, In u (nodes S) -> (step (pool S u) | work g u r t)) ->
    (forall carry s, quiet (pool S v) = Some carry -> rate S g (pool S v) s < cap a (pool S v) ->
       sum (fun u => sum (fun r => exec a u * work g u r s) (range 0 (s + 1))) (on_pool S (pool S v)) <= carry) ->
    (forall u, In u (nodes S) -> exec a u <= F u) -> In v (nodes S) -> late_local S a step quiet F T J v -> safe S h F v.
  Proof.
    intros laws hstep hquiet hF hv hr.
    assert (F0 : forall u, In u (nodes S) -> 0 <= F u).
    { intros u hu. pose proof (law_numbers laws u hu) as (? & _ & _). specialize (hF u hu). lia. }
    pose proof (laws_of_pool S h g a (pool S v) laws) as hlaws.
    assert (hdiv : forall u r t, In u (on_pool S (pool S v)) -> (step (pool S v) | work g u r t)).
    { intros u r t hu. apply in_on_pool in hu. destruct hu as (hu & <-). now apply hstep. }
    assert (hcome : forall P rep, (0 < P /\ forall u, In u (on_pool S (pool S v)) -> 0 < T (dag S u) /\ rep u * T (dag S u) = P) ->
              come_linearly S h (pool S v) P rep (fun u => J (dag S u))) by (intros P rep (h1 & h2); eapply come_by_nominal_periods; eauto).
    (* what is left is of as many jobs as may be unfinished *)
    assert (hcarry : forall P rep theta level carry, late_load S a F T J (pool S v) P rep (step (pool S v)) theta level carry ->
              forall r, met_before S h F v r -> forall psi s, 0 <= s < r + F v -> rate_of S g (pool S v) psi s < theta -> left_of S g a (pool S v) psi s <= carry).
    { intros P rep theta level carry [(_ & h1) h2 h3 h4 h5 h6] r met psi s hs.
      apply (carry_by_jobs S h g a (pool S v) hlaws psi lg F (fun u => late_releases (T (dag S u)) (J (dag S u)) (F u)) level (step (pool S v)) theta); auto.
      - intros u hu. destruct (h1 u hu) as (hT & _). apply in_on_pool in hu. pose proof (late_counting S h T J nominal late u (s - F u) s ltac:(tauto) hT) as hc.
        pose proof (jitter_nonneg late u ltac:(tauto)). split; [unfold late_releases; destruct (Z.ltb_spec 0 (F u)); [apply cdiv_nonneg; lia | lia]|]. right.
        now replace (s - (s - F u)) with (F u) in hc by ring.
      - intros u r' hu. apply in_on_pool in hu. apply (recent_while_met S h lg F v r); [exact met | tauto | lia]. }
    destruct hr as [P rep theta level carry hord hload hineq | P rep carry hord hP hU hq hc0 hineq | Y P rep theta level carry hord hlag hload hineq
      | P rep theta level carry hord hlag hload hineq].
    - pose proof hload as [h1 h2 h3 h4 h5 h6].
      apply (late_T10j_safe S h wf lg g a F v P rep (fun u => J (dag S u)) theta carry); auto. intros r met s hs hrate.
      pose proof (hcarry P rep theta level carry hload r met (fun _ _ => true) s hs) as hc. unfold left_of, rate_of in hc.
      etransitivity; [|apply hc].
      + apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros r' _. cbn [ind]. lia.
      + eapply Z.le_lt_trans; [|exact hrate]. apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros r' _. cbn [ind]. lia.
    - apply (late_T10j_safe S h wf lg g a F v P rep (fun u => J (dag S u)) (cap a (pool S v)) carry); auto; [lia|]. intros r _ s _ hrate. now apply hquiet.
    - pose proof hload as [h1 h2 h3 h4 h5 h6].
      apply (late_T10g_safe S h wf lg g a F Y v P rep (fun u => J (dag S u)) theta carry); auto. intros r met. now apply (hcarry P rep theta level).
    - destruct hload as [(h0 & h1) h2 h3 h4 h5 h6 h7].
      apply (urgent_safe S h wf lg g a F v P rep (fun u => J (dag S u)) theta carry); auto. intros r met psi s hpsi hs.
      apply (carry_by_jobs S h g a (pool S v) hlaws psi lg F
        (fun u => if as_urgent S v u then late_releases (T (dag S u)) (J (dag S u)) (F u) else 0) level (step (pool S v)) theta); auto.
      + intros u hu. destruct (h1 u hu) as (hT & _). destruct (as_urgent S v u) eqn:hurg.
        * apply in_on_pool in hu. pose proof (late_counting S h T J nominal late u (s - F u) s ltac:(tauto) hT) as hc.
          pose proof (jitter_nonneg late u ltac:(tauto)). split; [unfold late_releases; destruct (Z.ltb_spec 0 (F u)); [apply cdiv_nonneg; lia | lia]|]. right.
          now replace (s - (s - F u)) with (F u) in hc by ring.
        * split; [lia|]. left. intros r'. destruct (psi u r') eqn:hp; [|reflexivity]. specialize (hpsi u r' hp). congruence.
      + intros u r' hu. apply in_on_pool in hu. apply (recent_while_met S h lg F v r); [exact met | tauto | lia].
  Qed.
End T12j.
