(** Executors under the wait-set rule: windows, and how many of them a path waits for. docs/theory/executors.md, "Model" and "T19". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality path.Missed path.Waiting path.T10n executors.Early.

(** How often a path comes to pool x. *)
Definition begins_on (S : system) (x : Z) (l : list node) : bool := match l with y :: _ => pool S y =? x | [] => false end.
Arguments begins_on S x !l.

Fixpoint visits (S : system) (x : Z) (l : list node) : Z :=
  match l with [] => 0 | y :: l' => ind ((pool S y =? x) && negb (begins_on S x l')) + visits S x l' end.

(** o_q, W, M and the limit of T19. *)
Definition others_queued (S : system) (F : node -> Z) (q : node) : Z := Z.max 0 (cdiv (F q) (period S (dag S q)) - 1).
Definition window_length (S : system) (a : accounts) (x : Z) : Z := sum (vol a) (on_pool S x).
Definition windows_of (S : system) (F : node -> Z) (x : Z) (l : list node) : Z :=
  visits S x l + sum (fun q => 1 + others_queued S F q) (filter (fun q => pool S q =? x) l).
Definition visit_limit (S : system) (a : accounts) (F : node -> Z) (q : node) : Z :=
  Z.min (F q) (ready_bound S F q + (1 + others_queued S F q) * window_length S a (pool S q)).

Lemma visits_nonneg S x l : 0 <= visits S x l.
Proof. induction l as [|y l IH]; cbn; [lia|]. pose proof (ind_range ((pool S y =? x) && negb (begins_on S x l))). lia. Qed.

(** A part of a path comes there no more often. *)
Lemma visits_part S x f l : part_of f l -> visits S x f <= visits S x l.
Proof.
  set (c := fun l => visits S x l + ind (negb (begins_on S x l))).
  assert (c1 : forall l, 1 <= c l).
  { unfold c. induction l0 as [|y k IH]; cbn; [lia|]. pose proof (visits_nonneg S x k).
    destruct (pool S y =? x), (begins_on S x k); cbn [andb negb ind] in *; lia. }
  intros h. enough (visits S x f <= visits S x l /\ c f <= c l) by tauto. induction h as [l | y f l h (IH1 & IH2) | y f l h (IH1 & IH2)].
  - split; [apply visits_nonneg | exact (c1 l)].
  - unfold c in *. cbn [visits begins_on]. destruct (pool S y =? x), (begins_on S x l), (begins_on S x f); cbn [andb negb ind] in *; lia.
  - unfold c in *. cbn [visits begins_on]. destruct (pool S y =? x), (begins_on S x l), (begins_on S x f); cbn [andb negb ind] in *; lia.
Qed.

(** At most one term counts. *)
Lemma sum_at_most_one {A} (p : A -> bool) (f : A -> Z) (l : list A) B : NoDup l -> 0 <= B -> (forall y, In y l -> p y = true -> f y <= B) ->
  (forall y z, In y l -> In z l -> p y = true -> p z = true -> y = z) -> sum (fun y => ind (p y) * f y) l <= B.
Proof.
  intros nd hB hf hone. induction l as [|y l IH]; cbn [sum]; [exact hB|]. inversion nd; subst. destruct (p y) eqn:hp; cbn [ind].
  - rewrite sum_zero; [specialize (hf y (or_introl eq_refl) hp); lia|]. intros z hz. destruct (p z) eqn:hpz; [|cbn; lia].
    rewrite (hone y z) in H1; [contradiction | now left | now right | exact hp | exact hpz].
  - rewrite Z.mul_0_l, Z.add_0_l. apply IH; auto; intros; [apply hf | apply hone]; auto; now right.
Qed.

(** The rule. [window u r]: the number of the window in which (u, r) runs; [poll k]: when window k begins. One callback runs at a time, to its end,
    and takes some time; a window has been polled when all that ran in the one before has ended; it holds one job of each node that has one then, the
    oldest, in any order. *)
