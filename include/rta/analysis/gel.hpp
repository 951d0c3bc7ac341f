// T1: response-time bounds on a CPU pool under GEL scheduling, intra-task parallelism allowed
// (Yang, Yang, Anderson, RTNS 2016; Erickson, Anderson, Ward, Real-Time Systems 50, 2014; sharpened here).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/result.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::gel {

/// An npc-sporadic task: jobs at least T apart, each up to C, job released at r has priority point r + Y.
struct Task {
  Time C;
  Time T;
  Time Y;  // any sign: only differences matter
};

/// What all bounds of one pool share.
struct Terms {
  Time shift;       // min Y
  Wide ceil_U = 0;  // ceil(U)
  Time C_max;
  FineTime carry;   // (ceil(U) - 1) C_max in T1
  FineTime demand;  // sum of V_i = C_i max(0, 1 - Y'_i / T_i), each rounded up
};

struct Bounds {
  Terms terms;
  std::vector<Time> R;  // one per task, whole ns, rounded up
};

[[nodiscard]] Utilization utilization(std::span<const Task> tasks);

/// "U = 17.25 > 16 processors (exceeded by 1.25)".
[[nodiscard]] std::string overload(const Utilization& U, std::uint32_t processors);

/// T1: R_k = Y'_k + (carry + demand)/m + (m-1)/m C_k. Unbounded when U > m (decided exactly). Requires C >= 0, T > 0 and at least one
/// processor (throws std::invalid_argument otherwise). Throws `Overflow`.
[[nodiscard]] Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors);

/// The bound of task k with its numbers put in, line by line, for a reader with a pocket calculator.
[[nodiscard]] std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k);

}  // namespace rta::analysis::gel
