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
#include "support/strands_oracle.hpp"

namespace rta::test {

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
      auto& chains = chains_.emplace_back();
      for (std::size_t p = 0; p < system.pools.size(); ++p) chains.push_back(chains_on(chains_.size() - 1, p));
      auto& visits = visits_.emplace_back();
      for (std::size_t v = 0; v < n; ++v) {
        visits.emplace_back(system.pools.size(), 0);
        for (const std::size_t w : before[v]) {
          for (std::size_t p = 0; p < system.pools.size(); ++p) visits[v][p] = std::max(visits[v][p], visits[w][p]);
        }
        ++visits[v][dag.nodes[v].pool];
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
    std::vector<bool> visits;        // pools
    std::int64_t length = 0;         // sum of e - s/cap, 1/den ns
    std::int64_t E = 0;              // ns; 0 where T10v takes nothing off
    std::vector<std::size_t> turns;  // pool -> the most nodes of it that a path to v has; none: turns do not count
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
    Path path{std::vector<bool>(system_.pools.size(), false), 0, 0, visits_[k][v]};
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
    // T10a with its turns, or T10v without.
    const std::int64_t E = std::exchange(path.E, 0);
    const std::int64_t aligned = waiting(k, v, path, reach);
    if (E == 0) return path.length + aligned;
    if (mutant_ != AlignedMutant::turns_and_strands) path.turns.clear();
    path.E = E;
    return path.length + std::min(aligned, waiting(k, v, path, reach));
  }

  [[nodiscard]] std::int64_t waiting(std::size_t k, std::size_t v, const Path& path,
                                     const std::vector<std::optional<std::int64_t>>& reach) const {
    std::int64_t all = 0;
    std::int64_t last = 0;
    for (std::size_t u = 0; u < F_[k].size(); ++u) last = std::max(last, F_[k][u]);
    all += own(k, path, [&](std::size_t u) { return reaches_[k][v][u] ? 0 : work(k, u, e(k, u)); });
    for (std::int64_t x = T(k); x < last; x += T(k)) {
      all += own(k, path, [&](std::size_t u) { return x < F_[k][u] ? work(k, u, F_[k][u] - x) : 0; });
    }
    for (std::size_t p = 0; p < reach.size(); ++p) {
      if (!path.visits[p] || gel(p)) continue;
      const auto whole = [&](std::size_t u) { return system_.dags[k].nodes[u].pool == p ? work(k, u, e(k, u)) : 0; };
      all += *reach[p] / T(k) * own(k, path, whole);
    }
    return all + others(k, path, reach);
  }

  /// Of the DAG's own jobs: what `work` says of each node on the pools of the path, in turns.
  template <class Work>
  [[nodiscard]] std::int64_t own(std::size_t k, const Path& path, const Work& work) const {
    std::vector<std::int64_t> of(F_[k].size(), 0);
    for (std::size_t u = 0; u < of.size(); ++u) {
      const auto& node = system_.dags[k].nodes[u];
      if (path.visits[node.pool] && node.vol > 0) of[u] = work(u);
    }
    return in_turns(k, of, path);
  }

  /// Of each chain on a FIFO pool as many nodes as the path has turns there.
  [[nodiscard]] std::int64_t in_turns(std::size_t d, const std::vector<std::int64_t>& work, const Path& path) const {
    if (path.turns.empty() && mutant_ != AlignedMutant::one_turn) return std::accumulate(work.begin(), work.end(), std::int64_t{0});
    std::int64_t sum = 0;
    for (std::size_t p = 0; p < system_.pools.size(); ++p) {
      const bool counts_all = path.turns.empty() || (gel(p) && mutant_ != AlignedMutant::turns_on_gel);
      std::size_t turns = counts_all ? work.size() : path.turns[p];
      if (mutant_ == AlignedMutant::one_turn && !gel(p)) turns = std::min<std::size_t>(turns, 1);
      for (const auto& chain : chains_[d][p]) sum += largest(chain, work, turns);
    }
    return sum;
  }

