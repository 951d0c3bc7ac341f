// A frame that has ended, or has not: what its slots say. Nothing in them is trusted.
#ifndef RTM_FRAME_END_H
#define RTM_FRAME_END_H

#include <stdbool.h>
#include <stdint.h>

#include "leader.h"

/// Memory for the leader's records; false: there is none.
bool rtm_frame_end_prepare(struct rtm_leader* leader);
void rtm_frame_end_free(struct rtm_leader* leader);

/// Copies what the frame left and checks the copy. The end of its last job, no later than now. False: some record cannot be of this frame.
bool rtm_frame_end(struct rtm_leader* leader, uint64_t frame, int64_t start, int64_t* end, struct rts_error* error);
/// Counts what the frame was and hands it to the trace.
void rtm_record_frame(struct rtm_leader* leader, uint64_t frame, int64_t start, int64_t end);
/// Which jobs of a frame could run and have not ended, and what their processes do.
void rtm_describe_hang(const struct rtm_leader* leader, uint64_t frame, struct rts_error* text);

#endif
