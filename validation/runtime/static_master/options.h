// The master's command line.
#ifndef RTM_OPTIONS_H
#define RTM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rtm_overrun { RTM_SKIP, RTM_RUN_ON };

struct rtm_options {
  const char* plan;
  const char* trace;         // null: none
  uint64_t frames;           // of each hyperepoch; UINT64_MAX: no end
  int64_t duration;          // in which frames begin; RTS_NEVER: no end
  enum rtm_overrun overrun;  // when the frame after a late one begins
  int64_t watchdog;          // a frame takes no longer; 0: chosen for each hyperepoch
  int64_t patience;          // for clients to come
  int64_t spin;              // in which threads wait awake, on processors of their own
  bool real_time;            // SCHED_FIFO
  bool quiet;
  char** processors;  // CORE=NUMBER
  size_t processor_count;
  char** program;  // started for each client; null: clients come by themselves
};

/// Does not return for --help and for what is wrong.
void rtm_read_options(struct rtm_options* options, int argc, char** argv);

#endif
