#include "rta/analysis/path/strand_choices.hpp"

#include <algorithm>
#include <utility>

#include "analysis/path/aligned/overlap.hpp"

namespace rta::analysis::path {
namespace {

/// Of a class's DAGs the first ones lose what T10v takes off.
StrandChoice choice_of(const Ticks& ticks, std::size_t k, const std::vector<Overlap::Share>& shares) {
  StrandChoice choice;
  const Class& own = ticks.classes[ticks.class_of[k]];
  for (std::size_t d = 0; d < shares.size(); ++d) {
    const Class& other = ticks.classes[d];
    std::int64_t left = shares[d].copies;
    for (const std::size_t dag : other.dags) {
      if (dag == k || left-- <= 0) continue;
      choice.push_back({dag, Time(std::max<std::int64_t>(0, other.Y - own.Y)), shares[d].jobs, shares[d].strands});
    }
  }
  return choice;
}

}  // namespace

std::vector<std::vector<StrandChoice>> strand_choices(const System& system, const Limits& limits) {
  const Ticks ticks = to_ticks(system, limits, false);
  std::vector<std::vector<StrandChoice>> all(system.dags.size());
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const auto overlap = overlap_of(ticks, k);
    if (!overlap) continue;
    for (const std::size_t dag : ticks.classes[k].dags) {
      for (const auto& shares : overlap->choices) all[dag].push_back(choice_of(ticks, dag, shares));
    }
  }
  return all;
}

}  // namespace rta::analysis::path
