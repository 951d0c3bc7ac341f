(** T23, form (a): one visit to a FIFO.
What goes before a node in a FIFO is ready when it is: of each job one node of each chain at most, and only
    nodes whose due instants are yet to come. docs/theory/path.md, "T23". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.T10n path.Turns path.T10a path.Patterns path.FromReady.

(** T23's inequality: F_v >= A_v + w + e_v > A_v, w so large that more waiting, y units of 1/k, is more than the pool has to do meanwhile:
    - most c z: of chain c of a job that is z old at r + A_v, what any one node that is to end later does in y: kappa min(e, F - z, y),
      kappa = vol/e;
    - X d: the sum of these over all jobs of DAG d, released by then, at least T apart (of v's own DAG: and from its job, which is A_v old);
    - own c: what any one node of chain c that is beside v does in y; self: v's own pieces but the last. *)
Definition visit_inequality (S : system) (a : accounts) (F : node -> Z) (v : node) : Prop :=
  let p := pool S v in let A := ready_bound S F v in let dags := dag S v :: other_dags S v in
  exists w chains,
    order_of S p = Fifo /\ 0 <= w /\ A < F v /\ A + w + exec a v <= F v /\
    (forall d, In d dags -> chains_here S d p (chains d)) /\
    forall k y, 0 < k -> k * w < y -> exists most own self X,
      (forall d c u z W, In d dags -> In c (chains d) -> In u c -> 0 <= z < F u -> 0 <= W <= k * vol a u ->
         exec a u * W <= Z.min (k * (F u - z)) y * vol a u -> W <= most c z) /\ (forall c z, 0 <= most c z) /\
      (forall c u W, In c (chains (dag S v)) -> In u c -> beside S v u -> 0 <= W <= k * vol a u -> exec a u * W <= y * vol a u -> W
        <= own c) /\
      (forall c, 0 <= own c) /\
      (forall W, 0 <= W <= k * (vol a v - last a v) -> exec a v * W <= y * (vol a v - last a v) -> W <= self) /\
      (forall d zs, In d dags -> pattern (period S d) (if d =? dag S v then A :: zs else zs) -> (forall z, In z zs -> 0 <= z) ->
         sum (fun z => sum (fun c => most c z) (chains d)) zs <= X d) /\
      sum own (chains (dag S v)) + self + sum X dags < cap a p * y.

(** X as it is printed: fronts, sums over the chains of the most of one node, fall with the age of the job,
  and nothing is left after the end of all
    nodes. Of other DAGs they are summed at ages 0, T, 2 T, ...; of v's own at A_v + T, A_v + 2 T, ... and at 0, T, ...
    for floor(A_v/T) later
    jobs. *)
Theorem fronts_covered S F v d n zs (front : Z -> Z) :
  let T := period S d in let A := ready_bound S F v in
  0 < T -> 0 <= n -> (forall x y, 0 <= x <= y -> 0 <= front y <= front x) ->
  (forall x, (if d =? dag S v then A + T + n * T else n * T) <= x -> front x = 0) ->
  pattern T (if d =? dag S v then A :: zs else zs) -> (forall z, In z zs -> 0 <= z) ->
  sum front zs <= if d =? dag S v then sum (fun i => front (A + T + i * T)) (range 0 n) + sum (fun j => front (j * T)) (range 0 (A / T))
                  else sum (fun i => front (i * T)) (range 0 n).
Proof.
  intros T A hT hn hmono hend hpat h0. destruct (d =? dag S v).
  - apply pattern_sum_own; auto. apply ready_bound_nonneg.
  - etransitivity; [apply (pattern_sum T 0 n zs front hT hn hpat); auto|]. apply Z.eq_le_incl. apply sum_eq. intros i _. f_equal.
Qed.

Section T23.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Theorem T23_safe g a busy F v :
    keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    In v (nodes S) -> visit_inequality S a F v -> safe_with S h busy F v.
  Proof.
    intros laws hbusy hF hv (w & chains & hord & hw0 & hAF & hroom & hchains & hineq) r hr met first.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    set (p := pool S v) in *. set (A := ready_bound S F v) in *. set (t := r + F v) in *.
    pose proof (ticks S h lg F busy v r hr hAF) as (hA & hAt & hb & hr0). fold A t in hA, hAt, hb. set (b := horizon F busy v r) in *.
    set (W := in_place S g F busy v r). set (y := waiting S g F busy v r).
    pose proof (waits_more S h g a wf lg laws F hF busy hbusy v r hv hr met missed hAF w hroom) as hy. fold y in hy.
    pose proof (ready_then S h g a wf lg laws F hF busy v r hv hr met hAF) as hready. fold A in hready.
    destruct (hineq 1 y ltac:(lia) ltac:(lia)) as (most & own & self & X & hmost & hmost0 & hown & hown0 & hself & hX & hsum).
    pose proof (in_place_nonneg S h g a laws F busy v r) as hW0. fold W p in hW0.
    pose proof (in_place_volume S h g a laws F busy v r) as hWvol. fold W p in hWvol.
    assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
    (* what is ahead is ready when v is, and not finished *)
    assert (hfront : forall u r', In u (on_pool S p) -> W u r' <> 0 ->
              released h (dag S u) r' = true /\ 0 <= r + A - r' < F u /\ pending S h u r' (r + A) = true /\ exists s,
                ahead S g F busy v r u r' s).
    { intros u r' hu hne. destruct (in_place_ahead S h g a laws F busy v r u r' hu hne) as (s & has).
      destruct (ahead_facts S h g a lg laws F busy hbusy v r hv hr met first hAF u r' s hu has) as (hrel & hr' & hdue & hpu & hpv).
      pose proof has as (hs & hw & hwork). fold A b in hs. pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup).
      assert (hlow : lower (order_of S p) u r' v r = false) by (rewrite hord; reflexivity).
      pose proof (law_order laws v r u r' s hv hun hup hw hwork hlow) as hbefore. fold p in hbefore. rewrite hord in hbefore.
      cbn [before] in hbefore.
      pose proof (hbefore (r + A) hready) as hru. split; [exact hrel|]. split; [apply ready_spec in hru; lia|]. split; [|eauto].
      apply pending_spec. split; [exact hru|]. apply pending_spec in hpu. destruct hpu as (_ & hnd).
      destruct (done h u r' (r + A)) eqn:hd; [|reflexivity]. rewrite (legal_done lg u r' (r + A) s hd) in hnd by lia. discriminate. }
    (* no more than fits *)
    assert (hticks : forall u r' c, In u (on_pool S p) -> 0 <= c -> (forall s, r + A <= s < b -> waits g v r s = true
      -> exec a u * work g u r' s <= c) ->
              exec a u * W u r' <= y * c).
    { intros u r' c hu hc hone. unfold W, in_place, y, waiting. rewrite <- sum_scale, <- sum_scale_r. apply sum_le. intros s hs.
      rewrite in_range in hs.
      destruct (waits g v r s) eqn:hw; cbn [ind]; [|lia]. specialize (hone s ltac:(fold A b in hs; lia) hw). lia. }
    assert (hfits : forall u r', In u (on_pool S p) -> W u r' <> 0 -> exec a u * W u r' <= Z.min (1 * (F u - (r + A - r'))) y * vol a u).
    { intros u r' hu hne. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). pose proof (law_numbers laws u hun) as (he & hvol & _).
      destruct (hfront u r' hu hne) as (_ & hz & _ & _).
      assert (h1 : exec a u * W u r' <= y * vol a u) by (apply hticks; auto; [lia | intros; now apply (law_width laws)]).
      assert (h2 : exec a u * W u r' <= (F u - (r + A - r')) * vol a u).
      { unfold W, in_place. fold A b. rewrite <- sum_scale.
        transitivity (sum (fun s => ind (s <? r' + F u) * vol a u) (range (r + A) b)).
        - apply sum_le. intros s hs. rewrite in_range in hs. destruct (waits g v r s) eqn:hw; cbn [ind].
          2: { pose proof (ind_range (s <? r' + F u)). nia. }
          destruct (Z_lt_le_dec 0 (work g u r' s)) as [hpos|hz0].
          + destruct (ahead_facts S h g a lg laws F busy hbusy v r hv hr met first hAF u r' s hu) as (_ & _ & hdue & _).
            { unfold ahead. fold A b. auto. }
            rewrite (proj2 (Z.ltb_lt _ _) hdue). cbn [ind]. pose proof (law_width laws u r' s hun). lia.
          + pose proof (law_work laws u r' s hun). pose proof (ind_range (s <? r' + F u)). nia.
        - rewrite <- (sum_filter (fun s => s <? r' + F u) (fun _ => vol a u)).
          replace ((F u - (r + A - r')) * vol a u) with (sum (fun _ => vol a u) (range (r + A) (r' + F u))).
          + apply sum_incl; [apply NoDup_filter, range_nodup | | intros; lia]. intros s hs. apply filter_In in hs.
            destruct hs as (hs & hlt).
            apply Z.ltb_lt in hlt. rewrite in_range in *. lia.
          + rewrite sum_range_const by lia. ring. }
      nia. }
    assert (hvolne : forall u r', In u (on_pool S p) -> 0 <= W u r' <= 1 * vol a u) by (intros u r' hu; specialize (hW0 u r' hu);
      specialize (hWvol u r' hu); lia).
    (* one node of a chain of a job *)
    assert (hone : forall c d r' B (keep : node -> bool), In d (dag S v :: other_dags S v) -> In c (chains d) -> 0 <= B ->
              (forall u, In u c -> keep u = true -> In u (on_pool S p) -> W u r' <> 0 -> W u r' <= B)
                -> sum (fun u => ind (keep u) * W u r') c <= B).
    { intros c d r' B keep hd hc hB0 hB. destruct (hchains d hd) as (hcs & _). destruct (hcs c hc) as ((nd & hcmp) & hin).
      assert (hnode : forall u, In u c -> In u (on_pool S p)) by (intros u hu; apply hin, in_dag_here in hu; apply in_on_pool; tauto).
      destruct (existsb (fun u => negb (W u r' =? 0)) c) eqn:hsome.
      - apply existsb_exists in hsome. destruct hsome as (u & hu & hne). apply negb_true_iff, Z.eqb_neq in hne.
        rewrite (sum_unique _ _ u nd hu).
        + destruct (keep u) eqn:hk; cbn [ind]; [|lia]. rewrite Z.mul_1_l. auto.
        + intros u' hu' hne'. destruct (Z.eq_dec (W u' r') 0) as [->|hne0]; [lia|]. exfalso. apply hne'.
          destruct (hfront u r' (hnode u hu) hne) as (_ & _ & hp1 & _). destruct (hfront u' r' (hnode u' hu') hne0) as (_ & _ & hp2 & _).
          apply (pending_alone S h lg u' u r' (r + A)); auto.
      - rewrite sum_zero; [exact hB0|]. intros u hu. destruct (Z.eqb_spec (W u r') 0) as [->|hne]; [lia|]. exfalso.
        enough (existsb (fun u => negb (W u r' =? 0)) c = true) by congruence. apply existsb_exists. exists u. split; [exact hu|].
        now apply negb_true_iff, Z.eqb_neq. }
    assert (hhere : forall d u, In u (dag_here S d p) -> In u (on_pool S p)) by (intros d u hu; apply in_dag_here in hu; apply in_on_pool;
      tauto).
    (* the job itself *)
    assert (hselfjob : sum (fun u => W u r) (dag_here S (dag S v) p) <= sum own (chains (dag S v)) + self).
    { rewrite (sum_split_one (fun u => u =? v)). rewrite (sum_unique (fun u => ind (u =? v) * W u r) _ v).
      - rewrite Z.eqb_refl. cbn [ind]. rewrite Z.mul_1_l, Z.add_comm. apply Z.add_le_mono.
        + etransitivity; [apply (sum_by_chain S (dag S v) p (chains (dag S v))); auto|].
          * apply hchains. now left.
          * intros u hu. specialize (hW0 u r hu). pose proof (ind_range (negb (u =? v))). nia.
          * apply sum_le. intros c hc. apply (hone c (dag S v) r (own c) (fun u => negb (u =? v))); auto; [now left|].
            intros u huc hk hu hne. apply negb_true_iff, Z.eqb_neq in hk. destruct (hfront u r hu hne) as (_ & _ & _ & s & has).
            apply (hown c u); auto.
            -- apply (ahead_beside S h g a wf lg laws F busy hbusy v r hv hr met first hAF u s hu hk); [fold p; rewrite hord;
                 reflexivity | exact has].
            -- apply hticks; auto; [pose proof (law_numbers laws u (proj1 (proj1 (in_on_pool S p u) hu))); lia|].
               intros; apply (law_width laws). now apply in_on_pool in hu.
        + apply hself.
          * rewrite Z.mul_1_l. split; [now apply hW0|]. etransitivity; [|apply (law_last laws v r (r + A) b hv)]. reflexivity.
          * apply hticks; auto; [pose proof (law_numbers laws v hv); lia|]. intros s _ hw. now apply (busy_short hbusy).
      - apply NoDup_filter. unfold dag_nodes. apply NoDup_filter, (wf_nodup wf).
      - apply in_dag_here. auto.
      - intros u _ hne. rewrite (proj2 (Z.eqb_neq u v) hne). cbn [ind]. lia. }
    (* the other jobs *)
    assert (hothers : forall d, In d (dag S v :: other_dags S v) -> sum (fun u => sum (W u) (other_jobs S h F v r d)) (dag_here S d p)
      <= X d).
    { intros d hd. rewrite sum_exchange. set (now := filter (fun r' => r' <=? r + A) (other_jobs S h F v r d)).
      transitivity (sum (fun r' => sum (fun c => most c (r + A - r')) (chains d)) now).
      - transitivity (sum (fun r' => sum (fun u => W u r') (dag_here S d p)) now).
        + unfold now. rewrite sum_filter. apply sum_le. intros r' _. destruct (Z.leb_spec r' (r + A)); cbn [ind]; [lia|].
          rewrite sum_zero; [lia|]. intros u hu. destruct (Z.eq_dec (W u r') 0) as [|hne]; [auto|].
          destruct (hfront u r' (hhere d u hu) hne) as (_ & ? & _). lia.
        + apply sum_le. intros r' _. etransitivity; [apply (sum_by_chain S d p (chains d)); auto|]. apply sum_le. intros c hc.
          transitivity (sum (fun u => ind true * W u r') c); [apply Z.eq_le_incl, sum_eq; intros; cbn [ind]; lia|].
          apply (hone c d r' (most c (r + A - r')) (fun _ => true)); auto.
          intros u huc _ hu hne. destruct (hfront u r' hu hne) as (_ & hz & _). apply (hmost d c u (r + A - r')); auto.
      - rewrite <- (sum_map (fun r' => r + A - r') (fun z => sum (fun c => most c z) (chains d))). apply hX; auto.
        + pose proof (ages_at S h wf lg F busy v r hv hr d (r + A) now hd) as hages. replace (r + A - r) with A in hages by ring.
          apply hages; [apply NoDup_filter, NoDup_filter, range_nodup | intros r' hr'; now apply filter_In in hr'].
        + intros z hz. apply in_map_iff in hz. destruct hz as (r' & <- & hr'). apply filter_In in hr'. destruct hr' as (_ & hle).
          apply Z.leb_le in hle. lia. }
    pose proof (job_by_job S h g a lg laws F busy hbusy v r hv hr met first hAF _ X hselfjob hothers) as hall. fold y p in hall. lia.
  Qed.
End T23.
