// Where programs are generated and built.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "process/own_folder.hpp"
#include "process/temporary.hpp"

namespace rta::cli {

/// A folder of its own that goes with this object, unless it was named by the user: then it is made where it is missing, must be the user's
/// own (`process::OwnFolder`), and no other run may use it meanwhile.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::optional<std::string>& named) {
    if (named) {
      own_.emplace(*named);
      own_->require_own_way();
      own_->lock();
    } else {
      own_.emplace(temporary_.emplace([] { return process::make_folder(std::filesystem::temp_directory_path() / "rta-run-"); }).path());
    }
  }

  [[nodiscard]] const process::OwnFolder& own() const { return *own_; }
  [[nodiscard]] const std::filesystem::path& path() const { return own_->path(); }

 private:
  std::optional<process::Temporary> temporary_;
  std::optional<process::OwnFolder> own_;
};

}  // namespace rta::cli
