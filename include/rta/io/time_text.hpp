// Times as people write them in files and on command lines.
#pragma once

#include <optional>
#include <string_view>

#include "rta/model/quantity.hpp"

namespace rta::io {

/// A time: a number and ns, us, ms, s, m or h. Nothing when the text is none, is negative, too large or no whole number of ns.
[[nodiscard]] std::optional<Time> parse_time(std::string_view text);

}  // namespace rta::io
