(** The most that fits, decided: a table psi says what things of at most n units are worth at most. It is computed, then checked:
    psi n >= 0 and psi n >= psi (n - d_u) + c_u. For K and K' of T6's carry (a). *)

From Rta Require Import model.Sums checker.Table checker.Cover.

Section Knapsack.
  Context (us : list Z) (d c : Z -> Z).   (* nodes, demands in units, worth *)

  Definition compute_most (n_max : Z) : table Z :=
    fold_left (fun m n => put n (fold_right (fun u b => if d u <=? n then Z.max (look_or 0 m (n - d u) + c u) b else b) 0 us) m)
      (range 0 (n_max + 1)) empty.

  Definition check_most (psi : table Z) (n_max : Z) : bool :=
    forallb (fun n => (0 <=? look_or 0 psi n) &&
                      forallb (fun u => (n <? d u) || (look_or 0 psi (n - d u) + c u <=? look_or 0 psi n)) us) (range 0 (n_max + 1)).

  Context (psi : table Z) (n_max : Z) (ok : check_most psi n_max = true) (d_nonneg : forall u, In u us -> 0 <= d u) (nd : NoDup us).

  Theorem most_sound (x : Z -> Z) n :
    (forall u, In u us -> 0 <= x u) -> 0 <= n <= n_max -> sum (fun u => x u * d u) us <= n -> sum (fun u => x u * c u) us <= look_or 0 psi n.
  Proof.
    pose proof ok as h. unfold check_most in h. rewrite forallb_forall in h.
    remember (Z.to_nat (sum x us)) as k eqn:hk. revert x n hk. induction k as [|k IH]; intros x n hk hx hn hle.
    - assert (hz : forall u, In u us -> x u = 0).
      { intros u hu. pose proof (sum_in x us u hx hu). specialize (hx u hu). lia. }
      rewrite sum_zero by (intros u hu; rewrite hz by exact hu; lia).
      specialize (h n (proj2 (in_range 0 (n_max + 1) n) ltac:(lia))). apply andb_prop in h. destruct h as (h & _). now apply Z.leb_le.
    - destruct (sum_pos_in x us ltac:(lia)) as (u & hu & hxu).
      set (x' := fun z => x z - ind (z =? u)).
      assert (hx' : forall z, In z us -> 0 <= x' z).
      { intros z hz. unfold x'. destruct (Z.eqb_spec z u) as [->|]; cbn [ind]; [lia|]. specialize (hx z hz). lia. }
      assert (hless : forall f, sum (fun z => x' z * f z) us = sum (fun z => x z * f z) us - f u) by (intros f; now apply one_less).
      assert (hsum : sum x' us = sum x us - 1).
      { pose proof (hless (fun _ => 1)) as e. rewrite (sum_eq _ x') in e by (intros; ring).
        rewrite (sum_eq (fun z => x z * 1) x) in e by (intros; ring). exact e. }
      assert (hdu : d u <= n).
      { etransitivity; [|exact hle]. etransitivity; [|apply (sum_in (fun z => x z * d z) us u); [|exact hu]].
        - pose proof (d_nonneg u hu). cbv beta. nia.
        - intros z hz. specialize (hx z hz). specialize (d_nonneg z hz). nia. }
      pose proof (d_nonneg u hu). pose proof (hless d) as hd. pose proof (hless c) as hc.
      specialize (IH x' (n - d u) ltac:(lia) hx' ltac:(lia) ltac:(lia)).
      specialize (h n (proj2 (in_range 0 (n_max + 1) n) ltac:(lia))). apply andb_prop in h. destruct h as (_ & h).
      rewrite forallb_forall in h. specialize (h u hu). apply orb_prop in h. destruct h as [h|h]; [apply Z.ltb_lt in h; lia|].
      apply Z.leb_le in h. lia.
  Qed.
End Knapsack.
