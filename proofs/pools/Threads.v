(** Processors without preemption keep the laws of counted work: pieces of lower priority go on only if they had started before, one per
    processor. docs/theory/path.md, "Non-preemptive priority thread pools". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws pools.Platform pools.Counted.

Section Threads.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights).
  Context (p m : Z) (hkind : kind_of P p = Threads m) (nd : NoDup (nodes S)) (sp : sound_platform S P)
    (lg : legal S h) (ob : threads_obey S h P e p m).

  (* What runs at one instant and at a later one ran in between. *)
  Lemma runs_between u r t t' x : In u (on_pool S p) -> runs e u r t = true -> pending S h u r t' = true -> t <= x <= t' -> runs e u r x = true.
  Proof.
    intros hu hr hp hx. apply pending_spec in hp. destruct hp as (_ & hnd).
    replace x with (t + Z.of_nat (Z.to_nat (x - t))) by lia.
    assert (hle : t + Z.of_nat (Z.to_nat (x - t)) <= t') by lia. revert hle.
    generalize (Z.to_nat (x - t)) as n. induction n as [|n IH]; intros hle; [now rewrite Z.add_0_r|].
    destruct (thread_runs_on ob u r (t + Z.of_nat n) hu (IH ltac:(lia))) as [hd|hr'].
    - rewrite (legal_done lg u r _ t' hd) in hnd by lia. discriminate.
    - now replace (t + Z.of_nat (Datatypes.S n)) with (t + Z.of_nat n + 1) by lia.
  Qed.

  (* The tick at which it started. *)
  Lemma started u r t : In u (on_pool S p) -> runs e u r t = true ->
    exists x, 0 <= x <= t /\ runs e u r x = true /\ runs e u r (x - 1) = false.
  Proof.
    intros hu hr. pose proof (thread_pending ob u r t hu hr) as hp. pose proof (pending_released S h lg u r t hp) as (_ & hr0).
    destruct (first_such (fun x => runs e u r x) 0 t hr ltac:(lia)) as (x & hx & hrx & hfirst).
    exists x. split; [exact hx|]. split; [exact hrx|].
    destruct (Z.eq_dec x 0) as [->|hne]; [|apply hfirst; lia].
    destruct (runs e u r (0 - 1)) eqn:er; [|reflexivity].
    pose proof (pending_released S h lg u r _ (thread_pending ob u r _ hu er)) as (_ & ?). lia.
  Qed.

  Theorem threads_keep_laws : keeps_laws_on (on_pool S p) S h (counted_progress S h P e w) (counted_accounts S P w).
  Proof.
    assert (hn : forall u, In u (on_pool S p) ->
              In u (nodes S) /\ pool S u = p /\ kind_of P (pool S u) = Threads m /\ 0 <= length_of P u /\ 0 < m).
    { intros u hu. apply in_on_pool in hu. destruct hu as (hu & hp). rewrite hp. repeat split; auto; [now apply (sp_length sp)|].
      pose proof (sp_pool sp u hu) as h0. rewrite hp, hkind in h0. exact h0. }
    constructor; cbn [cap lagging exec last vol waits work counted_accounts counted_progress];
      intros u; intros; destruct (hn u ltac:(assumption)) as (hu & hp & hku & hl & hm); rewrite ?hku, ?hp, ?hkind in *.
    - lia.
    - lia.
    - apply andb_prop in H0. tauto.
    - apply ind_range.
    - destruct (runs e u r t) eqn:er; cbn in *; [|lia]. eapply thread_pending; eauto.
    - etransitivity; [|apply (thread_length ob u r b c); auto].
      apply sum_le. intros t _. destruct (pending S h u r t), (runs e u r t); cbn; lia.
    - now apply (thread_length ob).
    - rewrite sum_zero; [lia|]. intros t _. destruct (pending S h u r t), (runs e u r t); cbn; lia.
    - rewrite H0 in H1. destruct (runs e u r t); [|discriminate]. cbn [ind]. rewrite Z.mul_1_r. now apply (thread_length ob).
    - destruct (runs e u r t); cbn [ind]; lia.
    - apply andb_prop in H0. destruct H0 as (h1 & h2). apply negb_true_iff in h2.
      etransitivity; [apply (thread_conserving ob u r t); auto|].
      apply Z.eq_le_incl. apply sum_eq. intros u' hu'. apply sum_eq. intros r' _.
      cbn [work counted_progress]. destruct (hn u' hu') as (_ & _ & -> & _). reflexivity.
    - (* what started while v waited may go before it; what started earlier was ready earlier *)
      destruct (hn u0 ltac:(assumption)) as (_ & _ & hk0 & _). rewrite hk0 in *.
      apply andb_prop in H2. destruct H2 as (hpu & hnr). apply negb_true_iff in hnr.
      destruct (runs e u0 r' t) eqn:er; [|cbn in *; lia].
      destruct (started u0 r' t ltac:(assumption) er) as (x & hx & hrx & hbefore).
      destruct (pending S h u r x) eqn:hpx.
      + destruct (runs e u r x) eqn:erx; [|exact (thread_order ob u r x u0 r' ltac:(assumption) ltac:(assumption) hpx erx hrx hbefore)].
        rewrite (runs_between u r x t t) in hnr; auto; [discriminate | lia].
      + (* v was not ready at x: u0 was *)
        assert (hnready : ready S h u r x = false).
        { destruct (ready S h u r x) eqn:hre; [|reflexivity]. unfold pending in hpx. rewrite hre in hpx. cbn [andb] in hpx.
          apply negb_false_iff in hpx.
          apply pending_spec in hpu. destruct hpu as (_ & hnd). rewrite (legal_done lg u r x t hpx) in hnd by lia. discriminate. }
        assert (hno : ready_no_later S h u0 r' u r).
        { intros t' ht'. pose proof (thread_pending ob u0 r' x ltac:(assumption) hrx) as hp0. apply pending_spec in hp0. destruct hp0
            as (hr0 & _).
          apply (ready_stays S h lg u0 r' x t' hr0). destruct (Z_le_gt_dec x t') as [|hgt]; [auto|]. exfalso.
          rewrite (ready_stays S h lg u r t' x ht') in hnready by lia. discriminate. }
        unfold lower in H4. destruct (order_of S p) as [|Y|pi|pi]; cbn [before];
          [exact hno | apply Z.ltb_ge in H4; lia | |apply Z.ltb_ge in H4; lia].
        apply Z.ltb_ge in H4. destruct (Z.eq_dec (pi u) (pi u0)); [right; auto | left; lia].
    - (* the pieces that were running in the last tick before v was ready *)
      rename u into v. set (waiting := fun t => pending S h v r t && negb (runs e v r t)).
      destruct (existsb waiting (range b c)) eqn:some.
      + apply existsb_exists in some. destruct some as (s & hs & hws). rewrite in_range in hs.
        unfold waiting in hws. apply andb_prop in hws. destruct hws as (hps & hrs). apply negb_true_iff in hrs.
        pose proof (pending_released S h lg v r s hps) as (_ & hrs0). pose proof (proj1 (pending_spec S h v r s) hps) as (hres & _).
        destruct (first_such (ready S h v r) r s hres ltac:(lia)) as (x & hx & hrx & hfirst).
        assert (hnx : ready S h v r (x - 1) = false).
        { destruct (Z_le_gt_dec r (x - 1)) as [hle|hgt]; [apply hfirst; lia|].
          destruct (ready S h v r (x - 1)) eqn:hre; [|reflexivity]. apply ready_spec in hre. lia. }
        (* whatever of lower priority runs while v waits ran in tick x - 1 *)
        assert (hran : forall t u r', waiting t = true -> In u (on_pool S p) -> lower (order_of S p) u r' v r = true -> runs e u r' t = true ->
                  runs e u r' (x - 1) = true).
        { intros t u r' hwt hu' hlow er. unfold waiting in hwt. apply andb_prop in hwt. destruct hwt as (hpt & hrt). apply negb_true_iff in hrt.
          destruct (started u r' t hu' er) as (y & hy & hry & hbefore).
          assert (hyx : y <= x - 1).
          { destruct (Z_le_gt_dec y (x - 1)) as [|hgt]; [auto|]. exfalso.
            assert (hpy : pending S h v r y = true).
            { apply pending_spec. split; [apply (ready_stays S h lg v r x y hrx); lia|]. apply pending_spec in hpt. destruct hpt as (_ & hnd).
              destruct (done h v r y) eqn:hd; [|reflexivity]. rewrite (legal_done lg v r y t hd) in hnd by lia. discriminate. }
            assert (hnry : runs e v r y = false).
            { destruct (runs e v r y) eqn:erv; [|reflexivity]. rewrite (runs_between v r y t t ltac:(assumption) erv hpt ltac:(lia)) in hrt.
              discriminate. }
            pose proof (thread_order ob v r y u r' ltac:(assumption) hu' hpy hnry hry hbefore) as hb.
            apply before_not_lower in hb. congruence. }
          assert (hxt : x - 1 <= t).
          { destruct (Z_le_gt_dec (x - 1) t) as [|hgt]; [auto|]. exfalso. apply pending_spec in hpt. destruct hpt as (hret & _).
            rewrite (ready_stays S h lg v r t (x - 1) hret) in hnx by lia. discriminate. }
          apply (runs_between u r' y t (x - 1) hu' hry (thread_pending ob u r' t hu' er)). lia. }
        set (pairs := list_prod (on_pool S p) (range 0 (x - 1 + 1))).
        set (blocks_v := fun ur : node * Z => runs e (fst ur) (snd ur) (x - 1) && lower (order_of S p) (fst ur) (snd ur) v r &&
                           existsb (fun t => waiting t && runs e (fst ur) (snd ur) t) (range b c)).
        assert (hndp : NoDup pairs) by (apply nodup_prod; [apply NoDup_filter, nd | apply range_nodup]).
        exists (filter blocks_v pairs). split; [now apply NoDup_filter|]. split; [|split].
        * rewrite <- sum_length. etransitivity; [|apply (thread_capacity ob (x - 1))]. unfold running.
          rewrite <- (sum_prod (fun ur => ind (runs e (fst ur) (snd ur) (x - 1)))). apply sum_le. intros ur _. unfold blocks_v.
          destruct (runs e (fst ur) (snd ur) (x - 1)); cbn [andb ind]; [apply ind_range | lia].
        * intros u r' hin. apply filter_In in hin. destruct hin as (hin & hb). apply in_prod_iff in hin. destruct hin as (hu' & _).
          unfold blocks_v in hb. cbn [fst snd] in hb. rewrite !andb_true_iff in hb. destruct hb as ((hb1 & hb2) & hb3).
          split; [exact hu'|]. split; [exact hb2|]. split.
          -- apply existsb_exists in hb3. destruct hb3 as (t & ht & hb3). apply andb_prop in hb3. destruct hb3 as (hwt & hrt).
             exists t. rewrite in_range in ht. split; [exact ht|]. split; [exact hwt|].
             destruct (hn u hu') as (_ & _ & -> & _). rewrite hrt. cbn. lia.
          -- exists (x - 1). split; [exact hnx|]. now apply (thread_pending ob).
        * transitivity (sum (fun t => sum (fun ur => ind (waiting t) * ind (runs e (fst ur) (snd ur) t)) (filter blocks_v pairs)) (range b c)).
          -- apply sum_le. intros t ht. fold (waiting t). destruct (waiting t) eqn:ew; cbn [ind];
              [|rewrite Z.mul_0_l, sum_zero; [lia | intros; lia]].
             rewrite Z.mul_1_l.
             transitivity (sum (fun ur => ind (lower (order_of S p) (fst ur) (snd ur) v r && runs e (fst ur) (snd ur) t))
                             (list_prod (on_pool S p) (range 0 (t + 1)))).
             { rewrite sum_prod. apply Z.eq_le_incl. apply sum_eq. intros u hu'. apply sum_eq. intros r' _.
               destruct (hn u hu') as (_ & _ & -> & _). cbn [fst snd]. destruct (lower (order_of S p) u r' v r), (runs e u r' t); reflexivity. }
             rewrite sum_length.
             transitivity (sum (fun ur => ind (runs e (fst ur) (snd ur) t))
                             (filter (fun ur => lower (order_of S p) (fst ur) (snd ur) v r && runs e (fst ur) (snd ur) t)
                                (list_prod (on_pool S p) (range 0 (t + 1))))).
             { rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_const; lia|]. intros ur hur. apply filter_In in hur. destruct hur as (_ & hur).
               apply andb_prop in hur. destruct hur as (_ & ->). reflexivity. }
             etransitivity; [apply (sum_incl _ _ (filter blocks_v pairs))|].
             ++ apply NoDup_filter, nodup_prod; [apply NoDup_filter, nd | apply range_nodup].
             ++ intros (u, r') hin. apply filter_In in hin. destruct hin as (hin & hb). cbn [fst snd] in hb. apply andb_prop in hb.
               destruct hb as (hlow & hrt).
                apply in_prod_iff in hin. destruct hin as (hu' & _). pose proof (hran t u r' ew hu' hlow hrt) as hrx1.
                apply filter_In. split.
                ** apply in_prod_iff. split; [exact hu'|]. apply in_range.
                   pose proof (pending_released S h lg u r' (x - 1) (thread_pending ob u r' (x - 1) hu' hrx1)) as (_ & ?). lia.
                ** unfold blocks_v. cbn [fst snd]. rewrite hrx1, hlow. cbn [andb]. apply existsb_exists. exists t. now rewrite ew, hrt.
             ++ intros ur _. apply ind_range.
             ++ apply Z.eq_le_incl. apply sum_eq. intros ur _. lia.
          -- rewrite (sum_exchange (fun t ur => ind (waiting t) * ind (runs e (fst ur) (snd ur) t))). apply sum_le. intros ur hur.
             apply filter_In in hur. destruct hur as (hur & _). destruct ur as (u, r'). apply in_prod_iff in hur. destruct hur as (hu' & _).
             cbn [fst snd].
             destruct (hn u hu') as (_ & _ & -> & _). etransitivity; [|apply (thread_length ob u r' b c hu')].
             apply sum_le. intros t _. pose proof (ind_range (waiting t)). pose proof (ind_range (runs e u r' t)). nia.
      + exists []. split; [constructor|]. split; [cbn; lia|]. split; [easy|]. cbn [sum]. apply Z.eq_le_incl. apply sum_zero. intros t ht.
        destruct (waiting t) eqn:ew; [|unfold waiting in ew; rewrite ew; reflexivity]. exfalso.
        enough (existsb waiting (range b c) = true) by congruence. apply existsb_exists. eauto.
  Qed.
End Threads.
