#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "frame_end.h"
#include "run.h"
#include "static/clock.h"

/// From the last client that is ready to the first frame, ns.
#define BEGIN_AFTER INT64_C(50000000)

static void write_header(struct rtm_run* run) {
  struct utsname system;
  char kernel[160] = "unknown";
  if (uname(&system) == 0) snprintf(kernel, sizeof kernel, "%s %s", system.sysname, system.release);
  char quoted[256];
  rtm_json(quoted, sizeof quoted, kernel);
  const time_t now = time(NULL);
  struct tm parts;
  char started[32] = "";
  if (gmtime_r(&now, &parts) != NULL) strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", &parts);
  char fields[600];
  snprintf(fields, sizeof fields, ", \"started\": \"%s\", \"kernel\": %s, \"scheduling\": \"%s\", \"overrun\": \"%s\", \"identifier\": %u",
           started, quoted, run->options.real_time ? "SCHED_FIFO" : "SCHED_OTHER", run->options.overrun == RTM_SKIP ? "skip" : "run-on",
           run->plan.header->identifier);
  rtm_trace_header(&run->trace, run->stage.origin, fields);
}

static bool start_leader(struct rtm_run* run, uint32_t hyperepoch, struct rts_error* error) {
  struct rtm_leader* leader = &run->leaders[hyperepoch];
  leader->stage = &run->stage;
  leader->hyperepoch = hyperepoch;
  leader->ring = &run->recorder.rings[hyperepoch];
  if (!rtm_frame_end_prepare(leader)) return rts_fail(error, "out of memory");
  leader->started = pthread_create(&leader->thread, NULL, rtm_lead, leader) == 0;
  return leader->started || rts_fail(error, "a thread cannot be made");
}

bool rtm_run_begin(struct rtm_run* run, struct rts_error* error) {
  run->state = RTM_PLAYING;
  run->began = true;
  rts_place_slots(&run->plan, run->guests.base, run->slots);
  run->stage.plan = &run->plan;
  run->stage.page = run->page;
  run->stage.slots = run->slots;
  run->stage.awaited = run->awaited;
  run->stage.options = &run->options;
  run->stage.processes = run->guests.processes;
  run->stage.origin = rts_now() + BEGIN_AFTER;
  run->stage.notice = run->notice;
  write_header(run);
  if (run->options.real_time && mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
    rtm_find(&run->findings, RTM_WARNING, "memory", "the master's memory could not be locked: %s", strerror(errno));
  bool good = rtm_recorder_start(&run->recorder, &run->trace, &run->plan, error);
  for (uint32_t i = 0; good && i < run->plan.header->hyperepochs.count; ++i) good = start_leader(run, i, error);
  return good;
}

static void judge_frames(struct rtm_run* run, const struct rtm_leader* leader) {
  const struct rts_hyperepoch* h = &run->plan.hyperepochs[leader->hyperepoch];
  const char* name = rts_name(&run->plan, h->name);
  char subject[64];
  snprintf(subject, sizeof subject, "frames of %.50s", name);
  const bool good = leader->skipped == 0 && leader->late == 0 && leader->overruns == 0;
  struct rtm_findings* findings = &run->findings;
  rtm_find(findings, good ? RTM_OK : RTM_WARNING, subject,
           "hyperepoch '%s': %" PRIu64 " frames, the longest %.3f ms (proven %.3f ms, exceeded by %" PRIu64 "), %" PRIu64
           " periods skipped, %" PRIu64 " times a runnable took longer than its WCET",
           name, leader->frames, (double)leader->longest / 1e6, (double)h->length / 1e6, leader->late, leader->skipped, leader->overruns);
  if (leader->early > 0)
    rtm_find(findings, RTM_FAILED, "order", "hyperepoch '%s': %" PRIu64 " times a runnable started before what it waits for had ended",
             name, leader->early);
  if (leader->refused_level != 0)
    rtm_find(findings, RTM_WARNING, "scheduling", "the master was refused SCHED_FIFO: %s", strerror(leader->refused_level));
}

static void stop_threads(struct rtm_run* run) {
  for (uint32_t i = 0; run->leaders != NULL && i < run->plan.header->hyperepochs.count; ++i) {
    struct rtm_leader* leader = &run->leaders[i];
    if (leader->started) pthread_join(leader->thread, NULL);
    if (leader->started) judge_frames(run, leader);
    rtm_frame_end_free(leader);
  }
}

static void end_trace(struct rtm_run* run, uint64_t lost) {
  if (run->began) {
    if (lost > 0) rtm_find(&run->findings, RTM_WARNING, "trace", "%" PRIu64 " records were lost: the disk is too slow", lost);
    for (size_t i = 0; i < run->findings.count; ++i) rtm_trace_finding(&run->trace, &run->findings.all[i]);
    rtm_trace_end(&run->trace, !run->early, lost, !run->findings.failed);
  }
  rtm_trace_close(&run->trace);
  if (run->trace.failure != 0 && !run->trace_failure_told)
    rtm_find(&run->findings, RTM_FAILED, "trace", "the trace '%s' is not complete: %s", run->options.trace, strerror(run->trace.failure));
}

static void end_children(struct rtm_run* run) {
  const int64_t until = rts_now() + (run->early ? 0 : run->options.patience);
  for (uint32_t i = 0; i < run->plan.header->clients.count; ++i) {
    struct rtm_child* child = &run->guests.all[i].child;
    if (child->process <= 0) continue;
    const int64_t left = (until - rts_now()) / 1000000;
    if (!rtm_child_reap(child, left > 500 ? (int)left : 500)) {
      if (!run->early)
        rtm_find(&run->findings, RTM_WARNING, "clients", "client '%s' (process %ld) did not end by itself", rtm_guest_name(&run->guests, i),
                 (long)child->process);
      rtm_child_kill(child);
      continue;
    }
    char how[128];
    if (child->status != 0 && !run->early)
      rtm_find(&run->findings, RTM_FAILED, "clients", "client '%s' %s", rtm_guest_name(&run->guests, i),
               rtm_child_end(child, how, sizeof how));
  }
}

static void tell_summary(const struct rtm_run* run) {
  if (run->options.quiet) return;
  for (size_t i = 0; i < run->findings.count; ++i) {
    const struct rtm_finding* finding = &run->findings.all[i];
    if (finding->outcome == RTM_OK && strncmp(finding->name, "frames of ", 10) == 0) printf("master: %s\n", finding->text);
  }
}

int rtm_run_finish(struct rtm_run* run) {
  if (run->plan.header != NULL) {
    stop_threads(run);
    rtm_guests_end(&run->guests);
    end_children(run);
  }
  end_trace(run, rtm_recorder_end(&run->recorder));
  rts_place_leave(&run->place, run->listening);
  tell_summary(run);
  const int status = !run->began ? 2 : run->findings.failed ? 1 : 0;
  if (run->page != NULL) munmap(run->page, rts_page_size(&run->plan));
  if (run->plan_memory >= 0) close(run->plan_memory);
  if (run->page_memory >= 0) close(run->page_memory);
  rtm_findings_free(&run->findings);
  free(run->leaders);
  free(run->slots);
  free(run->awaited);
  free(run->plan_bytes);
  free(run->options.processors);
  return status;
}
