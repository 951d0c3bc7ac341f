#include "analysis/path/aligned/turns.hpp"

#include <algorithm>
#include <tuple>

namespace rta::analysis::path {

Ancestors::Ancestors(const Class& c) {
  if (c.size() > most_nodes_in_turn) return;
  of_.assign(c.size(), boost::dynamic_bitset<>(c.size()));
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) {
      of_[v] |= of_[w];
      of_[v].set(w);
    }
  }
}

std::vector<std::uint32_t> turn_chains(const Ancestors& ancestors, std::span<const std::uint32_t> nodes) {
  std::vector<std::tuple<std::size_t, std::uint32_t, std::size_t>> order;  // ancestors, node, place in `nodes`
  order.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) order.emplace_back(ancestors.count(nodes[i]), nodes[i], i);
  std::ranges::sort(order);
  std::vector<std::uint32_t> chain(nodes.size());
  std::vector<std::uint32_t> last;  // of each chain
  for (const auto& [count, v, i] : order) {
    const std::uint32_t node = v;
    const auto at = std::ranges::find_if(last, [&](std::uint32_t u) { return ancestors.is_before(u, node); });
    chain[i] = static_cast<std::uint32_t>(at - last.begin());
    if (at == last.end()) last.push_back(node);
    last[chain[i]] = node;
  }
  return chain;
}

std::vector<std::vector<std::uint32_t>> chains_of(const Ancestors& ancestors, std::span<const std::uint32_t> nodes) {
  std::vector<std::vector<std::uint32_t>> chains;
  const std::vector<std::uint32_t> chain = turn_chains(ancestors, nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (chain[i] >= chains.size()) chains.resize(chain[i] + 1);
    chains[chain[i]].push_back(nodes[i]);
  }
  return chains;
}

std::vector<std::uint32_t> most_visits(const Class& c, std::size_t local) {
  std::vector<std::uint32_t> visits(c.size(), 0);
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) visits[v] = std::max(visits[v], visits[w]);
    if (c.pool_of[v] == local) ++visits[v];
  }
  return visits;
}

}  // namespace rta::analysis::path
