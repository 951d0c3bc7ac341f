// A string as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rta::trace {

[[nodiscard]] inline std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace rta::trace
