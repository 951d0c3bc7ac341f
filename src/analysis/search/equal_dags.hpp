// DAGs that a search treats alike.
#pragma once

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Equal for DAGs of equal shape.
[[nodiscard]] inline std::size_t shape_hash(const Dag& dag) {
  std::size_t hash = dag.nodes().size();
  boost::hash_combine(hash, dag.edges().size());
  boost::hash_combine(hash, dag.period().count());
  for (const Node& node : dag.nodes()) {
    boost::hash_combine(hash, node.pool);
    boost::hash_combine(hash, longest_piece(node).count());
  }
  return hash;
}

/// The DAGs in groups of equal shape that are also equal by `also(first of the group, DAG)`; groups by their first DAG.
template <class Also>
[[nodiscard]] std::vector<std::vector<DagId>> equal_dags(const TaskSet& task_set, const Also& also) {
  std::vector<std::vector<DagId>> groups;
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_hash;  // groups
  const auto dags = task_set.dags();
  for (DagId d = 0; d < dags.size(); ++d) {
    auto& candidates = by_hash[shape_hash(dags[d])];
    const auto like = std::ranges::find_if(
        candidates, [&](std::size_t g) { return dags[groups[g].front()].same_shape(dags[d]) && also(groups[g].front(), d); });
    if (like != candidates.end()) {
      groups[*like].push_back(d);
    } else {
      candidates.push_back(groups.size());
      groups.push_back({d});
    }
  }
  return groups;
}

}  // namespace rta::analysis
