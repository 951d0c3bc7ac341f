#include <boost/program_options/value_semantic.hpp>

#include "command.hpp"
#include "evidence.hpp"
#include "output.hpp"
#include "rta/diff/difference.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/report/difference_report.hpp"
#include "task_set_input.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options_of_diff() {
  po::options_description all;
  all.add_options()("verbose,v", po::bool_switch(),
                    "for people: show of nodes what is neither a bound nor a verdict, too (pool, offset, theorem …)");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"),
                    "text (default), json, csv, html, pdf (the page, printed) or md (Markdown)");
  all.add_options()(
      "output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
      "write to FILE instead of standard output; the extension (.txt, .json, .csv, .html, .pdf, .md) tells the format; may be repeated");
  add_evidence_option(all);
  add_quiet_option(all);
  return all;
}

diff::Result read_result(const std::string& path) {
  return diff::parse_result(io::read_task_set_text(path), path == "-" ? "<stdin>" : path);
}

ExitStatus run_diff(const po::variables_map& given, const std::vector<std::string>& arguments) {
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const std::vector<Target> all_targets = targets<report::DifferenceReport>(text_of(given, "format"), outputs);
  require_converters(all_targets, drawn_as<report::DifferenceReport>());
  if (arguments[0] == "-" && arguments[1] == "-") throw UsageError("only one of the two results can come from standard input");
  const diff::Result before = read_result(arguments[0]);
  const diff::Result after = read_result(arguments[1]);
  const diff::Difference difference = diff::compare(before, after);
  for (const Target& target : all_targets) {
    const report::DifferenceReport report{before, after, difference, given["verbose"].as<bool>(),
                                          !target.path && colour_on_standard_output()};
    write_report<report::DifferenceReport>(target, report);
  }
  return difference.worse() ? ExitStatus::no : ExitStatus::yes;
}

}  // namespace

const Command& diff_command() {
  static const Command command{
      "diff",
      "BEFORE.json AFTER.json",
      "Say what changed between two results, and whether it became worse",
      "Reads two results of rta analyze, or two of rta simulate, in JSON (- is standard input), and prints what differs: bounds, verdicts, "
      "theorems, release policies, utilizations; DAGs, nodes, chains and requirements that came or went; and what the results were made "
      "of: the files' "
      "SHA-256, options, version of rta. Verdict and bounds come first, what became worse before the rest.\n\n"
      "A node's bound counts from its offset; where that changed, too, its latest end, offset and bound together, says whether the bound "
      "grew. "
      "What went does not count as worse, what came counts when it misses its deadline or has no bound. Bounds of policies that were tried "
      "and not chosen do not count.\n\n"
      "The exit status is 0 when nothing became worse, 1 when a bound grew or vanished or a verdict fell, 2 for bad input or usage.",
      options_of_diff,
      2,
      run_diff,
      0,
      {{"rta diff accepted.json now.json", "what changed between two results of rta analyze -o"},
       {"rta diff accepted.json now.json --verbose", "nodes, too, whatever changed"}}};
  return command;
}

}  // namespace rta::cli
