#include "frame_end.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "static/clock.h"
#include "static/fence.h"

/// Clocks of two processors may differ by so much, ns.
#define CLOCK_DIFFERENCE 1000

static const char* client_name(const struct rts_plan* plan, const struct rts_job* job) {
  return rts_name(plan, plan->clients[rts_client_of(plan, job)].name);
}

bool rtm_frame_end_prepare(struct rtm_leader* leader) {
  const struct rts_plan* plan = leader->stage->plan;
  size_t frames = 0;
  for (uint32_t e = 0; e < plan->header->epochs.count; ++e) {
    if (plan->epochs[e].hyperepoch == leader->hyperepoch) frames += plan->epochs[e].frames;
  }
  leader->records = calloc(plan->hyperepochs[leader->hyperepoch].jobs, sizeof *leader->records);
  leader->epoch_ends = calloc(frames + 1, sizeof *leader->epoch_ends);
  return leader->records != NULL && leader->epoch_ends != NULL;
}

void rtm_frame_end_free(struct rtm_leader* leader) {
  free(leader->records);
  free(leader->epoch_ends);
}

// The client may change it at any time.
static struct rts_record copy_of(const struct rts_record* record) {
  return (struct rts_record){
      .frame = rts_load(&record->frame),
      .start = rts_load_value(&record->start),
      .end = rts_load_value(&record->end),
      .consumed = rts_load_value(&record->consumed),
  };
}

bool rtm_frame_end(struct rtm_leader* leader, uint64_t frame, int64_t start, int64_t* end, struct rts_error* error) {
  const struct rts_plan* plan = leader->stage->plan;
  const struct rts_hyperepoch* h = &plan->hyperepochs[leader->hyperepoch];
  const int64_t now = rts_now();
  *end = start;
  for (uint32_t i = 0; i < h->jobs; ++i) {
    const struct rts_job* job = &plan->jobs[h->first_job + i];
    if (!rts_runs_in(job, frame)) continue;
    struct rts_record* is = &leader->records[i];
    *is = copy_of(&leader->stage->slots[h->first_job + i]->record);
    if (is->frame != (uint32_t)(frame + 1) || is->start < start || is->end < is->start || is->end > now)
      return rts_fail(
          error, "the memory of client '%s' holds garbage: '%s' is said to have ended in frame %" PRIu64 ", its record is of no such run",
          client_name(plan, job), rts_name(plan, rts_runnable_of(plan, job)->label), frame);
    if (is->end > *end) *end = is->end;
  }
  return true;
}

static const struct rts_record* record_of(const struct rtm_leader* leader, uint32_t job) {
  return &leader->records[job - leader->stage->plan->hyperepochs[leader->hyperepoch].first_job];
}

// When nothing held the job back any more.
static int64_t release_of(const struct rtm_leader* leader, uint32_t number, uint64_t frame, int64_t start) {
  const struct rts_plan* plan = leader->stage->plan;
  const struct rts_job* job = &plan->jobs[number];
  int64_t release = start + job->offset;
  for (uint32_t w = 0; w < job->waits; ++w) {
    const struct rts_wait* wait = &plan->waits[job->first_wait + w];
    if (!rts_applies_in(plan, wait, frame)) continue;
    const struct rts_record* before = record_of(leader, wait->job);
    const int64_t at = wait->started != 0 ? before->start : before->end;
    if (at > release) release = at;
  }
  for (uint32_t i = number; i-- > plan->lines[job->line].first_job;) {
    if (!rts_runs_in(&plan->jobs[i], frame)) continue;
    if (record_of(leader, i)->end > release) release = record_of(leader, i)->end;
    break;
  }
  return release;
}

static void record_job(struct rtm_leader* leader, uint32_t number, uint64_t frame, int64_t start) {
  const struct rts_plan* plan = leader->stage->plan;
  const struct rts_job* job = &plan->jobs[number];
  const struct rts_record is = *record_of(leader, number);
  const int64_t release = release_of(leader, number, frame, start);
  if (is.end - is.start > job->wcet) ++leader->overruns;
  if (is.start < release - CLOCK_DIFFERENCE) ++leader->early;
  const bool on_core = plan->lines[job->line].core != RTS_NONE && plan->cores[plan->lines[job->line].core].engine == 0;
  const struct rtm_entry entry = {
      .epoch = RTS_NONE,
      .record = {.job = number,
                 .processor = on_core ? rts_settings_of(leader->stage->page, plan)[job->line].processor : -1,
                 .number = frame * plan->epochs[job->epoch].frames + job->frame,
                 .release = release < is.start ? release : is.start,
                 .start = is.start,
                 .end = is.end,
                 .consumed = is.consumed > 0 ? is.consumed : 0},
  };
  rtm_put(leader->ring, &entry);
}

