(** Counted work on a platform: the table of docs/theory/path.md, "Counted work".

      pool                          cap        e    s      vol
      m processors                  m          C    C      C
      GPU of g SMs, weights w       g          L    w L    w L B

    With stream priorities kernels of lower priority go on while one waits: no more than as many blocks as all SMs hold, and so kernels.
    Weights are whole numbers of units of 1/one, and so is all that is counted in them: a GPU's capacity is g one. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws pools.Platform.

Record weights := {
  weight : node -> Z;
  one : Z -> Z;       (* of a pool *)
}.

(** No more blocks than that are there, of which each takes something. *)
Definition most_blocks (G : gpu) : Z := sms G * Z.max 0 (sum (capacity G) (resources G)).

Section Counted.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights).

  Definition counted_accounts : accounts := {|
    cap := fun p => match kind_of P p with Processors m | Threads m => m | Gpu G => sms G * one w p end;
    lagging := fun p =>
      match kind_of P p with
      | Processors _ => 0
      | Threads m => m
      | Gpu G => match order_of S p with Fifo => 0 | _ => most_blocks G + 1 end
      end;
    exec := length_of P;
    last := fun u => match kind_of P (pool S u) with Processors _ | Threads _ => length_of P u | Gpu _ => weight w u * length_of P u end;
    vol := fun u => match kind_of P (pool S u) with Processors _ | Threads _ => length_of P u
      | Gpu _ => weight w u * length_of P u * blocks P u end;
  |}.

  Definition counted_progress : progress := {|
    waits := fun u r t =>
      match kind_of P (pool S u) with
      | Processors _ | Threads _ => pending S h u r t && negb (runs e u r t)
      | Gpu _ => kernel_waits S h P e u r t
      end;
    work := fun u r t =>
      match kind_of P (pool S u) with
      | Processors _ | Threads _ => ind (runs e u r t)
      | Gpu _ => weight w u * sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u))
      end;
  |}.
End Counted.
