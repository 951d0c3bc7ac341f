// T10c by how long the pool was busy: whole jobs, and the time for which they and what the pool works off leave most.
#include <algorithm>
#include <limits>
#include <numeric>

#include "analysis/path/points/backlog.hpp"

namespace rta::analysis::path {
namespace {

constexpr int slope_bits = 24;

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
  set_slopes(longest_T);
}

void BacklogPool::set_slopes(std::int64_t longest_T) {
  constexpr std::int64_t often = 4;         // in the longest period
  constexpr Wide steepest = Wide{1} << 62;  // so that products with times stay in 128 bits
  Wide all = 0, frequent = 0;
  for (Part& part : parts_) {
    const std::int64_t T = ticks_.classes[users_[part.user].c].T;
    part.slope = (Wide{part.work.count()} << slope_bits) / T;
    part.frequent = T <= longest_T / often;
    all += part.slope + 1;
    frequent += part.frequent ? part.slope + 1 : 0;
  }
  if (all > steepest) {
    for (Part& part : parts_) part.frequent = false;
    return;
  }
  slope_ = all;
  frequent_slope_ = frequent;
  falls_ = all * capacity_ <= (ceil_U_ * ticks_.Q) << slope_bits;
}

Wide BacklogPool::at_least(std::size_t k) const {
  Wide sum = carry_;
  for (const Part& part : parts_) {
    const User& user = users_[part.user];
    sum += Wide{jobs_in(part.F + lead(k, user) + 1, ticks_.classes[user.c].T)} * part.work.count();
  }
  return sum;
}

/// Rises of parts with short periods are most of all, and seldom decide. Between two others, what the pool has left is at most what their
/// lines say, which need no step for each.
class BacklogPool::Rises {
 public:
  Rises(const BacklogPool& pool, std::size_t k) : pool_(pool), rate_(pool.ceil_U_ * pool.ticks_.Q), sum_(pool.carry_) {
    rare_.reserve(pool.parts_.size());
    for (const Part& part : pool.parts_) {
      const User& user = pool.users_[part.user];
      const std::int64_t T = pool.ticks_.classes[user.c].T;
      const std::int64_t length = part.F + pool.lead(k, user);
      const std::int64_t jobs = jobs_in(length + 1, T);
      sum_ += Wide{jobs} * part.work.count();
      const std::int64_t at = length < 0 ? -length : jobs * T - length;
      const Wide base = (Wide{part.work.count()} << slope_bits) - Wide{std::min(at, T)} * part.slope;
      all_.base += base;
      if (part.frequent) frequent_line_.base += base;
      if (at < pool.longest_) (part.frequent ? frequent_ : rare_).push_back({at, T, part.work.count()});
    }
    all_.slope = pool.slope_;
    frequent_line_.slope = pool.frequent_slope_;
    std::ranges::make_heap(rare_, later);
    at_first_ = sum_;
    most_ = sum_ * pool.capacity_;
  }

  /// Looks at all rises below the longest busy time, or at fewer where no other can be more: then true.
  bool look(std::size_t k) {
    // First at those of rare parts alone, so that most is known between them where it matters.
    const bool none_beyond = look_at_rare(k);
    for (const Span& span : spans_) {
      if (span.highest > most_ && look_between(span, k)) return true;
    }
    return none_beyond;
  }

  [[nodiscard]] Wide total() const { return ceil_div(most_, pool_.capacity_); }
  [[nodiscard]] std::int64_t length() const { return length_; }

 private:
  /// From a busy time on, and from each a period later, one job more counts.
  struct Rise {
    std::int64_t at = 0;  // ns
    std::int64_t T = 0;
    std::int64_t work = 0;  // ticks
  };
  static constexpr auto later = [](const Rise& a, const Rise& b) { return a.at > b.at; };
  /// From a rise of a rare part, or 0, until the next.
  struct Span {
    std::int64_t from = 0;
    std::int64_t to = 0;
    Wide sum = 0;      // without frequent parts' rises
    Wide highest = 0;  // as most_: no more is left within it
  };

