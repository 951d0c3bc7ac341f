(** T1n and T6n: proven bounds fed back, for nodes released by themselves. docs/theory/cpu.md, T1n; docs/theory/gpu.md, T6n.

    Times the capacity, R_k = e_k + (sum_u n_u vol_u - s_k)/cap. On m processors this is C_k + (sum n_u C_u - C_k)/m, on a GPU
    L_k + (sum n_u w_u L_u B_u - w_k L_k)/g. The counts are T10n's, with the proven bounds B_u and limits at R:
      GEL   max(0, ceil((B_u + min(R, Y_k - Y_u))/T_u)),    FIFO and GPU   ceil(B_u/T_u). *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality path.Missed path.Waiting
  path.T10n.

Section FedBack.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : keeps_laws S h g a).

  Theorem fed_back B v R :
    In v (nodes S) -> preds S v = [] -> 0 <= R -> lagging a (pool S v) = 0 ->
    (forall u, In u (on_pool S (pool S v)) -> ends_within S h u (B u)) ->
    (let lim := limit S (fun _ => R) v in
     sum (fun u => count S B v (fun _ => false) lim u * vol a u) (on_pool S (pool S v)) - last a v <= cap a (pool S v) * (R - exec a v)) ->
    ends_within S h v R.
  Proof.
    intros hv hp hR hlag hB hineq r hr. destruct (done h v r (r + R)) eqn:missed; [reflexivity|]. exfalso. cbv zeta in hineq.
    set (lim := limit S (fun _ => R) v) in *.
    assert (self : forall q, ancestor_or_self S q v -> q = v).
    { intros q [->|ha]; [reflexivity|]. destruct ha as [q v hq | q x v _ hx]; rewrite hp in *; easy. }
    assert (hready : forall s, ready S h v r s = true -> ready S h v r (Z.min s r) = true).
    { intros s hs. apply ready_spec in hs. destruct hs as (hrel & hle & _). apply ready_spec. rewrite hp.
      split; [exact hrel|]. split; [lia | easy]. }
    assert (hzero : ready_bound S (fun _ => R) v = 0) by (unfold ready_bound; now rewrite hp).
    pose proof (late_impossible S h g a wf lg laws v r R hr hR B lim) as himp.
    assert (hlim : forall q u r' s, In u (nodes S) -> pool S u = pool S q -> In q [v] -> ancestor_or_self S q v -> r <= s <= r + R ->
              waits g q r s = true -> 0 < work g u r' s -> lower (order_of S (pool S q)) u r' q r = false -> within (lim u) (r' - r)).
    { intros q u r' s hu hpool _ hq hs hw hwork hlow. rewrite (self q hq) in *. clear q hq.
      pose proof (law_waits laws v r s hv hw) as hpend. apply pending_spec in hpend. destruct hpend as (hre & _).
      pose proof (law_pending laws u r' s hu hwork) as hpu. pose proof (pending_released S h lg u r' s hpu) as (_ & hr's).
      pose proof (law_order laws v r u r' s hv hu hpool hw hwork hlow) as hb.
      assert (hno : ready_no_later S h u r' v r -> r' - r <= 0).
      { intros hno. pose proof (hno _ (hready s hre)) as hu'. apply ready_spec in hu'. lia. }
      unfold lim, limit. rewrite hzero. destruct (order_of S (pool S v)) as [|Y|pi|pi]; cbn [before] in hb.
      - cbn. auto.
      - cbn. lia.
      - destruct (Z.ltb_spec (pi u) (pi v)); [destruct hb as [|[]]; lia|].
        destruct (Z.eqb_spec (pi u) (pi v)); [|cbn; lia]. cbn. destruct hb as [|[]]; [lia | auto].
      - destruct (Z.ltb_spec (pi u) (pi v)); cbn; lia. }
    specialize (himp [v] v (path_source S v hp) (or_introl eq_refl)).
    assert (cover : forall s, r <= s <= r + R -> exists y, In y [v] /\ pending S h y r s = true).
    { intros s hs. exists v. split; [now left|]. apply pending_spec. split.
      - apply ready_spec. rewrite hp. split; [exact hr|]. split; [lia | easy].
      - destruct (done h v r s) eqn:e; [|reflexivity]. rewrite (legal_done lg v r s (r + R) e) in missed by lia. discriminate. }
    specialize (himp cover [v] v (path_source S v hp) hv eq_refl (incl_refl _) hlim).
    assert (old : forall y u r' s, In y [v] -> In u (nodes S) -> pool S u = pool S y -> r' <= r - B u -> r <= s -> work g u r' s = 0).
    { intros y u r' s [<-|[]] hu hpool hold hs. apply (no_work_unless_pending _ S h g a laws); [exact hu|].
      destruct (pending S h u r' s) eqn:e; [|reflexivity]. pose proof (pending_released S h lg u r' s e) as (hrel & _).
      apply pending_spec in e. destruct e as (_ & hnd).
      rewrite (legal_done lg u r' (r' + B u) s) in hnd; [discriminate | | lia]. apply hB; [now apply in_on_pool | exact hrel]. }
    specialize (himp old (fun _ => false) ltac:(discriminate)).
    assert (hpath : forall y, In y [v] -> false = false /\ within (lim y) 0).
    { intros y [<-|[]]. split; [reflexivity|]. unfold lim. now apply limit_self. }
    pose proof (law_cap laws v hv) as (hcap & _).
    assert (hM : forall y, In y [v] -> 1 * cap a (pool S y) = cap a (pool S v)) by (intros y [<-|[]]; ring).
    assert (hblk : forall y, In y [v] ->
              sum (fun s => ind (waits g y r s) *
                     sum (fun u => sum (fun r' => ind (lower (order_of S (pool S y)) u r' y r) * work g u r' s) (range 0 (s + 1)))
                       (on_pool S (pool S y)))
                (range r (r + R + 1)) <= 0).
    { intros y [<-|[]]. destruct (law_lagging laws v r r (r + R + 1) hv) as (l & _ & hlen & _ & hsum).
      assert (l = []) as -> by (destruct l; [reflexivity | cbn [length] in hlen; lia]). exact hsum. }
    specialize (himp hpath (fun _ => 0) hblk (fun y s => path_paced S h g a [v] v laws wf hv (path_source S v hp) y r s) (cap a (pool S v)) (fun _ => 1) (conj hcap hM)).
    specialize (himp _ (fun u hu => count_covers S h v r B lim (fun _ => false) u wf lg hr hu)).
    unfold path_bound, path_length, visited, pool_work in himp. cbn [sum map nodup] in himp.
    destruct (in_dec Z.eq_dec (pool S v) []) as [[]|_]. cbn [sum] in himp. lia.
  Qed.
End FedBack.
