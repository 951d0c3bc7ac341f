// A task set as a program: one generated source with its tables, the runtime's headers, a Makefile and a README.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rta/model/task_set.hpp"
#include "rta/validation/generated_program.hpp"
#include "rta/validation/release_plan.hpp"

namespace rta::validation {

struct Workload {
  std::vector<GeneratedFile> files;
  bool needs_cuda = false;  // some node runs on a GPU, a copy engine or persistent threads
  std::vector<std::string> warnings;
};

/// Where an analysis departs from its task-set file, as names and values.
using Choices = std::vector<std::pair<std::string, std::string>>;

/// The program for the task set whose file has the content `text`. `plan` must be of the same task set. Traces of the program name the
/// `choices`, so that they are compared with the same bounds.
/// Throws `UserError` when CUDA has no launch like some node's (more than 2^31 - 1 blocks, 1024 threads per block).
[[nodiscard]] Workload generate_workload(const TaskSet& task_set, const ReleasePlan& plan, std::string_view text,
                                         const Choices& choices = {});

/// Writes the files below `folder`, which is made if it is not there; other files in it stay. Throws std::system_error.
void write_workload(const Workload& workload, const std::filesystem::path& folder);

}  // namespace rta::validation
