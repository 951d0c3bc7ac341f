(* Rocq's whole numbers, of any size, from and to decimal digits. *)

open Proved

let rec positive n = if n = 1 then XH else if n land 1 = 0 then XO (positive (n lsr 1)) else XI (positive (n lsr 1))
let of_int n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))
let ten = of_int 10
let ( + ) = Z.add
let ( * ) = Z.mul
let ( - ) a b = Z.add a (Z.opp b)
let ( <= ) = Z.leb
let ( < ) a b = not (Z.leb b a)
let equal = Z.eqb
let floor_div a b = fst (Z.div_eucl a b)
let ceil_div a b = Z.opp (floor_div (Z.opp a) b)
let max a b = if a <= b then b else a
let min a b = if a <= b then a else b
let rec gcd a b = if equal b Z0 then a else gcd b (snd (Z.div_eucl a b))

(* At most 400 digits, perhaps after a minus sign. *)
let read text =
  let digits = if text <> "" && text.[0] = '-' then String.sub text 1 (Stdlib.( - ) (String.length text) 1) else text in
  if digits = "" || Stdlib.( > ) (String.length digits) 400 || not (String.for_all (function '0' .. '9' -> true | _ -> false) digits) then None
  else
    let value = String.fold_left (fun sum c -> (sum * ten) + of_int (Stdlib.( - ) (Char.code c) 48)) Z0 digits in
    Some (if text.[0] = '-' then Z.opp value else value)

let rec show n =
  match n with
  | Zneg p -> "-" ^ show (Zpos p)
  | Z0 -> "0"
  | Zpos _ ->
    let rec digits n rest =
      if equal n Z0 then rest
      else
        let quotient, remainder = Z.div_eucl n ten in
        let rec digit d k = if equal d (of_int k) then k else digit d (succ k) in
        digits quotient (string_of_int (digit remainder 0) :: rest)
    in
    String.concat "" (digits n [])
