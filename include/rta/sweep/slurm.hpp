// A sweep on a Slurm cluster: a job array of shards, then a job that merges them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rta/sweep/plan.hpp"

namespace rta::sweep {

struct SlurmJob {
  std::filesystem::path program;  // rta, as the nodes see it
  std::filesystem::path folder;   // output folder, on a file system that all nodes share
  std::uint64_t shards = 1;
  std::vector<std::string> options;  // for sbatch, e.g. `--partition=long`
};

/// Writes `slurm/` below the output folder: `spec.yaml` (the plan's text), `shard.sh` (one task of the array), `merge.sh`, and `submit.sh`,
/// which submits both and prints their job numbers. A shard that is requeued goes on where it stopped. Returns the path of `submit.sh`.
/// Throws std::system_error.
[[nodiscard]] std::filesystem::path write_slurm_scripts(const Plan& plan, const SlurmJob& job);

/// `text` as one word of the POSIX shell.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace rta::sweep
