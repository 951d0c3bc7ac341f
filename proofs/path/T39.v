(** T39: what is left on one pool of processors, FIFO or preemptive GEL by DAG, of all DAGs. Just before the pool was last worked on by fewer than c
    processors, x before the release, a node of an older job that has not ended has an unfinished ancestor on another pool, which ends within its F,
    or descends from one of c - 1 that run there. docs/theory/upstream.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w path.T10v
  path.LeftOver path.Started path.Visit path.T10f local.Core local.Timely.

(** On GEL pools a job of DAG d that is y older than the path's counts if its point is no later, and one that is younger if some node of the path may
    wait so long. *)
Definition may_precede (S : system) (F : node -> Z) (point : Z -> Z) (v : node) (p d y : Z) : Prop :=
  order_of S p = Fifo \/ (- y <= point (dag S v) - point d /\ (0 <= y \/ exists q, ancestor_or_self S q v /\ pool S q = p /\ - y <= F q)).

(** Whether an ancestor of u elsewhere may be unfinished when its job is z old: [phi u] is the largest F of these. *)
Definition held_back (phi : node -> option Z) (u : node) (z : Z) : bool := match phi u with None => false | Some e => z <=? e end.

(** What jobs of ages ys do, at most: those that are x old or older what is left of them. *)
Definition left_or_new (a : accounts) (phi : node -> option Z) (us : list node) (job : Z -> Z) (x y : Z) : Z :=
  if y <=? x then job y else sum (fun u => ind (held_back phi u (y - x)) * vol a u) us.

(** What T39 asks of a pool, and the work W that path l to v may meet there. *)
Record upstream (S : system) (a : accounts) (F : node -> Z) (v : node) (l : list node) (p : Z) (W : Z) : Type := {
  up_point : Z -> Z;                 (* Y, of a DAG *)
  up_busy : Z;                       (* c *)
  up_phi : node -> option Z;
  up_below : node -> node -> bool;   (* D: what descends from a node on the pool alone *)
  up_carry : Z;
  up_job : Z -> Z -> Z;              (* f_d(y) *)
  up_most : Z -> Z -> Z;             (* H_d(x) *)
  up_order : order_of S p = Fifo \/ exists Y, order_of S p = Gel Y /\ lagging a p = 0 /\ forall u, In u (on_pool S p) -> Y u = up_point (dag S u);
  up_busy_range : 0 <= up_busy <= cap a p;
  up_volume : forall u, In u (on_pool S p) -> 0 <= vol a u;
  up_phi_of : forall g u, In u (on_pool S p) -> ancestor S g u -> pool S g <> p -> exists e, up_phi u = Some e /\ F g <= e;
  up_below_of : forall q u, In q (on_pool S p) -> In u (on_pool S p) -> ancestor_or_self S q u ->
    (forall g, ancestor S q g -> ancestor S g u -> pool S g = p) -> up_below q u = true;
  up_carry_nonneg : 0 <= up_carry;
  (* c - 1 nodes, of each as many as may be unfinished at once, with what descends from them on the pool alone *)
  up_carry_covers : forall n, (forall q, In q (on_pool S p) -> 0 <= n q <= Z.max 0 (cdiv (F q) (period S (dag S q)))) -> sum n (on_pool S p) <= up_busy - 1 ->
    sum (fun q => n q * sum (fun u => ind (up_below q u) * vol a u) (on_pool S p)) (on_pool S p) <= up_carry;
  (* a whole job; on FIFO pools of one that is released -y later the nodes that are ready before one of the path, one of each chain for each of these *)
  up_job_whole : forall d y, In d (dag S v :: other_dags S v) -> may_precede S F up_point v p d y -> 0 <= y \/ order_of S p <> Fifo ->
    sum (vol a) (dag_here S d p) <= up_job d y;
  up_job_later : forall d y, In d (dag S v :: other_dags S v) -> y < 0 -> order_of S p = Fifo -> exists cs best, chains_here S d p cs /\
    (forall c s, In c cs -> NoDup s -> incl s c -> Z.of_nat (length s) <= Z.of_nat (length (filter (fun q => - y <=? ready_bound S F q) (here S p l))) ->
       sum (vol a) s <= best c) /\ sum best cs <= up_job d y;
  (* the most over release patterns; of v's own DAG one of the ages is 0 *)
  up_most_others : forall d x ys, In d (other_dags S v) -> 0 <= x -> pattern (period S d) ys -> (forall y, In y ys -> may_precede S F up_point v p d y) ->
    sum (left_or_new a up_phi (dag_here S d p) (up_job d) x) ys <= up_most d x;
  up_most_own : forall x ys, 0 <= x -> pattern (period S (dag S v)) (0 :: ys) -> (forall y, In y ys -> may_precede S F up_point v p (dag S v) y) ->
    up_job (dag S v) 0 + sum (left_or_new a up_phi (dag_here S (dag S v) p) (up_job (dag S v)) x) ys <= up_most (dag S v) x;
  up_work : forall x, 0 <= x -> up_carry + sum (fun d => up_most d x) (dag S v :: other_dags S v) - up_busy * x <= W;
}.

Arguments up_point {S a F v l p W}.
Arguments up_busy {S a F v l p W}.
Arguments up_phi {S a F v l p W}.
Arguments up_below {S a F v l p W}.
Arguments up_carry {S a F v l p W}.
Arguments up_job {S a F v l p W}.
Arguments up_most {S a F v l p W}.
Arguments up_order {S a F v l p W}.
Arguments up_busy_range {S a F v l p W}.
Arguments up_volume {S a F v l p W}.
Arguments up_phi_of {S a F v l p W}.
Arguments up_below_of {S a F v l p W}.
Arguments up_carry_nonneg {S a F v l p W}.
Arguments up_carry_covers {S a F v l p W}.
Arguments up_job_whole {S a F v l p W}.
Arguments up_job_later {S a F v l p W}.
Arguments up_most_others {S a F v l p W}.
Arguments up_most_own {S a F v l p W}.
Arguments up_work {S a F v l p W}.

(** What waiting on pool p is bounded by: W less the nodes of the path there and those that descend from v. *)
Definition upstream_bound (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (v : node) (l : list node) (p X : Z) : Prop :=
  full p = true /\ exists W after, inhabited (upstream S a F v l p W) /\ NoDup after /\ (forall u, In u after -> In u (on_pool S p) /\ ancestor S v u) /\
    W - sum (vol a) after - sum (vol a) (here S p l) <= X.

Section Left.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h) (g : progress) (a : accounts) (laws : keeps_laws S h g a).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true) (met : met_before S h F v r).
  Let t := r + F v.
  Context (missed : done h v r t = false).
  Context (l : list node) (x : node) (hl : path S l x) (hx : ancestor_or_self S x v).
  Context (cover : forall s, r <= s <= t -> exists y, In y l /\ pending S h y r s = true).
  Context (l' : list node) (hl' : path S l' v) (hincl : incl l l').
  Context (p W : Z) (U : upstream S a F v l' p W) (hproc : of_processors S a p) (hruns : runs_or_waits S h g p).

  Let c := up_busy U.
  Let Y := up_point U.
  Let phi := up_phi U.
  Let below := up_below U.
  Let psi (u : node) (r' : Z) : bool := match order_of S p with Gel _ => r' + Y (dag S u) <=? r + Y (dag S v) | _ => true end.
  Let all := fun (_ : node) (_ _ : Z) => true.
  Let works_all : forall u r t, In u (nodes S) -> 0 < work g u r t -> all u r t = true := fun _ _ _ _ _ => eq_refl.
  Let first : first_busy S all F v r := or_introl eq_refl.
  Let waits_for := path_waits_for S g r l'.
  Let meanwhile (u : node) (r' : Z) : Z := sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r t).
  Let one := work_one S h g a laws p hproc.

  Lemma Fv_nonneg : 0 <= F v.
  Proof. apply (F_nonneg S h g a laws F hF v hv). Qed.

  Lemma meanwhile_is u r' : meanwhile u r' = Turns.meanwhile S g F all v r l' u r'.
  Proof. unfold Turns.meanwhile, all. now rewrite Z.add_0_r. Qed.

  (* What runs while a node of the pool waits. *)
  Lemma goes_first y q u r' s : In y (on_pool S p) -> In u (on_pool S p) -> waits g y q s = true -> 0 < work g u r' s -> order_of S p <> Fifo ->
    r' + Y (dag S u) <= q + Y (dag S y).
  Proof.
    intros hy hu hw hwk hnf. destruct (on_p S p y hy) as (hyn & hyp), (on_p S p u hu) as (hun & hup).
    destruct (up_order U) as [hf | (YN & hord & hlag & hYN)]; [contradiction|].
    pose proof (order_preemptive (nodes S) S h g a laws y q u r' s hyn hun ltac:(congruence) hun) as hb. rewrite hyp in hb.
    specialize (hb ltac:(intros z hz; now apply (on_p S p)) hlag lg hw hwk). rewrite hord in hb. cbn [before] in hb.
    rewrite (hYN u hu), (hYN y hy) in hb. exact hb.
  Qed.

  Lemma psi_busy y q s : In y (on_pool S p) -> psi y q = true -> waits g y q s = true -> cap a p <= rate_of S g p psi s.
  Proof.
    intros hy hpsi hw. destruct (on_p S p y hy) as (hyn & hyp). pose proof (law_rate laws y q s hyn hw) as hrate. rewrite hyp in hrate.
    etransitivity; [exact hrate|]. apply sum_le. intros u hu. apply sum_le. intros r' _. pose proof (one u r' s hu).
    destruct (Z.eq_dec (work g u r' s) 0) as [->|hne]; [lia|]. enough (psi u r' = true) as -> by (cbn [ind]; lia).
    unfold psi in *. destruct (order_of S p) eqn:hord; auto. apply Z.leb_le in hpsi. apply Z.leb_le.
    pose proof (goes_first y q u r' s hy hu hw ltac:(lia) ltac:(rewrite hord; discriminate)). lia.
  Qed.

  Section Since.
    (* From t0 to r at least c processors run Psi; just before fewer did. *)
    Context (t0 : Z) (ht0 : 0 <= t0 <= r) (hbusy : forall s, t0 <= s < r -> c <= rate_of S g p psi s).
    Context (hend : t0 = 0 \/ rate_of S g p psi (t0 - 1) < c).

    Let counts (u : node) (r' s : Z) : bool := if s <? r then psi u r' else waits_for u r' s.
    Let V (u : node) (r' : Z) : Z := sum (fun s => ind (counts u r' s) * work g u r' s) (range t0 t).

    Lemma V_split u r' : V u r' = sum (fun s => ind (psi u r') * work g u r' s) (range t0 r) + meanwhile u r'.
    Proof.
      unfold V, meanwhile. pose proof Fv_nonneg. rewrite (sum_range_split _ t0 r t) by (unfold t; lia). f_equal; apply sum_eq; intros s hs; rewrite in_range in hs;
        unfold counts; [rewrite (proj2 (Z.ltb_lt s r)) by lia | rewrite (proj2 (Z.ltb_ge s r)) by lia]; reflexivity.
    Qed.

    Lemma V_range u r' : In u (on_pool S p) -> 0 <= V u r' <= vol a u.
    Proof.
      intros hu. split.
      - apply sum_nonneg. intros s _. pose proof (one u r' s hu). pose proof (ind_range (counts u r' s)). nia.
      - etransitivity; [|apply (law_vol laws u r' t0 t); now apply (on_p S p)]. apply sum_le. intros s _. pose proof (one u r' s hu).
        pose proof (ind_range (counts u r' s)). nia.
    Qed.

    Lemma V_facts u r' : In u (on_pool S p) -> V u r' <> 0 ->
      released h (dag S u) r' = true /\ 0 <= r' <= t /\ may_precede S F Y v p (dag S u) (r - r') /\ exists s, t0 <= s < t /\ 0 < work g u r' s /\ pending S h u r' s = true.
    Proof.
      intros hu hne. destruct (on_p S p u hu) as (hun & hup). pose proof (V_range u r' hu) as hV. assert (hpos : 0 < V u r') by lia.
      apply sum_pos_in in hpos. destruct hpos as (s & hs & hpos). rewrite in_range in hs. cbv beta in hpos.
      destruct (counts u r' s) eqn:hcnt; cbn [ind] in hpos; [|lia].
      pose proof (law_pending laws u r' s hun ltac:(lia)) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & hr').
      split; [exact hrel|]. split; [lia|]. split; [|exists s; repeat split; auto; lia].
      destruct (up_order U) as [hf|hgel]; [now left | right]. unfold counts in hcnt. destruct (Z.ltb_spec s r) as [hlt|hge].
      - split; [|left; lia]. unfold psi in hcnt. destruct hgel as (YN & hord & _). rewrite hord in hcnt. apply Z.leb_le in hcnt. lia.
      - destruct (path_waits_for_spec S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl u r' s ltac:(unfold t in *; lia) hcnt)
          as (y & hy & hyp & hyw & _ & hya).
        assert (hyn : In y (nodes S) /\ dag S y = dag S v) by (destruct (path_nodes S l' v wf hv hl' y hy); auto). destruct hyn as (hyn & hyd).
        assert (hyon : In y (on_pool S p)) by (apply in_on_pool; split; [exact hyn | congruence]).
        assert (hnf : order_of S p <> Fifo) by (destruct hgel as (YN & hord & _); rewrite hord; discriminate).
        pose proof (goes_first y r u r' s hyon hu hyw ltac:(lia) hnf) as hg. rewrite hyd in hg.
        pose proof (not_after_due S h lg F v r met y s hyn (law_waits laws y r s hyn hyw) ltac:(unfold t in *; lia)) as hdue.
        split; [lia|]. right. exists y. split; [exact hya|]. split; [congruence | lia].
    Qed.

    (* A job that is released after r: only while the path waits. *)
    Lemma V_later u r' : In u (on_pool S p) -> r < r' -> V u r' = meanwhile u r'.
    Proof.
      intros hu hlt. destruct (on_p S p u hu) as (hun & _). rewrite V_split, sum_zero; [lia|]. intros s hs. rewrite in_range in hs.
      rewrite (no_work_unless_pending _ S h g a laws u r' s hun); [lia|]. destruct (pending S h u r' s) eqn:hp; [|reflexivity].
      pose proof (pending_released S h lg u r' s hp). lia.
    Qed.

    Lemma V_own u : In u (on_pool S p) -> V u r = meanwhile u r.
    Proof.
      intros hu. destruct (on_p S p u hu) as (hun & _). rewrite V_split, sum_zero; [lia|]. intros s hs. rewrite in_range in hs.
      rewrite (no_work_unless_pending _ S h g a laws u r s hun); [lia|]. destruct (pending S h u r s) eqn:hp; [|reflexivity].
      pose proof (pending_released S h lg u r s hp). lia.
    Qed.

    (* Of the path and of what descends from v nothing runs. *)
    Lemma V_on_path u : In u (on_pool S p) -> In u l' -> V u r = 0.
    Proof.
      intros hu hul. rewrite (V_own u hu), meanwhile_is. destruct (hproc u hu) as (h1 & h2).
      pose proof (meanwhile_own S h g a wf lg laws F hF all v r hv l x hl hx cover l' hl' hincl u hul) as hm.
      pose proof (meanwhile_at_least S h g a laws F all v r l' u r (proj1 (on_p S p u hu))). lia.
    Qed.

    Lemma V_after u : In u (on_pool S p) -> ancestor S v u -> V u r = 0.
    Proof.
      intros hu ha. destruct (on_p S p u hu) as (hun & _). rewrite (V_own u hu). apply sum_zero. intros s hs. rewrite in_range in hs.
      rewrite (no_work_unless_pending _ S h g a laws u r s hun); [lia|]. destruct (pending S h u r s) eqn:hp; [|reflexivity]. exfalso.
      apply pending_spec in hp. destruct hp as (hp & _). pose proof (ancestor_done S h lg v u r s ha hp) as hd.
      rewrite (legal_done lg v r s t hd) in missed by lia. discriminate.
    Qed.

    Lemma done_before : c * (r - t0) + sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p)
      <= sum (fun u => sum (V u) (range 0 (t + 1))) (on_pool S p).
    Proof.
      pose proof Fv_nonneg.
      assert (h1 : c * (r - t0) <= sum (fun s => rate_of S g p psi s) (range t0 r)).
      { rewrite <- sum_range_const by lia. apply sum_le. intros s hs. rewrite in_range in hs. apply hbusy. lia. }
      assert (h2 : sum (fun s => rate_of S g p psi s) (range t0 r)
                <= sum (fun u => sum (fun r' => sum (fun s => ind (psi u r') * work g u r' s) (range t0 r)) (range 0 (t + 1))) (on_pool S p)).
      { etransitivity.
        - apply (sum_le _ (fun s => sum (fun u => sum (fun r' => ind (psi u r') * work g u r' s) (range 0 (t + 1))) (on_pool S p))).
          intros s hs. rewrite in_range in hs. apply sum_le. intros u hu. apply sum_range_incl; [|lia|unfold t; lia]. intros r' _.
          pose proof (one u r' s hu). pose proof (ind_range (psi u r')). nia.
        - rewrite sum_exchange. apply Z.eq_le_incl, sum_eq. intros u _. apply sum_exchange. }
      transitivity (sum (fun u => sum (fun r' => sum (fun s => ind (psi u r') * work g u r' s) (range t0 r)) (range 0 (t + 1))
                                  + sum (meanwhile u) (range 0 (t + 1))) (on_pool S p)).
      - rewrite sum_add. lia.
      - apply sum_le. intros u _. rewrite <- sum_add. apply sum_le. intros r' _. rewrite V_split. lia.
    Qed.

    Let runs := runs_there g psi t0 (fun _ => true).
    Let K (u : node) (r' : Z) : Z := sum (fun q => ind (below q u) * runs q r') (on_pool S p).

    Lemma K_nonneg u r' : 0 <= K u r'.
    Proof.
      apply sum_nonneg. intros q hq. pose proof (runs_there_nonneg S h g a laws p hproc psi t0 (fun _ => true) q r' hq) as h1. fold runs in h1.
      pose proof (ind_range (below q u)). nia.
    Qed.

    (* What is unfinished at t0 of a job that was released before. *)
    Lemma left_over u r' : In u (on_pool S p) -> r' < t0 -> V u r' <> 0 -> held_back phi u (r - r' - (r - t0)) = true \/ 1 <= K u r'.
    Proof.
      intros hu hlt hne. destruct (on_p S p u hu) as (hun & hup). destruct (V_facts u r' hu hne) as (hrel & hr' & hprec & s & hs & hwk & hp). pose proof Fv_nonneg.
      assert (hnd : done h u r' (t0 - 1) = false).
      { destruct (done h u r' (t0 - 1)) eqn:hd; [|reflexivity]. apply pending_spec in hp. destruct hp as (_ & hp).
        rewrite (legal_done lg u r' (t0 - 1) s hd) in hp by lia. discriminate. }
      destruct (some_pending S h wf r' u (t0 - 1) hun hrel ltac:(lia) hnd) as (q & hq & hpq).
      destruct (ancestor_or_self_facts S q u wf hun hq) as (hqn & hqd & _).
      (* an unfinished ancestor elsewhere *)
      assert (helse : forall g', ancestor S g' u -> pool S g' <> p -> done h g' r' (t0 - 1) = false -> held_back phi u (r - r' - (r - t0)) = true).
      { intros g' hg hgp hgd. destruct (ancestor_facts S g' u wf hun hg) as (hgn & hgdag & _). destruct (up_phi_of U g' u hu hg hgp) as (e & he & hle).
        unfold held_back. change (up_phi U u) with (phi u) in he. rewrite he. apply Z.leb_le.
        destruct (Z_le_gt_dec (r' + F g') (t0 - 1)) as [hdue|]; [|lia]. exfalso.
        rewrite (legal_done lg g' r' (r' + F g') (t0 - 1)) in hgd; [discriminate | apply met; auto; [congruence | left; unfold t in *; lia] | exact hdue]. }
      assert (hqnd : done h q r' (t0 - 1) = false) by (now apply pending_spec in hpq).
      destruct (Z.eq_dec (pool S q) p) as [hqp|hqp].
      2: { left. destruct hq as [->|hq]; [congruence|]. now apply (helse q). }
      (* what lies between *)
      assert (hbetween : forall g', ancestor S q g' -> done h g' r' (t0 - 1) = false).
      { intros g' hg. destruct (done h g' r' (t0 - 1)) eqn:hd; [|reflexivity]. pose proof (legal_ready lg g' r' _ hd) as hre.
        rewrite (ancestor_done S h lg q g' r' _ hg hre) in hqnd. discriminate. }
      destruct (held_back phi u (r - r' - (r - t0))) eqn:hheld; [now left | right].
      assert (hqon : In q (on_pool S p)) by (apply in_on_pool; auto).
      apply (one_below S h g a laws p hproc hruns psi c (proj2 (up_busy_range U)) t0 hend psi_busy (fun _ => true) below u q r'); auto.
      - lia.
      - unfold psi. destruct (order_of S p) eqn:hord; auto. destruct hprec as [hf|(h1 & _)]; [congruence|]. rewrite hqd. apply Z.leb_le. lia.
      - apply (up_below_of U q u hqon hu hq). intros g' h1 h2. destruct (Z.eq_dec (pool S g') p) as [|hne']; [assumption|]. exfalso.
        enough (false = true) by discriminate. apply (helse g' h2 hne'). now apply hbetween.
    Qed.

    Lemma carried : sum (fun u => sum (fun r' => vol a u * K u r') (range 0 t0)) (on_pool S p) <= up_carry U.
    Proof.
      apply (carried_over S h wf lg g a laws F p hproc psi c t0 hend (fun _ => true) below (up_carry U) (up_carry_nonneg U)
        (up_carry_covers U) v r met Fv_nonneg ht0).
    Qed.

    (* One job of DAG d. *)
    Lemma later_job d r' : In d (dag S v :: other_dags S v) -> r < r' -> order_of S p = Fifo ->
      sum (fun u => V u r') (dag_here S d p) <= up_job U d (r - r').
    Proof.
      intros hd hlt hord. destruct (up_job_later U d (r - r') hd ltac:(lia) hord) as (cs & best & hcs & hbest & hsum). etransitivity; [|exact hsum].
      assert (hon : forall u, In u (dag_here S d p) -> In u (on_pool S p)) by (intros u hu; apply in_dag_here in hu; apply in_on_pool; tauto).
      etransitivity; [apply (sum_by_chain S d p cs _ wf hcs); intros u hu; now apply V_range|]. apply sum_le. intros ch hch.
      destruct (proj1 hcs ch hch) as ((nd & hcmp) & hin). set (s := filter (fun u => negb (V u r' =? 0)) ch).
      transitivity (sum (fun u => V u r') s).
      { unfold s. rewrite sum_filter. apply sum_le. intros u _. destruct (Z.eqb_spec (V u r') 0) as [->|]; cbn [negb ind]; lia. }
      transitivity (sum (vol a) s).
      { apply sum_le. intros u hu. apply filter_In in hu. apply V_range, hon, hin. tauto. }
      apply (hbest ch s hch); [now apply NoDup_filter | intros u hu; apply filter_In in hu; tauto|].
      assert (hs : forall u, In u s -> In u ch /\ In u (on_pool S p) /\ exists y z, touches S g F all v r l' u r' y z).
      { intros u hu. apply filter_In in hu. destruct hu as (hu & hne). apply negb_true_iff, Z.eqb_neq in hne. pose proof (hon u (hin u hu)) as huon.
        split; [exact hu|]. split; [exact huon|]. rewrite (V_later u r' huon hlt), meanwhile_is in hne.
        exact (touched S h g a wf lg laws F hF all v r hv l x hl hx cover l' hl' hincl u r' (proj1 (on_p S p u huon)) hne). }
      apply (pigeonhole _ _ (fun u y => exists z, touches S g F all v r l' u r' y z)).
      - now apply NoDup_filter.
      - intros u hu. destruct (hs u hu) as (_ & huon & y & z & hyz). destruct (on_p S p u huon) as (hun & hup). exists y. split; [|now exists z].
        pose proof hyz as (hz & hy & hyp & hyw & hlow & hwk). apply filter_In. split; [apply filter_In; split; [exact hy | apply Z.eqb_eq; congruence]|].
        apply Z.leb_le. pose proof (path_ancestors S l' v hl' y hy) as hya. unfold horizon, all in hz.
        pose proof (limit_sound S h g a wf lg laws F v r hv met y u r' z hun (eq_sym hyp) hya ltac:(lia) hyw hwk hlow) as hlim.
        unfold limit in hlim. rewrite hyp, hup, hord in hlim. cbn [within] in hlim. lia.
      - intros u1 u2 y h1 h2 (s1 & t1) (s2 & t2). destruct (hs u1 h1) as (hc1 & ho1 & _), (hs u2 h2) as (hc2 & ho2 & _).
        destruct (on_p S p u1 ho1) as (hn1 & hp1), (on_p S p u2 ho2) as (hn2 & _). pose proof t1 as (_ & _ & hp3 & _).
        apply (one_of_a_job S h g a wf lg laws F all v r hv l' hl' u1 u2 r' y s1 s2); auto. congruence.
    Qed.

    Lemma one_job d r' : In d (dag S v :: other_dags S v) -> may_precede S F Y v p d (r - r') ->
      sum (fun u => V u r') (dag_here S d p)
      <= left_or_new a phi (dag_here S d p) (up_job U d) (r - t0) (r - r') + ind (r' <? t0) * sum (fun u => vol a u * K u r') (dag_here S d p).
    Proof.
      intros hd hprec. assert (hon : forall u, In u (dag_here S d p) -> In u (on_pool S p)) by (intros u hu; apply in_dag_here in hu; apply in_on_pool; tauto).
      assert (hvol : forall u, In u (dag_here S d p) -> 0 <= vol a u) by (intros u hu; pose proof (V_range u r' (hon u hu)); lia).
      unfold left_or_new. destruct (Z.leb_spec (r - r') (r - t0)) as [hle|hgt].
      - rewrite (proj2 (Z.ltb_ge r' t0)) by lia. cbn [ind]. rewrite Z.mul_0_l, Z.add_0_r.
        assert (hwhole : sum (fun u => V u r') (dag_here S d p) <= sum (vol a) (dag_here S d p)) by (apply sum_le; intros u hu; now apply V_range, hon).
        destruct (Z_le_gt_dec 0 (r - r')) as [h0|h0]; [etransitivity; [exact hwhole | apply (up_job_whole U); auto]|].
        destruct (up_order U) as [hf|hgel]; [apply later_job; auto; lia|]. etransitivity; [exact hwhole|]. apply (up_job_whole U); auto.
        right. destruct hgel as (YN & -> & _). discriminate.
      - rewrite (proj2 (Z.ltb_lt r' t0)) by lia. cbn [ind]. rewrite Z.mul_1_l, <- sum_add. apply sum_le. intros u hu.
        pose proof (V_range u r' (hon u hu)) as hV. pose proof (K_nonneg u r') as hK. pose proof (hvol u hu) as hv0.
        assert (0 <= vol a u * K u r') by nia. pose proof (ind_range (held_back phi u (r - r' - (r - t0)))).
        destruct (Z.eq_dec (V u r') 0) as [->|hne]; [nia|]. destruct (left_over u r' (hon u hu) ltac:(lia) hne) as [-> | h1]; cbn [ind]; nia.
    Qed.

    (* All jobs of a DAG that do anything, but for the path's own. *)
    Let does (d r' : Z) : bool := existsb (fun u => negb (V u r' =? 0)) (dag_here S d p).
    Let others (d : Z) : list Z := filter (fun r' => does d r' && negb ((d =? dag S v) && (r' =? r))) (range 0 (t + 1)).

    Lemma others_facts d r' : In r' (others d) -> released h d r' = true /\ 0 <= r' <= t /\ may_precede S F Y v p d (r - r') /\ (d = dag S v -> r' <> r).
    Proof.
      intros hr'. apply filter_In in hr'. destruct hr' as (_ & hr'). apply andb_prop in hr'. destruct hr' as (hd & hn). apply existsb_exists in hd.
      destruct hd as (u & hu & hne). apply negb_true_iff, Z.eqb_neq in hne. apply in_dag_here in hu. destruct hu as (hun & <- & hup).
      destruct (V_facts u r' ltac:(now apply in_on_pool) hne) as (h1 & h2 & h3 & _). repeat (split; [assumption|]). intros e ->.
      rewrite e, !Z.eqb_refl in hn. discriminate.
    Qed.

    Lemma others_pattern d : In d (dag S v :: other_dags S v) ->
      pattern (period S d) (if d =? dag S v then 0 :: map (fun r' => r - r') (others d) else map (fun r' => r - r') (others d)).
    Proof.
      intros hd. destruct (other_jobs_sporadic S h wf lg v hv d hd) as (hsp & hT).
      assert (hapart : forall i j, released h d i = true -> released h d j = true -> i <> j -> i + period S d <= j \/ j + period S d <= i).
      { intros i j hi hj hne. destruct (Z.lt_trichotomy i j) as [hlt|[|hlt]]; [left | contradiction | right]; now apply hsp. }
      assert (hin : forall j, In j (others d) -> released h d j = true /\ (d = dag S v -> j <> r)) by (intros j hj; destruct (others_facts d j hj) as (h1 & _ & _ & h2); auto).
      assert (nd : NoDup (map (fun r' => r - r') (others d))) by (apply FinFun.Injective_map_NoDup; [intros i j; lia | apply NoDup_filter, range_nodup]).
      assert (hap : forall y z, In y (map (fun r' => r - r') (others d)) -> In z (map (fun r' => r - r') (others d)) -> y <> z -> y + period S d <= z \/ z + period S d <= y).
      { intros y z hy hz hne. apply in_map_iff in hy, hz. destruct hy as (i & <- & hi), hz as (j & <- & hj).
        destruct (hapart i j (proj1 (hin i hi)) (proj1 (hin j hj)) ltac:(congruence)); [right | left]; lia. }
      destruct (Z.eqb_spec d (dag S v)) as [->|]; [|now split].
      assert (hwith : forall j, In j (others (dag S v)) -> period S (dag S v) <= r - j \/ r - j + period S (dag S v) <= 0).
      { intros j hj. destruct (hin j hj) as (h1 & h2). destruct (hapart r j hr h1 ltac:(intros e; now apply h2)); [right | left]; lia. }
      split.
      - constructor; [|exact nd]. intros h0. apply in_map_iff in h0. destruct h0 as (j & e & hj). destruct (hwith j hj); lia.
      - intros y z [<-|hy] [<-|hz] hne; [congruence | | | now apply hap].
        + apply in_map_iff in hz. destruct hz as (j & <- & hj). destruct (hwith j hj); lia.
        + apply in_map_iff in hy. destruct hy as (j & <- & hj). destruct (hwith j hj); lia.
    Qed.

    Let left_of_dag (d : Z) : Z := sum (fun r' => sum (fun u => vol a u * K u r') (dag_here S d p)) (range 0 t0).

    Lemma all_others d : In d (dag S v :: other_dags S v) ->
      sum (fun r' => sum (fun u => V u r') (dag_here S d p)) (others d)
      <= sum (left_or_new a phi (dag_here S d p) (up_job U d) (r - t0)) (map (fun r' => r - r') (others d)) + left_of_dag d.
    Proof.
      intros hd. pose proof Fv_nonneg. rewrite sum_map.
      transitivity (sum (fun r' => left_or_new a phi (dag_here S d p) (up_job U d) (r - t0) (r - r')
        + ind (r' <? t0) * sum (fun u => vol a u * K u r') (dag_here S d p)) (others d)).
      { apply sum_le. intros r' hr'. destruct (others_facts d r' hr') as (_ & _ & h1 & _). now apply one_job. }
      assert (hnn : forall r', 0 <= sum (fun u => vol a u * K u r') (dag_here S d p)).
      { intros r'. apply sum_nonneg. intros u hu. apply in_dag_here in hu. pose proof (V_range u r' ltac:(apply in_on_pool; tauto)). pose proof (K_nonneg u r'). nia. }
      rewrite sum_add. apply Z.add_le_mono_l. rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, NoDup_filter, range_nodup | | intros; apply hnn].
      intros r' hr'. apply filter_In in hr'. destruct hr' as (hr' & hlt). apply Z.ltb_lt in hlt. destruct (others_facts d r' hr') as (_ & h1 & _). apply in_range. lia.
    Qed.

    Context (after : list node) (nd_after : NoDup after) (hafter : forall u, In u after -> In u (on_pool S p) /\ ancestor S v u).

    (* The path's own job. *)
    Lemma own_job : sum (fun u => V u r) (dag_here S (dag S v) p) + sum (vol a) after + sum (vol a) (here S p l') <= up_job U (dag S v) 0.
    Proof.
      assert (hon : forall u, In u (dag_here S (dag S v) p) -> In u (on_pool S p)) by (intros u hu; apply in_dag_here in hu; apply in_on_pool; tauto).
      etransitivity; [|apply (up_job_whole U (dag S v) 0); [now left | | now left]].
      2: { right. fold Y. split; [lia | left; lia]. }
      set (ina := fun u : node => if in_dec Z.eq_dec u after then true else false). set (inl := fun u : node => if in_dec Z.eq_dec u l' then true else false).
      assert (ha : sum (vol a) after <= sum (fun u : node => ind (ina u) * vol a u) (dag_here S (dag S v) p)).
      { transitivity (sum (fun u : node => ind (ina u) * vol a u) after).
        - apply sum_le. intros u hu. unfold ina. destruct (in_dec Z.eq_dec u after); [cbn [ind]; lia | contradiction].
        - apply sum_incl; [exact nd_after | |].
          + intros u hu. destruct (hafter u hu) as (h1 & h2). destruct (on_p S p u h1) as (hun & hup). apply in_dag_here. split; [exact hun|].
            split; [now destruct (ancestor_facts S v u wf hun h2) as (_ & -> & _) | exact hup].
          + intros u hu. pose proof (V_range u r (hon u hu)). pose proof (ind_range (ina u)). nia. }
      assert (hb : sum (vol a) (here S p l') <= sum (fun u : node => ind (inl u) * vol a u) (dag_here S (dag S v) p)).
      { transitivity (sum (fun u : node => ind (inl u) * vol a u) (here S p l')).
        - apply sum_le. intros u hu. apply filter_In in hu. unfold inl. destruct (in_dec Z.eq_dec u l'); [cbn [ind]; lia | tauto].
        - apply sum_incl; [apply NoDup_filter, (path_nodup S l' v wf hv hl') | |].
          + intros u hu. apply filter_In in hu. destruct hu as (hu & hup). apply in_dag_here. apply Z.eqb_eq in hup.
            destruct (path_nodes S l' v wf hv hl' u hu). auto.
          + intros u hu. pose proof (V_range u r (hon u hu)). pose proof (ind_range (inl u)). nia. }
      enough (hall : sum (fun u => V u r + ind (ina u) * vol a u + ind (inl u) * vol a u) (dag_here S (dag S v) p) <= sum (vol a) (dag_here S (dag S v) p))
        by (rewrite !sum_add in hall; lia).
      apply sum_le. intros u hu. pose proof (hon u hu) as huon. pose proof (V_range u r huon) as hV. destruct (on_p S p u huon) as (hun & _). unfold ina, inl.
      destruct (in_dec Z.eq_dec u after) as [hin|]; destruct (in_dec Z.eq_dec u l') as [hul|]; cbn [ind].
      - exfalso. destruct (hafter u hin) as (_ & h1). destruct (ancestor_facts S v u wf hun h1) as (_ & _ & h2).
        destruct (ancestor_or_self_facts S u v wf hv (path_ancestors S l' v hl' u hul)) as (_ & _ & h3). lia.
      - destruct (hafter u hin) as (_ & h1). rewrite (V_after u huon h1). lia.
      - rewrite (V_on_path u huon hul). lia.
      - lia.
    Qed.

    Theorem left_and_new : c * (r - t0) + sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p) + sum (vol a) after + sum (vol a) (here S p l')
      <= up_carry U + sum (fun d => up_most U d (r - t0)) (dag S v :: other_dags S v).
    Proof.
      pose proof Fv_nonneg. pose proof (legal_start lg _ _ hr) as hr0. pose proof done_before as h1. pose proof carried as h2. pose proof own_job as h3.
      assert (hdags : forall f : node -> Z, sum f (on_pool S p) = sum (fun d => sum f (dag_here S d p)) (dag S v :: other_dags S v)).
      { intros f. unfold on_pool. rewrite sum_filter, (sum_by_dag S v _ hv). cbn [sum]. unfold dag_here. f_equal; [now rewrite sum_filter|].
        apply sum_eq. intros d _. now rewrite sum_filter. }
      rewrite (hdags (fun u => sum (V u) (range 0 (t + 1)))) in h1.
      rewrite (hdags (fun u => sum (fun r' => vol a u * K u r') (range 0 t0))) in h2.
      assert (hleft : forall d, sum (fun u => sum (fun r' => vol a u * K u r') (range 0 t0)) (dag_here S d p) = left_of_dag d)
        by (intros d; unfold left_of_dag; apply (sum_exchange (fun u r' => vol a u * K u r'))).
      rewrite (sum_eq _ left_of_dag) in h2 by (intros d _; apply hleft).
      assert (hjobs : forall d, sum (fun u => sum (V u) (range 0 (t + 1))) (dag_here S d p)
                = (if d =? dag S v then sum (fun u => V u r) (dag_here S d p) else 0) + sum (fun r' => sum (fun u => V u r') (dag_here S d p)) (others d)).
      { intros d. rewrite (sum_exchange (fun u r' => V u r')). unfold others. rewrite sum_filter.
        assert (hd0 : forall r', does d r' = false -> sum (fun u => V u r') (dag_here S d p) = 0).
        { intros r' hd. apply sum_zero. intros u hu. destruct (Z.eq_dec (V u r') 0) as [|hne]; [assumption|]. exfalso.
          enough (does d r' = true) by congruence. apply existsb_exists. exists u. split; [exact hu|]. now apply negb_true_iff, Z.eqb_neq. }
        destruct (Z.eqb_spec d (dag S v)) as [->|hne].
        - rewrite (sum_split_one (fun r' => r' =? r)). f_equal.
          + rewrite (sum_unique _ _ r); [rewrite Z.eqb_refl; cbn [ind]; lia | apply range_nodup | apply in_range; unfold t; lia
              | intros r' _ hne'; rewrite (proj2 (Z.eqb_neq r' r) hne'); cbn [ind]; lia].
          + apply sum_eq. intros r' _. cbn [andb]. destruct (does (dag S v) r') eqn:hd; cbn [andb]; [reflexivity|]. rewrite (hd0 r' hd). lia.
        - rewrite Z.add_0_l. apply sum_eq. intros r' _. cbn [andb negb]. rewrite andb_true_r. destruct (does d r') eqn:hd; cbn [ind]; [lia|]. rewrite (hd0 r' hd). lia. }
      cbn [sum] in *. rewrite (hjobs (dag S v)), Z.eqb_refl in h1.
      pose proof (all_others (dag S v) (or_introl eq_refl)) as h4. pose proof (others_pattern (dag S v) (or_introl eq_refl)) as h5. rewrite Z.eqb_refl in h5.
      assert (hmay : forall d y, In y (map (fun r' => r - r') (others d)) -> may_precede S F Y v p d y).
      { intros d y hy. apply in_map_iff in hy. destruct hy as (r' & <- & hr'). now destruct (others_facts d r' hr') as (_ & _ & h6 & _). }
      pose proof (up_most_own U (r - t0) _ ltac:(lia) h5 (hmay (dag S v))) as h6. fold phi in h6.
      assert (h7 : sum (fun d => sum (fun u => sum (V u) (range 0 (t + 1))) (dag_here S d p)) (other_dags S v)
                <= sum (fun d => up_most U d (r - t0) + left_of_dag d) (other_dags S v)).
      { apply sum_le. intros d hd. rewrite (hjobs d). assert (hne : (d =? dag S v) = false) by (apply filter_In in hd; destruct hd as (_ & hd); now apply negb_true_iff in hd).
        rewrite hne, Z.add_0_l. etransitivity; [apply all_others; now right|]. apply Z.add_le_mono_r.
        pose proof (others_pattern d (or_intror hd)) as h8. rewrite hne in h8. exact (up_most_others U d (r - t0) _ hd ltac:(lia) h8 (hmay d)). }
      rewrite sum_add in h7. change (sum (fun d => left_of_dag d) (other_dags S v)) with (sum left_of_dag (other_dags S v)) in h7. lia.
    Qed.
  End Since.

  Theorem upstream_bounds after : NoDup after -> (forall u, In u after -> In u (on_pool S p) /\ ancestor S v u) ->
    sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p) <= W - sum (vol a) after - sum (vol a) (here S p l').
  Proof.
    intros nd hafter. pose proof (legal_start lg _ _ hr) as hr0.
    destruct (last_failure (fun s => c <=? rate_of S g p psi s) 0 r hr0) as (t0 & ht0 & hbusy & hend).
    pose proof (left_and_new t0 ht0 ltac:(intros s hs; apply Z.leb_le; now apply hbusy)
      ltac:(destruct hend as [|hend]; [now left | right; now apply Z.leb_gt]) after nd hafter) as h1.
    pose proof (up_work U (r - t0) ltac:(lia)) as h2. fold c in h2. lia.
  Qed.
End Left.

(** T39's inequality for node v: on some pools of each path W, on the others what T10a, T30 or T10f count. *)
Definition upstream_inequality (S : system) (a : accounts) (full : Z -> bool) (whole : rules) (F : node -> Z) (v : node) : Prop :=
  under_way_with (upstream_bound S a full F v) S a whole F v.

Theorem T39_safe S h g a busy full whole F v :
  well_formed S -> legal S h -> keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
  (forall p, full p = true -> of_processors S a p /\ runs_or_waits S h g p) -> rules_hold S h g a whole ->
  In v (nodes S) -> upstream_inequality S a full whole F v -> safe S h F v.
Proof.
  intros wf lg laws hbusy hF hless hfull hwhole hv. apply (under_way_safe S h g a busy whole); auto.
  intros r l x l' hr met missed hl hx cover hl' hincl p X (hf & W & after & [U] & nd & hafter & hle). destruct (hfull p hf) as (h1 & h2).
  etransitivity; [|exact hle]. exact (upstream_bounds S h wf lg g a laws F hF v r hv hr met missed l x hl hx cover l' hl' hincl p W U h1 h2 after nd hafter).
Qed.
