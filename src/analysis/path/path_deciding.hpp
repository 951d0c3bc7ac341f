// The paths that decide T10n's inequality at bounds at hand, with sums that all DAGs share.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/path/path_nodes.hpp"
#include "analysis/path/system/ticks.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

class DecidingPaths {
 public:
  /// Without release jitter and time slices; T12 and T14 have sums of their own.
  [[nodiscard]] static bool applies(const System& system);

  /// Keeps a reference to the system, which the theorem must apply to.
  DecidingPaths(const System& system, const NodeBounds& bounds);
  DecidingPaths(const DecidingPaths&) = delete;
  DecidingPaths& operator=(const DecidingPaths&) = delete;

  /// The path of `Derivations::of(k, v)`, source first.
  [[nodiscard]] std::vector<std::size_t> to(std::size_t k, std::size_t v) const;

 private:
  Ticks ticks_;
  Nodes nodes_;
};

}  // namespace rta::analysis::path
