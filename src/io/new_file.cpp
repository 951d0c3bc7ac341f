#include "rta/io/new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <streambuf>
#include <system_error>
#include <utility>

#include "process/temporary.hpp"

namespace rta::io {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;      // as Linux follows
constexpr int most_attempts = 100;  // to find a name that nobody has

/// As Linux has it where it protects links: one that somebody else put into a folder for all, as /tmp, is not followed.
bool may_follow(const fs::path& link) {
  constexpr ::mode_t for_all = S_ISVTX | S_IWOTH;
  struct ::stat of_link {};
  struct ::stat of_folder {};
  const fs::path folder = link.has_parent_path() ? link.parent_path() : fs::path(".");
  if (::lstat(link.c_str(), &of_link) != 0 || ::stat(folder.c_str(), &of_folder) != 0) return false;
  return (of_folder.st_mode & for_all) != for_all || of_link.st_uid == ::geteuid() || of_link.st_uid == of_folder.st_uid;
}

}  // namespace

fs::path written_path(const fs::path& path) {
  fs::path target = path;
  std::error_code none;
  for (int i = 0; i < most_links && fs::is_symlink(target, none); ++i) {
    if (!may_follow(target)) throw std::system_error(EACCES, std::generic_category(), path.string());
    target = target.parent_path() / fs::read_symlink(target, none);
  }
  return target;
}

bool is_replaced(const fs::path& path) {
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return !unknown;
  // A link of /proc may name a file that is elsewhere, or gone.
  return fs::is_regular_file(path, unknown) && fs::equivalent(path, written_path(path), unknown);
}

class NewFile::Content : public std::streambuf {
 public:
  explicit Content(const fs::path& path) : path_(path), target_(written_path(path)), written_(path) {
    if (is_replaced(path)) {
      temporary_.emplace([this] {
        create();
        return written_;
      });
    } else {
      open();
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }
  ~Content() override {
    if (file_ >= 0) ::close(file_);
  }
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;

  void close(bool sync) {
    if (file_ < 0) return;
    write_out();
    // Some file systems have nothing to wait for.
    if (sync && temporary_ && ::fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail();
    // Closing, too, may show a late write error.
    if (::close(std::exchange(file_, -1)) != 0) fail();
  }
  void publish(bool sync) {
    close(sync);
    if (!temporary_) return;
    if (std::rename(written_.c_str(), target_.c_str()) != 0) fail();
    temporary_.reset();
  }

 protected:
  int_type overflow(int_type c) override {
    write_out();
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }
  int sync() override {
    write_out();
    return 0;
  }

 private:
  void open() {
    file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_TRUNC);
    if (file_ < 0) fail();
  }

  // Under a name of its own, with the owner and the permissions of the file whose place it takes: never more than those.
  void create() {
    struct ::stat old {};
    const bool keeps = ::stat(target_.c_str(), &old) == 0;
    for (int attempt = 0;; ++attempt) {
      written_ = target_.parent_path() / process::random_name();
      file_ = ::open(written_.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, keeps ? 0600 : 0666);
      if (file_ >= 0) break;
      if (errno != EEXIST || attempt == most_attempts) fail();
    }
    if (!keeps) return;
    const bool same_group = ::fchown(file_, old.st_uid, old.st_gid) == 0 || ::fchown(file_, static_cast<uid_t>(-1), old.st_gid) == 0;
    // Some file systems have no permissions to set.
    (void)::fchmod(file_, old.st_mode & (same_group ? 0777U : 0707U));
  }

  [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), path_.string()); }

  void write_out() {
    for (const char* from = pbase(); from != pptr();) {
      const ssize_t count = ::write(file_, from, static_cast<std::size_t>(pptr() - from));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      from += count;
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }

  fs::path path_, target_, written_;  // as given; what `path_` leads to; under which name it is until then
  int file_ = -1;
  std::optional<process::Temporary> temporary_;  // `written_`, until it has its name
  std::array<char, 65'536> buffer_;
};

// The stream must not swallow what its buffer throws.
NewFile::NewFile(const fs::path& path) : content_(std::make_unique<Content>(path)), stream_(content_.get()) {
  stream_.exceptions(std::ios::badbit);
}
NewFile::~NewFile() = default;

void NewFile::close() { content_->close(true); }
void NewFile::publish() { content_->publish(true); }
void NewFile::publish_unsynced() { content_->publish(false); }

void write_file(const fs::path& path, std::string_view content) {
  NewFile file(path);
  file.stream() << content;
  file.publish();
}

void write_file_unsynced(const fs::path& path, std::string_view content) {
  NewFile file(path);
  file.stream() << content;
  file.publish_unsynced();
}

void sync_folder(const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) throw std::system_error(errno, std::generic_category(), folder.string());
  const int failed = ::syncfs(opened) == 0 ? 0 : errno;
  ::close(opened);
  if (failed != 0) throw std::system_error(failed, std::generic_category(), folder.string());
}

}  // namespace rta::io
