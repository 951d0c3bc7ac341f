// Fixed priorities that were chosen for the DAGs on pools under FP (docs/theory/fixed-priority.md, "Assignment").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Where the priorities come from.
enum class AssignedBy : std::uint8_t {
  given,               // they stay as they were: nothing that was tried is better
  deadline_monotonic,  // the shorter D (T without a D), the more urgent
  audsley,             // Audsley's search, lowest level first
  search,              // DAGs of one of the above moved to other levels
};
[[nodiscard]] std::string_view to_string(AssignedBy by);

/// A change of the file: one priority per DAG that has nodes on pools under FP.
struct PriorityAssignment {
  /// DAGs that follow one another and are equal but for their name, as a file's `copies`, have one priority.
  struct OfDags {
    DagId first = 0;
    DagId last = 0;
    FixedPriority priority = 1;
    bool nodes_had_own = false;  // their nodes' own priorities are to be left out
  };
  AssignedBy by = AssignedBy::given;
  std::vector<OfDags> dags;  // most urgent first; empty where they stay as they were
  std::size_t tried = 0;     // assignments that were proven, the given one among them
  bool complete = true;      // false: the time, or the number of assignments that may be tried, ended the search
};

}  // namespace rta::analysis
