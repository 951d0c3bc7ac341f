// T24 by the letter: every age, every length of the waiting. Slow; an oracle for the product's sums, and the place to break the theorem on
// purpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

enum class RunningMutant : std::uint8_t {
  none,
  fewer_jobs,    // of each other DAG the latest job is forgotten
  no_earlier,    // the DAG's own earlier jobs are
  no_later,      // under fixed priorities, its later ones
  no_parallel,   // what of the job itself is parallel
  more_servers,  // m + 1 processors
};
inline constexpr std::size_t running_mutants = 6;

class RunningOracle {
 public:
  using Ends = std::vector<std::vector<std::int64_t>>;  // DAG, node: ns

  RunningOracle(const analysis::path::System& system, RunningMutant mutant) : system_(system), mutant_(mutant) {
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
    const auto order = system_.pools[node(k, v).pool].order;
    return order == analysis::path::Order::gel || order == analysis::path::Order::fixed;
  }

  /// A_v + w + e_v in ns, w the largest whole one.
  [[nodiscard]] std::int64_t right_hand_side(std::size_t k, std::size_t v, const Ends& F) const {
    std::int64_t A = 0;
    for (const auto& edge : system_.dags[k].edges) A = edge.to == v ? std::max(A, F[k][edge.from]) : A;
    std::vector<std::int64_t> beside;
    for (const auto& chain : chains(k, node(k, v).pool)) {
      std::int64_t sum = 0;
      for (const std::size_t u : chain) {
        if (u != v && !before_[k][u][v] && !before_[k][v][u] && is_as_urgent(k, u, k, v)) sum += node(k, u).e.count();
      }
      if (sum > 0 && mutant_ != RunningMutant::no_parallel) beside.push_back(sum);
    }
    std::vector<Jobs> all;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) all.push_back(d == k ? own(v, k, A, F) : others(d, k, v, A, F));
    const std::int64_t m = system_.pools[node(k, v).pool].capacity + (mutant_ == RunningMutant::more_servers ? 1 : 0);
    const auto work = [&](std::int64_t w) {
      std::int64_t sum = 0;
      for (const std::int64_t C : beside) sum += std::min(C, w);
      for (const Jobs& jobs : all) {
        std::int64_t counted = 0;
        for (const std::int64_t C : jobs.counted) counted += std::min(C, w);
        sum += std::min(counted, jobs.at_once * w);
      }
      return sum;
    };
    std::int64_t w = 0;
    for (const std::int64_t C : beside) w += C;
    for (const Jobs& jobs : all) {
      for (const std::int64_t C : jobs.counted) w += C;
    }
    while (m * w > work(w)) --w;
    return A + w + std::max<std::int64_t>(1, node(k, v).e.count());
  }

 private:
  struct Jobs {
    std::int64_t at_once = 0;
    std::vector<std::int64_t> counted;  // C of every counted node of every job
  };

  [[nodiscard]] const analysis::path::Node& node(std::size_t d, std::size_t u) const { return system_.dags[d].nodes[u]; }
  [[nodiscard]] bool fixed(std::size_t k, std::size_t v) const {
    return system_.pools[node(k, v).pool].order == analysis::path::Order::fixed;
  }
  [[nodiscard]] bool is_as_urgent(std::size_t d, std::size_t u, std::size_t k, std::size_t v) const {
    return !fixed(k, v) || node(d, u).priority >= node(k, v).priority;
  }
  /// What is released later may go before it.
  [[nodiscard]] bool passes(std::size_t d, std::size_t u, std::size_t k, std::size_t v) const {
    return fixed(k, v) && (node(d, u).priority > node(k, v).priority || system_.pools[node(k, v).pool].equals_any);
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> chains(std::size_t d, std::size_t pool) const {
    const std::size_t n = system_.dags[d].nodes.size();
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t v = 0; v < n; ++v) {
      std::size_t ancestors = 0;
      for (std::size_t u = 0; u < n; ++u) ancestors += before_[d][u][v] ? 1U : 0U;
      if (node(d, v).pool == pool) order.emplace_back(ancestors, v);
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

  [[nodiscard]] Jobs others(std::size_t d, std::size_t k, std::size_t v, std::int64_t A, const Ends& F) const {
    const std::int64_t T = system_.dags[d].T.count();
    const std::int64_t within = F[k][v] - A;
    const std::int64_t points = system_.dags[k].Y.count() - system_.dags[d].Y.count() - A;
    const std::int64_t first = fixed(k, v) ? 0 : -std::min(within, points);  // youngest age
    Jobs jobs;
    for (const auto& chain : chains(d, node(k, v).pool)) {
      std::int64_t last = 0;
      for (const std::size_t u : chain) {
        if (!is_as_urgent(d, u, k, v) || node(d, u).e.count() == 0) continue;
        // The most releases at distances of T at ages in [from, F_u), or (from, F_u).
        const std::int64_t from = passes(d, u, k, v) ? -within : first;
        for (std::int64_t x = from; x < F[d][u]; x += T) {
          jobs.counted.push_back(node(d, u).e.count());
          last = F[d][u] > last ? F[d][u] : last;
        }
      }
      for (std::int64_t z = std::max<std::int64_t>(0, first) + (mutant_ == RunningMutant::fewer_jobs ? T : 0); z < last; z += T)
        ++jobs.at_once;
    }
    return jobs;
  }

  [[nodiscard]] Jobs own(std::size_t v, std::size_t k, std::int64_t A, const Ends& F) const {
    const std::int64_t T = system_.dags[k].T.count();
    Jobs jobs;
    for (const auto& chain : chains(k, node(k, v).pool)) {
      std::int64_t last = 0;
      std::int64_t most_later = 0;
      for (const std::size_t u : chain) {
        if (!is_as_urgent(k, u, k, v) || node(k, u).e.count() == 0) continue;
        std::int64_t n = 0;
        for (std::int64_t x = A + T; x < F[k][u] && mutant_ != RunningMutant::no_earlier; x += T) ++n;
        std::int64_t later = 0;
        for (std::int64_t x = T; fixed(k, v) && mutant_ != RunningMutant::no_later; x += T) {
          if (passes(k, u, k, v) ? x >= F[k][v] : x > A) break;
          ++later;
        }
        most_later = std::max(most_later, later);
        jobs.counted.insert(jobs.counted.end(), static_cast<std::size_t>(n + later), node(k, u).e.count());
        if (n + later > 0) last = std::max(last, F[k][u]);
      }
      for (std::int64_t x = A + T; x < last && mutant_ != RunningMutant::no_earlier; x += T) ++jobs.at_once;
      for (std::int64_t j = 0; j < most_later && j * T < last; ++j) ++jobs.at_once;
    }
    return jobs;
  }

  const analysis::path::System& system_;
  RunningMutant mutant_;
  std::vector<std::vector<std::vector<bool>>> before_;  // DAG, u, v
};

}  // namespace rta::test
