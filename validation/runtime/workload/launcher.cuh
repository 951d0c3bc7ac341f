// Threads that start GPU work and sleep until it has ended: one per slot of each node, above all CPU jobs, so that they hold no processor
// of a pool for longer than a launch takes.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/cuda_memory.cuh"
#include "common/gpu_device.cuh"
#include "common/spin.cuh"
#include "engine.hpp"
#include "job_queue.hpp"

namespace workload {

using namespace common;

class Launcher : public Executor {
 public:
  void submit(const Job& job) override {
    const auto& slots = slots_[job.dag][job.node];
    Slot& slot = *slots[static_cast<std::size_t>(job.number) % slots.size()];
    if (slot.pending.fetch_add(1) > 0) engine_.statistics().passed_slots.fetch_add(1);
    slot.queue.put(job);
  }

  /// Launch to first instruction (kernels) as the host saw it, and how far launches lag behind queue entry.
  [[nodiscard]] const Lateness& launches() const { return launches_; }
  [[nodiscard]] const Achieved& achieved(unsigned dag, unsigned node) const { return achieved_[dag][node]; }
  /// Threads that could not be put above the CPU jobs.
  [[nodiscard]] std::int64_t unprivileged() const { return unprivileged_.load(); }

 protected:
  struct Slot {
    JobQueue queue;
    std::thread thread;
    std::atomic<int> pending{0};
    unsigned dag = 0;
    unsigned node = 0;
    Ring* ring = nullptr;
    cudaEvent_t started = nullptr;
    cudaEvent_t ended = nullptr;
    BlockTimes* times = nullptr;
  };
  struct Span {
    std::int64_t start;
    std::int64_t end;
  };

  Launcher(Engine& engine, Recorder& recorder, GpuDevice& device, unsigned pool, const std::vector<bool>& own, bool timed_events)
      : engine_(engine), device_(device), pool_(pool) {
    const TaskSet& set = engine.task_set();
    slots_.resize(set.dag_count);
    achieved_.resize(set.dag_count);
    device.select();
    for (unsigned d = 0; d < set.dag_count; ++d) {
      slots_[d].resize(set.dags[d].node_count);
      achieved_[d] = std::vector<Achieved>(set.dags[d].node_count);
      if (!own[d]) continue;
      for (unsigned v = 0; v < set.dags[d].node_count; ++v) {
        const Node& node = set.dags[d].nodes[v];
        if (node.pool != pool) continue;
        for (unsigned s = 0; s < node.slots; ++s) {
          all_.push_back(std::make_unique<Slot>());
          Slot& slot = *all_.back();
          slot.dag = d;
          slot.node = v;
          const std::size_t each = 3 + (engine.level() == TraceLevel::block ? static_cast<std::size_t>(node.blocks) : 0);
          slot.ring = &recorder.add_ring(1024 + 4 * each, each * (static_cast<std::size_t>(engine.jobs(d)) / node.slots + 1));
          const unsigned flags = cudaEventBlockingSync | (timed_events ? 0U : static_cast<unsigned>(cudaEventDisableTiming));
          CUDA_CALL(cudaEventCreateWithFlags(&slot.started, flags));
          CUDA_CALL(cudaEventCreateWithFlags(&slot.ended, flags));
          slots_[d][v].push_back(&slot);
        }
      }
    }
  }

  /// Starts the threads; the derived class is complete now.
  void start() {
    for (auto& slot : all_) {
      Slot* s = slot.get();
      s->thread = std::thread([this, s] { work(*s); });
    }
  }
  /// Before the derived class goes.
  void stop() {
    for (auto& slot : all_) slot->queue.close();
    for (auto& slot : all_) {
      if (slot->thread.joinable()) slot->thread.join();
    }
  }

  /// Runs the job to its end; its records, blocks apart.
  virtual Span run(Slot& slot, const Job& job, const Node& node) = 0;
  /// What may be written after those that wait for the job have been released.
  virtual void record(Slot& slot, const Job& job, const Node& node, const Span& span) = 0;

  Engine& engine_;
  GpuDevice& device_;
  unsigned pool_;
  std::vector<std::unique_ptr<Slot>> all_;
  std::vector<std::vector<std::vector<Slot*>>> slots_;
  std::vector<std::vector<Achieved>> achieved_;
  Lateness launches_;

 private:
  void work(Slot& slot) {
    tight_timers();
    if (!set_fifo(0, launch_level).empty()) unprivileged_.fetch_add(1);
    device_.select();
    Job job;
    // rta: job
    while (slot.queue.take(job)) {
      const Node& node = engine_.node(job);
      const Span span = run(slot, job, node);
      engine_.finished(job, span.start, span.end, *slot.ring);
      if (engine_.measured(job.dag, job.number)) record(slot, job, node, span);
      slot.pending.fetch_sub(1);
    }
  }

  std::atomic<std::int64_t> unprivileged_{0};
};

}  // namespace workload
