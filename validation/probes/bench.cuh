// Kernels whose blocks hold their places for a time, and what was seen of them. Nothing waits for longer than 2 s, and no kernel for
// anything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "answer.hpp"
#include "common/cuda_memory.cuh"
#include "common/gpu_device.cuh"
#include "common/launch.cuh"
#include "common/spin.cuh"

namespace probes {

using common::BlockTimes;

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;

/// Each block holds its place for as long as its SM's entry says; ns.
static __global__ void hold_by_sm(const unsigned long long* length_of_sm, BlockTimes* times) {
  const std::uint64_t start = common::global_time();
  if (threadIdx.x == 0) {
    const unsigned long long length = length_of_sm[common::sm_number()];
    std::uint64_t end = common::global_time();
    while (end - start < length) end = common::global_time();
    common::write_times(times[blockIdx.x], start, end);
  }
  __syncthreads();
}

/// What blocks recorded; read when they have ended.
class Seen {
 public:
  Seen() = default;
  Seen(const BlockTimes* times, unsigned blocks) : times_(times), blocks_(blocks) {}
  [[nodiscard]] std::int64_t start(unsigned b) const { return static_cast<std::int64_t>(at(b).start); }
  [[nodiscard]] std::int64_t end(unsigned b) const { return static_cast<std::int64_t>(at(b).end); }
  [[nodiscard]] unsigned sm(unsigned b) const { return at(b).sm; }
  [[nodiscard]] unsigned blocks() const { return blocks_; }
  [[nodiscard]] std::int64_t first_start() const { return least(&Seen::start); }
  [[nodiscard]] std::int64_t last_start() const { return most(&Seen::start); }
  [[nodiscard]] std::int64_t first_end() const { return least(&Seen::end); }
  [[nodiscard]] std::int64_t last_end() const { return most(&Seen::end); }
  [[nodiscard]] std::set<unsigned> sms() const {
    std::set<unsigned> all;
    for (unsigned b = 0; b < blocks_; ++b) all.insert(sm(b));
    return all;
  }

 private:
  [[nodiscard]] const volatile BlockTimes& at(unsigned b) const { return times_[b]; }
  [[nodiscard]] std::int64_t least(std::int64_t (Seen::*of)(unsigned) const) const {
    std::int64_t value = (this->*of)(0);
    for (unsigned b = 1; b < blocks_; ++b) value = std::min(value, (this->*of)(b));
    return value;
  }
  [[nodiscard]] std::int64_t most(std::int64_t (Seen::*of)(unsigned) const) const {
    std::int64_t value = (this->*of)(0);
    for (unsigned b = 1; b < blocks_; ++b) value = std::max(value, (this->*of)(b));
    return value;
  }
  const BlockTimes* times_ = nullptr;
  unsigned blocks_ = 0;
};

class Bench {
 public:
  Bench()
      : device_(0),
        sms_(static_cast<unsigned>(device_.properties().multiProcessorCount)),
        whole_sm_(device_.properties().sharedMemPerBlockOptin),
        times_(common::on_host<BlockTimes>(most_records)) {
    CUDA_CALL(cudaFuncSetAttribute(common::spin<0>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(whole_sm_)));
    CUDA_CALL(cudaFuncSetAttribute(hold_by_sm, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(whole_sm_)));
    common::fix_carveout(common::spin<0>);
    common::fix_carveout(hold_by_sm);
    const cudaStream_t stream = device_.service_stream();
    hold(stream, sms_, 20 * us);  // what is loaded late is loaded now
    finish({stream});
    forget();
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  [[nodiscard]] const common::GpuDevice& device() const { return device_; }
  [[nodiscard]] unsigned sms() const { return sms_; }
  /// The shared memory of a block that has an SM alone.
  [[nodiscard]] std::size_t whole_sm() const { return whole_sm_; }
  [[nodiscard]] int attribute(cudaDeviceAttr which) const {
    int value = 0;
    CUDA_CALL(cudaDeviceGetAttribute(&value, which, device_.index()));
    return value;
  }

  /// Blocks that have an SM each for `length`.
  Seen hold(cudaStream_t stream, unsigned blocks, std::int64_t length) {
    BlockTimes* const times = records(blocks);
    common::launch(common::spin<0>, blocks, threads, whole_sm_, stream, static_cast<unsigned long long>(length), times, nullptr);
    return {times, blocks};
  }
  /// A block for each SM, for as long as its entry of `length_of_sm` says, which is in pinned memory.
  Seen hold_sms(cudaStream_t stream, const unsigned long long* length_of_sm) {
    BlockTimes* const times = records(sms_);
    common::launch(hold_by_sm, sms_, threads, whole_sm_, stream, length_of_sm, times);
    return {times, sms_};
  }
  /// Room for what blocks record, until `forget`.
  BlockTimes* records(unsigned blocks) {
    if (used_ + blocks > most_records) common::gpu_failed("a probe records too many blocks");
    BlockTimes* const times = times_ + used_;
    used_ += blocks;
    return times;
  }
  void forget() { used_ = 0; }

  /// Whether work is still under way there.
  static bool busy(cudaStream_t stream) {
    const cudaError_t status = cudaStreamQuery(stream);
    if (status != cudaErrorNotReady) CUDA_CALL(status);
    return status == cudaErrorNotReady;
  }
  /// Whether what was launched there at `since` for 2 ms has some time left: a host that was late has set up no scene.
  static bool in_time(cudaStream_t stream, std::int64_t since) { return busy(stream) && common::now() - since < 1'500 * us; }
  /// Until all has ended; ends the probe after 2 s.
  static void finish(const std::vector<cudaStream_t>& streams) {
    const std::int64_t until = common::now() + 2'000 * ms;
    for (const cudaStream_t stream : streams) {
      while (busy(stream)) {
        if (common::now() > until) common::gpu_failed("kernels did not end within 2 s");
      }
    }
  }
  static void pause(std::int64_t ns) {
    for (const std::int64_t until = common::now() + ns; common::now() < until;) continue;
  }

  static constexpr unsigned threads = 128;

 private:
  static constexpr unsigned most_records = 1U << 15U;
  common::GpuDevice device_;
  unsigned sms_;
  std::size_t whole_sm_;
  BlockTimes* times_;
  unsigned used_ = 0;
};

inline std::int64_t median(std::vector<std::int64_t> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace probes
