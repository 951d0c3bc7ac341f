#include "gpu_sharing.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "rta/analysis/gpu/weights.hpp"
#include "rta/model/error.hpp"
#include "rta/model/footprint.hpp"

namespace rta::static_order {
namespace {

namespace fifo = analysis::fifo;

constexpr Wide most_weight = Wide{1} << 61;

std::vector<fifo::Amounts> demands(std::span<const Kernel> kernels) {
  std::vector<fifo::Amounts> all;
  for (const Kernel& kernel : kernels) all.push_back(kernel.demand);
  return all;
}

// A kernel that stands for several has more registers to start with than its own numbers come to: no more than all.
fifo::Sm sm_of(std::span<const Kernel> kernels, const fifo::DemandClasses& classes, const GpuPool& gpu) {
  std::vector<fifo::Amounts> to_start = classes.demand;
  if (gpu.sm.registers && gpu.allocation.register_parts > 1) {
    std::uint64_t unit = *gpu.sm.registers / gpu.allocation.register_parts;
    for (const Kernel& kernel : kernels) unit = std::gcd(unit, kernel.register_unit);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      const Kernel& kernel = kernels[k];
      std::uint64_t& registers = to_start[classes.of[k]][fifo::Resource::registers];
      const auto warps = warps_with_registers(static_cast<Wide>(kernel.registers_per_warp), gpu);
      const bool holds = !warps || static_cast<Wide>(kernel.warps) <= *warps;
      registers =
          std::max(registers, holds ? fifo::registers_to_start(kernel.warps, kernel.registers_per_warp, unit, gpu) : *gpu.sm.registers);
    }
  }
  return {fifo::sm_capacity(gpu), classes.demand, {}, std::move(to_start)};
}

std::optional<WeightPlan> plan_of(const fifo::Weights& weights, const fifo::Sm& sm, const fifo::DemandClasses& classes,
                                  std::span<const Kernel> kernels, const GpuPool& gpu) {
  const Wide capacity = checked_mul(weights.guaranteed, static_cast<Wide>(gpu.sms));
  if (capacity > most_weight) return std::nullopt;
  WeightPlan plan;
  plan.capacity = static_cast<std::int64_t>(capacity);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const std::uint32_t c = classes.of[k];
    // More weight than valid weights is valid, too.
    const Wide weight = std::max<Wide>(1, checked_mul(weights.density[c], static_cast<Wide>(sm.demand()[c][fifo::Resource::threads])));
    if (weight > most_weight) return std::nullopt;
    plan.weight.push_back(static_cast<std::int64_t>(weight));
  }
  plan.room = plan.capacity + *std::ranges::min_element(plan.weight) - 1;
  if (plan.room < 2) return std::nullopt;  // no two kernels may overlap
  return plan;
}

}  // namespace

Kernel kernel_of(const GpuDemand& demand, const GpuPool& gpu) {
  const Footprint block = footprint(demand, gpu);
  const auto per_warp = static_cast<std::uint64_t>(block.registers / block.warps);
  return {demand.B,
          demand.L,
          fifo::block_demand(demand.H, demand.shared_memory, demand.registers_per_thread, gpu),
          static_cast<std::uint64_t>(block.warps),
          per_warp,
          per_warp};
}

Kernel larger_of(const Kernel& a, const Kernel& b) {
  Kernel larger{std::max(a.B, b.B),
                std::max(a.L, b.L),
                a.demand,
                std::max(a.warps, b.warps),
                std::max(a.registers_per_warp, b.registers_per_warp),
                std::gcd(a.register_unit, b.register_unit)};
  for (const fifo::Resource r : fifo::all_resources) larger.demand[r] = std::max(a.demand[r], b.demand[r]);
  return larger;
}

Time time_alone(const Kernel& kernel, const GpuPool& gpu) {
  const fifo::Amounts capacity = fifo::sm_capacity(gpu);
  std::uint64_t per_sm = std::numeric_limits<std::uint64_t>::max();
  for (const fifo::Resource r : fifo::all_resources) {
    if (kernel.demand[r] > 0) per_sm = std::min(per_sm, capacity[r] / kernel.demand[r]);
  }
  const auto warps = warps_with_registers(static_cast<Wide>(kernel.registers_per_warp), gpu);
  require(per_sm > 0, "every block fits on an empty SM");
  if (warps) per_sm = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(*warps) / kernel.warps, 1, per_sm);
  const Wide at_once = static_cast<Wide>(per_sm) * static_cast<Wide>(gpu.sms);
  return to_time(checked_mul(ceil_div(static_cast<Wide>(kernel.B), at_once), static_cast<Wide>(kernel.L.count())));
}

std::vector<WeightPlan> weight_plans(std::span<const Kernel> kernels, const GpuPool& gpu) {
  std::vector<WeightPlan> plans;
  if (kernels.empty()) return plans;
  const fifo::DemandClasses classes = fifo::classify(demands(kernels));
  const fifo::Sm sm = sm_of(kernels, classes, gpu);
  const auto add = [&](const std::optional<fifo::Weights>& weights) {
    if (!weights) return;
    if (auto plan = plan_of(*weights, sm, classes, kernels, gpu)) plans.push_back(std::move(*plan));
  };
  add(fifo::occupancy_weights(sm));
  std::vector<double> load(classes.demand.size(), 0.0);
  std::vector<double> longest(classes.demand.size(), 0.0);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    load[classes.of[k]] += static_cast<double>(kernels[k].B) * static_cast<double>(kernels[k].L.count());
    longest[classes.of[k]] = std::max(longest[classes.of[k]], static_cast<double>(kernels[k].L.count()));
  }
  const double largest = *std::ranges::max_element(load);
  const double largest_length = *std::ranges::max_element(longest);
  if (!(largest > 0) || !(largest_length > 0)) return plans;
  for (double& l : load) l /= largest;
  for (double& l : longest) l /= largest_length;
  fifo::WeightProgram program(sm, load, static_cast<double>(gpu.sms), longest);
  if (const auto w = program.least_load()) add(fifo::exact_weights(sm, *w));
  return plans;
}

bool valid_weights(std::span<const Kernel> kernels, std::span<const std::int64_t> weight, std::int64_t capacity, const GpuPool& gpu) {
  if (kernels.empty()) return true;
  const fifo::DemandClasses classes = fifo::classify(demands(kernels));
  const fifo::Sm sm = sm_of(kernels, classes, gpu);
  std::vector<Wide> least(classes.demand.size(), most_weight * 2);
  for (std::size_t k = 0; k < kernels.size(); ++k) least[classes.of[k]] = std::min<Wide>(least[classes.of[k]], weight[k]);
  const auto worst = sm.least_blocking<Wide>(least);
  return !worst || checked_mul(worst->value, static_cast<Wide>(gpu.sms)) >= capacity;
}

}  // namespace rta::static_order
