(** Where counted work comes from, decided: processors count C, GPUs count by weights that are valid. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu local.Quiet path.Together Ticks.
From Rta Require Import checker.Table checker.Input checker.Structure checker.Cover checker.Knapsack.

Section Gpus.
  Context (t : tables).
  Let S := the_system t.
  Let a := the_accounts t.
  Let P := the_platform t.

  Definition units (f : Z -> Z) (us : list Z) : Z := Z.max 1 (fold_right (fun u m => Z.gcd (f u) m) 0 us).
  Definition largest (f : Z -> Z) (us : list Z) : Z := fold_right (fun u m => Z.max (f u) m) 0 us.

  (** One resource of an SM: never short, or what blocks it weighs at least [w_one]. *)
  Definition check_resource (p w_one capacity res : Z) : bool :=
    let us := on_pool S p in
    let d := fun u => demand P u res in
    let w := fun u => k_weight (kernel t u) in
    let unit_ := units d us in
    let d' := fun u => d u / unit_ in
    let need := (capacity - largest d us) / unit_ + 1 in
    forallb (fun u => 0 <=? d u) us &&
    ((forallb (fun u => d u =? 0) us && (0 <=? capacity)) ||
     (let phi := compute_cover us d' w need in
      (0 <? need) && forallb (fun u => d' u * unit_ =? d u) us && check_cover us d' w phi need && (w_one <=? look_or 0 phi need))).

  Definition check_kernel (p v : Z) : bool :=
    let k := kernel t v in
    (n_exec (row t v) =? k_length k) && (0 <? k_blocks k) && (0 <=? k_weight k) &&
    (last a v =? k_weight k * k_length k) && (vol a v =? k_weight k * k_length k * k_blocks k) && (k_weight k mod the_step t p =? 0).

  Definition check_gpu (p : Z) (g : gpu_row) : bool :=
    (0 <? g_sms g) && (0 <? g_one g) && (cap a p =? g_sms g * g_one g) && (0 <? the_step t p) &&
    (match order_of S p with Fifo => true | _ => false end) && p_preemptive (pool_of t p) &&
    forallb (check_kernel p) (on_pool S p) &&
    forallb (fun res => check_resource p (g_one g) (capacity (gpu_of t p g) res) res) (resources (gpu_of t p g)).

  Definition on_processors (v : Z) : bool :=
    match look (t_gpus t) (pool S v) with
    | Some _ => true
    | None => (last a v =? exec a v) && (vol a v =? exec a v) && (the_step t (pool S v) =? 1)
    end.

  (** K and K' of T6's carry (a), the least over the resources. *)
  Definition most_of (p capacity res : Z) : option Z :=
    let us := on_pool S p in
    let d := fun u => demand P u res in
    let c := fun u => k_weight (kernel t u) * n_exec (row t u) in
    let unit_ := units d us in
    let d' := fun u => d u / unit_ in
    let n := capacity / unit_ in
    let psi := compute_most us d' c n in
    if (0 <=? n) && forallb (fun u => (0 <=? d u) && (d' u * unit_ =? d u)) us && check_most us d' c psi n
    then Some (look_or 0 psi n) else None.

  Definition least (x y : option Z) : option Z :=
    match x, y with None, o => o | o, None => o | Some m, Some n => Some (Z.min m n) end.

  Definition most_feasible (p : Z) (g : gpu_row) : option Z :=
    fold_right (fun res m => least (most_of p (capacity (gpu_of t p g) res) res) m) None (resources (gpu_of t p g)).

  Definition most_not_blocking (p : Z) (g : gpu_row) : option Z :=
    fold_right (fun res m => least (most_of p (capacity (gpu_of t p g) res - largest (fun u => demand P u res) (on_pool S p)) res) m)
      None (resources (gpu_of t p g)).

  Definition quiet_of (p : Z) : option Z :=
    match look (t_gpus t) p with
    | None => None
    | Some g => match most_feasible p g, most_not_blocking p g with
                | Some K, Some K' => Some ((g_sms g - 1) * K + K')
                | _, _ => None
                end
    end.

  Lemma largest_spec f us u : In u us -> f u <= largest f us.
  Proof.
    unfold largest. induction us as [|x us IH]; [easy|]. intros [->|h]; cbn [fold_right]; [lia|]. specialize (IH h). lia.
  Qed.

  Lemma largest_reached f us : largest f us = 0 \/ exists u, In u us /\ largest f us = f u.
  Proof.
    unfold largest. induction us as [|x us [IH|(u & hu & IH)]]; cbn [fold_right]; [now left| |].
    - destruct (Z.max_spec (f x) (fold_right (fun u m => Z.max (f u) m) 0 us)) as [(_ & ->)|(_ & ->)]; [now left | right; exists x; cbn; auto].
    - destruct (Z.max_spec (f x) (fold_right (fun u m => Z.max (f u) m) 0 us)) as [(_ & ->)|(_ & ->)]; right; [exists u | exists x]; cbn; auto.
  Qed.

  Lemma least_of (f : Z -> option Z) l K :
    fold_right (fun res m => least (f res) m) None l = Some K -> exists res, In res l /\ f res = Some K.
  Proof.
    revert K. induction l as [|x l IH]; cbn [fold_right]; [discriminate|]. intros K.
    destruct (f x) as [m|] eqn:e, (fold_right (fun res m => least (f res) m) None l) as [n|] eqn:e'; cbn [least]; intros hk; try discriminate;
      injection hk as <-.
    - destruct (Z.min_spec m n) as [(_ & ->)|(_ & ->)]; [exists x; cbn; auto|].
      destruct (IH n eq_refl) as (res & hres & hf). exists res. cbn. auto.
    - exists x. cbn. auto.
    - destruct (IH n eq_refl) as (res & hres & hf). exists res. cbn. auto.
  Qed.

  Lemma most_of_sound p c res K x :
    NoDup (nodes S) -> most_of p c res = Some K -> (forall u, 0 <= x u) -> used S P x p res <= c ->
    weigh S p (fun u => weight (the_weights t) u * length_of P u) x <= K.
  Proof.
    intros nd. unfold most_of. set (us := on_pool S p). set (d := fun u => demand P u res). set (n := units d us).
    set (c' := fun u => k_weight (kernel t u) * n_exec (row t u)). set (d' := fun u => d u / n).
    match goal with |- context [if ?b then _ else _] => destruct b eqn:e; [|discriminate] end.
    intros [= <-] hx hused. rewrite !andb_true_iff in e. destruct e as ((e1 & e2) & e3). apply Z.leb_le in e1. rewrite forallb_forall in e2.
    assert (hn : 0 < n) by (unfold n, units; lia).
    assert (hd : forall u, In u us -> 0 <= d u /\ d' u * n = d u).
    { intros u hu. specialize (e2 u hu). apply andb_prop in e2. destruct e2 as (h1 & h2). apply Z.leb_le in h1. apply Z.eqb_eq in h2. auto. }
    change (sum (fun u => x u * c' u) us <= look_or 0 (compute_most us d' c' (c / n)) (c / n)).
    apply (most_sound us d' c' _ (c / n) e3); auto.
    - intros u hu. unfold d'. apply Z.div_pos; [apply hd, hu | exact hn].
    - unfold us, on_pool. now apply NoDup_filter.
    - lia.
    - apply Z.div_le_lower_bound; [exact hn|]. etransitivity; [|exact hused].
      rewrite <- sum_scale. apply Z.eq_le_incl. unfold used. fold us. apply sum_eq. intros u hu.
      change (demand P u res) with (d u). destruct (hd u hu) as (_ & hdu). rewrite <- hdu. ring.
  Qed.

  Theorem quiet_checked : NoDup (nodes S) -> quiet_by_configurations S P (the_weights t) quiet_of.
  Proof.
    intros nd p carry. unfold quiet_of, P, the_platform. cbn [kind_of].
    destruct (look (t_gpus t) p) as [g|]; [|discriminate].
    destruct (most_feasible p g) as [K|] eqn:eK; [|discriminate]. destruct (most_not_blocking p g) as [K'|] eqn:eK'; [|discriminate].
    intros [= <-]. exists K, K'. split; [|reflexivity]. split.
    - intros x (hx & hfit). unfold most_feasible in eK. apply least_of in eK. destruct eK as (res & hres & e).
      eapply most_of_sound; eauto.
    - intros x (hx & hfit) hnot. unfold most_not_blocking in eK'. apply least_of in eK'. destruct eK' as (res & hres & e).
      eapply most_of_sound; eauto. set (d := fun u => demand P u res).
      change (fun u => demand P u res) with d. destruct (largest_reached d (on_pool S p)) as [->|(k & hk & ->)].
      + rewrite Z.sub_0_r. now apply hfit.
      + destruct (Z_le_gt_dec (used S P x p res) (capacity (gpu_of t p g) res - d k)) as [|hgt]; [auto|]. exfalso. apply hnot.
        assert (hover : capacity (gpu_of t p g) res < used S P x p res + d k) by lia.
        split; [split; auto|]. exists k. split; [exact hk|]. exists res. split; [exact hres | exact hover].
  Qed.

  Theorem weights_checked p g :
    NoDup (nodes S) -> look (t_gpus t) p = Some g -> check_gpu p g = true ->
    valid_weights S P p (gpu_of t p g) (weight (the_weights t)) (one (the_weights t) p).
  Proof.
    intros nd hlook h. unfold check_gpu in h. rewrite !andb_true_iff in h. destruct h as (((((((h1 & h2) & h3) & h4) & h5) & hpre) & h6) & h7).
    apply Z.ltb_lt in h2. rewrite forallb_forall in h6, h7.
    assert (hone : one (the_weights t) p = g_one g) by (cbn; now rewrite hlook).
    assert (hw : forall u, In u (on_pool S p) -> 0 <= k_weight (kernel t u)).
    { intros u hu. specialize (h6 u hu). unfold check_kernel in h6. rewrite !andb_true_iff in h6. destruct h6 as ((((_ & hk) & _) & _) & _).
      now apply Z.leb_le. }
    rewrite hone. split; [exact h2|]. split; [exact hw|].
    intros x ((hx & _) & k & hk & res & hres & hfull). specialize (h7 res hres). cbv beta in h7. unfold check_resource in h7. cbv zeta in h7.
    set (us := on_pool S p) in *. set (d := fun u => demand P u res) in *. cbv zeta in h7.
    set (c := capacity (gpu_of t p g) res) in *. fold d in h7. change (demand P k res) with (d k) in hfull.
    assert (hused : used S P x p res = sum (fun u => x u * d u) us) by reflexivity. rewrite hused in hfull.
    change (weigh S p (weight (the_weights t)) x) with (sum (fun u => x u * k_weight (kernel t u)) us).
    apply andb_prop in h7. destruct h7 as (hd0 & h7). rewrite forallb_forall in hd0.
    assert (hd : forall u, In u us -> 0 <= d u) by (intros u hu; specialize (hd0 u hu); now apply Z.leb_le).
    apply orb_prop in h7. destruct h7 as [h7|h7].
    - (* a resource that nobody takes is never short *)
      exfalso. apply andb_prop in h7. destruct h7 as (hz & hc). apply Z.leb_le in hc. rewrite forallb_forall in hz.
      assert (hz' : forall u, In u us -> d u = 0) by (intros u hu; specialize (hz u hu); now apply Z.eqb_eq).
      rewrite sum_zero in hfull by (intros u hu; rewrite hz' by exact hu; ring). rewrite hz' in hfull by exact hk. lia.
    - rewrite !andb_true_iff in h7. destruct h7 as (((hneed & hunit) & hcover) & hphi).
      set (n := units d us) in *. set (need := (c - largest d us) / n + 1) in *. set (d' := fun u => d u / n) in *.
      set (phi := compute_cover us d' (fun u => k_weight (kernel t u)) need) in *.
      apply Z.ltb_lt in hneed. apply Z.leb_le in hphi. rewrite forallb_forall in hunit.
      assert (hn : 0 < n) by (unfold n, units; lia).
      assert (hd' : forall u, In u us -> d' u * n = d u) by (intros u hu; specialize (hunit u hu); now apply Z.eqb_eq).
      etransitivity; [exact hphi|].
      apply (cover_sound us d' (fun u => k_weight (kernel t u)) phi need hcover); auto.
      + intros u hu. unfold d'. apply Z.div_pos; auto.
      + unfold us, on_pool. now apply NoDup_filter.
      + lia.
      + pose proof (largest_spec d us k hk) as hlarge.
        assert (hscale : sum (fun u => x u * d u) us = sum (fun u => x u * d' u) us * n).
        { rewrite <- sum_scale_r. apply sum_eq. intros u hu. rewrite <- hd' by exact hu. ring. }
        unfold need. rewrite Z.add_1_r. apply Z.le_succ_l, Z.div_lt_upper_bound; [exact hn|]. rewrite Z.mul_comm. eapply Z.lt_le_trans;
          [|exact (Z.eq_le_incl _ _ hscale)]. lia.
  Qed.

  Context (gpus_ok : forall p g, look (t_gpus t) p = Some g -> check_gpu p g = true).
  Context (processors_ok : forall v, In v (nodes S) -> on_processors v = true).
  Context (nd : NoDup (nodes S)).

  Theorem all_weights_checked : all_weights_valid S P (the_weights t).
  Proof.
    intros p G hk. unfold P, the_platform in hk. cbn [kind_of] in hk. destruct (look (t_gpus t) p) as [g|] eqn:e;
      [|destruct (p_preemptive (pool_of t p)); discriminate].
    injection hk as <-. apply weights_checked; auto.
  Qed.

  Lemma kernel_checked v g : In v (nodes S) -> look (t_gpus t) (pool S v) = Some g -> check_kernel (pool S v) v = true.
  Proof.
    intros hv e. pose proof (gpus_ok _ _ e) as h. unfold check_gpu in h. rewrite !andb_true_iff in h. destruct h as ((_ & h) & _).
    rewrite forallb_forall in h. apply h. apply in_on_pool. auto.
  Qed.

  (** The claimed accounts are those of counted work on the platform. *)
  Theorem accounts_checked v : In v (nodes S) ->
    let a' := counted_accounts S P (the_weights t) in
    (cap a' (pool S v) = cap a (pool S v) /\ lagging a' (pool S v) = lagging a (pool S v)) /\ exec a' v = exec a v /\ last a' v = last a v
      /\ vol a' v = vol a v.
  Proof.
    intros hv. unfold counted_accounts, P, the_platform. cbn [kind_of cap lagging exec last vol length_of blocks].
    pose proof (processors_ok v hv) as hp. unfold on_processors in hp.
    destruct (look (t_gpus t) (pool S v)) as [g|] eqn:e.
    - pose proof (gpus_ok _ _ e) as hg. unfold check_gpu in hg. rewrite !andb_true_iff in hg.
      destruct hg as (((((((h1 & h2) & h3) & h4) & h5) & hpre) & h6) & h7). apply Z.eqb_eq in h3.
      pose proof (kernel_checked v g hv e) as hk. unfold check_kernel in hk. rewrite !andb_true_iff in hk.
      destruct hk as (((((k1 & k2) & k3) & k4) & k5) & k6). apply Z.eqb_eq in k1, k4, k5.
      cbn [weight one the_weights]. rewrite e. cbn [gpu_of sms].
      change (n_exec (row t v)) with (exec a v) in *. rewrite k4, k5, k1.
      change (lagging a (pool S v)) with (if p_preemptive (pool_of t (pool S v)) then 0 else p_cap (pool_of t (pool S v))). rewrite hpre.
      destruct (order_of S (pool S v)); [auto | discriminate..].
    - rewrite !andb_true_iff in hp. destruct hp as ((p1 & p2) & _). apply Z.eqb_eq in p1, p2.
      change (n_exec (row t v)) with (exec a v). rewrite p1, p2. unfold a, the_accounts. cbn [cap lagging exec].
      destruct (p_preemptive (pool_of t (pool S v))); auto.
  Qed.

  Theorem steps_checked v : In v (nodes S) ->
    (the_step t (pool S v) | match kind_of P (pool S v) with Processors _ | Threads _ => 1 | Gpu _ => weight (the_weights t) v end).
  Proof.
    intros hv. unfold P, the_platform. cbn [kind_of weight the_weights]. pose proof (processors_ok v hv) as hp. unfold on_processors in hp.
    destruct (look (t_gpus t) (pool S v)) as [g|] eqn:e.
    - pose proof (gpus_ok _ _ e) as hg. unfold check_gpu in hg. rewrite !andb_true_iff in hg.
      destruct hg as (((((((h1 & h2) & h3) & h4) & h5) & hpre) & h6) & h7). apply Z.ltb_lt in h4.
      pose proof (kernel_checked v g hv e) as hk. unfold check_kernel in hk. rewrite !andb_true_iff in hk.
      destruct hk as (_ & k6). apply Z.eqb_eq in k6. apply Z.mod_divide; lia.
    - rewrite !andb_true_iff in hp. destruct hp as (_ & p3). apply Z.eqb_eq in p3. rewrite p3.
      destruct (p_preemptive (pool_of t (pool S v))); apply Z.divide_1_l.
  Qed.
End Gpus.
