#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "choice.hpp"
#include "command.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/report/sweep_report.hpp"

namespace rta::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr Choice<report::SweepChart> charts[] = {{"acceptance", report::SweepChart::acceptance},
                                                 {"bounds", report::SweepChart::bounds},
                                                 {"ratios", report::SweepChart::ratios},
                                                 {"heat", report::SweepChart::heat}};

po::options_description options() {
  po::options_description all;
  all.add_options()("output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "figure to write: .pdf, .svg or .png (through gnuplot), .gp (the gnuplot script) or .html (all charts, interactive); "
                    "may be repeated");
  all.add_options()("chart", po::value<std::string>()->value_name("NAME")->default_value("acceptance"),
                    "acceptance (ratio of schedulable sets), bounds (relative to the periods), ratios (relative to the first analysis) or "
                    "heat (acceptance over two parameters, a map for each analysis)");
  all.add_options()("along", po::value<std::string>()->value_name("PARAMETER"),
                    "parameter of the horizontal axis (default: the first utilization of the grid, or else its first number)");
  all.add_options()("across", po::value<std::string>()->value_name("PARAMETER"), "parameter of the vertical axis of a heat map");
  return all;
}

std::optional<std::size_t> parameter(const po::variables_map& given, const std::string& option, const report::SweepSummary& sweep) {
  if (given.count(option) == 0) return std::nullopt;
  const std::string name = given[option].as<std::string>();
  std::string allowed;
  for (std::size_t k = 0; k < sweep.parameters.size(); ++k) {
    if (sweep.parameters[k] == name) return k;
    allowed += (allowed.empty() ? "" : ", ") + sweep.parameters[k];
  }
  throw UsageError(fmt::format("--{} '{}': the grid does not vary it (it varies: {})", option, name, allowed));
}

// Runs gnuplot on a script that writes `drawn`.
void draw(const std::string& script, const fs::path& drawn) {
  fs::path script_path = drawn;
  script_path += ".gp";
  io::write_file(script_path, script);
  std::string program = "gnuplot";
  std::string argument = script_path.string();
  std::array<char*, 3> words{program.data(), argument.data(), nullptr};
  ::pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), nullptr, nullptr, words.data(), environ);
  int status = 0;
  if (error == 0) {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  fs::remove(script_path);
  if (error == ENOENT) throw std::invalid_argument("gnuplot is not installed (Debian: gnuplot-nox); .gp and .html do without it");
  if (error != 0) throw std::system_error(error, std::generic_category(), program);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && fs::exists(drawn)) return;
  fs::remove(drawn);
  throw std::invalid_argument("gnuplot failed to draw the figure");
}

ExitStatus run(const po::variables_map& given, const std::vector<std::string>& arguments) {
  if (given.count("output") == 0) throw UsageError("name the figure: -o FILE.pdf, .svg, .png, .gp or .html");
  const auto chart = chosen("chart", given["chart"].as<std::string>(), charts);
  const report::SweepSummary sweep = report::read_sweep(arguments.front());
  const auto along = parameter(given, "along", sweep);
  const auto across = parameter(given, "across", sweep);
  for (const std::string& output : given["output"].as<std::vector<std::string>>()) {
    const fs::path path = output;
    const std::string extension = path.extension().string();
    if (extension == ".html") {
      io::write_file(path, html(sweep_page(sweep)));
    } else if (extension == ".gp") {
      fs::path figure = path;
      io::write_file(path, gnuplot_script(sweep, chart, figure.replace_extension(".pdf"), along, across));
    } else {
      // Drawn beside the figure and renamed, so that no half figure ever has its name.
      fs::path drawn = path;
      drawn.replace_extension(".new" + extension);
      draw(gnuplot_script(sweep, chart, drawn, along, across), drawn);
      fs::rename(drawn, path);
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
      options,
      1,
      run};
  return command;
}

}  // namespace rta::cli
