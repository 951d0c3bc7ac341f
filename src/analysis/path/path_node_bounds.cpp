#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/path/path_due.hpp"
#include "analysis/path/path_nodes.hpp"
#include "analysis/path/path_same_way.hpp"
#include "analysis/path/path_touched.hpp"
#include "analysis/path/plain_bounds.hpp"
#include "analysis/path/rules.hpp"
#include "analysis/path/system/lent_ends.hpp"
#include "analysis/path/system/solving_order.hpp"
#include "analysis/path/system/ticks.hpp"
#include "analysis/path/system/upward_grid.hpp"
#include "analysis/path/system/whole_nodes.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

/// Per DAG and node.
std::vector<std::vector<Time>> ends_of_dags(const Ticks& ticks, const Nodes::PerClass& F) {
  std::vector<std::vector<Time>> ends;
  ends.reserve(ticks.class_of.size());
  for (const std::size_t k : ticks.class_of) {
    auto& row = ends.emplace_back();
    row.reserve(F[k].size());
    for (const std::int64_t f : F[k]) row.emplace_back(f);
  }
  return ends;
}

[[nodiscard]] bool is_surpassed(const Ticks& ticks, Nodes::PerClass F, const Limits& limits) {
  lend_ends(ticks, F, [](std::size_t, std::size_t) {});
  return limits.surpassed(ends_of_dags(ticks, F));
}

[[nodiscard]] std::optional<std::size_t> alone(std::span<const std::size_t> classes) {
  return classes.size() == 1 ? std::optional(classes.front()) : std::nullopt;
}

/// The search upwards, from the longest paths on.
class Upwards {
 public:
  /// `touched`: of right-hand sides that it is true of.
  Upwards(const Ticks& ticks, Nodes& nodes, std::int64_t grid, const Limits& limits, std::optional<Touched> touched = std::nullopt,
          SameWay* same = nullptr, bool climbs = false)
      : ticks_(ticks),
        nodes_(nodes),
        grid_(grid),
        limits_(limits),
        touched_(std::move(touched)),
        same_(same),
        climbs_(climbs),
        due_(ticks) {}

