// The members of a trace's line, checked.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "rta/model/quantity.hpp"
#include "rta/trace/activity.hpp"

namespace rta::trace {

using Json = nlohmann::ordered_json;

/// What is wrong with a line.
struct Fault {
  std::string message;
};

[[nodiscard]] inline const Json& member(const Json& line, const char* key) {
  const auto at = line.find(key);
  if (at == line.end()) throw Fault{std::string("'") + key + "' is missing"};
  return *at;
}
[[nodiscard]] inline std::string text(const Json& line, const char* key) {
  const Json& value = member(line, key);
  if (!value.is_string()) throw Fault{std::string("'") + key + "' must be a string"};
  return value.get<std::string>();
}
[[nodiscard]] inline std::optional<std::string> text_if_any(const Json& line, const char* key) {
  const auto at = line.find(key);
  if (at == line.end() || at->is_null()) return std::nullopt;
  return text(line, key);
}
template <class T>
[[nodiscard]] T checked_count(const Json& value, const char* key) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) {
    throw Fault{std::string("'") + key + "' must be a whole number from 0 to " + std::to_string(std::numeric_limits<T>::max())};
  }
  return value.get<T>();
}
template <class T>
[[nodiscard]] T count(const Json& line, const char* key) {
  return checked_count<T>(member(line, key), key);
}
template <class T>
[[nodiscard]] std::optional<T> count_if_any(const Json& line, const char* key) {
  if (!line.contains(key)) return std::nullopt;
  return count<T>(line, key);
}
// Instants before the start of the run are possible: clocks of a measurement are aligned with an error.
[[nodiscard]] inline Time instant(const Json& line, const char* key) {
  const Json& value = member(line, key);
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  if (!fits) throw Fault{std::string("'") + key + "' must be a whole number of ns"};
  return Time(value.get<std::int64_t>());
}
inline void in_order(Time earlier, Time later, const char* what) {
  if (later < earlier) throw Fault{what};
}

template <class R>
[[nodiscard]] R with_interval(R record, const Json& line) {
  record.start = instant(line, "start_ns");
  record.end = instant(line, "end_ns");
  in_order(record.start, record.end, "'end_ns' is before 'start_ns'");
  return record;
}

/// The activity that the line of that kind stands for; nothing where no activity is called so.
[[nodiscard]] std::optional<Activity> activity_of(const std::string& kind, const Json& line);

}  // namespace rta::trace
