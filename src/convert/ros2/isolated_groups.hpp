// Which nodes of a task set the callback groups of a thread configuration are: by the names that callbacks of a trace have.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rta/model/task_set.hpp"
#include "thread_config.hpp"

namespace rta::convert {

using IsolatedNode = std::pair<DagId, NodeId>;

struct IsolatedGroup {
  std::vector<IsolatedNode> nodes;
  bool one_node_each = true;  // no callback is several nodes
};

struct IsolatedGroups {
  std::vector<IsolatedGroup> groups;  // as in the configuration
  std::vector<IsolatedNode> without;  // CPU nodes of no group
};

/// Throws `io::InputError` where a node may be of several groups, or a group has a timer less than the task set, and where no node is of
/// any group.
[[nodiscard]] IsolatedGroups isolated_groups(const TaskSet& task_set, const ThreadConfig& config, const std::string& file);
/// `'a.timer', 'b.topic1'`; of many the beginning.
[[nodiscard]] std::string names_of(std::span<const IsolatedNode> nodes, const TaskSet& task_set);
/// `1 node`, `2 nodes`.
[[nodiscard]] std::string counted(std::size_t count, std::string_view what);
/// The ids of those of the threads, as `names_of`.
[[nodiscard]] std::string ids_of(std::span<const IsolatedThread* const> threads);

}  // namespace rta::convert
