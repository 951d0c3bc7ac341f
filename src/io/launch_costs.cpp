#include "launch_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "rta/model/kernel_time.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::io {
namespace {

constexpr std::string_view launch_key = "launch_overhead", dispatch_key = "dispatch_latency";

// Whether what runs there is a callback of an executor, which only a node of the file can be.
bool runs_callbacks(const CpuPool& pool) {
  return is_wait_set(pool) || is_multi_threaded(pool) || pool.callbacks || pool.reservation.has_value();
}

void add_dispatch(GpuDemand& kernel, const GpuPool& gpu, Time latency) {
  if (!kernel.has_blocks) {
    GpuDemand longer = kernel_by_time(*kernel.time + latency, gpu, kernel.priority);
    longer.alone = kernel.alone;
    longer.interference_class = kernel.interference_class;
    kernel = longer;
    return;
  }
  if (kernel.time) kernel.time = *kernel.time + latency;
  kernel.C = kernel.C + Workload(checked_mul<Wide>(latency.count(), kernel.H));
  kernel.L = to_time(ceil_div(kernel.C.count(), kernel.H));
}

class Launches {
 public:
  Launches(const Dag& dag, const std::vector<Pool>& pools, const LaunchCosts& costs, Diagnostics& out)
      : dag_(dag), pools_(pools), costs_(costs), out_(out), nodes_(dag.nodes().begin(), dag.nodes().end()) {}

  [[nodiscard]] Dag dag() && {
    find_launchers();
    std::vector<std::optional<NodeId>> own(dag_.nodes().size());  // the launches that are nodes
    for (NodeId v = 0; v < dag_.nodes().size(); ++v) {
      const LaunchCost* const cost = cost_of(v);
      if (cost == nullptr) continue;
      auto& kernel = std::get<GpuDemand>(nodes_[v].demand);
      if (cost->dispatch > Time::zero()) add_dispatch(kernel, std::get<GpuPool>(pools_[nodes_[v].pool].resource), cost->dispatch);
      if (cost->launch == Time::zero()) continue;
      if (const auto node = launched_by_its_node(v)) {
        auto& before = std::get<CpuDemand>(nodes_[*node].demand);
        before.C = before.C + cost->launch;
      } else if (may_have_own(v, *cost)) {
        own[v] = nodes_.size();
        nodes_.push_back(launch_of(v, cost->launch));
      }
    }
    std::vector<Edge> edges(dag_.edges().begin(), dag_.edges().end());
    for (Edge& edge : edges) edge.to = own[edge.to].value_or(edge.to);
    for (NodeId v = 0; v < own.size(); ++v) {
      if (own[v]) edges.push_back({*own[v], v});
    }
    if (out_.failed()) return dag_;
    return Dag(dag_.name(), dag_.period(), dag_.deadline(), std::move(nodes_), std::move(edges), dag_.attributes());
  }

 private:
  [[nodiscard]] const LaunchCost* cost_of(NodeId v) const {
    const Pool& pool = pools_[dag_.nodes()[v].pool];
    if (pool.kind() != PoolKind::gpu) return nullptr;
    const auto at = costs_.find(name_in_file(pool));
    return at == costs_.end() ? nullptr : &at->second;
  }
  [[nodiscard]] bool is_launched(NodeId v) const {
    const LaunchCost* const cost = cost_of(v);
    return cost != nullptr && cost->launch > Time::zero();
  }
  [[nodiscard]] bool on_processors(NodeId v) const { return pools_[dag_.nodes()[v].pool].kind() == PoolKind::cpu; }

  // Of each node the one on processors that it follows, through nodes on none; of several the first in the file.
  void find_launchers() {
    launchers_.resize(dag_.nodes().size());
    for (const NodeId v : dag_.topological_order()) {
      for (const NodeId u : dag_.predecessors(v)) {
        const std::optional<NodeId> candidate = on_processors(u) ? std::optional(u) : launchers_[u];
        if (candidate) launchers_[v] = std::min(launchers_[v].value_or(*candidate), *candidate);
      }
    }
  }

  [[nodiscard]] std::optional<NodeId> launched_by_its_node(NodeId kernel) const {
    const auto before = dag_.predecessors(kernel);
    if (before.size() != 1 || !on_processors(before[0])) return std::nullopt;
    const auto next = dag_.successors(before[0]);
    const auto launched = std::count_if(next.begin(), next.end(), [this](NodeId v) { return is_launched(v); });
    return launched == 1 ? std::optional(before[0]) : std::nullopt;
  }

  [[nodiscard]] bool may_have_own(NodeId kernel, const LaunchCost& cost) {
    const std::string& name = dag_.nodes()[kernel].name;
    const auto refuse = [&](std::string_view what) {
      out_.error(cost.at, {"pool", name_in_file(pools_[dag_.nodes()[kernel].pool])},
                 fmt::format("{}: kernel {} of {} {}", launch_key, quote(name), quote(dag_.name()), what));
      return false;
    };
    if (!launchers_[kernel]) return refuse("follows no node on processors, which would launch it: put one before it");
    if (runs_callbacks(std::get<CpuPool>(pools_[dag_.nodes()[*launchers_[kernel]].pool].resource)))
      return refuse("is launched by an executor, but by no callback that launches it alone: give it a callback, and put that before it");
    const auto same = [&](const Node& node) { return node.name == name + ".launch"; };
    if (std::any_of(nodes_.begin(), nodes_.end(), same))
      return refuse(fmt::format("has its launch in a node {}, but there is one", quote(name + ".launch")));
    return true;
  }

  [[nodiscard]] Node launch_of(NodeId kernel, Time time) const {
    const Node& launcher = dag_.nodes()[*launchers_[kernel]];
    Node node;
    node.name = dag_.nodes()[kernel].name + ".launch";
    node.pool = launcher.pool;
    node.demand = CpuDemand{time, std::get<CpuDemand>(launcher.demand).priority};
    node.group = dag_.nodes()[kernel].group;
    return node;
  }

  const Dag& dag_;
  const std::vector<Pool>& pools_;
  const LaunchCosts& costs_;
  Diagnostics& out_;
  std::vector<Node> nodes_;
  std::vector<std::optional<NodeId>> launchers_;
};

}  // namespace

void read_launch_cost(const Fields& gpu, const Unit* time_unit, LaunchCosts& costs) {
  const auto launch = gpu.time(launch_key, time_unit, 0);
  const auto dispatch = gpu.time(dispatch_key, time_unit, 0);
  if (!launch && !dispatch) return;
  const Value* const at = gpu.find(gpu.has(launch_key) ? launch_key : dispatch_key);
  costs.emplace(gpu.subject().name,
                LaunchCost{launch ? to_time(*launch) : Time::zero(), dispatch ? to_time(*dispatch) : Time::zero(), at->mark});
}

std::vector<Dag> with_launch_costs(std::vector<Dag> dags, const std::vector<Pool>& pools, const LaunchCosts& costs, Diagnostics& out) {
  if (costs.empty()) return dags;
  for (Dag& dag : dags) dag = Launches(dag, pools, costs, out).dag();
  return dags;
}

}  // namespace rta::io
