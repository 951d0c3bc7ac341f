#include "analysis/explain/path_kinds.hpp"

#include <fmt/format.h>

#include "analysis/path/critical_path.hpp"

namespace rta::analysis {

PathKinds::PathKinds(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds, std::size_t own)
    : task_set_(task_set), dags_(dags), bounds_(bounds), kinds_(dag_kinds(task_set)), own_(own) {}

void PathKinds::add(TaskNames& names, std::size_t d, std::size_t u, bool waits) {
  const DagId in_bounds = bounds_.system.dag_of[d];
  const std::size_t segment = bounds_.system.segment_of[d];
  const DagId dag = dags_.empty() ? in_bounds : dags_[in_bounds];
  const std::size_t which = d != own_ ? 2 : waits ? 1 : 0;
  const auto [kind, is_new] = numbers_.try_emplace({which, which == 2 ? kinds_.of[dag] : 0, segment}, numbers_.size());
  if (is_new) names.kinds.push_back(name(d, kinds_.kinds[kinds_.of[dag]], which));
  const NodeId node = nodes_of_segment(bounds_, in_bounds, segment)[u];
  names.tasks.push_back({kind->second, task_set_.dags()[dag].nodes()[node].name, false});
}

DagId PathKinds::own_dag() const {
  const DagId in_bounds = bounds_.system.dag_of[own_];
  return dags_.empty() ? in_bounds : dags_[in_bounds];
}

std::string PathKinds::name(std::size_t d, const DagKinds::Kind& kind, std::size_t which) const {
  const std::string& one = bounds_.system.system.dags[d].name;
  if (which == 1) return "its own " + one + ", what waits for it";
  if (which == 0) return "its own " + one;
  if (kind.first == kind.last) return one;
  const std::string& first = task_set_.dags()[kind.first].name();
  const std::string& last = task_set_.dags()[kind.last].name();
  const std::size_t segment = bounds_.system.segment_of[d];
  const std::string part = bounds_.offset[bounds_.system.dag_of[d]].size() > 1 ? fmt::format(", segment {}", segment) : std::string();
  return fmt::format("{}{} ... {}{}", kinds_.of[own_dag()] == kinds_.of[kind.first] ? "others of " : "", first, last, part);
}

}  // namespace rta::analysis
