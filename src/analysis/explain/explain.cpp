#include "rta/analysis/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "analysis/explain/admission_lines.hpp"
#include "analysis/explain/company_lines.hpp"
#include "analysis/explain/executor_lines.hpp"
#include "analysis/explain/gel_lines.hpp"
#include "analysis/explain/hard_lines.hpp"
#include "analysis/explain/item_lines.hpp"
#include "analysis/explain/kernel_lines.hpp"
#include "analysis/explain/path_lines.hpp"
#include "analysis/explain/reach_lines.hpp"
#include "analysis/explain/resolve.hpp"
#include "analysis/explain/sequential_lines.hpp"
#include "analysis/explain/thread_lines.hpp"
#include "analysis/explain/window_lines.hpp"
#include "analysis/policies/urgent_dags.hpp"
#include "rta/analysis/inequality.hpp"

namespace rta::analysis {
namespace {

/// One node's bound on its pool.
class Lines {
 public:
  Lines(const Proof& proof, const Bound& bound, DagId dag, NodeId node)
      : proof_(proof), bound_(bound), place_(bound.basis.place), dag_(dag), node_(node) {}

  std::vector<std::string> operator()(const GelEvidence& e) const {
    return gel::explain(e.tasks, e.processors, e.bounds, place_, sum(), task_names(proof_, e.pool));
  }
  std::vector<std::string> operator()(const SequentialEvidence& e) const {
    return gel_sequential::explain(e.tasks, e.processors, e.bounds, place_, task_names(proof_, e.pool));
  }
  std::vector<std::string> operator()(const KernelEvidence& e) const {
    return fifo::explain(e.tasks, e.gpu, e.bounds, place_, sum(), task_names(proof_, e.pool));
  }
  std::vector<std::string> operator()(const QueueEvidence& e) const {
    // One of two engines has some of the pool's tasks.
    TaskNames names = task_names(proof_, e.pool);
    if (names.tasks.size() != e.tasks.size()) names = {};
    std::vector<std::string> lines = workers::explain(e.tasks, e.workers, e.dispatch_overhead, e.bounds, place_, sum(), names);
    if (bound_.basis.theorem == Theorem::T27)
      lines.insert(lines.begin(),
                   "T27: kernels one after another; each is an item of L = the longest time that it takes alone, of one worker");
    return lines;
  }
  std::vector<std::string> operator()(const HardEvidence& e) const {
    return hard::explain(e.tasks, e.processors, e.order, e.bounds, place_, task_names(proof_, e.pool));
  }
  std::vector<std::string> operator()(const PathEvidence& e) const {
    std::vector<std::string> lines = path_lines(*proof_.task_set, e.dags, e.bounds, e.place_of(dag_), node_);
    std::ranges::move(enough_threads_lines(proof_, e), std::back_inserter(lines));
    if (const std::string others = e.dags.empty() ? std::string() : less_urgent_beside(*proof_.task_set, e.dags); !others.empty())
      lines.push_back(fmt::format("T37: not counted: {}, less urgent on all processors that they share with these DAGs", others));
    return lines;
  }
  std::vector<std::string> operator()(const AdmissionEvidence& e) const { return admission_lines(proof_, e, bound_, dag_, node_); }
  std::vector<std::string> operator()(const ThreadEvidence& e) const { return thread_lines(proof_, e, bound_, dag_); }
  std::vector<std::string> operator()(const ExecutorEvidence& e) const { return executor_lines(proof_, e, bound_, dag_, node_); }
  std::vector<std::string> operator()(const WindowEvidence& e) const { return window_lines(proof_, e, bound_, dag_, node_); }
  std::vector<std::string> operator()(const ReachEvidence& e) const { return reach_lines(proof_, e, bound_, dag_, node_); }

 private:
  [[nodiscard]] PoolSum sum() const { return std::get<PoolSum>(inequality_of(proof_, bound_, dag_, node_).detail); }

  const Proof& proof_;
  const Bound& bound_;
  std::size_t place_;
  DagId dag_;
  NodeId node_;
};

std::vector<std::string> lines_of(const Proof& proof, const Bound& bound, DagId d, NodeId v) {
  std::vector<std::string> lines = std::visit(Lines(proof, bound, d, v), proof.evidence[bound.basis.evidence]);
  if (bound.basis.theorem != Theorem::T38) std::ranges::move(never_waits_lines(proof), std::back_inserter(lines));
  std::ranges::move(never_delays_lines(proof), std::back_inserter(lines));
  return lines;
}

std::vector<std::string> no_bound_lines(const Proof& proof, const std::optional<NoBound>& none) {
  return {"no bound: " + (none ? in_words(proof, *none) : "some node has none")};
}

/// The offsets along the critical path.
std::vector<std::string> sum_lines(const Proof& proof, DagId d) {
  const Dag& dag = proof.task_set->dags()[d];
  const DagProof& whole = proof.dags[d];
  std::vector<std::string> lines{
      "offsets: Phi of a node = max over its predecessors of Phi + R; end to end: max over the nodes of Phi + R"};
  for (const NodeId v : whole.critical_path) {
    const NodeProof& node = whole.nodes[v];
    lines.push_back(fmt::format("{}: Phi = {} ns, R = {} ns ({}), ends by {} ns", dag.nodes()[v].name, node.reference->count(),
                                node.bound->R.count(), to_string(node.bound->basis.theorem), (*node.reference + node.bound->R).count()));
  }
  return lines;
}

std::vector<std::string> dag_lines(const Proof& proof, DagId d) {
  const DagProof& dag = proof.dags[d];
  if (!dag.bound) {
    const NoBound* why = why_unbounded(proof, d);
    return no_bound_lines(proof, why == nullptr ? std::nullopt : std::optional(*why));
  }
  if (dag.bound->basis.theorem == Theorem::sum) return sum_lines(proof, d);
  return lines_of(proof, *dag.bound, d, dag.critical_path.back());
}

void add_company(const Proof& proof, DagId d, const std::vector<NodeId>& nodes, std::vector<std::string>& lines) {
  for (const NodeId v : nodes) {
    for (std::string& line : company_lines(proof, d, v)) lines.push_back(std::move(line));
  }
}

}  // namespace

Explanation explain(const Proof& proof, std::string_view wanted) {
  const Named named = resolve(proof, wanted);
  Explanation explanation{full_name(proof, named), {}};
  if (!named.node && !named.awaited) {
    explanation.lines = dag_lines(proof, named.dag);
    std::vector<NodeId> nodes = proof.dags[named.dag].critical_path;
    if (nodes.empty()) {
      nodes.resize(proof.dags[named.dag].nodes.size());
      std::iota(nodes.begin(), nodes.end(), NodeId{0});
    }
    add_company(proof, named.dag, nodes, explanation.lines);
    return explanation;
  }
  PoolId p = 0;
  NodeId v = 0;
  std::optional<Bound> bound;
  if (named.node) {
    v = *named.node;
    p = proof.task_set->dags()[named.dag].nodes()[v].pool;
    bound = proof.dags[named.dag].nodes[v].bound;
  } else {
    p = named.awaited->pool;
    bound = proof.pools[p].tasks[named.awaited->task].bound;
  }
  explanation.lines = bound ? lines_of(proof, *bound, named.dag, v) : no_bound_lines(proof, proof.pools[p].none);
  if (named.node) add_company(proof, named.dag, {v}, explanation.lines);
  return explanation;
}

}  // namespace rta::analysis
