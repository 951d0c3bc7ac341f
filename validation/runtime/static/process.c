// Joining a run, registering functions, leaving it.
#include "process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "awaited.h"
#include "channel.h"
#include "clock.h"
#include "conversation.h"
#include "place.h"

struct rts_process rts_process = {.socket = -1, .progress = -1};

static struct rts_error last_error;

const char* rta_static_error(void) { return last_error.text; }

rta_static_status rts_say(rta_static_status status, const struct rts_error* why) {
  if (rts_process.name[0] == '\0') {
    rts_fail(&last_error, "rta_static: %s", why->text);
  } else {
    rts_fail(&last_error, "rta_static: client '%s': %s", rts_process.name, why->text);
  }
  return status;
}

static rta_static_status misuse(const char* why) {
  struct rts_error error;
  rts_fail(&error, "%s", why);
  return rts_say(RTA_STATIC_MISUSE, &error);
}

static bool find_master(struct rts_place* place, struct rts_error* error) {
  const char* given = getenv("RTA_STATIC_MASTER");
  if (given == NULL || given[0] == '\0') return rts_place_find_only(place, error);
  if (strchr(given, '/') != NULL) {
    if (strlen(given) >= sizeof place->socket) return rts_fail(error, "RTA_STATIC_MASTER: the path is too long for a socket");
    memcpy(place->socket, given, strlen(given) + 1);
    return true;
  }
  char* rest = NULL;
  const unsigned long identifier = strtoul(given, &rest, 10);
  if (given[0] < '0' || given[0] > '9' || *rest != '\0' || identifier > 65535)
    return rts_fail(error, "RTA_STATIC_MASTER is '%s'; it must be an identifier (0 to 65535) or the path of a socket", given);
  return rts_place_find(place, (uint32_t)identifier, error);
}

static int64_t patience(void) {
  const char* given = getenv("RTA_STATIC_PATIENCE");
  const long ms = given == NULL ? 10000 : strtol(given, NULL, 10);
  return (ms < 0 ? 0 : ms) * INT64_C(1000000);
}

// Tries again until a master is there.
static int connect_to_master(struct rts_error* error) {
  const int64_t until = rts_now() + patience();
  for (;;) {
    struct rts_place place;
    bool retry = true;
    if (find_master(&place, error)) {
      const int connection = rts_place_connect(place.socket, &retry, error);
      if (connection >= 0) return connection;
    }
    if (!retry || rts_now() >= until) return -1;
    poll(NULL, 0, 20);
  }
}

// 64 hexadecimal digits; all zeros where nothing is given.
static bool read_schedule(unsigned char* schedule, struct rts_error* error) {
  const char* given = getenv("RTA_STATIC_SCHEDULE");
  memset(schedule, 0, 32);
  if (given == NULL || given[0] == '\0') return true;
  if (strlen(given) != 64 || strspn(given, "0123456789abcdef") != 64)
    return rts_fail(error, "RTA_STATIC_SCHEDULE must have 64 hexadecimal digits, 0-9 and a-f");
  for (size_t i = 0; i < 32; ++i) {
    const char pair[3] = {given[2 * i], given[2 * i + 1], '\0'};
    schedule[i] = (unsigned char)strtoul(pair, NULL, 16);
  }
  return true;
}

static bool take_plan(struct rts_received* welcome, struct rts_error* error) {
  if (welcome->descriptor_count != 2) return rts_fail(error, "the master's welcome is incomplete");
  rts_process.plan_bytes = rts_region_map(welcome->descriptors[0], &rts_process.plan_size, true, error);
  if (rts_process.plan_bytes == NULL || !rts_plan_open(&rts_process.plan, rts_process.plan_bytes, rts_process.plan_size, error))
    return false;
  const struct rts_plan* plan = &rts_process.plan;
  rts_process.index = welcome->message.number;
  if (rts_process.index >= plan->header->clients.count ||
      strcmp(rts_name(plan, plan->clients[rts_process.index].name), rts_process.name) != 0)
    return rts_fail(error, "the master took this process for another client");
  size_t size = rts_page_size(plan);
  rts_process.page = rts_region_map(welcome->descriptors[1], &size, false, error);
  rts_process.page_size = size;
  return rts_process.page != NULL;
}

