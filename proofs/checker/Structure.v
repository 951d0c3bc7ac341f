(** Is the input a system? Numbers and references, with ancestors in a table that is computed, then checked. *)

From Coq Require Import FMapPositive MSetPositive.
From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Inequality checker.Table checker.Input.

Section Structure.
  Context (t : tables).

  (** Identifiers rise, from 0 or more: no two lines share one. *)
  Fixpoint rising (from : Z) (l : list Z) : bool :=
    match l with
    | [] => true
    | x :: l' => (from <=? x) && rising (x + 1) l'
    end.

  Definition known_node (v : Z) : bool := match look (t_nodes t) v with Some _ => true | None => false end.

  (** The numbers of a node make sense; its DAG and its pool are known; its predecessors come before it, in the same DAG. *)
  Definition check_node (v : Z) : bool :=
    let n := row t v in
    (0 <? look_or 0 (t_dags t) (n_dag n)) && (0 <? p_cap (pool_of t (n_pool n))) && (0 <? p_step (pool_of t (n_pool n))) &&
    (0 <=? n_exec n) && (0 <=? n_last n) && (n_last n <=? n_vol n) && (negb (n_exec n =? 0) || (n_vol n =? 0)) && (n_exec n <=? n_bound n) &&
    forallb (fun q => known_node q && (q <? v) && (n_dag (row t q) =? n_dag n)) (n_preds n).

  (** For every node the set of itself and its ancestors. *)
  Definition compute_ups : table set :=
    fold_left (fun m v => put v (include v (fold_left (fun s q => Set_.union s (look_or Set_.empty m q)) (n_preds (row t v)) Set_.empty)) m)
      (t_ids t) empty.

  Context (ups : table set).

  Definition up (v : Z) : set := look_or Set_.empty ups v.

  Definition check_up (v : Z) : bool :=
    let ps := n_preds (row t v) in
    has (up v) v && forallb (fun q => Set_.subset (up q) (up v)) ps &&
    forallb (fun x => (x =? v) || existsb (fun q => has (up q) x) ps) (members (up v)).

  Definition check_structure : bool := rising 0 (t_ids t) && forallb check_node (t_ids t) && forallb check_up (t_ids t).
End Structure.

Lemma rising_spec from l : rising from l = true -> NoDup l /\ forall x, In x l -> from <= x.
Proof.
  revert from. induction l as [|x l IH]; intros from h; cbn in *; [split; [constructor | easy]|].
  apply andb_prop in h. destruct h as (hx & h). apply Z.leb_le in hx. destruct (IH (x + 1) h) as (nd & hl). split.
  - constructor; [|exact nd]. intros hin. specialize (hl x hin). lia.
  - intros y [->|hy]; [exact hx|]. specialize (hl y hy). lia.
Qed.

