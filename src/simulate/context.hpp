// What every pool of a running simulation shares.
#pragma once

#include <vector>

#include "fifo.hpp"
#include "jobs.hpp"
#include "plan.hpp"
#include "random.hpp"
#include "rta/simulate/observer.hpp"
#include "run_node.hpp"

namespace rta::simulate {

struct Context {
  const Plan& plan;
  const RunGraph graph;
  std::uint64_t seed;
  Observer* observer;  // may be null
  Slots<Job> jobs;
  std::vector<DagJob> dag_jobs;
  std::vector<std::uint32_t> kept;  // per body: the processor that its thread keeps while it waits
  std::uint64_t sequence = 0;       // of starts and arrivals
  std::uint64_t blocks = 0;
  std::uint64_t preemptions = 0;

  [[nodiscard]] bool observes(Detail detail) const { return observer != nullptr && observer->detail() >= detail; }
  [[nodiscard]] JobId name(const Job& job) const {
    const PlanNode& n = plan.nodes[job.node];
    return {n.dag, n.index, job.number};
  }
  /// A job has begun: has fetched what its end will read.
  void expect_end(const Job& job) const {
    expect(&graph.nodes[job.node]);
    const auto* const statistics = reinterpret_cast<const char*>(&statistics_of(job, dag_jobs[job.dag_job]));
    expect(statistics);
    expect(statistics + 64);
  }
  [[nodiscard]] static Statistics& statistics_of(const Job& job, const DagJob& dag_job) {
    return dag_job.nodes[job.node - dag_job.first_node];
  }
  /// The execution times of a job's pieces, the same whenever they are asked for.
  [[nodiscard]] std::uint64_t execution_family(const Job& job) const { return draw(seed, Draw::execution, job.node, job.number); }
  [[nodiscard]] static std::int64_t execution(const PlanNode& n, std::uint64_t family, std::uint32_t piece) {
    const std::uint64_t random = draw_from(family, piece);
    return (n.mode ? triangular(random, n.least, *n.mode, n.most) : between(random, n.least, n.most)) + n.overhead;
  }
  [[nodiscard]] std::int64_t execution(const PlanNode& n, const Job& job, std::uint32_t piece) const {
    return n.least == n.most ? job.work + n.overhead : execution(n, execution_family(job), piece);
  }
};

}  // namespace rta::simulate
