// Did the run do what the task set says?
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <set>
#include <string>

#include "common/check.hpp"
#include "common/clock_line.hpp"
#include "cpu_executor.hpp"
#include "engine.hpp"
#include "statistics.hpp"

namespace workload {

using namespace common;

/// Some lateness is part of every system; more than 1 in 100 beyond 1 ms is another task set.
inline void check_lateness(const std::string& name, const Lateness& lateness, Checks& checks) {
  const std::int64_t count = lateness.count.load();
  if (count == 0) return;
  const std::int64_t late = lateness.late.load();
  const std::string text = std::to_string(count) + ", mean " + in_us(count > 0 ? lateness.sum.load() / count : 0) + " late, largest " +
                           in_us(lateness.largest.load()) + ", " + std::to_string(late) + " by more than 1 ms";
  checks.push_back({name, late * 100 > count ? Outcome::failed : late > 0 ? Outcome::warning : Outcome::ok, text});
}

/// Requested against achieved C or L of the nodes, worst first.
class LengthCheck {
 public:
  explicit LengthCheck(std::string name) : name_(std::move(name)) {}

  void add(const std::string& node, std::int64_t asked, std::int64_t longest, const Achieved& achieved) {
    const std::int64_t count = achieved.count.load();
    if (count == 0) return;
    const std::int64_t over = achieved.over.load();
    const std::int64_t under = achieved.under.load();
    const Outcome outcome = (over + under) * 100 > count ? Outcome::failed : over + under > 0 ? Outcome::warning : Outcome::ok;
    const double excess = static_cast<double>(achieved.largest.load()) / static_cast<double>(std::max<std::int64_t>(asked, 1));
    if (any_ && (outcome < worst_ || (outcome == worst_ && excess <= largest_excess_))) return;
    any_ = true;
    worst_ = outcome;
    largest_excess_ = excess;
    text_ = node + " asked for " + in_us(asked) + ", had " + in_us(achieved.sum.load() / count) + " on average, " +
            in_us(achieved.largest.load()) + " at most; of " + std::to_string(count) + ", " + std::to_string(over) + " were longer" +
            (longest > asked ? " than " + in_us(longest) : "") + " and " + std::to_string(under) + " shorter by more than 2 % and 5 us";
  }
  void report(Checks& checks) const {
    if (any_) checks.push_back({name_, worst_, text_});
  }

 private:
  std::string name_;
  bool any_ = false;
  Outcome worst_ = Outcome::ok;
  double largest_excess_ = 0;
  std::string text_;
};

/// The line that GPU times were converted by, and how far it had come to be off at `end`. A warning at most: response times are the host's.
inline Check check_gpu_clock(const std::string& name, const GpuClock& clock, std::int64_t drift, std::int64_t end) {
  char rate[32];
  std::snprintf(rate, sizeof rate, "%+.3f", (clock.rate() - 1.0) * 1e6);
  const bool far = drift > clock.tolerance(end) - 950'000;  // 50 us, and what the tolerance grants with time
  return {name, far ? Outcome::warning : Outcome::ok,
          "read to within " + in_us(clock.error()) + "; runs " + rate + " ppm against the host's; off by " + in_us(drift) + " at the end"};
}

/// The levels of the pool's nodes, each once, most urgent first.
inline std::string fixed_levels(const TaskSet& set, unsigned p) {
  std::set<int, std::greater<int>> levels;
  for (unsigned d = 0; d < set.dag_count; ++d) {
    for (unsigned v = 0; v < set.dags[d].node_count; ++v) {
      if (set.dags[d].nodes[v].pool == p) levels.insert(set.dags[d].nodes[v].level);
    }
  }
  std::string text;
  for (const int level : levels) text += (text.empty() ? "" : ", ") + std::to_string(level);
  return text;
}

/// How the pool's jobs were ordered.
inline std::string order_kept(const TaskSet& set, unsigned p, const CpuExecutor& executor) {
  const Order order = set.pools[p].order;
  if (order == Order::non_preemptive) return "one thread pool by priority point";
  if (order == Order::fixed_non_preemptive) return "one thread pool by fixed priority";
  if (executor.is_thread_pool()) return "one FIFO thread pool";
  if (executor.policy() == Policy::deadline) return "deadlines at priority points";
  if (executor.policy() != Policy::fifo) return "not the order of the task set";
  if (order == Order::fixed) return "fixed priorities at levels " + fixed_levels(set, p);
  return "levels in the order of priority points";
}

inline void check_cpu_pool(const TaskSet& set, unsigned p, const CpuExecutor& executor, PriorityOrder& order, bool as_wanted,
                           const std::string& remarks, Checks& checks) {
  const Pool& pool = set.pools[p];
  const std::string scheduling = std::string(to_string(executor.policy())) + ", " + order_kept(set, p, executor);
  checks.push_back({std::string("scheduling of ") + pool.name,
                    as_wanted && executor.policy() != Policy::other ? Outcome::ok : Outcome::warning,
                    scheduling + (remarks.empty() ? "" : " (" + remarks.substr(0, remarks.size() - 2) + ")")});
  if (executor.pinning_failures() > 0)
    checks.push_back({std::string("processors of ") + pool.name, Outcome::failed, "some threads could not be confined to them"});
  if (executor.refused_levels() > 0)
    checks.push_back({std::string("levels of ") + pool.name, Outcome::failed,
                      std::to_string(executor.refused_levels()) + " jobs did not get the level of their priority point"});
  if (executor.policy() == Policy::fifo && order.crowded() > 0)
    checks.push_back({std::string("levels of ") + pool.name, Outcome::warning,
                      std::to_string(order.crowded()) + " jobs came when more were active than there are levels"});
}

}  // namespace workload
