// docs/theory/jitter.md, T12: how many jobs count whose nominal releases are T apart or more, each released up to J later.
#pragma once

#include "number.hpp"

namespace checker {

/// Releases of another DAG in a half-open interval of this length.
[[nodiscard]] Int late_jobs(Int length, Int T, Int J);
/// Of the DAG of a job that is released at r, other jobs that are released in (r - F, r + lim].
[[nodiscard]] Int other_late_jobs(Int lim, Int F, Int T, Int J);

}  // namespace checker
