(** Blocks of kernels on a GPU: how they go from waiting to resident to ended, their counted work, and what the queues say of them. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws pools.Platform pools.Counted pools.Configurations.

Section Blocks.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights).
  Context (p : Z) (G : gpu) (hkind : kind_of P p = Gpu G) (sp : sound_platform S P) (lg : legal S h).
  Context (ob : blocks_move S h P e p G) (valid : valid_weights S P p G (weight w) (one w p)).

  Lemma node_facts u : In u (on_pool S p) ->
    In u (nodes S) /\ pool S u = p /\ 0 <= length_of P u /\ 0 < blocks P u /\ 0 < sms G /\ queued S P p G u /\ 0 <= weight w u.
  Proof.
    intros hu. pose proof hu as hu'. apply in_on_pool in hu. destruct hu as (hu & hp).
    pose proof (sp_pool sp u hu) as h0. rewrite hp, hkind in h0.
    pose proof (sp_length sp u hu). destruct valid as (_ & hw & _). specialize (hw u hu'). tauto.
  Qed.

  (* Blocks go from waiting to resident to ended. *)
  Lemma started_stays u r i t t' : In u (on_pool S p) -> 0 <= i < blocks P u -> t <= t' ->
    block e u r i t <> Waiting -> block e u r i t' <> Waiting.
  Proof.
    intros hu hi le. replace t' with (t + Z.of_nat (Z.to_nat (t' - t))) by lia.
    generalize (Z.to_nat (t' - t)) as n. induction n as [|n IH]; intros hs; [now rewrite Z.add_0_r|].
    specialize (IH hs). replace (t + Z.of_nat (Datatypes.S n)) with (t + Z.of_nat n + 1) by lia.
    destruct (block e u r i (t + Z.of_nat n)) as [|s|] eqn:eb; [congruence| |].
    - destruct (block_stays ob u r i _ s hu hi eb) as [->| ->]; discriminate.
    - rewrite (block_ended ob u r i _ hu hi eb). discriminate.
  Qed.

  Lemma ended_stays u r i t t' : In u (on_pool S p) -> 0 <= i < blocks P u -> t <= t' ->
    block e u r i t = Ended -> block e u r i t' = Ended.
  Proof.
    intros hu hi le. replace t' with (t + Z.of_nat (Z.to_nat (t' - t))) by lia.
    generalize (Z.to_nat (t' - t)) as n. induction n as [|n IH]; intros hs; [now rewrite Z.add_0_r|].
    specialize (IH hs). replace (t + Z.of_nat (Datatypes.S n)) with (t + Z.of_nat n + 1) by lia.
    now apply (block_ended ob).
  Qed.

  Lemma waits_spec u r t : kernel_waits S h P e u r t = true <->
    pending S h u r t = true /\ exists i, 0 <= i < blocks P u /\ block e u r i t = Waiting.
  Proof.
    unfold kernel_waits. rewrite andb_true_iff, existsb_exists. split; intros (h1 & i & h2 & h3); split; auto; exists i.
    - apply in_range in h2. split; [auto|]. destruct (block e u r i t); easy.
    - rewrite in_range. split; [auto|]. now rewrite h3.
  Qed.

  Lemma not_waits u r t : pending S h u r t = true -> kernel_waits S h P e u r t = false ->
    forall i, 0 <= i < blocks P u -> block e u r i t <> Waiting.
  Proof.
    intros hp hw i hi hb. enough (kernel_waits S h P e u r t = true) by congruence. apply waits_spec. eauto.
  Qed.

  (* Counted work of a kernel in one tick, one block at a time. *)
  Let resident_blocks u r t : Z := sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)).

  Lemma blocks_work u r b c n : In u (on_pool S p) -> 0 <= n ->
    (forall i, 0 <= i < blocks P u -> sum (fun t => ind (is_on (block e u r i t))) (range b c) <= n) ->
    sum (fun t => weight w u * resident_blocks u r t) (range b c) <= weight w u * n * blocks P u.
  Proof.
    intros hu hn hb. destruct (node_facts u hu) as (_ & _ & _ & hB & _ & _ & hw).
    rewrite sum_scale, <- Z.mul_assoc. apply Z.mul_le_mono_nonneg_l; [lia|].
    unfold resident_blocks. rewrite (sum_exchange (fun t i => ind (is_on (block e u r i t)))).
    rewrite <- (Z.sub_0_r (blocks P u)) at 2. rewrite <- sum_range_const by lia.
    apply sum_le. intros i hi. rewrite in_range in hi. auto.
  Qed.

  (** What is resident, counted by any amount f per block, SM by SM. *)
  Lemma rate_by_sm f t :
    sum (fun u => sum (fun r => f u * resident_blocks u r t) (range 0 (t + 1))) (on_pool S p)
      = sum (fun s => weigh S p f (resident P e s t)) (range 0 (sms G)).
  Proof.
    unfold weigh. rewrite (sum_exchange (fun s u => resident P e s t u * f u)). apply sum_eq. intros u hu.
    rewrite sum_scale, sum_scale_r, Z.mul_comm. f_equal. unfold resident, resident_blocks.
    rewrite (sum_exchange (fun s r => sum (fun i => ind (is_on_sm s (block e u r i t))) (range 0 (blocks P u)))).
    apply sum_eq. intros r _. rewrite (sum_exchange (fun s i => ind (is_on_sm s (block e u r i t)))).
    apply sum_eq. intros i hi. rewrite in_range in hi.
    destruct (block e u r i t) as [|s|] eqn:eb; cbn [is_on is_on_sm].
    - rewrite sum_zero; [reflexivity | auto].
    - destruct (block_sm ob u r i t s hu hi eb) as (hs & _).
      rewrite (sum_unique _ _ s); [now rewrite Z.eqb_refl | apply range_nodup | now apply in_range|].
      intros s' _ hne. destruct (Z.eqb_spec s s'); [congruence | reflexivity].
    - rewrite sum_zero; [reflexivity | auto].
  Qed.

  Lemma resident_nonneg s t u : 0 <= resident P e s t u.
  Proof. apply sum_nonneg. intros r _. apply sum_nonneg. intros i _. apply ind_range. Qed.

  Lemma resident_feasible s t : 0 <= s < sms G -> feasible S P p G (resident P e s t).
  Proof.
    intros hs. split; [intros u; apply resident_nonneg|]. intros res hres. now apply (sm_fits ob).
  Qed.

  (** A block that is there while a kernel waits may go before that, or had started before that kernel was ready. *)
  Theorem resident_since v r u r' t i :
    In v (on_pool S p) -> In u (on_pool S p) -> 0 <= i < blocks P u -> kernel_waits S h P e v r t = true ->
    block e u r' i t <> Waiting ->
    before S h (order_of S p) u r' v r \/
    exists x, x <= t /\ ready S h v r x = false /\ block e u r' i x <> Waiting /\ ready_no_later S h u r' v r.
  Proof.
    intros hv hu hi hw hb. pose proof (proj1 (waits_spec v r t) hw) as (hp & j & hj & hjw).
    pose proof (block_ready ob u r' i t hu hi hb) as hre. apply ready_spec in hre. destruct hre as (hrel & hr' & _).
    pose proof (legal_start lg _ _ hrel).
    destruct (first_such (fun x => negb (is_waiting (block e u r' i x))) 0 t) as (x & hx & hbx & hfirst); [|lia|].
    { destruct (block e u r' i t); easy. }
    assert (hstart : block e u r' i x <> Waiting) by (intros eb; rewrite eb in hbx; discriminate).
    assert (hbefore : block e u r' i (x - 1) = Waiting).
    { destruct (Z.eq_dec x 0) as [->|hne].
      - destruct (block e u r' i (0 - 1)) eqn:eb; [reflexivity| |];
          (assert (hre : ready S h u r' (0 - 1) = true) by (apply (block_ready ob u r' i _ hu hi); congruence);
           apply ready_spec in hre; lia).
      - specialize (hfirst (x - 1) ltac:(lia)). destruct (block e u r' i (x - 1)); easy. }
    destruct (kernel_waits S h P e v r x) eqn:hwx; [left; exact (queue_order ob u r' i x v r hu hi hv hbefore hstart hwx)|].
    assert (hnx : ready S h v r x = false).
    { destruct (ready S h v r x) eqn:hvr; [|reflexivity]. exfalso.
      enough (kernel_waits S h P e v r x = true) by congruence. apply waits_spec. split.
      - apply pending_spec. split; [exact hvr|]. apply pending_spec in hp. destruct hp as (_ & hnd).
        destruct (done h v r x) eqn:hd; [|reflexivity]. rewrite (legal_done lg v r x t hd) in hnd by lia. discriminate.
      - exists j. split; [exact hj|]. destruct (block e v r j x) eqn:eb; [reflexivity| |];
          (assert (block e v r j t <> Waiting) by (apply (started_stays v r j x t hv hj); [lia | congruence]); congruence). }
    right. exists x. repeat split; auto; [lia|]. intros t' hvr. pose proof (block_ready ob u r' i x hu hi hstart) as hux.
    destruct (Z_le_gt_dec x t') as [hle|hgt]; [now apply (ready_stays S h lg u r' x t')|].
    rewrite (ready_stays S h lg v r t' x hvr) in hnx by lia. discriminate.
  Qed.

  (** So what is there of no lower priority became ready no later, or has a higher priority. *)
  Lemma resident_not_lower v r u r' t i :
    In v (on_pool S p) -> In u (on_pool S p) -> 0 <= i < blocks P u -> kernel_waits S h P e v r t = true ->
    block e u r' i t <> Waiting -> queued S P p G v -> lower (order_of S p) u r' v r = false -> before S h (order_of S p) u r' v r.
  Proof.
    intros hv hu hi hw hb hq hlow. destruct (resident_since v r u r' t i hv hu hi hw hb) as [h0|(x & _ & _ & _ & hno)]; [exact h0|].
    destruct hq as [->|((pi & e0) & _)]; [exact hno|]. rewrite e0 in *. cbn [lower before] in *. apply Z.ltb_ge in hlow.
    destruct (Z.eq_dec (pi v) (pi u)); [right; auto | left; lia].
  Qed.

  (** While a kernel waits every SM is in a configuration that blocks one of no lower priority. *)
  Lemma blocked_everywhere v r t : head_blocked S h P e p G v r t ->
    exists k r', In k (on_pool S p) /\ lower (order_of S p) k r' v r = false /\
      forall s, 0 <= s < sms G -> feasible S P p G (resident P e s t) /\ blocks_node S P p G (resident P e s t) k.
  Proof.
    intros (k & r' & hk & _ & hlow & hfull).
    exists k, r'. split; [exact hk|]. split; [exact hlow|]. intros s hs. split; [now apply resident_feasible|].
    destruct (hfull s hs) as (res & hres & hcap). exists res. auto.
  Qed.

  Lemma rate_if_blocked v t : In v (on_pool S p) -> 0 < sms G ->
    (forall s, 0 <= s < sms G -> one w p <= weigh S p (weight w) (resident P e s t)) ->
    sms G * one w p <= sum (fun u => sum (fun r => weight w u * resident_blocks u r t) (range 0 (t + 1))) (on_pool S p).
  Proof.
    intros hv hg hall. rewrite rate_by_sm.
    rewrite Z.mul_comm. rewrite <- (Z.sub_0_r (sms G)) at 1. rewrite <- sum_range_const by lia.
    apply sum_le. intros s hs. rewrite in_range in hs. now apply hall.
  Qed.
  (* In ticks that count, all of them unless the GPU is shared by time slices, each block is resident for L at most. *)
  Context (keep : Z -> bool).
  Context (length_in : forall u r i b c, In u (on_pool S p) -> 0 <= i < blocks P u ->
    sum (fun t => ind (is_on (block e u r i t) && keep t)) (range b c) <= length_of P u).

  (* A kernel that does not wait has ended within L: some block is resident in every such tick, and was in all of them. *)
  Lemma kernel_exec_in u r b c : In u (on_pool S p) ->
    sum (fun t => ind (pending S h u r t && negb (kernel_waits S h P e u r t) && keep t)) (range b c) <= length_of P u.
  Proof.
    intros hu. destruct (node_facts u hu) as (_ & _ & hL & _).
    destruct (Z_le_gt_dec c b) as [hle|hgt]; [rewrite range_nil by lia; cbn; lia|].
    remember (Z.to_nat (c - b)) as n eqn:hn. revert c hgt hn. induction n as [|n IH]; intros c hgt hn; [lia|].
    destruct (pending S h u r (c - 1) && negb (kernel_waits S h P e u r (c - 1))) eqn:el.
    - apply andb_prop in el. destruct el as (hp & hw). apply negb_true_iff in hw.
      destruct (kernel_ends ob u r (c - 1) hu hp) as (i & hi & hb).
      etransitivity; [|apply (length_in u r i b c hu hi)].
      apply sum_le. intros t ht. rewrite in_range in ht.
      destruct (pending S h u r t && negb (kernel_waits S h P e u r t)) eqn:et; cbn [andb ind]; [|apply ind_range].
      apply andb_prop in et. destruct et as (hpt & hwt). apply negb_true_iff in hwt.
      pose proof (not_waits u r t hpt hwt i hi).
      destruct (block e u r i t) eqn:eb; [congruence | cbn [is_on andb]; lia|].
      rewrite (ended_stays u r i t (c - 1) hu hi ltac:(lia) eb) in hb. congruence.
    - rewrite (range_snoc b c), sum_app by lia. cbn [sum]. rewrite el. cbn [andb ind].
      destruct (Z.eq_dec (c - 1) b) as [heq|hne]; [rewrite range_nil by lia; cbn; lia|].
      specialize (IH (c - 1) ltac:(lia) ltac:(lia)). lia.
  Qed.

  Lemma blocks_work_in u r b c : In u (on_pool S p) ->
    sum (fun t => ind (keep t) * (weight w u * resident_blocks u r t)) (range b c) <= weight w u * length_of P u * blocks P u.
  Proof.
    intros hu. destruct (node_facts u hu) as (_ & _ & _ & hB & _ & _ & hw).
    rewrite (sum_eq _ (fun t => weight w u * sum (fun i => ind (is_on (block e u r i t) && keep t)) (range 0 (blocks P u)))).
    - rewrite sum_scale, <- Z.mul_assoc. apply Z.mul_le_mono_nonneg_l; [lia|].
      rewrite (sum_exchange (fun t i => ind (is_on (block e u r i t) && keep t))).
      rewrite <- (Z.sub_0_r (blocks P u)) at 2. rewrite <- sum_range_const by lia.
      apply sum_le. intros i hi. rewrite in_range in hi. now apply length_in.
    - intros t _. unfold resident_blocks. rewrite Z.mul_comm, <- Z.mul_assoc. f_equal. rewrite Z.mul_comm, <- sum_scale. apply sum_eq. intros i _.
      destruct (is_on (block e u r i t)), (keep t); reflexivity.
  Qed.

  (* While a kernel waits, its last block to start is not resident. *)
  Lemma kernel_last_in u r b c : In u (on_pool S p) ->
    sum (fun t => ind (kernel_waits S h P e u r t) * (ind (keep t) * (weight w u * resident_blocks u r t))) (range b c)
      <= weight w u * length_of P u * blocks P u - weight w u * length_of P u.
  Proof.
    intros hu. destruct (node_facts u hu) as (_ & _ & hL & hB & _ & _ & hw).
    assert (0 <= weight w u * length_of P u) by nia.
    destruct (Z_le_gt_dec c b) as [hle|hgt]; [rewrite range_nil by lia; cbn [sum]; nia|].
    remember (Z.to_nat (c - b)) as n eqn:hn. revert c hgt hn. induction n as [|n IH]; intros c hgt hn; [lia|].
    destruct (kernel_waits S h P e u r (c - 1)) eqn:el.
    - apply waits_spec in el. destruct el as (hp & i & hi & hb).
      assert (hnever : forall t, b <= t < c -> block e u r i t = Waiting).
      { intros t ht. destruct (block e u r i t) eqn:eb; [reflexivity| |];
          (assert (block e u r i (c - 1) <> Waiting) by (apply (started_stays u r i t (c - 1) hu hi); [lia | congruence]); congruence). }
      transitivity (sum (fun t => weight w u * sum (fun j => ind (is_on (block e u r j t) && keep t)) (range 0 (blocks P u))) (range b c)).
      { apply sum_le. intros t _. assert (0 <= sum (fun j => ind (is_on (block e u r j t) && keep t)) (range 0 (blocks P u))) by (apply sum_nonneg; intros; apply ind_range).
        assert (heq : ind (keep t) * resident_blocks u r t = sum (fun j => ind (is_on (block e u r j t) && keep t)) (range 0 (blocks P u))).
        { unfold resident_blocks. rewrite <- sum_scale. apply sum_eq. intros j _. destruct (is_on (block e u r j t)), (keep t); reflexivity. }
        replace (ind (keep t) * (weight w u * resident_blocks u r t)) with (weight w u * (ind (keep t) * resident_blocks u r t)) by ring.
        rewrite heq. pose proof (ind_range (kernel_waits S h P e u r t)). nia. }
      rewrite sum_scale. rewrite (sum_exchange (fun t i => ind (is_on (block e u r i t) && keep t))).
      assert (hs : sum (fun j => sum (fun t => ind (is_on (block e u r j t) && keep t)) (range b c)) (range 0 (blocks P u))
                <= sum (fun j => ind (negb (j =? i)) * length_of P u) (range 0 (blocks P u))).
      { apply sum_le. intros j hj. rewrite in_range in hj. destruct (Z.eqb_spec j i) as [->|hne]; cbn [negb ind].
        - rewrite sum_zero; [lia|]. intros t ht. rewrite in_range in ht. now rewrite (hnever t ht).
        - rewrite Z.mul_1_l. now apply length_in. }
      assert (hc : sum (fun j => ind (negb (j =? i)) * length_of P u) (range 0 (blocks P u)) = length_of P u * (blocks P u - 1)).
      { pose proof (sum_split_one (fun j => j =? i) (fun _ => length_of P u) (range 0 (blocks P u))) as hsp. cbv beta in hsp.
        rewrite (sum_unique (fun a => ind (a =? i) * length_of P u) (range 0 (blocks P u)) i) in hsp.
        - rewrite Z.eqb_refl, sum_range_const in hsp by lia. cbn [ind] in hsp. lia.
        - apply range_nodup.
        - now apply in_range.
        - intros j _ hne. destruct (Z.eqb_spec j i); [contradiction|]. cbn [ind]. lia. }
      nia.
    - rewrite (range_snoc b c), sum_app by lia. cbn [sum]. rewrite el. cbn [ind].
      destruct (Z.eq_dec (c - 1) b) as [heq|hne]; [rewrite range_nil by lia; cbn [sum]; nia|].
      specialize (IH (c - 1) ltac:(lia) ltac:(lia)). lia.
  Qed.

End Blocks.

(** A GPU that is not shared: all ticks count. *)
Section Whole.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights).
  Context (p : Z) (G : gpu) (hkind : kind_of P p = Gpu G) (sp : sound_platform S P).
  Context (ob : gpu_obeys S h P e p G) (valid : valid_weights S P p G (weight w) (one w p)).

  Let resident_blocks u r t : Z := sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)).

  Let length_always : forall u r i b c, In u (on_pool S p) -> 0 <= i < blocks P u ->
    sum (fun t => ind (is_on (block e u r i t) && true)) (range b c) <= length_of P u.
  Proof.
    intros u r i b c hu hi. etransitivity; [|exact (block_length ob u r i b c hu hi)]. apply Z.eq_le_incl, sum_eq. intros t _. now rewrite andb_true_r.
  Qed.

  Lemma kernel_exec u r b c : In u (on_pool S p) ->
    sum (fun t => ind (pending S h u r t && negb (kernel_waits S h P e u r t))) (range b c) <= length_of P u.
  Proof.
    intros hu. etransitivity; [|exact (kernel_exec_in S h P e w p G hkind sp ob valid (fun _ => true) length_always u r b c hu)].
    apply Z.eq_le_incl, sum_eq. intros t _. now rewrite andb_true_r.
  Qed.

  Lemma kernel_last u r b c : In u (on_pool S p) ->
    sum (fun t => ind (kernel_waits S h P e u r t) * (weight w u * resident_blocks u r t)) (range b c)
      <= weight w u * length_of P u * blocks P u - weight w u * length_of P u.
  Proof.
    intros hu. etransitivity; [|exact (kernel_last_in S h P e w p G hkind sp ob valid (fun _ => true) length_always u r b c hu)].
    apply Z.eq_le_incl, sum_eq. intros t _. cbn [ind]. unfold resident_blocks. ring.
  Qed.

  (* From an instant at which it does not wait, only its resident blocks are left. *)
  Lemma kernel_left u r t b : In u (on_pool S p) -> pending S h u r t = true -> kernel_waits S h P e u r t = false ->
    sum (fun s => weight w u * resident_blocks u r s) (range t b) <= length_of P u * (weight w u * resident_blocks u r t).
  Proof.
    intros hu hp hw. destruct (node_facts S P w p G hkind sp valid u hu) as (_ & _ & hL & hB & _ & _ & hwu).
    rewrite sum_scale. unfold resident_blocks. rewrite (sum_exchange (fun s i => ind (is_on (block e u r i s)))).
    transitivity (weight w u * sum (fun i => length_of P u * ind (is_on (block e u r i t))) (range 0 (blocks P u))).
    - apply Z.mul_le_mono_nonneg_l; [lia|]. apply sum_le. intros i hi. rewrite in_range in hi.
      pose proof (not_waits S h P e u r t hp hw i hi). destruct (block e u r i t) eqn:eb; [congruence| |].
      + cbn [is_on ind]. rewrite Z.mul_1_r. now apply (block_length ob).
      + rewrite sum_zero; [cbn; lia|]. intros s hs. rewrite in_range in hs.
        now rewrite (ended_stays S h P e p G ob u r i t s hu hi ltac:(lia) eb).
    - rewrite sum_scale. lia.
  Qed.
End Whole.
