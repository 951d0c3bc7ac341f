(** T12: release jitter on completion, with nominal periods.
Releases come up to J after instants that are at least T apart, T here the nominal
    period; the system's own period, by which they are sporadic, is T - J. docs/theory/jitter.md, "T12". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns.

(** nominal d r: the nominal instant of DAG d's release at r. *)
Record jittered (S : system) (h : history) (T J : Z -> Z) (nominal : Z -> Z -> Z) : Prop := {
  jitter_nonneg : forall u, In u (nodes S) -> 0 <= J (dag S u);
  late_by : forall u r, In u (nodes S) -> released h (dag S u) r = true -> nominal (dag S u) r <= r <= nominal (dag S u) r + J (dag S u);
  nominal_apart : forall u r r', In u (nodes S) -> released h (dag S u) r = true -> released h (dag S u) r' = true -> r < r' ->
    nominal (dag S u) r + T (dag S u) <= nominal (dag S u) r';
}.

Arguments jitter_nonneg {S h T J nominal}.
Arguments late_by {S h T J nominal}.
Arguments nominal_apart {S h T J nominal}.

(** Earlier and later jobs of a DAG whose job was released z after its nominal instant. *)
Definition late_others (T J Fu l z : Z) : Z := Z.max 0 (cdiv (Z.min l (- z - T) + Fu + J) T) + Z.max 0 ((l + z) / T).

(** The counts of T12. *)
Definition late_count (S : system) (F : node -> Z) (T J : Z -> Z) (v : node) (excluded : bool) (lim : option Z) (u : node) (N : Z) : Prop :=
  let d := dag S u in
  match lim with
  | None => 0 <= N
  | Some l =>
    if d =? dag S v then
      forall z, 0 <= z <= J d -> (if excluded then 0 else if 0 <=? l then 1 else 0) + late_others (T d) (J d) (F u) l z <= N
    else (if 0 <? F u + l then cdiv (F u + l + J d) (T d) else 0) <= N
  end.

(** (2) with the counts of T12. *)
Definition late_path_inequality (S : system) (a : accounts) (F : node -> Z) (T J : Z -> Z) (v : node) : Prop :=
  exists M share excluded lim parallel blk n,
    common_multiple S a M share /\ parallel_sound S parallel /\
    (forall q, ancestor_or_self S q v -> blocking_covers S a F parallel blk q) /\
    (forall l u, path S l v -> In u (nodes S) -> excluded l u = true -> never_meanwhile S v l u) /\
    limits S F v lim /\ (forall u, In u (nodes S) -> 0 < T (dag S u)) /\
    (forall l u, path S l v -> In u (nodes S) -> late_count S F T J v (excluded l u) (lim u) u (n l u)) /\
    forall l, path S l v -> path_bound S a M share blk (n l) l <= M * F v.

(** A half-open interval of length len holds at most ceil(len/T) of instants that are T apart. *)
Lemma pattern_count T xs a len : 0 < T -> pattern T xs -> (forall x, In x xs -> a < x <= a + len) -> Z.of_nat (length xs)
  <= Z.max 0 (cdiv len T).
Proof.
  intros hT hpat hin. destruct (Z_le_gt_dec len 0) as [hle|hpos].
  - destruct xs as [|x xs]; [cbn; lia|]. specialize (hin x (or_introl eq_refl)). lia.
  - set (n := cdiv len T). pose proof (cdiv_pos len T hT ltac:(lia)) as hn. fold n in hn.
    pose proof (proj1 (cdiv_spec len T n hT) (Z.le_refl _)) as hle.
    set (f := fun x => if x <? a + 1 + n * T then 1 else 0). transitivity (sum f xs); [|transitivity (n * 1); [|lia]].
    + rewrite (sum_eq f (fun _ => 1)); [rewrite sum_const; lia|]. intros x hx. specialize (hin x hx). unfold f.
      rewrite (proj2 (Z.ltb_lt _ _)); [reflexivity | nia].
    + etransitivity; [apply (pattern_sum T (a + 1) n xs f hT ltac:(lia) hpat)|].
      * intros x hx _. specialize (hin x hx). lia.
      * intros x y hxy. unfold f. destruct (Z.ltb_spec x (a + 1 + n * T)), (Z.ltb_spec y (a + 1 + n * T)); lia.
      * intros x hx. unfold f. now rewrite (proj2 (Z.ltb_ge x (a + 1 + n * T))) by lia.
      * etransitivity; [apply (sum_le _ (fun _ => 1))|]; [intros i _; unfold f; destruct (a + 1 + i * T <? a + 1 + n * T); lia|].
        rewrite sum_range_const by lia. lia.
Qed.

Section T12.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).
  Context (T J : Z -> Z) (nominal : Z -> Z -> Z) (hj : jittered S h T J nominal).

  (** Releases that some condition keeps, by their nominal instants in (lo, lo + len]. *)
  Lemma by_nominal u (keep : Z -> bool) b c lo len : In u (nodes S) -> 0 < T (dag S u) ->
    (forall x, b <= x < c -> released h (dag S u) x = true -> keep x = true -> lo < nominal (dag S u) x <= lo + len) ->
    releases (fun x => released h (dag S u) x && keep x) b c <= Z.max 0 (cdiv len (T (dag S u))).
  Proof.
    intros hu hT hin. set (xs := filter (fun x => released h (dag S u) x && keep x) (range b c)).
    assert (hxs : forall x, In x xs -> b <= x < c /\ released h (dag S u) x = true /\ keep x = true).
    { intros x hx. apply filter_In in hx. rewrite in_range, andb_true_iff in hx. tauto. }
    unfold releases. rewrite sum_length. fold xs. rewrite <- (map_length (nominal (dag S u)) xs).
    assert (hap : forall x y, In x xs -> In y xs -> x <> y ->
              nominal (dag S u) x + T (dag S u) <= nominal (dag S u) y \/ nominal (dag S u) y + T (dag S u) <= nominal (dag S u) x).
    { intros x y hx hy hne. destruct (hxs x hx) as (_ & h1 & _), (hxs y hy) as (_ & h2 & _).
      destruct (Z.lt_trichotomy x y) as [hlt|[|hlt]]; [left | contradiction | right]; now apply (nominal_apart hj). }
    apply (pattern_count (T (dag S u)) _ lo len hT).
    - split.
      + assert (nd : NoDup xs) by (apply NoDup_filter, range_nodup). revert nd hap. generalize xs. clear -hT. intros xs.
        induction xs as [|x xs IH]; intros nd hap; cbn; [constructor|]. inversion nd; subst.
        constructor; [|apply IH; auto; intros; apply hap; auto; now right].
        intros hin. apply in_map_iff in hin. destruct hin as (y & e & hy).
        destruct (hap x y (or_introl eq_refl) (or_intror hy) ltac:(intros ->; contradiction)); lia.
      + intros x y hx hy hne. apply in_map_iff in hx, hy. destruct hx as (x' & <- & hx), hy as (y' & <- & hy). apply hap; auto. congruence.
    - intros x hx. apply in_map_iff in hx. destruct hx as (x' & <- & hx). destruct (hxs x' hx) as (h1 & h2 & h3). now apply hin.
  Qed.

  Lemma late_count_covers F v r excluded lim u N : In v (nodes S) -> In u (nodes S) -> 0 < T (dag S u) -> released h (dag S v) r = true ->
    late_count S F T J v (excluded u) (lim u) u N -> covers_jobs S h v r F lim excluded u N.
  Proof.
    intros hv hu hT hr hN. unfold late_count, covers_jobs in *. destruct (lim u) as [l|]; [|exact hN].
    destruct (Z.eqb_spec (dag S u) (dag S v)) as [hd|hd].
    - set (d := dag S u) in *. assert (hr' : released h d r = true) by (rewrite hd; exact hr).
      pose proof (late_by hj u r hu hr') as hz. fold d in hz. set (z := r - nominal d r).
      specialize (hN z ltac:(unfold z; lia)). etransitivity; [|exact hN]. apply Z.add_le_mono_l.
      (* earlier ones, then later ones *)
      transitivity (releases (fun x => released h d x && (x <? r)) (r - F u + 1) (r + l + 1) + releases (fun x => released h d x && (r <? x)) (r - F u + 1) (r + l + 1)).
      { unfold releases. rewrite <- sum_add. apply sum_le. intros x _. destruct (released h d x); cbn [andb ind]; [|lia].
        destruct (Z.eqb_spec x r), (Z.ltb_spec x r), (Z.ltb_spec r x); cbn [negb ind]; lia. }
      apply Z.add_le_mono.
      + apply (by_nominal u (fun x => x <? r) _ _ (r - F u - J d) _ hu hT). intros x hx hrel hlt. fold d in hrel. apply Z.ltb_lt in hlt.
        pose proof (late_by hj u x hu hrel) as h1. pose proof (nominal_apart hj u x r hu hrel hr' hlt) as h2. fold d in h1, h2. fold d.
        unfold z. lia.
      + etransitivity; [apply (by_nominal u (fun x => r <? x) _ _ (nominal d r + T d - 1) (l + z - T d + 1) hu hT)|].
        * intros x hx hrel hlt. fold d in hrel. apply Z.ltb_lt in hlt.
          pose proof (late_by hj u x hu hrel) as h1. pose proof (nominal_apart hj u r x hu hr' hrel hlt) as h2. fold d in h1, h2. fold d.
          unfold z. lia.
        * fold d. rewrite cdiv_floor by exact hT. replace (l + z - T d + 1 - 1) with (l + z + (-1) * T d) by ring.
          rewrite Z.div_add by lia. lia.
    - destruct (Z.ltb_spec 0 (F u + l)) as [hpos|hneg].
      + pose proof (by_nominal u (fun _ => true) (r - F u + 1) (r + l + 1) (r - F u - J (dag S u)) (F u + l + J (dag S u)) hu hT) as hc.
        assert (h1 : forall x, r - F u + 1 <= x < r + l + 1 -> released h (dag S u) x = true -> true = true ->
                  r - F u - J (dag S u) < nominal (dag S u) x <= r - F u - J (dag S u) + (F u + l + J (dag S u))).
        { intros x hx hrel _. pose proof (late_by hj u x hu hrel). lia. }
        specialize (hc h1). unfold releases in *.
        rewrite (sum_eq (fun x => ind (released h (dag S u) x && true)) (fun x => ind (released h (dag S u) x))) in hc by (intros;
          now rewrite andb_true_r).
        pose proof (jitter_nonneg hj u hu). pose proof (cdiv_nonneg (F u + l + J (dag S u)) (T (dag S u)) hT ltac:(lia)). lia.
      + unfold releases. rewrite range_nil by lia. cbn [sum]. exact hN.
  Qed.

  Theorem T12_safe g a F v :
    keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> In v (nodes S) -> late_path_inequality S a F T J v
      -> safe S h F v.
  Proof.
    intros laws hF hv (M & share & excluded & lim & parallel & blk & n & hM & hpar & hblk & hexcl & hlim & hT & hcount & hineq).
    apply (path_safe S h wf lg g a F v M share excluded lim parallel blk n); auto.
    intros r l u hr hl hu. apply late_count_covers; auto.
  Qed.
End T12.
