// Company that is no block: copies by an engine, and processors at work on memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "common/cuda_memory.cuh"
#include "common/gpu_device.cuh"

namespace interference {

using namespace common;

/// Copies in one direction, one after another, for as long as it lives; some are always under way.
class Copies {
 public:
  Copies(cudaMemcpyKind kind, std::size_t bytes)
      : bytes_(bytes), from_host_(kind == cudaMemcpyHostToDevice), to_host_(kind == cudaMemcpyDeviceToHost) {
    from_ = from_host_ ? on_host<char>(bytes) : on_device<char>(bytes);
    to_ = to_host_ ? on_host<char>(bytes) : on_device<char>(bytes);
    CUDA_CALL(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (cudaEvent_t& event : events_) CUDA_CALL(cudaEventCreateWithFlags(&event, cudaEventBlockingSync | cudaEventDisableTiming));
    since_ = now();
    thread_ = std::thread([this, kind] { copy(kind); });
    while (done_.load() == 0) sleep_until(now() + 100'000);
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() {
    stop_.store(true);
    thread_.join();
    for (const cudaEvent_t event : events_) CUDA_CALL(cudaEventDestroy(event));
    CUDA_CALL(cudaStreamDestroy(stream_));
    CUDA_CALL(from_host_ ? cudaFreeHost(from_) : cudaFree(from_));
    CUDA_CALL(to_host_ ? cudaFreeHost(to_) : cudaFree(to_));
  }
  /// Bytes per ns, which are GB per s.
  [[nodiscard]] double rate() const {
    return static_cast<double>(done_.load()) * static_cast<double>(bytes_) / static_cast<double>(now() - since_);
  }

 private:
  static constexpr unsigned depth = 3;

  void copy(cudaMemcpyKind kind) {
    for (unsigned n = 0; !stop_.load(); ++n) {
      const cudaEvent_t ended = events_[n % depth];
      if (n >= depth) {
        CUDA_CALL(cudaEventSynchronize(ended));
        done_.fetch_add(1);
      }
      CUDA_CALL(cudaMemcpyAsync(to_, from_, bytes_, kind, stream_));
      CUDA_CALL(cudaEventRecord(ended, stream_));
    }
    CUDA_CALL(cudaStreamSynchronize(stream_));
  }

  std::size_t bytes_;
  bool from_host_, to_host_;
  char* from_ = nullptr;
  char* to_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t events_[depth] = {};
  std::atomic<unsigned> done_{0};
  std::atomic<bool> stop_{false};
  std::int64_t since_ = 0;
  std::thread thread_;
};

/// What processors do to memory.
enum class Traffic { read_and_write, read, write };
constexpr Traffic every_traffic[] = {Traffic::read_and_write, Traffic::read, Traffic::write};
inline const char* name_of(Traffic traffic) {
  return traffic == Traffic::read_and_write ? "read and write" : traffic == Traffic::read ? "read" : "write";
}

/// Threads at work on memory of their own, more than caches hold, for as long as it lives.
class BusyProcessors {
 public:
  BusyProcessors(unsigned count, std::size_t bytes, Traffic traffic) {
    for (unsigned t = 0; t < count; ++t) {
      threads_.emplace_back([this, bytes, traffic] {
        std::vector<unsigned> memory(bytes / sizeof(unsigned), 1U);
        while (!stop_.load()) {
          pass(memory, traffic);
          passes_.fetch_add(1);
        }
      });
    }
    while (passes_.load() < count) sleep_until(now() + 100'000);
  }
  BusyProcessors(const BusyProcessors&) = delete;
  BusyProcessors& operator=(const BusyProcessors&) = delete;
  ~BusyProcessors() {
    stop_.store(true);
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  static void pass(std::vector<unsigned>& memory, Traffic traffic) {
    constexpr std::size_t line = 16;  // words
    unsigned sum = 0;
    for (std::size_t w = 0; w < memory.size(); w += line) {
      volatile unsigned& word = memory[w];
      if (traffic != Traffic::write) sum += word;
      if (traffic != Traffic::read) word = sum;
    }
  }

  std::atomic<bool> stop_{false};
  std::atomic<unsigned> passes_{0};
  std::vector<std::thread> threads_;
};

}  // namespace interference
