(** T10j: on FIFO pools and GPUs, up to full load, (3) may stand for (2) at any node. docs/theory/path.md, "T10j". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality local.Core local.Linear local.Fifo local.Timely.

Section T10j.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  (** With nominal periods: T12j on FIFO pools and GPUs. *)
  Theorem late_T10j_safe g a F v P rep late theta carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a -> (forall u, In u (nodes S) -> 0 <= F u) ->
    In v (nodes S) -> order_of S (pool S v) = Fifo ->
    come_linearly S h (pool S v) P rep late -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
    0 <= carry -> (forall r, met_before S h F v r -> carry_bound S g a (pool S v) theta carry (r + F v)) ->
    late_fifo_inequality S a P rep (ready_bound S F) late carry v (F v) ->
    safe S h F v.
  Proof.
    intros laws F0 hv hord hP hU htheta hc0 hcarry hineq r hrel met.
    pose proof hP as (Ppos & hcome). apply (fifo_local_late S h g a wf lg v r (F v) (ready_bound S F) P rep late theta carry); auto.
    - intros u _. apply ready_bound_nonneg.
    - intros u r' s hu hs. apply in_on_pool in hu. eapply timely_while_met; eauto. tauto.
    - eapply ready_while_met; eauto.
      pose proof (fifo_room S h g a v (F v - ready_bound S F v) (fun u => ready_bound S F u + late u) P rep carry laws hv) as hroom.
      specialize (hroom ltac:(intros u hu; pose proof (ready_bound_nonneg S F u); destruct (hcome u hu) as (_ & ? & _); lia) Ppos
        ltac:(intros u hu; now apply hcome) hc0 hineq).
      assert (hvp : In v (on_pool S (pool S v))) by (apply in_on_pool; auto).
      pose proof (law_numbers laws v hvp). lia.
  Qed.

  Theorem T10j_safe g a F v P rep theta carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a -> (forall u, In u (nodes S) -> 0 <= F u) ->
    In v (nodes S) -> order_of S (pool S v) = Fifo ->
    common_period S (pool S v) P rep -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
    0 <= carry -> (forall r, met_before S h F v r -> carry_bound S g a (pool S v) theta carry (r + F v)) ->
    fifo_inequality S a P rep (ready_bound S F) carry v (F v) ->
    safe S h F v.
  Proof.
    intros laws F0 hv hord hP hU htheta hc0 hcarry hineq.
    apply (late_T10j_safe g a F v P rep (fun _ => 0) theta carry); auto; [now apply come_by_periods | now apply on_time_fifo].
  Qed.
End T10j.
