(** Tables and sets with whole numbers from 0 on as keys, for the checker. *)

From Coq Require Import FMapPositive MSetPositive.
From Rta Require Import model.Sums.

Module Map := PositiveMap.
Module Set_ := PositiveSet.

Definition key (z : Z) : positive := Z.to_pos (z + 1).
Definition unkey (k : positive) : Z := Zpos k - 1.

Lemma unkey_key z : 0 <= z -> unkey (key z) = z.
Proof. intros h. unfold unkey, key. rewrite Z2Pos.id; lia. Qed.

Lemma key_unkey k : key (unkey k) = k.
Proof. unfold unkey, key. replace (Z.pos k - 1 + 1) with (Z.pos k) by ring. reflexivity. Qed.

Lemma key_inj a b : 0 <= a -> 0 <= b -> key a = key b -> a = b.
Proof. intros ha hb e. rewrite <- (unkey_key a ha), <- (unkey_key b hb). now rewrite e. Qed.

Definition table (A : Type) := Map.t A.
Definition empty {A} : table A := Map.empty A.
Definition put {A} (z : Z) (a : A) (t : table A) : table A := Map.add (key z) a t.
Definition look {A} (t : table A) (z : Z) : option A := if 0 <=? z then Map.find (key z) t else None.
Definition look_or {A} (d : A) (t : table A) (z : Z) : A := match look t z with Some a => a | None => d end.
Definition table_of {A} (l : list (Z * A)) : table A := fold_right (fun za t => put (fst za) (snd za) t) empty l.

(** A table says what the list says. *)
Lemma table_of_spec {A} (l : list (Z * A)) z a :
  NoDup (map fst l) -> (forall x, In x (map fst l) -> 0 <= x) -> In (z, a) l -> look (table_of l) z = Some a.
Proof.
  intros nd nn hin. assert (hz : 0 <= z) by (apply nn, in_map_iff; exists (z, a); auto).
  unfold look. rewrite (proj2 (Z.leb_le 0 z) hz).
  induction l as [|(y, b) l IH]; [easy|]. cbn in *. inversion nd; subst. unfold put in *.
  destruct hin as [heq|hin]; [injection heq as -> ->; apply Map.gss|].
  rewrite Map.gso; [apply IH; auto|]. intros e.
  assert (hzl : In z (map fst l)) by (apply in_map_iff; exists (z, a); auto).
  apply (key_inj z y) in e; auto. congruence.
Qed.

Lemma table_of_in {A} (l : list (Z * A)) z a :
  (forall x, In x (map fst l) -> 0 <= x) -> look (table_of l) z = Some a -> In (z, a) l.
Proof.
  intros nn. unfold look. destruct (Z.leb_spec 0 z) as [hz|]; [|discriminate].
  induction l as [|(y, b) l IH]; cbn.
  - unfold empty. rewrite Map.gempty. discriminate.
  - unfold put in *. cbn in nn. destruct (Pos.eq_dec (key z) (key y)) as [e|ne].
    + apply (key_inj z y) in e; auto. subst y. rewrite Map.gss. intros [= ->]. now left.
    + rewrite Map.gso by auto. intros h. right. apply IH; auto.
Qed.

(** Sets. *)
Definition set := Set_.t.
Definition has (s : set) (z : Z) : bool := (0 <=? z) && Set_.mem (key z) s.
Definition include (z : Z) (s : set) : set := Set_.add (key z) s.
Definition members (s : set) : list Z := map unkey (Set_.elements s).

Lemma in_members s z : In z (members s) <-> has s z = true.
Proof.
  unfold members, has. rewrite in_map_iff, andb_true_iff, Z.leb_le. split.
  - intros (k & <- & hin). split; [unfold unkey; lia|]. rewrite key_unkey.
    apply Set_.mem_spec. apply Set_.elements_spec1. apply SetoidList.InA_alt. exists k. split; [reflexivity | exact hin].
  - intros (hz & h). exists (key z). split; [now apply unkey_key|].
    apply Set_.mem_spec in h. apply Set_.elements_spec1 in h. apply SetoidList.InA_alt in h. destruct h as (y & -> & hin). exact hin.
Qed.

Lemma has_subset s s' z : Set_.subset s s' = true -> has s z = true -> has s' z = true.
Proof.
  unfold has. rewrite !andb_true_iff. intros hs (hz & h). split; [exact hz|].
  apply Set_.subset_spec in hs. apply Set_.mem_spec. apply hs. now apply Set_.mem_spec.
Qed.

Lemma has_nonneg s z : has s z = true -> 0 <= z.
Proof. unfold has. rewrite andb_true_iff, Z.leb_le. tauto. Qed.

Lemma elements_nodup s : NoDup (Set_.elements s).
Proof.
  assert (SetoidList.NoDupA Set_.E.eq (Set_.elements s)) as h by apply Set_.elements_spec2w.
  induction h; constructor; auto. intros hin. apply H. apply SetoidList.InA_alt. exists x. split; [reflexivity | exact hin].
Qed.

Lemma members_nodup s : NoDup (members s).
Proof. unfold members. apply FinFun.Injective_map_NoDup; [intros x y; unfold unkey; lia | apply elements_nodup]. Qed.
