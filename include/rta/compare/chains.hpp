// Latencies of chains as they were seen, beside what is proven of them (T13) and their limits.
#pragma once

#include <optional>
#include <string>

#include "rta/analysis/chains.hpp"
#include "rta/model/task_set.hpp"
#include "rta/simulate/chains.hpp"

namespace rta::compare {

struct ChainLatency {
  std::optional<Time> seen, bound;

  [[nodiscard]] bool over() const { return seen && bound && *seen > *bound; }
};

struct ComparedChain {
  std::string chain, communication;
  ChainLatency reaction, reduced_reaction, reduced_age, age;
  std::optional<Time> reaction_limit, age_limit;

  [[nodiscard]] bool over() const { return reaction.over() || reduced_reaction.over() || reduced_age.over() || age.over(); }
  /// An event or an output that exceeds a limit was seen.
  [[nodiscard]] bool missed() const {
    return (reaction_limit && reaction.seen && *reaction.seen > *reaction_limit) || (age_limit && age.seen && *age.seen > *age_limit);
  }
};

/// `bound`: none where nothing is proven, or where it does not hold of what was seen.
[[nodiscard]] ComparedChain compared(const Chain& chain, const simulate::SeenLatencies& seen,
                                     const std::optional<analysis::ChainLatencies>& bound);

}  // namespace rta::compare
