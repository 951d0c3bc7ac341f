// The files that are linted, and those that they include.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rta/lint/lint.hpp"
#include "unit.hpp"

namespace rta::lint {

struct LoadedFiles {
  std::vector<std::unique_ptr<Unit>> units;  // those that were asked for first
  std::vector<std::size_t> roots;            // units that no other one includes: what a compiler would be given
  std::vector<std::string> remarks;
};

[[nodiscard]] LoadedFiles load(std::span<const SourceText> files, const Options& options);

}  // namespace rta::lint
