#include "temporary.hpp"

#include <cerrno>
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

std::filesystem::path make_folder(const std::filesystem::path& prefix) {
  std::string pattern = prefix.string() + "XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), prefix.string());
  return pattern;
}

}  // namespace rta::process
