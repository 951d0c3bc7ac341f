// Sweeps against what the project promises, one core, sets of 10 DAGs x 10 nodes, half of them kernels, rows included:
// T1 + T5 >= 25,000 sets/s, T6a >= 15,000, T6b (one set of weights) >= 2,000, the LP of T2 >= 150. Two threads >= 1.8 times one.
// One million sets with T5 in under 40 s on 2 cores, peak memory below 300 MB.
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generate/recipes.hpp"
#include "rta/generate/generator.hpp"
#include "rta/sweep/run.hpp"
#include "sweep/table.hpp"

namespace {

using namespace rta;
using namespace rta::sweep;
using analysis::CpuBound;
using analysis::fifo::Bound;
using analysis::gel::Refinement;

AnalysisChoice choice(Bound gpu, std::optional<Scheduler> scheduler = {}) {
  AnalysisChoice c;
  c.name = "bench";
  c.options.scheduler = scheduler;
  c.options.cpu_bound = CpuBound::T1;
  c.options.gpu_bound = gpu;
  c.options.release = Release::offsets;
  c.options.shared_weights = true;
  c.options.refinement = Refinement::none;
  return c;
}

void evaluate(benchmark::State& state, const AnalysisChoice& c) {
  const generate::Recipe recipe = hundred_nodes();
  generate::Generator generator(recipe);
  const std::vector<AnalysisChoice> choices{c};
  SetAnalyzer analyzer(recipe, choices);
  generate::RandomSet set;
  std::vector<Outcome> outcomes;
  std::string rows;
  std::uint64_t i = 0;
  for (auto _ : state) {
    generator.draw({1, 0, i}, set);
    analyzer.evaluate(set, outcomes);
    append_row(rows, {0, i, c.name, outcomes.front()}, false);
    if (++i % 64 == 0) rows.clear();
  }
  state.SetItemsProcessed(state.iterations());
}

void sweep_T5(benchmark::State& state) { evaluate(state, choice(Bound::T5)); }
BENCHMARK(sweep_T5)->Unit(benchmark::kMicrosecond);
void sweep_T6a(benchmark::State& state) { evaluate(state, choice(Bound::T6a)); }
BENCHMARK(sweep_T6a)->Unit(benchmark::kMicrosecond);
void sweep_T6b(benchmark::State& state) { evaluate(state, choice(Bound::T6b)); }
BENCHMARK(sweep_T6b)->Unit(benchmark::kMicrosecond);
void sweep_LP(benchmark::State& state) { evaluate(state, choice(Bound::T5, Scheduler::lp)); }
BENCHMARK(sweep_LP)->Unit(benchmark::kMicrosecond);

void generate_only(benchmark::State& state) {
  generate::Generator generator(hundred_nodes());
  generate::RandomSet set;
  std::uint64_t i = 0;
  for (auto _ : state) generator.draw({1, 0, i++}, set);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(generate_only)->Unit(benchmark::kMicrosecond);

// 50 tasks of one node, periods of one order of magnitude, 4 of 8 processors' work, each set kept: what numpy draws in a batch of 10,000
// sets at 4.1 us a set. Goal: under 3 us, one set at a time (range 1) and in a batch.
void fifty_tasks(benchmark::State& state, generate::Split split) {
  generate::Recipe recipe = hundred_nodes();
  recipe.gpu.reset();
  recipe.pools.pop_back();
  recipe.dags = {50, 50};
  recipe.nodes = {1, 1};
  recipe.gpu_share = {0, 1};
  recipe.gpu_work = {};
  recipe.shapes = generate::Choice<generate::Shape>({{generate::Chain{}, 1}});
  recipe.cpu_work = {generate::Fraction{4, 1}, split, generate::Fraction{1, 1}, {}};
  generate::Generator generator(recipe);
  std::vector<generate::RandomSet> sets(static_cast<std::size_t>(state.range(0)));
  std::uint64_t i = 0;
  for (auto _ : state) {
    for (generate::RandomSet& set : sets) generator.draw({1, 0, i++}, set);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(i));
  state.counters["a_set"] = benchmark::Counter(static_cast<double>(i), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(fifty_tasks, RandFixedSum, generate::Split::rand_fixed_sum)->Arg(1)->Arg(10'000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fifty_tasks, UUniFast_discard, generate::Split::uunifast_discard)->Arg(1)->Arg(10'000)->Unit(benchmark::kMicrosecond);

// A whole sweep with files and summaries; threads, then sets.
void whole_sweep(benchmark::State& state) {
  namespace fs = std::filesystem;
  Plan plan;
  plan.text = "bench\n";
  plan.sets = static_cast<std::uint64_t>(state.range(1));
  plan.points.push_back({{}, hundred_nodes()});
  plan.analyses = {choice(Bound::T5)};
  RunOptions options;
  options.jobs = static_cast<unsigned>(state.range(0));
  for (auto _ : state) {
    std::string folder = (fs::temp_directory_path() / "rta-bench-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) return state.SkipWithError("no temporary folder");
    run(plan, folder, options);
    fs::remove_all(folder);
  }
  ::rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
  state.SetItemsProcessed(state.iterations() * state.range(1));
}
BENCHMARK(whole_sweep)
    ->Args({1, 100'000})
    ->Args({2, 100'000})
    ->Args({2, 1'000'000})
    ->UseRealTime()
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
