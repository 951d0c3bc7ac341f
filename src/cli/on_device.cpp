#include "on_device.hpp"

#include <iostream>
#include <string_view>
#include <utility>

#include "command.hpp"
#include "rta/io/profile_file.hpp"

namespace rta::cli {
namespace {

// A rule that bounds rest on and that the device does not follow, for warnings.
std::string refutation(const analysis::RuleUse& use, const std::string& device) {
  std::string pools;
  for (const std::string& pool : use.pools) pools += (pools.empty() ? "'" : ", '") + pool + "'";
  return "the bounds of " + pools + " rest on " + std::string(to_string(use.verdict.rule)) + " (" +
         std::string(statement(use.verdict.rule)) + "), which was refuted on " + device + ": " + use.verdict.reason;
}

}  // namespace

std::optional<DeviceProfile> profile_of(const boost::program_options::variables_map& given) {
  if (given.count("profile") != 0) return io::read_profile(given["profile"].as<std::string>());
  if (given["strict"].as<bool>()) throw UsageError("--strict needs --profile");
  return std::nullopt;
}

Settings settings_on(const std::optional<DeviceProfile>& profile, std::string_view text, const std::string& name,
                     const std::vector<io::Setting>& own) {
  Settings settings{own, {}};
  if (!profile) return settings;
  for (io::Setting& one : io::measured_company(*profile, text, name)) {
    settings.warnings.push_back(one.place + " is that of the profile's " + profile->limits.product);
    settings.all.push_back(std::move(one));
  }
  return settings;
}

OnDevice on_device(const std::optional<DeviceProfile>& profile, bool strict, TaskSet task_set) {
  if (!profile) return {std::move(task_set), std::nullopt, {}, false, false};
  auto measured = analysis::on_measured_device(task_set, *profile);
  analysis::RuleCheck rules = analysis::check_rules(measured.task_set, *profile);
  bool refused = false;
  for (const analysis::RuleUse& use : rules.refuted) {
    if (strict) {
      std::cerr << "refused: " << refutation(use, rules.device) << '\n';
      refused = true;
    } else {
      measured.warnings.push_back(refutation(use, rules.device));
    }
  }
  return {std::move(measured.task_set), std::move(rules), std::move(measured.warnings), refused, measured.kernel_switches};
}

}  // namespace rta::cli
