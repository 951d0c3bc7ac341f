#include "rta/analysis/fifo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "in_words.hpp"

namespace rta::analysis::fifo {
namespace {

// The guarantee of T5 holds for configurations that are short of G-threads; this names one that is short of something else before
// `guaranteed` G-threads are in use. Empty: none.
std::string other_resource_binds(std::span<const Task> tasks, const GpuPool& gpu, std::uint64_t guaranteed) {
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
  }
  if (!suspect) return {};
  const DemandClasses classes = classify(demand);
  const Sm sm(capacity, classes.demand);
  std::vector<Wide> threads;
  threads.reserve(classes.demand.size());
  for (const Amounts& d : classes.demand) threads.push_back(static_cast<Wide>(d[Resource::threads]));
  for (Resource r : sm.binding()) {
    if (r == Resource::threads) continue;
    const auto least = sm.least_blocking<Wide>(threads, r);
    if (!least || least->value >= static_cast<Wide>(guaranteed)) continue;
    return fmt::format(
        "{} can bind first: with {} on an SM no block of task #{} fits, while only {} of {} G-threads are in use; Theorem 4.3 (T5) needs "
        "at least {}",
        to_string(r), blocks_in_words(least->configuration, classes.of), first_of(classes.of, least->blocked), least->value, gpu.sm.threads,
        guaranteed);
  }
  return {};
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

std::string does_not_fit(std::span<const Task> tasks, const GpuPool& gpu) {
  if (gpu.sms == 0) return "the GPU has no SM";
  const Amounts capacity = sm_capacity(gpu);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Amounts demand = block_demand(tasks[i], gpu);
    for (Resource r : all_resources) {
      if (demand[r] <= capacity[r]) continue;
      return fmt::format("a block of task #{} can never start: it takes {}, and an SM has {}", i, to_string(r, demand[r]),
                         to_string(r, capacity[r]));
    }
  }
  return {};
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
  if (std::string reason = does_not_fit(tasks, gpu); !reason.empty()) return Unbounded{std::move(reason)};
  if (std::any_of(tasks.begin(), tasks.end(), [&](const Task& t) { return t.priority != tasks.front().priority; })) {
    return Unbounded{"kernels of two stream priorities share the GPU; Theorem 4.3 (T5) assumes one FIFO (T7 covers priorities)"};
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
  if (std::string reason = other_resource_binds(tasks, gpu, guaranteed); !reason.empty()) return Unbounded{std::move(reason)};

  const auto g = static_cast<Wide>(gpu.sms);
  terms.capacity = g * guaranteed;
  const Utilization U = utilization(tasks);
  if (U.compare(terms.capacity) > 0) {
    return Unbounded{fmt::format("U = {} exceeds the capacity {} = {} x ({} - {} + {}) G-threads by {}", U.text(), terms.capacity, gpu.sms,
                                 m, terms.H_max, terms.h, U.text(terms.capacity))};
  }
  terms.carry = Workload(checked_mul(static_cast<Wide>(terms.L_max.count()), g * m - terms.H_max));
  for (const Task& t : tasks) terms.released += Workload(released(t, t.C.count()));
  const Workload backlog = terms.carry + terms.released;
  bounds.R.reserve(tasks.size());
  for (const Task& t : tasks) bounds.R.push_back(to_time(ceil_div((backlog - t.C).count(), terms.capacity)) + t.L);
  return bounds;
}

std::vector<std::string> explain(std::span<const Task> tasks, const GpuPool& gpu, const Theorem43Bounds& bounds, std::size_t k) {
  const Theorem43Terms& terms = bounds.terms;
  const Task task = rounded_to_warps(tasks[k], gpu);
  return {
      "T5 (Theorem 4.3): R_k = (L_max (g m - H_max) + sum B_i C_i - C_k) / (g (m - H_max + h)) + L_k",
      fmt::format("g = {} SMs, m = {} G-threads each, H_max = {}, h = {}, L_max = {} ns", gpu.sms, gpu.sm.threads, terms.H_max, terms.h,
                  terms.L_max.count()),
      fmt::format("capacity g (m - H_max + h) = {} x ({} - {} + {}) = {} G-threads; U = {}", gpu.sms, gpu.sm.threads, terms.H_max, terms.h,
                  terms.capacity, utilization(tasks).text()),
      fmt::format("carried over: L_max (g m - H_max) = {} x ({} x {} - {}) = {} G-thread x ns", terms.L_max.count(), gpu.sms,
                  gpu.sm.threads, terms.H_max, terms.carry.count()),
      fmt::format("released: sum B_i C_i (1 + J_i / T_i) = {} G-thread x ns", terms.released.count()),
      fmt::format("R_k = ({} + {} - {}) / {} + {} = {} ns", terms.carry.count(), terms.released.count(), task.C.count(), terms.capacity,
                  task.L.count(), bounds.R[k].count()),
  };
}

}  // namespace rta::analysis::fifo
