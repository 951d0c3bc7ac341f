// Speed of T5, T6a and T6b, and the table of docs/theory/gpu.md: how much of a GPU each result can use, and how large its bounds are.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "rta/analysis/gpu/fifo_bounds.hpp"

namespace {

using namespace rta;
using namespace rta::analysis::fifo;

constexpr std::array<std::uint32_t, 10> block_sizes{32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
constexpr std::array<std::int64_t, 6> periods_ms{10, 20, 33, 33, 50, 100};

struct Mix {
  const char* name;
  std::array<double, block_sizes.size()> weight;
};
constexpr std::array<Mix, 4> mixes{{{"cnn", {3, 8, 2, 28, 6, 32, 4, 12, 1, 4}},
                                    {"vision", {4, 20, 3, 25, 5, 38, 0, 5, 0, 0}},
                                    {"uniform", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
                                    {"large", {0, 0, 0, 5, 5, 25, 10, 25, 10, 20}}}};

GpuPool titan_v(bool slots) {
  GpuPool gpu;
  gpu.sms = 80;
  gpu.sm.threads = 2048;
  gpu.sm.blocks = slots ? 32 : 64;  // 64 blocks of the smallest size fill the G-threads
  return gpu;
}

double log_uniform(std::mt19937_64& random, double low, double high) {
  return low * std::pow(high / low, std::uniform_real_distribution<double>(0, 1)(random));
}

struct RandomSet {
  std::vector<Task> tasks;
  std::vector<double> L;  // ns, before scaling
};

RandomSet random_set(std::mt19937_64& random, const Mix& mix, int tasks) {
  RandomSet set;
  std::discrete_distribution<std::size_t> size(mix.weight.begin(), mix.weight.end());
  std::uniform_int_distribution<std::size_t> period(0, periods_ms.size() - 1);
  for (int i = 0; i < tasks; ++i) {
    Task t;
    t.T = Time(periods_ms[period(random)] * 1'000'000);
    t.B = static_cast<std::uint64_t>(std::llround(log_uniform(random, 2, 2000)));
    t.H = block_sizes[size(random)];
    set.tasks.push_back(t);
    set.L.push_back(log_uniform(random, 1e4, 2e6));
  }
  return set;
}

// All L times one factor, so that the utilization is `U` G-threads but for rounding.
const std::vector<Task>& scaled_to(RandomSet& set, double U) {
  double now = 0;
  for (std::size_t i = 0; i < set.tasks.size(); ++i) {
    const Task& t = set.tasks[i];
    now += set.L[i] * static_cast<double>(t.B) * t.H / static_cast<double>(t.T.count());
  }
  for (std::size_t i = 0; i < set.tasks.size(); ++i) {
    Task& t = set.tasks[i];
    t.L = Time(std::llround(set.L[i] * U / now));
    t.C = Workload(static_cast<Wide>(t.L.count()) * t.H);
  }
  return set.tasks;
}

Options only(Bound bound, bool shared_weights = false) {
  Options options;
  options.bound = bound;
  options.shared_weights = shared_weights;
  return options;
}

double mean_ns(const GpuBounds& bounds) {
  double sum = 0;
  for (const auto& R : bounds.R) sum += static_cast<double>(R->count());
  return sum / static_cast<double>(bounds.R.size());
}

void acceptance_table(int sets) {
  fmt::print("Acceptance ratio, g = 80, m = 2048, {} sets per row\n", sets);
  fmt::print("{:8} {:>5} {:>6}", "mix", "slots", "result");
  for (int u = 1; u <= 10; ++u) fmt::print(" {:5.1f}", u / 10.0);
  fmt::print("   (U / g m)\n");
  for (const Mix& mix : mixes) {
    for (const bool slots : {false, true}) {
      const GpuPool gpu = titan_v(slots);
      std::array<std::array<int, 10>, 3> accepted{};
      std::mt19937_64 random(1);
      for (int s = 0; s < sets; ++s) {
        RandomSet set = random_set(random, mix, std::uniform_int_distribution<int>(5, 20)(random));
        for (int u = 0; u < 10; ++u) {
          const auto& tasks = scaled_to(set, (u + 1) / 10.0 * 80 * 2048);
          constexpr std::array<Bound, 3> bounds{Bound::T5, Bound::T6a, Bound::T6b};
          for (std::size_t b = 0; b < bounds.size(); ++b) {
            accepted[b][static_cast<std::size_t>(u)] += static_cast<int>(static_cast<bool>(gpu_bounds(tasks, gpu, only(bounds[b], true))));
          }
        }
      }
      for (std::size_t b = 0; b < accepted.size(); ++b) {
        fmt::print("{:8} {:>5} {:>6}", mix.name, slots ? "32" : "-", b == 0 ? "T5" : b == 1 ? "T6a" : "T6b");
        for (int count : accepted[b]) fmt::print(" {:5.2f}", static_cast<double>(count) / sets);
        fmt::print("\n");
      }
    }
  }
}

void ratio_table(int sets) {
  fmt::print("\nMean of R / R_T5 at a part of T5's capacity, G-threads only, {} sets per row\n", sets);
  fmt::print("{:8} {:>6}  25 %  50 %  75 %  95 %\n", "mix", "result");
  const GpuPool gpu = titan_v(false);
  for (const Mix& mix : mixes) {
    std::array<std::array<double, 4>, 3> ratio{};
    std::mt19937_64 random(2);
    for (int s = 0; s < sets; ++s) {
      RandomSet set = random_set(random, mix, std::uniform_int_distribution<int>(5, 20)(random));
      const auto capacity = static_cast<double>(theorem_4_3(scaled_to(set, 1), gpu)->terms.capacity);
      constexpr std::array<double, 4> part{0.25, 0.5, 0.75, 0.95};
      for (std::size_t p = 0; p < part.size(); ++p) {
        const auto& tasks = scaled_to(set, part[p] * capacity);
        const auto T5 = gpu_bounds(tasks, gpu, only(Bound::T5));
        constexpr std::array<Bound, 3> bounds{Bound::T6a, Bound::T6b, Bound::best};
        for (std::size_t b = 0; b < bounds.size(); ++b) {
          const auto R = gpu_bounds(tasks, gpu, only(bounds[b]));
          double sum = 0;
          for (std::size_t k = 0; k < tasks.size(); ++k)
            sum += static_cast<double>(R->R[k]->count()) / static_cast<double>(T5->R[k]->count());
          ratio[b][p] += sum / static_cast<double>(tasks.size()) / sets;
        }
      }
    }
    for (std::size_t b = 0; b < ratio.size(); ++b) {
      fmt::print("{:8} {:>6}", mix.name, b == 0 ? "T6a" : b == 1 ? "T6b" : "T6c");
      for (double r : ratio[b]) fmt::print(" {:5.2f}", r);
      fmt::print("\n");
    }
  }
}

// One iteration prints both tables.
void gpu_tables(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    acceptance_table(1000);
    ratio_table(300);
  }
}
BENCHMARK(gpu_tables)->Iterations(1)->Unit(benchmark::kSecond);

// 300 kernels in 10 classes at half load.
void gpu_bounds_of_300(benchmark::State& state, const Options& options) {
  std::mt19937_64 random(3);
  RandomSet set = random_set(random, mixes[2], 300);
  const auto& tasks = scaled_to(set, 0.5 * 80 * 2048);
  const GpuPool gpu = titan_v(false);
  double mean = 0;
  for ([[maybe_unused]] auto iteration : state) {
    const auto bounds = gpu_bounds(tasks, gpu, options);
    mean = bounds ? mean_ns(*bounds) : 0;
    benchmark::DoNotOptimize(mean);
  }
  state.counters["mean_R_ns"] = mean;
}
BENCHMARK_CAPTURE(gpu_bounds_of_300, T5, only(Bound::T5))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(gpu_bounds_of_300, T6a, only(Bound::T6a))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(gpu_bounds_of_300, T6b_one_set, only(Bound::T6b, true))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(gpu_bounds_of_300, T6b_per_task, only(Bound::T6b))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(gpu_bounds_of_300, T6c_per_task, only(Bound::best))->Unit(benchmark::kMicrosecond);

void theorem_4_3_of_100(benchmark::State& state) {
  std::mt19937_64 random(4);
  RandomSet set = random_set(random, mixes[2], 100);
  const auto& tasks = scaled_to(set, 0.3 * 80 * 2048);
  const GpuPool gpu = titan_v(false);
  for ([[maybe_unused]] auto iteration : state) benchmark::DoNotOptimize(theorem_4_3(tasks, gpu));
}
BENCHMARK(theorem_4_3_of_100)->Unit(benchmark::kMicrosecond);

}  // namespace
