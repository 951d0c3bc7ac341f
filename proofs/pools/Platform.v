(** Pools and what they do in each tick: processors that run node jobs, and GPUs whose SMs hold blocks of kernels. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.

(** A GPU: identical SMs; resources (G-threads, block slots, shared memory, registers) and how much of each an SM has. *)
Record gpu := {
  sms : Z;
  resources : list Z;
  capacity : Z -> Z;
}.

Inductive kind :=
| Processors (m : Z)   (* m identical processors, in the order that the system gives the pool *)
| Threads (m : Z)      (* the same without preemption: a node job that has started runs to its end *)
| Gpu (G : gpu).       (* a FIFO of kernels, or one per stream priority *)

(** N persistent workers, or a copy engine with N = 1: "SMs" with one slot each. *)
Definition workers (N : Z) : gpu := {| sms := N; resources := [0]; capacity := fun _ => 1 |}.

Record platform := {
  kind_of : Z -> kind;
  length_of : node -> Z;          (* C of a node on processors; L, the longest time of one block, of a kernel *)
  blocks : node -> Z;             (* B, of a kernel *)
  demand : node -> Z -> Z;        (* of one block, per resource *)
}.

(** A block waits, is resident on an SM, or has ended. *)
Inductive block_state := Waiting | On (s : Z) | Ended.

Definition is_waiting (b : block_state) : bool := match b with Waiting => true | _ => false end.
Definition is_on (b : block_state) : bool := match b with On _ => true | _ => false end.
Definition is_on_sm (s : Z) (b : block_state) : bool := match b with On s' => s' =? s | _ => false end.

(** An execution: [runs v r t]: (v, r) has a processor during tick t. [block v r i t]: where block i of kernel (v, r) is during tick t. *)
Record execution := {
  runs : node -> Z -> Z -> bool;
  block : node -> Z -> Z -> Z -> block_state;
}.

Section Execution.
  Context (S : system) (h : history) (P : platform) (e : execution).

  Definition running (p t : Z) : Z := sum (fun u => sum (fun r => ind (runs e u r t)) (range 0 (t + 1))) (on_pool S p).

  (** Processors: at most m run; only pending node jobs run, each at most C in all; none is kept waiting unless m others run that may go
      before it. Preemption, migration and the end of a job before its worst case are all allowed, and so is FIFO without preemption. *)
  Record processors_obey (p m : Z) : Prop := {
    run_pending : forall u r t, In u (on_pool S p) -> runs e u r t = true -> pending S h u r t = true;
    run_length : forall u r b c, In u (on_pool S p) -> sum (fun t => ind (runs e u r t)) (range b c) <= length_of P u;
    run_capacity : forall t, running p t <= m;
    run_conserving : forall v r t, In v (on_pool S p) -> pending S h v r t = true -> runs e v r t = false -> m <= running p t;
    run_order : forall v r t u r', In v (on_pool S p) -> In u (on_pool S p) -> pending S h v r t = true -> runs e v r t = false ->
      runs e u r' t = true -> before S h (order_of S p) u r' v r;
  }.

  (** Without preemption: what has a processor keeps it until it ends, and a node job that starts may go before all that wait. *)
  Record threads_obey (p m : Z) : Prop := {
    thread_pending : forall u r t, In u (on_pool S p) -> runs e u r t = true -> pending S h u r t = true;
    thread_length : forall u r b c, In u (on_pool S p) -> sum (fun t => ind (runs e u r t)) (range b c) <= length_of P u;
    thread_capacity : forall t, running p t <= m;
    thread_conserving : forall v r t, In v (on_pool S p) -> pending S h v r t = true -> runs e v r t = false -> m <= running p t;
    thread_runs_on : forall u r t, In u (on_pool S p) -> runs e u r t = true -> done h u r (t + 1) = true \/ runs e u r (t + 1) = true;
    thread_order : forall v r t u r', In v (on_pool S p) -> In u (on_pool S p) -> pending S h v r t = true -> runs e v r t = false ->
      runs e u r' t = true -> runs e u r' (t - 1) = false -> before S h (order_of S p) u r' v r;
  }.

  (** A kernel waits while some block has not started. *)
  Definition kernel_waits (v : node) (r t : Z) : bool :=
    pending S h v r t && existsb (fun i => is_waiting (block e v r i t)) (range 0 (blocks P v)).

  (** How many blocks of v, of all its jobs, SM s holds during tick t: a configuration. *)
  Definition resident (s t : Z) (v : node) : Z :=
    sum (fun r => sum (fun i => ind (is_on_sm s (block e v r i t))) (range 0 (blocks P v))) (range 0 (t + 1)).

  Definition used (x : node -> Z) (p res : Z) : Z := sum (fun u => x u * demand P u res) (on_pool S p).

  (** GPUs, rules G1-G4, X1, R1-R3, A1, A2 of [A], one stream per job: blocks start after their kernel is ready, stay on their SM until they
      end, at most L. A block starts only if its kernel is the head of the queue: every kernel that still waits then became ready no earlier;
      of several queues, one per stream priority (the pool's order is Fixed), only if no kernel of a higher priority waits. While a kernel
      waits, the head of its queue, or of one of higher priority, is one for a block of which no SM has room. Which SM gets a block is not
      said. *)
  Record blocks_move (p : Z) (G : gpu) : Prop := {
    block_ready : forall u r i t, In u (on_pool S p) -> 0 <= i < blocks P u -> block e u r i t <> Waiting -> ready S h u r t = true;
    block_sm : forall u r i t s, In u (on_pool S p) -> 0 <= i < blocks P u -> block e u r i t = On s -> 0 <= s < sms G /\ pending S h u r t
      = true;
    block_stays : forall u r i t s, In u (on_pool S p) -> 0 <= i < blocks P u -> block e u r i t = On s ->
      block e u r i (t + 1) = On s \/ block e u r i (t + 1) = Ended;
    block_ended : forall u r i t, In u (on_pool S p) -> 0 <= i < blocks P u -> block e u r i t = Ended -> block e u r i (t + 1) = Ended;
    kernel_ends : forall u r t, In u (on_pool S p) -> pending S h u r t = true -> exists i, 0 <= i < blocks P u /\ block e u r i t <> Ended;
    sm_fits : forall s t res, 0 <= s < sms G -> In res (resources G) -> used (resident s t) p res <= capacity G res;
    queue_order : forall u r i t v r', In u (on_pool S p) -> 0 <= i < blocks P u -> In v (on_pool S p) ->
      block e u r i (t - 1) = Waiting -> block e u r i t <> Waiting -> kernel_waits v r' t = true ->
      before S h (order_of S p) u r v r';
  }.

  (** Nothing that may start in tick t waits. *)
  Definition head_blocked (p : Z) (G : gpu) (v : node) (r t : Z) : Prop :=
    exists k r', In k (on_pool S p) /\ kernel_waits k r' t = true /\ lower (order_of S p) k r' v r = false /\
      forall s, 0 <= s < sms G -> exists res, In res (resources G) /\ capacity G res < used (resident s t) p res + demand P k res.

  Record gpu_obeys (p : Z) (G : gpu) : Prop := {
    moves :> blocks_move p G;
    block_length : forall u r i b c, In u (on_pool S p) -> 0 <= i < blocks P u ->
      sum (fun t => ind (is_on (block e u r i t))) (range b c) <= length_of P u;
    queue_conserving : forall v r t, In v (on_pool S p) -> kernel_waits v r t = true -> head_blocked p G v r t;
  }.

  Definition pool_obeys (p : Z) : Prop :=
    match kind_of P p with
    | Processors m => processors_obey p m
    | Threads m => threads_obey p m
    | Gpu G => gpu_obeys p G
    end.
End Execution.

(** What a GPU lets go first: the kernel that became ready first, or those of higher stream priorities; then blocks take something of what an
    SM has (a block slot), so that only so many can be there. *)
Definition queued (S : system) (P : platform) (p : Z) (G : gpu) (u : node) : Prop :=
  order_of S p = Fifo \/
  (exists pi, order_of S p = Fixed pi) /\ (forall res, In res (resources G) -> 0 <= demand P u res) /\
  exists res, In res (resources G) /\ 0 < demand P u res.

(** A platform on which the system can run: lengths are not negative, kernels have blocks, GPUs are FIFO or have stream priorities. *)
Record sound_platform (S : system) (P : platform) : Prop := {
  sp_length : forall u, In u (nodes S) -> 0 <= length_of P u;
  sp_pool : forall u, In u (nodes S) ->
    match kind_of P (pool S u) with
    | Processors m | Threads m => 0 < m
    | Gpu G => 0 < sms G /\ 0 < blocks P u /\ queued S P (pool S u) G u
    end;
}.

(** The execution of a whole system. *)
Record system_obeys (S : system) (h : history) (P : platform) (e : execution) : Prop := {
  so_legal : legal S h;
  so_pools : forall p, pool_obeys S h P e p;
}.

Arguments run_pending {S h P e p m}.
Arguments run_length {S h P e p m}.
Arguments run_capacity {S h P e p m}.
Arguments run_conserving {S h P e p m}.
Arguments run_order {S h P e p m}.
Arguments thread_pending {S h P e p m}.
Arguments thread_length {S h P e p m}.
Arguments thread_capacity {S h P e p m}.
Arguments thread_conserving {S h P e p m}.
Arguments thread_runs_on {S h P e p m}.
Arguments thread_order {S h P e p m}.
Arguments moves {S h P e p G}.
Arguments block_ready {S h P e p G}.
Arguments block_sm {S h P e p G}.
Arguments block_stays {S h P e p G}.
Arguments block_ended {S h P e p G}.
Arguments block_length {S h P e p G}.
Arguments kernel_ends {S h P e p G}.
Arguments sm_fits {S h P e p G}.
Arguments queue_conserving {S h P e p G}.
Arguments queue_order {S h P e p G}.
Arguments sp_length {S P}.
Arguments sp_pool {S P}.
Arguments so_legal {S h P e}.
Arguments so_pools {S h P e}.
