#include "rta/analysis/gpu/fifo.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "rta/model/error.hpp"
#include "rta/model/footprint.hpp"

namespace rta::analysis::fifo {
namespace {

/// A configuration that stands for its classes by the first task of each.
BlockingConfiguration in_tasks(const LeastBlocking<Wide>& least, std::span<const std::uint32_t> class_of, std::uint32_t threads) {
  const auto first = [&](std::size_t c) {
    return static_cast<std::size_t>(std::find(class_of.begin(), class_of.end(), c) - class_of.begin());
  };
  BlockingConfiguration result;
  for (std::size_t c = 0; c < least.configuration.size(); ++c) {
    if (least.configuration[c] > 0) result.residents.push_back({first(c), least.configuration[c]});
  }
  result.threads_in_use = least.value;
  result.threads_unused = static_cast<Wide>(threads) - least.value;
  result.binds = least.binds;
  result.blocked = first(least.blocked);
  return result;
}

/// The guarantee of T5 holds for configurations that are short of G-threads; this names one that is short of something else before
/// `guaranteed` G-threads are in use.
std::optional<Reason> other_resource_binds(std::span<const Task> tasks, const GpuPool& gpu, std::uint64_t guaranteed) {
  const Amounts capacity = sm_capacity(gpu);
  std::vector<Amounts> demand(tasks.size());
  bool suspect = false;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Amounts& d = demand[i] = block_demand(tasks[i], gpu);
    for (Resource r : all_resources) {
      // Relative to the SM no block asks for more of r than of G-threads: r never binds first. All are at most 2^64 x 2^32.
      suspect =
          suspect || static_cast<Wide>(d[r]) * gpu.sm.threads > static_cast<Wide>(d[Resource::threads]) * static_cast<Wide>(capacity[r]);
    }
    suspect = suspect || (gpu.allocation.register_parts > 1 && d[Resource::registers] > 0);
  }
  if (!suspect) return std::nullopt;
  const DemandClasses classes = classify(demand);
  const Sm sm(gpu, classes.demand);
  std::vector<Wide> threads;
  threads.reserve(classes.demand.size());
  for (const Amounts& d : classes.demand) threads.push_back(static_cast<Wide>(d[Resource::threads]));
  for (Resource r : sm.binding()) {
    if (r == Resource::threads) continue;
    const auto least = sm.least_blocking<Wide>(threads, r);
    if (!least || least->value >= static_cast<Wide>(guaranteed)) continue;
    LeastBlocking<Wide> first = *least;
    first.binds = r;
    return reason::OtherResourceBinds{in_tasks(first, classes.of, gpu.sm.threads), static_cast<Wide>(guaranteed)};
  }
  return std::nullopt;
}

}  // namespace

Task rounded_to_warps(Task task, const GpuPool& gpu) {
  const std::uint32_t warp = std::max<std::uint32_t>(gpu.allocation.warp, 1);
  if (task.H % warp == 0) return task;
  const auto H = static_cast<Wide>(ceil_div(task.H, warp)) * warp;
  if (H > std::numeric_limits<std::uint32_t>::max()) throw_overflow("block size");
  task.C = Workload(ceil_div(checked_mul(task.C.count(), H), task.H));
  task.H = static_cast<std::uint32_t>(H);
  return task;
}

Amounts block_demand(const Task& task, const GpuPool& gpu) {
  return block_demand(task.H, task.shared_memory, task.registers_per_thread, gpu);
}

std::optional<reason::DoesNotFit> does_not_fit(std::span<const Task> tasks, const GpuPool& gpu) {
  require(gpu.sms > 0, "a GPU has an SM");
  const Amounts capacity = sm_capacity(gpu);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Amounts demand = block_demand(tasks[i], gpu);
    for (Resource r : all_resources) {
      if (demand[r] > capacity[r]) return reason::DoesNotFit{i, r, demand[r], capacity[r]};
    }
    const Footprint block = footprint(tasks[i].H, tasks[i].shared_memory, tasks[i].registers_per_thread, gpu);
    const auto warps = warps_with_registers(block.registers / block.warps, gpu);
    if (warps && *warps < block.warps) {
      const auto in_parts = static_cast<std::uint64_t>(*warps * (block.registers / block.warps));
      return reason::DoesNotFit{i, Resource::registers, demand[Resource::registers], in_parts};
    }
  }
  return std::nullopt;
}

Utilization utilization(std::span<const Task> tasks) {
  Utilization U;
  for (const Task& t : tasks) U.add(checked_mul(t.C.count(), static_cast<Wide>(t.B)), t.T.count());
  return U;
}

Wide released(const Task& task, Wide amount) {
  const Wide once = checked_mul(amount, static_cast<Wide>(task.B));
  if (task.J == Time::zero()) return once;
  return checked_add(once, ceil_div(checked_mul(once, static_cast<Wide>(task.J.count())), task.T.count()));
}

// T5
Result<Theorem43Bounds> theorem_4_3(std::span<const Task> given, const GpuPool& gpu) {
  Theorem43Bounds bounds;
  if (given.empty()) return bounds;
  std::vector<Task> tasks;
  tasks.reserve(given.size());
  for (const Task& t : given) tasks.push_back(rounded_to_warps(t, gpu));
  if (const auto misfit = does_not_fit(tasks, gpu)) return *misfit;
  if (std::any_of(tasks.begin(), tasks.end(), [&](const Task& t) { return t.priority != tasks.front().priority; })) {
    return reason::TwoPriorities{};
  }

  Theorem43Terms& terms = bounds.terms;
  const std::uint32_t m = gpu.sm.threads;
  terms.h = m;
  for (const Task& t : tasks) {
    terms.H_max = std::max(terms.H_max, t.H);
    terms.h = std::gcd(terms.h, t.H);
    terms.L_max = std::max(terms.L_max, t.L);
  }
  const std::uint32_t guaranteed = m - terms.H_max + terms.h;  // G-threads in use on an SM that blocks
  if (auto other = other_resource_binds(tasks, gpu, guaranteed)) return *std::move(other);

  const auto g = static_cast<Wide>(gpu.sms);
  terms.capacity = g * guaranteed;
  const Utilization U = utilization(tasks);
  if (U.compare(terms.capacity) > 0) {
    return reason::Theorem43Overload{U, gpu.sms, m, terms.H_max, terms.h};
  }
  terms.carry = Workload(checked_mul(static_cast<Wide>(terms.L_max.count()), g * m - terms.H_max));
  for (const Task& t : tasks) terms.released += Workload(released(t, t.C.count()));
  const Workload backlog = terms.carry + terms.released;
  bounds.R.reserve(tasks.size());
  for (const Task& t : tasks) bounds.R.push_back(to_time(ceil_div((backlog - t.C).count(), terms.capacity)) + t.L);
  return bounds;
}

}  // namespace rta::analysis::fifo
