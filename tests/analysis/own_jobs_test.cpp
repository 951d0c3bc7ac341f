// What other jobs of a DAG do at its own releases, summed at once, against T12's count node by node.
#include "analysis/path/system/own_jobs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "analysis/path/system/late_jobs.hpp"

namespace {

using namespace rta::analysis::path;

Class of(std::int64_t T, std::int64_t J) {
  Class c;
  c.T = T;
  c.J = J;
  return c;
}

}  // namespace

TEST_CASE("Other own jobs: T = 10, J = 3, F = 4 with work 1 and F = 18 with work 100") {
  OtherOwnJobs jobs(of(10, 3));
  jobs.add(4, Tick(1));
  jobs.add(18, Tick(100));
  // z = 0: ceil((-10 + 4 + 3)/10) = 0 and ceil((-10 + 18 + 3)/10) = 2 earlier ones, none later before lim = 10.
  CHECK(jobs.at(0) == Tick(200));
  CHECK(jobs.at(6) == Tick(200));
  // z = 3 lets one later job of each count; of the second one earlier job less, as 18 + 3 - 10 - 3 is 8.
  CHECK(jobs.at(7) == Tick(201));
  // Likewise z = 1: 18 + 3 - 10 - 1 is 10.
  CHECK(jobs.at(9) == Tick(201));
  CHECK(jobs.at(10) == Tick(301));
}

TEST_CASE("Other own jobs are T12's count, summed") {
  std::mt19937_64 dice(1);
  const auto from_to = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(most - least + 1));
  };
  std::size_t wrong = 0;
  for (int system = 0; system < 2'000; ++system) {
    const std::int64_t T = from_to(1, 12);
    const std::int64_t J = dice() % 4 == 0 ? 0 : from_to(0, dice() % 2 == 0 ? T - 1 : 4 * T);
    OtherOwnJobs jobs(of(T, J));
    std::vector<std::pair<std::int64_t, std::int64_t>> nodes;
    for (std::int64_t i = from_to(1, 5); i > 0; --i) {
      nodes.emplace_back(from_to(1, 4 * T), from_to(1, 9));
      jobs.add(nodes.back().first, Tick(nodes.back().second));
    }
    for (std::int64_t lim = 0; lim < 5 * T; ++lim) {
      std::int64_t sum = 0;
      for (const auto& [F, vol] : nodes) sum += own_late_jobs(lim, F, T, J, true) * vol;
      if (jobs.at(lim) != Tick(sum)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}
