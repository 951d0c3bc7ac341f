(** What is done of other jobs while something waits on a pool, from a release on, for L: between their release and their end, on all processors
    at most, of each chain one node at a time. T10w, T10d. docs/theory/path.md.

    Times and work are in units of 1/k, so that nothing depends on what is a whole number. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady.

(** Pools of processors, on which each node takes e = s = vol = C. [full p] says that p is one, and no more than all of them run. *)
Definition of_processors (S : system) (a : accounts) (p : Z) : Prop := forall u, In u (on_pool S p) -> vol a u = exec a u /\ last a u = exec a u.

(** How long a job that is released x before the path's, and runs for F from its release on, is there in a window of length L. *)
Definition overlap (F L x : Z) : Z := Z.max 0 (Z.min L (F - x) - Z.max 0 (- x)).

(** Jobs d of each DAG, age j before the path's job j0, of which W u j is done of node u of pool p. *)
Record done_meanwhile (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (L p k : Z)
    (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W : node -> Z -> Z) : Prop := {
  dm_jobs : forall d, In d (dag S v :: other_dags S v) -> NoDup (jobs d) /\
    forall i j, In i (jobs d) -> In j (jobs d) -> i <> j -> age i + k * period S d <= age j \/ age j + k * period S d <= age i;
  dm_own : In j0 (jobs (dag S v)) /\ age j0 = 0;
  dm_volume : forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> 0 <= W u j <= k * vol a u;
  dm_counts : forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> W u j <> 0 ->
    age j < k * F u /\ match lim u with None => False | Some x => - age j <= k * x end;
  (* on processors: of a chain no more than fits; of any nodes of a DAG no more than fits on all processors *)
  dm_chain : full p = true -> forall c d j FU, In d (dag S v :: other_dags S v) -> chain S c ->
    (forall u, In u c -> In u (dag_here S d p) /\ F u <= FU) -> In j (jobs d) -> sum (fun u => W u j) c <= overlap (k * FU) (k * L) (age j);
  dm_whole : full p = true -> forall c d j FU, In d (dag S v :: other_dags S v) -> NoDup c ->
    (forall u, In u c -> In u (dag_here S d p) /\ F u <= FU) -> In j (jobs d) ->
    sum (fun u => W u j) c <= cap a p * overlap (k * FU) (k * L) (age j);
}.

Arguments dm_jobs {S a full F lim v L p k jobs age j0 W}.
Arguments dm_own {S a full F lim v L p k jobs age j0 W}.
Arguments dm_volume {S a full F lim v L p k jobs age j0 W}.
Arguments dm_counts {S a full F lim v L p k jobs age j0 W}.
Arguments dm_chain {S a full F lim v L p k jobs age j0 W}.
Arguments dm_whole {S a full F lim v L p k jobs age j0 W}.

(** Ticks from r to t in which a job released at r' may run, F from its release on. *)
Lemma ticks_in_overlap r t r' FU : r <= t -> sum (fun s => ind ((r' <=? s) && (s <? r' + FU))) (range r t) <= overlap FU (t - r) (r - r').
Proof.
  intros ht. rewrite <- (Z.mul_1_r (overlap FU (t - r) (r - r'))).
  rewrite (sum_eq _ (fun s => ind ((r' <=? s) && (s <? r' + FU)) * 1)) by (intros; lia). rewrite <- sum_filter.
  transitivity (sum (fun _ => 1) (range (Z.max r r') (Z.min t (r' + FU)))).
  - apply sum_incl; [apply NoDup_filter, range_nodup | | intros; lia]. intros s hs. apply filter_In in hs. rewrite in_range in *. lia.
  - rewrite sum_const, length_range. unfold overlap. lia.
Qed.

(** It is so in every schedule, from a release of v's DAG on up to b, if what is due before b was met. *)
Section Until.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a).
  Context (full : Z -> bool) (hfull : forall p, full p = true -> of_processors S a p /\ forall s, rate S g p s <= cap a p).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true).

  (* Some of the work on pool p is looked at. *)
  Context (b : Z) (hb : r <= b) (met : met_until S h F b) (p : Z) (seen : node -> Z -> Z -> bool).

  Definition seen_work (u r' : Z) : Z := sum (fun s => ind (seen u r' s) * work g u r' s) (range r b).
  Definition jobs_by (t : Z) (d : Z) : list Z := filter (released h d) (range 0 (t + 1)).

  Lemma in_time_until u r' s : In u (nodes S) -> r <= s < b -> 0 < work g u r' s ->
    r' <= s < r' + F u /\ pending S h u r' s = true /\ released h (dag S u) r' = true /\ 0 <= r'.
  Proof.
    intros hu hs hwk. pose proof (law_pending laws u r' s hu hwk) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & hr').
    split; [|now repeat split]. split; [lia|]. destruct (Z_lt_le_dec s (r' + F u)) as [|hle]; [auto|]. exfalso.
    apply pending_spec in hp. destruct hp as (_ & hnd).
    rewrite (legal_done lg u r' (r' + F u) s) in hnd; [discriminate | | lia]. apply met; auto. lia.
  Qed.

  Lemma seen_nonneg u r' s : In u (nodes S) -> 0 <= ind (seen u r' s) * work g u r' s.
  Proof. intros hu. pose proof (law_work laws u r' s hu). pose proof (ind_range (seen u r' s)). nia. Qed.

  Lemma seen_work_nonneg u r' : In u (nodes S) -> 0 <= seen_work u r'.
  Proof. intros hu. apply sum_nonneg. intros s _. now apply seen_nonneg. Qed.

  Lemma seen_at u r' : In u (nodes S) -> seen_work u r' <> 0 -> exists s, r <= s < b /\ seen u r' s = true /\ 0 < work g u r' s.
  Proof.
    intros hu hne. pose proof (seen_work_nonneg u r' hu). assert (hpos : 0 < seen_work u r') by lia. apply sum_pos_in in hpos.
    destruct hpos as (s & hs & hpos). rewrite in_range in hs. exists s. split; [exact hs|]. pose proof (law_work laws u r' s hu).
    destruct (seen u r' s); cbn [ind] in hpos; [split; [reflexivity | lia] | lia].
  Qed.

  (** Of a job what is done in ticks in which some of it is looked at, no more than C in each. *)
  Lemma ticks_of_job_until c d r' FU C (X : Z -> Z) (wait : Z -> bool) : (forall u, In u c -> In u (dag_here S d p) /\ F u <= FU) -> 0 <= C ->
    (forall s, r <= s < b -> X s <= C) -> (forall s, r <= s < b -> 0 < X s -> exists u, In u c /\ seen u r' s = true /\ 0 < work g u r' s) ->
    (forall u s, In u c -> r <= s < b -> seen u r' s = true -> wait s = true) ->
    sum X (range r b) <= C * sum (fun s => ind (wait s && ((r' <=? s) && (s <? r' + FU)))) (range r b).
  Proof.
    intros hin hC hone hsome hwait. rewrite <- sum_scale. apply sum_le. intros s hs. rewrite in_range in hs.
    pose proof (ind_range (wait s && ((r' <=? s) && (s <? r' + FU)))) as hi. destruct (Z_lt_le_dec 0 (X s)) as [hpos|]; [|nia].
    destruct (hsome s hs hpos) as (u & hu & hw & hwk). destruct (hin u hu) as (hud & hFU). apply in_dag_here in hud. destruct hud as (hun & _).
    destruct (in_time_until u r' s hun hs hwk) as (h1 & _). rewrite (hwait u s hu hs hw).
    rewrite (proj2 (Z.leb_le r' s)), (proj2 (Z.ltb_lt s (r' + FU))) by lia. cbn [andb ind]. specialize (hone s hs). lia.
  Qed.

  Lemma chain_in_tick c d r' s : full p = true -> chain S c -> (forall u, In u c -> In u (dag_here S d p)) ->
    sum (fun u => ind (seen u r' s) * work g u r' s) c <= 1.
  Proof.
    clear hb. intros hproc (nd & hcmp) hin.
    assert (hone : forall u, In u c -> In u (nodes S) /\ 0 <= work g u r' s <= 1).
    { intros u hu. specialize (hin u hu). apply in_dag_here in hin. destruct hin as (hun & _ & hup). split; [exact hun|].
      pose proof (law_work laws u r' s hun). pose proof (law_width laws u r' s hun) as hwid. destruct (hfull p hproc) as (hpr & _).
      destruct (hpr u) as (hvol & _); [now apply in_on_pool|].
      rewrite hvol in hwid. pose proof (law_numbers laws u hun) as (he & _ & hz). destruct (Z.eq_dec (exec a u) 0) as [e0|]; [|nia].
      rewrite (no_work_if_empty _ S h g a laws u r' s hun (hz e0)). lia. }
    destruct (existsb (fun u => 0 <? work g u r' s) c) eqn:hsome.
    - apply existsb_exists in hsome. destruct hsome as (u & hu & hwk). apply Z.ltb_lt in hwk. destruct (hone u hu) as (hun & h1).
      rewrite (sum_unique _ _ u nd hu); [pose proof (ind_range (seen u r' s)); nia|].
      intros u' hu' hne. destruct (hone u' hu') as (hun' & _). rewrite (no_work_unless_pending _ S h g a laws u' r' s hun'); [lia|].
      destruct (pending S h u' r' s) eqn:hp'; [|reflexivity]. exfalso. apply hne. apply (pending_alone S h lg u' u r' s); auto.
      now apply (law_pending laws).
    - rewrite sum_zero; [lia|]. intros u hu. destruct (hone u hu) as (_ & h1).
      destruct (Z_lt_le_dec 0 (work g u r' s)) as [hwk|]; [|replace (work g u r' s) with 0 by lia; lia]. exfalso.
      enough (existsb (fun u => 0 <? work g u r' s) c = true) by congruence. apply existsb_exists. exists u.
      split; [exact hu | now apply Z.ltb_lt].
  Qed.

  Lemma cap_nonneg : full p = true -> 0 <= cap a p.
  Proof.
    clear hb. intros hproc. pose proof (proj2 (hfull p hproc) 0) as hr1. enough (0 <= rate S g p 0) by lia. apply sum_nonneg. intros u hu.
    apply in_on_pool in hu. apply sum_nonneg. intros; apply (law_work laws); tauto.
  Qed.

  (** All jobs of nodes of the pool together. *)
  Lemma all_in_tick c r' s : full p = true -> NoDup c -> incl c (on_pool S p) -> sum (fun u => ind (seen u r' s) * work g u r' s) c <= cap a p.
  Proof.
    clear hb. intros hproc nd hin. assert (hun : forall u, In u (on_pool S p) -> In u (nodes S)) by (intros u hu; apply in_on_pool in hu; tauto).
    etransitivity; [|apply (proj2 (hfull p hproc) s)]. unfold rate.
    transitivity (sum (fun u => sum (fun r' => work g u r' s) (range 0 (s + 1))) c).
    - apply sum_le. intros u hu. specialize (hun u (hin u hu)). pose proof (law_work laws u r' s hun).
      destruct (Z_lt_le_dec 0 (work g u r' s)) as [hwk|hz].
      + pose proof (pending_released S h lg u r' s (law_pending laws u r' s hun hwk)) as (_ & hj').
        etransitivity; [|apply (sum_in (fun r' => work g u r' s) _ r'); [intros; now apply (law_work laws) | apply in_range; lia]].
        pose proof (ind_range (seen u r' s)). cbv beta. nia.
      + replace (work g u r' s) with 0 by lia. rewrite Z.mul_0_r. apply sum_nonneg. intros; now apply (law_work laws).
    - apply sum_incl; [exact nd | exact hin |]. intros u hu. apply sum_nonneg. intros; apply (law_work laws); auto.
  Qed.

  Lemma one_seen c r' s : incl c (nodes S) -> 0 < sum (fun u => ind (seen u r' s) * work g u r' s) c ->
    exists u, In u c /\ seen u r' s = true /\ 0 < work g u r' s.
  Proof.
    clear hb. intros hin hpos. apply sum_pos_in in hpos. destruct hpos as (u & hu & hpos). exists u. split; [exact hu|].
    destruct (seen u r' s); cbn [ind] in hpos; [split; [reflexivity | lia] | lia].
  Qed.

  Lemma seen_by_ticks c r' : sum (fun u => seen_work u r') c = sum (fun s => sum (fun u => ind (seen u r' s) * work g u r' s) c) (range r b).
  Proof. apply (sum_exchange (fun u s => ind (seen u r' s) * work g u r' s)). Qed.

  Context (lim : node -> option Z)
    (hlim : forall u r' s, In u (on_pool S p) -> r <= s < b -> seen u r' s = true -> 0 < work g u r' s -> within (lim u) (r' - r)).

  Theorem done_in_window_until t : r <= t -> done_meanwhile S a full F lim v (b - r) p 1 (jobs_by t) (fun r' => r - r') r seen_work.
  Proof.
    intros ht.
    pose proof (legal_start lg _ _ hr) as hr0.
    constructor.
    - intros d hd. destruct (other_jobs_sporadic S h wf lg v hv d hd) as (hsp & _). split; [apply NoDup_filter, range_nodup|].
      intros i j hi hj hne. apply filter_In in hi, hj. destruct hi as (_ & hi), hj as (_ & hj).
      destruct (Z.lt_trichotomy i j) as [hlt|[|hlt]]; [right | contradiction | left];
        [specialize (hsp i j hi hj hlt) | specialize (hsp j i hj hi hlt)]; cbv beta; lia.
    - split; [|ring]. apply filter_In. split; [apply in_range; lia | exact hr].
    - intros u j hu _. apply in_on_pool in hu. destruct hu as (hun & _). rewrite Z.mul_1_l.
      split; [now apply seen_work_nonneg|]. etransitivity; [|apply (law_vol laws u j r b hun)].
      apply sum_le. intros s _. pose proof (law_work laws u j s hun). pose proof (ind_range (seen u j s)). nia.
    - intros u j hu _ hne. pose proof hu as hu'. apply in_on_pool in hu'. destruct hu' as (hun & _).
      destruct (seen_at u j hun hne) as (s & hs & hsee & hwk). destruct (in_time_until u j s hun hs hwk) as (h1 & _).
      pose proof (hlim u j s hu hs hsee hwk) as h2. split; [lia|]. destruct (lim u); cbn [within] in h2; [lia | exact h2].
    - intros hproc c d j FU hd hc hin hj. rewrite seen_by_ticks.
      etransitivity; [apply (ticks_of_job_until c d j FU 1 _ (fun _ => true))|]; auto; [lia | | |].
      + intros s _. apply (chain_in_tick c d); auto. intros u hu. now apply hin.
      + intros s _. apply one_seen. intros u hu. destruct (hin u hu) as (hud & _). apply in_dag_here in hud. tauto.
      + rewrite !Z.mul_1_l. apply ticks_in_overlap. lia.
    - intros hproc c d j FU hd hnd hin hj. rewrite seen_by_ticks.
      etransitivity; [apply (ticks_of_job_until c d j FU (cap a p) _ (fun _ => true))|]; auto.
      + now apply cap_nonneg.
      + intros s _. apply all_in_tick; auto. intros u hu. destruct (hin u hu) as (hud & _). apply in_dag_here in hud. apply in_on_pool. tauto.
      + intros s _. apply one_seen. intros u hu. destruct (hin u hu) as (hud & _). apply in_dag_here in hud. tauto.
      + rewrite !Z.mul_1_l. apply Z.mul_le_mono_nonneg_l; [now apply cap_nonneg|]. apply ticks_in_overlap. lia.
  Qed.
End Until.

(** And up to v's own due instant, if that is the first that is missed. *)
Section Schedule.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a).
  Context (full : Z -> bool) (hfull : forall p, full p = true -> of_processors S a p /\ forall s, rate S g p s <= cap a p).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true) (met : met_before S h F v r).
  Context (b : Z) (hb : r <= b <= r + F v) (p : Z) (seen : node -> Z -> Z -> bool).

  Lemma in_time u r' s : In u (nodes S) -> r <= s < b -> 0 < work g u r' s ->
    r' <= s < r' + F u /\ pending S h u r' s = true /\ released h (dag S u) r' = true /\ 0 <= r'.
  Proof. apply (in_time_until S h g a lg laws F r b (met_before_until S h F v r b met (proj2 hb))). Qed.

  Lemma ticks_of_job c d r' FU C (X : Z -> Z) (wait : Z -> bool) : (forall u, In u c -> In u (dag_here S d p) /\ F u <= FU) -> 0 <= C ->
    (forall s, r <= s < b -> X s <= C) -> (forall s, r <= s < b -> 0 < X s -> exists u, In u c /\ seen u r' s = true /\ 0 < work g u r' s) ->
    (forall u s, In u c -> r <= s < b -> seen u r' s = true -> wait s = true) ->
    sum X (range r b) <= C * sum (fun s => ind (wait s && ((r' <=? s) && (s <? r' + FU)))) (range r b).
  Proof. apply (ticks_of_job_until S h g a lg laws F r b (met_before_until S h F v r b met (proj2 hb))). Qed.

  Theorem done_in_window (lim : node -> option Z) :
    (forall u r' s, In u (on_pool S p) -> r <= s < b -> seen u r' s = true -> 0 < work g u r' s -> within (lim u) (r' - r)) ->
    done_meanwhile S a full F lim v (b - r) p 1 (jobs_by h (r + F v)) (fun r' => r - r') r (seen_work g r b seen).
  Proof.
    intros hlim. apply (done_in_window_until S h g a wf lg laws full hfull F v r hv hr b (proj1 hb) (met_before_until S h F v r b met (proj2 hb)) p seen lim hlim). lia.
  Qed.
End Schedule.
