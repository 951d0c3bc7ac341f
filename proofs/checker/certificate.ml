(* The statements of a certificate (docs/certificates.md), their words and numbers. *)

open Proved
module N = Number

exception Bad of int * string (* line, what is wrong *)

type statement = { line : int; text : string; words : string array }

let bad statement format = Printf.ksprintf (fun text -> raise (Bad (statement.line, text))) format
let word s i = if i < Array.length s.words then s.words.(i) else bad s "the statement ends too early"

let number s i =
  match N.read (word s i) with
  | Some n -> n
  | None -> bad s "word %d is '%s'; a whole number is expected" (i + 1) s.words.(i)

let index s i count =
  match int_of_string_opt (word s i) with
  | Some n when N.read (word s i) <> None && 0 <= n && n < count -> n
  | Some _ | None -> bad s "word %d is the number of nothing" (i + 1)

(* A whole number or n/d: its parts, and how many of them a ns has. *)
let fraction s i =
  match String.index_opt (word s i) '/' with
  | None -> number s i, 1
  | Some slash ->
    let text = word s i in
    let parts = N.read (String.sub text 0 slash) and unit_ = String.sub text (slash + 1) (String.length text - slash - 1) in
    (match parts, if N.read unit_ = None then None else int_of_string_opt unit_ with
     | Some parts, Some unit_ when 1 <= unit_ && unit_ <= 1_000_000 -> parts, unit_
     | _ -> bad s "word %d is '%s'; a whole number or a fraction n/d is expected" (i + 1) text)

(* What a statement is for: it says what the task set is, claims something, or helps rta-check to find why. *)
let of_the_file = [ "pool"; "dag"; "node"; "after"; "chain" ]
let hints =
  [ "lanes"; "family"; "strands"; "base"; "point"; "follow"; "turn"; "turns"; "order"; "shared"; "weights"; "counted"; "segments" ]
let other_claims = [ "company"; "inside"; "window"; "stay"; "windows"; "reached"; "job"; "awaited"; "overload"; "latencies"; "granularity" ]
let known = "rta-certificate" :: "file" :: "assume" :: "release" :: "bound" :: "end" :: "verdict" :: (of_the_file @ hints @ other_claims)

let kind s = s.words.(0)

let read text =
  let rec go line from found =
    if from = String.length text then List.rev found
    else
      match String.index_from_opt text from '\n' with
      | None -> raise (Bad (line, "the last line has no end"))
      | Some stop ->
        let content = String.sub text from (stop - from) in
        let found =
          if content = "" || content.[0] = '#' then found
          else { line; text = content; words = Array.of_list (String.split_on_char ' ' content) } :: found
        in
        go (line + 1) (stop + 1) found
  in
  let statements = go 1 0 [] in
  (match statements with
   | { text = "rta-certificate 1"; _ } :: _ -> ()
   | _ -> raise (Bad (1, "'rta-certificate 1' is expected")));
  List.iter (fun s -> if not (List.mem (kind s) known) then bad s "no statement is called '%s'" (kind s)) statements;
  List.iter
    (fun name ->
      match List.filter (fun s -> kind s = name) statements with
      | [ s ] -> ignore (word s 1)
      | [] -> raise (Bad (1, "'" ^ name ^ "' is missing"))
      | _ :: s :: _ -> bad s "this is stated twice")
    [ "file"; "release" ];
  List.iter
    (fun s ->
      if kind s = "release" && not (List.mem s.words.(1) [ "offsets"; "early"; "completion"; "segments"; "static" ]) then
        bad s "no such release: offsets, early, completion, segments, static")
    statements;
  (match List.rev statements with
   | last :: _ when kind last = "verdict" -> ignore (word last 1)
   | last :: _ -> bad last "a certificate ends with its verdict"
   | [] -> ());
  statements
