// T10d: when a job is as far as it would be on infinitely many processors some time before.
#include <algorithm>
#include <vector>

#include "analysis/path/path_by_priority.hpp"
#include "analysis/path/path_whole.hpp"

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

/// Under fixed priorities the ends of more urgent DAGs are known by then.
void WholePaths::prepare(const Ends& ends) {
  std::ranges::fill(E_, 0);
  std::vector<std::int64_t> of_equals;
  for (std::size_t i = 0; i < in_order_.size();) {
    of_equals.clear();
    const std::uint32_t urgency = this->urgency(in_order_[i]);
    for (std::size_t j = i; j < in_order_.size() && this->urgency(in_order_[j]) == urgency; ++j) {
      of_equals.push_back(end_as_soon(in_order_[j], ends));
    }
    for (const std::int64_t E : of_equals) E_[in_order_[i++]] = E;
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
