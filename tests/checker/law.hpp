// What the laws of certificates share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "certified.hpp"
#include "rta/analysis/option_table.hpp"
#include "support/partitions.hpp"
#include "support/random_system.hpp"
#include "support/time_slices.hpp"

namespace rta::test {

struct Verified {
  std::uint64_t certificates = 0;
  std::uint64_t bounds = 0;
  std::map<std::string, std::uint64_t> by_theorem;
  std::string broken;  // the first system with a bound that is not verified

  [[nodiscard]] std::string text() const {
    std::string text = fmt::format("{} certificates, {} bounds", certificates, bounds);
    for (const auto& [theorem, count] : by_theorem) text += fmt::format(", {} {}", theorem, count);
    return text;
  }
};

/// Options as on the command line: what the system is analysed with. Their number has no factor 5: so each meets all kinds of random sets.
inline const std::vector<analysis::GivenOptions>& analyses() {
  static const std::vector<analysis::GivenOptions> all{{{"release", "offsets"}},
                                                       {{"release", "completion"}},
                                                       {{"release", "segments"}},
                                                       {{"release", "early"}},
                                                       {{"release", "offsets"}, {"refine", "none"}, {"gpu-bound", "T5"}},
                                                       {{"release", "offsets"}, {"refine", "demand"}, {"gpu-bound", "T6a"}},
                                                       {{"release", "offsets"}, {"refine", "carry"}},
                                                       {{"release", "offsets"}, {"cpu-bound", "published"}, {"gpu-bound", "T5"}},
                                                       {{"release", "offsets"}, {"cpu-bound", "T3"}},
                                                       {{"release", "offsets"}, {"cpu-bound", "T4"}},
                                                       {{"release", "completion"}, {"priorities", "node"}},
                                                       {{"release", "completion"}, {"fitting", "true"}},
                                                       {{"release", "completion"}, {"fitting", "true"}, {"priorities", "node"}},
                                                       {{"release", "completion"}, {"fitting", "true"}, {"scheduler", "FP"}},
                                                       {{"release", "segments"}, {"fitting", "true"}},
                                                       {{"granularity", "monolithic"}},
                                                       {{"granularity", "coarse"}}};
  return all;
}

inline bool has_preemptive_priorities(const TaskSet& set) {
  for (const Pool& pool : set.pools()) {
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu != nullptr && cpu->preemptive && has_priority_points(*cpu)) return true;
  }
  return false;
}

/// Groups need a CPU node each, and one pool and one priority.
inline bool can_be_grouped(const TaskSet& set, const analysis::GivenOptions& given) {
  try {
    static_cast<void>(analysis::analyze(std::make_shared<const TaskSet>(set), analysis::options_of(given)));
    return true;
  } catch (const UserError&) {
    return false;
  }
}

inline void verify(const Certified& made, const std::string& name, Verified& verified) {
  ++verified.certificates;
  for (const analysis::DagProof& dag : made.proof.dags) {
    for (const analysis::NodeProof& node : dag.nodes) {
      if (!node.bound) continue;
      ++verified.bounds;
      ++verified.by_theorem[std::string(to_string(node.bound->basis.theorem))];
    }
  }
  std::string why = first_refused(made.file, made.certificate.text);
  for (const std::string& bound : made.certificate.uncertified) why += "uncertified: " + bound;
  if (why.empty() || !verified.broken.empty()) return;
  verified.broken = fmt::format("{}: {}\n{}\n{}", name, why, made.file, made.certificate.text);
}

inline void verify(const TaskSet& set, const analysis::GivenOptions& given, const std::string& name, Verified& verified) {
  verify(certified(set, analysis::options_of(given)), name, verified);
}

/// Systems of all kinds whose periods divide one another.
inline TaskSet ordered_set(std::uint64_t seed) {
  const TaskSet drawn = random_system(seed, {.priorities = seed % 3 == 0});
  Dice dice(seed);
  std::int64_t longest = 1;
  for (const Dag& dag : drawn.dags()) longest = std::max(longest, dag.period().count());
  std::vector<Dag> dags;
  for (const Dag& dag : drawn.dags()) {
    const Time T(4 * longest / dice.pick(std::vector<std::int64_t>{1, 2, 4}));
    dags.emplace_back(dag.name(), T, dice.one_in(2) ? std::optional(T) : std::nullopt,
                      std::vector<Node>(dag.nodes().begin(), dag.nodes().end()), std::vector<Edge>(dag.edges().begin(), dag.edges().end()));
  }
  Chain chain;
  chain.name = "chain";
  for (DagId d = 0; d < dags.size(); ++d) chain.stages.push_back({d, std::nullopt});
  return {drawn.name(), std::vector<Pool>(drawn.pools().begin(), drawn.pools().end()), std::move(dags), {std::move(chain)}};
}

/// Kernels share GPUs in one of the ways.
inline static_order::CompileOptions order_options(std::uint64_t seed) {
  using static_order::GpuSharing;
  static_order::CompileOptions options;
  options.effort = seed % 4 == 0 ? 1 : 0;
  options.threads = 1;
  options.gpu = std::vector{GpuSharing::best, GpuSharing::weights, GpuSharing::streams, GpuSharing::one}.at(seed % 4);
  return options;
}

/// One system under a static order.
inline void verify_order(std::uint64_t seed, Verified& verified) {
  const TaskSet set = ordered_set(seed);
  if (!is_writable(set)) return;
  const static_order::CompileOptions options = order_options(seed);
  verify(certified(set, options), fmt::format("seed {} static, kernels {}", seed, to_string(options.gpu)), verified);
}

/// DAGs on processors and one FIFO queue, whose bounds often are T10v's.
inline TaskSet overlapping_set(std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Pool> pools;
  pools.push_back(
      {"cpu", CpuPool{static_cast<std::uint32_t>(dice.between(2, 5)), dice.pick(std::vector{Scheduler::g_edf, Scheduler::g_fl})}});
  pools.push_back({"worker", WorkerPool{static_cast<std::uint32_t>(dice.between(1, 2)), Time()}});
  std::vector<Dag> dags;
  const auto copies = static_cast<std::size_t>(dice.between(2, 4));
  for (std::size_t d = 0; d < copies; ++d) {
    std::vector<Node> nodes(static_cast<std::size_t>(dice.between(2, 6)));
    std::vector<Edge> edges;
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      nodes[v].name = fmt::format("n{}", v);
      const bool on_cpu = v == 0 || dice.one_in(2);
      nodes[v].pool = on_cpu ? 0 : 1;
      if (on_cpu) {
        nodes[v].demand = CpuDemand{Time(dice.between(4, 40))};
      } else {
        nodes[v].demand = WorkerDemand{static_cast<std::uint64_t>(dice.between(1, 3)), Time(dice.between(1, 8))};
      }
      for (std::size_t u = 0; u < v; ++u) {
        if (dice.one_in(3)) edges.push_back({u, v});
      }
    }
    dags.emplace_back(fmt::format("d{}", d), Time(dice.between(100, 400)), std::nullopt, std::move(nodes), std::move(edges));
  }
  return {"overlapping", std::move(pools), std::move(dags)};
}

/// Sporadic tasks on processors, near the load at which deadlines D <= T are missed; often bounded by T16 to T18.
inline TaskSet hard_set(std::uint64_t seed) {
  Dice dice(seed);
  const auto m = static_cast<std::uint32_t>(dice.between(1, 4));
  const auto scheduler = dice.pick(std::vector{Scheduler::g_edf, Scheduler::g_edf, Scheduler::g_fl, Scheduler::fp, Scheduler::fifo});
  CpuPool cpu{m, scheduler};
  if (scheduler == Scheduler::fp) cpu.equals = dice.one_in(2) ? Equals::fifo : Equals::any;
  const bool light = dice.one_in(2);
  const bool given = dice.one_in(2);
  double room = static_cast<double>(m) * static_cast<double>(dice.between(55, 100)) / 100;
  std::vector<Dag> dags;
  for (int i = 0; i < 12; ++i) {
    const std::int64_t T = dice.between(2, 60);
    const std::int64_t C = dice.between(i == 0 ? 1 : 0, light ? (T + 2) / 3 : T);
    room -= static_cast<double>(C) / static_cast<double>(T);
    if (room < 0 && i > 0) break;
    Node node;
    node.name = "v";
    node.demand = CpuDemand{Time(C), given ? std::optional(static_cast<FixedPriority>(dice.between(1, 6))) : std::nullopt};
    node.sequential = dice.one_in(2);
    dags.emplace_back(fmt::format("d{}", i), Time(T), Time(dice.one_in(2) ? T : dice.between(std::max<std::int64_t>(C, 1), T)),
                      std::vector{std::move(node)}, std::vector<Edge>{});
  }
  return {"hard", {{"cpu", cpu}}, std::move(dags)};
}

