#include "build_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rta/model/error.hpp"
#include "slot_kernels.hpp"

namespace rta::static_order {
namespace {

constexpr std::size_t most_tasks = 200'000;

}  // namespace

HyperepochProblem::HyperepochProblem(const Graph& graph, HyperepochId hyperepoch, const CompileOptions& options)
    : graph_(graph), hyperepoch_(graph.hyperepochs[hyperepoch]), options_(options) {
  Wide tasks = 0;
  for (std::size_t e = 0; e < hyperepoch_.epochs.size(); ++e) {
    std::optional<SlotFault> fault;
    slots_.push_back(slots_of(graph, hyperepoch, e, fault));
    if (fault) throw UserError(fmt::format("alias group '{}': {}", fault->group, fault->message));
    tasks += static_cast<Wide>(slots_[e].slots.size() + 1) * static_cast<Wide>(hyperepoch_.epochs[e].frames);
  }
  if (tasks > static_cast<Wide>(most_tasks))
    throw UserError(fmt::format("hyperepoch '{}' has {} runnables in all its frames; a schedule may have {}", hyperepoch_.name,
                                rta::to_string(tasks), most_tasks));
  make_tasks();
  make_machines();
  find_kernels();
}

void HyperepochProblem::make_tasks() {
  first_task_.resize(slots_.size());
  sync_.resize(slots_.size());
  for (std::size_t e = 0; e < slots_.size(); ++e) {
    const Epoch& epoch = hyperepoch_.epochs[e];
    for (std::uint64_t k = 0; k < epoch.frames; ++k) {
      const bool sync = !slots_[e].slots.empty() && ((k > 0 && !epoch.overlap) || !epoch.frame_sync.empty());
      sync_[e].push_back(sync ? std::optional(static_cast<TaskId>(tasks_.size())) : std::nullopt);
      if (sync) tasks_.push_back({e, k, std::nullopt});
      first_task_[e].push_back(tasks_.size());
      for (std::size_t s = 0; s < slots_[e].slots.size(); ++s) tasks_.push_back({e, k, s});
    }
  }
}

void HyperepochProblem::make_machines() {
  std::vector<bool> used(graph_.resources.size(), false);
  const auto use = [&](const std::vector<ResourceNeed>& needs) {
    for (const ResourceNeed& need : needs) {
      for (const ResourceId r : need.any_of) {
        used[r] = true;
        if (graph_.resources[r].serves) used[*graph_.resources[r].serves] = true;
      }
    }
  };
  for (std::size_t e = 0; e < slots_.size(); ++e) {
    for (const Slot& slot : slots_[e].slots) use(slot.needs);
    use(hyperepoch_.epochs[e].frame_sync);
  }
  machine_of_.assign(graph_.resources.size(), none);
  follower_of_.assign(graph_.resources.size(), none);
  for (ResourceId r = 0; r < used.size(); ++r) {
    if (!used[r]) continue;
    machine_of_[r] = static_cast<MachineId>(machines_.size());
    machines_.push_back(r);
    if (graph_.resources[r].kind != ResourceKind::stream) continue;
    follower_of_[r] = static_cast<MachineId>(machines_.size());
    machines_.push_back(r);
  }
}

void HyperepochProblem::find_kernels() {
  for (const ResourceId r : machines_) {
    const Resource& resource = graph_.resources[r];
    if (!resource.gpu || std::ranges::any_of(gpus_, [&](const GpuKernels& g) { return g.gpu == r; })) continue;
    GpuKernels kernels;
    kernels.gpu = r;
    bool chosen = false;  // some runnable may take another GPU instead
    for (std::size_t e = 0; e < slots_.size(); ++e) {
      for (std::size_t s = 0; s < slots_[e].slots.size(); ++s) {
        const ResourceNeed* need = engine_need(graph_, slots_[e].slots[s]);
        if (need == nullptr || std::ranges::find(need->any_of, r) == need->any_of.end()) continue;
        chosen = chosen || need->any_of.size() > 1;
        const auto kernel = need->any_of.size() > 1 ? std::nullopt : kernel_of_slot(graph_, slots_[e].slots[s], *resource.gpu);
        kernels.complete = kernels.complete && kernel;
        if (!kernel) continue;
        kernel_at_[{e, s}] = {gpus_.size(), kernels.of.size()};
        kernels.of.push_back({e, s});
        kernels.kernels.push_back(*kernel);
      }
    }
    if (!chosen && options_.gpu != GpuSharing::one) kernels.plans = weight_plans(kernels.kernels, *resource.gpu);
    gpus_.push_back(std::move(kernels));
  }
}

std::size_t HyperepochProblem::task_of(std::size_t epoch, std::uint64_t frame, std::size_t slot) const {
  return first_task_[epoch][frame] + slot;
}

std::optional<HyperepochProblem::PlannedKernel> HyperepochProblem::planned(const TaskInfo& info, const PlanChoice& plans) const {
  if (!info.slot) return std::nullopt;
  const auto at = kernel_at_.find({info.epoch, *info.slot});
  if (at == kernel_at_.end() || !plans[at->second.first]) return std::nullopt;
  const auto [g, k] = at->second;
  const WeightPlan& plan = gpus_[g].plans[*plans[g]];
  return PlannedKernel{&gpus_[g].kernels[k], plan.weight[k], plan.alone(gpus_[g].kernels[k], k)};
}

Time HyperepochProblem::length_of(const TaskInfo& info, const PlanChoice& plans, bool by_streams) const {
  if (!info.slot) return Time::zero();
  const Slot& slot = slots_[info.epoch].slots[*info.slot];
  const auto kernel = planned(info, plans);
  const Time own = kernel && (!kernel->alone || by_streams) ? kernel->kernel->L : wcet_alone(graph_, slot);
  if (options_.submittee == Submittee::after || !slot.submitter) return own;
  return std::max(own, length_of({info.epoch, info.frame, slot.submitter}, plans, by_streams));
}

Time HyperepochProblem::release_of(const TaskInfo& info) const {
  Time start;
  if (info.slot) {
    for (const RunnableId id : runnables_of(slots_[info.epoch].slots[*info.slot])) start = std::max(start, graph_.runnables[id].start_time);
  }
  return hyperepoch_.epochs[info.epoch].period * static_cast<std::int64_t>(info.frame) + start;
}

std::optional<Time> HyperepochProblem::deadline_of(const TaskInfo& info) const {
  const Epoch& epoch = hyperepoch_.epochs[info.epoch];
  std::optional<Time> deadline = epoch.deadline;
  if (info.slot) {
    for (const RunnableId id : runnables_of(slots_[info.epoch].slots[*info.slot])) {
      const auto& own = graph_.runnables[id].deadline;
      if (own) deadline = deadline ? std::min(*deadline, *own) : own;
    }
  }
  if (!deadline) return std::nullopt;
  return epoch.period * static_cast<std::int64_t>(info.frame) + *deadline;
}

Problem HyperepochProblem::problem(const PlanChoice& plans) const {
  Problem problem;
  problem.machines.resize(machines_.size());
  for (MachineId m = 0; m < machines_.size(); ++m) {
    if (follower_of_[machines_[m]] == m) problem.machines[m].follows = machine_of_[machines_[m]];
  }
  for (std::size_t g = 0; g < gpus_.size(); ++g) {
    if (plans[g]) problem.machines[machine_of_[gpus_[g].gpu]].capacity = gpus_[g].plans[*plans[g]].room;
  }
  for (const TaskInfo& info : tasks_) add_task(problem, info, plans);
  Wide total = hyperepoch_.period.count();
  for (const Task& task : problem.tasks) total += task.length + task.release;
  if (total > never / 4) throw UserError(fmt::format("hyperepoch '{}': its times are too long for a schedule", hyperepoch_.name));
  for (TaskId id = 0; id < tasks_.size(); ++id) add_needs(problem, id, plans);
  add_arcs(problem);
  add_loads(problem);
  require(problem.index(), "slots wait for one another without a circle");
  order_streams(problem);
  return problem;
}

void HyperepochProblem::add_task(Problem& problem, const TaskInfo& info, const PlanChoice& plans) const {
  Task task;
  task.length = length_of(info, plans, false).count();
  task.release = release_of(info).count();
  task.due = hyperepoch_.period.count();
  if (const auto deadline = deadline_of(info)) task.due = std::min(task.due, deadline->count());
  switch (options_.objective) {
    case Objective::length: task.weight = 0; break;
    case Objective::lateness: task.weight = -task.due; break;
    case Objective::end_to_end:
      task.weight = -(hyperepoch_.epochs[info.epoch].period * static_cast<std::int64_t>(info.frame)).count();
      break;
  }
  if (info.slot) {
    const Slot& slot = slots_[info.epoch].slots[*info.slot];
    for (const RunnableId id : runnables_of(slot)) task.priority = std::min(task.priority, graph_.runnables[id].priority);
    if (slot.submits) task.submittee = static_cast<TaskId>(task_of(info.epoch, info.frame, *slot.submits));
  }
  problem.tasks.push_back(task);
}

void HyperepochProblem::add_arcs(Problem& problem) const {
  const auto id_of = [&](std::size_t e, std::uint64_t k, std::size_t s) { return static_cast<TaskId>(task_of(e, k, s)); };
  for (std::size_t e = 0; e < slots_.size(); ++e) {
    const auto& slots = slots_[e].slots;
    std::vector<bool> waited_for(slots.size(), false);
    for (const Slot& slot : slots) {
      for (const std::size_t before : slot.before) waited_for[before] = true;
    }
    for (std::uint64_t k = 0; k < hyperepoch_.epochs[e].frames; ++k) {
      for (std::size_t s = 0; s < slots.size(); ++s) {
        for (const std::size_t before : slots[s].before) {
          problem.arcs.push_back({id_of(e, k, before), id_of(e, k, s), starts_together(slots[s], before, options_.submittee)});
        }
        if (sync_[e][k] && slots[s].before.empty()) problem.arcs.push_back({*sync_[e][k], id_of(e, k, s), false});
        if (k > 0 && sync_[e][k] && !waited_for[s] && !hyperepoch_.epochs[e].overlap)
          problem.arcs.push_back({id_of(e, k - 1, s), *sync_[e][k], false});
      }
    }
  }
  add_previous(problem);
}

// Runnables that wait for the frame before.
void HyperepochProblem::add_previous(Problem& problem) const {
  for (std::size_t e = 0; e < slots_.size(); ++e) {
    std::vector<std::pair<RunnableId, std::size_t>> slot_of;
    for (std::size_t s = 0; s < slots_[e].slots.size(); ++s) {
      for (const RunnableId id : runnables_of(slots_[e].slots[s])) slot_of.emplace_back(id, s);
    }
    std::ranges::sort(slot_of);
    const auto slot = [&](RunnableId id) {
      return std::ranges::lower_bound(slot_of, id, {}, &std::pair<RunnableId, std::size_t>::first)->second;
    };
    for (const auto& [id, s] : slot_of) {
      for (const RunnableId before : graph_.runnables[id].previous) {
        for (std::uint64_t k = 1; k < hyperepoch_.epochs[e].frames; ++k)
          problem.arcs.push_back({static_cast<TaskId>(task_of(e, k - 1, slot(before))), static_cast<TaskId>(task_of(e, k, s)), false});
      }
    }
  }
}

void HyperepochProblem::add_needs(Problem& problem, TaskId id, const PlanChoice& plans) const {
  const TaskInfo& info = tasks_[id];
  if (!info.slot) {
    for (const ResourceNeed& need : hyperepoch_.epochs[info.epoch].frame_sync) add_need(problem, id, need.any_of, none, plans);
    return;
  }
  const Slot& slot = slots_[info.epoch].slots[*info.slot];
  for (const ResourceNeed& need : slot.needs) {
    const ResourceKind kind = graph_.resources[need.any_of.front()].kind;
    // A submittee runs where its stream leads, which is decided with the stream.
    if (kind == ResourceKind::engine && slot.submitter && stream_need(graph_, slots_[info.epoch].slots[*slot.submitter]) != nullptr)
      continue;
    if (kind != ResourceKind::stream || !slot.submits) {
      add_need(problem, id, need.any_of, none, plans);
      continue;
    }
    const auto submittee = static_cast<TaskId>(task_of(info.epoch, info.frame, *slot.submits));
    const ChoiceId choice = add_need(problem, id, need.any_of, none, plans);
    std::vector<ResourceId> engines;
    for (const ResourceId stream : need.any_of) engines.push_back(*graph_.resources[stream].serves);
    add_need(problem, submittee, engines, choice, plans);
    Need behind{submittee, choice, {}, 1};
    for (const ResourceId stream : need.any_of) behind.machine.push_back(follower_of_[stream]);
    problem.needs.push_back(std::move(behind));
  }
}

ChoiceId HyperepochProblem::add_need(Problem& problem, TaskId id, const std::vector<ResourceId>& any_of, ChoiceId choice,
                                     const PlanChoice& plans) const {
  Need need{id, choice, {}, 1};
  for (const ResourceId r : any_of) need.machine.push_back(machine_of_[r]);
  if (choice == none && any_of.size() > 1) {
    need.choice = static_cast<ChoiceId>(problem.options.size());
    problem.options.push_back(static_cast<std::uint32_t>(any_of.size()));
  }
  const Ns capacity = problem.machines[need.machine.front()].capacity;
  if (capacity > 1) {
    const auto kernel = planned(tasks_[id], plans);
    need.demand = kernel && !kernel->alone ? kernel->weight * static_cast<Ns>(kernel->kernel->B) : capacity;
  }
  const ChoiceId decided = need.choice;
  problem.needs.push_back(std::move(need));
  return decided;
}

// What every execution of the kernels takes of the SMs, if all blocks take as long as they may.
void HyperepochProblem::add_loads(Problem& problem) const {
  for (const GpuKernels& kernels : gpus_) {
    const GpuPool& gpu = *graph_.resources[kernels.gpu].gpu;
    const analysis::fifo::Amounts capacity = analysis::fifo::sm_capacity(gpu);
    for (const analysis::fifo::Resource r : analysis::fifo::all_resources) {
      if (capacity[r] == std::numeric_limits<std::uint64_t>::max()) continue;
      Load load{1, {}, kernels.gpu, static_cast<std::size_t>(r)};
      load.capacity = checked_mul(static_cast<Wide>(capacity[r]), static_cast<Wide>(gpu.sms));
      for (std::size_t k = 0; k < kernels.of.size(); ++k) {
        const Kernel& kernel = kernels.kernels[k];
        const Wide work =
            checked_mul(checked_mul(static_cast<Wide>(kernel.demand[r]), static_cast<Wide>(kernel.B)), static_cast<Wide>(kernel.L.count()));
        const Slot& slot = slots_[kernels.of[k].epoch].slots[kernels.of[k].slot];
        // Of slots somebody smaller may have the turn, and a WCET may say that blocks overlap more than they seem to.
        if (work == 0 || slot.group || wcet_alone(graph_, slot) < time_alone(kernel, gpu)) continue;
        for (std::uint64_t f = 0; f < hyperepoch_.epochs[kernels.of[k].epoch].frames; ++f)
          load.work.emplace_back(static_cast<TaskId>(task_of(kernels.of[k].epoch, f, kernels.of[k].slot)), work);
      }
      if (load.work.empty()) continue;
      problem.loads.push_back(std::move(load));
    }
  }
}

}  // namespace rta::static_order
