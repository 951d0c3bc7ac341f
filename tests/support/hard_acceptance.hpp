// How many random sets published tests accept and T16 to T18 refuse.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/hard/hard.hpp"
#include "support/hard_peers.hpp"
#include "support/random_system.hpp"

namespace rta::test {

/// Where sets are drawn: 5 m tasks of utilization `load` m (UUniFast-discard), T from 10 to 100 ms (log-uniform), D = `ratio` T.
struct HardPoint {
  std::uint32_t m;
  double load;
  double ratio;
};

inline double unit(Dice& dice) { return std::ldexp(static_cast<double>(dice.between(0, (std::int64_t{1} << 52U) - 1)), -52); }

/// None where some task would have C > D.
inline std::optional<std::vector<analysis::hard::Task>> draw_tasks(Dice& dice, const HardPoint& point) {
  const std::size_t n = 5 * std::size_t{point.m};
  std::vector<analysis::hard::Task> tasks;
  double rest = point.load * point.m;
  for (std::size_t i = 1; i <= n; ++i) {
    const double next = i == n ? 0 : rest * std::pow(unit(dice), 1.0 / static_cast<double>(n - i));
    const auto T = static_cast<std::int64_t>(10e6 * std::pow(10.0, unit(dice)));
    const auto D = static_cast<std::int64_t>(static_cast<double>(T) * point.ratio);
    const auto C = std::max<std::int64_t>(1, static_cast<std::int64_t>((rest - next) * static_cast<double>(T)));
    if (C > D) return std::nullopt;
    tasks.push_back({.C = Time(C), .T = Time(T), .D = Time(D), .Y = Time(D)});
    rest = next;
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return tasks[i].D; });
  for (std::size_t place = 0; place < n; ++place) tasks[order[place]].priority = static_cast<FixedPriority>(place + 1);
  return tasks;
}

inline bool meets_deadlines(const std::vector<analysis::hard::Task>& tasks, std::uint32_t m, analysis::hard::Order order) {
  const auto bounds = analysis::hard::response_bounds(tasks, m, order);
  if (!bounds) return false;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (bounds->R[k] > tasks[k].D) return false;
  }
  return true;
}

struct HardCounts {
  static constexpr std::array<const char*, 6> names{"GFB", "BAK", "BAR", "FF-DBF", "Bertogna-Cirinei", "Guan"};
  std::array<int, 6> refused{};  // that the test accepts, and T16 to T18 do not
  int by_others_under_edf = 0;   // that one of the published tests accepts, or several
  int under_edf = 0;             // that T16 to T18 accept
  int by_guan = 0;
  int under_fixed = 0;
};

inline HardCounts count_acceptance(const HardPoint& point, std::uint64_t sets) {
  HardCounts counts;
  for (std::uint64_t seed = 0, drawn = 0; drawn < sets; ++seed) {
    Dice dice(seed);
    const auto tasks = draw_tasks(dice, point);
    if (!tasks) continue;
    ++drawn;
    const HardPeers peers(*tasks, point.m);
    const bool edf = meets_deadlines(*tasks, point.m, analysis::hard::Order::points);
    const bool fixed = meets_deadlines(*tasks, point.m, analysis::hard::Order::fixed);
    // Each test where it counts: all of them for a set that is refused, else until one accepts it.
    bool any = false;
    const auto ask = [&](std::size_t i, auto accepts) {
      if ((any && edf) || !accepts()) return;
      any = true;
      if (!edf) ++counts.refused[i];
    };
    ask(0, [&] { return peers.gfb(); });
    ask(1, [&] { return peers.bak(); });
    ask(4, [&] { return peers.bertogna(); });
    ask(2, [&] { return peers.bar(); });
    ask(3, [&] { return peers.ff_dbf(.02L); });
    const bool guan = peers.guan();
    if (guan && !fixed) ++counts.refused[5];
    counts.by_others_under_edf += any ? 1 : 0;
    counts.under_edf += edf ? 1 : 0;
    counts.by_guan += guan ? 1 : 0;
    counts.under_fixed += fixed ? 1 : 0;
  }
  return counts;
}

}  // namespace rta::test
