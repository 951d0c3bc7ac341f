#include "rta/analysis/measured_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "rta/analysis/gpu/configuration.hpp"
#include "rta/model/error.hpp"
#include "rta/model/footprint.hpp"
#include "rta/model/kernel_switch.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/partitions.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

// Says where a GPU that is described in full has more than was measured.
void compare(const std::string& pool, const GpuPool& claimed, const GpuPool& measured, std::vector<std::string>& warnings) {
  const auto more = [&](const char* what, std::uint64_t claim, std::uint64_t measure) {
    if (claim > measure) warnings.push_back(fmt::format("pool '{}' claims {} {}, but the profile has {}", pool, claim, what, measure));
  };
  more("SMs", claimed.partition ? claimed.partition->of : claimed.sms, measured.sms);
  more("G-threads per SM", claimed.sm.threads, measured.sm.threads);
  more("G-threads per block", claimed.sm.threads_per_block, measured.sm.threads_per_block);
  more("block slots per SM", claimed.sm.blocks, measured.sm.blocks);
  if (measured.sm.shared_memory) {
    more("bytes of shared memory per SM", claimed.sm.shared_memory.value_or(*measured.sm.shared_memory), *measured.sm.shared_memory);
  }
  if (measured.sm.registers) more("registers per SM", claimed.sm.registers.value_or(*measured.sm.registers), *measured.sm.registers);
}

// Says where a block takes a larger part of an SM than on a GPU that is described in full: the measured one hands out what it has in units
// of its own. A part that is no larger than a block slot's never matters.
void compare(const std::string& pool, const Node& node, const GpuPool& claimed, const GpuPool& measured,
             std::vector<std::string>& warnings) {
  const auto& kernel = std::get<GpuDemand>(node.demand);
  const auto demand = [&](const GpuPool& gpu) {
    return fifo::block_demand(kernel.H, kernel.shared_memory, kernel.registers_per_thread, gpu);
  };
  const fifo::Amounts claim = demand(claimed);
  const fifo::Amounts claimed_sm = fifo::sm_capacity(claimed);
  const fifo::Amounts block = demand(measured);
  const fifo::Amounts sm = fifo::sm_capacity(measured);
  for (const fifo::Resource r : fifo::all_resources) {
    if (Wide{block[r]} * claimed_sm[r] <= Wide{claim[r]} * sm[r] || block[r] <= sm[r] / measured.sm.blocks) continue;
    warnings.push_back(fmt::format("node '{}': a block takes {} of an SM's {} on the profile's GPU, a larger part than on pool '{}'",
                                   node.name, to_string(r, block[r]), to_string(r, sm[r]), pool));
  }
}

