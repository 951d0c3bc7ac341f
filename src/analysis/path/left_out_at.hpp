// What `left_out` cannot know before the ends.
#pragma once

#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// What limits take from what `refinement` names, at ends that are a solution: how many jobs may be at once follows from them.
[[nodiscard]] std::vector<LeftOut> left_out_at(const System& system, Refinement refinement, const std::vector<std::vector<Time>>& F);
/// The same where an end passed a limit on the way up.
[[nodiscard]] std::vector<LeftOut> left_out_past(const System& system, Refinement refinement, const reason::PastLimit& past);

}  // namespace rta::analysis::path
