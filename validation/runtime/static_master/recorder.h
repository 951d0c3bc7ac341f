// Brings records from the threads that play frames to the trace, without a lock and without ever making them wait: what does not fit is
// counted as lost.
#ifndef RTM_RECORDER_H
#define RTM_RECORDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "static/error.h"
#include "trace_file.h"

/// A frame of an epoch, or a job in one.
struct rtm_entry {
  uint32_t epoch;  // RTS_NONE: the record of a job
  struct rtm_job_record record;
};

/// One thread puts, one takes.
struct rtm_ring {
  struct rtm_entry* entries;
  size_t room;  // a power of two
  size_t put;
  size_t taken;
  uint64_t lost;
};

struct rtm_recorder {
  struct rtm_trace_file* trace;
  struct rtm_ring* rings;  // one per hyperepoch
  uint32_t count;
  pthread_t thread;
  bool started;
  uint32_t end;  // not 0: take what is left and end
};

/// Rings have room for two seconds of frames.
bool rtm_recorder_start(struct rtm_recorder* recorder, struct rtm_trace_file* trace, const struct rts_plan* plan, struct rts_error* error);
void rtm_put(struct rtm_ring* ring, const struct rtm_entry* entry);
/// Takes all that is left. How many records were lost.
uint64_t rtm_recorder_end(struct rtm_recorder* recorder);

#endif
