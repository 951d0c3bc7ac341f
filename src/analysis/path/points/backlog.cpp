#include "analysis/path/points/backlog.hpp"

#include <algorithm>

#include "analysis/path/system/quick_division.hpp"
#include "rta/model/error.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::path {

bool BacklogPool::applies(const Ticks& ticks, std::size_t pool) {
  return std::ranges::any_of(ticks.users[pool], [&](std::size_t k) { return ticks.classes[k].pools.size() == 1; });
}

BacklogPool::BacklogPool(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks),
      pool_(pool),
      capacity_(checked_mul<Wide>(ticks.system->pools[pool].capacity, ticks.system->pools[pool].unit)),
      last_(ticks.classes.size()) {
  Utilization U;
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    const Dag& dag = ticks.system->dags[c.dags.front()];
    const std::size_t local = ticks.local_pool[k][pool];
    require(c.rest.size() == c.size() * c.pools.size(), "descendants are known");
    const std::size_t user = users_.size();
    const bool whole = c.pools.size() == 1;
    users_.push_back({k, whole, c.total[local], 0, {}});
    if (whole && c.total[local] > Tick::zero()) parts_.push_back({user, 0, 0, c.copies * c.total[local]});
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] != local || c.vol[u] == Tick::zero()) continue;
      U.add(checked_mul<Wide>(dag.nodes[u].vol, c.copies), c.T);
      // Strict descendants are what `rest` leaves out.
      if (whole) chains_.push_back({k, u, c.vol[u] + c.total[local] - c.rest[u * c.pools.size() + local]});
      if (!whole) parts_.push_back({user, u, 0, c.copies * c.vol[u]});
    }
  }
  std::ranges::stable_sort(chains_, std::ranges::greater(), &Chain::work);
  ceil_U_ = U.ceil();
  set_longest();
}

void BacklogPool::set(const std::vector<std::vector<std::int64_t>>& F) {
  for (User& user : users_) {
    const Class& c = ticks_.classes[user.c];
    const std::size_t local = ticks_.local_pool[user.c][pool_];
    user.last = 0;
    for (std::size_t u = 0; u < c.size(); ++u) user.last = c.pool_of[u] == local ? std::max(user.last, F[user.c][u]) : user.last;
    last_[user.c] = user.last;
    if (!user.whole) set_aged(user, F);
  }
  for (Part& part : parts_) {
    if (const User& user = users_[part.user]; !user.whole) part.F = F[user.c][part.node];
  }
  set_carry(F);
}

void BacklogPool::set_aged(User& user, const std::vector<std::vector<std::int64_t>>& F) {
  const Class& c = ticks_.classes[user.c];
  const std::size_t local = ticks_.local_pool[user.c][pool_];
  std::vector<Aged> ends;  // of a node's work, by the age modulo T at which its last unfinished job must have ended
  Wide left = 0;
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

void BacklogPool::set_carry(const std::vector<std::vector<std::int64_t>>& F) {
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

/// lim_d: until then after the job's release what is released may precede it.
std::int64_t BacklogPool::lead(std::size_t k, const User& user) const {
  return std::min(last_[k], ticks_.classes[k].Y - ticks_.classes[user.c].Y);
}

/// Rounded down.
Wide BacklogPool::worked_off(std::int64_t length) const { return floor_div(checked_mul(ceil_U_ * ticks_.Q, Wide{length}), capacity_); }

/// What is released in so long, in fractions of jobs; ticks.
Wide BacklogPool::since(const User& user, Wide length) const {
  const std::int64_t T = ticks_.classes[user.c].T;
  if (length <= 0) return 0;
  if (const auto narrow = static_cast<std::int64_t>(length); narrow == length) {
    std::int64_t work = 0;
    if (!__builtin_mul_overflow(narrow, user.total.count(), &work)) return work / T + static_cast<std::int64_t>(work % T != 0);
  }
  return quick_ceil_div(checked_mul<Wide>(length, user.total.count()), T);
}

/// Of all copies, for releases in so long a time. The next job is released no sooner than T after the latest that was there before,
/// however old that was.
BacklogPool::Left BacklogPool::in_fractions(const User& user, std::int64_t length) const {
  const Class& c = ticks_.classes[user.c];
  Left most;
  if (user.whole) most.since = since(user, Wide{length} + c.T);
  for (const Aged& aged : user.aged) {
    const Left left{aged.left, since(user, Wide{length} + aged.age)};
    if (left.sum() > most.sum()) most = left;
  }
  return {most.before * c.copies, most.since * c.copies};
}

/// W, the pool having been busy for so long or longer; ticks.
Wide BacklogPool::in_fractions(std::size_t k, std::int64_t length) const {
  Wide sum = carry_ - worked_off(length);
  for (const User& user : users_) sum = checked_add(sum, in_fractions(user, length + lead(k, user)).sum());
  return sum;
}

BacklogPool::Work BacklogPool::work(std::size_t k) const {
  const Busy busy = busiest(k);
  Work work{.of_class = std::vector<Left>(users_.size()), .carry = carry_, .busy = busy.length, .longer = busy.longer, .total = busy.total};
  work.processors = ceil_U_;
  work.worked_off = worked_off(busy.length);
  for (std::size_t i = 0; i < users_.size() && busy.longer; ++i) {
    work.of_class[i] = in_fractions(users_[i], busy.length + lead(k, users_[i]));
  }
  for (const Part& part : parts_) {
    if (busy.longer) break;
    const User& user = users_[part.user];
    const std::int64_t T = ticks_.classes[user.c].T;
    const std::int64_t length = busy.length + lead(k, user);
    const Wide since = jobs_in(length + 1, T);
    Left& left = work.of_class[part.user];
    left.since += since * part.work.count();
    left.before += (jobs_in(length + part.F + 1, T) - since) * part.work.count();
  }
  return work;
}

}  // namespace rta::analysis::path
