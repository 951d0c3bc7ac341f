(** Carry (a) of T6: where a GPU does less than g of work, some SM is in a configuration that is not blocking. docs/theory/gpu.md, T6. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu.

(** K bounds the work left in any feasible configuration of an SM, K' that in any which is not blocking. *)
Definition configuration_bounds (S : system) (P : platform) (w : weights) (p : Z) (G : gpu) (K K' : Z) : Prop :=
  (forall x, feasible S P p G x -> weigh S p (fun u => weight w u * length_of P u) x <= K) /\
  (forall x, feasible S P p G x -> ~ blocking S P p G x -> weigh S p (fun u => weight w u * length_of P u) x <= K').

Section Quiet.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights).
  Context (sp : sound_platform S P).
  Context (p : Z) (G : gpu) (hkind : kind_of P p = Gpu G) (ob : gpu_obeys S h P e p G).
  Context (valid : valid_weights S P p G (weight w) (one w p)).

  Theorem quiet_gpu K K' :
    (forall x, feasible S P p G x -> weigh S p (fun u => weight w u * length_of P u) x <= K) ->
    (forall x, feasible S P p G x -> ~ blocking S P p G x -> weigh S p (fun u => weight w u * length_of P u) x <= K') ->
    forall s, rate S (counted_progress S h P e w) p s < sms G * one w p ->
    sum (fun u => sum (fun r => exec (counted_accounts S P w) u * work (counted_progress S h P e w) u r s) (range 0 (s + 1))) (on_pool S p)
      <= (sms G - 1) * K + K'.
  Proof.
    intros hK hK' s hrate.
    assert (work_of : forall u r, In u (on_pool S p) ->
              work (counted_progress S h P e w) u r s = weight w u * sum (fun i => ind (is_on (block e u r i s))) (range 0 (blocks P u))).
    { intros u r hu. cbn. apply in_on_pool in hu. destruct hu as (_ & ->). now rewrite hkind. }
    destruct (Z_le_gt_dec (sms G) 0) as [hg0|hg].
    { (* a GPU without SMs holds no nodes *)
      assert (hnone : on_pool S p = []).
      { destruct (on_pool S p) as [|u l] eqn:eu; [reflexivity|]. exfalso.
        assert (hu : In u (on_pool S p)) by (rewrite eu; now left). apply in_on_pool in hu. destruct hu as (hu & hup).
        pose proof (sp_pool sp u hu) as h0. rewrite hup, hkind in h0. lia. }
      exfalso. unfold rate in hrate. rewrite hnone in hrate. cbn [sum] in hrate. destruct valid as (h1 & _). nia. }
    (* less work than g: some SM is not in a blocking configuration *)
    assert (hby : rate S (counted_progress S h P e w) p s = sum (fun m => weigh S p (weight w) (resident P e m s)) (range 0 (sms G))).
    { rewrite <- (rate_by_sm S h P e p G ob (weight w) s). apply sum_eq. intros u hu. apply sum_eq. intros r' _. now apply work_of. }
    rewrite hby in hrate.
    assert (exists m, 0 <= m < sms G /\ weigh S p (weight w) (resident P e m s) < one w p) as (m & hm & hfree).
    { destruct (existsb (fun m => weigh S p (weight w) (resident P e m s) <? one w p) (range 0 (sms G))) eqn:some.
      - apply existsb_exists in some. destruct some as (m & hm & hlt). rewrite in_range in hm. apply Z.ltb_lt in hlt. eauto.
      - exfalso. enough (one w p * sms G <= sum (fun m => weigh S p (weight w) (resident P e m s)) (range 0 (sms G))) by lia.
        rewrite <- (Z.sub_0_r (sms G)) at 1. rewrite <- sum_range_const by lia. apply sum_le. intros m hm.
        destruct (Z_lt_le_dec (weigh S p (weight w) (resident P e m s)) (one w p)) as [hlt|]; [|auto].
        enough (existsb (fun m => weigh S p (weight w) (resident P e m s) <? one w p) (range 0 (sms G)) = true) by congruence.
        apply existsb_exists. exists m. split; [exact hm | now apply Z.ltb_lt]. }
    transitivity (sum (fun m => weigh S p (fun u => weight w u * length_of P u) (resident P e m s)) (range 0 (sms G))).
    { rewrite <- (rate_by_sm S h P e p G ob (fun u => weight w u * length_of P u) s). apply Z.eq_le_incl. apply sum_eq. intros u hu.
      apply sum_eq. intros r' _. rewrite work_of by exact hu. cbn [exec counted_accounts]. ring. }
    transitivity (sum (fun i => K + ind (i =? m) * (K' - K)) (range 0 (sms G))).
    - apply sum_le. intros i hi. rewrite in_range in hi. pose proof (resident_feasible S h P e p G ob i s hi) as hf.
      destruct (Z.eqb_spec i m) as [->|hne]; cbn [ind].
      + specialize (hK' _ hf). enough (~ blocking S P p G (resident P e m s)) as hnb by (specialize (hK' hnb); lia).
        intros hb. pose proof valid as (_ & _ & hv). specialize (hv _ hb). lia.
      + specialize (hK _ hf). lia.
    - rewrite sum_add, sum_range_const by lia. rewrite (sum_unique _ _ m).
      + rewrite Z.eqb_refl. cbn [ind]. lia.
      + apply range_nodup.
      + now apply in_range.
      + intros i _ hne. destruct (Z.eqb_spec i m); [contradiction|]. cbn [ind]. lia.
  Qed.
End Quiet.
