// All pools of a task set that need CUDA, made in an order in which nothing waits for a resident kernel.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checks.hpp"
#include "common/green_contexts.cuh"
#include "common/machine.hpp"
#include "common/trace_file.hpp"
#include "copy_executor.cuh"
#include "gpu_executor.cuh"
#include "options.hpp"
#include "worker_executor.cuh"

namespace workload {

using namespace common;

class GpuPools {
 public:
  GpuPools(Engine& engine, Recorder& recorder, const std::vector<bool>& own, const Options& options)
      : set_(engine.task_set()), options_(options), own_(own) {
    int count = 0;
    CUDA_CALL(cudaGetDeviceCount(&count));
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      const Pool& pool = set_.pools[p];
      if (pool.kind == PoolKind::cpu) continue;
      const int index = options.device_of(pool);
      if (index >= count) usage_error("pool '" + std::string(pool.name) + "': there is no CUDA device " + std::to_string(index));
      auto& device = devices_[index];
      if (!device) {
        device = std::make_unique<GpuDevice>(index);
        device->compare_clocks();
      }
      device_of_[p] = device.get();
    }
    each(PoolKind::gpu, [&](unsigned p) {
      gpu_[p] = std::make_unique<GpuExecutor>(engine, recorder, *device_of_[p], p, own,
                                              options.streams_per_task ? StreamUse::per_task : StreamUse::per_job, streams_of(p));
      engine.set_executor(p, gpu_[p].get());
    });
    each(PoolKind::engines, [&](unsigned p) {
      copies_[p] = std::make_unique<CopyExecutor>(engine, recorder, *device_of_[p], p, own);
      engine.set_executor(p, copies_[p].get());
    });
    each(PoolKind::workers, [&](unsigned p) {
      workers_[p] = std::make_unique<WorkerExecutor>(engine, recorder, *device_of_[p], p, own);
      engine.set_executor(p, workers_[p].get());
    });
    // Before workers are resident: they may leave no room for a kernel that reads the clock.
    for (auto& device : devices_) device.second->set_clock();
    for (auto& worker : workers_) {
      const std::string absent = worker.second->begin();
      if (!absent.empty()) mismatches_.push_back({std::string("workers of ") + set_.pools[worker.first].name, Outcome::failed, absent});
    }
  }

  /// By pool, for the threads of bodies; null: none of this device's.
  [[nodiscard]] std::vector<Device*> devices() const {
    std::vector<Device*> all(set_.pool_count, nullptr);
    for (const auto& pool : gpu_) all[pool.first] = pool.second.get();
    for (const auto& pool : copies_) all[pool.first] = pool.second.get();
    for (const auto& pool : workers_) all[pool.first] = pool.second.get();
    return all;
  }

  void header(HeaderFields& fields) const {
    std::string names;
    std::int64_t error = 0;
    for (const auto& device : devices_) {
      names += (names.empty() ? "" : ", ") + std::string(device.second->properties().name);
      error = std::max(error, device.second->clock().error());
    }
    int runtime = 0;
    CUDA_CALL(cudaRuntimeGetVersion(&runtime));
    std::string driver = first_line("/sys/module/nvidia/version");
    if (driver.empty()) {
      int version = 0;
      CUDA_CALL(cudaDriverGetVersion(&version));
      driver = "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    }
    fields.emplace_back("device", json_string(names));
    fields.emplace_back("driver", json_string(driver));
    fields.emplace_back("cuda", json_string(std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10)));
    fields.emplace_back("clock_error_ns", std::to_string(error));
    fields.emplace_back("streams", json_string(options_.streams_per_task ? "per-task" : "per-job"));
    fields.emplace_back("mps", mps_is_active() ? "true" : "false");
  }

  /// A record with all its times on the host's clock.
  [[nodiscard]] Record on_host_clock(Record record) const {
    if (record.kind != RecordKind::block) return record;
    const GpuClock& clock = device_of_.at(set_.dags[record.dag].nodes[record.node].pool)->clock();
    record.start = clock.to_host(record.start);
    record.end = clock.to_host(record.end);
    return record;
  }

