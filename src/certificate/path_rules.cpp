#include "certificate/path_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "analysis/gpu/fifo_level.hpp"
#include "analysis/path/critical_path.hpp"
#include "certificate/densities.hpp"
#include "certificate/line.hpp"
#include "rta/analysis/path/strand_choices.hpp"
#include "rta/model/error.hpp"

namespace rta::certificate {

void PathRules::add_statements(const analysis::PathEvidence& path, const analysis::PathEvidence* other, std::string& out) {
  for (PoolId p = 0; p < set_.pools().size(); ++p) {
    if (const auto* gpu = std::get_if<GpuPool>(&set_.pools()[p].resource)) add_weights(path, p, *gpu, out);
  }
  add_strands(path, out);
  if (other != nullptr) add_lanes(*other, out);  // where GPUs are in turn it has chains on more pools
  add_lanes(path, out);
}

/// T10v: which jobs lose work beside the paths of each DAG or segment with such bounds.
void PathRules::add_strands(const analysis::PathEvidence& path, std::string& out) {
  const analysis::PathSystem& system = path.bounds.system;
  const auto& support = path.bounds.bounds.support;
  const auto overlapped = [](const auto& of) { return std::ranges::find(of, analysis::path::Support::overlapped) != of.end(); };
  if (std::ranges::none_of(support, overlapped)) return;
  const auto choices = analysis::path::strand_choices(system.system);
  const auto place = [&](std::size_t k) {
    const DagId d = system.dag_of[k];
    return fmt::format("{} {}", path.dag_at(d), system.segment_of[k]);
  };
  for (std::size_t k = 0; k < choices.size(); ++k) {
    if (!overlapped(support[k])) continue;
    for (const auto& choice : choices[k]) {
      std::string words;
      for (const auto& share : choice)
        words += fmt::format(" {} {} {} {}", place(share.dag), share.from.count(), share.jobs, share.strands);
      line(out, "strands {}{}", place(k), words);
    }
  }
}

/// T10d, T10w, T10m: which nodes of a DAG run one at a time.
void PathRules::add_lanes(const analysis::PathEvidence& path, std::string& out) {
  const analysis::PathSystem& system = path.bounds.system;
  const auto with_lanes = [](const auto& of) {
    using enum analysis::path::Support;
    return std::ranges::any_of(of, [](auto by) { return by == fitting || by == families || by == whole; });
  };
  if (std::ranges::none_of(path.bounds.bounds.support, with_lanes)) return;
  const analysis::path::Lanes by_dag(system.system, path.bounds.bounds);
  std::vector<std::vector<std::uint32_t>> lanes;
  lanes.reserve(system.system.dags.size());
  for (std::size_t k = 0; k < system.system.dags.size(); ++k) lanes.push_back(by_dag.of(k));
  for (DagId i = 0; i < system.place.size(); ++i) {
    std::string words;
    // They follow from the graph, however GPUs are read.
    if (!is_bounded(path.dag_at(i)) || !laned_.insert(path.dag_at(i)).second) continue;
    for (const auto& place : system.place[i]) words += fmt::format(" {}", lanes[place.dag][place.node]);
    line(out, "lanes {}{}", path.dag_at(i), words);
  }
  const auto& support = path.bounds.bounds.support;
  const auto by_whole = [](const auto& of) { return std::ranges::find(of, analysis::path::Support::whole) != of.end(); };
  if (std::ranges::any_of(support, by_whole)) add_families(path, by_dag, out);
}

/// T10d, which is for whole DAGs: chains of most work.
void PathRules::add_families(const analysis::PathEvidence& path, const analysis::path::Lanes& lanes, std::string& out) const {
  const auto& places = path.bounds.system.place;
  for (DagId i = 0; i < places.size(); ++i) {
    if (!is_bounded(path.dag_at(i))) continue;
    for (const auto& family : lanes.families(places[i].front().dag)) {
      std::string words;
      for (const auto& place : places[i]) words += fmt::format(" {}", family[place.node]);
      line(out, "family {}{}", path.dag_at(i), words);
    }
  }
}

std::string PathRules::hints(const analysis::SegmentBounds& bounds, DagId at, NodeId v, const analysis::Inequality& of) {
  std::string words;
  if (const auto* late = std::get_if<analysis::path::SporadicSum>(&of.detail); late != nullptr && late->busy) {
    for (const Time z : late->busy->ends) words += fmt::format(" {}", z.count());
  } else if (const auto* fitting = std::get_if<analysis::path::FittingSum>(&of.detail)) {
    for (const auto& cut : fitting->cuts) {
      const PoolId p = bounds.system.pool_of[cut.pool];
      words += fmt::format(" {} {} {} {}", p, cut.pool == p ? 0 : 1, cut.least_priority, cut.halves);
    }
  } else if (const auto* aligned = std::get_if<analysis::path::AlignedSum>(&of.detail)) {
    for (const std::size_t pool : aligned->left_on) {
      const PoolId p = bounds.system.pool_of[pool];
      words += fmt::format(" {} {}", p, pool == p ? 0 : 1);
    }
  } else if (const auto* family = std::get_if<analysis::path::FamilySum>(&of.detail)) {
    words += family->whole ? " 1" : " 0";
    const auto nodes = nodes_of_segment(bounds, at, bounds.segments[at][v]);
    for (std::size_t chain = 0; chain < family->chains.size(); ++chain) {
      for (const std::size_t u : family->chains[chain]) words += fmt::format(" {} {}", nodes[u], chain);
    }
  }
  return words;
}

bool PathRules::uses(const analysis::PathEvidence& path, PoolId p) const {
  for (DagId i = 0; i < path.bounds.system.place.size(); ++i) {
    const auto nodes = set_.dags()[path.dag_at(i)].nodes();
    if (std::ranges::any_of(nodes, [p](const Node& node) { return node.pool == p; })) return true;
  }
  return false;
}

/// A block of C' G-threads x ns counts s = density C'.
void PathRules::add_weights(const analysis::PathEvidence& path, PoolId p, const GpuPool& gpu, std::string& out) {
  const analysis::SegmentBounds& bounds = path.bounds;
  const analysis::path::Pool& pool = bounds.system.system.pools[p];
  if (pool.in_turn) {
    if (uses(path, p) && in_turn_.insert(p).second) line(out, "turn {}", p);
    return;
  }
  std::vector<analysis::fifo::Task> tasks;
  std::vector<Wide> density;
  for (DagId i = 0; i < bounds.system.place.size(); ++i) {
    const Dag& dag = set_.dags()[path.dag_at(i)];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (dag.nodes()[v].pool != p) continue;
      const auto& kernel = std::get<GpuDemand>(dag.nodes()[v].demand);
      if (!counts_by_blocks(kernel)) continue;  // T29
      tasks.push_back(task_of(kernel, gpu));
      const auto& place = bounds.system.place[i][v];
      density.push_back(bounds.system.system.dags[place.dag].nodes[place.node].s / tasks.back().C.count() / bounds.unit);
    }
  }
  if (tasks.empty() || !counted_.insert(p).second) return;
  const StreamPriority lowest = analysis::fifo::priorities_of(tasks).back();
  line(out, "weights {} {} {} {}{}", weights_, p, pool.sm ? stream_priority_text(lowest) : "only", to_string(pool.unit),
       densities(tasks, gpu, density));
  line(out, "counted {} {}", p, weights_++);
}

