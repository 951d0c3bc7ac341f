// Pools that every reader makes alike.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// What is assumed of a file that says no priorities of streams.
inline constexpr const char* one_priority_for_all =
    "the file does not say which priorities streams have: all have one, the lowest; where one is more urgent, BOUNDS OF OTHERS MAY BE TOO "
    "LOW (priority of its kernels)";

/// What the file says, or the option where it says nothing. Options complete a file: one that contradicts it is refused.
template <class Value, class Show>
[[nodiscard]] std::optional<Value> completed(const std::optional<Value>& of_file, const std::optional<Value>& of_option, const char* option,
                                             const Show& show, Notes& notes) {
  if (of_file && of_option && *of_file != *of_option) {
    refuse(notes.file(), fmt::format("--{} {} contradicts the file, which says {}: leave the option out, or change the file", option,
                                     show(*of_option), show(*of_file)));
  }
  if (of_option) notes.uses(option);
  return of_file ? of_file : of_option;
}

/// The number of processors that `--processors` gives a CPU pool.
[[nodiscard]] inline std::optional<std::uint32_t> processors_of(const Options& options, const std::string& pool, Notes& notes) {
  notes.asks_for(pool);
  std::optional<std::uint32_t> of_all;
  for (const auto& [name, count] : options.processors) {
    if (name.empty()) of_all = count;
    if (name != pool) continue;
    notes.uses("processors " + name);
    return count;
  }
  if (of_all) notes.uses("processors ");
  return of_all;
}

/// A CPU pool whose number of processors the file does not say. `standard`: how its jobs are ordered unless `--scheduler` says otherwise.
[[nodiscard]] inline DraftPool cpu_pool(const std::string& name, const Options& options, Notes& notes,
                                        Scheduler standard = Scheduler::g_edf) {
  const auto processors = processors_of(options, name, notes);
  notes.uses("scheduler");
  if (!processors) notes.miss(fmt::format("the file does not say how many processors pool '{}' has: give --processors N", name));
  if (!options.scheduler) notes.assume(fmt::format("pool '{}' is scheduled by {} (--scheduler)", name, to_string(standard)));
  DraftPool pool;
  pool.pool = {name, CpuPool{processors.value_or(1), options.scheduler.value_or(standard), true}};
  return pool;
}

}  // namespace rta::convert
