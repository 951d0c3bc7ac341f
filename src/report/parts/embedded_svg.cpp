#include "embedded_svg.hpp"

#include "rta/model/error.hpp"

namespace rta::report {
namespace {

/// Without what stands from `begin` to the next `end`; Graphviz escapes both in texts.
std::string without(std::string_view text, std::string_view begin, std::string_view end) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    const std::size_t from = text.find(begin);
    const std::size_t to = from == std::string_view::npos ? from : text.find(end, from + begin.size());
    out += text.substr(0, to == std::string_view::npos ? to : from);
    if (to == std::string_view::npos) return out;
    text.remove_prefix(to + end.size());
  }
}

}  // namespace

std::string embedded_svg(std::string_view file) {
  const std::size_t start = file.find("<svg");
  require(start != std::string_view::npos, "a picture of Graphviz is SVG");
  std::string svg = without(file.substr(start), "<!--", "-->");
  svg = without(svg, "<title>", "</title>");
  return without(svg, " id=\"", "\"");
}

}  // namespace rta::report
