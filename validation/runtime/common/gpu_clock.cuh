// The GPU's %globaltimer on the host's monotonic clock, with the largest error that the conversion can have.
#pragma once

#include <cstdint>

#include "clock.hpp"
#include "cuda_call.cuh"

namespace common {

__device__ inline std::uint64_t global_time() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}
__device__ inline unsigned sm_number() {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

/// Answers each of the host's questions with the time: asked[0] counts questions, asked[1] answers. Gives up after 2 s without one.
static __global__ void answer_with_time(volatile unsigned* asked, volatile unsigned long long* times, unsigned questions) {
  for (unsigned q = 1; q <= questions; ++q) {
    const std::uint64_t waiting_since = global_time();
    while (asked[0] < q) {
      if (global_time() - waiting_since > 2'000'000'000ULL) return;
    }
    times[q - 1] = global_time();
    __threadfence_system();
    asked[1] = q;
  }
}

/// The least step by which the timer is seen to advance.
static __global__ void find_timer_step(unsigned long long* step) {
  unsigned long long least = ~0ULL;
  std::uint64_t before = global_time();
  for (int changes = 0; changes < 64;) {
    const std::uint64_t at = global_time();
    if (at == before) continue;
    if (at - before < least) least = at - before;
    before = at;
    ++changes;
  }
  *step = least;
}

/// Both clocks at one instant.
struct ClockPair {
  std::int64_t host = 0;
  std::int64_t gpu = 0;
  std::int64_t error = 0;  // the two readings are apart by at most this
};

/// Reads both clocks together. Runs a one-thread kernel on `stream`, so only before and after the jobs.
inline ClockPair read_both_clocks(cudaStream_t stream) {
  constexpr unsigned questions = 200;
  unsigned* asked = nullptr;
  unsigned long long* times = nullptr;
  CUDA_CALL(cudaHostAlloc(reinterpret_cast<void**>(&asked), 2 * sizeof(unsigned), cudaHostAllocMapped));
  CUDA_CALL(cudaHostAlloc(reinterpret_cast<void**>(&times), questions * sizeof(unsigned long long), cudaHostAllocMapped));
  volatile unsigned* question = asked;
  question[0] = 0;
  question[1] = 0;
  find_timer_step<<<1, 1, 0, stream>>>(times);
  CUDA_CALL(cudaStreamSynchronize(stream));
  const auto step = static_cast<std::int64_t>(*static_cast<volatile unsigned long long*>(times));
  answer_with_time<<<1, 1, 0, stream>>>(asked, times, questions);
  CUDA_CALL(cudaGetLastError());
  ClockPair best;
  best.error = INT64_MAX;
  for (unsigned q = 1; q <= questions; ++q) {
    const std::int64_t before = now();
    question[0] = q;
    while (question[1] < q) {
      if (now() - before > 1'000'000'000) {
        std::fprintf(stderr, "the GPU did not answer within 1 s while clocks were compared\n");
        std::_Exit(2);
      }
    }
    const std::int64_t after = now();
    const std::int64_t error = (after - before + 1) / 2 + step;
    if (error < best.error) {
      best.host = before + (after - before) / 2;
      best.gpu = static_cast<std::int64_t>(static_cast<volatile unsigned long long*>(times)[q - 1]);
      best.error = error;
    }
  }
  CUDA_CALL(cudaStreamSynchronize(stream));
  CUDA_CALL(cudaFreeHost(asked));
  CUDA_CALL(cudaFreeHost(times));
  return best;
}

/// A straight line through two clock pairs.
class GpuClock {
 public:
  GpuClock() = default;
  GpuClock(const ClockPair& first, const ClockPair& second)
      : origin_(second), rate_(static_cast<double>(second.host - first.host) / static_cast<double>(second.gpu - first.gpu)) {}

  [[nodiscard]] std::int64_t to_host(std::int64_t gpu) const {
    const std::int64_t passed = gpu - origin_.gpu;
    // The difference of the rates is small, so the product with it keeps its ns in a double.
    return origin_.host + passed + static_cast<std::int64_t>(static_cast<double>(passed) * (rate_ - 1.0));
  }
  [[nodiscard]] std::int64_t error() const { return origin_.error; }
  /// Host ns per GPU ns.
  [[nodiscard]] double rate() const { return rate_; }
  /// How far the line is off at a later pair.
  [[nodiscard]] std::int64_t drift(const ClockPair& later) const {
    const std::int64_t difference = to_host(later.gpu) - later.host;
    return difference < 0 ? -difference : difference;
  }

 private:
  ClockPair origin_;
  double rate_ = 1.0;
};

}  // namespace common
