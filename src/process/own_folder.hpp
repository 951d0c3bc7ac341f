// Folders in which programs are built and run: nobody else may put anything there.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rta::process {

/// A folder that is the caller's own, kept open: what was looked at is what is used, whatever takes its name meanwhile. Of what is in it no
/// link is followed. Every function throws `UserError` for what somebody else could have put there, std::system_error where the system
/// refuses.
class OwnFolder {
 public:
  /// Makes it, and what leads to it, where it is missing; others may look into it and not write. A link to it may be the caller's own.
  explicit OwnFolder(std::filesystem::path path);
  ~OwnFolder();
  OwnFolder(OwnFolder&& other) noexcept;
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  OwnFolder& operator=(OwnFolder&&) = delete;

  /// The same for a folder below it.
  [[nodiscard]] OwnFolder below(const std::filesystem::path& parts) const;

  /// As it was named.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// For tools that run in it.
  [[nodiscard]] int descriptor() const { return descriptor_; }

  /// Throws `UserError` where, above it, there is a folder to which others may write without the sticky bit: they could put another one in
  /// the place of this one.
  void require_own_way() const;
  /// Until it goes no other process has a lock of that folder. Throws `UserError` where one has it already.
  void lock() const;

  struct Entry {
    std::string name;
    bool is_folder = false;
  };
  [[nodiscard]] std::vector<Entry> entries() const;
  /// Nothing where there is no such file, or something that anybody else could change.
  [[nodiscard]] std::optional<std::string> content(const std::string& name) const;
  /// Throws `UserError` where there is something else than a file.
  void expect_file(const std::string& name) const;
  /// Whole or not at all, under a temporary name until it is whole, with the permissions of a file whose place it takes, but that others
  /// may not write to it. Throws `UserError` where there is something else than a file.
  void write(const std::string& name, std::string_view content) const;
  /// A file or a link, where there is one.
  void remove(const std::string& name) const;

 private:
  OwnFolder(int descriptor, std::filesystem::path path);
  [[nodiscard]] std::optional<::mode_t> permissions_of(const std::string& name) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace rta::process
