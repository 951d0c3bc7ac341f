// T10m, with the work of other jobs that T10w finds beside a path.
#include <algorithm>

#include "analysis/path/chains/chain_families.hpp"
#include "analysis/path/fitting/fitting.hpp"

namespace rta::analysis::path {

std::vector<bool> FittingPaths::family_nodes(std::size_t k, std::size_t v, bool whole) const {
  std::vector<bool> nodes(ticks_.classes[k].size(), false);
  for (std::size_t u = 0; u < nodes.size(); ++u) nodes[u] = u == v || (whole ? !paths_[k]->is_before(v, u) : paths_[k]->is_before(u, v));
  return nodes;
}

const FittingPaths::Families& FittingPaths::families(std::size_t k, std::size_t v, bool whole) const {
  families_[k].resize(2 * ticks_.classes[k].size());
  auto& families = families_[k][2 * v + (whole ? 1 : 0)];
  if (!families) families = families_of(k, v, whole);
  return *families;
}

FittingPaths::Families FittingPaths::families_of(std::size_t k, std::size_t v, bool whole) const {
  const Class& c = ticks_.classes[k];
  const std::size_t local = c.pool_of[v];
  const std::vector<bool> nodes = family_nodes(k, v, whole);
  const NodeBits parallel = paths_[k]->parallel_to_paths(v, local, 0);
  Families families;
  bool one_pool = uses_[k][local].fits;
  for (std::size_t u = 0; u < c.size(); ++u) {
    one_pool = one_pool && (!nodes[u] || c.pool_of[u] == local);
    families.own += nodes[u] || parallel[u] ? c.e[u] : Tick::zero();
    if (nodes[u]) families.longer = std::max(families.longer, ticks_.of_ns(c.longest[u] - c.longest[v]));
  }
  if (!one_pool) return {};
  const ChainFamilies of(c, nodes, ticks_.system->pools[c.pools[local]].capacity);
  families.weights.assign(of.weights().begin(), of.weights().end());
  return families;
}

FittingPaths::Family FittingPaths::family(std::size_t k, std::size_t v, const Ends& ends, std::int64_t below) const {
  const Class& c = ticks_.classes[k];
  const std::int64_t m = ticks_.system->pools[c.pools[c.pool_of[v]]].capacity;
  // A node of length 0 counts as the least unit of time.
  const Tick longest = ticks_.of_ns(c.longest[v]) + Tick(c.e[v] == Tick::zero() ? 1 : 0);
  Family least;
  for (const bool whole : {false, true}) {
    const Families& of = families(k, v, whole);
    const auto with = [&](std::int64_t others) {
      Family best;
      for (std::size_t j = 0; j < of.weights.size(); ++j) {
        const std::int64_t free = m - static_cast<std::int64_t>(j);
        const Wide work = Wide{2} * (of.own + of.longer - of.weights[j]).count() + Wide{others} * ticks_.Q;
        const Tick total = longest + Tick::narrow(ceil_div(work, Wide{2} * free));
        if (total < best.total) best = {total, j + 1, whole};
      }
      return best;
    };
    const Tick alone = with(0).total;
    if (alone >= least.total || ticks_.ns(alone) >= below) continue;
    auto wait = others_of(k, v, ends, whole);
    if (!wait) continue;
    last_of_families_[k].resize(2 * c.size());
    Wait::Last& last = last_of_families_[k][2 * v + (whole ? 1 : 0)];
    wait->begin_at(last);
    const std::int64_t window = 2 * ends.F[k][v];
    const Tick at_phases = with(wait->work_at_phases(window)).total;
    if (at_phases >= least.total || ticks_.ns(at_phases) >= below) continue;
    if (ends.likely) {
      least.total = at_phases;
      continue;
    }
    const Family best = with(wait->seek_others(window) + wait->room());
    wait->keep(last);
    if (best.total < least.total) least = best;
  }
  return least;
}

}  // namespace rta::analysis::path
