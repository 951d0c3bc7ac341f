#include "conversation.h"

#include <errno.h>
#include <poll.h>

#include "clock.h"

bool rts_await_message(int socket, int64_t until, struct rts_received* received, struct rts_error* error) {
  for (;;) {
    switch (rts_receive(socket, received)) {
      case RTS_GOT: return true;
      case RTS_CLOSED: return rts_fail(error, "the master is gone");
      case RTS_FOREIGN: return rts_fail(error, "the master speaks another version");
      case RTS_NOTHING: break;
    }
    const int64_t left = until == RTS_NEVER ? RTS_NEVER : until - rts_now();
    if (left <= 0) return rts_fail(error, "the master does not answer");
    struct pollfd wanted = {.fd = socket, .events = POLLIN};
    if (poll(&wanted, 1, left > 1000000000 ? 1000 : (int)(left / 1000000) + 1) < 0 && errno != EINTR)
      return rts_fail_errno(error, "the socket cannot be waited for");
  }
}
