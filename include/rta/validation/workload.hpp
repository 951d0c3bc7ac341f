// A task set as a program: one generated source with its tables, the runtime's headers, a Makefile and a README.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/option_table.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/validation/generated_program.hpp"

namespace rta::validation {

struct Workload {
  std::vector<GeneratedFile> files;
  bool needs_cuda = false;  // some node runs on a GPU, a copy engine or persistent threads
  std::vector<std::string> warnings;
};

/// The program for the task set whose file has the content `text`, released and ordered as the proof assumes. Traces of the program name
/// the `options` of the analysis, so that they are compared with the same bounds. Throws `UserError` when the proof cannot be played, and
/// when CUDA has no launch like some node's (more than 2^31 - 1 blocks, 1024 threads per block).
[[nodiscard]] Workload generate_workload(const analysis::Proof& proof, std::string_view text, const analysis::GivenOptions& options = {});

/// Writes the files below `folder`, which is made if it is not there; other files in it stay. Throws std::system_error.
void write_workload(const Workload& workload, const std::filesystem::path& folder, Built built = Built::removed);

}  // namespace rta::validation
