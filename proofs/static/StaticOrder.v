(** T15: static order. Runnables start as soon as their predecessors in H - dependencies and the orders of the resources - have ended and
    their start offset is reached. *)

From Coq Require Import Relations.
From Rta Require Import model.Sums.

(** The greatest of s and all g q. *)
Fixpoint greatest (s : Z) (g : Z -> Z) (l : list Z) : Z :=
  match l with [] => s | q :: l' => Z.max (g q) (greatest s g l') end.

Section Greatest.
  Lemma greatest_start s g l : s <= greatest s g l.
  Proof. induction l; cbn; lia. Qed.

  Lemma greatest_ge s g l q : In q l -> g q <= greatest s g l.
  Proof. induction l as [|x l IH]; [easy|]. intros [->|h]; cbn; [lia|]. specialize (IH h). lia. Qed.

  Lemma greatest_reached s g l : greatest s g l = s \/ exists q, In q l /\ greatest s g l = g q.
  Proof.
    induction l as [|x l [IH|(q & hq & IH)]]; cbn; [now left| |].
    - destruct (Z.max_spec (g x) (greatest s g l)) as [(_ & ->)|(_ & ->)]; [now left | right; exists x; auto].
    - destruct (Z.max_spec (g x) (greatest s g l)) as [(_ & ->)|(_ & ->)]; right; [exists q | exists x]; auto.
  Qed.

  Lemma greatest_le s s' g g' l : s <= s' -> (forall q, In q l -> g q <= g' q) -> greatest s g l <= greatest s' g' l.
  Proof.
    intros hs hg. induction l as [|x l IH]; cbn; [lia|].
    pose proof (hg x (or_introl eq_refl)). specialize (IH (fun q h => hg q (or_intror h))). lia.
  Qed.

  Lemma greatest_ext s g g' l : (forall q, In q l -> g q = g' q) -> greatest s g l = greatest s g' l.
  Proof. intros h. induction l as [|x l IH]; cbn; [reflexivity|]. rewrite (h x), IH; auto; [intros q hq; apply h|]; cbn; auto. Qed.
End Greatest.

(** A frame: runnables, the earliest start of each, and for each the predecessors in H. *)
Record frame := {
  runnables : list Z;
  offset : Z -> Z;
  waits_for : Z -> list Z;
}.

Definition closed (f : frame) : Prop := forall v q, In v (runnables f) -> In q (waits_for f v) -> In q (runnables f).

(** A run of a frame with execution times c: when each runnable ended, if ever, and the order in which ends happened. A runnable ends c after it
    starts, and starts at its offset or at the last end that it waits for; nothing ends before what it waits for. *)
Record run_of (f : frame) (c : Z -> Z) (ends : Z -> option Z) (turn : Z -> nat) : Prop := {
  run_causal : forall v t q, In v (runnables f) -> ends v = Some t -> In q (waits_for f v) -> exists tq, ends q = Some tq
    /\ (turn q < turn v)%nat;
  run_starts : forall v g, In v (runnables f) -> (forall q, In q (waits_for f v) -> ends q = Some (g q)) ->
    ends v = Some (greatest (offset f v) g (waits_for f v) + c v);
}.

(** The longest path: f_v = max(s_v, max f over the predecessors in H) + C_v. *)
Inductive finish (f : frame) (C : Z -> Z) : Z -> Z -> Prop :=
| finish_at v g : (forall q, In q (waits_for f v) -> finish f C q (g q)) -> finish f C v (greatest (offset f v) g (waits_for f v) + C v).

(** Chains of H: lists of runnables, last one first, each waiting for the next of the list; they begin anywhere. *)
Inductive chain (f : frame) : list Z -> Z -> Prop :=
| chain_start v : chain f [v] v
| chain_step l q v : chain f l q -> In q (waits_for f v) -> chain f (v :: l) v.

Definition chain_length (f : frame) (C : Z -> Z) (l : list Z) : Z := offset f (List.last l 0) + sum C l.

