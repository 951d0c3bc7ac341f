// Work of a CPU node: a loop that ends when the thread has consumed C of its own CPU time, however often it was preempted.
#pragma once

#include <cstdint>

#include "common/clock.hpp"

namespace workload {

using namespace common;

/// Integer arithmetic that no compiler removes; `steps` sets its length.
inline std::uint64_t churn(std::uint64_t value, std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i) {
    value ^= value << 13;
    value ^= value >> 7;
    value ^= value << 17;
    asm volatile("" : "+r"(value));
  }
  return value;
}

/// How fast this machine churns and reads its CPU clock; measured once at start-up.
struct CpuSpeed {
  double steps_per_ns = 0.1;
  std::int64_t clock_read = 500;  // ns that one reading of the CPU clock takes
};

inline CpuSpeed measure_cpu_speed() {
  CpuSpeed speed;
  constexpr int readings = 2000;
  const std::int64_t before = own_cpu_time();
  for (int i = 0; i < readings; ++i) own_cpu_time();
  speed.clock_read = (own_cpu_time() - before) / readings + 1;
  constexpr std::int64_t steps = 2'000'000;
  std::uint64_t value = 88172645463325252ULL;
  std::int64_t best = INT64_MAX;
  for (int round = 0; round < 3; ++round) {
    const std::int64_t start = own_cpu_time();
    value = churn(value, steps);
    const std::int64_t took = own_cpu_time() - start;
    if (took < best) best = took;
  }
  speed.steps_per_ns = static_cast<double>(steps) / static_cast<double>(best > 0 ? best : 1);
  return speed;
}

/// Consumes CPU time of the calling thread until `own_cpu_time()` reaches `end`, less what one more reading would cost. Returns what it
/// then is. The clock is read every 20 us at most, more often towards the end, so that C is not exceeded.
inline std::int64_t consume_until(std::int64_t end, const CpuSpeed& speed) {
  std::uint64_t value = 88172645463325252ULL;
  for (;;) {
    const std::int64_t at = own_cpu_time();
    const std::int64_t left = end - at - speed.clock_read;
    if (left <= 0) return at;
    // Three quarters of what is left: a core that has just slowed down does not overshoot.
    const std::int64_t piece = left > 26'000 ? 20'000 : left - left / 4;
    value = churn(value, 1 + static_cast<std::int64_t>(static_cast<double>(piece) * speed.steps_per_ns));
  }
}

}  // namespace workload
