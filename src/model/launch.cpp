#include "rta/model/launch.hpp"

#include <algorithm>

#include "rta/model/error.hpp"
#include "rta/model/footprint.hpp"
#include "rta/model/kernel_time.hpp"

namespace rta {
namespace {

bool above(Wide amount, const std::optional<std::uint64_t>& limit) { return limit && amount > static_cast<Wide>(*limit); }

// A launch counts registers as if each part of an SM's register file had as many warps of a block (cuda_occupancy.h,
// cudaOccMaxBlocksPerSMRegsLimit).
Wide registers_of_launch(const GpuDemand& kernel, const GpuPool& gpu) {
  GpuPool counted = gpu;
  counted.sm.registers = gpu.launch.registers_per_block;  // else none are counted
  const Wide warps = footprint(kernel, counted).warps;
  const Wide per_warp = footprint(gpu.allocation.warp, 0, kernel.registers_per_thread, counted).registers;
  const Wide parts = gpu.allocation.register_parts;
  return checked_mul<Wide>(ceil_div(warps, parts) * parts, per_warp);
}

}  // namespace

std::string_view key_of(LaunchFault::Demand demand) {
  switch (demand) {
    case LaunchFault::Demand::threads: return "H";
    case LaunchFault::Demand::shared_memory: return "shared_memory";
    case LaunchFault::Demand::registers: return "registers";
    case LaunchFault::Demand::blocks: return "B";
    case LaunchFault::Demand::cluster: return "cluster";
  }
  return "";
}

std::vector<LaunchFault> launch_faults(const GpuDemand& kernel, const GpuPool& gpu, std::string_view gpu_name) {
  if (!kernel.has_blocks) return {};
  const SmResources& sm = gpu.sm;
  const LaunchLimits& launch = gpu.launch;
  const auto allowed = [](std::uint64_t limit) { return " (" + std::to_string(limit) + " allowed"; };
  const std::string on_sm = " do not fit on one SM of " + std::string(gpu_name);
  const auto of_launch = [&](std::string_view what) {
    return " are more than " + std::string(gpu_name) + " lets a " + std::string(what) + " have";
  };
  const Footprint block = footprint(kernel, gpu);
  if (block.threads > std::min(sm.threads, sm.threads_per_block)) {
    const std::string H = std::to_string(kernel.H) + " G-threads";
    if (sm.threads < sm.threads_per_block) return {{LaunchFault::Demand::threads, H + on_sm + allowed(sm.threads) + ")"}};
    return {{LaunchFault::Demand::threads, H + of_launch("block") + allowed(sm.threads_per_block) + ")"}};
  }
  std::vector<LaunchFault> faults;
  const auto shared = [&](const std::string& why) {
    faults.push_back({LaunchFault::Demand::shared_memory, std::to_string(kernel.shared_memory) + " bytes per block" + why + ")"});
  };
  if (above(block.shared_memory, sm.shared_memory)) {
    shared(" (as allocated: " + to_string(block.shared_memory) + ")" + on_sm + allowed(*sm.shared_memory));
  } else if (above(static_cast<Wide>(kernel.shared_memory), launch.shared_memory)) {
    shared(of_launch("block") + allowed(*launch.shared_memory));
  }
  const auto registers = [&](const std::string& why) {
    faults.push_back({LaunchFault::Demand::registers, std::to_string(kernel.registers_per_thread) + " per thread" + why + ")"});
  };
  if (above(static_cast<Wide>(kernel.registers_per_thread), launch.registers_per_thread)) {
    registers(of_launch("G-thread") + allowed(*launch.registers_per_thread));
  } else if (above(block.registers, sm.registers)) {
    registers(" (per block, as allocated: " + to_string(block.registers) + ")" + on_sm + allowed(*sm.registers));
  } else if (launch.registers_per_block && above(registers_of_launch(kernel, gpu), launch.registers_per_block)) {
    registers(" (per block, as a launch counts them: " + to_string(registers_of_launch(kernel, gpu)) + ")" + of_launch("block") +
              allowed(*launch.registers_per_block));
  } else if (const auto warps = warps_with_registers(block.registers / block.warps, gpu); warps && *warps < block.warps) {
    registers(" (" + to_string(block.warps) + " warps per block)" + on_sm + " (" + to_string(*warps) +
              " warps allowed: each part of its register file holds whole ones");
  }
  if (!faults.empty() || !starts_together(kernel)) return faults;
  const Wide P = places(kernel, gpu);
  const std::string at_once = " do not fit on " + std::string(gpu_name) + " at once" + allowed(static_cast<std::uint64_t>(P)) + ")";
  if (kernel.cooperative && static_cast<Wide>(kernel.B) > P)
    faults.push_back({LaunchFault::Demand::blocks, std::to_string(kernel.B) + " blocks of a cooperative launch" + at_once});
  if (Wide{kernel.cluster} > P)
    faults.push_back({LaunchFault::Demand::cluster, std::to_string(kernel.cluster) + " blocks of a cluster" + at_once});
  return faults;
}

std::string together_text(const GpuDemand& kernel) {
  const std::string cluster = kernel.cluster > 1 ? "cluster: " + std::to_string(kernel.cluster) : "";
  return kernel.cooperative ? cluster + (cluster.empty() ? "" : ", ") + "cooperative: true" : cluster;
}

void refuse_blocks_together(const GpuDemand& kernel, std::string_view node, std::string_view done) {
  if (!kernel.has_blocks || !starts_together(kernel)) return;
  throw UserError("node '" + std::string(node) + "': its blocks start together (" + together_text(kernel) + "), and so it is not " +
                  std::string(done) + "; a kernel that is known by its duration alone is (`time` in place of B, H and L)");
}

}  // namespace rta
