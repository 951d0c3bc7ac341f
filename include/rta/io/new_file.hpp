// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string_view>

namespace rta::io {

/// Where writing to `path` goes: what it leads to where it is a link, itself else. Throws std::system_error for a link that somebody else
/// put into a folder for all, as /tmp.
[[nodiscard]] std::filesystem::path written_path(const std::filesystem::path& path);
/// Whether a new file takes the place of what is there, or of nothing; a device or a pipe is written to as it is.
[[nodiscard]] bool is_replaced(const std::filesystem::path& path);

/// A file under a temporary name beside `written_path(path)` until `publish` gives it its name; without that, nothing is left of it. It
/// has the permissions of the file whose place it takes. What is not replaced is written to directly. Each function, and writing to
/// `stream()`, throws std::system_error with the path and the reason.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// After the last byte: all of them are on the disk then.
  void close();
  /// Closes if that was not done yet.
  void publish();
  /// The same, but the bytes may still be on their way to the disk: for one of many files in a folder, before `sync_folder`.
  void publish_unsynced();

 private:
  class Content;
  std::unique_ptr<Content> content_;
  std::ostream stream_;
};

/// All of a file at once, in the same way. Throws std::system_error.
void write_file(const std::filesystem::path& path, std::string_view content);
/// One of many files in a folder: whole for whoever looks, on the disk after `sync_folder`. Throws std::system_error.
void write_file_unsynced(const std::filesystem::path& path, std::string_view content);
/// Waits until all files of the folder, and their names, are on the disk. Throws std::system_error.
void sync_folder(const std::filesystem::path& folder);

}  // namespace rta::io
