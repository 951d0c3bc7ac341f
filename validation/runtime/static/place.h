// Where a master and its clients meet: a socket in a folder that belongs to the user alone, named after the schedule's identifier.
#ifndef RTS_PLACE_H
#define RTS_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct rts_place {
  char socket[104];  // paths; the longest that a socket may have is 107
  char lock[104];
  char made[32];        // the folder that `rts_place_choose` made; empty: none
  int lock_descriptor;  // of the master that holds the place; else -1
};

/// The paths for an identifier. The folder is made, mode 0700, where it is missing: $XDG_RUNTIME_DIR/rta-static, or /tmp/rta-static-UID
/// where there is no such variable. Refused where it belongs to others or is open to them.
bool rts_place_find(struct rts_place* place, uint32_t identifier, struct rts_error* error);
/// The same for a master: where that folder in /tmp is not this user's alone, since anybody may have made it first, one with a random name
/// takes its place, which its clients have to be told.
bool rts_place_choose(struct rts_place* place, uint32_t identifier, struct rts_error* error);
/// The socket of the only master in that folder.
bool rts_place_find_only(struct rts_place* place, struct rts_error* error);

/// Takes the place for this process and listens; what an earlier master left there after it was killed is removed. Refused while another
/// master has it. The listening socket, mode 0600, or -1.
int rts_place_take(struct rts_place* place, struct rts_error* error);
/// Removes what `rts_place_take` made.
void rts_place_leave(struct rts_place* place, int listening);

/// A connection to the master of the same user at that path; -1: refused, or nobody is there, which `retry` tells.
int rts_place_connect(const char* path, bool* retry, struct rts_error* error);

#endif
