#include "rta/io/canonical_json.hpp"

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string_view>

#include "fields.hpp"
#include "history_edges.hpp"
#include "interference_reader.hpp"
#include "requirement_names.hpp"
#include "rta/model/device.hpp"
#include "rta/model/error.hpp"
#include "shared_gpus.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

std::string text(std::string_view name) {
  if (const auto fault = name_fault(name)) throw UserError("the task set cannot be written: " + *fault);
  return double_quoted(name);
}

// `{"a": 1, "b": 2}`, key by key.
class Object {
 public:
  Object& add(std::string_view key, std::string_view json) {
    fmt::format_to(std::back_inserter(text_), "{}\"{}\": {}", text_.empty() ? "" : ", ", key, json);
    return *this;
  }
  Object& add(std::string_view key, std::uint64_t number) { return add(key, fmt::format("{}", number)); }
  Object& add(std::string_view key, Time time) { return add(key, fmt::format("{}", time.count())); }
  Object& add_text(std::string_view key, std::string_view value) { return add(key, double_quoted(value)); }
  Object& add_size(std::string_view key, std::uint64_t bytes) { return add_text(key, fmt::format("{} B", bytes)); }
  Object& add_flag(std::string_view key, bool value) { return add(key, value ? "true" : "false"); }
  [[nodiscard]] std::string json() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string json_of(const Partition& partition, std::uint32_t sms) {
  return Object().add("sms", sms).add_text("kind", to_string(partition.kind)).json();
}

// `"partitions": {…}, "rest": …`
void add_partitions(Object& out, std::span<const Pool> partitions) {
  if (partitions.empty()) return;
  std::string parts, rest;
  for (const Pool& pool : partitions) {
    const auto& gpu = std::get<GpuPool>(pool.resource);
    if (gpu.partition->rest) {
      rest = text(gpu.partition->name);
    } else {
      parts += fmt::format("{}{}: {}", parts.empty() ? "" : ", ", text(gpu.partition->name), json_of(*gpu.partition, gpu.sms));
    }
  }
  out.add("partitions", "{" + parts + "}");
  if (!rest.empty()) out.add("rest", rest);
}

std::string json_of(const GpuPool& pool, std::span<const Pool> partitions) {
  Object out;
  if (!pool.device.empty()) out.add_text("device", pool.device);
  out.add("sms", pool.sms)
      .add("threads", pool.sm.threads)
      .add("threads_per_block", pool.sm.threads_per_block)
      .add("blocks", pool.sm.blocks);
  const auto add_size = [&](std::string_view key, const std::optional<std::uint64_t>& limit) {
    limit ? out.add_size(key, *limit) : out.add_text(key, "unlimited");
  };
  const auto add_count = [&](std::string_view key, const std::optional<std::uint64_t>& limit) {
    limit ? out.add(key, *limit) : out.add_text(key, "unlimited");
  };
  add_size("shared_memory", pool.sm.shared_memory);
  add_count("registers", pool.sm.registers);
  add_size("shared_memory_per_block", pool.launch.shared_memory);
  add_count("registers_per_block", pool.launch.registers_per_block);
  add_count("registers_per_thread", pool.launch.registers_per_thread);
  const Allocation& unit = pool.allocation;
  out.add("warp", unit.warp)
      .add_size("shared_memory_unit", unit.shared_memory)
      .add_size("shared_memory_reserved", unit.reserved_shared_memory);
  out.add("register_unit", unit.registers_per_warp);
  // As the device has them, or one: so what was recorded of a task set before there were parts is of the same one.
  const Device* const device = find_device(pool.device);
  if (unit.register_parts != (device != nullptr ? device->gpu : GpuPool{}).allocation.register_parts)
    out.add("register_parts", unit.register_parts);
  if (pool.sharing) out.add("sharing", Object().add("slice", pool.sharing->slice).add("switch", pool.sharing->switch_time).json());
  add_partitions(out, partitions);
  if (pool.interference) out.add("interference", interference_json(*pool.interference));
  return out.json();
}

std::string json_of(const Pool& pool, std::span<const Pool> partitions) {
  switch (pool.kind()) {
    case PoolKind::cpu: {
      const auto& cpu = std::get<CpuPool>(pool.resource);
      Object out;
      out.add("processors", cpu.processors).add_text("scheduler", to_string(cpu.scheduler)).add_flag("preemptive", cpu.preemptive);
      if (cpu.scheduler == Scheduler::fp) out.add_text("equals", to_string(cpu.equals));
      if (cpu.simultaneous != Simultaneous::any_order) out.add_text("simultaneous", to_string(cpu.simultaneous));
      if (cpu.callbacks) out.add_flag("callbacks", true);
      if (cpu.reservation)
        out.add("reservation", Object().add("runtime", cpu.reservation->runtime).add("period", cpu.reservation->period).json());
      return out.json();
    }
    case PoolKind::gpu: return json_of(std::get<GpuPool>(pool.resource), partitions);
    case PoolKind::engines: return Object().add("engines", std::get<EnginePool>(pool.resource).engines).json();
    case PoolKind::workers: {
      const auto& workers = std::get<WorkerPool>(pool.resource);
      return Object().add("workers", workers.workers).add("dispatch_overhead", workers.dispatch_overhead).json();
    }
  }
  return {};
}

// The worst case, or with the range in which it varies; in multiples of H.
std::string piece(Wide worst, const std::optional<Variation>& variation, Wide H = 1, bool alone = false) {
  if (!variation) return alone ? Object().add("alone", to_string(worst)).json() : to_string(worst);
  Object out;
  out.add(alone ? "alone" : "max", to_string(worst)).add("min", to_string(variation->least.count() * H));
  if (variation->mode) out.add("mode", to_string(variation->mode->count() * H));
  return out.json();
}

void add_kernel(Object& out, const Node& node, const GpuPool& gpu) {
  const auto& kernel = std::get<GpuDemand>(node.demand);
  FlowMapping refusing;
  add_demand(refusing, kernel, gpu, node.name, node.variation);  // refuses what no file can say
  const auto H = static_cast<Wide>(kernel.H);
  if (!kernel.has_blocks) {
    out.add("time", piece(kernel.time->count(), node.variation, 1, kernel.alone));
  } else {
    out.add("B", kernel.B).add("H", kernel.H);
    const bool in_whole_times = kernel.C.count() == kernel.L.count() * H;
    const bool time_alone = in_whole_times && kernel.time == kernel.L;
    if (time_alone) {
      out.add("time", piece(kernel.L.count(), node.variation, 1, kernel.alone));
    } else if (in_whole_times) {
      out.add("L", piece(kernel.L.count(), node.variation, 1, kernel.alone));
    } else {
      out.add("C", piece(kernel.C.count(), node.variation, H, kernel.alone));
      if (kernel.time) out.add_text("per", "block");
    }
    if (kernel.time && !time_alone) out.add("time", piece(kernel.time->count(), std::nullopt, 1, kernel.alone));
    out.add_size("shared_memory", kernel.shared_memory).add("registers", kernel.registers_per_thread);
    if (kernel.cluster > 1) out.add("cluster", kernel.cluster);
    if (kernel.cooperative) out.add_flag("cooperative", true);
  }
  if (kernel.interference_class) out.add_text("class", gpu.interference->classes.at(*kernel.interference_class));
  const std::string priority = stream_priority_text(kernel.priority);
  if (kernel.priority > high_priority) {
    out.add("priority", priority);
  } else {
    out.add_text("priority", priority);
  }
}

std::string list_of(const RequirementNames::Names& names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + text(name);
  return "[" + list + "]";
}

void add_requirement(Object& out, const RequirementNames::Names& names) {
  if (!names.empty()) out.add("requirement", list_of(names));
}

void add_after(Object& out, const Dag& dag, std::span<const HistoryEdge> after) {
  std::string list;
  for (const HistoryEdge& edge : after) {
    Object one;
    one.add("node", text(dag.nodes()[edge.from].name)).add("jobs", std::uint64_t{edge.jobs});
    list += (list.empty() ? "" : ", ") + one.json();
  }
  if (!after.empty()) out.add("after", "[" + list + "]");
}

std::string json_of(const Dag& dag, const Node& node, const Pool& pool, std::span<const HistoryEdge> after,
                    const RequirementNames::Names& requirements) {
  Object out;
  const Sharing* const sharing = sharing_of(pool);
  out.add("on", text(sharing != nullptr ? sharing->gpu : pool.name));
  if (sharing != nullptr && !sharing->process.empty()) out.add("process", text(sharing->process));
  switch (static_cast<PoolKind>(node.demand.index())) {
    case PoolKind::cpu: {
      const auto& job = std::get<CpuDemand>(node.demand);
      out.add("C", piece(job.C.count(), node.variation));
      if (job.priority) out.add("priority", std::uint64_t{*job.priority});
      break;
    }
    case PoolKind::gpu: add_kernel(out, node, std::get<GpuPool>(pool.resource)); break;
    case PoolKind::engines: {
      const auto& copy = std::get<CopyDemand>(node.demand);
      out.add("C", piece(copy.C.count(), node.variation));
      if (copy.direction) out.add_text("direction", *copy.direction == Direction::h2d ? "h2d" : "d2h");
      break;
    }
    case PoolKind::workers: {
      const auto& items = std::get<WorkerDemand>(node.demand);
      out.add("B", items.B).add("L", piece(items.L.count(), node.variation));
      break;
    }
  }
  if (node.deadline) out.add("D", *node.deadline);
  out.add_flag("sequential", node.sequential);
  if (!node.group.empty()) out.add("group", text(node.group));
  if (!node.stream.empty()) out.add("stream", text(node.stream));
  add_after(out, dag, after);
  add_requirement(out, requirements);
  return out.json();
}

// Each entry on a line of its own.
template <class Range, class Entry>
std::string lines(const Range& range, std::string_view indent, Entry entry) {
  std::string out;
  for (const auto& element : range) out += fmt::format("{}\n{}{}", out.empty() ? "" : ",", indent, entry(element));
  return out;
}

std::string json_of(const Dag& dag, DagId d, std::span<const Pool> pools, const RequirementNames& requirements) {
  std::string out = fmt::format("{{\"name\": {}, \"T\": {}", text(dag.name()), dag.nominal_period().count());
  if (dag.attributes().T_max) out += fmt::format(", \"T_max\": {}", dag.attributes().T_max->count());
  if (dag.attributes().jitter > Time::zero()) out += fmt::format(", \"jitter\": {}", dag.attributes().jitter.count());
  if (dag.attributes().phase) out += fmt::format(", \"phase\": {}", dag.attributes().phase->count());
  if (dag.attributes().periodic) out += ", \"periodic\": true";
  if (dag.deadline()) out += fmt::format(", \"D\": {}", dag.deadline()->count());
  if (dag.attributes().priority) out += fmt::format(", \"priority\": {}", *dag.attributes().priority);
  if (dag.attributes().threads) out += fmt::format(", \"threads\": {}", *dag.attributes().threads);
  if (dag.attributes().wait == Wait::spin) out += ", \"wait\": \"spin\"";
  if (dag.attributes().in_flight) out += fmt::format(", \"in_flight\": {}", *dag.attributes().in_flight);
  if (const auto names = requirements.of(d, std::nullopt); !names.empty()) out += ", \"requirement\": " + list_of(names);
  const auto node_json = [&](const Node& node) {
    const auto v = static_cast<NodeId>(&node - dag.nodes().data());
    return text(node.name) + ": " + json_of(dag, node, pools[node.pool], awaited_by(dag, v), requirements.of(d, v));
  };
  out += fmt::format(", \"nodes\": {{{}}}", lines(dag.nodes(), "  ", node_json));
  const auto edge = [&](const Edge& e) {
    return Object().add("from", text(dag.nodes()[e.from].name)).add("to", text(dag.nodes()[e.to].name)).add_flag("cut", e.cut).json();
  };
  return out + fmt::format(", \"edges\": [{}]}}", lines(dag.edges(), "  ", edge));
}

std::string json_of(const Chain& chain, std::span<const Dag> dags, const RequirementNames::Names& requirements) {
  std::string stages;
  for (const ChainStage& stage : chain.stages) stages += (stages.empty() ? "" : ", ") + double_quoted(stage_name(stage, dags));
  Object out;
  out.add("name", text(chain.name)).add("stages", "[" + stages + "]").add_text("communication", to_string(chain.communication));
  if (chain.reaction) out.add("reaction", *chain.reaction);
  if (chain.age) out.add("age", *chain.age);
  add_requirement(out, requirements);
  return out.json();
}

}  // namespace

std::string canonical_json(const TaskSet& task_set) {
  const auto pool = [](const FilePool& p) { return text(p.pool.name) + ": " + json_of(p.pool, p.partitions); };
  const RequirementNames requirements(task_set);
  const auto dag = [&](const Dag& d) {
    return json_of(d, static_cast<DagId>(&d - task_set.dags().data()), task_set.pools(), requirements);
  };
  const auto chain = [&](const Chain& c) {
    return json_of(c, task_set.dags(), requirements.of_chain(static_cast<ChainId>(&c - task_set.chains().data())));
  };
  std::string chains;
  if (!task_set.chains().empty()) chains = fmt::format(", \"chains\": [{}]", lines(task_set.chains(), " ", chain));
  return fmt::format("{{\"time_unit\": \"ns\", \"platform\": {{{}}}, \"dags\": [{}]{}}}\n", lines(gpus_whole(task_set), " ", pool),
                     lines(task_set.dags(), " ", dag), chains);
}

}  // namespace rta::io
