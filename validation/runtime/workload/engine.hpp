// Releases, precedence, guards: decides when each job of each node enters its pool's queue.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <queue>
#include <vector>

#include "common/clock.hpp"
#include "common/scheduling.hpp"
#include "recorder.hpp"
#include "statistics.hpp"
#include "table.hpp"

namespace workload {

using namespace common;

/// What executes the nodes of one pool.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;
  /// The job enters the pool's queue. Called by any thread; must not wait.
  virtual void submit(const Job& job) = 0;
};

enum class TraceLevel { dag, job, block };

/// Everything that must hold for the whole run, whatever the pools.
struct RunStatistics {
  Lateness releases;                          // of DAG jobs, by the clock
  Lateness entries;                           // of node jobs into their queue, after what they waited for
  std::atomic<std::int64_t> passed_slots{0};  // jobs that found all slots of their node taken
};

class Engine {
 public:
  /// Releases DAG jobs for `length` ns. DAGs outside `own` are left alone: other processes run them.
  Engine(const TaskSet& task_set, const std::vector<bool>& own, std::int64_t length, TraceLevel level, RunStatistics& statistics)
      : task_set_(task_set),
        level_(level),
        statistics_(statistics),
        executors_(task_set.pool_count, nullptr),
        self_releasing_(task_set.pool_count, false) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed_, &attributes);
    pthread_condattr_destroy(&attributes);
    std::vector<Event> reserved;
    dags_ = std::vector<DagState>(task_set.dag_count);
    for (unsigned d = 0; d < task_set.dag_count; ++d) {
      const Dag& dag = task_set.dags[d];
      DagState& state = dags_[d];
      if (!own[d]) continue;
      state.jobs = std::max<std::int64_t>(0, (length - dag.phase + dag.period - 1) / dag.period);
      total_ += state.jobs;
      state.successors.resize(dag.node_count);
      std::vector<int> waits(dag.node_count);
      for (unsigned e = 0; e < dag.edge_count; ++e) {
        state.successors[dag.edges[e].from].push_back(dag.edges[e].to);
        ++waits[dag.edges[e].to];
      }
      state.later.resize(dag.node_count);
      std::vector<std::vector<unsigned>> jobs_before(dag.node_count);
      for (unsigned e = 0; e < dag.history_count; ++e) {
        state.later[dag.history[e].from].push_back({dag.history[e].to, dag.history[e].jobs});
        jobs_before[dag.history[e].to].push_back(dag.history[e].jobs);
      }
      const auto count = static_cast<std::size_t>(state.jobs);
      state.nodes = std::make_unique<NodeState[]>(count * dag.node_count);
      state.whole = std::make_unique<WholeState[]>(count);
      state.guards = std::make_unique<Guard[]>(dag.node_count);
      for (std::size_t j = 0; j < count; ++j) {
        state.whole[j].left = static_cast<int>(dag.node_count);
        for (unsigned v = 0; v < dag.node_count; ++v) {
          const int sequence = dag.nodes[v].sequential && j > 0 ? 1 : 0;
          const int admission = waits[v] == 0 && dag.in_flight > 0 && j >= dag.in_flight ? 1 : 0;
          const auto earlier = std::count_if(jobs_before[v].begin(), jobs_before[v].end(), [j](unsigned jobs) { return jobs <= j; });
          state.nodes[j * dag.node_count + v].waits =
              waits[v] + (dag.nodes[v].timed ? 1 : 0) + sequence + admission + static_cast<int>(earlier);
        }
      }
      for (unsigned v = 0; v < dag.node_count; ++v) {
        if (waits[v] == 0) state.sources.push_back(v);
      }
      reserved.reserve(reserved.capacity() + dag.node_count * 16 + 16);
    }
    unfinished_ = total_;
    events_ = Events(std::greater<Event>(), std::move(reserved));
  }
  ~Engine() { pthread_cond_destroy(&changed_); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Bytes that an engine for `length` ns takes.
  static std::size_t memory(const TaskSet& task_set, std::int64_t length) {
    std::size_t bytes = 0;
    for (unsigned d = 0; d < task_set.dag_count; ++d) {
      const auto jobs = static_cast<std::size_t>(length / task_set.dags[d].period + 1);
      bytes += jobs * (sizeof(WholeState) + task_set.dags[d].node_count * sizeof(NodeState));
    }
    return bytes;
  }

  void set_executor(unsigned pool, Executor* executor) { executors_[pool] = executor; }
  /// What plays the nodes of bodies, whatever their pools.
  void set_bodies(Executor* executor) { bodies_ = executor; }
  /// The pool's threads sleep until the offsets of their jobs themselves and then call `released`. Before `release_all`.
  void releases_itself(unsigned pool) { self_releasing_[pool] = true; }
  /// The instant of a node's offset has come; called by its pool's threads.
  void released(unsigned dag, unsigned node, std::int64_t number) {
    arrive(dag, node, number, dag_release(dag, number) + task_set_.dags[dag].nodes[node].offset);
  }
  /// Sleeps until `release_all` has begun. False when the run is stopped before.
  bool wait_for_start() {
    std::lock_guard<Lock> guard(lock_);
    while (!begun_ && !stopped_) pthread_cond_wait(&changed_, lock_.native());
    return !stopped_;
  }
  [[nodiscard]] const TaskSet& task_set() const { return task_set_; }
  [[nodiscard]] const Node& node(const Job& job) const { return task_set_.dags[job.dag].nodes[job.node]; }
  /// Whether the node's thread asks again and again whether it has ended.
  [[nodiscard]] bool spins(unsigned dag, const Node& node) const {
    return node.body >= 0 && task_set_.dags[dag].bodies[static_cast<unsigned>(node.body)].spins;
  }
  [[nodiscard]] TraceLevel level() const { return level_; }
  [[nodiscard]] RunStatistics& statistics() { return statistics_; }
  /// Whether a job is past the warm-up.
  [[nodiscard]] bool measured(unsigned dag, std::int64_t number) const { return dag_release(dag, number) >= measured_from_; }
  [[nodiscard]] std::int64_t dag_release(unsigned dag, std::int64_t number) const {
    return start_ + task_set_.dags[dag].phase + number * task_set_.dags[dag].period;
  }
  /// Jobs of a DAG in the whole run; 0 for DAGs of other processes.
  [[nodiscard]] std::int64_t jobs(unsigned dag) const { return dags_[dag].jobs; }
  [[nodiscard]] std::int64_t total() const { return total_; }
  [[nodiscard]] std::int64_t unfinished() const { return unfinished_.load(); }

  /// Releases every DAG job by the clock, from `start` on, and returns when all have ended; jobs released before `measured_from` are run
  /// but not recorded. Runs in a thread of its own.
  void release_all(std::int64_t start, std::int64_t measured_from) {
    lock_.lock();
    start_ = start;
    measured_from_ = measured_from;
    begun_ = true;
    pthread_cond_broadcast(&changed_);
    lock_.unlock();
    for (unsigned d = 0; d < task_set_.dag_count; ++d) {
      const Dag& dag = task_set_.dags[d];
      const bool needed = std::any_of(dag.nodes, dag.nodes + dag.node_count, [&](const Node& node) { return by_clock(node); });
      if (dags_[d].jobs > 0 && needed) schedule({dag_release(d, 0), EventKind::dag, d, 0, 0});
    }
    lock_.lock();
    while (!stopped_ && unfinished_.load() > 0) {
      const std::int64_t at = now();
      // Looks around every 100 ms: the last jobs end without an event.
      const std::int64_t next = events_.empty() ? INT64_MAX : events_.top().instant;
      if (next > at) {
        const timespec until = to_timespec(std::min(next, at + 100'000'000));
        pthread_cond_timedwait(&changed_, lock_.native(), &until);
        continue;
      }
      const Event event = events_.top();
      events_.pop();
      lock_.unlock();
      happen(event);
      lock_.lock();
    }
    lock_.unlock();
  }

  void stop() {
    std::lock_guard<Lock> guard(lock_);
    stopped_ = true;
    pthread_cond_broadcast(&changed_);
  }

  /// A job has ended; called by whatever executed it. Releases what waited for it.
  void finished(const Job& job, std::int64_t start, std::int64_t end, Ring& ring) {
    pass_on(job, end);
    ended(job, start, end, ring);
  }

  /// What waited for the job, or for the body that the node is the first of, need not wait any longer.
  void pass_on(const Job& job, std::int64_t end) {
    DagState& state = dags_[job.dag];
    for (const unsigned successor : state.successors[job.node]) arrive(job.dag, successor, job.number, end);
    const bool sequential = task_set_.dags[job.dag].nodes[job.node].sequential;
    if (sequential && job.number + 1 < state.jobs) arrive(job.dag, job.node, job.number + 1, end);
    for (const Later& later : state.later[job.node]) {
      if (job.number + later.jobs < state.jobs) arrive(job.dag, later.node, job.number + later.jobs, end);
    }
  }

  /// Records it, and its DAG's job where it was the last.
  void ended(const Job& job, std::int64_t start, std::int64_t end, Ring& ring) {
    DagState& state = dags_[job.dag];
    const bool recorded = measured(job.dag, job.number);
    if (recorded && level_ != TraceLevel::dag) {
      ring.push({job.number, job.ready, start, end, 0, job.node, 0, static_cast<std::uint16_t>(job.dag), 0, RecordKind::job});
    }
    WholeState& whole = state.whole[static_cast<std::size_t>(job.number)];
    raise_to(whole.end, end);
    if (whole.left.fetch_sub(1) == 1) {
      const std::int64_t release = dag_release(job.dag, job.number);
      if (recorded) {
        ring.push({job.number, release, release, whole.end.load(), 0, 0, 0, static_cast<std::uint16_t>(job.dag), 0, RecordKind::dag});
      }
      if (task_set_.dags[job.dag].in_flight > 0) admit_next(job.dag, whole.end.load());
      unfinished_.fetch_sub(1);
    }
  }

 private:
  struct NodeState {
    std::atomic<int> waits{0};            // predecessors, clock and previous job still to come
    std::atomic<std::int64_t> latest{0};  // the latest of those that came
  };
  struct WholeState {
    std::atomic<int> left{0};
    std::atomic<std::int64_t> end{0};
  };
  struct Guard {
    Lock lock;
    bool waiting = false;               // for an instant
    std::int64_t next = 0;              // job that enters next
    std::int64_t earliest = INT64_MIN;  // at this instant
  };
  struct Later {
    unsigned node;
    unsigned jobs;  // after this one
  };
  struct DagState {
    std::int64_t jobs = 0;
    std::vector<std::vector<unsigned>> successors;
    std::vector<std::vector<Later>> later;  // node -> those of later jobs that wait for it
    std::unique_ptr<NodeState[]> nodes;
    std::unique_ptr<WholeState[]> whole;
    std::unique_ptr<Guard[]> guards;
    std::vector<unsigned> sources;
    std::atomic<std::int64_t> ended{0};  // jobs
  };
  enum class EventKind { dag, offset, guard };
  struct Event {
    std::int64_t instant;
    EventKind kind;
    unsigned dag;
    unsigned node;
    std::int64_t number;
    bool operator>(const Event& other) const { return instant > other.instant; }
  };
  using Events = std::priority_queue<Event, std::vector<Event>, std::greater<Event>>;

  /// Whether `release_all` is what releases the node's jobs.
  [[nodiscard]] bool by_clock(const Node& node) const { return node.timed && !self_releasing_[node.pool]; }
  NodeState& node_state(unsigned dag, unsigned node, std::int64_t number) {
    return dags_[dag].nodes[static_cast<std::size_t>(number) * task_set_.dags[dag].node_count + node];
  }

  void schedule(const Event& event) {
    std::lock_guard<Lock> guard(lock_);
    events_.push(event);
    pthread_cond_signal(&changed_);
  }

  void happen(const Event& event) {
    switch (event.kind) {
      case EventKind::dag: {
        const Dag& dag = task_set_.dags[event.dag];
        if (measured(event.dag, event.number)) statistics_.releases.add(now() - event.instant, 1'000'000);
        for (unsigned v = 0; v < dag.node_count; ++v) {
          if (by_clock(dag.nodes[v]) && dag.nodes[v].offset == 0) arrive(event.dag, v, event.number, event.instant);
        }
        for (unsigned v = 0; v < dag.node_count; ++v) {
          if (by_clock(dag.nodes[v]) && dag.nodes[v].offset > 0)
            schedule({event.instant + dag.nodes[v].offset, EventKind::offset, event.dag, v, event.number});
        }
        if (event.number + 1 < dags_[event.dag].jobs)
          schedule({event.instant + dag.period, EventKind::dag, event.dag, 0, event.number + 1});
        break;
      }
      case EventKind::offset: arrive(event.dag, event.node, event.number, event.instant); break;
      case EventKind::guard: pass_guard(event.dag, event.node, true); break;
    }
  }

  /// One of the things that a node's job waits for has come, at `instant`.
  void arrive(unsigned dag, unsigned node, std::int64_t number, std::int64_t instant) {
    NodeState& state = node_state(dag, node, number);
    raise_to(state.latest, instant);
    if (state.waits.fetch_sub(1) != 1) return;
    if (task_set_.dags[dag].nodes[node].guarded) {
      pass_guard(dag, node);
    } else {
      enter(dag, node, number, state.latest.load());
    }
  }

  /// A job has ended: the first that may not have begun before, if it is released, begins now, else at its release.
  void admit_next(unsigned dag, std::int64_t end) {
    DagState& state = dags_[dag];
    const std::int64_t next = state.ended.fetch_add(1) + task_set_.dags[dag].in_flight;
    if (next >= state.jobs) return;
    for (const unsigned v : state.sources) arrive(dag, v, next, end);
  }

  /// Lets the node's next jobs in, in order, a period apart at least. `due`: the instant that was waited for has come.
  void pass_guard(unsigned dag, unsigned node, bool due = false) {
    Guard& guard = dags_[dag].guards[node];
    std::lock_guard<Lock> held(guard.lock);
    if (due) guard.waiting = false;
    while (!guard.waiting && guard.next < dags_[dag].jobs && node_state(dag, node, guard.next).waits.load() == 0) {
      const std::int64_t instant = std::max(node_state(dag, node, guard.next).latest.load(), guard.earliest);
      if (instant > now()) {
        guard.waiting = true;
        schedule({instant, EventKind::guard, dag, node, guard.next});
        return;
      }
      // From the entry itself, not from when it was due: what enters late must not have its successor at its heels.
      guard.earliest = enter(dag, node, guard.next, instant) + task_set_.dags[dag].period;
      ++guard.next;
    }
  }

  /// Returns the instant of the entry.
  std::int64_t enter(unsigned dag, unsigned node, std::int64_t number, std::int64_t due) {
    const Node& n = task_set_.dags[dag].nodes[node];
    Job job;
    job.dag = dag;
    job.node = node;
    job.number = number;
    job.ready = now();
    // A thread that releases itself notes when it ran, not when the kernel's timer fired.
    if (measured(dag, number) && !self_releasing_[n.pool]) statistics_.entries.add(job.ready - due, 1'000'000);
    (n.body >= 0 ? bodies_ : executors_[n.pool])->submit(job);
    return job.ready;
  }

  const TaskSet& task_set_;
  TraceLevel level_;
  RunStatistics& statistics_;
  std::vector<Executor*> executors_;
  Executor* bodies_ = nullptr;
  std::vector<bool> self_releasing_;
  std::vector<DagState> dags_;
  std::int64_t start_ = 0;
  std::int64_t measured_from_ = 0;
  std::int64_t total_ = 0;
  std::atomic<std::int64_t> unfinished_{0};
  Lock lock_;
  pthread_cond_t changed_;
  Events events_;
  bool begun_ = false;
  bool stopped_ = false;
};

}  // namespace workload
