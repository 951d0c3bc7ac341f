#include "rta/sweep/on_threads.hpp"

#include <utility>
#include <vector>

namespace rta::sweep {

TaskSet on_threads(const TaskSet& task_set, std::uint32_t threads) {
  std::vector<Dag> dags;
  dags.reserve(task_set.dags().size());
  for (const Dag& dag : task_set.dags()) {
    const auto order = dag.topological_order();
    std::vector<Edge> edges;
    for (std::size_t i = 1; i < order.size(); ++i) edges.push_back({order[i - 1], order[i], false});
    DagAttributes attributes = dag.attributes();
    attributes.threads = threads;
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::vector<Node>(dag.nodes().begin(), dag.nodes().end()), std::move(edges),
                      std::move(attributes));
  }
  return {task_set.name(), std::vector<Pool>(task_set.pools().begin(), task_set.pools().end()), std::move(dags)};
}

}  // namespace rta::sweep
