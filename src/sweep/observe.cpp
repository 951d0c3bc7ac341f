#include "observe.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "rta/simulate/simulate.hpp"

namespace rta::sweep {
namespace {

simulate::Schedule schedule_of(const analysis::Analysis& analysis) {
  simulate::Times Phi;
  simulate::Times Y;
  simulate::Schedule on_completion;
  for (const analysis::DagBound& dag : analysis.dags) {
    Phi.emplace_back();
    Y.emplace_back();
    auto& nodes = on_completion.nodes.emplace_back();
    for (const analysis::NodeBound& node : dag.nodes) {
      Phi.back().push_back(node.offset.value_or(Time::zero()));
      Y.back().push_back(node.priority_point.value_or(Time::zero()));
      nodes.push_back({std::nullopt, Time::zero(), node.priority_point, false});
    }
  }
  if (analysis.release == analysis::ReleasePolicy::completion) return on_completion;
  return simulate::with_offsets(*analysis.task_set, Phi, Y);
}

}  // namespace

std::vector<Time> observe(const analysis::Analysis& analysis, Time duration) {
  simulate::Options options;
  options.duration = duration;
  const auto observation = simulate::simulate(*analysis.task_set, schedule_of(analysis), options);
  std::vector<Time> largest;
  for (DagId d = 0; d < analysis.dags.size(); ++d) {
    const simulate::Statistics& response = observation.dags[d].response;
    largest.push_back(response.count() > 0 ? response.max() : Time::zero());
    if (largest.back() > *analysis.dags[d].R) {
      throw std::logic_error(fmt::format("a simulated response of DAG '{}' is {} ns, above its bound of {} ns",
                                         analysis.task_set->dags()[d].name(), largest.back().count(), analysis.dags[d].R->count()));
    }
  }
  return largest;
}

}  // namespace rta::sweep
