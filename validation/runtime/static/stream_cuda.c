// Streams of CUDA: an event marks the end of each submission, a stream memory operation holds one back. Compiles as C and as C++.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "rta_static_cuda.h"
#include "static/fence.h"
#include "static/stream_gate.h"

struct cuda_play {
  cudaStream_t stream;
  int device;
  rts_wait_value wait_value;  // null: nothing can be held back
  uint32_t* gate;             // mapped host memory: the last ticket that was released
  void* gate_on_device;
  cudaEvent_t* events;  // by ticket modulo `count`
  uint32_t count;
  uint32_t held;         // the last ticket that was
  uint32_t marked;       // fence, in this process
  uint32_t cancelled;    // not 0: nobody waits any more
  pthread_mutex_t lock;  // whoever moves the gate has it, so that it never goes back
};

static void cuda_close(void* state) {
  struct cuda_play* play = (struct cuda_play*)state;
  for (uint32_t i = 0; i < play->count; ++i) {
    if (play->events[i] != NULL) cudaEventDestroy(play->events[i]);
  }
  if (play->gate != NULL) cudaFreeHost(play->gate);
  pthread_mutex_destroy(&play->lock);
  free(play->events);
  free(play);
}

static const char* make_gate(struct cuda_play* play) {
  play->wait_value = rts_gate_function();
  if (play->wait_value == NULL) return "the CUDA driver has no stream memory operations, which this schedule needs";
  void* gate = NULL;
  if (cudaHostAlloc(&gate, sizeof *play->gate, cudaHostAllocMapped) != cudaSuccess) return "no pinned host memory";
  play->gate = (uint32_t*)gate;
  *play->gate = 0;
  return cudaHostGetDevicePointer(&play->gate_on_device, gate, 0) == cudaSuccess ? NULL : "the device cannot read host memory";
}

static const char* cuda_open(void* stream, uint32_t most, int holds, void** state) {
  struct cuda_play* play = (struct cuda_play*)calloc(1, sizeof *play);
  cudaEvent_t* events = (cudaEvent_t*)calloc(most + (size_t)1, sizeof *events);
  if (play == NULL || events == NULL) {
    free(play);
    free(events);
    return "out of memory";
  }
  pthread_mutex_init(&play->lock, NULL);
  play->stream = (cudaStream_t)stream;
  play->events = events;
  play->count = most + 1;
  const char* failure = cudaGetDevice(&play->device) == cudaSuccess ? NULL : "no CUDA device";
  if (failure == NULL && holds) failure = make_gate(play);
  for (uint32_t i = 0; failure == NULL && i < play->count; ++i) {
    if (cudaEventCreateWithFlags(&events[i], cudaEventBlockingSync | cudaEventDisableTiming) != cudaSuccess) failure = "no CUDA event";
  }
  if (failure != NULL) {
    cuda_close(play);
    return failure;
  }
  *state = play;
  return NULL;
}

static const char* cuda_hold(void* state, uint32_t ticket) {
  struct cuda_play* play = (struct cuda_play*)state;
  if (rts_load(&play->cancelled) != 0) return NULL;
  rts_store(&play->held, ticket);
  int before = 0;
  if (cudaGetDevice(&before) != cudaSuccess || cudaSetDevice(play->device) != cudaSuccess) return "the CUDA device is gone";
  const bool good = rts_gate_hold(play->wait_value, play->stream, play->gate_on_device, ticket);
  if (cudaSetDevice(before) != cudaSuccess) return "the CUDA device is gone";
  return good ? NULL : "the CUDA driver refused to hold the stream back";
}

static const char* cuda_mark(void* state, uint32_t ticket) {
  struct cuda_play* play = (struct cuda_play*)state;
  if (cudaEventRecord(play->events[ticket % play->count], play->stream) != cudaSuccess)
    return "CUDA reports an error of what was submitted";
  rts_signal(&play->marked, ticket);
  return NULL;
}

static void move_gate(struct cuda_play* play, uint32_t to) {
  if (play->gate != NULL) __atomic_store_n(play->gate, to, __ATOMIC_SEQ_CST);
}

static void cuda_release(void* state, uint32_t ticket) {
  struct cuda_play* play = (struct cuda_play*)state;
  pthread_mutex_lock(&play->lock);
  if (rts_load(&play->cancelled) == 0) move_gate(play, ticket);
  pthread_mutex_unlock(&play->lock);
}

static const char* cuda_finish(void* state, uint32_t ticket) {
  struct cuda_play* play = (struct cuda_play*)state;
  const uint32_t never = 0;
  struct rts_patience patience = {0, RTS_NEVER, &play->cancelled, &never};
  if (rts_await(&play->marked, ticket, &patience) != RTS_REACHED) return NULL;
  return cudaEventSynchronize(play->events[ticket % play->count]) == cudaSuccess ? NULL : "CUDA reports an error of what ran";
}

static void cuda_cancel(void* state) {
  struct cuda_play* play = (struct cuda_play*)state;
  pthread_mutex_lock(&play->lock);
  rts_store(&play->cancelled, 1);
  rts_futex_wake(&play->cancelled);
  rts_futex_wake(&play->marked);
  // Far enough for a submission that has not noticed yet.
  move_gate(play, rts_load(&play->held) + (1U << 30U));
  pthread_mutex_unlock(&play->lock);
}

const struct rta_static_engine rta_static_cuda_engine = {cuda_open,   cuda_hold,   cuda_mark, cuda_release,
                                                         cuda_finish, cuda_cancel, cuda_close};
