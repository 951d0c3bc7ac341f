// The task set as it is played: where C and L include what this machine takes beside them, nodes are shorter by that.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "table.hpp"

namespace workload {

class Played {
 public:
  /// Ends the program where a node has no more than its pool's overhead.
  Played(const TaskSet& set, const Options& options) : set_(set) {
    nodes_.reserve(set.dag_count);
    for (unsigned d = 0; d < set.dag_count; ++d) {
      const Dag& dag = set.dags[d];
      nodes_.emplace_back(dag.nodes, dag.nodes + dag.node_count);
      for (Node& node : nodes_.back()) {
        const Pool& pool = set.pools[node.pool];
        const std::int64_t overhead = options.overhead_of(pool);
        if (overhead > 0 && overhead >= node.length)
          usage_error("--overhead " + std::string(pool.hardware) + "=" + std::to_string(overhead) + "ns: leaves nothing of node '" +
                      dag.name + "/" + node.name + "', which takes " + std::to_string(node.length) + " ns");
        node.length -= overhead;
      }
      dags_.push_back(dag);
      dags_.back().nodes = nodes_.back().data();
    }
    set_.dags = dags_.data();
  }
  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;

  [[nodiscard]] const TaskSet& task_set() const { return set_; }

 private:
  TaskSet set_;
  std::vector<std::vector<Node>> nodes_;
  std::vector<Dag> dags_;
};

}  // namespace workload
