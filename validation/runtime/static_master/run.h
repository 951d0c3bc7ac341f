// One run of a schedule, from the plan's file to the last line of the trace.
#ifndef RTM_RUN_H
#define RTM_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "findings.h"
#include "guests.h"
#include "leader.h"
#include "options.h"
#include "recorder.h"
#include "static/error.h"
#include "static/place.h"
#include "static/plan.h"
#include "static/region.h"
#include "trace_file.h"

enum rtm_state {
  RTM_GATHERING,  // clients come
  RTM_PLAYING,    // frames are played
  RTM_ENDING,     // clients leave
  RTM_ENDED
};

struct rtm_run {
  struct rtm_options options;
  struct rtm_findings findings;
  void* plan_bytes;
  struct rts_plan plan;
  int plan_memory;
  struct rts_page* page;
  int page_memory;
  struct rts_place place;
  int listening;
  int signals;  // signalfd
  int notice;   // eventfd: a leader has ended

  struct rtm_guests guests;
  const struct rts_slot** slots;
  unsigned char* awaited;
  struct rtm_stage stage;
  struct rtm_leader* leaders;
  struct rtm_trace_file trace;
  struct rtm_recorder recorder;

  enum rtm_state state;
  bool began;      // frames were played
  bool early;      // the run ended before it was asked to
  int64_t until;   // the state's end at the latest
  unsigned asked;  // how many signals have asked for the end
  bool trace_failure_told;
};

/// Everything before the first client: plan, place, memory, signals, trace; clients are started. False: `error` says why not.
bool rtm_run_prepare(struct rtm_run* run, struct rts_error* error);
/// Until the run has ended.
void rtm_run_play(struct rtm_run* run);
/// Frees everything that others could see, writes the end of the trace, and says what the run was. The exit status.
int rtm_run_finish(struct rtm_run* run);

/// Starts the frames, once all clients are ready.
bool rtm_run_begin(struct rtm_run* run, struct rts_error* error);
/// Ends the run early: everybody leaves as soon as its function returns.
void rtm_run_abort(struct rtm_run* run, const char* name, const char* why);

#endif
