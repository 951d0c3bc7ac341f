// T10d and T12d by the letter: every path on its own, every phase. Slow; an oracle for the product's sums, and the place to break the
// theorem on purpose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

enum class WholeMutant : std::uint8_t {
  none,
  no_carry,       // jobs that were released before the one in question are forgotten
  early_end,      // what is carried in ends as soon as it can: after vol/m, not R
  no_path,        // all work over m, and nothing for the length of the path
  no_own,         // nodes of the job in question that are parallel to the path are forgotten
  one_processor,  // a DAG runs on one processor
  shared_chains,  // two chains of a DAG may have nodes in common
  left_alone,     // what a job has left by its age is as if it met no other jobs
  left_on_path,   // and as if it had no nodes but those of its longest path
  // Without preemption:
  fewer_pieces,   // a node whose predecessor was on the pool meets m - 2 pieces of less urgent work
  once,           // so many processors are blocked once, and no node of a path but the first
  no_first,       // j processors: the pieces that block the first node count no more than the others
  short_window,   // what is released at the instant at which the node has to start does not count
  no_own_pieces,  // less urgent nodes of the job in question are forgotten
  shortest,       // the shortest pieces block
  no_later,       // by points: what had started of later points is forgotten
  no_later_own,   // by points: the DAG's own later jobs are
  all_precede,    // by points: what precedes of a DAG is all that T10n counts, so that less of its pieces is left
  // With release jitter:
  on_time,      // releases of other DAGs are nominal ones
  own_on_time,  // the DAG's other jobs are T or more from the job in question
};
inline constexpr std::size_t whole_mutants = 20;

/// On pools of one to three processors, FIFO, GEL by DAG or fixed priorities with or without preemption.
class WholeOracle {
 public:
  using Ends = std::vector<std::vector<std::int64_t>>;  // DAG, node: ns

