#include "yaml_text.hpp"

#include <algorithm>
#include <array>

#include "fields.hpp"
#include "interference_reader.hpp"
#include "rta/model/device.hpp"
#include "rta/model/error.hpp"

namespace rta::io {
namespace {

// In the largest unit of which it is a whole number.
std::string quantity_text(std::uint64_t count, std::span<const Unit> units) {
  const auto fits = [count](const Unit& unit) { return count % static_cast<std::uint64_t>(unit.size) == 0; };
  const Unit& unit = count == 0 ? units.front() : *std::find_if(units.rbegin(), units.rend(), fits);
  const fmt::format_int digits(count / static_cast<std::uint64_t>(unit.size));
  std::string text(digits.data(), digits.size());
  text += ' ';
  text += unit.name;
  return text;
}

void add_resources(FlowMapping& out, const GpuPool& pool, const GpuPool& defaults) {
  const auto limit = [](const std::optional<std::uint64_t>& value, auto text) { return value ? text(*value) : std::string("unlimited"); };
  if (pool.sm.threads_per_block != defaults.sm.threads_per_block) out.add_number("threads_per_block", pool.sm.threads_per_block);
  if (pool.sm.blocks != defaults.sm.blocks) out.add_number("blocks", pool.sm.blocks);
  if (pool.sm.shared_memory != defaults.sm.shared_memory) out.add("shared_memory", limit(pool.sm.shared_memory, size_text));
  const auto count_text = [](std::uint64_t count) { return fmt::format("{}", count); };
  if (pool.sm.registers != defaults.sm.registers) out.add("registers", limit(pool.sm.registers, count_text));
  const LaunchLimits& launch = pool.launch;
  if (launch.shared_memory != defaults.launch.shared_memory) out.add("shared_memory_per_block", limit(launch.shared_memory, size_text));
  if (launch.registers_per_block != defaults.launch.registers_per_block) {
    out.add("registers_per_block", limit(launch.registers_per_block, count_text));
  }
  if (launch.registers_per_thread != defaults.launch.registers_per_thread) {
    out.add("registers_per_thread", limit(launch.registers_per_thread, count_text));
  }
  const Allocation& unit = pool.allocation;
  const Allocation& standard = defaults.allocation;
  if (unit.warp != standard.warp) out.add_number("warp", unit.warp);
  if (unit.shared_memory != standard.shared_memory) out.add("shared_memory_unit", size_text(unit.shared_memory));
  if (unit.reserved_shared_memory != standard.reserved_shared_memory) {
    out.add("shared_memory_reserved", size_text(unit.reserved_shared_memory));
  }
  if (unit.registers_per_warp != standard.registers_per_warp) out.add_number("register_unit", unit.registers_per_warp);
  if (unit.register_parts != standard.register_parts) out.add_number("register_parts", unit.register_parts);
}

void add_sharing(FlowMapping& out, const GpuPool& pool) {
  if (!pool.sharing) return;
  FlowMapping slices;
  slices.add("slice", time_text(pool.sharing->slice)).add("switch", time_text(pool.sharing->switch_time));
  out.add("sharing", slices.text());
}

void add_partitions(FlowMapping& out, std::span<const Pool> partitions) {
  if (partitions.empty()) return;
  FlowMapping parts;
  std::string rest;
  for (const Pool& pool : partitions) {
    const auto& gpu = std::get<GpuPool>(pool.resource);
    if (gpu.partition->rest) {
      rest = word(gpu.partition->name);
      continue;
    }
    FlowMapping one;
    one.add_number("sms", gpu.sms).add("kind", to_string(gpu.partition->kind));
    parts.add(word(gpu.partition->name), one.text());
  }
  out.add("partitions", parts.text());
  if (!rest.empty()) out.add("rest", rest);
}

void add_interference(FlowMapping& out, const GpuPool& pool) {
  if (pool.interference) out.add("interference", interference_text(*pool.interference));
}

void add_class(FlowMapping& out, const GpuDemand& kernel, const GpuPool& gpu) {
  if (kernel.interference_class) out.add("class", word(gpu.interference->classes.at(*kernel.interference_class)));
}

std::string gpu_text(const GpuPool& pool, std::span<const Pool> partitions) {
  FlowMapping out;
  if (pool.device.empty()) {
    GpuPool defaults;
    defaults.sm.threads_per_block = std::min(defaults.sm.threads_per_block, pool.sm.threads);
    out.add_number("sms", pool.sms).add_number("threads", pool.sm.threads);
    add_resources(out, pool, defaults);
    add_sharing(out, pool);
    add_partitions(out, partitions);
    add_interference(out, pool);
    return out.text();
  }
  const Device* const device = find_device(pool.device);
  if (device == nullptr) throw UserError("the task set cannot be written: no device is called '" + pool.device + "'");
  out.add("device", pool.device);
  if (pool.sms != device->gpu.sms) out.add_number("sms", pool.sms);
  if (pool.sm.threads != device->gpu.sm.threads) out.add_number("threads", pool.sm.threads);
  add_resources(out, pool, device->gpu);
  add_sharing(out, pool);
  add_partitions(out, partitions);
  add_interference(out, pool);
  return out.text();
}

}  // namespace

std::string time_text(Time time) { return quantity_text(static_cast<std::uint64_t>(time.count()), time_units); }
std::string size_text(std::uint64_t bytes) { return quantity_text(bytes, size_units); }

bool is_plain(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  static constexpr std::array<std::string_view, 3> nulls{"null", "Null", "NULL"};
  return !text.empty() && (letter(text.front()) || digit(text.front())) && std::find(nulls.begin(), nulls.end(), text) == nulls.end() &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c) || c == '.' || c == '-' || c == '/'; });
}

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string word(std::string_view name) {
  if (const auto fault = name_fault(name)) throw UserError("the task set cannot be written: " + *fault);
  return is_plain(name) ? std::string(name) : double_quoted(name);
}

