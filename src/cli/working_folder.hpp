// Where programs are generated and built.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "process/temporary.hpp"

namespace rta::cli {

/// A folder of its own that goes with this object, unless it was named by the user.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::optional<std::string>& named) {
    if (named) {
      path = *named;
    } else {
      path = temporary_.emplace([] { return process::make_folder(std::filesystem::temp_directory_path() / "rta-run-"); }).path();
    }
  }

  std::filesystem::path path;

 private:
  std::optional<process::Temporary> temporary_;
};

}  // namespace rta::cli
