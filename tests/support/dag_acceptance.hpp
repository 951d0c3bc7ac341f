// How many random sets of DAGs published tests accept, and how many the path bounds do.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"
#include "rta/generate/generator.hpp"
#include "support/dag_peers.hpp"

namespace rta::test {

enum class DagKind : std::uint8_t { layered, gnp, fork_join };
inline constexpr std::array dag_kinds{std::pair{DagKind::layered, "layered"}, std::pair{DagKind::gnp, "G(n, p)"},
                                      std::pair{DagKind::fork_join, "nested fork-joins"}};

/// As tasksets/sweeps/hard-deadlines.yaml has them: D = T from 10 to 100 ms, UUniFast-discard.
struct DagPoint {
  std::uint32_t m = 4;
  std::int64_t percent = 50;  // U/m
  DagKind kind = DagKind::layered;
  std::uint32_t dags = 10;
  std::uint32_t nodes = 18;
};

inline generate::Recipe recipe_of(const DagPoint& point) {
  const auto shape = [&]() -> generate::Shape {
    if (point.kind == DagKind::layered) return generate::LayerByLayer{{3, 5}, {1, 2}};
    if (point.kind == DagKind::gnp) return generate::ErdosRenyi{{1, 5}};
    return generate::ForkJoin{{2, 4}, 2, {1, 2}};
  };
  generate::Recipe recipe;
  CpuPool cpu;
  cpu.processors = point.m;
  recipe.pools = {Pool{"cpu", cpu}};
  recipe.dags = {point.dags, point.dags};
  recipe.nodes = {point.nodes, point.nodes};
  recipe.periods = generate::LogUniform{Time(10'000'000), Time(100'000'000), Time(1)};
  recipe.deadline = generate::Fraction{1, 1};
  recipe.shapes = generate::Choice<generate::Shape>({{shape(), 1}});
  recipe.cpu_work.utilization = generate::Fraction{point.percent * point.m, 100};
  recipe.cpu_work.split = generate::Split::uunifast_discard;
  return recipe;
}

/// One CPU pool, under G-EDF or deadline-monotonic priorities; the most urgent DAG first.
inline analysis::path::System system_of(const generate::RandomSet& set, std::uint32_t m, bool fixed) {
  namespace path = analysis::path;
  path::System system;
  system.pools.resize(1);
  system.pools[0].capacity = m;
  system.pools[0].order = fixed ? path::Order::fixed : path::Order::gel;
  system.pools[0].equals_any = fixed;
  std::vector<std::size_t> order(set.dags.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t d) { return set.dags[d].D.value_or(set.dags[d].T); });
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto& drawn = set.dags[order[place]];
    path::Dag& dag = system.dags.emplace_back();
    dag.T = drawn.T;
    dag.Y = drawn.D.value_or(drawn.T);
    for (const auto& node : set.nodes_of(drawn)) {
      path::Node& added = dag.nodes.emplace_back();
      added.e = node.length;
      added.s = added.vol = node.length.count();
      added.priority = static_cast<std::uint32_t>(order.size() - place);
    }
    for (const auto& edge : set.edges_of(drawn)) dag.edges.push_back({edge.from, edge.to});
  }
  return system;
}

