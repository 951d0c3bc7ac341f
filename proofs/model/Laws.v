(** What the path and the local theorems use of a pool: counted work. docs/theory/path.md, "Counted work".

    Pools of processors and GPUs keep these laws: pools/Processors.v and pools/Gpu.v prove it from what their schedules are. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule.

(** Per pool its capacity, and how many started pieces of lower priority may go on while a node waits (0 with preemption); per node the execution
    e that it adds to a path, its last piece s and its volume vol, the latter two and the capacity in units of the pool's work. *)
Record accounts := {
  cap : Z -> Z;
  lagging : Z -> Z;
  exec : node -> Z;
  last : node -> Z;
  vol : node -> Z;
}.

(** [waits v r t]: the node job (v, r) is ready, and not yet fully started, during tick t. [work v r t]: its counted work in that tick. *)
Record progress := {
  waits : node -> Z -> Z -> bool;
  work : node -> Z -> Z -> Z;
}.

(** The counted work of pool p in tick t: of all its nodes, of all jobs released so far. *)
Definition rate (S : system) (g : progress) (p t : Z) : Z :=
  sum (fun u => sum (fun r => work g u r t) (range 0 (t + 1))) (on_pool S p).

(** The laws for the nodes of a list, of one pool or of all. *)
Record keeps_laws_on (N : list node) (S : system) (h : history) (g : progress) (a : accounts) : Prop := {
  law_numbers : forall u, In u N -> 0 <= exec a u /\ 0 <= last a u <= vol a u /\ (exec a u = 0 -> vol a u = 0);
  law_cap : forall u, In u N -> 0 < cap a (pool S u) /\ 0 <= lagging a (pool S u);
  law_waits : forall u r t, In u N -> waits g u r t = true -> pending S h u r t = true;
  law_work : forall u r t, In u N -> 0 <= work g u r t;
  (* Only what is ready and has not ended is worked on. *)
  law_pending : forall u r t, In u N -> 0 < work g u r t -> pending S h u r t = true;
  (* Once it does not wait any more, it ends within exec; in all its work is at most vol, of which last is not done while it waits. *)
  law_exec : forall u r b c, In u N -> sum (fun t => ind (pending S h u r t && negb (waits g u r t))) (range b c) <= exec a u;
  law_vol : forall u r b c, In u N -> sum (work g u r) (range b c) <= vol a u;
  law_last : forall u r b c, In u N -> sum (fun t => ind (waits g u r t) * work g u r t) (range b c) <= vol a u - last a u;
  (* From an instant at which it does not wait, what is left is at most exec times its present rate. *)
  law_left : forall u r t b, In u N -> pending S h u r t = true -> waits g u r t = false ->
    sum (work g u r) (range t b) <= exec a u * work g u r t;
  (* No tick holds more than vol / exec of one node job. *)
  law_width : forall u r t, In u N -> exec a u * work g u r t <= vol a u;
  (* Rate: while a node waits, its pool works at its capacity, on what may go before it. *)
  law_rate : forall v r t, In v N -> waits g v r t = true -> cap a (pool S v) <= rate S g (pool S v) t;
  law_order : forall v r u r' t, In v N -> In u N -> pool S u = pool S v ->
    waits g v r t = true -> 0 < work g u r' t -> lower (order_of S (pool S v)) u r' v r = false ->
    before S h (order_of S (pool S v)) u r' v r;
  (* Or on at most [lagging] pieces of lower priority that had started before the node was ready. *)
  law_lagging : forall v r b c, In v N -> exists l : list (node * Z),
    NoDup l /\ Z.of_nat (length l) <= lagging a (pool S v) /\
    (forall u r', In (u, r') l -> In u (on_pool S (pool S v)) /\ lower (order_of S (pool S v)) u r' v r = true /\
       (exists s, b <= s < c /\ waits g v r s = true /\ 0 < work g u r' s) /\
       exists s, ready S h v r s = false /\ pending S h u r' s = true) /\
    sum (fun t => ind (waits g v r t) *
           sum (fun u => sum (fun r' => ind (lower (order_of S (pool S v)) u r' v r) * work g u r' t) (range 0 (t + 1))) (on_pool S (pool S v)))
      (range b c) <= sum (fun ur => vol a (fst ur)) l;
}.

Arguments law_numbers {N S h g a}.
Arguments law_cap {N S h g a}.
Arguments law_waits {N S h g a}.
Arguments law_work {N S h g a}.
Arguments law_pending {N S h g a}.
Arguments law_exec {N S h g a}.
Arguments law_vol {N S h g a}.
Arguments law_last {N S h g a}.
Arguments law_left {N S h g a}.
Arguments law_width {N S h g a}.
Arguments law_rate {N S h g a}.
Arguments law_order {N S h g a}.
Arguments law_lagging {N S h g a}.

Definition keeps_laws (S : system) := keeps_laws_on (nodes S) S.

(** Pools are independent: laws that hold on each hold for all. *)
Lemma laws_of_pools S h g a : (forall p, keeps_laws_on (on_pool S p) S h g a) -> keeps_laws S h g a.
Proof.
  intros H. assert (hin : forall u, In u (nodes S) -> In u (on_pool S (pool S u))) by (intros; now apply in_on_pool).
  constructor; intros u; intros; destruct (H (pool S u)) as [n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13]; eauto.
  apply n12 with (t := t); auto. now apply in_on_pool.
Qed.

(** What holds for all nodes holds for those of one pool. *)
Lemma laws_of_pool S h g a p : keeps_laws S h g a -> keeps_laws_on (on_pool S p) S h g a.
Proof.
  intros H. assert (hin : forall u, In u (on_pool S p) -> In u (nodes S)) by (intros u hu; apply in_on_pool in hu; tauto).
  constructor; intros u; intros; destruct H as [n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13]; eauto.
Qed.

(** What T10n uses of these laws. They hold, too, where what follows a node may be ready before the node has ended (executors/Early.v): there a node
    job may be worked on although what precedes it has not ended, but not while something before or after it waits. *)
Definition released_before (S : system) (h : history) (o : order) (u : node) (r' : Z) (v : node) (r : Z) : Prop :=
  let ready_first := forall t, ready S h v r t = true -> r' <= t in
  match o with
  | Fifo => ready_first
  | Gel Y => r' + Y u <= r + Y v
  | Fixed pi => pi v < pi u \/ (pi v = pi u /\ ready_first)
  | FixedAny pi => pi v <= pi u
  end.

Record counting_laws (S : system) (h : history) (g : progress) (a : accounts) : Prop := {
  cl_numbers : forall u, In u (nodes S) -> 0 <= exec a u /\ 0 <= last a u <= vol a u /\ (exec a u = 0 -> vol a u = 0);
  cl_cap : forall u, In u (nodes S) -> 0 < cap a (pool S u) /\ 0 <= lagging a (pool S u);
  cl_waits : forall u r t, In u (nodes S) -> waits g u r t = true -> pending S h u r t = true;
  cl_work : forall u r t, In u (nodes S) -> 0 <= work g u r t;
  cl_undone : forall u r t, In u (nodes S) -> 0 < work g u r t -> released h (dag S u) r = true /\ r <= t /\ done h u r t = false;
  cl_alone : forall u r t, In u (nodes S) -> 0 < work g u r t ->
    pending S h u r t = true \/ forall y, In y (nodes S) -> waits g y r t = true -> ~ ancestor S u y /\ ~ ancestor S y u;
  cl_exec : forall u r b c, In u (nodes S) -> sum (fun t => ind (pending S h u r t && negb (waits g u r t))) (range b c) <= exec a u;
  cl_vol : forall u r b c, In u (nodes S) -> sum (work g u r) (range b c) <= vol a u;
  cl_last : forall u r b c, In u (nodes S) -> sum (fun t => ind (waits g u r t) * work g u r t) (range b c) <= vol a u - last a u;
  cl_order : forall v r u r' t, In v (nodes S) -> In u (nodes S) -> pool S u = pool S v ->
    waits g v r t = true -> 0 < work g u r' t -> lower (order_of S (pool S v)) u r' v r = false ->
    released_before S h (order_of S (pool S v)) u r' v r;
  cl_lagging : forall v r b c, In v (nodes S) -> exists l : list (node * Z),
    NoDup l /\ Z.of_nat (length l) <= lagging a (pool S v) /\
    (forall u r', In (u, r') l -> In u (on_pool S (pool S v)) /\ lower (order_of S (pool S v)) u r' v r = true /\
       (exists s, b <= s < c /\ waits g v r s = true /\ 0 < work g u r' s) /\
       exists s, ready S h v r s = false /\ r' <= s) /\
    sum (fun t => ind (waits g v r t) *
           sum (fun u => sum (fun r' => ind (lower (order_of S (pool S v)) u r' v r) * work g u r' t) (range 0 (t + 1))) (on_pool S (pool S v)))
      (range b c) <= sum (fun ur => vol a (fst ur)) l;
}.

Arguments cl_numbers {S h g a}.
Arguments cl_cap {S h g a}.
Arguments cl_waits {S h g a}.
Arguments cl_work {S h g a}.
Arguments cl_undone {S h g a}.
Arguments cl_alone {S h g a}.
Arguments cl_exec {S h g a}.
Arguments cl_vol {S h g a}.
Arguments cl_last {S h g a}.
Arguments cl_order {S h g a}.
Arguments cl_lagging {S h g a}.

(** While one of these nodes waits its pool works at its capacity. *)
Definition paced (S : system) (g : progress) (a : accounts) (l : list node) : Prop :=
  forall y r t, In y l -> waits g y r t = true -> cap a (pool S y) <= rate S g (pool S y) t.

Record rated_laws (S : system) (h : history) (g : progress) (a : accounts) : Prop := {
  counted_laws : counting_laws S h g a;
  rated : paced S g a (nodes S);
}.
Coercion counted_laws : rated_laws >-> counting_laws.
Arguments rated {S h g a}.

Lemma before_released_before S h o u r' v r : before S h o u r' v r -> released_before S h o u r' v r.
Proof.
  assert (H : ready_no_later S h u r' v r -> forall t, ready S h v r t = true -> r' <= t).
  { intros hno t ht. specialize (hno t ht). apply ready_spec in hno. lia. }
  destruct o; cbn; intuition.
Qed.

Lemma rated_of_laws S h g a : keeps_laws S h g a -> rated_laws S h g a.
Proof.
  intros laws. constructor; [|intros v r t; exact (law_rate laws v r t)]. constructor; intros u; intros; try solve [destruct laws; eauto].
  - pose proof (law_pending laws u r t H H0) as hp. apply pending_spec in hp. destruct hp as (hp & hd). apply ready_spec in hp. tauto.
  - apply before_released_before. destruct laws; eauto.
  - destruct (law_lagging laws u r b c H) as (l & h1 & h2 & h3 & h4). exists l. split; [exact h1|]. split; [exact h2|]. split; [|exact h4].
    intros x r' hin. destruct (h3 x r' hin) as (k1 & k2 & k3 & s & k4 & k5). repeat (split; [assumption|]). exists s. split; [exact k4|].
    apply pending_spec in k5. destruct k5 as (k5 & _). apply ready_spec in k5. lia.
Qed.
Coercion rated_of_laws : keeps_laws >-> rated_laws.

Lemma path_paced S h g a l z : rated_laws S h g a -> well_formed S -> In z (nodes S) -> path S l z -> paced S g a l.
Proof. intros laws wf hz hl y r t hy. apply (rated laws). exact (proj1 (path_nodes S l z wf hz hl y hy)). Qed.

(** Nothing is done of a node while one that is before or after it waits. *)
Lemma counting_alone S h g a y u r t : well_formed S -> legal S h -> counting_laws S h g a -> In y (nodes S) -> In u (nodes S) ->
  waits g y r t = true -> ancestor S u y \/ ancestor S y u -> work g u r t = 0.
Proof.
  intros wf lg laws hy hu hw ha. pose proof (cl_work laws u r t hu) as h0. destruct (Z_lt_le_dec 0 (work g u r t)) as [hpos|]; [exfalso|lia].
  destruct (cl_alone laws u r t hu hpos) as [hp|hno]; [|specialize (hno y hy hw); tauto].
  assert (u = y) as -> by (apply (pending_alone S h lg u y r t); [tauto | exact hp | now apply (cl_waits laws)]).
  destruct ha as [ha|ha]; destruct (ancestor_facts S y y wf hy ha) as (_ & _ & ?); lia.
Qed.

Lemma counting_no_work S h g a u r t : counting_laws S h g a -> In u (nodes S) -> (vol a u = 0 \/ released h (dag S u) r = false \/ done h u r t = true) -> work g u r t = 0.
Proof.
  intros laws hu hno. pose proof (cl_work laws u r t hu) as h0. destruct (Z_lt_le_dec 0 (work g u r t)) as [hpos|]; [exfalso|lia].
  destruct (cl_undone laws u r t hu hpos) as (h1 & _ & h2). destruct hno as [hv|[hno|hno]]; [|congruence..].
  pose proof (cl_vol laws u r t (t + 1) hu) as hs. rewrite range_one in hs. cbn in hs. lia.
Qed.

Section Laws.
  Context (N : list node) (S : system) (h : history) (g : progress) (a : accounts) (laws : keeps_laws_on N S h g a).

  Lemma no_work_unless_pending u r t : In u N -> pending S h u r t = false -> work g u r t = 0.
  Proof.
    intros hu hp. pose proof (law_work laws u r t hu).
    destruct (Z_lt_le_dec 0 (work g u r t)) as [hw|]; [|lia].
    rewrite (law_pending laws u r t hu hw) in hp. discriminate.
  Qed.

  (** A node job with no execution has no work. *)
  Lemma no_work_if_empty u r t : In u N -> vol a u = 0 -> work g u r t = 0.
  Proof.
    intros hu hv. pose proof (law_work laws u r t hu).
    pose proof (law_vol laws u r t (t + 1) hu) as hs. rewrite range_one in hs. cbn in hs. lia.
  Qed.

  (** With preemption all that runs while a node waits may go before it. *)
  Lemma order_preemptive v r u r' t : In v N -> In u N -> pool S u = pool S v -> In u (nodes S)
    -> (forall x, In x (on_pool S (pool S v)) -> In x N) ->
    lagging a (pool S v) = 0 -> legal S h ->
    waits g v r t = true -> 0 < work g u r' t -> before S h (order_of S (pool S v)) u r' v r.
  Proof.
    intros hv hu hp hun hall hlag lg hw hwork. apply (law_order laws v r u r' t); auto.
    destruct (lower (order_of S (pool S v)) u r' v r) eqn:hlow; [|reflexivity]. exfalso.
    destruct (law_lagging laws v r t (t + 1) hv) as (l & _ & hlen & _ & hsum).
    assert (l = []) as -> by (destruct l; [reflexivity | cbn [length] in hlen; lia]).
    rewrite range_one in hsum. cbn [sum] in hsum. rewrite hw in hsum. cbn [ind] in hsum.
    pose proof (pending_released S h lg u r' t (law_pending laws u r' t hu hwork)) as (_ & hr').
    assert (h1 : work g u r' t <= sum (fun u => sum (fun r' => ind (lower (order_of S (pool S v)) u r' v r) * work g u r' t) (range 0 (t + 1)))
                                  (on_pool S (pool S v))).
    { etransitivity; [|apply (sum_in (fun u => sum (fun r' => ind (lower (order_of S (pool S v)) u r' v r) * work g u r' t)
        (range 0 (t + 1))) _ u)].
      - etransitivity; [|apply (sum_in (fun r' => ind (lower (order_of S (pool S v)) u r' v r) * work g u r' t) _ r')].
        + cbv beta. rewrite hlow. cbn [ind]. lia.
        + intros x _. pose proof (law_work laws u x t hu). pose proof (ind_range (lower (order_of S (pool S v)) u x v r)). nia.
        + apply in_range. lia.
      - intros x hx. apply sum_nonneg. intros y _. pose proof (law_work laws x y t (hall x hx)).
        pose proof (ind_range (lower (order_of S (pool S v)) x y v r)). nia.
      - apply in_on_pool. auto. }
    lia.
  Qed.
End Laws.