static bool make_own(struct rts_error* error) {
  const struct rts_plan* plan = &rts_process.plan;
  const size_t jobs = plan->header->jobs.count;
  rts_process.own_size = rts_slots_size(plan, rts_process.index);
  void* memory = NULL;
  const int descriptor = rts_region_create("rta-static-slots", rts_process.own_size, &memory, error);
  if (descriptor < 0) return false;
  rts_process.own = memory;
  struct rts_message message;
  rts_message_set(&message, RTS_REGION, 0, "");
  const bool sent = rts_send(rts_process.socket, &message, &descriptor, 1);
  close(descriptor);
  if (!sent) return rts_fail(error, "the master is gone");
  rts_process.slots = calloc(jobs, sizeof(const struct rts_slot*));
  rts_process.awaited = calloc(jobs, 1);
  rts_process.bindings = calloc(plan->header->runnables.count + (size_t)1, sizeof *rts_process.bindings);
  rts_process.streams = calloc(plan->header->streams.count + (size_t)1, sizeof *rts_process.streams);
  rts_process.progress = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (rts_process.slots == NULL || rts_process.awaited == NULL || rts_process.bindings == NULL || rts_process.streams == NULL)
    return rts_fail(error, "out of memory");
  if (rts_process.progress < 0) return rts_fail_errno(error, "no eventfd");
  rts_find_awaited(plan, rts_process.awaited);
  return true;
}

// The master's answer; what is no welcome becomes the error.
static bool greet(struct rts_error* error) {
  struct rts_message hello;
  rts_message_set(&hello, RTS_HELLO, 0, rts_process.name);
  if (!read_schedule(hello.schedule, error)) return false;
  if (!rts_send(rts_process.socket, &hello, NULL, 0)) return rts_fail(error, "the master is gone");
  struct rts_received welcome;
  if (!rts_await_message(rts_process.socket, rts_now() + 10000000000, &welcome, error)) return false;
  bool good = false;
  if (welcome.message.kind == RTS_WELCOME) {
    good = take_plan(&welcome, error) && make_own(error);
  } else {
    rts_fail(error, "refused: %s", welcome.message.kind == RTS_REFUSED ? welcome.message.text : "the master speaks otherwise");
  }
  rts_close_descriptors(&welcome);
  return good;
}

rta_static_status rta_static_init(const char* client) {
  if (rts_process.stage != RTS_IDLE) return misuse("rta_static_init: called twice; rta_static_close comes first");
  if (client == NULL || client[0] == '\0' || strlen(client) > RTS_LONGEST_NAME) {
    rts_process.name[0] = '\0';
    return misuse("rta_static_init: a client's name has 1 to 255 bytes");
  }
  memcpy(rts_process.name, client, strlen(client) + 1);
  struct rts_error error;
  rts_process.socket = connect_to_master(&error);
  if (rts_process.socket < 0) return rts_say(RTA_STATIC_REFUSED, &error);
  if (!greet(&error)) {
    const rta_static_status status = rts_say(RTA_STATIC_REFUSED, &error);
    rta_static_close();
    return status;
  }
  rts_process.stage = RTS_CONNECTED;
  return RTA_STATIC_OK;
}

// Sets the binding of every runnable of that name; says what there is where there is none.
static rta_static_status bind_runnable(const char* name, enum rts_kind kind, const struct rts_binding* binding) {
  if (rts_process.stage != RTS_CONNECTED) return misuse("functions are registered after rta_static_init and before rta_static_enter");
  if (name == NULL) return misuse("a runnable without a name");
  const struct rts_plan* plan = &rts_process.plan;
  struct rts_error error;
  bool found = false;
  char known[256] = "";
  for (uint32_t i = 0; i < plan->header->runnables.count; ++i) {
    const struct rts_runnable* runnable = &plan->runnables[i];
    if (runnable->client != rts_process.index || runnable->kind == RTS_SUBMITTEE) continue;
    const char* is = rts_name(plan, runnable->name);
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s'%s'", used == 0 ? "" : ", ", is);
    if (strcmp(is, name) != 0) continue;
    if (runnable->kind != (uint32_t)kind) {
      rts_fail(&error, "'%s' is %s in the schedule", name, kind == RTS_CPU ? "a submitter" : "no submitter");
      return rts_say(RTA_STATIC_MISUSE, &error);
    }
    rts_process.bindings[i] = *binding;
    found = true;
  }
  if (found) return RTA_STATIC_OK;
  rts_fail(&error, "no runnable '%s' in the schedule; this client has %s", name, known[0] == '\0' ? "none" : known);
  return rts_say(RTA_STATIC_MISUSE, &error);
}

