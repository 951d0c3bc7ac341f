#include "antichains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>

#include "passed_on.hpp"
#include "rta/model/error.hpp"

namespace rta::static_order {
namespace {

using Bits = boost::dynamic_bitset<>;

// The largest sum of values over elements of which none is before another.
Wide largest_antichain(const std::vector<std::size_t>& elements, const std::vector<Wide>& value, const std::vector<Bits>& before) {
  std::vector<std::int64_t> units;
  std::vector<std::vector<std::size_t>> earlier(elements.size());
  units.reserve(elements.size());
  Wide sum = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    units.push_back(static_cast<std::int64_t>(value[elements[i]]));
    sum += units.back();
    for (std::size_t j = 0; j < elements.size(); ++j) {
      if (before[elements[i]].test(elements[j])) earlier[i].push_back(j);
    }
  }
  return sum - most_passed_on(units, earlier).total;
}

// before[k]: the kernels (by index) that some path leads from to kernel k.
std::vector<Bits> orders(const ScheduledHyperepoch& hyperepoch, const Waiting& waiting, const std::vector<std::size_t>& kernels) {
  constexpr std::size_t most_bits = std::size_t{1} << 32U;
  if (kernels.size() * hyperepoch.runnables.size() > most_bits)
    throw UserError(fmt::format("{} kernels among {} runnables are too many to share a GPU", kernels.size(), hyperepoch.runnables.size()));
  std::vector<std::size_t> index(hyperepoch.runnables.size(), kernels.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) index[kernels[k]] = k;
  std::vector<Bits> ancestors(hyperepoch.runnables.size(), Bits(kernels.size()));
  for (const std::size_t i : waiting.order) {
    for (const Decision& decision : waiting.before[i]) {
      // What only waits for a start may overlap.
      ancestors[i] |= ancestors[decision.predecessor];
      if (decision.by != Decision::By::submitter_start && index[decision.predecessor] < kernels.size())
        ancestors[i].set(index[decision.predecessor]);
    }
  }
  std::vector<Bits> before;
  before.reserve(kernels.size());
  for (const std::size_t id : kernels) before.push_back(ancestors[id]);
  return before;
}

}  // namespace

std::optional<Crowd> overcrowded(const ScheduledHyperepoch& hyperepoch, const Waiting& waiting, const std::vector<std::size_t>& kernels,
                                 Wide capacity) {
  const std::vector<Bits> before = orders(hyperepoch, waiting, kernels);
  std::vector<Wide> value(kernels.size());
  std::vector<std::size_t> shared;
  Wide least = capacity;
  const auto parallel = [&](std::size_t a, std::size_t b) { return a != b && !before[a].test(b) && !before[b].test(a); };
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const ScheduledRunnable& r = hyperepoch.runnables[kernels[k]];
    value[k] = checked_mul(static_cast<Wide>(r.weight), static_cast<Wide>(r.blocks));
    if (r.weight > 0) {
      // More than the whole is as good as the whole.
      value[k] = std::min(value[k], capacity);
      least = std::min<Wide>(least, r.weight);
      if (checked_mul(static_cast<Wide>(r.weight), static_cast<Wide>(r.blocks) - 1) >= capacity) return Crowd{kernels[k], 0};
      shared.push_back(k);
      continue;
    }
    for (std::size_t other = 0; other < kernels.size(); ++other) {
      if (parallel(k, other)) return Crowd{kernels[k], 0};
    }
  }
  // Enough for every kernel, if there are no two that take it all.
  if (shared.empty() || largest_antichain(shared, value, before) < capacity + least) return std::nullopt;
  for (const std::size_t k : shared) {
    std::vector<std::size_t> others;
    std::ranges::copy_if(shared, std::back_inserter(others), [&](std::size_t other) { return parallel(k, other); });
    const Wide held = others.empty() ? 0 : largest_antichain(others, value, before);
    const ScheduledRunnable& r = hyperepoch.runnables[kernels[k]];
    if (static_cast<Wide>(r.weight) * (static_cast<Wide>(r.blocks) - 1) + held >= capacity) return Crowd{kernels[k], held};
  }
  return std::nullopt;
}

}  // namespace rta::static_order
