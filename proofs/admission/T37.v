(** T37: beside what is less urgent, on processors under fixed priorities with preemption, DAGs run as if they were alone. docs/theory/fixed-priority.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule pools.Platform pools.Busy pools.Pieces pools.InTurn.

(** Some of the nodes: whole DAGs. *)
Definition part (S : system) (keep : node -> bool) : system :=
  {| nodes := filter keep (nodes S); dag := dag S; preds := preds S; pool := pool S; period := period S; order_of := order_of S |}.

(** What the kept nodes share with the others is processors with preemption, on which the others are less urgent. *)
Definition others_less_urgent (S : system) (P : platform) (keep : node -> bool) : Prop := forall u v, In u (nodes S) -> In v (nodes S) ->
  keep u = true -> keep v = false -> pool S u = pool S v ->
  exists m pi, kind_of P (pool S u) = Processors m /\ (order_of S (pool S u) = Fixed pi \/ order_of S (pool S u) = FixedAny pi) /\ pi v < pi u.

Section Part.
  Context (S : system) (keep : node -> bool).
  Let A := part S keep.

  Lemma in_part u p : In u (on_pool A p) <-> In u (on_pool S p) /\ keep u = true.
  Proof. unfold A. rewrite !in_on_pool. cbn [nodes pool part]. rewrite filter_In. tauto. Qed.

  Lemma part_nodes u : In u (nodes A) <-> In u (nodes S) /\ keep u = true.
  Proof. apply filter_In. Qed.

  Lemma on_part p : on_pool A p = filter keep (on_pool S p).
  Proof.
    unfold on_pool, A. cbn [nodes pool part]. induction (nodes S) as [|u l IH]; [reflexivity|]. cbn [filter].
    destruct (keep u) eqn:hk, (pool S u =? p) eqn:hp; cbn [filter]; rewrite ?hk, ?hp, IH; reflexivity.
  Qed.

  Lemma well_formed_part : well_formed S -> (forall v q, In v (nodes S) -> keep v = true -> In q (preds S v) -> keep q = true) -> well_formed A.
  Proof.
    intros wf hclosed. constructor.
    - apply NoDup_filter, (wf_nodup wf).
    - intros v hv. apply part_nodes in hv. now apply (wf_number wf).
    - intros v q hv hq. apply part_nodes in hv. destruct (wf_preds wf v q ltac:(tauto) hq) as (h1 & h2 & h3). repeat split; auto. apply part_nodes. split; [exact h1|].
      apply (hclosed v); tauto.
    - intros v hv. apply part_nodes in hv. now apply (wf_period wf).
  Qed.

  Lemma part_sum (f : node -> Z) p : (forall u, In u (on_pool S p) -> keep u = false -> f u = 0) -> sum f (on_pool A p) = sum f (on_pool S p).
  Proof.
    intros h0. rewrite on_part, sum_filter. apply sum_eq. intros u hu. destruct (keep u) eqn:hk; cbn [ind]; [lia|]. rewrite (h0 u hu hk). lia.
  Qed.

  Lemma part_sum_le (f : node -> Z) p : (forall u, In u (on_pool S p) -> 0 <= f u) -> sum f (on_pool A p) <= sum f (on_pool S p).
  Proof. intros h0. rewrite on_part, sum_filter. apply sum_le. intros u hu. specialize (h0 u hu). destruct (keep u); cbn [ind]; lia. Qed.

  Context (h : history) (P : platform) (e : execution).

  Lemma running_part p t : running A e p t <= running S e p t.
  Proof. unfold running. apply part_sum_le. intros u _. apply sum_nonneg. intros r _. apply ind_range. Qed.

  Context (less : others_less_urgent S P keep).

  Lemma one_of p : (exists v, In v (on_pool A p)) \/ on_pool A p = [].
  Proof. destruct (on_pool A p) as [|v l]; [now right | left; exists v; now left]. Qed.

  (* A pool that is no processors and has one of the kept has them alone. *)
  Lemma all_kept p v : In v (on_pool A p) -> (forall m, kind_of P p <> Processors m) -> forall u, In u (on_pool S p) -> keep u = true.
  Proof.
    intros hv hno u hu. destruct (keep u) eqn:hk; [reflexivity | exfalso]. apply in_part in hv. destruct hv as (hv & hkv). apply in_on_pool in hu, hv.
    destruct (less v u ltac:(tauto) ltac:(tauto) hkv hk ltac:(destruct hu, hv; congruence)) as (m & pi & h1 & _). apply (hno m). destruct hv. congruence.
  Qed.

  Lemma pool_part p : pool_obeys S h P e p -> pool_obeys A h P e p.
  Proof.
    pose proof (all_kept p) as hall.
    unfold pool_obeys. destruct (kind_of P p) as [m|m|G] eqn:hkind; intros ob.
    - constructor.
      + intros u r t hu. apply in_part in hu. exact (run_pending ob u r t (proj1 hu)).
      + intros u r b c hu. apply in_part in hu. exact (run_length ob u r b c (proj1 hu)).
      + intros t. etransitivity; [apply running_part | apply (run_capacity ob)].
      + intros v r t hv hp hr. pose proof hv as hv'. apply in_part in hv'. destruct hv' as (hvs & hkv). etransitivity; [exact (run_conserving ob v r t hvs hp hr)|].
        apply Z.eq_le_incl. symmetry. unfold running. apply part_sum. intros u hu hk. apply sum_zero. intros r' _. destruct (runs e u r' t) eqn:hru; [exfalso | reflexivity].
        pose proof (run_order ob v r t u r' hvs hu hp hr hru) as hb. apply in_on_pool in hvs, hu.
        destruct (less v u ltac:(tauto) ltac:(tauto) hkv hk ltac:(destruct hu, hvs; congruence)) as (m' & pi & _ & hord & hlt).
        replace (pool S v) with p in hord by (symmetry; tauto). destruct hord as [ho|ho]; rewrite ho in hb; cbn [before] in hb; lia.
      + intros v r t u r' hv hu. apply in_part in hv, hu. exact (run_order ob v r t u r' (proj1 hv) (proj1 hu)).
    - constructor.
      + intros u r t hu. apply in_part in hu. exact (thread_pending ob u r t (proj1 hu)).
      + intros u r b c hu. apply in_part in hu. exact (thread_length ob u r b c (proj1 hu)).
      + intros t. etransitivity; [apply running_part | apply (thread_capacity ob)].
      + intros v r t hv hp hr. pose proof hv as hv'. apply in_part in hv'. etransitivity; [exact (thread_conserving ob v r t (proj1 hv') hp hr)|].
        apply Z.eq_le_incl. symmetry. unfold running. apply part_sum. intros u hu hk. rewrite (hall v hv ltac:(congruence) u hu) in hk. discriminate.
      + intros u r t hu. apply in_part in hu. exact (thread_runs_on ob u r t (proj1 hu)).
      + intros v r t u r' hv hu. apply in_part in hv, hu. exact (thread_order ob v r t u r' (proj1 hv) (proj1 hu)).
    - assert (hused : forall v x res, In v (on_pool A p) -> used A P x p res = used S P x p res).
      { intros v x res hv. unfold used. apply part_sum. intros u hu hk. rewrite (hall v hv ltac:(congruence) u hu) in hk. discriminate. }
      constructor; [constructor | |].
      + intros u r i t hu. apply in_part in hu. exact (block_ready ob u r i t (proj1 hu)).
      + intros u r i t s hu. apply in_part in hu. exact (block_sm ob u r i t s (proj1 hu)).
      + intros u r i t s hu. apply in_part in hu. exact (block_stays ob u r i t s (proj1 hu)).
      + intros u r i t hu. apply in_part in hu. exact (block_ended ob u r i t (proj1 hu)).
      + intros u r t hu. apply in_part in hu. exact (kernel_ends ob u r t (proj1 hu)).
      + intros s t res hs hres. destruct (one_of p) as [(v & hv)|hnone].
        * rewrite (hused v _ res hv). exact (sm_fits ob s t res hs hres).
        * unfold used. rewrite hnone. cbn [sum]. pose proof (sm_fits ob s (-1) res hs hres) as h0. unfold used in h0. rewrite sum_zero in h0; [exact h0|].
          intros u _. unfold resident. now rewrite (range_nil 0 (-1 + 1)) by lia.
      + intros u r i t v r' hu hi hv. apply in_part in hu, hv. exact (queue_order ob u r i t v r' (proj1 hu) hi (proj1 hv)).
      + intros u r i b c hu. apply in_part in hu. exact (block_length ob u r i b c (proj1 hu)).
      + intros v r t hv hw. pose proof hv as hv'. apply in_part in hv'. destruct (queue_conserving ob v r t (proj1 hv') hw) as (k & r' & hk & hwk & hlow & hfull).
        exists k, r'. split; [apply in_part; split; [exact hk | exact (hall v hv ltac:(congruence) k hk)]|]. split; [exact hwk|]. split; [exact hlow|]. intros s hs.
        destruct (hfull s hs) as (res & hres & hlt). exists res. split; [exact hres|]. now rewrite (hused v _ res hv).
  Qed.

  Theorem part_obeys : system_obeys S h P e -> system_obeys A h P e.
  Proof.
    intros so. pose proof (so_legal so) as lg. constructor; [|intros p; apply pool_part, (so_pools so)]. constructor.
    - exact (legal_start lg).
    - intros v hv. apply part_nodes in hv. exact (legal_sporadic lg v (proj1 hv)).
    - exact (legal_ready lg).
    - exact (legal_done lg).
  Qed.

  Lemma part_ends_when_run : ends_when_run S h P e -> ends_when_run A h P e.
  Proof. intros hends u r b t hu. apply part_nodes in hu. exact (hends u r b t (proj1 hu)). Qed.

  Lemma part_thread_ends : a_thread_ends S h P e -> a_thread_ends A h P e.
  Proof.
    intros hends x r t m hx hk h1 h2. apply part_nodes in hx. etransitivity; [|exact (hends x r t m (proj1 hx) hk h1 h2)]. apply part_sum_le. intros u _.
    apply sum_nonneg. intros r' _. apply ind_range.
  Qed.

  Lemma whole_pool p v : In v (on_pool A p) -> (forall m, kind_of P p <> Processors m) -> on_pool A p = on_pool S p.
  Proof.
    intros hv hno. rewrite on_part. pose proof (all_kept p v hv hno) as hall.
    clear -hall. induction (on_pool S p) as [|u l IH]; [reflexivity|]. cbn [filter]. rewrite (hall u) by now left. f_equal. apply IH. intros x hx. apply hall. now right.
  Qed.

  Lemma part_in_turn p G turn : kind_of P p = Gpu G -> kernels_in_turn S h P e p G turn -> kernels_in_turn A h P e p G turn.
  Proof.
    intros hk ht. assert (hin : forall u, In u (on_pool A p) -> In u (on_pool S p)) by (intros u hu; apply in_part in hu; tauto). constructor.
    - intros u r v r' hu hv. apply (turn_own ht); auto.
    - intros u r v r' t hu hv. exact (turn_order ht u r v r' t (hin u hu) (hin v hv)).
    - intros u r i t v r' hu hi hv. exact (turn_starts ht u r i t v r' (hin u hu) hi (hin v hv)).
    - intros u r t hu hw hfirst s hs. pose proof (whole_pool p u hu ltac:(congruence)) as e0.
      destruct (turn_first ht u r t (hin u hu) hw ltac:(intros v r' hv; apply hfirst; now rewrite e0) s hs) as (res & hres & hlt). exists res. split; [exact hres|].
      unfold used in *. now rewrite e0.
  Qed.
End Part.

(** T37. What every schedule of some DAGs alone keeps, they keep beside the others. *)
Theorem T37_safe S h P e keep F (rules : history -> execution -> Prop) :
  others_less_urgent S P keep -> system_obeys S h P e -> rules h e ->
  (forall h' e', system_obeys (part S keep) h' P e' -> rules h' e' ->
     forall v r, In v (nodes (part S keep)) -> released h' (dag S v) r = true -> done h' v r (r + F v) = true) ->
  forall v r, In v (nodes S) -> keep v = true -> released h (dag S v) r = true -> done h v r (r + F v) = true.
Proof.
  intros less so hrules bounds v r hv hk hr. apply (bounds h e); auto; [now apply part_obeys | now apply part_nodes].
Qed.
