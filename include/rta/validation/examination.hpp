// Probes of a GPU's scheduling as a program: experiments in tables, the runtime's headers, a Makefile and a README.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rta/model/experiment.hpp"
#include "rta/validation/generated_program.hpp"

namespace rta::validation {

/// Who issues the operations: one host thread all of them, or for each stream a process with an address space of its own.
enum class ProcessLayout : std::uint8_t { threads, processes };
/// What the streams are that are not the NULL stream. Only blocking ones obey rules N1 and N2.
enum class StreamKind : std::uint8_t { blocking, non_blocking };

struct ProbeProgram {
  std::string name;  // names its traces; letters, digits, '.', '_' and '-', not first a '.' or '-'
  Experiment experiment;
  ProcessLayout layout = ProcessLayout::threads;
  StreamKind streams = StreamKind::blocking;
};

/// What `examine --measure` knows.
[[nodiscard]] std::span<const std::string_view> measures();

/// The files of the programs `examine` and `interference` (see docs/validation.md), which `make` and `make interference` build; without
/// probes it still answers --limits and --measure. The tables are a file of their own (`probes.cpp`), so that other probes cost no run of
/// nvcc. Throws `UserError`, naming probe and operation, where a name is empty, has other characters or occurs twice, and where CUDA has no
/// such operation: more than one GPU, more than 1024 threads per block, 2^31 - 1 blocks, 2^31 - 1 bytes of shared memory or 255 registers
/// per thread, kernels of both priorities on one stream, a kernel of high priority on the NULL stream; or where the records of one run
/// would not fit (2^22 blocks, 1024 operations, 256 streams; 16 streams as processes), or an operation takes more than 1 s (kernels that
/// long may be ended by the driver).
[[nodiscard]] std::vector<GeneratedFile> examination_source(std::span<const ProbeProgram> probes);

}  // namespace rta::validation
