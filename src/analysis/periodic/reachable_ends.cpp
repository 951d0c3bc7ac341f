#include "rta/analysis/periodic/reachable_ends.hpp"

#include <algorithm>

#include "analysis/periodic/exploration.hpp"
#include "analysis/periodic/job_table.hpp"

namespace rta::analysis::periodic {
namespace {

constexpr std::size_t most_shown = 12;  // dispatches before a job's own

Dispatch dispatch_of(const Exploration<Rules>::Step& step, const JobSequence& sequence) {
  const std::int64_t rounds = step.job / sequence.size();
  const JobSequence::Job& job = sequence.at(step.job % sequence.size());
  return {job.dag, job.node, job.number + rounds * job.numbers, infimum(step.start.low), supremum(step.start.high), supremum(step.end)};
}

Reached reached_by(const Exploration<Rules>& exploration, const JobSequence& sequence, const System& system) {
  Reached reached{{Time(sequence.hyperperiod() / 2), {}, exploration.steps()}, exploration.states(), exploration.dispatches()};
  reached.windows.ends.resize(system.dags.size());
  for (std::size_t d = 0; d < system.dags.size(); ++d) reached.windows.ends[d].resize(system.dags[d].nodes.size());
  for (std::int64_t x = 0; x < sequence.size(); ++x) {
    const JobSequence::Job& job = sequence.at(x);
    auto& ends = reached.windows.ends[job.dag][job.node];
    ends.resize(static_cast<std::size_t>(job.numbers));
    const std::int64_t n = job.number - static_cast<std::int64_t>(floor_div(job.number, job.numbers)) * job.numbers;
    ends[static_cast<std::size_t>(n)] = supremum(exploration.latest()[static_cast<std::size_t>(x)] - job.nominal);
  }
  reached.led.resize(system.dags.size());
  reached.latest.resize(system.dags.size());
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    reached.led[d].resize(system.dags[d].nodes.size());
    reached.latest[d].resize(system.dags[d].nodes.size());
  }
  for (std::int64_t x = 0; x < sequence.size(); ++x) {
    const JobSequence::Job& job = sequence.at(x);
    const std::int64_t n = job.number - static_cast<std::int64_t>(floor_div(job.number, job.numbers)) * job.numbers;
    if (static_cast<std::size_t>(n) != reached.windows.latest(job.dag, job.node)) continue;
    for (const auto& step : exploration.led_to(x, most_shown)) reached.led[job.dag][job.node].push_back(dispatch_of(step, sequence));
    reached.latest[job.dag][job.node] = {exploration.worst(x).from, reached.led[job.dag][job.node].back()};
  }
  reached.made.reserve(exploration.made_by().size());
  for (const auto& step : exploration.made_by()) reached.made.push_back({step.from, dispatch_of(step, sequence)});
  return reached;
}

}  // namespace

std::vector<Dispatch> way_to_latest(const Reached& reached, std::size_t d, std::size_t v) {
  std::vector<Dispatch> way;
  for (const Led* led = &reached.latest[d][v];; led = &reached.made[led->from]) {
    way.push_back(led->by);
    if (led->from == 0) break;
  }
  std::ranges::reverse(way);
  return way;
}

bool is_followed(const System& system, std::size_t pool) {
  const Pool& on = system.pools[pool];
  if (on.order == Order::unknown || on.preemptive || !on.follow) return false;
  return std::ranges::none_of(system.dags, [&](const Dag& dag) {
    return std::ranges::any_of(dag.nodes, [&](const Node& node) { return node.pool == pool && node.pieces > most_items; });
  });
}

std::optional<Reached> reachable_ends(const System& system, const Windows* proven, const ReachLimits& limits,
                                      std::vector<LeftOut>* left_out) {
  const auto tell = [&](LeftOut::Limit limit, std::size_t most, std::size_t found = 0) {
    if (left_out == nullptr) return;
    add_left_out(*left_out, LeftOut{.theorems = {Theorem::T36}, .limit = limit, .most = most, .found = found, .where = {}});
  };
  const auto size = size_of(system);
  if (!size || size->jobs > limits.states) {
    tell(LeftOut::Limit::jobs, limits.states, size ? size->jobs : 0);
    return std::nullopt;
  }
  const JobSequence sequence(system, size->hyperperiod, proven);
  if (sequence.queues().empty()) return std::nullopt;
  if (sequence.queues().size() > Exploration<Rules>::most_pools) {
    tell(LeftOut::Limit::pools, Exploration<Rules>::most_pools, sequence.queues().size());
    return std::nullopt;
  }
  Exploration<Rules> exploration(sequence, limits);
  using Outcome = Exploration<Rules>::Outcome;
  switch (exploration.run()) {
    case Outcome::repeated: return reached_by(exploration, sequence, system);
    case Outcome::states: tell(LeftOut::Limit::states, limits.states); return std::nullopt;
    case Outcome::steps: tell(LeftOut::Limit::steps, limits.steps); return std::nullopt;
    case Outcome::memory: tell(LeftOut::Limit::memory, limits.bytes); return std::nullopt;
    case Outcome::stopped: tell(LeftOut::Limit::time, 0); return std::nullopt;
  }
  throw_defect("an exploration ends somehow");
}

}  // namespace rta::analysis::periodic
