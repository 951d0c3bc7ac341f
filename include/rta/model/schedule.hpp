// How the nodes of a task set are released and ordered: what a proof assumes, and what is then played.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta {

/// When a node is released.
enum class Release : std::uint8_t {
  offsets,     // at a fixed time after its DAG's release
  early,       // when its last predecessor has ended, off the CPUs guarded; priority points and bounds are those of the offsets
  completion,  // when its last predecessor has ended
  segments,    // so inside each segment of its DAG, whose sources have fixed offsets
  grouped,     // at offsets, whole groups of nodes as one sequential task each
  fixed_order  // when all before it in a static order has ended; DAGs are released exactly every T
};
/// `offsets`, `early` ..., `static`.
[[nodiscard]] std::string_view to_string(Release release);
/// The release of that exact name.
[[nodiscard]] std::optional<Release> release_named(std::string_view name);

/// One node. All times are relative to the release of its DAG's job.
struct NodeSchedule {
  std::optional<Time> offset;          // released then, or when its last predecessor ends if that is later; none: on completion
  Time reference;                      // its response time is counted from here
  std::optional<Time> priority_point;  // CPU pools: position in the queue; none: by ready time. Not looked at under FIFO and FP
  bool guarded = false;                // its jobs enter their queue in order and at least T apart
  bool operator==(const NodeSchedule&) const = default;
};

struct Schedule {
  std::vector<std::vector<NodeSchedule>> nodes;  // per DAG and node
};

}  // namespace rta
