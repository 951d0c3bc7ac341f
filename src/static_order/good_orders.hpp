// Good orders, the best first: what searches begin from.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "list_schedule.hpp"
#include "order.hpp"
#include "random.hpp"

namespace rta::static_order {

struct Candidate {
  Order order;
  Times times;
  Cost cost;
};

/// Due times that an order must meet to cost less than `cost`: a smaller delay, or, where nothing is late, a lower objective.
[[nodiscard]] std::vector<Ns> due_below(const Problem& problem, const Cost& cost);
/// For that objective; due times of tasks still count.
[[nodiscard]] std::vector<Ns> due_for(const Problem& problem, Ns objective);

class GoodOrders {
 public:
  explicit GoodOrders(const Problem& problem) : problem_(problem) {}

  void add(Candidate candidate);
  [[nodiscard]] bool empty() const { return candidates_.empty(); }
  [[nodiscard]] const Candidate& best() const { return candidates_.front(); }
  [[nodiscard]] std::span<const Candidate> all() const { return candidates_; }

  /// An order between two of them, or one that is shaken. `enough` as of `list_schedule`.
  [[nodiscard]] std::optional<Order> between(Random& random, const std::function<bool()>& enough) const;

 private:
  const Problem& problem_;
  std::vector<Candidate> candidates_;
};

/// The order with its times and cost; nothing when it has a cycle.
[[nodiscard]] std::optional<Candidate> candidate(const Problem& problem, Evaluation& evaluate, Order order);

/// First orders: several keys and degrees of patience, and their improvement by turning time round and back, until `enough`, or, where none
/// was found by then, `hopeless`.
void add_list_schedules(const Problem& problem, GoodOrders& pool, const std::function<bool()>& enough,
                        const std::function<bool()>& hopeless);

}  // namespace rta::static_order
