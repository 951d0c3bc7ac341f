// All clients of a plan and its master's leaders as threads of one process, so that ThreadSanitizer sees what they do to each other:
// one_process PLAN FRAMES. Each job reads the plain data that the jobs it waits for have written, and writes its own.
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "static/awaited.h"
#include "static/clock.h"
#include "static/process.h"
#include "static_master/frame_end.h"
#include "static_master/leader.h"

static struct rts_plan plan;
static uint64_t* data;  // by job: how often it has run
static int wrong = 0;

struct part {
  uint32_t runnable;
  struct part* submits;
};

// The jobs of the runnable are not told apart: whichever runs, what it waits for has been written before.
static void run(void* argument) {
  const struct part* part = argument;
  for (uint32_t j = 0; j < plan.header->jobs.count; ++j) {
    if (plan.jobs[j].runnable != part->runnable) continue;
    for (uint32_t w = 0; w < plan.jobs[j].waits; ++w) {
      const struct rts_wait* wait = &plan.waits[plan.jobs[j].first_wait + w];
      if (wait->started == 0 && wait->cycle == 1 && plan.jobs[wait->job].cycle == 1 && data[wait->job] == 0) wrong = 1;
    }
    ++data[j];
  }
}

static void submit(void* stream, void (*function)(void), void* argument) {
  (void)function;
  struct part* part = argument;
  run(part);
  (void)rta_static_host_stream_submit(stream, run, part->submits);
}

static void* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  void* bytes = malloc(*size);
  const bool good = bytes != NULL && fread(bytes, 1, *size, file) == *size;
  fclose(file);
  return good ? bytes : NULL;
}

static struct rts_process* make_clients(struct rts_page* page, struct part* parts) {
  struct rts_process* clients = calloc(plan.header->clients.count, sizeof *clients);
  const struct rts_slot** slots = calloc(plan.header->jobs.count, sizeof(const struct rts_slot*));
  const struct rts_slot* base[RTS_MOST_CLIENTS];
  for (uint32_t c = 0; c < plan.header->clients.count; ++c) {
    clients[c].own = calloc(1, rts_slots_size(&plan, c));
    base[c] = clients[c].own;
  }
  rts_place_slots(&plan, base, slots);
  for (uint32_t c = 0; c < plan.header->clients.count; ++c) {
    struct rts_process* client = &clients[c];
    client->index = c;
    client->plan = plan;
    client->page = page;
    client->slots = slots;
    client->awaited = calloc(plan.header->jobs.count, 1);
    rts_find_awaited(&plan, client->awaited);
    client->bindings = calloc(plan.header->runnables.count, sizeof *client->bindings);
    for (uint32_t r = 0; r < plan.header->runnables.count; ++r)
      client->bindings[r] = (struct rts_binding){.runnable = run, .call = submit, .data = &parts[r]};
    client->streams = calloc(plan.header->streams.count + (size_t)1, sizeof *client->streams);
    for (uint32_t s = 0; s < plan.header->streams.count; ++s) {
      struct rts_error error;
      client->streams[s].engine = &rta_static_host_engine;
      client->streams[s].stream = rta_static_host_stream_create();
      if (!rts_stream_open(&client->streams[s], plan.header->jobs.count, false, &error)) exit(2);
    }
    client->progress = eventfd(0, EFD_NONBLOCK);
    client->lines = calloc(plan.header->lines.count, sizeof *client->lines);
    for (uint32_t l = 0; l < plan.header->lines.count; ++l) {
      if (plan.lines[l].client != c) continue;
      struct rts_line_play* play = &client->lines[client->line_count++];
      play->process = client;
      play->line = l;
      if (pthread_create(&play->thread, NULL, rts_play_line, play) != 0) exit(2);
    }
  }
  return clients;
}

int main(int argc, char** argv) {
  size_t size = 0;
  void* bytes = argc == 3 ? read_file(argv[1], &size) : NULL;
  struct rts_error error;
  if (bytes == NULL || !rts_plan_open(&plan, bytes, size, &error)) return 2;
  data = calloc(plan.header->jobs.count, sizeof *data);
  struct rts_page* page = calloc(1, rts_page_size(&plan));
  for (uint32_t l = 0; l < plan.header->lines.count; ++l) rts_settings(page, &plan)[l].processor = -1;
  struct part* parts = calloc(plan.header->runnables.count, sizeof *parts);
  for (uint32_t r = 0; r < plan.header->runnables.count; ++r) parts[r].runnable = r;
  for (uint32_t j = 0; j < plan.header->jobs.count; ++j) {
    const struct rts_job* job = &plan.jobs[j];
    if (job->submits != RTS_NONE) parts[job->runnable].submits = &parts[plan.jobs[job->submits].runnable];
  }
  struct rts_process* clients = make_clients(page, parts);
  const struct rtm_options options = {
      .frames = strtoull(argv[2], NULL, 10), .duration = RTS_NEVER, .overrun = RTM_RUN_ON, .watchdog = INT64_C(60000000000)};
  pid_t processes[RTS_MOST_CLIENTS] = {0};
  struct rtm_stage stage = {.plan = &plan,
                            .page = page,
                            .slots = clients[0].slots,
                            .awaited = clients[0].awaited,
                            .options = &options,
                            .processes = processes,
                            .origin = rts_now() + 10000000,
                            .notice = eventfd(0, EFD_NONBLOCK)};
  struct rtm_ring ring = {.entries = NULL};
  int status = 0;
  for (uint32_t h = 0; h < plan.header->hyperepochs.count; ++h) {
    struct rtm_leader leader = {.stage = &stage, .hyperepoch = h, .ring = &ring};
    if (!rtm_frame_end_prepare(&leader)) return 2;
    (void)rtm_lead(&leader);
    printf("%llu frames, end %u, %llu early: %s\n", (unsigned long long)leader.frames, leader.end, (unsigned long long)leader.early,
           leader.text.text);
    if (leader.end != RTM_LEADER_OVER || leader.early > 0) status = 1;
    rtm_frame_end_free(&leader);
  }
  for (uint32_t c = 0; c < plan.header->clients.count; ++c) {
    for (uint32_t l = 0; l < clients[c].line_count; ++l) pthread_join(clients[c].lines[l].thread, NULL);
  }
  return status != 0 ? status : wrong;
}
