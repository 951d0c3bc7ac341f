#include "rta/compare/static_calibration.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace rta::compare {

StaticCalibration calibrate(const StaticComparison& comparison, const static_order::Graph& graph, std::uint32_t ppm) {
  std::map<std::pair<std::string, std::string>, const PlayedRunnable*> played;  // by epoch and name
  for (const PlayedRunnable& runnable : comparison.runnables) played[{runnable.epoch, runnable.name}] = &runnable;
  StaticCalibration result{graph, 0, {}};
  for (static_order::Runnable& runnable : result.graph.runnables) {
    const static_order::Hyperepoch& hyperepoch = graph.hyperepochs[runnable.hyperepoch];
    const std::string name = full_name(graph, runnable);
    if (runnable.blocks) {
      result.warnings.push_back(fmt::format("'{}' has blocks, whose time the trace does not show; it keeps its values", name));
      continue;
    }
    const auto at = played.find({hyperepoch.name + "." + hyperepoch.epochs[runnable.epoch].name, name});
    if (at == played.end() || at->second->execution.count() == 0) {
      result.warnings.push_back(fmt::format("the trace shows nothing of '{}'; it keeps its WCET", name));
      continue;
    }
    runnable.wcet = at->second->execution.quantile(ppm);
    ++result.replaced;
  }
  return result;
}

}  // namespace rta::compare
