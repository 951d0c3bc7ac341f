#include "rta/analysis/queue/workers.hpp"

#include <algorithm>
#include <numeric>

#include "rta/model/error.hpp"

namespace rta::analysis::workers {
namespace {

constexpr int most_counts_of_queue = 64;  // of counting; every round's bounds are valid

Wide item(const Task& t, Time overhead) { return (t.L + overhead).count(); }

// The `count` longest of the multiset that holds task i's item ceil((R_i + J_i) / T_i) B_i times.
Time longest_items(std::span<const Task> tasks, std::span<const std::uint32_t> by_length, Time overhead, Wide count,
                   std::span<const Time> R) {
  Wide carry = 0;
  for (const std::uint32_t i : by_length) {
    const Task& t = tasks[i];
    const Wide jobs = ceil_div(static_cast<Wide>(R[i].count()) + t.J.count(), t.T.count());
    const Wide items = std::min(count, checked_mul(jobs, static_cast<Wide>(t.B)));
    carry = checked_add(carry, checked_mul(items, item(t, overhead)));
    count -= items;
    if (count == 0) break;
  }
  return to_time(carry);
}

}  // namespace

Utilization utilization(std::span<const Task> tasks, Time overhead) {
  Utilization U;
  for (const Task& t : tasks) U.add(checked_mul(item(t, overhead), static_cast<Wide>(t.B)), t.T.count());
  return U;
}

// T8
Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t workers, Time overhead, bool count_carry) {
  Bounds bounds;
  if (tasks.empty()) return bounds;
  require(workers > 0, "T8 needs a worker or an engine");
  const Utilization U = utilization(tasks, overhead);
  const auto N = static_cast<Wide>(workers);
  if (U.compare(N) > 0) return reason::Overload{PoolKind::workers, U, N};
  Terms& terms = bounds.terms;
  terms.ceil_U = U.ceil();
  Wide released = 0;
  for (const Task& t : tasks) {
    terms.L_max = std::max(terms.L_max, t.L + overhead);
    const Wide once = checked_mul(item(t, overhead), static_cast<Wide>(t.B));
    released = checked_add(released, checked_add(once, ceil_div(checked_mul(once, static_cast<Wide>(t.J.count())), t.T.count())));
  }
  terms.released = to_time(released);
  const Wide busy = std::max<Wide>(terms.ceil_U - 1, 0);
  terms.carry = to_time(checked_mul(busy, static_cast<Wide>(terms.L_max.count())));
  const auto prove = [&] {
    bounds.R.clear();
    for (const Task& t : tasks) {
      const Time L = t.L + overhead;
      const Wide backlog = checked_add(static_cast<Wide>(terms.carry.count()), released) - L.count();
      bounds.R.push_back(to_time(ceil_div(backlog, N)) + L);
    }
  };
  prove();
  if (!count_carry) return bounds;
  std::vector<std::uint32_t> by_length(tasks.size());
  std::iota(by_length.begin(), by_length.end(), 0U);
  std::sort(by_length.begin(), by_length.end(), [&](auto a, auto b) { return tasks[a].L > tasks[b].L; });
  for (int round = 0; round < most_counts_of_queue; ++round) {
    const Time carry = longest_items(tasks, by_length, overhead, busy, bounds.R);
    if (carry >= terms.carry) return bounds;
    terms.carry = carry;
    terms.counted = true;
    prove();
  }
  bounds.left_out.push_back({.what = LeftOut::What::coarser,
                             .theorems = {Theorem::T8},
                             .limit = LeftOut::Limit::rounds,
                             .most = static_cast<std::size_t>(most_counts_of_queue),
                             .where = {}});
  return bounds;
}

}  // namespace rta::analysis::workers
