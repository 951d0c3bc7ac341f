// What the linter found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rta/lint/rules.hpp"

namespace rta::lint {

/// Lines and columns count from 1, columns in characters. In a trace, the line is that of the record.
struct Place {
  std::string file;
  std::uint32_t line = 0, column = 0;
  auto operator<=>(const Place&) const = default;
};

/// A call on the way from a job to what breaks the rule.
struct Step {
  Place place;
  std::string text;
  bool operator==(const Step&) const = default;
};

struct Finding {
  RuleId rule = RuleId::device_sync;
  Level level = Level::error;  // the rule's, or what a device profile makes of it
  Place place;
  std::uint32_t length = 1;  // characters, all on that line
  std::string message;
  std::string job;                     // whose; empty: it has no name, or there is none
  std::vector<Step> chain;             // from the call in the job down to the one that breaks the rule; empty: it is that call
  std::optional<std::string> allowed;  // the reason that an `rta: allow` gives
  bool operator==(const Finding&) const = default;
};

}  // namespace rta::lint
