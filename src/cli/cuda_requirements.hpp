// What programs for a GPU need of this machine.
#pragma once

#include <string>

namespace rta::cli {

/// What is missing here to build a CUDA program and run it, a line each; empty when nothing is. `instead`: the command that only writes the
/// program, for another machine.
[[nodiscard]] std::string missing_for_cuda(const std::string& instead);

}  // namespace rta::cli
