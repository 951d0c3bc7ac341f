#include "chosen_executors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "../pools.hpp"

namespace rta::convert {
namespace {

std::string_view type_text(ExecutorKind kind) {
  switch (kind) {
    case ExecutorKind::single_threaded: return "single_threaded_executor";
    case ExecutorKind::static_single_threaded: return "static_single_threaded_executor";
    case ExecutorKind::events: return "events_executor";
    case ExecutorKind::multi_threaded: break;
  }
  return "multi_threaded_executor";
}

}  // namespace

const ChosenExecutor* ChosenExecutors::find(const std::string& pool) const {
  const auto at = std::ranges::find(options_.executors, pool, &ChosenExecutor::name);
  return at == options_.executors.end() ? nullptr : &*at;
}

std::string ChosenExecutors::type_of(const std::string& pool, const std::string& of_trace, std::size_t threads_seen) {
  pools_.insert(pool);
  const ChosenExecutor* const chosen = find(pool);
  if (chosen == nullptr) return of_trace;
  const std::string_view type = type_text(chosen->kind);
  if (!of_trace.empty() && of_trace != type)
    refuse(notes_.file(), fmt::format("--executor: '{}' is a {} in the trace, no {}", pool, one_line(of_trace, 40), type));
  const bool several = chosen->kind == ExecutorKind::multi_threaded;
  const std::size_t threads = several ? chosen->threads.value_or(static_cast<std::uint32_t>(threads_seen)) : 1;
  if (threads < threads_seen) {
    refuse(notes_.file(), fmt::format("--executor: '{}' ran callbacks on {} threads, so that it has no fewer{}", pool, threads_seen,
                                      several ? "" : " and is multi-threaded"));
  }
  if (of_trace.empty())
    notes_.assume(fmt::format("executor '{}' is a {} (--executor): OF ANOTHER TYPE THE BOUNDS DO NOT HOLD", pool, type));
  return std::string(type);
}

std::optional<std::uint32_t> ChosenExecutors::threads_of(const std::string& pool) const {
  const auto of_processors = processors_of(options_, pool, notes_);
  const ChosenExecutor* const chosen = find(pool);
  if (chosen == nullptr || !chosen->threads) return of_processors;
  if (of_processors && *of_processors != *chosen->threads) {
    refuse(notes_.file(),
           fmt::format("--executor: '{}' has {} threads by it, and {} by --processors", pool, *chosen->threads, *of_processors));
  }
  return chosen->threads;
}

void ChosenExecutors::check_names() const {
  for (const ChosenExecutor& one : options_.executors) {
    if (pools_.contains(one.name)) continue;
    refuse(notes_.file(),
           fmt::format("--executor {}: no executor is called so (there are: {})", one_line(one.name, 60), fmt::join(pools_, ", ")));
  }
}

}  // namespace rta::convert
