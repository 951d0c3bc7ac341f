(** T14 in schedules with events at multiples of 1/k of the unit, and one such schedule that takes as long as T14 says. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu pools.Slices.
From Rta Require Import path.Walk path.Inequality path.T10n path.T14 Ticks.

Definition finer_slices (k : Z) (slices : Z -> option (Z * Z)) (p : Z) : option (Z * Z) :=
  option_map (fun sg => (k * fst sg, k * snd sg)) (slices p).

Section Finer.
  Context (k : Z) (hk : 0 < k) (S : system) (wf : well_formed S) (F : node -> Z) (a a' : accounts) (slices : Z -> option (Z * Z)).
  Let S' := finer k S.
  Let F' := fun u => k * F u.
  Context (same : forall u, In u (nodes S) -> cap a' (pool S u) = cap a (pool S u) /\ lagging a' (pool S u) = lagging a (pool S u) /\
    exec a' u = k * exec a u /\ last a' u = k * last a u /\ vol a' u = k * vol a u).

  Lemma sliced_inequality_finer v : In v (nodes S) -> sliced_inequality S a slices F v -> sliced_inequality S' a' (finer_slices k slices) F' v.
  Proof.
    intros hv (M & share & excluded & lim & parallel & blk & hM & hpar & hblk & hexcl & hlim & hineq).
    exists M, share, excluded, (fun u => finer_limit k (lim u)), parallel, (fun q => k * blk q).
    split; [destruct hM as (h1 & h2); split; [exact h1|]; intros u hu; change (pool S' u) with (pool S u); destruct (same u hu) as (-> & _); now apply h2|].
    split; [now apply parallel_finer|].
    split.
    { intros q hq. apply (ancestor_or_self_coarser k S) in hq. pose proof (hblk q hq) as hb. destruct (ancestor_or_self_facts S q v wf hv hq) as (hqn & _).
      pose proof (blocking_finer k hk S wf F a parallel blk q hb) as hb'. intros n hn hsum. change (on_pool S' (pool S' q)) with (on_pool S (pool S q)) in *.
      destruct (same q hqn) as (_ & hlag & _). change (pool S' q) with (pool S q) in hsum. rewrite hlag in hsum. specialize (hb' n hn hsum).
      etransitivity; [|exact hb']. apply Z.eq_le_incl, sum_eq. intros u hu. apply in_on_pool in hu. destruct (same u ltac:(tauto)) as (_ & _ & _ & _ & ->). reflexivity. }
    split; [intros l u hl hu hx; apply never_finer; [exact hk|]; apply hexcl; auto; now apply (path_finer k S)|].
    split; [now apply limits_finer|].
    intros l hl. cbv zeta. pose proof (path_finer k S l v hl) as hl'. specialize (hineq l hl'). cbv zeta in hineq.
    set (n := count S F v (excluded l) lim) in *. set (n' := count S' F' v (excluded l) (fun u => finer_limit k (lim u))).
    assert (hn : forall u, In u (nodes S) -> n' u = n u) by (intros u hu; now apply count_finer).
    assert (hnode : forall y, In y l -> In y (nodes S)) by (intros y hy; exact (proj1 (path_nodes S l v wf hv hl' y hy))).
    assert (hwork : forall p, pool_work S' a' n' p = k * pool_work S a n p).
    { intros p. unfold pool_work. change (on_pool S' p) with (on_pool S p). rewrite <- sum_scale. apply sum_eq. intros u hu. apply in_on_pool in hu.
      destruct (same u ltac:(tauto)) as (_ & _ & _ & _ & ->). rewrite hn by tauto. ring. }
    assert (hbound : path_bound S' a' M share (fun q => k * blk q) n' l = k * path_bound S a M share blk n l).
    { unfold path_bound. rewrite Z.mul_add_distr_l. f_equal.
      - unfold path_length. rewrite <- sum_scale. apply sum_eq. intros y hy. destruct (same y (hnode y hy)) as (_ & _ & -> & -> & _). change (pool S' y) with (pool S y). ring.
      - change (visited S' l) with (visited S l). rewrite <- sum_scale. apply sum_eq. intros p _. rewrite hwork. ring. }
    assert (hcost : forall p, In p (visited S l) -> slice_cost S' a' (finer_slices k slices) M share n' l p = k * slice_cost S a slices M share n l p).
    { intros p hp. unfold slice_cost, finer_slices. destruct (slices p) as [(slice, gap)|]; [|cbn; ring]. cbn [option_map fst snd].
      change (kernels_there S' l p) with (kernels_there S l p).
      assert (hin : forall y, In y (kernels_there S l p) -> In y (nodes S)) by (intros y hy; apply filter_In in hy; now apply hnode).
      assert (hX : virtual_time S' a' M share n' l p = k * virtual_time S a M share n l p).
      { unfold virtual_time. rewrite hwork, Z.mul_add_distr_l. f_equal; [|ring]. change (kernels_there S' l p) with (kernels_there S l p). rewrite <- sum_scale.
        apply sum_eq. intros y hy. destruct (same y (hin y hy)) as (_ & _ & -> & -> & _). ring. }
      assert (hall : forallb (fun y => 0 <? exec a' y) (kernels_there S l p) = forallb (fun y => 0 <? exec a y) (kernels_there S l p)).
      { clear -hin same hk. induction (kernels_there S l p) as [|y l0 IH]; [reflexivity|]. cbn [forallb]. rewrite IH by (intros; apply hin; now right). f_equal.
        destruct (same y (hin y (or_introl eq_refl))) as (_ & _ & -> & _). destruct (Z.ltb_spec 0 (k * exec a y)), (Z.ltb_spec 0 (exec a y)); auto; nia. }
      rewrite hX, hall. replace (M * (k * slice)) with (k * (M * slice)) by ring. destruct (Z.eq_dec (M * slice) 0) as [e0|hne].
      - rewrite e0, Z.mul_0_r. unfold cdiv. rewrite !Zdiv_0_r. destruct (forallb _ _); ring.
      - rewrite cdiv_finer, Z.div_mul_cancel_l by lia. ring. }
    rewrite hbound. change (visited S' l) with (visited S l). rewrite (sum_eq _ (fun p => k * slice_cost S a slices M share n l p)) by exact hcost.
    rewrite sum_scale. unfold F'. nia.
  Qed.
End Finer.

(** T14, each node with weights of its own, in ticks of any length. *)
Theorem T14_in_every_tick k S h P e served slices F :
  0 < k -> well_formed S -> sound_platform S P -> shared_system_obeys (finer k S) h (finer_platform k P) e served (finer_slices k slices) ->
  (forall u, In u (nodes S) -> length_of P u <= F u) ->
  (forall v, In v (nodes S) -> exists w, all_weights_valid S P w /\ sliced_inequality S (counted_accounts S P w) slices F v) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + k * F v) = true.
Proof.
  intros hk wf sp so hF hall v r hv hr. pose proof (well_formed_finer k hk S wf) as wf'. pose proof (sound_platform_finer k S P hk sp) as sp'.
  refine (all_safe (finer k S) h wf' (shared_legal _ _ _ _ _ _ so) (fun u => k * F u) _ _ v hv r hr).
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). nia.
  - intros u hu. destruct (hall u hu) as (w & hw & hineq).
    apply (T14_safe (finer k S) h (finer_platform k P) e served (finer_slices k slices) w wf' sp' so hw); [intros x hx; cbn; specialize (hF x hx); nia | exact hu|].
    apply (sliced_inequality_finer k hk S wf F (counted_accounts S P w)); [|exact hu | exact hineq].
    intros x hx. destruct (finer_counted k S P w x hx) as ((h1 & h2) & h3 & h4 & h5). cbv zeta in *. auto.
Qed.

(** A kernel of one block of length 2 in a context with slices of 1 and gaps of 1, released once: it ends after 4, and T14 gives 4. *)
Section Example.
  Let S : system := {| nodes := [0]; dag := fun _ => 0; preds := fun _ => []; pool := fun _ => 0; period := fun _ => 100; order_of := fun _ => Fifo |}.
  Let P : platform := {| kind_of := fun _ => Gpu (workers 1); length_of := fun _ => 2; blocks := fun _ => 1; demand := fun _ _ => 1 |}.
  Let w : weights := {| weight := fun _ => 1; one := fun _ => 1 |}.
  Let slices : Z -> option (Z * Z) := fun p => if p =? 0 then Some (1, 1) else None.
  Let served : Z -> Z -> bool := fun _ t => Z.odd t.
  Let h : history := {| released := fun d r => (d =? 0) && (r =? 0); done := fun v r t => (v =? 0) && (r =? 0) && (4 <=? t) |}.
  Let e : execution := {| runs := fun _ _ _ => false; block := fun v r i t => if (v =? 0) && (r =? 0) && (0 <=? t) then if t <? 4 then On 0 else Ended else Waiting |}.

  Lemma example_pending v r t : In v (on_pool S 0) -> pending S h v r t = true <-> r = 0 /\ 0 <= t < 4.
  Proof.
    intros hv. apply in_on_pool in hv. destruct hv as ([<-|[]] & _). unfold pending, ready. cbn. destruct (Z.eqb_spec r 0) as [->|hne]; cbn; [|split; [discriminate | lia]].
    destruct (Z.leb_spec 0 t), (Z.leb_spec 4 t); cbn; split; intros; try discriminate; lia || reflexivity.
  Qed.

  Lemma example_sum b c f : (forall t, f t = true -> t = 1 \/ t = 3) -> sum (fun t => ind (f t)) (range b c) <= 2.
  Proof.
    intros hf. transitivity (sum (fun t => ind (f t)) (filter f (range b c))).
    - rewrite sum_filter. apply sum_le. intros t _. destruct (f t); cbn; lia.
    - transitivity (sum (fun _ : Z => 1) [1; 3]); [|cbn; lia]. rewrite (sum_eq _ (fun _ => 1)); [|intros t ht; apply filter_In in ht; now rewrite (proj2 ht)].
      apply sum_incl; [apply NoDup_filter, range_nodup | | intros; lia]. intros t ht. apply filter_In in ht. destruct (hf t (proj2 ht)); cbn; auto.
  Qed.

  Theorem T14_example : shared_system_obeys S h P e served slices /\ sliced_inequality S (counted_accounts S P w) slices (fun _ => 4) 0 /\
    all_weights_valid S P w /\ done h 0 0 3 = false.
  Proof.
    assert (hon : forall u r i t, In u (on_pool S 0) -> is_on (block e u r i t) = true <-> r = 0 /\ 0 <= t < 4).
    { intros u r i t hu. apply in_on_pool in hu. destruct hu as ([<-|[]] & _). cbn. destruct (Z.eqb_spec r 0) as [->|]; cbn; [|split; [discriminate | lia]].
      destruct (Z.leb_spec 0 t), (Z.ltb_spec t 4); cbn; split; intros; try discriminate; lia || reflexivity. }
    split; [|split; [|split]].
    - constructor.
      + constructor; cbn.
        * intros d r. destruct (Z.eqb_spec d 0), (Z.eqb_spec r 0); cbn; intros; try discriminate; lia.
        * intros v _ r r'. cbn. destruct (Z.eqb_spec r 0), (Z.eqb_spec r' 0); cbn; intros; try discriminate; lia.
        * intros v r t. unfold ready. cbn. destruct (Z.eqb_spec v 0), (Z.eqb_spec r 0); cbn; intros hd; try discriminate. subst r. apply Z.leb_le in hd. rewrite andb_true_r. apply Z.leb_le. lia.
        * intros v r t t'. destruct (Z.eqb_spec v 0), (Z.eqb_spec r 0); cbn; intros hd; try discriminate. intros. apply Z.leb_le in hd. apply Z.leb_le. lia.
      + intros p. unfold shared_pool_obeys, slices. destruct (Z.eqb_spec p 0) as [->|hp].
        2:{ assert (hnone : forall u, ~ In u (on_pool S p)) by (intros u hu; apply in_on_pool in hu; cbn in hu; lia). unfold pool_obeys. cbn [kind_of P].
          constructor; [constructor | |]; try (intros u; intros; exfalso; eapply hnone; eassumption).
          intros s t res hs hres. unfold used. destruct (on_pool S p) as [|u l] eqn:el; [cbn; lia|]. exfalso. apply (hnone u). first [now left | rewrite el; now left]. }
        exists (workers 1). split; [reflexivity|]. split; [reflexivity|].
        assert (hrun : forall t r i u, In u (on_pool S 0) -> is_on (block e u r i t) && served 0 t = true -> t = 1 \/ t = 3).
        { intros t r i u hu ht. apply andb_prop in ht. destruct ht as (h1 & h2). apply (hon u r i t hu) in h1. unfold served in h2.
          assert (t = 0 \/ t = 1 \/ t = 2 \/ t = 3) as [-> | [-> | [-> | ->]]] by lia; auto; discriminate. }
        split; [|split; [lia|]].
        * constructor; [constructor| | |].
          -- intros u r i t hu hi hb. pose proof hu as hu'. apply in_on_pool in hu. destruct hu as ([<-|[]] & _). unfold ready. cbn in *. destruct (Z.eqb_spec r 0) as [->|]; cbn in *; [|congruence].
             destruct (Z.leb_spec 0 t); cbn in *; [reflexivity | congruence].
          -- intros u r i t s hu hi hb. assert (h0 : is_on (block e u r i t) = true) by now rewrite hb. apply (hon u r i t hu) in h0. split; [|now apply example_pending].
             apply in_on_pool in hu. destruct hu as ([<-|[]] & _). cbn in hb. destruct ((r =? 0) && (0 <=? t)); [|discriminate]. destruct (t <? 4); [|discriminate]. injection hb as <-. cbn. lia.
          -- intros u r i t s hu hi hb. assert (h0 : is_on (block e u r i t) = true) by now rewrite hb. apply (hon u r i t hu) in h0. apply in_on_pool in hu. destruct hu as ([<-|[]] & _).
             destruct h0 as (-> & h0). cbn in *. destruct (Z.leb_spec 0 t), (Z.leb_spec 0 (t + 1)); try lia. destruct (Z.ltb_spec t 4); [|lia]. destruct (t + 1 <? 4); auto.
          -- intros u r i t hu hi hb. apply in_on_pool in hu. destruct hu as ([<-|[]] & _). cbn in *. destruct (Z.eqb_spec r 0) as [->|]; cbn in *; [|discriminate].
             destruct (Z.leb_spec 0 t), (Z.ltb_spec t 4); try discriminate. destruct (Z.leb_spec 0 (t + 1)), (Z.ltb_spec (t + 1) 4); try lia. reflexivity.
          -- intros u r t hu hp. apply (example_pending u r t hu) in hp. exists 0. split; [cbn; lia|]. intros hb. destruct hp as (-> & hp). apply in_on_pool in hu. destruct hu as ([<-|[]] & _).
             cbn in hb. destruct (Z.leb_spec 0 t), (Z.ltb_spec t 4); try lia; discriminate.
          -- intros s t res hs hres. cbn in hres. destruct hres as [<-|[]]. unfold used. cbn [capacity workers demand P]. change (on_pool S 0) with [0]. cbn [sum].
             unfold resident. cbn [blocks P]. rewrite (sum_eq _ (fun r => ind (is_on_sm s (block e 0 r 0 t)))) by (intros r _; change (range 0 1) with [0]; cbn [sum]; lia).
             assert (hle : sum (fun r => ind (is_on_sm s (block e 0 r 0 t))) (range 0 (t + 1)) <= 1); [|lia].
             destruct (Z_le_gt_dec 0 t) as [h0|]; [|rewrite range_nil by lia; cbn; lia].
             rewrite (sum_unique _ _ 0); [apply ind_range | apply range_nodup | apply in_range; lia|]. intros r _ hne. cbn. destruct (Z.eqb_spec r 0); [contradiction | reflexivity].
          -- intros u r i t v r' hu hi hv hb hb' hw. apply andb_prop in hw. destruct hw as (hp & hw). apply (example_pending v r' t hv) in hp. exfalso. apply existsb_exists in hw.
             destruct hw as (j & _ & hj). apply in_on_pool in hv. destruct hv as ([<-|[]] & _). destruct hp as (-> & hp). cbn in hj. destruct (Z.leb_spec 0 t), (Z.ltb_spec t 4); try lia; discriminate.
          -- intros u r i b c hu hi. cbn [length_of P]. apply example_sum. intros t ht. now apply (hrun t r i u).
          -- intros v r t hv hw _. apply andb_prop in hw. destruct hw as (hp & hw). apply (example_pending v r t hv) in hp. exfalso. apply existsb_exists in hw.
             destruct hw as (j & _ & hj). apply in_on_pool in hv. destruct hv as ([<-|[]] & _). destruct hp as (-> & hp). cbn in hj. destruct (Z.leb_spec 0 t), (Z.ltb_spec t 4); try lia; discriminate.
          -- intros u r i b t hu hi hb hv. cbn [length_of P]. apply (hon u r i t hu) in hb. assert (ht : t = 0 \/ t = 2).
             { assert (t = 0 \/ t = 1 \/ t = 2 \/ t = 3) as [-> | [-> | [-> | ->]]] by lia; auto; discriminate. }
             apply Z.le_lt_trans with (sum (fun s => ind (s =? 1)) (range b t)).
             ++ apply sum_le. intros s hs. rewrite in_range in hs. destruct (is_on (block e u r i s) && served 0 s) eqn:ho; [|apply ind_range]. destruct (hrun s r i u hu ho) as [-> | ->]; [cbn; lia | lia].
             ++ destruct (Z_le_gt_dec b 1) as [hb1|]; [|rewrite sum_zero; [lia|]; intros s hs; rewrite in_range in hs; destruct (Z.eqb_spec s 1); [lia | reflexivity]].
                destruct (Z_le_gt_dec t 1) as [|ht1]; [rewrite sum_zero; [lia|]; intros s hs; rewrite in_range in hs; destruct (Z.eqb_spec s 1); [lia | reflexivity]|].
                rewrite (sum_unique _ _ 1); [cbn; lia | apply range_nodup | apply in_range; lia|]. intros s _ hne. destruct (Z.eqb_spec s 1); [contradiction | reflexivity].
        * constructor.
          -- intros b c hall. destruct (Z_le_gt_dec (c - b) 1) as [|hgt]; [assumption|]. exfalso. destruct (hall b ltac:(lia)) as (_ & h1), (hall (b + 1) ltac:(lia)) as (_ & h2).
             unfold served in *. rewrite Z.add_1_r, Z.odd_succ, <- Z.negb_odd, h1 in h2. discriminate.
          -- intros b c hbc _ hv _. now replace c with (b + 1) by lia.
    - exists 1, (fun _ => 1), (fun _ _ => false), (fun _ => Some 0), (fun _ _ => true), (fun _ => 0). split; [split; [lia|]; intros u hu; reflexivity|].
      split; [intros q u _ _ hx; discriminate|]. split; [intros q hq; now apply no_blocking|]. split; [intros; discriminate|].
      split; [intros q u _ _ _; cbn; lia|]. intros l hl. assert (l = [0]) as -> by (inversion hl; subst; [reflexivity | cbn in *; contradiction]). cbn. lia.
    - intros p G hG. cbn in hG. injection hG as <-. split; [cbn; lia|]. split; [intros; cbn; lia|]. intros x ((hx0 & _) & k & hk & res & hres & hblock).
      cbn in hres. destruct hres as [<-|[]]. cbn [capacity workers demand P] in hblock. unfold used in hblock. cbn [demand P] in hblock. unfold weigh. cbn [one weight w].
      change (1 < sum (fun u => x u * 1) (on_pool S p) + 1) in hblock. change (1 <= sum (fun u => x u * 1) (on_pool S p)). lia.
    - reflexivity.
  Qed.
End Example.
