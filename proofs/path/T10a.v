(** T10a: one release pattern per interfering DAG, parts of nodes that must end soon, turns, and turns over all jobs (T30).
    docs/theory/path.md, "T10a: one release pattern per interfering DAG".

    Work may be counted in any unit: k names it, so that nothing below depends on what is a whole number. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns.

Definition dag_nodes (S : system) (d : Z) : list node := filter (fun u => dag S u =? d) (nodes S).

Lemma in_dag_nodes S d u : In u (dag_nodes S d) <-> In u (nodes S) /\ dag S u = d.
Proof. unfold dag_nodes. rewrite filter_In, Z.eqb_eq. reflexivity. Qed.

Definition other_dags (S : system) (v : node) : list Z := filter (fun d => negb (d =? dag S v)) (nodup Z.eq_dec (map (dag S) (nodes S))).

(** Of node u of a job released x before the path's (x < 0: after it) no more than part u x is done up to the first due instant missed:
    min(1, (F_u - x)/e_u) vol_u. *)
Definition parts_cover (S : system) (a : accounts) (F : node -> Z) (part : node -> Z -> Z) : Prop :=
  forall u x, In u (nodes S) -> 0 <= vol a u /\ 0 <= part u x /\ Z.min (exec a u) (F u - x) * vol a u <= exec a u * part u x.

(** What the jobs of DAG d may do while path l waits: jobs js, each released age j before the path's job, of which W u j is done of node u,
    in units of 1/k. *)
Record may_do (S : system) (F : node -> Z) (lim : node -> option Z) (part : node -> Z -> Z) (l : list node) (d k : Z)
    (js : list Z) (age : Z -> Z) (W : node -> Z -> Z) : Prop := {
  md_nodup : NoDup js;
  md_apart : forall i j, In i js -> In j js -> i <> j -> age i + period S d <= age j \/ age j + period S d <= age i;
  md_part : forall u j, In u (dag_nodes S d) -> In j js -> 0 <= W u j <= k * part u (age j);
  (* a job counts node u if -lim_u <= age < F_u, on the pools of the path *)
  md_counts : forall u j, In u (dag_nodes S d) -> In j js -> W u j <> 0 ->
    age j < F u /\ within (lim u) (- age j) /\ In (pool S u) (visited S l);
  (* turns *)
  md_turns : forall c p j, chain S c -> (forall u, In u c -> In u (dag_nodes S d) /\ pool S u = p) -> order_of S p = Fifo -> In j js ->
    sum (fun u => ind (negb (W u j =? 0))) c <= Z.of_nat (length (here S p l));
  (* turns over all jobs *)
  md_turns_of_all : forall c p, chain S c -> (forall u, In u c -> In u (dag_nodes S d) /\ pool S u = p /\ F u <= period S d) ->
    order_of S p = Fifo -> sum (fun j => sum (fun u => ind (negb (W u j =? 0))) c) js <= Z.of_nat (length (here S p l));
}.

Arguments md_nodup {S F lim part l d k js age W}.
Arguments md_apart {S F lim part l d k js age W}.
Arguments md_part {S F lim part l d k js age W}.
Arguments md_counts {S F lim part l d k js age W}.
Arguments md_turns {S F lim part l d k js age W}.
Arguments md_turns_of_all {S F lim part l d k js age W}.

(** And the path's own job, j0, among those of its DAG. *)
Record own_may_do (S : system) (a : accounts) (l : list node) (d k : Z) (excluded : node -> bool) (W : node -> Z) : Prop := {
  own_last : forall u, In u l -> W u + k * last a u <= k * vol a u;
  own_excluded : forall u, In u (dag_nodes S d) -> excluded u = true -> W u = 0;
  own_turns : forall c p, chain S c -> (forall u, In u c -> In u (dag_nodes S d) /\ pool S u = p) -> order_of S p = Fifo ->
    sum (fun u => ind (negb (W u =? 0) || if in_dec Z.eq_dec u l then true else false)) c <= Z.of_nat (length (here S p l));
}.

Arguments own_last {S a l d k excluded W}.
Arguments own_excluded {S a l d k excluded W}.
Arguments own_turns {S a l d k excluded W}.

(** X covers what the jobs of another DAG d may do, and what those of the path's own DAG may, its last pieces taken off. *)
Definition others_covered S F lim part (share : Z -> Z) l d X : Prop :=
  forall k js age W, 0 < k -> may_do S F lim part l d k js age W ->
    sum (fun j => sum (fun u => share (pool S u) * W u j) (dag_nodes S d)) js <= k * X.

Definition own_covered S a F lim part (share : Z -> Z) l d excluded X : Prop :=
  forall k js age W j0, 0 < k -> may_do S F lim part l d k js age W -> In j0 js -> age j0 = 0 ->
    own_may_do S a l d k excluded (fun u => W u j0) ->
    sum (fun j => sum (fun u => share (pool S u) * W u j) (dag_nodes S d)) js <= k * X.

(** T10a's inequality for node v and a path l to v, with limits lim. *)
Definition aligned_path (S : system) (a : accounts) (F : node -> Z) (lim : node -> option Z) (v : node) (l : list node) : Prop :=
  exists M share excluded parallel blk part own others,
    common_multiple S a M share /\
    parallel_sound S parallel /\ (forall q, ancestor_or_self S q v -> blocking_covers S a F parallel blk q) /\
    (forall u, In u (nodes S) -> excluded u = true -> never_meanwhile S v l u) /\
    parts_cover S a F part /\
    own_covered S a F lim part share l (dag S v) excluded own /\
    (forall d, In d (other_dags S v) -> others_covered S F lim part share l d (others d)) /\
    sum (fun y => M * exec a y + share (pool S y) * blk y) l + own + sum others (other_dags S v) <= M * F v.

(** Over all paths. *)
Definition aligned_within (S : system) (a : accounts) (F : node -> Z) (lim : node -> option Z) (v : node) : Prop :=
  forall l, path S l v -> aligned_path S a F lim v l.

Definition aligned_inequality (S : system) (a : accounts) (F : node -> Z) (v : node) : Prop :=
  exists lim, limits S F v lim /\ aligned_within S a F lim v.

(** Sums over the nodes of the pools of a path, DAG by DAG. *)
Lemma sum_by_dag S v (f : node -> Z) : In v (nodes S) ->
  sum f (nodes S) = sum f (dag_nodes S (dag S v)) + sum (fun d => sum f (dag_nodes S d)) (other_dags S v).
Proof.
  intros hv. unfold dag_nodes. rewrite sum_filter. unfold other_dags. rewrite sum_filter.
  rewrite (sum_eq (fun d => ind (negb (d =? dag S v)) * sum f (filter (fun u => dag S u =? d) (nodes S)))
    (fun d => sum (fun u => ind (negb (d =? dag S v)) * (ind (dag S u =? d) * f u)) (nodes S)))
    by (intros d _; rewrite sum_filter, sum_scale; reflexivity).
  rewrite sum_exchange, <- sum_add. apply sum_eq. intros u hu.
  assert (hd : In (dag S u) (nodup Z.eq_dec (map (dag S) (nodes S)))) by (apply nodup_In, in_map, hu).
  rewrite (sum_unique _ _ (dag S u)); [| apply NoDup_nodup | exact hd |].
  - rewrite Z.eqb_refl. destruct (dag S u =? dag S v); cbn [negb ind]; lia.
  - intros d _ hne. destruct (Z.eqb_spec (dag S u) d); [congruence|]. cbn [ind]. lia.
Qed.

Lemma sum_over_visited S l share (f : node -> Z) : (forall u, In u (nodes S) -> f u <> 0 -> In (pool S u) (visited S l)) ->
  sum (fun p => share p * sum f (on_pool S p)) (visited S l) = sum (fun u => share (pool S u) * f u) (nodes S).
Proof.
  intros hf. unfold on_pool.
  rewrite (sum_eq _ (fun p => sum (fun u => ind (pool S u =? p) * (share (pool S u) * f u)) (nodes S))).
  - rewrite sum_exchange. apply sum_eq. intros u hu. destruct (Z.eq_dec (f u) 0) as [->|hne].
    + rewrite sum_zero; [lia|]. intros p _. lia.
    + rewrite (sum_unique _ _ (pool S u)); [rewrite Z.eqb_refl; cbn [ind]; lia | apply NoDup_nodup | now apply hf|].
      intros p _ hp. destruct (Z.eqb_spec (pool S u) p); [congruence|]. cbn [ind]. lia.
  - intros p _. rewrite sum_filter, <- sum_scale. apply sum_eq. intros u _. destruct (Z.eqb_spec (pool S u) p) as [->|]; cbn [ind]; ring.
Qed.

(** A late path, and a path to v that goes on from it. *)
Lemma late_path_on S h : well_formed S -> legal S h -> forall v r Fv, In v (nodes S) -> released h (dag S v) r = true -> 0 <= Fv ->
  done h v r (r + Fv) = false ->
  exists l x l', path S l x /\ ancestor_or_self S x v /\ (forall s, r <= s <= r + Fv -> exists y, In y l /\ pending S h y r s = true) /\
    path S l' v /\ incl l l'.
Proof.
  intros wf lg v r Fv hv hr h0 missed. destruct (late_path S h wf lg r v (r + Fv) hv hr ltac:(lia) missed) as (l & x & hl & hx & _ & cover).
  exists l, x. destruct hx as [->|ha].
  - exists l. repeat split; auto; [now left | apply incl_refl].
  - destruct (path_goes_on S l x v hl ha) as (l' & hl' & hincl). exists l'. repeat split; auto. now right.
Qed.

Section T10a.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  (** What is done while a path waits obeys all that. *)
  Section May.
    Context (g : progress) (a : accounts) (busy : node -> Z -> Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (r : Z) (l : list node) (x : node) (l' : list node).
    Context (laws : keeps_laws S h g a) (hwork : forall u r t, In u (nodes S) -> 0 < work g u r t -> busy u r t = true).
    Context (hF : forall u, In u (nodes S) -> exec a u <= F u) (hv : In v (nodes S)) (hlim : limits_sound S h g F v lim).
    Context (hr : released h (dag S v) r = true) (met : met_before S h F v r) (first : first_busy S busy F v r).
    Context (hl : path S l x) (hx : ancestor_or_self S x v) (cover : forall s, r <= s <= r + F v -> exists y, In y l /\ pending S h y r s = true).
    Context (hl' : path S l' v) (hincl : incl l l').
    Let t := r + F v.
    Let W := meanwhile S g F busy v r l'.
    Let jobs := fun d => filter (released h d) (range 0 (t + 1)).
    Let hrecent := meanwhile_recent S h g a wf lg laws F hF busy hwork v r hv met first l x hl hx cover l' hl' hincl.

    Lemma may_do_meanwhile part : parts_cover S a F part -> forall d, In d (dag S v :: other_dags S v) -> may_do S F lim part l' d 1 (jobs d) (fun j => r - j) W.
    Proof.
      intros hpart. intros d hd. constructor.
      - apply NoDup_filter, range_nodup.
      - intros i j hi hj hne. apply filter_In in hi, hj. destruct hi as (_ & hi), hj as (_ & hj).
        assert (exists u, In u (nodes S) /\ dag S u = d) as (u & hu & <-).
        { destruct hd as [<-|hd]; [eauto|]. apply filter_In in hd. destruct hd as (hd & _). apply nodup_In, in_map_iff in hd.
          destruct hd as (u & <- & hu). eauto. }
        pose proof (legal_sporadic lg u hu) as hsp.
        destruct (Z.lt_trichotomy i j) as [hlt|[|hlt]]; [right | contradiction | left].
        + specialize (hsp i j hi hj hlt). lia.
        + specialize (hsp j i hj hi hlt). lia.
      - intros u j hu _. apply in_dag_nodes in hu. destruct hu as (hu & _). destruct (hpart u (r - j) hu) as (_ & h0 & hp).
        split; [now apply (meanwhile_at_least S h g a laws)|]. rewrite Z.mul_1_l.
        destruct (Z.eq_dec (W u j) 0) as [->|hne]; [exact h0|].
        pose proof (meanwhile_volume S h g a laws F hF busy v r hv l' u j hu) as hv1.
        pose proof (meanwhile_fits S h g a wf lg laws F hF busy hwork v r hv met first l x hl hx cover l' hl' hincl u j hu hne) as hv2.
        fold W in hv1, hv2. pose proof (law_numbers laws u hu) as (he & hvol & hzero).
        pose proof (meanwhile_at_least S h g a laws F busy v r l' u j hu) as hw0. fold W in hw0.
        destruct (Z.eq_dec (exec a u) 0) as [he0|hepos]; [rewrite (hzero he0) in hv1; lia|].
        replace (j + F u - r) with (F u - (r - j)) in hv2 by ring. nia.
      - intros u j hu _ hne. apply in_dag_nodes in hu. destruct hu as (hu & _). destruct (hrecent u j hu hne) as (_ & h1).
        split; [exact h1|]. split.
        + replace (- (r - j)) with (j - r) by ring.
          apply (meanwhile_limited S h g a wf lg laws F hF busy v r hv met l x hl hx cover l' hl' hincl lim u j hlim hu hne).
        + apply (meanwhile_visited S h g a wf lg laws F hF busy v r hv l x hl hx cover l' hl' hincl u j hu hne).
      - intros c p j hc hin hord _.
        apply (turns S h g a wf lg laws F hF busy v r hv l x hl hx cover l' hl' hincl c p j hc); [|exact hord].
        intros u hu. destruct (hin u hu) as (h1 & h2). apply in_dag_nodes in h1. tauto.
      - intros c p hc hin hord.
        apply (turns_of_all S h g a wf lg laws F hF busy hwork v r hv met first l x hl hx cover l' hl' hincl c p d); auto.
        + intros u hu. destruct (hin u hu) as (h1 & h2 & h3). apply in_dag_nodes in h1. tauto.
        + apply NoDup_filter, range_nodup.
    Qed.

    Lemma own_may_do_meanwhile excluded : done h v r t = false -> (forall u, In u (nodes S) -> excluded u = true -> never_meanwhile S v l' u) ->
      own_may_do S a l' (dag S v) 1 excluded (fun u => W u r).
    Proof.
      intros missed hexcl. constructor.
      - intros u hu. rewrite !Z.mul_1_l. exact (meanwhile_own S h g a wf lg laws F hF busy v r hv l x hl hx cover l' hl' hincl u hu).
      - intros u hu he. apply in_dag_nodes in hu. destruct hu as (hu & _).
        apply (meanwhile_never S h g a wf lg laws F hF busy v r hv missed l x hl hx cover l' hl' hincl u hu).
        apply never_meanwhile_at. now apply hexcl.
      - intros c p hc hin hord.
        apply (turns_own S h g a wf lg laws F hF busy v r hv l x hl hx cover l' hl' hincl c p hc); [|exact hord].
        intros u hu. destruct (hin u hu) as (h1 & h2). apply in_dag_nodes in h1. tauto.
    Qed.
  End May.

  (** No path explains a missed due instant for which the inequality holds. *)
  Lemma aligned_late g a busy F lim v r l x l' :
    keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    In v (nodes S) -> limits_sound S h g F v lim -> aligned_path S a F lim v l' ->
    released h (dag S v) r = true -> met_before S h F v r -> first_busy S busy F v r -> done h v r (r + F v) = false ->
    path S l x -> ancestor_or_self S x v -> (forall s, r <= s <= r + F v -> exists y, In y l /\ pending S h y r s = true) ->
    path S l' v -> incl l l' -> False.
  Proof.
    intros laws hbusy hF hv hlim (M & share & excluded & parallel & blk & part & own & others & hM & hpar & hblk & hexcl & hpart & hown & hothers & hle)
      hr met first missed hl hx cover hl' hincl.
    pose proof (F_nonneg S h g a laws F hF) as F0.
    pose proof (busy_work hbusy) as hwork.
    pose proof (explained_strictly S h g a wf lg laws F hF busy v r hv l x hl hx cover l' hl' hincl hbusy blk) as hex.
    specialize (hex (fun y hy => blocked_work S h g a wf lg laws F hF v r hv met parallel blk y hpar
      (proj1 (path_nodes S l' v wf hv hl' y hy)) (proj2 (path_nodes S l' v wf hv hl' y hy)) (hblk y (path_ancestors S l' v hl' y hy))) M share).
    destruct hM as (Mpos & hshare). specialize (hex (conj Mpos (fun y hy => hshare y (proj1 (path_nodes S l' v wf hv hl' y hy))))).
    set (t := r + F v) in *. set (W := meanwhile S g F busy v r l') in *.
    pose proof (meanwhile_recent S h g a wf lg laws F hF busy hwork v r hv met first l x hl hx cover l' hl' hincl) as hrecent.
    fold W in hrecent.
    assert (hvisited : forall u, In u (nodes S) -> sum (W u) (range 0 (t + 1)) <> 0 -> In (pool S u) (visited S l')).
    { intros u hu hne. assert (hpos : 0 < sum (W u) (range 0 (t + 1))).
      { enough (0 <= sum (W u) (range 0 (t + 1))) by lia. apply sum_nonneg. intros r' _. now apply (meanwhile_at_least S h g a laws). }
      apply sum_pos_in in hpos. destruct hpos as (r' & _ & hp).
      apply (meanwhile_visited S h g a wf lg laws F hF busy v r hv l x hl hx cover l' hl' hincl u r' hu). fold W. lia. }
    change (M * F v + 1 <= sum (fun y => M * exec a y + share (pool S y) * blk y) l'
      + sum (fun p => share p * sum (fun u : node => sum (W u) (range 0 (t + 1))) (on_pool S p)) (visited S l')) in hex.
    rewrite (sum_over_visited S l' share (fun u => sum (W u) (range 0 (t + 1))) hvisited), (sum_by_dag S v _ hv) in hex.
    (* the jobs of a DAG *)
    set (jobs := fun d => filter (released h d) (range 0 (t + 1))).
    assert (hjobs : forall d, sum (fun u => share (pool S u) * sum (W u) (range 0 (t + 1))) (dag_nodes S d)
              = sum (fun j => sum (fun u => share (pool S u) * W u j) (dag_nodes S d)) (jobs d)).
    { intros d. unfold jobs. rewrite sum_filter.
      rewrite (sum_eq (fun u => share (pool S u) * sum (W u) (range 0 (t + 1))) (fun u => sum (fun j => share (pool S u) * W u j) (range 0 (t + 1))))
        by (intros u _; now rewrite sum_scale).
      rewrite sum_exchange. apply sum_eq. intros j _. destruct (released h d j) eqn:hrel; cbn [ind]; [lia|].
      rewrite Z.mul_0_l. apply sum_zero. intros u hu. apply in_dag_nodes in hu. destruct hu as (hu & hd).
      destruct (Z.eq_dec (W u j) 0) as [->|hne]; [lia|]. destruct (hrecent u j hu hne) as (hrel' & _). congruence. }
    pose proof (may_do_meanwhile g a busy F lim v r l x l' laws hwork hF hv hlim met first hl hx cover hl' hincl part hpart) as hmay.
    rewrite (hjobs (dag S v)) in hex. rewrite (sum_eq _ _ (other_dags S v) (fun d _ => hjobs d)) in hex.
    assert (hr0 : In r (jobs (dag S v))).
    { apply filter_In. split; [|exact hr]. pose proof (legal_start lg _ _ hr). specialize (F0 v hv). apply in_range. unfold t. lia. }
    specialize (hown 1 (jobs (dag S v)) (fun j => r - j) W r ltac:(lia) (hmay _ (or_introl eq_refl)) hr0 ltac:(ring)).
    pose proof (own_may_do_meanwhile g a busy F v r l x l' laws hF hv hl hx cover hl' hincl excluded missed hexcl) as hownmay.
    specialize (hown hownmay).
    assert (hsum : sum (fun d => sum (fun j => sum (fun u => share (pool S u) * W u j) (dag_nodes S d)) (jobs d)) (other_dags S v)
              <= sum others (other_dags S v)).
    { apply sum_le. intros d hd. rewrite <- (Z.mul_1_l (others d)). apply (hothers d hd 1 (jobs d) (fun j => r - j) W ltac:(lia)).
      apply hmay. now right. }
    lia.
  Qed.

  (** One node: it meets its due instants if the inequality holds for all paths to it, as long as earlier ones are met; of those that would
      miss theirs at the same time one that is worked on is looked at. *)
  Theorem T10a_within g a busy F lim v :
    keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    In v (nodes S) -> limits_sound S h g F v lim -> aligned_within S a F lim v -> safe_with S h busy F v.
  Proof.
    intros laws hbusy hF hv hlim hineq r hr met first.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    destruct (late_path_on S h wf lg v r (F v) hv hr (F_nonneg S h g a laws F hF v hv) missed) as (l & x & l' & hl & hx & cover & hl' & hincl).
    eapply (aligned_late g a busy F lim v r l x l'); eauto.
  Qed.

  Theorem T10a_safe g a busy F v :
    keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    In v (nodes S) -> aligned_inequality S a F v -> safe_with S h busy F v.
  Proof.
    intros laws hbusy hF hv (lim & hlim & hineq). apply (T10a_within g a busy F lim v); auto. exact (limits_are_sound S h g a F v lim wf lg laws hv hlim).
  Qed.
End T10a.
