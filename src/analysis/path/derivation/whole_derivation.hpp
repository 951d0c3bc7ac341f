// T10d's inequality with its numbers.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/path/derivation/fitting_derivation.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// For node v of DAG k; nothing where T10d does not apply. Without preemption `blocked` names the first node where fewer processors than
/// all are counted.
[[nodiscard]] std::optional<Inequality> whole_derivation(const FittingInput& input, std::size_t k, std::size_t v);

}  // namespace rta::analysis::path
