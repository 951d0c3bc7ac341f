(** From counted releases to utilization: a closed interval of length x holds at most x/T + 1 releases. All is multiplied by P, a common
    multiple of the periods of a pool: P = rep u * T_u. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter.

Definition common_period (S : system) (p P : Z) (rep : node -> Z) : Prop :=
  0 < P /\ forall u, In u (on_pool S p) -> rep u * period S (dag S u) = P.

Lemma rep_pos S p P rep u : well_formed S -> common_period S p P rep -> In u (on_pool S p) -> 0 < rep u.
Proof.
  intros wf (hP & hrep) hu. specialize (hrep u hu). apply in_on_pool in hu. pose proof (wf_period wf u ltac:(tauto)). nia.
Qed.

Lemma releases_linear rel T P n a b : 0 < T -> 0 < P -> n * T = P -> sporadic rel T ->
  P * releases rel a (b + 1) <= Z.max 0 (P + n * (b - a)).
Proof.
  intros hT hP hn hs. destruct (Z_le_gt_dec a b) as [hle|hgt].
  - pose proof (releases_closed rel T hT hs a b hle) as hc. pose proof (Z.mul_div_le (b - a) T hT).
    assert (0 < n) by nia. nia.
  - rewrite releases_empty by lia. lia.
Qed.

(** What comes grows no faster than that, for releases up to late u after instants T_u apart; late = 0 for sporadic ones. *)
Definition come_linearly (S : system) (h : history) (p P : Z) (rep late : node -> Z) : Prop :=
  0 < P /\ forall u, In u (on_pool S p) -> 0 < rep u /\ 0 <= late u /\
    forall a b, P * releases (released h (dag S u)) a (b + 1) <= Z.max 0 (P + rep u * (b - a + late u)).

Lemma come_by_periods S h p P rep : well_formed S -> legal S h -> common_period S p P rep -> come_linearly S h p P rep (fun _ => 0).
Proof.
  intros wf lg hP. pose proof (fun u => rep_pos S p P rep u wf hP) as hpos. destruct hP as (Ppos & hrep). split; [exact Ppos|]. intros u hu.
  split; [now apply hpos|]. split; [lia|]. intros a b. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). rewrite Z.add_0_r.
  apply (releases_linear _ (period S (dag S u))); auto; [now apply (wf_period wf) | now apply (legal_sporadic lg)].
Qed.

Lemma come_by_nominal_periods S h p P rep T J nominal : jittered S h T J nominal -> 0 < P ->
  (forall u, In u (on_pool S p) -> 0 < T (dag S u) /\ rep u * T (dag S u) = P) -> come_linearly S h p P rep (fun u => J (dag S u)).
Proof.
  intros late Ppos hrep. split; [exact Ppos|]. intros u hu. destruct (hrep u hu) as (hT & hr). pose proof (proj1 (in_on_pool S p u) hu) as (hun & _).
  pose proof (jitter_nonneg late u hun) as hJ. split; [nia|]. split; [exact hJ|]. intros a b.
  pose proof (late_counting_closed S h T J nominal late u a b hun hT) as hc. unfold late_releases_closed in hc.
  assert (hm : P * releases (released h (dag S u)) a (b + 1) <= P * (if 0 <=? b - a then (b - a + J (dag S u)) / T (dag S u) + 1 else 0)) by nia.
  etransitivity; [exact hm|]. destruct (Z.leb_spec 0 (b - a)); [|lia]. pose proof (Z.mul_div_le (b - a + J (dag S u)) (T (dag S u)) hT).
  assert (0 < rep u) by nia. rewrite <- hr. nia.
Qed.
