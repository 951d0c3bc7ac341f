(* What the proved checker says of the statements of a certificate. The system that it is given is made of the task-set file; the
   certificate gives it the bounds, priority points, offsets, segments and weights, and nothing else. *)

open Proved
module N = Number
module C = Certificate
module T = Task_set

type verdict =
  | Verified of string (* by what, or nothing *)
  | Not_verified of string
  | Not_shown of string
  | Hint (* it helps rta-check alone, or says what others rest on *)

exception Not_in_model of string

type claim = { statement : C.statement; offset : z option; parts : z; unit_ : int; point : z option }

let in_ns claim = N.ceil_div claim.parts (N.of_int claim.unit_)

type t = {
  set : T.t;
  release : string;
  claims : claim option array array;
  segment : int array array;
  mutable weights : (z * (int * string * z * z list)) list; (* number -> pool, level, unit, densities by class; in reverse *)
  mutable counted : (int * z) list; (* pool -> number of weights *)
  mutable ends : (int * z) list;
  mutable reached : bool;
}

let name t d v = t.set.dags.(d).d_name ^ "/" ^ t.set.dags.(d).nodes.(v).n_name

(** What the certificate says in place of the file. *)

let assume (set : T.t) s =
  let pool = set.pools.(C.index s 1 (Array.length set.pools)) in
  let property = C.word s 2 and value = C.word s 3 in
  let number () = C.number s 3 in
  let above_0 () = let n = number () in if N.(n <= Z0) then C.bad s "a number above 0 is expected" else n in
  let limit () = if value = "-" then None else Some (number ()) in
  (match pool.kind, property with
   | Cpu, "scheduler" -> pool.scheduler <- value
   | Cpu, "preemptive" -> pool.preemptive <- value = "yes"
   | Cpu, "equals" -> pool.equals <- value
   | Gpu, "sms" -> pool.size <- above_0 ()
   | Gpu, "threads" -> pool.sm.(0) <- Some (above_0 ())
   | Gpu, "blocks" -> pool.sm.(1) <- Some (above_0 ())
   | Gpu, "shared_memory" -> pool.sm.(2) <- limit ()
   | Gpu, "registers" -> pool.sm.(3) <- limit ()
   | Gpu, "warp" -> pool.warp <- above_0 ()
   | Gpu, "shared_memory_unit" -> pool.unit_ <- above_0 ()
   | Gpu, "shared_memory_reserved" -> pool.reserved <- number ()
   | Gpu, "register_unit" -> pool.per <- above_0 ()
   | Gpu, "register_parts" -> pool.parts <- above_0 ()
   | _ -> raise (Not_in_model ("it is not known here what is assumed of pool " ^ pool.name)));
  T.set_priorities set

(** Blocks. *)

let demand (pool : T.pool) (node : T.node) =
  let threads = T.round_up node.h pool.warp in
  let of_limit i amount = if pool.sm.(i) = None then Z0 else amount () in
  [ threads; T.one; of_limit 2 (fun () -> T.round_up N.(node.shared + pool.reserved) pool.unit_);
    of_limit 3 (fun () -> N.(T.round_up (node.registers * pool.warp) pool.per * floor_div threads pool.warp)) ]

let rec compare_demands a b =
  match a, b with
  | x :: a, y :: b -> if N.(x < y) then -1 else if N.(y < x) then 1 else compare_demands a b
  | _ -> 0

(** The system that nodes make, which share pools with one another and with no others. *)

let need condition what = if not condition then raise (Not_in_model what)

