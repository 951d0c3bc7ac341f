(** Bounds of one system may rest on different theorems, also on those that know more of pools without preemption: which pieces go on when a node is
    ready, and that what runs goes on until it has ended. From the laws, for times in ticks. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.T10n path.Turns path.T10a path.FromReady path.Meanwhile path.T10w path.Started path.T10d_np path.Visit path.Fronts path.T23bc path.T10f path.T39 path.Together.

Inductive whole_reason (S : system) (a : accounts) (full : Z -> bool) (keeps : rules) (step : Z -> Z) (quiet : Z -> option Z) (F : node -> Z) (v : node) : Prop :=
| by_fitting_reason : fitting_reason S a full step quiet F v -> whole_reason S a full keeps step quiet F v
| by_T10d_np : started_inequality S a full keeps F v -> whole_reason S a full keeps step quiet F v
| by_T23_bc : pieces_inequality S a keeps F v -> whole_reason S a full keeps step quiet F v
| by_T10f : under_way_inequality S a keeps F v -> whole_reason S a full keeps step quiet F v
| by_T39 : upstream_inequality S a full keeps F v -> whole_reason S a full keeps step quiet F v.

Theorem bounds_hold_with_pieces S h busy full (keeps : rules) F :
  well_formed S -> legal S h -> (forall v, In v (nodes S) -> 0 <= F v) ->
  (forall v, In v (nodes S) -> exists g a step quiet,
     keeps_laws S h g a /\ busy_holds S h g a busy /\ steps S g step /\ quiet_holds S g a quiet /\
     (forall u, In u (nodes S) -> exec a u <= F u) /\ (forall u, In u (nodes S) -> 0 < exec a u -> executes_less S h g a u) /\ full_holds S h g a full /\
     meets_few S h g a /\ (forall p, full p = true -> lagging a p <= cap a p) /\ rules_hold S h g a keeps /\
     whole_reason S a full keeps step quiet F v) ->
  forall v, In v (nodes S) -> ends_within S h v (F v).
Proof.
  intros wf lg F0 hall. apply (all_safe_with S h wf lg busy); auto.
  - intros u r t hu hb. destruct (hall u hu) as (g & a & step & quiet & _ & hbusy & _ & _ & hF & _).
    destruct (busy_pending hbusy u r t hu hb) as (hp & he). specialize (hF u hu). split; [exact hp | lia].
  - intros v hv. destruct (hall v hv) as (g & a & step & quiet & hl & hb & hs & hq & hF & hless & hfull & hfew & hlag & hwhole & [hr | hr | hr | hr | hr]).
    + eapply (fitting_reason_safe S h wf lg); eauto.
    + apply safe_any. pose proof hr as (_ & _ & _ & _ & _ & hev & _). apply (T10d_np_safe S h wf lg g a full keeps); auto.
      * intros p hp. destruct (hfull p hp) as (e1 & e2 & _). auto.
      * intros hk. destruct (proj1 hwhole (pool S v) hk) as (_ & hgo). now apply hgo, in_on_pool.
    + apply safe_any. now apply (T23_bc_safe S h g a busy keeps F v).
    + apply safe_any. pose proof hr as (hev & _). now apply (T10f_safe S h g a busy keeps F v); auto.
    + apply safe_any. pose proof hr as (hev & _). apply (T39_safe S h g a busy full keeps F v); auto.
      intros p hp. destruct (hfull p hp) as (e1 & _ & e2). auto.
Qed.
