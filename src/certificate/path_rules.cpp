#include "certificate/path_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/gpu/fifo_level.hpp"
#include "analysis/path/derivation/carrier.hpp"
#include "certificate/densities.hpp"
#include "certificate/line.hpp"
#include "rta/analysis/path/fitting.hpp"
#include "rta/analysis/path/strand_choices.hpp"
#include "rta/model/error.hpp"

namespace rta::certificate {
void PathRules::add_statements(const analysis::PathEvidence& path, std::string& out) {
  for (PoolId p = 0; p < set_.pools().size(); ++p) {
    if (const auto* gpu = std::get_if<GpuPool>(&set_.pools()[p].resource)) add_weights(path, p, *gpu, out);
  }
  add_strands(path, out);
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
    return fmt::format("{} {}", path.dags.empty() ? d : path.dags[d], system.segment_of[k]);
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
  const auto& cuts = cuts_.try_emplace(&path.bounds, system.system, path.bounds.bounds).first->second;
  std::vector<std::vector<std::uint32_t>> lanes;
  lanes.reserve(system.system.dags.size());
  for (std::size_t k = 0; k < system.system.dags.size(); ++k) lanes.push_back(cuts.lanes(k));
  for (DagId i = 0; i < system.place.size(); ++i) {
    std::string words;
    for (const auto& place : system.place[i]) words += fmt::format(" {}", lanes[place.dag][place.node]);
    line(out, "lanes {}{}", path.dags.empty() ? i : path.dags[i], words);
  }
  const auto& support = path.bounds.bounds.support;
  const auto by_whole = [](const auto& of) { return std::ranges::find(of, analysis::path::Support::whole) != of.end(); };
  if (std::ranges::any_of(support, by_whole)) add_families(path, cuts, out);
}

/// T10d, which is for whole DAGs: chains of most work.
void PathRules::add_families(const analysis::PathEvidence& path, const analysis::path::FittingCuts& cuts, std::string& out) {
  const auto& places = path.bounds.system.place;
  for (DagId i = 0; i < places.size(); ++i) {
    for (const auto& family : cuts.families(places[i].front().dag)) {
      std::string words;
      for (const auto& place : places[i]) words += fmt::format(" {}", family[place.node]);
      line(out, "family {}{}", path.dags.empty() ? i : path.dags[i], words);
    }
  }
}

/// T10w: the cuts of all waiting of node v of DAG d, `at` in the system.
std::string PathRules::fitting_rule(const analysis::SegmentBounds& bounds, DagId at, NodeId v, DagId d) {
  const auto& places = bounds.system.place[at];
  const analysis::PathSystem::Place& place = places[v];
  const auto& cuts = cuts_.try_emplace(&bounds, bounds.system.system, bounds.bounds).first->second;
  std::string rule(to_string(theorem_of(bounds, place)));
  for (const auto& cut : cuts.of(place.dag, place.node)) {
    const auto there = std::ranges::find_if(places, [&](const auto& other) {
      return other.dag == place.dag && bounds.system.system.dags[other.dag].nodes[other.node].pool == cut.pool;
    });
    const PoolId p = set_.dags()[d].nodes()[static_cast<NodeId>(there - places.begin())].pool;
    rule += fmt::format(" {} {} {} {}", p, cut.pool == p ? 0 : 1, cut.least_priority, cut.halves);
  }
  return rule;
}

/// T10m: the chains, each node of one with its number.
std::string PathRules::family_rule(const analysis::SegmentBounds& bounds, DagId at, NodeId v) {
  const auto& places = bounds.system.place[at];
  const auto& derivations = derivations_.try_emplace(&bounds, bounds.system.system, bounds.bounds).first->second;
  const auto family = derivations.family(places[v].dag, places[v].node);
  require(family.has_value(), "what carries a bound can be told");
  std::string rule = fmt::format("{} {}", to_string(theorem_of(bounds, places[v])), family->whole ? 1 : 0);
  for (std::size_t chain = 0; chain < family->chains.size(); ++chain) {
    for (const std::size_t u : family->chains[chain]) {
      const auto there =
          std::ranges::find_if(places, [&](const auto& other) { return other.dag == places[v].dag && other.node == u; }) - places.begin();
      rule += fmt::format(" {} {}", there, chain);
    }
  }
  return rule;
}

/// A block of C' G-threads x ns counts s = density C'.
void PathRules::add_weights(const analysis::PathEvidence& path, PoolId p, const GpuPool& gpu, std::string& out) {
  const analysis::SegmentBounds& bounds = path.bounds;
  std::vector<analysis::fifo::Task> tasks;
  std::vector<Wide> density;
  for (DagId i = 0; i < bounds.system.place.size(); ++i) {
    const Dag& dag = set_.dags()[path.dags.empty() ? i : path.dags[i]];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (dag.nodes()[v].pool != p) continue;
      tasks.push_back(task_of(std::get<GpuDemand>(dag.nodes()[v].demand), gpu));
      const auto& place = bounds.system.place[i][v];
      density.push_back(bounds.system.system.dags[place.dag].nodes[place.node].s / tasks.back().C.count() / bounds.unit);
    }
  }
  if (tasks.empty()) return;
  const analysis::path::Pool& pool = bounds.system.system.pools[p];
  const StreamPriority lowest = analysis::fifo::priorities_of(tasks).back();
  line(out, "weights {} {} {} {}{}", weights_, p, pool.sm ? stream_priority_text(lowest) : "only", to_string(pool.unit),
       densities(tasks, gpu, density));
  line(out, "counted {} {}", p, weights_++);
}

