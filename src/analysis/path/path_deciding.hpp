// The paths that decide T10n's inequality at bounds at hand, with sums that all DAGs share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/path/path_nodes.hpp"
#include "analysis/path/system/ticks.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

class DecidingPaths {
 public:
  /// Without release jitter and time slices; T12 and T14 have sums of their own.
  [[nodiscard]] static bool applies(const System& system);

  /// Keeps references to both; the theorem must apply to the system.
  DecidingPaths(const System& system, const NodeBounds& bounds);
  DecidingPaths(const DecidingPaths&) = delete;
  DecidingPaths& operator=(const DecidingPaths&) = delete;

  /// The path of `Derivations::of(k, v)`, source first.
  [[nodiscard]] std::vector<std::size_t> to(std::size_t k, std::size_t v) const;

 private:
  /// All DAGs as they wait for each other at the bounds.
  struct Waiting {
    Ticks ticks;
    Nodes nodes;
    Waiting(const System& system, const NodeBounds& bounds, Time longest);
  };
  [[nodiscard]] const Waiting& waiting() const;

  const System& system_;
  const NodeBounds& bounds_;
  Time longest_;  // of all ends
  std::int64_t Q_;
  mutable std::optional<Waiting> waiting_;  // made when the paths of a node pay for different pools
};

}  // namespace rta::analysis::path
