// What the paths of all classes wait for on FIFO and GEL pools, as F and the ready times are.
#include <algorithm>
#include <numeric>

#include "analysis/path/path_nodes.hpp"
#include "analysis/path/system/table.hpp"

namespace rta::analysis::path {
namespace {

/// Where what the nodes of a class wait for on one GEL pool is kept.
class OnPool {
 public:
  /// `earlier`: its other own jobs, which are before the one in question.
  OnPool(const Class& c, std::size_t local, Tick earlier, std::vector<Tick>& own, std::vector<Tick>& waiting)
      : pools_(c.pools.size()),
        slots_(c.slot_pool.size()),
        earlier_(earlier),
        rest_(&c.rest[local]),
        own_(&own[local]),
        waiting_(&waiting[local]) {}
  /// Of node v, whose path visits the pool, where other DAGs' work is known.
  void set(std::size_t v, Tick others) const {
    const Tick own = rest_[v * pools_] + earlier_;
    own_[v * slots_] = own;
    waiting_[v * slots_] = others + own;
  }

 private:
  std::size_t pools_;
  std::size_t slots_;
  Tick earlier_;
  const Tick* rest_;
  Tick* own_;
  Tick* waiting_;
};

}  // namespace

std::vector<std::int64_t> Nodes::reached_points(std::size_t k, std::size_t local) const {
  std::vector<std::int64_t> points;
  const std::size_t P = ticks_.classes[k].pools.size();
  for (std::size_t at = local; at < reach_[k].size(); at += P) {
    if (reach_[k][at] != not_visited) points.push_back(reach_[k][at]);
  }
  return sorted_without_repeats(std::move(points));
}

/// FIFO and GPU: sum over all DAGs of ceil((F_u + a + J_d)/T_d) vol_u, with the DAG's own share put right.
void Nodes::set_fifo_waiting(std::size_t p) {
  const auto& users = ticks_.users[p];
  std::vector<Table> own(users.size());
  Table all;
  for (std::size_t i = 0; i < users.size(); ++i) {
    own[i].points = reached_points(users[i], ticks_.local_pool[users[i]][p]);
    all.points.insert(all.points.end(), own[i].points.begin(), own[i].points.end());
  }
  all.points = sorted_without_repeats(std::move(all.points));
  all.values.assign(all.points.size(), Tick::zero());
  for (const std::size_t d : users) {
    const Class& c = ticks_.classes[d];
    add_work(c, ticks_.local_pool[d][p], c.copies, F[d], all.points, all.values);
  }
  std::partial_sum(all.values.begin(), all.values.end(), all.values.begin());

  for (std::size_t i = 0; i < users.size(); ++i) {
    const std::size_t k = users[i];
    const Class& c = ticks_.classes[k];
    const std::size_t local = ticks_.local_pool[k][p];
    const std::size_t P = c.pools.size();
    own[i].values.assign(own[i].points.size(), Tick::zero());
    add_work(c, local, 1, F[k], own[i].points, own[i].values);
    std::partial_sum(own[i].values.begin(), own[i].values.end(), own[i].values.begin());
    OtherOwnJobs of_own = other_own_jobs(k, local);
    for (std::size_t v = 0; v < c.size(); ++v) {
      const std::int64_t a = reach_[k][v * P + local];
      if (a == not_visited) continue;
      // d = k: [u is no strict descendant of v], and without release jitter ceil(F_u/T) - 1 + floor(a/T)
      const Tick mine = c.rest[v * P + local] + of_own.at(a);
      Tick& waits = waiting_[k][v * c.slot_pool.size() + local];
      const Tick others = all.at(a) - own[i].at(a);
      if (waits != others + mine) reads_anew_[k] = true;
      waits = others + mine;
      own_[k][v * c.slot_pool.size() + local] = mine;
    }
  }
}

/// The DAG's own jobs but the one in question.
OtherOwnJobs Nodes::other_own_jobs(std::size_t k, std::size_t local) const {
  const Class& c = ticks_.classes[k];
  OtherOwnJobs jobs(c);
  for (std::size_t u = 0; u < c.size(); ++u) {
    if (c.pool_of[u] == local && c.vol[u] > Tick::zero()) jobs.add(F[k][u], c.vol[u]);
  }
  return jobs;
}

/// GEL: ceil((F_u + min(b, Y_k - Y_d) + J_d)/T_d), where more than J_d is left of that, for other DAGs; for the DAG itself, without release
/// jitter, ceil(F_u/T_k) - [u is a strict descendant of v].
void Nodes::set_gel_waiting(std::size_t k, std::size_t local) {
  const Class& c = ticks_.classes[k];
  const std::size_t p = c.pools[local];
  Table others;
  others.points = reached_points(k, local);
  others.values.assign(others.points.size(), Tick::zero());
  for (const OnStairs& other : on_stairs_[p]) {
    const std::int64_t copies = other.copies - (other.k == k ? 1 : 0);
    if (copies > 0) other.stairs->add(copies, others.points, c.Y - other.Y, others.values);
  }
  std::partial_sum(others.values.begin(), others.values.end(), others.values.begin());
  const OnPool on_pool(c, local, other_own_jobs(k, local).at(0), own_[k], waiting_[k]);
  for (std::size_t v = 0; v < c.size(); ++v) {
    const std::int64_t b = reach_[k][v * c.pools.size() + local];
    if (b != not_visited) on_pool.set(v, others.at(b));
  }
}

/// The same for all users of the pool, from F as it is now.
void Nodes::set_preceding(std::size_t p) {
  const auto& users = ticks_.users[p];
  PrecedingWork& work = *preceding_[p];
  for (std::size_t i = 0; i < users.size(); ++i) {
    const std::size_t k = users[i];
    if (moved_[k]) work.set_points(i, std::span(reach_[k]).subspan(ticks_.local_pool[k][p]), ticks_.classes[k].pools.size());
  }
  for (const std::size_t i : work.set_values(F)) {
    const std::size_t k = users[i];
    const std::size_t local = ticks_.local_pool[k][p];
    const OnPool on_pool(ticks_.classes[k], local, other_own_jobs(k, local).at(0), own_[k], waiting_[k]);
    const auto points = work.points_of(i);
    const auto others = work.values_of(i);
    for (std::size_t j = 0; j < points.size(); ++j) on_pool.set(points[j].v, others[j]);
    reads_anew_[k] = true;
  }
}

}  // namespace rta::analysis::path
