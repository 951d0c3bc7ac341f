// An order of the nodes of a graph in which every node comes after those that lead to it.
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

namespace rta {

/// Ties by number. `successors(v)` is a range of the numbers that edges from v lead to, one per edge. Shorter than `nodes` when there is a
/// cycle: its nodes, and those behind it, are left out.
template <class Successors>
[[nodiscard]] std::vector<std::size_t> topological_order(std::size_t nodes, const Successors& successors) {
  std::vector<std::size_t> waits_for(nodes, 0);
  for (std::size_t v = 0; v < nodes; ++v) {
    for (const std::size_t w : successors(v)) ++waits_for[w];
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t v = 0; v < nodes; ++v) {
    if (waits_for[v] == 0) ready.push(v);
  }
  std::vector<std::size_t> order;
  order.reserve(nodes);
  while (!ready.empty()) {
    const std::size_t v = ready.top();
    ready.pop();
    order.push_back(v);
    for (const std::size_t w : successors(v)) {
      if (--waits_for[w] == 0) ready.push(w);
    }
  }
  return order;
}

}  // namespace rta
