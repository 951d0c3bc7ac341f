(** T10w: work that fits.
A path to v waits for no more than fits between the release of its job and v's due instant, each chain runs one node at a
    time, each DAG at most m, and no piece is waited for longer than the path waits in all. docs/theory/path.md, "T10w".

    Times and work are in units of 1/k, so that nothing depends on what is a whole number. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady.

(** A node that has not ended has not executed for all of its worst case. *)
Definition executes_less (S : system) (h : history) (g : progress) (a : accounts) (v : node) : Prop :=
  forall r b t, done h v r t = false -> sum (fun s => ind (executes S h g r v s)) (range b t) < exec a v.

(** Pools of processors, on which each node takes e = s = vol = C. [full p] says that p is one, and no more than all of them run. *)
Definition of_processors (S : system) (a : accounts) (p : Z) : Prop := forall u, In u (on_pool S p) -> vol a u = exec a u
  /\ last a u = exec a u.

(** How long a job that is released x before the path's, and runs for F from its release on, is there in a window of length L. *)
Definition overlap (F L x : Z) : Z := Z.max 0 (Z.min L (F - x) - Z.max 0 (- x)).

(** What runs on pool p while path l waits there, for y in all: jobs d of each DAG, age j before the path's job j0,
  of which W u j is done of node u. *)
Record runs_meanwhile (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node
  -> option Z) (v : node) (l : list node) (p k y : Z)
    (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W : node -> Z -> Z) : Prop := {
  rm_jobs : forall d, In d (dag S v :: other_dags S v) -> NoDup (jobs d) /\
    forall i j, In i (jobs d) -> In j (jobs d) -> i <> j -> age i + k * period S d <= age j \/ age j + k * period S d <= age i;
  rm_own : In j0 (jobs (dag S v)) /\ age j0 = 0;
  rm_volume : forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> 0 <= W u j <= k * vol a u;
  rm_counts : forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> W u j <> 0 ->
    age j < k * F u /\ match lim u with None => False | Some x => - age j <= k * x end;
  (* of the path's own job: what is beside a node of the path there, and of the path's nodes all but their last pieces *)
  rm_beside : forall u, In u (dag_here S (dag S v) p) -> W u j0 <> 0 -> In u l \/ exists q, In q l /\ pool S q = p /\ beside S q u;
  rm_last : forall u, In u l -> pool S u = p -> W u j0 + k * last a u <= k * vol a u;
  (* on processors: of a chain no more than the path waits, and than fits; of any nodes of a DAG no more than fits on all processors *)
  rm_cut : full p = true -> forall c d j, In d (dag S v :: other_dags S v) -> chain S c -> (forall u, In u c -> In u (dag_here S d p)) ->
    In j (jobs d) -> sum (fun u => W u j) c <= y;
  rm_chain : full p = true -> forall c d j FU, In d (dag S v :: other_dags S v) -> chain S c ->
    (forall u, In u c -> In u (dag_here S d p) /\ F u <= FU) -> In j (jobs d) -> sum (fun u => W u j) c
      <= overlap (k * FU) (k * F v) (age j);
  rm_whole : full p = true -> forall c d j FU, In d (dag S v :: other_dags S v) -> NoDup c ->
    (forall u, In u c -> In u (dag_here S d p) /\ F u <= FU) -> In j (jobs d) ->
    sum (fun u => W u j) c <= cap a p * overlap (k * FU) (k * F v) (age j);
}.

Arguments rm_jobs {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_own {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_volume {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_counts {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_beside {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_last {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_cut {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_chain {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_whole {S a full F lim v l p k y jobs age j0 W}.

(** More may be known of the ages of jobs than rm_jobs says: T12w knows nominal instants. *)
Definition ages_known := Z -> (Z -> list Z) -> (Z -> Z) -> Z -> Prop.
Definition by_periods : ages_known := fun _ _ _ _ => True.

(** w, in units of 1/M, is no less than path l waits on pool p: if it waited longer, for y, there would not be work enough. *)
Definition waits_at_most (known : ages_known) (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node
  -> option Z) (v : node) (l : list node) (M p w : Z) : Prop :=
  forall k y jobs age j0 W, 0 < k -> k * w < M * y -> runs_meanwhile S a full F lim v l p k y jobs age j0 W -> known k jobs age j0 ->
    sum (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) (dag S v :: other_dags S v) < cap a p * y.

(** T10w's inequality for node v: F_v is no less than the execution of every path to v and what it waits on each of its pools. *)
Definition fitting_inequality_with (known : ages_known) (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (v : node) : Prop :=
  exists M lim, 0 < M /\ 0 < exec a v /\ limits S F v lim /\
    (forall q, ancestor_or_self S q v -> lagging a (pool S q) = 0 \/ order_of S (pool S q) = Fifo) /\
    forall l, path S l v -> exists w,
      (forall p, In p (visited S l) -> waits_at_most known S a full F lim v l M p (w p)) /\
      sum (fun x => M * exec a x) l + sum w (visited S l) <= M * F v.

Definition fitting_inequality := fitting_inequality_with by_periods.

(** Ticks from r to t in which a job released at r' may run, F from its release on. *)
Lemma ticks_in_overlap r t r' FU : r <= t -> sum (fun s => ind ((r' <=? s) && (s <? r' + FU))) (range r t) <= overlap FU (t - r) (r - r').
Proof.
  intros ht. rewrite <- (Z.mul_1_r (overlap FU (t - r) (r - r'))).
  rewrite (sum_eq _ (fun s => ind ((r' <=? s) && (s <? r' + FU)) * 1)) by (intros; lia). rewrite <- sum_filter.
  transitivity (sum (fun _ => 1) (range (Z.max r r') (Z.min t (r' + FU)))).
  - apply sum_incl; [apply NoDup_filter, range_nodup | | intros; lia]. intros s hs. apply filter_In in hs. rewrite in_range in *. lia.
  - rewrite sum_const, length_range. unfold overlap. lia.
Qed.

Section T10w.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  (* What holds of all jobs released by some instant. *)
  Definition known_of_releases (known : ages_known) (v : node) : Prop :=
    forall r t, released h (dag S v) r = true -> r <= t -> known 1 (fun d => filter (released h d) (range 0 (t + 1))) (fun r' => r - r') r.

  Theorem fits_safe known g a full F v :
    known_of_releases known v -> keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
    (forall p, full p = true -> of_processors S a p /\ forall s, rate S g p s <= cap a p) ->
    In v (nodes S) -> fitting_inequality_with known S a full F v -> safe S h F v.
  Proof.
    intros hknown laws hF hless hfull hv (M & lim & Mpos & hev & hlim & hnp & hineq) r hr met.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    pose proof (F_nonneg S h g a laws F hF) as F0. set (t := r + F v) in *.
    destruct (late_path S h wf lg r v t hv hr ltac:(specialize (F0 v hv); lia) missed) as (l & x & hl & hx & hxn & cover).
    assert (exists l', path S l' v /\ incl l l') as (l' & hl' & hincl).
    { destruct hx as [->|ha]; [exists l; split; [auto | apply incl_refl] | eapply path_goes_on; eauto]. }
    destruct (hineq l' hl') as (w & hw & hsum). pose proof (legal_start lg _ _ hr) as hr0. pose proof (F0 v hv) as hFv.
    (* all of this up to t alone *)
    set (busy := fun (_ : node) (_ _ : Z) => true).
    assert (works_busy : forall u r t, In u (nodes S) -> 0 < work g u r t -> busy u r t = true) by reflexivity.
    assert (first : first_busy S busy F v r) by (left; reflexivity).
    set (W := meanwhile S g F busy v r l').
    set (y := fun p => sum (fun s => ind (path_waits S g r l' p s)) (range r t)).
    assert (hW : forall u r', W u r' = sum (fun s => ind (path_waits_for S g r l' u r' s) * work g u r' s) (range r t)).
    { intros u r'. unfold W, meanwhile, busy. now rewrite Z.add_0_r. }
    assert (honl : forall q, In q l' -> In q (nodes S) /\ ancestor_or_self S q v).
    { intros q hq. split; [exact (proj1 (path_nodes S l' v wf hv hl' q hq)) | now apply (path_ancestors S l' v hl')]. }
    (* nothing blocks *)
    assert (hblocked : forall q s, In q l' -> blocked_by S g r q s = 0).
    { intros q s hq. destruct (honl q hq) as (hqn & hqa). unfold blocked_by. destruct (waits g q r s) eqn:hwq; cbn [ind]; [|lia].
      rewrite Z.mul_1_l.
      apply sum_zero. intros u hu. apply in_on_pool in hu. destruct hu as (hun & hup). apply sum_zero. intros r' _.
      destruct (hnp q hqa) as [hlag|hord].
      - destruct (Z.eq_dec (work g u r' s) 0) as [->|hne]; [lia|]. pose proof (law_work laws u r' s hun).
        rewrite (before_not_lower S h _ u r' q r); [cbn [ind]; lia|].
        apply (order_preemptive (nodes S) S h g a laws q r u r' s); auto; [|lia]. intros z hz. apply in_on_pool in hz. tauto.
      - rewrite hord. cbn [lower ind]. lia. }
    pose proof (fun p => waited S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl p t ltac:(unfold t; lia)) as hwaited.
    pose proof (time_split S h g r (F v) l cover l' hincl t ltac:(unfold t; lia)) as hsplit.
    (* the path's execution is less than it may be *)
    assert (hexec : sum (fun q => sum (fun s => ind (executes S h g r q s)) (range r t)) l' + 1 <= sum (exec a) l').
    { transitivity (sum (fun q => sum (fun s => ind (executes S h g r q s)) (range r t) + ind (q =? v)) l').
      - rewrite sum_add. apply Z.add_le_mono_l. etransitivity; [|apply (sum_in (fun q => ind (q =? v)) l' v)];
          [|intros; apply ind_range | exact (path_last S l' v hl')]. cbv beta. rewrite Z.eqb_refl. cbn. lia.
      - apply sum_le. intros q hq. destruct (Z.eqb_spec q v) as [->|]; cbn [ind].
        + pose proof (hless r r t missed). lia.
        + rewrite Z.add_0_r. apply (law_exec laws). now apply honl. }
    (* facts of the schedule *)
    pose proof (meanwhile_recent S h g a wf lg laws F hF busy works_busy v r hv met first l x hl hx cover l' hl' hincl) as hrecent.
    fold W in hrecent.
    assert (htick : forall u r' s, In u (nodes S) -> r <= s < t -> path_waits_for S g r l' u r' s = true -> 0 < work g u r' s ->
              r' <= s < r' + F u /\ path_waits S g r l' (pool S u) s = true /\ pending S h u r' s = true).
    { intros u r' s hu hs hpw hwk. pose proof (law_pending laws u r' s hu hwk) as hp.
      pose proof (pending_released S h lg u r' s hp) as (_ & hr').
      pose proof (due_then S h g a lg laws F busy works_busy v r met first u r' s hu ltac:(unfold horizon, busy; fold t; lia) hwk).
      split; [lia|]. split; [|exact hp]. apply existsb_exists in hpw. destruct hpw as (q & hq & hpw). apply andb_prop in hpw.
      destruct hpw as (hpw & _).
      apply existsb_exists. eauto. }
    assert (hdags : forall u, In u (nodes S) -> In (dag S u) (dag S v :: other_dags S v)).
    { intros u hu. destruct (Z.eq_dec (dag S u) (dag S v)) as [->|hne]; [now left|]. right. apply filter_In. split.
      - apply nodup_In. now apply in_map.
      - now apply negb_true_iff, Z.eqb_neq. }
    set (jobs := fun d => filter (released h d) (range 0 (t + 1))).
    (* sums over nodes, tick by tick *)
    assert (hsumticks : forall c d p r' C FU (wait : Z -> bool), (forall u, In u c -> In u (dag_here S d p) /\ F u <= FU) -> 0 <= C ->
              (forall s, r <= s < t -> path_waits S g r l' p s = true -> wait s = true) ->
              (forall s, r <= s < t -> sum (fun u => ind (path_waits_for S g r l' u r' s) * work g u r' s) c <= C) ->
              sum (fun u => W u r') c <= C * sum (fun s => ind (wait s && ((r' <=? s) && (s <? r' + FU)))) (range r t)).
    { intros c d p r' C FU wait hin hC hwait hone.
      transitivity (sum (fun u => sum (fun s => ind (path_waits_for S g r l' u r' s) * work g u r' s) (range r t)) c);
        [apply Z.eq_le_incl, sum_eq; intros u _; apply hW|].
      rewrite (sum_exchange (fun u s => ind (path_waits_for S g r l' u r' s) * work g u r' s)), <- sum_scale. apply sum_le. intros s hs.
      rewrite in_range in hs.
      destruct (existsb (fun u => path_waits_for S g r l' u r' s && (0 <? work g u r' s)) c) eqn:hsome.
      - apply existsb_exists in hsome. destruct hsome as (u & hu & hsome). apply andb_prop in hsome. destruct hsome as (hpw & hwk).
        apply Z.ltb_lt in hwk.
        destruct (hin u hu) as (hud & hFU). apply in_dag_here in hud. destruct hud as (hun & _ & hup).
        destruct (htick u r' s hun hs hpw hwk) as (h1 & h2 & _). rewrite hup in h2. rewrite (hwait s hs h2).
        rewrite (proj2 (Z.leb_le r' s)), (proj2 (Z.ltb_lt s (r' + FU))) by lia. cbn [andb ind]. rewrite Z.mul_1_r. now apply hone.
      - rewrite sum_zero; [pose proof (ind_range (wait s && ((r' <=? s) && (s <? r' + FU)))); nia|]. intros u hu.
        destruct (hin u hu) as (hud & _). apply in_dag_here in hud. destruct hud as (hun & _). pose proof (law_work laws u r' s hun).
        destruct (path_waits_for S g r l' u r' s) eqn:hpw; cbn [ind]; [|lia]. destruct (Z_lt_le_dec 0 (work g u r' s)) as [hwk|]; [|lia].
        exfalso.
        enough (existsb (fun u => path_waits_for S g r l' u r' s && (0 <? work g u r' s)) c = true) by congruence.
        apply existsb_exists. exists u. rewrite hpw, (proj2 (Z.ltb_lt _ _) hwk). auto. }
    assert (hchain1 : forall c d p r' s, full p = true -> chain S c -> (forall u, In u c -> In u (dag_here S d p)) -> r <= s < t ->
              sum (fun u => ind (path_waits_for S g r l' u r' s) * work g u r' s) c <= 1).
    { intros c d p r' s hproc (nd & hcmp) hin hs.
      assert (hone : forall u, In u c -> In u (nodes S) /\ 0 <= work g u r' s <= 1).
      { intros u hu. specialize (hin u hu). apply in_dag_here in hin. destruct hin as (hun & _ & hup). split; [exact hun|].
        pose proof (law_work laws u r' s hun). pose proof (law_width laws u r' s hun) as hwid. destruct (hfull p hproc) as (hpr & _).
        destruct (hpr u) as (hvol & _); [now apply in_on_pool|].
        rewrite hvol in hwid. pose proof (law_numbers laws u hun) as (he & _ & hz). destruct (Z.eq_dec (exec a u) 0) as [e0|]; [|nia].
        rewrite (no_work_if_empty _ S h g a laws u r' s hun (hz e0)). lia. }
      destruct (existsb (fun u => 0 <? work g u r' s) c) eqn:hsome.
      - apply existsb_exists in hsome. destruct hsome as (u & hu & hwk). apply Z.ltb_lt in hwk. destruct (hone u hu) as (hun & h1).
        rewrite (sum_unique _ _ u nd hu); [pose proof (ind_range (path_waits_for S g r l' u r' s)); nia|].
        intros u' hu' hne. destruct (hone u' hu') as (hun' & _). rewrite (no_work_unless_pending _ S h g a laws u' r' s hun'); [lia|].
        destruct (pending S h u' r' s) eqn:hp'; [|reflexivity]. exfalso. apply hne. apply (pending_alone S h lg u' u r' s); auto.
        now apply (law_pending laws).
      - rewrite sum_zero; [lia|]. intros u hu. destruct (hone u hu) as (_ & h1).
        destruct (Z_lt_le_dec 0 (work g u r' s)) as [hwk|]; [|replace (work g u r' s) with 0 by lia; lia]. exfalso.
        enough (existsb (fun u => 0 <? work g u r' s) c = true) by congruence. apply existsb_exists. exists u.
        split; [exact hu | now apply Z.ltb_lt]. }
    assert (hfacts : forall p, runs_meanwhile S a full F lim v l' p 1 (y p) jobs (fun r' => r - r') r W).
    { intros p. constructor.
      - intros d hd. destruct (other_jobs_sporadic S h wf lg v hv d hd) as (hsp & _). split; [apply NoDup_filter, range_nodup|].
        intros i j hi hj hne. apply filter_In in hi, hj. destruct hi as (_ & hi), hj as (_ & hj).
        destruct (Z.lt_trichotomy i j) as [hlt|[|hlt]]; [right | contradiction | left];
          [specialize (hsp i j hi hj hlt) | specialize (hsp j i hj hi hlt)]; cbv beta; lia.
      - split; [|ring]. apply filter_In. split; [apply in_range; unfold t; lia | exact hr].
      - intros u j hu _. apply in_on_pool in hu. destruct hu as (hun & _). rewrite Z.mul_1_l.
        split; [apply (meanwhile_at_least S h g a laws); exact hun|]. apply (meanwhile_volume S h g a laws F hF busy v r hv l' u j hun).
      - intros u j hu _ hne. apply in_on_pool in hu. destruct hu as (hun & _). destruct (hrecent u j hun hne) as (_ & h1). split; [lia|].
        pose proof (meanwhile_limited S h g a wf lg laws F hF busy v r hv met l x hl hx cover l' hl' hincl lim u j (limits_are_sound S h g a F v lim wf lg laws hv hlim) hun hne) as h2.
        destruct (lim u); cbn [within] in h2; [lia | exact h2].
      - intros u hu hne. apply in_dag_here in hu. destruct hu as (hun & _ & hup).
        destruct (touched S h g a wf lg laws F hF busy v r hv l x hl hx cover l' hl' hincl u r hun hne) as (q & s & hs & hq & hqp & hwq & hlow & hwk).
        destruct (Z.eq_dec u q) as [->|huq]; [now left|]. right. exists q. split; [exact hq|]. split; [congruence|].
        destruct (honl q hq) as (hqn & _). pose proof (law_pending laws u r s hun hwk) as hpu.
        pose proof (law_waits laws q r s hqn hwq) as hpq.
        assert (hno : forall z1 z2, ancestor S z1 z2 -> pending S h z1 r s = true -> pending S h z2 r s = true -> In z2 (nodes S) -> False).
        { intros z1 z2 ha h1 h2 hz. assert (z1 = z2) as -> by (apply (pending_alone S h lg z1 z2 r s); auto).
          destruct (ancestor_facts S z2 z2 wf hz ha) as (_ & _ & ?). lia. }
        split; [exact huq|]. split; [intros ha; eauto|]. split; [intros ha; eauto|]. rewrite <- (lower_of_one_job _ u q r). exact hlow.
      - intros u hu _. rewrite !Z.mul_1_l. exact (meanwhile_own S h g a wf lg laws F hF busy v r hv l x hl hx cover l' hl' hincl u hu).
      - intros hproc c d j hd hc hin hj. set (FU := sum (fun u => Z.max 0 (F u)) c).
        etransitivity; [apply (hsumticks c d p j 1 FU (path_waits S g r l' p))|].
        + intros u hu. split; [now apply hin|]. etransitivity; [|apply (sum_in (fun u => Z.max 0 (F u)) c u); [intros; lia | exact hu]].
          lia.
        + lia.
        + auto.
        + intros s hs. now apply (hchain1 c d p j s).
        + rewrite Z.mul_1_l. apply sum_le. intros s _. destruct (path_waits S g r l' p s); cbn [andb ind]; [apply ind_range | lia].
      - intros hproc c d j FU hd hc hin hj. etransitivity; [apply (hsumticks c d p j 1 FU (fun _ => true))|]; auto; [lia | |].
        + intros s hs. apply (hchain1 c d p j s); auto. intros u hu. now apply hin.
        + rewrite !Z.mul_1_l. replace (F v) with (t - r) by (unfold t; ring). apply ticks_in_overlap. unfold t. lia.
      - intros hproc c d j FU hd hnd hin hj. etransitivity; [apply (hsumticks c d p j (cap a p) FU (fun _ => true))|]; auto.
        + destruct c as [|u0 c0]; [|destruct (hin u0 (or_introl eq_refl)) as (h0 & _); apply in_dag_here in h0;
            destruct h0 as (h0 & _ & <-);
            pose proof (law_cap laws u0 h0); lia].
          destruct (Z_le_gt_dec 0 (cap a p)); [auto|]. exfalso. pose proof (proj2 (hfull p hproc) 0) as hr1.
          assert (0 <= rate S g p 0); [|lia]. apply sum_nonneg. intros u hu. apply in_on_pool in hu. apply sum_nonneg.
          intros; apply (law_work laws); tauto.
        + intros s hs. etransitivity; [|apply (proj2 (hfull p hproc) s)]. unfold rate.
          transitivity (sum (fun u => sum (fun r' => work g u r' s) (range 0 (s + 1))) c).
          * apply sum_le. intros u hu. destruct (hin u hu) as (hud & _). apply in_dag_here in hud. destruct hud as (hun & _).
            pose proof (law_work laws u j s hun). destruct (Z_lt_le_dec 0 (work g u j s)) as [hwk|hz].
            -- pose proof (pending_released S h lg u j s (law_pending laws u j s hun hwk)) as (_ & hj').
               etransitivity; [|apply (sum_in (fun r' => work g u r' s) _ j); [intros; now apply (law_work laws) | apply in_range; lia]].
               pose proof (ind_range (path_waits_for S g r l' u j s)). cbv beta. nia.
            -- replace (work g u j s) with 0 by lia. rewrite Z.mul_0_r. apply sum_nonneg. intros; now apply (law_work laws).
          * apply sum_incl; [exact hnd | |].
            -- intros u hu. destruct (hin u hu) as (hud & _). apply in_dag_here in hud. apply in_on_pool. tauto.
            -- intros u hu. apply in_on_pool in hu. apply sum_nonneg. intros; apply (law_work laws); tauto.
        + rewrite Z.mul_1_l. apply Z.mul_le_mono_nonneg_l.
          * destruct (Z_le_gt_dec 0 (cap a p)); [auto|]. exfalso. pose proof (proj2 (hfull p hproc) 0) as hr1.
            assert (0 <= rate S g p 0); [|lia]. apply sum_nonneg. intros u hu. apply in_on_pool in hu. apply sum_nonneg.
            intros; apply (law_work laws); tauto.
          * replace (1 * F v) with (t - r) by (unfold t; ring). apply ticks_in_overlap. unfold t. lia. }
    (* no pool is waited for longer than w says *)
    assert (hy : forall p, In p (visited S l') -> M * y p <= w p).
    { intros p hp. destruct (Z_le_gt_dec (M * y p) (w p)) as [|hgt]; [auto|]. exfalso.
      pose proof (hw p hp 1 (y p) jobs (fun r' => r - r') r W ltac:(lia) ltac:(lia) (hfacts p) (hknown r t hr ltac:(unfold t; lia))) as hlt.
      specialize (hwaited p). rewrite (sum_zero (fun q => sum (blocked_by S g r q) (range r t))), Z.add_0_r in hwaited.
      2: { intros q hq. apply filter_In in hq. apply sum_zero. intros s _. apply hblocked. tauto. }
      fold (y p) in hwaited.
      assert (heq : sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for S g r l' u r' s) * work g u r' s) (range r t)) (range 0 (r + F v + 1))) (on_pool S p)
                = sum (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) (dag S v :: other_dags S v)).
      { fold t. transitivity (sum (fun u => sum (W u) (jobs (dag S u))) (on_pool S p)).
        - apply sum_eq. intros u hu. apply in_on_pool in hu. destruct hu as (hun & _). unfold jobs. rewrite sum_filter. apply sum_eq.
          intros r' _.
          rewrite <- (hW u r'). destruct (released h (dag S u) r') eqn:hrel; cbn [ind]; [now rewrite Z.mul_1_l|].
          destruct (Z.eq_dec (W u r') 0) as [|hne]; [lia|].
          destruct (hrecent u r' hun hne). congruence.
        - unfold on_pool. rewrite sum_filter, (sum_by_dag S v _ hv). cbn [sum]. unfold dag_here. f_equal.
          + rewrite sum_filter. apply sum_eq. intros u hu. apply in_dag_nodes in hu. destruct hu as (_ & ->). reflexivity.
          + apply sum_eq. intros d _. rewrite sum_filter. apply sum_eq. intros u hu. apply in_dag_nodes in hu. destruct hu as (_ & ->).
            reflexivity. }
      rewrite heq in hwaited. exact (Z.lt_irrefl _ (Z.le_lt_trans _ _ _ hwaited hlt)). }
    assert (hysum : M * sum y (visited S l') <= sum w (visited S l')) by (rewrite <- sum_scale; now apply sum_le).
    rewrite sum_scale in hsum. change (sum (fun a0 => exec a a0) l') with (sum (exec a) l') in hsum.
    change (t - r <= sum (fun q => sum (fun s => ind (executes S h g r q s)) (range r t)) l' + sum y (visited S l')) in hsplit.
    replace (t - r) with (F v) in hsplit by (unfold t; ring). nia.
  Qed.

  Theorem T10w_safe g a full F v :
    keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
    (forall p, full p = true -> of_processors S a p /\ forall s, rate S g p s <= cap a p) ->
    In v (nodes S) -> fitting_inequality S a full F v -> safe S h F v.
  Proof. intros. now apply (fits_safe by_periods g a full). Qed.
End T10w.
