// T13: what a schedule shows of a chain is never above the sums, for whatever times hold in that schedule.
#include "rta/analysis/chains.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "rta/model/fixed_priority.hpp"
#include "rta/simulate/chains.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/build.hpp"
#include "support/completion_simulation.hpp"
#include "support/random_system.hpp"
#include "support/schedules.hpp"

using namespace rta;
using namespace rta::test;
using analysis::ChainLatencies;
using analysis::StageTimes;
using simulate::SeenLatencies;

namespace {

/// A stage and how its jobs are drawn.
struct RandomStage {
  StageTimes times;
  Time T;
};

RandomStage random_stage(Dice& dice) {
  const std::int64_t T = dice.between(1, 20);
  const std::int64_t F = dice.between(1, dice.one_in(4) ? 3 * T : T);
  const std::int64_t longest = dice.one_in(2) ? T : T + dice.between(0, T);
  return {{Time(longest), Time(dice.one_in(2) ? 0 : dice.between(0, F)), Time(F)}, Time(T)};
}

/// Jobs whose gaps, reads and writes are mostly at an end of their range.
simulate::StageJobs random_jobs(Dice& dice, const RandomStage& stage, std::int64_t until) {
  const auto extreme = [&](std::int64_t low, std::int64_t high) {
    return dice.one_in(3) ? dice.between(low, high) : (dice.one_in(2) ? low : high);
  };
  simulate::StageJobs jobs;
  for (std::int64_t r = dice.between(0, stage.times.T_max.count()); r < until; r += extreme(stage.T.count(), stage.times.T_max.count())) {
    const std::int64_t read = r + extreme(stage.times.E.count(), stage.times.F.count());
    jobs.push_back({Time(read), Time(extreme(read, r + stage.times.F.count()))});
  }
  return jobs;
}

bool above(const std::optional<Time>& seen, Time bound) { return seen && *seen > bound; }

bool above(const SeenLatencies& seen, const ChainLatencies& bound) {
  return above(seen.MRT, bound.MRT) || above(seen.MRRT, bound.MRRT) || above(seen.MRDA, bound.MRDA) || above(seen.MDA, bound.MDA);
}

/// Bounds that forget something.
ChainLatencies without(Time StageTimes::*term, std::vector<StageTimes> stages, std::size_t at) {
  stages[at].*term = Time::zero();
  return analysis::chain_latencies(stages);
}

}  // namespace

