(** Due instants, the first one that is missed, and the path that explains why.

    Every bound F_v of a node gives each of its jobs a due instant, release + F_v. A theorem about one node may assume that all due instants
    before its own were met: [safe]. If all nodes are safe, all bounds hold. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule.

Section Walk.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  (** The order in which due instants are looked at: by instant, then positive bounds before bounds of 0, then ancestors before descendants. *)
  Definition earlier (F : node -> Z) (u : node) (r' : Z) (v : node) (r : Z) : Prop :=
    r' + F u < r + F v \/ (r' + F u = r + F v /\ ((F v = 0 /\ 0 < F u) \/ (r' = r /\ ancestor S u v))).

  Definition met_before (F : node -> Z) (v : node) (r : Z) : Prop :=
    forall u r', In u (nodes S) -> released h (dag S u) r' = true -> earlier F u r' v r -> done h u r' (r' + F u) = true.

  Definition safe (F : node -> Z) (v : node) : Prop :=
    forall r, released h (dag S v) r = true -> met_before F v r -> done h v r (r + F v) = true.

  (** A theorem may also choose, among the node jobs that miss their due instants at the same time, one that is worked on there, if there is
      one: [busy v r t]. *)
  Definition first_busy (busy : node -> Z -> Z -> bool) (F : node -> Z) (v : node) (r : Z) : Prop :=
    busy v r (r + F v) = true \/ forall u r', In u (nodes S) -> r' + F u = r + F v -> busy u r' (r' + F u) = false.

  Definition safe_with (busy : node -> Z -> Z -> bool) (F : node -> Z) (v : node) : Prop :=
    forall r, released h (dag S v) r = true -> met_before F v r -> first_busy busy F v r -> done h v r (r + F v) = true.

  Lemma safe_any busy F v : safe F v -> safe_with busy F v.
  Proof. intros hs r hr met _. now apply hs. Qed.

  Theorem all_safe_with busy (F : node -> Z) :
    (forall u r t, In u (nodes S) -> busy u r t = true -> pending S h u r t = true /\ 0 < F u) ->
    (forall v, In v (nodes S) -> 0 <= F v) -> (forall v, In v (nodes S) -> safe_with busy F v) ->
    forall v, In v (nodes S) -> ends_within S h v (F v).
  Proof.
    intros hbusy F0 hsafe.
    set (N := sum (fun u => u) (nodes S) + 1).
    assert (small : forall u, In u (nodes S) -> 0 <= u < N).
    { intros u hu. pose proof (wf_number wf u hu). unfold N.
      pose proof (sum_in (fun u => u) (nodes S) u (wf_number wf) hu) as hs. cbv beta in hs. lia. }
    set (place := fun u r => if F u =? 0 then 2 else if busy u r (r + F u) then 0 else 1).
    set (rank := fun u r => (3 * (r + F u) + place u r) * N + u).
    enough (H : forall n v r, In v (nodes S) -> released h (dag S v) r = true -> Z.to_nat (rank v r) = n ->
                  done h v r (r + F v) = true) by (intros v hv r hr; eapply H; eauto).
    assert (place_range : forall u r, 0 <= place u r <= 2).
    { intros u r. unfold place. destruct (F u =? 0), (busy u r (r + F u)); lia. }
    induction n as [n IH] using lt_wf_ind. intros v r hv hr hn.
    assert (before : forall u r', In u (nodes S) -> released h (dag S u) r' = true ->
              3 * (r' + F u) + place u r' < 3 * (r + F v) + place v r \/ (3 * (r' + F u) + place u r' = 3 * (r + F v) + place v r /\ u < v) ->
              done h u r' (r' + F u) = true).
    { intros u r' hu hr' hlt. eapply IH; eauto.
      pose proof (small u hu). pose proof (small v hv). pose proof (F0 u hu). pose proof (F0 v hv).
      pose proof (legal_start lg _ _ hr'). pose proof (legal_start lg _ _ hr).
      pose proof (place_range u r'). pose proof (place_range v r).
      assert (0 <= rank u r') by (unfold rank; nia).
      enough (rank u r' < rank v r) by lia. unfold rank. nia. }
    apply hsafe; auto.
    - intros u r' hu hr' he. pose proof (place_range u r'). pose proof (place_range v r).
      destruct he as [he|(he & [(hv0 & hu0)|(-> & ha)])].
      + apply before; auto. lia.
      + apply before; auto. rewrite he. left. unfold place. rewrite hv0. destruct (Z.eqb_spec (F u) 0); [lia|].
        cbn [Z.eqb]. destruct (busy u r' (r' + F u)); lia.
      + destruct (ancestor_facts S u v wf hv ha) as (_ & _ & hlt).
        assert (heq : F u = F v) by lia. destruct (busy v r (r + F v)) eqn:hb.
        * destruct (hbusy v r _ hv hb) as (hp & _). apply pending_spec in hp. destruct hp as (hp & _).
          rewrite heq. eapply ancestor_done; eauto.
        * apply before; auto. unfold place. rewrite heq, hb. destruct (F v =? 0); [right; lia|].
          destruct (busy u r (r + F v)); [left; lia | right; lia].
    - destruct (busy v r (r + F v)) eqn:hb; [now left|]. right. intros u r' hu he.
      destruct (busy u r' (r' + F u)) eqn:hbu; [|reflexivity]. exfalso.
      destruct (hbusy u r' _ hu hbu) as (hp & hpos). pose proof (pending_released S h lg u r' _ hp) as (hrel & _).
      apply pending_spec in hp. destruct hp as (_ & hnd).
      rewrite (before u r' hu hrel) in hnd; [discriminate|]. left. rewrite he. unfold place. rewrite hbu, hb.
      destruct (Z.eqb_spec (F u) 0), (F v =? 0); lia.
  Qed.

  Theorem all_safe (F : node -> Z) :
    (forall v, In v (nodes S) -> 0 <= F v) -> (forall v, In v (nodes S) -> safe F v) ->
    forall v, In v (nodes S) -> ends_within S h v (F v).
  Proof.
    intros F0 hsafe. apply (all_safe_with (fun _ _ _ => false)); auto; [discriminate|]. intros v hv. now apply safe_any, hsafe.
  Qed.

  Section Missed.
    Context (r : Z).

    (** If v has not ended at t, an unfinished node among v and its ancestors is ready. *)
    Lemma some_pending v t :
      In v (nodes S) -> released h (dag S v) r = true -> r <= t -> done h v r t = false ->
      exists x, ancestor_or_self S x v /\ pending S h x r t = true.
    Proof.
      intros hv hr ht hd. pose proof (wf_number wf v hv) as v0. revert hv hr hd.
      pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0. intros v IH _ hv hr hd.
      destruct (ready S h v r t) eqn:hready.
      - exists v. split; [now left|]. apply pending_spec. auto.
      - destruct (forallb (fun q => done h q r t) (preds S v)) eqn:hall.
        + enough (ready S h v r t = true) by congruence. apply ready_spec. repeat split; auto.
          now apply forallb_forall.
        + destruct (existsb (fun q => negb (done h q r t)) (preds S v)) eqn:hex.
          * apply existsb_exists in hex. destruct hex as (q & hq & hnd). apply negb_true_iff in hnd.
            destruct (wf_preds wf v q hv hq) as (hqn & hqd & hlt). pose proof (wf_number wf q hqn).
            destruct (IH q ltac:(lia)) as (x & hx & hp); auto; [congruence|].
            exists x. split; [|exact hp]. right. destruct hx as [->|hx]; eauto using ancestor.
          * enough (forallb (fun q => done h q r t) (preds S v) = true) by congruence.
            apply forallb_forall. intros q hq. destruct (done h q r t) eqn:e; [reflexivity|].
            enough (existsb (fun q => negb (done h q r t)) (preds S v) = true) by congruence.
            apply existsb_exists. exists q. now rewrite e.
    Qed.

    (** q is ready as soon as x has ended, and so every node of a path that was walked back. *)
    Definition follows (x q : node) : Prop := forall s, done h x r s = true -> ready S h q r s = true.

    Fixpoint walked (l : list node) : Prop :=
      match l with q :: (x :: _) as l' => follows x q /\ walked l' | _ => True end.

    (** Walking back through the predecessors that ended last: a path to v on which some node is pending at every instant from the release
        until v is ready. *)
    Lemma walk v t :
      In v (nodes S) -> ready S h v r t = true ->
      exists l, path S l v /\ walked l /\
        forall x, r <= x <= t -> ready S h v r x = true \/ exists y, In y l /\ pending S h y r x = true.
    Proof.
      intros hv. pose proof (wf_number wf v hv) as v0. revert t hv.
      pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0. intros v IH _ t hv hr.
      pose proof (proj1 (ready_spec S h v r t) hr) as (hrel & hrt & _).
      destruct (preds S v) as [|q0 qs] eqn:hpreds.
      - exists [v]. split; [now constructor|]. split; [exact I|]. intros x hx. left. apply ready_spec. rewrite hpreds. split; [auto|]. split; [lia | easy].
      - destruct (first_such (ready S h v r) r t hr hrt) as (x1 & hx1 & rx1 & hfirst).
        pose proof (proj1 (ready_spec S h v r x1) rx1) as (_ & _ & hdone).
        assert (exists q, In q (preds S v) /\ (x1 = r \/ done h q r (x1 - 1) = false)) as (q & hq & hlate).
        { destruct (Z.eq_dec x1 r) as [->|hne]; [exists q0; rewrite hpreds; split; [now left | auto]|].
          specialize (hfirst (x1 - 1) ltac:(lia)).
          destruct (existsb (fun q => negb (done h q r (x1 - 1))) (preds S v)) eqn:hex.
          - apply existsb_exists in hex. destruct hex as (q & hq & hnd). apply negb_true_iff in hnd. eauto.
          - enough (ready S h v r (x1 - 1) = true) by congruence. apply ready_spec. repeat split; [auto | lia|].
            intros q hq. destruct (done h q r (x1 - 1)) eqn:e; [reflexivity|].
            enough (existsb (fun q => negb (done h q r (x1 - 1))) (preds S v) = true) by congruence.
            apply existsb_exists. exists q. now rewrite e. }
        destruct (wf_preds wf v q hv hq) as (hqn & _ & hlt). pose proof (wf_number wf q hqn).
        destruct (IH q ltac:(lia) x1 hqn) as (l & hl & hwalked & hcover); [apply (legal_ready lg); auto|].
        exists (v :: l). split; [econstructor; eauto|]. split.
        { assert (hfollows : follows q v).
          { intros s hs. apply (ready_stays S h lg v r x1); [exact rx1|]. destruct hlate as [->|hlate].
            - pose proof (legal_ready lg q r s hs) as hrs. apply ready_spec in hrs. lia.
            - destruct (Z_le_gt_dec x1 s) as [|hgt]; [auto|]. rewrite (legal_done lg q r s (x1 - 1) hs) in hlate by lia. discriminate. }
          destruct hl; cbn [walked]; split; auto. }
        intros x hx.
        destruct (Z_le_gt_dec x1 x) as [hge|hlt'].
        + left. apply (ready_stays S h lg v r x1); auto.
        + right. destruct (hcover x ltac:(lia)) as [hready|(y & hy & hp)].
          * exists q. split; [right; exact (path_last S l q hl)|]. apply pending_spec. split; [exact hready|].
            destruct hlate as [->|hlate]; [lia|].
            destruct (done h q r x) eqn:hd; [|reflexivity].
            rewrite (legal_done lg q r x (x1 - 1) hd) in hlate by lia. discriminate.
          * exists y. split; [now right | exact hp].
    Qed.

    (** Why a node is late: a path, ending at v or at one of its ancestors, of which some node is pending in every tick from r to t. *)
    Theorem late_walk v t :
      In v (nodes S) -> released h (dag S v) r = true -> r <= t -> done h v r t = false ->
      exists l x, path S l x /\ walked l /\ ancestor_or_self S x v /\ In x (nodes S) /\
        forall s, r <= s <= t -> exists y, In y l /\ pending S h y r s = true.
    Proof.
      intros hv hr ht hd.
      destruct (some_pending v t hv hr ht hd) as (x & hx & hp).
      pose proof (ancestor_or_self_facts S x v wf hv hx) as (hxn & _ & _).
      apply pending_spec in hp. destruct hp as (hready & hnd).
      destruct (walk x t hxn hready) as (l & hl & hwalked & hcover).
      exists l, x. repeat split; auto. intros s hs.
      destruct (hcover s hs) as [hre|hy]; [|exact hy].
      exists x. split; [exact (path_last S l x hl)|]. apply pending_spec. split; [exact hre|].
      destruct (done h x r s) eqn:e; [|reflexivity].
      rewrite (legal_done lg x r s t e) in hnd by lia. discriminate.
    Qed.

    Theorem late_path v t :
      In v (nodes S) -> released h (dag S v) r = true -> r <= t -> done h v r t = false ->
      exists l x, path S l x /\ ancestor_or_self S x v /\ In x (nodes S) /\
        forall s, r <= s <= t -> exists y, In y l /\ pending S h y r s = true.
    Proof. intros hv hr ht hd. destruct (late_walk v t hv hr ht hd) as (l & x & h1 & _ & h2). now exists l, x. Qed.
  End Missed.
End Walk.