/// Wide DAGs on one pool of processors, whose bounds often are T10m's.
inline TaskSet wide_set(std::uint64_t seed) {
  Dice dice(seed);
  const auto m = static_cast<std::uint32_t>(dice.between(2, 4));
  const CpuPool cpu{m, dice.pick(std::vector{Scheduler::fifo, Scheduler::g_edf, Scheduler::fp})};
  std::vector<Dag> dags;
  const auto count = static_cast<std::size_t>(dice.between(1, 3));
  for (std::size_t d = 0; d < count; ++d) {
    std::vector<Node> nodes(static_cast<std::size_t>(dice.between(4, 9)));
    std::vector<Edge> edges;
    std::int64_t work = 0;
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      nodes[v].name = fmt::format("n{}", v);
      const std::int64_t C = dice.one_in(8) ? 0 : dice.between(1, 30);
      nodes[v].demand = CpuDemand{Time(C)};
      work += C;
      for (std::size_t w = 0; w < v; ++w) {
        if (dice.one_in(4)) edges.push_back({w, v});
      }
    }
    const Time T(work + dice.between(1, 3 * work + 10));
    dags.emplace_back(fmt::format("d{}", d), T, std::nullopt, std::move(nodes), std::move(edges));
  }
  return {"wide", {{"cpu", cpu}}, std::move(dags)};
}

/// DAGs that come back to loaded processors from another pool; their bounds often are T39's.
inline TaskSet loaded_set(std::uint64_t seed) {
  Dice dice(seed);
  const auto m = static_cast<std::uint32_t>(dice.between(1, 3));
  const std::int64_t percent = dice.between(70, 99);
  const auto count = static_cast<std::size_t>(dice.between(2, 4));
  std::vector<Dag> dags;
  for (std::size_t d = 0; d < count; ++d) {
    std::vector<Node> nodes(static_cast<std::size_t>(dice.between(2, 6)));
    std::vector<Edge> edges;
    std::int64_t work = 0;
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      nodes[v].name = fmt::format("n{}", v);
      nodes[v].pool = v % 2;
      const std::int64_t C = v % 2 == 0 ? dice.between(5, 40) : dice.between(0, 10);
      nodes[v].demand = CpuDemand{Time(C)};
      work += v % 2 == 0 ? C : 0;
      if (v > 0) edges.push_back({dice.one_in(4) ? static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(v) - 1)) : v - 1, v});
    }
    const Time T(work * static_cast<std::int64_t>(count) * 100 / (static_cast<std::int64_t>(m) * percent) + 1);
    dags.emplace_back(fmt::format("d{}", d), T, std::nullopt, std::move(nodes), std::move(edges));
  }
  return {"loaded", {{"cpu", CpuPool{m, Scheduler::g_edf}}, {"q", CpuPool{8, Scheduler::fifo}}}, std::move(dags)};
}

/// The same periods of nominal releases, some of which are followed late.
inline TaskSet with_late_releases(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    DagAttributes attributes = dag.attributes();
    if (!dice.one_in(3)) attributes.jitter = Time(dice.between(0, dag.period().count() - 1));
    dags.emplace_back(dag.name(), dag.period() - attributes.jitter, dag.deadline(),
                      std::vector<Node>(dag.nodes().begin(), dag.nodes().end()), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      attributes);
  }
  return {set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags)};
}

/// A random system, some of whose CPU pools are under fixed priorities, with chains and groups; in some releases are late, or processes
/// share GPUs by time slices, or GPUs are cut into partitions.
inline TaskSet random_set(std::uint64_t seed) {
  if (seed % 5 == 1) return overlapping_set(seed);
  if (seed % 10 == 9) return hard_set(seed);
  const bool late = seed % 5 == 2;
  const bool sliced = seed % 5 == 3;
  const TaskSet plain = random_system(seed, {.priorities = !sliced, .non_preemptive = seed % 2 == 0});
  const TaskSet drawn = sliced ? with_slices(plain, seed, false) : seed % 5 == 4 ? with_partitions(plain, seed) : plain;
  Dice dice(seed);
  std::vector<Pool> pools(drawn.pools().begin(), drawn.pools().end());
  std::vector<bool> given(pools.size(), false);
  for (std::size_t p = 0; p < pools.size(); ++p) {
    auto* cpu = std::get_if<CpuPool>(&pools[p].resource);
    if (cpu == nullptr || !dice.one_in(3)) continue;
    cpu->scheduler = Scheduler::fp;
    cpu->equals = dice.one_in(2) ? Equals::fifo : Equals::any;
    given[p] = dice.one_in(2);
  }
  std::vector<Dag> dags;
  for (const Dag& dag : drawn.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      auto* cpu = std::get_if<CpuDemand>(&node.demand);
      if (cpu != nullptr && given[node.pool]) cpu->priority = static_cast<FixedPriority>(dice.between(1, 4));
      if (dice.one_in(2)) node.group = dice.one_in(2) ? "one" : "two";
    }
    DagAttributes attributes = dag.attributes();
    if (late && dice.one_in(2)) attributes.jitter = Time(dice.between(1, 2 * dag.period().count()));
    if (dice.one_in(4)) attributes.T_max = dag.period() + attributes.jitter + Time(dice.between(0, 20));
    if (dice.one_in(2)) attributes.phase = Time(dice.between(0, dag.period().count() - 1));
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      attributes);
  }
  Chain chain;
  chain.name = "chain";
  for (DagId d = 0; d < dags.size(); ++d) {
    const auto n = static_cast<std::int64_t>(dags[d].nodes().size());
    chain.stages.push_back({d, dice.one_in(2) ? std::optional(static_cast<NodeId>(dice.between(0, n - 1))) : std::nullopt});
  }
  if (dice.one_in(4)) chain.communication = Communication::let;
  if (dice.one_in(2)) chain.age = Time(dice.between(1, 500));
  if (dice.one_in(2)) chain.reaction = Time(dice.between(1, 500));
  return {drawn.name(), std::move(pools), std::move(dags), {std::move(chain)}};
}

