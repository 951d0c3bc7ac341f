// What was not looked at, or not to its end, because it would take too long. What is proven holds all the same, but may be larger for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rta/analysis/reason.hpp"
#include "rta/analysis/theorem.hpp"

namespace rta::analysis {

struct LeftOut {
  /// `coarser`: the theorems were asked, with terms that count more than they need.
  enum class What : std::uint8_t { theorems, coarser, points_of_nodes, search };
  /// What there are too many of, or what came to its end.
  enum class Limit : std::uint8_t {
    nodes,
    different_nodes,
    nodes_of_dag,
    pairs,
    tasks,
    jobs,
    jobs_at_once,
    pools,
    choices,
    units,
    periods,
    programs,
    trials,
    rounds,
    steps,
    states,
    memory,
    time
  };

  What what = What::theorems;
  std::vector<Theorem> theorems;  // that were left out, or left early
  Limit limit = Limit::nodes;
  std::size_t most = 0;   // that are looked at; 0: as long as the user allows
  std::size_t found = 0;  // that there are; 0: it came to its end on the way
  std::string where;      // name of the pool or DAG; empty: the whole task set
  bool operator==(const LeftOut&) const = default;
};

/// Theorems whose search ended for this reason, where that is a limit of it.
[[nodiscard]] std::optional<LeftOut> left_out_by(const Reason& reason, std::vector<Theorem> theorems);

/// Each once.
inline void add_left_out(std::vector<LeftOut>& all, LeftOut one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
}
inline void add_left_out(std::vector<LeftOut>& all, std::vector<LeftOut> more) {
  for (LeftOut& one : more) add_left_out(all, std::move(one));
}

}  // namespace rta::analysis
