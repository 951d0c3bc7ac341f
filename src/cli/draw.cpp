#include <fmt/format.h>

#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "evidence.hpp"
#include "output.hpp"
#include "picture.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/report/graph_drawing.hpp"
#include "rta/report/schedule_drawing.hpp"
#include "rta/report/task_set_drawing.hpp"
#include "rta/static_order/graph_file.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "schedule_input.hpp"
#include "task_set_input.hpp"
#include "time_style.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options_of_draw() {
  po::options_description all;
  all.add_options()("no-bounds", po::bool_switch(), "of a task set: what the file says alone, without an analysis");
  all.add_options()("all", po::bool_switch(),
                    "of a large task set or schedule: every node and DAG, or job; without it, what is alike is drawn once");
  add_analysis_options(all);
  all.add_options()(
      "output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
      "write to FILE instead of standard output: .svg, .pdf or .png through Graphviz, .html for a page with the picture, .dot or .gv for "
      "Graphviz's text; may be repeated");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"), "dot, gv, svg, pdf, png or html, whatever the file is called");
  add_digits_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no warnings");
  return all;
}

/// What can be written; the first two are Graphviz's text.
constexpr std::array pictures{report::Format{.name = "dot", .extension = "dot"}, report::Format{.name = "gv", .extension = "gv"},
                              report::Format{.name = "svg", .extension = "svg"}, report::Format{.name = "pdf", .extension = "pdf"},
                              report::Format{.name = "png", .extension = "png"}, report::Format{.name = "html", .extension = "html"}};

std::vector<const report::Format*> drawn_formats() {
  std::vector<const report::Format*> all;
  all.reserve(pictures.size());
  for (const report::Format& one : pictures) all.push_back(&one);
  return all;
}

bool is_text(const Target& target) { return target.format == &pictures[0] || target.format == &pictures[1]; }

/// What Graphviz is asked for.
std::string graphviz_format(const Target& target) { return target.format->name == "html" ? "svg" : std::string(target.format->name); }

/// What is drawn: Graphviz's text, and what a page says of it.
struct Drawn {
  std::string dot;   // of pictures
  std::string text;  // the same with all digits, for programs
  std::string title, caption;
};

report::Apart apart_of(const po::variables_map& given) { return given["all"].as<bool>() ? report::Apart::all : report::Apart::as_read; }

Drawn draw_graph(const po::variables_map& given, const static_order::Graph& graph) {
  refuse_analysis_options(given, "a graph of runnables");
  refuse_options(given, {"no-bounds", "all"}, "a graph of runnables");
  const std::string dot = report::dot(graph);
  return {dot, dot, graph.name, "Runnables by epoch and client, with their times and resources."};
}

Drawn draw_schedule(const po::variables_map& given, std::string text, const std::string& path) {
  refuse_analysis_options(given, "a schedule");
  refuse_options(given, {"no-bounds"}, "a schedule");
  const ScheduleInput input = parse_schedule_input(std::move(text), path);
  const std::string dot = report::dot(input.schedule, input.proofs, apart_of(given));
  return {dot, dot, input.name,
          "Runnables in the colours of their resources, from their latest start to their latest end; dashed: the order of a resource; "
          "bold: the "
          "critical path."};
}

/// In pictures times are shown as people read them.
Drawn in_both_ways(const report::TimeStyle& style, const TaskSet& task_set, const analysis::Proof* proof, report::Apart apart) {
  Drawn drawn{.dot = {}, .text = {}, .title = task_set.name(), .caption = "Nodes in the colours of their pools."};
  const auto dot = [&] { return report::dot(task_set, proof, apart); };
  {
    const report::ShownTimes with_all({.unit = std::nullopt, .all_digits = true});
    drawn.text = dot();
  }
  const report::ShownTimes chosen(style);
  const report::ShownTimes fitting(task_set);
  drawn.dot = dot();
  return drawn;
}

Drawn draw_task_set(const po::variables_map& given, const report::TimeStyle& style, TaskSet task_set) {
  const report::Apart apart = apart_of(given);
  if (given["no-bounds"].as<bool>()) {
    refuse_analysis_options(given, "a picture without bounds");
    return in_both_ways(style, task_set, nullptr, apart);
  }
  const analysis::Options chosen = checked_options(given_options(given));
  const auto analysis = analysis::analyze(std::make_shared<const TaskSet>(std::move(task_set)), chosen);
  if (!given["quiet"].as<bool>()) {
    for (const std::string& warning : analysis.warnings) std::cerr << "warning: " << warning << '\n';
  }
  Drawn result = in_both_ways(style, *analysis.proof.task_set, &analysis.proof, apart);
  result.caption =
      fmt::format("Nodes in the colours of their pools, with their bounds; bold: the critical path of each DAG. {}, released on {}.",
                  to_string(analysis.verdict), to_string(analysis.proof.release));
  return result;
}

/// Draws whatever the file holds; its warnings go to standard error.
Drawn draw_file(const po::variables_map& given, const std::string& path) {
  std::string text = io::read_task_set_text(path);
  if (static_order::is_schedule(text)) return draw_schedule(given, std::move(text), path);
  auto read = static_order::parse_task_set_or_graph(text, path == "-" ? "<stdin>" : path);
  auto* graph = std::get_if<static_order::GraphResult>(&read);
  const auto& warnings = graph != nullptr ? graph->warnings : std::get<io::ReadResult>(read).warnings;
  for (const io::Diagnostic& warning : warnings) {
    if (!given["quiet"].as<bool>()) std::cerr << "warning: " << warning.text() << '\n';
  }
  if (graph != nullptr) return draw_graph(given, graph->graph);
  return draw_task_set(given, time_style(given, text), std::move(std::get<io::ReadResult>(read).task_set));
}

ExitStatus run_draw(const po::variables_map& given, const std::vector<std::string>& arguments) {
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const std::vector<Target> all_targets = targets(text_of(given, "format"), outputs, drawn_formats());
  for (const Target& target : all_targets) {
    if (!is_text(target)) require_pictures(graphviz_format(target));
  }
  const Drawn drawn = draw_file(given, arguments.front());
  for (const Target& target : all_targets) {
    std::string content = is_text(target) ? drawn.text : picture(drawn.dot, graphviz_format(target));
    if (target.format->name == "html") {
      content = report::with_evidence(report::picture_page(drawn.title, drawn.caption, content), "html", evidence());
    }
    write(target, [&](std::ostream& out) { out << content; });
  }
  return ExitStatus::yes;
}

}  // namespace

const Command& draw_command() {
  static const Command command{
      "draw",
      "FILE",
      "Draw the DAGs of a task set, a graph of runnables, or a static schedule",
      "Draws what FILE (- is standard input) says. Of a task set: its DAGs, nodes in the colours of their pools with what they ask for, "
      "and "
      "what an analysis proves of them: bounds, the lateness beside each deadline, and each DAG's critical path in bold. Of a "
      "graph "
      "of the System Task Manager: runnables with their times and resources, by epoch and client, dependencies as arrows, submissions as "
      "bold ones. Of a schedule that `rta compile` wrote: runnables with their latest start and end, what they wait for as arrows, the "
      "order of "
      "each resource as dashed ones, the critical path in bold. Without -o it prints the text that Graphviz reads.\n\n"
      "The exit status is 0 when it was drawn, 2 when not.",
      options_of_draw,
      1,
      run_draw,
      0,
      {{"rta draw tasksets/examples/pedestrian.yaml -o pedestrian.svg", "the DAGs"},
       {"rta draw schedule.yaml -o schedule.svg", "a static schedule over time"}}};
  return command;
}

}  // namespace rta::cli
