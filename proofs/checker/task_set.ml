(* The task-set file, read for what the proved model has. What it does not have is refused by name: of a DAG or a pool where the rest does
   not depend on it, else of the whole file. *)

open Proved
module N = Number

exception Beyond of int * int * string (* line and column of the file; what the proved model does not have, or is not read here *)

type kind = Cpu | Gpu | Engines | Workers

(* G-threads, block slots, bytes of shared memory, registers: of an SM, or of one block. *)
type amounts = z option array

type pool = {
  mutable name : string;
  kind : kind;
  mutable size : z; (* processors, SMs, engines, workers *)
  mutable scheduler : string;
  mutable preemptive : bool;
  mutable equals : string; (* fifo, any or as usual *)
  overhead : z;
  sm : amounts; (* none: never the limit *)
  mutable warp : z;
  mutable unit_ : z; (* of shared memory *)
  mutable reserved : z;
  mutable per : z; (* registers of a warp come in multiples of it *)
  mutable parts : z; (* of the register file *)
}

type node = {
  n_name : string;
  n_pool : int;
  work : z; (* C; of a kernel G-threads x ns of one block *)
  longest : z; (* of a piece: C, a block, an item with its overhead *)
  shortest : z;
  blocks : z;
  has_blocks : bool;
  time : z option;
  cluster : z;
  cooperative : bool;
  h : z;
  shared : z;
  registers : z;
  stream : z; (* priority of a kernel *)
  direction : string;
  sequential : bool;
  deadline : z option;
  mutable given_priority : z option;
  mutable priority : z;
  mutable before : int list; (* in increasing order *)
  mutable cut : int list;
}

type dag = {
  d_name : string;
  distance : z; (* of two releases, at least *)
  jitter : z;
  phase : z option;
  t_max : z option;
  d_deadline : z option;
  periodic : bool;
  threads : z option;
  in_flight : z option;
  nodes : node array;
  order : int list; (* each after its predecessors *)
}

type chain = { c_name : string; let_ : bool; reaction : z option; age : z option; stages : (int * int option) list }
type t = { pools : pool array; dags : dag array; chains : chain list }

let beyond (at : Yaml.node) what = raise (Beyond (at.line, at.column, what))
let text_of (at : Yaml.node) = match at.value with Scalar text -> text | List _ | Mapping _ -> beyond at "a plain value is expected"
let list_of (at : Yaml.node) = match at.value with List items -> items | Scalar _ | Mapping _ -> beyond at "a list is expected"
let mapping_of (at : Yaml.node) = match at.value with Mapping entries -> entries | Scalar _ | List _ -> beyond at "a mapping is expected"

let find entries name = Option.map snd (List.find_opt (fun ((key : Yaml.node), _) -> key.value = Scalar name) entries)
let need at entries name = match find entries name with Some value -> value | None -> beyond at ("'" ^ name ^ "' is missing")

(* Keys that are neither read nor known to change nothing are refused. *)
let only keys entries =
  List.iter (fun (key, _) -> if not (List.mem (text_of key) keys) then beyond key ("the proved model does not have '" ^ text_of key ^ "'")) entries

let flag entries name otherwise =
  match find entries name with
  | None -> otherwise
  | Some at -> (match text_of at with "true" -> true | "false" -> false | _ -> beyond at "true or false is expected")

(** Numbers with units. *)

let times = [ "ns", 1; "us", 1_000; "ms", 1_000_000; "s", 1_000_000_000 ]
let rates = [ "Hz", 1_000_000; "kHz", 1_000_000_000; "MHz", 1_000_000_000_000 ] (* in millionths of a Hz *)
let sizes = [ "B", 1; "KiB", 1024; "MiB", 1_048_576 ]