TEST_CASE("Law T13: random histories never show more than the sums, reach them, and break each sum that forgets a term") {
  std::size_t reached = 0, no_T_max = 0, no_F = 0, E_twice = 0, reduced_wrong = 0;
  for (std::uint64_t seed = 1; seed <= 4'000; ++seed) {
    Dice dice(seed);
    const auto n = static_cast<std::size_t>(dice.between(1, 4));
    std::vector<StageTimes> times;
    std::vector<simulate::StageJobs> jobs;
    for (std::size_t i = 0; i < n; ++i) {
      const RandomStage stage = random_stage(dice);
      times.push_back(stage.times);
      jobs.push_back(random_jobs(dice, stage, 1'500));
    }
    const ChainLatencies bound = analysis::chain_latencies(times);
    const SeenLatencies seen = simulate::chain_latencies_seen(jobs);
    CAPTURE(seed);
    REQUIRE(seen.MRT);
    REQUIRE_FALSE(above(seen, bound));
    reached += static_cast<std::size_t>(n <= 2 && *seen.MRT >= bound.MRT - Time(1) && seen.MDA && *seen.MDA >= bound.MDA - Time(1));
    const auto at = static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(n) - 1));
    no_T_max += static_cast<std::size_t>(above(seen, without(&StageTimes::T_max, times, at)));
    no_F += static_cast<std::size_t>(above(seen, without(&StageTimes::F, times, at)));
    auto later = times;
    later[at].E += later[at].E;
    E_twice += static_cast<std::size_t>(later[at].E > Time::zero() && above(seen, analysis::chain_latencies(later)));
    reduced_wrong += static_cast<std::size_t>(above(seen.MRT, bound.MRRT) && above(seen.MDA, bound.MRDA));
  }
  CHECK(reached > 300);
  CHECK(no_T_max > 1'000);
  CHECK(no_F > 1'000);
  CHECK(E_twice > 100);
  CHECK(reduced_wrong > 1'000);
}

namespace {

struct Drawn {
  std::shared_ptr<const TaskSet> set;
  Schedule schedule;
  Release release = Release::completion;
};

Dag random_dag(Dice& dice, const std::string& name, std::int64_t T, PoolId pools) {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  const auto n = static_cast<NodeId>(dice.between(1, 3));
  const auto at = static_cast<PoolId>(dice.between(0, static_cast<std::int64_t>(pools) - 1));
  for (NodeId v = 0; v < n; ++v) {
    const PoolId pool = dice.one_in(4) ? static_cast<PoolId>(dice.between(0, static_cast<std::int64_t>(pools) - 1)) : at;
    nodes.push_back(cpu_node(std::string(1, static_cast<char>('a' + v)), Time(dice.between(1, std::max<std::int64_t>(1, T / 8))), pool));
    if (v > 0 && !dice.one_in(4)) edges.push_back({v - 1, v});
  }
  DagAttributes attributes{.priority = static_cast<FixedPriority>(dice.between(0, 3))};
  if (dice.one_in(2)) {
    attributes.T_max = Time(T + dice.between(0, T));
  } else if (dice.one_in(2)) {
    attributes.phase = Time(dice.between(0, T));
  }
  return {
      name,      Time(T), dice.one_in(2) ? std::optional(Time(T + dice.between(0, T))) : std::nullopt, std::move(nodes), std::move(edges),
      attributes};
}

Chain random_chain(Dice& dice, const std::string& name, const std::vector<Dag>& dags) {
  Chain chain{name, {}, dice.one_in(4) ? Communication::let : Communication::registers, {}, {}};
  for (std::int64_t left = dice.between(1, 4); left > 0; --left) {
    const auto d = static_cast<DagId>(dice.between(0, static_cast<std::int64_t>(dags.size()) - 1));
    const auto v = static_cast<NodeId>(dice.between(0, static_cast<std::int64_t>(dags[d].nodes().size()) - 1));
    chain.stages.push_back({d, dice.one_in(2) ? std::optional(v) : std::nullopt});
    if (chain_fault(chain, dags)) chain.stages.pop_back();
  }
  return chain;
}

Drawn random_chains(std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Pool> pools;
  const auto count = static_cast<PoolId>(dice.between(1, 2));
  for (PoolId p = 0; p < count; ++p) {
    const bool fp = !dice.one_in(3);
    CpuPool cpu{static_cast<std::uint32_t>(dice.one_in(3) ? 2 : 1), fp ? Scheduler::fp : Scheduler::fifo, !dice.one_in(3)};
    if (fp) cpu.equals = dice.one_in(2) ? Equals::fifo : Equals::any;
    pools.push_back({std::string("cpu") + static_cast<char>('0' + p), cpu});
  }
  std::vector<Dag> dags;
  const std::int64_t n = dice.between(2, 4);
  for (std::int64_t d = 0; d < n; ++d)
    dags.push_back(random_dag(dice, std::string("d") + static_cast<char>('0' + d), dice.between(5, 60), count));
  std::vector<Chain> chains;
  for (const char* name : {"c0", "c1", "c2"}) chains.push_back(random_chain(dice, name, dags));
  Drawn drawn;
  drawn.release = dice.one_in(3) ? Release::offsets : Release::completion;
  for (const Dag& dag : dags) {
    auto& nodes = drawn.schedule.nodes.emplace_back(dag.nodes().size());
    if (drawn.release != Release::offsets) continue;
    for (NodeId v = 0; v < nodes.size(); ++v) {
      nodes[v].reference =
          dag.predecessors(v).empty() ? Time::zero() : nodes[v - 1].reference + Time(dice.between(0, dag.period().count()));
      nodes[v].offset = nodes[v].reference;
    }
  }
  drawn.set = std::make_shared<const TaskSet>("test", std::move(pools), std::move(dags), std::move(chains));
  return drawn;
}

/// What held in one run, as if it were proven: the largest responses.
analysis::Proof proof_of_run(const Drawn& drawn, const simulate::Observation& seen) {
  analysis::Proof proof;
  proof.task_set = drawn.set;
  proof.release = drawn.release;
  const FixedPriorities priorities = fixed_priorities(*drawn.set);
  for (DagId d = 0; d < drawn.set->dags().size(); ++d) {
    analysis::DagProof& dag = proof.dags.emplace_back();
    dag.bound = analysis::Bound{seen.dags[d].response.max(), {}};
    for (NodeId v = 0; v < drawn.schedule.nodes[d].size(); ++v) {
      analysis::NodeProof& node = dag.nodes.emplace_back();
      node.reference = drawn.schedule.nodes[d][v].reference;
      node.bound = analysis::Bound{seen.dags[d].nodes[v].max(), {}};
      node.priority = priorities.of[d][v];
    }
  }
  return proof;
}

}  // namespace

TEST_CASE("Law T13: simulated chains stay below the sums of what their run showed, FP pairs included") {
  std::size_t compared = 0, dropped = 0, dropped_everywhere = 0;
  for (std::uint64_t seed = 1; seed <= 1'500; ++seed) {
    Dice dice(seed);
    const Drawn drawn = random_chains(seed);
    simulate::Options options;
    options.duration = Time(3'000);
    options.seed = seed;
    options.releases.random_phases = true;
    options.execution = dice.one_in(2) ? simulate::uniform : simulate::worst_case;
    options.ties = dice.one_in(2) ? simulate::Ties::random : simulate::Ties::in_order;
    // Where every DAG says how far apart releases may be; elsewhere they are periodic.
    const bool sporadic = std::ranges::all_of(drawn.set->dags(), [](const Dag& dag) { return dag.attributes().T_max.has_value(); });
    if (sporadic) options.releases.jitter = simulate::whole;
    simulate::ChainObserver chains(*drawn.set);
    const auto seen = simulate::simulate(*drawn.set, drawn.schedule, options, &chains);
    if (seen.ending != simulate::Ending::complete) continue;
    const auto proven = analysis::prove_chains(proof_of_run(drawn, seen), false);  // phases are random
    const auto observed = chains.latencies();
    REQUIRE(observed.size() == proven.size());
    for (std::size_t c = 0; c < proven.size(); ++c) {
      if (!proven[c].bound) continue;
      CAPTURE(seed);
      CAPTURE(c);
      CHECK_FALSE(above(observed[c], *proven[c].bound));
      compared += static_cast<std::size_t>(observed[c].MRT.has_value() && observed[c].MDA.has_value());
      dropped += static_cast<std::size_t>(proven[c].bound->MRT < proven[c].bound->MDA);
      std::vector<StageTimes> all;
      for (const auto& stage : proven[c].stages) all.push_back(stage.times);
      for (StageTimes& stage : all) stage.outranks_next = true;
      dropped_everywhere += static_cast<std::size_t>(above(observed[c].MRT, analysis::chain_latencies(all).MRT));
    }
  }
  CHECK(compared > 2'000);
  CHECK(dropped > 50);
  CHECK(dropped_everywhere > 20);
}

TEST_CASE("Law T13: with known phases simulated chains stay below the largest distances, which no smaller ones can replace") {
  std::size_t compared = 0, sharper = 0, reached = 0, too_short = 0;
  for (std::uint64_t seed = 1; seed <= 1'500; ++seed) {
    Dice dice(seed);
    const Drawn drawn = random_chains(seed);
    simulate::Options options;
    options.duration = Time(3'000);
    options.seed = seed;
    options.execution = dice.one_in(2) ? simulate::uniform : simulate::worst_case;
    options.ties = dice.one_in(2) ? simulate::Ties::random : simulate::Ties::in_order;
    // DAGs without a T_max are periodic, and released at their phases where they have one.
    simulate::ChainObserver chains(*drawn.set);
    const auto seen = simulate::simulate(*drawn.set, drawn.schedule, options, &chains);
    if (seen.ending != simulate::Ending::complete) continue;
    const auto proof = proof_of_run(drawn, seen);
    const auto proven = analysis::prove_chains(proof);
    const auto of_any_phases = analysis::prove_chains(proof, false);
    const auto observed = chains.latencies();
    for (std::size_t c = 0; c < proven.size(); ++c) {
      if (!proven[c].bound) continue;
      CAPTURE(seed);
      CAPTURE(c);
      CHECK_FALSE(above(observed[c], *proven[c].bound));
      CHECK(proven[c].bound->MRT <= of_any_phases[c].bound->MRT);
      CHECK(proven[c].bound->MDA <= of_any_phases[c].bound->MDA);
      ++compared;
      if (proven[c].bound->MDA == of_any_phases[c].bound->MDA) continue;
      ++sharper;
      reached += static_cast<std::size_t>(observed[c].MDA == proven[c].bound->MDA);
      // A nanosecond less for every pair.
      std::vector<StageTimes> short_ones;
      for (const auto& stage : proven[c].stages) short_ones.push_back(stage.times);
      for (std::size_t i = 0; i + 1 < short_ones.size(); ++i) {
        if (short_ones[i].to_next) *short_ones[i].to_next -= Time(1);
      }
      too_short += static_cast<std::size_t>(above(observed[c], analysis::chain_latencies(short_ones)));
    }
  }
  MESSAGE(compared, " chains, ", sharper, " with phases that count, ", reached, " reached; ", too_short, " above 1 ns less");
  CHECK(compared > 2'000);
  CHECK(sharper > 100);
  CHECK(reached > 5);
  CHECK(too_short > 5);
}

namespace {

/// A writer of two nodes above a reader of one on a processor without preemption, and what a run of it shows beside the sums with the
/// responses of that run.
struct UrgentPair {
  SeenLatencies seen;
  ChainLatencies bound;
};

UrgentPair urgent_pair(std::uint64_t seed, Between between) {
  std::mt19937_64 random(seed);
  const auto in = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  const std::int64_t C[2] = {in(1, 4), in(1, 4)}, reads = in(1, 8), T_writer = in(8, 40), T_reader = in(8, 40);
  std::vector<SimulatedJob> jobs;
  const auto add = [&](std::int64_t T, bool writer) {
    std::int64_t longest = 0;
    std::int64_t release = in(0, T);
    for (int j = 0; j < 30; ++j) {
      SimulatedJob& job = jobs.emplace_back();
      job.release = release;
      for (int v = 0; v < (writer ? 2 : 1); ++v) {
        SimulatedNode& node = job.nodes.emplace_back();
        node.pieces = {writer ? C[v] : reads};
        node.priority = writer ? 2 : 1;
        if (v > 0) node.predecessors = {0};
      }
      const std::int64_t gap = T + in(0, T / 2);
      longest = std::max(longest, gap);
      release += gap;
    }
    return longest;
  };
  const Time T_max[2] = {Time(add(T_writer, true)), Time(add(T_reader, false))};
  CompletionSimulation({{.order = SimulatedOrder::fixed_non_preemptive, .capacity = 1}}, jobs, random, between).run();
  std::vector<simulate::StageJobs> stages(2);
  std::vector<StageTimes> times{{.T_max = T_max[0], .E = {}, .F = {}, .outranks_next = true}, {.T_max = T_max[1], .E = {}, .F = {}}};
  for (const SimulatedJob& job : jobs) {
    const std::size_t stage = job.nodes.size() == 2 ? 0 : 1;
    const std::int64_t first = job.end.front() - job.nodes.front().pieces[0];
    stages[stage].push_back({Time(first), Time(job.end.back())});
    times[stage].F = std::max(times[stage].F, Time(job.end.back() - job.release));
  }
  return {simulate::chain_latencies_seen(stages), analysis::chain_latencies(times)};
}

}  // namespace

TEST_CASE("Law T13: a more urgent stage needs a processor that queues what is ready before it takes its next") {
  int taken_first = 0;
  int reached = 0;
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    CAPTURE(seed);
    const UrgentPair right = urgent_pair(seed, Between::queues_first);
    REQUIRE(right.seen.MRT);
    REQUIRE_FALSE(above(right.seen, right.bound));
    reached += static_cast<int>(*right.seen.MRT + Time(3) >= right.bound.MRT);
    const UrgentPair wrong = urgent_pair(seed, Between::takes_first);
    taken_first += static_cast<int>(above(wrong.seen, wrong.bound));
  }
  MESSAGE("taken first: above in ", taken_first, "; nearly reached in ", reached);
  CHECK(taken_first > 0);
  CHECK(reached > 0);
}
