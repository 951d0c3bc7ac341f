#include "rta/analysis/company.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/company/other_work.hpp"
#include "analysis/company/phases.hpp"
#include "rta/model/other_work.hpp"
#include "rta/model/partitions.hpp"

namespace rta::analysis {
namespace {

const GpuDemand* kernel_of(const Node& node) { return std::get_if<GpuDemand>(&node.demand); }

/// The GPU of the pool, which partitions of it share.
std::string_view gpu_of(const Pool& pool) {
  const Partition* const partition = partition_of(pool);
  return partition != nullptr ? std::string_view(partition->gpu) : std::string_view(pool.name);
}

/// Where kernels share memory, and where SMs; both number GPUs by their pools.
struct Places {
  explicit Places(const TaskSet& task_set) {
    std::map<std::string_view, PoolId> first;
    gpu.reserve(task_set.pools().size());
    for (PoolId p = 0; p < task_set.pools().size(); ++p) gpu.push_back(first.try_emplace(gpu_of(task_set.pools()[p]), p).first->second);
  }
  std::vector<PoolId> gpu;  // pool -> the first pool of its GPU
};

/// What comes before v and what comes after it.
std::vector<bool> ordered_with(const Dag& dag, NodeId v) {
  std::vector<bool> ordered(dag.nodes().size());
  const auto mark = [&](const auto& next) {
    std::vector<NodeId> open{v};
    while (!open.empty()) {
      const NodeId at = open.back();
      open.pop_back();
      for (const NodeId u : next(at)) {
        if (ordered[u]) continue;
        ordered[u] = true;
        open.push_back(u);
      }
    }
  };
  mark([&](NodeId at) { return dag.predecessors(at); });
  mark([&](NodeId at) { return dag.successors(at); });
  return ordered;
}

/// `ordered`: whether one precedes the other.
bool meet(const Dag& dag, const std::vector<bool>& lasting, NodeId u, NodeId v, bool ordered) {
  if (dag.attributes().threads == 1U) return false;
  if (u != v && !ordered) return true;
  if (u == v && dag.nodes()[v].sequential) return false;
  return lasting[u] || lasting[v];
}

/// Whether what follows the node may be ready before it ends.
bool hands_on_early(const TaskSet& set, const Node& node) {
  const auto* const cpu = std::get_if<CpuPool>(&set.pools()[node.pool].resource);
  return cpu != nullptr && (cpu->callbacks || is_wait_set(*cpu) || is_multi_threaded(*cpu));
}

/// Likewise of kernel v and of u, a copy or on processors.
bool runs_beside(const TaskSet& set, const Dag& dag, const std::vector<bool>& lasting, NodeId u, NodeId v, bool ordered) {
  return hands_on_early(set, dag.nodes()[u]) || meet(dag, lasting, u, v, ordered);
}

bool is_copy(const Node& node) { return std::holds_alternative<CopyDemand>(node.demand); }
bool copies_or_computes(const Node& node) { return is_copy(node) || std::holds_alternative<CpuDemand>(node.demand); }

/// How many copies and CPU nodes there are.
struct OtherCounts {
  std::size_t copies = 0;
  std::size_t cpus = 0;
  std::size_t& of(const Node& node) { return is_copy(node) ? copies : cpus; }
  [[nodiscard]] OtherWork present() const { return {copies > 0, cpus > 0}; }
};

/// How many kernels of each class there are; the last place is of those without a class.
class Counts {
 public:
  explicit Counts(std::size_t classes) : of_(classes + 1) {}
  void add(const GpuDemand& kernel) { ++place(kernel); }
  void remove(const GpuDemand& kernel) { --place(kernel); }
  [[nodiscard]] Present present() const {
    Present all;
    all.classes.reserve(of_.size() - 1);
    for (std::size_t c = 0; c + 1 < of_.size(); ++c) all.classes.push_back(of_[c] > 0);
    all.without = of_.back();
    return all;
  }

