#include "processors.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct assignment {
  const struct rts_plan* plan;
  int* processor;  // by core; -1: none yet
  int uses[CPU_SETSIZE];
};

static bool read_one(struct assignment* a, const cpu_set_t* allowed, const char* text, struct rts_error* error) {
  const char* equals = strrchr(text, '=');
  char* rest = NULL;
  const unsigned long number = equals == NULL ? CPU_SETSIZE : strtoul(equals + 1, &rest, 10);
  if (equals == NULL || equals[1] < '0' || equals[1] > '9' || *rest != '\0')
    return rts_fail(error, "--core '%s': must be NAME=NUMBER, e.g. CPU0=3", text);
  if (number >= CPU_SETSIZE || !CPU_ISSET(number, allowed))
    return rts_fail(error, "--core '%s': this process may not use that processor", text);
  for (uint32_t c = 0; c < a->plan->header->cores.count; ++c) {
    const char* name = rts_name(a->plan, a->plan->cores[c].name);
    if (a->plan->cores[c].engine != 0 || strlen(name) != (size_t)(equals - text) || strncmp(name, text, (size_t)(equals - text)) != 0)
      continue;
    if (a->processor[c] >= 0) return rts_fail(error, "--core '%s': has a processor already", text);
    a->processor[c] = (int)number;
    ++a->uses[number];
    return true;
  }
  return rts_fail(error, "--core '%s': the schedule has no such core", text);
}

// The processor that the fewest cores use, the lowest of these.
static int least_used(const struct assignment* a, const cpu_set_t* allowed) {
  int best = -1;
  for (int p = 0; p < CPU_SETSIZE; ++p) {
    if (CPU_ISSET((size_t)p, allowed) && (best < 0 || a->uses[p] < a->uses[best])) best = p;
  }
  return best;
}

static void write_settings(const struct assignment* a, const struct rtm_options* options, struct rts_page* page) {
  const struct rts_plan* plan = a->plan;
  struct rts_setting* settings = rts_settings(page, plan);
  for (uint32_t i = 0; i < plan->header->lines.count; ++i) {
    const struct rts_line* line = &plan->lines[i];
    const bool on_core = line->core != RTS_NONE && plan->cores[line->core].engine == 0;
    settings[i].processor = on_core ? a->processor[line->core] : -1;
    settings[i].level = !options->real_time ? 0 : line->stream != RTS_NONE ? RTM_STREAM_LEVEL : RTM_JOB_LEVEL;
    uint32_t lines = 0;
    for (uint32_t k = 0; k < plan->header->lines.count; ++k) lines += line->core != RTS_NONE && plan->lines[k].core == line->core ? 1 : 0;
    // Who waits awake keeps others from the processor, perhaps those that it waits for.
    settings[i].spin = on_core && lines == 1 && a->uses[settings[i].processor] == 1 ? options->spin : 0;
  }
}

bool rtm_assign_processors(const struct rts_plan* plan, const struct rtm_options* options, struct rts_page* page,
                           struct rtm_findings* findings, struct rts_error* error) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return rts_fail_errno(error, "the processors of this process are not known");
  const uint32_t cores = plan->header->cores.count;
  struct assignment a = {.plan = plan, .processor = malloc((cores + (size_t)1) * sizeof *a.processor)};
  if (a.processor == NULL) return rts_fail(error, "out of memory");
  for (uint32_t c = 0; c < cores; ++c) a.processor[c] = -1;
  bool good = true;
  for (size_t i = 0; good && i < options->processor_count; ++i) good = read_one(&a, &allowed, options->processors[i], error);
  uint32_t shared = 0;
  uint32_t count = 0;
  for (uint32_t c = 0; good && c < cores; ++c) {
    if (plan->cores[c].engine != 0) continue;
    ++count;
    if (a.processor[c] < 0) {
      a.processor[c] = least_used(&a, &allowed);
      ++a.uses[a.processor[c]];
    }
    shared += a.uses[a.processor[c]] > 1 ? 1 : 0;
  }
  if (good) write_settings(&a, options, page);
  if (good && shared > 0) {
    rtm_find(findings, RTM_FAILED, "processors", "the schedule has %u cores and this process may use %d processors: times mean nothing",
             count, CPU_COUNT(&allowed));
  } else if (good) {
    rtm_find(findings, RTM_OK, "processors", "a processor for each of %u cores", count);
  }
  free(a.processor);
  return good;
}

int rtm_processor_of(const struct rts_plan* plan, const struct rts_page* page, const struct rts_job* job) {
  return rts_settings_of(page, plan)[job->line].processor;
}
