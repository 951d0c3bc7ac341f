(** T10d without preemption: each DAG as a whole, and of lower priority the most that some pieces have, which had started before. A node on such a
    pool does not matter any more from the last instant on at which it has to start. docs/theory/path.md, "T10d without preemption".

    As in T10d sums are in halves. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w path.Windows
  path.T12 path.T10d path.Started.

(** w, in units of 1/M, is no less than path l waits on pool p. *)
Definition waits_beside_started (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim lims lima : node -> option Z) (v : node) (L : Z)
    (l : list node) (M p w : Z) : Prop :=
  forall k y jobs age j0 W B1 B2, 0 < k -> started_meanwhile S a full F lim lims lima v L l p k y jobs age j0 W B1 B2 -> M * y <= k * w.

(** How long other work matters: on a pool without preemption v has started by F_v - C_v or not at all. *)
Definition window (S : system) (a : accounts) (F : node -> Z) (keeps : Z -> bool) (v : node) : Z :=
  if keeps (pool S v) then F v - exec a v + 1 else F v.

(** By lims what may go on was released, if it had started before some node of a path was ready. *)
Definition limits_started (S : system) (F : node -> Z) (v : node) (lims : node -> option Z) : Prop := forall q u,
  ancestor_or_self S q v -> In u (nodes S) -> pool S u = pool S q -> may_lag S q u = true -> limit_le (Some (ready_bound S F q)) (lims u).

Definition started_inequality (S : system) (a : accounts) (full keeps : Z -> bool) (F : node -> Z) (v : node) : Prop :=
  exists M lim lims lima, 0 < M /\ 0 < exec a v /\ limits S F v lim /\ limits_started S F v lims /\
    (forall u, limit_le (lim u) (lima u) /\ limit_le (lims u) (lima u)) /\
    forall l, path S l v -> exists w,
      (forall p, In p (visited S l) -> waits_beside_started S a full F lim lims lima v (window S a F keeps v) l M p (w p)) /\
      sum (fun x => M * exec a x) l + sum w (visited S l) <= M * F v.

Section T10d_np.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Theorem T10d_np_safe g a full keeps F v :
    keeps_laws S h g a -> meets_few S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
    (forall p, full p = true -> of_processors S a p /\ forall s, rate S g p s <= cap a p) -> (forall p, full p = true -> lagging a p <= cap a p) ->
    (keeps (pool S v) = true -> goes_on S h g v) ->
    In v (nodes S) -> started_inequality S a full keeps F v -> safe S h F v.
  Proof.
    intros laws hfew hF hless hfull hlag hkeeps hv (M & lim & lims & lima & Mpos & hev & hlim & hlims & hlima & hineq) r hr met.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    pose proof (F_nonneg S h g a laws F hF v hv) as F0. pose proof (hF v hv) as heF. set (t := r + F v) in *.
    set (Fv := if keeps (pool S v) then F v - exec a v else F v). set (b := r + window S a F keeps v).
    assert (hFv : 0 <= Fv <= F v) by (unfold Fv; destruct (keeps (pool S v)); lia).
    assert (hb : r <= b <= t /\ b <= r + Fv + 1) by (unfold b, Fv, window, t; destruct (keeps (pool S v)); lia).
    assert (hmissed : done h v r (r + Fv) = false).
    { destruct (done h v r (r + Fv)) eqn:hd; [|reflexivity]. rewrite (legal_done lg v r (r + Fv) t hd) in missed by (unfold t; lia). discriminate. }
    destruct (late_walk S h wf lg r v (r + Fv) hv hr ltac:(lia) hmissed) as (l & x & hl & hwalked & hx & hxn & cover).
    assert (exists k, path S (k ++ l) v) as (k & hl').
    { destruct hx as [->|ha]; [exists []; exact hl | eapply path_extends; eauto]. }
    assert (hincl : incl l (k ++ l)) by (apply incl_appr, incl_refl).
    destruct (hineq (k ++ l) hl') as (w & hw & hsum).
    set (y := fun p => sum (fun s => ind (path_waits S g r (k ++ l) p s)) (range r b)).
    (* execution and waiting explain too little *)
    assert (hexec : sum (fun q => sum (fun s => ind (executes S h g r q s)) (range r b)) (k ++ l) + (F v + 1 - (b - r)) <= sum (exec a) (k ++ l)).
    { transitivity (sum (fun q => sum (fun s => ind (executes S h g r q s)) (range r b) + ind (q =? v) * (F v + 1 - (b - r))) (k ++ l)).
      - rewrite sum_add. apply Z.add_le_mono_l. rewrite sum_scale_r.
        assert (1 <= sum (fun q => ind (q =? v)) (k ++ l)); [|assert (0 <= F v + 1 - (b - r)) by (unfold t in hb; lia); nia].
        etransitivity; [|apply (sum_in (fun q => ind (q =? v)) (k ++ l) v); [intros; apply ind_range | exact (path_last S _ v hl')]].
        cbv beta. rewrite Z.eqb_refl. cbn. lia.
      - apply sum_le. intros q hq. destruct (path_nodes S _ v wf hv hl' q hq) as (hqn & _).
        destruct (Z.eqb_spec q v) as [->|]; cbn [ind]; [|rewrite Z.add_0_r; now apply (law_exec laws)].
        unfold b, window, Fv in *. destruct (keeps (pool S v)) eqn:hk.
        + (* it has not started by then *)
          rewrite sum_zero; [lia|]. intros s hs. rewrite in_range in hs. destruct (executes S h g r v s) eqn:he; [|reflexivity]. exfalso.
          unfold executes in he. apply andb_prop in he. destruct he as (hp & hnw). apply negb_true_iff in hnw.
          pose proof (hless r (t - exec a v) t missed) as hl0.
          rewrite (sum_eq _ (fun _ => 1)), sum_range_const in hl0 by (try lia; intros s' hs'; rewrite in_range in hs'; unfold executes;
            assert (hp' : pending S h v r s' = true)
              by (apply pending_spec in hp; apply pending_spec; split; [apply (ready_stays S h lg v r s s' (proj1 hp)); unfold t in *; lia|];
                  destruct (done h v r s') eqn:hd; [rewrite (legal_done lg v r s' t hd) in missed by lia; discriminate | reflexivity]);
            rewrite hp', (hkeeps eq_refl r s s' hp hnw) by (auto; unfold t in *; lia); reflexivity).
          lia.
        + pose proof (hless r r (r + F v) missed). lia. }
    pose proof (time_split S h g r Fv l cover (k ++ l) hincl b ltac:(lia)) as hsplit.
    (* no pool is waited for longer than w says *)
    assert (hy : forall p, In p (visited S (k ++ l)) -> M * y p <= w p).
    { intros p hp. pose proof (limits_are_sound S h g a F v lim wf lg laws hv hlim) as hls.
      pose proof (started_in_window S h g a wf lg laws hfew full hfull hlag F v r hv hr met Fv b) as hst.
      specialize (hst (proj1 hb) (proj2 hb) l x hl hx hwalked cover k hl' lim lims lima hls hlims hlima p).
      replace (b - r) with (window S a F keeps v) in hst by (unfold b; ring).
      specialize (hw p hp _ _ _ _ _ _ _ _ Z.lt_0_1 hst). fold (y p) in hw. lia. }
    assert (hysum : M * sum y (visited S (k ++ l)) <= sum w (visited S (k ++ l))) by (rewrite <- sum_scale; now apply sum_le).
    rewrite sum_scale in hsum. change (sum (fun a0 => exec a a0) (k ++ l)) with (sum (exec a) (k ++ l)) in hsum.
    change (b - r <= sum (fun q => sum (fun s => ind (executes S h g r q s)) (range r b)) (k ++ l) + sum y (visited S (k ++ l))) in hsplit.
    nia.
  Qed.
End T10d_np.

(** How often pieces of node u may go on, of lower priority than a node of a path to v on u's pool: of jobs released in (fl, A] from its release
    on, of the path's own job not where u comes before or after all of these. *)
Definition started_count (S : system) (F : node -> Z) (v u : node) (N : Z) : Prop :=
  let T := period S (dag S u) in let meets q := ancestor_or_self S q v /\ pool S q = pool S u /\ may_lag S q u = true in
  0 <= N /\ ((forall q, ~ meets q) \/ exists fl A self, 0 <= A /\ 0 <= self /\
    (forall q, meets q -> fl <= lag_floor S F q u /\ ready_bound S F q <= A) /\
    if dag S u =? dag S v then
      (1 <= self \/ forall q, meets q -> u = q \/ ancestor S u q \/ ancestor S q u \/ 0 <= lag_floor S F q u) /\
      self + (Z.max 0 (cdiv (- fl - T) T) + A / T) <= N
    else Z.max 0 (cdiv (A - fl) T) <= N).

(** No n pieces, at most nb u of node u, have more than Z2 halves of work; of those of a DAG no more than room counts. *)
Definition pieces_at_most (S : system) (a : accounts) (v : node) (p : Z) (nb : node -> Z) (room : Z -> option Z) (n Z2 : Z) : Prop :=
  forall c : node -> Z, (forall u, In u (on_pool S p) -> 0 <= c u <= nb u) -> sum c (on_pool S p) <= n ->
    sum (fun d => let w := 2 * sum (fun u => c u * vol a u) (dag_here S d p) in match room d with None => w | Some R => Z.min R w end)
      (dag S v :: other_dags S v) <= Z2.

Section Count.
  Context (S : system) (wf : well_formed S) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim lims lima : node -> option Z) (v : node) (hv : In v (nodes S)).
  Context (L : Z) (l : list node) (hl : path S l v) (p k y : Z) (k_pos : 0 < k) (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W B1 B2 : node -> Z -> Z).
  Context (hrun : started_meanwhile S a full F lim lims lima v L l p k y jobs age j0 W B1 B2).
  Let B := fun u j => B1 u j + B2 u j.
  Let dags := dag S v :: other_dags S v.

  Lemma dag_of u : In u (on_pool S p) -> In (dag S u) dags.
  Proof.
    intros hu. apply in_on_pool in hu. destruct hu as (hun & _). destruct (Z.eq_dec (dag S u) (dag S v)) as [->|hne]; [now left|]. right.
    apply filter_In. split; [apply nodup_In; now apply in_map | now apply negb_true_iff, Z.eqb_neq].
  Qed.

  Definition pieces (u : node) : list Z := filter (fun j => negb (B u j =? 0)) (jobs (dag S u)).

  Lemma pieces_spec u j : In j (pieces u) <-> In j (jobs (dag S u)) /\ B u j <> 0.
  Proof. unfold pieces. rewrite filter_In, negb_true_iff, Z.eqb_neq. tauto. Qed.

  Lemma apart u i j : In u (on_pool S p) -> In i (jobs (dag S u)) -> In j (jobs (dag S u)) -> i <> j ->
    age i + k * period S (dag S u) <= age j \/ age j + k * period S (dag S u) <= age i.
  Proof. intros hu. destruct (dm_jobs (sm_all hrun) (dag S u) (dag_of u hu)) as (_ & hap). apply hap. Qed.

  Lemma pieces_nodup u : In u (on_pool S p) -> NoDup (pieces u).
  Proof. intros hu. apply NoDup_filter. now destruct (dm_jobs (sm_all hrun) (dag S u) (dag_of u hu)). Qed.

  (* Some of them, released in a window. *)
  Lemma pieces_in u (keep : Z -> bool) lo len : In u (on_pool S p) ->
    (forall j, In j (pieces u) -> keep j = true -> lo < - age j <= lo + len) ->
    Z.of_nat (length (filter keep (pieces u))) <= Z.max 0 (cdiv len (k * period S (dag S u))).
  Proof.
    intros hu hin. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _). pose proof (wf_period wf u hun) as hT.
    rewrite <- (map_length (fun j => - age j)).
    assert (hpat : pattern (k * period S (dag S u)) (map (fun j => - age j) (filter keep (pieces u)))).
    { apply pattern_map; [nia | apply NoDup_filter; now apply pieces_nodup|]. intros i j hi hj hne. apply filter_In in hi, hj.
      destruct hi as (hi & _), hj as (hj & _). apply pieces_spec in hi, hj. destruct (apart u i j hu ltac:(tauto) ltac:(tauto) hne); lia. }
    destruct hpat as (nd & hap). apply (instants_in (k * period S (dag S u)) _ lo len ltac:(nia) nd hap). intros x hx. apply in_map_iff in hx. destruct hx as (j & <- & hj).
    apply filter_In in hj. now apply hin.
  Qed.

  Lemma pieces_counted u N : In u (on_pool S p) -> started_count S F v u N -> Z.of_nat (length (pieces u)) <= N.
  Proof.
    intros hu (hN & hcount). pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup). pose proof (wf_period wf u hun) as hT. set (T := period S (dag S u)) in *.
    assert (hmeets : forall j, In j (pieces u) -> exists q, (ancestor_or_self S q v /\ pool S q = pool S u /\ may_lag S q u = true) /\
              k * lag_floor S F q u < - age j <= k * ready_bound S F q /\ (dag S u = dag S v -> j = j0 -> u <> q /\ ~ ancestor S u q /\ ~ ancestor S q u)).
    { intros j hj. apply pieces_spec in hj. destruct hj as (hj & hne). destruct (sm_lower hrun u j hu hj hne) as (q & hq & hqp & h1 & h2 & h3).
      exists q. split; [|auto]. split; [now apply (path_ancestors S l v hl) | split; [congruence | exact h1]]. }
    destruct hcount as [hno | (fl & A & self & hA & hself & hall & hcount)].
    - destruct (pieces u) as [|j js] eqn:he; [exact hN|]. destruct (hmeets j (or_introl eq_refl)) as (q & hm & _). destruct (hno q hm).
    - assert (hwin : forall j, In j (pieces u) -> k * fl < - age j <= k * A).
      { intros j hj. destruct (hmeets j hj) as (q & hm & h2 & _). destruct (hall q hm) as (h3 & h4).
        pose proof (Z.mul_le_mono_nonneg_l _ _ k ltac:(lia) h3). pose proof (Z.mul_le_mono_nonneg_l _ _ k ltac:(lia) h4). lia. }
      destruct (Z.eqb_spec (dag S u) (dag S v)) as [hd|hd].
      + destruct hcount as (hown & hle). etransitivity; [|exact hle]. destruct (dm_own (sm_all hrun)) as (hj0 & hage0).
        set (early := filter (fun j => 0 <? age j) (pieces u)). set (late := filter (fun j => age j <? 0) (pieces u)).
        assert (hother : forall j, In j (pieces u) -> j <> j0 -> age j + k * T <= 0 \/ k * T <= age j).
        { intros j hj hne. apply pieces_spec in hj. rewrite <- hd in hj0. destruct (apart u j j0 hu ltac:(tauto) hj0 hne) as [h1|h1]; fold T in h1; lia. }
        assert (hsplit : Z.of_nat (length (pieces u)) = sum (fun j => ind (j =? j0)) (pieces u) + (Z.of_nat (length early) + Z.of_nat (length late))).
        { unfold early, late. rewrite <- !sum_length, <- !sum_add. transitivity (sum (fun _ => 1) (pieces u)); [rewrite sum_const; lia|]. apply sum_eq.
          intros j hj. destruct (Z.eqb_spec j j0) as [->|hne]; [rewrite hage0; reflexivity|]. destruct (hother j hj hne); cbn [ind];
            destruct (Z.ltb_spec 0 (age j)), (Z.ltb_spec (age j) 0); cbn [ind]; nia. }
        rewrite hsplit. apply Z.add_le_mono; [|apply Z.add_le_mono].
        * destruct (in_dec Z.eq_dec j0 (pieces u)) as [hin|hout].
          -- destruct hown as [h1|h1].
             ++ etransitivity; [|exact h1]. rewrite (sum_unique _ _ j0 (pieces_nodup u hu) hin); [rewrite Z.eqb_refl; cbn; lia|].
                intros j _ hne. now rewrite (proj2 (Z.eqb_neq j j0) hne).
             ++ exfalso. destruct (hmeets j0 hin) as (q & hm & h2 & h3). destruct (h3 hd eq_refl) as (h4 & h5 & h6).
                destruct (h1 q hm) as [|[|[|h7]]]; auto. rewrite hage0 in h2. nia.
          -- rewrite sum_zero; [exact hself|]. intros j hj. destruct (Z.eqb_spec j j0) as [->|]; [contradiction | reflexivity].
        * etransitivity; [apply (pieces_in u (fun j => 0 <? age j) (k * fl) (k * (- fl - T)) hu)|].
          -- intros j hj hpos. apply Z.ltb_lt in hpos. pose proof (hwin j hj). destruct (hother j hj ltac:(intros ->; lia)); nia.
          -- fold T. now rewrite cdiv_times by lia.
        * etransitivity; [apply (pieces_in u (fun j => age j <? 0) (k * T - 1) (k * (A - T) + 1) hu)|].
          -- intros j hj hneg. apply Z.ltb_lt in hneg. pose proof (hwin j hj). destruct (hother j hj ltac:(intros ->; lia)); nia.
          -- fold T. rewrite cdiv_floor by nia. replace (k * (A - T) + 1 - 1) with (k * (A - T)) by ring. rewrite Z.div_mul_cancel_l by lia.
             replace (A - T) with (A + (-1) * T) by ring. rewrite Z.div_add by lia. pose proof (Z.div_pos A T hA hT). lia.
      + etransitivity; [|exact hcount]. etransitivity; [|etransitivity; [apply (pieces_in u (fun _ => true) (k * fl) (k * (A - fl)) hu)|]].
        * apply Z.eq_le_incl. f_equal. f_equal. clear. induction (pieces u) as [|j js IH]; [reflexivity|]. cbn. now f_equal.
        * intros j hj _. pose proof (hwin j hj). nia.
        * fold T. now rewrite cdiv_times by lia.
  Qed.

  (** All pairs of such a node and job. *)
  Definition pairs (P : node -> Z -> bool) : list (node * Z) := flat_map (fun u => map (fun j => (u, j)) (filter (P u) (jobs (dag S u)))) (on_pool S p).

  Lemma in_pairs P u j : In (u, j) (pairs P) <-> In u (on_pool S p) /\ In j (jobs (dag S u)) /\ P u j = true.
  Proof.
    unfold pairs. rewrite in_flat_map. split.
    - intros (u' & hu & hin). apply in_map_iff in hin. destruct hin as (j' & [= <- <-] & hj). apply filter_In in hj. tauto.
    - intros (hu & hj & hP). exists u. split; [exact hu|]. apply in_map, filter_In. auto.
  Qed.

  Lemma pairs_nodup P : NoDup (pairs P).
  Proof.
    unfold pairs. assert (nd : NoDup (on_pool S p)) by (apply NoDup_filter, (wf_nodup wf)).
    assert (hin : forall u, In u (on_pool S p) -> NoDup (jobs (dag S u))) by (intros u hu; now destruct (dm_jobs (sm_all hrun) (dag S u) (dag_of u hu))).
    induction (on_pool S p) as [|u us IH]; cbn [flat_map]; [constructor|]. inversion nd; subst. apply nodup_app.
    - apply FinFun.Injective_map_NoDup; [intros i j e; now injection e|]. apply NoDup_filter, hin. now left.
    - apply IH; auto. intros z hz. apply hin. now right.
    - intros (u', j) h1 h2. apply in_map_iff in h1. destruct h1 as (j' & [= <- <-] & _). apply in_flat_map in h2. destruct h2 as (u2 & h3 & h4).
      apply in_map_iff in h4. destruct h4 as (j2 & [= <- <-] & _). contradiction.
  Qed.

  Lemma pairs_length P : Z.of_nat (length (pairs P)) = sum (fun u => Z.of_nat (length (filter (P u) (jobs (dag S u))))) (on_pool S p).
  Proof. unfold pairs. induction (on_pool S p) as [|u us IH]; [reflexivity|]. cbn [flat_map sum]. rewrite app_length, map_length. lia. Qed.

  Lemma few_pairs P (Ls : list (node * Z)) : (forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> P u j = true -> In (u, j) Ls) ->
    sum (fun u => Z.of_nat (length (filter (P u) (jobs (dag S u))))) (on_pool S p) <= Z.of_nat (length Ls).
  Proof.
    intros hin. rewrite <- pairs_length. apply Nat2Z.inj_le, NoDup_incl_length; [apply pairs_nodup|]. intros (u, j) hp. apply in_pairs in hp.
    apply hin; tauto.
  Qed.
End Count.

(** Parts of a DAG's nodes on p that are all of them, each with the most of it. *)
Definition parts_within (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (L p m d : Z)
    (ps : list (list node * Z)) : Prop :=
  (forall UI, In UI ps -> NoDup (fst UI) /\ incl (fst UI) (dag_here S d p) /\
     part_at_most S a F lim v m L (period S) (fun _ => 0) (fun _ => None) (full p) d (fst UI) (snd UI)) /\
  forall u, In u (dag_here S d p) -> exists UI, In UI ps /\ In u (fst UI).

(** How much of d's pieces counts beside H2 halves of what may go before a path: no more than what such pieces do at most, or than all work of d is
    beyond H2. *)
Definition room_within (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lims lima : node -> option Z) (v : node) (L p d H2 : Z)
    (room : option Z) : Prop :=
  match room with
  | None => True
  | Some R => 0 <= R /\ d <> dag S v /\
      ((exists ps, parts_within S a full F lims v L p (cap a p) d ps /\ sum snd ps <= R) \/
       exists ps, parts_within S a full F lima v L p (cap a p) d ps /\ sum snd ps <= H2 + R)
  end.

Section Parts.
  Context (S : system) (wf : well_formed S) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (hv : In v (nodes S)).
  Context (p m L : Z) (hvol : forall u, In u (on_pool S p) -> 0 <= vol a u) (m_nonneg : 0 <= m) (hL : 0 <= L).
  Context (k : Z) (k_pos : 0 < k) (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W : node -> Z -> Z).
  Context (hdone : done_meanwhile S a full F lim v L p k jobs age j0 W).
  Context (d : Z) (hd : In d (dag S v :: other_dags S v)) (Q : list node -> Z -> Z).
  Context (hQ : forall U j, incl U (dag_here S d p) -> In j (jobs d) -> 0 <= Q U j <= sum (fun u => W u j) U).
  Context (hQm : full p = true -> forall U j FU, NoDup U -> incl U (dag_here S d p) -> In j (jobs d) -> (forall u, In u U -> F u <= FU) ->
    Q U j <= m * overlap (k * FU) (k * L) (age j)).
  Context (hQs : forall Us j, (forall U, In U Us -> incl U (dag_here S d p)) -> (forall u, In u (dag_here S d p) -> exists U, In U Us /\ In u U) ->
    In j (jobs d) -> Q (dag_here S d p) j <= sum (fun U => Q U j) Us).
  Let js := if d =? dag S v then filter (fun j => negb (j =? j0)) (jobs d) else jobs d.

  Lemma parts_do ps : parts_within S a full F lim v L p m d ps -> 2 * sum (Q (dag_here S d p)) js <= k * sum snd ps.
  Proof.
    intros (hps & hall). assert (hjs : forall j, In j js -> In j (jobs d)) by (intros j hj; unfold js in hj; destruct (d =? dag S v); [now apply filter_In in hj | exact hj]).
    transitivity (2 * sum (fun j => sum (fun UI => Q (fst UI) j) ps) js).
    - apply Z.mul_le_mono_nonneg_l; [lia|]. apply sum_le. intros j hj. etransitivity; [apply (hQs (map fst ps) j)|].
      + intros U hU. apply in_map_iff in hU. destruct hU as (UI & <- & hUI). now apply hps.
      + intros u hu. destruct (hall u hu) as (UI & h1 & h2). exists (fst UI). split; [now apply in_map | exact h2].
      + now apply hjs.
      + apply Z.eq_le_incl. now rewrite sum_map.
    - rewrite (sum_exchange (fun j UI => Q (fst UI) j)), <- !sum_scale. apply sum_le. intros UI hUI. destruct (hps UI hUI) as (h1 & h2 & h3).
      assert (hT : forall d', In d' (dag S v :: other_dags S v) -> 0 < period S d' /\ 0 <= 0) by (intros d' hd'; split; [now apply (period_pos S wf v hv) | lia]).
      assert (hage : forall d' j, In d' (dag S v :: other_dags S v) -> In j (jobs d') -> age j <= age j <= age j + k * 0) by (intros; lia).
      assert (hord : forall d' i j, In d' (dag S v :: other_dags S v) -> In i (jobs d') -> In j (jobs d') -> age i < age j -> age i + k * period S d' <= age j).
      { intros d' i j hd' hi hj hlt. destruct (dm_jobs hdone d' hd') as (_ & hap). destruct (hap i j hi hj ltac:(intros ->; lia)); [assumption|].
        pose proof (period_pos S wf v hv d' hd'). assert (0 < k * period S d') by nia. lia. }
      apply (part_does S wf a full F lim v hv p m L hvol m_nonneg hL k k_pos jobs age j0 W hdone (period S) (fun _ => 0) (fun _ => age) hT hage hord (fun _ => None) ltac:(intros; discriminate) d hd (fst UI) h1 h2 (Q (fst UI)));
        [| |exact h3].
      + intros j hj. now apply hQ.
      + intros hproc j FU hj hFU. now apply hQm.
  Qed.
End Parts.

Section Waits.
  Context (S : system) (wf : well_formed S) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim lims lima : node -> option Z) (v : node) (hv : In v (nodes S)).
  Context (L : Z) (hL : 0 <= L) (l : list node) (hl : path S l v) (p share : Z) (hshare : 0 < share).
  Context (hvol : forall u, In u (on_pool S p) -> 0 <= vol a u) (hlast : forall u, In u (on_pool S p) -> 0 <= last a u) (hcap : 0 < cap a p).
  Let dags := dag S v :: other_dags S v.

  (* m of all processors count, with these weights; all of them where the pool is not one of processors *)
  Context (m c c1 c2 : Z) (hweights : (full p = true /\ counts_for (cap a p) m c c1 c2) \/ (m = cap a p /\ c = 1 /\ c1 = 1 /\ c2 = 1)).
  Context (own : Z) (hown : own_at_most S a v l p own).
  Context (parts : Z -> list (list node * Z)) (hparts : forall d, In d dags -> parts_within S a full F lim v L p m d (parts d)).
  Context (nb : node -> Z) (hnb : forall u, In u (on_pool S p) -> started_count S F v u (nb u)).
  Context (room : Z -> option Z) (hroom : forall d, In d dags -> room_within S a full F lims lima v L p d (sum snd (parts d)) (room d)).
  Let n1 := lagging a p * Z.of_nat (length (fresh S p l)).
  Let n2 := Z.max 0 (lagging a p - 1) * Z.of_nat (length (following S p l)).
  Context (X2 Z2 : Z) (hX : pieces_at_most S a v p nb room n1 X2) (hZ : pieces_at_most S a v p nb room (n1 + n2) Z2).

  Section Meanwhile.
    Context (k y : Z) (k_pos : 0 < k) (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W B1 B2 : node -> Z -> Z).
    Context (hrun : started_meanwhile S a full F lim lims lima v L l p k y jobs age j0 W B1 B2).

    Let of_dag (X : node -> Z -> Z) (d : Z) : Z := sum (fun u => sum (X u) (jobs d)) (dag_here S d p).

    Lemma weights_facts : 0 < m /\ 0 < c /\ 0 <= c2 <= c1 /\ c1 <= c.
    Proof. destruct hweights as [(_ & h1 & h2 & h3 & h4 & _)|(-> & -> & -> & ->)]; lia. Qed.

    Lemma counted : exists Q : list node -> Z -> Z,
      (forall d U j, In d dags -> incl U (dag_here S d p) -> In j (jobs d) -> 0 <= Q U j <= sum (fun u => W u j) U) /\
      (full p = true -> forall d U j FU, In d dags -> NoDup U -> incl U (dag_here S d p) -> In j (jobs d) -> (forall u, In u U -> F u <= FU) ->
         Q U j <= m * overlap (k * FU) (k * L) (age j)) /\
      (forall d Us j, In d dags -> (forall U, In U Us -> incl U (dag_here S d p)) ->
         (forall u, In u (dag_here S d p) -> exists U, In U Us /\ In u U) -> In j (jobs d) -> Q (dag_here S d p) j <= sum (fun U => Q U j) Us) /\
      c * (m * y) <= c * sum (fun d => sum (Q (dag_here S d p)) (jobs d)) dags + c1 * in_all S v p jobs B1 + c2 * in_all S v p jobs B2.
    Proof.
      destruct hweights as [(hproc & hc)|(hm & hc & hc1 & hc2)].
      - destruct (sm_fewer hrun hproc m c c1 c2 hc) as (Q & h1 & h2 & h3 & h4). exists Q. split; [exact h1|]. split; [|split; [exact h3 | exact h4]].
        intros _ d U j FU hd _ hU hj hFU. now apply (h2 d).
      - exists (fun U j => sum (fun u => W u j) U).
        assert (h0 : forall d U j, incl U (dag_here S d p) -> In j (jobs d) -> 0 <= sum (fun u => W u j) U).
        { intros d U j hU hj. apply sum_nonneg. intros u hu. now apply (done_nonneg S a full F lim v p L k jobs age j0 W (sm_higher hrun) d u j (hU u hu)). }
        split; [|split; [|split]].
        + intros d U j _ hU hj. split; [now apply (h0 d) | lia].
        + intros hproc d U j FU hd ndU hU hj hFU. rewrite hm. apply (dm_whole (sm_higher hrun) hproc U d j FU hd ndU); auto.
        + intros d Us j hd hUs hcov hj. transitivity (sum (fun u => W u j) (concat Us)).
          * apply sum_incl; [apply NoDup_filter; unfold dag_nodes; apply NoDup_filter, (wf_nodup wf) | |].
            -- intros u hu. destruct (hcov u hu) as (U & h1 & h2). apply in_concat. eauto.
            -- intros u hu. apply in_concat in hu. destruct hu as (U & h1 & h2).
               now apply (done_nonneg S a full F lim v p L k jobs age j0 W (sm_higher hrun) d u j (hUs U h1 u h2)).
          * apply Z.eq_le_incl. clear. induction Us as [|U Us IH]; [reflexivity|]. cbn [concat sum]. now rewrite sum_app, IH.
        + pose proof (sm_waits hrun) as hw. rewrite hm, hc, hc1, hc2. unfold in_all in hw at 1.
          rewrite (sum_eq _ (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) dags); [unfold dags; lia|]. intros d _.
          symmetry. apply (sum_exchange (fun u j => W u j)).
    Qed.

    Lemma pieces_nonneg u j d : In u (dag_here S d p) -> In j (jobs d) -> 0 <= B1 u j /\ 0 <= B2 u j /\ B1 u j + B2 u j <= k * vol a u.
    Proof.
      intros hu hj. destruct (here_on_pool S p d u hu) as (hup & hud). rewrite <- hud in hj. destruct (sm_nonneg hrun u j hup hj).
      pose proof (dm_volume (sm_started hrun) u j hup hj). lia.
    Qed.

    (** What of d's pieces is counted, in halves: b1 of fresh nodes, b2 of the others. *)
    Lemma of_room d Qd : In d dags -> Qd <= of_dag W d -> 2 * Qd <= k * sum snd (parts d) \/ room d = None -> exists b1 b2,
      0 <= b1 <= 2 * of_dag B1 d /\ 0 <= b2 <= 2 * of_dag B2 d /\ match room d with None => True | Some R => b1 + b2 <= k * R end /\
      2 * (c * Qd + c1 * of_dag B1 d + c2 * of_dag B2 d) <= c * Z.max (2 * Qd) (k * sum snd (parts d)) + c1 * b1 + c2 * b2.
    Proof.
      intros hd hQW hQ. pose proof weights_facts as (hm & hc & hc2 & hc1).
      assert (hB : 0 <= of_dag B1 d /\ 0 <= of_dag B2 d).
      { split; apply sum_nonneg; intros u hu; apply sum_nonneg; intros j hj; destruct (pieces_nonneg u j d hu hj) as (? & ? & _); lia. }
      specialize (hroom d hd). destruct (room d) as [R|] eqn:hR; [|exists (2 * of_dag B1 d), (2 * of_dag B2 d); repeat split; nia].
      destruct hQ as [hQ|]; [|discriminate]. destruct hroom as (hR0 & hdv & hps).
      destruct (Z_le_gt_dec (2 * (of_dag B1 d + of_dag B2 d)) (k * R)) as [hle|hgt].
      { exists (2 * of_dag B1 d), (2 * of_dag B2 d). repeat split; nia. }
      assert (hdo : forall lim' W' ps, done_meanwhile S a full F lim' v L p k jobs age j0 W' -> parts_within S a full F lim' v L p (cap a p) d ps ->
                2 * of_dag W' d <= k * sum snd ps).
      { intros lim' W' ps hdone hp. pose proof (parts_do S wf a full F lim' v hv p (cap a p) L hvol ltac:(lia) hL k k_pos jobs age j0 W' hdone d hd (fun U j => sum (fun u => W' u j) U)) as h0.
        rewrite (proj2 (Z.eqb_neq d (dag S v)) hdv) in h0. unfold of_dag. rewrite (sum_exchange (fun u j => W' u j)). apply h0; auto.
        - intros U j hU hj. split; [|lia]. apply sum_nonneg. intros u hu. now apply (done_nonneg S a full F lim' v p L k jobs age j0 W' hdone d u j (hU u hu)).
        - intros hproc U j FU ndU hU hj hFU. apply (dm_whole hdone hproc U d j FU hd ndU); auto.
        - intros Us j hUs hcov hj. transitivity (sum (fun u => W' u j) (concat Us)).
          + apply sum_incl; [apply NoDup_filter; unfold dag_nodes; apply NoDup_filter, (wf_nodup wf) | |].
            * intros u hu. destruct (hcov u hu) as (U & h1 & h2). apply in_concat. eauto.
            * intros u hu. apply in_concat in hu. destruct hu as (U & h1 & h2).
              now apply (done_nonneg S a full F lim' v p L k jobs age j0 W' hdone d u j (hUs U h1 u h2)).
          + apply Z.eq_le_incl. clear. induction Us as [|U Us IH]; [reflexivity|]. cbn [concat sum]. now rewrite sum_app, IH. }
      assert (hsplit : of_dag (fun u j => B1 u j + B2 u j) d = of_dag B1 d + of_dag B2 d).
      { unfold of_dag. rewrite <- sum_add. apply sum_eq. intros u _. now rewrite <- sum_add. }
      destruct hps as [(ps & hp & hle)|(ps & hp & hle)].
      { exfalso. pose proof (hdo _ _ ps (sm_started hrun) hp) as h1. rewrite hsplit in h1. nia. }
      pose proof (hdo _ _ ps (sm_all hrun) hp) as h1.
      assert (hsplit' : of_dag (fun u j => W u j + (B1 u j + B2 u j)) d = of_dag W d + (of_dag B1 d + of_dag B2 d)).
      { rewrite <- hsplit. unfold of_dag. rewrite <- sum_add. apply sum_eq. intros u _. now rewrite <- sum_add. }
      rewrite hsplit' in h1. set (x1 := of_dag B1 d) in *. set (x2 := of_dag B2 d) in *.
      assert (hkR : 0 <= k * R) by nia. assert (h2 : 2 * Qd + 2 * (x1 + x2) <= k * sum snd (parts d) + k * R) by nia.
      exists (Z.min (2 * x1) (k * R)), (k * R - Z.min (2 * x1) (k * R)).
      split; [lia|]. split; [lia|]. split; [lia|]. rewrite Z.max_r by lia. set (b1 := Z.min (2 * x1) (k * R)) in *.
      assert (h3 : 2 * c1 * x1 + 2 * c2 * x2 <= c1 * b1 + c2 * (k * R - b1) + c * (2 * (x1 + x2) - k * R)).
      { assert (0 <= 2 * x1 - b1 /\ 0 <= 2 * x2 - (k * R - b1)) as (e1 & e2) by lia. nia. }
      nia.
    Qed.

    (** No more pieces than the path meets. *)
    Lemma pieces_of_all n Y2 (P : node -> Z -> bool) (beta : Z -> Z) : pieces_at_most S a v p nb room n Y2 ->
      (forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> P u j = true -> B1 u j + B2 u j <> 0) ->
      sum (fun u => Z.of_nat (length (filter (P u) (jobs (dag S u))))) (on_pool S p) <= n ->
      (forall d, In d dags -> beta d <= 2 * sum (fun u => sum (fun j => ind (P u j) * (k * vol a u)) (jobs d)) (dag_here S d p) /\
         match room d with None => True | Some R => beta d <= k * R end) ->
      sum beta dags <= k * Y2.
    Proof.
      intros hY hP hn hbeta. set (cnt := fun u => Z.of_nat (length (filter (P u) (jobs (dag S u))))).
      assert (hc : forall u, In u (on_pool S p) -> 0 <= cnt u <= nb u).
      { intros u hu. split; [unfold cnt; lia|].
        etransitivity; [|apply (pieces_counted S wf a full F lim lims lima v L l hl p k y k_pos jobs age j0 W B1 B2 hrun u (nb u) hu (hnb u hu))].
        apply Nat2Z.inj_le, NoDup_incl_length; [apply NoDup_filter; now destruct (dm_jobs (sm_all hrun) (dag S u) (dag_of S v p u hu))|].
        intros j hj. apply filter_In in hj. apply pieces_spec. split; [tauto | now apply hP]. }
      specialize (hY cnt hc hn). etransitivity; [|apply Z.mul_le_mono_nonneg_l; [|exact hY]; lia]. rewrite <- sum_scale. apply sum_le. intros d hd.
      destruct (hbeta d hd) as (h1 & h2).
      assert (heq : sum (fun u => sum (fun j => ind (P u j) * (k * vol a u)) (jobs d)) (dag_here S d p) = k * sum (fun u => cnt u * vol a u) (dag_here S d p)).
      { rewrite <- sum_scale. apply sum_eq. intros u hu. destruct (here_on_pool S p d u hu) as (_ & hud). unfold cnt. rewrite hud, sum_scale_r, sum_length. ring. }
      rewrite heq in h1. cbv zeta. destruct (room d) as [R|]; nia.
    Qed.

    Theorem started_do : c * (2 * (m * y)) <= k * (c * (2 * own + sum (fun d => sum snd (parts d)) dags) + ((c1 - c2) * X2 + c2 * Z2)).
    Proof.
      pose proof weights_facts as (hm & hc & hc2 & hc1). destruct counted as (Q & hQ1 & hQ2 & hQ3 & hwait).
      set (all := fun d => sum (Q (dag_here S d p)) (jobs d)).
      set (other := fun d => sum (Q (dag_here S d p)) (if d =? dag S v then filter (fun j => negb (j =? j0)) (jobs d) else jobs d)).
      assert (hother : forall d, In d dags -> 2 * other d <= k * sum snd (parts d)).
      { intros d hd. apply (parts_do S wf a full F lim v hv p m L hvol ltac:(lia) hL k k_pos jobs age j0 W (sm_higher hrun) d hd Q).
        - intros U j. now apply hQ1.
        - intros hproc U j FU. now apply (hQ2 hproc d).
        - intros Us j. now apply hQ3.
        - now apply hparts. }
      destruct (dm_own (sm_higher hrun)) as (hj0 & _). destruct (dm_jobs (sm_higher hrun) (dag S v) (or_introl eq_refl)) as (ndj & _).
      assert (hself : 2 * all (dag S v) <= k * (2 * own + sum snd (parts (dag S v))) /\ 0 <= k * own).
      { assert (hq : 0 <= Q (dag_here S (dag S v) p) j0 <= k * own).
        { destruct (hQ1 (dag S v) (dag_here S (dag S v) p) j0 (or_introl eq_refl) (incl_refl _) hj0) as (h1 & h2). split; [exact h1|].
          etransitivity; [exact h2|]. exact (own_fits S wf a v hv l hl p hlast k own k_pos jobs j0 W (done_nonneg S a full F lim v p L k jobs age j0 W (sm_higher hrun)) hj0 (sm_beside hrun) (sm_last hrun) hown). }
        split; [|lia]. specialize (hother (dag S v) (or_introl eq_refl)). unfold other in hother. rewrite Z.eqb_refl in hother. unfold all.
        rewrite (sum_split_one (fun j => j =? j0)), (sum_unique _ _ j0 ndj hj0) by (intros j _ hne; rewrite (proj2 (Z.eqb_neq j j0) hne); cbn [ind]; lia).
        rewrite Z.eqb_refl. cbn [ind]. rewrite sum_filter in hother. lia. }
      assert (hallW : forall d, In d dags -> all d <= of_dag W d).
      { intros d hd. unfold all, of_dag. rewrite (sum_exchange W). apply sum_le. intros j hj. apply (hQ1 d); auto. apply incl_refl. }
      assert (hothers : forall d, In d (other_dags S v) -> 2 * all d <= k * sum snd (parts d)).
      { intros d hd. specialize (hother d (or_intror hd)). unfold other in hother.
        assert (hne : d <> dag S v) by (apply filter_In in hd; destruct hd as (_ & hd); now apply negb_true_iff, Z.eqb_neq in hd).
        now rewrite (proj2 (Z.eqb_neq d (dag S v)) hne) in hother. }
      assert (hchoice : forall d, In d dags -> exists bb : Z * Z, 0 <= fst bb <= 2 * of_dag B1 d /\ 0 <= snd bb <= 2 * of_dag B2 d /\
                match room d with None => True | Some R => fst bb + snd bb <= k * R end /\
                2 * (c * all d + c1 * of_dag B1 d + c2 * of_dag B2 d)
                  <= c * (k * (sum snd (parts d) + if d =? dag S v then 2 * own else 0)) + c1 * fst bb + c2 * snd bb).
      { intros d hd. destruct (of_room d (all d) hd (hallW d hd)) as (b1 & b2 & h1 & h2 & h3 & h4).
        - destruct (Z.eq_dec d (dag S v)) as [->|hne].
          + right. specialize (hroom (dag S v) hd). destruct (room (dag S v)); [|reflexivity]. destruct hroom as (_ & hne & _). now elim hne.
          + left. apply hothers. destruct hd as [<-|hd]; [now elim hne | exact hd].
        - exists (b1, b2). cbn [fst snd]. split; [exact h1|]. split; [exact h2|]. split; [exact h3|].
          enough (Z.max (2 * all d) (k * sum snd (parts d)) <= k * (sum snd (parts d) + (if d =? dag S v then 2 * own else 0))) by nia.
          destruct (Z.eqb_spec d (dag S v)) as [->|hne]; [lia|]. destruct hd as [<-|hd]; [now elim hne|]. specialize (hothers d hd). lia. }
      assert (hf : exists bb : Z -> Z * Z, forall d, In d dags -> 0 <= fst (bb d) <= 2 * of_dag B1 d /\ 0 <= snd (bb d) <= 2 * of_dag B2 d /\
                match room d with None => True | Some R => fst (bb d) + snd (bb d) <= k * R end /\
                2 * (c * all d + c1 * of_dag B1 d + c2 * of_dag B2 d)
                  <= c * (k * (sum snd (parts d) + if d =? dag S v then 2 * own else 0)) + c1 * fst (bb d) + c2 * snd (bb d)).
      { clear -hchoice. induction dags as [|d ds IH]; [exists (fun _ => (0, 0)); easy|]. destruct IH as (bb & hbb); [intros d' hd'; apply hchoice; now right|].
        destruct (hchoice d (or_introl eq_refl)) as (b0 & hb0). exists (fun d' => if d' =? d then b0 else bb d'). intros d' hd'.
        destruct (Z.eqb_spec d' d) as [->|hne]; [exact hb0|]. apply hbb. destruct hd' as [<-|hd']; [now elim hne | exact hd']. }
      destruct hf as (bb & hbb).
      set (P1 := fun u j => negb (B1 u j =? 0)). set (PB := fun u j => negb (B1 u j + B2 u j =? 0)).
      destruct (sm_few hrun) as (L1 & L2 & hL1 & hL2 & hin). fold n1 in hL1. fold n2 in hL2.
      assert (hpos : forall u j, In u (on_pool S p) -> In j (jobs (dag S u)) -> 0 <= B1 u j /\ 0 <= B2 u j /\ B1 u j + B2 u j <= k * vol a u).
      { intros u j hu hj. destruct (sm_nonneg hrun u j hu hj). pose proof (dm_volume (sm_started hrun) u j hu hj). lia. }
      assert (hs1 : sum (fun d => fst (bb d)) dags <= k * X2).
      { apply (pieces_of_all n1 X2 P1 _ hX).
        - intros u j hu hj hP. unfold P1 in hP. apply negb_true_iff, Z.eqb_neq in hP. specialize (hpos u j hu hj). lia.
        - etransitivity; [|exact hL1]. apply (few_pairs S wf a full F lim lims lima v L l p k y jobs age j0 W B1 B2 hrun). intros u j hu hj hP.
          unfold P1 in hP. apply negb_true_iff, Z.eqb_neq in hP. now apply hin.
        - intros d hd. destruct (hbb d hd) as (h1 & h2 & h3 & _). split.
          + etransitivity; [apply h1|]. apply Z.mul_le_mono_nonneg_l; [lia|]. apply sum_le. intros u hu. apply sum_le. intros j hj.
            destruct (pieces_nonneg u j d hu hj) as (e1 & e2 & e3). unfold P1. destruct (Z.eqb_spec (B1 u j) 0) as [e|]; cbn [negb ind]; lia.
          + destruct (room d); [lia | exact I]. }
      assert (hs2 : sum (fun d => fst (bb d) + snd (bb d)) dags <= k * Z2).
      { apply (pieces_of_all (n1 + n2) Z2 PB _ hZ).
        - intros u j hu hj hP. unfold PB in hP. now apply negb_true_iff, Z.eqb_neq in hP.
        - transitivity (Z.of_nat (length (L1 ++ L2))); [|rewrite app_length; lia].
          apply (few_pairs S wf a full F lim lims lima v L l p k y jobs age j0 W B1 B2 hrun). intros u j hu hj hP.
          unfold PB in hP. apply negb_true_iff, Z.eqb_neq in hP. apply in_app_iff. destruct (hin u j hu hj) as (e1 & e2).
          destruct (Z.eq_dec (B1 u j) 0); [right; apply e2; lia | left; now apply e1].
        - intros d hd. destruct (hbb d hd) as (h1 & h2 & h3 & _). split; [|exact h3].
          transitivity (2 * sum (fun u => sum (fun j => B1 u j + B2 u j) (jobs d)) (dag_here S d p)).
          + rewrite (sum_eq _ (fun u => sum (B1 u) (jobs d) + sum (B2 u) (jobs d)) (dag_here S d p)) by (intros; apply sum_add).
            rewrite sum_add. unfold of_dag in h1, h2. lia.
          + apply Z.mul_le_mono_nonneg_l; [lia|]. apply sum_le. intros u hu. apply sum_le. intros j hj.
            destruct (pieces_nonneg u j d hu hj) as (e1 & e2 & e3). unfold PB. destruct (Z.eqb_spec (B1 u j + B2 u j) 0) as [->|]; cbn [negb ind]; lia. }
      assert (htotal : 2 * (c * sum all dags + c1 * sum (of_dag B1) dags + c2 * sum (of_dag B2) dags)
                <= c * (k * (sum (fun d => sum snd (parts d)) dags + 2 * own)) + (c1 - c2) * sum (fun d => fst (bb d)) dags + c2 * sum (fun d => fst (bb d) + snd (bb d)) dags).
      { assert (hownsum : sum (fun d => if d =? dag S v then 2 * own else 0) dags = 2 * own).
        { unfold dags. cbn [sum]. rewrite Z.eqb_refl, sum_zero; [lia|]. intros d hd. apply filter_In in hd. destruct hd as (_ & hd). apply negb_true_iff in hd. now rewrite hd. }
        rewrite <- hownsum, <- sum_add, <- !sum_scale, <- !sum_add, <- sum_scale. apply sum_le. intros d hd. destruct (hbb d hd) as (_ & _ & _ & h4). lia. }
      change (in_all S v p jobs B1) with (sum (of_dag B1) dags) in hwait. change (in_all S v p jobs B2) with (sum (of_dag B2) dags) in hwait.
      change (sum (fun d => sum (Q (dag_here S d p)) (jobs d)) dags) with (sum all dags) in hwait.
      assert (e1 : (c1 - c2) * sum (fun d => fst (bb d)) dags <= (c1 - c2) * (k * X2)) by (apply Z.mul_le_mono_nonneg_l; lia).
      assert (e2 : c2 * sum (fun d => fst (bb d) + snd (bb d)) dags <= c2 * (k * Z2)) by (apply Z.mul_le_mono_nonneg_l; lia).
      replace (k * (c * (2 * own + sum (fun d => sum snd (parts d)) dags) + ((c1 - c2) * X2 + c2 * Z2)))
        with (c * (k * (sum (fun d => sum snd (parts d)) dags + 2 * own)) + (c1 - c2) * (k * X2) + c2 * (k * Z2)) by ring. lia.
    Qed.
  End Meanwhile.

  Theorem waits_by_started : waits_beside_started S a full F lim lims lima v L l (share * (2 * (c * m))) p
    (share * (c * (2 * own + sum (fun d => sum snd (parts d)) dags) + ((c1 - c2) * X2 + c2 * Z2))).
  Proof.
    intros k y jobs age j0 W B1 B2 hk hrun. pose proof (started_do k y hk jobs age j0 W B1 B2 hrun) as h1.
    replace (share * (2 * (c * m)) * y) with (share * (c * (2 * (m * y)))) by ring.
    replace (k * (share * (c * (2 * own + sum (fun d => sum snd (parts d)) dags) + ((c1 - c2) * X2 + c2 * Z2))))
      with (share * (k * (c * (2 * own + sum (fun d => sum snd (parts d)) dags) + ((c1 - c2) * X2 + c2 * Z2)))) by ring.
    apply Z.mul_le_mono_nonneg_l; [lia | exact h1].
  Qed.
End Waits.

(** The weights as they are printed: j of m processors, and all. *)
Lemma counts_for_fewer m j : 0 < j < m -> counts_for m j (m * (m - 1)) ((m - 1) * j) (m * (j - 1)).
Proof.
  intros hj. repeat split; try nia.
  - intros b hb. destruct (Z.min_spec (m - b) j) as [(h1 & ->)|(h1 & ->)]; [|nia].
    enough (m * (m - 1) * (j - m + b) <= (m - 1) * j * b) by lia. assert ((m - j) * b <= (m - j) * m) by nia. nia.
  - intros b hb. destruct (Z.min_spec (m - b) j) as [(h1 & ->)|(h1 & ->)]; [|nia].
    enough (m * (m - 1) * (j - m + b) <= m * (j - 1) * b) by lia. assert ((m - j) * b <= (m - j) * (m - 1)) by nia. nia.
Qed.
