(** Task sets: DAGs of nodes on pools. Nodes, DAGs and pools are numbered; times and amounts of work are whole numbers of an arbitrary unit. *)

From Rta Require Import model.Sums.

Definition node := Z.

(** What a pool lets go first.
    - [Fifo]: the node job that became ready first (a thread pool, a GPU, workers, a copy engine).
    - [Gel Y]: the one with the earliest priority point, release of its DAG + Y. All Y of a DAG equal: GEL by DAG; else GEL by node.
    - [Fixed pi]: the one of highest priority, a larger pi; equals by ready time.
    - [FixedAny pi]: the same, equals in any order.
    Ties are broken in any order. *)
Inductive order :=
| Fifo
| Gel (Y : node -> Z)
| Fixed (pi : node -> Z)
| FixedAny (pi : node -> Z).

Record system := {
  nodes : list node;
  dag : node -> Z;
  preds : node -> list node;   (* the nodes that must end before this one is ready *)
  pool : node -> Z;
  period : Z -> Z;             (* of a DAG: the least distance between two of its releases *)
  order_of : Z -> order;       (* of a pool *)
}.

(** Nodes are numbered so that predecessors come first: DAGs have no cycles. *)
Record well_formed (S : system) : Prop := {
  wf_nodup : NoDup (nodes S);
  wf_number : forall v, In v (nodes S) -> 0 <= v;
  wf_preds : forall v q, In v (nodes S) -> In q (preds S v) -> In q (nodes S) /\ dag S q = dag S v /\ q < v;
  wf_period : forall v, In v (nodes S) -> 0 < period S (dag S v);
}.

Arguments wf_nodup {S}.
Arguments wf_number {S}.
Arguments wf_preds {S}.
Arguments wf_period {S}.

(** The nodes of a pool. *)
Definition on_pool (S : system) (p : Z) : list node := filter (fun u => pool S u =? p) (nodes S).

Lemma in_on_pool S p u : In u (on_pool S p) <-> In u (nodes S) /\ pool S u = p.
Proof. unfold on_pool. rewrite filter_In, Z.eqb_eq. reflexivity. Qed.

(** [ancestor S q v]: q is a strict ancestor of v. *)
Inductive ancestor (S : system) : node -> node -> Prop :=
| ancestor_pred q v : In q (preds S v) -> ancestor S q v
| ancestor_step q x v : ancestor S q x -> In x (preds S v) -> ancestor S q v.

Definition ancestor_or_self (S : system) (q v : node) : Prop := q = v \/ ancestor S q v.

Lemma ancestor_trans S q x v : ancestor S q x -> ancestor S x v -> ancestor S q v.
Proof. intros h1 h2. induction h2; eauto using ancestor. Qed.

Lemma ancestor_facts S q v :
  well_formed S -> In v (nodes S) -> ancestor S q v -> In q (nodes S) /\ dag S q = dag S v /\ q < v.
Proof.
  intros wf hv h. induction h as [q v h | q x v h IH hx].
  - now apply wf_preds.
  - destruct (wf_preds wf v x hv hx) as (hxn & hxd & hxv). destruct (IH hxn) as (? & ? & ?). repeat split; auto; [congruence | lia].
Qed.

Lemma ancestor_or_self_facts S q v :
  well_formed S -> In v (nodes S) -> ancestor_or_self S q v -> In q (nodes S) /\ dag S q = dag S v /\ q <= v.
Proof.
  intros wf hv [->|h]; [repeat split; auto; lia|].
  destruct (ancestor_facts S q v wf hv h) as (? & ? & ?). repeat split; auto; lia.
Qed.

(** Paths. [path S l v]: l lists the nodes of a path from a source to v, v first. *)
Inductive path (S : system) : list node -> node -> Prop :=
| path_source v : preds S v = [] -> path S [v] v
| path_step l q v : path S l q -> In q (preds S v) -> path S (v :: l) v.

Lemma path_last S l v : path S l v -> In v l.
Proof. intros h. destruct h; now left. Qed.

Lemma path_ancestors S l v : path S l v -> forall x, In x l -> ancestor_or_self S x v.
Proof.
  intros h. induction h as [v h | l q v h IH hq]; intros x hx.
  - destruct hx as [->|[]]. now left.
  - destruct hx as [->|hx]; [now left|]. right. destruct (IH x hx) as [->|ha]; eauto using ancestor.
