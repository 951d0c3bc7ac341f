// Copy engines: one cudaMemcpyAsync per job between pinned and device memory, of a size that takes C.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "launcher.cuh"

namespace workload {

class CopyExecutor final : public Launcher {
 public:
  CopyExecutor(Engine& engine, Recorder& recorder, GpuDevice& device, unsigned pool, const std::vector<bool>& own)
      : Launcher(engine, recorder, device, pool, own, true) {
    const TaskSet& set = engine.task_set();
    std::int64_t longest = 0;
    for (const auto& slot : all_) longest = std::max(longest, set.dags[slot->dag].nodes[slot->node].length);
    allocate(longest);
    bytes_.resize(set.dag_count);
    for (unsigned d = 0; d < set.dag_count; ++d) {
      bytes_[d].resize(set.dags[d].node_count);
      for (unsigned v = 0; v < set.dags[d].node_count; ++v) {
        if (!slots_[d][v].empty()) bytes_[d][v] = calibrate(*slots_[d][v].front(), set.dags[d], set.dags[d].nodes[v]);
      }
    }
    streams_.make(static_cast<unsigned>(all_.size()), device.stream_priority(0));
    for (unsigned s = 0; s < all_.size(); ++s) use_once(*all_[s], streams_[s]);
    start();
  }
  ~CopyExecutor() override { stop(); }

  /// A copy that cannot be made as short as its C: which, else empty.
  [[nodiscard]] const std::string& mismatch() const { return mismatch_; }
  [[nodiscard]] std::size_t bytes(unsigned dag, unsigned node) const { return bytes_[dag][node]; }

 private:
  /// Enough for the longest copy at up to 400 GB/s, as far as memory reaches.
  void allocate(std::int64_t longest) {
    constexpr std::size_t least = 1U << 20;
    capacity_ = std::max(least, std::min<std::size_t>(static_cast<std::size_t>(longest) * 400, std::size_t{1} << 30));
    while (cudaHostAlloc(&host_, capacity_, cudaHostAllocDefault) != cudaSuccess) {
      cudaGetLastError();
      capacity_ /= 2;
      if (capacity_ < least) {
        std::fprintf(stderr, "no pinned memory for copies: cudaHostAlloc of %zu bytes failed\n", capacity_);
        std::_Exit(2);
      }
    }
    CUDA_CALL(cudaMalloc(&device_memory_, capacity_));
  }

  /// Both ways through a stream, with a slot's events: what they get from the driver at their first use they have before jobs run.
  void use_once(const Slot& slot, cudaStream_t stream) {
    constexpr std::size_t bytes = 1U << 16;  // some drivers send fewer without a copy engine
    for (const bool d2h : {false, true}) {
      Node node{};
      node.d2h = d2h;
      copy(slot, node, bytes, stream);
      CUDA_CALL(cudaEventSynchronize(slot.ended));
    }
  }

  void copy(const Slot& slot, const Node& node, std::size_t bytes, cudaStream_t stream) {
    CUDA_CALL(cudaEventRecord(slot.started, stream));
    if (node.d2h) {
      CUDA_CALL(cudaMemcpyAsync(host_, device_memory_, bytes, cudaMemcpyDeviceToHost, stream));
    } else {
      CUDA_CALL(cudaMemcpyAsync(device_memory_, host_, bytes, cudaMemcpyHostToDevice, stream));
    }
    CUDA_CALL(cudaEventRecord(slot.ended, stream));
  }
  std::int64_t measured_length(const Slot& slot) {
    float ms = 0;
    CUDA_CALL(cudaEventElapsedTime(&ms, slot.started, slot.ended));
    return static_cast<std::int64_t>(static_cast<double>(ms) * 1e6);
  }
  /// The longest of ten copies.
  std::int64_t longest_of(const Slot& slot, const Node& node, std::size_t bytes) {
    std::int64_t longest = 0;
    for (int i = 0; i < 10; ++i) {
      copy(slot, node, bytes, device_.service_stream());
      CUDA_CALL(cudaStreamSynchronize(device_.service_stream()));
      if (i > 1) longest = std::max(longest, measured_length(slot));
    }
    return longest;
  }

  /// The largest size, by bisection, whose longest copy stays within C.
  std::size_t calibrate(const Slot& slot, const Dag& dag, const Node& node) {
    std::size_t fits = 4;
    if (longest_of(slot, node, fits) > node.length) {
      mismatch_ = std::string(dag.name) + "/" + node.name + ": even a copy of 4 bytes takes longer than its C";
      return fits;
    }
    std::size_t too_long = capacity_;
    if (longest_of(slot, node, too_long) <= node.length) {
      if (too_long < static_cast<std::size_t>(node.length)) mismatch_ = "pinned memory is too small for a copy as long as its C";
      return too_long;
    }
    while (too_long - fits > 4096 && too_long - fits > fits / 64) {
      const std::size_t middle = fits + (too_long - fits) / 2;
      (longest_of(slot, node, middle) <= node.length ? fits : too_long) = middle;
    }
    return fits;
  }

  // rta: job
  std::int64_t issue(Slot& slot, const Job&, const Node& node) override {
    slot.stream = streams_.take();
    const std::int64_t launched = now();
    copy(slot, node, bytes_[slot.dag][slot.node], streams_[slot.stream]);
    return launched;
  }

  // rta: job
  Span await(Slot& slot, const Job& job, const Node&, std::int64_t launched) override {
    CUDA_CALL(cudaEventSynchronize(slot.ended));
    const std::int64_t ended = now();
    streams_.give_back(slot.stream);
    if (engine_.measured(job.dag, job.number)) launches_.add(launched - job.ready, 1'000'000);
    // Events know the length, not the instant: the copy is taken to have ended when the host was told.
    return {std::max(ended - measured_length(slot), launched), ended};
  }

  void record(Slot& slot, const Job& job, const Node& node, const Span& span) override {
    const std::int64_t length = measured_length(slot);
    // Its events also cover its wait for the engine, so only a copy that is too short tells something.
    achieved_[job.dag][job.node].add(node.length, node.longest, std::min(length, node.length));
    if (engine_.level() == TraceLevel::block) {
      const Pool& pool = engine_.task_set().pools[pool_];
      slot.ring->push({job.number, job.ready, span.start, span.end, 0, job.node, 0, static_cast<std::uint16_t>(job.dag),
                       static_cast<std::uint16_t>(pool.count > 1 && node.d2h ? 1 : 0), RecordKind::copy});
    }
  }

  StreamSet streams_;
  void* host_ = nullptr;
  void* device_memory_ = nullptr;
  std::size_t capacity_ = 0;
  std::vector<std::vector<std::size_t>> bytes_;
  std::string mismatch_;
};

}  // namespace workload
