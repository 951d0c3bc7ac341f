// How much memory and how many threads the program may take.
#pragma once

#include <cstdint>
#include <optional>

namespace rta::process {

/// Goes on in a child process, and returns only there. This one waits and ends as the child does; where that ends by a signal of those by
/// which libraries end that find no memory (SIGSEGV, SIGABRT), it says so and ends with status 2. To be called before any thread starts.
/// Throws `std::system_error`.
void go_on_in_child();
/// From now on an allocation that would take the program's own memory (heap, stacks of threads; not the text of programs and libraries)
/// beyond so many bytes fails as where the machine has none left. Throws `std::system_error`.
void limit_memory(std::uint64_t bytes);
/// What was set.
[[nodiscard]] std::optional<std::uint64_t> memory_limit();

/// So many threads, or as many as can be started at once: limits on processes count them, too.
[[nodiscard]] unsigned threads_that_start(unsigned wanted);

}  // namespace rta::process
