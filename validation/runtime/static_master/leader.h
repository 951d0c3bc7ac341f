// The thread that begins the frames of a hyperepoch, by absolute time, and looks at what each left.
#ifndef RTM_LEADER_H
#define RTM_LEADER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "options.h"
#include "recorder.h"
#include "static/error.h"
#include "static/plan.h"
#include "static/region.h"

/// What all leaders share. Words belong to the master's main thread.
struct rtm_stage {
  const struct rts_plan* plan;
  struct rts_page* page;
  const struct rts_slot* const* slots;  // by job
  const unsigned char* awaited;         // by job, see static/awaited.h
  const struct rtm_options* options;
  const pid_t* processes;  // by client
  int64_t origin;          // start of every hyperepoch's first frame
  uint32_t orderly_end;    // not 0: begin no further frame
  int notice;              // eventfd: a leader has ended
};

enum rtm_leader_end {
  RTM_LEADER_PLAYS,
  RTM_LEADER_OVER,     // all frames that were asked for
  RTM_LEADER_STOPPED,  // the run ended early
  RTM_LEADER_HANGS,    // a frame did not end in time; `text` says where
  RTM_LEADER_GARBAGE   // memory of a client holds what cannot be; `text` says whose
};

struct rtm_leader {
  struct rtm_stage* stage;
  uint32_t hyperepoch;
  struct rtm_ring* ring;
  pthread_t thread;
  bool started;
  int refused_level;
  uint32_t end;  // an rtm_leader_end; fence-like: what follows is seen
  struct rts_error text;

  // Of the frame that has ended last: records of its jobs as they were checked, ends of its epochs' frames. In the order of the plan.
  struct rts_record* records;
  int64_t* epoch_ends;

  // What the frames were.
  uint64_t frames;
  uint64_t skipped;      // periods in which none began
  uint64_t late;         // frames that took longer than proven
  uint64_t overruns;     // jobs that took longer than their WCET
  uint64_t early;        // jobs that started before what they wait for had ended
  int64_t longest;       // of the frames
  uint64_t next_period;  // in which the next frame begins
};

/// The start of its thread.
void* rtm_lead(void* leader);

#endif
