// T10w's and T10m's inequalities with their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/path/derivation/counted_paths.hpp"
#include "analysis/path/fitting/fitting.hpp"
#include "rta/analysis/inequality.hpp"

namespace rta::analysis::path {

/// What they are told of: the path bounds of a system.
struct FittingInput {
  const Ticks& ticks;
  const Ends& ends;
  const std::vector<std::vector<std::int64_t>>& F;  // class -> one value per node, ns
  const std::vector<std::vector<std::int64_t>>& A;
};

/// For node v of DAG k, with the nodes before and after it; nothing where T10w does not apply.
[[nodiscard]] std::optional<Inequality> fitting_derivation(const FittingInput& input, const FittingPaths& fitting, std::size_t k,
                                                           std::size_t v, const std::vector<bool>& below, const std::vector<bool>& above);
/// T10m's, likewise.
[[nodiscard]] std::optional<Inequality> family_derivation(const FittingInput& input, const FittingPaths& fitting, std::size_t k,
                                                          std::size_t v);

}  // namespace rta::analysis::path
