// The stream in the host's memory: a queue of functions, which the thread of the stream's line runs.
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "rta_static.h"

struct item {
  struct item* next;
  rta_static_runnable function;  // null: the mark of a ticket
  void* data;
  uint32_t ticket;
};

struct rta_static_host_stream {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct item* first;
  struct item** last;  // where the next one is put
  struct item* spare;  // once used, so that nothing is allocated later
  bool cancelled;
};

rta_static_host_stream* rta_static_host_stream_create(void) {
  rta_static_host_stream* stream = calloc(1, sizeof *stream);
  if (stream == NULL) return NULL;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&stream->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_cond_init(&stream->changed, NULL);
  stream->last = &stream->first;
  return stream;
}

static void free_items(struct item* item) {
  while (item != NULL) {
    struct item* next = item->next;
    free(item);
    item = next;
  }
}

void rta_static_host_stream_destroy(rta_static_host_stream* stream) {
  if (stream == NULL) return;
  free_items(stream->first);
  free_items(stream->spare);
  pthread_cond_destroy(&stream->changed);
  pthread_mutex_destroy(&stream->lock);
  free(stream);
}

static rta_static_status put(rta_static_host_stream* stream, const struct item* content) {
  pthread_mutex_lock(&stream->lock);
  struct item* item = stream->spare;
  if (item != NULL) {
    stream->spare = item->next;
  } else {
    item = malloc(sizeof *item);
  }
  if (item != NULL) {
    *item = *content;
    item->next = NULL;
    *stream->last = item;
    stream->last = &item->next;
    pthread_cond_signal(&stream->changed);
  }
  pthread_mutex_unlock(&stream->lock);
  return item == NULL ? RTA_STATIC_SYSTEM : RTA_STATIC_OK;
}

rta_static_status rta_static_host_stream_submit(rta_static_host_stream* stream, rta_static_runnable function, void* data) {
  if (stream == NULL || function == NULL) return RTA_STATIC_MISUSE;
  return put(stream, &(struct item){.function = function, .data = data});
}

// The stream is its own state.
static const char* host_open(void* stream, uint32_t most, int holds, void** state) {
  (void)most;
  (void)holds;
  *state = stream;
  return stream == NULL ? "the stream is null" : NULL;
}

// Nothing runs before `finish`.
static const char* host_hold(void* state, uint32_t ticket) {
  (void)state;
  (void)ticket;
  return NULL;
}
static void host_release(void* state, uint32_t ticket) {
  (void)state;
  (void)ticket;
}

static const char* host_mark(void* state, uint32_t ticket) {
  return put(state, &(struct item){.ticket = ticket}) == RTA_STATIC_OK ? NULL : "out of memory";
}

// The next of the queue; false after `cancel`.
static bool take(rta_static_host_stream* stream, struct item* taken) {
  pthread_mutex_lock(&stream->lock);
  while (stream->first == NULL && !stream->cancelled) pthread_cond_wait(&stream->changed, &stream->lock);
  struct item* item = stream->cancelled ? NULL : stream->first;
  if (item != NULL) {
    *taken = *item;
    stream->first = item->next;
    if (stream->first == NULL) stream->last = &stream->first;
    item->next = stream->spare;
    stream->spare = item;
  }
  pthread_mutex_unlock(&stream->lock);
  return item != NULL;
}

static const char* host_finish(void* state, uint32_t ticket) {
  struct item item;
  while (take(state, &item)) {
    if (item.function != NULL) {
      item.function(item.data);
    } else if (item.ticket == ticket) {
      break;
    }
  }
  return NULL;
}

static void host_cancel(void* state) {
  rta_static_host_stream* stream = state;
  pthread_mutex_lock(&stream->lock);
  stream->cancelled = true;
  pthread_cond_broadcast(&stream->changed);
  pthread_mutex_unlock(&stream->lock);
}

// It belongs to whoever created it.
static void host_close(void* state) { (void)state; }

const struct rta_static_engine rta_static_host_engine = {
    .open = host_open,
    .hold = host_hold,
    .mark = host_mark,
    .release = host_release,
    .finish = host_finish,
    .cancel = host_cancel,
    .close = host_close,
};
