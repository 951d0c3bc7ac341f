// `--profile`: a task set on a device that was examined.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/io/profile_file.hpp"
#include "rta/io/setting.hpp"
#include "rta/model/task_set.hpp"
#include "task_set_input.hpp"

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
[[nodiscard]] std::optional<io::ProfileFile> profile_of(const boost::program_options::variables_map& given);

/// Settings to read a file with: those of its own, for GPUs that say nothing of company what the profile does, and what launches cost
/// there.
struct Settings {
  std::vector<io::Setting> all;
  std::vector<std::string> warnings;
};
[[nodiscard]] Settings settings_on(const std::optional<io::ProfileFile>& profile, std::string_view text, const std::string& name,
                                   const std::vector<io::Setting>& own);

[[nodiscard]] OnDevice on_device(const std::optional<io::ProfileFile>& profile, bool strict, TaskSet task_set);

/// Who plays a task set on the device of --profile.
enum class Player : std::uint8_t { simulator, machine };
void add_profile_option(boost::program_options::options_description& all, Player player);
/// The task set in `text` as it is played on the device of --profile; its text is that of the task set there, so that traces are of it and
/// of no other file. Kernel switches are not played, and the dispatch latency is the machine's own where that plays. Nothing without the
/// option.
[[nodiscard]] std::optional<TaskSetInput> input_on_device(const boost::program_options::variables_map& given, const std::string& text,
                                                          const std::string& path, Player player);

}  // namespace rta::cli
