#include "analysis/path/derivation/parallel_derivation.hpp"

#include <utility>
#include <vector>

#include "analysis/path/chains/parallel.hpp"

namespace rta::analysis::path {

std::optional<Inequality> parallel_derivation(const System& system, const Ticks& ticks, const Ends& ends, std::size_t k, std::size_t v) {
  const Class& c = ticks.classes[ticks.class_of[k]];
  if (!ParallelPaths::applies(c, system)) return std::nullopt;
  const ParallelPaths paths(c, system);
  const CountedPaths counted(system, ticks, ends, k, true);
  std::vector<bool> above(c.size());
  for (std::size_t u = 0; u < c.size(); ++u) above[u] = paths.is_before(u, v) || u == v;
  std::optional<CountedPath> decisive;
  for (const PoolSet& set : paths.sets_of(v)) {
    std::vector<std::size_t> path = paths.path(v, set);
    std::vector<bool> not_counted(c.size(), true);
    for (const std::size_t q : path) {
      not_counted[q] = false;
      for (std::size_t u = 0; u < c.size(); ++u) not_counted[u] = not_counted[u] && !paths.meanwhile(u, q);
    }
    CountedPath derivation = counted.along(std::move(path), not_counted, above);
    if (!decisive || derivation.total > decisive->total) decisive = std::move(derivation);
  }
  return as_inequality(k, *std::move(decisive));
}

}  // namespace rta::analysis::path
