#include "analysis/path/derivation/proven_ends.hpp"

#include <algorithm>
#include <limits>

namespace rta::analysis::path {

ProvenEnds proven_ends(const System& system, const NodeBounds& bounds, bool descendants) {
  Time largest;
  for (const auto& row : bounds.F) largest = std::max(largest, *std::max_element(row.begin(), row.end()));
  ProvenEnds ends;
  ends.ticks = to_ticks(system, std::numeric_limits<std::int64_t>::max(), largest, descendants);
  for (const Class& c : ends.ticks.classes) {
    auto& F = ends.F.emplace_back();
    auto& A = ends.A.emplace_back(c.size(), 0);
    F.reserve(c.size());
    for (const Time f : bounds.F[c.dags.front()]) F.push_back(f.count());
    for (std::size_t u = 0; u < c.size(); ++u) {
      for (const std::uint32_t w : c.predecessors(u)) A[u] = std::max(A[u], F[w]);
    }
  }
  return ends;
}

}  // namespace rta::analysis::path