Section T15.
  Context (f : frame) (cl : closed f).

  Let edge (q v : Z) : Prop := In v (runnables f) /\ In q (waits_for f v).
  Definition cycle : Prop := exists v, clos_trans Z edge v v.

  (* Without a cycle the relation is well-founded: a descending chain repeats nothing. *)
  Lemma acyclic_acc : ~ cycle -> forall v, In v (runnables f) -> Acc edge v.
  Proof.
    intros nc.
    enough (H : forall n l v, (length (runnables f) - length l)%nat = n -> NoDup (v :: l) -> incl (v :: l) (runnables f) ->
                (forall y, In y l -> clos_trans Z edge v y) -> Acc edge v).
    { intros v hv. apply (H _ [] v eq_refl); [constructor; [easy | constructor] | intros x [->|[]]; exact hv | easy]. }
    induction n as [n IH] using lt_wf_ind. intros l v hn nd hincl hreach. constructor. intros x (hv & hx).
    assert (hxl : ~ In x (v :: l)).
    { intros [->|hin]; apply nc; exists x; [apply t_step; split; auto|].
      eapply t_trans; [apply t_step; split; [exact hv | exact hx]|]. now apply hreach. }
    pose proof (NoDup_incl_length nd hincl) as hlen. cbn [length] in hlen.
    apply (IH (length (runnables f) - length (v :: l))%nat ltac:(cbn [length]; lia) (v :: l) x eq_refl); [constructor; auto | |].
    - intros y [->|hy]; [now apply (cl v) | now apply hincl].
    - intros y [->|hy]; [apply t_step; split; auto|]. eapply t_trans; [apply t_step; split; [exact hv | exact hx] | now apply hreach].
  Qed.

  (* A function from finitely many existing values. *)
  Lemma choose (R : Z -> Z -> Prop) l : (forall q, In q l -> exists y, R q y) -> exists g, forall q, In q l -> R q (g q).
  Proof.
    induction l as [|x l IH]; intros h; [exists (fun _ => 0); easy|].
    destruct (IH (fun q hq => h q (or_intror hq))) as (g & hg). destruct (h x (or_introl eq_refl)) as (y & hy).
    exists (fun q => if q =? x then y else g q). intros q hq. destruct (Z.eqb_spec q x) as [->|hne]; [exact hy|].
    destruct hq as [->|hq]; [contradiction | auto].
  Qed.

  Lemma finish_exists C : ~ cycle -> forall v, In v (runnables f) -> exists t, finish f C v t.
  Proof.
    intros nc v hv. pose proof (acyclic_acc nc v hv) as ha. revert hv. induction ha as [v _ IH]. intros hv.
    destruct (choose (finish f C) (waits_for f v)) as (g & hg).
    - intros q hq. apply IH; [split; auto | now apply (cl v)].
    - exists (greatest (offset f v) g (waits_for f v) + C v). exact (finish_at f C v g hg).
  Qed.

  Lemma finish_mono c C v t T : (forall u, c u <= C u) -> finish f c v t -> finish f C v T -> t <= T.
  Proof.
    intros hc hf. revert T. induction hf as [v g hg IH]. intros T hT. inversion hT as [v' G hG]; subst.
    apply Z.add_le_mono; [|apply hc]. apply greatest_le; [lia|]. intros q hq. apply IH; auto.
  Qed.

  Lemma finish_unique C v t t' : finish f C v t -> finish f C v t' -> t = t'.
  Proof. intros h h'. apply Z.le_antisymm; eapply finish_mono; eauto; intros; lia. Qed.

  (** T15, deadlock: in a run with a cycle no runnable of the cycle ever ends ... *)
  Theorem T15_deadlock c ends turn v : run_of f c ends turn -> clos_trans Z edge v v -> ends v = None.
  Proof.
    intros run hcyc.
    assert (hdown : forall x y t, clos_trans Z edge x y -> ends y = Some t -> exists tx, ends x = Some tx /\ (turn x < turn y)%nat).
    { intros x y t hxy. revert t. induction hxy as [x y (hy & hx) | x y z h1 IH1 h2 IH2]; intros t ht.
      - eapply run_causal; eauto.
      - destruct (IH2 t ht) as (ty & hy & hlt). destruct (IH1 ty hy) as (tx & hx & hlt'). exists tx. split; [exact hx | lia]. }
    destruct (ends v) as [t|] eqn:e; [|reflexivity]. destruct (hdown v v t hcyc e) as (_ & _ & ?). lia.
  Qed.

  (** ... and without one every runnable ends, exactly at its longest path with the execution times of the run. *)
  Theorem T15_no_deadlock c ends turn : run_of f c ends turn -> ~ cycle ->
    forall v, In v (runnables f) -> exists t, ends v = Some t /\ finish f c v t.
  Proof.
    intros run nc v hv. destruct (finish_exists c nc v hv) as (t & ht). exists t. split; [|exact ht].
    revert hv. induction ht as [v g hg IH]. intros hv. apply (run_starts f c ends turn run v g hv).
    intros q hq. apply IH; [exact hq|]. now apply (cl v).
  Qed.

  (** T15, worst finish: with execution times of at most C, no runnable ends later than its longest path with C; with C itself it ends then.
      Shorter execution times never make anything later (sustainable). *)
  Theorem T15_worst_finish c C ends turn v T :
    run_of f c ends turn -> ~ cycle -> In v (runnables f) -> (forall u, c u <= C u) -> finish f C v T ->
    exists t, ends v = Some t /\ t <= T /\ ((forall u, c u = C u) -> t = T).
  Proof.
    intros run nc hv hc hT. destruct (T15_no_deadlock c ends turn run nc v hv) as (t & he & ht). exists t. split; [exact he|]. split.
    - eapply finish_mono; eauto.
    - intros heq. apply Z.le_antisymm; [exact (finish_mono c C v t T hc ht hT)|].
      refine (finish_mono C c v T t _ hT ht). intros u. rewrite heq. lia.
  Qed.

  Theorem T15_sustainable c c' ends ends' turn turn' v t t' :
    run_of f c ends turn -> run_of f c' ends' turn' -> ~ cycle -> In v (runnables f) -> (forall u, c u <= c' u) ->
    ends v = Some t -> ends' v = Some t' -> t <= t'.
  Proof.
    intros run run' nc hv hc ht ht'.
    destruct (T15_no_deadlock c ends turn run nc v hv) as (x & hx & fx). destruct (T15_no_deadlock c' ends' turn' run' nc v hv) as (y & hy & fy).
    assert (x = t) as -> by congruence. assert (y = t') as -> by congruence. eapply finish_mono; eauto.
  Qed.

  (** f_v is the longest chain of H to v: start offset of its first runnable and all execution times; no chain is longer, one is as long. *)
  Theorem T15_longest_chain C v T : finish f C v T ->
    (forall l, chain f l v -> chain_length f C l <= T) /\ exists l, chain f l v /\ chain_length f C l = T.
  Proof.
    intros hf. induction hf as [v g hg IH]. split.
    - intros l hl. destruct hl as [v | l q v hl hq].
      + unfold chain_length. cbn [List.last sum]. pose proof (greatest_start (offset f v) g (waits_for f v)). lia.
      + destruct (IH q hq) as (hle & _). specialize (hle l hl). pose proof (greatest_ge (offset f v) g (waits_for f v) q hq).
        unfold chain_length in *. cbn [sum]. replace (List.last (v :: l) 0) with (List.last l 0); [lia|].
        destruct l; [inversion hl | reflexivity].
    - destruct (greatest_reached (offset f v) g (waits_for f v)) as [->|(q & hq & ->)].
      + exists [v]. split; [constructor|]. unfold chain_length. cbn [List.last sum]. lia.
      + destruct (IH q hq) as (_ & l & hl & hlen). exists (v :: l). split; [econstructor; eauto|].
        unfold chain_length in *. cbn [sum]. replace (List.last (v :: l) 0) with (List.last l 0); [lia|].
        destruct l; [inversion hl | reflexivity].
  Qed.
End T15.

(** Frames: frame i + 1 starts when frame i has ended, and not before its nominal instant (i + 1) P. A frame ends within M of its start. *)
Section Frames.
  Context (P : Z) (start finish_of : nat -> Z) (M : nat -> Z).
  Context (first : start 0%nat = 0) (next : forall i, start (S i) = Z.max (finish_of i) (Z.of_nat (S i) * P)).
  Context (length_at_most : forall i, finish_of i <= start i + M i).

  (** Lateness: l_(i+1) <= max(0, l_i + M_i - P). *)
  Theorem T15_lateness i : start (S i) - Z.of_nat (S i) * P <= Z.max 0 (start i - Z.of_nat i * P + M i - P).
  Proof. rewrite next. specialize (length_at_most i). lia. Qed.

  (** If no frame takes more than P, every frame starts on time. *)
  Theorem T15_on_time i : (forall j, M j <= P) -> start i = Z.of_nat i * P.
  Proof.
    intros hM. induction i as [|i IH]; [rewrite first; lia|]. rewrite next. specialize (length_at_most i). specialize (hM i). lia.
  Qed.
End Frames.
