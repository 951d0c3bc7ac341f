#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "static/clock.h"

static const char usage[] =
    "Usage: master PLAN [OPTIONS] [-- PROGRAM ARGUMENTS...]\n"
    "Plays a static schedule with the clients that connect, and ends after its frames, on SIGTERM or SIGINT (at once on the second), or\n"
    "when a client asks for it. PROGRAM is started once for each client of the schedule, with {} in its arguments replaced by the\n"
    "client's name; without it clients are started elsewhere.\n"
    "  -o, --output FILE      write a trace, which `rta compare` reads\n"
    "  --frames N             play N frames of each hyperepoch (default: no end)\n"
    "  --duration TIME        begin no frame after that time, e.g. 60s or 500ms (default: no end)\n"
    "  --overrun HOW          after a frame that ended late the next one begins at the next multiple of the period (skip, the default)\n"
    "                         or at once (run-on)\n"
    "  --watchdog TIME        end the run when a frame takes longer (default: 20 times its period or proven length, at least 1s)\n"
    "  --patience TIME        how long to wait for the clients (default 10s)\n"
    "  --scheduling POLICY    fifo (default: SCHED_FIFO where the kernel grants it) or other\n"
    "  --core NAME=NUMBER     the processor for a core of the schedule (default: the next one that this process may use)\n"
    "  --spin TIME            wait awake that long before sleeping, on processors that no other core shares (default 50us)\n"
    "  -q, --quiet            only errors\n"
    "Exit status: 0 the run ended as asked, 1 something went wrong in it, 2 it could not begin.\n";

__attribute__((noreturn)) static void wrong(const char* what, const char* value, const char* allowed) {
  fprintf(stderr, "master: %s '%s': %s\nTry 'master --help'.\n", what, value, allowed);
  exit(2);
}

// `60s`, `500ms`, `250us`, `1000ns`; -1 for anything else.
static int64_t parse_time(const char* text) {
  if (text[0] < '0' || text[0] > '9') return -1;
  char* unit = NULL;
  const double value = strtod(text, &unit);
  const double scale = strcmp(unit, "s") == 0    ? 1e9
                       : strcmp(unit, "ms") == 0 ? 1e6
                       : strcmp(unit, "us") == 0 ? 1e3
                       : strcmp(unit, "ns") == 0 ? 1
                                                 : -1;
  return scale < 0 || value * scale > 1e17 ? -1 : (int64_t)(value * scale);
}

static int64_t read_time(const char* option, const char* value, int64_t least) {
  const int64_t time = parse_time(value);
  if (time < least) wrong(option, value, least > 0 ? "must be a time above 0, e.g. 60s or 500ms" : "must be a time, e.g. 60s or 500ms");
  return time;
}

static uint64_t read_count(const char* option, const char* value) {
  if (strlen(value) > 18 || strspn(value, "0123456789") != strlen(value) || strtoull(value, NULL, 10) == 0)
    wrong(option, value, "must be a whole number above 0");
  return strtoull(value, NULL, 10);
}

static bool read_choice(const char* option, const char* value, const char* yes, const char* no) {
  if (strcmp(value, yes) == 0) return true;
  if (strcmp(value, no) == 0) return false;
  char allowed[64];
  snprintf(allowed, sizeof allowed, "must be %s or %s", yes, no);
  wrong(option, value, allowed);
}

static void read_value(struct rtm_options* options, const char* name, char* value) {
  if (strcmp(name, "-o") == 0 || strcmp(name, "--output") == 0) {
    options->trace = value;
  } else if (strcmp(name, "--frames") == 0) {
    options->frames = read_count(name, value);
  } else if (strcmp(name, "--duration") == 0) {
    options->duration = read_time(name, value, 1);
  } else if (strcmp(name, "--overrun") == 0) {
    options->overrun = read_choice(name, value, "skip", "run-on") ? RTM_SKIP : RTM_RUN_ON;
  } else if (strcmp(name, "--watchdog") == 0) {
    options->watchdog = read_time(name, value, 1);
  } else if (strcmp(name, "--patience") == 0) {
    options->patience = read_time(name, value, 0);
  } else if (strcmp(name, "--scheduling") == 0) {
    options->real_time = read_choice(name, value, "fifo", "other");
  } else if (strcmp(name, "--spin") == 0) {
    options->spin = read_time(name, value, 0);
  } else if (strcmp(name, "--core") == 0) {
    options->processors[options->processor_count++] = value;
  } else {
    wrong("unknown option", name, "see the list");
  }
}

void rtm_read_options(struct rtm_options* options, int argc, char** argv) {
  *options = (struct rtm_options){
      .frames = UINT64_MAX,
      .duration = RTS_NEVER,
      .patience = INT64_C(10000000000),
      .spin = 50000,
      .real_time = true,
      .processors = calloc((size_t)argc + 1, sizeof(char*)),
  };
  if (options->processors == NULL) exit(2);
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      fputs(usage, stdout);
      exit(0);
    }
    if (strcmp(word, "--") == 0) {
      options->program = &argv[i + 1];
      break;
    }
    if (strcmp(word, "--quiet") == 0 || strcmp(word, "-q") == 0) {
      options->quiet = true;
    } else if (word[0] == '-') {
      if (i + 1 >= argc) wrong("option", word, "unknown, or its value is missing");
      read_value(options, word, argv[++i]);
    } else if (options->plan == NULL) {
      options->plan = word;
    } else {
      wrong("unexpected argument", word, "one plan is played");
    }
  }
  if (options->plan == NULL) wrong("argument", "PLAN", "is missing");
  if (options->program != NULL && options->program[0] == NULL) wrong("argument", "--", "needs a program after it");
}
