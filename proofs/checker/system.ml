(* A system as the checker sees it, from a text:
   One statement a line, numbers of one kind of line rising; # starts a comment. All numbers are whole.
     pool ID ORDER CAP STEP         ORDER: fifo, gel, fp, fpa, without preemption gel-np, fp-np, fpa-np;
                                    STEP divides all counted work of one tick (1 will do)
     dag ID T
     node ID DAG POOL E S VOL KEY F PRED...    KEY: priority point (gel), priority (fp, fpa), else not used; F: the claimed bound
     gpu POOL SMS ONE               the pool is a GPU with CAP = SMS * ONE; without this line it is one of CAP processors
     resource POOL CAPACITY         of one SM, one line per resource
     kernel NODE L B W DEMAND...    E = L, S = W L, VOL = W L B; a block weighs W/ONE and takes DEMAND of each resource *)

open Proved

exception Bad of int * string

let bad line format = Printf.ksprintf (fun text -> raise (Bad (line, text))) format

module N = Number

let number line text = match N.read text with Some n -> n | None -> bad line "'%s' is not a whole number of at most 400 digits" text
let print_number = N.show

type lines = {
  mutable pools : (z * pool_row) list;
  mutable dags : (z * z) list;
  mutable nodes : (z * node_row) list;
  mutable gpus : (z * gpu_row) list;
  mutable resources : (z * z) list;
  mutable kernels : (z * kernel_row) list;
}

(* The lines of one kind are collected in reverse. *)
let add line kind rows id row =
  (match rows with
   | (last, _) :: _ when Z.leb id last -> bad line "%s %s after %s %s: numbers must rise" kind (print_number id) kind (print_number last)
   | _ -> if not (Z.leb Z0 id) then bad line "%s %s: numbers start at 0" kind (print_number id));
  (id, row) :: rows

let order line = function
  | "fifo" -> OrderFifo, true
  | "gel" -> OrderGel, true
  | "fp" -> OrderFixed, true
  | "fpa" -> OrderFixedAny, true
  | "gel-np" -> OrderGel, false
  | "fp-np" -> OrderFixed, false
  | "fpa-np" -> OrderFixedAny, false
  | text -> bad line "no order '%s'; there are: fifo gel fp fpa gel-np fp-np fpa-np" text

let statement lines at words =
  let n = number at in
  match words with
  | [] -> ()
  | [ "pool"; id; text; cap; step ] ->
    let p_order, p_preemptive = order at text in
    lines.pools <- add at "pool" lines.pools (n id) { p_order; p_preemptive; p_cap = n cap; p_step = n step }
  | [ "dag"; id; period ] -> lines.dags <- add at "dag" lines.dags (n id) (n period)
  | "node" :: id :: dag :: pool :: e :: s :: vol :: key :: bound :: preds ->
    lines.nodes <-
      add at "node" lines.nodes (n id)
        { n_dag = n dag; n_pool = n pool; n_exec = n e; n_last = n s; n_vol = n vol; n_key = n key; n_bound = n bound;
          n_preds = List.map n preds }
  | [ "gpu"; pool; sms; one ] -> lines.gpus <- add at "gpu" lines.gpus (n pool) { g_sms = n sms; g_one = n one }
  | [ "resource"; pool; capacity ] -> lines.resources <- (n pool, n capacity) :: lines.resources
  | "kernel" :: node :: length :: blocks :: weight :: demands ->
    lines.kernels <-
      add at "kernel" lines.kernels (n node)
        { k_length = n length; k_blocks = n blocks; k_weight = n weight; k_demands = List.map n demands }
  | [ "pool" ] | "pool" :: _ -> bad at "a pool line is: pool ID ORDER CAP STEP"
  | "dag" :: _ -> bad at "a dag line is: dag ID T"
  | "node" :: _ -> bad at "a node line is: node ID DAG POOL E S VOL KEY F PRED..."
  | "gpu" :: _ -> bad at "a gpu line is: gpu POOL SMS ONE"
  | "resource" :: _ -> bad at "a resource line is: resource POOL CAPACITY"
  | "kernel" :: _ -> bad at "a kernel line is: kernel NODE L B W DEMAND..."
  | word :: _ -> bad at "no statement '%s'; there are: pool dag node gpu resource kernel" word

let words text =
  let text = match String.index_opt text '#' with Some i -> String.sub text 0 i | None -> text in
  List.filter (( <> ) "") (String.split_on_char ' ' (String.map (fun c -> if c = '\t' || c = '\r' then ' ' else c) text))

let read path =
  let lines = { pools = []; dags = []; nodes = []; gpus = []; resources = []; kernels = [] } in
  let channel = open_in_bin path in
  let rec go at =
    match input_line channel with
    | text -> statement lines at (words text); go (at + 1)
    | exception End_of_file -> close_in channel; if lines.nodes = [] then bad at "the file ends without a node"
  in
  go 1;
  { i_pools = List.rev lines.pools; i_dags = List.rev lines.dags; i_nodes = List.rev lines.nodes; i_gpus = List.rev lines.gpus;
    i_resources = List.rev lines.resources; i_kernels = List.rev lines.kernels }

