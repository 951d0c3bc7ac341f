(** GPUs with stream priorities: kernels of lower priority some of whose blocks are there while a kernel waits. Their blocks had all started
    before that kernel was ready, so these kernels are no more than what SMs hold. docs/theory/fixed-priority.md, "T11g". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws pools.Platform pools.Counted pools.Configurations pools.Blocks.

Section Lagging.
  Context (S : system) (h : history) (P : platform) (e : execution) (nd : NoDup (nodes S)) (lg : legal S h).
  Context (p : Z) (G : gpu) (ob : gpu_obeys S h P e p G) (hsms : 0 <= sms G).
  Context (takes : forall u, In u (on_pool S p) ->
    (forall res, In res (resources G) -> 0 <= demand P u res) /\ exists res, In res (resources G) /\ 0 < demand P u res).

  Lemma few_blocks x : feasible S P p G x -> weigh S p (fun _ => 1) x <= Z.max 0 (sum (capacity G) (resources G)).
  Proof.
    intros (hx & hfit). etransitivity; [|apply Z.le_max_r]. transitivity (sum (used S P x p) (resources G)).
    - unfold weigh, used. rewrite (sum_exchange (fun res u => x u * demand P u res)). apply sum_le. intros u hu.
      rewrite sum_scale. destruct (takes u hu) as (h0 & res & hres & hpos). apply Z.mul_le_mono_nonneg_l; [apply hx|].
      pose proof (sum_in (demand P u) (resources G) res) as hs. enough (demand P u res <= sum (demand P u) (resources G)) by lia.
      clear -h0 hres. induction (resources G) as [|a l IH]; [easy|]. cbn [sum].
      assert (0 <= demand P u a) by (apply h0; now left). assert (0 <= sum (demand P u) l) by (apply sum_nonneg; intros b hb; apply h0; now right).
      destruct hres as [->|hres]; [lia|]. specialize (IH (fun b hb => h0 b (or_intror hb)) hres). lia.
    - apply sum_le. exact hfit.
  Qed.

  (** Some block of (u, r) is there. *)
  Definition there (u : node) (r t : Z) : bool := existsb (fun i => is_on (block e u r i t)) (range 0 (blocks P u)).

  Lemma there_spec u r t : there u r t = true <-> exists i, 0 <= i < blocks P u /\ is_on (block e u r i t) = true.
  Proof.
    unfold there. rewrite existsb_exists. split; intros (i & h1 & h2); exists i; [apply in_range in h1 | rewrite in_range]; auto.
  Qed.

  Lemma there_pending u r t : In u (on_pool S p) -> there u r t = true -> pending S h u r t = true.
  Proof.
    intros hu ht. apply there_spec in ht. destruct ht as (i & hi & hb). destruct (block e u r i t) as [|s|] eqn:eb; try discriminate.
    now destruct (block_sm ob u r i t s hu hi eb).
  Qed.

  (** All that are there in tick t: no more than SMs hold. *)
  Lemma few_there f t : NoDup (filter f (list_prod (on_pool S p) (range 0 (t + 1)))) /\
    ((forall ur, f ur = true -> there (fst ur) (snd ur) t = true) ->
     Z.of_nat (length (filter f (list_prod (on_pool S p) (range 0 (t + 1))))) <= most_blocks G).
  Proof.
    split; [apply NoDup_filter, nodup_prod; [apply NoDup_filter, nd | apply range_nodup]|]. intros hf.
    rewrite <- sum_length.
    transitivity (sum (fun u => sum (fun r => 1 * sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))) (range 0 (t + 1))) (on_pool S p)).
    - rewrite sum_prod. apply sum_le. intros u hu. apply sum_le. intros r _.
      assert (h0 : 0 <= sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))) by (apply sum_nonneg; intros; apply ind_range).
      destruct (f (u, r)) eqn:ef; cbn [ind]; [|lia]. specialize (hf (u, r) ef). cbn [fst snd] in hf. apply there_spec in hf.
      destruct hf as (i & hi & hb). rewrite Z.mul_1_l.
      etransitivity; [|apply (sum_in (fun i => ind (is_on (block e u r i t))) _ i); [intros; apply ind_range | now apply in_range]]. cbv beta.
      rewrite hb. cbn. lia.
    - rewrite (rate_by_sm S h P e p G ob (fun _ => 1) t). unfold most_blocks.
      transitivity (sum (fun _ : Z => Z.max 0 (sum (capacity G) (resources G))) (range 0 (sms G))).
      + apply sum_le. intros s hs. rewrite in_range in hs. apply few_blocks. exact (resident_feasible S h P e p G ob s t hs).
      + rewrite sum_range_const by lia. lia.
  Qed.

  (** Of those of lower priority that are there while (v, r) waits. *)
  Theorem lagging_kernels v r c : In v (on_pool S p) -> exists met : list (node * Z), NoDup met /\ Z.of_nat (length met) <= most_blocks G /\
    (forall u r', In (u, r') met -> In u (on_pool S p) /\ lower (order_of S p) u r' v r = true /\
       exists s, ready S h v r s = false /\ pending S h u r' s = true) /\
    forall u r' s, In u (on_pool S p) -> s < c -> kernel_waits S h P e v r s = true -> there u r' s = true ->
      lower (order_of S p) u r' v r = true -> In (u, r') met.
  Proof.
    intros hv. destruct (existsb (ready S h v r) (range 0 c)) eqn:some.
    - apply existsb_exists in some. destruct some as (s1 & hs1 & hre1). rewrite in_range in hs1.
      pose proof (proj1 (ready_spec S h v r s1) hre1) as (hrel & hrs1 & _). pose proof (legal_start lg _ _ hrel) as hr0.
      destruct (first_such (ready S h v r) r s1 hre1 hrs1) as (x & hx & hrx & hfirst).
      assert (hnx : ready S h v r (x - 1) = false).
      { destruct (Z_le_gt_dec r (x - 1)) as [hle|hgt]; [apply hfirst; lia|].
        destruct (ready S h v r (x - 1)) eqn:hre; [|reflexivity]. apply ready_spec in hre. lia. }
      set (f := fun ur : node * Z => there (fst ur) (snd ur) (x - 1) && lower (order_of S p) (fst ur) (snd ur) v r).
      destruct (few_there f (x - 1)) as (hnd & hlen).
      exists (filter f (list_prod (on_pool S p) (range 0 (x - 1 + 1)))). split; [exact hnd|]. split; [|split].
      + apply hlen. intros ur hur. unfold f in hur. now apply andb_prop in hur.
      + intros u r' hin. apply filter_In in hin. destruct hin as (hin & hf). apply in_prod_iff in hin. unfold f in hf. cbn [fst snd] in hf.
        apply andb_prop in hf. destruct hf as (hth & hlow). destruct hin as (hu & _). repeat (split; [assumption|]). exists (x - 1).
        split; [exact hnx | now apply there_pending].
      + intros u r' s hu hs hw hth hlow. pose proof hth as hth'. apply there_spec in hth. destruct hth as (i & hi & hb).
        assert (hne : block e u r' i s <> Waiting) by (intros eb; rewrite eb in hb; discriminate).
        destruct (resident_since S h P e p G lg ob v r u r' s i hv hu hi hw hne) as [hbef|(y & hys & hny & hby & _)].
        { apply before_not_lower in hbef. congruence. }
        assert (hyx : y <= x - 1).
        { destruct (Z_le_gt_dec y (x - 1)) as [|hgt]; [auto|]. rewrite (ready_stays S h lg v r x y hrx) in hny by lia. discriminate. }
        assert (hxs : x - 1 <= s).
        { destruct (Z_le_gt_dec (x - 1) s) as [|hgt]; [auto|]. exfalso. apply (waits_spec S h P e) in hw. destruct hw as (hp & _).
          apply pending_spec in hp. destruct hp as (hre & _). rewrite (ready_stays S h lg v r s (x - 1) hre) in hnx by lia. discriminate. }
        assert (hx1 : there u r' (x - 1) = true).
        { apply there_spec. exists i. split; [exact hi|].
          pose proof (started_stays S h P e p G ob u r' i y (x - 1) hu hi hyx hby) as hst. destruct (block e u r' i (x - 1)) eqn:eb; [congruence | reflexivity|].
          rewrite (ended_stays S h P e p G ob u r' i (x - 1) s hu hi hxs eb) in hb. discriminate. }
        apply filter_In. unfold f. cbn [fst snd]. rewrite hx1, hlow. split; [|reflexivity]. apply in_prod_iff. split; [exact hu|].
        pose proof (pending_released S h lg u r' (x - 1) (there_pending u r' (x - 1) hu hx1)) as (_ & ?). apply in_range. lia.
    - exists []. split; [constructor|]. split; [unfold most_blocks; cbn; nia|]. split; [easy|]. intros u r' s _ hs hw _ _. exfalso.
      apply (waits_spec S h P e) in hw. destruct hw as (hp & _). pose proof (pending_released S h lg v r s hp) as (_ & hr0).
      apply pending_spec in hp. destruct hp as (hre & _).
      enough (existsb (ready S h v r) (range 0 c) = true) by congruence. apply existsb_exists. exists s. split; [apply in_range; lia | exact hre].
  Qed.

  (** Their work is at most what these kernels have, whatever blocks weigh. *)
  Context (weight : node -> Z).
  Let done_of u r t := weight u * sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)).

  Lemma worked_there u r t : 0 < done_of u r t -> there u r t = true.
  Proof.
    unfold done_of. assert (0 <= sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))) by (apply sum_nonneg; intros; apply ind_range).
    intros hpos. assert (hs : 0 < sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))).
    { destruct (Z.eq_dec (sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))) 0) as [h0|]; [rewrite h0 in hpos; lia | lia]. }
    apply sum_pos_in in hs. destruct hs as (i & hi & hs). rewrite in_range in hi. apply there_spec. exists i. split; [exact hi|].
    destruct (is_on (block e u r i t)); [reflexivity | cbn in hs; lia].
  Qed.

  Context (hweight : forall u, In u (on_pool S p) -> 0 <= weight u).

  Lemma done_nonneg u r t : In u (on_pool S p) -> 0 <= done_of u r t.
  Proof.
    intros hu. pose proof (hweight u hu). unfold done_of.
    assert (0 <= sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))) by (apply sum_nonneg; intros; apply ind_range). nia.
  Qed.

  Theorem lagging_work v r b c (amount : node -> Z) : In v (on_pool S p) ->
    (forall u r', In u (on_pool S p) -> sum (done_of u r') (range b c) <= amount u) ->
    exists l : list (node * Z), NoDup l /\ Z.of_nat (length l) <= most_blocks G /\
    (forall u r', In (u, r') l -> In u (on_pool S p) /\ lower (order_of S p) u r' v r = true /\
       (exists s, b <= s < c /\ kernel_waits S h P e v r s = true /\ 0 < done_of u r' s) /\
       exists s, ready S h v r s = false /\ pending S h u r' s = true) /\
    sum (fun t => ind (kernel_waits S h P e v r t) *
           sum (fun u => sum (fun r' => ind (lower (order_of S p) u r' v r) * done_of u r' t) (range 0 (t + 1))) (on_pool S p)) (range b c)
      <= sum (fun ur => amount (fst ur)) l.
  Proof.
    intros hv hamount. destruct (lagging_kernels v r c hv) as (met & hnd & hlen & hmet & hall).
    set (f := fun ur : node * Z => existsb (fun t => kernel_waits S h P e v r t && (0 <? done_of (fst ur) (snd ur) t)) (range b c)).
    exists (filter f met). split; [now apply NoDup_filter|]. split; [|split].
    - etransitivity; [|exact hlen]. apply inj_le. clear. induction met as [|a l IH]; [auto|]. cbn. destruct (f a); cbn; lia.
    - intros u r' hin. apply filter_In in hin. destruct hin as (hin & hf). destruct (hmet u r' hin) as (h1 & h2 & h3).
      repeat (split; [assumption|]). split; [|exact h3]. apply existsb_exists in hf. destruct hf as (s & hs & hf). rewrite in_range in hs.
      apply andb_prop in hf. exists s. split; [exact hs|]. split; [tauto|]. apply Z.ltb_lt. tauto.
    - transitivity (sum (fun t => sum (fun ur => ind (kernel_waits S h P e v r t) * done_of (fst ur) (snd ur) t) (filter f met)) (range b c)).
      + apply sum_le. intros t ht. destruct (kernel_waits S h P e v r t) eqn:ew; cbn [ind]; [|rewrite Z.mul_0_l, sum_zero; [lia | intros; lia]].
        rewrite Z.mul_1_l, (sum_eq (fun ur => 1 * done_of (fst ur) (snd ur) t) (fun ur => done_of (fst ur) (snd ur) t)) by (intros; ring).
        transitivity (sum (fun ur => ind (lower (order_of S p) (fst ur) (snd ur) v r && (0 <? done_of (fst ur) (snd ur) t)) * done_of (fst ur) (snd ur) t)
                        (list_prod (on_pool S p) (range 0 (t + 1)))).
        { rewrite sum_prod. apply sum_le. intros u hu. apply sum_le. intros r' _. cbn [fst snd]. pose proof (done_nonneg u r' t hu) as h0.
          destruct (lower (order_of S p) u r' v r), (Z.ltb_spec 0 (done_of u r' t)); cbn [andb ind]; lia. }
        rewrite <- sum_filter. apply sum_incl.
        * apply NoDup_filter, nodup_prod; [apply NoDup_filter, nd | apply range_nodup].
        * intros (u, r') hin. apply filter_In in hin. destruct hin as (hin & hb). cbn [fst snd] in hb. apply andb_prop in hb. destruct hb as (hlow & hpos).
          apply in_prod_iff in hin. destruct hin as (hu & _). pose proof (proj1 (Z.ltb_lt _ _) hpos) as hpos'. apply filter_In. split.
          -- apply (hall u r' t hu); auto; [apply in_range in ht; lia|]. now apply worked_there.
          -- unfold f. cbn [fst snd]. apply existsb_exists. exists t. rewrite ew, hpos. auto.
        * intros (u, r') hin. apply filter_In in hin. destruct hin as (hin & _). destruct (hmet u r' hin) as (hu & _). now apply done_nonneg.
      + rewrite (sum_exchange (fun t ur => ind (kernel_waits S h P e v r t) * done_of (fst ur) (snd ur) t)). apply sum_le. intros (u, r') hin.
        apply filter_In in hin. destruct hin as (hin & _). destruct (hmet u r' hin) as (hu & _). cbn [fst snd].
        etransitivity; [|exact (hamount u r' hu)]. apply sum_le. intros t _. pose proof (done_nonneg u r' t hu) as h0.
        pose proof (ind_range (kernel_waits S h P e v r t)). nia.
  Qed.
End Lagging.
