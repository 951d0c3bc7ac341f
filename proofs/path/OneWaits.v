(** While one of some nodes D of a job waits on processors: all of them work on what may go before it, of the job itself or of other jobs. T10m, T10d's
    bound of what is left of a job by its age. docs/theory/path.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.FromReady path.Meanwhile path.T10w path.T10v path.Started.

(** What DAG d's other jobs do on p, in units of 1/M, in a window of L while some nodes of the job wait there and they may go before these; the job itself is
    left out. *)
Definition others_do (known : ages_known) (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (L M p d I : Z) : Prop :=
  forall k jobs age j0 W, 0 < k -> done_meanwhile S a full F lim v L p k jobs age j0 W -> known k jobs age j0 W ->
    (forall u, In u (dag_here S (dag S v) p) -> W u j0 = 0) -> M * sum (fun u => sum (W u) (jobs d)) (dag_here S d p) <= k * I.

Lemma path_exists S v : well_formed S -> In v (nodes S) -> exists l, path S l v.
Proof.
  intros wf hv. pose proof (wf_number wf v hv) as v0. revert hv. pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0. intros v IH _ hv.
  destruct (preds S v) as [|q qs] eqn:hp; [exists [v]; now constructor|]. assert (hq : In q (preds S v)) by (rewrite hp; now left).
  destruct (wf_preds wf v q hv hq) as (hqn & _ & hlt). pose proof (wf_number wf q hqn). destruct (IH q ltac:(lia) hqn) as (l & hl).
  exists (v :: l). econstructor; eauto.
Qed.

(** The same elements, and those that matter. *)
Lemma sum_same {A} (f : A -> Z) l l' : NoDup l -> NoDup l' -> (forall u, In u l <-> In u l') -> (forall u, In u l -> 0 <= f u) -> sum f l = sum f l'.
Proof.
  intros nd nd' heq h0. apply Z.le_antisymm; apply sum_incl; auto; [intros u hu; now apply heq | intros u hu; now apply h0, heq | intros u hu; now apply heq].
Qed.

Lemma sum_filter_zero {A} (keep : A -> bool) (f : A -> Z) l : (forall u, In u l -> keep u = false -> f u = 0) -> sum f l = sum f (filter keep l).
Proof. intros h0. rewrite sum_filter. apply sum_eq. intros u hu. destruct (keep u) eqn:hk; cbn [ind]; [lia|]. rewrite (h0 u hu hk). lia. Qed.

Section OneWaits.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).
  Context (g : progress) (a : accounts) (laws : keeps_laws S h g a).
  Context (full : Z -> bool) (hfull : forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p).
  Context (p : Z) (hp : full p = true) (hnp : lagging a p = 0 \/ order_of S p = Fifo).
  Context (v : node) (hv : In v (nodes S)) (D : list node) (hD : forall q, In q D -> In q (nodes S) /\ dag S q = dag S v /\ pool S q = p).
  Context (r : Z) (hr : released h (dag S v) r = true) (t : Z) (ht : r <= t).

  (** What is worked on there runs, and does not wait. *)
  Lemma running u r' s : In u (on_pool S p) -> 0 < work g u r' s -> work g u r' s = 1 /\ pending S h u r' s = true /\ waits g u r' s = false.
  Proof.
    intros hu hw. pose proof hu as hu'. apply in_on_pool in hu'. destruct hu' as (hun & _). destruct (hfull p hp) as (hproc & _). destruct (hproc u hu) as (e1 & e2).
    pose proof (law_numbers laws u hun) as (h0 & _ & hz). pose proof (law_width laws u r' s hun) as hwid.
    assert (exec a u <> 0) by (intros e; rewrite (no_work_if_empty _ S h g a laws u r' s hun (hz e)) in hw; lia).
    split; [nia|]. split; [now apply (law_pending laws)|]. destruct (waits g u r' s) eqn:hwt; [|reflexivity]. exfalso.
    pose proof (law_last laws u r' s (s + 1) hun) as hl. rewrite range_one in hl. cbn [sum] in hl. rewrite hwt in hl. cbn [ind] in hl. lia.
  Qed.

  (** Other jobs that may go before a node of D that waits. *)
  Definition seen_others (u r' s : Z) : bool := path_waits_for S g r D u r' s && negb ((dag S u =? dag S v) && (r' =? r)).
  Definition others_at (s : Z) : Z := sum (fun u => sum (fun r' => ind (seen_others u r' s) * work g u r' s) (range 0 (t + 1))) (on_pool S p).

  Lemma others_at_nonneg s : 0 <= others_at s.
  Proof.
    apply sum_nonneg. intros u hu. apply in_on_pool in hu. apply sum_nonneg. intros r' _. pose proof (law_work laws u r' s ltac:(tauto)).
    pose proof (ind_range (seen_others u r' s)). nia.
  Qed.

  (** The processors while q waits. *)
  Theorem while_one_waits q s : In q D -> r <= s <= t -> waits g q r s = true -> cap a p <= sum (fun u : node => work g u r s) (dag_here S (dag S v) p) + others_at s.
  Proof.
    intros hq hs hw. destruct (hD q hq) as (hqn & hqd & hqp). pose proof (legal_start lg _ _ hr) as hr0.
    pose proof (law_rate laws q r s hqn hw) as hrate. rewrite hqp in hrate. etransitivity; [exact hrate|]. unfold rate.
    transitivity (sum (fun u : node => ind (dag S u =? dag S v) * work g u r s + sum (fun r' => ind (seen_others u r' s) * work g u r' s) (range 0 (t + 1))) (on_pool S p)).
    - apply sum_le. intros u hu. pose proof hu as hu'. apply in_on_pool in hu'. destruct hu' as (hun & hup).
      transitivity (sum (fun r' => ind (r' =? r) * (ind (dag S u =? dag S v) * work g u r s) + ind (seen_others u r' s) * work g u r' s) (range 0 (t + 1))).
      + etransitivity; [|apply (sum_range_incl _ 0 (s + 1) 0 (t + 1)); [|lia|lia]].
        * apply sum_le. intros r' _. pose proof (law_work laws u r' s hun) as hw0. pose proof (ind_range (seen_others u r' s)) as hi.
          assert (hx : 0 <= ind (r' =? r) * (ind (dag S u =? dag S v) * work g u r s)).
          { pose proof (law_work laws u r s hun). destruct (dag S u =? dag S v), (r' =? r); cbn [ind]; lia. }
          destruct (Z_lt_le_dec 0 (work g u r' s)) as [hwk|]; [|nia]. destruct (running u r' s hu hwk) as (_ & hpu & hwu).
          assert (hlow : lower (order_of S p) u r' q r = false).
          { destruct hnp as [hlag|hord]; [|now rewrite hord]. rewrite <- hqp. apply (before_not_lower S h _ u r' q r).
            apply (order_preemptive (nodes S) S h g a laws q r u r' s); auto; [congruence | | now rewrite hqp]. intros z hz. apply in_on_pool in hz. tauto. }
          destruct ((dag S u =? dag S v) && (r' =? r)) eqn:hown.
          -- apply andb_prop in hown. destruct hown as (hud & er). rewrite hud. apply Z.eqb_eq in er. subst r'. rewrite Z.eqb_refl. cbn [ind]. lia.
          -- replace (seen_others u r' s) with true; [cbn [ind]; lia|]. unfold seen_others. rewrite hown. cbn [negb]. rewrite andb_true_r. symmetry.
             apply existsb_exists. exists q. split; [exact hq|]. now rewrite hqp, hup, Z.eqb_refl, hw, hlow.
        * intros r' _. pose proof (law_work laws u r' s hun). pose proof (law_work laws u r s hun). pose proof (ind_range (seen_others u r' s)).
          destruct (dag S u =? dag S v), (r' =? r); cbn [ind]; nia.
      + rewrite sum_add. apply Z.add_le_mono_r. rewrite (sum_unique _ _ r); [rewrite Z.eqb_refl; cbn [ind]; lia | apply range_nodup | apply in_range; lia|].
        intros r' _ hne. rewrite (proj2 (Z.eqb_neq r' r) hne). cbn [ind]. lia.
    - rewrite sum_add. apply Z.add_le_mono_r. apply Z.eq_le_incl. rewrite <- (sum_filter (fun u : node => dag S u =? dag S v) (fun u : node => work g u r s)).
      unfold on_pool, dag_here, dag_nodes. apply sum_same; [apply NoDup_filter, NoDup_filter, (wf_nodup wf) | apply NoDup_filter, NoDup_filter, (wf_nodup wf) | |].
      + intros u. rewrite !filter_In. tauto.
      + intros u hu. apply filter_In in hu. destruct hu as (hu & _). apply filter_In in hu. now apply (law_work laws).
  Qed.

  (** What of the job itself may run meanwhile. *)
  Lemma own_beside_waiting q u s : In q D -> In u (on_pool S p) -> dag S u = dag S v -> waits g q r s = true -> 0 < work g u r s -> beside S q u.
  Proof.
    intros hq hu hud hw hwk. destruct (hD q hq) as (hqn & hqd & hqp). pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup).
    destruct (running u r s hu hwk) as (_ & hpu & hwu). pose proof (law_waits laws q r s hqn hw) as hpq.
    assert (hlow : lower (order_of S p) u r q r = false).
    { destruct hnp as [hlag|hord]; [|now rewrite hord]. rewrite <- hqp. apply (before_not_lower S h _ u r q r).
      apply (order_preemptive (nodes S) S h g a laws q r u r s); auto; [congruence | | now rewrite hqp]. intros z hz. apply in_on_pool in hz. tauto. }
    assert (hno : forall z1 z2, ancestor S z1 z2 -> pending S h z1 r s = true -> pending S h z2 r s = true -> In z2 (nodes S) -> False).
    { intros z1 z2 ha h1 h2 hz. assert (z1 = z2) as -> by (apply (pending_alone S h lg z1 z2 r s); auto).
      destruct (ancestor_facts S z2 z2 wf hz ha) as (_ & _ & ?). lia. }
    split; [intros ->; congruence|]. split; [intros ha; eauto|]. split; [intros ha; eauto|]. rewrite hqp. rewrite <- hlow. symmetry. apply lower_of_one_job.
  Qed.

  Context (F : node -> Z) (b : Z) (hb : r <= b <= t) (met : met_until S h F b) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (lim : node -> option Z) (hlim : forall q u r', In q D -> In u (nodes S) -> pool S u = p -> r' - r < b - r -> within (limit S F q u) (r' - r) -> within (lim u) (r' - r)).

  (** What other jobs do. *)
  Lemma others_in_window : done_meanwhile S a full F lim v (b - r) p 1 (jobs_by h t) (fun r' => r - r') r (seen_work g r b seen_others).
  Proof.
    apply (done_in_window_until S h g a wf lg laws full (fun q hq => match hfull q hq with conj x (conj y _) => conj x y end) F v r hv hr b (proj1 hb) met p seen_others lim); [|exact ht].
    intros u r' s hu hs hsee hwk. apply in_on_pool in hu. destruct hu as (hun & hup). apply andb_prop in hsee. destruct hsee as (hsee & _).
    apply existsb_exists in hsee. destruct hsee as (q & hq & hsee). rewrite !andb_true_iff, negb_true_iff, Z.eqb_eq in hsee. destruct hsee as ((hqp & hw) & hlow).
    destruct (hD q hq) as (hqn & _). pose proof (pending_released S h lg u r' s (law_pending laws u r' s hun hwk)) as (_ & hr').
    apply (hlim q u r' hq hun hup); [lia|]. apply (limit_sound_until S h g a wf lg laws F b met r q u r' s); auto. lia.
  Qed.

  Lemma others_total : sum others_at (range r b) = in_all S v p (jobs_by h t) (seen_work g r b seen_others).
  Proof.
    rewrite <- (by_dags S h v p t (seen_work g r b seen_others) hv).
    - unfold others_at. rewrite (sum_exchange (fun s u => sum (fun r' => ind (seen_others u r' s) * work g u r' s) (range 0 (t + 1)))). apply sum_eq. intros u _.
      apply (sum_exchange (fun s r' => ind (seen_others u r' s) * work g u r' s)).
    - intros u r' hu hne. apply in_on_pool in hu. destruct hu as (hun & _).
      assert (hnn : forall s, 0 <= ind (seen_others u r' s) * work g u r' s) by (intros s; pose proof (law_work laws u r' s hun); pose proof (ind_range (seen_others u r' s)); nia).
      assert (hpos : 0 < seen_work g r b seen_others u r') by (pose proof (sum_nonneg _ (range r b) (fun s _ => hnn s)); unfold seen_work in *; lia).
      apply sum_pos_in in hpos. destruct hpos as (s & _ & hpos). apply (pending_released S h lg u r' s). apply (law_pending laws); [exact hun|].
      destruct (seen_others u r' s); cbn [ind] in hpos; lia.
  Qed.

  Lemma others_not_own u : dag S u = dag S v -> seen_work g r b seen_others u r = 0.
  Proof. intros hud. apply sum_zero. intros s _. unfold seen_others. rewrite hud, !Z.eqb_refl. cbn [andb negb]. rewrite andb_false_r. cbn [ind]. lia. Qed.

  Lemma others_work u r' : In u (nodes S) -> 0 <= seen_work g r b seen_others u r' <= sum (fun s => work g u r' s) (range r b).
  Proof.
    intros hu. split.
    - apply sum_nonneg. intros s _. pose proof (law_work laws u r' s hu). pose proof (ind_range (seen_others u r' s)). nia.
    - apply sum_le. intros s _. pose proof (law_work laws u r' s hu). pose proof (ind_range (seen_others u r' s)). nia.
  Qed.
End OneWaits.
