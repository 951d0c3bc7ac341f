// Experiment files (YAML): kernels and copies issued on streams, with the same platforms and units as task-set files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rta/io/diagnostic.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/experiment.hpp"

namespace rta::io {

struct ExperimentResult {
  Experiment experiment;
  std::vector<Diagnostic> warnings;
};

/// Reads an experiment from text; `name` stands for the file in messages. Throws `InputError`.
[[nodiscard]] ExperimentResult parse_experiment(std::string_view text, const std::string& name);

/// The experiment as a file: `parse_experiment(format_experiment(e), n)` equals e. Throws `UserError` when it cannot be written.
[[nodiscard]] std::string format_experiment(const Experiment& experiment);

/// A file that holds a task set or an experiment (one with the key `experiment`). Throws `InputError`.
[[nodiscard]] std::variant<ReadResult, ExperimentResult> parse_task_set_or_experiment(std::string_view text, const std::string& name);

}  // namespace rta::io
