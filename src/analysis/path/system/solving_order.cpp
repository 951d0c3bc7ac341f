#include "analysis/path/system/solving_order.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

namespace rta::analysis::path {
namespace {

[[nodiscard]] bool reads_on(const Ticks& ticks, std::size_t k, std::size_t d, std::size_t p) {
  if (ticks.system->pools[p].order != Order::fixed) return true;
  const auto levels = [&](std::size_t c) -> const Levels& { return ticks.classes[c].levels[ticks.local_pool[c][p]]; };
  return levels(d).priority.back() >= levels(k).priority.front();
}

}  // namespace

std::vector<std::vector<std::size_t>> solving_order(const Ticks& ticks) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> reads(ticks.classes.size());
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    for (const std::size_t p : ticks.classes[k].pools) {
      for (const std::size_t d : ticks.users[p]) {
        if (d != k && reads_on(ticks, k, d, p)) add_edge(k, d, reads);
      }
    }
  }
  // What a component reads has a lesser number.
  std::vector<std::size_t> component(ticks.classes.size());
  std::vector<std::vector<std::size_t>> order(strong_components(reads, component.data()));
  for (std::size_t k = 0; k < component.size(); ++k) order[component[k]].push_back(k);
  return order;
}

}  // namespace rta::analysis::path
