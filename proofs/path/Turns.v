(** What node jobs do while a path waits, up to the first due instant that is missed: how much of each fits before its end,
  and how few of one
    chain come between in a FIFO. docs/theory/path.md, "T10a", "Turns" and "T30".

    Time is looked at up to the due instant t itself, not beyond: [explained_strictly]. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality path.Missed path.Waiting path.T10n.

(** What is worked on: [busy]. It does not depend on the weights by which work is counted.
What is worked on while it waits (a kernel some of
    whose blocks have not started) has waited since it was ready. *)
Record busy_holds (S : system) (h : history) (g : progress) (a : accounts) (busy : node -> Z -> Z -> bool) : Prop := {
  busy_work : forall u r t, In u (nodes S) -> 0 < work g u r t -> busy u r t = true;
  busy_pending : forall u r t, In u (nodes S) -> busy u r t = true -> pending S h u r t = true /\ 0 < exec a u;
  busy_waits : forall u r t s, In u (nodes S) -> busy u r t = true -> waits g u r t = true -> s <= t -> pending S h u r s = true ->
    waits g u r s = true;
  (* and while it waits its last piece is not worked on *)
  busy_short : forall u r t, In u (nodes S) -> waits g u r t = true -> exec a u * work g u r t <= vol a u - last a u;
  (* what is of lower priority than a node that waits had started before that was ready *)
  busy_lower : forall v r u r' t, In v (nodes S) -> In u (nodes S) -> pool S u = pool S v -> waits g v r t = true -> 0 < work g u r' t ->
    lower (order_of S (pool S v)) u r' v r = true -> exists s, ready S h v r s = false /\ pending S h u r' s = true;
}.

Arguments busy_work {S h g a busy}.
Arguments busy_pending {S h g a busy}.
Arguments busy_waits {S h g a busy}.
Arguments busy_short {S h g a busy}.
Arguments busy_lower {S h g a busy}.

(** Nodes of which each is before the next. *)
Definition chain (S : system) (c : list node) : Prop :=
  NoDup c /\ forall x y, In x c -> In y c -> x = y \/ ancestor S x y \/ ancestor S y x.

(** Nodes of a list on a pool. *)
Definition here (S : system) (p : Z) (l : list node) : list node := filter (fun y => pool S y =? p) l.

(** As many as can be told apart by something of which there are no more. *)
Lemma pigeonhole {A B} (la : list A) (lb : list B) (R : A -> B -> Prop) :
  NoDup la -> (forall x, In x la -> exists y, In y lb /\ R x y) ->
  (forall x x' y, In x la -> In x' la -> R x y -> R x' y -> x = x') -> Z.of_nat (length la) <= Z.of_nat (length lb).
Proof.
  revert lb. induction la as [|x la IH]; intros lb nd hex hinj; [cbn; lia|]. inversion nd; subst.
  destruct (hex x (or_introl eq_refl)) as (y & hy & hR). destruct (in_split y lb hy) as (l1 & l2 & ->).
  specialize (IH (l1 ++ l2) H2). rewrite !app_length in *. cbn [length] in *.
  enough (Z.of_nat (length la) <= Z.of_nat (length l1 + length l2)) by lia. apply IH.
  - intros x' hx'. destruct (hex x' (or_intror hx')) as (y' & hy' & hR'). exists y'. split; [|exact hR'].
    apply in_app_iff in hy'. apply in_app_iff. destruct hy' as [|[<-|]]; auto. exfalso.
    assert (x = x') as -> by (eapply hinj; [now left | now right | exact hR | exact hR']). contradiction.
  - intros x1 x2 y' h1 h2. apply hinj; now right.
Qed.

Section Turns.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (busy : node -> Z -> Z -> bool) (works_busy : forall u r t, In u (nodes S) -> 0 < work g u r t -> busy u r t = true).
  Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true).
  Context (met : met_before S h F v r) (first : first_busy S busy F v r).
  Let t := r + F v.
  Context (missed : done h v r t = false).

  Context (l : list node) (x : node) (hl : path S l x) (hx : ancestor_or_self S x v).
  Context (cover : forall s, r <= s <= t -> exists y, In y l /\ pending S h y r s = true).
  Context (l' : list node) (hl' : path S l' v) (hincl : incl l l').

  Let waits_for := path_waits_for S g r l'.

  Lemma F0 u : In u (nodes S) -> 0 <= F u.
  Proof. exact (F_nonneg S h g a laws F hF u). Qed.

  Lemma on_path y : In y l' -> In y (nodes S) /\ dag S y = dag S v.
  Proof. exact (path_nodes S l' v wf hv hl' y). Qed.

  (* Where v itself is worked on at t, the tick that begins there is not looked at. *)
  Definition horizon : Z := if busy v r t then t else t + 1.

  Lemma horizon_range : t <= horizon <= t + 1.
  Proof. unfold horizon. destruct (busy v r t); lia. Qed.

  (** What node job (u, r') does while the path waits for it: its work up to t, and 1 more if it is worked on in the tick that begins at t.
  *)
  Definition meanwhile (u r' : Z) : Z :=
    sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r t)
    + (if busy v r t then 0 else ind (waits_for u r' t && (0 <? work g u r' t))).

  Definition touches (u r' y s : Z) : Prop :=
    r <= s < horizon /\ In y l' /\ pool S y = pool S u /\ waits g y r s = true /\ lower (order_of S (pool S y)) u r' y r = false /\
    0 < work g u r' s.

  Lemma meanwhile_at_least u r' : In u (nodes S) -> 0 <= meanwhile u r'.
  Proof.
    intros hu. unfold meanwhile. apply Z.add_nonneg_nonneg.
    - apply sum_nonneg. intros s _. pose proof (law_work laws u r' s hu). pose proof (ind_range (waits_for u r' s)). nia.
    - destruct (busy v r t); [lia | apply ind_range].
  Qed.

  Lemma t_range : r <= t.
  Proof. pose proof (F0 v hv). unfold t. lia. Qed.

  Lemma waits_for_spec u r' s : r <= s <= t -> waits_for u r' s = true ->
    exists y, In y l' /\ pool S y = pool S u /\ waits g y r s = true /\ lower (order_of S (pool S y)) u r' y r = false
      /\ ancestor_or_self S y v.
  Proof.
    intros hs hw. apply (path_waits_for_spec S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl u r' s hs hw).
  Qed.

  Lemma touched u r' : In u (nodes S) -> meanwhile u r' <> 0 -> exists y s, touches u r' y s.
  Proof.
    intros hu hne. pose proof t_range as ht. unfold meanwhile in hne.
    destruct (Z.eq_dec (sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r t)) 0) as [h0|hpos].
    - rewrite h0 in hne. destruct (busy v r t) eqn:hb; [lia|].
      destruct (waits_for u r' t) eqn:hw; [|cbn in hne; lia]. destruct (Z.ltb_spec 0 (work g u r' t)); [|cbn in hne; lia].
      destruct (waits_for_spec u r' t ltac:(lia) hw) as (y & h1 & h2 & h3 & h4 & _).
      exists y, t. unfold touches, horizon. rewrite hb. repeat split; auto; lia.
    - assert (hp : 0 < sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r t)).
      { enough (0 <= sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r t)) by lia. apply sum_nonneg. intros s _.
        pose proof (law_work laws u r' s hu). pose proof (ind_range (waits_for u r' s)). nia. }
      apply sum_pos_in in hp. destruct hp as (s & hs & hp). rewrite in_range in hs. cbv beta in hp.
      pose proof (law_work laws u r' s hu). destruct (waits_for u r' s) eqn:hw; cbn [ind] in hp; [|lia].
      destruct (waits_for_spec u r' s ltac:(lia) hw) as (y & h1 & h2 & h3 & h4 & _).
      exists y, s. pose proof horizon_range. repeat split; auto; lia.
  Qed.

  (** What is due at t and worked on there is not looked at there. *)
  Lemma due_then u r' s : In u (nodes S) -> r <= s < horizon -> 0 < work g u r' s -> s < r' + F u.
  Proof.
    intros hu hs hw. pose proof horizon_range as hh.
    destruct (Z_lt_le_dec s (r' + F u)) as [|hle]; [auto|]. exfalso.
    pose proof (law_pending laws u r' s hu hw) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & _).
    destruct (Z.eq_dec (r' + F u) t) as [he|hne].
    - assert (s = t) as -> by lia. unfold horizon in hs. destruct (busy v r t) eqn:hb; [lia|].
      destruct first as [hf|hf]; [fold t in hf; congruence|]. specialize (hf u r' hu). fold t in hf. specialize (hf he). rewrite he in hf.
      rewrite (works_busy u r' t hu hw) in hf. discriminate.
    - apply pending_spec in hp. destruct hp as (_ & hnd).
      rewrite (legal_done lg u r' (r' + F u) s) in hnd; [discriminate | | lia]. apply met; auto. left. fold t. lia.
  Qed.

  (** Only jobs whose end is yet to come at r matter, and of them only those that may go before the path. *)
  Lemma meanwhile_recent u r' : In u (nodes S) -> meanwhile u r' <> 0 -> released h (dag S u) r' = true /\ r - r' < F u.
  Proof.
    intros hu hne. destruct (touched u r' hu hne) as (y & s & hs & _ & _ & _ & _ & hw). split.
    - now apply (pending_released S h lg u r' s (law_pending laws u r' s hu hw)).
    - pose proof (due_then u r' s hu hs hw). destruct (Z_lt_le_dec (r - r') (F u)) as [|hle]; [auto|]. exfalso.
      rewrite (old_jobs_done S h g a lg laws F hF v r hv met u r' s hu) in hw; lia.
  Qed.

  Lemma meanwhile_limited lim u r' : limits_sound S h g F v lim -> In u (nodes S) -> meanwhile u r' <> 0 -> within (lim u) (r' - r).
  Proof.
    intros hlim hu hne. destruct (touched u r' hu hne) as (y & s & hs & hy & hp & hw & hlow & hwork). pose proof horizon_range as hh.
    pose proof (path_ancestors S l' v hl' y hy) as ha. apply (hlim r met y u r' s); auto. fold t. lia.
  Qed.

  Lemma meanwhile_visited u r' : In u (nodes S) -> meanwhile u r' <> 0 -> In (pool S u) (visited S l').
  Proof.
    intros hu hne. destruct (touched u r' hu hne) as (y & s & _ & hy & hp & _). apply in_visited. exists y. auto.
  Qed.

  (** No more than its volume, and no more than fits before its end. *)
  Lemma meanwhile_all_work u r' : In u (nodes S) -> meanwhile u r'
    <= sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r (t + 1)).
  Proof.
    intros hu. pose proof t_range as ht. unfold meanwhile. rewrite (sum_range_split _ r t (t + 1)), range_one by lia. cbn [sum].
    pose proof (law_work laws u r' t hu). destruct (busy v r t); [pose proof (ind_range (waits_for u r' t)); nia|].
    destruct (waits_for u r' t); cbn [ind andb]; [|lia]. destruct (Z.ltb_spec 0 (work g u r' t)); cbn [ind]; lia.
  Qed.

  Lemma meanwhile_volume u r' : In u (nodes S) -> meanwhile u r' <= vol a u.
  Proof.
    intros hu. etransitivity; [now apply meanwhile_all_work|]. etransitivity; [|apply (law_vol laws u r' r (t + 1) hu)].
    apply sum_le. intros s _. pose proof (law_work laws u r' s hu). pose proof (ind_range (waits_for u r' s)). nia.
  Qed.

  Lemma meanwhile_fits u r' : In u (nodes S) -> meanwhile u r' <> 0 -> exec a u * meanwhile u r' <= (r' + F u - r) * vol a u.
  Proof.
    intros hu hne. pose proof t_range as ht. pose proof (meanwhile_recent u r' hu hne) as (hrel & hrec).
    pose proof (law_numbers laws u hu) as (he & hvol & _).
    set (W := fun s => ind (waits_for u r' s) * work g u r' s).
    assert (hW : forall s, 0 <= exec a u * W s <= vol a u).
    { intros s. pose proof (law_width laws u r' s hu). pose proof (law_work laws u r' s hu). unfold W.
      destruct (waits_for u r' s); cbn [ind]; nia. }
    assert (hlong : forall b, r <= b -> exec a u * sum W (range r b) <= (b - r) * vol a u).
    { intros b hb. rewrite <- sum_scale. etransitivity; [apply (sum_le _ (fun _ => vol a u)); intros; apply hW|].
      rewrite sum_range_const by lia. lia. }
    unfold meanwhile. fold W.
    destruct (Z_lt_le_dec (r' + F u) t) as [hlt|hge].
    - assert (hend : forall s, r' + F u <= s -> work g u r' s = 0).
      { intros s hs. apply (no_work_unless_pending _ S h g a laws); auto. unfold pending.
        rewrite (legal_done lg u r' (r' + F u) s); [apply andb_false_r | apply met; auto; left; fold t; lia | lia]. }
      rewrite (sum_range_split _ r (r' + F u) t) by lia. rewrite (sum_zero W (range (r' + F u) t)).
      2: { intros s hs. rewrite in_range in hs. unfold W. rewrite hend by lia. lia. }
      rewrite (hend t) by lia. rewrite Z.ltb_irrefl, andb_false_r. cbn [ind]. specialize (hlong (r' + F u) ltac:(lia)).
      destruct (busy v r t); lia.
    - specialize (hlong t ht). destruct (busy v r t) eqn:hb; [rewrite Z.add_0_r; nia|].
      destruct (waits_for u r' t && (0 <? work g u r' t)) eqn:hnow; cbn [ind]; [|rewrite Z.add_0_r; nia].
      apply andb_prop in hnow. destruct hnow as (_ & hnow). apply Z.ltb_lt in hnow.
      pose proof (due_then u r' t hu ltac:(unfold horizon; rewrite hb; lia) hnow).
      pose proof (law_width laws u r' t hu). nia.
  Qed.

  (** Of a node of the path itself, not its last piece. *)
  Lemma meanwhile_own u : In u l' -> meanwhile u r + last a u <= vol a u.
  Proof.
    intros hul. destruct (on_path u hul) as (hu & _). pose proof (meanwhile_all_work u r hu).
    pose proof (meanwhile_path S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl u hul) as hm.
    change (r + F v) with t in hm. change (path_waits_for S g r l') with waits_for in hm. lia.
  Qed.

  (** Turns: while one node of the path waits in a FIFO, of one chain of one job no more than one node comes between. *)
  Lemma ready_together u r' y s s' : In u (nodes S) -> order_of S (pool S y) = Fifo ->
    touches u r' y s -> waits g y r s' = true -> s' <= s -> ready S h u r' s' = true.
  Proof.
    intros hu hord (hs & hy & hp & hw & hlow & hwork) hw' hle. destruct (on_path y hy) as (hyn & _).
    pose proof (law_order laws y r u r' s hyn hu (eq_sym hp) hw hwork hlow) as hb. rewrite hord in hb. cbn [before] in hb. apply hb.
    pose proof (law_waits laws y r s' hyn hw') as hpy. apply pending_spec in hpy. tauto.
  Qed.

  Lemma one_of_a_job u1 u2 r' y s1 s2 : In u1 (nodes S) -> In u2 (nodes S) -> order_of S (pool S y) = Fifo ->
    (u1 = u2 \/ ancestor S u1 u2 \/ ancestor S u2 u1) -> touches u1 r' y s1 -> touches u2 r' y s2 -> u1 = u2.
  Proof.
    intros hu1 hu2 hord hc h1 h2.
    pose proof h1 as (_ & _ & _ & hw1 & _ & hk1). pose proof h2 as (_ & _ & _ & hw2 & _ & hk2).
    pose proof (law_pending laws u1 r' s1 hu1 hk1) as hp1. pose proof (law_pending laws u2 r' s2 hu2 hk2) as hp2.
    assert (hmin : forall s, s <= s1 -> s <= s2 -> waits g y r s = true -> u1 = u2).
    { intros s hs1 hs2 hws. pose proof (ready_together u1 r' y s1 s hu1 hord h1 hws hs1) as hr1.
      pose proof (ready_together u2 r' y s2 s hu2 hord h2 hws hs2) as hr2.
      destruct hc as [|[hc|hc]]; [auto | exfalso | exfalso].
      - pose proof (ancestor_done S h lg u1 u2 r' s hc hr2) as hd. apply pending_spec in hp1. destruct hp1 as (_ & hnd).
        rewrite (legal_done lg u1 r' s s1 hd hs1) in hnd. discriminate.
      - pose proof (ancestor_done S h lg u2 u1 r' s hc hr1) as hd. apply pending_spec in hp2. destruct hp2 as (_ & hnd).
        rewrite (legal_done lg u2 r' s s2 hd hs2) in hnd. discriminate. }
    destruct (Z_le_gt_dec s1 s2); [apply (hmin s1); auto; lia | apply (hmin s2); auto; lia].
  Qed.

  (** T30: nor of all jobs together, where the earlier one has ended before the later one is released. *)
  Lemma one_of_all_jobs u1 r1 u2 r2 y s1 s2 : In u1 (nodes S) -> In u2 (nodes S) -> order_of S (pool S y) = Fifo ->
    r1 + F u1 <= r2 -> touches u1 r1 y s1 -> touches u2 r2 y s2 -> False.
  Proof.
    intros hu1 hu2 hord hle h1 h2.
    pose proof h1 as (hs1 & _ & _ & hw1 & _ & hk1). pose proof h2 as (hs2 & _ & _ & hw2 & _ & hk2).
    assert (hlate : r2 <= s1).
    { destruct (Z_le_gt_dec s1 s2).
      - pose proof (ready_together u2 r2 y s2 s1 hu2 hord h2 hw1 ltac:(lia)) as hre. apply ready_spec in hre. lia.
      - pose proof (pending_released S h lg u2 r2 s2 (law_pending laws u2 r2 s2 hu2 hk2)). lia. }
    pose proof (due_then u1 r1 s1 hu1 hs1 hk1). lia.
  Qed.

  Lemma touched_pool u r' y s : touches u r' y s -> In y (here S (pool S u) l').
  Proof. intros (_ & hy & hp & _). apply filter_In. split; [exact hy | now apply Z.eqb_eq]. Qed.

  (** So of a chain on FIFO pool p, of one job no more nodes than the path has on p. *)
  Theorem turns c p r' : chain S c -> (forall u, In u c -> In u (nodes S) /\ pool S u = p) -> order_of S p = Fifo ->
    sum (fun u => ind (negb (meanwhile u r' =? 0))) c <= Z.of_nat (length (here S p l')).
  Proof.
    intros (hnd & hc) hin hord. rewrite sum_length.
    apply (pigeonhole _ _ (fun u y => exists s, touches u r' y s)).
    - now apply NoDup_filter.
    - intros u hu. apply filter_In in hu. destruct hu as (hu & hne). apply negb_true_iff, Z.eqb_neq in hne.
      destruct (hin u hu) as (hun & hp).
      destruct (touched u r' hun hne) as (y & s & hy). exists y. split; [rewrite <- hp; now apply (touched_pool u r' y s) | now exists s].
    - intros u1 u2 y h1 h2 (s1 & t1) (s2 & t2). apply filter_In in h1, h2. destruct h1 as (h1 & _), h2 as (h2 & _).
      destruct (hin u1 h1) as (hn1 & hp1). destruct (hin u2 h2) as (hn2 & _).
      apply (one_of_a_job u1 u2 r' y s1 s2); auto. destruct t1 as (_ & _ & hpy & _). congruence.
  Qed.

  (** The job itself: the nodes of the path are among them. *)
  Theorem turns_own c p : chain S c -> (forall u, In u c -> In u (nodes S) /\ pool S u = p) -> order_of S p = Fifo ->
    sum (fun u => ind (negb (meanwhile u r =? 0) || if in_dec Z.eq_dec u l' then true else false)) c <= Z.of_nat (length (here S p l')).
  Proof.
    intros (hnd & hc) hin hord. rewrite sum_length.
    apply (pigeonhole _ _ (fun u y => (exists s, touches u r y s) \/ (u = y /\ In y l'))).
    - now apply NoDup_filter.
    - intros u hu. apply filter_In in hu. destruct hu as (hu & hor). destruct (hin u hu) as (hun & hp).
      destruct (in_dec Z.eq_dec u l') as [hul|hul].
      + exists u. split; [|auto]. apply filter_In. split; [exact hul | now apply Z.eqb_eq].
      + rewrite orb_false_r in hor. apply negb_true_iff, Z.eqb_neq in hor.
        destruct (touched u r hun hor) as (y & s & hy). exists y.
        split; [rewrite <- hp; now apply (touched_pool u r y s) | left; now exists s].
    - assert (hself : forall u y, In u c -> In y c -> (exists s, touches u r y s) -> u = y).
      { intros u y hu hy (s & hs & hyl & hp & hw & _ & hwork). destruct (on_path y hyl) as (hyn & _).
        apply (pending_alone S h lg u y r s); [now apply hc | apply (law_pending laws); auto; now apply hin | now apply (law_waits laws)]. }
      intros u1 u2 y h1 h2 hR1 hR2. apply filter_In in h1, h2. destruct h1 as (h1 & _), h2 as (h2 & _).
      destruct hR1 as [hR1|(-> & hy1)], hR2 as [hR2|(-> & hy2)]; auto.
      + destruct hR1 as (s1 & t1), hR2 as (s2 & t2). destruct (hin u1 h1) as (hn1 & hp1). destruct (hin u2 h2) as (hn2 & _).
        apply (one_of_a_job u1 u2 r y s1 s2); auto. destruct t1 as (_ & _ & hpy & _). congruence.
      + symmetry. now apply hself.
  Qed.

  (** And of all jobs together, where the chain's nodes end within the period. *)
  Theorem turns_of_all c p d (rs : list Z) : chain S c -> (forall u, In u c -> In u (nodes S) /\ pool S u = p /\ dag S u = d /\ F u
    <= period S d) ->
    order_of S p = Fifo -> NoDup rs ->
    sum (fun r' => sum (fun u => ind (negb (meanwhile u r' =? 0))) c) rs <= Z.of_nat (length (here S p l')).
  Proof.
    intros (hnd & hc) hin hord hrs.
    rewrite <- (sum_prod (fun ru : Z * node => ind (negb (meanwhile (snd ru) (fst ru) =? 0)))), sum_length.
    apply (pigeonhole _ _ (fun (ru : Z * node) y => exists s, touches (snd ru) (fst ru) y s)).
    - apply NoDup_filter. now apply nodup_prod.
    - intros (r', u) hu. apply filter_In in hu. cbn [fst snd] in *. destruct hu as (hu & hne). apply in_prod_iff in hu.
      destruct hu as (_ & hu).
      apply negb_true_iff, Z.eqb_neq in hne. destruct (hin u hu) as (hun & hp & _).
      destruct (touched u r' hun hne) as (y & s & hy). exists y. split; [rewrite <- hp; now apply (touched_pool u r' y s) | now exists s].
    - intros (r1, u1) (r2, u2) y h1 h2 (s1 & t1) (s2 & t2). apply filter_In in h1, h2. cbn [fst snd] in *.
      destruct h1 as (h1 & _), h2 as (h2 & _). apply in_prod_iff in h1, h2. destruct h1 as (_ & h1), h2 as (_ & h2).
      destruct (hin u1 h1) as (hn1 & hp1 & hd1 & hf1). destruct (hin u2 h2) as (hn2 & hp2 & hd2 & hf2).
      assert (hordy : order_of S (pool S y) = Fifo) by (destruct t1 as (_ & _ & hpy & _); congruence).
      assert (hrel : forall u r' s, In u (nodes S) -> touches u r' y s -> released h (dag S u) r' = true).
      { intros u r' s hu (_ & _ & _ & _ & _ & hw). now apply (pending_released S h lg u r' s (law_pending laws u r' s hu hw)). }
      pose proof (hrel u1 r1 s1 hn1 t1) as hrel1. pose proof (hrel u2 r2 s2 hn2 t2) as hrel2. rewrite hd1 in hrel1. rewrite hd2 in hrel2.
      pose proof (legal_sporadic lg u1 hn1) as hsp. rewrite hd1 in hsp.
      destruct (Z.lt_trichotomy r1 r2) as [hlt|[->|hlt]].
      + exfalso. apply (one_of_all_jobs u1 r1 u2 r2 y s1 s2); auto. specialize (hsp r1 r2 hrel1 hrel2 hlt). lia.
      + f_equal. apply (one_of_a_job u1 u2 r2 y s1 s2); auto.
      + exfalso. apply (one_of_all_jobs u2 r2 u1 r1 y s2 s1); auto. specialize (hsp r2 r1 hrel2 hrel1 hlt). lia.
  Qed.

  (** Nodes of the job itself that do not run while the path waits on their pool (T10p): descendants of v,
    those that come before or after every
      node of the path on the pool, and those of lower priority. *)
  Lemma meanwhile_never u : In u (nodes S) ->
    (ancestor S v u \/ forall y, In y l' -> pool S y = pool S u
      -> ancestor S u y \/ ancestor S y u \/ lower (order_of S (pool S y)) u r y r = true) ->
    meanwhile u r = 0.
  Proof.
    intros hu hnever. destruct (Z.eq_dec (meanwhile u r) 0) as [|hne]; [auto|]. exfalso.
    destruct (touched u r hu hne) as (y & s & hs & hy & hp & hw & hlow & hwork). pose proof horizon_range as hh.
    destruct (on_path y hy) as (hyn & _). pose proof (law_pending laws u r s hu hwork) as hpu.
    pose proof (law_waits laws y r s hyn hw) as hpy.
    assert (hno : forall z1 z2, In z2 (nodes S) -> ancestor S z1 z2 -> pending S h z1 r s = true -> pending S h z2 r s = true -> False).
    { intros z1 z2 hz2 ha h1 h2. assert (z1 = z2) as -> by (apply (pending_alone S h lg z1 z2 r s); auto).
      destruct (ancestor_facts S z2 z2 wf hz2 ha) as (_ & _ & ?). lia. }
    destruct hnever as [ha|hall].
    - apply pending_spec in hpu. destruct hpu as (hpu & _). pose proof (ancestor_done S h lg v u r s ha hpu) as hdone.
      rewrite (legal_done lg v r s t hdone) in missed by lia. discriminate.
    - destruct (hall y hy hp) as [ha|[ha|hl0]]; [| |congruence].
      + apply (hno u y); auto.
      + apply (hno y u); auto.
  Qed.

  (** Execution, blocking and what is done meanwhile explain strictly more than the time from r to t. *)
  Context (hbusy : busy_holds S h g a busy) (blk : node -> Z).
  Context (hblk : forall y, In y l' -> sum (blocked_by S g r y) (range r (t + 1)) <= blk y).
  Context (M : Z) (share : Z -> Z) (hM : 0 < M /\ forall y, In y l' -> share (pool S y) * cap a (pool S y) = M).

  (** [EE y]: no less than what y has executed; of v all that it may execute. *)
  Theorem explained_by EE :
    (forall y, In y l' -> sum (fun s => ind (executes S h g r y s)) (range r (t + 1)) <= EE y) -> EE v = exec a v ->
    M * F v + 1 <= sum (fun y => M * EE y + share (pool S y) * blk y) l'
      + sum (fun p => share p * sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p)) (visited S l').
  Proof.
    intros hEE hEv. pose proof t_range as ht.
    pose proof (explained S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl (fun y s => path_paced S h g a l' v laws wf hv hl' y r s) M share hM t ltac:(fold t; lia)) as hex.
    change (r + F v) with t in hex. change (path_waits_for S g r l') with waits_for in hex.
    replace (t - r) with (F v) in hex by (unfold t; ring).
    assert (hshare : forall y, In y l' -> 0 < share (pool S y)).
    { intros y hy. apply (share_pos S h g a l' v M share (pool S y) wf laws hl' hv hM). apply in_visited. eauto. }
    set (E := fun y => sum (fun s => ind (executes S h g r y s)) (range r t)) in *.
    set (D := fun u r' => sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r t)).
    change (M * F v <= M * sum E l' + sum (fun y => share (pool S y) * sum (blocked_by S g r y) (range r t)) l'
      + sum (fun p => share p * sum (fun u => sum (D u) (range 0 (t + 1))) (on_pool S p)) (visited S l')) in hex.
    assert (hE : forall y, In y l' -> E y + ind (executes S h g r y t) <= EE y).
    { intros y hy. pose proof (hEE y hy) as he.
      rewrite (sum_range_split _ r t (t + 1)), range_one in he by lia.
      cbn [sum] in he. unfold E. lia. }
    assert (hB : forall y, In y l' -> sum (blocked_by S g r y) (range r t) + blocked_by S g r y t <= blk y).
    { intros y hy. pose proof (hblk y hy) as hb. rewrite (sum_range_split _ r t (t + 1)), range_one in hb by lia. cbn [sum] in hb. lia. }
    assert (hB0 : forall y, In y l' -> 0 <= blocked_by S g r y t).
    { intros y hy. apply (blocked_by_nonneg S h g a laws r (F v) l'); auto. }
    assert (hD : forall u r', In u (nodes S) -> D u r' <= meanwhile u r').
    { intros u r' hu. unfold meanwhile. fold (D u r'). destruct (busy v r t); [lia|].
      pose proof (ind_range (waits_for u r' t && (0 <? work g u r' t))). lia. }
    assert (hDsum : sum (fun p => share p * sum (fun u => sum (D u) (range 0 (t + 1))) (on_pool S p)) (visited S l')
              <= sum (fun p => share p * sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p)) (visited S l')).
    { apply sum_le. intros p hp. apply in_visited in hp. destruct hp as (y & hy & <-). pose proof (hshare y hy).
      apply Z.mul_le_mono_nonneg_l; [lia|].
      apply sum_le. intros u hu. apply in_on_pool in hu. apply sum_le. intros r' _. now apply hD. }
    rewrite sum_add, sum_scale. change (sum (fun a0 => EE a0) l') with (sum EE l'). destruct hM as (Mpos & hcap).
    assert (hEle : forall y, In y l' -> E y <= EE y) by (intros y hy; specialize (hE y hy);
      pose proof (ind_range (executes S h g r y t)); lia).
    assert (hBle : sum (fun y => share (pool S y) * sum (blocked_by S g r y) (range r t)) l' <= sum (fun y => share (pool S y) * blk y) l').
    { apply sum_le. intros y hy. specialize (hB y hy). specialize (hB0 y hy). specialize (hshare y hy). nia. }
    (* one node of the path has executed less than it may *)
    assert (hless : forall y, In y l' -> E y + 1 <= EE y -> sum E l' + 1 <= sum EE l').
    { intros y hy hlt. transitivity (sum (fun z => E z + ind (z =? y)) l').
      - rewrite sum_add. apply Z.add_le_mono_l.
        etransitivity; [|apply (sum_in (fun z => ind (z =? y)) l' y)]; [|intros; apply ind_range | exact hy].
        cbv beta. rewrite Z.eqb_refl. cbn. lia.
      - apply sum_le. intros z hz. destruct (Z.eqb_spec z y) as [->|]; cbn [ind]; [lia | specialize (hEle z hz); lia]. }
    assert (hdone : (exists y, In y l' /\ E y + 1 <= EE y) -> M * F v + 1 <=
      M * sum EE l' + sum (fun y => share (pool S y) * blk y) l'
      + sum (fun p => share p * sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p)) (visited S l')).
    { intros (y & hy & hlt). pose proof (Z.mul_le_mono_nonneg_l _ _ M ltac:(lia) (hless y hy hlt)). lia. }
    assert (hEsum : M * sum E l' <= M * sum EE l') by (apply Z.mul_le_mono_nonneg_l; [lia | now apply sum_le]).
    destruct (cover t ltac:(lia)) as (y & hyl & hp). pose proof (hincl y hyl) as hy. destruct (on_path y hy) as (hyn & _).
    destruct (busy v r t) eqn:hb.
    - (* v itself is worked on *)
      destruct (busy_pending hbusy v r t hv hb) as (hpv & hev).
      assert (hvy : ancestor_or_self S y v).
      { destruct (path_ancestors S l x hl y hyl) as [->|h1], hx as [->|h2]; unfold ancestor_or_self; eauto using ancestor_trans. }
      assert (y = v) as -> by (apply (pending_alone S h lg y v r t); auto; destruct hvy; auto).
      apply hdone. exists v. split; [exact hy|]. destruct (waits g v r t) eqn:hw.
      + enough (E v = 0) by lia. apply sum_zero. intros s hs. rewrite in_range in hs. unfold executes.
        destruct (pending S h v r s) eqn:hps; [|reflexivity]. rewrite (busy_waits hbusy v r t s hv hb hw ltac:(lia) hps). reflexivity.
      + specialize (hE v hy). unfold executes in hE. rewrite hp, hw in hE. cbn in hE. lia.
    - destruct (waits g y r t) eqn:hw.
      2: { apply hdone. exists y. split; [exact hy|]. specialize (hE y hy). unfold executes in hE. rewrite hp, hw in hE. cbn in hE. lia. }
      (* a node of the path waits: something is worked on in its place *)
      pose proof (law_rate laws y r t hyn hw) as hrate. pose proof (law_cap laws y hyn) as (hc & _).
      assert (hsome : 0 < rate S g (pool S y) t) by lia. apply sum_pos_in in hsome. destruct hsome as (u & hu & hsome).
      apply sum_pos_in in hsome. destruct hsome as (r' & hr' & hwork). pose proof (proj1 (in_on_pool S _ u) hu) as (hun & hup).
      destruct (lower (order_of S (pool S y)) u r' y r) eqn:hlow.
      + (* blocking *)
        assert (hpos : 0 < blocked_by S g r y t).
        { unfold blocked_by. rewrite hw. cbn [ind]. rewrite Z.mul_1_l.
          assert (hnn : forall u0, In u0 (on_pool S (pool S y)) -> forall r0, 0
            <= ind (lower (order_of S (pool S y)) u0 r0 y r) * work g u0 r0 t).
          { intros u0 hu0 r0. apply in_on_pool in hu0. pose proof (law_work laws u0 r0 t ltac:(tauto)).
            pose proof (ind_range (lower (order_of S (pool S y)) u0 r0 y r)). nia. }
          eapply Z.lt_le_trans; [|apply (sum_in (fun u0 => sum (fun r0 => ind (lower (order_of S (pool S y)) u0 r0 y r) * work g u0 r0 t)
            (range 0 (t + 1))) _ u); [|exact hu]].
          - cbv beta. eapply Z.lt_le_trans; [|apply (sum_in (fun r0 => ind (lower (order_of S (pool S y)) u r0 y r) * work g u r0 t) _ r');
              [|exact hr']].
            + cbv beta. rewrite hlow. cbn [ind]. lia.
            + intros r0 _. now apply hnn.
          - intros u0 hu0. apply sum_nonneg. intros r0 _. now apply hnn. }
        assert (hBlt : sum (fun z => share (pool S z) * sum (blocked_by S g r z) (range r t)) l' + 1
          <= sum (fun z => share (pool S z) * blk z) l').
        { transitivity (sum (fun z => share (pool S z) * sum (blocked_by S g r z) (range r t) + ind (z =? y)) l').
          - rewrite sum_add. apply Z.add_le_mono_l.
            etransitivity; [|apply (sum_in (fun z => ind (z =? y)) l' y)]; [|intros; apply ind_range | exact hy].
            cbv beta. rewrite Z.eqb_refl. cbn. lia.
          - apply sum_le. intros z hz. specialize (hB z hz). specialize (hB0 z hz). specialize (hshare z hz).
            destruct (Z.eqb_spec z y) as [->|]; cbn [ind]; nia. }
        lia.
      + (* counted work *)
        assert (hnow : D u r' + 1 <= meanwhile u r').
        { unfold meanwhile. fold (D u r'). rewrite hb.
          replace (waits_for u r' t) with true; [rewrite (proj2 (Z.ltb_lt 0 (work g u r' t)) hwork); cbn; lia|].
          symmetry. apply existsb_exists. exists y. split; [exact hy|]. now rewrite hup, Z.eqb_refl, hw, hlow. }
        assert (hlt : sum (fun p => share p * sum (fun u => sum (D u) (range 0 (t + 1))) (on_pool S p)) (visited S l') + 1
                  <= sum (fun p => share p * sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p)) (visited S l')).
        { assert (hyp : In (pool S y) (visited S l')) by (apply in_visited; eauto).
          transitivity (sum (fun p => share p * sum (fun u => sum (D u) (range 0 (t + 1))) (on_pool S p) + ind (p =? pool S y)) (visited S l')).
          - rewrite sum_add. apply Z.add_le_mono_l. etransitivity; [|apply (sum_in (fun p => ind (p =? pool S y)) _ (pool S y))];
              [|intros; apply ind_range | exact hyp]. cbv beta. rewrite Z.eqb_refl. cbn. lia.
          - apply sum_le. intros p hpv. apply in_visited in hpv. destruct hpv as (y' & hy' & <-). pose proof (hshare y' hy') as hs.
            assert (hle : forall u0, In u0 (on_pool S (pool S y')) -> sum (D u0) (range 0 (t + 1)) <= sum (meanwhile u0) (range 0 (t + 1))).
            { intros u0 hu0. apply in_on_pool in hu0. apply sum_le. intros r0 _. now apply hD. }
            destruct (Z.eqb_spec (pool S y') (pool S y)) as [heq|]; cbn [ind].
            + rewrite heq in *. enough (sum (fun u => sum (D u) (range 0 (t + 1))) (on_pool S (pool S y)) + 1
                <= sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S (pool S y))) by nia.
              transitivity (sum (fun u0 => sum (D u0) (range 0 (t + 1)) + ind (u0 =? u)) (on_pool S (pool S y))).
              * rewrite sum_add. apply Z.add_le_mono_l. etransitivity; [|apply (sum_in (fun u0 => ind (u0 =? u)) _ u)];
                  [|intros; apply ind_range | exact hu]. cbv beta. rewrite Z.eqb_refl. cbn. lia.
              * apply sum_le. intros u0 hu0. specialize (hle u0 hu0). destruct (Z.eqb_spec u0 u) as [->|]; cbn [ind]; [|lia].
                transitivity (sum (fun r0 => D u r0 + ind (r0 =? r')) (range 0 (t + 1))).
                -- rewrite sum_add. apply Z.add_le_mono_l. etransitivity; [|apply (sum_in (fun r0 => ind (r0 =? r')) _ r')];
                     [|intros; apply ind_range | exact hr']. cbv beta. rewrite Z.eqb_refl. cbn. lia.
                -- apply sum_le. intros r0 _. specialize (hD u r0 hun). destruct (Z.eqb_spec r0 r') as [->|]; cbn [ind]; lia.
            + rewrite Z.add_0_r. apply Z.mul_le_mono_nonneg_l; [lia|]. now apply sum_le. }
        lia.
  Qed.

  Theorem explained_strictly :
    M * F v + 1 <= sum (fun y => M * exec a y + share (pool S y) * blk y) l'
      + sum (fun p => share p * sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p)) (visited S l').
  Proof.
    apply explained_by; [|reflexivity]. intros y hy. apply (law_exec laws). exact (proj1 (on_path y hy)).
  Qed.
End Turns.
