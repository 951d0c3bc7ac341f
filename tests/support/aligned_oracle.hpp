// T10a and T10v by the letter of docs/theory/path.md: every path on its own, every node's work on its own, jobs wherever a best pattern
// may put them, strands by whoever is joined with whom. Slow; an oracle for the product's solver, and the place to break the theorems on
// purpose. For preemptive pools by DAG and FIFO pools.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

enum class AlignedMutant : std::uint8_t {
  none,
  open_left_end,  // a job released just as the path's last node becomes ready is forgotten (releases are multiples of `grid`)
  cut_late_jobs,  // jobs released after J are cut as if they were released before
  whole_path,     // T10v: E over the whole path
  no_GC,          // T10v: kernels that have fully started are forgotten
  no_root,        // T10v: strands are taken to be on their own from the start
  any_number,     // T10v: every strand of every early job loses work
};

class AlignedOracle {
 public:
  AlignedOracle(const analysis::path::System& system, AlignedMutant mutant, std::int64_t grid)
      : system_(system), mutant_(mutant), grid_(grid) {
    for (const auto& pool : system.pools) den_ = std::lcm(den_, static_cast<std::int64_t>(pool.capacity * pool.unit));
    for (const auto& dag : system.dags) {
      const std::size_t n = dag.nodes.size();
      auto& before = before_.emplace_back(n);
      for (const auto& edge : dag.edges) before[edge.to].push_back(edge.from);
      auto& reaches = reaches_.emplace_back(n, std::vector<bool>(n, false));
      for (std::size_t v = 0; v < n; ++v) {  // edges lead upwards
        for (const std::size_t w : before[v]) {
          for (std::size_t u = 0; u <= w; ++u) reaches[u][v] = reaches[u][v] || u == w || reaches[u][w];
        }
      }
    }
  }

  /// F per DAG and node, ns; nothing past `limit`.
  std::optional<std::vector<std::vector<std::int64_t>>> nodes(std::int64_t limit) {
    F_.clear();
    for (std::size_t k = 0; k < system_.dags.size(); ++k) {
      auto& row = F_.emplace_back();
      for (std::size_t v = 0; v < system_.dags[k].nodes.size(); ++v) {
        std::int64_t most = 0;
        for (const std::size_t w : before_[k][v]) most = std::max(most, row[w]);
        row.push_back(most + e(k, v));
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < F_.size(); ++k) {
        for (std::size_t v = 0; v < F_[k].size(); ++v) {
          const std::int64_t next = right_hand_side(k, v);
          if (next <= F_[k][v]) continue;
          if (next > limit) return std::nullopt;
          F_[k][v] = next;
          changed = true;
        }
      }
    }
    return F_;
  }

