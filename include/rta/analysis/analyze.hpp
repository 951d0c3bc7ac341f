// A task set in, a proven bound for every node and every DAG out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/fifo_bounds.hpp"
#include "rta/analysis/gel.hpp"
#include "rta/analysis/granularity.hpp"
#include "rta/analysis/measured_device.hpp"
#include "rta/analysis/priority_points.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Which theorem bounds a CPU pool. `best`: the least bound that applies.
enum class CpuBound : std::uint8_t { best, T1, T3, T4 };

/// When a node is released: at a fixed offset from its DAG's release, when its last predecessor ends, or the latter inside segments whose
/// sources have fixed offsets. `best`: the one of these with the smaller end-to-end bounds that meets all deadlines.
enum class ReleasePolicy : std::uint8_t { offsets, completion, segments, best };
[[nodiscard]] std::string_view to_string(ReleasePolicy policy);

/// Whose priority points order the CPU pools on completion: one per DAG, or one per node. `best`: whichever has the smaller bounds.
enum class Priorities : std::uint8_t { dag, node, best };
[[nodiscard]] std::string_view to_string(Priorities priorities);

struct Options {
  Granularity granularity = Granularity::fine;
  std::optional<Scheduler> scheduler;  // of every CPU pool, in place of the file's
  std::optional<bool> preemptive;      // likewise
  Objective objective = Objective::sum;
  CpuBound cpu_bound = CpuBound::best;
  fifo::Bound gpu_bound = fifo::Bound::best;
  bool shared_weights = false;  // T6b: one set of weights for all kernels of a GPU
  gel::Refinement refinement = gel::Refinement::all;
  ReleasePolicy release = ReleasePolicy::offsets;
  /// Release on completion. Chosen points per node replace the schedulers of preemptive CPU pools, but for FIFO's. Empty: `best` on pools
  /// under LP, whose points the analysis chooses anyway, `dag` elsewhere.
  std::optional<Priorities> priorities;
  /// Release on completion or segments: search for the DAGs' relative priority points. The objective is then max_lateness.
  bool optimize_priorities = false;
  std::int64_t most_periods = 1'000;  // on completion and segments: a DAG whose bound passes so many of its periods has none
  std::function<bool()> stop;         // true ends the searches of T10n, of segments and of priority points; no clock is read here
  std::function<void(std::string_view)> progress;  // told now and then what is being searched; may be empty
  std::vector<std::string> explain;                // DAGs and nodes, as `dag`, `node` or `dag/node`
  bool suggest = false;                            // look for block sizes that raise the capacity of a GPU
};

enum class Verdict : std::uint8_t { schedulable, deadline_missed, unbounded };
[[nodiscard]] std::string_view to_string(Verdict verdict);

/// What was proven for the nodes of one pool.
struct PoolBound {
  std::string theorem;     // that the pool's bounds come from; empty when there is none
  double utilization = 0;  // processors (CPU), G-threads (GPU), engines or workers
  double capacity = 0;     // the utilization up to which the theorem gives bounds; 0: the theorem does not apply
  bool bounded = false;
  std::string explanation;               // one sentence that a reader can check by hand
  std::string worst_configuration;       // GPU: the blocking configuration with the fewest G-threads in use, in words
  std::optional<Time> largest_lateness;  // max over nodes of R - D (D: the node's relative deadline)
};

struct NodeBound {
  std::string theorem;
  std::optional<Time> offset;          // Phi (of its segment); null on completion, and when some predecessor has no bound
  std::optional<Time> priority_point;  // Y, from the offset or, on completion, from the DAG's release; CPU nodes under GEL only
  std::optional<Time> R;               // from the node's offset; on completion, from the DAG's release
  std::optional<std::size_t> segment;  // release on segments
};

struct DagBound {
  std::optional<Time> R;  // end to end
  std::string theorem;    // `offsets`, T10, T10n, T10j or T10g; empty without a bound
  std::vector<NodeId> critical_path;
  std::vector<NodeBound> nodes;  // as in the analysed task set

  /// Whether R <= D; true without a D, false without a bound.
  [[nodiscard]] bool meets(std::optional<Time> deadline) const { return R && (!deadline || *R <= *deadline); }
};

/// The derivation of one node's bound, line by line.
struct Explanation {
  std::string node;  // `dag/node`
  std::vector<std::string> lines;
};

/// Another block size for a GPU node, with as many G-threads in all. Advice, no bound.
struct Suggestion {
  std::string node;      // `dag/node`
  std::size_t dags = 1;  // DAGs from that one on that are equal but for their name: their nodes change with it
  std::uint32_t H = 0;
  std::uint64_t B = 0;
  std::uint64_t shared_memory = 0;  // bytes of a block
  double capacity_alone = 0;        // of the pool, G-threads, if this node changes and no other
  double gain_alone = 0;            // over the capacity as it is
  double capacity = 0;              // if all nodes of the group change to this H
  double gain = 0;
  std::size_t group = 0;  // of `Analysis::suggestion_groups`
};

/// What a release policy gives, chosen or not.
struct PolicyOutcome {
  ReleasePolicy policy = ReleasePolicy::offsets;
  Verdict verdict = Verdict::unbounded;
  std::optional<Time> largest_R;  // of any DAG; none when some DAG has no bound
  std::string reason;             // why some DAG has no bound, or why the policy was not tried
  bool tried = true;
};

struct Analysis {
  std::shared_ptr<const TaskSet> task_set;  // as analysed: after `granularity` and `scheduler`
  ReleasePolicy release = ReleasePolicy::offsets;
  std::string needs;                    // what the bounds need at run time: "release on completion, G-EDF by DAG"
  std::vector<PolicyOutcome> policies;  // all that were considered
  Verdict verdict = Verdict::unbounded;
  std::vector<PoolBound> pools;  // as task_set->pools()
  std::vector<DagBound> dags;    // as task_set->dags()
  std::vector<Explanation> explanations;
  std::vector<Suggestion> suggestions;                      // the largest gain first
  std::vector<std::vector<std::string>> suggestion_groups;  // nodes of equal block demand, named as in the suggestions
  std::vector<std::string> warnings;
  std::optional<RuleCheck> rules;  // where there is a device profile
};

/// Bounds for every node (T1-T8), offsets and end-to-end bounds; T10 and its refinements for the other release policies. A task set without
/// a bound is a result, not an error. Throws std::invalid_argument when the options do not fit the task set (an unknown node to explain, a
/// group that cannot be one task) and `Overflow` when a number leaves the exact range.
[[nodiscard]] Analysis analyze(std::shared_ptr<const TaskSet> task_set, const Options& options = {});

}  // namespace rta::analysis
