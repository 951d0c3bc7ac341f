#include "analysis/path/path_in_time.hpp"

#include <algorithm>
#include <vector>

#include "analysis/path/path_nodes.hpp"
#include "analysis/path/rules.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {
namespace {

/// The longest D of the class's DAGs, which need not have the same.
Time deadline_of(const Class& c, std::span<const Time> D) {
  Time longest;
  for (const std::size_t d : c.dags) longest = std::max(longest, D[d]);
  return longest;
}

/// D less the longest path after each node, ns; within what bounds of the class may be.
std::vector<std::int64_t> latest_ends(const Ticks& ticks, const Class& c, Time D) {
  std::vector<Tick> tail(c.size());
  for (auto v = c.order.rbegin(); v != c.order.rend(); ++v) {
    for (const std::uint32_t w : c.predecessors(*v)) tail[w] = std::max(tail[w], tail[*v] + c.e[*v]);
  }
  std::vector<std::int64_t> ends;
  ends.reserve(c.size());
  for (std::size_t v = 0; v < c.size(); ++v) ends.push_back(std::max(c.longest[v], std::min(c.limit, D.count() - ticks.whole_ns(tail[v]))));
  return ends;
}

}  // namespace

bool ends_in_time(const System& system, std::size_t dag, std::span<const Time> D, Refinement refinement, const Limits& limits) {
  Ticks ticks = to_ticks(system, limits, true);
  // Ends in place of deadlines may raise what T23 and T24 say; what is accepted without them is in time with them, too: see node_bounds.
  Nodes nodes(ticks, rules_of(refinement).without(Rule::visit));
  const std::size_t k = ticks.class_of[dag];
  for (std::size_t c = 0; c < ticks.classes.size(); ++c) {
    if (c == k) continue;
    nodes.F[c] = latest_ends(ticks, ticks.classes[c], deadline_of(ticks.classes[c], D));
    nodes.changed(c);
  }
  const Class& own = ticks.classes[k];
  const std::int64_t latest = std::min(own.limit, D[dag].count());
  if (std::ranges::any_of(nodes.F[k], [&](std::int64_t F) { return F > latest; })) return false;
  const std::int64_t grid = std::max<std::int64_t>(1, own.T / 4096);
  bool changed = true;
  for (std::size_t round = 0; changed; ++round) {
    if (round == limits.sweeps || (limits.stop && limits.stop())) return false;
    changed = false;
    nodes.prepare();
    nodes.prepare(k);
    for (const std::uint32_t v : own.order) {
      const std::int64_t next = nodes.right_hand_side(k, v, grid, nodes.F[k][v]);
      if (next <= nodes.F[k][v]) continue;
      if (next > latest) return false;
      nodes.F[k][v] = next;
      changed = true;
    }
    nodes.changed(k);
  }
  return true;
}

}  // namespace rta::analysis::path
