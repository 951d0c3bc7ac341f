// The kernels of an examination beside the spin kernel: spin kernels by registers, a watcher of copies, and the clock of an SM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/cuda_call.cuh"
#include "common/gpu_clock.cuh"
#include "common/spin.cuh"

namespace examine {

using common::BlockTimes;
using common::global_time;
using common::SpinFunction;

template <std::size_t... Step>
std::vector<SpinFunction> spin_kernels(std::index_sequence<Step...>) {
  // The compiler leaps over some amounts between two multiples of 8: nvcc 13 over 112, 144 and 184 for compute capabilities 10 and 12.
  return {common::spin<static_cast<int>(8 * Step)>..., common::spin<98>, common::spin<130>, common::spin<170>};
}

/// Of all amounts that the hardware hands out from 24 registers on: up to 240 live values.
inline const std::vector<SpinFunction>& spin_kernels() {
  static const std::vector<SpinFunction> kernels = spin_kernels(std::make_index_sequence<31>());
  return kernels;
}

/// Cycles of the SM in at least `length` ns: out[0] cycles, out[1] ns.
static __global__ void count_cycles(unsigned long long length, unsigned long long* out) {
  // From one step of the timer to another: a step may be as long as 1 us.
  const std::uint64_t before = global_time();
  std::uint64_t start = global_time();
  while (start == before) start = global_time();
  const long long first = clock64();
  std::uint64_t end = global_time();
  while (end - start < length) end = global_time();
  out[0] = static_cast<unsigned long long>(clock64() - first);
  out[1] = end - start;
}

/// A copy to the device, as a resident thread sees it arrive.
struct Arrival {
  const volatile unsigned* first;  // its first word and its last
  const volatile unsigned* last;
};
struct ArrivalTimes {
  unsigned long long start;
  unsigned long long end;
};

/// Notes when the first and last words of up to 64 copies become `tag`. Ends when all have, at `*stop`, or after `limit` ns.
static __global__ void watch_arrivals(const Arrival* arrivals, unsigned count, unsigned tag, volatile ArrivalTimes* times,
                                      volatile unsigned* watching, const volatile unsigned* stop, unsigned long long limit) {
  const std::uint64_t since = global_time();
  unsigned long long started = 0;
  unsigned long long ended = 0;
  unsigned left = count;
  *watching = 1;
  for (unsigned round = 0; left > 0; ++round) {
    for (unsigned a = 0; a < count; ++a) {
      const unsigned long long bit = 1ULL << a;
      if ((started & bit) == 0 && *arrivals[a].first == tag) {
        started |= bit;
        times[a].start = global_time();
      }
      if ((started & bit) != 0 && (ended & bit) == 0 && *arrivals[a].last == tag) {
        ended |= bit;
        times[a].end = global_time();
        --left;
      }
    }
    // Asking the host costs a microsecond.
    if (round % 64 == 0 && (*stop != 0 || global_time() - since > limit)) return;
  }
}

}  // namespace examine
