// How the nodes of a task set are released and ordered: what an analysis assumes, and what the simulator then does.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::simulate {

/// One node. All times are relative to the release of its DAG's job.
struct NodeSchedule {
  std::optional<Time> offset;          // released then, or when its last predecessor ends if that is later; none: on completion
  Time reference;                      // its response time is counted from here
  std::optional<Time> priority_point;  // CPU pools: position in the queue; none: FIFO by ready time
  bool guarded = false;                // its jobs enter their queue in order and at least T apart
  bool operator==(const NodeSchedule&) const = default;
};

struct Schedule {
  std::vector<std::vector<NodeSchedule>> nodes;  // per DAG and node
};

/// Per DAG and node.
using Times = std::vector<std::vector<Time>>;

/// Every node at a fixed offset Phi from its DAG's release, with priority point Phi + Y (`Y` counts on CPU pools only).
/// With `early`, nodes need not wait for their offset: CPU nodes run as soon as their predecessors have ended, nodes elsewhere too but
/// guarded; priority points and responses stay those of the offsets (a node that ends before its offset has response time 0).
[[nodiscard]] Schedule with_offsets(const TaskSet& task_set, const Times& Phi, const Times& Y, bool early = false);

/// Every node when its last predecessor ends. On a CPU pool all nodes of a job of DAG d have priority point r + Y_d (GEL by DAG), or
/// queue by ready time where the pool's scheduler is FIFO. Responses are counted from the DAG's release.
[[nodiscard]] Schedule on_completion(const TaskSet& task_set, std::span<const Time> Y);

}  // namespace rta::simulate
