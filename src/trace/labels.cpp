#include "rta/trace/labels.hpp"

namespace rta::trace {
namespace {

std::vector<PoolLabel> pool_labels(std::span<const Pool> pools) {
  std::vector<PoolLabel> out;
  for (const Pool& pool : pools) out.push_back({pool.name, pool.kind()});
  return out;
}

}  // namespace

Labels labels(const TaskSet& task_set) {
  Labels out{pool_labels(task_set.pools()), {}};
  for (const Dag& dag : task_set.dags()) {
    DagLabel& label = out.dags.emplace_back();
    label.name = dag.name();
    for (const Node& node : dag.nodes()) label.nodes.push_back({node.name, node.pool});
  }
  return out;
}

Labels labels(const Experiment& experiment) {
  Labels out{pool_labels(experiment.pools()), {}};
  DagLabel& label = out.dags.emplace_back();
  label.name = experiment.name();
  for (const Operation& operation : experiment.operations()) label.nodes.push_back({operation.name, operation.pool});
  return out;
}

}  // namespace rta::trace
