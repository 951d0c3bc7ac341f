// Plain thread pools as a generated program runs them (validation/runtime/workload: engine.hpp, cpu_executor.hpp), in time that is counted
// instead of passed: what a node's job waits for is counted down, who is ready enters the program's own queue, idle threads take from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "rta/model/schedule.hpp"
#include "rta/model/task_set.hpp"
#include "support/random_system.hpp"
#include "workload/job_queue.hpp"

namespace rta::test {

/// All pools are CPU pools under FIFO.
class QueuePlayer {
 public:
  /// `releases` of each DAG; a job takes what `length` draws for its node.
  QueuePlayer(const TaskSet& set, const Schedule& schedule, std::vector<std::vector<std::int64_t>> releases,
              std::function<std::int64_t(const Node&)> length, Dice& dice)
      : set_(set), schedule_(schedule), releases_(std::move(releases)), length_(std::move(length)), dice_(dice) {
    for (const Pool& pool : set.pools()) {
      queues_.push_back(std::make_unique<workload::JobQueue>());
      waiting_.push_back(0);
      idle_.push_back(std::get<CpuPool>(pool.resource).processors);
    }
    for (DagId d = 0; d < set.dags().size(); ++d) {
      const Dag& dag = set.dags()[d];
      worst_.emplace_back(dag.nodes().size());
      waits_.emplace_back();
      for (std::size_t j = 0; j < releases_[d].size(); ++j) {
        for (NodeId v = 0; v < dag.nodes().size(); ++v) {
          const auto& offset = schedule.nodes[d][v].offset;
          waits_[d].push_back(dag.predecessors(v).size() + (offset ? 1 : 0) + (dag.nodes()[v].sequential && j > 0 ? 1 : 0));
          if (offset) events_.push_back({releases_[d][j] + offset->count(), false, d, v, j});
        }
      }
    }
  }

  /// The longest response of each node, from its reference.
  PerNode<Time> play() {
    while (!events_.empty()) {
      const auto first = std::ranges::min_element(events_, {}, &Event::at);
      const std::int64_t now = first->at;
      std::vector<std::size_t> due;
      for (std::size_t i = 0; i < events_.size(); ++i) {
        if (events_[i].at == now) due.push_back(i);
      }
      const std::size_t chosen = dice_.pick(due);
      const Event event = events_[chosen];
      events_[chosen] = events_.back();
      events_.pop_back();
      if (event.end) {
        finished(event);
      } else {
        arrive(event.dag, event.node, event.job, now);
      }
    }
    return std::move(worst_);
  }

 private:
  struct Event {
    std::int64_t at = 0;
    bool end = false;  // of an execution; else of the wait for an offset
    DagId dag = 0;
    NodeId node = 0;
    std::size_t job = 0;
  };

  void arrive(DagId d, NodeId v, std::size_t job, std::int64_t now) {
    const Dag& dag = set_.dags()[d];
    if (--waits_[d][job * dag.nodes().size() + v] > 0) return;
    const PoolId p = dag.nodes()[v].pool;
    workload::Job entry{};
    entry.dag = static_cast<unsigned>(d);
    entry.node = static_cast<unsigned>(v);
    entry.number = static_cast<std::int64_t>(job);
    entry.ready = now;
    queues_[p]->put(entry);
    ++waiting_[p];
    take(p, now);
  }

  void take(PoolId p, std::int64_t now) {
    for (workload::Job job{}; idle_[p] > 0 && waiting_[p] > 0; --idle_[p], --waiting_[p]) {
      queues_[p]->take(job);
      events_.push_back(
          {now + length_(set_.dags()[job.dag].nodes()[job.node]), true, job.dag, job.node, static_cast<std::size_t>(job.number)});
    }
  }

  void finished(const Event& event) {
    const Dag& dag = set_.dags()[event.dag];
    const std::int64_t reference = releases_[event.dag][event.job] + schedule_.nodes[event.dag][event.node].reference.count();
    Time& worst = worst_[event.dag][event.node];
    worst = std::max(worst, Time(event.at - reference));
    for (const NodeId next : dag.successors(event.node)) arrive(event.dag, next, event.job, event.at);
    const bool another = event.job + 1 < releases_[event.dag].size();
    if (dag.nodes()[event.node].sequential && another) arrive(event.dag, event.node, event.job + 1, event.at);
    const PoolId p = dag.nodes()[event.node].pool;
    ++idle_[p];
    take(p, event.at);
  }

  const TaskSet& set_;
  const Schedule& schedule_;
  std::vector<std::vector<std::int64_t>> releases_;
  std::function<std::int64_t(const Node&)> length_;
  Dice& dice_;
  std::vector<std::unique_ptr<workload::JobQueue>> queues_;
  std::vector<std::size_t> waiting_, idle_;  // jobs in the queue, threads
  std::vector<std::vector<std::size_t>> waits_;
  std::vector<Event> events_;
  PerNode<Time> worst_;
};

}  // namespace rta::test
