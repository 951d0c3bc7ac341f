#include "rta/analysis/path/fitting_cuts.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "analysis/path/chains/chain_families.hpp"
#include "analysis/path/derivation/proven_ends.hpp"
#include "analysis/path/fitting/fitting.hpp"
#include "analysis/path/system/started.hpp"
#include "analysis/path/whole/whole.hpp"

namespace rta::analysis::path {

std::vector<FittingPaths::Cut> FittingPaths::cuts(std::size_t k, std::size_t v, const Ends& ends) const {
  std::vector<Cut> cuts;
  for (const auto& [local, least_priority] : questions(k, v)) {
    const auto waiting = wait({.k = k, .v = v, .ends = ends, .local = local, .least_priority = least_priority});
    if (waiting) cuts.push_back({local, least_priority, waiting->cut});
  }
  return cuts;
}

std::vector<std::uint32_t> FittingPaths::lanes(std::size_t k) const {
  std::vector<std::uint32_t> lanes(ticks_.classes[k].size());
  std::iota(lanes.begin(), lanes.end(), std::uint32_t{0});
  for (std::size_t local = 0; local < uses_[k].size(); ++local) {
    std::vector<std::optional<std::uint32_t>> first;  // chain -> a node of it
    for (const Place& place : use(k, local).places) {
      if (first.size() <= place.chain) first.resize(place.chain + std::size_t{1});
      if (!first[place.chain]) first[place.chain] = static_cast<std::uint32_t>(place.u);
      lanes[place.u] = *first[place.chain];
    }
  }
  return lanes;
}

struct FittingCuts::Content {
  ProvenEnds proven;
  std::optional<FittingPaths> paths;
  WholePaths::Parallel none;
  std::optional<WholePaths> whole;  // for DAGs on non-preemptive pools, of which T10w says nothing
};

FittingCuts::FittingCuts(const System& system, const NodeBounds& bounds) {
  const auto content = std::make_shared<Content>(Content{proven_ends(system, bounds, true), {}, {}, {}});
  content->paths.emplace(content->proven.ticks);
  if (std::ranges::any_of(system.pools, [](const Pool& pool) { return runs_to_end(pool.order); })) {
    content->none.resize(content->proven.ticks.classes.size());
    content->whole.emplace(content->proven.ticks, content->none);
  }
  content_ = content;
}

std::vector<FittingCuts::Cut> FittingCuts::of(std::size_t k, std::size_t v) const {
  const std::size_t own = content_->proven.ticks.class_of[k];
  std::vector<Cut> cuts;
  for (const auto& [local, least_priority, halves] : content_->paths->cuts(own, v, {content_->proven.F, content_->proven.A, 0})) {
    cuts.push_back({content_->proven.ticks.classes[own].pools[local], least_priority, halves});
  }
  return cuts;
}

std::vector<std::uint32_t> FittingCuts::lanes(std::size_t k) const {
  const std::size_t own = content_->proven.ticks.class_of[k];
  const bool started = !content_->paths->applies(own) && content_->whole && content_->whole->applies(own);
  return started ? content_->whole->lanes(own) : content_->paths->lanes(own);
}

std::vector<std::vector<std::uint32_t>> FittingCuts::families(std::size_t k) const {
  const Ticks& ticks = content_->proven.ticks;
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
