#include "rta/analysis/path/lanes.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "analysis/path/chains/chain_families.hpp"
#include "analysis/path/fitting/fitting.hpp"
#include "analysis/path/system/started.hpp"
#include "analysis/path/whole/whole.hpp"

namespace rta::analysis::path {

struct Lanes::Content {
  Ticks ticks;
  std::optional<FittingPaths> paths;
  WholePaths::Parallel none;
  std::optional<WholePaths> whole;  // for DAGs on non-preemptive pools, of which T10w says nothing
};

Lanes::Lanes(const System& system, const NodeBounds& bounds) {
  Time largest;
  for (const auto& row : bounds.F) largest = std::max(largest, *std::ranges::max_element(row));
  const auto content =
      std::make_shared<Content>(Content{to_ticks(system, std::numeric_limits<std::int64_t>::max(), largest, true), {}, {}, {}});
  content->paths.emplace(content->ticks);
  if (std::ranges::any_of(system.pools, [](const Pool& pool) { return runs_to_end(pool.order); })) {
    content->none.resize(content->ticks.classes.size());
    content->whole.emplace(content->ticks, content->none);
  }
  content_ = content;
}

std::vector<std::uint32_t> Lanes::of(std::size_t k) const {
  const std::size_t own = content_->ticks.class_of[k];
  const bool started = !content_->paths->applies(own) && content_->whole && content_->whole->applies(own);
  return started ? content_->whole->lanes(own) : content_->paths->lanes(own);
}

std::vector<std::vector<std::uint32_t>> Lanes::families(std::size_t k) const {
  const Ticks& ticks = content_->ticks;
  const Class& c = ticks.classes[ticks.class_of[k]];
  std::vector<std::vector<std::uint32_t>> families;
  for (std::size_t local = 0; local < c.pools.size(); ++local) {
    if (!WholePaths::fits(*ticks.system, c.pools[local])) continue;
    const std::vector<bool> here = is_on_pool(c, local);
    const std::size_t sought = chains_sought(c, ticks.system->pools[c.pools[local]].capacity);
    for (std::size_t size = 2; size <= sought; ++size) {
      const ChainFamilies flow(c, here, size);
      if (flow.weights().size() < size) break;
      std::vector<std::uint32_t>& chain_of = families.emplace_back(c.size(), 0);
      std::uint32_t number = 0;
      for (const auto& chain : flow.chains()) {
        ++number;
        for (const std::size_t u : chain) chain_of[u] = number;
      }
    }
  }
  return families;
}

}  // namespace rta::analysis::path
