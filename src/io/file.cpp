#include "file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "on_read.hpp"
#include "rta/io/diagnostic.hpp"

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

 private:
  int number_;
};

OnRead& reader_of_all() {
  static OnRead use;
  return use;
}

std::size_t& most_bytes() {
  static std::size_t most = std::size_t{64} << 20U;
  return most;
}

constexpr std::size_t least_part = 65'536;

// As much as a regular file says to hold and no more than is taken, so that a large one is not moved as it grows.
std::size_t first_part(int file) {
  struct ::stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 0) return least_part;
  return std::min(static_cast<std::size_t>(status.st_size), most_bytes()) + least_part;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) { throw InputError({{name, 0, 0, why}}); }

std::string content_of(const std::filesystem::path& path, const std::string& name) {
  const Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) refuse(name, fmt::format("cannot be opened: {}", std::generic_category().message(errno)));
  std::string content;
  std::size_t part = first_part(file.number());
  for (std::size_t size = 0;; part = least_part) {
    content.resize(size + part);
    const ssize_t count = ::read(file.number(), content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(name, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
    size += static_cast<std::size_t>(count);
    content.resize(size);
    if (count == 0) return content;
    if (size > largest_file()) refuse(name, too_large());
  }
}

}  // namespace

void on_read(OnRead use) { reader_of_all() = std::move(use); }

std::size_t largest_file() { return most_bytes(); }

void set_largest_file(std::size_t bytes) { most_bytes() = bytes; }

std::string too_large() {
  const std::size_t most = largest_file();
  const bool whole = most >= (1U << 20U) && most % (1U << 20U) == 0;
  return fmt::format("the file is larger than {} (see --largest-file)",
                     whole ? fmt::format("{} MiB", most >> 20U) : fmt::format("{} bytes", most));
}

std::string read_file(const std::filesystem::path& path, const std::string& name) {
  std::string content = content_of(path, name);
  if (const OnRead& use = reader_of_all()) use(name, content, nullptr);
  return content;
}

std::shared_ptr<const std::string> read_shared_file(const std::filesystem::path& path, const std::string& name) {
  auto content = std::make_shared<const std::string>(content_of(path, name));
  if (const OnRead& use = reader_of_all()) use(name, *content, content);
  return content;
}

}  // namespace rta::io
