// T15g: kernels of several streams that run concurrently in a static schedule.
#pragma once

#include <vector>

#include "waiting.hpp"

namespace rta::static_order {

struct FreeKernels {
  std::vector<Time> end;           // F of every runnable
  std::vector<Decision> decision;  // the predecessor on a path that attains it
};

/// Over all paths of the waiting graph to v, begun at a runnable with its release s,
///   F_v = s + sum over non-kernels of C + sum over kernels x of (L_x + w_x L_x (B_x - 1)/g) + (1/g) sum over kernels u parallel to one of
///   them of w_u L_u B_u,
/// w/g = weight/capacity of the GPU, rounded up to whole ns. Kernels that cannot meet, since one is released when the other has ended, are
/// left out. Requires a waiting graph without cycle and without starts that follow starts. Throws `UserError` for more kernels than memory
/// has room for, `Overflow`.
[[nodiscard]] FreeKernels free_kernels(const ScheduledHyperepoch& hyperepoch, const Waiting& waiting);

}  // namespace rta::static_order
