// CPU pools: threads per node under SCHED_DEADLINE or under SCHED_FIFO levels, fixed or following priority points, or a thread pool with
// one queue.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/scheduling.hpp"
#include "cpu_work.hpp"
#include "engine.hpp"
#include "job_queue.hpp"
#include "priority_order.hpp"

namespace workload {

using namespace common;

/// Which scheduling a user wants; `automatic`: the best that applies and that the kernel allows.
enum class SchedulingChoice { automatic, deadline, fifo, other };

/// A CPU pool while it runs. Jobs of a node go round its slots, so that each slot sees them `slots` periods apart.
class CpuExecutor final : public Executor {
 public:
  /// `order` may be shared with other processes that run DAGs of the same pool.
  CpuExecutor(Engine& engine, Recorder& recorder, unsigned pool, const std::vector<bool>& own, std::vector<int> processors,
              const CpuSpeed& speed, PriorityOrder& order, bool across_processes)
      : engine_(engine), pool_(pool), processors_(std::move(processors)), speed_(speed), order_(order) {
    const TaskSet& set = engine.task_set();
    // One FIFO for several processes is a priority order by ready time.
    const Order queue = set.pools[pool].order;
    fixed_ = queue == Order::fixed || queue == Order::fixed_non_preemptive;
    thread_pool_ = queue == Order::non_preemptive || queue == Order::fixed_non_preemptive || (queue == Order::fifo && !across_processes);
    achieved_.resize(set.dag_count);
    slots_.resize(set.dag_count);
    for (unsigned d = 0; d < set.dag_count; ++d) {
      achieved_[d] = std::vector<Achieved>(set.dags[d].node_count);
      slots_[d].resize(set.dags[d].node_count);
      if (!own[d]) continue;
      for (unsigned v = 0; v < set.dags[d].node_count; ++v) {
        const Node& node = set.dags[d].nodes[v];
        if (node.pool != pool || thread_pool_) continue;
        for (unsigned s = 0; s < node.slots; ++s) {
          workers_.push_back(std::make_unique<Worker>());
          Worker& worker = *workers_.back();
          worker.node = &node;
          worker.dag = d;
          worker.node_number = v;
          worker.slot = s;
          worker.period = set.dags[d].period;
          // A run, a job and perhaps a DAG for each job.
          worker.ring = &recorder.add_ring(1024, 3 * (static_cast<std::size_t>(engine.jobs(d)) / node.slots + 1));
          slots_[d][v].push_back(&worker);
        }
      }
    }
    if (thread_pool_) {
      std::size_t all = 0;
      for (unsigned d = 0; d < set.dag_count; ++d) all += 3 * static_cast<std::size_t>(engine.jobs(d)) * set.dags[d].node_count;
      for (int processor : processors_) {
        workers_.push_back(std::make_unique<Worker>());
        workers_.back()->ring = &recorder.add_ring(16384, all);
        workers_.back()->processor = processor;
      }
    }
    for (auto& worker : workers_) {
      Worker* w = worker.get();
      w->queue = thread_pool_ ? &shared_queue_ : &w->own_queue;
      w->thread = std::thread([this, w] { work(*w); });
    }
    for (auto& worker : workers_) {
      while (worker->number.load() == 0) std::this_thread::yield();
    }
  }

  ~CpuExecutor() override {
    for (auto& worker : workers_) worker->queue->close();
    for (auto& worker : workers_) worker->thread.join();
  }

