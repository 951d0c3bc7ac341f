#include "own_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "process/temporary.hpp"
#include "rta/model/error.hpp"

namespace rta::process {
namespace {

namespace fs = std::filesystem;

constexpr ::mode_t only_looked_at = 0755;
constexpr ::mode_t written_by_others = S_IWGRP | S_IWOTH;
constexpr int most_links = 40;  // as Linux follows

[[noreturn]] void fail(const fs::path& path) { throw std::system_error(errno, std::generic_category(), path.string()); }

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw UserError("'" + path.string() + "' " + why + ": programs are built and run only in a folder that is the caller's own");
}

/// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = other.release();
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  void close() const {
    const int error = errno;
    if (number_ >= 0) ::close(number_);
    errno = error;
  }

  int number_;
};

struct ::stat status_of(int descriptor, const fs::path& path) {
  struct ::stat status {};
  if (::fstat(descriptor, &status) != 0) fail(path);
  return status;
}

/// Opens the folder itself once more, to be read.
int opened(const Descriptor& found, const fs::path& path) {
  const struct ::stat status = status_of(found.number(), path);
  if (S_ISLNK(status.st_mode)) refuse(path, "is a link");
  if (!S_ISDIR(status.st_mode)) refuse(path, "is no folder");
  if (status.st_uid != ::geteuid()) refuse(path, "belongs to another user (number " + std::to_string(status.st_uid) + ")");
  if ((status.st_mode & written_by_others) != 0) refuse(path, "may be written to by others (chmod go-w ends that)");
  const int folder = ::openat(found.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail(path);
  return folder;
}

int opened_by_name(fs::path path, const fs::path& named) {
  for (int links = 0;; ++links) {
    const Descriptor found(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (found.number() < 0) fail(named);
    const struct ::stat status = status_of(found.number(), named);
    if (!S_ISLNK(status.st_mode) || links == most_links) return opened(found, named);
    if (status.st_uid != ::geteuid() && status.st_uid != 0) refuse(named, "is another user's link");
    std::array<char, 4096> target{};  // of the very link that was looked at
    const ssize_t length = ::readlinkat(found.number(), "", target.data(), target.size());
    if (length < 0) fail(named);
    path = path.parent_path() / std::string(target.data(), static_cast<std::size_t>(length));
    if (!path.has_filename()) path = path.parent_path();
  }
}

// Not with the mask alone: with none, others could write to all of it.
void make_way(const fs::path& folder) {
  if (folder.empty() || fs::is_directory(folder)) return;
  make_way(folder.parent_path());
  if (::mkdir(folder.c_str(), only_looked_at) != 0 && errno != EEXIST) fail(folder);
}

int made(const fs::path& path) {
  fs::path named = path;
  if (!named.has_filename()) named = named.parent_path();  // `out/`
  make_way(named.parent_path());
  if (::mkdir(named.c_str(), only_looked_at) != 0 && errno != EEXIST) fail(named);
  return opened_by_name(named, named);
}

/// Whether the caller alone is in the group, as systems make one for each user.
bool is_own_group(::gid_t group) {
  const struct ::passwd* const user = ::getpwuid(::geteuid());
  if (user == nullptr || user->pw_gid != group) return false;
  const std::string name = user->pw_name;
  const struct ::group* const found = ::getgrgid(group);
  if (found == nullptr || name != found->gr_name) return false;
  for (char** member = found->gr_mem; *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return true;
}

/// Whether others may take the name of what stands in it.
bool lets_others_rename(const struct ::stat& folder) {
  if ((folder.st_mode & S_ISVTX) != 0) return false;
  return (folder.st_mode & S_IWOTH) != 0 || ((folder.st_mode & S_IWGRP) != 0 && !is_own_group(folder.st_gid));
}

std::string name_of(int descriptor) {
  std::error_code unknown;
  const fs::path name = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), unknown);
  return unknown ? "a folder above it" : "'" + name.string() + "'";
}

}  // namespace

OwnFolder::OwnFolder(int descriptor, fs::path path) : path_(std::move(path)), descriptor_(descriptor) {}
OwnFolder::OwnFolder(fs::path path) : path_(std::move(path)), descriptor_(made(path_)) {}
OwnFolder::OwnFolder(OwnFolder&& other) noexcept : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
OwnFolder::~OwnFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