 private:
  std::size_t& place(const GpuDemand& kernel) { return of_[kernel.interference_class.value_or(of_.size() - 1)]; }
  std::vector<std::size_t> of_;
};

class Lengthened {
 public:
  Lengthened(const TaskSet& task_set, const Lasting& lasting, const Windows& windows)
      : set_(task_set), lasting_(lasting), windows_(windows), clock_(has_clock(task_set)), places_(task_set) {
    for (PoolId p = 0; p < set_.pools().size(); ++p) {
      const auto* const gpu = std::get_if<GpuPool>(&set_.pools()[p].resource);
      counts_other_work_ = counts_other_work_ || (gpu != nullptr && gpu->interference && counts_other_work(*gpu->interference));
      const std::size_t classes = gpu != nullptr && gpu->interference ? gpu->interference->classes.size() : 0;
      on_pool_.emplace_back(classes);
      on_gpu_.emplace_back(classes);
    }
    for (const Dag& dag : set_.dags()) {
      for (const Node& node : dag.nodes()) {
        const GpuDemand* const kernel = kernel_of(node);
        if (counts_other_work_ && copies_or_computes(node)) ++other_work_.of(node);
        if (kernel == nullptr) continue;
        on_pool_[node.pool].add(*kernel);
        on_gpu_[places_.gpu[node.pool]].add(*kernel);
      }
    }
  }

  [[nodiscard]] Node node(DagId d, NodeId v) const {
    const Dag& dag = set_.dags()[d];
    Node node = dag.nodes()[v];
    auto* const kernel = std::get_if<GpuDemand>(&node.demand);
    if (kernel == nullptr || !kernel->alone) return node;
    Counts gpu = on_gpu_[places_.gpu[node.pool]];
    Counts pool = on_pool_[node.pool];
    OtherCounts other_work = other_work_;
    const std::vector<bool> ordered = ordered_with(dag, v);
    for (NodeId u = 0; u < dag.nodes().size(); ++u) {
      const Node& other = dag.nodes()[u];
      if (counts_other_work_ && copies_or_computes(other) && !runs_beside(set_, dag, lasting_[d], u, v, ordered[u])) --other_work.of(other);
      const GpuDemand* const its = kernel_of(other);
      const bool here = its != nullptr && places_.gpu[other.pool] == places_.gpu[node.pool];
      if (!here || meet(dag, lasting_[d], u, v, ordered[u])) continue;
      gpu.remove(*its);
      if (other.pool == node.pool) pool.remove(*its);
    }
    if (clock_) remove_kept_apart(d, v, gpu, pool, other_work);
    const Interference& of = *std::get<GpuPool>(set_.pools()[node.pool].resource).interference;
    const auto& own = kernel->interference_class;
    const Lengthening by_kernels =
        checked_add(lengthening(of.other_sm, of.combine, own, gpu.present()), lengthening(of.same_sm, of.combine, own, pool.present()));
    *kernel = in_company(*kernel, checked_add(by_kernels, lengthening(of, own, other_work.present())));
    return node;
  }

 private:
  /// What the clock keeps apart from it, of other DAGs.
  void remove_kept_apart(DagId d, NodeId v, Counts& gpu, Counts& pool, OtherCounts& other_work) const {
    const PoolId own = set_.dags()[d].nodes()[v].pool;
    for (DagId e = 0; e < set_.dags().size(); ++e) {
      for (NodeId u = 0; u < set_.dags()[e].nodes().size(); ++u) {
        const Node& other = set_.dags()[e].nodes()[u];
        const GpuDemand* const its = kernel_of(other);
        if (counts_other_work_ && copies_or_computes(other) && clock_keeps_apart(set_, windows_, d, v, e, u)) --other_work.of(other);
        const bool here = its != nullptr && places_.gpu[other.pool] == places_.gpu[own];
        if (!here || !clock_keeps_apart(set_, windows_, d, v, e, u)) continue;
        gpu.remove(*its);
        if (other.pool == own) pool.remove(*its);
      }
    }
  }

