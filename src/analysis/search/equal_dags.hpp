// DAGs that a search treats alike.
#pragma once

#include <algorithm>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// The DAGs in groups of equal shape that are also equal by `also(first of the group, DAG)`; groups by their first DAG.
template <class Also>
[[nodiscard]] std::vector<std::vector<DagId>> equal_dags(const TaskSet& task_set, const Also& also) {
  std::vector<std::vector<DagId>> groups;
  const auto dags = task_set.dags();
  for (DagId d = 0; d < dags.size(); ++d) {
    auto like =
        std::ranges::find_if(groups, [&](const auto& group) { return dags[group.front()].same_shape(dags[d]) && also(group.front(), d); });
    if (like == groups.end()) like = groups.insert(like, std::vector<DagId>{});
    like->push_back(d);
  }
  return groups;
}

}  // namespace rta::analysis
