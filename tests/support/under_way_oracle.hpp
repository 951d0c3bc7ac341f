// T10f by the letter: every path, every node on it, every age. Slow; the place to break the theorem on purpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "support/visit_oracle.hpp"

namespace rta::test {

enum class UnderWayMutant : std::uint8_t {
  none,
  fewer_jobs,      // the oldest job of each other DAG is forgotten
  ages_later,      // ages of others' jobs from T on, not from 0
  one_of_a_job,    // one chain of a job alone may be ready
  no_parallel,     // nothing of the job itself is ready beside a node
  no_own_blocks,   // of a kernel's own blocks nothing keeps its last one waiting
  one_more_ready,  // nothing waits where as many are ready as there are processors
  no_later,        // the DAG's own later jobs are forgotten
};
inline constexpr std::size_t under_way_mutants = 8;

class UnderWayOracle : private VisitOracle {
 public:
  using Ends = VisitOracle::Ends;

  /// Of FIFO pools alone.
  UnderWayOracle(const analysis::path::System& system, UnderWayMutant mutant) : VisitOracle(system, VisitMutant::none), mutant_(mutant) {}

  [[nodiscard]] bool applies(std::size_t, std::size_t) const { return true; }

  [[nodiscard]] std::int64_t right_hand_side(std::size_t k, std::size_t v, const Ends& F) const {
    std::int64_t most = 0;
    std::vector<std::size_t> path{v};
    visit_paths(k, path, [&] { most = std::max(most, of_path(k, v, path, F)); });
    return most;
  }

 private:
  template <class Visit>
  void visit_paths(std::size_t k, std::vector<std::size_t>& path, const Visit& visit) const {
    bool source = true;
    for (const auto& edge : system_.dags[k].edges) {
      if (edge.to != path.back()) continue;
      source = false;
      path.push_back(edge.from);
      visit_paths(k, path, visit);
      path.pop_back();
    }
    if (source) visit();
  }

  [[nodiscard]] std::int64_t ready(std::size_t k, std::size_t v, const Ends& F) const {
    std::int64_t A = 0;
    for (const auto& edge : system_.dags[k].edges) A = edge.to == v ? std::max(A, F[k][edge.from]) : A;
    return A;
  }

  /// What may be ready of all jobs when q is, the job itself as DAG `system_.dags.size()`.
  [[nodiscard]] Fronts fronts(std::size_t k, std::size_t q, const Ends& F) const {
    Fronts all;
    const std::size_t pool = node(k, q).pool;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T.count();
      const std::int64_t end = *std::ranges::max_element(F[d]);
      const std::int64_t n = ready(k, q, F) / T;
      for (std::int64_t j = 0; j * T < end; ++j) {
        if (d == k && (j == n || (j < n && mutant_ == UnderWayMutant::no_later))) continue;
        if (d != k && mutant_ == UnderWayMutant::fewer_jobs && (j + 1) * T >= end) continue;
        const std::int64_t age = d != k && mutant_ == UnderWayMutant::ages_later ? (j + 1) * T : j * T;
        Fronts of_job;
        add(d, pool, age, F, of_job);
        if (mutant_ == UnderWayMutant::one_of_a_job && of_job.size() > 1) of_job.resize(1);
        all.insert(all.end(), of_job.begin(), of_job.end());
      }
    }
    return all;
  }

  struct Visited {
    std::map<std::size_t, std::int64_t> of;  // DAG -> of all its jobs, of its own the others
    std::int64_t beside = 0;                 // of the job itself
    std::int64_t rest = 0;                   // of the path's nodes
    std::int64_t a = 0;
  };

  [[nodiscard]] std::int64_t of_path(std::size_t k, std::size_t v, const std::vector<std::size_t>& path, const Ends& F) const {
    std::map<std::size_t, Visited> pools;
    std::int64_t sum = node(k, v).e.count() == 0 ? 1 : 0;
    for (const std::size_t q : path) {
      const auto& own = node(k, q);
      sum += own.e.count();
      Visited& at = pools[own.pool];
      at.a = std::max(at.a, ready(k, q, F));
      const Fronts others = fronts(k, q, F);
      Fronts parallel;
      if (mutant_ != UnderWayMutant::no_parallel) add_parallel(k, q, parallel);
      Fronts all = others;
      all.insert(all.end(), parallel.begin(), parallel.end());
      const bool with_rest = mutant_ != UnderWayMutant::no_own_blocks;
      std::int64_t wait = waiting(k, q, all, with_rest);
      if (mutant_ == UnderWayMutant::one_more_ready && is_of_pieces(own.pool) && std::ssize(all) <= system_.pools[own.pool].capacity)
        wait = 0;
      ++wait;  // the oracle's is whole, and no more than it
      if (wait == 1) wait = 0;
      for (const Front& front : others) at.of[front.d] += done(front, wait);
      for (const Front& front : parallel) at.beside += done(front, wait);
      if (with_rest) at.rest += rest(own, wait);
    }
    for (const auto& [pool, at] : pools) {
      std::int64_t work = at.rest + std::min(at.beside, beside_path(k, v, pool, path));
      for (const auto& [d, visits] : at.of) work += std::min(visits, counted(k, d, pool, at.a, F));
      sum += (work + capacity(pool) - 1) / capacity(pool);
    }
    return sum;
  }

  /// The job's nodes on the pool that do not follow v, but for the path's.
  [[nodiscard]] std::int64_t beside_path(std::size_t k, std::size_t v, std::size_t pool, const std::vector<std::size_t>& path) const {
    std::int64_t sum = 0;
    for (std::size_t u = 0; u < system_.dags[k].nodes.size() && mutant_ != UnderWayMutant::no_parallel; ++u) {
      if (node(k, u).pool != pool || before_[k][v][u] || std::ranges::find(path, u) != path.end()) continue;
      sum += static_cast<std::int64_t>(node(k, u).vol);
    }
    return sum;
  }

  /// T10n's, of its own DAG the other jobs.
  [[nodiscard]] std::int64_t counted(std::size_t k, std::size_t d, std::size_t pool, std::int64_t a, const Ends& F) const {
    const std::int64_t T = system_.dags[d].T.count();
    std::int64_t sum = 0;
    for (std::size_t u = 0; u < F[d].size(); ++u) {
      if (node(d, u).pool != pool) continue;
      const std::int64_t n = d == k ? std::max<std::int64_t>(0, (F[d][u] + T - 1) / T - 1) + a / T : (F[d][u] + a + T - 1) / T;
      sum += n * static_cast<std::int64_t>(node(d, u).vol);
    }
    return sum;
  }

  UnderWayMutant mutant_;
};

}  // namespace rta::test
