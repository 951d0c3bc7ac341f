(** T1, T1e and T1c: jobs released by themselves on a preemptive GEL pool of m processors. docs/theory/cpu.md.

    Y' = Y - shift >= 0 are the shifted relative priority points. With c = ceil(U), or any whole number from U to m:
      T1   R_k = Y'_k + ((c - 1) C_max + sum_i V_i)/m + (m-1)/m C_k,   V_i = C_i max(0, 1 - Y'_i/T_i)
      T1e  R_k = Y'_k + ((c - 1) C_max + D)/m + (m-1)/m C_k,           D >= sum_i n_i(x) C_i - c x for all x >= 0
      T1c  in both, (c - 1) C_max replaced by the c - 1 largest pieces, at most ceil(R_i/T_i) of task i
      T1re R_k = C_k + (carry + D_k - C_k)/m,   D_k >= sum_i n_i(x + Y'_k) C_i - c x for all x >= 0, with T1c's carry. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Processors.
From Rta Require Import local.Core local.Carry local.Linear local.Fifo local.Timely local.Gel local.T10g.

Section T1.
  Context (S : system) (h : history) (P : platform) (e : execution).
  Context (wf : well_formed S) (sp : sound_platform S P) (lg : legal S h).
  Context (p m : Z) (hkind : kind_of P p = Processors m) (ob : processors_obey S h P e p m).
  Context (Y : node -> Z) (horder : order_of S p = Gel Y).
  Context (alone : forall u, In u (on_pool S p) -> preds S u = []).

  Let C := length_of P.
  Context (shift : Z) (shift_le : forall u, In u (on_pool S p) -> shift <= Y u).
  Let Y' (u : node) : Z := Y u - shift.

  (* M is a common multiple of the periods; U <= c <= m. *)
  Context (M : Z) (rep : node -> Z) (hM : common_period S p M rep).
  Context (c : Z) (c_range : 1 <= c <= m) (U_le_c : sum (fun u => C u * rep u) (on_pool S p) <= c * M).

  Let w : weights := {| weight := fun _ => 0; one := fun _ => 0 |}.   (* no GPU matters here *)
  Let g := counted_progress S h P e w.
  Let a := counted_accounts S P w.
  Let laws : keeps_laws_on (on_pool S p) S h g a := processors_keep_laws S h P e w p m sp hkind ob.

  (** What may be left at an instant with fewer than c processors busy with psi. *)
  Definition carry_at_most (carry : Z) : Prop :=
    forall psi s, 0 <= s -> rate_of S g p psi s < c -> left_of S g a p psi s <= carry.

  Lemma numbers u : In u (on_pool S p) -> exec a u = C u /\ last a u = C u /\ vol a u = C u /\ 0 <= C u.
  Proof.
    intros hu. pose proof (law_numbers laws u hu) as hn. apply in_on_pool in hu. destruct hu as (_ & hp).
    cbn in *. rewrite hp, hkind in *. fold (C u) in *. lia.
  Qed.

  Lemma cap_m : cap a p = m.
  Proof. cbn. now rewrite hkind. Qed.

  Lemma preemptive : lagging a p = 0.
  Proof. cbn. now rewrite hkind. Qed.

  Lemma timely_alone u r' s : In u (on_pool S p) -> ready S h u r' s = true -> r' + 0 < s -> ready S h u r' (r' + 0) = true.
  Proof.
    intros hu hready _. apply ready_spec in hready. rewrite Z.add_0_r. apply ready_at_release; [now apply alone | tauto | lia].
  Qed.

  Theorem T1_any_carry carry k R :
    0 <= carry -> carry_at_most carry -> In k (on_pool S p) ->
    M * carry + sum (fun u => C u * Z.max 0 (M - rep u * Y' u)) (on_pool S p) + M * (m - 1) * C k <= M * m * (R - Y' k) ->
    ends_within S h k R.
  Proof.
    intros hc0 hcarry hk hineq r hrel.
    pose proof (proj1 (in_on_pool S p k) hk) as (hkn & hkp). pose proof cap_m as hcap. pose proof (numbers k hk) as (hek & hlk & hvk & hCk).
    apply (gel_local S h wf lg g a k r R (fun _ => 0) Y M rep c carry); rewrite ?hkp; auto using preemptive; try lia;
      try (intros psi s hs; apply hcarry; lia).
    - intros u r' s hu _. now apply timely_alone.
    - apply ready_at_release; [now apply alone | auto | lia].
    - unfold utilization_at_most. etransitivity; [|exact U_le_c]. apply Z.eq_le_incl. apply sum_eq. intros u hu.
      pose proof (numbers u hu) as (_ & _ & -> & _). reflexivity.
    - unfold gel_inequality. rewrite hkp, hcap, hek, hlk. pose proof hM as (M0 & _).
      assert (hY : 0 <= Y' k) by (unfold Y'; specialize (shift_le k hk); lia).
      assert (hdemand : sum (fun u => vol a u * Z.max 0 (M - rep u * (Y u - Y k + 0 - 0))) (on_pool S p)
                <= sum (fun u => C u * Z.max 0 (M - rep u * Y' u)) (on_pool S p) + Y' k * sum (fun u => C u * rep u) (on_pool S p)).
      { rewrite <- sum_scale, <- sum_add. apply sum_le. intros u hu. pose proof (numbers u hu) as (_ & _ & -> & hCu).
        pose proof (rep_pos S p M rep u wf hM hu). assert (0 <= rep u * Y' k) by nia.
        assert (hmax : Z.max 0 (M - rep u * (Y u - Y k + 0 - 0)) <= Z.max 0 (M - rep u * Y' u) + rep u * Y' k) by (unfold Y' in *; nia).
        pose proof (Z.mul_le_mono_nonneg_l _ _ (C u) hCu hmax). lia. }
      assert (hU : Y' k * sum (fun u => C u * rep u) (on_pool S p) <= Y' k * (m * M))
        by (apply Z.mul_le_mono_nonneg_l; [exact hY | nia]).
      lia.
  Qed.

  (** n_i(x): releases of task i in an interval of length x at whose end its jobs still have priority. *)
  Definition releases_within (u : node) (x : Z) : Z := Z.max 0 ((x - Y' u) / period S (dag S u) + 1).

  Theorem T1re_any_carry carry D k R :
    0 <= carry -> carry_at_most carry -> In k (on_pool S p) ->
    (forall x, 0 <= x -> sum (fun u => releases_within u (x + Y' k) * C u) (on_pool S p) - c * x <= D) ->
    carry + D + (m - 1) * C k <= m * R ->
    ends_within S h k R.
  Proof.
    intros hc0 hcarry hk hD hineq r hrel.
    pose proof (proj1 (in_on_pool S p k) hk) as (hkn & hkp). pose proof cap_m as hcap. pose proof (numbers k hk) as (hek & hlk & hvk & hCk).
    assert (hY : 0 <= Y' k) by (unfold Y'; specialize (shift_le k hk); lia).
    destruct (done h k r (r + R)) eqn:missed; [reflexivity|]. exfalso.
    assert (hR : 0 <= R).
    { assert (hs : C k <= sum (fun u => releases_within u (0 + Y' k) * C u) (on_pool S p)).
      { transitivity (releases_within k (0 + Y' k) * C k).
        - unfold releases_within. rewrite Z.add_0_l, Z.sub_diag, Zdiv_0_l. change (Z.max 0 (0 + 1)) with 1. lia.
        - apply (sum_in (fun u => releases_within u (0 + Y' k) * C u)); [|exact hk]. intros u hu.
          pose proof (numbers u hu) as (_ & _ & _ & ?). unfold releases_within. nia. }
      specialize (hD 0 ltac:(lia)). nia. }
    destruct (gel_core S h g a wf lg k r (r + R) (fun _ => 0) Y c carry) as (x & b & hx & hb & hcore); rewrite ?hkp; auto using preemptive;
      try lia;
      try (intros psi s hs; apply hcarry; lia).
    - intros u r' s hu _. now apply timely_alone.
    - apply ready_at_release; [now apply alone | auto | lia].
    - rewrite hkp, hcap, hek, hlk in hcore. replace b with 0 in hcore by lia.
      specialize (hD x ltac:(lia)).
      assert (hrel' : sum (fun u => vol a u * releases (released h (dag S u)) (r + 0 - x - 0) (r + Y k - Y u + 1)) (on_pool S p)
                <= sum (fun u => releases_within u (x + Y' k) * C u) (on_pool S p)).
      { apply sum_le. intros u hu. pose proof (numbers u hu) as (_ & _ & -> & hCu). pose proof (proj1 (in_on_pool S p u) hu) as (hun & _).
        pose proof (releases_closed_max (released h (dag S u)) (period S (dag S u)) (wf_period wf u hun) (legal_sporadic lg u hun)
                      (r + 0 - x - 0) (r + Y k - Y u)) as hr.
        replace (r + Y k - Y u - (r + 0 - x - 0)) with (x + Y' k - Y' u) in hr by (unfold Y'; ring).
        fold (releases_within u (x + Y' k)) in hr. nia. }
      lia.
  Qed.

  (** T1e follows: n_i(x + Y'_k) counts what T1e's supremum has at x + Y'_k. *)
  Theorem T1e_any_carry carry D k R :
    0 <= carry -> carry_at_most carry -> In k (on_pool S p) ->
    (forall x, 0 <= x -> sum (fun u => releases_within u x * C u) (on_pool S p) - c * x <= D) ->
    carry + D + (m - 1) * C k <= m * (R - Y' k) ->
    ends_within S h k R.
  Proof.
    intros hc0 hcarry hk hD hineq.
    pose proof (proj1 (in_on_pool S p k) hk) as (hkn & hkp).
    assert (hY : 0 <= Y' k) by (unfold Y'; specialize (shift_le k hk); lia).
    apply (T1re_any_carry carry (D + c * Y' k)); auto.
    - intros x hx. specialize (hD (x + Y' k) ltac:(lia)). lia.
    - assert (c * Y' k <= m * Y' k) by nia. lia.
  Qed.

  (** Carry by the longest piece. *)
  Lemma carry_longest C_max : (forall u, In u (on_pool S p) -> C u <= C_max) -> 0 <= C_max -> carry_at_most ((c - 1) * C_max).
  Proof.
    intros hmax h0 psi s _. apply (carry_by_longest S h g a p laws psi C_max 1).
    - intros u hu. pose proof (numbers u hu) as (-> & _). auto.
    - intros. apply Z.divide_1_l.
    - intros z hz _. nia.
  Qed.

  (** Carry by count (T1c): with proven bounds B_i, at most ceil(B_i/T_i) jobs of task i are unfinished at any instant. *)
  Lemma carry_counted (B : node -> Z) carry :
    (forall u, In u (on_pool S p) -> ends_within S h u (B u)) ->
    (forall n, (forall u, In u (on_pool S p) -> 0 <= n u <= Z.max 0 (cdiv (B u) (period S (dag S u)))) ->
       sum n (on_pool S p) <= c - 1 -> sum (fun u => n u * C u) (on_pool S p) <= carry) ->
    carry_at_most carry.
  Proof.
    intros hB hchoice psi s hs hrate.
    set (n := fun u => sum (fun r' => ind (psi u r') * work g u r' s) (range 0 (s + 1))).
    assert (hwork : forall u r', In u (on_pool S p) -> 0 <= work g u r' s <= 1).
    { intros u r' hu. cbn. apply in_on_pool in hu. destruct hu as (_ & ->). rewrite hkind. apply ind_range. }
    etransitivity; [|apply (hchoice n)].
    - apply Z.eq_le_incl. unfold left_of, n. apply sum_eq. intros u hu. rewrite <- sum_scale_r. apply sum_eq. intros r' _.
      pose proof (numbers u hu) as (-> & _). ring.
    - intros u hu. unfold n. split.
      + apply sum_nonneg. intros r' _. pose proof (hwork u r' hu). pose proof (ind_range (psi u r')). nia.
      + pose proof (proj1 (in_on_pool S p u) hu) as (hun & _).
        pose proof (counting (released h (dag S u)) (period S (dag S u)) (wf_period wf u hun) (legal_sporadic lg u hun) (s - B u) s) as hc.
        replace (s - (s - B u)) with (B u) in hc by ring. etransitivity; [|exact hc]. unfold releases.
        transitivity (sum (fun r' => ind ((s - B u <? r') && (r' <=? s)) * ind (released h (dag S u) r')) (range 0 (s + 1))).
        * apply sum_le. intros r' hr'. rewrite in_range in hr'. pose proof (hwork u r' hu) as hw.
          destruct (Z.eq_dec (work g u r' s) 0) as [->|hne].
          { pose proof (ind_range ((s - B u <? r') && (r' <=? s))). pose proof (ind_range (released h (dag S u) r')). nia. }
          pose proof (law_pending laws u r' s hu ltac:(lia)) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & _).
          rewrite hrel. apply pending_spec in hp. destruct hp as (_ & hnd).
          assert (hlo : s - B u < r').
          { destruct (Z_lt_le_dec (s - B u) r') as [|hle]; [auto|]. rewrite (legal_done lg u r' (r' + B u) s) in hnd; [discriminate | | lia].
            now apply hB. }
          rewrite (proj2 (Z.ltb_lt _ _) hlo), (proj2 (Z.leb_le r' s)) by lia. cbn [andb ind]. pose proof (ind_range (psi u r')). nia.
        * rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range].
          intros r' hr'. apply filter_In in hr'. destruct hr' as (_ & hw). apply andb_prop in hw. rewrite in_range. lia.
    - unfold rate_of in hrate. unfold n. lia.
  Qed.

  (** T1. *)
  Theorem T1 C_max k R :
    (forall u, In u (on_pool S p) -> C u <= C_max) -> In k (on_pool S p) ->
    M * ((c - 1) * C_max) + sum (fun u => C u * Z.max 0 (M - rep u * Y' u)) (on_pool S p) + M * (m - 1) * C k <= M * m * (R - Y' k) ->
    ends_within S h k R.
  Proof.
    intros hmax hk. pose proof (numbers k hk) as (_ & _ & _ & hCk). pose proof (hmax k hk).
    apply T1_any_carry; auto; [nia | apply carry_longest; auto; lia].
  Qed.

  (** T1e. *)
  Theorem T1e C_max D k R :
    (forall u, In u (on_pool S p) -> C u <= C_max) -> In k (on_pool S p) ->
    (forall x, 0 <= x -> sum (fun u => releases_within u x * C u) (on_pool S p) - c * x <= D) ->
    (c - 1) * C_max + D + (m - 1) * C k <= m * (R - Y' k) ->
    ends_within S h k R.
  Proof.
    intros hmax hk. pose proof (numbers k hk) as (_ & _ & _ & hCk). pose proof (hmax k hk).
    apply T1e_any_carry; auto; [nia | apply carry_longest; auto; lia].
  Qed.
End T1.
