(** What is worked on: node jobs that run, kernels some of whose blocks are resident. It does not depend on the weights of GPUs. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu path.Turns.

Definition platform_busy (S : system) (P : platform) (e : execution) (u : node) (r t : Z) : bool :=
  match kind_of P (pool S u) with
  | Processors _ | Threads _ => runs e u r t
  | Gpu _ => existsb (fun i => is_on (block e u r i t)) (range 0 (blocks P u))
  end.

Theorem platform_busy_holds S h P e w :
  well_formed S -> sound_platform S P -> system_obeys S h P e -> all_weights_valid S P w ->
  busy_holds S h (counted_progress S h P e w) (counted_accounts S P w) (platform_busy S P e).
Proof.
  intros wf sp (lg & ob) hw. unfold platform_busy.
  constructor; cbn [work waits exec counted_progress counted_accounts]; intros u r t; intros;
    (assert (hin : In u (on_pool S (pool S u))) by (apply in_on_pool; auto)); specialize (ob (pool S u)); unfold pool_obeys in ob;
    destruct (kind_of P (pool S u)) as [m|m|G] eqn:hk.
  - destruct (runs e u r t); [reflexivity | cbn in *; lia].
  - destruct (runs e u r t); [reflexivity | cbn in *; lia].
  - assert (hs : sum (fun i => ind (is_on (block e u r i t))) (range 0 (blocks P u)) <> 0) by nia.
    destruct (existsb (fun i => is_on (block e u r i t)) (range 0 (blocks P u))) eqn:he; [reflexivity|]. exfalso. apply hs. apply sum_zero.
    intros i hi. destruct (is_on (block e u r i t)) eqn:ho; [|reflexivity].
    enough (existsb (fun i => is_on (block e u r i t)) (range 0 (blocks P u)) = true) by congruence. apply existsb_exists. eauto.
  - split; [eapply run_pending; eauto|]. pose proof (run_length ob u r t (t + 1) hin) as hl. rewrite range_one in hl. cbn [sum] in hl.
    rewrite H0 in hl. cbn in hl. lia.
  - split; [eapply thread_pending; eauto|]. pose proof (thread_length ob u r t (t + 1) hin) as hl. rewrite range_one in hl. cbn [sum] in hl.
    rewrite H0 in hl. cbn in hl. lia.
  - apply existsb_exists in H0. destruct H0 as (i & hi & ho). rewrite in_range in hi.
    destruct (block e u r i t) as [|s|] eqn:hb; [discriminate | | discriminate].
    split; [now destruct (block_sm ob u r i t s hin hi hb)|].
    pose proof (block_length ob u r i t (t + 1) hin hi) as hl. rewrite range_one in hl. cbn [sum] in hl. rewrite hb in hl. cbn in hl. lia.
  - rewrite H0, andb_false_r in H1. discriminate.
  - rewrite H0, andb_false_r in H1. discriminate.
  - specialize (hw (pool S u)). apply (waits_spec S h P e) in H1. destruct H1 as (_ & i & hi & hb). apply (waits_spec S h P e).
    split; [assumption|].
    exists i. split; [exact hi|]. destruct (block e u r i s) eqn:hbs; [reflexivity| |];
      (exfalso; apply (started_stays S h P e (pool S u) G ob u r i s t hin hi H2); [congruence | exact hb]).
Qed.
