// A plain simulation of kernels on SMs, block by block: the oracle for T5-T8, with no code in common with the product's simulator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "rta/analysis/gpu/fifo.hpp"

namespace rta::test {

enum class Placement : std::uint8_t { first_fit, most_free, fullest, round_robin, random };

/// One kernel launch; launches are listed in the order of their instants, ties in enqueue order.
struct Launch {
  std::int64_t at = 0;
  std::size_t task = 0;
};

/// Rules G2, G3, X1, R1-R3, A1, A2 of Amert et al. (RTSS 2017): one FIFO per priority; only blocks of the head of the highest non-empty
/// queue are assigned, each to an SM that has all it needs. Blocks run for `length(launch, block)` ns, at most L of their task.
/// `eager`: blocks are assigned after each single end of a block, not after all ends of an instant.
/// Returns the response time of each launch.
inline std::vector<std::int64_t> simulate_fifo(const std::vector<analysis::fifo::Task>& tasks, const GpuPool& gpu,
                                               const std::vector<Launch>& launches, Placement placement, bool eager, std::mt19937& random,
                                               const std::function<std::int64_t(std::size_t, std::uint64_t)>& length) {
  using analysis::fifo::all_resources;
  using analysis::fifo::Amounts;
  struct Resident {
    std::int64_t end;
    std::size_t sm, launch;
  };
  struct Kernel {
    std::uint64_t to_start, running = 0;
  };
  std::vector<Amounts> demand;
  demand.reserve(tasks.size());
  for (const auto& t : tasks) demand.push_back(block_demand(t, gpu));
  std::vector<Amounts> room(gpu.sms, analysis::fifo::sm_capacity(gpu));
  std::vector<Resident> residents;
  std::vector<Kernel> kernels(launches.size());
  std::vector<std::int64_t> response(launches.size());
  std::deque<std::size_t> queue[2];  // [0]: high
  std::size_t next_sm = 0;
  std::int64_t now = 0;

  const auto fits = [&](std::size_t sm, const Amounts& d) {
    return std::all_of(all_resources.begin(), all_resources.end(), [&](auto r) { return d[r] <= room[sm][r]; });
  };
  const auto choose_sm = [&](const Amounts& d) -> std::size_t {
    const std::size_t g = room.size();
    std::vector<std::size_t> able;
    for (std::size_t sm = 0; sm < g; ++sm) {
      if (fits(sm, d)) able.push_back(sm);
    }
    if (able.empty()) return g;
    const auto free = [&](std::size_t sm) { return room[sm][analysis::fifo::Resource::threads]; };
    const auto fewer = [&](std::size_t a, std::size_t b) { return free(a) < free(b); };
    switch (placement) {
      case Placement::first_fit: return able.front();
      case Placement::most_free: return *std::max_element(able.begin(), able.end(), fewer);
      case Placement::fullest: return *std::min_element(able.begin(), able.end(), fewer);
      case Placement::round_robin:
        while (!fits(next_sm, d)) next_sm = (next_sm + 1) % g;
        return std::exchange(next_sm, (next_sm + 1) % g);
      case Placement::random: return able[random() % able.size()];
    }
    return g;
  };
  const auto dispatch = [&] {
    for (auto& fifo : queue) {
      while (!fifo.empty()) {
        const std::size_t launch = fifo.front();
        const Amounts& d = demand[launches[launch].task];
        while (kernels[launch].to_start > 0) {
          const std::size_t sm = choose_sm(d);
          if (sm == room.size()) return;  // the head waits, and everything behind it
          for (auto r : all_resources) room[sm][r] -= d[r];
          --kernels[launch].to_start;
          ++kernels[launch].running;
          residents.push_back({now + length(launch, kernels[launch].to_start), sm, launch});
        }
        fifo.pop_front();
      }
    }
  };
  const auto end_one = [&](std::size_t i) {
    const Resident done = residents[i];
    residents[i] = residents.back();
    residents.pop_back();
    for (auto r : all_resources) room[done.sm][r] += demand[launches[done.launch].task][r];
    Kernel& kernel = kernels[done.launch];
    if (--kernel.running == 0 && kernel.to_start == 0) response[done.launch] = now - launches[done.launch].at;
  };

  std::size_t next = 0;
  while (next < launches.size() || !residents.empty()) {
    now = next < launches.size() ? launches[next].at : residents.front().end;
    for (const Resident& r : residents) now = std::min(now, r.end);
    for (std::size_t i = 0; i < residents.size();) {
      if (residents[i].end > now) {
        ++i;
        continue;
      }
      end_one(i);
      if (eager) {
        dispatch();
        i = 0;
      }
    }
    for (; next < launches.size() && launches[next].at == now; ++next) {
      kernels[next].to_start = tasks[launches[next].task].B;
      queue[tasks[launches[next].task].priority == Priority::high ? 0 : 1].push_back(next);
      if (eager) dispatch();
    }
    dispatch();
  }
  return response;
}

}  // namespace rta::test
