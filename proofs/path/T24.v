(** T24: how many run at once. On processors with preemption a node whose ready time is known waits only while all of them run what may go
    before it, and of a chain of one job no more than one node runs at an instant. docs/theory/path.md, "T24".

    All is asked of v from the instant r + A_v on, at which it is ready. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady.

(** Of a job that is x old when the path's job is b old node u may run in place of v. *)
Definition may_run (S : system) (F : node -> Z) (v u : node) (b x : Z) : bool :=
  (x <? F u) && match limit S F v u with None => false | Some l => b - x <=? l end.

(** How many chains of a list have such a node: as many nodes of that job may run at once. *)
Definition at_once (S : system) (F : node -> Z) (v : node) (cs : list (list node)) (b x : Z) : Z :=
  sum (fun c => ind (existsb (fun u => may_run S F v u b x) c)) cs.

(** Z covers all jobs of one DAG, released at least T apart. [own]: the DAG is v's own, whose job is b old and not among them. *)
Definition run_at_once (S : system) (F : node -> Z) (v : node) (own : bool) (T : Z) (cs : list (list node)) (Z_d : Z) : Prop :=
  forall b xs, ready_bound S F v <= b <= F v -> pattern T (if own then b :: xs else xs) -> (forall x, In x xs -> 0 <= x) ->
    sum (at_once S F v cs b) xs <= Z_d.

(** The jobs that count node u: released after r + A_v - F_u, and no later than the limit. *)
Definition jobs_ahead (S : system) (F : node -> Z) (v u : node) : Z :=
  let T := period S (dag S u) in
  let before := F u - ready_bound S F v in
  match limit S F v u with
  | None => 0
  | Some l => if dag S u =? dag S v then Z.max 0 (cdiv (before + Z.min l (- T)) T) + (if 0 <=? l then l / T else 0)
              else Z.max 0 (cdiv (before + l) T)
  end.

(** T24's inequality: F_v >= A_v + w + e_v > A_v, w so large that more waiting, y units of 1/k, is more than what there is to wait for.
    [own c] is the sum of C over those nodes of chain c that are beside v. *)
Definition at_once_inequality (S : system) (a : accounts) (F : node -> Z) (v : node) : Prop :=
  exists w chains own run,
    lagging a (pool S v) = 0 /\ (forall u, In u (on_pool S (pool S v)) -> vol a u = exec a u /\ last a u = exec a u) /\
    0 <= w /\ ready_bound S F v < F v /\ ready_bound S F v + w + exec a v <= F v /\
    (forall d, In d (dag S v :: other_dags S v) -> chains_here S d (pool S v) (chains d) /\
       run_at_once S F v (d =? dag S v) (period S d) (chains d) (run d)) /\
    (forall c s, In c (chains (dag S v)) -> NoDup s -> incl s c -> (forall u, In u s -> beside S v u) -> sum (vol a) s <= own c) /\
    forall k y, 0 < k -> k * w < y ->
      sum (fun c => Z.min y (k * own c)) (chains (dag S v))
        + sum (fun d => Z.min (run d * y) (sum (fun u => jobs_ahead S F v u * Z.min (k * vol a u) y) (dag_here S d (pool S v)))) (dag S v :: other_dags S v)
        < cap a (pool S v) * y.

(** Z as it is printed: rho x is the number of chains with a node that counts and ends later than x after the release.
Of other DAGs jobs are z old
    or more while they run in place of v, z <= A_v - lim_u where lim_u < A_v. *)
Definition chains_after (S : system) (F : node -> Z) (v : node) (cs : list (list node)) (l x : Z) : Z :=
  sum (fun c => ind (existsb (fun u => (x <? F u) && match limit S F v u with None => false | Some lu => l <=? lu end) c)) cs.

Lemma chains_after_mono S F v cs l l' x y : l' <= l -> x <= y -> 0 <= chains_after S F v cs l y <= chains_after S F v cs l' x.
Proof.
  intros hl hle. split; [apply sum_nonneg; intros; apply ind_range|]. apply sum_le. intros c _.
  destruct (existsb (fun u => (y <? F u) && match limit S F v u with None => false | Some lu => l <=? lu end) c) eqn:he; [|apply ind_range].
  apply existsb_exists in he. destruct he as (u & hu & hc).
  replace (existsb (fun u => (x <? F u) && match limit S F v u with None => false | Some lu => l' <=? lu end) c) with true; [cbn; lia|].
  symmetry.
  apply existsb_exists. exists u. split; [exact hu|]. apply andb_prop in hc. destruct hc as (h1 & h2).
  apply Z.ltb_lt in h1. rewrite (proj2 (Z.ltb_lt x (F u))) by lia. destruct (limit S F v u); [|discriminate]. apply Z.leb_le in h2.
  apply Z.leb_le. lia.
Qed.

Lemma at_once_after S F v cs b x l : l <= b - x -> at_once S F v cs b x <= chains_after S F v cs l x.
Proof.
  intros hl. apply sum_le. intros c _. destruct (existsb (fun u => may_run S F v u b x) c) eqn:he; [|apply ind_range].
  apply existsb_exists in he. destruct he as (u & hu & hc). unfold may_run in hc. apply andb_prop in hc. destruct hc as (h1 & h2).
  replace (existsb (fun u => (x <? F u) && match limit S F v u with None => false | Some lu => l <=? lu end) c) with true; [cbn; lia|].
  symmetry.
  apply existsb_exists. exists u. split; [exact hu|]. rewrite h1. destruct (limit S F v u); [|discriminate]. apply Z.leb_le in h2.
  apply Z.leb_le. lia.
Qed.

Lemma chains_after_end S F v cs l x : (forall c u, In c cs -> In u c -> F u <= x) -> chains_after S F v cs l x = 0.
Proof.
  intros hend. apply sum_zero. intros c hc.
  destruct (existsb (fun u => (x <? F u) && match limit S F v u with None => false | Some lu => l <=? lu end) c) eqn:he; [|reflexivity].
  exfalso.
  apply existsb_exists in he. destruct he as (u & hu & he). apply andb_prop in he. destruct he as (he & _). apply Z.ltb_lt in he.
  specialize (hend c u hc hu). lia.
Qed.

(** Z_d: the sum of rho at z, z + T, ... *)
Theorem run_at_once_others S F v T cs z n l :
  0 < T -> 0 <= n -> (forall c u, In c cs -> In u c -> F u <= z + n * T) ->
  (forall c u lu, In c cs -> In u c -> limit S F v u = Some lu -> l <= lu /\ (z = 0 \/ z <= ready_bound S F v - lu)) ->
  run_at_once S F v false T cs (sum (fun i => chains_after S F v cs l (z + i * T)) (range 0 n)).
Proof.
  intros hT hn hend hlim b xs hb hp h0.
  assert (hle : forall x, at_once S F v cs b x <= chains_after S F v cs l x).
  { intros x. apply sum_le. intros c hc. destruct (existsb (fun u => may_run S F v u b x) c) eqn:he; [|apply ind_range].
    apply existsb_exists in he. destruct he as (u & hu & hm). unfold may_run in hm. apply andb_prop in hm. destruct hm as (h1 & h2).
    replace (existsb (fun u => (x <? F u) && match limit S F v u with None => false | Some lu => l <=? lu end) c) with true; [cbn; lia|].
    symmetry.
    apply existsb_exists. exists u. split; [exact hu|]. rewrite h1. destruct (limit S F v u) as [lu|] eqn:hlu; [|discriminate].
    apply Z.leb_le. now apply (hlim c u lu hc hu). }
  assert (hz : forall x, In x xs -> at_once S F v cs b x <> 0 -> z <= x).
  { intros x hx hne. destruct (Z_le_gt_dec z x) as [|hlt]; [auto|]. exfalso. apply hne. apply sum_zero. intros c hc.
    destruct (existsb (fun u => may_run S F v u b x) c) eqn:he; [|reflexivity]. exfalso.
    apply existsb_exists in he. destruct he as (u & hu & hm). unfold may_run in hm. apply andb_prop in hm. destruct hm as (_ & h2).
    destruct (limit S F v u) as [lu|] eqn:hlu; [|discriminate]. apply Z.leb_le in h2. specialize (h0 x hx).
    destruct (hlim c u lu hc hu hlu) as (_ & [->|hz]); lia. }
  set (f := fun x => if x <? z then 0 else chains_after S F v cs l x).
  transitivity (sum f xs).
  - apply sum_le. intros x hx. unfold f. destruct (Z.ltb_spec x z); [|apply hle].
    destruct (Z.eq_dec (at_once S F v cs b x) 0) as [->|hne]; [lia|]. specialize (hz x hx hne). lia.
  - etransitivity; [apply (pattern_sum T z n xs f hT hn hp)|].
    + intros x _ hne. unfold f in hne. destruct (Z.ltb_spec x z); [now elim hne | lia].
    + intros x y hxy. unfold f. rewrite (proj2 (Z.ltb_ge x z)), (proj2 (Z.ltb_ge y z)) by lia. apply chains_after_mono; lia.
    + intros x hx. unfold f. destruct (Z.ltb_spec x z); [reflexivity|]. apply chains_after_end. intros c u hc hu.
      specialize (hend c u hc hu). lia.
    + apply sum_le. intros i hi. apply in_range in hi. unfold f. destruct (Z.ltb_spec (z + i * T) z); [nia | lia].
Qed.

(** Z_k: earlier jobs at A_v + T, A_v + 2 T, ..., and under fixed priorities later ones at 0, T, ...,
  which only nodes with a limit of T and more
    let go before v. *)
Theorem run_at_once_own S F v T cs n l :
  0 < T -> 0 <= n -> (forall c u, In c cs -> In u c -> F u <= ready_bound S F v + T + n * T) ->
  (forall c u lu, In c cs -> In u c -> limit S F v u = Some lu -> l <= lu) ->
  run_at_once S F v true T cs
    (sum (fun i => chains_after S F v cs l (ready_bound S F v + T + i * T)) (range 0 n)
     + sum (fun j => chains_after S F v cs T (j * T)) (range 0 (F v / T))).
Proof.
  intros hT hn hend hlim b xs hb (nd & hap) h0. set (A := ready_bound S F v) in *.
  pose proof (ready_bound_nonneg S F v) as hA. fold A in hA.
  inversion nd as [|b' xs' hnot ndxs]; subst.
  assert (hside : forall x, In x xs -> b + T <= x \/ x + T <= b).
  { intros x hx. apply hap; [now left | now right | intros <-; contradiction]. }
  assert (hpat : pattern T xs) by (split; [exact ndxs | intros x y hx hy; apply hap; now right]).
  set (early := fun x => if x <? A + T then 0 else chains_after S F v cs l x).
  set (late := fun x => if x <=? F v - T then chains_after S F v cs T x else 0).
  assert (hle : forall x, at_once S F v cs b x <= chains_after S F v cs l x).
  { intros x. apply sum_le. intros c hc. destruct (existsb (fun u => may_run S F v u b x) c) eqn:he; [|apply ind_range].
    apply existsb_exists in he. destruct he as (u & hu & hm). unfold may_run in hm. apply andb_prop in hm. destruct hm as (h1 & h2).
    replace (existsb (fun u => (x <? F u) && match limit S F v u with None => false | Some lu => l <=? lu end) c) with true; [cbn; lia|].
    symmetry.
    apply existsb_exists. exists u. split; [exact hu|]. rewrite h1. destruct (limit S F v u) as [lu|] eqn:hlu; [|discriminate].
    apply Z.leb_le. now apply (hlim c u lu hc hu). }
  assert (hnn : forall l0 x, 0 <= chains_after S F v cs l0 x) by (intros l0 x; apply (chains_after_mono S F v cs l0 l0 x x); lia).
  transitivity (sum (fun x => early x + late x) xs).
  - apply sum_le. intros x hx. unfold early, late. destruct (hside x hx) as [hs|hs].
    + rewrite (proj2 (Z.ltb_ge x (A + T))) by lia. specialize (hle x). specialize (hnn T x). destruct (x <=? F v - T); lia.
    + rewrite (proj2 (Z.leb_le x (F v - T))) by lia. pose proof (at_once_after S F v cs b x T ltac:(lia)). specialize (hnn l x).
      destruct (x <? A + T); lia.
  - rewrite sum_add. apply Z.add_le_mono.
    + etransitivity; [apply (pattern_sum T (A + T) n xs early hT hn hpat)|].
      * intros x _ hne. unfold early in hne. destruct (Z.ltb_spec x (A + T)); [now elim hne | lia].
      * intros x y hxy. unfold early. rewrite (proj2 (Z.ltb_ge x (A + T))), (proj2 (Z.ltb_ge y (A + T))) by lia.
        apply chains_after_mono; lia.
      * intros x hx. unfold early. destruct (Z.ltb_spec x (A + T)); [reflexivity|]. apply chains_after_end. intros c u hc hu.
        specialize (hend c u hc hu). lia.
      * apply sum_le. intros i hi. apply in_range in hi. unfold early. destruct (Z.ltb_spec (A + T + i * T) (A + T)); [nia | lia].
    + pose proof (Z.mul_succ_div_gt (F v) T hT) as hdiv. assert (hq : 0 <= F v / T) by (apply Z.div_pos; lia).
      etransitivity; [apply (pattern_sum T 0 (F v / T) xs late hT hq hpat)|].
      * intros x hx _. now apply h0.
      * intros x y hxy. unfold late.
        destruct (Z.leb_spec x (F v - T)), (Z.leb_spec y (F v - T)); try lia; [apply chains_after_mono; lia | split; [lia | apply hnn]].
      * intros x hx. unfold late. destruct (Z.leb_spec x (F v - T)); [nia | reflexivity].
      * apply sum_le. intros j hj. apply in_range in hj. unfold late. rewrite Z.add_0_l. destruct (j * T <=? F v - T); [lia | apply hnn].
Qed.

Section T24.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Theorem T24_safe g a busy F v :
    keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    In v (nodes S) -> at_once_inequality S a F v -> safe_with S h busy F v.
  Proof.
    intros laws hbusy hF hv (w & chains & own & run & hlag & hproc & hw0 & hAF & hroom & hchains & hown & hineq) r hr met first.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    set (p := pool S v) in *. set (A := ready_bound S F v) in *. set (t := r + F v) in *.
    pose proof (ticks S h lg F busy v r hr hAF) as (hA & hAt & hb & hr0). fold A t in hA, hAt, hb. set (b := horizon F busy v r) in *.
    set (W := in_place S g F busy v r). set (y := waiting S g F busy v r).
    pose proof (waits_more S h g a wf lg laws F hF busy hbusy v r hv hr met missed hAF w hroom) as hy. fold y in hy.
    pose proof (in_place_nonneg S h g a laws F busy v r) as hW0. fold W p in hW0.
    assert (hvp : In v (on_pool S p)) by (apply in_on_pool; auto).
    (* what runs in its place *)
    assert (hplace : forall u r' s, In u (on_pool S p) -> ahead S g F busy v r u r' s ->
              released h (dag S u) r' = true /\ 0 <= r' <= s /\ s < r' + F u /\ within (limit S F v u) (r' - r) /\
              lower (order_of S p) u r' v r = false /\ pending S h u r' s = true /\ work g u r' s = 1).
    { intros u r' s hu has.
      destruct (ahead_facts S h g a lg laws F busy hbusy v r hv hr met first hAF u r' s hu has) as (h1 & h2 & h3 & h4 & _).
      destruct has as (hs & hw & hwork). fold A b in hs. pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup).
      assert (hbefore : before S h (order_of S (pool S v)) u r' v r).
      { apply (order_preemptive (nodes S) S h g a laws v r u r' s); auto. intros x hx. apply in_on_pool in hx. tauto. }
      pose proof (before_not_lower S h _ u r' v r hbefore) as hlow. fold p in hlow.
      split; [exact h1|]. split; [exact h2|]. split; [exact h3|].
      split; [apply (limit_sound S h g a wf lg laws F v r hv met v u r' s hun hup (or_introl eq_refl)); auto; fold t; lia|].
      split; [exact hlow|]. split; [exact h4|].
      pose proof (law_width laws u r' s hun) as hwid. destruct (hproc u hu) as (hvol & _). rewrite hvol in hwid.
      pose proof (law_numbers laws u hun) as (he & _ & hz). destruct (Z.eq_dec (exec a u) 0) as [e0|]; [|nia].
      rewrite (no_work_if_empty _ S h g a laws u r' s hun (hz e0)) in hwork. lia. }
    assert (hWvol : forall u r', In u (on_pool S p) -> W u r' <= Z.min (1 * vol a u) y).
    { intros u r' hu. apply Z.min_glb.
      - pose proof (in_place_volume S h g a laws F busy v r u r' hu). fold W in H. lia.
      - apply sum_le. intros s hs. rewrite in_range in hs. fold A b in hs. destruct (waits g v r s) eqn:hw; cbn [ind]; [|lia].
        destruct (Z_lt_le_dec 0 (work g u r' s)) as [hpos|]; [|lia].
        destruct (hplace u r' s hu) as (_ & _ & _ & _ & _ & _ & ->); [unfold ahead; fold A b; auto | lia]. }
    assert (hWne : forall u r', In u (on_pool S p) -> W u r' <> 0 -> exists s,
      ahead S g F busy v r u r' s) by exact (in_place_ahead S h g a laws F busy v r).
    (* of a chain of one job one node runs at most *)
    assert (hchain : forall c d r' s, In d (dag S v :: other_dags S v) -> In c (chains d) -> r + A <= s < b -> waits g v r s = true ->
              sum (fun u => work g u r' s) c <= ind (existsb (fun u => may_run S F v u (s - r) (s - r')) c)).
    { intros c d r' s hd hc hs hw. destruct (hchains d hd) as ((hcs & _) & _). destruct (hcs c hc) as ((nd & hcmp) & hin).
      assert (hnode : forall u, In u c -> In u (on_pool S p)) by (intros u hu; apply hin, in_dag_here in hu; apply in_on_pool; tauto).
      destruct (existsb (fun u => 0 <? work g u r' s) c) eqn:hsome.
      - apply existsb_exists in hsome. destruct hsome as (u & hu & hpos). apply Z.ltb_lt in hpos.
        destruct (hplace u r' s (hnode u hu)) as (_ & _ & hdue & hlim & _ & hp & hone); [unfold ahead; fold A b; auto|].
        rewrite (sum_unique _ _ u nd hu).
        + rewrite hone. replace (existsb (fun u => may_run S F v u (s - r) (s - r')) c) with true; [cbn; lia|]. symmetry.
          apply existsb_exists. exists u. split; [exact hu|]. unfold may_run. rewrite (proj2 (Z.ltb_lt (s - r') (F u))) by lia.
          destruct (limit S F v u) as [l|]; cbn [within] in hlim; [|easy]. apply Z.leb_le. lia.
        + intros u' hu' hne. pose proof (proj1 (in_on_pool S p u') (hnode u' hu')) as (hun' & _).
          apply (no_work_unless_pending _ S h g a laws); auto. destruct (pending S h u' r' s) eqn:hp'; [|reflexivity]. exfalso. apply hne.
          apply (pending_alone S h lg u' u r' s); auto.
      - rewrite sum_zero; [pose proof (ind_range (existsb (fun u => may_run S F v u (s - r) (s - r')) c)); lia|]. intros u hu.
        pose proof (proj1 (in_on_pool S p u) (hnode u hu)) as (hun & _). pose proof (law_work laws u r' s hun).
        destruct (Z_lt_le_dec 0 (work g u r' s)) as [hpos|]; [|lia]. exfalso.
        enough (existsb (fun u => 0 <? work g u r' s) c = true) by congruence. apply existsb_exists. exists u.
        split; [exact hu | now apply Z.ltb_lt]. }
    assert (hhere : forall d u, In u (dag_here S d p) -> In u (on_pool S p)) by (intros d u hu; apply in_dag_here in hu; apply in_on_pool;
      tauto).
    (* the job itself *)
    assert (hself : sum (fun u => W u r) (dag_here S (dag S v) p) <= sum (fun c => Z.min y (1 * own c)) (chains (dag S v))).
    { etransitivity; [apply (sum_by_chain S (dag S v) p (chains (dag S v))); auto; apply hchains; now left|]. apply sum_le. intros c hc.
      destruct (hchains (dag S v) (or_introl eq_refl)) as ((hcs & _) & _). destruct (hcs c hc) as ((nd & hcmp) & hin). apply Z.min_glb.
      - unfold W, in_place. rewrite (sum_exchange (fun u s => ind (waits g v r s) * work g u r s)). apply sum_le. intros s hs.
        rewrite in_range in hs. fold A b in hs.
        rewrite sum_scale. destruct (waits g v r s) eqn:hw; cbn [ind]; [|lia].
        pose proof (hchain c (dag S v) r s (or_introl eq_refl) hc hs hw) as h1.
        pose proof (ind_range (existsb (fun u => may_run S F v u (s - r) (s - r)) c)). lia.
      - set (f := filter (fun u => negb (W u r =? 0)) c).
        transitivity (sum (fun u => W u r) f).
        { unfold f. rewrite sum_filter. apply sum_le. intros u _. destruct (Z.eqb_spec (W u r) 0) as [->|]; cbn [negb ind]; lia. }
        assert (hf : forall u, In u f -> In u c /\ In u (on_pool S p) /\ W u r <> 0).
        { intros u hu. apply filter_In in hu. destruct hu as (hu & hne). apply negb_true_iff, Z.eqb_neq in hne.
          split; [exact hu|]. split; [eapply hhere; now apply hin | exact hne]. }
        transitivity (sum (vol a) f).
        { apply sum_le. intros u hu. destruct (hf u hu) as (_ & hup & _). pose proof (hWvol u r hup). lia. }
        rewrite Z.mul_1_l. apply (hown c f hc); [now apply NoDup_filter | intros u hu; now apply hf|].
        intros u hu. destruct (hf u hu) as (_ & hup & hne). destruct (hWne u r hup hne) as (s & has).
        destruct (hplace u r s hup has) as (_ & _ & _ & _ & hlow & _).
        apply (ahead_beside S h g a wf lg laws F busy hbusy v r hv hr met first hAF u s hup); auto. intros ->.
        destruct has as (_ & hw & hwork). pose proof (law_last laws v r s (s + 1) hv) as hl. rewrite range_one in hl. cbn [sum] in hl.
        rewrite hw in hl. cbn [ind] in hl. destruct (hproc v hvp) as (h1 & h2). lia. }
    (* other jobs *)
    set (others := other_jobs S h F v r).
    pose proof (other_jobs_sporadic S h wf lg v hv) as hsporadic.
    assert (hrun : forall d, In d (dag S v :: other_dags S v) ->
              sum (fun u => sum (W u) (others d)) (dag_here S d p) <= run d * y).
    { intros d hd. destruct (hchains d hd) as ((hcs & _) & hZ). destruct (hsporadic d hd) as (hsp & hT).
      transitivity (sum (fun s => ind (waits g v r s) * sum (fun r' => sum (fun u => work g u r' s) (dag_here S d p)) (others d)) (range (r + A) b)).
      { apply Z.eq_le_incl. unfold W, in_place. fold A b.
        rewrite (sum_eq _ (fun u => sum (fun s => sum (fun r' => ind (waits g v r s) * work g u r' s) (others d)) (range (r + A) b)))
          by (intros; apply (sum_exchange (fun r' s => ind (waits g v r s) * work g a0 r' s))).
        rewrite (sum_exchange (fun u s => sum (fun r' => ind (waits g v r s) * work g u r' s) (others d))). apply sum_eq. intros s _.
        rewrite (sum_exchange (fun u r' => ind (waits g v r s) * work g u r' s)), <- sum_scale. apply sum_eq. intros r' _.
        now rewrite sum_scale. }
      unfold y, waiting. fold A b. rewrite <- sum_scale. apply sum_le. intros s hs. rewrite in_range in hs.
      destruct (waits g v r s) eqn:hw; cbn [ind]; [|lia]. rewrite Z.mul_1_l, Z.mul_1_r.
      set (now := filter (fun r' => r' <=? s) (others d)).
      transitivity (sum (fun r' => at_once S F v (chains d) (s - r) (s - r')) now).
      - transitivity (sum (fun r' => sum (fun u => work g u r' s) (dag_here S d p)) now).
        + unfold now. rewrite sum_filter. apply sum_le. intros r' _. destruct (Z.leb_spec r' s); cbn [ind]; [lia|].
          rewrite sum_zero; [lia|]. intros u hu. pose proof (hhere d u hu) as hup. pose proof (proj1 (in_on_pool S p u) hup) as (hun & _).
          pose proof (law_work laws u r' s hun). destruct (Z_lt_le_dec 0 (work g u r' s)) as [hpos|]; [|lia].
          destruct (hplace u r' s hup) as (_ & ? & _); [unfold ahead; fold A b; auto | lia].
        + apply sum_le. intros r' _. etransitivity; [apply (sum_by_chain S d p (chains d) _ wf (proj1 (hchains d hd)))|].
          * intros u hu. apply in_on_pool in hu. apply (law_work laws). tauto.
          * apply sum_le. intros c hc. now apply (hchain c d r' s).
      - rewrite <- (sum_map (fun r' => s - r') (at_once S F v (chains d) (s - r))). apply hZ.
        + lia.
        + apply (ages_at S h wf lg F busy v r hv hr d s now hd); [apply NoDup_filter, NoDup_filter, range_nodup|].
          intros r' hr'. now apply filter_In in hr'.
        + intros x hx. apply in_map_iff in hx. destruct hx as (r' & <- & hr'). apply filter_In in hr'. destruct hr' as (_ & hle).
          apply Z.leb_le in hle. lia. }
    assert (hahead : forall d, In d (dag S v :: other_dags S v) ->
              sum (fun u => sum (W u) (others d)) (dag_here S d p)
                <= sum (fun u => jobs_ahead S F v u * Z.min (1 * vol a u) y) (dag_here S d p)).
    { intros d hd. destruct (hsporadic d hd) as (hsp & hT). apply sum_le. intros u hu. pose proof (hhere d u hu) as hup.
      apply in_dag_here in hu. destruct hu as (hun & hud & _). unfold jobs_ahead. rewrite hud.
      assert (hwin : forall r', In r' (others d) -> W u r' <> 0 -> r + A - F u < r' /\ within (limit S F v u) (r' - r)).
      { intros r' _ hne. destruct (hWne u r' hup hne) as (s & has). destruct (hplace u r' s hup has) as (_ & h1 & h2 & h3 & _).
        destruct has as (hs & _). fold A b in hs. split; [lia | exact h3]. }
      destruct (limit S F v u) as [l|] eqn:hl.
      2: { rewrite sum_zero; [lia|]. intros r' hr'. destruct (Z.eq_dec (W u r') 0) as [|hne]; [auto|].
      destruct (hwin r' hr' hne) as (_ & []). }
      cbn [within] in hwin. pose proof (hWvol u r) as hvol0.
      assert (hmin0 : 0 <= Z.min (1 * vol a u) y).
      { pose proof (law_numbers laws u hun) as (_ & ? & _). assert (0 <= y) by (apply sum_nonneg; intros; apply ind_range). lia. }
      set (rel' := fun r' => released h d r' && negb ((d =? dag S v) && (r' =? r))).
      assert (hcount : sum (W u) (others d) <= releases rel' (r - (F u - A) + 1) (r + l + 1) * Z.min (1 * vol a u) y).
      { unfold others, other_jobs. fold t rel'. rewrite sum_filter. unfold releases. rewrite <- sum_scale_r.
        transitivity (sum (fun r' => ind ((r - (F u - A) + 1
          <=? r') && (r' <? r + l + 1)) * (ind (rel' r') * Z.min (1 * vol a u) y)) (range 0 (t + 1))).
        - apply sum_le. intros r' hr'. destruct (rel' r') eqn:hrel'; cbn [ind]; [|lia]. rewrite !Z.mul_1_l.
          destruct (Z.eq_dec (W u r') 0) as [->|hne].
          + pose proof (ind_range ((r - (F u - A) + 1 <=? r') && (r' <? r + l + 1))). nia.
          + destruct (hwin r' ltac:(apply filter_In; auto) hne) as (h1 & h2).
            rewrite (proj2 (Z.leb_le _ _)), (proj2 (Z.ltb_lt _ _)) by lia. cbn [andb ind]. pose proof (hWvol u r' hup). lia.
        - rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | |].
          + intros r' hr'. apply filter_In in hr'. rewrite in_range. lia.
          + intros r' _. pose proof (ind_range (rel' r')). nia. }
      etransitivity; [exact hcount|]. apply Z.mul_le_mono_nonneg_r; [exact hmin0|].
      unfold rel'. destruct (Z.eqb_spec d (dag S v)) as [->|hne].
      - cbn [andb]. exact (counting_others (released h (dag S v)) (period S (dag S v)) hT hsp r (F u - A) l hr).
      - unfold releases. rewrite (sum_eq _ (fun r' => ind (released h d r'))) by (intros r' _; cbn [andb negb]; now rewrite andb_true_r).
        pose proof (counting (released h d) (period S d) hT hsp (r - (F u - A)) (r + l)) as hc.
        replace (r + l - (r - (F u - A))) with (F u - A + l) in hc by ring. exact hc. }
    (* together *)
    pose proof (job_by_job S h g a lg laws F busy hbusy v r hv hr met first hAF _
      (fun d => Z.min (run d * y) (sum (fun u => jobs_ahead S F v u * Z.min (1 * vol a u) y) (dag_here S d p))) hself
      (fun d hd => Z.min_glb _ _ _ (hrun d hd) (hahead d hd))) as hall. fold y p in hall.
    specialize (hineq 1 y ltac:(lia) ltac:(lia)). lia.
  Qed.
End T24.
