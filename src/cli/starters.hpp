// The files of tasksets/starters, with which `rta init` begins.
#pragma once

#include <array>
#include <string_view>

namespace rta::cli {

struct Starter {
  std::string_view name, content;
};

[[nodiscard]] const std::array<Starter, 4>& starters();

}  // namespace rta::cli
