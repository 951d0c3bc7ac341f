// `rta analyze --profile`: a task set on a device that was examined.
#pragma once

#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/io/setting.hpp"
#include "rta/model/device_profile.hpp"
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

/// What --profile names; nothing without that option. Throws `UsageError` for --strict alone.
[[nodiscard]] std::optional<DeviceProfile> profile_of(const boost::program_options::variables_map& given);

/// Settings to read a file with: those of its own, and for GPUs that say nothing of company what the profile does.
struct Settings {
  std::vector<io::Setting> all;
  std::vector<std::string> warnings;
};
[[nodiscard]] Settings settings_on(const std::optional<DeviceProfile>& profile, std::string_view text, const std::string& name,
                                   const std::vector<io::Setting>& own);

[[nodiscard]] OnDevice on_device(const std::optional<DeviceProfile>& profile, bool strict, TaskSet task_set);

}  // namespace rta::cli