// Ends of the hyperepoch's epochs' frames, one after the other.
static void record_epochs(struct rtm_leader* leader, uint64_t frame, int64_t start) {
  const struct rts_plan* plan = leader->stage->plan;
  const struct rts_hyperepoch* h = &plan->hyperepochs[leader->hyperepoch];
  int64_t* ends = leader->epoch_ends;
  for (uint32_t e = 0; e < plan->header->epochs.count; ++e) {
    const struct rts_epoch* epoch = &plan->epochs[e];
    if (epoch->hyperepoch != leader->hyperepoch) continue;
    for (uint32_t k = 0; k < epoch->frames; ++k) ends[k] = start + (int64_t)k * epoch->period;
    for (uint32_t i = 0; i < h->jobs; ++i) {
      const struct rts_job* job = &plan->jobs[h->first_job + i];
      if (job->epoch == e && rts_runs_in(job, frame) && leader->records[i].end > ends[job->frame])
        ends[job->frame] = leader->records[i].end;
    }
    for (uint32_t k = 0; k < epoch->frames; ++k) {
      const struct rtm_entry entry = {
          .epoch = e,
          .record = {.number = frame * epoch->frames + k, .start = start + (int64_t)k * epoch->period, .end = ends[k]},
      };
      rtm_put(leader->ring, &entry);
    }
  }
}

void rtm_record_frame(struct rtm_leader* leader, uint64_t frame, int64_t start, int64_t end) {
  const struct rts_plan* plan = leader->stage->plan;
  const struct rts_hyperepoch* h = &plan->hyperepochs[leader->hyperepoch];
  ++leader->frames;
  if (end - start > leader->longest) leader->longest = end - start;
  if (end - start > h->length) ++leader->late;
  for (uint32_t i = h->first_job; i < h->first_job + h->jobs; ++i) {
    if (rts_runs_in(&plan->jobs[i], frame)) record_job(leader, i, frame, start);
  }
  record_epochs(leader, frame, start);
}

// What the kernel says of a process.
static const char* state_of(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  FILE* file = fopen(path, "re");
  if (file == NULL) return "is gone";
  char line[512];
  const size_t count = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  line[count] = '\0';
  // The name, in brackets, may hold anything.
  const char* rest = strrchr(line, ')');
  const int state = rest != NULL && rest[1] == ' ' ? rest[2] : '?';
  return state == 'T' || state == 't' ? "is stopped" : state == 'Z' || state == 'X' ? "is dead" : "is alive";
}

static bool could_run(const struct rtm_leader* leader, uint32_t number, uint64_t frame) {
  const struct rts_plan* plan = leader->stage->plan;
  const struct rts_job* job = &plan->jobs[number];
  const uint32_t wanted = (uint32_t)(frame + 1);
  for (uint32_t w = 0; w < job->waits; ++w) {
    const struct rts_wait* wait = &plan->waits[job->first_wait + w];
    const struct rts_slot* before = leader->stage->slots[wait->job];
    if (rts_applies_in(plan, wait, frame) && !rts_reached(rts_load(wait->started != 0 ? &before->started : &before->done), wanted))
      return false;
  }
  for (uint32_t i = number; i-- > plan->lines[job->line].first_job;) {
    if (rts_runs_in(&plan->jobs[i], frame)) return rts_reached(rts_load(&leader->stage->slots[i]->done), wanted);
  }
  return true;
}

void rtm_describe_hang(const struct rtm_leader* leader, uint64_t frame, struct rts_error* text) {
  const struct rts_plan* plan = leader->stage->plan;
  const struct rts_hyperepoch* h = &plan->hyperepochs[leader->hyperepoch];
  rts_fail(text, "frame %" PRIu64 " of hyperepoch '%s' does not end", frame, rts_name(plan, h->name));
  for (uint32_t i = h->first_job; i < h->first_job + h->jobs; ++i) {
    const struct rts_job* job = &plan->jobs[i];
    const struct rts_slot* slot = leader->stage->slots[i];
    const uint32_t wanted = (uint32_t)(frame + 1);
    if (!rts_runs_in(job, frame) || rts_reached(rts_load(&slot->done), wanted) || !could_run(leader, i, frame)) continue;
    const bool runs = rts_reached(rts_load(&slot->started), wanted);
    const int64_t now = rts_now();
    const int64_t at = rts_load_value(&slot->started_at);
    const pid_t process = leader->stage->processes[rts_client_of(plan, job)];
    const size_t used = strlen(text->text);
    char doing[96] = "has not started";
    if (runs && at >= 0 && at <= now) snprintf(doing, sizeof doing, "has run for %" PRId64 " ms", (now - at) / 1000000);
    snprintf(text->text + used, sizeof text->text - used, "; '%s' (WCET %.3f ms) %s: process %ld of client '%s' %s",
             rts_name(plan, rts_runnable_of(plan, job)->label), (double)job->wcet / 1e6, doing, (long)process, client_name(plan, job),
             state_of(process));
  }
}
