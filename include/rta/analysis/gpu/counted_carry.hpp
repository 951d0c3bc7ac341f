// T6c's carry by count, with its terms.
#pragma once

#include <span>
#include <vector>

#include "rta/analysis/gpu/fifo_bounds.hpp"

namespace rta::analysis::fifo {

/// lambda room + sum over the tasks of blocks max(0, work - lambda price).
struct CountedCarry {
  /// A kernel whose unfinished blocks count that much each.
  struct Term {
    Wide jobs = 0;    // ceil((R + J)/T)
    Wide blocks = 0;  // of these jobs
    Wide work = 0;    // of a block, credit x ns
    Wide price = 0;   // (b): credit of a block; (a): what it needs of `resource`
  };
  Wide lambda = 0;                        // (b): ns; (a): credit x ns per unit of `resource`
  Resource resource = Resource::threads;  // (a)
  Wide room = 0;                          // (b): most credit in use below U_w; (a): g capacity less the largest need of a block
  Wide total = 0;
  std::vector<Term> terms;  // one per task
};

/// By the whole lambda (and resource) by which the carry, counted with the final bounds, is least: at most `basis.carried`, which earlier
/// and larger bounds gave. Requires a carry that is `counted` or `counted_light`. Throws `Overflow`.
[[nodiscard]] CountedCarry counted_carry(std::span<const Task> tasks, const GpuPool& gpu, const GpuBounds& bounds, const Basis& basis);

}  // namespace rta::analysis::fifo
