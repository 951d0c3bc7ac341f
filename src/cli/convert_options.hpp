// The options of `rta convert` that say what a file does not.
#pragma once

#include "command.hpp"
#include "rta/convert/convert.hpp"

namespace rta::cli {

void add_convert_options(boost::program_options::options_description& all);

/// Throws `UsageError`.
[[nodiscard]] convert::Options chosen_convert_options(const boost::program_options::variables_map& given);

/// Throws `UsageError` for an option that says nothing of files of that kind.
void refuse_options_without_effect(const boost::program_options::variables_map& given, convert::Kind kind);

}  // namespace rta::cli
