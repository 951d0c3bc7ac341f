// Options that say how a workload releases its jobs.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include "rta/validation/release_plan.hpp"

namespace rta::cli {

void add_release_option(boost::program_options::options_description& options);
/// Throws `UsageError`.
[[nodiscard]] validation::Release chosen_release(const boost::program_options::variables_map& given);

}  // namespace rta::cli
