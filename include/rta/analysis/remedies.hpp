// What would help a task set that misses deadlines or has no bounds: single changes, each tried and proven.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rta/analysis/meetings.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/model/limit.hpp"

namespace rta::analysis {

/// Options beside those that were given, or in place of those of the same name.
struct OtherOptions {
  GivenOptions options;
};

/// A CPU pool with another scheduler, preemptive where it was not, and the reverse, or with another order of equal priorities.
struct OtherPool {
  PoolId pool = 0;
  CpuPool to;
};

/// The nodes of a DAG on a pool, and of those after it that are equal but for their name, get a pool for themselves, with some of its
/// processors, SMs (green contexts and MIG do that; shares of MPS limit, but do not reserve) or workers.
struct SplitPool {
  PoolId pool = 0;
  DagId first = 0;
  DagId last = 0;
  std::uint32_t size = 1;  // of the new pool
};

/// The name of the new pool.
[[nodiscard]] std::string split_name(const TaskSet& task_set, PoolId pool, DagId dag);

/// The kernels of a DAG, and of those after it that are equal but for their name, at another stream priority.
struct KernelPriority {
  DagId first = 0;
  DagId last = 0;
  StreamPriority priority = high_priority;
};

/// A kernel cut into other blocks with as many G-threads in all: proven if no block lasts longer than before.
struct OtherBlocks {
  DagId first = 0;
  DagId last = 0;
  NodeId node = 0;
  std::uint64_t B = 1;
  std::uint32_t H = 1;
  std::uint64_t shared_memory = 0;  // bytes of a block
};

/// Periodic DAGs whose releases begin at other instants.
struct OtherPhases {
  std::vector<std::pair<DagId, Time>> phases;  // by DAG
};

/// A chain whose stages hand data over in another way.
struct OtherCommunication {
  ChainId chain = 0;
  Communication to = Communication::let;
};

/// An edge more in a DAG, and in those after it that are equal but for their name, between kernels that ran in parallel.
struct OtherEdge {
  DagId first = 0;
  DagId last = 0;
  NodeId from = 0;
  NodeId to = 0;
};

/// Likewise, a node whose jobs wait for one another.
struct SequentialNode {
  DagId first = 0;
  DagId last = 0;
  NodeId node = 0;
};

/// Likewise, DAGs whose jobs one thread each plays.
struct OneThread {
  DagId first = 0;
  DagId last = 0;
};

/// Likewise, DAGs whose kernels are operations of one stream each, in the order of the file: none runs beside another.
struct OneStream {
  DagId first = 0;
  DagId last = 0;
};

/// Likewise, another T, from which on kernels of two jobs of the DAG no longer meet.
struct OtherPeriod {
  DagId first = 0;
  DagId last = 0;
  Time T;
  Time meeting;  // the largest T at which they were seen to meet
};

using Change = std::variant<OtherOptions, OtherPool, SplitPool, KernelPriority, OtherBlocks, OtherPhases, OtherCommunication, OtherEdge,
                            SequentialNode, OneThread, OtherPeriod, OneStream>;

/// Two kernels, or the jobs of one, that could meet and never do with a change, and their longest pieces before and after it.
struct KeptApart {
  KernelId a, b;
  Time a_before, a_after;
  Time b_before, b_after;
};

struct Remedy {
  Change change;
  Proof proof;                        // with it
  std::vector<KeptApart> apart = {};  // of changes that were tried for that; what falls most first
};

struct Remedies {
  /// Fewer DAGs without bounds, then fewer missed deadlines than before; what leaves the fewest comes first. Of a set whose kernels were
  /// measured alone also what keeps kernels apart and makes bounds smaller, the smallest first.
  std::vector<Remedy> list;
  std::size_t tried = 0;
  Limit::Cause ended_by = Limit::Cause::none;  // else: before all changes were tried

  [[nodiscard]] bool complete() const { return ended_by == Limit::Cause::none; }
};

/// What remedies may cost unless something else is said: a second or less. A unit is about what a pair of nodes costs in a round of a
/// search.
inline constexpr std::uint64_t usual_remedy_effort = 10'000'000;
/// Where nothing is missed, and only what keeps kernels apart is tried.
inline constexpr std::uint64_t usual_apart_effort = 2'000'000;

/// Tries single changes to `task_set`, of which `given` led to `proof`. `limit` is asked before each, and ends their searches; with an
/// effort alone, the same ones are found every time. `kernel_switches` as of Options.
[[nodiscard]] Remedies remedies(const std::shared_ptr<const TaskSet>& task_set, const Proof& proof, const GivenOptions& given,
                                const Limit& limit, bool kernel_switches = false);

}  // namespace rta::analysis
