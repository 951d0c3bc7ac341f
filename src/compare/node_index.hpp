// From the names in a trace to the task set's nodes.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rta/model/task_set.hpp"
#include "rta/trace/record.hpp"

namespace rta::compare {

class NodeIndex {
 public:
  /// `trace` stands for the file in messages.
  NodeIndex(const TaskSet& task_set, std::string trace);

  /// Both throw `io::InputError` for names that the task set does not have.
  [[nodiscard]] DagId dag(const std::string& name) const;
  [[nodiscard]] NodeId node(DagId dag, const std::string& name) const;

 private:
  std::string trace_;
  std::unordered_map<std::string, DagId> dags_;
  std::vector<std::unordered_map<std::string, NodeId>> nodes_;
};

/// Throws `io::InputError` when the trace says that it is of another task set: neither the file's SHA-256 is the trace's nor, where both
/// are there, that of what the file says. Returns a warning where the trace says nothing.
[[nodiscard]] std::optional<std::string> check_task_set(const trace::Header& header, const std::string& sha256,
                                                        const std::optional<std::string>& content_sha256, const std::string& trace);

}  // namespace rta::compare
