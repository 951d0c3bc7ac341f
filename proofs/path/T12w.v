(** T12w: T10w with release jitter and nominal periods. A job's own age is what counts; how far jobs are apart is said of nominal instants.
    docs/theory/jitter.md, "T12w". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.T10n path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w path.Windows.

(** By its nominal instant a job is up to J older than by its release; these ages are T apart, in the order of releases. *)
Definition by_nominal_instants (S : system) (T J : Z -> Z) (v : node) : ages_known := fun k jobs age j0 _ =>
  exists at_age : Z -> Z -> Z, forall d, In d (dag S v :: other_dags S v) ->
    (forall j, In j (jobs d) -> age j <= at_age d j <= age j + k * J d) /\
    (forall i j, In i (jobs d) -> In j (jobs d) -> age i < age j -> at_age d i + k * T d <= at_age d j).

Definition late_fitting_inequality (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (T J : Z -> Z) (v : node) : Prop :=
  fitting_inequality_with (by_nominal_instants S T J v) S a full F v.

(** With nothing asked of work. *)
Definition known_always (S : system) (h : history) (known : ages_known) (v : node) : Prop := forall r t W, released h (dag S v) r = true -> r <= t ->
  known 1 (jobs_by h t) (fun r' => r - r') r W.

Section T12w.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).
  Context (T J : Z -> Z) (nominal : Z -> Z -> Z) (late : jittered S h T J nominal).

  Lemma nominal_instants_always v : In v (nodes S) -> known_always S h (by_nominal_instants S T J v) v.
  Proof.
    intros hv r t W _ _. exists (fun d r' => r - nominal d r'). intros d hd.
    assert (exists u, In u (nodes S) /\ dag S u = d) as (u & hu & <-).
    { destruct hd as [<-|hd]; [eauto|]. apply filter_In in hd. destruct hd as (hd & _). apply nodup_In, in_map_iff in hd.
      destruct hd as (u & <- & hu). eauto. }
    split.
    - intros j hj. apply filter_In in hj. destruct hj as (_ & hj). pose proof (late_by late u j hu hj). lia.
    - intros i j hi hj hlt. apply filter_In in hi, hj. pose proof (nominal_apart late u j i hu ltac:(tauto) ltac:(tauto) ltac:(lia)). lia.
  Qed.

  Lemma nominal_instants_known g F v : In v (nodes S) -> 0 <= F v -> known_in_schedule S h g F (by_nominal_instants S T J v) v.
  Proof. intros hv hF r hr _ W _. apply nominal_instants_always; auto. lia. Qed.

  Theorem T12w_safe g a full F v :
    keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
    (forall p, full p = true -> of_processors S a p /\ forall s, rate S g p s <= cap a p) ->
    In v (nodes S) -> late_fitting_inequality S a full F T J v -> safe S h F v.
  Proof.
    intros laws hF hless hfull hv hineq. apply (fits_safe S h wf lg (by_nominal_instants S T J v) g a full); auto. apply nominal_instants_known; auto. exact (F_nonneg S h g a laws F hF v hv).
  Qed.
End T12w.

Lemma nominal_ages_apart S (wf : well_formed S) a full F lim v l p k y jobs age j0 W T (at_age : Z -> Z -> Z) d i j : In v (nodes S) -> 0 < k ->
  runs_meanwhile S a full F lim v l p k y jobs age j0 W -> In d (dag S v :: other_dags S v) ->
  (forall i j, In i (jobs d) -> In j (jobs d) -> age i < age j -> at_age d i + k * T d <= at_age d j) ->
  In i (jobs d) -> In j (jobs d) -> i <> j -> at_age d i + k * T d <= at_age d j \/ at_age d j + k * T d <= at_age d i.
Proof.
  intros hv hk hrun hd hord hi hj hne. destruct (dm_jobs (rm_done hrun) d hd) as (_ & hap). pose proof (period_pos S wf v hv d hd).
  destruct (hap i j hi hj hne); [left | right]; apply hord; auto; nia.
Qed.

(** The sums as they are printed: g_d(x) is the most that a job may do whose nominal instant is x before the path's release, the most of f_d over
    ages from x - J to x. The path's own job was released z after its nominal instant. *)
Theorem late_waits_by_windows (S : system) (wf : well_formed S) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z)
    (v : node) (hv : In v (nodes S)) (l : list node) (p : Z) (T J : Z -> Z) M w cs FC FD :
  full p = true -> of_processors S a p ->
  path S l v -> 0 < M -> 0 <= w -> (forall d, In d (dag S v :: other_dags S v) -> 0 < T d /\ chains_here S d p (cs d) /\
    (forall c u, In c (cs d) -> In u c -> F u <= FC c) /\ forall u, In u (dag_here S d p) -> F u <= FD d) ->
  (forall k y, 0 < k -> k * w < M * y -> exists own X (g : Z -> Z -> Z),
     (forall d x x', In d (dag S v :: other_dags S v) -> x - k * J d <= x' <= x ->
        job_in_window F lim (vol a) (cap a p) (cs d) FC (FD d) k y (F v) x' <= g d x) /\
     (forall c s, In c (cs (dag S v)) -> NoDup s -> incl s c -> (forall u, In u s -> exists q, In q l /\ pool S q = p /\ beside S q u) ->
        Z.min y (k * sum (vol a) s) <= own c) /\
     (forall d xs, In d (other_dags S v) -> pattern (k * T d) xs -> sum (g d) xs <= X d) /\
     (forall z xs, 0 <= z <= k * J (dag S v) -> pattern (k * T (dag S v)) (z :: xs) -> sum (g (dag S v)) xs <= X (dag S v)) /\
     sum own (cs (dag S v)) + sum X (dag S v :: other_dags S v) < cap a p * y) ->
  waits_at_most (by_nominal_instants S T J v) S a full F lim v l M p w.
Proof.
  intros hfull hproc hl hM hw0 hcs hsum k y jobs age j0 W hk hy hrun (at_age & hages).
  destruct (hsum k y hk hy) as (own & X & g & hg & h1 & h2 & h3 & h4).
  assert (hy0 : 0 <= y) by nia. eapply Z.le_lt_trans; [|exact h4]. destruct (dm_own (rm_done hrun)) as (hj0 & hage).
  apply (sums_fit S wf a full F lim v l p hfull hproc k y hk hy0 jobs age j0 W hrun T at_age) with (FC := FC) (FD := FD) (g := g); auto.
  - intros d i j hd. destruct (hages d hd) as (_ & h5). now apply (nominal_ages_apart S wf a full F lim v l p k y jobs age j0 W).
  - intros d j hd hj. apply hg; [exact hd|]. destruct (hages d hd) as (h5 & _). specialize (h5 j hj). lia.
  - intros xs. apply h3. destruct (hages (dag S v) (or_introl eq_refl)) as (h5 & _). specialize (h5 j0 hj0). lia.
Qed.
