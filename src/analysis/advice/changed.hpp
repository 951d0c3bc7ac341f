// A task set in which one thing is different.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/explain/dag_kinds.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

[[nodiscard]] std::shared_ptr<const TaskSet> with_pools(const TaskSet& task_set, std::vector<Pool> pools);
[[nodiscard]] std::shared_ptr<const TaskSet> with_pool(const TaskSet& task_set, PoolId p, Pool pool);
[[nodiscard]] std::shared_ptr<const TaskSet> with_all_dags(const TaskSet& task_set, std::vector<Dag> dags);
[[nodiscard]] std::shared_ptr<const TaskSet> with_communication(const TaskSet& task_set, ChainId chain, Communication communication);
/// Changes all DAGs of a kind, as a file does whose `copies` they are.
[[nodiscard]] std::shared_ptr<const TaskSet> with_dags(const TaskSet& task_set, DagKinds::Kind kind,
                                                       const std::function<Dag(const Dag&)>& change);

/// A GPU cut into green contexts, the first of `size` SMs for the kernels of these DAGs, the rest for all others. Null where these DAGs
/// have nothing on it, or all that is on it.
[[nodiscard]] std::shared_ptr<const TaskSet> with_partitions(const TaskSet& task_set, DagKinds::Kind kind, PoolId p, std::uint32_t size);

[[nodiscard]] Dag with_nodes(const Dag& dag, std::vector<Node> nodes);
[[nodiscard]] Dag with_node(const Dag& dag, NodeId v, Node node);
[[nodiscard]] Dag with_phase(const Dag& dag, Time phase);
[[nodiscard]] Dag with_times(const Dag& dag, Time period, std::optional<Time> deadline);

/// The node with another C (CPUs, copies) or L (GPUs, workers). How its times vary is left out: no bound depends on it.
[[nodiscard]] Node with_piece(Node node, Time longest);
/// Blocks or items of a job; nothing of other nodes.
[[nodiscard]] std::optional<std::uint64_t> pieces_of(const Node& node);
[[nodiscard]] Node with_pieces(Node node, std::uint64_t B);

/// Processors, SMs, engines or workers.
[[nodiscard]] std::uint32_t size_of(const Pool& pool);
[[nodiscard]] Pool with_size(Pool pool, std::uint32_t size);

/// Whether durations of kernels are known of this GPU as it is: with fewer SMs they would be others.
[[nodiscard]] bool knows_durations(const TaskSet& task_set, PoolId p);

}  // namespace rta::analysis
