// `rta simulate` of an experiment: when and where each operation ran.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/model/limit.hpp"

namespace rta::cli {

/// `text`: the file as it was read.
[[nodiscard]] ExitStatus simulate_experiment(const boost::program_options::variables_map& given, const Limit& limit,
                                             const std::string& text, const io::ExperimentResult& read,
                                             const std::vector<Target>& all_targets);

}  // namespace rta::cli
