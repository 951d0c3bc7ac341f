// Every reader of the program, by name.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace rta::fuzz {

struct Target {
  std::string_view name;           // of its corpus
  void (*read)(std::string_view);  // throws, or ends the program, for a defect
};

/// Of `rta convert`.
[[nodiscard]] std::span<const Target> conversions();
/// Of static schedules.
[[nodiscard]] std::span<const Target> static_orders();
/// Of the other commands.
[[nodiscard]] std::span<const Target> files();

[[nodiscard]] inline std::array<std::span<const Target>, 3> all_targets() { return {conversions(), static_orders(), files()}; }

}  // namespace rta::fuzz
