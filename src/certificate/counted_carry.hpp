// T6c's carry by count: the lambda that makes it as small as it was claimed.
#pragma once

#include "rta/analysis/evidence.hpp"

namespace rta::certificate {

struct CountedCarry {
  Wide lambda = 0;                                                        // (b): ns; (a): credit x ns per unit of `resource`
  analysis::fifo::Resource resource = analysis::fifo::Resource::threads;  // (a)
};

/// The whole lambda (and resource) by which the carry, counted with the final bounds, is least: at most `basis.carried`, which earlier and
/// larger bounds gave. Requires a carry that is `counted` or `counted_light`.
[[nodiscard]] CountedCarry counted_carry(const analysis::KernelEvidence& evidence, const analysis::fifo::Basis& basis);

}  // namespace rta::certificate
