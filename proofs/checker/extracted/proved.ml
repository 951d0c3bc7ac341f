
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

type nat =
| O
| S of nat

(** val option_map : ('a1 -> 'a2) -> 'a1 option -> 'a2 option **)

let option_map f = function
| Some a -> Some (f a)
| None -> None

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> nat **)

let rec length = function
| [] -> O
| _ :: l' -> S (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

type comparison =
| Eq
| Lt
| Gt

(** val compOpp : comparison -> comparison **)

let compOpp = function
| Eq -> Eq
| Lt -> Gt
| Gt -> Lt

module Coq__1 = struct
 (** val add : nat -> nat -> nat **)
 let rec add n m =
   match n with
   | O -> m
   | S p -> S (add p m)
end
include Coq__1

type positive =
| XI of positive
| XO of positive
| XH

type z =
| Z0
| Zpos of positive
| Zneg of positive

(** val eqb : bool -> bool -> bool **)

let eqb b1 b2 =
  if b1 then b2 else if b2 then false else true

module type EqLtLe =
 sig
  type t
 end

module MakeOrderTac =
 functor (O:EqLtLe) ->
 functor (P:sig
 end) ->
 struct
 end

module Pos =
 struct
  type mask =
  | IsNul
  | IsPos of positive
  | IsNeg
 end

