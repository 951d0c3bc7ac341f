(** T40 and T38 (a): what waits for jobs of the past never waits if bounds of the set without these waits say that it need not. docs/theory/history.md,
    docs/theory/in-flight.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter pools.Platform pools.Busy executors.Early admission.Cut.

Section Gates.
  Context (S : system) (wf : well_formed S) (P : platform) (gates : node -> list node) (F : node -> Z).
  (* what else is known of schedules, as ends_when_run *)
  Context (rules : history -> execution -> Prop).
  Context (bounds : forall h e, system_obeys S h P e -> rules h e -> forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true).
  Let G := gated S gates.
  Context (h : history) (e : execution) (lg : legal G h) (ob : forall p, pool_obeys G h P e p).
  Context (rules_cut : forall t, (forall v r s, In v (nodes S) -> s < t -> ready S h v r s = ready G h v r s) -> rules (cut S G h t) (cut_execution e t)).

  (** Each gate that holds something back is shut for a node of an earlier job that is late: turn says which is earlier. *)
  Context (turn : Z -> Z -> Z) (turn_start : forall v r, In v (nodes S) -> released h (dag S v) r = true -> 0 <= turn (dag S v) r).
  Context (cause : forall v r t, In v (nodes S) -> ready S h v r t = true -> ready G h v r t = false -> exists x r',
    In x (nodes S) /\ released h (dag S x) r' = true /\ r' <= t /\ done h x r' t = false /\ r' + F x <= t /\ turn (dag S x) r' < turn (dag S v) r).

  Theorem never_held_back : forall v r t, In v (nodes S) -> ready S h v r t = ready G h v r t.
  Proof.
    enough (hall : forall t, 0 <= t -> forall v r, In v (nodes S) -> ready S h v r t = ready G h v r t).
    { intros v r t hv. destruct (Z_le_gt_dec 0 t) as [h0|h0]; [now apply hall|]. destruct (ready S h v r t) eqn:hre.
      - apply ready_spec in hre. pose proof (legal_start lg (dag S v) r ltac:(tauto)). lia.
      - destruct (ready G h v r t) eqn:hre'; [|reflexivity]. apply (ready_of_gated S gates) in hre'. congruence. }
    intros t ht. pattern t. apply Zlt_0_ind; [|exact ht]. clear t ht. intros t IHt ht.
    assert (agree : forall v r s, In v (nodes S) -> s < t -> ready S h v r s = ready G h v r s).
    { intros v r s hv hs. destruct (Z_le_gt_dec 0 s) as [h0|h0]; [apply IHt; auto; lia|]. destruct (ready S h v r s) eqn:hre.
      - apply ready_spec in hre. pose proof (legal_start lg (dag S v) r ltac:(tauto)). lia.
      - destruct (ready G h v r s) eqn:hre'; [|reflexivity]. apply (ready_of_gated S gates) in hre'. congruence. }
    pose proof (cut_obeys S wf gates h lg t agree P e ob) as hcut. pose proof (bounds _ _ hcut (rules_cut t agree)) as hb.
    enough (hno : forall n, 0 <= n -> forall v r, In v (nodes S) -> turn (dag S v) r = n -> ready S h v r t = true -> ready G h v r t = true).
    { intros v r hv. apply eq_true_iff_eq. split; [|apply ready_of_gated]. intros hre. apply (hno (turn (dag S v) r)); auto. apply turn_start; [exact hv|].
      apply ready_spec in hre. tauto. }
    intros n hn. pattern n. apply Zlt_0_ind; [|exact hn]. clear n hn. intros n IHn _ v r hv hturn hre. destruct (ready G h v r t) eqn:hg; [reflexivity | exfalso].
    destruct (cause v r t hv hre hg) as (x & r' & hx & hr' & hle & hnd & hlate & hless).
    assert (hdone : done (cut S G h t) x r' t = true).
    { apply (legal_done (legal_cut S wf gates h lg t) x r' (r' + F x)); [|exact hlate]. apply hb; [exact hx | now apply released_cut]. }
    assert (hover : over S G h t x r' = true) by (apply done_cut in hdone; tauto).
    destruct (held_back S wf gates h t x r' hx hr' hle hnd hover) as (q & hq & hqd & hqr & hqg). pose proof (turn_start q r' hq ltac:(congruence)) as h0.
    enough (e1 : ready G h q r' t = true) by (unfold G in e1; congruence). rewrite <- hturn in IHn. rewrite <- hqd in hless.
    apply (IHn (turn (dag S q) r') (conj h0 hless) q r'); [exact hq | reflexivity | exact hqr].
  Qed.

  (** So all is as if there were no gates: every bound holds. *)
  Theorem bounds_with_gates v r : In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true.
  Proof.
    intros hv hr. set (t := Z.max r (r + F v) + 1). assert (agree : forall v r s, In v (nodes S) -> s < t -> ready S h v r s = ready G h v r s)
      by (intros; now apply never_held_back).
    pose proof (cut_obeys S wf gates h lg t agree P e ob) as hcut. apply (done_before S gates h t v r (r + F v)); [unfold t; lia|].
    apply (bounds _ _ hcut (rules_cut t agree)); [exact hv|]. apply released_cut. split; [exact hr | unfold t; lia].
  Qed.
End Gates.

(** A gate g of node v. Segments and nodes at offsets are DAGs of their own, released Phi after their DAG; on completion Phi = 0. *)
Section Kinds.
  Context (S : system) (h : history) (T J Phi : Z -> Z) (F : node -> Z).

  (** The release of x's DAG for the job of which v's is released at r. *)
  Definition same_job (v x : node) (r : Z) : Z := r - Phi (dag S v) + Phi (dag S x).

  (** A history edge (x, v, k): shut only while there is a job k jobs before, and its x has not ended. *)
  Definition history_gate (v g : node) : Prop := exists x k, In x (nodes S) /\ 1 <= k /\
    (forall r t, released h (dag S v) r = true -> r <= t -> done h g r t = false -> exists r', released h (dag S v) r' = true /\
       released h (dag S x) (same_job v x r') = true /\ releases (released h (dag S v)) (r' + 1) (r + 1) = k /\ done h x (same_job v x r') t = false) /\
    Phi (dag S x) + F x <= k * T (dag S v) - J (dag S v) + Phi (dag S v).

  (** A limit of N jobs under way: shut only while N jobs that were released before are under way, so that some node of each has not ended. *)
  Definition limit_gate (v g : node) : Prop := exists N R, 1 <= N /\
    (forall r t, released h (dag S v) r = true -> r <= t -> done h g r t = false -> exists l, NoDup l /\ Z.of_nat (length l) = N /\
       forall r', In r' l -> released h (dag S v) r' = true /\ r' < r /\ exists x, In x (nodes S) /\ Phi (dag S x) + F x <= R /\
         released h (dag S x) (same_job v x r') = true /\ done h x (same_job v x r') t = false) /\
    R + J (dag S v) <= N * T (dag S v).

  Lemma least_of (l : list Z) : l <> [] -> exists a, In a l /\ forall b, In b l -> a <= b.
  Proof.
    induction l as [|x l IH]; [easy|]. intros _. destruct l as [|y l]; [exists x; split; [now left | intros b [<-|[]]; lia]|].
    destruct IH as (a & ha & hmin); [easy|]. destruct (Z_le_gt_dec x a).
    - exists x. split; [now left|]. intros b [<-|hb]; [lia|]. specialize (hmin b hb). lia.
    - exists a. split; [now right|]. intros b [<-|hb]; [lia | now apply hmin].
  Qed.

  Context (nominal : Z -> Z -> Z) (hj : jittered S h T J nominal) (hT : forall v, In v (nodes S) -> 0 < T (dag S v)).

  (** k + 1 releases take k T - J or more. *)
  Lemma apart_by v r r' k : In v (nodes S) -> 1 <= k -> r' < r -> released h (dag S v) r' = true -> k <= releases (released h (dag S v)) (r' + 1) (r + 1) ->
    r' + (k * T (dag S v) - J (dag S v)) <= r.
  Proof.
    intros hv hk hlt hr' hc. pose proof (late_counting_closed S h T J nominal hj v r' r hv (hT v hv)) as hl. rewrite (releases_split _ r' (r' + 1)) in hl by lia.
    assert (h1 : releases (released h (dag S v)) r' (r' + 1) = 1) by (unfold releases; rewrite range_one; cbn [sum]; now rewrite hr').
    unfold late_releases_closed in hl. destruct (Z.leb_spec 0 (r - r')); [|lia]. pose proof (Z.mul_div_le (r - r' + J (dag S v)) (T (dag S v)) (hT v hv)).
    pose proof (hT v hv). nia.
  Qed.

  Context (gates : node -> list node).
  Let G := gated S gates.

  Context (at_gates : forall v g, In v (nodes S) -> In g (gates v) -> history_gate v g \/ limit_gate v g).
  Context (hF : forall v, In v (nodes S) -> 0 <= F v).
  Context (Phi_start : forall v r, In v (nodes S) -> released h (dag S v) r = true -> 0 <= Phi (dag S v) <= r).

  Lemma gate_has_cause v r t : In v (nodes S) -> ready S h v r t = true -> ready G h v r t = false -> exists x r',
    In x (nodes S) /\ released h (dag S x) r' = true /\ r' <= t /\ done h x r' t = false /\ r' + F x <= t /\ r' - Phi (dag S x) < r - Phi (dag S v).
  Proof.
    intros hv hre hg. apply ready_spec in hre. destruct hre as (hr & ht & hpreds).
    assert (exists g, In g (gates v) /\ done h g r t = false) as (g & hgv & hshut).
    { destruct (existsb (fun g => negb (done h g r t)) (gates v)) eqn:he.
      - apply existsb_exists in he. destruct he as (g & h1 & h2). apply negb_true_iff in h2. eauto.
      - exfalso. enough (ready G h v r t = true) by congruence. apply ready_spec. split; [exact hr|]. split; [exact ht|]. intros q hq. cbn [preds G gated] in hq.
        apply in_app_or in hq. destruct hq as [hq|hq]; [|now apply hpreds]. destruct (done h q r t) eqn:hd; [reflexivity | exfalso].
        enough (existsb (fun g => negb (done h g r t)) (gates v) = true) by congruence. apply existsb_exists. exists q. now rewrite hd. }
    destruct (at_gates v g hv hgv) as [(x & k & hx & hk & hlaw & hle)|(N & R & hN & hlaw & hle)].
    - destruct (hlaw r t hr ht hshut) as (r' & hr' & hrx & hcount & hnd).
      assert (hlt : r' < r) by (destruct (Z_lt_le_dec r' r) as [|hge]; [assumption|]; rewrite releases_empty in hcount; lia).
      pose proof (apart_by v r r' k hv hk hlt hr' ltac:(lia)) as hap. pose proof (Phi_start v r hv hr).
      exists x, (same_job v x r'). unfold same_job in *. pose proof (hF x hx). repeat split; auto; lia.
    - destruct (hlaw r t hr ht hshut) as (l & nd & hlen & hall).
      destruct (least_of l) as (r' & hr'l & hmin); [intros ->; cbn in hlen; lia|]. destruct (hall r' hr'l) as (hr' & hlt & x & hx & hR & hrx & hnd).
      assert (hcount : N - 1 + 1 <= releases (released h (dag S v)) (r' + 1) (r + 1)).
      { transitivity (1 + releases (released h (dag S v)) (r' + 1) r).
        - enough (N <= releases (released h (dag S v)) r' r) by
            (rewrite (releases_split _ r' (r' + 1)) in H by lia; unfold releases in H at 1; rewrite range_one in H; cbn [sum] in H; rewrite hr' in H; cbn [ind] in H; lia).
          rewrite <- hlen. transitivity (sum (fun y => ind (released h (dag S v) y)) l).
          + rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_const; lia|]. intros y hy. destruct (hall y hy) as (hy' & _). now rewrite hy'.
          + apply sum_incl; [exact nd | | intros; apply ind_range]. intros y hy. apply in_range. destruct (hall y hy) as (_ & h1 & _). specialize (hmin y hy). lia.
        - rewrite (releases_split _ (r' + 1) r (r + 1)) by lia. unfold releases at 3. rewrite range_one. cbn [sum]. rewrite hr. cbn [ind]. lia. }
      pose proof (apart_by v r r' N hv hN hlt hr' ltac:(lia)) as hap. pose proof (Phi_start v r hv hr). pose proof (hF x hx).
      exists x, (same_job v x r'). unfold same_job in *. repeat split; auto; lia.
  Qed.
End Kinds.

(** T40 and T38 (a). If k T - J, after Phi of v, is not passed by the bound of x for each history edge, and N T - J by the bounds of all nodes of the
    DAG for each limit, bounds of the set without edges and limits, none of them ever delays, and these bounds hold. *)
Theorem T40_safe S P h e gates F T J Phi nominal (rules : history -> execution -> Prop) :
  well_formed S -> legal (gated S gates) h -> (forall p, pool_obeys (gated S gates) h P e p) ->
  (forall h' e', system_obeys S h' P e' -> rules h' e' -> forall v r, In v (nodes S) -> released h' (dag S v) r = true -> done h' v r (r + F v) = true) ->
  (forall t, (forall v r s, In v (nodes S) -> s < t -> ready S h v r s = ready (gated S gates) h v r s) -> rules (cut S (gated S gates) h t) (cut_execution e t)) ->
  jittered S h T J nominal -> (forall v, In v (nodes S) -> 0 < T (dag S v) /\ 0 <= F v) ->
  (forall v r, In v (nodes S) -> released h (dag S v) r = true -> 0 <= Phi (dag S v) <= r) ->
  (forall v g, In v (nodes S) -> In g (gates v) -> history_gate S h T J Phi F v g \/ limit_gate S h T J Phi F v g) ->
  (forall v r t, In v (nodes S) -> ready S h v r t = ready (gated S gates) h v r t) /\
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true.
Proof.
  intros wf lg ob bounds hrules hj hnum hPhi hgates.
  assert (cause : forall v r t, In v (nodes S) -> ready S h v r t = true -> ready (gated S gates) h v r t = false -> exists x r',
    In x (nodes S) /\ released h (dag S x) r' = true /\ r' <= t /\ done h x r' t = false /\ r' + F x <= t /\ r' - Phi (dag S x) < r - Phi (dag S v)).
  { intros v r t hv. apply (gate_has_cause S h T J Phi F nominal hj) with (gates := gates); auto; intros x hx; now apply hnum. }
  assert (hturn : forall v r, In v (nodes S) -> released h (dag S v) r = true -> 0 <= r - Phi (dag S v)) by (intros v r hv hr; specialize (hPhi v r hv hr); lia).
  split.
  - intros v r t hv. exact (never_held_back S wf P gates F rules bounds h e lg ob hrules (fun d r => r - Phi d) hturn cause v r t hv).
  - intros v r hv hr. exact (bounds_with_gates S wf P gates F rules bounds h e lg ob hrules (fun d r => r - Phi d) hturn cause v r hv hr).
Qed.

(** What is known of releases alone is known of the schedule that was cut. *)
Lemma jittered_cut S G h t T J nominal : jittered S h T J nominal -> jittered S (cut S G h t) T J nominal.
Proof.
  intros hj. constructor.
  - apply (jitter_nonneg hj).
  - intros u r hu hr. apply released_cut in hr. now apply (late_by hj).
  - intros u r r' hu hr hr'. apply released_cut in hr, hr'. now apply (nominal_apart hj).
Qed.
