(** Pieces that are not interrupted, of which exactly m are worked on in each tick: m chains, one for each server, in which one piece follows another.
    The pieces of a chain fill it; where all lengths are whole numbers of k ticks, no less than the next whole number. docs/theory/periodic.md, T35. *)

From Coq Require Import Permutation.
From Rta Require Import model.Sums.

Lemma sum_perm {A} (f : A -> Z) l l' : Permutation l l' -> sum f l = sum f l'.
Proof. intros hp. induction hp; cbn [sum]; lia. Qed.

Lemma taken_out {A} (l Q : list A) : NoDup l -> incl l Q -> exists Q', Permutation Q (l ++ Q').
Proof.
  revert Q. induction l as [|x l IH]; intros Q nd hincl; [exists Q; reflexivity|]. inversion nd; subst.
  destruct (in_split x Q) as (q1 & q2 & ->); [apply hincl; now left|]. destruct (IH (q1 ++ q2)) as (Q' & hp); [assumption | |].
  - intros y hy. specialize (hincl y (or_intror hy)). rewrite in_app_iff in *. cbn in hincl. destruct hincl as [|[->|]]; auto. contradiction.
  - exists Q'. cbn [app]. rewrite <- Permutation_middle. now constructor.
Qed.

Section Chains.
  Context {A : Type} (on : A -> Z -> bool) (last : Z).
  (* what is worked on at two instants is worked on in between *)
  Context (whole : forall p s1 s2 s3, on p s1 = true -> on p s3 = true -> s1 <= s2 <= s3 -> on p s2 = true).

  Lemma one_starts (Q : list A) p t : In p Q -> on p t = true -> on p (t + 1) = false ->
    sum (fun q => ind (on q t)) Q = sum (fun q => ind (on q (t + 1))) Q -> exists q, In q Q /\ on q (t + 1) = true /\ on q t = false.
  Proof.
    intros hin h1 h2 heq. destruct (existsb (fun q => on q (t + 1) && negb (on q t)) Q) eqn:hex.
    - apply existsb_exists in hex. destruct hex as (q & hq & hc). apply andb_prop in hc. exists q. rewrite negb_true_iff in hc. tauto.
    - exfalso. enough (sum (fun q => ind (on q (t + 1))) Q < sum (fun q => ind (on q t)) Q) by lia. clear heq.
      assert (hle : forall q, In q Q -> ind (on q (t + 1)) <= ind (on q t)).
      { intros q hq. destruct (on q (t + 1)) eqn:e1, (on q t) eqn:e2; cbn; try lia. exfalso.
        enough (existsb (fun q => on q (t + 1) && negb (on q t)) Q = true) by congruence. apply existsb_exists. exists q. now rewrite e1, e2. }
      clear hex. induction Q as [|q Q IH]; [easy|]. cbn [sum]. pose proof (hle q (or_introl eq_refl)).
      assert (hrest : sum (fun q => ind (on q (t + 1))) Q <= sum (fun q => ind (on q t)) Q) by (apply sum_le; intros x hx; apply hle; now right).
      destruct hin as [->|hin]; [rewrite h1, h2 in *; cbn [ind] in *; lia | specialize (IH hin (fun x hx => hle x (or_intror hx))); lia].
  Qed.

  Lemma chain_from (Q : list A) (n : nat) : forall t p, Z.of_nat n = last - t -> In p Q -> on p t = true ->
    (forall s, t <= s < last -> sum (fun q => ind (on q s)) Q = sum (fun q => ind (on q (s + 1))) Q) ->
    exists l, NoDup (p :: l) /\ incl (p :: l) Q /\ (forall q, In q l -> forall s, s <= t -> on q s = false) /\
      forall s, t <= s <= last -> sum (fun q => ind (on q s)) (p :: l) = 1.
  Proof.
    induction n as [|n IH]; intros t p hn hin hon heq.
    - exists []. split; [constructor; [easy | constructor]|]. split; [intros q [<-|[]]; exact hin|]. split; [easy|]. intros s hs. replace s with t by lia. cbn [sum]. rewrite hon. reflexivity.
    - destruct (on p (t + 1)) eqn:hnext.
      + destruct (IH (t + 1) p) as (l & nd & hi & hlate & hone); auto; [lia | intros s hs; apply heq; lia|].
        exists l. split; [exact nd|]. split; [exact hi|]. split; [intros q hq s hs; apply hlate; auto; lia|]. intros s hs.
        destruct (Z.eq_dec s t) as [->|hne]; [|apply hone; lia]. cbn [sum]. rewrite hon, sum_zero; [reflexivity|]. intros q hq. rewrite hlate; auto. lia.
      + destruct (one_starts Q p t hin hon hnext (heq t ltac:(lia))) as (q & hq & hq1 & hq0).
        destruct (IH (t + 1) q) as (l & nd & hi & hlate & hone); auto; [lia | intros s hs; apply heq; lia|].
        assert (hqlate : forall s, s <= t -> on q s = false).
        { intros s hs. destruct (on q s) eqn:e0; [|reflexivity]. rewrite (whole q s t (t + 1) e0 hq1) in hq0 by lia. discriminate. }
        assert (hl : forall y, In y (q :: l) -> forall s, s <= t -> on y s = false).
        { intros y [<-|hy] s hs; [now apply hqlate | apply hlate; auto; lia]. }
        exists (q :: l). split; [constructor; [|exact nd]|split; [|split; [exact hl|]]].
        * intros hp. rewrite (hl p hp t) in hon by lia. discriminate.
        * intros y [<-|hy]; [exact hin | now apply hi].
        * intros s hs. cbn [sum]. destruct (Z.eq_dec s t) as [->|hne].
          -- rewrite hon. change (1 + sum (fun q => ind (on q t)) (q :: l) = 1). rewrite sum_zero; [reflexivity|]. intros y hy. now rewrite (hl y hy) by lia.
          -- assert (hoff : on p s = false).
             { destruct (on p s) eqn:e0; [|reflexivity]. rewrite (whole p t (t + 1) s hon e0) in hnext by lia. discriminate. }
             rewrite hoff. cbn [ind]. specialize (hone s ltac:(lia)). cbn [sum] in hone. lia.
  Qed.

  Context (first k : Z) (hk : 0 < k) (hlen : first <= last) (hdiv : (k | last - first)) (c : A -> Z).

  (** The pieces of m servers that are busy throughout [first, last], by their lengths of at most last - first + k. *)
  Theorem chains_fill (m : nat) : forall Q, (forall s, first <= s <= last -> sum (fun q => ind (on q s)) Q = Z.of_nat m) ->
    (forall q, In q Q -> 0 <= c q /\ (k | c q) /\ sum (fun s => ind (on q s)) (range first (last + 1)) <= c q) ->
    Z.of_nat m * (last - first + k) <= sum (fun q => Z.min (c q) (last - first + k)) Q.
  Proof.
    induction m as [|m IH]; intros Q hbusy hc.
    - apply sum_nonneg. intros q hq. destruct (hc q hq). lia.
    - assert (exists p, In p Q /\ on p first = true) as (p & hp & hon).
      { destruct (existsb (fun q => on q first) Q) eqn:hex; [apply existsb_exists in hex; destruct hex as (p & h1 & h2); eauto|]. exfalso.
        specialize (hbusy first ltac:(lia)). rewrite sum_zero in hbusy; [lia|]. intros q hq. destruct (on q first) eqn:e0; [|reflexivity]. exfalso.
        enough (existsb (fun q => on q first) Q = true) by congruence. apply existsb_exists. eauto. }
      destruct (chain_from Q (Z.to_nat (last - first)) first p ltac:(lia) hp hon) as (l & nd & hi & _ & hone).
      { intros s hs. rewrite !hbusy by lia. reflexivity. }
      destruct (taken_out (p :: l) Q nd hi) as (Q' & hperm). rewrite (sum_perm _ _ _ hperm), sum_app.
      assert (hrest : Z.of_nat m * (last - first + k) <= sum (fun q => Z.min (c q) (last - first + k)) Q').
      { apply IH.
        - intros s hs. specialize (hbusy s hs). rewrite (sum_perm _ _ _ hperm), sum_app, hone in hbusy by exact hs. lia.
        - intros q hq. apply hc. apply (Permutation_in q (Permutation_sym hperm)). apply in_or_app. now right. }
      enough (hchain : last - first + k <= sum (fun q => Z.min (c q) (last - first + k)) (p :: l)) by lia. clear hrest IH hperm Q'.
      assert (hcl : forall q, In q (p :: l) -> 0 <= c q /\ (k | c q) /\ sum (fun s => ind (on q s)) (range first (last + 1)) <= c q) by (intros q hq; apply hc; now apply hi).
      destruct (existsb (fun q => last - first + k <=? c q) (p :: l)) eqn:hex.
      + apply existsb_exists in hex. destruct hex as (q & hq & hlong). apply Z.leb_le in hlong.
        etransitivity; [|apply (sum_in (fun q => Z.min (c q) (last - first + k)) (p :: l) q)]; [cbv beta; lia | | exact hq]. intros x hx. destruct (hcl x hx). lia.
      + assert (hshort : forall q, In q (p :: l) -> Z.min (c q) (last - first + k) = c q).
        { intros q hq. apply Z.min_l. destruct (Z_le_gt_dec (last - first + k) (c q)) as [hle|]; [exfalso | lia].
          enough (existsb (fun q => last - first + k <=? c q) (p :: l) = true) by congruence. apply existsb_exists. exists q. split; [exact hq | now apply Z.leb_le]. }
        rewrite (sum_eq _ c (p :: l) hshort).
        assert (hdv : (k | sum c (p :: l))).
        { clear -hcl. induction (p :: l) as [|x xs IHx]; [apply Z.divide_0_r|]. cbn [sum]. apply Z.divide_add_r; [apply hcl; now left | apply IHx; intros y hy; apply hcl; now right]. }
        assert (hmore : last - first + 1 <= sum c (p :: l)).
        { transitivity (sum (fun q => sum (fun s => ind (on q s)) (range first (last + 1))) (p :: l)); [|apply sum_le; intros q hq; now apply hcl].
          rewrite sum_exchange. rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_range_const; lia|]. intros s hs. rewrite in_range in hs. apply hone. lia. }
        destruct hdv as (y & hy), hdiv as (z & hz). clear -hy hz hmore hk. assert (z < y) by nia. assert ((z + 1) * k <= y * k) by nia. lia.
  Qed.
End Chains.
