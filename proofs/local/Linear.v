(** From counted releases to utilization: a closed interval of length x holds at most x/T + 1 releases. All is multiplied by P, a common
    multiple of the periods of a pool: P = rep u * T_u. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule.

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
