// T10v: which jobs are given strands, so that a path's bound can be evaluated without choosing again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// Of the jobs of one DAG that are released `from` or more before the path's, the latest `jobs` lose work of `strands` strands each.
struct StrandShare {
  std::size_t dag = 0;
  Time from;
  std::int64_t jobs = 0;
  std::int64_t strands = 0;
};
using StrandChoice = std::vector<StrandShare>;

/// Per DAG of the system the choices of which T10v takes the least for each path; none where T10v does not apply. `limits` as for the
/// bounds.
[[nodiscard]] std::vector<std::vector<StrandChoice>> strand_choices(const System& system, const Limits& limits = {});

}  // namespace rta::analysis::path
