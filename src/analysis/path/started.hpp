// T10d without preemption: how many processors are tried in place of all.
#pragma once

#include <cstdint>

namespace rta::analysis::path {

inline constexpr std::int64_t most_fewer_processors = 8;

}  // namespace rta::analysis::path
