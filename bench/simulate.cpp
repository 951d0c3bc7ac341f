// The simulator. Promised: 5 million block events a second on the HOG-like set, 10 million job events a second for CPU-only sets, an hour
// of the HOG-like set in 3 minutes (20 simulated seconds a second).
#include "rta/simulate/simulate.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/hog_like.hpp"
#include "support/schedules.hpp"

namespace {

using namespace rta;
using namespace rta::literals;

// Release on completion, G-EDF by DAG.
void hog_like(benchmark::State& state, const simulate::Execution& execution) {
  const TaskSet set = test::hog_like();
  const std::vector<Time> Y(set.dags().size(), 33_ms);
  const auto schedule = test::on_completion(set, Y);
  simulate::Options options;
  options.duration = 2_s;
  options.releases.random_phases = true;
  options.execution = execution;
  std::uint64_t blocks = 0, jobs = 0;
  for (auto _ : state) {
    const auto seen = simulate::simulate(set, schedule, options);
    blocks += seen.blocks;
    jobs += seen.jobs;
    ++options.seed;
  }
  const auto per_second = [&](double n) { return benchmark::Counter(n, benchmark::Counter::kIsRate); };
  state.counters["blocks"] = per_second(static_cast<double>(blocks));
  state.counters["jobs"] = per_second(static_cast<double>(jobs));
  state.counters["simulated_s"] = per_second(2.0 * static_cast<double>(state.iterations()));
}
BENCHMARK_CAPTURE(hog_like, worst_case, simulate::worst_case)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hog_like, uniform, simulate::uniform)->Unit(benchmark::kMillisecond);

// `tasks` tasks on `processors` processors, U = 0.9 m. A job has a release, a start and an end; a preemption is one more event, and so is
// going on after it.
void cpu_only(benchmark::State& state, Scheduler scheduler) {
  const auto tasks = static_cast<std::int64_t>(state.range(0));
  const auto processors = static_cast<std::uint32_t>(state.range(1));
  std::vector<Dag> dags;
  std::uint64_t random = 12345;
  for (std::int64_t i = 0; i < tasks; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const std::int64_t T = 1'000'000 + static_cast<std::int64_t>((random >> 33) % 19'000'000);
    Node node;
    node.name = "t" + std::to_string(i);
    node.demand = CpuDemand{Time(T * 9 * processors / (10 * tasks))};
    dags.emplace_back(node.name, Time(T), std::nullopt, std::vector<Node>{node}, std::vector<Edge>{});
  }
  const TaskSet set("cpu-only", {{"cpu", CpuPool{processors, scheduler, scheduler != Scheduler::fifo}}}, std::move(dags));
  std::vector<Time> Y;
  for (const Dag& dag : set.dags()) Y.push_back(dag.period());
  const auto schedule = test::on_completion(set, Y);
  simulate::Options options;
  options.duration = 10_s;
  std::uint64_t events = 0;
  for (auto _ : state) {
    const auto seen = simulate::simulate(set, schedule, options);
    events += 3 * seen.jobs + 2 * seen.preemptions;
  }
  state.counters["events"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(cpu_only, G_EDF, Scheduler::g_edf)->Args({20, 4})->Args({50, 16})->Args({1000, 16})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cpu_only, FIFO, Scheduler::fifo)->Args({50, 16})->Unit(benchmark::kMillisecond);

// DAGs of 50 nodes in three layers, half of 8 processors used, all of one period: jobs of different DAGs alternate, so that nothing stays
// in a cache by chance.
void many_nodes(benchmark::State& state) {
  constexpr std::size_t width = 16, nodes = 50;
  constexpr std::int64_t T = 100'000'000;
  const auto count = static_cast<std::size_t>(state.range(0)) / nodes;
  std::uint64_t random = 12345;
  const auto drawn = [&](std::uint64_t n) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return (random >> 33) % n;
  };
  const auto C = static_cast<std::uint64_t>(T * 8) / (count * nodes);
  std::vector<Dag> dags;
  dags.reserve(count);
  for (std::size_t d = 0; d < count; ++d) {
    std::vector<Node> of_dag(nodes);
    std::vector<Edge> edges;
    for (std::size_t v = 0; v < nodes; ++v) {
      of_dag[v].name = "v" + std::to_string(v);
      of_dag[v].demand = CpuDemand{Time(static_cast<std::int64_t>(C / 4 + drawn(C / 2)))};
      if (v < width) continue;
      const std::size_t first = (v / width - 1) * width;
      const std::size_t u = first + drawn(width / 2);
      edges.push_back({u, v, false});
      edges.push_back({u + 1 + drawn(width / 2), v, false});
    }
    dags.emplace_back("d" + std::to_string(d), Time(T), std::nullopt, std::move(of_dag), std::move(edges));
  }
  const TaskSet set("many-nodes", {{"cpu", CpuPool{8, Scheduler::g_edf, true}}}, std::move(dags));
  const auto schedule = test::on_completion(set, std::vector<Time>(set.dags().size(), Time(T)));
  simulate::Options options;
  options.duration = Time(T * std::max<std::int64_t>(10, 2'000'000 / state.range(0)));
  std::uint64_t jobs = 0;
  for (auto _ : state) jobs += simulate::simulate(set, schedule, options).jobs;
  state.counters["jobs"] = benchmark::Counter(static_cast<double>(jobs), benchmark::Counter::kIsRate);
}
BENCHMARK(many_nodes)->Arg(1000)->Arg(50'000)->Arg(500'000)->Unit(benchmark::kMillisecond);

}  // namespace
