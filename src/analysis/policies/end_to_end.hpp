// Offsets and end-to-end bounds of a DAG from the response-time bounds of its nodes (theory section 1; Yang et al., RTNS 2016).
#pragma once

#include <span>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::analysis {

struct EndToEnd {
  std::vector<Time> offset;           // Phi_v: release of node v after its DAG's
  Time R;                             // max over nodes of Phi_v + R_v
  std::vector<NodeId> critical_path;  // from a source to the node that attains R
};

/// The least offsets with Phi_w >= Phi_v + R_v for every edge v -> w. `R` holds one bound per node. Throws `Overflow`.
[[nodiscard]] EndToEnd end_to_end(const Dag& dag, std::span<const Time> R);

}  // namespace rta::analysis
