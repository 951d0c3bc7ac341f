#include "leader.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "frame_end.h"
#include "processors.h"
#include "static/awaited.h"
#include "static/clock.h"
#include "static/fence.h"

/// A frame's start is announced so much before it, ns: threads have slept in time, and an orderly end need not wait for a long period.
#define LEAD INT64_C(5000000)

static const uint32_t never = 0;

static void publish(struct rtm_leader* leader, uint64_t frame, int64_t start) {
  struct rts_frame* is = &rts_frames(leader->stage->page)[leader->hyperepoch];
  rts_store_value(&is->start, start);
  rts_signal(&is->published, (uint32_t)(frame + 1));
}

static int64_t watchdog_of(const struct rtm_leader* leader) {
  const struct rts_hyperepoch* h = &leader->stage->plan->hyperepochs[leader->hyperepoch];
  if (leader->stage->options->watchdog > 0) return leader->stage->options->watchdog;
  const int64_t longer = h->period > h->length ? h->period : h->length;
  const int64_t least = INT64_C(1000000000);
  return longer > RTS_LONGEST_TIME / 32 ? RTS_LONGEST_TIME : 20 * longer > least ? 20 * longer : least;
}

// Until all that comes last in the frame has ended.
static enum rts_outcome await_frame(const struct rtm_leader* leader, uint64_t frame, int64_t start) {
  const struct rtm_stage* stage = leader->stage;
  const struct rts_hyperepoch* h = &stage->plan->hyperepochs[leader->hyperepoch];
  const struct rts_patience patience = {.deadline = start + watchdog_of(leader), .stop = &stage->page->stop, .lost = &never};
  for (uint32_t i = h->first_job; i < h->first_job + h->jobs; ++i) {
    if ((stage->awaited[i] & RTS_BY_THE_FRAME) == 0 || !rts_runs_in(&stage->plan->jobs[i], frame)) continue;
    const enum rts_outcome outcome = rts_await(&stage->slots[i]->done, (uint32_t)(frame + 1), &patience);
    if (outcome != RTS_REACHED) return outcome;
  }
  return RTS_REACHED;
}

// T15: with skipping at the next multiple of the period, else as soon as the frame before has ended and its period has come.
static int64_t next_start(struct rtm_leader* leader, int64_t end) {
  const int64_t period = leader->stage->plan->hyperepochs[leader->hyperepoch].period;
  if (period == 0) return end;
  const int64_t origin = leader->stage->origin;
  ++leader->next_period;
  if (leader->stage->options->overrun == RTM_SKIP) {
    const uint64_t first = (uint64_t)((end - origin) / period + ((end - origin) % period != 0 ? 1 : 0));
    if (first > leader->next_period) {
      leader->skipped += first - leader->next_period;
      leader->next_period = first;
    }
    return origin + (int64_t)leader->next_period * period;
  }
  const int64_t nominal = origin + (int64_t)leader->next_period * period;
  return nominal > end ? nominal : end;
}

static bool is_wanted(const struct rtm_leader* leader, uint64_t frame, int64_t start) {
  const struct rtm_options* options = leader->stage->options;
  return rts_load(&leader->stage->orderly_end) == 0 && frame < options->frames &&
         (options->duration == RTS_NEVER || start - leader->stage->origin < options->duration);
}

// Waits until the frame is to be announced and does so. RTM_LEADER_PLAYS: it has been.
static enum rtm_leader_end announce(struct rtm_leader* leader, uint64_t frame, int64_t start) {
  struct rtm_stage* stage = leader->stage;
  const struct rts_patience until_end = {.deadline = RTS_NEVER, .stop = &stage->orderly_end, .lost = &never};
  (void)rts_sleep_until(start - LEAD, &until_end);
  if (rts_load(&stage->page->stop) != 0) return RTM_LEADER_STOPPED;
  const bool wanted = is_wanted(leader, frame, start);
  publish(leader, frame, wanted ? start : RTS_NEVER);
  return wanted ? RTM_LEADER_PLAYS : RTM_LEADER_OVER;
}

static enum rtm_leader_end play_frames(struct rtm_leader* leader) {
  int64_t start = leader->stage->origin;
  enum rtm_leader_end state = announce(leader, 0, start);
  for (uint64_t frame = 0; state == RTM_LEADER_PLAYS; ++frame) {
    const enum rts_outcome outcome = await_frame(leader, frame, start);
    if (outcome == RTS_STOPPED) return RTM_LEADER_STOPPED;
    if (outcome == RTS_LATE) {
      rtm_describe_hang(leader, frame, &leader->text);
      return RTM_LEADER_HANGS;
    }
    int64_t end = 0;
    if (!rtm_frame_end(leader, frame, start, &end, &leader->text)) return RTM_LEADER_GARBAGE;
    const int64_t next = next_start(leader, end);
    // Where the next frame begins soon, it does not wait for the records of this one.
    const bool soon = next - LEAD <= rts_now();
    if (soon) state = announce(leader, frame + 1, next);
    rtm_record_frame(leader, frame, start, end);
    if (!soon) state = announce(leader, frame + 1, next);
    start = next;
  }
  return state;
}

void* rtm_lead(void* argument) {
  struct rtm_leader* leader = argument;
  pthread_setname_np(pthread_self(), "frames");
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  if (leader->stage->options->real_time) {
    const struct sched_param level = {.sched_priority = RTM_FRAME_LEVEL};
    if (sched_setscheduler(0, SCHED_FIFO, &level) != 0) leader->refused_level = errno;
  }
  const enum rtm_leader_end end = play_frames(leader);
  rts_store(&leader->end, (uint32_t)end);
  const uint64_t one = 1;
  const ssize_t written = write(leader->stage->notice, &one, sizeof one);
  (void)written;  // an eventfd takes 2^64 - 2 of these
  return NULL;
}
