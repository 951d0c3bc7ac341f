// Generation and sweep files (YAML; docs/guide-sweep.md): what random task sets are like, the grid, the analyses.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "rta/sweep/plan.hpp"

namespace rta::sweep {

/// What the command line says in place of the file.
struct Overrides {
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> sets;
  bool timing = false;
};

/// Reads a file; `-` is standard input. Without a grid the plan has one point, without `analyses` none of them. Throws `io::InputError`
/// with everything that is wrong, at file:line:column; a value of the grid is reported where it stands in the grid.
[[nodiscard]] Plan read_plan(const std::filesystem::path& path, const Overrides& overrides = {});
/// The same for a text; `name` stands for the file in messages.
[[nodiscard]] Plan parse_plan(std::string_view text, const std::string& name, const Overrides& overrides = {});

}  // namespace rta::sweep
