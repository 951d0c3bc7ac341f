(** T10j: on FIFO pools and GPUs, up to full load, (3) may stand for (2) at any node. docs/theory/path.md, "T10j". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality local.Core local.Linear local.Fifo local.Timely.

Section T10j.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Theorem T10j_safe g a F v P rep theta carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a -> (forall u, In u (nodes S) -> 0 <= F u) ->
    In v (nodes S) -> order_of S (pool S v) = Fifo ->
    common_period S (pool S v) P rep -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
    0 <= carry -> (forall r, met_before S h F v r -> carry_bound S g a (pool S v) theta carry (r + F v)) ->
    fifo_inequality S a P rep (ready_bound S F) carry v (F v) ->
    safe S h F v.
  Proof.
    intros laws F0 hv hord hP hU htheta hc0 hcarry hineq r hrel met.
    apply (fifo_local S h g a wf lg v r (F v) (ready_bound S F) P rep theta carry); auto.
    - intros u _. apply ready_bound_nonneg.
    - intros u r' s hu hs. apply in_on_pool in hu. eapply timely_while_met; eauto. tauto.
    - eapply ready_while_met; eauto.
      pose proof (fifo_room S h g a wf v (F v - ready_bound S F v) (ready_bound S F) P rep carry laws hv
        (fun u _ => ready_bound_nonneg S F u) hP hc0 hineq).
      assert (hvp : In v (on_pool S (pool S v))) by (apply in_on_pool; auto).
      pose proof (law_numbers laws v hvp). lia.
  Qed.
End T10j.
