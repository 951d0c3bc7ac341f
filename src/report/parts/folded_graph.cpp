#include "folded_graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace rta::report {
namespace {

using Edges = std::span<const std::pair<std::size_t, std::size_t>>;
using Neighbours = std::vector<std::vector<std::size_t>>;

/// By the first node of each value.
template <class Values>
std::vector<std::size_t> numbered(const Values& values) {
  std::map<typename Values::value_type, std::size_t> numbers;
  std::vector<std::size_t> result;
  result.reserve(values.size());
  for (const auto& value : values) result.push_back(numbers.try_emplace(value, numbers.size()).first->second);
  return result;
}

std::size_t count_of(const std::vector<std::size_t>& groups) { return groups.empty() ? 0 : *std::ranges::max_element(groups) + 1; }

std::vector<std::size_t> groups_of(const std::vector<std::size_t>& group, const std::vector<std::size_t>& nodes) {
  std::vector<std::size_t> all;
  for (const std::size_t node : nodes) all.push_back(group[node]);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Splits groups whose members have neighbours in other groups, until there are none or many rounds have passed: by then long graphs, which
/// stay acyclic by their ranks, are drawn coarser than need be.
void refine(std::vector<std::size_t>& group, const Neighbours& before, const Neighbours& after) {
  constexpr int most_rounds = 200;
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<std::tuple<std::size_t, std::vector<std::size_t>, std::vector<std::size_t>>> values;
    values.reserve(group.size());
    for (std::size_t v = 0; v < group.size(); ++v) values.emplace_back(group[v], groups_of(group, before[v]), groups_of(group, after[v]));
    auto finer = numbered(values);
    if (count_of(finer) == count_of(group)) return;
    group = std::move(finer);
  }
}

}  // namespace

FoldedGraph folded(std::span<const std::size_t> order, Edges edges, std::span<const std::size_t> colours, bool merge) {
  const std::size_t nodes = colours.size();
  Neighbours before(nodes), after(nodes);
  for (const auto& [from, to] : edges) {
    after[from].push_back(to);
    before[to].push_back(from);
  }
  std::vector<std::size_t> rank(nodes), height(nodes);
  for (const std::size_t v : order) {
    for (const std::size_t u : before[v]) rank[v] = std::max(rank[v], rank[u] + 1);
  }
  for (std::size_t i = nodes; i-- > 0;) {
    for (const std::size_t w : after[order[i]]) height[order[i]] = std::max(height[order[i]], height[w] + 1);
  }
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> values;
  for (std::size_t v = 0; v < nodes; ++v) values.emplace_back(colours[v], rank[v], height[v], merge ? 0 : v);
  FoldedGraph result;
  result.group = numbered(values);
  if (merge) refine(result.group, before, after);
  result.members.resize(count_of(result.group));
  for (std::size_t v = 0; v < nodes; ++v) result.members[result.group[v]].push_back(v);
  for (const auto& [from, to] : edges) result.edges.emplace_back(result.group[from], result.group[to]);
  if (merge) {
    std::ranges::sort(result.edges);
    result.edges.erase(std::unique(result.edges.begin(), result.edges.end()), result.edges.end());
  }
  std::map<std::size_t, std::size_t> of_rank;
  for (const auto& group : result.members) result.broadest = std::max(result.broadest, ++of_rank[rank[group.front()]]);
  result.ranks = of_rank.size();
  return result;
}

}  // namespace rta::report
