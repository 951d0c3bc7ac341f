// A stream of this client while it is played: what was submitted to it, in which order.
#ifndef RTS_STREAM_H
#define RTS_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "rta_static.h"

/// Submissions are ordered by the schedule, and so are the jobs that finish: each counts its own tickets.
struct rts_stream_play {
  const struct rta_static_engine* engine;  // null: not registered
  void* stream;                            // as its owner knows it
  void* state;                             // as the engine knows it
  uint32_t submitted;
  uint32_t finished;
  uint32_t* jobs;  // that were submitted, by ticket modulo `room`
  uint32_t room;
};

/// `jobs`: how many the stream has in a frame; `holds`: whether some may have to wait after they were submitted. Opens the engine.
bool rts_stream_open(struct rts_stream_play* stream, uint32_t jobs, bool holds, struct rts_error* error);
void rts_stream_cancel(struct rts_stream_play* stream);
void rts_stream_close(struct rts_stream_play* stream);

/// Around the call of a submitter; `hold`: its job may not run yet.
bool rts_stream_begin_submission(struct rts_stream_play* stream, bool hold, struct rts_error* error);
bool rts_stream_end_submission(struct rts_stream_play* stream, uint32_t job, struct rts_error* error);
/// Lets the next job run and waits for its end.
bool rts_stream_finish(struct rts_stream_play* stream, uint32_t job, struct rts_error* error);

#endif
