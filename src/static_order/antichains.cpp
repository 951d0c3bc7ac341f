#include "antichains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include "rta/model/error.hpp"

namespace rta::static_order {
namespace {

using Bits = boost::dynamic_bitset<>;

// The largest sum of values over elements of which none is before another: by Dilworth's theorem with values, their sum less the largest
// flow from elements to elements after them.
Wide largest_antichain(const std::vector<std::size_t>& elements, const std::vector<Wide>& value, const std::vector<Bits>& before) {
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Edge = Traits::edge_descriptor;
  using Flow = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS, boost::no_property,
      boost::property<boost::edge_capacity_t, std::int64_t,
                      boost::property<boost::edge_residual_capacity_t, std::int64_t, boost::property<boost::edge_reverse_t, Edge>>>>;
  const std::size_t n = elements.size();
  Flow flow(2 * n + 2);
  const auto capacity = boost::get(boost::edge_capacity, flow);
  const auto reverse = boost::get(boost::edge_reverse, flow);
  const auto add = [&](std::size_t from, std::size_t to, std::int64_t most) {
    const Edge there = boost::add_edge(from, to, flow).first;
    const Edge back = boost::add_edge(to, from, flow).first;
    capacity[there] = most;
    capacity[back] = 0;
    reverse[there] = back;
    reverse[back] = there;
  };
  Wide sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto most = static_cast<std::int64_t>(value[elements[i]]);
    sum += most;
    add(2 * n, i, most);
    add(n + i, 2 * n + 1, most);
    for (std::size_t j = 0; j < n; ++j) {
      if (before[elements[j]].test(elements[i])) add(i, n + j, most);
    }
  }
  return sum - boost::push_relabel_max_flow(flow, 2 * n, 2 * n + 1);
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
