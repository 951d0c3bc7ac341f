// What follows of windows on one machine, against all orders of its tasks.
#include "static_order/windows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "static_order/random.hpp"

using namespace rta::static_order;

namespace {

struct Extremes {
  bool possible = false;
  std::vector<Ns> start, end;  // earliest start, latest end over all orders
};

// Every order, as early and as late as it allows.
Extremes all_orders(const std::vector<Window>& windows) {
  const std::size_t n = windows.size();
  Extremes seen{false, std::vector<Ns>(n, never), std::vector<Ns>(n, -never)};
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    std::vector<Ns> early(n), late(n);
    Ns now = -never;
    bool fine = true;
    for (const std::size_t i : order) {
      early[i] = std::max(now, windows[i].start);
      now = early[i] + windows[i].length;
      fine = fine && now <= windows[i].end;
    }
    now = never;
    for (std::size_t k = n; k-- > 0;) {
      late[order[k]] = std::min(now, windows[order[k]].end);
      now = late[order[k]] - windows[order[k]].length;
    }
    if (!fine) continue;
    seen.possible = true;
    for (std::size_t i = 0; i < n; ++i) {
      seen.start[i] = std::min(seen.start[i], early[i]);
      seen.end[i] = std::max(seen.end[i], late[i]);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return seen;
}

}  // namespace

TEST_CASE("three tasks that must precede a fourth push it behind them") {
  // Edge finding: of 4 + 4 + 4 in [0, 13] and 5 from 0 on until 40, the last one cannot start before 12.
  std::vector<Window> windows{{0, 0, 13, 4}, {1, 0, 13, 4}, {2, 0, 13, 4}, {3, 0, 40, 5}};
  MachineFilter filter;
  REQUIRE(filter.narrow(windows));
  CHECK(windows[3].start == 12);
}

TEST_CASE("windows without room are found impossible") {
  std::vector<Window> windows{{0, 0, 9, 5}, {1, 0, 9, 5}};
  CHECK_FALSE(MachineFilter().narrow(windows));
}

TEST_CASE("no possible order is ever ruled out") {
  Random random(7);
  MachineFilter filter;
  int possible = 0, narrowed = 0, refuted = 0;
  for (int i = 0; i < 6000; ++i) {
    std::vector<Window> windows;
    for (std::uint32_t n = random.between(2, 6); n > 0; --n) {
      const Ns start = random.below(20);
      const Ns length = random.below(7);
      windows.push_back({static_cast<TaskId>(windows.size()), start, start + length + random.below(22), length});
    }
    const Extremes truth = all_orders(windows);
    std::vector<Window> after = windows;
    const bool kept = filter.narrow(after);
    possible += static_cast<int>(truth.possible);
    refuted += static_cast<int>(!truth.possible && !kept);
    if (!truth.possible) continue;
    CAPTURE(i);
    REQUIRE(kept);
    for (std::size_t k = 0; k < windows.size(); ++k) {
      REQUIRE(after[k].start <= truth.start[k]);
      REQUIRE(after[k].end >= truth.end[k]);
      narrowed += static_cast<int>(after[k].start > windows[k].start || after[k].end < windows[k].end);
    }
  }
  // The draws are of all kinds, and something follows of many of them.
  CHECK(possible > 1500);
  CHECK(refuted > 200);
  CHECK(narrowed > 2000);
}
