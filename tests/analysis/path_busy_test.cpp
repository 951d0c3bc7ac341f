// T10c's W over random ends and points, beside the same by the letter: every sequence of releases, every busy time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "analysis/path/points/backlog.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/model/utilization.hpp"
#include "support/path_systems.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;
using rta::Wide;
using rta::test::node;
using rta::test::pool;

using Ends = std::vector<std::vector<std::int64_t>>;

struct Drawn {
  System system;
  Ends F;
  std::int64_t c = 0;
};

/// DAGs of one to three nodes, some of which are on a server; loaded to between half a processor and all of them. Times below 100 ns.
Drawn drawn(std::mt19937_64& random, bool one_period) {
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)); };
  for (;;) {
    Drawn s;
    const auto m = static_cast<std::uint32_t>(1 + below(3));
    s.system.pools = {pool(Order::gel, m), pool(Order::fifo, 4)};
    rta::Utilization U;
    constexpr std::int64_t periods[] = {2, 3, 4, 6, 12};
    const std::int64_t T_of_all = 2 + below(8);
    for (std::int64_t d = 0; d < 3; ++d) {
      const std::int64_t T = one_period ? T_of_all : periods[below(5)];
      std::vector<Node> nodes;
      std::vector<Precedence> edges;
      auto& F = s.F.emplace_back();
      for (std::int64_t v = 0; v <= below(3); ++v) {
        const std::size_t p = d > 0 && below(3) == 0 ? 1 : 0;
        const std::int64_t C = 1 + below(4);
        nodes.push_back(node(p, Time(C)));
        if (p == 0) U.add(C, T);
        if (v > 0 && below(2) == 0) edges.push_back({static_cast<std::size_t>(v - 1), static_cast<std::size_t>(v)});
        F.push_back(C + below(20));
      }
      Dag dag = rta::test::dag(Time(T), std::move(nodes), std::move(edges));
      dag.Y = Time(below(25) - 12);
      s.system.dags.push_back(std::move(dag));
    }
    if (U.compare(m) > 0) continue;
    s.c = static_cast<std::int64_t>(U.ceil());
    return s;
  }
}

bool is_whole(const Dag& dag) {
  return std::ranges::all_of(dag.nodes, [](const Node& node) { return node.pool == 0; });
}

/// What a job of DAG d counts that is released y before J, just after the pool came to be busy x before it.
std::int64_t counts(const Drawn& s, std::size_t d, std::int64_t y, std::int64_t x, std::int64_t lim) {
  std::int64_t sum = 0;
  const Dag& dag = s.system.dags[d];
  for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
    const std::int64_t until = is_whole(dag) ? x : s.F[d][u] + x;
    if (dag.nodes[u].pool == 0 && -lim <= y && y <= until) sum += dag.nodes[u].e.count();
  }
  return sum;
}

/// The most that releases at whole instants, T and more apart, count.
std::int64_t most_counted(const Drawn& s, std::size_t d, std::int64_t x, std::int64_t lim) {
  const std::int64_t T = s.system.dags[d].T.count();
  std::int64_t farthest = x;
  for (const std::int64_t F : s.F[d]) farthest = std::max(farthest, F + x);
  std::vector<std::int64_t> best{0};  // of those no farther than -lim + i - 1
  for (std::int64_t y = -lim; y <= farthest; ++y) {
    const std::size_t before = best.size() > static_cast<std::size_t>(T) ? best.size() - static_cast<std::size_t>(T) : 0;
    best.push_back(std::max(best.back(), best[before] + counts(s, d, y, x, lim)));
  }
  return best.back();
}

/// The ceil(U) - 1 longest chains.
std::int64_t carry(const Drawn& s) {
  std::vector<std::int64_t> chains;
  for (std::size_t d = 0; d < s.F.size(); ++d) {
    const Dag& dag = s.system.dags[d];
    if (!is_whole(dag)) continue;
    for (std::size_t a = 0; a < dag.nodes.size(); ++a) {
      std::vector<bool> below(dag.nodes.size(), false);
      below[a] = true;
      for (const Precedence& edge : dag.edges) below[edge.to] = below[edge.to] || below[edge.from];  // edges go up, in order
      std::int64_t D = 0;
      for (std::size_t u = 0; u < below.size(); ++u) D += below[u] ? dag.nodes[u].e.count() : 0;
      for (std::int64_t from = 0; from < s.F[d][a]; from += dag.T.count()) chains.push_back(D);
    }
  }
  std::ranges::sort(chains, std::greater());
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < chains.size() && static_cast<std::int64_t>(i) + 1 < s.c; ++i) sum += chains[i];
  return sum;
}

