#include "analysis/path/path_backlog.hpp"

#include <algorithm>

#include "analysis/path/quick_division.hpp"
#include "rta/model/error.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::path {

BacklogPool::BacklogPool(const Ticks& ticks, std::size_t pool) : ticks_(ticks), pool_(pool) {
  Utilization U;
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    const Dag& dag = ticks.system->dags[c.dags.front()];
    const std::size_t local = ticks.local_pool[k][pool];
    require(c.rest.size() == c.size() * c.pools.size(), "descendants are known");
    users_.push_back({k, c.pools.size() == 1, c.total[local], {}});
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] != local || c.vol[u] == Tick::zero()) continue;
      U.add(checked_mul<Wide>(dag.nodes[u].vol, c.copies), c.T);
      // Strict descendants are what `rest` leaves out.
      if (users_.back().whole) chains_.push_back({k, u, c.vol[u] + c.total[local] - c.rest[u * c.pools.size() + local]});
    }
  }
  std::ranges::stable_sort(chains_, std::ranges::greater(), &Chain::work);
  ceil_U_ = U.ceil();
}

void BacklogPool::set(const std::vector<std::vector<std::int64_t>>& F) {
  std::vector<Aged> ends;  // of a node's work, by the age modulo T at which its last unfinished job must have ended
  for (User& user : users_) {
    const Class& c = ticks_.classes[user.c];
    const std::size_t local = ticks_.local_pool[user.c][pool_];
    Wide left = 0;
    ends.clear();
    for (std::size_t u = 0; u < c.size(); ++u) {
      const std::int64_t end = F[user.c][u];
      if (c.pool_of[u] != local || c.vol[u] == Tick::zero() || end <= 0) continue;
      left += Wide{jobs_in(end, c.T)} * c.vol[u].count();
      ends.push_back({(end - 1) % c.T + 1, c.vol[u].count()});
    }
    std::ranges::sort(ends, {}, &Aged::age);
    user.aged.clear();
    for (const Aged& end : ends) {
      if (user.aged.empty() || user.aged.back().age != end.age) user.aged.push_back({end.age, left});
      left -= end.left;
    }
    if (user.aged.empty() || user.aged.back().age != c.T) user.aged.push_back({c.T, left});
  }
  carry_ = 0;
  Wide free = ceil_U_ - 1;
  for (const Chain& chain : chains_) {
    if (free <= 0) break;
    const Class& c = ticks_.classes[chain.c];
    const Wide count = std::min(free, Wide{jobs_in(F[chain.c][chain.a], c.T)} * c.copies);
    carry_ += count * chain.work.count();
    free -= count;
  }
}

Tick BacklogPool::rounding(std::size_t k) const {
  const Class& c = ticks_.classes[k];
  Tick sum;
  for (std::size_t u = 0; u < c.size(); ++u) sum += c.pools[c.pool_of[u]] == pool_ ? c.s_up[u] - c.s[u] : Tick::zero();
  return sum;
}

/// What is released in so long, beyond what the pool works off; ticks.
Wide BacklogPool::since(const User& user, Wide length) const {
  const std::int64_t T = ticks_.classes[user.c].T;
  if (length <= 0) return 0;
  if (const auto narrow = static_cast<std::int64_t>(length); narrow == length) {
    std::int64_t work = 0;
    if (!__builtin_mul_overflow(narrow, user.total.count(), &work)) return work / T + static_cast<std::int64_t>(work % T != 0);
  }
  return quick_ceil_div(checked_mul<Wide>(length, user.total.count()), T);
}

BacklogPool::Left BacklogPool::of_copies(const User& user, Left left) const {
  const std::int64_t copies = ticks_.classes[user.c].copies;
  return {left.before * copies, left.since * copies};
}

/// G_d: the next job is released no sooner than T after the latest that was there, however old that was.
BacklogPool::Left BacklogPool::of_itself(const User& user, Wide delta) const {
  Left most;
  for (const Aged& aged : user.aged) {
    const Left left{aged.left, since(user, delta + aged.age)};
    if (left.sum() > most.sum()) most = left;
  }
  return most;
}

BacklogPool::Left BacklogPool::of_whole(const User& user, Wide delta) const { return {0, since(user, delta + ticks_.classes[user.c].T)}; }

BacklogPool::Sums BacklogPool::sums(std::size_t k) const {
  Sums sums{0, carry_};
  for (const User& user : users_) {
    const Wide delta = Wide{ticks_.classes[k].Y} - ticks_.classes[user.c].Y;
    const Wide own = of_copies(user, of_itself(user, delta)).sum();
    sums.alone = checked_add(sums.alone, own);
    sums.together = checked_add(sums.together, user.whole ? of_copies(user, of_whole(user, delta)).sum() : own);
  }
  return sums;
}

BacklogPool::Work BacklogPool::work(std::size_t k) const {
  const Sums sums = this->sums(k);
  const bool together = sums.together < sums.alone;
  Work work{.of_class = {}, .carry = together ? carry_ : 0, .total = sums.least()};
  work.of_class.reserve(users_.size());
  for (const User& user : users_) {
    const Wide delta = Wide{ticks_.classes[k].Y} - ticks_.classes[user.c].Y;
    work.of_class.push_back(of_copies(user, together && user.whole ? of_whole(user, delta) : of_itself(user, delta)));
  }
  return work;
}

}  // namespace rta::analysis::path
