(** T35: the claims of one hyperperiod, shifted by multiples of it, are those of all; and in ticks of any length. docs/theory/periodic.md. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule pools.Platform pools.Busy Ticks periodic.T35.

Section Hyperperiod.
  Context (S : system) (wf : well_formed S) (h : history) (P : platform) (T J phi : Z -> Z) (unit : Z) (e rho L : node -> Z -> Z).
  (* jobs of a DAG in a hyperperiod *)
  Context (H : Z) (hH : (unit | H)) (jobs : Z -> Z) (hjobs : forall v, In v (nodes S) -> jobs (dag S v) * T (dag S v) = H /\ 0 < jobs (dag S v)).

  Definition shifted (f : node -> Z -> Z) : Prop := forall v n z, In v (nodes S) -> f v (n + z * jobs (dag S v)) = f v n + z * H.
  Context (he : shifted e) (hrho : shifted rho) (hL : shifted L).

  Let move (z : Z) (p : node * Z * Z) : node * Z * Z := (fst (fst p), snd (fst p) - z * jobs (dag S (fst (fst p))), snd p).

  Lemma shift_back f u k z : shifted f -> In u (nodes S) -> f u (k - z * jobs (dag S u)) = f u k - z * H.
  Proof. intros hf hu. replace (k - z * jobs (dag S u)) with (k + (- z) * jobs (dag S u)) by ring. rewrite hf by exact hu. ring. Qed.

  Lemma nominal_back u k z : In u (nodes S) -> nominal T phi (dag S u) (k - z * jobs (dag S u)) = nominal T phi (dag S u) k - z * H.
  Proof. intros hu. destruct (hjobs u hu) as (hj & _). unfold nominal. rewrite <- hj. ring. Qed.

  Lemma goes_first_back v n z u k : In v (nodes S) -> In u (nodes S) ->
    goes_first S T J phi e rho v n u (k - z * jobs (dag S u)) = goes_first S T J phi e rho v (n + z * jobs (dag S v)) u k.
  Proof.
    intros hv hu. unfold goes_first. rewrite (shift_back e), hrho, (nominal_back u) by assumption.
    assert (hn : nominal T phi (dag S v) (n + z * jobs (dag S v)) = nominal T phi (dag S v) n + z * H) by (destruct (hjobs v hv) as (<- & _); unfold nominal; ring). rewrite hn.
    destruct (order_of S (pool S v)) as [|Y|pi|pi]; [| | f_equal; f_equal |]; apply eq_true_iff_eq; rewrite !Z.leb_le; lia.
  Qed.

  Lemma below_back v n z u k : In v (nodes S) -> In u (nodes S) -> below S T J phi v n u (k - z * jobs (dag S u)) = below S T J phi v (n + z * jobs (dag S v)) u k.
  Proof.
    intros hv hu. unfold below. rewrite (nominal_back u) by assumption.
    assert (hn : nominal T phi (dag S v) (n + z * jobs (dag S v)) = nominal T phi (dag S v) n + z * H) by (destruct (hjobs v hv) as (<- & _); unfold nominal; ring). rewrite hn.
    destruct (order_of S (pool S v)) as [|Y|pi|pi]; [reflexivity | | reflexivity | reflexivity]. apply eq_true_iff_eq. rewrite !Z.ltb_lt. lia.
  Qed.

  Lemma in_window_back v n x lag z l : In v (nodes S) -> in_window S P T J phi e rho L v (n + z * jobs (dag S v)) (x + z * H) lag l ->
    in_window S P T J phi e rho L v n x lag (map (move z) l).
  Proof.
    intros hv [nd each bel own].
    assert (hin : forall p, In p l -> In (fst (fst p)) (nodes S)) by (intros ((u & k) & i) hp; destruct (each u k i hp) as (hu & _); apply in_on_pool in hu; tauto).
    constructor.
    - apply nodup_map_on; [|exact nd]. intros ((u1 & k1) & i1) ((u2 & k2) & i2) _ _ heq. unfold move in heq. cbn [fst snd] in heq. injection heq as -> hk ->. f_equal. f_equal. lia.
    - intros u k i hp. apply in_map_iff in hp. destruct hp as (((u' & k') & i') & heq & hp). unfold move in heq. cbn [fst snd] in heq. injection heq as -> <- ->.
      pose proof (hin _ hp) as hu. cbn [fst] in hu. destruct (each u k' i hp) as (h1 & h2 & h3 & h4 & h5).
      rewrite goes_first_back, below_back by assumption. rewrite (shift_back e), (shift_back L) by assumption. rewrite hrho in h4 by exact hv.
      split; [exact h1|]. split; [exact h2|]. split; [lia|]. split; [lia|]. intros hne. destruct h5 as (h5 & h6).
      + intros e0. injection e0 as -> ->. apply hne. f_equal. ring.
      + rewrite hrho in h6 by exact hv. split; [|destruct h6 as [h6|(h6 & h7)]; [now left | right; split; [exact h6 | lia]]]. intros hk.
        assert (hno : dag S u = dag S v -> ~ ancestor S u v /\ ~ ancestor S v u) by (intros hd; apply h5; rewrite <- hd; lia).
        split; intros ha; [pose proof (ancestor_facts S u v wf hv ha) as hf | pose proof (ancestor_facts S v u wf hu ha) as hf]; destruct hf as (_ & hd & _);
          apply hno in hd || (symmetry in hd; apply hno in hd); tauto.
    - rewrite sum_map. etransitivity; [|exact bel]. apply Z.eq_le_incl. apply sum_eq. intros p hp. unfold move. cbn [fst snd]. now rewrite below_back by auto.
    - rewrite sum_map. etransitivity; [|exact own]. apply Z.eq_le_incl. apply sum_eq. intros ((u & k) & i) hp. unfold move. cbn [fst snd].
      destruct (Z.eqb_spec u v) as [->|]; [|reflexivity]. cbn [andb]. f_equal. apply eq_true_iff_eq. rewrite !Z.eqb_eq. lia.
  Qed.

  Lemma covers_back v n x lag i W z : In v (nodes S) -> window_covers S P T J phi e rho L v n x lag i W ->
    window_covers S P T J phi e rho L v (n + z * jobs (dag S v)) (x + z * H) lag i W.
  Proof.
    intros hv hc l hl. destruct (hc _ (in_window_back v n x lag z l hv hl)) as (big & h1 & h2). exists (fun p => big (move z p)).
    rewrite sum_map in h1, h2. split; [exact h1|]. etransitivity; [|exact h2]. apply Z.eq_le_incl. apply sum_eq. intros ((u & k) & j) hp. unfold move. cbn [fst snd].
    destruct hl as [_ each _ _]. destruct (each u k j hp) as (hu & _). apply in_on_pool in hu. rewrite (shift_back L), hrho by tauto. do 2 f_equal. lia.
  Qed.

  Lemma claim_back v n z : In v (nodes S) -> claim_holds S h P T J phi unit e rho L v n -> claim_holds S h P T J phi unit e rho L v (n + z * jobs (dag S v)).
  Proof.
    intros hv [hw|(F & hF & hle)].
    - left. assert (hwhole : forall m lag, whole_window S P T J phi unit e rho L m lag v n -> whole_window S P T J phi unit e rho L m lag v (n + z * jobs (dag S v))).
      { intros m lag (x & i & W & h0 & h1 & h2 & h3 & h4 & h5). exists (x + z * H), i, W. rewrite hrho, hL by exact hv.
        split; [now apply Z.divide_add_r; [|apply Z.divide_mul_r]|]. split; [lia|]. split; [lia|]. split; [exact h3|]. split; [now apply covers_back|].
        now replace (x + z * H - (rho v n + z * H) + unit) with (x - rho v n + unit) by ring. }
      unfold window_holds in *. destruct (kind_of P (pool S v)) as [m|m|G].
      + destruct hw as (x & i & W & h1 & h2 & h3 & h4 & h5). exists (x + z * H), i, W. rewrite hrho, hL by exact hv. split; [lia|]. split; [lia|]. split; [exact h3|].
        split; [replace (x + z * H - 1) with (x - 1 + z * H) by ring; now apply covers_back|].
        now replace (x + z * H - (rho v n + z * H) - Z.max 1 (length_of P v)) with (x - rho v n - Z.max 1 (length_of P v)) by ring.
      + now apply hwhole.
      + destruct hw as (N & h1 & h2 & h3 & h4). exists N. auto.
    - right. exists F. split; [exact hF|]. rewrite hL by exact hv. destruct (hjobs v hv) as (hj & _). unfold nominal in *. rewrite <- hj. lia.
  Qed.

  (** Of one hyperperiod to all. *)
  Theorem claims_repeat : (forall v n, In v (nodes S) -> 0 <= n < jobs (dag S v) -> claim_holds S h P T J phi unit e rho L v n) ->
    forall v n, In v (nodes S) -> claim_holds S h P T J phi unit e rho L v n.
  Proof.
    intros hone v n hv. destruct (hjobs v hv) as (_ & hpos). pose proof (Z.mod_pos_bound n (jobs (dag S v)) hpos) as hmod.
    replace n with (n mod jobs (dag S v) + n / jobs (dag S v) * jobs (dag S v)) by (pose proof (Z.div_mod n (jobs (dag S v)) ltac:(lia)); lia).
    apply claim_back; [exact hv|]. now apply hone.
  Qed.
End Hyperperiod.

(** Claims in whole units hold in ticks of 1/k, where a unit is k of them. *)
Section Finer.
  Context (S : system) (h : history) (P : platform) (T J phi : Z -> Z) (e rho L : node -> Z -> Z) (k : Z) (hk : 0 < k).
  Let S' := finer k S.
  Let P' := finer_platform k P.
  Let by_job (f : node -> Z -> Z) (v : node) (n : Z) : Z := k * f v n.
  Let by_dag (f : Z -> Z) (d : Z) : Z := k * f d.

  Lemma in_window_finer v n x y lag l : (forall a, k * a <= y -> a <= x) ->
    in_window S' P' (by_dag T) (by_dag J) (by_dag phi) (by_job e) (by_job rho) (by_job L) v n y lag l -> in_window S P T J phi e rho L v n x lag l.
  Proof.
    intros hx [nd each bel own].
    assert (hle : forall a b, k * a <= k * b <-> a <= b) by (intros; nia).
    assert (hgo : forall u m, goes_first S' (by_dag T) (by_dag J) (by_dag phi) (by_job e) (by_job rho) v n u m = goes_first S T J phi e rho v n u m).
    { intros u m. unfold goes_first, nominal, S', by_dag, by_job. cbn [order_of pool dag finer]. destruct (order_of S (pool S v)) as [|Y|pi|pi]; cbn [finer_order]; [| | f_equal; f_equal | reflexivity];
        apply eq_true_iff_eq; rewrite !Z.leb_le; [apply hle | nia | apply hle]. }
    assert (hbel : forall u m, below S' (by_dag T) (by_dag J) (by_dag phi) v n u m = below S T J phi v n u m).
    { intros u m. unfold below, nominal, S', by_dag. cbn [order_of pool dag finer]. destruct (order_of S (pool S v)) as [|Y|pi|pi]; cbn [finer_order]; try reflexivity.
      apply eq_true_iff_eq. rewrite !Z.ltb_lt. nia. }
    constructor; [exact nd | | | exact own].
    - intros u m i hp. destruct (each u m i hp) as (h1 & h2 & h3 & h4 & h5). unfold by_job in h3, h4. split; [exact h1|]. split; [exact h2|]. split; [now apply hx|]. split; [nia|].
      intros hne. destruct (h5 hne) as (h6 & h7). rewrite hgo, hbel in h7. unfold by_job in h7. rewrite hle in h7. split; [|exact h7].
      intros hm. destruct (h6 hm) as (ha & hb). split; intros ha'; [apply ha | apply hb]; clear -ha'; induction ha'; [now apply ancestor_pred | eapply ancestor_step; eauto | now apply ancestor_pred | eapply ancestor_step; eauto].
    - etransitivity; [|exact bel]. apply Z.eq_le_incl. apply sum_eq. intros p _. now rewrite hbel.
  Qed.

  Lemma covers_finer v n x y lag i W : (forall a, k * a <= y -> a <= x) -> window_covers S P T J phi e rho L v n x lag i W ->
    window_covers S' P' (by_dag T) (by_dag J) (by_dag phi) (by_job e) (by_job rho) (by_job L) v n y lag i (k * W).
  Proof.
    intros hx hc l hl. destruct (hc l (in_window_finer v n x y lag l hx hl)) as (big & h1 & h2). exists big. split; [exact h1|].
    transitivity (k * sum (fun p => ind (negb (big p)) * Z.min (length_of P (fst (fst p))) (L (fst (fst p)) (snd (fst p)) - rho v n)) l); [|nia].
    rewrite <- sum_scale. apply Z.eq_le_incl. apply sum_eq. intros p _. unfold by_job. cbn [length_of P' finer_platform]. rewrite <- Z.mul_sub_distr_l, min_finer by exact hk. ring.
  Qed.

  Lemma window_finer v n : window_holds S P T J phi 1 e rho L v n ->
    window_holds S' P' (by_dag T) (by_dag J) (by_dag phi) k (by_job e) (by_job rho) (by_job L) v n.
  Proof.
    intros hw. assert (hwhole : forall m lag, whole_window S P T J phi 1 e rho L m lag v n ->
      whole_window S' P' (by_dag T) (by_dag J) (by_dag phi) k (by_job e) (by_job rho) (by_job L) m lag v n).
    { intros m lag (x & i & W & _ & h1 & h2 & h3 & h4 & h5). exists (k * x), i, (k * W).
      split; [apply Z.divide_factor_l|]. split; [unfold by_job; nia|]. split; [unfold by_job; cbn [length_of P' finer_platform]; nia|]. split; [exact h3|]. split; [apply (covers_finer v n x); [intros; nia | exact h4]|].
      unfold by_job. replace ((m - i) * (k * x - k * rho v n + k)) with (k * ((m - i) * (x - rho v n + 1))) by ring. nia. }
    unfold window_holds in *. cbn [kind_of pool order_of demand P' S' finer_platform finer]. destruct (kind_of P (pool S v)) as [m|m|G].
    - destruct hw as (x & i & W & h1 & h2 & h3 & h4 & h5). exists (k * x), i, (k * W).
      split; [unfold by_job; nia|]. split; [unfold by_job; nia|]. split; [exact h3|]. split; [apply (covers_finer v n (x - 1)); [intros; nia | exact h4]|].
      unfold by_job. cbn [length_of P' finer_platform]. assert (hmax : k * (x - rho v n - Z.max 1 (length_of P v)) <= k * x - k * rho v n - Z.max 1 (k * length_of P v)) by nia.
      transitivity ((m - i) * (k * (x - rho v n - Z.max 1 (length_of P v)))); [|apply Z.mul_le_mono_nonneg_l; lia].
      replace ((m - i) * (k * (x - rho v n - Z.max 1 (length_of P v)))) with (k * ((m - i) * (x - rho v n - Z.max 1 (length_of P v)))) by ring. nia.
    - now apply hwhole.
    - destruct hw as (N & h1 & h2 & h3 & h4). exists N. split; [exact h1|]. split; [now rewrite h2|]. split; [exact h3 | now apply hwhole].
  Qed.
End Finer.

(** T35. Claims of the jobs of one hyperperiod, in whole numbers of some unit, hold in every schedule whose events lie at multiples of 1/k of it. *)
Theorem T35_in_every_tick k S h P ex T J phi number least e rho L H jobs :
  let S' := finer k S in let P' := finer_platform k P in
  0 < k -> well_formed S -> sound_platform S P -> system_obeys S' h P' ex -> ends_when_run S' h P' ex ->
  periodic S' h (fun d => k * T d) (fun d => k * J d) (fun d => k * phi d) number -> takes_at_least S' h (fun v => k * least v) ->
  earliest S T phi least e -> latest S T J phi rho L ->
  (forall v, In v (nodes S) -> jobs (dag S v) * T (dag S v) = H /\ 0 < jobs (dag S v)) -> shifted S H jobs e -> shifted S H jobs rho -> shifted S H jobs L ->
  (forall v n, In v (nodes S) -> 0 <= n < jobs (dag S v) -> window_holds S P T J phi 1 e rho L v n \/
     exists F, ends_within S' h v (k * F) /\ nominal T phi (dag S v) n + J (dag S v) + F <= L v n) ->
  forall v r, In v (nodes S) -> released h (dag S v) r = true -> done h v r (k * L v (number (dag S v) r)) = true.
Proof.
  intros S' P' hk wf sp so hends hper hleast hearly hlate hjobs he hrho hL hone.
  pose proof (well_formed_finer k hk S wf) as wf'. pose proof (sound_platform_finer k S P hk sp) as sp'.
  apply (T35_safe S' h P' ex wf' sp' so hends _ _ _ number hper _ hleast k (fun v n => k * e v n) (fun v n => k * rho v n) (fun v n => k * L v n)).
  - intros v n hv. destruct (hearly v n hv) as [h1|(q & hq & h1)]; [left | right; exists q; split; [exact hq|]]; unfold nominal in *; cbn [dag S' finer]; nia.
  - intros v n hv. destruct (hlate v n hv) as (h1 & h2). split.
    + intros hp. specialize (h1 hp). unfold nominal in *. cbn [dag S' finer]. nia.
    + intros q hq. specialize (h2 q hq). nia.
  - exact hk.
  - intros v n hv. split; [apply Z.divide_factor_l|]. split; apply Z.divide_factor_l.
  - assert (hsh : forall f, shifted S H jobs f -> shifted S' (k * H) jobs (fun v n => k * f v n)).
    { intros f hf v n z hv. change (k * f v (n + z * jobs (dag S v)) = k * f v n + z * (k * H)). rewrite hf by exact hv. ring. }
    apply (claims_repeat S' wf' h P' (fun d => k * T d) (fun d => k * J d) (fun d => k * phi d) k _ _ _ (k * H) (Z.divide_factor_l k H) jobs); auto.
    + intros v hv. destruct (hjobs v hv) as (h1 & h2). split; [cbn [dag S' finer]; nia | exact h2].
    + intros v n hv hn. destruct (hone v n hv hn) as [hw|(F & hF & hle)].
      * left. now apply window_finer.
      * right. exists (k * F). split; [exact hF|]. unfold nominal in *. cbn [dag S' finer]. nia.
Qed.
