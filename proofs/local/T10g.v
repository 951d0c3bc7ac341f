(** T10g: on preemptive GEL pools, by node or by DAG, up to full load, (4) may stand for (2) at any node. docs/theory/path.md, "T10g". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality local.Core local.Carry local.Linear local.Timely local.Gel local.Fifo.

(** Inequality (4), times P and the capacity (m processors: cap = m, e = s = vol = C):
      F_v >= A_v + (carry + sum over u on p of C_u max(0, 1 - (Y_u - Y_v + A_v - A_u - late_u)/T_u))/m + (m-1)/m C_v,
    late_u = 0 without nominal periods. *)
Definition late_gel_inequality (S : system) (a : accounts) (P : Z) (rep A Y late : node -> Z) (carry : Z) (v : node) (F : Z) : Prop :=
  let p := pool S v in
  P * carry + sum (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u - late u))) (on_pool S p) - P * last a v
    <= P * cap a p * (F - A v - exec a v).

Definition gel_inequality (S : system) (a : accounts) (P : Z) (rep A Y : node -> Z) (carry : Z) (v : node) (F : Z) : Prop :=
  let p := pool S v in
  P * carry + sum (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u))) (on_pool S p) - P * last a v
    <= P * cap a p * (F - A v - exec a v).

Lemma on_time_gel S a P rep A Y carry v F : gel_inequality S a P rep A Y carry v F -> late_gel_inequality S a P rep A Y (fun _ => 0) carry v F.
Proof.
  unfold gel_inequality, late_gel_inequality. intros hineq.
  rewrite (sum_eq _ (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u)))); [exact hineq|]. intros u _. now rewrite Z.sub_0_r.
Qed.

