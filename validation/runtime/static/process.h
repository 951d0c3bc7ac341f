// This process's part in a run, and what each of its threads needs to play a line. One thread changes it (the caller of rta_static_*),
// before the lines are played and after they have ended.
#ifndef RTS_PROCESS_H
#define RTS_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "plan.h"
#include "region.h"
#include "rta_static.h"
#include "stream.h"

/// What was registered for a runnable.
struct rts_binding {
  rta_static_runnable runnable;
  void (*call)(void* stream, void (*function)(void), void* data);  // of submitters
  void (*function)(void);
  void* data;
};

enum rts_stage { RTS_IDLE, RTS_CONNECTED, RTS_PLAYING, RTS_OVER };

/// Why a line ended.
enum rts_line_end {
  RTS_LINE_PLAYS,
  RTS_LINE_OVER,     // the last frame was played
  RTS_LINE_STOPPED,  // everything was stopped
  RTS_LINE_FAULT     // something went wrong in it
};

struct rts_process;

struct rts_line_play {
  struct rts_process* process;
  uint32_t line;
  pthread_t thread;
  bool started;
  uint32_t end;  // an rts_line_end; fence-like: what the thread wrote before is seen
  uint32_t job;  // + 1, while a function of this process runs; 0: none
  int refused_level;
  int refused_processor;
  struct rts_error fault;
};

struct rts_process {
  enum rts_stage stage;
  char name[RTS_LONGEST_NAME + 1];
  int socket;
  uint32_t index;

  const void* plan_bytes;
  size_t plan_size;
  struct rts_plan plan;
  const struct rts_page* page;
  size_t page_size;

  struct rts_slot* own;  // slots of this client's jobs, in their order
  size_t own_size;
  const struct rts_slot* base[RTS_MOST_CLIENTS];  // of all clients, read-only
  size_t base_size[RTS_MOST_CLIENTS];
  uint32_t peers;  // of which the slots are known, from the first on
  const struct rts_slot** slots;
  unsigned char* awaited;

  struct rts_binding* bindings;     // by runnable
  struct rts_stream_play* streams;  // by stream
  struct rts_line_play* lines;      // this client's
  uint32_t line_count;
  uint32_t lost;  // not 0: the run is over for this process, whatever the master says
  int progress;   // eventfd: a line is ready or has ended
  bool stuck;     // a thread was left behind
};

extern struct rts_process rts_process;

/// Plays a line until the run is over; the start of its thread.
void* rts_play_line(void* line_play);

/// Called after each wake-up, before the job starts; null in real programs. For tests that wake up late on purpose.
extern void (*rts_after_wake_up)(void);
/// When the job that the calling thread runs was started.
int64_t rts_started_at(void);
/// That job, and the frame of its hyperepoch from 0.
struct rts_playing {
  uint32_t job;
  uint64_t frame;
};
struct rts_playing rts_playing_now(void);

#endif
