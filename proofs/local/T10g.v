(** T10g: on preemptive GEL pools, by node or by DAG, up to full load, (4) may stand for (2) at any node. docs/theory/path.md, "T10g". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality local.Core local.Carry local.Linear local.Timely local.Gel local.Fifo.

(** Inequality (4), times P and the capacity (m processors: cap = m, e = s = vol = C):
      F_v >= A_v + (carry + sum over u on p of C_u max(0, 1 - (Y_u - Y_v + A_v - A_u)/T_u))/m + (m-1)/m C_v. *)
Definition gel_inequality (S : system) (a : accounts) (P : Z) (rep A Y : node -> Z) (carry : Z) (v : node) (F : Z) : Prop :=
  let p := pool S v in
  P * carry + sum (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u))) (on_pool S p) - P * last a v
    <= P * cap a p * (F - A v - exec a v).

Section T10g.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Section Local.
    Context (g : progress) (a : accounts).

    Lemma gel_room v F A Y P rep carry :
      keeps_laws_on (on_pool S (pool S v)) S h g a -> In v (nodes S) ->
      common_period S (pool S v) P rep -> 0 <= carry -> gel_inequality S a P rep A Y carry v F -> A v + exec a v <= F.
    Proof.
      intros laws hv hP hc0 hineq. unfold gel_inequality in hineq. set (p := pool S v) in *.
      assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
      pose proof (law_cap laws v hvp) as (hcap & _). fold p in hcap.
      assert (hs : vol a v * Z.max 0 (P - rep v * (Y v - Y v + A v - A v))
                <= sum (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u))) (on_pool S p)).
      { apply (sum_in (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u)))); [|exact hvp].
        intros u hu. pose proof (law_numbers laws u hu) as (_ & ? & _). nia. }
      replace (Y v - Y v + A v - A v) with 0 in hs by ring. rewrite Z.mul_0_r, Z.sub_0_r in hs.
      destruct hP as (Ppos & _). rewrite Z.max_r in hs by lia.
      pose proof (law_numbers laws v hvp) as (_ & hvol & _).
      assert (0 <= P * carry) by nia. assert (P * last a v <= P * vol a v) by nia.
      assert (0 < P * cap a p) by nia. assert (0 <= P * cap a p * (F - A v - exec a v)) by nia. nia.
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
      destruct (done h v r (r + F)) eqn:missed; [reflexivity|]. exfalso.
      pose proof (gel_room v F A Y P rep carry laws hv hP hc0 hineq) as hAF.
      set (p := pool S v) in *. unfold gel_inequality in hineq. fold p in hineq.
      assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
      pose proof (law_numbers laws v hvp) as (hev & hvv & _).
      pose proof (law_cap laws v hvp) as (hcap & _). fold p in hcap.
      destruct (gel_core S h g a wf lg v r (r + F) A Y theta carry laws hv hord hlag hrel hA htimely hready ltac:(lia) missed htheta hc0 hcarry)
        as (x & b & hx & hb & hcore).
      fold p in hcore. pose proof (fun u hu => rep_pos S p P rep u wf hP hu) as hreppos. destruct hP as (Ppos & hrep).
      (* released work, linearly in x, at the instant b after the release at which v is ready *)
      assert (hlin : P * sum (fun u => vol a u * releases (released h (dag S u)) (r + b - x - A u) (r + Y v - Y u + 1)) (on_pool S p)
                <= sum (fun u => vol a u * Z.max 0 (P - rep u * (Y u - Y v + A v - A u))) (on_pool S p)
                   + (x + (A v - b)) * sum (fun u => vol a u * rep u) (on_pool S p)).
      { rewrite <- !sum_scale, <- sum_add. apply sum_le. intros u hu. specialize (hreppos u hu). specialize (hrep u hu).
        pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). pose proof (law_numbers laws u hu) as (_ & hvol & _).
        pose proof (releases_linear (released h (dag S u)) (period S (dag S u)) P (rep u) (r + b - x - A u) (r + Y v - Y u)
                      (wf_period wf u hun) Ppos hrep (legal_sporadic lg u hun)) as hl.
        replace (r + Y v - Y u - (r + b - x - A u)) with (x + (A v - b) - (Y u - Y v + A v - A u)) in hl by ring.
        assert (0 <= rep u * (x + (A v - b))) by nia.
        assert (hmax : Z.max 0 (P + rep u * (x + (A v - b) - (Y u - Y v + A v - A u)))
                  <= Z.max 0 (P - rep u * (Y u - Y v + A v - A u)) + rep u * (x + (A v - b))) by nia.
        pose proof (Z.mul_le_mono_nonneg_l _ _ (vol a u) ltac:(lia) (Z.le_trans _ _ _ hl hmax)). lia. }
      unfold utilization_at_most in hU.
      assert (hmul : P * (theta * x + cap a p * (r + F + 1 - r - b - exec a v)) <= P * (carry +
        sum (fun u => vol a u * releases (released h (dag S u)) (r + b - x - A u) (r + Y v - Y u + 1)) (on_pool S p) - last a v)) by nia.
      assert (hUx : (x + (A v - b)) * sum (fun u => vol a u * rep u) (on_pool S p) <= (x + (A v - b)) * (theta * P)) by nia.
      assert (hUb : (A v - b) * (theta * P) <= (A v - b) * (cap a p * P))
        by (apply Z.mul_le_mono_nonneg_l; [lia | apply Z.mul_le_mono_nonneg_r; lia]).
      assert (0 < P * cap a p) by nia. lia.
    Qed.
  End Local.

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
    intros laws F0 hv hord hlag hP hU htheta hc0 hcarry hineq r hrel met.
    apply (gel_local g a v r (F v) (ready_bound S F) Y P rep theta carry); auto.
    - intros u _. apply ready_bound_nonneg.
    - intros u r' s hu hs. apply in_on_pool in hu. eapply timely_while_met; eauto. tauto.
    - eapply ready_while_met; eauto.
      pose proof (gel_room g a v (F v) (ready_bound S F) Y P rep carry laws hv hP hc0 hineq).
      assert (hvp : In v (on_pool S (pool S v))) by (apply in_on_pool; auto).
      pose proof (law_numbers laws v hvp). lia.
    - now apply hcarry.
  Qed.
End T10g.
