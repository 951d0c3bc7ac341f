(** The sums of T10w as they are printed: what one job does in the window, f_d(x), and the most of it over all release patterns;
  and T10d's I_d.
    docs/theory/path.md, "T10w" and "T10d". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Waiting path.T10n path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T10w.

(** A node of a job that is x older than the path's does no more than C, than the path waits,
  and than fits between its release and its end. *)
Definition piece (F : node -> Z) (lim : node -> option Z) (C : node -> Z) (k y L : Z) (u : node) (x : Z) : Z :=
  if (x <? k * F u) && match lim u with None => false | Some z => - x <=? k * z end
  then Z.min (Z.min (k * C u) y) (overlap (k * F u) (k * L) x) else 0.

(** A job of DAG d: chain by chain, and on m processors. FC and FD are no less than the ends of a chain's and of all nodes. *)
Definition job_in_window (F : node -> Z) (lim : node -> option Z) (C : node -> Z) (m : Z) (cs : list (list node)) (FC : list node
  -> Z) (FD k y L x : Z) : Z :=
  Z.min (m * overlap (k * FD) (k * L) x)
    (sum (fun c => Z.min (Z.min y (overlap (k * FC c) (k * L) x)) (sum (fun u => piece F lim C k y L u x) c)) cs).

Lemma sum_over_jobs (js : list Z) (f : Z -> Z) (g : Z -> Z) (age : Z -> Z) :
  (forall j, In j js -> f j <= g (age j)) -> sum f js <= sum g (map age js).
Proof. intros hle. rewrite sum_map. now apply sum_le. Qed.

Lemma pattern_map T (f : Z -> Z) js : 0 < T -> NoDup js -> (forall i j, In i js -> In j js -> i <> j -> f i + T <= f j \/ f j + T <= f i) ->
  pattern T (map f js).
Proof.
  intros hT nd hap. split.
  - assert (hne : forall i j, In i js -> In j js -> f i = f j -> i = j).
    { intros i j hi hj e. destruct (Z.eq_dec i j) as [|n]; [auto|]. destruct (hap i j hi hj n); lia. }
    revert nd hne. clear. induction js as [|i js IH]; intros nd hne; cbn; [constructor|]. inversion nd; subst.
    constructor; [|apply IH; auto; intros; apply hne; auto; now right].
    intros hin. apply in_map_iff in hin. destruct hin as (j & e & hj). assert (j = i) by (apply hne; cbn; auto). now subst j.
  - intros x z hx hz hxz. apply in_map_iff in hx, hz. destruct hx as (i & <- & hi), hz as (j & <- & hj). apply hap; auto. congruence.
Qed.

(** T10d: each DAG as a whole. The oldest and the youngest of n + 1 jobs are n T or more apart. *)
Lemma spread T xs : 0 < T -> pattern T xs -> xs <> [] ->
  exists x z, In x xs /\ In z xs /\ (forall i, In i xs -> z <= i <= x) /\ (Z.of_nat (length xs) - 1) * T <= x - z.
Proof.
  intros hT hpat hne.
  assert (hends : exists x z, In x xs /\ In z xs /\ forall i, In i xs -> z <= i <= x).
  { clear hpat. induction xs as [|i xs IH]; [easy|]. destruct xs as [|i' xs].
    - exists i, i. repeat split; cbn in *; auto; destruct H as [->|[]]; lia.
    - destruct IH as (x & z & hx & hz & hall); [easy|]. exists (Z.max x i), (Z.min z i). split; [|split].
      + destruct (Z.max_spec x i) as [(_ & ->)|(_ & ->)]; [now left | now right].
      + destruct (Z.min_spec z i) as [(_ & ->)|(_ & ->)]; [now right | now left].
      + intros j [<-|hj]; [lia|]. specialize (hall j hj). lia. }
  destruct hends as (x & z & hx & hz & hall). exists x, z. split; [exact hx|]. split; [exact hz|]. split; [exact hall|].
  set (n := (x - z) / T + 1). pose proof (hall x hx) as hzx. assert (hn : 0 <= n) by (unfold n; pose proof (Z.div_pos (x - z) T); lia).
  pose proof (Z.mul_succ_div_gt (x - z) T hT) as hup. pose proof (Z.mul_div_le (x - z) T hT) as hlo.
  set (f := fun i => if i <? z + n * T then 1 else 0).
  assert (hlen : Z.of_nat (length xs) <= n).
  { transitivity (sum f xs).
    - rewrite (sum_eq f (fun _ => 1)); [rewrite sum_const; lia|]. intros i hi. specialize (hall i hi). unfold f.
      rewrite (proj2 (Z.ltb_lt i (z + n * T))); [reflexivity|]. unfold n. nia.
    - etransitivity; [apply (pattern_sum T z n xs f hT hn hpat)|].
      + intros i hi _. now apply hall.
      + intros i j hij. unfold f. destruct (Z.ltb_spec i (z + n * T)), (Z.ltb_spec j (z + n * T)); lia.
      + intros i hi. unfold f. now rewrite (proj2 (Z.ltb_ge i (z + n * T))) by lia.
      + etransitivity; [apply (sum_le _ (fun _ => 1))|].
        * intros i _. unfold f. destruct (z + i * T <? z + n * T); lia.
        * rewrite sum_range_const by lia. lia. }
  unfold n in hlen. nia.
Qed.

(** Of n + 1 jobs those between the oldest and the youngest do no more than hL each. *)
Theorem window_sum_ends (D : Z -> Z) (ok : Z -> Prop) xs (f : Z -> Z) hL I :
  NoDup xs -> (xs <> [] -> exists x z, In x xs /\ In z xs /\ (forall i, In i xs -> z <= i <= x) /\ D (Z.of_nat (length xs) - 1) <= x - z) ->
  (forall x, In x xs -> ok x) -> (forall x, ok x -> f x <= hL) -> 0 <= I -> (forall x, ok x -> f x <= I) ->
  (forall n x z, 1 <= n -> ok x -> ok z -> D n <= x - z -> (n - 1) * hL + f x + f z <= I) -> sum f xs <= I.
Proof.
  intros nd hends hok hle hI0 hone hmore. destruct xs as [|x0 xs0] eqn:exs; [exact hI0|]. rewrite <- exs in *.
  destruct (hends ltac:(rewrite exs; discriminate)) as (x & z & hx & hz & hall & hspread).
  destruct (Z.eq_dec x z) as [->|hxz].
  - assert (hsing : sum f xs = f z).
    { apply (sum_unique f xs z nd hz). intros i hi hne. specialize (hall i hi). lia. }
    rewrite hsing. now apply hone, hok.
  - set (n := Z.of_nat (length xs) - 1).
    assert (hsum : sum f xs <= (n - 1) * hL + f x + f z).
    { rewrite (sum_split_one (fun i => i =? x)). rewrite (sum_unique (fun i => ind (i =? x) * f i) xs x nd hx)
        by (intros i _ hne; rewrite (proj2 (Z.eqb_neq i x) hne); cbn [ind]; lia).
      rewrite (sum_split_one (fun i => i =? z) (fun i => ind (negb (i =? x)) * f i)).
      rewrite (sum_unique (fun i => ind (i =? z) * (ind (negb (i =? x)) * f i)) xs z nd hz)
        by (intros i _ hne; rewrite (proj2 (Z.eqb_neq i z) hne); cbn [ind]; lia).
      rewrite !Z.eqb_refl, (proj2 (Z.eqb_neq z x)) by congruence. cbn [ind negb].
      assert (hrest : sum (fun i => ind (negb (i =? z)) * (ind (negb (i =? x)) * f i)) xs <= (n - 1) * hL).
      { transitivity (sum (fun i => ind (negb (i =? z)) * (ind (negb (i =? x)) * hL)) xs).
        - apply sum_le. intros i hi. specialize (hle i (hok i hi)). destruct (i =? z), (i =? x); cbn [negb ind]; lia.
        - apply Z.eq_le_incl.
          pose proof (sum_split_one (fun i => i =? x) (fun _ => hL) xs) as h1. cbv beta in h1.
          rewrite (sum_unique (fun i => ind (i =? x) * hL) xs x nd hx) in h1 by (intros i _ hne; rewrite (proj2 (Z.eqb_neq i x) hne);
            cbn [ind]; lia).
          pose proof (sum_split_one (fun i => i =? z) (fun i => ind (negb (i =? x)) * hL) xs) as h2. cbv beta in h2.
          rewrite (sum_unique (fun i => ind (i =? z) * (ind (negb (i =? x)) * hL)) xs z nd hz) in h2
            by (intros i _ hne; rewrite (proj2 (Z.eqb_neq i z) hne); cbn [ind]; lia).
          rewrite !Z.eqb_refl, ?(proj2 (Z.eqb_neq z x)) in * by congruence. cbn [ind negb] in *. rewrite sum_const in h1. unfold n. lia. }
      lia. }
    etransitivity; [exact hsum|]. apply hmore; auto.
    unfold n. destruct xs as [|i1 [|i2 r2]]; [easy | | cbn [length]; lia]. exfalso. destruct hx as [<-|[]], hz as [<-|[]]. congruence.
Qed.

(** I_d: a job does no more than h of the time for which it is there. One job is there for no more than lim + F; of n + 1 jobs, the oldest and the
    youngest D n or more apart, these two are there for L + F - D n together, the oldest for lim + F - D n, those between for L. *)
Theorem window_sum_spread (D : Z -> Z) F L lim xs (f h : Z -> Z) I :
  0 <= L -> NoDup xs -> (xs <> [] -> exists x z, In x xs /\ In z xs /\ (forall i, In i xs -> z <= i <= x) /\ D (Z.of_nat (length xs) - 1) <= x - z) ->
  (forall x, In x xs -> - lim <= x < F /\ - L <= x) -> (forall x, In x xs -> f x <= h (overlap F L x)) ->
  (forall t t', 0 <= t <= t' -> 0 <= h t <= h t') -> 0 <= I -> (0 < lim + F -> h (Z.max 0 (Z.min (Z.min L F) (lim + F))) <= I) ->
  (forall n t t', 1 <= n -> D n < Z.min lim L + F -> 0 <= t <= lim + F - D n -> 0 <= t' -> t + t' <= L + F - D n -> (n - 1) * h L + h t + h t' <= I) ->
  sum f xs <= I.
Proof.
  intros hL nd hends hwin hf hmono hI0 hone hmore.
  assert (hov : forall i, 0 <= overlap F L i <= L) by (intros i; unfold overlap; lia).
  set (ok := fun x => (- lim <= x < F /\ - L <= x) /\ f x <= h (overlap F L x)).
  apply (window_sum_ends D ok xs f (h L) I nd hends); unfold ok.
  - intros x hx. split; [now apply hwin | now apply hf].
  - intros x (_ & hx). etransitivity; [exact hx | apply hmono, hov].
  - exact hI0.
  - intros x (hx & hfx). etransitivity; [exact hfx|]. etransitivity; [|apply hone; lia]. apply hmono. unfold overlap. lia.
  - intros n x z hn (hx & hfx) (hz & hfz) hD. etransitivity; [|apply (hmore n (overlap F L x) (overlap F L z) hn)]; [lia | unfold overlap; lia..].
Qed.

(** Jobs are T apart: D n = n T. *)
Theorem window_sum T F L lim xs (f h : Z -> Z) I :
  0 < T -> 0 <= L -> pattern T xs -> (forall x, In x xs -> - lim <= x < F /\ - L <= x) -> (forall x, In x xs -> f x <= h (overlap F L x)) ->
  (forall t t', 0 <= t <= t' -> 0 <= h t <= h t') -> 0 <= I -> (0 < lim + F -> h (Z.max 0 (Z.min (Z.min L F) (lim + F))) <= I) ->
  (forall n t t', 1 <= n -> 0 <= t <= lim + F - n * T -> 0 <= t' -> t + t' <= L + F - n * T -> (n - 1) * h L + h t + h t' <= I) ->
  sum f xs <= I.
Proof.
  intros hT hL hpat hwin hf hmono hI0 hone hmore. apply (window_sum_spread (fun n => n * T) F L lim xs f h I); auto.
  - apply hpat.
  - intros hne. now apply (spread T).
Qed.

Lemma here_on_pool S p d u : In u (dag_here S d p) -> In u (on_pool S p) /\ dag S u = d.
Proof. intros hu. apply in_dag_here in hu. split; [apply in_on_pool; tauto | tauto]. Qed.

Section Whole.
  Context (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node -> option Z) (v : node) (L p k : Z) (k_pos : 0 < k).
  Context (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W : node -> Z -> Z) (hdone : done_meanwhile S a full F lim v L p k jobs age j0 W).
  Context (hfull : full p = true).

  (** T10d's h: nodes U of a DAG on the pool, of volume V, do no more in a time of t than V, than m t,
    and than j t + V - K for j disjoint chains
      among them of volume K. *)
  Theorem whole_job d j U FU (js : list (list node)) : In d (dag S v :: other_dags S v) -> In j (jobs d) -> NoDup U ->
    (forall u, In u U -> In u (dag_here S d p) /\ F u <= FU) -> NoDup (concat js) -> incl (concat js) U -> (forall c, In c js
      -> chain S c) ->
    let t := overlap (k * FU) (k * L) (age j) in
    sum (fun u => W u j) U <= Z.min (Z.min (k * sum (vol a) U) (cap a p * t)) (Z.of_nat (length js) * t + k * (sum (vol a) U - sum (vol a) (concat js))).
  Proof.
    intros hd hj ndU hU ndc hincl hchains t.
    assert (hvol : forall u, In u U -> 0 <= W u j <= k * vol a u).
    { intros u hu. destruct (hU u hu) as (hud & _). destruct (here_on_pool S p d u hud) as (hup & hdu). apply (dm_volume hdone u j hup).
      now rewrite hdu. }
    apply Z.min_glb; [apply Z.min_glb|].
    - rewrite <- sum_scale. apply sum_le. intros u hu. now apply hvol.
    - apply (dm_whole hdone hfull U d j FU hd ndU hU hj).
    - set (inc := fun u => if in_dec Z.eq_dec u (concat js) then true else false).
      assert (hinc : forall u, inc u = true <-> In u (concat js)) by (intros u; unfold inc; destruct (in_dec Z.eq_dec u (concat js));
        split; auto; discriminate).
      rewrite (sum_split_one inc).
      assert (h1 : sum (fun u => ind (inc u) * W u j) U <= sum (fun u => W u j) (concat js)).
      { rewrite <- sum_filter. apply sum_incl; [now apply NoDup_filter | |].
        - intros u hu. apply filter_In in hu. now apply hinc.
        - intros u hu. now apply hvol, hincl. }
      assert (h2 : sum (fun u => W u j) (concat js) <= Z.of_nat (length js) * t).
      { revert hchains hincl. clear ndc h1 hinc inc. induction js as [|c cs IH]; intros hch hin; [cbn; lia|]. cbn [concat length].
        rewrite sum_app.
        assert (sum (fun u => W u j) c <= t).
        { apply (dm_chain hdone hfull c d j FU hd); auto; [apply hch; now left|]. intros u hu. apply hU, hin. cbn. apply in_app_iff.
          now left. }
        assert (sum (fun u => W u j) (concat cs) <= Z.of_nat (length cs) * t).
        { apply IH; [intros c' hc'; apply hch; now right|]. intros u hu. apply hin. cbn. apply in_app_iff. now right. }
        lia. }
      assert (h3 : sum (fun u => ind (negb (inc u)) * W u j) U <= k * (sum (vol a) U - sum (vol a) (concat js))).
      { assert (heq : sum (fun u => ind (inc u) * vol a u) U = sum (vol a) (concat js)).
        { rewrite <- sum_filter. apply Z.le_antisymm.
          - apply sum_incl; [now apply NoDup_filter | intros u hu; apply filter_In in hu; now apply hinc |]. intros u hu.
            specialize (hvol u (hincl u hu)). nia.
          - apply sum_incl; [exact ndc | intros u hu; apply filter_In; split; [now apply hincl | now apply hinc] |].
            intros u hu. apply filter_In in hu. specialize (hvol u (proj1 hu)). nia. }
        assert (hs : sum (vol a) U = sum (vol a) (concat js) + sum (fun u : node => ind (negb (inc u)) * vol a u) U)
          by (rewrite <- heq; exact (sum_split_one inc (vol a) U)).
        replace (sum (vol a) U - sum (vol a) (concat js)) with (sum (fun u : node => ind (negb (inc u)) * vol a u) U) by lia.
        rewrite <- sum_scale. apply sum_le. intros u hu. specialize (hvol u hu). destruct (inc u); cbn [negb ind]; lia. }
      lia.
  Qed.
End Whole.

Section Windows.
  Context (S : system) (wf : well_formed S) (a : accounts) (full : Z -> bool) (F : node -> Z) (lim : node
    -> option Z) (v : node) (hv : In v (nodes S)).
  Context (l : list node) (p : Z) (hfull : full p = true) (hproc : of_processors S a p).

  Section Meanwhile.
    Context (k y : Z) (k_pos : 0 < k) (y_nonneg : 0 <= y) (jobs : Z -> list Z) (age : Z -> Z) (j0 : Z) (W : node -> Z -> Z).
    Context (hrun : runs_meanwhile S a full F lim v l p k y jobs age j0 W).

    Lemma dag_here_pool d u : In u (dag_here S d p) -> In u (on_pool S p) /\ dag S u = d.
    Proof. intros hu. apply in_dag_here in hu. split; [apply in_on_pool; tauto | tauto]. Qed.

    Lemma chain_one u : chain S [u].
    Proof. split; [constructor; [easy | constructor]|]. intros x z [<-|[]] [<-|[]]. now left. Qed.

    Lemma one_piece d u j : In d (dag S v :: other_dags S v) -> In u (dag_here S d p) -> In j (jobs d) -> W u j
      <= piece F lim (vol a) k y (F v) u (age j).
    Proof.
      intros hd hu hj. destruct (dag_here_pool d u hu) as (hup & hud). assert (hj' : In j (jobs (dag S u))) by now rewrite hud.
      unfold piece. destruct (Z.eq_dec (W u j) 0) as [e|hne].
      - rewrite e. destruct ((age j <? k * F u) && _); [|lia]. pose proof (dm_volume (rm_done hrun) u j hup hj').
        assert (0 <= overlap (k * F u) (k * F v) (age j)) by (unfold overlap; lia). lia.
      - destruct (dm_counts (rm_done hrun) u j hup hj' hne) as (h1 & h2). rewrite (proj2 (Z.ltb_lt _ _) h1).
        destruct (lim u) as [z|]; [|easy]. rewrite (proj2 (Z.leb_le _ _) h2). cbn [andb].
        pose proof (dm_volume (rm_done hrun) u j hup hj').
        pose proof (rm_cut hrun hfull [u] d j hd (chain_one u) ltac:(intros u' [<-|[]]; exact hu) hj) as h3.
        pose proof (dm_chain (rm_done hrun) hfull [u] d j (F u) hd (chain_one u) ltac:(intros u' [<-|[]]; split; [exact hu | lia]) hj) as h4.
        cbn [sum] in h3, h4. lia.
    Qed.

    (** f_d bounds what a job does. *)
    Theorem job_fits d j cs FC FD : In d (dag S v :: other_dags S v) -> In j (jobs d) -> chains_here S d p cs ->
      (forall c u, In c cs -> In u c -> F u <= FC c) -> (forall u, In u (dag_here S d p) -> F u <= FD) ->
      sum (fun u => W u j) (dag_here S d p) <= job_in_window F lim (vol a) (cap a p) cs FC FD k y (F v) (age j).
    Proof.
      intros hd hj hcs hFC hFD. pose proof hcs as (hc & _). apply Z.min_glb.
      - apply (dm_whole (rm_done hrun) hfull (dag_here S d p) d j FD hd); auto. apply NoDup_filter. unfold dag_nodes.
        apply NoDup_filter, (wf_nodup wf).
      - assert (hW0 : forall u, In u (on_pool S p) -> 0 <= (if dag S u =? d then W u j else 0)).
        { intros u hu. destruct (Z.eqb_spec (dag S u) d) as [<-|]; [|lia]. now apply (dm_volume (rm_done hrun)). }
        assert (heq : forall c, (forall u, In u c -> In u (dag_here S d p))
          -> sum (fun u => if dag S u =? d then W u j else 0) c = sum (fun u => W u j) c).
        { intros c hin. apply sum_eq. intros u hu. destruct (dag_here_pool d u (hin u hu)) as (_ & ->). now rewrite Z.eqb_refl. }
        rewrite <- (heq (dag_here S d p)) by auto. etransitivity; [apply (sum_by_chain S d p cs _ wf hcs hW0)|]. apply sum_le.
        intros c hcin.
        destruct (hc c hcin) as (hchain & hin). rewrite heq by exact hin. apply Z.min_glb; [apply Z.min_glb|].
        + now apply (rm_cut hrun hfull c d j).
        + apply (dm_chain (rm_done hrun) hfull c d j (FC c)); auto.
        + apply sum_le. intros u hu. apply (one_piece d u j); auto.
    Qed.

    (** Of the path's own job what is beside a node of the path there, each chain no longer than the path waits. *)
    Theorem own_job_fits cs own : path S l v -> chains_here S (dag S v) p cs ->
      (forall c s, In c cs -> NoDup s -> incl s c -> (forall u, In u s -> exists q, In q l /\ pool S q = p /\ beside S q u)
        -> Z.min y (k * sum (vol a) s) <= own c) ->
      sum (fun u => W u j0) (dag_here S (dag S v) p) <= sum own cs.
    Proof.
      intros hl hcs hown. pose proof hcs as (hc & _). destruct (dm_own (rm_done hrun)) as (hj0 & _).
      assert (hd : In (dag S v) (dag S v :: other_dags S v)) by now left.
      assert (hW0 : forall u, In u (on_pool S p) -> 0 <= (if dag S u =? dag S v then W u j0 else 0)).
      { intros u hu. destruct (Z.eqb_spec (dag S u) (dag S v)) as [e|]; [|lia]. apply (dm_volume (rm_done hrun)); auto. now rewrite e. }
      assert (heq : forall c, (forall u, In u c -> In u (dag_here S (dag S v) p))
        -> sum (fun u => if dag S u =? dag S v then W u j0 else 0) c = sum (fun u => W u j0) c).
      { intros c hin. apply sum_eq. intros u hu. destruct (dag_here_pool _ u (hin u hu)) as (_ & ->). now rewrite Z.eqb_refl. }
      rewrite <- (heq (dag_here S (dag S v) p)) by auto. etransitivity; [apply (sum_by_chain S _ p cs _ wf hcs hW0)|]. apply sum_le.
      intros c hcin.
      destruct (hc c hcin) as ((nd & hcmp) & hin). rewrite heq by exact hin. set (s := filter (fun u => negb (W u j0 =? 0)) c).
      etransitivity; [|apply (hown c s hcin)].
      - apply Z.min_glb; [apply (rm_cut hrun hfull c (dag S v) j0); auto; now split|].
        transitivity (sum (fun u => W u j0) s).
        { unfold s. rewrite sum_filter. apply sum_le. intros u _. destruct (Z.eqb_spec (W u j0) 0) as [->|]; cbn [negb ind]; lia. }
        rewrite <- sum_scale. apply sum_le. intros u hu. apply filter_In in hu. destruct hu as (hu & _).
        destruct (dag_here_pool _ u (hin u hu)) as (hup & hud). apply (dm_volume (rm_done hrun) u j0 hup). now rewrite hud.
      - now apply NoDup_filter.
      - intros u hu. apply filter_In in hu. tauto.
      - intros u hu. apply filter_In in hu. destruct hu as (hu & hne). apply negb_true_iff, Z.eqb_neq in hne.
        destruct (rm_beside hrun u (hin u hu) hne) as [hul|]; [|assumption]. exfalso. apply hne.
        destruct (dag_here_pool _ u (hin u hu)) as (hup & hud). pose proof (proj1 (in_on_pool S p u) hup) as (_ & hp).
        pose proof (rm_last hrun u hul hp). destruct (hproc u hup) as (h1 & h2).
        pose proof (dm_volume (rm_done hrun) u j0 hup ltac:(now rewrite hud)). nia.
    Qed.

    (** By ages that are T apart: the jobs' own, with the system's periods, or those of nominal instants. *)
    Section Ages.
      Context (T : Z -> Z) (at_age : Z -> Z -> Z).
      Context (apart : forall d i j, In d (dag S v :: other_dags S v) -> In i (jobs d) -> In j (jobs d) -> i <> j ->
                 at_age d i + k * T d <= at_age d j \/ at_age d j + k * T d <= at_age d i).

      Lemma ages_in_window d : In d (dag S v :: other_dags S v) -> 0 < T d -> pattern (k * T d) (map (at_age d) (jobs d)) /\
        (d = dag S v -> exists js, pattern (k * T d) (at_age d j0 :: map (at_age d) js) /\ forall f : Z -> Z, sum f (jobs d) = f j0 + sum f js
          /\ forall j, In j js -> In j (jobs d)).
      Proof.
        intros hd hT. destruct (dm_jobs (rm_done hrun) d hd) as (nd & _). pose proof (fun i j => apart d i j hd) as hap.
        assert (hpat : forall js, NoDup js -> (forall j, In j js -> In j (jobs d)) -> pattern (k * T d) (map (at_age d) js)).
        { intros js ndj hin. apply pattern_map; [nia | exact ndj | intros i j hi hj; apply hap; auto]. }
        split; [now apply hpat|]. intros ->. destruct (dm_own (rm_done hrun)) as (hj0 & _). destruct (in_split j0 _ hj0) as (js1 & js2 & hsplit).
        exists (js1 ++ js2). rewrite hsplit in nd. split.
        - apply (hpat (j0 :: js1 ++ js2)).
          + constructor; [now apply NoDup_remove_2 in nd | now apply NoDup_remove_1 in nd].
          + intros j hj. rewrite hsplit, in_app_iff. cbn [In] in *. rewrite in_app_iff in hj. tauto.
        - intros f. rewrite hsplit. split; [rewrite !sum_app; cbn [sum]; lia|]. intros j. rewrite !in_app_iff. cbn. tauto.
      Qed.

      (** Of one DAG's jobs, each of which does no more than g allows at its age; of v's own DAG's beside what the path's own job does. *)
      Section Dag.
        Context (d : Z) (hd : In d (dag S v :: other_dags S v)) (cs : list (list node)) (FC : list node -> Z) (FD X : Z) (g : Z -> Z).
        Context (hT : 0 < T d) (hcs : chains_here S d p cs) (hFC : forall c u, In c cs -> In u c -> F u <= FC c) (hFD : forall u, In u (dag_here S d p) -> F u <= FD).
        Context (hg : forall j, In j (jobs d) -> job_in_window F lim (vol a) (cap a p) cs FC FD k y (F v) (age j) <= g (at_age d j)).

        Lemma job_fits_at_age j : In j (jobs d) -> sum (fun u => W u j) (dag_here S d p) <= g (at_age d j).
        Proof. intros hj. etransitivity; [|now apply hg]. now apply job_fits. Qed.

        Lemma other_dag_fits : (forall xs, pattern (k * T d) xs -> sum g xs <= X) -> sum (fun u => sum (W u) (jobs d)) (dag_here S d p) <= X.
        Proof.
          intros hX. rewrite sum_exchange. etransitivity; [apply (sum_over_jobs (jobs d) _ g (at_age d)); exact job_fits_at_age|].
          apply hX. now apply (ages_in_window d).
        Qed.

        Lemma own_dag_fits : d = dag S v -> (forall xs, pattern (k * T d) (at_age d j0 :: xs) -> sum g xs <= X) ->
          sum (fun u => sum (W u) (jobs d)) (dag_here S d p) <= sum (fun u => W u j0) (dag_here S d p) + X.
        Proof.
          intros hdv hX. rewrite sum_exchange. destruct (ages_in_window d hd hT) as (_ & hown). destruct (hown hdv) as (js & hpat & hsplit).
          destruct (hsplit (fun j => sum (fun u => W u j) (dag_here S d p))) as (-> & hin). apply Z.add_le_mono_l.
          etransitivity; [apply (sum_over_jobs js _ g (at_age d))|now apply hX]. intros j hj. apply job_fits_at_age. now apply hin.
        Qed.
      End Dag.

      (** All that is done: of the path's own job no more than own, of others no more than X, the most of what g allows each. *)
      Lemma sums_fit cs FC FD own X (g : Z -> Z -> Z) :
        path S l v -> (forall d, In d (dag S v :: other_dags S v) -> 0 < T d /\ chains_here S d p (cs d) /\
          (forall c u, In c (cs d) -> In u c -> F u <= FC c) /\ forall u, In u (dag_here S d p) -> F u <= FD d) ->
        (forall d j, In d (dag S v :: other_dags S v) -> In j (jobs d) ->
           job_in_window F lim (vol a) (cap a p) (cs d) FC (FD d) k y (F v) (age j) <= g d (at_age d j)) ->
        (forall c s, In c (cs (dag S v)) -> NoDup s -> incl s c -> (forall u, In u s -> exists q, In q l /\ pool S q = p /\ beside S q u) ->
           Z.min y (k * sum (vol a) s) <= own c) ->
        (forall d xs, In d (other_dags S v) -> pattern (k * T d) xs -> sum (g d) xs <= X d) ->
        (forall xs, pattern (k * T (dag S v)) (at_age (dag S v) j0 :: xs) -> sum (g (dag S v)) xs <= X (dag S v)) ->
        sum (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) (dag S v :: other_dags S v)
          <= sum own (cs (dag S v)) + sum X (dag S v :: other_dags S v).
      Proof.
        intros hl hcs hg h1 h2 h3. cbn [sum].
        assert (hothers : sum (fun d => sum (fun u => sum (W u) (jobs d)) (dag_here S d p)) (other_dags S v) <= sum X (other_dags S v)).
        { apply sum_le. intros d hd. destruct (hcs d (or_intror hd)) as (c1 & c2 & c3 & c4).
          apply (other_dag_fits d (or_intror hd) (cs d) FC (FD d) (X d) (g d)); auto. intros j hj. apply hg; [now right | exact hj]. }
        destruct (hcs (dag S v) (or_introl eq_refl)) as (c1 & c2 & c3 & c4).
        pose proof (own_dag_fits (dag S v) (or_introl eq_refl) (cs (dag S v)) FC (FD (dag S v)) (X (dag S v)) (g (dag S v)) c1 c2 c3 c4
          (fun j hj => hg (dag S v) j (or_introl eq_refl) hj) eq_refl h3) as hself.
        pose proof (own_job_fits (cs (dag S v)) own hl c2 h1). lia.
      Qed.
    End Ages.
  End Meanwhile.

  Lemma period_pos d : In d (dag S v :: other_dags S v) -> 0 < period S d.
  Proof.
    intros hd. assert (exists u, In u (nodes S) /\ dag S u = d) as (u & hu & <-); [|now apply (wf_period wf)].
    destruct hd as [<-|hd]; [eauto|]. apply filter_In in hd. destruct hd as (hd & _). apply nodup_In, in_map_iff in hd.
    destruct hd as (u & <- & hu). eauto.
  Qed.

  (** T10w's w: with chains, the sums X of f_d over all patterns (of v's own DAG: beside its job), and own,
    more waiting than w is more than there
      is to wait for. *)
  Theorem waits_by_windows M w cs FC FD :
    path S l v -> 0 < M -> 0 <= w -> (forall d, In d (dag S v :: other_dags S v) -> chains_here S d p (cs d) /\
      (forall c u, In c (cs d) -> In u c -> F u <= FC c) /\ forall u, In u (dag_here S d p) -> F u <= FD d) ->
    (forall k y, 0 < k -> k * w < M * y -> exists own X,
       let f d x := job_in_window F lim (vol a) (cap a p) (cs d) FC (FD d) k y (F v) x in
       (forall c s, In c (cs (dag S v)) -> NoDup s -> incl s c -> (forall u, In u s -> exists q, In q l /\ pool S q = p /\ beside S q u) ->
          Z.min y (k * sum (vol a) s) <= own c) /\
       (forall d xs, In d (other_dags S v) -> pattern (k * period S d) xs -> sum (f d) xs <= X d) /\
       (forall xs, pattern (k * period S (dag S v)) (0 :: xs) -> sum (f (dag S v)) xs <= X (dag S v)) /\
       sum own (cs (dag S v)) + sum X (dag S v :: other_dags S v) < cap a p * y) ->
    waits_at_most by_periods S a full F lim v l M p w.
  Proof.
    intros hl hM hw0 hcs hsum k y jobs age j0 W hk hy hrun _. destruct (hsum k y hk hy) as (own & X & h1 & h2 & h3 & h4).
    assert (hy0 : 0 <= y) by nia. eapply Z.le_lt_trans; [|exact h4]. destruct (dm_own (rm_done hrun)) as (_ & hage).
    apply (sums_fit k y hk hy0 jobs age j0 W hrun (period S) (fun _ => age)) with (FC := FC) (FD := FD)
      (g := fun d x => job_in_window F lim (vol a) (cap a p) (cs d) FC (FD d) k y (F v) x); auto.
    - intros d i j hd hi hj hne. destruct (dm_jobs (rm_done hrun) d hd) as (_ & hap). now apply hap.
    - intros d hd. split; [now apply period_pos | now apply hcs].
    - intros d j _ _. apply Z.le_refl.
    - now rewrite hage.
  Qed.
End Windows.
