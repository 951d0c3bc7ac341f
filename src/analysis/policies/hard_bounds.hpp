// Hard deadlines: T16 to T18 beside the bounds of a policy.
#pragma once

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// On every preemptive CPU pool whose nodes are DAGs of their own, without release jitter, at offsets (not under FP) or on completion,
/// where the policy's bounds leave some deadline open: the bound of each is the least of these and of T16 to T18, which hold for sequential
/// nodes, too. Where the policy proves all deadlines its bounds stay, and with them what certificates carry. The fixed priorities must be
/// there.
void add_hard_bounds(Proof& proof, const Options& options);

}  // namespace rta::analysis
