// T11j's second form: how long each busy interval lasts, so that a bound can be verified without searching again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

class BusyIntervals {
 public:
  BusyIntervals(const System& system, const NodeBounds& bounds);
  /// Of node v of DAG k, which is on a preemptive pool under fixed priorities: the z(x) of docs/theory/fixed-priority.md, T11j, for x = 0
  /// and each x at which more work of equals counts, up to the last that matters. None: the first form gives its bound.
  [[nodiscard]] std::vector<Time> of(std::size_t k, std::size_t v) const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace rta::analysis::path
