(** T11j and T12j, form (5): one node job on a preemptive pool under fixed priorities, up to full load. docs/theory/fixed-priority.md, "T11j". v's
    own jobs are counted by their ready times here, like equals, which is T12j's way with jitter. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import path.Walk path.Inequality local.Core local.Carry local.Linear local.Fifo local.Timely.

(** Nodes that are as urgent as v, and those that go before v whenever they are ready: more urgent ones, and equals where these run in any order. *)
Definition as_urgent (S : system) (v u : node) : bool :=
  match order_of S (pool S v) with Fixed pi | FixedAny pi => pi v <=? pi u | _ => false end.

Definition first_always (S : system) (v u : node) : bool :=
  match order_of S (pool S v) with Fixed pi => pi v <? pi u | FixedAny pi => pi v <=? pi u | _ => false end.

(** Inequality (5), times P:
      F_v >= A_v + (carry + sum over as urgent u of vol_u (1 + (A_u + late_u)/T_u) + cap e_v - s_v)/(cap - U_>). *)
Definition urgent_inequality (S : system) (a : accounts) (P : Z) (rep A late : node -> Z) (carry : Z) (v : node) (F : Z) : Prop :=
  let p := pool S v in
  P * carry + sum (fun u => ind (as_urgent S v u) * (vol a u * (P + rep u * (A u + late u)))) (on_pool S p) + P * cap a p * exec a v - P * last a v
    <= (P * cap a p - sum (fun u => ind (first_always S v u) * (vol a u * rep u)) (on_pool S p)) * (F - A v).

Section T11j.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Theorem urgent_safe g a F v P rep late theta carry :
    keeps_laws_on (on_pool S (pool S v)) S h g a -> (forall u, In u (nodes S) -> 0 <= F u) ->
    In v (nodes S) -> (exists pi, order_of S (pool S v) = Fixed pi \/ order_of S (pool S v) = FixedAny pi) -> lagging a (pool S v) = 0 ->
    come_linearly S h (pool S v) P rep late ->
    sum (fun u => ind (as_urgent S v u) * (vol a u * rep u)) (on_pool S (pool S v)) <= theta * P -> theta <= cap a (pool S v) ->
    sum (fun u => ind (first_always S v u) * (vol a u * rep u)) (on_pool S (pool S v)) < P * cap a (pool S v) ->
    0 <= carry ->
    (forall r, met_before S h F v r -> forall psi s, (forall u r', psi u r' = true -> as_urgent S v u = true) -> 0 <= s < r + F v ->
       rate_of S g (pool S v) psi s < theta -> left_of S g a (pool S v) psi s <= carry) ->
    urgent_inequality S a P rep (ready_bound S F) late carry v (F v) ->
    safe S h F v.
  Proof.
    intros laws F0 hv hord hlag (Ppos & hcome) hU htheta hU1 hc0 hcarry hineq r hrel met. unfold urgent_inequality in hineq.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    set (p := pool S v) in *. set (A := ready_bound S F) in *. set (t := r + F v) in *.
    assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
    pose proof (law_cap laws v hvp) as (hcap & _). fold p in hcap. pose proof (law_numbers laws v hvp) as (hev & hvv & _).
    assert (hA : forall u, 0 <= A u) by (intros u; apply ready_bound_nonneg).
    assert (hvol : forall u, In u (on_pool S p) -> 0 <= vol a u) by (intros u hu; pose proof (law_numbers laws u hu); lia).
    assert (hwork0 : forall u, In u (on_pool S p) -> 0 <= ind (as_urgent S v u) * (vol a u * (P + rep u * (A u + late u)))).
    { intros u hu. destruct (hcome u hu) as (h1 & h2 & _). specialize (hvol u hu). specialize (hA u). pose proof (ind_range (as_urgent S v u)).
      apply Z.mul_nonneg_nonneg; [lia|]. apply Z.mul_nonneg_nonneg; [lia | nia]. }
    assert (hself : as_urgent S v v = true).
    { unfold as_urgent. fold p. destruct hord as (pi & [-> | ->]); apply Z.leb_refl. }
    assert (hAF : A v <= F v).
    { assert (hvs : P * vol a v <= sum (fun u => ind (as_urgent S v u) * (vol a u * (P + rep u * (A u + late u)))) (on_pool S p)).
      { etransitivity; [|apply (sum_in (fun u => ind (as_urgent S v u) * (vol a u * (P + rep u * (A u + late u)))) _ v hwork0 hvp)].
        cbv beta. rewrite hself. cbn [ind]. destruct (hcome v hvp) as (h1 & h2 & _). specialize (hA v). specialize (hvol v hvp).
        assert (0 <= rep v * (A v + late v)) by nia. assert (0 <= vol a v * (rep v * (A v + late v))) by nia. lia. }
      assert (0 <= P * carry) by nia. assert (0 < P * cap a p) by nia. assert (0 <= P * cap a p * exec a v) by nia.
      assert (P * last a v <= P * vol a v) by nia. destruct (Z_le_gt_dec (A v) (F v)) as [|hgt]; [auto|]. exfalso.
      set (K := P * cap a p - sum (fun u => ind (first_always S v u) * (vol a u * rep u)) (on_pool S p)) in *. assert (0 < K) by (unfold K; lia).
      assert (K * (F v - A v) < 0) by nia. lia. }
    pose proof (ready_while_met S h wf lg F v r F0 met hv hrel hAF) as hready. fold A in hready.
    destruct (first_such (ready S h v r) r (r + A v) hready ltac:(specialize (hA v); lia)) as (ra & hra & hready' & hbefore).
    assert (hfirst : forall s, s < ra -> ready S h v r s = false).
    { intros s hs. destruct (Z_le_gt_dec r s) as [hle|hgt]; [apply hbefore; lia|].
      destruct (ready S h v r s) eqn:e; [|reflexivity]. apply ready_spec in e. lia. }
    set (psi := fun u r' => as_urgent S v u && ((first_always S v u && (r' <=? t)) || ready S h u r' ra)).
    set (hi := fun u => if as_urgent S v u then (if first_always S v u then t else ra) else -1).
    destruct (core S h g a wf lg p laws psi v r ra t hvp hrel hready' hfirst ltac:(unfold t; lia) missed A) with (hi := hi) (theta := theta) (carry := carry)
      as (x & hx & hcore); auto.
    - intros u r' s hu hs. apply in_on_pool in hu. apply (timely_while_met S h wf lg F v r u r' s met); [tauto | exact hs].
    - lia.
    - unfold psi. rewrite hself, hready', orb_true_r. reflexivity.
    - intros y q u r' s hy hu hpsi hs hw hwork.
      pose proof (proj1 (in_on_pool S p y) hy) as (_ & hyp). pose proof (proj1 (in_on_pool S p u) hu) as (_ & hup).
      pose proof (order_preemptive _ S h g a laws y q u r' s hy hu ltac:(congruence) (proj1 (proj1 (in_on_pool S p u) hu))
        ltac:(rewrite hyp; auto) ltac:(rewrite hyp; auto) lg hw hwork) as hb. rewrite hyp in hb.
      pose proof (pending_released S h lg u r' s (law_pending laws u r' s hu hwork)) as (_ & hr').
      unfold psi, as_urgent, first_always in *. fold p in hpsi. fold p.
      destruct hord as (pi & [e | e]); rewrite e in *; cbn [before] in hb.
      + apply andb_prop in hpsi. destruct hpsi as (h1 & h2). apply Z.leb_le in h1. destruct hb as [hb | (hb & hno)].
        * rewrite (proj2 (Z.leb_le _ _)), (proj2 (Z.ltb_lt _ _)), (proj2 (Z.leb_le r' t)) by lia. reflexivity.
        * rewrite (proj2 (Z.leb_le (pi v) (pi u))) by lia. rewrite <- hb. cbn [andb]. apply orb_prop in h2. destruct h2 as [h2 | h2].
          -- apply andb_prop in h2. destruct h2 as (h2 & _). rewrite h2, (proj2 (Z.leb_le r' t)) by lia. reflexivity.
          -- rewrite (hno ra h2). apply orb_true_r.
      + apply andb_prop in hpsi. destruct hpsi as (h1 & _). apply Z.leb_le in h1.
        rewrite (proj2 (Z.leb_le (pi v) (pi u))), (proj2 (Z.leb_le r' t)) by lia. reflexivity.
    - intros u r' hu hpsi hr'. unfold psi in hpsi. apply andb_prop in hpsi. destruct hpsi as (h1 & h2). unfold hi. rewrite h1.
      apply orb_prop in h2. destruct (first_always S v u) eqn:e.
      + destruct h2 as [h2|h2]; [cbn [andb] in h2; lia|]. apply ready_spec in h2. unfold t. lia.
      + destruct h2 as [h2|h2]; [discriminate|]. apply ready_spec in h2. lia.
    - intros s hs. apply (hcarry r met psi s); [|lia]. intros u r' hp. unfold psi in hp. now apply andb_prop in hp.
    - (* released work, linearly *)
      set (y := t - ra) in *. assert (hy : F v - A v <= y) by (unfold y, t; lia).
      assert (hlin : P * sum (fun u => vol a u * releases (released h (dag S u)) (ra - x - A u) (hi u + 1)) (on_pool S p)
                <= sum (fun u => ind (as_urgent S v u) * (vol a u * (P + rep u * (A u + late u)))) (on_pool S p)
                   + x * sum (fun u => ind (as_urgent S v u) * (vol a u * rep u)) (on_pool S p)
                   + y * sum (fun u => ind (first_always S v u) * (vol a u * rep u)) (on_pool S p)).
      { rewrite <- !sum_scale, <- !sum_add. apply sum_le. intros u hu. specialize (hvol u hu). specialize (hA u).
        destruct (hcome u hu) as (hrp & hl0 & hl). specialize (hl (ra - x - A u) (hi u)). unfold hi in *.
        assert (hy0 : 0 <= y) by (unfold y, t; lia). assert (hvr : 0 <= vol a u * rep u) by nia.
        pose proof (ind_range (first_always S v u)) as hfr.
        destruct (as_urgent S v u) eqn:hurg; cbn [ind].
        - assert (hle : P * releases (released h (dag S u)) (ra - x - A u) ((if first_always S v u then t else ra) + 1)
                   <= P + rep u * (A u + late u) + x * rep u + y * (ind (first_always S v u) * rep u)).
          { etransitivity; [exact hl|]. destruct (first_always S v u); cbn [ind]; unfold y; nia. }
          pose proof (Z.mul_le_mono_nonneg_l _ _ (vol a u) hvol hle). nia.
        - assert (hz : releases (released h (dag S u)) (ra - x - A u) (-1 + 1) = 0).
          { apply releases_none. intros r' hr'. destruct (released h (dag S u) r') eqn:e; [|reflexivity]. pose proof (legal_start lg _ _ e). lia. }
          rewrite hz. assert (0 <= y * (ind (first_always S v u) * (vol a u * rep u))) by (apply Z.mul_nonneg_nonneg; [lia|]; apply Z.mul_nonneg_nonneg; lia). lia. }
      set (U1 := sum (fun u => ind (first_always S v u) * (vol a u * rep u)) (on_pool S p)) in *.
      set (Us := sum (fun u => ind (as_urgent S v u) * (vol a u * rep u)) (on_pool S p)) in *.
      set (Wk := sum (fun u => ind (as_urgent S v u) * (vol a u * (P + rep u * (A u + late u)))) (on_pool S p)) in *.
      set (Rl := sum (fun u => vol a u * releases (released h (dag S u)) (ra - x - A u) (hi u + 1)) (on_pool S p)) in *.
      assert (hmul : P * (theta * x + cap a p * (t + 1 - ra - exec a v)) <= P * (carry + Rl - last a v)) by nia.
      replace (t + 1 - ra - exec a v) with (y + 1 - exec a v) in hmul by (unfold y; ring).
      assert (hUx : x * Us <= x * (theta * P)) by nia.
      assert (hfin : (P * cap a p - U1) * (F v - A v) <= (P * cap a p - U1) * y) by nia.
      assert (0 < P * cap a p) by nia. nia.
  Qed.
End T11j.
