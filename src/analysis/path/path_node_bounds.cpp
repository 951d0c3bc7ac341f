#include <algorithm>

#include "analysis/path/path_due.hpp"
#include "analysis/path/path_nodes.hpp"
#include "analysis/path/path_release_jitter.hpp"
#include "analysis/path/path_ticks.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {
namespace {

std::int64_t upward_grid(const Ticks& ticks, Refinement refinement) {
  if (refinement == Refinement::T10n || refinement == Refinement::T10v) return 1;
  std::int64_t T = INT64_MAX;
  for (const Class& c : ticks.classes) T = std::min(T, c.T);
  return std::max<std::int64_t>(1, T / 4096);
}

/// The least solution above the longest paths; where it lies past the limits, or nothing is known of it in time, the reason.
std::optional<Reason> solve_upwards(const Ticks& ticks, Nodes& nodes, std::int64_t grid, const Limits& limits) {
  std::size_t sweeps = 0;
  Due due(ticks);
  for (bool changed = true; changed;) {
    changed = false;
    if (limits.stop && limits.stop()) return reason::Stopped{};
    if (sweeps++ == limits.sweeps) return reason::StillGrows{limits.sweeps, false};
    due.begin_round();
    nodes.prepare();
    for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
      if (!due.is_due(k)) continue;
      const Class& c = ticks.classes[k];
      bool here = false;
      nodes.prepare(k);
      for (const std::uint32_t v : c.order) {
        const std::int64_t next = nodes.right_hand_side(k, v, grid, nodes.F[k][v]);
        if (next <= nodes.F[k][v]) continue;
        nodes.F[k][v] = next;
        here = true;
        if (next <= c.limit) continue;
        const auto waiting = nodes.waiting(k, v);
        const auto most = std::max_element(waiting.begin(), waiting.end()) - waiting.begin();
        return past_limit(ticks, k, c.pools[c.slot_pool[static_cast<std::size_t>(most)]], limits);
      }
      if (here) nodes.changed(k);
      if (here) due.changed(k);
      changed = changed || here;
    }
  }
  return std::nullopt;
}

/// Every iterate from a solution downwards is a solution: what the grid added comes off again. Not quite so with T10g, whose demand falls
/// while A_v rises, and whose terms are rounded one by one: see `holds`.
void settle(const Ticks& ticks, Nodes& nodes, const Limits& limits) {
  constexpr int most_rounds = 256;
  Due due(ticks);
  bool changed = true;
  for (int round = 0; round < most_rounds && changed; ++round) {
    if (limits.stop && limits.stop()) return;
    changed = false;
    due.begin_round();
    nodes.prepare();
    for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
      if (!due.is_due(k)) continue;
      bool here = false;
      nodes.prepare(k);
      for (const std::uint32_t v : ticks.classes[k].order) {
        const std::int64_t next = std::max(ticks.classes[k].longest[v], nodes.right_hand_side(k, v, 1));
        if (next >= nodes.F[k][v]) continue;
        nodes.F[k][v] = next;
        here = true;
      }
      if (here) nodes.changed(k);
      if (here) due.changed(k);
      changed = changed || here;
    }
  }
}

/// Whether every F is at least its right-hand side: all that the theorems ask for.
bool holds(const Ticks& ticks, Nodes& nodes) {
  nodes.prepare();
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    nodes.prepare(k);
    for (std::size_t v = 0; v < ticks.classes[k].size(); ++v) {
      if (nodes.F[k][v] < nodes.right_hand_side(k, v, 1, nodes.F[k][v])) return false;
    }
  }
  return true;
}

/// Per class and node, for a solution.
std::vector<std::vector<Support>> supports(const Ticks& ticks, Nodes& nodes) {
  std::vector<std::vector<Support>> all;
  nodes.prepare();
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    nodes.prepare(k);
    auto& of_class = all.emplace_back();
    for (std::size_t v = 0; v < ticks.classes[k].size(); ++v) of_class.push_back(nodes.support(k, v));
  }
  return all;
}

/// A node ends before its successors do.
void lend_ends(const Ticks& ticks, Nodes& nodes, std::vector<std::vector<Support>>& support) {
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const Class& c = ticks.classes[k];
    for (auto it = c.order.rbegin(); it != c.order.rend(); ++it) {
      for (const std::uint32_t w : c.predecessors(*it)) {
        if (nodes.F[k][w] <= nodes.F[k][*it]) continue;
        nodes.F[k][w] = nodes.F[k][*it];
        support[k][w] = Support::successor;
      }
    }
  }
}

}  // namespace

Result<NodeBounds> node_bounds(const System& system, Refinement refinement, const Limits& limits) {
  if (has_release_jitter(system)) return bounds_with_release_jitter(system, limits);
  Ticks ticks = to_ticks(system, limits, true);
  if (auto overload = overloaded_pool(system)) return *std::move(overload);
  Nodes nodes(ticks, refinement);
  const std::int64_t grid = upward_grid(ticks, refinement);

  if (auto reason = solve_upwards(ticks, nodes, grid, limits)) return *std::move(reason);
  if (grid > 1) {
    const Nodes::PerClass solution = nodes.F;
    settle(ticks, nodes, limits);
    if (refinement >= Refinement::T10g && !holds(ticks, nodes)) {
      nodes.F = solution;
      for (std::size_t k = 0; k < ticks.classes.size(); ++k) nodes.changed(k);
    }
  }
  auto support = supports(ticks, nodes);
  lend_ends(ticks, nodes, support);

  NodeBounds result;
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    const Class& c = ticks.classes[ticks.class_of[d]];
    const auto& F = nodes.F[ticks.class_of[d]];
    auto& row = result.F.emplace_back();
    for (const std::int64_t f : F) row.emplace_back(f);
    result.support.push_back(support[ticks.class_of[d]]);
    Time R;
    for (const std::uint32_t v : c.sinks) R = std::max(R, row[v]);
    result.R.push_back(R);
  }
  return result;
}

}  // namespace rta::analysis::path
