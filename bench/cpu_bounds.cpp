// CPU bounds against what the project promises: T1 for 100 tasks in a few us, T3 for 50 tasks on 8 processors < 15 us, T4 < 1 us,
// T2's linear program on the HOG-like set < 150 ms.
#include <benchmark/benchmark.h>

#include <random>

#include "analysis/search/lp_points.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/cpu/gel_sequential.hpp"
#include "rta/analysis/cpu/priority_point.hpp"
#include "support/hog_like.hpp"

namespace {

using namespace rta::analysis;

// n tasks with periods of 10 to 100 ms, all different, and U = 0.75 m.
std::vector<gel::Task> tasks(std::size_t n, std::uint32_t processors) {
  std::mt19937_64 random(1);
  std::vector<gel::Task> set;
  const double u = 0.75 * processors / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto T = std::uniform_int_distribution<std::int64_t>(10'000'000, 100'000'000)(random);
    const double own = u * std::uniform_real_distribution(0.5, 1.5)(random);
    const auto C = static_cast<std::int64_t>(std::min(own, 1.0) * static_cast<double>(T));
    set.push_back({rta::Time(C), rta::Time(T), rta::Time(T)});
  }
  return set;
}

void T1(benchmark::State& state) {
  const auto set = tasks(static_cast<std::size_t>(state.range(0)), 16);
  for (auto _ : state) benchmark::DoNotOptimize(gel::response_bounds(set, 16));
}
BENCHMARK(T1)->Arg(100)->Unit(benchmark::kMicrosecond);

void T1_refined(benchmark::State& state) {
  const auto set = tasks(static_cast<std::size_t>(state.range(0)), 16);
  for (auto _ : state) benchmark::DoNotOptimize(gel::response_bounds(set, 16, gel::Refinement::all));
}
BENCHMARK(T1_refined)->Arg(100)->Unit(benchmark::kMicrosecond);

void T1_refined_hog_like(benchmark::State& state) {
  const auto set = rta::test::hog_like();
  const auto Y = choose_lp_points(set, rta::test::hog_kernel_bounds(set), Objective::sum);
  std::vector<gel::Task> cpu;
  for (rta::DagId d = 0; d < set.dags().size(); ++d) {
    const rta::Dag& dag = set.dags()[d];
    for (rta::NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (const auto* demand = std::get_if<rta::CpuDemand>(&dag.nodes()[v].demand)) cpu.push_back({demand->C, dag.period(), (*Y)[d][v]});
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(gel::response_bounds(cpu, 16, gel::Refinement::all));
}
BENCHMARK(T1_refined_hog_like)->Unit(benchmark::kMicrosecond);

void T3(benchmark::State& state) {
  const auto set = tasks(50, 8);
  for (auto _ : state) benchmark::DoNotOptimize(gel_sequential::response_bounds(set, 8));
}
BENCHMARK(T3)->Unit(benchmark::kMicrosecond);

void T4(benchmark::State& state) {
  const auto set = tasks(50, 8);
  for (auto _ : state) benchmark::DoNotOptimize(gel_sequential::devi_anderson_bounds(set, 8));
}
BENCHMARK(T4)->Unit(benchmark::kMicrosecond);

void T2_hog_like(benchmark::State& state) {
  const auto set = rta::test::hog_like();
  const auto fixed = rta::test::hog_kernel_bounds(set);
  const auto objective = static_cast<Objective>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(choose_lp_points(set, fixed, objective));
}
BENCHMARK(T2_hog_like)
    ->Arg(static_cast<std::int64_t>(Objective::sum))
    ->Arg(static_cast<std::int64_t>(Objective::max_lateness))
    ->Unit(benchmark::kMillisecond);

}  // namespace
