(** Configurations of an SM and weights. docs/theory/gpu.md, "Configurations" and T6.

    A configuration x says how many blocks x u of each node u are resident on one SM. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws pools.Platform.

Section Configurations.
  Context (S : system) (P : platform) (p : Z) (G : gpu).

  Definition feasible (x : node -> Z) : Prop :=
    (forall u, 0 <= x u) /\ forall res, In res (resources G) -> used S P x p res <= capacity G res.

  (** A block of k does not fit on top of x. *)
  Definition blocks_node (x : node -> Z) (k : node) : Prop :=
    exists res, In res (resources G) /\ capacity G res < used S P x p res + demand P k res.

  (** Feasible, and for some node of the pool a block would have to wait. *)
  Definition blocking (x : node -> Z) : Prop := feasible x /\ exists k, In k (on_pool S p) /\ blocks_node x k.

  (** Weights in units of 1/one: no blocking configuration weighs less than 1. *)
  Definition weigh (w : node -> Z) (x : node -> Z) : Z := sum (fun u => x u * w u) (on_pool S p).

  Definition valid_weights (w : node -> Z) (one : Z) : Prop :=
    0 < one /\ (forall u, In u (on_pool S p) -> 0 <= w u) /\ forall x, blocking x -> one <= weigh w x.
End Configurations.
