(** T38 (b): how long a job takes from its admission, with limits of jobs under way. docs/theory/in-flight.md.

    Each node of a DAG d has the gate [gate d], that is done when the job is admitted. H is in units of 1/M. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import pools.Platform pools.Configurations pools.Counted pools.Gpu pools.PlatformLaws path.Meanwhile admission.Cut admission.T40.

(** Nodes of a DAG on one pool, none of which is before another. *)
Definition front_of (S : system) (d p : Z) (l : list node) : Prop :=
  NoDup l /\ (forall x, In x l -> In x (on_pool S p) /\ dag S x = d) /\ forall x y, In x l -> In y l -> x <> y -> ~ ancestor S x y.

(** ahead_q: the n_e heaviest fronts of the other DAGs e, n_d - 1 of q's own, and of q's job what is neither before nor after q. *)
Definition ahead_covers (S : system) (n : Z -> Z) (f : node -> Z) (q : node) (N : Z) : Prop := exists front own,
  (forall d l, front_of S d (pool S q) l -> sum f l <= front d) /\
  (forall l, front_of S (dag S q) (pool S q) l -> (forall x, In x l -> x <> q /\ ~ ancestor S x q /\ ~ ancestor S q x) -> sum f l <= own) /\
  sum (fun d => (n d - ind (d =? dag S q)) * front d) (nodup Z.eq_dec (map (dag S) (nodes S))) + own <= N.

(** Nobody waits where fewer pieces than processors are there. *)
Definition wait_covers (S : system) (a : accounts) (n : Z -> Z) (share : Z -> Z) (q : node) (X : Z) : Prop := 0 <= X /\ exists N,
  ((of_processors S a (pool S q) /\ ahead_covers S n (fun _ => 1) q N /\ N < cap a (pool S q)) \/
   (order_of S (pool S q) = Fifo /\ ahead_covers S n (vol a) q N /\ share (pool S q) * (N + vol a q - last a q) <= X)).

(** H_v is no less than the longest sum over a path to v. *)
Definition path_covers (S : system) (a : accounts) (n : Z -> Z) (M : Z) (share : Z -> Z) (H : node -> Z) : Prop :=
  0 < M /\ (forall v, In v (nodes S) -> share (pool S v) * cap a (pool S v) = M) /\
  forall v, In v (nodes S) -> exists X, wait_covers S a n share v X /\ M * exec a v + X <= H v /\
    forall q, In q (preds S v) -> H q + M * exec a v + X <= H v.

Definition under_way (S : system) (gate : Z -> node) (h : history) (d r t : Z) : bool :=
  released h d r && (r <=? t) && done h (gate d) r t && existsb (fun x => (dag S x =? d) && negb (done h x r t)) (nodes S).

Definition count_under_way (S : system) (gate : Z -> node) (h : history) (d t : Z) : Z :=
  sum (fun r => ind (under_way S gate h d r t)) (range 0 (t + 1)).

(** A limit of N: no more are under way, and a job is not admitted only while N that were released before it are. *)
Definition limit_holds (S : system) (gate : Z -> node) (h : history) (d N : Z) : Prop :=
  (forall t, count_under_way S gate h d t <= N) /\
  forall r t, released h d r = true -> r <= t -> done h (gate d) r t = false ->
    exists l, NoDup l /\ Z.of_nat (length l) = N /\ forall r', In r' l -> r' < r /\ under_way S gate h d r' t = true.

Section UnderWay.
  Context (S : system) (wf : well_formed S) (gate : Z -> node) (gates : node -> list node) (h : history) (g : progress) (a : accounts).
  Context (hgates : forall v, In v (nodes S) -> gates v = [gate (dag S v)]).
  Let G := gated S gates.
  Context (lg : legal G h) (laws : keeps_laws G h g a).
  Context (n : Z -> Z) (M : Z) (share : Z -> Z) (H : node -> Z) (hH : path_covers S a n M share H).
  Let dags := nodup Z.eq_dec (map (dag S) (nodes S)).
  Let count := count_under_way S gate h.
  Definition few (t : Z) : Prop := forall d, In d dags -> count d t <= n d.

  Lemma in_dags v : In v (nodes S) -> In (dag S v) dags.
  Proof. intros hv. apply nodup_In. now apply in_map. Qed.

  Lemma gated_ancestor x y : ancestor S x y -> ancestor G x y.
  Proof.
    intros ha. induction ha as [q v hq | q x v _ IH hx]; [apply ancestor_pred | apply (ancestor_step G q x v IH)]; apply in_or_app; now right.
  Qed.

  Lemma gated_ready v r t : In v (nodes S) ->
    ready G h v r t = true <-> released h (dag S v) r = true /\ r <= t /\ done h (gate (dag S v)) r t = true /\ forall q, In q (preds S v) -> done h q r t = true.
  Proof.
    intros hv. rewrite ready_spec. cbn [dag preds G gated]. rewrite hgates by exact hv. split.
    - intros (h1 & h2 & h3). repeat split; auto; [apply h3; now left | intros q hq; apply h3; now right].
    - intros (h1 & h2 & h3 & h4). repeat split; auto. intros q [<-|hq]; auto.
  Qed.

  Lemma pending_under_way u r s : In u (nodes S) -> pending G h u r s = true -> under_way S gate h (dag S u) r s = true.
  Proof.
    intros hu hp. apply pending_spec in hp. destruct hp as (hre & hnd). apply gated_ready in hre; [|exact hu]. destruct hre as (h1 & h2 & h3 & _).
    unfold under_way. rewrite h1, (proj2 (Z.leb_le r s) h2), h3. cbn [andb]. apply existsb_exists. exists u. rewrite Z.eqb_refl, hnd. auto.
  Qed.

  (** What is pending of one job: nodes none of which is before another. *)
  Lemma pending_front d p r s keep : front_of S d p (filter (fun u => (dag S u =? d) && (pending G h u r s && keep u)) (on_pool S p)).
  Proof.
    split; [apply NoDup_filter, NoDup_filter, (wf_nodup wf)|]. split.
    - intros x hx. apply filter_In in hx. destruct hx as (hx & hc). apply andb_prop in hc. destruct hc as (hd & _). apply Z.eqb_eq in hd. auto.
    - intros x y hx hy hne ha. apply filter_In in hx, hy. destruct hx as (_ & hx), hy as (_ & hy). rewrite !andb_true_iff in hx, hy. apply hne.
      apply (pending_alone G h lg x y r s); [right; left; now apply gated_ancestor | tauto | tauto].
  Qed.

  Let other (q : node) (r : Z) (u : node) (r' : Z) : bool := negb ((u =? q) && (r' =? r)).

  Lemma ahead_sum f q r s N : (forall u, In u (nodes S) -> 0 <= f u) -> In q (nodes S) -> pending G h q r s = true -> few s -> ahead_covers S n f q N ->
    sum (fun u => sum (fun r' => ind (pending G h u r' s && other q r u r') * f u) (range 0 (s + 1))) (on_pool S (pool S q)) <= N.
  Proof.
    intros hf hq hp hfew (front & own & hfront & hown & hN). etransitivity; [|exact hN]. fold dags.
    pose proof (pending_released G h lg q r s hp) as (_ & hr). cbn [dag G gated] in hr.
    set (Y := fun d r' => sum f (filter (fun u => (dag S u =? d) && (pending G h u r' s && other q r u r')) (on_pool S (pool S q)))).
    assert (e1 : sum (fun u => sum (fun r' => ind (pending G h u r' s && other q r u r') * f u) (range 0 (s + 1))) (on_pool S (pool S q))
              = sum (fun d => sum (fun r' => Y d r') (range 0 (s + 1))) dags).
    { transitivity (sum (fun d => sum (fun u => ind (dag S u =? d) * sum (fun r' => ind (pending G h u r' s && other q r u r') * f u) (range 0 (s + 1))) (on_pool S (pool S q))) dags).
      - rewrite (sum_exchange (fun d u => ind (dag S u =? d) * sum (fun r' => ind (pending G h u r' s && other q r u r') * f u) (range 0 (s + 1)))).
        apply sum_eq. intros u hu. apply in_on_pool in hu. rewrite (sum_unique _ dags (dag S u)).
        + rewrite Z.eqb_refl. cbn [ind]. ring.
        + apply NoDup_nodup.
        + now apply in_dags.
        + intros d _ hne. destruct (Z.eqb_spec (dag S u) d); [congruence|]. cbn [ind]. ring.
      - apply sum_eq. intros d _. unfold Y. rewrite (sum_eq (fun u => ind (dag S u =? d) * _) (fun u => sum (fun r' => ind (dag S u =? d) * (ind (pending G h u r' s && other q r u r') * f u)) (range 0 (s + 1))))
          by (intros; now rewrite <- sum_scale).
        rewrite (sum_exchange (fun u r' => ind (dag S u =? d) * (ind (pending G h u r' s && other q r u r') * f u))). apply sum_eq. intros r' _. rewrite sum_filter. apply sum_eq. intros u _.
        destruct (dag S u =? d), (pending G h u r' s && other q r u r'); cbn [andb ind]; ring. }
    rewrite e1. clear e1.
    assert (hY : forall d r', In d dags -> Y d r' <= ind ((d =? dag S q) && (r' =? r)) * own + (ind (under_way S gate h d r' s) - ind ((d =? dag S q) && (r' =? r))) * front d).
    { intros d r' _. assert (h0 : 0 <= front d).
      { apply (hfront d []). split; [constructor|]. split; easy. }
      destruct ((d =? dag S q) && (r' =? r)) eqn:hself.
      - apply andb_prop in hself. destruct hself as (hd & hr'). apply Z.eqb_eq in hd, hr'. subst d r'. rewrite (pending_under_way q r s hq hp). cbn [ind].
        enough (Y (dag S q) r <= own) by lia. apply hown; [apply pending_front|]. intros x hx. apply filter_In in hx. destruct hx as (_ & hx). rewrite !andb_true_iff in hx.
        destruct hx as (_ & hpx & ho). unfold other in ho. rewrite Z.eqb_refl, andb_true_r in ho. apply negb_true_iff, Z.eqb_neq in ho. split; [exact ho|].
        split; intros ha; apply ho; apply (pending_alone G h lg x q r s); auto; right; [left | right]; now apply gated_ancestor.
      - cbn [ind]. destruct (under_way S gate h d r' s) eqn:hu; cbn [ind].
        + enough (Y d r' <= front d) by lia. apply hfront, pending_front.
        + enough (Y d r' = 0) by lia. unfold Y. rewrite sum_filter. apply sum_zero. intros u hin. apply in_on_pool in hin.
          destruct (Z.eqb_spec (dag S u) d) as [hd|]; cbn [andb ind]; [|ring]. destruct (pending G h u r' s) eqn:hpu; cbn [andb ind]; [|ring].
          pose proof (pending_under_way u r' s ltac:(tauto) hpu) as hw. rewrite hd in hw. congruence. }
    transitivity (sum (fun d => ind (d =? dag S q) * own + (n d - ind (d =? dag S q)) * front d) dags).
    - apply sum_le. intros d hd. etransitivity; [apply sum_le; intros r' _; apply (hY d r' hd)|].
      assert (hone : sum (fun r' => ind ((d =? dag S q) && (r' =? r))) (range 0 (s + 1)) = ind (d =? dag S q)).
      { destruct (d =? dag S q); cbn [andb]; [|apply sum_0]. rewrite (sum_unique _ _ r); [now rewrite Z.eqb_refl | apply range_nodup | apply in_range; lia|].
        intros r' _ hne. destruct (Z.eqb_spec r' r); [contradiction | reflexivity]. }
      rewrite sum_add. rewrite (sum_eq (fun r' => ind ((d =? dag S q) && (r' =? r)) * own) (fun r' => own * ind ((d =? dag S q) && (r' =? r)))) by (intros; ring).
      rewrite sum_scale, hone. rewrite (sum_eq (fun r' => (ind (under_way S gate h d r' s) - _) * front d) (fun r' => front d * (ind (under_way S gate h d r' s) - ind ((d =? dag S q) && (r' =? r))))) by (intros; ring).
      rewrite sum_scale, sum_sub, hone. assert (h0 : 0 <= front d).
      { apply (hfront d []). split; [constructor|]. split; easy. }
      specialize (hfew d hd). unfold count, count_under_way in hfew. nia.
    - rewrite sum_add. apply Z.eq_le_incl. rewrite (sum_unique (fun d => ind (d =? dag S q) * own) dags (dag S q)).
      + rewrite Z.eqb_refl. cbn [ind]. ring.
      + apply NoDup_nodup.
      + now apply in_dags.
      + intros d _ hne. destruct (Z.eqb_spec d (dag S q)); [contradiction|]. cbn [ind]. ring.
  Qed.

  (** How long a node waits. *)
  Lemma waits_within q r rho t X : In q (nodes S) -> ready G h q r rho = true -> (forall s, rho <= s <= t -> pending G h q r s = true) ->
    (forall s, s < rho -> ready G h q r s = false) -> (forall s, rho <= s <= t -> few s) -> wait_covers S a n share q X -> share (pool S q) * cap a (pool S q) = M -> 0 < M ->
    rho <= t -> M * sum (fun s => ind (waits g q r s)) (range rho (t + 1)) <= X.
  Proof.
    intros hq hready hpend hfirst hfew (hX & N & hN) hshare hM hle. set (p := pool S q) in *. pose proof (law_cap laws q hq) as (hcap & _). cbn [pool G gated] in hcap. fold p in hcap.
    assert (hsp : 0 < share p) by nia.
    assert (hvol : forall u, In u (nodes S) -> 0 <= vol a u) by (intros u hu; destruct (law_numbers laws u hu) as (_ & ? & _); lia).
    destruct hN as [(hproc & hahead & hlt)|(hord & hahead & hbound)].
    - (* fewer pieces than processors *)
      rewrite sum_zero; [lia|]. intros s hs. rewrite in_range in hs. destruct (waits g q r s) eqn:hw; [exfalso | reflexivity].
      pose proof (law_rate laws q r s hq hw) as hr. cbn [pool G gated] in hr. fold p in hr.
      pose proof (ahead_sum (fun _ => 1) q r s N ltac:(intros; lia) hq (hpend s ltac:(lia)) (hfew s ltac:(lia)) hahead) as ha. cbv beta in ha. fold p in ha.
      enough (rate G g p s <= sum (fun u => sum (fun r' => ind (pending G h u r' s && other q r u r') * 1) (range 0 (s + 1))) (on_pool S p)) by lia.
      apply sum_le. intros u hu. apply sum_le. intros r' _. pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup). rewrite Z.mul_1_r.
      destruct (pending G h u r' s) eqn:hpu; [|rewrite (no_work_unless_pending (nodes G) G h g a laws u r' s hun hpu); reflexivity].
      destruct (hproc u hu) as (hv & hl). destruct (other q r u r') eqn:ho; cbn [andb ind].
      + pose proof (law_width laws u r' s hun) as hwid. pose proof (law_numbers laws u hun) as (he & _ & hz). pose proof (law_work laws u r' s hun).
        destruct (Z.eq_dec (exec a u) 0) as [e0|hne]; [|nia]. rewrite (no_work_if_empty (nodes G) G h g a laws u r' s hun); [lia | now apply hz].
      + unfold other in ho. apply negb_false_iff in ho. apply andb_prop in ho. destruct ho as (h1 & h2). apply Z.eqb_eq in h1, h2. subst u r'.
        pose proof (law_last laws q r s (s + 1) hq) as hlast. rewrite range_one in hlast. cbn [sum] in hlast. rewrite hw in hlast. cbn [ind] in hlast. lia.
    - (* FIFO: what was there when q became ready *)
      pose proof (ahead_sum (vol a) q r rho N hvol hq (hpend rho ltac:(lia)) (hfew rho ltac:(lia)) hahead) as ha. fold p in ha.
      assert (hmain : cap a p * sum (fun s => ind (waits g q r s)) (range rho (t + 1)) <= N + (vol a q - last a q)); [|nia].
      pose proof (pending_released G h lg q r rho (hpend rho ltac:(lia))) as (_ & hr0).
      rewrite <- sum_scale. transitivity (sum (fun s => sum (fun u => sum (fun r' => ind (pending G h u r' rho) * (ind (waits g q r s) * work g u r' s)) (range 0 (rho + 1))) (on_pool S p)) (range rho (t + 1))).
      { apply sum_le. intros s hs. rewrite in_range in hs. destruct (waits g q r s) eqn:hw; cbn [ind].
        2:{ rewrite Z.mul_0_r. apply sum_nonneg. intros u _. apply sum_nonneg. intros r' _. destruct (pending G h u r' rho); cbn [ind]; lia. }
        pose proof (law_rate laws q r s hq hw) as hr. cbn [pool G gated] in hr. fold p in hr. rewrite Z.mul_1_r. etransitivity; [exact hr|].
        apply sum_le. intros u hu. pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup). rewrite (sum_range_split _ 0 (rho + 1) (s + 1)) by lia.
        assert (hno : forall r', 0 < work g u r' s -> ready G h u r' rho = true).
        { intros r' hwk. pose proof (law_order laws q r u r' s hq hun hup hw hwk) as hb. cbn [order_of pool G gated] in hb. fold p in hb. rewrite hord in hb. now apply hb. }
        assert (hlater : sum (fun r' => work g u r' s) (range (rho + 1) (s + 1)) = 0).
        { apply sum_zero. intros r' hr'. rewrite in_range in hr'. pose proof (law_work laws u r' s hun). destruct (Z_lt_le_dec 0 (work g u r' s)) as [hpos|]; [exfalso|lia].
          specialize (hno r' hpos). apply ready_spec in hno. lia. }
        rewrite hlater, Z.add_0_r. apply sum_le. intros r' _. pose proof (law_work laws u r' s hun). destruct (Z_lt_le_dec 0 (work g u r' s)) as [hpos|]; [|destruct (pending G h u r' rho); cbn [ind]; lia].
        assert (hpu : pending G h u r' rho = true).
        { apply pending_spec. split; [now apply hno|]. pose proof (law_pending laws u r' s hun hpos) as hps. apply pending_spec in hps. destruct hps as (_ & hnd).
          destruct (done h u r' rho) eqn:hd; [|reflexivity]. rewrite (legal_done lg u r' rho s hd) in hnd by lia. discriminate. }
        rewrite hpu. cbn [ind]. lia. }
      rewrite sum_exchange.
      transitivity (sum (fun u => sum (fun r' => ind (pending G h u r' rho && other q r u r') * vol a u + ind ((u =? q) && (r' =? r)) * (vol a q - last a q)) (range 0 (rho + 1))) (on_pool S p)).
      + apply sum_le. intros u hu. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). rewrite sum_exchange. apply sum_le. intros r' _. rewrite sum_scale.
        unfold other. destruct ((u =? q) && (r' =? r)) eqn:hself; cbn [negb].
        * apply andb_prop in hself. destruct hself as (h1 & h2). apply Z.eqb_eq in h1, h2. subst u r'. rewrite (hpend rho ltac:(lia)). cbn [andb ind].
          pose proof (law_last laws q r rho (t + 1) hq). lia.
        * rewrite andb_true_r. cbn [ind]. rewrite Z.mul_0_l, Z.add_0_r. apply Z.mul_le_mono_nonneg_l; [apply ind_range|].
          etransitivity; [|apply (law_vol laws u r' rho (t + 1) hun)]. apply sum_le. intros s _. pose proof (law_work laws u r' s hun). destruct (waits g q r s); cbn [ind]; lia.
      + rewrite (sum_eq _ (fun u => sum (fun r' => ind (pending G h u r' rho && other q r u r') * vol a u) (range 0 (rho + 1)) + sum (fun r' => ind ((u =? q) && (r' =? r)) * (vol a q - last a q)) (range 0 (rho + 1))))
          by (intros; apply sum_add). rewrite sum_add. apply Z.add_le_mono; [exact ha|]. apply Z.eq_le_incl.
        rewrite (sum_unique _ _ q).
        * rewrite (sum_unique _ _ r); [rewrite !Z.eqb_refl; cbn [andb ind]; ring | apply range_nodup | apply in_range; cbn [dag G gated] in hr0; lia|].
          intros r' _ hne. destruct (Z.eqb_spec r' r); [contradiction|]. rewrite andb_false_r. cbn [ind]. ring.
        * apply NoDup_filter, (wf_nodup wf).
        * apply in_on_pool. auto.
        * intros u _ hne. apply sum_zero. intros r' _. destruct (Z.eqb_spec u q); [contradiction|]. cbn [andb ind]. ring.
  Qed.

  Lemma numbers v : In v (nodes S) -> 0 <= H v.
  Proof. intros hv. destruct hH as (hM & _ & hall). destruct (hall v hv) as (X & (hX & _) & hle & _). pose proof (law_numbers laws v hv) as (he & _). nia. Qed.

  (** A node of a job that was admitted by al. *)
  Lemma ends_after_admission al r : r <= al -> forall v t, In v (nodes S) -> released h (dag S v) r = true -> done h (gate (dag S v)) r al = true -> al <= t ->
    (forall s, r <= s < al -> done h (gate (dag S v)) r s = false) -> (forall s, al <= s <= t -> few s) -> done h v r t = false -> M * (t + 1 - al) <= H v.
  Proof.
    intros hral v t hv. pose proof (wf_number wf v hv) as v0. revert t hv. pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0. intros v IH _ t hv hr hadm hle hnot hfew hnd.
    destruct hH as (hM & hshare & hall). destruct (hall v hv) as (X & hX & hself & hpreds). pose proof (law_numbers laws v hv) as (he & _).
    assert (hstep : forall q x, In q (preds S v) -> al <= x <= t -> done h q r x = false -> M * (x + 1 - al) <= H q).
    { intros q x hq hx hd. destruct (wf_preds wf v q hv hq) as (hqn & hqd & hlt). pose proof (wf_number wf q hqn). apply (IH q); rewrite ?hqd; auto; try lia. intros s hs. apply hfew. lia. }
    assert (hblocked : forall x, al <= x <= t -> ready G h v r x = false -> exists q, In q (preds S v) /\ M * (x + 1 - al) <= H q).
    { intros x hx hre. destruct (existsb (fun q => negb (done h q r x)) (preds S v)) eqn:hex.
      - apply existsb_exists in hex. destruct hex as (q & hq & hd). apply negb_true_iff in hd. exists q. split; [exact hq | now apply hstep].
      - exfalso. enough (ready G h v r x = true) by congruence. apply gated_ready; [exact hv|]. split; [exact hr|]. split; [lia|]. split; [apply (legal_done lg _ _ al x hadm); lia|].
        intros q hq. destruct (done h q r x) eqn:hd; [reflexivity | exfalso]. enough (existsb (fun q => negb (done h q r x)) (preds S v) = true) by congruence.
        apply existsb_exists. exists q. now rewrite hd. }
    destruct hX as (hX0 & hX').
    destruct (ready G h v r t) eqn:hready.
    2:{ destruct (hblocked t ltac:(lia) hready) as (q & hq & hb). specialize (hpreds q hq). nia. }
    destruct (first_such (ready G h v r) r t hready) as (rho & hrho & rready & hfirst).
    { apply ready_spec in hready. lia. }
    assert (hnone : forall s, s < rho -> ready G h v r s = false).
    { intros s hs. destruct (Z_le_gt_dec r s); [apply hfirst; lia|]. destruct (ready G h v r s) eqn:e; [|reflexivity]. apply ready_spec in e. lia. }
    assert (hpend : forall s, rho <= s <= t -> pending G h v r s = true).
    { intros s hs. apply pending_spec. split; [apply (ready_stays G h lg v r rho s rready); lia|]. destruct (done h v r s) eqn:hd; [|reflexivity].
      rewrite (legal_done lg v r s t hd) in hnd by lia. discriminate. }
    assert (hge : al <= rho).
    { destruct (Z_le_gt_dec al rho) as [|hlt]; [auto | exfalso]. apply gated_ready in rready; [|exact hv]. rewrite hnot in rready by lia. destruct rready as (_ & _ & ? & _). discriminate. }
    pose proof (waits_within v r rho t X hv rready hpend hnone ltac:(intros; apply hfew; lia) (conj hX0 hX') (hshare v hv) hM ltac:(lia)) as hw.
    pose proof (law_exec laws v r rho (t + 1) hv) as hex.
    assert (hsum : t + 1 - rho = sum (fun s => ind (waits g v r s)) (range rho (t + 1)) + sum (fun s => ind (pending G h v r s && negb (waits g v r s))) (range rho (t + 1))).
    { rewrite <- sum_add. rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_range_const; lia|]. intros s hs. rewrite in_range in hs. rewrite hpend by lia. destruct (waits g v r s); reflexivity. }
    assert (hpart : M * (t + 1 - rho) <= M * exec a v + X) by nia.
    destruct (Z.eq_dec rho al) as [->|hne]; [lia|]. destruct (hblocked (rho - 1) ltac:(lia)) as (q & hq & hb); [apply hnone; lia|]. specialize (hpreds q hq).
    replace (rho - 1 + 1 - al) with (rho - al) in hb by ring. nia.
  Qed.

  Context (T J : Z -> Z) (nominal : Z -> Z -> Z) (hj : jittered S h T J nominal) (hT : forall v, In v (nodes S) -> 0 < T (dag S v)).
  Context (limit : Z -> option Z).
  Context (hlimit : forall d N, In d dags -> limit d = Some N -> limit_holds S gate h d N).
  Context (hfree : forall d r, In d dags -> limit d = None -> released h d r = true -> done h (gate d) r r = true).
  (* n_d is the limit, or less, with H_d + J_d < n_d T_d *)
  Context (hn : forall d, In d dags -> 1 <= n d /\ (limit d = Some (n d) \/
    (match limit d with Some N => n d < N | None => True end /\ forall v, In v (nodes S) -> dag S v = d -> H v + M * J d < M * (n d * T d)))).

  Lemma in_dags_inv d : In d dags -> exists v, In v (nodes S) /\ dag S v = d.
  Proof. intros hd. unfold dags in hd. apply nodup_In, in_map_iff in hd. destruct hd as (v & h1 & h2). eauto. Qed.

  Lemma under_way_spec d r t : under_way S gate h d r t = true <-> released h d r = true /\ r <= t /\ done h (gate d) r t = true /\
    exists x, In x (nodes S) /\ dag S x = d /\ done h x r t = false.
  Proof.
    unfold under_way. rewrite !andb_true_iff, Z.leb_le, existsb_exists. split.
    - intros (((h1 & h2) & h3) & x & hx & hc). apply andb_prop in hc. destruct hc as (hd & hnd). apply Z.eqb_eq in hd. apply negb_true_iff in hnd. eauto 8.
    - intros (h1 & h2 & h3 & x & hx & hd & hnd). repeat split; auto. exists x. rewrite hnd, hd, Z.eqb_refl. auto.
  Qed.

  (** So many are released from the first of some jobs under way on. *)
  Lemma released_since d r0 t l : In r0 l -> (forall r, In r l -> r0 <= r <= t /\ released h d r = true) -> NoDup l -> Z.of_nat (length l) - 1 <= releases (released h d) (r0 + 1) (t + 1).
  Proof.
    intros h0 hall nd. pose proof (hall r0 h0) as (hle & hrel). enough (Z.of_nat (length l) <= releases (released h d) r0 (t + 1)).
    { rewrite (releases_split _ r0 (r0 + 1)) in H0 by lia. unfold releases in H0 at 1. rewrite range_one in H0. cbn [sum] in H0. rewrite hrel in H0. cbn [ind] in H0. lia. }
    transitivity (sum (fun r => ind (released h d r)) l).
    - rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_const; lia|]. intros r hr. destruct (hall r hr) as (_ & e). now rewrite e.
    - apply sum_incl; [exact nd | | intros; apply ind_range]. intros r hr. apply in_range. destruct (hall r hr). lia.
  Qed.

  Lemma few_of_list d t l N : NoDup l -> (forall r, In r l -> under_way S gate h d r t = true) -> Z.of_nat (length l) = N -> N <= count d t.
  Proof.
    intros nd hall <-. unfold count, count_under_way. transitivity (sum (fun r => ind (under_way S gate h d r t)) l).
    - rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_const; lia|]. intros r hr. now rewrite hall.
    - apply sum_incl; [exact nd | | intros; apply ind_range]. intros r hr. apply in_range. specialize (hall r hr). apply under_way_spec in hall. destruct hall as (h1 & h2 & _).
      pose proof (legal_start lg d r h1). lia.
  Qed.

  (** No more than n_d jobs are under way. *)
  Theorem under_way_few t d : In d dags -> count d t <= n d.
  Proof.
    destruct (Z_lt_le_dec t 0) as [hneg|h0].
    { intros hd. unfold count, count_under_way. rewrite range_nil by lia. destruct (hn d hd). cbn [sum]. lia. }
    revert d. pattern t. apply Zlt_0_ind; [|exact h0]. clear t h0. intros t IH h0 d hd.
    assert (hfew : forall s, s < t -> few s).
    { intros s hs x hx. destruct (Z_lt_le_dec s 0) as [hneg|hs0]; [|now apply IH; [lia|]]. unfold count, count_under_way. rewrite range_nil by lia. destruct (hn x hx). cbn [sum]. lia. }
    destruct (hn d hd) as (hn1 & [hl|(hless & hHd)]); [exact (proj1 (hlimit d (n d) hd hl) t)|].
    destruct (Z_le_gt_dec (count d t) (n d)) as [|hgt]; [assumption | exfalso]. destruct (in_dags_inv d hd) as (v & hv & hvd).
    set (l := filter (fun r => under_way S gate h d r t) (range 0 (t + 1))).
    assert (hlen : Z.of_nat (length l) = count d t) by (unfold count, count_under_way; now rewrite sum_length).
    destruct (least_of l) as (r0 & hr0 & hmin); [intros e; rewrite e in hlen; cbn in hlen; lia|].
    assert (hl : forall r, In r l -> under_way S gate h d r t = true) by (intros r hr; apply filter_In in hr; tauto).
    pose proof (proj1 (under_way_spec d r0 t) (hl r0 hr0)) as (hrel & hle & _ & x & hx & hxd & hnd).
    pose proof (released_since d r0 t l hr0) as hsince.
    assert (hmany : n d <= releases (released h d) (r0 + 1) (t + 1)).
    { enough (Z.of_nat (length l) - 1 <= releases (released h d) (r0 + 1) (t + 1)) by lia. apply hsince; [|apply NoDup_filter, range_nodup].
      intros r hr. specialize (hmin r hr). specialize (hl r hr). apply under_way_spec in hl. destruct hl as (h1 & h2 & _). auto. }
    assert (hlt : r0 < t). { destruct (Z_lt_le_dec r0 t); [assumption | exfalso]. rewrite releases_empty in hmany by lia. lia. }
    subst d. pose proof (apart_by S h T J nominal hj hT v t r0 (n (dag S v)) hv hn1 hlt hrel hmany) as hap.
    assert (hadm : done h (gate (dag S v)) r0 r0 = true).
    { destruct (limit (dag S v)) as [N|] eqn:hlim; [|now apply hfree]. destruct (done h (gate (dag S v)) r0 r0) eqn:e; [reflexivity | exfalso].
      destruct (proj2 (hlimit (dag S v) N hd hlim) r0 r0 hrel ltac:(lia) e) as (l' & nd' & hlen' & hall').
      pose proof (few_of_list (dag S v) r0 l' N nd' ltac:(intros y hy; now apply hall') hlen') as hf. pose proof (hfew r0 hlt (dag S v) hd). lia. }
    destruct hH as (hM & _). specialize (hHd x hx hxd). pose proof (jitter_nonneg hj v hv).
    assert (hd' : done h x r0 (t - 1) = true).
    { destruct (done h x r0 (t - 1)) eqn:e; [reflexivity | exfalso].
      pose proof (ends_after_admission r0 r0 ltac:(lia) x (t - 1) hx ltac:(rewrite hxd; exact hrel) ltac:(rewrite hxd; exact hadm) ltac:(lia) ltac:(intros; lia) ltac:(intros; apply hfew; lia) e).
      nia. }
    rewrite (legal_done lg x r0 (t - 1) t hd') in hnd by lia. discriminate.
  Qed.

  (** Each node v of a job ends within H_v of the job's admission. *)
  Theorem within_admission v r al R : In v (nodes S) -> released h (dag S v) r = true -> r <= al -> done h (gate (dag S v)) r al = true -> H v <= M * R ->
    done h v r (al + R) = true.
  Proof.
    intros hv hr hle hadm hR. destruct (first_such (done h (gate (dag S v)) r) r al hadm hle) as (al0 & hal & hadm0 & hnot).
    destruct hH as (hM & _). pose proof (numbers v hv). assert (hR0 : 0 <= R) by nia.
    apply (legal_done lg v r (al0 + R)); [|lia]. destruct (done h v r (al0 + R)) eqn:hd; [reflexivity | exfalso].
    pose proof (ends_after_admission al0 r ltac:(lia) v (al0 + R) hv hr hadm0 ltac:(lia) hnot ltac:(intros s _ d; apply under_way_few) hd). nia.
  Qed.

  (** With H_d + J_d <= N_d T_d, or no limit, every job is admitted at its release. *)
  Theorem admitted_at_release d : In d dags ->
    (forall N, limit d = Some N -> 1 <= N /\ forall v, In v (nodes S) -> dag S v = d -> H v + M * J d <= M * (N * T d)) ->
    forall r, released h d r = true -> done h (gate d) r r = true.
  Proof.
    intros hd hN. destruct (limit d) as [N|] eqn:hlim; [|intros r; now apply hfree]. destruct (hN N eq_refl) as (hN1 & hHd). clear hN.
    intros r hr. pose proof (legal_start lg d r hr) as hr0. revert hr. pattern r. apply Zlt_0_ind; [|exact hr0]. clear r hr0. intros r IH hr0 hr.
    destruct (done h (gate d) r r) eqn:e; [reflexivity | exfalso].
    destruct (proj2 (hlimit d N hd hlim) r r hr ltac:(lia) e) as (l & nd & hlen & hall). destruct (in_dags_inv d hd) as (v & hv & hvd). subst d.
    destruct (least_of l) as (r0 & hr0l & hmin); [intros e0; rewrite e0 in hlen; cbn in hlen; lia|].
    destruct (hall r0 hr0l) as (hlt & hw). apply under_way_spec in hw. destruct hw as (hrel & hle & _ & x & hx & hxd & hnd).
    assert (hmany : N <= releases (released h (dag S v)) (r0 + 1) (r + 1)).
    { pose proof (released_since (dag S v) r0 r (r :: l) (or_intror hr0l)) as hs. cbn [length] in hs.
      enough (Z.of_nat (Datatypes.S (length l)) - 1 <= releases (released h (dag S v)) (r0 + 1) (r + 1)) by lia. apply hs.
      - intros y [<-|hy]; [split; [lia | exact hr]|]. specialize (hmin y hy). destruct (hall y hy) as (h1 & h2). apply under_way_spec in h2. split; [lia | tauto].
      - constructor; [|exact nd]. intros hin. destruct (hall r hin). lia. }
    pose proof (apart_by S h T J nominal hj hT v r r0 N hv hN1 hlt hrel hmany) as hap. pose proof (legal_start lg _ _ hrel).
    pose proof (IH r0 ltac:(lia) hrel) as hadm. specialize (hHd x hx hxd). destruct hH as (hM & _).
    pose proof (ends_after_admission r0 r0 ltac:(lia) x r hx ltac:(rewrite hxd; exact hrel) ltac:(rewrite hxd; exact hadm) ltac:(lia) ltac:(intros; lia) ltac:(intros s _ y; apply under_way_few) hnd).
    nia.
  Qed.
End UnderWay.

(** T38 (b), on a platform. *)
Theorem T38_b S P h e w gate gates n M share H T J nominal limit :
  well_formed S -> sound_platform S P -> all_weights_valid S P w -> legal (gated S gates) h -> (forall p, pool_obeys (gated S gates) h P e p) ->
  (forall v, In v (nodes S) -> gates v = [gate (dag S v)]) ->
  path_covers S (counted_accounts S P w) n M share H -> jittered S h T J nominal ->
  (forall v, In v (nodes S) -> let d := dag S v in 0 < T d /\ 1 <= n d /\
     match limit d with
     | None => (forall r, released h d r = true -> done h (gate d) r r = true) /\ forall x, In x (nodes S) -> dag S x = d -> H x + M * J d < M * (n d * T d)
     | Some N => limit_holds S gate h d N /\ (n d = N \/ n d < N /\ forall x, In x (nodes S) -> dag S x = d -> H x + M * J d < M * (n d * T d))
     end) ->
  (forall v t, In v (nodes S) -> count_under_way S gate h (dag S v) t <= n (dag S v)) /\
  (forall v r t R, In v (nodes S) -> released h (dag S v) r = true -> r <= t -> done h (gate (dag S v)) r t = true -> H v <= M * R -> done h v r (t + R) = true) /\
  forall v, In v (nodes S) -> (forall N, limit (dag S v) = Some N -> forall x, In x (nodes S) -> dag S x = dag S v -> H x + M * J (dag S v) <= M * (N * T (dag S v))) ->
    forall r, released h (dag S v) r = true -> done h (gate (dag S v)) r r = true /\ forall R, H v <= M * R -> done h v r (r + R) = true.
Proof.
  intros wf sp hw lg ob hgates hH hj hall.
  assert (sp' : sound_platform (gated S gates) P) by (destruct sp; constructor; assumption).
  pose proof (platform_keeps_laws (gated S gates) h P e w (wf_nodup wf) sp' (Build_system_obeys _ _ _ _ lg ob) hw) as laws.
  assert (laws' : keeps_laws (gated S gates) h (counted_progress (gated S gates) h P e w) (counted_accounts S P w)) by exact laws. clear laws.
  set (dags := nodup Z.eq_dec (map (dag S) (nodes S))).
  assert (hds : forall d, In d dags -> exists v, In v (nodes S) /\ dag S v = d).
  { intros d hd. unfold dags in hd. apply nodup_In, in_map_iff in hd. destruct hd as (v & h1 & h2). eauto. }
  assert (hd : forall v, In v (nodes S) -> In (dag S v) dags) by (intros v hv; apply nodup_In; now apply in_map).
  assert (hlimit : forall d N, In d dags -> limit d = Some N -> limit_holds S gate h d N).
  { intros d N hin hl. destruct (hds d hin) as (v & hv & <-). destruct (hall v hv) as (_ & _ & hc). rewrite hl in hc. tauto. }
  assert (hfree : forall d r, In d dags -> limit d = None -> released h d r = true -> done h (gate d) r r = true).
  { intros d r hin hl. destruct (hds d hin) as (v & hv & <-). destruct (hall v hv) as (_ & _ & hc). rewrite hl in hc. apply hc. }
  assert (hn : forall d, In d dags -> 1 <= n d /\ (limit d = Some (n d) \/
    (match limit d with Some N => n d < N | None => True end /\ forall v, In v (nodes S) -> dag S v = d -> H v + M * J d < M * (n d * T d)))).
  { intros d hin. destruct (hds d hin) as (v & hv & <-). destruct (hall v hv) as (_ & h1 & hc). split; [exact h1|]. destruct (limit (dag S v)) as [N|]; [|right; tauto].
    destruct hc as (_ & [e0|hc]); [left; congruence | right; exact hc]. }
  assert (hT : forall v, In v (nodes S) -> 0 < T (dag S v)) by (intros v hv; now destruct (hall v hv)).
  assert (hin : forall v r t R, In v (nodes S) -> released h (dag S v) r = true -> r <= t -> done h (gate (dag S v)) r t = true -> H v <= M * R -> done h v r (t + R) = true).
  { intros v r t R hv hr hle hadm hR. exact (within_admission S wf gate gates h _ _ hgates lg laws' n M share H hH T J nominal hj hT limit hlimit hfree hn v r t R hv hr hle hadm hR). }
  split; [|split; [exact hin|]].
  - intros v t hv. exact (under_way_few S wf gate gates h _ _ hgates lg laws' n M share H hH T J nominal hj hT limit hlimit hfree hn t (dag S v) (hd v hv)).
  - intros v hv hN r hr.
    assert (hadm : done h (gate (dag S v)) r r = true).
    { apply (admitted_at_release S wf gate gates h _ _ hgates lg laws' n M share H hH T J nominal hj hT limit hlimit hfree hn (dag S v) (hd v hv)); [|exact hr].
      intros N hl. split; [|exact (hN N hl)]. destruct (hall v hv) as (_ & h1 & hc). rewrite hl in hc. destruct hc as (_ & [e0|(e0 & _)]); lia. }
    split; [exact hadm|]. intros R hR. apply hin; auto. lia.
Qed.
