// Names of DAGs, nodes and pools, for writers of traces.
#pragma once

#include <string>
#include <vector>

#include "rta/model/experiment.hpp"
#include "rta/model/task_set.hpp"

namespace rta::trace {

struct NodeLabel {
  std::string name;
  PoolId pool = 0;
};
struct DagLabel {
  std::string name;
  std::vector<NodeLabel> nodes;
};
struct PoolLabel {
  std::string name;
  PoolKind kind = PoolKind::cpu;
};
struct Labels {
  std::vector<PoolLabel> pools;
  std::vector<DagLabel> dags;
};

[[nodiscard]] Labels labels(const TaskSet& task_set);
/// An experiment is one DAG of its name, its operations the nodes.
[[nodiscard]] Labels labels(const Experiment& experiment);

}  // namespace rta::trace
