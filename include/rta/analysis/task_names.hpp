// What the explanations of a pool's bounds call its tasks.
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
  };
  std::vector<std::string> kinds;  // `camera[0] ... camera[5]`
  std::vector<Name> tasks;         // one per task; empty: tasks are called by their number, `task #3`
};

}  // namespace rta::analysis
