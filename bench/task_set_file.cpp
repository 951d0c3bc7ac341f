// Reading and writing task-set files: 1,000 DAGs of 50 nodes are to be read in less than a second and 200 MB.
#include "rta/io/task_set_file.hpp"

#include <benchmark/benchmark.h>

#include "../tests/support/large_file.hpp"

namespace {

void read_1000x50(benchmark::State& state) {
  const std::string text = rta::test::large_file(1000, 50);
  for (auto _ : state) benchmark::DoNotOptimize(rta::io::parse_task_set(text, "large.yaml").task_set.node_count());
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(read_1000x50)->Unit(benchmark::kMillisecond);

void write_1000x50(benchmark::State& state) {
  const rta::TaskSet set = rta::io::parse_task_set(rta::test::large_file(1000, 50), "large.yaml").task_set;
  for (auto _ : state) benchmark::DoNotOptimize(rta::io::format_task_set(set).size());
}
BENCHMARK(write_1000x50)->Unit(benchmark::kMillisecond);

}  // namespace
