// Plays a schedule as a run time would, with random execution times; kernels that share a GPU block by block.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "rta/analysis/gpu/configuration.hpp"
#include "rta/static_order/graph.hpp"
#include "rta/static_order/schedule.hpp"
#include "static_order/gpu_sharing.hpp"
#include "static_order/random.hpp"

namespace rta::static_order {

class Player {
 public:
  Player(const Graph& graph, const ScheduledHyperepoch& schedule, Random& random) : graph_(graph), schedule_(schedule), random_(random) {}

  /// When each runnable ended; nothing for those that never did.
  std::vector<std::optional<Time>> play() {
    prepare();
    for (;;) {
      settle();
      std::optional<Time> next;
      for (const State& s : state_) {
        if (!s.started && s.gate <= 0 && schedule_.runnables[s.id].release > now_) later(next, schedule_.runnables[s.id].release);
        if (s.end && *s.end > now_) later(next, *s.end);
      }
      for (const Block& b : blocks_) later(next, b.end);
      if (!next) break;
      now_ = *next;
    }
    std::vector<std::optional<Time>> ends;
    for (const State& s : state_) ends.push_back(s.ended ? s.end : std::nullopt);
    return ends;
  }

 private:
  struct State {
    std::size_t id = 0;
    int gate = 0;  // what it still waits for
    bool started = false, ended = false;
    std::optional<Time> end;
    std::uint64_t blocks_left = 0, blocks_running = 0;
  };
  struct Block {
    std::size_t runnable;
    std::size_t sm;
    Time end;
  };
  struct Gpu {
    std::size_t resource;
    std::vector<analysis::fifo::Amounts> free;  // by SM
    std::deque<std::size_t> queue;
  };

  static void later(std::optional<Time>& next, Time time) { next = next ? std::min(*next, time) : time; }

  // Somewhere in 0 .. most, often at an end.
  Time duration(Time most) {
    const std::uint32_t how = random_.below(10);
    if (how < 4 || most == Time::zero()) return most;
    if (how < 5) return Time::zero();
    return Time(random_.between(0, static_cast<std::uint32_t>(most.count())));
  }

  void prepare() {
    const std::size_t n = schedule_.runnables.size();
    state_.resize(n);
    ends_of_.resize(n);
    starts_of_.resize(n);
    kernel_.resize(n);
    for (const Sharing& sharing : schedule_.sharing) {
      for (ResourceId r = 0; r < graph_.resources.size(); ++r) {
        if (full_name(graph_, r) != schedule_.resources[sharing.resource].name) continue;
        const GpuPool& pool = *graph_.resources[r].gpu;
        gpus_.push_back({sharing.resource, std::vector<analysis::fifo::Amounts>(pool.sms, analysis::fifo::sm_capacity(pool)), {}});
        for (std::size_t i = 0; i < n; ++i) find_kernel(i, pool, sharing.resource, gpus_.size() - 1);
      }
    }
    std::vector<std::optional<std::size_t>> last(schedule_.resources.size()), carried(schedule_.resources.size());
    for (std::size_t i = 0; i < n; ++i) {
      const ScheduledRunnable& r = schedule_.runnables[i];
      state_[i].id = i;
      for (const std::size_t id : r.after) wait(ends_of_, id, i);
      for (const std::size_t id : r.after_start) wait(starts_of_, id, i);
      for (const std::size_t resource : r.resources) {
        if (std::ranges::any_of(schedule_.sharing, [&](const Sharing& s) { return s.resource == resource; })) continue;
        if (last[resource]) wait(ends_of_, *last[resource], i);
        last[resource] = i;
      }
      if (!r.stream) continue;
      if (carried[*r.stream]) wait(ends_of_, *carried[*r.stream], i);
      carried[*r.stream] = i;
    }
  }

  void wait(std::vector<std::vector<std::size_t>>& for_whom, std::size_t before, std::size_t after) {
    for_whom[before].push_back(after);
    ++state_[after].gate;
  }

