(** Segments and offsets. docs/theory/path.md, "Segments"; docs/theory.md, "Offsets and end-to-end bounds" (a segment per node).

    S is the system of the segments: its "DAGs" are segments, its predecessors those inside a segment. Segment s belongs to DAG parent s and is
    released Phi s after it; [cross v] are v's predecessors in other segments. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter.

Record segmentation := {
  parent : Z -> Z;              (* segment -> DAG *)
  Phi : Z -> Z;                 (* offset of a segment *)
  cross : node -> list node;    (* predecessors in other segments *)
}.

Section Segments.
  Context (S : system) (g : segmentation) (F : node -> Z) (dag_released : Z -> Z -> bool) (dag_period : Z -> Z).

  (** The offsets leave room: Phi_s >= Phi_s' + F_u for every edge from u in s' into s. Segments of one DAG share its releases and period. *)
  Record sound_offsets : Prop := {
    so_nonneg : forall s, 0 <= Phi g s;
    so_edges : forall v u, In v (nodes S) -> In u (cross g v) ->
      In u (nodes S) /\ parent g (dag S u) = parent g (dag S v) /\ Phi g (dag S u) + F u <= Phi g (dag S v);
    so_period : forall v, In v (nodes S) -> period S (dag S v) = dag_period (parent g (dag S v));
  }.

  (** Segment s is released exactly Phi s after its DAG. *)
  Definition released_at_offsets (h : history) : Prop := forall s x, released h s x = dag_released (parent g s) (x - Phi g s).

  Context (h : history) (so : sound_offsets) (rel : released_at_offsets h).

  (** A segment is a sporadic DAG with the period of its DAG. *)
  Theorem segments_sporadic :
    (forall d, sporadic (dag_released d) (dag_period d)) ->
    forall v, In v (nodes S) -> sporadic (released h (dag S v)) (period S (dag S v)).
  Proof.
    intros hsp v hv r r' hr hr' hlt. rewrite rel in hr, hr'. rewrite (so_period so v hv).
    pose proof (hsp (parent g (dag S v)) _ _ hr hr' ltac:(lia)). lia.
  Qed.

  (** With release jitter a segment is as late as its DAG. *)
  Theorem segments_jittered T J nominal :
    (forall d, 0 <= J d) -> (forall d r, dag_released d r = true -> nominal d r <= r <= nominal d r + J d) ->
    (forall d r r', dag_released d r = true -> dag_released d r' = true -> r < r' -> nominal d r + T d <= nominal d r') ->
    jittered S h (fun s => T (parent g s)) (fun s => J (parent g s)) (fun s x => nominal (parent g s) (x - Phi g s) + Phi g s).
  Proof.
    intros hJ hlate hap. constructor; [intros; apply hJ | |].
    - intros u r _ hr. rewrite rel in hr. specialize (hlate _ _ hr). lia.
    - intros u r r' _ hr hr' hlt. rewrite rel in hr, hr'. specialize (hap _ _ _ hr hr' ltac:(lia)). lia.
  Qed.

  Context (bounds : forall v, In v (nodes S) -> ends_within S h v (F v)).

  (** Every node of a DAG released at r ends within Phi + F. *)
  Theorem segments_end v r :
    In v (nodes S) -> dag_released (parent g (dag S v)) r = true ->
    done h v (r + Phi g (dag S v)) (r + Phi g (dag S v) + F v) = true.
  Proof.
    intros hv hr. apply bounds; [exact hv|]. rewrite rel. now replace (r + Phi g (dag S v) - Phi g (dag S v)) with r by ring.
  Qed.

  (** When a segment is released, all that its nodes wait for in other segments has ended: no edge is violated. *)
  Theorem segments_precedence (lg : legal S h) v u r t :
    In v (nodes S) -> In u (cross g v) -> ready S h v (r + Phi g (dag S v)) t = true -> done h u (r + Phi g (dag S u)) t = true.
  Proof.
    intros hv hu hready. apply ready_spec in hready. destruct hready as (hrel & ht & _). rewrite rel in hrel.
    replace (r + Phi g (dag S v) - Phi g (dag S v)) with r in hrel by ring.
    destruct (so_edges so v u hv hu) as (hun & hp & hle). rewrite <- hp in hrel.
    apply (legal_done lg u _ (r + Phi g (dag S u) + F u)); [now apply segments_end | lia].
  Qed.

  (** End to end: all of a DAG has ended by E after its release, for any E from all Phi + F of its nodes on. *)
  Theorem segments_end_to_end (lg : legal S h) d r E :
    dag_released d r = true ->
    (forall v, In v (nodes S) -> parent g (dag S v) = d -> Phi g (dag S v) + F v <= E) ->
    forall v, In v (nodes S) -> parent g (dag S v) = d -> done h v (r + Phi g (dag S v)) (r + E) = true.
  Proof.
    intros hr hE v hv hd. specialize (hE v hv hd). rewrite <- hd in hr.
    apply (legal_done lg v _ (r + Phi g (dag S v) + F v)); [now apply segments_end | lia].
  Qed.
End Segments.
