#include "analysis/cpu/gel_demand.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace rta::analysis::gel {
namespace {

constexpr std::size_t most_steps = 100'000;  // of all walks of one pool: a few milliseconds
constexpr int U_bits = 32;
constexpr Wide far = Wide{1} << 100;  // no x that fits a Time comes near

// lcm(a, T), or more than any x that is looked at.
Wide lcm_or_far(Wide a, std::int64_t T) {
  const Wide factor = T / std::gcd(T, static_cast<std::int64_t>(a % T));
  return a > far / factor ? far : a * factor;
}

}  // namespace

ExactDemand::ExactDemand(std::span<const Task> tasks, Time shift, const Utilization& U, FineTime V) : V_(V), budget_(most_steps) {
  U_up_ = U.ceil_times(Wide{1} << U_bits);
  first_.reserve(tasks.size());
  for (const Task& task : tasks) {
    if (task.C > Time{}) first_.push_back({Wide{task.Y.count()} - shift.count(), task.T.count(), task.C.count()});
  }
  std::sort(first_.begin(), first_.end(), [](const Step& a, const Step& b) { return std::tie(a.T, a.next) < std::tie(b.T, b.next); });
  std::size_t groups = 0;
  for (const Step& step : first_) {
    if (groups > 0 && first_[groups - 1].T == step.T && first_[groups - 1].next == step.next) {
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

std::optional<FineTime> ExactDemand::operator()(Wide c, FineTime useless) {
  const auto later = [](const Step& a, const Step& b) { return a.next > b.next; };
  const Wide slack = (c << U_bits) - U_up_;  // <= c - U, in units of 2^-32; A(x) - c x <= V - slack x
  Wide best = 0;                             // ns
  const auto beyond = [&](Wide found) {      // the last x at which more than `found` is possible
    return slack <= 0 ? lcm_
                      : std::min(lcm_, floor_div(checked_mul(V_.count() - (found << fine_bits), Wide{1} << (U_bits - fine_bits)), slack));
  };
  Wide horizon = beyond(best);
  heap_ = first_;
  std::make_heap(heap_.begin(), heap_.end(), later);
  Wide A = 0;
  search_ = {true, 0};
  while (!heap_.empty() && heap_.front().next <= horizon) {
    const Wide x = heap_.front().next;
    if (budget_ == 0) {
      search_ = {false, x};
      if (slack <= 0) return V_;
      const FineTime rest = V_ - FineTime(floor_div(checked_mul(slack, x), Wide{1} << (U_bits - fine_bits)));
      return std::min(V_, std::max(FineTime(best << fine_bits), rest));
    }
    while (heap_.front().next == x) {
      std::pop_heap(heap_.begin(), heap_.end(), later);
      A += heap_.back().C;
      heap_.back().next += heap_.back().T;
      std::push_heap(heap_.begin(), heap_.end(), later);
      if (budget_ > 0) --budget_;
    }
    if (const Wide ahead = A - c * x; ahead > best) {
      best = ahead;
      search_.x = x;
      if (FineTime(best << fine_bits) >= useless) return std::nullopt;
      horizon = beyond(best);
    }
  }
  return std::min(V_, FineTime(best << fine_bits));
}

}  // namespace rta::analysis::gel