let need_node t d v =
  let dag = t.set.dags.(d) in
  let node = dag.nodes.(v) in
  let pool = t.set.pools.(node.n_pool) in
  let of_node what = Printf.sprintf "%s: %s" (name t d v) what in
  need (dag.threads = None) (dag.d_name ^ " is played by threads, which the proved function does not have");
  need (dag.in_flight = None) (dag.d_name ^ " has a limit of jobs in flight, which the proved function does not have");
  need (not node.sequential) (of_node "is sequential, which the proved model does not have");
  match pool.kind with
  | Cpu ->
    need (List.mem pool.scheduler [ "FIFO"; "G-EDF"; "G-FL"; "LP"; "FP" ])
      (Printf.sprintf "pool %s: the proved function does not have the scheduler %s" pool.name pool.scheduler);
    need (List.mem pool.equals [ ""; "fifo"; "any" ]) (Printf.sprintf "pool %s: in which order equals run is not known here" pool.name)
  | Engines -> need N.(pool.size <= of_int 2) (Printf.sprintf "pool %s has more than two engines" pool.name)
  | Workers -> ()
  | Gpu ->
    need node.has_blocks (of_node "of its blocks nothing is known");
    need (N.equal node.cluster T.one && not node.cooperative) (of_node "its blocks start together, which the proved model does not have");
    need (N.equal pool.parts T.one || N.equal (List.nth (demand pool node) 3) Z0)
      (Printf.sprintf "pool %s has its registers in parts, and %s asks for some" pool.name (name t d v))

let order_of (pool : T.pool) =
  match pool.kind, pool.scheduler with
  | Cpu, "FP" -> (if T.equals_any pool then OrderFixedAny else OrderFixed), pool.preemptive
  | Cpu, ("G-EDF" | "G-FL" | "LP") -> OrderGel, pool.preemptive
  | _ -> OrderFifo, true

let rec lcm_of = function [] -> 1 | n :: rest -> let m = lcm_of rest in let rec gcd a b = if b = 0 then a else gcd b (a mod b) in m / gcd m n * n

(* The weights that are tried: those by which the GPU is counted; at offsets, where none is, each that is stated of it. *)
let weights_of t p =
  match List.assoc_opt p t.counted with
  | Some number -> List.filter (fun (pool, _, _, _) -> pool = p) [ List.assoc number t.weights ]
  | None when t.release <> "offsets" -> []
  | None -> List.filter (fun (pool, _, _, _) -> pool = p) (List.rev_map snd t.weights)

