// A client of any schedule whose runnables are generated: each occupies its core, or its stream, for its WCET or a random part of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "static/clock.h"
#include "static/process.h"
#include "static/rta_static.h"
#include "static/word.h"

static const char usage[] =
    "Usage: player [OPTIONS] [--] CLIENT\n"
    "Plays the runnables of a client of the schedule whose master runs ($RTA_STATIC_MASTER).\n"
    "  --execution HOW   worst (default: runnables take their WCET) or uniform (random, up to it)\n"
    "  --seed N          of the random times (default 1)\n"
    "  --late TIME       start up to so many us late after each wake-up, at random (default 0)\n"
    "Exit status: 0 the run ended as asked, 1 it ended early, 2 it could not begin.\n";

/// A runnable records its end a little after its function has returned, ns.
#define RETURN_TIME 5000

struct work {
  int64_t wcet;
  struct work* submits;  // of submitters
};

static bool random_times = false;
static int64_t latest = 0;  // ns
static uint64_t seed = 1;

enum subject { OF_LENGTH, OF_WAKE_UP };

// A step of SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t mixed(uint64_t value) {
  value += UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ (value >> 30U)) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27U)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31U);
}

// From the seed and the place of the job in the run alone: frames of one runnable may overlap, and threads take turns as they come.
static int64_t draw_up_to(enum subject subject, int64_t most) {
  const struct rts_playing now = rts_playing_now();
  const uint64_t value = mixed(mixed(mixed(mixed(seed) ^ (uint64_t)subject) ^ now.job) ^ now.frame);
  return most <= 0 ? 0 : (int64_t)(value % ((uint64_t)most + 1));
}

static void sleep_until(int64_t instant) {
  const struct timespec t = rts_timespec(instant);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static int64_t end_of(const struct work* work) {
  const int64_t length = random_times ? draw_up_to(OF_LENGTH, work->wcet) : work->wcet;
  return rts_started_at() + (length > RETURN_TIME ? length - RETURN_TIME : 0);
}

static void compute(void* data) {
  const int64_t end = end_of(data);
  while (rts_now() < end) rts_relax();
}

// Work on a GPU or another engine takes no time of a processor, but for the last bit, which a sleep would miss.
static void work_elsewhere(void* data) {
  const int64_t end = end_of(data);
  sleep_until(end - 100000);
  while (rts_now() < end) rts_relax();
}

static void submit(void* stream, void* data) {
  struct work* work = data;
  (void)rta_static_host_stream_submit(stream, work_elsewhere, work->submits);
  compute(work);
}

static void start_late(void) {
  const int64_t until = rts_now() + draw_up_to(OF_WAKE_UP, latest);
  while (rts_now() < until) rts_relax();
}

__attribute__((noreturn)) static void wrong(const char* what) {
  fprintf(stderr, "player: %s\nTry 'player --help'.\n", what);
  exit(2);
}

static uint64_t read_number(const char* text, uint64_t most) {
  char* rest = NULL;
  const unsigned long long number = strtoull(text, &rest, 10);
  if (text[0] < '0' || text[0] > '9' || *rest != '\0' || number > most) wrong("a number is expected");
  return number;
}

static const char* read_options(int argc, char** argv) {
  const char* client = NULL;
  bool options = true;
  for (int i = 1; i < argc; ++i) {
    if (options && strcmp(argv[i], "--") == 0) {
      options = false;
      continue;
    }
    if (options && strcmp(argv[i], "--help") == 0) {
      fputs(usage, stdout);
      exit(0);
    }
    if (!options || argv[i][0] != '-') {
      if (client != NULL) wrong("one client is played");
      client = argv[i];
      continue;
    }
    if (i + 1 >= argc) wrong("an option without a value");
    const char* value = argv[i + 1];
    if (strcmp(argv[i], "--execution") == 0) {
      if (strcmp(value, "worst") != 0 && strcmp(value, "uniform") != 0) wrong("--execution: must be worst or uniform");
      random_times = strcmp(value, "uniform") == 0;
    } else if (strcmp(argv[i], "--seed") == 0) {
      seed = read_number(value, UINT64_C(1000000000000000000));
    } else if (strcmp(argv[i], "--late") == 0) {
      latest = (int64_t)read_number(value, UINT64_C(1000000000000)) * 1000;
    } else {
      wrong("unknown option");
    }
    ++i;
  }
  if (client == NULL) wrong("a client's name is expected");
  return client;
}

static void register_all(struct work* works) {
  const struct rts_plan* plan = &rts_process.plan;
  for (uint32_t i = 0; i < plan->header->jobs.count; ++i) {
    const struct rts_job* job = &plan->jobs[i];
    struct work* work = &works[job->runnable];
    if (work->wcet < 0 || job->wcet < work->wcet) work->wcet = job->wcet;
    if (job->submits != RTS_NONE) work->submits = &works[plan->jobs[job->submits].runnable];
  }
  for (uint32_t i = 0; i < plan->header->runnables.count; ++i) {
    const struct rts_runnable* runnable = &plan->runnables[i];
    if (runnable->client != rts_process.index || runnable->kind == RTS_SUBMITTEE) continue;
    if (runnable->kind == RTS_CPU) {
      (void)rta_static_register_runnable(rts_name(plan, runnable->name), compute, &works[i]);
    } else {
      (void)rta_static_register_submitter(rts_name(plan, runnable->name), submit, &works[i]);
    }
  }
}

static void register_streams(rta_static_host_stream** streams) {
  const struct rts_plan* plan = &rts_process.plan;
  for (uint32_t i = 0; i < plan->header->streams.count; ++i) {
    if (plan->streams[i].client != rts_process.index) continue;
    streams[i] = rta_static_host_stream_create();
    (void)rta_static_register_stream(rts_name(plan, plan->streams[i].name), &rta_static_host_engine, streams[i]);
  }
}

int main(int argc, char** argv) {
  const char* client = read_options(argc, argv);
  if (rta_static_init(client) != RTA_STATIC_OK) {
    fprintf(stderr, "%s\n", rta_static_error());
    return 2;
  }
  const struct rts_header* header = rts_process.plan.header;
  const uint32_t stream_count = header->streams.count;
  struct work* works = calloc(header->runnables.count + (size_t)1, sizeof *works);
  rta_static_host_stream** streams = calloc(stream_count + (size_t)1, sizeof(rta_static_host_stream*));
  if (works == NULL || streams == NULL) {
    free(streams);
    free(works);
    return 2;
  }
  for (uint32_t i = 0; i < header->runnables.count; ++i) works[i].wcet = -1;
  if (latest > 0) rts_after_wake_up = start_late;
  register_streams(streams);
  register_all(works);
  const rta_static_status status = rta_static_enter();
  if (status != RTA_STATIC_OK) fprintf(stderr, "%s\n", rta_static_error());
  rta_static_close();
  if (status == RTA_STATIC_STUCK) exit(1);  // a thread still uses what follows
  for (uint32_t i = 0; i < stream_count; ++i) rta_static_host_stream_destroy(streams[i]);
  free(streams);
  free(works);
  return status == RTA_STATIC_OK ? 0 : 1;
}