/// The same with all times longer, and periods that are whole us without much in common.
inline TaskSet in_microseconds(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  const std::int64_t unit =
      dice.pick(std::vector<std::int64_t>{1'000, 40'000, 1'000'000, 1'000'000'000}) * dice.between(1, 3) + (dice.one_in(2) ? 0 : 7);
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (Pool& pool : pools) {
    if (auto* gpu = std::get_if<GpuPool>(&pool.resource); gpu != nullptr && gpu->sharing) {
      gpu->sharing->slice = gpu->sharing->slice * unit;
      gpu->sharing->switch_time = gpu->sharing->switch_time * unit;
    }
    if (auto* workers = std::get_if<WorkerPool>(&pool.resource)) workers->dispatch_overhead = workers->dispatch_overhead * unit;
  }
  const auto longer = [&](Node& node) {
    if (node.deadline) node.deadline = *node.deadline * unit;
    std::visit(
        [&](auto& demand) {
          if constexpr (requires { demand.C; }) demand.C = demand.C * unit;
          if constexpr (requires { demand.L; }) demand.L = demand.L * unit;
        },
        node.demand);
    auto* kernel = std::get_if<GpuDemand>(&node.demand);
    if (kernel != nullptr) kernel->L = to_time(ceil_div(kernel->C.count(), kernel->H));
  };
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    std::ranges::for_each(nodes, longer);
    const std::int64_t T = dag.period().count() * unit;
    DagAttributes of = dag.attributes();
    of.jitter = of.jitter * unit;
    if (of.phase) of.phase = *of.phase * unit;
    const Time period(T + 1'000 - T % 1'000 + 1'000 * dice.between(0, T / 20'000));
    if (of.T_max) of.T_max = period + of.jitter + Time(dice.between(0, T));
    dags.emplace_back(dag.name(), period, dag.deadline() ? std::optional(*dag.deadline() * unit) : std::nullopt, std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), of);
  }
  std::vector<Chain> chains(set.chains().begin(), set.chains().end());
  for (Chain& chain : chains) {
    if (chain.age) chain.age = *chain.age * unit;
    if (chain.reaction) chain.reaction = *chain.reaction * unit;
  }
  return {set.name(), std::move(pools), std::move(dags), std::move(chains)};
}

/// One system with times of the real world, by one of the analyses.
inline void verify_in_microseconds(std::uint64_t seed, Verified& verified) {
  const TaskSet set = in_microseconds(random_set(seed), seed);
  if (!is_writable(set)) return;
  const auto& given = analyses()[seed % analyses().size()];
  if (given.front().first == "granularity" && !can_be_grouped(set, given)) return;
  if (given.back().second == "node" && !has_preemptive_priorities(set)) return;
  verify(set, given, fmt::format("seed {} in us, analysis {}", seed, seed % analyses().size()), verified);
}

/// One system, by three of the analyses.
inline void verify(std::uint64_t seed, Verified& verified) {
  const TaskSet set = random_set(seed);
  if (!is_writable(set)) return;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const auto& given = analyses()[(seed + i * 5) % analyses().size()];
    if (given.front().first == "granularity" && !can_be_grouped(set, given)) continue;
    if (given.back().second == "node" && !has_preemptive_priorities(set)) continue;
    std::string name = fmt::format("seed {}", seed);
    for (const auto& [option, value] : given) name += fmt::format(" --{} {}", option, value);
    verify(set, given, name, verified);
  }
}

}  // namespace rta::test
