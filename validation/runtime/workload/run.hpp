// A generated program's main part: sets everything up, runs the task set, checks itself, writes the trace.
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "checks.hpp"
#include "common/machine.hpp"
#include "common/trace_file.hpp"
#include "cpu_executor.hpp"
#include "engine.hpp"
#include "options.hpp"
#include "recorder.hpp"
#ifdef __CUDACC__
#include "gpu_pools.cuh"
#endif

namespace workload {

using namespace common;

/// Exit statuses of a generated program.
enum Status { valid_run = 0, invalid_run = 1, could_not_run = 2 };

inline volatile std::sig_atomic_t interrupted = 0;

/// What processes that run parts of one task set share.
struct Shared {
  std::atomic<int> ready{0};
  std::atomic<std::int64_t> start{0};  // 0: not yet
  std::atomic<std::int64_t> finished{0};
};

class SharedMemory {
 public:
  explicit SharedMemory(unsigned pools) : bytes_(sizeof(Shared) + 64 + pools * sizeof(PriorityOrder)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) {
      std::perror("workload: mmap");
      std::exit(could_not_run);
    }
    shared = new (memory_) Shared;
    orders = reinterpret_cast<PriorityOrder*>(static_cast<char*>(memory_) + (sizeof(Shared) + 63) / 64 * 64);
    for (unsigned p = 0; p < pools; ++p) new (orders + p) PriorityOrder;
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { munmap(memory_, bytes_); }

  Shared* shared = nullptr;
  PriorityOrder* orders = nullptr;

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

/// Whether some pool needs the driver of a GPU.
inline bool needs_gpu(const TaskSet& set) {
  return std::any_of(set.pools, set.pools + set.pool_count, [](const Pool& pool) { return pool.kind != PoolKind::cpu; });
}

/// The processors of every CPU pool: those that were asked for, else the next of `free`, in the order of the pools. Beside a GPU,
/// processor 0 comes last: it usually takes the GPU's interrupts, and some drivers end kernels in a thread there that has no real-time
/// level.
inline std::vector<std::vector<int>> assign_processors(const TaskSet& set, const Options& options, std::vector<int> free) {
  const std::size_t present = free.size();
  if (needs_gpu(set)) std::stable_partition(free.begin(), free.end(), [](int processor) { return processor != 0; });
  std::vector<std::vector<int>> assigned(set.pool_count);
  const auto take = [&](int processor, const Pool& pool) {
    const auto at = std::find(free.begin(), free.end(), processor);
    if (at == free.end())
      usage_error("pool '" + std::string(pool.name) + "': processor " + std::to_string(processor) + " is not there or already taken");
    free.erase(at);
  };
  for (unsigned p = 0; p < set.pool_count; ++p) {
    const auto wanted = options.processors.find(set.pools[p].name);
    if (wanted == options.processors.end()) continue;
    if (wanted->second.size() != set.pools[p].count)
      usage_error("pool '" + std::string(set.pools[p].name) + "' has " + std::to_string(set.pools[p].count) + " processors, --cpus names " +
                  std::to_string(wanted->second.size()));
    assigned[p] = wanted->second;
    for (int processor : assigned[p]) take(processor, set.pools[p]);
  }
  for (unsigned p = 0; p < set.pool_count; ++p) {
    if (set.pools[p].kind != PoolKind::cpu || !assigned[p].empty()) continue;
    if (free.size() < set.pools[p].count) {
      std::fprintf(stderr, "workload: pool '%s' needs %u processors; %zu of the %zu that this process may use are left\n",
                   set.pools[p].name, set.pools[p].count, free.size(), present);
      std::exit(could_not_run);
    }
    assigned[p].assign(free.begin(), free.begin() + set.pools[p].count);
    free.erase(free.begin(), free.begin() + set.pools[p].count);
  }
  return assigned;
}

inline std::vector<DagNames> trace_names(const TaskSet& set) {
  std::vector<DagNames> names;
  for (unsigned d = 0; d < set.dag_count; ++d) {
    names.push_back({set.dags[d].name, {}});
    for (unsigned v = 0; v < set.dags[d].node_count; ++v) names.back().nodes.emplace_back(set.dags[d].nodes[v].name);
  }
  return names;
}

/// One process's part of the task set.
class Part {
 public:
  Part(const TaskSet& set, const Options& options, std::vector<bool> own, SharedMemory& memory, std::FILE* file)
      : set_(set), options_(options), own_(std::move(own)), memory_(memory), trace_(trace_names(set), file) {}

