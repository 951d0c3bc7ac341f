#include "analysis/path/system/segment_quotient.hpp"

#include <algorithm>
#include <cstdint>

#include "rta/model/topological_order.hpp"

namespace rta::analysis {

Quotient::Quotient(const Dag& dag, std::span<const std::size_t> segment) {
  std::size_t count = 0;
  for (const std::size_t s : segment) count = std::max(count, s + 1);
  out_.resize(count);
  std::vector<std::vector<std::size_t>> after(count);
  for (const Edge& edge : dag.edges()) {
    if (segment[edge.from] == segment[edge.to]) continue;
    out_[segment[edge.from]].push_back(edge);
    after[segment[edge.from]].push_back(segment[edge.to]);
  }
  order_ = topological_order(
      count, [&](std::size_t s) -> const auto& { return after[s]; });
}

std::vector<std::size_t> renumbered(std::span<const std::size_t> segment) {
  std::vector<std::size_t> number;
  std::vector<std::size_t> out;
  for (const std::size_t s : segment) {
    if (s >= number.size()) number.resize(s + 1, SIZE_MAX);
    if (number[s] == SIZE_MAX)
      number[s] = static_cast<std::size_t>(std::count_if(number.begin(), number.end(), [](std::size_t n) { return n != SIZE_MAX; }));
    out.push_back(number[s]);
  }
  return out;
}

std::vector<std::size_t> merge_cycles(const Dag& dag, std::span<const std::size_t> segment) {
  auto of = renumbered(segment);
  // Tarjan would be linear; a DAG has few segments, and joining the two ends of one edge on a cycle at a time is enough.
  for (;;) {
    const Quotient quotient(dag, of);
    if (quotient.acyclic()) return renumbered(of);
    std::vector<bool> ordered(quotient.size(), false);
    for (const std::size_t s : quotient.order()) ordered[s] = true;
    // Follow edges between segments that are not in order, backwards, until one repeats: it is on a cycle.
    std::vector<std::size_t> before(quotient.size(), SIZE_MAX);
    for (const Edge& edge : dag.edges()) {
      const std::size_t a = of[edge.from];
      const std::size_t b = of[edge.to];
      if (a != b && !ordered[a] && !ordered[b]) before[b] = a;
    }
    std::size_t s = 0;
    while (ordered[s]) ++s;
    std::vector<bool> seen(quotient.size(), false);
    for (; !seen[s]; s = before[s]) seen[s] = true;
    const std::size_t kept = s;
    for (std::size_t t = before[s]; t != kept; t = before[t]) std::replace(of.begin(), of.end(), t, kept);
    of = renumbered(of);
  }
}

}  // namespace rta::analysis
