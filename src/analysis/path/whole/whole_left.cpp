// T10d: when a job is as far as it would be on infinitely many processors some time before.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/priority/by_priority.hpp"
#include "analysis/path/whole/whole.hpp"

namespace rta::analysis::path {
namespace {

constexpr Wide longest_end = Wide{1} << 54U;  // halves of a ns

}  // namespace

/// DAGs with all nodes on one pool, which wait for one another in one order.
void WholePaths::set_left(std::size_t k) {
  const Class& c = ticks_.classes[k];
  if (!applies_[k] || c.slot_pool.size() != 1) return;
  const Order order = ticks_.system->pools[c.pools.front()].order;
  if (order != Order::fixed && order != Order::gel && order != Order::fifo) return;
  left_[k] = WorkLeft::of(ticks_, c);
  in_order_.push_back(k);
}

std::uint32_t WholePaths::urgency(std::size_t k) const {
  const Class& c = ticks_.classes[k];
  return by_fixed_priority(ticks_.system->pools[c.pools.front()].order) ? c.priority.front() : 0;
}

void WholePaths::changed(std::size_t k) {
  for (Known& known : known_[k]) known.counts.reset();
  for (const std::size_t d : left_by_[k]) E_is_old_[d] = true;
  forget_waiting_for(k);
}

/// Whose E depend on the ends of class k: those of users of its pools, under fixed priorities of no more urgent ones.
void WholePaths::set_left_by() {
  left_by_.resize(ticks_.classes.size());
  for (const std::size_t d : in_order_) {
    const std::size_t p = ticks_.classes[d].pools.front();
    const bool by_priority = by_fixed_priority(ticks_.system->pools[p].order);
    for (const std::size_t k : ticks_.users[p]) {
      const Levels& levels = ticks_.classes[k].levels[ticks_.local_pool[k][p]];
      if (!by_priority || levels.priority.back() >= urgency(d)) left_by_[k].push_back(d);
    }
  }
}

/// Of DAGs that there are only once nothing but others' sums reads what they have left.
bool WholePaths::reads_left(std::size_t k, std::size_t d) const {
  if (k == d) return ticks_.classes[k].copies > 1;
  const std::size_t p = ticks_.classes[d].pools.front();
  const std::size_t local = ticks_.local_pool[k][p];
  if (local == SIZE_MAX) return false;
  return !by_fixed_priority(ticks_.system->pools[p].order) || urgency(d) >= ticks_.classes[k].levels[local].priority.front();
}

/// Under fixed priorities the ends of more urgent DAGs are known by then.
void WholePaths::prepare(const Ends& ends, std::optional<std::size_t> alone) {
  std::vector<std::int64_t> of_equals;
  for (auto begin = in_order_.begin(); begin != in_order_.end();) {
    const auto end = std::find_if(begin, in_order_.end(), [&](std::size_t d) { return urgency(d) != urgency(*begin); });
    const std::span<const std::size_t> equals(begin, end);
    begin = end;
    const bool read = std::ranges::any_of(equals, [&](std::size_t d) { return E_is_old_[d] && (!alone || reads_left(*alone, d)); });
    if (!read) continue;
    for (const std::size_t d : equals) E_[d] = 0;
    of_equals.clear();
    for (const std::size_t d : equals) of_equals.push_back(end_as_soon(d, ends));
    for (std::size_t i = 0; i < equals.size(); ++i) {
      E_[equals[i]] = of_equals[i];
      forget_waiting_for(equals[i]);
    }
    for (const std::size_t d : equals) E_is_old_[d] = false;
  }
}

/// len + (vol - len + I)/m, I what other jobs do while one is not finished; halves of a ns, 0 where that is too long.
std::int64_t WholePaths::end_as_soon(std::size_t k, const Ends& ends) const {
  const Class& c = ticks_.classes[k];
  const WorkLeft& left = *left_[k];
  Wide work = left.V - left.longest;
  for (const Jobs& jobs : jobs(k, all_nodes, 0, ends, 0)) work += jobs.copies * jobs.work();
  const Wide E = 2 * Wide{left.longest} + ceil_div(2 * work, Wide{ticks_.system->pools[c.pools.front()].capacity});
  return E < longest_end && left.V > 0 ? static_cast<std::int64_t>(E) : 0;
}

}  // namespace rta::analysis::path
