// T8: response-time bounds of work items on persistent threads, and of copies on an engine (one worker), behind one FIFO.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/left_out.hpp"
#include "rta/analysis/result.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::workers {

/// A sporadic task of B items per job, each up to L long without the dispatch overhead (a copy: B = 1). Consecutive enqueues are at least
/// T apart, or happen in [jT, jT + J].
struct Task {
  Time T;
  std::uint64_t B = 1;
  Time L;
  Time J;  // enqueue jitter; 0 with offsets
};

/// What all bounds of one pool share.
struct Terms {
  Wide ceil_U = 0;       // ceil(U): workers that are busy from t0 on
  Time L_max;            // with the dispatch overhead
  Time carry;            // (ceil(U) - 1) L_max, or less by counting
  bool counted = false;  // carry is the sum of the ceil(U) - 1 longest items that can be unfinished
  Time released;         // sum L_i B_i (1 + J_i / T_i), each rounded up
};

struct Bounds {
  Terms terms;
  std::vector<Time> R;  // one per task, whole ns, rounded up
  std::vector<LeftOut> left_out;
};

/// sum L_i B_i / T_i, in workers.
[[nodiscard]] Utilization utilization(std::span<const Task> tasks, Time dispatch_overhead = Time::zero());

/// T8: R_k = (carry + sum L_i B_i - L_k) / N + L_k. Unbounded when U > N (decided exactly). `count_carry`: carry by count as in T6c, given
/// the bounds proven so far. Requires T > 0 and B > 0. Throws `Overflow`.
[[nodiscard]] Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t workers, Time dispatch_overhead = Time::zero(),
                                             bool count_carry = true);

}  // namespace rta::analysis::workers
