#include "platform_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "gpu_partitions.hpp"
#include "interference_reader.hpp"
#include "rta/model/device.hpp"
#include "rta/model/partitions.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

// Beyond any hardware; they keep tables over an SM's resources small.
constexpr std::uint64_t most_processors = 1'000'000;
constexpr std::uint64_t most_per_sm = 65'536;
constexpr std::uint64_t most_registers = 1ULL << 32U;

constexpr std::array<std::string_view, 8> cpu_pool_keys{"processors",  "scheduler", "preemptive",  "equals",
                                                        "partitioned", "callbacks", "reservation", "simultaneous"};
constexpr std::array<std::string_view, 21> gpu_pool_keys{"device",
                                                         "sms",
                                                         "threads",
                                                         "threads_per_block",
                                                         "blocks",
                                                         "shared_memory",
                                                         "registers",
                                                         "shared_memory_per_block",
                                                         "registers_per_block",
                                                         "registers_per_thread",
                                                         "warp",
                                                         "shared_memory_unit",
                                                         "shared_memory_reserved",
                                                         "register_unit",
                                                         "register_parts",
                                                         "sharing",
                                                         "partitions",
                                                         "rest",
                                                         "interference",
                                                         "launch_overhead",
                                                         "dispatch_latency"};
constexpr std::array<std::string_view, 2> sharing_keys{"slice", "switch"};
constexpr std::array<std::string_view, 1> engine_pool_keys{"engines"};
constexpr std::array<std::string_view, 2> worker_pool_keys{"workers", "dispatch_overhead"};

// More pools than a machine has processors.
constexpr std::uint64_t most_partitions = 4096;

constexpr std::array<std::string_view, 7> schedulers{"G-EDF", "G-FL", "FIFO", "LP", "FP", "wait-set", "multi-threaded"};
constexpr std::array<std::string_view, 2> orders_of_equals{"fifo", "any"};
constexpr std::array<std::string_view, 2> orders_of_instants{"any_order", "before_starts"};

template <class T, class U>
void set(T& target, const std::optional<U>& value) {
  if (value) target = static_cast<T>(*value);
}

constexpr std::array<std::string_view, 2> reservation_keys{"runtime", "period"};

// A pool of all processors; `partitions`: as so many pools of one processor each, 0: as it is.
CpuPool read_cpu(const Fields& fields, const Unit* time_unit, std::uint32_t& partitions) {
  CpuPool pool;
  fields.allow_only(cpu_pool_keys);
  const bool partitioned = fields.flag("partitioned").value_or(false);
  set(pool.processors, fields.integer("processors", 1, partitioned ? most_partitions : most_processors));
  set(pool.scheduler, fields.choice("scheduler", schedulers));
  set(pool.preemptive, fields.flag("preemptive"));
  if (is_wait_set(pool)) {
    if (fields.flag("preemptive").value_or(false))
      fields.error(*fields.find("preemptive"), "preemptive: an executor (scheduler: wait-set) runs each callback to its end; leave it out");
    if (!partitioned && pool.processors != 1)
      fields.error(*fields.find("scheduler"), "scheduler: wait-set is an executor of one thread, which has one processor (processors: 1)");
    pool.processors = partitioned ? pool.processors : 1;
    pool.preemptive = false;
  }
  if (is_multi_threaded(pool)) {
    if (fields.flag("preemptive").value_or(false))
      fields.error(*fields.find("preemptive"),
                   "preemptive: an executor (scheduler: multi-threaded) runs each callback to its end; leave it out");
    pool.preemptive = false;
  }
  if (partitioned) partitions = std::exchange(pool.processors, 1);
  const auto equals = fields.choice("equals", orders_of_equals);
  if (pool.scheduler == Scheduler::fp) {
    pool.equals = equals ? static_cast<Equals>(*equals) : usual_equals(pool.processors);
  } else if (fields.has("equals")) {
    fields.error(*fields.find("equals"), "equals: only jobs of fixed priorities (scheduler: FP) have equals");
  }
  set(pool.simultaneous, fields.choice("simultaneous", orders_of_instants));
  if (fields.has("simultaneous") && !may_see_first(pool)) {
    fields.error(
        *fields.find("simultaneous"),
        "simultaneous: is of pools whose jobs run to their end by priority: give preemptive: false, and a scheduler other than FIFO");
    pool.simultaneous = Simultaneous::any_order;
  }
  pool.callbacks = fields.flag("callbacks").value_or(false);
  if (pool.callbacks && !may_have_callbacks(pool)) {
    fields.error(*fields.find("callbacks"),
                 "callbacks: an executor has one processor and runs each callback to its end: give processors: 1 and scheduler: FIFO, or "
                 "FP with preemptive: false (one under the wait-set rule needs no `callbacks`)");
    pool.callbacks = false;
  }
  if (const Value* const at = fields.find("reservation")) {
    pool.reservation = read_reservation(fields, *at, time_unit);
    if (!may_be_reserved(pool)) {
      fields.error(*at, "reservation: is of an executor of one thread: give scheduler: wait-set, or callbacks: true");
      pool.reservation.reset();
    }
  }
  return pool;
}

