// Law 1 for kernels whose blocks start together: a player of its own, in which the head of the queue waits for room for a whole cluster on
// one GPC, or for all of its blocks, against T27 and T29; and what a bound by blocks would have said.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/task_set.hpp"
#include "support/random_system.hpp"

namespace {

using namespace rta;
using namespace rta::test;

struct PlayedKernel {
  std::int64_t T = 0, L = 0;
  int B = 1, H = 1;
  int cluster = 1;  // B: all at once
  bool cooperative = false;
};

/// SMs of some G-threads, in GPCs.
struct PlayedGpu {
  int threads = 4;
  std::vector<int> gpc;  // of each SM
  [[nodiscard]] int places(int H) const { return static_cast<int>(gpc.size()) * (threads / H); }
};

std::vector<std::size_t> sms_for(const PlayedGpu& gpu, const PlayedKernel& kernel, const std::vector<int>& free, Dice& dice) {
  const int gpcs = *std::max_element(gpu.gpc.begin(), gpu.gpc.end()) + 1;
  std::vector<std::vector<std::size_t>> rooms(kernel.cooperative ? 1 : static_cast<std::size_t>(gpcs));
  for (std::size_t sm = 0; sm < free.size(); ++sm) {
    auto& of = rooms[kernel.cooperative ? 0 : static_cast<std::size_t>(gpu.gpc[sm])];
    for (int place = 0; place < free[sm] / kernel.H; ++place) of.push_back(sm);
  }
  const auto unit = static_cast<std::size_t>(kernel.cooperative ? kernel.B : kernel.cluster);
  std::erase_if(rooms, [&](const auto& of) { return of.size() < unit; });
  if (rooms.empty()) return {};
  auto chosen = dice.pick(rooms);
  for (std::size_t i = 1; i < chosen.size(); ++i)
    std::swap(chosen[i], chosen[static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(i)))]);
  chosen.resize(unit);
  return chosen;
}

/// The largest response time of each kernel, all of them in one FIFO.
std::vector<std::int64_t> played(const PlayedGpu& gpu, const std::vector<PlayedKernel>& kernels, Dice& dice) {
  struct Job {
    std::size_t kernel;
    std::int64_t release;
    int waiting, running;
  };
  struct Resident {
    std::int64_t end;
    std::size_t sm, job;
  };
  std::vector<Job> jobs;
  const bool all_at_once = dice.between(0, 1) == 0;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    std::int64_t release = all_at_once ? 0 : dice.between(0, kernels[k].T);
    for (int n = 0; n < 6; ++n, release += kernels[k].T + (dice.between(0, 2) == 0 ? dice.between(0, 20) : 0))
      jobs.push_back({k, release, kernels[k].B, 0});
  }
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::int64_t> tie;
  tie.reserve(jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) tie.push_back(dice.between(0, 1'000'000));
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return std::pair(jobs[a].release, tie[a]) < std::pair(jobs[b].release, tie[b]); });
  const bool longest = dice.between(0, 2) > 0;
  std::vector<std::int64_t> most(kernels.size(), 0);
  std::vector<int> free(gpu.gpc.size(), gpu.threads);
  std::vector<Resident> resident;
  std::deque<std::size_t> queue;
  std::size_t next = 0;
  while (next < order.size() || !resident.empty()) {
    std::int64_t now = next < order.size() ? jobs[order[next]].release : resident.front().end;
    for (const Resident& block : resident) now = std::min(now, block.end);
    for (const Resident& block : resident) {
      if (block.end != now) continue;
      Job& job = jobs[block.job];
      free[block.sm] += kernels[job.kernel].H;
      if (--job.running == 0 && job.waiting == 0) most[job.kernel] = std::max(most[job.kernel], now - job.release);
    }
    std::erase_if(resident, [&](const Resident& block) { return block.end == now; });
    for (; next < order.size() && jobs[order[next]].release == now; ++next) queue.push_back(order[next]);
    while (!queue.empty()) {
      Job& head = jobs[queue.front()];
      const PlayedKernel& kernel = kernels[head.kernel];
      const auto sms = sms_for(gpu, kernel, free, dice);
      if (sms.empty()) break;
      for (const std::size_t sm : sms) {
        free[sm] -= kernel.H;
        resident.push_back({now + (longest ? kernel.L : dice.between(1, kernel.L)), sm, queue.front()});
        --head.waiting;
        ++head.running;
      }
      if (head.waiting == 0) queue.pop_front();
    }
  }
  return most;
}

