(** T10c, third form: what is left when the job is released. On a preemptive GEL pool by DAG all that is ahead of a path was left over when fewer
    than c processors last worked on it, x before the release, or came since, and c x of it is done by then. docs/theory/path.md, "T10c". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Missed path.Waiting path.T10n path.Meanwhile path.T10w path.T10v path.LeftOver local.Core local.Timely.

(** n_d(l): how many releases a closed interval of length l holds, none if l is below -T. *)
Definition in_closed (T len : Z) : Z := Z.max 0 (len / T + 1).

(** What T10c asks of a pool, and the work W that a path to v may meet there. [below q u] holds of every descendant u of q, and of q; [whole d]
    only of DAGs all of whose nodes are on the pool. *)
Record backlog (S : system) (a : accounts) (F : node -> Z) (v : node) (p : Z) (W : Z) : Type := {
  bl_point : Z -> Z;                 (* Y, of a DAG *)
  bl_busy : Z;                       (* c *)
  bl_end : Z;                        (* b: the largest F of v and its ancestors there *)
  bl_whole : Z -> bool;
  bl_below : node -> node -> bool;
  bl_carry : Z;
  bl_order : exists Y, order_of S p = Gel Y /\ forall u, In u (on_pool S p) -> Y u = bl_point (dag S u);
  bl_preemptive : lagging a p = 0;
  bl_busy_range : 0 <= bl_busy <= cap a p;
  bl_end_of : 0 <= bl_end /\ forall q, ancestor_or_self S q v -> pool S q = p -> F q <= bl_end;
  bl_whole_on : forall u, In u (nodes S) -> bl_whole (dag S u) = true -> pool S u = p;
  bl_below_of : forall q u, ancestor_or_self S q u -> bl_below q u = true;
  bl_carry_nonneg : 0 <= bl_carry;
  (* c - 1 nodes, of each as many as may be unfinished at once, with all that descends from them *)
  bl_carry_covers : forall n,
    (forall q, In q (on_pool S p) -> 0 <= n q <= (if bl_whole (dag S q) then Z.max 0 (cdiv (F q) (period S (dag S q))) else 0)) ->
    sum n (on_pool S p) <= bl_busy - 1 ->
    sum (fun q => n q * sum (fun u => ind (bl_below q u) * vol a u) (on_pool S p)) (on_pool S p) <= bl_carry;
  bl_work : forall x, 0 <= x ->
    bl_carry + sum (fun u => vol a u * in_closed (period S (dag S u))
                      ((if bl_whole (dag S u) then 0 else F u) + x + Z.min bl_end (bl_point (dag S v) - bl_point (dag S u)))) (on_pool S p)
      - bl_busy * x <= W;
}.

(** T10c's inequality for node v: on some pools of each path, in place of what T10n counts, W less the nodes that descend from v. *)
Definition backlog_inequality (S : system) (a : accounts) (full : Z -> bool) (F : node -> Z) (v : node) : Prop :=
  exists M share excluded lim parallel blk (there : list node -> Z -> Z),
    common_multiple S a M share /\ parallel_sound S parallel /\ (forall q, ancestor_or_self S q v -> blocking_covers S a F parallel blk q) /\
    (forall l u, path S l v -> In u (nodes S) -> excluded l u = true -> never_meanwhile S v l u) /\ limits S F v lim /\
    forall l, path S l v ->
      (forall p, In p (visited S l) ->
         pool_work S a (count S F v (excluded l) lim) p <= there l p \/
         (full p = true /\ exists W after, inhabited (backlog S a F v p W) /\ NoDup after /\
            (forall u, In u after -> In u (on_pool S p) /\ ancestor S v u) /\ W - sum (vol a) after <= there l p)) /\
      path_length S a M share blk l + sum (fun p => share p * there l p) (visited S l) <= M * F v.

Section Left.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h) (g : progress) (a : accounts) (laws : keeps_laws S h g a).
  Context (F : node -> Z) (hF : forall u, In u (nodes S) -> exec a u <= F u).
  Context (v : node) (r : Z) (hv : In v (nodes S)) (hr : released h (dag S v) r = true) (met : met_before S h F v r).
  Let t := r + F v.
  Context (missed : done h v r t = false).
  Context (l : list node) (x : node) (hl : path S l x) (hx : ancestor_or_self S x v).
  Context (cover : forall s, r <= s <= t -> exists y, In y l /\ pending S h y r s = true).
  Context (l' : list node) (hl' : path S l' v) (hincl : incl l l').
  Context (p W : Z) (B : backlog S a F v p W) (hproc : of_processors S a p) (hruns : runs_or_waits S h g p).

  Let c := bl_busy _ _ _ _ _ _ B.
  Let b := bl_end _ _ _ _ _ _ B.
  Let Y := bl_point _ _ _ _ _ _ B.
  Let whole := bl_whole _ _ _ _ _ _ B.
  Let below := bl_below _ _ _ _ _ _ B.
  Let lim (u : node) : Z := Z.min b (Y (dag S v) - Y (dag S u)).
  Let psi (u : node) (r' : Z) : bool := r' + Y (dag S u) <=? r + Y (dag S v).
  Let waits_for := path_waits_for S g r l'.
  Let meanwhile (u : node) (r' : Z) : Z := sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r (t + 1)).

  Lemma Fv_nonneg : 0 <= F v.
  Proof. apply (F_nonneg S h g a laws F hF v hv). Qed.

  Let work_one := work_one S h g a laws p hproc.

  Lemma goes_first y q u r' s : In y (on_pool S p) -> In u (on_pool S p) -> waits g y q s = true -> 0 < work g u r' s ->
    r' + Y (dag S u) <= q + Y (dag S y).
  Proof.
    intros hy hu hw hwk. destruct (on_p S p y hy) as (hyn & hyp), (on_p S p u hu) as (hun & hup). destruct (bl_order _ _ _ _ _ _ B) as (YN & hord & hYN).
    pose proof (bl_preemptive _ _ _ _ _ _ B) as hlag.
    pose proof (order_preemptive (nodes S) S h g a laws y q u r' s hyn hun ltac:(congruence) hun) as hb. rewrite hyp in hb.
    specialize (hb ltac:(intros z hz; now apply (on_p S p)) hlag lg hw hwk). rewrite hord in hb. cbn [before] in hb.
    rewrite (hYN u hu), (hYN y hy) in hb. exact hb.
  Qed.

  Lemma psi_busy y q s : In y (on_pool S p) -> psi y q = true -> waits g y q s = true -> cap a p <= rate_of S g p psi s.
  Proof.
    intros hy hpsi hw. destruct (on_p S p y hy) as (hyn & hyp). pose proof (law_rate laws y q s hyn hw) as hrate. rewrite hyp in hrate.
    etransitivity; [exact hrate|]. apply sum_le. intros u hu. apply sum_le. intros r' _. pose proof (work_one u r' s hu).
    destruct (Z.eq_dec (work g u r' s) 0) as [->|hne]; [lia|]. pose proof (goes_first y q u r' s hy hu hw ltac:(lia)) as hg.
    unfold psi in *. apply Z.leb_le in hpsi. rewrite (proj2 (Z.leb_le _ _)) by lia. cbn [ind]. lia.
  Qed.

  Section Since.
    (* From t0 to r at least c processors run Psi; just before fewer did. *)
    Context (t0 : Z) (ht0 : 0 <= t0 <= r) (hbusy : forall s, t0 <= s < r -> c <= rate_of S g p psi s).
    Context (hend : t0 = 0 \/ rate_of S g p psi (t0 - 1) < c).

    Let counts (u : node) (r' s : Z) : bool := if s <? r then psi u r' else waits_for u r' s.
    Let V (u : node) (r' : Z) : Z := sum (fun s => ind (counts u r' s) * work g u r' s) (range t0 (t + 1)).

    Lemma V_split u r' : V u r' = sum (fun s => ind (psi u r') * work g u r' s) (range t0 r) + meanwhile u r'.
    Proof.
      unfold V, meanwhile. pose proof Fv_nonneg. rewrite (sum_range_split _ t0 r (t + 1)) by (unfold t; lia). f_equal; apply sum_eq; intros s hs; rewrite in_range in hs;
        unfold counts; [rewrite (proj2 (Z.ltb_lt s r)) by lia | rewrite (proj2 (Z.ltb_ge s r)) by lia]; reflexivity.
    Qed.

    Lemma V_range u r' : In u (on_pool S p) -> 0 <= V u r' <= vol a u.
    Proof.
      intros hu. split.
      - apply sum_nonneg. intros s _. pose proof (work_one u r' s hu). pose proof (ind_range (counts u r' s)). nia.
      - etransitivity; [|apply (law_vol laws u r' t0 (t + 1)); now apply (on_p S p)]. apply sum_le. intros s _. pose proof (work_one u r' s hu).
        pose proof (ind_range (counts u r' s)). nia.
    Qed.

    Lemma V_facts u r' : In u (on_pool S p) -> V u r' <> 0 ->
      released h (dag S u) r' = true /\ r' <= r + lim u /\ exists s, t0 <= s <= t /\ 0 < work g u r' s /\ pending S h u r' s = true.
    Proof.
      intros hu hne. destruct (on_p S p u hu) as (hun & hup). pose proof (V_range u r' hu) as hV. assert (hpos : 0 < V u r') by lia.
      apply sum_pos_in in hpos. destruct hpos as (s & hs & hpos). rewrite in_range in hs. cbv beta in hpos.
      destruct (counts u r' s) eqn:hcnt; cbn [ind] in hpos; [|lia].
      pose proof (law_pending laws u r' s hun ltac:(lia)) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & hr').
      split; [exact hrel|]. split; [|exists s; repeat split; auto; lia].
      destruct (bl_end_of _ _ _ _ _ _ B) as (hb0 & hbF). fold b in hb0, hbF. unfold counts in hcnt. destruct (Z.ltb_spec s r) as [hlt|hge].
      - unfold psi in hcnt. apply Z.leb_le in hcnt. unfold lim. lia.
      - destruct (path_waits_for_spec S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl u r' s ltac:(unfold t in *; lia) hcnt)
          as (y & hy & hyp & hyw & _ & hya).
        assert (hyn : In y (nodes S) /\ dag S y = dag S v) by (destruct (path_nodes S l' v wf hv hl' y hy); auto). destruct hyn as (hyn & hyd).
        assert (hyon : In y (on_pool S p)) by (apply in_on_pool; split; [exact hyn | congruence]).
        pose proof (goes_first y r u r' s hyon hu hyw ltac:(lia)) as hg. rewrite hyd in hg.
        pose proof (not_after_due S h lg F v r met y s hyn (law_waits laws y r s hyn hyw) ltac:(unfold t in *; lia)) as hdue.
        specialize (hbF y hya ltac:(congruence)). unfold lim. lia.
    Qed.

    (* Of the job itself. *)
    Lemma V_own u : In u (on_pool S p) -> V u r = meanwhile u r.
    Proof.
      intros hu. destruct (on_p S p u hu) as (hun & _). rewrite V_split, sum_zero; [lia|]. intros s hs. rewrite in_range in hs.
      rewrite (no_work_unless_pending _ S h g a laws u r s hun); [lia|]. destruct (pending S h u r s) eqn:hp; [|reflexivity].
      pose proof (pending_released S h lg u r s hp). lia.
    Qed.

    Lemma V_after u : In u (on_pool S p) -> ancestor S v u -> V u r = 0.
    Proof.
      intros hu ha. destruct (on_p S p u hu) as (hun & _). rewrite (V_own u hu). apply sum_zero. intros s hs. rewrite in_range in hs.
      rewrite (no_work_unless_pending _ S h g a laws u r s hun); [lia|]. destruct (pending S h u r s) eqn:hp; [|reflexivity]. exfalso.
      apply pending_spec in hp. destruct hp as (hp & _). pose proof (ancestor_done S h lg v u r s ha hp) as hd.
      rewrite (legal_done lg v r s t hd) in missed by lia. discriminate.
    Qed.

    Lemma done_before : c * (r - t0) + sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p)
      <= sum (fun u => sum (V u) (range 0 (t + 1))) (on_pool S p).
    Proof.
      pose proof Fv_nonneg.
      assert (h1 : c * (r - t0) <= sum (fun s => rate_of S g p psi s) (range t0 r)).
      { rewrite <- sum_range_const by lia. apply sum_le. intros s hs. rewrite in_range in hs. apply hbusy. lia. }
      assert (h2 : sum (fun s => rate_of S g p psi s) (range t0 r)
                <= sum (fun u => sum (fun r' => sum (fun s => ind (psi u r') * work g u r' s) (range t0 r)) (range 0 (t + 1))) (on_pool S p)).
      { etransitivity.
        - apply (sum_le _ (fun s => sum (fun u => sum (fun r' => ind (psi u r') * work g u r' s) (range 0 (t + 1))) (on_pool S p))).
          intros s hs. rewrite in_range in hs. apply sum_le. intros u hu. apply sum_range_incl; [|lia|unfold t; lia]. intros r' _.
          pose proof (work_one u r' s hu). pose proof (ind_range (psi u r')). nia.
        - rewrite sum_exchange. apply Z.eq_le_incl, sum_eq. intros u _. apply sum_exchange. }
      transitivity (sum (fun u => sum (fun r' => sum (fun s => ind (psi u r') * work g u r' s) (range t0 r)) (range 0 (t + 1))
                                  + sum (meanwhile u) (range 0 (t + 1))) (on_pool S p)).
      - rewrite sum_add. lia.
      - apply sum_le. intros u _. rewrite <- sum_add. apply sum_le. intros r' _. rewrite V_split. lia.
    Qed.

    Let chains := runs_there g psi t0 (fun q => whole (dag S q)).
    Let chains_nonneg := runs_there_nonneg S h g a laws p hproc psi t0 (fun q => whole (dag S q)).

    (* Just before t0 all of Psi that is ready runs. *)
    Lemma left_over u r' : In u (on_pool S p) -> whole (dag S u) = true -> r' < t0 -> V u r' <> 0 ->
      1 <= sum (fun q => ind (below q u) * chains q r') (on_pool S p).
    Proof.
      intros hu hwh hlt hne. destruct (on_p S p u hu) as (hun & _). destruct (V_facts u r' hu hne) as (hrel & hlim & s & hs & hwk & hp).
      assert (hnd : done h u r' (t0 - 1) = false).
      { destruct (done h u r' (t0 - 1)) eqn:hd; [|reflexivity]. apply pending_spec in hp. destruct hp as (_ & hp).
        rewrite (legal_done lg u r' (t0 - 1) s hd) in hp by lia. discriminate. }
      destruct (some_pending S h wf r' u (t0 - 1) hun hrel ltac:(lia) hnd) as (q & hq & hpq).
      destruct (ancestor_or_self_facts S q u wf hun hq) as (hqn & hqd & _).
      assert (hqp : pool S q = p) by (apply (bl_whole_on _ _ _ _ _ _ B); [exact hqn | fold whole; now rewrite hqd]).
      pose proof (pending_released S h lg q r' _ hpq) as (_ & hr'0).
      apply (one_below S h g a laws p hproc hruns psi c (proj2 (bl_busy_range _ _ _ _ _ _ B)) t0 hend psi_busy (fun q => whole (dag S q)) below u q r'); auto.
      - lia.
      - apply in_on_pool; auto.
      - unfold psi. rewrite hqd. apply Z.leb_le. unfold lim in hlim. lia.
      - now rewrite hqd.
      - exact (bl_below_of _ _ _ _ _ _ B q u hq).
    Qed.

    Lemma carried : sum (fun u => sum (fun r' => vol a u * sum (fun q => ind (below q u) * chains q r') (on_pool S p)) (range 0 t0)) (on_pool S p)
      <= bl_carry _ _ _ _ _ _ B.
    Proof.
      apply (carried_over S h wf lg g a laws F p hproc psi c t0 hend (fun q => whole (dag S q)) below _ (bl_carry_nonneg _ _ _ _ _ _ B)
        (bl_carry_covers _ _ _ _ _ _ B) v r met Fv_nonneg ht0).
    Qed.

    (* The job's own nodes that do not run, or not to their end, while the path waits. *)
    Context (after : list node) (hafter : forall u, In u after -> In u (on_pool S p) /\ ancestor S v u).
    Let onl (u : node) : bool := if in_dec Z.eq_dec u l' then true else false.
    Let ona (u : node) : bool := if in_dec Z.eq_dec u after then true else false.
    Let spared (u : node) : Z := ind (ona u) * vol a u + ind (onl u) * last a u.

    Lemma V_spared u : In u (on_pool S p) -> V u r + spared u <= vol a u.
    Proof.
      intros hu. destruct (on_p S p u hu) as (hun & _). unfold spared, ona, onl. pose proof (law_numbers laws u hun) as (_ & hl0 & _).
      destruct (in_dec Z.eq_dec u after) as [hin|hout]; cbn [ind].
      - destruct (hafter u hin) as (_ & ha). rewrite (V_after u hu ha). destruct (in_dec Z.eq_dec u l') as [hul|]; cbn [ind]; [|lia]. exfalso.
        destruct (ancestor_facts S v u wf hun ha) as (_ & _ & h1). destruct (ancestor_or_self_facts S u v wf hv (path_ancestors S l' v hl' u hul)) as (_ & _ & h2). lia.
      - destruct (in_dec Z.eq_dec u l') as [hul|]; cbn [ind]; [|pose proof (V_range u r hu); lia].
        rewrite (V_own u hu). pose proof (meanwhile_path S h g a wf lg laws v r (F v) l x hl hx cover l' v hl' hv hincl u hul) as hm.
        change (meanwhile u r <= vol a u - last a u) in hm. lia.
    Qed.

    Let lo (u : node) : Z := if whole (dag S u) then t0 else t0 - F u.

    Lemma V_recent u r' : In u (on_pool S p) -> V u r' <> 0 -> lo u <= r' \/ (whole (dag S u) = true /\ r' < t0).
    Proof.
      intros hu hne. unfold lo. destruct (whole (dag S u)) eqn:hwh; [lia|]. left. destruct (Z_le_gt_dec (t0 - F u) r') as [|hgt]; [auto|]. exfalso.
      destruct (on_p S p u hu) as (hun & _). destruct (V_facts u r' hu hne) as (hrel & _ & s & hs & hwk & hp). pose proof Fv_nonneg.
      destruct (Z_lt_le_dec (r' + F u) (r + F v)) as [hlt|hge]; [|lia].
      assert (hd : done h u r' (r' + F u) = true) by (apply met; auto; left; lia).
      apply pending_spec in hp. destruct hp as (_ & hp). rewrite (legal_done lg u r' (r' + F u) s hd) in hp by lia. discriminate.
    Qed.

    Theorem left_and_come : c * (r - t0) + sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p) + sum spared (on_pool S p)
      <= bl_carry _ _ _ _ _ _ B + sum (fun u => vol a u * releases (released h (dag S u)) (lo u) (r + lim u + 1)) (on_pool S p).
    Proof.
      pose proof Fv_nonneg. pose proof done_before as h1. pose proof carried as h2. pose proof (legal_start lg _ _ hr) as hr0.
      set (K := fun u r' => sum (fun q => ind (below q u) * chains q r') (on_pool S p)) in *.
      assert (hK : forall u r', 0 <= K u r').
      { intros u r'. apply sum_nonneg. intros q hq. pose proof (chains_nonneg q r' hq) as hn. change (0 <= chains q r') in hn.
        pose proof (ind_range (below q u)). nia. }
      enough (hnode : forall u, In u (on_pool S p) -> sum (V u) (range 0 (t + 1)) + spared u
                <= sum (fun r' => vol a u * K u r') (range 0 t0) + vol a u * releases (released h (dag S u)) (lo u) (r + lim u + 1)).
      { assert (h3 : sum (fun u => sum (V u) (range 0 (t + 1)) + spared u) (on_pool S p)
                  <= sum (fun u => sum (fun r' => vol a u * K u r') (range 0 t0) + vol a u * releases (released h (dag S u)) (lo u) (r + lim u + 1)) (on_pool S p))
          by (now apply sum_le).
        rewrite !sum_add in h3. change (sum (fun u => spared u) (on_pool S p)) with (sum spared (on_pool S p)) in h3.
        change (sum (fun u => sum (fun r' => vol a u * K u r') (range 0 t0)) (on_pool S p) <= bl_carry _ _ _ _ _ _ B) in h2. lia. }
      intros u hu. destruct (on_p S p u hu) as (hun & hup). pose proof (law_numbers laws u hun) as (_ & hvol & _).
      set (win := fun r' => released h (dag S u) r' && ((lo u <=? r') && (r' <=? r + lim u))).
      assert (hgen : forall r', V u r' <= ind (r' <? t0) * (vol a u * K u r') + ind (win r') * vol a u).
      { intros r'. pose proof (hK u r') as hk0. pose proof (V_range u r' hu) as hVr. assert (hvk : 0 <= vol a u * K u r') by nia.
        destruct (Z.eq_dec (V u r') 0) as [->|hne]; [pose proof (ind_range (r' <? t0)); pose proof (ind_range (win r')); nia|].
        destruct (V_facts u r' hu hne) as (hrel & hlim & _). destruct (V_recent u r' hu hne) as [hlo|(hwh & hlt)].
        - unfold win. rewrite hrel, (proj2 (Z.leb_le _ _) hlo), (proj2 (Z.leb_le _ _) hlim). cbn [andb ind]. pose proof (ind_range (r' <? t0)). nia.
        - pose proof (left_over u r' hu hwh hlt hne) as hk1. change (1 <= K u r') in hk1. rewrite (proj2 (Z.ltb_lt r' t0) hlt). cbn [ind].
          pose proof (ind_range (win r')). nia. }
      assert (hone : forall r', V u r' + ind (r' =? r) * spared u <= ind (r' <? t0) * (vol a u * K u r') + ind (win r') * vol a u).
      { intros r'. destruct (Z.eqb_spec r' r) as [->|hner]; cbn [ind]; [|specialize (hgen r'); lia].
        destruct (Z.eq_dec (spared u) 0) as [e0|hne0]; [specialize (hgen r); lia|].
        assert (hdu : dag S u = dag S v).
        { unfold spared, ona, onl in hne0. destruct (in_dec Z.eq_dec u after) as [hin|].
          - destruct (hafter u hin) as (_ & ha). now destruct (ancestor_facts S v u wf hun ha) as (_ & -> & _).
          - destruct (in_dec Z.eq_dec u l') as [hul|]; [|cbn [ind] in hne0; lia]. apply (path_nodes S l' v wf hv hl' u hul). }
        pose proof (V_spared u hu) as hs. assert (hk0 : 0 <= vol a u * K u r) by (specialize (hK u r); nia).
        enough (win r = true) as -> by (cbn [ind]; pose proof (ind_range (r <? t0)); nia). unfold win. rewrite hdu, hr. cbn [andb].
        destruct (bl_end_of _ _ _ _ _ _ B) as (hb0 & _). fold b in hb0. pose proof (F_nonneg S h g a laws F hF u hun).
        rewrite (proj2 (Z.leb_le (lo u) r)), (proj2 (Z.leb_le r (r + lim u))); [reflexivity | unfold lim; rewrite hdu; lia | unfold lo; destruct (whole (dag S u)); lia]. }
      transitivity (sum (fun r' => V u r' + ind (r' =? r) * spared u) (range 0 (t + 1))).
      { rewrite sum_add. apply Z.add_le_mono; [apply Z.le_refl|]. rewrite (sum_unique _ _ r); [rewrite Z.eqb_refl; cbn [ind]; lia | apply range_nodup | apply in_range; unfold t; lia|].
        intros r' _ hne. rewrite (proj2 (Z.eqb_neq r' r) hne). cbn [ind]. lia. }
      transitivity (sum (fun r' => ind (r' <? t0) * (vol a u * K u r') + ind (win r') * vol a u) (range 0 (t + 1))); [apply sum_le; intros r' _; apply hone|].
      rewrite sum_add. apply Z.add_le_mono.
      - rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | |].
        + intros r' hr'. apply filter_In in hr'. destruct hr' as (hr' & hlt). rewrite in_range in *. apply Z.ltb_lt in hlt. lia.
        + intros r' _. specialize (hK u r'). nia.
      - rewrite sum_scale_r, Z.mul_comm. apply Z.mul_le_mono_nonneg_l; [lia|]. unfold releases, win.
        rewrite (sum_eq _ (fun r' => ind ((lo u <=? r') && (r' <=? r + lim u)) * ind (released h (dag S u) r')))
          by (intros r' _; destruct (released h (dag S u) r'), ((lo u <=? r') && (r' <=? r + lim u)); reflexivity).
        rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range].
        intros r' hr'. apply filter_In in hr'. destruct hr' as (_ & hw). apply andb_prop in hw. rewrite in_range. lia.
    Qed.
  End Since.

  Lemma sums_together cx there spared carry come come' own pieces cx' W' :
    cx + there + spared <= carry + come -> carry + come' - cx' <= W' -> come <= come' -> own + pieces <= spared -> cx = cx' -> there + pieces <= W' - own.
  Proof. lia. Qed.

  Theorem backlog_bounds after : NoDup after -> (forall u, In u after -> In u (on_pool S p) /\ ancestor S v u) ->
    sum (fun u => sum (meanwhile u) (range 0 (t + 1))) (on_pool S p) + sum (last a) (filter (fun y => pool S y =? p) l') <= W - sum (vol a) after.
  Proof.
    intros nd hafter. pose proof (legal_start lg _ _ hr) as hr0.
    destruct (last_failure (fun s => c <=? rate_of S g p psi s) 0 r hr0) as (t0 & ht0 & hbusy & hend).
    pose proof (left_and_come t0 ht0 ltac:(intros s hs; apply Z.leb_le; now apply hbusy)
      ltac:(destruct hend as [|hend]; [now left | right; now apply Z.leb_gt]) after hafter) as h1.
    pose proof (bl_work _ _ _ _ _ _ B (r - t0) ltac:(lia)) as h2. fold c b Y whole in h2.
    assert (h3 : sum (fun u => vol a u * releases (released h (dag S u)) (if whole (dag S u) then t0 else t0 - F u) (r + lim u + 1)) (on_pool S p)
              <= sum (fun u => vol a u * in_closed (period S (dag S u)) ((if whole (dag S u) then 0 else F u) + (r - t0) + lim u)) (on_pool S p)).
    { apply sum_le. intros u hu. destruct (on_p S p u hu) as (hun & _). pose proof (law_numbers laws u hun) as (_ & hvol & _).
      apply Z.mul_le_mono_nonneg_l; [lia|]. etransitivity; [apply (releases_closed_max _ _ (wf_period wf u hun) (legal_sporadic lg u hun))|].
      unfold in_closed. destruct (whole (dag S u)).
      - replace (r + lim u - t0) with (0 + (r - t0) + lim u) by ring. lia.
      - replace (r + lim u - (t0 - F u)) with (F u + (r - t0) + lim u) by ring. lia. }
    assert (h4 : sum (vol a) after + sum (last a) (filter (fun y => pool S y =? p) l')
              <= sum (fun u => ind (if in_dec Z.eq_dec u after then true else false) * vol a u + ind (if in_dec Z.eq_dec u l' then true else false) * last a u) (on_pool S p)).
    { rewrite sum_add. apply Z.add_le_mono.
      - transitivity (sum (fun u => ind (if in_dec Z.eq_dec u after then true else false) * vol a u) after).
        + apply sum_le. intros u hu. destruct (in_dec Z.eq_dec u after); [cbn [ind]; lia | contradiction].
        + apply sum_incl; [exact nd | intros u hu; now apply hafter|]. intros u hu. destruct (on_p S p u hu) as (hun & _). pose proof (law_numbers laws u hun) as (_ & hvol & _).
          destruct (in_dec Z.eq_dec u after); cbn [ind]; lia.
      - transitivity (sum (fun u => ind (if in_dec Z.eq_dec u l' then true else false) * last a u) (filter (fun y => pool S y =? p) l')).
        + apply sum_le. intros u hu. apply filter_In in hu. destruct (in_dec Z.eq_dec u l'); [cbn [ind]; lia | tauto].
        + apply sum_incl; [apply NoDup_filter, (path_nodup S l' v wf hv hl') | |].
          * intros u hu. apply filter_In in hu. destruct hu as (hu & hup). apply in_on_pool. split; [exact (proj1 (path_nodes S l' v wf hv hl' u hu)) | now apply Z.eqb_eq].
          * intros u hu. destruct (on_p S p u hu) as (hun & _). pose proof (law_numbers laws u hun) as (_ & hvol & _).
            destruct (in_dec Z.eq_dec u l'); cbn [ind]; lia. }
    refine (sums_together _ _ _ _ _ _ _ _ _ _ h1 h2 h3 h4 eq_refl).
  Qed.
End Left.

Section T10c.
  Context (S : system) (h : history) (wf : well_formed S) (lg : legal S h).

  Theorem T10c_safe g a full F v :
    keeps_laws S h g a -> (forall u, In u (nodes S) -> exec a u <= F u) ->
    (forall p, full p = true -> of_processors S a p /\ runs_or_waits S h g p) ->
    In v (nodes S) -> backlog_inequality S a full F v -> safe S h F v.
  Proof.
    intros laws hF hfull hv (M & share & excluded & lim & parallel & blk & there & hM & hpar & hblk & hexcl & hlim & hineq) r hr met.
    destruct (done h v r (r + F v)) eqn:missed; [reflexivity|]. exfalso.
    pose proof (F_nonneg S h g a laws F hF) as F0.
    destruct (late_path S h wf lg r v (r + F v) hv hr ltac:(specialize (F0 v hv); lia) missed) as (l & x & hl & hx & hxn & cover).
    assert (exists l', path S l' v /\ incl l l') as (l' & hl' & hincl).
    { destruct hx as [->|ha]; [exists l; split; [auto | apply incl_refl] | eapply path_goes_on; eauto]. }
    destruct (hineq l' hl') as (hthere & hsum).
    assert (hpath : forall y, In y l' -> excluded l' y = false /\ within (lim y) 0).
    { intros y hy. pose proof (path_ancestors S l' v hl' y hy) as ha.
      destruct (ancestor_or_self_facts S y v wf hv ha) as (hyn & _ & hyv). split.
      - destruct (excluded l' y) eqn:hd; [|reflexivity]. exfalso. exact (path_node_counts S v l' y wf hv hl' hy (hexcl l' y hl' hyn hd)).
      - eapply within_le; [apply limit_self, F0, hyn | apply hlim; auto]. }
    pose proof (fun q u r' s hu hp (_ : In q l') hq hs hw hwork hlow =>
      within_le _ _ _ (limit_sound S h g a wf lg laws F v r hv met q u r' s hu hp hq hs hw hwork hlow) (hlim q u hq hu hp)) as hl1.
    pose proof (fun u hu hd => never_meanwhile_at S v l' u r (hexcl l' u hl' hu hd)) as hexcl'.
    destruct hM as (Mpos & hshare).
    pose proof (fun y (hy : In y l') => hshare y (proj1 (path_nodes S l' v wf hv hl' y hy))) as hshare'.
    pose proof (fun y (hy : In y l') => blocked_work S h g a wf lg laws F hF v r hv met parallel blk y hpar
                     (proj1 (path_nodes S l' v wf hv hl' y hy)) (proj2 (path_nodes S l' v wf hv hl' y hy))
                       (hblk y (path_ancestors S l' v hl' y hy))) as hblk'.
    pose proof (fun u (hu : In u (nodes S)) => count_covers S h v r F lim (excluded l') u wf lg hr hu) as hcount.
    enough (M * (F v + 1) <= path_length S a M share blk l' + sum (fun p => share p * there l' p) (visited S l')) by nia.
    apply (late_impossible_within S h g a wf lg laws v r (F v) (F0 v hv) l x hl hx cover l' v hl' hv hincl blk hblk' (fun y s => path_paced S h g a l' v laws wf hv hl' y r s) M share (conj Mpos hshare') (there l')).
    intros p hp. destruct (hthere p hp) as [hle | (hf & W & after & [B] & nd & hafter & hle)].
    - etransitivity; [|exact hle].
      apply (counted_on_pool S h g a wf lg laws v r (F v) hr (F0 v hv) F lim l x hl hx cover l' v hl' hv eq_refl hincl hl1
        (fun _ u r' s _ hu _ => old_jobs_done S h g a lg laws F hF v r hv met u r' s hu) (excluded l') hexcl' hpath _ hcount p hp).
    - etransitivity; [|exact hle]. destruct (hfull p hf) as (h1 & h2).
      now apply (backlog_bounds S h wf lg g a laws F hF v r hv hr met missed l x hl hx cover l' hl' hincl p W B h1 h2 after nd hafter).
  Qed.
End T10c.