std::string resource_text(const Pool& pool, std::span<const Pool> partitions) {
  FlowMapping out;
  switch (pool.kind()) {
    case PoolKind::cpu: {
      const auto& cpu = std::get<CpuPool>(pool.resource);
      out.add_number("processors", cpu.processors).add("scheduler", to_string(cpu.scheduler));
      if (!cpu.preemptive) out.add("preemptive", "false");
      if (cpu.scheduler == Scheduler::fp && cpu.equals != usual_equals(cpu.processors)) out.add("equals", to_string(cpu.equals));
      if (cpu.simultaneous != Simultaneous::any_order) out.add("simultaneous", to_string(cpu.simultaneous));
      if (cpu.callbacks) out.add("callbacks", "true");
      if (cpu.reservation) {
        FlowMapping reserved;
        reserved.add("runtime", time_text(cpu.reservation->runtime)).add("period", time_text(cpu.reservation->period));
        out.add("reservation", reserved.text());
      }
      return out.text();
    }
    case PoolKind::gpu: return gpu_text(std::get<GpuPool>(pool.resource), partitions);
    case PoolKind::engines: return out.add_number("engines", std::get<EnginePool>(pool.resource).engines).text();
    case PoolKind::workers: {
      const auto& workers = std::get<WorkerPool>(pool.resource);
      out.add_number("workers", workers.workers);
      if (workers.dispatch_overhead != Time::zero()) out.add("dispatch_overhead", time_text(workers.dispatch_overhead));
      return out.text();
    }
  }
  return {};
}

std::string piece_text(const std::string& longest, const std::optional<Variation>& variation, Wide H, bool alone) {
  if (!variation) return alone ? "{alone: " + longest + "}" : longest;
  const auto text = [H](Time time) { return H == 1 ? time_text(time) : to_string(time.count() * H) + " ns"; };
  FlowMapping out;
  out.add(alone ? "alone" : "max", longest).add("min", text(variation->least));
  if (variation->mode) out.add("mode", text(*variation->mode));
  return out.text();
}

void add_demand(FlowMapping& out, const GpuDemand& demand, const GpuPool& gpu, std::string_view node,
                const std::optional<Variation>& variation) {
  const auto add_priority = [&] {
    if (demand.priority != low_priority) out.add("priority", stream_priority_text(demand.priority));
  };
  if (!demand.has_blocks) {
    out.add("time", piece_text(time_text(*demand.time), variation, 1, demand.alone));
    add_class(out, demand, gpu);
    add_priority();
    return;
  }
  if (demand.H % gpu.allocation.warp != 0) {
    throw UserError(fmt::format("the task set cannot be written: H of node '{}' is no whole number of warps", node));
  }
  out.add_number("B", demand.B).add_number("H", demand.H);
  const auto H = static_cast<Wide>(demand.H);
  // A block lasts no longer than its kernel: an L of so much need not be said.
  const bool time_alone = demand.time == demand.L && demand.C.count() == static_cast<Wide>(demand.L.count()) * H;
  if (time_alone) {
    out.add("time", piece_text(time_text(demand.L), variation, 1, demand.alone));
  } else if (demand.C.count() == static_cast<Wide>(demand.L.count()) * H) {
    out.add("L", piece_text(time_text(demand.L), variation, 1, demand.alone));
  } else if (demand.L.count() == ceil_div(demand.C.count(), H)) {
    out.add("C", piece_text(to_string(demand.C.count()) + " ns", variation, H, demand.alone)).add("per", "block");
  } else {
    throw UserError(fmt::format("the task set cannot be written: node '{}' has L other than C/H", node));
  }
  if (demand.time && !time_alone) out.add("time", piece_text(time_text(*demand.time), std::nullopt, 1, demand.alone));
  if (demand.shared_memory != 0) out.add("shared_memory", size_text(demand.shared_memory));
  if (demand.registers_per_thread != 0) out.add_number("registers", demand.registers_per_thread);
  if (demand.cluster > 1) out.add_number("cluster", demand.cluster);
  if (demand.cooperative) out.add("cooperative", "true");
  add_class(out, demand, gpu);
  add_priority();
}

}  // namespace rta::io
