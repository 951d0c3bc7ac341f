// C2: company of which is known how long it is there at most slows a block no longer than that (docs/theory/contention.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/company/phases.hpp"
#include "rta/analysis/company.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// When the jobs of each node run after their releases, by the bounds of the proof. None: not known, or its jobs may wait to begin.
[[nodiscard]] Windows stays_of(const Proof& proof);

/// L of every kernel.
[[nodiscard]] PerNode<Time> block_times(const TaskSet& task_set);

/// Beside one block: of a kernel so many jobs, each with blocks on SMs for so long at most.
struct Beside {
  Wide jobs = 0;
  Wide each = 0;
};
struct ExposedClass {
  std::optional<std::uint32_t> of_class;  // none: kernels without a class
  Wide time = 0;                          // for which they are there
  Time more;                              // by which they lengthen a block
};
/// What makes up a block's longest time.
struct Exposure {
  Time L;
  Time always;  // what company adds that counts as there all the time
  std::vector<ExposedClass> for_a_time;
};

class Exposures {
 public:
  /// `alone` and `stays` have to outlive it.
  Exposures(const TaskSet& alone, const Windows& stays) : set_(alone), stays_(stays) {}

  /// Whether C2 is known of the kernel: of one whose blocks all theorems count by L alone, on a GPU where only kernels are company.
  [[nodiscard]] bool counts(DagId d, NodeId v) const;
  /// How long the kernel is beside one block of v, none: not known. `lengths`: how long blocks are.
  [[nodiscard]] std::optional<Beside> beside(const PerNode<Time>& lengths, DagId d, NodeId v, const Met& other) const;
  /// The least of all choices of classes that count as there all the time. Requires `counts`.
  [[nodiscard]] std::optional<Exposure> of(const std::vector<Met>& company, const PerNode<Time>& lengths, DagId d, NodeId v) const;

 private:
  const TaskSet& set_;
  const Windows& stays_;
};

/// C1's durations, shorter where the times for which company is there say so: the least that are consistent, found from those alone. Null
/// where C2 is not asked, as jobs may wait to begin or there are too many kernels, or was not done after so many passes.
[[nodiscard]] std::shared_ptr<const TaskSet> shortened(const TaskSet& alone, const Lasting& lasting, const Windows& apart,
                                                       const Windows& stays, const TaskSet& by_pairs);

/// Whether C1 or C2 says so of all durations of `set`.
[[nodiscard]] bool are_long_enough(const TaskSet& alone, const Lasting& lasting, const Windows& apart, const Windows& stays,
                                   const TaskSet& by_pairs, const TaskSet& set);

}  // namespace rta::analysis
