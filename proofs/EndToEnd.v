(** From schedules to printed numbers: T10, T10n and their companions in every execution of a system on a platform.

    The hypotheses name only what a schedule is (pools/Platform.v: which node job has a processor, which block is on which SM, in which tick),
    the parameters, valid weights and the inequality. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu pools.PlatformLaws pools.Busy.
From Rta Require Import path.Inequality path.T10n path.T10 path.T10a path.T10v path.T10c path.Together.

(** T10 on any platform. *)
Theorem T10_in_every_schedule S h P e w M share parallel blk (Y R : Z -> Z) :
  well_formed S -> sound_platform S P -> system_obeys S h P e -> all_weights_valid S P w ->
  common_multiple S (counted_accounts S P w) M share -> fifo_or_gel_by_dag S Y ->
  parallel_sound S parallel ->
  (forall q, In q (nodes S) -> blocking_covers S (counted_accounts S P w) (fun u => R (dag S u)) parallel blk q) ->
  (forall u, In u (nodes S) -> length_of P u <= R (dag S u)) ->
  (forall z l, In z (nodes S) -> sink S z -> path S l z ->
     dag_bound S (counted_accounts S P w) M share blk Y R (dag S z) l <= M * R (dag S z)) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + R (dag S v)) = true.
Proof.
  intros wf sp so hw hM hord hpar hblk hR hineq v r hv hr.
  exact (T10 S h _ _ M share parallel blk Y R wf (so_legal so) (platform_keeps_laws S h P e w (wf_nodup wf) sp so hw) hM hord hpar hblk hR hineq v hv r hr).
Qed.

(** T10 on FIFO processors, all in sight: nodes of every DAG on pools of m p processors in FIFO order. M / m p = share p. If for every
    path l from a source to a sink of DAG k
      M R_k >= sum over v in l of (M C_v - share C_v) + sum over pools p visited by l of share p * sum over nodes u on p of n_u C_u,
      n_u = ceil((R_d + R_k)/T_d) for u of another DAG d,   ceil(R_k/T_k) + floor(R_k/T_k) for u of DAG k,
    and R_k >= C_v for its nodes, then every job of DAG k has ended R_k after its release. *)
Theorem T10_on_fifo_processors S h P e (C : node -> Z) (m : Z -> Z) M (share : Z -> Z) (R : Z -> Z) :
  well_formed S ->
  (forall p, kind_of P p = Processors (m p) /\ order_of S p = Fifo) -> (forall u, In u (nodes S) -> 0 < m (pool S u)) ->
  (forall u, length_of P u = C u) -> (forall u, In u (nodes S) -> 0 <= C u) ->
  legal S h -> (forall p, processors_obey S h P e p (m p)) ->
  0 < M -> (forall u, In u (nodes S) -> share (pool S u) * m (pool S u) = M) ->
  (forall u, In u (nodes S) -> C u <= R (dag S u)) ->
  (forall k z l, In z (nodes S) -> sink S z -> path S l z -> dag S z = k ->
     sum (fun x => M * C x - share (pool S x) * C x) l
     + sum (fun p => share p * sum (fun u => (if dag S u =? k then cdiv (R k) (period S k) + R k / period S k
                                              else cdiv (R (dag S u) + R k) (period S (dag S u))) * C u) (on_pool S p)) (visited S l)
     <= M * R k) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + R (dag S v)) = true.
Proof.
  intros wf hp hm hC hC0 lg ob hM hshare hR hineq.
  assert (sp : sound_platform S P).
  { constructor; intros u hu; [rewrite hC; auto|]. destruct (hp (pool S u)) as (-> & _). auto. }
  assert (so : system_obeys S h P e).
  { constructor; [exact lg|]. intros p. unfold pool_obeys. destruct (hp p) as (-> & _). apply ob. }
  set (w := {| weight := fun _ => 0; one := fun _ => 0 |}).
  assert (hw : all_weights_valid S P w) by (intros p G hk; destruct (hp p) as (e0 & _); congruence).
  apply (T10_in_every_schedule S h P e w M share (fun _ _ => true) (fun _ => 0) (fun _ => 0) R); auto.
  - split; [exact hM|]. intros u hu. cbn. destruct (hp (pool S u)) as (-> & _). auto.
  - intros p. left. apply hp.
  - intros q u _ _. discriminate.
  - intros q hq. apply no_blocking. cbn. now destruct (hp (pool S q)) as (-> & _).
  - intros u hu. rewrite hC. auto.
  - intros z l hz hs hl. specialize (hineq (dag S z) z l hz hs hl eq_refl).
    etransitivity; [|exact hineq]. apply Z.eq_le_incl. unfold dag_bound, path_length. f_equal.
    + apply sum_eq. intros x _. cbn. destruct (hp (pool S x)) as (-> & _). rewrite hC. ring.
    + apply sum_eq. intros p _. f_equal. apply sum_eq. intros u hu. apply in_on_pool in hu. destruct hu as (_ & hup).
      unfold jobs. destruct (hp p) as (hk & ->). cbn. rewrite hup, hk, hC. reflexivity.