// A resource that may be without limit.
template <class Read>
void set_limit(const Fields& fields, std::string_view key, std::optional<std::uint64_t>& target, Read read) {
  const Value* const value = fields.find(key);
  if (value != nullptr && value->kind == Value::Kind::scalar && value->text == "unlimited") {
    target.reset();
  } else if (const auto limit = read()) {
    target = limit;
  }
}

void read_sharing(const Fields& fields, const Value& value, const Unit* time_unit, GpuPool& pool) {
  const Fields sharing = fields.within("sharing", value);
  if (!sharing.usable()) return;
  sharing.allow_only(sharing_keys);
  static_cast<void>(sharing.require("slice", "how long the GPU serves one process at a time"));
  static_cast<void>(sharing.require("switch", "how long it takes to pass from one process to the next"));
  const auto slice = sharing.time("slice", time_unit, 1);
  const auto switch_time = sharing.time("switch", time_unit, 0);
  if (slice && switch_time) {
    pool.sharing =
        Sharing{.gpu = std::string(fields.subject().name), .process = {}, .slice = to_time(*slice), .switch_time = to_time(*switch_time)};
  }
}

GpuPool read_gpu(const Fields& fields, const Unit* time_unit) {
  GpuPool pool;
  fields.allow_only(gpu_pool_keys);
  if (fields.has("device")) {
    std::vector<std::string_view> names;
    for (const Device& device : devices()) names.push_back(device.name);
    if (const auto index = fields.choice("device", names)) pool = devices()[*index].gpu;
  } else {
    static_cast<void>(fields.require("sms", "the number of SMs"));
    static_cast<void>(fields.require("threads", "G-threads per SM"));
  }
  set(pool.sms, fields.integer("sms", 1, most_processors));
  set(pool.sm.threads, fields.integer("threads", 1, most_per_sm));
  if (!fields.has("device")) pool.sm.threads_per_block = std::min(pool.sm.threads_per_block, pool.sm.threads);
  set(pool.sm.threads_per_block, fields.integer("threads_per_block", 1, most_per_sm));
  set(pool.sm.blocks, fields.integer("blocks", 1, most_per_sm));
  set_limit(fields, "shared_memory", pool.sm.shared_memory, [&] { return fields.size("shared_memory", 1); });
  set_limit(fields, "registers", pool.sm.registers, [&] { return fields.integer("registers", 1, most_registers); });
  set_limit(fields, "shared_memory_per_block", pool.launch.shared_memory, [&] { return fields.size("shared_memory_per_block", 1); });
  set_limit(fields, "registers_per_block", pool.launch.registers_per_block,
            [&] { return fields.integer("registers_per_block", 1, most_registers); });
  set_limit(fields, "registers_per_thread", pool.launch.registers_per_thread,
            [&] { return fields.integer("registers_per_thread", 1, most_registers); });
  set(pool.allocation.warp, fields.integer("warp", 1, 1024));
  set(pool.allocation.shared_memory, fields.size("shared_memory_unit", 1));
  set(pool.allocation.reserved_shared_memory, fields.size("shared_memory_reserved", 0));
  set(pool.allocation.registers_per_warp, fields.integer("register_unit", 1, most_registers));
  set(pool.allocation.register_parts, fields.integer("register_parts", 1, most_register_parts));
  if (const Value* const sharing = fields.find("sharing")) read_sharing(fields, *sharing, time_unit, pool);
  if (const Value* const interference = fields.find("interference")) {
    pool.interference = read_interference(fields, *interference);
    if (fields.has("sharing")) {
      fields.error(*interference,
                   "interference: kernels of processes that share a GPU by time slices are never there at once, but each slice starts with "
                   "cold caches, which no factor counts: give durations that were measured beside the other processes");
    }
  }
  return pool;
}

