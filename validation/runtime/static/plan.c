#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct rts_header) == 144, "no padding");
_Static_assert(sizeof(struct rts_hyperepoch) == 32, "no padding");
_Static_assert(sizeof(struct rts_job) == 64, "no padding");

struct extent {
  const struct rts_table* table;
  const char* what;
  size_t record;
  uint32_t most;
};

// Tables lie within the plan, aligned, with no more records than allowed.
static bool check_extent(const struct rts_header* header, const struct extent* e, struct rts_error* error) {
  const uint64_t end = (uint64_t)e->table->at + (uint64_t)e->table->count * e->record;
  if (e->table->count > e->most) return rts_fail(error, "plan: %u %s; at most %u are allowed", e->table->count, e->what, e->most);
  if (e->table->at % 8 != 0 || e->table->at < sizeof *header || end > header->bytes)
    return rts_fail(error, "plan: the table of %s does not lie within the plan", e->what);
  return true;
}

static bool check_header(const struct rts_header* header, size_t size, struct rts_error* error) {
  if (size < sizeof *header || memcmp(header->magic, RTS_PLAN_MAGIC, sizeof header->magic) != 0)
    return rts_fail(error, "not a plan: it does not begin with '%s'", RTS_PLAN_MAGIC);
  if (header->byte_order != RTS_PLAN_BYTE_ORDER) return rts_fail(error, "plan: made for a machine of another byte order");
  if (header->version != RTS_PLAN_VERSION)
    return rts_fail(error, "plan: of version %u; this program knows version %u", header->version, RTS_PLAN_VERSION);
  if (header->bytes != size) return rts_fail(error, "plan: %zu bytes, its header says %llu", size, (unsigned long long)header->bytes);
  if (header->identifier > 65535) return rts_fail(error, "plan: identifier %u; at most 65535", header->identifier);
  const struct extent extents[] = {
      {&header->hyperepochs, "hyperepochs", sizeof(struct rts_hyperepoch), RTS_MOST_HYPEREPOCHS},
      {&header->epochs, "epochs", sizeof(struct rts_epoch), RTS_MOST_JOBS},
      {&header->cores, "cores", sizeof(struct rts_core), RTS_MOST_LINES},
      {&header->clients, "clients", sizeof(struct rts_client), RTS_MOST_CLIENTS},
      {&header->streams, "streams", sizeof(struct rts_stream), RTS_MOST_LINES},
      {&header->runnables, "runnables", sizeof(struct rts_runnable), RTS_MOST_JOBS},
      {&header->lines, "lines", sizeof(struct rts_line), RTS_MOST_LINES},
      {&header->jobs, "jobs", sizeof(struct rts_job), RTS_MOST_JOBS},
      {&header->waits, "waits", sizeof(struct rts_wait), RTS_MOST_WAITS},
      {&header->text, "names", 1, UINT32_MAX},
  };
  for (size_t i = 0; i < sizeof extents / sizeof *extents; ++i) {
    if (!check_extent(header, &extents[i], error)) return false;
  }
  const struct rts_table* text = &header->text;
  if (text->count == 0 || ((const char*)header)[text->at + text->count - 1] != '\0')
    return rts_fail(error, "plan: its names do not end with a 0 byte");
  if (header->hyperepochs.count == 0 || header->clients.count == 0 || header->jobs.count == 0)
    return rts_fail(error, "plan: nothing to run");
  return true;
}

// The bytes of the UTF-8 sequence that a byte begins; 0: none.
static int sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

// Names go to traces and to people: UTF-8 without control characters.
static bool check_name(const struct rts_plan* plan, uint32_t at, const char* of, struct rts_error* error) {
  if (at >= plan->header->text.count) return rts_fail(error, "plan: the name of %s does not lie within the plan", of);
  const char* name = plan->text + at;
  const size_t length = strlen(name);
  if (length == 0 || length > RTS_LONGEST_NAME)
    return rts_fail(error, "plan: the name of %s must have 1 to %u bytes", of, RTS_LONGEST_NAME);
  for (size_t i = 0; i < length;) {
    const unsigned char first = (unsigned char)name[i];
    const int bytes = sequence_length(first);
    if (bytes == 0 || first < 0x20 || first == 0x7f) return rts_fail(error, "plan: the name of %s is no text", of);
    for (int k = 1; k < bytes; ++k) {
      if (((unsigned char)name[i + (size_t)k] & 0xc0) != 0x80) return rts_fail(error, "plan: the name of %s is no text", of);
    }
    i += (size_t)bytes;
  }
  return true;
}

