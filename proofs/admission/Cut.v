(** A schedule that is cut at an instant: it goes on as it was up to and in tick t; by t + 1 all that was released by t has ended. So what is over by t
    follows from what is proven of all schedules, even if the one that was cut obeys less after t.

    Gates: predecessors that are no nodes, and that end (open) when something else lets them: a job is admitted, a node of an earlier job has ended. A
    schedule with gates none of which has held anything back before t, cut at t, is one without gates: what a gate holds back at t ends at t, at once. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws pools.Platform pools.Busy executors.Early.

Definition gated (S : system) (gates : node -> list node) : system :=
  {| nodes := nodes S; dag := dag S; preds := fun v => gates v ++ preds S v; pool := pool S; period := period S; order_of := order_of S |}.

Lemma gated_none S : gated S (fun _ => []) = S.
Proof. destruct S. reflexivity. Qed.

(** Nothing at or before a node is pending. *)
Definition idle (G : system) (h : history) (t : Z) : history :=
  {| released := released h; done := fun v r _ => negb (pending G h v r t) |}.
Definition over (S G : system) (h : history) (t : Z) (v : node) (r : Z) : bool := ended S (idle G h t) v r t.

Definition cut (S G : system) (h : history) (t : Z) : history := {|
  released := fun d r => released h d r && (r <=? t);
  done := fun v r s => existsb (Z.eqb v) (nodes S) && (released h (dag S v) r && (r <=? t)) && (r <=? s) &&
            (if s <? t then done h v r s else if s =? t then over S G h t v r else true);
|}.

Lemma released_cut S G h t d r : released (cut S G h t) d r = true <-> released h d r = true /\ r <= t.
Proof. cbn [released cut]. rewrite andb_true_iff, Z.leb_le. reflexivity. Qed.

Definition cut_execution (e : execution) (t : Z) : execution := {|
  runs := fun v r s => runs e v r s && (s <=? t);
  block := fun v r i s => if s <=? t then block e v r i s else match block e v r i t with Waiting => Waiting | _ => Ended end;
|}.

Section Cut.
  Context (S : system) (wf : well_formed S) (gates : node -> list node) (h : history).
  Let G := gated S gates.
  Context (lg : legal G h) (t : Z).
  Context (agree : forall v r s, In v (nodes S) -> s < t -> ready S h v r s = ready G h v r s).
  Let h' := cut S G h t.

  Lemma done_cut v r s : done h' v r s = true <-> In v (nodes S) /\ released h (dag S v) r = true /\ r <= t /\ r <= s /\
    (s < t -> done h v r s = true) /\ (s = t -> over S G h t v r = true).
  Proof.
    unfold h', cut. cbn [done]. rewrite !andb_true_iff, !Z.leb_le, in_nodes. destruct (Z.ltb_spec s t) as [hlt|hge].
    - intuition lia.
    - destruct (Z.eqb_spec s t) as [->|hne]; intuition lia.
  Qed.

  Lemma ready_of_gated v r s : ready G h v r s = true -> ready S h v r s = true.
  Proof. rewrite !ready_spec. intros (h1 & h2 & h3). repeat split; auto. intros q hq. apply h3. apply in_or_app. now right. Qed.

  Lemma over_spec v r : In v (nodes S) -> over S G h t v r = true <-> pending G h v r t = false /\ forall q, In q (preds S v) -> over S G h t q r = true.
  Proof. intros hv. unfold over. rewrite (ended_spec S (idle G h t) wf v r t hv). cbn [done idle]. now rewrite negb_true_iff. Qed.

  Lemma done_over v r : In v (nodes S) -> done h v r t = true -> over S G h t v r = true.
  Proof.
    intros hv. pose proof (wf_number wf v hv) as v0. revert hv. pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0. intros v IH _ hv hd.
    apply over_spec; [exact hv|]. split; [unfold pending; now rewrite hd, andb_false_r|]. intros q hq. destruct (wf_preds wf v q hv hq) as (hqn & _ & hlt).
    pose proof (wf_number wf q hqn). apply IH; [lia | exact hqn|]. pose proof (legal_ready lg v r t hd) as hre. apply ready_of_gated, ready_spec in hre. now apply hre.
  Qed.

  Lemma done_stays_cut v r s : In v (nodes S) -> s <= t -> done h v r s = true -> done h' v r s = true.
  Proof.
    intros hv hle hd. pose proof (legal_ready lg v r s hd) as hre. apply ready_spec in hre. destruct hre as (h1 & h2 & _).
    apply done_cut. repeat split; auto; [lia|]. intros ->. now apply done_over.
  Qed.

  Lemma done_before v r s : s < t -> done h' v r s = true -> done h v r s = true.
  Proof. intros hlt hd. apply done_cut in hd. tauto. Qed.

  Lemma ready_cut_of_gated v r s : In v (nodes S) -> s <= t -> ready G h v r s = true -> ready S h' v r s = true.
  Proof.
    intros hv hle hre. apply ready_of_gated in hre. apply ready_spec in hre. destruct hre as (h1 & h2 & h3). apply ready_spec. split; [apply released_cut; split; [exact h1 | lia]|].
    split; [exact h2|]. intros q hq. destruct (wf_preds wf v q hv hq) as (hqn & _). now apply done_stays_cut, h3.
  Qed.

  Lemma ready_before v r s : In v (nodes S) -> s < t -> ready S h' v r s = ready G h v r s.
  Proof.
    intros hv hlt. apply eq_true_iff_eq. split; [|apply ready_cut_of_gated; [exact hv | lia]].
    intros hre. rewrite <- agree by assumption. apply ready_spec in hre. destruct hre as (h1 & h2 & h3). apply released_cut in h1. apply ready_spec.
    split; [tauto|]. split; [exact h2|]. intros q hq. apply done_before; auto.
  Qed.

  (** What the cut lets end at t, and what had not ended, is held back itself, or waits for something that is. *)
  Lemma held_back : forall x r', In x (nodes S) -> released h (dag S x) r' = true -> r' <= t -> done h x r' t = false -> over S G h t x r' = true ->
    exists q, In q (nodes S) /\ dag S q = dag S x /\ ready S h q r' t = true /\ ready G h q r' t = false.
  Proof.
    intros x r' hx. pose proof (wf_number wf x hx) as x0. revert hx. pattern x. apply Zlt_0_ind; [|exact x0]. clear x x0. intros x IH _ hx hr ht hnd ho.
    apply (over_spec x r' hx) in ho. destruct ho as (hnp & hpreds). destruct (ready S h x r' t) eqn:hre.
    - exists x. repeat split; auto. unfold pending in hnp. rewrite hnd in hnp. cbn [negb] in hnp. now rewrite andb_true_r in hnp.
    - unfold ready in hre. rewrite hr, (proj2 (Z.leb_le r' t) ht) in hre. cbn [andb] in hre.
      assert (exists q, In q (preds S x) /\ done h q r' t = false) as (q & hq & hqd).
      { clear -hre. induction (preds S x) as [|q l IHl]; [discriminate|]. cbn [forallb] in hre. apply andb_false_iff in hre. destruct hre as [hre|hre].
        - exists q. split; [now left | exact hre].
        - destruct (IHl hre) as (q' & h1 & h2). exists q'. split; [now right | exact h2]. }
      destruct (wf_preds wf x q hx hq) as (hqn & hqdag & hlt). pose proof (wf_number wf q hqn).
      destruct (IH q ltac:(lia) hqn ltac:(congruence) ht hqd (hpreds q hq)) as (y & h1 & h2 & h3). exists y. split; [exact h1|]. split; [congruence | exact h3].
  Qed.

  Theorem legal_cut : legal S h'.
  Proof.
    constructor.
    - intros d r hr. apply released_cut in hr. now apply (legal_start lg d r).
    - intros v hv r r' hr hr' hlt. apply released_cut in hr, hr'. now apply (legal_sporadic lg v hv).
    - intros v r s hd. apply done_cut in hd. destruct hd as (hv & hr & hrt & hrs & hb & ha). apply ready_spec. split; [apply released_cut; auto|]. split; [exact hrs|].
      intros q hq. destruct (wf_preds wf v q hv hq) as (hqn & hqd & _). apply done_cut. rewrite hqd. repeat split; auto.
      + intros hlt. pose proof (legal_ready lg v r s (hb hlt)) as hre. apply ready_of_gated, ready_spec in hre. now apply hre.
      + intros hs. apply (over_spec v r hv) in ha; [now apply ha | exact hs].
    - intros v r s s' hd hle. apply done_cut in hd. destruct hd as (hv & hr & hrt & hrs & hb & ha). apply done_cut. repeat split; auto; [lia | |].
      + intros hlt. apply (legal_done lg v r s s'); [apply hb; lia | exact hle].
      + intros ->. destruct (Z.eq_dec s t) as [e|hne]; [now apply ha|]. apply done_over; [exact hv|]. apply (legal_done lg v r s t); [apply hb; lia | exact hle].
  Qed.

  Lemma pending_cut v r s : In v (nodes S) -> s <= t -> pending S h' v r s = pending G h v r s.
  Proof.
    intros hv hle. destruct (Z.eq_dec s t) as [->|hne].
    - apply eq_true_iff_eq. split; intros hp.
      + apply pending_spec in hp. destruct hp as (hre & hnd). destruct (pending G h v r t) eqn:hpg; [reflexivity | exfalso].
        enough (done h' v r t = true) by congruence. apply ready_spec in hre. destruct hre as (h1 & h2 & h3). apply released_cut in h1. apply done_cut.
        repeat split; try tauto; [intros; lia|]. intros _. apply over_spec; [exact hv|]. split; [exact hpg|]. intros q hq. specialize (h3 q hq). apply done_cut in h3. tauto.
      + apply pending_spec. split; [apply ready_cut_of_gated; auto; apply pending_spec in hp; tauto|]. destruct (done h' v r t) eqn:hd; [exfalso | reflexivity].
        apply done_cut in hd. destruct hd as (_ & _ & _ & _ & _ & ha). specialize (ha eq_refl). apply (over_spec v r hv) in ha. destruct ha; congruence.
    - unfold pending. rewrite ready_before by (auto; lia). destruct (ready G h v r s) eqn:hre; [|reflexivity]. cbn [andb]. f_equal. apply eq_true_iff_eq.
      split; intros hd; [apply done_before in hd; auto; lia | now apply done_stays_cut].
  Qed.

  Lemma nothing_after v r s : In v (nodes S) -> t < s -> pending S h' v r s = false.
  Proof.
    intros hv hlt. destruct (pending S h' v r s) eqn:hp; [exfalso | reflexivity]. apply pending_spec in hp. destruct hp as (hre & hnd).
    enough (done h' v r s = true) by congruence. apply ready_spec in hre. destruct hre as (h1 & h2 & _). apply released_cut in h1. apply done_cut. repeat split; try tauto; intros; lia.
  Qed.

  Lemma pending_until v r s : In v (nodes S) -> pending S h' v r s = true -> s <= t /\ pending G h v r s = true.
  Proof.
    intros hv hp. destruct (Z_le_gt_dec s t) as [hle|hgt]; [|rewrite nothing_after in hp by (auto; lia); discriminate]. split; [exact hle|]. now rewrite pending_cut in hp.
  Qed.

  Lemma no_later_cut u r' v r s : In u (nodes S) -> In v (nodes S) -> s <= t -> ready G h u r' s = true ->
    ready_no_later G h u r' v r -> ready_no_later S h' u r' v r.
  Proof.
    intros hu hv hle hru hno x hx. destruct (Z_lt_le_dec x s) as [hlt|hge].
    - rewrite ready_before in hx by (auto; lia). rewrite ready_before by (auto; lia). now apply hno.
    - apply (ready_stays S h' legal_cut u r' s x); [now apply ready_cut_of_gated | exact hge].
  Qed.

  Lemma before_cut o u r' v r s : In u (nodes S) -> In v (nodes S) -> s <= t -> ready G h u r' s = true -> before G h o u r' v r -> before S h' o u r' v r.
  Proof. intros hu hv hle hru. pose proof (no_later_cut u r' v r s hu hv hle hru). destruct o; cbn [before]; intuition. Qed.

  Context (P : platform) (e : execution).
  Let e' := cut_execution e t.

  Lemma runs_cut v r s : runs e' v r s = true <-> runs e v r s = true /\ s <= t.
  Proof. unfold e', cut_execution. cbn [runs]. rewrite andb_true_iff, Z.leb_le. reflexivity. Qed.

  Lemma runs_until v r s : s <= t -> runs e' v r s = runs e v r s.
  Proof. intros hle. unfold e', cut_execution. cbn [runs]. rewrite (proj2 (Z.leb_le s t) hle). apply andb_true_r. Qed.

  Lemma block_until v r i s : s <= t -> block e' v r i s = block e v r i s.
  Proof. intros hle. unfold e', cut_execution. cbn [block]. now rewrite (proj2 (Z.leb_le s t) hle). Qed.

  Lemma block_after v r i s : t < s -> block e' v r i s = match block e v r i t with Waiting => Waiting | _ => Ended end.
  Proof. intros hlt. unfold e', cut_execution. cbn [block]. now rewrite (proj2 (Z.leb_gt s t) hlt). Qed.

  Lemma running_until p s : s <= t -> running S e' p s = running G e p s.
  Proof. intros hle. unfold running. apply sum_eq. intros u _. apply sum_eq. intros r _. now rewrite runs_until. Qed.

  Lemma running_less p s : running S e' p s <= running G e p s.
  Proof. unfold running. apply sum_le. intros u _. apply sum_le. intros r _. unfold e', cut_execution. cbn [runs]. destruct (runs e u r s), (s <=? t); cbn; lia. Qed.

  Lemma length_cut v r b c : sum (fun s => ind (runs e' v r s)) (range b c) <= sum (fun s => ind (runs e v r s)) (range b c).
  Proof. apply sum_le. intros s _. unfold e', cut_execution. cbn [runs]. destruct (runs e v r s), (s <=? t); cbn; lia. Qed.

  Lemma resident_until s x v : x <= t -> resident P e' s x v = resident P e s x v.
  Proof. intros hle. unfold resident. apply sum_eq. intros r _. apply sum_eq. intros i _. now rewrite block_until. Qed.

  Lemma kernel_waits_cut v r s : In v (nodes S) -> kernel_waits S h' P e' v r s = true <-> s <= t /\ kernel_waits G h P e v r s = true.
  Proof.
    intros hv. unfold kernel_waits. rewrite !andb_true_iff. split.
    - intros (hp & he). destruct (pending_until v r s hv hp) as (hle & hpg). split; [exact hle|]. split; [exact hpg|]. apply existsb_exists in he. apply existsb_exists.
      destruct he as (i & hi & hw). exists i. split; [exact hi|]. now rewrite block_until in hw.
    - intros (hle & hp & he). rewrite pending_cut by assumption. split; [exact hp|]. apply existsb_exists in he. apply existsb_exists.
      destruct he as (i & hi & hw). exists i. split; [exact hi|]. now rewrite block_until.
  Qed.

  Lemma pool_cut p : pool_obeys G h P e p -> pool_obeys S h' P e' p.
  Proof.
    assert (hin : forall u, In u (on_pool S p) -> In u (nodes S)) by (intros u hu; apply in_on_pool in hu; tauto).
    unfold pool_obeys. destruct (kind_of P p) as [m|m|gp] eqn:hk; intros ob.
    - constructor.
      + intros u r s hu hr. apply runs_cut in hr. destruct hr as (hr & hle). rewrite pending_cut by auto. now apply (run_pending ob).
      + intros u r b c hu. etransitivity; [apply length_cut | now apply (run_length ob)].
      + intros s. etransitivity; [apply running_less | apply (run_capacity ob)].
      + intros v r s hv hp hr. destruct (pending_until v r s (hin v hv) hp) as (hle & hpg). rewrite runs_until in hr by exact hle. rewrite running_until by exact hle.
        now apply (run_conserving ob v r s).
      + intros v r s u r' hv hu hp hr hr'. destruct (pending_until v r s (hin v hv) hp) as (hle & hpg). rewrite runs_until in hr, hr' by exact hle.
        pose proof (run_pending ob u r' s hu hr') as hpu. apply pending_spec in hpu. apply (before_cut _ u r' v r s); auto; [tauto|]. now apply (run_order ob v r s).
    - constructor.
      + intros u r s hu hr. apply runs_cut in hr. destruct hr as (hr & hle). rewrite pending_cut by auto. now apply (thread_pending ob).
      + intros u r b c hu. etransitivity; [apply length_cut | now apply (thread_length ob)].
      + intros s. etransitivity; [apply running_less | apply (thread_capacity ob)].
      + intros v r s hv hp hr. destruct (pending_until v r s (hin v hv) hp) as (hle & hpg). rewrite runs_until in hr by exact hle. rewrite running_until by exact hle.
        now apply (thread_conserving ob v r s).
      + intros u r s hu hr. apply runs_cut in hr. destruct hr as (hr & hle). pose proof (thread_pending ob u r s hu hr) as hp. apply pending_spec in hp. destruct hp as (hre & _).
        apply ready_spec in hre. destruct hre as (h1 & h2 & _). destruct (Z.eq_dec s t) as [->|hne].
        * left. apply done_cut. repeat split; auto; lia.
        * destruct (thread_runs_on ob u r s hu hr) as [hd|hr']; [left; apply done_stays_cut; auto; lia | right; apply runs_cut; split; [exact hr' | lia]].
      + intros v r s u r' hv hu hp hr hr' hr''. destruct (pending_until v r s (hin v hv) hp) as (hle & hpg). rewrite runs_until in hr, hr', hr'' by lia.
        pose proof (thread_pending ob u r' s hu hr') as hpu. apply pending_spec in hpu. apply (before_cut _ u r' v r s); auto; [tauto|]. now apply (thread_order ob v r s).
    - constructor; [constructor | |].
      + intros u r i s hu hi hb. destruct (Z_le_gt_dec s t) as [hle|hgt].
        * rewrite block_until in hb by exact hle. apply ready_cut_of_gated; auto. now apply (block_ready ob u r i s).
        * rewrite block_after in hb by lia. apply (ready_stays S h' legal_cut u r t s); [|lia]. apply ready_cut_of_gated; auto; [lia|].
          apply (block_ready ob u r i t hu hi). intros e0. rewrite e0 in hb. congruence.
      + intros u r i s m hu hi hb. destruct (Z_le_gt_dec s t) as [hle|hgt].
        * rewrite block_until in hb by exact hle. rewrite pending_cut by auto. now apply (block_sm ob u r i s m).
        * rewrite block_after in hb by lia. destruct (block e u r i t); discriminate.
      + intros u r i s m hu hi hb. destruct (Z_le_gt_dec s t) as [hle|hgt].
        * rewrite block_until in hb by exact hle. destruct (Z.eq_dec s t) as [->|hne]; [right; rewrite block_after, hb by lia; reflexivity|].
          rewrite block_until by lia. now apply (block_stays ob u r i s m).
        * rewrite block_after in hb by lia. destruct (block e u r i t); discriminate.
      + intros u r i s hu hi hb. destruct (Z_le_gt_dec s t) as [hle|hgt].
        * rewrite block_until in hb by exact hle. destruct (Z.eq_dec s t) as [->|hne]; [rewrite block_after, hb by lia; reflexivity|].
          rewrite block_until by lia. now apply (block_ended ob u r i s).
        * rewrite block_after in * by lia. exact hb.
      + intros u r s hu hp. destruct (pending_until u r s (hin u hu) hp) as (hle & hpg). destruct (kernel_ends ob u r s hu hpg) as (i & hi & hb).
        exists i. split; [exact hi|]. now rewrite block_until.
      + intros s x res hs hres. destruct (Z_le_gt_dec x t) as [hle|hgt].
        * etransitivity; [|apply (sm_fits ob s x res hs hres)]. apply Z.eq_le_incl. unfold used. apply sum_eq. intros u _. now rewrite resident_until.
        * pose proof (sm_fits ob s (-1) res hs hres) as h0. etransitivity; [|exact h0]. apply Z.eq_le_incl. unfold used. apply sum_eq. intros u _. f_equal.
          assert (hnone : resident P e s (-1) u = 0) by (unfold resident; now rewrite (range_nil 0 (-1 + 1)) by lia). rewrite hnone. unfold resident. apply sum_zero. intros r _. apply sum_zero. intros i _. rewrite block_after by lia.
          destruct (block e u r i t); reflexivity.
      + intros u r i s v r' hu hi hv hb hb' hw. apply kernel_waits_cut in hw; [|auto]. destruct hw as (hle & hw). rewrite block_until in hb, hb' by lia.
        apply (before_cut _ u r v r' s); auto; [now apply (block_ready ob u r i s)|]. now apply (queue_order ob u r i s v r').
      + intros u r i b c hu hi. etransitivity; [|apply (block_length ob u r i b c hu hi)]. apply sum_le. intros s _. unfold e', cut_execution. cbn [block].
        destruct (Z.leb_spec s t); [lia|]. pose proof (ind_range (is_on (block e u r i s))). destruct (block e u r i t); cbn; lia.
      + intros v r s hv hw. apply kernel_waits_cut in hw; [|auto]. destruct hw as (hle & hw). destruct (queue_conserving ob v r s hv hw) as (k & r' & hk' & hwk & hlow & hfull).
        exists k, r'. split; [exact hk'|]. split; [apply kernel_waits_cut; auto|]. split; [exact hlow|]. intros m hm. destruct (hfull m hm) as (res & hres & hlt). exists res. split; [exact hres|].
        unfold used in *. rewrite (sum_eq _ (fun u => resident P e m s u * demand P u res)) by (intros; now rewrite resident_until). exact hlt.
  Qed.

  Theorem cut_obeys : (forall p, pool_obeys G h P e p) -> system_obeys S h' P e'.
  Proof. intros ob. constructor; [exact legal_cut | intros p; now apply pool_cut]. Qed.

  (** What some theorems ask for besides. *)
  Theorem cut_ends_when_run : (forall p, pool_obeys G h P e p) -> ends_when_run G h P e -> ends_when_run S h' P e'.
  Proof.
    intros ob hends u r b s hu hlen hnd. specialize (ob (pool S u)). unfold pool_obeys in ob. assert (hup : In u (on_pool G (pool S u))) by now apply in_on_pool.
    assert (hrun : forall c, (forall x, runs e u r x = true -> pending G h u r x = true) -> ~ (released h (dag S u) r = true /\ r <= t) ->
      sum (fun x => ind (runs e' u r x)) (range b c) < length_of P u).
    { intros c hpend hno. rewrite sum_zero; [exact hlen|]. intros x _. destruct (runs e' u r x) eqn:hr; [exfalso | reflexivity]. apply runs_cut in hr.
      destruct hr as (hr & hle). specialize (hpend x hr). apply pending_spec in hpend. destruct hpend as (hre & _). apply ready_spec in hre. apply hno. cbn [dag gated G] in hre. intuition lia. }
    assert (hcase : ~ (released h (dag S u) r = true /\ r <= t) \/ (s <= t /\ done h u r s = false) \/ s < r).
    { destruct (released h (dag S u) r) eqn:hrel; [|left; intros (? & _); discriminate]. destruct (Z_le_gt_dec r t) as [hrt|]; [|left; lia].
      destruct (Z_le_gt_dec r s) as [hrs|]; [|right; right; lia]. right. left. destruct (Z_le_gt_dec s t) as [hle|hgt].
      - split; [exact hle|]. destruct (done h u r s) eqn:hd; [exfalso | reflexivity]. rewrite done_stays_cut in hnd by assumption. discriminate.
      - exfalso. enough (done h' u r s = true) by congruence. apply done_cut. repeat split; auto; lia. }
    assert (hearly : s < r -> (forall x, runs e u r x = true -> pending G h u r x = true) -> sum (fun x => ind (runs e' u r x)) (range b s) < length_of P u).
    { intros hlt hpend. rewrite sum_zero; [exact hlen|]. intros x hx. rewrite in_range in hx. destruct (runs e' u r x) eqn:hr; [exfalso | reflexivity]. apply runs_cut in hr.
      destruct hr as (hr & hle). specialize (hpend x hr). apply pending_spec in hpend. destruct hpend as (hre & _). apply ready_spec in hre. lia. }
    pose proof (hends u r b s hu hlen) as he. cbn [pool gated G] in he. destruct (kind_of P (pool S u)) as [m|m|gp] eqn:hk; [| | exact I].
    - destruct hcase as [hno|[(_ & hd)|hlt]]; [apply hrun; auto; intros x; now apply (run_pending ob) | | apply hearly; auto; intros x; now apply (run_pending ob)].
      specialize (he hd). pose proof (length_cut u r b s). lia.
    - destruct hcase as [hno|[(_ & hd)|hlt]]; [apply hrun; auto; intros x; now apply (thread_pending ob) | | apply hearly; auto; intros x; now apply (thread_pending ob)].
      specialize (he hd). pose proof (length_cut u r b s). lia.
  Qed.
End Cut.
