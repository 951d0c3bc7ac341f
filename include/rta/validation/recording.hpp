// The library that `rta record` lets the CUDA driver load into a program: it writes what CUPTI tells of it as a trace.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "rta/validation/generated_program.hpp"

namespace rta::validation {

struct Cupti {
  std::filesystem::path include;  // the folder that holds cupti.h
  std::filesystem::path library;  // libcupti.so, or with the number of a version where that is all there is
  std::filesystem::path cuda;     // the folder that holds cuda.h, which cupti.h includes
};

/// In $CUPTI, $CUDA_HOME, $CUDA_PATH, beside nvcc, in /usr/local/cuda and where Debian has it; nothing: not on this machine.
[[nodiscard]] std::optional<Cupti> find_cupti();

/// The files of the library: record.cpp, its runtime, a Makefile (`make CUPTI_INCLUDE=... CUPTI_LIBRARY=...` makes `record.so`) and a
/// README. It needs CUPTI of CUDA 12.0 or later.
[[nodiscard]] std::vector<GeneratedFile> recording_source();

}  // namespace rta::validation