let quantity at units default =
  let text = text_of at in
  let text = if text <> "" && text.[0] = '+' then String.sub text 1 (String.length text - 1) else text in
  let is_number c = c = '.' || ('0' <= c && c <= '9') in
  let rec split i = if i < String.length text && is_number text.[i] then split (i + 1) else i in
  let number = String.sub text 0 (split 0) in
  let unit_ = String.sub text (split 0) (String.length text - split 0) in
  let rec strip u = if u <> "" && (u.[0] = ' ' || u.[0] = '\t') then strip (String.sub u 1 (String.length u - 1)) else u in
  let unit_ = match strip unit_ with "\xc2\xb5s" | "\xce\xbcs" -> "us" | "" -> default | other -> other in
  let factor =
    match List.assoc_opt unit_ units with Some factor -> N.of_int factor | None -> beyond at ("'" ^ text ^ "' has no unit that is known here")
  in
  let whole, fraction =
    match String.index_opt number '.' with
    | None -> number, ""
    | Some i -> String.sub number 0 i, String.sub number (i + 1) (String.length number - i - 1)
  in
  match N.read (whole ^ fraction) with
  | Some value when whole <> "" ->
    let parts = String.fold_left (fun product _ -> N.(product * ten)) (N.of_int 1) fraction in
    let quotient, rest = Z.div_eucl N.(value * factor) parts in
    if N.equal rest Z0 then quotient else beyond at ("'" ^ text ^ "' is not whole in the smallest unit")
  | Some _ | None -> beyond at ("'" ^ text ^ "' is no number")

let whole at = quantity at [ "", 1 ] ""
let bytes at = quantity at sizes ""
let number entries name otherwise = match find entries name with Some at -> whole at | None -> otherwise

type reader = {
  unit_of_time : string;
  mutable r_pools : pool list; (* in reverse *)
  mutable r_dags : dag list; (* in reverse *)
  mutable node_count : int;
}

let most_nodes = 1_000_000

let time r at = quantity at times r.unit_of_time
let time_of r entries name = Option.map (time r) (find entries name)
let zero = Z0
let one = N.of_int 1

let positive at value what = if N.(value <= Z0) then beyond at (what ^ " is above 0") else value

(** Pools. *)

