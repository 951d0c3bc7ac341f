// docs/theory/fixed-priority.md, T37: DAGs keep their bounds beside others that are less urgent wherever they meet, whatever those do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// DAGs that need one another. A DAG needs those that share a pool with it, but for processors under fixed priorities with preemption on
/// which all nodes of the other are less urgent than all of its own.
struct NeededTogether {
  std::vector<DagId> dags;
  std::vector<std::size_t> needs;  // earlier groups
};

/// Of these DAGs; each group comes behind those that it needs.
[[nodiscard]] std::vector<NeededTogether> groups_by_need(const TaskSet& task_set, const std::vector<DagId>& dags);

/// Where DAGs of `proof`, on completion, have no bound: those that have one without the others that they do not need.
void add_urgent_dags(Proof& proof, const Options& options);

/// The DAGs that these were proven without although they share pools with them, as words; empty: none.
[[nodiscard]] std::string less_urgent_beside(const TaskSet& task_set, const std::vector<DagId>& dags);

}  // namespace rta::analysis
