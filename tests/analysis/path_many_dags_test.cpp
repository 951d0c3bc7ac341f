// Sums that all DAGs of a system share, against the theorems by the letter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "analysis/path/path_deciding.hpp"
#include "analysis/path/system/preceding.hpp"
#include "analysis/path/system/whole_nodes.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/path_oracle.hpp"
#include "support/random_path_system.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;
using rta::test::PathOracle;
using rta::test::RandomPathOptions;
using rta::test::RandomPaths;

/// Some dozens of DAGs on pools that they do not overload; points after, at and long before the next release.
System many_dags(std::uint64_t seed) {
  RandomPathOptions options;
  options.most_dags = 90;
  System system = RandomPaths(seed).system(options).system;
  const auto n = static_cast<std::int64_t>(system.dags.size());
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    Dag& dag = system.dags[d];
    dag.T = Time(dag.T.count() * (1 + n / 2));
    if (d % 3 != 0) dag.Y = Time(dag.Y.count() * static_cast<std::int64_t>(d % 7) * n / 2);
  }
  return system;
}

bool is_counted_at_once(const System& system) {
  const Ticks ticks = to_ticks(system, Limits{}, true);
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    const bool gel = system.pools[p].order == Order::gel || system.pools[p].order == Order::gel_non_preemptive;
    if (gel && PrecedingWork(ticks, p).is_quicker()) return true;
  }
  return false;
}

/// Layered DAGs on one pool, `load` percent of it used.
System on_one_pool(std::uint64_t seed, Order order, std::int64_t dags, std::int64_t load) {
  std::mt19937_64 random(seed);
  const auto from_to = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
  };
  System system;
  Pool& pool = system.pools.emplace_back();
  pool.name = "cpu";
  pool.order = order;
  pool.capacity = static_cast<std::uint32_t>(from_to(1, 4));
  for (std::int64_t d = 0; d < dags; ++d) {
    Dag& dag = system.dags.emplace_back();
    dag.name = "d" + std::to_string(d);
    dag.T = Time(from_to(500, 3000) * dags / 40);
    dag.Y = Time(dag.T.count() * from_to(1, 4) / 2);
    const std::int64_t nodes = from_to(3, 8);
    const std::int64_t most = std::max<std::int64_t>(1, 2 * dag.T.count() * pool.capacity * load / (100 * nodes * dags));
    for (std::int64_t v = 0; v < nodes; ++v) {
      Node& node = dag.nodes.emplace_back();
      node.e = Time(from_to(0, most));
      node.s = node.vol = node.e.count();
      if (v > 1 && v % 3 != 0) dag.edges.push_back({static_cast<std::size_t>(from_to(0, v - 1)), static_cast<std::size_t>(v)});
    }
  }
  return system;
}

/// An end that is proven elsewhere, if far too late: then nothing is known of whole nodes.
System without_whole_nodes(System system) {
  system.dags.front().nodes.front().proven = Time(std::int64_t{1} << 50);
  return system;
}

/// Wait for others, of class k with b.
std::int64_t preceding(const Ticks& ticks, const std::vector<std::vector<std::int64_t>>& F, std::size_t k, std::int64_t b) {
  std::int64_t work = 0;
  for (std::size_t d = 0; d < F.size(); ++d) {
    const Class& c = ticks.classes[d];
    for (std::size_t u = 0; u < F[d].size(); ++u) {
      const std::int64_t jobs = jobs_in(F[d][u] + std::min(b, ticks.classes[k].Y - c.Y), c.T);
      work += (c.copies - (d == k ? 1 : 0)) * jobs * c.vol[u].count();
    }
  }
  return work;
}

}  // namespace

TEST_CASE("the work that precedes is the same, counted anew or as far as ends have moved") {
  std::mt19937_64 random(2);
  std::size_t asked = 0;
  std::size_t left_out = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const System system = on_one_pool(seed, Order::gel, 60, 50);
    const Ticks ticks = to_ticks(system, Limits{}, true);
    std::vector<std::vector<std::int64_t>> F;
    for (const Class& c : ticks.classes) F.push_back(c.longest);
    PrecedingWork work(ticks, 0);
    std::vector<std::size_t> moved(F.size());
    for (std::size_t k = 0; k < F.size(); ++k) moved[k] = k;
    for (int round = 0; round < 30; ++round) {
      for (const std::size_t k : moved) work.set_points(k, F[k], 1);
      const auto users = work.set_values(F);
      asked += users.size();
      left_out += F.size() - users.size();
      std::size_t wrong = 0;
      for (std::size_t k = 0; k < F.size(); ++k) {
        REQUIRE(work.points_of(k).size() == F[k].size());
        for (std::size_t i = 0; i < F[k].size(); ++i) {
          const auto& [b, v] = work.points_of(k)[i];
          if (b != F[k][v] || work.values_of(k)[i].count() != preceding(ticks, F, k, b)) ++wrong;
        }
      }
      CHECK(wrong == 0);
      moved.clear();
      const std::size_t changes = round % 3 == 0 ? F.size() / 2 : 2;
      for (std::size_t i = 0; i < changes; ++i) {
        const std::size_t k = random() % F.size();
        auto& end = F[k][random() % F[k].size()];
        end = std::max<std::int64_t>(0, end + static_cast<std::int64_t>(random() % 400) - 100);
        moved.push_back(k);
      }
    }
  }
  CHECK(asked > 1000);
  CHECK(left_out > 1000);
}

