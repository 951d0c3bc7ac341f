// The schedule that an order stands for, in the words of its graph.
#include <fmt/format.h>

#include <algorithm>

#include "build_problem.hpp"
#include "rta/model/error.hpp"
#include "rta/static_order/proof.hpp"

namespace rta::static_order {
namespace {

constexpr const char* frame_sync_name = "frame-sync";

std::vector<std::size_t> ids_of(const std::vector<std::size_t>& id_of_task, const std::vector<TaskId>& tasks) {
  std::vector<std::size_t> ids;
  ids.reserve(tasks.size());
  for (const TaskId t : tasks) ids.push_back(id_of_task[t]);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

ScheduledRunnable HyperepochProblem::described(const TaskInfo& info, const PlanChoice& plans, bool by_streams) const {
  ScheduledRunnable out;
  out.epoch = info.epoch;
  out.frame = info.frame;
  out.release = release_of(info);
  out.deadline = deadline_of(info);
  out.wcet = length_of(info, plans, by_streams);
  if (!info.slot) {
    out.name = frame_sync_name;
    out.role = Role::frame_sync;
    out.deadline.reset();
    return out;
  }
  const Slot& slot = slots_[info.epoch].slots[*info.slot];
  out.name = slot.name;
  if (slot.group) {
    for (const auto& step : slot.steps) out.steps.push_back(step ? full_name(graph_, graph_.runnables[*step]) : std::string());
  } else {
    out.client = graph_.clients[graph_.runnables[*slot.steps.front()].client].name;
  }
  if (slot.submits) out.role = Role::submitter;
  if (slot.submitter) out.role = Role::submittee;
  const auto kernel = planned(info, plans);
  if (kernel && (!kernel->alone || by_streams)) {
    out.blocks = kernel->kernel->B;
    out.weight = kernel->weight;
  }
  return out;
}

ScheduledHyperepoch HyperepochProblem::schedule(const Problem& problem, const PlanChoice& plans, const Order& order, const Times& times,
                                                bool by_streams) const {
  ScheduledHyperepoch out;
  out.name = hyperepoch_.name;
  out.period = hyperepoch_.period;
  for (const Epoch& epoch : hyperepoch_.epochs) out.epochs.push_back({epoch.name, epoch.period, epoch.frames});
  std::vector<std::size_t> resource_of(machines_.size());
  for (MachineId m = 0; m < machines_.size(); ++m) {
    if (follower_of_[machines_[m]] == m) continue;
    resource_of[m] = out.resources.size();
    out.resources.push_back({full_name(graph_, machines_[m]), graph_.resources[machines_[m]].type, std::nullopt});
  }
  for (MachineId m = 0; m < machines_.size(); ++m) {
    if (follower_of_[machines_[m]] == m) {
      resource_of[m] = resource_of[machine_of_[machines_[m]]];
      out.resources[resource_of[m]].serves = resource_of[machine_of_[*graph_.resources[machines_[m]].serves]];
    }
  }
  for (std::size_t g = 0; g < gpus_.size(); ++g) {
    if (!plans[g]) continue;
    const auto by = by_streams ? Sharing::By::streams : Sharing::By::weights;
    out.sharing.push_back({resource_of[machine_of_[gpus_[g].gpu]], by, gpus_[g].plans[*plans[g]].capacity});
  }
  std::vector<TaskId> sorted(times.order);
  std::ranges::sort(sorted, {}, [&](TaskId t) { return std::pair(times.start[t], times.place[t]); });
  std::vector<std::size_t> id_of_task(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) id_of_task[sorted[i]] = i;
  std::vector<std::vector<TaskId>> capacity_from(problem.size());
  for (std::size_t i = 0; !by_streams && i < times.order.size(); ++i) {
    for (std::uint32_t f = times.first_flow[i]; f < times.first_flow[i + 1]; ++f)
      capacity_from[times.flow[f].to].push_back(times.flow[f].from);
  }
  for (const TaskId t : sorted) {
    ScheduledRunnable runnable = described(tasks_[t], plans, by_streams);
    std::vector<TaskId> after = capacity_from[t];
    std::vector<TaskId> after_start;
    for (const Arc& arc : problem.into(t)) (arc.from_start ? after_start : after).push_back(arc.from);
    runnable.after = ids_of(id_of_task, after);
    runnable.after_start = ids_of(id_of_task, after_start);
    if (problem.tasks[t].submittee != none) runnable.submits = {id_of_task[problem.tasks[t].submittee]};
    for (std::uint32_t need = problem.first_need[t]; need < problem.first_need[t + 1]; ++need) {
      const MachineId m = order.machine(need);
      if (problem.machines[m].follows != none) {
        runnable.stream = resource_of[m];
      } else {
        runnable.resources.push_back(resource_of[m]);
      }
    }
    std::ranges::sort(runnable.resources);
    out.runnables.push_back(std::move(runnable));
  }
  return out;
}

std::string HyperepochProblem::task_name(TaskId task) const {
  const TaskInfo& info = tasks_[task];
  std::string name = hyperepoch_.epochs[info.epoch].name + " " + frame_sync_name;
  if (info.slot) {
    const Slot& slot = slots_[info.epoch].slots[*info.slot];
    name = slot.group ? slot.name : full_name(graph_, graph_.runnables[*slot.steps.front()]);
  }
  return hyperepoch_.epochs[info.epoch].frames > 1 ? fmt::format("{} (frame {})", name, info.frame) : name;
}

std::string HyperepochProblem::machine_name(MachineId machine) const { return full_name(graph_, machines_[machine]); }

std::vector<std::string> HyperepochProblem::load_names(const Load& load) const {
  return {full_name(graph_, load.resource), std::string(to_string(static_cast<analysis::fifo::Resource>(load.amount)))};
}

}  // namespace rta::static_order
