#include <fmt/format.h>

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "contexts.hpp"
#include "node_reader.hpp"
#include "rta/io/experiment_file.hpp"
#include "yaml_document.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 4> experiment_keys{"platform", "experiment", "time_unit", "copy_rate"};
constexpr std::array<std::string_view, 17> kernel_keys{"kernel",  "process",  "on",    "stream",        "at",        "B",
                                                       "H",       "L",        "C",     "shared_memory", "registers", "priority",
                                                       "copy_in", "copy_out", "after", "delay",         "per"};
constexpr std::array<std::string_view, 10> copy_keys{"copy", "on", "stream", "at", "C", "size", "direction", "after", "delay", "call"};
constexpr std::array<std::string_view, 6> calling_keys{"call", "name", "stream", "at", "after", "delay"};

// Of calls that are copies, or of the others.
std::vector<std::string_view> call_names(bool copies) {
  std::vector<std::string_view> names;
  for (const GpuCall& call : gpu_calls()) {
    if (call.copies == copies) names.push_back(call.name);
  }
  return names;
}

class ExperimentReader {
 public:
  ExperimentReader(const PlatformReader& platform, const Unit* time_unit, std::optional<std::uint64_t> copy_rate, Diagnostics& out)
      : platform_(platform),
        nodes_(platform, time_unit),
        contexts_(platform, out),
        time_unit_(time_unit),
        copy_rate_(copy_rate),
        out_(out) {}