Qed.

(** T10n on any platform; each node may use weights of its own. *)
Theorem T10n_in_every_schedule S h P e F :
  well_formed S -> sound_platform S P -> system_obeys S h P e ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w, all_weights_valid S P w /\ path_inequality S (counted_accounts S P w) F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true.
Proof.
  intros wf sp so hF hall v r hv hr.
  refine (bounds_hold S h wf (so_legal so) F _ _ v hv r hr).
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). lia.
  - intros u hu. destruct (hall u hu) as (w & hw & hineq).
    exists (counted_progress S h P e w), (counted_accounts S P w), (fun _ => 1), (fun _ => None).
    split; [apply platform_keeps_laws; auto using (wf_nodup wf)|]. split; [intros x r' t _; apply Z.divide_1_l|]. split; [discriminate|].
    split; [exact hF | now apply by_T10n].
Qed.

(** T10a on any platform. *)
Theorem T10a_in_every_schedule S h P e F :
  well_formed S -> sound_platform S P -> system_obeys S h P e ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w, all_weights_valid S P w /\ aligned_inequality S (counted_accounts S P w) F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true.
Proof.
  intros wf sp so hF hall v r hv hr.
  refine (bounds_hold_together S h wf (so_legal so) (platform_busy S P e) (fun _ => false) F _ _ v hv r hr).
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). lia.
  - intros u hu. destruct (hall u hu) as (w & hw & hineq).
    exists (counted_progress S h P e w), (counted_accounts S P w), (fun _ => 1), (fun _ => None).
    split; [apply platform_keeps_laws; auto using (wf_nodup wf)|]. split; [now apply platform_busy_holds|]. split; [intros x r' t _; apply Z.divide_1_l|].
    split; [discriminate|]. split; [exact hF|]. split; [discriminate | now apply by_T10a].
Qed.

(** T10v on any platform: processors are those of its pools that are no GPUs. *)
Theorem T10v_in_every_schedule S h P e F :
  well_formed S -> sound_platform S P -> system_obeys S h P e ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w, all_weights_valid S P w /\
     overlapped_inequality S (counted_accounts S P w) (platform_full P) F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true.
Proof.
  intros wf sp so hF hall v r hv hr.
  refine (bounds_hold_together S h wf (so_legal so) (platform_busy S P e) (platform_full P) F _ _ v hv r hr).
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). lia.
  - intros u hu. destruct (hall u hu) as (w & hw & hineq).
    exists (counted_progress S h P e w), (counted_accounts S P w), (fun _ => 1), (fun _ => None).
    split; [apply platform_keeps_laws; auto using (wf_nodup wf)|]. split; [now apply platform_busy_holds|]. split; [intros x r' t _; apply Z.divide_1_l|].
    split; [discriminate|]. split; [exact hF|]. split; [|now apply by_T10v].
    intros p hp. destruct (platform_full_holds S h P e w p so hp) as (h1 & h2). repeat split; auto; [now apply h1 | now apply h1|].
    now apply platform_runs_or_waits.
Qed.

(** T10c on any platform. *)
Theorem T10c_in_every_schedule S h P e F :
  well_formed S -> sound_platform S P -> system_obeys S h P e ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w, all_weights_valid S P w /\
     backlog_inequality S (counted_accounts S P w) (platform_full P) F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true.
Proof.
  intros wf sp so hF hall v r hv hr.
  refine (bounds_hold_together S h wf (so_legal so) (platform_busy S P e) (platform_full P) F _ _ v hv r hr).
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). lia.
  - intros u hu. destruct (hall u hu) as (w & hw & hineq).
    exists (counted_progress S h P e w), (counted_accounts S P w), (fun _ => 1), (fun _ => None).
    split; [apply platform_keeps_laws; auto using (wf_nodup wf)|]. split; [now apply platform_busy_holds|]. split; [intros x r' t _; apply Z.divide_1_l|].
    split; [discriminate|]. split; [exact hF|]. split; [|now apply by_T10c].
    intros p hp. destruct (platform_full_holds S h P e w p so hp) as (h1 & h2). repeat split; auto; [now apply h1 | now apply h1|].
    now apply platform_runs_or_waits.
Qed.

(** T10n and T10a, and T10j and T10g, each at some nodes, in ticks of any length, is Ticks.bounds_hold_in_every_tick. *)
