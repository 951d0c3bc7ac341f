#include "analysis/path/wanted_ends.hpp"

#include <algorithm>

namespace rta::analysis::path {

WantedEnds::WantedEnds(const Ticks& ticks, const std::vector<std::vector<Time>>& wanted) {
  for (const Class& c : ticks.classes) {
    auto& of = least_.emplace_back(c.size(), no_bound);
    asked_.emplace_back(c.size());
    for (const std::size_t d : c.dags) {
      for (std::size_t v = 0; v < of.size(); ++v) of[v] = std::min(of[v], wanted[d][v].count());
    }
  }
}

bool WantedEnds::asks(std::size_t k, std::size_t v, std::int64_t bound, std::int64_t F) {
  if (least_.empty() || F > least_[k][v]) return false;
  if (bound > least_[k][v]) asked_[k][v] = true;
  return asked_[k][v];
}

}  // namespace rta::analysis::path
