// How a command shows times to people.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <string_view>

#include "rta/report/time_text.hpp"

namespace rta::cli {

/// Adds --all-digits.
void add_digits_option(boost::program_options::options_description& options);

/// In the unit in which the file `text` writes most times, with the digits that were asked for.
[[nodiscard]] report::TimeStyle time_style(const boost::program_options::variables_map& given, std::string_view text);

}  // namespace rta::cli
