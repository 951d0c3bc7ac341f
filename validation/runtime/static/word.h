// Words that processes share, and the kernel's futex on them: the only way in which shared memory is read or written while frames are
// played. The exhaustive test of the fences replaces this file.
#ifndef RTS_WORD_H
#define RTS_WORD_H

#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"

/// What was written before the word is seen by whoever loads its new value.
static inline uint32_t rts_load(const uint32_t* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void rts_store(uint32_t* word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

/// Values that a word announces; read and written whole.
static inline int64_t rts_load_value(const int64_t* value) { return __atomic_load_n(value, __ATOMIC_RELAXED); }
static inline void rts_store_value(int64_t* value, int64_t is) { __atomic_store_n(value, is, __ATOMIC_RELAXED); }

/// Sleeps while the word has that value, at most until an instant of the monotonic clock; may return at any time.
static inline void rts_futex_wait(const uint32_t* word, uint32_t value, int64_t until) {
  const struct timespec t = rts_timespec(until < 0 ? 0 : until);
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, &t, NULL, FUTEX_BITSET_MATCH_ANY);
}
/// Wakes all that sleep on the word, in every process.
static inline void rts_futex_wake(const uint32_t* word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }

/// Tells the processor that the thread is waiting.
static inline void rts_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif
