(** T10m and T12m: many long paths. Where a set D of nodes of the job, all that comes before one of them among them, is on one pool of m processors,
    j + 1 disjoint chains of D get on whenever one of D waits, or m - j processors at least work on what is beside them. docs/theory/path.md, "T10m";
    docs/theory/jitter.md, "T12m". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w path.Windows
  path.T12 path.T12w path.T10v path.T10d path.Started path.OneWaits.

(** D: nodes of v's DAG on p, with all that comes before them, v among them, and nothing after it. *)
Record closed_before (S : system) (v : node) (p : Z) (D : list node) : Prop := {
  cb_self : In v D;
  cb_here : forall q, In q D -> In q (nodes S) /\ dag S q = dag S v /\ pool S q = p;
  cb_before : forall q x, In q D -> In x (preds S q) -> In x D;
  cb_after : forall q, In q D -> ~ ancestor S v q;
}.

Arguments cb_self {S v p D}.
Arguments cb_here {S v p D}.
Arguments cb_before {S v p D}.
Arguments cb_after {S v p D}.

(** U: of v's job what may run while a node of D waits or runs. *)
Definition beside_these (S : system) (v : node) (p : Z) (D U : list node) : Prop :=
  NoDup U /\ incl U (dag_here S (dag S v) p) /\ incl D U /\
  forall q u, In q D -> In u (dag_here S (dag S v) p) -> ~ ancestor S v u -> beside S q u -> In u U.

(** Chains cs of nodes of D; LV and LS: the longest path to v, and in D; I d: what DAG d's other jobs do. *)
Definition families_inequality_with (known : ages_known) (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (v : node) : Prop :=
  exists M p D U cs lim LV LS I,
    0 < M /\ 0 < exec a v /\ full p = true /\ (lagging a p = 0 \/ order_of S p = Fifo) /\
    closed_before S v p D /\ beside_these S v p D U /\
    (NoDup (concat cs) /\ incl (concat cs) D /\ (forall c, In c cs -> chain S c) /\ 1 <= Z.of_nat (length cs) <= cap a p) /\
    (forall q u, In q D -> In u (nodes S) -> pool S u = p -> limit_le (limit S (fun x => Z.min (F x) (F v)) q u) (lim u)) /\
    (forall l, path S l v -> sum (exec a) l <= LV) /\ LV <= LS /\ (forall l q, In q D -> path S l q -> sum (exec a) l <= LS) /\
    (forall d, In d (dag S v :: other_dags S v) -> others_do known S a full F lim v (F v) M p d (I d)) /\
    let n := cap a p + 1 - Z.of_nat (length cs) in
    M * (n * LV + (sum (exec a) U - sum (exec a) (concat cs)) + (LS - LV)) + sum I (dag S v :: other_dags S v) <= M * (n * F v).

Definition families_inequality := families_inequality_with by_periods.
Definition late_families_inequality (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (T J : Z -> Z) (v : node) : Prop :=
  families_inequality_with (by_nominal_instants S T J v) S a full F v.

(** A limit with ends that count as B at most. *)
Lemma within_capped S F q u B x : 0 <= B -> x <= B -> within (limit S F q u) x -> within (limit S (fun y => Z.min (F y) B) q u) x.
Proof.
  intros hB hx. assert (hr : x <= ready_bound S F q -> x <= ready_bound S (fun y => Z.min (F y) B) q).
  { unfold ready_bound. induction (preds S q) as [|y l IH]; cbn [fold_right]; [auto|]. intros h. destruct (Z_le_gt_dec x (F y)); [lia | specialize (IH ltac:(lia)); lia]. }
  unfold limit. destruct (order_of S (pool S q)) as [|Y|pi|pi]; cbn [within]; [exact hr | lia | |].
  - destruct (pi u <? pi q); [auto|]. destruct (pi u =? pi q); cbn [within]; [exact hr | lia].
  - destruct (pi u <? pi q); cbn [within]; lia.
Qed.

(** A part of a list, and the rest of it. *)
Definition without (L U : list node) : list node := filter (fun u => if in_dec Z.eq_dec u L then false else true) U.

Lemma sum_without (f : node -> Z) L U : NoDup U -> NoDup L -> incl L U -> (forall u, In u U -> 0 <= f u) -> sum f U = sum f L + sum f (without L U).
Proof.
  intros nd ndl hin h0. unfold without. rewrite (@sum_split_one node (fun u => if in_dec Z.eq_dec u L then true else false) f U), !sum_filter. f_equal.
  - rewrite <- sum_filter. apply Z.le_antisymm.
    + apply sum_incl; [now apply NoDup_filter | | intros u hu; apply h0, hin, hu]. intros u hu. apply filter_In in hu. destruct hu as (_ & hu).
      destruct (in_dec Z.eq_dec u L); [assumption | discriminate].
    + apply sum_incl; [exact ndl | | intros u hu; apply filter_In in hu; now apply h0]. intros u hu. apply filter_In. split; [now apply hin|].
      destruct (in_dec Z.eq_dec u L); [reflexivity | contradiction].
  - apply sum_eq. intros u _. destruct (in_dec Z.eq_dec u L); reflexivity.
Qed.

Lemma in_without L U u : In u (without L U) <-> In u U /\ ~ In u L.
Proof. unfold without. rewrite filter_In. destruct (in_dec Z.eq_dec u L); intuition discriminate. Qed.

Lemma sum_concat {A} (f : A -> Z) (ls : list (list A)) : sum f (concat ls) = sum (fun l => sum f l) ls.
Proof. induction ls as [|l ls IH]; [reflexivity|]. cbn [concat sum]. now rewrite sum_app, IH. Qed.

Lemma sum_of_ind {A} (b : A -> bool) l : sum (fun x => ind (b x)) l + (if forallb b l then 0 else 1) <= Z.of_nat (length l).
Proof.
  induction l as [|x l IH]; [cbn; lia|]. cbn [sum forallb length]. destruct (b x); cbn [ind andb]; [lia|]. destruct (forallb b l); lia.
Qed.

Section T10m.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).
  Context (g : progress) (a : accounts) (laws : keeps_laws S h g a).
  Context (full : Z -> bool) (hfull : forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (v : node) (hv : In v (nodes S)) (hless : executes_less S h g a v).
  Context (p : Z) (hp : full p = true) (hnp : lagging a p = 0 \/ order_of S p = Fifo).
  Context (D U : list node) (hD : closed_before S v p D) (hU : beside_these S v p D U).
  Context (cs : list (list node)) (ndcs : NoDup (concat cs)) (hcsD : incl (concat cs) D) (hcs : forall c, In c cs -> chain S c).
  Let Lam := concat cs.
  Let rest := without Lam U.

  Context (r : Z) (hr : released h (dag S v) r = true) (met : met_before S h F v r).
  Let t := r + F v.
  Context (missed : done h v r t = false).

  Lemma on_p u : In u D -> In u (on_pool S p).
  Proof. intros hu. destruct (cb_here hD u hu) as (h1 & _ & h2). now apply in_on_pool. Qed.

  Lemma D_before x z : In z D -> ancestor_or_self S x z -> In x D.
  Proof. intros hz [->|ha]; [exact hz|]. induction ha as [x z hx | x y z ha IH hy]; [now apply (cb_before hD z) | apply IH; now apply (cb_before hD z)]. Qed.

  Let here := cb_here hD.
  Let others := others_at S g p v D r t.
  Let running := running S h g a laws full hfull p hp.
  Let runs (u s : Z) : bool := 0 <? work g u r s.
  Definition some_waits (s : Z) : bool := existsb (fun q => waits g q r s) D.
  Definition chains_run (s : Z) : bool :=
    if some_waits s then forallb (fun c : list node => existsb (fun u : node => runs u s) c) cs
    else forallb (fun z : node => negb (runs z s) || if in_dec Z.eq_dec z Lam then true else false) D.

  Lemma one_runs z s : In z D -> r <= s -> done h z r s = false -> some_waits s = false -> exists x, ancestor_or_self S x z /\ In x D /\ 0 < work g x r s.
  Proof.
    intros hz hs hnd hno. destruct (cb_here hD z hz) as (hzn & hzd & _).
    destruct (some_pending S h wf r z s hzn ltac:(now rewrite hzd) hs hnd) as (x & hx & hpx). exists x. split; [exact hx|].
    pose proof (D_before x z hz hx) as hxD. split; [exact hxD|]. destruct (hfull p hp) as (_ & _ & hrw). rewrite (hrw x r s); [lia | now apply on_p | exact hpx|].
    destruct (waits g x r s) eqn:hw; [|reflexivity]. exfalso. enough (some_waits s = true) by congruence. apply existsb_exists. eauto.
  Qed.

  (** Where all chains get on, what a node of them waits for gets on. *)
  Lemma pick z s : In z Lam -> r <= s -> done h z r s = false -> chains_run s = true -> exists y, ancestor_or_self S y z /\ In y Lam /\ 0 < work g y r s.
  Proof.
    intros hz hs hnd hrun. unfold chains_run in hrun. destruct (some_waits s) eqn:hw.
    - apply in_concat in hz. destruct hz as (c & hc & hz). rewrite forallb_forall in hrun. specialize (hrun c hc). apply existsb_exists in hrun.
      destruct hrun as (y & hy & hrun). apply Z.ltb_lt in hrun. assert (hyL : In y Lam) by (apply in_concat; eauto). exists y. split; [|auto].
      destruct (hcs c hc) as (_ & hcmp). destruct (hcmp y z hy hz) as [->|[ha|ha]]; [now left | now right|]. exfalso.
      destruct (running y r s (on_p y (hcsD y hyL)) hrun) as (_ & hpy & _). apply pending_spec in hpy. destruct hpy as (hpy & _).
      rewrite (ancestor_done S h lg z y r s ha hpy) in hnd. discriminate.
    - destruct (one_runs z s (hcsD z hz) hs hnd hw) as (x & hx & hxD & hwk). exists x. split; [exact hx|]. split; [|exact hwk].
      rewrite forallb_forall in hrun. specialize (hrun x hxD). unfold runs in hrun. rewrite (proj2 (Z.ltb_lt _ _) hwk) in hrun. cbn [negb orb] in hrun.
      destruct (in_dec Z.eq_dec x Lam); [assumption | discriminate].
  Qed.

  Let did (y b : Z) : Z := sum (fun s => work g y r s) (range r b).

  Lemma work_nonneg y s : In y D -> 0 <= work g y r s.
  Proof. intros hy. apply (law_work laws). now apply (cb_here hD). Qed.

  Lemma did_next y b : r <= b -> did y (b + 1) = did y b + work g y r b.
  Proof. intros hb. unfold did. rewrite (sum_range_split _ r b (b + 1)), range_one by lia. cbn [sum]. lia. Qed.

  Lemma did_path l b : r <= b -> sum (fun y : node => did y (b + 1)) l = sum (fun y : node => did y b) l + sum (fun y : node => work g y r b) l.
  Proof. intros hb. rewrite <- sum_add. apply sum_eq. intros y _. now apply did_next. Qed.

  (** Such instants lie on one path. *)
  Lemma on_one_path b : r <= b -> forall z, In z Lam -> done h z r b = false ->
    exists l, path S l z /\ sum (fun s => ind (chains_run s)) (range r b) <= sum (fun y : node => did y b) l.
  Proof.
    intros hb. remember (Z.to_nat (b - r)) as n eqn:hn. revert b hb hn. induction n as [|n IH]; intros b hb hn z hz hnd.
    - assert (b = r) as -> by lia. destruct (path_exists S z wf ltac:(now apply (cb_here hD), hcsD)) as (l & hl). exists l. split; [exact hl|].
      unfold did. rewrite range_nil by lia. cbn [sum]. rewrite sum_zero by reflexivity. lia.
    - specialize (IH (b - 1) ltac:(lia) ltac:(lia)). replace b with (b - 1 + 1) by ring.
      assert (hnd1 : done h z r (b - 1) = false) by (destruct (done h z r (b - 1)) eqn:e; [rewrite (legal_done lg z r _ b e) in hnd by lia; discriminate | reflexivity]).
      assert (hzD : In z D) by now apply hcsD.
      assert (hext : forall y l, In y Lam -> ancestor_or_self S y z -> path S l y -> exists l', path S l' z /\ incl l l').
      { intros y l _ [->|ha] hl; [exists l; split; [exact hl | apply incl_refl] | now apply (path_goes_on S l y z)]. }
      assert (hpaths : forall y l l', path S l y -> In y D -> path S l' z -> incl l l' -> forall b', r <= b' -> sum (fun x : node => did x b') l <= sum (fun x : node => did x b') l').
      { intros y l l' hl hy hl' hin b' hb'. apply sum_incl; [apply (path_nodup S l y wf (proj1 (cb_here hD y hy)) hl) | exact hin|].
        intros x hx. apply sum_nonneg. intros s _. apply work_nonneg. apply (D_before x z hzD). now apply (path_ancestors S l' z hl'). }
      rewrite (sum_range_split _ r (b - 1) (b - 1 + 1)), range_one by lia. cbn [sum]. destruct (chains_run (b - 1)) eqn:hrun; cbn [ind].
      + destruct (pick z (b - 1) hz ltac:(lia) hnd1 hrun) as (y & hy & hyL & hwk). destruct (running y r (b - 1) (on_p y (hcsD y hyL)) hwk) as (_ & hpy & _).
        apply pending_spec in hpy. destruct (IH y hyL (proj2 hpy)) as (l & hl & hle). destruct (hext y l hyL hy hl) as (l' & hl' & hin). exists l'. split; [exact hl'|].
        pose proof (hpaths y l l' hl (hcsD y hyL) hl' hin (b - 1) ltac:(lia)) as h1.
        rewrite did_path by lia.
        enough (1 <= sum (fun x : node => work g x r (b - 1)) l') by lia.
        etransitivity; [|apply (sum_in (fun x : node => work g x r (b - 1)) l' y)]; [cbv beta; lia | | apply hin, (path_last S l y hl)].
        intros x hx. apply work_nonneg. apply (D_before x z hzD). now apply (path_ancestors S l' z hl').
      + destruct (IH z hz hnd1) as (l & hl & hle). exists l. split; [exact hl|].
        rewrite did_path by lia.
        enough (0 <= sum (fun x : node => work g x r (b - 1)) l) by lia. apply sum_nonneg.
        intros x hx. apply work_nonneg. apply (D_before x z hzD). now apply (path_ancestors S l z hl).
  Qed.

  Lemma U_here u : In u U -> In u (on_pool S p) /\ In u (nodes S) /\ dag S u = dag S v.
  Proof. destruct hU as (_ & hin & _). intros hu. apply hin, in_dag_here in hu. destruct hu as (h1 & h2 & h3). split; [now apply in_on_pool | auto]. Qed.

  Lemma while_waiting s : r <= s < t -> some_waits s = true -> cap a p <= sum (fun u : node => work g u r s) U + others s.
  Proof.
    intros hs hw. apply existsb_exists in hw. destruct hw as (q & hq & hw). destruct hU as (ndU & hinU & hDU & hbeside).
    etransitivity; [apply (while_one_waits S h wf lg g a laws full hfull p hp hnp v D here r hr t ltac:(lia) q s hq ltac:(lia) hw)|]. apply Z.add_le_mono_r.
    rewrite (sum_filter_zero (fun u : node => if in_dec Z.eq_dec u U then true else false)).
    - apply sum_incl; [apply NoDup_filter, NoDup_filter, NoDup_filter, (wf_nodup wf) | |].
      + intros u hu. apply filter_In in hu. destruct (in_dec Z.eq_dec u U); [assumption | destruct hu; discriminate].
      + intros u hu. apply (law_work laws). now apply U_here.
    - intros u hu hout. apply in_dag_here in hu. destruct hu as (hun & hud & hup). assert (hu : In u (on_pool S p)) by (now apply in_on_pool).
      pose proof (law_work laws u r s hun). destruct (Z_lt_le_dec 0 (work g u r s)) as [hwk|]; [|lia]. exfalso.
      destruct (in_dec Z.eq_dec u U) as [|hnot]; [discriminate|]. apply hnot. apply (hbeside q u hq); [apply in_dag_here; auto | |].
      + intros ha. destruct (running u r s hu hwk) as (_ & hpu & _). apply pending_spec in hpu. destruct hpu as (hre & _).
        pose proof (ancestor_done S h lg v u r s ha hre) as hd. rewrite (legal_done lg v r s t hd) in missed by lia. discriminate.
      + apply (own_beside_waiting S h wf lg g a laws full hfull p hp hnp v D here r q u s); auto.
  Qed.

  (** What is beside the chains in a tick. *)
  Lemma beside_chains s : r <= s < t ->
    (if some_waits s then cap a p + 1 - Z.of_nat (length cs) else 1) - ind (chains_run s) <= sum (fun u : node => work g u r s) rest + others s.
  Proof.
    intros hs. destruct hU as (ndU & hinU & hDU & _). pose proof (others_at_nonneg S h g a laws p hnp v D r t s) as ho. fold others in ho.
    assert (hrest : forall u, In u rest -> 0 <= work g u r s).
    { intros u hu. apply in_without in hu. apply (law_work laws). now apply U_here. }
    unfold chains_run. destruct (some_waits s) eqn:hw.
    - pose proof (while_waiting s hs hw) as hcap.
      rewrite (sum_without (fun u : node => work g u r s) Lam U ndU ndcs ltac:(intros u hu; apply hDU, hcsD, hu) ltac:(intros u hu; apply (law_work laws); now apply U_here)) in hcap.
      fold rest in hcap. unfold Lam in hcap. rewrite sum_concat in hcap.
      assert (hch : sum (fun c : list node => sum (fun u : node => work g u r s) c) cs <= sum (fun c : list node => ind (existsb (fun u : node => runs u s) c)) cs).
      { apply sum_le. intros c hc. assert (hcD : forall u, In u c -> In u D) by (intros u hu; apply hcsD, in_concat; eauto).
        pose proof (chain_in_tick S h g a lg laws full (fun q hq => match hfull q hq with conj x (conj y _) => conj x y end) p (fun _ _ _ => true) c (dag S v) r s hp (hcs c hc)
          ltac:(intros u hu; destruct (cb_here hD u (hcD u hu)) as (e1 & e2 & e3); apply in_dag_here; auto)) as h1. cbn [ind] in h1.
        rewrite (sum_eq _ (fun u => work g u r s)) in h1 by (intros; lia). destruct (existsb (fun u : node => runs u s) c) eqn:he; cbn [ind]; [exact h1|].
        apply Z.eq_le_incl, sum_zero. intros u hu. pose proof (work_nonneg u s (hcD u hu)). destruct (Z_lt_le_dec 0 (work g u r s)) as [hwk|]; [|lia]. exfalso.
        enough (existsb (fun u : node => runs u s) c = true) by congruence. apply existsb_exists. exists u. split; [exact hu | now apply Z.ltb_lt]. }
      pose proof (sum_of_ind (fun c : list node => existsb (fun u : node => runs u s) c) cs) as h2. cbv beta in h2. pose proof (sum_nonneg _ rest hrest).
      revert h2. destruct (forallb (fun c : list node => existsb (fun u : node => runs u s) c) cs); cbn [ind]; lia.
    - destruct (forallb (fun z : node => negb (runs z s) || (if in_dec Z.eq_dec z Lam then true else false)) D) eqn:hall; cbn [ind]; [pose proof (sum_nonneg _ rest hrest); lia|].
      enough (1 <= sum (fun u : node => work g u r s) rest) by lia.
      destruct (existsb (fun z : node => runs z s && if in_dec Z.eq_dec z Lam then false else true) D) eqn:he.
      + apply existsb_exists in he. destruct he as (z & hz & he). apply andb_prop in he. destruct he as (hwk & hout). apply Z.ltb_lt in hwk.
        etransitivity; [|apply (sum_in (fun u : node => work g u r s) rest z hrest)]; [cbv beta; lia|]. apply in_without. split; [now apply hDU|].
        destruct (in_dec Z.eq_dec z Lam); [discriminate | assumption].
      + exfalso. enough (forallb (fun z : node => negb (runs z s) || (if in_dec Z.eq_dec z Lam then true else false)) D = true) by congruence.
        apply forallb_forall. intros z hz. destruct (runs z s) eqn:hwk; [|reflexivity]. cbn [negb orb]. destruct (in_dec Z.eq_dec z Lam) as [|hout]; [reflexivity|]. exfalso.
        enough (existsb (fun z : node => runs z s && (if in_dec Z.eq_dec z Lam then false else true)) D = true) by congruence. apply existsb_exists. exists z.
        split; [exact hz|]. rewrite hwk. now destruct (in_dec Z.eq_dec z Lam).
  Qed.

  (** v has not executed in full. *)
  Lemma v_did : did v t < exec a v.
  Proof.
    eapply Z.le_lt_trans; [|exact (hless r r t missed)]. apply sum_le. intros s _. destruct (Z_lt_le_dec 0 (work g v r s)) as [hw|].
    - destruct (running v r s (on_p v (cb_self hD)) hw) as (-> & h1 & h2). unfold executes. rewrite h1, h2. cbn. lia.
    - pose proof (ind_range (executes S h g r v s)). lia.
  Qed.

  Lemma did_most u : In u (nodes S) -> In u (on_pool S p) -> did u t <= exec a u.
  Proof. intros hu hup. destruct (hfull p hp) as (hproc & _). destruct (hproc u hup) as (<- & _). apply (law_vol laws u r r t hu). Qed.

  Context (LV LS : Z) (hLV : forall l, path S l v -> sum (exec a) l <= LV) (hLS : forall l q, In q D -> path S l q -> sum (exec a) l <= LS).

  Lemma path_to_v l : path S l v -> sum (fun y : node => did y t) l + 1 <= LV.
  Proof.
    intros hl. etransitivity; [|exact (hLV l hl)].
    transitivity (sum (fun y : node => did y t + ind (y =? v)) l).
    - rewrite sum_add. apply Z.add_le_mono_l. etransitivity; [|apply (sum_in (fun y : node => ind (y =? v)) l v); [intros; apply ind_range | exact (path_last S l v hl)]].
      cbv beta. rewrite Z.eqb_refl. cbn. lia.
    - apply sum_le. intros y hy. pose proof (D_before y v (cb_self hD) (path_ancestors S l v hl y hy)) as hyD.
      destruct (Z.eqb_spec y v) as [->|]; cbn [ind]; [pose proof v_did; lia|]. rewrite Z.add_0_r. apply did_most; [now apply (cb_here hD) | now apply on_p].
  Qed.

  Lemma path_in_D l q : In q D -> path S l q -> sum (fun y : node => did y t) l <= LS.
  Proof.
    intros hq hl. etransitivity; [|exact (hLS l q hq hl)]. apply sum_le. intros y hy. pose proof (D_before y q hq (path_ancestors S l q hl y hy)) as hyD.
    apply did_most; [now apply (cb_here hD) | now apply on_p].
  Qed.

  Lemma t_after : r <= t.
  Proof. pose proof (F_nonneg S h g a laws F hF v hv). unfold t. lia. Qed.

  Lemma runs_instants : sum (fun s => ind (negb (some_waits s))) (range r t) + 1 <= LV.
  Proof.
    pose proof t_after as ht. destruct (late_path S h wf lg r v t hv hr ht missed) as (l & x & hl & hx & hxn & cover).
    assert (exists l', path S l' v /\ incl l l') as (l' & hl' & hincl).
    { destruct hx as [->|ha]; [exists l; split; [auto | apply incl_refl] | eapply path_goes_on; eauto]. }
    etransitivity; [|exact (path_to_v l' hl')]. apply Z.add_le_mono_r. unfold did. rewrite (sum_exchange (fun y s => work g y r s)). apply sum_le. intros s hs.
    rewrite in_range in hs. assert (hnn : forall y, In y l' -> 0 <= work g y r s).
    { intros y hy. apply work_nonneg. apply (D_before y v (cb_self hD)). now apply (path_ancestors S l' v hl'). }
    destruct (some_waits s) eqn:hw; cbn [negb ind]; [now apply sum_nonneg|]. destruct (cover s ltac:(lia)) as (y & hy & hpy).
    assert (hyD : In y D) by (apply (D_before y v (cb_self hD)), (path_ancestors S l' v hl'), hincl, hy).
    etransitivity; [|apply (sum_in (fun y : node => work g y r s) l' y hnn (hincl y hy))]. destruct (hfull p hp) as (_ & _ & hrw). cbv beta.
    rewrite (hrw y r s (on_p y hyD) hpy); [lia|]. destruct (waits g y r s) eqn:hwy; [|reflexivity]. exfalso. enough (some_waits s = true) by congruence.
    apply existsb_exists. eauto.
  Qed.

  Lemma full_instants_v : In v Lam -> sum (fun s => ind (chains_run s)) (range r t) + 1 <= LV.
  Proof. intros hvL. destruct (on_one_path t t_after v hvL missed) as (l & hl & hle). pose proof (path_to_v l hl). lia. Qed.

  Lemma full_instants : 0 <= LS -> (1 <= Z.of_nat (length cs)) -> sum (fun s => ind (chains_run s)) (range r t) <= LS.
  Proof.
    intros hLS0 hlen. pose proof t_after as ht.
    (* up to the last of them *)
    enough (H : forall n b, r <= b <= t -> Z.to_nat (b - r) = n -> sum (fun s => ind (chains_run s)) (range r b) <= LS) by (apply (H _ t ltac:(lia) eq_refl)).
    induction n as [|n IH]; intros b hb hn; [rewrite range_nil by lia; cbn; lia|].
    specialize (IH (b - 1) ltac:(lia) ltac:(lia)). destruct (chains_run (b - 1)) eqn:hrun.
    2: { replace b with (b - 1 + 1) by ring. rewrite (sum_range_split _ r (b - 1) (b - 1 + 1)), range_one by lia. cbn [sum]. rewrite hrun. cbn [ind]. lia. }
    assert (exists z, In z Lam /\ 0 < work g z r (b - 1)) as (z & hz & hwk).
    { pose proof hrun as hrun'. unfold chains_run in hrun'. destruct (some_waits (b - 1)) eqn:hw.
      - assert (exists c, In c cs) as (c & hc) by (clear -hlen; destruct cs as [|c l]; [cbn in hlen; lia | exists c; now left]).
        rewrite forallb_forall in hrun'. specialize (hrun' c hc). apply existsb_exists in hrun'. destruct hrun' as (y & hy & hwk). exists y.
        split; [|now apply Z.ltb_lt]. apply in_concat. eauto.
      - assert (hnd : done h v r (b - 1) = false) by (destruct (done h v r (b - 1)) eqn:e; [rewrite (legal_done lg v r _ t e) in missed by lia; discriminate | reflexivity]).
        destruct (one_runs v (b - 1) (cb_self hD) ltac:(lia) hnd hw) as (x & hx & hxD & hwk). exists x. split; [|exact hwk].
        rewrite forallb_forall in hrun'. specialize (hrun' x hxD). unfold runs in hrun'. rewrite (proj2 (Z.ltb_lt _ _) hwk) in hrun'. cbn [negb orb] in hrun'.
        destruct (in_dec Z.eq_dec x Lam); [assumption | discriminate]. }
    destruct (running z r (b - 1) (on_p z (hcsD z hz)) hwk) as (hw1 & hpz & _). apply pending_spec in hpz.
    destruct (on_one_path (b - 1) ltac:(lia) z hz (proj2 hpz)) as (l & hl & hle).
    assert (hnn : forall y s, In y l -> 0 <= work g y r s).
    { intros y s hy. apply work_nonneg. apply (D_before y z (hcsD z hz)). now apply (path_ancestors S l z hl). }
    etransitivity; [|exact (path_in_D l z (hcsD z hz) hl)].
    transitivity (sum (fun y : node => did y (b - 1) + work g y r (b - 1)) l).
    - rewrite sum_add. replace b with (b - 1 + 1) at 1 by ring. rewrite (sum_range_split _ r (b - 1) (b - 1 + 1)), range_one by lia. cbn [sum]. rewrite hrun. cbn [ind].
      enough (1 <= sum (fun y : node => work g y r (b - 1)) l) by lia. etransitivity; [|apply (sum_in (fun y : node => work g y r (b - 1)) l z); [intros; now apply hnn | exact (path_last S l z hl)]].
      cbv beta. lia.
    - apply sum_le. intros y hy. rewrite <- did_next by lia. replace (b - 1 + 1) with b by ring. unfold did. apply sum_range_incl; [intros; now apply hnn | lia | lia].
  Qed.

  Context (lim : node -> option Z) (hlim : forall q u, In q D -> In u (nodes S) -> pool S u = p -> limit_le (limit S (fun x => Z.min (F x) (F v)) q u) (lim u)).

  (** Together. *)
  Theorem families_explain : LV <= LS -> 1 <= Z.of_nat (length cs) <= cap a p ->
    let n := cap a p + 1 - Z.of_nat (length cs) in
    n * F v < n * LV + (sum (exec a) U - sum (exec a) Lam) + (LS - LV) + sum others (range r t).
  Proof.
    intros hle hlen n. pose proof t_after as ht. destruct hU as (ndU & hinU & hDU & _). pose proof runs_instants as hI.
    assert (hsplit : F v = sum (fun s => ind (some_waits s)) (range r t) + sum (fun s => ind (negb (some_waits s))) (range r t)).
    { rewrite <- sum_add. rewrite (sum_eq _ (fun _ => 1)) by (intros s _; destruct (some_waits s); reflexivity). rewrite sum_range_const by lia. unfold t. ring. }
    assert (hI0 : 0 <= sum (fun s => ind (negb (some_waits s))) (range r t)) by (apply sum_nonneg; intros; apply ind_range).
    set (B := sum (fun s => ind (some_waits s)) (range r t)) in *. set (I' := sum (fun s => ind (negb (some_waits s))) (range r t)) in *.
    set (Fn := sum (fun s => ind (chains_run s)) (range r t)).
    assert (hsum : n * B + I' - Fn <= sum (fun u : node => did u t) rest + sum others (range r t)).
    { unfold did, B, I', Fn. rewrite (sum_exchange (fun u s => work g u r s)), <- sum_add, <- sum_scale, <- sum_add, <- sum_sub. apply sum_le. intros s hs. rewrite in_range in hs.
      pose proof (beside_chains s hs) as hb. fold n in hb. destruct (some_waits s); cbn [negb ind] in *; lia. }
    assert (hvol : forall u, In u U -> 0 <= exec a u) by (intros u hu; apply (law_numbers laws); now apply U_here).
    pose proof (sum_without (exec a) Lam U ndU ndcs ltac:(intros u hu; apply hDU, hcsD, hu) hvol) as hV. fold rest in hV.
    assert (hdid : forall u, In u rest -> did u t <= exec a u) by (intros u hu; apply in_without in hu; destruct hu as (hu & _); apply did_most; now apply U_here).
    assert (hn : 1 <= n) by (unfold n; lia).
    destruct (in_dec Z.eq_dec v Lam) as [hin|hout].
    - pose proof (full_instants_v hin) as hFn. fold Fn in hFn. pose proof (sum_le _ _ rest hdid). nia.
    - assert (hFn : Fn <= LS) by (apply full_instants; lia).
      assert (hrest : sum (fun u : node => did u t) rest + 1 <= sum (exec a) rest).
      { assert (hvr : In v rest) by (apply in_without; split; [apply hDU, (cb_self hD) | exact hout]).
        transitivity (sum (fun u : node => did u t + ind (u =? v)) rest).
        - rewrite sum_add. apply Z.add_le_mono_l. etransitivity; [|apply (sum_in (fun y : node => ind (y =? v)) rest v); [intros; apply ind_range | exact hvr]].
          cbv beta. rewrite Z.eqb_refl. cbn. lia.
        - apply sum_le. intros u hu. destruct (Z.eqb_spec u v) as [->|]; cbn [ind]; [pose proof v_did; lia | rewrite Z.add_0_r; now apply hdid]. }
      nia.
  Qed.
End T10m.

Section Safe.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Theorem families_safe known g a full F v :
    known_in_schedule S h g F known v -> keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
    (forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p) ->
    In v (nodes S) -> families_inequality_with known S a full F v -> safe S h F v.
  Proof.
    intros hknown laws hF hless hfull hv (M & p & D & U & cs & lim & LV & LS & I & hM & hev & hp & hnp & hD & hU & (nd & hin & hcs & hlen) & hlim & hLV & hle & hLS & hI & hsum) r hr met.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    pose proof (families_explain S h wf lg g a laws full hfull F hF v hv hless p hp hnp D U hD hU cs nd hin hcs r hr missed LV LS hLV hLS hle hlen) as hex. cbv zeta in hex.
    pose proof (F_nonneg S h g a laws F hF v hv) as hF0. set (t := r + F v) in *. assert (ht : r <= t) by (unfold t; lia).
    pose proof (met_before_until S h F v r t met (Z.le_refl _)) as hmet. pose proof (cb_here hD) as here.
    pose proof (others_total S h lg g a laws p v hv D r t t) as htot. set (W := seen_work g r t (seen_others S g v D r)) in *.
    assert (hdone : done_meanwhile S a full F lim v (F v) p 1 (jobs_by h t) (fun r' => r - r') r W).
    { replace (F v) with (t - r) by (unfold t; ring).
      apply (others_in_window S h wf lg g a laws full hfull p v hv D here r hr t ht F t ltac:(lia) hmet lim). intros q u r' hq hun hup hlt hwit.
      eapply within_le; [|apply (hlim q u hq hun hup)]. apply within_capped; [lia | unfold t in hlt; lia | exact hwit]. }
    assert (hzero : forall u, In u (dag_here S (dag S v) p) -> W u r = 0).
    { intros u hu. apply in_dag_here in hu. apply (others_not_own S g v D r t u). tauto. }
    rewrite htot in hex.
    assert (hall : M * in_all S v p (jobs_by h t) W <= sum I (dag S v :: other_dags S v)).
    { unfold in_all. rewrite <- sum_scale. apply sum_le. intros d hd. rewrite <- (Z.mul_1_l (I d)).
      apply (hI d hd 1 (jobs_by h t) (fun r' => r - r') r W ltac:(lia) hdone); [|exact hzero].
      apply (hknown r hr met W). intros u r' hu. now apply (others_work S h g a laws v D r t u r'). }
    cbv zeta in hsum. nia.
  Qed.

  Theorem T10m_safe g a full F v :
    keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
    (forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p) ->
    In v (nodes S) -> families_inequality S a full F v -> safe S h F v.
  Proof. intros. apply (families_safe by_periods g a full); auto. easy. Qed.

  Theorem T12m_safe T J nominal g a full F v : jittered S h T J nominal ->
    keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
    (forall p, full p = true -> of_processors S a p /\ (forall s, rate S g p s <= cap a p) /\ runs_or_waits S h g p) ->
    In v (nodes S) -> late_families_inequality S a full F T J v -> safe S h F v.
  Proof.
    intros late laws hF hless hfull hv hineq. apply (families_safe (by_nominal_instants S T J v) g a full); auto. apply (nominal_instants_known S h T J nominal late); auto. exact (F_nonneg S h g a laws F hF v hv).
  Qed.
End Safe.

(** What other jobs do as it is printed: by count or as wholes (T12's counts, T12d; T10n's and T10d's without jitter), or as in T10w or T12w, where nothing is cut. *)
Section Others.
  Context (S : system) (wf : well_formed S) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (hv : In v (nodes S)).
  Context (p : Z) (hvol : forall u, In u (on_pool S p) -> 0 <= last a u <= vol a u) (hcap : 0 <= cap a p) (hF : 0 <= F v).
  Let dags := dag S v :: other_dags S v.

  Lemma others_do_scaled known L M d I c : 0 <= c -> others_do known S a full F lim v L M p d I -> others_do known S a full F lim v L (c * M) p d (c * I).
  Proof. intros hc ho k jobs age j0 W hk hdone hkn hz. specialize (ho k jobs age j0 W hk hdone hkn hz). nia. Qed.

  Lemma by_periods_nominal k jobs age j0 W : 0 < k ->
    (forall d, In d dags -> NoDup (jobs d) /\ forall i j, In i (jobs d) -> In j (jobs d) -> i <> j -> age i + k * period S d <= age j \/ age j + k * period S d <= age i) ->
    by_nominal_instants S (period S) (fun _ => 0) v k jobs age j0 W.
  Proof.
    intros hk hjobs. exists (fun _ => age). intros d hd. split; [intros; cbv beta; lia|]. intros i j hi hj hlt. destruct (hjobs d hd) as (_ & hap).
    destruct (hap i j hi hj ltac:(intros ->; lia)); [assumption|]. pose proof (period_pos S wf v hv d hd). nia.
  Qed.

  Lemma without_jitter L M d I : others_do (by_nominal_instants S (period S) (fun _ => 0) v) S a full F lim v L M p d I -> others_do by_periods S a full F lim v L M p d I.
  Proof.
    intros ho k jobs age j0 W hk hdone _ hz. apply (ho k jobs age j0 W hk hdone); [|exact hz]. apply by_periods_nominal; [exact hk|]. exact (dm_jobs hdone).
  Qed.

  Theorem others_by_parts T J aged L d ps : 0 <= L -> (forall d, In d dags -> 0 < T d /\ 0 <= J d) -> In d dags ->
    (forall UI, In UI ps -> NoDup (fst UI) /\ incl (fst UI) (dag_here S d p) /\ part_at_most S a F lim v (cap a p) L T J aged (full p) d (fst UI) (snd UI)) ->
    (forall u, In u (dag_here S d p) -> exists UI, In UI ps /\ In u (fst UI)) ->
    others_do (with_ages aged S a v (by_nominal_instants S T J v)) S a full F lim v L 2 p d (sum snd ps).
  Proof.
    intros hL hT hd hparts hall k jobs age j0 W hk hdone ((at_age & hages) & hleft) hz.
    pose proof (dag_parts S wf a full F lim v hv p (cap a p) L (fun u hu => Z.le_trans _ _ _ (proj1 (hvol u hu)) (proj2 (hvol u hu))) hcap hL k hk jobs age j0 W hdone T J at_age hT
      (fun d j hd => proj1 (hages d hd) j) (fun d i j hd => proj2 (hages d hd) i j) aged hleft d ps hd eq_refl hparts hall) as hp.
    etransitivity; [|exact hp]. apply Z.mul_le_mono_nonneg_l; [lia|]. unfold jobs_beside. destruct (Z.eqb_spec d (dag S v)) as [->|]; [|lia].
    apply sum_le. intros u hu. rewrite sum_filter. apply sum_le. intros j hj. destruct (Z.eqb_spec j j0) as [->|]; cbn [negb ind]; [rewrite hz by exact hu; lia | lia].
  Qed.

  Lemma others_without_ages known L M d I : others_do (with_ages (fun _ => None) S a v known) S a full F lim v L M p d I -> others_do known S a full F lim v L M p d I.
  Proof. intros ho k jobs age j0 W hk hdone hkn hz. apply (ho k jobs age j0 W hk hdone); [|exact hz]. split; [exact hkn|]. intros. discriminate. Qed.

  Context (hfull : full p = true) (hproc : of_processors S a p).

  Lemma runs_beside l k jobs age j0 W : path S l v -> 0 < k -> done_meanwhile S a full F lim v (F v) p k jobs age j0 W ->
    (forall u, In u (dag_here S (dag S v) p) -> W u j0 = 0) -> runs_meanwhile S a full F lim v l p k (k * F v) jobs age j0 W.
  Proof.
    intros hl hk hdone hz. constructor; [exact hdone | | |].
    - intros u hu hne. elim hne. now apply hz.
    - intros u hu hup. destruct (path_nodes S l v wf hv hl u hu) as (hun & hud). assert (hin : In u (dag_here S (dag S v) p)) by (apply in_dag_here; auto).
      rewrite (hz u hin). specialize (hvol u ltac:(apply in_on_pool; auto)). nia.
    - intros hf c d j hd hc hin hj.
      assert (hFU : exists FU, forall u, In u c -> F u <= FU).
      { clear. induction c as [|u c (FU & IH)]; [exists 0; easy|]. exists (Z.max (F u) FU). intros u' [<-|hu]; [lia | specialize (IH u' hu); lia]. }
      destruct hFU as (FU & hFU). etransitivity; [apply (dm_chain hdone hf c d j FU hd hc ltac:(auto) hj)|]. unfold overlap. nia.
  Qed.

  Theorem late_others_by_windows T J M d cs FC FD I : 0 < M -> In d dags -> 0 < T d -> chains_here S d p cs ->
    (forall c u, In c cs -> In u c -> F u <= FC c) -> (forall u, In u (dag_here S d p) -> F u <= FD) ->
    (forall k, 0 < k -> exists g : Z -> Z,
       (forall x x', x - k * J d <= x' <= x -> job_in_window F lim (vol a) (cap a p) cs FC FD k (k * F v) (F v) x' <= g x) /\
       if d =? dag S v then forall z xs, 0 <= z <= k * J d -> pattern (k * T d) (z :: xs) -> M * sum g xs <= k * I
       else forall xs, pattern (k * T d) xs -> M * sum g xs <= k * I) ->
    others_do (by_nominal_instants S T J v) S a full F lim v (F v) M p d I.
  Proof.
    intros hM hd hT hcs hFC hFD hg k jobs age j0 W hk hdone (at_age & hages) hz. destruct (hg k hk) as (g & hg1 & hg2).
    destruct (path_exists S v wf hv) as (l & hl). pose proof (runs_beside l k jobs age j0 W hl hk hdone hz) as hrun.
    assert (hap : forall d i j, In d dags -> In i (jobs d) -> In j (jobs d) -> i <> j -> at_age d i + k * T d <= at_age d j \/ at_age d j + k * T d <= at_age d i).
    { intros d' i j hd'. destruct (hages d' hd') as (_ & h5). now apply (nominal_ages_apart S wf a full F lim v l p k (k * F v) jobs age j0 W). }
    assert (hjob : forall j, In j (jobs d) -> job_in_window F lim (vol a) (cap a p) cs FC FD k (k * F v) (F v) (age j) <= g (at_age d j)).
    { intros j hj. destruct (hages d hd) as (h5 & _). specialize (h5 j hj). apply hg1. lia. }
    assert (hfloor : forall x, M * x <= k * I <-> x <= k * I / M).
    { intros x. split; [apply Z.div_le_lower_bound; lia|]. intros hx. pose proof (Z.mul_div_le (k * I) M hM). nia. }
    apply hfloor. destruct (Z.eqb_spec d (dag S v)) as [hdv|hdv].
    - pose proof (own_dag_fits S wf a full F lim v l p hfull k (k * F v) hk ltac:(nia) jobs age j0 W hrun T at_age hap d hd cs FC FD (k * I / M) g hT hcs hFC hFD hjob hdv) as hown.
      rewrite (sum_zero (fun u => W u j0)) in hown by (rewrite hdv; exact hz). apply hown. intros xs hpat. apply hfloor. apply (hg2 (at_age d j0)); [|exact hpat].
      destruct (hages d hd) as (h5 & _). destruct (dm_own hdone) as (hj0 & hage). rewrite hdv in *. specialize (h5 j0 hj0). lia.
    - apply (other_dag_fits S wf a full F lim v l p hfull k (k * F v) hk ltac:(nia) jobs age j0 W hrun T at_age hap d hd cs FC FD (k * I / M) g); auto. intros xs hpat. apply hfloor. now apply hg2.
  Qed.

  (** Without jitter: f_d itself, over all release patterns. *)
  Theorem others_by_windows M d cs FC FD I : 0 < M -> In d dags -> chains_here S d p cs ->
    (forall c u, In c cs -> In u c -> F u <= FC c) -> (forall u, In u (dag_here S d p) -> F u <= FD) ->
    (forall k xs, 0 < k -> pattern (k * period S d) (if d =? dag S v then 0 :: xs else xs) ->
       M * sum (job_in_window F lim (vol a) (cap a p) cs FC FD k (k * F v) (F v)) xs <= k * I) ->
    others_do by_periods S a full F lim v (F v) M p d I.
  Proof.
    intros hM hd hcs hFC hFD hX. apply without_jitter. apply (late_others_by_windows (period S) (fun _ => 0) M d cs FC FD I); auto; [now apply (period_pos S wf v hv)|].
    intros k hk. exists (job_in_window F lim (vol a) (cap a p) cs FC FD k (k * F v) (F v)). split.
    - intros x x' hx. replace x' with x by lia. lia.
    - destruct (d =? dag S v); [|intros xs hpat; now apply hX]. intros z xs hz hpat. apply hX; [exact hk|]. now replace z with 0 in hpat by lia.
  Qed.
End Others.
