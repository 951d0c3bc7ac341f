// Clocks of the host, in ns: CLOCK_MONOTONIC for all records, the thread's own CPU time for C.
#pragma once

#include <cerrno>
#include <cstdint>
#include <ctime>

namespace common {

inline std::int64_t to_ns(const timespec& t) { return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec; }
inline timespec to_timespec(std::int64_t ns) {
  timespec t{};
  t.tv_sec = static_cast<time_t>(ns / 1'000'000'000);
  t.tv_nsec = static_cast<long>(ns % 1'000'000'000);
  return t;
}

inline std::int64_t read_clock(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return to_ns(t);
}
inline std::int64_t now() { return read_clock(CLOCK_MONOTONIC); }
/// CPU time that the calling thread has consumed.
inline std::int64_t own_cpu_time() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

/// Sleeps until an instant of the monotonic clock; signals do not end the sleep.
inline void sleep_until(std::int64_t instant) {
  const timespec t = to_timespec(instant);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

}  // namespace common