static bool check_names(const struct rts_plan* plan, struct rts_error* error) {
  const struct rts_header* h = plan->header;
  bool good = check_name(plan, h->file, "the schedule's file", error);
  for (uint32_t i = 0; good && i < h->hyperepochs.count; ++i) good = check_name(plan, plan->hyperepochs[i].name, "a hyperepoch", error);
  for (uint32_t i = 0; good && i < h->epochs.count; ++i) good = check_name(plan, plan->epochs[i].name, "an epoch", error);
  for (uint32_t i = 0; good && i < h->cores.count; ++i) good = check_name(plan, plan->cores[i].name, "a core", error);
  for (uint32_t i = 0; good && i < h->clients.count; ++i) good = check_name(plan, plan->clients[i].name, "a client", error);
  for (uint32_t i = 0; good && i < h->streams.count; ++i) good = check_name(plan, plan->streams[i].name, "a stream", error);
  for (uint32_t i = 0; good && i < h->runnables.count; ++i) {
    good =
        check_name(plan, plan->runnables[i].name, "a runnable", error) && check_name(plan, plan->runnables[i].label, "a runnable", error);
  }
  return good;
}

static bool is_time(int64_t t) { return t >= 0 && t <= RTS_LONGEST_TIME; }

// Hyperepochs take the jobs in order, and so do lines; no line is of two hyperepochs.
static bool check_ranges(const struct rts_plan* plan, struct rts_error* error) {
  const struct rts_header* h = plan->header;
  uint32_t next = 0;
  uint32_t line = 0;
  for (uint32_t i = 0; i < h->hyperepochs.count; ++i) {
    const struct rts_hyperepoch* hyperepoch = &plan->hyperepochs[i];
    if (!is_time(hyperepoch->period) || !is_time(hyperepoch->length)) return rts_fail(error, "plan: hyperepoch %u: not a time", i);
    if (hyperepoch->first_job != next || hyperepoch->jobs == 0) return rts_fail(error, "plan: hyperepoch %u: not the next jobs", i);
    const uint32_t first = next;
    for (; line < h->lines.count && plan->lines[line].hyperepoch == i; ++line) {
      const struct rts_line* l = &plan->lines[line];
      if (l->first_job != next || l->jobs == 0 || l->jobs > h->jobs.count - next)
        return rts_fail(error, "plan: line %u: not the next jobs", line);
      next += l->jobs;
    }
    if (next - first != hyperepoch->jobs) return rts_fail(error, "plan: hyperepoch %u: its lines have other jobs", i);
  }
  if (next != h->jobs.count || line != h->lines.count) return rts_fail(error, "plan: jobs or lines of no hyperepoch");
  return true;
}

static bool check_owners(const struct rts_plan* plan, struct rts_error* error) {
  const struct rts_header* h = plan->header;
  for (uint32_t i = 0; i < h->cores.count; ++i) {
    if (plan->cores[i].engine > 1) return rts_fail(error, "plan: core %u: neither a core nor an engine", i);
  }
  for (uint32_t i = 0; i < h->epochs.count; ++i) {
    const struct rts_epoch* e = &plan->epochs[i];
    if (e->hyperepoch >= h->hyperepochs.count || e->frames == 0)
      return rts_fail(error, "plan: epoch %u: no such hyperepoch, or no frame", i);
  }
  for (uint32_t i = 0; i < h->clients.count; ++i) {
    if (rts_find_client(plan, rts_name(plan, plan->clients[i].name)) != i) return rts_fail(error, "plan: two clients of one name");
  }
  for (uint32_t i = 0; i < h->streams.count; ++i) {
    if (plan->streams[i].client >= h->clients.count) return rts_fail(error, "plan: stream %u: no such client", i);
  }
  for (uint32_t i = 0; i < h->runnables.count; ++i) {
    const struct rts_runnable* r = &plan->runnables[i];
    if (r->client >= h->clients.count || r->kind > RTS_SUBMITTEE) return rts_fail(error, "plan: runnable %u: no such client or kind", i);
  }
  for (uint32_t i = 0; i < h->lines.count; ++i) {
    const struct rts_line* l = &plan->lines[i];
    if (l->client >= h->clients.count || (l->core != RTS_NONE && l->core >= h->cores.count))
      return rts_fail(error, "plan: line %u: no such client or core", i);
    if (l->stream == RTS_NONE) continue;
    if (l->stream >= h->streams.count || l->core != RTS_NONE || plan->streams[l->stream].client != l->client)
      return rts_fail(error, "plan: line %u: no such stream of its client", i);
    for (uint32_t k = 0; k < i; ++k) {
      if (plan->lines[k].stream == l->stream) return rts_fail(error, "plan: line %u: its stream has another line", i);
    }
  }
  return true;
}

