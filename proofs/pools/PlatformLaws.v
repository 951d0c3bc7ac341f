(** Every execution of a system on a platform keeps the laws of counted work, on all pools at once. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Processors pools.Threads pools.Gpu.

Lemma pool_keeps_laws S h P e w p :
  NoDup (nodes S) -> sound_platform S P -> legal S h -> pool_obeys S h P e p -> all_weights_valid S P w ->
  keeps_laws_on (on_pool S p) S h (counted_progress S h P e w) (counted_accounts S P w).
Proof.
  intros nd sp lg ob hw. unfold pool_obeys in ob. destruct (kind_of P p) as [m|m|G] eqn:hk.
  - eapply processors_keep_laws; eauto.
  - eapply threads_keep_laws; eauto.
  - eapply gpu_keeps_laws; eauto.
Qed.

Theorem platform_keeps_laws S h P e w :
  NoDup (nodes S) -> sound_platform S P -> system_obeys S h P e -> all_weights_valid S P w ->
  keeps_laws S h (counted_progress S h P e w) (counted_accounts S P w).
Proof. intros nd sp (lg & ob) hw. apply laws_of_pools. intros p. exact (pool_keeps_laws S h P e w p nd sp lg (ob p) hw). Qed.
