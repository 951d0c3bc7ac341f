(** Release jitter: releases come up to J after instants of their own, which are at least T apart. Everything else knows the system by periods of
    T - J; what counts by T uses this. docs/theory/jitter.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule.

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

(** Without jitter every release is on time. *)
Lemma on_time S h : legal S h -> jittered S h (period S) (fun _ => 0) (fun _ r => r).
Proof.
  intros lg. constructor; intros; try lia. now apply (legal_sporadic lg u).
Qed.

(** How many releases there may be in a half-open interval of length len, and in a closed one. *)
Definition late_releases (T J len : Z) : Z := if 0 <? len then cdiv (len + J) T else 0.
Definition late_releases_closed (T J len : Z) : Z := if 0 <=? len then (len + J) / T + 1 else 0.

(** A half-open interval of length len holds at most ceil(len/T) of instants that are T apart. *)
Lemma instants_in T xs a len : 0 < T -> NoDup xs -> (forall x y, In x xs -> In y xs -> x <> y -> x + T <= y \/ y + T <= x) ->
  (forall x, In x xs -> a < x <= a + len) -> Z.of_nat (length xs) <= Z.max 0 (cdiv len T).
Proof.
  intros hT nd hap hin. set (rel := fun x => existsb (Z.eqb x) xs).
  assert (hrel : forall x, rel x = true <-> In x xs).
  { intros x. unfold rel. rewrite existsb_exists. split; [intros (y & hy & e); apply Z.eqb_eq in e; now subst | intros hx; exists x; split; [exact hx | apply Z.eqb_refl]]. }
  assert (hs : sporadic rel T).
  { intros x y hx hy hlt. apply hrel in hx, hy. destruct (hap x y hx hy ltac:(lia)); lia. }
  pose proof (counting rel T hT hs a (a + len)) as hc. replace (a + len - a) with len in hc by ring. etransitivity; [|exact hc].
  transitivity (sum (fun x => ind (rel x)) xs).
  - rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_const; lia|]. intros x hx. now rewrite (proj2 (hrel x) hx).
  - apply sum_incl; [exact nd | | intros; apply ind_range]. intros x hx. apply in_range. specialize (hin x hx). lia.
Qed.

Section Jitter.
  Context (S : system) (h : history) (T J : Z -> Z) (nominal : Z -> Z -> Z) (hj : jittered S h T J nominal).

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
    apply (instants_in (T (dag S u)) _ lo len hT).
    - assert (nd : NoDup xs) by (apply NoDup_filter, range_nodup). revert nd hap. generalize xs. clear -hT. intros xs.
      induction xs as [|x xs IH]; intros nd hap; cbn; [constructor|]. inversion nd; subst.
      constructor; [|apply IH; auto; intros; apply hap; auto; now right].
      intros hin. apply in_map_iff in hin. destruct hin as (y & e & hy).
      destruct (hap x y (or_introl eq_refl) (or_intror hy) ltac:(intros ->; contradiction)); lia.
    - intros x y hx hy hne. apply in_map_iff in hx, hy. destruct hx as (x' & <- & hx), hy as (y' & <- & hy). apply hap; auto. congruence.
    - intros x hx. apply in_map_iff in hx. destruct hx as (x' & <- & hx). destruct (hxs x' hx) as (h1 & h2 & h3). now apply hin.
  Qed.

  (** A half-open interval of length l > 0 holds at most ceil((l + J)/T) releases. *)
  Theorem late_counting u a b : In u (nodes S) -> 0 < T (dag S u) ->
    releases (released h (dag S u)) (a + 1) (b + 1) <= late_releases (T (dag S u)) (J (dag S u)) (b - a).
  Proof.
    intros hu hT. unfold late_releases. destruct (Z.ltb_spec 0 (b - a)) as [hpos|hneg].
    - pose proof (by_nominal u (fun _ => true) (a + 1) (b + 1) (a - J (dag S u)) (b - a + J (dag S u)) hu hT) as hc.
      assert (h1 : forall x, a + 1 <= x < b + 1 -> released h (dag S u) x = true -> true = true ->
                a - J (dag S u) < nominal (dag S u) x <= a - J (dag S u) + (b - a + J (dag S u))).
      { intros x hx hrel _. pose proof (late_by hj u x hu hrel). lia. }
      specialize (hc h1). unfold releases in *.
      rewrite (sum_eq _ (fun x => ind (released h (dag S u) x))) in hc by (intros; now rewrite andb_true_r).
      pose proof (jitter_nonneg hj u hu). pose proof (cdiv_nonneg (b - a + J (dag S u)) (T (dag S u)) hT ltac:(lia)). lia.
    - rewrite releases_empty by lia. lia.
  Qed.

  (** A closed one of length l >= 0 holds at most floor((l + J)/T) + 1. *)
  Theorem late_counting_closed u a b : In u (nodes S) -> 0 < T (dag S u) ->
    releases (released h (dag S u)) a (b + 1) <= late_releases_closed (T (dag S u)) (J (dag S u)) (b - a).
  Proof.
    intros hu hT. pose proof (late_counting u (a - 1) b hu hT) as hc. replace (a - 1 + 1) with a in hc by ring. etransitivity; [exact hc|].
    unfold late_releases, late_releases_closed. rewrite cdiv_floor by exact hT. replace (b - (a - 1) + J (dag S u) - 1) with (b - a + J (dag S u)) by ring.
    destruct (Z.ltb_spec 0 (b - (a - 1))), (Z.leb_spec 0 (b - a)); lia.
  Qed.
End Jitter.
