// T10c: what the jobs that precede one on a preemptive GEL queue by DAG may have left when it is released.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "staircase.hpp"
#include "system.hpp"

namespace checker {

/// Of one such queue with U <= m.
class Backlog {
 public:
  Backlog(const System& system, std::size_t queue);
  /// W of jobs whose priority point there is Y and whose last node there ends by b, in the grid.
  [[nodiscard]] Int left(Int Y, Int b);

 private:
  struct Aged {
    Int age, left;
  };
  /// Equal DAGs.
  struct User {
    Int copies, T, Y;
    Int C = 0;               // of the nodes on the queue
    bool whole = false;      // there are no others
    std::vector<Aged> aged;  // released less than `age` before t0, and no less than the age before: what their jobs have left there
    Staircase counted;       // I_d: of jobs released in (-x, ...], C at once or each node until it has ended
    std::vector<Int> ends;   // from which nodes count no more: 0, or F of the nodes on the queue
  };
  [[nodiscard]] static std::vector<Aged> aged_of(const Job& job, std::size_t queue);
  [[nodiscard]] Int carry() const;
  [[nodiscard]] Int beyond(Int x, Int Y, Int b) const;
  [[nodiscard]] std::vector<Int> rises(Int up_to, Int Y, Int b) const;
  [[nodiscard]] std::pair<Int, bool> up_to() const;

  const System& system_;
  std::size_t queue_;
  std::vector<User> users_;
  Int carry_ = 0;  // of the DAGs that are wholly on the queue
  Int c_ = 0;      // ceil(U)
  std::map<std::pair<Int, Int>, Int> known_;
};

}  // namespace checker
