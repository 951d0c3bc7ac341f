(** T35: jobs of periodic DAGs, and those whose windows meet theirs. docs/theory/periodic.md.

    The job of node v and number n belongs to the nominal release phi + n T of its DAG. Its claim is that it ends by L v n. What the page has in whole
    numbers of ns are here multiples of [unit] ticks, so that schedules may have their events in between. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Threads pools.Gpu pools.Busy local.T8 periodic.Chains.

(** One clock: number d r is that of d's release at r. *)
Record periodic (S : system) (h : history) (T J phi : Z -> Z) (number : Z -> Z -> Z) : Prop := {
  by_clock : forall v r, In v (nodes S) -> released h (dag S v) r = true ->
    let d := dag S v in phi d + number d r * T d <= r <= phi d + number d r * T d + J d;
  once : forall v r r', In v (nodes S) -> released h (dag S v) r = true -> released h (dag S v) r' = true ->
    number (dag S v) r = number (dag S v) r' -> r = r';
}.
Arguments by_clock {S h T J phi number}.
Arguments once {S h T J phi number}.

(** A node takes least v or more from its ready time to its end. *)
Definition takes_at_least (S : system) (h : history) (least : node -> Z) : Prop :=
  forall v r t, In v (nodes S) -> done h v r t = true -> ready S h v r (t - least v) = true.

Section Windows.
  Context (S : system) (P : platform) (T J phi : Z -> Z) (least : node -> Z).
  Context (unit : Z) (e rho L : node -> Z -> Z).
  Let C := length_of P.

  Definition nominal (d n : Z) : Z := phi d + n * T d.

  (** No job is ready before e, the longest sum of least times before it, and all that it waits for has ended by rho if claims hold. *)
  Definition earliest : Prop := forall v n, In v (nodes S) -> e v n <= nominal (dag S v) n \/ exists q, In q (preds S v) /\ e v n <= e q n + least q.
  Definition latest : Prop := forall v n, In v (nodes S) -> (preds S v = [] -> nominal (dag S v) n + J (dag S v) <= rho v n) /\ forall q, In q (preds S v) -> L q n <= rho v n.

  (** Job (u, k) may go before (v, n), or is below it. *)
  Definition goes_first (v : node) (n : Z) (u : node) (k : Z) : bool :=
    match order_of S (pool S v) with
    | Fifo => e u k <=? rho v n
    | Gel Y => nominal (dag S u) k + Y u <=? nominal (dag S v) n + J (dag S v) + Y v
    | Fixed pi => (pi v <? pi u) || ((pi u =? pi v) && (e u k <=? rho v n))
    | FixedAny pi => pi v <=? pi u
    end.
  Definition below (v : node) (n : Z) (u : node) (k : Z) : bool :=
    match order_of S (pool S v) with
    | Fifo => false
    | Gel Y => nominal (dag S v) n + J (dag S v) + Y v <? nominal (dag S u) k + Y u
    | Fixed pi | FixedAny pi => pi u <? pi v
    end.

  (** Pieces: (u, k, i), item i of job (u, k). *)
  Definition pieces (u : node) : Z := match kind_of P (pool S u) with Gpu _ => blocks P u | _ => 1 end.

  (** Pieces of Q_j(x), j = (v, n): at most [lagging] of jobs below j, and all of j itself but one. *)
  Record in_window (v : node) (n x lagging : Z) (l : list (node * Z * Z)) : Prop := {
    win_nodup : NoDup l;
    win_each : forall u k i, In (u, k, i) l -> In u (on_pool S (pool S v)) /\ 0 <= i < pieces u /\ e u k <= x /\ rho v n < L u k /\
      ((u, k) <> (v, n) -> (k = n -> ~ ancestor S u v /\ ~ ancestor S v u) /\ (goes_first v n u k = true \/ (below v n u k = true /\ e u k <= rho v n)));
    win_below : sum (fun p => ind (below v n (fst (fst p)) (snd (fst p)))) l <= lagging;
    win_own : sum (fun p => ind ((fst (fst p) =? v) && (snd (fst p) =? n))) l <= pieces v - 1;
  }.

  (** W_i <= W: without i of them, these pieces take W at most. *)
  Definition window_covers (v : node) (n x lagging i W : Z) : Prop := forall l, in_window v n x lagging l -> exists big : node * Z * Z -> bool,
    sum (fun p => ind (big p)) l <= i /\
    sum (fun p => ind (negb (big p)) * Z.min (C (fst (fst p))) (L (fst (fst p)) (snd (fst p)) - rho v n)) l <= W.

  (** floor(W_i/(m - i)) <= x - rho without preemption, ceil(W_i/(m - i)) <= x - rho - C with. *)
  Definition whole_window (m lagging : Z) (v : node) (n : Z) : Prop := exists x i W, (unit | x) /\ rho v n <= x /\ x + C v <= L v n /\ 0 <= i < m /\
    window_covers v n x lagging i W /\ W < (m - i) * (x - rho v n + unit).
  Definition preempted_window (m : Z) (v : node) (n : Z) : Prop := exists x i W, rho v n < x /\ x <= L v n /\ 0 <= i < m /\
    window_covers v n (x - 1) 0 i W /\ W <= (m - i) * (x - rho v n - Z.max 1 (C v)).

  Definition window_holds (v : node) (n : Z) : Prop :=
    match kind_of P (pool S v) with
    | Processors m => preempted_window m v n
    | Threads m => whole_window m m v n
    | Gpu G => exists N, G = workers N /\ order_of S (pool S v) = Fifo /\ (forall u, In u (on_pool S (pool S v)) -> demand P u 0 = 1) /\ whole_window N 0 v n
    end.
End Windows.

Lemma nodup_map_on {A B} (f : A -> B) (l : list A) : (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
Proof.
  intros hinj nd. induction l as [|a l IH]; cbn; [constructor|]. inversion nd; subst. constructor.
  - intros hin. apply in_map_iff in hin. destruct hin as (b & hb & hbl). rewrite (hinj b a (or_intror hbl) (or_introl eq_refl) hb) in hbl. contradiction.
  - apply IH; auto. intros x y hx hy. apply hinj; now right.
Qed.

Section T35.
  Context (S : system) (h : history) (P : platform) (ex : execution) (wf : well_formed S) (sp : sound_platform S P) (so : system_obeys S h P ex).
  Context (hends : ends_when_run S h P ex).
  Context (T J phi : Z -> Z) (number : Z -> Z -> Z) (hper : periodic S h T J phi number).
  Context (least : node -> Z) (hleast : takes_at_least S h least).
  Context (unit : Z) (e rho L : node -> Z -> Z) (he : earliest S T phi least e) (hrho : latest S T J phi rho L).
  Let C := length_of P.
  Context (hunit : 0 < unit) (units : forall v n, In v (nodes S) -> (unit | C v) /\ (unit | rho v n) /\ (unit | L v n)).
  Let lg := so_legal so.
  Let num (u : node) (r : Z) : Z := number (dag S u) r.

  (** The claims, or bounds of another theorem. *)
  Definition claim_holds (v : node) (n : Z) : Prop :=
    window_holds S P T J phi unit e rho L v n \/ exists F, ends_within S h v F /\ nominal T phi (dag S v) n + J (dag S v) + F <= L v n.
  Context (claims : forall v n, In v (nodes S) -> claim_holds v n).

  Lemma early v r t : In v (nodes S) -> ready S h v r t = true -> e v (num v r) <= t.
  Proof.
    intros hv. pose proof (wf_number wf v hv) as v0. revert t hv. pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0. intros v IH _ t hv hre.
    pose proof (proj1 (ready_spec S h v r t) hre) as (hrel & hle & hp). destruct (he v (num v r) hv) as [h1|(q & hq & h1)].
    - pose proof (by_clock hper v r hv hrel) as hc. unfold nominal in h1. unfold num in *. cbv zeta in hc. lia.
    - destruct (wf_preds wf v q hv hq) as (hqn & hqd & hlt). pose proof (wf_number wf q hqn).
      pose proof (IH q ltac:(lia) (t - least q) hqn (hleast q r t hqn (hp q hq))) as h2. unfold num in *. rewrite hqd in h2. lia.
  Qed.

  Lemma same_job u r v r' : In u (nodes S) -> In v (nodes S) -> dag S u = dag S v -> released h (dag S u) r = true -> released h (dag S v) r' = true ->
    num u r = num v r' -> r = r'.
  Proof. intros hu hv hd hr hr' hn. unfold num in hn. rewrite hd in *. exact (once hper v r r' hv hr hr' hn). Qed.

  Lemma window_nonneg v n x lag i W : In v (nodes S) -> 0 <= lag -> window_covers S P T J phi e rho L v n x lag i W -> 0 <= W.
  Proof.
    intros hv hlag hw. destruct (hw []) as (big & _ & hW); [|exact hW]. constructor; cbn [sum]; [constructor | easy | exact hlag|].
    unfold pieces. pose proof (sp_pool sp v hv) as hk. destruct (kind_of P (pool S v)); lia.
  Qed.

  (** Claims are no earlier than releases. *)
  Lemma claim_after v r : In v (nodes S) -> released h (dag S v) r = true -> r <= L v (num v r).
  Proof.
    intros hv. pose proof (wf_number wf v hv) as v0. revert hv. pattern v. apply Zlt_0_ind; [|exact v0]. clear v v0. intros v IH _ hv hr.
    pose proof (by_clock hper v r hv hr) as hc. cbv zeta in hc. fold (num v r) in hc.
    assert (hrr : r <= rho v (num v r)).
    { destruct (hrho v (num v r) hv) as (h0 & hq). destruct (preds S v) as [|q qs] eqn:hp; [specialize (h0 eq_refl); unfold nominal in h0; lia|].
      destruct (wf_preds wf v q hv ltac:(rewrite hp; now left)) as (hqn & hqd & hlt). pose proof (wf_number wf q hqn).
      pose proof (IH q ltac:(lia) hqn ltac:(now rewrite hqd)) as h1. pose proof (hq q (or_introl eq_refl)) as h2. unfold num in *. rewrite hqd in h1. lia. }
    pose proof (sp_length sp v hv) as hC. destruct (claims v (num v r) hv) as [hw|(F & hF & hle)].
    - unfold window_holds in hw. destruct (kind_of P (pool S v)) as [m|m|G].
      + destruct hw as (x & i & W & h1 & h2 & _). lia.
      + destruct hw as (x & i & W & _ & h1 & h2 & _). lia.
      + destruct hw as (N & _ & _ & _ & x & i & W & _ & h1 & h2 & _). lia.
    - specialize (hF r hr). apply (legal_ready lg), ready_spec in hF. unfold nominal in hle. lia.
  Qed.

  (** Of the claims that fall due first, those of nodes that execute come first, then predecessors before successors. *)
  Definition met_first (v : node) (r : Z) : Prop := forall u r', In u (nodes S) -> released h (dag S u) r' = true ->
    (L u (num u r') < L v (num v r) \/ (L u (num u r') = L v (num v r) /\ C v = 0 /\ (0 < C u \/ u < v))) -> done h u r' (L u (num u r')) = true.

  Section Job.
    Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true) (met : met_first v r).
    Let n := num v r.
    Let p := pool S v.
    Context (missed : done h v r (L v n) = false).

    Lemma ready_by_rho : (rho v n < L v n \/ (rho v n <= L v n /\ C v = 0)) -> ready S h v r (rho v n) = true.
    Proof.
      intros hdue. destruct (hrho v n hv) as (h0 & hq). pose proof (by_clock hper v r hv hr) as hc. cbv zeta in hc. fold (num v r) in hc. fold n in hc.
      assert (hpreds : forall q, In q (preds S v) -> done h q r (rho v n) = true).
      { intros q hin. destruct (wf_preds wf v q hv hin) as (hqn & hqd & hlt). specialize (hq q hin). pose proof (sp_length sp q hqn) as hCq. fold C in hCq.
        apply (legal_done lg q r (L q n)); [|exact hq]. assert (en : num q r = n) by (unfold n, num; now rewrite hqd).
        rewrite <- en. apply met; [exact hqn | now rewrite hqd|]. rewrite en. fold n. lia. }
      apply ready_spec. split; [exact hr|]. split; [|exact hpreds].
      destruct (preds S v) as [|q qs] eqn:hp; [specialize (h0 eq_refl); unfold nominal in h0; lia|].
      pose proof (legal_ready lg q r _ (hpreds q (or_introl eq_refl))) as hre. apply ready_spec in hre. lia.
    Qed.

    (** A claim of another job holds while it is worked on, up to v's own. *)
    Lemma due_later u r' s : In u (nodes S) -> pending S h u r' s = true -> 0 < C u -> (s < L v n \/ (s <= L v n /\ C v = 0)) -> s < L u (num u r').
    Proof.
      intros hu hp hC hs. pose proof (pending_released S h lg u r' s hp) as (hrel & _). apply pending_spec in hp. destruct hp as (_ & hnd).
      destruct (Z_lt_le_dec s (L u (num u r'))) as [|hle]; [assumption | exfalso].
      assert (hd : done h u r' (L u (num u r')) = true) by (apply met; [exact hu | exact hrel | fold n; lia]).
      rewrite (legal_done lg u r' _ s hd hle) in hnd. discriminate.
    Qed.

    (** In some ticks of [rho, x] all m servers work on pieces that may keep v waiting. *)
    Context (x m lag i W : Z) (hm : 0 <= i < m) (held : Z -> bool) (on : node * Z * Z -> Z -> bool) (most : Z).
    Let all := list_prod (list_prod (on_pool S p) (range 0 (x + 1))) (range 0 most).
    Definition meeting : list (node * Z * Z) := filter (fun pc => existsb (fun s => held s && on pc s) (range (rho v n) (x + 1))) all.

    Context (on_facts : forall u r' j s, In u (on_pool S p) -> rho v n <= s <= x -> held s = true -> on (u, r', j) s = true ->
      0 <= j < pieces S P u /\ pending S h u r' s = true /\ s < L u (num u r') /\
      ((u, r') <> (v, r) -> pending S h v r s = true /\ (goes_first S T J phi e rho v n u (num u r') = true \/ (below S T J phi v n u (num u r') = true /\ e u (num u r') <= rho v n)))).
    Context (on_all : forall s, rho v n <= s <= x -> held s = true -> m <= sum (fun pc => ind (on pc s)) all).
    Context (on_length : forall pc b c, In pc all -> sum (fun s => ind (on pc s)) (range b c) <= C (fst (fst pc))).
    Context (on_below : sum (fun pc => ind (below S T J phi v n (fst (fst pc)) (num (fst (fst pc)) (snd (fst pc))))) meeting <= lag).
    Context (on_own : sum (fun pc => ind ((fst (fst pc) =? v) && (snd (fst pc) =? r))) meeting <= pieces S P v - 1).
    Context (covers : window_covers S P T J phi e rho L v n x lag i W).

    Let b := sum (fun s => ind (held s)) (range (rho v n) (x + 1)).

    Lemma in_meeting u r' j : In (u, r', j) meeting -> In (u, r', j) all /\ In u (on_pool S p) /\ exists s, rho v n <= s <= x /\ held s = true /\ on (u, r', j) s = true.
    Proof.
      clear hm. intros hin. apply filter_In in hin. destruct hin as (hall & hex). split; [exact hall|]. unfold all in hall. rewrite !in_prod_iff in hall.
      split; [tauto|]. apply existsb_exists in hex. destruct hex as (s & hs & hc). rewrite in_range in hs. apply andb_prop in hc. exists s. split; [lia | tauto].
    Qed.

    Let to_number (pc : node * Z * Z) : node * Z * Z := (fst (fst pc), num (fst (fst pc)) (snd (fst pc)), snd pc).

    Lemma meeting_in_window : in_window S P T J phi e rho L v n x lag (map to_number meeting).
    Proof.
      constructor.
      - apply nodup_map_on.
        + intros ((u1 & r1) & j1) ((u2 & r2) & j2) h1 h2 heq. unfold to_number in heq. cbn [fst snd] in heq. injection heq as eu en ej. subst u2 j2. f_equal. f_equal.
          apply in_meeting in h1, h2. destruct h1 as (_ & hu & s1 & hs1 & hh1 & ho1), h2 as (_ & _ & s2 & hs2 & hh2 & ho2). pose proof (proj1 (proj1 (in_on_pool S p u1) hu)) as hun.
          destruct (on_facts u1 r1 j1 s1 hu hs1 hh1 ho1) as (_ & hp1 & _), (on_facts u1 r2 j1 s2 hu hs2 hh2 ho2) as (_ & hp2 & _).
          apply (pending_released S h lg) in hp1, hp2. apply (once hper u1); auto; tauto.
        + apply NoDup_filter. apply nodup_prod; [apply nodup_prod; [apply NoDup_filter, (wf_nodup wf) | apply range_nodup] | apply range_nodup].
      - intros u k j hin. apply in_map_iff in hin. destruct hin as (((u' & r') & j') & heq & hin). unfold to_number in heq. cbn [fst snd] in heq. injection heq as -> <- ->.
        apply in_meeting in hin. destruct hin as (_ & hu & s & hs & hh & ho). destruct (on_facts u r' j s hu hs hh ho) as (hj & hp & hlt & hother).
        pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup). pose proof (pending_released S h lg u r' s hp) as (hrel & _).
        split; [exact hu|]. split; [exact hj|]. pose proof hp as hp'. apply pending_spec in hp'. destruct hp' as (hre & _). pose proof (early u r' s hun hre).
        split; [lia|]. split; [lia|]. intros hne. destruct hother as (hpv & hgo); [intros e0; injection e0 as -> ->; apply hne; reflexivity|]. split; [|exact hgo].
        intros hk. assert (hno : u = v \/ ancestor S u v \/ ancestor S v u -> False).
        { intros hc. assert (hd : dag S u = dag S v).
          { destruct hc as [->|[ha|ha]]; [reflexivity | | symmetry]; [apply (ancestor_facts S u v wf hv ha) | apply (ancestor_facts S v u wf hun ha)]. }
          assert (er : r' = r) by (apply (same_job u r' v r); auto). subst r'. assert (u = v) by (apply (pending_alone S h lg u v r s); assumption). subst u. apply hne. reflexivity. }
        tauto.
      - rewrite sum_map. exact on_below.
      - rewrite sum_map. etransitivity; [|exact on_own]. apply sum_le. intros ((u & r') & j) hin. unfold to_number. cbn [fst snd].
        destruct (Z.eqb_spec u v) as [->|]; cbn [andb ind]; [|lia]. destruct (Z.eqb_spec (num v r') n) as [en|]; cbn [ind]; [|apply ind_range].
        apply in_meeting in hin. destruct hin as (_ & hu & s & hs & hh & ho). destruct (on_facts v r' j s hu hs hh ho) as (_ & hp & _). apply (pending_released S h lg) in hp.
        rewrite (same_job v r' v r); auto; [|tauto]. rewrite Z.eqb_refl. cbn. lia.
    Qed.

    Lemma meeting_length pc : In pc meeting -> 0 < L (fst (fst pc)) (num (fst (fst pc)) (snd (fst pc))) - rho v n /\
      sum (fun s => ind (held s) * ind (on pc s)) (range (rho v n) (x + 1)) <= Z.min (C (fst (fst pc))) (L (fst (fst pc)) (num (fst (fst pc)) (snd (fst pc))) - rho v n).
    Proof.
      intros hin. destruct pc as ((u & r') & j). cbn [fst snd]. pose proof (in_meeting u r' j hin) as (hall & hu & s0 & hs0 & hh0 & ho0).
      destruct (on_facts u r' j s0 hu hs0 hh0 ho0) as (_ & _ & hlt & _). set (l' := L u (num u r')) in *. split; [lia|]. apply Z.min_glb.
      - etransitivity; [|exact (on_length (u, r', j) (rho v n) (x + 1) hall)]. apply sum_le. intros s _. destruct (held s), (on (u, r', j) s); cbn; lia.
      - transitivity (sum (fun _ => 1) (range (rho v n) (Z.min (x + 1) l'))); [|rewrite sum_range_const; lia].
        rewrite (sum_range_split _ (rho v n) (Z.min (x + 1) l') (x + 1)) by lia.
        rewrite (sum_zero _ (range (Z.min (x + 1) l') (x + 1))).
        + rewrite Z.add_0_r. apply sum_le. intros s _. destruct (held s), (on (u, r', j) s); cbn; lia.
        + intros s hs. rewrite in_range in hs. destruct (held s) eqn:hh; [|reflexivity]. destruct (on (u, r', j) s) eqn:ho; [exfalso | reflexivity].
          destruct (on_facts u r' j s hu ltac:(lia) hh ho) as (_ & _ & h2 & _). fold l' in h2. lia.
    Qed.

    Lemma met_in_tick s : rho v n <= s <= x -> held s = true -> sum (fun pc => ind (on pc s)) meeting = sum (fun pc => ind (on pc s)) all.
    Proof.
      intros hs hh. unfold meeting. rewrite sum_filter. apply sum_eq. intros pc _. destruct (on pc s) eqn:ho; cbn [ind]; [|ring].
      assert (hex : existsb (fun s => held s && on pc s) (range (rho v n) (x + 1)) = true).
      { apply existsb_exists. exists s. rewrite in_range, hh, ho. split; [lia | reflexivity]. }
      rewrite hex. reflexivity.
    Qed.

    (** All but i of the pieces that meet v take W at most. *)
    Lemma met_at_most y : sum (fun pc => Z.min (Z.min (C (fst (fst pc))) (L (fst (fst pc)) (num (fst (fst pc)) (snd (fst pc))) - rho v n)) y) meeting <= i * Z.max 0 y + W.
    Proof.
      destruct (covers _ meeting_in_window) as (big & hbig & hrest). rewrite sum_map in hbig, hrest.
      transitivity (sum (fun pc => Z.max 0 y * ind (big (to_number pc)) + ind (negb (big (to_number pc))) * Z.min (C (fst (fst pc))) (L (fst (fst pc)) (num (fst (fst pc)) (snd (fst pc))) - rho v n)) meeting).
      - apply sum_le. intros pc _. destruct (big (to_number pc)); cbn [negb ind]; lia.
      - rewrite sum_add, sum_scale. unfold to_number in hrest. cbn [fst snd] in hrest. unfold to_number in *. fold C in hrest. nia.
    Qed.

    Theorem too_much : m * b <= i * b + W.
    Proof.
      assert (hb : 0 <= b) by (apply sum_nonneg; intros; apply ind_range).
      pose proof (met_at_most b) as hmost. rewrite Z.max_r in hmost by exact hb. etransitivity; [|exact hmost].
      unfold b at 1. rewrite <- sum_scale. transitivity (sum (fun s => sum (fun pc => ind (held s) * ind (on pc s)) meeting) (range (rho v n) (x + 1))).
      - apply sum_le. intros s hs. rewrite in_range in hs. rewrite sum_scale. destruct (held s) eqn:hh; cbn [ind]; [|lia]. specialize (on_all s ltac:(lia) hh). rewrite met_in_tick by (auto; lia). lia.
      - rewrite (sum_exchange (fun s pc => ind (held s) * ind (on pc s))). apply sum_le. intros pc hin. apply Z.min_glb; [now apply meeting_length|].
        apply sum_le. intros s _. destruct (held s), (on pc s); cbn; lia.
    Qed.

    (** Where no piece is interrupted, and as many as there are servers are worked on in all ticks. *)
    Context (on_most : forall s, rho v n <= s <= x -> sum (fun pc => ind (on pc s)) all <= m) (hheld : forall s, held s = true).
    Context (on_whole : forall u r' j s1 s2 s3, In u (on_pool S p) -> on (u, r', j) s1 = true -> on (u, r', j) s3 = true -> s1 <= s2 <= s3 -> on (u, r', j) s2 = true).

    Theorem too_much_whole : (unit | x) -> rho v n <= x -> m * (x - rho v n + unit) <= i * (x - rho v n + unit) + W.
    Proof.
      intros hx hle. pose proof (met_at_most (x - rho v n + unit)) as hmost. rewrite Z.max_r in hmost by lia. etransitivity; [|exact hmost].
      set (here := fun (pc : node * Z * Z) s => existsb (Z.eqb (fst (fst pc))) (on_pool S p) && on pc s).
      assert (hhere : forall u r' j s, here (u, r', j) s = true <-> In u (on_pool S p) /\ on (u, r', j) s = true).
      { intros u r' j s. unfold here. cbn [fst snd]. rewrite andb_true_iff, existsb_exists. split.
        - intros ((y & hy & e0) & ho). apply Z.eqb_eq in e0. now subst.
        - intros (hu & ho). split; [|exact ho]. exists u. split; [exact hu | apply Z.eqb_refl]. }
      assert (heq : forall pc s, In pc meeting -> here pc s = on pc s).
      { intros ((u & r') & j) s hin. apply in_meeting in hin. apply eq_true_iff_eq. rewrite hhere. tauto. }
      rewrite <- (Z2Nat.id m) at 1 by lia.
      apply (chains_fill here x) with (first := rho v n) (k := unit) (c := fun pc => Z.min (C (fst (fst pc))) (L (fst (fst pc)) (num (fst (fst pc)) (snd (fst pc))) - rho v n)); auto.
      - intros ((u & r') & j) s1 s2 s3 h1 h3 hs. rewrite hhere in *. split; [tauto|]. apply (on_whole u r' j s1 s2 s3); tauto.
      - destruct (units v n hv) as (_ & h2 & _). now apply Z.divide_sub_r.
      - intros s hs. rewrite (sum_eq _ (fun pc => ind (on pc s))) by (intros pc hpc; now rewrite heq). rewrite met_in_tick by auto.
        specialize (on_all s hs (hheld s)). specialize (on_most s hs). rewrite Z2Nat.id by lia. lia.
      - intros pc hpc. destruct (meeting_length pc hpc) as (hpos & hlen). destruct pc as ((u & r') & j). cbn [fst snd] in *. pose proof (in_meeting u r' j hpc) as (_ & hu & _). apply in_on_pool in hu.
        pose proof (sp_length sp u ltac:(tauto)) as hC. fold C in hC. destruct (units u (num u r') ltac:(tauto)) as (d1 & _ & d3). destruct (units v n hv) as (_ & d2 & _).
        split; [lia|]. split.
        + destruct (Z.min_spec (C u) (L u (num u r') - rho v n)) as [(_ & ->)|(_ & ->)]; [exact d1 | now apply Z.divide_sub_r].
        + etransitivity; [|exact hlen]. apply sum_le. intros s _. rewrite heq by exact hpc. rewrite hheld. cbn [ind]. lia.
    Qed.
  End Job.

  (** On processors, each job is one piece. *)
  Definition on_server (pc : node * Z * Z) (s : Z) : bool := (snd pc =? 0) && runs ex (fst (fst pc)) (snd (fst pc)) s.

  Lemma on_servers p x s : sum (fun pc => ind (on_server pc s)) (list_prod (list_prod (on_pool S p) (range 0 (x + 1))) (range 0 1))
    = sum (fun u => sum (fun r => ind (runs ex u r s)) (range 0 (x + 1))) (on_pool S p).
  Proof.
    rewrite sum_prod, sum_prod. apply sum_eq. intros u _. apply sum_eq. intros r _. change (range 0 1) with (range 0 (0 + 1)). rewrite range_one. cbn [sum on_server fst snd]. unfold on_server. cbn. lia.
  Qed.

  Lemma running_most p x s : s <= x -> running S ex p s <= sum (fun pc => ind (on_server pc s)) (list_prod (list_prod (on_pool S p) (range 0 (x + 1))) (range 0 1)).
  Proof. intros hs. rewrite on_servers. unfold running. apply sum_le. intros u _. apply sum_range_incl; [intros; apply ind_range | lia | lia]. Qed.

  Lemma running_least p x s : (forall u r, In u (on_pool S p) -> runs ex u r s = true -> pending S h u r s = true) -> 0 <= s <= x ->
    sum (fun pc => ind (on_server pc s)) (list_prod (list_prod (on_pool S p) (range 0 (x + 1))) (range 0 1)) <= running S ex p s.
  Proof.
    intros hp hs. rewrite on_servers. unfold running. apply sum_le. intros u hu. rewrite (sum_range_split _ 0 (s + 1) (x + 1)) by lia.
    rewrite (sum_zero _ (range (s + 1) (x + 1))); [lia|]. intros r hr. rewrite in_range in hr. destruct (runs ex u r s) eqn:e0; [exfalso | reflexivity].
    specialize (hp u r hu e0). apply (pending_released S h lg) in hp. lia.
  Qed.

  Lemma not_below v n u r' r : In u (nodes S) -> In v (nodes S) -> released h (dag S u) r' = true -> released h (dag S v) r = true -> n = num v r ->
    before S h (order_of S (pool S v)) u r' v r -> below S T J phi v n u (num u r') = false.
  Proof.
    intros hu hv hr' hr -> hb. pose proof (by_clock hper u r' hu hr') as h1. pose proof (by_clock hper v r hv hr) as h2. cbv zeta in h1, h2. unfold below, nominal, num.
    destruct (order_of S (pool S v)) as [|Y|pi|pi]; cbn [before] in hb; [reflexivity | apply Z.ltb_ge; lia..].
  Qed.

  Lemma before_goes_first v n u r' r : In u (nodes S) -> In v (nodes S) -> released h (dag S u) r' = true -> released h (dag S v) r = true -> n = num v r ->
    ready S h v r (rho v n) = true -> before S h (order_of S (pool S v)) u r' v r -> goes_first S T J phi e rho v n u (num u r') = true.
  Proof.
    intros hu hv hr' hr -> hready hb. pose proof (by_clock hper u r' hu hr') as h1. pose proof (by_clock hper v r hv hr) as h2. cbv zeta in h1, h2.
    assert (hno : ready_no_later S h u r' v r -> e u (num u r') <= rho v (num v r)) by (intros hno; apply early; [exact hu | now apply hno]).
    unfold goes_first, nominal, num in *. destruct (order_of S (pool S v)) as [|Y|pi|pi]; cbn [before] in hb.
    - apply Z.leb_le. auto.
    - apply Z.leb_le. lia.
    - apply orb_true_iff. destruct hb as [hb|(hb & hb')]; [left; apply Z.ltb_lt; lia | right; apply andb_true_iff; split; [apply Z.eqb_eq; lia | apply Z.leb_le; auto]].
    - apply Z.leb_le. lia.
  Qed.

  Lemma runs_positive u r s : (forall b c, sum (fun t => ind (runs ex u r t)) (range b c) <= C u) -> runs ex u r s = true -> 0 < C u.
  Proof. intros hl hr. specialize (hl s (s + 1)). rewrite range_one in hl. cbn [sum] in hl. rewrite hr in hl. cbn in hl. lia. Qed.

  (** With preemption. *)
  Lemma processors_claim v r m : In v (nodes S) -> released h (dag S v) r = true -> met_first v r -> kind_of P (pool S v) = Processors m ->
    preempted_window S P T J phi e rho L m v (num v r) -> done h v r (L v (num v r)) = true.
  Proof.
    intros hv hr met hk (x & i & W & hx1 & hx2 & hi & hcov & hW). set (n := num v r) in *. destruct (done h v r (L v n)) eqn:missed; [reflexivity | exfalso].
    pose proof (so_pools so (pool S v)) as ob. unfold pool_obeys in ob. rewrite hk in ob. assert (hvp : In v (on_pool S (pool S v))) by now apply in_on_pool.
    assert (hready : ready S h v r (rho v n) = true) by (apply ready_by_rho; auto; left; fold n; lia).
    assert (hpend : forall s, rho v n <= s <= L v n -> pending S h v r s = true).
    { intros s hs. apply pending_spec. split; [apply (ready_stays S h lg v r (rho v n) s hready); lia|]. destruct (done h v r s) eqn:hd; [|reflexivity].
      rewrite (legal_done lg v r s (L v n) hd) in missed by lia. discriminate. }
    set (held := fun s => negb (runs ex v r s)).
    assert (hfacts : forall u r' j s, In u (on_pool S (pool S v)) -> rho v n <= s <= x - 1 -> held s = true -> on_server (u, r', j) s = true ->
      j = 0 /\ pending S h u r' s = true /\ before S h (order_of S (pool S v)) u r' v r /\ 0 < C u).
    { intros u r' j s hu hs hh ho. unfold on_server in ho. cbn [fst snd] in ho. apply andb_prop in ho. destruct ho as (hj & ho). apply Z.eqb_eq in hj. unfold held in hh. apply negb_true_iff in hh.
      split; [exact hj|]. split; [now apply (run_pending ob)|]. split; [apply (run_order ob v r s u r'); auto; apply hpend; lia|].
      apply (runs_positive u r' s); [|exact ho]. intros b c. now apply (run_length ob). }
    pose proof (too_much v r hv hr (x - 1) m 0 i W hi held on_server 1) as htoo. fold n in htoo.
    assert (hb : x - rho v n - Z.max 1 (C v) + 1 <= sum (fun s => ind (held s)) (range (rho v n) (x - 1 + 1))).
    { replace (x - 1 + 1) with x by ring. assert (hsum : sum (fun s => ind (held s)) (range (rho v n) x) = x - rho v n - sum (fun s => ind (runs ex v r s)) (range (rho v n) x)).
      { transitivity (sum (fun s => 1 - ind (runs ex v r s)) (range (rho v n) x)); [apply sum_eq; intros s _; unfold held; destruct (runs ex v r s); reflexivity|].
        rewrite sum_sub, sum_range_const by lia. lia. }
      rewrite hsum. pose proof (run_length ob v r (rho v n) x hvp) as hlen. fold C in hlen. destruct (Z_le_gt_dec (C v) 0) as [h0|hpos]; [lia|].
      pose proof (hends v r (rho v n) x hv ltac:(fold C; lia)) as hless. rewrite hk in hless. fold C in hless. pose proof (hpend x ltac:(lia)) as hpx. apply pending_spec in hpx. specialize (hless (proj2 hpx)). lia. }
    set (b := sum (fun s => ind (held s)) (range (rho v n) (x - 1 + 1))) in *. set (K := x - rho v n - Z.max 1 (C v)) in *.
    change (W <= (m - i) * K) in hW.
    enough (hle : m * b <= i * b + W) by (assert (hKb : (m - i) * (K + 1) <= (m - i) * b) by (apply Z.mul_le_mono_nonneg_l; lia); lia).
    apply htoo; [| | | | | exact hcov].
    - intros u r' j s hu hs hh ho. destruct (hfacts u r' j s hu hs hh ho) as (-> & hp & hbef & hC). pose proof (proj1 (in_on_pool S _ u) hu) as (hun & hup).
      pose proof (pending_released S h lg u r' s hp) as (hrel & _).
      split; [unfold pieces; rewrite hup, hk; lia|]. split; [exact hp|]. split; [apply (due_later v r met u r' s hun hp hC); left; fold n; lia|].
      intros _. split; [apply hpend; lia|]. left. apply (before_goes_first v n u r' r); auto.
    - intros s hs hh. unfold held in hh. apply negb_true_iff in hh. etransitivity; [exact (run_conserving ob v r s hvp (hpend s ltac:(lia)) hh) | apply running_most; lia].
    - intros ((u & r') & j) y z hin. cbn [fst snd]. rewrite !in_prod_iff in hin. etransitivity; [|apply (run_length ob u r' y z); tauto]. apply sum_le. intros s _.
      unfold on_server. cbn [fst snd]. destruct (j =? 0), (runs ex u r' s); cbn; lia.
    - apply Z.eq_le_incl. apply sum_zero. intros ((u & r') & j) hin. cbn [fst snd]. apply in_meeting in hin. destruct hin as (_ & hu & s & hs & hh & ho). fold n in hs.
      destruct (hfacts u r' j s hu hs hh ho) as (_ & hp & hbef & _). apply (pending_released S h lg) in hp. apply in_on_pool in hu. rewrite (not_below v n u r' r); auto; tauto.
    - unfold pieces. rewrite hk. apply Z.eq_le_incl. apply sum_zero. intros ((u & r') & j) hin. cbn [fst snd]. apply in_meeting in hin. destruct hin as (_ & hu & s & hs & hh & ho).
      destruct (Z.eqb_spec u v) as [->|]; [|reflexivity]. destruct (Z.eqb_spec r' r) as [->|]; [exfalso | reflexivity].
      unfold on_server, held in *. cbn [fst snd] in ho. apply andb_prop in ho. destruct ho as (_ & ho). rewrite ho in hh. discriminate.
  Qed.

  (** Without preemption. *)
  Lemma threads_claim v r m : In v (nodes S) -> released h (dag S v) r = true -> met_first v r -> kind_of P (pool S v) = Threads m ->
    whole_window S P T J phi unit e rho L m m v (num v r) -> done h v r (L v (num v r)) = true.
  Proof.
    intros hv hr met hk (x & i & W & hx0 & hx1 & hx2 & hi & hcov & hW). set (n := num v r) in *. destruct (done h v r (L v n)) eqn:missed; [reflexivity | exfalso].
    pose proof (so_pools so (pool S v)) as ob. unfold pool_obeys in ob. rewrite hk in ob. assert (hvp : In v (on_pool S (pool S v))) by now apply in_on_pool.
    pose proof (sp_length sp v hv) as hC0. fold C in hC0, hx2.
    assert (hdue : rho v n < L v n \/ (rho v n <= L v n /\ C v = 0)) by lia.
    assert (hready : ready S h v r (rho v n) = true) by (apply ready_by_rho; auto).
    assert (hpend : forall s, rho v n <= s <= L v n -> pending S h v r s = true).
    { intros s hs. apply pending_spec. split; [apply (ready_stays S h lg v r (rho v n) s hready); lia|]. destruct (done h v r s) eqn:hd; [|reflexivity].
      rewrite (legal_done lg v r s (L v n) hd) in missed by lia. discriminate. }
    assert (hno : forall s, s <= x -> runs ex v r s = false).
    { intros s hs. destruct (runs ex v r s) eqn:hrun; [exfalso | reflexivity]. pose proof (thread_length ob v r s (L v n + 1) hvp) as hl. fold C in hl.
      rewrite (sum_eq _ (fun _ => 1)) in hl; [rewrite sum_range_const in hl by lia; lia|]. intros y hy. rewrite in_range in hy.
      rewrite (runs_between S h P ex (pool S v) m lg ob v r s (L v n) y hvp hrun (hpend (L v n) ltac:(lia))) by lia. reflexivity. }
    pose proof (pending_released S h lg v r (rho v n) (hpend (rho v n) ltac:(lia))) as (_ & hr0).
    assert (hfacts : forall u r' j s, In u (on_pool S (pool S v)) -> rho v n <= s <= x -> on_server (u, r', j) s = true ->
      j = 0 /\ pending S h u r' s = true /\ runs ex u r' s = true /\ 0 < C u /\
      (before S h (order_of S (pool S v)) u r' v r \/ (runs ex u r' (rho v n) = true /\ e u (num u r') <= rho v n))).
    { intros u r' j s hu hs ho. unfold on_server in ho. cbn [fst snd] in ho. apply andb_prop in ho. destruct ho as (hj & ho). apply Z.eqb_eq in hj. pose proof (thread_pending ob u r' s hu ho) as hp.
      split; [exact hj|]. split; [exact hp|]. split; [exact ho|]. split; [apply (runs_positive u r' s); [|exact ho]; intros b c; now apply (thread_length ob)|].
      destruct (started S h P ex (pool S v) m lg ob u r' s hu ho) as (y & hy & hry & hbefore). destruct (ready S h v r y) eqn:hre.
      - left. apply (thread_order ob v r y u r'); auto; [|apply hno; lia]. apply pending_spec. split; [exact hre|]. destruct (done h v r y) eqn:hd; [|reflexivity].
        rewrite (legal_done lg v r y (L v n) hd) in missed by lia. discriminate.
      - right. assert (hlt : y < rho v n). { destruct (Z_lt_le_dec y (rho v n)) as [|hge]; [assumption|]. rewrite (ready_stays S h lg v r (rho v n) y hready hge) in hre. discriminate. }
        split; [apply (runs_between S h P ex (pool S v) m lg ob u r' y s); auto; lia|]. pose proof (thread_pending ob u r' y hu hry) as hpy. apply pending_spec in hpy.
        apply in_on_pool in hu. pose proof (early u r' y ltac:(tauto) ltac:(tauto)). lia. }
    set (held := fun _ : Z => true). pose proof (too_much_whole v r hv hr x m m i W hi held on_server 1) as htoo. fold n in htoo.
    enough (m * (x - rho v n + unit) <= i * (x - rho v n + unit) + W) by nia.
    apply htoo; [| | | | | exact hcov | | reflexivity | | exact hx0 | exact hx1].
    - intros u r' j s hu hs _ ho. destruct (hfacts u r' j s hu hs ho) as (-> & hp & _ & hC & hcase). pose proof (proj1 (in_on_pool S _ u) hu) as (hun & hup).
      pose proof (pending_released S h lg u r' s hp) as (hrel & _).
      split; [unfold pieces; rewrite hup, hk; lia|]. split; [exact hp|]. split; [apply (due_later v r met u r' s hun hp hC); fold n; lia|].
      intros _. split; [apply hpend; lia|]. destruct hcase as [hbef|(_ & hle)]; [left; apply (before_goes_first v n u r' r); auto|].
      unfold goes_first, below. destruct (order_of S (pool S v)) as [|Y|pi|pi].
      + left. now apply Z.leb_le.
      + destruct (Z_le_gt_dec (nominal T phi (dag S u) (num u r') + Y u) (nominal T phi (dag S v) n + J (dag S v) + Y v)); [left; now apply Z.leb_le | right; split; [apply Z.ltb_lt; lia | exact hle]].
      + destruct (Z.lt_trichotomy (pi u) (pi v)) as [hlt|[heq|hgt]].
        * right. split; [now apply Z.ltb_lt | exact hle].
        * left. apply orb_true_iff. right. apply andb_true_iff. split; [now apply Z.eqb_eq | now apply Z.leb_le].
        * left. apply orb_true_iff. left. now apply Z.ltb_lt.
      + destruct (Z_le_gt_dec (pi v) (pi u)); [left; now apply Z.leb_le | right; split; [apply Z.ltb_lt; lia | exact hle]].
    - intros s hs _. etransitivity; [exact (thread_conserving ob v r s hvp (hpend s ltac:(lia)) (hno s ltac:(lia))) | apply running_most; lia].
    - intros ((u & r') & j) b c hin. cbn [fst snd]. rewrite !in_prod_iff in hin. etransitivity; [|apply (thread_length ob u r' b c); tauto]. apply sum_le. intros s _.
      unfold on_server. cbn [fst snd]. destruct (j =? 0), (runs ex u r' s); cbn; lia.
    - (* those below all run as v becomes ready *)
      etransitivity; [|apply (thread_capacity ob (rho v n))]. etransitivity; [|apply (running_least (pool S v) x (rho v n)); [intros u r' hu; now apply (thread_pending ob) | lia]].
      unfold meeting. rewrite sum_filter. apply sum_le. intros ((u & r') & j) hin. cbn [fst snd].
      destruct (existsb _ _) eqn:hex; cbn [ind]; [|pose proof (ind_range (on_server (u, r', j) (rho v n))); lia]. destruct (below S T J phi v n u (num u r')) eqn:hbel; cbn [ind]; [|pose proof (ind_range (on_server (u, r', j) (rho v n))); lia].
      apply existsb_exists in hex. destruct hex as (s & hs & ho). fold n in hs. rewrite in_range in hs. unfold held in ho. cbn [andb] in ho. rewrite !in_prod_iff in hin. destruct hin as ((hu & _) & _).
      destruct (hfacts u r' j s hu ltac:(lia) ho) as (-> & hp & _ & _ & hcase). destruct hcase as [hbef|(hrun & _)].
      + apply (pending_released S h lg) in hp. apply in_on_pool in hu. rewrite (not_below v n u r' r) in hbel; auto; [discriminate | tauto | tauto].
      + unfold on_server. cbn [fst snd]. rewrite hrun. cbn. lia.
    - unfold pieces. rewrite hk. apply Z.eq_le_incl. apply sum_zero. intros ((u & r') & j) hin. cbn [fst snd]. apply in_meeting in hin. destruct hin as (_ & hu & s & hs & _ & ho). fold n in hs.
      destruct (hfacts u r' j s hu hs ho) as (_ & _ & hrun & _).
      destruct (Z.eqb_spec u v) as [->|]; [|reflexivity]. destruct (Z.eqb_spec r' r) as [->|]; [exfalso | reflexivity]. rewrite hno in hrun by lia. discriminate.
    - intros s hs. etransitivity; [|apply (thread_capacity ob s)]. apply running_least; [intros u r' hu; now apply (thread_pending ob) | lia].
    - intros u r' j s1 s2 s3 hu h1 h3 hs. unfold on_server in *. cbn [fst snd] in *. apply andb_prop in h1, h3. destruct h1 as (-> & h1), h3 as (_ & h3). cbn [andb].
      apply (runs_between S h P ex (pool S v) m lg ob u r' s1 s3 s2); auto. now apply (thread_pending ob).
  Qed.
  (** Each worker has one slot. *)
  Lemma slots_held p N : gpu_obeys S h P ex p (workers N) -> (forall u, In u (on_pool S p) -> demand P u 0 = 1) -> 0 <= N -> forall s,
    sum (fun u => sum (fun r' => 1 * sum (fun j => ind (is_on (block ex u r' j s))) (range 0 (blocks P u))) (range 0 (s + 1))) (on_pool S p) <= N.
  Proof.
    intros ob hdemand hN s. rewrite (rate_by_sm S h P ex p (workers N) ob (fun _ => 1) s). transitivity (sum (fun _ => 1) (range 0 N)); [|rewrite sum_range_const; lia].
    apply sum_le. intros sm hsm. rewrite in_range in hsm. pose proof (sm_fits ob sm s 0 hsm ltac:(now left)) as hf. unfold used in hf. cbn [workers capacity] in hf.
    unfold weigh. etransitivity; [|exact hf]. apply Z.eq_le_incl. apply sum_eq. intros u hu. now rewrite hdemand.
  Qed.

  (** Workers: of the items of one job each is a piece. *)
  Lemma workers_claim v r N : In v (nodes S) -> released h (dag S v) r = true -> met_first v r -> kind_of P (pool S v) = Gpu (workers N) ->
    order_of S (pool S v) = Fifo -> (forall u, In u (on_pool S (pool S v)) -> demand P u 0 = 1) ->
    whole_window S P T J phi unit e rho L N 0 v (num v r) -> done h v r (L v (num v r)) = true.
  Proof.
    intros hv hr met hk hord hdemand (x & i & W & hx0 & hx1 & hx2 & hi & hcov & hW). set (n := num v r) in *. destruct (done h v r (L v n)) eqn:missed; [reflexivity | exfalso].
    pose proof (so_pools so (pool S v)) as ob. unfold pool_obeys in ob. rewrite hk in ob. set (p := pool S v) in *. assert (hvp : In v (on_pool S p)) by now apply in_on_pool.
    pose proof (sp_length sp v hv) as hC0. fold C in hC0, hx2.
    assert (hready : ready S h v r (rho v n) = true) by (apply ready_by_rho; auto; fold n; lia).
    assert (hpend : forall s, rho v n <= s <= L v n -> pending S h v r s = true).
    { intros s hs. apply pending_spec. split; [apply (ready_stays S h lg v r (rho v n) s hready); lia|]. destruct (done h v r s) eqn:hd; [|reflexivity].
      rewrite (legal_done lg v r s (L v n) hd) in missed by lia. discriminate. }
    pose proof (pending_released S h lg v r (rho v n) (hpend (rho v n) ltac:(lia))) as (_ & hr0).
    (* one item waits to x *)
    assert (hwait : exists i0, 0 <= i0 < blocks P v /\ block ex v r i0 x = Waiting).
    { destruct (kernel_waits S h P ex v r x) eqn:hw; [apply (waits_spec S h P ex) in hw; tauto | exfalso].
      destruct (kernel_ends ob v r (L v n) hvp (hpend (L v n) ltac:(lia))) as (i0 & hi0 & hne). pose proof (not_waits S h P ex v r x (hpend x ltac:(lia)) hw i0 hi0) as hst.
      pose proof (block_length ob v r i0 x (L v n + 1) hvp hi0) as hl. fold C in hl. rewrite (sum_eq _ (fun _ => 1)) in hl; [rewrite sum_range_const in hl by lia; lia|].
      intros y hy. rewrite in_range in hy. pose proof (started_stays S h P ex p (workers N) ob v r i0 x y hvp hi0 ltac:(lia) hst) as hsy.
      destruct (block ex v r i0 y) eqn:eb; [congruence | reflexivity|]. exfalso. apply hne. apply (ended_stays S h P ex p (workers N) ob v r i0 y (L v n) hvp hi0); [lia | exact eb]. }
    destruct hwait as (i0 & hi0 & hb0).
    assert (hblk : forall s, s <= x -> block ex v r i0 s = Waiting).
    { intros s hs. destruct (block ex v r i0 s) eqn:eb; [reflexivity | exfalso..]; apply (started_stays S h P ex p (workers N) ob v r i0 s x hvp hi0 hs); congruence. }
    assert (hwaits : forall s, rho v n <= s <= x -> kernel_waits S h P ex v r s = true).
    { intros s hs. apply (waits_spec S h P ex). split; [apply hpend; lia|]. exists i0. split; [exact hi0 | apply hblk; lia]. }
    set (on := fun (pc : node * Z * Z) s => (0 <=? snd pc) && (snd pc <? blocks P (fst (fst pc))) && is_on (block ex (fst (fst pc)) (snd (fst pc)) (snd pc) s)).
    assert (hon : forall u r' j s, on (u, r', j) s = true <-> 0 <= j < blocks P u /\ is_on (block ex u r' j s) = true).
    { intros u r' j s. unfold on. cbn [fst snd]. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. tauto. }
    assert (sp_blocks : forall u, In u (on_pool S p) -> 0 < blocks P u).
    { intros u hu. apply in_on_pool in hu. destruct hu as (hu & hup). pose proof (sp_pool sp u hu) as h0. rewrite hup, hk in h0. tauto. }
    set (most := sum (fun u => Z.max 0 (blocks P u)) (on_pool S p)).
    assert (hmost : forall u, In u (on_pool S p) -> blocks P u <= most).
    { intros u hu. pose proof (sum_in (fun u => Z.max 0 (blocks P u)) (on_pool S p) u ltac:(intros; lia) hu) as hs. cbv beta in hs. fold most in hs. lia. }
    assert (hpieces : forall u, In u (on_pool S p) -> pieces S P u = blocks P u) by (intros u hu; apply in_on_pool in hu; unfold pieces; destruct hu as (_ & ->); now rewrite hk).
    assert (hfacts : forall u r' j s, In u (on_pool S p) -> rho v n <= s <= x -> on (u, r', j) s = true -> 0 <= j < blocks P u /\ pending S h u r' s = true /\ 0 < C u /\ before S h (order_of S p) u r' v r).
    { intros u r' j s hu hs ho. apply hon in ho. destruct ho as (hj & hb). destruct (block ex u r' j s) as [|sm|] eqn:eb; try discriminate.
      split; [exact hj|]. split; [now destruct (block_sm ob u r' j s sm hu hj eb)|]. split.
      - pose proof (block_length ob u r' j s (s + 1) hu hj) as hl. rewrite range_one in hl. cbn [sum] in hl. rewrite eb in hl. cbn in hl. unfold C. lia.
      - rewrite hord. cbn [before]. apply (resident_before S h P ex p (workers N) lg ob v r u r' s j hvp hu hj (hwaits s hs) hord). congruence. }
    set (held := fun _ : Z => true). pose proof (too_much_whole v r hv hr x N 0 i W hi held on most) as htoo. fold n in htoo. fold p in htoo.
    enough (N * (x - rho v n + unit) <= i * (x - rho v n + unit) + W) by nia.
    apply htoo; [| | | | | exact hcov | | reflexivity | | exact hx0 | exact hx1].
    - intros u r' j s hu hs _ ho. destruct (hfacts u r' j s hu hs ho) as (hj & hp & hC & hbef). pose proof (proj1 (in_on_pool S _ u) hu) as (hun & hup).
      pose proof (pending_released S h lg u r' s hp) as (hrel & _). rewrite (hpieces u hu). split; [exact hj|]. split; [exact hp|].
      split; [apply (due_later v r met u r' s hun hp hC); fold n; lia|]. intros _. split; [apply hpend; lia|]. left. apply (before_goes_first v n u r' r); auto.
    - intros s hs _. pose proof (rate_lemma S h P ex {| weight := fun _ => 1; one := fun _ => 1 |} p (workers N) hk sp ob (workers_weights S P p N hdemand) v r s hvp (hwaits s hs)) as hrate.
      cbn [workers sms one weight] in hrate. rewrite Z.mul_1_r in hrate. etransitivity; [exact hrate|]. rewrite sum_prod, sum_prod. apply sum_le. intros u hu.
      etransitivity; [|apply (sum_range_incl (fun r' => sum (fun j => ind (on (u, r', j) s)) (range 0 most)) 0 (s + 1) 0 (x + 1)); [intros; apply sum_nonneg; intros; apply ind_range | lia | lia]].
      apply sum_le. intros r' _. rewrite Z.mul_1_l. etransitivity; [|apply (sum_range_incl (fun j => ind (on (u, r', j) s)) 0 (blocks P u) 0 most); [intros; apply ind_range | lia | now apply hmost]].
      apply sum_le. intros j hj. rewrite in_range in hj. destruct (is_on (block ex u r' j s)) eqn:ho; cbn [ind]; [|apply ind_range]. rewrite (proj2 (hon u r' j s) (conj hj ho)). cbn. lia.
    - intros ((u & r') & j) b c hin. cbn [fst snd]. rewrite !in_prod_iff in hin. destruct ((0 <=? j) && (j <? blocks P u)) eqn:hj.
      + apply andb_prop in hj. rewrite Z.leb_le, Z.ltb_lt in hj. etransitivity; [|apply (block_length ob u r' j b c); [tauto | lia]]. apply sum_le. intros s _. destruct (on (u, r', j) s) eqn:ho; cbn [ind]; [|apply ind_range].
        apply hon in ho. destruct ho as (_ & ho). rewrite ho. cbn. lia.
      + rewrite sum_zero; [destruct hin as ((hu & _) & _); apply in_on_pool in hu; now apply (sp_length sp)|]. intros s _. unfold on. cbn [fst snd]. now rewrite hj.
    - apply Z.eq_le_incl. apply sum_zero. intros ((u & r') & j) hin. cbn [fst snd]. unfold below. fold p. now rewrite hord.
    - (* v's items, but for one that waits *)
      rewrite (hpieces v hvp). unfold meeting. rewrite sum_filter.
      transitivity (sum (fun pc => ind ((fst (fst pc) =? v) && (snd (fst pc) =? r)) * ind ((snd pc <? blocks P v) && negb (snd pc =? i0))) (list_prod (list_prod (on_pool S p) (range 0 (x + 1))) (range 0 most))).
      + apply sum_le. intros ((u & r') & j) hin. cbn [fst snd]. destruct (existsb _ _) eqn:hex; cbn [ind]; [|pose proof (ind_range ((u =? v) && (r' =? r))); pose proof (ind_range ((j <? blocks P v) && negb (j =? i0))); nia].
        destruct (Z.eqb_spec u v) as [->|]; cbn [andb ind]; [|lia]. destruct (Z.eqb_spec r' r) as [->|]; cbn [ind]; [|lia].
        apply existsb_exists in hex. destruct hex as (s & hs & ho). unfold held in ho. cbn [andb] in ho. apply hon in ho. rewrite in_range in hs. destruct ho as (hj & ho).
        rewrite (proj2 (Z.ltb_lt j (blocks P v))) by lia. destruct (Z.eqb_spec j i0) as [->|]; cbn; [|lia]. rewrite hblk in ho by lia. discriminate.
      + rewrite sum_prod, sum_prod. cbn [fst snd]. rewrite (sum_unique _ (on_pool S p) v); [| apply NoDup_filter, (wf_nodup wf) | exact hvp|].
        2:{ intros u _ hne. apply sum_zero. intros r' _. apply sum_zero. intros j _. destruct (Z.eqb_spec u v); [contradiction | reflexivity]. }
        rewrite (sum_unique _ (range 0 (x + 1)) r); [| apply range_nodup | apply in_range; lia|].
        2:{ intros r' _ hne. apply sum_zero. intros j _. destruct (Z.eqb_spec r' r); [contradiction|]. rewrite andb_false_r. reflexivity. }
        rewrite !Z.eqb_refl. cbn [andb ind]. rewrite (sum_range_split _ 0 (blocks P v) most) by (specialize (hmost v hvp); lia).
        rewrite (sum_zero _ (range (blocks P v) most)).
        2:{ intros j hj. rewrite in_range in hj. rewrite (proj2 (Z.ltb_ge j (blocks P v))) by lia. reflexivity. }
        rewrite Z.add_0_r. transitivity (sum (fun j => 1 - ind (j =? i0)) (range 0 (blocks P v))).
        * apply sum_le. intros j _. destruct (j <? blocks P v), (j =? i0); cbn; lia.
        * rewrite sum_sub, sum_range_const by lia. rewrite (sum_unique _ _ i0); [rewrite Z.eqb_refl; cbn [ind]; lia | apply range_nodup | now apply in_range|].
          intros j _ hne. destruct (Z.eqb_spec j i0); [contradiction | reflexivity].
    - intros s hs. rewrite sum_prod, sum_prod. etransitivity; [|exact (slots_held p N ob hdemand ltac:(lia) s)]. apply sum_le. intros u hu.
      rewrite (sum_range_split _ 0 (s + 1) (x + 1)) by lia. rewrite (sum_zero _ (range (s + 1) (x + 1))).
      + rewrite Z.add_0_r. apply sum_le. intros r' _. rewrite (sum_range_split _ 0 (blocks P u) most) by (pose proof (sp_blocks u hu); specialize (hmost u hu); lia).
        rewrite (sum_zero _ (range (blocks P u) most)).
        * rewrite Z.add_0_r, Z.mul_1_l. apply sum_le. intros j _. destruct (on (u, r', j) s) eqn:ho; cbn [ind]; [|apply ind_range]. apply hon in ho. destruct ho as (_ & ho). rewrite ho. cbn. lia.
        * intros j hj. rewrite in_range in hj. destruct (on (u, r', j) s) eqn:ho; [|reflexivity]. apply hon in ho. lia.
      + intros r' hr'. rewrite in_range in hr'. apply sum_zero. intros j _. destruct (on (u, r', j) s) eqn:ho; [exfalso | reflexivity]. apply hon in ho. destruct ho as (hj & ho).
        destruct (block ex u r' j s) as [|sm|] eqn:eb; try discriminate. destruct (block_sm ob u r' j s sm hu hj eb) as (_ & hp). apply (pending_released S h lg) in hp. lia.
    - intros u r' j s1 s2 s3 hu h1 h3 hs. apply hon in h1, h3. apply hon. destruct h1 as (hj & h1), h3 as (_ & h3). split; [exact hj|].
      destruct (block ex u r' j s2) as [|sm|] eqn:eb; [exfalso | reflexivity | exfalso].
      + apply (started_stays S h P ex p (workers N) ob u r' j s1 s2 hu hj); [lia | destruct (block ex u r' j s1); (discriminate || easy) | exact eb].
      + rewrite (ended_stays S h P ex p (workers N) ob u r' j s2 s3 hu hj ltac:(lia) eb) in h3. discriminate.
  Qed.

  (** T35. *)
  Theorem T35_safe : forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (L v (number (dag S v) r)) = true.
  Proof.
    set (K := sum (fun u => u) (nodes S) + 1).
    assert (small : forall u, In u (nodes S) -> 0 <= u < K).
    { intros u hu. pose proof (wf_number wf u hu). unfold K. pose proof (sum_in (fun u => u) (nodes S) u (wf_number wf) hu) as hs. cbv beta in hs. lia. }
    set (rank := fun u r => (2 * L u (num u r) + ind (C u =? 0)) * K + u).
    enough (H : forall k v r, In v (nodes S) -> released h (dag S v) r = true -> Z.to_nat (rank v r) = k -> done h v r (L v (num v r)) = true)
      by (intros v r hv hr; eapply H; eauto).
    induction k as [k IH] using lt_wf_ind. intros v r hv hr hk.
    assert (met : met_first v r).
    { intros u r' hu hr' hlt. eapply IH; eauto. pose proof (small u hu). pose proof (small v hv). pose proof (claim_after u r' hu hr'). pose proof (claim_after v r hv hr).
      pose proof (legal_start lg _ _ hr'). pose proof (legal_start lg _ _ hr). pose proof (sp_length sp u hu) as hCu. fold C in hCu.
      assert (0 <= rank u r') by (unfold rank; pose proof (ind_range (C u =? 0)); nia).
      enough (rank u r' < rank v r) by lia. unfold rank. pose proof (ind_range (C u =? 0)). pose proof (ind_range (C v =? 0)).
      destruct hlt as [hlt|(heq & hv0 & hu0)]; [nia|]. rewrite heq, hv0. cbn [Z.eqb ind]. destruct hu0 as [hpos|hless].
      - destruct (Z.eqb_spec (C u) 0); [lia|]. cbn [ind]. nia.
      - destruct (C u =? 0); cbn [ind]; nia. }
    destruct (claims v (num v r) hv) as [hw|(F & hF & hle)].
    - unfold window_holds in hw. destruct (kind_of P (pool S v)) as [m|m|G] eqn:hkind.
      + now apply (processors_claim v r m).
      + now apply (threads_claim v r m).
      + destruct hw as (N & -> & hord & hdemand & hw). now apply (workers_claim v r N).
    - apply (legal_done lg v r (r + F)); [now apply hF|]. pose proof (by_clock hper v r hv hr) as hc. cbv zeta in hc. unfold nominal, num in *. lia.
  Qed.
End T35.
