// One thread of a client: plays the jobs of a line in their order, frame by frame.
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "awaited.h"
#include "fence.h"
#include "process.h"

void (*rts_after_wake_up)(void) = NULL;

static _Thread_local int64_t started_at;
int64_t rts_started_at(void) { return started_at; }

static _Thread_local struct rts_playing playing;
struct rts_playing rts_playing_now(void) { return playing; }

// What the functions below need of a line.
struct scene {
  struct rts_line_play* play;
  const struct rts_plan* plan;
  const struct rts_line* line;
  struct rts_slot* own;  // of the line's first job
  struct rts_patience patience;
  uint64_t frame;
  int64_t start;
};

static const uint32_t* fence_of(const struct scene* scene, const struct rts_wait* wait) {
  const struct rts_slot* slot = scene->play->process->slots[wait->job];
  return wait->started != 0 ? &slot->started : &slot->done;
}

// Until all that the job waits for has happened, and its offset has passed.
static enum rts_outcome await_turn(const struct scene* scene, const struct rts_job* job) {
  for (uint32_t w = 0; w < job->waits; ++w) {
    const struct rts_wait* wait = &scene->plan->waits[job->first_wait + w];
    if (!rts_applies_in(scene->plan, wait, scene->frame)) continue;
    const enum rts_outcome outcome = rts_await(fence_of(scene, wait), (uint32_t)(scene->frame + 1), &scene->patience);
    if (outcome != RTS_REACHED) return outcome;
  }
  const int64_t release = scene->start + job->offset;
  return rts_now() >= release ? RTS_REACHED : rts_sleep_until(release, &scene->patience);
}

// Nobody is woken where nobody can sleep.
static void announce(uint32_t* fence, uint32_t value, bool awaited) {
  if (awaited) {
    rts_signal(fence, value);
  } else {
    rts_store(fence, value);
  }
}

static void begin(const struct scene* scene, uint32_t number) {
  struct rts_slot* slot = &scene->own[number - scene->line->first_job];
  struct rts_record* record = &slot->record;
  record->consumed = -rts_own_cpu_time();
  record->start = rts_now();
  started_at = record->start;
  rts_store_value(&slot->started_at, record->start);
  announce(&slot->started, (uint32_t)(scene->frame + 1), (scene->play->process->awaited[number] & RTS_START_BY_OTHERS) != 0);
}

static void end(const struct scene* scene, uint32_t number) {
  struct rts_slot* slot = &scene->own[number - scene->line->first_job];
  struct rts_record* record = &slot->record;
  record->end = rts_now();
  record->consumed += rts_own_cpu_time();
  record->frame = (uint32_t)(scene->frame + 1);
  announce(&slot->done, record->frame, (scene->play->process->awaited[number] & (RTS_BY_OTHERS | RTS_BY_THE_FRAME)) != 0);
}

// Whether the job of a stream could not start now.
static bool must_be_held(const struct scene* scene, uint32_t number, uint32_t submitter) {
  const struct rts_job* job = &scene->plan->jobs[number];
  for (uint32_t w = 0; w < job->waits; ++w) {
    const struct rts_wait* wait = &scene->plan->waits[job->first_wait + w];
    if (wait->job == submitter || !rts_applies_in(scene->plan, wait, scene->frame)) continue;
    if (!rts_reached(rts_load(fence_of(scene, wait)), (uint32_t)(scene->frame + 1))) return true;
  }
  return rts_now() < scene->start + job->offset;
}

static bool submit(struct scene* scene, uint32_t number) {
  const struct rts_job* job = &scene->plan->jobs[number];
  const struct rts_binding* binding = &scene->play->process->bindings[job->runnable];
  const struct rts_job* work = &scene->plan->jobs[job->submits];
  struct rts_stream_play* stream = &scene->play->process->streams[scene->plan->lines[work->line].stream];
  struct rts_error* fault = &scene->play->fault;
  if (!rts_stream_begin_submission(stream, must_be_held(scene, job->submits, number), fault)) return false;
  binding->call(stream->stream, binding->function, binding->data);
  return rts_stream_end_submission(stream, job->submits, fault);
}

