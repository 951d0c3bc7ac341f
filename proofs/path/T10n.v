(** T10n: one bound per node, on pools in order of ready time (FIFO, GPUs), of priority points by DAG or by node, of fixed priorities (T11).

    docs/theory/path.md, "T10n: one bound per node" and "Priority points per node". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality path.Missed path.Waiting.

(** [limits S F v lim]: lim u is no less than the limit of u for any q on u's pool among v and its ancestors. The least such lim is the
    maximum over these q, as the formula is printed; a larger one counts more jobs and is as safe. *)
Definition limits (S : system) (F : node -> Z) (v : node) (lim : node -> option Z) : Prop :=
  forall q u, ancestor_or_self S q v -> In u (nodes S) -> pool S u = pool S q -> limit_le (limit S F q u) (lim u).

(** Nodes of the job itself that need not be counted while path l to v waits: strict descendants of v (T10n), and those that come before or
    after every node of l on their pool, that is, that are parallel to none, or else are of lower priority or have a later point (T10p). *)
Definition never_meanwhile (S : system) (v : node) (l : list node) (u : node) : Prop :=
  ancestor S v u \/ forall y, In y l -> pool S y = pool S u ->
    ancestor S u y \/ ancestor S y u \/ lower (order_of S (pool S y)) u 0 y 0 = true.

Lemma lower_of_one_job o u y r : lower o u r y r = lower o u 0 y 0.
Proof.
  destruct o as [|Y|pi|pi]; cbn [lower]; auto. destruct (Z.ltb_spec (r + Y y) (r + Y u)), (Z.ltb_spec (0 + Y y) (0 + Y u)); auto; lia.
Qed.

Lemma not_lower_itself o u r : lower o u r u r = false.
Proof. destruct o; cbn [lower]; auto; apply Z.ltb_irrefl. Qed.

Lemma never_meanwhile_at S v l u r : never_meanwhile S v l u ->
  ancestor S v u \/ forall y, In y l -> pool S y = pool S u
    -> ancestor S u y \/ ancestor S y u \/ lower (order_of S (pool S y)) u r y r = true.
Proof. intros [ha|hall]; [now left | right]. intros y hy hp. rewrite lower_of_one_job. auto. Qed.

(** A node of the path itself has to be counted. *)
Lemma path_node_counts S v l u : well_formed S -> In v (nodes S) -> path S l v -> In u l -> ~ never_meanwhile S v l u.
Proof.
  intros wf hv hl hu hn. destruct (ancestor_or_self_facts S u v wf hv (path_ancestors S l v hl u hu)) as (hun & _ & hle).
  destruct hn as [ha|hall].
  - destruct (ancestor_facts S v u wf hun ha) as (_ & _ & ?). lia.
  - destruct (hall u hu eq_refl) as [ha|[ha|hlow]].
    1, 2: destruct (ancestor_facts S u u wf hun ha) as (_ & _ & ?); lia.
    rewrite not_lower_itself in hlow. discriminate.
Qed.

(** Inequality (2) for node v, with blocking on pools that do not preempt, over all paths l from a source to v. *)
Definition path_inequality (S : system) (a : accounts) (F : node -> Z) (v : node) : Prop :=
  exists M share excluded lim parallel blk,
    common_multiple S a M share /\
    parallel_sound S parallel /\ (forall q, ancestor_or_self S q v -> blocking_covers S a F parallel blk q) /\
    (forall l u, path S l v -> In u (nodes S) -> excluded l u = true -> never_meanwhile S v l u) /\
    limits S F v lim /\
    forall l, path S l v -> path_bound S a M share blk (count S F v (excluded l) lim) l <= M * F v.

(** What [limits] is for: of the jobs that run while v or an ancestor waits, as may go before it, none is released later. *)
Definition limits_sound (S : system) (h : history) (g : progress) (F : node -> Z) (v : node) (lim : node -> option Z) : Prop :=
  forall r, met_before S h F v r -> forall q u r' s, In u (nodes S) -> pool S u = pool S q -> ancestor_or_self S q v -> r <= s <= r + F v ->
    waits g q r s = true -> 0 < work g u r' s -> lower (order_of S (pool S q)) u r' q r = false -> within (lim u) (r' - r).

Lemma limits_are_sound S h g a F v lim :
  well_formed S -> legal S h -> rated_laws S h g a -> In v (nodes S) -> limits S F v lim -> limits_sound S h g F v lim.
Proof.
  intros wf lg laws hv hlim r met q u r' s hu hp hq hs hw hwork hlow.
  eapply within_le; [|apply (hlim q u hq hu hp)]. apply (limit_sound S h g a wf lg laws F v r hv met q u r' s); auto.
Qed.

Section T10n.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  (* The limit of a node for itself is never negative: its own work is counted. *)
  Lemma limit_self F v : 0 <= F v -> within (limit S F v v) 0.
  Proof.
    intros hF. pose proof (ready_bound_nonneg S F v). unfold limit.
    destruct (order_of S (pool S v)) as [|Y|pi|pi]; cbn; try lia.
    - rewrite Z.ltb_irrefl, Z.eqb_refl. cbn. lia.
    - rewrite Z.ltb_irrefl. cbn. lia.
  Qed.

  (** One node, with any counts n that cover the jobs of every node, path by path. *)
  Theorem path_safe g a F v M share excluded lim parallel blk (n : list node -> node -> Z) :
    rated_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> In v (nodes S) ->
    common_multiple S a M share -> parallel_sound S parallel -> (forall q, ancestor_or_self S q v -> blocking_covers S a F parallel blk q)
      ->
    (forall l u, path S l v -> In u (nodes S) -> excluded l u = true -> never_meanwhile S v l u) -> limits S F v lim ->
    (forall r l u, released h (dag S v) r = true -> path S l v -> In u (nodes S) -> covers_jobs S h v r F lim (excluded l) u (n l u)) ->
    (forall l, path S l v -> path_bound S a M share blk (n l) l <= M * F v) -> safe S h F v.
  Proof.
    intros laws hF hv hM hpar hblk hexcl hlim hcount hineq r hr met.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    pose proof (F_nonneg S h g a laws F hF) as F0.
    destruct (late_path S h wf lg r v (r + F v) hv hr ltac:(specialize (F0 v hv); lia) missed) as (l & x & hl & hx & hxn & cover).
    assert (exists l', path S l' v /\ incl l l') as (l' & hl' & hincl).
    { destruct hx as [->|ha]; [exists l; split; [auto | apply incl_refl] | eapply path_goes_on; eauto]. }
    assert (hpath : forall y, In y l' -> excluded l' y = false /\ within (lim y) 0).
    { intros y hy. pose proof (path_ancestors S l' v hl' y hy) as ha.
      destruct (ancestor_or_self_facts S y v wf hv ha) as (hyn & _ & hyv). split.
      - destruct (excluded l' y) eqn:hd; [|reflexivity]. exfalso. exact (path_node_counts S v l' y wf hv hl' hy (hexcl l' y hl' hyn hd)).
      - eapply within_le; [apply limit_self, F0, hyn | apply hlim; auto]. }
    pose proof (late_impossible S h g a wf lg laws v r (F v) hr (F0 v hv) F) as himp.
    specialize (himp lim).
    specialize (himp l x hl hx cover l' v hl' hv eq_refl hincl (fun q u r' s hu hp _ hq hs hw hwork hlow =>
      within_le _ _ _ (limit_sound S h g a wf lg laws F v r hv met q u r' s hu hp hq hs hw hwork hlow) (hlim q u hq hu hp))
      (fun _ u r' s _ hu _ => old_jobs_done S h g a lg laws F hF v r hv met u r' s hu)).
    specialize (himp (excluded l') (fun u hu hd => never_meanwhile_at S v l' u r (hexcl l' u hl' hu hd)) hpath blk
      (fun y hy => blocked_work S h g a wf lg laws F hF v r hv met parallel blk y hpar
                     (proj1 (path_nodes S l' v wf hv hl' y hy)) (proj2 (path_nodes S l' v wf hv hl' y hy))
                       (hblk y (path_ancestors S l' v hl' y hy)))
      (fun y s => path_paced S h g a l' v laws wf hv hl' y r s) M share).
    destruct hM as (hM & hshare). specialize (himp (conj hM (fun y hy => hshare y (proj1 (path_nodes S l' v wf hv hl' y hy))))).
    specialize (himp (n l') (fun u hu => hcount r l' u hr hl' hu)).
    specialize (hineq l' hl'). nia.
  Qed.

  (** If (2) holds for v, v meets its due instants as long as earlier ones are met.
  The weights of GPUs, and with them counted work and accounts,
      may be chosen for this node alone. *)
  Theorem T10n_safe g a F v :
    rated_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    In v (nodes S) -> path_inequality S a F v -> safe S h F v.
  Proof.
    intros laws hF hv (M & share & excluded & lim & parallel & blk & hM & hpar & hblk & hexcl & hlim & hineq).
    apply (path_safe g a F v M share excluded lim parallel blk (fun l => count S F v (excluded l) lim)); auto.
    intros r l u hr _ hu. now apply count_covers.
  Qed.

  (** T10n. If (2) holds for all nodes, every node ends within its bound, in every schedule. *)
  Theorem T10n g a F :
    rated_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    (forall v, In v (nodes S) -> path_inequality S a F v) ->
    forall v, In v (nodes S) -> ends_within S h v (F v).
  Proof.
    intros laws hF hineq. apply all_safe; auto.
    - intros v hv. pose proof (cl_numbers laws v hv) as (? & _ & _). specialize (hF v hv). lia.
    - intros v hv. eapply T10n_safe; eauto.
  Qed.
End T10n.

(** The counts as docs/theory/path.md prints them. *)

(** FIFO pools and GPUs, a = max of A_q: other DAGs ceil((F_u + a)/T_d). *)
Lemma count_other_fifo T Fu a : 0 < T -> 0 <= Fu -> 0 <= a -> count_other T Fu (Some a) = cdiv (Fu + a) T.
Proof. intros. cbn. pose proof (cdiv_nonneg (Fu + a) T). lia. Qed.

Lemma cdiv_sub a T : 0 < T -> cdiv (a + - T) T = cdiv a T - 1.
Proof.
  intros hT. unfold cdiv. replace (- (a + - T)) with (- a + 1 * T) by ring. rewrite Z.div_add by lia. ring.
Qed.

(** The own DAG: [u is no strict descendant of v] + max(0, ceil(F_u/T) - 1) + floor(a/T). *)
Lemma count_own_fifo T Fu d a : 0 < T -> 0 <= a ->
  count_own T Fu d (Some a) = (if d then 0 else 1) + Z.max 0 (cdiv Fu T - 1) + a / T.
Proof.
  intros hT ha. cbn. rewrite Z.min_r by lia. rewrite cdiv_sub by auto.
  rewrite (proj2 (Z.leb_le 0 a) ha). destruct d; lia.
Qed.

(** GEL by DAG: other DAGs max(0, ceil((F_u + min(b, Y_k - Y_d))/T_d)), the own one ceil(F_u/T) - [u is a strict descendant of v], where
    F_u > 0. (Where F_u = 0 the node has no volume.) *)
Lemma count_own_gel_by_dag T Fu (d : bool) b : 0 < T -> 0 < Fu -> 0 <= b ->
  count_own T Fu d (Some (Z.min b 0)) = cdiv Fu T - (if d then 1 else 0).
Proof.
  intros hT hF hb. rewrite Z.min_r by lia. cbn. rewrite Z.min_r by lia. rewrite cdiv_sub by auto.
  pose proof (cdiv_pos Fu T hT hF). destruct d; lia.
Qed.
