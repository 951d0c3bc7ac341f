(** T11j and T12j, form (6): one processor under fixed priorities with preemption, by busy intervals. docs/theory/fixed-priority.md, "T11j";
    docs/theory/jitter.md, "T12j". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import pools.Platform pools.Busy path.Walk path.Inequality local.Timely local.T11j Ticks.

(** What (6) counts of u, as urgent as v or more: jobs that come before z where u goes before v whenever it is ready, else those that are ready by
    then. T are nominal periods, J the jitter. *)
Definition busy_count (S : system) (T J : Z -> Z) (A : node -> Z) (v u : node) (x z : Z) : Z :=
  let d := dag S u in
  if first_always S v u then cdiv (z + (A u + J d)) (T d)
  else if (u =? v) && (J d =? 0) then x / T d + 1 + A v / T d
  else (x + (A u + J d)) / T d + 1.

(** F_v >= A_v + z - x for all x and some z that is no less than all that is counted. *)
Definition busy_inequality (S : system) (T J : Z -> Z) (C A : node -> Z) (v : node) (F : Z) : Prop := forall x, 0 <= x -> exists z, 0 < z /\
  sum (fun u => ind (as_urgent S v u) * (busy_count S T J A v u x z * (if u =? v then Z.max 1 (C u) else C u))) (on_pool S (pool S v)) <= z /\ A v + z - x <= F.

Section OneProcessor.
  Context (S : system) (h : history) (P : platform) (ex : execution) (wf : well_formed S) (sp : sound_platform S P) (so : system_obeys S h P ex).
  Context (hends : ends_when_run S h P ex).
  Context (T J : Z -> Z) (nominal : Z -> Z -> Z) (hj : jittered S h T J nominal) (hT : forall u, In u (nodes S) -> 0 < T (dag S u)).
  Let C := length_of P.
  Let lg := so_legal so.
  Context (F : node -> Z) (F0 : forall u, In u (nodes S) -> 0 <= F u).
  Let A := ready_bound S F.
  Context (v : node) (hv : In v (nodes S)) (hkind : kind_of P (pool S v) = Processors 1).
  Context (hord : exists pi, order_of S (pool S v) = Fixed pi \/ order_of S (pool S v) = FixedAny pi).
  Let p := pool S v.
  Let ob : processors_obey S h P ex p 1.
  Proof. pose proof (so_pools so p) as h0. unfold pool_obeys in h0. unfold p in *. rewrite hkind in h0. exact h0. Defined.

  Lemma as_urgent_before u r' w q : as_urgent S v w = true -> before S h (order_of S p) u r' w q -> as_urgent S v u = true.
  Proof.
    unfold as_urgent. fold p. destruct hord as (pi & [ho|ho]); fold p in ho; rewrite ho; cbn [before]; rewrite !Z.leb_le; lia.
  Qed.

  Lemma not_always u r' r : before S h (order_of S p) u r' v r -> first_always S v u = false -> ready_no_later S h u r' v r.
  Proof.
    unfold first_always. fold p. destruct hord as (pi & [ho|ho]); fold p in ho; rewrite ho; cbn [before].
    - rewrite Z.ltb_ge. intros [hb|(_ & hb)] hle; [lia | exact hb].
    - rewrite Z.leb_gt. lia.
  Qed.

  Lemma own_urgent : as_urgent S v v = true.
  Proof. unfold as_urgent. fold p. destruct hord as (pi & [ho|ho]); fold p in ho; rewrite ho; apply Z.leb_refl. Qed.

  (** Something urgent that takes time was ready before y + 1, and is left then. *)
  Let left_over (y : Z) : bool :=
    existsb (fun u => (0 <? C u) && as_urgent S v u && existsb (fun r' => ready S h u r' y && pending S h u r' (y + 1)) (range 0 (y + 1))) (on_pool S p).

  Lemma left_over_spec y : left_over y = true <-> exists u r', In u (on_pool S p) /\ 0 < C u /\ as_urgent S v u = true /\ ready S h u r' y = true /\ pending S h u r' (y + 1) = true.
  Proof.
    unfold left_over. rewrite existsb_exists. split.
    - intros (u & hu & hc). rewrite !andb_true_iff, Z.ltb_lt in hc. destruct hc as ((h1 & h2) & hex). apply existsb_exists in hex. destruct hex as (r' & _ & hc).
      apply andb_prop in hc. exists u, r'. tauto.
    - intros (u & r' & hu & h1 & h2 & h3 & h4). exists u. split; [exact hu|]. rewrite !andb_true_iff, Z.ltb_lt. split; [tauto|]. apply existsb_exists. exists r'.
      rewrite h3, h4. split; [|reflexivity]. apply ready_spec in h3. destruct h3 as (h5 & h6 & _). pose proof (legal_start lg _ _ h5). apply in_range. lia.
  Qed.

  Lemma runs_length u r' s : In u (on_pool S p) -> runs ex u r' s = true -> 0 < C u.
  Proof. intros hu hr. pose proof (run_length ob u r' s (s + 1) hu) as hl. rewrite range_one in hl. cbn [sum] in hl. rewrite hr in hl. cbn in hl. unfold C. lia. Qed.

  Lemma one_runs u r' w q s : In u (on_pool S p) -> In w (on_pool S p) -> runs ex u r' s = true -> runs ex w q s = true -> u = w /\ r' = q.
  Proof.
    intros hu hw hr hq. pose proof (run_capacity ob s) as hc. unfold running in hc.
    pose proof (pending_released S h lg u r' s (run_pending ob u r' s hu hr)) as (_ & hr0). pose proof (pending_released S h lg w q s (run_pending ob w q s hw hq)) as (_ & hq0).
    assert (hc' : sum (fun ur => ind (runs ex (fst ur) (snd ur) s)) (list_prod (on_pool S p) (range 0 (s + 1))) <= 1) by (rewrite sum_prod; exact hc).
    destruct (Z.eq_dec u w) as [e1|n1]; [destruct (Z.eq_dec r' q) as [e2|n2]; [auto|]|]; exfalso;
      (assert (h2 : sum (fun ur => ind (runs ex (fst ur) (snd ur) s)) [(u, r'); (w, q)] <= sum (fun ur => ind (runs ex (fst ur) (snd ur) s)) (list_prod (on_pool S p) (range 0 (s + 1))));
       [apply sum_incl; [constructor; [intros [e0|[]]; injection e0; congruence | constructor; [easy | constructor]] | intros y [<-|[<-|[]]]; (apply in_prod_iff; rewrite in_range; split; [assumption | lia]) | intros; apply ind_range]
       | cbn [sum fst snd] in h2; rewrite hr, hq in h2; cbn [ind] in h2; lia]).
  Qed.

  (** While something urgent is pending the processor runs what is as urgent. *)
  Lemma runs_urgent u r' s w q : In u (on_pool S p) -> In w (on_pool S p) -> as_urgent S v w = true -> pending S h w q s = true -> runs ex u r' s = true ->
    as_urgent S v u = true.
  Proof.
    intros hu hw hurg hp hr. destruct (runs ex w q s) eqn:hrw.
    - destruct (one_runs u r' w q s hu hw hr hrw) as (-> & _). exact hurg.
    - apply (as_urgent_before u r' w q hurg). exact (run_order ob w q s u r' hw hu hp hrw hr).
  Qed.

  Section Job.
    Context (r : Z) (hrel : released h (dag S v) r = true) (met : met_before S h F v r).
    Context (ra : Z) (hra : r <= ra <= r + A v) (hready : ready S h v r ra = true) (hfirst : forall s, s < ra -> ready S h v r s = false).
    Context (t0 z : Z) (ht0 : 0 <= t0 <= ra) (hz : 0 < z) (hdue : t0 + z <= r + F v).
    Context (hbusy : forall y, t0 <= y < ra -> left_over y = true) (hclear : left_over (t0 - 1) = false).
    Let x := r - t0 + A v.
    Context (hsum : sum (fun u => ind (as_urgent S v u) * (busy_count S T J A v u x z * (if u =? v then Z.max 1 (C u) else C u))) (on_pool S p) <= z).

    Let hi (u : node) : Z := if first_always S v u then t0 + z - 1 else if (u =? v) && (J (dag S u) =? 0) then r + A v else ra.
    Let counts (u : node) (r' : Z) : bool := released h (dag S u) r' && ((t0 - A u <=? r') && (r' <=? hi u)).
    Let cost (u : node) : Z := if u =? v then Z.max 1 (C u) else C u.

    Lemma late_ready u : In u (nodes S) -> releases (released h (dag S u)) (t0 - A u) (ra + 1) <= (x + (A u + J (dag S u))) / T (dag S u) + 1.
    Proof.
      intros hu. pose proof (hT u hu) as hTu. pose proof (ready_bound_nonneg S F u) as hA. fold A in hA. pose proof (late_counting_closed S h T J nominal hj u (t0 - A u) ra hu hTu) as h1.
      unfold late_releases_closed in h1. rewrite (proj2 (Z.leb_le 0 (ra - (t0 - A u)))) in h1 by lia.
      assert (hle : (ra - (t0 - A u) + J (dag S u)) / T (dag S u) <= (x + (A u + J (dag S u))) / T (dag S u)) by (apply Z.div_le_mono; unfold x; lia). lia.
    Qed.

    Lemma counted_jobs u b : In u (on_pool S p) -> sum (fun r' => ind (counts u r')) (range 0 b) <= busy_count S T J A v u x z.
    Proof.
      intros hu. apply in_on_pool in hu. destruct hu as (hu & _). pose proof (hT u hu) as hTu. pose proof (jitter_nonneg hj u hu) as hJ. pose proof (ready_bound_nonneg S F u) as hA. fold A in hA.
      assert (hcount : forall lo top, (forall r', counts u r' = true -> lo <= r' <= top) -> sum (fun r' => ind (counts u r')) (range 0 b) <= releases (released h (dag S u)) lo (top + 1)).
      { intros lo top hin. unfold releases. rewrite sum_length, <- (Z.mul_1_l (Z.of_nat _)), <- (sum_const 1).
        rewrite (sum_eq (fun _ => 1) (fun r' => ind (released h (dag S u) r'))).
        - apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range]. intros r' hr'. apply filter_In in hr'. apply in_range. specialize (hin r' (proj2 hr')). lia.
        - intros r' hr'. apply filter_In in hr'. destruct hr' as (_ & hr'). unfold counts in hr'. apply andb_prop in hr'. now rewrite (proj1 hr'). }
      assert (hin : forall r', counts u r' = true -> t0 - A u <= r' <= hi u).
      { intros r' hc. unfold counts in hc. rewrite !andb_true_iff, !Z.leb_le in hc. tauto. }
      unfold busy_count, hi in *. destruct (first_always S v u).
      - etransitivity; [apply (hcount (t0 - A u - 1 + 1) (t0 + z - 1)); intros r' hr'; specialize (hin r' hr'); lia|].
        pose proof (late_counting S h T J nominal hj u (t0 - A u - 1) (t0 + z - 1) hu hTu) as hc. replace (t0 + z - 1 - (t0 - A u - 1)) with (z + A u) in hc by ring.
        unfold late_releases in hc. rewrite (proj2 (Z.ltb_lt 0 (z + A u))) in hc by lia. now rewrite Z.add_assoc.
      - destruct (Z.eqb_spec u v) as [->|hne]; [destruct (Z.eqb_spec (J (dag S v)) 0) as [hJ0|_]|]; cbn [andb] in *.
        + etransitivity; [apply (hcount (t0 - A v) (r + A v)); exact hin|]. rewrite (releases_split _ (t0 - A v) (r + 1) (r + A v + 1)) by lia.
          pose proof (late_counting_closed S h T J nominal hj v (t0 - A v) r hu hTu) as h1. replace (r - (t0 - A v)) with x in h1 by (unfold x; ring).
          pose proof (late_counting_closed S h T J nominal hj v r (r + A v) hu hTu) as h2. rewrite (releases_split _ r (r + 1)) in h2 by lia.
          unfold releases in h2 at 1. rewrite range_one in h2. cbn [sum] in h2. rewrite hrel in h2. cbn [ind] in h2. replace (r + A v - r) with (A v) in h2 by ring.
          unfold late_releases_closed in h1, h2. rewrite hJ0 in h1, h2. rewrite !Z.add_0_r in h1. rewrite !Z.add_0_r in h2. rewrite (proj2 (Z.leb_le 0 x)) in h1 by (unfold x; lia). rewrite (proj2 (Z.leb_le 0 (A v))) in h2 by lia. lia.
        + etransitivity; [apply (hcount (t0 - A v) ra); exact hin|]. exact (late_ready v hu).
        + etransitivity; [apply (hcount (t0 - A u) ra); exact hin|]. exact (late_ready u hu).
    Qed.

    (** What runs in [t0, t0 + z), as long as J is pending from ra on. *)
    Context (hpend : forall s, ra <= s < t0 + z -> pending S h v r s = true).

    Lemma runs_counted u r' s : In u (on_pool S p) -> t0 <= s < t0 + z -> runs ex u r' s = true -> as_urgent S v u = true /\ counts u r' = true.
    Proof.
      intros hu hs hr. pose proof (run_pending ob u r' s hu hr) as hp. pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup). pose proof (pending_released S h lg u r' s hp) as (hrel' & hr').
      assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
      assert (hurg : as_urgent S v u = true).
      { destruct (Z_lt_le_dec s ra) as [hlt|hge].
        - destruct (proj1 (left_over_spec s) (hbusy s ltac:(lia))) as (w & q & hw & _ & hurg & hre & hpw). apply (runs_urgent u r' s w q hu hw hurg); [|exact hr].
          apply pending_spec in hpw. apply pending_spec. split; [exact hre|]. destruct (done h w q s) eqn:hd; [|reflexivity]. rewrite (legal_done lg w q s (s + 1) hd) in hpw by lia. destruct hpw; discriminate.
        - exact (runs_urgent u r' s v r hu hvp own_urgent (hpend s ltac:(lia)) hr). }
      split; [exact hurg|]. unfold counts. rewrite hrel'. cbn [andb]. apply andb_true_iff. rewrite !Z.leb_le. split.
      - destruct (Z_le_gt_dec (t0 - A u) r') as [|hlate]; [assumption | exfalso]. apply pending_spec in hp. destruct hp as (hre & hnd).
        pose proof (timely_while_met S h wf lg F v r u r' s met hun ltac:(lia) hre ltac:(fold A; lia)) as hsoon. fold A in hsoon.
        assert (hl : left_over (t0 - 1) = true); [|congruence]. apply left_over_spec. exists u, r'. split; [exact hu|]. split; [exact (runs_length u r' s hu hr)|]. split; [exact hurg|].
        split; [apply (ready_stays S h lg u r' (r' + A u)); [exact hsoon | lia]|]. apply pending_spec. replace (t0 - 1 + 1) with t0 by ring.
        split; [apply (ready_stays S h lg u r' (r' + A u)); [exact hsoon | lia]|]. destruct (done h u r' t0) eqn:hd; [|reflexivity]. rewrite (legal_done lg u r' t0 s hd) in hnd by lia. discriminate.
      - unfold hi. destruct (first_always S v u) eqn:hfa; [lia|]. assert (hle : r' <= ra).
        { destruct (Z_lt_le_dec s ra) as [hlt|hge]; [lia|]. destruct (runs ex v r s) eqn:hrv.
          - destruct (one_runs u r' v r s hu hvp hr hrv) as (-> & ->). lia.
          - pose proof (run_order ob v r s u r' hvp hu (hpend s ltac:(lia)) hrv hr) as hb. pose proof (not_always u r' r hb hfa ra hready) as hre. apply ready_spec in hre. lia. }
        destruct ((u =? v) && (J (dag S u) =? 0)); lia.
    Qed.

    (** One of the counted jobs has not had all that counts of it: then less than z is done, although the processor is busy. *)
    Lemma too_little u1 r1 : In u1 (on_pool S p) -> as_urgent S v u1 = true -> counts u1 r1 = true -> 0 <= r1 < t0 + z ->
      sum (fun s => ind (runs ex u1 r1 s)) (range t0 (t0 + z)) <= cost u1 - 1 -> False.
    Proof.
      intros hu1 hurg1 hc1 hr1 hless. set (run := fun u r' => sum (fun s => ind (runs ex u r' s)) (range t0 (t0 + z))) in *.
      assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
      assert (hall : z <= sum (fun u => sum (run u) (range 0 (t0 + z))) (on_pool S p)).
      { transitivity (sum (fun s => running S ex p s) (range t0 (t0 + z))).
        - transitivity (sum (fun _ => 1) (range t0 (t0 + z))); [rewrite sum_range_const; lia|]. apply sum_le. intros s hs. rewrite in_range in hs.
          assert (hcase : exists w q, In w (on_pool S p) /\ pending S h w q s = true).
          { destruct (Z_lt_le_dec s ra) as [hlt|hge]; [|exists v, r; split; [exact hvp | apply hpend; lia]].
            destruct (proj1 (left_over_spec s) (hbusy s ltac:(lia))) as (w & q & hw & _ & _ & hre & hpw). exists w, q. split; [exact hw|].
            apply pending_spec in hpw. apply pending_spec. split; [exact hre|]. destruct (done h w q s) eqn:hd; [|reflexivity]. rewrite (legal_done lg w q s (s + 1) hd) in hpw by lia. destruct hpw; discriminate. }
          destruct hcase as (w & q & hw & hp). destruct (runs ex w q s) eqn:hrw; [|exact (run_conserving ob w q s hw hp hrw)].
          pose proof (pending_released S h lg w q s hp) as (_ & hq). unfold running.
          etransitivity; [|apply (sum_in (fun u => sum (fun r' => ind (runs ex u r' s)) (range 0 (s + 1))) _ w); [intros; apply sum_nonneg; intros; apply ind_range | exact hw]].
          etransitivity; [|apply (sum_in (fun r' => ind (runs ex w r' s)) _ q); [intros; apply ind_range | apply in_range; lia]]. cbv beta. rewrite hrw. cbn. lia.
        - unfold running. rewrite (sum_exchange (fun s u => sum (fun r' => ind (runs ex u r' s)) (range 0 (s + 1)))). apply sum_le. intros u _. unfold run.
          rewrite (sum_exchange (fun r' s => ind (runs ex u r' s))). apply sum_le. intros s hs. rewrite in_range in hs. apply sum_range_incl; [intros; apply ind_range | lia | lia]. }
      assert (hcost : forall u, In u (on_pool S p) -> 0 <= C u <= cost u).
      { intros u hu. apply in_on_pool in hu. pose proof (sp_length sp u ltac:(tauto)) as hC. fold C in hC. unfold cost. destruct (u =? v); lia. }
      assert (hjob : forall u r', In u (on_pool S p) -> run u r' <= ind (as_urgent S v u) * (cost u * ind (counts u r')) - ind ((u =? u1) && (r' =? r1))).
      { intros u r' hu. specialize (hcost u hu). destruct ((u =? u1) && (r' =? r1)) eqn:hself.
        - apply andb_prop in hself. destruct hself as (h1 & h2). apply Z.eqb_eq in h1, h2. subst u r'. rewrite hurg1, hc1. cbn [ind]. change (run u1 r1 <= cost u1 - 1) in hless. lia.
        - cbn [ind]. rewrite Z.sub_0_r. destruct (Z.eq_dec (run u r') 0) as [e0|hne].
          + rewrite e0. pose proof (ind_range (as_urgent S v u)). pose proof (ind_range (counts u r')). apply Z.mul_nonneg_nonneg; [lia | apply Z.mul_nonneg_nonneg; lia].
          + assert (hpos : 0 < run u r') by (pose proof (sum_nonneg (fun s => ind (runs ex u r' s)) (range t0 (t0 + z)) ltac:(intros; apply ind_range)); unfold run in *; lia).
            apply sum_pos_in in hpos. destruct hpos as (s & hs & hpos). cbv beta in hpos. rewrite in_range in hs. destruct (runs ex u r' s) eqn:hr; [|cbn in hpos; lia].
            destruct (runs_counted u r' s hu hs hr) as (-> & ->). cbn [ind]. pose proof (run_length ob u r' t0 (t0 + z) hu) as hl. fold C in hl. unfold run. lia. }
      assert (hless' : sum (fun u => sum (run u) (range 0 (t0 + z))) (on_pool S p) <= sum (fun u => ind (as_urgent S v u) * (busy_count S T J A v u x z * cost u)) (on_pool S p) - 1).
      { transitivity (sum (fun u => ind (as_urgent S v u) * (busy_count S T J A v u x z * cost u) - sum (fun r' => ind ((u =? u1) && (r' =? r1))) (range 0 (t0 + z))) (on_pool S p)).
        - apply sum_le. intros u hu. transitivity (sum (fun r' => ind (as_urgent S v u) * (cost u * ind (counts u r')) - ind ((u =? u1) && (r' =? r1))) (range 0 (t0 + z))); [apply sum_le; intros r' _; exact (hjob u r' hu)|].
          rewrite sum_sub. apply Z.sub_le_mono_r. rewrite (sum_scale (ind (as_urgent S v u)) (fun r' => cost u * ind (counts u r'))), (sum_scale (cost u) (fun r' => ind (counts u r'))).
          pose proof (counted_jobs u (t0 + z) hu) as hcj. pose proof (ind_range (as_urgent S v u)). specialize (hcost u hu).
          apply Z.mul_le_mono_nonneg_l; [lia|]. rewrite (Z.mul_comm (busy_count S T J A v u x z)). apply Z.mul_le_mono_nonneg_l; [lia | exact hcj].
        - rewrite sum_sub. apply Z.sub_le_mono_l, Z.eq_le_incl. symmetry.
          rewrite (sum_unique _ (on_pool S p) u1); [| apply NoDup_filter, (wf_nodup wf) | exact hu1|].
          + rewrite (sum_unique _ _ r1); [rewrite !Z.eqb_refl; reflexivity | apply range_nodup | apply in_range; lia|]. intros r' _ hne. destruct (Z.eqb_spec r' r1); [contradiction|]. now rewrite andb_false_r.
          + intros u _ hne. apply sum_zero. intros r' _. destruct (Z.eqb_spec u u1); [contradiction | reflexivity]. }
      unfold cost in hless'. lia.
    Qed.
  End Job.

  Theorem one_processor_safe : busy_inequality S T J C A v (F v) -> safe S h F v.
  Proof.
    intros hineq r hrel met. destruct (done h v r (r + F v)) eqn:missed; [reflexivity | exfalso]. assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
    assert (hAF : A v <= F v) by (destruct (hineq 0 ltac:(lia)) as (z & h1 & _ & h2); lia). pose proof (ready_bound_nonneg S F v) as hA. fold A in hA.
    pose proof (ready_while_met S h wf lg F v r F0 met hv hrel hAF) as hready0. fold A in hready0. pose proof (legal_start lg _ _ hrel) as hr0.
    destruct (first_such (ready S h v r) r (r + A v) hready0 ltac:(lia)) as (ra & hra & hready & hbefore).
    assert (hfirst : forall s, s < ra -> ready S h v r s = false).
    { intros s hs. destruct (Z_le_gt_dec r s); [apply hbefore; lia|]. destruct (ready S h v r s) eqn:e0; [|reflexivity]. apply ready_spec in e0. lia. }
    destruct (last_failure left_over 0 ra ltac:(lia)) as (t0 & ht0 & hbusy & hclear0).
    assert (hclear : left_over (t0 - 1) = false).
    { destruct hclear0 as [->|hc]; [|exact hc]. destruct (left_over (0 - 1)) eqn:e0; [|reflexivity]. apply left_over_spec in e0. destruct e0 as (u & r' & _ & _ & _ & hre & _).
      apply ready_spec in hre. destruct hre as (h1 & h2 & _). pose proof (legal_start lg _ _ h1). lia. }
    destruct (hineq (r - t0 + A v) ltac:(lia)) as (z & hz & hsum & hle).
    assert (hmiss : forall s, ra <= s <= r + F v -> pending S h v r s = true).
    { intros s hs. apply pending_spec. split; [apply (ready_stays S h lg v r ra); [exact hready | lia]|]. destruct (done h v r s) eqn:hd; [|reflexivity].
      rewrite (legal_done lg v r s (r + F v) hd) in missed by lia. discriminate. }
    assert (hno : forall s, s < ra -> runs ex v r s = false).
    { intros s hs. destruct (runs ex v r s) eqn:e0; [|reflexivity]. pose proof (run_pending ob v r s hvp e0) as hp. apply pending_spec in hp. destruct hp as (hp & _). rewrite hfirst in hp by exact hs. discriminate. }
    destruct (Z_le_gt_dec (t0 + z) ra) as [hin|hout].
    - (* the busy interval goes on to ra *)
      destruct (proj1 (left_over_spec (t0 + z - 1)) (hbusy (t0 + z - 1) ltac:(lia))) as (u1 & r1 & hu1 & hC1 & hurg1 & hre1 & hp1). replace (t0 + z - 1 + 1) with (t0 + z) in hp1 by ring.
      pose proof (proj1 (in_on_pool S p u1) hu1) as (hun & hup). pose proof (pending_released S h lg u1 r1 _ hp1) as (hrel1 & hr1). pose proof hre1 as hre1'. apply ready_spec in hre1'.
      apply (too_little r hrel met ra hra hready t0 z ht0 hz ltac:(lia) hbusy hclear hsum ltac:(intros; lia) u1 r1 hu1 hurg1); [| lia |].
      + rewrite hrel1. cbn [andb]. apply andb_true_iff. rewrite !Z.leb_le. split.
        * destruct (Z_le_gt_dec (t0 - A u1) r1) as [|hlate]; [assumption | exfalso].
          pose proof (timely_while_met S h wf lg F v r u1 r1 (t0 + z - 1) met hun ltac:(lia) hre1 ltac:(fold A; lia)) as hsoon. fold A in hsoon. apply pending_spec in hp1. destruct hp1 as (_ & hnd).
          assert (hl : left_over (t0 - 1) = true); [|congruence]. apply left_over_spec. exists u1, r1. split; [exact hu1|]. split; [exact hC1|]. split; [exact hurg1|].
          split; [apply (ready_stays S h lg u1 r1 (r1 + A u1)); [exact hsoon | lia]|]. apply pending_spec. replace (t0 - 1 + 1) with t0 by ring.
          split; [apply (ready_stays S h lg u1 r1 (r1 + A u1)); [exact hsoon | lia]|]. destruct (done h u1 r1 t0) eqn:hd; [|reflexivity]. rewrite (legal_done lg u1 r1 t0 (t0 + z) hd) in hnd by lia. discriminate.
        * destruct (first_always S v u1); [lia|]. destruct ((u1 =? v) && (J (dag S u1) =? 0)); lia.
      + apply pending_spec in hp1. destruct hp1 as (_ & hnd). pose proof (hends u1 r1 t0 (t0 + z) hun hC1 hnd) as hl. rewrite hup in hl. unfold p in hl. rewrite hkind in hl. fold C in hl. destruct (u1 =? v); lia.
    - (* J is still there at t0 + z *)
      apply (too_little r hrel met ra hra hready t0 z ht0 hz ltac:(lia) hbusy hclear hsum ltac:(intros s hs; apply hmiss; lia) v r hvp own_urgent); [| lia |].
      + rewrite hrel. cbn [andb]. apply andb_true_iff. rewrite !Z.leb_le. split; [lia|]. destruct (first_always S v v); [lia|]. destruct ((v =? v) && (J (dag S v) =? 0)); lia.
      + rewrite Z.eqb_refl. pose proof (hmiss (t0 + z) ltac:(lia)) as hp1. apply pending_spec in hp1. destruct hp1 as (_ & hnd). pose proof (run_length ob v r t0 (t0 + z) hvp) as hl. fold C in hl.
        destruct (Z_le_gt_dec (C v) 0) as [h0|hpos]; [lia|]. pose proof (hends v r t0 (t0 + z) hv ltac:(fold C; lia) hnd) as hl'. rewrite hkind in hl'. fold C in hl'. lia.
  Qed.
End OneProcessor.

(** (6), in whole numbers of some unit, for schedules whose events lie at multiples of 1/k of it. *)
Theorem T12j_one_processor k S h P ex F T J nominal v :
  0 < k -> well_formed S -> sound_platform S P -> system_obeys (finer k S) h (finer_platform k P) ex -> ends_when_run (finer k S) h (finer_platform k P) ex ->
  jittered (finer k S) h (fun d => k * T d) (fun d => k * J d) nominal -> (forall u, In u (nodes S) -> 0 < T (dag S u)) ->
  (forall u, In u (nodes S) -> 0 <= F u) -> In v (nodes S) -> kind_of P (pool S v) = Processors 1 ->
  (exists pi, order_of S (pool S v) = Fixed pi \/ order_of S (pool S v) = FixedAny pi) ->
  busy_inequality S T J (length_of P) (ready_bound S F) v (F v) -> safe (finer k S) h (fun u => k * F u) v.
Proof.
  intros hk wf sp so hends hj hT F0 hv hkind (pi & hord) hineq. pose proof (well_formed_finer k hk S wf) as wf'. pose proof (sound_platform_finer k S P hk sp) as sp'.
  assert (hord' : order_of (finer k S) (pool S v) = order_of S (pool S v)) by (cbn [order_of finer]; destruct hord as [-> | ->]; reflexivity).
  apply (one_processor_safe (finer k S) h (finer_platform k P) ex wf' sp' so hends _ _ nominal hj);
    [intros u hu; specialize (hT u hu); cbn [dag finer]; nia | intros u hu; specialize (F0 u hu); nia | exact hv | exact hkind | exists pi; cbn [pool finer]; rewrite hord'; exact hord |].
  intros x hx. destruct (hineq (x / k) (Z.div_pos x k hx hk)) as (z & hz & hsum & hle). exists (k * z). split; [nia|]. split.
  - etransitivity; [|apply Z.mul_le_mono_nonneg_l; [lia | exact hsum]]. rewrite <- sum_scale. apply sum_le. intros u hu. apply in_on_pool in hu. cbn [nodes pool finer] in hu.
    pose proof (hT u ltac:(tauto)) as hTu. pose proof (ready_bound_nonneg S F u) as hA. pose proof (jitter_nonneg hj u ltac:(tauto)) as hJ. cbn [dag finer] in hJ.
    assert (hJu : 0 <= J (dag S u)) by nia. assert (hJz : (k * J (dag S u) =? 0) = (J (dag S u) =? 0)) by (apply eq_true_iff_eq; rewrite !Z.eqb_eq; nia).
    assert (hu1 : as_urgent (finer k S) v u = as_urgent S v u) by (unfold as_urgent; cbn [pool finer]; now rewrite hord').
    assert (hf1 : first_always (finer k S) v u = first_always S v u) by (unfold first_always; cbn [pool finer]; now rewrite hord').
    assert (hdiv : forall y, (x + k * y) / (k * T (dag S u)) = (x / k + y) / T (dag S u)).
    { intros y. rewrite <- Z.div_div by lia. f_equal. rewrite (Z.mul_comm k y), Z.div_add by lia. reflexivity. }
    set (c := busy_count S T J (ready_bound S F) v u (x / k) z).
    assert (hcount : busy_count (finer k S) (fun d => k * T d) (fun d => k * J d) (ready_bound (finer k S) (fun u => k * F u)) v u x (k * z) = c).
    { unfold c, busy_count. rewrite hf1, (ready_bound_finer k hk S F u), (ready_bound_finer k hk S F v). cbn [dag finer]. rewrite hJz, <- Z.mul_add_distr_l.
      destruct (first_always S v u); [rewrite <- Z.mul_add_distr_l; apply cdiv_finer; lia|]. destruct (Z.eqb_spec u v) as [->|hne]; [destruct (J (dag S v) =? 0)|]; cbn [andb].
      - rewrite Z.div_mul_cancel_l by lia. pose proof (hdiv 0) as hd. rewrite Z.mul_0_r, !Z.add_0_r in hd. now rewrite hd.
      - now rewrite hdiv.
      - now rewrite hdiv. }
    assert (hc0 : 0 <= c).
    { pose proof (Z.div_pos x k hx hk) as hxk. pose proof (Z.div_pos (x / k + (ready_bound S F u + J (dag S u))) (T (dag S u)) ltac:(lia) hTu). unfold c, busy_count.
      destruct (first_always S v u); [apply cdiv_nonneg; lia|]. destruct (Z.eqb_spec u v) as [->|]; cbn [andb]; [|lia]. destruct (J (dag S v) =? 0); [|lia].
      pose proof (Z.div_pos (x / k) _ hxk hTu). pose proof (Z.div_pos (ready_bound S F v) _ hA hTu). lia. }
    rewrite hu1, hcount. cbn [length_of finer_platform]. assert (hcost : (if u =? v then Z.max 1 (k * length_of P u) else k * length_of P u) <= k * (if u =? v then Z.max 1 (length_of P u) else length_of P u)).
    { destruct (u =? v); nia. }
    set (cost' := if u =? v then Z.max 1 (k * length_of P u) else k * length_of P u) in *. set (cost := if u =? v then Z.max 1 (length_of P u) else length_of P u) in *.
    destruct (as_urgent S v u); cbn [ind]; nia.
  - rewrite (ready_bound_finer k hk S F v). pose proof (Z.mul_div_le x k hk). nia.
Qed.

(** T11j: without jitter. *)
Theorem T11j_one_processor k S h P ex F v :
  0 < k -> well_formed S -> sound_platform S P -> system_obeys (finer k S) h (finer_platform k P) ex -> ends_when_run (finer k S) h (finer_platform k P) ex ->
  (forall u, In u (nodes S) -> 0 <= F u) -> In v (nodes S) -> kind_of P (pool S v) = Processors 1 ->
  (exists pi, order_of S (pool S v) = Fixed pi \/ order_of S (pool S v) = FixedAny pi) ->
  busy_inequality S (period S) (fun _ => 0) (length_of P) (ready_bound S F) v (F v) -> safe (finer k S) h (fun u => k * F u) v.
Proof.
  intros hk wf sp so hends. apply (T12j_one_processor k S h P ex F (period S) (fun _ => 0) (fun _ r => r)); auto; [|exact (wf_period wf)].
  pose proof (on_time (finer k S) h (so_legal so)) as hot. destruct hot as [h1 h2 h3]. constructor; [intros; lia | intros u r hu hr; specialize (h2 u r hu hr); lia | exact h3].
Qed.