  const TaskSet& set_;
  const Lasting& lasting_;
  const Windows& windows_;
  bool clock_;  // which may keep kernels of different DAGs apart
  Places places_;
  bool counts_other_work_ = false;  // of some GPU
  OtherCounts other_work_;
  std::vector<Counts> on_pool_, on_gpu_;  // by pool; those of a GPU stand at its first pool
};

}  // namespace

Lasting all_last(const TaskSet& task_set) {
  Lasting all;
  all.reserve(task_set.dags().size());
  for (const Dag& dag : task_set.dags()) all.emplace_back(dag.nodes().size(), true);
  return all;
}

bool can_meet(const Dag& dag, const std::vector<bool>& lasting, NodeId u, NodeId v) {
  return meet(dag, lasting, u, v, dag.precedes(u, v) || dag.precedes(v, u));
}

std::vector<Met> company_of(const TaskSet& task_set, const Lasting& lasting, DagId d, NodeId v) {
  std::vector<Met> company;
  const Places places(task_set);
  const PoolId own = task_set.dags()[d].nodes()[v].pool;
  const std::vector<bool> ordered = ordered_with(task_set.dags()[d], v);
  for (DagId e = 0; e < task_set.dags().size(); ++e) {
    const Dag& dag = task_set.dags()[e];
    for (NodeId u = 0; u < dag.nodes().size(); ++u) {
      const Node& node = dag.nodes()[u];
      if (kernel_of(node) == nullptr || places.gpu[node.pool] != places.gpu[own]) continue;
      if (e != d || meet(dag, lasting[d], u, v, ordered[u])) company.push_back({e, u, node.pool == own});
    }
  }
  return company;
}

bool can_run_beside(const TaskSet& task_set, const Lasting& lasting, DagId d, NodeId u, NodeId v) {
  const Dag& dag = task_set.dags()[d];
  return runs_beside(task_set, dag, lasting[d], u, v, dag.precedes(u, v) || dag.precedes(v, u));
}

std::vector<Met> other_work_beside(const TaskSet& task_set, const Lasting& lasting, DagId d, NodeId v) {
  std::vector<Met> found;
  const auto& gpu = std::get<GpuPool>(task_set.pools()[task_set.dags()[d].nodes()[v].pool].resource);
  if (!gpu.interference) return found;
  const std::vector<bool> ordered = ordered_with(task_set.dags()[d], v);
  for (DagId e = 0; e < task_set.dags().size(); ++e) {
    const Dag& dag = task_set.dags()[e];
    for (NodeId u = 0; u < dag.nodes().size(); ++u) {
      if (!is_other_work(*gpu.interference, dag.nodes()[u])) continue;
      if (e != d || runs_beside(task_set, dag, lasting[d], u, v, ordered[u])) found.push_back({e, u, false});
    }
  }
  return found;
}

std::shared_ptr<const TaskSet> with_company(const TaskSet& task_set, const Lasting& lasting) {
  return with_company(task_set, lasting, no_windows(task_set));
}

std::shared_ptr<const TaskSet> with_company(const TaskSet& task_set, const Lasting& lasting, const Windows& windows) {
  const Lengthened lengthened(task_set, lasting, windows);
  std::vector<Dag> dags;
  dags.reserve(task_set.dags().size());
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    std::vector<Node> nodes;
    nodes.reserve(dag.nodes().size());
    for (NodeId v = 0; v < dag.nodes().size(); ++v) nodes.push_back(lengthened.node(d, v));
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  return std::make_shared<const TaskSet>(task_set.name(), std::vector<Pool>(task_set.pools().begin(), task_set.pools().end()),
                                         std::move(dags), task_set.chains(), task_set.requirements());
}

}  // namespace rta::analysis
