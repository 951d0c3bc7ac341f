#include "node_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "rta/model/footprint.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

// The first six are a task's alone.
constexpr std::array<std::string_view, 13> cpu_keys{"name", "copies",   "T", "T_max",      "jitter", "phase",  "on",
                                                    "C",    "priority", "D", "sequential", "group",  "process"};
constexpr std::array<std::string_view, 20> gpu_keys{"name", "copies",     "T",     "T_max", "jitter",        "phase",     "on",
                                                    "B",    "H",          "L",     "C",     "shared_memory", "registers", "priority",
                                                    "D",    "sequential", "group", "per",   "time",          "process"};
constexpr std::array<std::string_view, 13> engine_keys{"name", "copies",    "T", "T_max",      "jitter", "phase",  "on",
                                                       "C",    "direction", "D", "sequential", "group",  "process"};
constexpr std::array<std::string_view, 13> worker_keys{"name", "copies", "T", "T_max",      "jitter", "phase",  "on",
                                                       "B",    "L",      "D", "sequential", "group",  "process"};
constexpr std::array<std::string_view, 21> all_keys{"name",      "copies", "T",          "T_max", "jitter",        "phase",     "on",
                                                    "C",         "B",      "H",          "L",     "shared_memory", "registers", "priority",
                                                    "direction", "D",      "sequential", "group", "per",           "time",      "process"};
constexpr std::size_t task_keys = 6;

// More than any SM holds; H rounded up to warps still fits in 32 bits.
constexpr std::uint64_t most_threads = 1U << 31U;

constexpr std::array<std::string_view, 3> time_keys{"max", "min", "mode"};
constexpr std::array<std::string_view, 1> per_what{"block"};
constexpr std::array<std::string_view, 2> directions{"h2d", "d2h"};

// By the kind of pool; the last ones: on any pool.
constexpr std::array<KeySet, 5> keys_of_tasks{cpu_keys, gpu_keys, engine_keys, worker_keys, all_keys};
constexpr std::array<KeySet, 5> keys_of_nodes = [] {
  std::array<KeySet, 5> sets;
  for (std::size_t i = 0; i < sets.size(); ++i) sets[i] = keys_of_tasks[i].words().subspan(task_keys);
  return sets;
}();

const KeySet& keys_of(std::optional<PoolKind> kind, NodeForm form) {
  const auto& sets = form == NodeForm::task ? keys_of_tasks : keys_of_nodes;
  return kind ? sets[static_cast<std::size_t>(*kind)] : sets.back();
}

std::string_view pool_text(PoolKind kind) {
  switch (kind) {
    case PoolKind::cpu: return "CPU pool";
    case PoolKind::gpu: return "GPU";
    case PoolKind::engines: return "copy engines";
    case PoolKind::workers: return "workers";
  }
  return "";
}

// Whether one block fits on an empty SM.
void check_block(const Fields& fields, const GpuDemand& demand, std::uint64_t H_written, const GpuPool& gpu, std::string_view pool) {
  if (demand.H > std::min(gpu.sm.threads, gpu.sm.threads_per_block)) {
    fields.error(*fields.find("H"), fmt::format("H: {} G-threads do not fit on one SM of '{}' ({} allowed, {} per block)", H_written, pool,
                                                gpu.sm.threads, gpu.sm.threads_per_block));
    return;
  }
  const Footprint block = footprint(demand, gpu);
  if (gpu.sm.shared_memory && block.shared_memory > *gpu.sm.shared_memory) {
    const Value* const at = fields.find("shared_memory");
    fields.error(at != nullptr ? *at : fields.mapping(),
                 fmt::format("shared_memory: {} bytes per block (as allocated: {}) do not fit on one SM of '{}' ({} allowed)",
                             demand.shared_memory, to_string(block.shared_memory), pool, *gpu.sm.shared_memory));
  }
  if (gpu.sm.registers && block.registers > *gpu.sm.registers) {
    fields.error(*fields.find("registers"),
                 fmt::format("registers: {} per thread (per block, as allocated: {}) do not fit on one SM of '{}' ({} allowed)",
                             demand.registers_per_thread, to_string(block.registers), pool, *gpu.sm.registers));
  }
}

