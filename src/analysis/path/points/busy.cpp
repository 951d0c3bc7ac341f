// T10c by how long the pool was busy: whole jobs, and the time for which they and what the pool works off leave most.
#include <algorithm>
#include <limits>
#include <numeric>

#include "analysis/path/points/backlog.hpp"

namespace rta::analysis::path {
namespace {

/// From a busy time on, and from each a period later, one job more counts.
struct Rise {
  std::int64_t at = 0;  // ns
  std::int64_t T = 0;
  std::int64_t work = 0;  // ticks
};

constexpr auto later = [](const Rise& a, const Rise& b) { return a.at > b.at; };

}  // namespace

/// While U <= c what counts by H more, a common multiple of all periods, is worked off in H. Else so many rises are looked at.
void BacklogPool::set_longest() {
  constexpr std::int64_t most_rises = 1024;
  std::int64_t longest_T = 1;
  for (const Part& part : parts_) longest_T = std::max(longest_T, ticks_.classes[users_[part.user].c].T);
  Wide rises = 1;  // in the longest period
  for (const Part& part : parts_) rises += longest_T / ticks_.classes[users_[part.user].c].T + 1;
  constexpr Wide farthest = std::numeric_limits<std::int64_t>::max() / 4;  // so that sums with ends stay in 64 bits
  const Wide reached = std::min(farthest, std::max<Wide>(longest_T, Wide{longest_T} * most_rises / rises));
  Wide H = 1;
  for (const Part& part : parts_) {
    const Wide T = ticks_.classes[users_[part.user].c].T;
    H = H / std::gcd(static_cast<std::int64_t>(H), static_cast<std::int64_t>(T)) * T;
    if (H > reached) break;
  }
  repeats_ = H <= reached;
  longest_ = static_cast<std::int64_t>(std::min(H, reached));
}

Wide BacklogPool::at_least(std::size_t k) const {
  Wide sum = carry_;
  for (const Part& part : parts_) {
    const User& user = users_[part.user];
    sum += Wide{jobs_in(part.F + lead(k, user) + 1, ticks_.classes[user.c].T)} * part.work.count();
  }
  return sum;
}

BacklogPool::Busy BacklogPool::busiest(std::size_t k) const {
  constexpr std::size_t between_looks = 64;  // rises, until it is asked whether all further ones are no more
  std::vector<Rise> rises;
  rises.reserve(parts_.size());
  Wide sum = carry_;
  for (const Part& part : parts_) {
    const User& user = users_[part.user];
    const std::int64_t T = ticks_.classes[user.c].T;
    const std::int64_t length = part.F + lead(k, user);
    const std::int64_t jobs = jobs_in(length + 1, T);
    sum += Wide{jobs} * part.work.count();
    const std::int64_t at = length < 0 ? -length : jobs * T - length;
    if (at < longest_) rises.push_back({at, T, part.work.count()});
  }
  std::ranges::make_heap(rises, later);
  const Wide rate = ceil_U_ * ticks_.Q;
  Wide most = sum * capacity_;  // ticks, times the capacity
  Busy busy;
  bool none_beyond = repeats_;
  for (std::size_t count = 1; !rises.empty(); ++count) {
    std::ranges::pop_heap(rises, later);
    Rise& rise = rises.back();
    const std::int64_t at = rise.at;
    sum += rise.work;
    rise.at += rise.T;
    if (rise.at < longest_) {
      std::ranges::push_heap(rises, later);
    } else {
      rises.pop_back();
    }
    if (const Wide left = sum * capacity_ - rate * at; left > most) {
      most = left;
      busy.length = at;
    }
    if (count % between_looks == 0 && in_fractions(k, at) <= ceil_div(most, capacity_)) {
      none_beyond = true;
      break;
    }
  }
  busy.total = ceil_div(most, capacity_);
  if (none_beyond) return busy;
  const Wide beyond = in_fractions(k, longest_);
  return beyond > busy.total ? Busy{longest_, true, beyond} : busy;
}

}  // namespace rta::analysis::path
