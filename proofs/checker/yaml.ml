(* The YAML that task sets are written in: mappings and lists by indentation or in braces and brackets, and values of one line.
   Whatever else YAML has (anchors, tags, texts of several lines, several documents) is refused, never taken for something else. *)

exception Refused of int * int * string (* line, column, what *)

type node = { line : int; column : int; value : value }
and value = Scalar of string | List of node list | Mapping of (node * node) list

type state = { text : string; mutable at : int; mutable line : int; mutable start : int (* of the line *) }

let column s = s.at - s.start
let refuse s what = raise (Refused (s.line, column s + 1, what))
let ended s = s.at >= String.length s.text
let look s n = if s.at + n < String.length s.text then s.text.[s.at + n] else '\n'
let is_blank c = c = ' ' || c = '\t'
let is_break c = c = '\n' || c = '\r'
let is_flow c = String.contains ",[]{}" c

(* To the next sign that means something, on this line or a later one. *)
let rec skip s =
  if not (ended s) then
    match look s 0 with
    | ' ' -> s.at <- s.at + 1; skip s
    | '\t' -> if column s = 0 then refuse s "a tab does not indent"; s.at <- s.at + 1; skip s
    | '\r' -> s.at <- s.at + 1; skip s
    | '\n' -> s.at <- s.at + 1; s.line <- s.line + 1; s.start <- s.at; skip s
    | '#' when s.at = s.start || is_blank s.text.[s.at - 1] -> while not (ended s) && look s 0 <> '\n' do s.at <- s.at + 1 done; skip s
    | _ -> ()

let quoted s =
  let quote = look s 0 and out = Buffer.create 16 in
  s.at <- s.at + 1;
  let rec go () =
    if ended s || is_break (look s 0) then refuse s "a text of several lines is not read";
    let c = look s 0 in
    s.at <- s.at + 1;
    if c = quote then (if quote = '\'' && look s 0 = '\'' then (Buffer.add_char out '\''; s.at <- s.at + 1; go ()))
    else if c = '\\' && quote = '"' then begin
      (match look s 0 with '"' | '\\' | '/' -> Buffer.add_char out (look s 0) | _ -> refuse s "of the escapes \\\", \\\\ and \\/ are read");
      s.at <- s.at + 1;
      go ()
    end
    else (Buffer.add_char out c; go ())
  in
  go ();
  Buffer.contents out

(* Up to what ends a plain value: the end of the line, a comment, `: `, and in braces and brackets also their signs. *)
let plain s flow =
  let first = look s 0 in
  if String.contains "&*!|>%@`\"'#,[]{}" first then refuse s (Printf.sprintf "'%c' is not read here" first);
  if (first = '?' || first = ':' || first = '-') && (is_blank (look s 1) || is_break (look s 1) || (flow && is_flow (look s 1))) then
    refuse s (Printf.sprintf "'%c' is not read here" first);
  let from = s.at in
  let rec go () =
    let c = look s 0 in
    let ends = is_break c || (c = '#' && is_blank s.text.[s.at - 1]) || (flow && is_flow c)
               || (c = ':' && (is_blank (look s 1) || is_break (look s 1) || (flow && is_flow (look s 1)))) in
    if not (ended s || ends) then (s.at <- s.at + 1; go ())
  in
  go ();
  let rec trim n = if n > from && is_blank s.text.[n - 1] then trim (n - 1) else n in
  String.sub s.text from (trim s.at - from)

let scalar s flow = if look s 0 = '"' || look s 0 = '\'' then quoted s else plain s flow

(* A key that is given twice would hide the other. *)
let entry s known (key : node) value =
  (match key.value with
   | Scalar "<<" -> raise (Refused (key.line, key.column, "'<<' is not read"))
   | Scalar name when Hashtbl.mem known name -> raise (Refused (key.line, key.column, "the key '" ^ name ^ "' is given twice"))
   | Scalar name -> Hashtbl.add known name ()
   | List _ | Mapping _ -> raise (Refused (key.line, key.column, "a key is a plain value")));
  ignore s;
  (key, value)

