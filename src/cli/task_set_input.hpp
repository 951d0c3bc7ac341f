// A task-set file as the commands that deal with traces need it: its bytes, what they say, and what was proven.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/validation/release_plan.hpp"

namespace rta::cli {

struct TaskSetInput {
  std::string text;  // the file's bytes
  std::shared_ptr<const TaskSet> task_set;
  std::vector<std::string> warnings;  // of reading
};

/// Adds --scheduler, which a workload, its analysis and a comparison must share.
void add_analysis_options(boost::program_options::options_description& options);
/// `-` is standard input. Throws as io::parse_task_set does.
[[nodiscard]] TaskSetInput read_input(const std::string& path);
/// The bounds for jobs that are released in this way. `scheduler`: of every CPU pool, in place of the file's. Throws `UsageError` for a
/// scheduler that there is not, and as analysis::analyze.
[[nodiscard]] analysis::Analysis analyzed(std::shared_ptr<const TaskSet> task_set, validation::Release release,
                                          const std::optional<std::string>& scheduler);

/// The value of an option without default.
[[nodiscard]] std::optional<std::string> text_of(const boost::program_options::variables_map& given, const char* option);

}  // namespace rta::cli
