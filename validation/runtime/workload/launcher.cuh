// Threads that start GPU work and sleep until it has ended: one per slot of each node, above all CPU jobs, so that they hold no processor
// of a pool for longer than a launch takes. The threads of bodies start theirs themselves.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/cuda_memory.cuh"
#include "common/gpu_device.cuh"
#include "common/spin.cuh"
#include "device.hpp"
#include "engine.hpp"
#include "job_queue.hpp"

namespace workload {

using namespace common;

class Launcher : public Executor, public Device {
 public:
  void select() override { device_.select(); }
  std::int64_t issue_for(const Job& job, unsigned thread) override {
    device_.select();
    return issue(slot_of(job, thread), job, engine_.node(job));
  }
  Span await_for(const Job& job, unsigned thread, std::int64_t issued) override {
    return await(slot_of(job, thread), job, engine_.node(job), issued);
  }
  void record_for(const Job& job, unsigned thread, const Span& span) override {
    record(slot_of(job, thread), job, engine_.node(job), span);
  }

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
    unsigned stream = 0;  // of the job under way
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
          const auto jobs = static_cast<std::size_t>(engine.jobs(d));
          slot.ring = &recorder.add_ring(1024 + 4 * each, each * (node.body >= 0 ? jobs : jobs / node.slots + 1));
          // Without cudaEventBlockingSync who waits for it spins.
          const unsigned flags = (engine.spins(d, node) ? 0U : static_cast<unsigned>(cudaEventBlockingSync)) |
                                 (timed_events ? 0U : static_cast<unsigned>(cudaEventDisableTiming));
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
      if (engine_.task_set().dags[s->dag].nodes[s->node].body >= 0) continue;
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

  /// Starts the job; the instant before that.
  virtual std::int64_t issue(Slot& slot, const Job& job, const Node& node) = 0;
  /// Sleeps, or spins where the body does, until it has ended.
  virtual Span await(Slot& slot, const Job& job, const Node& node, std::int64_t issued) = 0;
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
  Slot& slot_of(const Job& job, unsigned thread) { return *slots_[job.dag][job.node][thread]; }

  void work(Slot& slot) {
    tight_timers();
    if (!set_fifo(0, launch_level).empty()) unprivileged_.fetch_add(1);
    device_.select();
    Job job;
    // rta: job
    while (slot.queue.take(job)) {
      const Node& node = engine_.node(job);
      const Span span = await(slot, job, node, issue(slot, job, node));
      engine_.finished(job, span.start, span.end, *slot.ring);
      if (engine_.measured(job.dag, job.number)) record(slot, job, node, span);
      slot.pending.fetch_sub(1);
    }
  }

  std::atomic<std::int64_t> unprivileged_{0};
};

}  // namespace workload
