(** What is worked on: node jobs that run, kernels some of whose blocks are resident. It does not depend on the weights of GPUs. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Threads pools.Gpu path.Waiting path.Turns path.Meanwhile path.T10w path.T10v.

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
  assert (hlower : forall v r u r' t, In v (nodes S) -> In u (nodes S) -> pool S u = pool S v ->
            waits (counted_progress S h P e w) v r t = true -> 0 < work (counted_progress S h P e w) u r' t ->
            lower (order_of S (pool S v)) u r' v r = true -> exists s, ready S h v r s = false /\ pending S h u r' s = true).
  { intros v r u r' t hv hu hp hwt hwk hlow. cbn [waits work counted_progress] in hwt, hwk. rewrite hp in hwk.
    assert (hvp : In v (on_pool S (pool S v))) by (apply in_on_pool; auto).
    assert (hup : In u (on_pool S (pool S v))) by (apply in_on_pool; auto).
    specialize (ob (pool S v)). unfold pool_obeys in ob. pose proof (sp_pool sp v hv) as hkind.
    destruct (kind_of P (pool S v)) as [m|m|G] eqn:hk.
    - apply andb_prop in hwt. destruct hwt as (hpv & hrv). apply negb_true_iff in hrv. destruct (runs e u r' t) eqn:er; [|cbn in hwk; lia].
      pose proof (run_order ob v r t u r' hvp hup hpv hrv er) as hb. apply before_not_lower in hb. congruence.
    - apply andb_prop in hwt. destruct hwt as (hpv & hrv). apply negb_true_iff in hrv. destruct (runs e u r' t) eqn:er; [|cbn in hwk; lia].
      destruct (started S h P e (pool S v) m lg ob u r' t hup er) as (x & hx & hrx & hbefore).
      exists x. split; [|exact (thread_pending ob u r' x hup hrx)]. destruct (ready S h v r x) eqn:hre; [|reflexivity]. exfalso.
      assert (hpx : pending S h v r x = true).
      { apply pending_spec. split; [exact hre|]. apply pending_spec in hpv. destruct hpv as (_ & hnd).
        destruct (done h v r x) eqn:hd; [|reflexivity]. rewrite (legal_done lg v r x t hd) in hnd by lia. discriminate. }
      destruct (runs e v r x) eqn:erx.
      + rewrite (runs_between S h P e (pool S v) m lg ob v r x t t hvp erx hpv) in hrv by lia. discriminate.
      + pose proof (thread_order ob v r x u r' hvp hup hpx erx hrx hbefore) as hb. apply before_not_lower in hb. congruence.
    - destruct hkind as (_ & _ & [hord|_]); [rewrite hord in hlow; discriminate|].
      apply (worked_there P e (weight w)), (there_spec P e) in hwk. destruct hwk as (i & hi & hb).
      assert (hne : block e u r' i t <> Waiting) by (intros eb; rewrite eb in hb; discriminate).
      destruct (resident_since S h P e (pool S v) G lg ob v r u r' t i hvp hup hi hwt hne) as [hbef|(x & hx & hnx & hbx & _)].
      { apply before_not_lower in hbef. congruence. }
      exists x. split; [exact hnx|]. destruct (block e u r' i x) as [|s|] eqn:eb; [congruence | | ].
      + now destruct (block_sm ob u r' i x s hup hi eb).
      + rewrite (ended_stays S h P e (pool S v) G ob u r' i x t hup hi hx eb) in hb. discriminate. }
  constructor; [| | | | exact hlower]; cbn [work waits exec vol last counted_progress counted_accounts]; intros u r t; intros;
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
  - apply andb_prop in H0. destruct H0 as (_ & hr). apply negb_true_iff in hr. rewrite hr. cbn [ind]. lia.
  - apply andb_prop in H0. destruct H0 as (_ & hr). apply negb_true_iff in hr. rewrite hr. cbn [ind]. lia.
  - specialize (hw (pool S u) G hk). destruct hw as (_ & hwu & _). specialize (hwu u hin). pose proof (sp_length sp u H) as hL.
    apply (waits_spec S h P e) in H0. destruct H0 as (_ & i & hi & hb).
    assert (hsum : sum (fun j => ind (is_on (block e u r j t))) (range 0 (blocks P u)) <= blocks P u - 1).
    { transitivity (sum (fun j => 1 - ind (j =? i)) (range 0 (blocks P u))).
      - apply sum_le. intros j _.
        destruct (Z.eqb_spec j i) as [->|]; cbn [ind]; [rewrite hb; cbn; lia | pose proof (ind_range (is_on (block e u r j t))); lia].
      - rewrite sum_sub, sum_range_const by lia.
        rewrite (sum_unique _ _ i); [rewrite Z.eqb_refl; cbn [ind]; lia | apply range_nodup | now apply in_range|].
        intros j _ hne. destruct (Z.eqb_spec j i); [contradiction | reflexivity]. }
    assert (0 <= length_of P u * weight w u) by nia. nia.
Qed.

(** On processors and threads a node job that has run for its worst case has ended; on a GPU that follows. *)
Definition ends_when_run (S : system) (h : history) (P : platform) (e : execution) : Prop :=
  forall u r b t, In u (nodes S) -> 0 < length_of P u -> done h u r t = false ->
    match kind_of P (pool S u) with
    | Processors _ | Threads _ => sum (fun s => ind (runs e u r s)) (range b t) < length_of P u
    | Gpu _ => True
    end.

Theorem platform_executes_less S h P e w v :
  sound_platform S P -> system_obeys S h P e -> all_weights_valid S P w -> ends_when_run S h P e -> In v (nodes S) -> 0 < length_of P v ->
  executes_less S h (counted_progress S h P e w) (counted_accounts S P w) v.
Proof.
  intros sp (lg & ob) hvalid hends hv hL r b t hnd. cbn [exec counted_accounts]. specialize (hends v r b t hv hL hnd).
  assert (hin : In v (on_pool S (pool S v))) by (apply in_on_pool; auto).
  specialize (ob (pool S v)). unfold pool_obeys in ob. unfold executes. cbn [waits counted_progress].
  destruct (kind_of P (pool S v)) as [m|m|G] eqn:hk.
  - eapply Z.le_lt_trans; [|exact hends]. apply sum_le. intros s _. destruct (pending S h v r s), (runs e v r s); cbn; lia.
  - eapply Z.le_lt_trans; [|exact hends]. apply sum_le. intros s _. destruct (pending S h v r s), (runs e v r s); cbn; lia.
  - destruct (Z_le_gt_dec t b) as [hle|hgt]; [rewrite range_nil by lia; exact hL|].
    assert (hzero : (forall s, b <= s < t -> pending S h v r s = true -> kernel_waits S h P e v r s = true) ->
              sum (fun s => ind (pending S h v r s && negb (kernel_waits S h P e v r s))) (range b t) = 0).
    { intros hall. apply sum_zero. intros s hs. rewrite in_range in hs. destruct (pending S h v r s) eqn:hp; [|reflexivity].
      now rewrite (hall s hs hp). }
    destruct (ready S h v r t) eqn:hready.
    + assert (hp : pending S h v r t = true) by (apply pending_spec; auto). destruct (kernel_waits S h P e v r t) eqn:hw.
      * rewrite hzero; [exact hL|]. intros s hs hps. apply (waits_spec S h P e). split; [exact hps|].
        apply (waits_spec S h P e) in hw. destruct hw as (_ & i & hi & hb). exists i. split; [exact hi|].
        destruct (block e v r i s) eqn:hbs; [reflexivity| |];
          (exfalso; apply (started_stays S h P e (pool S v) G ob v r i s t hin hi ltac:(lia)); [congruence | exact hb]).
      * pose proof (kernel_exec S h P e w (pool S v) G hk sp ob (hvalid (pool S v) G hk) v r b (t + 1) hin) as he.
        rewrite (sum_range_split _ b t (t + 1)), range_one in he by lia. cbn [sum] in he.
        rewrite hp, hw in he. cbn in he. lia.
    + rewrite hzero; [exact hL|]. intros s hs hps. apply pending_spec in hps. destruct hps as (hps & _).
      rewrite (ready_stays S h lg v r s t hps) in hready by lia. discriminate.
Qed.

(** No more than all processors run. *)
Definition platform_full (P : platform) (p : Z) : bool := match kind_of P p with Gpu _ => false | _ => true end.

Theorem platform_full_holds S h P e w p :
  system_obeys S h P e -> platform_full P p = true ->
  of_processors S (counted_accounts S P w) p /\ forall s, rate S (counted_progress S h P e w) p s <= cap (counted_accounts S P w) p.
Proof.
  intros (lg & ob) hfull. unfold platform_full in hfull. specialize (ob p). unfold pool_obeys in ob. split.
  - intros u hu. apply in_on_pool in hu. destruct hu as (_ & hp). cbn [vol last exec counted_accounts]. rewrite hp.
    destruct (kind_of P p); [auto | auto | discriminate].
  - intros s. cbn [cap counted_accounts]. unfold rate.
    assert (hrun : sum (fun u => sum (fun r => work (counted_progress S h P e w) u r s) (range 0 (s + 1))) (on_pool S p) = running S e p s \/ kind_of P p = kind_of P p /\ platform_full P p = false).
    { unfold platform_full. destruct (kind_of P p) eqn:hk; [left | left | now right];
        (apply sum_eq; intros u hu; apply sum_eq; intros r _; apply in_on_pool in hu; destruct hu as (_ & hp); cbn [work counted_progress];
          rewrite hp, hk; reflexivity). }
    destruct hrun as [hrun|(_ & hrun)]; [|unfold platform_full in hrun; destruct (kind_of P p); discriminate].
    rewrite hrun. destruct (kind_of P p); [apply (run_capacity ob) | apply (thread_capacity ob) | discriminate].
Qed.

(** What is ready there runs or waits. *)
Theorem platform_runs_or_waits S h P e w p : platform_full P p = true -> runs_or_waits S h (counted_progress S h P e w) p.
Proof.
  intros hfull u r s hu hp hw. unfold platform_full in hfull. apply in_on_pool in hu. destruct hu as (_ & hup). cbn [waits work counted_progress] in *.
  rewrite hup in *. destruct (kind_of P p); [| | discriminate]; rewrite hp in hw; destruct (runs e u r s); (reflexivity || discriminate).
Qed.
