(** T39 in ticks as short as one likes. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws.
From Rta Require Import path.Walk path.Inequality path.Turns path.T10a path.Patterns path.FromReady path.Meanwhile path.T39 Ticks.

Lemma chains_here_finer k S d p cs : chains_here S d p cs -> chains_here (finer k S) d p cs.
Proof.
  intros (h1 & h2). split; [|exact h2]. intros c hc. destruct (h1 c hc) as ((nd & hcmp) & hin). split; [|exact hin]. split; [exact nd|].
  intros x y hx hy. destruct (hcmp x y hx hy) as [|[h|h]]; [now left | right; left | right; right]; now apply ancestor_finer.
Qed.

Section Finer.
  Context (k : Z) (k_pos : 0 < k) (S : system) (wf : well_formed S) (F : node -> Z) (a : accounts).
  Let S' := finer k S.
  Let F' := fun u => k * F u.
  Let a' := finer_accounts k a.

  Section Path.
    Context (v : node) (hv : In v (nodes S)) (l : list node) (p : Z).

    Lemma fifo_coarser : order_of S' p = Fifo <-> order_of S p = Fifo.
    Proof. unfold S', finer. cbn [order_of]. destruct (order_of S p); cbn [finer_order]; split; congruence. Qed.

    Lemma may_precede_coarser point d y : may_precede S' F' (fun d => k * point d) v p d y -> may_precede S F point v p d (y / k).
    Proof.
      pose proof (Z.mul_div_le y k k_pos). pose proof (Z.mul_succ_div_gt y k k_pos).
      intros [hf | (h1 & h2)]; [left; now apply fifo_coarser | right]. change (dag S' v) with (dag S v) in h1. split; [nia|].
      destruct h2 as [h2 | (q & hq & hqp & h2)]; [left; apply Z.div_pos; lia | right]. exists q. split; [now apply (ancestor_or_self_coarser k)|].
      split; [exact hqp|]. unfold F' in h2. nia.
    Qed.

    Lemma upstream_finer W : upstream S a F v l p W -> upstream S' a' F' v l p (k * W).
    Proof.
      intros [Y c phi below carry job most hord hc hvol hphi hbel hcarry0 hcarry hwhole hlater hothers hown hwork].
      set (phi' := fun u => finer_limit k (phi u)).
      assert (hon : forall d u, In u (dag_here S d p) -> 0 <= vol a u) by (intros d u hu; apply hvol; apply in_dag_here in hu; apply in_on_pool; tauto).
      (* what one job may do, and all of a release pattern *)
      assert (hone : forall d x y, In d (dag S v :: other_dags S v) -> 0 <= x -> may_precede S F Y v p d (y / k) ->
        left_or_new a' phi' (dag_here S' d p) (fun y => k * job d (y / k)) x y <= k * left_or_new a phi (dag_here S d p) (job d) (x / k) (y / k)).
      { intros d x y hd hx hprec.
        pose proof (Z.mul_div_le y k k_pos). pose proof (Z.mul_succ_div_gt y k k_pos). pose proof (Z.mul_div_le x k k_pos). pose proof (Z.mul_succ_div_gt x k k_pos).
        assert (hx0 : 0 <= x / k) by (apply Z.div_pos; lia). unfold left_or_new. change (dag_here S' d p) with (dag_here S d p).
        destruct (Z.leb_spec y x) as [hle|hgt].
        - rewrite (proj2 (Z.leb_le (y / k) (x / k))) by (apply Z.div_le_mono; lia). lia.
        - destruct (Z.leb_spec (y / k) (x / k)) as [hle|hgt'].
          + etransitivity; [|apply Z.mul_le_mono_nonneg_l; [lia|]; apply (hwhole d (y / k) hd hprec); left; apply Z.div_pos; lia].
            rewrite <- sum_scale. apply sum_le. intros u hu. specialize (hon d u hu). pose proof (ind_range (held_back phi' u (y - x))).
            unfold a'. cbn [vol finer_accounts]. nia.
          + rewrite <- sum_scale. apply sum_le. intros u hu. specialize (hon d u hu). unfold a'. cbn [vol finer_accounts].
            unfold held_back, phi'. destruct (phi u) as [e|]; cbn [finer_limit option_map ind]; [|lia].
            destruct (Z.leb_spec (y - x) (k * e)) as [h1|]; cbn [ind]; [|pose proof (ind_range (y / k - x / k <=? e)); nia].
            rewrite (proj2 (Z.leb_le (y / k - x / k) e)) by nia. cbn [ind]. lia. }
      assert (hsums : forall d x ys, In d (dag S v :: other_dags S v) -> 0 <= x -> (forall y, In y ys -> may_precede S' F' (fun d => k * Y d) v p d y) ->
        sum (left_or_new a' phi' (dag_here S' d p) (fun y => k * job d (y / k)) x) ys
        <= k * sum (left_or_new a phi (dag_here S d p) (job d) (x / k)) (map (fun y => y / k) ys)).
      { intros d x ys hd hx hys. rewrite sum_map, <- sum_scale. apply sum_le. intros y hy. apply hone; auto. now apply may_precede_coarser, hys. }
      assert (hmap : forall d ys, (forall y, In y ys -> may_precede S' F' (fun d => k * Y d) v p d y) ->
        forall y, In y (map (fun y => y / k) ys) -> may_precede S F Y v p d y).
      { intros d ys hys y hy. apply in_map_iff in hy. destruct hy as (y' & <- & hy). now apply may_precede_coarser, hys. }
      assert (hT : forall d, In d (dag S v :: other_dags S v) -> 0 < period S d).
      { intros d hd. assert (exists u, In u (nodes S) /\ dag S u = d) as (u & hu & <-); [|now apply (wf_period wf)].
        destruct hd as [<-|hd]; [eauto|]. apply filter_In in hd. destruct hd as (hd & _). apply nodup_In, in_map_iff in hd.
        destruct hd as (u & <- & hu). eauto. }
      apply (Build_upstream S' a' F' v l p (k * W) (fun d => k * Y d) c phi' below (k * carry) (fun d y => k * job d (y / k)) (fun d x => k * most d (x / k))); auto.
      - destruct hord as [hf | (YN & hord & hlag & hYN)]; [left; now apply fifo_coarser | right]. exists (fun u => k * YN u).
        unfold S', finer. cbn [order_of dag]. rewrite hord. split; [reflexivity|]. split; [exact hlag|]. intros u hu. now rewrite (hYN u hu).
      - intros u hu. specialize (hvol u hu). unfold a'. cbn [vol finer_accounts]. nia.
      - intros g u hu hg hp. destruct (hphi g u hu (ancestor_coarser k S g u hg) hp) as (e & he & hle). exists (k * e). unfold phi'. rewrite he.
        split; [reflexivity | unfold F'; nia].
      - intros q u hq hu hqu hb. apply (hbel q u hq hu (ancestor_or_self_coarser k S q u hqu)). intros g h1 h2. apply hb; now apply ancestor_finer.
      - nia.
      - intros n hn hsum. change (on_pool S' p) with (on_pool S p) in *.
        transitivity (k * sum (fun q => n q * sum (fun u => ind (below q u) * vol a u) (on_pool S p)) (on_pool S p)).
        + apply Z.eq_le_incl. rewrite <- sum_scale. apply sum_eq. intros q _.
          replace (k * (n q * sum (fun u => ind (below q u) * vol a u) (on_pool S p))) with (n q * (k * sum (fun u => ind (below q u) * vol a u) (on_pool S p))) by ring.
          f_equal. rewrite <- sum_scale. apply sum_eq. intros u _. unfold a'. cbn [vol finer_accounts]. ring.
        + apply Z.mul_le_mono_nonneg_l; [lia|]. apply hcarry; [|exact hsum]. intros q hq. specialize (hn q hq). unfold F', S', finer in hn. cbn [dag period] in hn.
          apply in_on_pool in hq. pose proof (wf_period wf q (proj1 hq)). rewrite (cdiv_finer k k_pos) in hn by lia. exact hn.
      - intros d y hd hprec hor. rewrite (sum_eq (vol a') (fun u => k * vol a u)) by reflexivity. rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|].
        apply (hwhole d (y / k) hd (may_precede_coarser Y d y hprec)). destruct hor as [h0|hnf]; [left; apply Z.div_pos; lia | right].
        intros e. apply hnf. now apply fifo_coarser.
      - intros d y hd hy hf. pose proof (Z.mul_div_le y k k_pos). pose proof (Z.mul_succ_div_gt y k k_pos).
        destruct (hlater d (y / k) hd ltac:(nia) (proj1 fifo_coarser hf)) as (cs & best & hcs & hbest & hsum).
        exists cs, (fun ch => k * best ch). split; [now apply chains_here_finer|]. split.
        + intros ch s hch hs hin hlen. rewrite (sum_eq (vol a') (fun u => k * vol a u)) by reflexivity. rewrite sum_scale. apply Z.mul_le_mono_nonneg_l; [lia|].
          apply (hbest ch s hch hs hin). etransitivity; [exact hlen|]. apply Z.eq_le_incl. do 2 f_equal. apply filter_ext. intros q.
          assert (hA : ready_bound S' F' q = k * ready_bound S F q) by (now apply ready_bound_finer). rewrite hA.
          destruct (Z.leb_spec (- y) (k * ready_bound S F q)), (Z.leb_spec (- (y / k)) (ready_bound S F q)); auto; nia.
        + change (sum (fun ch => k * best ch) cs) with (sum (fun ch => k * (best ch)) cs). rewrite (sum_scale k best). apply Z.mul_le_mono_nonneg_l; [lia | exact hsum].
      - intros d x ys hd hx hpat hys. etransitivity; [apply hsums; auto; now right|]. apply Z.mul_le_mono_nonneg_l; [lia|].
        apply hothers; [exact hd | apply Z.div_pos; lia | | now apply hmap].
        change (period S' d) with (k * period S d) in hpat. apply (pattern_coarser k k_pos); [apply hT; now right | exact hpat].
      - intros x ys hx hpat hys. cbv beta. rewrite Z.div_0_l by lia. change (dag S' v) with (dag S v) in *.
        pose proof (hsums (dag S v) x ys (or_introl eq_refl) hx hys) as h1. change (period S' (dag S v)) with (k * period S (dag S v)) in hpat.
        pose proof (pattern_coarser k k_pos _ _ (hT _ (or_introl eq_refl)) hpat) as h2. cbn [map] in h2. rewrite Z.div_0_l in h2 by lia.
        pose proof (hown (x / k) (map (fun y => y / k) ys) ltac:(apply Z.div_pos; lia) h2 (hmap _ ys hys)) as h3. nia.
      - intros x hx. pose proof (Z.mul_div_le x k k_pos) as hdiv. specialize (hwork (x / k) ltac:(apply Z.div_pos; lia)).
        change (dag S' v :: other_dags S' v) with (dag S v :: other_dags S v). rewrite (sum_scale k (fun d => most d (x / k))). nia.
    Qed.
  End Path.

  Lemma upstream_bound_finer full v l p X : In v (nodes S) -> upstream_bound S a full F v l p X -> upstream_bound S' a' full F' v l p (k * X).
  Proof.
    intros hv (hf & W & after & [U] & nd & hafter & hle). split; [exact hf|]. exists (k * W), after.
    split; [constructor; now apply upstream_finer|]. split; [exact nd|]. split.
    - intros u hu. destruct (hafter u hu) as (h1 & h2). split; [exact h1 | now apply ancestor_finer].
    - assert (hs : forall us, sum (vol a') us = k * sum (vol a) us) by (intros us; exact (sum_scale k (vol a) us)). rewrite !hs.
      change (here S' p l) with (here S p l). nia.
  Qed.
End Finer.
