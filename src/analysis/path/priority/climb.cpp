#include "analysis/path/priority/climb.hpp"

#include <algorithm>
#include <utility>

#include "analysis/path/system/upward_grid.hpp"

namespace rta::analysis::path {
namespace {

constexpr int most_sweeps = 4'096;
constexpr std::size_t most_climbing_nodes = 4'096;

}  // namespace

bool Climb::applies(const Ticks& ticks, std::size_t k) {
  const Class& c = ticks.classes[k];
  if (c.pools.size() != 1 || c.slot_pool.size() != 1 || c.copies != 1 || c.size() > most_climbing_nodes) return false;
  const std::size_t p = c.pools.front();
  const Pool& pool = ticks.system->pools[p];
  if (pool.order != Order::fixed || pool.slices || pool.capacity == 1) return false;
  const std::uint32_t own = c.priority.front();
  return std::ranges::all_of(ticks.users[p], [&](std::size_t d) {
    const auto& priority = ticks.classes[d].levels[ticks.local_pool[d][p]].priority;
    return d == k || priority.front() > own || priority.back() < own;
  });
}

Climb::Climb(const Ticks& ticks, std::size_t k, WorkAbove above, UrgentPool* late, std::int64_t grid)
    : ticks_(ticks),
      c_(ticks.classes[k]),
      k_(k),
      late_(late),
      grid_(grid),
      equals_any_(ticks.system->pools[c_.pools.front()].equals_any),
      above_(std::move(above)),
      A_(c_.size(), 0),
      last_(c_.size(), 0),
      last_of_equals_(c_.size(), 0),
      by_path_(c_.size(), 0),
      by_late_(c_.size(), late == nullptr ? no_bound : 0) {}

bool Climb::run(PerClass& F) {
  for (const bool exactly : {false, true}) {
    exactly_ = exactly;
    bool rises = true;
    for (int i = 0; i < most_sweeps && rises; ++i) rises = sweep(F);
    if (is_past_limit_) break;
  }
  return late_decides_;
}

/// Whether ends rose, and may rise further.
bool Climb::sweep(PerClass& F) {
  std::vector<std::int64_t>& own = F[k_];
  earlier_ = Tick::zero();
  for (std::size_t u = 0; u < own.size(); ++u) {
    if (own[u] > c_.T) earlier_ += (jobs_in(own[u], c_.T) - 1) * c_.vol[u];
  }
  bool raised = false;
  for (const std::uint32_t v : c_.order) {
    std::int64_t A = 0;
    std::int64_t last = 0;
    std::int64_t of_equals = 0;
    for (const std::uint32_t w : c_.predecessors(v)) {
      A = std::max(A, own[w]);
      last = std::max(last, last_[w]);
      of_equals = std::max(of_equals, last_of_equals_[w]);
    }
    A_[v] = A;
    last_[v] = std::max(last, own[v]);
    last_of_equals_[v] = equals_any_ ? last_[v] : std::max(of_equals, A);
    if (!raise(own, v, raised)) return false;
  }
  if (raised && late_ != nullptr) late_->rise(k_, F, A_);
  return raised;
}

/// False where the end passes the limit: it then stays.
bool Climb::raise(std::vector<std::int64_t>& F, std::size_t v, bool& raised) {
  for (;;) {
    if (c_.proven[v] <= F[v]) return true;
    if (by_late_[v] <= F[v]) {
      const auto demand = late_->demand(k_, v);
      by_late_[v] = demand ? ceil_to(A_[v] + demand->total(), grid_) : no_bound;
    }
    if (by_late_[v] <= F[v]) return true;
    if (by_path_[v] <= F[v]) by_path_[v] = solved_by_path(v, std::min(by_late_[v], c_.limit));
    if (by_path_[v] <= F[v]) return true;
    const std::int64_t next = std::min({by_path_[v], by_late_[v], c_.proven[v]});
    is_past_limit_ = next > c_.limit;
    if (is_past_limit_) return false;
    late_decides_ = late_decides_ || by_late_[v] < by_path_[v];
    F[v] = next;
    raised = true;
    last_[v] = std::max(last_[v], next);
    if (equals_any_) last_of_equals_[v] = last_[v];
  }
}

/// No less than this solves T11's inequality for the node; more than `most` where that does, or far from it.
std::int64_t Climb::solved_by_path(std::size_t v, std::int64_t most) {
  Tick c = c_.pool_sets_of(v).front().length + earlier_ + c_.rest[v];
  if (!equals_any_ && last_of_equals_[v] >= c_.T) c += last_of_equals_[v] / c_.T * c_.total.front();
  const std::int64_t by_line = above_.least_by_line(c, last_[v]);
  return by_line > most || !exactly_ ? by_line : above_.least(c, std::max(by_line, last_[v]), most);
}

}  // namespace rta::analysis::path
