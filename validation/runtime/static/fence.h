// A fence: a word in shared memory that counts the frames of which something has been done. One thread writes it, any number wait. The
// writer always wakes those that sleep on it, so that no waiter has to announce itself: memory of a process is written by that process
// alone, and no process can make another miss a signal.
#ifndef RTS_FENCE_H
#define RTS_FENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "static/word.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Numbers of frames wrap around; two that are compared are less than 2^31 apart.
static inline bool rts_reached(uint32_t value, uint32_t wanted) { return (int32_t)(value - wanted) >= 0; }

/// How long to wait, and what ends a wait early.
struct rts_patience {
  int64_t spin;          // ns in which to look again and again before sleeping
  int64_t deadline;      // instant, or RTS_NEVER
  const uint32_t* stop;  // not 0: everything ends. In shared memory
  const uint32_t* lost;  // the same, in this process
};

enum rts_outcome { RTS_REACHED, RTS_STOPPED, RTS_LATE };

/// The longest sleep without a look at `stop` and `lost`, ns.
#define RTS_SLICE 100000000

/// Everything that this thread has written is seen by those that the fence lets pass.
void rts_signal(uint32_t* fence, uint32_t value);
/// Until the fence has reached the value.
enum rts_outcome rts_await(const uint32_t* fence, uint32_t wanted, const struct rts_patience* patience);
/// Until the instant (RTS_REACHED) or the end of everything; deadlines do not count.
enum rts_outcome rts_sleep_until(int64_t instant, const struct rts_patience* patience);

#ifdef __cplusplus
}
#endif

#endif