Record wait_set (S : system) (h : history) (available : node -> Z -> Z -> bool) (g : progress) (a : accounts) (window : node -> Z -> option Z) (poll : Z -> Z)
    (x : Z) : Prop := {
  ws_order : order_of S x = FixedAny (fun _ => 0);
  ws_cap : cap a x = 1;
  ws_rate : forall u r t, In u (on_pool S x) -> waits g u r t = true -> 1 <= rate S g x t;   (* while one waits, one runs *)
  ws_length : forall u, In u (on_pool S x) -> 0 < exec a u /\ last a u = exec a u /\ vol a u = exec a u;
  ws_one : forall u r u' r' t, In u (on_pool S x) -> In u' (on_pool S x) -> 0 < work g u r t -> 0 < work g u' r' t -> u = u' /\ r = r';
  ws_runs_on : forall u r t, In u (on_pool S x) -> available u r t = true -> done h u r t = false -> waits g u r t = false -> 0 < work g u r t;
  ws_starts_once : forall u r t t', In u (on_pool S x) -> waits g u r t' = true -> available u r t = true -> t <= t' -> waits g u r t = true;
  ws_runs : forall u r t, In u (on_pool S x) -> 0 < work g u r t -> exists k, window u r = Some k /\ poll k <= t;
  ws_worked : forall u r t, In u (on_pool S x) -> done h u r t = true -> exists s, s < t /\ 0 < work g u r s;
  ws_unit : forall u r t, In u (on_pool S x) -> work g u r t <= 1;
  ws_next : forall u r u' r' j k, In u (on_pool S x) -> In u' (on_pool S x) -> window u r = Some j -> window u' r' = Some k -> j < k -> done h u r (poll k) = true;
  ws_polled : forall u r k, In u (on_pool S x) -> window u r = Some k -> available u r (poll k) = true;
  ws_once : forall u r r' k, In u (on_pool S x) -> window u r = Some k -> window u r' = Some k -> r = r';
  ws_oldest : forall u r k u' r', In u (on_pool S x) -> In u' (on_pool S x) -> window u' r' = Some k -> available u r (poll k) = true ->
    (forall j, window u r = Some j -> k <= j) ->
    exists r'', window u r'' = Some k /\ forall t, available u r t = true -> available u r'' t = true;
}.

Arguments ws_order {S h available g a window poll x}.
Arguments ws_cap {S h available g a window poll x}.
Arguments ws_rate {S h available g a window poll x}.
Arguments ws_length {S h available g a window poll x}.
Arguments ws_one {S h available g a window poll x}.
Arguments ws_runs_on {S h available g a window poll x}.
Arguments ws_starts_once {S h available g a window poll x}.
Arguments ws_runs {S h available g a window poll x}.
Arguments ws_worked {S h available g a window poll x}.
Arguments ws_unit {S h available g a window poll x}.
Arguments ws_next {S h available g a window poll x}.
Arguments ws_polled {S h available g a window poll x}.
Arguments ws_once {S h available g a window poll x}.
Arguments ws_oldest {S h available g a window poll x}.

Lemma ws_ended {S h available g a window poll x} (ws : wait_set S h available g a window poll x) u r t :
  In u (on_pool S x) -> done h u r t = true -> exists k, window u r = Some k /\ poll k < t.
Proof.
  intros hu hd. destruct (ws_worked ws u r t hu hd) as (s & hs & hw). destruct (ws_runs ws u r s hu hw) as (k & hk & hle). exists k. split; [exact hk | lia].
Qed.

