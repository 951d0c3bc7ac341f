// A system with executors as T19, T19j and T20 look at it; shared by all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::executors {

/// Per DAG and node: F in ns.
using Ends = std::vector<std::vector<std::int64_t>>;

/// No bound is longer, ns.
inline constexpr std::int64_t longest_length = INT64_MAX / 4;

/// max(0, ceil(length/T)): so many releases a half-open interval holds at most.
[[nodiscard]] constexpr Wide jobs_in(Wide length, std::int64_t T) { return length <= 0 ? Wide{0} : ceil_div(length, T); }

struct DagGraph {
  std::int64_t T = 1;
  std::int64_t Y = 0;
  std::vector<std::size_t> order;                             // predecessors first
  std::vector<std::vector<std::size_t>> before;               // node -> predecessors
  std::vector<std::size_t> pools;                             // visited
  std::vector<std::size_t> local;                             // node -> place of its pool there
  std::vector<std::vector<bool>> after;                       // node -> what follows it
  std::vector<std::int64_t> longest;                          // sum of e over paths that end in the node
  std::vector<std::vector<bool>> leads;                       // node -> what leads to it on its own pool alone
  std::vector<bool> in_order;                                 // jobs cannot overtake one another before the node
  std::vector<std::pair<std::size_t, std::uint32_t>> groups;  // pool, group of its nodes that run beside none of their group

  [[nodiscard]] std::size_t size() const { return before.size(); }
  [[nodiscard]] bool follows(std::size_t u, std::size_t v) const { return after[v][u]; }
  /// Where the group of a node stands in `groups`; their number: nowhere.
  [[nodiscard]] std::size_t place_of_group(const path::Node& node) const;
};

struct Graph {
  explicit Graph(const path::System& of);

  [[nodiscard]] const path::Node& node(std::size_t d, std::size_t v) const { return system->dags[d].nodes[v]; }
  /// Lengths are in 1/grid ns.
  [[nodiscard]] Wide in_grid(Time time) const { return Wide{time.count()} * grid; }
  [[nodiscard]] std::int64_t in_ns(Wide length) const { return to_time(ceil_div(length, grid)).count(); }
  [[nodiscard]] FineTime fine(Wide length) const { return fine_ceil(length, grid); }
  /// A job's work on its pool, rounded up, and its last piece, rounded down.
  [[nodiscard]] Wide work(std::size_t d, std::size_t v) const { return works[d][v]; }
  [[nodiscard]] Wide last_piece(std::size_t d, std::size_t v) const { return last_pieces[d][v]; }
  /// T20: of a job of whose group nothing runs meanwhile.
  [[nodiscard]] Wide in_full(std::size_t d, std::size_t v) const { return in_grid(node(d, v).e); }
  /// T22: what a reservation adds to this much work in so many visits, in the grid.
  [[nodiscard]] Wide gaps(std::size_t pool, Wide work, Wide visits) const;
  /// T22's lemma: a thread that has something to do has executed so much after so long, ns; without a reservation the same.
  [[nodiscard]] Wide held(std::size_t pool, Wide work) const;
  /// C of a node of an executor, ns: in a reservation at least 1.
  [[nodiscard]] std::int64_t length(std::size_t d, std::size_t v) const;
  /// W: all nodes of an executor once.
  [[nodiscard]] Wide window(std::size_t pool) const { return windows[pool]; }
  /// A_q
  [[nodiscard]] std::int64_t ready(std::size_t k, std::size_t q, const Ends& F) const;
  /// o_q
  [[nodiscard]] Wide others_pending(std::size_t k, std::size_t q, const Ends& F) const;
  /// Blk_q of T11b, in the grid; 0 on other pools.
  [[nodiscard]] Wide blocking(std::size_t k, std::size_t q, const Ends& F) const;

  const path::System* system;
  std::vector<DagGraph> dags;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> users;  // pool -> DAG, node
  Wide grid = 1;
  std::vector<std::vector<Wide>> works, last_pieces;
  std::vector<Wide> windows;  // pool, ns
};

}  // namespace rta::analysis::executors