  /// Gives the threads their policy; says what could not be had. Returns whether it is as good as `wanted`.
  bool set_policy(SchedulingChoice wanted, std::string& remarks) {
    if (wanted == SchedulingChoice::deadline || (wanted == SchedulingChoice::automatic && !thread_pool_ && !fixed_)) {
      std::string why = why_no_deadline(wanted == SchedulingChoice::deadline);
      if (why.empty()) why = set_deadlines();
      if (why.empty()) {
        policy_ = Policy::deadline;
        engine_.releases_itself(pool_);
        return true;
      }
      remarks += "no SCHED_DEADLINE: " + why + "; ";
    }
    if (wanted != SchedulingChoice::other) {
      std::string why;
      for (auto& worker : workers_) {
        why = set_fifo(worker->number.load(), thread_pool_ ? (highest_job_level + lowest_job_level) / 2
                                              : fixed_     ? worker->node->level
                                                           : lowest_job_level);
        if (!why.empty()) break;
      }
      if (why.empty()) {
        policy_ = Policy::fifo;
        return wanted != SchedulingChoice::deadline;
      }
      remarks += "no SCHED_FIFO: " + why + "; ";
      for (auto& worker : workers_) set_other(worker->number.load());
    }
    policy_ = Policy::other;
    return wanted == SchedulingChoice::other || thread_pool_;
  }

  [[nodiscard]] Policy policy() const { return policy_; }
  [[nodiscard]] bool is_thread_pool() const { return thread_pool_; }
  [[nodiscard]] const Achieved& achieved(unsigned dag, unsigned node) const { return achieved_[dag][node]; }
  [[nodiscard]] std::int64_t refused_levels() const { return refused_.load(); }
  [[nodiscard]] std::int64_t pinning_failures() const { return unpinned_.load(); }

  void submit(const Job& job) override {
    if (thread_pool_) {
      shared_queue_.put(job, engine_.task_set().pools[pool_].order == Order::fifo ? 0 : priority_point(job));
      return;
    }
    const auto& slots = slots_[job.dag][job.node];
    Worker& worker = *slots[static_cast<std::size_t>(job.number) % slots.size()];
    // A job that finds its slot taken waits in the slot's queue; its level is set when the job before it has ended.
    if (worker.pending.fetch_add(1) > 0) {
      engine_.statistics().passed_slots.fetch_add(1);
    } else if (follows_points()) {
      enter(worker, job);
    }
    worker.queue->put(job);
  }

 private:
  struct Worker {
    JobQueue own_queue;
    JobQueue* queue = nullptr;
    std::thread thread;
    std::atomic<int> number{0};
    std::atomic<int> pending{0};
    const Node* node = nullptr;
    unsigned dag = 0;
    unsigned node_number = 0;
    unsigned slot = 0;
    std::int64_t period = 0;
    int processor = -1;
    Ring* ring = nullptr;
  };

  /// Whether each job gets a level of its own.
  [[nodiscard]] bool follows_points() const { return policy_ == Policy::fifo && !fixed_; }

  [[nodiscard]] std::int64_t priority_point(const Job& job) const {
    if (fixed_) return -engine_.node(job).level;
    if (engine_.task_set().pools[pool_].order == Order::fifo) return job.ready;
    return engine_.dag_release(job.dag, job.number) + engine_.node(job).priority_point;
  }
  void enter(Worker& worker, const Job& job) {
    if (!order_.enter(worker.number.load(), priority_point(job))) refused_.fetch_add(1);
  }

  /// SCHED_DEADLINE counts a deadline from the instant at which the thread wakes: right only where every job enters at its offset.
  [[nodiscard]] std::string why_no_deadline(bool insisted) const {
    const TaskSet& set = engine_.task_set();
    for (unsigned p = 0; p < set.pool_count && !insisted; ++p) {
      if (set.pools[p].kind != PoolKind::cpu) return "it would run above the threads that launch GPU work";
    }
    if (set.pools[pool_].order == Order::fifo) return "the pool is first in first out";
    if (fixed_) return "the pool has fixed priorities";
    if (thread_pool_) return "the pool is non-preemptive";
    for (const auto& worker : workers_) {
      if (!worker->node->timed) return "its nodes are released on completion, not at offsets";
    }
    return "";
  }

