#include "plan_bodies.hpp"

#include <algorithm>

#include "rta/model/deadline.hpp"
#include "rta/model/error.hpp"

namespace rta::simulate {
namespace {

/// On whose processors the body's thread runs.
PoolId pool_of(const Dag& dag, const Body& body, std::span<const Pool> pools) {
  const auto on_cpu = [&](NodeId v) { return pools[dag.nodes()[v].pool].kind() == PoolKind::cpu; };
  const auto at = std::ranges::find_if(body.nodes, on_cpu);
  require(at != body.nodes.end(), "a body has a CPU node");
  const PoolId pool = dag.nodes()[*at].pool;
  require(std::ranges::all_of(body.nodes, [&](NodeId v) { return !on_cpu(v) || dag.nodes()[v].pool == pool; }),
          "a body is on one CPU pool");
  return pool;
}

/// Whether what runs on the pool does so until it ends, or waits.
bool runs_to_its_end(const TaskSet& task_set, PoolId p) {
  const auto& cpu = std::get<CpuPool>(task_set.pools()[p].resource);
  if (!cpu.preemptive || cpu.scheduler == Scheduler::fifo) return true;
  std::uint64_t threads = 0;
  for (const Dag& dag : task_set.dags()) {
    if (std::ranges::none_of(dag.nodes(), [&](const Node& node) { return node.pool == p; })) continue;
    if (!dag.attributes().threads) return false;
    threads += *dag.attributes().threads;
  }
  return threads <= cpu.processors;
}

}  // namespace

void check_bodies(std::span<const Dag> dags, const Bodies& bodies) {
  require(bodies.empty() || bodies.size() == dags.size(), "there are bodies for every DAG");
  for (DagId d = 0; d < bodies.size(); ++d) {
    std::vector<bool> taken(dags[d].nodes().size());
    for (const Body& body : bodies[d]) {
      require(!body.nodes.empty(), "a body has nodes");
      for (const NodeId v : body.nodes) {
        require(v < taken.size() && !taken[v], "a node is part of one body at most");
        taken[v] = true;
      }
    }
  }
}

BodiesOfDag::BodiesOfDag(const Dag& dag, std::span<const Body> bodies) : dag_(dag), bodies_(bodies), of_(dag.nodes().size(), none) {
  if (bodies.empty()) return;
  for (std::uint32_t b = 0; b < bodies.size(); ++b) {
    for (const NodeId v : bodies[b].nodes) of_[v] = b;
  }
  followers_.resize(dag.nodes().size());
  predecessors_.resize(dag.nodes().size());
  for (const Edge& edge : dag.edges()) {
    if (of_[edge.from] == none || of_[edge.from] != of_[edge.to]) add(last(edge.from), first(edge.to));
  }
  for (const Body& body : bodies) {
    for (std::size_t i = 1; i < body.nodes.size(); ++i) add(body.nodes[i - 1], body.nodes[i]);
  }
}

void BodiesOfDag::add(NodeId from, NodeId to) {
  if (std::ranges::find(followers_[from], to) != followers_[from].end()) return;
  followers_[from].push_back(to);
  ++predecessors_[to];
}

std::optional<Time> BodiesOfDag::deadline(NodeId v) const {
  if (of_[v] == none) return own_deadline(dag_, v);
  return last(v) == v ? bodies_[of_[v]].deadline : std::nullopt;
}

void keep_processors(const TaskSet& task_set, DagId d, std::span<const std::uint32_t> first, Plan& plan) {
  const Dag& dag = task_set.dags()[d];
  const auto order = dag.topological_order();
  const PoolId p = dag.nodes()[order.front()].pool;
  const auto& cpu = std::get<CpuPool>(task_set.pools()[p].resource);
  require(!is_wait_set(cpu) && !is_multi_threaded(cpu) && !cpu.reservation, "an executor plays its callbacks itself");
  if (!runs_to_its_end(task_set, p))
    throw UserError("DAG '" + dag.name() + "' spins (`wait: spin`) on pool '" + task_set.pools()[p].name +
                    "', where others may preempt it while its kernels go on; threads that spin are simulated under FIFO, without "
                    "preemption, or where there is a processor for each thread");
  plan.cpus[first[p]].preemptive = false;  // nothing ever preempts there
  const auto first_node = static_cast<std::uint32_t>(plan.nodes.size() - dag.nodes().size());
  for (std::size_t i = 0; i < order.size() && order.size() > 1; ++i) {
    PlanNode& node = plan.nodes[first_node + order[i]];
    node.spinning = i == 0 ? Spinning::first : i + 1 == order.size() ? Spinning::last : Spinning::between;
    node.processors = first[p];
  }
}

void add_body(const Dag& dag, const Body& body, std::span<const Pool> pools, std::span<const std::uint32_t> first, std::uint32_t first_node,
              Plan& plan) {
  const PoolId p = pool_of(dag, body, pools);
  const auto& cpu = std::get<CpuPool>(pools[p].resource);
  const bool keeps = cpu.scheduler == Scheduler::fifo;
  if (!cpu.preemptive && !keeps && body.nodes.size() > 1)
    throw UserError("pool '" + pools[p].name +
                    "' is not preemptive; coarse-grained and monolithic DAGs are simulated on preemptive pools and under FIFO");
  if (keeps) plan.cpus[first[p]].preemptive = false;  // nothing ever preempts under FIFO
  plan.bodies.push_back({.first = static_cast<std::uint32_t>(first_node + body.nodes.front()),
                         .last = static_cast<std::uint32_t>(first_node + body.nodes.back()),
                         .cpu = first[p],
                         .keeps = keeps});
}

}  // namespace rta::simulate
