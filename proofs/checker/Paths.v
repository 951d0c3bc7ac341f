(** Inequality (2) of T10n, decided: all paths to a node by a table of (pools visited, length), which is computed, then checked. *)

From Coq Require Import FMapPositive MSetPositive.
From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Inequality path.T10n checker.Table checker.Input checker.Structure.

(** Counts are small: a few subtractions are quicker than a division. *)
Fixpoint small_div (n : nat) (a b q : Z) : Z :=
  match n with
  | O => q + a / b
  | Datatypes.S n' => if a <? b then q else small_div n' (a - b) b (q + 1)
  end.

Lemma small_div_spec n a b q : 0 < b -> 0 <= a -> small_div n a b q = q + a / b.
Proof.
  intros hb. revert a q. induction n as [|n IH]; intros a q ha; cbn [small_div]; [reflexivity|].
  destruct (Z.ltb_spec a b); [rewrite Z.div_small; lia|]. rewrite IH by lia.
  replace a with (a - b + 1 * b) at 2 by lia. rewrite Z.div_add; lia.
Qed.

Definition quick_div (a b : Z) : Z := if (0 <=? a) && (0 <? b) then small_div 8 a b 0 else a / b.
Definition quick_cdiv (a b : Z) : Z := if 0 <? b then quick_div (a + b - 1) b else cdiv a b.

Lemma quick_div_spec a b : quick_div a b = a / b.
Proof.
  unfold quick_div. destruct (Z.leb_spec 0 a), (Z.ltb_spec 0 b); cbn [andb]; try reflexivity. now rewrite small_div_spec.
Qed.

Lemma quick_cdiv_spec a b : quick_cdiv a b = cdiv a b.
Proof.
  unfold quick_cdiv. destruct (Z.ltb_spec 0 b) as [hb|]; [|reflexivity]. rewrite quick_div_spec. unfold cdiv.
  pose proof (Z.div_mod (- a) b ltac:(lia)). pose proof (Z.mod_pos_bound (- a) b hb).
  symmetry. apply (Z.div_unique_pos _ _ _ (b - 1 - (- a) mod b)); lia.
Qed.

Definition quick_count (own : bool) (T Fu : Z) (descendant : bool) (lim : option Z) : Z :=
  match lim with
  | None => 0
  | Some l =>
    if own then (if descendant then 0 else if 0 <=? l then 1 else 0)
                + (Z.max 0 (quick_cdiv (Fu + Z.min l (- T)) T) + (if 0 <=? l then quick_div l T else 0))
    else Z.max 0 (quick_cdiv (Fu + l) T)
  end.

Lemma quick_count_spec S F v descendant lim u :
  quick_count (dag S u =? dag S v) (period S (dag S u)) (F u) (descendant u) (lim u) = count S F v descendant lim u.
Proof.
  unfold quick_count, count, count_own, count_other. destruct (dag S u =? dag S v), (lim u); try reflexivity; now rewrite !quick_cdiv_spec, ?quick_div_spec.
Qed.