rta_static_status rta_static_register_runnable(const char* name, rta_static_runnable function, void* data) {
  if (function == NULL) return misuse("a runnable without a function");
  return bind_runnable(name, RTS_CPU, &(struct rts_binding){.runnable = function, .data = data});
}

static void call_submitter(void* stream, void (*function)(void), void* data) { ((rta_static_submitter)function)(stream, data); }

rta_static_status rta_static_register_submitter(const char* name, rta_static_submitter function, void* data) {
  return rta_static_register_submitter_of(name, call_submitter, (void (*)(void))function, data);
}

rta_static_status rta_static_register_submitter_of(const char* name, void (*call)(void* stream, void (*function)(void), void* data),
                                                   void (*function)(void), void* data) {
  if (call == NULL || function == NULL) return misuse("a submitter without a function");
  return bind_runnable(name, RTS_SUBMITTER, &(struct rts_binding){.call = call, .function = function, .data = data});
}

// Whether some job of the stream may have to wait after it was submitted.
static bool may_be_held(const struct rts_plan* plan, const struct rts_line* line) {
  for (uint32_t i = 0; i < line->jobs; ++i) {
    const struct rts_job* job = &plan->jobs[line->first_job + i];
    if (job->offset > 0) return true;
    for (uint32_t w = 0; w < job->waits; ++w) {
      if (plan->jobs[plan->waits[job->first_wait + w].job].submits != line->first_job + i) return true;
    }
  }
  return false;
}

rta_static_status rta_static_register_stream(const char* name, const struct rta_static_engine* engine, void* stream) {
  if (rts_process.stage != RTS_CONNECTED) return misuse("streams are registered after rta_static_init and before rta_static_enter");
  if (name == NULL || engine == NULL) return misuse("a stream without a name or engine");
  const struct rts_plan* plan = &rts_process.plan;
  struct rts_error error;
  for (uint32_t i = 0; i < plan->header->streams.count; ++i) {
    if (plan->streams[i].client != rts_process.index || strcmp(rts_name(plan, plan->streams[i].name), name) != 0) continue;
    struct rts_stream_play* play = &rts_process.streams[i];
    if (play->engine != NULL) return misuse("a stream is registered once");
    const struct rts_line* line = NULL;
    for (uint32_t l = 0; l < plan->header->lines.count; ++l) {
      if (plan->lines[l].stream == i) line = &plan->lines[l];
    }
    play->engine = engine;
    play->stream = stream;
    if (line != NULL && !rts_stream_open(play, line->jobs, may_be_held(plan, line), &error)) {
      play->engine = NULL;
      return rts_say(RTA_STATIC_SYSTEM, &error);
    }
    return RTA_STATIC_OK;
  }
  rts_fail(&error, "no stream '%s' of this client in the schedule", name);
  return rts_say(RTA_STATIC_MISUSE, &error);
}

static void unmap(const void* memory, size_t size) {
  // The integer drops const, which munmap does not know.
  if (memory != NULL) munmap((void*)(uintptr_t)memory, size);  // NOLINT(performance-no-int-to-ptr)
}

void rta_static_close(void) {
  struct rts_process* p = &rts_process;
  if (p->socket >= 0) close(p->socket);
  p->socket = -1;
  // A thread that was left behind may still look at all of this.
  if (p->stuck) return;
  for (uint32_t i = 0; p->streams != NULL && i < p->plan.header->streams.count; ++i) rts_stream_close(&p->streams[i]);
  for (uint32_t i = 0; i < RTS_MOST_CLIENTS; ++i) unmap(p->base[i], p->base_size[i]);
  unmap(p->own, p->own_size);
  unmap(p->page, p->page_size);
  unmap(p->plan_bytes, p->plan_size);
  if (p->progress >= 0) close(p->progress);
  free(p->slots);
  free(p->awaited);
  free(p->bindings);
  free(p->streams);
  free(p->lines);
  *p = (struct rts_process){.socket = -1, .progress = -1};
}
