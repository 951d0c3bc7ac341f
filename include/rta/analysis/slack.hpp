// How far single numbers of a task set may move while all that is met stays met.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// A value at which all that is met stays met: it was proven there, whatever lies between it and the task set's own value.
template <class T>
struct Proven {
  T value{};
  /// Every value on the safe side of it holds, too, by the theory (docs/theory/path.md: at fixed weights and points no bound of T10 or T10n
  /// rises when a C, L or B falls or a T grows). Else only some of them were tried.
  bool covered = false;
  bool operator==(const Proven&) const = default;
};

struct NodeSlack {
  DagId dag = 0;  // the first of those that are equal but for their name, which change together
  NodeId node = 0;
  Proven<Time> piece;                           // the largest C (CPUs, copies) or L (GPUs, workers)
  std::optional<Proven<std::uint64_t>> pieces;  // the largest B of kernels and items
};

struct DagSlack {
  DagId dag = 0;                         // likewise
  Proven<Time> period;                   // the smallest T
  std::optional<Proven<Time>> deadline;  // the smallest D, where there is one that is met
};

struct PoolSlack {
  PoolId pool = 0;
  std::uint32_t now = 1;  // processors, SMs, engines or workers
  std::uint32_t least = 1;
};

struct Slack {
  Release release = Release::offsets;         // under which all of it is proven
  std::optional<Proven<std::int64_t>> scale;  // thousandths: every C and L times this
  std::vector<NodeSlack> nodes;
  std::vector<DagSlack> dags;
  std::vector<PoolSlack> pools;
  bool complete = true;  // false: stopped before all were looked at
};

/// One number at a time, the others as they are; values are as halving finds them, those of nodes to a fiftieth, the others to a
/// thousandth. Under the policy and the segments of `proof`, whose task set it changes; `options` as they led to it, and `stop` ends the
/// search. Requires that the DAGs are not grouped.
[[nodiscard]] Slack slack(const Proof& proof, const Options& options);

}  // namespace rta::analysis
