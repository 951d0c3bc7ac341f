#include "timeline_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/parts/text_width.hpp"
#include "report/parts/xml_text.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

constexpr double width = 1000;
constexpr double margin = 10;
constexpr double small_text = 10;
constexpr double text_size = 11;
constexpr double most_label = 190;             // of a row
constexpr std::size_t most_explained = 2'000;  // bars, in whose figure each says what its job waits for
constexpr double line = 16;                    // of the legend

// Steps of 1, 2 or 5 times a power of ten, in ns; about ten of them.
Time tick_step(Time span) {
  const double rough = std::max(1.0, static_cast<double>(span.count()) / 10);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return Time(static_cast<std::int64_t>(factor * power));
  }
  return Time(static_cast<std::int64_t>(10 * power));
}

class Figure {
 public:
  Figure(const TimelineDrawing& drawing, const std::string& title) : drawing_(drawing) {
    double longest = 0;
    for (const DrawnRow& row : drawing.rows) longest = std::max(longest, text_width(row.name, text_size));
    left_ = margin + std::min(longest, most_label) + 8;
    right_ = width - margin - 10;
    top_ = margin + 20;
    add_legend();
    add_axis();
    for (const DrawnRow& row : drawing.rows) add_row(row);
    for (const DrawnLink& link : drawing.links) {
      out_ += fmt::format(
          "<line class=\"link\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\" stroke=\"{3}\" stroke-width=\"2\"/>\n",
          x(link.at), top_ + link.from, top_ + link.to, link.fill);
    }
    for (const DrawnBar& bar : drawing.bars) add_bar(bar);
    for (const DrawnMark& mark : drawing.marks) add_mark(mark);
    const double height = top_ + drawing.height + 40;
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"{2}\" fill=\"#1c2733\">\n<title>{3}</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        "<text x=\"{4}\" y=\"{5}\" font-size=\"13\" font-weight=\"bold\">{6}</text>\n",
        width, height, text_size, xml_text(title), margin, margin + 10, xml_text(fitting_text(title, width - 2 * margin, text_size)));
    svg_ += out_ + "</svg>\n";
  }

  std::string take() { return std::move(svg_); }

 private:
  [[nodiscard]] double x(Time at) const {
    const auto span = static_cast<double>((drawing_.last - drawing_.first).count());
    return left_ + (right_ - left_) * static_cast<double>((at - drawing_.first).count()) / span;
  }

  // A sign and its name; the next begins beside it or below.
  void add_entry(const std::string& sign, const std::string& name) {
    const double wide = 18 + text_width(name, small_text) + 12;
    if (legend_x_ + wide > right_ && legend_x_ > margin) {
      legend_x_ = margin;
      top_ += line;
    }
    out_ +=
        fmt::format("<g class=\"entry\" transform=\"translate({:.1f},{:.1f})\">{}<text x=\"16\" y=\"9\" font-size=\"{}\">{}</text></g>\n",
                    legend_x_, top_, sign, small_text, xml_text(name));
    legend_x_ += wide;
  }

  void add_legend() {
    const auto square = [](const std::string& more) { return "<rect width=\"12\" height=\"10\" " + more + "/>"; };
    if (drawing_.legend.size() > 1) {
      for (const auto& [name, fill] : drawing_.legend) add_entry(square("fill=\"" + fill + "\""), name);
    }
    const std::string grey = "stroke=\"#666666\" fill=\"#666666\" ";
    if (drawing_.copies) add_entry(square("fill-opacity=\"0.6\" " + grey), "copies");
    if (drawing_.waits) add_entry(square("fill-opacity=\"0.28\" stroke-dasharray=\"3 2\" " + grey), "waits");
    if (drawing_.blocked)
      add_entry(square("fill=\"#666666\" fill-opacity=\"0.28\" stroke=\"#d55e00\" stroke-width=\"2\""), "head of the queue, no room");
    const auto has = [&](MarkKind kind) { return std::ranges::any_of(drawing_.marks, [&](const DrawnMark& m) { return m.kind == kind; }); };
    if (has(MarkKind::release)) add_entry("<path d=\"M6 1L11 10H1Z\" fill=\"#666666\"/>", drawing_.experiment ? "launch" : "release");
    if (has(MarkKind::deadline)) add_entry("<path d=\"M6 10L11 1H1Z\" fill=\"#666666\"/>", "deadline");
    if (has(MarkKind::missed)) add_entry("<path d=\"M6 10L11 1H1Z\" fill=\"#d55e00\"/>", "deadline missed");
    top_ += line + 8;
  }

  void add_axis() {
    const Time step = tick_step(drawing_.last - drawing_.first);
    const double bottom = top_ + drawing_.height;
    std::int64_t tick = drawing_.first.count() / step.count() * step.count();
    if (tick < drawing_.first.count()) tick += step.count();
    double free_from = 0;
    for (; tick <= drawing_.last.count(); tick += step.count()) {
      const double at = x(Time(tick));
      out_ += fmt::format("<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\" stroke=\"#d9e0e7\"/>\n", at, top_, bottom);
      const std::string label = time_text(Time(tick));
      const double half = text_width(label, small_text) / 2;
      if (at - half < free_from || at + half > width) continue;
      free_from = at + half + 6;
      out_ += fmt::format("<text class=\"tick\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" font-size=\"{}\">{}</text>\n", at,
                          bottom + 14, small_text, label);
    }
    out_ += fmt::format("<line x1=\"{0:.2f}\" x2=\"{1:.2f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\" stroke=\"#5b6b7a\"/>\n", left_, right_, bottom);
  }

  void add_row(const DrawnRow& row) {
    out_ += fmt::format("<text class=\"row\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\"{}>{}</text>\n", left_ - 8,
                        top_ + (row.top + row.bottom) / 2 + 4, row.queue ? " font-style=\"italic\"" : "",
                        xml_text(fitting_text(row.name, most_label, text_size)));
    out_ += fmt::format("<line x1=\"{0:.2f}\" x2=\"{1:.2f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\" stroke=\"#e6eaee\"/>\n", left_, right_,
                        top_ + row.bottom + 2.5);
  }

  void add_bar(const DrawnBar& bar) {
    const double from = std::max(left_, x(bar.start));
    const double to = std::min(right_, std::max(x(bar.end), from + 1.5));
    if (to <= from) return;
    const bool narrow = to - from < 6;  // a frame would hide it
    std::string look;
    switch (bar.style) {
      case BarStyle::runs:
        look = narrow ? "class=\"runs\"" : R"(class="runs" fill-opacity="0.9" stroke="#ffffff" stroke-width="0.5")";
        break;
      case BarStyle::copies: look = fmt::format(R"(class="copies" fill-opacity="0.6" stroke-width="{}")", narrow ? 0.5 : 1); break;
      case BarStyle::waits:
        look = fmt::format(R"(class="waits" fill-opacity="0.28" stroke-dasharray="3 2" stroke-width="{}")", narrow ? 0.5 : 1);
        break;
      case BarStyle::blocked:
        look = fmt::format(R"(class="blocked" fill-opacity="0.28" stroke="#d55e00" stroke-width="{}")", narrow ? 0.5 : 2);
        break;
    }
    std::string tooltip = bar.tooltip;
    if (!bar.waits.empty() && drawing_.bars.size() <= most_explained) tooltip += "\nwaits for " + bar.waits;
    const bool own_stroke = bar.style == BarStyle::runs || bar.style == BarStyle::blocked;
    out_ += fmt::format("<rect {} x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"{}><title>{}</title></rect>\n",
                        look, from, top_ + bar.top, to - from, bar.bottom - bar.top, bar.fill,
                        own_stroke ? "" : " stroke=\"" + bar.fill + "\"", xml_text(tooltip));
    if (bar.bottom - bar.top <= small_text || to - from <= text_width(bar.text, small_text) + 4) return;
    out_ += fmt::format("<text class=\"label\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" font-size=\"{}\"{}>{}</text>\n",
                        (from + to) / 2, top_ + (bar.top + bar.bottom) / 2 + 3.6, small_text,
                        bar.style == BarStyle::runs ? " fill=\"" + bar.ink + "\"" : "", xml_text(bar.text));
  }

  void add_mark(const DrawnMark& mark) {
    const double at = x(mark.at);
    if (at < left_ - 1 || at > right_ + 1) return;
    const double sign = mark.kind == MarkKind::release ? 1 : -1;
    const double y = top_ + mark.y;
    out_ += fmt::format(
        "<path class=\"{}\" d=\"M{:.2f} {:.2f}l5 {:.1f}h-10z\" fill=\"{}\" stroke=\"#555555\" "
        "stroke-width=\"0.5\"><title>{}</title></path>\n",
        sign > 0 ? "release" : "deadline", at, y - sign * 4.5, sign * 9, mark.fill, xml_text(mark.tooltip));
    if (mark.text.empty() || at + 8 + text_width(mark.text, small_text) > width) return;
    out_ += fmt::format("<text class=\"label\" x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\">{}</text>\n", at + 8, y + 3.6, small_text,
                        xml_text(mark.text));
  }

  const TimelineDrawing& drawing_;
  double left_ = 0, right_ = 0, top_ = 0;
  double legend_x_ = margin;
  std::string out_, svg_;
};

}  // namespace

std::string timeline_svg(const TimelineDrawing& drawing, const std::string& title) { return Figure(drawing, title).take(); }

}  // namespace rta::report
