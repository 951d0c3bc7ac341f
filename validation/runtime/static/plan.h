// The plan: a compiled schedule as tables, which the master hands to every client. A file has the same bytes as the memory: tables of the
// records below one after the other, each 8-byte aligned, all numbers in the byte order of the machine. Whoever gets a plan checks it
// once, whole (`rts_plan_open`); from then on it cannot change, and no number in it is checked again.
#ifndef RTS_PLAN_H
#define RTS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define RTS_PLAN_MAGIC "rtaplan"
#define RTS_PLAN_VERSION 1u
#define RTS_PLAN_BYTE_ORDER 0x01020304u
/// No job, no stream, no hardware.
#define RTS_NONE UINT32_MAX

/// Largest numbers of things, so that sums of sizes cannot overflow.
#define RTS_MOST_HYPEREPOCHS 256u
#define RTS_MOST_CLIENTS 120u
#define RTS_MOST_LINES 4096u
#define RTS_MOST_JOBS 1000000u
#define RTS_MOST_WAITS 8000000u
#define RTS_LONGEST_NAME 255u
/// No time of a plan is longer (ns, 36 years), so that sums of a few do not overflow.
#define RTS_LONGEST_TIME (INT64_C(1) << 60)

struct rts_table {
  uint32_t at;     // bytes from the start of the plan
  uint32_t count;  // records; of the text: bytes
};

/// Names are offsets in the text, where each ends with a 0 byte.
struct rts_header {
  char magic[8];
  uint32_t version;
  uint32_t byte_order;
  uint64_t bytes;              // of the whole plan
  unsigned char schedule[32];  // SHA-256 of the schedule's file
  uint32_t identifier;         // tells schedules apart that run side by side, 0 to 65535
  uint32_t file;               // name of the schedule's file
  struct rts_table hyperepochs, epochs, cores, clients, streams, runnables, lines, jobs, waits, text;
};

struct rts_hyperepoch {
  uint32_t name;
  uint32_t first_job, jobs;
  uint32_t reserved;
  int64_t period;  // 0: a frame begins when the one before has ended
  int64_t length;  // proven: all of a frame ends within it, counted from the frame's start
};

/// The frames of an epoch; in traces a DAG of this name, its jobs numbered through all frames.
struct rts_epoch {
  uint32_t name;
  uint32_t hyperepoch;
  uint32_t frames;  // in a frame of its hyperepoch
  uint32_t reserved;
  int64_t period;  // from one to the next
};

/// What runs one job at a time.
struct rts_core {
  uint32_t name;
  uint32_t engine;  // 0: a processor core, to which threads are confined; 1: anything else
};

struct rts_client {
  uint32_t name;
};

/// Work that one client submits in an order.
struct rts_stream {
  uint32_t name;
  uint32_t client;
};

enum rts_kind {
  RTS_CPU,        // a function that does its work
  RTS_SUBMITTER,  // a function that puts work into a stream
  RTS_SUBMITTEE   // what was put there: no function of its own
};

struct rts_runnable {
  uint32_t name;   // that its client registers it by
  uint32_t label;  // its node in traces
  uint32_t client;
  uint32_t kind;
};

/// Jobs that one thread of one client runs one after the other in every frame of a hyperepoch: on a core, or in a stream.
struct rts_line {
  uint32_t client;
  uint32_t hyperepoch;
  uint32_t core;    // RTS_NONE: jobs of a stream, or of no core
  uint32_t stream;  // RTS_NONE: not of a stream
  uint32_t first_job, jobs;
};

/// A runnable in one frame of its epoch. It runs in those frames n of the hyperepoch that are `phase` modulo `cycle` (runnables of an
/// alias group share a slot in turn), once all jobs that it waits for have ended and its offset has passed since the frame's start.
struct rts_job {
  uint32_t runnable;
  uint32_t epoch;
  uint32_t frame;  // of its epoch, less than the epoch's frames
  uint32_t line;
  uint32_t cycle, phase;
  uint32_t submits;  // of a submitter: the job that it puts into the stream; else RTS_NONE
  uint32_t first_wait, waits;
  uint32_t reserved;
  int64_t offset;  // from the frame's start
  int64_t wcet;
  int64_t finish;  // proven: it ends within it, counted from the frame's start
};

/// A job of the same hyperepoch that must have ended before, in those frames that are `phase` modulo `cycle` and in which it runs.
struct rts_wait {
  uint32_t job;
  uint32_t started;  // 1: it must have started, no more
  uint32_t cycle, phase;
};

/// The tables of a checked plan.
struct rts_plan {
  const struct rts_header* header;
  const struct rts_hyperepoch* hyperepochs;
  const struct rts_epoch* epochs;
  const struct rts_core* cores;
  const struct rts_client* clients;
  const struct rts_stream* streams;
  const struct rts_runnable* runnables;
  const struct rts_line* lines;
  const struct rts_job* jobs;
  const struct rts_wait* waits;
  const char* text;
};

/// Checks all of it: sizes, every number that refers to something, names, times, that every job of a stream has one submitter in the same
/// process, and that no jobs wait for each other. The plan must stay where it is.
bool rts_plan_open(struct rts_plan* plan, const void* bytes, size_t size, struct rts_error* error);

static inline const char* rts_name(const struct rts_plan* plan, uint32_t name) { return plan->text + name; }
static inline const struct rts_runnable* rts_runnable_of(const struct rts_plan* plan, const struct rts_job* job) {
  return &plan->runnables[job->runnable];
}
static inline uint32_t rts_client_of(const struct rts_plan* plan, const struct rts_job* job) { return plan->lines[job->line].client; }
/// Whether a job runs in that frame of its hyperepoch.
static inline bool rts_runs_in(const struct rts_job* job, uint64_t frame) { return frame % job->cycle == job->phase; }
/// Whether a wait is one in that frame.
static inline bool rts_applies_in(const struct rts_plan* plan, const struct rts_wait* wait, uint64_t frame) {
  return frame % wait->cycle == wait->phase && rts_runs_in(&plan->jobs[wait->job], frame);
}
/// Whether every frame that is `phase` modulo `cycle` is also `of_phase` modulo `of_cycle`.
static inline bool rts_is_part(uint32_t cycle, uint32_t phase, uint32_t of_cycle, uint32_t of_phase) {
  return cycle % of_cycle == 0 && phase % of_cycle == of_phase;
}

/// The client of that name, or RTS_NONE.
uint32_t rts_find_client(const struct rts_plan* plan, const char* name);
/// The clients' names, separated by ", ", as far as they fit.
const char* rts_client_names(const struct rts_plan* plan, char* text, size_t size);

#endif
