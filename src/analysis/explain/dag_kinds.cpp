#include "analysis/explain/dag_kinds.hpp"

namespace rta::analysis {

DagKinds dag_kinds(const TaskSet& task_set) {
  DagKinds result;
  const auto dags = task_set.dags();
  result.of.reserve(dags.size());
  for (DagId d = 0; d < dags.size(); ++d) {
    if (result.kinds.empty() || !dags[d].same_shape(dags[result.kinds.back().first])) result.kinds.push_back({d, d});
    result.kinds.back().last = d;
    result.of.push_back(result.kinds.size() - 1);
  }
  return result;
}

}  // namespace rta::analysis
