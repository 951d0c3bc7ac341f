// What carries a path bound is what it says: the inequality that it names, a bound given from elsewhere, or a successor's end.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/inequality_laws.hpp"
#include "support/random_path_system.hpp"

namespace {

using namespace rta::literals;

using namespace rta::analysis::path;
using rta::Time;
using rta::test::check_inequality;
using rta::test::RandomPathOptions;
using rta::test::RandomPaths;

using Counts = std::array<int, static_cast<std::size_t>(Support::under_way) + 1>;  // nodes by support

int& count_of(Counts& counts, Support support) { return counts.at(static_cast<std::size_t>(support)); }

void check_node(const System& system, const NodeBounds& bounds, const Derivations& derivations, std::size_t k, std::size_t v) {
  const Time F = bounds.F[k][v];
  const auto of = derivations.of(k, v);
  check_inequality(of, F);
  if (bounds.support[k][v] == Support::given) CHECK(F >= system.dags[k].nodes[v].proven);  // above it where that is below the path itself
  // A successor's end is that of the node whose inequality it is.
  CHECK(bounds.F[k][of.path.back()] == F);
  CHECK((of.path.back() == v) == (bounds.support[k][v] != Support::successor));
}

void check_bounds(const System& system, const NodeBounds& bounds, Counts& counts) {
  const Derivations derivations(system, bounds);
  REQUIRE(bounds.support.size() == system.dags.size());
  for (std::size_t k = 0; k < system.dags.size(); ++k) {
    CAPTURE(k);
    REQUIRE(bounds.support[k].size() == system.dags[k].nodes.size());
    for (std::size_t v = 0; v < system.dags[k].nodes.size(); ++v) {
      CAPTURE(v);
      check_node(system, bounds, derivations, k, v);
      ++count_of(counts, bounds.support[k][v]);
    }
  }
}

void check_system(const System& system, Refinement refinement, Counts& counts) {
  Limits limits;
  limits.periods = 50;
  const auto bounds = node_bounds(system, refinement, limits);
  if (bounds) check_bounds(system, *bounds, counts);
}

/// Bounds "from elsewhere" for some nodes, near what T10g finds and true or not: what is below that is carried by nothing else.
void give_bounds(System& system, std::mt19937_64& random) {
  Limits limits;
  limits.periods = 50;
  const auto known = node_bounds(system, Refinement::T10g, limits);
  if (!known) return;
  for (std::size_t k = 0; k < system.dags.size(); ++k) {
    for (std::size_t v = 0; v < system.dags[k].nodes.size(); ++v) {
      if (random() % 3 != 0) continue;
      const std::int64_t F = known->F[k][v].count() + static_cast<std::int64_t>(random() % 24) - 16;
      system.dags[k].nodes[v].proven = Time(std::max<std::int64_t>(F, 0));
    }
  }
}

}  // namespace

TEST_CASE("Every bound of a node satisfies the inequality that carries it") {
  for (const Refinement refinement :
       {Refinement::T10n, Refinement::T10v, Refinement::T10j, Refinement::T10g, Refinement::T10d, Refinement::T10w}) {
    CAPTURE(static_cast<int>(refinement));
    Counts counts{};
    for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
      CAPTURE(seed);
      RandomPaths random(seed);
      RandomPathOptions options;
      options.by_node = seed % 2 == 0;
      options.fixed = seed > 1'500;
      System system = random.system(options).system;
      std::mt19937_64 choose(seed);
      if (seed % 3 == 0) give_bounds(system, choose);
      check_system(system, refinement, counts);
    }
    MESSAGE(count_of(counts, Support::path), " by path, ", count_of(counts, Support::late), " late, ", count_of(counts, Support::given),
            " given, ", count_of(counts, Support::successor), " by a successor");
    CHECK(count_of(counts, Support::path) > 1'000);
    CHECK(count_of(counts, Support::given) > 50);
    CHECK(count_of(counts, Support::fixed) > 100);
    const bool late = refinement >= Refinement::T10j;
    const int fitting = count_of(counts, Support::parallel) + count_of(counts, Support::fitting) + count_of(counts, Support::whole);
    CHECK((refinement >= Refinement::T10d ? fitting > 200 : fitting == 0));
    const int whole = count_of(counts, Support::whole);
    CHECK((refinement == Refinement::T10d ? whole > 50 : whole == 0));
    const int visit = count_of(counts, Support::visit);
    CHECK((refinement >= Refinement::T10g ? visit > 50 : visit == 0));
    const int under_way = count_of(counts, Support::under_way);
    CHECK((refinement >= Refinement::T10g ? under_way > 20 : under_way == 0));
    if (late) CHECK(count_of(counts, Support::late) > 50);
    if (!late) CHECK(count_of(counts, Support::late) == 0);
    const int aligned = count_of(counts, Support::aligned) + count_of(counts, Support::overlapped);
    if (refinement == Refinement::T10n) CHECK(aligned == 0);
    if (refinement == Refinement::T10v) CHECK(aligned > 20);
  }
}

