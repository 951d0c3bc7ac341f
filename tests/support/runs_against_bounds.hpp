// Random simulated runs beside the bounds that should hold for them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/compare/comparison.hpp"
#include "rta/model/time_slices.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/random_system.hpp"

namespace rta::test {

/// How often bounds existed and were compared: a test that compares nothing must fail.
struct Compared {
  std::uint64_t systems = 0;
  std::uint64_t nodes = 0;
  std::uint64_t tight = 0;                     // nodes that came within 1 % of their bound
  std::map<std::string, std::uint64_t> bound;  // nodes of these systems by their theorem; sequential ones that it allows for by T3s as well

  void add(std::string_view theorem, const Node& node) {
    ++bound[std::string(theorem)];
    if (node.sequential && theorem != "T3" && theorem != "T4") ++bound["T3s"];
  }

  /// Every node by its own theorem.
  void add(const analysis::Proof& proof) {
    for (DagId d = 0; d < proof.dags.size(); ++d) {
      const Dag& dag = proof.task_set->dags()[d];
      for (NodeId v = 0; v < dag.nodes().size(); ++v) add(to_string(proof.dags[d].nodes[v].bound->basis.theorem), dag.nodes()[v]);
    }
  }
};

inline simulate::Options random_options(Dice& dice, const TaskSet& set) {
  simulate::Options o;
  std::int64_t T = 1;
  for (const Dag& dag : set.dags()) T = std::max(T, dag.period().count());
  o.duration = Time(dice.between(2, 40) * T);
  o.seed = static_cast<std::uint64_t>(dice.between(1, 1'000'000));
  o.releases.random_phases = dice.one_in(2);
  if (dice.one_in(3)) o.releases.jitter = 500'000;
  if (dice.one_in(2)) o.execution = {dice.one_in(2) ? simulate::PartsPerMillion{0} : 700'000, simulate::whole};
  if (dice.one_in(8)) o.execution = {500'000, 500'000};
  const std::vector<simulate::Placement> placements{simulate::Placement::most_free, simulate::Placement::least_free,
                                                    simulate::Placement::first_fit, simulate::Placement::round_robin,
                                                    simulate::Placement::random};
  o.placement = dice.pick(placements);
  o.ties = dice.one_in(2) ? simulate::Ties::random : simulate::Ties::in_order;
  o.copy_rules = dice.one_in(2) ? simulate::CopyRules::yang2020 : simulate::CopyRules::amert2017;
  if (first_gpu_with_slices(set)) o.slices = dice.one_in(2) ? simulate::SliceOrder::worst : simulate::SliceOrder::round_robin;
  return o;
}

inline std::string in_words(const simulate::Options& o) {
  return fmt::format(
      "duration {} ns, seed {}, random phases {}, jitter {} ppm, execution {}..{} ppm, placement {}, ties {}, copies {}, slices {}",
      o.duration.count(), o.seed, o.releases.random_phases, o.releases.jitter, o.execution.least, o.execution.most, to_string(o.placement),
      to_string(o.ties), to_string(o.copy_rules), to_string(o.slices));
}

/// The command that repeats a run of what `rta simulate` can be asked for, on the task set as a file.
inline std::string simulate_command(const simulate::Options& o, const analysis::GivenOptions& how) {
  const auto percent = [](simulate::PartsPerMillion ppm) { return ppm / 10'000; };
  std::string analysis;
  for (const auto& [name, value] : how) {
    analysis += " --" + name + (analysis::find_option(name)->is_flag() ? std::string() : " " + value);
  }
  return fmt::format(
      "\nrta simulate FILE{} --duration {}ns --seed {}{} --jitter {} --execution {}-{} --placement {} --ties {} "
      "--copy-rules {} --slices {} --verbose",
      analysis, o.duration.count(), o.seed, o.releases.random_phases ? " --random-phases" : "", percent(o.releases.jitter),
      percent(o.execution.least), percent(o.execution.most), to_string(o.placement), to_string(o.ties), to_string(o.copy_rules),
      to_string(o.slices));
}

using Bounds = std::vector<std::vector<std::optional<Time>>>;  // per DAG and node

/// What was seen above its bound, if anything.
inline std::optional<std::string> above(const TaskSet& set, const Bounds& R, const std::vector<std::optional<Time>>& end_to_end,
                                        const simulate::Observation& seen, Compared& compared) {
  if (seen.ending != simulate::Ending::complete) return fmt::format("the simulation ended early: {}", to_string(seen.ending));
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const auto& dag = seen.dags[d];
    for (NodeId v = 0; v < dag.nodes.size(); ++v) {
      if (!R[d][v] || dag.nodes[v].count() == 0) continue;
      ++compared.nodes;
      compared.tight += static_cast<std::uint64_t>(dag.nodes[v].max() * 100 >= *R[d][v] * 99);
      if (dag.nodes[v].max() > *R[d][v]) {
        return fmt::format("node {}/{}: observed {} ns (job {}), bound {} ns", set.dags()[d].name(), set.dags()[d].nodes()[v].name,
                           dag.nodes[v].max().count(), dag.nodes[v].worst_job(), R[d][v]->count());
      }
    }
    if (end_to_end[d] && dag.response.count() > 0 && dag.response.max() > *end_to_end[d]) {
      return fmt::format("DAG {}: observed {} ns (job {}), bound {} ns", set.dags()[d].name(), dag.response.max().count(),
                         dag.response.worst_job(), end_to_end[d]->count());
    }
  }
  return std::nullopt;
}

/// Three random runs of what was proven, as any command plays it.
inline std::optional<std::string> broken_in_proof(Dice& dice, const analysis::Proof& proof, const analysis::GivenOptions& how,
                                                  Compared& compared) {
  const TaskSet& set = *proof.task_set;
  const Schedule schedule = schedule_of(proof);
  const compare::Bounds bounds = compare::bounds_of(proof);
  ++compared.systems;
  compared.add(proof);
  for (int run = 0; run < 3; ++run) {
    const simulate::Options options = random_options(dice, set);
    const auto seen = simulate::simulate(set, schedule, options);
    auto what = above(set, bounds.node, bounds.dag, seen, compared);
    if (!what && seen.late_releases > 0) what = fmt::format("{} nodes were not ready at their offset", seen.late_releases);
    if (what) return fmt::format("{}; {}; {}{}", *what, to_string(proof.release), in_words(options), simulate_command(options, how));
  }
  return std::nullopt;
}

/// Three random runs; what was above its bound, by the theorem `how`.
inline std::optional<std::string> broken_in_runs(Dice& dice, const TaskSet& set, const Schedule& schedule, const Bounds& R,
                                                 const std::vector<std::optional<Time>>& end_to_end, const std::vector<Time>& Y,
                                                 const std::string& how, Compared& compared) {
  ++compared.systems;
  for (const Dag& dag : set.dags()) {
    for (const Node& node : dag.nodes()) compared.add(how, node);
  }
  for (int run = 0; run < 3; ++run) {
    const simulate::Options options = random_options(dice, set);
    const auto seen = simulate::simulate(set, schedule, options);
    auto what = above(set, R, end_to_end, seen, compared);
    if (!what && seen.late_releases > 0) what = fmt::format("{} nodes were not ready at their offset", seen.late_releases);
    if (!what) continue;
    std::string points;
    for (const Time y : Y) points += fmt::format(" {}", y.count());
    return fmt::format("{}; {}, Y ={}; {}", *what, how, points, in_words(options));
  }
  return std::nullopt;
}

}  // namespace rta::test
