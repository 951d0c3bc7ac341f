#include "common_clock.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace checker {
namespace {

constexpr Int most_of_clock = Int(Int::Raw{1} << 62);

/// So many ns by the clock in so many ns.
struct Clock {
  Int counts = 1, ns = 1;

  [[nodiscard]] Int up(Int time) const { return ceil_div(time * counts, ns); }
  [[nodiscard]] Int exact(const Period& time) const { return floor_div(time.of * counts, ns * time.over); }
  void exact(std::optional<Int>& time) const {
    if (time) time = exact(Period{*time, 1});
  }
};

Period lowest(Int of, Int over) {
  const Int common = gcd(of, over);
  return {floor_div(of, common), floor_div(over, common)};
}

std::optional<Period> common_part(const Period& a, const Period& b) {
  const Int common = gcd(a.over, b.over);
  const Int to_a = floor_div(b.over, common), to_b = floor_div(a.over, common);
  if (a.over > floor_div(most_of_clock, to_a) || a.of > floor_div(most_of_clock, to_a) || b.of > floor_div(most_of_clock, to_b))
    return std::nullopt;
  return lowest(gcd(a.of * to_a, b.of * to_b), a.over * to_a);
}

std::optional<Clock> clock_of(const TaskSet& set, const std::vector<Period>& periods) {
  std::optional<Period> part = periods.front();
  const auto take = [&](const Period& time) {
    if (part) part = common_part(*part, time);
  };
  const auto take_given = [&](const std::optional<Int>& time) {
    if (time && *time > 0) take({*time, 1});
  };
  for (const Period& T : periods) take(T);
  for (const Dag& dag : set.dags) {
    take_given(dag.D);
    take_given(dag.phase);
    for (const Node& node : dag.nodes) take_given(node.D);
  }
  if (!part) return std::nullopt;
  const Int counts = ceil_div(part->of, part->over);
  if (counts > floor_div(most_of_clock, part->over)) return std::nullopt;
  const Clock clock{counts * part->over, part->of};
  if (clock.counts - clock.ns > floor_div(clock.ns, 100'000)) return std::nullopt;
  return clock;
}

void by_clock(const Clock& clock, Node& node, const Pool& before, const Pool& pool) {
  const Int overhead = pool.kind == Kind::workers ? before.overhead : Int(0);
  const Int L = clock.up(node.L - overhead) + (pool.kind == Kind::workers ? pool.overhead : Int(0));
  if (pool.kind == Kind::gpu && node.has_blocks) {
    node.C += (L - node.L) * node.H;
  } else if (pool.kind != Kind::gpu && pool.kind != Kind::workers) {
    node.C = L;
  }
  node.L = L;
  if (node.time) node.time = clock.up(*node.time);
  clock.exact(node.D);
}

TaskSet by_clock(const Clock& clock, const TaskSet& set, const std::vector<Period>& periods) {
  TaskSet result = set;
  for (Pool& pool : result.pools) {
    if (pool.kind == Kind::workers) pool.overhead = clock.up(pool.overhead);
  }
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    Dag& dag = result.dags[d];
    const Int T = clock.exact(periods[d]);
    dag.J = clock.up(dag.J);
    dag.T = T - dag.J;
    clock.exact(dag.phase);
    clock.exact(dag.D);
    if (dag.T_max) dag.T_max = std::max(clock.up(*dag.T_max), T);
    for (Node& node : dag.nodes) by_clock(clock, node, set.pools[node.pool], result.pools[node.pool]);
  }
  return result;
}

}  // namespace

void keep_rates(TaskSet& set, const std::vector<Period>& periods) {
  bool rates = false, other_clock = false, fits = true;
  for (std::size_t d = 0; d < set.dags.size(); ++d) rates = rates || (set.dags[d].periodic && periods[d].over > 1);
  for (const Pool& pool : set.pools) other_clock = other_clock || pool.in_reservation() || pool.shared;
  if (!rates || other_clock) return;
  try {
    const auto clock = clock_of(set, periods);
    if (!clock) return;
    TaskSet result = by_clock(*clock, set, periods);
    for (const Dag& dag : result.dags) fits = fits && dag.T > 0;
    if (fits) set = std::move(result);
  } catch (const OutOfRange&) {
  }
}

}  // namespace checker
