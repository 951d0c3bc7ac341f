(** Where what follows a node may be ready before the node has ended: a callback publishes before its end. docs/theory/executors.md, "Other executors".

    Of such a schedule another one is made, in which a node has ended when it and all that precedes it have. There a node is ready when all before it
    has ended, and that is how a path that explains a delay is walked back: by ends. T10n's laws of counting hold there (model/Laws.v). *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality path.Missed path.Waiting path.T10n.

(** [available v r t]: the node job (v, r) is ready; at the latest when all before it has ended, and not as long as something before it waits. *)
Record early_legal (S : system) (h : history) (available : node -> Z -> Z -> bool) (g : progress) : Prop := {
  early_start : forall d r, released h d r = true -> 0 <= r;
  early_sporadic : forall v, In v (nodes S) -> sporadic (released h (dag S v)) (period S (dag S v));
  early_released : forall v r t, In v (nodes S) -> available v r t = true -> released h (dag S v) r = true /\ r <= t;
  early_stays : forall v r t t', In v (nodes S) -> available v r t = true -> t <= t' -> available v r t' = true;
  early_ready : forall v r t, In v (nodes S) -> ready S h v r t = true -> available v r t = true;
  early_begun : forall v q r t, In v (nodes S) -> In q (preds S v) -> available v r t = true ->
    available q r t = true /\ forall s, t <= s -> waits g q r s = false;
  early_ended : forall v r t, In v (nodes S) -> done h v r t = true -> available v r t = true;
  early_done : forall v r t t', done h v r t = true -> t <= t' -> done h v r t' = true;
}.

Arguments early_start {S h available g}.
Arguments early_sporadic {S h available g}.
Arguments early_released {S h available g}.
Arguments early_stays {S h available g}.
Arguments early_ready {S h available g}.
Arguments early_begun {S h available g}.
Arguments early_ended {S h available g}.
Arguments early_done {S h available g}.

Definition early_before (available : node -> Z -> Z -> bool) (o : order) (u : node) (r' : Z) (v : node) (r : Z) : Prop :=
  let no_later := forall t, available v r t = true -> available u r' t = true in
  match o with
  | Fifo => no_later
  | Gel Y => r' + Y u <= r + Y v
  | Fixed pi => pi v < pi u \/ (pi v = pi u /\ no_later)
  | FixedAny pi => pi v <= pi u
  end.

(** The laws of counted work (model/Laws.v) of such a schedule. *)
Record early_laws (S : system) (h : history) (available : node -> Z -> Z -> bool) (g : progress) (a : accounts) : Prop := {
  el_numbers : forall u, In u (nodes S) -> 0 <= exec a u /\ 0 <= last a u <= vol a u /\ (exec a u = 0 -> vol a u = 0);
  el_cap : forall u, In u (nodes S) -> 0 < cap a (pool S u) /\ 0 <= lagging a (pool S u);
  el_waits : forall u r t, In u (nodes S) -> waits g u r t = true -> available u r t = true /\ done h u r t = false;
  el_work : forall u r t, In u (nodes S) -> 0 <= work g u r t;
  el_pending : forall u r t, In u (nodes S) -> 0 < work g u r t -> available u r t = true /\ done h u r t = false;
  el_exec : forall u r b c, In u (nodes S) ->
    sum (fun t => ind (available u r t && negb (done h u r t) && negb (waits g u r t))) (range b c) <= exec a u;
  el_vol : forall u r b c, In u (nodes S) -> sum (work g u r) (range b c) <= vol a u;
  el_last : forall u r b c, In u (nodes S) -> sum (fun t => ind (waits g u r t) * work g u r t) (range b c) <= vol a u - last a u;
  el_order : forall v r u r' t, In v (nodes S) -> In u (nodes S) -> pool S u = pool S v ->
    waits g v r t = true -> 0 < work g u r' t -> lower (order_of S (pool S v)) u r' v r = false ->
    early_before available (order_of S (pool S v)) u r' v r;
  (* In any set of ticks. *)
  el_lagging : forall v r b c (keep : Z -> bool), In v (nodes S) -> exists l : list (node * Z),
    NoDup l /\ Z.of_nat (length l) <= lagging a (pool S v) /\
    (forall u r', In (u, r') l -> In u (on_pool S (pool S v)) /\ lower (order_of S (pool S v)) u r' v r = true /\
       (exists s, b <= s < c /\ keep s = true /\ waits g v r s = true /\ 0 < work g u r' s) /\
       exists s, available v r s = false /\ available u r' s = true) /\
    sum (fun t => ind (waits g v r t && keep t) *
           sum (fun u => sum (fun r' => ind (lower (order_of S (pool S v)) u r' v r) * work g u r' t) (range 0 (t + 1))) (on_pool S (pool S v)))
      (range b c) <= sum (fun ur => vol a (fst ur)) l;
}.

Arguments el_numbers {S h available g a}.
Arguments el_cap {S h available g a}.
Arguments el_waits {S h available g a}.
Arguments el_work {S h available g a}.
Arguments el_pending {S h available g a}.
Arguments el_exec {S h available g a}.
Arguments el_vol {S h available g a}.
Arguments el_last {S h available g a}.
Arguments el_order {S h available g a}.
Arguments el_lagging {S h available g a}.

Section Early.
  Context (S : system) (h : history) (available : node -> Z -> Z -> bool) (g : progress).
  Context (wf : well_formed S) (E : early_legal S h available g).

  (** v and all that precedes it have ended; n is as many steps back as one likes to look. *)
  Fixpoint whole (n : nat) (v : node) (r t : Z) : bool :=
    match n with O => true | Datatypes.S n => done h v r t && forallb (fun q => whole n q r t) (preds S v) end.

  Definition ended (v : node) (r t : Z) : bool := existsb (Z.eqb v) (nodes S) && whole (Datatypes.S (Z.to_nat v)) v r t.

  Lemma in_nodes v : existsb (Z.eqb v) (nodes S) = true <-> In v (nodes S).
  Proof.
    rewrite existsb_exists. split; [intros (x & hx & e); apply Z.eqb_eq in e; now subst | intros hv; exists v; split; [exact hv | apply Z.eqb_refl]].
  Qed.

  Lemma whole_enough r t : forall n m v, In v (nodes S) -> (Z.to_nat v < n)%nat -> (Z.to_nat v < m)%nat -> whole n v r t = whole m v r t.
  Proof.
    induction n as [|n IH]; intros m v hv hn hm; [lia|]. destruct m as [|m]; [lia|]. cbn [whole]. f_equal.
    assert (hall : forall q, In q (preds S v) -> whole n q r t = whole m q r t).
    { intros q hq. destruct (wf_preds wf v q hv hq) as (hqn & _ & hlt). pose proof (wf_number wf q hqn). apply IH; [exact hqn | lia | lia]. }
    induction (preds S v) as [|q qs IHq]; [reflexivity|]. cbn [forallb]. rewrite (hall q) by now left. f_equal. apply IHq. intros x hx. apply hall. now right.
  Qed.

  Lemma ended_spec v r t : In v (nodes S) -> ended v r t = true <-> done h v r t = true /\ forall q, In q (preds S v) -> ended q r t = true.
  Proof.
    intros hv. unfold ended at 1. rewrite (proj2 (in_nodes v) hv). cbn [andb whole]. rewrite andb_true_iff, forallb_forall.
    assert (heq : forall q, In q (preds S v) -> ended q r t = whole (Z.to_nat v) q r t).
    { intros q hq. destruct (wf_preds wf v q hv hq) as (hqn & _ & hlt). pose proof (wf_number wf q hqn). unfold ended.
      rewrite (proj2 (in_nodes q) hqn). cbn [andb]. apply whole_enough; [exact hqn | lia | lia]. }
    split; intros (h1 & h2); (split; [exact h1|]); intros q hq; [rewrite heq | rewrite <- heq]; auto.
  Qed.

  Lemma ended_node v r t : ended v r t = true -> In v (nodes S).
  Proof. unfold ended. rewrite andb_true_iff. intros (h1 & _). now apply in_nodes. Qed.

  Lemma ended_done v r t : ended v r t = true -> done h v r t = true.
  Proof. intros he. pose proof (ended_node v r t he) as hv. now apply ended_spec in he. Qed.

  Lemma ended_stays v r t t' : ended v r t = true -> t <= t' -> ended v r t' = true.
  Proof.
    intros he hle. pose proof (ended_node v r t he) as hv. pose proof (wf_number wf v hv) as v0. revert hv he. pattern v. apply Zlt_0_ind; [|exact v0].
    clear v v0. intros v IH _ hv he. apply (ended_spec v r t hv) in he. apply (ended_spec v r t' hv). destruct he as (h1 & h2).
    split; [exact (early_done E v r t t' h1 hle)|]. intros q hq. destruct (wf_preds wf v q hv hq) as (hqn & _ & hlt).
    pose proof (wf_number wf q hqn). apply IH; [lia | exact hqn | auto].
  Qed.

  (** The schedule by ends. *)
  Definition by_ends : history := {| released := released h; done := ended |}.
  Definition progress_by_ends : progress := {| waits := fun v r t => waits g v r t && pending S by_ends v r t; work := work g |}.

  Lemma ready_by_ends v r t : In v (nodes S) -> ready S by_ends v r t = true -> ready S h v r t = true.
  Proof.
    rewrite !ready_spec. cbn [released done by_ends]. intros hv (h1 & h2 & h3). repeat split; auto. intros q hq. now apply ended_done, h3.
  Qed.

  Lemma legal_by_ends : legal S by_ends.
  Proof.
    constructor; cbn [released done by_ends].
    - exact (early_start E).
    - exact (early_sporadic E).
    - intros v r t he. pose proof (ended_node v r t he) as hv. apply (ended_spec v r t hv) in he. destruct he as (h1 & h2).
      pose proof (early_released E v r t hv (early_ended E v r t hv h1)) as (hrel & hle). apply ready_spec. auto.
    - intros v r t t'. apply ended_stays.
  Qed.

  (** Where all before it has ended v has ended if it has ended itself. *)
  Lemma pending_by_ends v r t : In v (nodes S) -> pending S by_ends v r t = true -> available v r t = true /\ done h v r t = false.
  Proof.
    intros hv hp. apply pending_spec in hp. destruct hp as (hr & hd). split; [apply (early_ready E); [exact hv | now apply ready_by_ends]|].
    destruct (done h v r t) eqn:e; [|reflexivity]. cbn [done by_ends] in hd. apply ready_spec in hr. destruct hr as (_ & _ & hq).
    rewrite (proj2 (ended_spec v r t hv) (conj e hq)) in hd. discriminate.
  Qed.

  (** While v is ready nothing before it waits. *)
  Lemma begun_before q v r t : In v (nodes S) -> ancestor S q v -> available v r t = true -> available q r t = true /\ forall s, t <= s -> waits g q r s = false.
  Proof.
    intros hv ha. induction ha as [q v hq | q x v ha IH hx]; intros hav; [exact (early_begun E v q r t hv hq hav)|].
    destruct (wf_preds wf v x hv hx) as (hxn & _). apply IH; [exact hxn|]. exact (proj1 (early_begun E v x r t hv hx hav)).
  Qed.

  Context (a : accounts) (laws : early_laws S h available g a).

  Theorem counting_by_ends : counting_laws S by_ends progress_by_ends a.
  Proof.
    constructor; cbn [waits work progress_by_ends].
    - exact (el_numbers laws).
    - exact (el_cap laws).
    - intros u r t hu hw. apply andb_prop in hw. tauto.
    - exact (el_work laws).
    - intros u r t hu hwk. destruct (el_pending laws u r t hu hwk) as (hav & hnd). destruct (early_released E u r t hu hav) as (hrel & hle).
      repeat split; auto. cbn [done by_ends]. destruct (ended u r t) eqn:e; [|reflexivity]. apply ended_done in e. congruence.
    - intros u r t hu hwk. right. destruct (el_pending laws u r t hu hwk) as (hav & hnd). intros y hy hw. apply andb_prop in hw. destruct hw as (hw & hp). split; intros ha.
      + apply pending_spec in hp. destruct hp as (hp & _). pose proof (ancestor_done S by_ends legal_by_ends u y r t ha hp) as hd.
        apply ended_done in hd. congruence.
      + destruct (begun_before y u r t hu ha hav) as (_ & hno). rewrite hno in hw by lia. discriminate.
    - intros u r b c hu. etransitivity; [|apply (el_exec laws u r b c hu)]. apply sum_le. intros t _.
      destruct (pending S by_ends u r t) eqn:hp; [|cbn [andb ind]; apply ind_range]. destruct (pending_by_ends u r t hu hp) as (-> & ->). destruct (waits g u r t); cbn; lia.
    - exact (el_vol laws).
    - intros u r b c hu. etransitivity; [|apply (el_last laws u r b c hu)]. apply sum_le. intros t _. pose proof (el_work laws u r t hu).
      destruct (waits g u r t), (pending S by_ends u r t); cbn [andb ind]; lia.
    - intros v r u r' t hv hu hp hw hwk hlow. apply andb_prop in hw. pose proof (el_order laws v r u r' t hv hu hp (proj1 hw) hwk hlow) as hb.
      assert (H : (forall s, available v r s = true -> available u r' s = true) -> forall s, ready S by_ends v r s = true -> r' <= s).
      { intros hno s hs. apply (early_released E u r' s hu), hno, (early_ready E v r s hv). now apply ready_by_ends. }
      destruct (order_of S (pool S v)); cbn [released_before early_before] in *; intuition.
    - intros v r b c hv. destruct (el_lagging laws v r b c (fun t => pending S by_ends v r t) hv) as (l & h1 & h2 & h3 & h4).
      exists l. split; [exact h1|]. split; [exact h2|]. split; [|exact h4].
      intros u r' hin. destruct (h3 u r' hin) as (k1 & k2 & (s' & k6 & k7 & k8 & k9) & s & k4 & k5).
      split; [exact k1|]. split; [exact k2|]. split; [exists s'; rewrite k7, k8; auto|]. exists s. split.
      + destruct (ready S by_ends v r s) eqn:e; [|reflexivity]. rewrite (early_ready E v r s hv) in k4; [discriminate | now apply ready_by_ends].
      + apply in_on_pool in k1. destruct k1 as (k1 & _). now apply (early_released E u r' s k1).
  Qed.

  (** Its nodes wait for less there. *)
  Lemma paced_by_ends l : paced S g a l -> paced S progress_by_ends a l.
  Proof. intros pace y r t hy hw. cbn [waits progress_by_ends] in hw. apply andb_prop in hw. exact (pace y r t hy (proj1 hw)). Qed.

  (** T10n, and T11b, where what follows a node may be ready before the node has ended. *)
  Theorem T10n_by_ends F :
    paced S g a (nodes S) -> (forall u, In u (nodes S) -> exec a u <= F u) -> (forall v, In v (nodes S) -> path_inequality S a F v) ->
    forall v, In v (nodes S) -> ends_within S h v (F v).
  Proof.
    intros pace hF hineq v hv r hr. apply ended_done.
    exact (T10n S by_ends wf legal_by_ends progress_by_ends a F (Build_rated_laws _ _ _ _ counting_by_ends (paced_by_ends _ pace)) hF hineq v hv r hr).
  Qed.
End Early.

(** Walking back by ends: some nodes of a path, each of which ended last of all that precedes the next, of which one is pending in every tick. *)
Inductive part_of {A} : list A -> list A -> Prop :=
| part_nil l : part_of [] l
| part_skip x l l' : part_of l l' -> part_of l (x :: l')
| part_keep x l l' : part_of l l' -> part_of (x :: l) (x :: l').

Lemma part_in {A} (l l' : list A) : part_of l l' -> incl l l'.
Proof. intros h. induction h; intros y hy; [easy | right; auto |]. destruct hy as [->|hy]; [now left | right; auto]. Qed.

Lemma part_app {A} (k l l' : list A) : part_of l l' -> part_of l (k ++ l').
Proof. intros h. induction k; [exact h | now constructor]. Qed.

Lemma part_nodup {A} (l l' : list A) : part_of l l' -> NoDup l' -> NoDup l.
Proof.
  intros h. induction h as [l | y l l' h IH | y l l' h IH]; intros nd; [constructor | |]; inversion nd; subst; [auto|]. constructor; [|auto].
  intros hin. now apply H1, (part_in l l').
Qed.

Section EndsWalk.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h) (r : Z).

  (** x ended last of all that precedes y; both are ready no sooner than the release. *)
  Fixpoint ended_last (f : list node) : Prop :=
    match f with
    | y :: (x :: _) as f' => (ancestor S x y /\ exists e, r <= e /\ pending S h x r e = true /\ ready S h y r (e + 1) = true) /\ ended_last f'
    | _ => True
    end.

  Lemma path_head l v : path S l v -> exists k, l = v :: k.
  Proof. intros hl. destruct hl; eauto. Qed.

  Lemma path_exists v : In v (nodes S) -> exists l, path S l v.
  Proof.
    intros hv. pose proof (wf_number wf v hv) as v0. revert hv. pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0. intros v IH _ hv.
    destruct (preds S v) as [|q qs] eqn:hp; [exists [v]; now constructor|].
    assert (hq : In q (preds S v)) by (rewrite hp; now left). destruct (wf_preds wf v q hv hq) as (hqn & _ & hlt). pose proof (wf_number wf q hqn).
    destruct (IH q ltac:(lia) hqn) as (l & hl). exists (v :: l). econstructor; eauto.
  Qed.

  Lemma ends_walk v t : In v (nodes S) -> r <= t -> pending S h v r t = true ->
    exists f l, path S l v /\ part_of (v :: f) l /\ ended_last (v :: f) /\
      forall s, r <= s <= t -> exists y, In y (v :: f) /\ pending S h y r s = true.
  Proof.
    intros hv. pose proof (wf_number wf v hv) as v0. revert t hv. pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0. intros v IH _ t hv hrt hpend.
    pose proof (proj1 (pending_spec S h v r t) hpend) as (hready & hnd). pose proof (proj1 (ready_spec S h v r t) hready) as (hrel & _ & _).
    destruct (first_such (ready S h v r) r t hready hrt) as (x1 & hx1 & rx1 & hfirst).
    assert (later : forall s, x1 <= s <= t -> pending S h v r s = true).
    { intros s hs. apply pending_spec. split; [apply (ready_stays S h lg v r x1); auto; lia|]. destruct (done h v r s) eqn:e; [|reflexivity].
      rewrite (legal_done lg v r s t e) in hnd by lia. discriminate. }
    destruct (Z.eq_dec x1 r) as [->|hne].
    - destruct (path_exists v hv) as (l & hl). exists [], l. split; [exact hl|]. split; [|split; [exact I|]].
      + destruct hl; constructor; constructor.
      + intros s hs. exists v. split; [now left | now apply later].
    - specialize (hfirst (x1 - 1) ltac:(lia)).
      assert (exists q, In q (preds S v) /\ done h q r (x1 - 1) = false) as (q & hq & hlate).
      { destruct (existsb (fun q => negb (done h q r (x1 - 1))) (preds S v)) eqn:hex.
        - apply existsb_exists in hex. destruct hex as (q & hq & hn). apply negb_true_iff in hn. eauto.
        - enough (ready S h v r (x1 - 1) = true) by congruence. apply ready_spec. repeat split; [auto | lia|]. intros q hq.
          destruct (done h q r (x1 - 1)) eqn:e; [reflexivity|].
          enough (existsb (fun q => negb (done h q r (x1 - 1))) (preds S v) = true) by congruence. apply existsb_exists. exists q. now rewrite e. }
      destruct (wf_preds wf v q hv hq) as (hqn & hqd & hqlt). 
      destruct (some_pending S h wf r q (x1 - 1) hqn ltac:(rewrite hqd; exact hrel) ltac:(lia) hlate) as (z & hz & hzp).
      destruct (ancestor_or_self_facts S z q wf hqn hz) as (hzn & _ & hzle). pose proof (wf_number wf z hzn).
      assert (hzv : ancestor S z v) by (destruct hz as [->|hz]; eauto using ancestor).
      destruct (IH z ltac:(lia) (x1 - 1) hzn ltac:(lia) hzp) as (f & l & hl & hpart & hlast & hcover).
      destruct (path_extends S l z v hl hzv) as (k & hk). exists (z :: f), (k ++ l). split; [exact hk|]. split; [|split].
      + destruct k as [|y k].
        { exfalso. cbn in hk. destruct (path_head l v hk) as (k1 & e1), (path_head l z hl) as (k2 & e2). rewrite e1 in e2. injection e2 as e2 _. lia. }
        destruct (path_head _ v hk) as (k1 & e1). cbn in e1. injection e1 as -> _. cbn. apply part_keep. now apply part_app.
      + cbn [ended_last]. split; [|exact hlast]. split; [exact hzv|]. exists (x1 - 1). split; [lia|]. split; [exact hzp|]. now replace (x1 - 1 + 1) with x1 by ring.
      + intros s hs. destruct (Z_le_gt_dec x1 s) as [hle|hgt]; [exists v; split; [now left | apply later; lia]|].
        destruct (hcover s ltac:(lia)) as (y & hy & hp). exists y. split; [now right | exact hp].
  Qed.

  (** And on to the node that is late. *)
  Theorem late_by_ends v t : In v (nodes S) -> released h (dag S v) r = true -> r <= t -> done h v r t = false ->
    exists f l, path S l v /\ part_of f l /\ ended_last f /\ (exists x f', f = x :: f' /\ pending S h x r t = true) /\
      forall s, r <= s <= t -> exists y, In y f /\ pending S h y r s = true.
  Proof.
    intros hv hr hrt hd. destruct (some_pending S h wf r v t hv hr hrt hd) as (x & hx & hp).
    destruct (ancestor_or_self_facts S x v wf hv hx) as (hxn & _ & _).
    destruct (ends_walk x t hxn hrt hp) as (f & l & hl & hpart & hlast & hcover).
    assert (exists k, path S (k ++ l) v) as (k & hk) by (destruct hx as [->|hx]; [now exists [] | now apply (path_extends S l x v)]).
    exists (x :: f), (k ++ l). split; [exact hk|]. split; [now apply part_app|]. split; [exact hlast|]. split; [eauto | exact hcover].
  Qed.
End EndsWalk.
