// One CUDA device as the pools see it: streams by priority, its clock, what it is.
#pragma once

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuda_call.cuh"
#include "gpu_clock.cuh"
#include "scheduling.hpp"

namespace common {

inline cudaStream_t new_stream(int priority) {
  cudaStream_t stream = nullptr;
  CUDA_CALL(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority));
  return stream;
}

/// Streams made at start-up, each with its events; the free one with the lowest number is taken, so that few hardware queues are in use.
class StreamSet {
 public:
  void make(unsigned count, int priority) { make(count, priority, new_stream); }
  /// `create`: makes one of that priority.
  template <class Create>
  void make(unsigned count, int priority, const Create& create) {
    for (unsigned s = 0; s < count; ++s) {
      streams_.push_back(create(priority));
      free_.push_back(true);
    }
  }
  /// Requires a free stream: there are as many as jobs that may be under way.
  unsigned take() {
    std::lock_guard<Lock> guard(lock_);
    const auto at = std::find(free_.begin(), free_.end(), true);
    *at = false;
    if (++taken_ > most_) most_ = taken_;
    return static_cast<unsigned>(at - free_.begin());
  }
  void give_back(unsigned number) {
    std::lock_guard<Lock> guard(lock_);
    free_[number] = true;
    --taken_;
  }
  [[nodiscard]] cudaStream_t operator[](unsigned number) const { return streams_[number]; }
  [[nodiscard]] unsigned most_at_once() const { return most_; }

 private:
  Lock lock_;
  std::vector<cudaStream_t> streams_;
  std::vector<bool> free_;
  unsigned taken_ = 0;
  unsigned most_ = 0;
};

/// A carve-out of shared memory that changes between kernels would drain the SM in between: always the largest.
template <class... Parameters>
void fix_carveout(void (*kernel)(Parameters...)) {
  CUDA_CALL(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
}

class GpuDevice {
 public:
  explicit GpuDevice(int index) : index_(index) {
    CUDA_CALL(cudaSetDevice(index));
    // A thread that waits for the GPU sleeps: it must not hold a processor.
    const cudaError_t flags = cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync | cudaDeviceMapHost);
    if (flags != cudaErrorSetOnActiveProcess) CUDA_CALL(flags);
    cudaGetLastError();  // an ignored error must not show at the next launch
    CUDA_CALL(cudaGetDeviceProperties(&properties_, index));
    CUDA_CALL(cudaDeviceGetStreamPriorityRange(&lowest_, &highest_));
    CUDA_CALL(cudaDeviceGetAttribute(&has_time_limit_, cudaDevAttrKernelExecTimeout, index));
    CUDA_CALL(cudaDeviceGetAttribute(&compute_mode_, cudaDevAttrComputeMode, index));
    CUDA_CALL(cudaStreamCreateWithFlags(&service_, cudaStreamNonBlocking));
    reader_ = std::make_unique<ClockReader>();
  }
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;

  /// Compares the clocks for the first time. The later `set_clock`, the better their rates are known.
  void compare_clocks() { first_ = read_clocks(); }
  /// Right before the jobs, a second after `compare_clocks` at least.
  void set_clock() {
    sleep_until(first_.host + 1'000'000'000);
    second_ = read_clocks();
    clock_ = GpuClock(first_, second_);
  }
  /// After the jobs: how far the conversion has come to be off. `between`: what is converted from now on lies on the line between the
  /// readings before and after the jobs.
  [[nodiscard]] std::int64_t end_clock(bool between) {
    const ClockPair last = read_clocks();
    const std::int64_t drift = clock_.drift(last);
    if (between) clock_ = GpuClock(second_, last);
    return drift;
  }

  /// Both clocks now.
  [[nodiscard]] ClockPair read_clocks() {
    select();
    return reader_->read(service_);
  }
  /// Of %globaltimer; known once the clocks were read.
  [[nodiscard]] std::int64_t timer_step() const { return reader_->step(); }

  void select() const { CUDA_CALL(cudaSetDevice(index_)); }
  [[nodiscard]] const cudaDeviceProp& properties() const { return properties_; }
  [[nodiscard]] const GpuClock& clock() const { return clock_; }
  [[nodiscard]] cudaStream_t service_stream() const { return service_; }
  /// What CUDA calls a stream priority of 0 (the lowest), 1 and so on; it takes one that it lacks for its nearest without a word.
  [[nodiscard]] int stream_priority(unsigned priority) const { return lowest_ - static_cast<int>(priority); }
  [[nodiscard]] unsigned priority_levels() const { return static_cast<unsigned>(lowest_ - highest_) + 1; }
  [[nodiscard]] bool has_time_limit() const { return has_time_limit_ != 0; }
  [[nodiscard]] bool shared_compute_mode() const { return compute_mode_ == cudaComputeModeDefault; }
  [[nodiscard]] int index() const { return index_; }

 private:
  int index_;
  cudaDeviceProp properties_{};
  int lowest_ = 0;
  int highest_ = 0;
  int has_time_limit_ = 0;
  int compute_mode_ = 0;
  std::unique_ptr<ClockReader> reader_;
  ClockPair first_;
  ClockPair second_;
  GpuClock clock_;
  cudaStream_t service_ = nullptr;
};

}  // namespace common
