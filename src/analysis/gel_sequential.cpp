#include "rta/analysis/gel_sequential.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "counted_terms.hpp"
#include "priority_order.hpp"

namespace rta::analysis::gel_sequential {
namespace {

// ceil(U) - 1, or why there is no bound.
struct Carriers {
  std::size_t count = 0;
  std::optional<Unbounded> unbounded;
};

Carriers carriers(std::span<const Task> tasks, std::uint32_t processors) {
  if (processors == 0) throw std::invalid_argument("T3 and T4 need at least one processor");
  const Utilization U = gel::utilization(tasks);
  const auto at = std::find_if(tasks.begin(), tasks.end(), [](const Task& task) { return task.C > task.T; });
  if (at != tasks.end()) {
    Utilization u;
    u.add(at->C.count(), at->T.count());
    return {0, Unbounded{fmt::format("task #{} is sequential and has utilization {} > 1 (exceeded by {})", at - tasks.begin(), u.text(),
                                     u.text(1))}};
  }
  if (U.compare(processors) > 0) return {0, Unbounded{gel::overload(U, processors)}};
  return {static_cast<std::size_t>(std::max<Wide>(0, U.ceil() - 1)), std::nullopt};
}

// C_i, u_i and C_i - S_i for the search of s, which floating point only steers.
struct Estimate {
  double C;
  double u;
  double offset;
  double value;  // x_i(s) u_i + C_i - S_i
  double slope;  // of value, to the right of s
};

// About the root of f(s) = G(s) + S - s. f is convex and falls everywhere, so Newton's tangents from a point left of the root stay left of
// it, and each is one of finitely many.
double estimate_root(std::vector<Estimate>& estimates, std::size_t count, double S, double m) {
  constexpr int most_steps = 100;
  const auto last = estimates.begin() + static_cast<std::ptrdiff_t>(count);
  double s = 0;
  for (int step = 0; step < most_steps; ++step) {
    for (Estimate& e : estimates) {
      const bool late = s >= e.C;
      e.value = e.offset + (late ? (s - e.C) * e.u / m : 0);
      e.slope = late ? e.u / m : 0;
    }
    std::nth_element(estimates.begin(), last, estimates.end(),
                     [](const Estimate& a, const Estimate& b) { return a.value > b.value || (a.value == b.value && a.slope > b.slope); });
    double f = S - s;
    double slope = -1;
    for (auto e = estimates.begin(); e != last; ++e) {
      f += e->value;
      slope += e->slope;
    }
    const double next = s - f / slope;
    if (!(next > s)) break;
    s = next;
  }
  return s;
}

// late u / m, rounded up or down.
FineTime share(FineTime late, const Task& task, Wide m, bool up = true) {
  const auto divide = [up](Wide n, Wide d) { return up ? ceil_div(n, d) : floor_div(n, d); };
  const Wide C = task.C.count();
  const Wide mT = checked_mul(m, Wide{task.T.count()});
  Wide product = 0;
  if (!__builtin_mul_overflow(late.count(), C, &product)) return FineTime(divide(product, mT));
  const Wide whole = late.count() / mT;
  return FineTime(checked_add(checked_mul(whole, C), divide(checked_mul(late.count() - whole * mT, C), mT)));
}

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
    const double S_i = std::ldexp(static_cast<double>(carried[i].count()), -fine_bits);
    estimates[i] = {C, C / static_cast<double>(tasks[i].T.count()), C - S_i, 0, 0};
  }
  const double root = estimate_root(estimates, count, std::ldexp(static_cast<double>(S.count()), -fine_bits), static_cast<double>(m));
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

// S, the sum of the S_i, with one line per kind of tasks: sum C_i - (sum C_i Y'_i)/T_i over those with Y'_i < T_i.
FineTime explain_carried(std::span<const Task> tasks, Time shift, const TaskNames& names, std::vector<std::string>& lines) {
  std::vector<std::size_t> carrying;
  std::vector<GroupKey> key;
  carrying.reserve(tasks.size());
  key.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (gel::carried_demand(tasks[i], shift) == FineTime{}) continue;
    carrying.push_back(i);
    key.emplace_back(tasks[i].T.count(), 0);
  }
  FineTime S;
  for (const TaskGroup& group : grouped(carrying, key, names)) {
    Wide C = 0;
    Wide C_Y = 0;
    FineTime sum;
    for (const std::size_t i : group.tasks) {
      const Task& task = tasks[i];
      C = checked_add(C, Wide{task.C.count()});
      C_Y = checked_add(C_Y, checked_mul(Wide{task.C.count()}, Wide{task.Y.count()} - shift.count()));
      sum += gel::carried_demand(task, shift);
    }
    lines.push_back(
        fmt::format("  {}: {} - {}/{} = {}", group.name, to_string(C), to_string(C_Y), tasks[group.tasks.front()].T.count(), text(sum)));
    S += sum;
  }
  return S;
}