  static std::int64_t largest(const std::vector<std::size_t>& chain, const std::vector<std::int64_t>& work, std::size_t turns) {
    std::int64_t sum = 0;
    if (turns >= chain.size()) {
      for (const std::size_t u : chain) sum += work[u];
      return sum;
    }
    std::vector<std::int64_t> of;
    of.reserve(chain.size());
    for (const std::size_t u : chain) of.push_back(work[u]);
    std::ranges::sort(of, std::greater());
    return std::accumulate(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(turns), std::int64_t{0});
  }

  /// The DAG's nodes on a pool: with fewest ancestors first each joins the first chain whose last node is before it.
  [[nodiscard]] std::vector<std::vector<std::size_t>> chains_on(std::size_t d, std::size_t p) const {
    const std::size_t n = system_.dags[d].nodes.size();
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t v = 0; v < n; ++v) {
      if (system_.dags[d].nodes[v].pool != p) continue;
      std::int64_t ancestors = 0;
      for (std::size_t u = 0; u < n; ++u) ancestors += reaches_[d][u][v] ? 1 : 0;
      order.emplace_back(ancestors, v);
    }
    std::ranges::sort(order);
    std::vector<std::vector<std::size_t>> all;
    for (const auto& next : order) {
      const std::size_t v = next.second;
      const auto at = std::ranges::find_if(all, [&](const auto& chain) { return reaches_[d][chain.back()][v]; });
      if (at == all.end()) {
        all.push_back({v});
      } else {
        at->push_back(v);
      }
    }
    return all;
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
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t given = 0; given <= strands; ++given) {
      const auto most = static_cast<std::size_t>(given);
      std::vector<std::int64_t> rest(most + 1, 0);  // strands that are left -> the work of the DAGs so far
      for (std::size_t d = 0; d < F_.size(); ++d) {
        if (d == k) continue;
        const bool loses = strands > 0 && can_lose(d, *pools);
        const std::vector<std::int64_t> work = work_by_strands(k, d, path, reach, loses ? given : 0, given);
        std::vector<std::int64_t> sum(most + 1, std::numeric_limits<std::int64_t>::max());
        for (std::size_t left = 0; left <= most; ++left) {
          for (std::size_t used = 0; used <= left && used < work.size(); ++used)
            sum[left] = std::min(sum[left], work[used] + rest[left - used]);
        }
        rest = std::move(sum);
      }
      least = std::min(least, rest[most]);
    }
    return least;
  }

  /// By how many strands the DAG's jobs are given, up to `most`, of `given` in all: its least work.
  [[nodiscard]] std::vector<std::int64_t> work_by_strands(std::size_t k, std::size_t d, const Path& path,
                                                          const std::vector<std::optional<std::int64_t>>& reach, std::int64_t most,
                                                          std::int64_t given) const {
    std::vector<std::int64_t> work{least_together(k, d, path, reach)};
    if (most > 0 && mutant_ == AlignedMutant::any_number) return {interference(k, d, path, reach, {1'000, 1'000, 0})};
    work.resize(static_cast<std::size_t>(most) + 1, work.front());
    for (std::int64_t n = 1; n <= most; ++n) {
      for (std::int64_t jobs = 1; jobs * n <= most; ++jobs) {
        std::int64_t& least = work[static_cast<std::size_t>(jobs * n)];
        least = std::min(least, interference(k, d, path, reach, {jobs, n, given}));
      }
    }
    return work;
  }

  [[nodiscard]] bool can_lose(std::size_t d, const std::pair<std::size_t, std::size_t>& pools) const {
    const auto& nodes = system_.dags[d].nodes;
    return std::ranges::all_of(nodes, [&](const auto& node) { return node.pool == pools.first || node.pool == pools.second; });
  }

  /// T30: the least over all choices of FIFO pools on which all jobs count together.
  [[nodiscard]] std::int64_t least_together(std::size_t k, std::size_t d, const Path& path,
                                            const std::vector<std::optional<std::int64_t>>& reach) const {
    std::vector<std::size_t> queues;
    for (std::size_t p = 0; p < reach.size(); ++p) {
      if (path.visits[p] && !gel(p) && !path.turns.empty()) queues.push_back(p);
    }
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t choice = 0; choice < std::size_t{1} << queues.size(); ++choice) {
      Path rest = path;
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < queues.size(); ++i) {
        if ((choice >> i & 1) == 0) continue;
        rest.visits[queues[i]] = false;
        sum += together(k, d, queues[i], path, reach);
      }
      least = std::min(least, sum + interference(k, d, rest, reach, {}));
    }
    return least;
  }

  [[nodiscard]] std::int64_t together(std::size_t k, std::size_t d, std::size_t p, const Path& path,
                                      const std::vector<std::optional<std::int64_t>>& reach) const {
    std::size_t turns = path.turns[p];
    if (mutant_ == AlignedMutant::one_turn) turns = std::min<std::size_t>(turns, 1);
    if (mutant_ == AlignedMutant::one_fewer_of_all) --turns;
    std::int64_t sum = 0;
    for (const auto& chain : chains_[d][p]) {
      std::int64_t end = 0;
      for (const std::size_t u : chain) end = std::max(end, system_.dags[d].nodes[u].vol > 0 ? F_[d][u] : 0);
      const bool all = end <= T(d) || mutant_ == AlignedMutant::of_all_at_once;
      std::vector<std::int64_t> parts;
      const auto take = [&] {
        std::ranges::sort(parts, std::greater());
        for (std::size_t i = 0; i < turns && i < parts.size(); ++i) sum += parts[i];
        parts.clear();
      };
      for (std::int64_t x = left_end(k, d, p, reach); x < end; x += T(d)) {
        for (const std::size_t u : chain) parts.push_back(x < F_[d][u] ? work(d, u, F_[d][u] - x) : 0);
        if (!all) take();
      }
      take();
    }
    return sum;
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
    counted_.assign(F_[d].size(), 0);
    queued_.assign(F_[d].size(), 0);
    const auto pools = overlap(k);
    const std::int64_t from = std::max<std::int64_t>(0, lead(k, d));
    const bool loses = early.jobs > 0 && x >= from && x < from + early.jobs * T(d);
    for (std::size_t u = 0; u < F_[d].size(); ++u) {
      const std::size_t p = system_.dags[d].nodes[u].pool;
      if (!path.visits[p] || x < left_end(k, d, p, reach) || x >= F_[d][u]) continue;
      const std::int64_t cut = mutant_ == AlignedMutant::cut_late_jobs && x < 0 ? F_[d][u] + x : F_[d][u] - x;
      (loses && p == pools->second ? queued_[u] : counted_[u]) = work(d, u, cut);
    }
    const std::int64_t sum = in_turns(d, counted_, path);
    if (!loses) return sum;
    const std::int64_t m = system_.pools[pools->first].capacity;
    const StrandsOracle strands(system_.dags[d], before_[d], reaches_[d], F_[d], pools->second, m, den_, mutant_);
    return sum + strands.left(x, queued_, path.E, early);
  }

  const analysis::path::System& system_;
  AlignedMutant mutant_;
  std::int64_t grid_;
  std::int64_t den_ = 1;
  std::vector<std::vector<std::vector<std::size_t>>> before_;
  std::vector<std::vector<std::vector<bool>>> reaches_;
  std::vector<std::vector<std::vector<std::vector<std::size_t>>>> chains_;  // DAG, pool
  std::vector<std::vector<std::vector<std::size_t>>> visits_;               // DAG, node, pool: the most nodes of a path to it
  std::vector<std::vector<std::int64_t>> F_;
  mutable std::vector<std::int64_t> counted_, queued_;  // of `job`, which is asked often
};

}  // namespace rta::test