// In how many waves the blocks of a kernel run that has the GPU for itself, at least.
Wide waves(const GpuDemand& demand, const GpuPool& gpu) {
  const Footprint block = footprint(demand, gpu);
  Wide per_sm = std::min<Wide>(gpu.sm.blocks, Wide{gpu.sm.threads} / std::max<Wide>(block.threads, 1));
  if (gpu.sm.shared_memory && block.shared_memory > 0)
    per_sm = std::min(per_sm, static_cast<Wide>(*gpu.sm.shared_memory) / block.shared_memory);
  if (gpu.sm.registers && block.registers > 0) per_sm = std::min(per_sm, static_cast<Wide>(*gpu.sm.registers) / block.registers);
  return ceil_div(static_cast<Wide>(demand.B), std::max<Wide>(per_sm, 1) * gpu.sms);
}

// No block lasts longer than its kernel.
void warn_of_kernel_time(const Fields& fields, const Value& at, Key key, const GpuDemand& demand, const GpuPool& gpu) {
  const Wide n = waves(demand, gpu);
  std::string how = "it may be much longer than any block";
  if (n > 1)
    how = fmt::format("alone on the GPU its {} blocks run in {} waves, so L may be about {} times too long", demand.B, to_string(n),
                      to_string(n));
  fields.warn(at, fmt::format("{}: the time of the whole kernel stands for L, that of one block: safe, but {}; rta calibrate measures L",
                              key.text(), how));
}

StreamPriority read_stream_priority(const Fields& fields) {
  const Value* const value = fields.find("priority");
  if (value == nullptr) return low_priority;
  if (value->text == "low") return low_priority;
  if (value->text == "high") return high_priority;
  const bool word = value->kind == Value::Kind::scalar && value->text.find_first_of("0123456789") == std::string::npos;
  if (!word) return static_cast<StreamPriority>(fields.integer("priority", 0, highest_stream_priority).value_or(low_priority));
  fields.error(*value, fmt::format("priority: {} is not known (allowed: low, high, or a number from 0, which is low, to {})",
                                   quote(value->text), highest_stream_priority));
  return low_priority;
}

}  // namespace

std::optional<FixedPriority> read_fixed_priority(const Fields& fields) {
  const auto priority = fields.integer("priority", 0, highest_priority);
  return priority ? std::optional(static_cast<FixedPriority>(*priority)) : std::nullopt;
}

std::optional<Wide> NodeReader::piece_work(const Fields& fields, Key key, Wide least, std::uint64_t H,
                                           std::optional<Variation>* variation) const {
  const Wide most = static_cast<Wide>(std::numeric_limits<std::int64_t>::max()) * static_cast<Wide>(H);
  const Value* const value = fields.find(key);
  if (value == nullptr || value->kind != Value::Kind::mapping || variation == nullptr) return fields.time(key, time_unit_, least, most);
  const Fields range = fields.within(key.text(), *value);
  range.allow_only(time_keys);
  if (range.require("max", "the worst case") == nullptr || range.require("min", "the shortest time") == nullptr) return std::nullopt;
  const auto longest = range.time("max", time_unit_, least, most);
  const auto shortest = range.time("min", time_unit_, 0, most);
  if (!longest || !shortest) return std::nullopt;
  if (*shortest > *longest) {
    range.error(*range.find("min"), fmt::format("{}: min is larger than max", key.text()));
    return std::nullopt;
  }
  const auto time = [H](Wide work) { return to_time(work / static_cast<Wide>(H)); };
  *variation = Variation{time(*shortest), std::nullopt};
  if (range.has("mode")) {
    const auto mode = range.time("mode", time_unit_, 0, most);
    if (mode && (*mode < *shortest || *mode > *longest)) {
      range.error(*range.find("mode"), fmt::format("{}: mode, the likeliest time, is not between min and max", key.text()));
    } else if (mode) {
      (*variation)->mode = time(*mode);
    }
  }
  return longest;
}

