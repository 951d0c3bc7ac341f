// Coarse-grained and monolithic variants of a task set, for comparison with the fine-grained one (theory section 3; Yang 2020, 6.1).
#pragma once

#include <span>
#include <vector>

#include "rta/analysis/proof.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// A node that a coarse-grained job issues and awaits while it holds its place in the task's sequence.
struct AwaitedNode {
  DagId dag = 0;      // of both task sets: DAGs keep their places
  NodeId origin = 0;  // in the fine-grained DAG
  NodeId group = 0;   // the coarse-grained node that awaits it
};

/// Groups of nodes as single sequential CPU tasks.
struct Grouped {
  TaskSet task_set;                  // groups as sequential CPU nodes, C = their CPU part alone; other nodes unchanged
  std::vector<AwaitedNode> awaited;  // GPU, copy and worker nodes inside groups
};

/// coarse: nodes that share a `group` become one sequential CPU task (a CPU node without a group is one of its own); monolithic: the whole
/// DAG does. Throws `UserError`, naming the group, when it has no CPU node, has several CPU pools, or when the groups depend on
/// each other in a cycle.
[[nodiscard]] Grouped regroup(const TaskSet& fine, Granularity granularity);

/// The longest time that a job of each group is suspended: its thread awaits the group's kernels, copies and items one after another.
/// `response` is aligned with `grouped.awaited`; the result has one entry per DAG and node of `grouped.task_set`. Throws `Overflow`.
[[nodiscard]] std::vector<std::vector<Time>> suspension(const Grouped& grouped, std::span<const Time> response);

}  // namespace rta::analysis
