#include "rta/analysis/cpu/gel_sequential.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "analysis/cpu/priority_order.hpp"
#include "analysis/cpu/sequential_share.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::gel_sequential {
namespace {

// ceil(U) - 1, or why there is no bound.
Result<std::size_t> carriers(std::span<const Task> tasks, std::uint32_t processors) {
  require(processors > 0, "T3 and T4 need at least one processor");
  const Utilization U = gel::utilization(tasks);
  const auto at = std::find_if(tasks.begin(), tasks.end(), [](const Task& task) { return task.C > task.T; });
  if (at != tasks.end()) return reason::AboveOne{static_cast<std::size_t>(at - tasks.begin()), at->C, at->T};
  if (U.compare(processors) > 0) return reason::Overload{PoolKind::cpu, U, processors};
  return static_cast<std::size_t>(std::max<Wide>(0, U.ceil() - 1));
}

// Only to steer by. The quotient is exact, and takes a fraction of what std::ldexp does.
double in_ns(FineTime time) {
  constexpr auto one = static_cast<double>(Wide{1} << fine_bits);
  return static_cast<double>(time.count()) / one;
}

// C_i, u_i and C_i - S_i for the search of s, which floating point only steers.
struct Estimate {
  double C;
  double u;
  double offset;
  double value;  // x_i(s) u_i + C_i - S_i
  double slope;  // of value, to the right of s
};

// A sum of doubles with the error of each addition (Knuth's TwoSum), rounded once, so that its order, which comes of that of the tasks,
// does not show: a bound at a whole ns might be rounded up to the next one for another order.
class RoundedOnce {
 public:
  explicit RoundedOnce(double first) : sum_(first) {}
  void add(double term) {
    const double sum = sum_ + term;
    const double added = sum - sum_;
    error_ += (sum_ - (sum - added)) + (term - added);
    sum_ = sum;
  }
  [[nodiscard]] double value() const { return sum_ + error_; }

 private:
  double sum_;
  double error_ = 0;
};

// About the root of f(s) = G(s) + S - s. f is convex and falls everywhere, so Newton's tangents from a point left of the root stay left of
// it, and each is one of finitely many: s rises until no tangent takes it further.
double estimate_root(std::vector<Estimate>& estimates, std::size_t count, double S, double m) {
  const auto last = estimates.begin() + static_cast<std::ptrdiff_t>(count);
  for (double s = 0;;) {
    for (Estimate& e : estimates) {
      const bool late = s >= e.C;
      e.value = e.offset + (late ? (s - e.C) * e.u / m : 0);
      e.slope = late ? e.u / m : 0;
    }
    std::nth_element(estimates.begin(), last, estimates.end(),
                     [](const Estimate& a, const Estimate& b) { return a.value > b.value || (a.value == b.value && a.slope > b.slope); });
    RoundedOnce f(S - s);
    RoundedOnce slope(-1);
    for (auto e = estimates.begin(); e != last; ++e) {
      f.add(e->value);
      slope.add(e->slope);
    }
    const double next = s - f.value() / slope.value();
    if (!(next > s)) return s;
    s = next;
  }
}

}  // namespace

FineTime share(FineTime late, const Task& task, Wide m, bool up) {
  const auto divide = [up](Wide n, Wide d) { return up ? ceil_div(n, d) : floor_div(n, d); };
  const Wide C = task.C.count();
  const Wide mT = checked_mul(m, Wide{task.T.count()});
  Wide product = 0;
  if (!__builtin_mul_overflow(late.count(), C, &product)) return FineTime(divide(product, mT));
  const Wide whole = late.count() / mT;
  return FineTime(checked_add(checked_mul(whole, C), divide(checked_mul(late.count() - whole * mT, C), mT)));
}

std::vector<Time> bounds_by(std::span<const Task> tasks, FineTime s, std::uint32_t processors) {
  const Time shift = gel::least_Y(tasks);
  const auto m = static_cast<std::int64_t>(processors) << fine_bits;
  std::vector<Time> R;
  R.reserve(tasks.size());
  for (const Task& task : tasks) {
    const Wide late = (s - fine(task.C)).count();
    const Wide x = late > 0 ? gel::ceil_div_narrow(late, m) : 0;
    R.push_back(to_time(Wide{task.Y.count()} - shift.count() + task.C.count() + x));
  }
  return R;
}

