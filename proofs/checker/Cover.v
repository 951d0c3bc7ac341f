(** Weights of GPU blocks, decided: no blocking configuration weighs less than 1. docs/theory/gpu.md, "One resource at a time is exact".

    A blocking configuration uses more than cap - (largest demand) of some resource. What covers that much weighs at least 1: a table phi says
    what covers at least n units weigh at least. It is computed, then checked: phi 0 <= 0, phi n <= phi (n - d_u) + w_u. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Configurations checker.Table.

Section Cover.
  Context (us : list Z) (d w : Z -> Z).   (* nodes, demands in units, weights *)

  Definition compute_cover (need : Z) : table Z :=
    fold_left (fun m n =>
        match us with
        | [] => m
        | u0 :: _ => put n (fold_right (fun u b => Z.min (look_or 0 m (Z.max 0 (n - d u)) + w u) b)
                              (look_or 0 m (Z.max 0 (n - d u0)) + w u0) us) m
        end)
      (range 1 (need + 1)) (put 0 0 empty).

  Definition check_cover (phi : table Z) (need : Z) : bool :=
    (look_or 0 phi 0 <=? 0) &&
    forallb (fun n => forallb (fun u => look_or 0 phi n <=? look_or 0 phi (Z.max 0 (n - d u)) + w u) us) (range 1 (need + 1)).

  Context (phi : table Z) (need : Z) (ok : check_cover phi need = true).
  Context (d_nonneg : forall u, In u us -> 0 <= d u) (w_nonneg : forall u, In u us -> 0 <= w u) (nd : NoDup us).

  Lemma one_less (x f : Z -> Z) u : In u us -> sum (fun z => (x z - ind (z =? u)) * f z) us = sum (fun z => x z * f z) us - f u.
  Proof.
    intros hu. rewrite (sum_eq _ (fun z => x z * f z - ind (z =? u) * f z)) by (intros; ring). rewrite sum_sub. f_equal.
    rewrite (sum_unique _ _ u); auto; [rewrite Z.eqb_refl; cbn [ind]; ring|].
    intros z _ hne. destruct (Z.eqb_spec z u); [contradiction|]. cbn [ind]. ring.
  Qed.

  Theorem cover_sound (x : Z -> Z) n :
    (forall u, In u us -> 0 <= x u) -> 0 <= n <= need -> n <= sum (fun u => x u * d u) us -> look_or 0 phi n <= sum (fun u => x u * w u) us.
  Proof.
    pose proof ok as h. unfold check_cover in h. apply andb_prop in h. destruct h as (h0 & hstep). apply Z.leb_le in h0.
    rewrite forallb_forall in hstep.
    remember (Z.to_nat (sum x us)) as k eqn:hk. revert x n hk. induction k as [|k IH]; intros x n hk hx hn hle.
    - assert (hz : forall u, In u us -> x u = 0).
      { intros u hu. pose proof (sum_in x us u hx hu). specialize (hx u hu). lia. }
      rewrite sum_zero in hle by (intros u hu; rewrite hz by exact hu; lia).
      rewrite sum_zero by (intros u hu; rewrite hz by exact hu; lia). replace n with 0 by lia. exact h0.
    - destruct (Z.eq_dec n 0) as [->|hne].
      { etransitivity; [exact h0|]. apply sum_nonneg. intros u hu. specialize (hx u hu). specialize (w_nonneg u hu). nia. }
      destruct (sum_pos_in x us ltac:(lia)) as (u & hu & hxu).
      set (x' := fun z => x z - ind (z =? u)).
      assert (hx' : forall z, In z us -> 0 <= x' z).
      { intros z hz. unfold x'. destruct (Z.eqb_spec z u) as [->|]; cbn [ind]; [lia|]. specialize (hx z hz). lia. }
      assert (hsum : sum x' us = sum x us - 1).
      { pose proof (one_less x (fun _ => 1) u hu) as e.
        rewrite (sum_eq _ x') in e by (intros; unfold x'; ring). rewrite (sum_eq (fun z => x z * 1) x) in e by (intros; ring). exact e. }
      specialize (IH x' (Z.max 0 (n - d u)) ltac:(lia) hx').
      pose proof (d_nonneg u hu). pose proof (one_less x d u hu) as hd. pose proof (one_less x w u hu) as hw.
      fold x' in hd, hw. cbv beta in hd, hw.
      assert (hused : 0 <= sum (fun z => x' z * d z) us).
      { apply sum_nonneg. intros z hz. specialize (hx' z hz). specialize (d_nonneg z hz). nia. }
      change (sum (fun z => x' z * d z) us = sum (fun z => x z * d z) us - d u) in hd.
      change (sum (fun z => x' z * w z) us = sum (fun z => x z * w z) us - w u) in hw.
      specialize (IH ltac:(lia) ltac:(lia)).
      specialize (hstep n (proj2 (in_range 1 (need + 1) n) ltac:(lia))). rewrite forallb_forall in hstep.
      specialize (hstep u hu). apply Z.leb_le in hstep. lia.
  Qed.
End Cover.