  /// Only differences between priority points matter, so all are shifted until each deadline leaves room for the runtime.
  std::string set_deadlines() {
    // 5 % and 50 us for wake-ups and for passing on: a thread that runs out of runtime would wait for its next period.
    const auto runtime = [](const Worker& w) { return std::max<std::int64_t>(1024, w.node->length + w.node->length / 20 + 50'000); };
    const auto relative = [](const Worker& w) { return w.node->priority_point - w.node->offset; };
    std::int64_t shift = 0;
    for (const auto& w : workers_) shift = std::max(shift, runtime(*w) - relative(*w));
    constexpr std::int64_t shortest_period = 100'000;
    constexpr std::int64_t longest_period = 4'000'000'000;  // the kernel's default limits
    std::string why;
    for (auto& w : workers_) {
      const std::int64_t deadline = relative(*w) + shift;
      const std::int64_t between = w->period * static_cast<std::int64_t>(w->node->slots);
      if (deadline > between) {
        why = std::string("priority point of ") + w->node->name + " lies past the next job of its thread";
      } else {
        const std::int64_t period = std::max({shortest_period, deadline, std::min(between, longest_period)});
        why = set_deadline(w->number.load(), runtime(*w), deadline, period);
        if (!why.empty() && processors_.size() < allowed_processors().size())
          why += "; it needs threads that may use every processor of the machine (or of a cpuset partition)";
      }
      if (!why.empty()) break;
    }
    if (!why.empty()) {
      for (auto& w : workers_) set_other(w->number.load());
    }
    return why;
  }

  void work(Worker& worker) {
    tight_timers();
    const std::string refused = pin(worker.processor >= 0 ? std::vector<int>{worker.processor} : processors_);
    if (!refused.empty()) unpinned_.fetch_add(1);
    worker.number.store(thread_number());
    if (!engine_.wait_for_start()) return;  // by then the policy is known
    if (policy_ == Policy::deadline) {
      work_by_own_clock(worker);
    } else {
      Job job;
      while (worker.queue->take(job)) execute(worker, job);
    }
  }

  /// The kernel's timer wakes the thread at each job's offset, and its deadline counts from there: no other thread comes in between.
  void work_by_own_clock(Worker& worker) {
    Job job;
    const std::int64_t jobs = engine_.jobs(worker.dag);
    for (std::int64_t number = worker.slot; number < jobs; number += worker.node->slots) {
      const std::int64_t offset = engine_.dag_release(worker.dag, number) + worker.node->offset;
      if (number >= worker.node->slots && now() > offset) engine_.statistics().passed_slots.fetch_add(1);
      sleep_until(offset);
      engine_.released(worker.dag, worker.node_number, number);
      if (!worker.queue->take(job)) return;
      execute(worker, job);
    }
  }

  void execute(Worker& worker, const Job& job) {
    const std::int64_t cpu_before = own_cpu_time();
    const std::int64_t start = now();
    const Node& node = engine_.node(job);
    const std::int64_t consumed = consume_until(cpu_before + node.length, speed_) - cpu_before;
    const std::int64_t end = now();
    if (engine_.measured(job.dag, job.number)) {
      achieved_[job.dag][job.node].add(node.length, node.longest, consumed);
      if (engine_.level() == TraceLevel::block) {
        const int processor = sched_getcpu();
        worker.ring->push({job.number, job.ready, start, end, consumed, job.node, 0, static_cast<std::uint16_t>(job.dag),
                           static_cast<std::uint16_t>(processor < 0 ? 0 : processor), RecordKind::run});
      }
    }
    engine_.finished(job, start, end, *worker.ring);
    if (thread_pool_) return;
    if (follows_points()) order_.leave(worker.number.load());
    if (worker.pending.fetch_sub(1) > 1 && follows_points()) {
      Job next = job;
      next.number += static_cast<std::int64_t>(node.slots);
      next.ready = now();
      enter(worker, next);
    }
  }

  Engine& engine_;
  unsigned pool_;
  std::vector<int> processors_;
  CpuSpeed speed_;
  PriorityOrder& order_;
  bool thread_pool_ = false;
  bool fixed_ = false;  // levels that never change
  Policy policy_ = Policy::other;
  JobQueue shared_queue_;
  std::vector<std::vector<std::vector<Worker*>>> slots_;
  std::vector<std::vector<Achieved>> achieved_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<std::int64_t> refused_{0};
  std::atomic<std::int64_t> unpinned_{0};
};

}  // namespace workload
