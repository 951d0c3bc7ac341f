#include <algorithm>

#include "analysis/path/system/ticks.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

/// T10's right-hand side as a function of R (ns per class).
class WholeDags {
 public:
  explicit WholeDags(Ticks& ticks) : ticks_(ticks), pieces_(ticks.system->pools.size()), at_sinks_(ticks.classes.size()) {
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      if (ticks.system->pools[p].order == Order::gel_non_preemptive) pieces_[p] = blocking_pieces(ticks, p);
    }
    for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
      Class& c = ticks.classes[k];
      set_pool_sets(c, static_lengths(c));
      at_sinks_[k] = pool_sets_at_sinks(c);
    }
  }

  /// n_d vol_d summed over all DAGs, per local pool of class k.
  std::vector<Tick> waiting(std::size_t k, const std::vector<std::int64_t>& R) const {
    const Class& own = ticks_.classes[k];
    std::vector<Tick> sum(own.pools.size());
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const std::size_t p = own.pools[i];
      const bool fifo = ticks_.system->pools[p].order == Order::fifo;
      for (const std::size_t d : ticks_.users[p]) {
        const std::int64_t jobs = fifo ? fifo_jobs(k, d, R) : gel_jobs(k, d, R);
        sum[i] += jobs * ticks_.classes[d].total[ticks_.local_pool[d][p]];
      }
    }
    return sum;
  }

  std::int64_t right_hand_side(std::size_t k, const std::vector<std::int64_t>& R) {
    Class& c = ticks_.classes[k];
    std::vector<Tick> length;
    for (std::size_t i = 0; i < c.pools.size(); ++i) {
      const std::size_t p = c.pools[i];
      if (ticks_.system->pools[p].order != Order::gel_non_preemptive) continue;
      if (length.empty()) length = static_lengths(c);
      const Tick Blk = blocking(ticks_, pieces_[p], k, R[k], [&](std::size_t d, std::size_t) { return R[d]; });
      for (std::size_t v = 0; v < c.size(); ++v) length[v] += c.pool_of[v] == i ? Blk : Tick::zero();
    }
    if (!length.empty()) {
      set_pool_sets(c, length);
      at_sinks_[k] = pool_sets_at_sinks(c);
    }
    return ticks_.ns(longest_with_waiting(at_sinks_[k], waiting(k, R)));
  }

 private:
  static std::vector<PoolSet> pool_sets_at_sinks(const Class& c) {
    std::vector<PoolSet> sets;
    for (const std::uint32_t v : c.sinks) {
      for (const PoolSet& set : c.pool_sets_of(v)) add_pool_set(sets, set);
    }
    return sets;
  }

  // T10, FIFO: ceil((R_d + R_k)/T_d) for each other DAG, ceil(R_k/T_k) + floor(R_k/T_k) for the DAG itself.
  std::int64_t fifo_jobs(std::size_t k, std::size_t d, const std::vector<std::int64_t>& R) const {
    const Class& other = ticks_.classes[d];
    const std::int64_t jobs = jobs_in(R[d] + R[k], other.T);
    if (d != k) return other.copies * jobs;
    return (other.copies - 1) * jobs + jobs_in(R[k], other.T) + R[k] / other.T;
  }

  // T10, GEL: max(0, ceil((R_d + min(R_k, Y_k - Y_d))/T_d)) for every DAG.
  std::int64_t gel_jobs(std::size_t k, std::size_t d, const std::vector<std::int64_t>& R) const {
    const Class& other = ticks_.classes[d];
    return other.copies * jobs_in(R[d] + std::min(R[k], ticks_.classes[k].Y - other.Y), other.T);
  }

  Ticks& ticks_;
  std::vector<Pieces> pieces_;                  // pool -> what may block there
  std::vector<std::vector<PoolSet>> at_sinks_;  // class -> pool sets of its complete paths
};

}  // namespace

Result<Bounds> bounds(const System& system, const Limits& limits) {
  require(!has_release_jitter(system), "T10 knows no release jitter");
  require(std::ranges::none_of(system.pools,
                               [](const Pool& pool) { return pool.order == Order::gel_by_node || by_fixed_priority(pool.order); }),
          "T10 has one priority point per DAG");
  require(std::ranges::none_of(system.pools, [](const Pool& pool) { return pool.slices.has_value(); }), "T10 knows no slices");
  Ticks ticks = to_ticks(system, limits, false);
  if (auto overload = overloaded_pool(system)) return *std::move(overload);
  WholeDags dags(ticks);

  // From the longest paths up: a smaller R would not even cover the DAG's own execution, which the theorem takes for granted.
  std::vector<std::int64_t> R(ticks.classes.size(), 0);
  for (std::size_t k = 0; k < R.size(); ++k) {
    for (const std::uint32_t v : ticks.classes[k].sinks) R[k] = std::max(R[k], ticks.classes[k].longest[v]);
  }
  std::size_t sweeps = 0;
  for (bool changed = true; changed;) {
    changed = false;
    if (limits.stop && limits.stop()) return reason::Stopped{};
    if (sweeps++ == limits.sweeps) return reason::StillGrows{limits.sweeps, false};
    for (std::size_t k = 0; k < R.size(); ++k) {
      const std::int64_t next = dags.right_hand_side(k, R);
      if (next > R[k]) {
        R[k] = next;
        changed = true;
      }
      if (R[k] > ticks.classes[k].limit) {
        const auto waiting = dags.waiting(k, R);
        const auto most = std::max_element(waiting.begin(), waiting.end()) - waiting.begin();
        return past_limit(ticks, k, ticks.classes[k].pools[static_cast<std::size_t>(most)], limits);
      }
    }
  }

  Bounds result;
  result.R.resize(system.dags.size());
  for (std::size_t d = 0; d < result.R.size(); ++d) result.R[d] = Time(R[ticks.class_of[d]]);
  return result;
}

}  // namespace rta::analysis::path