static bool check_job(const struct rts_plan* plan, uint32_t i, struct rts_error* error) {
  const struct rts_header* h = plan->header;
  const struct rts_job* job = &plan->jobs[i];
  if (job->runnable >= h->runnables.count || job->epoch >= h->epochs.count)
    return rts_fail(error, "plan: job %u: no such runnable or epoch", i);
  const struct rts_line* line = &plan->lines[job->line];
  const struct rts_runnable* runnable = &plan->runnables[job->runnable];
  if (runnable->client != line->client || plan->epochs[job->epoch].hyperepoch != line->hyperepoch)
    return rts_fail(error, "plan: job %u: in a line of another client or hyperepoch", i);
  if ((runnable->kind == RTS_SUBMITTEE) != (line->stream != RTS_NONE))
    return rts_fail(error, "plan: job %u: only what is submitted stands in the line of a stream", i);
  if (job->frame >= plan->epochs[job->epoch].frames || job->cycle == 0 || job->phase >= job->cycle)
    return rts_fail(error, "plan: job %u: no such frame", i);
  if (!is_time(job->offset) || !is_time(job->wcet) || !is_time(job->finish)) return rts_fail(error, "plan: job %u: not a time", i);
  for (uint32_t w = 0; w < job->waits; ++w) {
    const struct rts_wait* wait = &plan->waits[job->first_wait + w];
    if (wait->job >= h->jobs.count || plan->lines[plan->jobs[wait->job].line].hyperepoch != line->hyperepoch)
      return rts_fail(error, "plan: job %u: waits for no job of its hyperepoch", i);
    if (wait->cycle == 0 || wait->phase >= wait->cycle || wait->started > 1) return rts_fail(error, "plan: job %u: no such wait", i);
  }
  return true;
}

// `submitters[j]` counts the jobs that submit job j.
static bool check_submission(const struct rts_plan* plan, uint32_t i, unsigned char* submitters, struct rts_error* error) {
  const struct rts_job* job = &plan->jobs[i];
  const struct rts_line* line = &plan->lines[job->line];
  if ((plan->runnables[job->runnable].kind == RTS_SUBMITTER) != (job->submits != RTS_NONE))
    return rts_fail(error, "plan: job %u: submits, or does not", i);
  if (job->submits == RTS_NONE) return true;
  const struct rts_job* work = job->submits < plan->header->jobs.count ? &plan->jobs[job->submits] : NULL;
  const struct rts_line* stream = work == NULL ? NULL : &plan->lines[work->line];
  if (work == NULL || stream->stream == RTS_NONE || stream->client != line->client || stream->hyperepoch != line->hyperepoch ||
      work->cycle != job->cycle || work->phase != job->phase)
    return rts_fail(error, "plan: job %u: submits no job of a stream of its client, in the same frames", i);
  if (submitters[job->submits] != 0) return rts_fail(error, "plan: job %u: is submitted twice", job->submits);
  submitters[job->submits] = 1;
  return true;
}

// Before anything looks from one job at another: each stands in its line, and the waits are those of the jobs in order.
static bool check_places(const struct rts_plan* plan, struct rts_error* error) {
  const struct rts_header* h = plan->header;
  uint32_t waits = 0;
  for (uint32_t i = 0; i < h->jobs.count; ++i) {
    const struct rts_job* job = &plan->jobs[i];
    if (job->line >= h->lines.count) return rts_fail(error, "plan: job %u: no such line", i);
    const struct rts_line* line = &plan->lines[job->line];
    if (i < line->first_job || i - line->first_job >= line->jobs) return rts_fail(error, "plan: job %u: not in its line", i);
    if (job->first_wait != waits || job->waits > h->waits.count - waits) return rts_fail(error, "plan: job %u: not the next waits", i);
    waits += job->waits;
  }
  return waits == h->waits.count || rts_fail(error, "plan: waits of no job");
}

static bool check_jobs(const struct rts_plan* plan, struct rts_error* error) {
  const uint32_t count = plan->header->jobs.count;
  unsigned char* submitters = calloc(count, 1);
  if (submitters == NULL) return rts_fail(error, "plan: out of memory");
  bool good = check_places(plan, error);
  for (uint32_t i = 0; good && i < count; ++i) good = check_job(plan, i, error);
  for (uint32_t i = 0; good && i < count; ++i) good = check_submission(plan, i, submitters, error);
  for (uint32_t i = 0; good && i < count; ++i) {
    if (plan->lines[plan->jobs[i].line].stream != RTS_NONE && submitters[i] == 0)
      good = rts_fail(error, "plan: job %u: nobody submits it", i);
  }
  free(submitters);
  return good;
}

struct order {
  uint32_t* open;  // of what a job waits for, as much as has not been taken
  uint32_t* end;   // of the jobs that wait for a job, in `waiter`; they begin where those of the job before end
  uint32_t* waiter;
  uint32_t* ready;
};

