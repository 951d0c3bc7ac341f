// What a slot takes of GPUs, whichever of its steps runs: its needs for an engine and a stream, its kernel, its time alone.
#pragma once

#include <optional>

#include "gpu_sharing.hpp"
#include "rta/static_order/graph.hpp"
#include "slots.hpp"

namespace rta::static_order {

/// Null where the slot needs none.
[[nodiscard]] const ResourceNeed* engine_need(const Graph& graph, const Slot& slot);
[[nodiscard]] const ResourceNeed* stream_need(const Graph& graph, const Slot& slot);
/// The kernel that a slot is; nothing where the blocks of some step are not known.
[[nodiscard]] std::optional<Kernel> kernel_of_slot(const Graph& graph, const Slot& slot, const GpuPool& gpu);
/// One at a time: as its WCET says, or as its blocks do if that is less.
[[nodiscard]] Time wcet_alone(const Graph& graph, const Slot& slot);

}  // namespace rta::static_order
