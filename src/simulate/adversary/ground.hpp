// What all parts of a search know of the task set.
#pragma once

#include <cstdint>
#include <vector>

#include "rta/simulate/search.hpp"

namespace rta::simulate {

struct Ground {
  Ground(const TaskSet& task_set, const Schedule& schedule, const SearchOptions& options);

  const TaskSet& task_set;
  const Schedule& schedule;
  const SearchOptions& options;
  std::vector<DagId> targets;                     // one of each class of DAGs that differ in nothing but their names
  std::vector<std::vector<DagId>> twins;          // per target: the others of its class
  std::vector<std::vector<std::uint32_t>> level;  // per DAG and node: the edges before it on the longest path
  std::vector<std::vector<std::int64_t>> length;  // per DAG and node: the longest path to its end, in ns of execution
  std::uint32_t levels = 1;
  std::vector<std::vector<std::int64_t>> start;  // the same to its start
  bool slices = false;                           // processes share a GPU by time slices
  bool waves = false;                            // kernels by their duration have blocks for several waves
  bool company = false;                          // kernels slow one another down
  std::vector<Time> point;                       // per DAG: its latest priority point on CPU pools, 0 without one
};

}  // namespace rta::simulate
