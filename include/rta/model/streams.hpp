// Streams: operations of a DAG, kernels and copies, that run one after another.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta {

/// The operations of one stream, in the order of the nodes.
struct Stream {
  std::string_view name;
  std::vector<NodeId> operations;
};
/// In the order of their first operations. `nodes` must outlive them.
[[nodiscard]] std::vector<Stream> streams_of(std::span<const Node> nodes);

/// Two operations of a stream, the second of which comes first by edges, or by edges and other streams.
struct StreamFault {
  NodeId first = 0;
  NodeId second = 0;
};
/// Adds an edge from each operation to the next one of its stream, stream after stream, where no path leads there yet. `edges` have no
/// cycle; where there is a fault they mean nothing any more.
[[nodiscard]] std::optional<StreamFault> order_streams(std::span<const Node> nodes, std::vector<Edge>& edges);

}  // namespace rta
