// Laws of T10m and T12m over random DAGs on one pool: its chains, its bounds against an exact simulation, and a broken form that schedules
// exceed.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "analysis/path/chains/chain_families.hpp"
#include "analysis/path/chains/heaviest_families.hpp"
#include "analysis/path/system/ticks.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "support/inequality_laws.hpp"
#include "support/random_path_system.hpp"

namespace {

using namespace rta::analysis::path;
using rta::test::RandomPaths;
using rta::test::RandomPathSystem;

/// One pool of processors; few and wide DAGs, so that many nodes of one run side by side.
RandomPathSystem wide_system(std::uint64_t seed, bool late = false) {
  RandomPaths random(seed);
  rta::test::RandomPathOptions options;
  options.non_preemptive = false;
  options.fixed = seed % 2 == 0;
  options.by_node = seed % 3 == 0;
  options.most_dags = 2;
  options.most_nodes = 9;
  RandomPathSystem s = random.system(options);
  std::mt19937_64 dice(seed);
  for (Dag& dag : s.system.dags) {
    const auto units = static_cast<std::uint64_t>(dag.T.count() / rta::test::grid);
    if (late) dag.J = rta::Time(static_cast<std::int64_t>(dice() % units) * rta::test::grid);
  }
  return s;
}

bool is_one_pool_of_processors(const System& system) {
  return system.pools.size() == 1 && system.pools[0].capacity > 1 && system.pools[0].unit_weights &&
         system.pools[0].order != Order::fixed_non_preemptive && std::ranges::all_of(system.dags, [](const Dag& dag) {
           return std::ranges::all_of(dag.nodes, [](const Node& node) { return node.vol == node.s; });
         });
}

using Reaches = std::vector<std::vector<bool>>;

/// u, v: u is before v.
Reaches reaches(const Dag& dag) {
  Reaches is(dag.nodes.size(), std::vector<bool>(dag.nodes.size(), false));
  for (std::size_t round = 0; round < dag.nodes.size(); ++round) {
    for (const Precedence& edge : dag.edges) {
      is[edge.from][edge.to] = true;
      for (std::size_t u = 0; u < is.size(); ++u) is[u][edge.to] = is[u][edge.to] || is[u][edge.from];
    }
  }
  return is;
}

/// The most work of `chains` disjoint chains: each node in one of them, or in none.
std::int64_t heaviest(const Dag& dag, const std::vector<bool>& among, std::size_t chains) {
  const Reaches is_before = reaches(dag);
  std::vector<std::vector<std::size_t>> family(chains);
  std::int64_t most = 0;
  const std::function<void(std::size_t, std::int64_t)> extend = [&](std::size_t v, std::int64_t work) {
    most = std::max(most, work);
    if (v == dag.nodes.size()) return;
    extend(v + 1, work);
    for (auto& chain : family) {
      const bool ordered = std::ranges::all_of(chain, [&](std::size_t u) { return is_before[u][v]; });  // edges lead to later nodes
      if (!among[v] || !ordered) continue;
      const bool first = chain.empty();
      chain.push_back(v);
      extend(v + 1, work + dag.nodes[v].e.count());
      chain.pop_back();
      if (first) break;  // empty chains are alike
    }
  };
  extend(0, 0);
  return most;
}

/// Random systems never exceed it, its terms make up the bound, and with a chain more than is given up for it is broken.
void check_bounds(bool late) {
  int nodes = 0;
  int whole = 0;
  int reached = 0;
  int caught = 0;
  int systems = 0;
  for (std::uint64_t seed = 1; systems < 150; ++seed) {
    CAPTURE(seed);
    const RandomPathSystem s = wide_system(seed, late);
    if (!is_one_pool_of_processors(s.system) || has_release_jitter(s.system) != late) continue;
    Limits limits;
    limits.periods = 20;
    const auto bounds = node_bounds(s.system, Refinement::T10w, limits);
    if (!bounds) continue;
    struct Broken {
      std::size_t k, v;
      std::int64_t bound;
    };
    std::vector<Broken> broken;
    const Derivations derivations(s.system, *bounds);
    for (std::size_t k = 0; k < s.system.dags.size(); ++k) {
      const Dag& dag = s.system.dags[k];
      const Reaches is_before = reaches(dag);
      for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
        if (bounds->support[k][v] != Support::families) continue;
        const auto derivation = derivations.of(k, v);
        rta::test::check_inequality(derivation, bounds->F[k][v]);
        const auto& family = std::get<FamilySum>(derivation.detail);
        ++nodes;
        whole += family.whole ? 1 : 0;
        // K_{j+2} in place of K_{j+1}.
        std::vector<bool> among(dag.nodes.size());
        for (std::size_t u = 0; u < among.size(); ++u) among[u] = u == v || (family.whole ? !is_before[v][u] : is_before[u][v]);
        const std::size_t chains = family.chains.size();
        const std::int64_t more = heaviest(dag, among, chains + 1) - heaviest(dag, among, chains);
        broken.push_back({k, v, bounds->F[k][v].count() - more / family.free});
      }
    }
    if (broken.empty()) continue;
    ++systems;
    RandomPaths random(seed);
    bool is_reached = false;
    bool is_caught = false;
    for (int run = 0; run < 60; ++run) {
      const auto latest = random.run(s);
      for (std::size_t k = 0; k < latest.size(); ++k) {
        for (std::size_t v = 0; v < latest[k].size(); ++v) REQUIRE(latest[k][v] <= bounds->F[k][v].count());
      }
      for (const Broken& of : broken) {
        is_reached = is_reached || latest[of.k][of.v] == bounds->F[of.k][of.v].count();
        is_caught = is_caught || latest[of.k][of.v] > of.bound;
      }
    }
    reached += is_reached ? 1 : 0;
    caught += is_caught ? 1 : 0;
  }
  MESSAGE(systems, " systems, ", nodes, late ? " nodes by T12m, " : " nodes by T10m, ", whole,
          " of them by chains of all that does not follow; reached in ", reached, ", broken form caught in ", caught);
  CHECK(whole > 0);
  CHECK(whole < nodes);
  CHECK(reached > 0);
  CHECK(caught > 0);
}

}  // namespace

