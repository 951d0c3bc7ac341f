// `rta analyze --profile`: a task set on a device that was examined.
#pragma once

#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/model/task_set.hpp"

namespace rta::cli {

/// The task set on the device of --profile, with what was found of the rules that its bounds rest on; as it is without that option.
struct OnDevice {
  TaskSet task_set;
  std::optional<analysis::RuleCheck> rules;
  std::vector<std::string> warnings;
  bool refused = false;  // --strict, and a rule was refuted
  bool kernel_switches = false;
};

[[nodiscard]] OnDevice on_device(const boost::program_options::variables_map& given, TaskSet task_set);

}  // namespace rta::cli