// What is wanted is a little less than T10d has, so that T10w is asked of every node, and answers where it can.
TEST_CASE("T10w joins T10d where ends are wanted earlier: bounds that hold, and none is higher") {
  Counts counts{};
  int lower = 0;
  for (std::uint64_t seed = 1; seed <= 2'500; ++seed) {
    CAPTURE(seed);
    RandomPathOptions options;
    options.fixed = seed % 2 == 0;
    const System system = RandomPaths(seed).system(options).system;
    Limits limits;
    limits.periods = 50;
    const auto before = node_bounds(system, Refinement::T10d, limits);
    if (!before) continue;
    const auto on_visits = [](const auto& of) { return std::ranges::find(of, Support::visit) != of.end(); };
    if (std::ranges::any_of(before->support, on_visits)) continue;  // T23 and T24 may say more where other ends are earlier
    limits.wanted = before->F;
    for (auto& of_dag : limits.wanted) {
      for (Time& end : of_dag) end -= 1_ns;
    }
    const auto bounds = node_bounds(system, Refinement::T10d, limits);
    REQUIRE(bounds);
    check_bounds(system, *bounds, counts);
    for (std::size_t k = 0; k < bounds->F.size(); ++k) {
      for (std::size_t v = 0; v < bounds->F[k].size(); ++v) {
        CHECK(bounds->F[k][v] <= before->F[k][v]);
        lower += bounds->F[k][v] < before->F[k][v] ? 1 : 0;
      }
    }
  }
  MESSAGE(lower, " nodes end earlier, ", count_of(counts, Support::fitting), " by T10w");
  CHECK(count_of(counts, Support::fitting) > 50);
  CHECK(lower >= count_of(counts, Support::fitting));
}

// The second node of d ends within 44 by T10w. As other ends fall from the grid of T/4096, what T10d has for it falls from 51 to 49, which
// is all that is wanted: it was no longer asked of T10w, and 44 was then less than anything said.
TEST_CASE("T10w stays asked of a node where others come to say no more than is wanted") {
  const auto node = [](std::size_t pool, std::int64_t C) {
    Node of;
    of.pool = pool;
    of.e = Time(C);
    of.s = of.vol = C;
    return of;
  };
  System system;
  system.pools.resize(2);
  system.pools[0].order = Order::gel;
  system.pools[0].capacity = 3;
  system.dags.push_back({"k", 12'000_ns, 0_ns, {node(0, 40), node(1, 12)}, {{0, 1}}});
  system.dags.push_back({"d", 12'000_ns, 0_ns, {node(0, 12), node(1, 12), node(1, 12)}, {{0, 1}, {1, 2}}});
  Limits limits;
  constexpr Time never(1'000'000);
  limits.wanted = {{never, never}, {14_ns, 49_ns, never}};
  const auto bounds = node_bounds(system, Refinement::T10d, limits);
  REQUIRE(bounds);
  Counts counts{};
  check_bounds(system, *bounds, counts);
  CHECK(bounds->F[1][0] <= 14_ns);
  CHECK(bounds->F[1][1] <= 49_ns);
}
