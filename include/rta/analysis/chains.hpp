// How soon a chain reacts and how old its data gets (T13), from what was proven of its DAGs.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/explain.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// One stage as T13 takes it. Times count from the release of its DAG's job.
struct StageTimes {
  Time T_max;                  // two releases that follow one another are at most so far apart
  Time E;                      // no job reads earlier
  Time F;                      // every job has written by then
  bool outranks_next = false;  // while a job of it is pending no job of the next stage starts
  // Where the phases of this stage and the next are known: a job of the next that reads what a job of this one has written is released at
  // most so long after it.
  std::optional<Time> to_next = std::nullopt;
};

/// The largest distance from a release of (phase, T) to the first release of (next_phase, next_T) that comes `after` later or more: over
/// all pairs of a hyperperiod, once both are released. Requires periods above 0; throws `Overflow`.
[[nodiscard]] Time largest_distance(Time phase, Time T, Time next_phase, Time next_T, Time after);

/// Of any event and any output; in ns.
struct ChainLatencies {
  Time MRT;   // maximum reaction time: from an event that a job of the first stage just missed to the first output that depends on it
  Time MRRT;  // reduced: from the read of that event
  Time MRDA;  // maximum reduced data age: from the read of the first stage to the output
  Time MDA;   // maximum data age: to the end of the next output
  bool operator==(const ChainLatencies&) const = default;
};

/// T13. Holds once every stage has been released before; data ages need writes in the order of releases, or registers that keep the
/// newest. Requires a stage; throws `Overflow`.
[[nodiscard]] ChainLatencies chain_latencies(std::span<const StageTimes> stages);

/// Nodes of a chain that follow one another inside a DAG are one stage.
struct StageProof {
  DagId dag = 0;
  std::optional<NodeId> entry, exit;  // reads, writes; none: the whole DAG
  StageTimes times;                   // meaningless without a bound
  bool in_order = true;               // no job writes after a later one
};

/// Why a chain has no latencies: `stage` has no bound, or under LET it may end (F) after it should have published (L).
struct ChainObstacle {
  std::size_t stage = 0;
  std::optional<Time> F, L;
};

struct ChainProof {
  std::vector<StageProof> stages;
  std::optional<ChainLatencies> bound;
  std::optional<ChainObstacle> none;  // where there is no bound

  /// Whether MRT and MDA are within the limits that are given.
  [[nodiscard]] bool meets(const Chain& chain) const;
};

/// The task set whose chains `proof` is about: the one before grouping, if there is one.
[[nodiscard]] const TaskSet& set_with_chains(const Proof& proof);
/// One per chain. Releases come by the DAGs' phases only `with_phases`. Throws `Overflow`.
[[nodiscard]] std::vector<ChainProof> prove_chains(const Proof& proof, bool with_phases = true);

/// From the release of a stage's job to that of the next stage's that reads what it wrote, at most. Requires a bound and a next stage.
[[nodiscard]] Time largest_gap(const ChainProof& chain, std::size_t stage);

/// A pool whose processors have to queue what a node makes ready before they take their next node, as bounds rest on it.
struct QueuesFirst {
  PoolId pool = 0;
  bool whole_dags = false;     // T10d without preemption
  bool urgent_stages = false;  // T13, where a stage is more urgent than the next
};
/// All of them, for the bounds that are in use.
[[nodiscard]] std::vector<QueuesFirst> queues_first(const Proof& proof, std::span<const ChainProof> chains);

/// How many chains may pass a limit of theirs or have limits but no bound, as `proof` has the phases.
[[nodiscard]] std::size_t missed_chains(const Proof& proof);

/// `camera`, `fusion/track`, `fusion/track -> fusion/plan`.
[[nodiscard]] std::string stage_in_words(const TaskSet& task_set, const StageProof& stage);
/// One sentence.
[[nodiscard]] std::string in_words(const TaskSet& task_set, const ChainProof& proof, const ChainObstacle& none);
/// One sentence.
[[nodiscard]] std::string in_words(const TaskSet& task_set, const QueuesFirst& assumed);
/// The sums with their numbers.
[[nodiscard]] Explanation explain_chain(const Proof& proof, const Chain& chain, const ChainProof& of_chain);

}  // namespace rta::analysis
