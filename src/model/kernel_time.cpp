#include "rta/model/kernel_time.hpp"

#include <algorithm>

#include "rta/model/error.hpp"
#include "rta/model/footprint.hpp"

namespace rta {

GpuDemand kernel_by_time(Time time, const GpuPool& gpu, StreamPriority priority) {
  GpuDemand kernel;
  kernel.B = gpu.sms;
  kernel.H = std::max(gpu.sm.threads / gpu.allocation.warp, 1U) * gpu.allocation.warp;
  kernel.L = time;
  kernel.C = Workload(checked_mul(Wide{time.count()}, Wide{kernel.H}));
  kernel.priority = priority;
  kernel.time = time;
  kernel.has_blocks = false;
  return kernel;
}

Wide places(const GpuDemand& kernel, const GpuPool& gpu) {
  require(kernel.has_blocks, "a kernel that is known by its duration alone has no blocks to place");
  return blocks_per_sm(footprint(kernel, gpu), gpu) * static_cast<Wide>(gpu.sms);
}

bool has_duration(const GpuDemand& kernel, const GpuPool& gpu) {
  if (!kernel.has_blocks) return true;
  if (kernel.cluster > 1) return kernel.time.has_value();
  const Wide P = places(kernel, gpu);
  return P > 0 && (!kernel.cooperative || static_cast<Wide>(kernel.B) <= P);
}

Time duration_alone(const GpuDemand& kernel, const GpuPool& gpu, Durations by) {
  if (kernel.time && (!kernel.has_blocks || kernel.cluster > 1 || by == Durations::as_given)) return *kernel.time;
  require(kernel.cluster <= 1, "how long clusters take is known by their time alone");
  const Wide P = places(kernel, gpu);
  require(P > 0, "a block fits on an SM");
  const Wide waves = ceil_div(static_cast<Wide>(kernel.B), P);
  const Wide in_waves = checked_mul(waves, Wide{kernel.L.count()});
  if (kernel.time && Wide{kernel.time->count()} <= in_waves) return *kernel.time;
  return to_time(in_waves);
}

std::uint64_t counted_blocks(const GpuDemand& kernel, const GpuPool& gpu) {
  if (!kernel.time || kernel.C.count() == 0) return kernel.B;
  const Wide B = static_cast<Wide>(kernel.B);
  const Wide at_once = std::min(B, places(kernel, gpu));
  if (at_once == 0) return kernel.B;  // none fits: there will be no bound
  const Wide work = checked_mul(checked_mul(at_once, Wide{kernel.time->count()}), Wide{kernel.H});
  return static_cast<std::uint64_t>(std::min(B, ceil_div(work, kernel.C.count())));
}

}  // namespace rta
