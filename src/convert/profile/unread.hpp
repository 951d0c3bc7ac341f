// What ran on GPUs and is in no job.
#pragma once

#include <vector>

#include "jobs.hpp"

namespace rta::convert {

/// Tells of it with its time. Throws `io::InputError` where some of it lies within jobs, which then have less on the GPU than was recorded.
void tell_unread(const OrderedProfile& ordered, const std::vector<JobFamily>& families, const Options& options, Notes& notes);

/// Tells of kernels, copies and memsets that are in no job. Of marked jobs, their time beside these, for which no node stands; of those
/// that were found by repetition, the kernels of which no job shows as much.
[[nodiscard]] Beside tell_outside(const OrderedProfile& ordered, const std::vector<JobFamily>& families, const Options& options,
                                  Notes& notes);

}  // namespace rta::convert
