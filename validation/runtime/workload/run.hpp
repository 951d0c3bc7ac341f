// A generated program's main part: runs the task set of its options, here or in processes.
#pragma once

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "common/scheduling.hpp"
#include "engine.hpp"
#include "options.hpp"
#include "part.hpp"
#include "played.hpp"
#include "processes.hpp"
#include "processors.hpp"
#include "shared_memory.hpp"
#include "status.hpp"

namespace workload {

/// Runs the task set; the result is the program's exit status.
inline int run(const TaskSet& written, int argc, char** argv) {
  const Options options = parse_options(written, argc, argv);
  const Played played(written, options);
  const TaskSet& set = played.task_set();
  // Both must be set before CUDA starts: hardware queues for 32 streams, and no kernel that is loaded at its first launch.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  const std::size_t memory = Engine::memory(set, options.warmup + options.duration);
  const auto present = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  if (memory > present / 4) {
    std::fprintf(stderr, "workload: a run of that length needs %zu MiB for its jobs; shorten --duration\n", memory >> 20);
    return could_not_run;
  }
  assign_processors(set, options, allowed_processors());  // ends here what cannot run, before the trace of an earlier run is lost
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // an error of the write

  SharedMemory shared(set.pool_count);
  if (options.processes && set.dag_count > 1) return run_processes(set, options, shared);
  std::FILE* file = std::fopen(options.output.c_str(), "w");
  if (file == nullptr) {
    std::perror(options.output.c_str());
    return could_not_run;
  }
  Part part(set, options, std::vector<bool>(set.dag_count, true), shared, file);
  const Status status = part.run(1, true);
  if (std::fclose(file) != 0) {
    std::perror(options.output.c_str());
    return could_not_run;
  }
  return status;
}

}  // namespace workload
