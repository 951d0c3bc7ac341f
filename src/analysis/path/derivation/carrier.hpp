// What carries the bound of a node under the path bounds.
#pragma once

#include "rta/analysis/path/segments.hpp"
#include "rta/analysis/theorem.hpp"

namespace rta::analysis {
namespace path {

/// The node of DAG k whose inequality carries the bound of node v: itself or, where it only ends before a successor does, that successor.
[[nodiscard]] std::size_t carrier(const System& system, const NodeBounds& bounds, std::size_t k, std::size_t v);

/// What `by` is called for node v of DAG k; of a node that is carried by a successor, T10n or T12. `release_jitter`: whether some DAG of
/// the system has any.
[[nodiscard]] Theorem theorem_of(const System& system, Support by, std::size_t k, std::size_t v, bool release_jitter);

}  // namespace path

/// The same of a node of a task set.
[[nodiscard]] PathSystem::Place carrier(const SegmentBounds& bounds, PathSystem::Place place);

/// The theorem of what carries it; T10 where nodes have no bounds of their own.
[[nodiscard]] Theorem theorem_of(const SegmentBounds& bounds, const PathSystem::Place& place, bool release_jitter);

}  // namespace rta::analysis
