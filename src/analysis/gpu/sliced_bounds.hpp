// T14j at offsets: kernels of one context of a GPU that processes share by time slices.
#pragma once

#include <span>
#include <string>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"

namespace rta::analysis::fifo {

[[nodiscard]] bool of_several_priorities(std::span<const Task> tasks);

/// (g-1) K + K' for these weights: the most work of blocks that are resident at once while an SM is not blocking, credit x ns.
[[nodiscard]] Wide most_resident(std::span<const Task> tasks, const GpuPool& gpu, const WeightSet& set);

/// T14j's carry, credit x ns: which form is the lesser, and its value, rounded up to 2^-16.
struct SlicedCarry {
  Carry form = Carry::sliced_light;
  FineTime work;
};
[[nodiscard]] SlicedCarry sliced_carry(std::span<const Task> tasks, const GpuPool& gpu, const WeightSet& set);

/// The bounds with weights that T6 found for the GPU without slices:
///     R_k = (carry + sum_i w_i L_i B_i (1 + J_i/T_i) - w_k L_k) (S + G)/(g S) + L_k (S + G)/S + G,   carry = (g-1) K + K', or
///     L_max U_w (S + G)/S + U_w G
/// Of weights with U_w <= g S/(S + G) each task gets the least. Requires kernels of one priority on a GPU with slices. Throws `Overflow`.
[[nodiscard]] Result<GpuBounds> sliced_bounds(std::span<const Task> tasks, const GpuPool& gpu, GpuBounds unsliced);

}  // namespace rta::analysis::fifo
