// T1r, T1re: what a GEL pool has left to do, and still gets to do, at the release of a job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analysis/cpu/gel_demand.hpp"
#include "analysis/cpu/gel_pieces.hpp"
#include "analysis/cpu/priority_order.hpp"
#include "rta/analysis/cpu/gel.hpp"

namespace rta::analysis::gel {

/// T1r: sum over i of C_i max(0, 1 - (Y_i - Y - J_i)/T_i), rounded up: what precedes a job with priority point `Y` after its release,
/// beyond what the tasks' utilizations make of the time before it.
[[nodiscard]] FineTime released_demand(std::span<const Task> tasks, Time Y);

/// C + (carry + demand - C)/m, rounded up. `carry`: c - 1 pieces of work (T1c).
[[nodiscard]] Time bound_from_release(const Task& task, FineTime carry, FineTime demand, std::uint32_t processors);

/// T1r and T1re for all tasks of a pool.
class FromRelease {
 public:
  /// Which of the two is behind a bound, and with which c.
  struct Origin {
    Theorem theorem;
    Wide c;
  };

  /// T1r takes a step for each pair of tasks with different T and Y off `pairs`, and is left out where that is too little.
  FromRelease(std::span<const Task> tasks, std::uint32_t processors, Wide ceil_U, std::size_t& pairs);

  [[nodiscard]] bool leaves_T1r_out() const { return linear_.empty(); }
  /// Walks with c from ceil(U) to `last_c`, until two in a row lower nothing or the budget of `demand` is spent.
  void walk(Wide last_c, ExactDemand& demand, const Pieces& pieces, std::span<const Time> R);
  /// True if it lowers some bound. `pieces`: counted from `R`, or from larger bounds.
  [[nodiscard]] bool lower(const Pieces& pieces, std::vector<Time>& R) const;
  /// What proves R[k], if either does.
  [[nodiscard]] std::optional<Origin> origin(const Pieces& pieces, std::size_t k, Time R) const;

 private:
  struct Exact {
    Wide c;
    std::vector<Wide> demands;  // ns, per point
  };

  void set_linear(std::size_t& pairs);
  bool lower_by(const Exact& by, const Pieces& pieces, std::vector<Time>& R) const;
  [[nodiscard]] Time linear(std::size_t k, FineTime carry) const;
  [[nodiscard]] Time exact(std::size_t k, const Exact& by, FineTime carry) const;
  static FineTime carry(const Pieces& pieces, Wide c) { return fine(to_time(pieces.longest(c - 1))); }

  std::span<const Task> tasks_;
  std::uint32_t m_;
  Wide ceil_U_;
  Points points_;
  std::vector<FineTime> linear_;  // per point; empty: left out
  std::vector<Exact> exact_;
};

}  // namespace rta::analysis::gel
