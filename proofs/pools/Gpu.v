(** GPUs keep the laws of counted work, for all valid weights: the rate lemma.

    docs/theory/path.md, "Rate"; docs/theory/gpu.md, part (1) of the proof of T6. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws pools.Platform pools.Counted pools.Configurations.
From Rta Require Export pools.Blocks pools.Lagging.

Section Gpu.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights).
  Context (p : Z) (G : gpu) (hkind : kind_of P p = Gpu G) (nd : NoDup (nodes S)) (sp : sound_platform S P) (lg : legal S h).
  Context (ob : gpu_obeys S h P e p G) (valid : valid_weights S P p G (weight w) (one w p)).

  (** Rate lemma. While a kernel waits, the head of a queue fits on no SM: every SM is in a blocking configuration, whose weights sum to at
      least 1. So counted work falls at a rate of at least g. *)
  Theorem rate_lemma v r t : In v (on_pool S p) -> kernel_waits S h P e v r t = true ->
    sms G * one w p <= sum (fun u => sum (fun r => weight w u * sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)))
                                        (range 0 (t + 1))) (on_pool S p).
  Proof.
    intros hv hw. destruct (node_facts S P w p G hkind sp valid v hv) as (_ & _ & _ & _ & hg & _).
    apply (rate_if_blocked S h P e w p G ob v t hv hg). intros s hs. destruct (blocked_everywhere S h P e p G ob v r t (queue_conserving ob v r t hv hw)) as (k & r' & hk & _ & hall).
    destruct (hall s hs) as (hf & hb). apply valid. split; [exact hf|]. exists k. auto.
  Qed.

  (** FIFO with head-of-line blocking: every resident block belongs to a kernel that became ready no later than one that waits. *)
  Theorem resident_before v r u r' t i :
    In v (on_pool S p) -> In u (on_pool S p) -> 0 <= i < blocks P u -> kernel_waits S h P e v r t = true ->
    order_of S p = Fifo -> block e u r' i t <> Waiting -> ready_no_later S h u r' v r.
  Proof.
    intros hv hu hi hw ho hb. destruct (resident_since S h P e p G lg ob v r u r' t i hv hu hi hw hb) as [h0|(x & _ & _ & _ & hno)]; [|exact hno].
    now rewrite ho in h0.
  Qed.

  Let facts := node_facts S P w p G hkind sp valid.

  Theorem gpu_keeps_laws : keeps_laws_on (on_pool S p) S h (counted_progress S h P e w) (counted_accounts S P w).
  Proof.
    assert (hk : forall u, In u (on_pool S p) -> kind_of P (pool S u) = Gpu G).
    { intros u hu. destruct (facts u hu) as (_ & -> & _). exact hkind. }
    assert (hweight : forall u, In u (on_pool S p) -> 0 <= weight w u) by (intros u hu; apply valid; exact hu).
    pose proof (proj1 valid) as hone.
    constructor; cbn [cap lagging exec last vol waits work counted_accounts counted_progress];
      intros u; intros; destruct (facts u ltac:(assumption)) as (hu & hp & hL & hB & hg & hq & hw); rewrite ?(hk u) in * by assumption.
    - assert (0 <= weight w u * length_of P u) by nia. repeat split; [lia | lia | nia | intros ->; lia].
    - rewrite hp. split; [nia|]. pose proof (Z.le_max_l 0 (sum (capacity G) (resources G))). unfold most_blocks.
      destruct (order_of S p); [lia | nia | nia | nia].
    - apply (waits_spec S h P e) in H0. tauto.
    - pose proof (sum_nonneg (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))) as hs.
      assert (0 <= sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))) by (apply hs; intros; apply ind_range). nia.
    - assert (hs : 0 < sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))).
      { pose proof (sum_nonneg (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)) (fun _ _ => proj1 (ind_range _))). nia. }
      apply sum_pos_in in hs. destruct hs as (i & hi & hs). rewrite in_range in hi.
      destruct (block e u r i t) as [|s|] eqn:eb; cbn in hs; try lia.
      now apply (block_sm ob u r i t s).
    - now apply (kernel_exec S h P e w p G hkind sp ob valid).
    - apply (blocks_work S P e w p G hkind sp valid); auto. intros i hi. now apply (block_length ob).
    - now apply (kernel_last S h P e w p G hkind sp ob valid).
    - now apply (kernel_left S h P e w p G hkind sp ob valid).
    - assert (hle : sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)) <= blocks P u).
      { rewrite <- (Z.sub_0_r (blocks P u)) at 2. rewrite <- (Z.mul_1_l (blocks P u - 0)), <- sum_range_const by lia.
        apply sum_le. intros i _. apply ind_range. }
      assert (0 <= weight w u * length_of P u) by nia. nia.
    - rewrite hp. etransitivity; [eapply rate_lemma; eauto|].
      apply Z.eq_le_incl. apply sum_eq. intros u' hu'. apply sum_eq. intros r' _.
      cbn [work counted_progress]. now rewrite (hk u') by auto.
    - rewrite (hk u0) in * by assumption. rewrite hp in *.
      pose proof (worked_there P e (weight w) u0 r' t ltac:(assumption)) as hthere.
      apply (there_spec P e) in hthere. destruct hthere as (i & hi & hb).
      apply (resident_not_lower S h P e p G lg ob u r u0 r' t i); auto. intros eb. rewrite eb in hb. discriminate.
    - rewrite hp. destruct hq as [ho|((pi & ho) & htakes)].
      + rewrite ho. exists []. split; [constructor|]. split; [cbn; lia|]. split; [easy|]. cbn [sum]. apply Z.eq_le_incl. apply sum_zero. intros t _.
        cbn [lower ind]. rewrite (sum_zero _ (on_pool S p)); [lia|]. intros u' _. apply sum_zero. intros; lia.
      + assert (takes : forall x, In x (on_pool S p) -> (forall res, In res (resources G) -> 0 <= demand P x res) /\
                          exists res, In res (resources G) /\ 0 < demand P x res).
        { intros x hx. destruct (node_facts S P w p G hkind sp valid x hx) as (_ & _ & _ & _ & _ & [hf|(_ & ht)] & _); [congruence | exact ht]. }
        assert (hvol : forall x r', In x (on_pool S p) ->
                  sum (fun t => weight w x * sum (fun i => ind (is_on (block e x r' i t))) (range 0 (blocks P x))) (range b c)
                    <= weight w x * length_of P x * blocks P x).
        { intros x r' hx. destruct (node_facts S P w p G hkind sp valid x hx) as (_ & _ & hLx & _).
          apply (blocks_work S P e w p G hkind sp valid); auto. intros i hi. now apply (block_length ob). }
        destruct (lagging_work S h P e nd lg p G ob ltac:(lia) takes (weight w) hweight u r b c (fun x => weight w x * length_of P x * blocks P x) ltac:(assumption) hvol)
          as (l & h1 & h2 & h3 & h4). exists l. split; [exact h1|]. split; [rewrite ho; lia|]. split.
        * intros x r' hin. destruct (h3 x r' hin) as (k1 & k2 & (s & k3) & k4). split; [exact k1|]. split; [exact k2|]. split; [|exact k4].
          exists s. now rewrite (hk x k1).
        * etransitivity; [etransitivity; [|exact h4]|].
          -- apply Z.eq_le_incl. apply sum_eq. intros t _. f_equal. apply sum_eq. intros x hx. apply sum_eq. intros r' _. now rewrite (hk x hx).
          -- apply Z.eq_le_incl. apply sum_eq. intros (x, r') hin. destruct (h3 x r' hin) as (k1 & _). cbn [fst]. now rewrite (hk x k1).
  Qed.
End Gpu.

(** All pools of a system together: the laws of counted work hold in every execution, for all valid weights. *)
Definition all_weights_valid (S : system) (P : platform) (w : weights) : Prop :=
  forall p G, kind_of P p = Gpu G -> valid_weights S P p G (weight w) (one w p).
