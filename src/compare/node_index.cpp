#include "node_index.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/io/diagnostic.hpp"
#include "rta/trace/content.hpp"

namespace rta::compare {
namespace {

[[noreturn]] void refuse(const std::string& trace, std::string message) { throw io::InputError({{trace, 0, 0, std::move(message)}}); }

}  // namespace

NodeIndex::NodeIndex(const TaskSet& task_set, std::string trace) : trace_(std::move(trace)) {
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    dags_.emplace(dag.name(), d);
    auto& nodes = nodes_.emplace_back();
    for (NodeId v = 0; v < dag.nodes().size(); ++v) nodes.emplace(dag.nodes()[v].name, v);
  }
}

DagId NodeIndex::dag(const std::string& name) const {
  const auto at = dags_.find(name);
  if (at == dags_.end()) refuse(trace_, fmt::format("the task set has no DAG '{}'", name));
  return at->second;
}

NodeId NodeIndex::node(DagId dag, const std::string& name) const {
  const auto at = nodes_[dag].find(name);
  if (at == nodes_[dag].end()) refuse(trace_, fmt::format("the task set has no node '{}' in that DAG", name));
  return at->second;
}

std::optional<std::string> check_task_set(const trace::Header& header, const std::string& sha256,
                                          const std::optional<std::string>& content_sha256, const std::string& trace) {
  if (!header.task_set_sha256) return fmt::format("{}: does not say which task-set file it is of; names alone were compared", trace);
  if (*header.task_set_sha256 == sha256) return std::nullopt;
  const auto of_content = [](const auto& detail) { return detail.first == trace::content_key; };
  const auto content = std::ranges::find_if(header.details, of_content);
  if (content_sha256 && !content_sha256->empty() && content != header.details.end() && content->second == *content_sha256)
    return std::nullopt;
  refuse(trace,
         fmt::format("is a trace of another task set: of '{}' with SHA-256 {}, not {} (a file that says something else counts as another)",
                     header.task_set, *header.task_set_sha256, sha256));
}

}  // namespace rta::compare
