// Random systems with limits of jobs under way, and what of the admissions of a simulation is seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "rta/simulate/observer.hpp"
#include "support/random_system.hpp"

namespace rta::test {

inline Dag with_limit(const Dag& dag, std::optional<std::uint32_t> in_flight, Time period) {
  DagAttributes attributes = dag.attributes();
  attributes.in_flight = in_flight;
  attributes.T_max.reset();
  std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
  return {dag.name(), period, dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes};
}

/// Some DAGs with a limit, and some of these with releases so often that jobs queue up. Some CPU pools become FIFO.
inline TaskSet with_limits(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (Pool& pool : pools) {
    auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu != nullptr && !dice.one_in(3)) cpu->scheduler = Scheduler::fifo;
  }
  std::vector<Dag> dags;
  const auto first = static_cast<DagId>(dice.between(0, static_cast<std::int64_t>(set.dags().size()) - 1));
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    if (d != first && dice.one_in(2)) {
      dags.push_back(dag);
      continue;
    }
    const Time T = dice.one_in(2) ? dag.period() : Time(std::max<std::int64_t>(1, dag.period().count() / dice.between(2, 6)));
    dags.push_back(with_limit(dag, static_cast<std::uint32_t>(dice.between(1, 3)), T));
  }
  return {set.name(), std::move(pools), std::move(dags)};
}

/// Of each DAG, the most jobs under way at once and the longest time from an admission, when a source is ready first, to the job's end.
class Admissions final : public simulate::Observer {
 public:
  explicit Admissions(std::size_t dags) : Observer(simulate::Detail::job), jobs_(dags) {}
  void dag(DagId dag, std::uint64_t job, Time /*release*/, Time end) override { jobs_[dag][job].second = end; }
  void job(simulate::JobId id, Time ready, Time /*start*/, Time /*end*/) override {
    const auto [at, fresh] = jobs_[id.dag].try_emplace(id.job, ready, ready);
    if (!fresh) at->second.first = std::min(at->second.first, ready);
  }
  void block(simulate::JobId /*id*/, std::uint64_t /*block*/, std::uint32_t /*sm*/, Time /*start*/, Time /*end*/) override {}
  void copy(simulate::JobId /*id*/, std::uint32_t /*engine*/, Time /*start*/, Time /*end*/) override {}
  void run(simulate::JobId /*id*/, std::uint32_t /*cpu*/, Time /*start*/, Time /*end*/) override {}

  [[nodiscard]] Time longest(DagId d) const {
    Time most;
    for (const auto& [number, job] : jobs_[d]) most = std::max(most, job.second - job.first);
    return most;
  }
  [[nodiscard]] std::size_t most_at_once(DagId d) const {
    std::vector<std::pair<Time, int>> changes;  // an end before an admission at the same instant
    for (const auto& [number, job] : jobs_[d]) {
      if (job.second == job.first) continue;
      changes.emplace_back(job.first, 1);
      changes.emplace_back(job.second, -1);
    }
    std::ranges::sort(changes);
    int now = 0;
    int most = 0;
    for (const auto& [at, change] : changes) most = std::max(most, now += change);
    return static_cast<std::size_t>(most);
  }

 private:
  std::vector<std::map<std::uint64_t, std::pair<Time, Time>>> jobs_;  // DAG -> job -> admission, end
};

}  // namespace rta::test