  /// The least solution for these classes, given all others that they read; where it lies past the limits, or nothing is known of it in
  /// time, the reason.
  [[nodiscard]] std::optional<Reason> solve(std::span<const std::size_t> classes) {
    due_.all();
    if (climbs_ && classes.size() == 1) climb(classes.front());
    for (bool changed = true; changed || nodes_.some_likely();) {
      const bool likely = changed;
      if (!likely) {
        due_.all();
        nodes_.ask_all_again();
      }
      changed = false;
      if (limits_.stop && limits_.stop()) return reason::Stopped{};
      if (limits_.surpassed && is_surpassed(ticks_, nodes_.F, limits_)) return reason::Stopped{};
      if (sweeps_++ == limits_.sweeps) return reason::StillGrows{limits_.sweeps, false};
      if (sweeps_ > exact_sweeps) nodes_.round_visits_up();
      due_.begin_round();
      if (touched_) touched_->begin_round();
      nodes_.prepare(alone(classes));
      for (const std::size_t k : classes) {
        if (!due_.is_due(k) || !nodes_.reads_anew(k) || (touched_ && !touched_->is_due(k, nodes_.reach(k)))) continue;
        if (auto reason = raise(k, likely, changed)) return reason;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t exact_sweeps = 100;

  /// The rounds that follow show that nothing rises any more.
  void climb(std::size_t k) {
    nodes_.prepare(std::optional(k));
    const std::vector<std::int64_t> before = nodes_.F[k];
    const bool by_late = nodes_.climb(k, grid_, true);
    if (nodes_.jobs_overlap(k)) {  // T24 may say less
      nodes_.F[k] = before;
      nodes_.changed(k);
      return;
    }
    if (by_late && same_ != nullptr && same_->holds()) same_->part();
  }

  [[nodiscard]] std::optional<Reason> raise(std::size_t k, bool likely, bool& changed) {
    const Class& c = ticks_.classes[k];
    bool here = false;
    nodes_.prepare(k);
    for (const std::uint32_t v : c.order) {
      const std::int64_t now = nodes_.F[k][v];
      std::int64_t next = likely ? nodes_.likely_right_hand_side(k, v, grid_, now) : nodes_.right_hand_side(k, v, grid_, now);
      if (next <= now) continue;
      if (const auto late = same_ != nullptr ? same_->parts(k, v, now, next) : std::nullopt) {
        touched_.reset();  // more is read now
        next = *late;
        if (next <= now) continue;
      }
      if (touched_) touched_->rises(k, v, now, next);
      nodes_.F[k][v] = next;
      here = true;
      if (next <= c.limit) continue;
      const auto waiting = nodes_.waiting(k, v);
      const auto most = std::max_element(waiting.begin(), waiting.end()) - waiting.begin();
      return past_limit(ticks_, k, c.pools[c.slot_pool[static_cast<std::size_t>(most)]], limits_);
    }
    if (here) nodes_.changed(k);
    if (here) due_.changed(k);
    changed = changed || here;
    return std::nullopt;
  }

  const Ticks& ticks_;
  Nodes& nodes_;
  std::int64_t grid_;
  const Limits& limits_;
  std::optional<Touched> touched_;
  SameWay* same_;
  bool climbs_;  // T11, and T11j where it is prepared, are all that is asked
  Due due_;
  std::size_t sweeps_ = 0;
};

/// Where it is worth its time.
std::optional<Touched> touched_by(const Ticks& ticks, const Rules& rules) {
  return rules.count_whole_jobs() && affordable_alignment(ticks) ? std::optional<Touched>(ticks) : std::nullopt;
}

/// Every iterate from a solution downwards is a solution: what the grid added comes off again. Not quite so with T10g, whose demand falls
/// while A_v rises, and whose terms are rounded one by one, nor with T23: see `holds`.
void settle(const Ticks& ticks, Nodes& nodes, const Limits& limits, std::span<const std::size_t> classes) {
  constexpr int most_rounds = 256;
  Due due(ticks);
  bool changed = true;
  for (int round = 0; round < most_rounds && changed; ++round) {
    if (limits.stop && limits.stop()) return;
    changed = false;
    due.begin_round();
    nodes.prepare(alone(classes));
    for (const std::size_t k : classes) {
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

/// Under fixed priorities alone no right-hand side falls while ends rise: in every order the ends are the same.
[[nodiscard]] bool all_by_priority(const Ticks& ticks) {
  for (std::size_t p = 0; p < ticks.users.size(); ++p) {
    const Pool& pool = ticks.system->pools[p];
    if (!ticks.users[p].empty() && (pool.order != Order::fixed || pool.slices)) return false;
  }
  return true;
}

/// Which classes are solved together, and in which order: where ends take long to find, or do not depend on it, those that wait for no
/// others first. Else all at once, so that of several classes without a bound always the same one is named.
std::vector<std::vector<std::size_t>> turns_of(const Ticks& ticks, const Rules& rules) {
  if (rules.has(Rule::parallel) || all_by_priority(ticks)) return solving_order(ticks);
  std::vector<std::vector<std::size_t>> all(1, std::vector<std::size_t>(ticks.classes.size()));
  std::iota(all.front().begin(), all.front().end(), std::size_t{0});
  return all;
}

/// Whether `settle` would leave all as it is.
bool is_settled(const Ticks& ticks, Nodes& nodes) {
  nodes.prepare();
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    nodes.prepare(k);
    for (std::size_t v = 0; v < ticks.classes[k].size(); ++v) {
      if (std::max(ticks.classes[k].longest[v], nodes.right_hand_side(k, v, 1)) < nodes.F[k][v]) return false;
    }
  }
  return true;
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
    of_class.reserve(ticks.classes[k].size());
    for (std::size_t v = 0; v < ticks.classes[k].size(); ++v) of_class.push_back(nodes.support(k, v));
  }
  return all;
}

[[nodiscard]] bool is_by_visit(Support support) { return support == Support::visit || support == Support::upstream; }

/// T23 counts earlier jobs of a DAG the less the later a node is ready, T39 looks no further than it pays: whether what they say of others
/// still holds with the ends that are lent.
[[nodiscard]] bool holds_with_lent_ends(const Ticks& ticks, Nodes& nodes, const std::vector<std::vector<Support>>& support) {
  for (std::size_t k = 0; k < support.size(); ++k) nodes.changed(k);
  nodes.prepare();
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    nodes.prepare(k);
    for (std::size_t v = 0; v < support[k].size(); ++v) {
      if (is_by_visit(support[k][v]) && !nodes.holds_by(support[k][v], k, v)) return false;
    }
  }
  return true;
}

/// Of a solution.
NodeBounds told(const System& system, const Ticks& ticks, Nodes& nodes) {
  const Nodes::PerClass solution = nodes.F;
  auto support = supports(ticks, nodes);
  auto with_lent = support;
  bool lent = false;
  lend_ends(ticks, nodes.F, [&](std::size_t k, std::size_t w) {
    with_lent[k][w] = Support::successor;
    lent = true;
  });
  const bool visits = std::ranges::any_of(support, [](const auto& of) { return std::ranges::any_of(of, is_by_visit); });
  if (lent && visits && !holds_with_lent_ends(ticks, nodes, with_lent)) {
    nodes.F = solution;
  } else {
    support = std::move(with_lent);
  }
  NodeBounds result;
  result.F = ends_of_dags(ticks, nodes.F);
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    result.support.push_back(support[ticks.class_of[d]]);
    Time R;
    for (const std::uint32_t v : ticks.classes[ticks.class_of[d]].sinks) R = std::max(R, result.F[d][v]);
    result.R.push_back(R);
  }
  return result;
}

[[nodiscard]] bool may_settle(Nodes& nodes, std::span<const std::size_t> classes) {
  nodes.prepare(alone(classes));
  return std::ranges::any_of(classes, [&](std::size_t k) {
    nodes.prepare(k);
    return nodes.may_settle(k);
  });
}

/// Upwards from where no solution is, to one that is nowhere above `solution`. False where that is not found soon.
[[nodiscard]] bool rises_to_a_solution(const Ticks& ticks, Nodes& nodes, const Limits& limits,
                                       std::span<const std::vector<std::size_t>> turns, const Nodes::PerClass& solution) {
  Limits few = limits;
  few.sweeps = 256;
  few.surpassed = nullptr;
  Upwards upwards(ticks, nodes, 1, few);
  for (const auto& classes : turns) {
    if (upwards.solve(classes)) return false;
  }
  for (std::size_t k = 0; k < solution.size(); ++k) {
    for (std::size_t v = 0; v < solution[k].size(); ++v) {
      if (nodes.F[k][v] > solution[k][v]) return false;
    }
  }
  return holds(ticks, nodes);
}

/// What the grid added to a solution comes off again.
void settle(const Ticks& ticks, Nodes& nodes, const Limits& limits, std::span<const std::vector<std::size_t>> turns, const Rules& rules) {
  if (all_by_priority(ticks)) {  // those before the first that may are as they will be
    turns = turns.subspan(static_cast<std::size_t>(
        std::ranges::find_if(turns, [&](const auto& classes) { return may_settle(nodes, classes); }) - turns.begin()));
    if (turns.empty()) return;
  }
  const Nodes::PerClass solution = nodes.F;
  for (const auto& classes : turns) settle(ticks, nodes, limits, classes);
  if (rules.are_monotone() || holds(ticks, nodes)) return;
  if (rules.has(Rule::visit) && rises_to_a_solution(ticks, nodes, limits, turns, solution)) return;
  nodes.F = solution;
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) nodes.changed(k);
}

/// All turns, from the ends as they are. The reason where some end lies past the limits.
[[nodiscard]] std::optional<Reason> rise(const Ticks& ticks, Nodes& nodes, std::int64_t grid, const Limits& limits, const Rules& rules,
                                         std::span<const std::vector<std::size_t>> turns) {
  const bool climbs = !rules.has(Rule::parallel) && all_by_priority(ticks) && !has_release_jitter(*ticks.system);
  Upwards upwards(ticks, nodes, grid, limits, touched_by(ticks, rules), nullptr, climbs);
  // Those that wait for all others, first from what these take at least: mostly it is they that have no bound.
  if (rules.has(Rule::whole) && turns.size() > 1 && all_by_priority(ticks)) {
    const std::size_t last = turns.back().front();
    if (!limits.surpassed && turns.back().size() == 1 && nodes.foresees_no_bound(last)) {
      return past_limit(ticks, last, ticks.classes[last].pools.front(), limits);
    }
    if (auto reason = upwards.solve(turns.back())) return reason;
  }
  for (const auto& classes : turns) {
    if (auto reason = upwards.solve(classes)) return reason;
  }
  return std::nullopt;
}

/// Where right-hand sides never fall while ends rise, the search upwards comes to the least solution from wherever below it begins: from
/// what a node a DAG says, which takes a small part of the rounds' time. Whether that was found and applies.
bool start_from_whole_nodes(const Ticks& ticks, Nodes& nodes, const Limits& limits) {
  if (!nodes.all_once_a_round()) return false;
  auto whole = with_whole_nodes(ticks);
  if (!whole) return false;
  Nodes rough(*whole, rules_of(Refinement::T10n));
  Limits within = limits;
  within.surpassed = nullptr;
  std::vector<std::size_t> all(ticks.classes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (Upwards(*whole, rough, 1, within).solve(all)) return false;
  for (const std::size_t k : all) {
    const Class& c = ticks.classes[k];
    const Tick others = rough.waiting(k, 0).front() - c.total.front();
    for (std::size_t v = 0; v < c.size(); ++v) nodes.F[k][v] = std::max(nodes.F[k][v], ticks.ns(length_and_rest(c, v) + others));
    nodes.changed(k);
  }
  return true;
}

/// What T12 asks for.
void check_release_jitter(const System& system) {
  if (!has_release_jitter(system)) return;
  const bool apart = std::ranges::all_of(system.dags, [](const Dag& dag) { return dag.J < dag.T; });
  for (const Pool& pool : system.pools) {
    require(!pool.slices, "T12 knows no slices");
    require(!is_non_preemptive(pool.order) || apart, "what blocks is counted by releases T - J apart");
  }
}

/// From the longest paths.
void start_over(const Ticks& ticks, Nodes& nodes) {
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    nodes.F[k] = ticks.classes[k].longest;
    nodes.changed(k);
  }
}

/// Whether an end of `a` is later than in `b`.
[[nodiscard]] bool is_above(const NodeBounds& a, const NodeBounds& b) {
  for (std::size_t k = 0; k < a.F.size(); ++k) {
    for (std::size_t v = 0; v < a.F[k].size(); ++v) {
      if (a.F[k][v] > b.F[k][v]) return true;
    }
  }
  return false;
}

/// Whether a node ends later than is wanted.
[[nodiscard]] bool some_open(const Ticks& ticks, const Nodes::PerClass& F, const std::vector<std::vector<Time>>& wanted) {
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    const auto& ends = F[ticks.class_of[d]];
    for (std::size_t v = 0; v < ends.size(); ++v) {
      if (ends[v] > wanted[d][v].count()) return true;
    }
  }
  return false;
}

