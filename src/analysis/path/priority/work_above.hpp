// T11: how the work of more urgent DAGs grows with the releases that count, step by step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/path/system/staircase.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// The sum of staircases, and of floor(x/T) jobs more. All steps in order, found as far as they are asked for.
class WorkAbove {
 public:
  struct Dag {
    std::int64_t copies = 1;
    const Staircase* stairs = nullptr;
  };
  struct Later {
    std::int64_t T = 1;  // ns
    Tick work;
  };
  /// `Q`: ticks per ns. Keeps the staircases, as they are.
  WorkAbove(std::vector<Dag> dags, Later later, std::int64_t Q);

  /// At x >= 0.
  [[nodiscard]] Tick at(std::int64_t x) const;
  /// No more than the least x with Q x >= c + the work at x, or at `from` where that is later.
  [[nodiscard]] std::int64_t least_by_line(Tick c, std::int64_t from) const;
  /// That x, where it is no more than `most`; else no more than it, and more than `most` where not too many steps are to be looked at.
  [[nodiscard]] std::int64_t least(Tick c, std::int64_t from, std::int64_t most);

 private:
  void begin(std::int64_t from);
  [[nodiscard]] bool extend();
  void find_rises(std::int64_t to);
  void rise_at(std::int64_t last, Tick work);
  void add_spare(std::int64_t spare);
  [[nodiscard]] std::size_t first_with(std::int64_t spare, std::size_t i) const;
  [[nodiscard]] std::int64_t ns_up(std::int64_t ticks) const { return ticks / Q_ + static_cast<std::int64_t>(ticks % Q_ > 0); }

  std::vector<Dag> dags_;
  Later later_;
  std::int64_t Q_;
  std::int64_t shortest_ = no_bound;     // period
  Wide line_at_0_ = 0;                   // of the staircases: work is no less, ticks,
  Wide line_rate_ = 0;                   // and this for every ns, 2^-line_bits of them
  std::int64_t begin_ = no_bound;        // steps are known from here
  std::int64_t until_ = 0;               // to here
  std::vector<Staircase::Rises> next_;   // of each staircase, from `until_` on
  std::vector<std::int64_t> next_last_;  // the same, of these, and of `later_`
  struct Rise {
    std::int64_t last = 0;
    Tick work;
  };
  std::vector<Rise> rises_;
  Tick work_;                        // at `until_`, and before what rises there
  std::vector<std::int64_t> last_;   // the largest x with so much work
  std::vector<std::int64_t> spare_;  // ticks: of Q x beyond the work at this x
  static constexpr std::size_t together = 32;
  std::vector<std::int64_t> most_spare_;  // of so many steps
};

}  // namespace rta::analysis::path
