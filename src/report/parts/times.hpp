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

/// In CSV; empty: there is none.
[[nodiscard]] inline std::string csv_ns(const std::optional<Time>& time) { return time ? fmt::format("{}", time->count()) : std::string(); }

}  // namespace rta::report
