(** Bounds of one system may rest on different theorems: T10n at one node, T10a, T10j or T10g at another.
docs/theory/path.md, "Use the smaller". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import path.Walk path.Inequality path.T10n path.Turns path.T10a path.Instead path.T23 path.T24 path.Meanwhile path.T10w path.T12 path.T12w path.T10v path.T10c path.T10m path.ByAge.
From Rta Require Import local.Core local.Carry local.Linear local.Fifo local.Timely local.T10j local.T10g local.T12j.

(** What T10j and T10g share: P = rep u * T_u a common multiple of the pool's periods, theta a whole number from the utilization to the
    capacity, carry what less than theta of work may leave, by count at some level (local/Carry.v). Work in one tick comes in multiples of
    step. *)
Record pool_load (S : system) (a : accounts) (F : node -> Z) (p P : Z) (rep : node -> Z) (step theta level carry : Z) : Prop := {
  pl_period : common_period S p P rep;
  pl_utilization : utilization_at_most S a p P rep theta;
  pl_capacity : theta <= cap a p;
  pl_level : 0 <= level;
  pl_nonneg : 0 <= carry;
  pl_carry : forall z, 0 <= z < theta -> (step | z) -> level * z + counted_carry S a p F level <= carry;
}.

(** The reasons for which F_v may be claimed. *)
Inductive reason (S : system) (a : accounts) (step : Z -> Z) (quiet : Z -> option Z) (F : node -> Z) (v : node) : Prop :=
| by_T10n : path_inequality S a F v -> reason S a step quiet F v
| by_T10j P rep theta level carry :
    order_of S (pool S v) = Fifo -> pool_load S a F (pool S v) P rep (step (pool S v)) theta level carry ->
    fifo_inequality S a P rep (ready_bound S F) carry v (F v) -> reason S a step quiet F v
| by_T10j_quiet P rep carry :   (* carry (a) *)
    order_of S (pool S v) = Fifo -> common_period S (pool S v) P rep -> utilization_at_most S a (pool S v) P rep (cap a (pool S v)) ->
    quiet (pool S v) = Some carry -> 0 <= carry ->
    fifo_inequality S a P rep (ready_bound S F) carry v (F v) -> reason S a step quiet F v
| by_T10g Y P rep theta level carry :
    order_of S (pool S v) = Gel Y -> lagging a (pool S v) = 0 -> pool_load S a F (pool S v) P rep (step (pool S v)) theta level carry ->
    gel_inequality S a P rep (ready_bound S F) Y carry v (F v) -> reason S a step quiet F v.

(** And T10a, T23 and T24, which also ask what is worked on, and T10v and T10c, which also ask which pools are of processors: [full]. *)
Inductive any_reason (S : system) (a : accounts) (full : Z -> bool) (step : Z -> Z) (quiet : Z -> option Z) (F : node -> Z) (v : node) : Prop :=
| by_reason : reason S a step quiet F v -> any_reason S a full step quiet F v
| by_T10a : aligned_inequality S a F v -> any_reason S a full step quiet F v
| by_T10a_instead : instead_inequality S a F v -> any_reason S a full step quiet F v
| by_T23 : visit_inequality S a F v -> any_reason S a full step quiet F v
| by_T24 : at_once_inequality S a F v -> any_reason S a full step quiet F v
| by_T10v : overlapped_inequality S a full F v -> any_reason S a full step quiet F v
| by_T10c : backlog_inequality S a full F v -> any_reason S a full step quiet F v.

(** And T10w, T10m and T10d by age, which ask that a node has ended when it has executed for its worst case. *)
Inductive fitting_reason (S : system) (a : accounts) (full : Z -> bool) (step : Z -> Z) (quiet : Z -> option Z) (F : node
  -> Z) (v : node) : Prop :=
| by_any_reason : any_reason S a full step quiet F v -> fitting_reason S a full step quiet F v
| by_T10w : fitting_inequality S a full F v -> fitting_reason S a full step quiet F v
| by_T10m : families_inequality S a full F v -> fitting_reason S a full step quiet F v
| by_T10d_by_age : aged_inequality (fun _ => by_periods) S a full F v -> fitting_reason S a full step quiet F v.

(** These pools are of processors: no more than all run, and what is ready runs or waits. *)
Definition full_holds (S : system) (h : history) (g : progress) (a : accounts) (full : Z -> bool) : Prop :=
  forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p.

(** The counted work of a tick comes in multiples of the pool's step; 1 always will do. *)
Definition steps (S : system) (g : progress) (step : Z -> Z) : Prop :=
  forall u r t, In u (nodes S) -> (step (pool S u) | work g u r t).

(** Where less than the capacity of p is worked on, at most quiet p is left (None: nothing is claimed). *)
Definition quiet_holds (S : system) (g : progress) (a : accounts) (quiet : Z -> option Z) : Prop :=
  forall v carry s, In v (nodes S) -> quiet (pool S v) = Some carry -> rate S g (pool S v) s < cap a (pool S v) ->
    sum (fun u => sum (fun r => exec a u * work g u r s) (range 0 (s + 1))) (on_pool S (pool S v)) <= carry.

Section Together.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Lemma reason_safe g a step quiet F v :
    keeps_laws S h g a -> steps S g step -> quiet_holds S g a quiet -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    In v (nodes S) -> reason S a step quiet F v -> safe S h F v.
  Proof.
    intros laws hstep hquiet hF hv hr.
    assert (F0 : forall u, In u (nodes S) -> 0 <= F u).
    { intros u hu. pose proof (law_numbers laws u hu) as (? & _ & _). specialize (hF u hu). lia. }
    pose proof (laws_of_pool S h g a (pool S v) laws) as hlaws.
    assert (hdiv : forall u r t, In u (on_pool S (pool S v)) -> (step (pool S v) | work g u r t)).
    { intros u r t hu. apply in_on_pool in hu. destruct hu as (hu & <-). now apply hstep. }
    destruct hr as [hineq | P rep theta level carry hord [h1 h2 h3 h4 h5 h6] hineq | P rep carry hord hP hU hq hc0 hineq
      | Y P rep theta level carry hord hlag [h1 h2 h3 h4 h5 h6] hineq].
    - now apply (T10n_safe S h wf lg g a F v laws).
    - apply (T10j_safe S h wf lg g a F v P rep theta carry); auto. intros r met s hs hrate.
      pose proof (carry_by_count S h g a (pool S v) hlaws (fun _ _ => true) wf lg F level (step (pool S v)) theta carry s h4 hdiv h6) as hc.
      unfold left_of, rate_of in hc. etransitivity; [|apply hc].
      + apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros r' _. cbn [ind]. lia.
      + intros u r' hu. apply in_on_pool in hu. apply (recent_while_met S h lg F v r); [exact met | tauto | lia].
      + eapply Z.le_lt_trans; [|exact hrate]. apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros r' _. cbn [ind]. lia.
    - apply (T10j_safe S h wf lg g a F v P rep (cap a (pool S v)) carry); auto; [lia|]. intros r _ s _ hrate. now apply hquiet.
    - apply (T10g_safe S h wf lg g a F Y v P rep theta carry); auto. intros r met psi s hs.
      apply (carry_by_count S h g a (pool S v) hlaws psi wf lg F level (step (pool S v)) theta carry); auto.
      intros u r' hu. apply in_on_pool in hu. apply (recent_while_met S h lg F v r); [exact met | tauto | lia].
  Qed.

  (** The accounts, and with them the weights of GPUs, may be others at every node. *)
  Theorem bounds_hold F :
    (forall v, In v (nodes S) -> 0 <= F v) ->
    (forall v, In v (nodes S) -> exists g a step quiet,
       keeps_laws S h g a /\ steps S g step /\ quiet_holds S g a quiet /\ (forall u, In u (nodes S) -> exec a u <= F u) /\
       reason S a step quiet F v) ->
    forall v, In v (nodes S) -> ends_within S h v (F v).
  Proof.
    intros F0 hall. apply all_safe; auto. intros v hv. destruct (hall v hv) as (g & a & step & quiet & hl & hs & hq & hF & hr).
    eapply reason_safe; eauto.
  Qed.

  Lemma any_reason_safe g a full step quiet busy F v :
    keeps_laws S h g a -> busy_holds S h g a busy -> steps S g step -> quiet_holds S g a quiet -> (forall u, In u (nodes S) -> exec a u
      <= F u) ->
    full_holds S h g a full -> In v (nodes S) -> any_reason S a full step quiet F v -> safe_with S h busy F v.
  Proof.
    intros hl hb hs hq hF hfull hv [hr | hr | hr | hr | hr | hr | hr].
    - apply safe_any. eapply reason_safe; eauto.
    - eapply T10a_safe; eauto.
    - eapply T10a_instead_safe; eauto.
    - eapply T23_safe; eauto.
    - eapply T24_safe; eauto.
    - eapply (T10v_safe S h wf lg g a full); eauto. intros p hp. destruct (hfull p hp) as (h1 & _ & h2). auto.
    - apply safe_any. eapply (T10c_safe S h wf lg g a full); eauto. intros p hp. destruct (hfull p hp) as (h1 & _ & h2). auto.
  Qed.

  Theorem bounds_hold_together busy full F :
    (forall v, In v (nodes S) -> 0 <= F v) ->
    (forall v, In v (nodes S) -> exists g a step quiet,
       keeps_laws S h g a /\ busy_holds S h g a busy /\ steps S g step /\ quiet_holds S g a quiet /\
       (forall u, In u (nodes S) -> exec a u <= F u) /\ full_holds S h g a full /\ any_reason S a full step quiet F v) ->
    forall v, In v (nodes S) -> ends_within S h v (F v).
  Proof.
    intros F0 hall. apply (all_safe_with S h wf lg busy); auto.
    - intros u r t hu hb. destruct (hall u hu) as (g & a & step & quiet & _ & hbusy & _ & _ & hF & _).
      destruct (busy_pending hbusy u r t hu hb) as (hp & he). specialize (hF u hu). split; [exact hp | lia].
    - intros v hv. destruct (hall v hv) as (g & a & step & quiet & hl & hb & hs & hq & hF & hfull & hr). eapply any_reason_safe; eauto.
  Qed.

  Lemma fitting_reason_safe g a full step quiet busy F v :
    keeps_laws S h g a -> busy_holds S h g a busy -> steps S g step -> quiet_holds S g a quiet -> (forall u, In u (nodes S) -> exec a u
      <= F u) ->
    (forall u, In u (nodes S) -> 0 < exec a u -> executes_less S h g a u) -> full_holds S h g a full ->
    In v (nodes S) -> fitting_reason S a full step quiet F v -> safe_with S h busy F v.
  Proof.
    intros hl hb hs hq hF hless hfull hv [hr | hr | hr | hr].
    - eapply any_reason_safe; eauto.
    - apply safe_any. pose proof hr as (M & lim & _ & hev & _). eapply T10w_safe; eauto.
      intros p hp. destruct (hfull p hp) as (h1 & h2 & _). auto.
    - apply safe_any. pose proof hr as (M & p & D & U & cs & lim & LV & LS & I & _ & hev & _). eapply (T10m_safe S h wf lg g a full); eauto.
    - apply safe_any. eapply (T10d_by_age_safe S h wf lg g a full); eauto.
  Qed.

  Theorem bounds_hold_if_ended busy full F :
    (forall v, In v (nodes S) -> 0 <= F v) ->
    (forall v, In v (nodes S) -> exists g a step quiet,
       keeps_laws S h g a /\ busy_holds S h g a busy /\ steps S g step /\ quiet_holds S g a quiet /\
       (forall u, In u (nodes S) -> exec a u <= F u) /\ (forall u, In u (nodes S) -> 0 < exec a u -> executes_less S h g a u) /\
       full_holds S h g a full /\ fitting_reason S a full step quiet F v) ->
    forall v, In v (nodes S) -> ends_within S h v (F v).
  Proof.
    intros F0 hall. apply (all_safe_with S h wf lg busy); auto.
    - intros u r t hu hb. destruct (hall u hu) as (g & a & step & quiet & _ & hbusy & _ & _ & hF & _).
      destruct (busy_pending hbusy u r t hu hb) as (hp & he). specialize (hF u hu). split; [exact hp | lia].
    - intros v hv. destruct (hall v hv) as (g & a & step & quiet & hl & hb & hs & hq & hF & hless & hfull & hr).
      eapply fitting_reason_safe; eauto.
  Qed.

  (** With release jitter, nominal periods T and periods T - J of the system, each node may also rest on T12, T12w, T12m, T12d or T12j. *)
  Theorem bounds_hold_with_jitter T J nominal busy full F :
    jittered S h T J nominal -> (forall v, In v (nodes S) -> 0 <= F v) ->
    (forall v, In v (nodes S) -> exists g a step quiet,
       keeps_laws S h g a /\ busy_holds S h g a busy /\ steps S g step /\ quiet_holds S g a quiet /\
       (forall u, In u (nodes S) -> exec a u <= F u) /\ (forall u, In u (nodes S) -> 0 < exec a u -> executes_less S h g a u) /\
       full_holds S h g a full /\
       (fitting_reason S a full step quiet F v \/ late_path_inequality S a F T J v \/ late_fitting_inequality S a full F T J v \/
        late_local S a step quiet F T J v \/ late_families_inequality S a full F T J v \/
        aged_inequality (by_nominal_instants S T J) S a full F v)) ->
    forall v, In v (nodes S) -> ends_within S h v (F v).
  Proof.
    intros hj F0 hall. apply (all_safe_with S h wf lg busy); auto.
    - intros u r t hu hb. destruct (hall u hu) as (g & a & step & quiet & _ & hbusy & _ & _ & hF & _).
      destruct (busy_pending hbusy u r t hu hb) as (hp & he). specialize (hF u hu). split; [exact hp | lia].
    - intros v hv. destruct (hall v hv) as (g & a & step & quiet & hl & hb & hs & hq & hF & hless & hfull & [hr | [hr | [hr | [hr | [hr | hr]]]]]).
      + eapply fitting_reason_safe; eauto.
      + apply safe_any. eapply T12_safe; eauto.
      + apply safe_any. pose proof hr as (M & lim & _ & hev & _). eapply T12w_safe; eauto.
        intros p hp. destruct (hfull p hp) as (h1 & h2 & _). auto.
      + apply safe_any. eapply T12j_safe; eauto.
      + apply safe_any. pose proof hr as (M & p & D & U & cs & lim & LV & LS & I & _ & hev & _). eapply (T12m_safe S h wf lg T J nominal g a full); eauto.
      + apply safe_any. eapply (T12d_by_age_safe S h wf lg T J nominal g a full); eauto.
  Qed.
End Together.