Time PathRules::end_of(const analysis::PathEvidence& e, DagId d, NodeId v) {
  const auto& place = e.bounds.system.place[e.place_of(d)][v];
  return e.bounds.bounds.F[place.dag][place.node];
}

std::string PathRules::rule(const analysis::PathEvidence& e, const analysis::Bound& bound, DagId d, NodeId v) {
  using analysis::path::Support;
  const analysis::SegmentBounds& bounds = e.bounds;
  std::string theorem(to_string(bound.basis.theorem));
  if (bounds.bounds.support.empty()) return theorem;
  const DagId at = e.place_of(d);
  const auto& place = bounds.system.place[at][v];
  const analysis::path::System& system = bounds.system.system;
  switch (bounds.bounds.support[place.dag][place.node]) {
    case Support::given: return "";
    case Support::successor: break;
    case Support::late:
      if (system.pools[system.dags[place.dag].nodes[place.node].pool].order != analysis::path::Order::fixed) return theorem;
      [[fallthrough]];
    case Support::upstream:
    case Support::fitting:
    case Support::families: {
      const auto& derivations = derivations_.try_emplace(&bounds, system, bounds.bounds).first->second;
      return theorem + hints(bounds, at, v, derivations.of(place.dag, place.node));
    }
    default: return theorem;
  }
  const auto& F = bounds.bounds.F[place.dag];
  for (const NodeId w : set_.dags()[d].successors(v)) {
    const auto& other = bounds.system.place[at][w];
    if (other.dag == place.dag && F[other.node] == F[place.node]) return fmt::format("before {}", w);
  }
  require(false, "an end that a successor lends is that successor's");
  return "";
}

}  // namespace rta::certificate