/// W for a job of DAG k, up to busy times of `longest`.
struct ByTheLetter {
  std::int64_t W = 0;
  std::int64_t at_release = 0;
};
ByTheLetter by_the_letter(const Drawn& s, std::size_t k, std::int64_t longest) {
  std::int64_t b = 0;
  for (std::size_t q = 0; q < s.F[k].size(); ++q) b = s.system.dags[k].nodes[q].pool == 0 ? std::max(b, s.F[k][q]) : b;
  ByTheLetter result;
  const std::int64_t left = carry(s);
  for (std::int64_t x = 0; x <= longest; ++x) {
    std::int64_t sum = left - s.c * x;
    for (std::size_t d = 0; d < s.F.size(); ++d) {
      sum += most_counted(s, d, x, std::min(b, (s.system.dags[k].Y - s.system.dags[d].Y).count()));
    }
    if (x == 0) result.at_release = sum;
    result.W = std::max(result.W, sum);
  }
  return result;
}

}  // namespace

TEST_CASE("T10c: W is the most of every busy time and of every sequence of releases") {
  std::mt19937_64 random(1);
  int later = 0;
  for (int i = 0; i < 600; ++i) {
    CAPTURE(i);
    const Drawn s = drawn(random, i % 2 == 0);
    const Ticks ticks = to_ticks(s.system, 1000, Time(1'000'000), true);
    BacklogPool backlog(ticks, 0);
    Ends F;
    for (const Class& c : ticks.classes) F.push_back(s.F[c.dags.front()]);
    if (F.size() != s.F.size()) continue;  // equal DAGs are one class, with the same ends
    backlog.set(F);
    const auto scale = static_cast<std::int64_t>(ticks.Q / s.system.pools[0].capacity);  // ticks per ns of work
    REQUIRE(scale * s.system.pools[0].capacity == ticks.Q);
    for (std::size_t k = 0; k < s.F.size(); ++k) {
      if (!ticks.classes[ticks.class_of[k]].pools.empty() && ticks.classes[ticks.class_of[k]].pools.front() != 0) continue;
      const ByTheLetter W = by_the_letter(s, k, 60);
      const BacklogPool::Work work = backlog.work(ticks.class_of[k]);
      CHECK(backlog.total(ticks.class_of[k]) == W.W * scale);
      CHECK(work.total == W.W * scale);
      CHECK(backlog.at_least(ticks.class_of[k]) == W.at_release * scale);
      Wide sum = work.carry - work.worked_off;
      for (const BacklogPool::Left& left : work.of_class) sum += left.sum();
      CHECK(sum == work.total);
      later += W.W > W.at_release ? 1 : 0;
    }
  }
  MESSAGE(later, " of them more for some busy time than for none");
  CHECK(later > 100);
}

TEST_CASE("T10c: where periods have no common multiple in sight, what is beyond counts in fractions, and W is no less") {
  std::mt19937_64 random(2);
  int beyond = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    Drawn s = drawn(random, false);
    // 1000 and some ns to a ns: periods that have no factor in common.
    const std::int64_t primes[] = {1009, 1013, 1019};
    for (std::size_t d = 0; d < s.F.size(); ++d) {
      Dag& dag = s.system.dags[d];
      dag.T = Time(dag.T.count() * primes[d]);
      dag.Y = Time(dag.Y.count() * 1000);
      for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
        Node& node = dag.nodes[u];
        node.e = Time(node.e.count() * primes[d]);
        node.s = node.vol = node.e.count();
        s.F[d][u] *= 1100;
      }
    }
    const Ticks ticks = to_ticks(s.system, 1000, Time(1'000'000'000), true);
    BacklogPool backlog(ticks, 0);
    Ends F;
    for (const Class& c : ticks.classes) F.push_back(s.F[c.dags.front()]);
    backlog.set(F);
    const auto scale = static_cast<std::int64_t>(ticks.Q / s.system.pools[0].capacity);
    for (std::size_t k = 0; k < s.F.size(); ++k) {
      if (ticks.classes[ticks.class_of[k]].pools.front() != 0) continue;
      const BacklogPool::Work work = backlog.work(ticks.class_of[k]);
      beyond += work.longer ? 1 : 0;
      CHECK(work.total == backlog.total(ticks.class_of[k]));
      // No busy time at which a DAG begins to count one job more leaves more.
      for (std::int64_t n = 0; n < 3000; ++n) {
        const std::int64_t x = n * 97;
        std::int64_t b = 0;
        for (std::size_t q = 0; q < s.F[k].size(); ++q) b = s.system.dags[k].nodes[q].pool == 0 ? std::max(b, s.F[k][q]) : b;
        std::int64_t sum = carry(s) - s.c * x;
        for (std::size_t d = 0; d < s.F.size(); ++d) {
          const std::int64_t lim = std::min(b, (s.system.dags[k].Y - s.system.dags[d].Y).count());
          for (std::int64_t y = -lim;; y += s.system.dags[d].T.count()) {
            const std::int64_t counted = counts(s, d, y, x, lim);
            if (counted == 0) break;
            sum += counted;
          }
        }
        REQUIRE(work.total >= sum * scale);
      }
    }
  }
  MESSAGE(beyond, " by what is beyond");
  CHECK(beyond > 10);
}
