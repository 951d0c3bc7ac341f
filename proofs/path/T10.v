(** T10: one bound per DAG, on FIFO pools, GPUs and pools that are GEL by DAG. docs/theory/path.md, "T10: one bound per DAG". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality path.Missed path.Waiting
  path.T10n.

(** The pools' orders: FIFO, or GEL with one relative priority point per DAG. *)
Definition fifo_or_gel_by_dag (S : system) (Y : Z -> Z) : Prop :=
  forall p, order_of S p = Fifo \/ order_of S p = Gel (fun u => Y (dag S u)).

(** n_d^p for DAG k: how many jobs of DAG d the work on pool p is counted for.
      FIFO pools and GPUs:  ceil((R_d + R_k)/T_d) for d <> k,  ceil(R_k/T_k) + floor(R_k/T_k) for d = k
      GEL pools:            max(0, ceil((R_d + min(R_k, Y_k - Y_d))/T_d)) for every d *)
Definition jobs (S : system) (Y R : Z -> Z) (k p d : Z) : Z :=
  match order_of S p with
  | Fifo => if d =? k then cdiv (R k) (period S k) + R k / period S k else cdiv (R d + R k) (period S d)
  | _ => Z.max 0 (cdiv (R d + Z.min (R k) (Y k - Y d)) (period S d))
  end.

(** The right-hand side of (1), M times: execution less last pieces (and blocking on pools that do not preempt), and for each pool that the
    path visits the sum of n_d^p vol_d^p over all DAGs d, that is, of n_d^p vol_u over all nodes u of the pool. *)
Definition dag_bound (S : system) (a : accounts) (M : Z) (share : Z -> Z) (blk : node -> Z) (Y R : Z -> Z) (k : Z) (l : list node) : Z :=
  path_length S a M share blk l
    + sum (fun p => share p * sum (fun u => jobs S Y R k p (dag S u) * vol a u) (on_pool S p)) (visited S l).

Theorem T10 (S : system) (h : history) (g : progress) (a : accounts) (M : Z) (share : Z -> Z) (parallel : node -> node -> bool)
    (blk : node -> Z) (Y R : Z -> Z) :
  well_formed S -> legal S h -> keeps_laws S h g a -> common_multiple S a M share -> fifo_or_gel_by_dag S Y ->
  parallel_sound S parallel -> (forall q, In q (nodes S) -> blocking_covers S a (fun u => R (dag S u)) parallel blk q) ->
  (forall u, In u (nodes S) -> exec a u <= R (dag S u)) ->
  (forall z l, In z (nodes S) -> sink S z -> path S l z -> dag_bound S a M share blk Y R (dag S z) l <= M * R (dag S z)) ->
  forall v, In v (nodes S) -> ends_within S h v (R (dag S v)).
Proof.
  intros wf lg laws hM horder hpar hblk hR hineq.
  set (F := fun u => R (dag S u)).
  assert (R0 : forall u, In u (nodes S) -> 0 <= R (dag S u)).
  { intros u hu. pose proof (law_numbers laws u hu) as (? & _ & _). specialize (hR u hu). lia. }
  apply (all_safe S h wf lg F R0).
  intros v hv r hr met. destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
  destruct (late_path S h wf lg r v (r + F v) hv hr ltac:(specialize (R0 v hv); unfold F; lia) missed) as (l & x & hl & hx & hxn & cover).
  destruct (path_to_sink S l x wf hxn hl) as (l' & z & hz & hs & hl' & hincl & hzx).
  assert (hzd : dag S z = dag S v).
  { destruct (ancestor_or_self_facts S x v wf hv hx) as (_ & ? & _). congruence. }
  set (k := dag S v) in *.
  set (lim := fun u => match order_of S (pool S u) with
                       | Fifo => Some (R k)
                       | _ => Some (Z.min (R k) (Y k - Y (dag S u)))
                       end).
  assert (hlim : limits S F v lim).
  { intros q u hq hu hp. destruct (ancestor_or_self_facts S q v wf hv hq) as (hqn & hqd & _).
    unfold lim, limit. rewrite hp. destruct (horder (pool S q)) as [->| ->]; cbn [limit_le].
    - apply ready_bound_le; [apply R0, hv|]. intros y hy.
      destruct (wf_preds wf q y hqn hy) as (_ & hyd & _). unfold F, k. rewrite hyd, hqd. lia.
    - unfold F, k. rewrite hqd. lia. }
  assert (hpath : forall y, In y l' -> false = false /\ within (lim y) 0).
  { intros y hy. split; [reflexivity|]. destruct (path_nodes S l' z wf hz hl' y hy) as (_ & hyd).
    unfold lim. specialize (R0 v hv). fold k in R0.
    destruct (horder (pool S y)) as [->| ->]; cbn [within]; [lia|]. rewrite hyd, hzd. lia. }
  pose proof (late_impossible S h g a wf lg laws v r (F v) hr (R0 v hv) F) as himp.
  specialize (himp lim).
  specialize (himp l x hl hx cover l' z hl' hz hzd hincl (fun q u r' s hu hp _ hq hs hw hwork hlow =>
    within_le _ _ _ (limit_sound S h g a wf lg laws F v r hv met q u r' s hu hp hq hs hw hwork hlow) (hlim q u hq hu hp))
    (fun _ u r' s _ hu _ => old_jobs_done S h g a lg laws F hR v r hv met u r' s hu)).
  specialize (himp (fun _ => false) ltac:(discriminate) hpath blk
    (fun y hy => blocked_work S h g a wf lg laws F hR v r hv met parallel blk y hpar (proj1 (path_nodes S l' z wf hz hl' y hy))
       (eq_trans (proj2 (path_nodes S l' z wf hz hl' y hy)) hzd) (hblk y (proj1 (path_nodes S l' z wf hz hl' y hy)))) (fun y s => path_paced S h g a l' z laws wf hz hl' y r s) M share
    (conj (proj1 hM) (fun y hy => proj2 hM y (proj1 (path_nodes S l' z wf hz hl' y hy))))).
  specialize (himp _ (fun u hu => count_covers S h v r F lim (fun _ => false) u wf lg hr hu)).
  specialize (hineq z l' hz hs hl'). rewrite hzd in hineq. fold k in hineq.
  enough (path_bound S a M share blk (count S F v (fun _ => false) lim) l' <= dag_bound S a M share blk Y R k l').
  { destruct hM as (hM & _). change (F v) with (R k) in himp. lia. }
  unfold path_bound, dag_bound, pool_work. apply Z.add_le_mono_l. apply sum_le. intros p hp.
  apply in_visited in hp. destruct hp as (y & hy & <-).
  assert (hyn : In y (nodes S)) by exact (proj1 (path_nodes S l' z wf hz hl' y hy)).
  assert (hshare : 0 <= share (pool S y)).
  { destruct hM as (hM & hs'). specialize (hs' y hyn). pose proof (law_cap laws y hyn) as (? & _). nia. }
  apply Z.mul_le_mono_nonneg_l; [exact hshare|]. apply sum_le. intros u hu. apply in_on_pool in hu. destruct hu as (hu & hup).
  pose proof (law_numbers laws u hu) as (he & hvol & hzero).
  pose proof (wf_period wf u hu) as hT. specialize (hR u hu).
  destruct (Z.eq_dec (R (dag S u)) 0) as [h0|hne]; [rewrite hzero by lia; lia|].
  apply Z.mul_le_mono_nonneg_r; [lia|].
  unfold count, jobs, lim. rewrite hup. fold k. unfold F.
  pose proof (R0 v hv) as hRk. fold k in hRk.
  destruct (Z.eqb_spec (dag S u) k) as [hd|hd].
  - rewrite hd in *. destruct (horder (pool S y)) as [->| ->].
    + rewrite count_own_fifo by lia. pose proof (cdiv_pos (R k) (period S k) hT ltac:(lia)). lia.
    + replace (Y k - Y k) with 0 by ring. rewrite count_own_gel_by_dag by lia.
      rewrite Z.min_r by lia. rewrite Z.add_0_r. lia.
  - destruct (horder (pool S y)) as [->| ->].
    + rewrite count_other_fifo by lia. lia.
    + cbn. lia.
Qed.
