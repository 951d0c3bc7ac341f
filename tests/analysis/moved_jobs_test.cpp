// Which classes count other jobs after ends have moved, against counting all of them.
#include "analysis/path/system/moved_jobs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace {

using namespace rta::analysis::path;
using rta::Time;

struct Point {
  std::int64_t b = 0;
};
using Ends = std::vector<std::vector<std::int64_t>>;

/// DAGs of two nodes beside each other on one GEL pool.
System beside_each_other(const std::vector<std::pair<std::int64_t, std::int64_t>>& T_and_Y) {
  System system;
  Pool pool;
  pool.name = "cpu";
  pool.capacity = 8;
  pool.order = Order::gel;
  system.pools.push_back(pool);
  for (const auto& [T, Y] : T_and_Y) {
    Dag& dag = system.dags.emplace_back();
    dag.name = std::string(1 + system.dags.size(), 'd');
    dag.T = Time(T);
    dag.Y = Time(Y);
    for (std::int64_t e = 1; e <= 2; ++e) {
      Node node;
      node.e = Time(e);
      node.s = node.vol = e;
      dag.nodes.push_back(node);
    }
  }
  return system;
}

/// How many jobs of each node count for one of class k with b.
std::vector<std::int64_t> jobs(const Ticks& ticks, const Ends& F, std::size_t k, std::int64_t b) {
  std::vector<std::int64_t> all;
  for (std::size_t d = 0; d < F.size(); ++d) {
    const Class& c = ticks.classes[d];
    for (const std::int64_t f : F[d]) all.push_back(jobs_in(f + std::min(b, ticks.classes[k].Y - c.Y), c.T));
  }
  return all;
}

}  // namespace

TEST_CASE("an end that moves concerns the points between the releases that it comes to reach") {
  // T = 10; F of d's first node goes from 12 to 15: iT - F from -2, 8, 18 ... to -5, 5, 15 ...: x in (5, 8] or (15, 18] counts another job.
  const System system = beside_each_other({{10, 40}, {1000, 40}, {1000, 47}, {1000, 30}});
  const Ticks ticks = to_ticks(system, Limits{}, true);
  MovedJobs moved(ticks, 0);
  Ends F(4, {30, 30});
  auto& moving = F[ticks.class_of[0]][0];
  moving = 12;
  const std::vector<std::size_t> all{0, 1, 2, 3};
  moved.take(F, 30, all);
  moving = 15;
  moved.take(F, 30, std::vector{ticks.class_of[0]});
  const auto concern = [&](std::size_t d, const std::vector<Point>& points) { return moved.concern(ticks.class_of[d], points); };
  CHECK(concern(1, {{6}}));
  CHECK(concern(1, {{4}, {8}}));
  CHECK_FALSE(concern(1, {{0}, {5}, {9}}));
  CHECK_FALSE(concern(1, {{9}, {10}}));
  CHECK_FALSE(concern(1, {}));
  CHECK(concern(2, {{9}}));        // min(9, 47 - 40) = 7
  CHECK_FALSE(concern(3, {{9}}));  // min(9, 30 - 40) = -10
  moved.take(F, 30, all);
  CHECK_FALSE(concern(1, {{6}}));
  CHECK_FALSE(concern(2, {{9}}));
}

TEST_CASE("who is not concerned counts the same jobs, and not all others do") {
  std::mt19937_64 random(1);
  const auto up_to = [&](std::int64_t most) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1)); };
  int others = 0;
  int concerned = 0;
  int left_out = 0;
  for (int run = 0; run < 400; ++run) {
    CAPTURE(run);
    std::vector<std::pair<std::int64_t, std::int64_t>> T_and_Y;
    T_and_Y.reserve(6);
    for (int d = 0; d < 6; ++d) T_and_Y.emplace_back(20 + up_to(60), up_to(120) + 500 * d);  // Y apart: no two DAGs are equal
    if (run % 2 == 0) {
      for (auto& [T, Y] : T_and_Y) Y = Y % 500;
    }
    const System system = beside_each_other(T_and_Y);
    const Ticks ticks = to_ticks(system, Limits{}, true);
    if (ticks.classes.size() != system.dags.size()) continue;
    MovedJobs moved(ticks, 0);
    Ends F(6, std::vector<std::int64_t>(2));
    for (auto& of_class : F) std::ranges::generate(of_class, [&] { return 2 + up_to(100); });
    const std::vector<std::size_t> all{0, 1, 2, 3, 4, 5};
    moved.take(F, 150, all);
    const Ends before = F;
    const std::size_t of = random() % 6;
    auto& end = F[of][random() % 2];
    end = std::max<std::int64_t>(0, end + up_to(12) - 4);
    moved.take(F, 150, std::vector{of});
    for (std::size_t k = 0; k < 6; ++k) {
      if (F[k] != before[k]) continue;
      const std::vector<Point> points{{up_to(150)}};
      const bool same = jobs(ticks, before, k, points[0].b) == jobs(ticks, F, k, points[0].b);
      const bool is_concerned = moved.concern(k, points);
      CHECK((same || is_concerned));
      others += same ? 0 : 1;
      concerned += is_concerned ? 1 : 0;
      left_out += is_concerned ? 0 : 1;
    }
  }
  CHECK(others > 100);
  CHECK(concerned < 5 * others);
  CHECK(left_out > 600);
}
