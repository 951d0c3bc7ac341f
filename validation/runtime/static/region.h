// Memory that processes share: memfds, sealed so that nobody can shorten them (which would kill whoever reads on), and that nobody but
// their maker can write to, not even by opening them anew. They have no name and are gone with the last process that has them.
//
//   plan           written by the master, then by nobody
//   master's page  written by the master: frames, settings, the end
//   slots          of each client, written by that client: fences and records of its jobs
#ifndef RTS_REGION_H
#define RTS_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "plan.h"

/// What one run of a job was; times are instants.
struct rts_record {
  uint32_t frame;  // its number + 1, wrapped
  uint32_t reserved;
  int64_t start, end;
  int64_t consumed;  // CPU time of its thread, ns
};

/// One per job. The next frame begins only after the master has copied what the last one left.
struct rts_slot {
  uint32_t done;     // fence: the number + 1 of the last frame in which the job has ended
  uint32_t started;  // the same for its start
  int64_t started_at;
  struct rts_record record;
  char padding[16];  // to a whole cache line: neighbours do not slow each other down
};

struct rts_frame {
  uint32_t published;  // fence: the number + 1 of the last frame whose start is known
  uint32_t reserved;
  int64_t start;  // of that frame; RTS_NEVER: there is no such frame, the run is over
  char padding[48];
};

/// How a line is to be played.
struct rts_setting {
  int32_t processor;  // -1: any
  int32_t level;      // of SCHED_FIFO; 0: SCHED_OTHER
  int64_t spin;       // ns in which a thread waits awake
};

struct rts_page {
  uint32_t stop;  // not 0: leave at once
  char padding[60];
  // struct rts_frame of each hyperepoch, then struct rts_setting of each line
};

static inline struct rts_frame* rts_frames(struct rts_page* page) { return (struct rts_frame*)(page + 1); }
static inline const struct rts_frame* rts_frames_of(const struct rts_page* page) { return (const struct rts_frame*)(page + 1); }
static inline struct rts_setting* rts_settings(struct rts_page* page, const struct rts_plan* plan) {
  return (struct rts_setting*)(rts_frames(page) + plan->header->hyperepochs.count);
}
static inline const struct rts_setting* rts_settings_of(const struct rts_page* page, const struct rts_plan* plan) {
  return (const struct rts_setting*)(rts_frames_of(page) + plan->header->hyperepochs.count);
}

size_t rts_page_size(const struct rts_plan* plan);
size_t rts_slots_size(const struct rts_plan* plan, uint32_t client);

/// New memory of zeros, mapped for this process, which alone can write to it. The descriptor, or -1.
int rts_region_create(const char* name, size_t size, void** memory, struct rts_error* error);
/// New memory with these bytes that nobody can change any more. The descriptor, or -1.
int rts_region_create_constant(const char* name, const void* bytes, size_t size, struct rts_error* error);
/// Another process's memory, read-only; null where it is not `size` bytes (0: any) that can neither be shortened nor written to by third
/// parties (`constant`: by anybody). The size is stored where `size` is 0.
const void* rts_region_map(int descriptor, size_t* size, bool constant, struct rts_error* error);

/// Where each job's slot is, given where each client's slots are: `slots[j] = base[client of j] + number of j among the client's jobs`.
void rts_place_slots(const struct rts_plan* plan, const struct rts_slot* const* base, const struct rts_slot** slots);

#endif
