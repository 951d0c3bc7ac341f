// From a hyperepoch of a graph to what the search works on, and from the order that it found to a schedule.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu_sharing.hpp"
#include "order.hpp"
#include "problem.hpp"
#include "rta/static_order/compile.hpp"
#include "rta/static_order/graph.hpp"
#include "rta/static_order/schedule.hpp"
#include "slots.hpp"

namespace rta::static_order {

/// The kernels of a hyperepoch on one GPU whose SMs are known, and a plan by which they share it; none: one at a time.
struct GpuKernels {
  ResourceId gpu = 0;
  struct Of {
    std::size_t epoch;
    std::size_t slot;
  };
  std::vector<Of> of;  // of each kernel
  std::vector<Kernel> kernels;
  std::vector<WeightPlan> plans;
  bool complete = true;  // all that runs on the GPU is a kernel of known blocks
};

/// How kernels share their GPUs, by index into GpuKernels::plans; none: one at a time.
using PlanChoice = std::vector<std::optional<std::size_t>>;

class HyperepochProblem {
 public:
  /// Throws `UserError` for a hyperepoch that is too large, or whose streams cannot be served.
  HyperepochProblem(const Graph& graph, HyperepochId hyperepoch, const CompileOptions& options);

  [[nodiscard]] const std::vector<GpuKernels>& gpus() const { return gpus_; }
  /// The problem under these plans. Throws as the constructor.
  [[nodiscard]] Problem problem(const PlanChoice& plans) const;
  /// The schedule that an order of that problem stands for. `by_streams`: kernels on GPUs with a plan start when their streams let them, in
  /// place of the order's.
  [[nodiscard]] ScheduledHyperepoch schedule(const Problem& problem, const PlanChoice& plans, const Order& order, const Times& times,
                                             bool by_streams) const;

  // Who tasks, machines and loads of a problem are, in words.
  [[nodiscard]] std::string task_name(TaskId task) const;
  [[nodiscard]] std::string machine_name(MachineId machine) const;
  [[nodiscard]] std::vector<std::string> load_names(const Load& load) const;  // the GPU and what of its SMs

 private:
  struct TaskInfo {
    std::size_t epoch = 0;
    std::uint64_t frame = 0;
    std::optional<std::size_t> slot;  // none: frame-sync
  };
  struct PlannedKernel {
    const Kernel* kernel;
    std::int64_t weight;
    bool alone;
  };
  void make_tasks();
  void make_machines();
  void find_kernels();
  [[nodiscard]] std::size_t task_of(std::size_t epoch, std::uint64_t frame, std::size_t slot) const;
  [[nodiscard]] std::optional<PlannedKernel> planned(const TaskInfo& info, const PlanChoice& plans) const;
  [[nodiscard]] Time length_of(const TaskInfo& info, const PlanChoice& plans, bool by_streams) const;
  [[nodiscard]] Time release_of(const TaskInfo& info) const;
  [[nodiscard]] std::optional<Time> deadline_of(const TaskInfo& info) const;
  void add_task(Problem& problem, const TaskInfo& info, const PlanChoice& plans) const;
  void add_arcs(Problem& problem) const;
  void add_previous(Problem& problem) const;
  void add_needs(Problem& problem, TaskId id, const PlanChoice& plans) const;
  /// Returns the choice that decides it; none: there is one resource.
  ChoiceId add_need(Problem& problem, TaskId id, const std::vector<ResourceId>& any_of, ChoiceId choice, const PlanChoice& plans) const;
  void add_loads(Problem& problem) const;
  void order_streams(Problem& problem) const;
  [[nodiscard]] ScheduledRunnable described(const TaskInfo& info, const PlanChoice& plans, bool by_streams) const;

  const Graph& graph_;
  const Hyperepoch& hyperepoch_;
  const CompileOptions& options_;
  std::vector<Slots> slots_;  // by epoch
  std::vector<TaskInfo> tasks_;
  std::vector<std::vector<std::size_t>> first_task_;  // by epoch and frame: of its slots, in their order
  std::vector<std::vector<std::optional<TaskId>>> sync_;
  std::vector<ResourceId> machines_;                 // the resource behind each; the second machine of a stream stands for its submittees
  std::vector<MachineId> machine_of_, follower_of_;  // by resource, or none
  std::vector<GpuKernels> gpus_;
  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::size_t, std::size_t>> kernel_at_;  // (epoch, slot) -> (GPU, kernel)
};

}  // namespace rta::static_order
