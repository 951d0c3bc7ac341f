#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "fields.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/device.hpp"

namespace rta::io {
namespace {

// In the largest unit of which it is a whole number.
std::string quantity_text(std::uint64_t count, std::span<const Unit> units) {
  const auto fits = [count](const Unit& unit) { return count % static_cast<std::uint64_t>(unit.size) == 0; };
  const Unit& unit = count == 0 ? units.front() : *std::find_if(units.rbegin(), units.rend(), fits);
  return fmt::format("{} {}", count / static_cast<std::uint64_t>(unit.size), unit.name);
}

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
  if (const auto fault = name_fault(name)) throw std::invalid_argument("the task set cannot be written: " + *fault);
  return is_plain(name) ? std::string(name) : double_quoted(name);
}

// `{a: 1, b: 2}`, key by key.
class FlowMapping {
 public:
  FlowMapping& add(std::string_view key, std::string_view value) {
    fmt::format_to(std::back_inserter(text_), "{}{}: {}", text_.empty() ? "" : ", ", key, value);
    return *this;
  }
  template <class Integer>
  FlowMapping& add_number(std::string_view key, Integer value) {
    return add(key, fmt::format("{}", value));
  }
  [[nodiscard]] std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

void add_resources(FlowMapping& out, const GpuPool& pool, const GpuPool& defaults) {
  const auto limit = [](const std::optional<std::uint64_t>& value, auto text) { return value ? text(*value) : std::string("unlimited"); };
  if (pool.sm.threads_per_block != defaults.sm.threads_per_block) out.add_number("threads_per_block", pool.sm.threads_per_block);
  if (pool.sm.blocks != defaults.sm.blocks) out.add_number("blocks", pool.sm.blocks);
  if (pool.sm.shared_memory != defaults.sm.shared_memory) out.add("shared_memory", limit(pool.sm.shared_memory, size_text));
  if (pool.sm.registers != defaults.sm.registers) {
    out.add("registers", limit(pool.sm.registers, [](std::uint64_t count) { return fmt::format("{}", count); }));
  }
  const Allocation& unit = pool.allocation;
  const Allocation& standard = defaults.allocation;
  if (unit.warp != standard.warp) out.add_number("warp", unit.warp);
  if (unit.shared_memory != standard.shared_memory) out.add("shared_memory_unit", size_text(unit.shared_memory));
  if (unit.reserved_shared_memory != standard.reserved_shared_memory) {
    out.add("shared_memory_reserved", size_text(unit.reserved_shared_memory));
  }
  if (unit.registers_per_warp != standard.registers_per_warp) out.add_number("register_unit", unit.registers_per_warp);
}

std::string gpu_text(const GpuPool& pool) {
  FlowMapping out;
  if (pool.device.empty()) {
    GpuPool defaults;
    defaults.sm.threads_per_block = std::min(defaults.sm.threads_per_block, pool.sm.threads);
    out.add_number("sms", pool.sms).add_number("threads", pool.sm.threads);
    add_resources(out, pool, defaults);
    return out.text();
  }
  const Device* const device = find_device(pool.device);
  if (device == nullptr) throw std::invalid_argument("the task set cannot be written: no device is called '" + pool.device + "'");
  out.add("device", pool.device);
  if (pool.sms != device->gpu.sms) out.add_number("sms", pool.sms);
  if (pool.sm.threads != device->gpu.sm.threads) out.add_number("threads", pool.sm.threads);
  add_resources(out, pool, device->gpu);
  return out.text();
}

std::string resource_text(const Pool& pool) {
  FlowMapping out;
  switch (pool.kind()) {
    case PoolKind::cpu: {
      const auto& cpu = std::get<CpuPool>(pool.resource);
      return out.add_number("processors", cpu.processors).add("scheduler", to_string(cpu.scheduler)).text();
    }
    case PoolKind::gpu: return gpu_text(std::get<GpuPool>(pool.resource));
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

void add_demand(FlowMapping& out, const GpuDemand& demand, const GpuPool& gpu, std::string_view node) {
  if (demand.H % gpu.allocation.warp != 0) {
    throw std::invalid_argument(fmt::format("the task set cannot be written: H of node '{}' is no whole number of warps", node));
  }
  out.add_number("B", demand.B).add_number("H", demand.H);
  const auto H = static_cast<Wide>(demand.H);
  if (demand.C.count() == static_cast<Wide>(demand.L.count()) * H) {
    out.add("L", time_text(demand.L));
  } else if (demand.L.count() == ceil_div(demand.C.count(), H)) {
    out.add("C", to_string(demand.C.count()) + " ns");
  } else {
    throw std::invalid_argument(fmt::format("the task set cannot be written: node '{}' has L other than C/H", node));
  }
  if (demand.shared_memory != 0) out.add("shared_memory", size_text(demand.shared_memory));
  if (demand.registers_per_thread != 0) out.add_number("registers", demand.registers_per_thread);
  if (demand.priority == Priority::high) out.add("priority", "high");
}

// All keys of a node after those of its DAG; `with_deadline`: D is not written elsewhere.
void add_node(FlowMapping& out, const Node& node, std::span<const Pool> pools, bool with_deadline) {
  out.add("on", word(pools[node.pool].name));
  switch (static_cast<PoolKind>(node.demand.index())) {
    case PoolKind::cpu: out.add("C", time_text(std::get<CpuDemand>(node.demand).C)); break;
    case PoolKind::gpu: add_demand(out, std::get<GpuDemand>(node.demand), std::get<GpuPool>(pools[node.pool].resource), node.name); break;
    case PoolKind::engines: {
      const auto& copy = std::get<CopyDemand>(node.demand);
      out.add("C", time_text(copy.C));
      if (copy.direction) out.add("direction", *copy.direction == Direction::h2d ? "h2d" : "d2h");
      break;
    }
    case PoolKind::workers: {
      const auto& items = std::get<WorkerDemand>(node.demand);
      out.add_number("B", items.B).add("L", time_text(items.L));
      break;
    }
  }
  if (with_deadline && node.deadline) out.add("D", time_text(*node.deadline));
  if (node.sequential) out.add("sequential", "true");
  if (!node.group.empty()) out.add("group", word(node.group));
}

// `dags[first]` and the copies of it that follow.
struct Family {
  std::string_view name;  // without index
  std::size_t first = 0;
  std::size_t copies = 1;
};

Family family_at(std::span<const Dag> dags, std::size_t first) {
  const std::string_view name = dags[first].name();
  if (!name.ends_with("[0]")) return {name, first, 1};
  const std::string_view base = name.substr(0, name.size() - 3);
  std::size_t copies = 1;
  while (first + copies < dags.size() && dags[first + copies].name() == fmt::format("{}[{}]", base, copies) &&
         dags[first].same_shape(dags[first + copies])) {
    ++copies;
  }
  return copies == 1 ? Family{name, first, 1} : Family{base, first, copies};
}

bool is_task(const Dag& dag, std::string_view family_name) {
  return dag.nodes().size() == 1 && dag.nodes().front().name == family_name && dag.nodes().front().deadline == dag.deadline();
}

class Writer {
 public:
  explicit Writer(const TaskSet& task_set) : set_(task_set) {
    for (std::size_t i = 0; i < set_.dags().size(); i += families_.back().copies) families_.push_back(family_at(set_.dags(), i));
  }

  [[nodiscard]] std::string text() {
    write("platform:\n");
    for (const Pool& pool : set_.pools()) write("  {}: {}\n", word(pool.name), resource_text(pool));
    // Sections keep their order, so only tasks after the last full DAG may be in the short form.
    std::size_t tasks = families_.size();
    while (tasks > 0 && is_task(set_.dags()[families_[tasks - 1].first], families_[tasks - 1].name)) --tasks;
    if (tasks > 0) write("dags:\n");
    for (std::size_t i = 0; i < tasks; ++i) write_dag(families_[i]);
    if (tasks < families_.size()) write("tasks:\n");
    for (std::size_t i = tasks; i < families_.size(); ++i) write_task(families_[i]);
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void write(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  void write_dag(const Family& family) {
    const Dag& dag = set_.dags()[family.first];
    write("  - name: {}\n", word(family.name));
    if (family.copies > 1) write("    copies: {}\n", family.copies);
    write("    T: {}\n", time_text(dag.period()));
    if (dag.deadline()) write("    D: {}\n", time_text(*dag.deadline()));
    write("    nodes:\n");
    for (const Node& node : dag.nodes()) {
      FlowMapping out;
      add_node(out, node, set_.pools(), true);
      write("      {}: {}\n", word(node.name), out.text());
    }
    write_edges(dag);
  }

  // Edges that follow one another in the list and in the DAG form one chain.
  void write_edges(const Dag& dag) {
    if (!dag.edges().empty()) write("    edges:\n");
    for (std::size_t i = 0; i < dag.edges().size();) {
      const bool cut = dag.edges()[i].cut;
      std::string chain = dag.nodes()[dag.edges()[i].from].name;
      bool plain = is_plain(chain);
      for (NodeId at = dag.edges()[i].from; i < dag.edges().size() && dag.edges()[i].from == at && dag.edges()[i].cut == cut; ++i) {
        at = dag.edges()[i].to;
        chain += " -> " + dag.nodes()[at].name;
        plain = plain && is_plain(dag.nodes()[at].name);
      }
      if (!plain) chain = double_quoted(chain);
      if (cut) {
        write("      - {{path: {}, cut: true}}\n", chain);
      } else {
        write("      - {}\n", chain);
      }
    }
  }

  void write_task(const Family& family) {
    const Dag& dag = set_.dags()[family.first];
    FlowMapping out;
    out.add("name", word(family.name));
    if (family.copies > 1) out.add_number("copies", family.copies);
    out.add("T", time_text(dag.period()));
    if (dag.deadline()) out.add("D", time_text(*dag.deadline()));
    add_node(out, dag.nodes().front(), set_.pools(), false);
    write("  - {}\n", out.text());
  }

  const TaskSet& set_;
  std::vector<Family> families_;
  std::string text_;
};

}  // namespace

std::string format_task_set(const TaskSet& task_set) { return Writer(task_set).text(); }

}  // namespace rta::io
