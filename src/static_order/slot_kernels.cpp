#include "slot_kernels.hpp"

#include <algorithm>

namespace rta::static_order {
namespace {

const ResourceNeed* need_for(const Graph& graph, const Slot& slot, ResourceKind kind) {
  const auto at =
      std::ranges::find_if(slot.needs, [&](const ResourceNeed& need) { return graph.resources[need.any_of.front()].kind == kind; });
  return at == slot.needs.end() ? nullptr : &*at;
}

}  // namespace

const ResourceNeed* engine_need(const Graph& graph, const Slot& slot) { return need_for(graph, slot, ResourceKind::engine); }

const ResourceNeed* stream_need(const Graph& graph, const Slot& slot) { return need_for(graph, slot, ResourceKind::stream); }

std::optional<Kernel> kernel_of_slot(const Graph& graph, const Slot& slot, const GpuPool& gpu) {
  std::optional<Kernel> kernel;
  for (const RunnableId id : runnables_of(slot)) {
    const auto& blocks = graph.runnables[id].blocks;
    if (!blocks) return std::nullopt;
    const Kernel one = kernel_of(*blocks, gpu);
    kernel = kernel ? larger_of(*kernel, one) : one;
  }
  return kernel;
}

Time wcet_alone(const Graph& graph, const Slot& slot) {
  Time longest;
  for (const RunnableId id : runnables_of(slot)) {
    const Runnable& runnable = graph.runnables[id];
    Time length = runnable.wcet;
    for (const ResourceNeed& need : runnable.needs) {
      Time by_blocks;
      for (const ResourceId r : need.any_of) {
        const auto& gpu = graph.resources[r].gpu;
        if (runnable.blocks && gpu) by_blocks = std::max(by_blocks, time_alone(kernel_of(*runnable.blocks, *gpu), *gpu));
      }
      if (runnable.blocks && graph.resources[need.any_of.front()].gpu)
        length = runnable.wcet > Time::zero() ? std::min(runnable.wcet, by_blocks) : by_blocks;
    }
    longest = std::max(longest, length);
  }
  return longest;
}

}  // namespace rta::static_order
