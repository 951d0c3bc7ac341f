#include "ground.hpp"

#include <algorithm>

#include "rta/model/fixed_priority.hpp"
#include "rta/model/interference.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::simulate {
namespace {

std::vector<std::uint32_t> levels_of(const Dag& dag) {
  std::vector<std::uint32_t> level(dag.nodes().size());
  for (const NodeId v : dag.topological_order()) {
    for (const NodeId u : dag.predecessors(v)) level[v] = std::max(level[v], level[u] + 1);
  }
  return level;
}

// Of one piece, or of a kernel as a whole where that is known.
std::int64_t duration(const Node& node) {
  if (const auto* cpu = std::get_if<CpuDemand>(&node.demand)) return cpu->C.count();
  if (const auto* gpu = std::get_if<GpuDemand>(&node.demand)) return gpu->time.value_or(gpu->L).count();
  if (const auto* copy = std::get_if<CopyDemand>(&node.demand)) return copy->C.count();
  return std::get<WorkerDemand>(node.demand).L.count();
}

std::vector<std::int64_t> lengths_of(const Dag& dag) {
  std::vector<std::int64_t> length(dag.nodes().size());
  for (const NodeId v : dag.topological_order()) {
    for (const NodeId u : dag.predecessors(v)) length[v] = std::max(length[v], length[u]);
    length[v] = std::min(length[v] + duration(dag.nodes()[v]), longest_time.count());
  }
  return length;
}

bool has_waves(const TaskSet& set, const Node& node) {
  const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
  return kernel != nullptr && kernel->time && kernel->has_blocks &&
         static_cast<Wide>(kernel->B) > places(*kernel, std::get<GpuPool>(set.pools()[node.pool].resource));
}

Time latest_point(const std::vector<NodeSchedule>& nodes) {
  Time latest = Time::zero();
  for (const NodeSchedule& node : nodes) latest = std::max(latest, node.priority_point.value_or(Time::zero()));
  return latest;
}

}  // namespace

Ground::Ground(const TaskSet& set, const Schedule& played, const SearchOptions& given) : task_set(set), schedule(played), options(given) {
  const FixedPriorities priorities = fixed_priorities(set);
  slices = first_gpu_with_slices(set).has_value();
  company = measured_alone(set);
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    level.push_back(levels_of(dag));
    for (const std::uint32_t l : level.back()) levels = std::max(levels, l + 1);
    length.push_back(lengths_of(dag));
    auto& starts = start.emplace_back(length.back());
    for (NodeId v = 0; v < starts.size(); ++v) starts[v] -= std::min(starts[v], duration(dag.nodes()[v]));
    for (const Node& node : dag.nodes()) waves = waves || has_waves(set, node);
    point.push_back(latest_point(played.nodes[d]));
    const auto twin = std::find_if(targets.begin(), targets.end(), [&](DagId k) {
      return dag.same_shape(set.dags()[k]) && played.nodes[d] == played.nodes[k] && priorities.of[d] == priorities.of[k];
    });
    if (twin == targets.end()) {
      targets.push_back(d);
      twins.emplace_back();
    } else {
      twins[static_cast<std::size_t>(twin - targets.begin())].push_back(d);
    }
  }
}

}  // namespace rta::simulate