Section Sound.
  Context (i : input) (ups : table set).
  Let t := tables_of i.
  Let S := the_system t.
  Let a := the_accounts t.
  Context (ok : check_structure t ups = true).

  Lemma ids_ok : NoDup (t_ids t) /\ forall v, In v (t_ids t) -> 0 <= v.
  Proof. pose proof ok as h. unfold check_structure in h. rewrite !andb_true_iff in h. now apply rising_spec. Qed.

  Lemma known_in q : known_node t q = true -> In q (nodes S).
  Proof.
    unfold known_node. destruct (look (t_nodes t) q) eqn:e; [|discriminate]. intros _.
    apply table_of_in in e; [|apply ids_ok]. cbn. apply in_map_iff. exists (q, n). auto.
  Qed.

  Record node_ok (v : node) : Prop := {
    ok_period : 0 < period S (dag S v);
    ok_cap : 0 < cap a (pool S v);
    ok_lagging : 0 <= lagging a (pool S v);
    ok_step : 0 < the_step t (pool S v);
    ok_numbers : 0 <= exec a v /\ 0 <= last a v <= vol a v /\ (exec a v = 0 -> vol a v = 0);
    ok_bound : exec a v <= bound t v;
    ok_preds : forall q, In q (preds S v) -> In q (nodes S) /\ dag S q = dag S v /\ q < v;
  }.

  Lemma node_is_ok v : In v (nodes S) -> node_ok v.
  Proof.
    intros hv. pose proof ok as h. unfold check_structure in h. rewrite !andb_true_iff in h. destruct h as ((_ & h) & _).
    rewrite forallb_forall in h. specialize (h v hv). unfold check_node in h. rewrite !andb_true_iff in h.
    destruct h as ((((((((h1 & h2) & h3) & h4) & h5) & h6) & h7) & h8) & h9).
    rewrite forallb_forall in h9. apply Z.ltb_lt in h1, h2, h3. apply Z.leb_le in h4, h5, h6, h8.
    constructor; cbn; auto.
    - destruct (p_preemptive (pool_of t (n_pool (row t v)))); lia.
    - split; [auto|]. split; [auto|]. intros e. rewrite e in h7. cbn in h7. now apply Z.eqb_eq.
    - intros q hq. specialize (h9 q hq). rewrite !andb_true_iff in h9. destruct h9 as ((hk & hlt) & hd).
      apply Z.ltb_lt in hlt. apply Z.eqb_eq in hd. repeat split; auto. now apply known_in.
  Qed.

  Theorem structure_sound : well_formed S.
  Proof.
    destruct ids_ok as (nd & nn). constructor; auto.
    - intros v q hv hq. now apply (ok_preds v (node_is_ok v hv)).
    - intros v hv. apply (ok_period v (node_is_ok v hv)).
  Qed.

  Lemma up_ok v : In v (nodes S) -> check_up t ups v = true.
  Proof.
    intros hv. pose proof ok as h. unfold check_structure in h. rewrite !andb_true_iff in h. destruct h as (_ & h).
    rewrite forallb_forall in h. auto.
  Qed.

  (** The table holds all ancestors ... *)
  Lemma up_complete q v : In v (nodes S) -> ancestor_or_self S q v -> has (up ups v) q = true.
  Proof.
    assert (hself : forall x, In x (nodes S) -> has (up ups x) x = true).
    { intros x hx. pose proof (up_ok x hx) as h. unfold check_up in h. rewrite !andb_true_iff in h. tauto. }
    assert (hsub : forall x v, In v (nodes S) -> In x (preds S v) -> Set_.subset (up ups x) (up ups v) = true).
    { intros x y hy hx. pose proof (up_ok y hy) as h. unfold check_up in h. rewrite !andb_true_iff in h.
      destruct h as ((_ & h) & _). rewrite forallb_forall in h. auto. }
    intros hv [->|ha]; [auto|]. revert hv. induction ha as [q v hq | q x v ha IH hx]; intros hv.
    - eapply has_subset; [apply (hsub q v); auto|]. apply hself. now apply (ok_preds v (node_is_ok v hv)).
    - eapply has_subset; [apply (hsub x v); auto|]. apply IH. now apply (ok_preds v (node_is_ok v hv)).
  Qed.

  (** ... and nothing else. *)
  Lemma up_exact x v : In v (nodes S) -> has (up ups v) x = true -> ancestor_or_self S x v.
  Proof.
    intros hv. pose proof (proj2 ids_ok v hv) as v0. revert hv. pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0.
    intros v IH _ hv hx. pose proof (up_ok v hv) as h. unfold check_up in h. rewrite !andb_true_iff in h. destruct h as (_ & h).
    rewrite forallb_forall in h. specialize (h x (proj2 (in_members _ x) hx)). apply orb_prop in h. destruct h as [h|h].
    - apply Z.eqb_eq in h. now left.
    - apply existsb_exists in h. destruct h as (q & hq & hxq).
      destruct (ok_preds v (node_is_ok v hv) q hq) as (hqn & _ & hlt). pose proof (proj2 ids_ok q hqn).
      destruct (IH q ltac:(lia) hqn hxq) as [->|ha]; right; eauto using ancestor.
  Qed.
End Sound.
