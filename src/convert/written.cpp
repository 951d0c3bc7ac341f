#include "written.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "../io/file.hpp"
#include "../io/yaml_piece.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/io/task_set_pieces.hpp"

namespace rta::convert {
namespace {

constexpr std::size_t nodes_a_piece = 2048;
constexpr std::size_t nodes_a_dag = 256;  // where they have fewer, parts of the whole file are read on all cores

// Nodes are read each by itself, but for what processes, priorities, chains and requirements say of several.
bool is_read_node_by_node(const TaskSet& set) {
  if (!set.chains().empty() || !set.requirements().empty()) return false;
  const auto shared = [](const Pool& pool) {
    const auto* gpu = std::get_if<GpuPool>(&pool.resource);
    return gpu != nullptr && gpu->sharing;
  };
  if (std::ranges::any_of(set.pools(), shared)) return false;
  for (const Dag& dag : set.dags()) {
    const DagAttributes& of = dag.attributes();
    if (of.priority || of.threads || of.in_flight || !of.after.empty()) return false;
    const auto has_priority = [](const Node& node) {
      const auto* cpu = std::get_if<CpuDemand>(&node.demand);
      return cpu != nullptr && cpu->priority;
    };
    if (std::ranges::any_of(dag.nodes(), has_priority)) return false;
  }
  return true;
}

// Whether a file may be so large: each value of YAML begins with one of the marks, or ends with one.
bool is_small_enough(const TaskSet& set) {
  std::size_t size = 0, values = 0;
  io::write_task_set(set, [&](std::string_view text) {
    size += text.size();
    values += static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return c == '\n' || c == ':' || c == ',' || c == '{' || c == '}' || c == '[' || c == ']'; }));
  });
  return size <= io::largest_file() && values < io::most_values;
}

// Whether `count` nodes from the first on are read as they are written. An edge from each to the next tells whether edges find them.
bool reads_back(const TaskSet& set, const Dag& dag, NodeId first, std::size_t count, const std::string& file) {
  const auto nodes = dag.nodes().subspan(first, count);
  std::vector<Edge> edges;
  for (NodeId v = 1; v < count; ++v) edges.push_back({v - 1, v, false});
  std::vector<Dag> dags;
  dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::vector<Node>(nodes.begin(), nodes.end()), std::move(edges),
                    dag.attributes());
  const TaskSet piece({}, {set.pools().begin(), set.pools().end()}, std::move(dags));
  return io::parse_task_set(io::format_task_set(piece), file).task_set == piece;
}

// Of large sets there is no room for two, nor for the whole text.
bool reads_back_in_pieces(const TaskSet& set, const std::string& file) {
  const std::size_t nodes = set.node_count();
  if (nodes <= nodes_a_piece || nodes < nodes_a_dag * set.dags().size() || !is_read_node_by_node(set) || !is_small_enough(set))
    return false;
  try {
    for (const Dag& dag : set.dags()) {
      for (NodeId first = 0; first < dag.nodes().size(); first += nodes_a_piece) {
        if (!reads_back(set, dag, first, std::min(nodes_a_piece, dag.nodes().size() - first), file)) return false;
      }
    }
  } catch (const UserError&) {
    return false;  // the whole says what is wrong
  }
  return true;
}

}  // namespace

TaskSet as_written(TaskSet task_set, const std::string& file) {
  if (reads_back_in_pieces(task_set, file)) return task_set;
  std::string text = io::format_task_set(task_set);
  task_set = TaskSet({}, {}, {});
  text.shrink_to_fit();  // it grew by doubling
  try {
    return io::parse_task_set(text, file).task_set;
  } catch (const io::InputError& error) {
    std::vector<io::Diagnostic> all = error.diagnostics();
    for (io::Diagnostic& d : all) d.line = d.column = 0;
    throw io::InputError(std::move(all));
  }
}

}  // namespace rta::convert
