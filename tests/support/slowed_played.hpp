// Law of C1 with the program's own simulator, which plays company while it is there: random sets, searched by the adversary.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rta/analysis/schedule_of.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/simulate/search.hpp"
#include "support/partitions.hpp"
#include "support/slowed_system.hpp"

namespace rta::test {

/// The worst that so many runs show of each node, from where its response times count; without offsets, all on completion.
inline PerNode<Time> worst_played(const TaskSet& alone, const Schedule& schedule, std::uint64_t seed, std::uint64_t runs) {
  simulate::SearchOptions search;
  search.base.duration = Time::zero();
  for (const Dag& dag : alone.dags()) search.base.duration = std::max(search.base.duration, dag.period() * 12);
  search.base.seed = seed;
  search.base.max_jobs_in_flight = 4096;
  search.max_runs = runs;
  const auto found = simulate::search(alone, schedule, search);
  PerNode<Time> worst;
  for (const auto& nodes : found.nodes) {
    auto& of_dag = worst.emplace_back();
    for (const auto& node : nodes) of_dag.push_back(node ? node->response : Time::zero());
  }
  return worst;
}

inline Schedule released_on_completion(const TaskSet& set) {
  Schedule schedule;
  for (const Dag& dag : set.dags()) schedule.nodes.emplace_back(dag.nodes().size());
  return schedule;
}

/// The same with company that does less, each entry by itself: what is true of a GPU may be anything up to its matrix.
inline std::shared_ptr<const TaskSet> with_milder_company(const TaskSet& set, std::uint64_t seed) {
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (Pool& pool : pools) {
    Dice dice(seed);  // partitions of a GPU have one matrix
    Interference& of = *std::get<GpuPool>(pool.resource).interference;
    for (Matrix* const matrix : {&of.other_sm, &of.same_sm}) {
      for (auto& row : *matrix) {
        for (Lengthening& one : row) one = dice.between(0, one);
      }
    }
  }
  return std::make_shared<const TaskSet>(set.name(), std::move(pools), std::vector<Dag>(set.dags().begin(), set.dags().end()));
}

/// The first node that is later than its bound.
inline std::optional<std::string> later_than(const analysis::Proof& proof, const PerNode<Time>& worst) {
  for (DagId d = 0; d < worst.size(); ++d) {
    for (NodeId v = 0; v < worst[d].size(); ++v) {
      const auto& bound = proof.dags[d].nodes[v].bound;
      if (bound && worst[d][v] > bound->R) return fmt::format("d{}/k{}: {} > {}", d, v, worst[d][v].count(), bound->R.count());
    }
  }
  return std::nullopt;
}

/// The same with kernels of which the duration is known, too.
inline std::shared_ptr<const TaskSet> with_known_durations(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      auto& kernel = std::get<GpuDemand>(node.demand);
      const Wide in_a_wave = places(kernel, std::get<GpuPool>(set.pools()[node.pool].resource));
      const auto waves = static_cast<std::int64_t>(ceil_div(Wide{static_cast<std::int64_t>(kernel.B)}, in_a_wave));
      if (!dice.one_in(4)) kernel.time = Time(dice.between(kernel.L.count(), kernel.L.count() * waves));
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()));
  }
  return std::make_shared<const TaskSet>(set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags));
}

/// A random set, of some seeds on partitions, of some by the duration of kernels.
inline std::shared_ptr<const TaskSet> slowed_set(std::uint64_t seed) {
  auto set = slowed_system(seed).set;
  if (seed % 4 == 1) set = std::make_shared<const TaskSet>(with_partitions(*set, seed));
  return seed % 5 == 2 ? with_known_durations(*set, seed) : set;
}

struct SlowedPlayed {
  std::size_t nodes = 0;    // with bounds
  std::size_t close = 0;    // that were seen beyond 0.8 of theirs
  std::size_t shorter = 0;  // systems whose bounds rest on C2, too
  std::optional<std::string> broken;
};

/// Bounds of the random systems of these seeds beside what a search of so many runs shows of each.
inline SlowedPlayed play_slowed(std::uint64_t first, std::uint64_t systems, std::uint64_t runs, Release release) {
  SlowedPlayed result;
  for (std::uint64_t seed = first; seed < first + systems && !result.broken; ++seed) {
    const auto set = slowed_set(seed);
    const analysis::Proof proof = bounds_of(set, release);
    if (!analysis::is_playable(proof) || verdict_of(proof) == analysis::Verdict::unbounded) continue;
    const auto played = seed % 3 == 0 ? with_milder_company(*set, seed) : set;
    const auto worst = worst_played(*played, schedule_of(proof), seed, runs);
    if (proof.company->by_pairs) ++result.shorter;
    if (auto broken = later_than(proof, worst)) result.broken = fmt::format("seed {}: {}", seed, *broken);
    for (DagId d = 0; d < worst.size(); ++d) {
      for (NodeId v = 0; v < worst[d].size(); ++v) {
        ++result.nodes;
        if (worst[d][v] * 10 > proof.dags[d].nodes[v].bound->R * 8) ++result.close;
      }
    }
  }
  return result;
}

}  // namespace rta::test
