// The options of `rta convert` that say what a file does not.
#pragma once

#include <span>

#include "command.hpp"
#include "rta/convert/convert.hpp"

namespace rta::cli {

/// All of them, or those of these names.
void add_convert_options(boost::program_options::options_description& all, std::span<const char* const> names = {});

/// Throws `UsageError`.
[[nodiscard]] convert::Options chosen_convert_options(const boost::program_options::variables_map& given);

/// Throws `UsageError` for an option that says nothing of files of that kind, or changed nothing of this one.
void refuse_options_without_effect(const boost::program_options::variables_map& given, const convert::Converted& converted);

}  // namespace rta::cli
