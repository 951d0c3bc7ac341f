// The command line of a generated program.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "cpu_executor.hpp"
#include "engine.hpp"

namespace workload {

struct Options {
  std::int64_t duration = 60'000'000'000;  // ns that are measured
  std::int64_t warmup = 1'000'000'000;     // ns before that
  std::string output = "trace.jsonl";
  TraceLevel level = TraceLevel::job;
  SchedulingChoice scheduling = SchedulingChoice::automatic;
  bool processes = false;  // instead of threads
  bool streams_per_task = false;
  bool write_at_end = false;
  bool quiet = false;
  std::map<std::string, std::vector<int>> processors;  // by pool
  std::map<std::string, int> devices;                  // by hardware: CUDA device
  std::map<std::string, std::int64_t> overheads;       // by hardware, ns: what C and L of its nodes include beside their execution

  [[nodiscard]] int device_of(const Pool& pool) const {
    const auto wanted = devices.find(pool.hardware);
    return wanted == devices.end() ? 0 : wanted->second;
  }
  [[nodiscard]] std::int64_t overhead_of(const Pool& pool) const {
    const auto wanted = overheads.find(pool.hardware);
    return wanted == overheads.end() ? 0 : wanted->second;
  }
};

inline const char* usage() {
  return "Usage: workload [OPTIONS]\n"
         "Runs the task set and writes a trace that `rta compare` reads.\n"
         "  --duration TIME        measured time, e.g. 60s or 500ms (default 60s)\n"
         "  --warmup TIME          time before that, run but not recorded (default 1s)\n"
         "  -o, --output FILE      trace (default trace.jsonl)\n"
         "  --trace-level LEVEL    dag, job (default) or block (blocks, copies and CPU runs too)\n"
         "  --write WHEN           background (default: as jobs end) or end (after the last job)\n"
         "  --scheduling POLICY    auto (default), deadline, fifo or other\n"
         "  --tasks HOW            threads (default) or processes (per DAG, or as the file names them)\n"
         "  --streams HOW          per-job (default) or per-task\n"
         "  --cpus POOL=LIST       processors of a CPU pool, e.g. socket0=0-7 (default: the next free ones; beside a GPU processor 0\n"
         "                         last)\n"
         "  --device POOL=NUMBER   CUDA device of a GPU, copy or worker pool (default 0); not one for two GPU pools, two copy pools, or a\n"
         "                         GPU pool and a worker pool\n"
         "  --overhead POOL=TIME   nodes of the pool are played that much shorter: their C and L include what this machine takes to start\n"
         "                         them and to notice their end\n"
         "  -q, --quiet            no progress\n"
         "Exit status: 0 the run did what the task set says, 1 it did not (the trace says how), 2 it could not run.\n";
}

/// `60s`, `500ms`, `250us`, `1000ns`, `5m`, `1h`; -1 for anything else.
inline std::int64_t parse_time(const std::string& text) {
  char* rest = nullptr;
  if (text.empty() || text[0] < '0' || text[0] > '9') return -1;
  const double value = std::strtod(text.c_str(), &rest);
  const std::string unit = rest;
  const double scale = unit == "s"    ? 1e9
                       : unit == "ms" ? 1e6
                       : unit == "us" ? 1e3
                       : unit == "ns" ? 1
                       : unit == "m"  ? 60e9
                       : unit == "h"  ? 3600e9
                                      : -1;
  if (scale < 0 || value * scale > 1e15) return -1;
  return static_cast<std::int64_t>(value * scale);
}

/// A whole number without sign; false for anything else.
inline bool parse_number(const std::string& text, int& number) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos) return false;
  number = std::atoi(text.c_str());
  return true;
}

/// `0-3,8`.
inline bool parse_list(const std::string& text, std::vector<int>& list) {
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, comma - at);
    const std::size_t dash = part.find('-');
    int first = 0;
    int last = 0;
    if (!parse_number(part.substr(0, dash), first)) return false;
    last = first;
    if (dash != std::string::npos && !parse_number(part.substr(dash + 1), last)) return false;
    if (last < first || last >= CPU_SETSIZE) return false;
    for (int c = first; c <= last; ++c) list.push_back(c);
    at = comma + 1;
  }
  return !list.empty();
}

[[noreturn]] inline void usage_error(const std::string& what) {
  std::fprintf(stderr, "workload: %s\nTry './workload --help'.\n", what.c_str());
  std::exit(2);
}

inline bool has_nodes(const TaskSet& task_set, unsigned pool) {
  for (unsigned d = 0; d < task_set.dag_count; ++d) {
    for (unsigned v = 0; v < task_set.dags[d].node_count; ++v) {
      if (task_set.dags[d].nodes[v].pool == pool) return true;
    }
  }
  return false;
}

