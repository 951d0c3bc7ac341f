#include "analysis/path/whole/ends_on_pool.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <functional>
#include <limits>

namespace rta::analysis::path {
namespace {

/// vol left/e, rounded up.
Tick share(Tick vol, std::int64_t left, std::int64_t e) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(vol.count(), left, &product)) return Tick(product / e + static_cast<std::int64_t>(product % e != 0));
  return Tick::narrow(ceil_div(Wide{vol.count()} * left, Wide{e}));
}

constexpr std::int64_t most_releases = 256;  // of which what is left is looked at; beyond, nodes are counted one by one

/// Puts the largest first.
Tick sum_of_largest(boost::container::small_vector<Tick, 32>& parts, std::size_t most) {
  if (most < parts.size()) std::ranges::nth_element(parts, parts.begin() + static_cast<std::ptrdiff_t>(most), std::greater());
  Tick sum;
  for (std::size_t i = 0; i < most && i < parts.size(); ++i) sum += parts[i];
  return sum;
}

}  // namespace

EndsOnPool::EndsOnPool(const Ticks& ticks, const Class& c, std::span<const std::uint32_t> nodes, bool whole,
                       std::span<const std::uint32_t> chain) {
  for (const std::uint32_t u : nodes) {
    if (c.vol[u] == Tick::zero()) continue;
    const std::int64_t e = whole ? 0 : ticks.whole_ns(c.e[u]);
    nodes_.push_back({0, c.vol[u], e, {}, u});
    longest_ = std::max(longest_, e);
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (c.vol[nodes[i]] == Tick::zero()) continue;
    chains_.resize(std::max<std::size_t>(chains_.size(), chain[i] + 1));
    chains_[chain[i]].push_back({0, c.vol[nodes[i]], whole ? 0 : ticks.whole_ns(c.e[nodes[i]]), {}, nodes[i]});
  }
  for (auto& of : chains_) {
    std::ranges::stable_sort(of, std::greater(), &Node::vol);
    of_turns_.resize(std::max(of_turns_.size(), of.size()));
  }
  for (std::size_t i = 0; i < of_turns_.size(); ++i) {
    for (const auto& of : chains_) {
      for (std::size_t j = 0; j <= i && j < of.size(); ++j) of_turns_[i] += of[j].vol;
    }
  }
}

void EndsOnPool::set(const std::vector<std::int64_t>& F) {
  for (Node& node : nodes_) node.F = F[node.u];
  std::ranges::sort(nodes_, {}, &Node::F);
  Tick sum;
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) node->after = sum += node->vol;
  all_ = std::numeric_limits<std::int64_t>::max();
  first_chain_ = std::numeric_limits<std::int64_t>::max();
  for (auto& of : chains_) {
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    for (Node& node : of) {
      node.F = F[node.u];
      end = std::max(end, node.F);
      all_ = std::min(all_, node.F - std::max<std::int64_t>(node.e, 1));
    }
    if (!of.empty()) first_chain_ = std::min(first_chain_, end);
  }
}

Tick EndsOnPool::part(const Node& node, std::int64_t x) {
  if (x >= node.F) return Tick::zero();
  const std::int64_t left = std::min(node.F - x, node.e);
  return left == node.e ? node.vol : share(node.vol, left, node.e);
}

Tick EndsOnPool::some_after(std::int64_t x, std::size_t turns) const {
  Tick sum;
  boost::container::small_vector<Tick, 32> parts;
  for (const auto& of : chains_) {
    parts.clear();
    for (const Node& node : of) parts.push_back(part(node, x));
    sum += sum_of_largest(parts, turns);
  }
  return sum;
}

Tick EndsOnPool::after_all(std::int64_t first, std::int64_t T, std::size_t turns) const {
  Tick sum;
  for (const auto& of : chains_) {
    if (of.empty()) continue;
    const std::int64_t end = std::ranges::max_element(of, {}, &Node::F)->F;
    sum += end <= T ? largest_of_all(of, first, T, turns) : largest_of_each(of, first, T, turns);
  }
  return sum;
}

Tick EndsOnPool::largest_of_all(const std::vector<Node>& chain, std::int64_t first, std::int64_t T, std::size_t turns) {
  boost::container::small_vector<Tick, 32> parts;
  for (const Node& node : chain) {  // of the same node the latest jobs have most
    std::int64_t x = first;
    for (std::size_t job = 0; job < turns && x < node.F; ++job, x += T) parts.push_back(part(node, x));
  }
  return sum_of_largest(parts, turns);
}

Tick EndsOnPool::largest_of_each(const std::vector<Node>& chain, std::int64_t first, std::int64_t T, std::size_t turns) {
  const std::int64_t end = std::ranges::max_element(chain, {}, &Node::F)->F;
  Tick sum;
  if (jobs_in(end - first, T) > most_releases) {
    Wide all = 0;
    for (const Node& node : chain) all += Wide{jobs_in(node.F - first, T)} * node.vol.count();
    return to_tick(all);
  }
  boost::container::small_vector<Tick, 32> parts;
  for (std::int64_t x = first; x < end; x += T) {
    parts.clear();
    for (const Node& node : chain) parts.push_back(part(node, x));
    sum += sum_of_largest(parts, turns);
  }
  return sum;
}

Tick EndsOnPool::some_after(std::int64_t x) const {
  Tick sum;
  auto node = std::ranges::upper_bound(nodes_, x, {}, &Node::F);
  for (; node != nodes_.end() && node->F - x < longest_; ++node) {
    const std::int64_t left = std::min(node->F - x, node->e);
    sum += left == node->e ? node->vol : share(node->vol, left, node->e);
  }
  return sum + (node == nodes_.end() ? Tick::zero() : node->after);
}

Wide EndsOnPool::one_by_one(std::int64_t first, std::int64_t T) const {
  Wide sum = 0;
  for (const Node& node : nodes_) sum += Wide{jobs_in(node.F - first, T)} * node.vol.count();
  return sum;
}

}  // namespace rta::analysis::path
