(** The sums of T10a as they are printed: what jobs of a DAG may do, at most, is the most over all release patterns of what each job may; of
    each chain on a FIFO pool as many nodes as the path has there, of each job (turns) or of all jobs (T30). docs/theory/path.md, "T10a". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Waiting path.T10n path.Turns path.T10a.

(** Releases of one DAG: their ages are at least a period apart. *)
Definition pattern (T : Z) (xs : list Z) : Prop := NoDup xs /\ forall x y, In x xs -> In y xs -> x <> y -> x + T <= y \/ y + T <= x.

(** What falls with the age is most where jobs are as young and as close as they may be: ages z, z + T, ... *)
Lemma pattern_sum T z n xs (f : Z -> Z) :
  0 < T -> 0 <= n -> pattern T xs -> (forall x, In x xs -> f x <> 0 -> z <= x) -> (forall x y, z <= x <= y -> 0 <= f y <= f x) ->
  (forall x, z + n * T <= x -> f x = 0) -> sum f xs <= sum (fun i => f (z + i * T)) (range 0 n).
Proof.
  intros hT hn (nd & hap) hz hmono hend. set (xs' := filter (fun x => negb (f x =? 0)) xs).
  assert (hxs' : forall x, In x xs' -> In x xs /\ f x <> 0 /\ z <= x < z + n * T).
  { intros x hx. apply filter_In in hx. destruct hx as (hx & hne). apply negb_true_iff, Z.eqb_neq in hne. split; [exact hx|].
    split; [exact hne|].
    split; [now apply hz|]. destruct (Z_lt_le_dec x (z + n * T)) as [|hle]; [auto|]. now rewrite (hend x hle) in hne. }
  transitivity (sum f xs').
  { unfold xs'. rewrite sum_filter. apply sum_le. intros x _. destruct (Z.eqb_spec (f x) 0) as [->|]; cbn [negb ind]; lia. }
  set (index := fun x => (x - z) / T).
  assert (hindex : forall x, In x xs' -> 0 <= index x < n /\ z + index x * T <= x).
  { intros x hx. destruct (hxs' x hx) as (_ & _ & h). unfold index. pose proof (Z.mul_div_le (x - z) T hT).
    split; [split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia] | lia]. }
  transitivity (sum (fun i => f (z + i * T)) (map index xs')).
  - rewrite sum_map. apply sum_le. intros x hx. destruct (hindex x hx) as (h1 & h2). apply hmono. nia.
  - apply sum_incl.
    + assert (hinj : forall x y, In x xs' -> In y xs' -> index x = index y -> x = y).
      { intros x y hx hy he. destruct (Z.eq_dec x y) as [|hne]; [auto|]. exfalso. unfold index in he.
        destruct (hxs' x hx) as (hx0 & _), (hxs' y hy) as (hy0 & _).
        assert (hstep : forall u w, u + T <= w -> (u - z) / T < (w - z) / T).
        { intros u w hle. enough ((u - z) / T + 1 <= (w - z) / T) by lia. rewrite <- Z.div_add by lia. apply Z.div_le_mono; lia. }
        destruct (hap x y hx0 hy0 hne) as [h|h]; apply hstep in h; lia. }
      assert (nd' : NoDup xs') by now apply NoDup_filter. revert nd' hinj. generalize xs'. clear. intros xs.
      induction xs as [|x xs IH]; intros nd hinj; cbn; [constructor|]. inversion nd; subst.
      constructor; [|apply IH; auto; intros; apply hinj; auto; now right].
      intros hin. apply in_map_iff in hin. destruct hin as (y & e & hy). assert (y = x) by (apply hinj; cbn; auto). now subst y.
    + intros i hi. apply in_map_iff in hi. destruct hi as (x & <- & hx). apply in_range. now apply hindex.
    + intros i hi. apply in_range in hi. apply (hmono z). nia.
Qed.

(** The other jobs of a DAG one of whose jobs is b old: earlier ones at b + T, b + 2 T, ..., later ones at 0, T, ... *)
Lemma pattern_sum_own T b n xs (f : Z -> Z) :
  0 < T -> 0 <= n -> 0 <= b -> pattern T (b :: xs) -> (forall x, In x xs -> 0 <= x) -> (forall x y, 0 <= x <= y -> 0 <= f y <= f x) ->
  (forall x, b + T + n * T <= x -> f x = 0) ->
  sum f xs <= sum (fun i => f (b + T + i * T)) (range 0 n) + sum (fun j => f (j * T)) (range 0 (b / T)).
Proof.
  intros hT hn hb (nd & hap) h0 hmono hend. inversion nd as [|b' xs' hnot ndxs]; subst.
  assert (hside : forall x, In x xs -> b + T <= x \/ x + T <= b) by (intros x hx; apply hap; [now left | now right | intros <-;
    contradiction]).
  assert (hpat : pattern T xs) by (split; [exact ndxs | intros x y hx hy; apply hap; now right]).
  set (early := fun x => if x <? b + T then 0 else f x). set (late := fun x => if x <=? b - T then f x else 0).
  assert (hnn : forall x, 0 <= x -> 0 <= f x) by (intros x hx; apply (hmono x x); lia).
  transitivity (sum (fun x => early x + late x) xs).
  - apply sum_le. intros x hx. specialize (h0 x hx). specialize (hnn x h0). unfold early, late. destruct (hside x hx) as [hs|hs].
    + rewrite (proj2 (Z.ltb_ge x (b + T))) by lia. destruct (x <=? b - T); lia.
    + rewrite (proj2 (Z.leb_le x (b - T))) by lia. destruct (x <? b + T); lia.
  - rewrite sum_add. apply Z.add_le_mono.
    + etransitivity; [apply (pattern_sum T (b + T) n xs early hT hn hpat)|].
      * intros x _ hne. unfold early in hne. destruct (Z.ltb_spec x (b + T)); [now elim hne | lia].
      * intros x y hxy. unfold early. rewrite (proj2 (Z.ltb_ge x (b + T))), (proj2 (Z.ltb_ge y (b + T))) by lia. apply hmono; lia.
      * intros x hx. unfold early. destruct (Z.ltb_spec x (b + T)); [reflexivity | now apply hend].
      * apply sum_le. intros i hi. apply in_range in hi. unfold early. destruct (Z.ltb_spec (b + T + i * T) (b + T)); [nia | lia].
    + pose proof (Z.mul_succ_div_gt b T hT). assert (hq : 0 <= b / T) by (apply Z.div_pos; lia).
      etransitivity; [apply (pattern_sum T 0 (b / T) xs late hT hq hpat)|].
      * intros x hx _. now apply h0.
      * intros x y hxy. unfold late.
        destruct (Z.leb_spec x (b - T)), (Z.leb_spec y (b - T)); try lia; [apply hmono; lia | split; [lia | apply hnn; lia]].
      * intros x hx. unfold late. destruct (Z.leb_spec x (b - T)); [nia | reflexivity].
      * apply sum_le. intros j hj. apply in_range in hj. unfold late. rewrite Z.add_0_l. destruct (j * T <=? b - T); [lia | apply hnn; nia].
Qed.

(** A job of age x counts node u if -lim_u <= x < F_u. *)
Definition counts_at (F : node -> Z) (lim : node -> option Z) (u : node) (x : Z) : bool :=
  (x <? F u) && match lim u with None => false | Some l => - l <=? x end.

Definition counted_part (F : node -> Z) (lim : node -> option Z) (part : node -> Z -> Z) (u : node) (x : Z) : Z :=
  if counts_at F lim u x then part u x else 0.

(** B is no less than the N largest summands of a list: on FIFO pools; on others than all of them. *)
Definition largest {A} (fifo : Prop) (N : Z) (f : A -> Z) (c : list A) (B : Z) : Prop :=
  forall s, NoDup s -> incl s c -> (fifo -> Z.of_nat (length s) <= N) -> sum f s <= B.

Section Patterns.
  Context (S : system) (wf : well_formed S) (a : accounts) (F : node -> Z) (lim : node -> option Z) (part : node -> Z -> Z).
  Context (share : Z -> Z) (l : list node) (share_nonneg : forall p, In p (visited S l) -> 0 <= share p).

  Let fifo (p : Z) : Prop := order_of S p = Fifo.
  Let turns_on (p : Z) : Z := Z.of_nat (length (here S p l)).
  Let cpart := counted_part F lim part.

  (** The nodes of DAG d on the pools of the path are parted into lists, each on one pool; those on FIFO pools are chains. *)
  Definition parted (d : Z) (cs : list (list node)) (on : list node -> Z) : Prop :=
    (forall c u, In c cs -> In u c -> In u (dag_nodes S d) /\ pool S u = on c) /\
    (forall c, In c cs -> NoDup c /\ (fifo (on c) -> chain S c) /\ In (on c) (visited S l)) /\
    (forall u, In u (dag_nodes S d) -> In (pool S u) (visited S l) -> exists c, In c cs /\ In u c).

  Lemma sum_parted d cs on (f : node -> Z) : parted d cs on -> (forall u, In u (dag_nodes S d) -> 0 <= f u) ->
    (forall u, In u (dag_nodes S d) -> f u <> 0 -> In (pool S u) (visited S l)) ->
    sum (fun u => share (pool S u) * f u) (dag_nodes S d) <= sum (fun c => share (on c) * sum f c) cs.
  Proof.
    intros (h1 & h2 & h3) f0 fv.
    transitivity (sum (fun u => share (pool S u) * f u) (filter (fun u => negb (f u =? 0)) (dag_nodes S d))).
    { rewrite sum_filter. apply sum_le. intros u _. destruct (Z.eqb_spec (f u) 0) as [->|]; cbn [negb ind]; lia. }
    transitivity (sum (fun u => share (pool S u) * f u) (concat cs)).
    - apply sum_incl.
      + apply NoDup_filter. unfold dag_nodes. apply NoDup_filter, (wf_nodup wf).
      + intros u hu. apply filter_In in hu. destruct hu as (hu & hne). apply negb_true_iff, Z.eqb_neq in hne.
        destruct (h3 u hu (fv u hu hne)) as (c & hc & huc). apply in_concat. eauto.
      + intros u hu. apply in_concat in hu. destruct hu as (c & hc & huc). destruct (h1 c u hc huc) as (hd & hp).
        destruct (h2 c hc) as (_ & _ & hv). rewrite hp. specialize (share_nonneg _ hv). specialize (f0 u hd). nia.
    - assert (hin : forall c, In c cs -> In c cs) by auto. revert hin. generalize cs at 1 3 4 as cs'.
      induction cs' as [|c cs' IH]; intros hin; [cbn; lia|].
      cbn [concat sum]. rewrite sum_app.
      apply Z.add_le_mono; [|apply IH; intros; apply hin; now right].
      rewrite <- sum_scale. apply sum_le. intros u hu. destruct (h1 c u (hin c (or_introl eq_refl)) hu) as (_ & ->). lia.
  Qed.

  Section Jobs.
    Context (d k : Z) (k_pos : 0 < k) (js : list Z) (age : Z -> Z) (W : node -> Z -> Z).
    Context (hmay : may_do S F lim part l d k js age W) (T_pos : 0 < period S d).

    Lemma ages_pattern : pattern (period S d) (map age js).
    Proof.
      assert (hne : forall i j, In i js -> In j js -> age i = age j -> i = j).
      { intros i j hi hj e. destruct (Z.eq_dec i j); [auto|]. destruct (md_apart hmay i j hi hj n); lia. }
      split.
      - pose proof (md_nodup hmay) as nd. revert hne nd. clear. induction js as [|i js0 IH]; intros hne nd; cbn; [constructor|].
        inversion nd; subst. constructor; [|apply IH; auto; intros; apply hne; auto; now right].
        intros hin. apply in_map_iff in hin. destruct hin as (j & e & hj). assert (j = i) by (apply hne; auto; [now right | now left]).
        now subst j.
      - intros x y hx hy hxy. apply in_map_iff in hx, hy. destruct hx as (i & <- & hi), hy as (j & <- & hj). apply (md_apart hmay); auto.
        congruence.
    Qed.

    Lemma counted u j : In u (dag_nodes S d) -> In j js -> W u j <> 0 -> W u j <= k * cpart u (age j).
    Proof.
      intros hu hj hne. destruct (md_counts hmay u j hu hj hne) as (h1 & h2 & _). destruct (md_part hmay u j hu hj) as (_ & h4).
      unfold cpart, counted_part, counts_at. rewrite (proj2 (Z.ltb_lt _ _) h1). destruct (lim u) as [x|]; cbn [within] in h2; [|easy].
      rewrite (proj2 (Z.leb_le (- x) (age j))) by lia. exact h4.
    Qed.

    (** Turns: one job. *)
    Lemma one_job c p j B : (forall u, In u c -> In u (dag_nodes S d) /\ pool S u = p) -> NoDup c -> (fifo p -> chain S c) -> In j js ->
      largest (fifo p) (turns_on p) (fun u => cpart u (age j)) c B -> sum (fun u => W u j) c <= k * B.
    Proof.
      intros hin nd hc hj hB. set (s := filter (fun u => negb (W u j =? 0)) c).
      transitivity (sum (fun u => W u j) s).
      { unfold s. rewrite sum_filter. apply sum_le. intros u _. destruct (Z.eqb_spec (W u j) 0) as [->|]; cbn [negb ind]; lia. }
      transitivity (k * sum (fun u => cpart u (age j)) s).
      - rewrite <- sum_scale. apply sum_le. intros u hu. apply filter_In in hu. destruct hu as (hu & hne).
        apply negb_true_iff, Z.eqb_neq in hne.
        apply counted; auto. now apply hin.
      - apply Z.mul_le_mono_nonneg_l; [lia|]. apply hB; [now apply NoDup_filter | intros u hu; apply filter_In in hu; tauto|].
        intros hf. unfold s. rewrite <- sum_length. apply (md_turns hmay c p j); auto.
    Qed.

    (** Turns over all jobs. *)
    Lemma all_jobs c p B : (forall u, In u c -> In u (dag_nodes S d) /\ pool S u = p /\ F u <= period S d) -> chain S c -> fifo p ->
      (forall xs, pattern (period S d) xs -> largest True (turns_on p) (fun xu => cpart (snd xu) (fst xu)) (list_prod xs c) B) ->
      sum (fun j => sum (fun u => W u j) c) js <= k * B.
    Proof.
      intros hin hc hp hB. pose proof hc as (nd & _).
      set (s := filter (fun ju => negb (W (snd ju) (fst ju) =? 0)) (list_prod js c)).
      assert (hs : forall ju, In ju s -> In (fst ju) js /\ In (snd ju) c /\ W (snd ju) (fst ju) <> 0).
      { intros (j, u) hju. unfold s in hju. apply filter_In in hju. destruct hju as (hju & hne). apply in_prod_iff in hju.
        apply negb_true_iff, Z.eqb_neq in hne. tauto. }
      rewrite <- (sum_prod (fun ju => W (snd ju) (fst ju))).
      transitivity (sum (fun ju => W (snd ju) (fst ju)) s).
      { unfold s. rewrite sum_filter. apply sum_le. intros ju _.
        destruct (Z.eqb_spec (W (snd ju) (fst ju)) 0) as [->|]; cbn [negb ind]; lia. }
      transitivity (k * sum (fun ju => cpart (snd ju) (age (fst ju))) s).
      - rewrite <- sum_scale. apply sum_le. intros ju hju. destruct (hs ju hju) as (h1 & h2 & h3). apply counted; auto. now apply hin.
      - apply Z.mul_le_mono_nonneg_l; [lia|].
        rewrite <- (sum_map (fun ju => (age (fst ju), snd ju)) (fun xu => cpart (snd xu) (fst xu))).
        apply (hB (map age js) ages_pattern).
        + assert (hinj : forall j1 u1 j2 u2, In (j1, u1) s -> In (j2, u2) s -> age j1 = age j2 -> u1 = u2 -> (j1, u1) = (j2, u2)).
          { intros j1 u1 j2 u2 h1 h2 e <-. destruct (hs _ h1) as (hj1 & _), (hs _ h2) as (hj2 & _). cbn in *.
            destruct (Z.eq_dec j1 j2) as [->|hne]; [reflexivity|]. destruct (md_apart hmay j1 j2 hj1 hj2 hne); lia. }
          assert (nds : NoDup s) by (apply NoDup_filter, nodup_prod; [exact (md_nodup hmay) | exact nd]).
          revert nds hinj. generalize s. clear. induction s as [|(j1, u1) s IH]; intros nds hinj; cbn; [constructor|]. inversion nds; subst.
          constructor; [|apply IH; auto; intros; apply hinj; auto; now right].
          intros hin. apply in_map_iff in hin. destruct hin as ((j2, u2) & [= e1 e2] & h2). cbn in *.
          assert ((j1, u1) = (j2, u2)) by (apply hinj; cbn; auto). congruence.
        + intros (x, u) hxu. apply in_map_iff in hxu. destruct hxu as ((j, u') & [= <- <-] & hju). destruct (hs _ hju) as (h1 & h2 & _).
          apply in_prod; [now apply in_map | exact h2].
        + intros _. rewrite map_length. unfold s. rewrite <- sum_length, (sum_prod (fun ju => ind (negb (W (snd ju) (fst ju) =? 0)))).
          apply (md_turns_of_all hmay c p); auto.
    Qed.
  End Jobs.

  (** I_d: lists cs1 with one release pattern for all of them, best c x being the most of list c for a job of age x;
    and lists cs2 with a bound
      of their own, over all jobs or for a pattern of their own. *)
  Theorem others_by_patterns d cs1 cs2 on best B I :
    (exists v, In v (nodes S) /\ dag S v = d) ->
    parted d (cs1 ++ cs2) on ->
    (forall c x, In c (cs1 ++ cs2) -> largest (fifo (on c)) (turns_on (on c)) (fun u => cpart u x) c (best c x)) ->
    (forall xs, pattern (period S d) xs -> sum (fun x => sum (fun c => share (on c) * best c x) cs1) xs <= I) ->
    (forall c, In c cs2 ->
       (fifo (on c) /\ (forall u, In u c -> F u <= period S d) /\
        forall xs, pattern (period S d) xs -> largest True (turns_on (on c)) (fun xu => cpart (snd xu) (fst xu)) (list_prod xs c) (B c)) \/
       (forall xs, pattern (period S d) xs -> sum (best c) xs <= B c)) ->
    others_covered S F lim part share l d (I + sum (fun c => share (on c) * B c) cs2).
  Proof.
    intros (v & hv & hvd) hpart hbest hI hB k js age W hk hmay. pose proof hpart as (p1 & p2 & p3).
    assert (T_pos : 0 < period S d) by (rewrite <- hvd; now apply (wf_period wf)).
    pose proof (ages_pattern d k js age W hmay T_pos) as hpat.
    etransitivity; [apply (sum_le _ (fun j => sum (fun c => share (on c) * sum (fun u => W u j) c) (cs1 ++ cs2)))|].
    { intros j hj. apply sum_parted; auto; [intros u hu; now apply (md_part hmay)|]. intros u hu hne. now apply (md_counts hmay u j). }
    rewrite (sum_eq _ (fun j => sum (fun c => share (on c) * sum (fun u => W u j) c) cs1 + sum (fun c => share (on c) * sum (fun u => W u j) c) cs2))
      by (intros; now rewrite sum_app).
    rewrite sum_add, Z.mul_add_distr_l.
    assert (hshare : forall c, In c (cs1 ++ cs2) -> 0 <= share (on c)) by (intros c hc; now apply share_nonneg, p2).
    assert (hone : forall c j, In c (cs1 ++ cs2) -> In j js -> sum (fun u => W u j) c <= k * best c (age j)).
    { intros c j hc hj. destruct (p2 c hc) as (q1 & q2 & _).
      apply (one_job d k hk js age W hmay c (on c) j (best c (age j))); auto; intros u hu; now apply p1. }
    apply Z.add_le_mono.
    - transitivity (k * sum (fun x => sum (fun c => share (on c) * best c x) cs1) (map age js)).
      + rewrite sum_map, <- sum_scale. apply sum_le. intros j hj. rewrite <- sum_scale. apply sum_le. intros c hc.
        assert (hc' : In c (cs1 ++ cs2)) by (apply in_app_iff; auto). specialize (hone c j hc' hj). specialize (hshare c hc'). nia.
      + apply Z.mul_le_mono_nonneg_l; [lia | auto].
    - rewrite sum_exchange, <- sum_scale. apply sum_le. intros c hc. rewrite sum_scale.
      assert (hc' : In c (cs1 ++ cs2)) by (apply in_app_iff; auto). specialize (hshare c hc').
      enough (sum (fun j => sum (fun u => W u j) c) js <= k * B c) by nia. destruct (p2 c hc') as (q1 & q2 & _).
      destruct (hB c hc) as [(hf & hFT & hall) | hown].
      + apply (all_jobs d k hk js age W hmay T_pos c (on c) (B c)); auto; intros u hu; destruct (p1 c u hc' hu) as (h1 & h2); auto.
      + transitivity (k * sum (best c) (map age js)).
        * rewrite sum_map, <- sum_scale. apply sum_le. intros j hj. now apply hone.
        * apply Z.mul_le_mono_nonneg_l; [lia | auto].
  Qed.

  (** The path's own DAG: of its own job vol_u (those of the path among the N largest), less its last pieces; its other jobs are a period or
      more away. *)
  Theorem own_by_patterns v cs on excluded best best0 I :
    In v (nodes S) -> path S l v -> (forall u, In u (nodes S) -> 0 <= vol a u /\ 0 <= last a u /\ 0 <= part u 0 <= vol a u) ->
    parted (dag S v) cs on ->
    (forall c x, In c cs -> largest (fifo (on c)) (turns_on (on c)) (fun u => cpart u x) c (best c x)) ->
    (forall c s, In c cs -> NoDup s -> incl s c -> (forall u, In u c -> In u l -> In u s) -> (forall u, In u s -> ~ In u l
      -> excluded u = false) ->
       (fifo (on c) -> Z.of_nat (length s) <= turns_on (on c)) -> sum (vol a) s <= best0 c) ->
    (forall xs, pattern (period S (dag S v)) (0 :: xs) -> sum (fun x => sum (fun c => share (on c) * best c x) cs) xs <= I) ->
    own_covered S a F lim part share l (dag S v) excluded (sum (fun c => share (on c) * best0 c) cs - sum (fun y => share (pool S y) * last a y) l + I).
  Proof.
    intros hv hl hnum hpart hbest hbest0 hI k js age W j0 hk hmay hj0 hage hown. set (d := dag S v) in *.
    pose proof hpart as (p1 & p2 & p3).
    assert (T_pos : 0 < period S d) by now apply (wf_period wf).
    assert (hshare : forall c, In c cs -> 0 <= share (on c)) by (intros c hc; now apply share_nonneg, p2).
    destruct (in_split j0 js hj0) as (js1 & js2 & ->).
    assert (hpat : pattern (period S d) (0 :: map age (js1 ++ js2))).
    { destruct (ages_pattern d k _ age W hmay T_pos) as (nd & hp). rewrite map_app in nd, hp. cbn [map] in nd, hp. rewrite hage in nd, hp.
      split.
      - rewrite map_app. constructor; [now apply NoDup_remove_2 in nd | now apply NoDup_remove_1 in nd].
      - intros x y hx hy. apply hp; rewrite map_app in *; rewrite in_app_iff; cbn [In] in *; rewrite in_app_iff in *; tauto. }
    assert (hjs : forall j, In j (js1 ++ js2) -> In j (js1 ++ j0 :: js2)) by (intros j; rewrite !in_app_iff; cbn; tauto).
    rewrite sum_app. cbn [sum].
    assert (hothers : sum (fun j => sum (fun u => share (pool S u) * W u j) (dag_nodes S d)) (js1 ++ js2) <= k * I).
    { transitivity (k * sum (fun x => sum (fun c => share (on c) * best c x) cs) (map age (js1 ++ js2))).
      - rewrite sum_map, <- sum_scale. apply sum_le. intros j hj. etransitivity; [apply (sum_parted d cs on); auto|].
        + intros u hu. now apply (md_part hmay u j hu), hjs.
        + intros u hu hne. now apply (md_counts hmay u j hu (hjs j hj)).
        + rewrite <- sum_scale. apply sum_le. intros c hc. destruct (p2 c hc) as (q1 & q2 & _). specialize (hshare c hc).
          enough (sum (fun u => W u j) c <= k * best c (age j)) by nia.
          apply (one_job d k hk _ age W hmay c (on c) j (best c (age j))); auto; intros u hu; now apply p1.
      - apply Z.mul_le_mono_nonneg_l; [lia | auto]. }
    rewrite sum_app in hothers.
    enough (sum (fun u => share (pool S u) * W u j0) (dag_nodes S d) + k * sum (fun y => share (pool S y) * last a y) l
            <= k * sum (fun c => share (on c) * best0 c) cs) by lia.
    set (onl := fun u => if in_dec Z.eq_dec u l then true else false).
    set (f := fun u => W u j0 + k * (ind (onl u) * last a u)).
    assert (hlnodes : forall y, In y l -> In y (dag_nodes S d)).
    { intros y hy. apply in_dag_nodes. exact (path_nodes S l v wf hv hl y hy). }
    assert (honl : forall u, onl u = true <-> In u l) by (intros u; unfold onl; destruct (in_dec Z.eq_dec u l); split; auto; discriminate).
    assert (hW0 : forall u, In u (dag_nodes S d) -> 0 <= W u j0) by (intros u hu; now apply (md_part hmay)).
    assert (hnum' : forall u, In u (dag_nodes S d) -> 0 <= vol a u /\ 0 <= last a u /\ 0 <= part u 0 <= vol a u).
    { intros u hu. apply in_dag_nodes in hu. now apply hnum. }
    transitivity (sum (fun u => share (pool S u) * f u) (dag_nodes S d)).
    { unfold f. rewrite (sum_eq (fun u => share (pool S u) * (W u j0 + k * (ind (onl u) * last a u)))
        (fun u => share (pool S u) * W u j0 + k * (ind (onl u) * (share (pool S u) * last a u)))) by (intros; ring).
      rewrite sum_add, sum_scale. apply Z.add_le_mono_l. apply Z.mul_le_mono_nonneg_l; [lia|].
      rewrite (sum_eq (fun y => share (pool S y) * last a y) (fun y => ind (onl y) * (share (pool S y) * last a y))).
      - apply sum_incl; [now apply (path_nodup S l v) | exact hlnodes|]. intros u hu. destruct (onl u) eqn:ho; cbn [ind]; [|lia].
        apply honl in ho. destruct (hnum' u hu) as (_ & h1 & _). assert (0 <= share (pool S u)) by (apply share_nonneg, in_visited; eauto).
        nia.
      - intros y hy. rewrite (proj2 (honl y) hy). cbn [ind]. ring. }
    etransitivity; [apply (sum_parted d cs on f hpart)|].
    - intros u hu. unfold f. specialize (hW0 u hu). destruct (hnum' u hu) as (_ & h1 & _). pose proof (ind_range (onl u)). nia.
    - intros u hu hne. destruct (onl u) eqn:ho; [apply honl in ho; apply in_visited; eauto|].
      apply (md_counts hmay u j0 hu hj0). unfold f in hne. rewrite ho in hne. cbn [ind] in hne. lia.
    - rewrite <- sum_scale. apply sum_le. intros c hc. specialize (hshare c hc). destruct (p2 c hc) as (q1 & q2 & _).
      enough (sum f c <= k * best0 c) by nia.
      set (s := filter (fun u => negb (W u j0 =? 0) || onl u) c).
      transitivity (sum f s).
      { unfold s. rewrite sum_filter. apply sum_le. intros u _. destruct (negb (W u j0 =? 0) || onl u) eqn:e; cbn [ind]; [lia|].
        apply orb_false_iff in e. destruct e as (e1 & e2). apply negb_false_iff, Z.eqb_eq in e1. unfold f. rewrite e1, e2. cbn [ind]. lia. }
      transitivity (k * sum (vol a) s).
      + rewrite <- sum_scale. apply sum_le. intros u hu. apply filter_In in hu. destruct hu as (hu & _).
        destruct (p1 c u hc hu) as (hud & _).
        unfold f. destruct (onl u) eqn:ho; cbn [ind].
        * apply honl in ho. pose proof (own_last hown u ho) as hlast. cbv beta in hlast. lia.
        * destruct (md_part hmay u j0 hud hj0) as (_ & h1). rewrite hage in h1. destruct (hnum' u hud) as (_ & _ & h2). nia.
      + apply Z.mul_le_mono_nonneg_l; [lia|]. apply (hbest0 c s hc).
        * now apply NoDup_filter.
        * intros u hu. apply filter_In in hu. tauto.
        * intros u hu hul. apply filter_In. split; [exact hu|]. rewrite (proj2 (honl u) hul). apply orb_true_r.
        * intros u hu hnl. apply filter_In in hu. destruct hu as (hu & he). destruct (p1 c u hc hu) as (hud & _).
          destruct (excluded u) eqn:hex; [|reflexivity]. exfalso. rewrite (own_excluded hown u hud hex) in he. cbn in he. apply hnl.
          now apply honl.
        * intros hf. unfold s. rewrite <- sum_length. apply (own_turns hown c (on c)); auto; intros u hu; now apply p1.
  Qed.
End Patterns.
