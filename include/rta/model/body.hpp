// Nodes that a thread plays one after another.
#pragma once

#include <optional>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta {

/// Nodes of a DAG that one thread plays one after another, awaiting what it has issued before it goes on; one job at a time.
struct Body {
  std::vector<NodeId>
      nodes;  // in that order: the first begins when its offset has come, and what the body follows and its last job have ended
  std::optional<Time> deadline;  // of the body as a whole, from its first node's reference
  bool operator==(const Body&) const = default;
};

/// Per DAG; empty: every node is on its own.
using Bodies = std::vector<std::vector<Body>>;

}  // namespace rta
