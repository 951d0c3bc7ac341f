// T16 to T18: whether the jobs of sporadic tasks on a preemptive CPU pool end within their deadlines, D <= T, and how soon (hard.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/left_out.hpp"
#include "rta/analysis/theorem.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis::hard {

/// Jobs at least T apart, each up to C, to be bounded by D <= T.
struct Task {
  Time C;
  Time T;
  Time D;
  Time Y;                      // GEL: a job released at r has the priority point r + Y
  FixedPriority priority = 0;  // FP: the larger, the more urgent
};

enum class Order : std::uint8_t { points, fixed };

/// The window that T16 looks at.
enum class Window : std::uint8_t {
  none,     // the bound is not T16's
  release,  // from the job's release: whatever may be left of other tasks then
  busy      // from where all processors became busy: carry-in of at most m - 1 tasks
};

/// T18's sigma.
struct Density {
  Wide sigma = 0;  // of 2^bits
  static constexpr int bits = 20;
};

struct Bounds {
  std::vector<Time> R;           // one per task, at most T
  std::vector<Theorem> theorem;  // behind each; `none`: known before
  std::vector<Window> window;
  std::vector<Density> density;  // likewise, of those by T18; empty where none is
};

/// Bounds of all tasks, each at most D where that can be proven, else at most T; none where some task has none. `known`: bounds that are
/// proven already, which take part; empty: there are none. Equals of fixed priorities run in any order. Ends without bounds, or with T17's
/// and T18's alone, when the effort passes a fixed limit, of which `left_out` is told. Requires 0 <= C, 0 < D <= T and at least one
/// processor. Throws `Overflow`.
[[nodiscard]] std::optional<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors, Order order,
                                                    std::span<const Time> known = {}, std::vector<LeftOut>* left_out = nullptr);

/// T17: (sum of delta_i) <= m - (m-1) delta_max with delta_i = C_i/Y_i proves that every job ends within Y_i, where 0 < Y_i <= T_i.
[[nodiscard]] bool meets_by_density(std::span<const Task> tasks, std::uint32_t processors);

/// T18 for all tasks, without T16: the sigma of each, which is >= C_k/Y_k with sum min(f_i(t), t) <= (m - (m-1) sigma) t at every t >= Y_k.
[[nodiscard]] std::optional<std::vector<Density>> meets_by_load(std::span<const Task> tasks, std::uint32_t processors);

}  // namespace rta::analysis::hard
