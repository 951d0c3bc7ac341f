#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rta/model/error.hpp"
#include "rta/report/sweep_report.hpp"
#include "sweep_panels.hpp"

namespace rta::report {
namespace {

// A double-quoted gnuplot string.
std::string double_quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out += c == '\n' ? "\\n" : std::string(1, c);
  }
  return out + "\"";
}

// A panel's title, broken after commas so that its lines fit the panel.
std::string title_text(std::string_view title) {
  constexpr std::size_t longest_line = 44;
  std::string lines;
  std::size_t length = 0;
  while (!title.empty()) {
    const std::string_view part = title.substr(0, std::min(title.find(", "), title.size()));
    title.remove_prefix(std::min(part.size() + 2, title.size()));
    if (length > 0) {
      const bool fits = length + 2 + part.size() <= longest_line;
      lines += fits ? ", " : ",\n";
      length = fits ? length + 2 : 0;
    }
    lines += part;
    length += part.size();
  }
  return lines;
}

std::string single_quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') out.push_back('\'');
    out.push_back(c);
  }
  return out + "'";
}

std::string terminal_of(const std::filesystem::path& output, std::size_t columns, std::size_t rows) {
  const double width = 9.0 * static_cast<double>(columns);
  const double height = 7.0 * static_cast<double>(rows);
  const std::string extension = output.extension().string();
  if (extension == ".pdf") return fmt::format("pdfcairo noenhanced size {}cm,{}cm font \"sans,8\"", width, height);
  if (extension == ".svg") return fmt::format("svg noenhanced size {:.0f},{:.0f} dynamic font \"sans,11\"", width * 48, height * 48);
  if (extension == ".png") return fmt::format("pngcairo noenhanced size {:.0f},{:.0f} font \"sans,10\"", width * 60, height * 60);
  throw UserError("'" + output.string() + "': a figure's name ends in .pdf, .svg or .png");
}

// Tick marks with their texts, which gnuplot reads as formats of numbers.
std::string tics(const SweepAxis& axis) {
  const auto label = [](const std::string& text) {
    std::string out;
    for (char c : text) out.append(c == '%' ? 2 : 1, c);
    return double_quoted(out);
  };
  std::string text;
  for (std::size_t i = 0; i < axis.texts.size(); ++i) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", label(axis.texts[i]),
                        axis.numeric ? axis.position(axis.texts[i]) : static_cast<double>(i));
  }
  return "(" + text + ")";
}

struct Layout {
  std::size_t columns, rows;
};
Layout layout_of(std::size_t panels) {
  const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(panels))));
  return {columns, (panels + columns - 1) / columns};
}

std::string curves_script(const Panels& panels, SweepChart chart, const std::filesystem::path& output) {
  std::string data;
  std::string plots;
  for (std::size_t p = 0; p < panels.panels.size(); ++p) {
    const Panel& panel = panels.panels[p];
    plots += fmt::format("set title {} font \",10\"\nplot ", double_quoted(title_text(panel.title)));
    std::string bands;
    std::string lines;
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      const std::string block = fmt::format("$curve_{}_{}", p, c);
      data += block + " << EOD\n";
      for (const CurvePoint& point : panel.curves[c].points) data += fmt::format("{} {} {} {}\n", point.x, point.y, point.low, point.high);
      data += "EOD\n";
      bands += fmt::format("{} using 1:3:4 with filledcurves fillstyle transparent solid 0.15 noborder linecolor {} notitle, \\\n     ",
                           block, c + 1);
      lines += fmt::format("{}{} using 1:2 with linespoints linecolor {} pointtype {} pointsize 0.5 linewidth 1.5 title {}",
                           c == 0 ? "" : ", \\\n     ", block, c + 1, c + 4, double_quoted(panel.curves[c].name));
    }
    plots += bands + lines + "\n";
  }
  const Layout layout = layout_of(panels.panels.size());
  std::string script =
      fmt::format("set terminal {}\nset output {}\n", terminal_of(output, layout.columns, layout.rows), single_quoted(output.string()));
  script += data;
  script += fmt::format("set xlabel {}\nset ylabel {}\nset grid\nset key top left\n", double_quoted(panels.x.label),
                        double_quoted(panels.y_label));
  if (chart == SweepChart::acceptance) script += "set yrange [0:1.02]\nset key bottom left\n";
  if (!panels.x.numeric)
    script += fmt::format("set xtics {}\nset xrange [-0.5:{}]\n", tics(panels.x), static_cast<double>(panels.x.texts.size()) - 0.5);
  if (panels.panels.size() > 1) script += fmt::format("set multiplot layout {},{}\n", layout.rows, layout.columns);
  script += plots;
  if (panels.panels.size() > 1) script += "unset multiplot\n";
  return script;
}

