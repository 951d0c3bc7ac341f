// The place that a message is about, as it stands in the file.
#pragma once

#include <string>

#include "rta/io/diagnostic.hpp"

namespace rta::cli {

/// The line that the diagnostic names, with its number, and a mark below the column; of a long line the part around it. Nothing where it
/// names none or the begin of the file, or where the file cannot be read a second time (standard input, a pipe) or holds no text.
[[nodiscard]] std::string source_line(const io::Diagnostic& diagnostic);

}  // namespace rta::cli
