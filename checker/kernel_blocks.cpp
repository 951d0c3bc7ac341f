#include "kernel_blocks.hpp"

#include <algorithm>

namespace checker {

Int places(const Node& kernel, const Pool& gpu) {
  const Amounts block = block_demand(kernel, gpu);
  std::optional<Int> on_an_sm;
  const auto limit = [&](Int blocks) { on_an_sm = std::min(on_an_sm.value_or(blocks), blocks); };
  for (const std::size_t r : {threads, slots, shared_memory}) {
    if (gpu.sm[r] && block[r] > 0) limit(floor_div(*gpu.sm[r], block[r]));
  }
  if (gpu.sm[registers] && block[registers] > 0) {  // whole warps in each part
    const Int warps = floor_div(block[threads], gpu.warp);
    const Int per_warp = floor_div(block[registers], warps);
    limit(floor_div(gpu.parts * floor_div(floor_div(*gpu.sm[registers], gpu.parts), per_warp), warps));
  }
  return on_an_sm.value_or(0) * gpu.size;
}

std::optional<Int> duration_alone(const Node& kernel, const Pool& gpu) {
  if (!kernel.has_blocks || kernel.cluster > Int(1) || gpu.switches) return kernel.time;
  const Int P = places(kernel, gpu);
  if (P <= 0 || (kernel.cooperative && kernel.blocks > P)) return std::nullopt;
  const Int in_waves = ceil_div(kernel.blocks, P) * kernel.L;
  return std::min(kernel.time.value_or(in_waves), in_waves);
}

bool runs_in_turn(const TaskSet& set, std::size_t gpu) {
  const Pool& pool = set.pools[gpu];
  if (pool.kind != Kind::gpu || pool.pauses || pool.gap > 0 || pool.company) return false;
  std::optional<Int> priority;
  for (const Dag& dag : set.dags) {
    for (const Node& node : dag.nodes) {
      if (node.pool != gpu) continue;
      const auto D = duration_alone(node, pool);
      if (!D || *D < node.least || node.priority != priority.value_or(node.priority)) return false;
      priority = node.priority;
    }
  }
  return true;
}

void count_blocks(TaskSet& set) {
  for (Dag& dag : set.dags) {
    for (Node& node : dag.nodes) {
      const Pool& gpu = set.pools[node.pool];
      if (gpu.kind != Kind::gpu) continue;
      node.B = node.blocks;
      if (!node.by_blocks() || !node.time || node.C <= 0) continue;
      const Int at_once = std::min(node.blocks, places(node, gpu));
      if (at_once > 0) node.B = std::min(node.blocks, ceil_div(at_once * *node.time * node.H, node.C));
    }
  }
}

Amounts block_demand(const Node& kernel, const Pool& gpu) {
  const auto up = [](Int value, Int unit) { return ceil_div(value, unit) * unit; };
  Amounts demand{up(kernel.H, gpu.warp), 1, 0, 0};
  if (gpu.sm[shared_memory]) demand[shared_memory] = up(kernel.shared_memory + gpu.reserved, gpu.unit);
  if (gpu.sm[registers]) demand[registers] = up(kernel.registers * gpu.warp, gpu.per) * floor_div(demand[threads], gpu.warp);
  return demand;
}

}  // namespace checker
