#include "ratio_text.hpp"

#include <fmt/format.h>

namespace rta::report {

std::string ratio_text(const std::optional<Time>& bound, const std::optional<Time>& seen) {
  if (!seen || !bound || *seen <= Time::zero()) return "";
  const Wide hundredths = static_cast<Wide>(bound->count()) * 100 / seen->count();
  return fmt::format("{}.{:02}", to_string(hundredths / 100), static_cast<int>(hundredths % 100));
}

}  // namespace rta::report
