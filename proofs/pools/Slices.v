(** A GPU that processes share by time slices: each has a context of its own, a pool of kernels, and contexts are served in turn. While a context is
    not served, its blocks are frozen where they are. docs/theory/time-slices.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu pools.PlatformLaws.

Section Slices.
  Context (S : system) (h : history) (P : platform) (e : execution).

  (** [served p t]: the GPU serves the context that is pool p during tick t. *)
  Context (served : Z -> Z -> bool).

  (** As of a GPU by itself, but that only ticks count in which the context is served, and that what is frozen has something left to do. *)
  Record context_obeys (p : Z) (G : gpu) : Prop := {
    context_moves :> blocks_move S h P e p G;
    served_length : forall u r i b c, In u (on_pool S p) -> 0 <= i < blocks P u ->
      sum (fun t => ind (is_on (block e u r i t) && served p t)) (range b c) <= length_of P u;
    served_conserving : forall v r t, In v (on_pool S p) -> kernel_waits S h P e v r t = true -> served p t = true -> head_blocked S h P e p G v r t;
    frozen : forall u r i b t, In u (on_pool S p) -> 0 <= i < blocks P u -> is_on (block e u r i t) = true -> served p t = false ->
      sum (fun s => ind (is_on (block e u r i s) && served p s)) (range b t) < length_of P u;
  }.

  Definition context_pending (p t : Z) : Prop := exists u r, In u (on_pool S p) /\ pending S h u r t = true.

  (** As long as a context has work, it waits for no more than [gap] at a time, and a slice for which it waited is whole. *)
  Record serves (p slice gap : Z) : Prop := {
    waits_for_slice : forall b c, (forall t, b <= t < c -> context_pending p t /\ served p t = false) -> c - b <= gap;
    slice_is_whole : forall b c, b < c <= b + slice -> served p b = false -> served p (b + 1) = true ->
      (forall t, b <= t <= c -> context_pending p t) -> served p c = true;
  }.

  (** Which pools are contexts that share a GPU, with their slice and gap. *)
  Context (slices : Z -> option (Z * Z)).

  Definition shared_pool_obeys (p : Z) : Prop :=
    match slices p with
    | None => pool_obeys S h P e p
    | Some (slice, gap) => exists G, kind_of P p = Gpu G /\ order_of S p = Fifo /\ context_obeys p G /\ 0 < slice /\ serves p slice gap
    end.

  Record shared_system_obeys : Prop := {
    shared_legal : legal S h;
    shared_pools : forall p, shared_pool_obeys p;
  }.

  Definition is_shared (p : Z) : bool := match slices p with None => false | Some _ => true end.

  (** Counted work: a kernel also waits while its context is not served, and then nothing is done there. *)
  Definition shared_progress (w : weights) : progress := {|
    waits := fun u r t =>
      if is_shared (pool S u) then kernel_waits S h P e u r t || (pending S h u r t && negb (served (pool S u) t))
      else waits (counted_progress S h P e w) u r t;
    work := fun u r t =>
      if is_shared (pool S u) then ind (served (pool S u) t) * (weight w u * sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)))
      else work (counted_progress S h P e w) u r t;
  |}.

  Context (w : weights) (nd : NoDup (nodes S)) (sp : sound_platform S P) (ob : shared_system_obeys) (valid : all_weights_valid S P w).
  Let g := shared_progress w.
  Let a := counted_accounts S P w.

  Lemma own_pool_laws p : slices p = None -> keeps_laws_on (on_pool S p) S h (counted_progress S h P e w) a.
  Proof.
    intros hs. pose proof (shared_pools ob p) as hp. unfold shared_pool_obeys in hp. rewrite hs in hp.
    exact (pool_keeps_laws S h P e w p nd sp (shared_legal ob) hp valid).
  Qed.

  Lemma context_of u slice gap : In u (nodes S) -> slices (pool S u) = Some (slice, gap) -> exists G,
    kind_of P (pool S u) = Gpu G /\ order_of S (pool S u) = Fifo /\ context_obeys (pool S u) G /\ 0 < slice /\ serves (pool S u) slice gap /\
    valid_weights S P (pool S u) G (weight w) (one w (pool S u)) /\ 0 <= length_of P u /\ 0 < blocks P u /\ 0 < sms G /\ 0 <= weight w u.
  Proof.
    intros hu hs. pose proof (shared_pools ob (pool S u)) as hp. unfold shared_pool_obeys in hp. rewrite hs in hp.
    destruct hp as (G & hk & hord & hc & h0 & hsv). exists G. pose proof (valid (pool S u) G hk) as hv.
    destruct (node_facts S P w (pool S u) G hk sp hv u) as (_ & _ & h1 & h2 & h3 & _ & h4); [apply in_on_pool; auto|]. repeat (split; [assumption|]). exact h4.
  Qed.

  Lemma served_waits u r t slice gap : slices (pool S u) = Some (slice, gap) -> served (pool S u) t = true -> waits g u r t = kernel_waits S h P e u r t.
  Proof. intros hs hv. unfold g, shared_progress, is_shared. cbn [waits]. now rewrite hs, hv, andb_false_r, orb_false_r. Qed.

  Lemma unserved_work u r t slice gap : slices (pool S u) = Some (slice, gap) -> 0 < work g u r t -> served (pool S u) t = true.
  Proof. intros hs. unfold g, shared_progress, is_shared. cbn [work]. rewrite hs. destruct (served (pool S u) t); [reflexivity | cbn [ind]; lia]. Qed.

  Lemma context_there u r t slice gap : In u (nodes S) -> slices (pool S u) = Some (slice, gap) -> 0 < work g u r t ->
    exists i, 0 <= i < blocks P u /\ is_on (block e u r i t) = true.
  Proof.
    intros hu hs hw. destruct (context_of u slice gap hu hs) as (G & _ & _ & _ & _ & _ & _ & _ & _ & _ & hwu).
    pose proof (unserved_work u r t slice gap hs hw) as hv. unfold g, shared_progress, is_shared in hw. cbn [work] in hw. rewrite hs, hv in hw. cbn [ind] in hw.
    assert (h0 : 0 <= sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))) by (apply sum_nonneg; intros; apply ind_range).
    assert (hpos : 0 < sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))) by nia.
    apply sum_pos_in in hpos. destruct hpos as (i & hi & hpos). rewrite in_range in hi. exists i. split; [exact hi|]. destruct (is_on (block e u r i t)); [reflexivity | cbn in hpos; lia].
  Qed.

  Lemma work_own u r t : slices (pool S u) = None -> work g u r t = work (counted_progress S h P e w) u r t.
  Proof. intros hs. unfold g, shared_progress, is_shared. cbn [work]. now rewrite hs. Qed.

  Lemma waits_own u r t : slices (pool S u) = None -> waits g u r t = waits (counted_progress S h P e w) u r t.
  Proof. intros hs. unfold g, shared_progress, is_shared. cbn [waits]. now rewrite hs. Qed.

  Theorem shared_counting : counting_laws S h g a.
  Proof.
    pose proof (shared_legal ob) as lg.
    assert (hin : forall u, In u (nodes S) -> In u (on_pool S (pool S u))) by (intros; now apply in_on_pool).
    constructor; intros u; intros; (destruct (slices (pool S u)) as [(slice, gap)|] eqn:hs;
      [destruct (context_of u slice gap ltac:(assumption) hs) as (G & hk & hord & hc & _ & _ & hvw & hL & hB & hg & hwu)
      | pose proof (own_pool_laws (pool S u) hs) as hl]); pose proof (hin u ltac:(assumption)) as hup.
    - unfold a. cbn [exec last vol counted_accounts]. rewrite hk. assert (0 <= weight w u * length_of P u) by nia. repeat split; [lia | lia | nia | intros ->; lia].
    - exact (law_numbers hl u hup).
    - unfold a. cbn [cap lagging counted_accounts]. rewrite hk, hord. destruct hvw as (h1 & _). split; [nia | lia].
    - exact (law_cap hl u hup).
    - unfold g, shared_progress, is_shared in H0. cbn [waits] in H0. rewrite hs in H0. apply orb_prop in H0. destruct H0 as [hw|hw].
      + apply (waits_spec S h P e) in hw. tauto.
      + apply andb_prop in hw. tauto.
    - rewrite waits_own in H0 by exact hs. exact (law_waits hl u r t hup H0).
    - unfold g, shared_progress, is_shared. cbn [work]. rewrite hs. apply Z.mul_nonneg_nonneg; [apply ind_range|]. apply Z.mul_nonneg_nonneg; [exact hwu|].
      apply sum_nonneg. intros; apply ind_range.
    - rewrite work_own by exact hs. exact (law_work hl u r t hup).
    - destruct (context_there u r t slice gap H hs H0) as (i & hi & hb). destruct (block e u r i t) as [|s|] eqn:eb; try discriminate.
      destruct (block_sm hc u r i t s hup hi eb) as (_ & hp). apply pending_spec in hp. destruct hp as (hre & hd). apply ready_spec in hre. tauto.
    - rewrite work_own in H0 by exact hs. pose proof (law_pending hl u r t hup H0) as hp. apply pending_spec in hp. destruct hp as (hre & hd). apply ready_spec in hre. tauto.
    - left. destruct (context_there u r t slice gap H hs H0) as (i & hi & hb). destruct (block e u r i t) as [|s|] eqn:eb; try discriminate.
      exact (proj2 (block_sm hc u r i t s hup hi eb)).
    - left. rewrite work_own in H0 by exact hs. exact (law_pending hl u r t hup H0).
    - unfold a. cbn [exec counted_accounts].
      etransitivity; [|exact (kernel_exec_in S h P e w (pool S u) G hk sp hc hvw (served (pool S u)) (served_length _ _ hc) u r b c hup)].
      apply sum_le. intros t _. unfold g, shared_progress, is_shared. cbn [waits]. rewrite hs.
      destruct (pending S h u r t), (kernel_waits S h P e u r t), (served (pool S u) t); cbn; lia.
    - rewrite (sum_eq _ (fun t => ind (pending S h u r t && negb (waits (counted_progress S h P e w) u r t)))); [exact (law_exec hl u r b c hup)|].
      intros t _. now rewrite waits_own by exact hs.
    - unfold a. cbn [vol counted_accounts]. rewrite hk.
      etransitivity; [|exact (blocks_work_in S P e w (pool S u) G hk sp hvw (served (pool S u)) (served_length _ _ hc) u r b c hup)].
      apply Z.eq_le_incl, sum_eq. intros t _. unfold g, shared_progress, is_shared. cbn [work]. now rewrite hs.
    - rewrite (sum_eq _ (work (counted_progress S h P e w) u r)); [exact (law_vol hl u r b c hup)|]. intros t _. now rewrite work_own by exact hs.
    - unfold a. cbn [vol last counted_accounts]. rewrite hk.
      etransitivity; [|exact (kernel_last_in S h P e w (pool S u) G hk sp hc hvw (served (pool S u)) (served_length _ _ hc) u r b c hup)].
      apply Z.eq_le_incl, sum_eq. intros t _. unfold g, shared_progress, is_shared. cbn [work waits]. rewrite hs.
      destruct (served (pool S u) t); cbn [negb ind]; [now rewrite andb_false_r, orb_false_r | ring].
    - rewrite (sum_eq _ (fun t => ind (waits (counted_progress S h P e w) u r t) * work (counted_progress S h P e w) u r t)); [exact (law_last hl u r b c hup)|].
      intros t _. now rewrite waits_own, work_own by exact hs.
    - pose proof H1 as hp. rewrite <- hp in hs. pose proof (unserved_work u0 r' t slice gap hs H3) as hv. rewrite hp in hs, hv.
      rewrite (served_waits u r t slice gap hs hv) in H2. rewrite <- hp in hs. destruct (context_there u0 r' t slice gap H0 hs H3) as (i & hi & hb).
      apply before_released_before. apply (resident_not_lower S h P e (pool S u) G lg hc u r u0 r' t i); auto.
      + apply in_on_pool. auto.
      + intros eb. rewrite eb in hb. discriminate.
      + now left.
    - apply before_released_before. rewrite waits_own in H2 by exact hs. rewrite work_own in H3 by congruence.
      apply (law_order hl u r u0 r' t); auto. apply in_on_pool. auto.
    - exists []. split; [constructor|]. split; [unfold a; cbn [lagging counted_accounts length]; rewrite hk, hord; lia|]. split; [easy|].
      cbn [sum]. apply Z.eq_le_incl, sum_zero. intros t _. rewrite (sum_zero _ (on_pool S (pool S u))); [lia|]. intros u' _. apply sum_zero. intros r' _. rewrite hord. cbn [lower ind]. lia.
    - destruct (law_lagging hl u r b c hup) as (l & h1 & h2 & h3 & h4). exists l. split; [exact h1|]. split; [exact h2|].
      assert (hown : forall x, In x (on_pool S (pool S u)) -> slices (pool S x) = None) by (intros x hx; apply in_on_pool in hx; now rewrite (proj2 hx)). split.
      + intros x r' hx. destruct (h3 x r' hx) as (k1 & k2 & (s' & k3 & k4 & k5) & s & k6 & k7). split; [exact k1|]. split; [exact k2|]. split.
        * exists s'. rewrite waits_own by exact hs. rewrite work_own by (now apply hown). auto.
        * exists s. split; [exact k6|]. apply pending_spec in k7. destruct k7 as (k7 & _). apply ready_spec in k7. lia.
      + etransitivity; [|exact h4]. apply Z.eq_le_incl, sum_eq. intros t _. rewrite waits_own by exact hs. f_equal. apply sum_eq. intros x hx. apply sum_eq. intros r' _.
        rewrite work_own by (now apply hown). reflexivity.
  Qed.

  (** While a kernel waits and its context is served, counted work falls at the GPU's rate; on other pools it always does. *)
  Theorem shared_pace u r t : In u (nodes S) -> waits g u r t = true -> (is_shared (pool S u) = true -> served (pool S u) t = true) ->
    cap a (pool S u) <= rate S g (pool S u) t.
  Proof.
    intros hu hw hserved. assert (hup : In u (on_pool S (pool S u))) by (now apply in_on_pool). destruct (slices (pool S u)) as [(slice, gap)|] eqn:hs.
    - destruct (context_of u slice gap hu hs) as (G & hk & hord & hc & _ & _ & hvw & hL & hB & hg & hwu).
      assert (hv : served (pool S u) t = true) by (apply hserved; unfold is_shared; now rewrite hs). rewrite (served_waits u r t slice gap hs hv) in hw.
      destruct (blocked_everywhere S h P e (pool S u) G hc u r t (served_conserving _ _ hc u r t hup hw hv)) as (k & r' & hk' & _ & hall).
      unfold a. cbn [cap counted_accounts]. rewrite hk. etransitivity.
      + apply (rate_if_blocked S h P e w (pool S u) G hc u t hup hg). intros s hss. destruct (hall s hss) as (hf & hb). apply hvw. split; [exact hf|]. exists k. auto.
      + apply Z.eq_le_incl. unfold rate. apply sum_eq. intros x hx. apply in_on_pool in hx. destruct hx as (_ & hx). apply sum_eq. intros q _.
        unfold g, shared_progress, is_shared. cbn [work]. rewrite hx, hs, hv. cbn [ind]. ring.
    - pose proof (own_pool_laws (pool S u) hs) as hl. rewrite waits_own in hw by exact hs. etransitivity; [exact (law_rate hl u r t hup hw)|].
      apply Z.eq_le_incl. unfold rate. apply sum_eq. intros x hx. apply in_on_pool in hx. destruct hx as (_ & hx). apply sum_eq. intros q _.
      symmetry. apply work_own. now rewrite hx.
  Qed.

  (** A kernel that is frozen has not executed for its L. *)
  Lemma frozen_exec u r b t slice gap : In u (nodes S) -> slices (pool S u) = Some (slice, gap) -> 0 < length_of P u ->
    pending S h u r t = true -> served (pool S u) t = false ->
    sum (fun s => ind (pending S h u r s && negb (waits g u r s))) (range b (t + 1)) < length_of P u.
  Proof.
    intros hu hs hpos hp hv. assert (hup : In u (on_pool S (pool S u))) by (now apply in_on_pool).
    destruct (context_of u slice gap hu hs) as (G & hk & hord & hc & _ & _ & hvw & hL & hB & hg & hwu).
    assert (hexec : forall s, pending S h u r s && negb (waits g u r s) = true -> pending S h u r s = true /\ kernel_waits S h P e u r s = false /\ served (pool S u) s = true).
    { intros s hx. apply andb_prop in hx. destruct hx as (h1 & h2). apply negb_true_iff in h2. unfold g, shared_progress, is_shared in h2. cbn [waits] in h2. rewrite hs, h1 in h2.
      apply orb_false_iff in h2. destruct h2 as (h2 & h3). cbn [andb] in h3. apply negb_false_iff in h3. auto. }
    destruct (Z_le_gt_dec b t) as [hbt|]; [|rewrite range_nil by lia; exact hpos].
    destruct (kernel_waits S h P e u r t) eqn:hw.
    - apply (waits_spec S h P e) in hw. destruct hw as (_ & i & hi & hb). rewrite sum_zero; [exact hpos|]. intros s hsr. rewrite in_range in hsr.
      destruct (pending S h u r s && negb (waits g u r s)) eqn:hx; [exfalso | reflexivity]. destruct (hexec s hx) as (h1 & h2 & _).
      apply (started_stays S h P e (pool S u) G hc u r i s t hup hi ltac:(lia) (not_waits S h P e u r s h1 h2 i hi)). exact hb.
    - destruct (kernel_ends hc u r t hup hp) as (i & hi & hne). pose proof (not_waits S h P e u r t hp hw i hi) as hnw.
      assert (hon : is_on (block e u r i t) = true) by (destruct (block e u r i t); [congruence | reflexivity | congruence]).
      eapply Z.le_lt_trans; [|exact (frozen _ _ hc u r i b t hup hi hon hv)].
      rewrite (sum_range_split _ b t (t + 1)) by lia. rewrite range_one. cbn [sum].
      assert (h0 : ind (pending S h u r t && negb (waits g u r t)) = 0).
      { destruct (pending S h u r t && negb (waits g u r t)) eqn:hx; [|reflexivity]. destruct (hexec t hx) as (_ & _ & h3). congruence. }
      rewrite h0. cut (sum (fun s => ind (pending S h u r s && negb (waits g u r s))) (range b t) <= sum (fun s => ind (is_on (block e u r i s) && served (pool S u) s)) (range b t)); [lia|].
      apply sum_le. intros s hsr. rewrite in_range in hsr. destruct (pending S h u r s && negb (waits g u r s)) eqn:hx; [|apply ind_range].
      destruct (hexec s hx) as (h1 & h2 & h3). rewrite h3. pose proof (not_waits S h P e u r s h1 h2 i hi) as h4. destruct (block e u r i s) eqn:eb; [congruence | cbn; lia|].
      rewrite (ended_stays S h P e (pool S u) G hc u r i s t hup hi ltac:(lia) eb) in hne. congruence.
  Qed.
End Slices.

(** The lemma of docs/theory/time-slices.md: in a stretch in which the context has work, V ticks of which it is served, it waits for 1 + floor(V/slice)
    gaps at most, and, if it is served in the last of them, for ceil(V/slice). *)
Section Gaps.
  Context (has_work : Z -> Prop) (served : Z -> bool) (slice gap : Z) (slice_pos : 0 < slice).
  Context (one_gap : forall b c, (forall t, b <= t < c -> has_work t /\ served t = false) -> c - b <= gap).
  Context (whole : forall b c, b < c <= b + slice -> served b = false -> served (b + 1) = true -> (forall t, b <= t <= c -> has_work t) -> served c = true).

  Lemma gap_nonneg : 0 <= gap.
  Proof. pose proof (one_gap 0 0 ltac:(intros; lia)). lia. Qed.

  Let unserved b c := sum (fun t => ind (negb (served t))) (range b c).
  Let in_slices b c := sum (fun t => ind (served t)) (range b c).

  Lemma unserved_all b c : b <= c -> (forall t, b <= t < c -> served t = false) -> unserved b c = c - b /\ in_slices b c = 0.
  Proof.
    intros hle hno. split; [|apply sum_zero; intros t ht; rewrite in_range in ht; now rewrite hno].
    unfold unserved. rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_range_const by lia; lia|]. intros t ht. rewrite in_range in ht. now rewrite hno.
  Qed.

  Lemma served_all b c : b <= c -> (forall t, b <= t < c -> served t = true) -> unserved b c = 0 /\ in_slices b c = c - b.
  Proof.
    intros hle hyes. split; [apply sum_zero; intros t ht; rewrite in_range in ht; now rewrite hyes|].
    unfold in_slices. rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_range_const by lia; lia|]. intros t ht. rewrite in_range in ht. now rewrite hyes.
  Qed.

  Lemma in_slices_nonneg b c : 0 <= in_slices b c.
  Proof. apply sum_nonneg. intros; apply ind_range. Qed.

  Theorem gaps_in_stretch b c : b <= c -> (forall t, b <= t < c -> has_work t) -> unserved b c <= gap * (1 + in_slices b c / slice).
  Proof.
    pose proof gap_nonneg as hg. remember (Z.to_nat (c - b)) as n eqn:hn. revert c hn. induction n as [n IH] using lt_wf_ind. intros c hn hle hwork.
    pose proof (Z.div_pos (in_slices b c) slice (in_slices_nonneg b c) slice_pos) as hd0.
    destruct (Z.eq_dec b c) as [->|hne]; [unfold unserved; rewrite (range_nil c c) by lia; cbn [sum]; nia|].
    destruct (served (c - 1)) eqn:hlast.
    - specialize (IH (Z.to_nat (c - 1 - b)) ltac:(lia) (c - 1) eq_refl ltac:(lia) ltac:(intros; apply hwork; lia)).
      assert (h1 : unserved b c = unserved b (c - 1)) by (unfold unserved; rewrite (range_snoc b c), sum_app by lia; cbn [sum]; rewrite hlast; cbn; lia).
      assert (h2 : in_slices b c = in_slices b (c - 1) + 1) by (unfold in_slices; rewrite (range_snoc b c), sum_app by lia; cbn [sum]; rewrite hlast; cbn; lia).
      rewrite h1. etransitivity; [exact IH|]. apply Z.mul_le_mono_nonneg_l; [exact hg|]. pose proof (Z.div_le_mono (in_slices b (c - 1)) (in_slices b c) slice slice_pos ltac:(lia)). lia.
    - destruct (last_failure (fun s => negb (served s)) b c ltac:(lia)) as (x & hx & hno & hend).
      assert (hno' : forall t, x <= t < c -> served t = false) by (intros t ht; apply negb_true_iff, hno; lia).
      assert (hxc : x < c) by (destruct (Z_lt_le_dec x c); [assumption|]; assert (x = c) by lia; subst x; destruct hend as [->|hend]; [lia|]; rewrite hlast in hend; discriminate).
      pose proof (one_gap x c ltac:(intros t ht; split; [apply hwork; lia | now apply hno'])) as hgap.
      destruct (unserved_all x c ltac:(lia) hno') as (hu1 & hv1).
      assert (hsplit : forall y, b <= y <= c -> unserved b c = unserved b y + unserved y c /\ in_slices b c = in_slices b y + in_slices y c)
        by (intros y hy; unfold unserved, in_slices; split; now apply sum_range_split).
      destruct hend as [->|hend]; [nia|]. apply negb_false_iff in hend.
      destruct (Z.eq_dec x b) as [->|hxb]; [nia|].
      destruct (last_failure served b x ltac:(lia)) as (y & hy & hyes & hend2).
      assert (hyx : y < x) by (destruct (Z_lt_le_dec y x); [assumption|]; assert (y = x) by lia; subst y; destruct hend2 as [->|hend2]; [lia | congruence]).
      destruct (served_all y x ltac:(lia) hyes) as (hu2 & hv2). destruct (hsplit x ltac:(lia)) as (e1 & e2).
      assert (e3 : unserved b x = unserved b y + unserved y x) by (unfold unserved; now apply sum_range_split).
      assert (e4 : in_slices b x = in_slices b y + in_slices y x) by (unfold in_slices; now apply sum_range_split).
      destruct hend2 as [->|hend2].
      + unfold unserved at 1 in e3. assert (unserved b b = 0) by (unfold unserved; now rewrite (range_nil b b) by lia). nia.
      + destruct (Z.eq_dec y b) as [->|hyb]; [assert (unserved b b = 0) by (unfold unserved; now rewrite (range_nil b b) by lia); nia|].
        assert (hlong : slice <= x - y).
        { destruct (Z_le_gt_dec slice (x - y)) as [|hgt]; [assumption|]. exfalso.
          assert (served x = true); [|rewrite hno' in H by lia; discriminate].
          apply (whole (y - 1) x); [lia | exact hend2 | replace (y - 1 + 1) with y by ring; apply hyes; lia | intros t ht; apply hwork; lia]. }
        specialize (IH (Z.to_nat (y - b)) ltac:(lia) y eq_refl ltac:(lia) ltac:(intros; apply hwork; lia)).
        assert (hdiv : in_slices b y / slice + 1 <= in_slices b c / slice).
        { rewrite <- Z.div_add by lia. apply Z.div_le_mono; lia. }
        assert (hm : gap * (1 + in_slices b y / slice) + gap <= gap * (1 + in_slices b c / slice)) by nia. lia.
  Qed.

  (** The same, for a stretch that may take x of virtual time: as much as it had, and more if it is frozen at the end. *)
  Theorem gaps_within b c x : b <= c -> (forall t, b <= t < c -> has_work t) -> in_slices b c <= x -> (b < c -> served (c - 1) = false -> in_slices b c < x) ->
    unserved b c <= gap * cdiv x slice.
  Proof.
    pose proof gap_nonneg as hg. intros hle hwork hx hfrozen. pose proof (in_slices_nonneg b c) as hv0.
    destruct (Z.eq_dec b c) as [->|hne].
    { unfold unserved. rewrite (range_nil c c) by lia. cbn [sum]. apply Z.mul_nonneg_nonneg; [exact hg | apply cdiv_nonneg; lia]. }
    destruct (served (c - 1)) eqn:hlast.
    - pose proof (gaps_in_stretch b (c - 1) ltac:(lia) ltac:(intros; apply hwork; lia)) as hgaps.
      assert (h1 : unserved b c = unserved b (c - 1)) by (unfold unserved; rewrite (range_snoc b c), sum_app by lia; cbn [sum]; rewrite hlast; cbn; lia).
      assert (h2 : in_slices b c = in_slices b (c - 1) + 1) by (unfold in_slices; rewrite (range_snoc b c), sum_app by lia; cbn [sum]; rewrite hlast; cbn; lia).
      rewrite h1. etransitivity; [exact hgaps|]. apply Z.mul_le_mono_nonneg_l; [exact hg|]. rewrite (cdiv_floor x slice slice_pos).
      pose proof (Z.div_le_mono (in_slices b (c - 1)) (x - 1) slice slice_pos ltac:(lia)). lia.
    - specialize (hfrozen ltac:(lia) eq_refl). etransitivity; [exact (gaps_in_stretch b c hle hwork)|]. apply Z.mul_le_mono_nonneg_l; [exact hg|].
      rewrite (cdiv_floor x slice slice_pos). pose proof (Z.div_le_mono (in_slices b c) (x - 1) slice slice_pos ltac:(lia)). lia.
  Qed.
End Gaps.
