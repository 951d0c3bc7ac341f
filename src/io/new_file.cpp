#include "rta/io/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <streambuf>
#include <system_error>
#include <utility>

#include "process/temporary.hpp"

namespace rta::io {

class NewFile::Content : public std::streambuf {
 public:
  explicit Content(const std::filesystem::path& path) : path_(path), written_(path) {
    // A device or a pipe cannot be replaced by renaming.
    std::error_code unknown;
    const bool replaced = !std::filesystem::exists(path, unknown) || std::filesystem::is_regular_file(path, unknown);
    if (replaced) {
      static std::atomic<unsigned> counter{0};
      written_ += fmt::format(".{}.{}.tmp", ::getpid(), counter++);
      temporary_.emplace([this] {
        open(O_CREAT | O_EXCL);
        return written_;
      });
    } else {
      open(0);
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
    if (std::rename(written_.c_str(), path_.c_str()) != 0) fail();
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
  void open(int how) {
    file_ = ::open(written_.c_str(), O_WRONLY | O_CLOEXEC | how, 0666);
    if (file_ < 0) fail();
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

  std::filesystem::path path_, written_;
  int file_ = -1;
  std::optional<process::Temporary> temporary_;  // `written_`, until it has its name
  std::array<char, 65'536> buffer_;
};

// The stream must not swallow what its buffer throws.
NewFile::NewFile(const std::filesystem::path& path) : content_(std::make_unique<Content>(path)), stream_(content_.get()) {
  stream_.exceptions(std::ios::badbit);
}
NewFile::~NewFile() = default;

void NewFile::close() { content_->close(true); }
void NewFile::publish() { content_->publish(true); }
void NewFile::publish_unsynced() { content_->publish(false); }

void write_file(const std::filesystem::path& path, std::string_view content) {
  NewFile file(path);
  file.stream() << content;
  file.publish();
}

void write_file_unsynced(const std::filesystem::path& path, std::string_view content) {
  NewFile file(path);
  file.stream() << content;
  file.publish_unsynced();
}

void sync_folder(const std::filesystem::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) throw std::system_error(errno, std::generic_category(), folder.string());
  const int failed = ::syncfs(opened) == 0 ? 0 : errno;
  ::close(opened);
  if (failed != 0) throw std::system_error(failed, std::generic_category(), folder.string());
}

}  // namespace rta::io