(* What an SM holds, from NVIDIA's tables of compute capabilities: SMs, threads, slots, KiB of shared memory, its unit, KiB reserved. *)
let devices =
  [ "tx1", (2, 2048, 32, 64, 256, 0); "gtx-1070", (15, 2048, 32, 96, 256, 0); "tx2", (2, 2048, 32, 64, 256, 0); "titan-v", (80, 2048, 32, 96, 256, 0);
    "v100", (80, 2048, 32, 96, 256, 0); "xavier", (8, 2048, 32, 96, 256, 0); "a100", (108, 2048, 32, 164, 128, 1); "orin", (16, 1536, 16, 164, 128, 1);
    "orin-nx", (8, 1536, 16, 164, 128, 1); "orin-nano", (8, 1536, 16, 164, 128, 1); "rtx-4090", (128, 1536, 24, 100, 128, 1); "l4", (58, 1536, 24, 100, 128, 1);
    "h100", (132, 2048, 32, 228, 128, 1); "h200", (132, 2048, 32, 228, 128, 1); "b200", (148, 2048, 32, 228, 128, 1); "thor", (20, 1536, 24, 228, 128, 1);
    "rtx-5090", (170, 1536, 24, 100, 128, 1) ]

let plain_pool kind name size =
  { name; kind; size; scheduler = "G-EDF"; preemptive = true; equals = ""; overhead = zero; sm = Array.make 4 None; warp = one; unit_ = one;
    reserved = zero; per = one; parts = one }

let add_pool r pool = r.r_pools <- pool :: r.r_pools

let gpu r name at entries =
  (* Limits of one launch change no schedule, and interference adds only to durations that are given `alone`, which are refused. *)
  only
    [ "device"; "sms"; "threads"; "threads_per_block"; "blocks"; "shared_memory"; "registers"; "shared_memory_per_block"; "registers_per_block";
      "registers_per_thread"; "warp"; "shared_memory_unit"; "shared_memory_reserved"; "register_unit"; "register_parts"; "interference";
      "launch_overhead"; "dispatch_latency" ]
    entries;
  List.iter
    (fun key ->
      match find entries key with
      | Some value when not (N.equal (time r value) Z0) -> beyond value ("the proved model does not have '" ^ key ^ "'")
      | Some _ | None -> ())
    [ "launch_overhead"; "dispatch_latency" ];
  let pool = plain_pool Gpu name one in
  let set i n = pool.sm.(i) <- Some (N.of_int n) in
  set 0 2048;
  set 1 32;
  (match find entries "device" with
   | None -> ()
   | Some device ->
     (match List.assoc_opt (text_of device) devices with
      | None -> beyond device "no such device is known here"
      | Some (sms, threads, slots, kib, unit_, reserved) ->
        pool.size <- N.of_int sms;
        set 0 threads;
        set 1 slots;
        set 2 (1024 * kib);
        set 3 65_536;
        pool.warp <- N.of_int 32;
        pool.unit_ <- N.of_int unit_;
        pool.reserved <- N.of_int (1024 * reserved);
        pool.per <- N.of_int 256;
        pool.parts <- N.of_int 4));
  pool.size <- number entries "sms" pool.size;
  List.iter
    (fun (i, key, read) ->
      match find entries key with
      | None -> ()
      | Some value -> pool.sm.(i) <- (if i >= 2 && text_of value = "unlimited" then None else Some (read value)))
    [ 0, "threads", whole; 1, "blocks", whole; 2, "shared_memory", bytes; 3, "registers", whole ];
  let of_bytes key otherwise = match find entries key with Some value -> bytes value | None -> otherwise in
  pool.warp <- positive at (number entries "warp" pool.warp) "a unit";
  pool.unit_ <- positive at (of_bytes "shared_memory_unit" pool.unit_) "a unit";
  pool.reserved <- of_bytes "shared_memory_reserved" pool.reserved;
  pool.per <- positive at (number entries "register_unit" pool.per) "a unit";
  pool.parts <- positive at (number entries "register_parts" pool.parts) "a unit";
  pool

let read_pool r (key, at) =
  let name = text_of key and entries = mapping_of at in
  let has key = find entries key <> None in
  let size pool = ignore (positive at pool.size "a pool's size"); if N.(of_int 1_000_000 < pool.size) then beyond at "a pool's size is at most 1000000" in
  if has "processors" then begin
    only [ "processors"; "scheduler"; "preemptive"; "equals"; "partitioned" ] entries;
    let pool = plain_pool Cpu name (number entries "processors" one) in
    size pool;
    let text key otherwise = match find entries key with Some value -> text_of value | None -> otherwise in
    pool.scheduler <- text "scheduler" "G-EDF";
    pool.preemptive <- flag entries "preemptive" true;
    pool.equals <- text "equals" "";
    if pool.scheduler = "wait-set" || pool.scheduler = "multi-threaded" then pool.preemptive <- false;
    if not (flag entries "partitioned" false) then add_pool r pool
    else begin
      if N.(of_int 4096 < pool.size) then beyond at "a pool has at most 4096 partitions";
      let rec add i = if N.(i < pool.size) then (add_pool r { pool with name = name ^ N.show i; size = one; sm = Array.copy pool.sm }; add N.(i + one)) in
      add zero
    end
  end
  else begin
    let pool =
      if has "device" || has "sms" then gpu r name at entries
      else if has "engines" then (only [ "engines" ] entries; plain_pool Engines name (number entries "engines" one))
      else if has "workers" then begin
        only [ "workers"; "dispatch_overhead" ] entries;
        { (plain_pool Workers name (number entries "workers" one)) with overhead = Option.value (time_of r entries "dispatch_overhead") ~default:zero }
      end
      else beyond at "the pool's kind is missing"
    in
    size pool;
    add_pool r pool
  end

let pool_called r at =
  let name = text_of at in
  let pools = List.mapi (fun i pool -> i, pool) (List.rev r.r_pools) in
  match List.find_opt (fun (_, pool) -> pool.name = name) pools with
  | Some (i, pool) -> i, pool
  | None ->
    let kind = match name with "cpu" -> Some Cpu | "gpu" -> Some Gpu | _ -> None in
    (match List.filter (fun (_, pool) -> Some pool.kind = kind) pools with
     | [ found ] -> found
     | _ -> beyond at ("'" ^ name ^ "' is no pool of the platform"))

(** Nodes. *)

(* The longest time of a piece, and the shortest, where it is told. *)
let piece r (at : Yaml.node) =
  match at.value with
  | Mapping entries ->
    only [ "max"; "min"; "mode" ] entries;
    time r (need at entries "max"), time r (need at entries "min")
  | Scalar _ | List _ -> time r at, zero

let round_up value unit_ = N.(ceil_div value unit_ * unit_)

let node_keys =
  [ "name"; "copies"; "T"; "T_max"; "jitter"; "phase"; "on"; "periodic"; "C"; "B"; "H"; "L"; "shared_memory"; "registers"; "priority"; "direction"; "D";
    "sequential"; "group"; "per"; "time"; "process"; "cluster"; "cooperative"; "class"; "requirement" ]

let read_node r name at =
  let entries = mapping_of at in
  only node_keys entries;
  let n_pool, pool = pool_called r (need at entries "on") in
  let has key = find entries key <> None in
  let get key = need at entries key in
  let node =
    { n_name = name; n_pool; work = zero; longest = zero; shortest = zero; blocks = number entries "B" one; has_blocks = true; time = None; cluster = one;
      cooperative = false; h = one; shared = zero; registers = zero; stream = zero;
      direction = (match find entries "direction" with Some d -> text_of d | None -> "-"); sequential = flag entries "sequential" false;
      deadline = time_of r entries "D"; given_priority = None; priority = zero; before = []; cut = [] }
  in
  ignore (positive at node.blocks "B");
  if pool.kind <> Gpu && (has "cluster" || has "cooperative") then beyond at "no blocks start on this pool";
  match pool.kind with
  | Cpu | Engines ->
    let longest, shortest = piece r (get "C") in
    { node with work = longest; longest; shortest; given_priority = (if pool.kind = Cpu then Option.map whole (find entries "priority") else None) }
  | Workers ->
    let longest, shortest = piece r (get "L") in
    { node with longest = N.(longest + pool.overhead); shortest }
  | Gpu ->
    let stream =
      match find entries "priority" with
      | None -> zero
      | Some p -> (match text_of p with "low" -> zero | "high" -> one | _ -> whole p)
    in
    let time = Option.map (fun at -> fst (piece r at)) (find entries "time") in
    if time <> None && not (has "B" || has "H") then { node with has_blocks = false; time; longest = Option.get time; stream; shortest = snd (piece r (get "time")) }
    else begin
      ignore (get "B");
      let raw = positive at (whole (get "H")) "H" in
      let h = round_up raw pool.warp in
      let longest, work, shortest =
        if has "L" || (time <> None && not (has "C")) then
          let longest, shortest = piece r (get (if has "L" then "L" else "time")) in
          longest, N.(longest * h), shortest
        else
          let work, least = piece r (get "C") in
          let longest = N.ceil_div work raw in
          longest, (if N.equal h raw then work else N.(longest * h)), N.floor_div least raw
      in
      { node with longest; work; shortest; h; time; stream; cluster = number entries "cluster" one; cooperative = flag entries "cooperative" false;
        shared = (match find entries "shared_memory" with Some m -> bytes m | None -> zero); registers = number entries "registers" zero }
    end

(** DAGs. *)

let trim text =
  let rec from i = if i < String.length text && (text.[i] = ' ' || text.[i] = '\t') then from (i + 1) else i in
  let rec upto i = if i > from 0 && (text.[i - 1] = ' ' || text.[i - 1] = '\t') then upto (i - 1) else i in
  String.sub text (from 0) (upto (String.length text) - from 0)

let rec split_at separator text =
  let n = String.length separator in
  let rec search i = if i + n > String.length text then None else if String.sub text i n = separator then Some i else search (i + 1) in
  match search 0 with
  | None -> [ text ]
  | Some i -> String.sub text 0 i :: split_at separator (String.sub text (i + n) (String.length text - i - n))

let topological at nodes =
  let n = Array.length nodes in
  let left = Array.map (fun node -> List.length node.before) nodes and after = Array.make n [] in
  Array.iteri (fun v node -> List.iter (fun u -> after.(u) <- v :: after.(u)) node.before) nodes;
  let order = ref [] and ready = Queue.create () in
  Array.iteri (fun v count -> if count = 0 then Queue.add v ready) left;
  while not (Queue.is_empty ready) do
    let v = Queue.pop ready in
    order := v :: !order;
    List.iter (fun w -> left.(w) <- left.(w) - 1; if left.(w) = 0 then Queue.add w ready) after.(v)
  done;
  if List.length !order < n then beyond at "the DAG has a cycle";
  List.rev !order

let read_edges entries index nodes =
  let field = find in
  let find at name =
    match Hashtbl.find_opt index (trim name) with Some v -> v | None -> beyond at ("'" ^ trim name ^ "' is no node of this DAG")
  in
  let find_all at text =
    let names = trim text in
    let n = String.length names in
    if n < 2 || names.[0] <> '[' || names.[n - 1] <> ']' || Hashtbl.mem index names then [ find at names ]
    else List.map (find at) (String.split_on_char ',' (String.sub names 1 (n - 2)))
  in
  let add cut u v =
    let node = nodes.(v) in
    node.before <- u :: node.before;
    if cut then node.cut <- u :: node.cut
  in
  let path at cut =
    let rec go = function
      | from :: (next :: _ as rest) -> List.iter (fun u -> List.iter (add cut u) next) from; go rest
      | [ _ ] | [] -> ()
    in
    go (List.map (find_all at) (split_at "->" (text_of at)))
  in
  let edge (at : Yaml.node) =
    match at.value with
    | Scalar _ -> path at false
    | Mapping fields ->
      only [ "path"; "from"; "to"; "cut" ] fields;
      let cut = flag fields "cut" false in
      (match field fields "path" with
       | Some text -> path text cut
       | None ->
         let from = need at fields "from" and next = need at fields "to" in
         add cut (find from (text_of from)) (find next (text_of next)))
    | List _ -> beyond at "an edge is a text or a mapping"
  in
  (match field entries "edges" with Some edges -> List.iter edge (list_of edges) | None -> ());
  Array.iter (fun node -> node.before <- List.sort compare node.before) nodes

let read_dag r is_task at =
  let entries = mapping_of at in
  if not is_task then
    only [ "name"; "copies"; "T"; "T_max"; "jitter"; "phase"; "periodic"; "D"; "priority"; "process"; "threads"; "wait"; "in_flight"; "requirement"; "nodes"; "edges" ] entries;
  let name = text_of (need at entries "name") and period = need at entries "T" in
  let periodic = flag entries "periodic" false in
  let exact_period =
    let text = text_of period in
    if String.length text > 2 && String.sub text (String.length text - 2) 2 = "Hz" then begin
      let quotient, rest = Z.div_eucl (N.of_int 1_000_000_000_000_000) (positive period (quantity period rates "") "a rate") in
      if periodic && not (N.equal rest Z0) then beyond period "the proved model does not have clocks with other ticks than ns";
      quotient
    end
    else time r period
  in
  let exact_period = positive period exact_period "a period" in
  let jitter = Option.value (time_of r entries "jitter") ~default:zero in
  if N.(exact_period <= jitter) then beyond at "a jitter is below T";
  let nodes =
    if is_task then [| read_node r name at |]
    else Array.of_list (List.map (fun (key, value) -> read_node r (text_of key) value) (mapping_of (need at entries "nodes")))
  in
  if Array.length nodes = 0 then beyond at "a DAG has a node";
  if not is_task then begin
    let index = Hashtbl.create 16 in
    Array.iteri (fun v node -> Hashtbl.replace index node.n_name v) nodes;
    read_edges entries index nodes;
    match find entries "priority" with
    | None -> ()
    | Some priority -> Array.iter (fun node -> if node.given_priority = None then node.given_priority <- Some (whole priority)) nodes
  end;
  (match find entries "wait" with
   | Some wait when not is_task && text_of wait <> "block" -> beyond wait "the proved model does not have 'wait: spin'"
   | Some _ | None -> ());
  let whole_of key = if is_task then None else Option.map whole (find entries key) in
  let dag =
    { d_name = name; distance = N.(exact_period - jitter); jitter; phase = time_of r entries "phase"; t_max = time_of r entries "T_max";
      d_deadline = time_of r entries "D"; periodic; threads = whole_of "threads"; in_flight = whole_of "in_flight"; nodes; order = topological at nodes }
  in
  let copies = number entries "copies" one in
  ignore (positive at copies "the number of copies");
  let rec add i =
    if N.(i < copies) then begin
      (* Priorities are set later, copy by copy. *)
      let nodes = Array.map (fun node -> { node with before = node.before }) nodes in
      r.r_dags <- { dag with nodes; d_name = (if N.(one < copies) then name ^ "[" ^ N.show i ^ "]" else name) } :: r.r_dags;
      r.node_count <- r.node_count + Array.length nodes;
      if r.node_count > most_nodes then beyond at "all DAGs together have at most 1000000 nodes";
      add N.(i + one)
    end
  in
  add zero

(* Deadline monotonic where no priority is given on the pool. *)
let set_priorities set =
  Array.iteri
    (fun p pool ->
      if pool.kind = Cpu && pool.scheduler = "FP" then begin
        let here = List.filter (fun dag -> Array.exists (fun node -> node.n_pool = p) dag.nodes) (Array.to_list set.dags) in
        let each f = List.iter (fun dag -> Array.iter (fun node -> if node.n_pool = p then f dag node) dag.nodes) here in
        let given = ref false in
        each (fun _ node -> if node.given_priority <> None then given := true; node.priority <- Option.value node.given_priority ~default:zero);
        if not !given then begin
          let deadline dag = Option.value dag.d_deadline ~default:N.(dag.distance + dag.jitter) in
          let by_deadline a b = if N.(deadline a < deadline b) then -1 else if N.(deadline b < deadline a) then 1 else 0 in
          let count = List.length here in
          List.iteri
            (fun i dag -> Array.iter (fun node -> if node.n_pool = p then node.priority <- N.of_int (count - i)) dag.nodes)
            (List.stable_sort by_deadline here)
        end
      end)
    set.pools

let read_chain r dags at =
  let entries = mapping_of at in
  only [ "name"; "stages"; "communication"; "reaction"; "age"; "requirement" ] entries;
  let stage at =
    let name = text_of at in
    let dag text = let rec go i = if i = Array.length dags then None else if dags.(i).d_name = text then Some i else go (i + 1) in go 0 in
    match dag name with
    | Some d -> d, None
    | None ->
      let rec try_slash i =
        match String.index_from_opt name i '/' with
        | None -> beyond at ("'" ^ name ^ "' is neither a DAG nor a node")
        | Some slash ->
          let rest = String.sub name (slash + 1) (String.length name - slash - 1) in
          let node d = let rec go v = if v = Array.length dags.(d).nodes then None else if dags.(d).nodes.(v).n_name = rest then Some v else go (v + 1) in go 0 in
          (match dag (String.sub name 0 slash) with
           | Some d when node d <> None -> d, node d
           | Some _ | None -> try_slash (slash + 1))
      in
      try_slash 0
  in
  { c_name = text_of (need at entries "name"); let_ = (match find entries "communication" with Some c -> text_of c = "LET" | None -> false);
    reaction = time_of r entries "reaction"; age = time_of r entries "age"; stages = List.map stage (list_of (need at entries "stages")) }

let read text =
  let top = try Yaml.parse text with Yaml.Refused (line, column, what) -> raise (Beyond (line, column, what)) in
  let entries = mapping_of top in
  only [ "platform"; "dags"; "tasks"; "chains"; "time_unit" ] entries;
  let r = { unit_of_time = (match find entries "time_unit" with Some u -> text_of u | None -> ""); r_pools = []; r_dags = []; node_count = 0 } in
  List.iter (read_pool r) (mapping_of (need top entries "platform"));
  List.iter
    (fun (key, value) -> match text_of key with ("dags" | "tasks") as kind -> List.iter (read_dag r (kind = "tasks")) (list_of value) | _ -> ())
    entries;
  let dags = Array.of_list (List.rev r.r_dags) in
  let set = { pools = Array.of_list (List.rev r.r_pools); dags;
              chains = (match find entries "chains" with Some c -> List.map (read_chain r dags) (list_of c) | None -> []) } in
  set_priorities set;
  set

(** What a certificate has to say of the file. *)

let equals_any pool = if pool.equals = "" then N.(one < pool.size) else pool.equals = "any"
let or_dash = function Some n -> N.show n | None -> "-"

let pool_line p pool =
  Printf.sprintf "pool %d %s " p pool.name
  ^
  match pool.kind with
  | Cpu ->
    Printf.sprintf "cpu %s %s %s" (N.show pool.size) pool.scheduler (if pool.preemptive then "preemptive" else "non-preemptive")
    ^ if pool.scheduler = "FP" then if equals_any pool then " equals-any" else " equals-fifo" else ""
  | Gpu ->
    String.concat " "
      ("gpu" :: N.show pool.size :: Array.to_list (Array.map or_dash pool.sm) @ List.map N.show [ pool.warp; pool.unit_; pool.reserved; pool.per; pool.parts ])
  | Engines -> "engines " ^ N.show pool.size
  | Workers -> Printf.sprintf "workers %s %s" (N.show pool.size) (N.show pool.overhead)

let node_line set d v =
  let dag = set.dags.(d) in
  let node = dag.nodes.(v) in
  let pool = set.pools.(node.n_pool) in
  let stream = if N.equal node.stream zero then "low" else if N.equal node.stream one then "high" else N.show node.stream in
  let when_ condition words = if condition then words else [] in
  let words =
    (match pool.kind with
     | Cpu -> [ N.show node.work ]
     | Engines -> [ N.show node.work; node.direction ]
     | Workers -> [ N.show node.blocks; N.(show (node.longest - pool.overhead)) ]
     | Gpu when not node.has_blocks -> [ "alone"; or_dash node.time; stream ]
     | Gpu ->
       List.map N.show [ node.blocks; node.h; node.work; node.longest; node.shared; node.registers ]
       @ [ stream ]
       @ (match node.time with Some time -> [ "time"; N.show time ] | None -> [])
       @ when_ N.(one < node.cluster) [ "cluster"; N.show node.cluster ]
       @ when_ node.cooperative [ "cooperative" ])
    @ when_ (dag.periodic && N.(zero < node.shortest)) [ "least"; N.show node.shortest ]
    @ when_ node.sequential [ "sequential" ]
    @ when_ (pool.kind = Cpu && pool.scheduler = "FP") [ "priority"; N.show node.priority ]
    @ (match node.deadline with Some deadline -> [ "deadline"; N.show deadline ] | None -> [])
    @ when_ (node.before <> []) ("after" :: List.map string_of_int node.before)
  in
  String.concat " " (Printf.sprintf "node %d %d %s %d" d v node.n_name node.n_pool :: words)

let dag_line d dag =
  let also name value = match value with Some n -> " " ^ name ^ " " ^ N.show n | None -> "" in
  Printf.sprintf "dag %d %s %s %s" d dag.d_name (N.show dag.distance) (or_dash dag.d_deadline)
  ^ also "longest" dag.t_max
  ^ also "jitter" (if N.equal dag.jitter zero then None else Some dag.jitter)
  ^ also "phase" dag.phase
  ^ (if dag.periodic then " periodic" else "")
  ^ also "threads" dag.threads ^ also "in_flight" dag.in_flight

let lines set =
  let stage (d, v) = string_of_int d ^ match v with Some v -> "/" ^ string_of_int v | None -> "" in
  List.concat
    [ Array.to_list (Array.mapi pool_line set.pools);
      List.concat (Array.to_list (Array.mapi (fun d dag -> dag_line d dag :: List.init (Array.length dag.nodes) (node_line set d)) set.dags));
      List.mapi
        (fun i c ->
          String.concat " "
            ([ "chain"; string_of_int i; c.c_name; (if c.let_ then "LET" else "register"); or_dash c.reaction; or_dash c.age ] @ List.map stage c.stages))
        set.chains ]