/// Where a node ends later than is wanted: from a solution downwards as T23 and T24 say of nodes, then as all say, to a solution. False
/// where there is none in reach: then the ends are as they were. Elsewhere it takes more time than it gains.
[[nodiscard]] bool descends(const Ticks& ticks, Nodes& nodes, const Limits& limits, std::span<const std::vector<std::size_t>> turns) {
  constexpr int most_rounds = 16;
  if (!some_open(ticks, nodes.F, limits.wanted) || !nodes.some_visits() || (limits.stop && limits.stop())) return false;
  const Nodes::PerClass solution = nodes.F;
  nodes.ask_running_of_all(true);
  bool lower = true;
  for (int round = 0; round < most_rounds && lower; ++round) {
    lower = false;
    nodes.prepare();
    for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
      nodes.prepare(k);
      lower = nodes.lower_by_visits(k) || lower;
    }
  }
  if (nodes.F != solution) {
    if (some_open(ticks, nodes.F, limits.wanted)) {
      for (const auto& classes : turns) settle(ticks, nodes, limits, classes);
    }
    if (holds(ticks, nodes) || rises_to_a_solution(ticks, nodes, limits, turns, solution)) return true;
    nodes.F = solution;
    for (std::size_t k = 0; k < ticks.classes.size(); ++k) nodes.changed(k);
  }
  nodes.ask_running_of_all(false);
  return false;
}

