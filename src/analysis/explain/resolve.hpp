// Whom a name means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// A DAG, one of its nodes, or a node that a group awaits: `task` of `pool`.
struct Named {
  DagId dag = 0;
  std::optional<NodeId> node;
  struct Awaited {
    PoolId pool = 0;
    std::size_t task = 0;
  };
  std::optional<Awaited> awaited;
};

/// A DAG's name comes first; a DAG of one node is that node. Throws `UserError` where there is nothing of that name.
[[nodiscard]] Named resolve(const Proof& proof, std::string_view name);

/// Its full name.
[[nodiscard]] std::string full_name(const Proof& proof, const Named& named);

}  // namespace rta::analysis
