// List scheduling: one task after another is put behind those that its machines already have.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "order.hpp"
#include "problem.hpp"
#include "random.hpp"

namespace rta::static_order {

struct ListRule {
  std::vector<Ns> key;  // by task: the least goes first
  /// How long a machine may wait for a task with a better key, between not at all (0, non-delay) and until the first of the ready tasks
  /// would have ended (100, active). More: strictly by key.
  int patience = 0;
  const Order* options = nullptr;  // whose options are taken, where it has decided them
};

/// The order in which tasks are put; nothing when the submitters of a stream and their submittees cannot be brought into one order, or when
/// `enough`, which is asked now and then, says so.
[[nodiscard]] std::optional<Order> list_schedule(const Problem& problem, const ListRule& rule, const std::function<bool()>& enough = {});

/// Keys: the longest path to the end (first: the longest), the slack to the due times (first: the least), release times.
[[nodiscard]] std::vector<Ns> longest_tail_keys(const Problem& problem, std::span<const Ns> due);
[[nodiscard]] std::vector<Ns> least_slack_keys(const Problem& problem, std::span<const Ns> due);
/// As the longest path, with the mean load of the machines behind each task added.
[[nodiscard]] std::vector<Ns> work_behind_keys(const Problem& problem, std::span<const Ns> due);
/// The keys with up to `percent` of their range added at random.
[[nodiscard]] std::vector<Ns> shaken(std::vector<Ns> keys, std::uint32_t percent, Random& random);

}  // namespace rta::static_order
