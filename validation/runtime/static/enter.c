// A run as one process sees it: from the slots of the other processes to the end of its last thread.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "conversation.h"
#include "process.h"
#include "word.h"

/// How long threads may take to end once the run has ended early, ns.
#define RTS_GRACE INT64_C(2000000000)

static void tell(enum rts_message_kind kind, uint32_t number, const char* text) {
  struct rts_message message;
  rts_message_set(&message, kind, number, text);
  (void)rts_send(rts_process.socket, &message, NULL, 0);  // a master that is gone is noticed elsewhere
}

static rta_static_status fail(rta_static_status status, const struct rts_error* error) {
  tell(RTS_FAILED, 0, error->text);
  rts_process.stage = RTS_OVER;
  return rts_say(status, error);
}

// Adds a name to a list, once; dots stand for those that have no room.
static void list(char* names, size_t size, const char* kind, const char* name) {
  static const char dots[] = ", ...";
  char entry[RTS_LONGEST_NAME + 16];
  const size_t length = (size_t)snprintf(entry, sizeof entry, "%s'%s'", kind, name);
  const size_t used = strlen(names);
  if (strstr(names, entry) != NULL || (used > 0 && names[used - 1] == '.')) return;
  const char* before = used == 0 ? "" : ", ";
  const bool fits = used + strlen(before) + length + sizeof dots <= size;
  const char* parts[] = {fits ? before : dots, fits ? entry : ""};
  for (size_t i = 0; i < 2; ++i) memcpy(names + strlen(names), parts[i], strlen(parts[i]) + 1);
}

static bool all_registered(struct rts_error* error) {
  const struct rts_plan* plan = &rts_process.plan;
  char missing[300] = "";
  for (uint32_t l = 0; l < plan->header->lines.count; ++l) {
    const struct rts_line* line = &plan->lines[l];
    if (line->client != rts_process.index) continue;
    if (line->stream != RTS_NONE) {
      if (rts_process.streams[line->stream].engine == NULL)
        list(missing, sizeof missing, "stream ", rts_name(plan, plan->streams[line->stream].name));
      continue;
    }
    for (uint32_t i = line->first_job; i < line->first_job + line->jobs; ++i) {
      const struct rts_binding* binding = &rts_process.bindings[plan->jobs[i].runnable];
      if (binding->runnable == NULL && binding->function == NULL)
        list(missing, sizeof missing, "", rts_name(plan, rts_runnable_of(plan, &plan->jobs[i])->name));
    }
  }
  return missing[0] == '\0' || rts_fail(error, "not registered: %s", missing);
}

static bool take_peers(struct rts_received* peers, struct rts_error* error) {
  const struct rts_plan* plan = &rts_process.plan;
  const uint32_t count = plan->header->clients.count;
  bool good = peers->message.number == rts_process.peers && peers->descriptor_count <= count - rts_process.peers;
  if (!good) rts_fail(error, "the master sent other processes' memory out of order");
  for (uint32_t i = 0; good && i < peers->descriptor_count; ++i) {
    const uint32_t client = rts_process.peers;
    size_t size = rts_slots_size(plan, client);
    rts_process.base[client] = rts_region_map(peers->descriptors[i], &size, false, error);
    rts_process.base_size[client] = size;
    good = rts_process.base[client] != NULL;
    ++rts_process.peers;
  }
  return good;
}

// The slots of all clients come once all clients have come.
static rta_static_status await_peers(struct rts_error* error) {
  while (rts_process.peers < rts_process.plan.header->clients.count) {
    struct rts_received received;
    if (!rts_await_message(rts_process.socket, RTS_NEVER, &received, error)) return RTA_STATIC_LOST;
    rta_static_status status = RTA_STATIC_OK;
    if (received.message.kind == RTS_PEERS) {
      if (!take_peers(&received, error)) status = RTA_STATIC_SYSTEM;
    } else if (received.message.kind == RTS_ENDED || received.message.kind == RTS_REFUSED) {
      rts_fail(error, "the run has ended early: %s", received.message.text);
      status = RTA_STATIC_ENDED;
    }
    rts_close_descriptors(&received);
    if (status != RTA_STATIC_OK) return status;
  }
  rts_place_slots(&rts_process.plan, rts_process.base, rts_process.slots);
  return RTA_STATIC_OK;
}

