// T10 as a test: whether DAGs on one pool of processors meet their deadlines, from a few numbers per DAG.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// A sporadic DAG of nodes that are all on the pool; ns.
struct WholeDag {
  std::int64_t T = 1;
  std::int64_t Y = 0;       // relative priority point; only differences matter
  std::int64_t limit = 0;   // what R must not pass
  std::int64_t length = 0;  // longest sum of C over paths
  std::int64_t volume = 0;  // sum of C over nodes
};

/// Whether T10 has bounds within the limits for DAGs on `m` processors in that order, which is `fifo` or `gel`. R gets them, ns, one per
/// DAG: the least ones. False also where this is not known after some rounds, or a number leaves its range; R is then of no meaning.
[[nodiscard]] bool ends_within_limits(std::span<const WholeDag> dags, std::uint32_t m, Order order, std::vector<std::int64_t>& R);

}  // namespace rta::analysis::path
