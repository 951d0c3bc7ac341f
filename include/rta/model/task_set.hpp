// Task sets: DAGs of nodes, each node on one pool of the platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rta/model/pool.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/stream_priority.hpp"

namespace rta {

using PoolId = std::size_t;  // index into TaskSet::pools()
using DagId = std::size_t;   // index into TaskSet::dags()
using NodeId = std::size_t;  // index into Dag::nodes()

enum class Direction : std::uint8_t { h2d, d2h };

/// Fixed priority of CPU nodes; the larger, the more urgent.
using FixedPriority = std::uint32_t;
inline constexpr FixedPriority highest_priority = 1'000'000;

/// CPU node: C, worst-case execution time of one job.
struct CpuDemand {
  Time C;
  std::optional<FixedPriority> priority = std::nullopt;  // none: its DAG's
  bool operator==(const CpuDemand&) const = default;
};

/// GPU node: one kernel per job, B blocks of H G-threads, or a kernel of which only the duration is known (`kernel_by_time`).
struct GpuDemand {
  std::uint64_t B = 1;
  std::uint32_t H = 1;
  Workload C;                       // of one block, G-thread x ns
  Time L;                           // longest time of one block, ceil(C/H)
  std::uint64_t shared_memory = 0;  // bytes per block
  std::uint32_t registers_per_thread = 0;
  StreamPriority priority = low_priority;
  std::optional<Time> time = std::nullopt;  // longest duration of the whole kernel alone on the GPU, no less than L; none: not known
  bool has_blocks = true;                   // false: B, H, L stand for a kernel that has the whole GPU for `time`
  std::uint32_t cluster = 1;                // so many blocks start together, on the SMs of one GPC; divides B
  bool cooperative = false;                 // all of them start together
  bool alone = false;                       // L, C and time were measured without company, which bounds have to add (`measured_alone`)
  std::optional<std::uint32_t> interference_class = std::nullopt;  // of the GPU's `Interference`; none: not known
  bool operator==(const GpuDemand&) const = default;
};
/// The largest cluster that any device launches, and then only for kernels that ask for more than 8.
inline constexpr std::uint32_t most_in_cluster = 16;
/// Whether some blocks of the kernel start together or not at all.
[[nodiscard]] constexpr bool starts_together(const GpuDemand& kernel) { return kernel.cluster > 1 || kernel.cooperative; }
/// Whether theorems may count its blocks: they are known, and each starts as soon as it has room on some SM.
[[nodiscard]] constexpr bool counts_by_blocks(const GpuDemand& kernel) { return kernel.has_blocks && !starts_together(kernel); }

/// Copy: C, longest time of one copy.
struct CopyDemand {
  Time C;
  std::optional<Direction> direction;
  bool operator==(const CopyDemand&) const = default;
};

/// Worker node: B items per job, each at most L (dispatch overhead not included).
struct WorkerDemand {
  std::uint64_t B = 1;
  Time L;
  bool operator==(const WorkerDemand&) const = default;
};

/// How long one piece of a node (a job on a CPU, a copy, a block, an item) runs in simulations: from `least` to the worst case, uniformly,
/// or with a triangular density that peaks at `mode`. No bound depends on it.
struct Variation {
  Time least;
  std::optional<Time> mode;
  bool operator==(const Variation&) const = default;
};

struct Node {
  std::string name;
  PoolId pool = 0;
  std::variant<CpuDemand, GpuDemand, CopyDemand, WorkerDemand> demand;
  std::optional<Time> deadline;  // relative deadline D of the node; default: the period
  bool sequential = false;       // job j+1 waits for job j
  std::string group;             // the coarse-grained node it belongs to, of an executor of several threads its callback group; empty: none
  std::optional<Variation> variation;
  std::string stream = {};  // of kernels and copies: the one of its DAG that it is an operation of; empty: none that others share
  bool operator==(const Node&) const = default;
};

/// Longest time of one piece: C on CPUs and copy engines, L on GPUs and workers.
[[nodiscard]] constexpr Time longest_piece(const CpuDemand& job) { return job.C; }
[[nodiscard]] constexpr Time longest_piece(const GpuDemand& kernel) { return kernel.L; }
[[nodiscard]] constexpr Time longest_piece(const CopyDemand& copy) { return copy.C; }
[[nodiscard]] constexpr Time longest_piece(const WorkerDemand& items) { return items.L; }
[[nodiscard]] Time longest_piece(const Node& node);

struct Edge {
  NodeId from = 0;
  NodeId to = 0;
  bool cut = false;  // a segment ends here (release on segments)
  bool operator==(const Edge&) const = default;
};

/// An edge from an earlier job: `to` starts after `from` has ended in the job that was released `jobs` releases before. The first `jobs`
/// jobs of the DAG do not wait.
struct HistoryEdge {
  NodeId from = 0;
  NodeId to = 0;
  std::uint32_t jobs = 1;
  bool operator==(const HistoryEdge&) const = default;
};

/// What a thread does while a kernel, copy or item of its job is under way. `block`: its processor is free. `spin`: it asks, as often as it
/// can, whether that has ended, and so keeps its processor.
enum class Wait : std::uint8_t { block, spin };

/// What a DAG may say beyond its period, its deadline and its graph.
struct DagAttributes {
  std::optional<FixedPriority> priority = std::nullopt;  // of its CPU nodes that have none of their own
  std::optional<Time> T_max = std::nullopt;              // two nominal releases in a row are at most so far apart; none: T
  Time jitter = Time::zero();                            // a release is at most so late after its nominal instant
  std::optional<Time> phase = std::nullopt;              // of the first nominal release; none: not known
  bool periodic = false;                                 // nominal releases are exactly at phase + n T, by the one clock of all such DAGs
  Wait wait = Wait::block;                               // how its `threads` do
  /// So many threads play the DAG's jobs, in the order of their releases: each takes one, runs its nodes one after another, waits for each
  /// kernel, copy and item as `wait` says, and takes the next. None: every node runs as soon as it is ready.
  std::optional<std::uint32_t> threads = std::nullopt;
  /// At most so many jobs are under way, admitted and unfinished, at one instant, as a program with so many frame buffers has them: a job
  /// that is released when there are so many waits, in the order of releases, until one ends. None: each is admitted at its release.
  std::optional<std::uint32_t> in_flight = std::nullopt;
  std::vector<HistoryEdge> after = {};  // without those of streams; in a `Dag` by `to`, `from`, `jobs`
  bool operator==(const DagAttributes&) const = default;
};

/// A sporadic DAG. Nominal releases are at least T apart; each job is released up to the jitter J later, so that two releases are at
/// least T - J apart. Invariants: at least one node; T - J > 0; J and the phase >= 0; T_max >= T; a periodic DAG has a phase, and no T_max
/// but T; edges join distinct nodes, without cycle or duplicate; on threads, of which there is one at least, each node but one follows
/// another, and none is sequential; of those that spin the first node is a CPU node, and all CPU nodes are on its pool; a limit of jobs
/// under way is one at least, and of a DAG without threads; history edges, none of which is there twice, and streams are of a DAG without
/// threads; operations of a stream are kernels and copies, and a path leads from each to the next.
class Dag {
 public:
  /// `period` is T - J. Throws `Defect` when an invariant does not hold.
  Dag(std::string name, Time period, std::optional<Time> deadline, std::vector<Node> nodes, std::vector<Edge> edges,
      DagAttributes attributes = {});

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Two releases are at least so far apart: T, less the jitter. What holds for every sporadic DAG of this period holds for this one.
  [[nodiscard]] Time period() const { return period_; }
  /// T: the least distance of nominal releases.
  [[nodiscard]] Time nominal_period() const { return period_ + attributes_.jitter; }
  /// End-to-end relative deadline.
  [[nodiscard]] std::optional<Time> deadline() const { return deadline_; }
  [[nodiscard]] const DagAttributes& attributes() const { return attributes_; }
  /// The largest distance of two releases that follow one another; only bounds of chains depend on it.
  [[nodiscard]] Time longest_period() const { return attributes_.T_max.value_or(nominal_period()) + attributes_.jitter; }
  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  /// `attributes().after`, then of each stream that of its first operation after the last one of the job before.
  [[nodiscard]] std::span<const HistoryEdge> history() const { return history_; }
  [[nodiscard]] std::span<const NodeId> predecessors(NodeId v) const;
  [[nodiscard]] std::span<const NodeId> successors(NodeId v) const;
  /// Every node after all of its predecessors; ties by index.
  [[nodiscard]] std::span<const NodeId> topological_order() const { return order_; }
  /// Whether a path of at least one edge leads from `u` to `v`.
  [[nodiscard]] bool precedes(NodeId u, NodeId v) const;

