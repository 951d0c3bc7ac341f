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
#include "support/random_system.hpp"

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

/// Options as on the command line: what the system is analysed with.
inline const std::vector<analysis::GivenOptions>& analyses() {
  static const std::vector<analysis::GivenOptions> all{{{"release", "offsets"}},
                                                       {{"release", "completion"}},
                                                       {{"release", "segments"}},
                                                       {{"release", "early"}},
                                                       {{"release", "offsets"}, {"refine", "none"}, {"gpu-bound", "T5"}},
                                                       {{"release", "offsets"}, {"refine", "demand"}, {"gpu-bound", "T6a"}},
                                                       {{"release", "offsets"}, {"refine", "carry"}},
                                                       {{"release", "offsets"}, {"cpu-bound", "T3"}},
                                                       {{"release", "offsets"}, {"cpu-bound", "T4"}},
                                                       {{"release", "completion"}, {"priorities", "node"}},
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

inline void verify(const TaskSet& set, const analysis::GivenOptions& given, const std::string& name, Verified& verified) {
  const Certified made = certified(set, analysis::options_of(given));
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

/// A random system, some of whose CPU pools are under fixed priorities, with chains and groups.
inline TaskSet random_set(std::uint64_t seed) {
  if (seed % 5 == 1) return overlapping_set(seed);
  const TaskSet drawn = random_system(seed, {.non_preemptive = seed % 2 == 0});
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
    if (dice.one_in(4)) attributes.T_max = dag.period() + Time(dice.between(0, 20));
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

/// One system, by three of the analyses.
inline void verify(std::uint64_t seed, Verified& verified) {
  const TaskSet set = random_set(seed);
  if (!is_writable(set)) return;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const auto& given = analyses()[(seed + i * 7) % analyses().size()];
    if (given.front().first == "granularity" && !can_be_grouped(set, given)) continue;
    if (given.back().second == "node" && !has_preemptive_priorities(set)) continue;
    std::string name = fmt::format("seed {}", seed);
    for (const auto& [option, value] : given) name += fmt::format(" --{} {}", option, value);
    verify(set, given, name, verified);
  }
}

}  // namespace rta::test
