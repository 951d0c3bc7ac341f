#include "analysis/explain/resolve.hpp"

#include <fmt/format.h>

#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// Whether `name` means a node of that name in that DAG: `node` or `dag/node`. DAG names may hold a slash themselves.
bool means(std::string_view name, const Dag& dag, std::string_view node) {
  if (name == node) return true;
  const std::string_view of_dag = dag.name();
  return name.size() == of_dag.size() + 1 + node.size() && name.starts_with(of_dag) && name[of_dag.size()] == '/' && name.ends_with(node);
}

const Node& awaited_node(const Proof& proof, const PoolTask& task) { return proof.ungrouped->dags()[task.dag].nodes()[task.node]; }

}  // namespace

Named resolve(const Proof& proof, std::string_view name) {
  const auto dags = proof.task_set->dags();
  for (DagId d = 0; d < dags.size(); ++d) {
    if (dags[d].name() == name) return {d, dags[d].nodes().size() == 1 ? std::optional<NodeId>(0) : std::nullopt, std::nullopt};
  }
  for (DagId d = 0; d < dags.size(); ++d) {
    for (NodeId v = 0; v < dags[d].nodes().size(); ++v) {
      if (means(name, dags[d], dags[d].nodes()[v].name)) return {d, v, std::nullopt};
    }
  }
  for (PoolId p = 0; p < proof.pools.size(); ++p) {
    const auto& tasks = proof.pools[p].tasks;
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      if (tasks[k].awaited && means(name, dags[tasks[k].dag], awaited_node(proof, tasks[k]).name)) {
        return {tasks[k].dag, std::nullopt, Named::Awaited{p, k}};
      }
    }
  }
  throw UserError(fmt::format("no DAG, node or chain '{}' to explain; name it as dag, node, dag/node or chain", name));
}

std::string full_name(const Proof& proof, const Named& named) {
  const Dag& dag = proof.task_set->dags()[named.dag];
  if (named.node) return dag.name() + "/" + dag.nodes()[*named.node].name;
  if (named.awaited) return dag.name() + "/" + awaited_node(proof, proof.pools[named.awaited->pool].tasks[named.awaited->task]).name;
  return dag.name();
}

}  // namespace rta::analysis
