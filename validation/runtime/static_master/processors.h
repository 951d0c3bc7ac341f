// Which processor each core of the schedule is, and how its threads are to be scheduled.
#ifndef RTM_PROCESSORS_H
#define RTM_PROCESSORS_H

#include <stdbool.h>

#include "findings.h"
#include "options.h"
#include "static/error.h"
#include "static/plan.h"
#include "static/region.h"

/// Levels of SCHED_FIFO: what starts frames above what waits for streams above what computes.
enum { RTM_FRAME_LEVEL = 98, RTM_STREAM_LEVEL = 97, RTM_JOB_LEVEL = 50 };

/// Writes the setting of every line to the page. Cores take the processors that the options name, then the next free ones. Where there
/// are too few, cores share them, and the findings say that the run is not what was proven. False: an option names no core or processor.
bool rtm_assign_processors(const struct rts_plan* plan, const struct rtm_options* options, struct rts_page* page,
                           struct rtm_findings* findings, struct rts_error* error);

/// The processor of a core's line, or -1.
int rtm_processor_of(const struct rts_plan* plan, const struct rts_page* page, const struct rts_job* job);

#endif
