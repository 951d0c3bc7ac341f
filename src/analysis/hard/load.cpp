#include "analysis/hard/load.hpp"

#include <algorithm>
#include <limits>

#include "rta/model/error.hpp"

namespace rta::analysis::hard {
namespace {

constexpr Wide one = Wide{1} << Density::bits;
constexpr Wide longest_interval = Wide{1} << 55U;

/// C/Y, rounded up.
Wide density(const Task& task) { return ceil_div(checked_mul(Wide{task.C.count()}, one), task.Y.count()); }

/// A whole t at which the work does not fit, with that of just before t + 1.
using Violation = std::optional<Wide>;

/// One sigma, in 1/one. All work is in 1/one, too.
class Load {
 public:
  Load(std::span<const Task> tasks, std::uint32_t processors, Wide sigma, std::size_t& terms)
      : tasks_(tasks), sigma_(sigma), processors_(processors), rate_(processors_ * one - (processors_ - 1) * sigma), terms_(terms) {}

  /// Past which all is well, if U < m - (m-1) sigma: f_i(t) <= u_i t + C_i - min(u_i, sigma) Y_i.
  [[nodiscard]] std::optional<Wide> horizon() const {
    Wide U = 0;
    Wide rest = 0;
    for (const Task& task : tasks_) {
      const Wide C = Wide{task.C.count()} * one;
      const Wide u = C / task.T.count();
      U += ceil_div(C, task.T.count());
      rest = checked_add(rest, C - checked_mul(std::min(u, sigma_), Wide{task.Y.count()}));
    }
    if (U >= rate_) return std::nullopt;
    const Wide last = floor_div(rest, rate_ - U);
    return last > longest_interval ? std::nullopt : std::optional(last);
  }

  /// The first t in [from, last] at which it does not fit. Where terms are spent before that is known `gave_up()`.
  [[nodiscard]] Violation first_violation(Wide from, Wide last) {
    for (Wide t = from; t <= last && !gave_up_;) {
      const Wide next = next_change(t);
      if (const Violation violation = first_in(t, next)) return violation;
      t = next;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  /// At t, a violation, every sigma below this one violates, too; none: every larger one. Per 1 that sigma grows by, what is carried in
  /// falls by phi and what fits by (m-1) t; and a task that carries nothing in does not either with a larger sigma.
  [[nodiscard]] std::optional<Wide> next_sigma(Wide t) const {
    Wide falls = -checked_mul(processors_ - 1, t);
    for (const Task& task : tasks_) {
      const auto [jobs, early] = jobs_before(task, t + 1);
      if (early < task.Y.count() && Wide{task.C.count()} * one > sigma_ * early) falls += early;
    }
    if (falls <= 0) return std::nullopt;
    return sigma_ + ceil_div(sum_before(t, t + 1) - rate_ * t, falls);
  }

 private:
  /// The next t at which some task has one more job that may be carried in, or one more in the interval.
  [[nodiscard]] Wide next_change(Wide from) const {
    const auto t = static_cast<std::int64_t>(from);  // up to the longest interval
    Wide next = std::numeric_limits<std::int64_t>::max();
    for (const Task& task : tasks_) {
      const std::int64_t T = task.T.count();
      const std::int64_t Y = task.Y.count();
      const std::int64_t since = t < Y ? t - Y : (t - Y) % T;  // negative before the first deadline
      next = std::min(next, since < 0 ? Wide{Y} : Wide{t - since} + T);
      next = std::min(next, Wide{t - t % T} + T);
    }
    return next;
  }

  /// n and phi just before `t`, the end of an interval without a change.
  struct Jobs {
    std::int64_t n;
    std::int64_t phi;
  };
  [[nodiscard]] static Jobs jobs_before(const Task& task, Wide end) {
    const std::int64_t T = task.T.count();
    const std::int64_t Y = task.Y.count();
    const auto t = static_cast<std::int64_t>(end);  // no later than `next_change`
    const std::int64_t n = t <= Y ? 0 : (t - Y - 1) / T + 1;
    return {n, static_cast<std::int64_t>(Wide{n} * T + Y - t)};
  }

  /// f_i just before `t`.
  [[nodiscard]] Wide before(const Task& task, Wide t) const {
    const Wide C = Wide{task.C.count()} * one;
    const auto [n, phi] = jobs_before(task, t);
    const Wide carried = phi >= task.Y.count() ? 0 : std::max<Wide>(0, C - sigma_ * phi);
    return checked_add(checked_mul(Wide{n}, C), carried);
  }

  /// For t in [first, last), with the work of the last.
  [[nodiscard]] Wide sum_before(Wide first, Wide last) const {
    Wide sum = 0;
    for (const Task& task : tasks_) sum += std::min(before(task, last), first * one);
    return sum;
  }

  /// With the work of the last and the time of the first; halved where that is too much.
  [[nodiscard]] Violation first_in(Wide first, Wide last) {
    gave_up_ = gave_up_ || terms_ < tasks_.size();
    if (gave_up_) return std::nullopt;
    terms_ -= tasks_.size();
    if (sum_before(first, last) <= rate_ * first) return std::nullopt;
    if (last - first == 1) return first;
    const Wide middle = first + (last - first) / 2;
    const Violation early = first_in(first, middle);
    return early ? early : first_in(middle, last);
  }

  std::span<const Task> tasks_;
  Wide sigma_;
  Wide processors_;
  Wide rate_;  // m - (m-1) sigma
  std::size_t& terms_;
  bool gave_up_ = false;
};

}  // namespace

bool have_deadlines(std::span<const Task> tasks) {
  return std::ranges::all_of(tasks, [](const Task& task) { return task.C <= task.Y && task.Y > Time::zero() && task.Y <= task.T; });
}

std::optional<Density> load_allows(std::span<const Task> tasks, std::uint32_t processors, std::size_t k, std::size_t& terms) {
  // From the least sigma on, over those that violate where one did.
  Wide sigma = std::max<Wide>(1, density(tasks[k]));
  while (true) {
    Load load(tasks, processors, sigma, terms);
    const auto last = load.horizon();
    if (!last) return std::nullopt;
    const Violation violation = load.first_violation(tasks[k].Y.count(), *last);
    if (load.gave_up()) return std::nullopt;
    if (!violation) return Density{sigma};
    const auto next = load.next_sigma(*violation);
    if (!next) return std::nullopt;
    sigma = *next;
  }
}

std::optional<std::vector<Density>> meets_by_load(std::span<const Task> tasks, std::uint32_t processors) {
  require(processors > 0, "T18 needs at least one processor");
  if (!have_deadlines(tasks)) return std::nullopt;
  std::size_t terms = 60'000'000;
  std::vector<Density> all;
  all.reserve(tasks.size());
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const auto found = load_allows(tasks, processors, k, terms);
    if (!found) return std::nullopt;
    all.push_back(*found);
  }
  return all;
}

}  // namespace rta::analysis::hard
