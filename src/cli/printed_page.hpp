// Pages on paper, by a browser without a window.
#pragma once

#include <string>

namespace rta::cli {

/// Throws `UserError` where no browser is installed that prints.
void require_browser();
/// The page as PDF. Throws `UserError` when the browser gives up.
[[nodiscard]] std::string printed_page(const std::string& html);

}  // namespace rta::cli
