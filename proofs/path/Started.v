(** T10d without preemption, from the schedule: what goes on of lower priority while a path waits had started before, at most one piece per
    thread when a node of the path becomes ready, and none on the thread that ended the node before it. docs/theory/path.md, "T10d without
    preemption". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w.

(** Nodes of a path (the last one first) on pool p that come right after another one on p, and those that do not. *)
Definition begins_on (S : system) (p : Z) (l : list node) : bool := match l with [] => false | x :: _ => pool S x =? p end.

Fixpoint fresh (S : system) (p : Z) (l : list node) : list node :=
  match l with [] => [] | q :: l' => if (pool S q =? p) && negb (begins_on S p l') then q :: fresh S p l' else fresh S p l' end.

Fixpoint following (S : system) (p : Z) (l : list node) : list node :=
  match l with [] => [] | q :: l' => if (pool S q =? p) && begins_on S p l' then q :: following S p l' else following S p l' end.

(** What a node meets of lower priority: some pieces that had started before, at most [lagging], up to any c; one fewer where it is ready as soon as a node before it on its pool
    has ended. *)
Definition meets_few (S : system) (h : history) (g : progress) (a : accounts) : Prop := forall q r c, In q (nodes S) -> exists met : list (node * Z),
  Z.of_nat (length met) <= lagging a (pool S q) /\
  (forall x, In x (preds S q) -> pool S x = pool S q -> follows S h r x q -> Z.of_nat (length met) <= Z.max 0 (lagging a (pool S q) - 1)) /\
  forall u r' s, In u (on_pool S (pool S q)) -> s < c -> waits g q r s = true -> 0 < work g u r' s -> lower (order_of S (pool S q)) u r' q r = true ->
    In (u, r') met /\ exists s0, ready S h q r s0 = false /\ pending S h u r' s0 = true.

(** Once it has started it does not wait again. *)
Definition goes_on (S : system) (h : history) (g : progress) (v : node) : Prop := forall r s s',
  pending S h v r s = true -> waits g v r s = false -> s <= s' -> pending S h v r s' = true -> waits g v r s' = false.

(** On m processors, where no more than j count, with these weights all j do, if b of m work on what is of lower priority, all m where a node
    is fresh. *)
Definition counts_for (m j c c1 c2 : Z) : Prop := 0 < j /\ 0 < c /\ 0 <= c2 <= c1 /\ c1 <= c /\
  (forall b, 0 <= b <= m -> c * j <= c * Z.min (m - b) j + c1 * b) /\
  (forall b, 0 <= b <= Z.max 0 (m - 1) -> c * j <= c * Z.min (m - b) j + c2 * b).

(** All that is done, DAG by DAG. *)
Definition in_all (S : system) (v : node) (p : Z) (jobs : Z -> list Z) (W : node -> Z -> Z) : Z :=
  sum (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) (dag S v :: other_dags S v).

(** What is done on p while path l waits there, for y in all: W of what may go before the node that waits; of lower priority B1 while it is
    fresh, else B2. *)
Record started_meanwhile (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim lims lima : node -> option Z) (v : node) (L : Z)
    (l : list node) (p k y : Z) (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W B1 B2 : node -> Z -> Z) : Prop := {
  sm_higher : done_meanwhile S a full F lim v L p k jobs age j0 W;
  sm_started : done_meanwhile S a full F lims v L p k jobs age j0 (fun u j => B1 u j + B2 u j);
  sm_all : done_meanwhile S a full F lima v L p k jobs age j0 (fun u j => W u j + (B1 u j + B2 u j));
  sm_beside : forall u, In u (dag_here S (dag S v) p) -> W u j0 <> 0 -> In u l \/ exists q, In q l /\ pool S q = p /\ beside S q u;
  sm_last : forall u, In u l -> pool S u = p -> W u j0 + k * last a u <= k * vol a u;
  sm_nonneg : forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> 0 <= B1 u j /\ 0 <= B2 u j;
  sm_lower : forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> B1 u j + B2 u j <> 0 -> exists q, In q l /\ pool S q = p /\
    may_lag S q u = true /\ k * lag_floor S F q u < - age j <= k * ready_bound S F q /\
    (dag S u = dag S v -> j = j0 -> u <> q /\ ~ ancestor S u q /\ ~ ancestor S q u);
  sm_few : exists L1 L2 : list (node * Z),
    Z.of_nat (length L1) <= lagging a p * Z.of_nat (length (fresh S p l)) /\
    Z.of_nat (length L2) <= Z.max 0 (lagging a p - 1) * Z.of_nat (length (following S p l)) /\
    forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> (B1 u j <> 0 -> In (u, j) L1) /\ (B2 u j <> 0 -> In (u, j) L2);
  sm_waits : cap a p * y <= in_all S v p jobs W + in_all S v p jobs B1 + in_all S v p jobs B2;
  (* where no more than j processors count of each job: Q U of nodes U of it *)
  sm_fewer : full p = true -> forall m c c1 c2, counts_for (cap a p) m c c1 c2 -> exists Q : list node -> Z -> Z,
    (forall d U j, In d (dag S v :: other_dags S v) -> incl U (dag_here S d p) -> In j (jobs d) -> 0 <= Q U j <= sum (fun u => W u j) U) /\
    (forall d U j FU, In d (dag S v :: other_dags S v) -> incl U (dag_here S d p) -> In j (jobs d) -> (forall u, In u U -> F u <= FU) ->
       Q U j <= m * overlap (k * FU) (k * L) (age j)) /\
    (forall d Us j, In d (dag S v :: other_dags S v) -> (forall U, In U Us -> incl U (dag_here S d p)) ->
       (forall u, In u (dag_here S d p) -> exists U, In U Us /\ In u U) -> In j (jobs d) -> Q (dag_here S d p) j <= sum (fun U => Q U j) Us) /\
    c * (m * y) <= c * sum (fun d => sum (Q (dag_here S d p)) (jobs d)) (dag S v :: other_dags S v)
      + c1 * in_all S v p jobs B1 + c2 * in_all S v p jobs B2;
}.

Arguments sm_higher {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.
Arguments sm_started {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.
Arguments sm_all {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.
Arguments sm_beside {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.
Arguments sm_last {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.
Arguments sm_nonneg {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.
Arguments sm_lower {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.
Arguments sm_few {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.
Arguments sm_waits {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.
Arguments sm_fewer {S a full F lim lims lima v L l p k y jobs age j0 W B1 B2}.

Lemma fresh_or_following S p l q : In q l -> pool S q = p -> In q (fresh S p l) \/ In q (following S p l).
Proof.
  induction l as [|x l IH]; [easy|]. intros [->|hq] hp; cbn [fresh following].
  - rewrite (proj2 (Z.eqb_eq _ _) hp). destruct (begins_on S p l); cbn [andb negb]; [right; now left | left; now left].
  - destruct (IH hq hp) as [h|h]; [left | right]; destruct (pool S x =? p), (begins_on S p l); cbn [andb negb]; auto; now right.
Qed.

Lemma fresh_facts S p l q : In q (fresh S p l) -> In q l /\ pool S q = p.
Proof.
  induction l as [|x l IH]; [easy|]. cbn [fresh]. destruct (Z.eqb_spec (pool S x) p) as [e|]; cbn [andb]; [|intros hq; destruct (IH hq); split; [now right | auto]].
  destruct (begins_on S p l); cbn [negb]; [intros hq; destruct (IH hq); split; [now right | auto]|].
  intros [<-|hq]; [split; [now left | auto] | destruct (IH hq); split; [now right | auto]].
Qed.

Lemma following_facts S p l q : In q (following S p l) -> In q l /\ pool S q = p.
Proof.
  induction l as [|x l IH]; [easy|]. cbn [following]. destruct (Z.eqb_spec (pool S x) p) as [e|]; cbn [andb]; [|intros hq; destruct (IH hq); split; [now right | auto]].
  destruct (begins_on S p l); [|intros hq; destruct (IH hq); split; [now right | auto]].
  intros [<-|hq]; [split; [now left | auto] | destruct (IH hq); split; [now right | auto]].
Qed.

Lemma not_both S p l q : NoDup l -> In q (fresh S p l) -> In q (following S p l) -> False.
Proof.
  induction l as [|x l IH]; [easy|]. intros nd. inversion nd; subst. cbn [fresh following].
  destruct ((pool S x =? p)), (begins_on S p l); cbn [andb negb]; intros h1 h2; auto.
  - destruct h2 as [<-|h2]; [apply fresh_facts in h1; tauto | auto].
  - destruct h1 as [<-|h1]; [apply following_facts in h2; tauto | auto].
Qed.

(** A node of a walked path that follows one on its pool is ready as soon as that has ended. *)
Lemma following_walked S h r p l v q : path S l v -> walked S h r l -> In q (following S p l) ->
  exists x, In x (preds S q) /\ pool S x = pool S q /\ follows S h r x q.
Proof.
  intros hl. induction hl as [v hv | l x v hl IH hx].
  - cbn [following]. rewrite andb_false_r. easy.
  - intros hw hq. cbn [following] in hq. destruct hl as [y hy | l' x' y hl' hx']; cbn [begins_on walked] in *; destruct hw as (hf & hw);
      destruct (Z.eqb_spec (pool S v) p) as [e1|], (Z.eqb_spec (pool S y) p) as [e2|]; cbn [andb] in hq; try (now apply IH);
      (destruct hq as [<-|hq]; [exists y; split; [exact hx | split; [congruence | exact hf]] | now apply IH]).
Qed.

(** Beyond where it was walked it goes on. *)
Lemma following_app S p k l q : NoDup (k ++ l) -> In q l -> In q (following S p (k ++ l)) -> In q (following S p l).
Proof.
  induction k as [|x k IH]; [auto|]. cbn [app following]. intros nd hq hin. inversion nd; subst.
  destruct ((pool S x =? p) && begins_on S p (k ++ l)); [|now apply IH]. destruct hin as [->|hin]; [|now apply IH].
  exfalso. apply H1. apply in_app_iff. now right.
Qed.

Lemma existsb_alone (P : node -> bool) c y : (forall y', In y' c -> P y' = true -> y' = y) ->
  (In y c -> existsb P c = P y) /\ (~ In y c -> existsb P c = false).
Proof.
  intros halone. split; intros hy.
  - destruct (P y) eqn:hP; [apply existsb_exists; eauto|]. destruct (existsb P c) eqn:he; [|reflexivity]. apply existsb_exists in he.
    destruct he as (y' & h1 & h2). rewrite (halone y' h1 h2) in h2. congruence.
  - destruct (existsb P c) eqn:he; [|reflexivity]. apply existsb_exists in he. destruct he as (y' & h1 & h2). rewrite (halone y' h1 h2) in h1. contradiction.
Qed.

Lemma done_le S a full F lim lim' v L p k jobs age j0 (W W' : node -> Z -> Z) : done_meanwhile S a full F lim v L p k jobs age j0 W ->
  (forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> 0 <= W' u j <= W u j) ->
  (forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> W' u j <> 0 -> match lim' u with None => False | Some x => - age j <= k * x end) ->
  done_meanwhile S a full F lim' v L p k jobs age j0 W'.
Proof.
  intros [d1 d2 d3 d4 d5 d6] hle hlim.
  assert (hsum : forall c d j FU, (forall u, In u c -> In u (dag_here S d p) /\ F u <= FU) -> In j (jobs d) -> sum (fun u => W' u j) c <= sum (fun u => W u j) c).
  { intros c d j FU hin hj. apply sum_le. intros u hu. destruct (hin u hu) as (hud & _). apply in_dag_here in hud. destruct hud as (hun & hd & hup).
    apply hle; [now apply in_on_pool | now rewrite hd]. }
  constructor; auto.
  - intros u j hu hj. specialize (d3 u j hu hj). specialize (hle u j hu hj). lia.
  - intros u j hu hj hne. specialize (hle u j hu hj). split; [apply (d4 u j hu hj); lia | now apply hlim].
  - intros hf c d j FU hd hc hin hj. etransitivity; [now apply (hsum c d j FU) | now apply (d5 hf c d)].
  - intros hf c d j FU hd hc hin hj. etransitivity; [now apply (hsum c d j FU) | now apply (d6 hf c d)].
Qed.

Lemma min_sum_le {A} (f : A -> Z) l m : 0 <= m -> (forall x, In x l -> 0 <= f x) -> Z.min (sum f l) m <= sum (fun x => Z.min (f x) m) l.
Proof.
  intros hm. induction l as [|x l IH]; cbn [sum]; intros h0; [lia|]. specialize (IH (fun y hy => h0 y (or_intror hy))).
  pose proof (h0 x (or_introl eq_refl)). pose proof (sum_nonneg f l (fun y hy => h0 y (or_intror hy))).
  pose proof (sum_nonneg (fun x => Z.min (f x) m) l) as h1. specialize (h1 ltac:(intros y hy; specialize (h0 y (or_intror hy)); lia)). lia.
Qed.

(** Sums over all node jobs of a pool are sums DAG by DAG. *)
Lemma by_dags S h v p t (f : node -> Z -> Z) : In v (nodes S) ->
  (forall u r', In u (on_pool S p) -> f u r' <> 0 -> released h (dag S u) r' = true) ->
  sum (fun u => sum (f u) (range 0 (t + 1))) (on_pool S p) = in_all S v p (jobs_by h t) f.
Proof.
  intros hv hrel. unfold in_all. transitivity (sum (fun u => sum (f u) (jobs_by h t (dag S u))) (on_pool S p)).
  - apply sum_eq. intros u hu. unfold jobs_by. rewrite sum_filter. apply sum_eq. intros r' _.
    destruct (released h (dag S u) r') eqn:he; cbn [ind]; [lia|]. destruct (Z.eq_dec (f u r') 0) as [|hne]; [lia|].
    rewrite (hrel u r' hu hne) in he. discriminate.
  - unfold on_pool. rewrite sum_filter, (sum_by_dag S v _ hv). cbn [sum]. unfold dag_here. f_equal.
    + rewrite sum_filter. apply sum_eq. intros u hu. apply in_dag_nodes in hu. destruct hu as (_ & ->). reflexivity.
    + apply sum_eq. intros d _. rewrite sum_filter. apply sum_eq. intros u hu. apply in_dag_nodes in hu. destruct hu as (_ & ->). reflexivity.
Qed.

Section Schedule.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a) (hfew : meets_few S h g a).
  Context (full : Z -> bool) (hfull : forall p, full p = true -> of_processors S a p /\ forall s, rate S g p s <= cap a p).
  Context (hlag : forall p, full p = true -> lagging a p <= cap a p).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true) (met : met_before S h F v r).

  (* Walked back from r + Fv; looked at up to b. *)
  Context (Fv b : Z) (hFv : 0 <= Fv) (hb : r <= b <= r + F v) (hb' : b <= r + Fv + 1).
  Context (l : list node) (x : node) (hl : path S l x) (hx : ancestor_or_self S x v) (hwalked : walked S h r l).
  Context (cover : forall s, r <= s <= r + Fv -> exists y, In y l /\ pending S h y r s = true).
  Context (k : list node) (hl' : path S (k ++ l) v).
  Let l' := k ++ l.
  Let t := r + F v.

  Context (lim lims lima : node -> option Z) (hlim : limits_sound S h g F v lim).
  Context (hlims : forall q u, ancestor_or_self S q v -> In u (nodes S) -> pool S u = pool S q -> may_lag S q u = true ->
    limit_le (Some (ready_bound S F q)) (lims u)).
  Context (hlima : forall u, limit_le (lim u) (lima u) /\ limit_le (lims u) (lima u)).
  Context (p : Z).

  Let higher := path_waits_for S g r l'.
  Definition lower_of (c : list node) (u r' s : Z) : bool :=
    existsb (fun y => (pool S y =? pool S u) && waits g y r s && lower (order_of S (pool S y)) u r' y r) c.
  Let low1 := lower_of (fresh S p l').
  Let low2 := lower_of (following S p l').

  Lemma on_path q : In q l' -> In q (nodes S) /\ dag S q = dag S v /\ ancestor_or_self S q v.
  Proof.
    intros hq. destruct (path_nodes S l' v wf hv hl' q hq) as (h1 & h2). split; [exact h1|]. split; [exact h2|].
    now apply (path_ancestors S l' v hl').
  Qed.

  Lemma waits_alone y y' s : In y l' -> In y' l' -> waits g y r s = true -> waits g y' r s = true -> y' = y.
  Proof.
    intros hy hy' h1 h2. destruct (on_path y hy) as (hn & _), (on_path y' hy') as (hn' & _).
    apply (pending_alone S h lg y' y r s); [now apply (path_comparable S l' v hl') | now apply (law_waits laws) | now apply (law_waits laws)].
  Qed.

  (** Where y waits: what may go before it, and what is of lower priority. *)
  Lemma where_waits y s u r' : In y l' -> pool S y = p -> waits g y r s = true -> pool S u = p ->
    higher u r' s = negb (lower (order_of S p) u r' y r) /\
    low1 u r' s = (if in_dec Z.eq_dec y (fresh S p l') then lower (order_of S p) u r' y r else false) /\
    low2 u r' s = (if in_dec Z.eq_dec y (following S p l') then lower (order_of S p) u r' y r else false).
  Proof.
    intros hy hyp hw hup.
    assert (h1 : forall c (P : bool -> bool), incl c l' ->
      (In y c -> existsb (fun z => (pool S z =? pool S u) && waits g z r s && P (lower (order_of S (pool S z)) u r' z r)) c = P (lower (order_of S p) u r' y r)) /\
      (~ In y c -> existsb (fun z => (pool S z =? pool S u) && waits g z r s && P (lower (order_of S (pool S z)) u r' z r)) c = false)).
    { intros c P hc. destruct (existsb_alone (fun z => (pool S z =? pool S u) && waits g z r s && P (lower (order_of S (pool S z)) u r' z r)) c y) as (e1 & e2).
      - intros y' hy' he. rewrite !andb_true_iff in he. apply (waits_alone y y' s); auto. tauto.
      - split; [|exact e2]. intros hin. rewrite (e1 hin), hyp, hup, Z.eqb_refl, hw. reflexivity. }
    split; [|split].
    - apply (h1 l' negb); [apply incl_refl | exact hy].
    - destruct (h1 (fresh S p l') (fun z => z)) as (e1 & e2); [intros z hz; now apply fresh_facts in hz|]. destruct (in_dec _ _ _); auto.
    - destruct (h1 (following S p l') (fun z => z)) as (e1 & e2); [intros z hz; now apply following_facts in hz|]. destruct (in_dec _ _ _); auto.
  Qed.

  (** Where none does. *)
  Lemma where_none s u r' : pool S u = p -> path_waits S g r l' p s = false -> higher u r' s = false /\ low1 u r' s = false /\ low2 u r' s = false.
  Proof.
    intros hup hno.
    assert (h1 : forall c P, incl c l' -> existsb (fun z => (pool S z =? pool S u) && waits g z r s && P z) c = false).
    { intros c P hc. destruct (existsb _ c) eqn:he; [|reflexivity]. apply existsb_exists in he. destruct he as (z & hz & he).
      rewrite !andb_true_iff in he. exfalso. enough (path_waits S g r l' p s = true) by congruence. apply existsb_exists. exists z.
      split; [now apply hc|]. rewrite hup in he. apply andb_true_iff. tauto. }
    split; [apply (h1 l' (fun z => negb (lower (order_of S (pool S z)) u r' z r))), incl_refl|]. split.
    - apply (h1 (fresh S p l') (fun z => lower (order_of S (pool S z)) u r' z r)). intros z hz; now apply fresh_facts in hz.
    - apply (h1 (following S p l') (fun z => lower (order_of S (pool S z)) u r' z r)). intros z hz; now apply following_facts in hz.
  Qed.

  Lemma path_alone : NoDup l'.
  Proof. exact (path_nodup S l' v wf hv hl'). Qed.

  (** Together. *)
  Lemma three_ways s u r' : pool S u = p ->
    ind (higher u r' s) + (ind (low1 u r' s) + ind (low2 u r' s)) = ind (path_waits S g r l' p s).
  Proof.
    intros hup. destruct (path_waits S g r l' p s) eqn:hw.
    - apply existsb_exists in hw. destruct hw as (y & hy & hw). apply andb_prop in hw. destruct hw as (hyp & hw). apply Z.eqb_eq in hyp.
      destruct (where_waits y s u r' hy hyp hw hup) as (-> & -> & ->).
      destruct (fresh_or_following S p l' y hy hyp) as [hin|hin];
        destruct (in_dec Z.eq_dec y (fresh S p l')) as [h1|h1], (in_dec Z.eq_dec y (following S p l')) as [h2|h2]; try contradiction;
        try (exfalso; exact (not_both S p l' y path_alone h1 h2)); destruct (lower (order_of S p) u r' y r); reflexivity.
    - destruct (where_none s u r' hup hw) as (-> & -> & ->). reflexivity.
  Qed.

  (** A piece of lower priority, and when it was released. *)
  Lemma piece_facts c u r' s : incl c l' -> In u (on_pool S p) -> r <= s < b -> lower_of c u r' s = true -> 0 < work g u r' s ->
    exists q, In q c /\ pool S q = p /\ waits g q r s = true /\ lower (order_of S p) u r' q r = true /\
      may_lag S q u = true /\ lag_floor S F q u < r' - r <= ready_bound S F q /\ (r' = r -> dag S u = dag S v -> u <> q /\ ~ ancestor S u q /\ ~ ancestor S q u).
  Proof.
    intros hc hu hs hlow hwk. apply in_on_pool in hu. destruct hu as (hun & hup). apply existsb_exists in hlow. destruct hlow as (q & hq & hlow).
    rewrite !andb_true_iff in hlow. destruct hlow as ((hqp & hw) & hlow). apply Z.eqb_eq in hqp. exists q. split; [exact hq|].
    assert (hqp' : pool S q = p) by congruence. split; [exact hqp'|]. split; [exact hw|]. rewrite hqp' in hlow. split; [exact hlow|].
    destruct (on_path q (hc q hq)) as (hqn & hqd & _). pose proof (law_waits laws q r s hqn hw) as hpq.
    destruct (in_time S h g a lg laws F v r met b hb u r' s hun hs hwk) as (hrs & hpu & hrel & hr0).
    pose proof (proj1 (pending_spec S h q r s) hpq) as (hreq & _).
    pose proof (ready_by S h wf lg F v r met q s hqn hreq ltac:(lia)) as hrb.
    (* it had started before q was ready *)
    assert (hold : r' - r <= ready_bound S F q).
    { destruct (hfew q r b hqn) as (few & _ & _ & hpieces). destruct (hpieces u r' s) as (_ & s0 & h1 & h2); auto; [apply in_on_pool; auto; congruence | lia | congruence|].
      pose proof (pending_released S h lg u r' s0 h2) as (_ & h3). destruct (Z_le_gt_dec s0 (r + ready_bound S F q)) as [|hgt]; [lia|]. exfalso.
      pose proof (ready_bound_nonneg S F q). rewrite (ready_stays S h lg q r _ s0 hrb) in h1 by lia. discriminate. }
    split; [unfold may_lag, lower in *; rewrite hqp'; destruct (order_of S p); auto; discriminate|]. split; [split; [|exact hold]|].
    - unfold lag_floor, lower in *. rewrite hqp'. destruct (order_of S p) as [|Y|pi|pi]; lia.
    - intros -> hd. assert (hno : forall z1 z2, In z2 (nodes S) -> ancestor S z1 z2 -> pending S h z1 r s = true -> pending S h z2 r s = true -> False).
      { intros z1 z2 hz2 ha h1 h2. assert (z1 = z2) as -> by (apply (pending_alone S h lg z1 z2 r s); auto).
        destruct (ancestor_facts S z2 z2 wf hz2 ha) as (_ & _ & ?). lia. }
      split; [intros ->; rewrite not_lower_itself in hlow; discriminate|]. split; intros ha; [now apply (hno u q) | now apply (hno q u)].
  Qed.

  Lemma pieces_of c bound : incl c l' -> (forall q, In q c -> pool S q = p) ->
    (forall q, In q c -> exists few : list (node * Z), Z.of_nat (length few) <= bound /\
       forall u r' s, In u (on_pool S p) -> r <= s < b -> waits g q r s = true -> 0 < work g u r' s -> lower (order_of S p) u r' q r = true -> In (u, r') few) ->
    exists all : list (node * Z), Z.of_nat (length all) <= bound * Z.of_nat (length c) /\
      forall u r' s, In u (on_pool S p) -> r <= s < b -> lower_of c u r' s = true -> 0 < work g u r' s -> In (u, r') all.
  Proof.
    clear hlims. induction c as [|q c IH]; intros hc hp hfew'.
    - exists []. split; [cbn; lia|]. intros u r' s _ _ hlow. discriminate.
    - destruct IH as (all & h1 & h2); [intros z hz; apply hc; now right | intros z hz; apply hp; now right | intros z hz; apply hfew'; now right|].
      destruct (hfew' q (or_introl eq_refl)) as (few & h3 & h4). exists (few ++ all). split; [rewrite app_length; cbn [length]; nia|].
      intros u r' s hu hs hlow hwk. apply in_app_iff. unfold lower_of in hlow. cbn [existsb] in hlow. apply orb_prop in hlow. destruct hlow as [hlow|hlow].
      + left. rewrite !andb_true_iff in hlow. destruct hlow as ((_ & hw) & hlow). rewrite (hp q (or_introl eq_refl)) in hlow. now apply (h4 u r' s).
      + right. now apply (h2 u r' s).
  Qed.

  Lemma few_fresh : exists all : list (node * Z), Z.of_nat (length all) <= lagging a p * Z.of_nat (length (fresh S p l')) /\
    forall u r' s, In u (on_pool S p) -> r <= s < b -> low1 u r' s = true -> 0 < work g u r' s -> In (u, r') all.
  Proof.
    apply pieces_of; [intros q hq; now apply fresh_facts in hq | intros q hq; now apply fresh_facts in hq|]. intros q hq.
    apply fresh_facts in hq. destruct hq as (hq & hqp). destruct (on_path q hq) as (hqn & _). destruct (hfew q r b hqn) as (few & h1 & _ & h2).
    exists few. rewrite hqp in *. split; [exact h1|]. intros u r' s hu hs hw hwk hlow. now apply (h2 u r' s); [| lia | | |].
  Qed.

  Lemma few_at q : In q (following S p l') -> exists few : list (node * Z), Z.of_nat (length few) <= Z.max 0 (lagging a p - 1) /\
    forall u r' s, In u (on_pool S p) -> r <= s < b -> waits g q r s = true -> 0 < work g u r' s -> lower (order_of S p) u r' q r = true -> In (u, r') few.
  Proof.
    intros hq. destruct (following_facts S p l' q hq) as (hql & hqp). destruct (on_path q hql) as (hqn & _).
    destruct (in_dec Z.eq_dec q l) as [hin|hout].
    - pose proof (following_app S p k l q path_alone hin hq) as hq'. destruct (following_walked S h r p l x q hl hwalked hq') as (z & hz1 & hz2 & hz3).
      destruct (hfew q r b hqn) as (few & _ & h1 & h2). exists few. rewrite hqp in *. split; [now apply (h1 z)|].
      intros u r' s hu hs hw hwk hlow. now apply (h2 u r' s); [| lia | | |].
    - exists []. split; [cbn; lia|]. intros u r' s _ hs hw _ _. exfalso. destruct (cover s ltac:(lia)) as (y & hy & hpy).
      assert (hyl : In y l') by (apply in_app_iff; now right). pose proof (law_waits laws q r s hqn hw) as hpq.
      assert (q = y) as -> by (apply (pending_alone S h lg q y r s); auto; apply (path_comparable S l' v hl'); auto). contradiction.
  Qed.

  Lemma few_following : exists all : list (node * Z), Z.of_nat (length all) <= Z.max 0 (lagging a p - 1) * Z.of_nat (length (following S p l')) /\
    forall u r' s, In u (on_pool S p) -> r <= s < b -> low2 u r' s = true -> 0 < work g u r' s -> In (u, r') all.
  Proof.
    apply pieces_of; [intros q hq; now apply following_facts in hq | intros q hq; now apply following_facts in hq | exact few_at].
  Qed.

  (* Of one tick, by what is looked at. *)
  Let at_tick (sel : node -> Z -> Z -> bool) (s : Z) : Z := sum (fun u => sum (fun r' => ind (sel u r' s) * work g u r' s) (range 0 (t + 1))) (on_pool S p).

  Lemma at_tick_nonneg sel s : 0 <= at_tick sel s.
  Proof.
    apply sum_nonneg. intros u hu. apply in_on_pool in hu. apply sum_nonneg. intros r' _. pose proof (law_work laws u r' s ltac:(tauto)).
    pose proof (ind_range (sel u r' s)). nia.
  Qed.

  Lemma tick_rate s : r <= s < b -> path_waits S g r l' p s = true ->
    at_tick higher s + at_tick low1 s + at_tick low2 s = rate S g p s /\ cap a p <= rate S g p s.
  Proof.
    intros hs hw. pose proof (legal_start lg _ _ hr) as hr0. split.
    - unfold at_tick. rewrite <- !sum_add. apply sum_eq. intros u hu. pose proof hu as hu'. apply in_on_pool in hu'. destruct hu' as (hun & hup).
      rewrite <- !sum_add. rewrite (sum_eq _ (fun r' => work g u r' s)).
      + rewrite (sum_range_split _ 0 (s + 1) (t + 1)) by (unfold t; lia). rewrite (sum_zero (fun r' => work g u r' s) (range (s + 1) (t + 1))); [lia|].
        intros r' hr'. rewrite in_range in hr'. apply (no_work_unless_pending _ S h g a laws); auto. destruct (pending S h u r' s) eqn:hp; [|reflexivity].
        pose proof (pending_released S h lg u r' s hp) as (_ & ?). lia.
      + intros r' _. pose proof (three_ways s u r' hup) as h3. rewrite hw in h3. cbn [ind] in h3. nia.
    - apply existsb_exists in hw. destruct hw as (y & hy & hw). apply andb_prop in hw. destruct hw as (hyp & hw). apply Z.eqb_eq in hyp.
      destruct (on_path y hy) as (hyn & _). pose proof (law_rate laws y r s hyn hw) as hra. now rewrite hyp in hra.
  Qed.

  (* All of it is of a node that is fresh, or of one that is not: then fewer pieces go on. *)
  Lemma tick_few s : r <= s < b -> path_waits S g r l' p s = true -> full p = true ->
    at_tick low2 s = 0 \/ (at_tick low1 s = 0 /\ at_tick low2 s <= Z.max 0 (lagging a p - 1)).
  Proof.
    intros hs hw hproc. apply existsb_exists in hw. destruct hw as (y & hy & hw). apply andb_prop in hw. destruct hw as (hyp & hw). apply Z.eqb_eq in hyp.
    destruct (in_dec Z.eq_dec y (following S p l')) as [hin|hout].
    - right. split.
      + apply sum_zero. intros u hu. apply in_on_pool in hu. apply sum_zero. intros r' _.
        destruct (where_waits y s u r' hy hyp hw ltac:(tauto)) as (_ & -> & _). destruct (in_dec _ _ _) as [h1|]; [exfalso; exact (not_both S p l' y path_alone h1 hin)|].
        cbn [ind]. lia.
      + destruct (few_at y hin) as (few & h1 & h2). etransitivity; [|exact h1].
        transitivity (sum (fun ur : node * Z => ind (low2 (fst ur) (snd ur) s && (0 <? work g (fst ur) (snd ur) s))) (list_prod (on_pool S p) (range 0 (t + 1)))).
        * rewrite sum_prod. apply sum_le. intros u hu. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). apply sum_le. intros r' _. cbn [fst snd].
          pose proof (law_work laws u r' s hun) as h0. pose proof (law_width laws u r' s hun) as hwid. destruct (hfull p hproc) as (hpr & _).
          destruct (hpr u hu) as (hvol & _). rewrite hvol in hwid. pose proof (law_numbers laws u hun) as (he & _ & hz).
          destruct (low2 u r' s); cbn [andb ind]; [|lia]. destruct (Z.ltb_spec 0 (work g u r' s)); cbn [ind]; [|lia].
          destruct (Z.eq_dec (exec a u) 0) as [e0|]; [|nia]. rewrite (no_work_if_empty _ S h g a laws u r' s hun (hz e0)) in *. lia.
        * rewrite sum_length. apply Nat2Z.inj_le, NoDup_incl_length; [apply NoDup_filter, nodup_prod; [apply NoDup_filter, (wf_nodup wf) | apply range_nodup]|].
          intros (u, r') hur. apply filter_In in hur. cbn [fst snd] in hur. destruct hur as (hur & hc). apply in_prod_iff in hur. destruct hur as (hu & _).
          apply andb_prop in hc. destruct hc as (hlow & hwk). apply Z.ltb_lt in hwk. apply (h2 u r' s hu hs hw hwk).
          pose proof (proj1 (in_on_pool S p u) hu) as (_ & hup). destruct (where_waits y s u r' hy hyp hw hup) as (_ & _ & e2). rewrite hlow in e2.
          destruct (in_dec _ _ _); [auto | discriminate].
    - left. apply sum_zero. intros u hu. apply in_on_pool in hu. apply sum_zero. intros r' _.
      destruct (where_waits y s u r' hy hyp hw ltac:(tauto)) as (_ & _ & ->). destruct (in_dec _ _ _); [contradiction | cbn [ind]; lia].
  Qed.

  Let jobs := jobs_by h t.
  Let W := seen_work g r b higher.
  Let B1 := seen_work g r b low1.
  Let B2 := seen_work g r b low2.
  Let y := sum (fun s => ind (path_waits S g r l' p s)) (range r b).

  Lemma all_by_ticks sel : sum (at_tick sel) (range r b) = in_all S v p jobs (seen_work g r b sel).
  Proof.
    unfold jobs. rewrite <- (by_dags S h v p t (seen_work g r b sel) hv).
    - unfold at_tick. rewrite (sum_exchange (fun s u => sum (fun r' => ind (sel u r' s) * work g u r' s) (range 0 (t + 1)))). apply sum_eq. intros u _.
      apply (sum_exchange (fun s r' => ind (sel u r' s) * work g u r' s)).
    - intros u r' hu hne. apply in_on_pool in hu. destruct hu as (hun & _). destruct (seen_at S h g a laws r b sel u r' hun hne) as (s & hs & _ & hwk).
      now apply (in_time S h g a lg laws F v r met b hb u r' s).
  Qed.

  Lemma tick_by_dags sel s : r <= s < b -> at_tick sel s = in_all S v p jobs (fun u r' => ind (sel u r' s) * work g u r' s).
  Proof.
    intros hs. unfold jobs. apply (by_dags S h v p t _ hv). intros u r' hu hne. apply in_on_pool in hu. destruct hu as (hun & _).
    pose proof (law_work laws u r' s hun). apply (in_time S h g a lg laws F v r met b hb u r' s); auto. pose proof (ind_range (sel u r' s)). nia.
  Qed.

  Definition of_job (m : Z) (U : list node) (j : Z) : Z := sum (fun s => Z.min (sum (fun u => ind (higher u j s) * work g u j s) U) m) (range r b).

  Let seen := fun (_ : node) (_ s : Z) => path_waits S g r l' p s.

  Lemma all_seen u j : In u (on_pool S p) -> W u j + (B1 u j + B2 u j) = seen_work g r b seen u j.
  Proof.
    intros hu. apply in_on_pool in hu. destruct hu as (_ & hup). unfold W, B1, B2, seen_work. rewrite <- !sum_add. apply sum_eq. intros s _.
    unfold seen. rewrite <- (three_ways s u j hup). ring.
  Qed.

  Lemma parts_nonneg u j : In u (on_pool S p) -> 0 <= W u j /\ 0 <= B1 u j /\ 0 <= B2 u j.
  Proof. intros hu. apply in_on_pool in hu. destruct hu as (hun & _). repeat split; now apply (seen_work_nonneg S h g a laws). Qed.

  Lemma low_piece u j : In u (on_pool S p) -> B1 u j + B2 u j <> 0 -> exists c s, incl c l' /\ r <= s < b /\ lower_of c u j s = true /\ 0 < work g u j s.
  Proof.
    intros hu hne. destruct (parts_nonneg u j hu) as (_ & h1 & h2). apply in_on_pool in hu. destruct hu as (hun & _).
    destruct (Z.eq_dec (B1 u j) 0) as [e|hne1].
    - destruct (seen_at S h g a laws r b low2 u j hun ltac:(unfold B2 in *; lia)) as (s & hs & hsee & hwk). exists (following S p l'), s.
      split; [intros z hz; now apply following_facts in hz | auto].
    - destruct (seen_at S h g a laws r b low1 u j hun hne1) as (s & hs & hsee & hwk). exists (fresh S p l'), s.
      split; [intros z hz; now apply fresh_facts in hz | auto].
  Qed.

  Lemma low_within u j : In u (on_pool S p) -> B1 u j + B2 u j <> 0 -> within (lims u) (j - r).
  Proof.
    intros hu hne. destruct (low_piece u j hu hne) as (c & s & hc & hs & hlow & hwk).
    destruct (piece_facts c u j s hc hu hs hlow hwk) as (q & hq & hqp & _ & _ & hml & hfl & _). apply in_on_pool in hu. destruct hu as (hun & hup).
    destruct (on_path q (hc q hq)) as (_ & _ & hqa). pose proof (hlims q u hqa hun ltac:(congruence) hml) as h5.
    eapply within_le; [|exact h5]. cbn [within]. lia.
  Qed.

  Lemma high_within u j : In u (on_pool S p) -> W u j <> 0 -> within (lim u) (j - r).
  Proof.
    intros hu hne. apply in_on_pool in hu. destruct hu as (hun & _). destruct (seen_at S h g a laws r b higher u j hun hne) as (s & hs & hh & hwk).
    destruct (path_waits_for_spec S h g a wf lg laws v r Fv l x hl hx cover l' v hl' hv ltac:(intros z hz; apply in_app_iff; now right) u j s ltac:(lia) hh) as (q & hq & hqp & hqw & hqlow & hqa).
    apply (hlim r met q u j s); auto. lia.
  Qed.

  Lemma within_age o j : within o (j - r) -> match o with None => False | Some z => - (r - j) <= 1 * z end.
  Proof. clear. destruct o; cbn [within]; [lia | auto]. Qed.

  Lemma done_all : done_meanwhile S a full F lima v (b - r) p 1 jobs (fun r' => r - r') r (fun u j => W u j + (B1 u j + B2 u j)).
  Proof.
    assert (hlimit : forall u j, In u (on_pool S p) -> W u j + (B1 u j + B2 u j) <> 0 -> within (lima u) (j - r)).
    { intros u j hu hne. destruct (hlima u) as (e1 & e2). destruct (Z.eq_dec (W u j) 0) as [e|hneW].
      - exact (within_le _ _ _ (low_within u j hu ltac:(lia)) e2).
      - exact (within_le _ _ _ (high_within u j hu hneW) e1). }
    assert (hd : done_meanwhile S a full F lima v (b - r) p 1 jobs (fun r' => r - r') r (seen_work g r b seen)).
    { apply (done_in_window S h g a wf lg laws full hfull F v r hv hr met b hb p seen lima). intros u r' s hu hs hw hwk.
      apply hlimit; [exact hu|]. rewrite (all_seen u r' hu). pose proof (proj1 (in_on_pool S p u) hu) as (hun & _).
      enough (ind (seen u r' s) * work g u r' s <= seen_work g r b seen u r') by (rewrite hw in *; cbn [ind] in *; lia).
      apply (sum_in (fun s => ind (seen u r' s) * work g u r' s)); [|now apply in_range]. intros z _. now apply (seen_nonneg S h g a laws). }
    apply (done_le S a full F lima lima v (b - r) p 1 jobs (fun r' => r - r') r _ _ hd).
    - intros u j hu _. destruct (parts_nonneg u j hu) as (h1 & h2 & h3). rewrite (all_seen u j hu) in *. pose proof (all_seen u j hu). lia.
    - intros u j hu _ hne. apply within_age. now apply hlimit.
  Qed.

  Lemma W_job (sel : node -> Z -> Z -> bool) U j : sum (fun u => seen_work g r b sel u j) U = sum (fun s => sum (fun u => ind (sel u j s) * work g u j s) U) (range r b).
  Proof. apply (sum_exchange (fun u s => ind (sel u j s) * work g u j s)). Qed.

  Theorem started_in_window : started_meanwhile S a full F lim lims lima v (b - r) l' p 1 y jobs (fun r' => r - r') r W B1 B2.
  Proof.
    constructor.
    - apply (done_le S a full F lima lim v (b - r) p 1 jobs (fun r' => r - r') r _ _ done_all).
      + intros u j hu _. destruct (parts_nonneg u j hu). lia.
      + intros u j hu _ hne. apply within_age. exact (high_within u j hu hne).
    - apply (done_le S a full F lima lims v (b - r) p 1 jobs (fun r' => r - r') r _ _ done_all).
      + intros u j hu _. destruct (parts_nonneg u j hu) as (? & ? & ?). lia.
      + intros u j hu _ hne. apply within_age. exact (low_within u j hu hne).
    - exact done_all.
    - intros u hu hne. apply in_dag_here in hu. destruct hu as (hun & _ & hup).
      destruct (seen_at S h g a laws r b higher u r hun hne) as (s & hs & hh & hwk).
      destruct (path_waits_for_spec S h g a wf lg laws v r Fv l x hl hx cover l' v hl' hv ltac:(intros z hz; apply in_app_iff; now right) u r s ltac:(lia) hh) as (q & hq & hqp & hqw & hqlow & hqa).
      destruct (Z.eq_dec u q) as [->|huq]; [now left|]. right. exists q. split; [exact hq|]. split; [congruence|].
      destruct (on_path q hq) as (hqn & _). pose proof (law_pending laws u r s hun hwk) as hpu. pose proof (law_waits laws q r s hqn hqw) as hpq.
      assert (hno : forall z1 z2, ancestor S z1 z2 -> pending S h z1 r s = true -> pending S h z2 r s = true -> In z2 (nodes S) -> False).
      { intros z1 z2 ha h1 h2 hz. assert (z1 = z2) as -> by (apply (pending_alone S h lg z1 z2 r s); auto).
        destruct (ancestor_facts S z2 z2 wf hz ha) as (_ & _ & ?). lia. }
      split; [exact huq|]. split; [intros ha; eauto|]. split; [intros ha; eauto|]. rewrite <- (lower_of_one_job _ u q r). exact hqlow.
    - intros u hu _. rewrite !Z.mul_1_l. destruct (on_path u hu) as (hun & _).
      pose proof (meanwhile_path S h g a wf lg laws v r Fv l x hl hx cover l' v hl' hv ltac:(intros z hz; apply in_app_iff; now right) u hu) as hm.
      enough (W u r <= sum (fun s => ind (path_waits_for S g r l' u r s) * work g u r s) (range r (r + Fv + 1))) by lia.
      unfold W, seen_work. apply sum_range_incl; [|lia|lia]. intros s _. apply (seen_nonneg S h g a laws); exact hun.
    - intros u j hu _. destruct (parts_nonneg u j hu) as (_ & h1). exact h1.
    - intros u j hu _ hne. destruct (low_piece u j hu hne) as (c & s & hc & hs & hlow & hwk).
      destruct (piece_facts c u j s hc hu hs hlow hwk) as (q & hq & hqp & _ & _ & hml & hfl & hself). exists q.
      split; [now apply hc|]. split; [exact hqp|]. split; [exact hml|]. split; [lia|]. intros hd hj. now apply hself.
    - destruct few_fresh as (L1 & h1 & h2), few_following as (L2 & h3 & h4). exists L1, L2. split; [exact h1|]. split; [exact h3|].
      intros u j hu _. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). split; intros hne.
      + destruct (seen_at S h g a laws r b low1 u j hun hne) as (s & hs & hsee & hwk). now apply (h2 u j s).
      + destruct (seen_at S h g a laws r b low2 u j hun hne) as (s & hs & hsee & hwk). now apply (h4 u j s).
    - unfold W, B1, B2. rewrite <- !all_by_ticks, <- !sum_add. unfold y. rewrite <- sum_scale. apply sum_le. intros s hs. rewrite in_range in hs.
      pose proof (at_tick_nonneg higher s). pose proof (at_tick_nonneg low1 s). pose proof (at_tick_nonneg low2 s).
      destruct (path_waits S g r l' p s) eqn:hw; cbn [ind]; [|lia]. destruct (tick_rate s hs hw). lia.
    - intros hproc m c c1 c2 (hm & hc & hc2 & hc1 & hf1 & hf2). exists (of_job m).
      assert (hterm : forall U j s, incl U (nodes S) -> 0 <= sum (fun u => ind (higher u j s) * work g u j s) U).
      { intros U j s hU. apply sum_nonneg. intros u hu. apply (seen_nonneg S h g a laws). now apply hU. }
      assert (hhere : forall d U, incl U (dag_here S d p) -> incl U (nodes S)).
      { intros d U hU u hu. specialize (hU u hu). apply in_dag_here in hU. tauto. }
      split; [|split; [|split]].
      + intros d U j hd hU hj. split; unfold of_job.
        * apply sum_nonneg. intros s _. pose proof (hterm U j s (hhere d U hU)). lia.
        * unfold W. rewrite W_job. apply sum_le. intros s _. lia.
      + intros d U j FU hd hU hj hFU. etransitivity; [apply (ticks_of_job S h g a lg laws F v r met b hb p higher U d j FU m _ (fun _ => true))|].
        * intros u hu. split; [now apply hU | now apply hFU].
        * lia.
        * intros s _. lia.
        * intros s _ hpos. apply (one_seen S g higher U j s); [now apply (hhere d) | lia].
        * auto.
        * rewrite !Z.mul_1_l. apply Z.mul_le_mono_nonneg_l; [lia|]. apply ticks_in_overlap. lia.
      + intros d Us j hd hUs hcov hj. unfold of_job. rewrite (sum_exchange (fun U s => Z.min (sum (fun u => ind (higher u j s) * work g u j s) U) m)).
        apply sum_le. intros s _. etransitivity; [|apply (min_sum_le (fun U => sum (fun u => ind (higher u j s) * work g u j s) U)); [lia|]].
        * apply Z.min_le_compat_r. transitivity (sum (fun u => ind (higher u j s) * work g u j s) (concat Us)).
          -- apply sum_incl; [apply NoDup_filter; unfold dag_nodes; apply NoDup_filter, (wf_nodup wf) | |].
             ++ intros u hu. destruct (hcov u hu) as (U & h1 & h2). apply in_concat. eauto.
             ++ intros u hu. apply in_concat in hu. destruct hu as (U & h1 & h2). apply (seen_nonneg S h g a laws). now apply (hhere d U (hUs U h1)).
          -- apply Z.eq_le_incl. clear. induction Us as [|U Us IH]; [reflexivity|]. cbn [concat sum]. now rewrite sum_app, IH.
        * intros U hU. apply hterm. now apply (hhere d), hUs.
      + assert (hQ : sum (fun d => sum (of_job m (dag_here S d p)) (jobs d)) (dag S v :: other_dags S v)
          = sum (fun s => sum (fun d => sum (fun j => Z.min (sum (fun u => ind (higher u j s) * work g u j s) (dag_here S d p)) m) (jobs d)) (dag S v :: other_dags S v)) (range r b)).
        { rewrite sum_exchange. apply sum_eq. intros d _. unfold of_job. apply sum_exchange. }
        rewrite hQ. unfold B1, B2. rewrite <- !all_by_ticks. unfold y. rewrite <- !sum_scale, <- !sum_add. apply sum_le. intros s hs. rewrite in_range in hs.
        pose proof (at_tick_nonneg higher s) as n0. pose proof (at_tick_nonneg low1 s) as n1. pose proof (at_tick_nonneg low2 s) as n2.
        set (Qs := sum (fun d => sum (fun j => Z.min (sum (fun u => ind (higher u j s) * work g u j s) (dag_here S d p)) m) (jobs d)) (dag S v :: other_dags S v)).
        assert (hQs : Z.min (at_tick higher s) m <= Qs).
        { rewrite (tick_by_dags higher s hs). unfold in_all. etransitivity; [apply min_sum_le; [lia|]|].
          - intros d _. apply sum_nonneg. intros u hu. apply in_dag_here in hu. apply sum_nonneg. intros j _. apply (seen_nonneg S h g a laws). tauto.
          - apply sum_le. intros d _. rewrite (sum_exchange (fun u r' => ind (higher u r' s) * work g u r' s)). apply min_sum_le; [lia|]. intros j _. apply hterm.
            apply (hhere d), incl_refl. }
        assert (hQ0 : 0 <= Qs) by (assert (0 <= Z.min (at_tick higher s) m) by lia; lia).
        destruct (path_waits S g r l' p s) eqn:hw; cbn [ind]; [|nia].
        destruct (tick_rate s hs hw) as (e1 & e2). pose proof (proj2 (hfull p hproc) s) as e3. pose proof (hlag p hproc) as e4.
        destruct (tick_few s hs hw hproc) as [e0|(e0 & e5)]; rewrite e0 in *.
        * specialize (hf1 (at_tick low1 s) ltac:(lia)). replace (cap a p - at_tick low1 s) with (at_tick higher s) in hf1 by lia. nia.
        * specialize (hf2 (at_tick low2 s) ltac:(lia)). replace (cap a p - at_tick low2 s) with (at_tick higher s) in hf2 by lia. nia.
  Qed.
End Schedule.
