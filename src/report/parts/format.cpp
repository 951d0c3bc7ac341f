#include "rta/report/format.hpp"

#include <algorithm>
#include <array>

namespace rta::report {
namespace {

// Pictures (svg, pdf and png) are made of one and the same, by whoever writes them.
constexpr std::array known_formats{
    Format{.name = "text", .extension = "txt"},
    Format{.name = "json", .extension = "json"},
    Format{.name = "csv", .extension = "csv"},
    Format{.name = "html", .extension = "html", .charts = true},
    Format{.name = "svg", .extension = "svg", .charts = true},
    Format{.name = "pdf", .extension = "pdf", .charts = true},
    Format{.name = "png", .extension = "png", .charts = true},
    Format{.name = "sarif", .extension = "sarif"},
    Format{.name = "md", .extension = "md"},
    Format{.name = "junit", .extension = "xml"},
};

}  // namespace

std::span<const Format> formats() { return known_formats; }

const Format* format_named(std::string_view name) {
  const auto* const at = std::ranges::find(known_formats, name, &Format::name);
  return at == known_formats.end() ? nullptr : at;
}

}  // namespace rta::report