static void list_waiters(const struct rts_plan* plan, struct order* order) {
  const uint32_t count = plan->header->jobs.count;
  for (uint32_t w = 0; w < plan->header->waits.count; ++w) {
    const uint32_t on = plan->waits[w].job;
    if (on + 1 < count) ++order->end[on + 1];
  }
  for (uint32_t i = 1; i < count; ++i) order->end[i] += order->end[i - 1];  // where each begins
  for (uint32_t i = 0; i < count; ++i) {
    const struct rts_job* job = &plan->jobs[i];
    for (uint32_t w = 0; w < job->waits; ++w) order->waiter[order->end[plan->waits[job->first_wait + w].job]++] = i;
  }
}

static void take(struct order* order, uint32_t job, uint32_t* ready) {
  if (--order->open[job] == 0) order->ready[(*ready)++] = job;
}

// Takes jobs of which everything before has been taken, until none is left.
static bool take_all(const struct rts_plan* plan, struct order* order, struct rts_error* error) {
  const uint32_t count = plan->header->jobs.count;
  list_waiters(plan, order);
  uint32_t ready = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const bool first_of_line = i == plan->lines[plan->jobs[i].line].first_job;
    order->open[i] = plan->jobs[i].waits + (first_of_line ? 1 : 2);
    take(order, i, &ready);
  }
  for (uint32_t taken = 0; taken < ready; ++taken) {
    const uint32_t job = order->ready[taken];
    const struct rts_line* line = &plan->lines[plan->jobs[job].line];
    if (job + 1 < line->first_job + line->jobs) take(order, job + 1, &ready);
    for (uint32_t w = job == 0 ? 0 : order->end[job - 1]; w < order->end[job]; ++w) take(order, order->waiter[w], &ready);
  }
  for (uint32_t i = 0; ready < count && i < count; ++i) {
    if (order->open[i] == 0) continue;
    const char* name = rts_name(plan, rts_runnable_of(plan, &plan->jobs[i])->label);
    return rts_fail(error, "plan: '%s' can never start: what it waits for waits for it", name);
  }
  return true;
}

static bool check_order(const struct rts_plan* plan, struct rts_error* error) {
  const size_t count = plan->header->jobs.count;
  struct order order = {
      .open = calloc(count, sizeof(uint32_t)),
      .end = calloc(count, sizeof(uint32_t)),
      .waiter = calloc(plan->header->waits.count + (size_t)1, sizeof(uint32_t)),
      .ready = calloc(count, sizeof(uint32_t)),
  };
  const bool memory = order.open != NULL && order.end != NULL && order.waiter != NULL && order.ready != NULL;
  const bool good = memory ? take_all(plan, &order, error) : rts_fail(error, "plan: out of memory");
  free(order.open);
  free(order.end);
  free(order.waiter);
  free(order.ready);
  return good;
}

bool rts_plan_open(struct rts_plan* plan, const void* bytes, size_t size, struct rts_error* error) {
  const struct rts_header* header = bytes;
  if (!check_header(header, size, error)) return false;
  const char* base = bytes;
  plan->header = header;
  plan->hyperepochs = (const void*)(base + header->hyperepochs.at);
  plan->epochs = (const void*)(base + header->epochs.at);
  plan->cores = (const void*)(base + header->cores.at);
  plan->clients = (const void*)(base + header->clients.at);
  plan->streams = (const void*)(base + header->streams.at);
  plan->runnables = (const void*)(base + header->runnables.at);
  plan->lines = (const void*)(base + header->lines.at);
  plan->jobs = (const void*)(base + header->jobs.at);
  plan->waits = (const void*)(base + header->waits.at);
  plan->text = base + header->text.at;
  return check_names(plan, error) && check_ranges(plan, error) && check_owners(plan, error) && check_jobs(plan, error) &&
         check_order(plan, error);
}

uint32_t rts_find_client(const struct rts_plan* plan, const char* name) {
  for (uint32_t i = 0; i < plan->header->clients.count; ++i) {
    if (strcmp(rts_name(plan, plan->clients[i].name), name) == 0) return i;
  }
  return RTS_NONE;
}

const char* rts_client_names(const struct rts_plan* plan, char* text, size_t size) {
  text[0] = '\0';
  size_t used = 0;
  for (uint32_t i = 0; i < plan->header->clients.count && used < size; ++i) {
    // NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling): the size is given
    const int written = snprintf(text + used, size - used, "%s'%s'", i == 0 ? "" : ", ", rts_name(plan, plan->clients[i].name));
    used += written > 0 ? (size_t)written : 0;
  }
  return text;
}
