// Law 1 as a check: what broke it is printed as a minimal task-set file with the simulation that shows it.
#pragma once

#include <doctest/doctest.h>

#include "rta/io/task_set_file.hpp"
#include "support/bounds_against_simulation.hpp"

namespace rta::test {

/// T10 is proven for kernels of one stream priority and nodes that may overlap.
inline constexpr Ingredients one_fifo{.sequential = false, .priorities = false, .non_preemptive = true};

inline void check_law_1(std::uint64_t first, std::uint64_t count, const Ingredients& with, const Law& law) {
  Compared compared;
  const auto broken = first_broken(first, count, with, law, compared);
  if (broken) FAIL_CHECK(broken->what << '\n' << io::format_task_set(broken->task_set));
  // Not vacuous: most systems have bounds, and some come close to them.
  CHECK(compared.systems * 2 >= count);
  CHECK(compared.tight * 25 >= compared.nodes);
  MESSAGE(compared.systems, " systems, ", compared.nodes, " nodes, ", compared.tight, " within 1 % of their bound");
}

}  // namespace rta::test