  WholeOracle(const analysis::path::System& system, WholeMutant mutant) : system_(system), mutant_(mutant) {
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

  /// Rounded up; the path term with its least unit of time where v has length 0.
  [[nodiscard]] std::int64_t right_hand_side(std::size_t k, std::size_t v, const Ends& F) const {
    set_ends_as_soon(F);
    std::int64_t least = most_over_paths(k, v, 0, F);
    const std::size_t p = node(k, v).pool;
    bool alone = is_non_preemptive(p);
    for (std::size_t q = 0; q < system_.dags[k].nodes.size(); ++q) alone = alone && (!before_[k][q][v] || node(k, q).pool == p);
    for (std::int64_t j = 1; alone && j < system_.pools[p].capacity; ++j) least = std::min(least, most_over_paths(k, v, j, F));
    if (system_.dags[k].nodes[v].e.count() == 0) ++least;
    return (least + parts - 1) / parts;
  }

 private:
  static constexpr std::int64_t parts = 12;  // of a ns: all capacities divide it, and j (m - 1) for j < m

  [[nodiscard]] bool is_non_preemptive(std::size_t p) const {
    return by_points(p) || system_.pools[p].order == analysis::path::Order::fixed_non_preemptive;
  }
  /// Without preemption.
  [[nodiscard]] bool by_points(std::size_t p) const { return system_.pools[p].order == analysis::path::Order::gel_non_preemptive; }

  /// `j` processors in place of all of the only pool; 0: all.
  [[nodiscard]] std::int64_t most_over_paths(std::size_t k, std::size_t v, std::int64_t j, const Ends& F) const {
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    std::vector<std::size_t> path{v};
    const std::function<void()> extend = [&] {
      bool source = true;
      for (const auto& edge : system_.dags[k].edges) {
        if (edge.to != path.back()) continue;
        source = false;
        path.push_back(edge.from);
        extend();
        path.pop_back();
      }
      if (source) most = std::max(most, along(path, k, v, j, F));
    };
    extend();
    return most;
  }

  [[nodiscard]] const analysis::path::Node& node(std::size_t d, std::size_t u) const { return system_.dags[d].nodes[u]; }
  [[nodiscard]] std::int64_t ready(std::size_t d, std::size_t u, const Ends& F) const {
    std::int64_t A = 0;
    for (const auto& edge : system_.dags[d].edges) A = edge.to == u ? std::max(A, F[d][edge.from]) : A;
    return A;
  }

  [[nodiscard]] std::int64_t along(const std::vector<std::size_t>& path, std::size_t k, std::size_t v, std::int64_t j,
                                   const Ends& F) const {
    std::int64_t sum = 0;
    for (const std::size_t q : path) {
      const std::int64_t m = system_.pools[node(k, q).pool].capacity;
      sum += parts * node(k, q).e.count() / (mutant_ == WholeMutant::no_path ? m : 1);
    }
    for (std::size_t p = 0; p < system_.pools.size(); ++p) {
      const auto here = [&](std::size_t q) { return node(k, q).pool == p; };
      if (!std::ranges::any_of(path, here)) continue;
      std::int64_t work = 0;
      for (std::size_t u = 0; u < system_.dags[k].nodes.size() && mutant_ != WholeMutant::no_own; ++u) {
        const bool on_path = std::ranges::find(path, u) != path.end();
        const bool runs = std::ranges::any_of(path, [&](std::size_t q) { return here(q) && beside(k, u, q); });
        if (here(u) && !on_path && runs) work += node(k, u).e.count();
      }
      const std::int64_t m = system_.pools[p].capacity;
      const std::int64_t processors = j > 0 ? j : m;
      sum += (work + others(path, k, v, p, processors, F)) * (parts / processors);
      if (is_non_preemptive(p)) sum += blocking(path, k, v, p, processors, F);
    }
    return sum;
  }

  /// (j/m) X + ((j-1)/(m-1)) Y, over j.
  [[nodiscard]] std::int64_t blocking(const std::vector<std::size_t>& path, std::size_t k, std::size_t v, std::size_t p, std::int64_t j,
                                      const Ends& F) const {
    const std::int64_t m = system_.pools[p].capacity;
    std::int64_t fresh = 0;
    std::int64_t met = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (node(k, path[i]).pool != p) continue;
      const bool follows = i + 1 < path.size() && node(k, path[i + 1]).pool == p;
      fresh += follows ? 0 : m;
      met += !follows ? m : mutant_ == WholeMutant::fewer_pieces ? std::max<std::int64_t>(0, m - 2) : m - 1;
    }
    if (mutant_ == WholeMutant::once) met = fresh = m;
    const std::vector<std::int64_t> most = longest_pieces(k, v, p, met, j, F);
    const std::int64_t X = most[static_cast<std::size_t>(fresh)];
    const std::int64_t Y = most[static_cast<std::size_t>(met)] - X;
    if (m == 1) return parts * (X + Y);
    const std::int64_t later = parts * (j - 1) / (j * (m - 1));
    return (mutant_ == WholeMutant::no_first ? later : parts / m) * X + later * Y;
  }

