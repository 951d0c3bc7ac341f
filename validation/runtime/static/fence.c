#include "fence.h"

static bool has_ended(const struct rts_patience* patience) { return rts_load(patience->stop) != 0 || rts_load(patience->lost) != 0; }

void rts_signal(uint32_t* fence, uint32_t value) {
  rts_store(fence, value);
  rts_futex_wake(fence);
}

enum rts_outcome rts_await(const uint32_t* fence, uint32_t wanted, const struct rts_patience* patience) {
  if (rts_reached(rts_load(fence), wanted)) return RTS_REACHED;
  if (patience->spin > 0) {
    const int64_t until = rts_now() + patience->spin;
    do {
      for (int i = 0; i < 16; ++i) {
        if (rts_reached(rts_load(fence), wanted)) return RTS_REACHED;
        rts_relax();
      }
    } while (rts_now() < until);
  }
  for (;;) {
    // The kernel compares the word with this value before it lets the thread sleep: a signal in between is not missed.
    const uint32_t value = rts_load(fence);
    if (rts_reached(value, wanted)) return RTS_REACHED;
    if (has_ended(patience)) return RTS_STOPPED;
    const int64_t now = rts_now();
    if (now >= patience->deadline) return RTS_LATE;
    const int64_t slice = now + RTS_SLICE;
    rts_futex_wait(fence, value, slice < patience->deadline ? slice : patience->deadline);
  }
}

enum rts_outcome rts_sleep_until(int64_t instant, const struct rts_patience* patience) {
  for (;;) {
    if (has_ended(patience)) return RTS_STOPPED;
    const int64_t now = rts_now();
    if (now >= instant) return RTS_REACHED;
    // Sleeps on the word that ends everything, so that its change is noticed at once.
    const int64_t slice = now + RTS_SLICE;
    rts_futex_wait(patience->stop, 0, slice < instant ? slice : instant);
  }
}
