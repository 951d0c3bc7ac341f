#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "io/diagnostics.hpp"
#include "report/parts/series_colours.hpp"
#include "report/parts/text_width.hpp"
#include "rta/model/error.hpp"
#include "rta/report/sweep_report.hpp"
#include "sweep_panels.hpp"

namespace rta::report {
namespace {

// A text for gnuplot. Within single quotes nothing has a meaning but the quote itself: between double quotes, back-quotes run commands.
std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      throw UserError(fmt::format("{}: has a control character, which no figure can show", io::quote(text)));
    out.append(c == '\'' ? 2 : 1, c);
  }
  return out + "'";
}

// Lines, of which gnuplot makes one text.
std::string gnuplot_lines(std::string_view text) {
  std::string out;
  for (bool more = true; more;) {
    const std::size_t end = text.find('\n');
    more = end != std::string_view::npos;
    out += gnuplot_text(text.substr(0, end)) + (more ? ".\"\\n\"." : "");
    if (more) text.remove_prefix(end + 1);
  }
  return out;
}

// A name that starts otherwise would be a command or somebody's home for gnuplot.
std::string gnuplot_output(const std::filesystem::path& output) {
  const std::string name = output.string();
  return gnuplot_text(name.starts_with('|') || name.starts_with('~') ? "./" + name : name);
}

// A panel's title, broken after commas so that its lines fit the panel.
std::string title_text(std::string_view title, std::size_t longest_line) {
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

// Lengths in cm; the origin is below on the left.
struct Layout {
  std::size_t columns = 1, rows = 1;
  double panel_width = 8.6, panel_height = 6.2;  // a column of a paper
  double legend_height = 0;
  std::size_t legend_columns = 1;
  [[nodiscard]] double width() const { return panel_width * static_cast<double>(columns); }
  [[nodiscard]] double height() const { return panel_height * static_cast<double>(rows) + legend_height; }
  [[nodiscard]] std::size_t title_letters() const { return panel_width > 6 ? 44 : 30; }
};

Layout layout_of(std::size_t panels, const std::vector<std::string>& legend) {
  Layout layout;
  layout.columns = panels == 1 ? 1 : panels <= 6 ? 2 : 3;
  if (layout.columns == 3) {  // two columns of a paper
    layout.panel_width = 5.8;
    layout.panel_height = 4.8;
  }
  layout.rows = (panels + layout.columns - 1) / layout.columns;
  if (legend.empty()) return layout;
  std::size_t longest = 0;
  for (const std::string& name : legend) longest = std::max(longest, letters(name));
  const double entry = 1.4 + 0.16 * static_cast<double>(longest);  // with its sign
  layout.legend_columns = std::clamp<std::size_t>(static_cast<std::size_t>(layout.width() / entry), 1, legend.size());
  layout.legend_height = 0.3 + 0.42 * std::ceil(static_cast<double>(legend.size()) / static_cast<double>(layout.legend_columns));
  return layout;
}

std::string terminal_of(const std::filesystem::path& output, const Layout& layout) {
  const double width = layout.width();
  const double height = layout.height();
  const std::string extension = output.extension().string();
  if (extension == ".pdf") return fmt::format("pdfcairo noenhanced size {:.2f}cm,{:.2f}cm font \"sans,8\"", width, height);
  if (extension == ".svg") return fmt::format("svg noenhanced size {:.0f},{:.0f} dynamic font \"sans,11\"", width * 52, height * 52);
  if (extension == ".png") return fmt::format("pngcairo noenhanced size {:.0f},{:.0f} font \"sans,16\"", width * 79, height * 79);
  throw UserError("'" + output.string() + "': a figure's name ends in .pdf, .svg or .png");
}

// Where the next plot stands.
std::string panel_place(const Layout& layout, std::size_t panel) {
  const auto column = static_cast<double>(panel % layout.columns);
  const std::size_t above = panel / layout.columns;
  const auto row = static_cast<double>(above);
  return fmt::format("set size {:.4f},{:.4f}\nset origin {:.4f},{:.4f}\n", layout.panel_width / layout.width(),
                     layout.panel_height / layout.height(), column * layout.panel_width / layout.width(),
                     (layout.height() - (row + 1) * layout.panel_height) / layout.height());
}

// How the curve of an analysis looks, in every figure of its sweep.
std::string look(std::size_t analysis) {
  constexpr std::array<int, 8> signs{4, 6, 8, 10, 12, 5, 7, 9};  // outlines first: one within another is seen
  const std::vector<int> dashes = curve_dashes(analysis);
  return fmt::format("with linespoints linecolor rgb \"{}\" {} pointtype {} pointsize 0.6 linewidth 1.5", curve_colour(analysis),
                     dashes.empty() ? "dashtype solid" : fmt::format("dashtype ({})", fmt::join(dashes, ",")),
                     signs[analysis % signs.size()]);
}

// Tick marks with their texts, which gnuplot reads as formats of numbers.
std::string tics(const SweepAxis& axis) {
  const auto label = [](const std::string& text) {
    std::string out;
    for (char c : text) out.append(c == '%' ? 2 : 1, c);
    return gnuplot_text(out);
  };
  std::string text;
  for (std::size_t i = 0; i < axis.texts.size(); ++i) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", label(axis.texts[i]),
                        axis.numeric ? axis.position(axis.texts[i]) : static_cast<double>(i));
  }
  return "(" + text + ")";
}

