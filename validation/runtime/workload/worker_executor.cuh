// Worker pools: a job is B items in the FIFO of a persistent kernel; no launch, no dispatch by the hardware.
#pragma once

#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "launcher.cuh"
#include "persistent_threads.cuh"

namespace workload {

class WorkerExecutor final : public Launcher {
 public:
  WorkerExecutor(Engine& engine, Recorder& recorder, GpuDevice& device, unsigned pool, const std::vector<bool>& own)
      : Launcher(engine, recorder, device, pool, own, false) {
    const TaskSet& set = engine.task_set();
    std::size_t items = 1;
    for (const auto& slot : all_) items += set.dags[slot->dag].nodes[slot->node].blocks;
    capacity_ = 64;
    while (capacity_ < items) capacity_ *= 2;  // no more can be under way: one job per slot
    const std::size_t slots = all_.size() + 1;
    queue_.capacity = static_cast<unsigned>(capacity_);
    queue_.items_host = on_host<WorkItem>(capacity_);
    queue_.written_host = on_host<unsigned long long>(1);
    queue_.stop_host = on_host<unsigned>(1);
    queue_.present_host = on_host<unsigned>(set.pools[pool].count);
    queue_.done_host = on_host<unsigned>(slots);
    queue_.items = on_device<WorkItem>(capacity_);
    queue_.published = on_device<unsigned long long>(1);
    queue_.taken = on_device<unsigned long long>(1);
    queue_.left = on_device<unsigned>(slots);
    queue_.done = on_device<unsigned>(slots);
    queue_.stopped = on_device<unsigned>(1);
    queue_.times = on_device<BlockTimes*>(slots);
    std::vector<BlockTimes*> times(slots, nullptr);
    waiting_ = std::make_unique<Waiting[]>(slots);
    for (std::size_t s = 0; s < all_.size(); ++s) {
      const Node& node = set.dags[all_[s]->dag].nodes[all_[s]->node];
      all_[s]->times = on_host<BlockTimes>(node.blocks);
      times[s] = all_[s]->times;
      numbers_.push_back(all_[s].get());
    }
    CUDA_CALL(cudaMemcpy(queue_.times, times.data(), slots * sizeof(BlockTimes*), cudaMemcpyHostToDevice));
    // Kernels of other pools run beside the workers.
    fix_carveout(work_for_ever);
    margin_ = static_cast<unsigned long long>(device.timer_step());
    CUDA_CALL(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, device.stream_priority(0)));
  }
  ~WorkerExecutor() override {
    if (resident_) *queue_.stop_host = 1;
    stopping_.store(true);
    stop();
    if (watcher_.joinable()) watcher_.join();
    if (resident_) CUDA_CALL(cudaStreamSynchronize(stream_));
  }

  /// Makes the workers resident; after this nothing may be allocated on the device. Empty, or why they are not all resident.
  std::string begin() {
    device_.select();
    const unsigned workers = engine_.task_set().pools[pool_].count;
    launch(work_for_ever, workers, 64, 0, stream_, queue_, margin_);
    resident_ = true;
    const std::int64_t until = now() + 2'000'000'000;
    unsigned present = 0;
    while (present < workers && now() < until) {
      present = 0;
      for (unsigned w = 0; w < workers; ++w) present += queue_.present_host[w];
    }
    watcher_ = std::thread([this] { watch(); });
    start();
    if (present == workers) return "";
    return "only " + std::to_string(present) + " of " + std::to_string(workers) + " workers fit on the device at once";
  }

 private:
  struct Waiting {
    sem_t done;
    std::atomic<bool> active{false};
    unsigned before = 0;  // jobs done in this slot when this one was put in
    Waiting() { sem_init(&done, 0, 0); }
    ~Waiting() { sem_destroy(&done); }
  };

  [[nodiscard]] unsigned number_of(const Slot& slot) const {
    return static_cast<unsigned>(std::find(numbers_.begin(), numbers_.end(), &slot) - numbers_.begin());
  }

  // rta: job
  std::int64_t issue(Slot& slot, const Job&, const Node& node) override {
    const unsigned number = number_of(slot);
    Waiting& waiting = waiting_[number];
    waiting.before = queue_.done_host[number];
    const std::int64_t put = now();
    {
      std::lock_guard<Lock> guard(lock_);
      const unsigned long long first = *queue_.written_host;
      for (std::uint64_t i = 0; i < node.blocks; ++i) {
        WorkItem& item = queue_.items_host[(first + i) % capacity_];
        item.slot = number;
        item.index = static_cast<unsigned>(i);
        item.items = static_cast<unsigned>(node.blocks);
        item.length = static_cast<unsigned long long>(node.length);
      }
      std::atomic_thread_fence(std::memory_order_seq_cst);
      *queue_.written_host = first + node.blocks;
    }
    waiting.active.store(true);
    return put;
  }

  // rta: job
  Span await(Slot& slot, const Job& job, const Node& node, std::int64_t put) override {
    Waiting& waiting = waiting_[number_of(slot)];
    const bool spins = engine_.spins(job.dag, node);
    while ((spins ? sem_trywait(&waiting.done) : sem_wait(&waiting.done)) != 0 && (errno == EINTR || (spins && errno == EAGAIN))) {
    }
    const std::int64_t ended = now();
    const volatile BlockTimes* times = slot.times;
    auto first = static_cast<std::int64_t>(times[0].start);
    for (std::uint64_t i = 1; i < node.blocks; ++i) first = std::min(first, static_cast<std::int64_t>(times[i].start));
    if (engine_.measured(job.dag, job.number)) launches_.add(put - job.ready, 1'000'000);
    return {std::min(std::max(device_.clock().to_host(first), put), ended), ended};
  }

  void record(Slot& slot, const Job& job, const Node& node, const Span&) override {
    const volatile BlockTimes* times = slot.times;
    for (std::uint64_t i = 0; i < node.blocks; ++i) {
      const auto start = static_cast<std::int64_t>(times[i].start);
      const auto end = static_cast<std::int64_t>(times[i].end);
      achieved_[job.dag][job.node].add(node.length, node.longest, end - start);
      if (engine_.level() == TraceLevel::block) {
        slot.ring->push({job.number, job.ready, start, end, 0, job.node, static_cast<std::uint32_t>(i), static_cast<std::uint16_t>(job.dag),
                         static_cast<std::uint16_t>(times[i].sm), RecordKind::block});
      }
    }
  }

  /// No event ends inside a resident kernel, so one thread looks every 20 us and wakes whoever waits.
  void watch() {
    tight_timers();
    set_fifo(0, launch_level);
    std::int64_t next = now();
    while (!stopping_.load()) {
      bool any = false;
      for (std::size_t s = 0; s < numbers_.size(); ++s) {
        if (!waiting_[s].active.load()) continue;
        any = true;
        if (queue_.done_host[s] != waiting_[s].before) {
          waiting_[s].active.store(false);
          sem_post(&waiting_[s].done);
        }
      }
      next = std::max(next, now()) + (any ? 20'000 : 50'000);
      sleep_until(next);
    }
    for (std::size_t s = 0; s < numbers_.size(); ++s) {
      if (waiting_[s].active.load()) sem_post(&waiting_[s].done);
    }
  }

  WorkQueue queue_{};
  std::size_t capacity_ = 0;
  unsigned long long margin_ = 0;
  cudaStream_t stream_ = nullptr;
  bool resident_ = false;
  Lock lock_;
  std::vector<const Slot*> numbers_;
  std::unique_ptr<Waiting[]> waiting_;
  std::thread watcher_;
  std::atomic<bool> stopping_{false};
};

}  // namespace workload
