#include "awaited.h"

#include <string.h>

void rts_find_awaited(const struct rts_plan* plan, unsigned char* awaited) {
  const uint32_t count = plan->header->jobs.count;
  memset(awaited, RTS_BY_THE_FRAME, count);
  for (uint32_t i = 0; i < count; ++i) {
    const struct rts_job* job = &plan->jobs[i];
    const struct rts_line* line = &plan->lines[job->line];
    // A runnable that shares its slot with others does not run in every frame, so what comes before it may be the last of some frame.
    if (i > line->first_job && rts_is_part(job[-1].cycle, job[-1].phase, job->cycle, job->phase))
      awaited[i - 1] &= (unsigned char)~RTS_BY_THE_FRAME;
    for (uint32_t w = 0; w < job->waits; ++w) {
      const struct rts_wait* wait = &plan->waits[job->first_wait + w];
      const struct rts_job* on = &plan->jobs[wait->job];
      if (on->line != job->line) awaited[wait->job] |= wait->started != 0 ? RTS_START_BY_OTHERS : RTS_BY_OTHERS;
      const bool always =
          rts_is_part(on->cycle, on->phase, job->cycle, job->phase) && rts_is_part(on->cycle, on->phase, wait->cycle, wait->phase);
      if (always && wait->started == 0) awaited[wait->job] &= (unsigned char)~RTS_BY_THE_FRAME;
    }
  }
}
