(** T7: kernels of several stream priorities. docs/theory/gpu.md.

    Kernels become ready, that is, enqueued, within J_u of their release, and bounds count from there, as for T6. Those of priority pi_k or more
    are urgent. What is printed as
      R_k = (carry + W_> + W_= - w_k L_k)/(g - U_>) + L_k
    reads M carry + sum over urgent u of w_u L_u B_u (M + rep_u J_u) - M w_k L_k <= (M g one - load_>) (R - L_k). *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu.
From Rta Require Import local.Core local.Carry local.Quiet local.Linear local.Fifo local.Timely local.T6.

Section T7.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights).
  Context (wf : well_formed S) (sp : sound_platform S P) (lg : legal S h).
  Context (p : Z) (G : gpu) (hkind : kind_of P p = Gpu G) (ob : gpu_obeys S h P e p G).
  Context (pi : node -> Z) (hord : order_of S p = Fixed pi).
  Context (weights_nonneg : forall u, In u (on_pool S p) -> 0 <= weight w u).
  Context (M : Z) (rep : node -> Z) (hM : common_period S p M rep).

  Context (k : node) (hk : In k (on_pool S p)).
  Definition urgent (u : node) : bool := pi k <=? pi u.
  Definition above (u : node) : bool := pi k <? pi u.

  Context (J : node -> Z) (J_nonneg : forall u, In u (on_pool S p) -> 0 <= J u).
  Context (jitter : forall u r s, In u (on_pool S p) -> urgent u = true -> ready S h u r s = true -> r + J u < s -> ready S h u r (r + J u) = true).

  (** Valid as far as urgent kernels are blocked. *)
  Definition valid_for_urgent : Prop := forall x, feasible S P p G x ->
    (exists u, In u (on_pool S p) /\ urgent u = true /\ blocks_node S P p G x u) -> one w p <= weigh S p (weight w) x.
  Context (valid : valid_for_urgent).

  Let full_vol (u : node) : Z := weight w u * length_of P u * blocks P u.
  Let work_of (u : node) (r t : Z) : Z := weight w u * sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)).
  Let waits u r t := kernel_waits S h P e u r t.

  Definition load_of (those : node -> bool) : Z :=
    sum (fun u => ind (those u) * (weight w u * length_of P u * blocks P u * rep u)) (on_pool S p).

  Definition T7_inequality (carry R : Z) : Prop :=
    M * carry + sum (fun u => ind (urgent u) * (weight w u * length_of P u * blocks P u * (M + rep u * J u))) (on_pool S p)
      - M * (weight w k * length_of P k) <= (M * (sms G * one w p) - load_of above) * (R - length_of P k).

  Lemma pool_facts u : In u (on_pool S p) -> In u (nodes S) /\ pool S u = p /\ 0 <= length_of P u /\ 0 < blocks P u /\ 0 < sms G /\ queued S P p G u.
  Proof.
    intros hu. pose proof hu as hu'. apply in_on_pool in hu. destruct hu as (hu & hp). pose proof (sp_pool sp u hu) as h0. rewrite hp, hkind in h0.
    pose proof (sp_length sp u hu). tauto.
  Qed.

  (** While an urgent kernel waits work is done at the GPU's capacity, and no block of a less urgent one starts. *)
  Lemma urgent_rate u r t : In u (on_pool S p) -> urgent u = true -> waits u r t = true ->
    sms G * one w p <= sum (fun u => sum (fun r => work_of u r t) (range 0 (t + 1))) (on_pool S p).
  Proof.
    intros hu hurg hw. destruct (pool_facts u hu) as (_ & _ & _ & _ & hg & _).
    apply (rate_if_blocked S h P e w p G ob u t hu hg). intros s hs.
    destruct (blocked_everywhere S h P e p G ob u r t (queue_conserving ob u r t hu hw)) as (q & r' & hq & hlow & hall). destruct (hall s hs) as (hf & hb). apply valid; [exact hf|].
    exists q. split; [exact hq|]. split; [|exact hb]. rewrite hord in hlow. cbn [lower] in hlow. unfold urgent in *. lia.
  Qed.

  Lemma no_start u r t v r' i : In u (on_pool S p) -> urgent u = true -> waits u r t = true -> In v (on_pool S p) -> urgent v = false ->
    0 <= i < blocks P v -> block e v r' i t <> Waiting -> block e v r' i (t - 1) <> Waiting.
  Proof.
    intros hu hurg hw hv hnot hi hb hb'. pose proof (queue_order ob v r' i t u r hv hi hu hb' hb hw) as ho. rewrite hord in ho. cbn [before] in ho.
    unfold urgent in *. destruct ho as [|(? & _)]; lia.
  Qed.

  Lemma work_nonneg u r t : In u (on_pool S p) -> 0 <= work_of u r t.
  Proof. intros hu. exact (done_nonneg S P e p (weight w) weights_nonneg u r t hu). Qed.

  Lemma work_pending u r t : In u (on_pool S p) -> 0 < work_of u r t -> pending S h u r t = true.
  Proof. intros hu hw. apply (there_pending S h P e p G ob u r t hu). exact (worked_there P e (weight w) u r t hw). Qed.

  Lemma vol_nonneg u : In u (on_pool S p) -> 0 <= full_vol u.
  Proof. intros hu. unfold full_vol. destruct (pool_facts u hu) as (_ & _ & hL & hB & _). pose proof (weights_nonneg u hu). nia. Qed.

  Section Job.
  (* Of the job released at r, which is ready from ra on and has not ended at ra + R. *)
  Context (r ra R : Z) (hrel : released h (dag S k) r = true) (hready : ready S h k r ra = true) (hfirst : forall s, s < ra -> ready S h k r s = false).
  Context (missed : done h k r (ra + R) = false) (room : length_of P k <= R).
  Let t1 := ra + R + 1 - length_of P k.

  Lemma ready_soon : r <= ra <= r + J k /\ 0 <= r.
  Proof.
    pose proof (proj1 (ready_spec S h k r ra) hready) as (_ & hra & _). pose proof (legal_start lg _ _ hrel). split; [split; [exact hra|] | assumption].
    destruct (Z_le_gt_dec ra (r + J k)) as [|hgt]; [auto|]. exfalso.
    pose proof (jitter k r ra hk (Z.leb_refl _) hready ltac:(lia)) as hj. rewrite hfirst in hj by lia. discriminate.
  Qed.

  (** It waits in all of [ra, t1). *)
  Lemma still_waits s : ra <= s < t1 -> waits k r s = true.
  Proof.
    intros hs. destruct (pool_facts k hk) as (_ & _ & hL & _). destruct (waits k r s) eqn:hw; [reflexivity|]. exfalso.
    assert (hpend : forall x, ra <= x <= ra + R -> pending S h k r x = true).
    { intros x hx. apply pending_spec. split; [apply (ready_stays S h lg k r ra x hready); lia|].
      destruct (done h k r x) eqn:hd; [|reflexivity]. rewrite (legal_done lg k r x (ra + R) hd) in missed by lia. discriminate. }
    assert (hno : forall x, s <= x <= ra + R -> waits k r x = false).
    { intros x hx. destruct (waits k r x) eqn:hwx; [|reflexivity]. exfalso. apply (waits_spec S h P e) in hwx. destruct hwx as (_ & i & hi & hb).
      pose proof (not_waits S h P e k r s (hpend s ltac:(lia)) hw i hi) as hst.
      now apply (started_stays S h P e p G ob k r i s x hk hi ltac:(lia) hst). }
    destruct (kernel_ends ob k r (ra + R) hk (hpend (ra + R) ltac:(unfold t1 in hs; lia))) as (i & hi & hb).
    pose proof (block_length ob k r i s (ra + R + 1) hk hi) as hl.
    rewrite (sum_eq _ (fun _ => 1)) in hl; [rewrite sum_range_const in hl by (unfold t1 in hs; lia); unfold t1 in hs; lia|].
    intros x hx. rewrite in_range in hx. pose proof (not_waits S h P e k r x (hpend x ltac:(lia)) (hno x ltac:(lia)) i hi) as hst.
    destruct (block e k r i x) eqn:eb; [congruence | reflexivity|].
    rewrite (ended_stays S h P e p G ob k r i x (ra + R) hk hi ltac:(lia) eb) in hb. congruence.
  Qed.

  (* [busy s]: theta of work is done, and an urgent kernel waits if a less urgent one might start; else no urgent kernel waits, and no more than
     carry is left of what is there. *)
  Context (busy : Z -> bool) (theta carry : Z) (carry_nonneg : 0 <= carry).
  Context (busy_rate : forall s, busy s = true -> theta <= sum (fun u => sum (fun r => work_of u r s) (range 0 (s + 1))) (on_pool S p)).
  Context (busy_keeps : forall s v r' i, busy s = true -> In v (on_pool S p) -> urgent v = false -> 0 <= i < blocks P v ->
    block e v r' i s <> Waiting -> block e v r' i (s - 1) <> Waiting).
  Context (quiet_waits : forall s u r', busy s = false -> In u (on_pool S p) -> urgent u = true -> waits u r' s = false).
  Context (quiet_left : forall s, busy s = false -> sum (fun u => sum (fun r' => length_of P u * work_of u r' s) (range 0 (s + 1))) (on_pool S p) <= carry).

  Let share (t0 : Z) (u : node) (r' : Z) : Z := sum (work_of u r') (range t0 t1).
  Let left_part (t0 : Z) (u : node) (r' : Z) : Z := if 0 <? t0 then length_of P u * work_of u r' (t0 - 1) else 0.
  Let until (u : node) : Z := if above u then t1 - 1 else ra.
  Let window (t0 : Z) (u : node) (r' : Z) : bool := urgent u && ((t0 - J u <=? r') && (r' <=? until u)).

  Lemma left_nonneg t0 u r' : In u (on_pool S p) -> 0 <= left_part t0 u r'.
  Proof.
    intros hu. unfold left_part. destruct (0 <? t0); [|lia]. pose proof (work_nonneg u r' (t0 - 1) hu). destruct (pool_facts u hu) as (_ & _ & hL & _). nia.
  Qed.

  Lemma share_vol t0 u r' : In u (on_pool S p) -> share t0 u r' <= full_vol u.
  Proof.
    intros hu. unfold share, work_of, full_vol. destruct (pool_facts u hu) as (_ & _ & hL & hB & _). pose proof (weights_nonneg u hu) as hw.
    rewrite sum_scale, <- Z.mul_assoc. apply Z.mul_le_mono_nonneg_l; [exact hw|].
    rewrite (sum_exchange (fun t i => ind (is_on (block e u r' i t)))). rewrite <- (Z.sub_0_r (blocks P u)) at 2. rewrite <- sum_range_const by lia.
    apply sum_le. intros i hi. rewrite in_range in hi. now apply (block_length ob).
  Qed.

  (* A less urgent kernel: blocks that were there just before t0. *)
  Lemma share_less_urgent t0 u r' : In u (on_pool S p) -> urgent u = false -> 0 <= t0 <= ra -> (forall s, t0 <= s < ra -> busy s = true) ->
    share t0 u r' <= left_part t0 u r'.
  Proof.
    intros hu hnot ht0 hbusy. destruct (pool_facts u hu) as (_ & _ & hL & hB & _). pose proof (weights_nonneg u hu) as hw.
    assert (hback : forall i s, 0 <= i < blocks P u -> t0 <= s < t1 -> block e u r' i s <> Waiting -> block e u r' i (t0 - 1) <> Waiting).
    { intros i s hi hs. replace s with (t0 + Z.of_nat (Z.to_nat (s - t0))) in * by lia. generalize dependent (Z.to_nat (s - t0)). intros n hn hb.
      induction n as [|n IH].
      - replace (t0 + Z.of_nat 0) with t0 in * by lia. destruct (Z_lt_le_dec t0 ra) as [hlt|hge].
        + exact (busy_keeps t0 u r' i (hbusy t0 ltac:(lia)) hu hnot hi hb).
        + exact (no_start k r t0 u r' i hk (Z.leb_refl _) (still_waits t0 ltac:(lia)) hu hnot hi hb).
      - apply IH; [lia|]. replace (t0 + Z.of_nat n) with (t0 + Z.of_nat (Datatypes.S n) - 1) by lia.
        destruct (Z_lt_le_dec (t0 + Z.of_nat (Datatypes.S n)) ra) as [hlt|hge].
        + exact (busy_keeps (t0 + Z.of_nat (Datatypes.S n)) u r' i (hbusy (t0 + Z.of_nat (Datatypes.S n)) ltac:(lia)) hu hnot hi hb).
        + exact (no_start k r (t0 + Z.of_nat (Datatypes.S n)) u r' i hk (Z.leb_refl _) (still_waits (t0 + Z.of_nat (Datatypes.S n)) ltac:(lia)) hu hnot hi hb). }
    unfold share, work_of. rewrite sum_scale. rewrite (sum_exchange (fun t i => ind (is_on (block e u r' i t)))). unfold left_part.
    assert (hblock : forall i, 0 <= i < blocks P u -> sum (fun s => ind (is_on (block e u r' i s))) (range t0 t1)
              <= if 0 <? t0 then length_of P u * ind (is_on (block e u r' i (t0 - 1))) else 0).
    { intros i hi. destruct (existsb (fun s => is_on (block e u r' i s)) (range t0 t1)) eqn:some.
      - apply existsb_exists in some. destruct some as (s & hs & hb). rewrite in_range in hs.
        assert (hne : block e u r' i s <> Waiting) by (intros eb; rewrite eb in hb; discriminate). pose proof (hback i s hi hs hne) as hst.
        pose proof (block_ready ob u r' i (t0 - 1) hu hi hst) as hre. apply ready_spec in hre. destruct hre as (hrl & hle & _).
        pose proof (legal_start lg _ _ hrl). rewrite (proj2 (Z.ltb_lt 0 t0)) by lia.
        destruct (block e u r' i (t0 - 1)) eqn:eb; [congruence | |].
        + cbn [is_on ind]. rewrite Z.mul_1_r. now apply (block_length ob).
        + rewrite (ended_stays S h P e p G ob u r' i (t0 - 1) s hu hi ltac:(lia) eb) in hb. discriminate.
      - rewrite sum_zero; [destruct (0 <? t0); [pose proof (ind_range (is_on (block e u r' i (t0 - 1)))); nia | lia]|].
        intros s hs. destruct (is_on (block e u r' i s)) eqn:hb; [|reflexivity]. exfalso.
        enough (existsb (fun s => is_on (block e u r' i s)) (range t0 t1) = true) by congruence. apply existsb_exists. eauto. }
    destruct (0 <? t0) eqn:hpos.
    - transitivity (weight w u * sum (fun i => length_of P u * ind (is_on (block e u r' i (t0 - 1)))) (range 0 (blocks P u))).
      + apply Z.mul_le_mono_nonneg_l; [exact hw|]. apply sum_le. intros i hi. rewrite in_range in hi. now apply hblock.
      + unfold work_of. rewrite sum_scale. lia.
    - enough (sum (fun i => sum (fun s => ind (is_on (block e u r' i s))) (range t0 t1)) (range 0 (blocks P u)) <= 0) by nia.
      etransitivity; [apply (sum_le _ (fun _ => 0)) | now rewrite sum_0]. intros i hi. rewrite in_range in hi. now apply hblock.
  Qed.

  (* An urgent one: left over from before t0, or released since. *)
  Lemma share_urgent t0 u r' : In u (on_pool S p) -> urgent u = true -> 0 <= t0 <= ra -> (0 < t0 -> busy (t0 - 1) = false) ->
    share t0 u r' <= left_part t0 u r' + ind (released h (dag S u) r' && window t0 u r') * full_vol u.
  Proof.
    intros hu hurg ht0 hquiet. pose proof (left_nonneg t0 u r' hu) as hleft. pose proof (vol_nonneg u hu) as hvol.
    destruct (existsb (fun s => 0 <? work_of u r' s) (range t0 t1)) eqn:some.
    - apply existsb_exists in some. destruct some as (s & hs & hws). rewrite in_range in hs. apply Z.ltb_lt in hws.
      pose proof (work_pending u r' s hu hws) as hp. pose proof (pending_released S h lg u r' s hp) as (hrl & hr').
      destruct (ready S h u r' (t0 - 1)) eqn:hbefore.
      + pose proof (proj1 (ready_spec S h u r' (t0 - 1)) hbefore) as (_ & hlt & _).
        assert (hp' : pending S h u r' (t0 - 1) = true).
        { apply pending_spec. split; [exact hbefore|]. apply pending_spec in hp. destruct hp as (_ & hnd).
          destruct (done h u r' (t0 - 1)) eqn:hd; [|reflexivity]. rewrite (legal_done lg u r' _ s hd) in hnd by lia. discriminate. }
        assert (hnw : kernel_waits S h P e u r' (t0 - 1) = false) by (apply quiet_waits; auto; apply hquiet; lia).
        unfold left_part in *. rewrite (proj2 (Z.ltb_lt 0 t0)) in * by lia.
        assert (hl : share t0 u r' <= length_of P u * work_of u r' (t0 - 1)).
        { unfold share, work_of. rewrite sum_scale, (sum_exchange (fun t i => ind (is_on (block e u r' i t)))).
          transitivity (weight w u * sum (fun i => length_of P u * ind (is_on (block e u r' i (t0 - 1)))) (range 0 (blocks P u))); [|unfold work_of; rewrite sum_scale; lia].
          apply Z.mul_le_mono_nonneg_l; [now apply weights_nonneg|]. apply sum_le. intros i hi. rewrite in_range in hi.
          pose proof (not_waits S h P e u r' (t0 - 1) hp' hnw i hi). destruct (block e u r' i (t0 - 1)) eqn:eb; [congruence| |].
          - cbn [is_on ind]. rewrite Z.mul_1_r. now apply (block_length ob).
          - rewrite sum_zero; [cbn; lia|]. intros x hx. rewrite in_range in hx.
            now rewrite (ended_stays S h P e p G ob u r' i (t0 - 1) x hu hi ltac:(lia) eb). }
        pose proof (ind_range (released h (dag S u) r' && window t0 u r')). nia.
      + assert (hlow : t0 - J u <= r').
        { destruct (Z_le_gt_dec (t0 - J u) r') as [|hgt]; [auto|]. exfalso. apply pending_spec in hp. destruct hp as (hp & _).
          pose proof (jitter u r' s hu hurg hp ltac:(lia)) as hj. rewrite (ready_stays S h lg u r' (r' + J u) (t0 - 1) hj) in hbefore by lia. discriminate. }
        assert (hhigh : r' <= until u).
        { unfold until. destruct (above u) eqn:ha; [lia|]. destruct (Z_lt_le_dec s ra) as [hlt|hge]; [lia|].
          pose proof (worked_there P e (weight w) u r' s hws) as hth. apply (there_spec P e) in hth. destruct hth as (i & hi & hb).
          assert (hne : block e u r' i s <> Waiting) by (intros eb; rewrite eb in hb; discriminate).
          destruct (pool_facts k hk) as (_ & _ & _ & _ & _ & hq).
          assert (hlow0 : lower (order_of S p) u r' k r = false) by (rewrite hord; cbn [lower]; unfold urgent in hurg; lia).
          pose proof (resident_not_lower S h P e p G lg ob k r u r' s i hk hu hi (still_waits s ltac:(lia)) hne hq hlow0) as hbef.
          rewrite hord in hbef. cbn [before] in hbef. unfold above in ha. destruct hbef as [|(_ & hno)]; [lia|].
          specialize (hno ra hready). apply ready_spec in hno. lia. }
        rewrite hrl. unfold window. rewrite hurg, (proj2 (Z.leb_le _ _) hlow), (proj2 (Z.leb_le _ _) hhigh). cbn [andb ind].
        pose proof (share_vol t0 u r' hu). lia.
    - assert (hz : share t0 u r' <= 0).
      { unfold share. etransitivity; [apply (sum_le _ (fun _ => 0)) | now rewrite sum_0]. intros s hs. destruct (Z_lt_le_dec 0 (work_of u r' s)) as [hlt|]; [|assumption].
        exfalso. enough (existsb (fun s => 0 <? work_of u r' s) (range t0 t1) = true) by congruence. apply existsb_exists. exists s.
        split; [exact hs | now apply Z.ltb_lt]. }
      pose proof (ind_range (released h (dag S u) r' && window t0 u r')). nia.
  Qed.

  (* The kernel itself: not its last block. *)
  Lemma share_self t0 : 0 <= t0 <= ra -> share t0 k r <= full_vol k - weight w k * length_of P k.
  Proof.
    intros ht0. destruct (pool_facts k hk) as (_ & _ & hL & hB & _). pose proof (weights_nonneg k hk) as hw.
    pose proof (waits_spec S h P e k r (t1 - 1)) as hlast. destruct (proj1 hlast (still_waits (t1 - 1) ltac:(unfold t1; lia))) as (_ & i & hi & hb).
    assert (hnever : forall t, t < t1 -> block e k r i t = Waiting).
    { intros t ht. destruct (block e k r i t) eqn:eb; [reflexivity| |];
        (exfalso; apply (started_stays S h P e p G ob k r i t (t1 - 1) hk hi ltac:(lia)); [congruence | exact hb]). }
    unfold share, work_of, full_vol. rewrite sum_scale, (sum_exchange (fun t j => ind (is_on (block e k r j t)))).
    assert (hs : sum (fun j => sum (fun t => ind (is_on (block e k r j t))) (range t0 t1)) (range 0 (blocks P k))
              <= sum (fun j => length_of P k - ind (j =? i) * length_of P k) (range 0 (blocks P k))).
    { apply sum_le. intros j hj. rewrite in_range in hj. destruct (Z.eqb_spec j i) as [->|hne]; cbn [ind].
      - rewrite sum_zero; [lia|]. intros t ht. rewrite in_range in ht. now rewrite hnever by lia.
      - rewrite Z.mul_0_l, Z.sub_0_r. now apply (block_length ob). }
    rewrite sum_sub, sum_range_const in hs by lia. rewrite (sum_unique (fun a => ind (a =? i) * length_of P k) (range 0 (blocks P k)) i) in hs; [| apply range_nodup | now apply in_range|].
    - cbv beta in hs. rewrite Z.eqb_refl in hs. cbn [ind] in hs. nia.
    - intros j _ hne. destruct (Z.eqb_spec j i); [contradiction|]. cbn [ind]. lia.
  Qed.

  Lemma window_self t0 : 0 <= t0 <= ra -> window t0 k r = true.
  Proof.
    intros ht0. destruct ready_soon as (hra & _). unfold window, until, urgent, above. rewrite Z.leb_refl, Z.ltb_irrefl. cbn [andb].
    rewrite (proj2 (Z.leb_le _ _)), (proj2 (Z.leb_le r ra)) by lia. reflexivity.
  Qed.

  Lemma window_count t0 u : In u (on_pool S p) -> 0 <= t0 <= ra ->
    M * sum (fun r' => ind (released h (dag S u) r' && window t0 u r')) (range 0 t1) <=
    ind (urgent u) * (M + rep u * (ra - t0 + J u)) + ind (above u) * (rep u * (R - length_of P k)).
  Proof.
    intros hu ht0. destruct (pool_facts u hu) as (hun & _). pose proof (rep_pos S p M rep u wf hM hu) as hrep. pose proof (J_nonneg u hu) as hJ.
    destruct hM as (M0 & hperiod). specialize (hperiod u hu).
    destruct (urgent u) eqn:hurg; cbn [ind].
    - assert (hc : sum (fun r' => ind (released h (dag S u) r' && window t0 u r')) (range 0 t1) <= releases (released h (dag S u)) (t0 - J u) (until u + 1)).
      { unfold releases. rewrite (sum_eq _ (fun r' => ind (window t0 u r') * ind (released h (dag S u) r')))
          by (intros r' _; destruct (released h (dag S u) r'), (window t0 u r'); reflexivity).
        rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range].
        intros r' hr'. apply filter_In in hr'. destruct hr' as (_ & hw). unfold window in hw. rewrite hurg in hw. cbn [andb] in hw.
        apply andb_prop in hw. rewrite in_range. lia. }
      pose proof (releases_linear (released h (dag S u)) (period S (dag S u)) M (rep u) (t0 - J u) (until u) (wf_period wf u hun) M0 hperiod (legal_sporadic lg u hun)) as hl.
      assert (huntil : ra <= until u <= ra + ind (above u) * (R - length_of P k)).
      { unfold until, t1. destruct (above u); cbn [ind]; lia. }
      rewrite Z.max_r in hl by nia. nia.
    - assert (ha : above u = false) by (unfold urgent, above in *; lia). rewrite ha. cbn [ind].
      rewrite sum_zero; [lia|]. intros r' _. unfold window. rewrite hurg. cbn [andb]. now rewrite andb_false_r.
  Qed.

  (** What is done from t0 on, from below and from above. *)
  Theorem urgent_work : exists x, 0 <= x /\
    M * (theta * x + sms G * one w p * (R + 1 - length_of P k)) <=
    M * carry + sum (fun u => full_vol u * (ind (urgent u) * (M + rep u * (x + J u)) + ind (above u) * (rep u * (R - length_of P k)))) (on_pool S p)
      - M * (weight w k * length_of P k).
  Proof.
    destruct ready_soon as (hra & hr0). destruct (pool_facts k hk) as (hkn & _ & hL & _). pose proof (proj1 hM) as M0.
    destruct (last_failure busy 0 ra ltac:(lia)) as (t0 & ht0 & hbusy & hend).
    assert (hquiet : 0 < t0 -> busy (t0 - 1) = false) by (intros hpos; destruct hend as [->|hend]; [lia | exact hend]).
    exists (ra - t0). split; [lia|].
    assert (hlow : theta * (ra - t0) + sms G * one w p * (R + 1 - length_of P k)
              <= sum (fun s => sum (fun u => sum (fun r' => work_of u r' s) (range 0 (s + 1))) (on_pool S p)) (range t0 t1)).
    { rewrite (sum_range_split _ t0 ra t1) by (unfold t1; lia). apply Z.add_le_mono.
      - rewrite <- sum_range_const by lia. apply sum_le. intros s hs. rewrite in_range in hs. apply busy_rate, hbusy. lia.
      - replace (R + 1 - length_of P k) with (t1 - ra) by (unfold t1; ring). rewrite <- sum_range_const by (unfold t1; lia).
        apply sum_le. intros s hs. rewrite in_range in hs. exact (urgent_rate k r s hk (Z.leb_refl _) (still_waits s ltac:(lia))). }
    assert (hsame : sum (fun s => sum (fun u => sum (fun r' => work_of u r' s) (range 0 (s + 1))) (on_pool S p)) (range t0 t1)
              <= sum (fun u => sum (share t0 u) (range 0 t1)) (on_pool S p)).
    { etransitivity.
      - apply (sum_le _ (fun s => sum (fun u => sum (fun r' => work_of u r' s) (range 0 t1)) (on_pool S p))). intros s hs. rewrite in_range in hs.
        apply sum_le. intros u hu. apply sum_range_incl; [|lia|lia]. intros r' _. now apply work_nonneg.
      - apply Z.eq_le_incl. rewrite sum_exchange. apply sum_eq. intros u _. rewrite (sum_exchange (fun s r' => work_of u r' s)). reflexivity. }
    assert (hany : forall u r', In u (on_pool S p) -> share t0 u r' <= left_part t0 u r' + ind (released h (dag S u) r' && window t0 u r') * full_vol u).
    { intros u r' hu. destruct (urgent u) eqn:hurg; [now apply share_urgent|].
      pose proof (share_less_urgent t0 u r' hu hurg ht0 hbusy). pose proof (vol_nonneg u hu). pose proof (ind_range (released h (dag S u) r' && window t0 u r')). nia. }
    assert (hnode : forall u, In u (on_pool S p) -> sum (share t0 u) (range 0 t1) + ind (u =? k) * (weight w k * length_of P k)
              <= sum (left_part t0 u) (range 0 t1) + full_vol u * sum (fun r' => ind (released h (dag S u) r' && window t0 u r')) (range 0 t1)).
    { intros u hu.
      transitivity (sum (fun r' => left_part t0 u r' + ind (released h (dag S u) r' && window t0 u r') * full_vol u) (range 0 t1));
        [|rewrite sum_add, sum_scale_r; lia].
      destruct (Z.eqb_spec u k) as [->|hne]; cbn [ind].
      - rewrite Z.mul_1_l.
        replace (weight w k * length_of P k) with (sum (fun r' => ind (r' =? r) * (weight w k * length_of P k)) (range 0 t1)).
        + rewrite <- sum_add. apply sum_le. intros r' _. destruct (Z.eqb_spec r' r) as [->|hne]; cbn [ind].
          * rewrite hrel, (window_self t0 ht0). cbn [andb ind]. pose proof (share_self t0 ht0). pose proof (left_nonneg t0 k r hk). lia.
          * pose proof (hany k r' hk). lia.
        + rewrite (sum_unique _ _ r); [rewrite Z.eqb_refl; cbn [ind]; lia | apply range_nodup | apply in_range; unfold t1; lia|].
          intros r' _ hne. destruct (Z.eqb_spec r' r); [contradiction|]. cbn [ind]. lia.
      - rewrite Z.mul_0_l, Z.add_0_r. apply sum_le. intros r' _. now apply hany. }
    assert (hleft : sum (fun u => sum (left_part t0 u) (range 0 t1)) (on_pool S p) <= carry).
    { destruct (Z.ltb_spec 0 t0) as [hpos|h0].
      - etransitivity; [|apply (quiet_left (t0 - 1) (hquiet hpos))]. apply Z.eq_le_incl. apply sum_eq. intros u hu. replace (t0 - 1 + 1) with t0 by ring.
        rewrite (sum_range_split _ 0 t0 t1) by (unfold t1; lia). rewrite (sum_zero (left_part t0 u) (range t0 t1)).
        + rewrite Z.add_0_r. apply sum_eq. intros r' _. unfold left_part. now rewrite (proj2 (Z.ltb_lt 0 t0) hpos).
        + intros r' hr'. rewrite in_range in hr'. unfold left_part. rewrite (proj2 (Z.ltb_lt 0 t0) hpos).
          destruct (Z_lt_le_dec 0 (work_of u r' (t0 - 1))) as [hlt|hle].
          * pose proof (pending_released S h lg u r' (t0 - 1) (work_pending u r' (t0 - 1) hu hlt)) as (_ & ?). lia.
          * pose proof (work_nonneg u r' (t0 - 1) hu). assert (work_of u r' (t0 - 1) = 0) as -> by lia. lia.
      - rewrite sum_zero; [exact carry_nonneg|]. intros u _. apply sum_zero. intros r' _. unfold left_part. now rewrite (proj2 (Z.ltb_ge 0 t0) h0). }
    assert (hall : sum (fun u => sum (share t0 u) (range 0 t1)) (on_pool S p) + weight w k * length_of P k
              <= carry + sum (fun u => full_vol u * sum (fun r' => ind (released h (dag S u) r' && window t0 u r')) (range 0 t1)) (on_pool S p)).
    { assert (hlast : weight w k * length_of P k = sum (fun u => ind (u =? k) * (weight w k * length_of P k)) (on_pool S p)).
      { rewrite (sum_unique _ _ k); [rewrite Z.eqb_refl; cbn [ind]; lia | apply NoDup_filter, (wf_nodup wf) | exact hk|].
        intros u _ hne. destruct (Z.eqb_spec u k); [contradiction|]. cbn [ind]. lia. }
      rewrite hlast, <- sum_add. etransitivity; [apply sum_le; exact hnode|]. rewrite sum_add. lia. }
    assert (hcounts : M * sum (fun u => full_vol u * sum (fun r' => ind (released h (dag S u) r' && window t0 u r')) (range 0 t1)) (on_pool S p)
              <= sum (fun u => full_vol u * (ind (urgent u) * (M + rep u * (ra - t0 + J u)) + ind (above u) * (rep u * (R - length_of P k)))) (on_pool S p)).
    { rewrite <- sum_scale. apply sum_le. intros u hu. pose proof (window_count t0 u hu ht0). pose proof (vol_nonneg u hu). nia. }
    nia.
  Qed.
  End Job.

  Lemma load_nonneg those : 0 <= load_of those.
  Proof.
    apply sum_nonneg. intros u hu. pose proof (vol_nonneg u hu) as hv. unfold full_vol in hv. pose proof (rep_pos S p M rep u wf hM hu).
    pose proof (ind_range (those u)). assert (0 <= weight w u * length_of P u * blocks P u * rep u) by nia. nia.
  Qed.

  Lemma T7_any (busy : Z -> bool) theta carry R :
    load_of urgent <= theta * M -> theta <= sms G * one w p -> load_of above < sms G * one w p * M -> 0 <= carry ->
    (forall s, busy s = true -> theta <= sum (fun u => sum (fun r => work_of u r s) (range 0 (s + 1))) (on_pool S p)) ->
    (forall s v r' i, busy s = true -> In v (on_pool S p) -> urgent v = false -> 0 <= i < blocks P v ->
      block e v r' i s <> Waiting -> block e v r' i (s - 1) <> Waiting) ->
    (forall s u r', busy s = false -> In u (on_pool S p) -> urgent u = true -> waits u r' s = false) ->
    (forall s, busy s = false -> sum (fun u => sum (fun r' => length_of P u * work_of u r' s) (range 0 (s + 1))) (on_pool S p) <= carry) ->
    T7_inequality carry R -> responds_within S h k R.
  Proof.
    intros hload htheta habove hc0 h1 h2 h3 h4 hineq r ra hrel hready hfirst. destruct (done h k r (ra + R)) eqn:missed; [reflexivity|]. exfalso.
    unfold T7_inequality in hineq. pose proof (proj1 hM) as M0. destruct (pool_facts k hk) as (_ & _ & hL & hB & _).
    pose proof (weights_nonneg k hk) as hw. pose proof (rep_pos S p M rep k wf hM hk) as hrep.
    set (W := sum (fun u => ind (urgent u) * (weight w u * length_of P u * blocks P u * (M + rep u * J u))) (on_pool S p)) in *.
    assert (hterm : forall u, In u (on_pool S p) -> 0 <= ind (urgent u) * (weight w u * length_of P u * blocks P u * (M + rep u * J u))).
    { intros u hu. pose proof (vol_nonneg u hu) as hv. unfold full_vol in hv. pose proof (rep_pos S p M rep u wf hM hu). pose proof (J_nonneg u hu).
      pose proof (ind_range (urgent u)). assert (0 <= weight w u * length_of P u * blocks P u * (M + rep u * J u)) by nia. nia. }
    assert (hW : weight w k * length_of P k * blocks P k * (M + rep k * J k) <= W).
    { pose proof (sum_in _ (on_pool S p) k hterm hk) as hs. cbv beta in hs. unfold urgent at 1 in hs. rewrite Z.leb_refl in hs. cbn [ind] in hs. fold W in hs. lia. }
    assert (hWk : M * (weight w k * length_of P k) <= W).
    { pose proof (J_nonneg k hk). assert (0 <= weight w k * length_of P k) by nia. assert (0 <= rep k * J k) by nia.
      assert (weight w k * length_of P k * M <= weight w k * length_of P k * (blocks P k * (M + rep k * J k))) by nia. lia. }
    assert (room : length_of P k <= R) by nia.
    destruct (urgent_work r ra R hrel hready hfirst missed room busy theta carry hc0 h1 h2 h3 h4) as (x & hx & hsum).
    assert (hsplit : sum (fun u => full_vol u * (ind (urgent u) * (M + rep u * (x + J u)) + ind (above u) * (rep u * (R - length_of P k)))) (on_pool S p)
              = W + x * load_of urgent + (R - length_of P k) * load_of above).
    { unfold W, load_of. rewrite <- !sum_scale, <- !sum_add. apply sum_eq. intros u _. unfold full_vol. ring. }
    rewrite hsplit in hsum. pose proof (load_nonneg above). nia.
  Qed.

  (** Not the lowest priority: K bounds the work left in any feasible configuration, of kernels of all priorities. *)
  Theorem T7 K R :
    (forall x, feasible S P p G x -> weigh S p (fun u => weight w u * length_of P u) x <= K) -> 0 <= K ->
    load_of urgent <= sms G * one w p * M -> load_of above < sms G * one w p * M ->
    T7_inequality (sms G * K) R -> responds_within S h k R.
  Proof.
    intros hK hK0 hload habove hineq. destruct (pool_facts k hk) as (_ & _ & _ & _ & hg & _).
    set (busy := fun s => existsb (fun u => urgent u && existsb (fun r => waits u r s) (range 0 (s + 1))) (on_pool S p)).
    assert (hbusy : forall s, busy s = true -> exists u r, In u (on_pool S p) /\ urgent u = true /\ waits u r s = true).
    { intros s hb. apply existsb_exists in hb. destruct hb as (u & hu & hb). apply andb_prop in hb. destruct hb as (hurg & hb).
      apply existsb_exists in hb. destruct hb as (r & _ & hb). eauto. }
    apply (T7_any busy (sms G * one w p) (sms G * K) R); auto; [lia | nia | | | |].
    - intros s hb. destruct (hbusy s hb) as (u & r & hu & hurg & hw). exact (urgent_rate u r s hu hurg hw).
    - intros s v r' i hb hv hnot hi hne. destruct (hbusy s hb) as (u & r & hu & hurg & hw). exact (no_start u r s v r' i hu hurg hw hv hnot hi hne).
    - intros s u r' hb hu hurg. destruct (waits u r' s) eqn:hw; [|reflexivity]. exfalso. enough (busy s = true) by congruence.
      apply existsb_exists. exists u. split; [exact hu|]. rewrite hurg. cbn [andb]. apply existsb_exists. exists r'. split; [|exact hw].
      pose proof (proj1 (waits_spec S h P e u r' s) hw) as (hp & _). pose proof (pending_released S h lg u r' s hp). apply in_range. lia.
    - intros s _. transitivity (sum (fun m => weigh S p (fun u => weight w u * length_of P u) (resident P e m s)) (range 0 (sms G))).
      + rewrite <- (rate_by_sm S h P e p G ob (fun u => weight w u * length_of P u) s). apply Z.eq_le_incl. apply sum_eq. intros u hu.
        apply sum_eq. intros r' _. unfold work_of. ring.
      + transitivity (sum (fun _ : Z => K) (range 0 (sms G))); [|rewrite sum_range_const by lia; lia].
        apply sum_le. intros m hm. rewrite in_range in hm. apply hK. exact (resident_feasible S h P e p G ob m s hm).
  Qed.

  (** The lowest priority: all are urgent, and any carry of T6 will do. *)
  Context (lowest : forall u, In u (on_pool S p) -> urgent u = true).

  Lemma load_lowest : load_of urgent = load S P w p rep.
  Proof. unfold load_of, load. apply sum_eq. intros u hu. rewrite lowest by exact hu. cbn [ind]. ring. Qed.

  Lemma T7_lowest_any theta carry R :
    load S P w p rep <= theta * M -> theta <= sms G * one w p -> load_of above < sms G * one w p * M -> 0 <= carry ->
    (forall t, carry_bound S (counted_progress S h P e w) (counted_accounts S P w) p theta carry t) ->
    T7_inequality carry R -> responds_within S h k R.
  Proof.
    intros hload htheta habove hc0 hcarry hineq.
    assert (hwork : forall u r t, In u (on_pool S p) -> work (counted_progress S h P e w) u r t = work_of u r t).
    { intros u r t hu. exact (T6.work_of S h P e w p G hkind u r t hu). }
    assert (hrate : forall s, rate S (counted_progress S h P e w) p s = sum (fun u => sum (fun r => work_of u r s) (range 0 (s + 1))) (on_pool S p)).
    { intros s. apply sum_eq. intros u hu. apply sum_eq. intros r _. now apply hwork. }
    apply (T7_any (fun s => theta <=? rate S (counted_progress S h P e w) p s) theta carry R); auto.
    - now rewrite load_lowest.
    - intros s hb. apply Z.leb_le in hb. now rewrite <- hrate.
    - intros s v r' i _ hv hnot. rewrite lowest in hnot by exact hv. discriminate.
    - intros s u r' hb hu hurg. destruct (waits u r' s) eqn:hw; [|reflexivity]. exfalso. apply Z.leb_gt in hb.
      pose proof (urgent_rate u r' s hu hurg hw). rewrite hrate in hb. lia.
    - intros s hb. apply Z.leb_gt in hb. destruct (Z_lt_le_dec s 0) as [hneg|hpos].
      + etransitivity; [|exact hc0]. apply Z.eq_le_incl. apply sum_zero. intros u _. now rewrite range_nil by lia.
      + etransitivity; [|exact (hcarry (s + 1) s ltac:(lia) hb)]. apply Z.eq_le_incl. apply sum_eq. intros u hu. apply sum_eq. intros r _.
        now rewrite hwork.
  Qed.

  Context (valid_all : valid_weights S P p G (weight w) (one w p)).

  (** With carry (a). *)
  Theorem T7_lowest_a K K' R :
    configuration_bounds S P w p G K K' -> 0 <= (sms G - 1) * K + K' ->
    load S P w p rep <= sms G * one w p * M -> load_of above < sms G * one w p * M ->
    T7_inequality ((sms G - 1) * K + K') R -> responds_within S h k R.
  Proof.
    intros (hK & hK') hc0 hload habove. apply (T7_lowest_any (sms G * one w p) ((sms G - 1) * K + K') R hload ltac:(lia) habove hc0).
    intros t s hs. exact (quiet_gpu S h P e w sp p G hkind ob valid_all K K' hK hK' s).
  Qed.

  (** With carry (b). *)
  Theorem T7_lowest_b Lmax gamma V R :
    (forall u, In u (on_pool S p) -> length_of P u <= Lmax) -> 0 <= Lmax ->
    (forall u, In u (on_pool S p) -> (gamma | weight w u)) ->
    0 <= V -> (forall z, 0 <= z -> (gamma | z) -> z * M < load S P w p rep -> z <= V) ->
    load S P w p rep <= sms G * one w p * M -> load_of above < sms G * one w p * M ->
    T7_inequality (Lmax * V) R -> responds_within S h k R.
  Proof.
    intros hLmax hL0 hgamma hV0 hV hload habove. pose proof (proj1 hM) as M0.
    pose proof (proj1 (cdiv_spec (load S P w p rep) M (cdiv (load S P w p rep) M) M0) (Z.le_refl _)) as hceil.
    apply (T7_lowest_any (cdiv (load S P w p rep) M) (Lmax * V) R); [lia | apply cdiv_spec; lia | exact habove | nia|].
    now apply (carry_b S h P e w wf sp lg p G hkind ob valid_all M rep hM Lmax gamma V).
  Qed.

  (** With carry (b) by count. *)
  Theorem T7_lowest_c level gamma B carry R :
    (forall u, In u (on_pool S p) -> ends_within S h u (B u)) ->
    (forall u, In u (on_pool S p) -> (gamma | weight w u)) -> 0 <= level -> 0 <= carry ->
    (forall z, 0 <= z -> (gamma | z) -> z * M < load S P w p rep ->
       level * z + sum (fun u => Z.max 0 (cdiv (B u) (period S (dag S u))) * (weight w u * blocks P u * Z.max 0 (length_of P u - level)))
                       (on_pool S p) <= carry) ->
    load S P w p rep <= sms G * one w p * M -> load_of above < sms G * one w p * M ->
    T7_inequality carry R -> responds_within S h k R.
  Proof.
    intros hB hgamma hlevel hc0 hcarry hload habove. pose proof (proj1 hM) as M0.
    pose proof (proj1 (cdiv_spec (load S P w p rep) M (cdiv (load S P w p rep) M) M0) (Z.le_refl _)) as hceil.
    apply (T7_lowest_any (cdiv (load S P w p rep) M) carry R); [lia | apply cdiv_spec; lia | exact habove | exact hc0|].
    now apply (carry_c S h P e w wf sp lg p G hkind ob valid_all M rep hM level gamma B carry).
  Qed.

  (** With carry (a) by count. *)
  Theorem T7_lowest_d (price D : Z -> Z) B carry R :
    (forall u, In u (on_pool S p) -> ends_within S h u (B u)) ->
    (forall res, In res (resources G) -> 0 <= price res /\ exists q, In q (on_pool S p) /\ D res <= demand P q res) -> 0 <= carry ->
    sum (fun res => price res * (sms G * capacity G res - D res)) (resources G) +
    sum (fun u => Z.max 0 (cdiv (B u) (period S (dag S u))) *
      (blocks P u * Z.max 0 (weight w u * length_of P u - sum (fun res => price res * demand P u res) (resources G)))) (on_pool S p) <= carry ->
    load S P w p rep <= sms G * one w p * M -> load_of above < sms G * one w p * M ->
    T7_inequality carry R -> responds_within S h k R.
  Proof.
    intros hB hprice hc0 hcarry hload habove. apply (T7_lowest_any (sms G * one w p) carry R hload ltac:(lia) habove hc0).
    now apply (carry_counted_a S h P e w wf sp lg p G hkind ob valid_all price D B carry).
  Qed.
End T7.
