(** What a pool of processors has left just after a tick in which fewer than c of them worked on Psi: c - 1 nodes ran there at most, and all else
    of what is counted descends from one of them. T10c, T39. docs/theory/path.md, docs/theory/upstream.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Meanwhile path.T10v local.Core local.Timely.

Section LeftOver.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h) (g : progress) (a : accounts) (laws : keeps_laws S h g a) (F : node -> Z).
  Context (p : Z) (hproc : of_processors S a p) (hruns : runs_or_waits S h g p).

  Lemma on_p u : In u (on_pool S p) -> In u (nodes S) /\ pool S u = p.
  Proof. now rewrite in_on_pool. Qed.

  Lemma work_one u r' s : In u (on_pool S p) -> 0 <= work g u r' s <= 1.
  Proof.
    intros hu. destruct (on_p u hu) as (hun & _). pose proof (law_work laws u r' s hun). split; [assumption|].
    pose proof (law_width laws u r' s hun) as hw. destruct (hproc u hu) as (hvol & _). rewrite hvol in hw.
    pose proof (law_numbers laws u hun) as (he & _ & hz). destruct (Z.eq_dec (exec a u) 0) as [e0|]; [|nia].
    rewrite (no_work_if_empty _ S h g a laws u r' s hun (hz e0)). lia.
  Qed.

  (* While something of Psi waits, all processors work on Psi. Just before t0 fewer than c do. *)
  Context (psi : node -> Z -> bool) (c : Z) (hc : c <= cap a p) (t0 : Z) (hend : t0 = 0 \/ rate_of S g p psi (t0 - 1) < c).
  Context (busy : forall y q s, In y (on_pool S p) -> psi y q = true -> waits g y q s = true -> cap a p <= rate_of S g p psi s).

  Lemma nothing_waits y q : 0 < t0 -> In y (on_pool S p) -> psi y q = true -> waits g y q (t0 - 1) = false.
  Proof.
    intros hpos hy hpsi. destruct (waits g y q (t0 - 1)) eqn:hw; [|reflexivity]. exfalso. pose proof (busy y q _ hy hpsi hw). destruct hend; lia.
  Qed.

  (* Which nodes count, and what descends from them. *)
  Context (counted : node -> bool) (below : node -> node -> bool).

  (** (q, r') runs there, and counts. *)
  Definition runs_there (q : node) (r' : Z) : Z := ind (psi q r' && counted q) * work g q r' (t0 - 1).

  Lemma runs_there_nonneg q r' : In q (on_pool S p) -> 0 <= runs_there q r'.
  Proof. intros hq. unfold runs_there. pose proof (work_one q r' (t0 - 1) hq). pose proof (ind_range (psi q r' && counted q)). nia. Qed.

  (** What is pending there and counts is one of them. *)
  Lemma one_below u q r' : 0 < t0 -> In q (on_pool S p) -> psi q r' = true -> counted q = true -> pending S h q r' (t0 - 1) = true -> below q u = true ->
    1 <= sum (fun q => ind (below q u) * runs_there q r') (on_pool S p).
  Proof.
    intros hpos hq hpsi hcnt hp hb. assert (hw : work g q r' (t0 - 1) = 1) by (apply hruns; auto; apply nothing_waits; auto; lia).
    etransitivity; [|apply (sum_in (fun q => ind (below q u) * runs_there q r') _ q)]; [| |exact hq].
    - cbv beta. unfold runs_there. rewrite hb, hpsi, hcnt, hw. cbn. lia.
    - intros q' hq'. pose proof (runs_there_nonneg q' r' hq'). pose proof (ind_range (below q' u)). nia.
  Qed.

  (** c - 1 of them, of each as many as may be unfinished at once, with what descends from them. *)
  Context (carry : Z) (carry_nonneg : 0 <= carry).
  Context (covers : forall n,
    (forall q, In q (on_pool S p) -> 0 <= n q <= (if counted q then Z.max 0 (cdiv (F q) (period S (dag S q))) else 0)) -> sum n (on_pool S p) <= c - 1 ->
    sum (fun q => n q * sum (fun u => ind (below q u) * vol a u) (on_pool S p)) (on_pool S p) <= carry).
  Context (v : node) (r : Z) (met : met_before S h F v r) (hF : 0 <= F v) (ht0 : 0 <= t0 <= r).

  Theorem carried_over :
    sum (fun u => sum (fun r' => vol a u * sum (fun q => ind (below q u) * runs_there q r') (on_pool S p)) (range 0 t0)) (on_pool S p) <= carry.
  Proof.
    destruct (Z.eq_dec t0 0) as [->|hne0].
    { rewrite sum_zero; [exact carry_nonneg|]. intros u _. now rewrite range_nil by lia. }
    set (n := fun q => sum (runs_there q) (range 0 t0)). etransitivity; [|apply (covers n)].
    - apply Z.eq_le_incl.
      transitivity (sum (fun u => sum (fun q => vol a u * (ind (below q u) * n q)) (on_pool S p)) (on_pool S p)).
      + apply sum_eq. intros u _.
        transitivity (sum (fun r' => sum (fun q => vol a u * (ind (below q u) * runs_there q r')) (on_pool S p)) (range 0 t0)).
        * apply sum_eq. intros r' _. now rewrite sum_scale.
        * rewrite sum_exchange. apply sum_eq. intros q _. unfold n. rewrite sum_scale, sum_scale. reflexivity.
      + rewrite sum_exchange. apply sum_eq. intros q _. rewrite <- sum_scale. apply sum_eq. intros u _. ring.
    - intros q hq. destruct (on_p q hq) as (hqn & _). unfold n. split; [apply sum_nonneg; intros; now apply runs_there_nonneg|].
      destruct (counted q) eqn:hwh.
      + pose proof (counting (released h (dag S q)) (period S (dag S q)) (wf_period wf q hqn) (legal_sporadic lg q hqn) (t0 - 1 - F q) (t0 - 1)) as hcount.
        replace (t0 - 1 - (t0 - 1 - F q)) with (F q) in hcount by ring. etransitivity; [|exact hcount]. unfold releases.
        transitivity (sum (fun r' => ind ((t0 - 1 - F q <? r') && (r' <=? t0 - 1)) * ind (released h (dag S q) r')) (range 0 t0)).
        * apply sum_le. intros r' hr'. unfold runs_there. pose proof (work_one q r' (t0 - 1) hq) as hw1.
          destruct (Z.eq_dec (work g q r' (t0 - 1)) 0) as [->|hne].
          { pose proof (ind_range ((t0 - 1 - F q <? r') && (r' <=? t0 - 1))). pose proof (ind_range (released h (dag S q) r')). nia. }
          pose proof (law_pending laws q r' (t0 - 1) hqn ltac:(lia)) as hp. pose proof (pending_released S h lg q r' _ hp) as (hrel & hle).
          pose proof (recent_while_met S h lg F v r q r' (t0 - 1) met hqn ltac:(lia) hp) as hrec.
          rewrite hrel, (proj2 (Z.ltb_lt _ _) hrec), (proj2 (Z.leb_le r' (t0 - 1))) by lia. cbn [andb ind].
          pose proof (ind_range (psi q r' && counted q)). nia.
        * rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range].
          intros r' hr'. apply filter_In in hr'. destruct hr' as (_ & hw). apply andb_prop in hw. rewrite in_range. lia.
      + apply Z.eq_le_incl, sum_zero. intros r' _. unfold runs_there. rewrite hwh, andb_false_r. reflexivity.
    - enough (sum n (on_pool S p) <= rate_of S g p psi (t0 - 1)) by (destruct hend; lia). unfold rate_of, n. replace (t0 - 1 + 1) with t0 by ring.
      apply sum_le. intros q hq. apply sum_le. intros r' _. unfold runs_there. pose proof (work_one q r' (t0 - 1) hq).
      destruct (psi q r'), (counted q); cbn [andb ind]; lia.
  Qed.
End LeftOver.