namespace {

// s = G(s) + S, rounded up. Why one exact evaluation is enough: every slope of f is at most -(m - count)/m < 0, so from any s the point
// s + max(0, f(s)) m/(m - count) is at or right of the root, and T3 holds for every such point. f is evaluated rounded up.
FineTime solve(std::span<const Task> tasks, std::size_t count, std::uint32_t processors) {
  const Time shift = gel::least_Y(tasks);
  const Wide m = processors;
  FineTime S;
  std::vector<FineTime> carried(tasks.size());
  std::vector<Estimate> estimates(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    carried[i] = gel::carried_demand(tasks[i], shift);
    S += carried[i];
    const auto C = static_cast<double>(tasks[i].C.count());
    const double S_i = in_ns(carried[i]);
    estimates[i] = {C, C / static_cast<double>(tasks[i].T.count()), C - S_i, 0, 0};
  }
  const double root = estimate_root(estimates, count, in_ns(S), static_cast<double>(m));
  constexpr double largest = 0x1p90;  // in units of 2^-16 ns; past it no bound fits in a Time
  const double steered = std::floor(std::ldexp(root, fine_bits));
  FineTime s(static_cast<Wide>(steered < largest ? std::max(steered, 0.0) : largest));

  // x_i(s) u_i + C_i - S_i. With S_i rounded up the difference may be too low, but S makes up for it: for every choice of tasks, the sum of
  // their terms and of S is that of x_i u_i + C_i over them and of S_i over the others, all rounded up.
  std::vector<FineTime>& terms = carried;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const FineTime C = fine(tasks[i].C);
    FineTime x_u;
    if (s > C) x_u = share(s - C, tasks[i], m);
    terms[i] = x_u + C - terms[i];
  }
  std::nth_element(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(count), terms.end(), std::greater<>());
  FineTime f = S - s;
  for (std::size_t j = 0; j < count; ++j) f += terms[j];
  if (f > FineTime{}) s += FineTime(ceil_div(checked_mul(f.count(), m), m - static_cast<Wide>(count)));
  return s;
}

// Sum of the `count` largest. Reorders.
template <class T>
Wide sum_of_largest(std::vector<T>& values, std::size_t count) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), values.end(), std::greater<>());
  Wide sum = 0;
  for (std::size_t j = 0; j < count; ++j) sum += static_cast<Wide>(values[j]);
  return sum;
}

DeviAndersonTerms devi_anderson(std::span<const Task> tasks, std::size_t count) {
  DeviAndersonTerms terms;
  std::vector<std::uint64_t> values(tasks.size());
  std::transform(tasks.begin(), tasks.end(), values.begin(), [](const Task& task) { return static_cast<std::uint64_t>(task.C.count()); });
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  terms.C_min = Time(static_cast<std::int64_t>(*least));
  const int width = static_cast<int>(std::bit_width(*most));
  terms.E = sum_of_largest(values, count);

  if (count < 2) return terms;
  constexpr int fine_enough = 32;
  if (63 - width >= fine_enough) {  // 64-bit divisions are several times faster than 128-bit ones
    terms.bits = std::min(63 - width, 40);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto C = static_cast<std::uint64_t>(tasks[i].C.count());
      const auto T = static_cast<std::uint64_t>(tasks[i].T.count());
      const std::uint64_t quotient = (C << terms.bits) / T;
      values[i] = quotient + static_cast<std::uint64_t>(quotient * T != C << terms.bits);
    }
  } else {
    terms.bits = 40;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      values[i] = static_cast<std::uint64_t>(ceil_div(Wide{tasks[i].C.count()} << terms.bits, tasks[i].T.count()));
    }
  }
  terms.M = sum_of_largest(values, count - 1);
  return terms;
}

}  // namespace

FineTime DeviAndersonTerms::x(std::uint32_t processors) const {
  const Wide over = E - C_min.count();
  if (over <= 0) return FineTime{};
  return fine_ceil(checked_mul(over, Wide{1} << bits), (Wide{processors} << bits) - M);
}

Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors) {
  const auto count = carriers(tasks, processors);
  if (!count) return count.reason();
  Bounds bounds;
  if (tasks.empty()) return bounds;
  bounds.carriers = *count;
  bounds.s = solve(tasks, *count, processors);
  bounds.R = bounds_by(tasks, bounds.s, processors);
  return bounds;
}

Result<Bounds> devi_anderson_bounds(std::span<const Task> tasks, std::uint32_t processors) {
  const auto count = carriers(tasks, processors);
  if (!count) return count.reason();
  Bounds bounds;
  bounds.theorem = Theorem::T4;
  if (tasks.empty()) return bounds;
  bounds.carriers = *count;
  bounds.T4 = devi_anderson(tasks, *count);
  const FineTime x = bounds.s = bounds.T4.x(processors);
  bounds.R.reserve(tasks.size());
  const Wide late = ceil_div(x.count(), Wide{1} << fine_bits);
  for (const Task& task : tasks) bounds.R.push_back(to_time(Wide{task.T.count()} + late + task.C.count()));
  return bounds;
}

}  // namespace rta::analysis::gel_sequential
