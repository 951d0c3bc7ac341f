#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "run.h"
#include "static/clock.h"
#include "static/fence.h"

/// How long clients may take to leave once everything has ended, ns.
#define GRACE INT64_C(3000000000)

// So that nobody sleeps on: those that wait look at the page whenever they wake.
static void wake_all(struct rtm_run* run) {
  rts_futex_wake(&run->page->stop);
  for (uint32_t i = 0; i < run->plan.header->hyperepochs.count; ++i) rts_futex_wake(&rts_frames(run->page)[i].published);
  for (uint32_t i = 0; run->guests.introduced && run->began && i < run->plan.header->jobs.count; ++i) {
    rts_futex_wake(&run->slots[i]->done);
    rts_futex_wake(&run->slots[i]->started);
  }
}

static void begin_ending(struct rtm_run* run, bool early, const char* why) {
  run->state = RTM_ENDING;
  run->early = early;
  run->guests.may_leave = true;
  run->until = rts_now() + GRACE;
  rtm_guests_tell(&run->guests, RTS_ENDED, early ? 1 : 0, why);
}

void rtm_run_abort(struct rtm_run* run, const char* name, const char* why) {
  if (run->state >= RTM_ENDING) return;
  rtm_find(&run->findings, RTM_FAILED, name, "%s", why);
  rts_signal(&run->stage.orderly_end, 1);
  rts_store(&run->page->stop, 1);
  wake_all(run);
  begin_ending(run, true, why);
}

// Frames that have begun are played to their end.
static void end_orderly(struct rtm_run* run) {
  if (run->state == RTM_GATHERING) {
    rtm_run_abort(run, "end", "asked to end before all clients had come");
  } else {
    rts_signal(&run->stage.orderly_end, 1);
  }
}

static void take_signal(struct rtm_run* run) {
  struct signalfd_siginfo signal;
  while (read(run->signals, &signal, sizeof signal) == (ssize_t)sizeof signal) {
    if (signal.ssi_signo == SIGCHLD) {
      rtm_guests_reap(&run->guests);
    } else if (++run->asked == 1) {
      end_orderly(run);
    } else {
      rtm_run_abort(run, "end", "asked to end at once");
    }
  }
}

static void look_at_leaders(struct rtm_run* run) {
  uint64_t count = 0;
  if (read(run->notice, &count, sizeof count) < 0 && errno != EAGAIN) return;
  uint32_t over = 0;
  const uint32_t all = run->plan.header->hyperepochs.count;
  for (uint32_t i = 0; run->state == RTM_PLAYING && i < all; ++i) {
    const uint32_t end = rts_load(&run->leaders[i].end);
    over += end == RTM_LEADER_OVER ? 1 : 0;
    if (end == RTM_LEADER_HANGS) rtm_run_abort(run, "watchdog", run->leaders[i].text.text);
    if (end == RTM_LEADER_GARBAGE) rtm_run_abort(run, "memory", run->leaders[i].text.text);
  }
  if (run->state == RTM_PLAYING && over == all) begin_ending(run, false, "");
}

static void say_that_trace_failed(struct rtm_run* run) {
  const int failure = __atomic_load_n(&run->trace.failure, __ATOMIC_RELAXED);
  if (failure == 0 || run->trace_failure_told) return;
  run->trace_failure_told = true;
  rtm_find(&run->findings, RTM_FAILED, "trace", "the trace '%s' ends here: %s; frames are played on", run->options.trace,
           strerror(failure));
}

static void say_who_is_missing(struct rtm_run* run) {
  char names[300];
  char why[460];
  const bool absent = rtm_guests_at(&run->guests, RTM_THERE) < run->plan.header->clients.count;
  rtm_guests_missing(&run->guests, absent ? RTM_THERE : RTM_READY, names, sizeof names);
  snprintf(why, sizeof why, "after %.3g s: %s has %s", (double)run->options.patience / 1e9, names,
           absent ? "not connected" : "connected, but not entered the scheduler");
  rtm_run_abort(run, "clients", why);
}

static void step(struct rtm_run* run) {
  const uint32_t clients = run->plan.header->clients.count;
  if (run->guests.fault.text[0] != '\0') rtm_run_abort(run, "clients", run->guests.fault.text);
  if (run->guests.end_wanted && run->state < RTM_ENDING) end_orderly(run);
  run->guests.end_wanted = false;
  say_that_trace_failed(run);
  if (run->state == RTM_GATHERING && rtm_guests_at(&run->guests, RTM_READY) == clients) {
    struct rts_error error;
    if (!rtm_run_begin(run, &error)) rtm_run_abort(run, "frames", error.text);
  } else if (run->state == RTM_GATHERING && rts_now() > run->until) {
    say_who_is_missing(run);
  } else if (run->state == RTM_ENDING) {
    bool left = true;
    for (uint32_t i = 0; i < clients; ++i) left = left && (run->guests.all[i].stage == RTM_ABSENT || run->guests.all[i].stage >= RTM_DONE);
    if (left) run->state = RTM_ENDED;
    if (!left && rts_now() > run->until) {
      for (uint32_t i = 0; i < clients; ++i) {
        const struct rtm_guest* guest = &run->guests.all[i];
        if (guest->stage == RTM_ABSENT || guest->stage >= RTM_DONE) continue;
        rtm_find(&run->findings, RTM_FAILED, "clients", "client '%s' (process %ld) has not left", rtm_guest_name(&run->guests, i),
                 (long)guest->process);
      }
      run->state = RTM_ENDED;
    }
  }
}

void rtm_run_play(struct rtm_run* run) {
  while (run->state != RTM_ENDED) {
    struct pollfd polled[3 + RTM_MOST_POLLED] = {
        {.fd = run->signals, .events = POLLIN}, {.fd = run->notice, .events = POLLIN}, {.fd = run->listening, .events = POLLIN}};
    const nfds_t guests = rtm_guests_poll(&run->guests, polled + 3);
    if (poll(polled, 3 + guests, 50) < 0 && errno != EINTR) {
      rtm_run_abort(run, "system", strerror(errno));
      return;
    }
    if (polled[0].revents != 0) take_signal(run);
    if (polled[1].revents != 0) look_at_leaders(run);
    if (polled[2].revents != 0) rtm_guests_accept(&run->guests, run->listening);
    rtm_guests_listen(&run->guests, polled + 3, guests);
    step(run);
  }
}
