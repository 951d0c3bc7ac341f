#include "certificate/densities.hpp"

#include "rta/analysis/gpu/configuration.hpp"

namespace rta::certificate {

analysis::fifo::Task task_of(const GpuDemand& kernel, const GpuPool& gpu) {
  analysis::fifo::Task task;
  task.H = kernel.H;
  task.C = kernel.C;
  task.shared_memory = kernel.shared_memory;
  task.registers_per_thread = kernel.registers_per_thread;
  task.priority = kernel.priority;
  return rounded_to_warps(task, gpu);
}

std::string densities(const std::vector<analysis::fifo::Task>& tasks, const GpuPool& gpu, const std::vector<Wide>& density) {
  std::vector<analysis::fifo::Amounts> demand;
  demand.reserve(tasks.size());
  for (const auto& task : tasks) demand.push_back(block_demand(task, gpu));
  const auto classes = analysis::fifo::classify(demand);
  std::vector<Wide> of_class(classes.demand.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) of_class[classes.of[i]] = density[i];
  std::string words;
  for (const Wide n : of_class) words += " " + to_string(n);
  return words;
}

}  // namespace rta::certificate
