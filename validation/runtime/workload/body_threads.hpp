// Threads that play bodies: each takes the job that came first, plays its nodes in their order, waits for what it has issued, and takes the
// next job. Those of DAGs on threads keep their processor for consecutive CPU nodes; while they wait for anything else it is free for
// others, unless they spin. Those of groups are scheduled as any thread of their pool's nodes, from the release of their job to its end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "checks.hpp"
#include "common/scheduling.hpp"
#include "cpu_executor.hpp"
#include "cpu_pools.hpp"
#include "cpu_work.hpp"
#include "device.hpp"
#include "engine.hpp"
#include "job_queue.hpp"
#include "processor_queue.hpp"
#include "recorder.hpp"

namespace workload {

using namespace common;

class BodyThreads final : public Executor {
 public:
  /// `devices`: of every pool that is none of processors.
  BodyThreads(Engine& engine, Recorder& recorder, const std::vector<bool>& own, CpuPools& cpu, std::vector<Device*> devices,
              SchedulingChoice wanted)
      : engine_(engine), cpu_(cpu), devices_(std::move(devices)), speed_(cpu.speed()), real_time_(wanted != SchedulingChoice::other) {
    const TaskSet& set = engine.task_set();
    bodies_.resize(set.dag_count);
    achieved_.resize(set.dag_count);
    for (unsigned d = 0; d < set.dag_count; ++d) {
      const Dag& dag = set.dags[d];
      achieved_[d] = std::vector<Achieved>(dag.node_count);
      for (unsigned b = 0; own[d] && b < dag.body_count; ++b) {
        bodies_[d].push_back(std::make_unique<OfBody>());
        bodies_[d].back()->body = &dag.bodies[b];
        for (unsigned t = 0; t < dag.bodies[b].threads; ++t) add_thread(recorder, d, *bodies_[d].back(), t);
      }
    }
    for (auto& thread : threads_) {
      Thread* t = thread.get();
      t->thread = std::thread([this, t] { work(*t); });
    }
    for (auto& thread : threads_) {
      while (!thread->ready.load()) std::this_thread::yield();
    }
    engine.set_bodies(this);
    const bool granted = real_time_.load() && refused_.load() == 0;
    real_time_.store(granted);
    std::string remark;
    if (wanted == SchedulingChoice::deadline) remark = "no SCHED_DEADLINE: threads wait for more than their release; ";
    if (!granted && wanted != SchedulingChoice::other) remark += "no SCHED_FIFO: the kernel refuses it; ";
    cpu.set_policy_of_bodies(granted ? Policy::fifo : Policy::other, remark);
  }
  ~BodyThreads() override {
    for (auto& of_dag : bodies_) {
      for (auto& body : of_dag) body->queue.close();
    }
    for (auto& thread : threads_) thread->thread.join();
  }

  void submit(const Job& job) override {
    OfBody& of = *bodies_[job.dag][static_cast<std::size_t>(engine_.node(job).body)];
    // A job that finds its thread at work gets its level when the one before it has ended.
    if (follows_points(of) && of.pending.fetch_add(1) == 0) enter(of, job);
    of.queue.put(job);
  }

  void check(Checks& checks) const {
    const TaskSet& set = engine_.task_set();
    LengthCheck lengths("C");
    for (unsigned d = 0; d < set.dag_count; ++d) {
      for (unsigned v = 0; v < set.dags[d].node_count; ++v) {
        const Node& node = set.dags[d].nodes[v];
        lengths.add(std::string(set.dags[d].name) + "/" + node.name, node.length, node.longest, achieved_[d][v]);
      }
    }
    lengths.report(checks);
    if (unpinned_.load() > 0)
      checks.push_back({"threads that wait", Outcome::failed, "some could not be confined to the processors of their pool"});
    if (unordered_.load() > 0)
      checks.push_back({"levels of threads that wait", Outcome::failed,
                        std::to_string(unordered_.load()) + " jobs did not get the level of their priority point"});
  }

 private:
  struct Thread;
  struct OfBody {
    const Body* body = nullptr;
    unsigned pool = 0;            // by_point: of its CPU nodes
    Thread* only = nullptr;       // by_point: its thread
    std::atomic<int> pending{0};  // by_point: jobs that have come and not ended
    JobQueue queue;
  };
  struct Issued {
    Job job;
    Span span;
  };
  struct Thread {
    OfBody* of = nullptr;
    unsigned number = 0;  // among those of its body
    Seat seat;
    ProcessorQueue* runs_on = nullptr;  // while it has a processor
    int level = 0;                      // of SCHED_FIFO, where it may be had
    std::vector<Issued> unrecorded;     // whose blocks are still to be recorded
    Ring* ring = nullptr;
    std::atomic<bool> ready{false};
    std::thread thread;
  };

  void add_thread(Recorder& recorder, unsigned d, OfBody& of, unsigned number) {
    threads_.push_back(std::make_unique<Thread>());
    Thread& thread = *threads_.back();
    thread.of = &of;
    thread.number = number;
    of.only = &thread;
    for (unsigned i = 0; i < of.body->node_count; ++i) {
      const unsigned pool = engine_.task_set().dags[d].nodes[of.body->nodes[i]].pool;
      if (engine_.task_set().pools[pool].kind == PoolKind::cpu) of.pool = pool;
    }
    thread.level = of.body->by_point ? own_level(engine_.task_set().dags[d].nodes[of.body->nodes[0]], of) : launch_level;
    thread.unrecorded.reserve(of.body->node_count);
    // A job and perhaps a run of each node, and a DAG; the jobs may all come to one thread.
    const std::size_t each = 2 * std::size_t{of.body->node_count} + 1;
    thread.ring = &recorder.add_ring(1024 + 16 * each, each * static_cast<std::size_t>(engine_.jobs(d)));
  }