// Stands for a GPU whose description is wrong, so that its nodes are checked without errors that follow from it.
GpuPool boundless_gpu() {
  GpuPool pool;
  pool.sm = {std::numeric_limits<std::uint32_t>::max(), std::numeric_limits<std::uint32_t>::max(), 1, std::nullopt, std::nullopt};
  pool.interference.emplace();
  return pool;
}

EnginePool read_engines(const Fields& fields) {
  EnginePool pool;
  fields.allow_only(engine_pool_keys);
  set(pool.engines, fields.integer("engines", 1, 2));
  return pool;
}

WorkerPool read_workers(const Fields& fields, const Unit* time_unit) {
  WorkerPool pool;
  fields.allow_only(worker_pool_keys);
  set(pool.workers, fields.integer("workers", 1, most_processors));
  if (const auto overhead = fields.time("dispatch_overhead", time_unit, 0)) pool.dispatch_overhead = to_time(*overhead);
  return pool;
}

// The key that decides what a pool is.
std::optional<PoolKind> kind_of(const Fields& fields) {
  struct Sign {
    std::string_view key;
    PoolKind kind;
  };
  static constexpr std::array<Sign, 5> signs{{{"processors", PoolKind::cpu},
                                              {"device", PoolKind::gpu},
                                              {"sms", PoolKind::gpu},
                                              {"engines", PoolKind::engines},
                                              {"workers", PoolKind::workers}}};
  for (const Sign& sign : signs) {
    if (fields.has(sign.key)) return sign.kind;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Reservation> read_reservation(const Fields& fields, const Value& value, const Unit* time_unit) {
  const Fields reserved = fields.within("reservation", value);
  if (!reserved.usable()) return std::nullopt;
  reserved.allow_only(reservation_keys);
  static_cast<void>(reserved.require("runtime", "how much of its processor's time the thread has in every period"));
  static_cast<void>(reserved.require("period", "in which it has so much"));
  const auto runtime = reserved.time("runtime", time_unit, 1);
  const auto period = reserved.time("period", time_unit, 1);
  if (!runtime || !period) return std::nullopt;
  if (*runtime > *period) {
    reserved.error(*reserved.find("runtime"),
                   fmt::format("runtime: {} is more than the period, {}", time_text(to_time(*runtime)), time_text(to_time(*period))));
    return std::nullopt;
  }
  return Reservation{to_time(*runtime), to_time(*period)};
}

void PlatformReader::read(const Value& platform, const Unit* time_unit) {
  const Fields names(platform, {}, out_, "platform");  // reports duplicates
  if (!names.usable()) return;
  for (const auto& [key, value] : names.all()) {
    const Subject subject{"pool", key->text};
    if (const auto fault = name_fault(key->text)) out_.error(key->mark, *fault);
    const Fields fields(*value, subject, out_);
    const std::optional<PoolKind> kind = kind_of(fields);
    if (fields.usable() && !kind) {
      static constexpr std::array<std::string_view, 5> kinds{"processors", "device", "sms", "engines", "workers"};
      std::string meant;
      for (const auto& field : fields.all()) meant += suggestion(field.key->text, kinds);
      out_.error(key->mark, subject,
                 fmt::format("its kind is missing: one of processors (CPU), device or sms (GPU), engines, workers{}", meant));
    }
    Pool pool{std::string(key->text), CpuPool{}};
    std::uint32_t partitions = 0;
    const std::size_t errors_before = out_.error_count();
    if (kind) {
      switch (*kind) {
        case PoolKind::cpu: pool.resource = read_cpu(fields, time_unit, partitions); break;
        case PoolKind::gpu:
          pool.resource = read_gpu(fields, time_unit);
          read_launch_cost(fields, time_unit, launches_);
          break;
        case PoolKind::engines: pool.resource = read_engines(fields); break;
        case PoolKind::workers: pool.resource = read_workers(fields, time_unit); break;
      }
      for (const PoolKind reserved : {PoolKind::cpu, PoolKind::gpu}) {
        if (pool.name == to_string(reserved) && *kind != reserved) {
          out_.error(key->mark, subject, fmt::format("a pool of this name must be a {}", reserved == PoolKind::cpu ? "CPU pool" : "GPU"));
        }
      }
    }
    if (const Value* const sharing = kind == PoolKind::gpu ? fields.find("sharing") : nullptr) shared_.emplace(pool.name, sharing->mark);
    if (kind == PoolKind::gpu && add_parts(pool, fields, key->mark, errors_before)) continue;
    if (kind == PoolKind::gpu && out_.error_count() != errors_before) pool.resource = boundless_gpu();
    if (partitions == 0) {
      add(std::move(pool), kind, key->mark);
    } else {
      add_partitions(pool, partitions, key->mark);
    }
  }
  if (platform.first() == platform.next()) out_.error(platform.mark, "platform: it has no pool");
}

void PlatformReader::refuse_sharing(std::string_view what) const {
  for (const auto& [name, at] : shared_) out_.error(at, {"pool", name}, fmt::format("sharing: {} no processes that share a GPU", what));
}

void PlatformReader::refuse_partitions(std::string_view what) const {
  for (const auto& [name, cut] : cut_) out_.error(cut.at, {"pool", name}, fmt::format("partitions: {} no partitions of a GPU", what));
}

void PlatformReader::refuse_launch_costs(std::string_view what) const {
  for (const auto& [name, cost] : launches_)
    out_.error(cost.at, {"pool", name}, fmt::format("launch_overhead, dispatch_latency: {} no costs of launches", what));
}

bool PlatformReader::add_parts(const Pool& gpu, const Fields& fields, Mark at, std::size_t errors_before) {
  Pool whole = gpu;
  if (out_.error_count() != errors_before) {
    GpuPool any = boundless_gpu();
    any.sms = most_processors;
    whole.resource = std::move(any);
  }
  std::vector<PartitionPool> parts = read_partitions(fields, whole);
  if (parts.empty()) return false;
  std::string names;
  for (const PartitionPool& part : parts) (names += names.empty() ? "" : ", ") += part.pool.name;
  if (by_name_.contains(gpu.name)) out_.error(at, {"pool", gpu.name}, "another pool has this name");
  cut_.emplace(gpu.name, Cut{fields.find("partitions")->mark, std::move(names)});
  const bool wrong = out_.error_count() != errors_before;
  for (PartitionPool& part : parts) {
    if (wrong) part.pool.resource = boundless_gpu();
    add(std::move(part.pool), PoolKind::gpu, part.at);
  }
  return true;
}

void PlatformReader::add_partitions(const Pool& pool, std::uint32_t count, Mark at) {
  partitions_ += count;
  partitioned_.emplace(pool.name, count);
  if (partitions_ > most_partitions) {
    out_.error(at, {"pool", pool.name}, fmt::format("partitioned pools have more than {} processors in all", most_partitions));
    return;
  }
  const auto name_of = [&](std::uint32_t i) { return fmt::format("{}{}", pool.name, i); };
  if (const auto fault = name_fault(name_of(count - 1))) out_.error(at, *fault);
  for (std::uint32_t i = 0; i < count; ++i) add({name_of(i), pool.resource}, PoolKind::cpu, at);
}

void PlatformReader::add(Pool pool, std::optional<PoolKind> kind, Mark at) {
  if (!by_name_.emplace(pool.name, pools_.size()).second || cut_.contains(pool.name)) {
    out_.error(at, {"pool", pool.name},
               kind == PoolKind::gpu && partition_of(pool) != nullptr
                   ? "another pool has this name; the partitions of a GPU are called GPU/PARTITION"
                   : "another pool has this name; the processors of a partitioned pool are named by number");
  }
  known_.push_back(kind.has_value());
  all_known_ = all_known_ && kind.has_value();
  if (kind) by_kind_[static_cast<std::size_t>(*kind)].push_back(pools_.size());
  pools_.push_back(std::move(pool));
}

std::optional<PoolId> PlatformReader::only_of_kind(PoolKind kind, const Value& on, const Fields& node) const {
  if (!all_known_) return std::nullopt;  // an unknown one might be of that kind; its own error is enough
  const std::vector<PoolId>& pools = by_kind_[static_cast<std::size_t>(kind)];
  if (pools.size() == 1) return pools.front();
  std::vector<std::string_view> names;
  names.reserve(pools.size());
  for (const PoolId id : pools) names.push_back(pools_[id].name);
  const std::string_view what = kind == PoolKind::cpu ? "CPU pool" : "GPU";
  node.error(on, names.empty() ? fmt::format("on: '{}' means the only {} of the platform, but it has none", on.text, what)
                               : fmt::format("on: '{}' means the only {} of the platform, but it has {}: {}", on.text, what, names.size(),
                                             joined(names)));
  return std::nullopt;
}

std::optional<PoolId> PlatformReader::only(PoolKind kind, std::string_view what, Mark at, Subject subject) const {
  if (pools_.empty()) return std::nullopt;
  std::vector<PoolId> found;
  for (PoolId id = 0; id < pools_.size(); ++id) {
    if (!known_[id]) return std::nullopt;
    if (pools_[id].kind() == kind) found.push_back(id);
  }
  if (found.size() == 1) return found.front();
  out_.error(at, subject,
             found.empty() ? fmt::format("the platform has no {}", what)
                           : fmt::format("'on' is missing: the platform has {} {}", found.size(), what));
  return std::nullopt;
}

std::optional<PoolId> PlatformReader::resolve(const Value& on, const Fields& node) const {
  if (pools_.empty()) return std::nullopt;  // reported where the platform is missing
  if (on.kind != Value::Kind::scalar) {
    if (on.kind != Value::Kind::rejected) node.error(on, fmt::format("on: the name of a pool is expected, not {}", kind_text(on)));
    return std::nullopt;
  }
  if (const auto at = by_name_.find(on.text); at != by_name_.end()) {
    return known_[at->second] ? std::optional(at->second) : std::nullopt;
  }
  if (const auto at = partitioned_.find(on.text); at != partitioned_.end()) {
    const auto& [name, count] = *at;
    node.error(on, fmt::format("on: pool '{}' is partitioned: give one of its processors, {}0{}", name, name,
                               count == 1 ? "" : fmt::format(" to {}{}", name, count - 1)));
    return std::nullopt;
  }
  if (const auto at = cut_.find(on.text); at != cut_.end()) {
    node.error(on, fmt::format("on: GPU '{}' is cut into partitions: give one of them ({})", at->first, at->second.parts));
    return std::nullopt;
  }
  if (on.text == "cpu") return only_of_kind(PoolKind::cpu, on, node);
  if (on.text == "gpu") return only_of_kind(PoolKind::gpu, on, node);
  std::vector<std::string_view> names;
  for (const Pool& pool : pools_) names.push_back(pool.name);
  node.error(on, fmt::format("on: {} is no pool of the platform{} (pools: {})", quote(on.text), suggestion(on.text, names), joined(names)));
  return std::nullopt;
}

}  // namespace rta::io
