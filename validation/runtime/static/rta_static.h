// A process that takes part in a static schedule: it registers its functions by the names in the schedule and enters the scheduler, which
// runs them in the compiled order until the master ends the run.
//
//   rta_static_init("camera");
//   rta_static_register_runnable("detect", detect, &state);
//   if (rta_static_enter() != RTA_STATIC_OK) fprintf(stderr, "%s\n", rta_static_error());
//   rta_static_close();
//
// One client per process. All functions are called by one thread, but for rta_static_exit, which any thread or signal handler may call.
// Each function but the last says RTA_STATIC_OK, or what is wrong; rta_static_error() has the sentence.
//
// In the environment: RTA_STATIC_MASTER, the identifier of the schedule or the path of the master's socket (may be missing where one master
// runs); RTA_STATIC_SCHEDULE, the SHA-256 of the schedule's file that this process is for, in 64 hexadecimal digits (may be missing);
// RTA_STATIC_PATIENCE, the ms in which rta_static_init waits for a master (10000).
#ifndef RTA_STATIC_H
#define RTA_STATIC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rta_static_status {
  RTA_STATIC_OK = 0,
  RTA_STATIC_MISUSE = 1,   // a name that the schedule does not have, something missing, or a call at the wrong time
  RTA_STATIC_REFUSED = 2,  // there is no master, or it does not take this process
  RTA_STATIC_ENDED = 3,    // the run ended early: another process died, hung or asked for it
  RTA_STATIC_LOST = 4,     // the master is gone
  RTA_STATIC_STUCK = 5,    // the run ended early and a function of this process has not returned; its thread is left behind
  RTA_STATIC_SYSTEM = 6    // the system refused something
} rta_static_status;

typedef void (*rta_static_runnable)(void* data);
/// Puts work into the stream and returns; the work is a job of its own.
typedef void (*rta_static_submitter)(void* stream, void* data);

/// What the scheduler asks of a kind of stream. Tickets number what is submitted to a stream: 1, 2, ... `state` is what `open` made. Each
/// function but `release`, `cancel` and `close` says null, or in words why it failed; the text must stay.
struct rta_static_engine {
  /// `most`: how many tickets are submitted at most before the first of them has finished. `holds`: whether `hold` may be called.
  const char* (*open)(void* stream, uint32_t most, int holds, void** state);
  /// Before a submission: what is put into the stream from now on waits for `release` of this ticket or a later one.
  const char* (*hold)(void* state, uint32_t ticket);
  /// After a submission: what was put into the stream since the last mark is the ticket's work.
  const char* (*mark)(void* state, uint32_t ticket);
  /// From another thread: the ticket's work may run.
  void (*release)(void* state, uint32_t ticket);
  /// From that thread, after `release`, perhaps before `mark`: returns when the ticket's work has ended, or after `cancel`.
  const char* (*finish)(void* state, uint32_t ticket);
  /// From any thread: nothing is held back any more, nobody waits any more.
  void (*cancel)(void* state);
  void (*close)(void* state);
};

/// Connects to the master and learns the schedule. Waits for the master to come.
rta_static_status rta_static_init(const char* client);

/// Names are those of the schedule's client, without the client's own.
rta_static_status rta_static_register_runnable(const char* name, rta_static_runnable function, void* data);
rta_static_status rta_static_register_submitter(const char* name, rta_static_submitter function, void* data);
/// The same for a submitter of any other type: `call` gets what was given here and turns `function` back into what it is.
rta_static_status rta_static_register_submitter_of(const char* name, void (*call)(void* stream, void (*function)(void), void* data),
                                                   void (*function)(void), void* data);
/// The stream is handed to submitters as it is, and to the engine's `open`. Both must live until rta_static_close.
rta_static_status rta_static_register_stream(const char* name, const struct rta_static_engine* engine, void* stream);

/// Runs frames until the run is over. Everything that the schedule asks of this client must be registered.
rta_static_status rta_static_enter(void);
/// Asks the master for an orderly end of the run: frames that have begun are played to their end.
void rta_static_exit(void);
/// Frees everything. After RTA_STATIC_STUCK the memory of the thread that was left behind stays.
void rta_static_close(void);

/// Why the last call failed.
const char* rta_static_error(void);

/// A stream in the host's memory: functions that run one after the other, for engines without one of their own and where there is no GPU.
typedef struct rta_static_host_stream rta_static_host_stream;
extern const struct rta_static_engine rta_static_host_engine;
/// Null without memory.
rta_static_host_stream* rta_static_host_stream_create(void);
void rta_static_host_stream_destroy(rta_static_host_stream* stream);
/// Runs the function after all that was submitted before. For submitters. RTA_STATIC_SYSTEM without memory.
rta_static_status rta_static_host_stream_submit(rta_static_host_stream* stream, rta_static_runnable function, void* data);

#ifdef __cplusplus
}
#endif

#endif
