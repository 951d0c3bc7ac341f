#include "process/memory_limit.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <system_error>

namespace rta::process {
namespace {

std::optional<std::uint64_t>& limit() {
  static std::optional<std::uint64_t> bytes;
  return bytes;
}

}  // namespace

void limit_memory(std::uint64_t bytes) {
  const rlimit both{bytes, bytes};
  if (::setrlimit(RLIMIT_DATA, &both) != 0) throw std::system_error(errno, std::generic_category(), "memory cannot be limited");
  limit() = bytes;
}

std::optional<std::uint64_t> memory_limit() { return limit(); }

}  // namespace rta::process
