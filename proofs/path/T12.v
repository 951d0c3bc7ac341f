(** T12: release jitter on completion, with nominal periods. T is the nominal period here; the system's own, by which releases are sporadic, is
    T - J. docs/theory/jitter.md, "T12". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n.

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
    else late_releases (T d) (J d) (F u + l) <= N
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

Section T12.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).
  Context (T J : Z -> Z) (nominal : Z -> Z -> Z) (hj : jittered S h T J nominal).

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
      + apply (by_nominal S h T J nominal hj u (fun x => x <? r) _ _ (r - F u - J d) _ hu hT). intros x hx hrel hlt. fold d in hrel. apply Z.ltb_lt in hlt.
        pose proof (late_by hj u x hu hrel) as h1. pose proof (nominal_apart hj u x r hu hrel hr' hlt) as h2. fold d in h1, h2. fold d.
        unfold z. lia.
      + etransitivity; [apply (by_nominal S h T J nominal hj u (fun x => r <? x) _ _ (nominal d r + T d - 1) (l + z - T d + 1) hu hT)|].
        * intros x hx hrel hlt. fold d in hrel. apply Z.ltb_lt in hlt.
          pose proof (late_by hj u x hu hrel) as h1. pose proof (nominal_apart hj u r x hu hr' hrel hlt) as h2. fold d in h1, h2. fold d.
          unfold z. lia.
        * fold d. rewrite cdiv_floor by exact hT. replace (l + z - T d + 1 - 1) with (l + z + (-1) * T d) by ring.
          rewrite Z.div_add by lia. lia.
    - etransitivity; [|exact hN]. pose proof (late_counting S h T J nominal hj u (r - F u) (r + l) hu hT) as hc.
      now replace (r + l - (r - F u)) with (F u + l) in hc by ring.
  Qed.

  Theorem T12_safe g a F v :
    keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> In v (nodes S) -> late_path_inequality S a F T J v
      -> safe S h F v.
  Proof.
    intros laws hF hv (M & share & excluded & lim & parallel & blk & n & hM & hpar & hblk & hexcl & hlim & hT & hcount & hineq).
    apply (path_safe S h wf lg g a F v M share excluded lim parallel blk n laws); auto.
    intros r l u hr hl hu. apply late_count_covers; auto.
  Qed.
End T12.
