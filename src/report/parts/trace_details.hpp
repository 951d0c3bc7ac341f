// What the first line of a trace says beside its own keys, in JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "rta/trace/record.hpp"

namespace rta::report {

/// Numbers, truth values, lists and objects as themselves, all else as text.
[[nodiscard]] inline nlohmann::ordered_json details_json(const trace::Header& header) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& [key, value] : header.details) {
    auto read = nlohmann::ordered_json::parse(value, nullptr, false);
    json[key] = read.is_discarded() ? nlohmann::ordered_json(value) : std::move(read);
  }
  return json;
}

}  // namespace rta::report
