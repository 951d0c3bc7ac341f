// A client's side of the talk with its master.
#ifndef RTS_CONVERSATION_H
#define RTS_CONVERSATION_H

#include <stdbool.h>
#include <stdint.h>

#include "channel.h"
#include "rta_static.h"

/// The next message; false where none comes until the instant, or the master is gone or speaks another version.
bool rts_await_message(int socket, int64_t until, struct rts_received* received, struct rts_error* error);

/// Remembers why a call failed.
rta_static_status rts_say(rta_static_status status, const struct rts_error* why);

#endif
