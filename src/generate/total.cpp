#include "rta/generate/total.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "rta/model/utilization.hpp"

namespace rta::generate {
namespace {

constexpr int fixed_bits = 56;
constexpr std::int64_t longest_common_period = std::int64_t{1} << 60;

std::optional<std::int64_t> common_period(std::span<const Load> loads, const Fraction& target) {
  std::int64_t common = target.denominator;
  if (common > longest_common_period) return std::nullopt;
  std::int64_t last = 0;
  for (const Load& load : loads) {
    if (load.T == last) continue;
    last = load.T;
    const Wide next = Wide{common} * (load.T / std::gcd(common % load.T, load.T));
    if (next > longest_common_period) return std::nullopt;
    common = static_cast<std::int64_t>(next);
  }
  return common;
}

bool at_most(std::span<const Load> loads, const Fraction& target) {
  Utilization total;
  for (const Load& load : loads) total.add(static_cast<Wide>(load.k) * load.x, load.T);
  return total.compare(target.numerator, target.denominator) <= 0;
}

// ceil(2^fixed_bits rest / T) for 0 <= rest < T < 2^47. A quotient of doubles is off by a few at most; the remainder tells by how many.
std::int64_t fixed_quotient(std::int64_t rest, std::int64_t T) {
  const auto near =
      static_cast<std::int64_t>(static_cast<double>(rest) * static_cast<double>(std::int64_t{1} << fixed_bits) / static_cast<double>(T));
  // Both products wrap, their difference, below 2^51, does not.
  const auto left = static_cast<std::int64_t>((static_cast<std::uint64_t>(rest) << fixed_bits) -
                                              static_cast<std::uint64_t>(near) * static_cast<std::uint64_t>(T));
  const std::int64_t more = left / T;
  return near + more + static_cast<std::int64_t>(left > more * T);
}

// What is missing to the target, in units of 1/unit; the truth lies in [rest, rest + error].
class Missing {
 public:
  Missing(std::span<const Load> loads, const Fraction& target) : loads_(loads), target_(target), common_(common_period(loads, target)) {
    rest_ = common_ ? static_cast<Wide>(target.numerator) * (*common_ / target.denominator)
                    : (static_cast<Wide>(target.numerator) << fixed_bits) / target.denominator;
    error_ = common_ ? 0 : 1;
    for (std::size_t i = 0; i < loads.size();) {
      const std::int64_t T = loads[i].T;
      Wide work = 0;
      for (; i < loads.size() && loads[i].T == T; ++i) work += static_cast<Wide>(loads[i].k) * loads[i].x;
      take(work, T);
    }
  }

  [[nodiscard]] bool is_negative() const { return rest_ < 0; }
  /// ns by which the length of a load may grow (at least), or has to shrink (negative).
  [[nodiscard]] Wide room(const Load& load) const { return room(load, rest_); }
  /// Whether one more ns than `room` might fit.
  [[nodiscard]] bool may_fit_more(const Load& load) const { return error_ > 0 && room(load, rest_ + error_) > room(load, rest_); }
  /// `load` has grown by `ns`.
  void grow(const Load& load, Wide ns) { take(ns * load.k, load.T); }
  [[nodiscard]] double approximate() const {
    return static_cast<double>(rest_) / (common_ ? static_cast<double>(*common_) : static_cast<double>(std::int64_t{1} << fixed_bits));
  }
  [[nodiscard]] bool is_at_most_target() const { return at_most(loads_, target_); }

 private:
  [[nodiscard]] Wide room(const Load& load, Wide rest) const {
    if (common_) return floor_div(rest, static_cast<Wide>(load.k) * (*common_ / load.T));
    return floor_div(checked_mul<Wide>(rest, load.T), static_cast<Wide>(load.k) << fixed_bits);
  }
  void take(Wide work, std::int64_t T) {
    if (common_) {
      rest_ -= checked_mul<Wide>(work, *common_ / T);
      return;
    }
    const Wide whole = work >= 0 && work < T ? 0 : floor_div(work, T);  // mostly a task alone, which does not fill its period
    rest_ -= (whole << fixed_bits) + fixed_quotient(static_cast<std::int64_t>(work - whole * T), T);
    ++error_;
  }

  std::span<const Load> loads_;
  Fraction target_;
  std::optional<std::int64_t> common_;
  Wide rest_ = 0;
  Wide error_ = 0;
};

}  // namespace

bool make_total_exact(std::span<Load> loads, const Fraction& target, std::size_t first) {
  Missing missing(loads, target);
  const std::size_t n = loads.size();
  for (std::size_t i = 0; i < n && missing.is_negative(); ++i) {
    Load& load = loads[(first + i) % n];
    const Wide cut = std::min<Wide>(-missing.room(load), load.x - load.low);
    load.x -= static_cast<std::int64_t>(cut);
    missing.grow(load, -cut);
  }
  if (missing.is_negative() && !missing.is_at_most_target()) return false;

  double step_sum = 0;
  double left = missing.approximate();
  bool some_room = false;
  for (std::size_t i = 0; i < n; ++i) {
    Load& load = loads[(first + i) % n];
    const double step = static_cast<double>(load.k) / static_cast<double>(load.T);
    step_sum += step;
    // A filter: where 1 ns is clearly more than what is missing, no exact division is needed.
    if (left > 0.999 * step) {
      const Wide raise = std::clamp<Wide>(missing.room(load), 0, load.high - load.x);
      load.x += static_cast<std::int64_t>(raise);
      missing.grow(load, raise);
      if (load.x < load.high && missing.may_fit_more(load)) {
        ++load.x;
        if (missing.is_at_most_target()) {
          missing.grow(load, 1);
        } else {
          --load.x;
        }
      }
      left = missing.approximate();
    }
    some_room = some_room || load.x < load.high;
  }
  return some_room || left <= step_sum;
}

}  // namespace rta::generate