std::optional<Time> NodeReader::piece_time(const Fields& fields, Key key, std::string_view hint, Wide least,
                                           std::optional<Variation>* variation) const {
  if (fields.require(key, hint) == nullptr) return std::nullopt;
  const auto time = piece_work(fields, key, least, 1, variation);
  return time ? std::optional(to_time(*time)) : std::nullopt;
}

CpuDemand NodeReader::read_cpu(const Fields& fields, const Pool& pool, std::optional<Variation>* variation) const {
  CpuDemand demand;
  demand.C = piece_time(fields, "C", "the worst-case execution time", 0, variation).value_or(Time());
  demand.priority = read_fixed_priority(fields);
  const Scheduler scheduler = std::get<CpuPool>(pool.resource).scheduler;
  if (demand.priority && scheduler != Scheduler::fp) {
    fields.warn(*fields.find("priority"),
                fmt::format("priority: has no effect on pool '{}', which is scheduled by {}", pool.name, to_string(scheduler)));
  }
  return demand;
}

CopyDemand NodeReader::read_copy(const Fields& fields, const EnginePool& engines, std::string_view pool,
                                 std::optional<Variation>* variation) const {
  CopyDemand demand;
  demand.C = piece_time(fields, "C", "the longest time of the copy", 0, variation).value_or(Time());
  if (const auto direction = fields.choice("direction", directions)) demand.direction = static_cast<Direction>(*direction);
  if (engines.engines == 2 && !fields.has("direction")) {
    fields.error(fields.mapping(), fmt::format("'direction' is missing: '{}' has one engine per direction (h2d, d2h)", pool));
  }
  return demand;
}

WorkerDemand NodeReader::read_worker(const Fields& fields, std::optional<Variation>* variation) const {
  WorkerDemand demand;
  static_cast<void>(fields.require("B", "the number of items per job"));
  demand.B = fields.integer("B", 1, std::numeric_limits<std::int64_t>::max()).value_or(1);
  demand.L = piece_time(fields, "L", "the longest time of one item", 1, variation).value_or(Time());
  return demand;
}