TEST_CASE("from what whole nodes say the search upwards comes to T10n's bounds by the letter") {
  int found = 0;
  int higher = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const bool fifo = seed % 3 == 0;
    const System system = on_one_pool(seed, fifo ? Order::fifo : Order::gel, 40, 40 + 10 * static_cast<std::int64_t>(seed % 5));
    Ticks ticks = to_ticks(system, Limits{}, true);
    for (Class& c : ticks.classes) set_pool_sets(c, static_lengths(c));
    if (!with_whole_nodes(ticks) || (!fifo && !PrecedingWork(ticks, 0).is_quicker())) continue;
    const auto bounds = node_bounds(system, Refinement::T10n);
    if (!bounds) continue;
    std::int64_t limit = 0;
    for (const Dag& dag : system.dags) limit = std::max(limit, 1000 * dag.T.count());
    CHECK(PathOracle(system).nodes(limit) == [&] {
      PathOracle::Ends ends;
      for (const auto& row : bounds->F) {
        auto& of_dag = ends.emplace_back();
        for (const Time end : row) of_dag.push_back(end.count());
      }
      return std::optional(ends);
    }());
    ++found;
    Limits few;
    few.periods = 1;
    const auto reason = node_bounds(system, Refinement::T10n, few);
    if (reason) continue;
    const auto plain = node_bounds(without_whole_nodes(system), Refinement::T10n, few);
    REQUIRE(std::holds_alternative<rta::analysis::reason::PastLimit>(reason.reason()));
    REQUIRE(!plain);
    CHECK(std::get<rta::analysis::reason::PastLimit>(reason.reason()).dag ==
          std::get<rta::analysis::reason::PastLimit>(plain.reason()).dag);
    ++higher;
  }
  CHECK(found >= 30);
  CHECK(higher >= 5);
}

TEST_CASE("the work that precedes, counted for all DAGs at once, gives T10n's bounds by the letter") {
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const System system = many_dags(seed);
    if (!is_counted_at_once(system)) continue;
    Limits limits;
    limits.periods = 20;
    const auto bounds = node_bounds(system, Refinement::T10n, limits);
    if (!bounds) continue;
    std::int64_t limit = 0;
    for (const Dag& dag : system.dags) limit = std::max(limit, limits.periods * dag.T.count());
    const auto by_the_letter = PathOracle(system).nodes(limit);
    REQUIRE(by_the_letter);
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      for (std::size_t v = 0; v < bounds->F[d].size(); ++v) CHECK(bounds->F[d][v].count() == (*by_the_letter)[d][v]);
    }
    ++counted;
  }
  CHECK(counted >= 10);
}

TEST_CASE("a path that decides is the one of the inequality by the letter, whatever the pools' order") {
  int paths = 0;
  int of_several = 0;
  const auto check = [&](const System& system, Refinement refinement) {
    const auto bounds = node_bounds(system, refinement);
    if (!bounds) return;
    REQUIRE(DecidingPaths::applies(system));
    const DecidingPaths deciding(system, *bounds);
    const Derivations by_the_letter(system, *bounds);
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      for (std::size_t v = 0; v < system.dags[d].nodes.size(); ++v) {
        const auto path = deciding.to(d, v);
        CHECK(path == by_the_letter.by(Support::path, d, v)->path);
        ++paths;
        of_several += path.size() > 1 ? 1 : 0;
      }
    }
  };
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    RandomPathOptions options;
    options.by_node = seed % 3 == 1;
    options.fixed = seed % 3 == 2;
    check(RandomPaths(seed).system(options).system, seed % 2 == 0 ? Refinement::T10n : Refinement::T10g);
  }
  for (std::uint64_t seed = 1; seed <= 20; ++seed) check(many_dags(seed), Refinement::T10n);
  CHECK(paths > 1000);
  CHECK(of_several > 300);
}
