#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// No line is longer: three names, six bytes for each character, and numbers.
#define LONGEST_LINE 8192

void rtm_json(char* out, size_t size, const char* text) {
  size_t used = 0;
  out[used++] = '"';
  for (const char* c = text; *c != '\0' && used + 8 < size; ++c) {
    if (*c == '"' || *c == '\\') {
      out[used++] = '\\';
      out[used++] = *c;
    } else if ((unsigned char)*c < 0x20) {
      used += (size_t)snprintf(out + used, 7, "\\u%04x", (unsigned)(unsigned char)*c);
    } else {
      out[used++] = *c;
    }
  }
  out[used++] = '"';
  out[used] = '\0';
}

bool rtm_trace_open(struct rtm_trace_file* trace, const char* path, const struct rts_plan* plan, struct rts_error* error) {
  memset(trace, 0, sizeof *trace);
  trace->plan = plan;
  trace->descriptor = -1;
  if (path == NULL) return true;
  trace->path = path;
  trace->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  trace->created = trace->descriptor >= 0;
  if (!trace->created && errno == EEXIST) trace->descriptor = open(path, O_WRONLY | O_CLOEXEC);
  return trace->descriptor >= 0 || rts_fail_errno(error, "--output '%s': cannot be written", path);
}

void rtm_trace_flush(struct rtm_trace_file* trace) {
  size_t done = 0;
  while (trace->descriptor >= 0 && trace->failure == 0 && done < trace->used) {
    const ssize_t count = write(trace->descriptor, trace->buffer + done, trace->used - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) __atomic_store_n(&trace->failure, errno, __ATOMIC_RELAXED);
    if (count > 0) done += (size_t)count;
  }
  trace->used = 0;
}

__attribute__((format(printf, 2, 3))) static void print(struct rtm_trace_file* trace, const char* format, ...) {
  if (trace->descriptor < 0 || trace->failure != 0) return;
  if (sizeof trace->buffer - trace->used < LONGEST_LINE) rtm_trace_flush(trace);
  va_list values;
  va_start(values, format);
  const int count = vsnprintf(trace->buffer + trace->used, sizeof trace->buffer - trace->used, format, values);
  va_end(values);
  if (count > 0 && (size_t)count < sizeof trace->buffer - trace->used) trace->used += (size_t)count;
}

void rtm_trace_header(struct rtm_trace_file* trace, int64_t origin, const char* fields) {
  trace->origin = origin;
  trace->begun = true;
  // What cannot be shortened (a device, a pipe) is written to all the same.
  if (trace->descriptor >= 0 && ftruncate(trace->descriptor, 0) != 0 && errno != EINVAL) trace->failure = errno;
  const struct rts_header* header = trace->plan->header;
  char file[6 * RTS_LONGEST_NAME + 16];
  rtm_json(file, sizeof file, rts_name(trace->plan, header->file));
  char digest[65];
  for (size_t i = 0; i < sizeof header->schedule; ++i) snprintf(digest + 2 * i, 3, "%02x", header->schedule[i]);
  print(trace,
        "{\"schema\": 1, \"kind\": \"trace\", \"source\": \"measurement\", \"task_set\": %s, \"task_set_sha256\": \"%s\", \"release\": "
        "\"static\"%s}\n",
        file, digest, fields);
}

static void names(const struct rts_plan* plan, uint32_t epoch, uint32_t runnable, char* dag, char* node, size_t size) {
  rtm_json(dag, size, rts_name(plan, plan->epochs[epoch].name));
  if (node != NULL) rtm_json(node, size, rts_name(plan, plan->runnables[runnable].label));
}

void rtm_trace_job(struct rtm_trace_file* trace, const struct rtm_job_record* r) {
  const struct rts_job* job = &trace->plan->jobs[r->job];
  char dag[6 * RTS_LONGEST_NAME + 16];
  char node[6 * RTS_LONGEST_NAME + 16];
  names(trace->plan, job->epoch, job->runnable, dag, node, sizeof dag);
  const int64_t origin = trace->origin;
  if (r->processor >= 0) {
    print(trace,
          "{\"t\": \"run\", \"dag\": %s, \"node\": %s, \"job\": %" PRIu64 ", \"cpu\": %d, \"start_ns\": %" PRId64 ", \"end_ns\": %" PRId64
          ", \"consumed_ns\": %" PRId64 "}\n",
          dag, node, r->number, r->processor, r->start - origin, r->end - origin, r->consumed);
  }
  print(trace,
        "{\"t\": \"job\", \"dag\": %s, \"node\": %s, \"job\": %" PRIu64 ", \"release_ns\": %" PRId64 ", \"start_ns\": %" PRId64
        ", \"end_ns\": %" PRId64 "}\n",
        dag, node, r->number, r->release - origin, r->start - origin, r->end - origin);
}

void rtm_trace_epoch(struct rtm_trace_file* trace, uint32_t epoch, uint64_t number, int64_t release, int64_t end) {
  char dag[6 * RTS_LONGEST_NAME + 16];
  names(trace->plan, epoch, 0, dag, NULL, sizeof dag);
  print(trace, "{\"t\": \"dag\", \"dag\": %s, \"job\": %" PRIu64 ", \"release_ns\": %" PRId64 ", \"end_ns\": %" PRId64 "}\n", dag, number,
        release - trace->origin, end - trace->origin);
}

void rtm_trace_finding(struct rtm_trace_file* trace, const struct rtm_finding* finding) {
  char name[6 * sizeof finding->name + 16];
  char text[6 * sizeof finding->text + 16];
  rtm_json(name, sizeof name, finding->name);
  rtm_json(text, sizeof text, finding->text);
  print(trace, "{\"t\": \"check\", \"name\": %s, \"outcome\": \"%s\", \"text\": %s}\n", name, rtm_outcome_name(finding->outcome), text);
}

void rtm_trace_end(struct rtm_trace_file* trace, bool complete, uint64_t lost, bool valid) {
  print(trace, "{\"t\": \"end\", \"complete\": %s, \"lost_records\": %" PRIu64 ", \"valid\": %s}\n", complete ? "true" : "false", lost,
        valid ? "true" : "false");
  rtm_trace_flush(trace);
}

void rtm_trace_close(struct rtm_trace_file* trace) {
  if (trace->descriptor < 0) return;
  if (close(trace->descriptor) != 0 && trace->failure == 0) trace->failure = errno;
  trace->descriptor = -1;
  if (trace->created && !trace->begun) unlink(trace->path);
}