/// Why the bounds of both pools do not hold on one device; null: they do.
inline const char* conflict(PoolKind a, PoolKind b) {
  if (a == PoolKind::gpu && b == PoolKind::gpu) return "each is a whole GPU";
  if (a == PoolKind::engines && b == PoolKind::engines) return "each has its copy engines to itself";
  if ((a == PoolKind::gpu && b == PoolKind::workers) || (a == PoolKind::workers && b == PoolKind::gpu))
    return "resident workers keep threads, registers and a block slot of SMs that the GPU pool has to itself";
  return nullptr;
}

inline void require_own_devices(const TaskSet& task_set, const Options& options) {
  for (unsigned p = 0; p < task_set.pool_count; ++p) {
    for (unsigned q = p + 1; q < task_set.pool_count; ++q) {
      const Pool& a = task_set.pools[p];
      const Pool& b = task_set.pools[q];
      const char* why = conflict(a.kind, b.kind);
      const bool one_gpu = std::strcmp(a.hardware, b.hardware) == 0;  // contexts of its processes
      if (why == nullptr || one_gpu || !has_nodes(task_set, p) || !has_nodes(task_set, q) || options.device_of(a) != options.device_of(b))
        continue;
      usage_error("pools '" + std::string(a.name) + "' and '" + b.name + "' are both on CUDA device " +
                  std::to_string(options.device_of(a)) + ": " + why + "; place one elsewhere with --device POOL=NUMBER");
    }
  }
}

/// Takes an option with its value; ends the program when it is not allowed.
inline void set_option(const TaskSet& task_set, const std::string& name, const std::string& value, Options& options) {
  const auto pool_exists = [&](const std::string& pool) {
    for (unsigned p = 0; p < task_set.pool_count; ++p) {
      const bool cpu = task_set.pools[p].kind == PoolKind::cpu;
      if (pool == task_set.pools[p].hardware && (name == "--overhead" || cpu == (name == "--cpus"))) return true;
    }
    return false;
  };
  const auto wrong = [&](const char* allowed) { usage_error(name + " '" + value + "': not allowed (" + allowed + ")"); };
  if (name == "--duration" || name == "--warmup") {
    const std::int64_t time = parse_time(value);
    if (time < 0 || (time == 0 && name == "--duration")) wrong("a time with its unit, e.g. 60s or 500ms");
    (name == "--duration" ? options.duration : options.warmup) = time;
  } else if (name == "--output" || name == "-o") {
    options.output = value;
  } else if (name == "--trace-level") {
    if (value != "dag" && value != "job" && value != "block") wrong("dag, job or block");
    options.level = value == "dag" ? TraceLevel::dag : value == "job" ? TraceLevel::job : TraceLevel::block;
  } else if (name == "--write") {
    if (value != "background" && value != "end") wrong("background or end");
    options.write_at_end = value == "end";
  } else if (name == "--scheduling") {
    if (value != "auto" && value != "deadline" && value != "fifo" && value != "other") wrong("auto, deadline, fifo or other");
    options.scheduling = value == "auto"       ? SchedulingChoice::automatic
                         : value == "deadline" ? SchedulingChoice::deadline
                         : value == "fifo"     ? SchedulingChoice::fifo
                                               : SchedulingChoice::other;
  } else if (name == "--tasks") {
    if (value != "threads" && value != "processes") wrong("threads or processes");
    options.processes = value == "processes";
  } else if (name == "--streams") {
    if (value != "per-job" && value != "per-task") wrong("per-job or per-task");
    options.streams_per_task = value == "per-task";
  } else {
    const std::size_t equals = value.find('=');
    const std::string pool = value.substr(0, equals);
    if (equals == std::string::npos || !pool_exists(pool)) wrong("POOL=..., with a pool of the task set");
    if (name == "--cpus") {
      if (!parse_list(value.substr(equals + 1), options.processors[pool])) wrong("e.g. socket0=0-3,8");
    } else if (name == "--overhead") {
      const std::int64_t time = parse_time(value.substr(equals + 1));
      if (time < 0) wrong("a time with its unit, e.g. gpu=100us");
      options.overheads[pool] = time;
    } else if (!parse_number(value.substr(equals + 1), options.devices[pool])) {
      wrong("e.g. gpu=0");
    }
  }
}

inline Options parse_options(const TaskSet& task_set, int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      std::fputs(usage(), stdout);
      std::exit(0);
    }
    if (name == "--quiet" || name == "-q") {
      options.quiet = true;
      continue;
    }
    static const char* const with_value[] = {"--duration",   "--warmup", "--output",  "-o",     "--trace-level", "--write",
                                             "--scheduling", "--tasks",  "--streams", "--cpus", "--device",      "--overhead"};
    bool known = false;
    for (const char* k : with_value) known = known || name == k;
    if (!known) usage_error("unknown option '" + name + "'");
    if (i + 1 >= argc) usage_error(name + " needs a value");
    set_option(task_set, name, argv[++i], options);
  }
  require_own_devices(task_set, options);
  for (unsigned p = 0; options.processes && p < task_set.pool_count; ++p) {
    if (task_set.pools[p].whole > 0)
      usage_error("--tasks processes: pool '" + std::string(task_set.pools[p].name) + "' is a green context, which is of one process");
  }
  return options;
}

}  // namespace workload
