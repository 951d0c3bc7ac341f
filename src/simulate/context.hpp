// What every pool of a running simulation shares.
#pragma once

#include "jobs.hpp"
#include "plan.hpp"
#include "random.hpp"
#include "rta/simulate/observer.hpp"

namespace rta::simulate {

struct Context {
  const Plan& plan;
  std::uint64_t seed;
  Observer* observer;  // may be null
  Slots<Job> jobs;
  std::uint64_t sequence = 0;  // of starts and arrivals
  std::uint64_t blocks = 0;
  std::uint64_t preemptions = 0;

  [[nodiscard]] bool observes(Detail detail) const { return observer != nullptr && observer->detail() >= detail; }
  [[nodiscard]] JobId name(const Job& job) const {
    const PlanNode& n = plan.nodes[job.node];
    return {n.dag, n.index, job.number};
  }
  /// Execution time of piece `piece` of a job, the same whenever it is asked for.
  [[nodiscard]] std::int64_t execution(const PlanNode& n, const Job& job, std::uint32_t piece) const {
    if (n.least == n.most) return n.most + n.overhead;
    return between(draw(seed, Draw::execution, job.node, job.number, piece), n.least, n.most) + n.overhead;
  }
};

}  // namespace rta::simulate
