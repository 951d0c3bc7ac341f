// What a run says of itself: every check ends as a line of its trace; a failed one makes the run invalid.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace common {

enum class Outcome { ok, warning, failed };

inline const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok: return "ok";
    case Outcome::warning: return "warning";
    case Outcome::failed: return "failed";
  }
  return "";
}

struct Check {
  std::string name;
  Outcome outcome;
  std::string text;
};

using Checks = std::vector<Check>;

inline std::string in_us(std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", static_cast<double>(ns) / 1e3);
  return text;
}

}  // namespace common
