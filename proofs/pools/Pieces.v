(** Threads without preemption: what goes on when a node is ready. docs/theory/path.md, "T10d without preemption". *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Threads pools.Gpu pools.Busy path.Walk path.Meanwhile path.Started path.Visit.

(** When a node ends, one of its pool's threads does not go on with what it ran: the one that ran the node, or took it and ended it at once. *)
Definition a_thread_ends (S : system) (h : history) (P : platform) (e : execution) : Prop := forall x r t m, In x (nodes S) ->
  kind_of P (pool S x) = Threads m -> done h x r t = false -> done h x r (t + 1) = true ->
  sum (fun u => sum (fun r' => ind (runs e u r' t && negb (done h u r' (t + 1)))) (range 0 (t + 1))) (on_pool S (pool S x)) <= m - 1.

Definition platform_keeps (P : platform) (p : Z) : bool := match kind_of P p with Threads _ => true | _ => false end.

Section Pieces.
  Context (S : system) (h : history) (P : platform) (e : execution) (w : weights).
  Context (wf : well_formed S) (sp : sound_platform S P) (so : system_obeys S h P e).

  Theorem platform_meets_few : a_thread_ends S h P e -> meets_few S h (counted_progress S h P e w) (counted_accounts S P w).
  Proof.
    intros hends q r c hq. pose proof (so_legal so) as lg. set (p := pool S q). assert (hqp : In q (on_pool S p)) by now apply in_on_pool.
    pose proof (so_pools so p) as ob. unfold pool_obeys in ob. pose proof (sp_pool sp q hq) as hkind. fold p in hkind.
    cbn [lagging counted_accounts waits work counted_progress]. fold p. destruct (kind_of P p) as [m|m|G] eqn:hk.
    - exists []. split; [cbn; lia|]. split; [intros; cbn; lia|]. intros u r' s hu _ hw hwk hlow. exfalso. pose proof (proj1 (in_on_pool S p u) hu) as (_ & hup).
      rewrite hup, hk in hwk. apply andb_prop in hw. destruct hw as (hp & hr). apply negb_true_iff in hr. destruct (runs e u r' s) eqn:er; [|cbn in hwk; lia].
      pose proof (run_order ob q r s u r' hqp hu hp hr er) as hb. apply before_not_lower in hb. congruence.
    - destruct (existsb (ready S h q r) (range 0 c)) eqn:hsome.
      + apply existsb_exists in hsome. destruct hsome as (s1 & hs1 & hre1). rewrite in_range in hs1.
        pose proof (proj1 (ready_spec S h q r s1) hre1) as (_ & hrs1 & _).
        destruct (first_such (ready S h q r) r s1 hre1 hrs1) as (x & hx & hrx & hfirst).
        assert (hnx : ready S h q r (x - 1) = false).
        { destruct (Z_le_gt_dec r (x - 1)) as [hle|hgt]; [apply hfirst; lia|].
          destruct (ready S h q r (x - 1)) eqn:hre; [|reflexivity]. apply ready_spec in hre. lia. }
        set (goes := fun ur : node * Z => runs e (fst ur) (snd ur) (x - 1) && negb (done h (fst ur) (snd ur) x)).
        set (pairs := list_prod (on_pool S p) (range 0 (x - 1 + 1))). exists (filter goes pairs).
        assert (hlen : Z.of_nat (length (filter goes pairs)) = sum (fun u => sum (fun r' => ind (runs e u r' (x - 1) && negb (done h u r' x))) (range 0 (x - 1 + 1))) (on_pool S p)).
        { rewrite <- sum_length. unfold pairs. now rewrite sum_prod. }
        rewrite hlen. split; [|split].
        * etransitivity; [|apply (thread_capacity ob (x - 1))]. unfold running. apply sum_le. intros u _. apply sum_le. intros r' _.
          destruct (runs e u r' (x - 1)); cbn [andb ind]; [apply ind_range | lia].
        * intros z hz hzp hf. destruct (wf_preds wf q z hq hz) as (hzn & _). etransitivity; [|apply Z.le_max_r].
          pose proof (hends z r (x - 1) m hzn) as he. rewrite hzp in he. fold p in he. replace (x - 1 + 1) with x in * by ring. apply he; auto.
          -- destruct (done h z r (x - 1)) eqn:hd; [|reflexivity]. rewrite (hf _ hd) in hnx. discriminate.
          -- apply ready_spec in hrx. now apply hrx.
        * intros u r' s hu _ hw hwk hlow. pose proof (proj1 (in_on_pool S p u) hu) as (_ & hup). rewrite hup, hk in hwk.
          apply andb_prop in hw. destruct hw as (hp & hr). apply negb_true_iff in hr. destruct (runs e u r' s) eqn:er; [|cbn in hwk; lia].
          pose proof (thread_pending ob u r' s hu er) as hpu. destruct (started S h P e p m lg ob u r' s hu er) as (y & hy & hry & hbefore).
          pose proof (proj1 (pending_spec S h q r s) hp) as (hres & hnds).
          assert (hxs : x - 1 < s).
          { destruct (Z_lt_le_dec (x - 1) s) as [|hle]; [auto|]. rewrite (ready_stays S h lg q r s (x - 1) hres hle) in hnx. discriminate. }
          assert (hyx : y <= x - 1).
          { destruct (Z_le_gt_dec y (x - 1)) as [|hgt]; [auto|]. exfalso.
            assert (hpy : pending S h q r y = true).
            { apply pending_spec. split; [apply (ready_stays S h lg q r x y hrx); lia|].
              destruct (done h q r y) eqn:hd; [|reflexivity]. rewrite (legal_done lg q r y s hd) in hnds by lia. discriminate. }
            assert (hnry : runs e q r y = false).
            { destruct (runs e q r y) eqn:erv; [|reflexivity]. rewrite (runs_between S h P e p m lg ob q r y s s hqp erv hp) in hr by lia. discriminate. }
            pose proof (thread_order ob q r y u r' hqp hu hpy hnry hry hbefore) as hb. apply before_not_lower in hb. congruence. }
          pose proof (runs_between S h P e p m lg ob u r' y s (x - 1) hu hry hpu ltac:(lia)) as hrx1.
          pose proof (thread_pending ob u r' (x - 1) hu hrx1) as hpx. pose proof (pending_released S h lg u r' (x - 1) hpx) as (_ & hr').
          split; [|exists (x - 1); split; [exact hnx | exact hpx]]. apply filter_In. split; [apply in_prod_iff; split; [exact hu | apply in_range; lia]|].
          unfold goes. cbn [fst snd]. rewrite hrx1. cbn [andb]. apply negb_true_iff. apply pending_spec in hpu. destruct hpu as (_ & hnd).
          destruct (done h u r' x) eqn:hd; [|reflexivity]. rewrite (legal_done lg u r' x s hd) in hnd by lia. discriminate.
      + exists []. split; [cbn; lia|]. split; [intros; cbn; lia|]. intros u r' s _ hs hw _ _. exfalso. apply andb_prop in hw. destruct hw as (hp & _).
        pose proof (pending_released S h lg q r s hp) as (_ & hr0). apply pending_spec in hp. destruct hp as (hre & _).
        enough (existsb (ready S h q r) (range 0 c) = true) by congruence. apply existsb_exists. exists s. split; [apply in_range; lia | exact hre].
    - destruct hkind as (hsms & _ & [ho|((pi & ho) & _)]); fold p in ho; rewrite ho.
      { exists []. split; [cbn; lia|]. split; [intros; cbn; lia|]. intros u r' s _ _ _ _ hlow. discriminate. }
      assert (takes : forall x, In x (on_pool S p) -> (forall res, In res (resources G) -> 0 <= demand P x res) /\
                        exists res, In res (resources G) /\ 0 < demand P x res).
      { intros x hx. apply in_on_pool in hx. destruct hx as (hx & hxp). pose proof (sp_pool sp x hx) as hkx. rewrite hxp, hk in hkx.
        destruct hkx as (_ & _ & [hf|(_ & ht)]); [congruence | exact ht]. }
      destruct (lagging_kernels S h P e (wf_nodup wf) lg p G ob ltac:(lia) takes q r c hqp) as (met & _ & hlen & hmet & hall). exists met.
      split; [lia|]. split; [intros; lia|]. intros u r' s hu hs hw hwk hlow. pose proof (proj1 (in_on_pool S p u) hu) as (_ & hup). rewrite hup, hk in hwk.
      rewrite <- ho in hlow. pose proof (hall u r' s hu hs hw (worked_there P e (weight w) u r' s hwk) hlow) as hin. split; [exact hin | now apply hmet].
  Qed.

  Theorem platform_goes_on v : In v (nodes S) -> platform_keeps P (pool S v) = true -> goes_on S h (counted_progress S h P e w) v.
  Proof.
    intros hv hk r s s' hp hnw hs hp'. unfold platform_keeps in hk. pose proof (so_legal so) as lg. set (p := pool S v) in *.
    assert (hvp : In v (on_pool S p)) by now apply in_on_pool. pose proof (so_pools so p) as ob. unfold pool_obeys in ob.
    cbn [waits counted_progress] in *. fold p in hnw. fold p. destruct (kind_of P p) as [m|m|G] eqn:hkd; try discriminate.
    rewrite hp in hnw. cbn [andb] in hnw. apply negb_false_iff in hnw. rewrite (runs_between S h P e p m lg ob v r s s' s' hvp hnw hp') by lia.
    now rewrite andb_false_r.
  Qed.

  Lemma platform_lags p : platform_full P p = true -> lagging (counted_accounts S P w) p <= cap (counted_accounts S P w) p.
  Proof.
    intros hf. unfold platform_full in hf. cbn [lagging cap counted_accounts]. pose proof (so_pools so p) as ob. unfold pool_obeys in ob.
    destruct (kind_of P p) as [m|m|G]; [| lia | discriminate]. pose proof (run_capacity ob 0) as h1.
    enough (0 <= running S e p 0) by lia. apply sum_nonneg. intros u _. apply sum_nonneg. intros. apply ind_range.
  Qed.

  (** On threads what runs goes on until it has ended, in any order. *)
  Theorem platform_runs_whole p : platform_keeps P p = true -> runs_whole S h (counted_progress S h P e w) (counted_accounts S P w) p.
  Proof.
    intros hk. pose proof (so_legal so) as lg. assert (hfull : platform_full P p = true) by (unfold platform_keeps, platform_full in *; destruct (kind_of P p); congruence).
    split; [exact (proj1 (platform_full_holds S h P e w p so hfull))|]. intros u hu. pose proof (proj1 (in_on_pool S p u) hu) as (hun & hup).
    split; [apply platform_goes_on; [exact hun | now rewrite hup]|]. intros r s s' hwk hs hp'. unfold platform_keeps in hk.
    pose proof (so_pools so p) as ob. unfold pool_obeys in ob. cbn [work counted_progress] in *. rewrite hup in *.
    destruct (kind_of P p) as [m|m|G] eqn:hkd; try discriminate. destruct (runs e u r s) eqn:er; [|cbn in hwk; lia].
    rewrite (runs_between S h P e p m lg ob u r s s' s' hu er hp') by lia. reflexivity.
  Qed.
End Pieces.
