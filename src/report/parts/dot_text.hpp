// Text in Graphviz's language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rta::report {

/// A quoted string that shows the text as it is: quotes, backslashes and what looks like an entity of HTML mean nothing in it. Marks that
/// change the direction of text are written as U+202E and the like, so that no name can rearrange what stands around it.
[[nodiscard]] std::string dot_quoted(std::string_view text);
/// The same for a label of several lines.
[[nodiscard]] std::string dot_label(const std::vector<std::string>& lines);

}  // namespace rta::report
