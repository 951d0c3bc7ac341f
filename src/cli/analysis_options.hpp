// The options of an analysis on the command line: those of the table.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "rta/analysis/option_table.hpp"

namespace rta::cli {

/// Adds all of them, but for those that the command refuses.
void add_analysis_options(boost::program_options::options_description& options, std::span<const std::string_view> refused = {});
/// Those that are given. Throws `UsageError` for a value that is not allowed.
[[nodiscard]] analysis::GivenOptions given_options(const boost::program_options::variables_map& given);
/// The first of them that is given, if any: for commands that cannot use them.
[[nodiscard]] const analysis::OptionEntry* first_given_option(const boost::program_options::variables_map& given);
/// What they choose. Throws `UsageError` when they do not go together.
[[nodiscard]] analysis::Options checked_options(const analysis::GivenOptions& given);

}  // namespace rta::cli