GpuDemand NodeReader::read_gpu(const Fields& fields, const GpuPool& gpu, std::string_view pool, std::optional<Variation>* variation) const {
  GpuDemand demand;
  static_cast<void>(fields.require("B", "the number of blocks per job"));
  static_cast<void>(fields.require("H", "the number of G-threads per block"));
  demand.B = fields.integer("B", 1, std::numeric_limits<std::int64_t>::max()).value_or(1);
  const auto H = fields.integer("H", 1, most_threads);
  if (const auto bytes = fields.size("shared_memory", 0)) demand.shared_memory = *bytes;
  if (const auto registers = fields.integer("registers", 0, 65'536)) demand.registers_per_thread = static_cast<std::uint32_t>(*registers);
  demand.priority = read_stream_priority(fields);
  if (H) {
    demand.H = static_cast<std::uint32_t>(ceil_div(static_cast<Wide>(*H), gpu.allocation.warp) * gpu.allocation.warp);
    if (demand.H != *H) {
      fields.warn(*fields.find("H"),
                  fmt::format("H: {} is rounded up to {}, whole warps of {} G-threads", *H, demand.H, gpu.allocation.warp));
    }
    check_block(fields, demand, *H, gpu, pool);
  }

  read_kernel_time(fields, H, gpu, variation, demand);
  return demand;
}

void NodeReader::read_kernel_time(const Fields& fields, std::optional<std::uint64_t> H, const GpuPool& gpu,
                                  std::optional<Variation>* variation, GpuDemand& demand) const {
  const Value* const C_at = fields.find("C");
  const Value* const time_at = kernels_ != nullptr ? fields.find("time") : nullptr;
  const bool per_block = fields.choice("per", per_what).has_value();
  if (C_at != nullptr && fields.has("L")) {
    fields.error(*C_at, "L and C are both given; as C = L x H, give one of them");
    return;
  }
  if (time_at != nullptr && (C_at != nullptr || fields.has("L"))) {
    fields.error(*time_at, fmt::format("{} and time are both given; give one of them", C_at != nullptr ? "C" : "L"));
    return;
  }
  if (per_block && C_at == nullptr) fields.error(*fields.find("per"), "per: says of C whose work it is; there is no C");
  const bool bare = C_at != nullptr && kernels_ != nullptr && !per_block && !fields.has("per");
  if (bare) kernels_->any_bare = true;
  const bool whole_kernel = time_at != nullptr || (bare && kernels_->reading == BareC::kernel);
  if (C_at == nullptr || whole_kernel) {
    const Key key = C_at != nullptr ? Key("C") : time_at != nullptr ? Key("time") : Key("L");
    demand.L = piece_time(fields, key, "the longest time of one block (or C = L x H)", 1, variation).value_or(Time());
    demand.C = Workload(static_cast<Wide>(demand.L.count()) * demand.H);
    if (whole_kernel && H) warn_of_kernel_time(fields, *fields.find(key), key, demand, gpu);
    return;
  }
  const auto C = piece_work(fields, "C", 1, H.value_or(most_threads), variation);
  if (!C || !H) return;
  demand.L = to_time(ceil_div(*C, static_cast<Wide>(*H)));
  // Threads added by rounding up run as long as the others.
  demand.C = Workload(demand.H == *H ? *C : static_cast<Wide>(demand.L.count()) * demand.H);
  if (bare) warn_of_bare_C(fields, demand);
}

void NodeReader::warn_of_bare_C(const Fields& fields, const GpuDemand& demand) const {
  const Value& C = *fields.find("C");
  const std::string written = C.kind == Value::Kind::scalar ? std::string(C.text) : "...";
  fields.warn(C,
              fmt::format("C: {} is read as the work of one block, in G-threads x time, so that a block lasts at most L = C/H = {}; write "
                          "`per: block` if that is meant, and `time: {}` if it is the time of the whole kernel",
                          written, time_text(demand.L), written));
}

void NodeReader::read(const Fields& fields, NodeForm form, Node& node) const {
  if (!fields.usable()) return;
  const Value* const on = fields.require("on", "the pool that it runs on");
  if (form == NodeForm::node) {  // a task's is its DAG's
    if (const auto deadline = fields.time("D", time_unit_, 1)) node.deadline = to_time(*deadline);
  }
  if (const auto sequential = fields.flag("sequential")) node.sequential = *sequential;
  if (const auto group = fields.name("group")) node.group = *group;
  std::optional<PoolId> id;
  if (on != nullptr) id = platform_.resolve(*on, fields);
  if (!id.has_value()) {
    fields.allow_only(keys_of(std::nullopt, form));
    return;
  }
  node.pool = *id;
  const Pool& pool = platform_.pool(*id);
  const KeySet& allowed = keys_of(pool.kind(), form);
  if (const auto misplaced = fields.allow_only(allowed, keys_of(std::nullopt, form)); !misplaced.empty()) {
    std::vector<std::string_view> keys;
    keys.reserve(misplaced.size());
    for (const Value* key : misplaced) keys.push_back(key->text);
    fields.error(*misplaced.front(), fmt::format("{} {} not apply to {} '{}' (allowed: {})", joined(keys), keys.size() == 1 ? "does" : "do",
                                                 pool_text(pool.kind()), pool.name, joined(allowed.words())));
    return;
  }
  switch (pool.kind()) {
    case PoolKind::cpu: node.demand = read_cpu(fields, pool, &node.variation); break;
    case PoolKind::gpu: node.demand = read_gpu(fields, std::get<GpuPool>(pool.resource), pool.name, &node.variation); break;
    case PoolKind::engines: node.demand = read_copy(fields, std::get<EnginePool>(pool.resource), pool.name, &node.variation); break;
    case PoolKind::workers: node.demand = read_worker(fields, &node.variation); break;
  }
}

}  // namespace rta::io
