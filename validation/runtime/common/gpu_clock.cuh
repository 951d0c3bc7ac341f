// The GPU's %globaltimer read together with the host's monotonic clock, with the largest error that the reading can have.
#pragma once

#include <cstdint>

#include "clock.hpp"
#include "clock_line.hpp"
#include "common/launch.cuh"
#include "common/special_registers.cuh"
#include "cuda_call.cuh"
#include "cuda_memory.cuh"

namespace common {

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

/// The least step of %globaltimer. `at`: pinned memory. Runs a one-thread kernel on `stream`.
inline std::int64_t timer_step(unsigned long long* at, cudaStream_t stream) {
  launch(find_timer_step, 1, 1, 0, stream, at);
  CUDA_CALL(cudaStreamSynchronize(stream));
  return static_cast<std::int64_t>(*static_cast<volatile unsigned long long*>(at));
}

/// Reads both clocks together; keeps the memory for it.
class ClockReader {
 public:
  ClockReader() : asked_(on_host<unsigned>(2)), times_(on_host<unsigned long long>(questions)) {}
  ClockReader(const ClockReader&) = delete;
  ClockReader& operator=(const ClockReader&) = delete;
  ~ClockReader() {
    cudaFreeHost(asked_);
    cudaFreeHost(times_);
  }

  /// Runs one-thread kernels on `stream`, so only before and after what is measured. Tries again where the host was too busy for a good
  /// reading.
  ClockPair read(cudaStream_t stream) {
    constexpr std::int64_t good = 10'000;
    step_ = timer_step(times_, stream);
    ClockPair best = read_once(stream);
    for (int i = 0; i < 4 && best.error > good + step_; ++i) {
      const ClockPair again = read_once(stream);
      if (again.error < best.error) best = again;
    }
    return best;
  }
  /// Of the timer, as last seen.
  [[nodiscard]] std::int64_t step() const { return step_; }

 private:
  ClockPair read_once(cudaStream_t stream) {
    volatile unsigned* question = asked_;
    question[0] = 0;
    question[1] = 0;
    launch(answer_with_time, 1, 1, 0, stream, asked_, times_, questions);
    ClockPair best;
    best.error = INT64_MAX;
    for (unsigned q = 1; q <= questions; ++q) {
      const std::int64_t before = now();
      question[0] = q;
      while (question[1] < q) {
        if (now() - before > 30'000'000'000) gpu_failed("the GPU did not answer within 30 s while clocks were compared");
      }
      const std::int64_t after = now();
      // The answer was read between the two, and shows a step of the timer that may have been nearly over.
      const std::int64_t error = (after - before + 1) / 2 + step_;
      if (error < best.error) {
        best.host = before + (after - before) / 2;
        best.gpu = static_cast<std::int64_t>(static_cast<volatile unsigned long long*>(times_)[q - 1]);
        best.error = error;
      }
    }
    CUDA_CALL(cudaStreamSynchronize(stream));
    return best;
  }

  static constexpr unsigned questions = 200;
  unsigned* asked_;
  unsigned long long* times_;
  std::int64_t step_ = 0;
};

}  // namespace common
