// T39 by the letter: every path, every busy time, every age. Slow; the place to break the theorem on purpose.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

enum class UpstreamMutant : std::uint8_t {
  none,
  no_phi,      // a job from before has nothing left once no node of it on the pool runs
  one_less,    // c - 2 nodes ran just before
  no_carry,    // none did
  node_alone,  // D_u = C_u
  phi_open,    // phi > age, not >=
  at_release,  // x = 0 alone
  no_later,    // what is released later does not precede
};
inline constexpr std::size_t upstream_mutants = 8;

/// Of systems all of whose pools are processors, FIFO or preemptive with a point per DAG.
class UpstreamOracle {
 public:
  using Ends = std::vector<std::vector<std::int64_t>>;  // DAG, node: ns

  UpstreamOracle(const analysis::path::System& system, UpstreamMutant mutant) : system_(system), mutant_(mutant) {
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

  [[nodiscard]] bool applies(std::size_t, std::size_t) const { return true; }

  [[nodiscard]] std::int64_t right_hand_side(std::size_t k, std::size_t v, const Ends& F) const {
    std::vector<std::int64_t> left(system_.pools.size());
    for (std::size_t p = 0; p < left.size(); ++p) left[p] = on_some_path(k, v, p) ? this->left(k, v, p, F) : 0;
    std::int64_t most = 0;
    visit_paths(k, v, [&](const std::vector<std::size_t>& path) {
      std::int64_t sum = C(k, v) == 0 ? 1 : 0;
      for (const std::size_t q : path) sum += C(k, q);
      for (std::size_t p = 0; p < left.size(); ++p) {
        std::int64_t work = left[p];
        bool visits = false;
        for (const std::size_t q : path) {
          if (pool(k, q) != p) continue;
          visits = true;
          work -= C(k, q);
        }
        for (std::size_t u = 0; u < before_[k].size(); ++u) work -= before_[k][v][u] && pool(k, u) == p ? C(k, u) : 0;
        const std::int64_t m = system_.pools[p].capacity;
        if (visits) sum += (std::max<std::int64_t>(0, work) + m - 1) / m;
      }
      most = std::max(most, sum);
    });
    return most;
  }

 private:
  [[nodiscard]] std::int64_t C(std::size_t d, std::size_t u) const { return system_.dags[d].nodes[u].e.count(); }
  [[nodiscard]] std::size_t pool(std::size_t d, std::size_t u) const { return system_.dags[d].nodes[u].pool; }
  [[nodiscard]] bool on_some_path(std::size_t k, std::size_t v, std::size_t p) const {
    for (std::size_t q = 0; q < before_[k].size(); ++q) {
      if (pool(k, q) == p && (q == v || before_[k][q][v])) return true;
    }
    return false;
  }

  template <class Visit>
  void visit_paths(std::size_t k, std::size_t v, const Visit& visit) const {
    std::vector<std::size_t> path{v};
    extend(k, path, visit);
  }
  template <class Visit>
  void extend(std::size_t k, std::vector<std::size_t>& path, const Visit& visit) const {
    bool source = true;
    for (const auto& edge : system_.dags[k].edges) {
      if (edge.to != path.back()) continue;
      source = false;
      path.push_back(edge.from);
      extend(k, path, visit);
      path.pop_back();
    }
    if (source) visit(path);
  }

  [[nodiscard]] std::int64_t ready(std::size_t k, std::size_t v, const Ends& F) const {
    std::int64_t A = 0;
    for (const auto& edge : system_.dags[k].edges) A = edge.to == v ? std::max(A, F[k][edge.from]) : A;
    return A;
  }

  /// The largest F of an ancestor elsewhere; negative where there is none.
  [[nodiscard]] std::int64_t phi(std::size_t d, std::size_t u, const Ends& F) const {
    std::int64_t phi = -1;
    for (std::size_t g = 0; g < before_[d].size(); ++g) {
      if (before_[d][g][u] && pool(d, g) != pool(d, u)) phi = std::max(phi, F[d][g]);
    }
    return mutant_ == UpstreamMutant::no_phi ? -1 : phi;
  }

  [[nodiscard]] std::int64_t D(std::size_t d, std::size_t u) const {
    std::int64_t sum = C(d, u);
    for (std::size_t w = 0; w < before_[d].size() && mutant_ != UpstreamMutant::node_alone; ++w) {
      if (!before_[d][u][w] || pool(d, w) != pool(d, u)) continue;
      bool away = false;
      for (std::size_t g = 0; g < before_[d].size(); ++g) away = away || (before_[d][u][g] && before_[d][g][w] && pool(d, g) != pool(d, u));
      sum += away ? 0 : C(d, w);
    }
    return sum;
  }

  [[nodiscard]] std::int64_t carry(std::size_t p, std::int64_t c, const Ends& F) const {
    std::vector<std::int64_t> all;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T.count();
      for (std::size_t u = 0; u < before_[d].size(); ++u) {
        if (pool(d, u) != p || C(d, u) == 0) continue;
        all.insert(all.end(), static_cast<std::size_t>(std::min(c, (F[d][u] + T - 1) / T)), D(d, u));
      }
    }
    std::ranges::sort(all, std::ranges::greater());
    const std::int64_t most = mutant_ == UpstreamMutant::no_carry ? 0 : mutant_ == UpstreamMutant::one_less ? c - 2 : c - 1;
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(most, std::ssize(all)); ++i) sum += all[static_cast<std::size_t>(i)];
    return sum;
  }

  /// How a path to v waits on p.
  struct Asked {
    std::size_t k, v, p;
    const Ends& F;
    bool fifo;
    std::int64_t reach;               // a or b
    std::vector<std::int64_t> ready;  // FIFO: A_q of the nodes there, v and its ancestors
  };
  [[nodiscard]] std::int64_t lim(const Asked& of, std::size_t d) const {
    const std::int64_t reach = mutant_ == UpstreamMutant::no_later ? 0 : of.reach;
    return of.fifo ? reach : std::min(reach, system_.dags[of.k].Y.count() - system_.dags[d].Y.count());
  }

  /// f_d(y).
  [[nodiscard]] std::int64_t since(const Asked& of, std::size_t d, std::int64_t y) const {
    if (y < -lim(of, d)) return 0;
    std::int64_t all = 0;
    for (std::size_t u = 0; u < before_[d].size(); ++u) all += pool(d, u) == of.p ? C(d, u) : 0;
    if (y >= 0 || !of.fifo) return all;
    std::size_t N = 0;
    visit_paths(of.k, of.v, [&](const std::vector<std::size_t>& path) {
      N = std::max(N, static_cast<std::size_t>(
                          std::ranges::count_if(path, [&](std::size_t q) { return pool(of.k, q) == of.p && ready(of.k, q, of.F) >= -y; })));
    });
    std::int64_t sum = 0;
    for (const auto& chain : chains(d, of.p)) {
      for (std::size_t i = 0; i < std::min(N, chain.size()); ++i) sum += chain[i];
    }
    return sum;
  }
  /// Of a job z > 0 old.
  [[nodiscard]] std::int64_t before(const Asked& of, std::size_t d, std::int64_t z) const {
    std::int64_t sum = 0;
    for (std::size_t u = 0; u < before_[d].size(); ++u) {
      const std::int64_t end = pool(d, u) == of.p ? phi(d, u, of.F) : -1;
      sum += (mutant_ == UpstreamMutant::phi_open ? end > z : end >= z) ? C(d, u) : 0;
    }
    return sum;
  }

  /// The lengths of the nodes of chains, longest first, built as T10a's.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> chains(std::size_t d, std::size_t p) const {
    std::vector<std::pair<std::ptrdiff_t, std::size_t>> order;
    for (std::size_t u = 0; u < before_[d].size(); ++u) {
      std::ptrdiff_t ancestors = 0;
      for (std::size_t g = 0; g < before_[d].size(); ++g) ancestors += before_[d][g][u] ? 1 : 0;
      if (pool(d, u) == p) order.emplace_back(ancestors, u);
    }
    std::ranges::sort(order);
    std::vector<std::vector<std::size_t>> nodes;
    for (const auto& [ancestors, u] : order) {
      const std::size_t node = u;
      const auto at = std::ranges::find_if(nodes, [&](const auto& chain) { return before_[d][chain.back()][node]; });
      (at == nodes.end() ? nodes.emplace_back() : *at).push_back(node);
    }
    std::vector<std::vector<std::int64_t>> lengths;
    for (const auto& chain : nodes) {
      auto& row = lengths.emplace_back();
      for (const std::size_t u : chain) row.push_back(C(d, u));
      std::ranges::sort(row, std::ranges::greater());
    }
    return lengths;
  }

  /// Ages from `first` past x on, T apart, and those before it.
  [[nodiscard]] std::int64_t jobs_from(const Asked& of, std::size_t d, std::int64_t x, std::int64_t first) const {
    const std::int64_t T = system_.dags[d].T.count();
    const std::int64_t last = *std::ranges::max_element(of.F[d]) + x;
    std::int64_t sum = 0;
    for (std::int64_t y = first; y <= last; y += T) sum += y > x ? before(of, d, y - x) : since(of, d, y);
    for (std::int64_t y = first - T; y >= -lim(of, d); y -= T) sum += since(of, d, y);
    return sum;
  }
  /// H_d(x).
  [[nodiscard]] std::int64_t most(const Asked& of, std::size_t d, std::int64_t x) const {
    const std::int64_t T = system_.dags[d].T.count();
    if (d == of.k) return jobs_from(of, d, x, 0);
    std::set<std::int64_t> firsts{x + T, x + 1};  // of ages past x
    for (std::size_t u = 0; u < before_[d].size(); ++u) {
      const std::int64_t end = phi(d, u, of.F);
      for (std::int64_t at = end; at > 0; at -= T) {
        if (at <= T) firsts.insert(x + at);
        if (at <= T + 1 && at > 1) firsts.insert(x + at - 1);
      }
    }
    std::int64_t largest = 0;
    for (std::int64_t first : firsts) {
      if (!of.fifo) first = std::max(first, -lim(of, d));
      largest = std::max(largest, jobs_from(of, d, x, first));
    }
    return largest;
  }

  /// W.
  [[nodiscard]] std::int64_t left(std::size_t k, std::size_t v, std::size_t p, const Ends& F) const {
    Asked of{k, v, p, F, system_.pools[p].order == analysis::path::Order::fifo, 0, {}};
    for (std::size_t q = 0; q < before_[k].size(); ++q) {
      if (pool(k, q) != p || (q != v && !before_[k][q][v])) continue;
      of.ready.push_back(ready(k, q, F));
      of.reach = std::max(of.reach, of.fifo ? of.ready.back() : F[k][q]);
    }
    std::int64_t H = 1;
    std::int64_t from = 0;
    double U = 0;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T.count();
      for (std::size_t u = 0; u < before_[d].size(); ++u) U += pool(d, u) == p ? static_cast<double>(C(d, u)) / static_cast<double>(T) : 0;
      H = std::lcm(H, T);
      from = std::max(from, -lim(of, d));
    }
    const auto c = static_cast<std::int64_t>(std::max(1.0, std::ceil(U - 1e-9)));
    std::set<std::int64_t> times{0};
    const auto add = [&](std::int64_t at, std::int64_t T) {
      for (std::int64_t x = at - at / T * T - T; x <= H + from; x += T) {
        if (x >= 0) times.insert(x);
      }
    };
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T.count();
      std::set<std::int64_t> rises{0, -lim(of, d)};
      for (const std::int64_t A : of.ready) rises.insert(-A);
      for (const std::int64_t rise : rises) {
        add(rise, T);
        for (std::size_t u = 0; u < before_[d].size(); ++u) {
          const std::int64_t end = phi(d, u, F);
          if (end > 0) add(rise - end, T);
        }
      }
    }
    std::int64_t least = INT64_MAX;
    for (const std::int64_t processors : {c, static_cast<std::int64_t>(system_.pools[p].capacity)}) {
      std::int64_t largest = INT64_MIN;
      for (const std::int64_t x : times) {
        std::int64_t sum = -processors * x;
        for (std::size_t d = 0; d < system_.dags.size(); ++d) sum += most(of, d, x);
        largest = std::max(largest, sum);
        if (mutant_ == UpstreamMutant::at_release) break;
      }
      least = std::min(least, largest + carry(p, processors, F));
    }
    return least;
  }

  const analysis::path::System& system_;
  UpstreamMutant mutant_;
  std::vector<std::vector<std::vector<bool>>> before_;  // DAG, node, node: strictly
};

}  // namespace rta::test