Section Paths.
  Context (t : tables) (ups : table set).
  Let S := the_system t.
  Let a := the_accounts t.
  Let F := bound t.

  (** M: the least common multiple of the capacities; share p = M / cap p. *)
  Definition compute_multiple : Z := fold_right (fun v m => Z.lcm (cap a (pool S v)) m) 1 (t_ids t).

  (** Blocking on pools that do not preempt: at most [lagging] pieces. For any level, n pieces are n times level and what longer ones have
      more; the least over all levels is the sum of the largest pieces. *)
  Definition is_parallel (q u : node) : bool := negb (u =? q) && negb (has (up ups q) u) && negb (has (up ups u) q).

  Definition blocking_at (q : node) (level : Z) : Z :=
    level * lagging a (pool S q)
      + sum (fun u => count_lagging S F is_parallel q u * Z.max 0 (vol a u - level)) (on_pool S (pool S q)).

  Definition compute_blocking (q : node) : Z :=
    if lagging a (pool S q) =? 0 then 0
    else fold_right (fun level b => Z.min (blocking_at q level) b) (blocking_at q 0)
           (filter (Z.leb 0) (nodup Z.eq_dec (map (vol a) (on_pool S (pool S q))))).

  Context (blk : node -> Z).

  Context (M : Z).
  Definition share (p : Z) : Z := Z.max 0 (M / cap a p).
  Definition check_multiple : bool := (0 <? M) && forallb (fun v => share (pool S v) * cap a (pool S v) =? M) (t_ids t).

  (** What a path gains at node v, M times: e - (s - Blk)/cap. *)
  Definition gain (v : Z) : Z := M * exec a v - share (pool S v) * (last a v - blk v).

  Definition entry : Type := (set * Z)%type.

  Definition covers (e e' : entry) : bool := Set_.subset (fst e') (fst e) && (snd e' <=? snd e).

  (* Keep no entry that another one covers. *)
  Definition add_entry (e : entry) (l : list entry) : list entry :=
    if existsb (fun e' => covers e' e) l then l else e :: filter (fun e' => negb (covers e e')) l.

  Definition further (v : Z) (e : entry) : entry := (include (pool S v) (fst e), snd e + gain v).
  Definition alone (v : Z) : entry := (include (pool S v) Set_.empty, gain v).

  Definition compute_paths : table (list entry) :=
    fold_left (fun m v =>
      let es := match preds S v with
                | [] => [alone v]
                | ps => fold_left (fun l q => fold_left (fun l e => add_entry (further v e) l) (look_or [] m q) l) ps []
                end in put v es m) (t_ids t) empty.

  Context (paths : table (list entry)).
  Definition paths_to (v : Z) : list entry := look_or [] paths v.

  Definition check_paths (v : Z) : bool :=
    match preds S v with
    | [] => existsb (fun e => covers e (alone v)) (paths_to v)
    | ps => forallb (fun q => forallb (fun e => existsb (fun e' => covers e' (further v e)) (paths_to v)) (paths_to q)) ps
    end.

  (** The limits of v on pool p. *)
  Definition limit_max (x y : option Z) : option Z :=
    match x, y with
    | None, o => o
    | o, None => o
    | Some m, Some n => Some (Z.max m n)
    end.

  Definition on_same_pool (v p : Z) : list Z := filter (fun q => pool S q =? p) (members (up ups v)).

  Definition limits_on (v p : Z) : node -> option Z :=
    let qs := on_same_pool v p in
    match order_of S p with
    | Fifo => let l := fold_right (fun q m => limit_max (Some (ready_bound S F q)) m) None qs in fun _ => l
    | Gel Y =>
      (* One point for all, as GEL by DAG has it: one minimum in place of one per node. *)
      match qs with
      | [] => fun _ => None
      | q0 :: _ =>
        let y := Y q0 in
        let f := fold_right (fun q m => Z.max (F q) m) (F q0) qs in
        if forallb (fun q => Y q =? y) qs then fun u => Some (Z.min f (y - Y u))
        else fun u => fold_right (fun q m => limit_max (limit S F q u) m) None qs
      end
    | _ => fun u => fold_right (fun q m => limit_max (limit S F q u) m) None qs
    end.

  Definition is_descendant (v u : Z) : bool := negb (u =? v) && has (up ups u) v.

  (** Work on pool p that may run while a path to v waits. *)
  Definition work_on (v p : Z) : Z :=
    let lim := limits_on v p in
    let d := dag S v in
    sum (fun u => quick_count (dag S u =? d) (period S (dag S u)) (F u) (is_descendant v u) (lim u) * vol a u) (on_pool S p).

  Definition check_T10n (v : Z) : bool :=
    let es := paths_to v in
    let ps := members (fold_right (fun e s => Set_.union (fst e) s) Set_.empty es) in
    let works := table_of (map (fun p => (p, share p * work_on v p)) ps) in
    forallb (fun e => snd e + sum (fun p => look_or 0 works p) (members (fst e)) <=? M * F v) es.
End Paths.

