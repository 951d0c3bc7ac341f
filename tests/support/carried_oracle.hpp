// T10c by the letter of docs/theory/path.md, beside T10n, on preemptive GEL pools by DAG and FIFO pools: every path on its own, sums as
// exact fractions. An oracle for the product, and the place to break the theorem on purpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

enum class CarriedMutant : std::uint8_t {
  none,
  nothing_left,     // jobs from before the pool was busy have nothing left: no carry at all
  node_alone,       // second form: a node's descendants are forgotten
  one_chain_less,   // second form: c - 2 chains
  latest_job_only,  // first form: of the jobs from before, only the latest
  no_lead,          // points count as equal where those of the other DAG are earlier
  descendants_too,  // v's own strict descendants count as v's: v itself is taken off, too
  busy_at_release,  // third form: x = 0 alone
  busy_ready,       // third form: b is when the last node is ready
  busy_no_rest,     // third form: of DAGs that visit other pools, too, nothing is left from before
  in_fractions,     // no third form: sound, and never less
};
inline constexpr std::size_t carried_mutants = 11;

class CarriedOracle {
 public:
  using Ends = std::vector<std::vector<std::int64_t>>;
  explicit CarriedOracle(const analysis::path::System& system, CarriedMutant mutant = CarriedMutant::none)
      : system_(system), mutant_(mutant) {
    for (const auto& pool : system.pools) denominator_ = std::lcm(denominator_, std::int64_t{pool.capacity});
    for (const auto& dag : system.dags) {
      const std::size_t n = dag.nodes.size();
      auto& before = before_.emplace_back(n);
      for (const auto& edge : dag.edges) before[edge.to].push_back(edge.from);
      auto& reaches = reaches_.emplace_back(n, std::vector<bool>(n, false));
      for (std::size_t round = 0; round < n; ++round) {
        for (const auto& edge : dag.edges) {
          reaches[edge.from][edge.to] = true;
          for (std::size_t w = 0; w < n; ++w) {
            if (reaches[edge.to][w]) reaches[edge.from][w] = true;
          }
        }
      }
    }
  }

