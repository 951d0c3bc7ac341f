// Pictures of graphs, by Graphviz.
#pragma once

#include <string>

namespace rta::cli {

/// Whether this program was built with a Graphviz that draws `format` (svg, pdf, png).
[[nodiscard]] bool has_pictures(const std::string& format);
/// Throws `UsageError` where this program was built without Graphviz, or with one that cannot draw `format` (svg, pdf, png).
void require_pictures(const std::string& format);
/// The picture of a graph in DOT. Throws std::runtime_error when Graphviz gives up.
[[nodiscard]] std::string picture(const std::string& dot, const std::string& format);

}  // namespace rta::cli