// G(s), the sum of the `count` largest terms, rounded down, with one line per kind of tasks and equal term.
FineTime explain_late(std::span<const Task> tasks, Time shift, FineTime s, std::size_t count, Wide m, const TaskNames& names,
                      std::vector<std::string>& lines) {
  std::vector<FineTime> term;
  term.reserve(tasks.size());
  for (const Task& task : tasks) {
    const FineTime C = fine(task.C);
    term.push_back((s > C ? share(s - C, task, m, false) : FineTime{}) + C - gel::carried_demand(task, shift));
  }
  std::vector<std::size_t> chosen(tasks.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) { return term[a] > term[b]; });
  chosen.resize(count);
  std::vector<GroupKey> key;
  key.reserve(count);
  for (const std::size_t i : chosen) key.emplace_back(tasks[i].C.count(), gel::carried_demand(tasks[i], shift).count());
  FineTime G;
  for (const TaskGroup& group : grouped(chosen, key, names)) {
    const Task& task = tasks[group.tasks.front()];
    FineTime sum;
    for (const std::size_t i : group.tasks) sum += term[i];
    const std::string copies = group.tasks.size() == 1 ? std::string() : fmt::format("{} x ", group.tasks.size());
    lines.push_back(fmt::format("  {}: {}(max(0, {} - {})/{} x {}/{} + {} - {}) = {}", group.name, copies, text(s), task.C.count(),
                                to_string(m), task.C.count(), task.T.count(), task.C.count(), text(gel::carried_demand(task, shift)),
                                text(sum)));
    G += sum;
  }
  return G;
}

// T4's sums.
struct DeviAnderson {
  Wide E = 0;  // sum of the ceil(U) - 1 largest C_i, ns
  Time C_min;
  Wide M = 0;  // sum of the ceil(U) - 2 largest u_i, each rounded up, in units of 2^-bits
  int bits = 0;
  std::uint32_t m = 1;

  // max(0, (E - C_min) / (m - M)), rounded up. M < m because every u_i <= 1.
  [[nodiscard]] FineTime x() const {
    const Wide over = E - C_min.count();
    if (over <= 0) return FineTime{};
    return fine_ceil(checked_mul(over, Wide{1} << bits), (Wide{m} << bits) - M);
  }
};

// Sum of the `count` largest. Reorders.
template <class T>
Wide sum_of_largest(std::vector<T>& values, std::size_t count) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), values.end(), std::greater<>());
  Wide sum = 0;
  for (std::size_t j = 0; j < count; ++j) sum += static_cast<Wide>(values[j]);
  return sum;
}

DeviAnderson devi_anderson(std::span<const Task> tasks, std::size_t count, std::uint32_t processors) {
  DeviAnderson terms;
  terms.m = processors;
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

Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors) {
  const Carriers carry = carriers(tasks, processors);
  if (carry.unbounded) return *carry.unbounded;
  if (tasks.empty()) return Bounds{};
  Bounds bounds;
  bounds.s = solve(tasks, carry.count, processors);
  const Time shift = gel::least_Y(tasks);
  const Wide m = processors;
  bounds.R.reserve(tasks.size());
  for (const Task& task : tasks) {
    const Wide x = std::max<Wide>(0, ceil_div((bounds.s - fine(task.C)).count(), m << fine_bits));
    bounds.R.push_back(to_time(Wide{task.Y.count()} - shift.count() + task.C.count() + x));
  }
  return bounds;
}

