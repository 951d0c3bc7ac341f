// Calls of a probe, each made by a thread of its own, as they may wait for the device and hold up others.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "device.cuh"
#include "gpu.hpp"

namespace examine {

/// A call under examination. `prepare` and `clean_up` run while the GPU is idle.
struct PreparedCall {
  std::function<void()> prepare = [] {};
  std::function<void()> call = [] {};
  std::function<void()> clean_up = [] {};
};

class CallingThreads {
 public:
  CallingThreads(const common::GpuDevice& device, const Probe& probe, const std::vector<bool>& own,
                 const std::vector<cudaStream_t>& streams)
      : device_(&device), threads_(probe.operation_count) {
    for (unsigned o = 0; o < probe.operation_count; ++o) {
      const Operation& operation = probe.operations[o];
      if (!own[o] || operation.kind != OperationKind::call) continue;
      threads_[o] = std::make_unique<Thread>();
      Thread& thread = *threads_[o];
      thread.made = prepared(operation, streams[operation.stream], thread);
      thread.runs = std::thread([this, &thread] { play(thread); });
    }
  }
  CallingThreads(const CallingThreads&) = delete;
  CallingThreads& operator=(const CallingThreads&) = delete;
  ~CallingThreads() {
    end_.store(true);
    for (const auto& thread : threads_) {
      if (thread) thread->runs.join();
    }
  }

  /// Before each run, while the GPU is idle.
  void arm() {
    for (const auto& thread : threads_) {
      if (!thread) continue;
      if (thread->returned.load() != 0) thread->made.clean_up();
      thread->made.prepare();
      thread->begun = 0;
      thread->returned.store(0);
    }
    CUDA_CALL(cudaDeviceSynchronize());
  }
  void make(unsigned o) { threads_[o]->wanted.store(true); }
  [[nodiscard]] bool returned(unsigned o) const { return threads_[o]->returned.load() != 0; }
  /// After it has returned.
  [[nodiscard]] Span span(unsigned o) const { return {threads_[o]->begun, threads_[o]->returned.load()}; }

 private:
  static constexpr std::size_t bytes = 64 * 1024;

  struct Thread {
    PreparedCall made;
    void* memory = nullptr;
    cudaStream_t stream = nullptr;  // of its own
    cudaEvent_t event = nullptr;
    std::atomic<bool> wanted{false};
    std::int64_t begun = 0;
    std::atomic<std::int64_t> returned{0};
    std::thread runs;
  };

  void play(Thread& thread) const {
    device_->select();
    while (!end_.load()) {
      if (!thread.wanted.exchange(false)) {
        std::this_thread::yield();
        continue;
      }
      thread.begun = common::now();
      thread.made.call();
      thread.returned.store(std::max(common::now(), thread.begun + 1));
    }
  }

  static PreparedCall prepared(const Operation& operation, cudaStream_t stream, Thread& thread) {
    const std::string name = operation.call;
    void** const memory = &thread.memory;
    const auto take = [memory] { CUDA_CALL(cudaMalloc(memory, bytes)); };
    const auto give_back = [memory] { CUDA_CALL(cudaFree(*memory)); };
    const auto take_of_host = [memory] { CUDA_CALL(cudaMallocHost(memory, bytes)); };
    const auto give_back_to_host = [memory] { CUDA_CALL(cudaFreeHost(*memory)); };
    if (name == "cudaDeviceSynchronize" || name == "cuCtxSynchronize") return {[] {}, [] { CUDA_CALL(cudaDeviceSynchronize()); }};
    if (name == "cudaStreamSynchronize" || name == "cuStreamSynchronize")
      return {[] {}, [stream] { CUDA_CALL(cudaStreamSynchronize(stream)); }};
    if (name == "cudaEventSynchronize") {
      cudaEvent_t* const event = &thread.event;
      CUDA_CALL(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
      return {[] {},
              [event, stream] {
                CUDA_CALL(cudaEventRecord(*event, stream));
                CUDA_CALL(cudaEventSynchronize(*event));
              }};
    }
    if (name == "cudaFree") return {take, give_back};
    if (name == "cudaFreeHost") return {take_of_host, give_back_to_host};
    if (name == "cudaMalloc") return {[] {}, take, give_back};
    if (name == "cudaMallocHost") return {[] {}, take_of_host, give_back_to_host};
    if (name == "cudaMemset") return {take, [memory] { CUDA_CALL(cudaMemset(*memory, 0, bytes)); }, give_back};
    cudaStream_t* const made = &thread.stream;
    if (name == "cudaMallocAsync" || name == "cudaFreeAsync" || name == "cudaMemsetAsync") {
      CUDA_CALL(cudaStreamCreateWithFlags(made, cudaStreamNonBlocking));
      const auto to_pool = [memory, made] { CUDA_CALL(cudaFreeAsync(*memory, *made)); };
      const auto from_pool = [memory, made] { CUDA_CALL(cudaMallocAsync(memory, bytes, *made)); };
      if (name == "cudaMallocAsync") return {[] {}, from_pool, to_pool};
      if (name == "cudaFreeAsync") return {from_pool, to_pool};
      return {take, [memory, made] { CUDA_CALL(cudaMemsetAsync(*memory, 0, bytes, *made)); }, give_back};
    }
    // rta: allow blocking-stream only what its making does is looked at
    const auto create = [made] { CUDA_CALL(cudaStreamCreate(made)); };
    const auto destroy = [made] { CUDA_CALL(cudaStreamDestroy(*made)); };
    if (name == "cudaStreamCreate") return {[] {}, create, destroy};
    if (name == "cudaStreamDestroy") return {create, destroy};
    fail("the call '" + name + "' is not known");
  }

  const common::GpuDevice* device_;
  std::vector<std::unique_ptr<Thread>> threads_;  // of operations that are calls
  std::atomic<bool> end_{false};
};

}  // namespace examine
