// How often a DAG may come while all that is asked for is met.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "rta/analysis/chains.hpp"
#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// What is not met: a chain, a node with a D of its own, or else a DAG, which has no bound or passes its D.
struct Unmet {
  DagId dag = 0;
  std::optional<NodeId> node = std::nullopt;
  std::optional<std::size_t> chain = std::nullopt;
};

/// The analysis at one T.
struct RateTrial {
  Time T;  // of nominal releases
  Proof proof;
  std::vector<ChainProof> chains;
  std::vector<Unmet> unmet;
};

/// DAGs that follow one another.
struct DagRange {
  DagId first = 0;
  DagId last = 0;
};

struct LargestRate {
  DagRange dags;                   // which have the same T, and keep it
  std::optional<RateTrial> found;  // at the least T that was tried with which all is met; none: at none of them
  /// The nearest T that was tried and is shorter; where nothing was found the longest. None: there is none, or numbers left the exact
  /// range.
  std::optional<RateTrial> failing;
  bool complete = true;  // false: stopped before the search had ended

  /// The largest of its DAGs there. Requires that it was found.
  [[nodiscard]] Bound bound() const;
};

/// The DAGs that are called `name`, or copies of that name (`name[0]`, ...); none: there are none.
[[nodiscard]] std::optional<DagRange> dags_called(const TaskSet& task_set, std::string_view name);

/// Looks for the least T of `dags` from `task_set`'s own on, to the ns, under a clock to a thousandth; all else stays, their D too, and
/// where there is none they need but a bound. At T every deadline and limit of a chain is met, what `proof`, that of the set as it is,
/// bounds is bounded, and so are these DAGs: by an analysis of its own with `options`, whose `stop` ends the search. Bounds are not
/// monotone in T: what lies between the T that were tried may do, or not.
[[nodiscard]] LargestRate largest_rate(const std::shared_ptr<const TaskSet>& task_set, const Proof& proof, const Options& options,
                                       DagRange dags);

}  // namespace rta::analysis
