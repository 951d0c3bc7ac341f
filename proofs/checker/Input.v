(** What the checker is given: pools, DAGs and nodes with claimed bounds, and the system that they describe.

    The statements of a file, one a line (checker/driver.ml reads them):
      pool ID ORDER CAP STEP            ORDER: fifo, gel, fp, fpa, without preemption gel-np, fp-np, fpa-np; STEP: all counted work of a tick
                                        comes in multiples of it (1 will do)
      dag ID T
      node ID DAG POOL E S VOL KEY F PRED...    KEY: priority point Y (gel) or priority (fp, fpa), else any number
      gpu POOL SMS ONE                  the pool is a GPU: CAP = SMS * ONE
      resource POOL CAPACITY            of one SM; the first one is resource 0
      kernel NODE L B W DEMAND...       per resource; E = L, S = W L, VOL = W L B, weights in units of 1/ONE *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws checker.Table.
From Rta Require Import pools.Platform pools.Counted.

Inductive policy := OrderFifo | OrderGel | OrderFixed | OrderFixedAny.

Record pool_row := { p_order : policy; p_preemptive : bool; p_cap : Z; p_step : Z }.
Record node_row := { n_dag : Z; n_pool : Z; n_exec : Z; n_last : Z; n_vol : Z; n_key : Z; n_bound : Z; n_preds : list Z }.
Record gpu_row := { g_sms : Z; g_one : Z }.
Record kernel_row := { k_length : Z; k_blocks : Z; k_weight : Z; k_demands : list Z }.

Record input := {
  i_pools : list (Z * pool_row);
  i_dags : list (Z * Z);
  i_nodes : list (Z * node_row);
  i_gpus : list (Z * gpu_row);
  i_resources : list (Z * Z);        (* pool, capacity; in the order of the resources *)
  i_kernels : list (Z * kernel_row);
}.

(** What a missing line stands for. The checker refuses such input. *)
Definition no_pool : pool_row := {| p_order := OrderFifo; p_preemptive := true; p_cap := 0; p_step := 1 |}.
Definition no_node : node_row :=
  {| n_dag := -1; n_pool := -1; n_exec := 0; n_last := 0; n_vol := 0; n_key := 0; n_bound := 0; n_preds := [] |}.
Definition no_kernel : kernel_row := {| k_length := 0; k_blocks := 0; k_weight := 0; k_demands := [] |}.

(** The input with tables for look-ups. *)
Record tables := {
  t_pools : table pool_row;
  t_dags : table Z;
  t_nodes : table node_row;
  t_gpus : table gpu_row;
  t_kernels : table kernel_row;
  t_ids : list Z;
  t_resources : list (Z * Z);
}.

Definition tables_of (i : input) : tables := {|
  t_pools := table_of (i_pools i);
  t_dags := table_of (i_dags i);
  t_nodes := table_of (i_nodes i);
  t_gpus := table_of (i_gpus i);
  t_kernels := table_of (i_kernels i);
  t_ids := map fst (i_nodes i);
  t_resources := i_resources i;
|}.

Section Tables.
  Context (t : tables).

  Definition row (v : Z) : node_row := look_or no_node (t_nodes t) v.
  Definition pool_of (p : Z) : pool_row := look_or no_pool (t_pools t) p.
  Definition kernel (v : Z) : kernel_row := look_or no_kernel (t_kernels t) v.
  Definition bound (v : Z) : Z := n_bound (row v).

  Definition order_of_pool (p : Z) : order :=
    match p_order (pool_of p) with
    | OrderFifo => Fifo
    | OrderGel => Gel (fun u => n_key (row u))
    | OrderFixed => Fixed (fun u => n_key (row u))
    | OrderFixedAny => FixedAny (fun u => n_key (row u))
    end.

  (** The system, and the accounts of counted work. *)
  Definition the_system : system := {|
    nodes := t_ids t;
    dag := fun v => n_dag (row v);
    preds := fun v => n_preds (row v);
    pool := fun v => n_pool (row v);
    period := look_or 0 (t_dags t);
    order_of := order_of_pool;
  |}.

  Definition the_accounts : accounts := {|
    cap := fun p => p_cap (pool_of p);
    lagging := fun p => if p_preemptive (pool_of p) then 0 else p_cap (pool_of p);
    exec := fun v => n_exec (row v);
    last := fun v => n_last (row v);
    vol := fun v => n_vol (row v);
  |}.

  Definition the_step (p : Z) : Z := p_step (pool_of p).

  (** The platform. A pool without a gpu line is one of CAP processors. *)
  Definition capacities (p : Z) : list Z := map snd (filter (fun pc => fst pc =? p) (t_resources t)).

  Definition gpu_of (p : Z) (g : gpu_row) : gpu := {|
    sms := g_sms g;
    resources := range 0 (Z.of_nat (length (capacities p)));
    capacity := fun res => nth (Z.to_nat res) (capacities p) 0;
  |}.

  Definition the_platform : platform := {|
    kind_of := fun p => match look (t_gpus t) p with
                          | None => if p_preemptive (pool_of p) then Processors (p_cap (pool_of p)) else Threads (p_cap (pool_of p))
                          | Some g => Gpu (gpu_of p g)
                          end;
    length_of := fun v => n_exec (row v);
    blocks := fun v => k_blocks (kernel v);
    demand := fun v res => nth (Z.to_nat res) (k_demands (kernel v)) 0;
  |}.

  Definition the_weights : weights := {|
    weight := fun v => k_weight (kernel v);
    one := fun p => match look (t_gpus t) p with None => 1 | Some g => g_one g end;
  |}.
End Tables.