std::string text_of(const PlayedGpu& gpu, const std::vector<PlayedKernel>& kernels, bool told) {
  std::string text = fmt::format("platform: {{gpu: {{sms: {}, threads: {}}}}}\ntime_unit: us\ntasks:\n", gpu.gpc.size(), gpu.threads);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const PlayedKernel& kernel = kernels[k];
    text += fmt::format("  - {{name: k{}, T: {}, on: gpu, B: {}, H: {}, L: {}", k, kernel.T, kernel.B, kernel.H, kernel.L);
    // One cluster at a time fits on the empty GPU.
    if (told && kernel.cluster > 1) text += fmt::format(", cluster: {}, time: {}", kernel.cluster, kernel.B / kernel.cluster * kernel.L);
    if (told && kernel.cooperative) text += ", cooperative: true";
    text += "}\n";
  }
  return text;
}

struct TogetherSystem {
  PlayedGpu gpu;
  std::vector<PlayedKernel> kernels;
};

TogetherSystem together_system(std::uint64_t seed) {
  Dice dice(seed);
  TogetherSystem out;
  const std::int64_t gpcs = dice.between(1, 3);
  for (int gpc = 0; gpc < gpcs; ++gpc) {
    for (std::int64_t sm = dice.between(1, 3); sm > 0; --sm) out.gpu.gpc.push_back(gpc);
  }
  const std::int64_t count = dice.between(2, 5);
  out.kernels.reserve(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) {
    PlayedKernel kernel;
    kernel.H = static_cast<int>(dice.between(1, 4));
    kernel.L = dice.between(1, 12);
    kernel.T = dice.between(20, 120);
    kernel.B = static_cast<int>(dice.between(1, 8));
    switch (dice.between(0, 3)) {
      case 0:
        kernel.cooperative = true;
        kernel.B = std::min(kernel.B, out.gpu.places(kernel.H));
        break;
      case 1: {
        const auto first = std::count(out.gpu.gpc.begin(), out.gpu.gpc.end(), 0);
        kernel.cluster = static_cast<int>(dice.between(1, std::clamp<std::int64_t>(first * (out.gpu.threads / kernel.H), 1, 16)));
        kernel.B = kernel.cluster * static_cast<int>(dice.between(1, 3));
        break;
      }
      default: break;
    }
    out.kernels.push_back(kernel);
  }
  return out;
}

TEST_CASE("no schedule exceeds a bound of kernels whose blocks start together, and bounds by blocks are exceeded") {
  std::size_t bounded = 0, exceeded_by_blocks = 0;
  std::string broken;
  for (std::uint64_t seed = 0; seed < 600 && broken.empty(); ++seed) {
    const TogetherSystem system = together_system(seed);
    std::vector<std::int64_t> most(system.kernels.size(), 0);
    Dice dice(seed + 1'000'000);
    for (int run = 0; run < 20; ++run) {
      const auto seen = played(system.gpu, system.kernels, dice);
      for (std::size_t k = 0; k < seen.size(); ++k) most[k] = std::max(most[k], seen[k]);
    }
    for (const char* const release : {"offsets", "completion"}) {
      const auto proven = [&](bool told) {
        const auto read =
            std::make_shared<const TaskSet>(io::parse_task_set(text_of(system.gpu, system.kernels, told), "set.yaml").task_set);
        return analysis::analyze(read, analysis::options_of({{"release", release}})).proof;
      };
      const analysis::Proof proof = proven(true), as_blocks = proven(false);
      for (std::size_t k = 0; k < most.size(); ++k) {
        const auto& bound = proof.dags[k].bound;
        bounded += bound ? 1 : 0;
        if (bound && Time(most[k] * 1000) > bound->R && broken.empty())
          broken = fmt::format("seed {}, {}, kernel {}: {} us > {} ns", seed, release, k, most[k], bound->R.count());
        const auto& wrong = as_blocks.dags[k].bound;
        exceeded_by_blocks += wrong && Time(most[k] * 1000) > wrong->R ? 1 : 0;
      }
    }
  }
  CHECK(broken == "");
  CHECK(bounded > 1000);
  CHECK(exceeded_by_blocks > 20);
  MESSAGE(bounded << " bounds; taken for plain kernels " << exceeded_by_blocks << " would be exceeded");
}

}  // namespace
