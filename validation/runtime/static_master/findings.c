#include "findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char* rtm_outcome_name(enum rtm_outcome outcome) { return outcome == RTM_OK ? "ok" : outcome == RTM_WARNING ? "warning" : "failed"; }

void rtm_find(struct rtm_findings* findings, enum rtm_outcome outcome, const char* name, const char* format, ...) {
  struct rtm_finding finding = {.outcome = outcome};
  snprintf(finding.name, sizeof finding.name, "%s", name);
  va_list values;
  va_start(values, format);
  vsnprintf(finding.text, sizeof finding.text, format, values);
  va_end(values);
  if (outcome == RTM_FAILED) findings->failed = true;
  if (outcome == RTM_FAILED || (outcome == RTM_WARNING && !findings->quiet))
    fprintf(stderr, "master: %s%s\n", outcome == RTM_WARNING ? "warning: " : "", finding.text);
  if (findings->count == findings->room) {
    const size_t room = findings->room == 0 ? 16 : 2 * findings->room;
    struct rtm_finding* all = realloc(findings->all, room * sizeof *all);
    if (all == NULL) return;
    findings->all = all;
    findings->room = room;
  }
  findings->all[findings->count++] = finding;
}

void rtm_findings_free(struct rtm_findings* findings) {
  free(findings->all);
  findings->all = NULL;
  findings->count = findings->room = 0;
}