/// Of the solution below the one that `nodes` are, as which it leaves them.
[[nodiscard]] std::optional<NodeBounds> told_below(const System& system, const Ticks& ticks, Nodes& nodes, const Limits& limits,
                                                   std::span<const std::vector<std::size_t>> turns) {
  const Nodes::PerClass solution = nodes.F;
  if (!descends(ticks, nodes, limits, turns)) return std::nullopt;
  NodeBounds below = told(system, ticks, nodes);
  nodes.ask_running_of_all(false);
  nodes.F = solution;
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) nodes.changed(k);
  return below;
}

struct Solved {
  NodeBounds bounds;
  bool by_visits = false;  // T23 or T24 raised ends on the way
};

/// `below`, where it says nothing later.
[[nodiscard]] Solved lesser(NodeBounds above, std::optional<NodeBounds> below) {
  const bool by_visits =
      std::ranges::any_of(above.support, [](const auto& of) { return std::ranges::find(of, Support::visit) != of.end(); });
  return {below && !is_above(*below, above) ? *std::move(below) : std::move(above), by_visits};
}

/// The search upwards asks `rules`, the one downwards from there `all`.
[[nodiscard]] Result<Solved> solved(const System& system, const Rules& rules, const Rules& all, const Limits& limits) {
  Ticks ticks = to_ticks(system, limits, true);
  if (auto overload = overloaded_pool(system)) return *std::move(overload);
  Nodes nodes(ticks, rules, limits.wanted);
  const std::int64_t grid = upward_grid(ticks, rules);

  const auto turns = turns_of(ticks, rules);
  const bool started = start_from_whole_nodes(ticks, nodes, limits);
  auto reason = rise(ticks, nodes, grid, limits, rules, turns);
  if (started && reason &&
      std::holds_alternative<reason::PastLimit>(*reason)) {  // the DAG that it names is the first on the way from below
    start_over(ticks, nodes);
    reason = rise(ticks, nodes, grid, limits, rules, turns);
  }
  if (reason) return *std::move(reason);
  if (grid > 1) settle(ticks, nodes, limits, turns, rules);
  if (rules.has(Rule::visit) == all.has(Rule::visit)) {
    auto below = told_below(system, ticks, nodes, limits, turns);
    return lesser(told(system, ticks, nodes), std::move(below));
  }
  Nodes with_visits(ticks, all, limits.wanted);
  with_visits.F = nodes.F;
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) with_visits.changed(k);
  return lesser(told(system, ticks, nodes), told_below(system, ticks, with_visits, limits, turns));
}

