(** Pieces that run to their end, at least m at every tick: few of them, no more than every m-th, run all the time one after the other. *)

From Rta Require Import model.Sums.

Section Relay.
  Context {A : Type} (run : A -> Z -> bool) (m : Z) (m_pos : 0 < m).

  (* From one tick to a later one, without a gap. *)
  Definition without_gaps (P : list A) (x z : Z) : Prop := forall c s s' s'', In c P -> x <= s -> s <= s' <= s'' -> s'' < z ->
    run c s = true -> run c s'' = true -> run c s' = true.

  (** The last tick of c before z, if it runs at x. *)
  Definition until (x z : Z) (c : A) : Z := fold_right (fun s e => if run c s then Z.max s e else e) x (range x z).

  Lemma until_spec x z c : x < z -> run c x = true -> x <= until x z c < z /\ run c (until x z c) = true /\ forall s, until x z c < s < z -> run c s = false.
  Proof.
    intros hxz hx. unfold until. assert (h : forall l, (forall s, In s l -> x <= s < z) ->
      let e := fold_right (fun s e => if run c s then Z.max s e else e) x l in x <= e < z /\ run c e = true /\ forall s, In s l -> run c s = true -> s <= e).
    { induction l as [|s l IH]; cbn [fold_right]; intros hl; [repeat split; auto; [lia | easy]|].
      destruct IH as (h1 & h2 & h3); [intros y hy; apply hl; now right|]. pose proof (hl s (or_introl eq_refl)). destruct (run c s) eqn:hs.
      - split; [lia|]. split.
        + destruct (Z.max_spec s (fold_right (fun s e => if run c s then Z.max s e else e) x l)) as [(_ & ->)|(_ & ->)]; auto.
        + intros y [<-|hy] hr; [lia | specialize (h3 y hy hr); lia].
      - split; [exact h1|]. split; [exact h2|]. intros y [<-|hy] hr; [congruence | now apply h3]. }
    destruct (h (range x z)) as (h1 & h2 & h3); [intros s hs; now apply in_range in hs|]. split; [exact h1|]. split; [exact h2|].
    intros s hs. destruct (run c s) eqn:hr; [|reflexivity]. specialize (h3 s ltac:(apply in_range; lia) hr). lia.
  Qed.

  Lemma latest (f : A -> Z) P : P <> [] -> exists c, In c P /\ forall d, In d P -> f d <= f c.
  Proof.
    induction P as [|a P IH]; [easy|]. intros _. destruct P as [|b P]; [exists a; split; [now left | intros d [<-|[]]; lia]|].
    destruct IH as (c & hc & hall); [easy|]. destruct (Z_le_gt_dec (f c) (f a)).
    - exists a. split; [now left|]. intros d [<-|hd]; [lia | specialize (hall d hd); lia].
    - exists c. split; [now right|]. intros d [<-|hd]; [lia | now apply hall].
  Qed.

  Theorem relay P x z : NoDup P -> without_gaps P x z ->
    (forall s, x <= s < z -> m <= Z.of_nat (length (filter (fun c => run c s) P))) ->
    exists D, NoDup D /\ incl D P /\ m * Z.of_nat (length D) <= Z.of_nat (length P) /\
      z - x <= sum (fun c => sum (fun s => ind (run c s)) (range x z)) D.
  Proof.
    remember (Z.to_nat (z - x)) as n eqn:hn. revert P x hn. induction n as [n IH] using lt_wf_ind. intros P x hn nd hgap hmany.
    destruct (Z_le_gt_dec z x) as [hle|hgt].
    - exists []. split; [constructor|]. split; [easy|]. split; [cbn; lia|]. cbn. lia.
    - set (R := filter (fun c => run c x) P). set (P' := filter (fun c => negb (run c x)) P).
      assert (hR : m <= Z.of_nat (length R)) by (apply hmany; lia).
      destruct (latest (until x z) R) as (c & hc & hlast); [intros e; rewrite e in hR; cbn in hR; lia|].
      apply filter_In in hc. destruct hc as (hcP & hcx). destruct (until_spec x z c ltac:(lia) hcx) as (h1 & h2 & h3). set (e := until x z c) in *.
      assert (hover : forall d s, In d R -> e < s < z -> run d s = false).
      { intros d s hd hs. pose proof (hlast d hd) as hle. apply filter_In in hd. destruct hd as (hdP & hdx).
        destruct (until_spec x z d ltac:(lia) hdx) as (_ & _ & h4). apply h4. fold e in hle. lia. }
      destruct (IH (Z.to_nat (z - (e + 1))) ltac:(lia) P' (e + 1) eq_refl) as (D & d1 & d2 & d3 & d4).
      + now apply NoDup_filter.
      + intros d s s' s'' hd. apply filter_In in hd. intros. apply (hgap d s s' s''); auto; [tauto | lia].
      + intros s hs. etransitivity; [apply (hmany s); lia|]. apply Nat2Z.inj_le. apply NoDup_incl_length; [now apply NoDup_filter|].
        intros d hd. apply filter_In in hd. destruct hd as (hdP & hds). apply filter_In. split; [|exact hds]. apply filter_In. split; [exact hdP|].
        apply negb_true_iff. destruct (run d x) eqn:hdx; [|reflexivity]. rewrite (hover d s) in hds; [discriminate | now apply filter_In | lia].
      + exists (c :: D). split; [|split; [|split]].
        * constructor; [|exact d1]. intros hin. apply d2, filter_In in hin. destruct hin as (_ & hin). rewrite hcx in hin. discriminate.
        * intros d [<-|hd]; [exact hcP|]. specialize (d2 d hd). apply filter_In in d2. tauto.
        * assert (hlen : Z.of_nat (length P) = Z.of_nat (length R) + Z.of_nat (length P')).
          { unfold R, P'. clear. induction P as [|a P IH]; [reflexivity|]. cbn [filter]. destruct (run a x); cbn [negb length]; lia. }
          cbn [length]. lia.
        * cbn [sum].
          assert (hc1 : e + 1 - x <= sum (fun s => ind (run c s)) (range x z)).
          { rewrite (sum_range_split _ x (e + 1) z) by lia. rewrite (sum_eq _ (fun _ => 1) (range x (e + 1))).
            - rewrite sum_range_const by lia. assert (0 <= sum (fun s => ind (run c s)) (range (e + 1) z)) by (apply sum_nonneg; intros; apply ind_range). lia.
            - intros s hs. rewrite in_range in hs. rewrite (hgap c x s e); auto; lia. }
          assert (hD : sum (fun d => sum (fun s => ind (run d s)) (range (e + 1) z)) D <= sum (fun d => sum (fun s => ind (run d s)) (range x z)) D).
          { apply sum_le. intros d _. apply sum_range_incl; [intros; apply ind_range | lia | lia]. }
          lia.
  Qed.
End Relay.
