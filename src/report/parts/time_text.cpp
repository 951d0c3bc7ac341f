#include "rta/report/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "rta/model/task_set.hpp"

namespace rta::report {
namespace {

thread_local TimeStyle shown_style;

struct UnitOfTime {
  std::uint64_t ns;
  int digits;
  const char* name;
};
constexpr std::array<UnitOfTime, 4> units_of_time{{{1, 0, "ns"}, {1'000, 3, "us"}, {1'000'000, 6, "ms"}, {1'000'000'000, 9, "s"}}};

// Seconds only from 10 s on: response times are read in ms.
io::TimeUnit fitting_unit(std::uint64_t magnitude) {
  if (magnitude >= 10'000'000'000) return io::TimeUnit::s;
  if (magnitude >= 1'000'000) return io::TimeUnit::ms;
  return magnitude >= 1'000 ? io::TimeUnit::us : io::TimeUnit::ns;
}

// The magnitude of the least 64-bit integer does not fit in a signed one.
std::uint64_t magnitude_of(Time time) {
  const auto bits = static_cast<std::uint64_t>(time.count());
  return time < Time::zero() ? std::uint64_t{0} - bits : bits;
}

const UnitOfTime& unit_of(std::uint64_t magnitude, const std::optional<io::TimeUnit>& chosen) {
  // Nothing is 0 ms in any of the units that fit.
  const io::TimeUnit unit = chosen.value_or(magnitude == 0 ? io::TimeUnit::ms : fitting_unit(magnitude));
  return units_of_time[static_cast<std::size_t>(unit)];
}

void trim_zeros(std::string& digits) {
  if (digits.find('.') == std::string::npos) return;
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
}

/// With `decimals` digits after the point, those behind them being 0; without them, those that matter.
std::string text_in(const UnitOfTime& unit, std::uint64_t magnitude, bool negative, std::optional<int> decimals = std::nullopt) {
  std::string digits = fmt::format("{}", magnitude / unit.ns);
  if (unit.digits > 0) digits += fmt::format(".{:0{}}", magnitude % unit.ns, unit.digits);
  if (!decimals) {
    trim_zeros(digits);
  } else if (unit.digits > 0) {
    digits.resize(digits.size() - static_cast<std::size_t>(unit.digits - *decimals) - (*decimals == 0 ? 1 : 0));
  }
  return (negative ? "-" : "") + digits + " " + unit.name;
}

struct RoundedTime {
  std::uint64_t magnitude = 0;
  int decimals = 0;  // of the unit
};

/// Towards plus infinity, to a power of ten that leaves `digits` significant ones and is a unit at most.
RoundedTime rounded_up(std::uint64_t magnitude, bool negative, int digits, const UnitOfTime& unit) {
  const auto step_of = [&](std::uint64_t value) {
    std::uint64_t least = 1;  // of those with as many digits
    for (int i = 1; i < digits && least <= value / 10; ++i) least *= 10;
    std::pair<std::uint64_t, int> step{1, unit.digits};
    while (step.first < unit.ns && value / (step.first * 10) >= least) step = {step.first * 10, step.second - 1};
    return step;
  };
  const std::uint64_t step = step_of(magnitude).first;
  const std::uint64_t rest = magnitude % step;
  const std::uint64_t rounded = rest == 0 ? magnitude : magnitude - rest + (negative ? 0 : step);
  return {rounded, step_of(rounded).second};
}

RoundedTime rounded_up(Time time, int digits) {
  const std::uint64_t magnitude = magnitude_of(time);
  return rounded_up(magnitude, time < Time::zero(), digits, unit_of(magnitude, shown_style.unit));
}

/// Whether a is above b, of magnitudes with their signs.
bool above(std::uint64_t a, bool a_negative, std::uint64_t b, bool b_negative) {
  if (a_negative != b_negative) return b_negative;
  return a_negative ? a < b : a > b;
}

bool tells(const Beside& beside, int digits) {
  const RoundedTime time = rounded_up(beside.time, digits);
  const std::uint64_t other = beside.is_limit ? magnitude_of(beside.other) : rounded_up(beside.other, digits).magnitude;
  return above(time.magnitude, beside.time < Time::zero(), other, beside.other < Time::zero()) == (beside.time > beside.other);
}

}  // namespace

io::TimeUnit fitting_unit(const TaskSet& task_set) {
  std::optional<Time> shortest;
  for (const Dag& dag : task_set.dags()) shortest = std::min(shortest.value_or(dag.nominal_period()), dag.nominal_period());
  if (!shortest) return io::TimeUnit::ms;
  // Bounds are far below short periods, and as fractions of 1 us hard to read.
  return *shortest < Time(100'000) ? io::TimeUnit::ns : fitting_unit(magnitude_of(*shortest));
}

ShownTimes::ShownTimes(TimeStyle style) : before_(shown_style) { shown_style = style; }
ShownTimes::ShownTimes(const TaskSet& task_set) : before_(shown_style) {
  if (!shown_style.unit) shown_style.unit = fitting_unit(task_set);
}
ShownTimes::~ShownTimes() { shown_style = before_; }

std::string time_text(Time time) {
  const std::uint64_t magnitude = magnitude_of(time);
  return text_in(unit_of(magnitude, shown_style.unit), magnitude, time < Time::zero());
}

std::string span_text(Time time) {
  const std::uint64_t magnitude = magnitude_of(time);
  return text_in(unit_of(magnitude, std::nullopt), magnitude, time < Time::zero());
}

std::string rounded_text(Time time, int digits) {
  if (shown_style.all_digits) return time_text(time);
  const std::uint64_t magnitude = magnitude_of(time);
  const UnitOfTime& unit = unit_of(magnitude, shown_style.unit);
  const RoundedTime rounded = rounded_up(magnitude, time < Time::zero(), digits, unit);
  if (rounded.magnitude == magnitude) return time_text(time);
  return text_in(unit, rounded.magnitude, time < Time::zero(), rounded.decimals);
}

std::string bound_text(Time bound, const std::optional<Time>& limit) {
  return rounded_text(bound, limit ? digits_that_tell({Beside{bound, *limit, true}}) : 3);
}

int digits_that_tell(std::initializer_list<std::optional<Beside>> pairs) {
  constexpr int most = 19;  // of 64 bits: all
  int digits = 3;
  while (digits < most && std::ranges::any_of(pairs, [&](const auto& pair) { return pair && !tells(*pair, digits); })) ++digits;
  return digits;
}

std::string number_text(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  trim_zeros(text);
  return text == "-0" ? "0" : text;
}

}  // namespace rta::report
