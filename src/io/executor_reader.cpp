// `executors:` of a task-set file.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform_reader.hpp"

namespace rta::io {
namespace {

constexpr std::uint64_t most_executor_threads = 1'000'000;
constexpr std::array<std::string_view, 4> executor_keys{"on", "kind", "threads", "reservation"};
constexpr std::array<std::string_view, 5> executor_kinds{"wait-set", "events", "priority", "step", "multi-threaded"};

/// The order in which an executor of that kind and so many threads picks callbacks.
CpuPool order_of(std::string_view kind, std::uint32_t threads) {
  if (kind == "multi-threaded") return {.processors = threads, .scheduler = Scheduler::multi_threaded, .preemptive = false};
  if (kind == "wait-set") return {.processors = 1, .scheduler = Scheduler::wait_set, .preemptive = false};
  if (kind == "events") return {.processors = 1, .scheduler = Scheduler::fifo, .preemptive = true, .callbacks = true};
  return {.processors = 1, .scheduler = Scheduler::fp, .preemptive = false, .equals = Equals::any, .callbacks = true};
}

/// What executors have elsewhere, and not here.
struct Missing {
  std::string_view key, says;
};
constexpr std::array<Missing, 1> missing{
    {{"priority", "an executor has its processor to itself here, so that its thread needs no priority"}}};

bool refuse_missing(const Fields& fields) {
  bool any = false;
  for (const Missing& one : missing) {
    const Value* const at = fields.find(one.key);
    if (at == nullptr) continue;
    fields.error(*at, fmt::format("{}: {}", one.key, one.says));
    any = true;
  }
  return any;
}

}  // namespace

void PlatformReader::read_executors(const Value& executors, const Unit* time_unit) {
  const Fields names(executors, {}, out_, "executors");  // reports duplicates
  if (!names.usable()) return;
  for (const auto& [key, value] : names.all()) {
    if (const auto fault = name_fault(key->text)) out_.error(key->mark, *fault);
    const Fields fields(*value, {"executor", key->text}, out_);
    Executor& executor = executors_.emplace_back();
    executor.name = key->text;
    if (!fields.usable() || refuse_missing(fields)) continue;
    fields.allow_only(executor_keys);
    const Value* const on = fields.require("on", "the CPU pool that it has to itself, with a processor for each of its threads");
    static_cast<void>(fields.require("kind", "how it picks callbacks: wait-set, events, priority, step or multi-threaded"));
    const auto kind = fields.choice("kind", executor_kinds);
    const auto pool = on != nullptr ? resolve(*on, fields) : std::nullopt;
    if (!pool || !kind) continue;
    const auto* const cpu = std::get_if<CpuPool>(&pools_[*pool].resource);
    const bool several = executor_kinds[*kind] == "multi-threaded";
    const Value* const threads_at = fields.find("threads");
    if (threads_at != nullptr && !several) {
      fields.error(*threads_at, fmt::format("threads: an executor of kind {} has one thread; give kind: multi-threaded, or leave it out",
                                            executor_kinds[*kind]));
      continue;
    }
    const auto threads = fields.integer("threads", 1, most_executor_threads);
    if (several && cpu == nullptr) {
      fields.error(*on, fmt::format("on: an executor has a processor of its own for each of its threads, and pool '{}' has no processors; "
                                    "give a CPU pool",
                                    pools_[*pool].name));
      continue;
    }
    if (several && threads && *threads > cpu->processors) {
      fields.error(*threads_at, fmt::format("threads: each of the {} threads needs a processor of its own, and CPU pool '{}' has {}",
                                            *threads, pools_[*pool].name, cpu->processors));
      continue;
    }
    if (!several && (cpu == nullptr || cpu->processors != 1)) {
      fields.error(*on, fmt::format("on: an executor has one thread and a processor of its own, and {} '{}' {}; give a CPU pool of one "
                                    "processor (processors: 1, or one of a partitioned pool)",
                                    cpu == nullptr ? "pool" : "CPU pool", pools_[*pool].name,
                                    cpu == nullptr ? "has no processors" : fmt::format("has {}", cpu->processors)));
      continue;
    }
    if (const Executor* const other = executor_on(*pool)) {
      fields.error(*on, fmt::format("on: executor '{}' has pool '{}' to itself; give another CPU pool of one processor", other->name,
                                    pools_[*pool].name));
      continue;
    }
    pools_[*pool].resource = order_of(executor_kinds[*kind], several ? static_cast<std::uint32_t>(threads.value_or(cpu->processors)) : 1);
    if (const Value* const at = fields.find("reservation")) {
      auto& to = std::get<CpuPool>(pools_[*pool].resource);
      if (several) {
        fields.error(*at, "reservation: is for executors of one thread; of several in reservations there are no bounds yet");
      } else {
        to.reservation = read_reservation(fields, *at, time_unit);
      }
    }
    executor.pool = *pool;
    executor.by_entity = executor_kinds[*kind] == "step";
  }
}

const PlatformReader::Executor* PlatformReader::executor(const Value& word, const Fields& node) const {
  if (word.kind != Value::Kind::scalar) {
    if (word.kind != Value::Kind::rejected)
      node.error(word, fmt::format("executor: the name of an executor is expected, not {}", kind_text(word)));
    return nullptr;
  }
  const auto at = std::ranges::find(executors_, word.text, &Executor::name);
  if (at != executors_.end()) return &*at;
  std::vector<std::string_view> names;
  names.reserve(executors_.size());
  for (const Executor& executor : executors_) names.push_back(executor.name);
  node.error(word, names.empty() ? std::string("executor: the file has no `executors`; say there on which pool each is, and of which kind")
                                 : fmt::format("executor: {} is not known{} (executors: {})", quote(word.text),
                                               suggestion(word.text, names), joined(names)));
  return nullptr;
}

const PlatformReader::Executor* PlatformReader::executor_on(PoolId pool) const {
  const auto at = std::ranges::find(executors_, std::optional(pool), &Executor::pool);
  return at == executors_.end() ? nullptr : &*at;
}

}  // namespace rta::io
