(** What is left of earlier work where a pool is not busy (carry), by the longest piece: carry (b) of T6, and (ceil(U) - 1) C_max of T1. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws local.Core.

(** [carry_covers E gamma theta carry]: E times any amount below theta that is a multiple of gamma is at most carry. Work in one tick is a
    multiple of any gamma that divides all weights (1 will do). *)
Definition carry_covers (E gamma theta carry : Z) : Prop := forall z, 0 <= z < theta -> (gamma | z) -> E * z <= carry.

Lemma sum_divide {A} (f : A -> Z) l d : (forall a, In a l -> (d | f a)) -> (d | sum f l).
Proof.
  intros H. induction l as [|b l IH]; cbn; [exists 0; ring|]. apply Z.divide_add_r; [apply H; now left|]. apply IH. intros c hc. apply H. now right.
Qed.

Section Carry.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (p : Z) (laws : keeps_laws_on (on_pool S p) S h g a) (psi : node -> Z -> bool).

  Theorem carry_by_longest E gamma theta carry :
    (forall u, In u (on_pool S p) -> exec a u <= E) ->
    (forall u r t, In u (on_pool S p) -> (gamma | work g u r t)) ->
    carry_covers E gamma theta carry ->
    forall s, rate_of S g p psi s < theta -> left_of S g a p psi s <= carry.
  Proof.
    intros hE hgamma hcover s hrate.
    assert (hnn : 0 <= rate_of S g p psi s).
    { apply sum_nonneg. intros u hu. apply sum_nonneg. intros r' _.
      pose proof (law_work laws u r' s hu). destruct (psi u r'); cbn [ind]; lia. }
    transitivity (E * rate_of S g p psi s).
    - unfold left_of, rate_of. rewrite <- sum_scale. apply sum_le. intros u hu. rewrite <- sum_scale. apply sum_le. intros r' _.
      specialize (hE u hu). pose proof (law_work laws u r' s hu).
      destruct (psi u r'); cbn [ind]; nia.
    - apply hcover; [lia|]. apply sum_divide. intros u hu. apply sum_divide. intros r' _. apply Z.divide_mul_r. now apply hgamma.
  Qed.
End Carry.