  // One of the steps of its slot, at random.
  void find_kernel(std::size_t i, const GpuPool& pool, std::size_t resource, std::size_t gpu) {
    const ScheduledRunnable& r = schedule_.runnables[i];
    if (std::ranges::find(r.resources, resource) == r.resources.end()) return;
    std::vector<RunnableId> ids;
    for (RunnableId id = 0; id < graph_.runnables.size(); ++id) {
      const std::string name = full_name(graph_, graph_.runnables[id]);
      if (name == r.full_name() || std::ranges::find(r.steps, name) != r.steps.end()) ids.push_back(id);
    }
    const auto& blocks = graph_.runnables[ids[random_.below(static_cast<std::uint32_t>(ids.size()))]].blocks;
    if (!blocks) return;
    kernel_[i] = {kernel_of(*blocks, pool), gpu};
  }

  // Everything that happens at this instant.
  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = 0; b < blocks_.size();) {
        if (blocks_[b].end > now_) {
          ++b;
          continue;
        }
        give_back(blocks_[b]);
        blocks_[b] = blocks_.back();
        blocks_.pop_back();
        changed = true;
      }
      for (State& s : state_) {
        if (s.started && !s.ended && s.end && *s.end <= now_) {
          s.ended = true;
          for (const std::size_t after : ends_of_[s.id]) --state_[after].gate;
          changed = true;
        }
        if (!s.started && s.gate == 0 && schedule_.runnables[s.id].release <= now_) {
          start(s);
          changed = true;
        }
      }
      for (Gpu& gpu : gpus_) changed = dispatch(gpu) || changed;
    }
  }

  void start(State& s) {
    s.started = true;
    for (const std::size_t after : starts_of_[s.id]) --state_[after].gate;
    if (!kernel_[s.id]) {
      s.end = now_ + duration(schedule_.runnables[s.id].wcet);
      return;
    }
    s.blocks_left = kernel_[s.id]->first.B;
    gpus_[kernel_[s.id]->second].queue.push_back(s.id);
  }

  // The head of the queue places blocks while some SM has room.
  bool dispatch(Gpu& gpu) {
    bool any = false;
    while (!gpu.queue.empty()) {
      State& s = state_[gpu.queue.front()];
      const Kernel& kernel = kernel_[s.id]->first;
      if (s.blocks_left == 0) {
        gpu.queue.pop_front();
        continue;
      }
      std::vector<std::size_t> room;
      for (std::size_t sm = 0; sm < gpu.free.size(); ++sm) {
        const bool fits = std::ranges::all_of(analysis::fifo::all_resources,
                                              [&](analysis::fifo::Resource r) { return kernel.demand[r] <= gpu.free[sm][r]; });
        if (fits) room.push_back(sm);
      }
      if (room.empty()) return any;
      const std::size_t sm = room[random_.below(static_cast<std::uint32_t>(room.size()))];
      for (const analysis::fifo::Resource r : analysis::fifo::all_resources) gpu.free[sm][r] -= kernel.demand[r];
      blocks_.push_back({s.id, sm, now_ + duration(kernel.L)});
      --s.blocks_left;
      ++s.blocks_running;
      any = true;
    }
    return any;
  }

  void give_back(const Block& block) {
    State& s = state_[block.runnable];
    const auto& [kernel, gpu] = *kernel_[s.id];
    for (const analysis::fifo::Resource r : analysis::fifo::all_resources) gpus_[gpu].free[block.sm][r] += kernel.demand[r];
    if (--s.blocks_running == 0 && s.blocks_left == 0) s.end = now_;
  }

  const Graph& graph_;
  const ScheduledHyperepoch& schedule_;
  Random& random_;
  Time now_;
  std::vector<State> state_;
  std::vector<std::vector<std::size_t>> ends_of_, starts_of_;
  std::vector<std::optional<std::pair<Kernel, std::size_t>>> kernel_;
  std::vector<Gpu> gpus_;
  std::vector<Block> blocks_;
};

}  // namespace rta::static_order
