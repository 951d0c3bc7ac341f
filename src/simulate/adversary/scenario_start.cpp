#include <algorithm>

#include "scenario.hpp"

namespace rta::simulate {
namespace {

constexpr std::uint32_t most_level = 500;
constexpr std::uint32_t block = 1024;  // ranks of one stage
static_assert((2 * most_level + 2) * block <= most_rank);

/// How the others stand to the target.
struct Shape {
  std::uint32_t lockstep = 0;     // stage by stage up to this level; from there on the target comes last
  bool only_path = false;         // of the target only a longest path; its other nodes stand with the others
  std::size_t short_sources = 0;  // so many of the others have sources of length 0
  /// Which of the others come first within a stage.
  enum class Within : std::uint8_t { beginnings, ends, dag_by_dag, as_they_come } within = Within::beginnings;
  enum class Releases : std::uint8_t { together, as_late_as_precedes, random } releases = Releases::together;
  std::size_t before = 0;  // further jobs of each DAG
};

Shape draw_shape(const Ground& ground, Dice& dice) {
  Shape shape;
  if (!dice.one_in(4)) shape.lockstep = static_cast<std::uint32_t>(dice.below(ground.levels));
  shape.only_path = !dice.one_in(4);
  if (dice.one_in(2)) shape.short_sources = dice.one_in(2) ? dice.below(4) : ground.task_set.dags().size();
  shape.within = static_cast<Shape::Within>(dice.below(4));
  if (dice.one_in(2)) shape.releases = dice.one_in(2) ? Shape::Releases::as_late_as_precedes : Shape::Releases::random;
  if (dice.one_in(2)) shape.before = dice.one_in(2) ? 1 : dice.below(8);
  return shape;
}

// The nodes of a longest path to where most DAGs end: the node with the longest one.
std::vector<bool> longest_path(const Ground& ground, DagId d) {
  const auto& length = ground.length[d];
  std::vector<bool> on_path(length.size());
  auto v = static_cast<NodeId>(std::max_element(length.begin(), length.end()) - length.begin());
  while (true) {
    on_path[v] = true;
    const auto before = ground.task_set.dags()[d].predecessors(v);
    if (before.empty()) return on_path;
    v = *std::max_element(before.begin(), before.end(), [&](NodeId a, NodeId b) { return length[a] < length[b]; });
  }
}

std::vector<ScenarioNode> nodes_of(const Ground& ground, DagId d, bool target, const Shape& shape) {
  const auto& level = ground.level[d];
  std::vector<bool> is_last(level.size(), target);
  if (target && shape.only_path) is_last = longest_path(ground, d);
  std::vector<ScenarioNode> nodes(level.size());
  const auto place = [&](std::uint32_t l) {
    return ground.levels <= most_level ? l : static_cast<std::uint32_t>(std::uint64_t{l} * most_level / ground.levels);
  };
  const auto within = [&](std::uint32_t l) -> std::uint32_t {
    switch (shape.within) {
      case Shape::Within::beginnings: return l;
      case Shape::Within::ends: return most_level - l;
      case Shape::Within::dag_by_dag: return static_cast<std::uint32_t>(d % block);
      case Shape::Within::as_they_come: return 0;
    }
    return 0;
  };
  for (NodeId v = 0; v < nodes.size(); ++v) {
    const bool last = is_last[v];
    const std::uint32_t stage = place(std::min(level[v], shape.lockstep));
    nodes[v].rank = (2 * stage + static_cast<std::uint32_t>(last)) * block + within(place(level[v]));
    if (!target && d < shape.short_sources && level[v] == 0) nodes[v].execution = 0;
  }
  return nodes;
}

// When the job of d is released that stands beside the target's, which is released at 0.
std::int64_t beside(const Ground& ground, DagId d, DagId target, const Shape& shape, Dice& dice) {
  const std::int64_t T = ground.task_set.dags()[d].nominal_period().count();
  switch (shape.releases) {
    case Shape::Releases::together: return 0;
    case Shape::Releases::as_late_as_precedes:
      return std::clamp((ground.point[target] - ground.point[d]).count(), -T, ground.task_set.dags()[target].nominal_period().count());
    case Shape::Releases::random: return -dice.between(0, T - 1);
  }
  return 0;
}

}  // namespace

std::size_t size_of(const Options& scenario) {
  std::size_t size = 0;
  for (const auto& jobs : scenario.jobs) {
    for (const ScenarioJob& job : jobs) size += job.nodes.size();
  }
  return size;
}

Options scenario_start(const Ground& ground, DagId target, Time response, Dice& dice) {
  const Shape shape = draw_shape(ground, dice);
  const auto& dags = ground.task_set.dags();
  Options o = ground.options.base;
  o.releases = {};
  o.execution = worst_case;
  o.vary = false;
  o.node_execution.clear();
  o.ties = Ties::in_order;
  if (ground.waves && dice.one_in(2)) o.block_times = other(o.block_times);
  std::int64_t first = 0;
  for (DagId d = 0; d < dags.size(); ++d) {
    const std::int64_t T = dags[d].nominal_period().count();
    const std::size_t most = std::max<std::size_t>(2, 4096 / dags[d].nodes().size());
    std::int64_t at = d == target ? 0 : beside(ground, d, target, shape, dice);
    std::size_t before = shape.before;
    for (; at > 0 && before < most; ++before) at -= T;  // in the window, too
    for (; before > 0 && at > -longest_time.count() / 4; --before) at -= T;
    const std::int64_t end = d == target ? 1 : response.count();
    auto& jobs = o.jobs.emplace_back();
    for (; at < end && jobs.size() < most; at += T) {
      const bool last = d == target && at == 0;
      jobs.push_back({Time(at), nodes_of(ground, d, last, shape)});
      first = std::min(first, at);
      if (at > longest_time.count() / 4) break;
    }
  }
  for (auto& jobs : o.jobs) {
    for (ScenarioJob& job : jobs) job.release -= Time(first);
  }
  return o;
}

}  // namespace rta::simulate
