(** GPUs whose kernels stand in a queue: only the first of those that wait starts blocks, and it waits only where no SM has room for one. So kernels
    start one after the other, and one is beside another only at its end. docs/theory/path.md, "T23", (c). *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu path.Started path.Relay path.Visit.

(** turn u r: the place of kernel (u, r) in the queue, by ready time; equals have places of their own, too. *)
Record kernels_in_turn (S : system) (h : history) (P : platform) (e : execution) (p : Z) (G : gpu) (turn : node -> Z -> Z) : Prop := {
  turn_own : forall u r v r', In u (on_pool S p) -> In v (on_pool S p) -> turn u r = turn v r' -> u = v /\ r = r';
  turn_order : forall u r v r' t, In u (on_pool S p) -> In v (on_pool S p) -> ready S h u r t = true -> turn u r < turn v r' -> ready_no_later S h u r v r';
  turn_starts : forall u r i t v r', In u (on_pool S p) -> 0 <= i < blocks P u -> In v (on_pool S p) ->
    block e u r i (t - 1) = Waiting -> block e u r i t <> Waiting -> kernel_waits S h P e v r' t = true -> turn u r <= turn v r';
  turn_first : forall u r t, In u (on_pool S p) -> kernel_waits S h P e u r t = true ->
    (forall v r', In v (on_pool S p) -> kernel_waits S h P e v r' t = true -> turn u r <= turn v r') ->
    forall s, 0 <= s < sms G -> exists res, In res (resources G) /\ capacity G res < used S P (resident P e s t) p res + demand P u res;
}.

Arguments turn_own {S h P e p G turn}.
Arguments turn_order {S h P e p G turn}.
Arguments turn_starts {S h P e p G turn}.
Arguments turn_first {S h P e p G turn}.

(** How long a kernel takes on an empty GPU: an SM holds n of its blocks and no more than n', so in c times L all are done. *)
Definition alone_at_most (P : platform) (G : gpu) (u : node) (A : Z) : Prop := exists n n' c,
  1 <= n /\ 1 <= c /\ 0 <= n' /\ (forall res, In res (resources G) -> 0 <= demand P u res /\ n * demand P u res <= capacity G res /\ n' * demand P u res <= capacity G res) /\
  (exists res, In res (resources G) /\ capacity G res < (n' + 1) * demand P u res) /\
  blocks P u <= c * (sms G * n) /\ c * length_of P u <= A.

(** Of conditions no two of which hold together one at most does. *)
Lemma sum_exclusive (b : Z -> bool) l : NoDup l -> (forall i j, In i l -> In j l -> b i = true -> b j = true -> i = j) -> sum (fun i => ind (b i)) l <= 1.
Proof.
  intros nd hex. destruct (existsb b l) eqn:he.
  - apply existsb_exists in he. destruct he as (i & hi & hb). rewrite (sum_unique _ _ i nd hi); [apply ind_range|].
    intros j hj hne. destruct (b j) eqn:hbj; [|reflexivity]. elim hne. apply hex; auto.
  - rewrite sum_zero; [lia|]. intros i hi. destruct (b i) eqn:hb; [|reflexivity]. exfalso. enough (existsb b l = true) by congruence. apply existsb_exists. eauto.
Qed.

Section InTurn.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights) (wf : well_formed S).
  Context (p : Z) (G : gpu) (hkind : kind_of P p = Gpu G) (sp : sound_platform S P) (lg : legal S h).
  Context (ob : gpu_obeys S h P e p G) (valid : valid_weights S P p G (weight w) (one w p)).
  Context (turn : node -> Z -> Z) (hturn : kernels_in_turn S h P e p G turn).
  Context (alone : node -> Z) (halone : forall u, In u (on_pool S p) -> alone_at_most P G u (alone u)).
  Let waits u r t := kernel_waits S h P e u r t.
  Let facts := node_facts S P w p G hkind sp valid.
  Let stays := started_stays S h P e p G ob.

  (** Weights are more than 0: as many blocks of a kernel as an SM can hold leave no room for another one. *)
  Lemma weight_positive u : In u (on_pool S p) -> 0 < weight w u.
  Proof.
    intros hu. destruct (halone u hu) as (n & n' & c & _ & _ & hn' & hfit & (res & hres & hno) & _). destruct (facts u hu) as (_ & _ & _ & _ & _ & _ & hw0).
    pose proof valid as (hone & _ & hall). set (x := fun v : node => if v =? u then n' else 0).
    assert (hused : forall res, used S P x p res = n' * demand P u res).
    { intros res'. unfold used, x. rewrite (sum_unique _ _ u); [now rewrite Z.eqb_refl | apply NoDup_filter, (wf_nodup wf) | exact hu|].
      intros v _ hne. rewrite (proj2 (Z.eqb_neq v u) hne). lia. }
    assert (hb : blocking S P p G x).
    { split; [split|].
      - intros v. unfold x. destruct (v =? u); lia.
      - intros res' hres'. rewrite hused. now apply hfit.
      - exists u. split; [exact hu|]. exists res. split; [exact hres|]. rewrite hused. lia. }
    specialize (hall x hb). unfold weigh in hall. rewrite (sum_unique _ _ u) in hall; [| apply NoDup_filter, (wf_nodup wf) | exact hu|].
    - unfold x in hall. rewrite Z.eqb_refl in hall. nia.
    - intros v _ hne. unfold x. rewrite (proj2 (Z.eqb_neq v u) hne). lia.
  Qed.

  (** A block that has started started at some instant. *)
  Lemma start_of u r i t : In u (on_pool S p) -> 0 <= i < blocks P u -> block e u r i t <> Waiting ->
    exists x, x <= t /\ block e u r i (x - 1) = Waiting /\ block e u r i x <> Waiting.
  Proof.
    intros hu hi hb. pose proof (block_ready ob u r i t hu hi hb) as hre. apply ready_spec in hre. destruct hre as (hrel & hr' & _).
    pose proof (legal_start lg _ _ hrel).
    destruct (first_such (fun x => negb (is_waiting (block e u r i x))) 0 t) as (x & hx & hbx & hfirst); [|lia|].
    { destruct (block e u r i t); easy. }
    exists x. split; [lia|]. split; [|intros eb; rewrite eb in hbx; discriminate].
    destruct (Z.eq_dec x 0) as [->|hne].
    - destruct (block e u r i (0 - 1)) eqn:eb; [reflexivity| |];
        (assert (hre : ready S h u r (0 - 1) = true) by (apply (block_ready ob u r i _ hu hi); congruence); apply ready_spec in hre; lia).
    - specialize (hfirst (x - 1) ltac:(lia)). destruct (block e u r i (x - 1)); easy.
  Qed.

  Lemma on_between u r i t1 t2 t : In u (on_pool S p) -> 0 <= i < blocks P u -> is_on (block e u r i t2) = true -> block e u r i t1 <> Waiting ->
    t1 <= t <= t2 -> is_on (block e u r i t) = true.
  Proof.
    intros hu hi h2 h1 ht. pose proof (stays u r i t1 t hu hi ltac:(lia) h1) as hs. destruct (block e u r i t) as [|s|] eqn:eb; [congruence | reflexivity|].
    rewrite (ended_stays S h P e p G ob u r i t t2 hu hi ltac:(lia) eb) in h2. discriminate.
  Qed.

  (* So for no longer than L. *)
  Lemma on_for u r i t1 t2 : In u (on_pool S p) -> 0 <= i < blocks P u -> is_on (block e u r i t2) = true -> block e u r i t1 <> Waiting ->
    t1 <= t2 -> t2 < t1 + length_of P u.
  Proof.
    intros hu hi h2 h1 ht. pose proof (block_length ob u r i t1 (t2 + 1) hu hi) as hl.
    rewrite (sum_eq _ (fun _ => 1)) in hl; [rewrite sum_range_const in hl by lia; lia|].
    intros t htt. rewrite in_range in htt. rewrite (on_between u r i t1 t2 t); auto. lia.
  Qed.

  Lemma waits_back u r t t' : In u (on_pool S p) -> ready S h u r t = true -> t <= t' -> waits u r t' = true -> waits u r t = true.
  Proof.
    intros hu hre hle hw. apply (waits_spec S h P e) in hw. destruct hw as (hp & i & hi & hb). apply (waits_spec S h P e). split.
    - apply pending_spec. split; [exact hre|]. apply pending_spec in hp. destruct (done h u r t) eqn:hd; [|reflexivity].
      rewrite (legal_done lg u r t t' hd) in hp by lia. now destruct hp.
    - exists i. split; [exact hi|]. destruct (block e u r i t) eqn:eb; [reflexivity| |]; (exfalso; apply (stays u r i t t' hu hi hle); [congruence | exact hb]).
  Qed.

  (** Of those that are ready and have not ended it is the first. *)
  Definition in_charge (u r s : Z) : Prop := pending S h u r s = true /\ forall v r', In v (on_pool S p) -> pending S h v r' s = true -> turn u r <= turn v r'.

  (** Then, while it waits, all that is there is its own. *)
  Lemma only_own u r s v r' i : In u (on_pool S p) -> in_charge u r s -> waits u r s = true -> In v (on_pool S p) -> 0 <= i < blocks P v ->
    is_on (block e v r' i s) = true -> v = u /\ r' = r.
  Proof.
    intros hu (hp & hfirst) hw hv hi hon. destruct (block e v r' i s) as [|m|] eqn:eb; try discriminate.
    destruct (block_sm ob v r' i s m hv hi eb) as (_ & hpv). pose proof (hfirst v r' hv hpv) as hle.
    destruct (Z.eq_dec (turn u r) (turn v r')) as [heq|hne]; [destruct (turn_own hturn u r v r' hu hv heq); auto|]. exfalso.
    destruct (start_of v r' i s hv hi ltac:(congruence)) as (x & hx & hb1 & hb2).
    pose proof (block_ready ob v r' i x hv hi hb2) as hrv. pose proof (proj1 (pending_spec S h u r s) hp) as (hru & _).
    pose proof (turn_order hturn u r v r' s hu hv hru ltac:(lia) x hrv) as hrux.
    pose proof (waits_back u r x s hu hrux hx hw) as hwx. pose proof (turn_starts hturn v r' i x u r hv hi hu hb1 hb2 hwx). lia.
  Qed.

  (** As many of its blocks are there as the GPU holds. *)
  Lemma many_own u r s n : In u (on_pool S p) -> in_charge u r s -> waits u r s = true ->
    (forall res, In res (resources G) -> 0 <= demand P u res /\ n * demand P u res <= capacity G res) ->
    sms G * n <= sum (fun i => ind (is_on (block e u r i s))) (range 0 (blocks P u)).
  Proof.
    intros hu hc hw hfit. destruct (facts u hu) as (_ & _ & _ & _ & hg & _).
    transitivity (sum (fun m => sum (fun i => ind (is_on_sm m (block e u r i s))) (range 0 (blocks P u))) (range 0 (sms G))).
    - rewrite (Z.mul_comm (sms G)). rewrite <- (Z.sub_0_r (sms G)) at 1. rewrite <- sum_range_const by lia. apply sum_le. intros m hm. rewrite in_range in hm.
      set (x := sum (fun i => ind (is_on_sm m (block e u r i s))) (range 0 (blocks P u))).
      destruct (turn_first hturn u r s hu hw) with (s := m) as (res & hres & hno); [|exact hm|].
      { intros v r' hv hwv. apply (proj2 hc v r' hv). now apply (waits_spec S h P e) in hwv. }
      assert (hused : used S P (resident P e m s) p res = x * demand P u res).
      { unfold used. rewrite (sum_unique _ _ u); [| apply NoDup_filter, (wf_nodup wf) | exact hu|].
        - f_equal. unfold resident. pose proof (proj1 hc) as hp. pose proof (pending_released S h lg u r s hp) as (_ & hr).
          rewrite (sum_unique _ _ r); [reflexivity | apply range_nodup | apply in_range; lia|].
          intros r' _ hne. apply sum_zero. intros i hi. rewrite in_range in hi. destruct (is_on_sm m (block e u r' i s)) eqn:ho; [|reflexivity]. exfalso. apply hne.
          apply (only_own u r s u r' i hu hc hw hu hi). destruct (block e u r' i s); cbn in *; congruence.
        - intros v hv hne. assert (hnone : resident P e m s v = 0); [|rewrite hnone; lia]. unfold resident. apply sum_zero. intros r' _. apply sum_zero. intros i hi.
          rewrite in_range in hi. destruct (is_on_sm m (block e v r' i s)) eqn:ho; [|reflexivity]. exfalso. apply hne.
          apply (only_own u r s v r' i hu hc hw hv hi). destruct (block e v r' i s); cbn in *; congruence. }
      rewrite hused in hno. destruct (hfit res hres). destruct (Z_lt_le_dec x n) as [hlt|]; [|lia]. exfalso. nia.
    - rewrite (sum_exchange (fun m i => ind (is_on_sm m (block e u r i s)))). apply sum_le. intros i hi. rewrite in_range in hi.
      destruct (block e u r i s) as [|m|] eqn:eb; cbn [is_on is_on_sm ind].
      + rewrite sum_zero; [lia | reflexivity].
      + destruct (block_sm ob u r i s m hu hi eb) as (hm & _). rewrite (sum_unique _ _ m); [rewrite Z.eqb_refl; cbn; lia | apply range_nodup | now apply in_range|].
        intros m' _ hne. rewrite (proj2 (Z.eqb_neq m m')) by congruence. reflexivity.
      + rewrite sum_zero; [lia | reflexivity].
  Qed.

  (* It stays in charge until it has ended, and no one is in charge again. *)
  Lemma charge_between u r s0 s s1 : In u (on_pool S p) -> in_charge u r s0 -> in_charge u r s1 -> s0 <= s <= s1 -> in_charge u r s.
  Proof.
    intros hu (hp0 & hf0) (hp1 & _) hs. apply pending_spec in hp0, hp1. split.
    - apply pending_spec. split; [apply (ready_stays S h lg u r s0 s); [tauto | lia]|]. destruct (done h u r s) eqn:hd; [|reflexivity].
      rewrite (legal_done lg u r s s1 hd) in hp1 by lia. now destruct hp1.
    - intros v r' hv hpv. destruct (Z_le_gt_dec (turn u r) (turn v r')) as [|hgt]; [assumption|]. apply hf0; [exact hv|]. apply pending_spec in hpv.
      apply pending_spec. split.
      + apply (turn_order hturn v r' u r s hv hu (proj1 hpv) ltac:(lia)). tauto.
      + destruct (done h v r' s0) eqn:hd; [|reflexivity]. rewrite (legal_done lg v r' s0 s hd) in hpv by lia. now destruct hpv.
  Qed.

  (** It waits for (c - 1) L, and is there for c L, from when it comes to be in charge. *)
  Lemma waits_in_charge u r s0 s n c : In u (on_pool S p) -> 1 <= n -> 1 <= c ->
    (forall res, In res (resources G) -> 0 <= demand P u res /\ n * demand P u res <= capacity G res) -> blocks P u <= c * (sms G * n) ->
    in_charge u r s0 -> in_charge u r s -> s0 <= s -> waits u r s = true -> s < s0 + (c - 1) * length_of P u.
  Proof.
    intros hu hn hc hfit hB h0 h1 hle hw. destruct (facts u hu) as (_ & _ & hL & hB0 & hg & _).
    destruct (Z_lt_le_dec s (s0 + (c - 1) * length_of P u)) as [|hge]; [assumption|]. exfalso. set (L := length_of P u) in *.
    pose proof (proj1 (waits_spec S h P e u r s) hw) as (_ & j & hj & hbj).
    assert (hat : forall i, 0 <= i < c -> s0 <= s0 + i * L <= s) by (intros i hi; nia).
    assert (hmany : forall i, 0 <= i < c -> sms G * n <= sum (fun b => ind (is_on (block e u r b (s0 + i * L)))) (range 0 (blocks P u))).
    { intros i hi. pose proof (hat i hi) as ha. pose proof (charge_between u r s0 (s0 + i * L) s hu h0 h1 ha) as hci. apply many_own; auto.
      apply (waits_back u r (s0 + i * L) s hu); [|lia | exact hw]. apply pending_spec. exact (proj1 hci). }
    assert (htotal : c * (sms G * n) + 1 <= blocks P u); [|lia].
    transitivity (sum (fun b => sum (fun i => ind (is_on (block e u r b (s0 + i * L)))) (range 0 c) + ind (b =? j)) (range 0 (blocks P u))).
    - rewrite sum_add, (sum_exchange (fun b i => ind (is_on (block e u r b (s0 + i * L))))). apply Z.add_le_mono.
      + rewrite (Z.mul_comm c). rewrite <- (Z.sub_0_r c) at 1. rewrite <- sum_range_const by lia. apply sum_le. intros i hi. rewrite in_range in hi. now apply hmany.
      + etransitivity; [|apply (sum_in (fun b => ind (b =? j)) _ j); [intros; apply ind_range | now apply in_range]]. cbv beta. rewrite Z.eqb_refl. cbn. lia.
    - rewrite <- (Z.sub_0_r (blocks P u)) at 2. rewrite <- (Z.mul_1_l (blocks P u - 0)), <- sum_range_const by lia. apply sum_le. intros b hb. rewrite in_range in hb.
      destruct (Z.eqb_spec b j) as [->|]; cbn [ind].
      + rewrite sum_zero; [lia|]. intros i hi. rewrite in_range in hi. destruct (block e u r j (s0 + i * L)) eqn:eb; [reflexivity| |];
          (exfalso; apply (stays u r j (s0 + i * L) s hu hj); [now apply hat | congruence | exact hbj]).
      + rewrite Z.add_0_r. apply (sum_exclusive (fun i => is_on (block e u r b (s0 + i * L)))); [apply range_nodup|].
        assert (hlt : forall i i', 0 <= i < c -> 0 <= i' < c -> i < i' -> is_on (block e u r b (s0 + i * L)) = true -> is_on (block e u r b (s0 + i' * L)) = true -> False).
        { intros i i' hi hi' hii e1 e2. pose proof (on_for u r b (s0 + i * L) (s0 + i' * L) hu hb e2 ltac:(intros eb; rewrite eb in e1; discriminate) ltac:(nia)) as ho.
          fold L in ho. nia. }
        intros i i' hi hi' e1 e2. rewrite in_range in hi, hi'. destruct (Z.lt_trichotomy i i') as [hii|[|hii]]; [exfalso; eauto | assumption | exfalso; eauto].
  Qed.

  Lemma there_in_charge u r s0 s n c : In u (on_pool S p) -> 1 <= n -> 1 <= c ->
    (forall res, In res (resources G) -> 0 <= demand P u res /\ n * demand P u res <= capacity G res) -> blocks P u <= c * (sms G * n) ->
    in_charge u r s0 -> in_charge u r s -> s0 <= s -> s < s0 + c * length_of P u.
  Proof.
    intros hu hn hc hfit hB h0 h1 hle. destruct (facts u hu) as (_ & _ & hL & _).
    destruct (Z_lt_le_dec s (s0 + c * length_of P u)) as [|hge]; [assumption|]. exfalso. set (z := s0 + (c - 1) * length_of P u).
    assert (hz : s0 <= z <= s) by (unfold z; nia). pose proof (charge_between u r s0 z s hu h0 h1 hz) as hcz.
    assert (hnw : waits u r z = false).
    { destruct (waits u r z) eqn:hw; [|reflexivity]. pose proof (waits_in_charge u r s0 z n c hu hn hc hfit hB h0 hcz ltac:(lia) hw). unfold z in *. lia. }
    destruct (kernel_ends ob u r s hu (proj1 h1)) as (b & hb & hbe). pose proof (not_waits S h P e u r z (proj1 hcz) hnw b hb) as hst.
    pose proof (stays u r b z s hu hb ltac:(lia) hst) as hst'. assert (hon : is_on (block e u r b s) = true) by (destruct (block e u r b s); [congruence | reflexivity | congruence]).
    pose proof (on_for u r b z s hu hb hon hst ltac:(lia)). unfold z in *. lia.
  Qed.

  (** Someone is in charge while anything is pending. *)
  Lemma charged q r s : In q (on_pool S p) -> pending S h q r s = true -> exists u j, In u (on_pool S p) /\ 0 <= j <= s /\ in_charge u j s.
  Proof.
    intros hq hp. set (all := filter (fun x : node * Z => pending S h (fst x) (snd x) s) (list_prod (on_pool S p) (range 0 (s + 1)))).
    assert (hall : forall u j, In u (on_pool S p) -> pending S h u j s = true -> In (u, j) all).
    { intros u j hu hpu. apply filter_In. split; [|exact hpu]. apply in_prod_iff. split; [exact hu|]. apply in_range. pose proof (pending_released S h lg u j s hpu). lia. }
    destruct (latest (fun x : node * Z => - turn (fst x) (snd x)) all) as ((u, j) & hin & hmin).
    { intros e0. pose proof (hall q r hq hp) as h0. now rewrite e0 in h0. }
    apply filter_In in hin. destruct hin as (hin & hpu). apply in_prod_iff in hin. destruct hin as (hu & hj). apply in_range in hj. exists u, j.
    split; [exact hu|]. split; [lia|]. split; [exact hpu|]. intros v r' hv hpv. specialize (hmin (v, r') (hall v r' hv hpv)). cbn [fst snd] in hmin. lia.
  Qed.

  (** Where it is in charge it is worked on. *)
  Lemma worked_on u r s : In u (on_pool S p) -> in_charge u r s -> 0 < work (counted_progress S h P e w) u r s.
  Proof.
    intros hu hc. pose proof (proj1 (in_on_pool S p u) hu) as (_ & hup). cbn [work counted_progress]. rewrite hup, hkind. pose proof (weight_positive u hu) as hw0.
    enough (0 < sum (fun i => ind (is_on (block e u r i s))) (range 0 (blocks P u))) by nia. destruct (waits u r s) eqn:hw.
    - destruct (halone u hu) as (n & n' & c & hn & hc1 & _ & hfit & _). destruct (facts u hu) as (_ & _ & _ & _ & hg & _).
      pose proof (many_own u r s n hu hc hw ltac:(intros res hres; destruct (hfit res hres) as (e1 & e2 & _); auto)). nia.
    - destruct (kernel_ends ob u r s hu (proj1 hc)) as (b & hb & hbe). pose proof (not_waits S h P e u r s (proj1 hc) hw b hb) as hst.
      eapply Z.lt_le_trans; [|apply (sum_in (fun i => ind (is_on (block e u r i s))) _ b); [intros; apply ind_range | now apply in_range]].
      cbv beta. destruct (block e u r b s); [congruence | cbn; lia | congruence].
  Qed.

  (* So some ticks hold no more than fits between the first of them and its end. *)
  Lemma ticks_from (b : Z -> bool) lo hi len : 0 <= len -> (forall s s', lo <= s <= s' -> s' < hi -> b s = true -> b s' = true -> s' < s + len) ->
    sum (fun s => ind (b s)) (range lo hi) <= len.
  Proof.
    intros hlen hb. destruct (existsb b (range lo hi)) eqn:he.
    - apply existsb_exists in he. destruct he as (s1 & hs1 & hb1). rewrite in_range in hs1. destruct (first_such b lo s1 hb1 ltac:(lia)) as (s0 & h0 & hb0 & hfirst).
      transitivity (sum (fun s => ind (b s) * 1) (range lo hi)); [apply sum_le; intros; lia|]. rewrite <- sum_filter.
      transitivity (sum (fun _ => 1) (range s0 (s0 + len))); [|rewrite sum_range_const by lia; lia].
      apply sum_incl; [apply NoDup_filter, range_nodup | | intros; lia]. intros s hs. apply filter_In in hs. destruct hs as (hs & hbs). rewrite in_range in *.
      destruct (Z_lt_le_dec s s0) as [hlt|hge]; [rewrite (hfirst s) in hbs by lia; discriminate|]. pose proof (hb s0 s ltac:(lia) ltac:(lia) hb0 hbs). lia.
    - rewrite sum_zero; [exact hlen|]. intros s hs. destruct (b s) eqn:hbs; [|reflexivity]. exfalso. enough (existsb b (range lo hi) = true) by congruence.
      apply existsb_exists. eauto.
  Qed.

  Definition charge_of (s : Z) (x : node * Z) : bool :=
    pending S h (fst x) (snd x) s && forallb (fun y : node * Z => negb (pending S h (fst y) (snd y) s) || (turn (fst x) (snd x) <=? turn (fst y) (snd y)))
      (list_prod (on_pool S p) (range 0 (s + 1))).

  Lemma charge_spec s u r : charge_of s (u, r) = true <-> in_charge u r s.
  Proof.
    unfold charge_of, in_charge. cbn [fst snd]. rewrite andb_true_iff, forallb_forall. split; intros (h1 & h2); (split; [exact h1|]).
    - intros v r' hv hpv. specialize (h2 (v, r')). cbn [fst snd] in h2. rewrite hpv in h2. cbn [negb orb] in h2. apply Z.leb_le, h2.
      apply in_prod_iff. split; [exact hv|]. apply in_range. pose proof (pending_released S h lg v r' s hpv). lia.
    - intros (v, r') hin. apply in_prod_iff in hin. cbn [fst snd]. destruct (pending S h v r' s) eqn:hpv; [|reflexivity]. cbn [negb orb]. apply Z.leb_le. now apply h2.
  Qed.

  Theorem platform_runs_in_turn : runs_in_turn S h (counted_progress S h P e w) (counted_accounts S P w) alone p.
  Proof.
    assert (hwaits : forall u r s, In u (on_pool S p) -> Laws.waits (counted_progress S h P e w) u r s = waits u r s).
    { intros u r s hu. apply in_on_pool in hu. destruct hu as (_ & hup). cbn [Laws.waits counted_progress]. now rewrite hup, hkind. }
    split.
    - intros u hu r s s' hp hnw hle hp'. rewrite (hwaits u r s hu) in hnw. rewrite (hwaits u r s' hu). destruct (waits u r s') eqn:hw; [|reflexivity].
      rewrite (waits_back u r s s' hu) in hnw; auto. apply pending_spec in hp. tauto.
    - intros q r rho over hq hre hall. assert (hqw : forall s, rho <= s < over -> waits q r s = true) by (intros s hs; rewrite <- (hwaits q r s hq); now apply hall).
      cbn [exec counted_accounts]. pose proof (proj1 (ready_spec S h q r rho) hre) as (hrel & hrr & _). pose proof (legal_start lg _ _ hrel) as hr0.
      set (all := list_prod (on_pool S p) (range 0 over)). set (charged_at := fun (x : node * Z) s => charge_of s x).
      set (P0 := filter (fun x : node * Z => negb ((fst x =? q) && (snd x =? r)) && existsb (charged_at x) (range rho over)) all).
      assert (nda : NoDup all) by (apply nodup_prod; [apply NoDup_filter, (wf_nodup wf) | apply range_nodup]).
      exists P0. split; [now apply NoDup_filter|]. split.
      + intros u j hin. apply filter_In in hin. destruct hin as (hin & hc). apply in_prod_iff in hin. cbn [fst snd] in hc. apply andb_prop in hc.
        destruct hc as (hne & hc). apply existsb_exists in hc. destruct hc as (s & hs & hc). rewrite in_range in hs. split; [tauto|].
        split; [intros [= -> ->]; rewrite !Z.eqb_refl in hne; discriminate|]. exists s. split; [exact hs|]. apply worked_on; [tauto | now apply charge_spec].
      + assert (hQ : sum (fun s => ind (charged_at (q, r) s)) (range rho over) <= alone q - length_of P q).
        { destruct (halone q hq) as (n & n' & c & hn & hc & _ & hfit & _ & hB & hA). destruct (facts q hq) as (_ & _ & hL & _).
          transitivity ((c - 1) * length_of P q); [|lia]. apply ticks_from; [nia|]. intros s s' hs hs' e1 e2.
          apply (waits_in_charge q r s s' n c hq hn hc); auto; [intros res hres; destruct (hfit res hres) as (f1 & f2 & _); auto | now apply charge_spec | now apply charge_spec | lia | apply hqw; lia]. }
        assert (hP0 : forall x, In x P0 -> sum (fun s => ind (charged_at x s)) (range rho over) <= alone (fst x)).
        { intros (u, j) hin. apply filter_In in hin. destruct hin as (hin & _). apply in_prod_iff in hin. destruct hin as (hu & _). cbn [fst].
          destruct (halone u hu) as (n & n' & c & hn & hc & _ & hfit & _ & hB & hA). destruct (facts u hu) as (_ & _ & hL & _).
          transitivity (c * length_of P u); [|lia]. apply ticks_from; [nia|]. intros s s' hs hs' e1 e2.
          apply (there_in_charge u j s s' n c hu hn hc); auto; [intros res hres; destruct (hfit res hres) as (f1 & f2 & _); auto | now apply charge_spec | now apply charge_spec | lia]. }
        destruct (Z_le_gt_dec over rho) as [hle|hgt].
        * enough (0 <= sum (fun uj : node * Z => alone (fst uj)) P0 + (alone q - length_of P q)) by lia. apply Z.add_nonneg_nonneg.
          -- apply sum_nonneg. intros x hx. etransitivity; [|now apply hP0]. apply sum_nonneg. intros; apply ind_range.
          -- etransitivity; [|exact hQ]. apply sum_nonneg. intros; apply ind_range.
        * transitivity (sum (fun s => sum (fun x => ind (charged_at x s)) all) (range rho over)).
          -- transitivity (sum (fun _ => 1) (range rho over)); [rewrite sum_range_const by lia; lia|]. apply sum_le. intros s hs. rewrite in_range in hs.
             pose proof (proj1 (waits_spec S h P e q r s) (hqw s hs)) as (hpq & _). destruct (charged q r s hq hpq) as (u & j & hu & hj & hc).
             etransitivity; [|apply (sum_in (fun x => ind (charged_at x s)) all (u, j)); [intros; apply ind_range|]].
             ++ unfold charged_at. rewrite (proj2 (charge_spec s u j) hc). cbn. lia.
             ++ apply in_prod_iff. split; [exact hu|]. apply in_range. lia.
          -- rewrite (sum_exchange (fun s x => ind (charged_at x s))).
             transitivity (sum (fun x => ind (negb ((fst x =? q) && (snd x =? r)) && existsb (charged_at x) (range rho over)) * alone (fst x)
               + ind ((fst x =? q) && (snd x =? r)) * (alone q - length_of P q)) all).
             ++ apply sum_le. intros (u, j) hin. cbn [fst snd]. destruct ((u =? q) && (j =? r)) eqn:hqr; cbn [negb andb ind].
                ** apply andb_prop in hqr. destruct hqr as (e1 & e2). apply Z.eqb_eq in e1, e2. subst u j. lia.
                ** destruct (existsb (charged_at (u, j)) (range rho over)) eqn:he; cbn [ind].
                   --- assert (hin0 : In (u, j) P0) by (apply filter_In; split; [exact hin|]; cbn [fst snd]; now rewrite hqr, he). specialize (hP0 (u, j) hin0). cbn [fst] in hP0. lia.
                   --- rewrite sum_zero; [lia|]. intros s hs. destruct (charged_at (u, j) s) eqn:hcs; [|reflexivity]. exfalso.
                       enough (existsb (charged_at (u, j)) (range rho over) = true) by congruence. apply existsb_exists. eauto.
             ++ rewrite sum_add. apply Z.add_le_mono; [apply Z.eq_le_incl; symmetry; exact (sum_filter _ (fun x : node * Z => alone (fst x)) all)|].
                rewrite sum_scale_r. assert (h1 : sum (fun x : node * Z => ind ((fst x =? q) && (snd x =? r))) all <= 1).
                { destruct (in_dec (fun a b : node * Z => ltac:(decide equality; apply Z.eq_dec) : {a = b} + {a <> b}) (q, r) all) as [hin|hout].
                  - rewrite (sum_unique _ _ (q, r) nda hin); [apply ind_range|]. intros (u, j) _ hne. cbn [fst snd].
                    destruct (Z.eqb_spec u q), (Z.eqb_spec j r); cbn [andb ind]; [congruence | lia | lia | lia].
                  - rewrite sum_zero; [lia|]. intros (u, j) hin. cbn [fst snd]. destruct (Z.eqb_spec u q), (Z.eqb_spec j r); cbn [andb ind]; try lia. subst. contradiction. }
                assert (h2 : 0 <= alone q - length_of P q) by (etransitivity; [|exact hQ]; apply sum_nonneg; intros; apply ind_range).
                etransitivity; [apply Z.mul_le_mono_nonneg_r; [exact h2 | exact h1] | lia].
  Qed.
End InTurn.
