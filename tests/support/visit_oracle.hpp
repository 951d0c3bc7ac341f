// T23 by the letter: every age, every length of the waiting. Slow; an oracle for the product's sums, and the place to break the theorem on
// purpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

enum class VisitMutant : std::uint8_t {
  none,
  no_later,       // the DAG's own later jobs are forgotten
  fewer_earlier,  // and the last one of the earlier ones
  more_servers,   // (b) with m + 1 processors
  no_parallel,    // of the job itself nothing is ready beside the node
  fewer_jobs,     // the latest job of each other DAG is forgotten
  own_waves,      // (c) with the node's own waves alone
};
inline constexpr std::size_t visit_mutants = 7;

class VisitOracle {
 public:
  using Ends = std::vector<std::vector<std::int64_t>>;  // DAG, node: ns

  VisitOracle(const analysis::path::System& system, VisitMutant mutant) : system_(system), mutant_(mutant) {
    for (const auto& dag : system.dags) {
      const std::size_t n = dag.nodes.size();
      auto& before = before_.emplace_back(n, std::vector<bool>(n, false));
      for (std::size_t round = 0; round < n; ++round) {
        for (const auto& edge : dag.edges) {
          for (std::size_t u = 0; u < n; ++u) before[u][edge.to] = before[u][edge.to] || u == edge.from || before[u][edge.from];
        }
      }
    }
  }

  [[nodiscard]] bool applies(std::size_t k, std::size_t v) const {
    return system_.pools[node(k, v).pool].order == analysis::path::Order::fifo;
  }

