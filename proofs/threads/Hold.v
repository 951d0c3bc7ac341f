(** T21h (a): how long a thread has a job. A thread plays one job at a time, piece after piece: so of each of the other threads one piece at most is
    before a piece in its queue. docs/theory/threads.md.

    A thread is a DAG here, a chain of pieces (a run of CPU nodes is one), which is released whenever the thread takes a job: what becomes ready when the
    piece before it has ended is so on any platform of pools/Platform.v. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Waiting path.Turns path.T10a path.FromReady path.Meanwhile path.Started path.Visit.

(** All nodes of a DAG follow one another up to its sink, and it is released again only when that has ended. *)
Record threads_play (S : system) (h : history) (sink : Z -> node) : Prop := {
  tp_chain : forall u w, In u (nodes S) -> In w (nodes S) -> dag S u = dag S w -> u = w \/ ancestor S u w \/ ancestor S w u;
  tp_sink : forall u, In u (nodes S) -> ancestor_or_self S u (sink (dag S u));
  tp_one : forall u s s', In u (nodes S) -> released h (dag S u) s = true -> released h (dag S u) s' = true -> s < s' -> done h (sink (dag S u)) s s' = true;
}.

(** The threads with pieces on the pool of q, but for its own. *)
Definition threads_on (S : system) (p : Z) : list Z := nodup Z.eq_dec (map (dag S) (on_pool S p)).
Definition others_on (S : system) (q : node) : list Z := filter (fun d => negb (d =? dag S q)) (threads_on S (pool S q)).

(** W: how long q waits, in units of 1/M: for one piece of each other thread, theta the largest; not where there are no more threads than processors. *)
Inductive queued (S : system) (a : accounts) (whole : rules) (M : Z) (q : node) (W : Z) : Prop :=
| behind_one_each share theta : order_of S (pool S q) = Fifo -> share * cap a (pool S q) = M ->
    (forall u, In u (on_pool S (pool S q)) -> vol a u <= theta (dag S u)) -> share * (sum theta (others_on S q) + vol a q - last a q) <= W ->
    queued S a whole M q W
| behind_nobody : of_processors S a (pool S q) -> Z.of_nat (length (threads_on S (pool S q))) <= cap a (pool S q) -> 0 <= W -> queued S a whole M q W
| in_turn_behind theta : order_of S (pool S q) = Fifo -> in_turn whole (pool S q) = true -> (forall d, 0 <= theta d) ->
    (forall u, In u (on_pool S (pool S q)) -> alone whole u <= theta (dag S u)) -> 0 <= W -> M * (sum theta (others_on S q) + alone whole q - exec a q) <= W ->
    queued S a whole M q W.

(** A sum of which one summand at most is not 0. *)
Lemma sum_at_most_one {A} (dec : forall x y : A, {x = y} + {x <> y}) (f : A -> Z) l B : NoDup l -> 0 <= B -> (forall x, In x l -> f x <= B) ->
  (forall x y, In x l -> In y l -> f x <> 0 -> f y <> 0 -> x = y) -> sum f l <= B.
Proof.
  intros nd hB hle hone. destruct (existsb (fun x => negb (f x =? 0)) l) eqn:he.
  - apply existsb_exists in he. destruct he as (x & hx & hne). apply negb_true_iff, Z.eqb_neq in hne. rewrite (sum_unique f l x nd hx); [now apply hle|].
    intros y hy hyx. destruct (Z.eq_dec (f y) 0) as [|hne']; [assumption|]. exfalso. apply hyx. now apply hone.
  - rewrite sum_zero; [exact hB|]. intros x hx. destruct (Z.eq_dec (f x) 0) as [|hne]; [assumption|]. exfalso.
    enough (existsb (fun x => negb (f x =? 0)) l = true) by congruence. apply existsb_exists. exists x. split; [exact hx|]. now apply negb_true_iff, Z.eqb_neq.
Qed.

Section Hold.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h) (g : progress) (a : accounts) (laws : keeps_laws S h g a).
  Context (sink : Z -> node) (play : threads_play S h sink) (whole : rules) (hwhole : rules_hold S h g a whole).

  (** Of a thread one piece at most is pending. *)
  Lemma one_pending u r u' r' s : In u (nodes S) -> In u' (nodes S) -> dag S u = dag S u' -> pending S h u r s = true -> pending S h u' r' s = true ->
    u = u' /\ r = r'.
  Proof.
    intros hu hu' hd hp hp'. pose proof (pending_released S h lg u r s hp) as (hrel & hr). pose proof (pending_released S h lg u' r' s hp') as (hrel' & hr').
    assert (hno : forall w q q', In w (nodes S) -> released h (dag S w) q = true -> released h (dag S w) q' = true -> q < q' <= s -> done h w q s = true).
    { intros w q q' hw h1 h2 hlt. pose proof (tp_one S h sink play w q q' hw h1 h2 (proj1 hlt)) as hs.
      apply (legal_done lg w q q'); [|lia]. destruct (tp_sink S h sink play w hw) as [e|ha]; [now rewrite e at 1|].
      apply (ancestor_done S h lg w _ q q' ha). now apply (legal_ready lg). }
    assert (r = r') as <-.
    { destruct (Z.lt_trichotomy r r') as [hlt|[|hlt]]; [exfalso | assumption | exfalso].
      - apply pending_spec in hp. rewrite (hno u r r') in hp; [destruct hp; discriminate | auto | auto | congruence | lia].
      - apply pending_spec in hp'. rewrite (hno u' r' r) in hp'; [destruct hp'; discriminate | auto | auto | congruence | lia]. }
    split; [|reflexivity]. apply (pending_alone S h lg u u' r s); auto. now apply (tp_chain S h sink play).
  Qed.

  Section Queue.
    Context (q : node) (r t : Z) (hq : In q (nodes S)) (hr : released h (dag S q) r = true) (ht : r <= t).
    Let p := pool S q.
    Let V (u : node) (r' : Z) : Z := sum (fun s => ind (waits g q r s) * work g u r' s) (range r t).

    Lemma V_nonneg u r' : In u (nodes S) -> 0 <= V u r'.
    Proof. intros hu. apply sum_nonneg. intros s _. pose proof (law_work laws u r' s hu). pose proof (ind_range (waits g q r s)). nia. Qed.

    Lemma V_at u r' : In u (nodes S) -> V u r' <> 0 -> exists s, r <= s < t /\ waits g q r s = true /\ 0 < work g u r' s.
    Proof.
      intros hu hne. pose proof (V_nonneg u r' hu). assert (hpos : 0 < V u r') by lia. apply sum_pos_in in hpos. destruct hpos as (s & hs & hpos).
      rewrite in_range in hs. exists s. pose proof (law_work laws u r' s hu). destruct (waits g q r s); cbn [ind] in hpos; repeat split; lia || reflexivity.
    Qed.

    (* Of q's own thread q alone. *)
    Lemma own_piece u r' s : In u (nodes S) -> dag S u = dag S q -> waits g q r s = true -> 0 < work g u r' s -> u = q /\ r' = r.
    Proof.
      intros hu hd hw hwk. apply (one_pending u r' q r s); auto; [now apply (law_pending laws) | now apply (law_waits laws)].
    Qed.

    (* Of each other thread one piece. *)
    Lemma one_ahead (hfifo : order_of S p = Fifo) u1 r1 s1 u2 r2 s2 : In u1 (on_pool S p) -> In u2 (on_pool S p) -> dag S u1 = dag S u2 ->
      waits g q r s1 = true -> 0 < work g u1 r1 s1 -> waits g q r s2 = true -> 0 < work g u2 r2 s2 -> u1 = u2 /\ r1 = r2.
    Proof.
      intros hu1 hu2 hd hw1 hk1 hw2 hk2. apply in_on_pool in hu1, hu2. destruct hu1 as (hn1 & hp1), hu2 as (hn2 & hp2).
      assert (hat : forall u j s, In u (nodes S) -> pool S u = p -> waits g q r s = true -> 0 < work g u j s -> forall s', s' <= s -> waits g q r s' = true ->
        pending S h u j s' = true).
      { intros u j s hu hup hw hk s' hle hw'. pose proof (law_order laws q r u j s hq hu hup hw hk) as hb. fold p in hb. rewrite hfifo in hb.
        specialize (hb eq_refl). cbn [before] in hb. pose proof (law_waits laws q r s' hq hw') as hpq. apply pending_spec in hpq.
        pose proof (law_pending laws u j s hu hk) as hpu. apply pending_spec in hpu. apply pending_spec. split; [now apply hb|].
        destruct (done h u j s') eqn:hdn; [|reflexivity]. rewrite (legal_done lg u j s' s hdn hle) in hpu. destruct hpu; discriminate. }
      destruct (Z_le_gt_dec s1 s2).
      - apply (one_pending u1 r1 u2 r2 s1); auto; [now apply (law_pending laws) | now apply (hat u2 r2 s2)].
      - apply (one_pending u1 r1 u2 r2 s2); auto; [apply (hat u1 r1 s1); auto; lia | now apply (law_pending laws)].
    Qed.

    Lemma others_spec d : In d (others_on S q) <-> d <> dag S q /\ exists u, In u (on_pool S p) /\ dag S u = d.
    Proof.
      unfold others_on, threads_on. rewrite filter_In, nodup_In, in_map_iff, negb_true_iff, Z.eqb_neq. fold p. split.
      - intros ((u & <- & hu) & hne). eauto.
      - intros (hne & u & hu & <-). eauto.
    Qed.

    Lemma by_threads (f : node -> Z) (hd : forall u, In u (on_pool S p) -> dag S u = dag S q -> u <> q -> f u = 0) :
      sum f (on_pool S p) = f q + sum (fun d => sum f (filter (fun u => dag S u =? d) (on_pool S p))) (others_on S q).
    Proof.
      assert (hqon : In q (on_pool S p)) by now apply in_on_pool. rewrite (sum_split_one (fun u => dag S u =? dag S q)). f_equal.
      - rewrite (sum_unique _ _ q); [rewrite Z.eqb_refl; cbn [ind]; lia | apply NoDup_filter, (wf_nodup wf) | exact hqon|].
        intros u hu hne. destruct (Z.eqb_spec (dag S u) (dag S q)) as [e|]; cbn [ind]; [rewrite (hd u hu e hne)|]; lia.
      - rewrite (sum_eq (fun d => sum f (filter (fun u => dag S u =? d) (on_pool S p))) (fun d => sum (fun u => ind (dag S u =? d) * f u) (on_pool S p)))
          by (intros d _; now rewrite sum_filter).
        rewrite sum_exchange. apply sum_eq. intros u hu. destruct (Z.eqb_spec (dag S u) (dag S q)) as [e|hne]; cbn [negb ind].
        + rewrite sum_zero; [lia|]. intros d hd'. apply others_spec in hd'. destruct (Z.eqb_spec (dag S u) d); [destruct hd'; congruence|]. cbn [ind]. lia.
        + rewrite (sum_unique _ _ (dag S u)); [rewrite Z.eqb_refl; cbn [ind]; lia | apply NoDup_filter, NoDup_nodup | apply others_spec; eauto|].
          intros d _ hne'. destruct (Z.eqb_spec (dag S u) d); [congruence|]. cbn [ind]. lia.
    Qed.

    Let y : Z := sum (fun s => ind (waits g q r s)) (range r t).

    Lemma work_done : cap a p * y <= sum (fun u => sum (V u) (range 0 t)) (on_pool S p).
    Proof.
      pose proof (legal_start lg _ _ hr). unfold y. rewrite <- sum_scale.
      transitivity (sum (fun s => sum (fun u => sum (fun r' => ind (waits g q r s) * work g u r' s) (range 0 t)) (on_pool S p)) (range r t)).
      - apply sum_le. intros s hs. rewrite in_range in hs. destruct (waits g q r s) eqn:hw; cbn [ind].
        + pose proof (law_rate laws q r s hq hw) as hra. fold p in hra. rewrite Z.mul_1_r. etransitivity; [exact hra|]. unfold rate.
          apply sum_le. intros u hu. apply in_on_pool in hu.
          rewrite (sum_eq (fun r0 => 1 * work g u r0 s) (fun r0 => work g u r0 s)) by (intros; lia).
          apply sum_range_incl; [intros; apply (law_work laws); tauto | lia | lia].
        + rewrite Z.mul_0_r. apply sum_nonneg. intros u _. apply sum_nonneg. intros; lia.
      - apply Z.eq_le_incl. rewrite sum_exchange. apply sum_eq. intros u _.
        rewrite (sum_exchange (fun s r' => ind (waits g q r s) * work g u r' s)). reflexivity.
    Qed.

    Lemma waits_behind (hfifo : order_of S p = Fifo) theta : (forall u, In u (on_pool S p) -> vol a u <= theta (dag S u)) ->
      cap a p * y <= sum theta (others_on S q) + vol a q - last a q.
    Proof.
      intros htheta. pose proof (legal_start lg _ _ hr) as hr0. etransitivity; [exact work_done|]. rewrite (by_threads (fun u => sum (V u) (range 0 t))).
      - enough (sum (V q) (range 0 t) <= vol a q - last a q /\
          sum (fun d => sum (fun u => sum (V u) (range 0 t)) (filter (fun u => dag S u =? d) (on_pool S p))) (others_on S q) <= sum theta (others_on S q)) by lia. split.
        + destruct (Z_lt_le_dec r t) as [hlt|hge].
          * rewrite (sum_unique _ _ r); [apply (law_last laws q r r t hq) | apply range_nodup | apply in_range; lia|].
            intros r' _ hne. destruct (Z.eq_dec (V q r') 0) as [|hne']; [assumption|]. exfalso. destruct (V_at q r' hq hne') as (s & _ & hw & hk).
            destruct (own_piece q r' s hq eq_refl hw hk). contradiction.
          * rewrite sum_zero; [pose proof (law_numbers laws q hq); lia|]. intros r' _. unfold V. now rewrite range_nil by lia.
        + apply sum_le. intros d hd. apply others_spec in hd. destruct hd as (_ & u0 & hu0 & hd0).
          transitivity (sum (fun ur => V (fst ur) (snd ur)) (list_prod (filter (fun u => dag S u =? d) (on_pool S p)) (range 0 t))).
          { rewrite sum_prod. apply Z.le_refl. }
          assert (hin : forall ur, In ur (list_prod (filter (fun u => dag S u =? d) (on_pool S p)) (range 0 t)) -> In (fst ur) (on_pool S p) /\ dag S (fst ur) = d).
          { intros (u, r') hur. apply in_prod_iff in hur. destruct hur as (hu & _). apply filter_In in hu. now rewrite Z.eqb_eq in hu. }
          apply sum_at_most_one.
          * intros (x1, x2) (y1, y2). destruct (Z.eq_dec x1 y1), (Z.eq_dec x2 y2); [left | right | right | right]; congruence.
          * apply nodup_prod; [apply NoDup_filter, NoDup_filter, (wf_nodup wf) | apply range_nodup].
          * specialize (htheta u0 hu0). rewrite hd0 in htheta. apply in_on_pool in hu0. pose proof (law_numbers laws u0 ltac:(tauto)). lia.
          * intros (u, r') hur. destruct (hin _ hur) as (hu & <-). cbn [fst snd]. etransitivity; [|now apply htheta].
            pose proof hu as hu'. apply in_on_pool in hu'. etransitivity; [|apply (law_vol laws u r' r t); tauto]. apply sum_le. intros s _.
            pose proof (law_work laws u r' s ltac:(tauto)). pose proof (ind_range (waits g q r s)). nia.
          * intros (u1, r1) (u2, r2) h1 h2 n1 n2. destruct (hin _ h1) as (hu1 & e1), (hin _ h2) as (hu2 & e2). cbn [fst snd] in *.
            pose proof hu1 as hn1. pose proof hu2 as hn2. apply in_on_pool in hn1, hn2.
            destruct (V_at u1 r1 ltac:(tauto) n1) as (s1 & _ & hw1 & hk1), (V_at u2 r2 ltac:(tauto) n2) as (s2 & _ & hw2 & hk2).
            destruct (one_ahead hfifo u1 r1 s1 u2 r2 s2 hu1 hu2 ltac:(congruence) hw1 hk1 hw2 hk2). congruence.
      - intros u hu hd hne. apply sum_zero. intros r' _. destruct (Z.eq_dec (V u r') 0) as [|hne']; [assumption|]. exfalso.
        apply in_on_pool in hu. destruct (V_at u r' ltac:(tauto) hne') as (s & _ & hw & hk). destruct (own_piece u r' s ltac:(tauto) hd hw hk). contradiction.
    Qed.

    (* No more threads than processors. *)
    Lemma never_waits s : of_processors S a p -> Z.of_nat (length (threads_on S p)) <= cap a p -> waits g q r s = false.
    Proof.
      intros hproc hlen. destruct (waits g q r s) eqn:hw; [exfalso | reflexivity]. pose proof (law_rate laws q r s hq hw) as hra. fold p in hra.
      pose proof (law_waits laws q r s hq hw) as hpq. pose proof (pending_released S h lg q r s hpq) as (_ & hrs).
      assert (hone : forall u r', In u (on_pool S p) -> 0 <= work g u r' s <= 1).
      { intros u r' hu. destruct (hproc u hu) as (hvol & _). apply in_on_pool in hu. destruct hu as (hun & _). pose proof (law_work laws u r' s hun). split; [assumption|].
        pose proof (law_width laws u r' s hun) as hwd. rewrite hvol in hwd. pose proof (law_numbers laws u hun) as (he & _ & hz).
        destruct (Z.eq_dec (exec a u) 0) as [e0|]; [|nia]. rewrite (no_work_if_empty _ S h g a laws u r' s hun (hz e0)). lia. }
      assert (hqon : In q (on_pool S p)) by now apply in_on_pool.
      assert (hself : work g q r s = 0).
      { pose proof (law_last laws q r s (s + 1) hq) as hl. rewrite range_one in hl. cbn [sum] in hl. rewrite hw in hl. cbn [ind] in hl.
        destruct (hproc q hqon) as (e1 & e2). specialize (hone q r hqon). lia. }
      assert (hzero : forall u r', In u (on_pool S p) -> dag S u = dag S q -> work g u r' s = 0).
      { intros u r' hu hd. specialize (hone u r' hu). destruct (Z.eq_dec (work g u r' s) 0) as [|hne]; [assumption|]. apply in_on_pool in hu.
        destruct (own_piece u r' s ltac:(tauto) hd hw ltac:(lia)) as (-> & ->). exact hself. }
      unfold rate in hra. rewrite (by_threads (fun u => sum (fun r' => work g u r' s) (range 0 (s + 1)))) in hra
        by (intros u hu hd _; apply sum_zero; intros; now apply hzero).
      rewrite (sum_zero (fun r' => work g q r' s)) in hra by (intros; now apply hzero).
      assert (hle : sum (fun d => sum (fun u => sum (fun r' => work g u r' s) (range 0 (s + 1))) (filter (fun u => dag S u =? d) (on_pool S p))) (others_on S q)
                <= sum (fun _ => 1) (others_on S q)).
      { apply sum_le. intros d _.
        transitivity (sum (fun ur => work g (fst ur) (snd ur) s) (list_prod (filter (fun u => dag S u =? d) (on_pool S p)) (range 0 (s + 1)))).
        { rewrite sum_prod. apply Z.le_refl. }
        assert (hin : forall ur, In ur (list_prod (filter (fun u => dag S u =? d) (on_pool S p)) (range 0 (s + 1))) -> In (fst ur) (on_pool S p) /\ dag S (fst ur) = d).
        { intros (u, r') hur. apply in_prod_iff in hur. destruct hur as (hu & _). apply filter_In in hu. now rewrite Z.eqb_eq in hu. }
        apply sum_at_most_one.
        - intros (x1, x2) (y1, y2). destruct (Z.eq_dec x1 y1), (Z.eq_dec x2 y2); [left | right | right | right]; congruence.
        - apply nodup_prod; [apply NoDup_filter, NoDup_filter, (wf_nodup wf) | apply range_nodup].
        - lia.
        - intros (u, r') hur. destruct (hin _ hur) as (hu & _). now apply hone.
        - intros (u1, r1) (u2, r2) h1 h2 n1 n2. destruct (hin _ h1) as (hu1 & e1), (hin _ h2) as (hu2 & e2). cbn [fst snd] in *.
          pose proof (hone u1 r1 hu1). pose proof (hone u2 r2 hu2). apply in_on_pool in hu1, hu2.
          destruct (one_pending u1 r1 u2 r2 s); try tauto; [congruence | apply (law_pending laws); [tauto | lia] | apply (law_pending laws); [tauto | lia] | congruence]. }
      rewrite sum_const in hle.
      assert (hless : Z.of_nat (length (others_on S q)) + 1 <= Z.of_nat (length (threads_on S p))).
      { unfold others_on. fold p. rewrite <- sum_length. rewrite <- (Z.mul_1_l (Z.of_nat (length (threads_on S p)))), <- sum_const.
        transitivity (sum (fun d => ind (negb (d =? dag S q)) + ind (d =? dag S q)) (threads_on S p)).
        - rewrite sum_add. apply Z.add_le_mono_l. etransitivity; [|apply (sum_in (fun d => ind (d =? dag S q)) _ (dag S q))]; [| intros; apply ind_range |].
          + cbv beta. rewrite Z.eqb_refl. cbn. lia.
          + apply nodup_In, in_map. exact hqon.
        - apply sum_le. intros d _. destruct (d =? dag S q); cbn; lia. }
      lia.
    Qed.

    (* Where kernels start one after the other. *)
    Lemma waits_in_turn (hfifo : order_of S p = Fifo) theta : in_turn whole p = true -> (forall d, 0 <= theta d) ->
      (forall u, In u (on_pool S p) -> alone whole u <= theta (dag S u)) -> 0 < y -> y <= sum theta (others_on S q) + alone whole q - exec a q.
    Proof.
      intros hturn h0 htheta hy. destruct (proj2 hwhole p hturn) as (hgoes & hturns). assert (hqon : In q (on_pool S p)) by now apply in_on_pool.
      pose proof (hgoes q hqon) as hgo.
      assert (hsome : exists s1, r <= s1 < t /\ waits g q r s1 = true).
      { apply sum_pos_in in hy. destruct hy as (s & hs & hpos). rewrite in_range in hs. exists s. split; [exact hs|]. destruct (waits g q r s); [reflexivity | cbn in hpos; lia]. }
      destruct hsome as (s1 & hs1 & hw1). destruct (first_such (waits g q r) r s1 hw1 ltac:(lia)) as (rho & hrho & hwr & hfirst).
      assert (hready : ready S h q r rho = true) by (pose proof (law_waits laws q r rho hq hwr) as hp; now apply pending_spec in hp).
      (* it waits up to over, and then no more *)
      assert (hex : exists over, rho <= over <= t /\ (forall s, rho <= s < over -> waits g q r s = true) /\ forall s, over <= s < t -> waits g q r s = false).
      { destruct (existsb (fun s => negb (waits g q r s)) (range rho t)) eqn:he.
        - apply existsb_exists in he. destruct he as (s2 & hs2 & hn2). rewrite in_range in hs2.
          destruct (first_such (fun s => negb (waits g q r s)) rho s2 hn2 ltac:(lia)) as (e & he1 & he2 & he3). exists e. split; [lia|]. split.
          + intros s hs. specialize (he3 s ltac:(lia)). now apply negb_false_iff in he3.
          + intros s hs. destruct (waits g q r s) eqn:hw; [exfalso | reflexivity]. apply negb_true_iff in he2.
            pose proof (law_waits laws q r s hq hw) as hps. assert (hpe : pending S h q r e = true).
            { apply pending_spec. split; [apply (ready_stays S h lg q r rho e hready); lia|]. apply pending_spec in hps. destruct hps as (_ & hnd).
              destruct (done h q r e) eqn:hd; [|reflexivity]. rewrite (legal_done lg q r e s hd) in hnd by lia. discriminate. }
            rewrite (hgo r e s hpe he2 ltac:(lia) hps) in hw. discriminate.
        - exists t. split; [lia|]. split; [|intros; lia]. intros s hs. destruct (waits g q r s) eqn:hw; [reflexivity | exfalso].
          enough (existsb (fun s => negb (waits g q r s)) (range rho t) = true) by congruence. apply existsb_exists. exists s. now rewrite hw, in_range. }
      destruct hex as (over & hover & hin & hout).
      assert (hyo : y <= over - rho).
      { unfold y. transitivity (sum (fun s => ind ((rho <=? s) && (s <? over)) * 1) (range r t)).
        - apply sum_le. intros s hs. rewrite in_range in hs. destruct (waits g q r s) eqn:hw; cbn [ind]; [|pose proof (ind_range ((rho <=? s) && (s <? over))); lia].
          destruct (Z.leb_spec rho s) as [hge|hlt]; [|rewrite (hfirst s ltac:(lia)) in hw; discriminate].
          destruct (Z.ltb_spec s over) as [|hge']; [cbn; lia | rewrite (hout s ltac:(lia)) in hw; discriminate].
        - rewrite <- sum_filter. transitivity (sum (fun _ => 1) (range rho over)); [|rewrite sum_range_const by lia; lia].
          apply sum_incl; [apply NoDup_filter, range_nodup | | intros; lia]. intros s hs. apply filter_In in hs. rewrite !in_range in *. lia. }
      destruct (hturns q r rho over hqon hready hin) as (P & nd & hP & hsum).
      enough (sum (fun uj => alone whole (fst uj)) P <= sum theta (others_on S q)) by lia.
      assert (hfacts : forall uj, In uj P -> In (fst uj) (on_pool S p) /\ dag S (fst uj) <> dag S q /\ exists s, waits g q r s = true /\ 0 < work g (fst uj) (snd uj) s).
      { intros (u, j) huj. destruct (hP u j huj) as (h1 & h2 & s & hs & hk). cbn [fst snd]. split; [exact h1|]. split; [|exists s; split; [apply hin; lia | exact hk]].
        intros hd. apply in_on_pool in h1. destruct (own_piece u j s ltac:(tauto) hd (hin s ltac:(lia)) hk). apply h2. congruence. }
      transitivity (sum theta (map (fun uj => dag S (fst uj)) P)).
      - rewrite sum_map. apply sum_le. intros uj huj. destruct (hfacts uj huj) as (h1 & _). now apply htheta.
      - apply sum_incl; [| |intros; apply h0].
        + assert (hinj : forall x z, In x P -> In z P -> dag S (fst x) = dag S (fst z) -> x = z).
          { intros (u1, j1) (u2, j2) h1 h2 hd. destruct (hfacts _ h1) as (hu1 & _ & s2 & hw2 & hk2), (hfacts _ h2) as (hu2 & _ & s3 & hw3 & hk3). cbn [fst snd] in *.
            destruct (one_ahead hfifo u1 j1 s2 u2 j2 s3); auto. congruence. }
          clear hP hfacts hsum. induction P as [|x P IH]; cbn [map]; [constructor|]. inversion nd; subst. constructor.
          * intros hx. apply in_map_iff in hx. destruct hx as (z & e & hz). assert (z = x) by (apply hinj; [now right | now left | exact e]). now subst z.
          * apply IH; [assumption|]. intros x1 z1 h1 h2. apply hinj; now right.
        + intros d hd. apply in_map_iff in hd. destruct hd as (uj & <- & huj). destruct (hfacts uj huj) as (h1 & h2 & _). apply others_spec. eauto.
    Qed.

    Theorem waits_no_longer M W : 0 < M -> queued S a whole M q W -> M * y <= W.
    Proof.
      intros hM [share theta hf hs htheta hle | hproc hlen h0 | theta hf hturn h0 htheta hW hle].
      - pose proof (waits_behind hf theta htheta). pose proof (law_cap laws q hq) as (hc & _). change (0 < cap a p) in hc. change (share * cap a p = M) in hs.
        assert (0 < share) by nia. nia.
      - enough (y = 0) by nia. apply sum_zero. intros s _. now rewrite never_waits.
      - assert (hy0 : 0 <= y) by (apply sum_nonneg; intros; apply ind_range). destruct (Z.eq_dec y 0) as [->|]; [lia|].
        pose proof (waits_in_turn hf theta hturn h0 htheta ltac:(lia)). nia.
    Qed.
  End Queue.

  (** (a) A job ends within H from the instant at which its thread takes it, and the pieces up to v within what they and their queues take. *)
  Context (M : Z) (hM : 0 < M) (W : node -> Z) (hW : forall q, In q (nodes S) -> queued S a whole M q (W q)).

  Lemma time_in_pieces v s t : In v (nodes S) -> released h (dag S v) s = true -> s <= t -> done h v s t = false ->
    exists l, path S l v /\ M * (t + 1 - s) <= sum (fun y => M * sum (fun z => ind (executes S h g s y z)) (range s (t + 1)) + W y) l.
  Proof.
    intros hv hs ht hnd.
    destruct (late_path_on S h wf lg v s (t - s) hv hs ltac:(lia) ltac:(now replace (s + (t - s)) with t by ring)) as (l0 & x & l & hl0 & hx & cover & hl & hincl).
    exists l. split; [exact hl|].
    assert (hsum : sum (fun _ => 1) (range s (t + 1)) <= sum (fun z => sum (fun y => ind (executes S h g s y z) + ind (waits g y s z)) l) (range s (t + 1))).
    { apply sum_le. intros z hz. rewrite in_range in hz. destruct (cover z ltac:(lia)) as (y & hy & hp). specialize (hincl y hy).
      etransitivity; [|apply (sum_in (fun y => ind (executes S h g s y z) + ind (waits g y s z)) l y); [|exact hincl]].
      - cbv beta. unfold executes. rewrite hp. destruct (waits g y s z); cbn; lia.
      - intros y' _. pose proof (ind_range (executes S h g s y' z)). pose proof (ind_range (waits g y' s z)). lia. }
    rewrite sum_range_const, sum_exchange in hsum by lia.
    transitivity (M * sum (fun y => sum (fun z => ind (executes S h g s y z) + ind (waits g y s z)) (range s (t + 1))) l); [nia|].
    rewrite <- sum_scale. apply sum_le. intros y hy. rewrite sum_add. destruct (path_nodes S l v wf hv hl y hy) as (hyn & hyd).
    rewrite Z.mul_add_distr_l. apply Z.add_le_mono_l.
    apply (waits_no_longer y s (t + 1)); auto. now rewrite hyd.
  Qed.

  Theorem held_at_most v s H : In v (nodes S) -> released h (dag S v) s = true -> 0 <= H ->
    (forall l, path S l v -> sum (fun y => M * exec a y + W y) l <= M * H) -> done h v s (s + H) = true.
  Proof.
    intros hv hs hH hle. destruct (done h v s (s + H)) eqn:hd; [reflexivity | exfalso].
    destruct (time_in_pieces v s (s + H) hv hs ltac:(lia) hd) as (l & hl & hsum). specialize (hle l hl). replace (s + H + 1 - s) with (H + 1) in hsum by ring.
    enough (sum (fun y => M * sum (fun z => ind (executes S h g s y z)) (range s (s + H + 1)) + W y) l <= sum (fun y => M * exec a y + W y) l) by nia.
    apply sum_le. intros y hy. destruct (path_nodes S l v wf hv hl y hy) as (hyn & _). pose proof (law_exec laws y s s (s + H + 1) hyn) as he.
    change (sum (fun z => ind (executes S h g s y z)) (range s (s + H + 1)) <= exec a y) in he. nia.
  Qed.

  (** What comes first in a run has ended before the run has: it executes for x. *)
  Theorem part_held v s H x : In v (nodes S) -> released h (dag S v) s = true -> 0 <= H ->
    (forall l, path S l v -> sum (fun y => M * exec a y + W y) l - M * (exec a v - x) <= M * H) ->
    done h v s (s + H) = true \/ x <= sum (fun z => ind (executes S h g s v z)) (range s (s + H)).
  Proof.
    intros hv hs hH hle. destruct (done h v s (s + H)) eqn:hd; [now left | right].
    destruct (time_in_pieces v s (s + H) hv hs ltac:(lia) hd) as (l & hl & hsum). specialize (hle l hl). replace (s + H + 1 - s) with (H + 1) in hsum by ring.
    destruct (Z_le_gt_dec x (sum (fun z => ind (executes S h g s v z)) (range s (s + H)))) as [|hgt]; [assumption | exfalso].
    assert (hone : sum (fun z => ind (executes S h g s v z)) (range s (s + H + 1)) <= x).
    { rewrite (sum_range_split _ s (s + H) (s + H + 1)), range_one by lia. cbn [sum]. pose proof (ind_range (executes S h g s v (s + H))). lia. }
    pose proof (path_nodup S l v wf hv hl) as nd. pose proof (path_last S l v hl) as hin.
    set (G := fun y => M * sum (fun z => ind (executes S h g s y z)) (range s (s + H + 1)) + W y). change (M * (H + 1) <= sum G l) in hsum.
    enough (sum G l + M * (exec a v - x) <= sum (fun y => M * exec a y + W y) l) by nia.
    transitivity (sum (fun y => G y + ind (y =? v) * (M * (exec a v - x))) l).
    - rewrite (sum_add G). apply Z.add_le_mono_l.
      rewrite (sum_unique (fun y => ind (y =? v) * (M * (exec a v - x))) l v nd hin) by (intros b _ hne; rewrite (proj2 (Z.eqb_neq b v) hne); cbn [ind]; lia).
      rewrite Z.eqb_refl. cbn [ind]. lia.
    - apply sum_le. intros y hy. destruct (path_nodes S l v wf hv hl y hy) as (hyn & _). pose proof (law_exec laws y s s (s + H + 1) hyn) as he.
      change (sum (fun z => ind (executes S h g s y z)) (range s (s + H + 1)) <= exec a y) in he. unfold G.
      destruct (Z.eqb_spec y v) as [->|]; cbn [ind]; nia.
  Qed.
End Hold.
