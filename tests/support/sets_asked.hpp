// How many random sets a long test draws at each point.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace rta::test {

/// RTA_SETS, or else what `--long` has time for.
inline std::uint64_t sets_asked(std::uint64_t otherwise) {
  const char* const sets = std::getenv("RTA_SETS");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return sets != nullptr ? std::strtoull(sets, nullptr, 10) : otherwise;
}

}  // namespace rta::test