TEST_CASE("Chain families weigh as much as any, and their chains are disjoint and ordered") {
  int compared = 0;
  for (std::uint64_t seed = 1; compared < 300; ++seed) {
    CAPTURE(seed);
    const RandomPathSystem s = wide_system(seed);
    const Ticks ticks = to_ticks(s.system, Limits{}, true);
    for (std::size_t d = 0; d < s.system.dags.size(); ++d) {
      const Dag& dag = s.system.dags[d];
      const Class& c = ticks.classes[ticks.class_of[d]];
      const std::vector<bool> all(dag.nodes.size(), true);
      const ChainFamilies families(c, all, 3);
      CHECK(std::ranges::equal(heaviest_families(c, all, 3), families.weights()));
      const Reaches is_before = reaches(dag);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t known = std::min(i, families.weights().size() - 1);  // more weigh no more
        const Tick weight = families.weights().empty() ? Tick::zero() : families.weights()[known];
        CHECK(weight.count() == ticks.Q * heaviest(dag, all, i + 1));
      }
      std::vector<bool> taken(dag.nodes.size(), false);
      std::int64_t weight = 0;
      for (const auto& chain : families.chains()) {
        for (std::size_t i = 0; i < chain.size(); ++i) {
          CHECK_FALSE(taken[chain[i]]);
          taken[chain[i]] = true;
          weight += dag.nodes[chain[i]].e.count();
          if (i > 0) CHECK(is_before[chain[i - 1]][chain[i]]);
        }
      }
      CHECK(ticks.Q * weight == (families.weights().empty() ? Tick::zero() : families.weights().back()).count());
      ++compared;
    }
  }
}

TEST_CASE("T10m: random systems never exceed it, and a broken form is caught") { check_bounds(false); }
TEST_CASE("T12m: random systems with jitter never exceed it, and a broken form is caught") { check_bounds(true); }
