// Files and folders that must not outlive the program.
#pragma once

#include <cstddef>
#include <filesystem>

namespace rta::io {

/// A path that is removed, with all that is in it, when this object goes or a signal ends the program; what no longer has that name, as a
/// file that was renamed, stays. The path need not exist yet.
class Temporary {
 public:
  explicit Temporary(std::filesystem::path path);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::size_t slot_;
};

/// A new, empty folder whose name starts with `prefix`. Throws std::system_error naming `prefix`.
[[nodiscard]] std::filesystem::path make_folder(const std::filesystem::path& prefix);

/// From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT remove what is temporary before they end the program. Signals that are ignored stay so.
void remove_temporaries_on_signals();

}  // namespace rta::io