  /// Returns after all jobs have ended, or were given up. The calling process may be one of `parts`.
  Status run(int parts, bool leads) {
    small_stacks();
    const auto processors = assign_processors(set_, options_, allowed_processors());
    const CpuSpeed speed = measure_cpu_speed();
    Recorder recorder(options_.write_at_end);
    RunStatistics statistics;
    Engine engine(set_, own_, options_.warmup + options_.duration, options_.level, statistics);

    std::vector<std::unique_ptr<CpuExecutor>> cpu(set_.pool_count);
    std::vector<bool> as_wanted(set_.pool_count);
    std::vector<std::string> remarks(set_.pool_count);
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      if (set_.pools[p].kind != PoolKind::cpu) continue;
      cpu[p] = std::make_unique<CpuExecutor>(engine, recorder, p, own_, processors[p], speed, memory_.orders[p], parts > 1);
      as_wanted[p] = cpu[p]->set_policy(options_.scheduling, remarks[p]);
      engine.set_executor(p, cpu[p].get());
    }
#ifdef __CUDACC__
    std::unique_ptr<GpuPools> gpu;
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      if (set_.pools[p].kind != PoolKind::cpu && !gpu) gpu = std::make_unique<GpuPools>(engine, recorder, own_, options_);
    }
    gpu_ = gpu.get();
#endif

    // Only now: CUDA reserves far more addresses than it uses, and threads have their stacks.
    const std::string unlocked = lock_memory();
    const std::int64_t start = agree_on_start(parts, leads);
    const std::int64_t measured_from = start + options_.warmup;
    trace_.set_origin(start);
    HeaderFields fields{{"task_set_sha256", json_string(set_.sha256)},
                        {"task_set_content_sha256", json_string(set_.content_sha256)},
                        {"release", json_string(set_.release)}};
    const std::size_t of_every_run = fields.size();
#ifdef __CUDACC__
    if (gpu) gpu->header(fields);
#endif
    if (fields.size() == of_every_run) describe_host(fields);
    describe(fields, cpu, processors);
    trace_.header(set_.name, fields);
    trace_.flush();

    std::thread releaser([&] {
      tight_timers();
      releases_privileged_ = set_fifo(0, release_level).empty();
      engine.release_all(start, measured_from);
    });
    watch(engine, recorder, start, leads && !options_.quiet);
    engine.stop();
    releaser.join();

