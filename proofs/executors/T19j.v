(** T19j: the last visit alone, from when the executor became busy. docs/theory/executors.md, "T19j". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality path.Missed path.Waiting path.T10n executors.Early executors.WaitSet executors.T19 executors.T20.

(** Paths of a visit: to v from a node that leads to it on x alone. *)
Inductive visit_path (S : system) (x : Z) : list node -> node -> Prop :=
| visit_one v : pool S v = x -> visit_path S x [v] v
| visit_more f q v : pool S v = x -> visit_path S x f q -> In q (preds S v) -> visit_path S x (v :: f) v.

(** A_u is no less than the largest F of what u's visit waits for on other pools. *)
Definition visit_ready (S : system) (F : node -> Z) (x : Z) (A : node -> Z) : Prop :=
  forall u, In u (on_pool S x) -> 0 <= A u /\ forall p, In p (preds S u) -> (if pool S p =? x then A p else F p) <= A u.

(** eta[0, y] and eta[0, y). *)
Definition eta_closed (S : system) (A : node -> Z) (u : node) (y : Z) : Z := (y + A u) / period S (dag S u) + 1.
Definition eta_open (S : system) (A : node -> Z) (u : node) (y : Z) : Z := cdiv (y + A u) (period S (dag S u)).

(** T19j for v: s is no less than S(y). *)
Definition last_visit_inequality (S : system) (a : accounts) (F : node -> Z) (ordered : bool) (v : node) : Prop :=
  exists A m B, let x := pool S v in
    visit_ready S F x A /\ (forall f, visit_path S x f v -> windows_of S F x f <= m) /\
    0 < B /\ sum (fun u => vol a u * eta_open S A u B) (on_pool S x) <= B /\
    forall y, 0 <= y < B -> exists s, y <= s /\
      sum (fun u => vol a u * (if u =? v then (if ordered then eta_closed S A v y else Z.min (eta_closed S A v s) (eta_open S A v y + m)) - 1
                               else Z.min (eta_closed S A u s) (eta_open S A u y + m))) (on_pool S x) <= s /\
      A v + s + exec a v - y <= F v.

Lemma windows_part S F x f l : part_of f l -> windows_of S F x f <= windows_of S F x l.
Proof.
  intros h. unfold windows_of. pose proof (visits_part S x f l h) as hv. enough (sum (fun q => 1 + others_queued S F q) (filter (fun q => pool S q =? x) f)
    <= sum (fun q => 1 + others_queued S F q) (filter (fun q => pool S q =? x) l)) by lia. clear hv.
  assert (hq : forall q, 0 <= 1 + others_queued S F q) by (intros; unfold others_queued; lia).
  induction h as [l | y f l h IH | y f l h IH]; cbn [filter].
  - cbn [sum]. apply sum_nonneg. intros q _. apply hq.
  - destruct (pool S y =? x); cbn [sum]; [specialize (hq y); lia | exact IH].
  - destruct (pool S y =? x); cbn [sum]; [lia | exact IH].
Qed.

Section T19j.
  Context (S : system) (h : history) (available : node -> Z -> Z -> bool) (g : progress) (a : accounts).
  Context (wf : well_formed S) (E : early_legal S h available g) (laws : early_laws S h available g a).
  Context (window : node -> Z -> option Z) (poll : Z -> Z) (x : Z) (ws : wait_set S h available g a window poll x).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Let H := by_ends S h.
  Let cl := counting_by_ends S h available g wf E a laws.
  Context (A : node -> Z) (hA : visit_ready S F x A).
  Context (v : node) (r : Z) (hvx : In v (on_pool S x)) (hr : released h (dag S v) r = true) (met : met_before S H F v r).
  Let t := r + F v.

  (** Pending, whatever precedes it. *)
  Definition live (u : node) (j z : Z) : bool := available u j z && negb (done h u j z).

  Lemma live_spec u j z : live u j z = true <-> available u j z = true /\ done h u j z = false.
  Proof. unfold live. now rewrite andb_true_iff, negb_true_iff. Qed.

  Lemma undone_before u j z z' : done h u j z' = false -> z <= z' -> done h u j z = false.
  Proof. intros hn hle. destruct (done h u j z) eqn:e; [|reflexivity]. rewrite (early_done E u j z z' e hle) in hn. discriminate. Qed.

  (** Due instants before t are met. *)
  Lemma due u j : In u (nodes S) -> released h (dag S u) j = true -> j + F u < t -> done h u j (j + F u) = true.
  Proof.
    intros hu hrel hlt. assert (hearly : earlier S F u j v r) by (left; exact hlt).
    pose proof (met u j hu hrel hearly) as hd. now apply (ended_done S h wf) in hd.
  Qed.

  (** A node of the visit that is not ready at z waits for one before it there, or for another pool until A after the release. *)
  Lemma not_ready_visit u j z : In u (on_pool S x) -> released h (dag S u) j = true -> j <= z -> (z < t \/ j + A u < t) -> available u j z = false ->
    (exists p, In p (preds S u) /\ In p (on_pool S x) /\ done h p j z = false) \/ z < j + A u.
  Proof.
    intros hu hrel hjz hzt hav. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _). destruct (hA u hu) as (_ & hAu).
    destruct (existsb (fun p => negb (done h p j z)) (preds S u)) eqn:hex.
    - apply existsb_exists in hex. destruct hex as (p & hp & hnd). apply negb_true_iff in hnd. destruct (wf_preds wf u p hun hp) as (hpn & hpd & _).
      specialize (hAu p hp). destruct (Z.eqb_spec (pool S p) x) as [e|hne].
      + left. exists p. split; [exact hp|]. split; [now apply in_on_pool | exact hnd].
      + right. destruct (Z_lt_le_dec z (j + F p)) as [|hle]; [lia|]. pose proof (due p j hpn ltac:(rewrite hpd; exact hrel) ltac:(lia)) as hd.
        rewrite (early_done E p j (j + F p) z hd hle) in hnd. discriminate.
    - exfalso. rewrite (early_ready E u j z hun) in hav; [discriminate|]. apply ready_spec. split; [exact hrel|]. split; [exact hjz|].
      intros p hp. destruct (done h p j z) eqn:e; [reflexivity|].
      enough (existsb (fun p => negb (done h p j z)) (preds S u) = true) by congruence. apply existsb_exists. exists p. now rewrite e.
  Qed.

  (** Walking back through a visit: nodes of which one is pending in every tick from tau on, until s. *)
  Lemma visit_walk j w : forall s, In w (on_pool S x) -> released h (dag S w) j = true -> s <= t -> live w j s = true ->
    exists f tau, visit_path S x (w :: f) w /\ linked S h available j (w :: f) /\ j <= tau <= s /\ tau <= j + A w /\
      forall z, tau <= z <= s -> exists y, In y (w :: f) /\ live y j z = true.
  Proof.
    intros s hw0. pose proof (wf_number wf w (proj1 (proj1 (in_on_pool S x w) hw0))) as w0. revert s hw0. pattern w. apply Zlt_0_ind; [|exact w0].
    clear w w0. intros w IH w0 s hw hrel hst hlive. pose proof (proj1 (in_on_pool S x w) hw) as (hwn & hwp). apply live_spec in hlive. destruct hlive as (hav & hnd).
    destruct (early_released E w j s hwn hav) as (_ & hjs).
    destruct (first_such (available w j) j s hav hjs) as (rho & hrho & hrav & hfirst).
    assert (own : forall z, rho <= z <= s -> live w j z = true).
    { intros z hz. apply live_spec. split; [exact (early_stays E w j rho z hwn hrav ltac:(lia)) | exact (undone_before w j z s hnd ltac:(lia))]. }
    destruct (hA w hw) as (hA0 & hAw).
    destruct (Z.eq_dec rho j) as [->|hne].
    { exists [], j. split; [now constructor|]. split; [exact I|]. split; [lia|]. split; [lia|]. intros z hz. exists w. split; [now left | now apply own]. }
    destruct (not_ready_visit w j (rho - 1) hw hrel ltac:(lia) (or_introl (ltac:(lia) : rho - 1 < t)) (hfirst (rho - 1) ltac:(lia))) as [(p & hp & hpx & hpnd)|hlt].
    2: { exists [], rho. split; [now constructor|]. split; [exact I|]. split; [lia|]. split; [lia|]. intros z hz. exists w. split; [now left | now apply own]. }
    destruct (wf_preds wf w p hwn hp) as (hpn & hpd & hplt). pose proof (wf_number wf p hpn). pose proof (proj1 (in_on_pool S x p) hpx) as (_ & hpp).
    destruct (early_begun E w p j rho hwn hp hrav) as (hpav & _).
    pose proof (hAw p hp) as hAp. rewrite hpp, Z.eqb_refl in hAp.
    assert (hgo : forall e, rho - 1 <= e <= rho -> live p j e = true -> exists f tau, visit_path S x (w :: f) w /\ linked S h available j (w :: f) /\ j <= tau <= s /\ tau <= j + A w /\
              forall z, tau <= z <= s -> exists y, In y (w :: f) /\ live y j z = true).
    { intros e he hl. destruct (IH p ltac:(lia) e hpx ltac:(rewrite hpd; exact hrel) ltac:(lia) hl) as (f & tau & h1 & h2 & h3 & h4 & h5).
      exists (p :: f), tau. split; [now apply (visit_more S x (p :: f) p)|]. split.
      - cbn [linked]. split; [|exact h2]. split; [now apply ancestor_pred|]. exists e. apply live_spec in hl. split; [tauto|].
        apply (early_stays E w j rho (e + 1) hwn hrav). lia.
      - split; [lia|]. split; [lia|]. intros z hz. destruct (Z_le_gt_dec rho z) as [hle|hgt]; [exists w; split; [now left | apply own; lia]|].
        destruct (h5 z ltac:(lia)) as (y & hy & hly). exists y. split; [now right | exact hly]. }
    destruct (done h p j rho) eqn:hpd'.
    - apply (hgo (rho - 1)); [lia|]. apply live_spec. split; [|exact hpnd]. destruct (ws_ended ws p j rho hpx hpd') as (k & hk & hlt).
      exact (early_stays E p j (poll k) (rho - 1) hpn (ws_polled ws p j k hpx hk) ltac:(lia)).
    - apply (hgo rho); [lia|]. apply live_spec. auto.
  Qed.

  Lemma visit_nodes f u : visit_path S x f u -> In u (nodes S) -> forall y, In y f -> In y (on_pool S x) /\ dag S y = dag S u /\ ancestor_or_self S y u.
  Proof.
    intros hf. induction hf as [u hp | f q u hp hf IH hq]; intros hu y hy.
    - destruct hy as [<-|[]]. split; [now apply in_on_pool | split; [reflexivity | now left]].
    - destruct (wf_preds wf u q hu hq) as (hqn & hqd & _). destruct hy as [<-|hy]; [split; [now apply in_on_pool | split; [reflexivity | now left]]|].
      destruct (IH hqn y hy) as (h1 & h2 & h3). split; [exact h1|]. split; [congruence|]. right. destruct h3 as [->|h3]; [now apply ancestor_pred | now apply (ancestor_step S y q u)].
  Qed.

  (** What is pending on x: some node job runs. *)
  Lemma live_runs y j s : In y (on_pool S x) -> live y j s = true -> (waits g y j s = true \/ 0 < work g y j s) /\
    exists u j' k, In u (on_pool S x) /\ 0 <= j' <= s /\ 0 < work g u j' s /\ window u j' = Some k /\ poll k <= s.
  Proof.
    intros hy hl. apply live_spec in hl. destruct hl as (hav & hnd). pose proof (proj1 (in_on_pool S x y) hy) as (hyn & _).
    destruct (waits g y j s) eqn:hw.
    - split; [now left|]. exact (someone_runs S h available g a window poll x ws F v r y j s hy hw).
    - pose proof (ws_runs_on ws y j s hy hav hnd hw) as hwk. split; [now right|]. destruct (ws_runs ws y j s hy hwk) as (k & hk & hle).
      destruct (early_released E y j s hyn hav) as (hrel & hjs). pose proof (early_start E _ _ hrel). exists y, j, k. repeat split; auto; lia.
  Qed.

  Lemma works_live u j s : In u (on_pool S x) -> 0 < work g u j s -> live u j s = true /\ released h (dag S u) j = true /\ 0 <= j <= s /\ waits g u j s = false.
  Proof.
    intros hu hw. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _). destruct (el_pending laws u j s hun hw) as (hav & hnd).
    destruct (early_released E u j s hun hav) as (hrel & hjs). pose proof (early_start E _ _ hrel). split; [now apply live_spec|]. split; [exact hrel|]. split; [lia|].
    destruct (waits g u j s) eqn:e; [|reflexivity]. pose proof (el_last laws u j s (s + 1) hun) as hz. rewrite range_one in hz. cbn [sum] in hz. rewrite e in hz. cbn [ind] in hz.
    destruct (ws_length ws u hu) as (_ & h1 & h2). lia.
  Qed.

  (** Once it runs it ends within C. *)
  Lemma ends_in_time u j s z : In u (on_pool S x) -> 0 < work g u j s -> s + exec a u <= z -> done h u j z = true.
  Proof.
    intros hu hw hle. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _). destruct (works_live u j s hu hw) as (hl & _ & _ & hnw). apply live_spec in hl. destruct hl as (hav & _).
    destruct (done h u j z) eqn:e; [reflexivity|]. exfalso. destruct (ws_length ws u hu) as (hC & _).
    pose proof (el_exec laws u j s (z + 1) hun) as hx. enough (sum (fun t0 => ind (available u j t0 && negb (done h u j t0) && negb (waits g u j t0))) (range s (z + 1)) = z + 1 - s) by lia.
    rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_range_const by lia; ring|]. intros y hy. rewrite in_range in hy.
    rewrite (early_stays E u j s y hun hav) by lia. rewrite (undone_before u j y z e) by lia.
    destruct (waits g u j y) eqn:ew; [|reflexivity]. rewrite (ws_starts_once ws u j s y hu ew hav) in hnw by lia. discriminate.
  Qed.

  (** In all no longer than C, and if it has not ended by z less until then. *)
  Lemma work_before u j b z : In u (on_pool S x) -> b <= z -> live u j z = true -> sum (work g u j) (range b z) + 1 <= exec a u.
  Proof.
    intros hu hbz hl. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _). pose proof hl as hl'. apply live_spec in hl'. destruct hl' as (hav & hnd).
    destruct (ws_length ws u hu) as (hC & _). destruct (waits g u j z) eqn:ew.
    - rewrite sum_zero; [lia|]. intros s hs. rewrite in_range in hs. pose proof (el_work laws u j s hun). destruct (Z_lt_le_dec 0 (work g u j s)) as [hw|]; [exfalso | lia].
      destruct (works_live u j s hu hw) as (hls & _ & _ & hnw). apply live_spec in hls. rewrite (ws_starts_once ws u j s z hu ew (proj1 hls) ltac:(lia)) in hnw. discriminate.
    - etransitivity; [|apply (el_exec laws u j b (z + 1) hun)]. rewrite (sum_range_split _ b z (z + 1)), range_one by lia. cbn [sum]. rewrite hav, hnd, ew. cbn [andb negb ind].
      enough (sum (work g u j) (range b z) <= sum (fun t0 => ind (available u j t0 && negb (done h u j t0) && negb (waits g u j t0))) (range b z)) by lia.
      apply sum_le. intros s _. pose proof (ws_unit ws u j s hu). destruct (Z_lt_le_dec 0 (work g u j s)) as [hw|].
      + destruct (works_live u j s hu hw) as (hls & _ & _ & hnw). apply live_spec in hls. destruct hls as (-> & ->). rewrite hnw. cbn [andb negb ind]. lia.
      + pose proof (ind_range (available u j s && negb (done h u j s) && negb (waits g u j s))). lia.
  Qed.

  (** Where v has not ended at z, some node of its visit is pending there. *)
  Lemma pending_in_visit z u : In u (on_pool S x) -> dag S u = dag S v -> A u <= z - r -> r + A u < t -> done h u r z = false ->
    exists k w, (forall f, visit_path S x (w :: f) w -> visit_path S x (k ++ w :: f) u) /\ In w (on_pool S x) /\ dag S w = dag S v /\ A w <= A u /\ live w r z = true.
  Proof.
    intros hu. pose proof (wf_number wf u (proj1 (proj1 (in_on_pool S x u) hu))) as u0. revert hu. pattern u. apply Zlt_0_ind; [|exact u0]. clear u u0. intros u IH _ hu hd hAz hAt hnd.
    pose proof (proj1 (in_on_pool S x u) hu) as (hun & hup). destruct (hA u hu) as (hA0 & hAu).
    destruct (available u r z) eqn:hav.
    - exists [], u. split; [intros f hf; exact hf|]. split; [exact hu|]. split; [exact hd|]. split; [lia|]. apply live_spec. auto.
    - destruct (not_ready_visit u r z hu ltac:(rewrite hd; exact hr) ltac:(lia) (or_intror hAt) hav) as [(p & hp & hpx & hpnd)|hlt]; [|lia].
      destruct (wf_preds wf u p hun hp) as (hpn & hpd & hplt). pose proof (wf_number wf p hpn). pose proof (proj1 (in_on_pool S x p) hpx) as (_ & hpp).
      specialize (hAu p hp). rewrite hpp, Z.eqb_refl in hAu.
      destruct (IH p ltac:(lia) hpx ltac:(congruence) ltac:(lia) ltac:(lia) hpnd) as (k & w & h1 & h2 & h3 & h4 & h5).
      exists (u :: k), w. split; [|split; [exact h2 | split; [exact h3 | split; [lia | exact h5]]]].
      intros f hf. cbn. apply (visit_more S x _ p); auto.
  Qed.

  (** Then v's job has ended in the schedule by ends, too. *)
  Lemma ended_with_visit u : In u (on_pool S x) -> dag S u = dag S v -> r + A u < t -> done h u r t = true -> ended S h u r t = true.
  Proof.
    intros hu. pose proof (wf_number wf u (proj1 (proj1 (in_on_pool S x u) hu))) as u0. revert hu. pattern u. apply Zlt_0_ind; [|exact u0]. clear u u0. intros u IH _ hu hd hAt hdone.
    pose proof (proj1 (in_on_pool S x u) hu) as (hun & hup). destruct (hA u hu) as (hA0 & hAu). apply (ended_spec S h wf u r t hun). split; [exact hdone|].
    intros p hp. destruct (wf_preds wf u p hun hp) as (hpn & hpd & hplt). pose proof (wf_number wf p hpn). specialize (hAu p hp).
    destruct (Z.eqb_spec (pool S p) x) as [e|hne].
    - assert (hpx : In p (on_pool S x)) by (apply in_on_pool; auto). apply IH; [lia | exact hpx | congruence | lia|].
      destruct (done h p r t) eqn:hpt; [reflexivity|]. exfalso. destruct (ws_worked ws u r t hu hdone) as (s & hs & hw).
      destruct (works_live u r s hu hw) as (hl & _). apply live_spec in hl. destruct (early_begun E u p r s hun hp (proj1 hl)) as (hpav & hpno).
      pose proof (ws_runs_on ws p r s hpx hpav (undone_before p r s t hpt ltac:(lia)) (hpno s ltac:(lia))) as hwp.
      destruct (ws_one ws u r p r s hu hpx hw hwp) as (e' & _). lia.
    - assert (hearly : earlier S F p r v r) by (left; fold t; lia). pose proof (met p r hpn ltac:(rewrite hpd, hd; exact hr) hearly) as hm.
      apply (ended_stays S h available g wf E p r (r + F p) t hm). lia.
  Qed.

  (** A job that is pending on x before and at z: the executor has been busy. *)
  Definition goes_on (z : Z) : bool :=
    existsb (fun u => existsb (fun w => existsb (fun j => (dag S u =? dag S w) && live u j (z - 1) && live w j z) (range 0 z)) (on_pool S x)) (on_pool S x).

  Lemma goes_on_spec z : goes_on z = true <->
    exists u w j, In u (on_pool S x) /\ In w (on_pool S x) /\ 0 <= j < z /\ dag S u = dag S w /\ live u j (z - 1) = true /\ live w j z = true.
  Proof.
    unfold goes_on. rewrite existsb_exists. split.
    - intros (u & hu & hx). apply existsb_exists in hx. destruct hx as (w & hw & hx). apply existsb_exists in hx. destruct hx as (j & hj & hx).
      rewrite in_range in hj. rewrite !andb_true_iff, Z.eqb_eq in hx. exists u, w, j. tauto.
    - intros (u & w & j & hu & hw & hj & hd & h1 & h2). exists u. split; [exact hu|]. apply existsb_exists. exists w. split; [exact hw|]. apply existsb_exists.
      exists j. rewrite in_range. split; [exact hj|]. now rewrite hd, Z.eqb_refl, h1, h2.
  Qed.

  (** From an instant on before which nothing goes on, only jobs matter that were released A before it or later. *)
  Lemma old_visits t0 : (t0 = 0 \/ goes_on t0 = false) -> 0 <= t0 -> forall u j s, In u (on_pool S x) -> released h (dag S u) j = true -> t0 <= s <= t -> live u j s = true -> t0 <= j + A u.
  Proof.
    intros ht0 h0 u j s hu hrel hs hl. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _).
    destruct (visit_walk j u s hu hrel ltac:(lia) hl) as (f & tau & hf & _ & htau & htA & hcov).
    destruct (Z_le_gt_dec t0 tau) as [|hgt]; [lia|]. exfalso. pose proof (early_start E _ _ hrel) as hj0. destruct ht0 as [->|hno]; [lia|].
    destruct (hcov (t0 - 1) ltac:(lia)) as (y & hy & hly). destruct (hcov t0 ltac:(lia)) as (w & hw & hlw).
    destruct (visit_nodes _ u hf hun y hy) as (h1 & h2 & _), (visit_nodes _ u hf hun w hw) as (h3 & h4 & _).
    enough (goes_on t0 = true) by congruence. apply goes_on_spec. exists y, w, j. repeat split; auto; [lia | congruence].
  Qed.

  (** Jobs of u released in [b, c). *)
  Lemma released_between u b c l : In u (nodes S) -> NoDup l -> (forall j, In j l -> released h (dag S u) j = true /\ b <= j < c) ->
    Z.of_nat (length l) <= releases (released h (dag S u)) b c.
  Proof.
    intros hu nd hl. unfold releases. transitivity (sum (fun j => ind (released h (dag S u) j)) l).
    - rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_const; lia|]. intros j hj. now rewrite (proj1 (hl j hj)).
    - apply sum_incl; [exact nd | | intros; apply ind_range]. intros j hj. apply in_range. now apply hl.
  Qed.

  Context (ordered : bool) (hord : ordered = true -> in_order S g v).

  Context (m : Z) (hm : forall f, visit_path S x f v -> windows_of S F x f <= m).
  Context (B : Z) (hB0 : 0 < B) (hB : sum (fun u => vol a u * eta_open S A u B) (on_pool S x) <= B).
  Context (hineq : forall y, 0 <= y < B -> exists s, y <= s /\
      sum (fun u => vol a u * (if u =? v then (if ordered then eta_closed S A v y else Z.min (eta_closed S A v s) (eta_open S A v y + m)) - 1
                               else Z.min (eta_closed S A u s) (eta_open S A u y + m))) (on_pool S x) <= s /\
      A v + s + exec a v - y <= F v).

  Theorem visit_done : done H v r t = true.
  Proof.
    pose proof (proj1 (in_on_pool S x v) hvx) as (hvn & _). destruct (hA v hvx) as (hA0 & _). destruct (ws_length ws v hvx) as (hCv & _).
    destruct (hineq 0 ltac:(lia)) as (s00 & h00 & _ & h02). assert (hAt : r + A v < t) by (unfold t; lia).
    apply (ended_with_visit v hvx eq_refl hAt). destruct (done h v r t) eqn:hnd; [reflexivity|]. exfalso.
    destruct (pending_in_visit t v hvx eq_refl ltac:(lia) hAt hnd) as (k & w & hchain & hwx & hwd & hwA & hwl).
    pose proof (proj1 (in_on_pool S x w) hwx) as (hwn & _).
    destruct (visit_walk r w t hwx ltac:(rewrite hwd; exact hr) ltac:(lia) hwl) as (f & tau & hf & hlink & htau & htA & hcov).
    pose proof (hchain f hf) as hpath. pose proof (early_start E _ _ hr) as hr0.
    (* from when on x is busy *)
    destruct (last_failure (fun y => goes_on (y + 1)) 0 tau ltac:(lia)) as (t0 & ht0 & hbusy & hquiet).
    assert (hquiet' : t0 = 0 \/ goes_on t0 = false) by (destruct hquiet as [|hq]; [now left | right; now replace (t0 - 1 + 1) with t0 in hq by ring]).
    pose proof (old_visits t0 hquiet' (proj1 ht0)) as hold.
    assert (hrun : forall s, t0 <= s <= t -> exists u j k, In u (on_pool S x) /\ 0 <= j <= s /\ 0 < work g u j s /\ window u j = Some k).
    { intros s hs. assert (exists y j, In y (on_pool S x) /\ live y j s = true) as (y & j & hy & hl).
      { destruct (Z_lt_le_dec s tau) as [hlt|hle].
        - pose proof (hbusy s ltac:(lia)) as hg. apply goes_on_spec in hg. destruct hg as (u & _ & j & hu & _ & _ & _ & hl & _). replace (s + 1 - 1) with s in hl by ring. eauto.
        - destruct (hcov s ltac:(lia)) as (y & hy & hl). exists y, r. split; [exact (proj1 (visit_nodes _ w hf hwn y hy)) | exact hl]. }
      destruct (live_runs y j s hy hl) as (_ & u & j' & k' & h1 & h2 & h3 & h4 & _). exists u, j', k'. auto. }
    (* sums over the jobs that run *)
    set (D := fun c u j => sum (work g u j) (range t0 c)).
    assert (hD0 : forall c u j, In u (on_pool S x) -> 0 <= D c u j <= vol a u).
    { intros c u j hu. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _). split; [apply sum_nonneg; intros; now apply (el_work laws) | apply (el_vol laws u j t0 c hun)]. }
    assert (hDin : forall c u j, c <= t + 1 -> In u (on_pool S x) -> 0 < D c u j -> exists s, t0 <= s < c /\ 0 < work g u j s /\ released h (dag S u) j = true /\ t0 - A u <= j <= s).
    { intros c u j hc hu hpos. apply sum_pos_in in hpos. destruct hpos as (s & hs & hw). rewrite in_range in hs. destruct (works_live u j s hu hw) as (hl & hrel & hj & _).
      exists s. pose proof (hold u j s hu hrel ltac:(lia) hl). repeat split; auto; lia. }
    assert (hsum : forall c, t0 <= c <= t + 1 -> c - t0 <= sum (fun u => sum (D c u) (range 0 c)) (on_pool S x)).
    { intros c hc. transitivity (sum (fun s => sum (fun u => sum (fun j => work g u j s) (range 0 c)) (on_pool S x)) (range t0 c)).
      - transitivity (sum (fun _ => 1) (range t0 c)); [rewrite sum_range_const by lia; lia|]. apply sum_le. intros s hs. rewrite in_range in hs.
        destruct (hrun s ltac:(lia)) as (u & j & k' & hu & hj & hw & _).
        assert (hnn : forall u' j', In u' (on_pool S x) -> 0 <= work g u' j' s) by (intros u' j' hu'; apply in_on_pool in hu'; now apply (el_work laws)).
        etransitivity; [|apply (sum_in (fun u => sum (fun j => work g u j s) (range 0 c)) _ u); [intros u' hu'; apply sum_nonneg; intros; now apply hnn | exact hu]].
        etransitivity; [|apply (sum_in (fun j => work g u j s) _ j); [intros; now apply hnn | apply in_range; lia]]. lia.
      - apply Z.eq_le_incl. rewrite sum_exchange. apply sum_eq. intros u _. rewrite sum_exchange. reflexivity. }
    (* the busy period is not longer than B before tau *)
    assert (hxB : tau - t0 < B).
    { destruct (Z_lt_le_dec (tau - t0) B) as [|hle]; [auto|]. exfalso. pose proof (hbusy (t0 + B - 1) ltac:(lia)) as hg. apply goes_on_spec in hg.
      replace (t0 + B - 1 + 1) with (t0 + B) in hg by ring. destruct hg as (u1 & w1 & j1 & hu1 & hw1 & hj1 & hd1 & hl1 & hl2).
      pose proof (hsum (t0 + B) ltac:(lia)) as hs. pose proof (proj1 (in_on_pool S x w1) hw1) as (hw1n & _).
      assert (hrel1 : released h (dag S w1) j1 = true) by (apply live_spec in hl2; now destruct (early_released E w1 j1 (t0 + B) hw1n (proj1 hl2))).
      pose proof (hold w1 j1 (t0 + B) hw1 hrel1 ltac:(lia) hl2) as hold1.
      enough (sum (fun u => sum (D (t0 + B) u) (range 0 (t0 + B)) + ind (u =? w1)) (on_pool S x) <= sum (fun u => vol a u * eta_open S A u B) (on_pool S x)) as hle'.
      { rewrite sum_add in hle'. rewrite (sum_unique (fun u => ind (u =? w1)) _ w1) in hle'; [rewrite Z.eqb_refl in hle'; cbn [ind] in hle'; lia | apply NoDup_filter, (wf_nodup wf) | exact hw1|].
        intros u _ hne. destruct (Z.eqb_spec u w1); [contradiction | reflexivity]. }
      apply sum_le. intros u hu. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _). pose proof (wf_period wf u hun) as hT. pose proof (early_sporadic E u hun) as hsp.
      destruct (el_numbers laws u hun) as (_ & hvol & _). destruct (ws_length ws u hu) as (hC & _ & hvC).
      destruct (hA u hu) as (hAu0 & _).
      transitivity (sum (fun j => ind (released h (dag S u) j && (t0 - A u <=? j)) * vol a u) (range 0 (t0 + B))).
      - transitivity (sum (fun j => D (t0 + B) u j + ind (u =? w1) * ind (j =? j1)) (range 0 (t0 + B))).
        + rewrite sum_add, sum_scale. rewrite (sum_unique (fun j => ind (j =? j1)) _ j1); [rewrite Z.eqb_refl; cbn [ind]; lia | apply range_nodup | apply in_range; lia|].
          intros j _ hne. destruct (Z.eqb_spec j j1); [contradiction | reflexivity].
        + apply sum_le. intros j hj. rewrite in_range in hj. pose proof (hD0 (t0 + B) u j hu) as hd.
          destruct ((u =? w1) && (j =? j1)) eqn:e.
          * apply andb_prop in e. rewrite !Z.eqb_eq in e. destruct e as (-> & ->). rewrite !Z.eqb_refl, hrel1, (proj2 (Z.leb_le _ _)) by lia. cbn [andb ind].
            pose proof (work_before w1 j1 t0 (t0 + B) hw1 ltac:(lia) hl2) as hwb. unfold D. lia.
          * replace (ind (u =? w1) * ind (j =? j1)) with 0 by (destruct (u =? w1), (j =? j1); cbn in *; (reflexivity || discriminate)). rewrite Z.add_0_r.
            destruct (Z_lt_le_dec 0 (D (t0 + B) u j)) as [hpos|]; [|pose proof (ind_range (released h (dag S u) j && (t0 - A u <=? j))); nia].
            destruct (hDin (t0 + B) u j ltac:(lia) hu hpos) as (s & _ & _ & hrel & hjj). rewrite hrel, (proj2 (Z.leb_le _ _)) by lia. cbn [andb ind]. lia.
      - rewrite sum_scale_r, Z.mul_comm. apply Z.mul_le_mono_nonneg_l; [lia|]. rewrite sum_length.
        etransitivity; [apply (released_between u (t0 - A u) (t0 + B)); [exact hun | apply NoDup_filter, range_nodup|]|].
        + intros j hj. apply filter_In in hj. rewrite in_range, andb_true_iff, Z.leb_le in hj. split; [tauto | lia].
        + pose proof (counting (released h (dag S u)) _ hT hsp (t0 - A u - 1) (t0 + B - 1)) as hc. unfold eta_open.
          replace (t0 - A u - 1 + 1) with (t0 - A u) in hc by ring. replace (t0 + B - 1 + 1) with (t0 + B) in hc by ring.
          replace (t0 + B - 1 - (t0 - A u - 1)) with (B + A u) in hc by ring. pose proof (cdiv_nonneg (B + A u) _ hT ltac:(lia)). lia. }
    destruct (hineq (tau - t0) ltac:(lia)) as (s0 & hs0 & hS & hF0).
    assert (hend : t0 + s0 + exec a v <= t) by (unfold t; lia).
    (* v's job has not started by t0 + s0 *)
    assert (hself : forall s, s <= t0 + s0 -> work g v r s <= 0).
    { intros s hs. destruct (Z_lt_le_dec 0 (work g v r s)) as [hw|]; [exfalso | assumption]. pose proof (ends_in_time v r s t hvx hw ltac:(lia)). congruence. }
    (* windows *)
    pose proof (fun y hy => visit_nodes (w :: f) w hf hwn y hy) as hon.
    destruct (windows_enough S h available g a wf E laws window poll x ws F v r met (fun y s => waits g y r s) t (w :: f)) as (K & (hK1 & hK2) & hKlen);
      [auto | fold t; lia | exact hr | | exact hlink | intros; lia |].
    { intros y hy. destruct (hon y hy) as (h1 & h2 & _). apply in_on_pool in h1. split; [tauto | congruence]. }
    assert (hlate : forall u j s, tau <= s < t -> In u (on_pool S x) -> 0 < work g u j s -> In (window u j) K /\ (j = r \/ exists y, In y (w :: f) /\ waits g y r s = true)).
    { intros u j s hs hu hw. destruct (hcov s ltac:(lia)) as (y & hy & hl). destruct (hon y hy) as (hyx & _). destruct (live_runs y r s hyx hl) as ([hwt|hwk] & _).
      - split; [apply (hK2 y s u j hy (proj2 (proj1 (in_on_pool S x y) hyx)) ltac:(lia) hwt hu hw) | right; eauto].
      - destruct (ws_one ws u j y r s hu hyx hw hwk) as (-> & ->). split; [apply hK1; [exact hy | exact (proj2 (proj1 (in_on_pool S x y) hyx))] | now left]. }
    assert (hKm : Z.of_nat (length K) + (if in_dec Z.eq_dec v (w :: f) then 0 else 1) <= m).
    { destruct (in_dec Z.eq_dec v (w :: f)) as [|hnv].
      - etransitivity; [|apply (hm _ hpath)]. rewrite Z.add_0_r. etransitivity; [exact hKlen|]. apply windows_part, part_app. clear. induction (w :: f) as [|y l IH]; [constructor | now apply part_keep].
      - etransitivity; [|apply (hm _ hpath)]. destruct k as [|y k].
        { exfalso. apply hnv. cbn in hpath. inversion hpath; subst; now left. }
        assert (y = v) as -> by (cbn in hpath; inversion hpath; reflexivity).
        assert (hpart : windows_of S F x (w :: f) <= windows_of S F x (k ++ w :: f)).
        { apply windows_part, part_app. clear. induction (w :: f) as [|y l IH]; [constructor | now apply part_keep]. }
        unfold windows_of in *. cbn [app visits filter]. rewrite (proj2 (Z.eqb_eq (pool S v) x) (proj2 (proj1 (in_on_pool S x v) hvx))). cbn [sum].
        pose proof (ind_range (true && negb (begins_on S x (k ++ w :: f)))). assert (0 <= others_queued S F v) by (unfold others_queued; lia). lia. }
    (* how many jobs of a node run until t0 + s0 *)
    set (c := t0 + s0 + 1). set (R := fun u => filter (fun j => 0 <? D c u j) (range 0 c)).
    assert (hR : forall u j, In u (on_pool S x) -> In j (R u) -> exists s, t0 <= s < c /\ 0 < work g u j s /\ released h (dag S u) j = true /\ t0 - A u <= j <= s).
    { intros u j hu hj. apply filter_In in hj. destruct hj as (_ & hj). apply Z.ltb_lt in hj. apply (hDin c u j); [unfold c; lia | exact hu | exact hj]. }
    assert (ndR : forall u, NoDup (R u)) by (intros u; apply NoDup_filter, range_nodup).
    (* those that run before tau, and those that do not *)
    set (early := fun u j => existsb (fun s => 0 <? work g u j s) (range t0 (Z.min c tau))).
    assert (hearly : forall u j, In u (on_pool S x) -> In j (filter (early u) (R u)) -> released h (dag S u) j = true /\ t0 - A u <= j < tau).
    { intros u j hu hj. apply filter_In in hj. destruct hj as (hj & he). destruct (hR u j hu hj) as (s1 & _ & _ & hrel & hj0). split; [exact hrel|]. split; [lia|].
      apply existsb_exists in he. destruct he as (s & hs & hw). rewrite in_range in hs. apply Z.ltb_lt in hw. destruct (works_live u j s hu hw) as (_ & _ & hjs & _). lia. }
    assert (hlateK : forall u j, In u (on_pool S x) -> In j (filter (fun j => negb (early u j)) (R u)) -> In (window u j) K /\ exists k', window u j = Some k').
    { intros u j hu hj. apply filter_In in hj. destruct hj as (hj & he). apply negb_true_iff in he. destruct (hR u j hu hj) as (s & hs & hw & _).
      destruct (Z_lt_le_dec s tau) as [hlt|hle].
      - exfalso. enough (early u j = true) by congruence. apply existsb_exists. exists s. rewrite in_range. split; [lia | now apply Z.ltb_lt].
      - split; [apply (hlate u j s); [unfold c in hs; lia | exact hu | exact hw] | destruct (ws_runs ws u j s hu hw) as (k' & hk' & _); eauto]. }
    assert (hsplit : forall u, Z.of_nat (length (R u)) = Z.of_nat (length (filter (early u) (R u))) + Z.of_nat (length (filter (fun j => negb (early u j)) (R u)))).
    { intros u. generalize (R u). intros l. induction l as [|j l IH]; [reflexivity|]. cbn [filter]. destruct (early u j); cbn [negb length]; lia. }
    assert (hndw : forall u, In u (on_pool S x) -> NoDup (map (window u) (filter (fun j => negb (early u j)) (R u)))).
    { intros u hu. assert (nd : NoDup (filter (fun j => negb (early u j)) (R u))) by (apply NoDup_filter, ndR). pose proof (fun j hj => proj2 (hlateK u j hu hj)) as hsome. revert nd hsome.
      generalize (filter (fun j => negb (early u j)) (R u)). clear -ws hu. intros l. induction l as [|j l IH]; intros nd hsome; cbn; [constructor|]. inversion nd; subst.
      constructor; [|apply IH; auto; intros; apply hsome; now right]. intros hin. apply in_map_iff in hin. destruct hin as (j' & e & hj'). destruct (hsome j (or_introl eq_refl)) as (k' & hk').
      rewrite hk' in e. rewrite (ws_once ws u j' j k' hu e hk') in hj'. contradiction. }
    assert (hcl : forall u, In u (on_pool S x) -> Z.of_nat (length (R u)) <= releases (released h (dag S u)) (t0 - A u) (t0 + s0 + 1)).
    { intros u hu. apply released_between; [exact (proj1 (proj1 (in_on_pool S x u) hu)) | apply ndR|]. intros j hj. destruct (hR u j hu hj) as (s & hs & _ & hrel & hj0).
      split; [exact hrel | unfold c in hs; lia]. }
    assert (hclosed : forall u y, In u (on_pool S x) -> 0 <= y -> releases (released h (dag S u)) (t0 - A u) (t0 + y + 1) <= eta_closed S A u y).
    { intros u y hu hy. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _). destruct (hA u hu) as (hAu & _).
      pose proof (releases_closed (released h (dag S u)) _ (wf_period wf u hun) (early_sporadic E u hun) (t0 - A u) (t0 + y) ltac:(lia)) as hc.
      unfold eta_closed. now replace (t0 + y - (t0 - A u)) with (y + A u) in hc by ring. }
    assert (hopen : forall u, In u (on_pool S x) -> Z.of_nat (length (filter (early u) (R u))) <= eta_open S A u (tau - t0)).
    { intros u hu. pose proof (proj1 (in_on_pool S x u) hu) as (hun & _). destruct (hA u hu) as (hAu & _). pose proof (wf_period wf u hun) as hT.
      etransitivity; [apply (released_between u (t0 - A u) tau); [exact hun | apply NoDup_filter, ndR | intros j hj; exact (hearly u j hu hj)]|].
      pose proof (counting (released h (dag S u)) _ hT (early_sporadic E u hun) (t0 - A u - 1) (tau - 1)) as hc. unfold eta_open.
      replace (t0 - A u - 1 + 1) with (t0 - A u) in hc by ring. replace (tau - 1 + 1) with tau in hc by ring.
      replace (tau - 1 - (t0 - A u - 1)) with (tau - t0 + A u) in hc by ring. pose proof (cdiv_nonneg (tau - t0 + A u) _ hT ltac:(lia)). lia. }
    assert (hRv : ~ In r (R v)).
    { intros hin. destruct (hR v r hvx hin) as (s & hs & hw & _). specialize (hself s ltac:(unfold c in hs; lia)). lia. }
    (* with J's own job, one more *)
    assert (hown : forall b', tau <= b' -> (forall j, In j (R v) -> j <= b') -> Z.of_nat (length (R v)) + 1 <= releases (released h (dag S v)) (t0 - A v) (b' + 1)).
    { intros b' hb' hall. pose proof (released_between v (t0 - A v) (b' + 1) (r :: R v) hvn) as hc. cbn [length] in hc.
      rewrite Nat2Z.inj_succ in hc. etransitivity; [|apply hc].
      - lia.
      - constructor; [exact hRv | apply ndR].
      - intros j [<-|hj]; [split; [exact hr | lia]|]. destruct (hR v j hvx hj) as (s & _ & _ & hrel & hj0). specialize (hall j hj). split; [exact hrel | lia]. }
    assert (hfew : forall u, In u (on_pool S x) -> Z.of_nat (length (R u)) <=
              (if u =? v then (if ordered then eta_closed S A v (tau - t0) else Z.min (eta_closed S A v s0) (eta_open S A v (tau - t0) + m)) - 1
               else Z.min (eta_closed S A u s0) (eta_open S A u (tau - t0) + m))).
    { intros u hu. destruct (Z.eqb_spec u v) as [->|hne].
      - destruct ordered eqn:eo.
        + pose proof (hown tau ltac:(lia)) as ho. pose proof (hclosed v (tau - t0) hvx ltac:(lia)) as hc. replace (t0 + (tau - t0) + 1) with (tau + 1) in hc by ring.
          enough (forall j, In j (R v) -> j <= tau) by (specialize (ho H0); lia). intros j hj. destruct (Z_le_gt_dec j tau) as [|hgt]; [assumption|]. exfalso.
          destruct (hR v j hvx hj) as (s & hs & hw & _ & hjs). destruct (hlate v j s ltac:(unfold c in hs; lia) hvx hw) as (_ & [->|(y & hy & hwt)]); [lia|].
          destruct (hon y hy) as (hyx & _ & hya).
          assert (hyv : ancestor_or_self S y v) by (apply (visit_nodes _ v hpath hvn y); apply in_app_iff; now right).
          rewrite (hord eq_refl r j y s ltac:(lia) hyv ltac:(apply in_on_pool in hyx, hvx; destruct hyx, hvx; congruence) hwt) in hw. lia.
        + pose proof (hown (t0 + s0) ltac:(lia)) as ho. pose proof (hclosed v s0 hvx ltac:(lia)) as hc.
          assert (hall : forall j, In j (R v) -> j <= t0 + s0) by (intros j hj; destruct (hR v j hvx hj) as (s & hs & _ & _ & hjs); unfold c in hs; lia). specialize (ho hall).
          enough (Z.of_nat (length (R v)) + 1 <= eta_open S A v (tau - t0) + m) by lia. rewrite hsplit. pose proof (hopen v hvx) as h1.
          set (L := map (window v) (filter (fun j => negb (early v j)) (R v))).
          assert (hincl : incl L K) by (intros o ho'; apply in_map_iff in ho'; destruct ho' as (j & <- & hj); now apply (hlateK v j hvx)).
          assert (hlen : Z.of_nat (length L) = Z.of_nat (length (filter (fun j => negb (early v j)) (R v)))) by (unfold L; now rewrite map_length).
          destruct (in_dec Z.eq_dec v (w :: f)) as [hin|].
          * assert (nd' : NoDup (window v r :: L)).
            { constructor; [|now apply hndw]. intros hin'. apply in_map_iff in hin'. destruct hin' as (j & e & hj). destruct (proj2 (hlateK v j hvx hj)) as (k' & hk').
              rewrite hk' in e. pose proof (ws_once ws v r j k' hvx (eq_sym e) hk') as <-. apply filter_In in hj. exact (hRv (proj1 hj)). }
            assert (hincl' : incl (window v r :: L) K) by (intros o [<-|ho']; [apply hK1; [exact hin | exact (proj2 (proj1 (in_on_pool S x v) hvx))] | now apply hincl]).
            pose proof (NoDup_incl_length nd' hincl') as hle. cbn [length] in hle. lia.
          * pose proof (NoDup_incl_length (hndw v hvx) hincl) as hle. fold L in hle. lia.
      - pose proof (hcl u hu) as h1. pose proof (hclosed u s0 hu ltac:(lia)) as h2. apply Z.min_glb; [lia|]. rewrite hsplit. pose proof (hopen u hu) as h3.
        assert (hincl : incl (map (window u) (filter (fun j => negb (early u j)) (R u))) K) by (intros o ho'; apply in_map_iff in ho'; destruct ho' as (j & <- & hj); now apply (hlateK u j hu)).
        pose proof (NoDup_incl_length (hndw u hu) hincl) as hle. rewrite map_length in hle. destruct (in_dec Z.eq_dec v (w :: f)); lia. }
    pose proof (hsum c ltac:(unfold c; lia)) as hs.
    enough (sum (fun u => sum (D c u) (range 0 c)) (on_pool S x) <= s0) by (unfold c in *; lia). etransitivity; [|exact hS]. apply sum_le. intros u hu.
    destruct (el_numbers laws u (proj1 (proj1 (in_on_pool S x u) hu))) as (_ & hvol & _).
    transitivity (vol a u * Z.of_nat (length (R u))).
    - unfold R. rewrite <- sum_length, <- sum_scale. apply sum_le. intros j _. pose proof (hD0 c u j hu). destruct (Z.ltb_spec 0 (D c u j)); cbn [ind]; lia.
    - apply Z.mul_le_mono_nonneg_l; [lia | exact (hfew u hu)].
  Qed.
End T19j.

(** If T19j's inequality holds for v, v meets its due instants as long as earlier ones are met. *)
Theorem T19j_safe S h available g a window poll F ordered v :
  well_formed S -> forall E : early_legal S h available g, early_laws S h available g a -> wait_set S h available g a window poll (pool S v) ->
  (forall u, In u (nodes S) -> exec a u <= F u) -> (ordered = true -> in_order S g v) -> In v (nodes S) ->
  last_visit_inequality S a F ordered v -> safe S (by_ends S h) F v.
Proof.
  intros wf E laws ws hF hord hv (A & m & B & hA & hm & hB0 & hB & hineq) r hr met.
  assert (hvx : In v (on_pool S (pool S v))) by (apply in_on_pool; auto).
  eapply (visit_done S h available g a wf E laws window poll (pool S v) ws F); eauto.
Qed.

(** On executors each node may rest on T19 or T20, or on T19j. *)
Theorem executors_hold_together S h available g a ex window poll mt exclusive group F ordered :
  well_formed S -> forall E : early_legal S h available g, early_laws S h available g a ->
  (forall x, ex x = true -> wait_set S h available g a window (poll x) x) ->
  (forall x, mt x = true -> ex x = false) -> (forall x, mt x = true -> grouped_threads S g a exclusive group x) ->
  paced S g a (filter (fun u => negb (ex (pool S u)) && negb (mt (pool S u))) (nodes S)) ->
  (forall u, In u (nodes S) -> exec a u <= F u) -> (forall u, ordered u = true -> in_order S g u) ->
  (forall v, In v (nodes S) -> executor_inequality S mt exclusive group a ex ordered F v \/ (ex (pool S v) = true /\ last_visit_inequality S a F (ordered v) v)) ->
  forall v, In v (nodes S) -> ends_within S h v (F v).
Proof.
  intros wf E laws ws hmt gt pace hF hord hineq v hv r hr. apply (ended_done S h wf).
  apply (all_safe S (by_ends S h) wf (legal_by_ends S h available g wf E) F); [| | exact hv | exact hr].
  - intros u hu. pose proof (el_numbers laws u hu). specialize (hF u hu). lia.
  - intros w hw. destruct (hineq w hw) as [hi|(hex & hi)].
    + exact (executors_safe S h available g a wf E laws ex window poll ws mt exclusive group hmt gt pace F hF ordered w hord hw hi).
    + apply (T19j_safe S h available g a window (poll (pool S w)) F (ordered w) w); auto.
Qed.
