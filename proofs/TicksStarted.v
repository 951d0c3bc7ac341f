(** T10d without preemption in ticks as short as one likes. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform.
From Rta Require Import path.Walk path.Inequality path.T10n path.Turns path.T10a path.FromReady path.Meanwhile path.T10w path.Started path.T10d_np Ticks.

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
