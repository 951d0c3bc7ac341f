// One process's part of a task set: starts with the others, runs, checks itself, writes the trace.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "body_threads.hpp"
#include "checks.hpp"
#include "common/machine.hpp"
#include "common/trace_file.hpp"
#include "cpu_pools.hpp"
#include "engine.hpp"
#include "failure.hpp"
#include "options.hpp"
#include "recorder.hpp"
#include "shared_memory.hpp"
#include "status.hpp"
#ifdef __CUDACC__
#include "gpu_pools.cuh"
#endif

namespace workload {

using namespace common;

inline std::vector<DagNames> trace_names(const TaskSet& set) {
  std::vector<DagNames> names;
  for (unsigned d = 0; d < set.dag_count; ++d) {
    names.push_back({set.dags[d].name, {}});
    for (unsigned v = 0; v < set.dags[d].node_count; ++v) names.back().nodes.emplace_back(set.dags[d].nodes[v].name);
  }
  return names;
}

class Part {
 public:
  Part(const TaskSet& set, const Options& options, std::vector<bool> own, SharedMemory& memory, std::FILE* file)
      : set_(set), options_(options), own_(std::move(own)), memory_(memory), trace_(trace_names(set), file) {}

  /// Returns after all jobs have ended, or were given up. The calling process may be one of `parts`.
  Status run(int parts, bool leads) {
    small_stacks();
    Recorder recorder(options_.write_at_end);
    RunStatistics statistics;
    Engine engine(set_, own_, options_.warmup + options_.duration, options_.level, statistics);
    CpuPools cpu(engine, recorder, own_, options_, memory_, parts > 1);
#ifdef __CUDACC__
    std::unique_ptr<GpuPools> gpu;
    if (needs_gpu(set_)) gpu = std::make_unique<GpuPools>(engine, recorder, own_, options_);
    gpu_ = gpu.get();
    std::vector<Device*> devices = gpu ? gpu->devices() : std::vector<Device*>(set_.pool_count);
#else
    std::vector<Device*> devices(set_.pool_count);
#endif
    // Last, and so first to end: its threads use all others.
    std::unique_ptr<BodyThreads> bodies;
    if (has_bodies(set_)) bodies = std::make_unique<BodyThreads>(engine, recorder, own_, cpu, std::move(devices), options_.scheduling);

    // Only now: CUDA reserves far more addresses than it uses, and threads have their stacks.
    const std::string unlocked = lock_memory();
    const std::int64_t start = agree_on_start(parts, leads);
    write_header(cpu, start);

    Checks checks;
    Failure& failure = Failure::instance();
    failure.take_over([&] {
      checks.push_back({"GPU", Outcome::failed, failure.text()});
      give_up(finish(recorder, checks, false));
    });
    std::thread releaser([&] {
      tight_timers();
      releases_privileged_ = set_fifo(0, release_level).empty();
      engine.release_all(start, start + options_.warmup);
    });
    watch(engine, recorder, start, leads && !options_.quiet);
    engine.stop();
    releaser.join();

    const bool complete = engine.unfinished() == 0 && !failure.happened();
    if (failure.happened()) checks.push_back({"GPU", Outcome::failed, failure.text()});
    check_jobs(engine, statistics, complete, checks);
    if (!unlocked.empty()) checks.push_back({"locked memory", Outcome::warning, "mlockall: " + unlocked});
    check_slots(statistics, checks);
    cpu.check(checks);
    if (bodies) bodies->check(checks);
#ifdef __CUDACC__
    // A kernel that never ends would keep the device from being asked anything more.
    if (gpu && complete) gpu->check(checks);
#endif
    const Status status = finish(recorder, checks, complete);
    if (!complete) give_up(status);
    Failure::let_go();
    return status;
  }

 private:
  /// Ends the program while threads run what they cannot be called back from.
  [[noreturn]] static void give_up(Status status) {
    std::fflush(nullptr);
    std::_Exit(status);
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

  void write_header(const CpuPools& cpu, std::int64_t start) {
    trace_.set_origin(start);
    HeaderFields fields{{"task_set_sha256", json_string(set_.sha256)},
                        {"task_set_content_sha256", json_string(set_.content_sha256)},
                        {"release", json_string(set_.release)}};
    const std::size_t of_every_run = fields.size();
#ifdef __CUDACC__
    if (gpu_ != nullptr) gpu_->header(fields);
#endif
    if (fields.size() == of_every_run) describe_host(fields);
    describe(fields);
    fields.emplace_back("scheduling", json_string(cpu.scheduling()));
    trace_.header(set_.name, fields);
    trace_.flush();
  }

  /// The device, where there is no GPU.
  static void describe_host(HeaderFields& fields) {
    fields.emplace_back("device", json_string(cpu_name()));
    fields.emplace_back("driver", json_string(kernel_name()));
    fields.emplace_back("clock_error_ns", "0");
  }

  void describe(HeaderFields& fields) const {
    fields.emplace_back("started", json_string(utc_now()));
    fields.emplace_back("kernel", json_string(kernel_name()));
    fields.emplace_back("tasks", json_string(options_.processes ? "processes" : "threads"));
    fields.emplace_back("duration_ns", std::to_string(options_.duration));
    fields.emplace_back("warmup_ns", std::to_string(options_.warmup));
    std::string overheads;
    for (const auto& overhead : options_.overheads)
      overheads += (overheads.empty() ? "" : ", ") + json_string(overhead.first) + ": " + std::to_string(overhead.second);
    if (!overheads.empty()) fields.emplace_back("overhead_ns", "{" + overheads + "}");
    for (unsigned i = 0; i < set_.choice_count; ++i) fields.emplace_back(set_.choices[i].name, json_string(set_.choices[i].value));
  }

  /// Whether all jobs ended, and were released when they had to be.
  void check_jobs(const Engine& engine, const RunStatistics& statistics, bool complete, Checks& checks) const {
    checks.push_back({"jobs", complete ? Outcome::ok : Outcome::failed,
                      std::to_string(engine.total() - engine.unfinished()) + " of " + std::to_string(engine.total()) + " DAG jobs ended"});
    check_lateness("releases", statistics.releases, checks);
    check_lateness("queue entries", statistics.entries, checks);
    if (!releases_privileged_) checks.push_back({"release thread", Outcome::warning, "it runs under SCHED_OTHER"});
  }

  static void check_slots(const RunStatistics& statistics, Checks& checks) {
    if (statistics.passed_slots.load() == 0) return;
    checks.push_back({"intra-task parallelism", Outcome::failed,
                      std::to_string(statistics.passed_slots.load()) + " jobs waited because all slots of their node were taken"});
  }

  /// Writes records while jobs run; ends when all have ended, on a signal, or when waiting longer would be in vain.
  void watch(Engine& engine, Recorder& recorder, std::int64_t start, bool progress) {
    setpriority(PRIO_PROCESS, static_cast<id_t>(thread_number()), 10);
    std::int64_t longest = 0;
    for (unsigned d = 0; d < set_.dag_count; ++d) longest = std::max(longest, set_.dags[d].bound);
    const std::int64_t length = options_.warmup + options_.duration;
    const std::int64_t latest = start + length + std::max<std::int64_t>(10'000'000'000, 4 * longest);
    progress = progress && isatty(STDERR_FILENO) != 0;
    std::int64_t next_report = start;
    while (engine.unfinished() > 0 && interrupted == 0 && !Failure::instance().happened() && now() < latest) {
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

}  // namespace workload
