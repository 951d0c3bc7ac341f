#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processors.h"
#include "run.h"
#include "static/awaited.h"
#include "static/clock.h"

/// No plan is longer, bytes.
#define LONGEST_PLAN (INT64_C(1) << 30)

static bool read_plan(struct rtm_run* run, struct rts_error* error) {
  const char* path = run->options.plan;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return rts_fail_errno(error, "the plan '%s' cannot be opened", path);
  if (!S_ISREG(status.st_mode) || status.st_size > LONGEST_PLAN) {
    close(file);
    return rts_fail(error, "the plan '%s' is no file of at most 1 GiB", path);
  }
  const size_t size = (size_t)status.st_size;
  run->plan_bytes = malloc(size + 1);
  size_t used = 0;
  while (run->plan_bytes != NULL && used < size) {
    const ssize_t count = read(file, (char*)run->plan_bytes + used, size - used);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    used += (size_t)count;
  }
  close(file);
  if (run->plan_bytes == NULL || used < size) return rts_fail(error, "the plan '%s' cannot be read", path);
  return rts_plan_open(&run->plan, run->plan_bytes, size, error);
}

static bool make_memory(struct rtm_run* run, struct rts_error* error) {
  void* page = NULL;
  run->plan_memory = rts_region_create_constant("rta-static-plan", run->plan_bytes, run->plan.header->bytes, error);
  if (run->plan_memory < 0) return false;
  run->page_memory = rts_region_create("rta-static-page", rts_page_size(&run->plan), &page, error);
  run->page = page;
  if (run->page_memory < 0) return false;
  const size_t jobs = run->plan.header->jobs.count;
  run->slots = calloc(jobs, sizeof(const struct rts_slot*));
  run->awaited = calloc(jobs, 1);
  run->leaders = calloc(run->plan.header->hyperepochs.count, sizeof *run->leaders);
  if (run->slots == NULL || run->awaited == NULL || run->leaders == NULL) return rts_fail(error, "out of memory");
  rts_find_awaited(&run->plan, run->awaited);
  return rtm_assign_processors(&run->plan, &run->options, run->page, &run->findings, error);
}

// Signals arrive as something to poll, in the one thread that does.
static bool take_signals(struct rtm_run* run, struct rts_error* error) {
  sigset_t taken;
  sigemptyset(&taken);
  sigaddset(&taken, SIGINT);
  sigaddset(&taken, SIGTERM);
  sigaddset(&taken, SIGHUP);
  sigaddset(&taken, SIGCHLD);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of its write
  if (sigprocmask(SIG_BLOCK, &taken, NULL) != 0) return rts_fail_errno(error, "signals cannot be taken");
  run->signals = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
  run->notice = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return (run->signals >= 0 && run->notice >= 0) || rts_fail_errno(error, "signals cannot be taken");
}

static bool start_clients(struct rtm_run* run, struct rts_error* error) {
  char schedule[65];
  for (size_t i = 0; i < 32; ++i) snprintf(schedule + 2 * i, 3, "%02x", run->plan.header->schedule[i]);
  for (uint32_t i = 0; run->options.program != NULL && i < run->plan.header->clients.count; ++i) {
    if (!rtm_child_start(&run->guests.all[i].child, run->options.program, rtm_guest_name(&run->guests, i), run->place.socket, schedule,
                         error))
      return false;
  }
  return true;
}

bool rtm_run_prepare(struct rtm_run* run, struct rts_error* error) {
  run->plan_memory = run->page_memory = run->listening = run->signals = run->notice = -1;
  run->place.lock_descriptor = -1;
  run->trace.descriptor = -1;
  run->findings.quiet = run->options.quiet;
  if (!read_plan(run, error)) {
    run->plan.header = NULL;  // nothing of it is to be used
    return false;
  }
  rtm_guests_begin(&run->guests, &run->plan, -1, -1, &run->findings);
  if (!rts_place_choose(&run->place, run->plan.header->identifier, error)) return false;
  if (!make_memory(run, error) || !take_signals(run, error)) return false;
  run->listening = rts_place_take(&run->place, error);
  if (run->listening < 0) return false;
  if (run->place.made[0] != '\0')
    fprintf(stderr, "master: the usual folder in /tmp is another user's; clients that are started elsewhere need RTA_STATIC_MASTER=%s\n",
            run->place.socket);
  // Only now: the file may be that of the master that has the place.
  if (!rtm_trace_open(&run->trace, run->options.trace, &run->plan, error)) return false;
  rtm_guests_begin(&run->guests, &run->plan, run->plan_memory, run->page_memory, &run->findings);
  run->state = RTM_GATHERING;
  run->until = rts_now() + run->options.patience;
  return start_clients(run, error);
}
