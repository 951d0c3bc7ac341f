(** T8: persistent workers (and copy engines, N = 1): T6 with one slot per "SM" and all weights 1. docs/theory/gpu.md, T8. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu local.Linear local.T6.

Section T8.
  Context (S : system) (h : history) (P : platform) (e : execution).
  Context (wf : well_formed S) (sp : sound_platform S P) (lg : legal S h).
  Context (p N : Z) (hkind : kind_of P p = Gpu (workers N)) (ob : gpu_obeys S h P e p (workers N)) (hord : order_of S p = Fifo).
  Context (one_slot : forall u, In u (on_pool S p) -> demand P u 0 = 1).

  Let w : weights := {| weight := fun _ => 1; one := fun _ => 1 |}.

  Lemma workers_weights : valid_weights S P p (workers N) (weight w) (one w p).
  Proof.
    split; [cbn; lia|]. split; [cbn; lia|]. intros x ((hx & _) & k & hk & res & hres & hfull).
    cbn [workers resources capacity] in *. destruct hres as [<-|[]]. rewrite one_slot in hfull by exact hk.
    cbn [weight one w]. unfold weigh, used in *.
    rewrite (sum_eq _ (fun u => x u * demand P u 0)) by (intros u hu; now rewrite one_slot). lia.
  Qed.

  (** T8 with enqueue jitter J: R_k = ((ceil(U) - 1) L_max + sum_i L_i B_i (1 + J_i/T_i) - L_k)/N + L_k; for ceil(U) any integer from U on
      will do. *)
  Theorem T8_jitter M rep J ceil_U L_max k R :
    common_period S p M rep ->
    (forall u, In u (on_pool S p) -> 0 <= J u) ->
    (forall u r s, In u (on_pool S p) -> ready S h u r s = true -> r + J u < s -> ready S h u r (r + J u) = true) ->
    sum (fun u => length_of P u * blocks P u * rep u) (on_pool S p) <= ceil_U * M -> 1 <= ceil_U <= N ->
    (forall u, In u (on_pool S p) -> length_of P u <= L_max) ->
    In k (on_pool S p) ->
    M * ((ceil_U - 1) * L_max) + sum (fun u => length_of P u * blocks P u * (M + rep u * J u)) (on_pool S p) - M * length_of P k
      <= M * N * (R - length_of P k) ->
    responds_within S h k R.
  Proof.
    intros hM hJ hjitter hU hceil hL hk hineq.
    pose proof (node_facts S P w p (workers N) hkind sp workers_weights k hk) as (_ & _ & hLk & _).
    pose proof hM as (M0 & _). specialize (hL k hk) as hLk'.
    apply (T6_b S h P e w wf sp lg p (workers N) hkind ob hord workers_weights M rep hM J hJ hjitter)
      with (Lmax := L_max) (gamma := 1) (V := ceil_U - 1); auto; try lia.
    - unfold load. cbn [weight one w workers sms].
      rewrite (sum_eq _ (fun u => length_of P u * blocks P u * rep u)) by (intros; ring). nia.
    - intros u _. apply Z.divide_1_l.
    - intros z hz _ hlt. unfold load in hlt. cbn [weight w] in hlt.
      rewrite (sum_eq _ (fun u => length_of P u * blocks P u * rep u)) in hlt by (intros; ring). nia.
    - unfold T6_inequality. cbn [weight one w workers sms].
      rewrite (sum_eq _ (fun u => length_of P u * blocks P u * (M + rep u * J u))) by (intros; ring).
      replace (M * (N * 1)) with (M * N) by ring. lia.
  Qed.

  (** T8. If U = sum L_i B_i/T_i <= N, then R_k = ((ceil(U) - 1) L_max + sum_i L_i B_i - L_k)/N + L_k. *)
  Theorem T8 M rep ceil_U L_max k R :
    common_period S p M rep -> (forall u, In u (on_pool S p) -> preds S u = []) ->
    sum (fun u => length_of P u * blocks P u * rep u) (on_pool S p) <= ceil_U * M -> 1 <= ceil_U <= N ->
    (forall u, In u (on_pool S p) -> length_of P u <= L_max) ->
    In k (on_pool S p) ->
    (ceil_U - 1) * L_max + sum (fun u => length_of P u * blocks P u) (on_pool S p) - length_of P k <= N * (R - length_of P k) ->
    ends_within S h k R.
  Proof.
    intros hM halone hU hceil hL hk hineq. apply (alone_ends S h p halone k R hk).
    apply (T8_jitter M rep (fun _ => 0) ceil_U L_max k R hM); auto; [lia | intros u r s; now apply alone_jitter |].
    rewrite (sum_eq _ (fun u => M * (length_of P u * blocks P u))) by (intros; ring). rewrite sum_scale.
    destruct hM as (M0 & _). nia.
  Qed.
End T8.
