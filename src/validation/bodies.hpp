// Which nodes the threads of a generated program play one after another: those of a DAG on `threads`, and of a group.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rta/analysis/proof.hpp"
#include "rta/model/task_set.hpp"

namespace rta::validation {

struct Body {
  std::vector<NodeId> nodes;  // in the order in which they are played; the first is released
  std::uint32_t threads = 1;
  bool by_point = false;  // its thread has the priority of its job; else all threads stand in one queue for the pool's processors
  bool spins = false;     // its threads keep their processors while they wait
};

struct DagBodies {
  std::vector<Body> all;
  std::vector<int> of;         // node -> number of its body; -1: it starts when it is ready
  std::vector<NodeId> task;    // node -> the task that it is, or is part of, in the proof's DAG
  std::vector<Edge> edges;     // that releases follow: between nodes that are released
  std::vector<bool> released;  // nodes that are, by an offset or by edges
};

/// One per DAG.
[[nodiscard]] std::vector<DagBodies> bodies_of(const analysis::Proof& proof);

/// Throws `UserError` where the threads of bodies would not stand in the order that the analysis takes for granted.
void refuse_other_orders(const analysis::Proof& proof);

}  // namespace rta::validation
