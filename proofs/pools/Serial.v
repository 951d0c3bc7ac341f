(** A GPU that is read as one processor: kernels stand in one queue, and at any instant the GPU serves the oldest that has not ended, which then
    ends within the longest duration of the kernel alone. docs/theory/serial.md, "T27". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform.

(** [alone_within N B D l]: with N places and blocks 0, 1, ..., B - 1 of lengths l, started in this order, each when fewer than N that were started
    before are left, a kernel alone ends within D. *)
Definition alone_within (N B D : Z) (l : Z -> Z) : Prop := exists start : Z -> Z,
  (forall n, 0 <= n < B -> 0 <= start n /\ start n + l n <= D) /\
  (forall m n, 0 <= m <= n -> n < B -> start m <= start n) /\
  forall n, 0 <= n < B -> sum (fun m => ind (start n <? start m + l m)) (range 0 n) < N.

Section Serial.
  Context (S : system) (h : history) (P : platform) (e : execution).

  (** The oldest of the kernels of pool p that are ready and have not ended. *)
  Definition oldest (p : Z) (turn : node -> Z -> Z) (u r t : Z) : bool :=
    pending S h u r t &&
    forallb (fun v => forallb (fun r' => negb (pending S h v r' t) || (turn u r <=? turn v r')) (range 0 (t + 1))) (on_pool S p).

  (** [turn u r]: the place of kernel (u, r) in the queue, by ready time; [places u]: how many of its blocks fit on the empty GPU; [may_last u l]:
      its blocks may have lengths l. *)
  Record one_after_another (p : Z) (turn : node -> Z -> Z) (places : node -> Z) (may_last : node -> (Z -> Z) -> Prop) : Prop := {
    serial_own : forall u r v r', In u (on_pool S p) -> In v (on_pool S p) -> turn u r = turn v r' -> u = v /\ r = r';
    serial_order : forall u r v r' t, In u (on_pool S p) -> In v (on_pool S p) -> ready S h u r t = true -> turn u r < turn v r' ->
      ready_no_later S h u r v r';
    serial_stays : forall u r i t, In u (on_pool S p) -> 0 <= i < blocks P u -> block e u r i t <> Waiting -> block e u r i (t + 1) <> Waiting;
    serial_ended : forall u r i t, In u (on_pool S p) -> 0 <= i < blocks P u -> block e u r i t = Ended -> block e u r i (t + 1) = Ended;
    serial_ends : forall u r t, In u (on_pool S p) -> pending S h u r t = true -> exists i, 0 <= i < blocks P u /\ block e u r i t <> Ended;
    (* (Q) and (W): while the oldest waits, as many of its blocks are there as fit on the empty GPU. *)
    serial_fills : forall u r t, In u (on_pool S p) -> oldest p turn u r t = true -> kernel_waits S h P e u r t = true ->
      places u <= sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u));
    (* (B): in an order of its own; each ends within its length once it has started and all earlier kernels have ended. *)
    serial_blocks : forall u r i j t, In u (on_pool S p) -> 0 <= i < j -> j < blocks P u -> block e u r j t <> Waiting -> block e u r i t <> Waiting;
    serial_length : forall u r, In u (on_pool S p) -> exists l, may_last u l /\ forall i b c, 0 <= i < blocks P u ->
      sum (fun t => ind (is_on (block e u r i t) && oldest p turn u r t)) (range b c) <= l i;
  }.

  Arguments serial_own {p turn places may_last}.
  Arguments serial_order {p turn places may_last}.
  Arguments serial_stays {p turn places may_last}.
  Arguments serial_ended {p turn places may_last}.
  Arguments serial_ends {p turn places may_last}.
  Arguments serial_fills {p turn places may_last}.
  Arguments serial_blocks {p turn places may_last}.
  Arguments serial_length {p turn places may_last}.

  Section Pool.
    Context (lg : legal S h) (nd : NoDup (nodes S)).
    Context (p : Z) (turn : node -> Z -> Z) (places : node -> Z) (may_last : node -> (Z -> Z) -> Prop).
    Context (ob : one_after_another p turn places may_last).

    Lemma oldest_spec u r t : oldest p turn u r t = true <->
      pending S h u r t = true /\ forall v r', In v (on_pool S p) -> pending S h v r' t = true -> turn u r <= turn v r'.
    Proof.
      unfold oldest. rewrite andb_true_iff, forallb_forall. split; intros (hp & hall); (split; [exact hp|]).
      - intros v r' hv hpv. specialize (hall v hv). rewrite forallb_forall in hall.
        pose proof (pending_released S h lg v r' t hpv) as (_ & hr). specialize (hall r' ltac:(apply in_range; lia)).
        rewrite hpv in hall. cbn in hall. lia.
      - intros v hv. apply forallb_forall. intros r' _. destruct (pending S h v r' t) eqn:hpv; [|reflexivity]. cbn. apply Z.leb_le. now apply hall.
    Qed.

    (** It is served in one interval. *)
    Lemma oldest_between u r s0 s s1 : In u (on_pool S p) -> oldest p turn u r s0 = true -> oldest p turn u r s1 = true -> s0 <= s <= s1 ->
      oldest p turn u r s = true.
    Proof.
      intros hu h0 h1 hs. apply oldest_spec in h0, h1. destruct h0 as (hp0 & hf0), h1 as (hp1 & _). apply pending_spec in hp0, hp1.
      apply oldest_spec. split.
      - apply pending_spec. split; [apply (ready_stays S h lg u r s0 s); [tauto | lia]|]. destruct (done h u r s) eqn:hd; [|reflexivity].
        rewrite (legal_done lg u r s s1 hd) in hp1 by lia. now destruct hp1.
      - intros v r' hv hpv. destruct (Z_le_gt_dec (turn u r) (turn v r')) as [|hgt]; [assumption|]. apply hf0; [exact hv|]. apply pending_spec in hpv.
        apply pending_spec. split.
        + apply (serial_order ob v r' u r s hv hu (proj1 hpv) ltac:(lia)). tauto.
        + destruct (done h v r' s0) eqn:hd; [|reflexivity]. rewrite (legal_done lg v r' s0 s hd) in hpv by lia. now destruct hpv.
    Qed.

    Lemma started_remains u r i t t' : In u (on_pool S p) -> 0 <= i < blocks P u -> t <= t' -> block e u r i t <> Waiting -> block e u r i t' <> Waiting.
    Proof.
      intros hu hi hle h0. replace t' with (t + Z.of_nat (Z.to_nat (t' - t))) by lia. induction (Z.to_nat (t' - t)) as [|n IH].
      - now rewrite Z.add_0_r.
      - rewrite Nat2Z.inj_succ. replace (t + Z.succ (Z.of_nat n)) with (t + Z.of_nat n + 1) by lia. now apply (serial_stays ob).
    Qed.

    Lemma ended_remains u r i t t' : In u (on_pool S p) -> 0 <= i < blocks P u -> t <= t' -> block e u r i t = Ended -> block e u r i t' = Ended.
    Proof.
      intros hu hi hle h0. replace t' with (t + Z.of_nat (Z.to_nat (t' - t))) by lia. induction (Z.to_nat (t' - t)) as [|n IH].
      - now rewrite Z.add_0_r.
      - rewrite Nat2Z.inj_succ. replace (t + Z.succ (Z.of_nat n)) with (t + Z.of_nat n + 1) by lia. now apply (serial_ended ob).
    Qed.

    (** A block that started by s1 and has not ended at s2 had been there all the while. *)
    Lemma block_time u r i s1 s2 l : In u (on_pool S p) -> 0 <= i < blocks P u -> s1 <= s2 ->
      (forall b c, sum (fun t => ind (is_on (block e u r i t) && oldest p turn u r t)) (range b c) <= l) ->
      oldest p turn u r s1 = true -> oldest p turn u r s2 = true -> block e u r i s1 <> Waiting -> block e u r i s2 <> Ended -> s2 < s1 + l.
    Proof.
      intros hu hi hle hl h1 h2 hb1 hb2. specialize (hl s1 (s2 + 1)).
      rewrite (sum_eq _ (fun _ => 1)) in hl; [rewrite sum_range_const in hl by lia; lia|].
      intros t ht. rewrite in_range in ht. rewrite (oldest_between u r s1 t s2) by (auto; lia).
      pose proof (started_remains u r i s1 t hu hi ltac:(lia) hb1) as hw. destruct (block e u r i t) as [|s|] eqn:eb; [congruence | reflexivity|].
      elim hb2. apply (ended_remains u r i t s2); auto; lia.
    Qed.

    (** The lemma of T27: once all earlier kernels have ended a kernel ends within D. *)
    Theorem ends_within_alone u D r s0 s : In u (on_pool S p) -> (forall l, may_last u l -> alone_within (places u) (blocks P u) D l) ->
      oldest p turn u r s0 = true -> oldest p turn u r s = true -> s0 <= s -> s < s0 + D.
    Proof.
      intros hu hD h0 hs hle. destruct (serial_length ob u r hu) as (l & hml & hl). destruct (hD l hml) as (start & hst & hmono & hfew).
      assert (hstart : forall k n, 0 <= n < k -> n < blocks P u -> s0 + start n <= s -> block e u r n (s0 + start n) <> Waiting).
      { intros k n hn. assert (0 <= k) as hk by lia. revert k hk n hn. apply (natlike_ind (fun k => forall n, 0 <= n < k -> n < blocks P u -> s0 + start n <= s -> block e u r n (s0 + start n) <> Waiting)).
        - intros n hn. lia.
        - intros k hk IH n hn hnB hns. destruct (Z_lt_le_dec n k) as [hlt|hge]; [apply IH; auto; lia|]. intros hwait. set (x := s0 + start n) in *.
          destruct (hst n ltac:(lia)) as (hs0 & _). pose proof (oldest_between u r s0 x s hu h0 hs ltac:(lia)) as hx.
          assert (hkw : kernel_waits S h P e u r x = true).
          { unfold kernel_waits. apply oldest_spec in hx. rewrite (proj1 hx). cbn [andb]. apply existsb_exists. exists n.
            split; [apply in_range; lia | now rewrite hwait]. }
          pose proof (serial_fills ob u r x hu hx hkw) as hfill. specialize (hfew n ltac:(lia)).
          enough (sum (fun i => ind (is_on (block e u r i x))) (range 0 (blocks P u)) <= sum (fun m => ind (start n <? start m + l m)) (range 0 n)) by lia.
          rewrite (range_split 0 n (blocks P u)) by lia. rewrite sum_app.
          rewrite (sum_zero _ (range n (blocks P u))).
          + rewrite Z.add_0_r. apply sum_le. intros m hm. rewrite in_range in hm. destruct (is_on (block e u r m x)) eqn:hon; [|apply ind_range].
            destruct (hst m ltac:(lia)) as (hm0 & _). pose proof (hmono m n ltac:(lia) ltac:(lia)) as hmn.
            assert (hbt : x < s0 + start m + l m); [|rewrite (proj2 (Z.ltb_lt (start n) (start m + l m)) ltac:(unfold x in hbt; lia)); cbn; lia].
            apply (block_time u r m (s0 + start m) x (l m) hu ltac:(lia) ltac:(lia)); auto.
            * intros b c. apply hl. lia.
            * apply (oldest_between u r s0 _ s hu h0 hs). lia.
            * apply IH; lia.
            * intros eb. rewrite eb in hon. discriminate.
          + intros m hm. rewrite in_range in hm. destruct (Z.eq_dec m n) as [->|hne]; [now rewrite hwait|].
            destruct (block e u r m x) eqn:eb; [reflexivity| |];
              (exfalso; apply (serial_blocks ob u r n m x hu); [lia | lia | congruence | exact hwait]). }
      destruct (Z_lt_le_dec s (s0 + D)) as [|hge]; [assumption|]. pose proof (proj1 (oldest_spec u r s) hs) as (hp & _).
      destruct (serial_ends ob u r s hu hp) as (i & hi & hb). destruct (hst i hi) as (hi0 & hi1).
      pose proof (hl i 0 0 hi) as hl0. rewrite range_nil in hl0 by lia. cbn in hl0.
      assert (0 <= l i) by lia. pose proof (block_time u r i (s0 + start i) s (l i) hu hi ltac:(lia) (fun b c => hl i b c hi)
        (oldest_between u r s0 (s0 + start i) s hu h0 hs ltac:(lia)) hs (hstart (i + 1) i ltac:(lia) ltac:(lia) ltac:(lia)) hb). lia.
    Qed.

    Lemma oldest_one u r v r' t : In u (on_pool S p) -> In v (on_pool S p) -> oldest p turn u r t = true -> oldest p turn v r' t = true -> u = v /\ r = r'.
    Proof.
      intros hu hv h1 h2. apply oldest_spec in h1, h2. destruct h1 as (hp1 & hf1), h2 as (hp2 & hf2).
      apply (serial_own ob u r v r' hu hv). pose proof (hf1 v r' hv hp2). pose proof (hf2 u r hu hp1). lia.
    Qed.

    Lemma some_oldest v r t : In v (on_pool S p) -> pending S h v r t = true -> exists u r', In u (on_pool S p) /\ oldest p turn u r' t = true.
    Proof.
      intros hv hp.
      assert (hmin : forall l : list (node * Z), l <> [] -> exists x, In x l /\ forall y, In y l -> turn (fst x) (snd x) <= turn (fst y) (snd y)).
      { induction l as [|x l IH]; [easy|]. intros _. destruct l as [|y l].
        - exists x. split; [now left|]. intros y [<-|[]]. lia.
        - destruct IH as (z & hz & hall); [easy|]. destruct (Z_le_gt_dec (turn (fst x) (snd x)) (turn (fst z) (snd z))) as [hle|hgt].
          + exists x. split; [now left|]. intros y' [<-|hy]; [lia|]. specialize (hall y' hy). lia.
          + exists z. split; [now right|]. intros y' [<-|hy]; [lia|]. now apply hall. }
      set (there := filter (fun x => pending S h (fst x) (snd x) t) (list_prod (on_pool S p) (range 0 (t + 1)))).
      assert (hthere : forall u r', In (u, r') there <-> In u (on_pool S p) /\ pending S h u r' t = true).
      { intros u r'. unfold there. rewrite filter_In, in_prod_iff, in_range. cbn [fst snd]. split; [tauto|]. intros (h1 & h2).
        pose proof (pending_released S h lg u r' t h2). repeat split; try tauto; lia. }
      destruct (hmin there) as ((u & r') & hin & hall).
      - intros hnil. pose proof (proj2 (hthere v r) (conj hv hp)) as hin. now rewrite hnil in hin.
      - exists u, r'. apply hthere in hin. destruct hin as (hu & hpu). split; [exact hu|]. apply oldest_spec. split; [exact hpu|].
        intros x q hx hpx. exact (hall (x, q) (proj2 (hthere x q) (conj hx hpx))).
    Qed.
  End Pool.

  (** Which pools are GPUs that are read so. In P they are one processor, on which a kernel takes its longest duration alone. *)
  Context (serial : Z -> bool) (turn : Z -> node -> Z -> Z) (places : node -> Z) (may_last : node -> (Z -> Z) -> Prop).

  Definition serial_pool_obeys (p : Z) : Prop :=
    if serial p then
      kind_of P p = Processors 1 /\ order_of S p = Fifo /\ one_after_another p (turn p) places may_last /\
      forall u, In u (on_pool S p) -> forall l, may_last u l -> alone_within (places u) (blocks P u) (length_of P u) l
    else pool_obeys S h P e p.

  Record serial_system_obeys : Prop := {
    serial_legal : legal S h;
    serial_pools : forall p, serial_pool_obeys p;
  }.

  (** A GPU serves the oldest kernel. *)
  Definition serving : execution := {|
    runs := fun u r t => if serial (pool S u) then oldest (pool S u) (turn (pool S u)) u r t else runs e u r t;
    block := block e;
  |}.

  Lemma serving_own p : serial p = false -> pool_obeys S h P e p -> pool_obeys S h P serving p.
  Proof.
    intros hs. unfold pool_obeys.
    assert (hr : forall u r t, In u (on_pool S p) -> runs serving u r t = runs e u r t).
    { intros u r t hu. apply in_on_pool in hu. destruct hu as (_ & hu). cbn [runs serving]. now rewrite hu, hs. }
    assert (hrun : forall t, running S serving p t = running S e p t).
    { intros t. unfold running. apply sum_eq. intros u hu. apply sum_eq. intros r _. now rewrite hr. }
    destruct (kind_of P p) as [m|m|G]; intros ob.
    - constructor.
      + intros u r t hu. rewrite hr by exact hu. now apply (run_pending ob).
      + intros u r b c hu. rewrite (sum_eq _ (fun t => ind (runs e u r t))) by (intros; now rewrite hr). now apply (run_length ob).
      + intros t. rewrite hrun. apply (run_capacity ob).
      + intros v r t hv. rewrite hr, hrun by exact hv. now apply (run_conserving ob).
      + intros v r t u r' hv hu. rewrite !hr by assumption. now apply (run_order ob).
    - constructor.
      + intros u r t hu. rewrite hr by exact hu. now apply (thread_pending ob).
      + intros u r b c hu. rewrite (sum_eq _ (fun t => ind (runs e u r t))) by (intros; now rewrite hr). now apply (thread_length ob).
      + intros t. rewrite hrun. apply (thread_capacity ob).
      + intros v r t hv. rewrite hr, hrun by exact hv. now apply (thread_conserving ob).
      + intros u r t hu. rewrite !hr by exact hu. now apply (thread_runs_on ob).
      + intros v r t u r' hv hu. rewrite !hr by assumption. now apply (thread_order ob).
    - destruct ob as [[m1 m2 m3 m4 m5 m6 m7] l c]. constructor; [constructor|..]; assumption.
  Qed.

  (** T27: then the GPU is one processor under FIFO, and every theorem for one holds. *)
  Theorem serial_is_one_processor : NoDup (nodes S) -> sound_platform S P -> serial_system_obeys -> system_obeys S h P serving.
  Proof.
    intros nd sp so. pose proof (serial_legal so) as lg. constructor; [exact lg|]. intros p. pose proof (serial_pools so p) as hp. unfold serial_pool_obeys in hp.
    destruct (serial p) eqn:hs; [|now apply serving_own]. destruct hp as (hk & hord & ob & hD). unfold pool_obeys. rewrite hk.
    assert (hr : forall u r t, In u (on_pool S p) -> runs serving u r t = oldest p (turn p) u r t).
    { intros u r t hu. apply in_on_pool in hu. destruct hu as (_ & hu). cbn [runs serving]. now rewrite hu, hs. }
    assert (hone : forall u r t, In u (on_pool S p) -> oldest p (turn p) u r t = true -> running S serving p t = 1).
    { intros u r t hu ho. unfold running. pose proof (proj1 (oldest_spec lg p (turn p) u r t) ho) as (hpu & _).
      pose proof (pending_released S h lg u r t hpu) as (_ & hr0). rewrite (sum_unique _ _ u); [| now apply NoDup_filter | exact hu|].
      - rewrite (sum_unique _ _ r); [now rewrite hr, ho | apply range_nodup | apply in_range; lia|].
        intros r' _ hne. rewrite hr by exact hu. destruct (oldest p (turn p) u r' t) eqn:ho'; [|reflexivity]. elim hne.
        now destruct (oldest_one lg p (turn p) places may_last ob u r u r' t hu hu ho ho').
      - intros v hv hne. apply sum_zero. intros r' _. rewrite hr by exact hv. destruct (oldest p (turn p) v r' t) eqn:ho'; [|reflexivity]. elim hne.
        now destruct (oldest_one lg p (turn p) places may_last ob u r v r' t hu hv ho ho'). }
    constructor.
    - intros u r t hu. rewrite hr by exact hu. intros ho. now apply (oldest_spec lg) in ho.
    - intros u r b c hu. rewrite (sum_eq _ (fun t => ind (oldest p (turn p) u r t))) by (intros; now rewrite hr).
      destruct (existsb (oldest p (turn p) u r) (range b c)) eqn:hsome.
      + apply existsb_exists in hsome. destruct hsome as (s1 & hs1 & ho1). rewrite in_range in hs1.
        destruct (first_such (oldest p (turn p) u r) b s1 ho1 ltac:(lia)) as (s0 & hs0 & ho0 & hfirst).
        assert (hlast : forall s, s0 <= s -> oldest p (turn p) u r s = true -> s < s0 + length_of P u).
        { intros s hle ho. exact (ends_within_alone lg p (turn p) places may_last ob u (length_of P u) r s0 s hu (hD u hu) ho0 ho hle). }
        pose proof (hlast s0 ltac:(lia) ho0) as hpos.
        transitivity (sum (fun t => ind ((s0 <=? t) && (t <? s0 + length_of P u))) (range b c)).
        * apply sum_le. intros t ht. rewrite in_range in ht. destruct (oldest p (turn p) u r t) eqn:ho; [|apply ind_range].
          destruct (Z_lt_le_dec t s0) as [hlt|hge]; [rewrite hfirst in ho by lia; discriminate|]. specialize (hlast t hge ho).
          rewrite (proj2 (Z.leb_le s0 t)), (proj2 (Z.ltb_lt t _)) by lia. cbn. lia.
        * transitivity (sum (fun t => ind ((s0 <=? t) && (t <? s0 + length_of P u))) (range b (Z.max c (s0 + length_of P u)))).
          { apply sum_range_incl; [intros; apply ind_range | lia | lia]. }
          rewrite (sum_range_split _ b s0), (sum_range_split _ s0 (s0 + length_of P u)) by lia.
          rewrite (sum_zero _ (range b s0)), (sum_zero _ (range (s0 + length_of P u) _)), (sum_eq _ (fun _ => 1) (range s0 _)).
          { rewrite sum_range_const by lia. lia. }
          { intros t ht. rewrite in_range in ht. rewrite (proj2 (Z.leb_le s0 t)), (proj2 (Z.ltb_lt t _)) by lia. reflexivity. }
          { intros t ht. rewrite in_range in ht. rewrite (proj2 (Z.ltb_ge t (s0 + length_of P u))) by lia. now rewrite andb_false_r. }
          { intros t ht. rewrite in_range in ht. rewrite (proj2 (Z.leb_gt s0 t)) by lia. reflexivity. }
      + rewrite sum_zero; [apply (sp_length sp); apply in_on_pool in hu; tauto|]. intros t ht. destruct (oldest p (turn p) u r t) eqn:ho; [|reflexivity].
        enough (existsb (oldest p (turn p) u r) (range b c) = true) by congruence. apply existsb_exists. eauto.
    - intros t. destruct (Z_lt_le_dec 0 (running S serving p t)) as [hpos|]; [|lia]. unfold running in hpos.
      apply sum_pos_in in hpos. destruct hpos as (u & hu & hpos). apply sum_pos_in in hpos. destruct hpos as (r & _ & hpos). rewrite hr in hpos by exact hu.
      destruct (oldest p (turn p) u r t) eqn:ho; [|cbn in hpos; lia]. rewrite (hone u r t hu ho). lia.
    - intros v r t hv hpv _. destruct (some_oldest lg p (turn p) v r t hv hpv) as (u & r' & hu & ho). rewrite (hone u r' t hu ho). lia.
    - intros v r t u r' hv hu hpv hnr. rewrite !hr in * by assumption. intros ho. rewrite hord. cbn [before].
      pose proof (proj1 (oldest_spec lg p (turn p) u r' t) ho) as (hpu & hall). pose proof (hall v r hv hpv) as hle.
      destruct (Z.eq_dec (turn p u r') (turn p v r)) as [heq|hne].
      + destruct (serial_own ob u r' v r hu hv heq) as (-> & ->). congruence.
      + apply pending_spec in hpu. apply (serial_order ob u r' v r t hu hv (proj1 hpu)). lia.
  Qed.
End Serial.