static bool run(struct scene* scene, uint32_t number) {
  struct rts_process* process = scene->play->process;
  const struct rts_job* job = &scene->plan->jobs[number];
  if (scene->line->stream != RTS_NONE) return rts_stream_finish(&process->streams[scene->line->stream], number, &scene->play->fault);
  if (job->submits != RTS_NONE) return submit(scene, number);
  process->bindings[job->runnable].runnable(process->bindings[job->runnable].data);
  return true;
}

static enum rts_line_end play_job(struct scene* scene, uint32_t number) {
  const struct rts_job* job = &scene->plan->jobs[number];
  if (await_turn(scene, job) != RTS_REACHED) return RTS_LINE_STOPPED;
  playing = (struct rts_playing){.job = number, .frame = scene->frame};
  if (rts_after_wake_up != NULL) rts_after_wake_up();
  __atomic_store_n(&scene->play->job, number + 1, __ATOMIC_RELAXED);
  begin(scene, number);
  const bool good = run(scene, number);
  __atomic_store_n(&scene->play->job, 0, __ATOMIC_RELAXED);
  // The work of a stream may have been cut short.
  if (rts_load(scene->patience.stop) != 0 || rts_load(scene->patience.lost) != 0) return RTS_LINE_STOPPED;
  if (!good) return RTS_LINE_FAULT;
  end(scene, number);
  return RTS_LINE_PLAYS;
}

static enum rts_line_end play_frames(struct scene* scene) {
  const struct rts_frame* frames = &rts_frames_of(scene->play->process->page)[scene->line->hyperepoch];
  struct rts_patience asleep = scene->patience;
  asleep.spin = 0;  // between frames there is time
  for (scene->frame = 0;; ++scene->frame) {
    if (rts_await(&frames->published, (uint32_t)(scene->frame + 1), &asleep) != RTS_REACHED) return RTS_LINE_STOPPED;
    // Where this line has no job in the frame, the start may already be that of a later one.
    scene->start = rts_load_value(&frames->start);
    if (scene->start == RTS_NEVER) return RTS_LINE_OVER;
    for (uint32_t i = 0; i < scene->line->jobs; ++i) {
      const uint32_t number = scene->line->first_job + i;
      if (!rts_runs_in(&scene->plan->jobs[number], scene->frame)) continue;
      const enum rts_line_end ended = play_job(scene, number);
      if (ended != RTS_LINE_PLAYS) return ended;
    }
  }
}

// What the kernel does not grant is remembered, and said before the first frame.
static void take_place(struct rts_line_play* play, const struct rts_setting* setting, const char* name) {
  char short_name[16];
  snprintf(short_name, sizeof short_name, "%.15s", name);
  pthread_setname_np(pthread_self(), short_name);
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  if (setting->processor >= 0 && setting->processor < CPU_SETSIZE) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)setting->processor, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) play->refused_processor = errno;
  }
  if (setting->level > 0) {
    const struct sched_param level = {.sched_priority = setting->level};
    if (sched_setscheduler(0, SCHED_FIFO, &level) != 0) play->refused_level = errno;
  }
}

static void tell_progress(const struct rts_process* process) {
  const uint64_t one = 1;
  const ssize_t written = write(process->progress, &one, sizeof one);
  (void)written;  // an eventfd takes 2^64 - 2 of these
}

void* rts_play_line(void* line_play) {
  struct rts_line_play* play = line_play;
  struct rts_process* process = play->process;
  const struct rts_plan* plan = &process->plan;
  const struct rts_line* line = &plan->lines[play->line];
  const struct rts_setting* setting = &rts_settings_of(process->page, plan)[play->line];
  const uint32_t name = line->core != RTS_NONE     ? plan->cores[line->core].name
                        : line->stream != RTS_NONE ? plan->streams[line->stream].name
                                                   : plan->clients[line->client].name;
  take_place(play, setting, rts_name(plan, name));
  uint32_t before = 0;
  for (uint32_t i = 0; i < play->line; ++i) {
    if (plan->lines[i].client == process->index) before += plan->lines[i].jobs;
  }
  struct scene scene = {
      .play = play,
      .plan = plan,
      .line = line,
      .own = process->own + before,
      .patience = {.spin = setting->spin, .deadline = RTS_NEVER, .stop = &process->page->stop, .lost = &process->lost},
  };
  tell_progress(process);
  rts_store(&play->end, (uint32_t)play_frames(&scene));
  tell_progress(process);
  return NULL;
}