// Signals are for the caller's thread, but for those that a thread brings upon itself.
static bool start_lines(struct rts_error* error) {
  const struct rts_plan* plan = &rts_process.plan;
  uint32_t count = 0;
  for (uint32_t i = 0; i < plan->header->lines.count; ++i) count += plan->lines[i].client == rts_process.index ? 1 : 0;
  rts_process.lines = calloc(count + (size_t)1, sizeof *rts_process.lines);
  if (rts_process.lines == NULL) return rts_fail(error, "out of memory");
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i) sigdelset(&all, own[i]);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int failure = 0;
  for (uint32_t i = 0; failure == 0 && i < plan->header->lines.count; ++i) {
    if (plan->lines[i].client != rts_process.index) continue;
    struct rts_line_play* play = &rts_process.lines[rts_process.line_count];
    play->process = &rts_process;
    play->line = i;
    failure = pthread_create(&play->thread, NULL, rts_play_line, play);
    if (failure == 0) ++rts_process.line_count;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = failure;
  return failure == 0 || rts_fail_errno(error, "a thread cannot be made");
}

// What the kernel did not grant to the threads; empty: everything.
static void describe_threads(char* text, size_t size) {
  uint32_t levels = 0;
  uint32_t processors = 0;
  int reason = 0;
  for (uint32_t i = 0; i < rts_process.line_count; ++i) {
    const struct rts_line_play* play = &rts_process.lines[i];
    levels += play->refused_level != 0 ? 1 : 0;
    processors += play->refused_processor != 0 ? 1 : 0;
    if (play->refused_level != 0) reason = play->refused_level;
    if (play->refused_processor != 0) reason = play->refused_processor;
  }
  text[0] = '\0';
  if (levels == 0 && processors == 0) return;
  snprintf(text, size, "SCHED_FIFO was refused for %u and their processor for %u of %u threads (%s)", levels, processors,
           rts_process.line_count, strerror(reason));
}

struct run {
  uint64_t progress;   // of lines that are ready or have ended
  bool ready;          // the master knows
  bool over;           // nothing more comes from the master
  int64_t over_since;  // where the run ended early; else RTS_NEVER
  rta_static_status status;
  struct rts_error error;
};

static void end_early(struct run* run, rta_static_status status, const char* why) {
  run->over = true;
  if (run->over_since != RTS_NEVER) return;
  run->over_since = rts_now();
  run->status = status;
  rts_fail(&run->error, "%s", why);
  rts_store(&rts_process.lost, 1);
  for (uint32_t i = 0; i < rts_process.plan.header->streams.count; ++i) rts_stream_cancel(&rts_process.streams[i]);
}

static void listen_to_master(struct run* run) {
  struct rts_received received;
  const enum rts_receipt receipt = rts_receive(rts_process.socket, &received);
  if (receipt == RTS_CLOSED) {
    end_early(run, RTA_STATIC_LOST, "the master is gone");
  } else if (receipt == RTS_GOT && received.message.kind == RTS_ENDED) {
    char why[sizeof received.message.text + 32];
    snprintf(why, sizeof why, "the run has ended early: %s", received.message.text);
    if (received.message.number != 0) end_early(run, RTA_STATIC_ENDED, why);
    run->over = true;
  }
  if (receipt == RTS_GOT) rts_close_descriptors(&received);
}

// The lines that play still; a fault in one ends the run.
static uint32_t look_at_lines(struct run* run) {
  uint32_t playing = 0;
  for (uint32_t i = 0; i < rts_process.line_count; ++i) {
    struct rts_line_play* play = &rts_process.lines[i];
    const uint32_t end = rts_load(&play->end);
    playing += end == RTS_LINE_PLAYS ? 1 : 0;
    if (end != RTS_LINE_FAULT || run->over_since != RTS_NEVER) continue;
    const struct rts_line* line = &rts_process.plan.lines[play->line];
    const uint32_t name =
        line->stream != RTS_NONE ? rts_process.plan.streams[line->stream].name : rts_process.plan.clients[line->client].name;
    char why[600];
    snprintf(why, sizeof why, "'%s': %s", rts_name(&rts_process.plan, name), play->fault.text);
    tell(RTS_FAILED, 0, why);
    end_early(run, RTA_STATIC_SYSTEM, why);
    run->over = false;  // the master ends it for all
  }
  return playing;
}

