(** What is left of earlier work where a pool is not busy (carry), by the longest piece: carry (b) of T6, and (ceil(U) - 1) C_max of T1. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws local.Core.

(** [carry_covers E gamma theta carry]: E times any amount below theta that is a multiple of gamma is at most carry. Work in one tick is a
    multiple of any gamma that divides all weights (1 will do). *)
Definition carry_covers (E gamma theta carry : Z) : Prop := forall z, 0 <= z < theta -> (gamma | z) -> E * z <= carry.

Lemma sum_divide {A} (f : A -> Z) l d : (forall a, In a l -> (d | f a)) -> (d | sum f l).
Proof.
  intros H. induction l as [|b l IH]; cbn; [exists 0; ring|]. apply Z.divide_add_r; [apply H; now left|]. apply IH. intros c hc. apply H.
  now right.
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

  (** Carry by count, T1c and T6c. Where every node job of u that is pending in tick s was released less than B u before, at most
      ceil(B_u/T_u) jobs of u are unfinished. For any level: what is left of a piece is at most level, and more only of longer pieces, of which
      at most ceil(B_u/T_u) times vol_u/e_u are in work. For level = the longest e this is the carry by the longest piece; on processors the
      least over all levels is the sum of the c - 1 largest pieces, each at most ceil(B_u/T_u) times. *)
  Definition carry_of (jobs : node -> Z) (level : Z) : Z :=
    sum (fun u => jobs u * (vol a u / exec a u * Z.max 0 (exec a u - level))) (on_pool S p).

  Definition counted_carry (B : node -> Z) (level : Z) : Z := carry_of (fun u => Z.max 0 (cdiv (B u) (period S (dag S u)))) level.

  (** jobs u: no less than how many releases an interval of B u may hold, where Psi has any of u. *)
  Theorem carry_by_jobs (lg : legal S h) B jobs level gamma theta carry s :
    (forall u, In u (on_pool S p) -> 0 <= jobs u /\ ((forall r', psi u r' = false) \/ releases (released h (dag S u)) (s - B u + 1) (s + 1) <= jobs u)) ->
    0 <= level ->
    (forall u r t, In u (on_pool S p) -> (gamma | work g u r t)) ->
    (forall z, 0 <= z < theta -> (gamma | z) -> level * z + carry_of jobs level <= carry) ->
    (forall u r', In u (on_pool S p) -> pending S h u r' s = true -> s - B u < r') ->
    rate_of S g p psi s < theta -> left_of S g a p psi s <= carry.
  Proof.
    intros hjobs hlevel hgamma hcover hrecent hrate.
    assert (hnn : 0 <= rate_of S g p psi s).
    { apply sum_nonneg. intros u hu. apply sum_nonneg. intros r' _.
      pose proof (law_work laws u r' s hu). destruct (psi u r'); cbn [ind]; lia. }
    transitivity (level * rate_of S g p psi s + carry_of jobs level).
    - unfold left_of, rate_of, carry_of. rewrite <- sum_scale, <- sum_add. apply sum_le. intros u hu.
      pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). pose proof (law_numbers laws u hu) as (he & hvol & _).
      set (width := vol a u / exec a u). set (over := Z.max 0 (exec a u - level)).
      assert (hpart : 0 <= width * over).
      { apply Z.mul_nonneg_nonneg; [|unfold over; lia].
        destruct (Z.eq_dec (exec a u) 0) as [e0|]; [unfold width; rewrite e0, Zdiv_0_r; lia | apply Z.div_pos; lia]. }
      destruct (hjobs u hu) as (hj0 & [hnone|hj]).
      { rewrite (sum_zero (fun r' => ind (psi u r') * (exec a u * work g u r' s))), (sum_zero (fun r' => ind (psi u r') * work g u r' s))
          by (intros r' _; rewrite hnone; cbn [ind]; lia). nia. }
      assert (hwidth : forall r', 0 < exec a u -> 0 <= work g u r' s <= width).
      { intros r' hpos. pose proof (law_work laws u r' s hu). pose proof (law_width laws u r' s hu). split; [auto|].
        apply Z.div_le_lower_bound; lia. }
      transitivity (level * sum (fun r' => ind (psi u r') * work g u r' s) (range 0 (s + 1))
                    + sum (fun r' => ind (released h (dag S u) r' && (s - B u <? r')) * (width * over)) (range 0 (s + 1))).
      + rewrite <- sum_scale, <- sum_add. apply sum_le. intros r' _. pose proof (law_work laws u r' s hu) as hw0.
        assert (hover : 0 <= over) by (unfold over; lia).
        destruct (Z.eq_dec (exec a u) 0) as [e0|hpos].
        { assert (0 <= width * over) by (unfold over; rewrite e0; replace (Z.max 0 (0 - level)) with 0 by lia; lia).
          rewrite e0. destruct (psi u r'), (released h (dag S u) r' && (s - B u <? r')); cbn [ind]; nia. }
        specialize (hwidth r' ltac:(lia)).
        destruct (Z.eq_dec (work g u r' s) 0) as [->|hne].
        { destruct (released h (dag S u) r' && (s - B u <? r')); cbn [ind]; nia. }
        pose proof (law_pending laws u r' s hu ltac:(lia)) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & _).
        specialize (hrecent u r' hu hp). rewrite hrel, (proj2 (Z.ltb_lt _ _) hrecent). cbn [andb].
        destruct (psi u r'); cbn [ind]; [|nia].
        assert (exec a u <= level + over) by (unfold over; lia). nia.
      + apply Z.add_le_mono_l. rewrite sum_scale_r. apply Z.mul_le_mono_nonneg_r.
        * exact hpart.
        * etransitivity; [|exact hj]. unfold releases.
          rewrite (sum_eq _ (fun r' => ind (s - B u <? r') * ind (released h (dag S u) r')))
            by (intros r' _; destruct (released h (dag S u) r'), (s - B u <? r'); reflexivity).
          rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range].
          intros r' hr'. apply filter_In in hr'. rewrite in_range in *. destruct hr' as (h1 & h2). apply Z.ltb_lt in h2. lia.
    - apply hcover; [lia|]. apply sum_divide. intros u hu. apply sum_divide. intros r' _. apply Z.divide_mul_r. now apply hgamma.
  Qed.

  Theorem carry_by_count (wf : well_formed S) (lg : legal S h) B level gamma theta carry s :
    0 <= level ->
    (forall u r t, In u (on_pool S p) -> (gamma | work g u r t)) ->
    (forall z, 0 <= z < theta -> (gamma | z) -> level * z + counted_carry B level <= carry) ->
    (forall u r', In u (on_pool S p) -> pending S h u r' s = true -> s - B u < r') ->
    rate_of S g p psi s < theta -> left_of S g a p psi s <= carry.
  Proof.
    apply (carry_by_jobs lg B). intros u hu. split; [lia|]. right. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _).
    pose proof (counting (released h (dag S u)) (period S (dag S u)) (wf_period wf u hun) (legal_sporadic lg u hun) (s - B u) s) as hc.
    now replace (s - (s - B u)) with (B u) in hc by ring.
  Qed.
End Carry.
