// What was simulated of chains, beside what is proven of them and their limits.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "played.hpp"
#include "rta/compare/chains.hpp"
#include "rta/simulate/chains.hpp"
#include "rta/simulate/options.hpp"

namespace rta::cli {

/// One row per chain. A chain over a DAG whose releases are late without a T_max has no bounds, since T13 takes them for periodic: then a
/// sentence is added to `warnings`.
[[nodiscard]] std::vector<compare::ComparedChain> chain_rows(const Played& system, const simulate::Options& run,
                                                             std::span<const simulate::SeenLatencies> seen,
                                                             std::vector<std::string>& warnings);

}  // namespace rta::cli