std::uint32_t lesser(std::uint32_t a, std::uint32_t b) { return std::min(a, b); }
std::optional<std::uint64_t> lesser(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// What a file says of a GPU beside its `device` stays, where it is no more than was measured; what is more is warned of.
void keep_own(const std::string& pool, const GpuPool& described, GpuPool& measured, std::vector<std::string>& warnings) {
  const GpuPool& built_in = find_device(described.device)->gpu;
  GpuPool claimed = measured;
  const auto keep = [&](auto member) {
    if (member(described) != member(built_in)) member(claimed) = member(described);
  };
  const auto take_lesser = [&](auto member) { member(measured) = lesser(member(measured), member(claimed)); };
  const auto each = [&](const auto& visit) {
    if (!described.partition) visit([](auto& gpu) -> auto& { return gpu.sms; });
    visit([](auto& gpu) -> auto& { return gpu.sm.threads; });
    visit([](auto& gpu) -> auto& { return gpu.sm.threads_per_block; });
    visit([](auto& gpu) -> auto& { return gpu.sm.blocks; });
    visit([](auto& gpu) -> auto& { return gpu.sm.shared_memory; });
    visit([](auto& gpu) -> auto& { return gpu.sm.registers; });
  };
  each(keep);
  compare(pool, claimed, measured, warnings);
  each(take_lesser);
}

// A kernel that the measured GPU would refuse to launch has no bound there.
void check_launch(const Node& node, const GpuPool& measured, const DeviceLimits& limits) {
  const auto& kernel = std::get<GpuDemand>(node.demand);
  for (const LaunchFault& fault : launch_faults(kernel, measured, fmt::format("the profile's {}", limits.product))) {
    throw UserError(fmt::format("node '{}': {}: {}", node.name, key_of(fault.demand), fault.what));
  }
  // CUDA would take its nearest, which may be another kernel's.
  if (kernel.priority >= limits.priority_levels) {
    throw UserError(fmt::format("node '{}': stream priority {}, but the profile's {} has {}", node.name, kernel.priority, limits.product,
                                limits.priority_levels == 1 ? "no other than 0" : fmt::format("0 to {}", limits.priority_levels - 1)));
  }
}

// Adds blocks that weigh as much as the whole GPU works off while it switches to the kernel `times` over.
void add_switch(GpuDemand& kernel, const GpuPool& gpu, Time length, int times) {
  if (kernel.C.count() == 0) {  // a block of no length would stand for nothing
    kernel.C = Workload(kernel.H);
    kernel.L = Time(1);
  }
  const Wide lost = checked_mul(checked_mul<Wide>(length.count(), times), static_cast<Wide>(gpu.sms));
  // Under any valid weights so many blocks weigh at least 1 as fit on an empty SM: no further one fits.
  const Wide most = std::max<Wide>(1, blocks_per_sm(footprint(kernel, gpu), gpu));
  const Wide blocks = ceil_div(checked_mul(checked_mul(lost, most), static_cast<Wide>(kernel.H)), kernel.C.count());
  if (blocks > static_cast<Wide>(std::numeric_limits<std::uint32_t>::max())) throw_overflow("blocks that stand for kernel switches");
  kernel.B = checked_add(kernel.B, static_cast<decltype(kernel.B)>(blocks));
}

// How long the kernel takes alone with the switches to it. A duration that was measured contains a dispatch already, its blocks' longest
// times contain theirs.
std::optional<Time> with_switch(const GpuDemand& kernel, const GpuPool& gpu, std::optional<Time> measured, Time latency, Time switches) {
  std::optional<Time> time;
  if (measured) time = *measured + std::max(switches, latency);
  GpuDemand blocks = kernel;
  blocks.time.reset();
  if (!has_duration(blocks, gpu)) return time;
  const Time by_blocks = duration_alone(blocks, gpu) + switches;
  return std::min(time.value_or(by_blocks), by_blocks);
}

// The lowest priority among a GPU's kernels: each kernel above it may have the GPU switch back to one that is less urgent.
std::vector<StreamPriority> lowest_priorities(const TaskSet& task_set) {
  std::vector<StreamPriority> lowest(task_set.pools().size(), highest_stream_priority);
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel != nullptr) lowest[node.pool] = std::min(lowest[node.pool], kernel->priority);
    }
  }
  return lowest;
}

/// The longest slice and switch that were seen, in place of the task set's.
void set_slices(const std::string& pool, const DeviceProfile& profile, Sharing& sharing, std::vector<std::string>& warnings) {
  const Latency* const slice = profile.find_latency(time_slice_latency);
  const Latency* const change = profile.find_latency(context_switch_latency);
  if (slice == nullptr || change == nullptr) {
    warnings.push_back(
        fmt::format("pool '{}': the profile has no time slices: slice and switch are taken as the task set gives them", pool));
    return;
  }
  sharing.slice = slice->max;
  sharing.switch_time = change->max;
}

