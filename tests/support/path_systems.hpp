// Pools, nodes and DAGs of small systems for the theorems on paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

inline analysis::path::Pool pool(analysis::path::Order order, std::uint32_t m) {
  analysis::path::Pool pool;
  pool.order = order;
  pool.capacity = m;
  return pool;
}

inline analysis::path::Node node(std::size_t pool, Time C, std::uint32_t priority = 0) {
  analysis::path::Node node;
  node.pool = pool;
  node.e = C;
  node.s = node.vol = C.count();
  node.priority = priority;
  return node;
}

inline analysis::path::Dag dag(Time T, std::vector<analysis::path::Node> nodes, std::vector<analysis::path::Precedence> edges = {}) {
  analysis::path::Dag dag;
  dag.name = "dag";
  dag.T = T;
  dag.nodes = std::move(nodes);
  dag.edges = std::move(edges);
  return dag;
}

}  // namespace rta::test
