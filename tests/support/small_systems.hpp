// Systems small enough to know their exact worst case, and how far bounds are from it.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"
#include "support/exact_worst_case.hpp"

namespace rta::test {

/// One unit is so many ns, so that divisions by one and two processors stay exact.
inline constexpr std::int64_t unit = 12;

enum class SmallKind : std::uint8_t { fifo, gel, gel_and_fifo, non_preemptive, fixed };

struct SmallSystem {
  analysis::path::System system;
  std::vector<ExactPool> pools;
  std::vector<ExactDag> dags;
};

class SmallSystems {
 public:
  SmallSystems(std::uint64_t seed, SmallKind kind) : random_(seed), kind_(kind) {}

  /// Two or three DAGs of one to three nodes of one to three units on one or two pools of one or two processors.
  SmallSystem next() {
    SmallSystem s;
    const std::size_t pools = kind_ == SmallKind::gel_and_fifo ? 2 : kind_ == SmallKind::fifo ? 1 + below(2) : 1;
    for (std::size_t p = 0; p < pools; ++p) add_pool(s, p);
    const std::size_t dags = 2 + (below(3) == 0 ? 1 : 0);
    for (std::size_t d = 0; d < dags; ++d) add_dag(s, d, dags == 2 ? 3 : 2);
    return s;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  void add_pool(SmallSystem& s, std::size_t p) {
    using analysis::path::Order;
    analysis::path::Pool pool;
    pool.name = "p" + std::to_string(p);
    pool.capacity = static_cast<std::uint32_t>(1 + below(2));
    ExactPool exact{ExactOrder::fifo, pool.capacity};
    if (kind_ == SmallKind::gel || (kind_ == SmallKind::gel_and_fifo && p == 0)) {
      pool.order = Order::gel;
      exact.order = ExactOrder::gel;
    } else if (kind_ == SmallKind::non_preemptive) {
      pool.order = Order::gel_non_preemptive;
      exact.order = ExactOrder::gel_non_preemptive;
    } else if (kind_ == SmallKind::fixed) {
      pool.order = Order::fixed;
      pool.equals_any = true;
      exact.order = ExactOrder::fixed;
    }
    s.system.pools.push_back(pool);
    s.pools.push_back(exact);
  }

  void add_dag(SmallSystem& s, std::size_t d, std::size_t most_nodes) {
    analysis::path::Dag dag;
    ExactDag exact;
    dag.name = "d" + std::to_string(d);
    const std::size_t n = 1 + below(most_nodes);
    const auto priority = static_cast<std::uint32_t>(below(3));
    int work = 0;
    for (std::size_t v = 0; v < n; ++v) {
      ExactNode node{below(s.pools.size()), static_cast<int>(1 + below(3)), {}, static_cast<int>(priority)};
      if (v > 0 && below(4) > 0) node.before.push_back(v - 1);
      if (v == 2 && node.before.empty() && below(2) == 0) node.before.push_back(0);
      analysis::path::Node counted;
      counted.pool = node.pool;
      counted.e = Time(node.C * unit);
      counted.s = counted.vol = counted.e.count();
      counted.priority = priority;
      dag.nodes.push_back(counted);
      for (const std::size_t w : node.before) dag.edges.push_back({w, v});
      work += node.C;
      exact.nodes.push_back(std::move(node));
    }
    exact.T = work + 1 + static_cast<int>(below(10));
    exact.Y = static_cast<int>(below(static_cast<std::size_t>(exact.T) + 1));
    dag.T = Time(exact.T * unit);
    dag.Y = Time(exact.Y * unit);
    s.system.dags.push_back(std::move(dag));
    s.dags.push_back(std::move(exact));
  }

  std::mt19937_64 random_;
  SmallKind kind_;
};

/// Theorems that are measured beside each other: each line has what those before it have.
struct MeasuredTheorems {
  std::string name;
  std::optional<analysis::path::Refinement> refinement;  // none: T10
  std::vector<double> ratios = {};                       // system -> mean over its DAGs of bound / exact
};

inline std::vector<MeasuredTheorems> measured_theorems(SmallKind kind) {
  using analysis::path::Refinement;
  if (kind == SmallKind::fixed) return {{"T11", Refinement::T10n}, {"T11j", Refinement::T10g}, {"T10p, T10w", Refinement::T10w}};
  std::vector<MeasuredTheorems> all{{"T10", {}}, {"T10n", Refinement::T10n}, {"T10a, T10v", Refinement::T10v}};
  if (kind == SmallKind::non_preemptive) return all;
  if (kind != SmallKind::gel) all.push_back({"T10j", Refinement::T10j});
  if (kind != SmallKind::fifo) all.push_back({"T10c, T10g", Refinement::T10g});
  all.push_back({"T10p, T10w", Refinement::T10w});
  return all;
}

/// Of every system whose exact worst case was found: no bound is below it, and how far above.
class Distances {
 public:
  explicit Distances(SmallKind kind) : kind_(kind), theorems_(measured_theorems(kind)) {}

