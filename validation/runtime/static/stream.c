#include "stream.h"

#include <stdlib.h>

bool rts_stream_open(struct rts_stream_play* stream, uint32_t jobs, bool holds, struct rts_error* error) {
  stream->room = jobs + 1;
  stream->jobs = calloc(stream->room, sizeof *stream->jobs);
  if (stream->jobs == NULL) return rts_fail(error, "out of memory");
  const char* failure = stream->engine->open(stream->stream, jobs, holds ? 1 : 0, &stream->state);
  return failure == NULL || rts_fail(error, "%s", failure);
}

void rts_stream_cancel(struct rts_stream_play* stream) {
  if (stream->state != NULL) stream->engine->cancel(stream->state);
}

void rts_stream_close(struct rts_stream_play* stream) {
  if (stream->state != NULL) stream->engine->close(stream->state);
  stream->state = NULL;
  free(stream->jobs);
  stream->jobs = NULL;
}

bool rts_stream_begin_submission(struct rts_stream_play* stream, bool hold, struct rts_error* error) {
  const char* failure = hold ? stream->engine->hold(stream->state, stream->submitted + 1) : NULL;
  return failure == NULL || rts_fail(error, "%s", failure);
}

bool rts_stream_end_submission(struct rts_stream_play* stream, uint32_t job, struct rts_error* error) {
  const uint32_t ticket = ++stream->submitted;
  __atomic_store_n(&stream->jobs[ticket % stream->room], job, __ATOMIC_RELEASE);
  const char* failure = stream->engine->mark(stream->state, ticket);
  return failure == NULL || rts_fail(error, "%s", failure);
}

bool rts_stream_finish(struct rts_stream_play* stream, uint32_t job, struct rts_error* error) {
  const uint32_t ticket = ++stream->finished;
  stream->engine->release(stream->state, ticket);
  const char* failure = stream->engine->finish(stream->state, ticket);
  if (failure != NULL) return rts_fail(error, "%s", failure);
  if (__atomic_load_n(&stream->jobs[ticket % stream->room], __ATOMIC_ACQUIRE) != job)
    return rts_fail(error, "work came into its stream in another order than the schedule has");
  return true;
}