OwnFolder OwnFolder::below(const fs::path& parts) const {
  fs::path path = path_;
  Descriptor folder(::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0));
  if (folder.number() < 0) fail(path);
  for (const fs::path& part : parts) {
    path /= part;
    if (::mkdirat(folder.number(), part.c_str(), only_looked_at) != 0 && errno != EEXIST) fail(path);
    const Descriptor found(::openat(folder.number(), part.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (found.number() < 0) fail(path);
    folder = Descriptor(opened(found, path));
  }
  return OwnFolder(folder.release(), path);
}

void OwnFolder::require_own_way() const {
  struct ::stat below = status_of(descriptor_, path_);
  Descriptor folder(-1);
  for (;;) {
    Descriptor above(::openat(folder.number() < 0 ? descriptor_ : folder.number(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (above.number() < 0) return;  // nobody looks past it
    const struct ::stat status = status_of(above.number(), path_);
    if (status.st_ino == below.st_ino && status.st_dev == below.st_dev) return;
    if (lets_others_rename(status)) {
      throw UserError("'" + path_.string() + "' stands in " + name_of(above.number()) +
                      ", to which others may write: they could put another folder in its place (chmod go-w, or chmod +t, ends that)");
    }
    below = status;
    folder = std::move(above);
  }
}

void OwnFolder::lock() const {
  // Where the file system knows no locks there is none to be had.
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw UserError("'" + path_.string() + "' is in use by another run of rta");
}

std::vector<OwnFolder::Entry> OwnFolder::entries() const {
  Descriptor again(::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<::DIR, int (*)(::DIR*)> folder(again.number() < 0 ? nullptr : ::fdopendir(again.number()), ::closedir);
  if (!folder) fail(path_);
  (void)again.release();  // closed with the folder
  std::vector<Entry> entries;
  for (errno = 0;; errno = 0) {
    const struct ::dirent* const entry = ::readdir(folder.get());
    if (entry == nullptr && errno != 0) fail(path_);
    if (entry == nullptr) return entries;
    const std::string name(static_cast<const char*>(entry->d_name));
    if (name == "." || name == "..") continue;
    struct ::stat status {};
    if (::fstatat(descriptor_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) fail(path_ / name);
    entries.push_back({name, S_ISDIR(status.st_mode)});
  }
}

std::optional<std::string> OwnFolder::content(const std::string& name) const {
  // A pipe would keep whoever reads it waiting.
  const Descriptor file(::openat(descriptor_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct ::stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (status.st_uid != ::geteuid() || (status.st_mode & written_by_others) != 0) return std::nullopt;
  std::string content;
  std::array<char, 65'536> piece{};
  for (;;) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_ / name);
    if (count == 0) return content;
    content.append(piece.data(), static_cast<std::size_t>(count));
  }
}

std::optional<::mode_t> OwnFolder::permissions_of(const std::string& name) const {
  struct ::stat status {};
  if (::fstatat(descriptor_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::nullopt;
    fail(path_ / name);
  }
  if (!S_ISREG(status.st_mode))
    throw UserError("'" + (path_ / name).string() + "' is no plain file, as one of a program must be; remove it");
  return status.st_mode & 0777U;
}

void OwnFolder::expect_file(const std::string& name) const { (void)permissions_of(name); }

void OwnFolder::write(const std::string& name, std::string_view content) const {
  const std::optional<::mode_t> kept = permissions_of(name);
  std::string written;
  Descriptor file(-1);
  const Temporary temporary([&] {
    written = random_name();
    constexpr ::mode_t usual = 0644;
    file = Descriptor(::openat(descriptor_, written.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kept ? 0600 : usual));
    if (file.number() < 0) fail(path_ / name);
    return path_ / written;
  });
  if (kept) (void)::fchmod(file.number(), *kept & ~written_by_others);  // some file systems have no permissions to set
  while (!content.empty()) {
    const ssize_t count = ::write(file.number(), content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_ / name);
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  // Some file systems have nothing to wait for. Closing, too, may show a late error.
  if (::fsync(file.number()) != 0 && errno != EINVAL && errno != EROFS) fail(path_ / name);
  if (::close(file.release()) != 0) fail(path_ / name);
  if (::renameat(descriptor_, written.c_str(), descriptor_, name.c_str()) != 0) fail(path_ / name);
}

void OwnFolder::remove(const std::string& name) const {
  if (::unlinkat(descriptor_, name.c_str(), 0) != 0 && errno != ENOENT) fail(path_ / name);
}

}  // namespace rta::process
