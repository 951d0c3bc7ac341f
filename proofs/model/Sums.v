(** Finite sums of integers over lists and over intervals of instants. *)

From Coq Require Export ZArith List Lia Bool.
From Coq Require FinFun.
Export ListNotations.
Open Scope Z_scope.

Fixpoint sum {A} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | a :: l' => f a + sum f l' end.

(** [range a b] lists the integers a, a+1, ..., b-1. *)
Definition range (a b : Z) : list Z := map (fun i => a + Z.of_nat i) (seq 0 (Z.to_nat (b - a))).

(** 1 where a condition holds, else 0. *)
Definition ind (b : bool) : Z := if b then 1 else 0.

Lemma ind_range b : 0 <= ind b <= 1.
Proof. destruct b; cbn; lia. Qed.

Section Sums.
  Context {A : Type}.
  Implicit Types (f g : A -> Z) (l : list A).

  Lemma sum_cons f a l : sum f (a :: l) = f a + sum f l.
  Proof. reflexivity. Qed.

  Lemma sum_nil f : sum f [] = 0.
  Proof. reflexivity. Qed.

  Lemma sum_app f l1 l2 : sum f (l1 ++ l2) = sum f l1 + sum f l2.
  Proof. induction l1; cbn in *; lia. Qed.

  Lemma sum_le f g l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
  Proof.
    induction l as [|a l IH]; cbn; intros H; [lia|].
    specialize (IH (fun b hb => H b (or_intror hb))). specialize (H a (or_introl eq_refl)). lia.
  Qed.

  Lemma sum_eq f g l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
  Proof.
    intros H. apply Z.le_antisymm; apply sum_le; intros a ha; rewrite (H a ha); lia.
  Qed.

  Lemma sum_0 l : sum (fun _ : A => 0) l = 0.
  Proof. induction l; cbn in *; lia. Qed.

  Lemma sum_zero f l : (forall a, In a l -> f a = 0) -> sum f l = 0.
  Proof. intros H. rewrite (sum_eq f (fun _ => 0)); [apply sum_0 | exact H]. Qed.

  Lemma sum_nonneg f l : (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
  Proof. intros H. rewrite <- (sum_0 l). apply sum_le. exact H. Qed.

  Lemma sum_add f g l : sum (fun a => f a + g a) l = sum f l + sum g l.
  Proof. induction l; cbn in *; lia. Qed.

  Lemma sum_sub f g l : sum (fun a => f a - g a) l = sum f l - sum g l.
  Proof. induction l; cbn in *; lia. Qed.

  Lemma sum_scale c f l : sum (fun a => c * f a) l = c * sum f l.
  Proof. induction l; cbn in *; lia. Qed.

  Lemma sum_scale_r c f l : sum (fun a => f a * c) l = sum f l * c.
  Proof. induction l; cbn in *; lia. Qed.

  Lemma sum_const c l : sum (fun _ : A => c) l = c * Z.of_nat (length l).
  Proof. induction l; cbn [sum length] in *; lia. Qed.

  Lemma sum_in f l a : (forall b, In b l -> 0 <= f b) -> In a l -> f a <= sum f l.
  Proof.
    intros H hin. induction l as [|b l IH]; [easy|]. cbn.
    pose proof (sum_nonneg f l (fun c hc => H c (or_intror hc))). pose proof (H b (or_introl eq_refl)).
    destruct hin as [<-|hin]; [lia|].
    specialize (IH (fun c hc => H c (or_intror hc)) hin). unfold sum in *. lia.
  Qed.

  Lemma sum_pos_in f l : 0 < sum f l -> exists a, In a l /\ 0 < f a.
  Proof.
    induction l as [|b l IH]; cbn; [lia|]. intros H.
    destruct (Z_lt_le_dec 0 (f b)) as [h|h]; [exists b; auto|].
    destruct IH as (a & hin & ha); [lia | exists a; auto].
  Qed.

  Lemma sum_map {B} (h : B -> A) f (l : list B) : sum f (map h l) = sum (fun b => f (h b)) l.
  Proof. induction l; cbn in *; lia. Qed.

  Lemma sum_filter (p : A -> bool) f l : sum f (filter p l) = sum (fun a => ind (p a) * f a) l.
  Proof.
    induction l as [|a l IH]; cbn; [reflexivity|].
    destruct (p a); cbn [sum ind]; rewrite IH; lia.
  Qed.

  (** One element of a list may be treated apart from the others. *)
  Lemma sum_split_one (p : A -> bool) f l :
    sum f l = sum (fun a => ind (p a) * f a) l + sum (fun a => ind (negb (p a)) * f a) l.
  Proof. rewrite <- sum_add. apply sum_eq. intros a _. destruct (p a); cbn [ind negb]; lia. Qed.

  Lemma sum_unique f l a :
    NoDup l -> In a l -> (forall b, In b l -> b <> a -> f b = 0) -> sum f l = f a.
  Proof.
    intros nd hin H. induction l as [|b l IH]; [easy|]. cbn. inversion nd; subst.
    destruct hin as [<-|hin].
    - rewrite (sum_zero f l); [lia|]. intros c hc. apply H; [now right|]. intros ->. contradiction.
    - rewrite IH; auto; [|intros c hc; apply H; now right].
      rewrite (H b); [lia | now left | intros ->; contradiction].
  Qed.

  Lemma sum_incl f l l' :
    NoDup l -> (forall a, In a l -> In a l') -> (forall a, In a l' -> 0 <= f a) -> sum f l <= sum f l'.
  Proof.
    revert l'. induction l as [|a l IH]; intros l' nd hincl hnn; cbn; [now apply sum_nonneg|].
    inversion nd; subst. destruct (in_split a l') as (l1 & l2 & ->); [apply hincl; now left|].
    rewrite sum_app, sum_cons.
    assert (sum f l <= sum f (l1 ++ l2)); [|rewrite sum_app in *; lia].
    apply IH; auto.
    - intros b hb. specialize (hincl b (or_intror hb)). rewrite in_app_iff in *. cbn in hincl.
      destruct hincl as [|[->|]]; auto. contradiction.
    - intros b hb. apply hnn. rewrite in_app_iff in *. cbn. tauto.
  Qed.
End Sums.

Lemma sum_exchange {A B} (f : A -> B -> Z) (la : list A) (lb : list B) :
  sum (fun a => sum (f a) lb) la = sum (fun b => sum (fun a => f a b) la) lb.
Proof.
  induction la as [|a la IH]; cbn.
  - symmetry. apply sum_0.
  - rewrite IH, <- sum_add. reflexivity.
Qed.

(** Sums over pairs. *)
Lemma sum_prod {A B} (f : A * B -> Z) (la : list A) (lb : list B) : sum f (list_prod la lb) = sum (fun a => sum (fun b => f (a, b)) lb) la.
Proof. induction la as [|a la IH]; cbn; [reflexivity|]. rewrite sum_app, sum_map, IH. reflexivity. Qed.

Lemma nodup_app {A} (l l' : list A) : NoDup l -> NoDup l' -> (forall x, In x l -> ~ In x l') -> NoDup (l ++ l').
Proof.
  induction l as [|a l IH]; cbn; intros h h' hd; [exact h'|]. inversion h; subst. constructor.
  - rewrite in_app_iff. intros [hin|hin]; [contradiction|]. apply (hd a); auto.
  - apply IH; auto.
Qed.

Lemma nodup_prod {A B} (la : list A) (lb : list B) : NoDup la -> NoDup lb -> NoDup (list_prod la lb).
Proof.
  intros ha hb. induction la as [|a la IH]; cbn; [constructor|]. inversion ha; subst. apply nodup_app; auto.
  - apply FinFun.Injective_map_NoDup; [|exact hb]. intros x y e. now injection e.
  - intros (x, y) hx hin. apply in_map_iff in hx. destruct hx as (z & [= <- <-] & _). apply in_prod_iff in hin. tauto.
Qed.

Lemma sum_length {A} (p : A -> bool) (l : list A) : sum (fun a => ind (p a)) l = Z.of_nat (length (filter p l)).
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [sum filter]. destruct (p a); cbn [ind length]; lia.
Qed.

Lemma in_range a b x : In x (range a b) <-> a <= x < b.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros (i & <- & hi). apply in_seq in hi. lia.
  - intros H. exists (Z.to_nat (x - a)). split; [lia|]. apply in_seq. lia.
Qed.

Lemma range_nil a b : b <= a -> range a b = [].
Proof. intros H. unfold range. replace (Z.to_nat (b - a)) with 0%nat by lia. reflexivity. Qed.

Lemma range_split a b c : a <= b <= c -> range a c = range a b ++ range b c.
Proof.
  intros H. unfold range.
  replace (Z.to_nat (c - a)) with (Z.to_nat (b - a) + Z.to_nat (c - b))%nat by lia.
  rewrite seq_app, map_app. f_equal. cbn [Nat.add].
  rewrite <- (Nat.add_0_r (Z.to_nat (b - a))) at 1.
  generalize 0%nat as s. generalize (Z.to_nat (c - b)) as n.
  induction n as [|n IH]; intros s; cbn; [reflexivity|]. f_equal; [lia|].
  specialize (IH (S s)). rewrite <- IH. f_equal. f_equal. lia.
Qed.

Lemma range_one a : range a (a + 1) = [a].
Proof. unfold range. replace (Z.to_nat (a + 1 - a)) with 1%nat by lia. cbn. f_equal. lia. Qed.

Lemma range_cons a b : a < b -> range a b = a :: range (a + 1) b.
Proof. intros H. rewrite (range_split a (a + 1) b), range_one by lia. reflexivity. Qed.

Lemma range_snoc a b : a < b -> range a b = range a (b - 1) ++ [b - 1].
Proof. intros H. rewrite (range_split a (b - 1) b) by lia. f_equal. rewrite range_cons, range_nil by lia. reflexivity. Qed.

Lemma range_nodup a b : NoDup (range a b).
Proof.
  unfold range. apply FinFun.Injective_map_NoDup; [|apply seq_NoDup].
  intros x y. lia.
Qed.

Lemma length_range a b : Z.of_nat (length (range a b)) = Z.max 0 (b - a).
Proof. unfold range. rewrite map_length, seq_length. lia. Qed.

Lemma sum_range_split f a b c : a <= b <= c -> sum f (range a c) = sum f (range a b) + sum f (range b c).
Proof. intros H. rewrite (range_split a b c H), sum_app. reflexivity. Qed.

Lemma sum_range_const c a b : a <= b -> sum (fun _ => c) (range a b) = c * (b - a).
Proof. intros H. rewrite sum_const, length_range, Z.max_r by lia. reflexivity. Qed.

(** Sums of non-negative terms grow with the interval. *)
Lemma sum_range_incl f a b a' b' :
  (forall x, a' <= x < b' -> 0 <= f x) -> a' <= a -> b <= b' -> sum f (range a b) <= sum f (range a' b').
Proof.
  intros H ha hb. apply sum_incl; [apply range_nodup| |].
  - intros x. rewrite !in_range. lia.
  - intros x. rewrite in_range. apply H.
Qed.

(** The first instant of an interval at which a decidable condition holds. *)
Lemma first_such (p : Z -> bool) a b :
  p b = true -> a <= b -> exists x, a <= x <= b /\ p x = true /\ forall y, a <= y < x -> p y = false.
Proof.
  intros hb hab. remember (Z.to_nat (b - a)) as n eqn:hn. revert a hab hn.
  induction n as [|n IH]; intros a hab hn.
  - exists a. replace a with b by lia. repeat split; auto; intros; lia.
  - destruct (p a) eqn:pa; [exists a; repeat split; auto; intros; lia|].
    destruct (IH (a + 1)) as (x & hx & px & hmin); try lia.
    exists x. split; [lia|]. split; [auto|]. intros y hy.
    destruct (Z.eq_dec y a) as [->|]; [auto | apply hmin; lia].
Qed.

(** The least a <= b such that the condition holds throughout [a, b) (or the lower limit). *)
Lemma last_failure (p : Z -> bool) lo b :
  lo <= b -> exists a, lo <= a <= b /\ (forall y, a <= y < b -> p y = true) /\ (a = lo \/ p (a - 1) = false).
Proof.
  intros h. remember (Z.to_nat (b - lo)) as n eqn:hn. revert b h hn.
  induction n as [|n IH]; intros b h hn.
  - exists b. split; [lia|]. split; [intros; lia | left; lia].
  - destruct (p (b - 1)) eqn:pb.
    + destruct (IH (b - 1)) as (a & ha & hall & hend); try lia.
      exists a. split; [lia|]. split; [|exact hend]. intros y hy.
      destruct (Z.eq_dec y (b - 1)) as [->|]; [auto | apply hall; lia].
    + exists b. split; [lia|]. split; [intros; lia | now right].
Qed.

(** Division rounded up, for positive divisors. *)
Definition cdiv (a b : Z) : Z := - ((- a) / b).

Lemma cdiv_spec a b c : 0 < b -> (cdiv a b <= c <-> a <= b * c).
Proof.
  intros hb. unfold cdiv. pose proof (Z.mul_div_le (- a) b hb). pose proof (Z.mul_succ_div_gt (- a) b hb).
  nia.
Qed.

Lemma cdiv_mono a a' b : 0 < b -> a <= a' -> cdiv a b <= cdiv a' b.
Proof. intros hb h. apply cdiv_spec; auto. pose proof (proj1 (cdiv_spec a' b (cdiv a' b) hb)). lia. Qed.

Lemma cdiv_nonneg a b : 0 < b -> 0 <= a -> 0 <= cdiv a b.
Proof.
  intros hb ha. unfold cdiv. pose proof (Z.mul_div_le (- a) b hb). nia.
Qed.

Lemma cdiv_pos a b : 0 < b -> 0 < a -> 0 < cdiv a b.
Proof.
  intros hb ha. unfold cdiv. pose proof (Z.mul_div_le (- a) b hb). nia.
Qed.

Lemma cdiv_0 b : cdiv 0 b = 0.
Proof. reflexivity. Qed.

(** For whole numbers, a/b rounded up is (a-1)/b rounded down, plus 1. *)
Lemma cdiv_floor a b : 0 < b -> cdiv a b = (a - 1) / b + 1.
Proof.
  intros hb. apply Z.le_antisymm.
  - apply cdiv_spec; auto. pose proof (Z.mul_succ_div_gt (a - 1) b hb). lia.
  - pose proof (proj1 (cdiv_spec a b (cdiv a b) hb) (Z.le_refl _)).
    enough ((a - 1) / b < cdiv a b) by lia. apply Z.div_lt_upper_bound; lia.
Qed.
