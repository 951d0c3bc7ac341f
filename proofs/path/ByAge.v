(** T10d and T12d: what is left of a job by its age. On its pool of m processors a job is as far as it would be on as many processors as it likes E - longest
    before, E = longest + (V - longest + I)/m, I what other jobs do. docs/theory/path.md, "T10d". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.FromReady path.Meanwhile path.T10w path.Windows
  path.T12w path.T10v path.T10d path.Started path.OneWaits.

(** Nodes start as soon as they can. *)
Definition as_soon (S : system) (a : accounts) (d : Z) (ag : aging) : Prop :=
  (forall u, In u (dag_nodes S d) -> soon ag u = fold_right (fun q x => Z.max (soon ag q + exec a q) x) 0 (preds S u) /\ soon ag u + exec a u <= longest ag) /\
  exists u, In u (dag_nodes S d) /\ soon ag u + exec a u = longest ag.

(** E of DAG d, all of whose nodes are on one pool p: vd is one of them, L no less than their ends. *)
Definition ages_out (known : node -> ages_known) (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (aged : Z -> option aging) (d : Z) (ag : aging) : Prop :=
  exists vd p lim L I,
    In vd (dag_nodes S d) /\ full p = true /\ (lagging a p = 0 \/ order_of S p = Fifo) /\ (forall u, In u (dag_nodes S d) -> pool S u = p /\ F u <= L) /\
    as_soon S a d ag /\ longest ag <= twice_E ag - longest ag /\
    (forall q u, In q (dag_nodes S d) -> In u (nodes S) -> pool S u = p -> limit_le (limit S F q u) (lim u)) /\
    (forall d', In d' (dag S vd :: other_dags S vd) -> others_do (with_ages aged S a vd (known vd)) S a full F lim vd L 2 p d' (I d')) /\
    2 * (sum (exec a) (dag_nodes S d) - longest ag) + sum I (dag S vd :: other_dags S vd) <= cap a p * (twice_E ag - 2 * longest ag).

(** T10w's inequality, where DAGs may be aged. *)
Definition aged_inequality (known : node -> ages_known) (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (v : node) : Prop :=
  exists aged, (forall d ag, aged d = Some ag -> ages_out known S a full F aged d ag) /\
    fitting_inequality_with (with_ages aged S a v (known v)) S a full F v.

Lemma fold_max (f : node -> Z) l q : In q l -> f q <= fold_right (fun q x => Z.max (f q) x) 0 l.
Proof. induction l as [|x l IH]; [easy|]. intros [->|hq]; cbn [fold_right]; [lia | specialize (IH hq); lia]. Qed.

Lemma fold_max_nonneg (f : node -> Z) l : 0 <= fold_right (fun q x => Z.max (f q) x) 0 l.
Proof. induction l; cbn [fold_right]; lia. Qed.

Lemma fold_max_one (f : node -> Z) l : fold_right (fun q x => Z.max (f q) x) 0 l = 0 \/ exists q, In q l /\ fold_right (fun q x => Z.max (f q) x) 0 l = f q.
Proof.
  induction l as [|x l IH]; cbn [fold_right]; [now left|]. destruct (Z_le_gt_dec (f x) (fold_right (fun q x => Z.max (f q) x) 0 l)) as [hle|hgt].
  - rewrite Z.max_r by lia. destruct IH as [->|(q & hq & ->)]; [now left | right; exists q; split; [now right | reflexivity]].
  - right. exists x. split; [now left | lia].
Qed.

Section Soon.
  Context (S : system) (wf : well_formed S) (a : accounts) (hexec : forall u, In u (nodes S) -> 0 <= exec a u) (d : Z) (ag : aging) (hsoon : as_soon S a d ag).

  Lemma soon_nonneg u : In u (dag_nodes S d) -> 0 <= soon ag u.
  Proof. intros hu. rewrite (proj1 (proj1 hsoon u hu)). apply fold_max_nonneg. Qed.

  Lemma soon_after u q : In u (dag_nodes S d) -> In q (preds S u) -> In q (dag_nodes S d) /\ soon ag q + exec a q <= soon ag u.
  Proof.
    intros hu hq. pose proof hu as hu'. apply in_dag_nodes in hu'. destruct hu' as (hun & hud). destruct (wf_preds wf u q hun hq) as (hqn & hqd & _).
    split; [apply in_dag_nodes; split; [exact hqn | congruence]|]. rewrite (proj1 (proj1 hsoon u hu)). exact (fold_max (fun q => soon ag q + exec a q) _ q hq).
  Qed.

  Lemma dag_exec u : In u (dag_nodes S d) -> 0 <= exec a u.
  Proof. intros hu. apply in_dag_nodes in hu. now apply hexec. Qed.

  (** All that there is. *)
  Lemma left_all k y : 0 <= k -> 2 * k * longest ag <= y -> 2 * k * sum (exec a) (dag_nodes S d) <= left_within S a d ag k y.
  Proof. intros hk hy. unfold left_within. rewrite <- sum_scale. apply sum_le. intros u hu. pose proof (soon_nonneg u hu). pose proof (dag_exec u hu). nia. Qed.

  (** At least one runs at a time. *)
  Lemma left_least k y : 0 <= k -> y <= 2 * k * longest ag -> y <= left_within S a d ag k y.
  Proof.
    intros hk hy. destruct hsoon as (_ & v & hv & hlen).
    assert (hnn : forall u, In u (dag_nodes S d) -> 0 <= Z.min (2 * k * exec a u) (Z.max 0 (y - 2 * k * (longest ag - soon ag u - exec a u)))).
    { intros u hu. pose proof (dag_exec u hu). assert (0 <= 2 * k * exec a u) by nia. lia. }
    destruct (Z_le_gt_dec y 0) as [hle|hgt]; [etransitivity; [exact hle | now apply sum_nonneg]|].
    (* along a path, in units of 1/(2 k) *)
    enough (H : forall v, In v (dag_nodes S d) -> exists l, path S l v /\
              2 * k * (soon ag v + exec a v) - (2 * k * longest ag - y) <= sum (fun u : node => Z.min (2 * k * exec a u) (Z.max 0 (y - 2 * k * (longest ag - soon ag u - exec a u)))) l).
    { destruct (H v hv) as (l & hl & hs). apply in_dag_nodes in hv. destruct hv as (hvn & hvd).
      transitivity (sum (fun u : node => Z.min (2 * k * exec a u) (Z.max 0 (y - 2 * k * (longest ag - soon ag u - exec a u)))) l); [nia|].
      apply sum_incl; [exact (path_nodup S l v wf hvn hl) | | exact hnn]. intros u hu. destruct (path_nodes S l v wf hvn hl u hu). apply in_dag_nodes. split; [assumption | congruence]. }
    clear v hv hlen. intros v hv. pose proof hv as hv'. apply in_dag_nodes in hv'. pose proof (wf_number wf v (proj1 hv')) as v0. revert hv. clear hv'. pattern v. apply Zlt_0_ind; [|exact v0].
    clear v v0. intros v IH _ hv. pose proof (dag_exec v hv) as he. pose proof (soon_nonneg v hv) as hs0.
    assert (hin : forall l, path S l v -> forall u, In u l -> In u (dag_nodes S d)).
    { intros l hl u hu. apply in_dag_nodes in hv. destruct (path_nodes S l v wf (proj1 hv) hl u hu). apply in_dag_nodes. split; [assumption | destruct hv; congruence]. }
    destruct (fold_max_one (fun q => soon ag q + exec a q) (preds S v)) as [h0|(q & hq & h0)]; rewrite <- (proj1 (proj1 hsoon v hv)) in h0.
    - destruct (path_exists S v wf ltac:(apply in_dag_nodes in hv; tauto)) as (l & hl). exists l. split; [exact hl|].
      etransitivity; [|apply (sum_in (fun u : node => Z.min (2 * k * exec a u) (Z.max 0 (y - 2 * k * (longest ag - soon ag u - exec a u)))) l v
        (fun u hu => hnn u (hin l hl u hu)) (path_last S l v hl))]. cbv beta. nia.
    - destruct (soon_after v q hv hq) as (hqd & _). pose proof hv as hv'. apply in_dag_nodes in hv'. destruct (wf_preds wf v q (proj1 hv') hq) as (hqn & _ & hlt).
      pose proof (wf_number wf q hqn). destruct (IH q ltac:(lia) hqd) as (l & hl & hle). assert (hl' : path S (v :: l) v) by (econstructor; eauto).
      exists (v :: l). split; [exact hl'|]. cbn [sum].
      assert (hl0 : 0 <= sum (fun u : node => Z.min (2 * k * exec a u) (Z.max 0 (y - 2 * k * (longest ag - soon ag u - exec a u)))) l).
      { apply sum_nonneg. intros u hu. apply hnn, (hin (v :: l) hl'). now right. }
      nia.
  Qed.
End Soon.

Lemma done_longer S a full F lim v p L L' k jobs age j0 W : 0 <= cap a p -> 0 < k -> L <= L' -> done_meanwhile S a full F lim v L p k jobs age j0 W ->
  done_meanwhile S a full F lim v L' p k jobs age j0 W.
Proof.
  intros hcap hk hL [d1 d2 d3 d4 d5 d6].
  assert (hov : forall FU x, overlap (k * FU) (k * L) x <= overlap (k * FU) (k * L') x) by (intros FU x; unfold overlap; nia).
  constructor; auto.
  - intros hf c d j FU hd hc hin hj. etransitivity; [now apply (d5 hf c d j FU) | apply hov].
  - intros hf c d j FU hd hc hin hj. etransitivity; [now apply (d6 hf c d j FU)|]. apply Z.mul_le_mono_nonneg_l; [exact hcap | apply hov].
Qed.

Section ByAge.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).
  Context (g : progress) (a : accounts) (laws : keeps_laws S h g a).
  Context (full : Z -> bool) (hfull : forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (hless : forall u, In u (nodes S) -> 0 < exec a u -> executes_less S h g a u).
  Context (known : node -> ages_known) (hknown : forall v, In v (nodes S) -> known_always S h (known v) v).
  Context (aged : Z -> option aging) (haged : forall d ag, aged d = Some ag -> ages_out known S a full F aged d ag).
  Context (H : Z) (met : met_until S h F H).

  Lemma exec_nonneg u : In u (nodes S) -> 0 <= exec a u.
  Proof. intros hu. now apply (law_numbers laws). Qed.

  Section Job.
    Context (d : Z) (ag : aging) (p : Z) (hp : full p = true) (hon : forall u, In u (dag_nodes S d) -> pool S u = p) (hsoon : as_soon S a d ag).
    Context (r : Z) (hr : released h d r = true).
    Let D := dag_nodes S d.

    Lemma D_facts u : In u D -> In u (nodes S) /\ dag S u = d /\ pool S u = p /\ In u (on_pool S p).
    Proof. intros hu. pose proof (hon u hu) as hup. apply in_dag_nodes in hu. destruct hu as (h1 & h2). repeat split; auto. apply in_on_pool. auto. Qed.

    (** At good instants all that is ready runs. *)
    Definition good (s : Z) : bool := forallb (fun u => negb (waits g u r s)) D.
    Let goods (s : Z) : Z := sum (fun x => ind (good x)) (range r s).

    Lemma good_runs u s : In u D -> good s = true -> pending S h u r s = true -> work g u r s = 1 /\ executes S h g r u s = true.
    Proof.
      intros hu hg hpu. unfold good in hg. rewrite forallb_forall in hg. specialize (hg u hu). apply negb_true_iff in hg. destruct (D_facts u hu) as (_ & _ & _ & hup).
      destruct (hfull p hp) as (_ & _ & hrw). split; [now apply (hrw u r s)|]. unfold executes. now rewrite hpu, hg.
    Qed.

    Lemma goods_next s : r <= s -> goods (s + 1) = goods s + ind (good s).
    Proof. intros hs. unfold goods. rewrite (sum_range_split _ r s (s + 1)), range_one by lia. cbn [sum]. lia. Qed.

    (* How many of them come after the first c. *)
    Lemma late_goods c s : r <= s -> 0 <= c -> goods s - c <= sum (fun x => ind (good x && (c <=? goods x))) (range r s).
    Proof.
      intros hs hc. remember (Z.to_nat (s - r)) as n eqn:hn. revert s hs hn. induction n as [|n IH]; intros s hs hn.
      - unfold goods. rewrite range_nil by lia. cbn [sum]. lia.
      - specialize (IH (s - 1) ltac:(lia) ltac:(lia)). pose proof (goods_next (s - 1) ltac:(lia)) as hg. replace (s - 1 + 1) with s in hg by ring.
        replace (range r s) with (range r (s - 1 + 1)) by (f_equal; ring). rewrite (sum_range_split _ r (s - 1) (s - 1 + 1)), range_one by lia. cbn [sum].
        assert (h0 : 0 <= sum (fun x => ind (good x && (c <=? goods x))) (range r (s - 1))) by (apply sum_nonneg; intros; apply ind_range).
        destruct (good (s - 1)); cbn [andb ind] in *; [|lia]. destruct (Z.leb_spec c (goods (s - 1))); cbn [ind]; lia.
    Qed.

    (** After as many good instants as a node starts at on as many processors as it likes it is ready, at good instants. *)
    Lemma ready_when u s : In u D -> r <= s -> good s = true -> soon ag u <= goods s -> ready S h u r s = true.
    Proof.
      intros hu. pose proof (D_facts u hu) as (hun & _). pose proof (wf_number wf u hun) as u0. revert s hu. clear hun. pattern u. apply Zlt_0_ind; [|exact u0]. clear u u0.
      intros u IH _ s hu hs hg hle. destruct (D_facts u hu) as (hun & hud & _). apply ready_spec. split; [now rewrite hud|]. split; [exact hs|].
      intros q hq. destruct (soon_after S wf a d ag hsoon u q hu hq) as (hqD & hqs). destruct (wf_preds wf u q hun hq) as (hqn & _ & hlt). pose proof (wf_number wf q hqn).
      pose proof (exec_nonneg q hqn) as he. destruct (done h q r s) eqn:hd; [reflexivity|]. exfalso.
      assert (hready : forall x, r <= x <= s -> good x = true -> soon ag q <= goods x -> pending S h q r x = true).
      { intros x hx hgx hlx. apply pending_spec. split; [apply IH; auto; lia|]. destruct (done h q r x) eqn:hdx; [|reflexivity]. rewrite (legal_done lg q r x s hdx) in hd by lia. discriminate. }
      assert (hex : goods s - soon ag q <= sum (fun x => ind (executes S h g r q x)) (range r s)).
      { etransitivity; [apply (late_goods (soon ag q) s hs); now apply (soon_nonneg S a d ag hsoon)|]. apply sum_le. intros x hx. rewrite in_range in hx.
        destruct (good x) eqn:hgx; cbn [andb ind]; [|apply ind_range]. destruct (Z.leb_spec (soon ag q) (goods x)); cbn [ind]; [|apply ind_range].
        destruct (good_runs q x hqD hgx (hready x ltac:(lia) hgx ltac:(lia))) as (_ & ->). cbn. lia. }
      destruct (Z.eq_dec (exec a q) 0) as [e0|hne].
      - destruct (good_runs q s hqD hg (hready s ltac:(lia) hg ltac:(lia))) as (_ & hexq). pose proof (law_exec laws q r s (s + 1) hqn) as hl. rewrite range_one in hl. cbn [sum] in hl.
        change (pending S h q r s && negb (waits g q r s)) with (executes S h g r q s) in hl. rewrite hexq, e0 in hl. cbn in hl. lia.
      - pose proof (hless q hqn ltac:(lia) r r s hd). lia.
    Qed.

    Lemma progress_by u s : In u D -> r <= s -> done h u r s = false -> goods s - soon ag u <= sum (fun x => work g u r x) (range r s).
    Proof.
      intros hu hs hnd. destruct (D_facts u hu) as (hun & _). etransitivity; [apply (late_goods (soon ag u) s hs); now apply (soon_nonneg S a d ag hsoon)|].
      apply sum_le. intros x hx. rewrite in_range in hx. pose proof (law_work laws u r x hun). destruct (good x) eqn:hgx; cbn [andb ind]; [|lia].
      destruct (Z.leb_spec (soon ag u) (goods x)) as [hle|]; cbn [ind]; [|lia]. assert (hpx : pending S h u r x = true).
      { apply pending_spec. split; [apply ready_when; auto; lia|]. destruct (done h u r x) eqn:hdx; [|reflexivity]. rewrite (legal_done lg u r x s hdx) in hnd by lia. discriminate. }
      destruct (good_runs u x hu hgx hpx) as (-> & _). lia.
    Qed.

    (** What is done from s on, node by node. *)
    Lemma done_after u s e : In u D -> r <= s -> sum (fun x => work g u r x) (range s e) <= if done h u r s then 0 else exec a u - sum (fun x => work g u r x) (range r s).
    Proof.
      intros hu hs. destruct (D_facts u hu) as (hun & _ & _ & hup). destruct (hfull p hp) as (hproc & _). destruct (hproc u hup) as (hv & _).
      destruct (done h u r s) eqn:hd.
      - apply Z.eq_le_incl, sum_zero. intros x hx. rewrite in_range in hx. apply (no_work_unless_pending _ S h g a laws u r x hun). unfold pending.
        rewrite (legal_done lg u r s x hd) by lia. apply andb_false_r.
      - destruct (Z_le_gt_dec s e) as [hle|hgt].
        + pose proof (law_vol laws u r r e hun : sum (fun x => work g u r x) (range r e) <= vol a u) as hl. rewrite (sum_range_split _ r s e), hv in hl by lia. lia.
        + rewrite (range_nil s e) by lia. cbn [sum]. pose proof (law_vol laws u r r s hun : sum (fun x => work g u r x) (range r s) <= vol a u). lia.
    Qed.
  End Job.

  Lemma left_by_age r : forall d ag s e, aged d = Some ag -> released h d r = true -> r <= s < H ->
    2 * sum (fun u : node => sum (fun x => work g u r x) (range s e)) (dag_nodes S d) <= left_within S a d ag 1 (twice_E ag - 2 * (s - r)).
  Proof.
    destruct (Z_lt_le_dec r 0) as [hneg|r0]; [intros d ag s e _ hr; pose proof (legal_start lg d r hr); lia|].
    pattern r. apply Zlt_0_ind; [|exact r0]. clear r r0. intros r IH r0 d ag s e hag hr hs.
    destruct (haged d ag hag) as (vd & p & lim & L & I & hvd & hp & hnp & hon & hsoon & hE & hlim & hI & hsum). set (D := dag_nodes S d) in *.
    assert (hon' : forall u, In u (dag_nodes S d) -> pool S u = p) by (intros u hu; now apply hon).
    pose proof (D_facts d p hon') as facts. destruct (facts vd hvd) as (hvn & hvd' & _). destruct (hfull p hp) as (hproc & hrate & hrw).
    pose proof exec_nonneg as hex. assert (hcap : 0 <= cap a p) by (destruct (law_cap laws vd hvn) as (hc & _); rewrite (hon' vd hvd) in hc; lia).
    set (y := twice_E ag - 2 * (s - r)).
    assert (hleft0 : 0 <= left_within S a d ag 1 y) by (apply left_nonneg; [lia | exact hex]).
    (* all has ended, or something has not *)
    destruct (forallb (fun u => done h u r s) D) eqn:hall.
    { rewrite forallb_forall in hall. rewrite sum_zero; [lia|]. intros u hu. pose proof (done_after d p hp hon' r u s e hu ltac:(lia)) as hd. rewrite (hall u hu) in hd.
      pose proof (sum_nonneg (fun x => work g u r x) (range s e) (fun x _ => law_work laws u r x (proj1 (facts u hu)))). lia. }
    assert (exists z, In z D /\ done h z r s = false) as (z & hz & hnd).
    { clear -hall. induction D as [|u l IHl]; [discriminate|]. cbn [forallb] in hall. destruct (done h u r s) eqn:hd; [|exists u; split; [now left | exact hd]].
      destruct (IHl hall) as (z & h1 & h2). exists z. split; [now right | exact h2]. }
    destruct (facts z hz) as (hzn & hzd & _).
    assert (hsL : s - r <= L).
    { destruct (Z_le_gt_dec (s - r) L) as [|hgt]; [assumption|]. exfalso. pose proof (proj2 (hon z hz)) as hFz. assert (hd : done h z r (r + F z) = true) by (apply met; auto; [now rewrite hzd | lia]).
      rewrite (legal_done lg z r _ s hd) in hnd by lia. discriminate. }
    set (X := fun u : node => sum (fun x => work g u r x) (range r s)).
    assert (hX0 : forall u, In u D -> 0 <= X u) by (intros u hu; apply sum_nonneg; intros; apply (law_work laws); now apply facts).
    set (n := sum (fun x => ind (good d r x)) (range r s)). set (wn := sum (fun x => ind (negb (good d r x))) (range r s)).
    assert (hnw : n + wn = s - r).
    { unfold n, wn. rewrite <- sum_add, (sum_eq _ (fun _ => 1)) by (intros x _; destruct (good d r x); reflexivity). rewrite sum_range_const by lia. lia. }
    assert (hw0 : 0 <= wn) by (apply sum_nonneg; intros; apply ind_range).
    destruct (Z_le_gt_dec (2 * wn) (twice_E ag - 2 * longest ag)) as [hfew|hmany].
    - (* few instants are not good *)
      rewrite <- sum_scale. apply sum_le. intros u hu. destruct (facts u hu) as (hun & _). pose proof (done_after d p hp hon' r u s e hu ltac:(lia)) as hd. specialize (hex u hun).
      revert hd. destruct (done h u r s) eqn:hdu; intros hd; [lia|]. pose proof (progress_by d ag p hp hon' hsoon r hr u s hu ltac:(lia) hdu) as hpr. specialize (hX0 u hu).
      assert (hd' : sum (fun x => work g u r x) (range s e) <= exec a u - X u) by exact hd. assert (hpr' : n - soon ag u <= X u) by exact hpr. clear hd hpr. unfold y.
      cbv beta. lia.
    - (* many: the pool worked on the job and on others then *)
      assert (hrem : 2 * sum (fun u : node => sum (fun x => work g u r x) (range s e)) D <= 2 * (sum (exec a) D - sum X D)).
      { apply Z.mul_le_mono_nonneg_l; [lia|]. rewrite <- sum_sub. apply sum_le. intros u hu. destruct (facts u hu) as (hun & _ & _ & hup).
        pose proof (done_after d p hp hon' r u s e hu ltac:(lia)) as hd. fold (X u) in hd. revert hd. destruct (done h u r s); intros hd; [|exact hd].
        pose proof (law_vol laws u r r s hun : X u <= vol a u) as hl. destruct (hproc u hup) as (hv & _). lia. }
      set (seen := seen_work g r s (seen_others S g vd D r)).
      assert (hDf : forall q, In q D -> In q (nodes S) /\ dag S q = dag S vd /\ pool S q = p) by (intros q hq; destruct (facts q hq) as (h1 & h2 & h3 & _); repeat split; congruence).
      assert (hrv : released h (dag S vd) r = true) by now rewrite hvd'.
      assert (hmets : met_until S h F s) by (intros u r' hu hr' hlt; apply met; auto; lia).
      pose proof (others_in_window S h wf lg g a laws full hfull p vd hvn D hDf r hrv s ltac:(lia) F s ltac:(lia) hmets lim
        (fun q u r' hq hu hup _ hwi => within_le _ _ _ hwi (hlim q u hq hu hup))) as hdone. fold seen in hdone.
      apply (done_longer S a full F lim vd p (s - r) L 1 _ _ _ _ hcap ltac:(lia) hsL) in hdone.
      assert (hages : with_ages aged S a vd (known vd) 1 (jobs_by h s) (fun r' => r - r') r seen).
      { split; [apply hknown; auto; lia|]. intros d' ag' j U hd' hag' hj ndU hU. apply filter_In in hj. destruct hj as (_ & hj). pose proof (legal_start lg d' j hj).
        destruct (haged d' ag' hag') as (vd2 & p2 & lim2 & L2 & I2 & hvd2 & hp2 & _ & hon2 & hsoon2 & hE2 & _).
        assert (hworks : forall u, In u U -> seen u j <= sum (fun x => work g u j x) (range r s) /\ 0 <= seen u j).
        { intros u hu. apply hU, in_dag_nodes in hu. destruct (others_work S h g a laws vd D r s u j (proj1 hu)) as (w1 & w2). split; [exact w2 | exact w1]. }
        assert (hnd' : NoDup (dag_nodes S d')) by (apply NoDup_filter, (wf_nodup wf)).
        destruct (Z_lt_le_dec j r) as [hlt|hge].
        - transitivity (2 * sum (fun u : node => sum (fun x => work g u j x) (range r s)) (dag_nodes S d')).
          + apply Z.mul_le_mono_nonneg_l; [lia|]. etransitivity; [apply sum_le; intros u hu; apply (proj1 (hworks u hu))|]. apply sum_incl; [exact ndU | exact hU|].
            intros u hu. apply in_dag_nodes in hu. apply sum_nonneg. intros; now apply (law_work laws).
          + rewrite Z.mul_1_l. apply (IH j ltac:(lia) d' ag' r s hag' hj ltac:(lia)).
        - transitivity (2 * 1 * sum (exec a) (dag_nodes S d')).
          + rewrite Z.mul_1_r. apply Z.mul_le_mono_nonneg_l; [lia|]. transitivity (sum (exec a) U).
            * apply sum_le. intros u hu. etransitivity; [apply (proj1 (hworks u hu))|]. pose proof (hU u hu) as hu'. pose proof (proj1 (hon2 u hu')) as hup2. apply in_dag_nodes in hu'.
              destruct (hfull p2 hp2) as (hproc2 & _). destruct (hproc2 u ltac:(apply in_on_pool; tauto)) as (<- & _). apply (law_vol laws). tauto.
            * apply sum_incl; [exact ndU | exact hU|]. intros u hu. apply in_dag_nodes in hu. now apply hex.
          + apply left_all; [exact hex | exact hsoon2 | lia | lia]. }
      assert (hzero : forall u, In u (dag_here S (dag S vd) p) -> seen u r = 0).
      { intros u hu. apply in_dag_here in hu. apply (others_not_own S g vd D r s u). tauto. }
      assert (htotal : 2 * sum (others_at S g p vd D r s) (range r s) <= sum I (dag S vd :: other_dags S vd)).
      { rewrite (others_total S h lg g a laws p vd hvn D r s s). fold seen. unfold in_all. rewrite <- sum_scale. apply sum_le. intros d' hd'. rewrite <- (Z.mul_1_l (I d')).
        exact (hI d' hd' 1 (jobs_by h s) (fun r' => r - r') r seen Z.lt_0_1 hdone hages hzero). }
      (* tick by tick *)
      assert (hticks : cap a p * wn + n <= sum X D + sum (others_at S g p vd D r s) (range r s)).
      { unfold X, wn, n. rewrite (sum_exchange (fun u x => work g u r x)), <- sum_scale, <- !sum_add. apply sum_le. intros x hx. rewrite in_range in hx.
        pose proof (others_at_nonneg S h g a laws p hnp vd D r s x) as ho. destruct (good d r x) eqn:hg; cbn [negb ind].
        - destruct (some_pending S h wf r z x hzn ltac:(now rewrite hzd) ltac:(lia)) as (u & hu & hpu).
          { destruct (done h z r x) eqn:hdx; [|reflexivity]. rewrite (legal_done lg z r x s hdx) in hnd by lia. discriminate. }
          destruct (ancestor_or_self_facts S u z wf hzn hu) as (hun & hud & _). assert (huD : In u D) by (apply in_dag_nodes; split; [exact hun | congruence]).
          destruct (good_runs d p hp hon' r u x huD hg hpu) as (hwk & _).
          enough (1 <= sum (fun a0 : node => work g a0 r x) D) by lia. rewrite <- hwk. apply (sum_in (fun a0 : node => work g a0 r x)); [intros w hw; apply (law_work laws); now apply facts | exact huD].
        - assert (exists q, In q D /\ waits g q r x = true) as (q & hq & hwq).
          { unfold good in hg. fold D in hg. clear -hg. induction D as [|u l IHl]; [discriminate|]. cbn [forallb] in hg. destruct (waits g u r x) eqn:hw; [exists u; split; [now left | exact hw]|].
            destruct (IHl hg) as (q & h1 & h2). exists q. split; [now right | exact h2]. }
          pose proof (while_one_waits S h wf lg g a laws full hfull p hp hnp vd D hDf r hrv s ltac:(lia) q x hq ltac:(lia) hwq) as hc.
          assert (heq : sum (fun u : node => work g u r x) (dag_here S (dag S vd) p) <= sum (fun u : node => work g u r x) D).
          { rewrite hvd'. apply sum_incl; [apply NoDup_filter, NoDup_filter, (wf_nodup wf) | intros u hu; now apply filter_In in hu | intros u hu; apply (law_work laws); now apply facts]. }
          lia. }
      assert (hrem2 : 2 * sum (fun u : node => sum (fun x => work g u r x) (range s e)) D <= y).
      { unfold y. destruct (law_cap laws vd hvn) as (hc1 & _). rewrite (hon' vd hvd) in hc1.
        pose proof (Z.mul_nonneg_nonneg (cap a p - 1) (2 * wn - (twice_E ag - 2 * longest ag)) ltac:(lia) ltac:(lia)) as hm. nia. }
      destruct (Z_le_gt_dec y (2 * 1 * longest ag)) as [hyl|hyl].
      + etransitivity; [exact hrem2|]. apply left_least; auto; lia.
      + etransitivity; [exact hrem|]. etransitivity; [|apply left_all; [exact hex | exact hsoon | lia | lia]]. assert (0 <= sum X D) by (now apply sum_nonneg). fold D. lia.
  Qed.
End ByAge.

Section Safe.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Theorem aged_safe known g a full F v :
    (forall u, In u (nodes S) -> known_always S h (known u) u) -> keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    (forall u, In u (nodes S) -> 0 < exec a u -> executes_less S h g a u) ->
    (forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p) ->
    In v (nodes S) -> aged_inequality known S a full F v -> safe S h F v.
  Proof.
    intros hknown laws hF hless hfull hv (aged & haged & hineq). pose proof hineq as (M & lim & _ & hev & _).
    apply (fits_safe S h wf lg (with_ages aged S a v (known v)) g a full); auto; [|intros p hp; destruct (hfull p hp) as (h1 & h2 & _); auto].
    intros r hr met W hW. set (t := r + F v). assert (hFv : 0 < F v) by (specialize (hF v hv); lia).
    split; [apply hknown; auto; lia|]. intros d ag j U hd hag hj ndU hU. apply filter_In in hj. destruct hj as (_ & hj).
    destruct (haged d ag hag) as (vd & p & lim' & L & I & hvd & hp & _ & hon & hsoon & hE & _).
    assert (hex : forall u, In u (nodes S) -> 0 <= exec a u) by (intros u hu; now apply (law_numbers laws)).
    assert (hnd : NoDup (dag_nodes S d)) by (apply NoDup_filter, (wf_nodup wf)).
    destruct (Z_lt_le_dec r j) as [hlt|hle].
    - transitivity (2 * 1 * sum (exec a) (dag_nodes S d)).
      + rewrite Z.mul_1_r. apply Z.mul_le_mono_nonneg_l; [lia|]. transitivity (sum (exec a) U).
        * apply sum_le. intros u hu. pose proof (hU u hu) as hu'. pose proof (proj1 (hon u hu')) as hup. apply in_dag_nodes in hu'. etransitivity; [apply hW; tauto|].
          destruct (hfull p hp) as (hproc & _). destruct (hproc u ltac:(apply in_on_pool; tauto)) as (<- & _). apply (law_vol laws). tauto.
        * apply sum_incl; [exact ndU | exact hU|]. intros u hu. apply in_dag_nodes in hu. now apply hex.
      + apply left_all; [exact hex | exact hsoon | lia | lia].
    - assert (hl : 2 * sum (fun u : node => sum (fun x => work g u j x) (range r t)) (dag_nodes S d) <= left_within S a d ag 1 (twice_E ag - 2 * (r - j))).
      { apply left_by_age with (h := h) (full := full) (F := F) (known := known) (aged := aged) (H := t); auto; [exact (met_before_until S h F v r t met (Z.le_refl _)) | unfold t; lia]. }
      rewrite Z.mul_1_l. etransitivity; [|exact hl]. apply Z.mul_le_mono_nonneg_l; [lia|]. transitivity (sum (fun u : node => sum (fun x => work g u j x) (range r t)) U).
      + apply sum_le. intros u hu. apply hU, in_dag_nodes in hu. now apply hW.
      + apply sum_incl; [exact ndU | exact hU|]. intros u hu. apply in_dag_nodes in hu. apply sum_nonneg. intros; now apply (law_work laws).
  Qed.

  (** T10d by age, and with nominal periods. *)
  Theorem T10d_by_age_safe g a full F v :
    keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> (forall u, In u (nodes S) -> 0 < exec a u -> executes_less S h g a u) ->
    (forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p) ->
    In v (nodes S) -> aged_inequality (fun _ => by_periods) S a full F v -> safe S h F v.
  Proof. intros. now apply (aged_safe (fun _ => by_periods) g a full). Qed.

  Theorem T12d_by_age_safe T J nominal g a full F v : jittered S h T J nominal ->
    keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> (forall u, In u (nodes S) -> 0 < exec a u -> executes_less S h g a u) ->
    (forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p) ->
    In v (nodes S) -> aged_inequality (by_nominal_instants S T J) S a full F v -> safe S h F v.
  Proof. intros late. intros. apply (aged_safe (by_nominal_instants S T J) g a full); auto. intros u hu. now apply (nominal_instants_always S h T J nominal late). Qed.
End Safe.
