// T1, T1e, T1c, T1r, T1re, T1n; T1b, T1be, T1bn without preemption: response-time bounds on a CPU pool under GEL scheduling, intra-task
// parallelism allowed
// (T1: Yang, Yang, Anderson, RTNS 2016; Erickson, Anderson, Ward, Real-Time Systems 50, 2014; sharpened here).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/left_out.hpp"
#include "rta/analysis/result.hpp"
#include "rta/analysis/theorem.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::gel {

/// An npc-sporadic task: jobs at least T apart, each up to C, job released at r has priority point r + Y. With J > 0 it is nominal releases
/// that are T apart, and each job is released up to J later, 0 <= J < T: T1 and its refinements know it, T3 and T4 do not.
struct Task {
  Time C;
  Time T;
  Time Y;  // any sign: only differences matter
  Time J = Time::zero();
};

/// Which results sharpen T1: the exact demand (T1e), the carry-in counted by jobs (T1c), the backlog at a job's release (T1r,
/// T1re) with proven bounds fed back (T1n), or all of them. `early`: all that hold as well when jobs may be released before their offsets,
/// at unchanged priority points: T1e and T1c. T1r, T1re and T1n do not: they count jobs by their releases.
enum class Refinement : std::uint8_t { none, demand, carry, response, early, all };

/// What all bounds of one pool share.
struct Terms {
  Time shift;       // min Y; as published only where that is below 0
  Wide ceil_U = 0;  // ceil(U)
  Time C_max;
  Wide c = 0;      // ceil(U) in T1; T1e chooses c from ceil(U) to m
  FineTime carry;  // work released before the c processors became busy: (c - 1) C_max in T1; T1c counts jobs
  // Sum of V_i = C_i max(0, 1 - (Y'_i - J_i)/T_i) in T1, each rounded up; T1e: the exact supremum, or an upper bound of it.
  FineTime demand;
  bool counted_carry = false;  // T1c
  bool exact_demand = false;   // T1e
  bool published = false;      // T1 as its papers have it: c = m, and points as they are
};

struct Bounds {
  Terms terms;
  std::vector<Time> R;           // one per task, whole ns, rounded up
  std::vector<Theorem> theorem;  // behind each: T1, T1e, T1c, both, T1r, T1re or T1n; T1b, T1be or T1bn
  std::vector<Wide> c;           // behind those by T1r, T1re, T1b and T1be; empty unless some refinement may find them
  std::vector<LeftOut> left_out = {};
};

[[nodiscard]] Utilization utilization(std::span<const Task> tasks);

/// T1: R_k = Y'_k + (carry + demand)/m + (m-1)/m C_k, with the refinements asked for, repeated until nothing improves (or a limit on the
/// effort, which thousands of different tasks reach; every round's bounds are valid). A refinement never makes a bound larger. Unbounded
/// when U > m (decided exactly). Requires C >= 0, T > 0 and at least one processor. Throws `Overflow`.
[[nodiscard]] Result<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors,
                                             Refinement refinement = Refinement::none);

/// T1 as published: carry (m - 1) C_max, and Y as it is; where some Y is below 0, with all of them later by as much. Never below T1.
[[nodiscard]] Result<Bounds> published_bounds(std::span<const Task> tasks, std::uint32_t processors);

/// The same where a job that has started runs to its end, and none is released early: T1b, its refinements T1be and T1bn.
[[nodiscard]] Result<Bounds> non_preemptive_bounds(std::span<const Task> tasks, std::uint32_t processors,
                                                   Refinement refinement = Refinement::none);

/// T1n: R_k = C_k + (sum_i n_i C_i - C_k)/m with n_i = ceil((R_i + min(R_k, Y_k - Y_i) + J_i)/T_i), 0 where R_i + min(R_k, Y_k - Y_i) is
/// not above 0, the least fixed point in R_k, from bounds R_i of all tasks that are already proven (by whatever theorem); one per task,
/// never larger than what was proven. The answer is proven as well and may be fed back.
[[nodiscard]] std::vector<Time> bounds_from_proven(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> proven);

}  // namespace rta::analysis::gel
