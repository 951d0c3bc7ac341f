(** The right-hand sides of T10 and T10n: counts of jobs, and the sum over a path. docs/theory/path.md, inequalities (1) and (2).

    Nothing is divided: M is a common multiple of all capacities, M = share p * cap p, and inequalities are multiplied by M. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.

(** A_q: a bound of the instant at which node q is ready, the largest F of its predecessors (0 for a source). *)
Definition ready_bound (S : system) (F : node -> Z) (q : node) : Z := fold_right (fun x m => Z.max (F x) m) 0 (preds S q).

(** lim: while node q waits, node u of other jobs runs before it only if its DAG was released no later than lim after q's
    (None: never). *)
Definition limit (S : system) (F : node -> Z) (q u : node) : option Z :=
  match order_of S (pool S q) with
  | Fifo => Some (ready_bound S F q)
  | Gel Y => Some (Z.min (F q) (Y q - Y u))
  | Fixed pi => if pi u <? pi q then None else if pi u =? pi q then Some (ready_bound S F q) else Some (F q)
  | FixedAny pi => if pi u <? pi q then None else Some (F q)
  end.

(** No limit is the least; [within o x]: x is no larger than the limit. *)
Definition limit_le (a b : option Z) : Prop :=
  match a, b with
  | None, _ => True
  | Some x, Some y => x <= y
  | Some _, None => False
  end.

Definition within (o : option Z) (x : Z) : Prop := match o with None => False | Some l => x <= l end.

(** Releases of u's DAG, another one than v's, in (r - F_u, r + lim]. *)
Definition count_other (T Fu : Z) (lim : option Z) : Z :=
  match lim with None => 0 | Some l => Z.max 0 (cdiv (Fu + l) T) end.

(** Releases of v's own DAG: the job itself (unless u is a strict descendant of v), earlier ones and later ones. *)
Definition count_own (T Fu : Z) (descendant : bool) (lim : option Z) : Z :=
  match lim with
  | None => 0
  | Some l => (if descendant then 0 else if 0 <=? l then 1 else 0) + (Z.max 0 (cdiv (Fu + Z.min l (- T)) T) + (if 0 <=? l then l / T else 0))
  end.

Definition count (S : system) (F : node -> Z) (v : node) (descendant : node -> bool) (lim : node -> option Z) (u : node) : Z :=
  if dag S u =? dag S v then count_own (period S (dag S u)) (F u) (descendant u) (lim u)
  else count_other (period S (dag S u)) (F u) (lim u).

(** Execution less last pieces, and blocking by pieces of lower priority, along a path, M times. *)
Definition path_length (S : system) (a : accounts) (M : Z) (share : Z -> Z) (blk : node -> Z) (l : list node) : Z :=
  sum (fun x => M * exec a x - share (pool S x) * (last a x - blk x)) l.

(** The pools that a path visits. *)
Definition visited (S : system) (l : list node) : list Z := nodup Z.eq_dec (map (pool S) l).

(** Work that may run on pool p while the path waits there, n u jobs of node u. *)
Definition pool_work (S : system) (a : accounts) (n : node -> Z) (p : Z) : Z := sum (fun u => n u * vol a u) (on_pool S p).

(** The right-hand side of (2) for path l, M times. *)
Definition path_bound (S : system) (a : accounts) (M : Z) (share : Z -> Z) (blk n : node -> Z) (l : list node) : Z :=
  path_length S a M share blk l + sum (fun p => share p * pool_work S a n p) (visited S l).

Definition common_multiple (S : system) (a : accounts) (M : Z) (share : Z -> Z) : Prop :=
  0 < M /\ forall u, In u (nodes S) -> share (pool S u) * cap a (pool S u) = M.

(** Blocking, on pools that do not preempt. While q waits, pieces go on that have a lower priority and had started when q became ready: of node u
    at most those of jobs released in (r + floor, r + A_q]. *)
Definition lag_floor (S : system) (F : node -> Z) (q u : node) : Z :=
  match order_of S (pool S q) with
  | Gel Y => Z.max (Y q - Y u) (- F u)
  | _ => - F u
  end.

Definition may_lag (S : system) (q u : node) : bool :=
  match order_of S (pool S q) with
  | Fifo => false
  | Gel _ => true
  | Fixed pi | FixedAny pi => pi u <? pi q
  end.

(** Of the DAG's own jobs: this one, if u is parallel to q, earlier ones and later ones. *)
Definition count_lagging (S : system) (F : node -> Z) (parallel : node -> node -> bool) (q u : node) : Z :=
  let T := period S (dag S u) in
  let A := ready_bound S F q in
  let floor := lag_floor S F q u in
  if negb (may_lag S q u) then 0
  else if dag S u =? dag S q then
    (if parallel q u && (floor <? 0) then 1 else 0) + (Z.max 0 (cdiv (- floor - T) T) + A / T)
  else Z.max 0 (cdiv (A - floor) T).

(** blk q covers the worst choice of at most [lagging] pieces. [parallel q u] may be false only where u comes before or after q, or is q. *)
Definition blocking_covers (S : system) (a : accounts) (F : node -> Z) (parallel : node -> node -> bool) (blk : node -> Z) (q : node) : Prop :=
  forall n, (forall u, In u (on_pool S (pool S q)) -> 0 <= n u <= count_lagging S F parallel q u) ->
    sum n (on_pool S (pool S q)) <= lagging a (pool S q) -> sum (fun u => n u * vol a u) (on_pool S (pool S q)) <= blk q.

Definition parallel_sound (S : system) (parallel : node -> node -> bool) : Prop :=
  forall q u, In q (nodes S) -> In u (nodes S) -> parallel q u = false -> u = q \/ ancestor S u q \/ ancestor S q u.

(** With preemption nothing blocks. *)
Lemma no_blocking S a F parallel q : lagging a (pool S q) = 0 -> blocking_covers S a F parallel (fun _ => 0) q.
Proof.
  intros h n hn hsum. rewrite h in hsum. apply Z.eq_le_incl. apply sum_zero. intros u hu.
  pose proof (sum_in n (on_pool S (pool S q)) u (fun x hx => proj1 (hn x hx)) hu) as h1.
  specialize (hn u hu). assert (n u = 0) as -> by lia. ring.
Qed.

Lemma ready_bound_spec S F q x : In x (preds S q) -> F x <= ready_bound S F q.
Proof.
  unfold ready_bound. induction (preds S q) as [|y l IH]; intros hx; [easy|]. cbn.
  destruct hx as [->|hx]; [lia|]. specialize (IH hx). lia.
Qed.

Lemma ready_bound_nonneg S F q : 0 <= ready_bound S F q.
Proof. unfold ready_bound. induction (preds S q); cbn; lia. Qed.

Lemma ready_bound_le S F q B : 0 <= B -> (forall x, In x (preds S q) -> F x <= B) -> ready_bound S F q <= B.
Proof.
  unfold ready_bound. induction (preds S q) as [|y l IH]; intros hB hx; cbn; [lia|].
  pose proof (hx y (or_introl eq_refl)). pose proof (IH hB (fun x h => hx x (or_intror h))). lia.
Qed.

Lemma count_other_nonneg T Fu lim : 0 <= count_other T Fu lim.
Proof. destruct lim; cbn; lia. Qed.

Lemma count_own_nonneg T Fu d lim : 0 < T -> 0 <= count_own T Fu d lim.
Proof.
  intros hT. destruct lim as [l|]; cbn; [|lia]. destruct (Z.leb_spec 0 l).
  - pose proof (Z.div_pos l T). destruct d; lia.
  - destruct d; lia.
Qed.

Lemma count_nonneg S F v d lim u : 0 < period S (dag S u) -> 0 <= count S F v d lim u.
Proof. intros hT. unfold count. destruct (_ =? _); [now apply count_own_nonneg | apply count_other_nonneg]. Qed.

Lemma in_visited S l p : In p (visited S l) <-> exists x, In x l /\ pool S x = p.
Proof.
  unfold visited. rewrite nodup_In, in_map_iff. split; intros (x & h1 & h2); eauto.
Qed.

Lemma within_le a b x : within a x -> limit_le a b -> within b x.
Proof. destruct a, b; cbn; lia. Qed.

(** Later limits count more jobs. *)
Lemma count_other_mono T Fu Fu' a b : 0 < T -> Fu <= Fu' -> limit_le a b -> count_other T Fu a <= count_other T Fu' b.
Proof.
  intros hT hF. destruct a as [x|], b as [y|]; cbn [limit_le count_other]; try lia. intros h.
  pose proof (cdiv_mono (Fu + x) (Fu' + y) T hT). lia.
Qed.

Lemma count_own_mono T Fu Fu' d a b : 0 < T -> Fu <= Fu' -> limit_le a b -> count_own T Fu d a <= count_own T Fu' d b.
Proof.
  intros hT hF h. destruct a as [x|]; [|now apply count_own_nonneg].
  destruct b as [y|]; cbn [limit_le count_own] in *; [|easy].
  pose proof (cdiv_mono (Fu + Z.min x (- T)) (Fu' + Z.min y (- T)) T hT).
  destruct (Z.leb_spec 0 x), (Z.leb_spec 0 y); try lia.
  - pose proof (Z.div_le_mono x y T hT). destruct d; lia.
  - pose proof (Z.div_pos y T). destruct d; lia.
Qed.
