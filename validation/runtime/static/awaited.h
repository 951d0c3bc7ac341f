// Which jobs somebody else waits for.
#ifndef RTS_AWAITED_H
#define RTS_AWAITED_H

#include <stdbool.h>

#include "plan.h"

enum rts_awaited {
  RTS_BY_OTHERS = 1,        // by a job of another line
  RTS_START_BY_OTHERS = 2,  // its start, by a job of another line
  RTS_BY_THE_FRAME = 4      // by the end of the frame: in some frame nothing comes after it
};

/// Sets `awaited` of every job to a sum of the above. A frame has ended when all its jobs that the frame's end awaits have.
void rts_find_awaited(const struct rts_plan* plan, unsigned char* awaited);

#endif
