#include "rta/model/schedule.hpp"

#include <algorithm>
#include <array>

namespace rta {
namespace {

constexpr std::array<std::string_view, 6> names{"offsets", "early", "completion", "segments", "grouped", "static"};

}  // namespace

std::string_view to_string(Release release) { return names[static_cast<std::size_t>(release)]; }

std::optional<Release> release_named(std::string_view name) {
  const auto* at = std::ranges::find(names, name);
  if (at == names.end()) return std::nullopt;
  return static_cast<Release>(at - names.begin());
}

}  // namespace rta