  void read(const Value& list) {
    if (list.kind != Value::Kind::sequence) {
      if (list.kind != Value::Kind::rejected) {
        out_.error(list.mark, fmt::format("experiment: a list of kernels, copies and calls is expected, not {}", kind_text(list)));
      }
      return;
    }
    if (list.first() == list.next()) out_.error(list.mark, "experiment: it has no operation");
    for (const Value* entry = list.first(); entry != list.next(); entry = entry->next()) read_entry(*entry);
  }
  /// Reports GPUs that several processes use without `sharing`.
  void check() const { contexts_.check(); }
  /// The platform with a pool per context. Requires that nothing was reported.
  [[nodiscard]] std::vector<Pool> take_pools(std::vector<Pool> pools) {
    std::vector<Pool> all = contexts_.split(std::move(pools));
    calling_pool_ = all.size();
    if (calls_ > 0) all.push_back({std::string(calling_threads), CpuPool{.processors = calls_}});
    return all;
  }
  /// After `take_pools`.
  [[nodiscard]] std::vector<Operation> take() {
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const bool is_call = std::holds_alternative<CallDemand>(operations_[i].demand);
      operations_[i].pool = is_call ? calling_pool_ : contexts_.place(operations_[i].pool, processes_[i]);
    }
    return std::move(operations_);
  }

 private:
  void read_entry(const Value& entry) {
    Fields fields(entry, {"operation", ""}, out_);
    if (!fields.usable()) return;
    const bool kernel = fields.has("kernel");
    const bool call = fields.has("call") && !fields.has("copy");
    if (kernel + fields.has("copy") + call != 1) {
      fields.error(entry, "either `kernel: NAME`, `copy: NAME` or `call: FUNCTION` is needed");
      return;
    }
    if (call) {
      read_call(fields);
      return;
    }
    const auto name = fields.name(kernel ? Key("kernel") : Key("copy"));
    if (!name) return;
    fields.rename({kernel ? "kernel" : "copy", *name});
    if (kernel) {
      fields.allow_only(kernel_keys);
    } else {
      fields.allow_only(copy_keys);
    }
    Operation operation = read_issue(fields);
    const auto pool = read_pool(fields, kernel);
    if (!pool) return;
    operation.pool = *pool;
    if (kernel) {
      read_kernel(fields, *name, operation);
    } else {
      read_copy(fields, *name, operation);
    }
  }

  void read_call(Fields& fields) {
    fields.allow_only(calling_keys);
    const std::vector<std::string_view> names = call_names(false);
    const auto index = fields.choice("call", names);
    if (!index) return;
    const GpuCall* const call = gpu_call(names[*index]);
    const std::string_view name = fields.name("name").value_or(call->name);
    fields.rename({"call", name});
    Operation operation;
    operation.demand = CallDemand{call};
    if (call->awaits == Awaited::stream) {
      operation.stream = read_stream(fields, "the stream that it waits for");
    } else if (fields.has("stream")) {
      fields.error(*fields.find("stream"), fmt::format("stream: {} waits for no stream of its own", call->name));
    }
    read_instant(fields, operation);
    check_one_gpu(fields);
    ++calls_;
    add(fields, std::string(name), std::move(operation));
  }

  // What calls wait for, and hold up, is the work of one device.
  void check_one_gpu(const Fields& fields) const {
    const auto gpu = platform_.only(PoolKind::gpu, "GPU", fields.mapping().mark, fields.subject());
    if (gpu && std::get<GpuPool>(platform_.pool(*gpu).resource).sharing)
      fields.error(fields.mapping(), "a call is not played on a GPU that processes share: which of them it holds up is not known");
  }

  [[nodiscard]] static std::string read_stream(const Fields& fields, std::string_view hint) {
    const Value* const stream = fields.require("stream", hint);
    if (stream != nullptr && stream->kind == Value::Kind::null) {
      fields.error(*stream, "stream: nothing is given; the NULL stream is written in quotes: \"NULL\"");
      return {};
    }
    return std::string(fields.name("stream").value_or(std::string_view()));
  }

  // When and on which stream: what all operations of an entry share.
  [[nodiscard]] Operation read_issue(const Fields& fields) {
    Operation out;
    if (fields.has("call")) {
      read_copying_call(fields, out);
    } else {
      out.stream = read_stream(fields, "the stream that it is issued on");
    }
    read_instant(fields, out);
    return out;
  }
  void read_copying_call(const Fields& fields, Operation& out) const {
    static_cast<void>(fields.choice("call", call_names(true)));
    out.by_memcpy = true;
    out.stream = null_stream;
    if (const Value* const stream = fields.find("stream"); stream != nullptr && fields.name("stream").value_or("") != null_stream)
      fields.error(*stream, "stream: cudaMemcpy copies on the NULL stream");
    check_one_gpu(fields);
  }
  void read_instant(const Fields& fields, Operation& out) {
    if (!fields.has("at") && !fields.has("after"))
      fields.error(fields.mapping(), "'at' is missing: the instant at which it is issued (or `after`)");
    if (const auto at = fields.time("at", time_unit_, 0)) out.at = to_time(*at);
    if (const auto delay = fields.time("delay", time_unit_, 0)) out.delay = to_time(*delay);
    const Value* const after = fields.find("after");
    if (fields.has("delay") && after == nullptr)
      fields.error(*fields.find("delay"), "delay: it counts from the end of operations in `after`");
    if (after != nullptr) read_after(fields, *after, out);
  }
  void read_after(const Fields& fields, const Value& after, Operation& out) {
    const auto add = [&](const Value& name) {
      if (name.kind == Value::Kind::rejected) return;
      const auto at = last_of_.find(name.text);
      if (name.kind != Value::Kind::scalar || at == last_of_.end()) {
        fields.error(name, "after: the names of operations further up are expected");
      } else {
        out.after.push_back(at->second);
      }
    };
    if (after.kind != Value::Kind::sequence) {
      add(after);
      return;
    }
    for (const Value* name = after.first(); name != after.next(); name = name->next()) add(*name);
  }

  [[nodiscard]] std::optional<PoolId> read_pool(const Fields& fields, bool kernel) const {
    const PoolKind kind = kernel ? PoolKind::gpu : PoolKind::engines;
    const std::string_view what = kernel ? "GPU" : "copy engines";
    const Value* const on = fields.find("on");
    if (on == nullptr) return platform_.only(kind, what, fields.mapping().mark, fields.subject());
    const auto pool = platform_.resolve(*on, fields);
    if (pool && platform_.pool(*pool).kind() != kind) {
      fields.error(*on, fmt::format("on: '{}' is no {}", on->text, what));
      return std::nullopt;
    }
    return pool;
  }

  void read_kernel(const Fields& fields, std::string_view name, Operation operation) {
    const Pool& pool = platform_.pool(operation.pool);
    Operation copy = operation;
    if (fields.has("copy_in") || fields.has("copy_out")) {
      const auto engines = platform_.only(PoolKind::engines, "copy engines", fields.mapping().mark, fields.subject());
      if (!engines) return;
      copy.pool = *engines;
    }
    const auto add_copy = [&](std::string_view key, std::string_view suffix, Direction direction) {
      const auto duration = read_duration(fields, key);
      if (!duration) return;
      copy.demand = CopyDemand{*duration, direction};
      add(fields, fmt::format("{}:{}", name, suffix), copy);
    };
    add_copy("copy_in", "in", Direction::h2d);
    operation.demand = nodes_.read_gpu(fields, std::get<GpuPool>(pool.resource), pool.name);
    const std::string_view process = fields.name("process").value_or(std::string_view());
    contexts_.add(operation.pool, process, fields.has("process") ? fields.find("process")->mark : fields.mapping().mark);
    check_stream(fields, operation, process);
    add(fields, std::string(name), std::move(operation), process);
    add_copy("copy_out", "out", Direction::d2h);
    if (!operations_.empty()) last_of_[name] = operations_.size() - 1;
  }

  // Streams are a process's own.
  void check_stream(const Fields& fields, const Operation& operation, std::string_view process) {
    const Value* const at = fields.find("stream");
    if (at == nullptr || !std::get<GpuPool>(platform_.pool(operation.pool).resource).sharing) return;
    if (operation.stream == null_stream) {
      fields.error(*at, "stream: where processes share a GPU each has a NULL stream of its own; give the stream a name");
    } else if (const auto [of, fresh] = process_of_.emplace(operation.stream, process); !fresh && of->second != process) {
      fields.error(*at, fmt::format("stream: '{}' is another process's above; streams are not shared", operation.stream));
    }
  }

  void read_copy(const Fields& fields, std::string_view name, Operation operation) {
    const Pool& pool = platform_.pool(operation.pool);
    CopyDemand demand;
    if (fields.has("size") == fields.has("C")) {
      fields.error(fields.mapping(), "either C (its time) or size is needed");
    } else if (fields.has("size")) {
      demand.C = read_duration(fields, "size").value_or(Time());
      static constexpr std::array<std::string_view, 2> directions{"h2d", "d2h"};
      if (const auto direction = fields.choice("direction", directions)) demand.direction = static_cast<Direction>(*direction);
    } else {
      demand = nodes_.read_copy(fields, std::get<EnginePool>(pool.resource), pool.name);
    }
    operation.demand = demand;
    add(fields, std::string(name), std::move(operation));
  }

  // A time, or a size divided by the copy rate, rounded up.
  [[nodiscard]] std::optional<Time> read_duration(const Fields& fields, std::string_view key) const {
    const Value* const value = fields.find(key);
    if (value == nullptr) return std::nullopt;
    if (key != "size" && (value->kind != Value::Kind::scalar || !value->text.ends_with('B'))) {
      const auto time = fields.time(key, time_unit_, 0);
      return time ? std::optional(to_time(*time)) : std::nullopt;
    }
    const auto bytes = fields.size(key, 0);
    if (!bytes) return std::nullopt;
    if (!copy_rate_) {
      fields.error(*value, fmt::format("{}: a size needs `copy_rate` (bytes per second, e.g. 1280 MiB) at the top of the file", key));
      return std::nullopt;
    }
    return to_time(ceil_div(static_cast<Wide>(*bytes) * 1'000'000'000, static_cast<Wide>(*copy_rate_)));
  }

  void add(const Fields& fields, std::string name, Operation operation, std::string_view process = {}) {
    operation.name = std::move(name);
    names_.push_back(std::make_unique<std::string>(operation.name));
    if (!last_of_.emplace(*names_.back(), operations_.size()).second) {
      fields.error(fields.mapping(), fmt::format("an operation '{}' exists already", operation.name));
    }
    operations_.push_back(std::move(operation));
    processes_.push_back(process);
  }

  const PlatformReader& platform_;
  NodeReader nodes_;
  Contexts contexts_;
  const Unit* time_unit_;
  std::optional<std::uint64_t> copy_rate_;  // bytes per second
  Diagnostics& out_;
  std::vector<Operation> operations_;
  std::uint32_t calls_ = 0;
  PoolId calling_pool_ = 0;
  std::vector<std::string_view> processes_;                       // of each operation; of copies empty
  std::unordered_map<std::string, std::string_view> process_of_;  // of streams on GPUs that processes share
  std::vector<std::unique_ptr<std::string>> names_;
  std::unordered_map<std::string_view, std::size_t> last_of_;  // of an operation or of a kernel's entry: its last operation
};

}  // namespace

