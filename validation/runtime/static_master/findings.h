// What a run says of itself: told at once on standard error, and written at the end of the trace.
#ifndef RTM_FINDINGS_H
#define RTM_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

enum rtm_outcome { RTM_OK, RTM_WARNING, RTM_FAILED };

struct rtm_finding {
  enum rtm_outcome outcome;
  char name[64];
  char text[512];
};

struct rtm_findings {
  struct rtm_finding* all;
  size_t count;
  size_t room;
  bool failed;  // one of them is a failure
  bool quiet;   // only failures are told
};

const char* rtm_outcome_name(enum rtm_outcome outcome);
/// Without memory it is told all the same.
__attribute__((format(printf, 4, 5))) void rtm_find(struct rtm_findings* findings, enum rtm_outcome outcome, const char* name,
                                                    const char* format, ...);
void rtm_findings_free(struct rtm_findings* findings);

#endif
