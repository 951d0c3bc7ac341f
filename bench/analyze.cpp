// T1 + T5 + end to end in process. Promised: under 25 us for 100 nodes.
#include "rta/analysis/analyze.hpp"

#include <benchmark/benchmark.h>

#include <memory>

namespace {

using namespace rta;
using namespace rta::literals;

// Ten chains of ten nodes, CPU and GPU in turn; 16 CPUs, 80 SMs; about half of each pool is used.
std::shared_ptr<const TaskSet> hundred_nodes() {
  GpuPool gpu;
  gpu.sms = 80;
  std::vector<Dag> dags;
  for (int d = 0; d < 10; ++d) {
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    for (std::size_t v = 0; v < 10; ++v) {
      Node node;
      node.name = "n" + std::to_string(v);
      node.pool = v % 2;
      if (node.pool == 0) {
        node.demand = CpuDemand{5_ms};
      } else {
        const Time L = 200_us;
        node.demand = GpuDemand{400, 256, Workload(Wide{L.count()} * 256), L, 0, 0, low_priority};
      }
      nodes.push_back(std::move(node));
      if (v > 0) edges.push_back({v - 1, v, false});
    }
    dags.emplace_back("dag" + std::to_string(d), Time(33'000'000 + d), std::nullopt, std::move(nodes), std::move(edges));
  }
  return std::make_shared<const TaskSet>("hundred", std::vector<Pool>{{"cpu", CpuPool{16, Scheduler::g_fl}}, {"gpu", gpu}},
                                         std::move(dags));
}

analysis::Options at_offsets() {
  analysis::Options options;
  options.release = Release::offsets;
  return options;
}

void analyze_hundred(benchmark::State& state, const analysis::Options& options) {
  const auto set = hundred_nodes();
  for (auto _ : state) {
    auto result = analysis::analyze(set, options);
    if (result.verdict != analysis::Verdict::schedulable) state.SkipWithError("not schedulable");
    benchmark::DoNotOptimize(result);
  }
}

void analyze_100_nodes(benchmark::State& state) {
  analysis::Options options = at_offsets();
  options.refinement = analysis::gel::Refinement::none;
  options.gpu_bound = analysis::fifo::Bound::T5;
  analyze_hundred(state, options);
}
BENCHMARK(analyze_100_nodes)->Unit(benchmark::kMicrosecond);

// The same with T6 and every refinement.
void analyze_100_nodes_refined(benchmark::State& state) { analyze_hundred(state, at_offsets()); }
BENCHMARK(analyze_100_nodes_refined)->Unit(benchmark::kMicrosecond);

}  // namespace