ExperimentResult parse_experiment(std::string_view text, const std::string& name) {
  Diagnostics out(name);
  const YamlDocument document(text, out, "an experiment has `platform` and `experiment`");
  const Fields top(document.root(), {}, out);
  top.allow_only(experiment_keys);
  const Unit* const time_unit = read_time_unit(top);
  PlatformReader platform(out);
  if (const Value* const value = top.require("platform", "the GPU and the copy engines")) platform.read(*value, time_unit);
  platform.refuse_partitions("an experiment knows");
  platform.refuse_launch_costs("an experiment knows");
  ExperimentReader reader(platform, time_unit, top.size("copy_rate", 1), out);
  if (const Value* const value = top.require("experiment", "the list of operations")) reader.read(*value);
  reader.check();
  out.throw_if_failed();
  std::vector<Pool> pools = reader.take_pools(platform.take());
  return {Experiment(std::filesystem::path(name).filename().string(), std::move(pools), reader.take()), out.take_warnings()};
}

std::variant<ReadResult, ExperimentResult> parse_task_set_or_experiment(std::string_view text, const std::string& name) {
  // A file that is not even YAML is reported as a task set.
  Diagnostics ignored(name);
  bool experiment = false;
  // Large files are not read twice: without that word, and without an escape that could stand for it, no key is that word.
  const bool has_word = text.find("experiment") != std::string_view::npos || text.find('\\') != std::string_view::npos;
  if (has_word && text.size() <= largest_file()) {
    const YamlTree tree(text, ignored);
    experiment = tree.root() != nullptr && tree.root()->kind == Value::Kind::mapping && Fields(*tree.root(), {}, ignored).has("experiment");
  }
  if (experiment) return parse_experiment(text, name);
  return parse_task_set(text, name);
}

}  // namespace rta::io
