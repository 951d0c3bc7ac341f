// Figures in formats other than SVG, by rsvg-convert.
#pragma once

#include <string>
#include <string_view>

namespace rta::cli {

/// Whether that format (svg, pdf or png) is drawn from SVG by another program.
[[nodiscard]] bool is_converted(std::string_view format);
/// Throws `UserError` where rsvg-convert is missing.
void require_converter();
/// The figure as pdf or png, at twice its size in pixels. Throws `UserError` when rsvg-convert gives up.
[[nodiscard]] std::string converted(const std::string& svg, std::string_view format);

}  // namespace rta::cli
