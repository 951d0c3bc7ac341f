(** The counting lemma: how many releases of a sporadic DAG an interval may hold. *)

From Rta Require Import model.Sums.

(** [sporadic rel T]: two releases (instants at which [rel] holds) are at least T apart. *)
Definition sporadic (rel : Z -> bool) (T : Z) : Prop :=
  forall r r', rel r = true -> rel r' = true -> r < r' -> r + T <= r'.

(** The number of releases in the half-open interval [a, b). *)
Definition releases (rel : Z -> bool) (a b : Z) : Z := sum (fun r => ind (rel r)) (range a b).

Section Counting.
  Context (rel : Z -> bool) (T : Z) (T_pos : 0 < T) (apart : sporadic rel T).

  Lemma releases_nonneg a b : 0 <= releases rel a b.
  Proof. apply sum_nonneg. intros r _. apply ind_range. Qed.

  Lemma releases_split a b c : a <= b <= c -> releases rel a c = releases rel a b + releases rel b c.
  Proof. apply sum_range_split. Qed.

  Lemma releases_none a b : (forall r, a <= r < b -> rel r = false) -> releases rel a b = 0.
  Proof. intros H. apply sum_zero. intros r hr. rewrite in_range in hr. now rewrite H. Qed.

  Lemma releases_empty a b : b <= a -> releases rel a b = 0.
  Proof. intros H. apply releases_none. lia. Qed.

  (** A closed interval [a, b] holds at most floor((b - a)/T) + 1 releases. *)
  Lemma releases_closed a b : a <= b -> releases rel a (b + 1) <= (b - a) / T + 1.
  Proof.
    remember (Z.to_nat (b - a)) as n eqn:hn. revert a b hn.
    induction n as [n IH] using lt_wf_ind. intros a b hn hab.
    pose proof (Z.div_pos (b - a) T ltac:(lia) T_pos).
    destruct (existsb rel (range a (b + 1))) eqn:some.
    - apply existsb_exists in some. destruct some as (x0 & hx0 & rx0). rewrite in_range in hx0.
      destruct (first_such rel a x0 rx0 ltac:(lia)) as (x & hx & rx & before).
      rewrite (releases_split a x), (releases_split x (x + 1)) by lia.
      rewrite (releases_none a x) by exact before.
      assert (releases rel x (x + 1) = 1) as ->
        by (unfold releases; rewrite range_one; cbn [sum]; now rewrite rx).
      destruct (Z_le_gt_dec (x + T) b) as [hin|hout].
      + rewrite (releases_split (x + 1) (x + T)) by lia.
        rewrite (releases_none (x + 1) (x + T)).
        * specialize (IH (Z.to_nat (b - (x + T))) ltac:(lia) (x + T) b eq_refl hin).
          replace (b - (x + T)) with (b - x + (-1) * T) in IH by ring.
          rewrite Z.div_add in IH by lia.
          pose proof (Z.div_le_mono (b - x) (b - a) T T_pos ltac:(lia)). lia.
        * intros r hr. destruct (rel r) eqn:rr; [|reflexivity].
          specialize (apart x r rx rr). lia.
      + rewrite (releases_none (x + 1) (b + 1)); [lia|].
        intros r hr. destruct (rel r) eqn:rr; [|reflexivity].
        specialize (apart x r rx rr). lia.
    - rewrite releases_none; [lia|]. intros r hr. destruct (rel r) eqn:rr; [|reflexivity].
      enough (existsb rel (range a (b + 1)) = true) by congruence.
      apply existsb_exists. exists r. rewrite in_range. auto.
  Qed.

  (** The same, empty intervals included. *)
  Lemma releases_closed_max a b : releases rel a (b + 1) <= Z.max 0 ((b - a) / T + 1).
  Proof.
    destruct (Z_le_gt_dec a b) as [h|h].
    - pose proof (releases_closed a b h). lia.
    - rewrite releases_empty by lia. lia.
  Qed.

  (** Counting lemma. A half-open interval (a, b] of length l = b - a holds at most ceil(l/T) releases, and none if l <= 0. *)
  Theorem counting a b : releases rel (a + 1) (b + 1) <= Z.max 0 (cdiv (b - a) T).
  Proof.
    rewrite cdiv_floor by exact T_pos. replace (b - a - 1) with (b - (a + 1)) by ring.
    apply releases_closed_max.
  Qed.

  (** The other jobs of a DAG that was released at r itself: those in (r - before, r + after] are at most
      ceil((before + min(after, -T))/T) earlier ones and floor(after/T) later ones. *)
  Theorem counting_others r before after :
    rel r = true ->
    releases (fun x => rel x && negb (x =? r)) (r - before + 1) (r + after + 1) <=
      Z.max 0 (cdiv (before + Z.min after (- T)) T) + (if 0 <=? after then after / T else 0).
  Proof.
    intros hr.
    assert (apart' : sporadic (fun x => rel x && negb (x =? r)) T).
    { intros x y hx hy. apply andb_prop in hx, hy. apply apart; tauto. }
    set (others := fun x => rel x && negb (x =? r)) in *.
    assert (hle : forall a b, releases others a b <= releases rel a b).
    { intros a b. apply sum_le. intros x _. unfold others. destruct (rel x); cbn; [|lia]. destruct (x =? r); cbn; lia. }
    assert (hclose : forall x, r - T < x < r + T -> others x = false).
    { intros x hx. unfold others. destruct (rel x) eqn:rx; [|reflexivity]. cbn.
      destruct (Z.eqb_spec x r); [reflexivity|].
      destruct (Z_lt_le_dec x r); [specialize (apart x r rx hr) | specialize (apart r x hr rx)]; lia. }
    assert (0 <= if 0 <=? after then after / T else 0).
    { destruct (Z.leb_spec 0 after); [apply Z.div_pos|]; lia. }
    destruct (Z_le_gt_dec (r + after + 1) (r - before + 1)) as [hempty|hsome].
    { unfold releases. rewrite range_nil by lia. cbn [sum]. lia. }
    (* Earlier jobs lie in (r - before, r + min(after, -T)], later ones in [r + T, r + after]. *)
    set (mid := Z.max (r - before + 1) (r + Z.min after (- T) + 1)).
    assert (hs : releases others (r - before + 1) (r + after + 1)
            = releases others (r - before + 1) mid + releases others mid (r + after + 1))
      by (apply sum_range_split; unfold mid; lia).
    rewrite hs.
    assert (h1 : releases others (r - before + 1) mid <= Z.max 0 (cdiv (before + Z.min after (- T)) T)).
    { unfold mid. destruct (Z_le_gt_dec (r - before + 1) (r + Z.min after (- T) + 1)) as [h|h].
      - rewrite Z.max_r by lia. etransitivity; [apply hle|].
        pose proof (counting (r - before) (r + Z.min after (- T))).
        replace (r + Z.min after (- T) - (r - before)) with (before + Z.min after (- T)) in * by ring. lia.
      - rewrite Z.max_l by lia. unfold releases. rewrite range_nil by lia. cbn [sum]. lia. }
    assert (h2 : releases others mid (r + after + 1) <= if 0 <=? after then after / T else 0).
    { destruct (Z_le_gt_dec T after) as [hin|hout].
      - destruct (Z.leb_spec 0 after); [|lia].
        assert (hs2 : releases others mid (r + after + 1)
                 = releases others mid (Z.max mid (r + T)) + releases others (Z.max mid (r + T)) (r + after + 1))
          by (apply sum_range_split; unfold mid; lia).
        rewrite hs2. unfold releases at 1.
        rewrite sum_zero.
        + etransitivity; [apply Z.add_le_mono_l; etransitivity; [apply hle|]|].
          * apply (sum_range_incl _ _ _ (r + T) (r + after + 1)); [intros; apply ind_range | lia | lia].
          * pose proof (releases_closed (r + T) (r + after) ltac:(lia)) as hc.
            replace (r + after - (r + T)) with (after + (-1) * T) in hc by ring.
            rewrite Z.div_add in hc by lia. unfold releases in hc. lia.
        + intros x hx. rewrite in_range in hx. rewrite hclose; [reflexivity|]. unfold mid in hx. lia.
      - unfold releases. rewrite sum_zero; [lia|].
        intros x hx. rewrite in_range in hx. rewrite hclose; [reflexivity|]. unfold mid in hx. lia. }
    lia.
  Qed.
End Counting.

(** Release jitter: releases that come up to J < T after nominal instants, one after each, at least T apart, are at least T - J apart. *)
Theorem jitter_sporadic (nominal rel : Z -> bool) T J :
  J < T -> sporadic nominal T ->
  (forall r r', rel r = true -> rel r' = true -> r < r' ->
     exists n n', nominal n = true /\ nominal n' = true /\ n <> n' /\ n <= r <= n + J /\ n' <= r' <= n' + J) ->
  sporadic rel (T - J).
Proof.
  intros hJ hn hrel r r' hr hr' hlt. destruct (hrel r r' hr hr' hlt) as (n & n' & h1 & h2 & hne & h3 & h4).
  destruct (Z_lt_le_dec n n') as [h|h]; [specialize (hn n n' h1 h2 h) | specialize (hn n' n h2 h1 ltac:(lia))]; lia.
Qed.
