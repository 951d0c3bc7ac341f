(** T5, Theorem 4.3 of [Y]: T6 with G-threads as weights. docs/theory/gpu.md, T5.

    H is the G-threads of a block, m those of an SM. Weights are H in units of m - H_max + h: one = m - H_max + h. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu local.Carry local.Linear local.T6.

Section T5.
  Context (S : system) (h : history) (P : platform) (e : execution).
  Context (wf : well_formed S) (sp : sound_platform S P) (lg : legal S h).
  Context (p : Z) (G : gpu) (hkind : kind_of P p = Gpu G) (ob : gpu_obeys S h P e p G) (hord : order_of S p = Fifo).

  Context (threads : Z) (is_resource : In threads (resources G)).
  Let H (u : node) : Z := demand P u threads.
  Let m : Z := capacity G threads.
  Context (H_nonneg : forall u, In u (on_pool S p) -> 0 <= H u).
  Context (H_max : Z) (largest : exists u, In u (on_pool S p) /\ H u = H_max) (H_le : forall u, In u (on_pool S p) -> H u <= H_max).
  Context (fits : H_max <= m).   (* every block fits on an empty SM *)
  Context (granularity : Z) (positive : 0 < granularity).

  (** What T5 needs: every blocking configuration occupies at least m - H_max + h G-threads. *)
  Definition T5_condition : Prop := forall x, blocking S P p G x -> m - H_max + granularity <= weigh S p H x.

  Let w : weights := {| weight := H; one := fun _ => m - H_max + granularity |}.

  (** T5 with enqueue jitter J: if U = sum C_i B_i/T_i <= g (m - H_max + h), C_i = H_i L_i, then
        R_k = (L_max (g m - H_max) + sum_i B_i C_i (1 + J_i/T_i) - C_k)/(g (m - H_max + h)) + L_k. *)
  Theorem T5_jitter M rep J L_max k R :
    T5_condition -> common_period S p M rep ->
    (forall u, In u (on_pool S p) -> 0 <= J u) ->
    (forall u r s, In u (on_pool S p) -> ready S h u r s = true -> r + J u < s -> ready S h u r (r + J u) = true) ->
    sum (fun u => H u * length_of P u * blocks P u * rep u) (on_pool S p) <= sms G * (m - H_max + granularity) * M ->
    (forall u, In u (on_pool S p) -> length_of P u <= L_max) ->
    In k (on_pool S p) ->
    M * (L_max * (sms G * m - H_max)) + sum (fun u => H u * length_of P u * blocks P u * (M + rep u * J u)) (on_pool S p) - M
      * (H k * length_of P k)
      <= M * (sms G * (m - H_max + granularity)) * (R - length_of P k) ->
    responds_within S h k R.
  Proof.
    intros hcond hM hJ hjitter hU hL hk hineq.
    assert (valid : valid_weights S P p G (weight w) (one w p)).
    { cbn [weight one w]. split; [lia|]. split; [exact H_nonneg | exact hcond]. }
    assert (hwork : forall x, (forall u, 0 <= x u) -> weigh S p (fun u => H u * length_of P u) x <= L_max * used S P x p threads).
    { intros x hx. unfold weigh, used. rewrite <- sum_scale. apply sum_le. intros u hu. fold (H u).
      specialize (hx u). specialize (hL u hu). specialize (H_nonneg u hu).
      replace (x u * (H u * length_of P u)) with (x u * H u * length_of P u) by ring. rewrite (Z.mul_comm L_max).
      apply Z.mul_le_mono_nonneg_l; [now apply Z.mul_nonneg_nonneg | exact hL]. }
    pose proof (node_facts S P w p G hkind sp valid k hk) as (_ & _ & hLk & _ & hg & _ & _).
    assert (hLmax : 0 <= L_max) by (specialize (hL k hk); lia).
    destruct largest as (u0 & hu0 & hu0max).
    assert (0 <= H_max) by (rewrite <- hu0max; auto).
    apply (T6_a S h P e w wf sp lg p G hkind ob hord valid M rep hM J hJ hjitter) with (K := L_max * m) (K' := L_max * (m - H_max)); auto.
    - (* carry (a): all of an SM, and an SM on which the largest block fits *)
      intros x (hx & hfit). specialize (hfit threads is_resource). fold m in hfit. etransitivity;
        [exact (hwork x hx) | now apply Z.mul_le_mono_nonneg_l].
    - intros x (hx & hfit) hnot. etransitivity; [exact (hwork x hx)|]. apply Z.mul_le_mono_nonneg_l; [exact hLmax|].
      enough (used S P x p threads + H_max <= m) by lia.
      destruct (Z_le_gt_dec (used S P x p threads + H_max) m) as [|hgt]; [auto|]. exfalso. apply hnot. split; [split; auto|].
      exists u0. split; [exact hu0|]. exists threads. split; [exact is_resource|]. fold m. fold (H u0). lia.
    - apply Z.add_nonneg_nonneg; repeat apply Z.mul_nonneg_nonneg; lia.
    - unfold T6_inequality. cbn [weight one w]. etransitivity; [|exact hineq]. apply Z.eq_le_incl. ring.
  Qed.

  (** T5, Theorem 4.3 of [Y]: kernels released by themselves. *)
  Theorem T5 M rep L_max k R :
    T5_condition -> common_period S p M rep -> (forall u, In u (on_pool S p) -> preds S u = []) ->
    sum (fun u => H u * length_of P u * blocks P u * rep u) (on_pool S p) <= sms G * (m - H_max + granularity) * M ->
    (forall u, In u (on_pool S p) -> length_of P u <= L_max) ->
    In k (on_pool S p) ->
    L_max * (sms G * m - H_max) + sum (fun u => H u * length_of P u * blocks P u) (on_pool S p) - H k * length_of P k
      <= sms G * (m - H_max + granularity) * (R - length_of P k) ->
    ends_within S h k R.
  Proof.
    intros hcond hM halone hU hL hk hineq. apply (alone_ends S h p halone k R hk).
    apply (T5_jitter M rep (fun _ => 0) L_max k R hcond hM); auto; [lia | intros u r s; now apply alone_jitter |].
    exact (alone_inequality S P w p G M rep (L_max * (sms G * m - H_max)) k R (proj1 hM) hineq).
  Qed.

  (** Where blocks only ever wait for G-threads, as [Y] assumes, and h divides m and every H, T5's condition holds by itself. *)
  Theorem T5_condition_threads_only :
    resources G = [threads] -> (granularity | m) -> (forall u, In u (on_pool S p) -> (granularity | H u)) -> T5_condition.
  Proof.
    intros honly hm hH x ((hx & _) & k & hk & res & hres & hfull). rewrite honly in hres. destruct hres as [<-|[]].
    fold m in hfull. fold (H k) in hfull. change (weigh S p H x) with (used S P x p threads).
    assert (hdiv : (granularity | used S P x p threads)) by (apply sum_divide; intros u hu; apply Z.divide_mul_r; now apply hH).
    specialize (H_le k hk). destruct hdiv as (a & ha), hm as (b & hb), (hH k hk) as (c & hc).
    rewrite ha in *. rewrite hb, hc in *. assert (b - c < a) by nia. nia.
  Qed.
End T5.
