// The windows of all tasks, the orders of pairs and the options that are left, with what follows of them; decisions can be taken back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contention.hpp"
#include "problem.hpp"
#include "windows.hpp"

namespace rta::static_order {

/// Requires machines of capacity 1 and at most 64 options of a choice. Instances are made of a problem once and reset for other due times.
class WindowsState {
 public:
  using Level = std::size_t;

  explicit WindowsState(const Problem& problem);

  /// All windows as releases and due times leave them, all pairs open, all options left. False: nothing is possible.
  [[nodiscard]] bool reset(std::span<const Ns> due);
  [[nodiscard]] Level level() const { return trail_.size(); }
  void back_to(Level level);

  /// Each takes a decision and all that follows. False: it is impossible, and the state is to be taken back.
  [[nodiscard]] bool decide(std::uint32_t pair, Side side);
  [[nodiscard]] bool keep_only(ChoiceId choice, std::uint32_t option);
  [[nodiscard]] bool drop(ChoiceId choice, std::uint64_t options);

  [[nodiscard]] Ns start(TaskId t) const { return start_[t]; }
  [[nodiscard]] Ns end(TaskId t) const { return end_[t]; }
  [[nodiscard]] std::span<const TaskPair> pairs() const { return contention_.pairs; }
  [[nodiscard]] Side side(std::uint32_t pair) const { return side_[pair]; }
  /// Whether both tasks are bound to one machine, and their order is open.
  [[nodiscard]] bool contended(std::uint32_t pair) const;
  /// The tasks as arcs and the orders of pairs so far demand, among equals by their earliest starts. Fewer than all: some, without length,
  /// go round in a circle.
  [[nodiscard]] std::vector<TaskId> order() const;
  [[nodiscard]] std::uint64_t options(ChoiceId choice) const { return options_[choice]; }
  /// Whether nothing tells the machines of two options apart: the same needs may take either, and none is bound to them yet.
  [[nodiscard]] bool interchangeable(ChoiceId choice, std::uint32_t a, std::uint32_t b) const;
  /// A task whose window had no room at the last failure.
  [[nodiscard]] TaskId culprit() const { return culprit_; }
  /// Elementary steps so far: what time is measured in.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  enum class Kind : std::uint8_t { start, end, side, options };
  struct Change {
    Kind kind;
    std::uint32_t index;
    std::int64_t old;
  };
  [[nodiscard]] bool start_at(TaskId t, Ns time);
  [[nodiscard]] bool end_at(TaskId t, Ns time);
  [[nodiscard]] bool set_side(std::uint32_t pair, Side side);
  [[nodiscard]] bool settle_twin(std::uint32_t pair);
  [[nodiscard]] bool set_options(ChoiceId choice, std::uint64_t options);
  void touch(TaskId t);
  [[nodiscard]] bool propagate();
  [[nodiscard]] bool propagate_task(TaskId t);
  [[nodiscard]] bool propagate_pair(std::uint32_t pair);
  [[nodiscard]] bool part(TaskId a, TaskId b);
  [[nodiscard]] bool propagate_machine(MachineId m);
  [[nodiscard]] std::uint64_t possible(std::uint32_t need) const;
  [[nodiscard]] bool bound_to(std::uint32_t need, MachineId m) const;
  [[nodiscard]] bool share_for_sure(TaskId a, TaskId b) const;
  [[nodiscard]] bool fits(const MachineGroup& group);
  [[nodiscard]] bool share_stream(std::uint32_t pair) const;
  [[nodiscard]] bool fail(TaskId t);

  const Problem& problem_;
  Contention contention_;
  std::vector<Ns> start_, end_;
  std::vector<Side> side_;  // of each pair
  std::vector<std::uint64_t> options_;
  std::vector<Change> trail_;

  std::vector<TaskId> queue_;
  std::vector<char> queued_, dirty_machine_;
  std::vector<std::uint32_t> visits_;  // of a task in one propagation
  std::vector<MachineId> dirty_machines_;
  bool groups_dirty_ = false;
  MachineFilter filter_;
  std::vector<Window> windows_;
  std::vector<TaskId> window_order_, by_end_;
  TaskId culprit_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace rta::static_order
