#include "temporary.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <system_error>

#include "signal_thread.hpp"

namespace rta::process {

Temporary::Temporary(const std::function<std::filesystem::path()>& make) {
  Signals::instance().add([&] {
    path_ = make();
    absolute_ = std::filesystem::absolute(path_);
    return absolute_;
  });
}

Temporary::~Temporary() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  Signals::instance().remove(absolute_);
}

std::string random_name() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
    throw std::system_error(errno, std::generic_category(), "no random name for a file");
  }
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return ".rta-" + std::string(digits.data(), end) + ".tmp";
}

std::filesystem::path make_folder(const std::filesystem::path& prefix) {
  std::string pattern = prefix.string() + "XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), prefix.string());
  return pattern;
}

}  // namespace rta::process
