(** The checker as an OCaml program. Numbers stay Rocq's own binary integers; only Booleans, lists, pairs and options become OCaml's. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Rta Require Import model.Sums checker.Input checker.Check.

Set Warnings "-extraction-opaque-accessed".
Extraction "proved.ml" check_input accepted accepted_as_counted Z.add Z.mul Z.opp Z.div_eucl Z.eqb Z.leb.