std::string heat_script(const sweep::Results& sweep, std::size_t along, std::size_t across, const std::filesystem::path& output) {
  SweepAxis x = axis_of(sweep, along);
  SweepAxis y = axis_of(sweep, across);
  x.numeric = y.numeric = false;  // cells of equal size
  const auto maps = heat_maps(sweep, along, across);
  const Layout layout = layout_of(maps.size());
  std::string script =
      fmt::format("set terminal {}\nset output {}\n", terminal_of(output, layout.columns, layout.rows), single_quoted(output.string()));
  for (std::size_t m = 0; m < maps.size(); ++m) {
    script += fmt::format("$map_{} << EOD\n", m);
    for (const HeatCell& cell : maps[m].cells) script += fmt::format("{} {} {}\n", x.position(cell.x), y.position(cell.y), cell.acceptance);
    script += "EOD\n";
  }
  script += fmt::format("set xlabel {}\nset ylabel {}\nset xtics {}\nset ytics {}\nset xrange [-0.5:{}]\nset yrange [-0.5:{}]\n",
                        double_quoted(x.label), double_quoted(y.label), tics(x), tics(y), static_cast<double>(x.texts.size()) - 0.5,
                        static_cast<double>(y.texts.size()) - 0.5);
  script +=
      "set cbrange [0:1]\nset cblabel \"acceptance ratio\"\nset palette defined (0 \"#440154\", 0.25 \"#3b528b\", 0.5 \"#21918c\", 0.75 "
      "\"#5ec962\", 1 \"#fde725\")\nunset key\n";
  if (maps.size() > 1) script += fmt::format("set multiplot layout {},{}\n", layout.rows, layout.columns);
  for (std::size_t m = 0; m < maps.size(); ++m) {
    script +=
        fmt::format("set title {}\nplot $map_{} using 1:2:(0.5):(0.5):3 with boxxyerror fillstyle solid 1 noborder linecolor palette\n",
                    double_quoted(title_text(maps[m].title)), m);
  }
  if (maps.size() > 1) script += "unset multiplot\n";
  return script;
}

}  // namespace

std::string gnuplot_script(const sweep::Results& sweep, SweepChart chart, const std::filesystem::path& output,
                           std::optional<std::size_t> along, std::optional<std::size_t> across) {
  if (!along) along = curve_parameter(sweep);
  if (!along) throw UserError("the sweep has a single point: there is no parameter to plot against");
  if (chart == SweepChart::heat) {
    if (!across) across = heat_parameter(sweep, *along);
    if (!across || *across == *along) throw UserError("a heat map needs two parameters that vary");
    return heat_script(sweep, *along, *across, output);
  }
  const Panels panels = panels_of(sweep, chart, *along);
  if (panels.panels.empty()) {
    throw UserError(chart == SweepChart::ratios ? "no two analyses bound the same task set: there is no ratio to plot"
                                                : "no analysis bounds any task set: there is nothing to plot");
  }
  return curves_script(panels, chart, output);
}

}  // namespace rta::report
