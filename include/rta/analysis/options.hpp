// What an analysis may be asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/model/pool.hpp"
#include "rta/model/schedule.hpp"

namespace rta::analysis {

/// Which theorem bounds a CPU pool. `best`: the least bound that applies; `published`: T1 as it was published, without refinements.
enum class CpuBound : std::uint8_t { best, published, T1, T3, T4 };

/// Which theorems bound release on completion: T10n alone, which under fixed priorities is T11 and with time slices T14; with T10v also
/// T10a; with T10g also T10c, T10f, T10j, T11j, T23 and T24. `best`: also T10p, T10d and T10w where these leave a deadline open.
enum class PathBound : std::uint8_t { best, T10n, T10v, T10g };

/// What is minimised: the sum of the end-to-end bounds, or the largest lateness (then the sum).
enum class Objective : std::uint8_t { sum, max_lateness };

/// Whose priority points order the CPU pools on completion: one per DAG, or one per node. `best`: whichever has the smaller bounds.
enum class Priorities : std::uint8_t { dag, node, best };

/// What an analysis may end with: the least bounds that it has a theorem for, or, on completion and for the best policy, the first that
/// meet all deadlines; a DAG without a deadline then needs some bound.
enum class Enough : std::uint8_t { bounds, deadlines };

/// On completion and on segments: of which nodes T10p, T10w and T10m are asked, which take longer. `open`: on completion T10p and T10w of
/// nodes that leave a deadline open otherwise; `small`: on completion all of small task sets, too.
enum class Fitting : std::uint8_t { open, small, all };

struct Options {
  /// None: the one of offsets, completion and segments that bounds the most DAGs, meets all deadlines, and has the smaller bounds; offsets
  /// where some option asks for an analysis that only offsets have.
  std::optional<Release> release;
  Granularity granularity = Granularity::fine;
  std::optional<Scheduler> scheduler;  // of every CPU pool, in place of the file's
  std::optional<bool> preemptive;      // likewise
  Objective objective = Objective::sum;
  CpuBound cpu_bound = CpuBound::best;
  fifo::Bound gpu_bound = fifo::Bound::best;
  bool shared_weights = false;  // T6b: one set of weights for all kernels of a GPU
  gel::Refinement refinement = gel::Refinement::all;
  /// Release on completion. Chosen points per node replace the schedulers of preemptive CPU pools, but for FIFO's. Empty: `best` on pools
  /// under LP, whose points the analysis chooses anyway, `dag` elsewhere.
  std::optional<Priorities> priorities;
  /// Release on completion or segments: search for the DAGs' priority points and, under FP, priorities. The objective is then max_lateness.
  bool optimize_priorities = false;
  PathBound path_bound = PathBound::best;
  Fitting fitting = Fitting::open;
  bool kernel_switches = false;       // B of kernels includes blocks that stand for switches between kernels (`on_measured_device`)
  Enough enough = Enough::bounds;     // of sets with chains always all bounds; so with points per node that were asked for
  std::int64_t most_periods = 1'000;  // on completion and segments: a DAG whose bound passes so many of its periods has none

  /// On which cuts and points of segments are tried, and `stop` is asked; what is found does not depend on it.
  std::size_t threads = 1;

  std::function<bool()> stop;  // true ends the searches of T10n, of segments and of priority points; no clock is read here
  std::function<void(std::string_view)> progress;  // told now and then what is being searched; may be empty
  std::vector<std::string> explain;                // DAGs and nodes, as `dag`, `node` or `dag/node`
  bool suggest = false;                            // look for block sizes that raise the capacity of a GPU
  bool critical_paths = true;                      // on completion and segments: false saves the time that they take
};

}  // namespace rta::analysis
