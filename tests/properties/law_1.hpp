// Law 1 as a check: what broke it is printed as a minimal task-set file with the commands that show it.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "rta/io/task_set_file.hpp"
#include "support/bounds_against_simulation.hpp"

namespace rta::test {

/// T10 is proven for kernels of one stream priority.
inline constexpr Ingredients one_fifo{.sequential = true, .priorities = false, .non_preemptive = true};

inline constexpr Ingredients fixed_priorities{.sequential = true, .priorities = false, .non_preemptive = true, .fixed = true};

/// Runs the running test again on one seed alone.
inline std::string command_to_repeat(std::uint64_t seed) {
  std::string name = doctest::getContextOptions()->currentTest->m_name;
  std::ranges::replace(name, ',', '?');  // a comma would begin another pattern
  return fmt::format("RTA_LAW_SEED={} build/release/tests/test_properties -tc='{}'", seed, name);
}

/// Compares `wanted` systems, seeds `first` on; at least `least` nodes must have had their bounds by each of `theorems`.
inline void check_law_1(std::uint64_t first, std::uint64_t wanted, const Ingredients& with, const Law& law, std::uint64_t least = 0,
                        const std::vector<std::string>& theorems = {}) {
  Compared compared;
  const char* const again = std::getenv("RTA_LAW_SEED");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  if (again != nullptr) {
    first = std::stoull(again);
    wanted = 1;
  }
  const auto broken = first_broken(first, wanted, with, law, compared);
  if (broken) FAIL_CHECK(broken->what << "\n" << command_to_repeat(broken->seed) << "\n" << io::format_task_set(broken->task_set));
  if (broken || again != nullptr) return;
  // Not vacuous: so many systems had bounds, by every theorem, and some came close to them.
  CHECK(compared.systems == wanted);
  CHECK(compared.tight * 25 >= compared.nodes);
  std::string counts;
  for (const auto& [theorem, nodes] : compared.bound) counts += fmt::format(", {} {}", theorem, nodes);
  MESSAGE(compared.systems, " systems, ", compared.nodes, " times a node, ", compared.tight, " within 1 % of their bound; nodes", counts);
  for (const std::string& theorem : theorems) {
    CAPTURE(theorem);
    CHECK(compared.bound[theorem] >= least);
  }
}

}  // namespace rta::test
