#include <vector>

#include "rta/convert/convert.hpp"
#include "rta/static_order/graph_file.hpp"
#include "rta/static_order/task_set_graph.hpp"

namespace rta::convert {
namespace {

// The format names one of several resources by their type, when it may be any of that type.
void name_types(static_order::Graph& graph) {
  for (static_order::Runnable& runnable : graph.runnables) {
    for (static_order::ResourceNeed& need : runnable.needs) {
      const std::string& type = graph.resources[need.any_of.front()].type;
      std::vector<static_order::ResourceId> all;
      for (static_order::ResourceId id = 0; id < graph.resources.size(); ++id) {
        if (graph.resources[id].type == type) all.push_back(id);
      }
      if (need.any_of.size() > 1 && need.any_of == all) need.type = type;
    }
  }
}

}  // namespace

std::string format_stm(const TaskSet& task_set) {
  static_order::Graph graph = static_order::graph_of(task_set);
  name_types(graph);
  for (static_order::Hyperepoch& hyperepoch : graph.hyperepochs) {
    for (static_order::Epoch& epoch : hyperepoch.epochs) {
      // Frames that end by then never overlap, so nothing is lost by forbidding it.
      if (epoch.deadline && *epoch.deadline <= epoch.period) epoch.overlap = false;
    }
  }
  return static_order::format_graph(graph);
}

}  // namespace rta::convert
