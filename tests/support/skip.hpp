// Tests that need what is not everywhere.
#pragma once

#include <iostream>
#include <string_view>

namespace rta::test {

/// Says on a line of its own, which ./check counts, that a case looks at nothing. To be followed by `return`.
inline void skip(std::string_view reason) { std::cout << "skipped: " << reason << std::endl; }

}  // namespace rta::test