  /// After the last job; ends the resident kernels.
  void check(Checks& checks) {
    checks.insert(checks.end(), mismatches_.begin(), mismatches_.end());
    LengthCheck lengths("L");
    LengthCheck copies("C of copies");
    unsigned streams = 0;
    for (const auto& pool : gpu_) {
      check_pool(set_.pools[pool.first], *device_of_[pool.first], *pool.second, checks);
      streams += pool.second->most_streams();
      add_lengths(lengths, pool.first, *pool.second);
    }
    for (const auto& pool : copies_) {
      if (!pool.second->mismatch().empty())
        checks.push_back({std::string("copies of ") + set_.pools[pool.first].name, Outcome::failed, pool.second->mismatch()});
      check_lateness(std::string("copies issued to ") + set_.pools[pool.first].name, pool.second->launches(), checks);
      add_lengths(copies, pool.first, *pool.second);
    }
    for (const auto& pool : workers_) {
      if (device_of_[pool.first]->has_time_limit())
        checks.push_back({std::string("workers of ") + set_.pools[pool.first].name, Outcome::warning,
                          "this device ends long kernels (a display is attached)"});
      check_lateness(std::string("items put into ") + set_.pools[pool.first].name, pool.second->launches(), checks);
      add_lengths(lengths, pool.first, *pool.second);
    }
    check_partitions(checks);
    lengths.report(checks);
    copies.report(checks);
    constexpr unsigned hardware_queues = 32;  // the most that CUDA_DEVICE_MAX_CONNECTIONS may ask for
    if (streams > hardware_queues)
      checks.push_back({"streams", Outcome::warning,
                        "up to " + std::to_string(streams) + " were in use at once, more than the " + std::to_string(hardware_queues) +
                            " hardware queues: kernels may have waited for each other without need"});
    const std::string others = other_processes();
    if (!others.empty()) checks.push_back({"other processes on the GPU", Outcome::warning, others});
    workers_.clear();
    for (auto& device : devices_) {
      const GpuClock clock = device.second->clock();
      checks.push_back(check_gpu_clock("clock of device " + std::to_string(device.first), clock,
                                       device.second->end_clock(options_.write_at_end), now()));
    }
  }

 private:
  /// Makes the streams of a pool: of its green context, if it is a partition.
  std::function<cudaStream_t(int)> streams_of(unsigned p) {
    const Pool& pool = set_.pools[p];
    if (pool.whole == 0) return new_stream;
    const int index = device_of_[p]->index();
    auto& contexts = green_[index];
    device_of_[p]->select();
    if (!contexts) contexts = std::make_unique<GreenContexts>(index);
    const GreenContext context = contexts->make(pool.count, pool.rest, pool.name);
    return [made = contexts.get(), context](int priority) { return made->stream(context, priority); };
  }

  /// A partition's blocks ran on SMs that no other had, and on no more than it has.
  void check_partitions(Checks& checks) const {
    for (const auto& of : gpu_) {
      const Pool& pool = set_.pools[of.first];
      if (pool.whole == 0) continue;
      const std::vector<bool> used = of.second->used_sms();
      std::string wrong;
      const auto many = static_cast<unsigned>(std::count(used.begin(), used.end(), true));
      if (many > pool.count) wrong = "its blocks ran on " + std::to_string(many) + " SMs";
      for (const auto& other : gpu_) {
        if (other.first == of.first || std::strcmp(set_.pools[other.first].hardware, pool.hardware) != 0) continue;
        const std::vector<bool> there = other.second->used_sms();
        for (std::size_t sm = 0; sm < used.size() && wrong.empty(); ++sm) {
          if (used[sm] && there[sm]) wrong = "SM " + std::to_string(sm) + " had blocks of this pool and of " + set_.pools[other.first].name;
        }
      }
      checks.push_back({std::string("SMs of ") + pool.name, wrong.empty() ? Outcome::ok : Outcome::failed,
                        wrong.empty() ? "blocks ran on " + std::to_string(many) + " of its " + std::to_string(pool.count) : wrong});
    }
  }