/// As release on completion asks: T10d where others leave a deadline open. D = T.
struct DagAnswer {
  bool before = false;  // accepted without T10d
  bool now = false;
};
inline DagAnswer accepts(const analysis::path::System& system) {
  using namespace analysis::path;
  const auto meets = [&](Refinement refinement, std::int64_t periods, std::size_t sweeps) {
    Limits limits;
    limits.periods = periods;
    limits.sweeps = sweeps;
    const auto bounds = node_bounds(system, refinement, limits);
    if (!bounds) return false;
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      if (bounds->R[d] > system.dags[d].T) return false;
    }
    return true;
  };
  // Past one period a bound is of no use here.
  const bool before = meets(Refinement::T10v, 1, 1'000'000) || meets(Refinement::T10g, 1, 1'000'000);
  return {before, before || meets(Refinement::T10d, 1, 2'000)};
}

struct DagCounts {
  struct Order {
    int before = 0;
    int now = 0;
    int melani = 0;
    int melani_refused = 0;  // that it accepts, and the path bounds do not
    int fonseca = 0;
    int fonseca_refused = 0;
    int one_more = 0;  // with the jobs that Fonseca's count leaves out
    int one_more_refused = 0;
  };
  Order fixed;
  Order edf;
};

inline DagCounts count_dag_acceptance(const DagPoint& point, std::uint64_t first, std::uint64_t sets) {
  DagCounts counts;
  generate::Generator generator(recipe_of(point));
  generate::RandomSet set;
  const auto count = [](DagCounts::Order& of, const DagAnswer& answer, bool melani, bool fonseca, bool one_more) {
    of.before += answer.before ? 1 : 0;
    of.now += answer.now ? 1 : 0;
    of.melani += melani ? 1 : 0;
    of.melani_refused += melani && !answer.now ? 1 : 0;
    of.fonseca += fonseca ? 1 : 0;
    of.fonseca_refused += fonseca && !answer.now ? 1 : 0;
    of.one_more += one_more ? 1 : 0;
    of.one_more_refused += one_more && !answer.now ? 1 : 0;
  };
  for (std::uint64_t index = first; index < first + sets; ++index) {
    generator.draw({.seed = 0, .point = static_cast<std::uint64_t>(point.percent), .index = index}, set);
    const analysis::path::System fixed = system_of(set, point.m, true);
    std::vector<Time> D;
    for (const auto& dag : fixed.dags) D.push_back(dag.T);
    const DagPeers peers(fixed.dags, D, point.m);
    const auto all = [&](const std::vector<std::int64_t>& R) { return R.size() == peers.size(); };
    count(counts.fixed, accepts(fixed), all(peers.melani_fp()), all(peers.fonseca_fp(false)), all(peers.fonseca_fp(true)));
    count(counts.edf, accepts(system_of(set, point.m, false)), all(peers.melani_edf()), false, false);
  }
  return counts;
}

struct NonPreemptiveCounts {
  int before = 0;  // without T10d
  int now = 0;
  int serrano = 0;
  int each_node = 0;   // Serrano's with a preemption for every node of a path but the first
  int edf_before = 0;  // G-EDF, of which Serrano's test says nothing
  int edf = 0;
};

/// Nodes are not preempted: deadline-monotonic priorities, and the same sets under G-EDF.
inline NonPreemptiveCounts count_non_preemptive_acceptance(const DagPoint& point, std::uint64_t sets) {
  NonPreemptiveCounts counts;
  generate::Generator generator(recipe_of(point));
  generate::RandomSet set;
  for (std::uint64_t index = 0; index < sets; ++index) {
    generator.draw({.seed = 0, .point = static_cast<std::uint64_t>(point.percent), .index = index}, set);
    analysis::path::System system = system_of(set, point.m, true);
    system.pools[0].order = analysis::path::Order::fixed_non_preemptive;
    std::vector<Time> D;
    for (const auto& dag : system.dags) D.push_back(dag.T);
    const DagPeers peers(system.dags, D, point.m);
    const DagAnswer answer = accepts(system);
    const bool serrano = peers.serrano_fp(false).size() == peers.size();
    const bool each_node = peers.serrano_fp(true).size() == peers.size();
    system.pools[0].order = analysis::path::Order::gel_non_preemptive;
    const DagAnswer by_points = accepts(system);
    counts.before += answer.before ? 1 : 0;
    counts.now += answer.now ? 1 : 0;
    counts.serrano += serrano ? 1 : 0;
    counts.each_node += each_node ? 1 : 0;
    counts.edf_before += by_points.before ? 1 : 0;
    counts.edf += by_points.now ? 1 : 0;
  }
  return counts;
}

}  // namespace rta::test