  /// Of a group's thread while it has no job, or always under fixed priorities.
  [[nodiscard]] int own_level(const Node& first, const OfBody& of) const {
    return engine_.task_set().pools[of.pool].order == Order::fixed ? first.level : lowest_job_level;
  }
  /// Whether each job gives its thread a level of its own.
  [[nodiscard]] bool follows_points(const OfBody& of) const {
    return of.body->by_point && real_time_.load() && engine_.task_set().pools[of.pool].order != Order::fixed;
  }
  [[nodiscard]] std::int64_t priority_point(const OfBody& of, const Job& job) const {
    if (engine_.task_set().pools[of.pool].order == Order::fifo) return job.ready;
    return engine_.dag_release(job.dag, job.number) + engine_.node(job).priority_point;
  }

  void enter(const OfBody& of, const Job& job) {
    if (!cpu_.order_of(of.pool).enter(of.only->seat.thread, priority_point(of, job))) unordered_.fetch_add(1);
  }
  /// After the thread's job has ended, which its first node stands for.
  void leave(OfBody& of, const Job& first) {
    cpu_.order_of(of.pool).leave(of.only->seat.thread);
    if (of.pending.fetch_sub(1) == 1) return;
    Job next = first;
    ++next.number;
    next.ready = now();
    enter(of, next);
  }

  void work(Thread& thread) {
    tight_timers();
    thread.seat.thread = thread_number();
    if (thread.of->body->by_point && !pin(cpu_.queue_of(thread.of->pool).processors()).empty()) unpinned_.fetch_add(1);
    if (real_time_.load() && !set_fifo(0, thread.level).empty()) refused_.fetch_add(1);
    for (Device* device : devices_) {
      if (device != nullptr) device->select();
    }
    thread.ready.store(true);
    if (!engine_.wait_for_start()) return;  // by then the policy is known
    if (!real_time_.load()) set_other(0);
    Job job;
    while (thread.of->queue.take(job)) play(thread, job);
  }

  // rta: job
  void play(Thread& thread, Job job) {
    const Body& body = *thread.of->body;
    job.ready = now();
    for (unsigned i = 0; i < body.node_count; ++i) {
      job.node = body.nodes[i];
      const Node& node = engine_.node(job);
      Device* device = devices_[node.pool];
      const Span span = device == nullptr ? compute(thread, job, node) : use(thread, *device, job);
      if (i + 1 == body.node_count) {
        leave_processor(thread);
        Job first = job;
        first.node = body.nodes[0];
        if (follows_points(*thread.of)) leave(*thread.of, first);
        engine_.pass_on(first, span.end);
      }
      engine_.ended(job, span.start, span.end, *thread.ring);
      job.ready = span.end;
    }
    record_blocks(thread);
  }

  Span compute(Thread& thread, const Job& job, const Node& node) {
    ProcessorQueue& queue = cpu_.queue_of(node.pool);
    if (!thread.of->body->by_point && thread.runs_on != &queue) {
      leave_processor(thread);
      queue.take(thread.seat, real_time_.load() ? job_level : 0);
      thread.runs_on = &queue;
    }
    const std::int64_t start = now();
    const std::int64_t before = own_cpu_time();
    const std::int64_t consumed = consume_until(before + node.length, speed_) - before;
    const std::int64_t end = now();
    if (engine_.measured(job.dag, job.number)) {
      achieved_[job.dag][job.node].add(node.length, node.longest, consumed);
      if (engine_.level() == TraceLevel::block) {
        thread.ring->push({job.number, job.ready, start, end, consumed, job.node, 0, static_cast<std::uint16_t>(job.dag),
                           static_cast<std::uint16_t>(processor_of(thread)), RecordKind::run});
      }
    }
    return {start, end};
  }

  static int processor_of(const Thread& thread) { return thread.seat.processor >= 0 ? thread.seat.processor : std::max(sched_getcpu(), 0); }

  /// Above all that compute, so that the thread holds none of them up for longer than it takes to issue, and is there when the job has
  /// ended.
  void leave_processor(Thread& thread) {
    if (thread.runs_on == nullptr) return;
    if (real_time_.load()) set_fifo(0, launch_level);
    thread.runs_on->give_back(thread.seat);
    thread.runs_on = nullptr;
  }

  Span use(Thread& thread, Device& device, const Job& job) {
    if (!thread.of->body->spins) leave_processor(thread);
    const std::int64_t issued = device.issue_for(job, thread.number);
    record_blocks(thread);  // while the device is busy
    const Span span = device.await_for(job, thread.number, issued);
    if (engine_.measured(job.dag, job.number)) thread.unrecorded.push_back({job, span});
    return span;
  }

  void record_blocks(Thread& thread) {
    for (const Issued& issued : thread.unrecorded) {
      devices_[engine_.node(issued.job).pool]->record_for(issued.job, thread.number, issued.span);
    }
    thread.unrecorded.clear();
  }

  static constexpr int job_level = (highest_job_level + lowest_job_level) / 2;

  Engine& engine_;
  CpuPools& cpu_;
  std::vector<Device*> devices_;  // null: a pool of processors
  CpuSpeed speed_;
  std::atomic<bool> real_time_;
  std::atomic<int> refused_{0};
  std::atomic<std::int64_t> unordered_{0};  // jobs of groups that did not get their level
  std::atomic<std::int64_t> unpinned_{0};
  std::vector<std::vector<std::unique_ptr<OfBody>>> bodies_;  // DAG ->
  std::vector<std::vector<Achieved>> achieved_;               // CPU nodes
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace workload
