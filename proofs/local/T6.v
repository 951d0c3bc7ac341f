(** T6: kernels on a GPU. docs/theory/gpu.md.

    Kernels become ready, that is, enqueued, within J_u of their release (enqueue jitter; J = 0 where each is released by itself), and bounds
    count from there.

    Weights and bounds are integers in units of 1/one: w_i = weight w i / one w p. What is printed as
      R_k = (carry + sum_i w_i L_i B_i - w_k L_k)/g + L_k
    reads M (g one) (R_k - L_k) >= M (carry - w_k L_k) + sum_i w_i L_i B_i (M + rep_i J_i) here, M = rep_i T_i a common multiple of the
    periods: with jitter, w_i L_i B_i (1 + J_i/T_i) is released at once. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu.
From Rta Require Import local.Core local.Carry local.Quiet local.Linear local.Fifo local.Timely.

Section T6.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights).
  Context (wf : well_formed S) (sp : sound_platform S P) (lg : legal S h).
  Context (p : Z) (G : gpu) (hkind : kind_of P p = Gpu G) (ob : gpu_obeys S h P e p G) (hord : order_of S p = Fifo).
  Context (valid : valid_weights S P p G (weight w) (one w p)).
  Context (M : Z) (rep : node -> Z) (hM : common_period S p M rep).

  Context (J : node -> Z) (J_nonneg : forall u, In u (on_pool S p) -> 0 <= J u).
  Context (jitter : forall u r s, In u (on_pool S p) -> ready S h u r s = true -> r + J u < s -> ready S h u r (r + J u) = true).

  Definition T6_inequality (carry : Z) (k : node) (R : Z) : Prop :=
    M * carry + sum (fun u => weight w u * length_of P u * blocks P u * (M + rep u * J u)) (on_pool S p) - M * (weight w k * length_of P k)
      <= M * (sms G * one w p) * (R - length_of P k).

  (** Every job of k ends within R of the instant at which it is ready. *)
  Definition responds_within (k : node) (R : Z) : Prop :=
    forall r ra, released h (dag S k) r = true -> ready S h k r ra = true -> (forall s, s < ra -> ready S h k r s = false)
      -> done h k r (ra + R) = true.

  (** U_w, in units of 1/one, times M. *)
  Definition load : Z := sum (fun u => weight w u * length_of P u * blocks P u * rep u) (on_pool S p).

  Context (full : load <= sms G * one w p * M).   (* U_w <= g *)

  Let laws := gpu_keeps_laws S h P e w p G hkind (wf_nodup wf) sp lg ob valid.

  Lemma vol_of u : In u (on_pool S p) -> vol (counted_accounts S P w) u = weight w u * length_of P u * blocks P u.
  Proof. intros hu. cbn. apply in_on_pool in hu. destruct hu as (_ & ->). now rewrite hkind. Qed.

  Lemma work_of u r t : In u (on_pool S p) ->
    work (counted_progress S h P e w) u r t = weight w u * sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)).
  Proof. intros hu. cbn. apply in_on_pool in hu. destruct hu as (_ & ->). now rewrite hkind. Qed.

  (* T6 for any carry that covers what is left where less than theta of work is done. *)
  Lemma T6_any theta carry k R :
    In k (on_pool S p) -> load <= theta * M -> theta <= sms G * one w p -> 0 <= carry ->
    (forall t, carry_bound S (counted_progress S h P e w) (counted_accounts S P w) p theta carry t) ->
    T6_inequality carry k R -> responds_within k R.
  Proof.
    intros hk hload htheta hc0 hcarry hineq r ra hrel hready hfirst.
    pose proof (proj1 (in_on_pool S p k) hk) as (hkn & hkp).
    pose proof (node_facts S P w p G hkind sp valid k hk) as (_ & _ & hL & _ & hg & _ & hw).
    assert (hra : ra <= r + J k).
    { destruct (Z_le_gt_dec ra (r + J k)) as [|hgt]; [auto|]. exfalso.
      pose proof (jitter k r ra hk hready ltac:(lia)) as hj. rewrite hfirst in hj by lia. discriminate. }
    apply (fifo_response S h (counted_progress S h P e w) (counted_accounts S P w) wf lg k r ra R J M rep theta carry);
      rewrite ?hkp; auto.
    - intros u r' s hu _. now apply jitter.
    - unfold utilization_at_most. etransitivity; [|exact hload]. apply Z.eq_le_incl. unfold load. apply sum_eq. intros u hu. now rewrite vol_of.
    - cbn [cap counted_accounts]. now rewrite hkind.
    - unfold fifo_response_inequality. rewrite hkp. unfold T6_inequality in hineq.
      replace (cap (counted_accounts S P w) p) with (sms G * one w p) by (cbn; now rewrite hkind).
      replace (last (counted_accounts S P w) k) with (weight w k * length_of P k) by (cbn; rewrite hkp; now rewrite hkind).
      rewrite (sum_eq _ (fun u => weight w u * length_of P u * blocks P u * (M + rep u * J u))) by (intros u hu; now rewrite vol_of by exact hu).
      exact hineq.
  Qed.

  (** Carry (b): V bounds every sum of weights of whole blocks that is below U_w. *)
  Lemma carry_b Lmax gamma V :
    (forall u, In u (on_pool S p) -> length_of P u <= Lmax) -> 0 <= Lmax ->
    (forall u, In u (on_pool S p) -> (gamma | weight w u)) ->
    (forall z, 0 <= z -> (gamma | z) -> z * M < load -> z <= V) ->
    forall t, carry_bound S (counted_progress S h P e w) (counted_accounts S P w) p (cdiv load M) (Lmax * V) t.
  Proof.
    intros hLmax hL0 hgamma hV. destruct hM as (M0 & _).
    intros t s hs hrate. pose proof (carry_by_longest S h _ _ p laws (fun _ _ => true) Lmax gamma (cdiv load M) (Lmax * V)) as hc.
    unfold left_of, rate_of in hc. specialize (hc hLmax).
    assert (hw : forall u r t, In u (on_pool S p) -> (gamma | work (counted_progress S h P e w) u r t)).
    { intros u r t' hu. rewrite work_of by exact hu. apply Z.divide_mul_l. now apply hgamma. }
    specialize (hc hw). assert (hcov : carry_covers Lmax gamma (cdiv load M) (Lmax * V)).
    { intros z hz hdiv. apply Z.mul_le_mono_nonneg_l; [exact hL0|]. apply hV; [lia | exact hdiv|].
      destruct (Z_lt_le_dec (z * M) load) as [|hge]; [auto|]. pose proof (proj2 (cdiv_spec load M z M0)). lia. }
    specialize (hc hcov s). etransitivity; [|apply hc].
    - apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros r' _. cbn [ind]. lia.
    - eapply Z.le_lt_trans; [|exact hrate]. apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros r' _. cbn [ind]. lia.
  Qed.

  (** T6 with carry (b). *)
  Theorem T6_b Lmax gamma V k R :
    (forall u, In u (on_pool S p) -> length_of P u <= Lmax) -> 0 <= Lmax ->
    (forall u, In u (on_pool S p) -> (gamma | weight w u)) ->
    0 <= V -> (forall z, 0 <= z -> (gamma | z) -> z * M < load -> z <= V) ->
    In k (on_pool S p) -> T6_inequality (Lmax * V) k R -> responds_within k R.
  Proof.
    intros hLmax hL0 hgamma hV0 hV hk. pose proof (proj1 hM) as M0.
    pose proof (proj1 (cdiv_spec load M (cdiv load M) M0) (Z.le_refl _)) as hceil.
    apply (T6_any (cdiv load M) (Lmax * V) k R hk); [lia | apply cdiv_spec; lia | nia | now apply (carry_b Lmax gamma V)].
  Qed.

  (** Carry (b) by count, with proven bounds B of all kernels of the pool, counted from the release (B = R + J). *)
  Lemma carry_c level gamma B carry :
    (forall u, In u (on_pool S p) -> ends_within S h u (B u)) ->
    (forall u, In u (on_pool S p) -> (gamma | weight w u)) -> 0 <= level ->
    (forall z, 0 <= z -> (gamma | z) -> z * M < load ->
       level * z + sum (fun u => Z.max 0 (cdiv (B u) (period S (dag S u))) * (weight w u * blocks P u * Z.max 0 (length_of P u - level)))
                       (on_pool S p) <= carry) ->
    forall t, carry_bound S (counted_progress S h P e w) (counted_accounts S P w) p (cdiv load M) carry t.
  Proof.
    intros hB hgamma hlevel hcarry. destruct hM as (M0 & _).
    intros t s hs hrate.
    assert (hw : forall u r t, In u (on_pool S p) -> (gamma | work (counted_progress S h P e w) u r t)).
    { intros u r t' hu. rewrite work_of by exact hu. apply Z.divide_mul_l. now apply hgamma. }
    assert (hcov : forall z, 0 <= z < cdiv load M -> (gamma | z) ->
              level * z + counted_carry S (counted_accounts S P w) p B level <= carry).
    { intros z hz hdiv. etransitivity; [|apply (hcarry z ltac:(lia) hdiv)].
      - apply Z.add_le_mono_l. unfold counted_carry, carry_of. apply sum_le. intros u hu. apply Z.mul_le_mono_nonneg_l; [lia|].
        pose proof (node_facts S P w p G hkind sp valid u hu) as (_ & _ & hL & hBu & _ & _ & hwu).
        rewrite vol_of by exact hu. cbn [exec counted_accounts]. apply Z.mul_le_mono_nonneg_r; [lia|].
        destruct (Z.eq_dec (length_of P u) 0) as [e0|hne]; [rewrite e0, Zdiv_0_r; nia|].
        apply Z.eq_le_incl. replace (weight w u * length_of P u * blocks P u) with (weight w u * blocks P u * length_of P u) by ring.
        now apply Z.div_mul.
      - destruct (Z_lt_le_dec (z * M) load) as [|hge]; [auto|]. pose proof (proj2 (cdiv_spec load M z M0)). lia. }
    pose proof (carry_by_count S h _ _ p laws (fun _ _ => true) wf lg B level gamma (cdiv load M) carry s hlevel hw hcov) as hc.
    unfold left_of, rate_of in hc. etransitivity; [|apply hc].
    - apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros r' _. cbn [ind]. lia.
    - intros u r' hu hp. destruct (Z_lt_le_dec (s - B u) r') as [|hle]; [auto|]. exfalso.
      pose proof (pending_released S h lg u r' s hp) as (hrel & _). apply pending_spec in hp. destruct hp as (_ & hnd).
      rewrite (legal_done lg u r' (r' + B u) s) in hnd; [discriminate | now apply hB | lia].
    - eapply Z.le_lt_trans; [|exact hrate]. apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros r' _. cbn [ind]. lia.
  Qed.

  (** T6c: carry (b) by count. *)
  Theorem T6c level gamma B carry k R :
    (forall u, In u (on_pool S p) -> ends_within S h u (B u)) ->
    (forall u, In u (on_pool S p) -> (gamma | weight w u)) -> 0 <= level -> 0 <= carry ->
    (forall z, 0 <= z -> (gamma | z) -> z * M < load ->
       level * z + sum (fun u => Z.max 0 (cdiv (B u) (period S (dag S u))) * (weight w u * blocks P u * Z.max 0 (length_of P u - level)))
                       (on_pool S p) <= carry) ->
    In k (on_pool S p) -> T6_inequality carry k R -> responds_within k R.
  Proof.
    intros hB hgamma hlevel hc0 hcarry hk. pose proof (proj1 hM) as M0.
    pose proof (proj1 (cdiv_spec load M (cdiv load M) M0) (Z.le_refl _)) as hceil.
    apply (T6_any (cdiv load M) carry k R hk); [lia | apply cdiv_spec; lia | exact hc0 | now apply (carry_c level gamma B carry)].
  Qed.

  (** Carry (a) by count. *)
  Lemma carry_counted_a (price D : Z -> Z) B carry :
    (forall u, In u (on_pool S p) -> ends_within S h u (B u)) ->
    (forall res, In res (resources G) -> 0 <= price res /\ exists k, In k (on_pool S p) /\ D res <= demand P k res) ->
    sum (fun res => price res * (sms G * capacity G res - D res)) (resources G) +
    sum (fun u => Z.max 0 (cdiv (B u) (period S (dag S u))) *
      (blocks P u * Z.max 0 (weight w u * length_of P u - sum (fun res => price res * demand P u res) (resources G)))) (on_pool S p) <= carry ->
    forall t, carry_bound S (counted_progress S h P e w) (counted_accounts S P w) p (sms G * one w p) carry t.
  Proof.
    intros hB hprice hcarry t s hs hrate. etransitivity; [|exact hcarry].
    apply (quiet_by_count S h P e w sp p G hkind ob valid price D (fun u => Z.max 0 (cdiv (B u) (period S (dag S u)))) s hprice); [|exact hrate].
    intros u hu. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _).
    pose proof (counting (released h (dag S u)) (period S (dag S u)) (wf_period wf u hun) (legal_sporadic lg u hun) (s - B u) s) as hc.
    replace (s - (s - B u)) with (B u) in hc by ring. etransitivity; [|exact hc]. unfold releases.
    rewrite (sum_eq _ (fun r => ind (pending S h u r s) * 1)) by (intros; ring). rewrite <- (sum_filter (fun r => pending S h u r s)).
    rewrite (sum_eq _ (fun r => ind (released h (dag S u) r))).
    - apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range]. intros r hr. apply filter_In in hr. destruct hr as (_ & hp).
      pose proof (pending_released S h lg u r s hp) as (hrel & _ & hle). apply in_range. destruct (Z_lt_le_dec (s - B u) r) as [|hge]; [lia|]. exfalso.
      apply pending_spec in hp. destruct hp as (_ & hnd). rewrite (legal_done lg u r (r + B u) s) in hnd; [discriminate | now apply hB | lia].
    - intros r hr. apply filter_In in hr. destruct hr as (_ & hp). pose proof (pending_released S h lg u r s hp) as (hrel & _). now rewrite hrel.
  Qed.

  (** T6c with carry (a) by count, prices per unit of a resource. *)
  Theorem T6c_a (price D : Z -> Z) B carry k R :
    (forall u, In u (on_pool S p) -> ends_within S h u (B u)) ->
    (forall res, In res (resources G) -> 0 <= price res /\ exists q, In q (on_pool S p) /\ D res <= demand P q res) -> 0 <= carry ->
    sum (fun res => price res * (sms G * capacity G res - D res)) (resources G) +
    sum (fun u => Z.max 0 (cdiv (B u) (period S (dag S u))) *
      (blocks P u * Z.max 0 (weight w u * length_of P u - sum (fun res => price res * demand P u res) (resources G)))) (on_pool S p) <= carry ->
    In k (on_pool S p) -> T6_inequality carry k R -> responds_within k R.
  Proof.
    intros hB hprice hc0 hcarry hk. apply (T6_any (sms G * one w p) carry k R hk full ltac:(lia) hc0). now apply (carry_counted_a price D B carry).
  Qed.

  (** T6 with carry (a): K bounds the work left in one feasible configuration, K' that in one that is not blocking. *)
  Theorem T6_a K K' k R :
    (forall x, feasible S P p G x -> weigh S p (fun u => weight w u * length_of P u) x <= K) ->
    (forall x, feasible S P p G x -> ~ blocking S P p G x -> weigh S p (fun u => weight w u * length_of P u) x <= K') ->
    0 <= (sms G - 1) * K + K' ->
    In k (on_pool S p) -> T6_inequality ((sms G - 1) * K + K') k R -> responds_within k R.
  Proof.
    intros hK hK' hc0 hk.
    apply (T6_any (sms G * one w p) ((sms G - 1) * K + K') k R hk full ltac:(lia) hc0).
    intros t s hs hrate.
    apply (quiet_gpu S h P e w sp p G hkind ob valid K K' hK hK' s). exact hrate.
  Qed.
End T6.

(** Kernels released by themselves: no jitter, and the bound counts from the release. *)
Section Alone.
  Context (S : system) (h : history) (P : platform) (w : weights) (p : Z) (G : gpu).
  Context (alone : forall u, In u (on_pool S p) -> preds S u = []).

  Lemma alone_jitter u r s : In u (on_pool S p) -> ready S h u r s = true -> r + 0 < s -> ready S h u r (r + 0) = true.
  Proof.
    intros hu hready _. apply ready_spec in hready. rewrite Z.add_0_r. apply ready_at_release; [now apply alone | tauto | lia].
  Qed.

  Lemma alone_ends k R : In k (on_pool S p) -> responds_within S h k R -> ends_within S h k R.
  Proof.
    intros hk hR r hrel. apply hR; [exact hrel | apply ready_at_release; auto; lia|].
    intros s hs. destruct (ready S h k r s) eqn:e; [|reflexivity]. apply ready_spec in e. lia.
  Qed.

  (** (g one) (R_k - L_k) >= carry + sum_i w_i L_i B_i - w_k L_k. *)
  Lemma alone_inequality M rep carry k R : 0 < M ->
    carry + sum (fun u => weight w u * length_of P u * blocks P u) (on_pool S p) - weight w k * length_of P k
      <= sms G * one w p * (R - length_of P k) ->
    T6_inequality S P w p G M rep (fun _ => 0) carry k R.
  Proof.
    intros hM h0. unfold T6_inequality.
    rewrite (sum_eq _ (fun u => M * (weight w u * length_of P u * blocks P u))) by (intros; ring). rewrite sum_scale. nia.
  Qed.
End Alone.
