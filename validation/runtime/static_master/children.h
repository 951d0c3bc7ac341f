// Processes that the master has started, one for each client.
#ifndef RTM_CHILDREN_H
#define RTM_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "static/error.h"

struct rtm_child {
  pid_t process;  // 0: none was started
  bool ended;
  int status;  // as of waitpid, once it has ended
};

/// Starts the program with {} in its words replaced by the client's name. The child is in a process group of its own, is killed with the
/// master, and finds the master by its socket's path; it is for that schedule alone.
bool rtm_child_start(struct rtm_child* child, char* const* program, const char* client, const char* socket, const char* schedule,
                     struct rts_error* error);
/// Takes note when it has ended, waiting for at most so many ms. Whether it has.
bool rtm_child_reap(struct rtm_child* child, int wait_ms);
/// How it ended, e.g. "was killed by signal 9 (Killed)".
const char* rtm_child_end(const struct rtm_child* child, char* text, size_t size);
/// SIGTERM to its group, SIGKILL half a second later, to a stopped one, too.
void rtm_child_kill(struct rtm_child* child);

#endif