    Checks checks;
    const bool complete = engine.unfinished() == 0;
    checks.push_back({"jobs", complete ? Outcome::ok : Outcome::failed,
                      std::to_string(engine.total() - engine.unfinished()) + " of " + std::to_string(engine.total()) + " DAG jobs ended"});
    check_lateness("releases", statistics.releases, checks);
    check_lateness("queue entries", statistics.entries, checks);
    if (!releases_privileged_) checks.push_back({"release thread", Outcome::warning, "it runs under SCHED_OTHER"});
    if (!unlocked.empty()) checks.push_back({"locked memory", Outcome::warning, "mlockall: " + unlocked});
    if (statistics.passed_slots.load() > 0)
      checks.push_back({"intra-task parallelism", Outcome::failed,
                        std::to_string(statistics.passed_slots.load()) + " jobs waited because all slots of their node were taken"});
    LengthCheck lengths("C");
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      if (!cpu[p]) continue;
      check_cpu_pool(set_, p, *cpu[p], memory_.orders[p], as_wanted[p], remarks[p], checks);
      for (unsigned d = 0; d < set_.dag_count; ++d) {
        for (unsigned v = 0; own_[d] && v < set_.dags[d].node_count; ++v) {
          const Node& node = set_.dags[d].nodes[v];
          if (node.pool == p) lengths.add(std::string(set_.dags[d].name) + "/" + node.name, node.length, cpu[p]->achieved(d, v));
        }
      }
    }
    lengths.report(checks);
    check_processor_0(cpu, processors, checks);
#ifdef __CUDACC__
    // A kernel that never ends would keep the device from being asked anything more.
    if (gpu && complete) gpu->check(checks);
#endif
    const Status status = finish(recorder, checks, complete);
    if (!complete) {  // threads still run what they cannot be called back from
      std::fflush(nullptr);
      std::_Exit(status);
    }
    return status;
  }

 private:
  /// Real-time jobs on the processor of the GPU's interrupts may hold up what tells of the end of kernels.
  void check_processor_0(const std::vector<std::unique_ptr<CpuExecutor>>& cpu, const std::vector<std::vector<int>>& processors,
                         Checks& checks) const {
    if (!needs_gpu(set_)) return;
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      const bool has_0 = std::find(processors[p].begin(), processors[p].end(), 0) != processors[p].end();
      if (cpu[p] && has_0 && cpu[p]->policy() != Policy::other)
        checks.push_back({std::string("processors of ") + set_.pools[p].name, Outcome::warning,
                          "processor 0, which usually takes the GPU's interrupts, is among them: the ends of kernels may be noticed late"});
    }
  }

  /// All parts begin together, when the last one is ready.
  std::int64_t agree_on_start(int parts, bool leads) {
    memory_.shared->ready.fetch_add(1);
    if (leads) {
      while (memory_.shared->ready.load() < parts && interrupted == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      memory_.shared->start.store(now() + 50'000'000);
    }
    while (memory_.shared->start.load() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return memory_.shared->start.load();
  }

  /// The device, where there is no GPU.
  static void describe_host(HeaderFields& fields) {
    fields.emplace_back("device", json_string(cpu_name()));
    fields.emplace_back("driver", json_string(kernel_name()));
    fields.emplace_back("clock_error_ns", "0");
  }

  void describe(HeaderFields& fields, const std::vector<std::unique_ptr<CpuExecutor>>& cpu,
                const std::vector<std::vector<int>>& processors) const {
    fields.emplace_back("started", json_string(utc_now()));
    fields.emplace_back("kernel", json_string(kernel_name()));
    fields.emplace_back("tasks", json_string(options_.processes ? "processes" : "threads"));
    fields.emplace_back("duration_ns", std::to_string(options_.duration));
    fields.emplace_back("warmup_ns", std::to_string(options_.warmup));
    std::string pools;
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      if (!cpu[p]) continue;
      std::string list;
      for (int processor : processors[p]) list += (list.empty() ? "" : ",") + std::to_string(processor);
      pools +=
          (pools.empty() ? "" : "; ") + std::string(set_.pools[p].name) + ": " + to_string(cpu[p]->policy()) + " on processors " + list;
    }
    for (unsigned i = 0; i < set_.choice_count; ++i) fields.emplace_back(set_.choices[i].name, json_string(set_.choices[i].value));
    fields.emplace_back("scheduling", json_string(pools));
  }

  /// Writes records while jobs run; ends when all have ended, on a signal, or when waiting longer would be in vain.
  void watch(Engine& engine, Recorder& recorder, std::int64_t start, bool progress) {
    setpriority(PRIO_PROCESS, static_cast<id_t>(thread_number()), 10);
    std::int64_t longest = 0;
    for (unsigned d = 0; d < set_.dag_count; ++d) longest = std::max(longest, set_.dags[d].bound);
    const std::int64_t length = options_.warmup + options_.duration;
    const std::int64_t give_up = start + length + std::max<std::int64_t>(10'000'000'000, 4 * longest);
    progress = progress && isatty(STDERR_FILENO) != 0;
    std::int64_t next_report = start;
    while (engine.unfinished() > 0 && interrupted == 0 && now() < give_up) {
      if (!options_.write_at_end) {
        write_records(recorder);
        trace_.flush();
      }
      if (progress && now() >= next_report) {
        const std::int64_t passed = std::min(std::max<std::int64_t>(now() - start, 0), length);
        std::fprintf(stderr, "\r%.0f of %.0f s, %lld of %lld jobs ended ", static_cast<double>(passed) / 1e9,
                     static_cast<double>(length) / 1e9, static_cast<long long>(engine.total() - engine.unfinished()),
                     static_cast<long long>(engine.total()));
        next_report = now() + 500'000'000;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (progress) std::fprintf(stderr, "\r\033[K");
  }

  void write_records(Recorder& recorder) {
    recorder.drain([&](const Record& r) {
#ifdef __CUDACC__
      trace_.record(gpu_ != nullptr ? gpu_->on_host_clock(r) : r);
#else
      trace_.record(r);
#endif
    });
  }

  Status finish(Recorder& recorder, Checks& checks, bool complete) {
    write_records(recorder);
    const std::uint64_t lost = recorder.lost();
    if (lost > 0) checks.push_back({"records", Outcome::failed, std::to_string(lost) + " were lost"});
    bool valid = true;
    for (const Check& check : checks) {
      trace_.check(check.name, to_string(check.outcome), check.text);
      valid = valid && check.outcome != Outcome::failed;
      if (check.outcome != Outcome::ok)
        std::fprintf(stderr, "%s: %s: %s\n", to_string(check.outcome), check.name.c_str(), check.text.c_str());
    }
    trace_.end(complete, lost, valid);
    trace_.flush();
    if (!trace_.error().empty()) {
      std::fprintf(stderr, "workload: the trace could not be written: %s\n", trace_.error().c_str());
      return could_not_run;
    }
    return valid ? valid_run : invalid_run;
  }

  const TaskSet& set_;
  const Options& options_;
  std::vector<bool> own_;
  SharedMemory& memory_;
  TraceFile trace_;
  bool releases_privileged_ = false;
#ifdef __CUDACC__
  const GpuPools* gpu_ = nullptr;  // while `run` runs
#endif
};

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

/// A process per DAG; processes share nothing but the start and the order of priority points.
inline Status run_processes(const TaskSet& set, const Options& options, SharedMemory& memory) {
  for (unsigned p = 0; p < set.pool_count; ++p) {
    if (set.pools[p].kind == PoolKind::workers)
      usage_error("pool '" + std::string(set.pools[p].name) +
                  "' is one resident kernel, which processes cannot share: use --tasks threads");
    if (set.pools[p].order == Order::non_preemptive || set.pools[p].order == Order::fixed_non_preemptive)
      usage_error("pool '" + std::string(set.pools[p].name) + "' is one thread pool, which processes cannot share: use --tasks threads");
  }
  std::vector<std::string> parts;
  std::vector<pid_t> children;
  for (unsigned d = 0; d < set.dag_count; ++d) {
    parts.push_back(options.output + ".part" + std::to_string(d));
    const pid_t child = fork();
    if (child < 0) {
      std::perror("workload: fork");
      for (const pid_t started : children) kill(started, SIGTERM);
      return could_not_run;
    }
    if (child == 0) {
      std::FILE* file = std::fopen(parts.back().c_str(), "w");
      if (file == nullptr) {
        std::perror(parts.back().c_str());
        std::_Exit(could_not_run);
      }
      std::vector<bool> own(set.dag_count);
      own[d] = true;
      Part part(set, options, own, memory, file);
      const Status status = part.run(static_cast<int>(set.dag_count), d == 0);
      std::fclose(file);
      std::_Exit(status);
    }
    children.push_back(child);
  }
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
  if (worst == could_not_run && memory.shared->start.load() == 0) {
    for (const std::string& part : parts) std::remove(part.c_str());
    return could_not_run;
  }
  return join_parts(set, options.output, parts, worst);
}

/// Runs the task set; the result is the program's exit status.
inline int run(const TaskSet& set, int argc, char** argv) {
  const Options options = parse_options(set, argc, argv);
  // Both must be set before CUDA starts: hardware queues for 32 streams, and no kernel that is loaded at its first launch.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  const std::size_t memory = Engine::memory(set, options.warmup + options.duration);
  const auto present = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  if (memory > present / 4) {
    std::fprintf(stderr, "workload: a run of that length needs %zu MiB for its jobs; shorten --duration\n", memory >> 20);
    return could_not_run;
  }
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);

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