  /// Processes that nvidia-smi sees beside this one and its siblings; empty where there is none or no nvidia-smi.
  static std::string other_processes() {
    std::FILE* list = popen("nvidia-smi --query-compute-apps=pid,process_name --format=csv,noheader 2> /dev/null", "r");
    if (list == nullptr) return "";
    std::string others;
    char line[512];
    while (std::fgets(line, sizeof line, list) != nullptr) {
      const long number = std::strtol(line, nullptr, 10);
      const bool ours = number == getpid() || (number > 0 && getpgid(static_cast<pid_t>(number)) == getpgrp());
      if (number > 0 && !ours) others += (others.empty() ? "" : "; ") + std::string(line, std::strcspn(line, "\n"));
    }
    pclose(list);
    return others;
  }

  template <class Make>
  void each(PoolKind kind, Make make) {
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      if (set_.pools[p].kind == kind) make(p);
    }
  }

  void add_lengths(LengthCheck& check, unsigned pool, const Launcher& launcher) const {
    for (unsigned d = 0; d < set_.dag_count; ++d) {
      for (unsigned v = 0; own_[d] && v < set_.dags[d].node_count; ++v) {
        const Node& node = set_.dags[d].nodes[v];
        if (node.pool == pool)
          check.add(std::string(set_.dags[d].name) + "/" + node.name, node.length, node.longest, launcher.achieved(d, v));
      }
    }
  }

  static void check_pool(const Pool& pool, const GpuDevice& device, const GpuExecutor& executor, Checks& checks) {
    const cudaDeviceProp& is = device.properties();
    const std::string name = std::string("device of ") + pool.name;
    // Neither fewer nor more: bounds are not monotone in either (theory, Example 4.4).
    const unsigned sms = pool.whole > 0 ? pool.whole : pool.count;
    const bool same =
        is.multiProcessorCount == static_cast<int>(sms) && is.maxThreadsPerMultiProcessor == static_cast<int>(pool.threads_per_sm);
    const std::string shape = std::string(is.name) + " with " + std::to_string(is.multiProcessorCount) + " SMs of " +
                              std::to_string(is.maxThreadsPerMultiProcessor) + " threads";
    checks.push_back({name, same ? Outcome::ok : Outcome::failed,
                      same ? shape : shape + "; the pool has " + std::to_string(sms) + " SMs of " + std::to_string(pool.threads_per_sm)});
    for (const std::string& mismatch : executor.mismatches()) checks.push_back({name, Outcome::failed, mismatch});
    if (!device.shared_compute_mode()) checks.push_back({name, Outcome::warning, "its compute mode is not the default one"});
    if (executor.impossible_times() > 0)
      checks.push_back({name, Outcome::failed,
                        std::to_string(executor.impossible_times()) + " jobs have block times before their launch or after their end"});
    if (executor.unprivileged() > 0) checks.push_back({name, Outcome::warning, "the threads that launch kernels run under SCHED_OTHER"});
    check_lateness(std::string("launches to ") + pool.name, executor.launches(), checks);
  }

  const TaskSet& set_;
  const Options& options_;
  std::vector<bool> own_;
  std::map<int, std::unique_ptr<GpuDevice>> devices_;
  std::map<unsigned, GpuDevice*> device_of_;
  std::map<int, std::unique_ptr<GreenContexts>> green_;
  std::map<unsigned, std::unique_ptr<GpuExecutor>> gpu_;
  std::map<unsigned, std::unique_ptr<CopyExecutor>> copies_;
  std::map<unsigned, std::unique_ptr<WorkerExecutor>> workers_;
  Checks mismatches_;
};

}  // namespace workload
