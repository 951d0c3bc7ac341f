// Vega's script, embedded at build time.
#pragma once

#include <string_view>

namespace rta::report {

[[nodiscard]] std::string_view vega_bundle();

}  // namespace rta::report
