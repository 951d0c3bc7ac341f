// The clock of frames and records: CLOCK_MONOTONIC, in ns, the same in all processes of a machine.
#ifndef RTS_CLOCK_H
#define RTS_CLOCK_H

#include <stdint.h>
#include <time.h>

/// Later than any instant.
#define RTS_NEVER INT64_MAX

static inline int64_t rts_read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
static inline int64_t rts_now(void) { return rts_read_clock(CLOCK_MONOTONIC); }
/// CPU time that the calling thread has consumed.
static inline int64_t rts_own_cpu_time(void) { return rts_read_clock(CLOCK_THREAD_CPUTIME_ID); }

static inline struct timespec rts_timespec(int64_t ns) {
  struct timespec t;
  t.tv_sec = (time_t)(ns / 1000000000);
  t.tv_nsec = (long)(ns % 1000000000);
  return t;
}

#endif
