(** What holds at the first due instant that is missed: which releases of other jobs matter. docs/theory/path.md, "Which jobs matter". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality.

(** All due instants before H are met. *)
Definition met_until (S : system) (h : history) (F : node -> Z) (H : Z) : Prop :=
  forall u r', In u (nodes S) -> released h (dag S u) r' = true -> r' + F u < H -> done h u r' (r' + F u) = true.

Lemma met_before_until S h F v r H : met_before S h F v r -> H <= r + F v -> met_until S h F H.
Proof. intros met hH u r' hu hr' hlt. apply met; auto. left. lia. Qed.

(** So what waits of a job released at r, up to then. *)
Section Until.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : counting_laws S h g a).
  Context (F : node -> Z) (H : Z) (met : met_until S h F H) (r : Z).

  Lemma ready_by_until q s : In q (nodes S) -> ready S h q r s = true -> r <= s <= H ->
    ready S h q r (Z.min s (r + ready_bound S F q)) = true.
  Proof.
    intros hq hready hs. pose proof (ready_bound_nonneg S F q).
    destruct (Z_le_gt_dec s (r + ready_bound S F q)) as [hle|hgt]; [now rewrite Z.min_l by lia|].
    rewrite Z.min_r by lia. apply ready_spec in hready. destruct hready as (hrel & _ & hdone).
    apply ready_spec. repeat split; [auto | lia|]. intros x hx.
    destruct (wf_preds wf q x hq hx) as (hxn & hxd & _). pose proof (ready_bound_spec S F q x hx).
    apply (legal_done lg x r (r + F x)); [|lia].
    apply met; auto; [congruence|]. lia.
  Qed.

  Lemma not_after_due_until q s : In q (nodes S) -> pending S h q r s = true -> r <= s <= H -> s <= r + F q.
  Proof.
    intros hq hp hs. pose proof (pending_released S h lg q r s hp) as (hrel & _). destruct (Z_le_gt_dec s (r + F q)) as [|hgt]; [auto|]. exfalso.
    apply pending_spec in hp. destruct hp as (_ & hnd).
    rewrite (legal_done lg q r (r + F q)) in hnd; [discriminate | | lia].
    apply met; [auto | auto|]. lia.
  Qed.

  (** What runs while a node of the job waits was released no later than [limit] says. *)
  Lemma limit_sound_until q u r' s :
    In u (nodes S) -> pool S u = pool S q -> In q (nodes S) -> r <= s <= H ->
    waits g q r s = true -> 0 < work g u r' s -> lower (order_of S (pool S q)) u r' q r = false -> within (limit S F q u) (r' - r).
  Proof.
    intros hu hpool hqn hs hw hwork hlow.
    pose proof (cl_waits laws q r s hqn hw) as hp.
    pose proof (cl_order laws q r u r' s hqn hu hpool hw hwork hlow) as hb.
    pose proof (not_after_due_until q s hqn hp hs) as hdue.
    destruct (cl_undone laws u r' s hu hwork) as (_ & hr's & _).
    assert (hready : (forall x, ready S h q r x = true -> r' <= x) -> r' - r <= ready_bound S F q).
    { intros hno. apply pending_spec in hp. destruct hp as (hre & _).
      pose proof (hno _ (ready_by_until q s hqn hre hs)). lia. }
    unfold limit. destruct (order_of S (pool S q)) as [|Y|pi|pi]; cbn [released_before] in hb.
    - cbn. auto.
    - cbn. lia.
    - destruct (Z.ltb_spec (pi u) (pi q)); [destruct hb as [|[]]; lia|].
      destruct (Z.eqb_spec (pi u) (pi q)); [|cbn; lia]. cbn. destruct hb as [|[]]; [lia | auto].
    - destruct (Z.ltb_spec (pi u) (pi q)); cbn; lia.
  Qed.
End Until.

Section Missed.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : counting_laws S h g a).
  Context (F : node -> Z) (F_exec : forall u, In u (nodes S) -> exec a u <= F u).

  Lemma F_nonneg u : In u (nodes S) -> 0 <= F u.
  Proof. intros hu. pose proof (cl_numbers laws u hu) as (? & _ & _). specialize (F_exec u hu). lia. Qed.

  (* All due instants before that of node v of the job released at r are met. *)
  Context (v : node) (r : Z) (hv : In v (nodes S)) (met : met_before S h F v r).
  Let t := r + F v.

  Lemma ready_by q s : In q (nodes S) -> ready S h q r s = true -> r <= s <= t ->
    ready S h q r (Z.min s (r + ready_bound S F q)) = true.
  Proof. apply (ready_by_until S h wf lg F t (met_before_until S h F v r t met (Z.le_refl _))). Qed.

  Lemma not_after_due q s : In q (nodes S) -> pending S h q r s = true -> r <= s <= t -> s <= r + F q.
  Proof. apply (not_after_due_until S h lg F t (met_before_until S h F v r t met (Z.le_refl _))). Qed.

  (** What runs while a node of the job waits was released no later than [limit] says. *)
  Lemma limit_sound_any q u r' s :
    In u (nodes S) -> pool S u = pool S q -> In q (nodes S) -> r <= s <= t ->
    waits g q r s = true -> 0 < work g u r' s -> lower (order_of S (pool S q)) u r' q r = false -> within (limit S F q u) (r' - r).
  Proof. apply (limit_sound_until S h g a wf lg laws F t (met_before_until S h F v r t met (Z.le_refl _))). Qed.

  Lemma limit_sound q u r' s :
    In u (nodes S) -> pool S u = pool S q -> ancestor_or_self S q v -> r <= s <= t ->
    waits g q r s = true -> 0 < work g u r' s -> lower (order_of S (pool S q)) u r' q r = false -> within (limit S F q u) (r' - r).
  Proof.
    intros hu hpool hq. apply limit_sound_any; auto. exact (proj1 (ancestor_or_self_facts S q v wf hv hq)).
  Qed.

  (** A job of u released F_u or more before r has ended u by r. *)
  Lemma old_jobs_done u r' s : In u (nodes S) -> r' <= r - F u -> r <= s -> work g u r' s = 0.
  Proof.
    intros hu hold hs. apply (counting_no_work S h g a u r' s laws hu). destruct (released h (dag S u) r') eqn:hrel; [|auto].
    pose proof (F_nonneg u hu). pose proof (cl_numbers laws u hu) as (? & _ & hz). pose proof (F_exec u hu).
    destruct (Z.eq_dec (F u) 0) as [h0|hne]; [left; apply hz; lia|]. right. right.
    apply (legal_done lg u r' (r' + F u)); [|lia]. apply met; auto. pose proof (F_nonneg v hv). unfold earlier. lia.
  Qed.

  (** Blocking: what goes on of lower priority while q waits. *)
  Lemma blocked_work parallel blk q :
    parallel_sound S parallel -> In q (nodes S) -> dag S q = dag S v -> blocking_covers S a F parallel blk q ->
    sum (fun s => ind (waits g q r s) *
           sum (fun u => sum (fun r' => ind (lower (order_of S (pool S q)) u r' q r) * work g u r' s) (range 0 (s + 1))) (on_pool S (pool S q)))
      (range r (t + 1)) <= blk q.
  Proof.
    intros hpar hq hqd hcovers.
    destruct (cl_lagging laws q r r (t + 1) hq) as (l & nd & hlen & hin & hsum).
    set (n := fun u => sum (fun ur : node * Z => ind (fst ur =? u)) l).
    etransitivity; [exact hsum|].
    assert (hon : forall ur, In ur l -> In (fst ur) (on_pool S (pool S q))).
    { intros (u, r') hul. destruct (hin u r' hul) as (hu & _). exact hu. }
    assert (hone : forall f, sum (fun ur => f (fst ur)) l = sum (fun u => n u * f u) (on_pool S (pool S q))).
    { intros f. unfold n. rewrite (sum_eq (fun u => sum (fun ur : node * Z => ind (fst ur =? u)) l * f u)
        (fun u => sum (fun ur : node * Z => ind (fst ur =? u) * f u) l))
        by (intros u _; now rewrite sum_scale_r).
      rewrite sum_exchange. apply sum_eq. intros ur hul. rewrite (sum_unique _ _ (fst ur)).
      - cbv beta. rewrite Z.eqb_refl. cbn [ind]. ring.
      - apply NoDup_filter, (wf_nodup wf).
      - now apply hon.
      - intros u _ hne. cbv beta. destruct (Z.eqb_spec (fst ur) u) as [e|]; [now elim hne|]. cbn [ind]. lia. }
    rewrite (hone (vol a)). apply hcovers.
    - intros u hu. split; [apply sum_nonneg; intros; apply ind_range|].
      pose proof (proj1 (in_on_pool S _ u) hu) as (hun & hup).
      pose proof (wf_period wf u hun) as hT. pose proof (legal_sporadic lg u hun) as hsp.
      set (rel := released h (dag S u)) in *. set (T := period S (dag S u)) in *.
      (* where the jobs of u lie that block q *)
      assert (hwindow : forall r', In (u, r') l ->
                rel r' = true /\ lag_floor S F q u < r' - r /\ r' - r <= ready_bound S F q /\ may_lag S q u = true /\
                (dag S u = dag S q -> r' = r -> parallel q u = true)).
      { intros r' hul. destruct (hin u r' hul) as (_ & hlow & (s & hs & hws & hwork) & (s0 & hs0 & hr's0)).
        pose proof (cl_waits laws q r s hq hws) as hpq. pose proof (pending_released S h lg q r s hpq) as (_ & hrs).
        destruct (cl_undone laws u r' s hun hwork) as (hrel & _).
        assert (hold : r - F u < r').
        { destruct (Z_lt_le_dec (r - F u) r') as [|hle]; [auto|]. rewrite (old_jobs_done u r' s hun hle ltac:(lia)) in hwork. lia. }
        split; [exact hrel|]. split; [|split; [|split]].
        - unfold lag_floor, lower in *. destruct (order_of S (pool S q)) as [|Y|pi|pi]; lia.
        - pose proof (proj1 (pending_spec S h q r s) hpq) as (hreq & _).
          pose proof (ready_by q s hq hreq ltac:(lia)) as hrb.
          destruct (Z_le_gt_dec (r' - r) (ready_bound S F q)) as [|hgt]; [auto|]. exfalso.
          rewrite (ready_stays S h lg q r (Z.min s (r + ready_bound S F q)) s0 hrb) in hs0 by lia. discriminate.
        - unfold may_lag, lower in *. destruct (order_of S (pool S q)); auto; discriminate.
        - intros hd ->. destruct (parallel q u) eqn:hpq'; [reflexivity|]. exfalso.
          destruct (hpar q u hq hun hpq') as [->|hcmp].
          + unfold lower in hlow. destruct (order_of S (pool S q)) as [|Y|pi|pi]; try discriminate; apply Z.ltb_lt in hlow; lia.
          + rewrite (counting_alone S h g a q u r s wf lg laws hq hun hws hcmp) in hwork. lia. }
      assert (hn : n u = sum (fun ur : node * Z => ind (fst ur =? u)) l) by reflexivity.
      (* the list of their releases *)
      set (rs := map snd (filter (fun ur : node * Z => fst ur =? u) l)).
      assert (hrs : forall r', In r' rs -> In (u, r') l).
      { intros r' hr'. apply in_map_iff in hr'. destruct hr' as ((u', x) & <- & hf). apply filter_In in hf. destruct hf as (hf & he).
        apply Z.eqb_eq in he. cbn in he. now subst u'. }
      assert (hnrs : n u = Z.of_nat (length rs)).
      { unfold rs. rewrite map_length, hn. clear. induction l as [|ur l IH]; [reflexivity|]. cbn [sum filter].
        destruct (fst ur =? u); cbn [ind length]; lia. }
      assert (hndrs : NoDup rs).
      { unfold rs. clear -nd. induction l as [|(u', x) l IH]; cbn; [constructor|]. inversion nd; subst. specialize (IH H2).
        destruct (Z.eqb_spec u' u) as [->|]; [|exact IH]. cbn. constructor; [|exact IH]. intros hx. apply in_map_iff in hx.
        destruct hx as ((u'', y) & <- & hf). apply filter_In in hf. destruct hf as (hf & he). apply Z.eqb_eq in he. cbn in he. subst u''.
        contradiction. }
      (* what a window holds *)
      assert (hcount : forall (f : Z -> bool) lo hi, (forall r', In r' rs -> f r' = true /\ lo <= r' < hi) ->
                Z.of_nat (length rs) <= sum (fun r' => ind (f r')) (range lo hi)).
      { intros f lo hi hall. transitivity (sum (fun r' => ind (f r')) rs).
        - rewrite (sum_eq _ (fun _ => 1)) by (intros r' hr'; destruct (hall r' hr') as (-> & _); reflexivity). rewrite sum_const. lia.
        - apply sum_incl; [exact hndrs | | intros; apply ind_range]. intros r' hr'. apply in_range. now apply hall. }
      rewrite hnrs. unfold count_lagging. fold T. set (floor := lag_floor S F q u) in *. set (A := ready_bound S F q) in *.
      pose proof (ready_bound_nonneg S F q) as hA. fold A in hA.
      destruct (may_lag S q u) eqn:hmay; cbn [negb].
      + destruct (Z.eqb_spec (dag S u) (dag S q)) as [hd|hd].
        * (* own jobs *)
          destruct l as [|ur0 l0] eqn:el.
          { unfold rs. cbn. pose proof (Z.div_pos A T hA hT). destruct (parallel q u && (floor <? 0)); lia. }
          assert (hrel : rel r = true).
          { destruct ur0 as (u0, r0). destruct (hin u0 r0 (or_introl eq_refl)) as (_ & _ & (s & _ & hws & _) & _).
            pose proof (pending_released S h lg q r s (cl_waits laws q r s hq hws)) as (hrq & _). unfold rel. now rewrite hd. }
          assert (hothers : Z.of_nat (length (filter (fun r' => negb (r' =? r)) rs)) <= Z.max 0 (cdiv (- floor - T) T) + A / T).
          { pose proof (counting_others rel T hT hsp r (- floor) A hrel) as hc.
            replace (r - - floor + 1) with (r + floor + 1) in hc by ring. rewrite (Z.min_r A (- T)) in hc by lia.
            rewrite (proj2 (Z.leb_le 0 A) hA) in hc. replace (- floor + - T) with (- floor - T) in hc by ring.
            etransitivity; [|exact hc]. unfold releases.
            transitivity (sum (fun r' => ind (rel r' && negb (r' =? r))) (filter (fun r' => negb (r' =? r)) rs)).
            - rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_const; lia|]. intros r' hr'. apply filter_In in hr'. destruct hr' as (hr' & hne).
              destruct (hwindow r' (hrs r' hr')) as (-> & _). now rewrite hne.
            - apply sum_incl; [now apply NoDup_filter | | intros; apply ind_range]. intros r' hr'. apply filter_In in hr'.
              destruct hr' as (hr' & _). destruct (hwindow r' (hrs r' hr')) as (_ & h1 & h2 & _). apply in_range. lia. }
          assert (hself : Z.of_nat (length rs) <= (if parallel q u && (floor <? 0) then 1 else 0)
            + Z.of_nat (length (filter (fun r' => negb (r' =? r)) rs))).
          { destruct (in_dec Z.eq_dec r rs) as [hin_r|hout].
            - destruct (hwindow r (hrs r hin_r)) as (_ & h1 & _ & _ & h5). rewrite (h5 hd eq_refl), (proj2 (Z.ltb_lt floor 0)) by lia.
              cbn [andb]. clear -hndrs hin_r. induction rs as [|y rs IH]; [easy|]. inversion hndrs; subst. cbn [filter length].
              destruct (Z.eqb_spec y r) as [->|hne]; cbn [negb].
              + enough (filter (fun r' => negb (r' =? r)) rs = rs) as -> by lia. clear -H1. induction rs as [|y rs IH]; [reflexivity|].
                cbn. destruct (Z.eqb_spec y r) as [->|]; [exfalso; apply H1; now left|]. cbn. f_equal. apply IH. intros hr. apply H1. now right.
              + destruct hin_r as [->|hin_r]; [contradiction|]. specialize (IH H2 hin_r). cbn [length]. lia.
            - enough (filter (fun r' => negb (r' =? r)) rs = rs) as -> by (destruct (parallel q u && (floor <? 0)); lia).
              clear -hout. induction rs as [|y rs IH]; [reflexivity|].
              cbn. destruct (Z.eqb_spec y r) as [->|]; [exfalso; apply hout; now left|]. cbn. f_equal. apply IH. intros hr. apply hout.
              now right. }
          lia.
        * pose proof (counting rel T hT hsp (r + floor) (r + A)) as hc. replace (r + A - (r + floor)) with (A - floor) in hc by ring.
          etransitivity; [|exact hc]. apply hcount. intros r' hr'. destruct (hwindow r' (hrs r' hr')) as (h0 & h1 & h2 & _). split;
            [exact h0 | lia].
      + destruct rs as [|r' rs'] eqn:ers; [cbn; lia|]. exfalso. destruct (hwindow r' (hrs r' (or_introl eq_refl))) as (_ & _ & _ & h4 & _).
        congruence.
    - etransitivity; [|exact hlen]. pose proof (hone (fun _ => 1)) as h1.
      rewrite (sum_eq (fun u => n u * 1) n) in h1 by (intros; ring). etransitivity;
        [exact (Z.eq_le_incl _ _ (eq_sym h1)) | rewrite sum_const; lia].
  Qed.
End Missed.
