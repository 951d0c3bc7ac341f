#include "still_marks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "text_width.hpp"
#include "xml_text.hpp"

namespace rta::report {
namespace {

// To a tenth of a pixel, in few characters: timelines have thousands.
double tenths(double pixels) { return std::round(10 * pixels) / 10; }

}  // namespace

std::string StillLook::attributes() const {
  std::string out = fmt::format("fill=\"{}\"", xml_text(fill));
  if (fill_opacity != 1 && fill != "none") out += fmt::format(" fill-opacity=\"{:g}\"", fill_opacity);
  if (stroke != "none" && stroke_width > 0) {
    out += fmt::format(" stroke=\"{}\"", xml_text(stroke));
    if (stroke_width != 1) out += fmt::format(" stroke-width=\"{:g}\"", stroke_width);
    if (stroke_opacity != 1) out += fmt::format(" stroke-opacity=\"{:g}\"", stroke_opacity);
    if (!dash.empty()) out += fmt::format(" stroke-dasharray=\"{:g}\"", fmt::join(dash, " "));
  }
  if (opacity != 1) out += fmt::format(" opacity=\"{:g}\"", opacity);
  return out;
}

void StillCanvas::room(double x, double y) {
  if (clipped_) return;
  left_ = std::min(left_, x);
  right_ = std::max(right_, x);
  top_ = std::min(top_, y);
  bottom_ = std::max(bottom_, y);
}

void StillCanvas::path(const std::string& path, std::pair<double, double> least, std::pair<double, double> most, const StillLook& look) {
  room(least.first, least.second);
  room(most.first, most.second);
  std::string attributes = look.attributes();
  const auto same = std::ranges::find(paths_, attributes, &std::pair<std::string, std::string>::first);
  if (same == paths_.end()) {
    paths_.emplace_back(std::move(attributes), path);
  } else {
    same->second += path;
  }
}

void StillCanvas::rectangle(double left, double top, double right, double bottom, const StillLook& look) {
  if (right < left) std::swap(left, right);
  if (bottom < top) std::swap(top, bottom);
  const double width = tenths(right - left);
  path(fmt::format("M{:g} {:g}h{:g}v{:g}h{:g}z", tenths(left), tenths(top), width, tenths(bottom - top), -width), {left, top},
       {right, bottom}, look);
}

void StillCanvas::line(double x1, double y1, double x2, double y2, const StillLook& look) {
  path(fmt::format("M{:g} {:g}L{:g} {:g}", tenths(x1), tenths(y1), tenths(x2), tenths(y2)), {std::min(x1, x2), std::min(y1, y2)},
       {std::max(x1, x2), std::max(y1, y2)}, look);
}

void StillCanvas::flush() {
  for (const auto& [attributes, path] : paths_) out_ += fmt::format("<path {} d=\"{}\"/>\n", attributes, path);
  paths_.clear();
}

void StillCanvas::text(const StillText& text) {
  flush();
  const std::string shown = text.limit > 0 ? fitting_text(text.text, text.limit, text.size) : text.text;
  const double length = text_width(shown, text.size);
  const double before = text.anchor == "end" ? length : text.anchor == "middle" ? length / 2 : 0;
  if (text.upright) {
    room(text.x - text.size, text.y + before);
    room(text.x + 3, text.y + before - length);
  } else {
    room(text.x - before, text.y - text.size);
    room(text.x - before + length, text.y + 3);
  }
  out_ += text.upright ? fmt::format("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\"", text.x, text.y)
                       : fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"", text.x, text.y);
  if (text.anchor != "start") out_ += fmt::format(" text-anchor=\"{}\"", text.anchor);
  if (text.size != still_text) out_ += fmt::format(" font-size=\"{:g}\"", text.size);
  if (text.fill != "var(--ink)") out_ += fmt::format(" fill=\"{}\"", xml_text(text.fill));
  if (text.italic) out_ += " font-style=\"italic\"";
  out_ += fmt::format(">{}</text>\n", xml_text(shown));
}

void StillCanvas::clip(double width, double height) {
  flush();
  room(0, 0);
  room(width, height);
  out_ += fmt::format("<svg x=\"0\" y=\"0\" width=\"{:.1f}\" height=\"{:.1f}\" overflow=\"hidden\">\n", width, height);
  clipped_ = true;
}

void StillCanvas::unclip() {
  flush();
  out_ += "</svg>\n";
  clipped_ = false;
}

std::string StillCanvas::svg() {
  flush();
  constexpr double margin = 5;
  const double width = right_ - left_ + 2 * margin, height = bottom_ - top_ + 2 * margin;
  return fmt::format(
      "<svg width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"{:.1f} {:.1f} {:.1f} {:.1f}\" font-size=\"{:g}\" fill=\"var(--ink)\" "
      "aria-hidden=\"true\">\n{}</svg>\n",
      width, height, left_ - margin, top_ - margin, width, height, still_text, out_);
}

}  // namespace rta::report
