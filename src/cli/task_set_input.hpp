// A task-set file as the commands that deal with traces need it: its bytes, what they say, and what was proven.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "rta/analysis/analyze.hpp"

namespace rta::cli {

struct TaskSetInput {
  std::string text;  // the file's bytes
  analysis::Analysis analysis;
  std::vector<std::string> warnings;  // of reading and of the analysis
};

/// Adds --scheduler, which a workload, its analysis and a comparison must share.
void add_analysis_options(boost::program_options::options_description& options);
/// Reads and analyses; `-` is standard input. Throws as io::parse_task_set and analysis::analyze do.
[[nodiscard]] TaskSetInput read_and_analyze(const std::string& path, const boost::program_options::variables_map& given);

/// The analysis of a task set that was read already, with the options of `add_analysis_options`.
[[nodiscard]] analysis::Analysis analyzed(TaskSet task_set, const boost::program_options::variables_map& given);

/// The value of an option without default.
[[nodiscard]] std::optional<std::string> text_of(const boost::program_options::variables_map& given, const char* option);

}  // namespace rta::cli