using Legend = std::vector<std::pair<std::string, std::size_t>>;  // name and colour

// The names of all panels, in the order of the sweep.
Legend legend_of(const Panels& panels) {
  std::map<std::size_t, std::string> names;
  for (const Panel& panel : panels.panels) {
    for (const Curve& curve : panel.curves) names.emplace(curve.colour, curve.name);
  }
  Legend legend;
  for (const auto& [colour, name] : names) legend.emplace_back(name, colour);
  return legend;
}

// Below the panels: a plot whose lines are out of sight.
std::string legend_script(const Layout& layout, const Legend& legend) {
  std::string script = fmt::format(
      "unset title\nunset xlabel\nunset ylabel\nunset tics\nunset border\nunset grid\nunset logscale\nset lmargin 0\nset rmargin 0\nset "
      "tmargin 0\nset bmargin 0\nset size 1,{:.4f}\nset origin 0,0\nset xrange [0:1]\nset yrange [0:1]\nset key center center horizontal "
      "Left "
      "reverse maxcols {}\nplot ",
      layout.legend_height / layout.height(), layout.legend_columns);
  for (std::size_t i = 0; i < legend.size(); ++i) {
    script += fmt::format("{}-1 {} title {}", i == 0 ? "" : ", \\\n     ", look(legend[i].second), gnuplot_text(legend[i].first));
  }
  return script + "\n";
}

// The points of a curve, with an empty line at each gap.
std::string block_of(const Curve& curve) {
  std::string block;
  for (const auto& [first, end] : runs_of(curve)) {
    if (first > 0) block += "\n";
    for (std::size_t i = first; i < end; ++i) {
      const CurvePoint& point = curve.points[i];
      block += fmt::format("{} {} {} {}\n", point.x, point.y, point.low, point.high);
    }
  }
  return block;
}

std::string scales_script(const Panels& panels, SweepChart chart, bool shared) {
  std::string script;
  if (shared && panels.panels.size() > 1) {
    script += fmt::format("set yrange [{}:{}]\n", panels.least_y, panels.most_y);
    if (panels.x.numeric) script += fmt::format("set xrange [{}:{}]\n", panels.least_x, panels.most_x);
  }
  if (chart == SweepChart::acceptance) script += "set yrange [0:1.02]\n";
  if (panels.logarithmic) script += "set logscale y\n";
  if (!panels.x.numeric)
    script += fmt::format("set xtics {}\nset xrange [-0.5:{}]\n", tics(panels.x), static_cast<double>(panels.x.texts.size()) - 0.5);
  return script;
}

