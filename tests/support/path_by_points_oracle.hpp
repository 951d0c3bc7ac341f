// T10g by the letter: how long a node waits under priority points, from the lateness of all that is before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "support/path_facts.hpp"

namespace rta::test {

/// T10g's right-hand side; nothing where it does not apply.
inline std::optional<std::int64_t> path_by_points(const PathFacts& facts, std::size_t k, std::size_t v, const PathFacts::Ends& F) {
  const std::size_t p = facts.system.dags[k].nodes[v].pool;
  const auto order = facts.system.pools[p].order;
  if (order != analysis::path::Order::gel && order != analysis::path::Order::gel_by_node) return std::nullopt;
  const auto point = [&](const auto& dag, const auto& node) { return order == analysis::path::Order::gel ? dag.Y : node.Y; };
  const auto m = static_cast<std::int64_t>(facts.system.pools[p].capacity);
  std::int64_t common = 1;
  for (const auto& dag : facts.system.dags) common = std::lcm(common, dag.T.count());
  Wide U = 0;  // times common
  std::vector<std::int64_t> pieces;
  const auto each = [&](auto action) {
    for (std::size_t d = 0; d < facts.system.dags.size(); ++d) {
      for (std::size_t u = 0; u < F[d].size(); ++u) {
        if (facts.system.dags[d].nodes[u].pool == p)
          action(facts.system.dags[d], facts.system.dags[d].nodes[u], F[d][u], facts.ready(d, u, F));
      }
    }
  };
  each([&](const auto& dag, const auto& node, std::int64_t end, std::int64_t) {
    U += Wide{node.e.count()} * (common / dag.T.count());
    pieces.insert(pieces.end(), static_cast<std::size_t>(std::min<std::int64_t>(PathFacts::ceil(end, dag.T.count()), m)), node.e.count());
  });
  if (U > Wide{m} * common) return std::nullopt;
  const std::int64_t A_v = facts.ready(k, v, F);
  std::sort(pieces.rbegin(), pieces.rend());
  const auto running = static_cast<std::int64_t>(ceil_div(U, Wide{common})) - 1;  // PathFacts::ceil(U) - 1
  Wide work = 0;                                                                  // times common
  for (std::int64_t i = 0; i < std::min(running, static_cast<std::int64_t>(pieces.size())) && facts.mutant != Mutant::no_carry_in; ++i) {
    work += Wide{pieces[static_cast<std::size_t>(i)]} * common;
  }
  each([&](const auto& dag, const auto& node, std::int64_t, std::int64_t A) {
    const std::int64_t T = dag.T.count();
    std::int64_t later = (point(dag, node) - point(facts.system.dags[k], facts.system.dags[k].nodes[v])).count();
    if (facts.mutant == Mutant::no_lead) later = std::max<std::int64_t>(later, 0);
    const std::int64_t left = T - (later + A_v - (facts.mutant == Mutant::no_jitter ? 0 : A));
    work += Wide{node.e.count()} * std::max<std::int64_t>(0, left) * (common / T);
  });
  work += Wide{m - 1} * facts.system.dags[k].nodes[v].e.count() * common;
  return A_v + static_cast<std::int64_t>(ceil_div(work, Wide{m} * common));
}

}  // namespace rta::test
