// Text on pages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace rta::report {

/// For the content of elements and for attributes in double quotes. Marks that turn the direction of text become visible.
[[nodiscard]] std::string escaped(std::string_view text);

/// Names with their values, or nothing where there are none.
[[nodiscard]] std::string fact_list(std::span<const std::pair<std::string, std::string>> facts);

}  // namespace rta::report
