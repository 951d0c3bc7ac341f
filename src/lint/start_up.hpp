// Functions that only start-up calls are start-up.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "places.hpp"
#include "program.hpp"

namespace rta::lint {

/// By unit and function: whether every use of the function's name, but those in functions of that name, is in start-up code, of which
/// there is some. A name may be used by being called or handed on.
[[nodiscard]] std::vector<std::vector<bool>> only_at_start_up(Units units, const std::vector<Places>& places);

}  // namespace rta::lint
