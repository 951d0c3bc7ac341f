#include "stage.hpp"

namespace rta::examine {

Stage::Stage(std::string name, std::string purpose, const DeviceLimits& limits)
    : name_(std::move(name)), purpose_(std::move(purpose)), pools_{{"gpu", gpu_pool(limits)}, {"copy", engine_pool(limits)}} {}

Named Stage::launch(std::string name, std::string stream, Time at, const Kernel& kernel) {
  GpuDemand demand;
  demand.B = kernel.B;
  demand.H = kernel.H;
  demand.L = kernel.L;
  demand.C = Workload(static_cast<Wide>(kernel.L.count()) * kernel.H);
  demand.shared_memory = kernel.shared_memory;
  demand.registers_per_thread = kernel.registers;
  demand.priority = kernel.priority;
  operations_.push_back({name, 0, demand, std::move(stream), at, {}, {}});
  return {operations_.size() - 1, std::move(name)};
}

Named Stage::copy(std::string name, std::string stream, Time at, Time C, Direction direction) {
  operations_.push_back({name, 1, CopyDemand{C, direction}, std::move(stream), at, {}, {}});
  return {operations_.size() - 1, std::move(name)};
}

Experiment Stage::experiment() const { return {name_, pools_, operations_}; }

Probe Stage::take() { return {name_, std::move(purpose_), experiment(), std::move(conditions_), std::move(predictions_)}; }

}  // namespace rta::examine
