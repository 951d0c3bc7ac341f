// Whole processes of `rta`: parse, analyze and print, with wall time and peak memory. Promised: HOG-like set under 20 ms without LP and
// under 300 ms with LP; 1,000 DAGs x 50 nodes under 2 s.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

const std::string program = RTA_PROGRAM;
const std::string hog = RTA_SOURCE_DIR "/tasksets/literature/hog-like.yaml";

struct Run {
  int status = -1;
  double peak_mb = 0;
};

Run run(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  Run result;
  if (posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ) == 0) {
    rusage usage{};
    wait4(child, &result.status, 0, &usage);
    result.peak_mb = static_cast<double>(usage.ru_maxrss) / 1024;
  }
  posix_spawn_file_actions_destroy(&actions);
  return result;
}

void measure(benchmark::State& state, const std::vector<std::string>& arguments) {
  double peak = 0;
  for (auto _ : state) {
    const Run result = run(arguments);
    // 0: schedulable, 1: not; anything else is no measurement.
    if (!WIFEXITED(result.status) || WEXITSTATUS(result.status) > 1) state.SkipWithError("rta failed");
    peak = std::max(peak, result.peak_mb);
  }
  state.counters["peak_MB"] = peak;
}

// 1,000 DAGs of 50 nodes, all different.
std::string big_file() {
  const auto path = std::filesystem::temp_directory_path() / "rta-bench-1000x50.yaml";
  std::ofstream out(path);
  out << "platform:\n  cpu: {processors: 64, scheduler: G-EDF}\n  gpu: {sms: 132, threads: 2048}\ndags:\n";
  for (int d = 0; d < 1000; ++d) {
    out << "  - name: dag" << d << "\n    T: " << 50'000 + d << " us\n    nodes:\n";
    for (int v = 0; v < 50; ++v) {
      if (v % 2 == 0) {
        out << "      n" << v << ": {on: cpu, C: " << 40 + d % 17 + v << " us}\n";
      } else {
        out << "      n" << v << ": {on: gpu, B: " << 20 + v << ", H: 256, L: " << 20 + d % 13 << " us}\n";
      }
    }
    out << "    edges:\n      - ";
    for (int v = 0; v < 50; ++v) out << (v == 0 ? "" : " -> ") << 'n' << v;
    out << '\n';
  }
  return path.string();
}

void hog_like(benchmark::State& state) { measure(state, {"rta", "analyze", hog}); }
BENCHMARK(hog_like)->Unit(benchmark::kMillisecond)->UseRealTime();

void hog_like_lp(benchmark::State& state) { measure(state, {"rta", "analyze", hog, "--scheduler", "LP"}); }
BENCHMARK(hog_like_lp)->Unit(benchmark::kMillisecond)->UseRealTime();

void thousand_dags(benchmark::State& state) { measure(state, {"rta", "analyze", big_file()}); }
BENCHMARK(thousand_dags)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(5);

void thousand_dags_json(benchmark::State& state) { measure(state, {"rta", "analyze", big_file(), "--format", "json"}); }
BENCHMARK(thousand_dags_json)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(5);

}  // namespace
