(** T10v: other jobs run on the processors while the path does. docs/theory/path.md, "T10v: other jobs run while the path does".

    Pool p has preemptive processors, GEL by DAG, pool q is a FIFO or a GPU; all nodes of the path's DAG are there. While nodes of the path
    execute that come before all its nodes on q, strands of other jobs that the path will wait for on q get on, or work that counts is done in
    their place. What is so done is not waited for. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w.

(** What T10v asks of processors: work at a rate of 1 of all that is ready and does not wait. *)
Definition runs_or_waits (S : system) (h : history) (g : progress) (p : Z) : Prop :=
  forall u r s, In u (on_pool S p) -> pending S h u r s = true -> waits g u r s = false -> work g u r s = 1.

(** Of DAG d the root, on p, which ends within FR, and strands (named names): a node on q and all that comes before it are of one
    strand, but for the root. GC: the most execution of a path on q; C: in the root. *)
Record stranded (S : system) (a : accounts) (F : node -> Z) (p q d : Z) (root : node -> bool) (strand : node -> Z) (names : list Z)
    (GC C FR : Z) : Prop := {
  sd_pools : forall u, In u (dag_nodes S d) -> pool S u = p \/ pool S u = q;
  sd_C : 0 <= C;
  sd_names : NoDup names /\ forall w, In w (dag_here S d q) -> In (strand w) names;
  sd_strand : forall u w, In w (dag_here S d q) -> ancestor_or_self S u w -> root u = false -> strand u = strand w;
  sd_root : forall u, In u (dag_nodes S d) -> root u = true -> pool S u = p /\ F u <= FR;
  sd_queue : forall l w, In w (dag_here S d q) -> path S l w -> sum (fun u => ind (pool S u =? q) * exec a u) l <= GC;
  sd_in_root : forall l w, In w (dag_here S d q) -> path S l w -> sum (fun u => ind (root u) * exec a u) l <= C;
}.

Arguments sd_pools {S a F p q d root strand names GC C FR}.
Arguments sd_C {S a F p q d root strand names GC C FR}.
Arguments sd_names {S a F p q d root strand names GC C FR}.
Arguments sd_strand {S a F p q d root strand names GC C FR}.
Arguments sd_root {S a F p q d root strand names GC C FR}.
Arguments sd_queue {S a F p q d root strand names GC C FR}.
Arguments sd_in_root {S a F p q d root strand names GC C FR}.

(** How long j strands of a job that is x old run at least, in all, while nothing waits for z: m s_j. *)
Definition run_for (z GC C : Z) (j : Z) : Z := if j <=? 0 then 0 else Z.max 0 (z - GC) + (j - 1) * Z.max 0 (z - GC - C).

Definition root_left (C FR x : Z) : Z := if FR <=? x then 0 else C.

(** What the nodes of DAG d on a pool may do of a job that is x old. *)
Definition parts_on (S : system) (F : node -> Z) (lim : node -> option Z) (part : node -> Z -> Z) (d p x : Z) : Z :=
  sum (fun u => counted_part F lim part u x) (dag_here S d p).

(** [loses ... red]: red, in the unit of the inequality, may be taken off a job that is x old and of which n strands, of G in all, are given
    out: whichever strands T the path waits for. m red <= m share_p s_j where these are n or more, else
    share_q (Q - Q_T) (m - (G - n + j)) more. *)
Definition loses (S : system) (F : node -> Z) (lim : node -> option Z) (part : node -> Z -> Z) (share : Z -> Z) (p q d m E G n : Z)
    (strand : node -> Z) (names : list Z) (GC C FR x red : Z) : Prop :=
  forall T, NoDup T -> incl T names ->
    let j := Z.of_nat (length T) in
    m * red <= m * share p * run_for E GC (root_left C FR x) (Z.min j n)
      + (if j <? n then share q * (m - (G - n + j))
                        * sum (fun u => ind (negb (existsb (Z.eqb (strand u)) T)) * counted_part F lim part u x) (dag_here S d q) else 0).

(** Of the path's own job: all but descendants of v, less the last pieces of the path. *)
Definition own_once (a : accounts) (l : list node) (excluded : node -> bool) (u : node) : Z :=
  if excluded u then 0 else vol a u - (if in_dec Z.eq_dec u l then last a u else 0).

(** T10v's inequality for node v and a path l to v that visits both pools. Jobs of DAG d are early where early d x, x their age; red d x is
    taken off these. *)
Definition overlapped_path (S : system) (a : accounts) (F : node -> Z) (lim : node -> option Z) (v : node) (l : list node)
    (processors : Z -> bool) : Prop :=
  exists M share part excluded p q m Y Yk before G early n red root strand names GC C FR others own,
    common_multiple S a M share /\ parts_cover S a F part /\
    (* the pools *)
    (p <> q /\ In p (visited S l) /\ In q (visited S l) /\ cap a p = m /\ lagging a p = 0 /\ lagging a q = 0 /\ processors p = true /\
     order_of S p = Gel Y /\ order_of S q = Fifo) /\
    (forall u, In u (dag_nodes S (dag S v)) -> (pool S u = p /\ Y u = Yk \/ pool S u = q)) /\
    (forall u, excluded u = true -> ancestor S v u) /\
    (* nodes of the path before its first on q *)
    (forall y, before y = true -> In y l /\ pool S y = p /\ forall w, In w l -> pool S w = q -> ancestor S y w) /\
    (* early jobs and their strands *)
    (forall d x, In d (other_dags S v) -> early d x = true -> 0 <= x /\ forall u, In u (dag_here S d p) -> Y u - Yk <= x) /\
    (forall d x, In d (other_dags S v) -> early d x = true ->
       stranded S a F p q d (root d) (strand d) (names d) (GC d) (C d) (FR d) /\ 0 <= n d /\
       loses S F lim part share p q d m (sum (fun y => ind (before y) * exec a y) l) G (n d) (strand d) (names d) (GC d) (C d) (FR d) x (red d x)) /\
    (forall xs, (forall d, In d (other_dags S v) -> pattern (period S d) (xs d)) ->
       sum (fun d => sum (fun x => ind (early d x) * n d) (xs d)) (other_dags S v) <= G) /\ G <= m - 1 /\
    (* one release pattern per DAG *)
    (forall d xs, In d (other_dags S v) -> pattern (period S d) xs ->
       sum (fun x => share p * parts_on S F lim part d p x + share q * parts_on S F lim part d q x - ind (early d x) * red d x) xs <= others d) /\
    (forall xs, pattern (period S (dag S v)) (0 :: xs) ->
       sum (fun u => share (pool S u) * own_once a l excluded u) (dag_nodes S (dag S v))
       + sum (fun x => share p * parts_on S F lim part (dag S v) p x + share q * parts_on S F lim part (dag S v) q x) xs <= own) /\
    M * sum (exec a) l + own + sum others (other_dags S v) <= M * F v.

(** For each path T10a's, or T10v's. *)
Definition overlapped_inequality (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (v : node) : Prop :=
  exists lim, limits S F v lim /\ forall l, path S l v -> aligned_path S a F lim v l \/ overlapped_path S a F lim v l full.

(** Something for each element of a list. *)
Lemma choice_on {A B} (dec : forall x y : A, {x = y} + {x <> y}) (b0 : B) (l : list A) (R : A -> B -> Prop) :
  (forall x, In x l -> exists y, R x y) -> exists f, forall x, In x l -> R x (f x).
Proof.
  induction l as [|x l IH]; intros hex; [exists (fun _ => b0); easy|].
  destruct IH as (f & hf); [intros; apply hex; now right|]. destruct (hex x (or_introl eq_refl)) as (y & hy).
  exists (fun z => if dec z x then y else f z). intros z hz. destruct (dec z x) as [->|hne]; [exact hy|]. apply hf. destruct hz; [congruence | auto].
Qed.

Lemma run_for_slope z E GC C j : 0 <= C -> z <= E -> 0 <= j -> run_for E GC C j <= run_for z GC C j + j * (E - z).
Proof.
  intros hC hz hj. unfold run_for. destruct (Z.leb_spec j 0); [nia|].
  assert (h1 : Z.max 0 (E - GC) <= Z.max 0 (z - GC) + (E - z)) by lia.
  assert (h2 : Z.max 0 (E - GC - C) <= Z.max 0 (z - GC - C) + (E - z)) by lia. nia.
Qed.

(** The sums of the proof, without schedules: N strands are waited for, s1, s2, z of the time a path executes as told in the theory. *)
Lemma overlap_sums m M sp sq cq N E E1 s1 s2 z Xp slack D R S0 :
  0 <= N <= m - 1 -> 0 < m -> sp * m = M -> sq * cq = M -> 0 <= sp -> 0 <= s1 -> 0 <= s2 -> E1 <= E -> (N = 0 \/ E1 <= s1 + s2 + z) ->
  0 <= D -> sq * D <= slack -> sq * (cq * s2) <= slack -> (m - 1) * s1 + S0 <= Xp -> 0 <= sq ->
  m * R <= (m - N) * (sq * D) + m * sp * (S0 + N * (E - z)) -> R <= M * (E - E1) + sp * Xp + slack.
Proof.
  intros hN hm hp hq hsp h1 h2 hE hE1 hD hs1 hs2 hX hsq hR.
  assert (hs2' : M * s2 <= slack) by (rewrite <- hq; lia).
  assert (hM : 0 <= M) by nia.
  assert (hNz : M * N * (E - z) <= M * N * ((E - E1) + s1 + s2)).
  { destruct hN as (hN0 & _). destruct hE1 as [->|hE1]; [lia|]. apply Z.mul_le_mono_nonneg_l; nia. }
  assert (a1 : m * sp * (S0 + N * (E - z)) = m * sp * S0 + M * N * (E - z)) by (rewrite <- hp; ring).
  assert (a2 : (m - N) * (sq * D) <= (m - N) * slack) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (a3 : N * (M * s2) <= N * slack) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (a4 : M * N * (E - E1) <= M * m * (E - E1)) by (apply Z.mul_le_mono_nonneg_r; nia).
  assert (a5 : M * N * s1 <= m * sp * ((m - 1) * s1)).
  { replace (m * sp) with M by lia. rewrite <- Z.mul_assoc. apply Z.mul_le_mono_nonneg_l; [lia|]. apply Z.mul_le_mono_nonneg_r; lia. }
  assert (a6 : m * sp * ((m - 1) * s1 + S0) <= m * sp * Xp) by (apply Z.mul_le_mono_nonneg_l; nia).
  enough (m * R <= m * (M * (E - E1) + sp * Xp + slack)) by nia.
  rewrite a1 in hR. nia.
Qed.

Section Overlap.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (busy : node -> Z -> Z -> bool) (hbusy : busy_holds S h g a busy).
  Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true).
  Context (met : met_before S h F v r) (first : first_busy S busy F v r).
  Let t := r + F v.
  Context (missed : done h v r t = false).
  Context (l0 : list node) (x0 : node) (hl0 : path S l0 x0) (hx0 : ancestor_or_self S x0 v).
  Context (cover : forall s, r <= s <= t -> exists y, In y l0 /\ pending S h y r s = true).
  Context (l : list node) (hl : path S l v) (hincl : incl l0 l).
  Context (lim : node -> option Z) (hlim : limits S F v lim).
  Context (p q m : Z) (Y : node -> Z) (Yk : Z) (before : node -> bool).
  Context (hpq : p <> q) (hcap : cap a p = m) (hlag : lagging a p = 0) (hordp : order_of S p = Gel Y) (hordq : order_of S q = Fifo).
  Context (hof : of_processors S a p) (hruns : runs_or_waits S h g p).
  Context (hown : forall u, In u (dag_nodes S (dag S v)) -> (pool S u = p /\ Y u = Yk) \/ pool S u = q).
  Context (hbefore : forall y, before y = true -> In y l /\ pool S y = p /\ forall w, In w l -> pool S w = q -> ancestor S y w).
  Context (wq : node) (hwq : In wq l) (hwqp : pool S wq = q).

  Let waits_for := path_waits_for S g r l.
  Let mw := meanwhile S g F busy v r l.

  Lemma t_after : r <= t.
  Proof. pose proof (F_nonneg S h g a laws F hF v hv). unfold t. lia. Qed.

  Lemma in_path y : In y l -> In y (nodes S) /\ dag S y = dag S v.
  Proof. exact (path_nodes S l v wf hv hl y). Qed.

  Lemma only_one y y' s : In y l -> In y' l -> pending S h y r s = true -> pending S h y' r s = true -> y = y'.
  Proof. intros hy hy'. apply (pending_alone S h lg). exact (path_comparable S l v hl y y' hy hy'). Qed.

  (** A tick in which a node of the path executes that comes before its nodes on q. *)
  Definition early_tick (s : Z) : bool := existsb (fun y => before y && executes S h g r y s) l.

  Lemma early_tick_spec s : early_tick s = true -> exists y, before y = true /\ In y l /\ pending S h y r s = true /\ waits g y r s = false.
  Proof.
    intros he. apply existsb_exists in he. destruct he as (y & hy & he). apply andb_prop in he. destruct he as (hb & he). unfold executes in he.
    apply andb_prop in he. destruct he as (h1 & h2). apply negb_true_iff in h2. eauto.
  Qed.

  Lemma early_no_wait s y : early_tick s = true -> In y l -> waits g y r s = false.
  Proof.
    intros he hy. destruct (waits g y r s) eqn:hw; [|reflexivity]. exfalso. destruct (early_tick_spec s he) as (y' & _ & hy' & hp' & hw').
    pose proof (law_waits laws y r s (proj1 (in_path y hy)) hw) as hp. rewrite (only_one y y' s hy hy' hp hp') in hw. congruence.
  Qed.

  Lemma early_no_wait_for s u r' : early_tick s = true -> waits_for u r' s = false.
  Proof.
    intros he. destruct (waits_for u r' s) eqn:hw; [|reflexivity]. exfalso. apply existsb_exists in hw. destruct hw as (y & hy & hw).
    apply andb_prop in hw. destruct hw as (hw & _). apply andb_prop in hw. destruct hw as (_ & hw). rewrite (early_no_wait s y he hy) in hw.
    discriminate.
  Qed.

  (** What of (u, r') counts in such a tick. *)
  Definition beside_path (u r' s : Z) : bool :=
    early_tick s && (if pool S u =? p then (r' + Y u <=? r + Yk) && negb ((r' =? r) && before u) else pool S u =? q).

  Definition extra (u r' : Z) : Z := sum (fun s => ind (beside_path u r' s) * work g u r' s) (range r t).

  Lemma extra_term u r' s : In u (nodes S) -> 0 <= ind (beside_path u r' s) * work g u r' s.
  Proof. intros hu. pose proof (law_work laws u r' s hu). pose proof (ind_range (beside_path u r' s)). nia. Qed.

  Lemma extra_nonneg u r' : In u (nodes S) -> 0 <= extra u r'.
  Proof. intros hu. apply sum_nonneg. intros s _. now apply extra_term. Qed.

  Lemma mw_nonneg u r' : In u (nodes S) -> 0 <= mw u r'.
  Proof. exact (meanwhile_at_least S h g a laws F busy v r l u r'). Qed.

  Lemma extra_touched u r' : In u (nodes S) -> extra u r' <> 0 -> exists s, r <= s < t /\ beside_path u r' s = true /\ 0 < work g u r' s.
  Proof.
    intros hu hne. pose proof (extra_nonneg u r' hu). assert (hpos : 0 < extra u r') by lia. apply sum_pos_in in hpos.
    destruct hpos as (s & hs & hpos). cbv beta in hpos. rewrite in_range in hs. exists s. pose proof (law_work laws u r' s hu).
    destruct (beside_path u r' s); cbn [ind] in hpos; repeat split; lia.
  Qed.

  Lemma extra_pool u r' : extra u r' <> 0 -> In u (nodes S) -> pool S u = p \/ pool S u = q.
  Proof.
    intros hne hu. destruct (extra_touched u r' hu hne) as (s & _ & hb & _). unfold beside_path in hb. apply andb_prop in hb. destruct hb as (_ & hb).
    destruct (Z.eqb_spec (pool S u) p); [now left|]. right. now apply Z.eqb_eq.
  Qed.

  (** Both together obey what holds of the former alone. *)
  Lemma both_volume u r' : In u (nodes S) -> mw u r' + extra u r' <= vol a u.
  Proof.
    intros hu. pose proof t_after as ht. etransitivity; [|apply (law_vol laws u r' r (t + 1) hu)].
    pose proof (meanwhile_all_work S h g a laws F hF busy v r hv l u r' hu) as h1. fold mw in h1.
    assert (h2 : extra u r' <= sum (fun s => ind (beside_path u r' s) * work g u r' s) (range r (t + 1))).
    { apply sum_range_incl; [|lia|lia]. intros s _. now apply extra_term. }
    transitivity (sum (fun s => ind (waits_for u r' s) * work g u r' s + ind (beside_path u r' s) * work g u r' s) (range r (t + 1))).
    - rewrite sum_add. fold t in h1. fold waits_for in h1. lia.
    - apply sum_le. intros s _. pose proof (law_work laws u r' s hu). destruct (beside_path u r' s) eqn:hb; cbn [ind].
      + unfold beside_path in hb. apply andb_prop in hb. rewrite (early_no_wait_for s u r' (proj1 hb)). cbn [ind]. lia.
      + pose proof (ind_range (waits_for u r' s)). nia.
  Qed.

  Lemma horizon_t : t <= horizon F busy v r <= t + 1.
  Proof. exact (horizon_range F busy v r). Qed.

  Lemma both_recent u r' : In u (nodes S) -> mw u r' + extra u r' <> 0 -> released h (dag S u) r' = true /\ r - r' < F u.
  Proof.
    intros hu hne. destruct (Z.eq_dec (extra u r') 0) as [he|he].
    - apply (meanwhile_recent S h g a wf lg laws F hF busy (busy_work hbusy) v r hv met first l0 x0 hl0 hx0 cover l hl hincl u r' hu). fold mw. lia.
    - destruct (extra_touched u r' hu he) as (s & hs & _ & hw). pose proof horizon_t. split.
      + now apply (pending_released S h lg u r' s (law_pending laws u r' s hu hw)).
      + pose proof (due_then S h g a lg laws F busy (busy_work hbusy) v r met first u r' s hu ltac:(lia) hw). lia.
  Qed.

  Lemma both_fits u r' : In u (nodes S) -> mw u r' + extra u r' <> 0 -> exec a u * (mw u r' + extra u r') <= (r' + F u - r) * vol a u.
  Proof.
    intros hu hne. pose proof t_after as ht. pose proof (both_recent u r' hu hne) as (hrel & hrec).
    pose proof (law_numbers laws u hu) as (he & hvol & _).
    set (W := fun s => (ind (waits_for u r' s) + ind (beside_path u r' s)) * work g u r' s).
    assert (hW : forall s, 0 <= exec a u * W s <= vol a u).
    { intros s. pose proof (law_width laws u r' s hu). pose proof (law_work laws u r' s hu). unfold W.
      destruct (beside_path u r' s) eqn:hb; cbn [ind].
      - unfold beside_path in hb. apply andb_prop in hb. rewrite (early_no_wait_for s u r' (proj1 hb)). cbn [ind]. nia.
      - destruct (waits_for u r' s); cbn [ind]; nia. }
    assert (hlong : forall b, r <= b -> exec a u * sum W (range r b) <= (b - r) * vol a u).
    { intros b hb. rewrite <- sum_scale. etransitivity; [apply (sum_le _ (fun _ => vol a u)); intros; apply hW|].
      rewrite sum_range_const by lia. lia. }
    assert (hall : mw u r' + extra u r' = sum W (range r t) + (if busy v r t then 0 else ind (waits_for u r' t && (0 <? work g u r' t)))).
    { unfold mw, meanwhile, extra. fold t waits_for. unfold W.
      rewrite (sum_eq (fun s => (ind (waits_for u r' s) + ind (beside_path u r' s)) * work g u r' s)
        (fun s => ind (waits_for u r' s) * work g u r' s + ind (beside_path u r' s) * work g u r' s)) by (intros; ring).
      rewrite sum_add. lia. }
    rewrite hall. destruct (Z_lt_le_dec (r' + F u) t) as [hlt|hge].
    - assert (hend : forall s, r' + F u <= s -> work g u r' s = 0).
      { intros s hs. apply (no_work_unless_pending _ S h g a laws); auto. unfold pending.
        rewrite (legal_done lg u r' (r' + F u) s); [apply andb_false_r | apply met; auto; left; fold t; lia | lia]. }
      rewrite (sum_range_split _ r (r' + F u) t) by lia. rewrite (sum_zero W (range (r' + F u) t)).
      2: { intros s hs. rewrite in_range in hs. unfold W. rewrite hend by lia. lia. }
      rewrite (hend t) by lia. rewrite Z.ltb_irrefl, andb_false_r. cbn [ind]. specialize (hlong (r' + F u) ltac:(lia)).
      destruct (busy v r t); lia.
    - specialize (hlong t ht). destruct (busy v r t) eqn:hb; [rewrite Z.add_0_r; nia|].
      destruct (waits_for u r' t && (0 <? work g u r' t)) eqn:hnow; cbn [ind]; [|rewrite Z.add_0_r; nia].
      apply andb_prop in hnow. destruct hnow as (_ & hnow). apply Z.ltb_lt in hnow.
      pose proof (due_then S h g a lg laws F busy (busy_work hbusy) v r met first u r' t hu ltac:(unfold horizon; fold t; rewrite hb; lia) hnow).
      pose proof (law_width laws u r' t hu). nia.
  Qed.

  (* While a node before those on q is not done, these are not ready. *)
  Lemma before_facts y s : before y = true -> r <= s < t -> pending S h y r s = true -> s <= r + F y /\ s <= r + ready_bound S F wq.
  Proof.
    intros hb hs hp. destruct (hbefore y hb) as (hy & _ & hanc). destruct (in_path y hy) as (hyn & _). split.
    - assert (hd0 : dag S y = dag S v) by (now apply in_path). apply (not_after_due S h lg F v r met y s hyn hp). fold t. lia.
    - destruct (Z_le_gt_dec s (r + ready_bound S F wq)) as [|hgt]; [auto|]. exfalso.
      destruct (in_path wq hwq) as (hqn & hqd).
      assert (hre : ready S h wq r s = true).
      { apply ready_spec. rewrite hqd. repeat split; [exact hr | lia|]. intros z hz. destruct (wf_preds wf wq z hqn hz) as (hzn & hzd & _).
        pose proof (ready_bound_spec S F wq z hz). apply (legal_done lg z r (r + F z)); [|lia].
        apply met; auto; [congruence|]. left. fold t. lia. }
      pose proof (ancestor_done S h lg y wq r s (hanc wq hwq hwqp) hre) as hd. apply pending_spec in hp. destruct hp as (_ & hnd). congruence.
  Qed.

  Lemma both_limited u r' : In u (nodes S) -> mw u r' + extra u r' <> 0 -> within (lim u) (r' - r).
  Proof.
    intros hu hne. destruct (Z.eq_dec (extra u r') 0) as [he|he].
    - apply (meanwhile_limited S h g a wf lg laws F hF busy v r hv met l0 x0 hl0 hx0 cover l hl hincl lim u r'); auto.
      + eapply (limits_are_sound S h g a F v lim wf lg laws hv hlim); eauto.
      + fold mw. lia.
    - destruct (extra_touched u r' hu he) as (s & hs & hb & hw).
      pose proof (pending_released S h lg u r' s (law_pending laws u r' s hu hw)) as (_ & hr').
      unfold beside_path in hb. apply andb_prop in hb. destruct hb as (het & hb). destruct (early_tick_spec s het) as (y & hby & hy & hpy & _).
      destruct (before_facts y s hby hs hpy) as (h1 & h2). destruct (hbefore y hby) as (_ & hyp & _).
      destruct (Z.eqb_spec (pool S u) p) as [hup|hup].
      + eapply within_le; [|apply (hlim y u (path_ancestors S l v hl y hy) hu); congruence].
        unfold limit. rewrite hyp, hordp. cbn [within]. apply andb_prop in hb. destruct hb as (hb & _). apply Z.leb_le in hb.
        destruct (hown y) as [(_ & hYy)|hq]; [apply in_dag_nodes; now apply in_path | | congruence]. lia.
      + apply Z.eqb_eq in hb. eapply within_le; [|apply (hlim wq u (path_ancestors S l v hl wq hwq) hu); congruence].
        unfold limit. rewrite hwqp, hordq. cbn [within]. lia.
  Qed.

  Lemma extra_on_path u : In u l -> extra u r = 0.
  Proof.
    intros hul. destruct (in_path u hul) as (hu & _). destruct (Z.eq_dec (extra u r) 0) as [|hne]; [auto|]. exfalso.
    destruct (extra_touched u r hu hne) as (s & hs & hb & hw). unfold beside_path in hb. apply andb_prop in hb. destruct hb as (het & hb).
    destruct (early_tick_spec s het) as (y & hby & hy & hpy & _).
    assert (u = y) as -> by (apply (only_one u y s); auto; now apply (law_pending laws)).
    destruct (hbefore y hby) as (_ & hyp & _). rewrite hyp, !Z.eqb_refl, hby in hb. rewrite andb_false_r in hb. discriminate.
  Qed.

  Lemma both_own u (excluded : node -> bool) : (forall u, excluded u = true -> ancestor S v u) -> In u (nodes S) ->
    mw u r + extra u r <= own_once a l excluded u.
  Proof.
    intros hexcl hu. unfold own_once. destruct (excluded u) eqn:hex.
    - assert (h1 : mw u r = 0).
      { apply (meanwhile_never S h g a wf lg laws F hF busy v r hv missed l0 x0 hl0 hx0 cover l hl hincl u hu). left. auto. }
      rewrite h1. destruct (Z.eq_dec (extra u r) 0) as [->|hne]; [lia|]. exfalso.
      destruct (extra_touched u r hu hne) as (s & hs & _ & hw). pose proof (law_pending laws u r s hu hw) as hp.
      apply pending_spec in hp. destruct hp as (hp & _). pose proof (ancestor_done S h lg v u r s (hexcl u hex) hp) as hd.
      rewrite (legal_done lg v r s t hd) in missed by lia. discriminate.
    - destruct (in_dec Z.eq_dec u l) as [hin|hout]; [|pose proof (both_volume u r hu); lia].
      rewrite (extra_on_path u hin). pose proof (meanwhile_own S h g a wf lg laws F hF busy v r hv l0 x0 hl0 hx0 cover l hl hincl u hin) as h1.
      fold mw in h1. lia.
  Qed.

  Lemma both_part part u r' : parts_cover S a F part -> In u (nodes S) -> mw u r' + extra u r' <= counted_part F lim part u (r - r').
  Proof.
    intros hpart hu. destruct (hpart u (r - r') hu) as (_ & h0 & hp).
    unfold counted_part, counts_at.
    destruct (Z.eq_dec (mw u r' + extra u r') 0) as [->|hne].
    - destruct ((r - r' <? F u) && _); lia.
    - destruct (both_recent u r' hu hne) as (_ & h1). pose proof (both_limited u r' hu hne) as h2.
      rewrite (proj2 (Z.ltb_lt _ _) h1). destruct (lim u) as [x|]; cbn [within] in h2; [|easy].
      rewrite (proj2 (Z.leb_le (- x) (r - r'))) by lia. cbn [andb].
      pose proof (both_volume u r' hu) as hv1. pose proof (both_fits u r' hu hne) as hv2.
      pose proof (law_numbers laws u hu) as (he & hvol & hzero). pose proof (mw_nonneg u r' hu). pose proof (extra_nonneg u r' hu).
      destruct (Z.eq_dec (exec a u) 0) as [he0|hepos]; [rewrite (hzero he0) in hv1; lia|].
      replace (r' + F u - r) with (F u - (r - r')) in hv2 by ring. nia.
  Qed.

  (** Jobs that are early, their strands that the path waits for on q, and those of them that are given out. *)
  Context (early : Z -> Z -> bool) (n : Z -> Z) (root : Z -> node -> bool) (strand : Z -> node -> Z) (names : Z -> list Z) (GC C FR : Z -> Z).
  Context (hearly : forall d x, In d (other_dags S v) -> early d x = true -> 0 <= x /\ forall u, In u (dag_here S d p) -> Y u - Yk <= x).
  Context (hstr : forall d x, In d (other_dags S v) -> early d x = true ->
             stranded S a F p q d (root d) (strand d) (names d) (GC d) (C d) (FR d) /\ 0 <= n d).

  Definition jobs_of (d : Z) : list Z := filter (released h d) (range 0 (t + 1)).
  Definition chosen (d : Z) : list Z := filter (fun j => early d (r - j)) (jobs_of d).
  Definition live (d j : Z) : list Z :=
    filter (fun i => existsb (fun u => (strand d u =? i) && negb (mw u j =? 0)) (dag_here S d q)) (names d).
  Definition picked (d j : Z) : list Z := firstn (Z.to_nat (n d)) (live d j).

  Lemma in_chosen d j : In j (chosen d) -> released h d j = true /\ 0 <= j <= t /\ early d (r - j) = true /\ In j (jobs_of d).
  Proof.
    intros hj. apply filter_In in hj. destruct hj as (hj & he). pose proof hj as hj'. apply filter_In in hj'. destruct hj' as (h1 & h2).
    rewrite in_range in h1. repeat split; auto; lia.
  Qed.

  Lemma other_dag d : In d (other_dags S v) -> d <> dag S v.
  Proof. intros hd. apply filter_In in hd. destruct hd as (_ & hd). apply negb_true_iff, Z.eqb_neq in hd. exact hd. Qed.

  Definition instances : list (Z * Z * Z) :=
    flat_map (fun d => flat_map (fun j => map (fun i => (d, j, i)) (picked d j)) (chosen d)) (other_dags S v).

  Lemma in_instances d j i : In (d, j, i) instances <-> In d (other_dags S v) /\ In j (chosen d) /\ In i (picked d j).
  Proof.
    unfold instances. rewrite in_flat_map. split.
    - intros (d' & hd & h1). apply in_flat_map in h1. destruct h1 as (j' & hj & h1). apply in_map_iff in h1. destruct h1 as (i' & [= -> -> ->] & hi).
      auto.
    - intros (hd & hj & hi). exists d. split; [exact hd|]. apply in_flat_map. exists j. split; [exact hj|]. apply in_map_iff. eauto.
  Qed.

  Lemma picked_live d j i : In i (picked d j) -> In i (live d j).
  Proof.
    unfold picked. revert i. generalize (Z.to_nat (n d)). intros k. generalize (live d j). induction k as [|k IH]; intros [|x xs] i; cbn; auto; [easy|].
    intros [->|hi]; [now left | right; auto].
  Qed.

  (** A path of nodes of the strand and the root of which one is pending in every tick of interest. *)
  Definition follows (d j i : Z) (lu : list node) : Prop := exists u,
    In u (dag_here S d q) /\ path S lu u /\ strand d u = i /\
    (forall s, r <= s < t -> early_tick s = true -> exists y, In y lu /\ pending S h y j s = true) /\
    (forall y, before y = true -> done h y r t = true).

  Lemma some_path d j i : In d (other_dags S v) -> In j (chosen d) -> In i (picked d j) -> exists lu, follows d j i lu.
  Proof.
    intros hd hj hi. destruct (in_chosen d j hj) as (hrel & hj0 & he & _). apply picked_live in hi. apply filter_In in hi. destruct hi as (hi & hex).
    apply existsb_exists in hex. destruct hex as (u & hu & hc). apply andb_prop in hc. destruct hc as (hui & hne).
    apply Z.eqb_eq in hui. apply negb_true_iff, Z.eqb_neq in hne. pose proof (proj1 (in_dag_here S d q u) hu) as (hun & hud & huq).
    destruct (touched S h g a wf lg laws F hF busy v r hv l0 x0 hl0 hx0 cover l hl hincl u j hun hne) as (y & s1 & hs1 & hy & hyp & hyw & _ & hwork).
    pose proof horizon_t as hhz. destruct (in_path y hy) as (hyn & _).
    pose proof (law_waits laws y r s1 hyn hyw) as hpy. pose proof (law_pending laws u j s1 hun hwork) as hpu.
    assert (hdone : forall z, before z = true -> done h z r s1 = true).
    { intros z hz. destruct (hbefore z hz) as (_ & _ & hanc). apply (ancestor_done S h lg z y r s1); [apply hanc; [exact hy | congruence]|].
      apply pending_spec in hpy. tauto. }
    apply pending_spec in hpu. destruct hpu as (hru & hnu).
    destruct (walk S h wf lg j u s1 hun hru) as (lu & hlu & _ & hcov). exists lu. exists u. repeat split; auto.
    - intros s hs het. destruct (early_tick_spec s het) as (z & hz & hzl & hzp & _).
      assert (hlt : s < s1).
      { destruct (Z_lt_le_dec s s1) as [|hge]; [auto|]. exfalso. apply pending_spec in hzp. destruct hzp as (_ & hnd).
        rewrite (legal_done lg z r s1 s (hdone z hz) hge) in hnd. discriminate. }
      destruct (hearly d (r - j) hd he) as (hage & _).
      destruct (hcov s ltac:(lia)) as [hre|hyy]; [|exact hyy]. exists u. split; [exact (path_last S lu u hlu)|]. apply pending_spec. split; [exact hre|].
      destruct (done h u j s) eqn:hds; [|reflexivity]. rewrite (legal_done lg u j s s1 hds) in hnu by lia. discriminate.
    - intros z hz. apply (legal_done lg z r s1); [now apply hdone | lia].
  Qed.

  Context (path_of : Z * Z * Z -> list node).
  Context (hpath_of : forall d j i, In d (other_dags S v) -> In j (chosen d) -> In i (picked d j) -> follows d j i (path_of (d, j, i))).

  Definition strand_waits (P : Z) (i : Z * Z * Z) (s : Z) : bool := existsb (fun y => (pool S y =? P) && waits g y (snd (fst i)) s) (path_of i).

  Definition waits_p (s : Z) : bool := existsb (fun i => strand_waits p i s) instances.
  Definition waits_q (s : Z) : bool := existsb (fun i => strand_waits q i s) instances.
  Definition tick1 (s : Z) : bool := early_tick s && waits_p s.
  Definition tick2 (s : Z) : bool := early_tick s && negb (waits_p s) && waits_q s.
  Definition tick3 (s : Z) : bool := early_tick s && negb (waits_p s) && negb (waits_q s).

  Definition extra_in (P s : Z) : Z := sum (fun u => sum (fun r' => ind (beside_path u r' s) * work g u r' s) (range 0 (t + 1))) (on_pool S P).

  Lemma extra_in_nonneg P s : 0 <= extra_in P s.
  Proof. apply sum_nonneg. intros u hu. apply in_on_pool in hu. apply sum_nonneg. intros r' _. now apply extra_term. Qed.

  (* The nodes of a strand's path. *)
  Lemma on_strand d j i y : In d (other_dags S v) -> In j (chosen d) -> In i (picked d j) -> In y (path_of (d, j, i)) ->
    In y (dag_nodes S d) /\ (root d y = false -> strand d y = i).
  Proof.
    intros hd hj hi hy. destruct (hpath_of d j i hd hj hi) as (u & hu & hlu & hui & _). pose proof (proj1 (in_dag_here S d q u) hu) as (hun & hud & _).
    destruct (path_nodes S _ u wf hun hlu y hy) as (hyn & hyd). split; [apply in_dag_nodes; split; [exact hyn | congruence]|].
    intros hroot. destruct (in_chosen d j hj) as (_ & _ & he & _). destruct (hstr d (r - j) hd he) as (hst & _).
    rewrite <- hui. apply (sd_strand hst y u hu); auto. exact (path_ancestors S _ u hlu y hy).
  Qed.

  (** (ii): all processors but the path's run what counts. *)
  Lemma in_tick1 s : r <= s < t -> tick1 s = true -> m - 1 <= extra_in p s.
  Proof.
    intros hs h1. apply andb_prop in h1. destruct h1 as (het & hw). apply existsb_exists in hw. destruct hw as (((d, j), i) & hin & hw).
    apply in_instances in hin. destruct hin as (hd & hj & hi). apply existsb_exists in hw. destruct hw as (y & hy & hw). cbn [fst snd] in hw.
    apply andb_prop in hw. destruct hw as (hyp & hyw). apply Z.eqb_eq in hyp.
    destruct (on_strand d j i y hd hj hi hy) as (hyd & _). apply in_dag_nodes in hyd. destruct hyd as (hyn & hyd).
    destruct (in_chosen d j hj) as (_ & hj0 & he & _). destruct (hearly d (r - j) hd he) as (hage & hY).
    specialize (hY y ltac:(apply in_dag_here; auto)).
    pose proof (law_rate laws y j s hyn hyw) as hrate. rewrite hyp, hcap in hrate.
    destruct (early_tick_spec s het) as (z & hzb & hzl & hzp & _).
    destruct (hbefore z hzb) as (_ & hzpool & _). destruct (in_path z hzl) as (hzn & _).
    pose proof (pending_released S h lg z r s hzp) as (_ & hr0).
    enough (rate S g p s <= extra_in p s + 1) by lia. unfold rate, extra_in.
    transitivity (sum (fun u => sum (fun r' => ind (beside_path u r' s) * work g u r' s + ind (u =? z) * ind (r' =? r)) (range 0 (t + 1))) (on_pool S p)).
    - apply sum_le. intros u hu. apply in_on_pool in hu. destruct hu as (hun & hup).
      transitivity (sum (fun r' => ind (beside_path u r' s) * work g u r' s + ind (u =? z) * ind (r' =? r)) (range 0 (s + 1))).
      + apply sum_le. intros r' _. pose proof (law_work laws u r' s hun) as hw0.
        destruct (Z.eq_dec (work g u r' s) 0) as [->|hne].
        { pose proof (ind_range (u =? z)). pose proof (ind_range (r' =? r)). nia. }
        pose proof (order_preemptive (nodes S) S h g a laws y j u r' s hyn hun ltac:(congruence) hun
          (fun x hx => proj1 (proj1 (in_on_pool S _ x) hx)) ltac:(now rewrite hyp) lg hyw ltac:(lia)) as hb.
        rewrite hyp, hordp in hb. cbn [Schedule.before] in hb.
        assert (hY' : r' + Y u <= r + Yk) by lia.
        destruct (beside_path u r' s) eqn:hbp; cbn [ind]; [pose proof (ind_range (u =? z)); pose proof (ind_range (r' =? r)); nia|].
        unfold beside_path in hbp. rewrite het, hup, Z.eqb_refl, (proj2 (Z.leb_le _ _) hY') in hbp. cbn [andb] in hbp.
        apply negb_false_iff, andb_prop in hbp. destruct hbp as (hrr & hbu). apply Z.eqb_eq in hrr. subst r'.
        destruct (hbefore u hbu) as (hul & _ & _).
        assert (u = z) as -> by (apply (only_one u z s); auto; apply (law_pending laws); auto; lia).
        rewrite !Z.eqb_refl. cbn [ind].
        pose proof (law_width laws z r s hzn) as hwd. destruct (hof z ltac:(apply in_on_pool; auto)) as (hve & _). rewrite hve in hwd.
        pose proof (law_numbers laws z hzn) as (he0 & _ & hz0). destruct (Z.eq_dec (exec a z) 0) as [hez|hez]; [|nia].
        exfalso. pose proof (hz0 hez) as hvz. apply hne. apply (no_work_if_empty _ S h g a laws); auto.
      + apply sum_range_incl; [|lia|lia]. intros r' _. pose proof (extra_term u r' s hun). pose proof (ind_range (u =? z)). pose proof (ind_range (r' =? r)).
        nia.
    - rewrite (sum_eq _ (fun u => sum (fun r' => ind (beside_path u r' s) * work g u r' s) (range 0 (t + 1))
        + ind (u =? z) * sum (fun r' => ind (r' =? r)) (range 0 (t + 1)))) by (intros; rewrite sum_add, sum_scale; reflexivity).
      rewrite sum_add. apply Z.add_le_mono_l. rewrite (sum_unique (fun r' => ind (r' =? r)) _ r);
        [|apply range_nodup | apply in_range; lia | intros x _ hx; destruct (Z.eqb_spec x r); [contradiction | reflexivity]].
      rewrite (sum_unique _ _ z); [|apply NoDup_filter, (wf_nodup wf) | apply in_on_pool; auto |
        intros x _ hx; destruct (Z.eqb_spec x z); [contradiction | reflexivity]].
      rewrite !Z.eqb_refl. cbn [ind]. lia.
  Qed.

  (** (iv): q works at its capacity. *)
  Lemma in_tick2 s : r <= s < t -> tick2 s = true -> cap a q <= extra_in q s.
  Proof.
    intros hs h1. apply andb_prop in h1. destruct h1 as (h1 & hw). apply andb_prop in h1. destruct h1 as (het & _).
    apply existsb_exists in hw. destruct hw as (((d, j), i) & hin & hw).
    apply in_instances in hin. destruct hin as (hd & hj & hi). apply existsb_exists in hw. destruct hw as (y & hy & hw). cbn [fst snd] in hw.
    apply andb_prop in hw. destruct hw as (hyp & hyw). apply Z.eqb_eq in hyp.
    destruct (on_strand d j i y hd hj hi hy) as (hyd & _). apply in_dag_nodes in hyd. destruct hyd as (hyn & _).
    pose proof (law_rate laws y j s hyn hyw) as hrate. rewrite hyp in hrate. etransitivity; [exact hrate|].
    unfold rate, extra_in. apply sum_le. intros u hu. apply in_on_pool in hu. destruct hu as (hun & huq).
    transitivity (sum (fun r' => ind (beside_path u r' s) * work g u r' s) (range 0 (s + 1))).
    - apply sum_le. intros r' _. unfold beside_path. rewrite het, huq, Z.eqb_refl.
      destruct (Z.eqb_spec q p); [congruence|]. cbn [andb ind]. lia.
    - pose proof t_after. apply sum_range_incl; [|lia|lia]. intros r' _. now apply extra_term.
  Qed.

  (** What runs of one early job on p. *)
  Definition ran (d j s : Z) : Z := sum (fun u => ind (beside_path u j s) * work g u j s) (dag_here S d p).

  Lemma ran_term d j s u : In u (dag_here S d p) -> 0 <= ind (beside_path u j s) * work g u j s.
  Proof. intros hu. apply in_dag_here in hu. now apply extra_term. Qed.

  Lemma extra_ran s : sum (fun d => sum (fun j => ran d j s) (chosen d)) (other_dags S v) <= extra_in p s.
  Proof.
    set (f := fun u => sum (fun r' => ind (beside_path u r' s) * work g u r' s) (range 0 (t + 1))).
    transitivity (sum (fun d => sum f (dag_here S d p)) (other_dags S v)).
    - apply sum_le. intros d _. unfold ran. rewrite sum_exchange. apply sum_le. intros u hu. unfold f. apply sum_incl.
      + apply NoDup_filter, NoDup_filter, range_nodup.
      + intros j hj. apply filter_In in hj. destruct hj as (hj & _). apply filter_In in hj. tauto.
      + intros j _. apply in_dag_here in hu. now apply extra_term.
    - assert (hf : forall u, In u (nodes S) -> 0 <= f u) by (intros u hu; apply sum_nonneg; intros; now apply extra_term).
      change (extra_in p s) with (sum f (on_pool S p)).
      replace (sum f (on_pool S p)) with (sum (fun u => ind (pool S u =? p) * f u) (nodes S)) by (unfold on_pool; now rewrite sum_filter).
      rewrite (sum_by_dag S v (fun u => ind (pool S u =? p) * f u) hv).
      assert (h0 : 0 <= sum (fun u => ind (pool S u =? p) * f u) (dag_nodes S (dag S v))).
      { apply sum_nonneg. intros u hu. apply in_dag_nodes in hu. pose proof (hf u ltac:(tauto)). pose proof (ind_range (pool S u =? p)). nia. }
      rewrite (sum_eq (fun d => sum f (dag_here S d p)) (fun d => sum (fun u => ind (pool S u =? p) * f u) (dag_nodes S d)))
        by (intros d _; unfold dag_here; now rewrite sum_filter).
      lia.
  Qed.

  Lemma runs_then d j s y : In d (other_dags S v) -> In j (chosen d) -> early_tick s = true -> In y (dag_here S d p) ->
    executes S h g j y s = true -> ind (beside_path y j s) * work g y j s = 1.
  Proof.
    intros hd hj het hy hex. pose proof (proj1 (in_dag_here S d p y) hy) as (hyn & hyd & hyp). apply andb_prop in hex. destruct hex as (hp & hw).
    apply negb_true_iff in hw. rewrite (hruns y j s ltac:(apply in_on_pool; auto) hp hw).
    destruct (in_chosen d j hj) as (_ & _ & he & _). destruct (hearly d (r - j) hd he) as (_ & hY). specialize (hY y hy).
    unfold beside_path. rewrite het, hyp, Z.eqb_refl, (proj2 (Z.leb_le _ _)) by lia. cbn [andb].
    destruct (before y) eqn:hb; [|rewrite andb_false_r; reflexivity]. exfalso. destruct (hbefore y hb) as (hyl & _).
    destruct (in_path y hyl) as (_ & hdv). apply (other_dag d hd). congruence.
  Qed.

  Definition strand_runs (i : Z * Z * Z) (s : Z) : bool :=
    existsb (fun y => (pool S y =? p) && executes S h g (snd (fst i)) y s) (path_of i).
  Definition strand_runs_beside_root (i : Z * Z * Z) (s : Z) : bool :=
    existsb (fun y => (pool S y =? p) && negb (root (fst (fst i)) y) && executes S h g (snd (fst i)) y s) (path_of i).

  Lemma ran_at_least d j i0 is s : In d (other_dags S v) -> In j (chosen d) -> NoDup (i0 :: is) -> incl (i0 :: is) (picked d j) ->
    early_tick s = true ->
    ind (strand_runs (d, j, i0) s) + sum (fun i => ind (strand_runs_beside_root (d, j, i) s)) is <= ran d j s.
  Proof.
    intros hd hj nd hin het. set (f := fun u => ind (beside_path u j s) * work g u j s).
    assert (hf : forall u, In u (dag_here S d p) -> 0 <= f u) by (intros u hu; now apply (ran_term d)).
    set (c0 := fun u => root d u || (strand d u =? i0)). set (c := fun i u => negb (root d u) && (strand d u =? i)).
    transitivity (sum (fun u => ind (c0 u) * f u) (dag_here S d p) + sum (fun i => sum (fun u => ind (c i u) * f u) (dag_here S d p)) is).
    - apply Z.add_le_mono.
      + destruct (strand_runs (d, j, i0) s) eqn:hr0; cbn [ind]; [|apply sum_nonneg; intros u hu; pose proof (hf u hu); pose proof (ind_range (c0 u)); nia].
        apply existsb_exists in hr0. destruct hr0 as (y & hy & hc). cbn [fst snd] in hc. apply andb_prop in hc. destruct hc as (hyp & hex).
        apply Z.eqb_eq in hyp. destruct (on_strand d j i0 y hd hj (hin i0 (or_introl eq_refl)) hy) as (hyd & hys). apply in_dag_nodes in hyd.
        assert (hyh : In y (dag_here S d p)) by (apply in_dag_here; tauto).
        etransitivity; [|apply (sum_in (fun u => ind (c0 u) * f u) _ y); [intros u hu; pose proof (hf u hu); pose proof (ind_range (c0 u)); nia | exact hyh]].
        cbv beta. unfold f. rewrite (runs_then d j s y hd hj het hyh hex). unfold c0. destruct (root d y); [cbn; lia|].
        rewrite (hys eq_refl), Z.eqb_refl. cbn. lia.
      + apply sum_le. intros i hi.
        destruct (strand_runs_beside_root (d, j, i) s) eqn:hr0; cbn [ind]; [|apply sum_nonneg; intros u hu; pose proof (hf u hu); pose proof (ind_range (c i u)); nia].
        apply existsb_exists in hr0. destruct hr0 as (y & hy & hc). cbn [fst snd] in hc. apply andb_prop in hc. destruct hc as (hc & hex).
        apply andb_prop in hc. destruct hc as (hyp & hroot). apply negb_true_iff in hroot.
        apply Z.eqb_eq in hyp. destruct (on_strand d j i y hd hj (hin i (or_intror hi)) hy) as (hyd & hys). apply in_dag_nodes in hyd.
        assert (hyh : In y (dag_here S d p)) by (apply in_dag_here; tauto).
        etransitivity; [|apply (sum_in (fun u => ind (c i u) * f u) _ y); [intros u hu; pose proof (hf u hu); pose proof (ind_range (c i u)); nia | exact hyh]].
        cbv beta. unfold f. rewrite (runs_then d j s y hd hj het hyh hex). unfold c. rewrite hroot, (hys hroot), Z.eqb_refl. cbn. lia.
    - rewrite sum_exchange, <- sum_add. apply sum_le. intros u hu. fold (f u). specialize (hf u hu).
      rewrite sum_scale_r. enough (ind (c0 u) + sum (fun i => ind (c i u)) is <= 1) by nia.
      inversion nd as [|i0' is' hnot nd']; subst. unfold c0, c. destruct (root d u); cbn [orb negb andb ind].
      + rewrite sum_0. lia.
      + destruct (in_dec Z.eq_dec (strand d u) is) as [hin'|hout].
        * rewrite (sum_unique _ _ (strand d u) nd' hin'); [rewrite Z.eqb_refl|intros i _ hne; destruct (Z.eqb_spec (strand d u) i); [congruence | reflexivity]].
          destruct (Z.eqb_spec (strand d u) i0) as [e|]; [rewrite e in hin'; contradiction | cbn; lia].
        * rewrite sum_zero; [pose proof (ind_range (strand d u =? i0)); lia|]. intros i hi.
          destruct (Z.eqb_spec (strand d u) i) as [e|]; [rewrite e in hout; contradiction | reflexivity].
  Qed.

  Let span (c : Z -> bool) : Z := sum (fun s => ind (c s)) (range r t).

  (** How long a strand runs while nothing waits. *)
  Lemma strand_time d j i : In d (other_dags S v) -> In j (chosen d) -> In i (picked d j) ->
    span tick3 - GC d <= sum (fun s => ind (tick3 s) * ind (strand_runs (d, j, i) s)) (range r t) /\
    span tick3 - GC d - root_left (C d) (FR d) (r - j) <= sum (fun s => ind (tick3 s) * ind (strand_runs_beside_root (d, j, i) s)) (range r t).
  Proof.
    intros hd hj hi. destruct (hpath_of d j i hd hj hi) as (u & hu & hlu & hui & hpend & _). set (lu := path_of (d, j, i)) in *.
    destruct (in_chosen d j hj) as (hrel & hj0 & he & _). destruct (hstr d (r - j) hd he) as (hst & _). destruct (hearly d (r - j) hd he) as (hage & _).
    assert (hnode : forall y, In y lu -> In y (nodes S)) by (intros y hy; destruct (on_strand d j i y hd hj hi hy) as (h1 & _); apply in_dag_nodes in h1; tauto).
    set (E := fun y s => ind (executes S h g j y s)).
    assert (hE : forall y, In y lu -> sum (E y) (range r t) <= exec a y).
    { intros y hy. exact (law_exec laws y j r t (hnode y hy)). }
    assert (hE0 : forall y s, 0 <= E y s <= 1) by (intros; apply ind_range).
    assert (hq : sum (fun s => sum (fun y => ind (pool S y =? q) * E y s) lu) (range r t) <= GC d).
    { rewrite (sum_exchange (fun s y => ind (pool S y =? q) * E y s)). etransitivity; [|exact (sd_queue hst lu u hu hlu)]. apply sum_le. intros y hy.
      rewrite sum_scale. specialize (hE y hy). pose proof (ind_range (pool S y =? q)). nia. }
    assert (hr0 : sum (fun s => sum (fun y => ind (root d y) * E y s) lu) (range r t) <= root_left (C d) (FR d) (r - j)).
    { unfold root_left. destruct (Z.leb_spec (FR d) (r - j)) as [hFR|hFR].
      - apply Z.eq_le_incl. apply sum_zero. intros s hs. rewrite in_range in hs. apply sum_zero. intros y hy.
        destruct (root d y) eqn:hroot; cbn [ind]; [|lia]. unfold E, executes.
        destruct (on_strand d j i y hd hj hi hy) as (hyd & _). destruct (sd_root hst y hyd hroot) as (_ & hFy). apply in_dag_nodes in hyd.
        replace (pending S h y j s) with false; [reflexivity|]. symmetry. unfold pending.
        rewrite (legal_done lg y j (j + F y) s); [apply andb_false_r | | lia].
        apply met; [tauto | destruct hyd as (_ & ->); exact hrel | left; fold t; lia].
      - rewrite (sum_exchange (fun s y => ind (root d y) * E y s)). etransitivity; [|exact (sd_in_root hst lu u hu hlu)]. apply sum_le. intros y hy.
        rewrite sum_scale. specialize (hE y hy). pose proof (ind_range (root d y)). nia. }
    assert (hsplit : forall s, r <= s < t -> tick3 s = true ->
              (exists y, In y lu /\ executes S h g j y s = true /\ (pool S y = p \/ pool S y = q))).
    { intros s hs h3. apply andb_prop in h3. destruct h3 as (h3 & hnq). apply andb_prop in h3. destruct h3 as (het & hnp).
      apply negb_true_iff in hnq, hnp. destruct (hpend s hs het) as (y & hy & hp). exists y. split; [exact hy|].
      destruct (on_strand d j i y hd hj hi hy) as (hyd & _). pose proof (sd_pools hst y hyd) as hpool. split; [|exact hpool].
      unfold executes. rewrite hp. destruct (waits g y j s) eqn:hw; [|reflexivity]. exfalso.
      assert (hin : In (d, j, i) instances) by (apply in_instances; auto).
      assert (hsw : forall P, pool S y = P -> strand_waits P (d, j, i) s = true).
      { intros P hP. apply existsb_exists. exists y. split; [exact hy|]. cbn [fst snd]. now rewrite hP, Z.eqb_refl, hw. }
      destruct hpool as [hP|hP].
      - enough (waits_p s = true) by congruence. apply existsb_exists. eauto.
      - enough (waits_q s = true) by congruence. apply existsb_exists. eauto. }
    assert (hqn : forall s, 0 <= sum (fun y => ind (pool S y =? q) * E y s) lu).
    { intros s. apply sum_nonneg. intros y _. specialize (hE0 y s). pose proof (ind_range (pool S y =? q)). nia. }
    assert (hrn : forall s, 0 <= sum (fun y => ind (root d y) * E y s) lu).
    { intros s. apply sum_nonneg. intros y _. specialize (hE0 y s). pose proof (ind_range (root d y)). nia. }
    assert (hqy : forall s y, In y lu -> executes S h g j y s = true -> pool S y = q -> 1 <= sum (fun y => ind (pool S y =? q) * E y s) lu).
    { intros s y hy hex hP. etransitivity; [|apply (sum_in (fun y => ind (pool S y =? q) * E y s) lu y); [|exact hy]].
      - cbv beta. unfold E. rewrite hP, Z.eqb_refl, hex. cbn. lia.
      - intros z _. specialize (hE0 z s). pose proof (ind_range (pool S z =? q)). nia. }
    split.
    - enough (span tick3 <= sum (fun s => ind (tick3 s) * ind (strand_runs (d, j, i) s)) (range r t)
                + sum (fun s => sum (fun y => ind (pool S y =? q) * E y s) lu) (range r t)) by lia.
      rewrite <- sum_add. apply sum_le. intros s hs. rewrite in_range in hs. specialize (hqn s).
      destruct (tick3 s) eqn:h3; cbn [ind]; [|lia]. destruct (hsplit s hs h3) as (y & hy & hex & [hP|hP]); [|pose proof (hqy s y hy hex hP);
        pose proof (ind_range (strand_runs (d, j, i) s)); lia].
      replace (strand_runs (d, j, i) s) with true; [cbn [ind]; lia|]. symmetry. apply existsb_exists. exists y. split; [exact hy|]. cbn [fst snd].
      now rewrite hP, Z.eqb_refl, hex.
    - enough (span tick3 <= sum (fun s => ind (tick3 s) * ind (strand_runs_beside_root (d, j, i) s)) (range r t)
                + sum (fun s => sum (fun y => ind (pool S y =? q) * E y s) lu) (range r t)
                + sum (fun s => sum (fun y => ind (root d y) * E y s) lu) (range r t)) by lia.
      rewrite <- !sum_add. apply sum_le. intros s hs. rewrite in_range in hs. specialize (hqn s). specialize (hrn s).
      pose proof (ind_range (strand_runs_beside_root (d, j, i) s)).
      destruct (tick3 s) eqn:h3; cbn [ind]; [|lia]. destruct (hsplit s hs h3) as (y & hy & hex & [hP|hP]); [|pose proof (hqy s y hy hex hP); lia].
      destruct (root d y) eqn:hroot.
      + enough (1 <= sum (fun y => ind (root d y) * E y s) lu) by lia.
        etransitivity; [|apply (sum_in (fun y => ind (root d y) * E y s) lu y); [|exact hy]].
        * cbv beta. unfold E. rewrite hroot, hex. cbn. lia.
        * intros z _. specialize (hE0 z s). pose proof (ind_range (root d z)). nia.
      + replace (strand_runs_beside_root (d, j, i) s) with true; [cbn [ind]; lia|]. symmetry. apply existsb_exists. exists y. split; [exact hy|].
        cbn [fst snd]. now rewrite hP, Z.eqb_refl, hroot, hex.
  Qed.

  Lemma live_nodup d j : early d (r - j) = true -> In d (other_dags S v) -> NoDup (live d j).
  Proof. intros he hd. destruct (hstr d (r - j) hd he) as (hst & _). apply NoDup_filter. exact (proj1 (sd_names hst)). Qed.

  Lemma picked_nodup d j : early d (r - j) = true -> In d (other_dags S v) -> NoDup (picked d j).
  Proof.
    intros he hd. pose proof (live_nodup d j he hd) as nd. unfold picked. rewrite <- (firstn_skipn (Z.to_nat (n d)) (live d j)) in nd.
    revert nd. generalize (firstn (Z.to_nat (n d)) (live d j)), (skipn (Z.to_nat (n d)) (live d j)). intros l1 l2. induction l1 as [|x l1 IH]; intros nd; [constructor|].
    inversion nd; subst. constructor; [|auto]. intros hin. apply H1. apply in_app_iff. now left.
  Qed.

  (** One early job. *)
  Lemma ran_for d j : In d (other_dags S v) -> In j (chosen d) ->
    run_for (span tick3) (GC d) (root_left (C d) (FR d) (r - j)) (Z.of_nat (length (picked d j))) <= sum (fun s => ind (tick3 s) * ran d j s) (range r t).
  Proof.
    intros hd hj. destruct (in_chosen d j hj) as (_ & _ & he & _). pose proof (picked_nodup d j he hd) as nd.
    assert (h0 : forall s, 0 <= ind (tick3 s) * ran d j s).
    { intros s. apply Z.mul_nonneg_nonneg; [apply ind_range|]. apply sum_nonneg. intros u hu. now apply (ran_term d). }
    destruct (picked d j) as [|i0 is] eqn:hp; [apply sum_nonneg; auto|].
    assert (hin : forall i, In i (i0 :: is) -> In i (picked d j)) by (intros i hi; now rewrite hp).
    transitivity (sum (fun s => ind (tick3 s) * ind (strand_runs (d, j, i0) s)) (range r t)
      + sum (fun i => sum (fun s => ind (tick3 s) * ind (strand_runs_beside_root (d, j, i) s)) (range r t)) is).
    - unfold run_for. destruct (Z.leb_spec (Z.of_nat (length (i0 :: is))) 0) as [hle|_]; [cbn [length] in hle; lia|].
      replace (Z.of_nat (length (i0 :: is)) - 1) with (Z.of_nat (length is)) by (cbn [length]; lia). apply Z.add_le_mono.
      + destruct (strand_time d j i0 hd hj (hin i0 (or_introl eq_refl))) as (h1 & _). apply Z.max_lub; [|exact h1].
        apply sum_nonneg. intros s _. pose proof (ind_range (tick3 s)). pose proof (ind_range (strand_runs (d, j, i0) s)). nia.
      + rewrite Z.mul_comm, <- sum_const. apply sum_le. intros i hi. destruct (strand_time d j i hd hj (hin i (or_intror hi))) as (_ & h1).
        apply Z.max_lub; [|exact h1].
        apply sum_nonneg. intros s _. pose proof (ind_range (tick3 s)). pose proof (ind_range (strand_runs_beside_root (d, j, i) s)). nia.
    - rewrite (sum_exchange (fun i s => ind (tick3 s) * ind (strand_runs_beside_root (d, j, i) s))), <- sum_add. apply sum_le. intros s hs.
      rewrite sum_scale. destruct (tick3 s) eqn:h3; cbn [ind]; [|lia].
      assert (het : early_tick s = true) by (unfold tick3 in h3; apply andb_prop in h3; destruct h3 as (h3 & _); apply andb_prop in h3; tauto).
      pose proof (ran_at_least d j i0 is s hd hj nd hin het). lia.
  Qed.

  (** All that counts while the path executes. *)
  Definition strands_run : Z :=
    sum (fun d => sum (fun j => run_for (span tick3) (GC d) (root_left (C d) (FR d) (r - j)) (Z.of_nat (length (picked d j)))) (chosen d)) (other_dags S v).

  Lemma extra_total P : sum (fun u => sum (extra u) (range 0 (t + 1))) (on_pool S P) = sum (extra_in P) (range r t).
  Proof.
    unfold extra_in. rewrite (sum_exchange (fun s u => sum (fun r' => ind (beside_path u r' s) * work g u r' s) (range 0 (t + 1)))).
    apply sum_eq. intros u _. unfold extra. apply (sum_exchange (fun r' s => ind (beside_path u r' s) * work g u r' s)).
  Qed.

  Lemma extra_p : (m - 1) * span tick1 + strands_run <= sum (fun u => sum (extra u) (range 0 (t + 1))) (on_pool S p).
  Proof.
    rewrite extra_total.
    transitivity (sum (fun s => (m - 1) * ind (tick1 s) + ind (tick3 s) * sum (fun d => sum (fun j => ran d j s) (chosen d)) (other_dags S v)) (range r t)).
    - rewrite sum_add, sum_scale. apply Z.add_le_mono_l. unfold strands_run.
      rewrite (sum_eq (fun s => ind (tick3 s) * sum (fun d => sum (fun j => ran d j s) (chosen d)) (other_dags S v))
        (fun s => sum (fun d => sum (fun j => ind (tick3 s) * ran d j s) (chosen d)) (other_dags S v))).
      2: { intros s _. rewrite <- sum_scale. apply sum_eq. intros d _. now rewrite <- sum_scale. }
      rewrite sum_exchange. apply sum_le. intros d hd. rewrite sum_exchange. apply sum_le. intros j hj. now apply ran_for.
    - apply sum_le. intros s hs. rewrite in_range in hs. pose proof (extra_in_nonneg p s). pose proof (extra_ran s).
      pose proof (in_tick1 s hs) as h1. assert (hex : tick1 s = true -> tick3 s = false).
      { unfold tick1, tick3. destruct (early_tick s), (waits_p s); cbn; auto; discriminate. }
      destruct (tick1 s); [rewrite (hex eq_refl); specialize (h1 eq_refl); cbn [ind]; lia|]. destruct (tick3 s); cbn [ind]; lia.
  Qed.

  Lemma extra_q : cap a q * span tick2 <= sum (fun u => sum (extra u) (range 0 (t + 1))) (on_pool S q).
  Proof.
    rewrite extra_total. unfold span. rewrite <- sum_scale. apply sum_le. intros s hs. rewrite in_range in hs.
    pose proof (extra_in_nonneg q s). pose proof (in_tick2 s hs) as h2. destruct (tick2 s); [specialize (h2 eq_refl); cbn [ind]; lia | cbn [ind]; lia].
  Qed.

  Lemma early_split : span early_tick = span tick1 + span tick2 + span tick3.
  Proof.
    unfold span. rewrite <- !sum_add. apply sum_eq. intros s _. unfold tick1, tick2, tick3.
    destruct (early_tick s), (waits_p s), (waits_q s); reflexivity.
  Qed.

  (** How long the path executes before its nodes on q, at most E. *)
  Definition executed : Z := sum (fun y => ind (before y) * sum (fun s => ind (executes S h g r y s)) (range r (t + 1))) l.

  Lemma early_executed : span early_tick <= executed /\ executed <= sum (fun y => ind (before y) * exec a y) l.
  Proof.
    pose proof t_after as ht. split.
    - unfold executed. rewrite (sum_eq _ (fun y => sum (fun s => ind (before y) * ind (executes S h g r y s)) (range r (t + 1)))) by (intros; now rewrite sum_scale).
      rewrite (sum_exchange (fun y s => ind (before y) * ind (executes S h g r y s))).
      transitivity (sum (fun s => sum (fun y => ind (before y) * ind (executes S h g r y s)) l) (range r t)).
      + apply sum_le. intros s _. destruct (early_tick s) eqn:he; cbn [ind].
        * apply existsb_exists in he. destruct he as (y & hy & he). apply andb_prop in he. destruct he as (hb & he).
          etransitivity; [|apply (sum_in (fun y => ind (before y) * ind (executes S h g r y s)) l y); [|exact hy]].
          -- cbv beta. rewrite hb, he. cbn. lia.
          -- intros z _. pose proof (ind_range (before z)). pose proof (ind_range (executes S h g r z s)). nia.
        * apply sum_nonneg. intros z _. pose proof (ind_range (before z)). pose proof (ind_range (executes S h g r z s)). nia.
      + apply sum_range_incl; [|lia|lia]. intros s _. apply sum_nonneg. intros z _. pose proof (ind_range (before z)).
        pose proof (ind_range (executes S h g r z s)). nia.
    - apply sum_le. intros y hy. pose proof (law_exec laws y r r (t + 1) (proj1 (in_path y hy))) as he. pose proof (ind_range (before y)).
      unfold executes. nia.
  Qed.

  (** Where a strand is waited for, all of these have ended by t. *)
  Lemma executed_early : (exists d j i, In d (other_dags S v) /\ In j (chosen d) /\ In i (picked d j)) -> executed <= span early_tick.
  Proof.
    intros (d & j & i & hd & hj & hi). destruct (hpath_of d j i hd hj hi) as (_ & _ & _ & _ & _ & hdone). pose proof t_after as ht.
    unfold executed, span. rewrite (sum_eq _ (fun y => sum (fun s => ind (before y) * ind (executes S h g r y s)) (range r (t + 1)))) by (intros; now rewrite sum_scale).
    rewrite (sum_exchange (fun y s => ind (before y) * ind (executes S h g r y s))).
    rewrite (sum_range_split _ r t (t + 1)), range_one by lia. cbn [sum].
    rewrite (sum_zero (fun y => ind (before y) * ind (executes S h g r y t))).
    2: { intros y _. destruct (before y) eqn:hb; [|reflexivity]. unfold executes, pending. rewrite (hdone y hb), andb_false_r. reflexivity. }
    rewrite !Z.add_0_r. apply sum_le. intros s _. destruct (early_tick s) eqn:he; cbn [ind].
    - destruct (early_tick_spec s he) as (z & hz & hzl & hzp & _).
      rewrite (sum_unique _ _ z); [pose proof (ind_range (before z)); pose proof (ind_range (executes S h g r z s)); nia
        | exact (path_nodup S l v wf hv hl) | exact hzl|].
      intros y hy hne. destruct (executes S h g r y s) eqn:hex; [|cbn [ind]; lia]. exfalso. apply hne. apply andb_prop in hex. destruct hex as (hex & _).
      now apply (only_one y z s).
    - apply Z.eq_le_incl. apply sum_zero. intros y hy. destruct (before y) eqn:hb; [|reflexivity].
      destruct (executes S h g r y s) eqn:hex; [|reflexivity]. exfalso.
      enough (early_tick s = true) by congruence. apply existsb_exists. exists y. now rewrite hb, hex.
  Qed.

  (** Sums over all node jobs of a pool, job by job. *)
  Lemma by_job P (f : node -> Z -> Z) : (forall u j, In u (nodes S) -> f u j <> 0 -> released h (dag S u) j = true) ->
    sum (fun u => sum (f u) (range 0 (t + 1))) (on_pool S P)
    = sum (fun u => f u r) (dag_here S (dag S v) P)
      + sum (fun j => sum (fun u => f u j) (dag_here S (dag S v) P)) (filter (fun j => negb (j =? r)) (jobs_of (dag S v)))
      + sum (fun d => sum (fun j => sum (fun u => f u j) (dag_here S d P)) (jobs_of d)) (other_dags S v).
  Proof.
    intros hrel. pose proof t_after as ht. pose proof (legal_start lg _ _ hr) as hr0.
    assert (hdag : forall d, sum (fun j => sum (fun u => f u j) (dag_here S d P)) (jobs_of d) = sum (fun u => sum (f u) (range 0 (t + 1))) (dag_here S d P)).
    { intros d. rewrite sum_exchange. apply sum_eq. intros u hu. apply in_dag_here in hu. destruct hu as (hu & hd & _). unfold jobs_of.
      rewrite sum_filter. apply sum_eq. intros j _. destruct (released h d j) eqn:he; cbn [ind]; [lia|].
      destruct (Z.eq_dec (f u j) 0) as [->|hne]; [lia|]. specialize (hrel u j hu hne). congruence. }
    replace (sum (fun u => sum (f u) (range 0 (t + 1))) (on_pool S P))
      with (sum (fun u => ind (pool S u =? P) * sum (f u) (range 0 (t + 1))) (nodes S)) by (unfold on_pool; now rewrite sum_filter).
    rewrite (sum_by_dag S v (fun u => ind (pool S u =? P) * sum (f u) (range 0 (t + 1))) hv).
    assert (hhere : forall d, sum (fun u => ind (pool S u =? P) * sum (f u) (range 0 (t + 1))) (dag_nodes S d)
              = sum (fun u => sum (f u) (range 0 (t + 1))) (dag_here S d P)) by (intros d; unfold dag_here; now rewrite sum_filter).
    f_equal.
    - rewrite hhere, <- hdag. rewrite (sum_split_one (fun j => j =? r) (fun j => sum (fun u => f u j) (dag_here S (dag S v) P))). f_equal.
      + rewrite (sum_unique _ _ r); [rewrite Z.eqb_refl; cbn [ind]; lia | apply NoDup_filter, range_nodup | |].
        * apply filter_In. split; [apply in_range; lia | exact hr].
        * intros j _ hne. destruct (Z.eqb_spec j r); [contradiction | cbn [ind]; lia].
      + now rewrite sum_filter.
    - apply sum_eq. intros d _. now rewrite hhere, hdag.
  Qed.

  Lemma jobs_apart d : In d (dag S v :: other_dags S v) -> pattern (period S d) (map (fun j => r - j) (jobs_of d)).
  Proof.
    intros hd. assert (exists u, In u (nodes S) /\ dag S u = d) as (u & hu & <-).
    { destruct hd as [<-|hd]; [eauto|]. apply filter_In in hd. destruct hd as (hd & _). apply nodup_In, in_map_iff in hd.
      destruct hd as (u & <- & hu). eauto. }
    pose proof (legal_sporadic lg u hu) as hsp. split.
    - apply FinFun.Injective_map_NoDup; [intros i j; lia | apply NoDup_filter, range_nodup].
    - intros x y hx hy hne. apply in_map_iff in hx, hy. destruct hx as (i & <- & hi), hy as (j & <- & hj).
      apply filter_In in hi, hj. destruct hi as (_ & hi), hj as (_ & hj).
      destruct (Z.lt_trichotomy i j) as [hlt|[->|hlt]]; [right | lia | left].
      + specialize (hsp i j hi hj hlt). lia.
      + specialize (hsp j i hj hi hlt). lia.
  Qed.

  Lemma own_jobs_apart : pattern (period S (dag S v)) (0 :: map (fun j => r - j) (filter (fun j => negb (j =? r)) (jobs_of (dag S v)))).
  Proof.
    destruct (jobs_apart (dag S v) (or_introl eq_refl)) as (nd & hap). pose proof t_after as ht. pose proof (legal_start lg _ _ hr) as hr0.
    assert (hrin : In 0 (map (fun j => r - j) (jobs_of (dag S v)))).
    { apply in_map_iff. exists r. split; [ring|]. apply filter_In. split; [apply in_range; lia | exact hr]. }
    assert (hsub : forall x, In x (map (fun j => r - j) (filter (fun j => negb (j =? r)) (jobs_of (dag S v)))) ->
              In x (map (fun j => r - j) (jobs_of (dag S v))) /\ x <> 0).
    { intros x hx. apply in_map_iff in hx. destruct hx as (j & <- & hj). apply filter_In in hj. destruct hj as (hj & hne).
      apply negb_true_iff, Z.eqb_neq in hne. split; [now apply (in_map (fun j => r - j)) | lia]. }
    split.
    - constructor.
      + intros hin. destruct (hsub 0 hin) as (_ & hne). now apply hne.
      + apply FinFun.Injective_map_NoDup; [intros i j; lia | apply NoDup_filter, NoDup_filter, range_nodup].
    - intros x y hx hy. apply hap; [destruct hx as [<-|hx] | destruct hy as [<-|hy]]; auto; now apply hsub.
  Qed.

  Context (part : node -> Z -> Z) (hpart : parts_cover S a F part) (excluded : node -> bool) (hexcl : forall u, excluded u = true -> ancestor S v u).

  Definition most_on (P : Z) : Z :=
    sum (own_once a l excluded) (dag_here S (dag S v) P)
    + sum (fun j => parts_on S F lim part (dag S v) P (r - j)) (filter (fun j => negb (j =? r)) (jobs_of (dag S v)))
    + sum (fun d => sum (fun j => parts_on S F lim part d P (r - j)) (jobs_of d)) (other_dags S v).

  Lemma here_node d P u : In u (dag_here S d P) -> In u (nodes S).
  Proof. intros hu. apply in_dag_here in hu. tauto. Qed.

  Lemma all_on P : sum (fun u => sum (mw u) (range 0 (t + 1))) (on_pool S P) + sum (fun u => sum (extra u) (range 0 (t + 1))) (on_pool S P) <= most_on P.
  Proof.
    rewrite <- sum_add. transitivity (sum (fun u => sum (fun j => mw u j + extra u j) (range 0 (t + 1))) (on_pool S P)).
    { apply Z.eq_le_incl, sum_eq. intros u _. symmetry. apply (sum_add (mw u) (extra u)). }
    etransitivity; [apply Z.eq_le_incl, (by_job P (fun u j => mw u j + extra u j)); intros u j hu hne; now apply both_recent|].
    unfold most_on. apply Z.add_le_mono; [apply Z.add_le_mono|].
    - apply sum_le. intros u hu. apply both_own; [exact hexcl | eapply here_node; eauto].
    - apply sum_le. intros j _. apply sum_le. intros u hu. apply both_part; [exact hpart | eapply here_node; eauto].
    - apply sum_le. intros d _. apply sum_le. intros j _. apply sum_le. intros u hu. apply both_part; [exact hpart | eapply here_node; eauto].
  Qed.

  (** What strands would do on q for which the path does not wait. *)
  Definition not_live (d j : Z) : Z :=
    sum (fun u => ind (negb (existsb (Z.eqb (strand d u)) (live d j))) * counted_part F lim part u (r - j)) (dag_here S d q).
  Definition not_waited_for : Z :=
    sum (fun d => sum (fun j => if Z.of_nat (length (live d j)) <? n d then not_live d j else 0) (chosen d)) (other_dags S v).

  Lemma part_nonneg u x : In u (nodes S) -> 0 <= counted_part F lim part u x.
  Proof. intros hu. unfold counted_part. destruct (hpart u x hu) as (_ & h0 & _). destruct (counts_at F lim u x); lia. Qed.

  Lemma not_live_nonneg d j : 0 <= not_live d j.
  Proof.
    apply sum_nonneg. intros u hu. pose proof (part_nonneg u (r - j) (here_node _ _ _ hu)).
    pose proof (ind_range (negb (existsb (Z.eqb (strand d u)) (live d j)))). nia.
  Qed.

  Lemma waited_on_q : sum (fun u => sum (mw u) (range 0 (t + 1))) (on_pool S q) + not_waited_for <= most_on q.
  Proof.
    assert (hboth : forall u j, In u (nodes S) -> mw u j <= mw u j + extra u j) by (intros u j hu; pose proof (extra_nonneg u j hu); lia).
    etransitivity.
    { apply Z.add_le_mono_r, Z.eq_le_incl, (by_job q mw). intros u j hu hne. apply both_recent; [exact hu|]. pose proof (extra_nonneg u j hu).
      pose proof (mw_nonneg u j hu). lia. }
    unfold most_on. rewrite <- Z.add_assoc. apply Z.add_le_mono; [apply Z.add_le_mono|].
    - apply sum_le. intros u hu. pose proof (here_node _ _ _ hu) as hun. pose proof (both_own u excluded hexcl hun). specialize (hboth u r hun). lia.
    - apply sum_le. intros j _. apply sum_le. intros u hu. pose proof (here_node _ _ _ hu) as hun. pose proof (both_part part u j hpart hun).
      specialize (hboth u j hun). lia.
    - unfold not_waited_for. rewrite <- sum_add. apply sum_le. intros d hd. unfold chosen. rewrite sum_filter, <- sum_add. apply sum_le. intros j hj.
      unfold parts_on.
      assert (hplain : sum (fun u => mw u j) (dag_here S d q) <= sum (fun u => counted_part F lim part u (r - j)) (dag_here S d q)).
      { apply sum_le. intros u hu. pose proof (here_node _ _ _ hu) as hun. pose proof (both_part part u j hpart hun). specialize (hboth u j hun). lia. }
      destruct (early d (r - j)) eqn:he; cbn [ind]; [|rewrite Z.mul_0_l, Z.add_0_r; exact hplain].
      destruct (Z.of_nat (length (live d j)) <? n d); [|rewrite Z.mul_0_r, Z.add_0_r; exact hplain]. rewrite Z.mul_1_l.
      unfold not_live. rewrite <- sum_add. apply sum_le. intros u hu. pose proof (here_node _ _ _ hu) as hun.
      pose proof (both_part part u j hpart hun). specialize (hboth u j hun).
      destruct (existsb (Z.eqb (strand d u)) (live d j)) eqn:hl'; cbn [negb ind]; [lia|].
      enough (mw u j = 0) by lia. destruct (Z.eq_dec (mw u j) 0) as [|hne]; [auto|]. exfalso.
      enough (existsb (Z.eqb (strand d u)) (live d j) = true) by congruence. apply existsb_exists. exists (strand d u). split; [|apply Z.eqb_refl].
      destruct (hstr d (r - j) hd he) as (hst & _). apply filter_In. split; [now apply (sd_names hst)|].
      apply existsb_exists. exists u. split; [exact hu|]. rewrite Z.eqb_refl, (proj2 (Z.eqb_neq _ _) hne). reflexivity.
  Qed.

  (** How many strands are waited for. *)
  Definition strands_waited : Z := sum (fun d => sum (fun j => Z.of_nat (length (picked d j))) (chosen d)) (other_dags S v).

  Lemma picked_length d j : early d (r - j) = true -> In d (other_dags S v) -> Z.of_nat (length (picked d j)) = Z.min (Z.of_nat (length (live d j))) (n d).
  Proof. intros he hd. destruct (hstr d (r - j) hd he) as (_ & hn). unfold picked. rewrite firstn_length. lia. Qed.

  Context (M : Z) (share : Z -> Z) (hM : common_multiple S a M share) (G : Z) (red : Z -> Z -> Z).
  Let E := sum (fun y => ind (before y) * exec a y) l.
  Context (hloses : forall d x, In d (other_dags S v) -> early d x = true ->
     loses S F lim part share p q d m E G (n d) (strand d) (names d) (GC d) (C d) (FR d) x (red d x)).
  Context (hG : sum (fun d => sum (fun j => n d) (chosen d)) (other_dags S v) <= G) (hGm : G <= m - 1).
  Context (hshare : 0 <= share p /\ share p * m = M /\ 0 <= share q /\ share q * cap a q = M) (hm : 0 < m).

  Lemma strands_few : 0 <= strands_waited <= G /\ forall d j, In d (other_dags S v) -> In j (chosen d) -> Z.of_nat (length (live d j)) < n d ->
    strands_waited <= G - n d + Z.of_nat (length (live d j)).
  Proof.
    assert (hle : forall d j, In d (other_dags S v) -> In j (chosen d) -> 0 <= n d - Z.of_nat (length (picked d j))).
    { intros d j hd hj. destruct (in_chosen d j hj) as (_ & _ & he & _). rewrite (picked_length d j he hd). lia. }
    assert (hsum : strands_waited = sum (fun d => sum (fun j => n d) (chosen d)) (other_dags S v)
              - sum (fun d => sum (fun j => n d - Z.of_nat (length (picked d j))) (chosen d)) (other_dags S v)).
    { unfold strands_waited. rewrite <- sum_sub. apply sum_eq. intros d _. rewrite <- sum_sub. apply sum_eq. intros j _. ring. }
    assert (h0 : forall d, In d (other_dags S v) -> 0 <= sum (fun j => n d - Z.of_nat (length (picked d j))) (chosen d)).
    { intros d hd. apply sum_nonneg. intros j hj. now apply hle. }
    split.
    - split; [apply sum_nonneg; intros d _; apply sum_nonneg; intros; lia|]. rewrite hsum.
      pose proof (sum_nonneg (fun d => sum (fun j => n d - Z.of_nat (length (picked d j))) (chosen d)) (other_dags S v) h0). lia.
    - intros d j hd hj hlt. destruct (in_chosen d j hj) as (_ & _ & he & _). rewrite hsum.
      pose proof (sum_in (fun d => sum (fun j => n d - Z.of_nat (length (picked d j))) (chosen d)) (other_dags S v) d h0 hd) as h1. cbv beta in h1.
      pose proof (sum_in (fun j => n d - Z.of_nat (length (picked d j))) (chosen d) j (fun j hj => hle d j hd hj) hj) as h2. cbv beta in h2.
      rewrite (picked_length d j he hd) in h2. lia.
  Qed.

  Lemma not_waited_nonneg : 0 <= not_waited_for.
  Proof.
    apply sum_nonneg. intros d _. apply sum_nonneg. intros j _. pose proof (not_live_nonneg d j). destruct (_ <? _); lia.
  Qed.

  (** All that is taken off was not waited for. *)
  Theorem taken_off :
    sum (fun d => sum (fun j => red d (r - j)) (chosen d)) (other_dags S v)
    <= M * (E - executed) + share p * sum (fun u => sum (extra u) (range 0 (t + 1))) (on_pool S p)
       + share q * (most_on q - sum (fun u => sum (mw u) (range 0 (t + 1))) (on_pool S q)).
  Proof.
    destruct hshare as (hsp & hspm & hsq & hsqc). destruct strands_few as ((hN0 & hNG) & hNfew). destruct early_executed as (he1 & he2). fold E in he2.
    pose proof early_split as hsplit. pose proof not_waited_nonneg as hD0.
    apply (overlap_sums m M (share p) (share q) (cap a q) strands_waited E executed (span tick1) (span tick2) (span tick3) _ _ not_waited_for _ strands_run);
      auto; try lia.
    - apply sum_nonneg. intros s _. apply ind_range.
    - apply sum_nonneg. intros s _. apply ind_range.
    - destruct (Z.eq_dec strands_waited 0) as [|hne]; [now left | right]. rewrite <- hsplit. apply executed_early.
      assert (hpos : 0 < strands_waited) by lia. apply sum_pos_in in hpos. destruct hpos as (d & hd & hpos). apply sum_pos_in in hpos.
      destruct hpos as (j & hj & hpos). cbv beta in hpos. exists d, j. destruct (picked d j) as [|i is] eqn:hp; [cbn in hpos; lia|]. exists i.
      split; [exact hd|]. split; [exact hj | now left].
    - pose proof waited_on_q. apply Z.mul_le_mono_nonneg_l; [exact hsq | lia].
    - pose proof (all_on q). pose proof extra_q. apply Z.mul_le_mono_nonneg_l; [exact hsq | lia].
    - exact extra_p.
    - replace ((m - strands_waited) * (share q * not_waited_for))
        with (sum (fun d => sum (fun j => (m - strands_waited) * share q * (if Z.of_nat (length (live d j)) <? n d then not_live d j else 0)) (chosen d)) (other_dags S v)).
      2: { unfold not_waited_for. rewrite Z.mul_assoc, <- sum_scale. apply sum_eq. intros d _. now rewrite sum_scale. }
      assert (hSN : strands_run + strands_waited * (E - span tick3)
                = sum (fun d => sum (fun j => run_for (span tick3) (GC d) (root_left (C d) (FR d) (r - j)) (Z.of_nat (length (picked d j)))
                    + Z.of_nat (length (picked d j)) * (E - span tick3)) (chosen d)) (other_dags S v)).
      { unfold strands_run, strands_waited. rewrite <- sum_scale_r, <- sum_add. apply sum_eq. intros d _. rewrite <- sum_scale_r, <- sum_add. reflexivity. }
      rewrite hSN.
      rewrite <- (sum_scale m), <- (sum_scale (m * share p)), <- sum_add. apply sum_le. intros d hd.
      rewrite <- (sum_scale m), <- (sum_scale (m * share p)), <- sum_add. apply sum_le. intros j hj.
      destruct (in_chosen d j hj) as (_ & _ & he & _). destruct (hstr d (r - j) hd he) as (hst & hn).
      pose proof (hloses d (r - j) hd he (live d j) (live_nodup d j he hd)) as hred. cbv zeta in hred.
      specialize (hred ltac:(intros i hi; apply filter_In in hi; tauto)). rewrite <- (picked_length d j he hd) in hred.
      assert (hC : 0 <= root_left (C d) (FR d) (r - j)) by (unfold root_left; pose proof (sd_C hst); destruct (FR d <=? r - j); lia).
      pose proof (run_for_slope (span tick3) E (GC d) (root_left (C d) (FR d) (r - j)) (Z.of_nat (length (picked d j))) hC ltac:(
        assert (0 <= span tick1 /\ 0 <= span tick2) by (split; apply sum_nonneg; intros; apply ind_range); lia) ltac:(lia)) as hslope.
      assert (hmsp : 0 <= m * share p) by nia.
      pose proof (Z.mul_le_mono_nonneg_l _ _ (m * share p) hmsp hslope) as hslope'.
      etransitivity; [exact hred|]. rewrite Z.add_comm. apply Z.add_le_mono; [|exact hslope'].
      destruct (Z.ltb_spec (Z.of_nat (length (live d j))) (n d)) as [hlt|hge]; [|lia].
      specialize (hNfew d j hd hj hlt). fold (not_live d j). pose proof (not_live_nonneg d j) as hnl.
      rewrite (Z.mul_comm (m - strands_waited)). apply Z.mul_le_mono_nonneg_r; [exact hnl|]. apply Z.mul_le_mono_nonneg_l; lia.
  Qed.
End Overlap.

Lemma sum_over_two S l p q (share X : Z -> Z) : p <> q -> In p (visited S l) -> In q (visited S l) ->
  (forall y, In y l -> pool S y = p \/ pool S y = q) ->
  sum (fun P => share P * X P) (visited S l) = share p * X p + share q * X q.
Proof.
  intros hpq hp hq hall.
  rewrite (sum_eq _ (fun P => ind (P =? p) * (share P * X P) + ind (P =? q) * (share P * X P))).
  - assert (nd : NoDup (visited S l)) by apply NoDup_nodup.
    rewrite sum_add, (sum_unique (fun P => ind (P =? p) * (share P * X P)) _ p nd hp), (sum_unique (fun P => ind (P =? q) * (share P * X P)) _ q nd hq);
      [rewrite !Z.eqb_refl; cbn [ind]; ring | |];
      intros P _ hne; [destruct (Z.eqb_spec P q) | destruct (Z.eqb_spec P p)]; try contradiction; cbn [ind]; ring.
  - intros P hP. apply in_visited in hP. destruct hP as (y & hy & <-). destruct (hall y hy) as [e|e]; rewrite e, Z.eqb_refl.
    + rewrite (proj2 (Z.eqb_neq p q) hpq). cbn [ind]. ring.
    + rewrite (proj2 (Z.eqb_neq q p)) by congruence. cbn [ind]. ring.
Qed.

(** A path for which the inequality holds explains no missed due instant. *)
Theorem overlapped_late S h g a full busy F lim v r l0 x0 l :
  well_formed S -> legal S h -> keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) ->
  (forall p, full p = true -> of_processors S a p /\ runs_or_waits S h g p) ->
  In v (nodes S) -> limits S F v lim -> overlapped_path S a F lim v l full ->
  released h (dag S v) r = true -> met_before S h F v r -> first_busy S busy F v r -> done h v r (r + F v) = false ->
  path S l0 x0 -> ancestor_or_self S x0 v -> (forall s, r <= s <= r + F v -> exists y, In y l0 /\ pending S h y r s = true) ->
  path S l v -> incl l0 l -> False.
Proof.
  intros wf lg laws hbusy hF hfull hv hlim hover hr met first missed hl0 hx0 cover hl hincl.
  destruct hover as (M & share & part & excluded & p & q & m & Y & Yk & before & G & early & n & red & root & strand & names & GC & C & FR & others & own
    & hM & hpart & (hpq & hvp & hvq & hcap & hlagp & hlagq & hproc & hordp & hordq) & hk & hexcl & hbefore & hearly & hloses & hG & hGm & hothers & hown & hle).
  destruct (hfull p hproc) as (hof & hruns).
  pose proof (proj1 (in_visited S l q) hvq) as (wq & hwq & hwqp).
  assert (hnode : forall y, In y l -> In y (nodes S) /\ dag S y = dag S v) by exact (path_nodes S l v wf hv hl).
  assert (hk' : forall u, In u (dag_nodes S (dag S v)) -> (pool S u = p /\ Y u = Yk) \/ pool S u = q) by exact hk.
  assert (hpools : forall y, In y l -> pool S y = p \/ pool S y = q).
  { intros y hy. destruct (hk y) as [(e & _)|e]; [apply in_dag_nodes; auto | now left | now right]. }
  assert (hlag0 : forall y, In y l -> lagging a (pool S y) = 0) by (intros y hy; destruct (hpools y hy) as [->| ->]; auto).
  pose proof hM as (Mpos & hcm).
  assert (hvbefore : before v = false).
  { destruct (before v) eqn:hb; [|reflexivity]. exfalso. destruct (hbefore v hb) as (_ & _ & hanc). specialize (hanc wq hwq hwqp).
    assert (hvv : ancestor S v v).
    { destruct (path_ancestors S l v hl wq hwq) as [e|ha]; [now rewrite e in hanc | eapply ancestor_trans; eauto]. }
    destruct (ancestor_facts S v v wf hv hvv) as (_ & _ & hlt). lia. }
  set (t := r + F v) in *. set (mw := meanwhile S g F busy v r l).
  set (EE := fun y => if before y then sum (fun s => ind (executes S h g r y s)) (range r (t + 1)) else exec a y).
  pose proof (explained_by S h g a wf lg laws F hF busy v r hv l0 x0 hl0 hx0 cover l hl hincl hbusy (fun _ => 0)) as hex.
  specialize (hex (fun y hy => blocked_work S h g a wf lg laws F hF v r hv met (fun _ _ => true) (fun _ => 0) y
    ltac:(intros q0 u0 _ _ e; discriminate) (proj1 (hnode y hy)) (proj2 (hnode y hy)) (no_blocking S a F (fun _ _ => true) y (hlag0 y hy))) M share).
  specialize (hex (conj Mpos (fun y hy => hcm y (proj1 (hnode y hy)))) EE).
  specialize (hex ltac:(intros y hy; unfold EE; destruct (before y); [apply Z.le_refl | apply (law_exec laws); now apply hnode])).
  specialize (hex ltac:(unfold EE; now rewrite hvbefore)).
  change (meanwhile S g F busy v r l) with mw in hex. fold t in hex.
  rewrite (sum_over_two S l p q share (fun P => sum (fun u => sum (mw u) (range 0 (t + 1))) (on_pool S P)) hpq hvp hvq hpools) in hex.
  (* shares *)
  assert (hshares : forall y, In y l -> 0 < share (pool S y)).
  { intros y hy. specialize (hcm y (proj1 (hnode y hy))). pose proof (law_cap laws y (proj1 (hnode y hy))) as (h1 & _). nia. }
  apply in_visited in hvp. destruct hvp as (yp & hyp & hypp).
  assert (hsp : 0 < share p) by (rewrite <- hypp; auto). assert (hsq : 0 < share q) by (rewrite <- hwqp; auto).
  assert (hspm : share p * m = M) by (rewrite <- hcap, <- hypp; apply hcm, hnode; auto).
  assert (hsqc : share q * cap a q = M) by (rewrite <- hwqp; apply hcm, hnode; auto).
  assert (hm : 0 < m) by nia.
  (* strands *)
  assert (hstr : forall d x, In d (other_dags S v) -> early d x = true ->
            stranded S a F p q d (root d) (strand d) (names d) (GC d) (C d) (FR d) /\ 0 <= n d) by (intros d x hd he; destruct (hloses d x hd he); tauto).
  destruct (choice_on (fun i j : Z * Z * Z => ltac:(repeat decide equality) : {i = j} + {i <> j}) [] (instances S h g F busy v r l q early n strand names)
    (fun i lu => follows S h g F v r l q before strand (fst (fst i)) (snd (fst i)) (snd i) lu)) as (path_of & hpath_of).
  { intros ((d, j), i) hin. apply in_instances in hin. destruct hin as (hd & hj & hi). cbn [fst snd].
    exact (some_path S h g a wf lg laws F hF busy v r hv l0 x0 hl0 hx0 cover l hl hincl p q Y Yk before hbefore early n strand names hearly d j i hd hj hi). }
  assert (hpath : forall d j i, In d (other_dags S v) -> In j (chosen h F v r early d) -> In i (picked S g F busy v r l q n strand names d j) ->
            follows S h g F v r l q before strand d j i (path_of (d, j, i))).
  { intros d j i hd hj hi. apply (hpath_of (d, j, i)). apply in_instances. auto. }
  pose proof (taken_off S h g a wf lg laws F hF busy hbusy v r hv hr met first missed l0 x0 hl0 hx0 cover l hl hincl lim hlim p q m Y Yk before hpq hcap hlagp
    hordp hordq hof hruns hk' hbefore wq hwq hwqp early n root strand names GC C FR hearly hstr path_of hpath part hpart excluded hexcl M share G red) as htaken.
  specialize (htaken ltac:(intros d x hd he; destruct (hloses d x hd he) as (_ & _ & hlo); exact hlo)).
  assert (happly : forall (f : Z -> Z -> Z) d, sum (fun j => f d j) (chosen h F v r early d)
            = sum (fun x => ind (early d x) * f d (r - x)) (map (fun j => r - j) (jobs_of h F v r d))).
  { intros f d. unfold chosen. rewrite sum_filter, sum_map. apply sum_eq. intros j _. now replace (r - (r - j)) with j by ring. }
  assert (hapart : forall d, In d (dag S v :: other_dags S v) -> pattern (period S d) (map (fun j => r - j) (jobs_of h F v r d))).
  { intros d hd. exact (jobs_apart S h lg F v r hv d hd). }
  specialize (htaken ltac:(
    rewrite (sum_eq _ (fun d => sum (fun x => ind (early d x) * n d) (map (fun j => r - j) (jobs_of h F v r d)))) by (intros d _; exact (happly (fun d _ => n d) d));
    apply hG; intros d hd; apply hapart; now right) hGm).
  specialize (htaken (conj (Z.lt_le_incl _ _ hsp) (conj hspm (conj (Z.lt_le_incl _ _ hsq) hsqc))) hm).
  pose proof (all_on S h g a wf lg laws F hF busy hbusy v r hv hr met first missed l0 x0 hl0 hx0 cover l hl hincl lim hlim p q Y Yk before hpq
    hordp hordq hk' hbefore wq hwq hwqp part hpart excluded hexcl p) as hallp.
  fold t mw in htaken, hallp.
  set (Wp := sum (fun u => sum (mw u) (range 0 (t + 1))) (on_pool S p)) in *.
  set (Wq := sum (fun u => sum (mw u) (range 0 (t + 1))) (on_pool S q)) in *.
  set (Xp := sum (fun u => sum (extra S h g F v r l p q Y Yk before u) (range 0 (t + 1))) (on_pool S p)) in *.
  set (Cp := most_on S h a F v r l lim part excluded p) in *. set (Cq := most_on S h a F v r l lim part excluded q) in *.
  set (R := sum (fun d => sum (fun j => red d (r - j)) (chosen h F v r early d)) (other_dags S v)) in *.
  set (E1 := executed S h g F v r l before) in *.
  set (E := sum (fun y => ind (before y) * exec a y) l) in *.
  (* what is executed *)
  assert (hEE : sum (fun y => M * EE y + share (pool S y) * 0) l = M * (sum (exec a) l - E + E1)).
  { unfold E, E1, executed. fold t. rewrite <- sum_sub, <- sum_add, <- sum_scale. apply sum_eq. intros y _. unfold EE. destruct (before y); cbn [ind]; ring. }
  rewrite hEE in hex.
  (* what is covered *)
  assert (hcover : share p * Cp + share q * Cq <= own + sum others (other_dags S v) + R).
  { specialize (hown _ (own_jobs_apart S h g a lg laws F hF v r hv hr)).
    rewrite (sum_map (fun j => r - j)) in hown.
    assert (hsplit : forall f : node -> Z, sum (fun u => share (pool S u) * f u) (dag_nodes S (dag S v))
              = share p * sum f (dag_here S (dag S v) p) + share q * sum f (dag_here S (dag S v) q)).
    { intros f. unfold dag_here. rewrite !sum_filter, <- !sum_scale, <- sum_add. apply sum_eq. intros u hu.
      destruct (hk u hu) as [(e & _)|e]; rewrite e, Z.eqb_refl.
      - rewrite (proj2 (Z.eqb_neq p q) hpq). cbn [ind]. ring.
      - rewrite (proj2 (Z.eqb_neq q p)) by congruence. cbn [ind]. ring. }
    rewrite (hsplit (own_once a l excluded)), sum_add, !sum_scale in hown.
    assert (hoth : share p * sum (fun d => sum (fun j => parts_on S F lim part d p (r - j)) (jobs_of h F v r d)) (other_dags S v)
              + share q * sum (fun d => sum (fun j => parts_on S F lim part d q (r - j)) (jobs_of h F v r d)) (other_dags S v)
              <= sum others (other_dags S v) + R).
    { unfold R. rewrite <- !sum_scale, <- !sum_add. apply sum_le. intros d hd. rewrite <- !sum_scale, <- sum_add.
      specialize (hothers d _ hd (hapart d (or_intror hd))). rewrite (sum_map (fun j => r - j)), sum_sub in hothers.
      unfold chosen. rewrite sum_filter. lia. }
    unfold Cp, Cq, most_on. lia. }
  assert (hWX : share p * (Wp + Xp) <= share p * Cp) by (apply Z.mul_le_mono_nonneg_l; lia).
  lia.
Qed.

Section T10v.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  (** One node: it meets its due instants if the inequality holds, as long as earlier ones are met. *)
  Theorem T10v_safe g a full busy F v :
    keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    (forall p, full p = true -> of_processors S a p /\ runs_or_waits S h g p) ->
    In v (nodes S) -> overlapped_inequality S a full F v -> safe_with S h busy F v.
  Proof.
    intros laws hbusy hF hfull hv (lim & hlim & hineq) r hr met first.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    destruct (late_path_on S h wf lg v r (F v) hv hr (F_nonneg S h g a laws F hF v hv) missed) as (l0 & x & l & hl0 & hx & cover & hl & hincl).
    destruct (hineq l hl) as [hal | hov].
    - eapply (aligned_late S h wf lg g a busy F lim v r l0 x l); eauto. exact (limits_are_sound S h g a F v lim wf lg laws hv hlim).
    - eapply (overlapped_late S h g a full busy F lim v r l0 x l); eauto.
  Qed.
End T10v.

(** Early jobs as they are printed: released from <= x < from + jobs T before the path's, of which there are no more than jobs. *)
Theorem early_window T from jobs xs : 0 < T -> 0 <= jobs -> pattern T xs -> sum (fun x => ind ((from <=? x) && (x <? from + jobs * T))) xs <= jobs.
Proof.
  intros hT hj hp. set (f := fun x => ind ((from <=? x) && (x <? from + jobs * T))).
  etransitivity; [apply (pattern_sum T from jobs xs f hT hj hp)|].
  - intros x _ hne. unfold f in hne. destruct (Z.leb_spec from x); [auto | now elim hne].
  - intros x y hxy. unfold f. rewrite (proj2 (Z.leb_le from x)), (proj2 (Z.leb_le from y)) by lia. cbn [andb].
    destruct (Z.ltb_spec x (from + jobs * T)), (Z.ltb_spec y (from + jobs * T)); cbn [ind]; lia.
  - intros x hx. unfold f. destruct (Z.ltb_spec x (from + jobs * T)); [lia|]. now rewrite andb_false_r.
  - transitivity (sum (fun _ => 1) (range 0 jobs)); [apply sum_le; intros; apply ind_range|]. rewrite sum_range_const; lia.
Qed.
