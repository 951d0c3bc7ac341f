#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "choice.hpp"
#include "command.hpp"
#include "io/shown_text.hpp"
#include "output.hpp"
#include "process/temporary.hpp"
#include "process/tool.hpp"
#include "rta/io/new_file.hpp"
#include "rta/report/sweep_report.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr Choice<report::SweepChart> charts[] = {{"acceptance", report::SweepChart::acceptance},
                                                 {"bounds", report::SweepChart::bounds},
                                                 {"ratios", report::SweepChart::ratios},
                                                 {"tightness", report::SweepChart::tightness},
                                                 {"heat", report::SweepChart::heat}};

constexpr Choice<bool> scales[] = {{"shared", true}, {"free", false}};

po::options_description options_of_plot() {
  po::options_description all;
  all.add_options()("output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "figure to write: .pdf, .svg or .png (through gnuplot), .gp (the gnuplot script) or .html (all charts, interactive); "
                    "may be repeated");
  all.add_options()(
      "chart", po::value<std::string>()->value_name("NAME")->default_value("acceptance"),
      "acceptance (ratio of schedulable sets), bounds (relative to the periods), ratios (relative to the first analysis), "
      "tightness (bound relative to what simulations showed) or heat (acceptance over two parameters, a map for each analysis)");
  all.add_options()("along", po::value<std::string>()->value_name("PARAMETER"),
                    "parameter of the horizontal axis (default: the first utilization of the grid, or else its first number)");
  all.add_options()("across", po::value<std::string>()->value_name("PARAMETER"), "parameter of the vertical axis of a heat map");
  all.add_options()("scales", po::value<std::string>()->value_name("HOW")->default_value("shared"),
                    "ranges of a figure's panels: shared (the same for all) or free; pages have shared ones");
  all.add_options()("label", po::value<std::vector<std::string>>()->composing()->value_name("OLD=NEW"),
                    "call that analysis or parameter NEW in legends, titles and axes; may be repeated");
  add_quiet_option(all);
  return all;
}

/// --label, checked: names that exist, each once, and no two analyses or parameters with one label.
std::map<std::string, std::string> labels(const po::variables_map& given, const sweep::Results& sweep) {
  std::map<std::string, std::string> all;
  if (given.count("label") == 0) return all;
  std::vector<std::string> names = sweep.analyses;
  names.insert(names.end(), sweep.parameters.begin(), sweep.parameters.end());
  for (const std::string& text : given["label"].as<std::vector<std::string>>()) {
    // A name may have equals signs: the longest that there is.
    std::optional<std::string> old;
    for (const std::string& name : names) {
      if (text.starts_with(name + "=") && (!old || name.size() > old->size())) old = name;
    }
    if (!old) {
      std::string allowed;
      for (const std::string& name : names) allowed += (allowed.empty() ? "" : ", ") + name;
      throw UsageError(fmt::format("--label '{}': OLD=NEW is expected, where OLD is an analysis or a parameter ({})", text, allowed));
    }
    const std::string label = text.substr(old->size() + 1);
    if (io::shown(label) != label || label.find_first_of("\t\n") != std::string::npos)
      throw UsageError(fmt::format("--label '{}': the new name has a control character, or is no UTF-8", text));
    if (label.empty()) throw UsageError(fmt::format("--label '{}': the new name is empty", text));
    if (!all.emplace(*old, label).second) throw UsageError(fmt::format("--label '{}': '{}' already has a label", text, *old));
  }
  for (const auto* group : {&sweep.analyses, &sweep.parameters}) {
    std::set<std::string> shown;
    for (const std::string& name : *group) {
      const auto at = all.find(name);
      const std::string& label = at == all.end() ? name : at->second;
      if (!shown.insert(label).second) throw UsageError(fmt::format("--label: two would be called '{}'", label));
    }
  }
  return all;
}

std::optional<std::size_t> parameter(const po::variables_map& given, const std::string& option, const sweep::Results& sweep) {
  if (given.count(option) == 0) return std::nullopt;
  const std::string name = given[option].as<std::string>();
  std::string allowed;
  for (std::size_t k = 0; k < sweep.parameters.size(); ++k) {
    if (sweep.parameters[k] == name) return k;
    allowed += (allowed.empty() ? "" : ", ") + sweep.parameters[k];
  }
  throw UsageError(fmt::format("--{} '{}': the grid does not vary it (it varies: {})", option, name, allowed));
}

