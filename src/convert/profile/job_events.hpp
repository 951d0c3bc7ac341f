// What happened in one job of a profile, in the order of its calls: launches, waits and records of events.
#pragma once

#include <cstdint>
#include <vector>

#include "calls.hpp"
#include "steps.hpp"

namespace rta::convert {

/// A call that matters, or an operation whose call is not in the file.
struct JobEvent {
  std::int64_t start = 0, end = 0;
  std::uint32_t call = no_index;
  CallKind kind = CallKind::other;
  std::vector<std::uint32_t> operations;  // launched here
  std::uint32_t thread = no_index;        // no_index: not known
};

/// By their start. Counts operations without a call in `unclear`.
[[nodiscard]] std::vector<JobEvent> events_of(const OrderedProfile& ordered, const JobFamily& family, const Job& job, Unclear& unclear);

}  // namespace rta::convert
