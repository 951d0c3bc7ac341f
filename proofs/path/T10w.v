(** T10w: work that fits.
A path to v waits for no more than fits between the release of its job and v's due instant, each chain runs one node at a
    time, each DAG at most m, and no piece is waited for longer than the path waits in all. docs/theory/path.md, "T10w".

    Times and work are in units of 1/k, so that nothing depends on what is a whole number. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile.

(** A node that has not ended has not executed for all of its worst case. *)
Definition executes_less (S : system) (h : history) (g : progress) (a : accounts) (v : node) : Prop :=
  forall r b t, done h v r t = false -> sum (fun s => ind (executes S h g r v s)) (range b t) < exec a v.

(** What runs on pool p while path l waits there, for y in all. *)
Record runs_meanwhile (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (l : list node) (p k y : Z)
    (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W : node -> Z -> Z) : Prop := {
  rm_done : done_meanwhile S a full F lim v (F v) p k jobs age j0 W;
  (* of the path's own job: what is beside a node of the path there, and of the path's nodes all but their last pieces *)
  rm_beside : forall u, In u (dag_here S (dag S v) p) -> W u j0 <> 0 -> In u l \/ exists q, In q l /\ pool S q = p /\ beside S q u;
  rm_last : forall u, In u l -> pool S u = p -> W u j0 + k * last a u <= k * vol a u;
  (* on processors: of a chain no more than the path waits *)
  rm_cut : full p = true -> forall c d j, In d (dag S v :: other_dags S v) -> chain S c -> (forall u, In u c -> In u (dag_here S d p)) ->
    In j (jobs d) -> sum (fun u => W u j) c <= y;
}.

Arguments rm_done {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_beside {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_last {S a full F lim v l p k y jobs age j0 W}.
Arguments rm_cut {S a full F lim v l p k y jobs age j0 W}.

(** More may be known of jobs than rm_done says: T12w knows nominal instants, T10d what an old job has left. *)
Definition ages_known := Z -> (Z -> list Z) -> (Z -> Z) -> Z -> (node -> Z -> Z) -> Prop.
Definition by_periods : ages_known := fun _ _ _ _ _ => True.

(** w, in units of 1/M, is no less than path l waits on pool p: if it waited longer, for y, there would not be work enough. *)
Definition waits_at_most (known : ages_known) (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node
  -> option Z) (v : node) (l : list node) (M p w : Z) : Prop :=
  forall k y jobs age j0 W, 0 < k -> k * w < M * y -> runs_meanwhile S a full F lim v l p k y jobs age j0 W -> known k jobs age j0 W ->
    sum (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) (dag S v :: other_dags S v) < cap a p * y.

(** T10w's inequality for node v: F_v is no less than the execution of every path to v and what it waits on each of its pools. *)
Definition fitting_inequality_with (known : ages_known) (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (v : node) : Prop :=
  exists M lim, 0 < M /\ 0 < exec a v /\ limits S F v lim /\
    (forall q, ancestor_or_self S q v -> lagging a (pool S q) = 0 \/ order_of S (pool S q) = Fifo) /\
    forall l, path S l v -> exists w,
      (forall p, In p (visited S l) -> waits_at_most known S a full F lim v l M p (w p)) /\
      sum (fun x => M * exec a x) l + sum w (visited S l) <= M * F v.

Definition fitting_inequality := fitting_inequality_with by_periods.

Section T10w.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  (* What holds in the schedule, if v's due instant is the first that is missed, of work that is done from v's release on. *)
  Definition known_in_schedule (g : progress) (F : node -> Z) (known : ages_known) (v : node) : Prop :=
    forall r, released h (dag S v) r = true -> met_before S h F v r -> forall W,
      (forall u r', In u (nodes S) -> 0 <= W u r' <= sum (fun s => work g u r' s) (range r (r + F v))) ->
      known 1 (jobs_by h (r + F v)) (fun r' => r - r') r W.

  Theorem fits_safe known g a full F v :
    known_in_schedule g F known v -> keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
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
    pose proof (fun p => waited S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl (fun y s => path_paced S h g a l' v laws wf hv hl' y r s) p t ltac:(unfold t; lia)) as hwaited.
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
    set (jobs := jobs_by h t).
    assert (hdone : forall p, done_meanwhile S a full F lim v (F v) p 1 jobs (fun r' => r - r') r W).
    { intros p. pose proof (done_in_window S h g a wf lg laws full hfull F v r hv hr met t ltac:(unfold t; lia) p (path_waits_for S g r l') lim) as hd.
      replace (t - r) with (F v) in hd by (unfold t; ring). destruct hd as [d1 d2 d3 d4 d5 d6].
      { intros u r' s hu hs hpw hwk. apply in_on_pool in hu. destruct hu as (hun & _).
        destruct (path_waits_for_spec S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl u r' s ltac:(lia) hpw) as (q & hq & hqp & hqw & hqlow & hqa).
        apply (limits_are_sound S h g a F v lim wf lg laws hv hlim r met q u r' s); auto. unfold t in hs. lia. }
      assert (heq : forall u j, seen_work g r t (path_waits_for S g r l') u j = W u j) by (intros u j; symmetry; apply hW).
      constructor; auto.
      - intros u j hu hj. rewrite <- heq. now apply d3.
      - intros u j hu hj hne. rewrite <- heq in hne. now apply d4.
      - intros hf c d j FU hd hc hin hj. rewrite (sum_eq _ _ c (fun u _ => eq_sym (heq u j))). now apply (d5 hf c d).
      - intros hf c d j FU hd hc hin hj. rewrite (sum_eq _ _ c (fun u _ => eq_sym (heq u j))). now apply (d6 hf c d). }
    assert (hfacts : forall p, runs_meanwhile S a full F lim v l' p 1 (y p) jobs (fun r' => r - r') r W).
    { intros p. constructor; [apply hdone | | |].
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
      - intros hproc c d j hd hc hin hj. rewrite (sum_eq _ _ c (fun u _ => hW u j)).
        rewrite (sum_exchange (fun u s => ind (path_waits_for S g r l' u j s) * work g u j s)). apply sum_le. intros s hs.
        pose proof (chain_in_tick S h g a lg laws full hfull p (path_waits_for S g r l') c d j s hproc hc hin) as h1.
        destruct (path_waits S g r l' p s) eqn:hpw; cbn [ind]; [exact h1|]. apply Z.eq_le_incl. apply sum_zero. intros u hu.
        destruct (path_waits_for S g r l' u j s) eqn:hpf; cbn [ind]; [|lia]. exfalso. specialize (hin u hu). apply in_dag_here in hin.
        destruct hin as (_ & _ & <-). apply existsb_exists in hpf. destruct hpf as (q & hq & hpf). apply andb_prop in hpf. destruct hpf as (hpf & _).
        enough (path_waits S g r l' (pool S u) s = true) by congruence. apply existsb_exists. eauto. }
    assert (hWwork : forall u r', In u (nodes S) -> 0 <= W u r' <= sum (fun s => work g u r' s) (range r (r + F v))).
    { intros u r' hu. rewrite (hW u r'). split.
      - apply sum_nonneg. intros s _. pose proof (law_work laws u r' s hu). pose proof (ind_range (path_waits_for S g r l' u r' s)). nia.
      - apply sum_le. intros s _. pose proof (law_work laws u r' s hu). pose proof (ind_range (path_waits_for S g r l' u r' s)). nia. }
    (* no pool is waited for longer than w says *)
    assert (hy : forall p, In p (visited S l') -> M * y p <= w p).
    { intros p hp. destruct (Z_le_gt_dec (M * y p) (w p)) as [|hgt]; [auto|]. exfalso.
      pose proof (hw p hp 1 (y p) jobs (fun r' => r - r') r W ltac:(lia) ltac:(lia) (hfacts p) (hknown r hr met W hWwork)) as hlt.
      specialize (hwaited p). rewrite (sum_zero (fun q => sum (blocked_by S g r q) (range r t))), Z.add_0_r in hwaited.
      2: { intros q hq. apply filter_In in hq. apply sum_zero. intros s _. apply hblocked. tauto. }
      fold (y p) in hwaited.
      assert (heq : sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for S g r l' u r' s) * work g u r' s) (range r t)) (range 0 (r + F v + 1))) (on_pool S p)
                = sum (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) (dag S v :: other_dags S v)).
      { fold t. transitivity (sum (fun u => sum (W u) (jobs (dag S u))) (on_pool S p)).
        - apply sum_eq. intros u hu. apply in_on_pool in hu. destruct hu as (hun & _). unfold jobs, jobs_by. rewrite sum_filter. apply sum_eq.
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
  Proof. intros. apply (fits_safe by_periods g a full); auto. easy. Qed.
End T10w.