/// Says where slices of a GPU that is described in full are shorter than those that were seen.
void compare(const std::string& pool, const Sharing& claimed, const DeviceProfile& profile, std::vector<std::string>& warnings) {
  const auto shorter = [&](const char* what, Time claim, std::string_view latency) {
    const Latency* const seen = profile.find_latency(latency);
    if (seen == nullptr || claim >= seen->max) return;
    warnings.push_back(
        fmt::format("pool '{}' claims a {} of {} ns, but the profile has {} ns", pool, what, claim.count(), seen->max.count()));
  };
  shorter("slice", claimed.slice, time_slice_latency);
  shorter("switch", claimed.switch_time, context_switch_latency);
}

/// What the measured device cannot give; what it leaves as a rest is not checked.
std::optional<std::string> fault_of(const Partition& partition, std::uint32_t sms, const DeviceLimits& limits) {
  if (!partition.rest) return partition_fault(partition.kind, sms, limits.compute_capability);
  if (partition.of == limits.sms) return std::nullopt;
  return fmt::format("it has what other partitions leave of {} SMs, but the profile's {} has {}", partition.of, limits.product, limits.sms);
}

Pool measured_pool(const Pool& pool, const DeviceProfile& profile, std::vector<std::string>& warnings) {
  Pool out = pool;
  if (auto* const gpu = std::get_if<GpuPool>(&out.resource)) {
    GpuPool measured = gpu_pool(profile.limits);
    if (gpu->device.empty()) {
      compare(pool.name, *gpu, measured, warnings);
      if (gpu->sharing) compare(pool.name, *gpu->sharing, profile, warnings);
      const auto fault = gpu->partition ? fault_of(*gpu->partition, gpu->sms, profile.limits) : std::nullopt;
      if (fault) warnings.push_back(fmt::format("pool '{}': {}", pool.name, *fault));
      return out;
    }
    if (gpu->device != profile.device) {
      warnings.push_back(fmt::format("pool '{}' has device '{}', but the profile is of {}: its figures are used", pool.name, gpu->device,
                                     profile.limits.product));
    }
    keep_own(pool.name, *gpu, measured, warnings);
    measured.sharing = gpu->sharing;
    measured.interference = gpu->interference;
    if (gpu->partition) {
      if (gpu->partition->of > measured.sms) {
        throw UserError(fmt::format("pool '{}' is a partition of {} SMs, but the profile's {} has {}", pool.name, gpu->partition->of,
                                    profile.limits.product, measured.sms));
      }
      if (const auto fault = fault_of(*gpu->partition, gpu->sms, profile.limits))
        throw UserError(fmt::format("pool '{}' on the profile's {}: {}", pool.name, profile.limits.product, *fault));
      measured.sms = gpu->sms;
      measured.partition = gpu->partition;
    }
    if (measured.sharing) set_slices(pool.name, profile, *measured.sharing, warnings);
    *gpu = measured;
  } else if (auto* const engines = std::get_if<EnginePool>(&out.resource)) {
    const EnginePool measured = engine_pool(profile.limits);
    if (engines->engines > measured.engines) {
      warnings.push_back(fmt::format("pool '{}' claims {} copy engines, but the profile has {}: one is used", pool.name, engines->engines,
                                     profile.limits.copy_engines));
      *engines = measured;
    }
  }
  return out;
}

}  // namespace

