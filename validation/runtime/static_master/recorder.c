#include "recorder.h"

#include <stdlib.h>
#include <time.h>

void rtm_put(struct rtm_ring* ring, const struct rtm_entry* entry) {
  if (ring->entries == NULL) return;
  const size_t put = ring->put;
  if (put - __atomic_load_n(&ring->taken, __ATOMIC_ACQUIRE) == ring->room) {
    ++ring->lost;
    return;
  }
  ring->entries[put & (ring->room - 1)] = *entry;
  __atomic_store_n(&ring->put, put + 1, __ATOMIC_RELEASE);
}

static void take(struct rtm_recorder* recorder, struct rtm_ring* ring) {
  const size_t put = __atomic_load_n(&ring->put, __ATOMIC_ACQUIRE);
  for (size_t at = ring->taken; at != put; ++at) {
    const struct rtm_entry entry = ring->entries[at & (ring->room - 1)];
    __atomic_store_n(&ring->taken, at + 1, __ATOMIC_RELEASE);
    if (entry.epoch == RTS_NONE) {
      rtm_trace_job(recorder->trace, &entry.record);
    } else {
      rtm_trace_epoch(recorder->trace, entry.epoch, entry.record.number, entry.record.start, entry.record.end);
    }
  }
}

static void* write_records(void* argument) {
  struct rtm_recorder* recorder = argument;
  for (bool last = false; !last;) {
    last = __atomic_load_n(&recorder->end, __ATOMIC_ACQUIRE) != 0;
    for (uint32_t i = 0; i < recorder->count; ++i) take(recorder, &recorder->rings[i]);
    rtm_trace_flush(recorder->trace);
    const struct timespec pause = {.tv_nsec = 10000000};
    if (!last) nanosleep(&pause, NULL);
  }
  return NULL;
}

static size_t ring_room(const struct rts_plan* plan, uint32_t hyperepoch) {
  const struct rts_hyperepoch* h = &plan->hyperepochs[hyperepoch];
  size_t frame = h->jobs;
  for (uint32_t i = 0; i < plan->header->epochs.count; ++i) frame += plan->epochs[i].hyperepoch == hyperepoch ? plan->epochs[i].frames : 0;
  const size_t least = 1U << 14U;
  const size_t most = 1U << 22U;
  const size_t frames = h->period > 0 ? (size_t)(INT64_C(2000000000) / h->period) + 4 : 64;
  size_t room = least;
  while (room < most && room / frame < frames) room *= 2;
  while (room < 4 * frame) room *= 2;
  return room;
}

bool rtm_recorder_start(struct rtm_recorder* recorder, struct rtm_trace_file* trace, const struct rts_plan* plan, struct rts_error* error) {
  *recorder = (struct rtm_recorder){.trace = trace, .count = plan->header->hyperepochs.count};
  recorder->rings = calloc(recorder->count, sizeof *recorder->rings);
  if (recorder->rings == NULL) return rts_fail(error, "out of memory");
  if (trace->descriptor < 0) return true;  // rings without room take nothing
  for (uint32_t i = 0; i < recorder->count; ++i) {
    struct rtm_ring* ring = &recorder->rings[i];
    ring->room = ring_room(plan, i);
    ring->entries = calloc(ring->room, sizeof *ring->entries);
    if (ring->entries == NULL) return rts_fail(error, "out of memory for the trace");
  }
  recorder->started = pthread_create(&recorder->thread, NULL, write_records, recorder) == 0;
  return recorder->started || rts_fail(error, "a thread cannot be made");
}

uint64_t rtm_recorder_end(struct rtm_recorder* recorder) {
  __atomic_store_n(&recorder->end, 1, __ATOMIC_RELEASE);
  if (recorder->started) pthread_join(recorder->thread, NULL);
  uint64_t lost = 0;
  for (uint32_t i = 0; recorder->rings != NULL && i < recorder->count; ++i) {
    lost += recorder->rings[i].lost;
    free(recorder->rings[i].entries);
  }
  free(recorder->rings);
  recorder->rings = NULL;
  recorder->started = false;
  return lost;
}
