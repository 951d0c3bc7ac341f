// GPU pools: one kernel per job, on a stream of its own (or of its node).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/spin.cuh"
#include "launcher.cuh"

namespace workload {

using namespace common;

enum class StreamUse { per_job, per_task };

class GpuExecutor final : public Launcher {
 public:
  GpuExecutor(Engine& engine, Recorder& recorder, GpuDevice& device, unsigned pool, const std::vector<bool>& own, StreamUse use)
      : Launcher(engine, recorder, device, pool, own, false), use_(use) {
    const TaskSet& set = engine.task_set();
    seed_ = on_device<unsigned>(most_seed_words);
    unsigned low = 0;
    unsigned high = 0;
    kernels_.resize(set.dag_count);
    of_node_.resize(set.dag_count);
    for (unsigned d = 0; d < set.dag_count; ++d) {
      kernels_[d].resize(set.dags[d].node_count);
      of_node_[d].resize(set.dags[d].node_count);
      for (unsigned v = 0; v < set.dags[d].node_count; ++v) {
        if (slots_[d][v].empty()) continue;
        const Node& node = set.dags[d].nodes[v];
        kernels_[d][v] = choose_spin_kernel(node.registers);
        prepare(set.dags[d], node, kernels_[d][v]);
        unsigned& count = node.high_priority ? high : low;
        of_node_[d][v] = count;
        count += use == StreamUse::per_task ? 1 : node.slots;
      }
    }
    low_.make(low, device.low_priority());
    high_.make(high, device.high_priority());
    for (auto& slot : all_) {
      const Node& node = set.dags[slot->dag].nodes[slot->node];
      slot->times = on_host<BlockTimes>(node.blocks);
      // Loads the kernel and touches its memory: neither may happen while jobs run.
      launch(*slot, node, kernels_[slot->dag][slot->node], device.service_stream(), 1'000);
      CUDA_CALL(cudaStreamSynchronize(device.service_stream()));
    }
    // The timer advances in steps, so a block that stops at L may have run one step longer: L is asked for less one step.
    margin_ = device.timer_step();
    start();
  }
  ~GpuExecutor() override { stop(); }

  [[nodiscard]] unsigned most_streams() const { return low_.most_at_once() + high_.most_at_once(); }
  /// Device and task set disagree: what, else empty.
  [[nodiscard]] const std::string& mismatch() const { return mismatch_; }
  /// Blocks whose times lie outside [launch, end seen by the host] by more than the clocks' error.
  [[nodiscard]] std::int64_t impossible_times() const { return impossible_.load(); }

 private:
  void prepare(const Dag& dag, const Node& node, const SpinKernel& kernel) {
    const Pool& pool = engine_.task_set().pools[pool_];
    const std::string name = std::string(dag.name) + "/" + node.name;
    fix_carveout(kernel.function);
    if (node.shared_memory > 48 * 1024) {
      CUDA_CALL(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(device_.properties().sharedMemPerBlockOptin)));
    }
    int per_sm = 0;
    const cudaError_t status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel.function, static_cast<int>(node.threads), node.shared_memory);
    if (status != cudaSuccess || per_sm == 0) {
      mismatch_ = name + ": a block of " + std::to_string(node.threads) + " threads and " + std::to_string(node.shared_memory) +
                  " bytes of shared memory does not fit on an SM of this device";
      return;
    }
    const unsigned expected = std::min(pool.threads_per_sm / node.threads, pool.blocks_per_sm);
    if (node.shared_memory == 0 && node.registers == 0 && static_cast<unsigned>(per_sm) != expected) {
      mismatch_ =
          name + ": an SM of this device holds " + std::to_string(per_sm) + " of its blocks, the pool's " + std::to_string(expected);
    }
    if (node.registers != 0 && static_cast<unsigned>(kernel.registers) > node.registers) {
      mismatch_ = name + ": its kernel needs " + std::to_string(kernel.registers) + " registers per thread, the task set says " +
                  std::to_string(node.registers);
    }
  }

  void launch(Slot& slot, const Node& node, const SpinKernel& kernel, cudaStream_t stream, std::int64_t length) {
    auto spin_for = static_cast<unsigned long long>(std::max<std::int64_t>(0, length - margin_));
    common::launch(kernel.function, node.blocks, node.threads, node.shared_memory, stream, spin_for, slot.times, seed_);
  }

  Span run(Slot& slot, const Job& job, const Node& node) override {
    StreamSet& streams = node.high_priority ? high_ : low_;
    const unsigned number = use_ == StreamUse::per_task ? of_node_[slot.dag][slot.node] : streams.take();
    const std::int64_t launched = now();
    launch(slot, node, kernels_[slot.dag][slot.node], streams[number], node.length);
    CUDA_CALL(cudaEventRecord(slot.ended, streams[number]));
    CUDA_CALL(cudaEventSynchronize(slot.ended));
    const std::int64_t ended = now();
    if (use_ == StreamUse::per_job) streams.give_back(number);
    const volatile BlockTimes* times = slot.times;
    std::int64_t first = INT64_MAX;
    std::int64_t last = 0;
    for (std::uint64_t b = 0; b < node.blocks; ++b) {
      first = std::min(first, static_cast<std::int64_t>(times[b].start));
      last = std::max(last, static_cast<std::int64_t>(times[b].end));
    }
    const std::int64_t start = device_.clock().to_host(first);
    if (engine_.measured(job.dag, job.number)) {
      launches_.add(launched - job.ready, 1'000'000);
      // The line through the clocks may be off by some 10 us after a minute; ms are another matter.
      if (start < launched - 1'000'000 || device_.clock().to_host(last) > ended + 1'000'000) impossible_.fetch_add(1);
    }
    // The job has ended when the host knows it: that is when its successors can start.
    return {std::min(std::max(start, launched), ended), ended};
  }

  void record(Slot& slot, const Job& job, const Node& node, const Span&) override {
    const volatile BlockTimes* times = slot.times;
    for (std::uint64_t b = 0; b < node.blocks; ++b) {
      const auto start = static_cast<std::int64_t>(times[b].start);
      const auto end = static_cast<std::int64_t>(times[b].end);
      achieved_[job.dag][job.node].add(node.length, end - start);
      if (engine_.level() == TraceLevel::block) {
        slot.ring->push({job.number, job.ready, device_.clock().to_host(start), device_.clock().to_host(end), 0, job.node,
                         static_cast<std::uint32_t>(b), static_cast<std::uint16_t>(job.dag), static_cast<std::uint16_t>(times[b].sm),
                         RecordKind::block});
      }
    }
  }

  StreamUse use_;
  StreamSet low_;
  StreamSet high_;
  unsigned* seed_ = nullptr;
  std::int64_t margin_ = 0;
  std::vector<std::vector<SpinKernel>> kernels_;
  std::vector<std::vector<unsigned>> of_node_;
  std::string mismatch_;
  std::atomic<std::int64_t> impossible_{0};
};

}  // namespace workload
