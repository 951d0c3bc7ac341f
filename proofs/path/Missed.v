(** What holds at the first due instant that is missed: which releases of other jobs matter. docs/theory/path.md, "Which jobs matter". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality.

Section Missed.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a).
  Context (F : node -> Z) (F_exec : forall u, In u (nodes S) -> exec a u <= F u).

  Lemma F_nonneg u : In u (nodes S) -> 0 <= F u.
  Proof. intros hu. pose proof (law_numbers laws u hu) as (? & _ & _). specialize (F_exec u hu). lia. Qed.

  (* All due instants before that of node v of the job released at r are met. *)
  Context (v : node) (r : Z) (hv : In v (nodes S)) (met : met_before S h F v r).
  Let t := r + F v.

  Lemma ready_by q s : In q (nodes S) -> ready S h q r s = true -> r <= s <= t ->
    ready S h q r (Z.min s (r + ready_bound S F q)) = true.
  Proof.
    intros hq hready hs. pose proof (ready_bound_nonneg S F q).
    destruct (Z_le_gt_dec s (r + ready_bound S F q)) as [hle|hgt]; [now rewrite Z.min_l by lia|].
    rewrite Z.min_r by lia. apply ready_spec in hready. destruct hready as (hrel & _ & hdone).
    apply ready_spec. repeat split; [auto | lia|]. intros x hx.
    destruct (wf_preds wf q x hq hx) as (hxn & hxd & _). pose proof (ready_bound_spec S F q x hx).
    apply (legal_done lg x r (r + F x)); [|lia].
    apply met; auto; [congruence|]. left. fold t. lia.
  Qed.

  Lemma not_after_due q s : In q (nodes S) -> pending S h q r s = true -> r <= s <= t -> s <= r + F q.
  Proof.
    intros hq hp hs. pose proof (pending_released S h lg q r s hp) as (hrel & _). destruct (Z_le_gt_dec s (r + F q)) as [|hgt]; [auto|]. exfalso.
    apply pending_spec in hp. destruct hp as (_ & hnd).
    rewrite (legal_done lg q r (r + F q)) in hnd; [discriminate | | lia].
    apply met; [auto | auto|]. left. fold t. lia.
  Qed.

  (** What runs while an ancestor of v (or v) waits was released no later than [limit] says. *)
  Lemma limit_sound q u r' s :
    In u (nodes S) -> pool S u = pool S q -> ancestor_or_self S q v -> r <= s <= t ->
    waits g q r s = true -> 0 < work g u r' s -> within (limit S F q u) (r' - r).
  Proof.
    intros hu hpool hq hs hw hwork.
    destruct (ancestor_or_self_facts S q v wf hv hq) as (hqn & hqd & _).
    pose proof (law_waits laws q r s hqn hw) as hp.
    pose proof (law_pending laws u r' s hu hwork) as hpu.
    pose proof (law_order laws q r u r' s hqn hu hpool hw hwork) as hb.
    pose proof (not_after_due q s hqn hp hs) as hdue.
    pose proof (pending_released S h lg u r' s hpu) as (_ & hr's).
    assert (hready : ready_no_later S h u r' q r -> r' - r <= ready_bound S F q).
    { intros hno. apply pending_spec in hp. destruct hp as (hre & _).
      pose proof (hno _ (ready_by q s hqn hre hs)) as hu'. apply ready_spec in hu'. lia. }
    unfold limit. destruct (order_of S (pool S q)) as [|Y|pi|pi]; cbn [before] in hb.
    - cbn. auto.
    - cbn. lia.
    - destruct (Z.ltb_spec (pi u) (pi q)); [destruct hb as [|[]]; lia|].
      destruct (Z.eqb_spec (pi u) (pi q)); [|cbn; lia]. cbn. destruct hb as [|[]]; [lia | auto].
    - destruct (Z.ltb_spec (pi u) (pi q)); cbn; lia.
  Qed.

  (** A job of u released F_u or more before r has ended u by r. *)
  Lemma old_jobs_done u r' s : In u (nodes S) -> r' <= r - F u -> r <= s -> work g u r' s = 0.
  Proof.
    intros hu hold hs. destruct (released h (dag S u) r') eqn:hrel.
    - destruct (Z.eq_dec (F u) 0) as [h0|hne].
      + apply (no_work_if_empty _ S h g a laws); auto. apply (law_numbers laws u hu).
        pose proof (F_exec u hu). pose proof (law_numbers laws u hu) as (? & _ & _). lia.
      + apply (no_work_unless_pending _ S h g a laws); auto.
        assert (hd : done h u r' (r' + F u) = true).
        { apply met; auto. pose proof (F_nonneg u hu). pose proof (F_nonneg v hv). unfold earlier. lia. }
        unfold pending. rewrite (legal_done lg u r' (r' + F u) s hd) by lia. apply andb_false_r.
    - apply (no_work_unless_pending _ S h g a laws); auto.
      unfold pending, ready. now rewrite hrel.
  Qed.
End Missed.
