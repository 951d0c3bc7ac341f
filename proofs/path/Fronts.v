(** How long a visit to a FIFO takes at most. Jobs of a DAG are T apart, so each may be told from the others by a spot, an age that it has reached;
    of each chain one node at most is there. docs/theory/path.md, "T23", (a) and (b). *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w path.Windows path.Started path.Visit.

(** Jobs js of DAG d, the path's own job left out, each have a spot of their own at or below their age; E is when all has ended. The path's own job is
    between lo and hi old, where d is its DAG. *)
Definition spots_cover (T : Z) (own : bool) (lo hi E : Z) (spots : list Z) : Prop := forall k zs z0, 0 < k ->
  pattern (k * T) (if own then z0 :: zs else zs) -> (own = true -> k * lo <= z0 <= k * hi) ->
  exists sp : Z -> Z, (forall z, In z zs -> 0 <= z < k * E -> In (sp z) spots /\ 0 <= k * sp z <= z) /\
    forall z z', In z zs -> In z' zs -> 0 <= z < k * E -> 0 <= z' < k * E -> sp z = sp z' -> z = z'.

Lemma quotients_differ T z z' : 0 < T -> z + T <= z' \/ z' + T <= z -> z / T <> z' / T.
Proof.
  intros hT h e. pose proof (Z.mul_div_le z T hT). pose proof (Z.mul_succ_div_gt z T hT). pose proof (Z.mul_div_le z' T hT). pose proof (Z.mul_succ_div_gt z' T hT).
  rewrite e in *. lia.
Qed.

(** Of another DAG: 0, T, 2 T, ... *)
Lemma spots_of_others T lo hi E n : 0 < T -> E <= n * T -> spots_cover T false lo hi E (map (fun i => i * T) (range 0 n)).
Proof.
  intros hT hE k zs z0 hk (nd & hap) _. assert (hkT : 0 < k * T) by nia. exists (fun z => z / (k * T) * T). split.
  - intros z hz h. pose proof (Z.mul_div_le z (k * T) hkT). pose proof (Z.mul_succ_div_gt z (k * T) hkT). pose proof (Z.div_pos z (k * T) ltac:(lia) hkT).
    split; [|nia]. apply in_map_iff. exists (z / (k * T)). split; [reflexivity|]. apply in_range. split; [lia|].
    apply Z.div_lt_upper_bound; [lia|]. nia.
  - intros z z' hz hz' _ _ e. destruct (Z.eq_dec z z') as [|hne]; [auto|]. exfalso.
    apply (quotients_differ (k * T) z z' hkT (hap z z' hz hz' hne)). nia.
Qed.

(** Of the DAG of a job that is A old: 0, T, ..., for floor(A/T) later jobs, and A + T, A + 2 T, ... *)
Lemma spots_of_own T A E n : 0 < T -> 0 <= A -> E <= A + T + n * T ->
  spots_cover T true A A E (map (fun i => i * T) (range 0 (A / T)) ++ map (fun i => A + T + i * T) (range 0 n)).
Proof.
  intros hT hA hE k zs z0 hk (nd & hap) hz0. specialize (hz0 eq_refl). assert (z0 = k * A) as -> by lia. assert (hkT : 0 < k * T) by nia.
  inversion nd; subst. assert (hside : forall z, In z zs -> z + k * T <= k * A \/ k * A + k * T <= z).
  { intros z hz. destruct (hap z (k * A) (or_intror hz) (or_introl eq_refl)); [intros ->; contradiction | lia | lia]. }
  set (early := fun z => (z - k * A - k * T) / (k * T)).
  exists (fun z => if z <? k * A then z / (k * T) * T else A + T + early z * T). split.
  - intros z hz h. destruct (Z.ltb_spec z (k * A)) as [hlt|hge].
    + assert (hle : z <= k * A - k * T) by (destruct (hside z hz); lia). pose proof (Z.mul_div_le z (k * T) hkT). pose proof (Z.div_pos z (k * T) ltac:(lia) hkT).
      split; [|nia]. apply in_app_iff. left. apply in_map_iff. exists (z / (k * T)). split; [reflexivity|]. apply in_range. split; [lia|].
      assert (z / (k * T) <= A / T - 1); [|lia]. transitivity ((k * A - k * T) / (k * T)); [now apply Z.div_le_mono|].
      replace (k * A - k * T) with (k * A + (-1) * (k * T)) by ring. rewrite Z.div_add by lia. rewrite Z.div_mul_cancel_l by lia. lia.
    + assert (hle : k * A + k * T <= z) by (destruct (hside z hz); lia). unfold early. set (x := z - k * A - k * T).
      pose proof (Z.mul_div_le x (k * T) hkT). pose proof (Z.div_pos x (k * T) ltac:(unfold x; lia) hkT).
      split; [|unfold x in *; nia]. apply in_app_iff. right. apply in_map_iff. exists (x / (k * T)). split; [reflexivity|]. apply in_range. split; [lia|].
      apply Z.div_lt_upper_bound; [lia|]. unfold x. nia.
  - intros z z' hz hz' h h' e. destruct (Z.eq_dec z z') as [|hne]; [auto|]. exfalso.
    pose proof (hap z z' (or_intror hz) (or_intror hz') hne) as hd. destruct (hside z hz), (hside z' hz'); cbv beta in e.
    + rewrite (proj2 (Z.ltb_lt z (k * A))), (proj2 (Z.ltb_lt z' (k * A))) in e by lia. apply (quotients_differ (k * T) z z' hkT hd). nia.
    + rewrite (proj2 (Z.ltb_lt z (k * A))), (proj2 (Z.ltb_ge z' (k * A))) in e by lia.
      pose proof (Z.mul_div_le z (k * T) hkT). pose proof (Z.div_pos (z' - k * A - k * T) (k * T) ltac:(lia) hkT). unfold early in e. nia.
    + rewrite (proj2 (Z.ltb_ge z (k * A))), (proj2 (Z.ltb_lt z' (k * A))) in e by lia.
      pose proof (Z.mul_div_le z' (k * T) hkT). pose proof (Z.div_pos (z - k * A - k * T) (k * T) ltac:(lia) hkT). unfold early in e. nia.
    + rewrite (proj2 (Z.ltb_ge z (k * A))), (proj2 (Z.ltb_ge z' (k * A))) in e by lia.
      apply (quotients_differ (k * T) (z - k * A - k * T) (z' - k * A - k * T) hkT); [lia | unfold early in e; nia].
Qed.

(** Of the DAG of a job that is up to A old: 0, T, 2 T, ..., but floor(A/T) T. *)
Lemma spots_of_own_within T A E n : 0 < T -> 0 <= A -> E <= n * T ->
  spots_cover T true 0 A E (map (fun i => i * T) (filter (fun i => negb (i =? A / T)) (range 0 n))).
Proof.
  intros hT hA hE k zs z0 hk (nd & hap) hz0. specialize (hz0 eq_refl). assert (hkT : 0 < k * T) by nia. inversion nd; subst.
  set (i0 := z0 / (k * T)). set (iA := A / T).
  assert (h0A : 0 <= i0 <= iA).
  { unfold i0, iA. split; [apply Z.div_pos; lia|]. rewrite <- (Z.div_mul_cancel_l A T k) by lia. apply Z.div_le_mono; lia. }
  assert (hne0 : forall z, In z zs -> z / (k * T) <> i0).
  { intros z hz. apply quotients_differ; [exact hkT|]. apply hap; [now right | now left | intros ->; contradiction]. }
  set (ix := fun z => let i := z / (k * T) in if (i0 <? i) && (i <=? iA) then i - 1 else i).
  exists (fun z => ix z * T). split.
  - intros z hz h. specialize (hne0 z hz). pose proof (Z.mul_div_le z (k * T) hkT) as h1. pose proof (Z.div_pos z (k * T) ltac:(lia) hkT) as h2.
    assert (h3 : z / (k * T) < n) by (apply Z.div_lt_upper_bound; [lia | nia]).
    assert (hix : 0 <= ix z <= z / (k * T) /\ ix z <> iA).
    { unfold ix. cbv zeta. destruct (Z.ltb_spec i0 (z / (k * T))), (Z.leb_spec (z / (k * T)) iA); cbn [andb]; lia. }
    split; [|nia]. apply in_map_iff. exists (ix z). split; [reflexivity|]. apply filter_In. split; [apply in_range; lia|].
    apply negb_true_iff, Z.eqb_neq. apply hix.
  - intros z z' hz hz' _ _ e. destruct (Z.eq_dec z z') as [|hne]; [auto|]. exfalso.
    pose proof (quotients_differ (k * T) z z' hkT (hap z z' (or_intror hz) (or_intror hz') hne)) as hq. apply hq.
    assert (e' : ix z = ix z') by nia. unfold ix in e'. cbv zeta in e'. pose proof (hne0 z hz). pose proof (hne0 z' hz').
    destruct (Z.ltb_spec i0 (z / (k * T))), (Z.leb_spec (z / (k * T)) iA), (Z.ltb_spec i0 (z' / (k * T))), (Z.leb_spec (z' / (k * T)) iA); cbn [andb] in e'; lia.
Qed.

(** The chains of each DAG on q's pool, and the spots of its jobs. *)
Record visited_by (S : system) (F : node -> Z) (v q : node) (lo hi : Z) (chains : Z -> list (list node)) (spots : Z -> list Z) : Prop := {
  vb_chains : forall d, In d (dag S v :: other_dags S v) -> chains_here S d (pool S q) (chains d);
  vb_spots : forall d, In d (dag S v :: other_dags S v) -> exists E, (forall u, In u (dag_here S d (pool S q)) -> F u <= E) /\
    spots_cover (period S d) (d =? dag S v) lo hi E (spots d);
}.

(** What nodes of a chain do at most in y: of a job that is z old, and of the path's own beside q; in units of 1/k. *)
Record fronts (S : system) (a : accounts) (F : node -> Z) (v q : node) (chains : Z -> list (list node)) (k y : Z)
    (most : list node -> Z -> Z) (own : list node -> Z) (self : Z) : Prop := {
  fr_most : forall d c u z W, In d (dag S v :: other_dags S v) -> In c (chains d) -> In u c -> 0 <= z < k * F u -> 0 <= W <= k * vol a u ->
    exec a u * W <= Z.min (k * F u - z) y * vol a u -> W <= most c z;
  fr_falls : forall c z z', 0 <= z <= z' -> most c z' <= most c z;
  fr_nonneg : forall c z, 0 <= most c z;
  fr_own : forall c u W, In c (chains (dag S v)) -> In u c -> beside S q u -> 0 <= W <= k * vol a u -> exec a u * W <= y * vol a u -> W <= own c;
  fr_own_nonneg : forall c, 0 <= own c;
  fr_self : forall W, 0 <= W <= k * (vol a q - last a q) -> exec a q * W <= y * (vol a q - last a q) -> W <= self;
}.

Arguments vb_chains {S F v q lo hi chains spots}.
Arguments vb_spots {S F v q lo hi chains spots}.
Arguments fr_most {S a F v q chains k y most own self}.
Arguments fr_falls {S a F v q chains k y most own self}.
Arguments fr_nonneg {S a F v q chains k y most own self}.
Arguments fr_own {S a F v q chains k y most own self}.
Arguments fr_own_nonneg {S a F v q chains k y most own self}.
Arguments fr_self {S a F v q chains k y most own self}.

Section Fronts.
  Context (S : system) (wf : well_formed S) (a : accounts) (whole : rules) (F : node -> Z) (v q : node) (hv : In v (nodes S)) (hq : In q (nodes S)).
  Context (hqd : dag S q = dag S v) (lo hi k y : Z) (k_pos : 0 < k).
  Context (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (V : node -> Z -> Z) (hvisit : visit S a whole F v q lo hi k y jobs age j0 V).
  Context (chains : Z -> list (list node)) (spots : Z -> list Z) (hby : visited_by S F v q lo hi chains spots).
  Let p := pool S q.
  Let dags := dag S v :: other_dags S v.
  Let js := fun d => if d =? dag S v then filter (fun j => negb (j =? j0)) (jobs d) else jobs d.

  Lemma js_in d j : In j (js d) -> In j (jobs d).
  Proof. unfold js. destruct (d =? dag S v); [intros hj; now apply filter_In in hj | auto]. Qed.

  Lemma chain_nodes d c u : In d dags -> In c (chains d) -> In u c -> In u (on_pool S p) /\ dag S u = d.
  Proof. intros hd hc hu. destruct (vb_chains hby d hd) as (hcs & _). destruct (hcs c hc) as (_ & hin). apply (here_on_pool S p d u), hin, hu. Qed.

  Lemma one_in_chain d c u1 u2 j : In d dags -> In c (chains d) -> In j (jobs d) -> In u1 c -> In u2 c -> V u1 j <> 0 -> V u2 j <> 0 -> u1 = u2.
  Proof.
    intros hd hc hj h1 h2. destruct (vb_chains hby d hd) as (hcs & _). destruct (hcs c hc) as (hch & hin). now apply (vi_one hvisit d c u1 u2 j).
  Qed.

  (** The spots of all jobs but the path's own. *)
  Lemma spots_of d : In d dags -> exists sp : Z -> Z,
    (forall u j, In u (dag_here S d p) -> In j (js d) -> V u j <> 0 -> In (sp j) (spots d) /\ 0 <= k * sp j <= age j) /\
    forall u j u' j', In u (dag_here S d p) -> In j (js d) -> V u j <> 0 -> In u' (dag_here S d p) -> In j' (js d) -> V u' j' <> 0 -> sp j = sp j' -> j = j'.
  Proof.
    intros hd. destruct (vb_spots hby d hd) as (E & hE & hsp). destruct (vi_jobs hvisit d hd) as (ndj & hap).
    assert (hTd : 0 < period S d) by now apply (period_pos S wf v hv).
    assert (hage : forall i j, In i (jobs d) -> In j (jobs d) -> age i = age j -> i = j).
    { intros i j h1 h2 e. destruct (Z.eq_dec i j) as [|hne]; [auto|]. destruct (hap i j h1 h2 hne); nia. }
    assert (hpat : forall l, NoDup l -> (forall j, In j l -> In j (jobs d)) -> pattern (k * period S d) (map age l)).
    { intros l nd hin. apply pattern_map; [nia | exact nd | intros i j h1 h2; apply hap; auto]. }
    assert (hp : pattern (k * period S d) (if d =? dag S v then age j0 :: map age (js d) else map age (js d))).
    { unfold js. destruct (Z.eqb_spec d (dag S v)) as [->|]; [|now apply hpat]. destruct (vi_own hvisit) as (hj0 & _). apply (hpat (j0 :: _)).
      - constructor; [rewrite filter_In, Z.eqb_refl; cbn; intros (_ & h0); discriminate | now apply NoDup_filter].
      - intros j [<-|hj]; [exact hj0 | now apply filter_In in hj]. }
    destruct (hsp k (map age (js d)) (age j0) k_pos hp) as (sp & h1 & h2); [intros _; apply (vi_own hvisit)|].
    assert (hin : forall u j, In u (dag_here S d p) -> In j (js d) -> V u j <> 0 -> In (age j) (map age (js d)) /\ 0 <= age j < k * E).
    { intros u j hu hj hne. split; [now apply in_map|]. destruct (here_on_pool S p d u hu) as (hup & hud).
      destruct (vi_ready hvisit u j hup ltac:(rewrite hud; now apply js_in) hne) as (h3 & _). specialize (hE u hu). nia. }
    exists (fun j => sp (age j)). split.
    - intros u j hu hj hne. destruct (hin u j hu hj hne). now apply h1.
    - intros u j u' j' hu hj hne hu' hj' hne' e. destruct (hin u j hu hj hne), (hin u' j' hu' hj' hne'). apply hage; [now apply js_in | now apply js_in|].
      now apply h2.
  Qed.

  Section Sums.
    Context (most : list node -> Z -> Z) (own : list node -> Z) (self : Z) (hfr : fronts S a F v q chains k y most own self).

    Lemma V_nonneg d u j : In u (dag_here S d p) -> In j (jobs d) -> 0 <= V u j <= k * vol a u.
    Proof. intros hu hj. destruct (here_on_pool S p d u hu) as (hup & hud). apply (vi_volume hvisit u j hup). now rewrite hud. Qed.

    (* one node of each chain *)
    Lemma one_of_chain d c j (keep : node -> bool) B : In d dags -> In c (chains d) -> In j (jobs d) -> 0 <= B ->
      (forall u, In u c -> keep u = true -> V u j <> 0 -> V u j <= B) -> sum (fun u => ind (keep u) * V u j) c <= B.
    Proof.
      intros hd hc hj hB0 hB. destruct (vb_chains hby d hd) as (hcs & _). destruct (hcs c hc) as ((nd & _) & _).
      destruct (existsb (fun u => negb (V u j =? 0)) c) eqn:hsome.
      - apply existsb_exists in hsome. destruct hsome as (u & hu & hne). apply negb_true_iff, Z.eqb_neq in hne.
        rewrite (sum_unique _ _ u nd hu).
        + destruct (keep u) eqn:hk; cbn [ind]; [|lia]. rewrite Z.mul_1_l. auto.
        + intros u' hu' hne'. destruct (Z.eq_dec (V u' j) 0) as [->|hne0]; [lia|]. exfalso. apply hne'. now apply (one_in_chain d c u' u j).
      - rewrite sum_zero; [exact hB0|]. intros u hu. destruct (Z.eqb_spec (V u j) 0) as [->|hne]; [lia|]. exfalso.
        enough (existsb (fun u => negb (V u j =? 0)) c = true) by congruence. apply existsb_exists. exists u. split; [exact hu|].
        now apply negb_true_iff, Z.eqb_neq.
    Qed.

    Lemma by_chains d (f : node -> Z) : In d dags -> (forall u, In u (dag_here S d p) -> 0 <= f u) -> sum f (dag_here S d p) <= sum (fun c => sum f c) (chains d).
    Proof.
      intros hd f0. destruct (vb_chains hby d hd) as (hcs & hall). transitivity (sum f (concat (chains d))).
      - apply sum_incl; [apply NoDup_filter; unfold dag_nodes; apply NoDup_filter, (wf_nodup wf) | |].
        + intros u hu. destruct (hall u hu) as (c & hc & huc). apply in_concat. eauto.
        + intros u hu. apply in_concat in hu. destruct hu as (c & hc & huc). destruct (hcs c hc) as (_ & hin). auto.
      - apply Z.eq_le_incl. clear. induction (chains d) as [|c cs IH]; [reflexivity|]. cbn [concat sum]. now rewrite sum_app, IH.
    Qed.

    (** Other jobs. *)
    Lemma others_in_front d : In d dags -> sum (fun u => sum (V u) (js d)) (dag_here S d p) <= sum (fun s => sum (fun c => most c (k * s)) (chains d)) (spots d).
    Proof.
      intros hd. destruct (spots_of d hd) as (sp & h1 & h2). rewrite (sum_exchange (fun u j => V u j)).
      set (act := fun j => existsb (fun u => negb (V u j =? 0)) (dag_here S d p)).
      assert (hact : forall j, act j = true -> exists u, In u (dag_here S d p) /\ V u j <> 0).
      { intros j ha. apply existsb_exists in ha. destruct ha as (u & hu & hne). apply negb_true_iff, Z.eqb_neq in hne. eauto. }
      assert (ndj : NoDup (js d)).
      { destruct (vi_jobs hvisit d hd) as (nd & _). unfold js. destruct (d =? dag S v); [now apply NoDup_filter | exact nd]. }
      transitivity (sum (fun s => sum (fun c => most c (k * s)) (chains d)) (map sp (filter act (js d)))).
      - rewrite sum_map, sum_filter. apply sum_le. intros j hj. destruct (act j) eqn:ha; cbn [ind].
        + rewrite Z.mul_1_l. etransitivity; [apply (by_chains d); [exact hd | intros u hu; apply (V_nonneg d u j hu (js_in d j hj))]|].
          destruct (hact j ha) as (u0 & hu0 & hne0). destruct (h1 u0 j hu0 hj hne0) as (_ & hsp).
          apply sum_le. intros c hc. transitivity (sum (fun u => ind true * V u j) c); [apply Z.eq_le_incl, sum_eq; intros; cbn [ind]; lia|].
          apply (one_of_chain d c j (fun _ => true)); auto; [now apply js_in | apply (fr_nonneg hfr)|].
          intros u hu _ hne. destruct (chain_nodes d c u hd hc hu) as (hup & hud).
          destruct (vi_ready hvisit u j hup ltac:(rewrite hud; now apply js_in) hne) as (hr1 & hr2). transitivity (most c (age j)).
          * apply (fr_most hfr d c u (age j)); auto. apply (vi_volume hvisit u j hup). rewrite hud. now apply js_in.
          * apply (fr_falls hfr). lia.
        + rewrite Z.mul_0_l, sum_zero; [lia|]. intros u hu. destruct (Z.eqb_spec (V u j) 0) as [|hne]; [assumption|]. exfalso.
          enough (act j = true) by congruence. apply existsb_exists. exists u. split; [exact hu|]. now apply negb_true_iff, Z.eqb_neq.
      - apply sum_incl.
        + assert (hinj : forall j j', In j (filter act (js d)) -> In j' (filter act (js d)) -> sp j = sp j' -> j = j').
          { intros j j' hj hj' e. apply filter_In in hj, hj'. destruct hj as (hj & ha), hj' as (hj' & ha').
            destruct (hact j ha) as (u & hu & hne), (hact j' ha') as (u' & hu' & hne'). now apply (h2 u j u' j'). }
          assert (ndf : NoDup (filter act (js d))) by now apply NoDup_filter. revert ndf hinj. generalize (filter act (js d)). clear.
          intros l nd hinj. induction l as [|j l IH]; cbn [map]; [constructor|]. inversion nd; subst. constructor.
          * intros hin. apply in_map_iff in hin. destruct hin as (j' & e & hj'). rewrite (hinj j' j) in hj'; auto; [now right | now left].
          * apply IH; auto. intros i j' hi' hj'. apply hinj; now right.
        + intros s hs. apply in_map_iff in hs. destruct hs as (j & <- & hj). apply filter_In in hj. destruct hj as (hj & ha).
          destruct (hact j ha) as (u & hu & hne). now apply (h1 u j).
        + intros s _. apply sum_nonneg. intros c _. apply (fr_nonneg hfr).
    Qed.

    (** The path's own job. *)
    Lemma own_beside : sum (fun u => ind (negb (u =? q)) * V u j0) (dag_here S (dag S v) p) <= sum own (chains (dag S v)) /\ V q j0 <= self.
    Proof.
      destruct (vi_own hvisit) as (hj0 & _). pose proof (or_introl eq_refl : In (dag S v) dags) as hd. split.
      - etransitivity; [apply (by_chains (dag S v)); [exact hd | intros u hu; pose proof (V_nonneg (dag S v) u j0 hu hj0); pose proof (ind_range (negb (u =? q))); nia]|].
        apply sum_le. intros c hc. apply (one_of_chain (dag S v) c j0 (fun u => negb (u =? q))); auto; [apply (fr_own_nonneg hfr)|].
        intros u hu hk hne. apply negb_true_iff, Z.eqb_neq in hk. destruct (chain_nodes (dag S v) c u hd hc hu) as (hup & hud).
        assert (hju : In j0 (jobs (dag S u))) by now rewrite hud. destruct (vi_ready hvisit u j0 hup hju hne) as (_ & h1).
        apply in_on_pool in hup. destruct (vi_beside hvisit u ltac:(apply in_dag_here; fold p; tauto) hne) as [|hb]; [contradiction|].
        apply (fr_own hfr c u); auto; [apply (vi_volume hvisit u j0); [apply in_on_pool; tauto | exact hju]|].
        pose proof (Z.le_min_r (k * F u - age j0) y). assert (hv0 : 0 <= vol a u); [|nia].
        pose proof (vi_volume hvisit u j0 ltac:(apply in_on_pool; tauto) hju). nia.
      - destruct (vi_self hvisit). apply (fr_self hfr); [|assumption]. split; [|assumption].
        apply (vi_volume hvisit q j0); [apply in_on_pool; auto | now rewrite hqd].
    Qed.

    (** So much is done in all. *)
    Theorem visit_total : cap a p * y <= sum own (chains (dag S v)) + self + sum (fun d => sum (fun s => sum (fun c => most c (k * s)) (chains d)) (spots d)) dags.
    Proof.
      etransitivity; [apply (vi_rate hvisit)|]. fold p. unfold in_all. destruct own_beside as (h1 & h2). destruct (vi_own hvisit) as (hj0 & _).
      destruct (vi_jobs hvisit (dag S v) (or_introl eq_refl)) as (ndj & _).
      assert (hself : sum (fun u => V u j0) (dag_here S (dag S v) p) <= sum own (chains (dag S v)) + self).
      { rewrite (sum_split_one (fun u => u =? q)). rewrite (sum_unique (fun u => ind (u =? q) * V u j0) _ q).
        - rewrite Z.eqb_refl. cbn [ind]. lia.
        - apply NoDup_filter. unfold dag_nodes. apply NoDup_filter, (wf_nodup wf).
        - apply in_dag_here. auto.
        - intros u _ hne. rewrite (proj2 (Z.eqb_neq u q) hne). cbn [ind]. lia. }
      transitivity (sum (fun u => V u j0) (dag_here S (dag S v) p) + sum (fun d => sum (fun u => sum (V u) (js d)) (dag_here S d p)) dags).
      - unfold dags. cbn [sum]. assert (hown : sum (fun u => sum (V u) (jobs (dag S v))) (dag_here S (dag S v) p)
            = sum (fun u => V u j0) (dag_here S (dag S v) p) + sum (fun u => sum (V u) (js (dag S v))) (dag_here S (dag S v) p)).
        { rewrite <- sum_add. apply sum_eq. intros u _. unfold js. rewrite Z.eqb_refl, (sum_split_one (fun j => j =? j0)), sum_filter. f_equal.
          rewrite (sum_unique _ _ j0 ndj hj0) by (intros j _ hne; rewrite (proj2 (Z.eqb_neq j j0) hne); cbn [ind]; lia). rewrite Z.eqb_refl. cbn [ind]. lia. }
        rewrite hown. assert (hrest : sum (fun d => sum (fun u => sum (V u) (jobs d)) (dag_here S d p)) (other_dags S v)
            = sum (fun d => sum (fun u => sum (V u) (js d)) (dag_here S d p)) (other_dags S v)); [|lia].
        apply sum_eq. intros d hd. unfold js. apply filter_In in hd. destruct hd as (_ & hd). apply negb_true_iff in hd. now rewrite hd.
      - assert (hle : sum (fun d => sum (fun u => sum (V u) (js d)) (dag_here S d p)) dags
            <= sum (fun d => sum (fun s => sum (fun c => most c (k * s)) (chains d)) (spots d)) dags) by (apply sum_le; intros d hd; now apply others_in_front).
        lia.
    Qed.
  End Sums.

  (** Piece by piece: each is of a chain and has its job's spot, or is of the path's own job. *)
  Definition chain_of (u : node) : list node := match find (fun c => if in_dec Z.eq_dec u c then true else false) (chains (dag S u)) with Some c => c | None => [] end.

  Lemma chain_of_spec u : In u (on_pool S p) -> In (dag S u) dags -> In (chain_of u) (chains (dag S u)) /\ In u (chain_of u).
  Proof.
    intros hu hd. destruct (vb_chains hby (dag S u) hd) as (_ & hall). apply in_on_pool in hu. destruct (hall u) as (c & hc & huc); [apply in_dag_here; fold p; tauto|].
    unfold chain_of. set (has := fun c => if in_dec Z.eq_dec u c then true else false). destruct (find has (chains (dag S u))) as [c'|] eqn:hf.
    - apply find_some in hf. destruct hf as (h1 & h2). unfold has in h2. destruct (in_dec Z.eq_dec u c'); [auto | discriminate].
    - pose proof (find_none _ _ hf c hc) as hn. unfold has in hn. destruct (in_dec Z.eq_dec u c); [discriminate | contradiction].
  Qed.
End Fronts.

(** (b): of all chains at all spots, and of those of the path's own job, [top] taken away, fewer than there are processors. *)
Definition key : Type := list node * option Z.

Definition relay_bound (S : system) (a : accounts) (F : node -> Z) (v q : node) (chains : Z -> list (list node)) (spots : Z -> list Z) (w : Z) : Prop :=
  exists (top rest : list key) (val : key -> Z), let i := Z.of_nat (length top) in
    i < cap a (pool S q) /\
    (forall d c s u, In d (dag S v :: other_dags S v) -> In c (chains d) -> In s (spots d) -> In u c -> 0 <= s < F u ->
       In (c, Some s) (top ++ rest) /\ Z.min (vol a u) (F u - s) <= val (c, Some s)) /\
    (forall c u, In c (chains (dag S v)) -> In u c -> beside S q u -> In (c, None) (top ++ rest) /\ vol a u <= val (c, None)) /\
    forall D, NoDup D -> incl D rest -> (cap a (pool S q) - i) * Z.of_nat (length D) <= Z.of_nat (length rest) -> sum val D <= w.

(** (c): all chains at all spots, and those of the path's own job, one after the other, and then q but for its last block's time. *)
Definition turns_bound (S : system) (a : accounts) (whole : rules) (F : node -> Z) (v q : node) (chains : Z -> list (list node)) (spots : Z -> list Z)
    (w : Z) : Prop :=
  exists (all : list key) (val : key -> Z),
    (forall d c s u, In d (dag S v :: other_dags S v) -> In c (chains d) -> In s (spots d) -> In u c -> 0 <= s < F u ->
       In (c, Some s) all /\ alone whole u <= val (c, Some s)) /\
    (forall c u, In c (chains (dag S v)) -> In u c -> beside S q u -> In (c, None) all /\ alone whole u <= val (c, None)) /\
    (forall x, In x all -> 0 <= val x) /\ sum val all + (alone whole q - exec a q) <= w.

(** What bounds a visit: (a), (b) or (c). *)
Inductive visit_bound (S : system) (a : accounts) (whole : rules) (F : node -> Z) (v q : node) (chains : Z -> list (list node)) (spots : Z -> list Z)
    (w : Z) : Prop :=
| visit_by_work : (forall k y, 0 < k -> k * w < y -> exists most own self, fronts S a F v q chains k y most own self /\
      sum own (chains (dag S v)) + self + sum (fun d => sum (fun s => sum (fun c => most c (k * s)) (chains d)) (spots d)) (dag S v :: other_dags S v)
        < cap a (pool S q) * y) -> visit_bound S a whole F v q chains spots w
| visit_by_pieces : whole (pool S q) = true -> of_processors S a (pool S q) -> relay_bound S a F v q chains spots w -> visit_bound S a whole F v q chains spots w
| visit_by_turns : in_turn whole (pool S q) = true -> turns_bound S a whole F v q chains spots w -> visit_bound S a whole F v q chains spots w.

Definition key_dec (x x' : key) : {x = x'} + {x <> x'}.
Proof. decide equality; [decide equality; apply Z.eq_dec | apply list_eq_dec, Z.eq_dec]. Defined.

(** Of pieces that are there each has a key of its own: its chain, and its job's spot, if it is not of the path's own job. *)
Theorem pieces_keyed S (wf : well_formed S) a whole F v q (hv : In v (nodes S)) lo hi k y (k_pos : 0 < k)
    jobs age j0 V (hvisit : visit S a whole F v q lo hi k y jobs age j0 V) chains spots (hby : visited_by S F v q lo hi chains spots) (P : list (node * Z)) :
  (forall u j, In (u, j) P -> In u (on_pool S (pool S q)) /\ In j (jobs (dag S u)) /\ V u j <> 0) ->
  exists kf : node * Z -> key, (forall x x', In x P -> In x' P -> kf x = kf x' -> x = x') /\
    forall u j, In (u, j) P -> exists c, In (dag S u) (dag S v :: other_dags S v) /\ In c (chains (dag S u)) /\ In u c /\ In u (dag_here S (dag S u) (pool S q)) /\
      ((dag S u = dag S v /\ j = j0 /\ kf (u, j) = (c, None)) \/ exists s, In s (spots (dag S u)) /\ 0 <= k * s <= age j /\ kf (u, j) = (c, Some s)).
Proof.
  intros hP. set (p := pool S q) in *. set (dags := dag S v :: other_dags S v) in *.
  assert (hsps : exists sp : Z -> Z -> Z, forall d, In d dags ->
            (forall u j, In u (dag_here S d p) -> In j (if d =? dag S v then filter (fun j => negb (j =? j0)) (jobs d) else jobs d) -> V u j <> 0 ->
               In (sp d j) (spots d) /\ 0 <= k * sp d j <= age j) /\
            forall u j u' j', In u (dag_here S d p) -> In j (if d =? dag S v then filter (fun j => negb (j =? j0)) (jobs d) else jobs d) -> V u j <> 0 ->
              In u' (dag_here S d p) -> In j' (if d =? dag S v then filter (fun j => negb (j =? j0)) (jobs d) else jobs d) -> V u' j' <> 0 -> sp d j = sp d j' -> j = j').
  { assert (hall : forall d, In d dags -> In d dags) by auto. revert hall. generalize dags at 1 3. intros ds. induction ds as [|d ds IH]; intros hall.
    - exists (fun _ _ => 0). easy.
    - destruct IH as (sp & hsp); [intros d' hd'; apply hall; now right|].
      destruct (spots_of S wf a whole F v q hv lo hi k y k_pos jobs age j0 V hvisit chains spots hby d (hall d (or_introl eq_refl))) as (sp0 & hsp0).
      exists (fun d' => if d' =? d then sp0 else sp d'). intros d' hd'. destruct (Z.eqb_spec d' d) as [->|hne]; [exact hsp0|].
      apply hsp. destruct hd' as [<-|hd']; [now elim hne | exact hd']. }
  destruct hsps as (sp & hsp).
  set (own := fun uj : node * Z => (dag S (fst uj) =? dag S v) && (snd uj =? j0)).
  set (kf := fun uj : node * Z => (chain_of S chains (fst uj), if own uj then None else Some (sp (dag S (fst uj)) (snd uj))) : key).
  assert (hfacts : forall u j, In (u, j) P -> In u (on_pool S p) /\ In (dag S u) dags /\ In j (jobs (dag S u)) /\ V u j <> 0 /\
            In (chain_of S chains u) (chains (dag S u)) /\ In u (chain_of S chains u) /\ In u (dag_here S (dag S u) p) /\
            (own (u, j) = false -> In j (if dag S u =? dag S v then filter (fun j => negb (j =? j0)) (jobs (dag S u)) else jobs (dag S u)))).
  { intros u j hin. apply hP in hin. destruct hin as (hu & hj & hne). pose proof (dag_in S v q u hu) as hd. fold p dags in hd.
    destruct (chain_of_spec S F v q lo hi jobs j0 chains spots hby u hu hd) as (h1 & h2). pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup).
    repeat split; auto; [now apply in_dag_here|]. intros ho. unfold own in ho. cbn [fst snd] in ho. destruct (dag S u =? dag S v); [|exact hj].
    apply filter_In. cbn [andb] in ho. now rewrite ho. }
  assert (hinj : forall x x', In x P -> In x' P -> kf x = kf x' -> x = x').
  { intros (u, j) (u', j') hx hx' e. destruct (hfacts u j hx) as (h1 & h2 & h3 & h4 & h5 & h6 & h7 & h8), (hfacts u' j' hx') as (g1 & g2 & g3 & g4 & g5 & g6 & g7 & g8).
    unfold kf in e. cbn [fst snd] in e. injection e as ec es. assert (hdd : dag S u = dag S u').
    { rewrite <- ec in g6. now destruct (chain_nodes S F v q lo hi chains spots hby (dag S u) (chain_of S chains u) u' h2 h5 g6) as (_ & ->). }
    assert (hjj : j = j').
    { destruct (own (u, j)) eqn:o1, (own (u', j')) eqn:o2; try discriminate.
      - unfold own in o1, o2. cbn [fst snd] in o1, o2. apply andb_prop in o1, o2. destruct o1 as (_ & o1), o2 as (_ & o2). apply Z.eqb_eq in o1, o2. congruence.
      - injection es as es. destruct (hsp (dag S u) h2) as (_ & hs2). rewrite <- hdd in es, g7, g8. apply (hs2 u j u' j'); auto. }
    subst j'. f_equal. apply (one_in_chain S a whole F v q lo hi k y jobs age j0 V hvisit chains spots hby (dag S u) (chain_of S chains u) u u' j); auto. now rewrite ec. }
  exists kf. split; [exact hinj|]. intros u j hx. destruct (hfacts u j hx) as (h1 & h2 & h3 & h4 & h5 & h6 & h7 & h8). exists (chain_of S chains u).
  split; [exact h2|]. split; [exact h5|]. split; [exact h6|]. split; [exact h7|]. unfold kf. cbn [fst snd]. destruct (own (u, j)) eqn:ho.
  - left. unfold own in ho. cbn [fst snd] in ho. apply andb_prop in ho. destruct ho as (o1 & o2). apply Z.eqb_eq in o1, o2. auto.
  - right. destruct (hsp (dag S u) h2) as (hs1 & _). destruct (hs1 u j h7 (h8 eq_refl) h4) as (e1 & e2). exists (sp (dag S u) j). auto.
Qed.

Lemma keys_differ (kf : node * Z -> key) P Q : (forall x x', In x P -> In x' P -> kf x = kf x' -> x = x') -> NoDup Q -> incl Q P -> NoDup (map kf Q).
Proof.
  intros hinj nd hin. induction Q as [|x Q IH]; cbn [map]; [constructor|]. inversion nd; subst. constructor.
  - intros hx. apply in_map_iff in hx. destruct hx as (x' & e & hx'). rewrite (hinj x' x) in hx'; auto; [apply hin; now right | apply hin; now left].
  - apply IH; [assumption | intros z hz; apply hin; now right].
Qed.

Theorem visit_waits S (wf : well_formed S) a whole F v q (hv : In v (nodes S)) (hq : In q (nodes S)) (hqd : dag S q = dag S v) lo hi k y (k_pos : 0 < k)
    jobs age j0 V (hvisit : visit S a whole F v q lo hi k y jobs age j0 V) chains spots (hby : visited_by S F v q lo hi chains spots) w :
  visit_bound S a whole F v q chains spots w -> y <= k * w.
Proof.
  intros [hwork | hwhole hproc (top & rest & val & htop & hval & hown & hsum) | hturns (all & val & hval & hown & hval0 & hsum)].
  - destruct (Z_le_gt_dec y (k * w)) as [|hgt]; [assumption|]. exfalso. destruct (hwork k y k_pos ltac:(lia)) as (most & own & self & hfr & hlt).
    pose proof (visit_total S wf a whole F v q hv hq hqd lo hi k y k_pos jobs age j0 V hvisit chains spots hby most own self hfr). lia.
  - set (p := pool S q) in *. set (dags := dag S v :: other_dags S v) in *.
    destruct (vi_relay hvisit hwhole) as (P & ndP & hP & hrelay). fold p in hP, hrelay.
    destruct (pieces_keyed S wf a whole F v q hv lo hi k y k_pos jobs age j0 V hvisit chains spots hby P (fun u j => proj1 (hP u j))) as (kf & hinj & hfacts).
    assert (hkey : forall x, In x P -> In (kf x) (top ++ rest) /\ V (fst x) (snd x) <= k * val (kf x)).
    { intros (u, j) hx. destruct (hfacts u j hx) as (c & h2 & h5 & h6 & h7 & hk). cbn [fst snd]. destruct (proj1 (hP u j) hx) as (h1 & h3 & h4).
      destruct (vi_ready hvisit u j h1 h3 h4) as (hr1 & hr2). pose proof (vi_volume hvisit u j h1 h3) as hv1. destruct (hproc u h1) as (hvol & _).
      destruct hk as [(o1 & -> & ->) | (s & e1 & e2 & ->)].
      - rewrite o1 in *. destruct (vi_beside hvisit u h7 h4) as [->|hb].
        + exfalso. destruct (vi_self hvisit) as (hs & _). destruct (hproc q h1) as (e1 & e2). apply h4. rewrite e1, e2 in hs.
          pose proof (vi_volume hvisit q j0 h1 ltac:(now rewrite hqd)). lia.
        + destruct (hown c u h5 h6 hb) as (e1 & e2). split; [exact e1|]. etransitivity; [apply hv1|]. nia.
      - destruct (hval (dag S u) c s u h2 h5 e1 h6 ltac:(nia)) as (e3 & e4). split; [exact e3|].
        rewrite hvol in hr2. transitivity (k * Z.min (vol a u) (F u - s)); [|nia].
        assert (V u j <= k * F u - age j).
        { destruct (Z.eq_dec (exec a u) 0) as [e0|hne0]; [rewrite hvol, e0 in hv1; lia|]. assert (0 < exec a u) by (rewrite hvol in hv1; nia). nia. }
        nia. }
    set (keep := fun uj => if in_dec key_dec (kf uj) top then false else true).
    assert (hsplit : Z.of_nat (length P) - Z.of_nat (length (filter keep P)) = Z.of_nat (length (filter (fun x => negb (keep x)) P))).
    { clear. induction P as [|x P IH]; [reflexivity|]. cbn [filter length]. destruct (keep x); cbn [negb length]; lia. }
    assert (hfew : Z.of_nat (length (filter (fun x => negb (keep x)) P)) <= Z.of_nat (length top)).
    { rewrite <- (map_length kf). apply Nat2Z.inj_le, NoDup_incl_length.
      - apply (keys_differ kf P); [exact hinj | now apply NoDup_filter | intros x hx; now apply filter_In in hx].
      - intros z hz. apply in_map_iff in hz. destruct hz as (x & <- & hx). apply filter_In in hx. destruct hx as (_ & hx). unfold keep in hx.
        destruct (in_dec key_dec (kf x) top); [assumption | discriminate]. }
    assert (hkeep : forall x, In x (filter keep P) -> In (kf x) rest).
    { intros x hx. apply filter_In in hx. destruct hx as (hx & hk). destruct (hkey x hx) as (e1 & _). apply in_app_iff in e1. unfold keep in hk.
      destruct (in_dec key_dec (kf x) top); [discriminate | tauto]. }
    specialize (hrelay keep). cbv zeta in hrelay. rewrite hsplit in hrelay. destruct (hrelay ltac:(lia)) as (D & d1 & d2 & d3 & d4).
    etransitivity; [exact d4|]. transitivity (sum (fun x => k * val (kf x)) D).
    + apply sum_le. intros x hx. apply hkey. specialize (d2 x hx). now apply filter_In in d2.
    + rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|]. rewrite <- (sum_map kf val). apply hsum.
      * apply (keys_differ kf P); [exact hinj | exact d1 | intros x hx; specialize (d2 x hx); now apply filter_In in d2].
      * intros z hz. apply in_map_iff in hz. destruct hz as (x & <- & hx). now apply hkeep, d2.
      * rewrite map_length. assert (h1 : Z.of_nat (length (filter keep P)) <= Z.of_nat (length rest)).
        { rewrite <- (map_length kf). apply Nat2Z.inj_le, NoDup_incl_length.
          - apply (keys_differ kf P); [exact hinj | now apply NoDup_filter | intros x hx; now apply filter_In in hx].
          - intros z hz. apply in_map_iff in hz. destruct hz as (x & <- & hx). now apply hkeep. }
        nia.
  - set (p := pool S q) in *. destruct (vi_turns hvisit hturns) as (P & ndP & hP & hlen). fold p in hP.
    destruct (pieces_keyed S wf a whole F v q hv lo hi k y k_pos jobs age j0 V hvisit chains spots hby P) as (kf & hinj & hfacts).
    { intros u j hx. destruct (hP u j hx) as (h1 & h2 & h3 & _). auto. }
    assert (hkey : forall x, In x P -> In (kf x) all /\ alone whole (fst x) <= val (kf x)).
    { intros (u, j) hx. destruct (hfacts u j hx) as (c & h2 & h5 & h6 & h7 & hk). cbn [fst]. destruct (hP u j hx) as (h1 & h3 & h4 & hne).
      destruct hk as [(o1 & -> & ->) | (s & e1 & e2 & ->)].
      - rewrite o1 in *. destruct (vi_beside hvisit u h7 h4) as [->|hb]; [congruence|]. now apply hown.
      - destruct (vi_ready hvisit u j h1 h3 h4) as (hr1 & _). apply (hval (dag S u) c s u h2 h5 e1 h6). nia. }
    assert (hall : sum (fun uj => alone whole (fst uj)) P <= sum val all).
    { transitivity (sum val (map kf P)).
      - rewrite sum_map. apply sum_le. intros x hx. now apply hkey.
      - apply sum_incl; [apply (keys_differ kf P P hinj ndP), incl_refl | | exact hval0]. intros z hz. apply in_map_iff in hz. destruct hz as (x & <- & hx). now apply hkey. }
    nia.
Qed.