  /// Jobs that begin to count by t are work for at most (base + slope t) / 2^slope_bits.
  struct Line {
    Wide base = 0;
    Wide slope = 0;
    [[nodiscard]] Wide at(std::int64_t t) const { return ((base + slope * t) >> slope_bits) + 1; }
  };

  [[nodiscard]] Wide left_at(Wide sum, std::int64_t at) const { return sum * pool_.capacity_ - rate_ * at; }

  void take(Wide sum, std::int64_t at) {
    const Wide left = left_at(sum, at);
    if (left <= most_) return;
    most_ = left;
    length_ = at;
  }

  void step(std::vector<Rise>& heap, Wide& sum) {
    std::ranges::pop_heap(heap, later);
    Rise& rise = heap.back();
    sum += rise.work;
    rise.at += rise.T;
    if (rise.at < pool_.longest_) {
      std::ranges::push_heap(heap, later);
    } else {
      heap.pop_back();
    }
  }

  /// Between rises of rare parts, whose work is `sum` there.
  [[nodiscard]] Wide highest_from(std::int64_t from, std::int64_t to, Wide sum) const {
    return std::max(left_at(sum + frequent_line_.at(from), from), left_at(sum + frequent_line_.at(to), to));
  }

  bool look_at_rare(std::size_t k) {
    constexpr std::size_t between_looks = 16;
    for (std::int64_t from = 0; from < pool_.longest_;) {
      if (pool_.falls_ && left_at(at_first_ + all_.at(from), from) <= most_) return true;
      if (spans_.size() % between_looks == between_looks - 1 && pool_.in_fractions(k, from) <= total()) return true;
      const std::int64_t to = rare_.empty() ? pool_.longest_ : rare_.front().at;
      const Wide highest = highest_from(from, to, sum_);
      if (highest > most_) take(sum_ + frequent_before(from + 1), from);
      spans_.push_back({from, to, sum_, highest});
      for (from = to; !rare_.empty() && rare_.front().at == to;) step(rare_, sum_);
    }
    return false;
  }

  [[nodiscard]] Wide frequent_before(std::int64_t instant) const {
    Wide sum = 0;
    for (const Rise& rise : frequent_) sum += rise.at < instant ? Wide{(instant - 1 - rise.at) / rise.T + 1} * rise.work : 0;
    return sum;
  }

  /// True where no busy time from one within the span on can be more.
  bool look_between(const Span& span, std::size_t k) {
    constexpr std::size_t between_looks = 64;
    Wide sum = span.sum + frequent_before(span.from);
    near_.clear();
    for (Rise rise : frequent_) {
      if (rise.at < span.from) rise.at += ((span.from - 1 - rise.at) / rise.T + 1) * rise.T;
      if (rise.at < span.to) near_.push_back(rise);
    }
    std::ranges::make_heap(near_, later);
    for (std::size_t count = 1; !near_.empty() && near_.front().at < span.to; ++count) {
      const std::int64_t at = near_.front().at;
      step(near_, sum);
      take(sum, at);
      if (count % between_looks != 0) continue;
      if (pool_.in_fractions(k, at) <= total()) return true;
      if (highest_from(at, span.to, span.sum) <= most_) return false;
    }
    return false;
  }

  const BacklogPool& pool_;
  Wide rate_;
  Wide sum_;  // of all parts at 0, and the rises of the rare ones since
  Wide at_first_ = 0;
  Line all_, frequent_line_;
  std::vector<Rise> rare_, frequent_, near_;
  std::vector<Span> spans_;
  Wide most_ = 0;  // ticks, times the capacity
  std::int64_t length_ = 0;
};

BacklogPool::Busy BacklogPool::busiest(std::size_t k) const {
  Rises rises(*this, k);
  const bool none_beyond = rises.look(k) || repeats_;
  const Busy busy{rises.length(), false, rises.total()};
  if (none_beyond) return busy;
  const Wide beyond = in_fractions(k, longest_);
  return beyond > busy.total ? Busy{longest_, true, beyond} : busy;
}

}  // namespace rta::analysis::path