fs::path made_beside(const fs::path& path) {
  try {
    return process::make_folder(path.string() + ".");
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), path.string());
  }
}

constexpr std::string_view drawn_kinds[] = {".pdf", ".svg", ".png"};

void require_figure_name(const fs::path& path) {
  const std::string kind = path.extension().string();
  if (kind == ".gp" || kind == ".html" || std::ranges::find(drawn_kinds, kind) != std::end(drawn_kinds)) return;
  throw UsageError(fmt::format("--output '{}': a figure's name ends in .pdf, .svg, .png, .gp or .html", path.string()));
}

/// Runs gnuplot. The figure is drawn in a folder beside it and then written as a whole, so that no half figure ever has its name.
template <class Script>
void draw(const fs::path& path, const Script& script_for, bool quiet) {
  if (fs::is_directory(path)) throw std::system_error(EISDIR, std::generic_category(), path.string());
  const process::Temporary folder([&] { return made_beside(path); });
  const fs::path drawn = folder.path() / ("figure" + path.extension().string());
  const fs::path script = folder.path() / "figure.gp";
  io::write_file(script, script_for(drawn));
  const process::ToolOutput gnuplot = process::run_tool({"gnuplot", "-d", fs::absolute(script).string()});
  if (!gnuplot.started) throw UserError("gnuplot is missing (Debian: gnuplot-nox); .gp and .html do without it");
  if (!quiet || gnuplot.status != 0) std::cerr << gnuplot.text;
  if (gnuplot.status != 0 || !fs::exists(drawn)) throw UserError("gnuplot failed to draw '" + path.string() + "'");
  std::ifstream figure(drawn, std::ios::binary);
  io::write_file(path, std::string(std::istreambuf_iterator<char>(figure), {}));
}

ExitStatus run_plot(const po::variables_map& given, const std::vector<std::string>& arguments) {
  if (given.count("output") == 0) throw UsageError("name the figure: -o FILE.pdf, .svg, .png, .gp or .html");
  const auto& outputs = given["output"].as<std::vector<std::string>>();
  for (const std::string& output : outputs) require_figure_name(output);
  const auto chart = chosen("chart", given["chart"].as<std::string>(), charts);
  const bool shared_scales = chosen("scales", given["scales"].as<std::string>(), scales);
  sweep::Results sweep = sweep::read_results(arguments.front());
  sweep.labels = labels(given, sweep);
  const auto simulated = [](const sweep::SummaryEntry& entry) { return entry.over_observed.has_value(); };
  if (chart == report::SweepChart::tightness && std::ranges::none_of(sweep.entries, simulated)) {
    throw UserError(sweep.summary.string() + ": nothing was simulated; give analyses `simulate: TIME` (and `search: RUNS`)");
  }
  const report::SweepFigure wanted{parameter(given, "along", sweep), parameter(given, "across", sweep), shared_scales};
  for (const std::string& output : outputs) {
    const fs::path path = output;
    const std::string extension = path.extension().string();
    if (extension == ".html") {
      const Target target{path, report::format_named("html")};
      write_report<sweep::Results>(target, sweep);
    } else if (extension == ".gp") {
      fs::path figure = path;
      io::write_file(path, gnuplot_script(sweep, chart, figure.replace_extension(".pdf"), wanted));
    } else {
      draw(
          path, [&](const fs::path& drawn) { return gnuplot_script(sweep, chart, drawn, wanted); }, given["quiet"].as<bool>());
    }
  }
  return ExitStatus::yes;
}

}  // namespace

const Command& plot_command() {
  static const Command command{
      "plot",
      "DIR",
      "Draw the results of a sweep",
      "Reads the summaries in DIR, the folder of a finished sweep, and draws them: as a figure for a paper (PDF, SVG or PNG through "
      "gnuplot), as the gnuplot script of that figure, or as a self-contained interactive HTML page. Parameters of the grid that are not "
      "on "
      "an axis give a panel for each of their combinations.\n\n"
      "The exit status is 0, or 2 for bad input or usage.",
      options_of_plot,
      1,
      run_plot,
      0,
      {{"rta plot evaluation -o acceptance.svg", "the share of sets that each analysis accepts"},
       {"rta plot evaluation -o evaluation.html", "the same as a page with tables"}}};
  return command;
}

}  // namespace rta::cli
