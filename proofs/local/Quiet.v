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

  (** What is there of any amounts per block: all SMs but one are in feasible configurations, one is in one that is not blocking. *)
  Theorem quiet_amounts (f : node -> Z) K K' :
    (forall x, feasible S P p G x -> weigh S p f x <= K) -> (forall x, feasible S P p G x -> ~ blocking S P p G x -> weigh S p f x <= K') ->
    forall s, rate S (counted_progress S h P e w) p s < sms G * one w p ->
    sum (fun u => sum (fun r => f u * sum (fun i => ind (is_on (block e u r i s))) (range 0 (blocks P u))) (range 0 (s + 1))) (on_pool S p)
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
    rewrite (rate_by_sm S h P e p G ob f s).
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

  Theorem quiet_gpu K K' :
    (forall x, feasible S P p G x -> weigh S p (fun u => weight w u * length_of P u) x <= K) ->
    (forall x, feasible S P p G x -> ~ blocking S P p G x -> weigh S p (fun u => weight w u * length_of P u) x <= K') ->
    forall s, rate S (counted_progress S h P e w) p s < sms G * one w p ->
    sum (fun u => sum (fun r => exec (counted_accounts S P w) u * work (counted_progress S h P e w) u r s) (range 0 (s + 1))) (on_pool S p)
      <= (sms G - 1) * K + K'.
  Proof.
    intros hK hK' s hrate. etransitivity; [|exact (quiet_amounts (fun u => weight w u * length_of P u) K K' hK hK' s hrate)].
    apply Z.eq_le_incl. apply sum_eq. intros u hu. apply sum_eq. intros r _. cbn. apply in_on_pool in hu. destruct hu as (_ & ->). rewrite hkind. ring.
  Qed.

  (** By count (T6c): at most jobs u jobs of u are unfinished. Prices are per unit of a resource, D is what some kernel's block takes of it; for
      what a block has left beyond what it pays each block that may be unfinished counts. *)
  Theorem quiet_by_count (price D : Z -> Z) (jobs : node -> Z) s :
    (forall res, In res (resources G) -> 0 <= price res /\ exists k, In k (on_pool S p) /\ D res <= demand P k res) ->
    (forall u, In u (on_pool S p) -> sum (fun r => ind (pending S h u r s)) (range 0 (s + 1)) <= jobs u) ->
    rate S (counted_progress S h P e w) p s < sms G * one w p ->
    sum (fun u => sum (fun r => exec (counted_accounts S P w) u * work (counted_progress S h P e w) u r s) (range 0 (s + 1))) (on_pool S p)
      <= sum (fun res => price res * (sms G * capacity G res - D res)) (resources G) +
         sum (fun u => jobs u * (blocks P u * Z.max 0 (weight w u * length_of P u - sum (fun res => price res * demand P u res) (resources G)))) (on_pool S p).
  Proof.
    intros hprice hjobs hrate. set (cost := fun u => sum (fun res => price res * demand P u res) (resources G)).
    set (over := fun u => Z.max 0 (weight w u * length_of P u - cost u)).
    set (there := fun u r => sum (fun i => ind (is_on (block e u r i s))) (range 0 (blocks P u))).
    assert (hthere : forall u r, 0 <= there u r) by (intros; apply sum_nonneg; intros; apply ind_range).
    assert (hcost : forall x, weigh S p cost x = sum (fun res => price res * used S P x p res) (resources G)).
    { intros x. unfold weigh, cost, used. rewrite (sum_eq _ (fun u => sum (fun res => x u * (price res * demand P u res)) (resources G)))
        by (intros u _; now rewrite sum_scale).
      rewrite sum_exchange. apply sum_eq. intros res _. rewrite <- sum_scale. apply sum_eq. intros u _. ring. }
    transitivity (sum (fun u => sum (fun r => cost u * there u r) (range 0 (s + 1))) (on_pool S p)
                  + sum (fun u => sum (fun r => over u * there u r) (range 0 (s + 1))) (on_pool S p)).
    { rewrite <- sum_add. apply sum_le. intros u hu. rewrite <- sum_add. apply sum_le. intros r _. cbn. apply in_on_pool in hu. destruct hu as (_ & ->).
      rewrite hkind. fold (there u r). specialize (hthere u r). assert (weight w u * length_of P u <= cost u + over u) by (unfold over; lia). nia. }
    apply Z.add_le_mono.
    - etransitivity; [apply (quiet_amounts cost (sum (fun res => price res * capacity G res) (resources G))
        (sum (fun res => price res * (capacity G res - D res)) (resources G))); [| | exact hrate]|].
      + intros x (_ & hfit). rewrite hcost. apply sum_le. intros res hres. specialize (hfit res hres). destruct (hprice res hres). nia.
      + intros x hf hnb. rewrite hcost. apply sum_le. intros res hres. destruct (hprice res hres) as (h0 & k & hk & hd).
        enough (used S P x p res <= capacity G res - D res) by nia. destruct (Z_le_gt_dec (used S P x p res) (capacity G res - D res)) as [|hgt]; [assumption|].
        exfalso. apply hnb. split; [exact hf|]. exists k. split; [exact hk|]. exists res. split; [exact hres | lia].
      + apply Z.eq_le_incl. rewrite <- sum_scale, <- sum_add. apply sum_eq. intros res _. ring.
    - apply sum_le. intros u hu. rewrite sum_scale. assert (ho : 0 <= over u) by (unfold over; lia).
      transitivity (over u * (sum (fun r => ind (pending S h u r s)) (range 0 (s + 1)) * blocks P u)).
      + apply Z.mul_le_mono_nonneg_l; [exact ho|]. rewrite <- sum_scale_r. apply sum_le. intros r _. unfold there.
        destruct (pending S h u r s) eqn:hp; cbn [ind].
        * rewrite Z.mul_1_l. destruct (Z_le_gt_dec (blocks P u) 0) as [hle|hgt]; [rewrite range_nil by lia; cbn [sum]|].
          -- pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup). pose proof (sp_pool sp u hun) as h0. rewrite hup, hkind in h0. lia.
          -- rewrite <- (Z.sub_0_r (blocks P u)) at 2. rewrite <- (Z.mul_1_l (blocks P u - 0)), <- sum_range_const by lia. apply sum_le. intros i _. apply ind_range.
        * rewrite sum_zero; [lia|]. intros i hi. rewrite in_range in hi. destruct (block e u r i s) as [|m|] eqn:eb; [reflexivity | | reflexivity].
          destruct (block_sm ob u r i s m hu hi eb) as (_ & hp'). congruence.
      + pose proof (hjobs u hu). pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup). pose proof (sp_pool sp u hun) as h0. rewrite hup, hkind in h0.
        fold (cost u). fold (over u). assert (0 <= over u * blocks P u) by nia. nia.
  Qed.
End Quiet.
