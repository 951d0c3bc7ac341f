(** T13: chains across DAGs. Each stage takes the newest data that there is; how late an event shows at the end, and how old the data is. docs/theory/chains.md.

    A job of stage i that is released at r reads at [reads i r] and writes at [writes i r]. *)

From Rta Require Import model.Sums.

Section Chain.
  Context (released : Z -> Z -> bool) (reads writes : Z -> Z -> Z) (Tmax E F : Z -> Z).

  (* Stages 0 ... n - 1. *)
  Context (n : Z) (n_pos : 0 < n).
  Context (read_late : forall i r, 0 <= i < n -> released i r = true -> r + E i <= reads i r).
  Context (write_soon : forall i r, 0 <= i < n -> released i r = true -> writes i r <= r + F i).

  (** The job before is no more than Tmax older, the next one no more than Tmax younger. *)
  Definition job_before (i r r' : Z) : Prop := released i r' = true /\ r' < r <= r' + Tmax i.
  Definition next_job (i r r' : Z) : Prop := released i r' = true /\ r < r' <= r + Tmax i.

  (** Forward: to the first job of the next stage that reads when this one writes or later. *)
  Definition goes_to (i a b : Z) : Prop := released (i + 1) b = true /\ writes i a <= reads (i + 1) b /\
    (forall b', released (i + 1) b' = true -> b' < b -> reads (i + 1) b' < writes i a) /\ exists b', job_before (i + 1) b b'.

  (** Backward: to the newest job of the stage before that has written by then. *)
  Definition comes_from (i a b : Z) : Prop := released i a = true /\ writes i a <= reads (i + 1) b /\
    (forall a', released i a' = true -> a < a' -> reads (i + 1) b < writes i a') /\ exists a', next_job i a a'.

  (** Jobs of which each is released no more than D i after the one before. *)
  Lemma steps_add_up (r D : Z -> Z) j : 0 <= j -> (forall i, 0 <= i < j -> r (i + 1) <= r i + D i) -> r j - r 0 <= sum D (range 0 j).
  Proof.
    intros hj. pattern j. apply natlike_ind; [|clear j hj|exact hj].
    - intros _. cbn. lia.
    - intros j hj IH hstep. rewrite <- Z.add_1_r in *. rewrite (sum_range_split D 0 j (j + 1)), range_one by lia. cbn [sum].
      pose proof (IH ltac:(intros i hi; apply hstep; lia)). pose proof (hstep j ltac:(lia)). lia.
  Qed.

  Lemma sum_shift (f : Z -> Z) j : 0 <= j -> sum (fun i => f (i + 1)) (range 0 j) = sum f (range 1 (j + 1)).
  Proof.
    intros hj. pattern j. apply natlike_ind; [reflexivity | | exact hj]. clear j hj. intros j hj IH. rewrite <- Z.add_1_r.
    rewrite (sum_range_split _ 0 j (j + 1)), (sum_range_split f 1 (j + 1) (j + 1 + 1)), !range_one by lia. cbn [sum]. lia.
  Qed.

  Lemma sum_first (f : Z -> Z) : sum f (range 0 n) = f 0 + sum f (range 1 n).
  Proof. rewrite (range_cons 0 n) by exact n_pos. reflexivity. Qed.

  Lemma sum_last (f : Z -> Z) : sum f (range 0 n) = sum f (range 0 (n - 1)) + f (n - 1).
  Proof. rewrite (range_snoc 0 n), sum_app by exact n_pos. cbn [sum]. lia. Qed.

  Let S : Z := sum (fun i => Tmax i + F i - E i) (range 0 n).

  Section Forward.
    Context (r : Z -> Z) (first : released 0 (r 0) = true) (chain : forall i, 0 <= i < n - 1 -> goes_to i (r i) (r (i + 1))).

    Lemma forward_released i : 0 <= i < n -> released i (r i) = true.
    Proof.
      intros hi. destruct (Z.eq_dec i 0) as [->|hne]; [exact first|]. destruct (chain (i - 1) ltac:(lia)) as (h & _). now replace (i - 1 + 1) with i in h by ring.
    Qed.

    Lemma forward_step i : 0 <= i < n - 1 -> r (i + 1) <= r i + (F i - E (i + 1) + Tmax (i + 1)).
    Proof.
      intros hi. destruct (chain i hi) as (_ & _ & hfirst & b' & hb' & hlt). pose proof (hfirst b' hb' ltac:(lia)).
      pose proof (read_late (i + 1) b' ltac:(lia) hb'). pose proof (write_soon i (r i) ltac:(lia) (forward_released i ltac:(lia))). lia.
    Qed.

    (** With any bounds D of how far the chain's jobs are apart: those of known phases, of stages that outrank the next one, or these. *)
    Theorem reaction_by_steps D : (forall i, 0 <= i < n - 1 -> r (i + 1) <= r i + D i) ->
      writes (n - 1) (r (n - 1)) - reads 0 (r 0) <= sum D (range 0 (n - 1)) + F (n - 1) - E 0.
    Proof.
      intros hD. pose proof (steps_add_up r D (n - 1) ltac:(lia) hD). pose proof (read_late 0 (r 0) ltac:(lia) first).
      pose proof (write_soon (n - 1) (r (n - 1)) ltac:(lia) (forward_released (n - 1) ltac:(lia))). lia.
    Qed.

    Lemma sum_of_steps : sum (fun i => F i - E (i + 1) + Tmax (i + 1)) (range 0 (n - 1)) + F (n - 1) - E 0 = S - Tmax 0.
    Proof.
      unfold S. rewrite (sum_eq (fun i => F i - E (i + 1) + Tmax (i + 1)) (fun i => F i + (fun i => Tmax i - E i) (i + 1))) by (intros; ring).
      rewrite sum_add, (sum_shift (fun i => Tmax i - E i)) by lia. replace (n - 1 + 1) with n by ring.
      rewrite (sum_eq (fun i => Tmax i + F i - E i) (fun i => F i + (Tmax i - E i))) by (intros; ring). rewrite sum_add.
      pose proof (sum_last F) as h1. pose proof (sum_first (fun i => Tmax i - E i)) as h2. cbv beta in h2.
      change (sum (fun a => F a) (range 0 (n - 1))) with (sum F (range 0 (n - 1))). change (sum (fun a => F a) (range 0 n)) with (sum F (range 0 n)). lia.
    Qed.

    (** MRRT and MRT: an event after the read of the job before shows when the chain ends. *)
    Theorem reduced_reaction_time : writes (n - 1) (r (n - 1)) - reads 0 (r 0) <= S - Tmax 0.
    Proof. rewrite <- sum_of_steps. apply reaction_by_steps. exact forward_step. Qed.

    Theorem reaction_time event before : job_before 0 (r 0) before -> reads 0 before <= event -> writes (n - 1) (r (n - 1)) - event <= S.
    Proof.
      intros (hb & hlt) he. pose proof (read_late 0 before ltac:(lia) hb). pose proof (write_soon (n - 1) (r (n - 1)) ltac:(lia) (forward_released (n - 1) ltac:(lia))).
      pose proof (steps_add_up r _ (n - 1) ltac:(lia) forward_step). pose proof sum_of_steps. lia.
    Qed.
  End Forward.

  Section Backward.
    Context (r : Z -> Z) (last : released (n - 1) (r (n - 1)) = true) (chain : forall i, 0 <= i < n - 1 -> comes_from i (r i) (r (i + 1))).

    Lemma backward_released i : 0 <= i < n -> released i (r i) = true.
    Proof. intros hi. destruct (Z.eq_dec i (n - 1)) as [->|hne]; [exact last|]. now destruct (chain i ltac:(lia)) as (h & _). Qed.

    Lemma backward_step i : 0 <= i < n - 1 -> r (i + 1) <= r i + (Tmax i + F i - E (i + 1)).
    Proof.
      intros hi. destruct (chain i hi) as (_ & _ & hnewest & a' & ha' & hlt). pose proof (hnewest a' ha' ltac:(lia)).
      pose proof (read_late (i + 1) (r (i + 1)) ltac:(lia) (backward_released (i + 1) ltac:(lia))). pose proof (write_soon i a' ltac:(lia) ha'). lia.
    Qed.

    Lemma sum_of_steps_back : sum (fun i => Tmax i + F i - E (i + 1)) (range 0 (n - 1)) + F (n - 1) - E 0 = S - Tmax (n - 1).
    Proof.
      unfold S. rewrite (sum_eq (fun i => Tmax i + F i - E (i + 1)) (fun i => (Tmax i + F i) + (fun i => - E i) (i + 1))) by (intros; ring).
      rewrite sum_add, (sum_shift (fun i => - E i)) by lia. replace (n - 1 + 1) with n by ring.
      rewrite (sum_eq (fun i => Tmax i + F i - E i) (fun i => (Tmax i + F i) + - E i)) by (intros; ring). rewrite (sum_add (fun i => Tmax i + F i) (fun i => - E i) (range 0 n)).
      pose proof (sum_last (fun i => Tmax i + F i)) as h1. pose proof (sum_first (fun i => - E i)) as h2. cbv beta in h1, h2. lia.
    Qed.

    (** MRDA, and MDA: until the next job of the last stage overwrites the output. *)
    Theorem reduced_data_age : writes (n - 1) (r (n - 1)) - reads 0 (r 0) <= S - Tmax (n - 1).
    Proof.
      pose proof (steps_add_up r _ (n - 1) ltac:(lia) backward_step). pose proof sum_of_steps_back.
      pose proof (read_late 0 (r 0) ltac:(lia) (backward_released 0 ltac:(lia))). pose proof (write_soon (n - 1) (r (n - 1)) ltac:(lia) last). lia.
    Qed.

    Theorem data_age next : next_job (n - 1) (r (n - 1)) next -> writes (n - 1) next - reads 0 (r 0) <= S.
    Proof.
      intros (hn & hlt). pose proof (steps_add_up r _ (n - 1) ltac:(lia) backward_step). pose proof sum_of_steps_back.
      pose proof (read_late 0 (r 0) ltac:(lia) (backward_released 0 ltac:(lia))). pose proof (write_soon (n - 1) next ltac:(lia) hn). lia.
    Qed.
  End Backward.
End Chain.

(** Known phases: of jobs released at phi + k T and phi' + k' T' the first one that may read what the other wrote comes at most D after it. *)
Theorem phases_apart phi T phi' T' FE k k' : 0 < T -> 0 < T' -> let g := Z.gcd T T' in let c := phi' - phi - FE in
  phi + k * T + FE <= phi' + k' * T' -> phi' + (k' - 1) * T' < phi + k * T + FE ->
  phi' + k' * T' - (phi + k * T) <= FE + T' - g + c mod g.
Proof.
  intros hT hT' g c hle hlt. assert (hg : 0 < g). { pose proof (Z.gcd_nonneg T T'). assert (g <> 0); [|unfold g in *; lia]. intros e. apply Z.gcd_eq_0_l in e. lia. }
  destruct (Z.gcd_divide_l T T') as (a & ha). destruct (Z.gcd_divide_r T T') as (b & hb). fold g in ha, hb.
  assert (hc0 : c = phi' - phi - FE) by reflexivity. clearbody g c.
  pose proof (Z.div_mod c g ltac:(lia)) as hc. pose proof (Z.mod_pos_bound c g hg) as hm. set (m := c mod g) in *. set (d := c / g) in *. clearbody m d.
  assert (hq : phi' + k' * T' - (phi + k * T) - FE = g * (d + k' * b - k * a) + m) by (rewrite ha, hb; lia).
  set (q := d + k' * b - k * a) in *. clearbody q.
  assert (hlt' : g * q + m < b * g) by lia. assert (hqb : q < b) by nia. nia.
Qed.
