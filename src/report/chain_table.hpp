// What was seen of chains, simulated or measured, in every format.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rta/compare/chains.hpp"

namespace rta::report {

/// Header and a row per latency of each chain.
[[nodiscard]] std::vector<std::vector<std::string>> chain_table(std::span<const compare::ComparedChain> chains);
[[nodiscard]] nlohmann::ordered_json chain_json(const compare::ComparedChain& chain);
/// The names of a chain's fields in CSV, and the fields of one.
inline constexpr std::string_view seen_chain_columns =
    "chain,communication,observed_reaction_time_ns,reaction_time_bound_ns,reaction_limit_ns,observed_reduced_reaction_time_ns,"
    "reduced_reaction_time_bound_ns,observed_data_age_ns,data_age_bound_ns,age_limit_ns,observed_reduced_data_age_ns,"
    "reduced_data_age_bound_ns,missed_limit";
inline constexpr std::size_t seen_chain_column_count = 13;
[[nodiscard]] std::string chain_fields(const compare::ComparedChain& chain);

}  // namespace rta::report
