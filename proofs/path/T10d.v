(** T10d and T12d: each DAG as a whole. What jobs of a DAG do while a path waits is no more than fits between their release and their end, on
    m processors, in chains, in all. docs/theory/path.md, "T10d"; docs/theory/jitter.md, "T12d". What is left of a job by its age is shown in
    path/ByAge.v; pools without preemption are not here.

    I_d may be half a unit of work, so sums are in halves. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import path.Walk path.Inequality path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w path.Windows path.T12 path.T12w.

(** h(t): the least of m t and some lines j t + q, for times and work in units of 1/k. *)
Definition least_line (m : Z) (lines : list (Z * Z)) (k t : Z) : Z := fold_right (fun jq y => Z.min (fst jq * t + k * snd jq) y) (m * t) lines.

Section Lines.
  Context (m : Z) (lines : list (Z * Z)) (m_nonneg : 0 <= m) (lines_nonneg : forall jq, In jq lines -> 0 <= fst jq /\ 0 <= snd jq).

  Lemma line_above k t jq : In jq ((m, 0) :: lines) -> least_line m lines k t <= fst jq * t + k * snd jq.
  Proof.
    clear. unfold least_line. intros [<-|hin]; cbn [fst snd].
    - induction lines as [|c ls IH]; cbn [fold_right]; lia.
    - induction lines as [|c ls IH]; [easy|]. cbn [fold_right]. destruct hin as [->|hin]; [lia | specialize (IH hin); lia].
  Qed.

  Lemma line_least k t : exists jq, In jq ((m, 0) :: lines) /\ least_line m lines k t = fst jq * t + k * snd jq.
  Proof.
    clear. unfold least_line. induction lines as [|c ls IH]; cbn [fold_right]; [exists (m, 0); cbn; split; [now left | ring]|].
    destruct IH as (jq & hin & heq). destruct (Z.min_spec (fst c * t + k * snd c) (fold_right (fun jq y => Z.min (fst jq * t + k * snd jq) y) (m * t) ls)) as [(_ & ->)|(_ & ->)].
    - exists c. split; [right; now left | reflexivity].
    - exists jq. split; [|exact heq]. destruct hin as [<-|hin]; [now left | right; now right].
  Qed.

  Lemma line_facts jq : In jq ((m, 0) :: lines) -> 0 <= fst jq /\ 0 <= snd jq.
  Proof. intros [<-|hin]; [cbn; lia | now apply lines_nonneg]. Qed.

  Lemma least_line_mono k t t' : 0 <= k -> 0 <= t <= t' -> 0 <= least_line m lines k t <= least_line m lines k t'.
  Proof.
    intros hk ht. split.
    - destruct (line_least k t) as (jq & hin & ->). destruct (line_facts jq hin). nia.
    - destruct (line_least k t') as (jq & hin & ->). pose proof (line_above k t jq hin). destruct (line_facts jq hin). nia.
  Qed.

  Lemma least_line_0 k : 0 <= k -> least_line m lines k 0 = 0.
  Proof. intros hk. pose proof (least_line_mono k 0 0 hk ltac:(lia)). pose proof (line_above k 0 (m, 0) (or_introl eq_refl)). cbn in *. lia. Qed.

  Lemma least_line_scale c k t : 0 <= c -> least_line m lines (c * k) (c * t) = c * least_line m lines k t.
  Proof.
    intros hc. apply Z.le_antisymm.
    - destruct (line_least k t) as (jq & hin & ->). pose proof (line_above (c * k) (c * t) jq hin). lia.
    - destruct (line_least (c * k) (c * t)) as (jq & hin & ->). pose proof (line_above k t jq hin). nia.
  Qed.

  (** It is concave: of two times with a given sum it has most where they are closest. *)
  Lemma least_line_concave k s x b : x <= b -> b <= s - x ->
    least_line m lines k x + least_line m lines k (s - x) <= least_line m lines k b + least_line m lines k (s - b).
  Proof.
    intros h1 h2. destruct (line_least k b) as (c1 & hin1 & ->), (line_least k (s - b)) as (c2 & hin2 & ->).
    destruct (Z_le_gt_dec (fst c2) (fst c1)) as [hle|hgt].
    - pose proof (line_above k x c1 hin1). pose proof (line_above k (s - x) c2 hin2). nia.
    - pose proof (line_above k x c2 hin2). pose proof (line_above k (s - x) c1 hin1). nia.
  Qed.

  (** No more than at half the sum, or as near to it as the limit of one of the two allows. *)
  Lemma least_line_halves k s e t t' : 0 <= k -> 0 <= t -> t <= e -> 0 <= t' -> t + t' <= s -> 
    least_line m lines (2 * k) (2 * t) + least_line m lines (2 * k) (2 * t')
      <= least_line m lines (2 * k) (Z.min s (2 * e)) + least_line m lines (2 * k) (2 * s - Z.min s (2 * e)).
  Proof.
    intros hk ht hte ht' hsum. pose proof (least_line_mono (2 * k) (2 * t') (2 * s - 2 * t) ltac:(lia) ltac:(lia)) as hm.
    destruct (Z_le_gt_dec (2 * t) (Z.min s (2 * e))) as [hle|hgt].
    - pose proof (least_line_concave (2 * k) (2 * s) (2 * t) (Z.min s (2 * e)) hle ltac:(lia)). lia.
    - assert (Z.min s (2 * e) = s) as -> by lia.
      pose proof (least_line_concave (2 * k) (2 * s) (2 * s - 2 * t) s ltac:(lia) ltac:(lia)) as hc.
      replace (2 * s - (2 * s - 2 * t)) with (2 * t) in hc by ring. lia.
  Qed.
End Lines.

(** Of a DAG on as many processors as it likes, where every node starts as soon as it can and takes its worst case: when node u starts, how long all of it
    takes; and E, in halves: on its pool a job is as far E - longest later. *)
Record aging := { soon : node -> Z; longest : Z; twice_E : Z }.

(** Twice what is done there in the last y/2 of the run, in units of 1/k. *)
Definition left_within (S : system) (a : accounts) (d : Z) (ag : aging) (k y : Z) : Z :=
  sum (fun u => Z.min (2 * k * exec a u) (Z.max 0 (y - 2 * k * (longest ag - soon ag u - exec a u)))) (dag_nodes S d).

(** Of DAGs that are [aged] a job that is x old has no more left than is done in the last E - x. *)
Definition with_ages (aged : Z -> option aging) (S : system) (a : accounts) (v : node) (known : ages_known) : ages_known := fun k jobs age j0 W =>
  known k jobs age j0 W /\ forall d ag j U, In d (other_dags S v) -> aged d = Some ag -> In j (jobs d) -> NoDup U -> incl U (dag_nodes S d) ->
    2 * sum (fun u => W u j) U <= left_within S a d ag k (k * twice_E ag - 2 * age j).

Lemma left_nonneg S a d ag k y : 0 <= k -> (forall u, In u (nodes S) -> 0 <= exec a u) -> 0 <= left_within S a d ag k y.
Proof.
  intros hk he. apply sum_nonneg. intros u hu. apply in_dag_nodes in hu. specialize (he u (proj1 hu)). assert (0 <= 2 * k * exec a u) by nia. lia.
Qed.

Lemma left_mono S a d ag k y y' : y <= y' -> left_within S a d ag k y <= left_within S a d ag k y'.
Proof. intros hy. apply sum_le. intros u _. lia. Qed.

Lemma left_scale S a d ag c k y : 0 <= c -> left_within S a d ag (c * k) (c * y) = c * left_within S a d ag k y.
Proof. intros hc. unfold left_within. rewrite <- sum_scale. apply sum_eq. intros u _. nia. Qed.

(** How far n + 1 jobs in a row are apart at least, by their releases: n T without jitter. *)
Definition apart_by (T J n : Z) : Z := Z.max 0 (n * T - J).

Section Whole.
  (* m processors at most are looked at, for L *)
  Context (S : system) (a : accounts) (F : node -> Z) (lim : node -> option Z) (v : node) (m L : Z) (T J : Z -> Z) (aged : Z -> option aging).

  (** The lines of nodes U of a DAG: j disjoint chains, and the rest; and h at most what it is at L and at FU. *)
  Definition lines_of (U : list node) (FU : Z) (lines : list (Z * Z)) : Prop :=
    exists base, (forall jq, In jq base -> exists js, NoDup (concat js) /\ incl (concat js) U /\ (forall c, In c js -> chain S c) /\
        fst jq = Z.of_nat (length js) /\ snd jq = sum (vol a) U - sum (vol a) (concat js)) /\
      forall jq, In jq lines -> In jq base \/ (fst jq = 0 /\ snd jq = Z.max 0 (least_line m base 1 (Z.min L FU))).

  (** Twice I_d of another DAG, all of whose nodes in U end by FU and have limits up to l. *)
  Definition whole_others (d FU l : Z) (lines : list (Z * Z)) (I2 : Z) : Prop :=
    let h := least_line m lines in let D := apart_by (T d) (J d) in
    0 <= I2 /\ (0 < l + FU -> 2 * h 1 (l + FU) <= I2) /\
    forall n, 1 <= n -> 0 < L + FU - D n -> 0 < l + FU - D n ->
      let c := L + FU - D n in let t := Z.min c (2 * (l + FU - D n)) in
      (n - 1) * h 2 (2 * L) + h 2 t + h 2 (2 * c - t) <= I2.

  (** The same where the oldest job does no more than it has left, if it is aged: of it and the youngest, t being how long the former is there at most. *)
  Definition aged_others (d FU l : Z) (lines : list (Z * Z)) (ag : aging) (I2 : Z) : Prop :=
    let h := least_line m lines in let D := apart_by (T d) (J d) in
    0 <= I2 /\ (0 < l + FU -> Z.min (2 * h 1 (l + FU)) (left_within S a d ag 1 (twice_E ag + 2 * l)) <= I2) /\
    forall k n t, 0 < k -> 1 <= n -> 0 < L + FU - D n -> 0 < l + FU - D n -> 0 <= t -> t <= k * (l + FU - D n) -> t <= k * (L + FU - D n) ->
      2 * (n - 1) * h k (k * L) + Z.min (2 * h k t) (left_within S a d ag k (k * (twice_E ag - 2 * FU) + 2 * t)) + 2 * h k (k * (L + FU - D n) - t) <= k * I2.

  (** Of the path's own DAG's other jobs. *)
  Definition whole_own (d FU l : Z) (lines : list (Z * Z)) (I2 : Z) : Prop :=
    let h := least_line m lines 1 in let D := apart_by (T d) (J d) in
    exists N, 0 <= N /\ FU <= D (N + 1) /\ (L <= D (N + 1) \/ l < D (N + 1)) /\
    2 * sum (fun j => h (Z.max 0 (FU - D j)) + (if D j <=? l then h (Z.max 0 (L - D j)) else 0)) (range 1 (N + 1)) <= I2.

  (** Nodes U of DAG d as one; or node by node with the counts of T12, which are T10n's without jitter. *)
  Inductive part_at_most (full : bool) (d : Z) (U : list node) (I2 : Z) : Prop :=
  | part_whole FU l lines : full = true -> NoDup U -> (forall u, In u U -> F u <= FU /\ limit_le (lim u) (Some l)) -> lines_of U FU lines ->
      (if d =? dag S v then whole_own d FU l lines I2 else whole_others d FU l lines I2) -> part_at_most full d U I2
  | part_aged FU l lines ag : full = true -> d <> dag S v -> aged d = Some ag -> NoDup U -> (forall u, In u U -> F u <= FU /\ limit_le (lim u) (Some l)) -> lines_of U FU lines ->
      aged_others d FU l lines ag I2 -> part_at_most full d U I2
  | part_counted (n : node -> Z) : (forall u, In u U -> late_count S F T J v true (lim u) u (n u)) -> 2 * sum (fun u => n u * vol a u) U <= I2 ->
      part_at_most full d U I2.
End Whole.

Lemma cdiv_times k x y : 0 < k -> 0 < y -> cdiv (k * x) (k * y) = cdiv x y.
Proof. intros hk hy. unfold cdiv. replace (- (k * x)) with (k * - x) by ring. now rewrite Z.div_mul_cancel_l by lia. Qed.

Lemma sum_from_1 (f : Z -> Z) N : sum (fun i => f (i + 1)) (range 0 N) = sum f (range 1 (N + 1)).
Proof.
  transitivity (sum f (map (fun i => i + 1) (range 0 N))); [now rewrite sum_map|]. f_equal. unfold range. rewrite map_map.
  replace (Z.to_nat (N + 1 - 1)) with (Z.to_nat (N - 0)) by lia. apply map_ext. intros i. lia.
Qed.

Lemma done_nonneg S a full F lim v p L k jobs age j0 W (hdone : done_meanwhile S a full F lim v L p k jobs age j0 W) d u j :
  In u (dag_here S d p) -> In j (jobs d) -> 0 <= W u j <= k * vol a u.
Proof. intros hu hj. destruct (here_on_pool S p d u hu) as (h1 & h2). apply (dm_volume hdone u j h1). now rewrite h2. Qed.

Section Parts.
  Context (S : system) (wf : well_formed S) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (hv : In v (nodes S)).
  Context (p m L : Z) (hvol : forall u, In u (on_pool S p) -> 0 <= vol a u) (m_nonneg : 0 <= m) (hL : 0 <= L).
  Context (k : Z) (k_pos : 0 < k) (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W : node -> Z -> Z).
  Context (hdone : done_meanwhile S a full F lim v L p k jobs age j0 W).
  Context (T J : Z -> Z) (at_age : Z -> Z -> Z).
  Let dags := dag S v :: other_dags S v.
  Context (hT : forall d, In d dags -> 0 < T d /\ 0 <= J d).
  Context (hage : forall d j, In d dags -> In j (jobs d) -> age j <= at_age d j <= age j + k * J d).
  Context (hord : forall d i j, In d dags -> In i (jobs d) -> In j (jobs d) -> age i < age j -> at_age d i + k * T d <= at_age d j).
  Context (aged : Z -> option aging) (hleft : forall d ag j U, In d (other_dags S v) -> aged d = Some ag -> In j (jobs d) -> NoDup U -> incl U (dag_nodes S d) ->
    2 * sum (fun u => W u j) U <= left_within S a d ag k (k * twice_E ag - 2 * age j)).

  Lemma ages_differ d i j : In d dags -> In i (jobs d) -> In j (jobs d) -> i <> j -> age i < age j \/ age j < age i.
  Proof.
    intros hd hi hj hne. destruct (dm_jobs hdone d hd) as (_ & hap). pose proof (period_pos S wf v hv d hd).
    destruct (hap i j hi hj hne); [left | right]; nia.
  Qed.

  Lemma pattern_of d js : In d dags -> NoDup js -> (forall j, In j js -> In j (jobs d)) -> pattern (k * T d) (map (at_age d) js).
  Proof.
    intros hd nd hin. destruct (hT d hd) as (h1 & _). apply pattern_map; [nia | exact nd|]. intros i j hi hj hne.
    destruct (ages_differ d i j hd (hin i hi) (hin j hj) hne); [left | right]; apply hord; auto.
  Qed.

  Lemma W_nonneg d u j : In u (dag_here S d p) -> In j (jobs d) -> 0 <= W u j <= k * vol a u.
  Proof. exact (done_nonneg S a full F lim v p L k jobs age j0 W hdone d u j). Qed.

  Section Part.
    Context (d : Z) (hd : In d dags) (U : list node) (ndU : NoDup U) (hU : incl U (dag_here S d p)).
    (* what of a job's work is looked at *)
    Context (R : Z -> Z) (hR : forall j, In j (jobs d) -> 0 <= R j <= sum (fun u => W u j) U).
    Context (hRm : full p = true -> forall j FU, In j (jobs d) -> (forall u, In u U -> F u <= FU) -> R j <= m * overlap (k * FU) (k * L) (age j)).

    Section Lines.
      Context (hfull : full p = true) (FU lU : Z) (lines : list (Z * Z)).
      Context (hends : forall u, In u U -> F u <= FU /\ limit_le (lim u) (Some lU)) (hlines : lines_of S a m L U FU lines).
      Let h := least_line m lines.

      Lemma base_nonneg base :
        (forall jq, In jq base -> exists js, NoDup (concat js) /\ incl (concat js) U /\ (forall c, In c js -> chain S c) /\
           fst jq = Z.of_nat (length js) /\ snd jq = sum (vol a) U - sum (vol a) (concat js)) ->
        forall jq, In jq base -> 0 <= fst jq /\ 0 <= snd jq.
      Proof.
        intros hbase jq hin. destruct (hbase jq hin) as (js & nd & hi & _ & -> & ->). split; [lia|].
        enough (sum (vol a) (concat js) <= sum (vol a) U) by lia. apply sum_incl; [exact nd | exact hi|].
        intros u hu. apply hvol. now destruct (here_on_pool S p d u (hU u hu)).
      Qed.

      Lemma lines_nonneg jq : In jq lines -> 0 <= fst jq /\ 0 <= snd jq.
      Proof.
        destruct hlines as (base & hbase & hall). intros hin. destruct (hall jq hin) as [hb|(-> & ->)]; [now apply (base_nonneg base hbase) | lia].
      Qed.

      Lemma h_mono c t t' : 0 <= c -> 0 <= t <= t' -> 0 <= h c t <= h c t'.
      Proof. apply least_line_mono; [exact m_nonneg | exact lines_nonneg]. Qed.

      Lemma job_by_lines j : In j (jobs d) -> R j <= h k (overlap (k * FU) (k * L) (age j)).
      Proof.
        intros hj. set (t := overlap (k * FU) (k * L) (age j)). destruct hlines as (base & hbase & hall).
        assert (ht : 0 <= t) by (unfold t, overlap; lia).
        assert (hb : forall jq, In jq ((m, 0) :: base) -> R j <= fst jq * t + k * snd jq).
        { intros jq hin.
          assert (hw : forall js, NoDup (concat js) -> incl (concat js) U -> (forall c, In c js -> chain S c) ->
                    R j <= Z.of_nat (length js) * t + k * (sum (vol a) U - sum (vol a) (concat js))).
          { intros js h1 h2 h3. pose proof (whole_job S a full F lim v L p k k_pos jobs age j0 W hdone hfull d j U FU js hd hj ndU) as hw. cbv zeta in hw.
            fold t in hw. specialize (hR j hj). specialize (hw ltac:(intros u hu; split; [now apply hU | now apply hends]) h1 h2 h3). lia. }
          destruct hin as [<-|hin].
          - cbn [fst snd]. pose proof (hRm hfull j FU hj (fun u hu => proj1 (hends u hu))) as h1. fold t in h1. lia.
          - destruct (hbase jq hin) as (js & h1 & h2 & h3 & -> & ->). specialize (hw js h1 h2 h3). lia. }
        assert (hbl : forall ls, (forall jq, In jq ls -> In jq base) -> R j <= least_line m ls k t).
        { intros ls hin. destruct (line_least m ls k t) as (jq & hjq & ->). apply hb. destruct hjq as [<-|hjq]; [now left | right; auto]. }
        unfold h. destruct (line_least m lines k t) as (jq & hjq & ->). destruct hjq as [<-|hjq]; [apply hb; now left|].
        destruct (hall jq hjq) as [hin|(-> & ->)]; [apply hb; now right|].
        pose proof (base_nonneg base hbase) as hb0.
        destruct (Z_le_gt_dec 0 (Z.min L FU)) as [hc|hc].
        - etransitivity; [apply (hbl base); auto|].
          pose proof (least_line_mono m base m_nonneg hb0 k t (k * Z.min L FU) ltac:(lia) ltac:(unfold t, overlap; nia)) as h1.
          pose proof (least_line_scale m base k 1 (Z.min L FU) ltac:(lia)) as h2. rewrite Z.mul_1_r in h2. lia.
        - assert (t = 0) as ht0 by (unfold t, overlap; nia). specialize (hb (m, 0) (or_introl eq_refl)). rewrite ht0 in *. cbn [fst snd] in hb. lia.
      Qed.

      (* Jobs that do something there. *)
      Lemma job_active j : In j (jobs d) -> R j <> 0 -> - (k * lU) <= age j < k * FU /\ - (k * L) <= age j.
      Proof.
        intros hj hne. specialize (hR j hj). assert (hpos : 0 < sum (fun u => W u j) U).
        { enough (0 <= sum (fun u => W u j) U) by lia. apply sum_nonneg. intros u hu. now apply (W_nonneg d u j (hU u hu)). }
        apply sum_pos_in in hpos. destruct hpos as (u & hu & hpos). destruct (here_on_pool S p d u (hU u hu)) as (hup & hud).
        destruct (dm_counts hdone u j hup ltac:(now rewrite hud) ltac:(lia)) as (h1 & h2). destruct (hends u hu) as (h3 & h4).
        destruct (lim u) as [x|]; [|easy]. cbn [limit_le] in h4. split; [nia|].
        pose proof (dm_chain hdone hfull [u] d j (F u) hd) as h5. cbn [sum] in h5.
        specialize (h5 ltac:(split; [constructor; [easy | constructor] | intros x1 x2 [<-|[]] [<-|[]]; now left])
                       ltac:(intros u' [<-|[]]; split; [now apply hU | lia]) hj). unfold overlap in h5. lia.
      Qed.

      (* Ages of jobs that do something there, and what the oldest and the youngest do, who are D n apart. *)
      Lemma others_by_ends (f : Z -> Z) hmax I2 :
        (forall j, In j (jobs d) -> 2 * R j <= f (age j)) ->
        (forall x, - (k * lU) <= x < k * FU -> - (k * L) <= x -> f x <= hmax) -> 0 <= I2 ->
        (forall x, - (k * lU) <= x < k * FU -> - (k * L) <= x -> f x <= I2) ->
        (forall n x z, 1 <= n -> - (k * lU) <= z -> x < k * FU -> - (k * L) <= z -> k * apart_by (T d) (J d) n <= x - z -> (n - 1) * hmax + f x + f z <= I2) ->
        2 * sum R (jobs d) <= I2.
      Proof.
        intros hf hfL hI0 hone hmore. destruct (hT d hd) as (hTd & hJd). destruct (dm_jobs hdone d hd) as (nd & hap).
        pose proof (period_pos S wf v hv d hd) as hTS.
        set (act := fun j => (- (k * lU) <=? age j) && (age j <? k * FU) && (- (k * L) <=? age j)).
        set (js := filter act (jobs d)). assert (ndjs : NoDup js) by now apply NoDup_filter.
        assert (hjs : forall j, In j js -> In j (jobs d) /\ (- (k * lU) <= age j < k * FU /\ - (k * L) <= age j)).
        { intros j hj. apply filter_In in hj. destruct hj as (hj & hact). unfold act in hact. split; [exact hj | lia]. }
        assert (hages : pattern (k * period S d) (map age js)).
        { apply pattern_map; [nia | exact ndjs|]. intros i j hi hj hne. apply hap; [now apply hjs | now apply hjs | exact hne]. }
        transitivity (sum f (map age js)).
        { rewrite <- sum_scale. rewrite sum_map. unfold js. rewrite sum_filter. apply sum_le. intros j hj. pose proof (hf j hj). pose proof (hR j hj).
          destruct (act j) eqn:hact; cbn [ind]; [lia|].
          destruct (Z.eq_dec (R j) 0) as [|hne]; [lia|]. exfalso. pose proof (job_active j hj hne). unfold act in hact. lia. }
        apply (window_sum_ends (fun n => k * apart_by (T d) (J d) n) (fun x => - (k * lU) <= x < k * FU /\ - (k * L) <= x) (map age js) f hmax I2).
        - apply hages.
        - intros hne. destruct (spread (k * period S d) (map age js) ltac:(nia) hages hne) as (x & z & hx & hz & hall & _).
          exists x, z. repeat split; auto; try apply hall; auto.
          assert (hne' : map (at_age d) js <> []) by (destruct js; [now elim hne | discriminate]).
          destruct (spread (k * T d) (map (at_age d) js) ltac:(nia) (pattern_of d js hd ndjs ltac:(intros; now apply hjs)) hne') as (nx & nz & hnx & hnz & _ & hsp).
          apply in_map_iff in hnx, hnz. destruct hnx as (jx & <- & hjx), hnz as (jz & <- & hjz).
          pose proof (hage d jx hd ltac:(now apply hjs)). pose proof (hage d jz hd ltac:(now apply hjs)).
          pose proof (hall (age jx) ltac:(now apply in_map)). pose proof (hall (age jz) ltac:(now apply in_map)).
          rewrite map_length in *. unfold apart_by. pose proof (hall x hx). set (n := Z.of_nat (length js) - 1) in *.
          destruct (Z.max_spec 0 (n * T d - J d)) as [(_ & ->)|(_ & ->)]; nia.
        - intros x hx. apply in_map_iff in hx. destruct hx as (j & <- & hj). now apply hjs.
        - intros x (hx & hx'). now apply hfL.
        - exact hI0.
        - intros x (hx & hx'). now apply hone.
        - intros n x z hn (hx & hx') (hz & hz') hD. apply hmore; auto; lia.
      Qed.

      Lemma others_by_whole I2 : whole_others m L T J d FU lU lines I2 ->
        2 * sum R (jobs d) <= k * I2.
      Proof.
        intros (hI0 & hone & hmore).
        assert (hov : forall x, 0 <= overlap (k * FU) (k * L) x <= k * L) by (intros x; unfold overlap; nia).
        apply (others_by_ends (fun x => 2 * h k (overlap (k * FU) (k * L) x)) (2 * h k (k * L))).
        - intros j hj. pose proof (job_by_lines j hj). lia.
        - intros x _ _. pose proof (h_mono k _ _ ltac:(lia) (hov x)). lia.
        - nia.
        - intros x hx hx'. specialize (hone ltac:(nia)). fold h in hone.
          pose proof (h_mono k (overlap (k * FU) (k * L) x) (k * (lU + FU)) ltac:(lia) ltac:(unfold overlap; nia)) as h1.
          pose proof (least_line_scale m lines k 1 (lU + FU) ltac:(lia)) as h2. rewrite Z.mul_1_r in h2. fold h in h2. nia.
        - intros n x z hn hz hx hz' hD. set (D := apart_by (T d) (J d) n) in *. set (t := overlap (k * FU) (k * L) x). set (t' := overlap (k * FU) (k * L) z).
          specialize (hmore n hn). cbv zeta in hmore. fold D h in hmore. specialize (hmore ltac:(nia) ltac:(nia)).
          set (e := lU + FU - D) in *. set (c := L + FU - D) in *.
          pose proof (least_line_halves m lines m_nonneg lines_nonneg k (k * c) (k * e) t t' ltac:(lia) ltac:(apply hov) ltac:(unfold e, t, overlap; nia) ltac:(apply hov) ltac:(unfold c, t, t', overlap; nia)) as hh.
          assert (hs : forall i, least_line m lines (2 * k) (k * i) = k * h 2 i).
          { intros i. unfold h. rewrite <- (least_line_scale m lines k 2 i) by lia. f_equal. lia. }
          replace (Z.min (k * c) (2 * (k * e))) with (k * Z.min c (2 * e)) in hh by nia.
          replace (2 * (k * c) - k * Z.min c (2 * e)) with (k * (2 * c - Z.min c (2 * e))) in hh by ring. rewrite !hs in hh.
          rewrite !(least_line_scale m lines 2 k) in hh by lia. fold h in hh.
          assert (hL2 : 2 * h k (k * L) = k * h 2 (2 * L)).
          { unfold h. rewrite <- (least_line_scale m lines 2 k (k * L)) by lia. replace (2 * (k * L)) with (k * (2 * L)) by ring. now rewrite hs. }
          nia.
      Qed.

      Lemma others_by_aged ag I2 : d <> dag S v -> aged d = Some ag -> NoDup U -> aged_others S a m L T J d FU lU lines ag I2 ->
        2 * sum R (jobs d) <= k * I2.
      Proof.
        intros hne hag nd (hI0 & hone & hmore). fold h in hone, hmore.
        assert (hov : forall x, 0 <= overlap (k * FU) (k * L) x <= k * L) by (intros x; unfold overlap; nia).
        assert (hdo : In d (other_dags S v)) by (destruct hd as [e|]; [now elim hne | assumption]).
        assert (hUd : incl U (dag_nodes S d)) by (intros u hu; apply hU in hu; unfold dag_here in hu; now apply filter_In in hu).
        set (f := fun x => Z.min (2 * h k (overlap (k * FU) (k * L) x)) (left_within S a d ag k (k * twice_E ag - 2 * x))).
        assert (hfh : forall x, f x <= 2 * h k (overlap (k * FU) (k * L) x)) by (intros x; unfold f; lia).
        apply (others_by_ends f (2 * h k (k * L))).
        - intros j hj. pose proof (job_by_lines j hj). pose proof (hleft d ag j U hdo hag hj nd hUd). pose proof (hR j hj). unfold f. fold h in H. lia.
        - intros x _ _. pose proof (h_mono k _ _ ltac:(lia) (hov x)). specialize (hfh x). lia.
        - nia.
        - intros x hx hx'. specialize (hone ltac:(nia)).
          pose proof (h_mono k (overlap (k * FU) (k * L) x) (k * (lU + FU)) ltac:(lia) ltac:(unfold overlap; nia)) as h1.
          pose proof (least_line_scale m lines k 1 (lU + FU) ltac:(lia)) as h2. rewrite Z.mul_1_r in h2. fold h in h2.
          pose proof (left_scale S a d ag k 1 (twice_E ag + 2 * lU) ltac:(lia)) as h3. rewrite Z.mul_1_r in h3.
          pose proof (left_mono S a d ag k (k * twice_E ag - 2 * x) (k * (twice_E ag + 2 * lU)) ltac:(nia)) as h4. unfold f. nia.
        - intros n x z hn hz hx hz' hD. set (D := apart_by (T d) (J d) n) in *. set (t := k * FU - x). pose proof (hfh z) as hfz.
          specialize (hmore k n t k_pos hn). fold D in hmore. specialize (hmore ltac:(nia) ltac:(nia) ltac:(unfold t; lia) ltac:(unfold t; nia) ltac:(unfold t; nia)).
          pose proof (h_mono k (overlap (k * FU) (k * L) x) t ltac:(lia) ltac:(unfold t, overlap; nia)) as h1.
          pose proof (h_mono k (overlap (k * FU) (k * L) z) (k * (L + FU - D) - t) ltac:(lia) ltac:(unfold t, overlap; nia)) as h2.
          replace (k * (twice_E ag - 2 * FU) + 2 * t) with (k * twice_E ag - 2 * x) in hmore by (unfold t; ring). unfold f. lia.
      Qed.

      (* Of v's own DAG: earlier jobs, then later ones. *)
      Lemma own_by_whole I2 : d = dag S v -> whole_own m L T J d FU lU lines I2 ->
        2 * sum R (filter (fun j => negb (j =? j0)) (jobs d)) <= k * I2.
      Proof.
        intros hdv (N & hN & hFU & hLN & hsum). destruct (hT d hd) as (hTd & hJd). destruct (dm_jobs hdone d hd) as (nd & _).
        destruct (dm_own hdone) as (hj0 & hage0). rewrite <- hdv in hj0. fold h in hsum.
        pose proof (hage d j0 hd hj0) as hz. rewrite hage0 in hz. set (z := at_age d j0) in *. set (D := apart_by (T d) (J d)) in *.
        set (js := filter (fun j => negb (j =? j0)) (jobs d)).
        assert (hjs : forall j, In j js -> In j (jobs d) /\ j <> j0) by (intros j hj; apply filter_In in hj; destruct hj as (hj & hne); split; [exact hj | lia]).
        set (early := filter (fun j => 0 <? age j) js). set (late := filter (fun j => age j <? 0) js).
        set (E := fun x => if x <? z + k * T d then 0 else h k (Z.max 0 (k * FU - Z.max 0 (x - z - k * J d)))).
        set (A := fun x => if x <? k * T d - z then 0 else if Z.max 0 x <=? k * lU then h k (Z.max 0 (k * L - Z.max 0 x)) else 0).
        assert (hh0 : h k 0 = 0) by (apply least_line_0; [exact m_nonneg | exact lines_nonneg | lia]).
        assert (hmono : forall t t', t <= t' -> 0 <= h k (Z.max 0 t) <= h k (Z.max 0 t')) by (intros t t' ht; apply h_mono; lia).
        assert (hk1 : forall t, h k (k * t) = k * h 1 t) by (intros t; unfold h; rewrite <- least_line_scale by lia; f_equal; lia).
        assert (hbound : sum R js <= sum E (map (at_age d) early) + sum A (map (fun j => - at_age d j) late)).
        { rewrite !sum_map. unfold early, late. rewrite !sum_filter, <- sum_add. apply sum_le. intros j hj. destruct (hjs j hj) as (hjd & hne).
          pose proof (job_by_lines j hjd) as hjob. pose proof (hage d j hd hjd) as ha.
          assert (hnn : forall t, 0 <= h k (Z.max 0 t)) by (intros t; apply (hmono t t); lia).
          assert (hE : 0 <= E (at_age d j)) by (unfold E; destruct (at_age d j <? _); [lia | apply hnn]).
          assert (hA : 0 <= A (- at_age d j)) by (unfold A; destruct (- at_age d j <? _); [lia|]; destruct (_ <=? k * lU); [apply hnn | lia]).
          destruct (Z.eq_dec (R j) 0) as [->|hwork].
          { pose proof (ind_range (0 <? age j)). pose proof (ind_range (age j <? 0)). nia. }
          pose proof (job_active j hjd hwork) as hact.
          destruct (ages_differ d j j0 hd hjd hj0 hne) as [hlt|hlt].
          - pose proof (hord d j j0 hd hjd hj0 hlt) as ho. fold z in ho. rewrite hage0 in hlt.
            rewrite (proj2 (Z.ltb_ge 0 (age j))), (proj2 (Z.ltb_lt (age j) 0)) by lia. cbn [ind].
            enough (h k (overlap (k * FU) (k * L) (age j)) <= A (- at_age d j)) by lia. unfold A.
            rewrite (proj2 (Z.ltb_ge _ _)), (proj2 (Z.leb_le _ _)) by lia. etransitivity; [|apply (hmono (k * L - - age j)); lia].
            apply h_mono; [lia|]. unfold overlap. lia.
          - pose proof (hord d j0 j hd hj0 hjd hlt) as ho. fold z in ho. rewrite hage0 in hlt.
            rewrite (proj2 (Z.ltb_lt 0 (age j))), (proj2 (Z.ltb_ge (age j) 0)) by lia. cbn [ind].
            enough (h k (overlap (k * FU) (k * L) (age j)) <= E (at_age d j)) by lia. unfold E.
            rewrite (proj2 (Z.ltb_ge _ _)) by lia. etransitivity; [|apply (hmono (k * FU - age j)); lia].
            apply h_mono; [lia|]. unfold overlap. lia. }
        assert (nd1 : NoDup early) by (apply NoDup_filter, NoDup_filter, nd). assert (nd2 : NoDup late) by (apply NoDup_filter, NoDup_filter, nd).
        assert (h1 : sum E (map (at_age d) early) <= sum (fun i => k * h 1 (Z.max 0 (FU - D (i + 1)))) (range 0 N)).
        { etransitivity; [apply (pattern_sum (k * T d) (z + k * T d) N _ E ltac:(nia) hN)|].
          - apply pattern_of; auto. intros j hj. apply filter_In in hj. now apply hjs.
          - intros x _ hx. unfold E in hx. destruct (Z.ltb_spec x (z + k * T d)); [now elim hx | lia].
          - intros x x' hx. unfold E. rewrite (proj2 (Z.ltb_ge x _)), (proj2 (Z.ltb_ge x' _)) by lia. apply hmono. lia.
          - intros x hx. unfold E. destruct (x <? z + k * T d); [reflexivity|]. rewrite Z.max_l; [exact hh0|]. unfold D, apart_by in hFU. nia.
          - apply sum_le. intros i hi. rewrite in_range in hi. unfold E. rewrite (proj2 (Z.ltb_ge _ _)) by nia. rewrite <- hk1.
            replace (k * Z.max 0 (FU - D (i + 1))) with (Z.max 0 (k * FU - k * D (i + 1))) by nia. apply hmono.
            enough (k * D (i + 1) <= Z.max 0 (z + k * T d + i * (k * T d) - z - k * J d)) by lia. unfold D, apart_by. nia. }
        assert (h2 : sum A (map (fun j => - at_age d j) late) <= sum (fun i => k * (if D (i + 1) <=? lU then h 1 (Z.max 0 (L - D (i + 1))) else 0)) (range 0 N)).
        { etransitivity; [apply (pattern_sum (k * T d) (k * T d - z) N _ A ltac:(nia) hN)|].
          - assert (hin : forall j, In j late -> In j (jobs d)) by (intros j hj; apply filter_In in hj; now apply hjs).
            apply pattern_map; [nia | exact nd2|]. intros i j hi hj hne.
            destruct (ages_differ d i j hd (hin i hi) (hin j hj) hne) as [hlt|hlt];
              [pose proof (hord d i j hd (hin i hi) (hin j hj) hlt) | pose proof (hord d j i hd (hin j hj) (hin i hi) hlt)]; lia.
          - intros x _ hx. unfold A in hx. destruct (Z.ltb_spec x (k * T d - z)); [now elim hx | lia].
          - intros x x' hx. unfold A. rewrite (proj2 (Z.ltb_ge x _)), (proj2 (Z.ltb_ge x' _)) by lia.
            destruct (Z.leb_spec (Z.max 0 x) (k * lU)), (Z.leb_spec (Z.max 0 x') (k * lU)); try lia; [apply hmono; lia|].
            split; [lia|]. apply (hmono (k * L - Z.max 0 x) (k * L - Z.max 0 x)). lia.
          - intros x hx. unfold A. destruct (x <? k * T d - z); [reflexivity|]. destruct (Z.leb_spec (Z.max 0 x) (k * lU)); [|reflexivity].
            assert (hD : k * D (N + 1) <= Z.max 0 x) by (unfold D, apart_by; nia). destruct hLN as [hLN|hLN]; [|nia].
            rewrite Z.max_l; [exact hh0 | nia].
          - apply sum_le. intros i hi. rewrite in_range in hi. unfold A. rewrite (proj2 (Z.ltb_ge _ _)) by nia.
            assert (hD : k * D (i + 1) <= Z.max 0 (k * T d - z + i * (k * T d))) by (unfold D, apart_by; nia).
            destruct (Z.leb_spec (Z.max 0 (k * T d - z + i * (k * T d))) (k * lU)).
            + rewrite (proj2 (Z.leb_le (D (i + 1)) lU)) by nia. rewrite <- hk1.
              replace (k * Z.max 0 (L - D (i + 1))) with (Z.max 0 (k * L - k * D (i + 1))) by nia. apply hmono. lia.
            + destruct (D (i + 1) <=? lU); [|lia]. rewrite <- hk1. replace (k * Z.max 0 (L - D (i + 1))) with (Z.max 0 (k * (L - D (i + 1)))) by nia.
              apply (hmono (k * (L - D (i + 1))) (k * (L - D (i + 1)))). lia. }
        pose proof (sum_from_1 (fun j => h 1 (Z.max 0 (FU - D j)) + (if D j <=? lU then h 1 (Z.max 0 (L - D j)) else 0)) N) as h3.
        rewrite <- h3 in hsum. rewrite sum_add in hsum. rewrite sum_scale in h1, h2. nia.
      Qed.
    End Lines.

    (** Node by node. *)
    Lemma active u j : In u U -> In j (jobs d) -> W u j <> 0 -> exists x, lim u = Some x /\ - (k * x) <= age j < k * F u.
    Proof.
      intros hu hj hne. destruct (here_on_pool S p d u (hU u hu)) as (hup & hud). destruct (dm_counts hdone u j hup ltac:(now rewrite hud) hne) as (h1 & h2).
      destruct (lim u) as [x|]; [|easy]. exists x. split; [reflexivity | lia].
    Qed.

    Lemma count_jobs u (keep : Z -> bool) lo len N : In u U -> 0 <= N ->
      (forall j, In j (jobs d) -> keep j = true -> W u j <> 0 -> lo < at_age d j <= lo + len) ->
      Z.max 0 (cdiv len (k * T d)) <= N -> sum (fun j => ind (keep j) * W u j) (jobs d) <= k * (N * vol a u).
    Proof.
      intros hu hN hin hle. destruct (dm_jobs hdone d hd) as (nd & _). destruct (hT d hd) as (hTd & _).
      set (js := filter (fun j => keep j && negb (W u j =? 0)) (jobs d)). assert (ndjs : NoDup js) by now apply NoDup_filter.
      assert (hjs : forall j, In j js -> In j (jobs d) /\ keep j = true /\ W u j <> 0).
      { intros j hj. apply filter_In in hj. rewrite andb_true_iff, negb_true_iff, Z.eqb_neq in hj. tauto. }
      pose proof (pattern_of d js hd ndjs ltac:(intros; now apply hjs)) as (nda & hap).
      pose proof (instants_in (k * T d) (map (at_age d) js) lo len ltac:(nia) nda hap) as hc. rewrite map_length in hc.
      assert (hlen : Z.of_nat (length js) <= N).
      { etransitivity; [apply hc | exact hle]. intros x hx. apply in_map_iff in hx. destruct hx as (j & <- & hj). destruct (hjs j hj) as (h1 & h2 & h3). now apply hin. }
      transitivity (sum (fun _ => k * vol a u) js).
      - unfold js. rewrite sum_filter. apply sum_le. intros j hj. pose proof (W_nonneg d u j (hU u hu) hj).
        destruct (Z.eqb_spec (W u j) 0) as [->|]; destruct (keep j); cbn [andb negb ind]; lia.
      - rewrite sum_const. pose proof (hvol u ltac:(now destruct (here_on_pool S p d u (hU u hu)))). assert (0 <= k * vol a u) by nia. nia.
    Qed.

    Lemma others_counted u n : d <> dag S v -> In u U -> late_count S F T J v true (lim u) u n ->
      sum (W u) (jobs d) <= k * (n * vol a u).
    Proof.
      intros hdv hu hn. destruct (here_on_pool S p d u (hU u hu)) as (hup & hud). destruct (hT d hd) as (hTd & hJd). unfold late_count in hn. rewrite hud in hn.
      assert (hall : sum (W u) (jobs d) = sum (fun j => ind true * W u j) (jobs d)) by (apply sum_eq; intros; cbn [ind]; lia). rewrite hall.
      destruct (lim u) as [x|] eqn:hx.
      - rewrite (proj2 (Z.eqb_neq d (dag S v)) hdv) in hn. unfold late_releases in hn.
        assert (hN : 0 <= n) by (destruct (Z.ltb_spec 0 (F u + x)); [pose proof (cdiv_nonneg (F u + x + J d) (T d) hTd ltac:(lia))|]; lia).
        destruct (Z.ltb_spec 0 (F u + x)) as [hpos|hneg].
        + apply (count_jobs u (fun _ => true) (- (k * x) - 1) (k * (F u + x + J d)) n hu hN).
          * intros j hj _ hne. destruct (active u j hu hj hne) as (x' & hx' & hact). assert (x' = x) as -> by congruence.
            pose proof (hage d j hd hj). lia.
          * rewrite cdiv_times by lia. lia.
        + apply (count_jobs u (fun _ => true) 0 0 n hu hN).
          * intros j hj _ hne. destruct (active u j hu hj hne) as (x' & hx' & hact). assert (x' = x) as -> by congruence. nia.
          * rewrite cdiv_0. lia.
      - apply (count_jobs u (fun _ => true) 0 0 n hu hn).
        + intros j hj _ hne. destruct (active u j hu hj hne) as (x' & hx' & _). congruence.
        + rewrite cdiv_0. lia.
    Qed.

    Lemma own_counted u n : d = dag S v -> In u U -> late_count S F T J v true (lim u) u n ->
      sum (W u) (filter (fun j => negb (j =? j0)) (jobs d)) <= k * (n * vol a u).
    Proof.
      intros hdv hu hn. destruct (here_on_pool S p d u (hU u hu)) as (hup & hud). destruct (hT d hd) as (hTd & hJd). unfold late_count in hn. rewrite hud in hn.
      destruct (dm_own hdone) as (hj0 & hage0). rewrite <- hdv in hj0. pose proof (hage d j0 hd hj0) as hz. rewrite hage0 in hz. set (z := at_age d j0) in *.
      rewrite sum_filter. destruct (lim u) as [x|] eqn:hx.
      - rewrite (proj2 (Z.eqb_eq d (dag S v)) hdv) in hn. set (z' := z / k).
        pose proof (Z.mul_div_le z k k_pos) as hz1. fold z' in hz1. assert (hz0 : 0 <= z') by (apply Z.div_pos; lia).
        specialize (hn z' ltac:(nia)). unfold late_others in hn. set (n1 := Z.max 0 (cdiv (Z.min x (- z' - T d) + F u + J d) (T d))) in hn.
        set (n2 := Z.max 0 ((x + z') / T d)) in hn.
        assert (h1 : sum (fun j => ind (0 <? age j) * W u j) (jobs d) <= k * (n1 * vol a u)).
        { set (lo := Z.max (z + k * T d) (- (k * x)) - 1).
          assert (hwin : forall j, In j (jobs d) -> (0 <? age j) = true -> W u j <> 0 -> lo < at_age d j <= k * (F u + J d) - 1).
          { intros j hj hpos hne. apply Z.ltb_lt in hpos. destruct (active u j hu hj hne) as (x' & hx' & hact). assert (x' = x) as -> by congruence.
            pose proof (hage d j hd hj). pose proof (hord d j0 j hd hj0 hj ltac:(lia)) as ho. fold z in ho. unfold lo. nia. }
          apply (count_jobs u (fun j => 0 <? age j) lo (k * (F u + J d) - 1 - lo) n1 hu ltac:(unfold n1; lia)).
          - intros j hj hpos hne. specialize (hwin j hj hpos hne). lia.
          - unfold n1. apply Z.max_le_compat_l. rewrite <- (cdiv_times k _ (T d)) by lia. apply cdiv_mono; [nia|]. unfold lo. nia. }
        assert (h2 : sum (fun j => ind (age j <? 0) * W u j) (jobs d) <= k * (n2 * vol a u)).
        { apply (count_jobs u (fun j => age j <? 0) (- (k * x) - 1) (z - k * T d + k * x + 1) n2 hu ltac:(unfold n2; lia)).
          - intros j hj hneg hne. apply Z.ltb_lt in hneg. destruct (active u j hu hj hne) as (x' & hx' & hact). assert (x' = x) as -> by congruence.
            pose proof (hage d j hd hj). pose proof (hord d j j0 hd hj hj0 ltac:(lia)) as ho. fold z in ho. lia.
          - unfold n2. apply Z.max_le_compat_l. rewrite cdiv_floor by nia. replace (z - k * T d + k * x + 1 - 1) with (z + k * x + (-1) * (k * T d)) by ring.
            rewrite Z.div_add by nia. rewrite <- Z.div_div by lia. replace (z + k * x) with (z + x * k) by ring. rewrite Z.div_add by lia. fold z'.
            replace (z' + x) with (x + z') by ring. lia. }
        transitivity (sum (fun j => ind (0 <? age j) * W u j + ind (age j <? 0) * W u j) (jobs d)).
        + apply sum_le. intros j hj. pose proof (W_nonneg d u j (hU u hu) hj). destruct (Z.eqb_spec j j0) as [->|hne]; cbn [negb ind].
          * pose proof (ind_range (0 <? age j0)). pose proof (ind_range (age j0 <? 0)). nia.
          * destruct (ages_differ d j j0 hd hj hj0 hne) as [hlt|hlt]; rewrite hage0 in hlt.
            -- rewrite (proj2 (Z.ltb_ge 0 (age j))), (proj2 (Z.ltb_lt (age j) 0)) by lia. cbn [ind]. lia.
            -- rewrite (proj2 (Z.ltb_lt 0 (age j))), (proj2 (Z.ltb_ge (age j) 0)) by lia. cbn [ind]. lia.
        + rewrite sum_add. assert (0 <= k * vol a u) by (pose proof (hvol u hup); nia). nia.
      - apply (count_jobs u (fun j => negb (j =? j0)) 0 0 n hu hn).
        + intros j hj _ hne. destruct (active u j hu hj hne) as (x' & hx' & _). congruence.
        + rewrite cdiv_0. lia.
    Qed.

    Theorem part_does I2 : part_at_most S a F lim v m L T J aged (full p) d U I2 ->
      2 * sum R (if d =? dag S v then filter (fun j => negb (j =? j0)) (jobs d) else jobs d) <= k * I2.
    Proof.
      intros [FU lU lines hfull _ hends hlines hwhole | FU lU lines ag hfull hdv hag nd hends hlines hwhole | n hn hsum].
      - destruct (Z.eqb_spec d (dag S v)) as [e|e].
        + now apply (own_by_whole hfull FU lU lines hends hlines).
        + now apply (others_by_whole hfull FU lU lines hends hlines).
      - rewrite (proj2 (Z.eqb_neq d (dag S v)) hdv). now apply (others_by_aged hfull FU lU lines hends hlines ag).
      - set (js := if d =? dag S v then filter (fun j => negb (j =? j0)) (jobs d) else jobs d).
        transitivity (2 * sum (fun u => sum (W u) js) U).
        + apply Z.mul_le_mono_nonneg_l; [lia|]. rewrite (sum_exchange (fun u j => W u j)). apply sum_le. intros j hj. apply hR.
          unfold js in hj. destruct (d =? dag S v); [now apply filter_In in hj | exact hj].
        + transitivity (2 * (k * sum (fun u => n u * vol a u) U)); [|nia]. apply Z.mul_le_mono_nonneg_l; [lia|]. rewrite <- sum_scale. apply sum_le.
          intros u hu. unfold js. destruct (Z.eqb_spec d (dag S v)) as [e|e].
          * now apply own_counted; [| | apply hn].
          * now apply others_counted; [| | apply hn].
    Qed.
  End Part.

  (** All of a DAG's jobs, but for the path's own. *)
  Definition jobs_beside (d : Z) : list Z := if d =? dag S v then filter (fun j => negb (j =? j0)) (jobs d) else jobs d.

  Theorem dag_parts d (ps : list (list node * Z)) : In d dags -> cap a p = m ->
    (forall UI, In UI ps -> NoDup (fst UI) /\ incl (fst UI) (dag_here S d p) /\ part_at_most S a F lim v m L T J aged (full p) d (fst UI) (snd UI)) ->
    (forall u, In u (dag_here S d p) -> exists UI, In UI ps /\ In u (fst UI)) ->
    2 * sum (fun u => sum (W u) (jobs_beside d)) (dag_here S d p) <= k * sum snd ps.
  Proof.
    intros hd hcap hparts hall.
    assert (hjs : forall j, In j (jobs_beside d) -> In j (jobs d)).
    { intros j hj. unfold jobs_beside in hj. destruct (d =? dag S v); [apply filter_In in hj; tauto | exact hj]. }
    rewrite <- sum_scale.
    transitivity (sum (fun u => 2 * sum (W u) (jobs_beside d)) (concat (map fst ps))).
    - apply sum_incl; [apply NoDup_filter; unfold dag_nodes; apply NoDup_filter, (wf_nodup wf) | |].
      + intros u hu. destruct (hall u hu) as (UI & h1 & h2). apply in_concat. exists (fst UI). split; [now apply in_map | exact h2].
      + intros u hu. apply in_concat in hu. destruct hu as (U & hU & hu). apply in_map_iff in hU. destruct hU as (UI & <- & hUI).
        destruct (hparts UI hUI) as (_ & hin & _). apply Z.mul_nonneg_nonneg; [lia|]. apply sum_nonneg. intros j hj. apply (W_nonneg d u j); auto.
    - clear hall. induction ps as [|UI ps IH]; [cbn; lia|]. cbn [map concat sum]. rewrite sum_app. rewrite Z.mul_add_distr_l. apply Z.add_le_mono.
      + destruct (hparts UI (or_introl eq_refl)) as (h1 & h2 & h3). rewrite sum_scale. rewrite (sum_exchange (fun u j => W u j)).
        apply (part_does d hd (fst UI) h1 h2); [| | exact h3].
        * intros j hj. split; [|reflexivity]. apply sum_nonneg. intros u hu. apply (W_nonneg d u j); auto.
        * intros hfull j FU hj hFU. rewrite <- hcap. apply (dm_whole hdone hfull (fst UI) d j FU hd h1); auto.
      + apply IH. intros UI' hin. apply hparts. now right.
  Qed.
End Parts.

(** Of the path's own job what is beside a node of the path, and of the path's nodes all but their last pieces. *)
Definition own_at_most (S : system) (a : accounts) (v : node) (l : list node) (p own : Z) : Prop := forall s, NoDup s -> incl s (dag_here S (dag S v) p) ->
  (forall u, In u s -> In u l \/ exists q, In q l /\ pool S q = p /\ beside S q u) -> (forall u, In u l -> pool S u = p -> In u s) ->
  sum (vol a) s - sum (last a) (filter (fun u => pool S u =? p) l) <= own.

Section Own.
  Context (S : system) (wf : well_formed S) (a : accounts) (v : node) (hv : In v (nodes S)) (l : list node) (hl : path S l v) (p : Z).
  Context (hlast : forall u, In u (on_pool S p) -> 0 <= last a u) (k own : Z) (k_pos : 0 < k) (jobs : Z -> list Z) (j0 : Z) (W : node -> Z -> Z).
  Context (hW : forall d u j, In u (dag_here S d p) -> In j (jobs d) -> 0 <= W u j <= k * vol a u) (hj0 : In j0 (jobs (dag S v))).
  Context (hbeside : forall u, In u (dag_here S (dag S v) p) -> W u j0 <> 0 -> In u l \/ exists q, In q l /\ pool S q = p /\ beside S q u).
  Context (hpathlast : forall u, In u l -> pool S u = p -> W u j0 + k * last a u <= k * vol a u).

  Lemma own_fits : own_at_most S a v l p own -> sum (fun u => W u j0) (dag_here S (dag S v) p) <= k * own.
  Proof.
    intros hown. set (onl := fun u => if in_dec Z.eq_dec u l then true else false).
    assert (honl : forall u, onl u = true <-> In u l) by (intros u; unfold onl; destruct (in_dec Z.eq_dec u l); split; auto; discriminate).
    set (s := filter (fun u => onl u || negb (W u j0 =? 0)) (dag_here S (dag S v) p)).
    assert (ndh : NoDup (dag_here S (dag S v) p)) by (apply NoDup_filter; unfold dag_nodes; apply NoDup_filter, (wf_nodup wf)).
    assert (hs : forall u, In u s -> In u (dag_here S (dag S v) p) /\ (In u l \/ W u j0 <> 0)).
    { intros u hu. apply filter_In in hu. destruct hu as (hu & hc). split; [exact hu|]. apply orb_prop in hc. destruct hc as [hc|hc]; [left; now apply honl | right; lia]. }
    assert (hpl : forall u, In u l -> pool S u = p -> In u s).
    { intros u hu hup. destruct (path_nodes S l v wf hv hl u hu) as (hun & hud). apply filter_In. split; [apply in_dag_here; auto|]. now rewrite (proj2 (honl u) hu). }
    specialize (hown s ltac:(now apply NoDup_filter) ltac:(intros u hu; now apply hs)). specialize (hown ltac:(intros u hu; destruct (hs u hu) as (h1 & [h2|h2]); [now left | now apply hbeside]) hpl).
    assert (h1 : sum (fun u => W u j0) (dag_here S (dag S v) p) = sum (fun u => W u j0) s).
    { unfold s. rewrite sum_filter. apply sum_eq. intros u _. destruct (onl u), (Z.eqb_spec (W u j0) 0) as [->|]; cbn [orb negb ind]; lia. }
    assert (h2 : sum (last a) (filter (fun u => pool S u =? p) l) <= sum (fun u => ind (onl u) * last a u) s).
    { transitivity (sum (fun u => ind (onl u) * last a u) (filter (fun u => pool S u =? p) l)).
      - apply sum_le. intros u hu. apply filter_In in hu. rewrite (proj2 (honl u)) by tauto. cbn [ind]. lia.
      - apply sum_incl; [apply NoDup_filter, (path_nodup S l v wf hv hl) | |].
        + intros u hu. apply filter_In in hu. destruct hu as (hu & hup). apply hpl; [exact hu | now apply Z.eqb_eq].
        + intros u hu. destruct (hs u hu) as (hud & _). destruct (here_on_pool S p _ u hud) as (hup & _). pose proof (hlast u hup). pose proof (ind_range (onl u)). nia. }
    rewrite h1. transitivity (sum (fun u => k * vol a u - k * (ind (onl u) * last a u)) s).
    - apply sum_le. intros u hu. destruct (hs u hu) as (hud & _). pose proof (hW (dag S v) u j0 hud hj0).
      destruct (onl u) eqn:hol; cbn [ind]; [|lia]. apply honl in hol. apply in_dag_here in hud. pose proof (hpathlast u hol ltac:(tauto)). lia.
    - rewrite sum_sub, !sum_scale. set (x1 := sum (vol a) s) in *. set (x2 := sum (fun u => ind (onl u) * last a u) s) in *.
      assert (h3 : k * x1 - k * x2 <= k * own) by nia. exact h3.
  Qed.
End Own.

Section Meanwhile.
  Context (S : system) (wf : well_formed S) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (hv : In v (nodes S)).
  Context (l : list node) (p : Z).
  Context (hvol : forall u, In u (on_pool S p) -> 0 <= vol a u) (hlast : forall u, In u (on_pool S p) -> 0 <= last a u) (hcap : 0 <= cap a p) (hF : 0 <= F v).
  Context (k y : Z) (k_pos : 0 < k) (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W : node -> Z -> Z).
  Context (hrun : runs_meanwhile S a full F lim v l p k y jobs age j0 W).
  Context (T J : Z -> Z) (at_age : Z -> Z -> Z).
  Let dags := dag S v :: other_dags S v.
  Context (hT : forall d, In d dags -> 0 < T d /\ 0 <= J d).
  Context (hage : forall d j, In d dags -> In j (jobs d) -> age j <= at_age d j <= age j + k * J d).
  Context (hord : forall d i j, In d dags -> In i (jobs d) -> In j (jobs d) -> age i < age j -> at_age d i + k * T d <= at_age d j).
  Context (aged : Z -> option aging) (hleft : forall d ag j U, In d (other_dags S v) -> aged d = Some ag -> In j (jobs d) -> NoDup U -> incl U (dag_nodes S d) ->
    2 * sum (fun u => W u j) U <= left_within S a d ag k (k * twice_E ag - 2 * age j)).

  (** All that is done while the path waits. *)
  Theorem wholes_do (parts : Z -> list (list node * Z)) own : path S l v -> own_at_most S a v l p own ->
    (forall d UI, In d dags -> In UI (parts d) -> NoDup (fst UI) /\ incl (fst UI) (dag_here S d p) /\ part_at_most S a F lim v (cap a p) (F v) T J aged (full p) d (fst UI) (snd UI)) ->
    (forall d u, In d dags -> In u (dag_here S d p) -> exists UI, In UI (parts d) /\ In u (fst UI)) ->
    2 * sum (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) dags
      <= k * (2 * own + sum (fun d => sum snd (parts d)) dags).
  Proof.
    intros hl hown hparts hall.
    assert (hdag : forall d, In d dags -> 2 * sum (fun u => sum (W u) (jobs_beside S v jobs j0 d)) (dag_here S d p) <= k * sum snd (parts d)).
    { intros d hd. apply (dag_parts S wf a full F lim v hv p (cap a p) (F v) hvol hcap hF k k_pos jobs age j0 W (rm_done hrun) T J at_age hT hage hord aged hleft); auto. }
    assert (hothers : 2 * sum (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) (other_dags S v) <= k * sum (fun d => sum snd (parts d)) (other_dags S v)).
    { rewrite <- !sum_scale. apply sum_le. intros d hd. specialize (hdag d (or_intror hd)). unfold jobs_beside in hdag.
      assert (hne : d <> dag S v) by (apply filter_In in hd; destruct hd as (_ & hd); now apply negb_true_iff, Z.eqb_neq in hd).
      now rewrite (proj2 (Z.eqb_neq d (dag S v)) hne) in hdag. }
    assert (hself : 2 * sum (fun u => sum (W u) (jobs (dag S v))) (dag_here S (dag S v) p) <= k * (2 * own + sum snd (parts (dag S v)))).
    { specialize (hdag (dag S v) (or_introl eq_refl)). unfold jobs_beside in hdag. rewrite Z.eqb_refl in hdag. pose proof (own_fits S wf a v hv l hl p hlast k own k_pos jobs j0 W (done_nonneg S a full F lim v p (F v) k jobs age j0 W (rm_done hrun)) (proj1 (dm_own (rm_done hrun))) (rm_beside hrun) (rm_last hrun) hown) as ho.
      destruct (dm_own (rm_done hrun)) as (hj0 & _). destruct (dm_jobs (rm_done hrun) (dag S v) (or_introl eq_refl)) as (nd & _).
      rewrite (sum_eq _ (fun u => W u j0 + sum (W u) (filter (fun j => negb (j =? j0)) (jobs (dag S v))))).
      - rewrite (sum_add (fun u => W u j0)). lia.
      - intros u _. rewrite (sum_split_one (fun j => j =? j0)), sum_filter. f_equal. rewrite (sum_unique _ _ j0 nd hj0).
        + rewrite Z.eqb_refl. cbn [ind]. lia.
        + intros j _ hne. rewrite (proj2 (Z.eqb_neq j j0) hne). cbn [ind]. lia. }
    unfold dags. cbn [sum]. lia.
  Qed.
End Meanwhile.

(** A path waits on p for no more than (own + the sum of all I_d)/cap. T12d; T10d is it without jitter. *)
Section Waits.
  Context (S : system) (wf : well_formed S) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (hv : In v (nodes S)).
  Context (l : list node) (hl : path S l v) (p share own : Z) (parts : Z -> list (list node * Z)).
  Context (hvol : forall u, In u (on_pool S p) -> 0 <= vol a u) (hlast : forall u, In u (on_pool S p) -> 0 <= last a u) (hcap : 0 < cap a p) (hF : 0 <= F v).
  Context (hshare : 0 < share) (hown : own_at_most S a v l p own) (aged : Z -> option aging).
  Let dags := dag S v :: other_dags S v.

  Definition parts_at_most (T J : Z -> Z) : Prop :=
    (forall d UI, In d dags -> In UI (parts d) -> NoDup (fst UI) /\ incl (fst UI) (dag_here S d p) /\ part_at_most S a F lim v (cap a p) (F v) T J aged (full p) d (fst UI) (snd UI)) /\
    forall d u, In d dags -> In u (dag_here S d p) -> exists UI, In UI (parts d) /\ In u (fst UI).

  Lemma less_than_there_is k sh y X c total : 0 < sh -> k * (sh * X) < sh * (2 * c) * y -> 2 * total <= k * X -> total < c * y.
  Proof. clear. intros hs h1 h2. assert (k * X < 2 * (c * y)) by nia. lia. Qed.

  Theorem late_waits_by_wholes T J : (forall d, In d dags -> 0 < T d /\ 0 <= J d) -> parts_at_most T J ->
    waits_at_most (with_ages aged S a v (by_nominal_instants S T J v)) S a full F lim v l (share * (2 * cap a p)) p (share * (2 * own + sum (fun d => sum snd (parts d)) dags)).
  Proof.
    intros hT (h1 & h2) k y jobs age j0 W hk hy hrun ((at_age & hages) & hleft).
    pose proof (wholes_do S wf a full F lim v hv l p hvol hlast ltac:(lia) hF k y hk jobs age j0 W hrun T J at_age hT
      (fun d j hd => proj1 (hages d hd) j) (fun d i j hd => proj2 (hages d hd) i j) aged hleft parts own hl hown h1 h2) as h3.
    apply (less_than_there_is k share y (2 * own + sum (fun d => sum snd (parts d)) dags) (cap a p)); auto.
  Qed.

  Theorem waits_by_wholes : parts_at_most (period S) (fun _ => 0) ->
    waits_at_most (with_ages aged S a v by_periods) S a full F lim v l (share * (2 * cap a p)) p (share * (2 * own + sum (fun d => sum snd (parts d)) dags)).
  Proof.
    intros (h1 & h2) k y jobs age j0 W hk hy hrun (_ & hleft).
    pose proof (wholes_do S wf a full F lim v hv l p hvol hlast ltac:(lia) hF k y hk jobs age j0 W hrun (period S) (fun _ => 0) (fun _ => age)) as h3.
    specialize (h3 ltac:(intros d hd; split; [now apply (period_pos S wf v hv) | lia]) ltac:(intros; cbv beta; lia)).
    assert (hord : forall d i j, In d dags -> In i (jobs d) -> In j (jobs d) -> age i < age j -> age i + k * period S d <= age j).
    { intros d i j hd hi hj hlt. destruct (dm_jobs (rm_done hrun) d hd) as (_ & hap). destruct (hap i j hi hj ltac:(intros ->; lia)); [assumption|].
      pose proof (period_pos S wf v hv d hd). assert (0 < k * period S d) by nia. lia. }
    specialize (h3 hord aged hleft parts own hl hown h1 h2). apply (less_than_there_is k share y (2 * own + sum (fun d => sum snd (parts d)) dags) (cap a p)); auto.
  Qed.
End Waits.

(** Where no DAG is aged nothing more is asked. *)
Lemma without_ages known S a full F lim v l M p w : waits_at_most (with_ages (fun _ => None) S a v known) S a full F lim v l M p w ->
  waits_at_most known S a full F lim v l M p w.
Proof. intros hw k y jobs age j0 W hk hy hrun hkn. apply (hw k y jobs age j0 W hk hy hrun). split; [exact hkn|]. intros. discriminate. Qed.
