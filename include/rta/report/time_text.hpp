// Times and numbers as people write them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "rta/io/time_unit.hpp"
#include "rta/model/quantity.hpp"

namespace rta {
class TaskSet;
}

namespace rta::report {

/// How times are shown to people.
struct TimeStyle {
  std::optional<io::TimeUnit> unit;  // of all times of a result; none: each has the one that fits it
  bool all_digits = false;           // also of what is derived
};

/// The unit that fits the shortest period: us from 100 us on, ms from 1 ms on, s from 10 s on.
[[nodiscard]] io::TimeUnit fitting_unit(const TaskSet& task_set);

/// While one lives, texts that its thread makes show times so; a result's printers need not hand it on from table to table.
class ShownTimes {
 public:
  explicit ShownTimes(TimeStyle style);
  /// With the unit that was chosen before; else the one that fits the task set.
  explicit ShownTimes(const TaskSet& task_set);
  ~ShownTimes();
  ShownTimes(const ShownTimes&) = delete;
  ShownTimes& operator=(const ShownTimes&) = delete;

 private:
  TimeStyle before_;
};

/// With all its digits, e.g. `33 ms`, `179.612345 ms`, `450 ns`: what a file says, what it may be told, and terms that add up.
[[nodiscard]] std::string time_text(Time time);
/// The same in the unit that fits it, whatever the result's is: how long something was watched.
[[nodiscard]] std::string span_text(Time time);

/// What is derived: rounded up, as a bound or lateness must be, to `digits` significant ones, but never to less than a unit. A zero at
/// the end says that it was rounded: `10 ms` is exact, `10.0 ms` is not.
[[nodiscard]] std::string rounded_text(Time time, int digits = 3);
/// A bound beside the limit that it is judged by: three digits, or as many as leave it within the limit, where it is.
[[nodiscard]] std::string bound_text(Time bound, const std::optional<Time>& limit);

/// A time that stands beside another one, and is rounded as that one is, or beside a limit, which is not.
struct Beside {
  Time time, other;
  bool is_limit = false;
};
/// How many digits a row of times needs so that each is above the other where it is.
[[nodiscard]] int digits_that_tell(std::initializer_list<std::optional<Beside>> pairs);

/// A double with up to `digits` digits after the point, without trailing zeros.
[[nodiscard]] std::string number_text(double value, int digits);

}  // namespace rta::report