let most_entries = 2_000_000 (* of the tables of an SM's amounts *)

(* [nodes]: in an order in which all are behind their predecessors; [dag_of] says what is released together. *)
let input_of t nodes dag_of weights =
  let claim d v = Option.get t.claims.(d).(v) in
  let unit_ = lcm_of (List.map (fun (d, v) -> (claim d v).unit_) nodes) in
  need (unit_ <= 1 lsl 40) "the bounds of DAGs that share pools have too many denominators";
  let scaled n = N.(n * of_int unit_) in
  let node_at (d, v) = t.set.dags.(d).nodes.(v) in
  let pools = Array.length t.set.pools in
  let queue at =
    let node = node_at at in
    let pool = t.set.pools.(node.n_pool) in
    if pool.kind = Engines && N.(T.one < pool.size) && node.direction = "d2h" then pools + node.n_pool else node.n_pool
  in
  let number = Hashtbl.create 64 and dag_number = Hashtbl.create 64 in
  List.iteri (fun i at -> Hashtbl.replace number at i) nodes;
  let dags = ref [] in
  List.iter
    (fun (d, v) ->
      if not (Hashtbl.mem dag_number (dag_of (d, v))) then begin
        let n = Hashtbl.length dag_number in
        Hashtbl.add dag_number (dag_of (d, v)) n;
        dags := (N.of_int n, scaled t.set.dags.(d).distance) :: !dags
      end)
    nodes;
  let kernels_on p = List.filter (fun at -> (node_at at).n_pool = p) nodes in
  let blocks = Hashtbl.create 8 in (* GPU -> unit and weight of a kernel *)
  List.iter
    (fun (p, (_, level, unit_, densities)) ->
      let pool = t.set.pools.(p) in
      let classes = List.sort_uniq compare_demands (List.map (fun at -> demand pool (node_at at)) (kernels_on p)) in
      need (level = "only") (Printf.sprintf "pool %s has kernels of several priorities" pool.name);
      need (List.length classes = List.length densities) (Printf.sprintf "the weights of pool %s are not of its classes of blocks" pool.name);
      let weight at =
        let d = demand pool (node_at at) in
        N.(List.hd d * List.assoc d (List.combine classes densities))
      in
      Hashtbl.add blocks p (unit_, weight))
    weights;
  let row at =
    let d, v = at in
    let node = node_at at and claim = claim d v in
    let pool = t.set.pools.(node.n_pool) in
    let e = scaled node.longest in
    let weight = match pool.kind with Gpu -> (snd (Hashtbl.find blocks node.n_pool)) at | Cpu | Engines | Workers -> T.one in
    let count = match pool.kind with Gpu | Workers -> node.blocks | Cpu | Engines -> T.one in
    let key =
      match fst (order_of pool) with
      | OrderFifo -> Z0
      | OrderFixed | OrderFixedAny -> node.priority
      | OrderGel -> (match claim.point with Some y -> scaled y | None -> raise (Not_in_model (name t d v ^ " has no priority point")))
    in
    let preds = List.filter (fun u -> dag_of (d, u) = dag_of at) node.before in
    ( N.of_int (Hashtbl.find number at),
      { n_dag = N.of_int (Hashtbl.find dag_number (dag_of at)); n_pool = N.of_int (queue at); n_exec = e; n_last = N.(weight * e);
        n_vol = N.(weight * e * count); n_key = key; n_bound = N.(claim.parts * of_int (unit_ / claim.unit_));
        n_preds = List.map (fun u -> N.of_int (Hashtbl.find number (d, u))) preds } )
  in
  let queues = List.sort_uniq compare (List.map queue nodes) in
  let pool_of q = t.set.pools.(q mod pools) in
  let step p = N.max T.one (List.fold_left (fun m at -> N.gcd (snd (Hashtbl.find blocks p) at) m) Z0 (kernels_on p)) in
  let pool_row q =
    let pool = pool_of q in
    let p_order, p_preemptive = order_of pool in
    let p_cap =
      match pool.kind with Cpu | Workers -> pool.size | Engines -> T.one | Gpu -> N.(pool.size * fst (Hashtbl.find blocks q))
    in
    N.of_int q, { p_order; p_preemptive; p_cap; p_step = (if pool.kind = Gpu then step q else T.one) }
  in
  (* What nobody asks for is never short. *)
  let limits_of p =
    let pool = t.set.pools.(p) in
    let demands = List.map (fun at -> demand pool (node_at at)) (kernels_on p) in
    List.filter
      (fun i ->
        match pool.sm.(i) with
        | Some capacity when List.exists (fun d -> not (N.equal (List.nth d i) Z0)) demands ->
          let amounts = N.floor_div capacity (List.fold_left (fun m d -> N.gcd (List.nth d i) m) Z0 demands) in
          need N.(amounts * of_int (List.length demands) <= of_int most_entries)
            (Printf.sprintf "pool %s: a table of all amounts that blocks may take has more than %d entries" pool.name most_entries);
          true
        | Some capacity -> need N.(Z0 <= capacity) "a capacity is below 0"; false
        | None -> false)
      [ 0; 1; 2; 3 ]
  in
  let limits = List.map (fun p -> p, limits_of p) (List.map fst weights) in
  let gpu_row q =
    let pool = pool_of q in
    match pool.kind with
    | Workers -> [ N.of_int q, { g_sms = pool.size; g_one = T.one } ]
    | Gpu -> [ N.of_int q, { g_sms = pool.size; g_one = fst (Hashtbl.find blocks q) } ]
    | Cpu | Engines -> []
  in
  let resources q =
    let pool = pool_of q in
    match pool.kind with
    | Workers -> [ N.of_int q, T.one ]
    | Gpu -> List.map (fun i -> N.of_int q, Option.get pool.sm.(i)) (List.assoc q limits)
    | Cpu | Engines -> []
  in
  let kernel at =
    let node = node_at at in
    let pool = t.set.pools.(node.n_pool) in
    let row k_weight k_demands =
      [ N.of_int (Hashtbl.find number at), { k_length = scaled node.longest; k_blocks = node.blocks; k_weight; k_demands } ]
    in
    match pool.kind with
    | Workers -> row T.one [ T.one ]
    | Gpu -> row (snd (Hashtbl.find blocks node.n_pool) at) (List.map (List.nth (demand pool node)) (List.assoc node.n_pool limits))
    | Cpu | Engines -> []
  in
  { i_pools = List.map pool_row queues; i_dags = List.rev !dags; i_nodes = List.map row nodes; i_gpus = List.concat_map gpu_row queues;
    i_resources = List.concat_map resources queues; i_kernels = List.concat_map kernel nodes }

let rec choices = function
  | [] -> [ [] ]
  | (p, of_pool) :: rest -> List.concat_map (fun others -> List.map (fun w -> (p, w) :: others) of_pool) (choices rest)

let most_choices = 16

(* What the proved function says of all nodes of one system: by which theorem each bound holds, or why it is not shown. *)
let verdicts_of t nodes dag_of =
  let all why = List.map (fun at -> at, Not_shown why) nodes in
  try
    List.iter (fun (d, v) -> need_node t d v; need (t.claims.(d).(v) <> None) (name t d v ^ " has no bound")) nodes;
    let gpus = List.sort_uniq compare (List.filter_map (fun (d, v) -> let p = t.set.dags.(d).nodes.(v).n_pool in if t.set.pools.(p).kind = Gpu then Some p else None) nodes) in
    let stated =
      List.map
        (fun p ->
          let of_pool = weights_of t p in
          need (of_pool <> []) ("no weights are stated for the blocks on pool " ^ t.set.pools.(p).name);
          p, of_pool)
        gpus
    in
    let judge weights =
      let result = check_input (input_of t nodes dag_of weights) in
      let theorem (d, v) = function
        | HoldsByT10n -> let pool = t.set.pools.(t.set.dags.(d).nodes.(v).n_pool) in if pool.scheduler = "FP" && pool.kind = Cpu then "T11" else "T10n"
        | HoldsByT10j -> "T10j"
        | HoldsByT10g -> "T10g"
        | NotShown -> ""
      in
      let why =
        if not result.is_system then "a bound is below the longest piece, or a number is not what the proved model has"
        else if List.exists (fun (_, valid) -> not valid) result.gpu_verdicts then "the weights of a GPU are not shown to be valid"
        else "the bound of a node that shares pools with this one is not shown"
      in
      if accepted result then true, List.map2 (fun at (_, verdict) -> at, Verified (theorem at verdict)) nodes result.verdicts
      else if not result.is_system then false, all why
      else
        ( false,
          List.map2
            (fun at (_, verdict) ->
              at, Not_shown (if verdict = NotShown then "neither T10n (T11) nor T10j or T10g holds" else why))
            nodes result.verdicts )
    in
    let rec first tried = function
      | [] -> all "no weights are stated"
      | [ last ] -> snd (judge last)
      | weights :: rest ->
        let holds, verdicts = judge weights in
        if holds || tried = most_choices then verdicts else first (tried + 1) rest
    in
    first 1 (choices stated)
  with Not_in_model why -> all why

(** Systems. *)

let every_node t = List.concat (List.init (Array.length t.set.dags) (fun d -> List.map (fun v -> d, v) t.set.dags.(d).order))

(* DAGs, on completion and segments, that share pools, or share them with others that do; at offsets, where every node is released by
   itself, the nodes of one pool. *)
let systems t =
  let root = Array.init (Array.length t.set.pools) Fun.id in
  let rec find p = if root.(p) = p then p else (root.(p) <- find root.(p); root.(p)) in
  if t.release <> "offsets" then
    Array.iter (fun (dag : T.dag) -> Array.iter (fun (node : T.node) -> root.(find node.n_pool) <- find dag.nodes.(0).n_pool) dag.nodes) t.set.dags;
  let of_pool = Hashtbl.create 16 in
  List.iter
    (fun (d, v) ->
      let p = find t.set.dags.(d).nodes.(v).n_pool in
      Hashtbl.replace of_pool p ((d, v) :: Option.value (Hashtbl.find_opt of_pool p) ~default:[]))
    (every_node t);
  Hashtbl.fold (fun _ nodes all -> List.rev nodes :: all) of_pool []

let dag_of t (d, v) =
  match t.release with "offsets" -> d, v | "segments" -> d, t.segment.(d).(v) | _ -> d, 0

(* Why an offset is not what it has to be, if it is not. *)
let wrong_offset t d v =
  let claim = Option.get t.claims.(d).(v) in
  let at_offsets = t.release = "offsets" in
  match claim.offset with
  | None -> if at_offsets then None else Some "a node has no offset"
  | Some offset ->
    let before u =
      match t.claims.(d).(u) with
      | Some ({ offset = Some earlier; _ } as of_u) ->
        if (at_offsets || t.segment.(d).(u) <> t.segment.(d).(v)) && N.(offset < earlier + in_ns of_u) then Some "the node is released before a predecessor has ended" else None
      | Some _ | None -> Some "a predecessor has no bound"
    in
    if N.(offset < Z0) then Some "an offset is below 0"
    else if t.release = "completion" && not (N.equal offset Z0) then Some "on completion bounds count from the DAG's release"
    else
      match List.find_map before t.set.dags.(d).nodes.(v).before with
      | Some why -> Some why
      | None when t.release = "segments" ->
        let same w = t.segment.(d).(w) <> t.segment.(d).(v) || (match t.claims.(d).(w) with Some { offset = Some o; _ } -> N.equal o offset | Some _ | None -> false) in
        if List.for_all same (List.init (Array.length t.set.dags.(d).nodes) Fun.id) then None else Some "the nodes of a segment have different offsets"
      | None -> None

(** What bounds assume that the file does not say, as rta-check prints it. *)

let has_points (pool : T.pool) = pool.kind = Cpu && pool.scheduler <> "FIFO" && pool.scheduler <> "FP"
let lateness (pool : T.pool) d c = if pool.scheduler = "G-FL" then N.(d - floor_div (c * (pool.size - T.one)) pool.size) else d

let point_of t (dag : T.dag) =
  let deadline = Option.value dag.d_deadline ~default:dag.distance in
  let least = ref deadline in
  Array.iteri
    (fun p (pool : T.pool) ->
      if pool.scheduler = "G-FL" then begin
        let length = Array.make (Array.length dag.nodes) Z0 in
        List.iter
          (fun v ->
            let node = dag.nodes.(v) in
            List.iter (fun u -> length.(v) <- N.max length.(v) length.(u)) node.before;
            if node.n_pool = p then length.(v) <- N.(length.(v) + node.work);
            least := N.min !least (lateness pool deadline length.(v)))
          dag.order
      end)
    t.set.pools;
  !least

let assumed t statements =
  let lines = ref [] in
  let add format = Printf.ksprintf (fun line -> lines := line :: !lines) format in
  List.iter (fun (s : C.statement) -> if C.kind s = "assume" then add "%s" (String.sub s.text 7 (String.length s.text - 7))) statements;
  add "release %s" t.release;
  let by_dag = t.release <> "offsets" in
  Array.iteri
    (fun d (dag : T.dag) ->
      let inside u v = t.segment.(d).(u) = t.segment.(d).(v) in
      Array.iteri
        (fun v (node : T.node) ->
          if t.release = "segments" then
            List.iter (fun u -> if not (inside u v || List.mem u node.cut) then add "cut between %s and %s" (name t d u) (name t d v)) node.before;
          match t.claims.(d).(v) with
          | Some { offset = Some offset; _ } when not (N.equal offset Z0) ->
            if not (t.release = "segments" && List.exists (fun u -> inside u v) node.before) then add "offset of %s is %s ns" (name t d v) (N.show offset)
          | Some _ | None -> ())
        dag.nodes;
      Array.iteri
        (fun v (node : T.node) ->
          let pool = t.set.pools.(node.n_pool) in
          match t.claims.(d).(v) with
          | Some { point = Some y; _ } when has_points pool ->
            let given = if by_dag then point_of t dag else lateness pool (Option.value node.deadline ~default:dag.distance) node.work in
            let known = pool.scheduler = "G-EDF" || pool.scheduler = "G-FL" in
            let shortened = N.(Z0 < dag.jitter) && (if by_dag then dag.d_deadline else node.deadline) = None in
            if (not known) || shortened || not (N.equal y given) then add "priority point of %s is %s ns" (name t d v) (N.show y)
          | Some _ | None -> ())
        dag.nodes)
    t.set.dags;
  Array.iteri
    (fun p (pool : T.pool) ->
      let asks (node : T.node) = node.n_pool = p && node.has_blocks && N.(Z0 < node.registers) in
      if pool.kind = Gpu && pool.sm.(3) <> None && Array.exists (fun (dag : T.dag) -> Array.exists asks dag.nodes) t.set.dags then
        add "pool %s: an SM has its registers in one amount, not in parts that hold whole warps" pool.name)
    t.set.pools;
  List.rev !lines

(** The statements. *)

let read_claims set statements =
  let t =
    { set; release = (List.find (fun s -> C.kind s = "release") statements |> fun s -> C.word s 1);
      claims = Array.map (fun (dag : T.dag) -> Array.make (Array.length dag.nodes) None) set.T.dags;
      segment = Array.map (fun (dag : T.dag) -> Array.make (Array.length dag.nodes) 0) set.T.dags; weights = []; counted = []; ends = []; reached = false }
  in
  let dags = Array.length set.T.dags and pools = Array.length set.T.pools in
  let seen = Hashtbl.create 8 in
  let once s what = if Hashtbl.mem seen what then C.bad s "this is stated twice" else Hashtbl.add seen what () in
  List.iter
    (fun (s : C.statement) ->
      let words = Array.length s.words in
      match C.kind s with
      | "bound" ->
        let d = C.index s 1 dags in
        let v = C.index s 2 (Array.length t.claims.(d)) in
        let optional i = if C.word s i = "-" then None else Some (C.number s i) in
        let parts, unit_ = C.fraction s 4 in
        ignore (C.word s 6);
        if t.claims.(d).(v) <> None then C.bad s "this node has a bound already";
        if N.(parts < Z0) then C.bad s "a time is out of range";
        t.claims.(d).(v) <- Some { statement = s; offset = optional 3; parts; unit_; point = optional 5 }
      | "segments" ->
        let d = C.index s 1 dags in
        let n = Array.length t.segment.(d) in
        if words <> n + 2 then C.bad s "one number for each node is expected";
        Array.iteri (fun v _ -> t.segment.(d).(v) <- C.index s (v + 2) n) t.segment.(d)
      | "weights" ->
        let pool = C.index s 2 pools and number = C.number s 1 in
        once s ("weights " ^ N.show number);
        t.weights <- (number, (pool, C.word s 3, C.number s 4, List.init (max 0 (words - 5)) (fun i -> C.number s (i + 5)))) :: t.weights
      | "counted" ->
        let p = C.index s 1 pools and number = C.number s 2 in
        once s ("counted " ^ string_of_int p);
        if not (List.mem_assoc number t.weights) then C.bad s "no such weights are stated before";
        t.counted <- (p, number) :: t.counted
      | "end" ->
        let d = C.index s 1 dags in
        once s ("end " ^ string_of_int d);
        t.ends <- (d, C.number s 2) :: t.ends
      | "reached" -> t.reached <- true
      | _ -> ())
    statements;
  t

let verdict_that_follows t =
  let claimed d = List.assoc_opt d t.ends in
  let within limit time = match limit with None -> true | Some limit -> (match time with Some time -> N.(time <= limit) | None -> false) in
  let bounded = ref true and met = ref true in
  Array.iteri
    (fun d (dag : T.dag) ->
      if claimed d = None then (bounded := false; met := false);
      if not (within dag.d_deadline (claimed d)) then met := false;
      Array.iteri (fun v (node : T.node) -> if not (within node.deadline (Option.map in_ns t.claims.(d).(v))) then met := false) dag.nodes)
    t.set.dags;
  if not !bounded then "unbounded" else if !met then "schedulable" else "deadline-missed"

(* Per statement, then lines of the file that none of them states. *)
let judge_set set digest statements =
  let unknown = List.find_map (fun s -> if C.kind s <> "assume" then None else try assume set s; None with Not_in_model why -> Some why) statements in
  let left = Hashtbl.create 64 in
  List.iter (fun line -> Hashtbl.replace left line ()) (T.lines set);
  let t = read_claims set statements in
  let proved = Hashtbl.create 64 in
  let offsets_hold = ref true in
  let refuse_all =
    match unknown with
    | Some why -> Some why
    | None when List.exists (fun s -> C.kind s = "granularity") statements -> Some "groups are not in the proved model"
    | None when not (List.mem t.release [ "completion"; "offsets"; "segments" ]) -> Some ("release " ^ t.release ^ " is not in the proved model")
    | None -> None
  in
  let for_claims f = Array.iteri (fun d of_dag -> Array.iteri (fun v claim -> if claim <> None then f d v) of_dag) t.claims in
  for_claims (fun d v -> if t.release <> "completion" && refuse_all = None && wrong_offset t d v <> None then offsets_hold := false);
  (match refuse_all with
   | Some why -> for_claims (fun d v -> Hashtbl.replace proved (d, v) (Not_shown why))
   | None ->
     List.iter
       (fun nodes -> List.iter (fun (at, verdict) -> Hashtbl.replace proved at verdict) (verdicts_of t nodes (dag_of t)))
       (systems t));
  let bound_verdict d v =
    match Hashtbl.find proved (d, v) with
    | Not_shown why when refuse_all <> None -> Not_shown why
    | verdict ->
      (match wrong_offset t d v with
       | Some why -> Not_verified why
       | None when not !offsets_hold -> Not_shown "some offset does not hold"
       | None -> verdict)
  in
  let end_verdict d least =
    let n = Array.length t.claims.(d) in
    let nodes = List.init n Fun.id in
    let late v = match t.claims.(d).(v) with Some ({ offset = Some offset; _ } as claim) -> N.(least < offset + in_ns claim) | Some _ | None -> false in
    let stated v = match t.claims.(d).(v) with Some { offset = Some _; _ } -> true | Some _ | None -> false in
    if t.reached then Not_shown "T36 is not machine-checked"
    else if List.exists late nodes then Not_verified "a node ends later"
    else
      match List.find_opt (fun v -> not (stated v)) nodes with
      | Some v -> Not_verified (name t d v ^ " has no bound")
      | None ->
        (match List.find_map (fun v -> match bound_verdict d v with Verified _ -> None | _ -> Some v) nodes with
         | Some v -> Not_shown ("the bound of " ^ name t d v ^ " is not verified")
         | None -> Verified "")
  in
  let verdict_of (s : C.statement) =
    match C.kind s with
    | "rta-certificate" | "assume" | "release" -> Hint
    | "file" -> if C.word s 1 = digest then Verified "" else Not_verified "the certificate is about another file"
    | "pool" | "dag" | "node" | "after" | "chain" when unknown <> None -> Not_shown (Option.get unknown)
    | "pool" | "dag" | "node" | "after" | "chain" ->
      if Hashtbl.mem left s.text then (Hashtbl.remove left s.text; Verified "") else Not_verified "the file does not say so, or this was stated before"
    | "bound" -> bound_verdict (C.index s 1 (Array.length t.claims)) (C.index s 2 (Array.length t.claims.(C.index s 1 (Array.length t.claims))))
    | "end" -> end_verdict (C.index s 1 (Array.length t.claims)) (C.number s 2)
    | "segments" when t.release <> "segments" -> Not_verified "there are no segments"
    | "verdict" ->
      let limited = List.exists (fun (c : T.chain) -> c.reaction <> None || c.age <> None) set.chains in
      if t.reached || limited then Not_shown "latencies of chains and T36 are not judged"
      else if C.word s 1 <> verdict_that_follows t then Not_verified "the verdict does not follow from the ends and the deadlines"
      else
        (match List.find_map (fun (d, least) -> match end_verdict d least with Verified _ -> None | _ -> Some d) (List.rev t.ends) with
         | Some d -> Not_shown ("the end of " ^ set.dags.(d).d_name ^ " is not verified")
         | None -> Verified "")
    | other -> if List.mem other C.hints then Hint else Not_shown "statements of this kind are not judged"
  in
  let verdicts = List.map (fun s -> s, verdict_of s) statements in
  let missing = if unknown = None then List.filter (Hashtbl.mem left) (T.lines set) else [] in
  verdicts, missing, assumed t statements

(* What the file has that the proved model has not stands before everything. *)
let judge task_set certificate =
  let statements = C.read certificate in
  let digest = Sha256.of_text task_set in
  match T.read task_set with
  | set -> judge_set set digest statements
  | exception T.Beyond (line, column, what) ->
    let why = Printf.sprintf "task set %d:%d: %s" line column what in
    let verdict s =
      match C.kind s with
      | "rta-certificate" | "assume" | "release" -> Hint
      | "file" -> if C.word s 1 = digest then Verified "" else Not_verified "the certificate is about another file"
      | kind -> if List.mem kind C.hints then Hint else Not_shown why
    in
    List.map (fun s -> s, verdict s) statements, [], []
