// How much memory the program may take.
#pragma once

#include <cstdint>
#include <optional>

namespace rta::process {

/// From now on an allocation that would take the program's own memory (heap, stacks of threads; not the text of programs and libraries)
/// beyond so many bytes fails as where the machine has none left. Throws `std::system_error`.
void limit_memory(std::uint64_t bytes);
/// What was set.
[[nodiscard]] std::optional<std::uint64_t> memory_limit();

}  // namespace rta::process
