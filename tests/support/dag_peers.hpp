// Published acceptance tests for sporadic DAGs with D <= T on m processors, preemptive, global fixed priorities and G-EDF
// (docs/theory/hard.md): to see whether one of them accepts a set that the path bounds refuse.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

/// R = len + (vol - len)/m + (1/m) sum of what the others do in a window of R, DAG by DAG. All times are in 1/m ns, in which m processors
/// do 1 ns of work: nothing is rounded (the papers, whose time is whole, round the interference down).
class DagPeers {
 public:
  /// `dags` on one pool, all with e = C; `D` per DAG. The more urgent, the earlier in `dags`; under EDF the order does not matter.
  DagPeers(std::span<const analysis::path::Dag> dags, std::span<const Time> D, std::uint32_t m) : m_(m) {
    for (std::size_t d = 0; d < dags.size(); ++d) tasks_.push_back(task(dags[d], D[d].count()));
  }

  /// Melani et al. (ECRTS 2015), plain DAGs. R of each in 1/m ns, from the most urgent one to the first above its D.
  [[nodiscard]] std::vector<std::int64_t> melani_fp() const {
    return rising([&](const Task& i, std::int64_t R_i, std::int64_t L) { return work(i, R_i, L); });
  }
  /// The same under EDF: also no more than jobs with deadlines up to the one in question do.
  [[nodiscard]] std::vector<std::int64_t> melani_edf() const {
    std::vector<std::int64_t> R;
    for (const Task& task : tasks_) R.push_back(alone(task));
    for (bool again = true; again;) {
      again = false;
      for (std::size_t k = 0; k < tasks_.size(); ++k) {
        if (R[k] > tasks_[k].D) return {};
        std::int64_t next = alone(tasks_[k]);
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
          if (i != k) next += std::min(work(tasks_[i], R[i], R[k]), work_by_deadlines(tasks_[i], R[i], tasks_[k].D));
        }
        again = again || next > R[k];
        R[k] = std::max(R[k], next);
      }
    }
    return R;
  }
  /// Fonseca et al. (Real-Time Systems 2019), fixed priorities: what is carried in ends as the DAG on infinitely many processors does, what
  /// is carried out is the most that a job does in its first so much time. In its own words that is of a nested fork-join with fewer edges;
  /// here it is of the DAG itself, which is no more. `one_more`: with the jobs that its count leaves out (dag_peers_test.cpp).
  [[nodiscard]] std::vector<std::int64_t> fonseca_fp(bool one_more) const {
    return rising([&](const Task& i, std::int64_t R_i, std::int64_t L) { return carry_and_body(i, R_i, L, one_more); });
  }
  /// Its count of what jobs of DAG d do in a window of L that end within R; ns of work.
  [[nodiscard]] std::int64_t fonseca_work(std::size_t d, Time R, Time L, bool one_more) const {
    return carry_and_body(tasks_[d], m_ * R.count(), m_ * L.count(), one_more);
  }

  /// Serrano et al. (DATE 2016; LP-max, eager), fixed priorities, nodes are not preempted: Melani's, and the m longest less urgent nodes,
  /// no more than m of a DAG, once, and the m - 1 longest for every preemption: as many as more urgent jobs are released and as the DAG has
  /// nodes but one. As public programs have it; it is no bound (dag_peers_test.cpp). `each_node`: as many preemptions as nodes of a path
  /// but one, whatever is released.
  [[nodiscard]] std::vector<std::int64_t> serrano_fp(bool each_node) const {
    std::vector<std::int64_t> R;
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      const Task& task = tasks_[k];
      std::int64_t now = alone(task);
      for (std::int64_t before = -1; now > before && now <= task.D;) {
        before = now;
        std::int64_t preemptions = 0;
        for (std::size_t i = 0; i < k; ++i) preemptions += (before - 1) / tasks_[i].T + 1;
        preemptions = each_node ? task.on_path - 1 : std::min(preemptions, static_cast<std::int64_t>(task.longest.size()) - 1);
        now = alone(task) + longest_below(k, m_) + preemptions * longest_below(k, m_ - 1);
        for (std::size_t i = 0; i < k; ++i) now += work(tasks_[i], R[i], before);
      }
      if (now > task.D) break;
      R.push_back(now);
    }
    return R;
  }

  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] std::int64_t processors() const { return m_; }

 private:
  /// So many processors for so long.
  struct Block {
    std::int64_t width = 0;   // 1/m ns
    std::int64_t height = 0;  // processors
  };
  struct Task {
    std::int64_t vol = 0;  // ns of work
    std::int64_t len = 0;  // 1/m ns, as T and D
    std::int64_t T = 0;
    std::int64_t D = 0;
    std::vector<Block> as_soon = {};         // by time, on infinitely many processors
    std::vector<std::int64_t> chains = {};   // 0, K_1, K_2 ..., ns of work
    std::vector<std::int64_t> longest = {};  // nodes, the longest first, ns
    std::int64_t on_path = 0;                // nodes of a path at most
  };

  [[nodiscard]] Task task(const analysis::path::Dag& dag, std::int64_t D) const {
    Task task{.T = m_ * dag.T.count(), .D = m_ * D};
    const std::size_t n = dag.nodes.size();
    std::vector<std::int64_t> end(n, 0);
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
    // Edges lead to later nodes once nodes are sorted; relax until nothing changes, as they need not be.
    for (bool again = true; again;) {
      again = false;
      for (std::size_t v = 0; v < n; ++v) {
        std::int64_t start = 0;
        for (const auto& edge : dag.edges) {
          if (edge.to != v) continue;
          start = std::max(start, end[edge.from]);
          for (std::size_t u = 0; u < n; ++u) {
            if ((u != edge.from && !before[u][edge.from]) || before[u][v]) continue;
            before[u][v] = again = true;
          }
        }
        const std::int64_t next = start + m_ * dag.nodes[v].e.count();
        again = again || next != end[v];
        end[v] = next;
      }
    }
    std::vector<std::int64_t> depth(n, 1);
    for (std::size_t round = 0; round < n; ++round) {
      for (const auto& edge : dag.edges) depth[edge.to] = std::max(depth[edge.to], depth[edge.from] + 1);
    }
    task.on_path = *std::ranges::max_element(depth);
    for (const auto& node : dag.nodes) task.longest.push_back(node.e.count());
    std::ranges::sort(task.longest, std::greater<>());
    std::vector<std::int64_t> at{0};
    for (std::size_t v = 0; v < n; ++v) {
      task.vol += dag.nodes[v].e.count();
      task.len = std::max(task.len, end[v]);
      at.push_back(end[v]);
    }
    std::ranges::sort(at);
    for (std::size_t i = 1; i < at.size(); ++i) {
      Block block{at[i] - at[i - 1], 0};
      if (block.width == 0) continue;
      for (std::size_t v = 0; v < n; ++v) {
        if (end[v] - m_ * dag.nodes[v].e.count() <= at[i - 1] && end[v] >= at[i]) ++block.height;
      }
      task.as_soon.push_back(block);
    }
    task.chains = chains(dag, before);
    return task;
  }

  /// In a time of x a job does the least of V - K_j + j x over all j, K_j the most that j disjoint chains have, at most (Greene and
  /// Kleitman; Frank): by a cheapest flow from node to node, one unit through each.
  static std::vector<std::int64_t> chains(const analysis::path::Dag& dag, const std::vector<std::vector<bool>>& before) {
    struct Arc {
      std::size_t from = 0, to = 0;
      std::int64_t cost = 0;
      bool free = true;
    };
    const std::size_t n = dag.nodes.size();
    const std::size_t source = 2 * n;
    const std::size_t sink = source + 1;
    std::vector<Arc> arcs;  // each before its reverse
    const auto add = [&](std::size_t from, std::size_t to, std::int64_t cost) {
      arcs.push_back({from, to, cost, true});
      arcs.push_back({to, from, -cost, false});
    };
    for (std::size_t v = 0; v < n; ++v) {
      add(source, 2 * v, 0);
      add(2 * v, 2 * v + 1, -dag.nodes[v].e.count());
      add(2 * v + 1, sink, 0);
      for (std::size_t w = 0; w < n; ++w) {
        if (before[v][w]) add(2 * v + 1, 2 * w, 0);
      }
    }
    std::vector<std::int64_t> K{0};
    for (;;) {
      constexpr std::int64_t far = std::int64_t{1} << 60U;
      std::vector<std::int64_t> least(sink + 1, far);
      std::vector<std::size_t> by(sink + 1, 0);
      least[source] = 0;
      for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < arcs.size(); ++i) {
          const Arc& arc = arcs[i];
          if (!arc.free || least[arc.from] == far || least[arc.from] + arc.cost >= least[arc.to]) continue;
          least[arc.to] = least[arc.from] + arc.cost;
          by[arc.to] = i;
          again = true;
        }
      }
      if (least[sink] >= 0) return K;
      K.push_back(K.back() - least[sink]);
      for (std::size_t at = sink; at != source; at = arcs[by[at]].from) {
        arcs[by[at]].free = false;
        arcs[by[at] ^ 1U].free = true;
      }
    }
  }

  /// The `count` longest nodes of less urgent DAGs, no more than so many of each, ns.
  [[nodiscard]] std::int64_t longest_below(std::size_t k, std::int64_t count) const {
    std::vector<std::int64_t> all;
    for (std::size_t d = k + 1; d < tasks_.size(); ++d) {
      for (std::size_t i = 0; i < tasks_[d].longest.size() && i < static_cast<std::size_t>(count); ++i) all.push_back(tasks_[d].longest[i]);
    }
    std::ranges::sort(all, std::greater<>());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < all.size() && i < static_cast<std::size_t>(count); ++i) sum += all[i];
    return sum;
  }

  /// len + (vol - len)/m.
  [[nodiscard]] std::int64_t alone(const Task& task) const { return task.len + task.vol - task.len / m_; }

  template <class Work>
  [[nodiscard]] std::vector<std::int64_t> rising(Work work_of) const {
    std::vector<std::int64_t> R;
    for (const Task& k : tasks_) {
      std::int64_t now = alone(k);
      for (std::int64_t before = -1; now > before && now <= k.D;) {
        before = now;
        now = alone(k);
        for (std::size_t i = 0; i < R.size(); ++i) now += work_of(tasks_[i], R[i], before);
      }
      if (now > k.D) break;
      R.push_back(now);
    }
    return R;
  }

  /// floor((L + R - vol/m)/T) vol + min(vol, m ((L + R - vol/m) mod T)).
  [[nodiscard]] std::int64_t work(const Task& i, std::int64_t R, std::int64_t L) const {
    const std::int64_t X = L + R - i.vol;
    return X <= 0 ? 0 : X / i.T * i.vol + std::min(i.vol, X % i.T);
  }
  /// Jobs with deadlines in the window of D, and one that is carried in.
  [[nodiscard]] static std::int64_t work_by_deadlines(const Task& i, std::int64_t R, std::int64_t D) {
    const std::int64_t jobs = D < i.D ? 0 : (D - i.D) / i.T + 1;
    return jobs * i.vol + std::clamp<std::int64_t>(D % i.T - (i.D - R), 0, i.vol);
  }

  /// The last `y` of the time on infinitely many processors, the end of which is R after the release, R - T before the body.
  [[nodiscard]] static std::int64_t carry_in(const Task& i, std::int64_t R, std::int64_t x, std::int64_t m) {
    std::int64_t y = x - i.T + R;
    if (y <= 0) return 0;
    std::int64_t work = 0;
    const std::int64_t most = y;  // all processors
    for (auto block = i.as_soon.rbegin(); block != i.as_soon.rend() && y > 0; ++block) {
      work += std::min(y, block->width) * block->height;
      y -= block->width;
    }
    return std::min(most, work / m);
  }
  [[nodiscard]] static std::int64_t carry_out(const Task& i, std::int64_t x, std::int64_t m) {
    if (x <= 0) return 0;
    std::int64_t most = std::min(x, i.vol);
    for (std::size_t j = 1; j < i.chains.size(); ++j) {
      most = std::min(most, (static_cast<std::int64_t>(j) * x + m - 1) / m + i.vol - i.chains[j]);
    }
    return most;
  }
  /// Whole jobs, and the worst division of what is left of the window between carry-in and carry-out.
  [[nodiscard]] std::int64_t carry_and_body(const Task& i, std::int64_t R, std::int64_t L, bool one_more) const {
    const std::int64_t bodies = std::max<std::int64_t>(0, (L - std::max(i.len, i.vol)) / i.T);
    const std::int64_t work = bodies * i.vol + carried(i, R, L - bodies * i.T);
    if (!one_more || L < (bodies + 1) * i.T) return work;
    return std::max(work, (bodies + 1) * i.vol + carried(i, R, L - (bodies + 1) * i.T));
  }
  [[nodiscard]] std::int64_t carried(const Task& i, std::int64_t R, std::int64_t rest) const {
    const std::int64_t longest = std::max(i.len, i.vol);  // 1/m ns
    std::int64_t most = 0;
    const auto divide = [&](std::int64_t x) {
      x = std::clamp<std::int64_t>(x, 0, rest);
      most = std::max(most, carry_in(i, R, x, m_) + carry_out(i, rest - x, m_));
    };
    divide(rest - longest);
    divide(longest + i.T - R);
    std::int64_t x = i.T - R;
    divide(x);
    for (auto block = i.as_soon.rbegin(); block != i.as_soon.rend(); ++block) divide(x += block->width);
    for (std::size_t j = 1; j < i.chains.size(); ++j) {
      divide(rest - m_ * (i.chains[j] - i.chains[j - 1]));
      if (static_cast<std::int64_t>(j) < m_) divide(rest - m_ * (i.vol - i.chains[j]) / (m_ - static_cast<std::int64_t>(j)));
    }
    divide(i.T - R + i.vol);  // where all processors take part in what is carried
    divide(rest - i.vol);
    return most;
  }

  std::int64_t m_;
  std::vector<Task> tasks_;
};

}  // namespace rta::test
