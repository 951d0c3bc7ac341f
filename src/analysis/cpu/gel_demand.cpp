#include "analysis/cpu/gel_demand.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace rta::analysis::gel {
namespace {

constexpr std::size_t steps_beyond = 10'000;  // of all walks from points on; more find little more
constexpr std::size_t steps_beyond_per_task = 50;
constexpr int U_bits = 32;
constexpr Wide far = Wide{1} << 100;  // no x that fits a Time comes near

// lcm(a, T), or more than any x that is looked at.
Wide lcm_or_far(Wide a, std::int64_t T) {
  const Wide factor = T / std::gcd(T, static_cast<std::int64_t>(a % T));
  return a > far / factor ? far : a * factor;
}

}  // namespace

ExactDemand::ExactDemand(std::span<const Task> tasks, Time shift, const Utilization& U, FineTime V)
    : V_(V),
      most_beyond_(std::min(most_steps, steps_beyond + steps_beyond_per_task * tasks.size())),
      budget_(most_steps),
      budget_beyond_(most_beyond_) {
  U_up_ = U.ceil_times(Wide{1} << U_bits);
  first_.reserve(tasks.size());
  for (const Task& task : tasks) {
    if (task.C == Time{}) continue;
    first_.push_back({Wide{task.Y.count()} - shift.count(), task.T.count(), task.J.count(), task.C.count()});
    if (task.J > Time{}) repeats_ = std::max(repeats_, first_.back().next);
  }
  const auto key = [](const Step& step) { return std::tie(step.T, step.next, step.sooner); };
  std::ranges::sort(first_, {}, key);
  std::size_t groups = 0;
  for (const Step& step : first_) {
    if (groups > 0 && key(first_[groups - 1]) == key(step)) {
      first_[groups - 1].C += step.C;
    } else {
      first_[groups++] = step;
    }
  }
  first_.resize(groups);

  for (const Step& step : first_) {
    if (lcm_ < far) lcm_ = lcm_or_far(lcm_, static_cast<std::int64_t>(step.T));
  }
}

Wide ExactDemand::slack(Wide c) const { return (c << U_bits) - U_up_; }

std::optional<Wide> ExactDemand::horizon(Wide c, Wide found) const {
  if (slack(c) <= 0) return std::nullopt;
  return floor_div(checked_mul(V_.count() - found * (Wide{1} << fine_bits), Wide{1} << (U_bits - fine_bits)), slack(c));
}

void ExactDemand::start() {
  heap_ = first_;
  std::ranges::make_heap(heap_, std::greater<>(), &Step::next);
}

void ExactDemand::jump(Wide& A, std::size_t& budget) {
  const Wide x = heap_.front().next;
  while (heap_.front().next == x) {
    std::ranges::pop_heap(heap_, std::greater<>(), &Step::next);
    A += heap_.back().C;
    heap_.back().next += heap_.back().T - std::exchange(heap_.back().sooner, 0);
    std::ranges::push_heap(heap_, std::greater<>(), &Step::next);
    if (budget > 0) --budget;
  }
}

std::optional<FineTime> ExactDemand::operator()(Wide c, FineTime useless) {
  Wide best = 0;  // ns
  const Wide repeated = repeats_ + lcm_;
  const auto last = [&] { return std::min(repeated, horizon(c, best).value_or(repeated)); };
  Wide until = last();
  start();
  Wide A = 0;
  search_ = {true, 0};
  while (!heap_.empty() && heap_.front().next <= until) {
    const Wide x = heap_.front().next;
    if (budget_ == 0) {
      spent_ = true;
      search_ = {false, x};
      if (slack(c) <= 0) return V_;
      const FineTime rest = V_ - FineTime(floor_div(checked_mul(slack(c), x), Wide{1} << (U_bits - fine_bits)));
      return std::min(V_, std::max(FineTime(best << fine_bits), rest));
    }
    jump(A, budget_);
    if (const Wide ahead = A - c * x; ahead > best) {
      best = ahead;
      search_.x = x;
      if (FineTime(best << fine_bits) >= useless) return std::nullopt;
      until = last();
    }
  }
  return std::min(V_, FineTime(best << fine_bits));
}

std::optional<std::vector<Wide>> ExactDemand::beyond(Wide c, std::span<const Wide> points) {
  std::vector<Wide> largest(points.size());  // from a point to the next one, and then from it on
  std::size_t passed = 0;
  Wide A = 0;
  const auto pass = [&](Wide x) {
    for (; passed < points.size() && points[passed] <= x; ++passed) largest[passed] = A - c * points[passed];
  };
  start();
  search_ = {true, points.back()};
  for (;;) {
    const Wide x = heap_.front().next;
    pass(x - 1);
    if (passed == points.size()) {
      // From there on A(x + lcm) - c (x + lcm) is no more than A(x) - c x.
      const Wide repeated = std::max(points.back(), repeats_) + lcm_;
      if (x > std::min(repeated, horizon(c, largest.back()).value_or(repeated))) break;
    }
    spent_beyond_ = budget_beyond_ == 0;
    if (spent_beyond_) return std::nullopt;
    jump(A, budget_beyond_);
    pass(x);
    if (passed == 0) continue;
    if (passed == points.size() && A - c * x > largest.back()) search_.x = x;
    largest[passed - 1] = std::max(largest[passed - 1], A - c * x);
  }
  for (std::size_t i = points.size() - 1; i > 0; --i) largest[i - 1] = std::max(largest[i - 1], largest[i]);
  return largest;
}

}  // namespace rta::analysis::gel
