// Path bounds against what the project promises: HOG-like set (six DAGs of 184 nodes) T10 < 500 us, T10n < 5 ms; 1,000 DAGs of 50 nodes
// T10 < 3 s, T10n < 60 s.
#include <benchmark/benchmark.h>

#include <random>

#include "analysis/policies/kernel_weights.hpp"
#include "rta/analysis/path/path_system.hpp"
#include "support/hog_like.hpp"

namespace {

using namespace rta::analysis;

path::System hog() {
  const auto set = rta::test::hog_like();
  const auto weights = kernel_weights(set);
  return path_system(set, whole_dags(set), weights->front(), dag_priority_points(set)).system;
}

// DAGs, all different, on 64 processors under GEL and 40 SMs, each loaded to `percent`.
path::System many(std::size_t dags, std::size_t nodes, int percent) {
  std::mt19937_64 random(7);
  const auto between = [&](std::int64_t a, std::int64_t b) { return std::uniform_int_distribution(a, b)(random); };
  path::System system;
  system.pools.push_back({"cpu", path::Order::gel, 64, 1, true});
  system.pools.push_back({"gpu", path::Order::fifo, 40, 4, false});
  for (std::size_t d = 0; d < dags; ++d) {
    path::Dag dag;
    dag.name = std::to_string(d);
    dag.T = rta::Time(between(10'000'000, 100'000'000));
    dag.Y = dag.T;
    const auto share = static_cast<double>(dag.T.count()) * percent / 100.0 / static_cast<double>(dags) / static_cast<double>(nodes);
    for (std::size_t v = 0; v < nodes; ++v) {
      path::Node node;
      const double relative = static_cast<double>(between(50, 150)) / 100;
      if (v % 3 == 1) {
        const std::int64_t B = between(1, 40);
        node.pool = 1;
        node.e = rta::Time(static_cast<std::int64_t>(share * relative * 3 * 40 / static_cast<double>(B)) + 1);
        node.s = node.e.count() * 4;
        node.vol = node.s * B;
      } else {
        node.e = rta::Time(static_cast<std::int64_t>(share * relative * 1.5 * 64) + 1);
        node.s = node.vol = node.e.count();
      }
      dag.nodes.push_back(node);
      for (std::size_t i = 0; v > 0 && i < 2; ++i) {
        const auto from = static_cast<std::size_t>(
            between(std::max<std::int64_t>(0, static_cast<std::int64_t>(v) - 8), static_cast<std::int64_t>(v) - 1));
        if (dag.edges.empty() || dag.edges.back().from != from || dag.edges.back().to != v) dag.edges.push_back({from, v});
      }
    }
    system.dags.push_back(std::move(dag));
  }
  return system;
}

void T10_hog_like(benchmark::State& state) {
  const auto system = hog();
  for (auto _ : state) benchmark::DoNotOptimize(path::bounds(system));
}
BENCHMARK(T10_hog_like)->Unit(benchmark::kMicrosecond);

void T10n_hog_like(benchmark::State& state) {
  const auto system = hog();
  const auto refinement = static_cast<path::Refinement>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(path::node_bounds(system, refinement));
}
BENCHMARK(T10n_hog_like)
    ->Arg(static_cast<std::int64_t>(path::Refinement::T10n))
    ->Arg(static_cast<std::int64_t>(path::Refinement::T10j))
    ->Arg(static_cast<std::int64_t>(path::Refinement::T10g))
    ->Unit(benchmark::kMillisecond);

// One of the some hundred choices that the search for points per node looks at.
void T10g_by_node_hog_like(benchmark::State& state) {
  auto system = hog();
  for (auto& pool : system.pools) {
    if (pool.order == path::Order::gel) pool.order = path::Order::gel_by_node;
  }
  for (auto& dag : system.dags) {
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) dag.nodes[v].Y = rta::Time(static_cast<std::int64_t>(v % 15) * 2'000'000);
  }
  for (auto _ : state) benchmark::DoNotOptimize(path::node_bounds(system, path::Refinement::T10g));
}
BENCHMARK(T10g_by_node_hog_like)->Unit(benchmark::kMillisecond);

void T10_many_dags(benchmark::State& state) {
  const auto system = many(1000, 50, static_cast<int>(state.range(0)));
  for (auto _ : state) state.counters["bounded"] = path::bounds(system) ? 1 : 0;
}
BENCHMARK(T10_many_dags)->Arg(30)->Arg(60)->Unit(benchmark::kMillisecond)->Iterations(1);

void T10n_many_dags(benchmark::State& state) {
  const auto system = many(1000, 50, static_cast<int>(state.range(0)));
  for (auto _ : state) state.counters["bounded"] = path::node_bounds(system, path::Refinement::T10n) ? 1 : 0;
}
BENCHMARK(T10n_many_dags)->Arg(30)->Arg(60)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
