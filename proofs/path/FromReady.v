(** A node from the instant on at which it is ready at the latest, r + A_v, up to its due instant: how long it waits,
  and that its pool is worked
    on at its capacity meanwhile. What T23 and T24 have in common. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.T10n path.Turns path.T10a path.Patterns local.Timely.

(** The nodes of DAG d on a pool. *)
Definition dag_here (S : system) (d p : Z) : list node := filter (fun u => pool S u =? p) (dag_nodes S d).

Lemma in_dag_here S d p u : In u (dag_here S d p) <-> In u (nodes S) /\ dag S u = d /\ pool S u = p.
Proof. unfold dag_here. rewrite filter_In, in_dag_nodes, Z.eqb_eq. tauto. Qed.

(** The chains of a DAG's nodes on a pool. *)
Definition chains_here (S : system) (d p : Z) (cs : list (list node)) : Prop :=
  (forall c, In c cs -> chain S c /\ forall u, In u c -> In u (dag_here S d p)) /\ forall u, In u (dag_here S d p) -> exists c, In c cs
    /\ In u c.

Lemma sum_by_chain S d p cs (f : node -> Z) : well_formed S -> chains_here S d p cs -> (forall u, In u (on_pool S p) -> 0 <= f u) ->
  sum f (dag_here S d p) <= sum (fun c => sum f c) cs.
Proof.
  intros wf (hcs & hall) f0. transitivity (sum f (concat cs)).
  - apply sum_incl.
    + apply NoDup_filter. unfold dag_nodes. apply NoDup_filter, (wf_nodup wf).
    + intros u hu. destruct (hall u hu) as (c & hc & huc). apply in_concat. eauto.
    + intros u hu. apply in_concat in hu. destruct hu as (c & hc & huc). destruct (hcs c hc) as (_ & hin).
      apply f0. specialize (hin u huc). apply in_dag_here in hin. apply in_on_pool. tauto.
  - clear. induction cs as [|c cs IH]; cbn [concat sum]; [lia|]. rewrite sum_app. lia.
Qed.

(** Nodes of v's own job that may run in its place. *)
Definition beside (S : system) (v u : node) : Prop := u <> v /\ ~ ancestor S u v /\ ~ ancestor S v u
  /\ lower (order_of S (pool S v)) u 0 v 0 = false.

Section FromReady.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (busy : node -> Z -> Z -> bool) (hbusy : busy_holds S h g a busy).
  Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true).
  Context (met : met_before S h F v r) (first : first_busy S busy F v r).
  Let t := r + F v.
  Context (missed : done h v r t = false) (hAF : ready_bound S F v < F v).
  Let p := pool S v.
  Let A := ready_bound S F v.
  Let b := horizon F busy v r.

  (** How long v waits, and what (u, r') does meanwhile. *)
  Definition waiting : Z := sum (fun s => ind (waits g v r s)) (range (r + A) b).
  Definition in_place (u r' : Z) : Z := sum (fun s => ind (waits g v r s) * work g u r' s) (range (r + A) b).

  (** It is waited for in tick s. *)
  Definition ahead (u r' s : Z) : Prop := r + A <= s < b /\ waits g v r s = true /\ 0 < work g u r' s.

  Lemma ticks : 0 <= A /\ r + A < t /\ t <= b <= t + 1 /\ 0 <= r.
  Proof.
    pose proof (ready_bound_nonneg S F v) as hA. pose proof (legal_start lg _ _ hr). fold A in hA, hAF.
    assert (hb : t <= b <= t + 1) by exact (horizon_range F busy v r). unfold t in *. lia.
  Qed.

  Lemma ready_then : ready S h v r (r + A) = true.
  Proof. apply ready_while_met with (F := F); auto; [exact (F_nonneg S h g a laws F hF) | lia]. Qed.

  Lemma pending_then s : r + A <= s <= t -> pending S h v r s = true.
  Proof.
    intros hs. apply pending_spec. split; [apply (ready_stays S h lg v r (r + A) s ready_then); lia|].
    destruct (done h v r s) eqn:hd; [|reflexivity]. rewrite (legal_done lg v r s t hd) in missed by lia. discriminate.
  Qed.

  (** It waits for more than w if its bound leaves room for w and its execution. *)
  Lemma waits_more w : A + w + exec a v <= F v -> w < waiting.
  Proof.
    intros hroom. pose proof ticks as (hA & hAt & hb & hr0).
    assert (hsplit : sum (fun s => ind (pending S h v r s && negb (waits g v r s))) (range (r + A) b) + waiting = b - (r + A)).
    { unfold waiting. rewrite <- sum_add. rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_range_const by lia; lia|].
      intros s hs. rewrite in_range in hs. rewrite pending_then by lia. destruct (waits g v r s); reflexivity. }
    pose proof (law_exec laws v r (r + A) b hv) as hexec. pose proof (pending_then t ltac:(lia)) as hpt.
    assert (hbt : b = if busy v r t then t else t + 1) by reflexivity.
    assert (htF : t = r + F v) by reflexivity. destruct (busy v r t) eqn:hbv; [|lia].
    destruct (busy_pending hbusy v r t hv hbv) as (_ & hev). destruct (waits g v r t) eqn:hwt.
    - rewrite (sum_zero (fun s => ind (pending S h v r s && negb (waits g v r s)))) in hsplit; [lia|].
      intros s hs. rewrite in_range in hs. destruct (pending S h v r s) eqn:hps; [|reflexivity].
      rewrite (busy_waits hbusy v r t s hv hbv hwt ltac:(lia) hps). reflexivity.
    - pose proof (law_exec laws v r (r + A) (t + 1) hv) as hexec1.
      rewrite (sum_range_split _ (r + A) t (t + 1)), range_one in hexec1 by lia.
      cbn [sum] in hexec1. rewrite hpt, hwt in hexec1. cbn in hexec1. rewrite hbt in hsplit. lia.
  Qed.

  Lemma in_place_nonneg u r' : In u (on_pool S p) -> 0 <= in_place u r'.
  Proof.
    intros hu. apply in_on_pool in hu. apply sum_nonneg. intros s _. pose proof (law_work laws u r' s ltac:(tauto)).
    destruct (waits g v r s); cbn [ind]; lia.
  Qed.

  Lemma in_place_ahead u r' : In u (on_pool S p) -> in_place u r' <> 0 -> exists s, ahead u r' s.
  Proof.
    intros hu hne. assert (hpos : 0 < in_place u r') by (pose proof (in_place_nonneg u r' hu); lia). apply sum_pos_in in hpos.
    destruct hpos as (s & hs & hpos). rewrite in_range in hs. exists s. unfold ahead. destruct (waits g v r s); cbn [ind] in hpos; [|lia].
    repeat split; lia || auto.
  Qed.

  Lemma ahead_facts u r' s : In u (on_pool S p) -> ahead u r' s ->
    released h (dag S u) r' = true /\ 0 <= r' <= s /\ s < r' + F u /\ pending S h u r' s = true /\ pending S h v r s = true.
  Proof.
    intros hu (hs & hw & hwork). pose proof ticks as (hA & hAt & hb & hr0). apply in_on_pool in hu. destruct hu as (hun & hup).
    pose proof (law_pending laws u r' s hun hwork) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & hr').
    split; [exact hrel|]. split; [lia|]. split.
    - apply (due_then S h g a lg laws F busy (busy_work hbusy) v r met first u r' s hun); [fold b; lia | exact hwork].
    - split; [exact hp | now apply (law_waits laws)].
  Qed.

  (** Of the job itself only what is beside v, and v's own pieces but the last. *)
  Lemma ahead_beside u s : In u (on_pool S p) -> u <> v -> lower (order_of S p) u r v r = false -> ahead u r s -> beside S v u.
  Proof.
    intros hu hne hlow has. destruct (ahead_facts u r s hu has) as (_ & _ & _ & hpu & hpv). apply in_on_pool in hu.
    destruct hu as (hun & _).
    assert (hno : forall x z, ancestor S x z -> pending S h x r s = true -> pending S h z r s = true -> In z (nodes S) -> False).
    { intros x z ha h1 h2 hz. assert (x = z) as -> by (apply (pending_alone S h lg x z r s); auto).
      destruct (ancestor_facts S z z wf hz ha) as (_ & _ & ?). lia. }
    split; [exact hne|]. split; [intros ha; eauto|]. split; [intros ha; eauto|]. rewrite <- (lower_of_one_job _ u v r). exact hlow.
  Qed.

  Lemma in_place_volume u r' : In u (on_pool S p) -> in_place u r' <= vol a u.
  Proof.
    intros hu. apply in_on_pool in hu. destruct hu as (hun & _). etransitivity; [|apply (law_vol laws u r' (r + A) b hun)].
    apply sum_le. intros s _. pose proof (law_work laws u r' s hun). destruct (waits g v r s); cbn [ind]; lia.
  Qed.

  (** The pool is worked on at its capacity while v waits. *)
  Lemma all_taken : cap a p * waiting <= sum (fun u => sum (in_place u) (range 0 (t + 1))) (on_pool S p).
  Proof.
    pose proof ticks as (hA & hAt & hb & hr0). unfold waiting. rewrite <- sum_scale.
    transitivity (sum (fun s => sum (fun u => sum (fun r' => ind (waits g v r s) * work g u r' s) (range 0 (t + 1))) (on_pool S p)) (range (r + A) b)).
    - apply sum_le. intros s hs. rewrite in_range in hs. destruct (waits g v r s) eqn:hw; cbn [ind].
      + pose proof (law_rate laws v r s hv hw) as hra. fold p in hra. rewrite Z.mul_1_r. etransitivity; [exact hra|]. unfold rate.
        apply sum_le. intros u hu. apply in_on_pool in hu.
        rewrite (sum_eq (fun r0 => 1 * work g u r0 s) (fun r0 => work g u r0 s)) by (intros; lia).
        apply sum_range_incl; [intros; apply (law_work laws); tauto | lia | lia].
      + rewrite Z.mul_0_r. apply sum_nonneg. intros u _. apply sum_nonneg. intros; lia.
    - apply Z.eq_le_incl. rewrite sum_exchange. apply sum_eq. intros u _.
      rewrite (sum_exchange (fun s r' => ind (waits g v r s) * work g u r' s)). reflexivity.
  Qed.

  (** Job by job: J itself, and the others of each DAG. *)
  Definition other_jobs (d : Z) : list Z := filter (fun r' => released h d r' && negb ((d =? dag S v) && (r' =? r))) (range 0 (t + 1)).

  Lemma other_jobs_spec d r' : In r' (other_jobs d) -> released h d r' = true /\ 0 <= r' <= t /\ (d = dag S v -> r' <> r).
  Proof.
    intros hr'. apply filter_In in hr'. destruct hr' as (hr' & hc). rewrite in_range in hr'. apply andb_prop in hc.
    destruct hc as (h1 & h2).
    split; [exact h1|]. split; [lia|]. intros -> ->. rewrite !Z.eqb_refl in h2. discriminate.
  Qed.

  Lemma other_jobs_sporadic d : In d (dag S v :: other_dags S v) -> sporadic (released h d) (period S d) /\ 0 < period S d.
  Proof.
    intros hd. assert (exists u, In u (nodes S) /\ dag S u = d) as (u & hu & <-).
    { destruct hd as [<-|hd]; [eauto|]. apply filter_In in hd. destruct hd as (hd & _). apply nodup_In, in_map_iff in hd.
      destruct hd as (u & <- & hu). eauto. }
    split; [now apply (legal_sporadic lg) | now apply (wf_period wf)].
  Qed.

  (** The ages of some of them at instant s. *)
  Lemma ages_at d s (now : list Z) : In d (dag S v :: other_dags S v) -> NoDup now -> (forall r', In r' now -> In r' (other_jobs d)) ->
    pattern (period S d) (if d =? dag S v then s - r :: map (fun r' => s - r') now else map (fun r' => s - r') now).
  Proof.
    intros hd nd hin. destruct (other_jobs_sporadic d hd) as (hsp & hT).
    assert (hnow : forall r', In r' now -> released h d r' = true /\ 0 <= r' <= t /\ (d = dag S v -> r' <> r)) by (intros;
      now apply other_jobs_spec, hin).
    assert (hapart : forall i j, released h d i = true -> released h d j = true -> i <> j -> i + period S d <= j \/ j + period S d <= i).
    { intros i j hi hj hne. destruct (Z.lt_trichotomy i j) as [hlt|[|hlt]]; [left | contradiction | right]; now apply hsp. }
    assert (hp0 : pattern (period S d) (map (fun r' => s - r') now)).
    { split.
      - apply FinFun.Injective_map_NoDup; [intros i j; lia | exact nd].
      - intros x z hx hz hne. apply in_map_iff in hx, hz. destruct hx as (i & <- & hi), hz as (j & <- & hj).
        destruct (hnow i hi) as (h1 & _), (hnow j hj) as (h2 & _). destruct (hapart i j h1 h2 ltac:(congruence)); [right | left]; lia. }
    destruct (Z.eqb_spec d (dag S v)) as [hdv|]; [|exact hp0]. subst d. destruct hp0 as (nd' & hap). split.
    - constructor; [|exact nd']. intros hx. apply in_map_iff in hx. destruct hx as (j & he & hj).
      destruct (hnow j hj) as (_ & _ & hne). apply hne; [reflexivity | lia].
    - assert (hwith : forall j, In j now -> s - r + period S (dag S v) <= s - j \/ s - j + period S (dag S v) <= s - r).
      { intros j hj. destruct (hnow j hj) as (h1 & _ & hne).
        destruct (hapart r j hr h1 ltac:(intros e; now apply hne)); [right | left]; lia. }
      intros x z [<-|hx] [<-|hz] hne; [congruence | | | now apply hap].
      + apply in_map_iff in hz. destruct hz as (j & <- & hj). now apply hwith.
      + apply in_map_iff in hx. destruct hx as (j & <- & hj). destruct (hwith j hj); auto.
  Qed.

  Theorem job_by_job own (X : Z -> Z) :
    sum (fun u => in_place u r) (dag_here S (dag S v) p) <= own ->
    (forall d, In d (dag S v :: other_dags S v) -> sum (fun u => sum (in_place u) (other_jobs d)) (dag_here S d p) <= X d) ->
    cap a p * waiting <= own + sum X (dag S v :: other_dags S v).
  Proof.
    intros hown hX. pose proof ticks as (hA & hAt & hb & hr0). etransitivity; [exact all_taken|].
    assert (hjobs : forall d, In d (dag S v :: other_dags S v) ->
              sum (fun u => sum (in_place u) (range 0 (t + 1))) (dag_here S d p)
              = (if d =? dag S v then sum (fun u => in_place u r) (dag_here S d p) else 0) + sum (fun u => sum (in_place u) (other_jobs d)) (dag_here S d p)).
    { intros d hd. assert (hnot : forall u r', In u (dag_here S d p) -> released h d r' = false -> in_place u r' = 0).
      { intros u r' hu hrel. destruct (Z.eq_dec (in_place u r') 0) as [|hne]; [auto|]. exfalso. apply in_dag_here in hu.
        destruct hu as (hun & <- & hup).
        assert (hu : In u (on_pool S p)) by now apply in_on_pool. destruct (in_place_ahead u r' hu hne) as (s & hs).
        destruct (ahead_facts u r' s hu hs) as (hrel' & _). congruence. }
      destruct (Z.eqb_spec d (dag S v)) as [->|hne].
      - rewrite <- sum_add. apply sum_eq. intros u hu. unfold other_jobs. rewrite sum_filter, (sum_split_one (fun r' => r' =? r)).
        rewrite (sum_unique _ _ r); [rewrite Z.eqb_refl; cbn [ind] | apply range_nodup | apply in_range; lia
          | intros r' _ hne'; rewrite (proj2 (Z.eqb_neq r' r) hne'); cbn [ind]; lia].
        rewrite Z.mul_1_l. f_equal. apply sum_eq. intros r' _. rewrite Z.eqb_refl. cbn [andb].
        destruct (released h (dag S v) r') eqn:hrel; cbn [andb]; [reflexivity|]. rewrite (hnot u r' hu hrel). lia.
      - rewrite Z.add_0_l. apply sum_eq. intros u hu. unfold other_jobs. rewrite sum_filter. apply sum_eq. intros r' _.
        rewrite (proj2 (Z.eqb_neq d (dag S v)) hne). cbn [andb negb]. rewrite andb_true_r.
        destruct (released h d r') eqn:hrel; cbn [ind]; [lia|].
        rewrite (hnot u r' hu hrel). lia. }
    assert (hbydag : sum (fun u => sum (in_place u) (range 0 (t + 1))) (on_pool S p)
              = sum (fun d => sum (fun u => sum (in_place u) (range 0 (t + 1))) (dag_here S d p)) (dag S v :: other_dags S v)).
    { unfold on_pool. rewrite sum_filter, (sum_by_dag S v _ hv). cbn [sum]. unfold dag_here. f_equal; [now rewrite sum_filter|].
      apply sum_eq. intros d _. now rewrite sum_filter. }
    rewrite hbydag. cbn [sum]. rewrite (hjobs _ (or_introl eq_refl)), Z.eqb_refl.
    assert (hrest : sum (fun d => sum (fun u => sum (in_place u) (range 0 (t + 1))) (dag_here S d p)) (other_dags S v)
      <= sum X (other_dags S v)).
    { apply sum_le. intros d hin. rewrite (hjobs d (or_intror hin)).
      replace (d =? dag S v) with false by (symmetry; apply filter_In in hin; destruct hin as (_ & hin); now apply negb_true_iff in hin).
      rewrite Z.add_0_l. apply hX. now right. }
    specialize (hX _ (or_introl eq_refl)). lia.
  Qed.
End FromReady.