std::string curves_script(const Panels& panels, SweepChart chart, const std::filesystem::path& output, bool shared_scales) {
  const Legend legend = legend_of(panels);
  std::vector<std::string> names;
  for (const auto& [name, colour] : legend) names.push_back(name);
  const Layout layout = layout_of(panels.panels.size(), names);
  std::string data;
  std::string plots;
  for (std::size_t p = 0; p < panels.panels.size(); ++p) {
    const Panel& panel = panels.panels[p];
    plots += panel_place(layout, p);
    plots += fmt::format("set title {} font \",9\"\nplot ", gnuplot_lines(title_text(panel.title, layout.title_letters())));
    std::string bands;
    std::string lines;
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      const Curve& curve = panel.curves[c];
      const std::string block = fmt::format("$curve_{}_{}", p, c);
      data += block + " << EOD\n" + block_of(curve) + "EOD\n";
      bands +=
          fmt::format("{} using 1:3:4 with filledcurves fillstyle transparent solid 0.15 noborder linecolor rgb \"{}\" notitle, \\\n     ",
                      block, curve_colour(curve.colour));
      lines += fmt::format("{}{} using 1:2 {} notitle", c == 0 ? "" : ", \\\n     ", block, look(curve.colour));
    }
    plots += bands + lines + "\n";
  }
  std::string script = fmt::format("set terminal {}\nset output {}\n", terminal_of(output, layout), gnuplot_output(output));
  script += data;
  script += fmt::format("set xlabel {}\nset ylabel {}\nset grid linecolor rgb \"#cccccc\" linetype 1 linewidth 0.5\nunset key\n",
                        gnuplot_text(panels.x.label), gnuplot_text(panels.y_label));
  script += scales_script(panels, chart, shared_scales);
  return script + "set multiplot\n" + plots + legend_script(layout, legend) + "unset multiplot\n";
}

std::string heat_script(const sweep::Results& sweep, std::size_t along, std::size_t across, const std::filesystem::path& output) {
  SweepAxis x = axis_of(sweep, along);
  SweepAxis y = axis_of(sweep, across);
  x.numeric = y.numeric = false;  // cells of equal size
  const auto maps = heat_maps(sweep, along, across);
  const Layout layout = layout_of(maps.size(), {});
  std::string script = fmt::format("set terminal {}\nset output {}\n", terminal_of(output, layout), gnuplot_output(output));
  for (std::size_t m = 0; m < maps.size(); ++m) {
    script += fmt::format("$map_{} << EOD\n", m);
    for (const HeatCell& cell : maps[m].cells) script += fmt::format("{} {} {}\n", x.position(cell.x), y.position(cell.y), cell.acceptance);
    script += "EOD\n";
  }
  script += fmt::format("set xlabel {}\nset ylabel {}\nset xtics {}\nset ytics {}\nset xrange [-0.5:{}]\nset yrange [-0.5:{}]\n",
                        gnuplot_text(x.label), gnuplot_text(y.label), tics(x), tics(y), static_cast<double>(x.texts.size()) - 0.5,
                        static_cast<double>(y.texts.size()) - 0.5);
  script +=
      "set cbrange [0:1]\nset cblabel \"acceptance ratio\"\nset palette defined (0 \"#440154\", 0.25 \"#3b528b\", 0.5 \"#21918c\", 0.75 "
      "\"#5ec962\", 1 \"#fde725\")\nunset key\n";
  if (maps.size() > 1) script += "set multiplot\n";
  for (std::size_t m = 0; m < maps.size(); ++m) {
    if (maps.size() > 1) script += panel_place(layout, m);
    script +=
        fmt::format("set title {}\nplot $map_{} using 1:2:(0.5):(0.5):3 with boxxyerror fillstyle solid 1 noborder linecolor palette\n",
                    gnuplot_lines(title_text(maps[m].title, layout.title_letters())), m);
  }
  if (maps.size() > 1) script += "unset multiplot\n";
  return script;
}

}  // namespace

std::string gnuplot_script(const sweep::Results& sweep, SweepChart chart, const std::filesystem::path& output, SweepFigure figure) {
  if (!figure.along) figure.along = curve_parameter(sweep);
  if (!figure.along) throw UserError("the sweep has a single point: there is no parameter to plot against");
  if (chart == SweepChart::heat) {
    if (!figure.across) figure.across = heat_parameter(sweep, *figure.along);
    if (!figure.across || *figure.across == *figure.along) throw UserError("a heat map needs two parameters that vary");
    return heat_script(sweep, *figure.along, *figure.across, output);
  }
  const Panels panels = panels_of(sweep, chart, *figure.along);
  if (panels.panels.empty()) {
    throw UserError(chart == SweepChart::ratios ? "no two analyses bound the same task set: there is no ratio to plot"
                                                : "no analysis bounds any task set: there is nothing to plot");
  }
  return curves_script(panels, chart, output, figure.shared_scales);
}

}  // namespace rta::report
