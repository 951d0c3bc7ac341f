// A trace as JSON Lines (schema 1), which `rta compare` reads.
#ifndef RTM_TRACE_FILE_H
#define RTM_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings.h"
#include "static/error.h"
#include "static/plan.h"

struct rtm_trace_file {
  int descriptor;  // -1: none
  const char* path;
  bool created;    // the file was not there before
  bool begun;      // it has a header
  int failure;     // errno of the first write that failed; nothing is written after it
  int64_t origin;  // instants count from it
  const struct rts_plan* plan;
  size_t used;
  char buffer[1 << 16];
};

/// What happened to a job; times are instants.
struct rtm_job_record {
  uint32_t job;
  int32_t processor;  // -1: on none
  uint64_t number;    // of its epoch's frame, from the start of the run
  int64_t release;    // when nothing held it back any more
  int64_t start, end;
  int64_t consumed;
};

/// A file that is there keeps its content until the header is written, and one that is not is removed again where none ever is.
bool rtm_trace_open(struct rtm_trace_file* trace, const char* path, const struct rts_plan* plan, struct rts_error* error);
/// `fields`: more of the header, as `, "key": value`.
void rtm_trace_header(struct rtm_trace_file* trace, int64_t origin, const char* fields);
void rtm_trace_job(struct rtm_trace_file* trace, const struct rtm_job_record* record);
/// A frame of an epoch.
void rtm_trace_epoch(struct rtm_trace_file* trace, uint32_t epoch, uint64_t number, int64_t release, int64_t end);
void rtm_trace_finding(struct rtm_trace_file* trace, const struct rtm_finding* finding);
/// The last line; flushes.
void rtm_trace_end(struct rtm_trace_file* trace, bool complete, uint64_t lost, bool valid);
void rtm_trace_flush(struct rtm_trace_file* trace);
void rtm_trace_close(struct rtm_trace_file* trace);

/// Writes text as a JSON string, cut where it does not fit.
void rtm_json(char* out, size_t size, const char* text);

#endif
