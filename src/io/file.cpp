#include "file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "rta/io/task_set_file.hpp"
#include "rta/io/temporary.hpp"

namespace rta::io {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ > STDERR_FILENO) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] bool valid() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }
  /// Closes now, so that a late write error is seen.
  [[nodiscard]] bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

[[noreturn]] void refuse(const std::string& name, const std::string& why) { throw InputError({{name, 0, 0, why}}); }

[[noreturn]] void fail(const std::filesystem::path& path) { throw std::system_error(errno, std::generic_category(), path.string()); }

void write_all(Descriptor& file, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t count = ::write(file.number(), content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path);
    content.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string too_large() { return fmt::format("the file is larger than {} MiB", largest_file >> 20U); }

std::string read_file(const std::filesystem::path& path, const std::string& name) {
  const Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) refuse(name, fmt::format("cannot be opened: {}", std::generic_category().message(errno)));
  std::string content;
  for (std::size_t size = 0;;) {
    content.resize(size + 65'536);
    const ssize_t count = ::read(file.number(), content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(name, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
    size += static_cast<std::size_t>(count);
    content.resize(size);
    if (count == 0) return content;
    if (size > largest_file) refuse(name, too_large());
  }
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  // A device or a pipe cannot be replaced by renaming.
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.valid()) fail(path);
    write_all(file, content, path);
    if (!file.close()) fail(path);
    return;
  }
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = path;
  name += fmt::format(".{}.{}.tmp", ::getpid(), counter++);
  const Temporary temporary(name);
  Descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.valid()) fail(path);
  write_all(file, content, path);
  if (::fsync(file.number()) != 0 || !file.close()) fail(path);
  if (::rename(name.c_str(), path.c_str()) != 0) fail(path);
}

}  // namespace rta::io
