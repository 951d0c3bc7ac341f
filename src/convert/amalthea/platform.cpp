#include "platform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../../io/yaml_text.hpp"
#include "../names.hpp"
#include "rta/model/device.hpp"

namespace rta::convert::amalthea {

Platform::Platform(const Model& model, const Options& options, Notes& notes) : model_(model), options_(options), notes_(notes) {
  for (const ProcessingUnit& unit : model.units) unit_named_.emplace(unit.name, &unit);
  allocate();
  for (const Task& task : model.tasks) find_units(task);
  make_pools();
}

std::string Platform::unit_names() const {
  std::string names;
  for (const ProcessingUnit& unit : model_.units) {
    if (names.size() > 200) return names + ", …";
    names += (names.empty() ? "" : ", ") + one_line(unit.name, 60);
  }
  return names.empty() ? "none" : names;
}

// What --allocate adds to the mapping model, which it does not change.
void Platform::allocate() {
  allocations_ = model_.allocations;
  const auto given = [&](const std::string& task, const std::vector<std::string>& units) {
    Allocation allocation;
    allocation.units = units;
    for (const std::string& unit : units) {
      if (!unit_named_.contains(unit))
        refuse(notes_.file(),
               fmt::format("--allocate: no processing unit is called '{}' (there are: {})", one_line(unit, 60), unit_names()));
    }
    // The scheduler that is responsible for all of them.
    for (const auto& [name, scheduler] : model_.schedulers) {
      const auto& own = scheduler.units;
      const auto has = [&own](const std::string& unit) { return std::ranges::find(own, unit) != own.end(); };
      if (std::ranges::all_of(units, has)) allocation.scheduler = name;
    }
    allocations_.emplace(task, std::move(allocation));
  };
  const std::vector<std::string>* of_others = nullptr;
  std::set<std::string> given_before;
  for (const auto& [task, units] : options_.allocate) {
    if (!given_before.insert(task).second)
      refuse(notes_.file(), fmt::format("--allocate '{}': given twice; 'UNIT,UNIT' names several units", one_line(task, 60)));
    if (task == "*") {
      of_others = &units;
      continue;
    }
    if (model_.allocations.contains(task))
      refuse(notes_.file(), fmt::format("--allocate '{}': the file says already where that task runs", one_line(task, 60)));
    if (std::ranges::find(model_.tasks, task, &Task::name) == model_.tasks.end())
      refuse(notes_.file(), fmt::format("--allocate '{}': no task has that name", one_line(task, 60)));
    given(task, units);
  }
  if (of_others == nullptr) return;
  bool any = false;
  for (const Task& task : model_.tasks) {
    if (allocations_.contains(task.name)) continue;
    given(task.name, *of_others);
    any = true;
  }
  if (!any) refuse(notes_.file(), "--allocate '*': the file, or another --allocate, says of every task where it runs");
}

std::optional<std::int64_t> Platform::priority_of(const Task& task) const {
  const auto& priority = allocation_of(task).priority;
  return priority ? priority : task.priority;
}

// The units of the task's affinity; without one, those of its scheduler.
void Platform::find_units(const Task& task) {
  const auto allocation = allocations_.find(task.name);
  if (allocation == allocations_.end()) {
    refuse(notes_.file(),
           fmt::format("task '{}' has no allocation in the mapping model: --allocate '{}=UNIT' says where it runs (there are: {})",
                       one_line(task.name, 60), one_line(task.name, 60), unit_names()),
           task.place.line, task.place.column);
  }
  const Place at = allocation->second.place;
  const auto scheduler = model_.schedulers.find(allocation->second.scheduler);
  const std::vector<std::string> none;
  const std::vector<std::string>& of_scheduler = scheduler == model_.schedulers.end() ? none : scheduler->second.units;
  std::vector<const ProcessingUnit*>& units = units_[task.name];
  for (const std::string& name : allocation->second.units.empty() ? of_scheduler : allocation->second.units) {
    const auto unit = unit_named_.find(name);
    if (unit == unit_named_.end()) {
      refuse(notes_.file(), fmt::format("task '{}': no processing unit is called '{}'", one_line(task.name, 60), one_line(name, 60)),
             at.line, at.column);
    }
    if (!of_scheduler.empty() && std::ranges::find(of_scheduler, name) == of_scheduler.end()) {
      notes_.assume(fmt::format("task '{}': its affinity to '{}' counts, though its scheduler '{}' is not responsible for that unit",
                                one_line(task.name, 60), one_line(name, 60), one_line(allocation->second.scheduler, 60)));
    }
    if (std::ranges::find(units, unit->second) == units.end()) units.push_back(unit->second);
  }
  if (units.empty()) {
    refuse(notes_.file(),
           fmt::format("task '{}': neither an affinity nor its scheduler says on which unit it runs", one_line(task.name, 60)), at.line,
           at.column);
  }
  if (std::ranges::any_of(units, [&](const ProcessingUnit* unit) { return unit->gpu != units.front()->gpu; })) {
    refuse(notes_.file(), fmt::format("task '{}' may run on a CPU and on a GPU; one of them is needed", one_line(task.name, 60)), at.line,
           at.column);
  }
}

// Units that any task may run on in common are one pool: within it jobs migrate.
std::map<PoolId, std::vector<const ProcessingUnit*>> Platform::group_units() {
  std::map<std::string, std::string> leader;
  const auto find = [&](std::string name) {
    while (leader.at(name) != name) name = leader.at(name);
    return name;
  };
  for (const auto& [task, units] : units_) {
    for (const ProcessingUnit* unit : units) {
      leader.emplace(unit->name, unit->name);
      leader[find(unit->name)] = find(units.front()->name);
    }
  }
  std::map<std::string, PoolId> pool_of_leader;
  std::map<PoolId, std::vector<const ProcessingUnit*>> members;
  for (const ProcessingUnit& unit : model_.units) {
    if (!leader.contains(unit.name)) continue;
    const auto [at, fresh] = pool_of_leader.emplace(find(unit.name), members.size());
    members[at->second].push_back(&unit);
    pool_of_unit_[unit.name] = at->second;
  }
  return members;
}

void Platform::make_pools() {
  UniqueNames names;
  refuse_two_schedulers();
  for (const auto& [id, units] : group_units()) {
    std::string name;
    for (const ProcessingUnit* unit : units) {
      if (!name.empty()) name += '-';
      name += one_word(unit->name, "unit");
    }
    DraftPool pool;
    pool.pool.name = names.unique(name == "cpu" || name == "gpu" ? name + "-pool" : one_word(name, "pool"));
    if (units.front()->gpu) {
      make_gpu(id, pool);
    } else {
      make_cpu(id, units.size(), pool);
    }
    pools_.push_back(std::move(pool));
  }
}

// How two schedulers share a unit is not said: bounds would not count what one makes the tasks of the other wait.
void Platform::refuse_two_schedulers() const {
  std::map<std::string, const Task*> first_on;
  for (const Task& task : model_.tasks) {
    const auto scheduler = model_.schedulers.find(allocation_of(task).scheduler);
    if (scheduler == model_.schedulers.end()) continue;
    const std::vector<std::string>& responsible = scheduler->second.units;
    for (const ProcessingUnit* unit : units_of(task)) {
      if (std::ranges::find(responsible, unit->name) == responsible.end()) continue;  // told
      const auto [at, fresh] = first_on.emplace(unit->name, &task);
      const Allocation &own = allocation_of(task), &other = allocation_of(*at->second);
      if (fresh || own.scheduler == other.scheduler) continue;
      refuse(notes_.file(),
             fmt::format("unit '{}' has two schedulers: '{}' of task '{}', and '{}' of task '{}'; how they share it is not said",
                         one_line(unit->name, 60), one_line(other.scheduler, 60), one_line(at->second->name, 60),
                         one_line(own.scheduler, 60), one_line(task.name, 60)),
             own.place.line, own.place.column);
    }
  }
}

void Platform::make_gpu(PoolId id, DraftPool& pool) {
  notes_.uses("device");
  const Device* const device = options_.device ? find_device(*options_.device) : nullptr;
  if (options_.device && device == nullptr) refuse(notes_.file(), fmt::format("--device '{}': no such device", *options_.device));
  GpuPool gpu;
  gpu.sm = {1, 1, 1, std::nullopt, std::nullopt};
  pool.pool.resource = device != nullptr ? device->gpu : gpu;
  std::set<std::string> tasks;
  for (const Task& task : model_.tasks) {
    if (pool_of(task) == id) tasks.insert(task.name);
  }
  pool.sharing = sharing_of(tasks);
  notes_.assume(
      fmt::format("pool '{}': a function on the GPU has it to itself; the model gives neither blocks nor threads", pool.pool.name));
}

void Platform::make_cpu(PoolId id, std::size_t processors, DraftPool& pool) {
  std::set<std::string> algorithms;
  bool all_non_preemptive = true, any_non_preemptive = false;
  for (const Task& task : model_.tasks) {
    if (pool_of(task) != id) continue;
    (void)notes_.meet(Kind::amalthea, "preemption", task.preemption.empty() ? "_undefined_" : task.preemption, task.place.line,
                      task.place.column);
    const auto scheduler = model_.schedulers.find(allocation_of(task).scheduler);
    algorithms.insert(scheduler == model_.schedulers.end() ? std::string() : scheduler->second.algorithm);
    const bool non_preemptive = task.preemption == "non_preemptive" || task.preemption == "cooperative";
    all_non_preemptive = all_non_preemptive && non_preemptive;
    any_non_preemptive = any_non_preemptive || non_preemptive;
  }
  if (algorithms.size() > 1) {
    refuse(notes_.file(), fmt::format("pool '{}': cores that tasks share have schedulers of different kinds ({}), which a pool has not",
                                      pool.pool.name, one_line(fmt::format("{}", fmt::join(algorithms, ", ")), 200)));
  }
  const std::string& algorithm = *algorithms.begin();
  pool.fixed_priority = algorithm == "FixedPriority" || algorithm == "FixedPriorityPreemptive" || algorithm == "OSEK" ||
                        algorithm == "FixedPriorityPreemptiveWithBudgetEnforcement";
  const bool edf = algorithm == "EarliestDeadlineFirst";
  if (!algorithm.empty()) (void)notes_.meet(Kind::amalthea, "scheduler of cores", algorithm);
  if (!pool.fixed_priority && !edf) {
    const Scheduler written = options_.scheduler.value_or(Scheduler::g_edf);
    if (algorithm.empty()) {
      notes_.assume(
          fmt::format("pool '{}': the model gives no scheduler; {} is written (--scheduler)", pool.pool.name, to_string(written)));
    } else {
      notes_.warn({notes_.file(), 0, 0,
                   fmt::format("pool '{}': its tasks are scheduled by '{}', which a task set does not say; {} is written, and BOUNDS HOLD "
                               "FOR THAT ORDER ALONE",
                               pool.pool.name, one_line(algorithm, 60), to_string(written))});
    }
  }
  if (options_.scheduler && (pool.fixed_priority || edf)) {
    notes_.assume(fmt::format("pool '{}': --scheduler {}, while the model schedules it by {}", pool.pool.name,
                              to_string(*options_.scheduler), pool.fixed_priority ? "fixed priorities" : "EDF"));
  }
  notes_.uses("scheduler");
  pool.pool.resource = CpuPool{static_cast<std::uint32_t>(processors), options_.scheduler.value_or(Scheduler::g_edf), !all_non_preemptive};
  if (any_non_preemptive && !all_non_preemptive)
    refuse(notes_.file(),
           fmt::format("pool '{}': some of its tasks can be preempted and others cannot; a pool of a task set has one kind, and "
                       "either would leave waiting out",
                       pool.pool.name));
  if (processors > 1) tell_of_migration(id, processors, pool.pool.name);
}

// A pool of a task set lets every job run on each of its processors.
void Platform::tell_of_migration(PoolId id, std::size_t processors, const std::string& pool) {
  notes_.assume(
      fmt::format("pool '{}': tasks of these {} cores run on any of them, as the affinity of some of them allows; jobs of one task run at "
                  "once where its bound is above its period",
                  pool, processors));
  std::string bound;
  std::size_t count = 0;
  for (const Task& task : model_.tasks) {
    if (pool_of(task) != id || units_of(task).size() == processors) continue;
    if (++count <= 6) bound += (bound.empty() ? "'" : ", '") + one_line(task.name, 60) + "'";
  }
  if (count == 0) return;
  notes_.warn({notes_.file(), 0, 0,
               fmt::format("pool '{}': {} of its tasks ({}{}) may run on some of its {} cores alone, which a pool does not say: here they "
                           "run on any, and BOUNDS MAY BE TOO LOW",
                           pool, count, bound, count > 6 ? ", …" : "", processors)});
}

std::optional<Sharing> Platform::sharing_of(const std::set<std::string>& tasks) const {
  Sharing sharing;
  bool shared = false;
  for (const std::string& task : tasks) {
    const Allocation& allocation = allocations_.at(task);
    const auto scheduler = model_.schedulers.find(allocation.scheduler);
    const auto& slice = allocation.slice                       ? allocation.slice
                        : scheduler == model_.schedulers.end() ? allocation.slice
                                                               : scheduler->second.slice;
    if (!slice) continue;
    shared = true;
    sharing.slice = std::max(sharing.slice.value_or(*slice), *slice);
  }
  return shared ? std::optional(sharing) : std::nullopt;
}

PoolId Platform::copy_pool_of(const Task& task) {
  const std::string& unit = units_of(task).front()->name;
  const auto [at, fresh] = copy_pool_of_unit_.emplace(unit, pools_.size());
  if (fresh) {
    DraftPool pool;
    pool.pool = {copy_pool_of_unit_.size() == 1 ? "copy" : one_word("copy-" + unit, "copy"), EnginePool{1}};
    pools_.push_back(std::move(pool));
    notes_.assume(fmt::format("GPU '{}' has one copy engine, which the model does not say", one_line(unit, 60)));
  }
  return at->second;
}

GpuDemand Platform::whole_gpu(const Task& task, Time time) const {
  const auto& gpu = std::get<GpuPool>(pools_[pool_of(task)].pool.resource);
  GpuDemand demand;
  demand.H = std::min(gpu.sm.threads, gpu.sm.threads_per_block);
  demand.B = std::uint64_t{gpu.sms} * std::max<std::uint32_t>(gpu.sm.threads / demand.H, 1);
  demand.L = time;
  demand.C = Workload(static_cast<Wide>(time.count()) * demand.H);
  return demand;
}

Wide Platform::frequency_of(const ProcessingUnit& unit, const Place& place) const {
  const auto at = model_.frequencies.find(unit.frequency_domain);
  if (at != model_.frequencies.end()) return at->second;
  refuse(notes_.file(), fmt::format("processing unit '{}' has no frequency, so that its ticks are no time", one_line(unit.name, 60)),
         place.line, place.column);
}

Platform::Cost Platform::cost_of(const Task& task, const TicksByUnit& ticks, const Place& place) const {
  Cost cost;
  constexpr Wide second = 1'000'000'000;
  for (const ProcessingUnit* unit : units_of(task)) {
    auto at = ticks.find(unit->definition);
    if (at == ticks.end()) at = ticks.find("");
    if (at == ticks.end()) return {};
    if (!at->second.most) {
      refuse(notes_.file(), fmt::format("ticks on '{}' have no upper bound", one_line(unit->definition, 60)), place.line, place.column);
    }
    const Wide hertz = frequency_of(*unit, place);
    const auto time = [&](Wide count) { return to_time(ceil_div(count * second, hertz)); };
    const Time most = time(*at->second.most);
    const Time least = time(std::min(at->second.least.value_or(0), *at->second.most));
    cost.least = cost.known ? std::min(cost.least, least) : least;
    if (!cost.known || most > cost.most)
      cost.average = at->second.average ? std::optional(std::min(time(*at->second.average), most)) : std::nullopt;
    cost.most = cost.known ? std::max(cost.most, most) : most;
    cost.known = true;
  }
  return cost;
}

std::optional<Time> Platform::access_time(const Task& task, const LabelAccess& access) const {
  const auto size = model_.labels.find(access.label);
  const auto memory = model_.memory_of_label.find(access.label);
  if (size == model_.labels.end()) return std::nullopt;
  std::optional<Time> longest;
  for (const ProcessingUnit* unit : units_of(task)) {
    for (const Access& path : unit->accesses) {
      if (memory != model_.memory_of_label.end() && path.memory != memory->second) continue;
      std::optional<Wide> latency;
      if (access.reads) latency = path.read_latency;
      if (access.writes && path.write_latency) latency = std::max(latency.value_or(0), *path.write_latency);
      constexpr Wide second = 1'000'000'000;
      const Wide wait = latency ? ceil_div(*latency * second, frequency_of(*unit, task.place)) : 0;
      std::optional<Time> time;
      if (path.data_rate) {
        time = to_time(ceil_div(size->second * second, *path.data_rate) + wait);
      } else if (options_.access_size && latency) {
        time = to_time(ceil_div(size->second, static_cast<Wide>(*options_.access_size)) * wait);
        notes_.uses("access-size");
      }
      if (time && (!longest || *time > *longest)) longest = time;
    }
  }
  return longest;
}

}  // namespace rta::convert::amalthea
