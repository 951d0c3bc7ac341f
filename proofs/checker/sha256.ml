(* SHA-256 (FIPS 180-4) of a text, as hexadecimal digits. *)

(* The first 32 bits of the fractions of the roots of the first primes, in whole numbers: floor(root * 2^32) mod 2^32. *)
let primes count =
  let rec from n found = if List.length found = count then List.rev found else from (n + 1) (if List.exists (fun p -> n mod p = 0) found then found else n :: found) in
  Array.of_list (from 2 [])

(* Numbers of up to 200 bits as lists of 24-bit digits, the least first: enough to take roots exactly. *)
let base = 1 lsl 24

let multiply a b =
  let product = Array.make (Array.length a + Array.length b) 0 in
  Array.iteri
    (fun i x ->
      let carry = ref 0 in
      Array.iteri (fun j y -> let sum = product.(i + j) + (x * y) + !carry in product.(i + j) <- sum mod base; carry := sum / base) b;
      product.(i + Array.length b) <- product.(i + Array.length b) + !carry)
    a;
  product

let digits n = [| n mod base; n / base mod base; n / base / base |]

let less a b =
  let at n i = if i < Array.length n then n.(i) else 0 in
  let rec from i = i >= 0 && (at a i < at b i || (at a i = at b i && from (i - 1))) in
  from (max (Array.length a) (Array.length b) - 1)

let fraction_of_root degree prime =
  let power n = let d = digits n in if degree = 2 then multiply d d else multiply (multiply d d) d in
  let target = Array.append (Array.make (4 * degree / 3) 0) (digits (prime lsl (32 * degree mod 24))) in
  let rec search low high = (* power low <= target < power high *)
    if high - low = 1 then low else let middle = (low + high) / 2 in if less target (power middle) then search low middle else search middle high in
  search 0 (1 lsl 38) land 0xffffffff

let constants = Array.map (fraction_of_root 3) (primes 64)
let start = Array.map (fraction_of_root 2) (primes 8)

let of_text text =
  let mask = 0xffffffff in
  let length = String.length text in
  let padded = (length + 9 + 63) / 64 * 64 in
  let byte i = if i < length then Char.code text.[i] else if i = length then 0x80 else if i < padded - 8 then 0 else ((8 * length) lsr (8 * (padded - 1 - i))) land 0xff in
  let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land mask in
  let state = Array.copy start in
  let w = Array.make 64 0 in
  for block = 0 to (padded / 64) - 1 do
    for t = 0 to 15 do
      let at = (64 * block) + (4 * t) in
      w.(t) <- (byte at lsl 24) lor (byte (at + 1) lsl 16) lor (byte (at + 2) lsl 8) lor byte (at + 3)
    done;
    for t = 16 to 63 do
      let s0 = rotate w.(t - 15) 7 lxor rotate w.(t - 15) 18 lxor (w.(t - 15) lsr 3) in
      let s1 = rotate w.(t - 2) 17 lxor rotate w.(t - 2) 19 lxor (w.(t - 2) lsr 10) in
      w.(t) <- (w.(t - 16) + s0 + w.(t - 7) + s1) land mask
    done;
    let v = Array.copy state in
    for t = 0 to 63 do
      let a = v.(0) and b = v.(1) and c = v.(2) and e = v.(4) in
      let s1 = rotate e 6 lxor rotate e 11 lxor rotate e 25 in
      let choice = (e land v.(5)) lxor (lnot e land mask land v.(6)) in
      let t1 = v.(7) + s1 + choice + constants.(t) + w.(t) in
      let s0 = rotate a 2 lxor rotate a 13 lxor rotate a 22 in
      let t2 = s0 + ((a land b) lxor (a land c) lxor (b land c)) in
      Array.blit v 0 v 1 7;
      v.(4) <- (v.(4) + t1) land mask;
      v.(0) <- (t1 + t2) land mask
    done;
    Array.iteri (fun i x -> state.(i) <- (state.(i) + x) land mask) v
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") state))
