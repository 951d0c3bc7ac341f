// A plain simulation of kernels on SMs, block by block: the oracle for T5-T8, with no code in common with the product's simulator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
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

/// How long block `block` of launch `launch` runs: at most L of its task.
using BlockLength = std::function<std::int64_t(std::size_t launch, std::uint64_t block)>;

/// Rules G2, G3, X1, R1-R3, A1, A2 of Amert et al. (RTSS 2017): one FIFO per priority; only blocks of the head of the highest non-empty
/// queue are assigned, each to an SM that has all it needs. `eager`: blocks are assigned after each single end of a block, not after all
/// ends of an instant.
class FifoSimulation {
 public:
  FifoSimulation(const std::vector<analysis::fifo::Task>& tasks, const GpuPool& gpu, const std::vector<Launch>& launches,
                 Placement placement, bool eager, std::mt19937& random, BlockLength length)
      : tasks_(tasks),
        launches_(launches),
        placement_(placement),
        eager_(eager),
        random_(random),
        length_(std::move(length)),
        gpu_(gpu),
        room_(gpu.sms, analysis::fifo::sm_capacity(gpu)),
        registers_(gpu.sms,
                   std::vector<std::uint64_t>(gpu.allocation.register_parts, gpu.sm.registers.value_or(0) / gpu.allocation.register_parts)),
        kernels_(launches.size()),
        response_(launches.size()) {
    for (const auto& t : tasks) demand_.push_back(block_demand(t, gpu));
  }

  /// The response time of each launch.
  std::vector<std::int64_t> run() {
    while (next_ < launches_.size() || !residents_.empty()) {
      now_ = next_ < launches_.size() ? launches_[next_].at : residents_.front().end;
      for (const Resident& r : residents_) now_ = std::min(now_, r.end);
      end_blocks();
      enqueue();
      dispatch();
    }
    return std::move(response_);
  }

 private:
  using Amounts = analysis::fifo::Amounts;
  struct Resident {
    std::int64_t end;
    std::size_t sm, launch;
    std::vector<std::size_t> parts;  // of the register file: of each of its warps
  };
  struct Kernel {
    std::uint64_t to_start = 0, running = 0;
  };

  void end_blocks() {
    for (std::size_t i = 0; i < residents_.size();) {
      if (residents_[i].end > now_) {
        ++i;
        continue;
      }
      end_block(i);
      if (!eager_) continue;
      dispatch();
      i = 0;
    }
  }

  void end_block(std::size_t i) {
    const Resident done = residents_[i];
    residents_[i] = residents_.back();
    for (const std::size_t part : done.parts) registers_[done.sm][part] += per_warp(demand_[launches_[done.launch].task]);
    residents_.pop_back();
    for (auto r : analysis::fifo::all_resources) room_[done.sm][r] += demand_[launches_[done.launch].task][r];
    Kernel& kernel = kernels_[done.launch];
    if (--kernel.running == 0 && kernel.to_start == 0) response_[done.launch] = now_ - launches_[done.launch].at;
  }

  void enqueue() {
    for (; next_ < launches_.size() && launches_[next_].at == now_; ++next_) {
      kernels_[next_].to_start = tasks_[launches_[next_].task].B;
      queue_[tasks_[launches_[next_].task].priority].push_back(next_);
      if (eager_) dispatch();
    }
  }

  void dispatch() {
    for (auto& of_priority : queue_) {
      auto& fifo = of_priority.second;
      for (; !fifo.empty(); fifo.pop_front()) {
        if (!start_blocks(fifo.front())) return;  // the head waits, and everything behind it
      }
    }
  }

  // False when some block of the launch finds no SM.
  bool start_blocks(std::size_t launch) {
    const Amounts& d = demand_[launches_[launch].task];
    Kernel& kernel = kernels_[launch];
    while (kernel.to_start > 0) {
      const std::size_t sm = choose_sm(d);
      if (sm == room_.size()) return false;
      for (auto r : analysis::fifo::all_resources) room_[sm][r] -= d[r];
      --kernel.to_start;
      ++kernel.running;
      residents_.push_back({now_ + length_(launch, kernel.to_start), sm, launch, take_registers(sm, d)});
    }
    return true;
  }