  /// The GEL pool and the FIFO pool of T10v, where it applies to DAG k.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> overlap(std::size_t k) const {
    std::optional<std::size_t> cpu, queue;
    for (const auto& node : system_.dags[k].nodes) {
      auto& of = gel(node.pool) ? cpu : queue;
      if (of.value_or(node.pool) != node.pool) return std::nullopt;
      of = node.pool;
    }
    if (!cpu || !queue) return std::nullopt;
    return std::pair{*cpu, *queue};
  }

 private:
  struct Path {
    std::vector<bool> visits;  // pools
    std::int64_t length = 0;   // sum of e - s/cap, 1/den ns
    std::int64_t E = 0;        // ns; 0 where T10v takes nothing off
  };
  struct Early {
    std::int64_t jobs = 0;
    std::int64_t strands = 1;
  };

  [[nodiscard]] bool gel(std::size_t p) const { return system_.pools[p].order == analysis::path::Order::gel; }
  [[nodiscard]] std::int64_t e(std::size_t k, std::size_t v) const { return system_.dags[k].nodes[v].e.count(); }
  [[nodiscard]] std::int64_t T(std::size_t k) const { return system_.dags[k].T.count(); }
  [[nodiscard]] std::int64_t scale(std::size_t p) const {
    return den_ / static_cast<std::int64_t>(system_.pools[p].capacity * system_.pools[p].unit);
  }
  static std::int64_t up(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(ceil_div(a, b)); }

  [[nodiscard]] std::int64_t right_hand_side(std::size_t k, std::size_t v) const {
    std::vector<std::optional<std::int64_t>> reach(system_.pools.size());  // a or b
    for (std::size_t q = 0; q <= v; ++q) {
      if (q != v && !reaches_[k][q][v]) continue;
      std::int64_t at = F_[k][q];
      if (!gel(system_.dags[k].nodes[q].pool)) {
        at = 0;
        for (const std::size_t w : before_[k][q]) at = std::max(at, F_[k][w]);
      }
      auto& most = reach[system_.dags[k].nodes[q].pool];
      most = std::max(most.value_or(at), at);
    }
    std::int64_t worst = 0;
    std::vector<std::size_t> path{v};
    const std::function<void()> extend = [&] {
      const auto& before = before_[k][path.back()];
      for (const std::size_t w : before) {
        path.push_back(w);
        extend();
        path.pop_back();
      }
      if (before.empty()) worst = std::max(worst, total(k, v, {path.rbegin(), path.rend()}, reach));
    };
    extend();
    return up(worst, den_);
  }

  [[nodiscard]] std::int64_t total(std::size_t k, std::size_t v, const std::vector<std::size_t>& nodes,
                                   const std::vector<std::optional<std::int64_t>>& reach) const {
    Path path{std::vector<bool>(system_.pools.size(), false), 0, 0};
    const auto pools = overlap(k);
    bool waited = false;
    for (const std::size_t q : nodes) {
      const auto& node = system_.dags[k].nodes[q];
      path.visits[node.pool] = true;
      path.length += node.e.count() * den_ - static_cast<std::int64_t>(node.s) * scale(node.pool);
      waited = waited || !gel(node.pool);
      if (pools && node.pool == pools->first && (!waited || mutant_ == AlignedMutant::whole_path)) path.E += node.e.count();
    }
    if (!waited) path.E = 0;
    std::int64_t sum = path.length;
    for (std::size_t u = 0; u < F_[k].size(); ++u) {
      const auto& node = system_.dags[k].nodes[u];
      if (!path.visits[node.pool] || node.vol == 0) continue;
      if (!reaches_[k][v][u]) sum += work(k, u, e(k, u));
      for (std::int64_t x = T(k); x < F_[k][u]; x += T(k)) sum += work(k, u, F_[k][u] - x);
      if (!gel(node.pool)) sum += *reach[node.pool] / T(k) * static_cast<std::int64_t>(node.vol) * scale(node.pool);
    }
    return sum + others(k, path, reach);
  }

  /// What node u can execute in `window`.
  [[nodiscard]] std::int64_t work(std::size_t d, std::size_t u, std::int64_t window) const {
    const auto& node = system_.dags[d].nodes[u];
    const std::int64_t all = static_cast<std::int64_t>(node.vol) * scale(node.pool);
    if (all == 0 || node.e == Time::zero()) return all;
    return window >= node.e.count() ? all : all / node.e.count() * std::max<std::int64_t>(window, 0);
  }

  /// The others' work: the least over all ways to give m - 1 strands to their early jobs.
  [[nodiscard]] std::int64_t others(std::size_t k, const Path& path, const std::vector<std::optional<std::int64_t>>& reach) const {
    const auto pools = overlap(k);
    const std::int64_t strands = pools && path.E > 0 ? std::int64_t{system_.pools[pools->first].capacity} - 1 : 0;
    const std::function<std::int64_t(std::size_t, std::int64_t)> from = [&](std::size_t d, std::int64_t left) -> std::int64_t {
      if (d == F_.size()) return 0;
      if (d == k) return from(d + 1, left);
      std::int64_t least = interference(k, d, path, reach, {}) + from(d + 1, left);
      if (strands == 0 || !can_lose(d, *pools)) return least;
      if (mutant_ == AlignedMutant::any_number) return interference(k, d, path, reach, {1'000, 1'000}) + from(d + 1, left);
      for (std::int64_t n = 1; n <= left; ++n) {
        for (std::int64_t jobs = 1; jobs * n <= left; ++jobs) {
          least = std::min(least, interference(k, d, path, reach, {jobs, n}) + from(d + 1, left - jobs * n));
        }
      }
      return least;
    };
    return from(0, strands);
  }

  [[nodiscard]] bool can_lose(std::size_t d, const std::pair<std::size_t, std::size_t>& pools) const {
    const auto& nodes = system_.dags[d].nodes;
    return std::ranges::all_of(nodes, [&](const auto& node) { return node.pool == pools.first || node.pool == pools.second; });
  }

  /// I_d: a best pattern's jobs are where f bends, or whole periods from there.
  [[nodiscard]] std::int64_t interference(std::size_t k, std::size_t d, const Path& path,
                                          const std::vector<std::optional<std::int64_t>>& reach, const Early& early) const {
    std::vector<std::int64_t> bends{std::max<std::int64_t>(0, lead(k, d)),
                                    std::max<std::int64_t>(0, lead(k, d)) + early.jobs % 1'000 * T(d)};
    std::int64_t first = 0;
    std::int64_t last = 0;
    for (std::size_t u = 0; u < F_[d].size(); ++u) {
      const std::size_t p = system_.dags[d].nodes[u].pool;
      if (!path.visits[p]) continue;
      bends.insert(bends.end(), {left_end(k, d, p, reach), F_[d][u], F_[d][u] - 1, F_[d][u] - e(d, u)});
      first = std::min(first, left_end(k, d, p, reach));
      last = std::max(last, F_[d][u]);
    }
    std::vector<std::int64_t> candidates;
    for (const std::int64_t bend : bends) {
      for (std::int64_t x = bend - (bend - first) / T(d) * T(d); x < last; x += T(d)) candidates.push_back(x);
    }
    std::ranges::sort(candidates);
    std::vector<std::int64_t> best;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      std::int64_t before = 0;
      for (std::size_t j = 0; j < i && candidates[j] <= candidates[i] - T(d); ++j) before = std::max(before, best[j]);
      best.push_back(before + job(k, d, candidates[i], path, reach, early));
      most = std::max(most, best.back());
    }
    return most;
  }

  [[nodiscard]] std::int64_t lead(std::size_t k, std::size_t d) const { return (system_.dags[d].Y - system_.dags[k].Y).count(); }

  [[nodiscard]] std::int64_t left_end(std::size_t k, std::size_t d, std::size_t p,
                                      const std::vector<std::optional<std::int64_t>>& reach) const {
    std::int64_t end = gel(p) ? std::max(-*reach[p], lead(k, d)) : -*reach[p];
    if (mutant_ == AlignedMutant::open_left_end) end += grid_;
    return end;
  }

  /// f_d(x), 1/den ns.
  [[nodiscard]] std::int64_t job(std::size_t k, std::size_t d, std::int64_t x, const Path& path,
                                 const std::vector<std::optional<std::int64_t>>& reach, const Early& early) const {
    std::int64_t sum = 0;
    std::vector<std::int64_t> queued(F_[d].size(), 0);
    const auto pools = overlap(k);
    const std::int64_t from = std::max<std::int64_t>(0, lead(k, d));
    const bool loses = early.jobs > 0 && x >= from && x < from + early.jobs * T(d);
    for (std::size_t u = 0; u < F_[d].size(); ++u) {
      const std::size_t p = system_.dags[d].nodes[u].pool;
      if (!path.visits[p] || x < left_end(k, d, p, reach) || x >= F_[d][u]) continue;
      const std::int64_t cut = mutant_ == AlignedMutant::cut_late_jobs && x < 0 ? F_[d][u] + x : F_[d][u] - x;
      (loses && p == pools->second ? queued[u] : sum) += work(d, u, cut);
    }
    return loses ? sum + left_of(k, d, x, queued, path.E, early) : sum;
  }

  /// What a job's strands can still have executed while the path waits for the FIFO pool.
  [[nodiscard]] std::int64_t left_of(std::size_t k, std::size_t d, std::int64_t x, const std::vector<std::int64_t>& queued, std::int64_t E,
                                     const Early& early) const {
    const auto pools = overlap(k);
    const std::int64_t m = system_.pools[pools->first].capacity;
    const auto on_queue = [&](std::size_t u) { return system_.dags[d].nodes[u].pool == pools->second; };
    const auto in_root = [&](std::size_t u) {
      bool any = false;
      for (std::size_t q = 0; q < F_[d].size(); ++q) {
        if (on_queue(q) && !reaches_[d][u][q]) return false;
        any = any || on_queue(q);
      }
      return any;
    };
    const auto needed = [&](std::size_t u) {
      for (std::size_t q = u; q < F_[d].size(); ++q) {
        if (on_queue(q) && (q == u || reaches_[d][u][q])) return true;
      }
      return false;
    };
    std::vector<std::size_t> strand(F_[d].size());
    std::iota(strand.begin(), strand.end(), 0);
    std::vector<std::int64_t> root_path(F_[d].size(), 0), queue_path(F_[d].size(), 0);
    std::int64_t C_R = 0, GC = 0, F_R = std::numeric_limits<std::int64_t>::min();
    for (std::size_t u = 0; u < F_[d].size(); ++u) {
      for (const std::size_t w : before_[d][u]) {
        root_path[u] = std::max(root_path[u], root_path[w]);
        queue_path[u] = std::max(queue_path[u], queue_path[w]);
        if (!needed(u) || in_root(u) || in_root(w)) continue;
        std::ranges::replace(strand, strand[u], strand[w]);
      }
      if (on_queue(u)) queue_path[u] += e(d, u);
      GC = std::max(GC, queue_path[u]);
      if (!in_root(u)) continue;
      root_path[u] += e(d, u);
      C_R = std::max(C_R, root_path[u]);
      F_R = std::max(F_R, F_[d][u]);
    }
    if (mutant_ == AlignedMutant::no_GC) GC = 0;
    std::vector<std::int64_t> parts(F_[d].size(), 0);
    for (std::size_t u = 0; u < F_[d].size(); ++u) parts[strand[u]] += queued[u];
    std::ranges::sort(parts, std::greater());
    const bool root_over = x >= F_R || mutant_ == AlignedMutant::no_root;
    const std::int64_t first = std::max<std::int64_t>(0, E - GC) * den_ / m;
    const std::int64_t further = std::max<std::int64_t>(0, E - GC - (root_over ? 0 : C_R)) * den_ / m;
    // Whichever strands have some of it executed then: `j` of them, the largest.
    std::int64_t most = 0;
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      sum += parts[j];
      most = std::max(most, sum - first - std::min<std::int64_t>(static_cast<std::int64_t>(j), early.strands - 1) * further);
    }
    return most;
  }

  const analysis::path::System& system_;
  AlignedMutant mutant_;
  std::int64_t grid_;
  std::int64_t den_ = 1;
  std::vector<std::vector<std::vector<std::size_t>>> before_;
  std::vector<std::vector<std::vector<bool>>> reaches_;
  std::vector<std::vector<std::int64_t>> F_;
};

}  // namespace rta::test
