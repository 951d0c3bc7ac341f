(** C1: durations that were measured alone, with what company makes of them. Blocks last as long as given (with company) while only kernels met that
    were assumed to; bounds for these durations say who meets whom. docs/theory/contention.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule pools.Platform pools.Busy admission.Cut.

Definition with_lengths (P : platform) (len : node -> Z) : platform :=
  {| kind_of := kind_of P; length_of := len; blocks := blocks P; demand := demand P |}.

Definition on_gpu (S : system) (P : platform) (u : node) : Prop := exists G, kind_of P (pool S u) = Gpu G.

(** Two jobs of u and v never run at the same time as long as all are over in time. *)
Inductive apart (S : system) (h : history) (F : node -> Z) (u v : node) : Prop :=
| by_precedence : dag S u = dag S v -> ancestor S u v \/ ancestor S v u \/ u = v -> F u <= period S (dag S u) -> F v <= period S (dag S u) -> apart S h F u v
| by_rule : (forall r r' t, pending S h u r t = true -> pending S h v r' t = true -> u = v /\ r = r') -> apart S h F u v   (* sequential, or one thread *)
| by_phases (g delta bu bv Ju Jv : Z) : 0 <= delta < g -> F u + Ju <= delta -> F v + Jv <= g - delta ->
    (forall r, released h (dag S u) r = true -> exists k, bu + k * g <= r <= bu + k * g + Ju) ->
    (forall r, released h (dag S v) r = true -> exists k, bv + k * g <= r <= bv + k * g + Jv) -> (exists k, bv - bu = delta + k * g) -> apart S h F u v.

(** A block lasts longer than its duration with company only after a kernel was beside it, another or that of another job, that should not have been. *)
Definition company_holds (S : system) (h : history) (P : platform) (e : execution) (F : node -> Z) : Prop := forall u r i b t,
  In u (nodes S) -> on_gpu S P u -> 0 <= i < blocks P u -> length_of P u < sum (fun s => ind (is_on (block e u r i s))) (range b (t + 1)) ->
  exists s v r' j, s < t /\ is_on (block e u r i s) = true /\ In v (nodes S) /\ on_gpu S P v /\ 0 <= j < blocks P v /\ is_on (block e v r' j s) = true /\
    ~ (u = v /\ r = r') /\ (apart S h F u v \/ apart S h F v u).

Section Company.
  Context (S : system) (wf : well_formed S) (h : history) (lg : legal S h) (F : node -> Z) (hF : forall v, In v (nodes S) -> 0 <= F v).

  (** Where two meet that are apart, one is late. *)
  Lemma apart_meet u v r r' s : In u (nodes S) -> In v (nodes S) -> apart S h F u v -> pending S h u r s = true -> pending S h v r' s = true -> ~ (u = v /\ r = r') ->
    exists x y, In x (nodes S) /\ released h (dag S x) y = true /\ y + F x <= s /\ done h x y s = false.
  Proof.
    intros hu hv ha hpu hpv hne. pose proof (pending_released S h lg u r s hpu) as (hr & h0 & hrs). pose proof (pending_released S h lg v r' s hpv) as (hr' & h0' & hrs').
    pose proof (proj2 (proj1 (pending_spec S h u r s) hpu)) as hdu. pose proof (proj2 (proj1 (pending_spec S h v r' s) hpv)) as hdv.
    destruct ha as [hd hrel hFu hFv | hrule | g delta bu bv Ju Jv hdelta h1 h2 hbu hbv (k & hk)].
    - destruct (Z.lt_trichotomy r r') as [hlt|[->|hlt]].
      + exists u, r. repeat split; auto. rewrite <- hd in hr'. pose proof (legal_sporadic lg u hu r r' hr hr' hlt). lia.
      + exfalso. apply hne. split; [|reflexivity]. apply (pending_alone S h lg u v r' s); auto. tauto.
      + exists v, r'. repeat split; auto. rewrite hd in hr. pose proof (legal_sporadic lg v hv r' r hr' hr hlt). rewrite hd in hFv. lia.
    - exfalso. now apply hne, (hrule r r' s).
    - destruct (Z_le_gt_dec (r + F u) s) as [|hs]; [exists u, r; auto|]. destruct (Z_le_gt_dec (r' + F v) s) as [|hs']; [exists v, r'; auto|]. exfalso.
      destruct (hbu r hr) as (n & hn), (hbv r' hr') as (m & hm). assert (bv + m * g - (bu + n * g) = delta + (k + m - n) * g) by lia.
      destruct (Z_le_gt_dec 0 (k + m - n)); nia.
  Qed.
End Company.

Lemma lengths_obey S h P len e : (forall u, In u (nodes S) -> on_gpu S P u \/ len u = length_of P u) ->
  (forall u r i b c, In u (nodes S) -> on_gpu S P u -> 0 <= i < blocks P u -> sum (fun s => ind (is_on (block e u r i s))) (range b c) <= length_of P u) ->
  system_obeys S h (with_lengths P len) e -> system_obeys S h P e.
Proof.
  intros hlen hblocks (lg & ob). constructor; [exact lg|]. intros p. specialize (ob p). unfold pool_obeys in *. cbn [kind_of with_lengths] in ob.
  assert (hsame : forall u, In u (on_pool S p) -> (forall G, kind_of P p <> Gpu G) -> len u = length_of P u).
  { intros u hu hno. apply in_on_pool in hu. destruct (hlen u (proj1 hu)) as [(G & hG)|]; [|assumption]. elim (hno G). destruct hu. congruence. }
  destruct (kind_of P p) as [m|m|G] eqn:hk; [destruct ob; constructor; auto | destruct ob; constructor; auto | destruct ob as [mv hl hq]; constructor; [destruct mv; constructor; assumption | | exact hq]].
  - intros u r b c hu. rewrite <- hsame; [auto | exact hu | discriminate].
  - intros u r b c hu. rewrite <- hsame; [auto | exact hu | discriminate].
  - intros u r i b c hu hi. apply in_on_pool in hu. apply hblocks; [tauto | | exact hi]. exists G. destruct hu. congruence.
Qed.

(** C1. Bounds for the durations with company hold where company makes blocks no longer than these as long as only those meet that the bounds let meet. *)
Theorem C1_safe S P len h e F (rules : history -> execution -> Prop) :
  well_formed S -> (forall v, In v (nodes S) -> 0 <= F v) -> (forall u, In u (nodes S) -> on_gpu S P u \/ len u = length_of P u) ->
  system_obeys S h (with_lengths P len) e -> company_holds S h P e F ->
  (forall h' e', system_obeys S h' P e' -> rules h' e' -> forall v r, In v (nodes S) -> released h' (dag S v) r = true -> done h' v r (r + F v) = true) ->
  (forall t, rules (cut S S h t) (cut_execution e t)) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (r + F v) = true.
Proof.
  intros wf hF hlen so company bounds hrules. pose proof (so_legal so) as lg.
  enough (hall : forall t, 0 <= t -> forall v r, In v (nodes S) -> released h (dag S v) r = true -> r + F v = t -> done h v r t = true).
  { intros v r hv hr. apply hall; auto. pose proof (legal_start lg _ _ hr). specialize (hF v hv). lia. }
  intros t ht. pattern t. apply Zlt_0_ind; [|exact ht]. clear t ht. intros t IH ht v r hv hr ht'.
  pose proof (gated_none S) as e0. assert (lg' : legal (gated S (fun _ => [])) h) by now rewrite e0.
  assert (hready : forall v r s, ready S h v r s = ready (gated S (fun _ => [])) h v r s) by (intros; now rewrite e0).
  pose proof (cut_obeys S wf (fun _ => []) h lg' t (fun v r s _ _ => hready v r s) (with_lengths P len) e ltac:(rewrite e0; apply (so_pools so))) as hcut.
  assert (hcut' : system_obeys S (cut S S h t) P (cut_execution e t)).
  { rewrite e0 in hcut. apply (lengths_obey S _ P len); auto. intros u r0 i b c hu hgpu hi.
    destruct (Z_le_gt_dec (sum (fun s => ind (is_on (block (cut_execution e t) u r0 i s))) (range b c)) (length_of P u)) as [|hgt]; [assumption | exfalso].
    set (c' := Z.min (c - 1) t). assert (hc : length_of P u < sum (fun s => ind (is_on (block e u r0 i s))) (range b (c' + 1))).
    { eapply Z.lt_le_trans; [apply Z.gt_lt, hgt|]. transitivity (sum (fun s => ind (is_on (block (cut_execution e t) u r0 i s))) (range b (c' + 1))).
      - destruct (Z_le_gt_dec (c' + 1) c) as [hle|]; [|unfold c' in *; lia]. destruct (Z_le_gt_dec b (c' + 1)) as [hb|hb].
        + rewrite (sum_range_split _ b (c' + 1) c) by lia. enough (sum (fun s => ind (is_on (block (cut_execution e t) u r0 i s))) (range (c' + 1) c) = 0) by lia.
          apply sum_zero. intros s hs. rewrite in_range in hs. rewrite block_after by (unfold c' in hs; lia). now destruct (block e u r0 i t).
        + rewrite (range_nil b (c' + 1)) by lia. rewrite sum_zero; [apply Z.le_refl|]. intros s hs. rewrite in_range in hs. rewrite block_after by (unfold c' in hb; lia).
          now destruct (block e u r0 i t).
      - apply sum_le. intros s hs. rewrite in_range in hs. rewrite block_until by (unfold c' in hs; lia). apply Z.le_refl. }
    destruct (company u r0 i b c' hu hgpu hi hc) as (s & w & r' & j & hs & hon & hw & hgw & hj & honw & hne & ha).
    assert (hpend : forall x y k, In x (nodes S) -> on_gpu S P x -> 0 <= k < blocks P x -> is_on (block e x y k s) = true -> pending S h x y s = true).
    { intros x y k hx (G & hG) hk hox. pose proof (so_pools so (pool S x)) as ob. unfold pool_obeys in ob. cbn [kind_of with_lengths] in ob. rewrite hG in ob.
      destruct (block e x y k s) as [|m|] eqn:hb; try discriminate. apply (block_sm ob x y k s m); auto. now apply in_on_pool. }
    pose proof (hpend u r0 i hu hgpu hi hon) as hpu. pose proof (hpend w r' j hw hgw hj honw) as hpw.
    assert (exists x y, In x (nodes S) /\ released h (dag S x) y = true /\ y + F x <= s /\ done h x y s = false) as (x & y & hx & hy & hlate & hnd).
    { destruct ha as [ha|ha]; [apply (apart_meet S h lg F u w r0 r' s); auto | apply (apart_meet S h lg F w u r' r0 s); auto; intros (-> & ->); now apply hne]. }
    pose proof (legal_start lg _ _ hy). pose proof (hF x hx).
    assert (hd : done h x y (y + F x) = true) by (apply (IH (y + F x)); auto; unfold c' in hs; lia). rewrite (legal_done lg x y (y + F x) s hd hlate) in hnd. discriminate. }
  pose proof (bounds _ _ hcut' (hrules t) v r hv) as hb. pose proof (hF v hv).
  assert (hd : done (cut S (gated S (fun _ => [])) h t) v r (r + F v) = true) by (rewrite e0; apply hb, released_cut; split; [exact hr | lia]).
  rewrite ht' in hd. apply (done_cut S (fun _ => [])) in hd. destruct hd as (_ & _ & hrt & _ & _ & ho). specialize (ho eq_refl).
  destruct (done h v r t) eqn:hnd; [reflexivity | exfalso].
  destruct (held_back S wf (fun _ => []) h t v r hv hr hrt hnd ho) as (q & _ & _ & h1 & h2). rewrite e0 in h2. congruence.
Qed.
