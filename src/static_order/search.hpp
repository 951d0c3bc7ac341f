// The search for the best order of a problem: several searches side by side that share what they find.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "bounds.hpp"
#include "order.hpp"
#include "problem.hpp"

namespace rta::static_order {

struct SearchOptions {
  std::uint64_t seed = 1;
  /// Rounds of a fixed amount of work each. With it the result depends on nothing else: neither on the clock nor on the number of threads.
  std::optional<std::uint64_t> effort;
  std::optional<std::chrono::steady_clock::time_point> until;
  unsigned threads = 0;  // 0: one per processor
  std::stop_token stop;
  /// Called between rounds, with the best cost and its lower bound.
  std::function<void(const Cost&, const Cost&)> progress;

  [[nodiscard]] bool stopped() const { return stop.stop_requested(); }
  [[nodiscard]] bool late() const { return until && std::chrono::steady_clock::now() >= *until; }
  [[nodiscard]] bool over() const { return stopped() || late(); }
  /// What a result needs, an order and its lower bounds, may take so much longer than the search.
  [[nodiscard]] bool hopeless() const {
    return stopped() || (until && std::chrono::steady_clock::now() - std::chrono::milliseconds(300) >= *until);
  }
};

struct SearchResult {
  Order order;
  Times times;
  Cost cost;
  Cost bound;              // no order has a lower cost
  LowerBound late_reason;  // of bound.late > 0
  LowerBound reason;       // of bound.objective
  enum class Ending : std::uint8_t { optimal, effort, time_limit, stopped };
  Ending ending = Ending::optimal;
  /// Other good orders, of the same cost or a little more.
  std::vector<Order> others;
};

/// Nothing when no order was found, in time, in which the submittees of every stream follow their submitters.
[[nodiscard]] std::optional<SearchResult> search(const Problem& problem, const SearchOptions& options);

}  // namespace rta::static_order