Section T10g.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Section Local.
    Context (g : progress) (a : accounts).

    Lemma gel_room v F A Y P rep late carry :
      keeps_laws_on (on_pool S (pool S v)) S h g a -> In v (nodes S) ->
      come_linearly S h (pool S v) P rep late -> 0 <= carry -> late_gel_inequality S a P rep A Y late carry v F -> A v + exec a v <= F.
    Proof.
      intros laws hv hP hc0 hineq. unfold late_gel_inequality in hineq. set (p := pool S v) in *.
      assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
      pose proof (law_cap laws v hvp) as (hcap & _). fold p in hcap.
      destruct hP as (Ppos & hcome). destruct (hcome v hvp) as (hrv & hlv & _).
      assert (hs : vol a v * Z.max 0 (P - rep v * (Y v - Y v + A v - A v - late v))
                <= sum (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u - late u))) (on_pool S p)).
      { apply (sum_in (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u - late u)))); [|exact hvp].
        intros u hu. pose proof (law_numbers laws u hu) as (_ & ? & _). nia. }
      pose proof (law_numbers laws v hvp) as (_ & hvol0 & _).
      assert (P * vol a v <= vol a v * Z.max 0 (P - rep v * (Y v - Y v + A v - A v - late v))) by nia.
      pose proof (law_numbers laws v hvp) as (_ & hvol & _).
      assert (0 <= P * carry) by nia. assert (P * last a v <= P * vol a v) by nia.
      assert (0 < P * cap a p) by nia. assert (0 <= P * cap a p * (F - A v - exec a v)) by nia. nia.
    Qed.

    Theorem gel_local_late v r F A Y P rep late theta carry :
      keeps_laws_on (on_pool S (pool S v)) S h g a ->
      In v (nodes S) -> order_of S (pool S v) = Gel Y -> lagging a (pool S v) = 0 -> released h (dag S v) r = true ->
      (forall u, In u (on_pool S (pool S v)) -> 0 <= A u) ->
      (forall u r' s, In u (on_pool S (pool S v)) -> s <= r + F -> ready S h u r' s = true -> r' + A u < s -> ready S h u r' (r' + A u)
        = true) ->
      ready S h v r (r + A v) = true ->
      come_linearly S h (pool S v) P rep late -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
      0 <= carry ->
      (forall psi s, 0 <= s < r + F -> rate_of S g (pool S v) psi s < theta -> left_of S g a (pool S v) psi s <= carry) ->
      late_gel_inequality S a P rep A Y late carry v F ->
      done h v r (r + F) = true.
    Proof.
      intros laws hv hord hlag hrel hA htimely hready hP hU htheta hc0 hcarry hineq.
      destruct (done h v r (r + F)) eqn:missed; [reflexivity|]. exfalso.
      pose proof (gel_room v F A Y P rep late carry laws hv hP hc0 hineq) as hAF.
      set (p := pool S v) in *. unfold late_gel_inequality in hineq. fold p in hineq.
      assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
      pose proof (law_numbers laws v hvp) as (hev & hvv & _).
      pose proof (law_cap laws v hvp) as (hcap & _). fold p in hcap.
      destruct (gel_core S h g a wf lg v r (r + F) A Y theta carry laws hv hord hlag hrel hA htimely hready ltac:(lia) missed htheta hc0 hcarry)
        as (x & b & hx & hb & hcore).
      fold p in hcore. destruct hP as (Ppos & hcome).
      (* released work, linearly in x, at the instant b after the release at which v is ready *)
      assert (hlin : P * sum (fun u => vol a u * releases (released h (dag S u)) (r + b - x - A u) (r + Y v - Y u + 1)) (on_pool S p)
                <= sum (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u - late u))) (on_pool S p)
                   + (x + (A v - b)) * sum (fun u => vol a u * rep u) (on_pool S p)).
      { rewrite <- !sum_scale, <- sum_add. apply sum_le. intros u hu. pose proof (law_numbers laws u hu) as (_ & hvol & _).
        destruct (hcome u hu) as (hrp & hl0 & hl). specialize (hl (r + b - x - A u) (r + Y v - Y u)).
        replace (r + Y v - Y u - (r + b - x - A u) + late u) with (x + (A v - b) - (Y u - Y v + A v - A u - late u)) in hl by ring.
        assert (0 <= rep u * (x + (A v - b))) by nia.
        assert (hmax : Z.max 0 (P + rep u * (x + (A v - b) - (Y u - Y v + A v - A u - late u)))
                  <= Z.max 0 (P - rep u * (Y u - Y v + A v - A u - late u)) + rep u * (x + (A v - b))) by nia.
        pose proof (Z.mul_le_mono_nonneg_l _ _ (vol a u) ltac:(lia) (Z.le_trans _ _ _ hl hmax)). lia. }
      unfold utilization_at_most in hU.
      assert (hmul : P * (theta * x + cap a p * (r + F + 1 - r - b - exec a v)) <= P * (carry +
        sum (fun u => vol a u * releases (released h (dag S u)) (r + b - x - A u) (r + Y v - Y u + 1)) (on_pool S p) - last a v)) by nia.
      assert (hUx : (x + (A v - b)) * sum (fun u => vol a u * rep u) (on_pool S p) <= (x + (A v - b)) * (theta * P)) by nia.
      assert (hUb : (A v - b) * (theta * P) <= (A v - b) * (cap a p * P))
        by (apply Z.mul_le_mono_nonneg_l; [lia | apply Z.mul_le_mono_nonneg_r; lia]).
      assert (0 < P * cap a p) by nia. lia.
    Qed.

    Theorem gel_local v r F A Y P rep theta carry :
      keeps_laws_on (on_pool S (pool S v)) S h g a ->
      In v (nodes S) -> order_of S (pool S v) = Gel Y -> lagging a (pool S v) = 0 -> released h (dag S v) r = true ->
      (forall u, In u (on_pool S (pool S v)) -> 0 <= A u) ->
      (forall u r' s, In u (on_pool S (pool S v)) -> s <= r + F -> ready S h u r' s = true -> r' + A u < s -> ready S h u r' (r' + A u)
        = true) ->
      ready S h v r (r + A v) = true ->
      common_period S (pool S v) P rep -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
      0 <= carry ->
      (forall psi s, 0 <= s < r + F -> rate_of S g (pool S v) psi s < theta -> left_of S g a (pool S v) psi s <= carry) ->
      gel_inequality S a P rep A Y carry v F ->
      done h v r (r + F) = true.
    Proof.
      intros laws hv hord hlag hrel hA htimely hready hP hU htheta hc0 hcarry hineq.
      apply (gel_local_late v r F A Y P rep (fun _ => 0) theta carry); auto; [now apply come_by_periods | now apply on_time_gel].
    Qed.
  End Local.

  (** With nominal periods: T12j on preemptive GEL pools. *)
  Theorem late_T10g_safe g a F Y v P rep late theta carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a -> (forall u, In u (nodes S) -> 0 <= F u) ->
    In v (nodes S) -> order_of S (pool S v) = Gel Y -> lagging a (pool S v) = 0 ->
    come_linearly S h (pool S v) P rep late -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
    0 <= carry ->
    (forall r, met_before S h F v r ->
       forall psi s, 0 <= s < r + F v -> rate_of S g (pool S v) psi s < theta -> left_of S g a (pool S v) psi s <= carry) ->
    late_gel_inequality S a P rep (ready_bound S F) Y late carry v (F v) ->
    safe S h F v.
  Proof.
    intros laws F0 hv hord hlag hP hU htheta hc0 hcarry hineq r hrel met.
    apply (gel_local_late g a v r (F v) (ready_bound S F) Y P rep late theta carry); auto.
    - intros u _. apply ready_bound_nonneg.
    - intros u r' s hu hs. apply in_on_pool in hu. eapply timely_while_met; eauto. tauto.
    - eapply ready_while_met; eauto.
      pose proof (gel_room g a v (F v) (ready_bound S F) Y P rep late carry laws hv hP hc0 hineq).
      assert (hvp : In v (on_pool S (pool S v))) by (apply in_on_pool; auto).
      pose proof (law_numbers laws v hvp). lia.
    - now apply hcarry.
  Qed.

  Theorem T10g_safe g a F Y v P rep theta carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a -> (forall u, In u (nodes S) -> 0 <= F u) ->
    In v (nodes S) -> order_of S (pool S v) = Gel Y -> lagging a (pool S v) = 0 ->
    common_period S (pool S v) P rep -> utilization_at_most S a (pool S v) P rep theta -> theta <= cap a (pool S v) ->
    0 <= carry ->
    (forall r, met_before S h F v r ->
       forall psi s, 0 <= s < r + F v -> rate_of S g (pool S v) psi s < theta -> left_of S g a (pool S v) psi s <= carry) ->
    gel_inequality S a P rep (ready_bound S F) Y carry v (F v) ->
    safe S h F v.
  Proof.
    intros laws F0 hv hord hlag hP hU htheta hc0 hcarry hineq.
    apply (late_T10g_safe g a F Y v P rep (fun _ => 0) theta carry); auto; [now apply come_by_periods | now apply on_time_gel].
  Qed.
End T10g.