// A thread that is in a function of this process cannot be ended from outside.
static rta_static_status give_up(struct run* run) {
  char names[300] = "";
  for (uint32_t i = 0; i < rts_process.line_count; ++i) {
    struct rts_line_play* play = &rts_process.lines[i];
    if (rts_load(&play->end) != RTS_LINE_PLAYS) {
      pthread_join(play->thread, NULL);
      continue;
    }
    pthread_detach(play->thread);
    const uint32_t job = __atomic_load_n(&play->job, __ATOMIC_RELAXED);
    if (job == 0) continue;
    list(names, sizeof names, "", rts_name(&rts_process.plan, rts_runnable_of(&rts_process.plan, &rts_process.plan.jobs[job - 1])->name));
  }
  rts_process.stuck = true;
  struct rts_error error;
  rts_fail(&error, "%s; not returned: %s", run->error.text, names[0] == '\0' ? "a thread of the scheduler" : names);
  return rts_say(RTA_STATIC_STUCK, &error);
}

static void take_progress(struct run* run) {
  uint64_t count = 0;
  if (read(rts_process.progress, &count, sizeof count) == (ssize_t)sizeof count) run->progress += count;
  if (run->ready || run->progress < rts_process.line_count) return;
  char remark[200];
  describe_threads(remark, sizeof remark);
  tell(RTS_READY, remark[0] == '\0' ? 0 : 1, remark);
  run->ready = true;
}

// All threads have ended, and it is known why.
static bool has_finished(const struct run* run, uint32_t playing) {
  if (playing > 0) return false;
  if (run->over) return true;
  for (uint32_t i = 0; i < rts_process.line_count; ++i) {
    if (rts_load(&rts_process.lines[i].end) != RTS_LINE_OVER) return false;
  }
  return rts_process.line_count > 0;
}

static rta_static_status play(void) {
  struct run run = {.over_since = RTS_NEVER};
  take_progress(&run);
  for (;;) {
    const uint32_t playing = look_at_lines(&run);
    if (has_finished(&run, playing)) break;
    if (run.over_since != RTS_NEVER && rts_now() - run.over_since > RTS_GRACE) {
      if (playing > 0) return give_up(&run);
      break;
    }
    struct pollfd wanted[] = {{.fd = rts_process.progress, .events = POLLIN}, {.fd = run.over ? -1 : rts_process.socket, .events = POLLIN}};
    if (poll(wanted, 2, 100) < 0 && errno != EINTR) end_early(&run, RTA_STATIC_SYSTEM, "the socket cannot be waited for");
    take_progress(&run);
    if (wanted[1].revents != 0) listen_to_master(&run);
  }
  for (uint32_t i = 0; i < rts_process.line_count; ++i) pthread_join(rts_process.lines[i].thread, NULL);
  if (run.over_since != RTS_NEVER) return rts_say(run.status, &run.error);
  tell(RTS_DONE, 0, "");
  return RTA_STATIC_OK;
}

rta_static_status rta_static_enter(void) {
  struct rts_error error;
  if (rts_process.stage != RTS_CONNECTED) {
    rts_fail(&error, "%s",
             rts_process.stage == RTS_IDLE ? "rta_static_enter: rta_static_init has not connected" : "rta_static_enter: called twice");
    return rts_say(RTA_STATIC_MISUSE, &error);
  }
  if (!all_registered(&error)) return fail(RTA_STATIC_MISUSE, &error);
  const rta_static_status peers = await_peers(&error);
  if (peers != RTA_STATIC_OK) return fail(peers, &error);
  rts_process.stage = RTS_PLAYING;
  rta_static_status status = RTA_STATIC_OK;
  if (start_lines(&error)) {
    status = play();
  } else {
    tell(RTS_FAILED, 0, error.text);
    rts_store(&rts_process.lost, 1);
    for (uint32_t i = 0; i < rts_process.line_count; ++i) pthread_join(rts_process.lines[i].thread, NULL);
    status = rts_say(RTA_STATIC_SYSTEM, &error);
  }
  rts_process.stage = RTS_OVER;
  return status;
}

// Nothing that a signal handler may not call.
void rta_static_exit(void) {
  static const struct rts_message stop = {.magic = RTS_MESSAGE_MAGIC, .version = RTS_PROTOCOL_VERSION, .kind = RTS_STOP};
  (void)rts_send(rts_process.socket, &stop, NULL, 0);
}
