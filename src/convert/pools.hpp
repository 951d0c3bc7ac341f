// Pools that every reader makes alike.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// The number of processors that `--processors` gives a CPU pool.
[[nodiscard]] inline std::optional<std::uint32_t> processors_of(const Options& options, const std::string& pool) {
  std::optional<std::uint32_t> of_all;
  for (const auto& [name, count] : options.processors) {
    if (name == pool) return count;
    if (name.empty()) of_all = count;
  }
  return of_all;
}

/// A CPU pool whose number of processors the file does not say. `standard`: how its jobs are ordered unless `--scheduler` says otherwise.
[[nodiscard]] inline DraftPool cpu_pool(const std::string& name, const Options& options, Notes& notes,
                                        Scheduler standard = Scheduler::g_edf) {
  const auto processors = processors_of(options, name);
  if (!processors) notes.miss(fmt::format("the file does not say how many processors pool '{}' has: give --processors N", name));
  if (!options.scheduler) notes.assume(fmt::format("pool '{}' is scheduled by {} (--scheduler)", name, to_string(standard)));
  DraftPool pool;
  pool.pool = {name, CpuPool{processors.value_or(1), options.scheduler.value_or(standard), true}};
  return pool;
}

}  // namespace rta::convert
