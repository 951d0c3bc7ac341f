(** The heart of T10 and T10n: if a due instant is missed, then some path has too little execution and waiting to explain it.

    [late_impossible]: with v's due instant missed, M (F_v + 1) is at most the right-hand side of (2) for a path. *)

From Rta Require Import model.Sums model.Counting model.System model.Schedule model.Laws path.Walk path.Inequality.

Lemma share_pos S h g a l z M share p :
  well_formed S -> counting_laws S h g a -> path S l z -> In z (nodes S) ->
  0 < M /\ (forall y, In y l -> share (pool S y) * cap a (pool S y) = M) -> In p (visited S l) -> 0 < share p.
Proof.
  intros wf laws hl hz (Mpos & hshare) hp. apply in_visited in hp. destruct hp as (y & hy & <-). specialize (hshare y hy).
  pose proof (cl_cap laws y (proj1 (path_nodes S l z wf hz hl y hy))) as (? & _). nia.
Qed.

(** A sum over the nodes of a path, pool by pool. *)
Lemma sum_by_pool S l share (f : node -> Z) :
  sum (fun p => share p * sum f (filter (fun y => pool S y =? p) l)) (visited S l) = sum (fun y => share (pool S y) * f y) l.
Proof.
  transitivity (sum (fun p => sum (fun y => ind (pool S y =? p) * (share (pool S y) * f y)) l) (visited S l)).
  - apply sum_eq. intros p _. rewrite sum_filter, <- sum_scale. apply sum_eq. intros y _.
    destruct (Z.eqb_spec (pool S y) p) as [->|]; cbn [ind]; ring.
  - rewrite sum_exchange. apply sum_eq. intros y hy.
    rewrite (sum_unique _ _ (pool S y)).
    + rewrite Z.eqb_refl. cbn [ind]. lia.
    + apply NoDup_nodup.
    + apply in_visited. eauto.
    + intros p _ hne. destruct (Z.eqb_spec (pool S y) p); [congruence|]. cbn [ind]. lia.
Qed.

(** [covers_jobs ... u N]: N jobs of node u count at most, released after r - G u, and no later than lim u after r. *)
Definition covers_jobs (S : system) (h : history) (v : node) (r : Z) (G : node -> Z) (lim : node -> option Z) (excluded : node
  -> bool) (u : node) (N : Z)
    : Prop :=
  match lim u with
  | None => 0 <= N
  | Some l =>
    if dag S u =? dag S v then
      (if excluded u then 0 else if 0 <=? l then 1 else 0)
        + releases (fun x => released h (dag S u) x && negb (x =? r)) (r - G u + 1) (r + l + 1) <= N
    else releases (released h (dag S u)) (r - G u + 1) (r + l + 1) <= N
  end.

(** The counts of T10n do. *)
Lemma count_covers S h v r G lim excluded u : well_formed S -> legal S h -> released h (dag S v) r = true -> In u (nodes S) ->
  covers_jobs S h v r G lim excluded u (count S G v excluded lim u).
Proof.
  intros wf lg hr hu. pose proof (wf_period wf u hu) as hT. pose proof (legal_sporadic lg u hu) as hsp. unfold covers_jobs, count.
  destruct (lim u) as [l|] eqn:hl; destruct (Z.eqb_spec (dag S u) (dag S v)) as [hd|hd]; cbn [count_own count_other]; try lia.
  - apply Z.add_le_mono_l. apply counting_others; auto. now rewrite hd.
  - pose proof (counting (released h (dag S u)) (period S (dag S u)) hT hsp (r - G u) (r + l)) as hc.
    now replace (r + l - (r - G u)) with (G u + l) in hc by ring.
Qed.

(** What happens while a path is pending. *)
Section Explained.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : counting_laws S h g a).

  (* From r to t = r + Fv some node of path l, to an ancestor x of v or to v itself, is pending; l' goes on from there. *)
  Context (v : node) (r Fv : Z).
  Let t := r + Fv.
  Context (l : list node) (x : node) (hl : path S l x) (hx : ancestor_or_self S x v).
  Context (cover : forall s, r <= s <= t -> exists y, In y l /\ pending S h y r s = true).
  Context (l' : list node) (z : node) (hl' : path S l' z) (hz : In z (nodes S)) (hincl : incl l l').

  (** Whether a node of the path waits on pool p in tick s. *)
  Definition path_waits (p s : Z) : bool := existsb (fun y => (pool S y =? p) && waits g y r s) l'.

  Lemma path_waits_spec p s : r <= s <= t -> path_waits p s = true ->
    exists y, In y l' /\ pool S y = p /\ waits g y r s = true /\ ancestor_or_self S y v.
  Proof.
    intros hs hw. apply existsb_exists in hw. destruct hw as (y & hy & hw). apply andb_prop in hw.
    destruct hw as (hp & hw). apply Z.eqb_eq in hp. exists y. repeat split; auto.
    destruct (cover s hs) as (y' & hy' & hp'). assert (y = y') as ->.
    { apply (pending_alone S h lg y y' r s); auto; [apply (path_comparable S l' z hl'); auto|].
      apply (cl_waits laws); auto. exact (proj1 (path_nodes S l' z wf hz hl' y ltac:(auto))). }
    destruct (path_ancestors S l x hl y' hy') as [->|ha], hx as [->|hx']; unfold ancestor_or_self; eauto using ancestor_trans.
  Qed.

  (** The same for a node that (u, r') is not lower than. *)
  Definition path_waits_for (u : node) (r' s : Z) : bool :=
    existsb (fun y => (pool S y =? pool S u) && waits g y r s && negb (lower (order_of S (pool S y)) u r' y r)) l'.

  Lemma path_waits_for_spec u r' s : r <= s <= t -> path_waits_for u r' s = true ->
    exists y, In y l' /\ pool S y = pool S u /\ waits g y r s = true /\ lower (order_of S (pool S y)) u r' y r = false
      /\ ancestor_or_self S y v.
  Proof.
    intros hs hw. apply existsb_exists in hw. destruct hw as (y & hy & hw). rewrite !andb_true_iff, negb_true_iff, Z.eqb_eq in hw.
    destruct hw as ((hp & hw) & hlow).
    assert (hpw : path_waits (pool S u) s = true) by (apply existsb_exists; exists y; now rewrite hp, Z.eqb_refl, hw).
    destruct (path_waits_spec _ s hs hpw) as (y' & hy' & hp' & hw' & ha).
    assert (y = y') as <-.
    { pose proof (fun z0 h0 => proj1 (path_nodes S l' z wf hz hl' z0 h0)) as hnode.
      apply (pending_alone S h lg y y' r s); [apply (path_comparable S l' z hl'); auto | apply (cl_waits laws); auto
        | apply (cl_waits laws); auto]. }
    exists y. auto.
  Qed.

  (** Of a node of the path itself its last piece does not run while it or another one waits. *)
  Lemma meanwhile_path u : In u l' -> sum (fun s => ind (path_waits_for u r s) * work g u r s) (range r (t + 1)) <= vol a u - last a u.
  Proof.
    intros hul. destruct (path_nodes S l' z wf hz hl' u hul) as (hu & _).
    etransitivity; [|apply (cl_last laws u r r (t + 1) hu)].
    apply sum_le. intros s hs. rewrite in_range in hs. pose proof (cl_work laws u r s hu).
    destruct (path_waits_for u r s) eqn:hw; cbn [ind]; [|pose proof (ind_range (waits g u r s)); nia].
    destruct (path_waits_for_spec u r s ltac:(lia) hw) as (y & hy & hyp & hyw & _).
    destruct (Z.eq_dec y u) as [->|hne]; [rewrite hyw; cbn [ind]; lia|].
    rewrite (counting_alone S h g a y u r s wf lg laws (proj1 (path_nodes S l' z wf hz hl' y hy)) hu hyw); [lia|].
    destruct (path_comparable S l' z hl' y u hy hul) as [->|[ha|ha]]; tauto.
  Qed.

  (** The execution of node y of the path, and what goes on of lower priority while it waits, in tick s. *)
  Definition executes (y s : Z) : bool := pending S h y r s && negb (waits g y r s).

  Definition blocked_by (y : node) (s : Z) : Z :=
    ind (waits g y r s) * sum (fun u => sum (fun r' => ind (lower (order_of S (pool S y)) u r' y r) * work g u r' s) (range 0 (s + 1)))
      (on_pool S (pool S y)).

  Lemma blocked_by_nonneg y s : In y l' -> 0 <= blocked_by y s.
  Proof.
    intros hy. unfold blocked_by. apply Z.mul_nonneg_nonneg; [apply ind_range|]. apply sum_nonneg. intros u hu. apply in_on_pool in hu.
    apply sum_nonneg. intros r' _. pose proof (cl_work laws u r' s ltac:(tauto)).
    pose proof (ind_range (lower (order_of S (pool S y)) u r' y r)). nia.
  Qed.

  (** Waiting on one pool until instant b, in ticks in which it works at its capacity: it does so on what runs meanwhile and what blocks. *)
  Lemma waited_in (keep : Z -> bool) p b : (forall y s, In y l' -> pool S y = p -> keep s = true -> waits g y r s = true -> cap a p <= rate S g p s) ->
    r <= b <= t + 1 ->
    cap a p * sum (fun s => ind (path_waits p s && keep s)) (range r b)
      <= sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for u r' s) * work g u r' s) (range r b)) (range 0 (t + 1))) (on_pool S p)
         + sum (fun y => sum (blocked_by y) (range r b)) (filter (fun y => pool S y =? p) l').
  Proof.
    intros pace hb.
    assert (hnode : forall y, In y l' -> In y (nodes S)) by (intros y hy; exact (proj1 (path_nodes S l' z wf hz hl' y hy))).
    assert (hrate : cap a p * sum (fun s => ind (path_waits p s && keep s)) (range r b)
              <= sum (fun s => sum (fun u => sum (fun r' => ind (path_waits_for u r' s) * work g u r' s) (range 0 (t + 1))) (on_pool S p)
                               + sum (fun y => blocked_by y s) (filter (fun y => pool S y =? p) l')) (range r b)).
    { rewrite <- sum_scale. apply sum_le. intros s hs. rewrite in_range in hs.
      assert (h1 : 0 <= sum (fun u => sum (fun r' => ind (path_waits_for u r' s) * work g u r' s) (range 0 (t + 1))) (on_pool S p)).
      { apply sum_nonneg. intros u hu. apply in_on_pool in hu. apply sum_nonneg. intros r' _.
        pose proof (cl_work laws u r' s ltac:(tauto)).
        pose proof (ind_range (path_waits_for u r' s)). nia. }
      assert (h2 : 0 <= sum (fun y => blocked_by y s) (filter (fun y => pool S y =? p) l')).
      { apply sum_nonneg. intros y hy. apply filter_In in hy. now apply blocked_by_nonneg. }
      destruct (path_waits p s) eqn:hw; cbn [andb ind]; [|lia]. destruct (keep s) eqn:hk; cbn [ind]; [|lia].
      destruct (path_waits_spec p s ltac:(lia) hw) as (y & hy & hyp & hyw & hya).
      rewrite Z.mul_1_r. etransitivity; [exact (pace y s hy hyp hk hyw)|].
      transitivity (sum (fun u => sum (fun r' => ind (path_waits_for u r' s) * work g u r' s) (range 0 (t + 1))) (on_pool S p) + blocked_by y s).
      - unfold blocked_by. rewrite hyw, hyp. cbn [ind]. rewrite Z.mul_1_l. unfold rate. rewrite <- sum_add. apply sum_le. intros u hu.
        apply in_on_pool in hu. destruct hu as (hu & hup).
        transitivity (sum (fun r' => ind (path_waits_for u r' s) * work g u r' s + ind (lower (order_of S p) u r' y r) * work g u r' s)
          (range 0 (s + 1))).
        + apply sum_le. intros r' _. pose proof (cl_work laws u r' s hu) as hw0.
          destruct (lower (order_of S p) u r' y r) eqn:hlow; cbn [ind]; [pose proof (ind_range (path_waits_for u r' s)); nia|].
          replace (path_waits_for u r' s) with true; [cbn [ind]; lia|]. symmetry. apply existsb_exists. exists y. split; [exact hy|].
          now rewrite hyp, hup, Z.eqb_refl, hyw, hlow.
        + rewrite sum_add. apply Z.add_le_mono_r. apply sum_range_incl; [|lia|lia]. intros r' _. pose proof (cl_work laws u r' s hu).
          pose proof (ind_range (path_waits_for u r' s)). nia.
      - apply Z.add_le_mono_l. apply (sum_in (fun y => blocked_by y s)).
        + intros y' hy'. apply filter_In in hy'. now apply blocked_by_nonneg.
        + apply filter_In. split; [exact hy | now apply Z.eqb_eq]. }
    rewrite sum_add in hrate.
    rewrite (sum_exchange (fun s y => blocked_by y s)) in hrate.
    assert (hsum : sum (fun s => sum (fun u => sum (fun r' => ind (path_waits_for u r' s) * work g u r' s) (range 0 (t + 1))) (on_pool S p))
      (range r b)
              = sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for u r' s) * work g u r' s) (range r b)) (range 0 (t + 1))) (on_pool S p)).
    { rewrite (sum_exchange (fun s u => sum (fun r' => ind (path_waits_for u r' s) * work g u r' s) (range 0 (t + 1)))).
      apply sum_eq. intros u _. apply (sum_exchange (fun s r' => ind (path_waits_for u r' s) * work g u r' s)). }
    rewrite hsum in hrate. exact hrate.
  Qed.

  (** Every tick from r on is execution of one node of the path, or waiting on one pool. *)
  Lemma time_split b : r <= b <= t + 1 ->
    b - r <= sum (fun y => sum (fun s => ind (executes y s)) (range r b)) l'
             + sum (fun p => sum (fun s => ind (path_waits p s)) (range r b)) (visited S l').
  Proof.
    intros hb.
    rewrite (sum_exchange (fun y s => ind (executes y s))).
    rewrite (sum_exchange (fun p s => ind (path_waits p s))).
    assert (hone : sum (fun _ => 1) (range r b)
              <= sum (fun s => sum (fun y => ind (executes y s)) l' + sum (fun p => ind (path_waits p s)) (visited S l')) (range r b)).
    { apply sum_le. intros s hs. rewrite in_range in hs. destruct (cover s ltac:(lia)) as (y & hy & hp).
      assert (h1 : 0 <= sum (fun y => ind (executes y s)) l') by (apply sum_nonneg; intros; apply ind_range).
      assert (h2 : 0 <= sum (fun p => ind (path_waits p s)) (visited S l')) by (apply sum_nonneg; intros; apply ind_range).
      destruct (waits g y r s) eqn:hw.
      - enough (1 <= sum (fun p => ind (path_waits p s)) (visited S l')) by lia.
        replace 1 with (ind (path_waits (pool S y) s)).
        + apply (sum_in (fun p => ind (path_waits p s))); [intros; apply ind_range|]. apply in_visited. eauto.
        + replace (path_waits (pool S y) s) with true; [reflexivity|]. symmetry. apply existsb_exists.
          exists y. rewrite Z.eqb_refl, hw. auto.
      - enough (1 <= sum (fun y => ind (executes y s)) l') by lia.
        replace 1 with (ind (executes y s)) by (unfold executes; rewrite hp, hw; reflexivity).
        apply (sum_in (fun y => ind (executes y s))); [intros; apply ind_range | auto]. }
    rewrite sum_range_const, sum_add in hone by lia. lia.
  Qed.

  Context (pace : forall y s, In y l' -> waits g y r s = true -> cap a (pool S y) <= rate S g (pool S y) s).

  (** All of it. *)
  Lemma waited p b : r <= b <= t + 1 ->
    cap a p * sum (fun s => ind (path_waits p s)) (range r b)
      <= sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for u r' s) * work g u r' s) (range r b)) (range 0 (t + 1))) (on_pool S p)
         + sum (fun y => sum (blocked_by y) (range r b)) (filter (fun y => pool S y =? p) l').
  Proof.
    intros hb. etransitivity; [|apply (waited_in (fun _ => true) p b); [|exact hb]].
    - apply Z.eq_le_incl. f_equal. apply sum_eq. intros s _. now rewrite andb_true_r.
    - intros y s hy <- _ hw. now apply pace.
  Qed.

  Context (M : Z) (share : Z -> Z) (hM : 0 < M /\ forall y, In y l' -> share (pool S y) * cap a (pool S y) = M).

  (** Together, until instant b. *)
  Lemma explained b : r <= b <= t + 1 ->
    M * (b - r) <= M * sum (fun y => sum (fun s => ind (executes y s)) (range r b)) l'
      + sum (fun y => share (pool S y) * sum (blocked_by y) (range r b)) l'
      + sum (fun p => share p * sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for u r' s) * work g u r' s) (range r b))
          (range 0 (t + 1))) (on_pool S p)) (visited S l').
  Proof.
    intros hb. pose proof (time_split b hb) as hsplit. destruct hM as (Mpos & hshare).
    assert (hw : M * sum (fun p => sum (fun s => ind (path_waits p s)) (range r b)) (visited S l')
              <= sum (fun p => share p * sum (fun u => sum (fun r' => sum (fun s => ind (path_waits_for u r' s) * work g u r' s) (range r b))
                   (range 0 (t + 1))) (on_pool S p)) (visited S l')
                 + sum (fun p => share p * sum (fun y => sum (blocked_by y) (range r b)) (filter (fun y => pool S y =? p) l')) (visited S l')).
    { rewrite <- sum_scale, <- sum_add. apply sum_le. intros p hp. pose proof (waited p b hb) as hwp.
      pose proof (share_pos S h g a l' z M share p wf laws hl' hz (conj Mpos hshare) hp) as hs.
      apply in_visited in hp. destruct hp as (y & hy & <-). specialize (hshare y hy). rewrite <- hshare at 1. nia. }
    rewrite (sum_by_pool S l' share) in hw. nia.
  Qed.

End Explained.

Section Waiting.
  Context (S : system) (h : history) (g : progress) (a : accounts).
  Context (wf : well_formed S) (lg : legal S h) (laws : counting_laws S h g a).

  (* Node v of the job released at r has not ended at t = r + Fv. *)
  Context (v : node) (r Fv : Z) (hr : released h (dag S v) r = true) (Fv_nonneg : 0 <= Fv).
  Let t := r + Fv.

  (* Which jobs matter: those of u released after r - G u, and no later than lim u after r where they keep v or an ancestor waiting. *)
  Context (G : node -> Z).
  Context (lim : node -> option Z).

  (* A path that explains the delay, and perhaps goes on beyond it; how counted jobs are limited. *)
  Context (l : list node) (x : node) (hl : path S l x) (hx : ancestor_or_self S x v).
  Context (cover : forall s, r <= s <= t -> exists y, In y l /\ pending S h y r s = true).
  Context (l' : list node) (z : node) (hl' : path S l' z) (hz : In z (nodes S)) (hzd : dag S z = dag S v) (hincl : incl l l').
  Context (hlim : forall q u r' s, In u (nodes S) -> pool S u = pool S q -> In q l' -> ancestor_or_self S q v -> r <= s <= t ->
             waits g q r s = true -> 0 < work g u r' s -> lower (order_of S (pool S q)) u r' q r = false -> within (lim u) (r' - r)).

  Context (old : forall y u r' s, In y l' -> In u (nodes S) -> pool S u = pool S y -> r' <= r - G u -> r <= s -> work g u r' s = 0).

  (* Nodes of the same job that do not run while the path waits on their pool: descendants of v, and those that come before or after every
     node of the path on the pool, or are of lower priority (T10p). *)
  Context (excluded : node -> bool).
  Context (hexcl : forall u, In u (nodes S) -> excluded u = true ->
             ancestor S v u \/ forall y, In y l' -> pool S y = pool S u ->
               ancestor S u y \/ ancestor S y u \/ lower (order_of S (pool S y)) u r y r = true).
  Context (hpath : forall y, In y l' -> excluded y = false /\ within (lim y) 0).

  (* Blocking by what is of lower priority. *)
  Context (blk : node -> Z).
  Context (hblk : forall y, In y l' ->
             sum (fun s => ind (waits g y r s) *
                    sum (fun u => sum (fun r' => ind (lower (order_of S (pool S y)) u r' y r) * work g u r' s) (range 0 (s + 1)))
                      (on_pool S (pool S y)))
               (range r (t + 1)) <= blk y).

  Context (pace : forall y s, In y l' -> waits g y r s = true -> cap a (pool S y) <= rate S g (pool S y) s).
  Context (M : Z) (share : Z -> Z) (hM : 0 < M /\ forall y, In y l' -> share (pool S y) * cap a (pool S y) = M).

  (* How many jobs of a node count: of another DAG those in the window, of v's own DAG this one, unless it is excluded,
    and the others there. *)
  Context (n : node -> Z).
  Context (hn : forall u, In u (nodes S) -> covers_jobs S h v r G lim excluded u (n u)).

  Let waits_for := path_waits_for S g r l'.
  Let waits_for_spec := path_waits_for_spec S h g a wf lg laws v r Fv l x hl hx cover l' z hl' hz hincl.
  Let path_meanwhile := meanwhile_path S h g a wf lg laws v r Fv l x hl hx cover l' z hl' hz hincl.
  Let path_share := fun p => share_pos S h g a l' z M share p wf laws hl' hz hM.
  Let path_explained := explained S h g a wf lg laws v r Fv l x hl hx cover l' z hl' hz hincl pace M share hM.

  (* The work that node job (u, r') does while the path waits on u's pool for it. *)
  Let done_while_waiting (u : node) (r' : Z) : Z :=
    sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r (t + 1)).

  Lemma meanwhile_own u : In u l' -> done_while_waiting u r <= vol a u - last a u.
  Proof. exact (path_meanwhile u). Qed.

  Lemma meanwhile_nonneg u r' : In u (nodes S) -> 0 <= done_while_waiting u r'.
  Proof.
    intros hu. apply sum_nonneg. intros s _. pose proof (cl_work laws u r' s hu).
    pose proof (ind_range (waits_for u r' s)). nia.
  Qed.

  Lemma meanwhile_vol u r' : In u (nodes S) -> done_while_waiting u r' <= vol a u.
  Proof.
    intros hu. etransitivity; [|apply (cl_vol laws u r' r (t + 1) hu)].
    apply sum_le. intros s _. pose proof (cl_work laws u r' s hu).
    pose proof (ind_range (waits_for u r' s)). nia.
  Qed.

  (* Only jobs in the window matter. *)
  Lemma meanwhile_window u r' : In u (nodes S) -> done_while_waiting u r' <> 0 ->
    released h (dag S u) r' = true /\ r - G u < r' /\ within (lim u) (r' - r).
  Proof.
    intros hu hne. pose proof (meanwhile_nonneg u r' hu).
    assert (hpos : 0 < done_while_waiting u r') by lia. apply sum_pos_in in hpos. destruct hpos as (s & hs & hpos).
    cbv beta in hpos. rewrite in_range in hs.
    destruct (waits_for u r' s) eqn:hw; cbn [ind] in hpos; [|lia].
    destruct (waits_for_spec u r' s ltac:(lia) hw) as (y & hy & hyp & hyw & hylow & hya).
    destruct (cl_undone laws u r' s hu ltac:(lia)) as (hrel & _).
    repeat split; auto.
    - destruct (Z_lt_le_dec (r - G u) r') as [|hle]; [auto|]. rewrite (old y u r' s hy hu) in hpos by (auto; lia). lia.
    - apply (hlim y u r' s); auto; lia.
  Qed.

  (* Of the job itself: nothing of excluded nodes; of a node of the path, not its last piece. *)
  Lemma meanwhile_excluded u : excluded u = true -> In u (nodes S) -> done_while_waiting u r = 0.
  Proof.
    intros hd hu. apply sum_zero. intros s hs. rewrite in_range in hs.
    destruct (waits_for u r s) eqn:hw; cbn [ind]; [|lia].
    destruct (waits_for_spec u r s ltac:(lia) hw) as (y & hy & hyp & hyw & hylow & hya).
    destruct (path_nodes S l' z wf hz hl' y hy) as (hyn & _).
    rewrite (counting_alone S h g a y u r s wf lg laws hyn hu hyw); [lia|].
    destruct (hexcl u hu hd) as [ha|hall].
    - right. destruct hya as [->|hya]; eauto using ancestor_trans.
    - destruct (hall y hy hyp) as [ha|[ha|hlow]]; [now left | now right | congruence].
  Qed.

  (* Sums over a range of conditions that hold in a window only. *)
  Lemma sum_in_window f b c lo hi :
    (forall y, 0 <= f y) -> (forall y, f y <> 0 -> lo <= y < hi) -> sum f (range b c) <= sum f (range lo hi).
  Proof.
    intros f0 hw.
    rewrite (sum_eq f (fun y => ind ((lo <=? y) && (y <? hi)) * f y)).
    - rewrite <- sum_filter. apply sum_incl; [apply NoDup_filter, range_nodup| |auto].
      intros y hy. apply filter_In in hy. rewrite in_range. lia.
    - intros y _. destruct (Z.eq_dec (f y) 0) as [->|hne]; [lia|]. specialize (hw y hne).
      destruct (Z.leb_spec lo y), (Z.ltb_spec y hi); cbn [andb ind]; lia.
  Qed.

  (** Counting: all jobs of node u together. *)
  Lemma meanwhile_all u : In u (nodes S) ->
    sum (done_while_waiting u) (range 0 (t + 1)) + (if in_dec Z.eq_dec u l' then last a u else 0) <= n u * vol a u.
  Proof.
    intros hu. pose proof (cl_numbers laws u hu) as (_ & hvol & _). pose proof (hn u hu) as hcov. unfold covers_jobs in hcov.
    (* jobs in the window, under any condition *)
    assert (hwindow : forall (keep : Z -> bool) lu, lim u = Some lu ->
              sum (fun r' => ind (keep r') * done_while_waiting u r') (range 0 (t + 1))
              <= releases (fun x => released h (dag S u) x && keep x) (r - G u + 1) (r + lu + 1) * vol a u).
    { intros keep lu hlu. unfold releases. rewrite <- sum_scale_r.
      etransitivity; [apply (sum_in_window _ 0 (t + 1) (r - G u + 1) (r + lu + 1))|].
      - intros r'. pose proof (meanwhile_nonneg u r' hu). pose proof (ind_range (keep r')). nia.
      - intros r' hne. assert (done_while_waiting u r' <> 0) as hne' by (intros e; rewrite e in hne; lia).
        destruct (meanwhile_window u r' hu hne') as (_ & hlo & hhi). rewrite hlu in hhi. cbn in hhi. lia.
      - apply sum_le. intros r' _. pose proof (meanwhile_vol u r' hu). pose proof (meanwhile_nonneg u r' hu).
        destruct (Z.eq_dec (done_while_waiting u r') 0) as [e|hne].
        + rewrite e. pose proof (ind_range (released h (dag S u) r' && keep r')). nia.
        + destruct (meanwhile_window u r' hu hne) as (hrel' & _ & _). rewrite hrel'. cbn [andb]. pose proof (ind_range (keep r')). nia. }
    destruct (lim u) as [lu|] eqn:hlu.
    - destruct (Z.eqb_spec (dag S u) (dag S v)) as [hd|hd].
      + (* the DAG's own jobs: this one and others *)
        pose proof (legal_start lg _ _ hr).
        rewrite (sum_split_one (fun r' => r' =? r)).
        rewrite (sum_unique _ _ r) by
          (try apply range_nodup; try (apply in_range; lia); intros r' _ hne; rewrite (proj2 (Z.eqb_neq r' r) hne); cbn [ind]; lia).
        rewrite Z.eqb_refl. cbn [ind]. rewrite Z.mul_1_l.
        specialize (hwindow (fun x => negb (x =? r)) lu eq_refl). cbv beta in hwindow.
        enough (done_while_waiting u r + (if in_dec Z.eq_dec u l' then last a u else 0)
                <= (if excluded u then 0 else if 0 <=? lu then 1 else 0) * vol a u) by nia.
        destruct (in_dec Z.eq_dec u l') as [hin|hout].
        * destruct (hpath u hin) as (hnd & h0). rewrite hnd. rewrite hlu in h0. cbn in h0.
          destruct (Z.leb_spec 0 lu); [|lia]. pose proof (meanwhile_own u hin). lia.
        * destruct (excluded u) eqn:hde; [rewrite (meanwhile_excluded u hde hu); lia|].
          destruct (Z.leb_spec 0 lu) as [h0|hneg]; [pose proof (meanwhile_vol u r hu); lia|].
          destruct (Z.eq_dec (done_while_waiting u r) 0) as [e|hne]; [lia|].
          destruct (meanwhile_window u r hu hne) as (_ & _ & hw). rewrite hlu in hw. cbn in hw. lia.
      + (* jobs of another DAG *)
        destruct (in_dec Z.eq_dec u l') as [hin|hout].
        { destruct (path_nodes S l' z wf hz hl' u hin) as (_ & hdz). congruence. }
        specialize (hwindow (fun _ => true) lu eq_refl). cbv beta in hwindow. unfold releases in *.
        rewrite (sum_eq (fun r' => ind true * done_while_waiting u r') (done_while_waiting u)) in hwindow by (intros; cbn [ind]; lia).
        rewrite (sum_eq (fun x => ind (released h (dag S u) x && true)) (fun x => ind (released h (dag S u) x))) in hwindow
          by (intros; now rewrite andb_true_r).
        nia.
    - (* nothing of u may go before the path *)
      assert (hz0 : forall r', done_while_waiting u r' = 0).
      { intros r'. destruct (Z.eq_dec (done_while_waiting u r') 0) as [e|hne]; [auto|].
        destruct (meanwhile_window u r' hu hne) as (_ & _ & hw). rewrite hlu in hw. destruct hw. }
      rewrite sum_zero by (intros r' _; apply hz0). destruct (in_dec Z.eq_dec u l') as [hin|]; [|nia].
      destruct (hpath u hin) as (_ & h0). rewrite hlu in h0. destruct h0.
  Qed.

  (** Counting on one pool. *)
  Lemma counted_on_pool p : In p (visited S l') ->
    sum (fun u => sum (done_while_waiting u) (range 0 (t + 1))) (on_pool S p) + sum (last a) (filter (fun y => pool S y =? p) l')
      <= pool_work S a n p.
  Proof.
    intros hp. unfold pool_work.
    assert (hlast : sum (last a) (filter (fun y => pool S y =? p) l')
              <= sum (fun u => if in_dec Z.eq_dec u l' then last a u else 0) (on_pool S p)).
    { rewrite (sum_eq (last a) (fun u => if in_dec Z.eq_dec u l' then last a u else 0)).
      - apply sum_incl; [apply NoDup_filter, (path_nodup S l' z); auto| |].
        + intros y hy. apply filter_In in hy. apply in_on_pool. destruct (path_nodes S l' z wf hz hl' y) as (? & _); [tauto|].
          split; [auto|]. now apply Z.eqb_eq.
        + intros y hy. apply in_on_pool in hy. pose proof (cl_numbers laws y ltac:(tauto)). destruct (in_dec _ _ _); lia.
      - intros y hy. apply filter_In in hy. destruct (in_dec Z.eq_dec y l'); [auto | tauto]. }
    assert (hall : sum (fun u => sum (done_while_waiting u) (range 0 (t + 1))) (on_pool S p)
              + sum (fun u => if in_dec Z.eq_dec u l' then last a u else 0) (on_pool S p)
              <= sum (fun u => n u * vol a u) (on_pool S p)).
    { rewrite <- sum_add. apply sum_le. intros u hu. apply in_on_pool in hu. now apply meanwhile_all. }
    lia.
  Qed.

  (** With any bounds of what is done on each pool of the path, until instant b. *)
  Theorem late_until b (there : Z -> Z) : r <= b <= t + 1 ->
    (forall p, In p (visited S l') ->
       sum (fun u => sum (fun r' => sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r b)) (range 0 (t + 1))) (on_pool S p)
         + sum (last a) (filter (fun y => pool S y =? p) l') <= there p) ->
    M * (b - r) <= M * sum (fun y => sum (fun s => ind (executes S h g r y s)) (range r b)) l'
      + sum (fun y => share (pool S y) * (blk y - last a y)) l' + sum (fun p => share p * there p) (visited S l').
  Proof.
    intros hbt hthere. pose proof (path_explained b hbt) as hex.
    assert (hcount : sum (fun p => share p * sum (fun u => sum (fun r' => sum (fun s => ind (waits_for u r' s) * work g u r' s) (range r b)) (range 0 (t + 1))) (on_pool S p)) (visited S l')
              + sum (fun y => share (pool S y) * last a y) l' <= sum (fun p => share p * there p) (visited S l')).
    { rewrite <- (sum_by_pool S l' share), <- sum_add. apply sum_le. intros p hp. pose proof (hthere p hp).
      pose proof (path_share p hp). nia. }
    assert (hb : sum (fun y => share (pool S y) * sum (blocked_by S g r y) (range r b)) l' <= sum (fun y => share (pool S y) * blk y) l').
    { apply sum_le. intros y hy. pose proof (path_share (pool S y) ltac:(apply in_visited; eauto)). apply Z.mul_le_mono_nonneg_l; [lia|].
      etransitivity; [|exact (hblk y hy)]. apply sum_range_incl; [|lia | unfold t in *; lia]. intros s _.
      now apply (blocked_by_nonneg S h g a laws r Fv l'). }
    rewrite (sum_eq (fun y => share (pool S y) * (blk y - last a y)) (fun y => share (pool S y) * blk y - share (pool S y) * last a y)) by (intros; ring).
    rewrite sum_sub. change (path_waits_for S g r l') with waits_for in hex. change (r + Fv) with t in hex. lia.
  Qed.

  Theorem late_impossible_within (there : Z -> Z) :
    (forall p, In p (visited S l') ->
       sum (fun u => sum (done_while_waiting u) (range 0 (t + 1))) (on_pool S p) + sum (last a) (filter (fun y => pool S y =? p) l') <= there p) ->
    M * (Fv + 1) <= path_length S a M share blk l' + sum (fun p => share p * there p) (visited S l').
  Proof.
    intros hthere. pose proof (late_until (t + 1) there ltac:(unfold t; lia) hthere) as hex. replace (t + 1 - r) with (Fv + 1) in hex by (unfold t; ring).
    pose proof (proj1 hM) as Mpos.
    assert (hexec : sum (fun y => sum (fun s => ind (executes S h g r y s)) (range r (t + 1))) l' <= sum (exec a) l').
    { apply sum_le. intros y hy. apply (cl_exec laws). exact (proj1 (path_nodes S l' z wf hz hl' y ltac:(auto))). }
    unfold path_length.
    rewrite (sum_eq (fun x0 => M * exec a x0 - share (pool S x0) * (last a x0 - blk x0))
      (fun x0 => M * exec a x0 + share (pool S x0) * (blk x0 - last a x0))) by (intros; ring).
    rewrite sum_add, sum_scale. pose proof (Z.mul_le_mono_nonneg_l _ _ M ltac:(lia) hexec) as hmul.
    change (sum (fun x0 => exec a x0) l') with (sum (exec a) l'). lia.
  Qed.

  Theorem late_impossible : M * (Fv + 1) <= path_bound S a M share blk n l'.
  Proof. apply late_impossible_within. exact counted_on_pool. Qed.
End Waiting.
