#include "analysis/path/aligned/strands.hpp"

#include <algorithm>
#include <numeric>

namespace rta::analysis::path {
namespace {

/// Sets of nodes that are joined step by step.
class Parts {
 public:
  explicit Parts(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  [[nodiscard]] std::uint32_t of(std::uint32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[of(a)] = of(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

/// For each node, how many of `targets` come after it, itself excluded, and whether it is one of them or before one.
struct Before {
  std::vector<std::size_t> count;
  std::vector<bool> needed;
};

Before before(const Class& c, const std::vector<std::uint32_t>& targets) {
  Before result{std::vector<std::size_t>(c.size(), 0), std::vector<bool>(c.size(), false)};
  std::vector<bool> ancestor(c.size());
  for (const std::uint32_t target : targets) {
    ancestor.assign(c.size(), false);
    ancestor[target] = true;
    for (auto v = c.order.rbegin(); v != c.order.rend(); ++v) {
      if (!ancestor[*v]) continue;
      result.needed[*v] = true;
      if (*v != target) ++result.count[*v];
      for (const std::uint32_t w : c.predecessors(*v)) ancestor[w] = true;
    }
  }
  return result;
}

}  // namespace

std::vector<std::uint32_t> nodes_on(const Class& c, std::size_t local) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t u = 0; u < c.size(); ++u) {
    if (c.pool_of[u] == local) nodes.push_back(u);
  }
  return nodes;
}

Strands strands_of(const Ticks& ticks, const Class& c, std::size_t queue, bool whole) {
  const std::vector<std::uint32_t> targets = nodes_on(c, queue);
  const Before found = before(c, targets);
  const auto in_root = [&](std::uint32_t v) { return found.count[v] == targets.size(); };
  Strands strands;
  Parts parts(c.size());
  std::vector<Tick> path(c.size());  // largest sum of e over a path in the root
  for (const std::uint32_t v : c.order) {
    if (!found.needed[v]) continue;
    for (const std::uint32_t w : c.predecessors(v)) {
      if (in_root(v)) path[v] = std::max(path[v], path[w]);
      if (!in_root(v) && !in_root(w)) parts.join(v, w);
    }
    if (!in_root(v)) continue;
    path[v] += c.e[v];
    strands.C_R = std::max(strands.C_R, path[v]);
    strands.root.push_back(v);
  }
  std::vector<std::vector<std::uint32_t>> members(c.size());
  for (const std::uint32_t v : targets) members[parts.of(v)].push_back(v);
  for (const auto& part : members) {
    if (!part.empty()) strands.parts.emplace_back(ticks, c, part, whole, std::span<const std::uint32_t>());
  }
  return strands;
}

}  // namespace rta::analysis::path