  /// A_v + w_v + e_v in ns; of w the largest whole one, where not all are whole.
  [[nodiscard]] std::int64_t right_hand_side(std::size_t k, std::size_t v, const Ends& F) const {
    const auto& own = node(k, v);
    std::int64_t A = 0;
    for (const auto& edge : system_.dags[k].edges) A = edge.to == v ? std::max(A, F[k][edge.from]) : A;
    Fronts fronts;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T.count();
      const std::int64_t end = *std::ranges::max_element(F[d]);
      if (d != k) {
        for (std::int64_t z = mutant_ == VisitMutant::fewer_jobs ? T : 0; z < end; z += T) add(d, own.pool, z, F, fronts);
        continue;
      }
      for (std::int64_t j = 0; j < A / T && mutant_ != VisitMutant::no_later; ++j) add(k, own.pool, j * T, F, fronts);
      for (std::int64_t j = mutant_ == VisitMutant::fewer_earlier ? 2 : 1; A + j * T < end; ++j) add(k, own.pool, A + j * T, F, fronts);
    }
    if (mutant_ != VisitMutant::no_parallel) add_parallel(k, v, fronts);
    return A + waiting(k, v, fronts) + std::max<std::int64_t>(1, own.e.count());
  }

 protected:
  struct Ready {
    std::int64_t fits = 0;
    std::size_t u = 0;
  };
  /// Of a chain of a job of DAG d, what may be ready.
  struct Front {
    std::size_t d = 0;
    std::vector<Ready> nodes;
  };
  using Fronts = std::vector<Front>;

  [[nodiscard]] const analysis::path::Node& node(std::size_t d, std::size_t u) const { return system_.dags[d].nodes[u]; }

  /// Nodes with fewer ancestors first; each joins the first chain whose last node is before it.
  [[nodiscard]] std::vector<std::vector<std::size_t>> chains(std::size_t d, std::size_t pool) const {
    const std::size_t n = system_.dags[d].nodes.size();
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t v = 0; v < n; ++v) {
      std::size_t ancestors = 0;
      for (std::size_t u = 0; u < n; ++u) ancestors += before_[d][u][v] ? 1U : 0U;
      if (node(d, v).pool == pool && node(d, v).e.count() > 0) order.emplace_back(ancestors, v);
    }
    std::ranges::sort(order);
    std::vector<std::vector<std::size_t>> chains;
    for (const auto& [ancestors, v] : order) {
      const std::size_t at = v;
      const auto chain = std::ranges::find_if(chains, [&](const auto& of) { return before_[d][of.back()][at]; });
      if (chain == chains.end()) {
        chains.push_back({v});
      } else {
        chain->push_back(v);
      }
    }
    return chains;
  }

  void add(std::size_t d, std::size_t pool, std::int64_t z, const Ends& F, Fronts& fronts) const {
    for (const auto& chain : chains(d, pool)) {
      Front front{d, {}};
      for (const std::size_t u : chain) {
        if (F[d][u] > z) front.nodes.push_back({std::min(node(d, u).e.count(), F[d][u] - z), u});
      }
      if (!front.nodes.empty()) fronts.push_back(std::move(front));
    }
  }

  void add_parallel(std::size_t k, std::size_t v, Fronts& fronts) const {
    for (const auto& chain : chains(k, node(k, v).pool)) {
      Front front{k, {}};
      for (const std::size_t u : chain) {
        if (u != v && !before_[k][u][v] && !before_[k][v][u]) front.nodes.push_back({node(k, u).e.count(), u});
      }
      if (!front.nodes.empty()) fronts.push_back(std::move(front));
    }
  }

  /// What is done of one chain within w.
  [[nodiscard]] std::int64_t done(const Front& front, std::int64_t w) const {
    std::int64_t most = 0;
    for (const Ready& of : front.nodes) {
      const std::int64_t kappa = static_cast<std::int64_t>(node(front.d, of.u).vol) / node(front.d, of.u).e.count();
      most = std::max(most, kappa * std::min(of.fits, w));
    }
    return most;
  }
  /// Of the node itself but for its last piece.
  [[nodiscard]] std::int64_t rest(const analysis::path::Node& own, std::int64_t w) const {
    return own.e.count() == 0 ? 0 : static_cast<std::int64_t>(own.vol - own.s) / own.e.count() * std::min(own.e.count(), w);
  }
  [[nodiscard]] std::int64_t capacity(std::size_t pool) const {
    return static_cast<std::int64_t>(system_.pools[pool].unit) * system_.pools[pool].capacity;
  }

  [[nodiscard]] std::int64_t waiting(std::size_t k, std::size_t v, const Fronts& fronts, bool with_rest = true) const {
    const auto& own = node(k, v);
    const auto& pool = system_.pools[own.pool];
    const std::int64_t cap = capacity(own.pool);
    const auto work = [&](std::int64_t w) {
      std::int64_t sum = with_rest ? rest(own, w) : 0;
      for (const Front& front : fronts) sum += done(front, w);
      return sum;
    };
    std::int64_t w = work(INT64_MAX) / cap;
    while (cap * w > work(w)) --w;
    if (is_of_pieces(own.pool)) return std::min(w, beside_the_longest(fronts, pool.capacity));
    const auto waves = serial(k, v, fronts);
    return waves ? std::min(w, *waves) : w;
  }

  [[nodiscard]] bool is_of_pieces(std::size_t pool) const {
    if (!system_.pools[pool].unit_weights) return false;
    return std::ranges::all_of(system_.dags, [&](const auto& dag) {
      return std::ranges::all_of(dag.nodes, [&](const auto& of) { return of.pool != pool || of.vol == of.s; });
    });
  }

  /// (b).
  [[nodiscard]] std::int64_t beside_the_longest(const Fronts& fronts, std::int64_t m) const {
    if (mutant_ == VisitMutant::more_servers) ++m;
    std::vector<std::int64_t> l;
    for (const Front& front : fronts) {
      l.push_back(0);
      for (const Ready& of : front.nodes) l.back() = std::max(l.back(), of.fits);
    }
    std::ranges::sort(l, std::greater{});
    const auto b = std::ssize(l);
    std::int64_t least = INT64_MAX;
    for (std::int64_t i = 0; i < m; ++i) {
      if (i > b) continue;
      std::int64_t sum = 0;
      for (std::int64_t j = i; j < i + (b - i) / (m - i); ++j) sum += l[static_cast<std::size_t>(j)];
      least = std::min(least, sum);
    }
    return least;
  }

  /// (c), where it is known how long kernels take alone.
  [[nodiscard]] std::optional<std::int64_t> serial(std::size_t k, std::size_t v, const Fronts& fronts) const {
    if (!node(k, v).alone) return std::nullopt;
    std::int64_t sum = (*node(k, v).alone - node(k, v).e).count();
    if (mutant_ == VisitMutant::own_waves) return sum;
    for (const Front& front : fronts) {
      std::int64_t most = 0;
      for (const Ready& of : front.nodes) {
        if (!node(front.d, of.u).alone) return std::nullopt;
        most = std::max(most, node(front.d, of.u).alone->count());
      }
      sum += most;
    }
    return sum;
  }

  const analysis::path::System& system_;
  VisitMutant mutant_;
  std::vector<std::vector<std::vector<bool>>> before_;  // DAG, u, v
};

}  // namespace rta::test
