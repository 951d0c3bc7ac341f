// T11 and T11j from below for one DAG, where the ends of all that is more urgent are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/path/priority/urgent.hpp"
#include "analysis/path/priority/work_above.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// A class all of whose nodes are on one preemptive pool of several processors, with one priority that no node of another DAG there has.
/// All counts rise with its ends, so no right-hand side at lesser ends is more than the least solution: each is evaluated again only where
/// what it was last is no more than the end at hand, and the larger of the two not at all.
class Climb {
 public:
  using PerClass = std::vector<std::vector<std::int64_t>>;  // class -> one value per node, ns

  [[nodiscard]] static bool applies(const Ticks& ticks, std::size_t k);
  /// Requires that. `above`: of DAGs that are more urgent, as their ends are. `late`: where T11j is asked, too, and then prepared for class
  /// k alone; rounded up to a multiple of `grid`.
  Climb(const Ticks& ticks, std::size_t k, WorkAbove above, UrgentPool* late, std::int64_t grid);
  /// Raises the ends of class k, which are no more than the least solution, up to it, or as far as the class's limit, or so many steps, let
  /// them. Returns whether T11j decided any.
  bool run(PerClass& F);

 private:
  [[nodiscard]] bool sweep(PerClass& F);
  [[nodiscard]] bool raise(std::vector<std::int64_t>& F, std::size_t v, bool& raised);
  [[nodiscard]] std::int64_t solved_by_path(std::size_t v, std::int64_t most);

  const Ticks& ticks_;
  const Class& c_;
  std::size_t k_;
  UrgentPool* late_;
  std::int64_t grid_;
  bool equals_any_;
  WorkAbove above_;                           // of more urgent DAGs
  Tick earlier_;                              // work of the DAG's own earlier jobs
  std::vector<std::int64_t> A_;               // bounds on ready times, ns
  std::vector<std::int64_t> last_;            // the last end of a node and those before it, ns
  std::vector<std::int64_t> last_of_equals_;  // the last release of equals that go before one of these, ns
  std::vector<std::int64_t> by_path_;         // of T11's least solutions for each node alone, as it was last, ns
  std::vector<std::int64_t> by_late_;         // T11j's right-hand sides, likewise
  bool exactly_ = false;                      // else T11 counts no more than shares of jobs
  bool late_decides_ = false;
  bool is_past_limit_ = false;
};

}  // namespace rta::analysis::path
