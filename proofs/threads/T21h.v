(** T21h (b): which jobs threads take, and how soon each job has one. docs/theory/threads.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.T10n path.Turns path.Visit threads.Hold.

(** A job of body b is named by the release r of its pipeline. *)
Record bodies := {
  body_list : list Z;
  before : Z -> list Z;        (* the bodies before a body, which have lower numbers *)
  threads : Z -> list Z;       (* the threads of a body, which are DAGs *)
  rel : Z -> Z -> bool;        (* the releases of a body's pipeline *)
  job : Z -> Z -> Z;           (* the job that thread d takes at s, where it takes one *)
}.

Section Take.
  Context (h : history) (sink : Z -> node) (B : bodies).

  Definition takes (b d s r : Z) : Prop := In d (threads B b) /\ released h d s = true /\ job B d s = r.
  Definition ended (b r t : Z) : Prop := exists d s, takes b d s r /\ done h (sink d) s t = true.
  Definition arrived (b r t : Z) : Prop := rel B b r = true /\ r <= t /\ forall b', In b' (before B b) -> ended b' r t.

  (** A job is taken once, when it has arrived; no thread is idle while one has none; the first that arrived is taken first, of several at one instant the
      one that was released first. *)
  Record thread_rules : Prop := {
    tr_bodies : forall b, In b (body_list B) -> 0 <= b /\ NoDup (threads B b) /\ forall b', In b' (before B b) -> In b' (body_list B) /\ b' < b /\ forall r, rel B b' r = rel B b r;
    tr_releases : forall b r, In b (body_list B) -> rel B b r = true -> 0 <= r;
    tr_arrived : forall b d s r, In b (body_list B) -> takes b d s r -> arrived b r s;
    tr_once : forall b d s d' s' r, In b (body_list B) -> takes b d s r -> takes b d' s' r -> d = d' /\ s = s';
    tr_ends : forall b d s s' r r', In b (body_list B) -> takes b d s r -> takes b d s' r' -> s < s' -> done h (sink d) s s' = true;
    tr_idle : forall b r t, In b (body_list B) -> arrived b r t -> (forall d s, takes b d s r -> t < s) ->
      forall d, In d (threads B b) -> exists s r', takes b d s r' /\ s <= t /\ done h (sink d) s t = false;
    tr_first : forall b d s r r', In b (body_list B) -> takes b d s r' -> arrived b r s -> (forall d s', takes b d s' r -> s < s') ->
      (exists t, arrived b r' t /\ ~ arrived b r t) \/ ((forall t, arrived b r t -> arrived b r' t) /\ r' < r);
  }.

  (** Jobs arrive at b in the order of their releases. *)
  Definition in_line (b : Z) : Prop := forall r r' t, rel B b r = true -> r < r' -> arrived b r' t -> arrived b r t.

  (** Where all bodies before b, and before these, have one thread. *)
  Inductive one_by_one : Z -> Prop :=
  | obo b : (forall b', In b' (before B b) -> one_by_one b') -> (forall b', In b' (before B b) -> exists d, threads B b' = [d]) -> one_by_one b.

  Context (legal_starts : forall d s, released h d s = true -> 0 <= s) (done_after : forall d s t, done h (sink d) s t = true -> s <= t)
    (done_stays : forall d s t t', done h (sink d) s t = true -> t <= t' -> done h (sink d) s t' = true).
  Context (rules : thread_rules).

  Definition taken_by (b r t : Z) : bool := existsb (fun d => existsb (fun s => released h d s && (job B d s =? r)) (range 0 (t + 1))) (threads B b).

  Lemma taken_by_spec b r t : taken_by b r t = true -> exists d s, takes b d s r /\ s <= t.
  Proof.
    intros ht. apply existsb_exists in ht. destruct ht as (d & hd & ht). apply existsb_exists in ht. destruct ht as (s & hs & ht). rewrite in_range in hs.
    apply andb_prop in ht. destruct ht as (h1 & h2). apply Z.eqb_eq in h2. exists d, s. split; [split; auto | lia].
  Qed.

  Lemma not_taken_by b r t : taken_by b r t = false -> forall d s, takes b d s r -> t < s.
  Proof.
    intros ht d s (hd & hs & hj). destruct (Z_lt_le_dec t s) as [|hle]; [assumption | exfalso]. enough (taken_by b r t = true) by congruence.
    apply existsb_exists. exists d. split; [exact hd|]. apply existsb_exists. exists s. split; [apply in_range; pose proof (legal_starts d s hs); lia|].
    now rewrite hs, hj, Z.eqb_refl.
  Qed.

  Theorem one_by_one_in_line b : In b (body_list B) -> one_by_one b -> in_line b.
  Proof.
    intros hb ho. revert hb. induction ho as [b hall IH hone]. intros hb r r' t hr hlt (_ & ht & hend).
    split; [exact hr|]. split; [lia|]. intros b' hb'. destruct (tr_bodies rules b hb) as (_ & _ & hbef). destruct (hbef b' hb') as (hb'n & _ & hrel).
    destruct (hend b' hb') as (d' & s' & htake' & hdone'). destruct (hone b' hb') as (d & hthreads).
    pose proof (tr_arrived rules b' d' s' r' hb'n htake') as harr'.
    pose proof (IH b' hb' hb'n r r' s' ltac:(now rewrite hrel) hlt harr') as harr.
    destruct (taken_by b' r s') eqn:htk.
    - destruct (taken_by_spec b' r s' htk) as (d0 & s0 & htake0 & hs0).
      assert (d0 = d') as -> by (destruct htake' as (h1 & _), htake0 as (h2 & _); rewrite hthreads in h1, h2; destruct h1 as [<-|[]], h2 as [<-|[]]; reflexivity).
      exists d', s0. split; [exact htake0|].
      assert (hne : s0 <> s') by (intros ->; destruct htake' as (_ & _ & h1), htake0 as (_ & _ & h2); lia).
      apply (done_stays d' s0 s'); [apply (tr_ends rules b' d' s0 s' r r'); auto; lia|]. exact (done_after d' s' t hdone').
    - exfalso. destruct (tr_first rules b' d' s' r r' hb'n htake' harr (not_taken_by b' r s' htk)) as [(t0 & h1 & h2) | (_ & h1)]; [|lia].
      apply h2. apply (IH b' hb' hb'n r r' t0); auto. now rewrite hrel.
  Qed.


  (** A_b: by then after its release a job has arrived at b; H_b: so long a thread of b has a job at most; T: two releases are so far apart. *)
  Context (H A T : Z -> Z).
  Context (held : forall b d s r, In b (body_list B) -> takes b d s r -> done h (sink d) s (s + H b) = true).
  Context (apart : forall b, In b (body_list B) -> 0 < T b /\ sporadic (rel B b) (T b) /\ 0 <= H b /\ 0 <= A b).
  Context (after : forall b b', In b (body_list B) -> In b' (before B b) -> A b' + H b' <= A b).
  (* fewer jobs than threads may have been released within less than H before one; where jobs overtake, or within A after it *)
  Context (enough_threads : forall b, In b (body_list B) ->
    (in_line b /\ Z.max 0 (cdiv (H b) (T b) - 1) < Z.of_nat (length (threads B b))) \/
    Z.max 0 (cdiv (H b) (T b) - 1) + A b / T b < Z.of_nat (length (threads B b))).

  Theorem has_thread b r : In b (body_list B) -> rel B b r = true -> exists d s, takes b d s r /\ s <= r + A b.
  Proof.
    enough (hall : forall n, 0 <= n -> forall b, 0 <= b -> In b (body_list B) -> forall r, rel B b r = true -> r + A b = n -> exists d s, takes b d s r /\ s <= r + A b).
    { intros hb hr. pose proof (tr_releases rules b r hb hr). destruct (apart b hb) as (_ & _ & _ & hA). destruct (tr_bodies rules b hb) as (hb0 & _).
      apply (hall (r + A b)); auto. lia. }
    clear b r. intros n hn. pattern n. apply Zlt_0_ind; [|exact hn]. clear n hn. intros n IHn _ b hb0. pattern b. apply Zlt_0_ind; [|exact hb0]. clear b hb0.
    intros b IHb _ hb r hr hrn. destruct (apart b hb) as (hT & hsp & hH & hA). destruct (tr_bodies rules b hb) as (hb0 & nd & hbef). pose proof (tr_releases rules b r hb hr) as hr0.
    destruct (taken_by b r (r + A b)) eqn:htk; [exact (taken_by_spec b r _ htk) | exfalso]. pose proof (not_taken_by b r _ htk) as hno.
    (* it has arrived *)
    assert (harr : arrived b r (r + A b)).
    { split; [exact hr|]. split; [lia|]. intros b' hb'. destruct (hbef b' hb') as (hb'n & hlt & hrel). destruct (tr_bodies rules b' hb'n) as (hb'0 & _).
      pose proof (after b b' hb hb') as haft. destruct (apart b' hb'n) as (_ & _ & hH' & hA').
      assert (exists d s, takes b' d s r /\ s <= r + A b') as (d & s & htake & hs).
      { destruct (Z.eq_dec (r + A b') n) as [e|hne].
        - apply (IHb b'); [lia | exact hb'n | now rewrite hrel | exact e].
        - apply (IHn (r + A b') ltac:(lia) b' hb'0 hb'n r); [now rewrite hrel | reflexivity]. }
      exists d, s. split; [exact htake|]. apply (done_stays d s (s + H b')); [now apply (held b' d s r) | lia]. }
    (* all threads have other jobs *)
    pose proof (tr_idle rules b r (r + A b) hb harr hno) as hidle.
    assert (hwin : exists late, 0 <= late /\ Z.max 0 (cdiv (H b + Z.min late (- T b)) (T b)) + (if 0 <=? late then late / T b else 0) < Z.of_nat (length (threads B b)) /\
      forall d s r', takes b d s r' -> s <= r + A b -> r' <= r + late).
    { destruct (enough_threads b hb) as [(hline & hx) | hx].
      - exists 0. split; [lia|]. rewrite Z.min_r, cdiv_sub, Z.div_0_l by lia. cbn [Z.leb]. split; [cbn; lia|].
        intros d s r' htake hs. destruct (Z_le_gt_dec r' (r + 0)) as [|hgt]; [assumption | exfalso]. pose proof (tr_arrived rules b d s r' hb htake) as harr'.
        pose proof (hline r r' s hr ltac:(lia) harr') as harr0.
        destruct (tr_first rules b d s r r' hb htake harr0) as [(t0 & h1 & h2) | (_ & h1)]; [| |lia].
        + intros d1 s1 h1. specialize (hno d1 s1 h1). lia.
        + apply h2. apply (hline r r' t0); auto. lia.
      - exists (A b). split; [exact hA|]. rewrite Z.min_r, cdiv_sub by lia. rewrite (proj2 (Z.leb_le 0 (A b)) hA). split; [lia|].
        intros d s r' htake hs. destruct (tr_arrived rules b d s r' hb htake) as (_ & h1 & _). lia. }
    destruct hwin as (late & hlate & hcount & hwin).
    pose proof (counting_others (rel B b) (T b) hT hsp r (H b) late hr) as hc.
    enough (Z.of_nat (length (threads B b)) <= releases (fun x => rel B b x && negb (x =? r)) (r - H b + 1) (r + late + 1)) by lia.
    unfold releases. rewrite sum_length.
    apply (pigeonhole _ _ (fun d r' => exists s, takes b d s r')); [exact nd | |].
    - intros d hd. destruct (hidle d hd) as (s & r' & htake & hs & hnd). exists r'. split; [|now exists s].
      destruct (tr_arrived rules b d s r' hb htake) as (hr' & hr's & _).
      assert (hne : r' <> r) by (intros ->; specialize (hno d s htake); lia).
      (* it was taken within A of its release *)
      assert (hsoon : s <= r' + A b).
      { destruct (Z_lt_le_dec r' r) as [hlt|]; [|lia]. pose proof (tr_releases rules b r' hb hr').
        destruct (IHn (r' + A b) ltac:(lia) b hb0 hb r' hr' eq_refl) as (d' & s' & htake' & hs'). destruct (tr_once rules b d s d' s' r' hb htake htake') as (_ & ->). exact hs'. }
      pose proof (held b d s r' hb htake) as hheld.
      assert (hlong : r + A b < s + H b).
      { destruct (Z_lt_le_dec (r + A b) (s + H b)) as [|hle]; [assumption | exfalso]. rewrite (done_stays d s (s + H b) (r + A b) hheld hle) in hnd. discriminate. }
      pose proof (hwin d s r' htake hs). apply filter_In. split; [apply in_range; lia|]. rewrite hr'. cbn [andb]. now apply negb_true_iff, Z.eqb_neq.
    - intros d d' r' hd hd' (s & htake) (s' & htake'). now destruct (tr_once rules b d s d' s' r' hb htake htake').
  Qed.
End Take.

(** T21h. Threads play the jobs of bodies on pools of their own. If fewer jobs may be under way than a body has threads, every job has one within A_b of
    its release, and piece v ends within A_b + H, H what it and the pieces before it take with their queues. *)
Theorem T21h_safe S h g a sink whole B M W H A T :
  well_formed S -> legal S h -> keeps_laws S h g a -> rules_hold S h g a whole -> threads_play S h sink -> thread_rules h sink B ->
  (forall b d, In b (body_list B) -> In d (threads B b) -> In (sink d) (nodes S) /\ dag S (sink d) = d) ->
  0 < M -> (forall q, In q (nodes S) -> queued S a whole M q (W q)) ->
  (forall b, In b (body_list B) -> 0 < T b /\ sporadic (rel B b) (T b) /\ 0 <= H b /\ 0 <= A b) ->
  (forall b d l, In b (body_list B) -> In d (threads B b) -> path S l (sink d) -> sum (fun y => M * exec a y + W y) l <= M * H b) ->
  (forall b b', In b (body_list B) -> In b' (before B b) -> A b' + H b' <= A b) ->
  (forall b, In b (body_list B) -> (one_by_one B b /\ Z.max 0 (cdiv (H b) (T b) - 1) < Z.of_nat (length (threads B b))) \/
     Z.max 0 (cdiv (H b) (T b) - 1) + A b / T b < Z.of_nat (length (threads B b))) ->
  forall b r, In b (body_list B) -> rel B b r = true -> exists d s, takes h B b d s r /\ s <= r + A b /\
    forall v H', In v (nodes S) -> dag S v = d -> 0 <= H' -> (forall l, path S l v -> sum (fun y => M * exec a y + W y) l <= M * H') -> done h v s (r + A b + H') = true.
Proof.
  intros wf lg laws hwhole play rules hsinks hM hW hnum hlen hafter hk b r hb hr.
  assert (hstart : forall d s, released h d s = true -> 0 <= s) by (intros d s; apply (legal_start lg)).
  assert (hstays : forall d s t t', done h (sink d) s t = true -> t <= t' -> done h (sink d) s t' = true) by (intros d s t t'; apply (legal_done lg)).
  assert (hlater : forall d s t, done h (sink d) s t = true -> s <= t).
  { intros d s t hd. pose proof (legal_ready lg _ _ _ hd) as hre. apply ready_spec in hre. lia. }
  assert (hheld : forall b d s r, In b (body_list B) -> takes h B b d s r -> done h (sink d) s (s + H b) = true).
  { intros b0 d s r0 hb0 (hd & hs & _). destruct (hsinks b0 d hb0 hd) as (hsn & hsd). destruct (hnum b0 hb0) as (_ & _ & hH & _).
    apply (held_at_most S h wf lg g a laws sink play whole hwhole M hM W hW); auto; [now rewrite hsd|]. intros l hl. now apply (hlen b0 d l). }
  destruct (has_thread h sink B hstart hstays rules H A T hheld hnum hafter) with (b := b) (r := r) as (d & s & htake & hs); auto.
  { intros b0 hb0. destruct (hk b0 hb0) as [(ho & hx)|hx]; [left | now right]. split; [|exact hx]. now apply (one_by_one_in_line h sink B). }
  exists d, s. split; [exact htake|]. split; [exact hs|]. intros v H' hv hvd hH' hl. destruct htake as (hd & hrel & _).
  apply (legal_done lg v s (s + H')); [|lia]. apply (held_at_most S h wf lg g a laws sink play whole hwhole M hM W hW); auto. now rewrite hvd.
Qed.
