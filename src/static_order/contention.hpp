// What tasks of a problem may have to share, before anything is decided: pairs on machines that hold one at a time, and groups on several.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "problem.hpp"

namespace rta::static_order {

/// Two tasks that may have to share a machine that holds one at a time.
struct TaskPair {
  TaskId a = 0;
  TaskId b = 0;
  std::uint32_t twin = none;  // the pair of their submittees (or submitters) on the same stream, which has the same order
};

/// Which task of a pair comes first.
enum class Side : std::uint8_t { open, a_first, b_first };

/// Machines that some need takes one of, and all needs that take one of them only.
struct MachineGroup {
  std::size_t machines = 0;
  std::vector<TaskId> tasks;
};

struct Contention {
  explicit Contention(const Problem& problem);

  std::vector<TaskPair> pairs;
  std::vector<Side> given;  // of each pair, by arcs alone
  std::vector<std::vector<std::uint32_t>> pairs_of_task;
  std::vector<std::vector<std::uint32_t>> needs_of_machine;  // all that may take it
  std::vector<MachineGroup> groups;                          // small enough to be compared with the windows of their tasks

  /// How many pairs a problem has; nothing where machines hold several tasks or a choice has more than 64 options.
  [[nodiscard]] static std::optional<std::size_t> pairs_of(const Problem& problem);

 private:
  void add_pairs(const Problem& problem);
  void add_twins(const Problem& problem);
  void find_given_sides(const Problem& problem);
  void add_groups(const Problem& problem);
};

}  // namespace rta::static_order
