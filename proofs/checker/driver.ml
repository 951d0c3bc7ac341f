(* Runs the checker that was extracted from checker/Check.v, and prints its verdict:

   rta-proved FILE CERTIFICATE          of a task set and what `rta analyze FILE --certificate CERTIFICATE` wrote (judge.ml)
   rta-proved [--counted] SYSTEM        of a system as the checker sees it

   --counted: take E, S, VOL, CAP of every pool of SYSTEM as given, without asking where they come from (no gpu and kernel lines needed).
   Exit status: 0 verified, 1 not verified, 2 bad input or usage. *)

open Proved

let print_number = Number.show
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

(* What of a text commands a terminal, or is no UTF-8, by its number. *)
let shown text =
  let out = Buffer.create (String.length text) in
  let n = String.length text in
  let byte i = Char.code text.[i] in
  let continues i = i < n && byte i land 0xc0 = 0x80 in
  let rec go i =
    if i < n then begin
      let first = byte i in
      let length = if first < 0x80 then 1 else if first < 0xc2 || first > 0xf4 then 0 else if first < 0xe0 then 2 else if first < 0xf0 then 3 else 4 in
      let whole = length > 0 && List.for_all (fun k -> continues (i + k)) (List.init (length - 1) succ) in
      let point =
        List.fold_left (fun point k -> (point lsl 6) lor (byte (i + k) land 0x3f)) (if length < 2 then first else first land (0x7f lsr length))
          (if whole then List.init (length - 1) succ else [])
      in
      let in_range = point >= [| 0; 0; 0x80; 0x800; 0x10000 |].(length) && point <= 0x10ffff && not (point >= 0xd800 && point < 0xe000) in
      let commands =
        point < 0x20 || (point >= 0x7f && point < 0xa0) || List.mem point [ 0x61c; 0x200e; 0x200f ] || (point >= 0x2028 && point <= 0x202e)
        || (point >= 0x2066 && point <= 0x2069)
      in
      if not (whole && in_range) then (Buffer.add_string out (Printf.sprintf "\\x%02x" first); go (i + 1))
      else begin
        Buffer.add_string out (if commands then Printf.sprintf "\\u%04x" point else String.sub text i length);
        go (i + length)
      end
    end
  in
  go 0;
  Buffer.contents out

let text_of path =
  let channel = open_in_bin path in
  let buffer = Buffer.create 65536 in
  (try while true do Buffer.add_channel buffer channel 65536 done with End_of_file -> close_in channel);
  Buffer.contents buffer

let say_verdicts verbose (verdicts, missing, assumptions) =
  let count test = List.length (List.filter (fun (_, verdict) -> test verdict) verdicts) in
  List.iter
    (fun ((s : Certificate.statement), verdict) ->
      let line what why = Printf.printf "%d: %s: %s%s\n" s.line what (shown s.text) (if why = "" then "" else ": " ^ shown why) in
      match (verdict : Judge.verdict) with
      | Verified why -> if verbose then line "verified" why
      | Hint -> if verbose then line "read" ""
      | Not_verified why -> line "not verified" why
      | Not_shown why -> line "not shown" why)
    verdicts;
  List.iter (fun text -> Printf.printf "not verified: %s: the certificate does not state this\n" (shown text)) missing;
  List.iter (fun text -> Printf.printf "assumed, not in the file: %s\n" (shown text)) assumptions;
  let wrong = count (function Judge.Not_verified _ -> true | _ -> false) + List.length missing in
  let open_ = count (function Judge.Not_shown _ -> true | _ -> false) in
  Printf.printf "%d statements, " (List.length verdicts + List.length missing);
  if wrong + open_ = 0 then print_endline "all verified" else Printf.printf "%d not verified, %d not shown\n" wrong open_

let judge verbose quiet task_set certificate =
  let text = text_of task_set in
  if String.length text >= 16 && String.sub text 0 16 = "rta-certificate " then begin
    prerr_endline "rta-proved: the first file is a certificate: the task set comes first";
    2
  end
  else begin
    let ((verdicts, missing, _) as outcome) = Judge.judge text (text_of certificate) in
    if not quiet then say_verdicts verbose outcome;
    let holds = function _, (Judge.Verified _ | Judge.Hint) -> true | _, (Judge.Not_verified _ | Judge.Not_shown _) -> false in
    if missing = [] && List.for_all holds verdicts then 0 else 1
  end

let usage =
  "Usage: rta-proved [OPTION]... FILE CERTIFICATE\n\
   \       rta-proved [--counted] SYSTEM\n\
   Judges what `rta analyze FILE --certificate CERTIFICATE` wrote about the task set in FILE, by a function that is extracted from a proof of\n\
   its soundness (docs/theory/machine-checked.md). Bounds are verified by T10n, T11, T10j and T10g, whatever rule the certificate names.\n\
   \n\
   Prints the statements that are not verified, or not shown to hold, with the reason, what the bounds assume that FILE does not say, and a\n\
   verdict. SYSTEM is a system as the function sees it.\n\
   \n\
   \  -v, --verbose   every statement with its verdict\n\
   \  -q, --quiet     nothing but errors; the exit status tells\n\
   \      --counted   take the counted work of SYSTEM as it is given, without asking where it comes from\n\
   \      --help      this text\n\
   \      --version   the version\n\
   \n\
   Exit status: 0 all verified, 1 some statement is not, 2 bad input or usage.\n"

let () =
  let wrong text = prerr_endline ("rta-proved: " ^ text ^ "; see rta-proved --help"); 2 in
  let rec options verbose quiet counted files = function
    | "--help" :: _ -> print_string usage; 0
    | "--version" :: _ -> print_endline ("rta-proved " ^ Version.text); 0
    | ("-v" | "--verbose") :: rest -> options true quiet counted files rest
    | ("-q" | "--quiet") :: rest -> options verbose true counted files rest
    | "--counted" :: rest -> options verbose quiet true files rest
    | option :: _ when String.length option > 1 && option.[0] = '-' -> wrong ("no option " ^ shown option)
    | file :: rest -> options verbose quiet counted (file :: files) rest
    | [] ->
      (match files with
       | [ system ] ->
         (try report counted (System.read system) with System.Bad (line, text) -> Printf.eprintf "%s:%d: %s\n" (shown system) line (shown text); 2)
       | [ certificate; task_set ] when not counted ->
         (try judge verbose quiet task_set certificate with
          | Certificate.Bad (line, text) -> Printf.eprintf "rta-proved: certificate:%d: %s\n" line (shown text); 2)
       | _ -> wrong "a task set and a certificate are expected, or a system")
  in
  let status =
    try options false false false [] (List.tl (Array.to_list Sys.argv)) with
    | Sys_error text -> prerr_endline ("rta-proved: " ^ shown text); 2
    | Stack_overflow | Out_of_memory -> prerr_endline "rta-proved: the memory does not suffice"; 2
  in
  exit
    (match flush stdout with
     | () -> status
     | exception Sys_error _ -> prerr_endline "rta-proved: cannot write to standard output"; 2)
