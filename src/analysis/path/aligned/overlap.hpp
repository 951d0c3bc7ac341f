// T10v: where it applies, and what of it does not depend on bounds.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analysis/path/aligned/aligned.hpp"

namespace rta::analysis::path {

/// Nothing unless all nodes of class k are on one preemptive GEL pool by DAG and one FIFO pool.
[[nodiscard]] std::optional<Overlap> overlap_of(const Ticks& ticks, std::size_t k);

/// The nodes of a way to node v, source first; none where ways were so many that it stands for several.
[[nodiscard]] std::vector<std::size_t> path_of(const Ticks& ticks, std::size_t k, std::size_t v, const Way& way);

}  // namespace rta::analysis::path