Result<Bounds> devi_anderson_bounds(std::span<const Task> tasks, std::uint32_t processors) {
  const Carriers carry = carriers(tasks, processors);
  if (carry.unbounded) return *carry.unbounded;
  if (tasks.empty()) return Bounds{};
  const DeviAnderson terms = devi_anderson(tasks, carry.count, processors);
  const FineTime x = terms.x();
  Bounds bounds;
  bounds.s = x;
  bounds.R.reserve(tasks.size());
  const Wide late = ceil_div(x.count(), Wide{1} << fine_bits);
  for (const Task& task : tasks) bounds.R.push_back(to_time(Wide{task.T.count()} + late + task.C.count()));
  return bounds;
}

std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                 const TaskNames& names) {
  const Task& task = tasks[k];
  const Time shift = gel::least_Y(tasks);
  const Wide Y = Wide{task.Y.count()} - shift.count();
  const Utilization U = gel::utilization(tasks);
  const Wide count = std::max<Wide>(0, U.ceil() - 1);
  std::vector<std::string> carried;
  const FineTime S = explain_carried(tasks, shift, names, carried);
  std::vector<std::string> late;
  const FineTime G = explain_late(tasks, shift, bounds.s, static_cast<std::size_t>(count), processors, names, late);
  std::vector<std::string> lines{
      "T3: R = Y' + x + C, x = max(0, (s - C)/m), s = G(s) + S",
      fmt::format("m = {}, U = {}: G(s) sums the {} largest of x_i(s) u_i + C_i - S_i", processors, U.text(), to_string(count)),
      "S_i = C_i max(0, 1 - Y'_i/T_i), S is their sum",
      fmt::format("S = {} ns; sum C_i - (sum C_i Y'_i)/T_i of the tasks with Y'_i < T_i:", text(S)),
  };
  std::ranges::move(carried, std::back_inserter(lines));
  lines.push_back(fmt::format("s = {} ns", text(bounds.s)));
  lines.push_back(fmt::format("G(s) = {} ns; max(0, s - C_i)/m x C_i/T_i + C_i - S_i:", text(G)));
  std::ranges::move(late, std::back_inserter(lines));
  lines.push_back(fmt::format("G(s) + S = {} + {} = {} <= s", text(G), text(S), text(G + S)));
  lines.push_back(fmt::format("Y' = Y - min Y = {} - {} = {} ns", task.Y.count(), shift.count(), to_string(Y)));
  lines.push_back(fmt::format("x = max(0, ({} - {})/{})", text(bounds.s), task.C.count(), processors));
  lines.push_back(fmt::format("R = {} + x + {} = {} ns, rounded up", to_string(Y), task.C.count(), bounds.R[k].count()));
  return lines;
}

std::vector<std::string> explain_devi_anderson(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k) {
  const Task& task = tasks[k];
  const Utilization U = gel::utilization(tasks);
  const Wide count = std::max<Wide>(0, U.ceil() - 1);
  const DeviAnderson terms = devi_anderson(tasks, static_cast<std::size_t>(count), processors);
  Utilization M;
  M.add(terms.M, Wide{1} << terms.bits);
  return {
      "T4: R = T + x + C, x = max(0, (E - C_min)/(m - M))",
      fmt::format("m = {}, U = {}, ceil(U) - 1 = {}", processors, U.text(), to_string(count)),
      fmt::format("E = sum of the {} largest C_i = {} ns, C_min = {} ns", to_string(count), to_string(terms.E), terms.C_min.count()),
      fmt::format("M = sum of the {} largest u_i = {}", to_string(std::max<Wide>(0, count - 1)), M.text()),
      fmt::format("x = {} ns", text(bounds.s)),
      fmt::format("R = {} + {} + {} = {} ns, rounded up", task.T.count(), text(bounds.s), task.C.count(), bounds.R[k].count()),
  };
}

}  // namespace rta::analysis::gel_sequential
