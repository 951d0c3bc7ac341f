// Changes of an order that keep submitters and submittees of a stream alike, and can be taken back.
#pragma once

#include <cstdint>
#include <vector>

#include "order.hpp"

namespace rta::static_order {

/// A task moves behind (or before) another one on a machine, or to another option of a choice.
struct Move {
  enum class Kind : std::uint8_t { behind, before, option };
  Kind kind = Kind::behind;
  std::uint32_t need = none;    // of the task that moves
  std::uint32_t other = none;   // need that it then follows or precedes; option: need that it then follows, none: at the front
  std::uint32_t option = none;  // for Kind::option
};

/// Applies moves to an order, and takes back the last one.
class Mover {
 public:
  Mover(const Problem& problem, Order& order) : problem_(problem), order_(order) {}

  /// Every pair of tasks that changes places on one machine does so on all that they share, and so do their submittees and submitters.
  /// `times`: of the order as it is. False when too much would have to move; nothing has changed then.
  [[nodiscard]] bool apply(const Move& move, const Times& times);
  void undo();
  /// Where a need was before the last move, which changed its option.
  [[nodiscard]] MachineId machine_before(std::uint32_t need) const { return problem_.needs[need].machine[choices_.front().option]; }

 private:
  struct Step {
    std::uint32_t need;
    std::uint32_t before;  // where it was
  };
  struct Pair {  // `moved` must stand behind `other` (or before it)
    TaskId moved;
    TaskId other;
  };
  struct Choice {
    ChoiceId choice;
    std::uint32_t option;
  };
  void relocate(std::uint32_t need, std::uint32_t before);
  void change_option(const Move& move, const Times& times);
  [[nodiscard]] bool settle(bool behind);
  [[nodiscard]] bool settle_pair(const Pair& pair, bool behind);
  void follow(std::uint32_t need, std::uint32_t other);
  void jump(std::uint32_t need, std::uint32_t until, bool behind);
  [[nodiscard]] std::uint32_t need_on(TaskId task, MachineId m) const;
  void place_as_submitted(std::uint32_t need);
  void place_by_time(std::uint32_t need, Ns start, const Times& times);

  const Problem& problem_;
  Order& order_;
  std::vector<Step> steps_;
  std::vector<Choice> choices_;
  std::vector<Pair> pairs_;
};

}  // namespace rta::static_order
