// Running a sweep: on all cores, interruptible at any moment, and its parts put together again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "rta/model/error.hpp"
#include "rta/model/limit.hpp"
#include "rta/sweep/plan.hpp"

namespace rta::sweep {

/// The output folder does not fit: it holds another sweep, another process works on it, parts are missing.
class FolderError : public UserError {
 public:
  using UserError::UserError;
};

struct Progress {
  std::uint64_t sets = 0;     // that count
  std::uint64_t resumed = 0;  // of them from earlier runs
  std::uint64_t all = 0;
};

struct RunOptions {
  unsigned jobs = 0;  // threads; 0: all cores
  Shard shard;
  std::function<void(const Progress&)> progress;  // after each chunk, by one thread at a time
  Limit limit;                                    // ends the run at the next chunk
};

/// Where a shard of a sweep lives below its output folder; the folder itself for a whole sweep.
[[nodiscard]] std::filesystem::path shard_folder(const std::filesystem::path& folder, Shard shard);

/// Computes what is missing in `folder` (created if need be) and, when all is there, writes the summaries of a whole sweep. True when it is
/// complete, false when it was stopped. The finished files do not depend on the number of threads or on interruptions.
/// Throws FolderError, generate::RecipeError for a point that cannot be generated (tried before any work starts), and std::system_error
/// for files that cannot be written; whatever was committed before then stays, and the same call goes on from there.
bool run(const Plan& plan, const std::filesystem::path& folder, const RunOptions& options = {});

/// Joins the finished shards below `folder` into the files that one `run` would have written. Throws FolderError.
void merge(const Plan& plan, const std::filesystem::path& folder);

}  // namespace rta::sweep
