// What people call the tasks of a pool.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rta::analysis {

/// Tasks of one kind belong to one DAG or to DAGs that are equal but for their name; explanations list them together.
struct TaskNames {
  struct Name {
    std::size_t kind = 0;
    std::string node;
    bool ambiguous = false;  // tasks of other kinds have a node of that name
  };
  std::vector<std::string> kinds;  // `camera[0] ... camera[5]`
  std::vector<Name> tasks;         // one per task; empty: tasks are called by their number, `task #3`

  /// `node 'resize'`, `node 'camera/resize'` where other DAGs have such a node, or `task #3`.
  [[nodiscard]] std::string label(std::size_t task) const;
};

}  // namespace rta::analysis
