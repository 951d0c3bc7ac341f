#include "rta/convert/convert.hpp"
#include "rta/static_order/graph_file.hpp"
#include "rta/static_order/task_set_graph.hpp"

namespace rta::convert {

std::string format_stm(const TaskSet& task_set) {
  static_order::Graph graph = static_order::graph_of(task_set);
  for (static_order::Hyperepoch& hyperepoch : graph.hyperepochs) {
    for (static_order::Epoch& epoch : hyperepoch.epochs) {
      // Frames that end by then never overlap, so nothing is lost by forbidding it.
      if (epoch.deadline && *epoch.deadline <= epoch.period) epoch.overlap = false;
    }
  }
  return static_order::format_graph(graph);
}

}  // namespace rta::convert