OnMeasuredDevice on_measured_device(const TaskSet& task_set, const DeviceProfile& profile) {
  std::vector<std::string> warnings;
  std::vector<Pool> pools;
  for (const Pool& pool : task_set.pools()) pools.push_back(measured_pool(pool, profile, warnings));
  const Latency* const dispatch = profile.find_latency(dispatch_latency);
  if (dispatch == nullptr) warnings.emplace_back("the profile has no dispatch latency: L is taken as the task set gives it");
  const Latency* const change = profile.find_latency(kernel_switch_latency);
  if (change == nullptr) {
    warnings.emplace_back("the profile has no kernel switch: a kernel's blocks are taken to start as soon as there is room");
  }
  const bool switches = change != nullptr && change->max > Time::zero();
  const std::vector<StreamPriority> lowest = lowest_priorities(task_set);
  const GpuPool measured_gpu = gpu_pool(profile.limits);
  std::vector<Dag> dags;
  for (const Dag& dag : task_set.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel == nullptr) continue;
      const Pool& pool = task_set.pools()[node.pool];
      const auto& described = std::get<GpuPool>(pool.resource);
      check_launch(node, measured_gpu, profile.limits);
      const Time latency = dispatch != nullptr ? dispatch->max : Time::zero();
      if (!kernel->has_blocks) {
        const Time more = switches ? std::max(change->max, latency) : latency;
        GpuDemand longer = kernel_by_time(*kernel->time + more, std::get<GpuPool>(pools[node.pool].resource), kernel->priority);
        longer.alone = kernel->alone;
        longer.interference_class = kernel->interference_class;
        *kernel = longer;
        continue;
      }
      if (described.device.empty()) compare(pool.name, node, described, measured_gpu, warnings);
      const std::optional<Time> measured = kernel->time;
      if (kernel->time) kernel->time = *measured + latency;
      if (dispatch != nullptr) {
        kernel->C = kernel->C + Workload(checked_mul<Wide>(dispatch->max.count(), kernel->H));
        kernel->L = to_time(ceil_div(kernel->C.count(), kernel->H));
      }
      if (!switches) continue;
      const bool back = kernel->priority > lowest[node.pool];
      const auto& gpu = std::get<GpuPool>(pools[node.pool].resource);
      kernel->time = with_switch(*kernel, gpu, measured, latency, back ? change->max + change->max : change->max);
      if (counts_by_blocks(*kernel)) add_switch(*kernel, gpu, change->max, back ? 2 : 1);
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  std::set<std::string_view> said;  // copies of a DAG claim the same
  std::vector<std::string> once;
  for (const std::string& warning : warnings) {
    if (said.insert(warning).second) once.push_back(warning);
  }
  return {TaskSet(task_set.name(), std::move(pools), std::move(dags), task_set.chains(), task_set.requirements()), std::move(once),
          switches};
}

RuleCheck check_rules(const TaskSet& task_set, const DeviceProfile& profile) {
  std::map<Rule, std::set<PoolId>> used;
  std::map<PoolId, std::set<StreamPriority>> priorities;
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      const auto use = [&](Rule rule) { used[rule].insert(node.pool); };
      if (const auto* const kernel = std::get_if<GpuDemand>(&node.demand)) {
        for (const Rule rule : {Rule::G2, Rule::G3, Rule::X1, Rule::R1, Rule::R2, Rule::R_slots, Rule::S_grids}) use(rule);
        if (kernel->shared_memory > 0) use(Rule::R3);
        if (kernel->registers_per_thread > 0) use(Rule::R_registers);
        priorities[node.pool].insert(kernel->priority);
        if (priorities[node.pool].size() > 1) {
          for (const Rule rule : {Rule::A1, Rule::A2, Rule::S_preemption}) use(rule);
        }
      } else if (std::holds_alternative<CopyDemand>(node.demand)) {
        use(Rule::C_order);
        if (std::get<EnginePool>(task_set.pools()[node.pool].resource).engines > 1) use(Rule::C_engines);
      }
    }
  }
  RuleCheck check{profile.limits.product, profile.limits.driver, profile.date, {}, {}, {}};
  for (const auto& [rule, pools] : used) {
    RuleUse use;
    const RuleVerdict* const verdict = profile.find(rule);
    use.verdict = verdict != nullptr ? *verdict : RuleVerdict{rule, RuleState::untested, {}, "it was not examined", {}, 0, 0};
    for (const PoolId pool : pools) use.pools.push_back(task_set.pools()[pool].name);
    auto& kind = use.verdict.state == RuleState::confirmed ? check.confirmed
                 : use.verdict.state == RuleState::refuted ? check.refuted
                                                           : check.untested;
    kind.push_back(std::move(use));
  }
  return check;
}

}  // namespace rta::analysis
