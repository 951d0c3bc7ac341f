// Times as tables, CSV and charts show them.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "rta/model/quantity.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {

/// Milliseconds, for a chart's axis.
[[nodiscard]] inline double ms(Time time) { return static_cast<double>(time.count()) / 1e6; }

/// In a table; `-`: there is none.
[[nodiscard]] inline std::string optional_time(const std::optional<Time>& time) { return time ? time_text(*time) : std::string("-"); }

/// The same of what is derived.
[[nodiscard]] inline std::string optional_rounded(const std::optional<Time>& time) { return time ? rounded_text(*time) : std::string("-"); }
/// A bound beside its limit.
[[nodiscard]] inline std::string optional_bound(const std::optional<Time>& bound, const std::optional<Time>& limit) {
  return bound ? bound_text(*bound, limit) : std::string("-");
}

/// The digits of what was seen and its bound, which are compared with each other and with the limit.
[[nodiscard]] inline int digits_of_row(const std::optional<Time>& seen, const std::optional<Time>& bound,
                                       const std::optional<Time>& limit) {
  const auto beside = [](const std::optional<Time>& time, const std::optional<Time>& other, bool is_limit) {
    return time && other ? std::optional(Beside{*time, *other, is_limit}) : std::nullopt;
  };
  return digits_that_tell({beside(seen, bound, false), beside(seen, limit, true), beside(bound, limit, true)});
}

/// In CSV; empty: there is none.
[[nodiscard]] inline std::string csv_ns(const std::optional<Time>& time) { return time ? fmt::format("{}", time->count()) : std::string(); }

}  // namespace rta::report
