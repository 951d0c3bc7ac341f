// T10p and T10w beside bounds of others: Graham, Han et al. on typed processors, Melani et al. under global fixed priorities.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;

constexpr std::int64_t unit = 12;  // divides by 2, 3 and 4 processors

Dag random_dag(std::mt19937_64& random, std::size_t pools) {
  Dag dag;
  dag.name = "dag";
  const std::size_t nodes = 1 + random() % 7;
  for (std::size_t v = 0; v < nodes; ++v) {
    Node node;
    node.pool = random() % pools;
    node.e = Time(static_cast<std::int64_t>(1 + random() % 5) * unit);
    node.s = node.vol = node.e.count();
    dag.nodes.push_back(node);
    for (std::size_t u = 0; u < v; ++u) {
      if (random() % 3 == 0) dag.edges.push_back({u, v});
    }
  }
  return dag;
}

std::vector<std::vector<bool>> relation(const Dag& dag) {
  std::vector<std::vector<bool>> before(dag.nodes.size(), std::vector<bool>(dag.nodes.size(), false));
  for (const Precedence& edge : dag.edges) {  // in topological order, as edges lead to later nodes
    for (std::size_t u = 0; u < before.size(); ++u) before[u][edge.to] = before[u][edge.to] || before[u][edge.from] || u == edge.from;
  }
  return before;
}

using Path = std::vector<std::size_t>;

/// Every path from a source to a sink.
void each_path(const Dag& dag, const std::function<void(const Path&)>& visit) {
  const auto has = [&](std::size_t v, auto end) {
    return std::ranges::any_of(dag.edges, [&](const Precedence& edge) { return edge.*end == v; });
  };
  Path path;
  const std::function<void(std::size_t)> extend = [&](std::size_t v) {
    path.push_back(v);
    for (const Precedence& edge : dag.edges) {
      if (edge.from == v) extend(edge.to);
    }
    if (!has(v, &Precedence::from)) visit(path);
    path.pop_back();
  };
  for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
    if (!has(v, &Precedence::to)) extend(v);
  }
}

struct Sums {
  std::int64_t longest = 0;
  std::int64_t volume = 0;
};

Sums sums(const Dag& dag) {
  Sums sums;
  for (const Node& node : dag.nodes) sums.volume += node.e.count();
  each_path(dag, [&](const Path& path) {
    std::int64_t length = 0;
    for (const std::size_t v : path) length += dag.nodes[v].e.count();
    sums.longest = std::max(sums.longest, length);
  });
  return sums;
}

/// Han et al. (arXiv 1809.07689): per path its length and, on each type that it visits, all other work there (1), or that which is parallel
/// to some of its nodes of this type (2).
std::int64_t han(const System& system, bool parallel_alone) {
  const Dag& dag = system.dags.front();
  const auto before = relation(dag);
  std::int64_t most = 0;
  each_path(dag, [&](const Path& path) {
    std::int64_t length = 0;
    for (const std::size_t v : path) length += dag.nodes[v].e.count();
    for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
      const std::size_t type = dag.nodes[u].pool;
      const bool counts = std::ranges::any_of(
          path, [&](std::size_t v) { return dag.nodes[v].pool == type && (!parallel_alone || (!before[u][v] && !before[v][u])); });
      if (counts && std::ranges::find(path, u) == path.end()) length += dag.nodes[u].e.count() / system.pools[type].capacity;
    }
    most = std::max(most, length);
  });
  return most;
}

/// Melani et al. (2015) for DAGs by falling priority on m processors, D = T; of the DAGs up to the first that misses its deadline.
std::vector<std::int64_t> melani(const std::vector<Dag>& dags, std::int64_t m) {
  std::vector<std::int64_t> R;
  for (std::size_t k = 0; k < dags.size(); ++k) {
    const Sums own = sums(dags[k]);
    std::int64_t now = own.longest;
    for (std::int64_t before = -1; now != before && now <= dags[k].T.count();) {
      before = now;
      std::int64_t work = own.volume - own.longest;
      for (std::size_t i = 0; i < k; ++i) {
        const std::int64_t volume = sums(dags[i]).volume;
        const std::int64_t window = now + R[i] - volume / m;
        const std::int64_t T = dags[i].T.count();
        if (window > 0) work += window / T * volume + std::min(volume, m * (window % T));
      }
      now = own.longest + (work + m - 1) / m;
    }
    if (now > dags[k].T.count()) break;
    R.push_back(now);
  }
  return R;
}

}  // namespace

TEST_CASE("One DAG alone: never above Graham's bound, nor Han's on typed processors") {
  int below = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    System system;
    system.pools.resize(1 + random() % 3);
    for (Pool& pool : system.pools) {
      pool.order = random() % 2 == 0 ? Order::fifo : Order::gel;
      pool.capacity = static_cast<std::uint32_t>(1 + random() % 4);
    }
    system.dags = {random_dag(random, system.pools.size())};
    system.dags[0].T = Time(1'000 * unit);
    const auto bounds = node_bounds(system, Refinement::T10w);
    REQUIRE(bounds);
    const std::int64_t R = bounds->R[0].count();
    const std::int64_t bound_1 = han(system, false);
    const std::int64_t bound_2 = han(system, true);
    CHECK(bound_2 <= bound_1);
    CHECK(R <= bound_2);
    below += R < bound_2 ? 1 : 0;
    if (system.pools.size() > 1) continue;
    const Sums of = sums(system.dags[0]);
    CHECK(R <= of.longest + (of.volume - of.longest) / system.pools[0].capacity);
  }
  MESSAGE("below Han's second bound in ", below);
  CHECK(below > 20);
}

TEST_CASE("Global fixed priorities, D = T: never above Melani et al. (2015)") {
  int compared = 0;
  int below = 0;
  for (std::uint64_t seed = 1; compared < 400; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    System system;
    system.pools.resize(1);
    system.pools[0].order = Order::fixed;
    system.pools[0].capacity = static_cast<std::uint32_t>(2 + random() % 3);
    const std::int64_t m = system.pools[0].capacity;
    const std::size_t dags = 2 + random() % 3;
    for (std::size_t d = 0; d < dags; ++d) {
      Dag dag = random_dag(random, 1);
      const Sums of = sums(dag);
      dag.T = Time((std::max(of.longest, of.volume / m) / unit + 1 + static_cast<std::int64_t>(random() % 20)) * unit);
      system.dags.push_back(std::move(dag));
    }
    std::ranges::stable_sort(system.dags, {}, &Dag::T);
    const std::vector<std::int64_t> R = melani(system.dags, m);
    if (R.size() < 2) continue;
    system.dags.resize(R.size());
    for (std::size_t d = 0; d < R.size(); ++d) {
      for (Node& node : system.dags[d].nodes) node.priority = static_cast<std::uint32_t>(R.size() - d);
    }
    const auto bounds = node_bounds(system, Refinement::T10w);
    REQUIRE(bounds);
    for (std::size_t d = 0; d < R.size(); ++d) {
      CHECK(bounds->R[d].count() <= R[d]);
      ++compared;
      below += bounds->R[d].count() < R[d] ? 1 : 0;
    }
  }
  MESSAGE("below it for ", below, " of ", compared);
  CHECK(below > compared / 4);
}
