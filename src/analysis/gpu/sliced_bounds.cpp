#include "analysis/gpu/sliced_bounds.hpp"

#include <algorithm>

#include "analysis/gpu/fifo_level.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis::fifo {
namespace {

/// What T14j counts with.
class Sliced {
 public:
  Sliced(const Kernels& kernels, const Sharing& sharing)
      : kernels_(kernels), level_(kernels, priorities_of(kernels.tasks).back()), S_(sharing.slice.count()), G_(gap(sharing).count()) {}

  [[nodiscard]] bool carries(const WeightSet& set) const { return set.U.compare(checked_mul(set.capacity, S_), S_ + G_) <= 0; }

  /// The lesser of both forms.
  [[nodiscard]] SlicedCarry carry(const WeightSet& set) const {
    const Wide L_max = kernels_.tasks[kernels_.by_length.front()].L.count();
    const Wide per_U = checked_add(checked_mul(L_max, S_ + G_), checked_mul(G_, S_));
    const FineTime light(ceil_div(set.U.ceil_times(checked_mul(per_U, Wide{1} << fine_bits)), S_));
    const FineTime resident(checked_mul(level_.resident(set), Wide{1} << fine_bits));
    if (resident < light) return {Carry::sliced, resident};
    return {Carry::sliced_light, light};
  }

  [[nodiscard]] Time bound(const WeightSet& set, FineTime carry, std::size_t k) const {
    const Task& task = kernels_.tasks[k];
    const Wide last = checked_mul(set.density[k], task.C.count());
    const Wide rest = checked_add(set.released - last, checked_mul(set.capacity, Wide{task.L.count()}));
    const Wide served = checked_add(carry.count(), checked_mul(rest, Wide{1} << fine_bits));
    const Wide rate = checked_mul(checked_mul(set.capacity, S_), Wide{1} << fine_bits);
    return to_time(checked_add(ceil_div(checked_mul(served, S_ + G_), rate), G_));
  }

 private:
  const Kernels& kernels_;
  Level level_;
  Wide S_;
  Wide G_;
};

}  // namespace

bool of_several_priorities(std::span<const Task> tasks) {
  return std::ranges::any_of(tasks, [&](const Task& task) { return task.priority != tasks.front().priority; });
}

SlicedCarry sliced_carry(std::span<const Task> tasks, const GpuPool& gpu, const WeightSet& set) {
  const Kernels kernels(tasks, gpu);
  return Sliced(kernels, *gpu.sharing).carry(set);
}

Wide most_resident(std::span<const Task> tasks, const GpuPool& gpu, const WeightSet& set) {
  const Kernels kernels(tasks, gpu);
  return Level(kernels, priorities_of(kernels.tasks).back()).resident(set);
}

Result<GpuBounds> sliced_bounds(std::span<const Task> tasks, const GpuPool& gpu, GpuBounds bounds) {
  const Kernels kernels(tasks, gpu);
  const Sharing& sharing = *gpu.sharing;
  const Sliced sliced(kernels, sharing);
  std::ranges::fill(bounds.R, std::nullopt);
  for (std::uint32_t s = 0; s < bounds.sets.size(); ++s) {
    const WeightSet& set = bounds.sets[s];
    if (!sliced.carries(set)) continue;
    const SlicedCarry carry = sliced.carry(set);
    const Basis basis{.theorem = Theorem::T14j, .set = s, .carry = carry.form, .carried = ceil_to_time(carry.work).count()};
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      const Time R = sliced.bound(set, carry.work, k);
      if (bounds.R[k] && *bounds.R[k] <= R) continue;
      bounds.R[k] = R;
      bounds.basis[k] = basis;
    }
  }
  if (tasks.empty() || bounds.R.front()) {
    bounds.capacity *= static_cast<double>(sharing.slice.count()) / static_cast<double>(sharing.slice.count() + gap(sharing).count());
    return bounds;
  }
  const auto load = [](const WeightSet& set) { return set.U.approximate() / static_cast<double>(set.capacity); };
  const WeightSet& least = *std::ranges::min_element(bounds.sets, {}, load);
  return Reason(reason::SlicesOverload{sharing.gpu, least.U, least.capacity, sharing.slice, gap(sharing)});
}

}  // namespace rta::analysis::fifo
