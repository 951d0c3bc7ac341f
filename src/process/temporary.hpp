// Files and folders that must not outlive the program.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace rta::process {

/// A file or folder that is removed, with all that is in it, when this object goes or a signal ends the program (`take_signals`); what no
/// longer has that name, as a file that was renamed, stays.
class Temporary {
 public:
  /// `make` makes it and returns its path. No signal ends the program meanwhile: what it makes is known before one does.
  explicit Temporary(const std::function<std::filesystem::path()>& make);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_, absolute_;
};

/// The name of a file that is about to be made, which nobody can guess. Not the process number, which is the same in every container: what
/// a killed program left would stand in the way for ever.
[[nodiscard]] std::string random_name();

/// A new, empty folder whose name starts with `prefix`. Throws std::system_error naming `prefix`.
[[nodiscard]] std::filesystem::path make_folder(const std::filesystem::path& prefix);

}  // namespace rta::process
