#include "node_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "interference_reader.hpp"
#include "rta/model/gpu_call.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/launch.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

// The first seven are a task's alone.
constexpr std::array<std::string_view, 19> cpu_keys{"name",     "copies", "T",        "T_max",       "jitter",     "phase", "periodic",
                                                    "on",       "C",      "priority", "D",           "sequential", "group", "process",
                                                    "executor", "entity", "call",     "requirement", "after"};
constexpr std::array<std::string_view, 27> gpu_keys{
    "name", "copies", "T",       "T_max",         "jitter",      "phase",    "periodic",    "on",         "B",
    "H",    "L",      "C",       "shared_memory", "registers",   "priority", "D",           "sequential", "group",
    "per",  "time",   "process", "cluster",       "cooperative", "class",    "requirement", "stream",     "after"};
constexpr std::array<std::string_view, 17> engine_keys{"name",     "copies",  "T",           "T_max",     "jitter", "phase",
                                                       "periodic", "on",      "C",           "direction", "D",      "sequential",
                                                       "group",    "process", "requirement", "stream",    "after"};
constexpr std::array<std::string_view, 16> worker_keys{"name", "copies", "T", "T_max",      "jitter", "phase",   "periodic",    "on",
                                                       "B",    "L",      "D", "sequential", "group",  "process", "requirement", "after"};
constexpr std::array<std::string_view, 31> all_keys{
    "name",    "copies",        "T",         "T_max",    "jitter",    "phase", "periodic",    "on",     "C",    "B",    "H",
    "L",       "shared_memory", "registers", "priority", "direction", "D",     "sequential",  "group",  "per",  "time", "process",
    "cluster", "cooperative",   "executor",  "entity",   "call",      "class", "requirement", "stream", "after"};
constexpr std::size_t task_keys = 7;

// More than any SM holds; H rounded up to warps still fits in 32 bits.
constexpr std::uint64_t most_threads = 1U << 31U;

constexpr std::array<std::string_view, 3> time_keys{"max", "min", "mode"};
constexpr std::array<std::string_view, 1> alone_keys{"alone"};
constexpr std::array<std::string_view, 4> kernel_time_keys{"max", "alone", "min", "mode"};
constexpr std::array<std::string_view, 1> per_what{"block"};
constexpr std::array<std::string_view, 2> directions{"h2d", "d2h"};

// What a callback belongs to; the first is what Jazzy's static executor picks first.
constexpr std::array<std::string_view, 5> entities{"subscription", "timer", "client", "service", "waitable"};

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

// A kernel that the GPU does not launch is an error.
void check_block(const Fields& fields, const GpuDemand& demand, const GpuPool& gpu, std::string_view pool) {
  for (const LaunchFault& fault : launch_faults(demand, gpu, fmt::format("'{}'", pool))) {
    const std::string_view key = key_of(fault.demand);
    const Value* const at = fields.find(key);
    fields.error(at != nullptr ? *at : fields.mapping(), fmt::format("{}: {}", key, fault.what));
  }
}

/// What CUDA's stream of number 0 is called, in any case of letters: it waits for all others, unless an option of the compiler says
/// otherwise.
constexpr std::array<std::string_view, 8> null_streams{
    "null", "nullptr", "0", "0x0", "default", "legacy", "cudastreamlegacy", "cudastreamdefault"};

