// T10d: which DAGs have no bound, as one of their nodes says before all others are asked.
#include <algorithm>
#include <utility>

#include "analysis/path/path_nodes.hpp"

namespace rta::analysis::path {
namespace {

constexpr int most_steps_ahead = 64;

/// The node with the longest path and what runs beside it.
std::size_t longest_node(const Class& c, const ParallelPaths& paths) {
  const auto length = [&](std::size_t v) {
    Tick most;
    for (const PoolSet& set : paths.sets_of(v)) most = std::max(most, set.length);
    return most;
  };
  return *std::ranges::max_element(c.sinks, {}, length);
}

}  // namespace

/// As ends rise no right-hand side falls, and a node ends by the least solution of any theorem alone: the least one, as all others are,
/// is no more than its end in any solution for all.
bool Nodes::foresees_no_bound(std::size_t k) {
  const Class& c = ticks_.classes[k];
  if (!whole_ || !parallel_[k] || c.slot_pool.size() != 1 || c.copies != 1 || !whole_->applies(k)) return false;
  const std::size_t p = c.pools.front();
  if (!by_priority_[p] || !urgent_[p] || !WholePaths::fits(*ticks_.system, p)) return false;
  prepare(std::optional(k));
  const std::size_t v = longest_node(c, *parallel_[k]);
  // T11 and T10p count no less than T10d.
  if (std::min(c.proven[v], local_bound(k, v, 1, no_bound)) <= c.limit) return false;
  const std::int64_t known = F[k][v];
  WholePaths::Kept kept = whole_->set_aside(k);
  const auto by_whole = [&] { return whole_->from_below(k, v, {F, A_}, std::span(&unbounded, 1)); };
  bool past = rises_past(k, v, c.limit, by_whole);
  whole_->put_back(k, std::move(kept));
  F[k][v] = known;
  if (past && wanted_.end(k, v) >= known && fitting().applies(k)) {
    std::vector<FittingWait::Last> last = fitting_->last(k, v);
    const auto by_fitting = [&] {
      const Tick total = fitting_->decisive(k, v, {F, A_, F[k][v], true}, waiting(k, v)).total;
      return total == unbounded ? no_bound : ticks_.ns(total);
    };
    past = rises_past(k, v, std::min(c.limit, wanted_.end(k, v)), by_fitting);
    fitting_->set_last(k, v, std::move(last));
    F[k][v] = known;
  }
  return past;
}

/// Whether it surely does from where it is.
template <class Next>
bool Nodes::rises_past(std::size_t k, std::size_t v, std::int64_t limit, Next next) {
  std::int64_t& end = F[k][v];
  for (int step = 0; step < most_steps_ahead && end <= limit; ++step) {
    const std::int64_t at_least = next();
    if (at_least <= end) return false;
    end = at_least;
  }
  return end > limit;
}

}  // namespace rta::analysis::path