  [[nodiscard]] bool fits(std::size_t sm, const Amounts& d) const {
    std::uint64_t warps_with_room = 0;
    for (const std::uint64_t part : registers_[sm]) warps_with_room += per_warp(d) == 0 ? warps(d) : part / per_warp(d);
    return warps_with_room >= warps(d) && std::ranges::all_of(analysis::fifo::all_resources, [&](auto r) { return d[r] <= room_[sm][r]; });
  }
  [[nodiscard]] std::uint64_t warps(const Amounts& d) const { return d[analysis::fifo::Resource::threads] / gpu_.allocation.warp; }
  [[nodiscard]] std::uint64_t per_warp(const Amounts& d) const { return d[analysis::fifo::Resource::registers] / warps(d); }

  // Each warp to a part that has room: the first, any, or that with the most.
  std::vector<std::size_t> take_registers(std::size_t sm, const Amounts& d) {
    std::vector<std::size_t> taken;
    if (per_warp(d) == 0) return taken;
    taken.reserve(warps(d));
    for (std::uint64_t w = 0; w < warps(d); ++w) {
      std::vector<std::size_t> able;
      for (std::size_t part = 0; part < registers_[sm].size(); ++part) {
        if (registers_[sm][part] >= per_warp(d)) able.push_back(part);
      }
      const auto most = std::ranges::max_element(able, {}, [&](std::size_t part) { return registers_[sm][part]; });
      taken.push_back(placement_ == Placement::random      ? able[random_() % able.size()]
                      : placement_ == Placement::most_free ? *most
                                                           : able.front());
      registers_[sm][taken.back()] -= per_warp(d);
    }
    return taken;
  }

  // The number of SMs when none has room.
  std::size_t choose_sm(const Amounts& d) {
    const std::size_t g = room_.size();
    std::vector<std::size_t> able;
    for (std::size_t sm = 0; sm < g; ++sm) {
      if (fits(sm, d)) able.push_back(sm);
    }
    if (able.empty()) return g;
    const auto free = [&](std::size_t sm) { return room_[sm][analysis::fifo::Resource::threads]; };
    switch (placement_) {
      case Placement::first_fit: return able.front();
      case Placement::most_free: return *std::ranges::max_element(able, {}, free);
      case Placement::fullest: return *std::ranges::min_element(able, {}, free);
      case Placement::round_robin:
        while (!fits(next_sm_, d)) next_sm_ = (next_sm_ + 1) % g;
        return std::exchange(next_sm_, (next_sm_ + 1) % g);
      case Placement::random: return able[random_() % able.size()];
    }
    return g;
  }

  const std::vector<analysis::fifo::Task>& tasks_;
  const std::vector<Launch>& launches_;
  Placement placement_;
  bool eager_;
  std::mt19937& random_;
  BlockLength length_;
  GpuPool gpu_;
  std::vector<Amounts> demand_, room_;                 // per task, per SM
  std::vector<std::vector<std::uint64_t>> registers_;  // per SM, by part of its register file: free
  std::vector<Resident> residents_;
  std::vector<Kernel> kernels_;  // per launch
  std::vector<std::int64_t> response_;
  std::map<StreamPriority, std::deque<std::size_t>, std::greater<>> queue_;  // the most urgent first
  std::size_t next_ = 0, next_sm_ = 0;
  std::int64_t now_ = 0;
};

inline std::vector<std::int64_t> simulate_fifo(const std::vector<analysis::fifo::Task>& tasks, const GpuPool& gpu,
                                               const std::vector<Launch>& launches, Placement placement, bool eager, std::mt19937& random,
                                               const BlockLength& length) {
  return FifoSimulation(tasks, gpu, launches, placement, eager, random, length).run();
}

}  // namespace rta::test
