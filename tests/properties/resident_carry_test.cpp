// Laws of T10j's carry (a) over small GPUs near full load, against an exact simulation; and carries that are too small, which schedules
// exceed.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "support/full_gpu.hpp"

namespace {

using namespace rta;
using namespace rta::test;
using namespace rta::analysis::path;

using Ends = std::vector<std::vector<std::int64_t>>;

/// T10j's bounds with this carry; none: there are none.
std::optional<Ends> ends(const System& system) {
  Limits limits;
  limits.periods = 50;
  const auto bounds = node_bounds(system, Refinement::T10j, limits);
  if (!bounds) return std::nullopt;
  Ends F;
  for (const auto& row : bounds->F) {
    auto& out = F.emplace_back();
    for (const Time f : row) out.push_back(f.count());
  }
  return F;
}

/// How many nodes rest on (a).
int resident_nodes(const System& system) {
  Limits limits;
  limits.periods = 50;
  const auto bounds = node_bounds(system, Refinement::T10j, limits);
  const Derivations reasons(system, *bounds);
  int nodes = 0;
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    for (std::size_t v = 0; v < system.dags[d].nodes.size(); ++v) {
      if (bounds->support[d][v] != Support::late) continue;
      const auto late = reasons.late(d, v);
      REQUIRE(late);
      nodes += late->resident ? 1 : 0;
    }
  }
  return nodes;
}

}  // namespace

TEST_CASE("T10j with carry (a): no schedule of a GPU near full load exceeds it, it is never above (b), and smaller carries are exceeded") {
  const char* const given = std::getenv("RTA_RESIDENT_SYSTEMS");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  const int wanted = given == nullptr ? 2'000 : std::stoi(given);
  int systems = 0;
  int resting = 0;  // nodes
  int less = 0;
  int only = 0;  // systems
  int reached = 0;
  std::array<int, resident_variants> caught{};
  for (std::uint64_t seed = 1; systems < wanted; ++seed) {
    CAPTURE(seed);
    const FullGpu gpu = full_gpu(seed);
    System without = gpu.s.system;
    without.pools.front().resident.reset();
    const auto light = ends(without);
    std::array<std::optional<Ends>, resident_variants> F;
    for (std::size_t i = 0; i < resident_variants; ++i) F[i] = ends(gpu.with(static_cast<Resident>(i)));
    if (light) REQUIRE(F[0]);
    if (!F[0]) continue;
    ++systems;
    only += light ? 0 : 1;
    const int here = resident_nodes(gpu.s.system);
    resting += here;
    for (std::size_t d = 0; light && d < F[0]->size(); ++d) {
      for (std::size_t v = 0; v < (*F[0])[d].size(); ++v) {
        CHECK((*F[0])[d][v] <= (*light)[d][v]);
        less += (*F[0])[d][v] < (*light)[d][v] ? 1 : 0;
      }
    }
    RandomPaths random(seed);
    std::array<bool, resident_variants> is_caught{};
    bool is_reached = false;
    for (int run = 0; run < 12; ++run) {
      const auto latest = random.run(gpu.s);
      for (std::size_t d = 0; d < latest.size(); ++d) {
        for (std::size_t v = 0; v < latest[d].size(); ++v) {
          REQUIRE(latest[d][v] <= (*F[0])[d][v]);
          is_reached = is_reached || (here > 0 && latest[d][v] == (*F[0])[d][v]);
          for (std::size_t i = 0; i < resident_variants; ++i) is_caught[i] = is_caught[i] || (F[i] && latest[d][v] > (*F[i])[d][v]);
        }
      }
    }
    reached += is_reached ? 1 : 0;
    for (std::size_t i = 0; i < resident_variants; ++i) caught[i] += is_caught[i] ? 1 : 0;
  }
  MESSAGE(systems, " systems, ", only, " by (a) alone; ", resting, " nodes rest on it, ", less, " nodes have less; reached in ", reached);
  for (const int n : caught) MESSAGE("caught in ", n);
  CHECK(resting > systems / 20);
  CHECK(less > systems / 20);
  CHECK(caught[0] == 0);
  for (std::size_t i = 1; i < resident_variants; ++i) {
    CAPTURE(i);
    CHECK(caught[i] > 0);
  }
}
