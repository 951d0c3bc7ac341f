// DAGs that follow one another and are equal but for their name, such as copies: people read of them once.
#pragma once

#include <string>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::analysis {

struct DagKinds {
  struct Kind {
    DagId first = 0;
    DagId last = 0;
  };
  std::vector<Kind> kinds;
  std::vector<std::size_t> of;  // per DAG
};
[[nodiscard]] DagKinds dag_kinds(const TaskSet& task_set);

}  // namespace rta::analysis