/// What T23 and T24 say may rise while other ends fall: where they leave some end later than without them, only the way down asks them.
[[nodiscard]] Result<NodeBounds> nowhere_above(Result<Solved> with_visits, const System& system, const Rules& rules, const Limits& limits) {
  const auto as_it_is = [&]() -> Result<NodeBounds> {
    return with_visits ? Result<NodeBounds>(std::move(with_visits->bounds)) : Result<NodeBounds>(with_visits.reason());
  };
  if (!rules.has(Rule::visit)) return as_it_is();
  if (with_visits ? !with_visits->by_visits : !std::holds_alternative<reason::PastLimit>(with_visits.reason())) return as_it_is();
  Limits to_the_end = limits;
  to_the_end.surpassed = nullptr;  // which was asked of ends that only rise
  auto without = solved(system, rules.without(Rule::visit), rules, to_the_end);
  if (!without || (with_visits && !is_above(with_visits->bounds, without->bounds))) return as_it_is();
  return std::move(without->bounds);
}

}  // namespace

bool has_release_jitter(const System& system) {
  return std::ranges::any_of(system.dags, [](const Dag& dag) { return dag.J > Time::zero(); });
}

Result<NodeBounds> node_bounds(const System& system, Refinement refinement, const Limits& limits) {
  check_release_jitter(system);
  const Rules rules = rules_of(refinement);
  return nowhere_above(solved(system, rules, rules, limits), system, rules, limits);
}

PlainBounds plain_bounds(const System& system, bool goes_on, const Limits& limits) {
  if (has_release_jitter(system)) return {node_bounds(system, Refinement::T10v, limits), false};
  Ticks ticks = to_ticks(system, limits, true);
  // A round by way of all jobs in order is T10v's alone.
  if (Nodes::counts_all_at_once(ticks)) return {node_bounds(system, Refinement::T10v, limits), false};
  if (auto overload = overloaded_pool(system)) return {*std::move(overload), true};
  Nodes nodes(ticks, rules_of(Refinement::T10g));
  const bool climbs = all_by_priority(ticks);
  goes_on = goes_on || climbs;
  SameWay same(ticks, nodes, goes_on);
  const std::int64_t grid = upward_grid(ticks, rules_of(goes_on ? Refinement::T10g : Refinement::T10v));
  Upwards upwards(ticks, nodes, grid, limits, touched_by(ticks, rules_of(Refinement::T10v)), &same, climbs);
  const auto turns = turns_of(ticks, rules_of(Refinement::T10v));
  const auto by_T10g = [&](Result<Solved> bounds) { return nowhere_above(std::move(bounds), system, rules_of(Refinement::T10g), limits); };
  for (const auto& classes : turns) {
    auto reason = upwards.solve(classes);
    if (!reason) continue;
    const bool stopped = std::holds_alternative<reason::Stopped>(*reason);
    if (goes_on && !stopped) return {by_T10g(*std::move(reason)), true, Refinement::T10g};
    return {*std::move(reason), (same.holds() || goes_on) && !stopped};
  }
  if (same.holds()) {
    nodes.leave_late_out(false);
    const bool settled = is_settled(ticks, nodes);
    nodes.leave_late_out(!goes_on || settled);
    if (settled || !goes_on) return {told(system, ticks, nodes), settled};
  }
  if (!goes_on) return {told(system, ticks, nodes), false};
  if (grid > 1) settle(ticks, nodes, limits, turns, rules_of(Refinement::T10g));
  return {by_T10g(lesser(told(system, ticks, nodes), std::nullopt)), true, Refinement::T10g};
}

}  // namespace rta::analysis::path
