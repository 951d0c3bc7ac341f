#include <fmt/format.h>

#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <filesystem>
#include <iostream>

#include "command.hpp"
#include "output.hpp"
#include "picture.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/report/graph_drawing.hpp"
#include "rta/static_order/graph_file.hpp"
#include "rta/static_order/task_set_graph.hpp"
#include "task_set_input.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options() {
  po::options_description all;
  all.add_options()(
      "output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
      "write to FILE instead of standard output: .svg, .pdf or .png through Graphviz, .dot or .gv for its text; may be repeated");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"), "dot, gv, svg, pdf or png, whatever the file is called");
  all.add_options()("quiet,q", po::bool_switch(), "no warnings");
  return all;
}

/// Pictures, of which the first two are Graphviz's text.
constexpr std::array pictures{report::Format{.name = "dot", .extension = "dot"}, report::Format{.name = "gv", .extension = "gv"},
                              report::Format{.name = "svg", .extension = "svg"}, report::Format{.name = "pdf", .extension = "pdf"},
                              report::Format{.name = "png", .extension = "png"}};

std::vector<const report::Format*> formats() {
  std::vector<const report::Format*> all;
  all.reserve(pictures.size());
  for (const report::Format& one : pictures) all.push_back(&one);
  return all;
}

bool is_text(const Target& target) { return target.format == &pictures[0] || target.format == &pictures[1]; }

ExitStatus run(const po::variables_map& given, const std::vector<std::string>& arguments) {
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const std::vector<Target> all_targets = targets(text_of(given, "format"), outputs, formats());
  for (const Target& target : all_targets) {
    if (!is_text(target)) require_pictures(std::string(target.format->name));
  }
  const std::string& path = arguments.front();
  auto read = static_order::parse_task_set_or_graph(io::read_task_set_text(path), path == "-" ? "<stdin>" : path);
  auto* graph = std::get_if<static_order::GraphResult>(&read);
  const auto& warnings = graph != nullptr ? graph->warnings : std::get<io::ReadResult>(read).warnings;
  for (const io::Diagnostic& warning : warnings) {
    if (!given["quiet"].as<bool>()) std::cerr << "warning: " << warning.text() << '\n';
  }
  const std::string text = report::dot(graph != nullptr ? graph->graph : static_order::graph_of(std::get<io::ReadResult>(read).task_set));
  for (const Target& target : all_targets) {
    const std::string content = is_text(target) ? text : picture(text, std::string(target.format->name));
    write(target, [&](std::ostream& out) { out << content; });
  }
  return ExitStatus::yes;
}

}  // namespace

const Command& draw_command() {
  static const Command command{
      "draw",
      "FILE",
      "Draw the graph of runnables or of a task set",
      "Draws what FILE (a graph of the System Task Manager, or a task set; - is standard input) says: runnables with their times and "
      "resources, by epoch and "
      "client, dependencies as arrows, submissions as bold ones. Without -o it prints the text that Graphviz reads.\n\n"
      "The exit status is 0 when it was drawn, 2 when not.",
      options,
      1,
      run};
  return command;
}

}  // namespace rta::cli
