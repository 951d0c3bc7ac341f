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
#include "processor_queue.hpp"
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
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      if (set_.pools[p].kind != PoolKind::cpu) continue;
      Of& pool = pools_[p];
      if (has_bodies(p)) {
        pool.queue = std::make_unique<ProcessorQueue>(processors_[p]);
        continue;
      }
      pool.executor = std::make_unique<CpuExecutor>(engine, recorder, p, own, processors_[p], speed_, memory.orders[p], across_processes);
      pool.as_wanted = pool.executor->set_policy(options.scheduling, pool.remark);
      engine.set_executor(p, pool.executor.get());
    }
  }

  [[nodiscard]] const CpuSpeed& speed() const { return speed_; }
  /// Of a pool whose nodes the threads of bodies play.
  [[nodiscard]] ProcessorQueue& queue_of(unsigned pool) const { return *pools_[pool].queue; }
  [[nodiscard]] PriorityOrder& order_of(unsigned pool) const { return memory_.orders[pool]; }
  void set_policy_of_bodies(Policy policy, const std::string& remark) {
    for (Of& pool : pools_) {
      if (!pool.queue) continue;
      pool.policy = policy;
      pool.remark = remark;
    }
  }

  /// The policy and the processors of every pool, in words.
  [[nodiscard]] std::string scheduling() const {
    std::string text;
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      if (set_.pools[p].kind != PoolKind::cpu) continue;
      std::string list;
      for (int processor : processors_[p]) list += (list.empty() ? "" : ",") + std::to_string(processor);
      text += (text.empty() ? "" : "; ") + std::string(set_.pools[p].name) + ": " + to_string(policy_of(p)) + " on processors " + list;
    }
    return text;
  }

  void check(Checks& checks) const {
    LengthCheck lengths("C");
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      const Of& pool = pools_[p];
      if (pool.queue) check_pool_of_bodies(p, checks);
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
    std::unique_ptr<CpuExecutor> executor;  // null: no pool of processors, or one of bodies
    std::unique_ptr<ProcessorQueue> queue;  // of a pool of bodies
    Policy policy = Policy::other;          // likewise
    bool as_wanted = false;
    std::string remark;
  };

  [[nodiscard]] bool has_bodies(unsigned p) const {
    for (unsigned d = 0; d < set_.dag_count; ++d) {
      for (unsigned v = 0; v < set_.dags[d].node_count; ++v) {
        if (set_.dags[d].nodes[v].pool == p && set_.dags[d].nodes[v].body >= 0) return true;
      }
    }
    return false;
  }
  [[nodiscard]] Policy policy_of(unsigned p) const { return pools_[p].executor ? pools_[p].executor->policy() : pools_[p].policy; }

  /// Whether the threads of some body stand in the pool's own order.
  [[nodiscard]] bool has_points(unsigned p) const {
    for (unsigned d = 0; d < set_.dag_count; ++d) {
      for (unsigned v = 0; v < set_.dags[d].node_count; ++v) {
        const Node& node = set_.dags[d].nodes[v];
        if (node.pool == p && node.body >= 0 && set_.dags[d].bodies[node.body].by_point) return true;
      }
    }
    return false;
  }

  void check_pool_of_bodies(unsigned p, Checks& checks) const {
    const Of& pool = pools_[p];
    const std::string name = set_.pools[p].name;
    const char* order = !has_points(p)                ? "in the order in which they ask for a processor"  // whatever the kernel does
                        : pool.policy != Policy::fifo ? "not in the order of the task set"
                        : set_.pools[p].order == Order::fixed ? "at the levels of their fixed priorities"
                                                              : "at levels in the order of priority points";
    checks.push_back({"scheduling of " + name, pool.policy == Policy::fifo ? Outcome::ok : Outcome::warning,
                      std::string(to_string(pool.policy)) + ", threads that wait, " + order +
                          (pool.remark.empty() ? "" : " (" + pool.remark.substr(0, pool.remark.size() - 2) + ")")});
    if (pool.queue->pinning_failures() > 0)
      checks.push_back({"processors of " + name, Outcome::failed, "some threads could not be confined to them"});
    if (pool.policy == Policy::fifo && memory_.orders[p].crowded() > 0)
      checks.push_back({"levels of " + name, Outcome::warning,
                        std::to_string(memory_.orders[p].crowded()) + " jobs came when more were active than there are levels"});
  }

  /// Real-time jobs on the processor of the GPU's interrupts may hold up what tells of the end of kernels.
  void check_processor_0(Checks& checks) const {
    if (!needs_gpu(set_)) return;
    for (unsigned p = 0; p < set_.pool_count; ++p) {
      const bool has_0 = std::find(processors_[p].begin(), processors_[p].end(), 0) != processors_[p].end();
      if (set_.pools[p].kind == PoolKind::cpu && has_0 && policy_of(p) != Policy::other)
        checks.push_back({std::string("processors of ") + set_.pools[p].name, Outcome::warning,
                          "processor 0, which usually takes the GPU's interrupts, is among them: the ends of kernels may be noticed late"});
    }
  }

  const TaskSet& set_;
  const std::vector<bool>& own_;
  SharedMemory& memory_;
  CpuSpeed speed_ = measure_cpu_speed();
  std::vector<std::vector<int>> processors_;  // of every pool
  std::vector<Of> pools_;
};

}  // namespace workload
