
val negb : bool -> bool

type nat =
| O
| S of nat

val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val length : 'a1 list -> nat

val app : 'a1 list -> 'a1 list -> 'a1 list

type comparison =
| Eq
| Lt
| Gt

val compOpp : comparison -> comparison

val add : nat -> nat -> nat

type positive =
| XI of positive
| XO of positive
| XH

type z =
| Z0
| Zpos of positive
| Zneg of positive

val eqb : bool -> bool -> bool

module type EqLtLe =
 sig
  type t
 end

module MakeOrderTac :
 functor (O:EqLtLe) ->
 functor (P:sig
 end) ->
 sig
 end

module Pos :
 sig
  type mask =
  | IsNul
  | IsPos of positive
  | IsNeg
 end

module Coq_Pos :
 sig
  val succ : positive -> positive

  val add : positive -> positive -> positive

  val add_carry : positive -> positive -> positive

  val pred_double : positive -> positive

  type mask = Pos.mask =
  | IsNul
  | IsPos of positive
  | IsNeg

  val succ_double_mask : mask -> mask

  val double_mask : mask -> mask

  val double_pred_mask : positive -> mask

  val sub_mask : positive -> positive -> mask

  val sub_mask_carry : positive -> positive -> mask

  val sub : positive -> positive -> positive

  val mul : positive -> positive -> positive

  val size_nat : positive -> nat

  val compare_cont : comparison -> positive -> positive -> comparison

  val compare : positive -> positive -> comparison

  val eqb : positive -> positive -> bool

  val gcdn : nat -> positive -> positive -> positive

  val gcd : positive -> positive -> positive

  val iter_op : ('a1 -> 'a1 -> 'a1) -> positive -> 'a1 -> 'a1

  val to_nat : positive -> nat

  val of_succ_nat : nat -> positive

  val eq_dec : positive -> positive -> bool
 end

module Z :
 sig
  val double : z -> z

  val succ_double : z -> z

  val pred_double : z -> z

  val pos_sub : positive -> positive -> z

  val add : z -> z -> z

  val opp : z -> z

  val sub : z -> z -> z

  val mul : z -> z -> z

  val compare : z -> z -> comparison

  val leb : z -> z -> bool

  val ltb : z -> z -> bool

  val eqb : z -> z -> bool

  val max : z -> z -> z

  val min : z -> z -> z

  val abs : z -> z

  val to_nat : z -> nat

  val of_nat : nat -> z

  val to_pos : z -> positive

  val pos_div_eucl : positive -> z -> z * z

  val div_eucl : z -> z -> z * z

  val div : z -> z -> z

  val modulo : z -> z -> z

  val gcd : z -> z -> z

  val eq_dec : z -> z -> bool

  val lcm : z -> z -> z
 end

val in_dec : ('a1 -> 'a1 -> bool) -> 'a1 -> 'a1 list -> bool

val nth : nat -> 'a1 list -> 'a1 -> 'a1

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val nodup : ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list

val seq : nat -> nat -> nat list

val sum : ('a1 -> z) -> 'a1 list -> z

val range : z -> z -> z list

val cdiv : z -> z -> z

type node = z

type order =
| Fifo
| Gel of (node -> z)
| Fixed of (node -> z)
| FixedAny of (node -> z)

type system = { nodes : node list; dag : (node -> z);
                preds : (node -> node list); pool : (node -> z);
                period : (z -> z); order_of : (z -> order) }

val on_pool : system -> z -> node list

type accounts = { cap : (z -> z); lagging : (z -> z); exec : (node -> z);
                  last : (node -> z); vol : (node -> z) }

type 'x compare0 =
| LT
| EQ
| GT

module type OrderedType =
 sig
  type t

  val compare : t -> t -> t compare0

  val eq_dec : t -> t -> bool
 end

module OrderedTypeFacts :
 functor (O:OrderedType) ->
 sig
  module TO :
   sig
    type t = O.t
   end

  module IsTO :
   sig
   end

  module OrderTac :
   sig
   end

  val eq_dec : O.t -> O.t -> bool

  val lt_dec : O.t -> O.t -> bool

  val eqb : O.t -> O.t -> bool
 end

module KeyOrderedType :
 functor (O:OrderedType) ->
 sig
  module MO :
   sig
    module TO :
     sig
      type t = O.t
     end

    module IsTO :
     sig
     end

    module OrderTac :
     sig
     end

    val eq_dec : O.t -> O.t -> bool

    val lt_dec : O.t -> O.t -> bool

    val eqb : O.t -> O.t -> bool
   end
 end

module PositiveOrderedTypeBits :
 sig
  type t = positive

  val compare : t -> t -> positive compare0

  val eq_dec : positive -> positive -> bool
 end

val append : positive -> positive -> positive

module PositiveMap :
 sig
  module E :
   sig
    type t = positive

    val compare : t -> t -> positive compare0

    val eq_dec : positive -> positive -> bool
   end

  module ME :
   sig
    module MO :
     sig
      module TO :
       sig
        type t = positive
       end

      module IsTO :
       sig
       end

      module OrderTac :
       sig
       end

      val eq_dec : positive -> positive -> bool

      val lt_dec : positive -> positive -> bool

      val eqb : positive -> positive -> bool
     end
   end

  type key = positive

  type 'a tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  val empty : 'a1 t

  val is_empty : 'a1 t -> bool

  val find : key -> 'a1 t -> 'a1 option

  val mem : key -> 'a1 t -> bool

  val add : key -> 'a1 -> 'a1 t -> 'a1 t

  val remove : key -> 'a1 t -> 'a1 t

  val xelements : 'a1 t -> key -> (key * 'a1) list

  val elements : 'a1 t -> (key * 'a1) list

  val cardinal : 'a1 t -> nat

  val xfind : key -> key -> 'a1 t -> 'a1 option

  val xmapi : (key -> 'a1 -> 'a2) -> 'a1 t -> key -> 'a2 t

  val mapi : (key -> 'a1 -> 'a2) -> 'a1 t -> 'a2 t

  val map : ('a1 -> 'a2) -> 'a1 t -> 'a2 t

  val xmap2_l : ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a3 t

  val xmap2_r : ('a1 option -> 'a2 option -> 'a3 option) -> 'a2 t -> 'a3 t

  val _map2 :
    ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t

  val map2 :
    ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t

  val xfoldi : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> key -> 'a2

  val fold : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> 'a2

  val equal : ('a1 -> 'a1 -> bool) -> 'a1 t -> 'a1 t -> bool
 end

module Coq_PositiveOrderedTypeBits :
 sig
  type t = positive

  val eqb : positive -> positive -> bool

  val eq_dec : positive -> positive -> bool

  val compare : positive -> positive -> comparison
 end

module PositiveSet :
 sig
  module E :
   sig
    type t = positive

    val eqb : positive -> positive -> bool

    val eq_dec : positive -> positive -> bool

    val compare : positive -> positive -> comparison
   end

  type elt = positive

  type tree =
  | Leaf
  | Node of tree * bool * tree

  type t = tree

  val empty : t

  val is_empty : t -> bool

  val mem : positive -> t -> bool

  val add : positive -> t -> t

  val singleton : positive -> t

  val node : t -> bool -> t -> t

  val remove : positive -> t -> t

  val union : t -> t -> t

  val inter : t -> t -> t

  val diff : t -> t -> t

  val equal : t -> t -> bool

  val subset : t -> t -> bool

  val rev_append : elt -> elt -> elt

  val rev : elt -> elt

  val xfold : (positive -> 'a1 -> 'a1) -> t -> 'a1 -> positive -> 'a1

  val fold : (positive -> 'a1 -> 'a1) -> t -> 'a1 -> 'a1

  val xforall : (positive -> bool) -> t -> positive -> bool

  val for_all : (positive -> bool) -> t -> bool

  val xexists : (positive -> bool) -> t -> positive -> bool

  val exists_ : (positive -> bool) -> t -> bool

  val xfilter : (positive -> bool) -> t -> positive -> t

  val filter : (positive -> bool) -> t -> t

  val xpartition : (positive -> bool) -> t -> positive -> t * t

  val partition : (positive -> bool) -> t -> t * t

  val xelements : t -> positive -> positive list -> positive list

  val elements : t -> positive list

  val cardinal : t -> nat

  val choose : t -> elt option

  val min_elt : t -> elt option

  val max_elt : t -> elt option

  val compare_bool : bool -> bool -> comparison

  val compare : t -> t -> comparison

  val eq_dec : t -> t -> bool
 end

module Map :
 sig
  module E :
   sig
    type t = positive

    val compare : t -> t -> positive compare0

    val eq_dec : positive -> positive -> bool
   end

  module ME :
   sig
    module MO :
     sig
      module TO :
       sig
        type t = positive
       end

      module IsTO :
       sig
       end

      module OrderTac :
       sig
       end

      val eq_dec : positive -> positive -> bool

      val lt_dec : positive -> positive -> bool

      val eqb : positive -> positive -> bool
     end
   end

  type key = positive

  type 'a tree = 'a PositiveMap.tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  val empty : 'a1 t

  val is_empty : 'a1 t -> bool

  val find : key -> 'a1 t -> 'a1 option

  val mem : key -> 'a1 t -> bool

  val add : key -> 'a1 -> 'a1 t -> 'a1 t

  val remove : key -> 'a1 t -> 'a1 t

  val xelements : 'a1 t -> key -> (key * 'a1) list

  val elements : 'a1 t -> (key * 'a1) list

  val cardinal : 'a1 t -> nat

  val xfind : key -> key -> 'a1 t -> 'a1 option

  val xmapi : (key -> 'a1 -> 'a2) -> 'a1 t -> key -> 'a2 t

  val mapi : (key -> 'a1 -> 'a2) -> 'a1 t -> 'a2 t

  val map : ('a1 -> 'a2) -> 'a1 t -> 'a2 t

  val xmap2_l : ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a3 t

  val xmap2_r : ('a1 option -> 'a2 option -> 'a3 option) -> 'a2 t -> 'a3 t

  val _map2 :
    ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t

  val map2 :
    ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t

  val xfoldi : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> key -> 'a2

  val fold : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> 'a2

  val equal : ('a1 -> 'a1 -> bool) -> 'a1 t -> 'a1 t -> bool
 end

module Set_ :
 sig
  module E :
   sig
    type t = positive

    val eqb : positive -> positive -> bool

    val eq_dec : positive -> positive -> bool

    val compare : positive -> positive -> comparison
   end

  type elt = positive

  type tree = PositiveSet.tree =
  | Leaf
  | Node of tree * bool * tree

  type t = tree

  val empty : t

  val is_empty : t -> bool

  val mem : positive -> t -> bool

  val add : positive -> t -> t

  val singleton : positive -> t

  val node : t -> bool -> t -> t

  val remove : positive -> t -> t

  val union : t -> t -> t

  val inter : t -> t -> t

  val diff : t -> t -> t

  val equal : t -> t -> bool

  val subset : t -> t -> bool

  val rev_append : elt -> elt -> elt

  val rev : elt -> elt

  val xfold : (positive -> 'a1 -> 'a1) -> t -> 'a1 -> positive -> 'a1

  val fold : (positive -> 'a1 -> 'a1) -> t -> 'a1 -> 'a1

  val xforall : (positive -> bool) -> t -> positive -> bool

  val for_all : (positive -> bool) -> t -> bool

  val xexists : (positive -> bool) -> t -> positive -> bool

  val exists_ : (positive -> bool) -> t -> bool

  val xfilter : (positive -> bool) -> t -> positive -> t

  val filter : (positive -> bool) -> t -> t

  val xpartition : (positive -> bool) -> t -> positive -> t * t

  val partition : (positive -> bool) -> t -> t * t

  val xelements : t -> positive -> positive list -> positive list

  val elements : t -> positive list

  val cardinal : t -> nat

  val choose : t -> elt option

  val min_elt : t -> elt option

  val max_elt : t -> elt option

  val compare_bool : bool -> bool -> comparison

  val compare : t -> t -> comparison

  val eq_dec : t -> t -> bool
 end

val key0 : z -> positive

val unkey : positive -> z

type 'a table = 'a Map.t

val empty0 : 'a1 table

val put : z -> 'a1 -> 'a1 table -> 'a1 table

val look : 'a1 table -> z -> 'a1 option

val look_or : 'a1 -> 'a1 table -> z -> 'a1

val table_of : (z * 'a1) list -> 'a1 table

type set = Set_.t

val has : set -> z -> bool

val include0 : z -> set -> set

val members : set -> z list

type gpu = { sms : z; resources : z list; capacity : (z -> z) }

type kind =
| Processors of z
| Threads of z
| Gpu of gpu

type platform = { kind_of : (z -> kind); length_of : (node -> z);
                  blocks : (node -> z); demand : (node -> z -> z) }

type policy =
| OrderFifo
| OrderGel
| OrderFixed
| OrderFixedAny

type pool_row = { p_order : policy; p_preemptive : bool; p_cap : z; p_step : z }

type node_row = { n_dag : z; n_pool : z; n_exec : z; n_last : z; n_vol : 
                  z; n_key : z; n_bound : z; n_preds : z list }

type gpu_row = { g_sms : z; g_one : z }

type kernel_row = { k_length : z; k_blocks : z; k_weight : z;
                    k_demands : z list }

type input = { i_pools : (z * pool_row) list; i_dags : (z * z) list;
               i_nodes : (z * node_row) list; i_gpus : (z * gpu_row) list;
               i_resources : (z * z) list; i_kernels : (z * kernel_row) list }

val no_pool : pool_row

val no_node : node_row

val no_kernel : kernel_row

type tables = { t_pools : pool_row table; t_dags : z table;
                t_nodes : node_row table; t_gpus : gpu_row table;
                t_kernels : kernel_row table; t_ids : z list;
                t_resources : (z * z) list }

val tables_of : input -> tables

val row : tables -> z -> node_row

val pool_of : tables -> z -> pool_row

val kernel : tables -> z -> kernel_row

val bound : tables -> z -> z

val order_of_pool : tables -> z -> order

val the_system : tables -> system

val the_accounts : tables -> accounts

val the_step : tables -> z -> z

val capacities : tables -> z -> z list

val gpu_of : tables -> z -> gpu_row -> gpu

val the_platform : tables -> platform

val ready_bound : system -> (node -> z) -> node -> z

val limit : system -> (node -> z) -> node -> node -> z option

val lag_floor : system -> (node -> z) -> node -> node -> z

val may_lag : system -> node -> node -> bool

val count_lagging :
  system -> (node -> z) -> (node -> node -> bool) -> node -> node -> z

val carry_of : system -> accounts -> z -> (node -> z) -> z -> z

val counted_carry : system -> accounts -> z -> (node -> z) -> z -> z

val rising : z -> z list -> bool

val known_node : tables -> z -> bool

val check_node : tables -> z -> bool

val compute_ups : tables -> set table

val up : set table -> z -> set

val check_up : tables -> set table -> z -> bool

val check_structure : tables -> set table -> bool

val small_div : nat -> z -> z -> z -> z

val quick_div : z -> z -> z

val quick_cdiv : z -> z -> z

val quick_count : bool -> z -> z -> bool -> z option -> z

val compute_multiple : tables -> z

val is_parallel : set table -> node -> node -> bool

val blocking_at : tables -> set table -> node -> z -> z

val compute_blocking : tables -> set table -> node -> z

val share : tables -> z -> z -> z

val check_multiple : tables -> z -> bool

val gain : tables -> (node -> z) -> z -> z -> z

type entry = set * z

val covers : entry -> entry -> bool

val add_entry : entry -> entry list -> entry list

val further : tables -> (node -> z) -> z -> z -> entry -> entry

val alone : tables -> (node -> z) -> z -> z -> entry

val compute_paths : tables -> (node -> z) -> z -> entry list table

val paths_to : entry list table -> z -> entry list

val check_paths : tables -> (node -> z) -> z -> entry list table -> z -> bool

val limit_max : z option -> z option -> z option

val on_same_pool : tables -> set table -> z -> z -> z list

val limits_on : tables -> set table -> z -> z -> node -> z option

val is_descendant : set table -> z -> z -> bool

val work_on : tables -> set table -> z -> z -> z

val check_T10n : tables -> set table -> z -> entry list table -> z -> bool

val compute_cover : z list -> (z -> z) -> (z -> z) -> z -> z table

val check_cover : z list -> (z -> z) -> (z -> z) -> z table -> z -> bool

val compute_most : z list -> (z -> z) -> (z -> z) -> z -> z table

val check_most : z list -> (z -> z) -> (z -> z) -> z table -> z -> bool

val units : (z -> z) -> z list -> z

val largest : (z -> z) -> z list -> z

val check_resource : tables -> z -> z -> z -> z -> bool

val check_kernel : tables -> z -> z -> bool

val check_gpu : tables -> z -> gpu_row -> bool

val on_processors : tables -> z -> bool

val most_of : tables -> z -> z -> z -> z option

val least : z option -> z option -> z option

val most_feasible : tables -> z -> gpu_row -> z option

val most_not_blocking : tables -> z -> gpu_row -> z option

val quiet_of : tables -> z -> z option

type load_row = { l_multiple : z; l_ceiling : z; l_level : z; l_carry : 
                  z; l_quiet : z option }

val rep_of : tables -> z -> node -> z

val carry_at : tables -> z -> z -> z -> z

val compute_load : tables -> z -> load_row

val check_load : tables -> z -> load_row -> bool

val check_T10j : tables -> load_row -> z -> z -> bool

val check_T10g : tables -> load_row -> z -> bool

val check_T10j_quiet : tables -> load_row -> z -> bool

type verdict =
| HoldsByT10n
| HoldsByT10j
| HoldsByT10g
| NotShown

type result = { is_system : bool; bad_nodes : z list;
                gpu_verdicts : (z * bool) list; counted_as_run : bool;
                verdicts : (z * verdict) list }

val judge :
  tables -> set table -> (node -> z) -> z -> entry list table -> load_row
  table -> z -> verdict

val holds : verdict -> bool

val lines_rise : input -> bool

val check : tables -> input -> result

val check_input : input -> result

val accepted_as_counted : result -> bool

val accepted : result -> bool
