// T6a, T6b, T6c and T7: bounds of kernels over every resource of an SM, with weights, for one FIFO or one FIFO per stream priority.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/gpu/fifo.hpp"
#include "rta/analysis/gpu/weights.hpp"
#include "rta/analysis/left_out.hpp"
#include "rta/analysis/result.hpp"
#include "rta/analysis/theorem.hpp"

namespace rta::analysis::fifo {

/// What to prove bounds with: the best that applies, or one result.
enum class Bound : std::uint8_t { best, T5, T6a, T6b };

struct Options {
  Bound bound = Bound::best;    // best: T6b's weights, T7 where there are several priorities
  bool shared_weights = false;  // one set of weights for all kernels: faster, and seldom worse
  bool count_carry = true;      // T6c; only with Bound::best
  bool feed_back = false;       // T6n; only with Bound::best and one priority
};

/// How the work left over from before the busy interval was bounded.
enum class Carry : std::uint8_t {
  theorem_4_3,    // T5: L_max (g m - H_max)
  resident,       // (a): (g-1) K + K'
  all_resident,   // T7, above the lowest priority: g K
  light,          // (b): L_max times the weights in use below U_w
  counted,        // T6c (a)
  counted_light,  // T6c (b)
  sliced,         // T14j: (g-1) K + K'
  sliced_light,   // T14j: L_max U_w (S + G)/S + U_w G
  none            // T6n: the whole backlog is counted
};

/// One set of weights and what does not depend on the task under analysis. All work is in credits: what a block of task i has left to
/// run, in ns, times H_i density_i; so w_i = H_i density_i / guaranteed.
struct WeightSet {
  std::vector<Wide> density;    // per task
  Wide guaranteed = 0;          // credit in use on an SM in a blocking configuration, at least
  Wide capacity = 0;            // g guaranteed
  Utilization U;                // of the counted tasks, sum density_i C_i B_i / T_i; at most `capacity`
  Wide below_U = 0;             // the most credit in use that is less than U: whole blocks are multiples of their common divisor
  Wide released = 0;            // sum density_i C_i B_i (1 + J_i / T_i)
  Wide rate = 0;                // numerator and ...
  Wide rate_scale = 1;          // ... denominator of the speed at which a backlog falls: `capacity`, less U of higher priorities
  bool occupancy = false;       // T6a's
  BlockingConfiguration worst;  // holds `guaranteed`
};

/// Where a task's bound comes from: R = (carried + released - density C) rate_scale / rate + L, over its weight set; T6n: the backlog
/// `carried` in place of carried + released; T14j: all of it times (S + G)/S, plus G.
struct Basis {
  Theorem theorem = Theorem::none;
  std::uint32_t set = 0;
  Carry carry = Carry::light;
  Wide carried = 0;  // credit x ns
  // T6c: that is lambda room + sum over the tasks of their blocks' max(0, work - lambda price).
  Wide lambda = 0;                        // (b): ns; (a): credit x ns per unit of `resource`
  Resource resource = Resource::threads;  // (a)
};

struct GpuBounds {
  std::vector<std::optional<Time>> R;  // per task, whole ns, rounded up; none only where more urgent ones leave less urgent ones no bound
  std::vector<Basis> basis;            // per task
  std::vector<WeightSet> sets;
  Utilization U;                 // sum C_i B_i / T_i, G-threads
  double capacity = 0;           // the largest U of this mix of kernels that the result used can carry, G-threads; for people
  BlockingConfiguration worst;   // the blocking configuration with the fewest G-threads in use
  std::optional<Reason> reason;  // why some R is missing
  std::vector<LeftOut> left_out = {};
};

/// Bounds of all kernels of a GPU. Unbounded when no task has a bound. With one priority: T5, T6a, T6b, T6c as `options` say; with more:
/// T7. Requires T > 0, B > 0, H > 0. Throws `Overflow`.
[[nodiscard]] Result<GpuBounds> gpu_bounds(std::span<const Task> tasks, const GpuPool& gpu, const Options& options = {});

}  // namespace rta::analysis::fifo
