(** Processors keep the laws of counted work. A node job waits while it is pending and has no processor. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws pools.Platform pools.Counted.

Theorem processors_keep_laws S h P e w p m :
  sound_platform S P -> kind_of P p = Processors m -> processors_obey S h P e p m ->
  keeps_laws_on (on_pool S p) S h (counted_progress S h P e w) (counted_accounts S P w).
Proof.
  intros sp hk ob.
  assert (hn : forall u, In u (on_pool S p) -> In u (nodes S) /\ pool S u = p /\ kind_of P (pool S u) = Processors m /\ 0 <= length_of P u
    /\ 0 < m).
  { intros u hu. apply in_on_pool in hu. destruct hu as (hu & hp). rewrite hp. repeat split; auto; [now apply (sp_length sp)|].
    pose proof (sp_pool sp u hu) as h0. rewrite hp, hk in h0. exact h0. }
  constructor; cbn [cap lagging exec last vol waits work counted_accounts counted_progress];
    intros u; intros; destruct (hn u ltac:(assumption)) as (hu & hp & hku & hl & hm); rewrite ?hku, ?hp, ?hk in *.
  - lia.
  - lia.
  - apply andb_prop in H0. tauto.
  - apply ind_range.
  - destruct (runs e u r t) eqn:er; cbn in *; [|lia]. eapply run_pending; eauto.
  - etransitivity; [|apply (run_length ob u r b c); auto].
    apply sum_le. intros t _. destruct (pending S h u r t), (runs e u r t); cbn; lia.
  - now apply (run_length ob).
  - rewrite sum_zero; [lia|]. intros t _. destruct (pending S h u r t), (runs e u r t); cbn; lia.
  - rewrite H0 in H1. destruct (runs e u r t); [|discriminate]. cbn [ind]. rewrite Z.mul_1_r. now apply (run_length ob).
  - destruct (runs e u r t); cbn [ind]; lia.
  - apply andb_prop in H0. destruct H0 as (h1 & h2). apply negb_true_iff in h2.
    etransitivity; [apply (run_conserving ob u r t); auto|].
    apply Z.eq_le_incl. apply sum_eq. intros u' hu'. apply sum_eq. intros r' _.
    cbn [work counted_progress]. destruct (hn u' hu') as (_ & _ & -> & _). reflexivity.
  - destruct (hn u0 ltac:(assumption)) as (_ & _ & hk0 & _). rewrite hk0 in *.
    apply andb_prop in H2. destruct H2 as (h1 & h2). apply negb_true_iff in h2.
    destruct (runs e u0 r' t) eqn:er; [|cbn in *; lia].
    eapply (run_order ob); eauto.
  - (* nothing of lower priority runs *)
    exists []. split; [constructor|]. split; [cbn; lia|]. split; [easy|]. cbn [sum]. apply Z.eq_le_incl. apply sum_zero. intros t _.
    destruct (pending S h u r t && negb (runs e u r t)) eqn:hw; cbn [ind]; [|lia]. apply andb_prop in hw. destruct hw as (h1 & h2).
    apply negb_true_iff in h2. rewrite sum_zero; [lia|]. intros u' hu'. apply sum_zero. intros r' _.
    destruct (hn u' hu') as (_ & _ & -> & _). destruct (runs e u' r' t) eqn:er; cbn [ind]; [|lia].
    rewrite (before_not_lower S h (order_of S p) u' r' u r); [cbn [ind]; lia|]. eapply (run_order ob); eauto.
Qed.
