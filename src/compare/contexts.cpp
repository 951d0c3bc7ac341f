#include "contexts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "rta/model/time_slices.hpp"

namespace rta::compare {
namespace {

std::string detail(const trace::Header& header, std::string_view key) {
  const auto at = std::ranges::find(header.details, key, &std::pair<std::string, std::string>::first);
  return at == header.details.end() ? std::string() : at->second;
}

bool several_dags_on_a_gpu(const TaskSet& task_set) {
  std::map<PoolId, std::set<DagId>> dags;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    for (const Node& node : task_set.dags()[d].nodes()) {
      if (task_set.pools()[node.pool].kind() == PoolKind::gpu) dags[node.pool].insert(d);
    }
  }
  return std::ranges::any_of(dags, [](const auto& of_pool) { return of_pool.second.size() > 1; });
}

}  // namespace

std::optional<std::string> other_contexts(const TaskSet& task_set, const trace::Header& header, const std::string& name) {
  const std::string tasks = detail(header, "tasks");
  const std::string mps = detail(header, "mps");
  if (tasks.empty() || mps.empty()) return std::nullopt;
  const bool sliced = first_gpu_with_slices(task_set).has_value();
  const bool contexts = tasks == "processes" && mps == "false";
  if (contexts && !sliced && several_dags_on_a_gpu(task_set)) {
    return name +
           ": every DAG ran as a process of its own without MPS, and the GPU served them by time slices; the bounds are for one context " +
           "(the task set can say `sharing` and `process`)";
  }
  if (!contexts && sliced)
    return name + ": all DAGs shared one context of the GPU; the bounds are for processes that share it by time slices";
  return std::nullopt;
}

}  // namespace rta::compare
