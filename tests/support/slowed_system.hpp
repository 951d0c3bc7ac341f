// Kernels that slow one another down, measured alone: random sets, their bounds by C1, and wrong variants of it, which schedules exceed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/company.hpp"
#include "support/random_system.hpp"

namespace rta::test {

inline constexpr std::size_t class_count = 3;
using Matrix = std::vector<std::vector<Lengthening>>;

/// A task set whose kernels were measured alone, and of what class each is, known to the analysis or not.
struct SlowedSystem {
  std::shared_ptr<const TaskSet> set;
  PerNode<std::size_t> of_class;
  std::size_t slots = 1;  // blocks on an SM
};

inline Matrix random_matrix(Dice& dice) {
  Matrix matrix(class_count, std::vector<Lengthening>(class_count));
  for (auto& row : matrix) {
    for (Lengthening& one : row) one = dice.one_in(3) ? 0 : dice.between(0, 200) * (whole_time / 100);
  }
  return matrix;
}

inline SlowedSystem slowed_system(std::uint64_t seed) {
  Dice dice(seed);
  SlowedSystem system;
  system.slots = dice.one_in(3) ? 2 : 1;
  GpuPool gpu;
  gpu.sms = static_cast<std::uint32_t>(dice.between(1, 3));
  gpu.sm.threads = 64;
  gpu.sm.threads_per_block = 64;
  Interference& interference = gpu.interference.emplace();
  interference.classes = {"a", "b", "c"};
  interference.other_sm = random_matrix(dice);
  if (system.slots == 2) interference.same_sm = random_matrix(dice);
  interference.combine = dice.one_in(3) ? Combine::max : Combine::sum;
  std::vector<Dag> dags;
  const auto count = static_cast<std::size_t>(dice.between(1, 3));
  for (std::size_t d = 0; d < count; ++d) {
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::int64_t work = 0;
    auto& classes = system.of_class.emplace_back();
    const auto kernels = static_cast<std::size_t>(dice.between(1, 4));
    for (std::size_t v = 0; v < kernels; ++v) {
      const Time L(dice.between(1'000, 10'000));
      GpuDemand kernel;
      kernel.B = static_cast<std::uint64_t>(dice.between(1, gpu.sms + 1));
      kernel.H = 64 / static_cast<std::uint32_t>(system.slots);
      kernel.L = L;
      kernel.C = Workload(Wide{L.count()} * kernel.H);
      kernel.alone = true;
      classes.push_back(static_cast<std::size_t>(dice.between(0, class_count - 1)));
      if (!dice.one_in(8)) kernel.interference_class = static_cast<std::uint32_t>(classes.back());
      work += L.count() * static_cast<std::int64_t>(kernel.B);
      Node node;
      node.name = fmt::format("k{}", v);
      node.demand = kernel;
      nodes.push_back(node);
      if (v > 0 && !dice.one_in(4))
        edges.push_back({dice.one_in(4) ? static_cast<NodeId>(dice.between(0, static_cast<int>(v) - 1)) : v - 1, v, false});
    }
    const std::int64_t T = std::max<std::int64_t>(1, work * dice.between(15, 80) * static_cast<std::int64_t>(count) / (10 * gpu.sms));
    dags.emplace_back(fmt::format("d{}", d), Time(T), std::nullopt, std::move(nodes), std::move(edges));
  }
  system.set = std::make_shared<const TaskSet>("slowed", std::vector<Pool>{{"gpu", gpu}}, std::move(dags));
  return system;
}

inline analysis::Proof bounds_of(const std::shared_ptr<const TaskSet>& set, Release release = Release::completion) {
  analysis::Options options;
  options.release = release;
  return analysis::analyze(set, options).proof;
}

inline std::shared_ptr<const TaskSet> with_matrices(const TaskSet& set, Lengthening numerator, Lengthening denominator) {
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (Pool& pool : pools) {
    Interference& of = *std::get<GpuPool>(pool.resource).interference;
    for (Matrix* matrix : {&of.other_sm, &of.same_sm}) {
      for (auto& row : *matrix) {
        for (Lengthening& one : row) one = one * numerator / denominator;
      }
    }
  }
  return std::make_shared<const TaskSet>(set.name(), std::move(pools), std::vector<Dag>(set.dags().begin(), set.dags().end()));
}

inline analysis::Lasting none_last(const TaskSet& set) {
  analysis::Lasting none;
  for (const Dag& dag : set.dags()) none.emplace_back(dag.nodes().size(), false);
  return none;
}

/// No kernel is company of another job of its DAG.
inline analysis::Proof within_jobs_only(const SlowedSystem& system) {
  return bounds_of(analysis::with_company(*system.set, none_last(*system.set)));
}

/// The windows of bounds without company, taken for proven.
inline analysis::Proof by_unproven_windows(const SlowedSystem& system) {
  const auto without = bounds_of(with_matrices(*system.set, 0, 1));
  analysis::Lasting lasting = none_last(*system.set);
  for (DagId d = 0; d < lasting.size(); ++d) {
    for (NodeId v = 0; v < lasting[d].size(); ++v) {
      const auto& bound = without.dags[d].nodes[v].bound;
      lasting[d][v] = !bound || bound->R > system.set->dags()[d].period();
    }
  }
  return bounds_of(analysis::with_company(*system.set, lasting));
}

inline analysis::Proof half_a_factor(const SlowedSystem& system) { return bounds_of(with_matrices(*system.set, 1, 2)); }

inline analysis::Proof of_other_dags_only(const SlowedSystem& system) {
  std::vector<Dag> dags;
  for (const Dag& dag : system.set->dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    std::vector<Edge> chain;
    for (NodeId v = 1; v < nodes.size(); ++v) chain.push_back({v - 1, v, false});  // all are ordered
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::move(chain));
  }
  const TaskSet ordered(system.set->name(), {system.set->pools().begin(), system.set->pools().end()}, std::move(dags));
  const auto company = analysis::with_company(ordered, none_last(ordered));
  std::vector<Dag> with;
  for (DagId d = 0; d < company->dags().size(); ++d) {
    const Dag& dag = system.set->dags()[d];
    const auto nodes = company->dags()[d].nodes();
    with.emplace_back(dag.name(), dag.period(), dag.deadline(), std::vector<Node>(nodes.begin(), nodes.end()),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()));
  }
  return bounds_of(std::make_shared<const TaskSet>(company->name(), std::vector<Pool>(company->pools().begin(), company->pools().end()),
                                                   std::move(with)));
}

/// Bounds that leave out some company; each is to be caught.
struct WrongVariant {
  const char* what;
  analysis::Proof (*bounds)(const SlowedSystem&);
  bool caught;
};
inline constexpr std::array<WrongVariant, 4> wrong_company{{{"between jobs of one DAG", within_jobs_only, false},
                                                            {"pairs from unproven windows", by_unproven_windows, false},
                                                            {"half a factor", half_a_factor, false},
                                                            {"kernels of one job side by side", of_other_dags_only, false}}};

}  // namespace rta::test
