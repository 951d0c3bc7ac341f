// The output folder of a sweep: whose it is, and where its shards are.
#pragma once

#include <filesystem>
#include <memory>

#include "journal.hpp"
#include "rta/sweep/plan.hpp"
#include "rta/sweep/run.hpp"

namespace rta::sweep {

/// Claims a folder for one plan and one process. The folder keeps `sweep.json` (seed, sets, shard, version) and `spec.yaml` (the plan's
/// text), so that nothing of another sweep is ever continued.
class Folder {
 public:
  /// Creates the folder if need be. Where the sweep of the folder may grow and the plan has all of it and more (sets, analyses), the folder
  /// becomes the plan's, and its rows are set aside for it. Throws FolderError when it belongs to another sweep or another process
  /// works on it, std::system_error when it cannot be written.
  Folder(const Plan& plan, const std::filesystem::path& folder, Shard shard, bool may_grow = false);

 private:
  std::unique_ptr<File> lock_;
};

/// The N of the folders shard-I-of-N. Throws FolderError when there are none, or of several N.
[[nodiscard]] std::uint64_t shards_in(const std::filesystem::path& folder);

}  // namespace rta::sweep
