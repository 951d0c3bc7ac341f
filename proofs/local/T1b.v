(** T1b, T1be and T1bn: jobs released by themselves on m processors without preemption, GEL. docs/theory/cpu.md, "T1b, T1be, T1bn"; with
    release jitter and nominal periods docs/theory/jitter.md, "At offsets".

    With proven bounds B, U <= c <= m:
      R_k = C_k + (carry + D_k - C_k)/m,   carry = min(Q_c + N_(m-c), Q_(c-1) + N_(m-c+1))
    where Q_n is the sum of the n longest of ceil((B_i + J_i)/T_i) pieces of task i, N_n of ceil((min(B_i, Y_i - Y_k) + J_i)/T_i), and D_k as for
    T1re. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Jitter model.Laws.
From Rta Require Import pools.Platform pools.Threads local.Timely local.Linear local.Fifo.

Lemma firstn_in {A} n (l : list A) x : In x (firstn n l) -> In x l.
Proof. intros h. rewrite <- (firstn_skipn n l). apply in_app_iff. now left. Qed.

Lemma skipn_in {A} n (l : list A) x : In x (skipn n l) -> In x l.
Proof. intros h. rewrite <- (firstn_skipn n l). apply in_app_iff. now right. Qed.

Lemma nodup_parts {A} (l1 l2 : list A) : NoDup (l1 ++ l2) -> NoDup l1 /\ NoDup l2.
Proof.
  induction l1 as [|x l1 IH]; cbn; intros nd; [split; [constructor | exact nd]|]. inversion nd; subst. destruct (IH H2) as (h1 & h2).
  split; [constructor; auto; intros hin; apply H1, in_app_iff; now left | exact h2].
Qed.

Lemma filter_no_longer {A} (f : A -> bool) (l : list A) : (length (filter f l) <= length l)%nat.
Proof. induction l as [|x l IH]; cbn; [lia|]. destruct (f x); cbn; lia. Qed.

Section T1b.
  Context (S : system) (h : history) (P : platform) (e : execution).
  Context (wf : well_formed S) (sp : sound_platform S P) (lg : legal S h).
  Context (p m : Z) (hkind : kind_of P p = Threads m) (ob : threads_obey S h P e p m).
  Context (Y : node -> Z) (hord : order_of S p = Gel Y).
  Context (alone : forall u, In u (on_pool S p) -> preds S u = []).
  Let C := length_of P.
  (* Proven bounds, of some tasks. *)
  Context (B : node -> option Z) (hB : forall u b, In u (on_pool S p) -> B u = Some b -> ends_within S h u b).
  (* Releases come up to J after instants that are T apart; on_time: without jitter, T is the period and J is 0. *)
  Context (T J : Z -> Z) (nominal : Z -> Z -> Z) (late : jittered S h T J nominal) (hT : forall u, In u (on_pool S p) -> 0 < T (dag S u)).
  Context (c : Z) (c_range : 1 <= c <= m).

  Let arrivals (u : node) (len : Z) : Z := late_releases (T (dag S u)) (J (dag S u)) len.

  (** Of a task with no bound as yet there may be m. *)
  Definition pieces (u : node) : Z := match B u with None => m | Some b => arrivals u b end.
  Definition blocking_pieces (k u : node) : Z :=
    arrivals u (match B u with None => Y u - Y k | Some b => Z.min b (Y u - Y k) end).

  (** carry covers Q_(c-i) + N_(m-c+i). *)
  Definition carry_covers (k : node) (i carry : Z) : Prop := forall nq nn,
    (forall u, In u (on_pool S p) -> 0 <= nq u <= pieces u) -> sum nq (on_pool S p) <= c - i ->
    (forall u, In u (on_pool S p) -> 0 <= nn u <= blocking_pieces k u) -> sum nn (on_pool S p) <= m - c + i ->
    sum (fun u => nq u * C u) (on_pool S p) + sum (fun u => nn u * C u) (on_pool S p) <= carry.

  Definition released_before (k u : node) (x : Z) : Z := late_releases_closed (T (dag S u)) (J (dag S u)) (x + Y k - Y u).

  Lemma arrivals_nonneg u len : In u (on_pool S p) -> 0 <= arrivals u len.
  Proof.
    intros hu. pose proof (hT u hu). apply in_on_pool in hu. pose proof (jitter_nonneg late u ltac:(tauto)). unfold arrivals, late_releases.
    destruct (Z.ltb_spec 0 len); [apply cdiv_nonneg|]; lia.
  Qed.

  Lemma arrive u a b : In u (on_pool S p) -> releases (released h (dag S u)) (a + 1) (b + 1) <= arrivals u (b - a).
  Proof. intros hu. pose proof (hT u hu). apply in_on_pool in hu. now apply (late_counting S h T J nominal late u a b). Qed.

  Section Job.
    Context (k : node) (hk : In k (on_pool S p)) (r R : Z) (hr : released h (dag S k) r = true) (hR : C k <= R).
    Context (missed : done h k r (r + R) = false).
    Let t := r + R - C k.
    Let psi (ur : node * Z) : bool := snd ur + Y (fst ur) <=? r + Y k.
    Let run (ur : node * Z) (s : Z) : bool := runs e (fst ur) (snd ur) s.
    Let pend (ur : node * Z) (s : Z) : bool := pending S h (fst ur) (snd ur) s.
    Let All : list (node * Z) := list_prod (on_pool S p) (range 0 (t + 1)).

    Lemma all_in ur : In ur All <-> In (fst ur) (on_pool S p) /\ 0 <= snd ur <= t.
    Proof. destruct ur as (u, r'). unfold All. rewrite in_prod_iff, in_range. cbn [fst snd]. split; intros (h1 & h2); (split; [exact h1 | lia]). Qed.

    Lemma all_nodup : NoDup All.
    Proof. apply nodup_prod; [apply NoDup_filter, (wf_nodup wf) | apply range_nodup]. Qed.

    Lemma t_r : 0 <= r <= t.
    Proof. pose proof (legal_start lg _ _ hr). unfold t. lia. Qed.

    Lemma C_nonneg u : In u (on_pool S p) -> 0 <= C u.
    Proof. intros hu. apply in_on_pool in hu. now apply (sp_length sp). Qed.

    Lemma in_all u r' s : In u (on_pool S p) -> pending S h u r' s = true -> s <= t -> In (u, r') All.
    Proof. intros hu hp hs. apply all_in. pose proof (pending_released S h lg u r' s hp). cbn [fst snd]. split; [exact hu | lia]. Qed.

    (* The job itself is ready at r and waits up to t. *)
    Lemma job_pending s : r <= s <= r + R -> pending S h k r s = true.
    Proof.
      intros hs. apply pending_spec. split; [apply (ready_at_release S h k r (alone k hk) hr); lia|].
      destruct (done h k r s) eqn:hd; [|reflexivity]. rewrite (legal_done lg k r s (r + R) hd) in missed by lia. discriminate.
    Qed.

    Lemma job_waits s : s <= t -> runs e k r s = false.
    Proof.
      intros hs. destruct (runs e k r s) eqn:hrun; [|reflexivity]. exfalso. pose proof (C_nonneg k hk) as hC0.
      pose proof (thread_length ob k r s (r + R + 1) hk) as hl. fold C in hl.
      assert (hall : sum (fun x => ind (runs e k r x)) (range s (r + R + 1)) = r + R + 1 - s).
      { rewrite (sum_eq _ (fun _ => 1)); [rewrite sum_range_const; unfold t in *; lia|]. intros x hx. rewrite in_range in hx.
        rewrite (runs_between S h P e p m lg ob k r s (r + R) x hk hrun); [reflexivity | apply job_pending; unfold t in *; pose proof t_r; unfold t in *; lia | lia]. }
      unfold t in *. lia.
    Qed.

    Definition working (q : node * Z -> bool) (s : Z) : Z := sum (fun ur => ind (q ur) * ind (run ur s)) All.
    Let Ps := working psi.
    Let Ot := working (fun ur => negb (psi ur)).

    Lemma all_running s : s <= t -> Ps s + Ot s = running S e p s.
    Proof.
      intros hs. unfold Ps, Ot, working, running, All. rewrite <- sum_add, sum_prod. apply sum_eq. intros u hu.
      rewrite (sum_eq _ (fun r' => ind (runs e u r' s))) by (intros r' _; unfold run; cbn [fst snd]; destruct (psi (u, r')); cbn [negb ind]; lia).
      assert (h0 : forall r', s < r' -> ind (runs e u r' s) = 0).
      { intros r' hlt. destruct (runs e u r' s) eqn:hrun; [|reflexivity]. exfalso.
        pose proof (pending_released S h lg u r' s (thread_pending ob u r' s hu hrun)). lia. }
      destruct (Z_lt_le_dec s 0) as [hneg|hpos].
      - rewrite (range_nil 0 (s + 1)) by lia. cbn [sum]. apply sum_zero. intros r' hr'. rewrite in_range in hr'. apply h0. lia.
      - rewrite (sum_range_split _ 0 (s + 1) (t + 1)) by lia. rewrite (sum_zero _ (range (s + 1) (t + 1))); [lia|].
        intros r' hr'. rewrite in_range in hr'. apply h0. lia.
    Qed.

    Lemma working_nonneg q s : 0 <= working q s.
    Proof. apply sum_nonneg. intros ur _. pose proof (ind_range (q ur)). pose proof (ind_range (run ur s)). nia. Qed.

    Lemma at_most_m s : s <= t -> Ps s + Ot s <= m.
    Proof. intros hs. rewrite (all_running s hs). apply (thread_capacity ob). Qed.

    (* A job of Psi waits. *)
    Definition psi_waits (s : Z) : bool := existsb (fun ur => psi ur && pend ur s && negb (run ur s)) All.

    Lemma psi_waits_job s : r <= s <= t -> psi_waits s = true.
    Proof.
      intros hs. pose proof (C_nonneg k hk). apply existsb_exists. exists (k, r). split; [apply all_in; cbn [fst snd]; pose proof t_r; split; [exact hk | lia]|].
      unfold psi, pend, run. cbn [fst snd]. rewrite Z.leb_refl, job_pending, job_waits by (unfold t in *; lia). reflexivity.
    Qed.

    Lemma all_work s : s <= t -> psi_waits s = true -> m <= Ps s + Ot s.
    Proof.
      intros hs hw. apply existsb_exists in hw. destruct hw as ((y, q) & hin & hw). apply andb_prop in hw. destruct hw as (hw & hnr). apply andb_prop in hw.
      destruct hw as (_ & hp). apply negb_true_iff in hnr. apply all_in in hin. cbn [fst snd] in hin. rewrite (all_running s hs).
      apply (thread_conserving ob y q s); tauto.
    Qed.

    (* Then no other starts. *)
    Lemma no_start s ur : psi_waits s = true -> In ur All -> psi ur = false -> run ur s = true -> run ur (s - 1) = true.
    Proof.
      intros hw hin hps hrun. destruct (run ur (s - 1)) eqn:hb; [reflexivity|]. exfalso. apply existsb_exists in hw. destruct hw as ((y, q) & hyin & hw).
      apply andb_prop in hw. destruct hw as (hw & hnr). apply andb_prop in hw. destruct hw as (hpy & hp). apply negb_true_iff in hnr.
      apply all_in in hyin, hin. destruct ur as (u, r'). unfold run, pend, psi in *. cbn [fst snd] in *.
      pose proof (thread_order ob y q s u r' ltac:(tauto) ltac:(tauto) hp hnr hrun hb) as hbef. rewrite hord in hbef. cbn [before] in hbef.
      apply Z.leb_le in hpy. apply Z.leb_gt in hps. lia.
    Qed.

    Lemma no_start_since b s ur : (forall x, b <= x <= s -> psi_waits x = true) -> b <= s -> In ur All -> psi ur = false -> run ur s = true ->
      run ur (b - 1) = true.
    Proof.
      intros hw hbs hin hps hrun. revert hw hrun. replace s with (b + Z.of_nat (Z.to_nat (s - b))) by lia. generalize (Z.to_nat (s - b)) as n.
      induction n as [|n IH]; intros hw hrun.
      - rewrite Z.add_0_r in *. apply (no_start b ur); auto. apply hw. lia.
      - apply IH; [intros x hx; apply hw; lia|]. replace (b + Z.of_nat n) with (b + Z.of_nat (Datatypes.S n) - 1) by lia. apply no_start; auto.
        apply hw. lia.
    Qed.

    Lemma others_fall s : s <= t -> psi_waits s = true -> Ot s <= Ot (s - 1).
    Proof.
      intros hs hw. apply sum_le. intros ur hin. destruct (psi ur) eqn:hps; cbn [negb ind]; [lia|].
      destruct (run ur s) eqn:hrun; [|pose proof (ind_range (run ur (s - 1))); cbn [ind]; lia]. rewrite (no_start s ur hw hin hps hrun). lia.
    Qed.

    (** Lists of jobs, counted by node. *)
    Definition count_of (L : list (node * Z)) (u : node) : Z := sum (fun ur => ind (fst ur =? u)) L.

    Lemma count_of_nonneg L u : 0 <= count_of L u.
    Proof. apply sum_nonneg. intros; apply ind_range. Qed.

    Lemma sum_count_of L (f : node -> Z) : incl L All -> sum (fun u => count_of L u * f u) (on_pool S p) = sum (fun ur => f (fst ur)) L.
    Proof.
      intros hin. unfold count_of. rewrite (sum_eq _ (fun u => sum (fun ur => ind (fst ur =? u) * f u) L)) by (intros; now rewrite sum_scale_r).
      rewrite sum_exchange. apply sum_eq. intros ur hur. apply hin, all_in in hur.
      rewrite (sum_unique _ _ (fst ur)); [rewrite Z.eqb_refl; exact (Z.mul_1_l _) | apply NoDup_filter, (wf_nodup wf) | tauto|].
      intros u _ hne. destruct (Z.eqb_spec (fst ur) u); [congruence | reflexivity].
    Qed.

    Lemma sum_count L : incl L All -> sum (count_of L) (on_pool S p) = Z.of_nat (length L).
    Proof.
      intros hin. transitivity (sum (fun u => count_of L u * 1) (on_pool S p)); [apply sum_eq; intros; ring|].
      transitivity (sum (fun _ : node * Z => 1) L); [exact (sum_count_of L (fun _ => 1) hin)|]. rewrite sum_const. ring.
    Qed.

    Lemma count_released L u s len : NoDup L -> incl L All -> In u (on_pool S p) ->
      (forall r', In (u, r') L -> released h (dag S u) r' = true /\ s - len < r' <= s) -> count_of L u <= arrivals u len.
    Proof.
      intros nd hin hu hL. pose proof (arrive u (s - len) s hu) as hc.
      replace (s - (s - len)) with len in hc by ring. etransitivity; [|exact hc]. unfold count_of, releases.
      rewrite <- (Z.mul_1_r (sum _ L)), <- sum_scale_r, <- sum_filter with (f := fun _ => 1).
      transitivity (sum (fun _ => 1) (map snd (filter (fun ur : node * Z => fst ur =? u) L))); [rewrite sum_map; apply Z.le_refl|].
      transitivity (sum (fun r' => ind (released h (dag S u) r')) (map snd (filter (fun ur : node * Z => fst ur =? u) L))).
      - apply sum_le. intros r' hr'. apply in_map_iff in hr'. destruct hr' as ((u', r1) & e1 & hur). apply filter_In in hur. cbn [fst snd] in *.
        destruct hur as (hur & hu'). apply Z.eqb_eq in hu'. subst. destruct (hL _ hur) as (-> & _). cbn. lia.
      - apply sum_incl.
        + assert (nd' : NoDup (filter (fun ur : node * Z => fst ur =? u) L)) by now apply NoDup_filter.
          assert (hfst : forall ur, In ur (filter (fun ur : node * Z => fst ur =? u) L) -> fst ur = u).
          { intros ur hur. apply filter_In in hur. now apply Z.eqb_eq. }
          revert nd' hfst. generalize (filter (fun ur : node * Z => fst ur =? u) L). clear. intros l. induction l as [|(u1, r1) l IH]; intros nd hf; cbn; [constructor|].
          inversion nd; subst. constructor; [|apply IH; auto; intros; apply hf; now right].
          intros hin. apply in_map_iff in hin. destruct hin as ((u2, r2) & e2 & h2). cbn in e2. subst r2. pose proof (hf _ (or_introl eq_refl)).
          pose proof (hf _ (or_intror h2)). cbn in *. subst. contradiction.
        + intros r' hr'. apply in_map_iff in hr'. destruct hr' as ((u', r1) & e1 & hur). apply filter_In in hur. cbn [fst snd] in *.
          destruct hur as (hur & hu'). apply Z.eqb_eq in hu'. subst. destruct (hL _ hur) as (_ & hrange). apply in_range. lia.
        + intros; apply ind_range.
    Qed.

    (* Those that run at one instant: unfinished. *)
    Lemma run_released s ur : In ur All -> run ur s = true -> released h (dag S (fst ur)) (snd ur) = true /\ snd ur <= s.
    Proof.
      intros hin hrun. apply all_in in hin. destruct ur as (u, r'). unfold run in hrun. cbn [fst snd] in *.
      pose proof (thread_pending ob u r' s ltac:(tauto) hrun) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & hr').
      split; [exact hrel | lia].
    Qed.

    Lemma run_recent s ur b : In ur All -> run ur s = true -> B (fst ur) = Some b -> s - b < snd ur.
    Proof.
      intros hin hrun hb. apply all_in in hin. destruct ur as (u, r'). unfold run in hrun. cbn [fst snd] in *.
      pose proof (thread_pending ob u r' s ltac:(tauto) hrun) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & _).
      destruct (Z_lt_le_dec (s - b) r') as [|hle]; [auto|]. exfalso. apply pending_spec in hp. destruct hp as (_ & hnd).
      rewrite (legal_done lg u r' (r' + b) s) in hnd; [discriminate | exact (hB u b ltac:(tauto) hb r' hrel) | lia].
    Qed.

    Lemma count_pieces L s u : NoDup L -> incl L All -> Z.of_nat (length L) <= m -> (forall ur, In ur L -> run ur s = true) -> In u (on_pool S p) ->
      0 <= count_of L u <= pieces u.
    Proof.
      intros nd hin hlen hrun hu. split; [apply count_of_nonneg|]. unfold pieces. destruct (B u) as [b|] eqn:hb.
      - apply (count_released L u s); auto. intros r' hr'. destruct (run_released s (u, r') (hin _ hr') (hrun _ hr')) as (h1 & h2).
        pose proof (run_recent s (u, r') b (hin _ hr') (hrun _ hr') hb) as h3. cbn [fst snd] in *. split; [exact h1 | lia].
      - etransitivity; [|exact hlen]. rewrite <- (sum_count L hin). apply (sum_in (count_of L)); [intros; apply count_of_nonneg | exact hu].
    Qed.

    Lemma count_blocking L s u : NoDup L -> incl L All -> s < r -> (forall ur, In ur L -> run ur s = true /\ psi ur = false) -> In u (on_pool S p) ->
      0 <= count_of L u <= blocking_pieces k u.
    Proof.
      intros nd hin hs hrun hu. split; [apply count_of_nonneg|]. apply (count_released L u s); auto. intros r' hr'. destruct (hrun _ hr') as (h1 & h2).
      destruct (run_released s (u, r') (hin _ hr') h1) as (h3 & h4). cbn [fst snd] in *. unfold psi in h2. cbn [fst snd] in h2. apply Z.leb_gt in h2.
      split; [exact h3|]. destruct (B u) as [b|] eqn:hb; [|lia]. pose proof (run_recent s (u, r') b (hin _ hr') h1 hb) as h5. cbn [fst snd] in h5. lia.
    Qed.

    (* Their work from some instant on. *)
    Lemma work_of L b b' : incl L All -> sum (fun s => sum (fun ur => ind (run ur s)) L) (range b b') <= sum (fun ur => C (fst ur)) L.
    Proof.
      intros hin. rewrite sum_exchange. apply sum_le. intros ur hur. apply hin, all_in in hur. apply (thread_length ob). tauto.
    Qed.

    (** T1bn looks at what is there from r on. *)
    Definition since (u : node) (b : Z) : Z := arrivals u (b + Z.min (R - C k) (Y k - Y u)).

    Lemma since_work (bound : node -> Z) : (forall u, In u (on_pool S p) -> B u = Some (bound u)) ->
      m * (t + 1 - r) + C k <= sum (fun u => since u (bound u) * C u) (on_pool S p) + sum Ot (range r (t + 1)).
    Proof.
      intros hbound. pose proof t_r as htr.
      assert (hBk : 0 < bound k).
      { destruct (Z_lt_le_dec 0 (bound k)) as [|hle]; [auto|]. exfalso. pose proof (hB k _ hk (hbound k hk) r hr) as hd. pose proof (C_nonneg k hk).
        rewrite (legal_done lg k r (r + bound k) (r + R) hd) in missed by lia. discriminate. }
      assert (hall : m * (t + 1 - r) <= sum Ps (range r (t + 1)) + sum Ot (range r (t + 1))).
      { rewrite <- sum_add, <- sum_range_const by lia. apply sum_le. intros s hs. rewrite in_range in hs. apply all_work; [lia | apply psi_waits_job; lia]. }
      enough (sum Ps (range r (t + 1)) + C k <= sum (fun u => since u (bound u) * C u) (on_pool S p)) by lia.
      set (new := fun ur : node * Z => released h (dag S (fst ur)) (snd ur) && ((r - bound (fst ur) <? snd ur) && (snd ur <=? r + Z.min (R - C k) (Y k - Y (fst ur))))).
      assert (hnew : sum (fun ur => ind (new ur) * C (fst ur)) All <= sum (fun u => since u (bound u) * C u) (on_pool S p)).
      { unfold All. rewrite sum_prod. apply sum_le. intros u hu. unfold new. cbn [fst snd]. rewrite sum_scale_r.
        apply Z.mul_le_mono_nonneg_r; [now apply C_nonneg|]. pose proof (arrive u (r - bound u) (r + Z.min (R - C k) (Y k - Y u)) hu) as hc.
        unfold since. replace (bound u + Z.min (R - C k) (Y k - Y u)) with (r + Z.min (R - C k) (Y k - Y u) - (r - bound u)) by ring.
        etransitivity; [|exact hc]. unfold releases.
        rewrite (sum_eq _ (fun r' => ind ((r - bound u <? r') && (r' <=? r + Z.min (R - C k) (Y k - Y u))) * ind (released h (dag S u) r')))
          by (intros r' _; destruct (released h (dag S u) r'), ((r - bound u <? r') && (r' <=? r + Z.min (R - C k) (Y k - Y u))); reflexivity).
        rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range].
        intros r' hr'. apply filter_In in hr'. destruct hr' as (_ & hr'). apply andb_prop in hr'. destruct hr' as (e1 & e2).
        apply Z.ltb_lt in e1. apply Z.leb_le in e2. apply in_range. lia. }
      etransitivity; [|exact hnew].
      assert (hkr : In (k, r) All) by (apply all_in; cbn [fst snd]; split; [exact hk | lia]).
      unfold Ps, working. rewrite (sum_exchange (fun s ur => ind (psi ur) * ind (run ur s))).
      assert (hone : sum (fun ur => if (fst ur =? k) && (snd ur =? r) then C k else 0) All = C k).
      { rewrite (sum_unique _ _ (k, r)); [cbn [fst snd]; now rewrite !Z.eqb_refl | apply all_nodup | exact hkr|].
        intros (u, r') _ hne. cbn [fst snd]. destruct (Z.eqb_spec u k) as [->|], (Z.eqb_spec r' r) as [->|]; cbn [andb]; auto. now elim hne. }
      rewrite <- hone. rewrite <- sum_add. apply sum_le.
      intros ur hur. pose proof hur as hin. apply all_in in hin. destruct ur as (u, r'). cbn [fst snd] in *. destruct hin as (hu & hr').
      pose proof (C_nonneg u hu) as hCu. rewrite sum_scale.
      assert (hi2 : 0 <= ind (new (u, r')) * C u) by (pose proof (ind_range (new (u, r'))); nia).
      pose proof (thread_length ob u r' r (t + 1) hu) as hlen. fold C in hlen. change (sum (fun s => ind (run (u, r') s)) (range r (t + 1)) <= C u) in hlen.
      destruct ((u =? k) && (r' =? r)) eqn:hself.
      - apply andb_prop in hself. destruct hself as (e1 & e2). apply Z.eqb_eq in e1, e2. subst u r'.
        rewrite (sum_zero (fun s => ind (run (k, r) s))) by (intros s hs; rewrite in_range in hs; unfold run; cbn [fst snd]; rewrite job_waits by lia; reflexivity).
        unfold new. cbn [fst snd]. rewrite hr, (proj2 (Z.ltb_lt (r - bound k) r)), (proj2 (Z.leb_le r (r + Z.min (R - C k) (Y k - Y k)))) by lia. cbn [andb ind]. lia.
      - destruct (psi (u, r')) eqn:hps; cbn [ind]; [|lia]. rewrite Z.mul_1_l, Z.add_0_r.
        destruct (Z.eq_dec (sum (fun s => ind (run (u, r') s)) (range r (t + 1))) 0) as [->|hne]; [lia|].
        assert (hpos : 0 < sum (fun s => ind (run (u, r') s)) (range r (t + 1))).
        { enough (0 <= sum (fun s => ind (run (u, r') s)) (range r (t + 1))) by lia. apply sum_nonneg. intros; apply ind_range. }
        apply sum_pos_in in hpos. destruct hpos as (s & hs & hpos). rewrite in_range in hs. cbv beta in hpos.
        destruct (run (u, r') s) eqn:hrun; cbn [ind] in hpos; [|lia].
        destruct (run_released s (u, r') hur hrun) as (hrel & hle). pose proof (run_recent s (u, r') (bound u) hur hrun (hbound u hu)) as hrec.
        cbn [fst snd] in *. unfold psi in hps. cbn [fst snd] in hps. apply Z.leb_le in hps.
        enough (new (u, r') = true) as -> by (cbn [ind]; lia). unfold new. cbn [fst snd].
        rewrite hrel, (proj2 (Z.ltb_lt (r - bound u) r')), (proj2 (Z.leb_le r' (r + Z.min (R - C k) (Y k - Y u)))) by (unfold t in *; lia). reflexivity.
    Qed.

    Definition listed (q : node * Z -> bool) (s : Z) : list (node * Z) := filter (fun ur => q ur && run ur s) All.

    Lemma listed_in q s : incl (listed q s) All /\ NoDup (listed q s) /\ forall ur, In ur (listed q s) -> q ur = true /\ run ur s = true.
    Proof.
      split; [|split].
      - intros ur hur. apply filter_In in hur. tauto.
      - apply NoDup_filter, all_nodup.
      - intros ur hur. apply filter_In in hur. destruct hur as (_ & hur). now apply andb_prop in hur.
    Qed.

    Lemma listed_length q s : Z.of_nat (length (listed q s)) = working q s.
    Proof. unfold listed, working. rewrite <- sum_length. apply sum_eq. intros ur _. destruct (q ur), (run ur s); reflexivity. Qed.

    (* What others do from r on, of which nothing starts then. *)
    Lemma later_work : sum Ot (range r (t + 1)) <= sum (fun ur => C (fst ur)) (listed (fun ur => negb (psi ur)) (r - 1)).
    Proof.
      destruct (listed_in (fun ur => negb (psi ur)) (r - 1)) as (h1 & _ & _).
      etransitivity; [|apply (work_of _ r (t + 1) h1)]. apply sum_le. intros s hs. rewrite in_range in hs. unfold Ot, working.
      rewrite (sum_eq (fun ur => ind (negb (psi ur)) * ind (run ur s)) (fun ur => ind (negb (psi ur) && run ur s) * ind (run ur s)))
        by (intros ur _; destruct (psi ur), (run ur s); reflexivity).
      rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, all_nodup | | intros; apply ind_range].
      intros ur hur. apply filter_In in hur. destruct hur as (hin & hc). apply andb_prop in hc. destruct hc as (hps & hrun).
      apply filter_In. split; [exact hin|]. rewrite hps. apply negb_true_iff in hps.
      rewrite (no_start_since r s ur); auto; [intros x hx; apply psi_waits_job; lia | lia].
    Qed.

    Lemma later_limit u : In u (on_pool S p) -> 0 <= count_of (listed (fun ur => negb (psi ur)) (r - 1)) u <= blocking_pieces k u.
    Proof.
      intros hu. destruct (listed_in (fun ur => negb (psi ur)) (r - 1)) as (h1 & h2 & h3).
      apply (count_blocking _ (r - 1)); auto; [lia|]. intros ur hur. destruct (h3 ur hur) as (h4 & h5). apply negb_true_iff in h4. auto.
    Qed.

    Lemma since_all bound N : (forall u, In u (on_pool S p) -> B u = Some (bound u)) ->
      (forall nn, (forall u, In u (on_pool S p) -> 0 <= nn u <= blocking_pieces k u) -> sum nn (on_pool S p) <= m ->
         sum (fun u => nn u * C u) (on_pool S p) <= N) ->
      m * (t + 1 - r) + C k <= sum (fun u => since u (bound u) * C u) (on_pool S p) + N.
    Proof.
      intros hbound hN. pose proof (since_work bound hbound) as h1. pose proof later_work as h2. pose proof later_limit as hlimit.
      destruct (listed_in (fun ur => negb (psi ur)) (r - 1)) as (h3 & _ & _). pose proof t_r as htr.
      specialize (hN (count_of (listed (fun ur => negb (psi ur)) (r - 1))) hlimit).
      rewrite (sum_count _ h3), (sum_count_of _ C h3), listed_length in hN. fold Ot in hN.
      pose proof (at_most_m (r - 1) ltac:(lia)) as h4. pose proof (working_nonneg psi (r - 1)) as h5. fold Ps in h5. specialize (hN ltac:(lia)). lia.
    Qed.

    (* The last instant b up to r before which fewer than c processors run Psi and nothing of Psi waits. *)
    Definition quiet (s : Z) : bool := (Ps s <? c) && negb (psi_waits s).
    Context (b : Z) (hb : 0 <= b <= r) (hnq : forall s, b <= s < r -> quiet s = false) (hend : b = 0 \/ quiet (b - 1) = true).

    Let X := if 0 <? b then listed psi (b - 1) else [].
    Let O := if 0 <? b then listed (fun ur => negb (psi ur)) (b - 1) else [].

    Lemma X_facts : incl X All /\ NoDup X /\ (forall ur, In ur X -> psi ur = true /\ run ur (b - 1) = true) /\ Z.of_nat (length X) <= c - 1.
    Proof.
      unfold X. destruct (Z.ltb_spec 0 b) as [hpos|hle].
      - destruct (listed_in psi (b - 1)) as (h1 & h2 & h3). repeat split; auto; try (apply h3; auto). rewrite listed_length.
        destruct hend as [|hq]; [lia|]. unfold quiet in hq. apply andb_prop in hq. destruct hq as (hq & _). apply Z.ltb_lt in hq. fold Ps. lia.
      - repeat split; try easy; [constructor | cbn; lia].
    Qed.

    Lemma O_facts : incl O All /\ NoDup O /\ (forall ur, In ur O -> psi ur = false /\ run ur (b - 1) = true) /\
      Z.of_nat (length X) + Z.of_nat (length O) <= m.
    Proof.
      unfold O, X. pose proof t_r. destruct (Z.ltb_spec 0 b) as [hpos|hle].
      - destruct (listed_in (fun ur => negb (psi ur)) (b - 1)) as (h1 & h2 & h3). split; [exact h1|]. split; [exact h2|]. split.
        + intros ur hur. destruct (h3 ur hur) as (h4 & h5). apply negb_true_iff in h4. auto.
        + rewrite !listed_length. apply at_most_m. lia.
      - repeat split; try easy; [constructor | cbn; lia].
    Qed.

    Lemma O_none : b <= 0 -> O = [].
    Proof. intros hle. unfold O. now rewrite (proj2 (Z.ltb_ge 0 b) hle). Qed.

    (* While Psi waits since b, others are those of then. *)
    Lemma others_of_then s : b <= s <= t -> (forall x, b <= x <= s -> psi_waits x = true) -> Ot s <= sum (fun ur => ind (run ur s)) O.
    Proof.
      intros hs hw. unfold Ot, working.
      rewrite (sum_eq (fun ur => ind (negb (psi ur)) * ind (run ur s)) (fun ur => ind (negb (psi ur) && run ur s) * ind (run ur s)))
        by (intros ur _; destruct (psi ur), (run ur s); reflexivity).
      rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, all_nodup | | intros; apply ind_range].
      intros ur hur. apply filter_In in hur. destruct hur as (hin & hc). apply andb_prop in hc. destruct hc as (hps & hrun).
      apply negb_true_iff in hps. pose proof (no_start_since b s ur hw ltac:(lia) hin hps hrun) as hb1.
      destruct (Z_lt_le_dec 0 b) as [hpos|hle].
      - unfold O. rewrite (proj2 (Z.ltb_lt 0 b) hpos). apply filter_In. split; [exact hin|]. now rewrite hps, hb1.
      - exfalso. apply all_in in hin. destruct ur as (u, r'). unfold run in hb1. cbn [fst snd] in *.
        pose proof (pending_released S h lg u r' _ (thread_pending ob u r' (b - 1) ltac:(tauto) hb1)). lia.
    Qed.

    (* Short of c, and what others do from r on. *)
    Let short : Z := sum (fun s => Z.max 0 (c - Ps s)) (range b r).
    Let later : Z := sum Ot (range r (t + 1)).

    Lemma cost_nonneg L : incl L All -> 0 <= sum (fun ur => C (fst ur)) L.
    Proof. intros hin. apply sum_nonneg. intros ur hur. apply hin, all_in in hur. apply C_nonneg. tauto. Qed.

    Lemma covered i carry L1 L2 nn : 0 <= i -> carry_covers k i carry -> NoDup (X ++ L1) -> incl L1 O -> Z.of_nat (length X) + Z.of_nat (length L1) <= c - i ->
      (forall u, In u (on_pool S p) -> 0 <= nn u <= blocking_pieces k u) -> sum nn (on_pool S p) <= m - c + i ->
      L2 <= sum (fun u => nn u * C u) (on_pool S p) ->
      sum (fun ur => C (fst ur)) X + sum (fun ur => C (fst ur)) L1 + L2 <= carry.
    Proof.
      intros hi0 hcov nd hin hlen hnn hsn hL2. destruct X_facts as (hX1 & hX2 & hX3 & hX4). destruct O_facts as (hO1 & hO2 & hO3 & hO4).
      assert (hall : incl (X ++ L1) All) by (intros ur hur; apply in_app_iff in hur; destruct hur; auto).
      specialize (hcov (count_of (X ++ L1)) nn). rewrite (sum_count_of (X ++ L1) C hall), sum_app, (sum_count (X ++ L1) hall), app_length in hcov.
      specialize (hcov ltac:(intros u hu; apply (count_pieces _ (b - 1)); auto; [rewrite app_length; lia|]; intros ur hur; apply in_app_iff in hur;
        destruct hur as [hur|hur]; [now apply hX3 | now apply hO3, hin]) ltac:(lia) hnn hsn). lia.
    Qed.

    Theorem carry_enough i carry : 0 <= i <= 1 -> carry_covers k i carry -> sum (fun ur => C (fst ur)) X + short + later <= carry.
    Proof.
      intros hi hcov. pose proof t_r as htr. destruct X_facts as (hX1 & hX2 & hX3 & hX4). destruct O_facts as (hO1 & hO2 & hO3 & hO4).
      set (n := Z.to_nat (m - c + i)). set (U := firstn n O). set (Z0 := skipn n O).
      assert (hUZ : O = U ++ Z0) by (symmetry; apply firstn_skipn).
      assert (hUO : incl U O) by (intros ur; apply firstn_in). assert (hZO : incl Z0 O) by (intros ur; apply skipn_in).
      assert (ndUZ : NoDup (U ++ Z0)) by (rewrite <- hUZ; exact hO2). destruct (nodup_parts U Z0 ndUZ) as (ndU & ndZ).
      assert (hlenU : Z.of_nat (length U) <= m - c + i) by (unfold U, n; rewrite firstn_length; lia).
      assert (hlenZ : Z.of_nat (length X) + Z.of_nat (length Z0) <= c - i) by (unfold Z0, n; rewrite skipn_length; lia).
      assert (ndXZ : NoDup (X ++ Z0)).
      { apply nodup_app; auto. intros ur h1 h2. destruct (hX3 ur h1) as (h3 & _). destruct (hO3 ur (hZO ur h2)) as (h4 & _). congruence. }
      assert (hsplit : forall f : node * Z -> Z, sum f O = sum f U + sum f Z0) by (intros f; rewrite hUZ; apply sum_app).
      assert (hUall : incl U All) by (intros ur hur; auto). assert (hZall : incl Z0 All) by (intros ur hur; auto).
      assert (hUlim : forall u, In u (on_pool S p) -> 0 <= count_of U u <= blocking_pieces k u).
      { intros u hu. destruct (Z_lt_le_dec 0 b) as [hpos|hle].
        - apply (count_blocking U (b - 1)); auto; [lia|]. intros ur hur. destruct (hO3 ur (hUO ur hur)). auto.
        - assert (hU0 : U = []) by (unfold U; rewrite O_none by lia; apply firstn_nil).
          rewrite hU0. split; [cbn; lia | now apply arrivals_nonneg]. }
      destruct (existsb (fun s => negb (psi_waits s)) (range b r)) eqn:hex.
      - (* some tick has nothing of Psi waiting *)
        assert (exists f, b <= f < r /\ psi_waits f = false /\ forall s, b <= s < f -> psi_waits s = true) as (f & hf & hfw & hfirst).
        { apply existsb_exists in hex. destruct hex as (f0 & hf0 & hw0). rewrite in_range in hf0.
          destruct (first_such (fun s => negb (psi_waits s)) b f0 hw0 ltac:(lia)) as (f & hf & hw & hlt). exists f. apply negb_true_iff in hw.
          repeat split; auto; try lia. intros s hs. specialize (hlt s hs). now apply negb_false_iff in hlt. }
        assert (hfew : forall j, f + Z.of_nat j < r -> Ot (f + Z.of_nat j) <= m - c).
        { assert (hnow : forall s, b <= s < r -> psi_waits s = false -> Ot s <= m - c).
          { intros s hs hw. specialize (hnq s hs). unfold quiet in hnq. rewrite hw, andb_true_r in hnq. apply Z.ltb_ge in hnq.
            pose proof (at_most_m s ltac:(lia)). lia. }
          induction j as [|j IH]; intros hj; [rewrite Z.add_0_r in *; apply hnow; auto; lia|].
          destruct (psi_waits (f + Z.of_nat (Datatypes.S j))) eqn:hw; [|apply hnow; auto; lia].
          pose proof (others_fall (f + Z.of_nat (Datatypes.S j)) ltac:(lia) hw) as hfall.
          replace (f + Z.of_nat (Datatypes.S j) - 1) with (f + Z.of_nat j) in hfall by lia. specialize (IH ltac:(lia)). lia. }
        assert (hfew' : forall s, f <= s < r -> Ot s <= m - c).
        { intros s hs. specialize (hfew (Z.to_nat (s - f))). replace (f + Z.of_nat (Z.to_nat (s - f))) with s in hfew by lia. apply hfew. lia. }
        assert (hok : forall s, f <= s < r -> c <= Ps s).
        { intros s hs. specialize (hnq s ltac:(lia)). unfold quiet in hnq. apply andb_false_iff in hnq. destruct hnq as [hq|hq].
          - apply Z.ltb_ge in hq. exact hq.
          - apply negb_false_iff in hq. pose proof (all_work s ltac:(lia) hq). specialize (hfew' s hs). lia. }
        set (full := fun s => (i =? 1) && (Z.of_nat (length U) =? m - c + 1) && forallb (fun ur => run ur s) U).
        set (A := sum (fun s => ind (full s)) (range b f)).
        assert (hshort : short <= sum (fun ur => C (fst ur)) Z0 + A).
        { unfold short. rewrite (sum_range_split _ b f r) by lia. rewrite (sum_zero _ (range f r)).
          2: { intros s hs. rewrite in_range in hs. specialize (hok s hs). lia. }
          rewrite Z.add_0_r. etransitivity; [|apply Z.add_le_mono_r, (work_of Z0 b f hZall)]. unfold A. rewrite <- sum_add. apply sum_le.
          intros s hs. rewrite in_range in hs. pose proof (all_work s ltac:(lia) (hfirst s hs)) as hm1.
          pose proof (others_of_then s ltac:(lia) ltac:(intros x hx; apply hfirst; lia)) as ho. rewrite hsplit in ho.
          assert (hz : 0 <= sum (fun ur => ind (run ur s)) Z0) by (apply sum_nonneg; intros; apply ind_range).
          assert (hu : sum (fun ur => ind (run ur s)) U <= m - c + ind (full s)).
          { rewrite sum_length. pose proof (filter_no_longer (fun ur => run ur s) U) as hle. unfold full.
            destruct (Z.eqb_spec i 1) as [hi1|hi1]; cbn [andb ind]; [|lia].
            destruct (Z.eqb_spec (Z.of_nat (length U)) (m - c + 1)) as [hl1|hl1]; cbn [andb ind]; [|lia].
            destruct (forallb (fun ur => run ur s) U) eqn:hfa; cbn [ind]; [lia|].
            enough (length (filter (fun ur => run ur s) U) <> length U) by lia. intros heq.
            assert (hall : forallb (fun ur => run ur s) U = true); [|congruence]. apply forallb_forall. intros ur hur.
            destruct (run ur s) eqn:hrun; [reflexivity|]. exfalso. apply (in_split ur U) in hur. destruct hur as (l1 & l2 & e12). rewrite e12 in heq.
            rewrite filter_app in heq. cbn [filter] in heq. rewrite hrun, !app_length in heq. cbn [length] in heq.
            pose proof (filter_no_longer (fun ur => run ur s) l1). pose proof (filter_no_longer (fun ur => run ur s) l2). lia. }
          pose proof (ind_range (full s)). lia. }
        (* from r on *)
        set (O1 := listed (fun ur => negb (psi ur)) (r - 1)).
        destruct (listed_in (fun ur => negb (psi ur)) (r - 1)) as (h1 & h2 & h3). fold O1 in h1, h2, h3.
        assert (hlen1 : Z.of_nat (length O1) <= m - c) by (unfold O1; rewrite listed_length; apply hfew'; lia).
        pose proof later_work as hlater. fold O1 later in hlater. pose proof later_limit as hlim1. fold O1 in hlim1.
        enough (sum (fun ur => C (fst ur)) X + sum (fun ur => C (fst ur)) Z0 + (A + sum (fun ur => C (fst ur)) O1) <= carry) by lia.
        destruct (Z_lt_le_dec 0 A) as [hA|hA].
        + (* one more piece is as long as they ran together *)
          pose proof hA as hA'. apply sum_pos_in in hA'. destruct hA' as (s0 & _ & hs0). cbv beta in hs0.
          destruct (full s0) eqn:hf0; cbn [ind] in hs0; [|lia]. unfold full in hf0. apply andb_prop in hf0. destruct hf0 as (hf0 & _).
          apply andb_prop in hf0. destruct hf0 as (hi1 & hl1). apply Z.eqb_eq in hi1, hl1.
          assert (hex2 : exists u, In u (on_pool S p) /\ count_of O1 u < count_of U u).
          { pose proof (sum_count U hUall) as e1. pose proof (sum_count O1 h1) as e2.
            assert (hpos : 0 < sum (fun u => count_of U u - count_of O1 u) (on_pool S p)) by (rewrite sum_sub; lia).
            apply sum_pos_in in hpos. destruct hpos as (u & hu & hpos). exists u. split; [exact hu | lia]. }
          destruct hex2 as (u & hu & hlt). pose proof (count_of_nonneg O1 u) as hc0.
          assert (hAu : A <= C u).
          { assert (hposu : 0 < count_of U u) by lia. apply sum_pos_in in hposu. destruct hposu as ((u', r') & hur & hpos). cbn [fst] in hpos.
            destruct (Z.eqb_spec u' u) as [->|]; cbn [ind] in hpos; [|lia].
            etransitivity; [|apply (thread_length ob u r' b f hu)]. apply sum_le. intros s _. destruct (full s) eqn:hfs; cbn [ind]; [|apply ind_range].
            unfold full in hfs. apply andb_prop in hfs. destruct hfs as (_ & hfs). rewrite forallb_forall in hfs. specialize (hfs _ hur).
            unfold run in hfs. cbn [fst snd] in hfs. rewrite hfs. apply Z.le_refl. }
          apply (covered i carry Z0 _ (fun u' => count_of O1 u' + ind (u' =? u))); auto; [lia | | |].
          * intros u' hu'. specialize (hlim1 u' hu'). specialize (hUlim u' hu'). pose proof (ind_range (u' =? u)). split; [lia|].
            destruct (Z.eqb_spec u' u) as [->|]; cbn [ind]; lia.
          * rewrite sum_add, (sum_count O1 h1). rewrite (sum_unique _ _ u); [rewrite Z.eqb_refl; cbn [ind]; lia | apply NoDup_filter, (wf_nodup wf) | exact hu|].
            intros u' _ hne. destruct (Z.eqb_spec u' u); [contradiction | reflexivity].
          * rewrite (sum_eq _ (fun u' => count_of O1 u' * C u' + ind (u' =? u) * C u')) by (intros; ring). rewrite sum_add, (sum_count_of O1 C h1).
            rewrite (sum_unique (fun u' => ind (u' =? u) * C u') _ u); [rewrite Z.eqb_refl; cbn [ind]; lia | apply NoDup_filter, (wf_nodup wf) | exact hu|].
            intros u' _ hne. destruct (Z.eqb_spec u' u); [contradiction | reflexivity].
        + apply (covered i carry Z0 _ (count_of O1)); auto; [lia | rewrite (sum_count O1 h1); lia | rewrite (sum_count_of O1 C h1); lia].
      - (* Psi waits all the time from b on *)
        assert (hw : forall s, b <= s <= t -> psi_waits s = true).
        { intros s hs. destruct (Z_lt_le_dec s r) as [hlt|hge]; [|apply psi_waits_job; lia].
          destruct (psi_waits s) eqn:e0; [reflexivity|]. exfalso. enough (existsb (fun s => negb (psi_waits s)) (range b r) = true) by congruence.
          apply existsb_exists. exists s. rewrite in_range, e0. split; [lia | reflexivity]. }
        assert (hboth : short + later <= sum (fun ur => C (fst ur)) O).
        { etransitivity; [|apply (work_of O b (t + 1) hO1)]. rewrite (sum_range_split _ b r (t + 1)) by lia. apply Z.add_le_mono.
          - unfold short. apply sum_le. intros s hs. rewrite in_range in hs. pose proof (all_work s ltac:(lia) (hw s ltac:(lia))).
            pose proof (others_of_then s ltac:(lia) ltac:(intros x hx; apply hw; lia)).
            assert (0 <= sum (fun ur => ind (run ur s)) O) by (apply sum_nonneg; intros; apply ind_range). lia.
          - unfold later. apply sum_le. intros s hs. rewrite in_range in hs. apply others_of_then; [lia|]. intros x hx. apply hw. lia. }
        rewrite hsplit in hboth.
        enough (sum (fun ur => C (fst ur)) X + sum (fun ur => C (fst ur)) Z0 + sum (fun ur => C (fst ur)) U <= carry) by lia.
        apply (covered i carry Z0 _ (count_of U)); auto; [lia | rewrite (sum_count U hUall); lia | rewrite (sum_count_of U C hUall); lia].
    Qed.

    (** Psi's work from b on: carried over, or released from b on; not the job's own. *)
    Lemma psi_work : sum Ps (range b (t + 1)) + C k
      <= sum (fun ur => C (fst ur)) X + sum (fun u => released_before k u (r - b) * C u) (on_pool S p).
    Proof.
      pose proof t_r as htr. destruct X_facts as (hX1 & hX2 & hX3 & hX4).
      set (inX := fun ur : node * Z => (0 <? b) && psi ur && run ur (b - 1)).
      set (new := fun ur : node * Z => released h (dag S (fst ur)) (snd ur) && ((b <=? snd ur) && (snd ur <=? r + Y k - Y (fst ur)))).
      assert (hXsum : sum (fun ur => C (fst ur)) X = sum (fun ur => ind (inX ur) * C (fst ur)) All).
      { unfold X, inX. destruct (0 <? b); cbn [andb ind sum]; [unfold listed; now rewrite sum_filter|]. symmetry. apply sum_zero. intros; ring. }
      assert (hnew : sum (fun ur => ind (new ur) * C (fst ur)) All <= sum (fun u => released_before k u (r - b) * C u) (on_pool S p)).
      { unfold All. rewrite sum_prod. apply sum_le. intros u hu. unfold new. cbn [fst snd]. rewrite sum_scale_r.
        apply Z.mul_le_mono_nonneg_r; [now apply C_nonneg|]. pose proof (proj1 (in_on_pool S p u) hu) as (hun & _).
        pose proof (late_counting_closed S h T J nominal late u b (r + Y k - Y u) hun (hT u hu)) as hc.
        unfold released_before. replace (r - b + Y k - Y u) with (r + Y k - Y u - b) by ring. etransitivity; [|exact hc]. unfold releases.
        rewrite (sum_eq _ (fun r' => ind ((b <=? r') && (r' <=? r + Y k - Y u)) * ind (released h (dag S u) r')))
          by (intros r' _; destruct (released h (dag S u) r'), ((b <=? r') && (r' <=? r + Y k - Y u)); reflexivity).
        rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup | | intros; apply ind_range].
        intros r' hr'. apply filter_In in hr'. destruct hr' as (_ & hr'). apply andb_prop in hr'. rewrite in_range. lia. }
      assert (hkr : In (k, r) All) by (apply all_in; cbn [fst snd]; split; [exact hk | lia]).
      unfold Ps, working. rewrite (sum_exchange (fun s ur => ind (psi ur) * ind (run ur s))).
      assert (hone : sum (fun ur => if (fst ur =? k) && (snd ur =? r) then C k else 0) All = C k).
      { rewrite (sum_unique _ _ (k, r)); [cbn [fst snd]; now rewrite !Z.eqb_refl | apply all_nodup | exact hkr|].
        intros (u, r') _ hne. cbn [fst snd]. destruct (Z.eqb_spec u k) as [->|], (Z.eqb_spec r' r) as [->|]; cbn [andb]; auto. now elim hne. }
      rewrite <- hone at 1. rewrite <- sum_add. rewrite hXsum. etransitivity; [|apply Z.add_le_mono_l, hnew]. rewrite <- sum_add. apply sum_le.
      intros ur hur. pose proof hur as hin. apply all_in in hin. destruct ur as (u, r'). cbn [fst snd] in *. destruct hin as (hu & hr').
      pose proof (C_nonneg u hu) as hCu. rewrite sum_scale.
      assert (hi1 : 0 <= ind (inX (u, r')) * C u) by (pose proof (ind_range (inX (u, r'))); nia).
      assert (hi2 : 0 <= ind (new (u, r')) * C u) by (pose proof (ind_range (new (u, r'))); nia).
      pose proof (thread_length ob u r' b (t + 1) hu) as hlen. fold C in hlen. change (sum (fun s => ind (run (u, r') s)) (range b (t + 1)) <= C u) in hlen.
      destruct ((u =? k) && (r' =? r)) eqn:hself.
      - apply andb_prop in hself. destruct hself as (e1 & e2). apply Z.eqb_eq in e1, e2. subst u r'.
        rewrite (sum_zero (fun s => ind (run (k, r) s))) by (intros s hs; rewrite in_range in hs; unfold run; cbn [fst snd]; rewrite job_waits by lia; reflexivity).
        unfold new. cbn [fst snd]. rewrite hr, (proj2 (Z.leb_le b r)), (proj2 (Z.leb_le r (r + Y k - Y k))) by lia. cbn [andb ind]. lia.
      - destruct (psi (u, r')) eqn:hps; cbn [ind]; [|lia]. rewrite Z.mul_1_l, Z.add_0_r.
        destruct (Z.eq_dec (sum (fun s => ind (run (u, r') s)) (range b (t + 1))) 0) as [->|hne]; [lia|].
        assert (hpos : 0 < sum (fun s => ind (run (u, r') s)) (range b (t + 1))).
        { enough (0 <= sum (fun s => ind (run (u, r') s)) (range b (t + 1))) by lia. apply sum_nonneg. intros; apply ind_range. }
        apply sum_pos_in in hpos. destruct hpos as (s & hs & hpos). rewrite in_range in hs. cbv beta in hpos.
        destruct (run (u, r') s) eqn:hrun; cbn [ind] in hpos; [|lia]. unfold run in hrun. cbn [fst snd] in hrun.
        pose proof (thread_pending ob u r' s hu hrun) as hp. pose proof (pending_released S h lg u r' s hp) as (hrel & _).
        unfold psi in hps. cbn [fst snd] in hps. apply Z.leb_le in hps.
        destruct (Z_lt_le_dec r' b) as [hlt|hge].
        + enough (inX (u, r') = true) as -> by (cbn [ind]; lia). unfold inX, psi. cbn [fst snd].
          rewrite (proj2 (Z.ltb_lt 0 b)), (proj2 (Z.leb_le _ _) hps) by lia. cbn [andb]. destruct (run (u, r') (b - 1)) eqn:hb1; [reflexivity|]. exfalso.
          destruct hend as [|hq]; [lia|]. unfold quiet in hq. apply andb_prop in hq. destruct hq as (_ & hq). apply negb_true_iff in hq.
          enough (psi_waits (b - 1) = true) by congruence. apply existsb_exists. exists (u, r'). split; [exact hur|]. unfold psi, pend. cbn [fst snd].
          rewrite (proj2 (Z.leb_le _ _) hps), hb1. cbn [andb negb]. rewrite andb_true_r. apply pending_spec.
          split; [apply (ready_at_release S h u r' (alone u hu) hrel); lia|]. apply pending_spec in hp. destruct hp as (_ & hnd).
          destruct (done h u r' (b - 1)) eqn:hd; [|reflexivity]. rewrite (legal_done lg u r' (b - 1) s hd) in hnd by lia. discriminate.
        + enough (new (u, r') = true) as -> by (cbn [ind]; lia). unfold new. cbn [fst snd].
          rewrite hrel, (proj2 (Z.leb_le b r') hge), (proj2 (Z.leb_le r' (r + Y k - Y u))) by lia. reflexivity.
    Qed.

    Lemma work_done : c * (r - b) + m * (t + 1 - r) <= sum Ps (range b (t + 1)) + short + later.
    Proof.
      pose proof t_r as htr. rewrite (sum_range_split Ps b r (t + 1)) by lia.
      assert (h1 : c * (r - b) <= sum Ps (range b r) + short).
      { unfold short. rewrite <- sum_add, <- sum_range_const by lia. apply sum_le. intros s _. lia. }
      assert (h2 : m * (t + 1 - r) <= sum Ps (range r (t + 1)) + later).
      { unfold later. rewrite <- sum_add, <- sum_range_const by lia. apply sum_le. intros s hs. rewrite in_range in hs.
        apply all_work; [lia | apply psi_waits_job; lia]. }
      lia.
    Qed.
  End Job.

  (** T1be. *)
  Theorem T1be i carry D k R :
    0 <= i <= 1 -> carry_covers k i carry -> In k (on_pool S p) ->
    (forall x, 0 <= x -> sum (fun u => released_before k u x * C u) (on_pool S p) - c * x <= D) ->
    C k <= R -> carry + D - C k <= m * (R - C k) ->
    ends_within S h k R.
  Proof.
    intros hi hcov hk hD hR hineq r hr. destruct (done h k r (r + R)) eqn:missed; [reflexivity|]. exfalso.
    pose proof (legal_start lg _ _ hr) as hr0.
    destruct (last_failure (fun s => negb (quiet k r R s)) 0 r ltac:(lia)) as (b & hb & hnq & hend).
    assert (hnq' : forall s, b <= s < r -> quiet k r R s = false) by (intros s hs; specialize (hnq s hs); now apply negb_true_iff in hnq).
    assert (hend' : b = 0 \/ quiet k r R (b - 1) = true) by (destruct hend as [|hend]; [now left | right; now apply negb_false_iff in hend]).
    pose proof (carry_enough k hk r R hr hR missed b hb hnq' hend' i carry hi hcov) as h1.
    pose proof (psi_work k hk r R hr hR missed b hb hend') as h2.
    pose proof (work_done k hk r R hr hR missed b hb) as h3. specialize (hD (r - b) ltac:(lia)). lia.
  Qed.

  (** T1b: D_k from the utilization; M a common multiple of the nominal periods. *)
  Theorem T1b M rep i carry k R :
    0 < M -> (forall u, In u (on_pool S p) -> rep u * T (dag S u) = M) -> sum (fun u => C u * rep u) (on_pool S p) <= c * M ->
    0 <= i <= 1 -> carry_covers k i carry -> In k (on_pool S p) -> C k <= R ->
    M * carry + sum (fun u => C u * Z.max 0 (M - rep u * (Y u - Y k - J (dag S u)))) (on_pool S p) - M * C k <= M * m * (R - C k) ->
    ends_within S h k R.
  Proof.
    intros M0 hrep hU hi hcov hk hR hineq. apply (T1be i carry (m * (R - C k) - carry + C k) k R); auto; [|lia].
    intros x hx.
    assert (hsum : M * sum (fun u => released_before k u x * C u) (on_pool S p)
              <= x * sum (fun u => C u * rep u) (on_pool S p) + sum (fun u => C u * Z.max 0 (M - rep u * (Y u - Y k - J (dag S u)))) (on_pool S p)).
    { rewrite <- !sum_scale, <- sum_add. apply sum_le. intros u hu. pose proof (C_nonneg u hu) as hC.
      specialize (hrep u hu). pose proof (hT u hu) as hTu. set (Tu := T (dag S u)) in *. set (Ju := J (dag S u)) in *. assert (hrp : 0 < rep u) by nia.
      assert (hn : M * released_before k u x <= x * rep u + Z.max 0 (M - rep u * (Y u - Y k - Ju))).
      { unfold released_before, late_releases_closed. fold Tu Ju. destruct (Z.leb_spec 0 (x + Y k - Y u)); [|nia].
        pose proof (Z.mul_div_le (x + Y k - Y u + Ju) Tu hTu).
        replace (M * ((x + Y k - Y u + Ju) / Tu + 1)) with (rep u * (Tu * ((x + Y k - Y u + Ju) / Tu)) + M) by (rewrite <- hrep; ring). nia. }
      nia. }
    assert (hUx : x * sum (fun u => C u * rep u) (on_pool S p) <= x * (c * M)) by nia.
    enough (M * (sum (fun u => released_before k u x * C u) (on_pool S p) - c * x) <= M * (m * (R - C k) - carry + C k)) by nia. lia.
  Qed.

  (** T1bn: n_i from all proven bounds, N_m of what blocks. *)
  Theorem T1bn (bound : node -> Z) N k R :
    (forall u, In u (on_pool S p) -> B u = Some (bound u)) ->
    (forall nn, (forall u, In u (on_pool S p) -> 0 <= nn u <= blocking_pieces k u) -> sum nn (on_pool S p) <= m ->
       sum (fun u => nn u * C u) (on_pool S p) <= N) ->
    In k (on_pool S p) -> C k <= R ->
    sum (fun u => arrivals u (bound u + Z.min (R - C k) (Y k - Y u)) * C u) (on_pool S p) - C k + N <= m * (R - C k) ->
    ends_within S h k R.
  Proof.
    intros hbound hN hk hR hineq r hr. destruct (done h k r (r + R)) eqn:missed; [reflexivity|]. exfalso.
    pose proof (since_all k hk r R hr hR missed bound N hbound hN) as h1. unfold since in h1. pose proof (legal_start lg _ _ hr).
    fold C in h1. lia.
  Qed.
End T1b.
