// Documents as a terminal shows them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rta::cli {

/// Without emphasis and code marks; of a link its text. Code stays as it is.
[[nodiscard]] std::string plain(std::string_view markdown);
/// The cells of a row of a table, so.
[[nodiscard]] std::vector<std::string> cells_of(std::string_view row);

}  // namespace rta::cli
