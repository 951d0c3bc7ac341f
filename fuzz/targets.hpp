// Every reader of the program, by name.
#pragma once

#include <span>
#include <string_view>

namespace rta::fuzz {

struct Target {
  std::string_view name;           // of its corpus
  void (*read)(std::string_view);  // throws, or ends the program, for a defect
};

/// Of `rta convert`.
[[nodiscard]] std::span<const Target> conversions();
/// Of the other commands.
[[nodiscard]] std::span<const Target> files();

}  // namespace rta::fuzz
