#include "analysis/policies/components.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace rta::analysis {

std::shared_ptr<const TaskSet> part_of(const TaskSet& whole, const std::vector<DagId>& dags) {
  std::vector<Dag> kept;
  kept.reserve(dags.size());
  for (const DagId d : dags) kept.push_back(whole.dags()[d]);
  return std::make_shared<const TaskSet>(whole.name(), std::vector<Pool>(whole.pools().begin(), whole.pools().end()), std::move(kept));
}

namespace {

/// All but the pools.
void take_over_dags(Proof& part, const std::vector<DagId>& dags, Proof& whole) {
  const auto first_evidence = static_cast<std::uint32_t>(whole.evidence.size());
  const auto renumber = [&](std::optional<Bound>& bound) {
    if (bound) bound->basis.evidence += first_evidence;
  };
  for (std::size_t i = 0; i < dags.size(); ++i) {
    DagProof& dag = whole.dags[dags[i]] = std::move(part.dags[i]);
    renumber(dag.bound);
    for (NodeProof& node : dag.nodes) renumber(node.bound);
  }
  for (Evidence& evidence : part.evidence) {
    if (auto* path = std::get_if<PathEvidence>(&evidence)) path->dags = dags;
    if (auto* held = std::get_if<ThreadEvidence>(&evidence)) held->dags = dags;
    if (auto* executors = std::get_if<ExecutorEvidence>(&evidence)) executors->dags = dags;
    if (auto* admitted = std::get_if<AdmissionEvidence>(&evidence)) admitted->dags = dags;
    whole.evidence.push_back(std::move(evidence));
  }
  for (const PoolId p : part.ordered_by_node) whole.ordered_by_node.push_back(p);
  add_left_out(whole.left_out, std::move(part.left_out));
  for (std::string& warning : part.warnings) {
    if (std::ranges::find(whole.warnings, warning) == whole.warnings.end()) whole.warnings.push_back(std::move(warning));
  }
}

void take_over_pool(PoolProof pool, const std::vector<DagId>& dags, PoolProof& whole) {
  for (PoolTask& task : pool.tasks) task.dag = dags[task.dag];
  whole = std::move(pool);
}

}  // namespace

void take_over(Proof part, const std::vector<DagId>& dags, Proof& whole) {
  take_over_dags(part, dags, whole);
  for (PoolId p = 0; p < part.pools.size(); ++p) {
    if (!part.pools[p].tasks.empty()) take_over_pool(std::move(part.pools[p]), dags, whole.pools[p]);
  }
}

void take_over_beside(Proof part, const std::vector<DagId>& dags, Proof& whole) {
  take_over_dags(part, dags, whole);
  for (PoolId p = 0; p < part.pools.size(); ++p) {
    PoolProof& pool = part.pools[p];
    if (pool.tasks.empty()) continue;
    if (pool.tasks.size() == whole.pools[p].tasks.size()) {
      take_over_pool(std::move(pool), dags, whole.pools[p]);
    } else {
      whole.pools[p].theorems = std::move(pool.theorems);
    }
  }
}

std::vector<std::vector<DagId>> components(const TaskSet& task_set) {
  std::vector<std::size_t> root(task_set.pools().size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t p) {
    while (root[p] != p) p = root[p] = root[root[p]];
    return p;
  };
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) root[find(node.pool)] = find(dag.nodes().front().pool);
  }
  std::vector<std::vector<DagId>> of_root(root.size());
  for (DagId d = 0; d < task_set.dags().size(); ++d) of_root[find(task_set.dags()[d].nodes().front().pool)].push_back(d);
  std::erase_if(of_root, [](const auto& dags) { return dags.empty(); });
  std::ranges::sort(of_root);
  return of_root;
}

Proof prove_by_components(const std::shared_ptr<const TaskSet>& task_set,
                          const std::function<Proof(std::shared_ptr<const TaskSet>)>& prove) {
  Proof whole = prove(task_set);
  if (std::ranges::none_of(whole.dags, [](const DagProof& dag) { return !dag.bound; })) return whole;
  const auto groups = components(*task_set);
  if (groups.size() < 2) return whole;
  whole.left_out.clear();
  for (const auto& dags : groups) take_over(prove(part_of(*task_set, dags)), dags, whole);
  return whole;
}

}  // namespace rta::analysis