std::string PathRules::late_rule(const analysis::SegmentBounds& bounds, const analysis::PathSystem::Place& place, bool release_jitter) {
  const analysis::path::System& system = bounds.system.system;
  const analysis::path::Pool& pool = system.pools[system.dags[place.dag].nodes[place.node].pool];
  if (pool.slices) return "T14j";
  const auto order = pool.order;
  if (order != analysis::path::Order::fixed) return release_jitter ? "T12j" : order == analysis::path::Order::fifo ? "T10j" : "T10g";
  const auto& busy = busy_.try_emplace(&bounds, system, bounds.bounds).first->second;
  std::string rule = release_jitter ? "T12j" : "T11j";
  for (const Time z : busy.of(place.dag, place.node)) rule += fmt::format(" {}", z.count());
  return rule;
}

namespace {

/// Of DAG d in the evidence.
DagId place_of(const analysis::PathEvidence& e, DagId d) {
  return e.dags.empty() ? d : static_cast<DagId>(std::ranges::find(e.dags, d) - e.dags.begin());
}

}  // namespace

Time PathRules::end_of(const analysis::PathEvidence& e, DagId d, NodeId v) {
  const auto& place = e.bounds.system.place[place_of(e, d)][v];
  return e.bounds.bounds.F[place.dag][place.node];
}

std::string PathRules::rule(const analysis::PathEvidence& e, DagId d, NodeId v) {
  using analysis::path::Support;
  const analysis::SegmentBounds& bounds = e.bounds;
  const DagId at = place_of(e, d);
  if (bounds.bounds.support.empty()) return "T10";
  const auto [jitter, fresh] = has_jitter_.try_emplace(&bounds, false);
  if (fresh) jitter->second = analysis::path::has_release_jitter(bounds.system.system);
  const auto& place = bounds.system.place[at][v];
  switch (bounds.bounds.support[place.dag][place.node]) {
    case Support::path: return jitter->second ? "T12" : "T10n";
    case Support::late: return late_rule(bounds, place, jitter->second);
    case Support::fixed: return std::string(to_string(theorem_of(bounds, place)));
    case Support::aligned: return "T10a";
    case Support::overlapped: return "T10v";
    case Support::carried: return "T10c";
    case Support::parallel: return "T10p";
    case Support::whole: return jitter->second ? "T12d" : "T10d";
    case Support::fitting: return fitting_rule(bounds, at, v, d);
    case Support::families: return family_rule(bounds, at, v);
    case Support::given: return "";
    case Support::sliced: return "T14";
    case Support::successor: break;
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
