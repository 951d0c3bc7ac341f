// Ways in which the kernels of a static schedule share a GPU, and what each kernel is then: T15w.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "problem.hpp"
#include "rta/analysis/gpu/configuration.hpp"
#include "rta/model/pool.hpp"
#include "rta/model/task_set.hpp"
#include "rta/static_order/graph.hpp"

namespace rta::static_order {

/// A kernel of B blocks, each of which takes `demand` of an SM for at most L.
struct Kernel {
  std::uint64_t B = 1;
  Time L;
  analysis::fifo::Amounts demand;
  std::uint64_t warps = 0, registers_per_warp = 0, register_unit = 0;  // the last divides what any of its warps has
};

/// The kernel that stands for several which take turns: of each amount the largest.
[[nodiscard]] Kernel kernel_of(const GpuDemand& demand, const GpuPool& gpu);
[[nodiscard]] Kernel larger_of(const Kernel& a, const Kernel& b);
/// Of its blocks, as many at once as all SMs hold: ceil(B/(g n)) L, when no other kernel runs. Throws `Overflow`.
[[nodiscard]] Time time_alone(const Kernel& kernel, const GpuPool& gpu);

/// Weights of blocks, so that an SM on which a block finds no room holds at least capacity/g.
struct WeightPlan {
  std::int64_t capacity = 0;         // g times what a blocking SM holds
  std::vector<std::int64_t> weight;  // of each kernel's blocks, at least 1
  /// Kernels may overlap as long as the sum of their weight x B is at most this: capacity + least weight - 1 (T15w).
  std::int64_t room = 0;
  /// Whether a kernel has more blocks than there is room for: it runs while no other does.
  [[nodiscard]] bool alone(const Kernel& kernel, std::size_t i) const {
    return static_cast<Wide>(weight[i]) * static_cast<Wide>(kernel.B) > room;
  }
};

/// Plans by occupancy (T6a) and by the weights of T6's linear program that load the GPU least; those whose numbers leave 62 bits are left
/// out.
[[nodiscard]] std::vector<WeightPlan> weight_plans(std::span<const Kernel> kernels, const GpuPool& gpu);

/// Whether these weights are valid: every SM on which a block of some kernel finds no room holds at least capacity/g.
[[nodiscard]] bool valid_weights(std::span<const Kernel> kernels, std::span<const std::int64_t> weight, std::int64_t capacity,
                                 const GpuPool& gpu);

}  // namespace rta::static_order
