(** T10d without preemption in ticks as short as one likes: bounds of one system may rest on it at some nodes, on all others at others. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu pools.PlatformLaws pools.Busy pools.Pieces.
From Rta Require Import path.Walk path.Inequality path.T10n path.Turns path.T10a path.FromReady path.Meanwhile path.T10w path.Started path.T10d_np path.Together Ticks.

Section Finer.
  Context (k : Z) (k_pos : 0 < k) (S : system) (wf : well_formed S) (F : node -> Z) (a : accounts).
  Let S' := finer k S.
  Let F' := fun u => k * F u.
  Let a' := finer_accounts k a.
  Let finer_lim (lim : node -> option Z) := fun u => finer_limit k (lim u).

  Lemma lag_floor_finer q u : lag_floor S' F' q u = k * lag_floor S F q u.
  Proof.
    unfold lag_floor, S', F', finer. cbn [order_of pool]. destruct (order_of S (pool S q)); cbn [finer_order]; try ring.
    rewrite <- max_finer by exact k_pos. f_equal; ring.
  Qed.

  Lemma may_lag_finer q u : may_lag S' q u = may_lag S q u.
  Proof. unfold may_lag, S', finer. cbn [order_of pool]. destruct (order_of S (pool S q)); reflexivity. Qed.

  Lemma begins_on_finer p l : begins_on S' p l = begins_on S p l.
  Proof. destruct l; reflexivity. Qed.

  Lemma fresh_finer p l : fresh S' p l = fresh S p l.
  Proof. induction l as [|x l IH]; [reflexivity|]. cbn [fresh]. now rewrite IH, begins_on_finer. Qed.

  Lemma following_finer p l : following S' p l = following S p l.
  Proof. induction l as [|x l IH]; [reflexivity|]. cbn [following]. now rewrite IH, begins_on_finer. Qed.

  Lemma started_meanwhile_coarser full lim lims lima v L L' l p c y jobs age j0 W B1 B2 : 0 < c -> 0 <= cap a p -> L' <= k * L ->
    started_meanwhile S' a' full F' (finer_lim lim) (finer_lim lims) (finer_lim lima) v L' l p c y jobs age j0 W B1 B2 ->
    started_meanwhile S a full F lim lims lima v L l p (c * k) y jobs age j0 W B1 B2.
  Proof.
    intros hc hcap hL [m1 m2 m3 m4 m5 m6 m7 m8 m9 m10]. constructor.
    - apply (done_meanwhile_coarser k k_pos S F a full lim v L L' p c); auto.
    - apply (done_meanwhile_coarser k k_pos S F a full lims v L L' p c); auto.
    - apply (done_meanwhile_coarser k k_pos S F a full lima v L L' p c); auto.
    - intros u hu hne. destruct (m4 u hu hne) as [hul|(q & hq & hqp & hbe)]; [now left|]. right. exists q.
      split; [exact hq|]. split; [exact hqp | now apply (beside_coarser k k_pos)].
    - intros u hu hp. specialize (m5 u hu hp). unfold a' in m5. cbn [vol last finer_accounts] in m5. lia.
    - exact m6.
    - intros u j hu hj hne. destruct (m7 u j hu hj hne) as (q & hq & hqp & h1 & h2 & h3). exists q. split; [exact hq|]. split; [exact hqp|].
      rewrite may_lag_finer in h1. split; [exact h1|]. rewrite lag_floor_finer in h2. unfold S', F' in h2. rewrite ready_bound_finer in h2 by exact k_pos.
      split; [lia|]. intros hd hj0. destruct (h3 hd hj0) as (e1 & e2 & e3). split; [exact e1|].
      split; intros ha; [apply e2 | apply e3]; now apply ancestor_finer.
    - rewrite fresh_finer, following_finer in m8. exact m8.
    - exact m9.
    - intros hf m c0 c1 c2 hcount. destruct (m10 hf m c0 c1 c2 hcount) as (Q & q1 & q2 & q3 & q4). exists Q.
      split; [exact q1|]. split; [|split; [exact q3 | exact q4]]. intros d U j FU hd hU hj hFU. etransitivity; [apply (q2 d U j (k * FU)); auto|].
      + intros u hu. specialize (hFU u hu). unfold F'. nia.
      + destruct hcount as (hm & _). apply Z.mul_le_mono_nonneg_l; [lia|]. unfold overlap. nia.
  Qed.

  Lemma started_inequality_finer full keeps v : (forall u, In u (nodes S) -> 0 <= cap a (pool S u)) -> In v (nodes S) ->
    started_inequality S a full keeps F v -> started_inequality S' a' full keeps F' v.
  Proof.
    intros hcap hv (M & lim & lims & lima & hM & hev & hlim & hlims & hlima & hineq). exists M, (finer_lim lim), (finer_lim lims), (finer_lim lima).
    split; [exact hM|]. split; [unfold a'; cbn [exec finer_accounts]; nia|]. split; [now apply limits_finer|]. split; [|split].
    - intros q u hq hu hp hm. unfold S', F'. rewrite ready_bound_finer by exact k_pos. rewrite may_lag_finer in hm.
      apply (limit_le_finer k k_pos (Some (ready_bound S F q)) (lims u)). apply hlims; auto. now apply (ancestor_or_self_coarser k).
    - intros u. destruct (hlima u). split; now apply limit_le_finer.
    - intros l hl. destruct (hineq l (path_finer k S l v hl)) as (w & hw & hsum). exists (fun p => k * w p). split.
      + intros p hp c y jobs age j0 W B1 B2 hc hrun. rewrite Z.mul_assoc. apply (hw p hp (c * k) y jobs age j0 W B1 B2); [nia|].
        apply (started_meanwhile_coarser full lim lims lima v _ (window S' a' F' keeps v)); auto.
        * apply in_visited in hp. destruct hp as (x & hx & <-). apply hcap. now apply (path_nodes S l v wf hv (path_finer k S l v hl)).
        * unfold window, S', a', F'. cbn [pool finer exec finer_accounts]. destruct (keeps (pool S v)); nia.
      + change (visited S' l) with (visited S l). change (F' v) with (k * F v).
        assert (hexec : sum (fun x => M * exec a' x) l = k * sum (fun x => M * exec a x) l).
        { rewrite <- sum_scale. apply sum_eq. intros x _. unfold a'. cbn [exec finer_accounts]. ring. }
        rewrite hexec, (sum_scale k w). change (sum (fun a0 => w a0) (visited S l)) with (sum w (visited S l)). nia.
  Qed.
End Finer.

(** Where nodes end when they have run for their worst case, and a thread that ends one does not go on with another. *)
Theorem bounds_hold_beside_started_in_every_tick k S h P e F :
  0 < k -> well_formed S -> sound_platform S P -> system_obeys (finer k S) h (finer_platform k P) e ->
  ends_when_run (finer k S) h (finer_platform k P) e -> a_thread_ends (finer k S) h (finer_platform k P) e ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w step quiet, all_weights_valid S P w /\
     (forall u, In u (nodes S) -> (step (pool S u) | match kind_of P (pool S u) with Processors _ | Threads _ => 1 | Gpu _ => weight w u end)) /\
     quiet_by_configurations S P w quiet /\
     (fitting_reason S (counted_accounts S P w) (platform_full P) step quiet F v \/
      started_inequality S (counted_accounts S P w) (platform_full P) (platform_keeps P) F v)) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + k * F v) = true.
Proof.
  intros hk wf sp so hends hthread hF hall v r hv hr.
  pose proof (well_formed_finer k hk S wf) as wf'. pose proof (sound_platform_finer k S P hk sp) as sp'.
  refine (all_safe_with (finer k S) h wf' (so_legal so) (platform_busy (finer k S) (finer_platform k P) e) (fun u => k * F u) _ _ _ v hv r hr).
  - intros u r' t hu hb. destruct (hall u hu) as (w & step & quiet & hw & hstep & hq & _).
    destruct (facts_in_every_tick k S h P e F w step quiet hk wf sp so hF hw hstep hq) as (_ & hbusy & _ & _ & hF' & _).
    destruct (busy_pending hbusy u r' t hu hb) as (hp & he). specialize (hF' u hu). split; [exact hp | lia].
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). nia.
  - intros u hu. destruct (hall u hu) as (w & step & quiet & hw & hstep & hq & hreason).
    destruct (facts_in_every_tick k S h P e F w step quiet hk wf sp so hF hw hstep hq) as (h1 & h2 & h3 & h4 & h5 & h6).
    assert (hless : 0 < exec (finer_accounts k (counted_accounts S P w)) u ->
              executes_less (finer k S) h (counted_progress (finer k S) h (finer_platform k P) e w) (finer_accounts k (counted_accounts S P w)) u)
      by (intros hx; exact (platform_executes_less (finer k S) h (finer_platform k P) e w u sp' so hw hends hu hx)).
    destruct hreason as [hr' | hr'].
    + eapply (fitting_reason_safe (finer k S) h wf' (so_legal so)); eauto. now apply fitting_reason_finer.
    + apply safe_any. assert (hcap : forall x, In x (nodes S) -> 0 <= cap (counted_accounts S P w) (pool S x)).
      { intros x hx. pose proof (law_cap h1 x hx) as (hc & _). change (0 < cap (counted_accounts S P w) (pool S x)) in hc. lia. }
      pose proof (started_inequality_finer k hk S wf F (counted_accounts S P w) (platform_full P) (platform_keeps P) u hcap hu hr') as hr2.
      pose proof hr2 as (_ & _ & _ & _ & _ & hev & _).
      apply (T10d_np_safe (finer k S) h wf' (so_legal so) (counted_progress (finer k S) h (finer_platform k P) e w) (finer_accounts k (counted_accounts S P w)) (platform_full P) (platform_keeps P)); auto.
      * exact (platform_meets_few (finer k S) h (finer_platform k P) e w wf' sp' so hthread).
      * intros p hp. destruct (h6 p hp) as (e1 & e2 & _). auto.
      * intros p hp. exact (platform_lags (finer k S) h (finer_platform k P) e w so p hp).
      * intros hkeep. exact (platform_goes_on (finer k S) h (finer_platform k P) e w so u hu hkeep).
Qed.
