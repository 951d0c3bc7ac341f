#include "analysis/path/priority/work_above.hpp"

#include <algorithm>
#include <utility>

namespace rta::analysis::path {
namespace {

constexpr std::size_t most_steps_above = 65'536;
constexpr std::size_t few = 24;  // staircases of which the next to rise is looked for among all
constexpr std::int64_t far = 8;  // periods, which are not worth all their steps

}  // namespace

WorkAbove::WorkAbove(std::vector<Dag> dags, Later later, std::int64_t Q) : dags_(std::move(dags)), later_(later), Q_(Q) {
  if (later_.work > Tick::zero()) shortest_ = later_.T;
  for (const Dag& dag : dags_) {
    shortest_ = std::min(shortest_, dag.stairs->T());
    line_at_0_ += dag.copies * dag.stairs->line_at_0();
    line_rate_ += dag.copies * dag.stairs->line_rate();
  }
}

Tick WorkAbove::at(std::int64_t x) const {
  Tick work = x < later_.T ? Tick::zero() : x / later_.T * later_.work;
  for (const Dag& dag : dags_) work += dag.copies * dag.stairs->at(x);
  return work;
}

/// Jobs of a node within x are at least (F + x)/T, and floor(x/T) is more than x/T - 1.
std::int64_t WorkAbove::least_by_line(Tick c, std::int64_t from) const {
  const auto solution = [&](Wide at_0, Wide line_rate) {
    const Wide rate = (Wide{Q_} << Staircase::line_bits) - line_rate;
    if (rate <= 0 || at_0 > rate * (no_bound >> Staircase::line_bits)) return no_bound;
    return static_cast<std::int64_t>((at_0 << Staircase::line_bits) / rate);
  };
  const Wide at_0 = c.count() + line_at_0_;
  if (from < later_.T || later_.work == Tick::zero()) return solution(at_0, line_rate_);
  const Wide later_rate = (Wide{later_.work.count()} << Staircase::line_bits) / later_.T;
  return std::max(solution(at_0 + (from / later_.T * later_.work).count(), line_rate_),
                  solution(at_0 - later_.work.count(), line_rate_ + later_rate));
}

void WorkAbove::begin(std::int64_t from) {
  begin_ = until_ = from;
  work_ = at(from);
  last_.clear();
  spare_.clear();
  most_spare_.clear();
  next_.clear();
  next_last_.clear();
  for (const Dag& dag : dags_) {
    next_.emplace_back(*dag.stairs, from);
    next_last_.push_back(next_.back().last());
  }
  const std::int64_t beyond = from + 1;
  next_last_.push_back(later_.work == Tick::zero() ? no_bound
                                                   : (beyond / later_.T + static_cast<std::int64_t>(beyond % later_.T > 0)) * later_.T - 1);
}

/// By the shortest period. False where there are too many steps.
bool WorkAbove::extend() {
  if (last_.size() >= most_steps_above) return false;
  const std::int64_t to = until_ + shortest_;
  if (next_last_.size() > few) {
    find_rises(to);
  } else {
    for (;;) {
      const auto least = std::ranges::min_element(next_last_);
      if (*least >= to) break;
      const auto d = static_cast<std::size_t>(least - next_last_.begin());
      if (d == next_.size()) {
        rise_at(*least, later_.work);
        *least += later_.T;
        continue;
      }
      rise_at(*least, dags_[d].copies * next_[d].work());
      next_[d].next();
      *least = next_[d].last();
    }
  }
  until_ = to;
  return true;
}

/// Of many staircases: all before `to`, in order.
void WorkAbove::find_rises(std::int64_t to) {
  rises_.clear();
  for (std::size_t d = 0; d < next_.size(); ++d) {
    for (; next_[d].last() < to; next_[d].next()) rises_.push_back({next_[d].last(), dags_[d].copies * next_[d].work()});
  }
  for (std::int64_t& last = next_last_.back(); last < to; last += later_.T) rises_.push_back({last, later_.work});
  std::ranges::sort(rises_, {}, &Rise::last);
  for (const Rise& rise : rises_) rise_at(rise.last, rise.work);
}

void WorkAbove::rise_at(std::int64_t last, Tick work) {
  if (last_.empty() || last_.back() != last) {
    last_.push_back(last);
    add_spare(Q_ * last - work_.count());
  }
  work_ += work;
}

void WorkAbove::add_spare(std::int64_t spare) {
  if (spare_.size() % together == 0) most_spare_.push_back(spare);
  most_spare_.back() = std::max(most_spare_.back(), spare);
  spare_.push_back(spare);
}

/// The first step from i on with so much to spare; their number where there is none.
std::size_t WorkAbove::first_with(std::int64_t spare, std::size_t i) const {
  while (i < spare_.size()) {
    if (i % together == 0 && most_spare_[i / together] < spare) {
      i += together;
      continue;
    }
    if (spare_[i] >= spare) return i;
    ++i;
  }
  return spare_.size();
}

std::int64_t WorkAbove::least(Tick c, std::int64_t from, std::int64_t most) {
  if (shortest_ == no_bound) return ns_up(c.count());  // nothing ever rises
  if (from < begin_ || (from - until_) / far > shortest_) begin(from);
  while (until_ < from) {
    if (!extend()) return 0;
  }
  for (auto i = static_cast<std::size_t>(std::ranges::lower_bound(last_, from) - last_.begin());;) {
    i = first_with(c.count(), i);
    if (i < spare_.size()) return ns_up(c.count() + Q_ * last_[i] - spare_[i]);
    const bool more = until_ <= most && extend();
    if (!more) return ns_up((c + work_).count());  // as much at least, and just that up to `until_`
  }
}

}  // namespace rta::analysis::path
