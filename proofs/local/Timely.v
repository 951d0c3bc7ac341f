(** When nodes are ready: by A_u after the release while due instants are met, at the release itself without predecessors. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule path.Walk path.Inequality.

Section Timely.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Lemma timely_while_met F v r u r' s :
    met_before S h F v r -> In u (nodes S) -> s <= r + F v -> ready S h u r' s = true -> r' + ready_bound S F u < s ->
    ready S h u r' (r' + ready_bound S F u) = true.
  Proof.
    intros met hu hs hready hlt. apply ready_spec in hready. destruct hready as (hrel & _ & _).
    apply ready_spec. pose proof (ready_bound_nonneg S F u). repeat split; [auto | lia|]. intros x hx.
    destruct (wf_preds wf u x hu hx) as (hxn & hxd & _). pose proof (ready_bound_spec S F u x hx).
    apply (legal_done lg x r' (r' + F x)); [|lia]. apply met; auto; [congruence|]. left. lia.
  Qed.

  (** The node itself, whose bound leaves room for A_v: its predecessors' due instants are looked at before its own. *)
  Lemma ready_while_met F v r :
    (forall u, In u (nodes S) -> 0 <= F u) ->
    met_before S h F v r -> In v (nodes S) -> released h (dag S v) r = true -> ready_bound S F v <= F v ->
    ready S h v r (r + ready_bound S F v) = true.
  Proof.
    intros F0 met hv hrel hle. apply ready_spec. pose proof (ready_bound_nonneg S F v). repeat split; [auto | lia|]. intros x hx.
    destruct (wf_preds wf v x hv hx) as (hxn & hxd & hlt). pose proof (ready_bound_spec S F v x hx).
    apply (legal_done lg x r (r + F x)); [|lia]. apply met; auto; [congruence|].
    assert (ha : ancestor S x v) by (now apply ancestor_pred). pose proof (F0 x hxn). pose proof (F0 v hv). unfold earlier.
    destruct (Z.eq_dec (r + F x) (r + F v)); [right; auto | left; lia].
  Qed.

  (** While due instants are met, what is pending was released less than F ago. *)
  Lemma recent_while_met F v r u r' s :
    met_before S h F v r -> In u (nodes S) -> s < r + F v -> pending S h u r' s = true -> s - F u < r'.
  Proof.
    intros met hu hs hp. destruct (Z_lt_le_dec (s - F u) r') as [|hle]; [auto|]. exfalso.
    pose proof (pending_released S h lg u r' s hp) as (hrel & _). apply pending_spec in hp. destruct hp as (_ & hnd).
    rewrite (legal_done lg u r' (r' + F u) s) in hnd; [discriminate | | lia]. apply met; auto. left. lia.
  Qed.

  Lemma ready_at_release v r : preds S v = [] -> released h (dag S v) r = true -> forall s, ready S h v r s = true <-> r <= s.
  Proof.
    intros hp hrel s. rewrite ready_spec, hp. split; [tauto|]. intros hle. repeat split; auto; easy.
  Qed.
End Timely.
