// A client that goes wrong in the way that it is told: faulty CLIENT FAULT [RUNNABLE]. Its runnables return at once, but for that one in
// its sixth frame.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "static/channel.h"
#include "static/clock.h"
#include "static/place.h"
#include "static/process.h"

static const char* fault = "";
static const char* culprit = "";
static pthread_t scribbler;
static rta_static_host_stream* stream = NULL;

// Random garbage in the memory that this process shares, until the process ends.
static void* scribble(void* unused) {
  (void)unused;
  uint64_t random = (uint64_t)rts_now() | 1U;
  unsigned char* memory = (unsigned char*)rts_process.own;
  const size_t size = rts_process.own_size;
  for (;;) {
    random ^= random << 13U;
    random ^= random >> 7U;
    random ^= random << 17U;
    const uint64_t values[] = {0, 1, UINT64_MAX, random, (uint64_t)INT64_MIN, (uint64_t)INT64_MAX};
    __atomic_store_n((uint64_t*)(void*)(memory + random % (size / 8) * 8), values[random / 1024 % 6], __ATOMIC_RELAXED);
    if (random % 64 == 0) usleep(50);
  }
  return NULL;
}

struct part {
  const char* name;
  atomic_int calls;
};

static void run(void* data) {
  struct part* part = data;
  if (atomic_fetch_add(&part->calls, 1) != 5 || strcmp(part->name, culprit) != 0) return;
  if (strcmp(fault, "die") == 0) raise(SIGKILL);
  if (strcmp(fault, "crash") == 0) raise(SIGSEGV);
  if (strcmp(fault, "stop") == 0) raise(SIGSTOP);
  if (strcmp(fault, "leave") == 0) _exit(3);
  if (strcmp(fault, "exit") == 0) rta_static_exit();
  if (strcmp(fault, "slow") == 0) usleep(100000);
  if (strcmp(fault, "scribble") == 0) pthread_create(&scribbler, NULL, scribble, NULL);
  while (strcmp(fault, "hang") == 0) pause();
}

static void put(void* to, void* data) {
  run(data);
  if (strcmp(fault, "refuse") == 0) return;
  (void)rta_static_host_stream_submit(to, run, data);
}

static void register_all(void) {
  const struct rts_plan* plan = &rts_process.plan;
  for (uint32_t i = 0; i < plan->header->runnables.count; ++i) {
    const struct rts_runnable* runnable = &plan->runnables[i];
    const char* name = rts_name(plan, runnable->name);
    if (runnable->client != rts_process.index || runnable->kind == RTS_SUBMITTEE) continue;
    if (strcmp(fault, "missing") == 0 && strcmp(name, culprit) == 0) continue;
    static struct part parts[64];
    struct part* part = &parts[i % 64];
    part->name = name;
    const rta_static_status status =
        runnable->kind == RTS_CPU ? rta_static_register_runnable(name, run, part) : rta_static_register_submitter(name, put, part);
    if (status != RTA_STATIC_OK) fprintf(stderr, "%s\n", rta_static_error());
  }
  for (uint32_t i = 0; i < plan->header->streams.count; ++i) {
    if (plan->streams[i].client != rts_process.index) continue;
    stream = rta_static_host_stream_create();
    (void)rta_static_register_stream(rts_name(plan, plan->streams[i].name), &rta_static_host_engine, stream);
  }
}

// Says things that no client says, to a master that it finds by itself.
static int talk_nonsense(const char* client) {
  struct rts_error error;
  struct rts_place place;
  bool retry = false;
  if (!rts_place_find(&place, (uint32_t)atoi(getenv("RTA_STATIC_MASTER")), &error)) return 2;
  int connection = -1;
  for (int i = 0; i < 200 && connection < 0; ++i) {
    connection = rts_place_connect(place.socket, &retry, &error);
    if (connection < 0) usleep(20000);
  }
  struct rts_message hello;
  rts_message_set(&hello, RTS_HELLO, 0, client);
  if (strcmp(fault, "version") == 0) hello.version = RTS_PROTOCOL_VERSION + 1;
  if (strcmp(fault, "garbage") == 0) {
    unsigned char bytes[700];
    for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = (unsigned char)(i * 37);
    (void)send(connection, bytes, sizeof bytes, MSG_NOSIGNAL);
    (void)send(connection, bytes, 3, MSG_NOSIGNAL);
  } else if (strcmp(fault, "silence") != 0) {
    if (!rts_send(connection, &hello, NULL, 0)) return 2;
  }
  if (strcmp(fault, "file") == 0) {  // a file in place of sealed memory: whoever mapped it would die when it is shortened
    char path[] = "/tmp/rta-faulty-XXXXXX";
    const int file = mkstemp(path);
    unlink(path);
    if (ftruncate(file, 1 << 20) != 0) return 2;
    rts_message_set(&hello, RTS_REGION, 0, "");
    (void)rts_send(connection, &hello, &file, 1);
  }
  if (strcmp(fault, "early") == 0) {
    rts_message_set(&hello, RTS_DONE, 0, "");
    (void)rts_send(connection, &hello, NULL, 0);
  }
  struct rts_received answer;
  enum rts_receipt receipt = RTS_NOTHING;
  for (int i = 0; i < 100 && receipt != RTS_CLOSED; ++i) {
    receipt = rts_receive(connection, &answer);
    if (receipt == RTS_GOT) {
      printf("answer %d: %s\n", answer.message.kind, answer.message.text);
      fflush(stdout);
      rts_close_descriptors(&answer);
    }
    if (receipt == RTS_NOTHING) usleep(20000);
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  fault = argv[2];
  culprit = argc > 3 ? argv[3] : "";
  const char* talks[] = {"version", "garbage", "silence", "file", "early"};
  for (size_t i = 0; i < sizeof talks / sizeof *talks; ++i) {
    if (strcmp(fault, talks[i]) == 0) return talk_nonsense(argv[1]);
  }
  if (rta_static_init(argv[1]) != RTA_STATIC_OK) {
    fprintf(stderr, "%s\n", rta_static_error());
    return 2;
  }
  if (strcmp(fault, "early-leave") == 0) return 0;
  if (strcmp(fault, "never-enter") == 0) {
    for (;;) pause();
  }
  register_all();
  if (strcmp(fault, "wrong") == 0 && rta_static_register_runnable("nonsense", run, NULL) != RTA_STATIC_OK)
    fprintf(stderr, "%s\n", rta_static_error());
  const rta_static_status status = rta_static_enter();
  fprintf(stderr, "entered: %d %s\n", status, status == RTA_STATIC_OK ? "" : rta_static_error());
  rta_static_close();
  if (status != RTA_STATIC_STUCK) rta_static_host_stream_destroy(stream);
  return (int)status;
}
