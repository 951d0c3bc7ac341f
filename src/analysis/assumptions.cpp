#include "rta/analysis/assumptions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/company/exposure.hpp"
#include "analysis/company/phases.hpp"
#include "rta/analysis/gpu/configuration.hpp"
#include "rta/model/other_work.hpp"
#include "rta/model/partitions.hpp"

namespace rta::analysis {
namespace {

/// Whose kernels the bounds are of: where groups await kernels, these are no nodes of the analysed set.
const TaskSet& with_kernels(const Proof& proof) { return proof.ungrouped ? *proof.ungrouped : *proof.task_set; }

/// The theorems of bounds of nodes on a pool, each once, those that groups await among them.
std::vector<std::string> theorems_on(const Proof& proof, PoolId p) {
  std::vector<std::string> theorems;
  const auto add = [&](const std::optional<Bound>& bound) {
    if (!bound) return;
    std::string theorem(to_string(bound->basis.theorem));
    if (std::ranges::find(theorems, theorem) == theorems.end()) theorems.push_back(std::move(theorem));
  };
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (dag.nodes()[v].pool == p) add(proof.dags[d].nodes[v].bound);
    }
  }
  for (const PoolTask& task : proof.pools[p].tasks) {
    if (task.awaited) add(task.bound);
  }
  return theorems;
}

bool any_asks_for_registers(const TaskSet& task_set, PoolId p) {
  return std::ranges::any_of(task_set.dags(), [&](const Dag& dag) {
    return std::ranges::any_of(
        dag.nodes(), [&](const Node& node) { return node.pool == p && std::get<GpuDemand>(node.demand).registers_per_thread > 0; });
  });
}

bool any_alone(const Proof& proof, PoolId p) {
  if (!proof.company) return false;
  return std::ranges::any_of(proof.company->alone->dags(), [p](const Dag& dag) {
    return std::ranges::any_of(dag.nodes(), [p](const Node& node) {
      const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      return node.pool == p && kernel != nullptr && kernel->alone;
    });
  });
}

bool counts_on_clock(const Proof& proof) {
  const TaskSet& alone = *proof.company->alone;
  return *with_company(alone, proof.company->lasting) != *with_company(alone, proof.company->lasting, counted_windows(proof));
}

/// Whether a kernel of the pool is shorter than C1 says.
bool counts_time(const Proof& proof, PoolId p) {
  const PerNode<Time> with = block_times(*proof.task_set), pairs = block_times(by_pairs(proof));
  for (DagId d = 0; d < with.size(); ++d) {
    const auto nodes = proof.task_set->dags()[d].nodes();
    for (NodeId v = 0; v < nodes.size(); ++v) {
      if (nodes[v].pool == p && with[d][v] < pairs[d][v]) return true;
    }
  }
  return false;
}

/// docs/theory/contention.md
void add_company(const Proof& proof, PoolId p, std::vector<Assumption>& all) {
  if (!any_alone(proof, p)) return;
  const Interference& of = *std::get<GpuPool>(proof.task_set->pools()[p].resource).interference;
  const bool other_work = counts_other_work(of);
  const bool for_a_time = counts_time(proof, p);
  all.push_back(
      {p, for_a_time ? std::vector<std::string>{"C1", "C2"} : std::vector<std::string>{"C1"},
       fmt::format(
           "kernels of pool '{}' take no longer than alone but for what `interference` says of {} beside them; of "
           "several classes {} counts, fewer {} beside one never lengthen it, {}; {} are taken to be no company, which holds "
           "if they were at work when durations were measured alone, as far as they ever are",
           proof.task_set->pools()[p].name, other_work ? "the kernels, copies and CPU nodes" : "the kernels",
           of.combine == Combine::sum ? "the sum" : "the worst", other_work ? "of these" : "kernels",
           of.same_sm.empty() ? "and durations alone were measured on full SMs, where blocks of others may share one"
                              : "on its own SM or on others",
           other_work ? "CPUs outside this task set and whatever else uses the memory" : "copies, CPUs and whatever else uses the memory") +
           (for_a_time ? "; a block is as fast as alone as soon as its company is gone" : "") +
           (counts_on_clock(proof) ? "; DAGs that are `periodic` are released from their phases on by one clock" : "")});
}

/// docs/theory/partitions.md
void add_partition(const Proof& proof, PoolId p, std::vector<Assumption>& all) {
  const Partition* const partition = partition_of(proof.task_set->pools()[p]);
  if (partition == nullptr) return;
  std::vector<std::string> by = theorems_on(proof, p);
  if (by.empty()) return;
  all.push_back(
      {p, std::move(by),
       fmt::format("all work of GPU '{0}' runs in partitions that have no SM in common; blocks of pool '{1}' run on its own SMs "
                   "only (P1), and its kernels wait in a queue of their own (P2); times of its kernels were measured in it, with "
                   "the other partitions at work{2}",
                   partition->gpu, proof.task_set->pools()[p].name, any_alone(proof, p) ? ", but for those measured alone" : "")});
}