  friend bool operator==(const Dag& a, const Dag& b) { return a.name_ == b.name_ && a.same_shape(b); }
  /// Equal but for the name.
  [[nodiscard]] bool same_shape(const Dag& other) const;

 private:
  std::string name_;
  Time period_;
  std::optional<Time> deadline_;
  DagAttributes attributes_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<HistoryEdge> history_;
  std::vector<NodeId> order_;
  // Adjacency in compressed rows: the predecessors of v are predecessors_[first_predecessor_[v] .. first_predecessor_[v + 1]).
  std::vector<NodeId> predecessors_, successors_;
  std::vector<std::size_t> first_predecessor_, first_successor_;
};

/// The first whose jobs are played by threads.
[[nodiscard]] std::optional<DagId> first_on_threads(std::span<const Dag> dags);
/// The first with a limit of jobs under way.
[[nodiscard]] std::optional<DagId> first_limited(std::span<const Dag> dags);
/// The first with history edges.
[[nodiscard]] std::optional<DagId> first_with_history(std::span<const Dag> dags);

/// The first of the pools under the wait-set rule that has nodes of these DAGs.
[[nodiscard]] std::optional<PoolId> first_wait_set(std::span<const Pool> pools, std::span<const Dag> dags);
/// Likewise, of executors of several threads.
[[nodiscard]] std::optional<PoolId> first_multi_threaded(std::span<const Pool> pools, std::span<const Dag> dags);
/// Likewise, of executors in reservations.
[[nodiscard]] std::optional<PoolId> first_reserved(std::span<const Pool> pools, std::span<const Dag> dags);
/// The first that is one of these, or has `callbacks` some of which others follow.
[[nodiscard]] std::optional<PoolId> first_executor(std::span<const Pool> pools, std::span<const Dag> dags);

/// One value per DAG and node.
template <class T>
using PerNode = std::vector<std::vector<T>>;

/// What a DAG does in a chain: the whole of it, from the first start of a source to the end of its last node, or one node.
struct ChainStage {
  DagId dag = 0;
  std::optional<NodeId> node;  // none: the whole DAG
  bool operator==(const ChainStage&) const = default;
};

/// How stages hand data on. `registers`: read when a job starts, written when it ends. `let` (logical execution time): read at the
/// release of the DAG's job, published at its deadline D (T without a D).
enum class Communication : std::uint8_t { registers, let };
/// `register` or `LET`.
[[nodiscard]] std::string_view to_string(Communication communication);

/// From a sensor to an actuator: data goes from stage to stage, over DAGs of different rates. Stages of one DAG that follow one another
/// are nodes along a path of it.
struct Chain {
  std::string name;
  std::vector<ChainStage> stages;
  Communication communication = Communication::registers;
  std::optional<Time> reaction;  // limit on the maximum reaction time
  std::optional<Time> age;       // limit on the maximum data age
  bool operator==(const Chain&) const = default;
};

/// Why these stages are no chain of those DAGs.
struct ChainFault {
  std::size_t stage = 0;  // index of the first that does not fit
  std::string what;       // `stage 'a/b' …`
};
/// Requires that the DAGs and nodes exist.
[[nodiscard]] std::optional<ChainFault> chain_fault(const Chain& chain, std::span<const Dag> dags);
/// `dag` or `dag/node`.
[[nodiscard]] std::string stage_name(const ChainStage& stage, std::span<const Dag> dags);

using ChainId = std::size_t;  // index into TaskSet::chains()

/// What has to hold, by the name that it has elsewhere: of a DAG or node that it ends within its deadline D, or, without one, that it has a
/// bound; of a chain that it keeps its limits.
struct Requirement {
  std::string name;  // `REQ-12`; several things may have one name
  std::variant<ChainStage, ChainId> subject;
  bool operator==(const Requirement&) const = default;
};

/// A platform, the DAGs on it, chains across them, and which of these are required to be in time. Invariants: names are unique, those of
/// chains among DAGs as well; every node's demand fits the kind of its pool; kernels that were measured alone or have a class are on a GPU
/// with `Interference`, whose matrices have a row and a column for each class, with entries >= 0, and which is neither shared by processes
/// nor cut into MIG instances; the contexts of a GPU that processes share are pools side by side, in the order of the processes' names and
/// alike but for these, and so do the partitions of a GPU, which have no more SMs than it; a wait set has one processor without preemption;
/// 0 <= least <= mode <= longest piece where execution times vary; chains have stages and no fault, their limits are positive; requirements
/// are of what is there.
class TaskSet {
 public:
  /// Throws `Defect` when an invariant does not hold.
  TaskSet(std::string name, std::vector<Pool> pools, std::vector<Dag> dags, std::vector<Chain> chains = {},
          std::vector<Requirement> requirements = {});

  /// Where it came from, e.g. `camera.yaml`.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::span<const Pool> pools() const { return pools_; }
  [[nodiscard]] std::span<const Dag> dags() const { return dags_; }
  [[nodiscard]] const std::vector<Chain>& chains() const { return chains_; }
  [[nodiscard]] const std::vector<Requirement>& requirements() const { return requirements_; }
  [[nodiscard]] std::size_t node_count() const;

  /// Same platform, DAGs, chains and requirements; the name does not count.
  friend bool operator==(const TaskSet& a, const TaskSet& b) {
    return a.pools_ == b.pools_ && a.dags_ == b.dags_ && a.chains_ == b.chains_ && a.requirements_ == b.requirements_;
  }

 private:
  std::string name_;
  std::vector<Pool> pools_;
  std::vector<Dag> dags_;
  std::vector<Chain> chains_;
  std::vector<Requirement> requirements_;
};

}  // namespace rta
