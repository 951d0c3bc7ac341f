// Where programs are generated and built.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace rta::cli {

/// A folder of its own that goes with this object, unless it was named by the user.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::optional<std::string>& named) {
    if (named) {
      path = *named;
      return;
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "rta-run-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), pattern);
    path = pattern;
    temporary_ = true;
  }
  ~WorkingFolder() {
    std::error_code ignored;
    if (temporary_) std::filesystem::remove_all(path, ignored);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

  std::filesystem::path path;

 private:
  bool temporary_ = false;
};

}  // namespace rta::cli
