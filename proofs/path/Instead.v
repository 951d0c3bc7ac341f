(** T10a without blocking, on pools that do not preempt: what has started is counted instead, once however many nodes of a path meet it.
    docs/theory/path.md, "Counted instead of blocking".

    Such a pool is looked at as one in any order: then nothing on it is of lower priority,
      and only [limit_instead] says what may go before. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a.

(** The same system with other orders, and orders that are any on pools ps. *)
Definition with_orders (o : Z -> order) (S : system) : system := {|
  nodes := nodes S; dag := dag S; preds := preds S; pool := pool S; period := period S; order_of := o;
|}.

Definition any_on (ps : Z -> bool) (S : system) (o : Z -> order) : Prop := forall p,
  o p = if ps p then FixedAny (fun _ => 0) else order_of S p.

(** While q waits on such a pool, u of other jobs runs only if it may go before q, or had started before q was ready: by A_q. *)
Definition limit_instead (ps : Z -> bool) (S : system) (F : node -> Z) (q u : node) : option Z :=
  if ps (pool S q) then Some (Z.max (ready_bound S F q) (match limit S F q u with None => ready_bound S F q | Some x => x end)) else limit S F q u.

Definition limits_instead (ps : Z -> bool) (S : system) (F : node -> Z) (v : node) (lim : node -> option Z) : Prop :=
  forall q u, ancestor_or_self S q v -> In u (nodes S) -> pool S u = pool S q -> limit_le (limit_instead ps S F q u) (lim u).

(** T10a's inequality, where on pools ps nothing blocks and these limits hold. *)
Definition instead_inequality (S : system) (a : accounts) (F : node -> Z) (v : node) : Prop :=
  exists ps o lim, any_on ps S o /\ limits_instead ps S F v lim /\ aligned_within (with_orders o S) a F lim v.

Section Instead.
  Context (ps : Z -> bool) (S : system) (o : Z -> order) (ho : any_on ps S o) (h : history) (wf : well_formed S) (lg : legal S h).
  Let S' := with_orders o S.

  Lemma ancestor_any x v : ancestor S' x v <-> ancestor S x v.
  Proof. split; intros ha; induction ha; solve [now apply ancestor_pred | eapply ancestor_step; eauto]. Qed.

  Lemma ancestor_or_self_any x v : ancestor_or_self S' x v <-> ancestor_or_self S x v.
  Proof. unfold ancestor_or_self. now rewrite ancestor_any. Qed.

  Lemma well_formed_any : well_formed S'.
  Proof. destruct wf as [w1 w2 w3 w4]. constructor; auto. Qed.

  Lemma legal_any : legal S' h.
  Proof. destruct lg as [l1 l2 l3 l4]. constructor; auto. Qed.

  Lemma laws_any g a : keeps_laws S h g a -> keeps_laws S' h g a.
  Proof.
    intros [n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11 n12 n13]. constructor; auto.
    - intros v r u r' t hv hu hp hw hwork hlow. unfold S' in *. cbn [order_of pool with_orders] in *. rewrite (ho (pool S v)) in *.
      destruct (ps (pool S v)); [cbn; lia | exact (n12 v r u r' t hv hu hp hw hwork hlow)].
    - intros v r b c hv. unfold S'. cbn [order_of pool with_orders]. rewrite (ho (pool S v)). destruct (ps (pool S v)) eqn:hps.
      + exists []. split; [constructor|]. split; [cbn [length]; apply (n2 v hv)|]. split; [easy|]. cbn [sum]. apply Z.eq_le_incl.
        apply sum_zero.
        intros t _. cbn [lower]. rewrite (sum_zero (fun u => sum (fun r' => ind (0 <? 0) * work g u r' t) (range 0 (t + 1)))); [lia|].
        intros u _. apply sum_zero. intros r' _. rewrite Z.ltb_irrefl. cbn [ind]. lia.
      + exact (n13 v r b c hv).
  Qed.

  Lemma busy_any g a busy : busy_holds S h g a busy -> busy_holds S' h g a busy.
  Proof.
    intros [b1 b2 b3 b4 b5]. constructor; auto. intros v r u r' t hv hu hp hw hwork hlow. unfold S' in *.
    cbn [order_of pool with_orders] in *. rewrite (ho (pool S v)) in *.
    destruct (ps (pool S v)); [cbn [lower] in hlow; rewrite Z.ltb_irrefl in hlow;
      discriminate | exact (b5 v r u r' t hv hu hp hw hwork hlow)].
  Qed.

  Lemma met_any F v r : met_before S' h F v r -> met_before S h F v r.
  Proof.
    intros met u r' hu hr' he. apply met; auto.
    destruct he as [he|(he & [hc|(hc & ha)])]; [left; exact he | right; split; [exact he | left; exact hc] |].
    right. split; [exact he|]. right. split; [exact hc | now apply ancestor_any].
  Qed.

  Lemma limits_instead_are_sound g a busy F v lim :
    keeps_laws S h g a -> busy_holds S h g a busy -> In v (nodes S) -> limits_instead ps S F v lim -> limits_sound S' h g F v lim.
  Proof.
    intros laws hbusy hv hlim r met' q u r' s hu hp hq hs hw hwork hlow. pose proof (met_any F v r met') as met.
    change (nodes S') with (nodes S) in hu. change (pool S' u) with (pool S u) in hp. change (pool S' q) with (pool S q) in hp.
    apply ancestor_or_self_any in hq. eapply within_le; [|apply (hlim q u hq hu hp)].
    destruct (ancestor_or_self_facts S q v wf hv hq) as (hqn & _ & _).
    unfold limit_instead. unfold S' in hlow. cbn [order_of pool with_orders] in hlow. rewrite (ho (pool S q)) in hlow.
    destruct (ps (pool S q)) eqn:hps.
    - destruct (lower (order_of S (pool S q)) u r' q r) eqn:hl; cbn [within].
      + destruct (busy_lower hbusy q r u r' s hqn hu hp hw hwork hl) as (s0 & hnr & hp0).
        pose proof (pending_released S h lg u r' s0 hp0) as (_ & hr0). pose proof (law_waits laws q r s hqn hw) as hpq.
        apply pending_spec in hpq. destruct hpq as (hrq & _).
        pose proof (ready_by S h wf lg F v r met q s hqn hrq hs) as hrb.
        enough (r' - r <= ready_bound S F q) by lia. destruct (Z_le_gt_dec s0 (r + ready_bound S F q)) as [|hgt]; [lia|]. exfalso.
        rewrite (ready_stays S h lg q r _ s0 hrb) in hnr by lia. discriminate.
      + pose proof (limit_sound S h g a wf lg laws F v r hv met q u r' s hu hp hq hs hw hwork hl) as h1.
        destruct (limit S F q u); cbn [within] in h1; [lia | easy].
    - apply (limit_sound S h g a wf lg laws F v r hv met q u r' s hu hp hq hs hw hwork hlow).
  Qed.
End Instead.

Theorem T10a_instead_safe S h g a busy F v :
  well_formed S -> legal S h -> keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) ->
  In v (nodes S) -> instead_inequality S a F v -> safe_with S h busy F v.
Proof.
  intros wf lg laws hbusy hF hv (ps & o & lim & ho & hlim & hineq) r hr met first.
  apply (T10a_within (with_orders o S) h (well_formed_any S o wf) (legal_any S o h lg) g a busy F lim v); auto.
  - now apply (laws_any ps S o ho).
  - now apply (busy_any ps S o ho).
  - now apply (limits_instead_are_sound ps S o ho h wf lg g a busy F v lim).
  - intros u r' hu hr' he. apply met; auto.
    destruct he as [he|(he & [hc|(hc & ha)])]; [left; exact he | right; split; [exact he | left; exact hc] |].
    right. split; [exact he|]. right. split; [exact hc | now apply (ancestor_any S o)].
Qed.
