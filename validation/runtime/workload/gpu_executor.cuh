// GPU pools: one kernel per job, on a stream of its own (or of its node).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/spin.cuh"
#include "launcher.cuh"

namespace workload {

using namespace common;

enum class StreamUse { per_job, per_task };

/// The generated source has it: spin kernels for the registers of its nodes, since each instance takes nvcc its time.
std::vector<SpinFunction> spin_kernels();

class GpuExecutor final : public Launcher {
 public:
  /// `create`: makes a stream of a priority.
  GpuExecutor(Engine& engine, Recorder& recorder, GpuDevice& device, unsigned pool, const std::vector<bool>& own, StreamUse use,
              const std::function<cudaStream_t(int)>& create = new_stream)
      : Launcher(engine, recorder, device, pool, own, false), use_(use) {
    const TaskSet& set = engine.task_set();
    for (unsigned d = 0; d < set.dag_count; ++d) {
      for (unsigned v = 0; !own[d] && v < set.dags[d].node_count; ++v) {
        const Pool& other = set.pools[set.dags[d].nodes[v].pool];
        pauses_ = pauses_ || (other.kind == PoolKind::gpu && std::strcmp(other.hardware, set.pools[pool].hardware) == 0);
      }
    }
    seed_ = on_device<unsigned>(most_seed_words);
    const std::vector<SpinFunction> kernels = spin_kernels();
    bool all_fit = true;
    std::map<unsigned, unsigned> counts;  // of streams by priority
    kernels_.resize(set.dag_count);
    of_node_.resize(set.dag_count);
    for (unsigned d = 0; d < set.dag_count; ++d) {
      kernels_[d].resize(set.dags[d].node_count);
      of_node_[d].resize(set.dags[d].node_count);
      for (unsigned v = 0; v < set.dags[d].node_count; ++v) {
        if (slots_[d][v].empty()) continue;
        const Node& node = set.dags[d].nodes[v];
        kernels_[d][v] = spin_kernel_with(node.registers, kernels);
        all_fit = prepare(set.dags[d], node, kernels_[d][v]) && all_fit;
        unsigned& count = counts[node.stream_priority];
        of_node_[d][v] = count;
        count += use == StreamUse::per_task ? 1 : node.slots;
      }
    }
    if (!all_fit) {
      for (const std::string& mismatch : mismatches_) std::fprintf(stderr, "workload: %s\n", mismatch.c_str());
      std::fflush(nullptr);
      std::_Exit(2);  // threads of CPU pools run already
    }
    for (const auto& [priority, count] : counts) streams_[priority].make(count, device.stream_priority(priority), create);
    std::map<unsigned, unsigned> next_of;
    for (auto& slot : all_) {
      const Node& node = set.dags[slot->dag].nodes[slot->node];
      slot->times = on_host<BlockTimes>(node.blocks);
      // Loads the kernel, touches its memory, and gives stream and event their hardware: none of it may happen while jobs run. There are as
      // many streams as slots, so each has its turn.
      unsigned& next = next_of[node.stream_priority];
      const unsigned number = use == StreamUse::per_task ? of_node_[slot->dag][slot->node] : next++;
      cudaStream_t stream = streams_[node.stream_priority][number];
      launch(*slot, node, kernels_[slot->dag][slot->node], stream, 1'000);
      CUDA_CALL(cudaEventRecord(slot->ended, stream));
      CUDA_CALL(cudaEventSynchronize(slot->ended));
    }
    // The timer advances in steps, so a block that stops at L may have run one step longer: L is asked for less one step.
    margin_ = device.timer_step();
    start();
  }
  ~GpuExecutor() override { stop(); }

  [[nodiscard]] unsigned most_streams() const {
    unsigned most = 0;
    for (const auto& of_priority : streams_) most += of_priority.second.most_at_once();
    return most;
  }
  /// Where device and task set disagree.
  [[nodiscard]] const std::vector<std::string>& mismatches() const { return mismatches_; }
  /// Blocks whose times lie outside [launch, end seen by the host] by more than the clocks' error.
  [[nodiscard]] std::int64_t impossible_times() const { return impossible_.load(); }
  /// By number, whether blocks of measured jobs ran on it.
  [[nodiscard]] std::vector<bool> used_sms() const {
    std::vector<bool> used;
    for (const auto& word : sms_) {
      for (unsigned bit = 0; bit < 64; ++bit) used.push_back((word.load() >> bit & 1U) != 0);
    }
    return used;
  }

 private:
  static constexpr std::size_t sm_words = 16;  // of a bit per SM

  /// Whether one block fits on an SM of this device.
  bool prepare(const Dag& dag, const Node& node, const SpinKernel& kernel) {
    const auto complain = [&](const std::string& what) { mismatches_.push_back(std::string(dag.name) + "/" + node.name + ": " + what); };
    if (node.stream_priority >= device_.priority_levels()) {
      complain("its stream priority is " + std::to_string(node.stream_priority) + ", this device has " +
               (device_.priority_levels() == 1 ? std::string("no other than 0") : "0 to " + std::to_string(device_.priority_levels() - 1)));
      return false;
    }
    fix_carveout(kernel.function);
    const std::size_t most = device_.properties().sharedMemPerBlockOptin;
    if (node.shared_memory > 48 * 1024 && node.shared_memory <= most)
      CUDA_CALL(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most)));
    int per_sm = 0;
    const cudaError_t status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel.function, static_cast<int>(node.threads), node.shared_memory);
    if (status != cudaSuccess || per_sm == 0) {
      cudaGetLastError();  // an error that was looked at must not show at the next launch
      complain("a block of " + std::to_string(node.threads) + " threads with " + std::to_string(kernel.registers) + " registers each and " +
               std::to_string(node.shared_memory) + " bytes of shared memory does not fit on an SM of this device");
      return false;
    }
    if (static_cast<unsigned>(per_sm) != node.blocks_per_sm)
      complain("an SM of this device holds " + std::to_string(per_sm) + " of its blocks, one of the pool " +
               std::to_string(node.blocks_per_sm));
    if (node.registers != 0 && allocated_registers(static_cast<unsigned>(kernel.registers)) != allocated_registers(node.registers))
      complain("its kernel uses " + std::to_string(kernel.registers) + " registers per thread, the task set says " +
               std::to_string(node.registers));
    return true;
  }

  void launch(Slot& slot, const Node& node, const SpinKernel& kernel, cudaStream_t stream, std::int64_t length) {
    auto spin_for = static_cast<unsigned long long>(std::max<std::int64_t>(0, length - margin_));
    common::launch(kernel.function, node.blocks, node.threads, node.shared_memory, stream, spin_for, slot.times, seed_);
  }

  // rta: job
  std::int64_t issue(Slot& slot, const Job&, const Node& node) override {
    StreamSet& streams = streams_.at(node.stream_priority);
    slot.stream = use_ == StreamUse::per_task ? of_node_[slot.dag][slot.node] : streams.take();
    const std::int64_t launched = now();
    launch(slot, node, kernels_[slot.dag][slot.node], streams[slot.stream], node.length);
    CUDA_CALL(cudaEventRecord(slot.ended, streams[slot.stream]));
    return launched;
  }

  // rta: job
  Span await(Slot& slot, const Job& job, const Node& node, std::int64_t launched) override {
    CUDA_CALL(cudaEventSynchronize(slot.ended));
    const std::int64_t ended = now();
    if (use_ == StreamUse::per_job) streams_.at(node.stream_priority).give_back(slot.stream);
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
      const std::int64_t tolerance = device_.clock().tolerance(ended);
      if (start < launched - tolerance || device_.clock().to_host(last) > ended + tolerance) impossible_.fetch_add(1);
    }
    // The job has ended when the host knows it: that is when its successors can start.
    return {std::min(std::max(start, launched), ended), ended};
  }

  void record(Slot& slot, const Job& job, const Node& node, const Span&) override {
    const volatile BlockTimes* times = slot.times;
    std::array<std::uint64_t, sm_words> seen{};
    for (std::uint64_t b = 0; b < node.blocks; ++b) {
      const auto start = static_cast<std::int64_t>(times[b].start);
      const auto end = static_cast<std::int64_t>(times[b].end);
      const unsigned sm = times[b].sm;
      if (sm / 64 < seen.size()) seen[sm / 64] |= std::uint64_t{1} << sm % 64;
      // While another process is served, the blocks of this one pause.
      achieved_[job.dag][job.node].add(node.length, node.longest, pauses_ ? std::min(node.length, end - start) : end - start);
      if (engine_.level() == TraceLevel::block) {
        slot.ring->push({job.number, job.ready, start, end, 0, job.node, static_cast<std::uint32_t>(b), static_cast<std::uint16_t>(job.dag),
                         static_cast<std::uint16_t>(sm), RecordKind::block});
      }
    }
    for (std::size_t word = 0; word < seen.size(); ++word) {
      if (seen[word] != 0) sms_[word].fetch_or(seen[word]);
    }
  }

  StreamUse use_;
  bool pauses_ = false;                    // kernels of other processes are on its GPU, too
  std::map<unsigned, StreamSet> streams_;  // by priority
  unsigned* seed_ = nullptr;
  std::int64_t margin_ = 0;
  std::vector<std::vector<SpinKernel>> kernels_;
  std::vector<std::vector<unsigned>> of_node_;
  std::vector<std::string> mismatches_;
  std::atomic<std::int64_t> impossible_{0};
  std::array<std::atomic<std::uint64_t>, sm_words> sms_{};  // a bit each
};

}  // namespace workload