Qed.

(** Of two nodes of a path one comes before the other. *)
Lemma path_comparable S l v :
  path S l v -> forall x y, In x l -> In y l -> x = y \/ ancestor S x y \/ ancestor S y x.
Proof.
  intros h. induction h as [v h | l q v h IH hq]; intros x y hx hy.
  - destruct hx as [->|[]], hy as [->|[]]. now left.
  - assert (before : forall z, In z l -> ancestor S z v).
    { intros z hz. destruct (path_ancestors S l q h z hz) as [->|ha]; eauto using ancestor. }
    destruct hx as [->|hx], hy as [->|hy]; auto.
Qed.

Lemma path_nodup S l v : well_formed S -> In v (nodes S) -> path S l v -> NoDup l.
Proof.
  intros wf hv h. revert hv. induction h as [v h | l q v h IH hq]; intros hv.
  - constructor; [easy | constructor].
  - destruct (wf_preds wf v q hv hq) as (hqn & _ & hlt). constructor; [|auto].
    intros hin. destruct (path_ancestors S l q h v hin) as [->|ha]; [lia|].
    destruct (ancestor_facts S v q wf hqn ha) as (_ & _ & ?). lia.
Qed.

Lemma path_nodes S l v : well_formed S -> In v (nodes S) -> path S l v -> forall x, In x l -> In x (nodes S) /\ dag S x = dag S v.
Proof.
  intros wf hv h x hx. pose proof (path_ancestors S l v h x hx) as ha.
  destruct (ancestor_or_self_facts S x v wf hv ha) as (? & ? & _). auto.
Qed.

(** Every path to an ancestor of v goes on to v. *)
Lemma path_extends S l x v : path S l x -> ancestor S x v -> exists k, path S (k ++ l) v.
Proof.
  intros h ha. induction ha as [x v hx | x y v ha IH hy].
  - exists [v]. econstructor; eauto.
  - destruct (IH h) as (k & hp). exists (v :: k). econstructor; eauto.
Qed.

Lemma path_goes_on S l x v : path S l x -> ancestor S x v -> exists l', path S l' v /\ incl l l'.
Proof. intros h ha. destruct (path_extends S l x v h ha) as (k & hp). exists (k ++ l). split; [exact hp | apply incl_appr, incl_refl]. Qed.

(** A sink is a node that no other waits for. Every path goes on to one. *)
Definition sink (S : system) (v : node) : Prop := forall w, In w (nodes S) -> ~ In v (preds S w).

Lemma path_to_sink S l v :
  well_formed S -> In v (nodes S) -> path S l v ->
  exists l' z, In z (nodes S) /\ sink S z /\ path S l' z /\ incl l l' /\ dag S z = dag S v.
Proof.
  intros wf. remember (Z.to_nat (sum (fun u => u) (nodes S) - v)) as n eqn:hn. revert l v hn.
  induction n as [n IH] using lt_wf_ind. intros l v hn hv hp.
  destruct (existsb (fun w => existsb (Z.eqb v) (preds S w)) (nodes S)) eqn:some.
  - apply existsb_exists in some. destruct some as (w & hw & hin). apply existsb_exists in hin.
    destruct hin as (v' & hin & heq). apply Z.eqb_eq in heq. subst v'.
    destruct (wf_preds wf w v hw hin) as (_ & hd & hlt).
    assert (w <= sum (fun u => u) (nodes S)) by (apply (sum_in (fun u => u)); [apply (wf_number wf) | exact hw]).
    destruct (IH (Z.to_nat (sum (fun u => u) (nodes S) - w)) ltac:(lia) (w :: l) w eq_refl hw) as (l' & z & hz & hs & hp' & hi & hd').
    + econstructor; eauto.
    + exists l', z. repeat split; auto; [|congruence]. intros x hx. apply hi. now right.
  - exists l, v. repeat split; auto; [|apply incl_refl]. intros w hw hin.
    enough (existsb (fun w => existsb (Z.eqb v) (preds S w)) (nodes S) = true) by congruence.
    apply existsb_exists. exists w. split; [auto|]. apply existsb_exists. exists v. split; [auto | apply Z.eqb_refl].
Qed.