Section Sound.
  Context (i : input) (ups : table set).
  Let t := tables_of i.
  Let S := the_system t.
  Let a := the_accounts t.
  Let F := bound t.
  Context (ok : check_structure t ups = true) (M : Z) (okM : check_multiple t M = true).
  Context (blk : node -> Z) (hblk : forall q, In q (nodes S) -> blk q = compute_blocking t ups q).
  Context (paths : table (list entry)) (okP : forall v, In v (nodes S) -> check_paths t blk M paths v = true).

  Lemma parallel_checked : parallel_sound S (is_parallel ups).
  Proof.
    intros q u hq hu h. unfold is_parallel in h. destruct (Z.eqb_spec u q) as [->|hne]; [now left|]. right. cbn [negb andb] in h.
    destruct (has (up ups q) u) eqn:h1; [left | destruct (has (up ups u) q) eqn:h2; [right | discriminate]].
    - destruct (up_exact i ups ok u q hq h1); [contradiction | auto].
    - destruct (up_exact i ups ok q u hu h2); [congruence | auto].
  Qed.

  Lemma blocking_at_covers q level n : 0 <= level ->
    (forall u, In u (on_pool S (pool S q)) -> 0 <= n u <= count_lagging S F (is_parallel ups) q u) ->
    sum n (on_pool S (pool S q)) <= lagging a (pool S q) -> sum (fun u => n u * vol a u) (on_pool S (pool S q)) <= blocking_at t ups q level.
  Proof.
    intros hlevel hn hsum. unfold blocking_at. fold S a F.
    transitivity (sum (fun u => level * n u + count_lagging S F (is_parallel ups) q u * Z.max 0 (vol a u - level)) (on_pool S (pool S q))).
    - apply sum_le. intros u hu. specialize (hn u hu). assert (vol a u <= level + Z.max 0 (vol a u - level)) by lia.
      assert (0 <= Z.max 0 (vol a u - level)) by lia. nia.
    - rewrite sum_add, sum_scale. nia.
  Qed.

  Lemma blocking_checked q : In q (nodes S) -> blocking_covers S a F (is_parallel ups) blk q.
  Proof.
    intros hq n hn hsum. rewrite (hblk q hq). unfold compute_blocking. fold S a.
    destruct (Z.eqb_spec (lagging a (pool S q)) 0) as [h0|hne].
    - exact (no_blocking S a F (is_parallel ups) q h0 n hn hsum).
    - assert (hall : forall ls, (forall level, In level ls -> 0 <= level) ->
                sum (fun u => n u * vol a u) (on_pool S (pool S q)) <= fold_right (fun level b => Z.min (blocking_at t ups q level) b)
                  (blocking_at t ups q 0) ls).
      { induction ls as [|x ls IH]; intros hls; cbn [fold_right]; [apply blocking_at_covers; auto; lia|].
        apply Z.min_glb; [apply blocking_at_covers; auto; apply hls; now left | apply IH; intros y hy; apply hls; now right]. }
      apply hall. intros level hl. apply filter_In in hl. now apply Z.leb_le.
  Qed.

  Lemma multiple_sound : common_multiple S a M (share t M).
  Proof.
    pose proof okM as h. unfold check_multiple in h. apply andb_prop in h. destruct h as (hM & h). apply Z.ltb_lt in hM.
    split; [exact hM|]. intros u hu. rewrite forallb_forall in h. specialize (h u hu). now apply Z.eqb_eq.
  Qed.

  Lemma has_include z s x : 0 <= z -> has (include z s) x = true <-> x = z \/ has s x = true.
  Proof.
    intros hz. unfold has, include. rewrite !andb_true_iff, !Z.leb_le, !Set_.mem_spec, Set_.add_spec. split.
    - intros (hx & [e|h]); [left; now apply key_inj | right; auto].
    - intros [->|(hx & h)]; auto.
  Qed.

  Lemma covers_spec e e' : covers e e' = true -> snd e' <= snd e /\ forall p, has (fst e') p = true -> has (fst e) p = true.
  Proof.
    unfold covers. rewrite andb_true_iff, Z.leb_le. intros (h1 & h2). split; [exact h2|]. intros p. now apply has_subset.
  Qed.

  Lemma pools_nonneg v : In v (nodes S) -> 0 <= pool S v.
  Proof.
    intros hv. pose proof (ok_cap i v (node_is_ok i ups ok v hv)) as h.
    change (0 < p_cap (pool_of t (pool S v))) in h. unfold pool_of, look_or, look in h.
    destruct (Z.leb_spec 0 (pool S v)); [auto | cbn [no_pool p_cap] in h; lia].
  Qed.

  (* Every path is covered by an entry of the table. *)
  Lemma path_covered l v : In v (nodes S) -> path S l v ->
    exists e, In e (paths_to paths v) /\ path_length S a M (share t M) blk l <= snd e /\ forall x, In x l -> has (fst e) (pool S x) = true.
  Proof.
    intros hv hp. revert hv. induction hp as [v hpreds | l q v hp IH hq]; intros hv; pose proof (okP v hv) as h; unfold check_paths in h.
    - fold S in h. rewrite hpreds in h. apply existsb_exists in h. destruct h as (e & he & hc). apply covers_spec in hc.
      destruct hc as (h1 & h2). exists e. split; [exact he|]. split.
      + unfold path_length. cbn [sum]. cbn [alone snd] in h1. unfold gain in h1. fold S a in h1. lia.
      + intros x [<-|[]]. apply h2. unfold alone. cbn [fst]. apply has_include; [now apply pools_nonneg | now left].
    - destruct (ok_preds i v (node_is_ok i ups ok v hv) q hq) as (hqn & _ & _).
      destruct (IH hqn) as (e & he & hlen & hvis).
      fold S in h. destruct (preds S v) as [|q0 qs] eqn:hpreds; [destruct hq|].
      rewrite forallb_forall in h. specialize (h q hq). rewrite forallb_forall in h. specialize (h e he).
      apply existsb_exists in h. destruct h as (e' & he' & hc). apply covers_spec in hc. destruct hc as (h1 & h2).
      exists e'. split; [exact he'|]. split.
      + unfold path_length in *. cbn [sum]. cbn [further snd] in h1. unfold gain in h1. fold S a in h1. lia.
      + intros x hx. apply h2. unfold further. cbn [fst]. apply has_include; [now apply pools_nonneg|].
        destruct hx as [->|hx]; [now left|]. right. auto.
  Qed.

  Lemma limit_le_trans x y z : limit_le x y -> limit_le y z -> limit_le x z.
  Proof. destruct x, y, z; cbn; lia. Qed.

  Lemma limit_max_l x y : limit_le x (limit_max x y).
  Proof. destruct x, y; cbn; lia. Qed.

  Lemma limit_max_r x y : limit_le y (limit_max x y).
  Proof. destruct x, y; cbn; lia. Qed.

  Lemma fold_max (f : Z -> option Z) l q : In q l -> limit_le (f q) (fold_right (fun q m => limit_max (f q) m) None l).
  Proof.
    induction l as [|x l IH]; [easy|]. intros [->|hq]; cbn [fold_right]; [apply limit_max_l|].
    eapply limit_le_trans; [now apply IH | apply limit_max_r].
  Qed.

  Lemma fold_largest (f : Z -> Z) d l q : In q l -> f q <= fold_right (fun q m => Z.max (f q) m) d l.
  Proof.
    induction l as [|x l IH]; [easy|]. intros [->|hq]; cbn [fold_right]; [lia|]. specialize (IH hq). lia.
  Qed.

  Lemma limits_sound v : In v (nodes S) -> limits S F v (fun u => limits_on t ups v (pool S u) u).
  Proof.
    intros hv q u hq hu hp. unfold limits_on. fold S F.
    assert (hin : In q (on_same_pool t ups v (pool S u))).
    { unfold on_same_pool. apply filter_In. split; [|fold S; now apply Z.eqb_eq].
      apply in_members. now apply (up_complete i ups ok). }
    rewrite hp in *. unfold limit at 1. destruct (order_of S (pool S q)) eqn:ho.
    - exact (fold_max (fun q => Some (ready_bound S F q)) _ q hin).
    - pose proof (fold_max (fun q => limit S F q u) _ q hin) as h. cbv beta in h. unfold limit at 1 in h. rewrite ho in h.
      destruct (on_same_pool t ups v (pool S q)) as [|q0 qs] eqn:hqs; [destruct hin|].
      destruct (forallb (fun x => Y x =? Y q0) (q0 :: qs)) eqn:hall; [|exact h].
      rewrite forallb_forall in hall. pose proof (hall q hin) as hy. apply Z.eqb_eq in hy.
      pose proof (fold_largest F (F q0) (q0 :: qs) q hin). cbn [limit_le]. lia.
    - pose proof (fold_max (fun q => limit S F q u) _ q hin) as h. cbv beta in h. unfold limit at 1 in h. rewrite ho in h. exact h.
    - pose proof (fold_max (fun q => limit S F q u) _ q hin) as h. cbv beta in h. unfold limit at 1 in h. rewrite ho in h. exact h.
  Qed.

  Lemma descendant_sound v u : In u (nodes S) -> is_descendant ups v u = true -> ancestor S v u.
  Proof.
    intros hu h. unfold is_descendant in h. apply andb_prop in h. destruct h as (hne & h). apply negb_true_iff, Z.eqb_neq in hne.
    destruct (up_exact i ups ok v u hu h) as [->|ha]; [contradiction | exact ha].
  Qed.

  Theorem T10n_checked v : In v (nodes S) -> check_T10n t ups M paths v = true -> path_inequality S a F v.
  Proof.
    intros hv h. exists M, (share t M), (fun _ => is_descendant ups v), (fun u => limits_on t ups v (pool S u) u), (is_parallel ups), blk.
    split; [exact multiple_sound|]. split; [exact parallel_checked|].
    split; [intros q hq; apply blocking_checked; now apply (ancestor_or_self_facts S q v (structure_sound i ups ok) hv hq)|]. split;
      [intros l u _ hu hd; left; now apply descendant_sound|]. split; [now apply limits_sound|].
    intros l hl. destruct (path_covered l v hv hl) as (e & he & hlen & hvis).
    unfold check_T10n in h. rewrite forallb_forall in h. specialize (h e he). apply Z.leb_le in h. fold F in h.
    unfold path_bound. etransitivity; [|exact h]. apply Z.add_le_mono; [exact hlen|].
    set (ps := members (fold_right (fun e s => Set_.union (fst e) s) Set_.empty (paths_to paths v))) in *.
    (* the table of works holds what it should for every pool of the entry *)
    assert (hps : forall p, In p (members (fst e)) -> In p ps).
    { intros p hp. apply in_members in hp. apply in_members.
      assert (hsub : forall es, In e es -> has (fold_right (fun e s => Set_.union (fst e) s) Set_.empty es) p = true).
      { induction es as [|x es IH]; [easy|]. unfold has in *. rewrite andb_true_iff, Set_.mem_spec in hp. destruct hp as (hp0 & hpm).
        intros hin. cbn [fold_right]. rewrite andb_true_iff, Set_.mem_spec, Set_.union_spec. split; [exact hp0|].
        destruct hin as [->|hin]; [now left|]. right. apply IH in hin. rewrite andb_true_iff, Set_.mem_spec in hin. tauto. }
      now apply hsub. }
    assert (hnd : NoDup ps) by apply members_nodup.
    assert (hlook : forall p, In p (members (fst e)) ->
              look_or 0 (table_of (map (fun p => (p, share t M p * work_on t ups v p)) ps)) p = share t M p * work_on t ups v p).
    { intros p hp. unfold look_or. rewrite (table_of_spec _ p (share t M p * work_on t ups v p)); [reflexivity | | |].
      - rewrite map_map, map_id. exact hnd.
      - rewrite map_map, map_id. intros x hx. apply in_members in hx. now apply has_nonneg with
          (s := fold_right (fun e s => Set_.union (fst e) s) Set_.empty (paths_to paths v)).
      - apply in_map_iff. exists p. auto. }
    rewrite (sum_eq _ (fun p => share t M p * work_on t ups v p) (members (fst e))) by exact hlook.
    assert (hsame : forall p, pool_work S a (count S F v (is_descendant ups v) (fun u => limits_on t ups v (pool S u) u)) p = work_on t ups v p).
    { intros p. unfold pool_work, work_on. fold S a F. apply sum_eq. intros u hu. apply in_on_pool in hu. destruct hu as (_ & hup).
      rewrite quick_count_spec. unfold count. rewrite hup. reflexivity. }
    rewrite (sum_eq _ (fun p => share t M p * work_on t ups v p) (visited S l)) by (intros p _; rewrite hsame; reflexivity).
    apply sum_incl.
    - apply NoDup_nodup.
    - intros p hp. apply in_visited in hp. destruct hp as (x & hx & <-). apply in_members. auto.
    - intros p _. apply Z.mul_nonneg_nonneg; [unfold share; lia|]. unfold work_on. fold S a F. apply sum_nonneg. intros u hu.
      apply in_on_pool in hu. destruct hu as (hu & _). pose proof (node_is_ok i ups ok u hu) as hok.
      pose proof (ok_numbers i u hok) as (_ & hvol & _). fold t a in hvol.
      apply Z.mul_nonneg_nonneg; [|lia]. rewrite quick_count_spec. apply count_nonneg. apply (ok_period i u hok).
  Qed.
End Sound.
