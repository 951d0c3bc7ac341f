// A time as JSON has it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "rta/model/quantity.hpp"

namespace rta::report {

/// Nanoseconds; null: there is none.
[[nodiscard]] inline nlohmann::ordered_json json_ns(const std::optional<Time>& time) {
  return time ? nlohmann::ordered_json(time->count()) : nlohmann::ordered_json(nullptr);
}

}  // namespace rta::report
