// All pools of processors of a task set.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "checks.hpp"
#include "common/scheduling.hpp"
#include "cpu_executor.hpp"
#include "cpu_work.hpp"
#include "engine.hpp"
#include "options.hpp"
#include "processors.hpp"
#include "recorder.hpp"
#include "shared_memory.hpp"

namespace workload {

using namespace common;

class CpuPools {
 public:
  CpuPools(Engine& engine, Recorder& recorder, const std::vector<bool>& own, const Options& options, SharedMemory& memory,
           bool across_processes)
      : set_(engine.task_set()),
        own_(own),
        memory_(memory),
        processors_(assign_processors(set_, options, allowed_processors())),
        pools_(set_.pool_count) {
    const CpuSpeed speed = measure_cpu_speed();
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      if (set_.pools[p].kind != PoolKind::cpu) continue;
      Of& pool = pools_[p];
      pool.executor = std::make_unique<CpuExecutor>(engine, recorder, p, own, processors_[p], speed, memory.orders[p], across_processes);
      pool.as_wanted = pool.executor->set_policy(options.scheduling, pool.remark);
      engine.set_executor(p, pool.executor.get());
    }
  }

  /// The policy and the processors of every pool, in words.
  [[nodiscard]] std::string scheduling() const {
    std::string text;
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      if (!pools_[p].executor) continue;
      std::string list;
      for (int processor : processors_[p]) list += (list.empty() ? "" : ",") + std::to_string(processor);
      text += (text.empty() ? "" : "; ") + std::string(set_.pools[p].name) + ": " + to_string(pools_[p].executor->policy()) +
              " on processors " + list;
    }
    return text;
  }

  void check(Checks& checks) const {
    LengthCheck lengths("C");
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      const Of& pool = pools_[p];
      if (!pool.executor) continue;
      check_cpu_pool(set_, p, *pool.executor, memory_.orders[p], pool.as_wanted, pool.remark, checks);
      for (unsigned d = 0; d < set_.dag_count; ++d) {
        for (unsigned v = 0; own_[d] && v < set_.dags[d].node_count; ++v) {
          const Node& node = set_.dags[d].nodes[v];
          if (node.pool == p)
            lengths.add(std::string(set_.dags[d].name) + "/" + node.name, node.length, node.longest, pool.executor->achieved(d, v));
        }
      }
    }
    lengths.report(checks);
    check_processor_0(checks);
  }

 private:
  struct Of {
    std::unique_ptr<CpuExecutor> executor;  // null: no pool of processors
    bool as_wanted = false;
    std::string remark;
  };

  /// Real-time jobs on the processor of the GPU's interrupts may hold up what tells of the end of kernels.
  void check_processor_0(Checks& checks) const {
    if (!needs_gpu(set_)) return;
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      const bool has_0 = std::find(processors_[p].begin(), processors_[p].end(), 0) != processors_[p].end();
      if (pools_[p].executor && has_0 && pools_[p].executor->policy() != Policy::other)
        checks.push_back({std::string("processors of ") + set_.pools[p].name, Outcome::warning,
                          "processor 0, which usually takes the GPU's interrupts, is among them: the ends of kernels may be noticed late"});
    }
  }

  const TaskSet& set_;
  const std::vector<bool>& own_;
  SharedMemory& memory_;
  std::vector<std::vector<int>> processors_;  // of every pool
  std::vector<Of> pools_;
};

}  // namespace workload