  void measure(std::uint64_t seed, std::size_t most_states) {
    CAPTURE(seed);
    const SmallSystem s = SmallSystems(seed, kind_).next();
    std::vector<std::optional<analysis::path::NodeBounds>> bounds;
    for (const MeasuredTheorems& of : theorems_) bounds.push_back(bounds_of(s.system, of.refinement));
    if (!bounds.back()) return;
    const auto exact = ExactWorstCase(s.pools, s.dags).latest(most_states);
    if (!exact) return;
    ++systems_;
    for (std::size_t i = 0; i < theorems_.size(); ++i) {
      if (!bounds[i]) continue;
      CAPTURE(theorems_[i].name);
      double sum = 0;
      for (std::size_t d = 0; d < exact->size(); ++d) {
        const int latest = *std::ranges::max_element((*exact)[d]);
        for (std::size_t v = 0; v < bounds[i]->F[d].size(); ++v) REQUIRE(bounds[i]->F[d][v].count() >= (*exact)[d][v] * unit);
        REQUIRE(bounds[i]->R[d].count() >= latest * unit);
        sum += static_cast<double>(bounds[i]->R[d].count()) / static_cast<double>(latest * unit);
      }
      theorems_[i].ratios.push_back(sum / static_cast<double>(exact->size()));
    }
  }

  [[nodiscard]] std::size_t systems() const { return systems_; }

  /// Rows of a table: | systems | theorems | bounded | mean | 90 % | largest |
  [[nodiscard]] std::vector<std::string> rows(const std::string& name) {
    std::vector<std::string> all;
    for (MeasuredTheorems& of : theorems_) {
      auto& ratios = of.ratios;
      if (ratios.empty()) continue;
      std::ranges::sort(ratios);
      double sum = 0;
      for (const double ratio : ratios) sum += ratio;
      all.push_back(fmt::format("| {} | {} | {} | {:.2f} | {:.2f} | {:.2f} |", all.empty() ? name : "", of.name, ratios.size(),
                                sum / static_cast<double>(ratios.size()), ratios[(ratios.size() * 9 + 9) / 10 - 1], ratios.back()));
    }
    return all;
  }

 private:
  static std::optional<analysis::path::NodeBounds> bounds_of(const analysis::path::System& system,
                                                             std::optional<analysis::path::Refinement> refinement) {
    analysis::path::Limits limits;
    limits.periods = 20;
    if (refinement) {
      const auto bounds = node_bounds(system, *refinement, limits);
      return bounds ? std::optional(*bounds) : std::nullopt;
    }
    const auto whole = analysis::path::bounds(system, limits);
    if (!whole) return std::nullopt;
    analysis::path::NodeBounds bounds;
    bounds.R = whole->R;
    for (std::size_t d = 0; d < system.dags.size(); ++d) bounds.F.emplace_back(system.dags[d].nodes.size(), whole->R[d]);
    return bounds;
  }

  SmallKind kind_;
  std::vector<MeasuredTheorems> theorems_;
  std::size_t systems_ = 0;
};

}  // namespace rta::test
