// An order: the option of every choice, and the tasks of every machine one after another. What it means in time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem.hpp"

namespace rta::static_order {

/// Sequences as linked lists of needs.
class Order {
 public:
  Order() = default;
  explicit Order(const Problem& problem);

  [[nodiscard]] MachineId machine(std::uint32_t need) const { return machine_[need]; }
  [[nodiscard]] std::uint32_t option(ChoiceId choice) const { return option_[choice]; }
  [[nodiscard]] std::uint32_t prev(std::uint32_t need) const { return prev_[need]; }
  [[nodiscard]] std::uint32_t next(std::uint32_t need) const { return next_[need]; }
  [[nodiscard]] std::uint32_t first(MachineId m) const { return first_[m]; }
  [[nodiscard]] std::uint32_t last(MachineId m) const { return last_[m]; }

  /// Decides a choice none of whose needs is in a sequence.
  void choose(const Problem& problem, ChoiceId choice, std::uint32_t option);
  /// Puts a need that is in no sequence behind `before` of its machine; none: to the front.
  void insert(std::uint32_t need, std::uint32_t before);
  void remove(std::uint32_t need);

  bool operator==(const Order&) const = default;

 private:
  std::vector<MachineId> machine_;  // by need
  std::vector<std::uint32_t> option_;
  std::vector<std::uint32_t> prev_, next_, first_, last_;
};

/// What an order costs: deadlines first, then the objective.
struct Cost {
  Ns late = 0;       // the most by which a task ends after its due time
  Ns objective = 0;  // the largest of end + weight
  auto operator<=>(const Cost&) const = default;
};

/// Starts and tails of all tasks under an order.
struct Times {
  std::vector<Ns> start;
  std::vector<Ns> tail;                   // from the start of the task: the largest sum along a path, less the due time of its last task
  std::vector<TaskId> order;              // topological
  std::vector<std::uint32_t> place;       // of each task in `order`
  std::vector<Arc> flow;                  // arcs that carry capacity of machines that hold several tasks; by `to`, in the order of `order`
  std::vector<std::uint32_t> first_flow;  // by position in `order`
  Ns lateness = 0;                        // the largest of start + tail: at most 0 where all due times are met
};

/// Computes times again and again without new memory.
class Evaluation {
 public:
  explicit Evaluation(const Problem& problem);

  /// False when the order has a cycle; `times` means nothing then. `due`: by task.
  [[nodiscard]] bool operator()(const Order& order, std::span<const Ns> due, Times& times);

 private:
  struct Unit {  // capacity that becomes free
    Ns at;
    Ns amount;
    TaskId from;
  };
  void start_task(const Order& order, TaskId t, Times& times);
  [[nodiscard]] Ns take(MachineId m, TaskId t, Ns demand, Ns ready, Times& times);
  void tails(const Order& order, std::span<const Ns> due, Times& times) const;

  const Problem& problem_;
  std::vector<std::uint32_t> waits_;
  std::vector<std::vector<Unit>> units_;  // by machine; empty for those of capacity 1
  std::vector<Unit> taken_;               // by the task at hand
  bool flows_ = false;
};

[[nodiscard]] Cost cost(const Problem& problem, const Times& times);

}  // namespace rta::static_order
