(** Schedules: what happened at which instant.

    Time is discrete: instant t is the beginning of tick [t, t+1), and ticks are as short as one likes. A history whose releases, starts and ends
    happen at fractions of a nanosecond is one in ticks of the fractions' common denominator. *)

From Rta Require Import model.Sums model.Counting model.System.

(** A node job is a node v with the instant r at which its DAG was released; as periods are positive, (v, r) names one job.
    - [released h d r]: DAG d is released at r.
    - [done h v r t]: the node job (v, r) has ended at instant t or before. *)
Record history := {
  released : Z -> Z -> bool;
  done : node -> Z -> Z -> bool;
}.

Section Schedule.
  Context (S : system) (h : history).

  (** Released on completion: a node job is ready once its DAG is released and all predecessors have ended. *)
  Definition ready (v : node) (r t : Z) : bool :=
    released h (dag S v) r && (r <=? t) && forallb (fun q => done h q r t) (preds S v).

  (** Ready, and not ended. *)
  Definition pending (v : node) (r t : Z) : bool := ready v r t && negb (done h v r t).

  (** Releases of a DAG are sporadic, from instant 0 on; what has ended has been ready, and remains ended.
      Jobs of one DAG may overlap, and nothing says here that a job ever ends. *)
  Record legal : Prop := {
    legal_start : forall d r, released h d r = true -> 0 <= r;
    legal_sporadic : forall v, In v (nodes S) -> sporadic (released h (dag S v)) (period S (dag S v));
    legal_ready : forall v r t, done h v r t = true -> ready v r t = true;
    legal_done : forall v r t t', done h v r t = true -> t <= t' -> done h v r t' = true;
  }.

  (** Every job of node v ends within F of its DAG's release. *)
  Definition ends_within (v : node) (F : Z) : Prop := forall r, released h (dag S v) r = true -> done h v r (r + F) = true.

  (** [before o u r' v r]: in a pool of order o the node job (u, r') may go before (v, r). Both ways where they tie. *)
  Definition ready_no_later u r' v r : Prop := forall t, ready v r t = true -> ready u r' t = true.

  Definition before (o : order) (u : node) (r' : Z) (v : node) (r : Z) : Prop :=
    match o with
    | Fifo => ready_no_later u r' v r
    | Gel Y => r' + Y u <= r + Y v
    | Fixed pi => pi v < pi u \/ (pi v = pi u /\ ready_no_later u r' v r)
    | FixedAny pi => pi v <= pi u
    end.

  (** [lower o u r' v r]: (u, r') is of lower priority than (v, r); a pool that does not preempt lets it end if it has started. (Under FIFO
      what has started was ready first.) *)
  Definition lower (o : order) (u : node) (r' : Z) (v : node) (r : Z) : bool :=
    match o with
    | Fifo => false
    | Gel Y => r + Y v <? r' + Y u
    | Fixed pi | FixedAny pi => pi u <? pi v
    end.

  Lemma before_not_lower o u r' v r : before o u r' v r -> lower o u r' v r = false.
  Proof. destruct o as [|Y|pi|pi]; cbn; [auto | intros; apply Z.ltb_ge; lia..]. Qed.

  (** Consequences. *)
  Lemma ready_spec v r t :
    ready v r t = true <-> released h (dag S v) r = true /\ r <= t /\ forall q, In q (preds S v) -> done h q r t = true.
  Proof.
    unfold ready. rewrite !andb_true_iff, Z.leb_le, forallb_forall. tauto.
  Qed.

  Lemma pending_spec v r t : pending v r t = true <-> ready v r t = true /\ done h v r t = false.
  Proof. unfold pending. rewrite andb_true_iff, negb_true_iff. reflexivity. Qed.

  Context (L : legal).

  Lemma ready_stays v r t t' : ready v r t = true -> t <= t' -> ready v r t' = true.
  Proof.
    rewrite !ready_spec. intros (hr & ht & hp) le. repeat split; auto; [lia|].
    intros q hq. eapply legal_done; eauto.
  Qed.

  Lemma ready_no_later_refl v r : ready_no_later v r v r.
  Proof. intros t. auto. Qed.

  Lemma ready_no_later_trans u r1 v r2 w r3 : ready_no_later u r1 v r2 -> ready_no_later v r2 w r3 -> ready_no_later u r1 w r3.
  Proof. intros h1 h2 t ht. auto. Qed.

  Lemma pending_released v r t : pending v r t = true -> released h (dag S v) r = true /\ 0 <= r <= t.
  Proof.
    rewrite pending_spec, ready_spec. intros ((hr & ht & _) & _). pose proof (legal_start L _ _ hr). auto.
  Qed.

  (** While a node is pending its ancestors have ended, and its descendants are not ready. *)
  Lemma ancestor_done x v r t : ancestor S x v -> ready v r t = true -> done h x r t = true.
  Proof.
    intros ha. induction ha as [x v hx | x y v ha IH hy]; intros hr; apply ready_spec in hr.
    - now apply hr.
    - apply IH. apply (legal_ready L). now apply hr.
  Qed.

  Lemma pending_alone x y r t :
    (x = y \/ ancestor S x y \/ ancestor S y x) -> pending x r t = true -> pending y r t = true -> x = y.
  Proof.
    rewrite !pending_spec. intros [->|[ha|ha]] (rx & dx) (ry & dy); auto; exfalso.
    - rewrite (ancestor_done x y r t ha ry) in dx. discriminate.
    - rewrite (ancestor_done y x r t ha rx) in dy. discriminate.
  Qed.
End Schedule.

Arguments legal_start {S h}.
Arguments legal_sporadic {S h}.
Arguments legal_ready {S h}.
Arguments legal_done {S h}.
