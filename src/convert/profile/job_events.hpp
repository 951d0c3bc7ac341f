// What happened in one job of a profile, in the order of its calls: launches, waits and records of events.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "calls.hpp"
#include "steps.hpp"

namespace rta::convert {

/// A call that matters, or an operation whose call is not in the file.
struct JobEvent {
  std::int64_t start = 0, end = 0;
  std::uint32_t call = no_index;
  std::uint32_t thread = no_index;                    // no_index: not known
  std::uint32_t first_operation = 0, operations = 0;  // launched here
  CallKind kind = CallKind::other;
};

struct JobEvents {
  std::vector<JobEvent> all;  // by their start
  std::vector<std::uint32_t> operations;

  /// What the event launched, in the order of launches.
  [[nodiscard]] std::span<const std::uint32_t> launched_by(const JobEvent& e) const {
    return std::span(operations).subspan(e.first_operation, e.operations);
  }
  /// The event that is this call; null: it is none of the job's.
  [[nodiscard]] const JobEvent* of_call(const Call& call, std::uint32_t number) const;
};

/// Counts operations without a call in `unclear`.
[[nodiscard]] JobEvents events_of(const OrderedProfile& ordered, const JobFamily& family, const Job& job, Unclear& unclear);

}  // namespace rta::convert
