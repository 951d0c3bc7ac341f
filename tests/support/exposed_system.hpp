// Kernels on SMs of their own beside others that come and go: sets whose bounds are C2's, and wrong variants of it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/company/exposure.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/kernel_time.hpp"
#include "support/slowed_played.hpp"

namespace rta::test {

/// Long kernels on a partition of one SM, others on a second one, or on two; where one in three has `same-sm`, two blocks share an SM.
inline std::shared_ptr<const TaskSet> exposed_set(std::uint64_t seed) {
  Dice dice(seed);
  const auto row = [&] {
    std::string text;
    for (int c = 0; c < 3; ++c)
      text += fmt::format("{}{}", c == 0 ? "[" : ", ", dice.one_in(4) ? 0.0 : static_cast<double>(dice.between(1, 30)) / 10);
    return text + "]";
  };
  const auto matrix = [&] { return fmt::format("{{x: {}, y: {}, z: {}}}", row(), row(), row()); };
  const std::int64_t sms = dice.between(2, 3);
  const bool shared = dice.one_in(3);
  std::string text =
      fmt::format("platform: {{gpu: {{sms: {}, threads: 64, interference: {{classes: [x, y, z], combine: {}, other-sm: {}{}}}", sms,
                  dice.one_in(3) ? "max" : "sum", matrix(), shared ? ", same-sm: " + matrix() : std::string());
  const bool partitions = !dice.one_in(4);
  if (partitions) text += fmt::format(", partitions: {{p: {{sms: 1, kind: green}}, q: {{sms: {}, kind: green}}}}", sms - 1);
  text += "}}\ndags:\n";
  const auto kernel = [&](const std::string& name, const std::string& pool, std::int64_t most_blocks, std::int64_t least,
                          std::int64_t most) {
    const std::string of_class = dice.one_in(8) ? std::string() : std::string(", class: ") + "xyz"[dice.between(0, 2)];
    return fmt::format("{}: {{on: {}, B: {}, H: {}, L: {{alone: {} ns}}{}}}", name, partitions ? "gpu/" + pool : "gpu",
                       dice.between(1, most_blocks), shared ? 32 : 64, dice.between(least, most), of_class);
  };
  const auto victims = dice.one_in(3) ? 2 : 1;
  for (int d = 0; d < victims; ++d) {
    text += fmt::format("  - {{name: long{}, T: {} ns, nodes: {{{}}}}}\n", d, dice.between(150'000, 400'000),
                        kernel("k", "p", dice.one_in(3) ? 2 : 1, 5'000, 20'000));
  }
  const auto others = dice.between(1, 2);
  for (std::int64_t d = 0; d < others; ++d) {
    const auto count = dice.between(1, 2);
    std::string nodes = kernel("k0", "q", 2, 1'000, 8'000);
    if (count == 2) nodes += ", " + kernel("k1", "q", 2, 1'000, 8'000);
    text += fmt::format("  - {{name: short{}, T: {} ns, nodes: {{{}}}{}}}\n", d, dice.between(30'000, 150'000), nodes,
                        count == 2 && !dice.one_in(4) ? ", edges: [k0 -> k1]" : "");
  }
  return std::make_shared<const TaskSet>(io::parse_task_set(text, "exposed.yaml").task_set);
}

/// How many kernels C2 shows to be shorter than C1.
inline std::size_t shorter_by_time(const analysis::Proof& proof) {
  if (!proof.company || !proof.company->by_pairs) return 0;
  const auto with = analysis::block_times(*proof.task_set);
  const auto pairs = analysis::block_times(*proof.company->by_pairs);
  std::size_t count = 0;
  for (DagId d = 0; d < with.size(); ++d) {
    for (NodeId v = 0; v < with[d].size(); ++v) count += with[d][v] < pairs[d][v] ? 1 : 0;
  }
  return count;
}

/// What is left out of C2.
enum class Wrong : std::uint8_t { nothing, durations_alone, one_job_less, unproven_windows, places_of_their_own, own_entry_alone };

/// Bounds with every class there for a time, where that is less than C1, by a formula of its own.
inline analysis::Proof by_exposure(const std::shared_ptr<const TaskSet>& set, Wrong wrong) {
  const analysis::Proof proof = bounds_of(set);
  const auto pairs = analysis::with_company(*set, proof.company->lasting);
  const auto stays = analysis::stays_of(wrong == Wrong::unproven_windows ? bounds_of(with_matrices(*set, 0, 1)) : proof);
  PerNode<Time> lengths = analysis::block_times(*set);
  const PerNode<Time> alone = lengths;
  const PerNode<Time> most = analysis::block_times(*pairs);
  const auto exposed = [&](DagId d, NodeId v) -> Time {
    const Node& node = set->dags()[d].nodes()[v];
    const auto& victim = std::get<GpuDemand>(node.demand);
    const auto& gpu = std::get<GpuPool>(set->pools()[node.pool].resource);
    const auto entry = [&](const Matrix& matrix, std::optional<std::uint32_t> of) {
      Lengthening largest = 0;
      for (std::size_t r = 0; r < matrix.size(); ++r) {
        for (std::size_t c = 0; c < matrix[r].size(); ++c) {
          if (victim.interference_class.value_or(r) == r && of.value_or(c) == c) largest = std::max(largest, matrix[r][c]);
        }
      }
      return largest;
    };
    Wide L = victim.L.count();
    for (const analysis::Met& met : analysis::company_of(*set, proof.company->lasting, d, v)) {
      const auto& stay = stays[met.dag][met.node];
      if (!stay) return most[d][v];
      const auto& other = std::get<GpuDemand>(set->dags()[met.dag].nodes()[met.node].demand);
      const Wide F = (stay->until - stay->from).count();
      Wide jobs = ceil_div(F + lengths[d][v].count(), set->dags()[met.dag].period().count());
      if (met.dag == d && met.node == v) --jobs;
      if (wrong == Wrong::one_job_less) jobs = std::max<Wide>(1, jobs - 1);
      Wide pieces = static_cast<std::int64_t>(other.B);
      if (wrong == Wrong::places_of_their_own)
        pieces = ceil_div(pieces, places(other, std::get<GpuPool>(set->pools()[set->dags()[met.dag].nodes()[met.node].pool].resource)));
      const Wide each = (wrong == Wrong::durations_alone ? alone : lengths)[met.dag][met.node].count() * pieces;
      Wide b = entry(gpu.interference->other_sm, other.interference_class);
      if (met.same_pool && wrong != Wrong::own_entry_alone) b += entry(gpu.interference->same_sm, other.interference_class);
      L += ceil_div(b * jobs * std::min(F, each), whole_time + b);
    }
    return Time(static_cast<std::int64_t>(std::min<Wide>(L, most[d][v].count())));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (DagId d = 0; d < lengths.size(); ++d) {
      for (NodeId v = 0; v < lengths[d].size(); ++v) {
        const Time L = exposed(d, v);
        changed = changed || L > lengths[d][v];
        lengths[d][v] = std::max(L, lengths[d][v]);
      }
    }
  }
  std::vector<Dag> dags;
  for (DagId d = 0; d < lengths.size(); ++d) {
    const Dag& dag = pairs->dags()[d];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (NodeId v = 0; v < nodes.size(); ++v) {
      auto& kernel = std::get<GpuDemand>(nodes[v].demand);
      kernel.L = lengths[d][v];
      kernel.C = Workload(Wide{kernel.L.count()} * kernel.H);
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()));
  }
  return bounds_of(
      std::make_shared<const TaskSet>(set->name(), std::vector<Pool>(set->pools().begin(), set->pools().end()), std::move(dags)));
}

}  // namespace rta::test
