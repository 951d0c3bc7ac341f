(** Inequalities (3) of T10j and (4) of T10g, decided. For nodes without predecessors they are T6 with carry (b), T8, and T1. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Inequality path.Together local.Carry local.Linear local.Fifo local.T10g.
From Rta Require Import checker.Table checker.Input checker.Structure checker.Gpus.

(** What T10j and T10g need to know of a pool: a common multiple of the periods, ceil(U), the carry by count at some level. *)
Record load_row := { l_multiple : Z; l_ceiling : Z; l_level : Z; l_carry : Z; l_quiet : option Z }.

Section Loads.
  Context (t : tables).
  Let S := the_system t.
  Let a := the_accounts t.
  Let F := bound t.

  Definition rep_of (P : Z) (u : node) : Z := P / period S (dag S u).

  (* The carry at one level; the best level is 0 or the length of some piece. *)
  Definition carry_at (p c level : Z) : Z :=
    let step := the_step t p in level * (step * ((c - 1) / step)) + counted_carry S a p F level.

  Definition compute_load (p : Z) : load_row :=
    let us := on_pool S p in
    let P := fold_right (fun u m => Z.lcm (period S (dag S u)) m) 1 us in
    let c := cdiv (sum (fun u => vol a u * rep_of P u) us) P in
    let best := fold_right (fun level b => let x := carry_at p c level in if x <? snd b then (level, x) else b)
                  (0, carry_at p c 0) (nodup Z.eq_dec (map (exec a) us)) in
    {| l_multiple := P; l_ceiling := c; l_level := fst best; l_carry := Z.max 0 (snd best); l_quiet := quiet_of t p |}.

  Definition check_load (p : Z) (l : load_row) : bool :=
    let us := on_pool S p in
    let P := l_multiple l in
    (0 <? P) && forallb (fun u => rep_of P u * period S (dag S u) =? P) us &&
    (sum (fun u => vol a u * rep_of P u) us <=? l_ceiling l * P) && (l_ceiling l <=? cap a p) &&
    (0 <=? l_level l) && (0 <? the_step t p) && (0 <=? l_carry l) && (carry_at p (l_ceiling l) (l_level l) <=? l_carry l).

  Definition check_T10j (l : load_row) (carry v : Z) : bool :=
    let p := pool S v in
    let P := l_multiple l in
    (match order_of S p with Fifo => true | _ => false end) &&
    (P * carry + sum (fun u => vol a u * (P + rep_of P u * ready_bound S F u)) (on_pool S p) - P * last a v
      <=? P * cap a p * (F v - ready_bound S F v - exec a v)).

  Definition check_T10g (l : load_row) (v : Z) : bool :=
    let p := pool S v in
    let P := l_multiple l in
    let A := ready_bound S F in
    match order_of S p with
    | Gel Y =>
      (lagging a p =? 0) &&
      (P * l_carry l + sum (fun u => vol a u * Z.max 0 (P - rep_of P u * (Y u - Y v + A v - A u))) (on_pool S p) - P * last a v
        <=? P * cap a p * (F v - A v - exec a v))
    | _ => false
    end.

  Lemma load_sound p l : check_load p l = true ->
    pool_load S a F p (l_multiple l) (rep_of (l_multiple l)) (the_step t p) (l_ceiling l) (l_level l) (l_carry l).
  Proof.
    unfold check_load. rewrite !andb_true_iff. intros (((((((h1 & h2) & h3) & h4) & h5) & h6) & h7) & h8).
    apply Z.ltb_lt in h1, h6. apply Z.leb_le in h3, h4, h5, h7, h8. rewrite forallb_forall in h2.
    constructor; auto.
    - split; [exact h1|]. intros u hu. specialize (h2 u hu). now apply Z.eqb_eq.
    - intros z hz (k & hk). etransitivity; [|exact h8]. unfold carry_at. apply Z.add_le_mono_r.
      apply Z.mul_le_mono_nonneg_l; [exact h5|]. subst z.
      assert (k <= (l_ceiling l - 1) / the_step t p) by (apply Z.div_le_lower_bound; lia). nia.
  Qed.

  (* With carry (a). *)
  Definition check_T10j_quiet (l : load_row) (v : Z) : bool :=
    match l_quiet l with None => false | Some carry => (0 <=? carry) && check_T10j l carry v end.

  Theorem T10j_checked l v : check_load (pool S v) l = true -> check_T10j l (l_carry l) v = true -> reason S a (the_step t) (quiet_of t) F v.
  Proof.
    intros hl h. apply load_sound in hl. unfold check_T10j in h. apply andb_prop in h. destruct h as (ho & h).
    apply Z.leb_le in h. destruct (order_of S (pool S v)) eqn:e; try discriminate.
    eapply by_T10j; [exact e | exact hl | exact h].
  Qed.

  Theorem T10j_quiet_checked l v : check_load (pool S v) l = true -> l_quiet l = quiet_of t (pool S v) -> check_T10j_quiet l v = true ->
    reason S a (the_step t) (quiet_of t) F v.
  Proof.
    intros hl hq h. apply load_sound in hl. unfold check_T10j_quiet in h. destruct (l_quiet l) as [carry|] eqn:ec; [|discriminate].
    apply andb_prop in h. destruct h as (hc & h). apply Z.leb_le in hc. unfold check_T10j in h. apply andb_prop in h. destruct h as (ho & h).
    apply Z.leb_le in h. destruct (order_of S (pool S v)) eqn:e; try discriminate. destruct hl as [h1 h2 h3 h4 h5 h6].
    eapply by_T10j_quiet; [exact e | exact h1 | | symmetry; exact hq | exact hc | exact h].
    unfold utilization_at_most in *. destruct h1 as (P0 & _). nia.
  Qed.

  Theorem T10g_checked l v : check_load (pool S v) l = true -> check_T10g l v = true -> reason S a (the_step t) (quiet_of t) F v.
  Proof.
    intros hl h. apply load_sound in hl. unfold check_T10g in h. destruct (order_of S (pool S v)) eqn:e; try discriminate.
    apply andb_prop in h. destruct h as (hlag & h). apply Z.eqb_eq in hlag. apply Z.leb_le in h.
    eapply by_T10g; [exact e | exact hlag | exact hl | exact h].
  Qed.
End Loads.
