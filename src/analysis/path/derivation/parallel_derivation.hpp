// T10p's inequality with its numbers.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/path/derivation/counted_paths.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// For node v of DAG k; nothing where T10p does not apply.
[[nodiscard]] std::optional<Inequality> parallel_derivation(const System& system, const Ticks& ticks, const Ends& ends, std::size_t k,
                                                            std::size_t v);

}  // namespace rta::analysis::path
