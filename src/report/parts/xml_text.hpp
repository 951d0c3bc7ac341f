// Text in figures.
#pragma once

#include <string>
#include <string_view>

namespace rta::report {

/// For elements and attributes of XML. Marks that change the direction of text are written as code points (U+202E), characters that XML
/// lacks as U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace rta::report
