// A process per DAG, or per process of the task set, and the trace that their parts make.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "options.hpp"
#include "part.hpp"
#include "shared_memory.hpp"
#include "status.hpp"

namespace workload {

/// Joins the parts' traces: one header, all records and checks, one end.
inline Status join_parts(const TaskSet& set, const std::string& output, const std::vector<std::string>& parts, Status status) {
  std::FILE* file = std::fopen(output.c_str(), "w");
  if (file == nullptr) {
    std::perror(output.c_str());
    return could_not_run;
  }
  TraceFile trace(trace_names(set), file);
  bool complete = true;
  std::uint64_t lost = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    std::ifstream part(parts[p]);
    bool ended = false;
    for (std::string line; std::getline(part, line);) {
      if (line.compare(0, 11, "{\"schema\": ") == 0) {
        if (p == 0) trace.raw(line + "\n");
      } else if (line.compare(0, 12, "{\"t\": \"end\",") == 0) {
        ended = true;
        complete = complete && line.find("\"complete\": true") != std::string::npos;
        const std::string key = "\"lost_records\": ";
        lost += std::strtoull(line.c_str() + line.find(key) + key.size(), nullptr, 10);
      } else {
        trace.raw(line + "\n");
      }
    }
    complete = complete && ended;
  }
  trace.end(complete, lost, status == valid_run);
  trace.flush();
  std::fclose(file);
  if (!trace.error().empty()) {
    std::fprintf(stderr, "workload: %s: %s\n", output.c_str(), trace.error().c_str());
    return could_not_run;
  }
  for (const std::string& part : parts) std::remove(part.c_str());
  return status;
}

/// Ends the program where pools cannot be shared by processes.
inline void refuse_processes(const TaskSet& set) {
  for (unsigned d = 0; d < set.dag_count; ++d) {
    for (unsigned b = 0; b < set.dags[d].body_count; ++b) {
      if (!set.dags[d].bodies[b].by_point)
        usage_error("DAG '" + std::string(set.dags[d].name) +
                    "' is played by threads that stand in one queue for their processors, which processes do not: use --tasks threads");
    }
  }
  for (unsigned p = 0; p < set.pool_count; ++p) {
    if (set.pools[p].kind == PoolKind::workers)
      usage_error("pool '" + std::string(set.pools[p].name) +
                  "' is one resident kernel, which processes cannot share: use --tasks threads");
    if (set.pools[p].order == Order::non_preemptive || set.pools[p].order == Order::fixed_non_preemptive)
      usage_error("pool '" + std::string(set.pools[p].name) + "' is one thread pool, which processes cannot share: use --tasks threads");
  }
}

/// Which DAGs each process runs. Ends the program where a DAG has kernels of several.
inline std::vector<std::vector<bool>> dags_of_processes(const TaskSet& set) {
  std::map<int, std::vector<bool>> by_number;
  for (unsigned d = 0; d < set.dag_count; ++d) {
    if (set.dags[d].process < 0)
      usage_error("DAG '" + std::string(set.dags[d].name) + "' has kernels of several processes, and one process plays a DAG");
    auto& own = by_number[set.dags[d].process];
    own.resize(set.dag_count);
    own[d] = true;
  }
  std::vector<std::vector<bool>> all;
  for (auto& own : by_number) all.push_back(std::move(own.second));
  return all;
}

/// One of `processes` children: runs its DAGs and ends with its status.
[[noreturn]] inline void run_child(const TaskSet& set, const std::vector<std::vector<bool>>& processes, std::size_t number,
                                   const Options& options, SharedMemory& memory, const std::string& output) {
  std::FILE* file = std::fopen(output.c_str(), "w");
  if (file == nullptr) {
    std::perror(output.c_str());
    std::_Exit(could_not_run);
  }
  Part part(set, options, processes[number], memory, file);
  const Status status = part.run(static_cast<int>(processes.size()), number == 0);
  std::fclose(file);
  std::_Exit(status);
}

/// The worst status of all children. A signal to this process goes to them; when one ends before it is ready, all do.
inline Status wait_for(const std::vector<pid_t>& children, const SharedMemory& memory) {
  Status worst = valid_run;
  for (std::size_t left = children.size(); left > 0;) {
    int ended = 0;
    const pid_t child = waitpid(-1, &ended, 0);
    if (child < 0) {
      if (errno != EINTR) break;
      for (const pid_t other : children) kill(other, SIGTERM);
      continue;
    }
    --left;
    const int status = WIFEXITED(ended) ? WEXITSTATUS(ended) : static_cast<int>(could_not_run);
    worst = static_cast<Status>(std::max(static_cast<int>(worst), status));
    if (memory.shared->start.load() == 0 && status != valid_run) {  // it will never be ready
      for (const pid_t other : children) {
        if (other != child) kill(other, SIGKILL);
      }
    }
  }
  return worst;
}

/// Processes share nothing but the start and the order of priority points.
inline Status run_processes(const TaskSet& set, const Options& options, SharedMemory& memory) {
  refuse_processes(set);
  const std::vector<std::vector<bool>> processes = dags_of_processes(set);
  std::vector<std::string> parts;
  std::vector<pid_t> children;
  for (std::size_t p = 0; p < processes.size(); ++p) {
    parts.push_back(options.output + ".part" + std::to_string(p));
    const pid_t child = fork();
    if (child < 0) {
      std::perror("workload: fork");
      for (const pid_t started : children) kill(started, SIGTERM);
      return could_not_run;
    }
    if (child == 0) run_child(set, processes, p, options, memory, parts.back());
    children.push_back(child);
  }
  const Status worst = wait_for(children, memory);
  if (worst == could_not_run && memory.shared->start.load() == 0) {
    for (const std::string& part : parts) std::remove(part.c_str());
    return could_not_run;
  }
  return join_parts(set, options.output, parts, worst);
}

}  // namespace workload
