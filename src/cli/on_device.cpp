#include "on_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <memory>
#include <string_view>
#include <utility>

#include "command.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/kernel_switch.hpp"
#include "rta/model/other_work.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

// A rule that bounds rest on and that the device does not follow, for warnings.
std::string refutation(const analysis::RuleUse& use, const std::string& device) {
  std::string pools;
  for (const std::string& pool : use.pools) pools += (pools.empty() ? "'" : ", '") + pool + "'";
  return "the bounds of " + pools + " rest on " + std::string(to_string(use.verdict.rule)) + " (" +
         std::string(statement(use.verdict.rule)) + "), which was refuted on " + device + ": " + use.verdict.reason;
}

}  // namespace

std::optional<io::ProfileFile> profile_of(const po::variables_map& given) {
  if (given.count("profile") != 0) return io::read_profile_file(given["profile"].as<std::string>());
  if (given["strict"].as<bool>()) throw UsageError("--strict needs --profile");
  return std::nullopt;
}

Settings settings_on(const std::optional<io::ProfileFile>& profile, std::string_view text, const std::string& name,
                     const std::vector<io::Setting>& own) {
  Settings settings{own, {}};
  if (!profile) return settings;
  for (io::Setting& one : io::measured_company(profile->profile, text, name)) {
    settings.warnings.push_back(one.place + " is that of the profile's " + profile->profile.limits.product);
    settings.all.push_back(std::move(one));
  }
  const bool has_company = !settings.warnings.empty();
  for (io::Setting& one : io::measured_launches(profile->profile, text, name)) {
    const std::string_view key = std::string_view(one.place).substr(one.place.rfind('.'));
    if (std::any_of(own.begin(), own.end(), [&](const io::Setting& given) { return given.place.ends_with(key); })) continue;
    settings.warnings.push_back(fmt::format("{} is {} on the profile's {}", one.place,
                                            one.value == "0 ns" ? "counted by the dispatch latency that was measured" : one.value,
                                            profile->profile.limits.product));
    settings.all.push_back(std::move(one));
  }
  if (!has_company || !profile->company) return settings;
  for (const NotCounted& one : not_counted(*profile->company, profile->profile.interference)) {
    if (one.more >= whole_time / 100)
      settings.warnings.push_back(fmt::format("the profile has {}: durations `alone` have to be measured beside them", one.text));
  }
  return settings;
}

OnDevice on_device(const std::optional<io::ProfileFile>& profile, bool strict, TaskSet task_set) {
  if (!profile) return {std::move(task_set), std::nullopt, {}, false, false};
  auto measured = analysis::on_measured_device(task_set, profile->profile);
  analysis::RuleCheck rules = analysis::check_rules(measured.task_set, profile->profile);
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

void add_profile_option(po::options_description& all, Player player) {
  all.add_options()("profile", po::value<std::string>()->value_name("PROFILE"),
                    player == Player::simulator
                        ? "what `rta examine` found on the device: its figures replace those of the built-in table, the largest dispatch "
                          "latency is added to every L, and GPUs that say nothing of company have the profile's `interference`"
                        : "what `rta examine` found on the device: its figures replace those of the built-in table, and GPUs that say "
                          "nothing of company have the profile's `interference`");
}

std::optional<TaskSetInput> input_on_device(const po::variables_map& given, const std::string& text, const std::string& path,
                                            Player player) {
  if (given.count("profile") == 0) return std::nullopt;
  std::optional<io::ProfileFile> profile = io::read_profile_file(given["profile"].as<std::string>());
  const std::string name = path == "-" ? "<stdin>" : path;
  const Settings settings = settings_on(profile, text, name, {});
  auto read = io::parse_task_set(text, name, io::BareC::block, settings.all);
  TaskSetInput input;
  input.warnings = settings.warnings;
  for (const io::Diagnostic& warning : read.warnings) input.warnings.push_back(warning.text());
  const OnDevice device = on_device(profile, false, read.task_set);
  input.warnings.insert(input.warnings.end(), device.warnings.begin(), device.warnings.end());
  std::erase_if(profile->profile.latencies, [&](const Latency& one) {
    return one.name == kernel_switch_latency || (player == Player::machine && one.name == dispatch_latency);
  });
  TaskSet played = analysis::on_measured_device(read.task_set, profile->profile).task_set;
  if (device.kernel_switches && player == Player::simulator)
    input.warnings.emplace_back(
        "kernel switches of the profile are not played: bounds of `rta analyze --profile` count them, those shown here do not");
  if (player == Player::machine)
    input.warnings.emplace_back("dispatch latency and kernel switches are the machine's own, and in no bound of this program's task set");
  input.text = io::format_task_set(played);
  input.task_set = std::make_shared<const TaskSet>(std::move(played));
  return input;
}

}  // namespace rta::cli