/// docs/theory/executors.md
void add_messages(const Proof& proof, PoolId p, std::vector<Assumption>& all) {
  const auto* const cpu = std::get_if<CpuPool>(&proof.task_set->pools()[p].resource);
  if (cpu == nullptr || (!is_wait_set(*cpu) && !is_multi_threaded(*cpu) && !cpu->callbacks)) return;
  const auto within = [p](const Dag& dag) {
    return std::ranges::any_of(dag.edges(),
                               [&](const Edge& edge) { return dag.nodes()[edge.from].pool == p && dag.nodes()[edge.to].pool == p; });
  };
  if (std::ranges::none_of(proof.task_set->dags(), within)) return;
  std::vector<std::string> by = theorems_on(proof, p);
  if (by.empty()) return;
  all.push_back({p, std::move(by),
                 fmt::format("a message from one callback of executor '{}' to another is in its queue when the callback that publishes it "
                             "ends (intra-process communication)",
                             proof.task_set->pools()[p].name)});
}

void add_reservation(const Proof& proof, PoolId p, std::vector<Assumption>& all) {
  const auto* const cpu = std::get_if<CpuPool>(&proof.task_set->pools()[p].resource);
  if (cpu == nullptr || !cpu->reservation) return;
  std::vector<std::string> by = theorems_on(proof, p);
  if (by.empty()) return;
  all.push_back(
      {p, std::move(by),
       fmt::format("the reservations of the processor of executor '{}' take no more than all of it, and nothing runs there before "
                   "them",
                   proof.task_set->pools()[p].name)});
}

/// docs/theory/periodic.md, "One instant"
void add_simultaneous(const Proof& proof, PoolId p, std::vector<Assumption>& all) {
  const auto* const cpu = std::get_if<CpuPool>(&proof.task_set->pools()[p].resource);
  if (cpu == nullptr || cpu->simultaneous == Simultaneous::any_order) return;
  const bool by_orders =
      std::ranges::any_of(proof.evidence, [](const Evidence& evidence) { return std::holds_alternative<ReachEvidence>(evidence); });
  if (!by_orders) return;
  all.push_back(
      {p,
       {std::string(to_string(Theorem::T36))},
       fmt::format("at one instant pool '{}' has seen all releases, and all ends of jobs that take some time, before it starts anything",
                   proof.task_set->pools()[p].name)});
}

/// Whether a block may wait for registers before anything else that its SM has.
bool registers_bind(const Proof& proof, PoolId p, const GpuPool& gpu) {
  std::vector<fifo::Amounts> demand;
  for (const Dag& dag : with_kernels(proof).dags()) {
    for (const Node& node : dag.nodes()) {
      if (node.pool != p) continue;
      const auto& kernel = std::get<GpuDemand>(node.demand);
      if (!counts_by_blocks(kernel)) continue;
      demand.push_back(fifo::block_demand(kernel.H, kernel.shared_memory, kernel.registers_per_thread, gpu));
    }
  }
  const fifo::Sm sm(gpu, fifo::classify(demand).demand);
  return std::ranges::find(sm.binding(), fifo::Resource::registers) != sm.binding().end();
}

void add_registers(const Proof& proof, PoolId p, std::vector<Assumption>& all) {
  const auto* const gpu = std::get_if<GpuPool>(&proof.task_set->pools()[p].resource);
  if (gpu == nullptr || !gpu->sm.registers || !any_asks_for_registers(with_kernels(proof), p)) return;
  std::vector<std::string> by = theorems_on(proof, p);
  const std::uint32_t parts = gpu->allocation.register_parts;
  // With parts it matters where registers are short; in one amount parts that there are might make them so.
  if (by.empty() || (parts > 1 && !registers_bind(proof, p, *gpu))) return;
  const std::string& name = proof.task_set->pools()[p].name;
  all.push_back({p, std::move(by),
                 parts > 1
                     ? fmt::format("an SM of pool '{}' starts a block as soon as the {} parts of its register file have room for its "
                                   "warps, in whichever part each then is",
                                   name, parts)
                     : fmt::format("an SM of pool '{}' has its registers in one amount, not in parts that hold whole warps (register_parts "
                                   "says of how many parts)",
                                   name)});
}

}  // namespace

std::vector<Assumption> assumptions(const Proof& proof, std::span<const ChainProof> chains) {
  std::vector<Assumption> all;
  for (const QueuesFirst& one : queues_first(proof, chains)) {
    Assumption& assumed = all.emplace_back(Assumption{one.pool, {}, in_words(*proof.task_set, one)});
    if (one.whole_dags) assumed.by.emplace_back("T10d");
    if (one.urgent_stages) assumed.by.emplace_back("T13");
  }
  for (PoolId p = 0; p < proof.task_set->pools().size(); ++p) {
    add_company(proof, p, all);
    add_partition(proof, p, all);
    add_registers(proof, p, all);
    add_messages(proof, p, all);
    add_reservation(proof, p, all);
    add_simultaneous(proof, p, all);
  }
  std::ranges::stable_sort(all, {}, &Assumption::pool);
  return all;
}

}  // namespace rta::analysis
