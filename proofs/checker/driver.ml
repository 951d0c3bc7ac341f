(* Reads a file of statements, runs the checker that was extracted from checker/Check.v, and prints its verdict.

   rta-proved [--counted] FILE

   One statement a line, numbers of one kind of line rising; # starts a comment. All numbers are whole.
     pool ID ORDER CAP STEP         ORDER: fifo, gel, fp, fpa, without preemption gel-np, fp-np, fpa-np;
                                    STEP divides all counted work of one tick (1 will do)
     dag ID T
     node ID DAG POOL E S VOL KEY F PRED...    KEY: priority point (gel), priority (fp, fpa), else not used; F: the claimed bound
     gpu POOL SMS ONE               the pool is a GPU with CAP = SMS * ONE; without this line it is one of CAP processors
     resource POOL CAPACITY         of one SM, one line per resource
     kernel NODE L B W DEMAND...    E = L, S = W L, VOL = W L B; a block weighs W/ONE and takes DEMAND of each resource

   --counted: take E, S, VOL, CAP of every pool as given, without asking where they come from (no gpu and kernel lines needed).
   Exit status: 0 verified, 1 not verified, 2 bad input or usage. *)

open Proved

exception Bad of int * string

let bad line format = Printf.ksprintf (fun text -> raise (Bad (line, text))) format

(* Whole numbers, of any size. *)
let rec positive n = if n = 1 then XH else if n land 1 = 0 then XO (positive (n lsr 1)) else XI (positive (n lsr 1))
let small n = if n = 0 then Z0 else Zpos (positive n)
let ten = small 10

let number line text =
  let digits = if text <> "" && text.[0] = '-' then String.sub text 1 (String.length text - 1) else text in
  if digits = "" || String.length digits > 400 || not (String.for_all (fun c -> '0' <= c && c <= '9') digits) then
    bad line "'%s' is not a whole number of at most 400 digits" text;
  let value = String.fold_left (fun sum c -> Z.add (Z.mul sum ten) (small (Char.code c - Char.code '0'))) Z0 digits in
  if text.[0] = '-' then Z.opp value else value

let rec print_number n =
  match n with
  | Zneg p -> "-" ^ print_number (Zpos p)
  | Z0 -> "0"
  | Zpos _ ->
    let rec digits n rest =
      if Z.eqb n Z0 then rest
      else
        let quotient, remainder = Z.div_eucl n ten in
        let rec digit d k = if Z.eqb d (small k) then k else digit d (k + 1) in
        digits quotient (string_of_int (digit remainder 0) :: rest)
    in
    String.concat "" (digits n [])

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

let theorem = function HoldsByT10n -> "T10n" | HoldsByT10j -> "T10j" | HoldsByT10g -> "T10g" | NotShown -> "not shown"

let report counted input =
  let result = check_input input in
  let verified = if counted then accepted_as_counted result else accepted result in
  List.iter (fun v -> Printf.printf "node %s: its numbers or references are not in order\n" (print_number v)) result.bad_nodes;
  List.iter (fun (v, d) -> Printf.printf "node %s: %s\n" (print_number v) (theorem d)) result.verdicts;
  if not counted then begin
    List.iter (fun (p, ok) -> Printf.printf "gpu %s: weights %s\n" (print_number p) (if ok then "valid" else "not shown to be valid")) result.gpu_verdicts;
    if not result.counted_as_run then print_endline "some node on processors has E, S, VOL that are not all C, or its pool a STEP other than 1"
  end;
  if not result.is_system then print_endline "the file does not describe a system";
  print_endline (if verified then "verified" else "not verified");
  if verified then 0 else 1

let usage () = prerr_endline "usage: rta-proved [--counted] FILE"; 2

let () =
  let run counted path =
    try report counted (read path) with
    | Bad (line, text) -> Printf.eprintf "%s:%d: %s\n" path line text; 2
    | Sys_error text -> prerr_endline text; 2
    | Stack_overflow | Out_of_memory -> Printf.eprintf "%s: too large\n" path; 2
  in
  exit
    (match Array.to_list Sys.argv with
     | [ _; "--counted"; path ] -> run true path
     | [ _; path ] when path <> "" && path.[0] <> '-' -> run false path
     | _ -> usage ())
