// T1 to T8 and T14j: nodes that are released by themselves, at their offsets or early, and what a pool is asked for.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include "certificate.hpp"
#include "processors.hpp"

namespace checker {

/// The tasks of all pools, and what has been verified of them.
class Offsets {
 public:
  Offsets(const TaskSet& set, const Certificate& certificate);

  // Each throws `Refused` unless the statement follows.
  void check_weights(const Weights& weights) const;
  void check_base(const Statement& statement) { static_cast<void>(base(statement)); }
  void check_bound(const Statement& statement, std::size_t d, std::size_t v);
  void check_awaited(const Statement& statement);
  void check_overload(const Statement& statement) const;

 private:
  using Queues = std::array<std::vector<Task>, 2>;  // two of engines: one for each direction

  void add_awaited();
  [[nodiscard]] std::size_t queue_of(const Node& node) const;
  [[nodiscard]] static bool is_late(const Statement& statement) { return statement.words.back() == "late"; }
  [[nodiscard]] const Queues& tasks_of(const Statement& statement, std::size_t p) const;
  void check_processors(std::size_t p, bool blocking) const;
  void check_sequence(const std::vector<Task>& tasks, const Pool& pool, bool by_theorem) const;
  const BoundOf& base(const Statement& statement);
  void check_rule(const Statement& statement, const Node& node, std::size_t place, std::size_t rule);

  const TaskSet& set_;
  const Certificate& certificate_;
  std::vector<Queues> tasks_;                    // pool
  std::vector<Queues> late_;                     // the same by nominal releases, without what groups await
  std::vector<std::vector<std::size_t>> place_;  // DAG, node -> its place there
  std::vector<std::size_t> awaited_place_;       // likewise, of what groups await
  std::map<const Statement*, BoundOf> bases_;
  std::map<std::tuple<std::size_t, bool, bool>, BoundOf> fed_back_;  // pool, without preemption, late
};

}  // namespace checker
