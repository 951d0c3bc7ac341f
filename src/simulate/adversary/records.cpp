#include "records.hpp"

#include <utility>

namespace rta::simulate {

Records::Records(const TaskSet& task_set) {
  result_.dags.resize(task_set.dags().size());
  result_.nodes.reserve(task_set.dags().size());
  for (const Dag& dag : task_set.dags()) result_.nodes.emplace_back(dag.nodes().size());
}

void Records::look(const Observation& seen, const Options& run, const Records* known) {
  ++result_.tried;
  result_.late_releases += seen.late_releases;
  const auto worse = [](const Statistics& s, const auto& than) { return !than || s.max() > than->response; };
  std::optional<std::size_t> kept;
  for (DagId d = 0; d < seen.dags.size(); ++d) {
    const Statistics& dag = seen.dags[d].response;
    if (dag.count() > 0 && worse(dag, result_.dags[d]) && (known == nullptr || worse(dag, known->result_.dags[d]))) {
      if (!kept) {
        kept = result_.runs.size();
        result_.runs.push_back(run);
        result_.runs.back().limit = {};
      }
      result_.dags[d] = {dag.max(), dag.worst_job(), *kept};
    }
    for (NodeId v = 0; v < seen.dags[d].nodes.size(); ++v) {
      const Statistics& node = seen.dags[d].nodes[v];
      if (node.count() == 0 || !worse(node, result_.nodes[d][v])) continue;
      if (known == nullptr || worse(node, known->result_.nodes[d][v])) result_.nodes[d][v] = {node.max(), node.worst_job()};
    }
  }
  if (result_.runs.size() > 2 * result_.dags.size() + 16) drop_unnamed_runs();
}

void Records::take(Records& other) {
  SearchResult& from = other.result_;
  result_.tried += std::exchange(from.tried, 0);
  result_.late_releases += std::exchange(from.late_releases, 0);
  for (DagId d = 0; d < result_.dags.size(); ++d) {
    if (from.dags[d] && (!result_.dags[d] || from.dags[d]->response > result_.dags[d]->response)) {
      result_.dags[d] = {from.dags[d]->response, from.dags[d]->job, result_.runs.size()};
      result_.runs.push_back(from.runs[from.dags[d]->run]);
    }
    from.dags[d].reset();
    for (NodeId v = 0; v < result_.nodes[d].size(); ++v) {
      auto& node = from.nodes[d][v];
      if (node && (!result_.nodes[d][v] || node->response > result_.nodes[d][v]->response)) result_.nodes[d][v] = node;
      node.reset();
    }
  }
  from.runs.clear();
  drop_unnamed_runs();
}

void Records::drop_unnamed_runs() {
  std::vector<std::size_t> place(result_.runs.size(), result_.runs.size());
  std::vector<Options> kept;
  kept.reserve(result_.dags.size());
  for (auto& found : result_.dags) {
    if (!found) continue;
    std::size_t& at = place[found->run];
    if (at == place.size()) {
      at = kept.size();
      kept.push_back(std::move(result_.runs[found->run]));
    }
    found->run = at;
  }
  result_.runs = std::move(kept);
}

}  // namespace rta::simulate
