(** T10f: what can be ready at once, along a path. While the nodes of a path wait on a FIFO pool no more of a DAG is done than what can be ready at
    once at each of them; of each DAG what is less may be counted. docs/theory/path.md, "T10f". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w path.Windows
  path.Started path.Visit path.Fronts.

(** Of visits by node q to pools [sees]: no more of other jobs of DAG d than B q d, of the path's own beside q than B_own q, of q itself than B_self q. *)
Definition visits_do (S : system) (v : node) (sees : Z -> bool) (l : list node) (d k : Z) (B : node -> Z -> Z) (js : list Z) (W : node -> Z -> Z) : Prop :=
  forall p, sees p = true -> sum (fun u => sum (W u) js) (dag_here S d p) <= k * sum (fun q => B q d) (here S p l).

Definition own_visits_do (S : system) (v : node) (sees : Z -> bool) (l : list node) (k : Z) (B_own B_self : node -> Z) (W : node -> Z) : Prop :=
  forall p, sees p = true ->
    sum (fun u => ind (negb (if in_dec Z.eq_dec u l then true else false)) * W u) (dag_here S (dag S v) p) <= k * sum B_own (here S p l) /\
    forall q, In q (here S p l) -> W q <= k * B_self q.

(** What is done at one node q of a path, which waits for no longer than w. *)
Record visit_does (S : system) (a : accounts) (whole : rules) (F : node -> Z) (v q : node) (chains : Z -> list (list node)) (spots : Z -> list Z)
    (w : Z) (B : Z -> Z) (B_own B_self : Z) : Prop := {
  do_fifo : order_of S (pool S q) = Fifo;
  do_by : visited_by S F v q 0 (ready_bound S F q) chains spots;
  do_bound : visit_bound S a whole F v q chains spots w;
  do_nonneg : (forall d, 0 <= B d) /\ 0 <= B_own /\ 0 <= B_self;
  do_most : forall k y, 0 < k -> 0 <= y <= k * w -> exists most own self, fronts S a F v q chains k y most own self /\
    (forall d, In d (dag S v :: other_dags S v) -> sum (fun s => sum (fun c => most c (k * s)) (chains d)) (spots d) <= k * B d) /\
    sum own (chains (dag S v)) <= k * B_own /\ self <= k * B_self;
}.

Arguments do_fifo {S a whole F v q chains spots w B B_own B_self}.
Arguments do_by {S a whole F v q chains spots w B B_own B_self}.
Arguments do_bound {S a whole F v q chains spots w B B_own B_self}.
Arguments do_nonneg {S a whole F v q chains spots w B B_own B_self}.
Arguments do_most {S a whole F v q chains spots w B B_own B_self}.

(** Something may be known of what is done on some pools while the path waits there: [bounded l p X], it is no more than X. (T39; T10f itself knows
    nothing.) Pools [apart] are bounded so, and no jobs are counted there. *)
Definition known_bounds := list node -> Z -> Z -> Prop.
Definition without (apart : Z -> bool) (share : Z -> Z) (p : Z) : Z := if apart p then 0 else share p.

(** T10a's inequality for path l to v, where visits may be counted instead. *)
Definition under_way_path (S : system) (a : accounts) (whole : rules) (bounded : known_bounds) (F : node -> Z) (lim : node -> option Z) (v : node) (l : list node) : Prop :=
  exists M share excluded parallel blk part own others sees chains spots w B B_own B_self apart there,
    common_multiple S a M share /\
    parallel_sound S parallel /\ (forall q, ancestor_or_self S q v -> blocking_covers S a F parallel blk q) /\
    (forall u, In u (nodes S) -> excluded u = true -> never_meanwhile S v l u) /\
    parts_cover S a F part /\
    (forall q, In q l -> sees (pool S q) = true -> visit_does S a whole F v q (chains q) (spots q) (w q) (B q) (B_own q) (B_self q)) /\
    (forall p, sees p = true -> order_of S p = Fifo) /\
    (forall k js age W j0, 0 < k -> may_do S F lim part l (dag S v) k js age W -> In j0 js -> age j0 = 0 ->
       own_may_do S a l (dag S v) k excluded (fun u => W u j0) ->
       visits_do S v sees l (dag S v) k B (filter (fun j => negb (j =? j0)) js) W -> own_visits_do S v sees l k B_own B_self (fun u => W u j0) ->
       sum (fun j => sum (fun u => without apart share (pool S u) * W u j) (dag_nodes S (dag S v))) js <= k * own) /\
    (forall d, In d (other_dags S v) -> forall k js age W, 0 < k -> may_do S F lim part l d k js age W -> visits_do S v sees l d k B js W ->
       sum (fun j => sum (fun u => without apart share (pool S u) * W u j) (dag_nodes S d)) js <= k * others d) /\
    (forall p, In p (visited S l) -> apart p = true -> bounded l p (there p)) /\
    sum (fun y => M * exec a y + share (pool S y) * blk y) l + own + sum others (other_dags S v)
      + sum (fun p => ind (apart p) * (share p * there p)) (visited S l) <= M * F v.

Definition under_way_with (bounded : known_bounds) (S : system) (a : accounts) (whole : rules) (F : node -> Z) (v : node) : Prop :=
  0 < exec a v /\ exists lim, limits S F v lim /\ forall l, path S l v -> under_way_path S a whole bounded F lim v l.

Definition under_way_inequality := under_way_with (fun _ _ _ => False).

(** It is so in the schedule, where v misses its due instant as the first and path l' explains why. *)
Definition bounds_known (S : system) (h : history) (g : progress) (F : node -> Z) (v : node) (bounded : known_bounds) : Prop :=
  forall r l x l', released h (dag S v) r = true -> met_before S h F v r -> done h v r (r + F v) = false -> path S l x -> ancestor_or_self S x v ->
    (forall s, r <= s <= r + F v -> exists y, In y l /\ pending S h y r s = true) -> path S l' v -> incl l l' -> forall p X, bounded l' p X ->
    sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for S g r l' u r' s) * work g u r' s) (range r (r + F v))) (range 0 (r + F v + 1))) (on_pool S p) <= X.

Section Visits.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a) (hbusy : exists busy, busy_holds S h g a busy).
  Context (whole : rules) (hwhole : rules_hold S h g a whole).
  Context (F : node -> Z) (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true) (met : met_before S h F v r) (F0 : 0 <= F v).
  Let t := r + F v.

  (** What goes on while q waits. *)
  Definition while_waiting (q u r' : Z) : Z := sum (fun s => ind (waits g q r s) * work g u r' s) (range r t).

  Lemma one_visit q chains spots w B B_own B_self : In q (nodes S) -> dag S q = dag S v ->
    visit_does S a whole F v q chains spots w B B_own B_self ->
    (forall d, In d (dag S v :: other_dags S v) ->
       sum (fun u => sum (while_waiting q u) (if d =? dag S v then filter (fun j => negb (j =? r)) (jobs_by h t d) else jobs_by h t d)) (dag_here S d (pool S q)) <= B d) /\
    sum (fun u => ind (negb (u =? q)) * while_waiting q u r) (dag_here S (dag S v) (pool S q)) <= B_own /\ while_waiting q q r <= B_self.
  Proof.
    intros hq hqd hdo. destruct (do_nonneg hdo) as (hB0 & hO0 & hS0). destruct (existsb (ready S h q r) (range r t)) eqn:hsome.
    - apply existsb_exists in hsome. destruct hsome as (s1 & hs1 & hre1). rewrite in_range in hs1.
      destruct (first_such (ready S h q r) r s1 hre1 ltac:(lia)) as (rho & hrho & hready & hfirst).
      assert (hA : 0 <= rho - r <= ready_bound S F q).
      { split; [lia|]. pose proof (ready_by S h wf lg F v r met q rho hq hready ltac:(unfold t in hs1; lia)) as hrb. pose proof (ready_bound_nonneg S F q).
        destruct (Z_le_gt_dec rho (r + ready_bound S F q)) as [|hgt]; [lia|]. rewrite Z.min_r in hrb by lia.
        rewrite (hfirst (r + ready_bound S F q)) in hrb by lia. discriminate. }
      destruct hbusy as (busy & hb).
      pose proof (visit_holds S h g a wf lg laws busy hb whole hwhole F v r hv hr met F0 q hq (do_fifo hdo) rho 0 (ready_bound S F q) hready hA) as hvis.
      pose proof (visit_waits S wf a whole F v q hv hq hqd 0 _ 1 _ ltac:(lia) _ _ _ _ hvis chains spots (do_by hdo) w (do_bound hdo)) as hy.
      assert (hy0 : 0 <= visit_length g F v r q rho) by (apply sum_nonneg; intros; apply ind_range).
      destruct (do_most hdo 1 _ ltac:(lia) (conj hy0 hy)) as (most & own & self & hfr & hm & ho & hs).
      assert (heq : forall u j, while_waiting q u j = ahead_of g F v r q rho u j).
      { intros u j. unfold while_waiting, ahead_of, seen_work. apply sum_eq. intros s hs'. rewrite in_range in hs'. unfold visited_at.
        destruct (Z.leb_spec rho s); cbn [andb]; [reflexivity|]. destruct (waits g q r s) eqn:hw; [|reflexivity]. exfalso.
        pose proof (law_waits laws q r s hq hw) as hp. apply pending_spec in hp. destruct hp as (hp & _). rewrite hfirst in hp by lia. discriminate. }
      split; [|split].
      + intros d hd. rewrite <- (Z.mul_1_l (B d)). etransitivity; [|apply (hm d hd)].
        etransitivity; [|apply (others_in_front S wf a whole F v q hv 0 _ 1 _ ltac:(lia) _ _ _ _ hvis chains spots (do_by hdo) most own self hfr d hd)].
        apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros j _. apply heq.
      + destruct (own_beside S wf a whole F v q hq hqd 0 _ 1 _ ltac:(lia) _ _ _ _ hvis chains spots (do_by hdo) most own self hfr) as (h1 & _).
        rewrite (sum_eq _ (fun u => ind (negb (u =? q)) * ahead_of g F v r q rho u r)) by (intros; now rewrite heq). lia.
      + destruct (own_beside S wf a whole F v q hq hqd 0 _ 1 _ ltac:(lia) _ _ _ _ hvis chains spots (do_by hdo) most own self hfr) as (_ & h1).
        rewrite heq. lia.
    - assert (hzero : forall u j, while_waiting q u j = 0).
      { intros u j. apply sum_zero. intros s hs. destruct (waits g q r s) eqn:hw; cbn [ind]; [|lia]. exfalso.
        pose proof (law_waits laws q r s hq hw) as hp. apply pending_spec in hp. destruct hp as (hp & _).
        enough (existsb (ready S h q r) (range r t) = true) by congruence. apply existsb_exists. eauto. }
      split; [|split].
      + intros d _. rewrite sum_zero; [apply hB0|]. intros u _. apply sum_zero. intros; apply hzero.
      + rewrite sum_zero; [exact hO0|]. intros u _. rewrite hzero. lia.
      + rewrite hzero. exact hS0.
  Qed.
End Visits.

Theorem under_way_safe S h g a busy whole bounded F v :
  well_formed S -> legal S h -> keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
  rules_hold S h g a whole -> bounds_known S h g F v bounded ->
  In v (nodes S) -> under_way_with bounded S a whole F v -> safe S h F v.
Proof.
  intros wf lg laws hbusy hF hless hwhole hknown hv (hev & lim & hlim & hineq) r hr met.
  destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
  pose proof (F_nonneg S h g a laws F hF) as F0.
  destruct (late_path_on S h wf lg v r (F v) hv hr (F0 v hv) missed) as (l & x & l' & hl & hx & cover & hl' & hincl).
  destruct (hineq l' hl') as (M & share & excluded & parallel & blk & part & own & others & sees & chains & spots & w & B & B_own & B_self & apart & there &
    hM & hpar & hblk & hexcl & hpart & hvis & hsees & hown & hothers & hthere & hsum).
  set (t := r + F v) in *. set (all := fun (_ : node) (_ _ : Z) => true).
  assert (works_busy : forall u r t, In u (nodes S) -> 0 < work g u r t -> all u r t = true) by reflexivity.
  assert (first : first_busy S all F v r) by (left; reflexivity).
  set (W := meanwhile S g F all v r l'). set (jobs := jobs_by h t).
  assert (hW : forall u r', W u r' = sum (fun s => ind (path_waits_for S g r l' u r' s) * work g u r' s) (range r t)).
  { intros u r'. unfold W, meanwhile, all. now rewrite Z.add_0_r. }
  pose proof (limits_are_sound S h g a F v lim wf lg laws hv hlim) as hls.
  pose proof (may_do_meanwhile S h wf lg g a all F lim v r l x l' laws works_busy hF hv hls met first hl hx cover hl' hincl part hpart) as hmay.
  pose proof (own_may_do_meanwhile S h wf lg g a all F v r l x l' laws hF hv hl hx cover hl' hincl excluded missed hexcl) as hownmay.
  fold t W in hmay, hownmay.
  assert (hon : forall q, In q l' -> In q (nodes S) /\ dag S q = dag S v) by (intros q hq; exact (path_nodes S l' v wf hv hl' q hq)).
  (* what visits do *)
  assert (hvisit : forall q, In q l' -> sees (pool S q) = true ->
    (forall d, In d (dag S v :: other_dags S v) ->
       sum (fun u => sum (while_waiting g F v r q u) (if d =? dag S v then filter (fun j => negb (j =? r)) (jobs d) else jobs d)) (dag_here S d (pool S q)) <= B q d) /\
    sum (fun u => ind (negb (u =? q)) * while_waiting g F v r q u r) (dag_here S (dag S v) (pool S q)) <= B_own q /\ while_waiting g F v r q q r <= B_self q).
  { intros q hq hs. destruct (hon q hq). apply (one_visit S h g a wf lg laws (ex_intro _ busy hbusy) whole hwhole F v r hv hr met (F0 v hv) q (chains q) (spots q) (w q)); auto. }
  assert (hpart_of : forall p u j, sees p = true -> In u (on_pool S p) -> W u j <= sum (fun q => while_waiting g F v r q u j) (here S p l')).
  { intros p u j hs hu. apply in_on_pool in hu. destruct hu as (hun & hup). rewrite hW. unfold while_waiting. fold t.
    rewrite (sum_exchange (fun q s => ind (waits g q r s) * work g u j s)). apply sum_le. intros s _. pose proof (law_work laws u j s hun).
    destruct (path_waits_for S g r l' u j s) eqn:hw; cbn [ind].
    - apply existsb_exists in hw. destruct hw as (q & hq & hw). rewrite !andb_true_iff in hw. destruct hw as ((hqp & hqw) & _). apply Z.eqb_eq in hqp.
      etransitivity; [|apply (sum_in (fun q => ind (waits g q r s) * work g u j s) (here S p l') q)].
      + cbv beta. rewrite hqw. cbn [ind]. lia.
      + intros q' _. pose proof (ind_range (waits g q' r s)). nia.
      + apply filter_In. split; [exact hq | apply Z.eqb_eq; congruence].
    - rewrite Z.mul_0_l. apply sum_nonneg. intros q' _. pose proof (ind_range (waits g q' r s)). nia. }
  assert (hhere : forall p q, In q (here S p l') -> In q l' /\ pool S q = p) by (intros p q hq; apply filter_In in hq; now rewrite Z.eqb_eq in hq).
  assert (hvisits : forall d, In d (dag S v :: other_dags S v) ->
            visits_do S v sees l' d 1 B (if d =? dag S v then filter (fun j => negb (j =? r)) (jobs d) else jobs d) W).
  { intros d hd p hs. rewrite Z.mul_1_l.
    transitivity (sum (fun q => sum (fun u => sum (while_waiting g F v r q u) (if d =? dag S v then filter (fun j => negb (j =? r)) (jobs d) else jobs d)) (dag_here S d p)) (here S p l')).
    - rewrite (sum_exchange (fun q u => sum (while_waiting g F v r q u) (if d =? dag S v then filter (fun j => negb (j =? r)) (jobs d) else jobs d))).
      apply sum_le. intros u hu. apply here_on_pool in hu. rewrite (sum_exchange (fun q j => while_waiting g F v r q u j)). apply sum_le. intros j _. now apply hpart_of.
    - apply sum_le. intros q hq. destruct (hhere p q hq) as (hq1 & <-). now apply hvisit. }
  assert (hself : forall q, In q l' -> W q r <= while_waiting g F v r q q r).
  { intros q hq. rewrite hW. unfold while_waiting. fold t. apply sum_le. intros s hs. destruct (hon q hq) as (hqn & _). pose proof (law_work laws q r s hqn).
    destruct (path_waits_for S g r l' q r s) eqn:hw; cbn [ind]; [|pose proof (ind_range (waits g q r s)); nia].
    destruct (Z.eq_dec (work g q r s) 0) as [->|hne]; [lia|]. apply existsb_exists in hw. destruct hw as (q' & hq' & hw). rewrite !andb_true_iff in hw.
    destruct hw as ((_ & hqw) & _). destruct (hon q' hq') as (hqn' & _). enough (q' = q) as -> by (rewrite hqw; cbn [ind]; lia).
    apply (pending_alone S h lg q' q r s); [now apply (path_comparable S l' v hl') | now apply (law_waits laws) | apply (law_pending laws); [exact hqn | lia]]. }
  assert (hownvisits : own_visits_do S v sees l' 1 B_own B_self (fun u => W u r)).
  { intros p hs. split.
    - rewrite Z.mul_1_l.
      transitivity (sum (fun q => sum (fun u => ind (negb (u =? q)) * while_waiting g F v r q u r) (dag_here S (dag S v) p)) (here S p l')).
      + rewrite (sum_exchange (fun q u => ind (negb (u =? q)) * while_waiting g F v r q u r)). apply sum_le. intros u hu. apply here_on_pool in hu. destruct hu as (hu & _).
        destruct (in_dec Z.eq_dec u l') as [hin|hout]; cbn [negb ind].
        * rewrite Z.mul_0_l. apply sum_nonneg. intros q _. apply Z.mul_nonneg_nonneg; [apply ind_range|]. apply sum_nonneg. intros s _. apply in_on_pool in hu.
          pose proof (law_work laws u r s ltac:(tauto)). pose proof (ind_range (waits g q r s)). nia.
        * rewrite Z.mul_1_l. etransitivity; [now apply (hpart_of p u r)|]. apply sum_le. intros q hq. destruct (hhere p q hq) as (hq1 & _).
          destruct (Z.eqb_spec u q) as [->|]; [contradiction|]. cbn [negb ind]. lia.
      + apply sum_le. intros q hq. destruct (hhere p q hq) as (hq1 & <-). now apply hvisit.
    - intros q hq. destruct (hhere p q hq) as (hq1 & hq2). rewrite Z.mul_1_l. etransitivity; [now apply hself|]. apply hvisit; [exact hq1 | now rewrite hq2]. }
  (* together *)
  pose proof (explained S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl (fun y s => path_paced S h g a l' v laws wf hv hl' y r s) M share) as hex.
  destruct hM as (Mpos & hshare). specialize (hex (conj Mpos (fun y hy => hshare y (proj1 (hon y hy)))) t ltac:(specialize (F0 v hv); unfold t; lia)).
  replace (t - r) with (F v) in hex by (unfold t; ring).
  assert (hexec : sum (fun q => sum (fun s => ind (executes S h g r q s)) (range r t)) l' + 1 <= sum (exec a) l').
  { transitivity (sum (fun q => sum (fun s => ind (executes S h g r q s)) (range r t) + ind (q =? v)) l').
    - rewrite sum_add. apply Z.add_le_mono_l. etransitivity; [|apply (sum_in (fun q => ind (q =? v)) l' v)];
        [|intros; apply ind_range | exact (path_last S l' v hl')]. cbv beta. rewrite Z.eqb_refl. cbn. lia.
    - apply sum_le. intros q hq. destruct (Z.eqb_spec q v) as [->|]; cbn [ind].
      + pose proof (hless r r t missed). lia.
      + rewrite Z.add_0_r. apply (law_exec laws). now apply hon. }
  assert (hb : sum (fun y => share (pool S y) * sum (blocked_by S g r y) (range r t)) l' <= sum (fun y => share (pool S y) * blk y) l').
  { apply sum_le. intros y hy. destruct (hon y hy) as (hyn & hyd).
    pose proof (share_pos S h g a l' v M share (pool S y) wf laws hl' hv (conj Mpos (fun z hz => hshare z (proj1 (hon z hz)))) ltac:(apply in_visited; eauto)).
    apply Z.mul_le_mono_nonneg_l; [lia|].
    etransitivity; [|apply (blocked_work S h g a wf lg laws F hF v r hv met parallel blk y hpar hyn hyd (hblk y (path_ancestors S l' v hl' y hy)))].
    apply sum_range_incl; [|lia | fold t; lia]. intros s _. now apply (blocked_by_nonneg S h g a laws r (F v) l'). }
  set (Wp := fun p => sum (fun u => sum (W u) (range 0 (t + 1))) (on_pool S p)).
  assert (hex2 : M * F v + M <= sum (fun y => M * exec a y + share (pool S y) * blk y) l' + sum (fun p => share p * Wp p) (visited S l')).
  { rewrite sum_add, sum_scale. change (sum (fun a0 => exec a a0) l') with (sum (exec a) l').
    assert (hsame : sum (fun p => share p * Wp p) (visited S l')
      = sum (fun p => share p * sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for S g r l' u r' s) * work g u r' s) (range r t)) (range 0 (r + F v + 1))) (on_pool S p)) (visited S l')).
    { apply sum_eq. intros p _. f_equal. apply sum_eq. intros u _. apply sum_eq. intros r' _. apply hW. }
    rewrite hsame. nia. }
  assert (hrecent : forall u r', In u (nodes S) -> W u r' <> 0 -> released h (dag S u) r' = true).
  { intros u r' hu hne. now destruct (meanwhile_recent S h g a wf lg laws F hF all works_busy v r hv met first l x hl hx cover l' hl' hincl u r' hu hne). }
  assert (hapart : sum (fun p => share p * Wp p) (visited S l')
            <= sum (fun p => without apart share p * Wp p) (visited S l') + sum (fun p => ind (apart p) * (share p * there p)) (visited S l')).
  { rewrite <- sum_add. apply sum_le. intros p hp. unfold without. destruct (apart p) eqn:hap; cbn [ind]; [|lia].
    pose proof (hknown r l x l' hr met missed hl hx cover hl' hincl p (there p) (hthere p hp hap)) as hk.
    pose proof (share_pos S h g a l' v M share p wf laws hl' hv (conj Mpos (fun z hz => hshare z (proj1 (hon z hz)))) hp).
    enough (Wp p <= there p) by nia. etransitivity; [|exact hk]. apply Z.eq_le_incl. apply sum_eq. intros u _. apply sum_eq. intros r' _. apply hW. }
  set (share' := without apart share) in *.
  assert (hWp : sum (fun p => share' p * Wp p) (visited S l')
            = sum (fun j => sum (fun u => share' (pool S u) * W u j) (dag_nodes S (dag S v))) (jobs (dag S v))
              + sum (fun d => sum (fun j => sum (fun u => share' (pool S u) * W u j) (dag_nodes S d)) (jobs d)) (other_dags S v)).
  { transitivity (sum (fun u => share' (pool S u) * sum (W u) (range 0 (t + 1))) (nodes S)).
    - apply (sum_over_visited S l' share' (fun u => sum (W u) (range 0 (t + 1)))).
      intros u hu hne. assert (hpos : 0 < sum (W u) (range 0 (t + 1))).
      { enough (0 <= sum (W u) (range 0 (t + 1))) by lia. apply sum_nonneg. intros r' _. now apply (meanwhile_at_least S h g a laws). }
      apply sum_pos_in in hpos. destruct hpos as (r' & _ & hp).
      apply (meanwhile_visited S h g a wf lg laws F hF all v r hv l x hl hx cover l' hl' hincl u r' hu). fold W. lia.
    - rewrite (sum_by_dag S v _ hv).
      assert (hj : forall d, sum (fun u => share' (pool S u) * sum (W u) (range 0 (t + 1))) (dag_nodes S d) = sum (fun j => sum (fun u => share' (pool S u) * W u j) (dag_nodes S d)) (jobs d)).
      { intros d. unfold jobs, jobs_by. rewrite sum_filter.
        rewrite (sum_eq (fun u => share' (pool S u) * sum (W u) (range 0 (t + 1))) (fun u => sum (fun j => share' (pool S u) * W u j) (range 0 (t + 1))))
          by (intros u _; now rewrite sum_scale).
        rewrite sum_exchange. apply sum_eq. intros j _. destruct (released h d j) eqn:hrel; cbn [ind]; [lia|].
        rewrite Z.mul_0_l. apply sum_zero. intros u hu. apply in_dag_nodes in hu. destruct hu as (hu & hd).
        destruct (Z.eq_dec (W u j) 0) as [->|hne]; [lia|]. pose proof (hrecent u j hu hne). congruence. }
      rewrite hj. f_equal. apply sum_eq. intros d _. apply hj. }
  assert (hr0 : In r (jobs (dag S v))).
  { apply filter_In. split; [|exact hr]. pose proof (legal_start lg _ _ hr). specialize (F0 v hv). apply in_range. unfold t. lia. }
  pose proof (hvisits (dag S v) (or_introl eq_refl)) as hv1. rewrite Z.eqb_refl in hv1.
  specialize (hown 1 (jobs (dag S v)) (fun j => r - j) W r ltac:(lia) (hmay _ (or_introl eq_refl)) hr0 ltac:(ring) hownmay hv1 hownvisits).
  assert (hoth : sum (fun d => sum (fun j => sum (fun u => share' (pool S u) * W u j) (dag_nodes S d)) (jobs d)) (other_dags S v) <= sum others (other_dags S v)).
  { apply sum_le. intros d hd. rewrite <- (Z.mul_1_l (others d)). apply (hothers d hd 1 (jobs d) (fun j => r - j) W ltac:(lia)).
    - apply hmay. now right.
    - pose proof (hvisits d (or_intror hd)) as hv2. assert (hne : (d =? dag S v) = false) by (apply filter_In in hd; destruct hd as (_ & hd); now apply negb_true_iff in hd).
      now rewrite hne in hv2. }
  lia.
Qed.

Theorem T10f_safe S h g a busy whole F v :
  well_formed S -> legal S h -> keeps_laws S h g a -> busy_holds S h g a busy -> (forall u, In u (nodes S) -> exec a u <= F u) -> executes_less S h g a v ->
  rules_hold S h g a whole ->
  In v (nodes S) -> under_way_inequality S a whole F v -> safe S h F v.
Proof.
  intros wf lg laws hbusy hF hless hwhole hv. apply (under_way_safe S h g a busy whole); auto. intros r l x l' _ _ _ _ _ _ _ _ p X hb. destruct hb.
Qed.

(** The sums as they are evaluated, pool by pool: of other jobs what can be ready at once or what T10a counts there; of the path's own job what
    visits allow on all pools, or what T10a counts. *)
Section Pools.
  Context (S : system) (wf : well_formed S) (a : accounts) (F : node -> Z) (lim : node -> option Z) (part : node -> Z -> Z) (share : Z -> Z) (v : node) (l : list node).
  Context (hv : In v (nodes S)) (hl : path S l v) (hshare : forall p, In p (visited S l) -> 0 <= share p) (sees : Z -> bool) (B : node -> Z -> Z).

  Lemma dag_by_pools d (f : node -> Z) : (forall u, In u (dag_nodes S d) -> f u <> 0 -> In (pool S u) (visited S l)) ->
    sum (fun u => share (pool S u) * f u) (dag_nodes S d) = sum (fun p => share p * sum f (dag_here S d p)) (visited S l).
  Proof.
    intros hf. symmetry. unfold dag_here.
    rewrite (sum_eq _ (fun p => sum (fun u => ind (pool S u =? p) * (share (pool S u) * f u)) (dag_nodes S d))).
    - rewrite sum_exchange. apply sum_eq. intros u hu. destruct (Z.eq_dec (f u) 0) as [->|hne].
      + rewrite sum_zero; [lia|]. intros p _. lia.
      + rewrite (sum_unique _ _ (pool S u)); [rewrite Z.eqb_refl; cbn [ind]; lia | apply NoDup_nodup | now apply hf|].
        intros p _ hp. destruct (Z.eqb_spec (pool S u) p); [congruence|]. cbn [ind]. lia.
    - intros p _. rewrite sum_filter, <- sum_scale. apply sum_eq. intros u _. destruct (Z.eqb_spec (pool S u) p) as [->|]; cbn [ind]; ring.
  Qed.

  Lemma jobs_by_pools d (js : list Z) (W : node -> Z -> Z) : (forall u j, In u (dag_nodes S d) -> In j js -> W u j <> 0 -> In (pool S u) (visited S l)) ->
    sum (fun j => sum (fun u => share (pool S u) * W u j) (dag_nodes S d)) js = sum (fun p => share p * sum (fun u => sum (W u) js) (dag_here S d p)) (visited S l).
  Proof.
    intros hW. rewrite (sum_eq _ (fun j => sum (fun p => share p * sum (fun u => W u j) (dag_here S d p)) (visited S l))).
    - rewrite sum_exchange. apply sum_eq. intros p _. rewrite sum_scale. f_equal. apply (sum_exchange (fun j u => W u j)).
    - intros j hj. apply (dag_by_pools d (fun u => W u j)). intros u hu. now apply hW.
  Qed.

  (** On pool p T10a counts X. *)
  Definition covered_on (d p X : Z) : Prop := forall k js age W, 0 < k -> may_do S F lim part l d k js age W ->
    sum (fun u => sum (W u) js) (dag_here S d p) <= k * X.

  Lemma covered_on_one d p X : others_covered S F lim part (fun p' => ind (p' =? p)) l d X -> covered_on d p X.
  Proof.
    intros hX k js age W hk hmay. specialize (hX k js age W hk hmay). etransitivity; [|exact hX]. apply Z.eq_le_incl.
    rewrite (sum_exchange (fun u j => W u j)). apply sum_eq. intros j _. unfold dag_here. rewrite sum_filter. reflexivity.
  Qed.

  Theorem others_by_visits d (X : Z -> Z) :
    (forall p, In p (visited S l) -> (sees p = true /\ X p = sum (fun q => B q d) (here S p l)) \/ covered_on d p (X p)) ->
    forall k js age W, 0 < k -> may_do S F lim part l d k js age W -> visits_do S v sees l d k B js W ->
      sum (fun j => sum (fun u => share (pool S u) * W u j) (dag_nodes S d)) js <= k * sum (fun p => share p * X p) (visited S l).
  Proof.
    intros hX k js age W hk hmay hvis. rewrite jobs_by_pools by (intros u j hu hj hne; now apply (md_counts hmay u j hu hj hne)).
    rewrite <- sum_scale. apply sum_le. intros p hp. specialize (hshare p hp). enough (sum (fun u => sum (W u) js) (dag_here S d p) <= k * X p) by nia.
    destruct (hX p hp) as [(hs & ->)|hc]; [now apply hvis | now apply (hc k js age W)].
  Qed.

  (** Of the path's own DAG's other jobs likewise. *)
  Definition own_covered_on (d p X : Z) : Prop := forall k js age W j0, 0 < k -> may_do S F lim part l d k js age W -> In j0 js -> age j0 = 0 ->
    sum (fun u => sum (W u) (filter (fun j => negb (j =? j0)) js)) (dag_here S d p) <= k * X.

  Theorem own_by_visits excluded B_own B_self (X V : Z -> Z) (J : Z) :
    (forall p, In p (visited S l) -> (sees p = true /\ X p = sum (fun q => B q (dag S v)) (here S p l)) \/ own_covered_on (dag S v) p (X p)) ->
    ((forall p, In p (visited S l) -> sees p = true) /\ (forall u, In u (nodes S) -> 0 <= part u 0 <= vol a u) /\
       (forall p, In p (visited S l) -> sum (fun u => ind (negb (if in_dec Z.eq_dec u l then true else false) && negb (excluded u)) * vol a u) (dag_here S (dag S v) p) <= V p) /\
       J = sum (fun p => share p * (Z.min (V p) (sum B_own (here S p l)) + sum B_self (here S p l))) (visited S l)
     \/ forall k js age W j0, 0 < k -> may_do S F lim part l (dag S v) k js age W -> In j0 js -> age j0 = 0 -> own_may_do S a l (dag S v) k excluded (fun u => W u j0) ->
          sum (fun u => share (pool S u) * W u j0) (dag_nodes S (dag S v)) <= k * J) ->
    forall k js age W j0, 0 < k -> may_do S F lim part l (dag S v) k js age W -> In j0 js -> age j0 = 0 ->
      own_may_do S a l (dag S v) k excluded (fun u => W u j0) ->
      visits_do S v sees l (dag S v) k B (filter (fun j => negb (j =? j0)) js) W -> own_visits_do S v sees l k B_own B_self (fun u => W u j0) ->
      sum (fun j => sum (fun u => share (pool S u) * W u j) (dag_nodes S (dag S v))) js <= k * (J + sum (fun p => share p * X p) (visited S l)).
  Proof.
    intros hX hJ k js age W j0 hk hmay hj0 hage hown hvis hownvis.
    assert (hnn : forall u, In u (dag_nodes S (dag S v)) -> 0 <= W u j0) by (intros u hu; now apply (md_part hmay u j0 hu hj0)).
    assert (hvisited : forall u j, In u (dag_nodes S (dag S v)) -> In j js -> W u j <> 0 -> In (pool S u) (visited S l)) by (intros u j hu hj hne; now apply (md_counts hmay u j hu hj hne)).
    rewrite (sum_split_one (fun j => j =? j0)). rewrite (sum_unique (fun j => ind (j =? j0) * sum (fun u => share (pool S u) * W u j) (dag_nodes S (dag S v))) js j0 (md_nodup hmay) hj0)
      by (intros j _ hne; rewrite (proj2 (Z.eqb_neq j j0) hne); cbn [ind]; lia).
    rewrite Z.eqb_refl. cbn [ind]. rewrite Z.mul_1_l, Z.mul_add_distr_l. apply Z.add_le_mono.
    - destruct hJ as [(hs & hpart & hV & ->)|hJ]; [|now apply (hJ k js age W j0)].
      rewrite (dag_by_pools (dag S v) (fun u => W u j0)) by (intros u hu hne; now apply (hvisited u j0 hu hj0 hne)). rewrite <- sum_scale. apply sum_le.
      intros p hp. specialize (hshare p hp). destruct (hownvis p (hs p hp)) as (h1 & h2). specialize (hV p hp).
      enough (sum (fun u => W u j0) (dag_here S (dag S v) p) <= k * (Z.min (V p) (sum B_own (here S p l)) + sum B_self (here S p l))) by nia.
      set (onl := fun u => if in_dec Z.eq_dec u l then true else false).
      rewrite (sum_split_one onl). rewrite Z.add_comm, Z.mul_add_distr_l. apply Z.add_le_mono.
      + rewrite <- Z.mul_min_distr_nonneg_l by lia. apply Z.min_glb; [|exact h1].
        etransitivity; [|apply Z.mul_le_mono_nonneg_l; [|exact hV]; lia]. rewrite <- sum_scale. apply sum_le. intros u hu.
        apply in_dag_here in hu. assert (hud : In u (dag_nodes S (dag S v))) by (apply in_dag_nodes; tauto). change (if in_dec Z.eq_dec u l then true else false) with (onl u).
        destruct (onl u); cbn [negb andb ind]; [lia|]. destruct (excluded u) eqn:he; cbn [negb ind].
        * rewrite (own_excluded hown u hud he). lia.
        * pose proof (md_part hmay u j0 hud hj0) as hp0. rewrite hage in hp0. destruct (hpart u ltac:(tauto)). nia.
      + rewrite <- sum_filter. transitivity (sum (fun q => W q j0) (here S p l)).
        * apply sum_incl; [apply NoDup_filter; unfold dag_here, dag_nodes; apply NoDup_filter, NoDup_filter, (wf_nodup wf) | |].
          -- intros u hu. apply filter_In in hu. destruct hu as (hu & ho). apply in_dag_here in hu. apply filter_In. unfold onl in ho. destruct (in_dec Z.eq_dec u l); [|discriminate].
             split; [assumption | apply Z.eqb_eq; tauto].
          -- intros q hq. apply filter_In in hq. apply hnn, in_dag_nodes. now apply (path_nodes S l v wf hv hl).
        * rewrite <- sum_scale. apply sum_le. exact h2.
    - rewrite <- (sum_filter (fun j => negb (j =? j0))). rewrite jobs_by_pools.
      + rewrite <- sum_scale. apply sum_le. intros p hp. specialize (hshare p hp).
        enough (sum (fun u => sum (W u) (filter (fun j => negb (j =? j0)) js)) (dag_here S (dag S v) p) <= k * X p) by nia.
        destruct (hX p hp) as [(hs & ->)|hc]; [now apply hvis | now apply (hc k js age W j0)].
      + intros u j hu hj. apply filter_In in hj. now apply hvisited.
  Qed.
End Pools.