  /// F per DAG and node by the smaller of T10n and T10c per node and pool, ns; nothing past `limit`.
  std::optional<Ends> nodes(std::int64_t limit) {
    F_.clear();
    for (std::size_t k = 0; k < system_.dags.size(); ++k) {
      F_.emplace_back();
      for (std::size_t v = 0; v < size(k); ++v) F_[k].push_back(execution(k, v));
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < F_.size(); ++k) {
        for (std::size_t v = 0; v < size(k); ++v) {
          const std::int64_t next = right_hand_side(k, v);
          if (next <= F_[k][v]) continue;
          F_[k][v] = next;
          changed = true;
          if (next > limit) return std::nullopt;
        }
      }
    }
    return F_;
  }

  /// From `F`, which satisfies it, as far down as its right-hand sides go.
  Ends down_from(const Ends& F) {
    F_ = F;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < F_.size(); ++k) {
        for (std::size_t v = 0; v < size(k); ++v) {
          const std::int64_t next = right_hand_side(k, v);
          changed = changed || next < F_[k][v];
          F_[k][v] = std::min(F_[k][v], next);
        }
      }
    }
    return F_;
  }

  /// Whether `F` satisfies it.
  bool holds(const Ends& F) {
    F_ = F;
    for (std::size_t k = 0; k < F_.size(); ++k) {
      for (std::size_t v = 0; v < size(k); ++v) {
        if (F_[k][v] < right_hand_side(k, v)) return false;
      }
    }
    return true;
  }

  virtual ~CarriedOracle() = default;

 protected:
  [[nodiscard]] std::size_t size(std::size_t k) const { return system_.dags[k].nodes.size(); }
  [[nodiscard]] const analysis::path::Node& node(std::size_t k, std::size_t v) const { return system_.dags[k].nodes[v]; }
  [[nodiscard]] std::int64_t work(std::size_t k, std::size_t v) const { return static_cast<std::int64_t>(node(k, v).vol); }
  [[nodiscard]] std::int64_t period(std::size_t d) const { return system_.dags[d].T.count(); }
  static std::int64_t jobs(std::int64_t length, std::int64_t T) { return length <= 0 ? 0 : (length - 1) / T + 1; }

  std::int64_t execution(std::size_t k, std::size_t v) const {
    std::int64_t most = 0;
    for (const std::size_t w : before_[k][v]) most = std::max(most, execution(k, w));
    return most + node(k, v).e.count();
  }

  std::int64_t ready(std::size_t k, std::size_t q) const {
    std::int64_t A = 0;
    for (const std::size_t w : before_[k][q]) A = std::max(A, F_[k][w]);
    return A;
  }

  std::int64_t right_hand_side(std::size_t k, std::size_t v) {
    std::int64_t most = 0;
    std::vector<std::size_t> path{v};
    const std::function<void()> extend = [&] {
      const auto& before = before_[k][path.back()];
      for (const std::size_t w : before) {
        path.push_back(w);
        extend();
        path.pop_back();
      }
      if (before.empty()) most = std::max(most, length(k, v, path));
    };
    extend();
    return (most + denominator_ - 1) / denominator_;
  }

  // In 1/denominator_ ns.
  std::int64_t length(std::size_t k, std::size_t v, const std::vector<std::size_t>& path) {
    std::int64_t sum = 0;
    std::vector<bool> visited(system_.pools.size(), false);
    for (const std::size_t q : path) {
      const std::int64_t scale = denominator_ / system_.pools[node(k, q).pool].capacity;
      sum += node(k, q).e.count() * denominator_ - static_cast<std::int64_t>(node(k, q).s) * scale;
      visited[node(k, q).pool] = true;
    }
    for (std::size_t p = 0; p < visited.size(); ++p) {
      if (!visited[p]) continue;
      std::int64_t here = counted(k, v, p);
      if (system_.pools[p].order == analysis::path::Order::gel) here = std::min(here, left(k, v, p, here));
      sum += here * (denominator_ / system_.pools[p].capacity);
    }
    return sum;
  }

  // T10n.
  std::int64_t counted(std::size_t k, std::size_t v, std::size_t p) const {
    const bool fifo = system_.pools[p].order == analysis::path::Order::fifo;
    std::int64_t reach = 0;
    for (std::size_t q = 0; q < size(k); ++q) {
      if (node(k, q).pool == p && (q == v || reaches_[k][q][v])) reach = std::max(reach, fifo ? ready(k, q) : F_[k][q]);
    }
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = period(d);
      for (std::size_t u = 0; u < size(d); ++u) {
        if (node(d, u).pool != p) continue;
        const std::int64_t lead = system_.dags[k].Y.count() - system_.dags[d].Y.count();
        std::int64_t n = jobs(F_[d][u] + (fifo ? reach : std::min(reach, lead)), T);
        if (d == k) n = std::max<std::int64_t>(0, jobs(F_[d][u], T) - 1) + (reaches_[k][v][u] ? 0 : 1) + (fifo ? reach / T : 0);
        sum += n * work(d, u);
      }
    }
    return sum;
  }

  // T10c: W less v's strict descendants, rounded up; more than `than` where it is no less.
  std::int64_t left(std::size_t k, std::size_t v, std::size_t p, std::int64_t than) const {
    std::int64_t alone = 0;
    std::int64_t together = chains(p);
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      std::int64_t delta = system_.dags[k].Y.count() - system_.dags[d].Y.count();
      if (mutant_ == CarriedMutant::no_lead) delta = std::min<std::int64_t>(delta, 0);
      const std::int64_t G = by_age(d, p, delta);
      alone += G;
      together += is_whole(d, p) ? since(d, p, delta + period(d)) : G;
    }
    std::int64_t after = 0;
    for (std::size_t u = 0; u < size(k); ++u) {
      const bool off = reaches_[k][v][u] || (mutant_ == CarriedMutant::descendants_too && u == v);
      if (node(k, u).pool == p && off) after += work(k, u);
    }
    const std::int64_t least = std::min(alone, together);
    if (mutant_ == CarriedMutant::in_fractions) return least - after;
    return std::min(least, busy(k, p, than + after)) - after;
  }

  // Third form: a DAG that is wholly on the pool, or a node of another one, and the windows [-lim, F + x] of its releases.
  struct Part {
    std::int64_t F = 0;  // 0 for DAGs that are wholly there
    std::int64_t lim = 0;
    std::int64_t T = 1;
    std::int64_t C = 0;
  };
  static std::int64_t count(const Part& part, std::int64_t x) { return jobs(part.F + x + part.lim + 1, part.T); }

  std::vector<Part> parts(std::size_t k, std::size_t p) const {
    std::int64_t b = 0;
    for (std::size_t q = 0; q < size(k); ++q) {
      if (node(k, q).pool == p) b = std::max(b, mutant_ == CarriedMutant::busy_ready ? ready(k, q) : F_[k][q]);
    }
    std::vector<Part> all;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      std::int64_t lim = std::min(b, system_.dags[k].Y.count() - system_.dags[d].Y.count());
      if (mutant_ == CarriedMutant::no_lead) lim = std::min<std::int64_t>(lim, 0);
      for (std::size_t u = 0; u < size(d); ++u) {
        if (node(d, u).pool != p || work(d, u) == 0) continue;
        const bool alone = is_whole(d, p) || mutant_ == CarriedMutant::busy_no_rest || mutant_ == CarriedMutant::nothing_left;
        all.push_back({alone ? 0 : F_[d][u], lim, period(d), work(d, u)});
      }
    }
    return all;
  }

  // The largest over x of the carry and what counts, less c x: where something more counts, up to a common multiple of the periods or four
  // of the longest, and then for all longer x the parts' jobs in fractions, which grow no faster than c x. At least `than` where x = 0
  // already says so.
  [[nodiscard]] virtual std::int64_t busy(std::size_t k, std::size_t p, std::int64_t than) const {
    const std::vector<Part> all = parts(k, p);
    const std::int64_t c = processors(p);
    std::int64_t sum = chains(p);
    std::int64_t X = 0;
    std::int64_t H = 1;
    std::vector<std::pair<std::int64_t, std::int64_t>> more;  // x, and what counts from there on
    for (const Part& part : all) {
      sum += count(part, 0) * part.C;
      X = std::max(X, 4 * part.T);
      H = std::lcm(H, part.T);
    }
    if (mutant_ == CarriedMutant::busy_at_release || sum >= than) return sum;
    for (const Part& part : all) {
      for (std::int64_t n = count(part, 0);; ++n) {
        const std::int64_t x = n * part.T - part.F - part.lim;
        if (x > X) break;
        more.emplace_back(x, part.C);
      }
    }
    std::ranges::sort(more);
    std::int64_t most = sum;
    for (const auto& [x, C] : more) {
      sum += C;
      most = std::max(most, sum - c * x);
    }
    if (H <= X) return most;
    std::int64_t beyond = chains(p) - c * X;
    for (const Part& part : all) {
      const std::int64_t length = part.F + X + part.lim + part.T;
      if (length > 0) beyond += (part.C * length + part.T - 1) / part.T;
    }
    return std::max(most, beyond);
  }

  bool is_whole(std::size_t d, std::size_t p) const {
    return std::ranges::all_of(system_.dags[d].nodes, [&](const auto& node) { return node.pool == p; });
  }

  // C(d) max(0, length/T), rounded up.
  std::int64_t since(std::size_t d, std::size_t p, std::int64_t length) const {
    std::int64_t C = 0;
    for (std::size_t u = 0; u < size(d); ++u) C += node(d, u).pool == p ? work(d, u) : 0;
    return length <= 0 ? 0 : (C * length + period(d) - 1) / period(d);
  }

  // G_d: the age of the latest job is in [from, to), between two ages at which some node's last job must have ended.
  std::int64_t by_age(std::size_t d, std::size_t p, std::int64_t delta) const {
    const std::int64_t T = period(d);
    std::vector<std::int64_t> ages{0, T};
    for (std::size_t u = 0; u < size(d); ++u) {
      for (std::int64_t age = F_[d][u]; age > 0; age -= T) {
        if (age < T) ages.push_back(age);
      }
    }
    std::ranges::sort(ages);
    std::int64_t most = 0;
    for (std::size_t i = 0; i + 1 < ages.size(); ++i) {
      if (ages[i] == ages[i + 1]) continue;
      std::int64_t rest = 0;
      for (std::size_t u = 0; u < size(d); ++u) {
        if (node(d, u).pool != p) continue;
        for (std::int64_t age = ages[i]; age < F_[d][u]; age += T) {
          if (mutant_ == CarriedMutant::nothing_left) break;
          rest += work(d, u);
          if (mutant_ == CarriedMutant::latest_job_only) break;
        }
      }
      most = std::max(most, rest + since(d, p, delta + ages[i + 1]));
    }
    return most;
  }

  // The c - 1 largest of the numbers Dw, each as often as its node may be unfinished.
  std::int64_t chains(std::size_t p) const {
    if (mutant_ == CarriedMutant::nothing_left) return 0;
    std::vector<std::int64_t> all;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      for (std::size_t a = 0; a < size(d); ++a) {
        if (node(d, a).pool != p) continue;
        if (!is_whole(d, p) || work(d, a) == 0) continue;
        std::int64_t chain = work(d, a);
        for (std::size_t u = 0; u < size(d) && mutant_ != CarriedMutant::node_alone; ++u) chain += reaches_[d][a][u] ? work(d, u) : 0;
        all.insert(all.end(), static_cast<std::size_t>(jobs(F_[d][a], period(d))), chain);
      }
    }
    std::ranges::sort(all, std::greater());
    const std::int64_t c = processors(p);
    const std::int64_t count =
        std::min<std::int64_t>(c - (mutant_ == CarriedMutant::one_chain_less ? 2 : 1), static_cast<std::int64_t>(all.size()));
    return count <= 0 ? 0 : std::accumulate(all.begin(), all.begin() + count, std::int64_t{0});
  }

  // ceil(U).
  std::int64_t processors(std::size_t p) const {
    long double U = 0;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      for (std::size_t a = 0; a < size(d); ++a) {
        if (node(d, a).pool == p) U += static_cast<long double>(work(d, a)) / static_cast<long double>(period(d));
      }
    }
    std::int64_t c = 0;
    while (static_cast<long double>(c) < U - 1e-12L) ++c;
    return c;
  }

  const analysis::path::System& system_;
  Ends F_;

 private:
  CarriedMutant mutant_;
  std::int64_t denominator_ = 1;
  std::vector<std::vector<std::vector<std::size_t>>> before_;
  std::vector<std::vector<std::vector<bool>>> reaches_;
};

}  // namespace rta::test
