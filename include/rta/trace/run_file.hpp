// Run files (YAML): one run of the simulator, so that it can be seen again. docs/formats.md has the keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rta/model/task_set.hpp"
#include "rta/simulate/options.hpp"

namespace rta::trace {

struct RunFile {
  std::string task_set_sha256;
  std::string release;                                       // the policy, `completion`
  std::vector<std::pair<std::string, std::string>> options;  // of the analysis that orders the nodes, beside `release`
  simulate::Options run;
  // What it shows.
  DagId dag = 0;
  std::uint64_t job = 0;
  Time response;
};

/// What `parse_run` reads back equal, limits aside. `run` must have the task set's shape.
[[nodiscard]] std::string format_run(const RunFile& file, const TaskSet& task_set);

/// `name` stands for the file in messages. What is read is a run that the task set allows. Throws `io::InputError`.
[[nodiscard]] RunFile parse_run(std::string_view text, const std::string& name, const TaskSet& task_set);

}  // namespace rta::trace
