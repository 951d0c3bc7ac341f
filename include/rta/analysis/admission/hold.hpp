// T38: DAGs of which a limited number of jobs is under way, on FIFO pools: how long a job takes from its admission
// (docs/theory/in-flight.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::analysis::admission {

/// A FIFO by ready time. While a node waits there, what precedes it is worked off at `rate` units per ns: processors, engines, workers; g W
/// on a GPU whose blocks weigh n/W.
struct Pool {
  Wide rate = 1;
  std::uint64_t places = 0;  // so many nodes have room at once: none waits behind fewer. 0: not known
};

/// Alone on its pool it takes no more than e + (vol - s)/rate; e in ns, s and vol in the pool's units (as `path::Node`).
struct Node {
  std::size_t pool = 0;
  Time e;
  Wide s = 0;
  Wide vol = 0;
  std::vector<std::size_t> before;  // predecessors
};

struct Dag {
  std::optional<std::uint32_t> limit;  // of its jobs under way; none: as many as come within H
  Time T;                              // nominal releases are at least T apart
  Time jitter;                         // and late by so much at most
  std::vector<Node> nodes;
  std::vector<std::size_t> order;  // of these, each after those before it
};

/// Of nodes none of which is before another.
struct Front {
  Wide work = 0;  // at most
  Wide nodes = 0;
};

/// Of one DAG.
struct Hold {
  Wide jobs = 1;              // n, under way at most: as many as come within H, but no more than the limit
  std::vector<Front> fronts;  // per pool: of the DAG's nodes there
  std::vector<Front> beside;  // per node: of those on its pool that are neither before nor after it
  std::vector<Time> ends;     // per node, after the admission of its job
  Time H;                     // the largest
  bool in_time = false;       // H + J <= N T: every job is admitted at its release
};

struct Holds {
  std::vector<Hold> dags;
  std::optional<std::size_t>
      grows;  // a DAG without a limit that would have too many jobs under way; the others' numbers are then not final

  /// What may be ahead of node v of DAG d when it is ready.
  [[nodiscard]] Front ahead(std::span<const Dag> all, std::size_t d, std::size_t v) const;
  /// Whether it waits for that: there is no place for all.
  [[nodiscard]] bool waits(std::span<const Dag> all, std::span<const Pool> pools, std::size_t d, std::size_t v) const;
};

/// Chains of nodes are found in DAGs of so many nodes at most; of larger ones all nodes on a pool count as if they might be ready at once.
inline constexpr std::size_t most_nodes_in_chains = 1024;

/// The nodes whose sum is the end of node v of DAG d, the first one first.
[[nodiscard]] std::vector<std::size_t> path_to(std::span<const Dag> dags, std::span<const Pool> pools, const Holds& holds, std::size_t d,
                                               std::size_t v);

/// Requires T > 0, rates above 0, no negative work, pools in range. Throws `Overflow`.
[[nodiscard]] Holds holds(std::span<const Dag> dags, std::span<const Pool> pools, Wide most_jobs);

}  // namespace rta::analysis::admission