Section WaitSet.
  Context (S : system) (h : history) (available : node -> Z -> Z -> bool) (g : progress) (a : accounts).
  Context (wf : well_formed S) (E : early_legal S h available g) (laws : early_laws S h available g a).
  Context (window : node -> Z -> option Z) (poll : Z -> Z) (x : Z) (ws : wait_set S h available g a window poll x).
  Context (F : node -> Z) (F0 : forall u, In u (nodes S) -> 0 <= F u).
  Context (v : node) (r : Z) (hv : In v (nodes S)).
  Let H := by_ends S h.
  Let g' := progress_by_ends S h g.
  Context (met : met_before S H F v r).
  Let t := r + F v.

  (** Something runs while a callback waits. *)
  Lemma someone_runs y j s : In y (on_pool S x) -> waits g y j s = true -> exists u r' k, In u (on_pool S x) /\ 0 <= r' <= s /\ 0 < work g u r' s /\ window u r' = Some k /\ poll k <= s.
  Proof.
    intros hy hw. apply in_on_pool in hy. destruct hy as (hyn & hyp). pose proof (ws_rate ws y j s (proj2 (in_on_pool S x y) (conj hyn hyp)) hw) as hrate.
    assert (hpos : 0 < rate S g x s) by lia. apply sum_pos_in in hpos. destruct hpos as (u & hu & hpos). apply sum_pos_in in hpos.
    destruct hpos as (r' & hr' & hwk). rewrite in_range in hr'. destruct (ws_runs ws u r' s hu hwk) as (k & hk & hle).
    exists u, r', k. repeat split; auto; lia.
  Qed.

  (** When y is ready first. *)
  Lemma first_available y s : In y (on_pool S x) -> waits g y r s = true ->
    exists rho, r <= rho <= s /\ available y r rho = true /\ waits g y r rho = true /\ forall z, available y r z = true -> rho <= z.
  Proof.
    intros hy hw. pose proof (proj1 (in_on_pool S x y) hy) as (hyn & _). destruct (el_waits laws y r s hyn hw) as (hav & _).
    destruct (early_released E y r s hyn hav) as (_ & hrs). destruct (first_such (available y r) r s hav hrs) as (rho & hrho & h1 & h2).
    exists rho. split; [exact hrho|]. split; [exact h1|]. split; [exact (ws_starts_once ws y r rho s hy hw h1 ltac:(lia))|].
    intros z hz. destruct (early_released E y r z hyn hz) as (_ & hrz). destruct (Z_le_gt_dec rho z) as [|hgt]; [auto|]. rewrite (h2 z) in hz by lia. discriminate.
  Qed.

  (** A job of y that runs in a window which begins at rho < t or later was released after rho - F_y. *)
  Lemma recent y j k rho : In y (on_pool S x) -> window y j = Some k -> rho <= poll k -> rho < t -> rho - F y < j.
  Proof.
    intros hy hk hle hlt. destruct (Z_lt_le_dec (rho - F y) j) as [|hold]; [auto|]. exfalso. pose proof (proj1 (in_on_pool S x y) hy) as (hyn & _).
    destruct (early_released E y j (poll k) hyn (ws_polled ws y j k hy hk)) as (hrel & _).
    assert (hearly : earlier S F y j v r) by (left; unfold t in *; lia).
    pose proof (met y j hyn hrel hearly) as hd. apply (ended_done S h wf) in hd. destruct (ws_ended ws y j (j + F y) hy hd) as (k' & hk' & hlt'). rewrite hk in hk'. injection hk' as <-. lia.
  Qed.

  (** Jobs of y released in (rho - F_y, rho]. *)
  Definition recent_jobs (y : node) (rho : Z) : list Z := filter (released h (dag S y)) (range (rho - F y + 1) (rho + 1)).

  Lemma recent_jobs_spec y rho j : In j (recent_jobs y rho) <-> released h (dag S y) j = true /\ rho - F y < j <= rho.
  Proof. unfold recent_jobs. rewrite filter_In, in_range. split; intros (h1 & h2); split; auto; lia. Qed.

  Lemma recent_jobs_length y rho : In y (nodes S) -> Z.of_nat (length (recent_jobs y rho)) <= 1 + others_queued S F y.
  Proof.
    intros hy. unfold recent_jobs. rewrite <- sum_length. pose proof (counting (released h (dag S y)) _ (wf_period wf y hy) (early_sporadic E y hy) (rho - F y) rho) as hc.
    unfold releases in hc. replace (rho - (rho - F y)) with (F y) in hc by ring. unfold others_queued. lia.
  Qed.

  (** Of what runs while y waits, all but what is in the first window is in one in which a recent job of y runs. *)
  Lemma seen_window y s rho u0 r0 k0 u r' k : In y (on_pool S x) -> waits g y r s = true -> s <= t -> rho <= s ->
    available y r rho = true -> (forall z, available y r z = true -> rho <= z) ->
    In u0 (on_pool S x) -> 0 < work g u0 r0 rho -> window u0 r0 = Some k0 ->
    In u (on_pool S x) -> 0 < work g u r' s -> window u r' = Some k ->
    k = k0 \/ (rho < poll k /\ exists j, window y j = Some k /\ In j (recent_jobs y rho)).
  Proof.
    intros hy hw hst hrs hav hfirst hu0 hwk0 hk0 hu hwk hk. pose proof (proj1 (in_on_pool S x y) hy) as (hyn & _).
    pose proof (proj1 (in_on_pool S x u) hu) as (hun & _). pose proof (proj1 (in_on_pool S x u0) hu0) as (hu0n & _).
    destruct (ws_runs ws u r' s hu hwk) as (k' & e & hks). rewrite hk in e. injection e as <-.
    destruct (ws_runs ws u0 r0 rho hu0 hwk0) as (k' & e & hk0s). rewrite hk0 in e. injection e as <-.
    destruct (el_pending laws u r' s hun hwk) as (_ & hnd). destruct (el_pending laws u0 r0 rho hu0n hwk0) as (_ & hnd0).
    destruct (el_waits laws y r s hyn hw) as (_ & hndy).
    destruct (Z.lt_trichotomy k k0) as [hlt|[heq|hlt]]; [exfalso | now left | right].
    - pose proof (ws_next ws u r' u0 r0 k k0 hu hu0 hk hk0 hlt) as hd. rewrite (early_done E u r' (poll k0) s hd) in hnd by lia. discriminate.
    - pose proof (ws_next ws u0 r0 u r' k0 k hu0 hu hk0 hk hlt) as hd.
      assert (hp : rho < poll k).
      { destruct (Z_lt_le_dec rho (poll k)) as [|hle]; [auto|]. rewrite (early_done E u0 r0 (poll k) rho hd hle) in hnd0. discriminate. }
      split; [exact hp|].
      destruct (ws_oldest ws y r k u r' hy hu hk) as (j & hj & hold).
      + exact (early_stays E y r rho (poll k) hyn hav ltac:(lia)).
      + intros j hj. destruct (Z_le_gt_dec k j) as [|hgt]; [auto|]. exfalso. pose proof (ws_next ws y r u r' j k hy hu hj hk ltac:(lia)) as hd'.
        rewrite (early_done E y r (poll k) s hd' hks) in hndy. discriminate.
      + exists j. split; [exact hj|]. specialize (hold rho hav). destruct (early_released E y j rho hyn hold) as (hrel & hle).
        apply recent_jobs_spec. split; [exact hrel|]. split; [|exact hle]. apply (recent y j k rho); auto; lia.
  Qed.

  (** Where what ended last before y was on x, too, the first window is the one in which that ran, or one with a recent job of y. *)
  Lemma same_visit y p rho u0 r0 k0 e : In y (on_pool S x) -> In p (on_pool S x) -> ancestor S p y -> done h p r e = false -> available y r (e + 1) = true ->
    available y r rho = true -> waits g y r rho = true -> (forall z, available y r z = true -> rho <= z) -> rho < t ->
    In u0 (on_pool S x) -> 0 < work g u0 r0 rho -> window u0 r0 = Some k0 ->
    window p r = Some k0 \/ exists j, window y j = Some k0 /\ In j (recent_jobs y rho).
  Proof.
    intros hy hp ha hpe hready hav hw hfirst hlt hu0 hwk0 hk0. pose proof (proj1 (in_on_pool S x y) hy) as (hyn & _).
    pose proof (proj1 (in_on_pool S x p) hp) as (hpn & _). pose proof (proj1 (in_on_pool S x u0) hu0) as (hu0n & _).
    destruct (ws_runs ws u0 r0 rho hu0 hwk0) as (k' & e' & hk0s). rewrite hk0 in e'. injection e' as <-.
    destruct (el_pending laws u0 r0 rho hu0n hwk0) as (_ & hnd0). destruct (el_waits laws y r rho hyn hw) as (_ & hndy).
    pose proof (hfirst (e + 1) hready) as hrho.
    destruct (begun_before S h available g wf E p y r rho hyn ha hav) as (hpav & hpno).
    destruct (done h p r rho) eqn:hpd.
    - assert (rho = e + 1) as ->.
      { destruct (Z.eq_dec rho (e + 1)) as [|hne]; [auto|]. rewrite (early_done E p r rho e hpd) in hpe by lia. discriminate. }
      destruct (ws_ended ws p r (e + 1) hp hpd) as (kp & hkp & hlt').
      destruct (Z.lt_trichotomy kp k0) as [hl|[->|hl]]; [right | now left | exfalso].
      + pose proof (ws_next ws p r u0 r0 kp k0 hp hu0 hkp hk0 hl) as hd.
        assert (hpoll : poll k0 = e + 1).
        { destruct (Z_le_gt_dec (poll k0) e) as [hle|]; [|lia]. rewrite (early_done E p r (poll k0) e hd hle) in hpe. discriminate. }
        destruct (ws_oldest ws y r k0 u0 r0 hy hu0 hk0) as (j & hj & hold).
        * rewrite hpoll. exact hav.
        * intros j hj. destruct (Z_le_gt_dec k0 j) as [|hgt]; [auto|]. exfalso. pose proof (ws_next ws y r u0 r0 j k0 hy hu0 hj hk0 ltac:(lia)) as hd'.
          rewrite hpoll, hndy in hd'. discriminate.
        * exists j. split; [exact hj|]. specialize (hold (e + 1) hav). destruct (early_released E y j (e + 1) hyn hold) as (hrel & hle).
          apply recent_jobs_spec. split; [exact hrel|]. split; [|exact hle]. apply (recent y j k0 (e + 1)); auto; lia.
      + pose proof (ws_next ws u0 r0 p r k0 kp hu0 hp hk0 hkp hl) as hd. rewrite (early_done E u0 r0 (poll kp) (e + 1) hd) in hnd0 by lia. discriminate.
    - pose proof (ws_runs_on ws p r rho hp hpav hpd (hpno rho ltac:(lia))) as hwkp.
      destruct (ws_one ws u0 r0 p r rho hu0 hp hwk0 hwkp) as (-> & ->). now left.
  Qed.

  (** One of these ended last before the next was ready. *)
  Fixpoint linked (f : list node) : Prop :=
    match f with
    | y :: (p :: _) as f' => (ancestor S p y /\ exists e, done h p r e = false /\ available y r (e + 1) = true) /\ linked f'
    | _ => True
    end.

  Lemma linked_by_ends f : (forall y, In y f -> In y (nodes S)) -> ended_last S H r f -> linked f.
  Proof.
    induction f as [|y f IH]; intros hf hl; [exact I|]. destruct f as [|p f]; [exact I|]. destruct hl as ((ha & e & _ & hp & hre) & hl).
    split; [|apply IH; [intros z hz; apply hf; now right | exact hl]]. split; [exact ha|]. exists e.
    split; [apply (pending_by_ends S h available g wf E p r e); [apply hf; right; now left | exact hp]|].
    pose proof (hf y (or_introl eq_refl)) as hyn. exact (early_ready E y r (e + 1) hyn (ready_by_ends S h wf y r (e + 1) hyn hre)).
  Qed.

  (** The windows of such nodes, of which [wt] says when they wait: those in which its nodes run, and all in which something runs while one of them waits. *)
  Definition windows_seen (wt : node -> Z -> bool) (b : Z) (f : list node) (K : list (option Z)) : Prop :=
    (forall y, In y f -> pool S y = x -> In (window y r) K) /\
    (forall y s u r', In y f -> pool S y = x -> r <= s < b -> wt y s = true -> In u (on_pool S x) -> 0 < work g u r' s -> In (window u r') K).

  Lemma windows_enough wt b f : (forall y s, wt y s = true -> waits g y r s = true) -> b <= t + 1 -> released h (dag S v) r = true -> (forall y, In y f -> In y (nodes S) /\ dag S y = dag S v) -> linked f ->
    (forall y s, In y f -> pool S y = x -> r <= s < b -> wt y s = true -> s < t) ->
    exists K, windows_seen wt b f K /\ Z.of_nat (length K) <= windows_of S F x f.
  Proof.
    intros hwt0 hb0 hrel. induction f as [|y f IH]; intros hf hlast hwt.
    - exists []. split; [split; easy | cbn; lia].
    - destruct IH as (K & (hK1 & hK2) & hlen).
      { intros z hz. apply hf. now right. }
      { cbn [linked] in hlast. destruct f; [exact I | tauto]. }
      { intros z s hz. apply hwt. now right. }
      destruct (hf y (or_introl eq_refl)) as (hyn & hyd). unfold windows_of in *. cbn [visits filter].
      destruct (Z.eqb_spec (pool S y) x) as [hp|hp].
      2: { exists K. cbn [andb ind]. split; [split | lia].
        - intros z [<-|hz] hpz; [contradiction | now apply hK1].
        - intros z s u r' [<-|hz] hpz; [contradiction | now apply hK2]. }
      assert (hy : In y (on_pool S x)) by (apply in_on_pool; auto). cbn [andb sum].
      assert (ho : 0 <= others_queued S F y) by (unfold others_queued; lia).
      destruct (existsb (fun s => wt y s) (range r b)) eqn:hex.
      + apply existsb_exists in hex. destruct hex as (s1 & hs1 & hw1). rewrite in_range in hs1.
        pose proof (hwt y s1 (or_introl eq_refl) hp ltac:(lia) hw1) as hs1t. apply hwt0 in hw1.
        destruct (first_available y s1 hy hw1) as (rho & hrho & hav & hwrho & hfirst).
        destruct (someone_runs y r rho hy hwrho) as (u0 & r0 & k0 & hu0 & _ & hwk0 & hk0 & _).
        destruct (el_waits laws y r rho hyn hwrho) as (_ & hndy).
        assert (hself : In r (recent_jobs y rho)).
        { apply recent_jobs_spec. rewrite hyd. split; [exact hrel|]. split; [|lia]. destruct (Z_lt_le_dec (rho - F y) r) as [|hle]; [auto|]. exfalso.
          assert (hearly : earlier S F y r v r) by (left; unfold t in *; lia).
          pose proof (met y r hyn ltac:(rewrite hyd; exact hrel) hearly) as hd. apply (ended_done S h wf) in hd.
          rewrite (early_done E y r (r + F y) rho hd) in hndy by lia. discriminate. }
        set (Ky := map (window y) (recent_jobs y rho)).
        assert (hKy : Z.of_nat (length Ky) <= 1 + others_queued S F y) by (unfold Ky; rewrite map_length; now apply recent_jobs_length).
        assert (hseen : forall s u r', r <= s < b -> wt y s = true -> In u (on_pool S x) -> 0 < work g u r' s -> window u r' = Some k0 \/ In (window u r') Ky).
        { intros s u r' hs hw hu hwk. apply hwt0 in hw.
          destruct (ws_runs ws u r' s hu hwk) as (k & hk & _). rewrite hk.
          assert (hrs : rho <= s) by (apply hfirst; now apply (el_waits laws y r s hyn)).
          destruct (seen_window y s rho u0 r0 k0 u r' k hy hw ltac:(unfold t in *; lia) hrs hav hfirst hu0 hwk0 hk0 hu hwk hk) as [->|(_ & j & hj & hin)]; [now left | right].
          rewrite <- hj. now apply in_map. }
        destruct (begins_on S x f) eqn:hb.
        * exists (Ky ++ K). cbn [negb ind]. split; [split | rewrite app_length; lia].
          -- intros z [<-|hz] hpz; apply in_app_iff; [left; now apply in_map | right; now apply hK1].
          -- intros z s u r' [<-|hz] hpz hs hw hu hwk; apply in_app_iff; [|right; now apply (hK2 z s u r')].
             destruct (hseen s u r' hs hw hu hwk) as [e|]; [|now left]. rewrite e. destruct f as [|p f']; [discriminate|]. cbn [begins_on] in hb. apply Z.eqb_eq in hb.
             cbn [linked] in hlast. destruct hlast as ((hanc & e0 & hpe & hre) & _).
             destruct (same_visit y p rho u0 r0 k0 e0 hy (proj2 (in_on_pool S x p) (conj (proj1 (hf p (or_intror (or_introl eq_refl)))) hb)) hanc hpe hre hav hwrho hfirst
               ltac:(lia) hu0 hwk0 hk0) as [hpk|(j & hj & hin)].
             ++ right. rewrite <- hpk. apply hK1; [now left | exact hb].
             ++ left. rewrite <- hj. now apply in_map.
        * exists (Some k0 :: Ky ++ K). cbn [negb ind length]. split; [split | rewrite app_length; lia].
          -- intros z [<-|hz] hpz; right; apply in_app_iff; [left; now apply in_map | right; now apply hK1].
          -- intros z s u r' [<-|hz] hpz hs hw hu hwk; [|right; apply in_app_iff; right; now apply (hK2 z s u r')].
             destruct (hseen s u r' hs hw hu hwk) as [->|]; [now left | right; apply in_app_iff; now left].
      + exists (window y r :: K). pose proof (ind_range (negb (begins_on S x f))). cbn [length]. split; [split | lia].
        * intros z [<-|hz] hpz; [now left | right; now apply hK1].
        * intros z s u r' [<-|hz] hpz hs hw hu hwk; [|right; now apply (hK2 z s u r')]. exfalso.
          enough (existsb (fun s => wt y s) (range r b) = true) by congruence. apply existsb_exists. exists s. rewrite in_range. split; [lia | exact hw].
  Qed.
End WaitSet.