let rec flow s =
  let line = s.line and col = column s + 1 in
  let made value = { line; column = col; value } in
  match look s 0 with
  | '[' ->
    s.at <- s.at + 1;
    let rec items found =
      skip s;
      if look s 0 = ']' && not (ended s) then (s.at <- s.at + 1; List.rev found)
      else begin
        let item = flow s in
        skip s;
        if ended s then refuse s "']' is missing";
        match look s 0 with
        | ',' -> s.at <- s.at + 1; items (item :: found)
        | ']' -> items (item :: found)
        | c -> refuse s (Printf.sprintf "',' or ']' is expected, not '%c'" c)
      end
    in
    made (List (items []))
  | '{' ->
    s.at <- s.at + 1;
    let known = Hashtbl.create 8 in
    let rec entries found =
      skip s;
      if look s 0 = '}' && not (ended s) then (s.at <- s.at + 1; List.rev found)
      else begin
        let key = flow s in
        skip s;
        if look s 0 <> ':' || ended s then refuse s "':' is expected";
        s.at <- s.at + 1;
        skip s;
        if ended s then refuse s "'}' is missing";
        if String.contains ",}" (look s 0) then refuse s "a value is expected";
        let value = flow s in
        skip s;
        if ended s then refuse s "'}' is missing";
        match look s 0 with
        | ',' -> s.at <- s.at + 1; entries (entry s known key value :: found)
        | '}' -> entries (entry s known key value :: found)
        | c -> refuse s (Printf.sprintf "',' or '}' is expected, not '%c'" c)
      end
    in
    made (Mapping (entries []))
  | _ -> if ended s then refuse s "a value is expected"; made (Scalar (scalar s true))

let begins_item s = look s 0 = '-' && (is_blank (look s 1) || is_break (look s 1))

(* What stands further in than [outside]; nothing there is an empty value. *)
let rec block s outside =
  skip s;
  let line = s.line and col = column s in
  let made value = { line; column = col + 1; value } in
  if ended s || col <= outside then made (Scalar "")
  else if begins_item s then begin
    let rec items found =
      skip s;
      if ended s || column s < col || (column s = col && not (begins_item s)) then List.rev found
      else if column s > col then refuse s "this is indented otherwise than what is before"
      else (s.at <- s.at + 1; items (block s col :: found))
    in
    made (List (items []))
  end
  else begin
    let first = if String.contains "[{" (look s 0) then flow s else made (Scalar (scalar s false)) in
    while is_blank (look s 0) && not (ended s) do s.at <- s.at + 1 done;
    if look s 0 = ':' && not (ended s) then mapping s col first
    else (end_of_value s outside; first)
  end

and end_of_value s outside =
  let line = s.line in
  skip s;
  if not (ended s) && (s.line = line || column s > outside) then refuse s "a value ends with its line here"

and mapping s col first =
  let known = Hashtbl.create 8 in
  let rec entries (key : node) found =
    if s.line <> key.line || look s 0 <> ':' || not (is_blank (look s 1) || is_break (look s 1)) then refuse s "': ' is expected";
    s.at <- s.at + 1;
    let value = value_of s col key.line in
    let found = entry s known key value :: found in
    skip s;
    if ended s || column s < col then List.rev found
    else if column s > col then refuse s "this is indented otherwise than what is before"
    else begin
      let line = s.line in
      let next = { line; column = col + 1; value = Scalar (scalar s false) } in
      while is_blank (look s 0) && not (ended s) do s.at <- s.at + 1 done;
      if ended s then refuse s "': ' is expected";
      entries next found
    end
  in
  { line = first.line; column = col + 1; value = Mapping (entries first []) }

(* Behind a key: on its line a value that is no mapping by indentation, or what stands below. *)
and value_of s col line =
  skip s;
  if s.line = line && not (ended s) then begin
    let at = { line = s.line; column = column s + 1; value = Scalar "" } in
    if begins_item s then refuse s "a list begins on a line of its own";
    let value = if String.contains "[{" (look s 0) then flow s else { at with value = Scalar (scalar s false) } in
    end_of_value s col;
    value
  end
  else if (not (ended s)) && column s = col && begins_item s then block s (col - 1) (* a list may stand right below its key *)
  else block s col

(* libyaml ends lines at these, too, comments with them; and it takes a text for UTF-16 that begins so. *)
let other_breaks = [ "\xc2\x85"; "\xe2\x80\xa8"; "\xe2\x80\xa9" ]

let parse text =
  let text = if String.length text >= 3 && String.sub text 0 3 = "\xef\xbb\xbf" then String.sub text 3 (String.length text - 3) else text in
  let s = { text; at = 0; line = 1; start = 0 } in
  let is_at part = s.at + String.length part <= String.length text && String.sub text s.at (String.length part) = part in
  while not (ended s) do
    let c = look s 0 in
    if (c = '\r' && look s 1 <> '\n') || (c < ' ' && not (is_blank c || is_break c)) || c = '\x7f' || List.exists is_at other_breaks then
      refuse s "a sign that is no part of a line";
    if s.at = s.start && (is_at "---" || is_at "...") then refuse s "several documents, or signs where they begin and end, are not read";
    s.at <- s.at + 1;
    if c = '\n' then (s.line <- s.line + 1; s.start <- s.at)
  done;
  s.at <- 0; s.line <- 1; s.start <- 0;
  let all = block s (-1) in
  skip s;
  if not (ended s) then refuse s "this belongs to nothing";
  all