bool names_null_stream(std::string_view name) {
  return std::ranges::any_of(null_streams, [name](std::string_view null) {
    return std::ranges::equal(name, null, {}, [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  });
}

std::string read_stream(const Fields& fields) {
  const Value* const value = fields.find("stream");
  if (value == nullptr) return {};
  const bool is_null = value->kind == Value::Kind::null || (value->kind == Value::Kind::scalar && names_null_stream(value->text));
  if (is_null) {
    fields.error(*value, fmt::format("stream: {} would be CUDA's NULL stream, which waits for what all other streams of its process have "
                                     "begun, as they wait for it; no bound is proved for that. Give it a name and a stream of its own: "
                                     "cudaStreamCreateWithFlags with cudaStreamNonBlocking, or nvcc --default-stream per-thread",
                                     value->kind == Value::Kind::null ? "null" : quote(value->text)));
    return {};
  }
  const auto name = fields.name("stream");
  return name ? std::string(*name) : std::string();
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

void read_cluster(const Fields& fields, GpuDemand& demand) {
  const auto cluster = fields.integer("cluster", 1, most_in_cluster);
  if (!cluster) return;
  demand.cluster = static_cast<std::uint32_t>(*cluster);
  if (demand.B % *cluster == 0) return;
  fields.error(*fields.find("cluster"), fmt::format("cluster: {} does not divide B, {}: a kernel has whole clusters", *cluster, demand.B));
  demand.cluster = 1;
}

// `{alone: …}`
bool is_alone(const Value* value) {
  if (value == nullptr || value->kind != Value::Kind::mapping) return false;
  for (const Value* key = value->first(); key != value->next(); key = key->next()->next()) {
    if (key->kind == Value::Kind::scalar && key->text == "alone") return true;
  }
  return false;
}

/// Whether what the file says of its durations was measured alone: all of it or nothing.
void read_alone(const Fields& fields, const GpuPool& gpu, std::string_view pool, GpuDemand& kernel) {
  std::optional<std::string_view> alone, beside;
  for (const Key key : {Key("L"), Key("C"), Key("time")}) {
    const Value* const value = fields.find(key);
    if (value == nullptr) continue;
    (is_alone(value) ? alone : beside) = key.text();
  }
  if (!alone) return;
  const Value& at = *fields.find(Key(*alone));
  if (beside) {
    fields.error(
        at, fmt::format("{}: was measured alone, and {} was not: write `{}: {{alone: …}}`, too, or both as measured beside company", *alone,
                        *beside, *beside));
  } else if (!gpu.interference) {
    fields.error(at, fmt::format("{}: was measured alone, but GPU '{}' has no `interference`, which says what company adds", *alone, pool));
  } else if (kernel.cluster > 1) {
    fields.error(at,
                 fmt::format("{}: was measured alone, but company may change where clusters find room, which no factor counts: give the "
                             "longest times beside company",
                             *alone));
  } else {
    kernel.alone = true;
  }
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
  const bool of_kernel = fields.has("H") || key.text() == "time";
  range.allow_only(of_kernel ? KeySet(kernel_time_keys) : KeySet(time_keys));
  const bool alone = of_kernel && range.has("alone");
  if (alone && range.has("max")) {
    range.error(*range.find("max"), fmt::format("{}: alone and max are both given; the longest time is one of them", key.text()));
    return std::nullopt;
  }
  if (!alone && range.require("max", "the worst case") == nullptr) return std::nullopt;
  const Key longest_key = alone ? Key("alone") : Key("max");
  if (alone && !range.has("min") && !range.has("mode")) return range.time(longest_key, time_unit_, least, most);
  if (range.require("min", "the shortest time") == nullptr) return std::nullopt;
  const auto longest = range.time(longest_key, time_unit_, least, most);
  const auto shortest = range.time("min", time_unit_, 0, most);
  if (!longest || !shortest) return std::nullopt;
  if (*shortest > *longest) {
    range.error(*range.find("min"), fmt::format("{}: min is larger than {}", key.text(), longest_key.text()));
    return std::nullopt;
  }
  const auto time = [H](Wide work) { return to_time(work / static_cast<Wide>(H)); };
  *variation = Variation{time(*shortest), std::nullopt};
  if (range.has("mode")) {
    const auto mode = range.time("mode", time_unit_, 0, most);
    if (mode && (*mode < *shortest || *mode > *longest)) {
      range.error(*range.find("mode"),
                  fmt::format("{}: mode, the likeliest time, is not between min and {}", key.text(), longest_key.text()));
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

// Accepted where nothing waits for it; no bound and no simulation then depends on it.
void NodeReader::read_call(const Fields& fields) {
  std::vector<std::string_view> names;
  for (const GpuCall& call : gpu_calls()) names.push_back(call.name);
  const auto index = fields.choice("call", names);
  if (!index) return;
  const GpuCall& call = gpu_calls()[*index];
  const Value& at = *fields.find("call");
  if (call.copies) {
    fields.error(at,
                 fmt::format("call: {} is a copy that waits for all that runs on the GPU, and holds up other threads; no theorem covers "
                             "that: copy by cudaMemcpyAsync on a stream, as a node on copy engines",
                             call.name));
  } else if (call.awaits == Awaited::stream) {
    fields.error(at, fmt::format("call: {} waits for kernels and copies of its own job: give these as what the node follows (an edge), and "
                                 "leave the call out",
                                 call.name));
  } else if (!call.is_private()) {
    fields.error(at,
                 fmt::format("call: {} {}; no theorem covers that: {} (`rta lint` finds such calls, an experiment plays them)", call.name,
                             call.awaits == Awaited::nothing ? "keeps kernels of other DAGs from starting"
                             : call.blocks_callers ? "waits for all that runs on the GPU, and holds up other DAGs' launches meanwhile"
                                                   : "waits for all that runs on the GPU, work of other DAGs too",
                             call.awaits == Awaited::nothing ? "use cudaMemsetAsync on a stream of the job"
                             : call.blocks_callers           ? "free memory while no job runs, or by cudaFreeAsync"
                                                             : "wait for the job's own streams or events"));
  }
}

void NodeReader::read_entity(const Fields& fields, const PlatformReader::Executor* executor, CpuDemand& demand) {
  const auto entity = fields.choice("entity", entities);
  if (executor != nullptr && executor->by_entity) {
    if (const Value* const at = fields.find("priority"))
      fields.error(*at, fmt::format("priority: executor '{}' is of kind step and picks by `entity`; leave it out", executor->name));
    if (fields.require("entity", "what the callback belongs to, by which an executor of kind step picks") != nullptr && entity)
      demand.priority = static_cast<FixedPriority>(entities.size() - *entity);
  }
  if (executor != nullptr) return;
  if (const Value* const at = fields.find("entity"))
    fields.error(*at, "entity: is said of callbacks of an executor; give `executor` in place of `on`");
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

std::optional<GpuDemand> NodeReader::read_kernel_without_blocks(const Fields& fields, const GpuPool& gpu,
                                                                std::optional<Variation>* variation) const {
  const bool by_time = kernels_ != nullptr && fields.has("time");
  if (!by_time || (fields.has("B") && fields.has("H"))) return std::nullopt;
  const Value* one = fields.find("B");
  if (one == nullptr) one = fields.find("H");
  if (one != nullptr) {
    fields.error(*one, fmt::format("{} is given without {}: give both, or neither where only the duration of the kernel is known",
                                   fields.has("B") ? "B" : "H", fields.has("B") ? "H" : "B"));
  } else {
    for (const Key key : {Key("L"), Key("C"), Key("per"), Key("shared_memory"), Key("registers"), Key("cluster"), Key("cooperative")}) {
      if (const Value* const at = fields.find(key))
        fields.error(*at, fmt::format("{} is of blocks, and the kernel has no B and H: give them, or `time` alone", key.text()));
    }
  }
  const auto time = piece_time(fields, "time", "", 1, variation);
  return kernel_by_time(time.value_or(Time(1)), gpu, read_stream_priority(fields));
}

GpuDemand NodeReader::read_gpu(const Fields& fields, const GpuPool& gpu, std::string_view pool, std::optional<Variation>* variation) const {
  if (const auto whole = read_kernel_without_blocks(fields, gpu, variation)) return *whole;
  GpuDemand demand;
  static_cast<void>(fields.require("B", "the number of blocks per job"));
  static_cast<void>(fields.require("H", "the number of G-threads per block"));
  demand.B = fields.integer("B", 1, std::numeric_limits<std::int64_t>::max()).value_or(1);
  const auto H = fields.integer("H", 1, most_threads);
  if (const auto bytes = fields.size("shared_memory", 0)) demand.shared_memory = *bytes;
  if (const auto registers = fields.integer("registers", 0, 65'536)) demand.registers_per_thread = static_cast<std::uint32_t>(*registers);
  demand.priority = read_stream_priority(fields);
  read_cluster(fields, demand);
  demand.cooperative = fields.flag("cooperative").value_or(false);
  if (H) {
    demand.H = static_cast<std::uint32_t>(ceil_div(static_cast<Wide>(*H), gpu.allocation.warp) * gpu.allocation.warp);
    if (demand.H != *H) {
      fields.warn(*fields.find("H"),
                  fmt::format("H: {} is rounded up to {}, whole warps of {} G-threads", *H, demand.H, gpu.allocation.warp));
    }
    check_block(fields, demand, gpu, pool);
  }

  read_kernel_time(fields, H, variation, demand);
  return demand;
}

void NodeReader::read_kernel_time(const Fields& fields, std::optional<std::uint64_t> H, std::optional<Variation>* variation,
                                  GpuDemand& demand) const {
  const Value* const C_at = fields.find("C");
  const Value* const time_at = kernels_ != nullptr ? fields.find("time") : nullptr;
  const bool per_block = fields.choice("per", per_what).has_value();
  if (C_at != nullptr && fields.has("L")) {
    fields.error(*C_at, "L and C are both given; as C = L x H, give one of them");
    return;
  }
  if (per_block && C_at == nullptr) fields.error(*fields.find("per"), "per: says of C whose work it is; there is no C");
  if (time_at != nullptr && C_at != nullptr && !per_block) {
    fields.error(*time_at, "C and time are both given; where C is the work of one block, in G-threads x time, write `per: block`");
    return;
  }
  const bool bare = C_at != nullptr && kernels_ != nullptr && !per_block && !fields.has("per");
  if (bare) kernels_->any_bare = true;
  if (C_at != nullptr && (!bare || kernels_->reading == BareC::block)) {
    const auto C = piece_work(fields, "C", 1, H.value_or(most_threads), variation);
    if (!C || !H) return;
    demand.L = to_time(ceil_div(*C, static_cast<Wide>(*H)));
    // Threads added by rounding up run as long as the others.
    demand.C = Workload(demand.H == *H ? *C : static_cast<Wide>(demand.L.count()) * demand.H);
    if (bare) warn_of_bare_C(fields, demand);
    read_time_beside_blocks(fields, demand);
    return;
  }
  const bool has_L = fields.has("L");
  const Key key = C_at != nullptr ? Key("C") : time_at != nullptr && !has_L ? Key("time") : Key("L");
  demand.L = piece_time(fields, key, "the longest time of one block (or C = L x H)", 1, variation).value_or(Time());
  demand.C = Workload(static_cast<Wide>(demand.L.count()) * demand.H);
  if (has_L) {
    read_time_beside_blocks(fields, demand);
  } else if (key.text() != "L") {
    demand.time = demand.L;  // no block lasts longer than its kernel
  }
}

void NodeReader::read_time_beside_blocks(const Fields& fields, GpuDemand& demand) const {
  if (kernels_ == nullptr || !fields.has("time")) return;
  const Value& value = *fields.find("time");
  std::optional<Time> time;
  if (is_alone(&value)) {
    const Fields alone = fields.within("time", value);
    alone.allow_only(KeySet(alone_keys));
    if (const auto ns = alone.time("alone", time_unit_, 1)) time = to_time(*ns);
  } else {
    time = piece_time(fields, "time", "", 1, nullptr);
  }
  if (!time) return;
  if (*time < demand.L) {
    fields.error(*fields.find("time"), fmt::format("time: {}, the longest duration of the kernel, is less than L, {}, the longest of one "
                                                   "of its blocks",
                                                   time_text(*time), time_text(demand.L)));
    return;
  }
  demand.time = *time;
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
  const Value* const by = fields.find("executor");
  const Value* const on = by != nullptr ? fields.find("on") : fields.require("on", "the pool that it runs on");
  if (form == NodeForm::node) {  // a task's is its DAG's
    if (const auto deadline = fields.time("D", time_unit_, 1)) node.deadline = to_time(*deadline);
  }
  if (const auto sequential = fields.flag("sequential")) node.sequential = *sequential;
  if (const auto group = fields.name("group")) node.group = *group;
  node.stream = read_stream(fields);
  std::optional<PoolId> id;
  const PlatformReader::Executor* executor = nullptr;
  if (by != nullptr) {
    if (on != nullptr) fields.error(*on, "on: the executor says where the node runs; leave out one of `on` and `executor`");
    executor = platform_.executor(*by, fields);
    if (executor != nullptr) id = executor->pool;
  } else if (on != nullptr) {
    id = platform_.resolve(*on, fields);
    const auto* const other = id ? platform_.executor_on(*id) : nullptr;
    if (other != nullptr) {
      fields.error(*on,
                   fmt::format("on: executor '{0}' has pool '{1}' to itself; write `executor: {0}` for a callback of it, or give another "
                               "pool",
                               other->name, platform_.pool(*id).name));
    }
  }
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
    case PoolKind::cpu: {
      CpuDemand demand = read_cpu(fields, pool, &node.variation);
      read_entity(fields, executor, demand);
      read_call(fields);
      node.demand = demand;
      break;
    }
    case PoolKind::gpu: {
      const auto& gpu = std::get<GpuPool>(pool.resource);
      GpuDemand kernel = read_gpu(fields, gpu, pool.name, &node.variation);
      read_class(fields, gpu, pool.name, kernel);
      read_alone(fields, gpu, pool.name, kernel);
      node.demand = kernel;
      break;
    }
    case PoolKind::engines: node.demand = read_copy(fields, std::get<EnginePool>(pool.resource), pool.name, &node.variation); break;
    case PoolKind::workers: node.demand = read_worker(fields, &node.variation); break;
  }
}

}  // namespace rta::io