  /// For every n up to `most`, the sum of the n longest pieces of less urgent work that the theorem allows.
  [[nodiscard]] std::vector<std::int64_t> longest_pieces(std::size_t k, std::size_t v, std::size_t p, std::int64_t most,
                                                         std::int64_t processors, const Ends& F) const {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(most) + 1, 0);
    std::vector<std::size_t> waits;
    std::uint32_t most_urgent = 0;
    std::int64_t a = 0;
    for (std::size_t q = 0; q < system_.dags[k].nodes.size(); ++q) {
      if (node(k, q).pool != p || (q != v && !before_[k][q][v])) continue;
      waits.push_back(q);
      most_urgent = std::max(most_urgent, node(k, q).priority);
      a = std::max(a, ready(k, q, F));
    }
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      std::vector<std::int64_t> pieces;
      Chosen chosen;
      Chosen preceding;
      const std::int64_t later = (system_.dags[k].Y - system_.dags[d].Y).count();  // jobs released after that have later points
      for (std::size_t u = 0; u < system_.dags[d].nodes.size(); ++u) {
        if (node(d, u).pool != p || node(d, u).e.count() == 0) continue;
        if (by_points(p)) {
          const std::int64_t T = system_.dags[d].T.count();
          const std::int64_t length = a - std::max(later, -F[d][u]);
          const std::int64_t own = mutant_ == WholeMutant::no_later_own ? 0 : a / T;
          const std::int64_t n = d == k ? own : length > 0 ? (length - 1) / T + 1 : 0;
          for (std::int64_t i = 0; i < std::min(n, most); ++i) pieces.push_back(node(d, u).e.count());
          chosen.emplace_back(u, std::max(a, *lim(d, u, k, v, F)));
          preceding.emplace_back(u, *lim(d, u, k, v, F));
          continue;
        }
        if (node(d, u).priority >= most_urgent) continue;
        const bool beside = d == k && std::ranges::any_of(waits, [&](std::size_t q) {
                              return u != q && node(k, u).priority < node(k, q).priority && !before_[k][u][q] && !before_[k][q][u];
                            });
        if (d == k && mutant_ == WholeMutant::no_own_pieces) continue;
        chosen.emplace_back(u, a);
        const std::int64_t n = jobs_of(d, u, a, d == k, F) + (beside ? 1 : 0);
        for (std::int64_t i = 0; i < std::min(n, most); ++i) pieces.push_back(node(d, u).e.count());
      }
      std::ranges::sort(pieces, std::greater<>());
      if (mutant_ == WholeMutant::shortest) std::ranges::reverse(pieces);
      std::int64_t cap = d == k ? std::numeric_limits<std::int64_t>::max() : of_dag(d, k, v, chosen, system_.pools[p].capacity, F);
      if (d != k && by_points(p)) {
        cap -= mutant_ == WholeMutant::all_precede ? counted_work(d, preceding, F) : of_dag(d, k, v, preceding, processors, F);
        cap = mutant_ == WholeMutant::no_later ? 0 : std::max<std::int64_t>(0, cap);
      }
      // Of this DAG some, of those before the rest.
      std::vector<std::int64_t> with = sums;
      std::int64_t sum = 0;
      for (std::size_t n = 1; n <= pieces.size(); ++n) {
        sum += pieces[n - 1];
        for (std::size_t all = n; all < sums.size(); ++all) with[all] = std::max(with[all], sums[all - n] + std::min(sum, cap));
      }
      sums = with;
    }
    return sums;
  }

  [[nodiscard]] bool beside(std::size_t k, std::size_t u, std::size_t q) const {
    if (u == q || before_[k][u][q] || before_[k][q][u]) return false;
    return !by_fixed_priority(system_.pools[node(k, q).pool].order) || node(k, u).priority >= node(k, q).priority;
  }

  /// Parts of the work, one per level of the path's DAG from the path's own least urgent node on; elsewhere one.
  [[nodiscard]] std::int64_t others(const std::vector<std::size_t>& path, std::size_t k, std::size_t v, std::size_t p,
                                    std::int64_t processors, const Ends& F) const {
    std::vector<std::uint32_t> levels;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    const bool fixed = by_fixed_priority(system_.pools[p].order);
    for (std::size_t u = 0; u < system_.dags[k].nodes.size() && fixed; ++u) {
      if (node(k, u).pool == p) levels.push_back(node(k, u).priority);
    }
    for (const std::size_t q : path) least = node(k, q).pool == p ? std::min(least, node(k, q).priority) : least;
    std::ranges::sort(levels);
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    if (!fixed) levels = {least = 0};
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (levels[i] < least) continue;
      const std::uint64_t next = i + 1 < levels.size() ? levels[i + 1] : std::numeric_limits<std::uint64_t>::max();
      for (std::size_t d = 0; d < system_.dags.size(); ++d) {
        Chosen chosen;
        for (std::size_t u = 0; u < system_.dags[d].nodes.size(); ++u) {
          if (node(d, u).pool != p || (fixed && (node(d, u).priority < levels[i] || node(d, u).priority >= next))) continue;
          if (const auto until = lim(d, u, k, v, F)) chosen.emplace_back(u, *until);
        }
        sum += of_dag(d, k, v, chosen, processors, F);
      }
    }
    return sum;
  }

  [[nodiscard]] std::optional<std::int64_t> lim(std::size_t d, std::size_t u, std::size_t k, std::size_t v, const Ends& F) const {
    using analysis::path::Order;
    const std::size_t p = node(d, u).pool;
    const auto& pool = system_.pools[p];
    std::optional<std::int64_t> most;
    for (std::size_t q = 0; q < system_.dags[k].nodes.size(); ++q) {
      if (node(k, q).pool != p || (v != all_nodes && q != v && !before_[k][q][v])) continue;
      const bool fixed = by_fixed_priority(pool.order);
      if (fixed && node(k, q).priority > node(d, u).priority) continue;
      const bool by_ready_time = pool.order == Order::fifo || (fixed && !pool.equals_any && node(k, q).priority == node(d, u).priority);
      const std::int64_t here = by_ready_time ? ready(k, q, F) : F[k][q];
      most = std::max(most.value_or(here), here);
    }
    if (most && (pool.order == Order::gel || by_points(p)))
      most = d == k ? 0 : std::min(*most, (system_.dags[k].Y - system_.dags[d].Y).count());
    return most;
  }

  /// The most of these nodes that do not wait for one another.
  [[nodiscard]] std::int64_t width(std::size_t d, const std::vector<std::size_t>& nodes, std::uint32_t of) const {
    std::int64_t most = 0;
    for (std::uint32_t set = of; set > 0; set = (set - 1) & of) {
      std::int64_t count = 0;
      bool apart = true;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if ((set >> i & 1U) == 0) continue;
        ++count;
        for (std::size_t j = 0; j < nodes.size(); ++j) apart = apart && ((set >> j & 1U) == 0 || !before_[d][nodes[i]][nodes[j]]);
      }
      if (apart) most = std::max(most, count);
    }
    return most;
  }

  using Chosen = std::vector<std::pair<std::size_t, std::int64_t>>;  // nodes, and by when jobs of which they count are released

  /// Of jobs other than the one in question.
  [[nodiscard]] std::int64_t jobs_of(std::size_t d, std::size_t u, std::int64_t until, bool own, const Ends& F) const {
    const std::int64_t T = system_.dags[d].T.count();
    const std::int64_t J = lateness(d, own);
    const auto jobs = [&](std::int64_t length) { return length > 0 ? (length - 1) / T + 1 : 0; };
    if (J > 0 && !own) return F[d][u] + until > 0 ? jobs(F[d][u] + until + J) : 0;
    std::int64_t most = 0;
    for (std::int64_t z = 0; z <= J && J > 0; ++z) {
      const std::int64_t later = z + until >= 0 ? (z + until) / T : 0;
      most = std::max(most, jobs(std::min(z + until, -T) - z + F[d][u] + J) + later);
    }
    if (J > 0) return most;
    return own ? std::max<std::int64_t>(0, jobs(F[d][u]) - 1) + until / T : jobs(F[d][u] + until);
  }

  [[nodiscard]] std::int64_t lateness(std::size_t d, bool own) const {
    return mutant_ == (own ? WholeMutant::own_on_time : WholeMutant::on_time) ? 0 : system_.dags[d].J.count();
  }

  /// T10n's, of a DAG that is not the one in question.
  [[nodiscard]] std::int64_t counted_work(std::size_t d, const Chosen& chosen, const Ends& F) const {
    std::int64_t sum = 0;
    for (const auto& [u, until] : chosen) sum += jobs_of(d, u, until, false, F) * node(d, u).e.count();
    return sum;
  }

  [[nodiscard]] std::int64_t window(std::size_t k, std::size_t v, const Ends& F) const {
    if (!is_non_preemptive(node(k, v).pool)) return F[k][v];
    return F[k][v] - std::max<std::int64_t>(node(k, v).e.count(), 1) + (mutant_ == WholeMutant::short_window ? 0 : 1);
  }

  [[nodiscard]] std::int64_t of_dag(std::size_t d, std::size_t k, std::size_t v, const Chosen& chosen, std::int64_t m,
                                    const Ends& F) const {
    const std::int64_t T = system_.dags[d].T.count();
    const std::int64_t L = v == all_nodes ? *std::ranges::max_element(F[k]) : window(k, v, F);
    std::vector<std::size_t> counted_nodes;
    std::int64_t V = 0;
    std::int64_t end = 0;
    std::int64_t counted = 0;
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const auto& [u, until] : chosen) {
      if (node(d, u).e.count() == 0) continue;
      const std::int64_t n = jobs_of(d, u, until, d == k, F);
      if (n == 0) continue;
      counted += n * node(d, u).e.count();
      counted_nodes.push_back(u);
      V += node(d, u).e.count();
      end = std::max(end, F[d][u]);
      last = std::max(last, until);
    }
    if (counted == 0) return 0;
    const std::int64_t processors = mutant_ == WholeMutant::one_processor ? 1 : m;
    if (mutant_ == WholeMutant::early_end) end = (V + m - 1) / m;
    // In a time of t one job does no more than this: of any of its nodes as many at once as do not wait for one another, of the others all.
    // Halves of a ns.
    std::vector<std::pair<std::int64_t, std::int64_t>> limits{{0, processors}};  // work, and for every instant
    std::int64_t longest = 0;
    for (std::uint32_t set = 0; set < (1U << counted_nodes.size()); ++set) {
      std::int64_t rest = 2 * V;
      for (std::size_t i = 0; i < counted_nodes.size(); ++i) rest -= (set >> i & 1U) != 0 ? 2 * node(d, counted_nodes[i]).e.count() : 0;
      limits.emplace_back(rest, width(d, counted_nodes, set));
      if (limits.back().second == 1) longest = std::max(longest, 2 * V - rest);
    }
    if (mutant_ == WholeMutant::shared_chains) limits.emplace_back(std::max<std::int64_t>(0, 2 * V - 4 * longest), 2);
    const auto within = [&](std::int64_t t) {
      std::int64_t least = 2 * V;
      for (const auto& [work, rate] : limits) least = std::min(least, work + rate * t);
      return least;
    };
    const auto of_release = [&](std::int64_t x) -> std::int64_t {
      if (x > last || (x < 0 && mutant_ == WholeMutant::no_carry)) return 0;
      const std::int64_t most = within(2 * std::max<std::int64_t>(0, std::min(x + end, L) - std::max<std::int64_t>(x, 0)));
      return x < 0 && d != k && E_[d] > 0 ? std::min(most, left(d, 2 * x + E_[d])) : most;
    };
    const std::int64_t J = lateness(d, d == k);
    const std::int64_t from = -end - J;
    std::vector<std::int64_t> at;  // of releases from there on
    for (std::int64_t x = from; x < L + J; ++x) at.push_back(of_release(x));
    const auto sum = [&](std::int64_t phase) {
      std::int64_t work = 0;
      for (std::int64_t y = phase - (phase - from) / T * T; y < L; y += T) {  // nominal
        const auto first = at.begin() + (y - from);
        if (d != k || y != phase) work += *std::max_element(first, first + J + 1);
      }
      return work;
    };
    std::int64_t most = 0;
    for (std::int64_t phase = d == k ? -J : 0; phase < (d == k ? 1 : T); phase += d == k ? 1 : 2) {
      most = std::max(most, (sum(phase) + 1) / 2);
    }
    return std::min(most, counted);
  }

  static constexpr std::size_t all_nodes = SIZE_MAX;  // in place of one and what is before it

  /// E_, the most urgent first: DAGs with all nodes on one pool, which wait for one another in one order.
  void set_ends_as_soon(const Ends& F) const {
    E_.assign(system_.dags.size(), 0);
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::size_t p = node(d, 0).pool;
      const bool alike = std::ranges::all_of(system_.dags[d].nodes, [&](const auto& of) {
        return of.pool == p && (!by_fixed_priority(system_.pools[p].order) || of.priority == node(d, 0).priority);
      });
      if (alike && !is_non_preemptive(p)) order.push_back(d);
    }
    const auto priority = [&](std::size_t d) { return by_fixed_priority(system_.pools[node(d, 0).pool].order) ? node(d, 0).priority : 0; };
    std::ranges::stable_sort(order, std::greater<>(), priority);
    for (std::size_t i = 0; i < order.size();) {
      std::vector<std::int64_t> E;
      for (std::size_t j = i; j < order.size() && priority(order[j]) == priority(order[i]); ++j) E.push_back(end_as_soon(order[j], F));
      for (const std::int64_t of : E) E_[order[i++]] = of;
    }
  }
  /// When each node ends on infinitely many processors.
  [[nodiscard]] std::vector<std::int64_t> as_soon(std::size_t d) const {
    std::vector<std::int64_t> end(system_.dags[d].nodes.size(), 0);
    for (std::size_t round = 0; round < end.size(); ++round) {
      for (std::size_t u = 0; u < end.size(); ++u) {
        std::int64_t start = 0;
        for (const auto& edge : system_.dags[d].edges) start = edge.to == u ? std::max(start, end[edge.from]) : start;
        end[u] = start + node(d, u).e.count();
      }
    }
    return end;
  }
  /// Halves of a ns.
  [[nodiscard]] std::int64_t end_as_soon(std::size_t d, const Ends& F) const {
    const std::size_t p = node(d, 0).pool;
    const std::vector<std::int64_t> end = as_soon(d);
    const std::int64_t longest = *std::ranges::max_element(end);
    std::int64_t V = 0;
    for (const auto& of : system_.dags[d].nodes) V += of.e.count();
    std::int64_t work = mutant_ == WholeMutant::left_on_path ? 0 : V - longest;
    for (std::size_t i = 0; i < system_.dags.size() && mutant_ != WholeMutant::left_alone; ++i) {
      Chosen chosen;
      for (std::size_t u = 0; u < system_.dags[i].nodes.size(); ++u) {
        if (node(i, u).pool != p) continue;
        if (const auto until = lim(i, u, d, all_nodes, F)) chosen.emplace_back(u, *until);
      }
      work += of_dag(i, d, all_nodes, chosen, system_.pools[p].capacity, F);
    }
    const std::int64_t m = system_.pools[p].capacity;
    return V > 0 ? 2 * longest + (2 * work + m - 1) / m : 0;
  }
  /// Of a job, so long before E, halves.
  [[nodiscard]] std::int64_t left(std::size_t d, std::int64_t y) const {
    const std::vector<std::int64_t> end = as_soon(d);
    const std::int64_t longest = *std::ranges::max_element(end);
    std::int64_t work = 0;
    for (std::size_t u = 0; u < end.size(); ++u) {
      work += std::clamp<std::int64_t>(2 * (end[u] - longest) + y, 0, 2 * node(d, u).e.count());
    }
    return work;
  }

  const analysis::path::System& system_;
  WholeMutant mutant_;
  std::vector<std::vector<std::vector<bool>>> before_;
  mutable std::vector<std::int64_t> E_;  // of the F that is asked about
};

}  // namespace rta::test
