(** One visit to a FIFO: while a node waits there from an instant on at which it is ready, only what was ready by then goes before it, one node of
    each chain of each job. T23, T10f. docs/theory/path.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w path.Started path.Relay.

(** What is known of pools beside the laws: on some what runs goes on until it has ended; on some kernels start one after the other, and u takes no
    longer than [alone u] where nothing else is there. *)
Record rules := { keeps_going :> Z -> bool; in_turn : Z -> bool; alone : node -> Z }.

(** What (u, j) does while q waits for y: V u j. Jobs have their ages at that instant, q's own between lo and hi. *)
Record visit (S : system) (a : accounts) (whole : rules) (F : node -> Z) (v q : node) (lo hi k y : Z)
    (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (V : node -> Z -> Z) : Prop := {
  vi_jobs : forall d, In d (dag S v :: other_dags S v) -> NoDup (jobs d) /\
    forall i j, In i (jobs d) -> In j (jobs d) -> i <> j -> age i + k * period S d <= age j \/ age j + k * period S d <= age i;
  vi_own : In j0 (jobs (dag S v)) /\ k * lo <= age j0 <= k * hi;
  vi_volume : forall u j, In u (on_pool S (pool S q)) -> In j (jobs (dag S u)) -> 0 <= V u j <= k * vol a u;
  vi_ready : forall u j, In u (on_pool S (pool S q)) -> In j (jobs (dag S u)) -> V u j <> 0 ->
    0 <= age j < k * F u /\ exec a u * V u j <= Z.min (k * F u - age j) y * vol a u;
  vi_one : forall d c u1 u2 j, In d (dag S v :: other_dags S v) -> chain S c -> (forall u, In u c -> In u (dag_here S d (pool S q))) ->
    In u1 c -> In u2 c -> In j (jobs d) -> V u1 j <> 0 -> V u2 j <> 0 -> u1 = u2;
  vi_beside : forall u, In u (dag_here S (dag S v) (pool S q)) -> V u j0 <> 0 -> u = q \/ beside S q u;
  vi_self : V q j0 <= k * (vol a q - last a q) /\ exec a q * V q j0 <= y * (vol a q - last a q);
  vi_rate : cap a (pool S q) * y <= in_all S v (pool S q) jobs V;
  (* where pieces run to their end, one processor each: of all pieces P but some few of them run one after the other all the time *)
  vi_relay : whole (pool S q) = true -> exists P : list (node * Z), NoDup P /\
    (forall u j, In (u, j) P <-> In u (on_pool S (pool S q)) /\ In j (jobs (dag S u)) /\ V u j <> 0) /\
    forall keep, let others := Z.of_nat (length P) - Z.of_nat (length (filter keep P)) in others < cap a (pool S q) ->
      exists D, NoDup D /\ incl D (filter keep P) /\ (cap a (pool S q) - others) * Z.of_nat (length D) <= Z.of_nat (length (filter keep P)) /\
        y <= sum (fun uj => V (fst uj) (snd uj)) D;
  (* where kernels start one after the other: those before it take no longer than each alone, and it starts in full before its last block's time *)
  vi_turns : in_turn whole (pool S q) = true -> exists P : list (node * Z), NoDup P /\
    (forall u j, In (u, j) P -> In u (on_pool S (pool S q)) /\ In j (jobs (dag S u)) /\ V u j <> 0 /\ (u, j) <> (q, j0)) /\
    y <= k * (sum (fun uj => alone whole (fst uj)) P + (alone whole q - exec a q));
}.

Arguments vi_jobs {S a whole F v q lo hi k y jobs age j0 V}.
Arguments vi_own {S a whole F v q lo hi k y jobs age j0 V}.
Arguments vi_volume {S a whole F v q lo hi k y jobs age j0 V}.
Arguments vi_ready {S a whole F v q lo hi k y jobs age j0 V}.
Arguments vi_one {S a whole F v q lo hi k y jobs age j0 V}.
Arguments vi_beside {S a whole F v q lo hi k y jobs age j0 V}.
Arguments vi_self {S a whole F v q lo hi k y jobs age j0 V}.
Arguments vi_rate {S a whole F v q lo hi k y jobs age j0 V}.
Arguments vi_relay {S a whole F v q lo hi k y jobs age j0 V}.
Arguments vi_turns {S a whole F v q lo hi k y jobs age j0 V}.

(** On such a pool of processors what runs goes on until it has ended, and what has started does not wait again. *)
Definition runs_whole (S : system) (h : history) (g : progress) (a : accounts) (p : Z) : Prop := of_processors S a p /\ forall u, In u (on_pool S p) ->
  goes_on S h g u /\ forall r s s', 0 < work g u r s -> s <= s' -> pending S h u r s' = true -> 0 < work g u r s'.

(** There nothing starts twice, and while q waits, from an instant on at which it is ready, others that are worked on take no longer than each alone. *)
Definition runs_in_turn (S : system) (h : history) (g : progress) (a : accounts) (alone : node -> Z) (p : Z) : Prop :=
  (forall u, In u (on_pool S p) -> goes_on S h g u) /\
  forall q r rho over, In q (on_pool S p) -> ready S h q r rho = true -> (forall s, rho <= s < over -> waits g q r s = true) ->
    exists P : list (node * Z), NoDup P /\
      (forall u j, In (u, j) P -> In u (on_pool S p) /\ (u, j) <> (q, r) /\ exists s, rho <= s < over /\ 0 < work g u j s) /\
      over - rho <= sum (fun uj => alone (fst uj)) P + (alone q - exec a q).

(** All of it. *)
Definition rules_hold (S : system) (h : history) (g : progress) (a : accounts) (whole : rules) : Prop :=
  (forall p, whole p = true -> runs_whole S h g a p) /\ forall p, in_turn whole p = true -> runs_in_turn S h g a (alone whole) p.

Section Schedule.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a).
  Context (busy : node -> Z -> Z -> bool) (hbusy : busy_holds S h g a busy).
  Context (whole : rules) (hrules : rules_hold S h g a whole).
  Context (F : node -> Z) (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true) (met : met_before S h F v r).
  Let t := r + F v.
  Context (F0 : 0 <= F v).

  Context (q : node) (hq : In q (nodes S)) (hqd : dag S q = dag S v) (hfifo : order_of S (pool S q) = Fifo).
  Context (rho lo hi : Z) (hready : ready S h q r rho = true) (hrho : lo <= rho - r <= hi).
  Let p := pool S q.

  Definition visited_at (s : Z) : bool := (rho <=? s) && waits g q r s.
  Definition ahead_of (u r' : Z) : Z := seen_work g r t (fun _ _ s => visited_at s) u r'.
  Definition visit_length : Z := sum (fun s => ind (visited_at s)) (range r t).
  Let V := ahead_of.
  Let y := visit_length.
  Let jobs := jobs_by h t.

  Lemma rho_after : r <= rho.
  Proof. apply ready_spec in hready. lia. Qed.

  Lemma q_on : In q (on_pool S p).
  Proof. apply in_on_pool. auto. Qed.

  Lemma ahead_nonneg u j : In u (nodes S) -> 0 <= V u j.
  Proof. intros hu. now apply (seen_work_nonneg S h g a laws). Qed.

  (** What goes before it was ready by then, and has not ended. *)
  Lemma ahead_at u j : In u (on_pool S p) -> V u j <> 0 -> exists s, rho <= s < t /\ waits g q r s = true /\ 0 < work g u j s /\ pending S h u j s = true /\
    s < j + F u /\ released h (dag S u) j = true /\ 0 <= j /\ pending S h u j rho = true.
  Proof.
    intros hu hne. pose proof rho_after as hr0. apply in_on_pool in hu. destruct hu as (hun & hup).
    destruct (seen_at S h g a laws r t _ u j hun hne) as (s & hs & hsee & hwk). unfold visited_at in hsee. apply andb_prop in hsee. destruct hsee as (hrs & hw).
    apply Z.leb_le in hrs. destruct (in_time S h g a lg laws F v r met t ltac:(unfold t; lia) u j s hun hs hwk) as (h1 & h2 & h3 & h4).
    exists s. split; [lia|]. split; [exact hw|]. split; [exact hwk|]. split; [exact h2|]. split; [lia|]. split; [exact h3|]. split; [exact h4|].
    pose proof (law_order laws q r u j s hq hun hup hw hwk) as hb. fold p in hb. unfold p in hb. rewrite hfifo in hb. cbn [lower before] in hb.
    pose proof (hb eq_refl rho hready) as hru. apply pending_spec. split; [exact hru|]. apply pending_spec in h2. destruct h2 as (_ & hnd).
    destruct (done h u j rho) eqn:hd; [|reflexivity]. rewrite (legal_done lg u j rho s hd) in hnd by lia. discriminate.
  Qed.

  Lemma waits_all s s' : rho <= s <= s' -> waits g q r s' = true -> goes_on S h g q -> waits g q r s = true.
  Proof.
    intros hs hw hgo'. pose proof (law_waits laws q r s' hq hw) as hp'.
    destruct (waits g q r s) eqn:hws; [reflexivity|]. exfalso. assert (hp : pending S h q r s = true).
    { apply pending_spec. split; [apply (ready_stays S h lg q r rho s hready); lia|]. apply pending_spec in hp'. destruct hp' as (_ & hnd).
      destruct (done h q r s) eqn:hd; [|reflexivity]. rewrite (legal_done lg q r s s' hd) in hnd by lia. discriminate. }
    rewrite (hgo' r s s' hp hws ltac:(lia) hp') in hw. discriminate.
  Qed.

  (* The ticks of the visit, where nothing starts twice: from rho to [over]. *)
  Lemma visit_is_interval : goes_on S h g q -> exists over, rho <= over /\ (over <= t \/ over = rho) /\
    (forall s, r <= s < t -> visited_at s = ((rho <=? s) && (s <? over))) /\ y <= over - rho.
  Proof.
    intros hwh. pose proof rho_after as hr0.
    assert (hex : exists over, rho <= over /\ (over <= t \/ over = rho) /\ forall s, r <= s < t -> visited_at s = ((rho <=? s) && (s <? over))).
    { destruct (existsb (fun s => negb (waits g q r s)) (range rho t)) eqn:he.
      - apply existsb_exists in he. destruct he as (s1 & hs1 & hn1). rewrite in_range in hs1.
        destruct (first_such (fun s => negb (waits g q r s)) rho s1 hn1 ltac:(lia)) as (e & he1 & he2 & he3). exists e. split; [lia|]. split; [left; lia|].
        intros s hs. unfold visited_at. destruct (Z.leb_spec rho s); cbn [andb]; [|reflexivity]. destruct (Z.ltb_spec s e) as [hlt|hge].
        + specialize (he3 s ltac:(lia)). now apply negb_false_iff in he3.
        + destruct (waits g q r s) eqn:hw; [|reflexivity]. apply negb_true_iff in he2. rewrite (waits_all e s ltac:(lia) hw hwh) in he2. discriminate.
      - exists (Z.max rho t). split; [lia|]. split; [lia|]. intros s hs. unfold visited_at. destruct (Z.leb_spec rho s); cbn [andb]; [|reflexivity].
        rewrite (proj2 (Z.ltb_lt s (Z.max rho t))) by lia. destruct (waits g q r s) eqn:hw; [reflexivity|]. exfalso.
        enough (existsb (fun s => negb (waits g q r s)) (range rho t) = true) by congruence. apply existsb_exists. exists s. rewrite hw, in_range. split; [lia | reflexivity]. }
    destruct hex as (over & h1 & h2 & h3). exists over. split; [exact h1|]. split; [exact h2|]. split; [exact h3|].
    unfold y, visit_length. transitivity (sum (fun s => ind ((rho <=? s) && (s <? over)) * 1) (range r t)).
    - apply sum_le. intros s hs. rewrite in_range in hs. rewrite (h3 s hs). lia.
    - rewrite <- sum_filter. transitivity (sum (fun _ => 1) (range rho over)); [|rewrite sum_range_const by lia; lia].
      apply sum_incl; [apply NoDup_filter, range_nodup | | intros; lia]. intros s hs. apply filter_In in hs. rewrite !in_range in *. lia.
  Qed.

  Lemma dag_in u : In u (on_pool S p) -> In (dag S u) (dag S v :: other_dags S v).
  Proof.
    intros hu. apply in_on_pool in hu. destruct hu as (hun & _). destruct (Z.eq_dec (dag S u) (dag S v)) as [->|hne]; [now left|]. right.
    apply filter_In. split; [apply nodup_In; now apply in_map | now apply negb_true_iff, Z.eqb_neq].
  Qed.

  Theorem visit_holds : visit S a whole F v q lo hi 1 y jobs (fun j => rho - j) r V.
  Proof.
    pose proof rho_after as hr0. pose proof (legal_start lg _ _ hr) as hr1. pose proof q_on as hqp.
    assert (hjobs : forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> released h (dag S u) j = true) by (intros u j _ hj; now apply filter_In in hj).
    constructor; fold p.
    - intros d hd. destruct (other_jobs_sporadic S h wf lg v hv d hd) as (hsp & _). split; [apply NoDup_filter, range_nodup|].
      intros i j h1 h2 hne. apply filter_In in h1, h2. destruct h1 as (_ & h1), h2 as (_ & h2).
      destruct (Z.lt_trichotomy i j) as [hlt|[|hlt]]; [right | contradiction | left];
        [specialize (hsp i j h1 h2 hlt) | specialize (hsp j i h2 h1 hlt)]; cbv beta; lia.
    - split; [|lia]. apply filter_In. split; [apply in_range; unfold t; lia | exact hr].
    - intros u j hu _. apply in_on_pool in hu. destruct hu as (hun & _). rewrite Z.mul_1_l. split; [now apply ahead_nonneg|].
      etransitivity; [|apply (law_vol laws u j r t hun)]. apply sum_le. intros s _. pose proof (law_work laws u j s hun). pose proof (ind_range (visited_at s)). nia.
    - intros u j hu _ hne. destruct (ahead_at u j hu hne) as (s & h1 & h2 & h3 & h4 & h5 & h6 & h7 & h8).
      pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). pose proof (pending_released S h lg u j rho h8) as (_ & h9). split; [lia|].
      pose proof (law_numbers laws u hun) as (he & hvol & _).
      assert (e1 : exec a u * V u j <= y * vol a u).
      { unfold V, ahead_of, seen_work, y, visit_length. rewrite <- sum_scale, <- sum_scale_r. apply sum_le. intros s' _. pose proof (law_width laws u j s' hun).
        destruct (visited_at s'); cbn [ind]; lia. }
      assert (e2 : exec a u * V u j <= (j + F u - rho) * vol a u).
      { unfold V, ahead_of, seen_work. rewrite <- sum_scale.
        transitivity (sum (fun s' => ind ((rho <=? s') && (s' <? j + F u)) * vol a u) (range r t)).
        - apply sum_le. intros s' hs'. rewrite in_range in hs'. pose proof (law_width laws u j s' hun) as hwid. pose proof (law_work laws u j s' hun) as hwk.
          unfold visited_at. destruct (Z.leb_spec rho s'); cbn [andb ind]; [|lia]. destruct (waits g q r s'); cbn [ind]; [|pose proof (ind_range (s' <? j + F u)); nia].
          destruct (Z.ltb_spec s' (j + F u)); cbn [ind]; [lia|]. destruct (Z.eq_dec (work g u j s') 0) as [->|hnz]; [lia|]. exfalso.
          destruct (in_time S h g a lg laws F v r met t ltac:(unfold t; lia) u j s' hun hs' ltac:(lia)) as (h10 & _). lia.
        - rewrite <- (sum_filter (fun s' => (rho <=? s') && (s' <? j + F u)) (fun _ => vol a u)).
          replace ((j + F u - rho) * vol a u) with (sum (fun _ => vol a u) (range rho (j + F u))) by (rewrite sum_range_const by lia; ring).
          apply sum_incl; [apply NoDup_filter, range_nodup | | intros; lia]. intros s' hs'. apply filter_In in hs'. rewrite !in_range in *. lia. }
      rewrite Z.mul_1_l. replace (F u - (rho - j)) with (j + F u - rho) by ring. nia.
    - intros d c u1 u2 j hd (ndc & hcmp) hin h1 h2 hj n1 n2. assert (hon : forall u, In u c -> In u (on_pool S p)) by (intros u hu; specialize (hin u hu); apply in_dag_here in hin; apply in_on_pool; tauto).
      destruct (ahead_at u1 j (hon u1 h1) n1) as (_ & _ & _ & _ & _ & _ & _ & _ & p1). destruct (ahead_at u2 j (hon u2 h2) n2) as (_ & _ & _ & _ & _ & _ & _ & _ & p2).
      apply (pending_alone S h lg u1 u2 j rho); auto.
    - intros u hu hne. destruct (Z.eq_dec u q) as [|huq]; [now left|]. right. apply in_dag_here in hu. destruct hu as (hun & _ & hup).
      destruct (ahead_at u r ltac:(now apply in_on_pool) hne) as (s & _ & hw & _ & hpu & _). pose proof (law_waits laws q r s hq hw) as hpq.
      assert (hno : forall z1 z2, ancestor S z1 z2 -> pending S h z1 r s = true -> pending S h z2 r s = true -> In z2 (nodes S) -> False).
      { intros z1 z2 ha h1 h2 hz. assert (z1 = z2) as -> by (apply (pending_alone S h lg z1 z2 r s); auto).
        destruct (ancestor_facts S z2 z2 wf hz ha) as (_ & _ & ?). lia. }
      split; [exact huq|]. split; [intros ha; eauto|]. split; [intros ha; eauto|]. fold p. unfold p. rewrite hfifo. reflexivity.
    - rewrite Z.mul_1_l. split.
      + etransitivity; [|apply (law_last laws q r r t hq)]. apply sum_le. intros s _. pose proof (law_work laws q r s hq). unfold visited_at.
        destruct (rho <=? s), (waits g q r s); cbn [andb ind]; lia.
      + unfold V, ahead_of, seen_work, y, visit_length. rewrite <- sum_scale, <- sum_scale_r. apply sum_le. intros s _. unfold visited_at.
        destruct (rho <=? s); cbn [andb ind]; [|lia]. destruct (waits g q r s) eqn:hw; cbn [ind]; [|lia]. pose proof (busy_short hbusy q r s hq hw). lia.
    - unfold jobs. rewrite <- (by_dags S h v p t V hv).
      + unfold y, visit_length, V, ahead_of, seen_work. rewrite <- sum_scale.
        transitivity (sum (fun s => sum (fun u => sum (fun r' => ind (visited_at s) * work g u r' s) (range 0 (t + 1))) (on_pool S p)) (range r t)).
        * apply sum_le. intros s hs. rewrite in_range in hs. unfold visited_at. destruct (rho <=? s); cbn [andb ind]; [|rewrite Z.mul_0_r; apply sum_nonneg; intros; apply sum_nonneg; intros; lia].
          destruct (waits g q r s) eqn:hw; cbn [ind]; [|rewrite Z.mul_0_r; apply sum_nonneg; intros; apply sum_nonneg; intros; lia].
          pose proof (law_rate laws q r s hq hw) as hra. fold p in hra. rewrite Z.mul_1_r. etransitivity; [exact hra|]. unfold rate. apply sum_le. intros u hu.
          apply in_on_pool in hu. rewrite (sum_eq (fun r0 => 1 * work g u r0 s) (fun r0 => work g u r0 s)) by (intros; lia).
          apply sum_range_incl; [intros; apply (law_work laws); tauto | lia | lia].
        * apply Z.eq_le_incl. rewrite sum_exchange. apply sum_eq. intros u _. apply (sum_exchange (fun s r' => ind (visited_at s) * work g u r' s)).
      + intros u j hu hne. now destruct (ahead_at u j hu hne) as (_ & _ & _ & _ & _ & _ & h6 & _).
    - intros hwh. destruct (proj1 hrules p hwh) as (hproc & hruns). destruct (visit_is_interval (proj1 (hruns q q_on))) as (over & o1 & o2 & o3 & o4).
      set (P := filter (fun uj : node * Z => negb (V (fst uj) (snd uj) =? 0)) (flat_map (fun u => map (fun j => (u, j)) (jobs (dag S u))) (on_pool S p))).
      assert (hP : forall u j, In (u, j) P <-> In u (on_pool S p) /\ In j (jobs (dag S u)) /\ V u j <> 0).
      { intros u j. unfold P. rewrite filter_In, in_flat_map. cbn [fst snd]. rewrite negb_true_iff, Z.eqb_neq. split.
        - intros ((u' & h1 & h2) & h3). apply in_map_iff in h2. destruct h2 as (j' & [= <- <-] & h2). auto.
        - intros (h1 & h2 & h3). split; [|exact h3]. exists u. split; [exact h1|]. apply in_map_iff. eauto. }
      assert (ndP : NoDup P).
      { apply NoDup_filter. assert (nd : NoDup (on_pool S p)) by (apply NoDup_filter, (wf_nodup wf)). clear -nd.
        induction (on_pool S p) as [|u us IH]; cbn [flat_map]; [constructor|]. inversion nd; subst. apply nodup_app.
        - apply FinFun.Injective_map_NoDup; [intros i j e; now injection e|]. apply NoDup_filter, range_nodup.
        - now apply IH.
        - intros (u', j) h1 h2. apply in_map_iff in h1. destruct h1 as (j' & [= <- <-] & _). apply in_flat_map in h2. destruct h2 as (u2 & h3 & h4).
          apply in_map_iff in h4. destruct h4 as (j2 & [= <- <-] & _). contradiction. }
      exists P. split; [exact ndP|]. split; [exact hP|]. intros keep others hfew. set (run := fun (uj : node * Z) s => 0 <? work g (fst uj) (snd uj) s).
      assert (hone : forall u j s, In u (on_pool S p) -> 0 <= work g u j s <= 1).
      { intros u j s hu. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). pose proof (law_work laws u j s hun). pose proof (law_width laws u j s hun) as hwid.
        destruct (hproc u hu) as (hvol & _). rewrite hvol in hwid. pose proof (law_numbers laws u hun) as (he & _ & hz).
        destruct (Z.eq_dec (exec a u) 0) as [e0|]; [|nia]. rewrite (no_work_if_empty _ S h g a laws u j s hun (hz e0)). lia. }
      destruct (relay run (cap a p - others) ltac:(lia) (filter keep P) rho over) as (D & d1 & d2 & d3 & d4).
      + now apply NoDup_filter.
      + intros (u, j) s s' s'' hc h1 h2 h3 h4 h5. unfold run in *. cbn [fst snd] in *. apply Z.ltb_lt in h4, h5. apply Z.ltb_lt.
        apply filter_In in hc. destruct hc as (hc & _). apply hP in hc. destruct hc as (hu & _). destruct (hruns u hu) as (_ & hgo).
        pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). pose proof (law_pending laws u j s hun h4) as p1. pose proof (law_pending laws u j s'' hun h5) as p2.
        apply (hgo j s s' h4 ltac:(lia)). apply pending_spec in p1, p2. apply pending_spec. split; [apply (ready_stays S h lg u j s s'); [tauto | lia]|].
        destruct (done h u j s') eqn:hd; [|reflexivity]. rewrite (legal_done lg u j s' s'' hd) in p2 by lia. now destruct p2.
      + intros s hs. assert (hst : r <= s < t) by (destruct o2; lia).
        pose proof (o3 s hst) as hv1. rewrite (proj2 (Z.leb_le rho s)), (proj2 (Z.ltb_lt s over)) in hv1 by lia. cbn [andb] in hv1.
        unfold visited_at in hv1. apply andb_prop in hv1. destruct hv1 as (hrs & hw).
        assert (hcount : cap a p <= Z.of_nat (length (filter (fun c => run c s) P))).
        { etransitivity; [apply (law_rate laws q r s hq hw)|]. fold p. unfold rate. rewrite <- sum_length.
          transitivity (sum (fun uj : node * Z => work g (fst uj) (snd uj) s) (list_prod (on_pool S p) (range 0 (s + 1)))).
          - rewrite sum_prod. cbn [fst snd]. lia.
          - transitivity (sum (fun uj : node * Z => ind (run uj s)) (filter (fun uj => run uj s) (list_prod (on_pool S p) (range 0 (s + 1))))).
            + rewrite sum_filter. apply sum_le. intros (u, j) hin. apply in_prod_iff in hin. cbn [fst snd]. pose proof (hone u j s ltac:(tauto)).
              unfold run. cbn [fst snd]. destruct (Z.ltb_spec 0 (work g u j s)); cbn [ind]; lia.
            + apply sum_incl; [apply NoDup_filter, nodup_prod; [apply NoDup_filter, (wf_nodup wf) | apply range_nodup] | | intros; apply ind_range].
              intros (u, j) hin. apply filter_In in hin. destruct hin as (hin & hrun). apply in_prod_iff in hin. destruct hin as (hu & _).
              pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). unfold run in hrun. cbn [fst snd] in hrun. apply Z.ltb_lt in hrun.
              destruct (in_time S h g a lg laws F v r met t ltac:(unfold t; lia) u j s hun hst hrun) as (h1 & _ & h3 & h4). apply hP. split; [exact hu|].
              split; [apply filter_In; split; [apply in_range; lia | exact h3]|].
              enough (ind (visited_at s) * work g u j s <= V u j) by (unfold visited_at in *; rewrite hrs, hw in *; cbn [andb ind] in *; lia).
              unfold V, ahead_of, seen_work. apply (sum_in (fun s => ind (visited_at s) * work g u j s)); [|now apply in_range]. intros s' _.
              pose proof (law_work laws u j s' hun). pose proof (ind_range (visited_at s')). nia. }
        assert (hsplit : Z.of_nat (length (filter (fun c => run c s) P)) <= Z.of_nat (length (filter (fun c => run c s) (filter keep P))) + others).
        { unfold others. clear. induction P as [|c P IH]; [cbn; lia|]. cbn [filter length]. destruct (keep c), (run c s) eqn:hrc; cbn [filter length];
            rewrite ?hrc; cbn [length]; lia. }
        lia.
      + exists D. split; [exact d1|]. split; [exact d2|]. split; [exact d3|]. etransitivity; [exact o4|]. etransitivity; [exact d4|]. apply sum_le.
        intros (u, j) hin. apply d2, filter_In in hin. destruct hin as (hin & _). apply hP in hin. destruct hin as (hu & _). cbn [fst snd].
        pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). unfold V, ahead_of, seen_work.
        transitivity (sum (fun s => ind (visited_at s) * work g u j s) (filter (fun s => (rho <=? s) && (s <? over)) (range r t))).
        * transitivity (sum (fun s => ind (run (u, j) s)) (filter (fun s => (rho <=? s) && (s <? over)) (range r t))).
          -- apply sum_incl; [apply range_nodup | | intros; apply ind_range]. intros s hs. rewrite in_range in hs. apply filter_In. rewrite in_range. destruct o2; lia.
          -- apply sum_le. intros s hs. apply filter_In in hs. destruct hs as (hs & hin). rewrite in_range in hs. rewrite (o3 s hs), hin. cbn [ind].
             unfold run. cbn [fst snd]. pose proof (hone u j s hu). destruct (Z.ltb_spec 0 (work g u j s)); cbn [ind]; lia.
        * rewrite sum_filter. apply sum_le. intros s _. pose proof (law_work laws u j s hun). pose proof (ind_range (visited_at s)).
          destruct ((rho <=? s) && (s <? over)); cbn [ind]; nia.
    - intros htn. destruct (proj2 hrules p htn) as (hgo & hdrain). destruct (visit_is_interval (hgo q q_on)) as (over & o1 & o2 & o3 & o4).
      assert (hst : forall s, rho <= s < over -> r <= s < t) by (intros s hs; destruct o2; lia).
      assert (hat : forall s, rho <= s < over -> visited_at s = true).
      { intros s hs. rewrite (o3 s (hst s hs)), (proj2 (Z.leb_le rho s)), (proj2 (Z.ltb_lt s over)) by lia. reflexivity. }
      destruct (hdrain q r rho over q_on hready) as (P & ndP & hP & hlen).
      { intros s hs. specialize (hat s hs). unfold visited_at in hat. now apply andb_prop in hat. }
      exists P. split; [exact ndP|]. split; [|lia]. intros u j hin. destruct (hP u j hin) as (hu & hne & s & hs & hwk). split; [exact hu|].
      pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). pose proof (hst s hs) as hs'.
      pose proof (pending_released S h lg u j s (law_pending laws u j s hun hwk)) as (hrel & hj). split; [apply filter_In; split; [apply in_range; lia | exact hrel]|].
      split; [|exact hne]. enough (0 < V u j) by lia. eapply Z.lt_le_trans; [exact hwk|]. unfold V, ahead_of, seen_work.
      etransitivity; [|apply (sum_in (fun s => ind (visited_at s) * work g u j s) (range r t) s)]; [cbv beta; rewrite (hat s hs); cbn [ind]; lia | | now apply in_range].
      intros s' _. pose proof (law_work laws u j s' hun). pose proof (ind_range (visited_at s')). nia.
  Qed.
End Schedule.
