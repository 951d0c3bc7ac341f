// What carries the bound of a node under the path bounds.
#pragma once

#include "rta/analysis/path/segments.hpp"
#include "rta/analysis/theorem.hpp"

namespace rta::analysis {

/// The node whose inequality carries the bound: itself or, where it only ends before a successor does, that successor.
[[nodiscard]] PathSystem::Place carrier(const SegmentBounds& bounds, PathSystem::Place place);

/// T10n, T10p, T10d, T10w, T10m, T11, T12, T12j, T12d, T12w, T12m, T10a, T10v, T10j, T10g or T11j; T10 where nodes have no bounds of their
/// own.
[[nodiscard]] Theorem theorem_of(const SegmentBounds& bounds, const PathSystem::Place& place);

/// The same with `release_jitter` at hand, whether some DAG of the system has any: for whoever asks for every node.
[[nodiscard]] Theorem theorem_of(const SegmentBounds& bounds, const PathSystem::Place& place, bool release_jitter);

}  // namespace rta::analysis
