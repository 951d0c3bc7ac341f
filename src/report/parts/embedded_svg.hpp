// Graphviz's pictures inside of pages.
#pragma once

#include <string>
#include <string_view>

namespace rta::report {

/// The `svg` element of an SVG file as Graphviz writes it, without comments, titles (its own names of nodes, which would show as tooltips)
/// and ids, which several pictures of one page would share.
[[nodiscard]] std::string embedded_svg(std::string_view file);

}  // namespace rta::report
