// The event loop.
#pragma once

#include <array>

#include "company.hpp"
#include "context.hpp"
#include "gpu.hpp"
#include "history.hpp"
#include "processors.hpp"
#include "rta/simulate/simulate.hpp"
#include "servers.hpp"
#include "stream_queues.hpp"
#include "time_slices.hpp"

namespace rta::simulate {

/// One run of a plan. At each instant: all ends, then timers, then dispatching; again while something ends at the same instant.
class Simulation {
 public:
  Simulation(const Plan& plan, const Options& options, Observer* observer);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  [[nodiscard]] Observation run();

 private:
  /// What a timer does: open the next gate of a DAG job, admit the next job of an ordered node, end the delay of an edge.
  enum class Alarm : std::uint8_t { gate, order, edge };
  struct Timer {
    std::int64_t at = 0;
    std::uint64_t rank = 0;  // order at one instant: DAG, job, node
    std::uint32_t id = 0;    // DAG job, order, DAG job
    std::uint32_t node = 0;  // edge: the node that waits
    Alarm alarm = Alarm::gate;
    friend bool operator<(const Timer& a, const Timer& b) {
      return ((static_cast<Wide>(a.at) << 64) | a.rank) < ((static_cast<Wide>(b.at) << 64) | b.rank);
    }
  };
  struct Waiting {
    std::uint64_t number = 0;
    std::uint32_t job = 0;
  };
  struct Order {
    std::uint64_t next = 0;     // number of the job to admit next
    std::int64_t earliest = 0;  // not before this
    bool busy = false;          // sequential: the one before has not ended
    bool timer = false;         // one is set for `earliest`
    std::vector<Waiting> waiting;
  };
  /// Of a body's job, of which there is one at a time.
  struct Thread {
    bool placed = false;
    std::uint64_t place = 0;  // among equals, as long as its job lasts
  };
  struct Arrival {
    std::uint32_t dag_job = 0;
    std::uint32_t node = 0;
  };

  [[nodiscard]] std::int64_t next() const;
  [[nodiscard]] bool interrupted();
  void step();
  void fire();
  void fire_timer();
  void release(std::uint32_t dag);
  void begin(std::uint32_t dag_job);
  /// The DAG may have no more jobs at once than it has, and one of them has ended.
  void begin_next(std::uint32_t dag);
  std::uint32_t take_dag_job(std::uint32_t dag);
  [[nodiscard]] std::int64_t lateness(std::uint32_t dag, std::uint64_t number) const {
    const std::int64_t jitter = plan_.dags[dag].jitter;
    return jitter == 0 ? 0 : between(draw(options_.seed, Draw::late, dag, number), 0, jitter);
  }
  void open_gates(std::uint32_t dag_job);
  void predecessor_ended(std::uint32_t dag_job, std::uint32_t node);
  /// Likewise, of an earlier job; the job may not have begun.
  void earlier_ended(std::uint32_t dag_job, std::uint32_t node);
  void arrive(std::uint32_t dag_job, std::uint32_t node);
  /// When the DAG's next job is released; `never`: none is.
  [[nodiscard]] std::int64_t next_release(std::uint32_t d, std::uint64_t number) const;
  [[nodiscard]] const ScenarioNode& in_scenario(std::uint32_t node, std::uint64_t number) const;
  void shuffle_arrivals();
  void sort_arrivals();
  /// The place among equals of a CPU pool's queue.
  [[nodiscard]] std::uint64_t place(const RunNode& n, std::uint32_t node, std::uint64_t number);
  void admit(std::uint32_t dag_job, std::uint32_t node);
  void admit_in_order(std::uint32_t order);
  void enter(std::uint32_t id, Job& job, const RunNode& n);
  void enter_processors(std::uint32_t id, Job& job, const RunNode& n);
  void enter_fifo(std::uint32_t id, Job& job, const RunNode& n);
  /// Of a thread that keeps its processor while it waits.
  void enter_spinning(std::uint32_t id, Job& job, const RunNode& n);
  void enter_in_body(std::uint32_t id, Job& job, const RunNode& n);
  /// The order of the bodies' jobs where `node` ends one; else `none`.
  [[nodiscard]] std::uint32_t leave_body(std::uint32_t node);
  void enter_device(std::uint32_t id, Job& job, const RunNode& n);
  void enter_call(std::uint32_t id, Job& job);
  /// Lets calls return that wait for nothing any more, and goes on with what they held up.
  void settle_calls();
  void enter_pool(std::uint32_t job);
  void finish(std::uint32_t job);
  void expect_successors(const DagJob& dag_job, const RunNode& n) const;
  void end_edges(std::uint32_t dag_job, const RunNode& n);
  [[nodiscard]] static std::uint64_t rank(std::uint32_t dag, std::uint64_t job, std::uint32_t node = 0) {
    return std::uint64_t{dag} << 44 | (job & 0xffffff) << 20 | (node & 0xfffff);
  }

  const Plan& plan_;
  const Options& options_;
  Context context_;
  std::vector<Processors> cpus_;
  std::vector<Company> companies_;  // of GPUs, all partitions together
  std::vector<Gpu> gpus_;
  std::vector<TimeSlices> slices_;
  std::vector<Servers> servers_;
  bool devices_;  // there is more than CPUs
  Calls calls_;
  StreamQueues streams_;
  WinnerTree<Sooner> releases_;  // DAGs by their next release
  Heap<Timer> timers_;
  std::vector<std::uint32_t> free_dag_job_;  // per DAG: the first of its slots that are free
  std::vector<std::uint32_t> pending_;       // unfinished predecessors, of each node of each DAG job
  std::vector<std::uint32_t> initial_;       // the same at release, per node
  std::vector<std::uint64_t> released_;      // jobs per DAG
  std::vector<Order> orders_;
  std::vector<Thread> threads_;           // of bodies
  std::vector<std::uint32_t> under_way_;  // per DAG that may have so many at once: its jobs that have begun
  std::vector<Fifo> held_back_;           // per DAG: its jobs that wait until one of these ends
  std::uint64_t all_held_back_ = 0;
  std::vector<PastJobs> past_;     // per DAG; empty where none has history edges
  bool scenario_;                  // every job is fixed
  std::vector<Arrival> arrivals_;  // of this instant; used when ties are random or fixed
  std::uint64_t shuffles_ = 0;
  std::int64_t now_ = 0;
  std::int64_t horizon_;
  std::uint64_t max_in_flight_;
  std::uint64_t until_check_ = 0;
  Observation observation_;
};

}  // namespace rta::simulate
