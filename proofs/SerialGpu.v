(** T27 with T10n and T10a, for whole systems, and a system in which what it asks for holds. docs/theory/serial.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu pools.PlatformLaws pools.Serial path.Inequality path.T10n path.T10a EndToEnd.

Theorem T27_by_T10n S h P e serial turn places may_last F :
  well_formed S -> sound_platform S P -> serial_system_obeys S h P e serial turn places may_last ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w, all_weights_valid S P w /\ path_inequality S (counted_accounts S P w) F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true.
Proof.
  intros wf sp so. apply (T10n_in_every_schedule S h P (serving S h e serial turn) F wf sp).
  now apply serial_is_one_processor with (places := places) (may_last := may_last); [apply (wf_nodup wf)|..].
Qed.

Theorem T27_by_T10a S h P e serial turn places may_last F :
  well_formed S -> sound_platform S P -> serial_system_obeys S h P e serial turn places may_last ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w, all_weights_valid S P w /\ aligned_inequality S (counted_accounts S P w) F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true.
Proof.
  intros wf sp so. apply (T10a_in_every_schedule S h P (serving S h e serial turn) F wf sp).
  now apply serial_is_one_processor with (places := places) (may_last := may_last); [apply (wf_nodup wf)|..].
Qed.

(** A kernel of two blocks of 1, of which one fits at a time, takes 2. *)
Section Example.
  Let S : system := {| nodes := [0]; dag := fun _ => 0; pool := fun _ => 0; preds := fun _ => []; period := fun _ => 10; order_of := fun _ => Fifo |}.
  Let P : platform := {| kind_of := fun _ => Processors 1; length_of := fun _ => 2; blocks := fun _ => 2; demand := fun _ _ => 1 |}.
  Let h : history := {| released := fun d r => (d =? 0) && (r =? 0); done := fun v r t => (v =? 0) && (r =? 0) && (2 <=? t) |}.
  Let e : execution := {| runs := fun _ _ _ => false;
    block := fun v r i t => if (v =? 0) && (r =? 0) && (i <=? t) then if t <? i + 1 then On 0 else Ended else Waiting |}.
  Let places (u : node) := 1.
  Let may_last (u : node) (l : Z -> Z) := forall i, 0 <= i < 2 -> l i = 1.

  Lemma serial_node p u : In u (on_pool S p) -> u = 0.
  Proof. intros hu. apply in_on_pool in hu. cbn in hu. lia. Qed.

  Lemma serial_pending r t : pending S h 0 r t = true <-> r = 0 /\ 0 <= t < 2.
  Proof.
    unfold pending, ready. cbn. destruct (Z.eqb_spec r 0) as [->|hne]; cbn; [|split; [discriminate | lia]].
    destruct (Z.leb_spec 0 t), (Z.leb_spec 2 t); cbn; split; intros; try discriminate; lia || reflexivity.
  Qed.

  Theorem T27_example : serial_system_obeys S h P e (fun _ => true) (fun _ _ r => r) places may_last /\ done h 0 0 1 = false.
  Proof.
    split; [|reflexivity]. constructor.
    - constructor; cbn.
      + intros d r. destruct (Z.eqb_spec d 0), (Z.eqb_spec r 0); cbn; intros; try discriminate; lia.
      + intros v _ r r'. cbn. destruct (Z.eqb_spec r 0), (Z.eqb_spec r' 0); cbn; intros; try discriminate; lia.
      + intros v r t. unfold ready. cbn. destruct (Z.eqb_spec v 0), (Z.eqb_spec r 0); cbn; intros hd; try discriminate. subst r.
        apply Z.leb_le in hd. rewrite andb_true_r. apply Z.leb_le. lia.
      + intros v r t t'. destruct (Z.eqb_spec v 0), (Z.eqb_spec r 0); cbn; intros hd; try discriminate. intros. apply Z.leb_le in hd. apply Z.leb_le. lia.
    - intros p. split; [reflexivity|]. split; [reflexivity|]. split.
      + constructor.
        * intros u r v r' hu hv heq. apply serial_node in hu, hv. subst. auto.
        * intros u r v r' t hu hv hre hlt t' hre'. apply serial_node in hu, hv. subst. apply ready_spec in hre, hre'. cbn in hre, hre'.
          destruct (Z.eqb_spec r 0), (Z.eqb_spec r' 0); cbn in *; destruct hre, hre'; try discriminate; lia.
        * intros u r i t hu hi. apply serial_node in hu. subst. cbn. destruct (Z.eqb_spec r 0); cbn; [|congruence].
          destruct (Z.leb_spec i t), (Z.leb_spec i (t + 1)); try lia; try congruence. intros _. destruct (t + 1 <? i + 1); discriminate.
        * intros u r i t hu hi. apply serial_node in hu. subst. cbn. destruct (Z.eqb_spec r 0); cbn; [|congruence].
          destruct (Z.leb_spec i t), (Z.leb_spec i (t + 1)), (Z.ltb_spec t (i + 1)), (Z.ltb_spec (t + 1) (i + 1)); try lia; congruence.
        * intros u r t hu hp. apply serial_node in hu. subst. apply serial_pending in hp. destruct hp as (-> & ht). exists 1. split; [cbn; lia|].
          cbn. destruct (Z.leb_spec 1 t), (Z.ltb_spec t 2); try lia; discriminate.
        * intros u r t hu _ hw. apply serial_node in hu. subst. apply andb_prop in hw. destruct hw as (hp & _). apply serial_pending in hp. destruct hp as (-> & ht).
          assert (t = 0 \/ t = 1) as [-> | ->] by lia; vm_compute; discriminate.
        * intros u r i j t hu hij hj. apply serial_node in hu. subst. cbn. destruct (Z.eqb_spec r 0); cbn; [|congruence].
          destruct (Z.leb_spec i t), (Z.leb_spec j t); try lia; try congruence. intros _. destruct (t <? i + 1); discriminate.
        * intros u r hu. apply serial_node in hu. subst. exists (fun _ => 1). split; [intros i _; reflexivity|]. intros i b c hi.
          transitivity (sum (fun t => ind (t =? i)) (range b c)).
          -- apply sum_le. intros t _. match goal with |- ind (?x && ?y) <= _ => destruct x eqn:hon; [|apply ind_range] end. cbn in hon.
             destruct (Z.eqb_spec r 0); cbn in hon; [|discriminate]. destruct (Z.leb_spec i t); [|discriminate]. destruct (Z.ltb_spec t (i + 1)); [|discriminate].
             replace t with i by lia. rewrite Z.eqb_refl. apply ind_range.
          -- destruct (in_dec Z.eq_dec i (range b c)) as [hin|hout].
             ++ rewrite (sum_unique _ _ i (range_nodup b c) hin); [apply ind_range|]. intros t _ hne. now rewrite (proj2 (Z.eqb_neq t i) hne).
             ++ rewrite sum_zero; [lia|]. intros t ht. destruct (Z.eqb_spec t i); [subst; contradiction | reflexivity].
      + intros u hu l hl. exists (fun n => n). cbn [blocks length_of P]. split; [|split].
        * intros n hn. rewrite (hl n hn). lia.
        * intros; lia.
        * intros n hn. unfold places. assert (n = 0 \/ n = 1) as [-> | ->] by lia; [vm_compute; reflexivity|].
          change (range 0 1) with [0]. cbn [sum]. rewrite (hl 0) by lia. vm_compute. reflexivity.
  Qed.
End Example.
