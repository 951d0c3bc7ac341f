// Published experiments on the device at hand: scaled to it, and compared with what the simulator plays.
#pragma once

#include <string>

#include "rta/examine/probe.hpp"

namespace rta::examine {

/// The experiment on a device with these limits: blocks in proportion to the SMs (rounded up), threads per block to an SM's threads (down
/// to whole warps), shared memory to an SM's (what the system adds to every block taken off), and all times so that the longest kernel or
/// copy takes 4 ms. Throws `UserError` where the experiment has several GPUs or engine pools, or where a scaled block is more
/// than the device allows.
[[nodiscard]] Experiment scaled(const Experiment& experiment, const DeviceLimits& limits);

/// A probe of the scaled experiment. It predicts the order in which operations are issued, start and end, as far as 400 us are between them
/// in each of 32 simulations, with execution times up to 1 % shorter; where the two published copy rules differ, each is a variant of the
/// prediction. No rule is judged by it.
[[nodiscard]] Probe reproduction(std::string name, const Experiment& experiment, const DeviceLimits& limits);

}  // namespace rta::examine