module Coq_Pos =
 struct
  (** val succ : positive -> positive **)

  let rec succ = function
  | XI p -> XO (succ p)
  | XO p -> XI p
  | XH -> XO XH

  (** val add : positive -> positive -> positive **)

  let rec add x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XO p ->
      (match y with
       | XI q -> XI (add p q)
       | XO q -> XO (add p q)
       | XH -> XI p)
    | XH -> (match y with
             | XI q -> XO (succ q)
             | XO q -> XI q
             | XH -> XO XH)

  (** val add_carry : positive -> positive -> positive **)

  and add_carry x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XI (add_carry p q)
       | XO q -> XO (add_carry p q)
       | XH -> XI (succ p))
    | XO p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XH ->
      (match y with
       | XI q -> XI (succ q)
       | XO q -> XO (succ q)
       | XH -> XI XH)

  (** val pred_double : positive -> positive **)

  let rec pred_double = function
  | XI p -> XI (XO p)
  | XO p -> XI (pred_double p)
  | XH -> XH

  type mask = Pos.mask =
  | IsNul
  | IsPos of positive
  | IsNeg

  (** val succ_double_mask : mask -> mask **)

  let succ_double_mask = function
  | IsNul -> IsPos XH
  | IsPos p -> IsPos (XI p)
  | IsNeg -> IsNeg

  (** val double_mask : mask -> mask **)

  let double_mask = function
  | IsPos p -> IsPos (XO p)
  | x0 -> x0

  (** val double_pred_mask : positive -> mask **)

  let double_pred_mask = function
  | XI p -> IsPos (XO (XO p))
  | XO p -> IsPos (XO (pred_double p))
  | XH -> IsNul

  (** val sub_mask : positive -> positive -> mask **)

  let rec sub_mask x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> double_mask (sub_mask p q)
       | XO q -> succ_double_mask (sub_mask p q)
       | XH -> IsPos (XO p))
    | XO p ->
      (match y with
       | XI q -> succ_double_mask (sub_mask_carry p q)
       | XO q -> double_mask (sub_mask p q)
       | XH -> IsPos (pred_double p))
    | XH -> (match y with
             | XH -> IsNul
             | _ -> IsNeg)

  (** val sub_mask_carry : positive -> positive -> mask **)

  and sub_mask_carry x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> succ_double_mask (sub_mask_carry p q)
       | XO q -> double_mask (sub_mask p q)
       | XH -> IsPos (pred_double p))
    | XO p ->
      (match y with
       | XI q -> double_mask (sub_mask_carry p q)
       | XO q -> succ_double_mask (sub_mask_carry p q)
       | XH -> double_pred_mask p)
    | XH -> IsNeg

  (** val sub : positive -> positive -> positive **)

  let sub x y =
    match sub_mask x y with
    | IsPos z0 -> z0
    | _ -> XH

  (** val mul : positive -> positive -> positive **)

  let rec mul x y =
    match x with
    | XI p -> add y (XO (mul p y))
    | XO p -> XO (mul p y)
    | XH -> y

  (** val size_nat : positive -> nat **)

  let rec size_nat = function
  | XI p0 -> S (size_nat p0)
  | XO p0 -> S (size_nat p0)
  | XH -> S O

  (** val compare_cont : comparison -> positive -> positive -> comparison **)

  let rec compare_cont r x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> compare_cont r p q
       | XO q -> compare_cont Gt p q
       | XH -> Gt)
    | XO p ->
      (match y with
       | XI q -> compare_cont Lt p q
       | XO q -> compare_cont r p q
       | XH -> Gt)
    | XH -> (match y with
             | XH -> r
             | _ -> Lt)

  (** val compare : positive -> positive -> comparison **)

  let compare =
    compare_cont Eq

  (** val eqb : positive -> positive -> bool **)

  let rec eqb p q =
    match p with
    | XI p0 -> (match q with
                | XI q0 -> eqb p0 q0
                | _ -> false)
    | XO p0 -> (match q with
                | XO q0 -> eqb p0 q0
                | _ -> false)
    | XH -> (match q with
             | XH -> true
             | _ -> false)

  (** val gcdn : nat -> positive -> positive -> positive **)

  let rec gcdn n a b =
    match n with
    | O -> XH
    | S n0 ->
      (match a with
       | XI a' ->
         (match b with
          | XI b' ->
            (match compare a' b' with
             | Eq -> a
             | Lt -> gcdn n0 (sub b' a') a
             | Gt -> gcdn n0 (sub a' b') b)
          | XO b0 -> gcdn n0 a b0
          | XH -> XH)
       | XO a0 ->
         (match b with
          | XI _ -> gcdn n0 a0 b
          | XO b0 -> XO (gcdn n0 a0 b0)
          | XH -> XH)
       | XH -> XH)

  (** val gcd : positive -> positive -> positive **)

  let gcd a b =
    gcdn (Coq__1.add (size_nat a) (size_nat b)) a b

  (** val iter_op : ('a1 -> 'a1 -> 'a1) -> positive -> 'a1 -> 'a1 **)

  let rec iter_op op p a =
    match p with
    | XI p0 -> op a (iter_op op p0 (op a a))
    | XO p0 -> iter_op op p0 (op a a)
    | XH -> a

  (** val to_nat : positive -> nat **)

  let to_nat x =
    iter_op Coq__1.add x (S O)

  (** val of_succ_nat : nat -> positive **)

  let rec of_succ_nat = function
  | O -> XH
  | S x -> succ (of_succ_nat x)

  (** val eq_dec : positive -> positive -> bool **)

  let rec eq_dec p x0 =
    match p with
    | XI p0 -> (match x0 with
                | XI p1 -> eq_dec p0 p1
                | _ -> false)
    | XO p0 -> (match x0 with
                | XO p1 -> eq_dec p0 p1
                | _ -> false)
    | XH -> (match x0 with
             | XH -> true
             | _ -> false)
 end

module Z =
 struct
  (** val double : z -> z **)

  let double = function
  | Z0 -> Z0
  | Zpos p -> Zpos (XO p)
  | Zneg p -> Zneg (XO p)

  (** val succ_double : z -> z **)

  let succ_double = function
  | Z0 -> Zpos XH
  | Zpos p -> Zpos (XI p)
  | Zneg p -> Zneg (Coq_Pos.pred_double p)

  (** val pred_double : z -> z **)

  let pred_double = function
  | Z0 -> Zneg XH
  | Zpos p -> Zpos (Coq_Pos.pred_double p)
  | Zneg p -> Zneg (XI p)

  (** val pos_sub : positive -> positive -> z **)

  let rec pos_sub x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> double (pos_sub p q)
       | XO q -> succ_double (pos_sub p q)
       | XH -> Zpos (XO p))
    | XO p ->
      (match y with
       | XI q -> pred_double (pos_sub p q)
       | XO q -> double (pos_sub p q)
       | XH -> Zpos (Coq_Pos.pred_double p))
    | XH ->
      (match y with
       | XI q -> Zneg (XO q)
       | XO q -> Zneg (Coq_Pos.pred_double q)
       | XH -> Z0)

  (** val add : z -> z -> z **)

  let add x y =
    match x with
    | Z0 -> y
    | Zpos x' ->
      (match y with
       | Z0 -> x
       | Zpos y' -> Zpos (Coq_Pos.add x' y')
       | Zneg y' -> pos_sub x' y')
    | Zneg x' ->
      (match y with
       | Z0 -> x
       | Zpos y' -> pos_sub y' x'
       | Zneg y' -> Zneg (Coq_Pos.add x' y'))

  (** val opp : z -> z **)

  let opp = function
  | Z0 -> Z0
  | Zpos x0 -> Zneg x0
  | Zneg x0 -> Zpos x0

  (** val sub : z -> z -> z **)

  let sub m n =
    add m (opp n)

  (** val mul : z -> z -> z **)

  let mul x y =
    match x with
    | Z0 -> Z0
    | Zpos x' ->
      (match y with
       | Z0 -> Z0
       | Zpos y' -> Zpos (Coq_Pos.mul x' y')
       | Zneg y' -> Zneg (Coq_Pos.mul x' y'))
    | Zneg x' ->
      (match y with
       | Z0 -> Z0
       | Zpos y' -> Zneg (Coq_Pos.mul x' y')
       | Zneg y' -> Zpos (Coq_Pos.mul x' y'))

  (** val compare : z -> z -> comparison **)

  let compare x y =
    match x with
    | Z0 -> (match y with
             | Z0 -> Eq
             | Zpos _ -> Lt
             | Zneg _ -> Gt)
    | Zpos x' -> (match y with
                  | Zpos y' -> Coq_Pos.compare x' y'
                  | _ -> Gt)
    | Zneg x' ->
      (match y with
       | Zneg y' -> compOpp (Coq_Pos.compare x' y')
       | _ -> Lt)

  (** val leb : z -> z -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val ltb : z -> z -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> true
    | _ -> false

  (** val eqb : z -> z -> bool **)

  let eqb x y =
    match x with
    | Z0 -> (match y with
             | Z0 -> true
             | _ -> false)
    | Zpos p -> (match y with
                 | Zpos q -> Coq_Pos.eqb p q
                 | _ -> false)
    | Zneg p -> (match y with
                 | Zneg q -> Coq_Pos.eqb p q
                 | _ -> false)

  (** val max : z -> z -> z **)

  let max n m =
    match compare n m with
    | Lt -> m
    | _ -> n

  (** val min : z -> z -> z **)

  let min n m =
    match compare n m with
    | Gt -> m
    | _ -> n

  (** val abs : z -> z **)

  let abs = function
  | Zneg p -> Zpos p
  | x -> x

  (** val to_nat : z -> nat **)

  let to_nat = function
  | Zpos p -> Coq_Pos.to_nat p
  | _ -> O

  (** val of_nat : nat -> z **)

  let of_nat = function
  | O -> Z0
  | S n0 -> Zpos (Coq_Pos.of_succ_nat n0)

  (** val to_pos : z -> positive **)

  let to_pos = function
  | Zpos p -> p
  | _ -> XH

  (** val pos_div_eucl : positive -> z -> z * z **)

  let rec pos_div_eucl a b =
    match a with
    | XI a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = add (mul (Zpos (XO XH)) r) (Zpos XH) in
      if ltb r' b
      then ((mul (Zpos (XO XH)) q), r')
      else ((add (mul (Zpos (XO XH)) q) (Zpos XH)), (sub r' b))
    | XO a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = mul (Zpos (XO XH)) r in
      if ltb r' b
      then ((mul (Zpos (XO XH)) q), r')
      else ((add (mul (Zpos (XO XH)) q) (Zpos XH)), (sub r' b))
    | XH -> if leb (Zpos (XO XH)) b then (Z0, (Zpos XH)) else ((Zpos XH), Z0)

  (** val div_eucl : z -> z -> z * z **)

  let div_eucl a b =
    match a with
    | Z0 -> (Z0, Z0)
    | Zpos a' ->
      (match b with
       | Z0 -> (Z0, a)
       | Zpos _ -> pos_div_eucl a' b
       | Zneg b' ->
         let (q, r) = pos_div_eucl a' (Zpos b') in
         (match r with
          | Z0 -> ((opp q), Z0)
          | _ -> ((opp (add q (Zpos XH))), (add b r))))
    | Zneg a' ->
      (match b with
       | Z0 -> (Z0, a)
       | Zpos _ ->
         let (q, r) = pos_div_eucl a' b in
         (match r with
          | Z0 -> ((opp q), Z0)
          | _ -> ((opp (add q (Zpos XH))), (sub b r)))
       | Zneg b' -> let (q, r) = pos_div_eucl a' (Zpos b') in (q, (opp r)))

  (** val div : z -> z -> z **)

  let div a b =
    let (q, _) = div_eucl a b in q

  (** val modulo : z -> z -> z **)

  let modulo a b =
    let (_, r) = div_eucl a b in r

  (** val gcd : z -> z -> z **)

  let gcd a b =
    match a with
    | Z0 -> abs b
    | Zpos a0 ->
      (match b with
       | Z0 -> abs a
       | Zpos b0 -> Zpos (Coq_Pos.gcd a0 b0)
       | Zneg b0 -> Zpos (Coq_Pos.gcd a0 b0))
    | Zneg a0 ->
      (match b with
       | Z0 -> abs a
       | Zpos b0 -> Zpos (Coq_Pos.gcd a0 b0)
       | Zneg b0 -> Zpos (Coq_Pos.gcd a0 b0))

  (** val eq_dec : z -> z -> bool **)

  let eq_dec x y =
    match x with
    | Z0 -> (match y with
             | Z0 -> true
             | _ -> false)
    | Zpos p -> (match y with
                 | Zpos p0 -> Coq_Pos.eq_dec p p0
                 | _ -> false)
    | Zneg p -> (match y with
                 | Zneg p0 -> Coq_Pos.eq_dec p p0
                 | _ -> false)

  (** val lcm : z -> z -> z **)

  let lcm a b =
    abs (mul a (div b (gcd a b)))
 end

(** val in_dec : ('a1 -> 'a1 -> bool) -> 'a1 -> 'a1 list -> bool **)

let rec in_dec h a = function
| [] -> false
| y :: l0 -> let s = h y a in if s then true else in_dec h a l0

(** val nth : nat -> 'a1 list -> 'a1 -> 'a1 **)

let rec nth n l default =
  match n with
  | O -> (match l with
          | [] -> default
          | x :: _ -> x)
  | S m -> (match l with
            | [] -> default
            | _ :: t0 -> nth m t0 default)

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t0 -> (f a) :: (map f t0)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t0 -> fold_left f t0 (f a0 b)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t0 -> f b (fold_right f a0 t0)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val nodup : ('a1 -> 'a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec nodup decA = function
| [] -> []
| x :: xs -> if in_dec decA x xs then nodup decA xs else x :: (nodup decA xs)

(** val seq : nat -> nat -> nat list **)

let rec seq start = function
| O -> []
| S len0 -> start :: (seq (S start) len0)

(** val sum : ('a1 -> z) -> 'a1 list -> z **)

let rec sum f = function
| [] -> Z0
| a :: l' -> Z.add (f a) (sum f l')

(** val range : z -> z -> z list **)

let range a b =
  map (fun i -> Z.add a (Z.of_nat i)) (seq O (Z.to_nat (Z.sub b a)))

(** val cdiv : z -> z -> z **)

let cdiv a b =
  Z.opp (Z.div (Z.opp a) b)

type node = z

type order =
| Fifo
| Gel of (node -> z)
| Fixed of (node -> z)
| FixedAny of (node -> z)

type system = { nodes : node list; dag : (node -> z);
                preds : (node -> node list); pool : (node -> z);
                period : (z -> z); order_of : (z -> order) }

(** val on_pool : system -> z -> node list **)

let on_pool s p =
  filter (fun u -> Z.eqb (s.pool u) p) s.nodes

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

module OrderedTypeFacts =
 functor (O:OrderedType) ->
 struct
  module TO =
   struct
    type t = O.t
   end

  module IsTO =
   struct
   end

  module OrderTac = MakeOrderTac(TO)(IsTO)

  (** val eq_dec : O.t -> O.t -> bool **)

  let eq_dec =
    O.eq_dec

  (** val lt_dec : O.t -> O.t -> bool **)

  let lt_dec x y =
    match O.compare x y with
    | LT -> true
    | _ -> false

  (** val eqb : O.t -> O.t -> bool **)

  let eqb x y =
    if eq_dec x y then true else false
 end

module KeyOrderedType =
 functor (O:OrderedType) ->
 struct
  module MO = OrderedTypeFacts(O)
 end

module PositiveOrderedTypeBits =
 struct
  type t = positive

  (** val compare : t -> t -> positive compare0 **)

  let rec compare p y =
    match p with
    | XI p0 -> (match y with
                | XI p1 -> compare p0 p1
                | _ -> GT)
    | XO p0 -> (match y with
                | XO p1 -> compare p0 p1
                | _ -> LT)
    | XH -> (match y with
             | XI _ -> LT
             | XO _ -> GT
             | XH -> EQ)

  (** val eq_dec : positive -> positive -> bool **)

  let eq_dec x y =
    match Coq_Pos.compare x y with
    | Eq -> true
    | _ -> false
 end

(** val append : positive -> positive -> positive **)

let rec append i j =
  match i with
  | XI ii -> XI (append ii j)
  | XO ii -> XO (append ii j)
  | XH -> j

module PositiveMap =
 struct
  module E = PositiveOrderedTypeBits

  module ME = KeyOrderedType(E)

  type key = positive

  type 'a tree =
  | Leaf
  | Node of 'a tree * 'a option * 'a tree

  type 'a t = 'a tree

  (** val empty : 'a1 t **)

  let empty =
    Leaf

  (** val is_empty : 'a1 t -> bool **)

  let rec is_empty = function
  | Leaf -> true
  | Node (l, o, r) ->
    (match o with
     | Some _ -> false
     | None -> (&&) (is_empty l) (is_empty r))

  (** val find : key -> 'a1 t -> 'a1 option **)

  let rec find i = function
  | Leaf -> None
  | Node (l, o, r) ->
    (match i with
     | XI ii -> find ii r
     | XO ii -> find ii l
     | XH -> o)

  (** val mem : key -> 'a1 t -> bool **)

  let rec mem i = function
  | Leaf -> false
  | Node (l, o, r) ->
    (match i with
     | XI ii -> mem ii r
     | XO ii -> mem ii l
     | XH -> (match o with
              | Some _ -> true
              | None -> false))

  (** val add : key -> 'a1 -> 'a1 t -> 'a1 t **)

  let rec add i v = function
  | Leaf ->
    (match i with
     | XI ii -> Node (Leaf, None, (add ii v Leaf))
     | XO ii -> Node ((add ii v Leaf), None, Leaf)
     | XH -> Node (Leaf, (Some v), Leaf))
  | Node (l, o, r) ->
    (match i with
     | XI ii -> Node (l, o, (add ii v r))
     | XO ii -> Node ((add ii v l), o, r)
     | XH -> Node (l, (Some v), r))

  (** val remove : key -> 'a1 t -> 'a1 t **)

  let rec remove i m =
    match i with
    | XI ii ->
      (match m with
       | Leaf -> Leaf
       | Node (l, o, r) ->
         (match l with
          | Leaf ->
            (match o with
             | Some _ -> Node (l, o, (remove ii r))
             | None ->
               (match remove ii r with
                | Leaf -> Leaf
                | Node (t0, o0, t1) -> Node (Leaf, None, (Node (t0, o0, t1)))))
          | Node (_, _, _) -> Node (l, o, (remove ii r))))
    | XO ii ->
      (match m with
       | Leaf -> Leaf
       | Node (l, o, r) ->
         (match o with
          | Some _ -> Node ((remove ii l), o, r)
          | None ->
            (match r with
             | Leaf ->
               (match remove ii l with
                | Leaf -> Leaf
                | Node (t0, o0, t1) -> Node ((Node (t0, o0, t1)), None, Leaf))
             | Node (_, _, _) -> Node ((remove ii l), o, r))))
    | XH ->
      (match m with
       | Leaf -> Leaf
       | Node (l, _, r) ->
         (match l with
          | Leaf ->
            (match r with
             | Leaf -> Leaf
             | Node (_, _, _) -> Node (l, None, r))
          | Node (_, _, _) -> Node (l, None, r)))

  (** val xelements : 'a1 t -> key -> (key * 'a1) list **)

  let rec xelements m i =
    match m with
    | Leaf -> []
    | Node (l, o, r) ->
      (match o with
       | Some x ->
         app (xelements l (append i (XO XH))) ((i,
           x) :: (xelements r (append i (XI XH))))
       | None ->
         app (xelements l (append i (XO XH))) (xelements r (append i (XI XH))))

  (** val elements : 'a1 t -> (key * 'a1) list **)

  let elements m =
    xelements m XH

  (** val cardinal : 'a1 t -> nat **)

  let rec cardinal = function
  | Leaf -> O
  | Node (l, o, r) ->
    (match o with
     | Some _ -> S (Coq__1.add (cardinal l) (cardinal r))
     | None -> Coq__1.add (cardinal l) (cardinal r))

  (** val xfind : key -> key -> 'a1 t -> 'a1 option **)

  let rec xfind i j m =
    match i with
    | XI ii ->
      (match j with
       | XI jj -> xfind ii jj m
       | XO _ -> None
       | XH -> find i m)
    | XO ii ->
      (match j with
       | XI _ -> None
       | XO jj -> xfind ii jj m
       | XH -> find i m)
    | XH -> (match j with
             | XH -> find i m
             | _ -> None)

  (** val xmapi : (key -> 'a1 -> 'a2) -> 'a1 t -> key -> 'a2 t **)

  let rec xmapi f m i =
    match m with
    | Leaf -> Leaf
    | Node (l, o, r) ->
      Node ((xmapi f l (append i (XO XH))), (option_map (f i) o),
        (xmapi f r (append i (XI XH))))

  (** val mapi : (key -> 'a1 -> 'a2) -> 'a1 t -> 'a2 t **)

  let mapi f m =
    xmapi f m XH

  (** val map : ('a1 -> 'a2) -> 'a1 t -> 'a2 t **)

  let map f m =
    mapi (fun _ -> f) m

  (** val xmap2_l :
      ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a3 t **)

  let rec xmap2_l f = function
  | Leaf -> Leaf
  | Node (l, o, r) -> Node ((xmap2_l f l), (f o None), (xmap2_l f r))

  (** val xmap2_r :
      ('a1 option -> 'a2 option -> 'a3 option) -> 'a2 t -> 'a3 t **)

  let rec xmap2_r f = function
  | Leaf -> Leaf
  | Node (l, o, r) -> Node ((xmap2_r f l), (f None o), (xmap2_r f r))

  (** val _map2 :
      ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t **)

  let rec _map2 f m1 m2 =
    match m1 with
    | Leaf -> xmap2_r f m2
    | Node (l1, o1, r1) ->
      (match m2 with
       | Leaf -> xmap2_l f m1
       | Node (l2, o2, r2) ->
         Node ((_map2 f l1 l2), (f o1 o2), (_map2 f r1 r2)))

  (** val map2 :
      ('a1 option -> 'a2 option -> 'a3 option) -> 'a1 t -> 'a2 t -> 'a3 t **)

  let map2 f =
    _map2 (fun o1 o2 ->
      match o1 with
      | Some _ -> f o1 o2
      | None -> (match o2 with
                 | Some _ -> f o1 o2
                 | None -> None))

  (** val xfoldi :
      (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> key -> 'a2 **)

  let rec xfoldi f m v i =
    match m with
    | Leaf -> v
    | Node (l, o, r) ->
      (match o with
       | Some x ->
         xfoldi f r (f i x (xfoldi f l v (append i (XO XH))))
           (append i (XI XH))
       | None ->
         xfoldi f r (xfoldi f l v (append i (XO XH))) (append i (XI XH)))

  (** val fold : (key -> 'a1 -> 'a2 -> 'a2) -> 'a1 t -> 'a2 -> 'a2 **)

  let fold f m i =
    xfoldi f m i XH

  (** val equal : ('a1 -> 'a1 -> bool) -> 'a1 t -> 'a1 t -> bool **)

  let rec equal cmp m1 m2 =
    match m1 with
    | Leaf -> is_empty m2
    | Node (l1, o1, r1) ->
      (match m2 with
       | Leaf -> is_empty m1
       | Node (l2, o2, r2) ->
         (&&)
           ((&&)
             (match o1 with
              | Some v1 ->
                (match o2 with
                 | Some v2 -> cmp v1 v2
                 | None -> false)
              | None -> (match o2 with
                         | Some _ -> false
                         | None -> true)) (equal cmp l1 l2)) (equal cmp r1 r2))
 end

module Coq_PositiveOrderedTypeBits =
 struct
  type t = positive

  (** val eqb : positive -> positive -> bool **)

  let eqb =
    Coq_Pos.eqb

  (** val eq_dec : positive -> positive -> bool **)

  let eq_dec x y =
    let b = Coq_Pos.eqb x y in if b then true else false

  (** val compare : positive -> positive -> comparison **)

  let rec compare x y =
    match x with
    | XI x0 -> (match y with
                | XI y0 -> compare x0 y0
                | _ -> Gt)
    | XO x0 -> (match y with
                | XO y0 -> compare x0 y0
                | _ -> Lt)
    | XH -> (match y with
             | XI _ -> Lt
             | XO _ -> Gt
             | XH -> Eq)
 end

module PositiveSet =
 struct
  module E = Coq_PositiveOrderedTypeBits

  type elt = positive

  type tree =
  | Leaf
  | Node of tree * bool * tree

  type t = tree

  (** val empty : t **)

  let empty =
    Leaf

  (** val is_empty : t -> bool **)

  let rec is_empty = function
  | Leaf -> true
  | Node (l, b, r) ->
    if if negb b then is_empty l else false then is_empty r else false

  (** val mem : positive -> t -> bool **)

  let rec mem i = function
  | Leaf -> false
  | Node (l, o, r) ->
    (match i with
     | XI i0 -> mem i0 r
     | XO i0 -> mem i0 l
     | XH -> o)

  (** val add : positive -> t -> t **)

  let rec add i = function
  | Leaf ->
    (match i with
     | XI i0 -> Node (Leaf, false, (add i0 Leaf))
     | XO i0 -> Node ((add i0 Leaf), false, Leaf)
     | XH -> Node (Leaf, true, Leaf))
  | Node (l, o, r) ->
    (match i with
     | XI i0 -> Node (l, o, (add i0 r))
     | XO i0 -> Node ((add i0 l), o, r)
     | XH -> Node (l, true, r))

  (** val singleton : positive -> t **)

  let singleton i =
    add i empty

  (** val node : t -> bool -> t -> t **)

  let node l b r =
    if b
    then Node (l, b, r)
    else (match l with
          | Leaf ->
            (match r with
             | Leaf -> Leaf
             | Node (_, _, _) -> Node (l, false, r))
          | Node (_, _, _) -> Node (l, false, r))

  (** val remove : positive -> t -> t **)

  let rec remove i = function
  | Leaf -> Leaf
  | Node (l, o, r) ->
    (match i with
     | XI i0 -> node l o (remove i0 r)
     | XO i0 -> node (remove i0 l) o r
     | XH -> node l false r)

  (** val union : t -> t -> t **)

  let rec union m m' =
    match m with
    | Leaf -> m'
    | Node (l, o, r) ->
      (match m' with
       | Leaf -> m
       | Node (l', o', r') -> Node ((union l l'), ((||) o o'), (union r r')))

  (** val inter : t -> t -> t **)

  let rec inter m m' =
    match m with
    | Leaf -> Leaf
    | Node (l, o, r) ->
      (match m' with
       | Leaf -> Leaf
       | Node (l', o', r') -> node (inter l l') ((&&) o o') (inter r r'))

  (** val diff : t -> t -> t **)

  let rec diff m m' =
    match m with
    | Leaf -> Leaf
    | Node (l, o, r) ->
      (match m' with
       | Leaf -> m
       | Node (l', o', r') -> node (diff l l') ((&&) o (negb o')) (diff r r'))

  (** val equal : t -> t -> bool **)

  let rec equal m m' =
    match m with
    | Leaf -> is_empty m'
    | Node (l, o, r) ->
      (match m' with
       | Leaf -> is_empty m
       | Node (l', o', r') ->
         if if eqb o o' then equal l l' else false then equal r r' else false)

  (** val subset : t -> t -> bool **)

  let rec subset m m' =
    match m with
    | Leaf -> true
    | Node (l, o, r) ->
      (match m' with
       | Leaf -> is_empty m
       | Node (l', o', r') ->
         if if if negb o then true else o' then subset l l' else false
         then subset r r'
         else false)

  (** val rev_append : elt -> elt -> elt **)

  let rec rev_append y x =
    match y with
    | XI y0 -> rev_append y0 (XI x)
    | XO y0 -> rev_append y0 (XO x)
    | XH -> x

  (** val rev : elt -> elt **)

  let rev x =
    rev_append x XH

  (** val xfold : (positive -> 'a1 -> 'a1) -> t -> 'a1 -> positive -> 'a1 **)

  let rec xfold f m v i =
    match m with
    | Leaf -> v
    | Node (l, b, r) ->
      if b
      then xfold f r (f (rev i) (xfold f l v (XO i))) (XI i)
      else xfold f r (xfold f l v (XO i)) (XI i)

  (** val fold : (positive -> 'a1 -> 'a1) -> t -> 'a1 -> 'a1 **)

  let fold f m i =
    xfold f m i XH

  (** val xforall : (positive -> bool) -> t -> positive -> bool **)

  let rec xforall f m i =
    match m with
    | Leaf -> true
    | Node (l, o, r) ->
      if if if negb o then true else f (rev i)
         then xforall f r (XI i)
         else false
      then xforall f l (XO i)
      else false

  (** val for_all : (positive -> bool) -> t -> bool **)

  let for_all f m =
    xforall f m XH

  (** val xexists : (positive -> bool) -> t -> positive -> bool **)

  let rec xexists f m i =
    match m with
    | Leaf -> false
    | Node (l, o, r) ->
      if if if o then f (rev i) else false then true else xexists f r (XI i)
      then true
      else xexists f l (XO i)

  (** val exists_ : (positive -> bool) -> t -> bool **)

  let exists_ f m =
    xexists f m XH

  (** val xfilter : (positive -> bool) -> t -> positive -> t **)

  let rec xfilter f m i =
    match m with
    | Leaf -> Leaf
    | Node (l, o, r) ->
      node (xfilter f l (XO i)) (if o then f (rev i) else false)
        (xfilter f r (XI i))

  (** val filter : (positive -> bool) -> t -> t **)

  let filter f m =
    xfilter f m XH

  (** val xpartition : (positive -> bool) -> t -> positive -> t * t **)

  let rec xpartition f m i =
    match m with
    | Leaf -> (Leaf, Leaf)
    | Node (l, o, r) ->
      let (lt, lf) = xpartition f l (XO i) in
      let (rt, rf) = xpartition f r (XI i) in
      if o
      then let fi = f (rev i) in ((node lt fi rt), (node lf (negb fi) rf))
      else ((node lt false rt), (node lf false rf))

  (** val partition : (positive -> bool) -> t -> t * t **)

  let partition f m =
    xpartition f m XH

  (** val xelements : t -> positive -> positive list -> positive list **)

  let rec xelements m i a =
    match m with
    | Leaf -> a
    | Node (l, b, r) ->
      if b
      then xelements l (XO i) ((rev i) :: (xelements r (XI i) a))
      else xelements l (XO i) (xelements r (XI i) a)

  (** val elements : t -> positive list **)

  let elements m =
    xelements m XH []

  (** val cardinal : t -> nat **)

  let rec cardinal = function
  | Leaf -> O
  | Node (l, b, r) ->
    if b
    then S (Coq__1.add (cardinal l) (cardinal r))
    else Coq__1.add (cardinal l) (cardinal r)

  (** val choose : t -> elt option **)

  let rec choose = function
  | Leaf -> None
  | Node (l, o, r) ->
    if o
    then Some XH
    else (match choose l with
          | Some i -> Some (XO i)
          | None -> option_map (fun x -> XI x) (choose r))

  (** val min_elt : t -> elt option **)

  let rec min_elt = function
  | Leaf -> None
  | Node (l, o, r) ->
    (match min_elt l with
     | Some i -> Some (XO i)
     | None -> if o then Some XH else option_map (fun x -> XI x) (min_elt r))

  (** val max_elt : t -> elt option **)

  let rec max_elt = function
  | Leaf -> None
  | Node (l, o, r) ->
    (match max_elt r with
     | Some i -> Some (XI i)
     | None -> if o then Some XH else option_map (fun x -> XO x) (max_elt l))

  (** val compare_bool : bool -> bool -> comparison **)

  let compare_bool a b =
    if a then if b then Eq else Gt else if b then Lt else Eq

  (** val compare : t -> t -> comparison **)

  let rec compare m m' =
    match m with
    | Leaf -> if is_empty m' then Eq else Lt
    | Node (l, o, r) ->
      (match m' with
       | Leaf -> if is_empty m then Eq else Gt
       | Node (l', o', r') ->
         (match compare_bool o o' with
          | Eq -> (match compare l l' with
                   | Eq -> compare r r'
                   | x -> x)
          | x -> x))

  (** val eq_dec : t -> t -> bool **)

  let eq_dec s s' =
    if equal s s' then true else false
 end

module Map = PositiveMap

module Set_ = PositiveSet

(** val key0 : z -> positive **)

let key0 z0 =
  Z.to_pos (Z.add z0 (Zpos XH))

(** val unkey : positive -> z **)

let unkey k =
  Z.sub (Zpos k) (Zpos XH)

type 'a table = 'a Map.t

(** val empty0 : 'a1 table **)

let empty0 =
  Map.empty

(** val put : z -> 'a1 -> 'a1 table -> 'a1 table **)

let put z0 a t0 =
  Map.add (key0 z0) a t0

(** val look : 'a1 table -> z -> 'a1 option **)

let look t0 z0 =
  if Z.leb Z0 z0 then Map.find (key0 z0) t0 else None

(** val look_or : 'a1 -> 'a1 table -> z -> 'a1 **)

let look_or d t0 z0 =
  match look t0 z0 with
  | Some a -> a
  | None -> d

(** val table_of : (z * 'a1) list -> 'a1 table **)

let table_of l =
  fold_right (fun za t0 -> put (fst za) (snd za) t0) empty0 l

type set = Set_.t

(** val has : set -> z -> bool **)

let has s z0 =
  (&&) (Z.leb Z0 z0) (Set_.mem (key0 z0) s)

(** val include0 : z -> set -> set **)

let include0 z0 s =
  Set_.add (key0 z0) s

(** val members : set -> z list **)

let members s =
  map unkey (Set_.elements s)

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

(** val no_pool : pool_row **)

let no_pool =
  { p_order = OrderFifo; p_preemptive = true; p_cap = Z0; p_step = (Zpos XH) }

(** val no_node : node_row **)

let no_node =
  { n_dag = (Zneg XH); n_pool = (Zneg XH); n_exec = Z0; n_last = Z0; n_vol =
    Z0; n_key = Z0; n_bound = Z0; n_preds = [] }

(** val no_kernel : kernel_row **)

let no_kernel =
  { k_length = Z0; k_blocks = Z0; k_weight = Z0; k_demands = [] }

type tables = { t_pools : pool_row table; t_dags : z table;
                t_nodes : node_row table; t_gpus : gpu_row table;
                t_kernels : kernel_row table; t_ids : z list;
                t_resources : (z * z) list }

(** val tables_of : input -> tables **)

let tables_of i =
  { t_pools = (table_of i.i_pools); t_dags = (table_of i.i_dags); t_nodes =
    (table_of i.i_nodes); t_gpus = (table_of i.i_gpus); t_kernels =
    (table_of i.i_kernels); t_ids = (map fst i.i_nodes); t_resources =
    i.i_resources }

(** val row : tables -> z -> node_row **)

let row t0 v =
  look_or no_node t0.t_nodes v

(** val pool_of : tables -> z -> pool_row **)

let pool_of t0 p =
  look_or no_pool t0.t_pools p

(** val kernel : tables -> z -> kernel_row **)

let kernel t0 v =
  look_or no_kernel t0.t_kernels v

(** val bound : tables -> z -> z **)

let bound t0 v =
  (row t0 v).n_bound

(** val order_of_pool : tables -> z -> order **)

let order_of_pool t0 p =
  match (pool_of t0 p).p_order with
  | OrderFifo -> Fifo
  | OrderGel -> Gel (fun u -> (row t0 u).n_key)
  | OrderFixed -> Fixed (fun u -> (row t0 u).n_key)
  | OrderFixedAny -> FixedAny (fun u -> (row t0 u).n_key)

(** val the_system : tables -> system **)

let the_system t0 =
  { nodes = t0.t_ids; dag = (fun v -> (row t0 v).n_dag); preds = (fun v ->
    (row t0 v).n_preds); pool = (fun v -> (row t0 v).n_pool); period =
    (look_or Z0 t0.t_dags); order_of = (order_of_pool t0) }

(** val the_accounts : tables -> accounts **)

let the_accounts t0 =
  { cap = (fun p -> (pool_of t0 p).p_cap); lagging = (fun p ->
    if (pool_of t0 p).p_preemptive then Z0 else (pool_of t0 p).p_cap); exec =
    (fun v -> (row t0 v).n_exec); last = (fun v -> (row t0 v).n_last); vol =
    (fun v -> (row t0 v).n_vol) }

(** val the_step : tables -> z -> z **)

let the_step t0 p =
  (pool_of t0 p).p_step

(** val capacities : tables -> z -> z list **)

let capacities t0 p =
  map snd (filter (fun pc -> Z.eqb (fst pc) p) t0.t_resources)

(** val gpu_of : tables -> z -> gpu_row -> gpu **)

let gpu_of t0 p g =
  { sms = g.g_sms; resources =
    (range Z0 (Z.of_nat (length (capacities t0 p)))); capacity = (fun res ->
    nth (Z.to_nat res) (capacities t0 p) Z0) }

(** val the_platform : tables -> platform **)

let the_platform t0 =
  { kind_of = (fun p ->
    match look t0.t_gpus p with
    | Some g -> Gpu (gpu_of t0 p g)
    | None ->
      if (pool_of t0 p).p_preemptive
      then Processors (pool_of t0 p).p_cap
      else Threads (pool_of t0 p).p_cap); length_of = (fun v ->
    (row t0 v).n_exec); blocks = (fun v -> (kernel t0 v).k_blocks); demand =
    (fun v res -> nth (Z.to_nat res) (kernel t0 v).k_demands Z0) }

(** val ready_bound : system -> (node -> z) -> node -> z **)

let ready_bound s f q =
  fold_right (fun x m -> Z.max (f x) m) Z0 (s.preds q)

(** val limit : system -> (node -> z) -> node -> node -> z option **)

let limit s f q u =
  match s.order_of (s.pool q) with
  | Fifo -> Some (ready_bound s f q)
  | Gel y -> Some (Z.min (f q) (Z.sub (y q) (y u)))
  | Fixed pi ->
    if Z.ltb (pi u) (pi q)
    then None
    else if Z.eqb (pi u) (pi q) then Some (ready_bound s f q) else Some (f q)
  | FixedAny pi -> if Z.ltb (pi u) (pi q) then None else Some (f q)

(** val lag_floor : system -> (node -> z) -> node -> node -> z **)

let lag_floor s f q u =
  match s.order_of (s.pool q) with
  | Gel y -> Z.max (Z.sub (y q) (y u)) (Z.opp (f u))
  | _ -> Z.opp (f u)

(** val may_lag : system -> node -> node -> bool **)

let may_lag s q u =
  match s.order_of (s.pool q) with
  | Fifo -> false
  | Gel _ -> true
  | Fixed pi -> Z.ltb (pi u) (pi q)
  | FixedAny pi -> Z.ltb (pi u) (pi q)

(** val count_lagging :
    system -> (node -> z) -> (node -> node -> bool) -> node -> node -> z **)

let count_lagging s f parallel q u =
  let t0 = s.period (s.dag u) in
  let a = ready_bound s f q in
  let floor = lag_floor s f q u in
  if negb (may_lag s q u)
  then Z0
  else if Z.eqb (s.dag u) (s.dag q)
       then Z.add
              (if (&&) (parallel q u) (Z.ltb floor Z0) then Zpos XH else Z0)
              (Z.add (Z.max Z0 (cdiv (Z.sub (Z.opp floor) t0) t0))
                (Z.div a t0))
       else Z.max Z0 (cdiv (Z.sub a floor) t0)

(** val carry_of : system -> accounts -> z -> (node -> z) -> z -> z **)

let carry_of s a p jobs level =
  sum (fun u ->
    Z.mul (jobs u)
      (Z.mul (Z.div (a.vol u) (a.exec u)) (Z.max Z0 (Z.sub (a.exec u) level))))
    (on_pool s p)

(** val counted_carry : system -> accounts -> z -> (node -> z) -> z -> z **)

let counted_carry s a p b level =
  carry_of s a p (fun u -> Z.max Z0 (cdiv (b u) (s.period (s.dag u)))) level

(** val rising : z -> z list -> bool **)

let rec rising from = function
| [] -> true
| x :: l' -> (&&) (Z.leb from x) (rising (Z.add x (Zpos XH)) l')

(** val known_node : tables -> z -> bool **)

let known_node t0 v =
  match look t0.t_nodes v with
  | Some _ -> true
  | None -> false

(** val check_node : tables -> z -> bool **)

let check_node t0 v =
  let n = row t0 v in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&)
                ((&&) (Z.ltb Z0 (look_or Z0 t0.t_dags n.n_dag))
                  (Z.ltb Z0 (pool_of t0 n.n_pool).p_cap))
                (Z.ltb Z0 (pool_of t0 n.n_pool).p_step)) (Z.leb Z0 n.n_exec))
            (Z.leb Z0 n.n_last)) (Z.leb n.n_last n.n_vol))
        ((||) (negb (Z.eqb n.n_exec Z0)) (Z.eqb n.n_vol Z0)))
      (Z.leb n.n_exec n.n_bound))
    (forallb (fun q ->
      (&&) ((&&) (known_node t0 q) (Z.ltb q v))
        (Z.eqb (row t0 q).n_dag n.n_dag)) n.n_preds)

(** val compute_ups : tables -> set table **)

let compute_ups t0 =
  fold_left (fun m v ->
    put v
      (include0 v
        (fold_left (fun s q -> Set_.union s (look_or Set_.empty m q))
          (row t0 v).n_preds Set_.empty)) m) t0.t_ids empty0

(** val up : set table -> z -> set **)

let up ups v =
  look_or Set_.empty ups v

(** val check_up : tables -> set table -> z -> bool **)

let check_up t0 ups v =
  let ps = (row t0 v).n_preds in
  (&&)
    ((&&) (has (up ups v) v)
      (forallb (fun q -> Set_.subset (up ups q) (up ups v)) ps))
    (forallb (fun x ->
      (||) (Z.eqb x v) (existsb (fun q -> has (up ups q) x) ps))
      (members (up ups v)))

(** val check_structure : tables -> set table -> bool **)

let check_structure t0 ups =
  (&&) ((&&) (rising Z0 t0.t_ids) (forallb (check_node t0) t0.t_ids))
    (forallb (check_up t0 ups) t0.t_ids)

(** val small_div : nat -> z -> z -> z -> z **)

let rec small_div n a b q =
  match n with
  | O -> Z.add q (Z.div a b)
  | S n' ->
    if Z.ltb a b then q else small_div n' (Z.sub a b) b (Z.add q (Zpos XH))

(** val quick_div : z -> z -> z **)

let quick_div a b =
  if (&&) (Z.leb Z0 a) (Z.ltb Z0 b)
  then small_div (S (S (S (S (S (S (S (S O)))))))) a b Z0
  else Z.div a b

(** val quick_cdiv : z -> z -> z **)

let quick_cdiv a b =
  if Z.ltb Z0 b then quick_div (Z.sub (Z.add a b) (Zpos XH)) b else cdiv a b

(** val quick_count : bool -> z -> z -> bool -> z option -> z **)

let quick_count own t0 fu descendant = function
| Some l ->
  if own
  then Z.add (if descendant then Z0 else if Z.leb Z0 l then Zpos XH else Z0)
         (Z.add (Z.max Z0 (quick_cdiv (Z.add fu (Z.min l (Z.opp t0))) t0))
           (if Z.leb Z0 l then quick_div l t0 else Z0))
  else Z.max Z0 (quick_cdiv (Z.add fu l) t0)
| None -> Z0

(** val compute_multiple : tables -> z **)

let compute_multiple t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  fold_right (fun v m -> Z.lcm (a.cap (s.pool v)) m) (Zpos XH) t0.t_ids

(** val is_parallel : set table -> node -> node -> bool **)

let is_parallel ups q u =
  (&&) ((&&) (negb (Z.eqb u q)) (negb (has (up ups q) u)))
    (negb (has (up ups u) q))

(** val blocking_at : tables -> set table -> node -> z -> z **)

let blocking_at t0 ups =
  let s = the_system t0 in
  let a = the_accounts t0 in
  let f = bound t0 in
  (fun q level ->
  Z.add (Z.mul level (a.lagging (s.pool q)))
    (sum (fun u ->
      Z.mul (count_lagging s f (is_parallel ups) q u)
        (Z.max Z0 (Z.sub (a.vol u) level))) (on_pool s (s.pool q))))

(** val compute_blocking : tables -> set table -> node -> z **)

let compute_blocking t0 ups =
  let s = the_system t0 in
  let a = the_accounts t0 in
  (fun q ->
  if Z.eqb (a.lagging (s.pool q)) Z0
  then Z0
  else fold_right (fun level b -> Z.min (blocking_at t0 ups q level) b)
         (blocking_at t0 ups q Z0)
         (filter (Z.leb Z0)
           (nodup Z.eq_dec (map a.vol (on_pool s (s.pool q))))))

(** val share : tables -> z -> z -> z **)

let share t0 =
  let a = the_accounts t0 in (fun m p -> Z.max Z0 (Z.div m (a.cap p)))

(** val check_multiple : tables -> z -> bool **)

let check_multiple t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  (fun m ->
  (&&) (Z.ltb Z0 m)
    (forallb (fun v ->
      Z.eqb (Z.mul (share t0 m (s.pool v)) (a.cap (s.pool v))) m) t0.t_ids))

(** val gain : tables -> (node -> z) -> z -> z -> z **)

let gain t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  (fun blk m v ->
  Z.sub (Z.mul m (a.exec v))
    (Z.mul (share t0 m (s.pool v)) (Z.sub (a.last v) (blk v))))

type entry = set * z

(** val covers : entry -> entry -> bool **)

let covers e e' =
  (&&) (Set_.subset (fst e') (fst e)) (Z.leb (snd e') (snd e))

(** val add_entry : entry -> entry list -> entry list **)

let add_entry e l =
  if existsb (fun e' -> covers e' e) l
  then l
  else e :: (filter (fun e' -> negb (covers e e')) l)

(** val further : tables -> (node -> z) -> z -> z -> entry -> entry **)

let further t0 =
  let s = the_system t0 in
  (fun blk m v e -> ((include0 (s.pool v) (fst e)),
  (Z.add (snd e) (gain t0 blk m v))))

(** val alone : tables -> (node -> z) -> z -> z -> entry **)

let alone t0 =
  let s = the_system t0 in
  (fun blk m v -> ((include0 (s.pool v) Set_.empty), (gain t0 blk m v)))

(** val compute_paths : tables -> (node -> z) -> z -> entry list table **)

let compute_paths t0 =
  let s = the_system t0 in
  (fun blk m ->
  fold_left (fun m0 v ->
    let es =
      match s.preds v with
      | [] -> (alone t0 blk m v) :: []
      | n :: l ->
        fold_left (fun l0 q ->
          fold_left (fun l1 e -> add_entry (further t0 blk m v e) l1)
            (look_or [] m0 q) l0) (n :: l) []
    in
    put v es m0) t0.t_ids empty0)

(** val paths_to : entry list table -> z -> entry list **)

let paths_to paths v =
  look_or [] paths v

(** val check_paths :
    tables -> (node -> z) -> z -> entry list table -> z -> bool **)

let check_paths t0 =
  let s = the_system t0 in
  (fun blk m paths v ->
  match s.preds v with
  | [] -> existsb (fun e -> covers e (alone t0 blk m v)) (paths_to paths v)
  | n :: l ->
    forallb (fun q ->
      forallb (fun e ->
        existsb (fun e' -> covers e' (further t0 blk m v e))
          (paths_to paths v)) (paths_to paths q)) (n :: l))

(** val limit_max : z option -> z option -> z option **)

let limit_max x y =
  match x with
  | Some m -> (match y with
               | Some n -> Some (Z.max m n)
               | None -> x)
  | None -> y

(** val on_same_pool : tables -> set table -> z -> z -> z list **)

let on_same_pool t0 ups =
  let s = the_system t0 in
  (fun v p -> filter (fun q -> Z.eqb (s.pool q) p) (members (up ups v)))

(** val limits_on : tables -> set table -> z -> z -> node -> z option **)

let limits_on t0 ups =
  let s = the_system t0 in
  let f = bound t0 in
  (fun v p ->
  let qs = on_same_pool t0 ups v p in
  (match s.order_of p with
   | Fifo ->
     let l =
       fold_right (fun q m -> limit_max (Some (ready_bound s f q)) m) None qs
     in
     (fun _ -> l)
   | Gel y ->
     (match qs with
      | [] -> (fun _ -> None)
      | q0 :: _ ->
        let y0 = y q0 in
        let f0 = fold_right (fun q m -> Z.max (f q) m) (f q0) qs in
        (fun u ->
        if forallb (fun q -> Z.eqb (y q) y0) qs
        then Some (Z.min f0 (Z.sub y0 (y u)))
        else fold_right (fun q m -> limit_max (limit s f q u) m) None qs))
   | _ ->
     (fun u -> fold_right (fun q m -> limit_max (limit s f q u) m) None qs)))

(** val is_descendant : set table -> z -> z -> bool **)

let is_descendant ups v u =
  (&&) (negb (Z.eqb u v)) (has (up ups u) v)

(** val work_on : tables -> set table -> z -> z -> z **)

let work_on t0 ups =
  let s = the_system t0 in
  let a = the_accounts t0 in
  let f = bound t0 in
  (fun v p ->
  let lim = limits_on t0 ups v p in
  let d = s.dag v in
  sum (fun u ->
    Z.mul
      (quick_count (Z.eqb (s.dag u) d) (s.period (s.dag u)) (f u)
        (is_descendant ups v u) (lim u)) (a.vol u)) (on_pool s p))

(** val check_T10n :
    tables -> set table -> z -> entry list table -> z -> bool **)

let check_T10n t0 ups =
  let f = bound t0 in
  (fun m paths v ->
  let es = paths_to paths v in
  let ps =
    members (fold_right (fun e s -> Set_.union (fst e) s) Set_.empty es)
  in
  let works =
    table_of
      (map (fun p -> (p, (Z.mul (share t0 m p) (work_on t0 ups v p)))) ps)
  in
  forallb (fun e ->
    Z.leb
      (Z.add (snd e) (sum (fun p -> look_or Z0 works p) (members (fst e))))
      (Z.mul m (f v))) es)

(** val compute_cover : z list -> (z -> z) -> (z -> z) -> z -> z table **)

let compute_cover us d w need =
  fold_left (fun m n ->
    match us with
    | [] -> m
    | u0 :: _ ->
      put n
        (fold_right (fun u b ->
          Z.min (Z.add (look_or Z0 m (Z.max Z0 (Z.sub n (d u)))) (w u)) b)
          (Z.add (look_or Z0 m (Z.max Z0 (Z.sub n (d u0)))) (w u0)) us) m)
    (range (Zpos XH) (Z.add need (Zpos XH))) (put Z0 Z0 empty0)

(** val check_cover :
    z list -> (z -> z) -> (z -> z) -> z table -> z -> bool **)

let check_cover us d w phi need =
  (&&) (Z.leb (look_or Z0 phi Z0) Z0)
    (forallb (fun n ->
      forallb (fun u ->
        Z.leb (look_or Z0 phi n)
          (Z.add (look_or Z0 phi (Z.max Z0 (Z.sub n (d u)))) (w u))) us)
      (range (Zpos XH) (Z.add need (Zpos XH))))

(** val compute_most : z list -> (z -> z) -> (z -> z) -> z -> z table **)

let compute_most us d c n_max =
  fold_left (fun m n ->
    put n
      (fold_right (fun u b ->
        if Z.leb (d u) n
        then Z.max (Z.add (look_or Z0 m (Z.sub n (d u))) (c u)) b
        else b) Z0 us) m) (range Z0 (Z.add n_max (Zpos XH))) empty0

(** val check_most :
    z list -> (z -> z) -> (z -> z) -> z table -> z -> bool **)

let check_most us d c psi n_max =
  forallb (fun n ->
    (&&) (Z.leb Z0 (look_or Z0 psi n))
      (forallb (fun u ->
        (||) (Z.ltb n (d u))
          (Z.leb (Z.add (look_or Z0 psi (Z.sub n (d u))) (c u))
            (look_or Z0 psi n))) us)) (range Z0 (Z.add n_max (Zpos XH)))

(** val units : (z -> z) -> z list -> z **)

let units f us =
  Z.max (Zpos XH) (fold_right (fun u m -> Z.gcd (f u) m) Z0 us)

(** val largest : (z -> z) -> z list -> z **)

let largest f us =
  fold_right (fun u m -> Z.max (f u) m) Z0 us

(** val check_resource : tables -> z -> z -> z -> z -> bool **)

let check_resource t0 =
  let s = the_system t0 in
  let p = the_platform t0 in
  (fun p0 w_one capacity0 res ->
  let us = on_pool s p0 in
  let d = fun u -> p.demand u res in
  let w = fun u -> (kernel t0 u).k_weight in
  let unit_ = units d us in
  let d' = fun u -> Z.div (d u) unit_ in
  let need = Z.add (Z.div (Z.sub capacity0 (largest d us)) unit_) (Zpos XH) in
  (&&) (forallb (fun u -> Z.leb Z0 (d u)) us)
    ((||) ((&&) (forallb (fun u -> Z.eqb (d u) Z0) us) (Z.leb Z0 capacity0))
      (let phi = compute_cover us d' w need in
       (&&)
         ((&&)
           ((&&) (Z.ltb Z0 need)
             (forallb (fun u -> Z.eqb (Z.mul (d' u) unit_) (d u)) us))
           (check_cover us d' w phi need)) (Z.leb w_one (look_or Z0 phi need)))))

(** val check_kernel : tables -> z -> z -> bool **)

let check_kernel t0 =
  let a = the_accounts t0 in
  (fun p v ->
  let k = kernel t0 v in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&) (Z.eqb (row t0 v).n_exec k.k_length) (Z.ltb Z0 k.k_blocks))
          (Z.leb Z0 k.k_weight))
        (Z.eqb (a.last v) (Z.mul k.k_weight k.k_length)))
      (Z.eqb (a.vol v) (Z.mul (Z.mul k.k_weight k.k_length) k.k_blocks)))
    (Z.eqb (Z.modulo k.k_weight (the_step t0 p)) Z0))

(** val check_gpu : tables -> z -> gpu_row -> bool **)

let check_gpu t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  (fun p g ->
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&) ((&&) (Z.ltb Z0 g.g_sms) (Z.ltb Z0 g.g_one))
              (Z.eqb (a.cap p) (Z.mul g.g_sms g.g_one)))
            (Z.ltb Z0 (the_step t0 p)))
          (match s.order_of p with
           | Fifo -> true
           | _ -> false)) (pool_of t0 p).p_preemptive)
      (forallb (check_kernel t0 p) (on_pool s p)))
    (forallb (fun res ->
      check_resource t0 p g.g_one ((gpu_of t0 p g).capacity res) res)
      (gpu_of t0 p g).resources))

(** val on_processors : tables -> z -> bool **)

let on_processors t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  (fun v ->
  match look t0.t_gpus (s.pool v) with
  | Some _ -> true
  | None ->
    (&&) ((&&) (Z.eqb (a.last v) (a.exec v)) (Z.eqb (a.vol v) (a.exec v)))
      (Z.eqb (the_step t0 (s.pool v)) (Zpos XH)))

(** val most_of : tables -> z -> z -> z -> z option **)

let most_of t0 =
  let s = the_system t0 in
  let p = the_platform t0 in
  (fun p0 capacity0 res ->
  let us = on_pool s p0 in
  let d = fun u -> p.demand u res in
  let c = fun u -> Z.mul (kernel t0 u).k_weight (row t0 u).n_exec in
  let unit_ = units d us in
  let d' = fun u -> Z.div (d u) unit_ in
  let n = Z.div capacity0 unit_ in
  let psi = compute_most us d' c n in
  if (&&)
       ((&&) (Z.leb Z0 n)
         (forallb (fun u ->
           (&&) (Z.leb Z0 (d u)) (Z.eqb (Z.mul (d' u) unit_) (d u))) us))
       (check_most us d' c psi n)
  then Some (look_or Z0 psi n)
  else None)

(** val least : z option -> z option -> z option **)

let least x y =
  match x with
  | Some m -> (match y with
               | Some n -> Some (Z.min m n)
               | None -> x)
  | None -> y

(** val most_feasible : tables -> z -> gpu_row -> z option **)

let most_feasible t0 p g =
  fold_right (fun res m ->
    least (most_of t0 p ((gpu_of t0 p g).capacity res) res) m) None
    (gpu_of t0 p g).resources

(** val most_not_blocking : tables -> z -> gpu_row -> z option **)

let most_not_blocking t0 =
  let s = the_system t0 in
  let p = the_platform t0 in
  (fun p0 g ->
  fold_right (fun res m ->
    least
      (most_of t0 p0
        (Z.sub ((gpu_of t0 p0 g).capacity res)
          (largest (fun u -> p.demand u res) (on_pool s p0))) res) m) None
    (gpu_of t0 p0 g).resources)

(** val quiet_of : tables -> z -> z option **)

let quiet_of t0 p =
  match look t0.t_gpus p with
  | Some g ->
    (match most_feasible t0 p g with
     | Some k ->
       (match most_not_blocking t0 p g with
        | Some k' -> Some (Z.add (Z.mul (Z.sub g.g_sms (Zpos XH)) k) k')
        | None -> None)
     | None -> None)
  | None -> None

type load_row = { l_multiple : z; l_ceiling : z; l_level : z; l_carry : 
                  z; l_quiet : z option }

(** val rep_of : tables -> z -> node -> z **)

let rep_of t0 =
  let s = the_system t0 in (fun p u -> Z.div p (s.period (s.dag u)))

(** val carry_at : tables -> z -> z -> z -> z **)

let carry_at t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  let f = bound t0 in
  (fun p c level ->
  let step = the_step t0 p in
  Z.add (Z.mul level (Z.mul step (Z.div (Z.sub c (Zpos XH)) step)))
    (counted_carry s a p f level))

(** val compute_load : tables -> z -> load_row **)

let compute_load t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  (fun p ->
  let us = on_pool s p in
  let p0 = fold_right (fun u m -> Z.lcm (s.period (s.dag u)) m) (Zpos XH) us
  in
  let c = cdiv (sum (fun u -> Z.mul (a.vol u) (rep_of t0 p0 u)) us) p0 in
  let best =
    fold_right (fun level b ->
      let x = carry_at t0 p c level in
      if Z.ltb x (snd b) then (level, x) else b) (Z0, (carry_at t0 p c Z0))
      (nodup Z.eq_dec (map a.exec us))
  in
  { l_multiple = p0; l_ceiling = c; l_level = (fst best); l_carry =
  (Z.max Z0 (snd best)); l_quiet = (quiet_of t0 p) })

(** val check_load : tables -> z -> load_row -> bool **)

let check_load t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  (fun p l ->
  let us = on_pool s p in
  let p0 = l.l_multiple in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&) (Z.ltb Z0 p0)
                (forallb (fun u ->
                  Z.eqb (Z.mul (rep_of t0 p0 u) (s.period (s.dag u))) p0) us))
              (Z.leb (sum (fun u -> Z.mul (a.vol u) (rep_of t0 p0 u)) us)
                (Z.mul l.l_ceiling p0))) (Z.leb l.l_ceiling (a.cap p)))
          (Z.leb Z0 l.l_level)) (Z.ltb Z0 (the_step t0 p)))
      (Z.leb Z0 l.l_carry))
    (Z.leb (carry_at t0 p l.l_ceiling l.l_level) l.l_carry))

(** val check_T10j : tables -> load_row -> z -> z -> bool **)

let check_T10j t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  let f = bound t0 in
  (fun l carry v ->
  let p = s.pool v in
  let p0 = l.l_multiple in
  (&&) (match s.order_of p with
        | Fifo -> true
        | _ -> false)
    (Z.leb
      (Z.sub
        (Z.add (Z.mul p0 carry)
          (sum (fun u ->
            Z.mul (a.vol u)
              (Z.add p0 (Z.mul (rep_of t0 p0 u) (ready_bound s f u))))
            (on_pool s p))) (Z.mul p0 (a.last v)))
      (Z.mul (Z.mul p0 (a.cap p))
        (Z.sub (Z.sub (f v) (ready_bound s f v)) (a.exec v)))))

(** val check_T10g : tables -> load_row -> z -> bool **)

let check_T10g t0 =
  let s = the_system t0 in
  let a = the_accounts t0 in
  let f = bound t0 in
  (fun l v ->
  let p = s.pool v in
  let p0 = l.l_multiple in
  let a0 = ready_bound s f in
  (match s.order_of p with
   | Gel y ->
     (&&) (Z.eqb (a.lagging p) Z0)
       (Z.leb
         (Z.sub
           (Z.add (Z.mul p0 l.l_carry)
             (sum (fun u ->
               Z.mul (a.vol u)
                 (Z.max Z0
                   (Z.sub p0
                     (Z.mul (rep_of t0 p0 u)
                       (Z.sub (Z.add (Z.sub (y u) (y v)) (a0 v)) (a0 u))))))
               (on_pool s p))) (Z.mul p0 (a.last v)))
         (Z.mul (Z.mul p0 (a.cap p)) (Z.sub (Z.sub (f v) (a0 v)) (a.exec v))))
   | _ -> false))

(** val check_T10j_quiet : tables -> load_row -> z -> bool **)

let check_T10j_quiet t0 l v =
  match l.l_quiet with
  | Some carry -> (&&) (Z.leb Z0 carry) (check_T10j t0 l carry v)
  | None -> false

type verdict =
| HoldsByT10n
| HoldsByT10j
| HoldsByT10g
| NotShown

type result = { is_system : bool; bad_nodes : z list;
                gpu_verdicts : (z * bool) list; counted_as_run : bool;
                verdicts : (z * verdict) list }

(** val judge :
    tables -> set table -> (node -> z) -> z -> entry list table -> load_row
    table -> z -> verdict **)

let judge t0 =
  let s = the_system t0 in
  (fun ups blk m paths loads v ->
  if (&&) (check_paths t0 blk m paths v) (check_T10n t0 ups m paths v)
  then HoldsByT10n
  else (match look loads (s.pool v) with
        | Some l ->
          if check_load t0 (s.pool v) l
          then if (||) (check_T10j t0 l l.l_carry v) (check_T10j_quiet t0 l v)
               then HoldsByT10j
               else if check_T10g t0 l v then HoldsByT10g else NotShown
          else NotShown
        | None -> NotShown))

(** val holds : verdict -> bool **)

let holds = function
| NotShown -> false
| _ -> true

(** val lines_rise : input -> bool **)

let lines_rise i =
  (&&)
    ((&&)
      ((&&) (rising Z0 (map fst i.i_pools)) (rising Z0 (map fst i.i_dags)))
      (rising Z0 (map fst i.i_gpus))) (rising Z0 (map fst i.i_kernels))

(** val check : tables -> input -> result **)

let check t0 =
  let s = the_system t0 in
  (fun i ->
  let ups = compute_ups t0 in
  let m = compute_multiple t0 in
  let blocking =
    table_of (map (fun q -> (q, (compute_blocking t0 ups q))) t0.t_ids)
  in
  let blk = look_or Z0 blocking in
  let paths = compute_paths t0 blk m in
  let pools = nodup Z.eq_dec (map s.pool t0.t_ids) in
  let loads = table_of (map (fun p -> (p, (compute_load t0 p))) pools) in
  let system0 =
    (&&)
      ((&&) ((&&) (check_structure t0 ups) (check_multiple t0 m))
        (forallb (check_paths t0 blk m paths) t0.t_ids)) (lines_rise i)
  in
  { is_system = system0; bad_nodes =
  (filter (fun v -> negb (check_node t0 v)) t0.t_ids); gpu_verdicts =
  (map (fun pg -> ((fst pg), (check_gpu t0 (fst pg) (snd pg)))) i.i_gpus);
  counted_as_run = (forallb (on_processors t0) t0.t_ids); verdicts =
  (if system0
   then map (fun v -> (v, (judge t0 ups blk m paths loads v))) t0.t_ids
   else []) })

(** val check_input : input -> result **)

let check_input i =
  check (tables_of i) i

(** val accepted_as_counted : result -> bool **)

let accepted_as_counted r =
  (&&) r.is_system (forallb (fun vd -> holds (snd vd)) r.verdicts)

(** val accepted : result -> bool **)

let accepted r =
  (&&) ((&&) (accepted_as_counted r) (forallb snd r.gpu_verdicts))
    r.counted_as_run
