// What the event loop reads of a plan, packed: with many nodes nothing else decides its speed than how many cache lines a job touches.
#pragma once

#include <cstdint>
#include <vector>

#include "plan.hpp"

namespace rta::simulate {

/// Of a node: one cache line, where a `PlanNode` takes several.
struct alignas(64) RunNode {
  std::int64_t most = 0;
  std::int64_t priority_point = 0;
  std::int64_t reference = 0;
  std::int64_t deadline = no_deadline;
  std::uint32_t dag = 0;
  std::uint32_t server = 0;
  std::uint32_t pieces = 1;
  std::uint32_t stream = stream_per_job;
  std::uint32_t order = none;
  std::uint32_t first_edge = 0, end_edge = 0;
  PoolKind kind = PoolKind::cpu;
  Position position = Position::after_release;
  bool drawn : 1 = false;    // execution times are not `most`
  bool whole : 1 = false;    // a kernel by its duration: one execution time for all of its blocks
  bool in_body : 1 = false;  // of those that a thread plays one after another
  bool spins : 1 = false;    // its thread keeps its processor while it waits
  bool call : 1 = false;     // it is a call, or a copy by one
};

/// The nodes of a plan with what follows each.
struct RunGraph {
  explicit RunGraph(const Plan& plan);

  std::vector<RunNode> nodes;
  std::vector<std::uint32_t> successors;  // per edge
  bool delays = false;                    // some edge has one; it stands in the plan
};

/// Asks for the cache line of what is read soon.
inline void expect(const void* place) { __builtin_prefetch(place); }

}  // namespace rta::simulate
