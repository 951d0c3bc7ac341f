// A task-set file as the commands that deal with traces need it: its bytes, what they say, and what was proven.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/validation/release_plan.hpp"
#include "rta/validation/workload.hpp"

namespace rta::cli {

struct TaskSetInput {
  std::string text;  // the file's bytes
  std::shared_ptr<const TaskSet> task_set;
  std::vector<std::string> warnings;  // of reading
};

/// Where the analysis departs from the file, as names and values: what a workload, its traces and a comparison must share.
using Choices = validation::Choices;

/// Adds --scheduler, --non-preemptive and --priorities.
void add_analysis_options(boost::program_options::options_description& options);
/// `-` is standard input. Throws as io::parse_task_set does.
[[nodiscard]] TaskSetInput read_input(const std::string& path);
/// The same of what was read from there already.
[[nodiscard]] TaskSetInput parse_input(std::string text, const std::string& path);
/// What --priorities means, and its values. Throws `UsageError` for others.
[[nodiscard]] const char* priorities_help();
[[nodiscard]] analysis::Priorities priorities_named(const std::string& name);
/// What these options choose.
[[nodiscard]] Choices choices_of(const boost::program_options::variables_map& given);
/// `choices` and, where they leave something open, those that a trace names among its details.
[[nodiscard]] Choices completed(Choices choices, const Choices& details);
/// The bounds for jobs that are released in this way. Throws `UsageError` for a choice that there is not, and as analysis::analyze.
[[nodiscard]] analysis::Analysis analyzed(std::shared_ptr<const TaskSet> task_set, validation::Release release, const Choices& choices);

/// The value of an option without default.
[[nodiscard]] std::optional<std::string> text_of(const boost::program_options::variables_map& given, const char* option);

}  // namespace rta::cli
