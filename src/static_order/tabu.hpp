// Tabu search over orders: tasks of critical blocks move to where they delay the last ends least.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moves.hpp"
#include "order.hpp"
#include "random.hpp"
#include "tabu_list.hpp"

namespace rta::static_order {

/// One search from one order. Its neighbourhood are the insertions into critical blocks of Balas and Vazacopoulos (Management Science 44,
/// 1998) and Zhang et al. (Computers & OR 34, 2007), and other machines for critical tasks (Mastrolilli and Gambardella, J. of Scheduling
/// 3, 2000), for tasks that hold several machines, too. Moves are rated by what they do to the tasks that change places; the best one that
/// was not undone lately is made.
class TabuSearch {
 public:
  explicit TabuSearch(const Problem& problem);

  struct Limits {
    std::uint64_t iterations = 0;  // without a lower lateness
    std::uint64_t steps = 0;       // tasks looked at, in all: what time is measured in
    Ns enough = 0;                 // lateness at which it ends
  };
  /// Lowers the lateness against `due`, from `order`, which ends as the best that was found; `times` are its times. Requires an order
  /// without cycle. Returns the steps taken. `stop()` true ends it at once.
  template <class Stop>
  std::uint64_t improve(Order& order, Times& times, std::span<const Ns> due, const Limits& limits, Random& random, const Stop& stop) {
    begin(order, due);
    std::uint64_t idle = 0;
    while (idle < limits.iterations && steps_ < limits.steps && best_lateness_ > limits.enough && !stop()) {
      idle = iterate(random) ? 0 : idle + 1;
    }
    order = best_;
    times = best_times_;
    return steps_;
  }

 private:
  struct Rated {
    Move move;
    Ns lateness;
    bool tabu;
  };
  void begin(const Order& order, std::span<const Ns> due);
  /// One move. True when a new best order was found.
  bool iterate(Random& random);

  [[nodiscard]] std::uint32_t shared(TaskId a, TaskId b) const;
  void rate_moves(Random& random);
  void rate_block(Random& random);
  void rate_behind(std::uint32_t need, std::uint32_t other);
  void rate_before(std::uint32_t need, std::uint32_t other);
  void rate_line(MachineId m, std::uint32_t after, const Move& move, bool tabu);
  void rate_flows(Random& random);
  void rate_exactly(const Move& move, TaskId first, TaskId second);
  void rate_options(TaskId t);
  void rate_option(std::uint32_t need, std::uint32_t option);
  [[nodiscard]] std::size_t count_options(TaskId t) const;
  [[nodiscard]] Ns head_without(TaskId t, MachineId m) const;
  [[nodiscard]] Ns tail_without(TaskId t, MachineId m) const;
  [[nodiscard]] Ns end_of(std::uint32_t need) const;
  [[nodiscard]] bool may_follow(TaskId t, TaskId later) const;
  [[nodiscard]] bool may_precede(TaskId t, TaskId earlier) const;
  [[nodiscard]] Ns least_lag(TaskId t) const { return problem_.starts_others[t] ? 0 : problem_.tasks[t].length; }
  [[nodiscard]] bool try_best(Random& random);
  void forbid(const Move& move, Random& random);

  const Problem& problem_;
  Evaluation evaluate_;
  Order current_, best_;
  Mover mover_;
  TabuList tabu_;
  Times times_, trial_, best_times_;
  std::span<const Ns> due_;
  Ns best_lateness_ = 0;
  std::vector<TaskId> path_;
  std::vector<Rated> moves_;
  std::vector<Ns> heads_;  // of a rated insertion
  std::vector<std::uint32_t> line_, block_;
  std::uint64_t now_ = 0, steps_ = 0;
  std::uint32_t tenure_ = 10;
};

}  // namespace rta::static_order
