(** The checker, and what its verdict is worth: if it accepts, every claimed bound holds in every schedule. *)

From Coq Require Import FMapPositive MSetPositive.
From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import pools.Platform pools.Counted pools.Configurations pools.Gpu pools.PlatformLaws.
From Rta Require Import path.Inequality path.T10n path.Together Ticks.
From Rta Require Import checker.Table checker.Input checker.Structure checker.Paths checker.Loads checker.Gpus.

(** Why a node's bound holds. *)
Inductive verdict := HoldsByT10n | HoldsByT10j | HoldsByT10g | NotShown.

Record result := {
  is_system : bool;                    (* numbers and references are in order *)
  bad_nodes : list Z;                  (* those whose numbers or references are not *)
  gpu_verdicts : list (Z * bool);      (* per gpu line: its weights are valid *)
  counted_as_run : bool;               (* nodes on processors count C *)
  verdicts : list (Z * verdict);       (* per node *)
}.

Section Check.
  Context (t : tables).
  Let S := the_system t.

  Definition judge (ups : table set) (blk : node -> Z) (M : Z) (paths : table (list entry)) (loads : table load_row) (v : Z) : verdict :=
    if check_paths t blk M paths v && check_T10n t ups M paths v then HoldsByT10n
    else match look loads (pool S v) with
         | None => NotShown
         | Some l =>
           if check_load t (pool S v) l then
             if check_T10j t l (l_carry l) v || check_T10j_quiet t l v then HoldsByT10j else if check_T10g t l v then HoldsByT10g else NotShown
           else NotShown
         end.

  Definition holds (d : verdict) : bool := match d with NotShown => false | _ => true end.

  (* All lines of one kind have rising numbers. *)
  Definition lines_rise (i : input) : bool :=
    rising 0 (map fst (i_pools i)) && rising 0 (map fst (i_dags i)) && rising 0 (map fst (i_gpus i)) && rising 0 (map fst (i_kernels i)).

  Definition check (i : input) : result :=
    let ups := compute_ups t in
    let M := compute_multiple t in
    let blocking := table_of (map (fun q => (q, compute_blocking t ups q)) (t_ids t)) in
    let blk := look_or 0 blocking in
    let paths := compute_paths t blk M in
    let pools := nodup Z.eq_dec (map (pool S) (t_ids t)) in
    let loads := table_of (map (fun p => (p, compute_load t p)) pools) in
    let system := check_structure t ups && check_multiple t M && forallb (check_paths t blk M paths) (t_ids t)
                    && lines_rise i in
    {| is_system := system;
       bad_nodes := filter (fun v => negb (check_node t v)) (t_ids t);
       gpu_verdicts := map (fun pg => (fst pg, check_gpu t (fst pg) (snd pg))) (i_gpus i);
       counted_as_run := forallb (on_processors t) (t_ids t);
       verdicts := if system then map (fun v => (v, judge ups blk M paths loads v)) (t_ids t) else [] |}.
End Check.

Definition check_input (i : input) : result := check (tables_of i) i.

Definition accepted_as_counted (r : result) : bool := is_system r && forallb (fun vd => holds (snd vd)) (verdicts r).

Definition accepted (r : result) : bool := accepted_as_counted r && forallb snd (gpu_verdicts r) && counted_as_run r.

(** The system, the platform and the bounds that a file describes. *)
Definition system_of (i : input) : system := the_system (tables_of i).
Definition platform_of (i : input) : platform := the_platform (tables_of i).
Definition bound_of (i : input) : node -> Z := bound (tables_of i).

Lemma judge_sound i v : In v (nodes (system_of i)) -> is_system (check_input i) = true ->
  forallb (fun vd => holds (snd vd)) (verdicts (check_input i)) = true ->
  reason (system_of i) (the_accounts (tables_of i)) (the_step (tables_of i)) (quiet_of (tables_of i)) (bound_of i) v.
Proof.
  intros hv hs hall. unfold check_input in hs, hall. set (t := tables_of i) in *. unfold check in hs, hall.
  cbn [is_system verdicts] in hs, hall. rewrite hs in hall.
  rewrite !andb_true_iff in hs. destruct hs as (((hst & hM) & hp) & _).
  rewrite forallb_forall in hall. rewrite forallb_forall in hp.
  match type of hall with context [map (fun v => (v, judge t ?u ?b ?M ?ps ?ls v)) _] =>
    set (ups := u) in *; set (blk := b) in *; set (m := M) in *; set (paths := ps) in *; set (loads := ls) in * end.
  specialize (hall (v, judge t ups blk m paths loads v)). cbn [snd] in hall.
  assert (hh : holds (judge t ups blk m paths loads v) = true) by (apply hall; apply in_map_iff; exists v; auto).
  unfold judge in hh.
  assert (hblk : forall q, In q (nodes (the_system t)) -> blk q = compute_blocking t ups q).
  { intros q hq. unfold blk, look_or. rewrite (table_of_spec _ q (compute_blocking t ups q)); [reflexivity | | |].
    - rewrite map_map, map_id. apply (ids_ok i ups hst).
    - rewrite map_map, map_id. apply (ids_ok i ups hst).
    - apply in_map_iff. exists q. auto. }
  destruct (check_paths t blk m paths v && check_T10n t ups m paths v) eqn:e1.
  - apply andb_prop in e1. apply by_T10n. eapply T10n_checked; try eassumption; tauto.
  - destruct (look loads (pool (the_system t) v)) as [l|] eqn:el; [|discriminate].
    destruct (check_load t (pool (the_system t) v) l) eqn:e2; [|discriminate].
    destruct (check_T10j t l (l_carry l) v || check_T10j_quiet t l v) eqn:e3.
    { apply orb_prop in e3. destruct e3 as [e3|e3]; [eapply T10j_checked; eauto|]. eapply T10j_quiet_checked; eauto.
      unfold loads in el. apply table_of_in in el.
      - apply in_map_iff in el. destruct el as (p & heq & _). injection heq as -> <-. reflexivity.
      - intros p hin. rewrite map_map, map_id in hin. apply nodup_In, in_map_iff in hin. destruct hin as (u & <- & hu).
        now apply (pools_nonneg i ups hst). }
    destruct (check_T10g t l v) eqn:e4; [eapply T10g_checked; eauto | discriminate].
Qed.

(** Counted work alone: the bounds hold wherever the laws of counted work do, for the accounts of the file. *)
Theorem check_sound_for_laws i h g :
  accepted_as_counted (check_input i) = true ->
  legal (system_of i) h -> keeps_laws (system_of i) h g (the_accounts (tables_of i)) -> steps (system_of i) g (the_step (tables_of i)) ->
  quiet_holds (system_of i) g (the_accounts (tables_of i)) (quiet_of (tables_of i)) ->
  forall v, In v (nodes (system_of i)) -> ends_within (system_of i) h v (bound_of i v).
Proof.
  intros hacc lg laws hstep hquiet. unfold accepted_as_counted in hacc. apply andb_prop in hacc. destruct hacc as (hs & hv).
  assert (hst : check_structure (tables_of i) (compute_ups (tables_of i)) = true).
  { unfold check_input, check in hs. cbn [is_system] in hs. rewrite !andb_true_iff in hs. tauto. }
  pose proof (structure_sound i _ hst) as wf.
  apply (bounds_hold (system_of i) h wf lg).
  - intros v hvn. pose proof (node_is_ok i _ hst v hvn) as hok. pose proof (ok_bound i v hok). pose proof (ok_numbers i v hok) as (? & _).
    unfold bound_of. lia.
  - intros v hvn. exists g, (the_accounts (tables_of i)), (the_step (tables_of i)), (quiet_of (tables_of i)).
    split; [exact laws|]. split; [exact hstep|]. split; [exact hquiet|]. split.
    + intros u hu. exact (ok_bound i u (node_is_ok i _ hst u hu)).
    + eapply judge_sound; eauto.
Qed.

(** What acceptance says of the platform. *)
Lemma accepted_facts i : accepted (check_input i) = true ->
  well_formed (system_of i) /\ sound_platform (system_of i) (platform_of i) /\
  (forall u, In u (nodes (system_of i)) -> length_of (platform_of i) u <= bound_of i u) /\
  all_weights_valid (system_of i) (platform_of i) (the_weights (tables_of i)) /\
  quiet_by_configurations (system_of i) (platform_of i) (the_weights (tables_of i)) (quiet_of (tables_of i)) /\
  (forall u, In u (nodes (system_of i)) ->
     (the_step (tables_of i) (pool (system_of i) u) |
      match kind_of (platform_of i) (pool (system_of i) u) with Processors _ | Threads _ => 1
        | Gpu _ => weight (the_weights (tables_of i)) u end)) /\
  forall v, In v (nodes (system_of i)) ->
    let a := counted_accounts (system_of i) (platform_of i) (the_weights (tables_of i)) in
    let b := the_accounts (tables_of i) in
    (cap a (pool (system_of i) v) = cap b (pool (system_of i) v) /\ lagging a (pool (system_of i) v) = lagging b (pool (system_of i) v)) /\
    exec a v = exec b v /\ last a v = last b v /\ vol a v = vol b v.
Proof.
  intros hacc. unfold accepted in hacc. rewrite !andb_true_iff in hacc. destruct hacc as ((hcounted & hg) & hc).
  pose proof hcounted as hs. unfold accepted_as_counted in hs. apply andb_prop in hs. destruct hs as (hs & _).
  assert (hst : check_structure (tables_of i) (compute_ups (tables_of i)) = true /\ rising 0 (map fst (i_gpus i)) = true).
  { unfold check_input, check, lines_rise in hs. cbn [is_system] in hs. rewrite !andb_true_iff in hs. tauto. }
  destruct hst as (hst & hrise). pose proof (structure_sound i _ hst) as wf.
  assert (gpus_ok : forall p g, look (t_gpus (tables_of i)) p = Some g -> check_gpu (tables_of i) p g = true).
  { intros p g0 hl. unfold tables_of in hl. cbn [t_gpus] in hl. apply table_of_in in hl; [|now apply rising_spec].
    unfold check_input, check in hg. cbn [gpu_verdicts] in hg. rewrite forallb_forall in hg.
    apply (hg (p, check_gpu (tables_of i) p g0)). apply in_map_iff. exists (p, g0). auto. }
  assert (processors_ok : forall u, In u (nodes (system_of i)) -> on_processors (tables_of i) u = true).
  { unfold check_input, check in hc. cbn [counted_as_run] in hc. rewrite forallb_forall in hc. exact hc. }
  split; [exact wf|]. split; [|split; [|split; [|split; [|split]]]].
  - constructor.
    + intros u hu. apply (ok_numbers i u (node_is_ok i _ hst u hu)).
    + intros u hu. pose proof (node_is_ok i _ hst u hu) as hok. unfold platform_of, the_platform. cbn [kind_of].
      destruct (look (t_gpus (tables_of i)) (pool (system_of i) u)) as [g0|] eqn:e0.
      * pose proof (gpus_ok _ _ e0) as h0. pose proof (kernel_checked (tables_of i) gpus_ok u g0 hu e0) as hk.
        unfold check_gpu in h0. rewrite !andb_true_iff in h0. unfold check_kernel in hk. rewrite !andb_true_iff in hk.
        destruct h0 as (((((((h1 & h2) & h3) & h4) & h5) & hpre) & h6) & h7). destruct hk as (((((k1 & k2) & k3) & k4) & k5) & k6).
        apply Z.ltb_lt in h1, k2. repeat split; auto.
        change (order_of (the_system (tables_of i))) with (order_of (system_of i)) in h5.
        left.
        destruct (order_of (system_of i) (pool (system_of i) u)); auto; discriminate.
      * pose proof (ok_cap i u hok) as hcap. destruct (p_preemptive (pool_of (tables_of i) (pool (system_of i) u))); exact hcap.
  - intros u hu. exact (ok_bound i u (node_is_ok i _ hst u hu)).
  - exact (all_weights_checked (tables_of i) gpus_ok (wf_nodup wf)).
  - exact (quiet_checked (tables_of i) (wf_nodup wf)).
  - exact (fun u hu => steps_checked (tables_of i) gpus_ok processors_ok u hu).
  - exact (fun u hu => accounts_checked (tables_of i) gpus_ok processors_ok u hu).
Qed.

(** Soundness. If the checker accepts a file, then in every execution of its system on its platform every job of every node v has ended
    bound_of v after the release of its DAG: with times in the file's unit and events at multiples of 1/k of it, for every k >= 1. *)
Theorem check_sound i k h e :
  accepted (check_input i) = true -> 0 < k -> system_obeys (finer k (system_of i)) h (finer_platform k (platform_of i)) e ->
  forall v r, In v (nodes (system_of i)) -> released h (dag (system_of i) v) r = true -> done h v r (r + k * bound_of i v) = true.
Proof.
  intros hacc hk so v r hv hr. destruct (accepted_facts i hacc) as (wf & sp & hF & hw & hquiet & hstep & hequal).
  pose proof hacc as hr0. unfold accepted in hr0. rewrite !andb_true_iff in hr0. destruct hr0 as ((hcounted & _) & _).
  unfold accepted_as_counted in hcounted. apply andb_prop in hcounted. destruct hcounted as (hs & hvs).
  pose proof (well_formed_finer k hk (system_of i) wf) as wf'.
  set (w := the_weights (tables_of i)) in *. set (a := the_accounts (tables_of i)) in *.
  assert (sp' : sound_platform (finer k (system_of i)) (finer_platform k (platform_of i))) by (now apply sound_platform_finer).
  refine (bounds_hold (finer k (system_of i)) h wf' (so_legal so) (fun u => k * bound_of i u) _ _ v hv r hr).
  - intros u hu. pose proof (sp_length sp u hu). specialize (hF u hu). nia.
  - intros u hu. exists (counted_progress (finer k (system_of i)) h (finer_platform k (platform_of i)) e w), (finer_accounts k a),
      (the_step (tables_of i)),
      (fun p => finer_limit k (quiet_of (tables_of i) p)).
    split; [|split; [|split; [|split]]].
    + eapply laws_for_equal_accounts; [|apply platform_keeps_laws; [exact (wf_nodup wf') | exact sp' | exact so | exact hw]].
      intros x hx. destruct (finer_counted k (system_of i) (platform_of i) w x hx) as ((e1 & e0) & e2 & e3 & e4).
      destruct (hequal x hx) as ((f1 & f0) & f2 & f3 & f4). rewrite e0, e1, e2, e3, e4. cbn [cap lagging exec last vol finer_accounts].
      change (pool (finer k (system_of i)) x) with (pool (system_of i) x). rewrite f0, f1, f2, f3, f4. auto.
    + now apply steps_finer.
    + refine (quiet_for_equal_accounts _ _ _ (finer_accounts k (counted_accounts (system_of i) (platform_of i) w)) _ _ _).
      * intros x hx. destruct (hequal x hx) as ((f1 & _) & f2 & _). cbn [cap exec finer_accounts].
        change (pool (finer k (system_of i)) x) with (pool (system_of i) x).
        rewrite f1, f2. auto.
      * now apply quiet_finer.
    + intros x hx. destruct (hequal x hx) as (_ & f2 & _ & _).
      assert (hle : exec a x <= bound_of i x) by (rewrite <- f2; exact (hF x hx)).
      cbn [exec finer_accounts]. now apply Z.mul_le_mono_nonneg_l; [lia|].
    + apply reason_finer; auto. eapply judge_sound; eauto.
Qed.

(** What the system is, line by line: tables lose nothing of a file that is accepted. *)
Theorem reads_file i : is_system (check_input i) = true ->
  nodes (system_of i) = map fst (i_nodes i) /\
  (forall v n, In (v, n) (i_nodes i) ->
     dag (system_of i) v = n_dag n /\ pool (system_of i) v = n_pool n /\ preds (system_of i) v = n_preds n /\
     length_of (platform_of i) v = n_exec n /\ bound_of i v = n_bound n) /\
  (forall d T, In (d, T) (i_dags i) -> period (system_of i) d = T) /\
  (forall p r, In (p, r) (i_pools i) -> order_of (system_of i) p = order_of_pool (tables_of i) p /\ pool_of (tables_of i) p = r) /\
  (forall v k, In (v, k) (i_kernels i) -> kernel (tables_of i) v = k) /\
  (forall p g, In (p, g) (i_gpus i) -> kind_of (platform_of i) p = Gpu (gpu_of (tables_of i) p g)).
Proof.
  intros hs. unfold check_input, check, lines_rise in hs. cbn [is_system] in hs. rewrite !andb_true_iff in hs.
  destruct hs as (((hst & _) & _) & (((r1 & r2) & r3) & r4)).
  assert (hread : forall A (l : list (Z * A)) z x, rising 0 (map fst l) = true -> In (z, x) l -> look (table_of l) z = Some x).
  { intros A l z x hrise hin. destruct (rising_spec _ _ hrise) as (nd & nn). now apply table_of_spec. }
  assert (r0 : rising 0 (map fst (i_nodes i)) = true) by (unfold check_structure in hst; rewrite !andb_true_iff in hst; tauto).
  split; [reflexivity|]. split; [|split; [|split; [|split]]].
  - intros v n hin. pose proof (hread _ _ _ _ r0 hin) as e.
    assert (hrow : row (tables_of i) v = n) by (unfold row, look_or; cbn; now rewrite e).
    unfold bound_of, bound. cbn. rewrite hrow. repeat split.
  - intros d T hin. cbn. unfold look_or. now rewrite (hread _ _ _ _ r2 hin).
  - intros p r hin. split; [reflexivity|]. unfold pool_of, look_or. cbn. now rewrite (hread _ _ _ _ r1 hin).
  - intros v k hin. unfold kernel, look_or. cbn. now rewrite (hread _ _ _ _ r4 hin).
  - intros p g hin. cbn. now rewrite (hread _ _ _ _ r3 hin).
Qed.
