#include "timeline_colours.hpp"

#include <functional>
#include <map>

namespace rta::report {

TimelineColours::TimelineColours(const trace::Labels& labels) : per_dag_(labels.dags.size() > 1) {
  if (per_dag_) {
    names_.reserve(labels.dags.size());
    for (const trace::DagLabel& dag : labels.dags) names_.push_back(dag.name);
    return;
  }
  std::map<std::string, std::size_t, std::less<>> kernels;
  const auto is_copy = [&](const trace::NodeLabel& node) { return labels.pools[node.pool].kind == PoolKind::engines; };
  const auto& nodes = labels.dags.front().nodes;
  of_node_.resize(nodes.size());
  for (const bool copies : {false, true}) {
    for (NodeId v = 0; v < nodes.size(); ++v) {
      if (is_copy(nodes[v]) != copies) continue;
      const std::string& name = nodes[v].name;
      const auto kernel =
          copies && (name.ends_with(":in") || name.ends_with(":out")) ? kernels.find(name.substr(0, name.rfind(':'))) : kernels.end();
      of_node_[v] = kernel != kernels.end() ? kernel->second : names_.size();
      if (kernel == kernels.end()) names_.push_back(name);
      if (!copies) kernels.emplace(name, of_node_[v]);
    }
  }
}

}  // namespace rta::report
