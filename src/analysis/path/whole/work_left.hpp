// T10d: what a job has left to do at an age.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// Of a DAG on infinitely many processors, where every node starts as soon as it can.
struct WorkLeft {
  /// So many processors for so long.
  struct Step {
    std::int64_t width = 0;  // ns
    std::int64_t height = 0;
  };
  std::vector<Step> last = {};  // from the end back
  std::int64_t longest = 0;     // ns
  std::int64_t V = 0;           // ns

  /// Requires whole pieces of work on one processor.
  [[nodiscard]] static WorkLeft of(const Ticks& ticks, const Class& c);
  /// B: what is done in so long before the end; halves of a ns.
  [[nodiscard]] std::int64_t in_last(std::int64_t halves) const {
    std::int64_t work = 0;
    for (const Step& step : last) {
      if (halves <= 0) break;
      work += std::min(halves, 2 * step.width) * step.height;
      halves -= 2 * step.width;
    }
    return work;
  }
};

}  // namespace rta::analysis::path
