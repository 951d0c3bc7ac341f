// What `rta lint` looks for: rules, the assumption of the bounds that breaking each one takes away, and the remedy. They are data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rta::lint {

/// How sure it is that bounds lose their footing.
enum class Level : std::uint8_t {
  note,     // the task set must know of it
  warning,  // it may; documents or devices differ
  error     // they do
};
[[nodiscard]] std::string_view to_string(Level level);
[[nodiscard]] std::optional<Level> level_named(std::string_view name);

/// What bounds take for granted.
enum class Assumption : std::uint8_t {
  independent_kernels,  // kernels of different streams do not wait for each other
  independent_threads,  // no call holds other threads up
  own_predecessors,     // a job waits for its predecessors alone
  sleeping_waits,       // a thread that waits for the GPU sleeps
  known_nodes,          // every kernel and copy is a node of the task set
  single_copies,        // a copy is one operation of one engine
  single_blocks,        // blocks start one by one, as they fit
  bounded_blocks,       // L covers a block's execution
  stream_per_job,       // only the DAG's edges order its kernels
  prepared,             // memory, streams, modules and plans are there before the first release
  fixed_carveout,       // the shared-memory carve-out does not change
  readable_marks        // none of the bounds: marks say what was meant
};
[[nodiscard]] std::string_view statement(Assumption assumption);

enum class RuleId : std::uint8_t {
  device_sync,
  free,
  allocation,
  sync_copy,
  sync_memset,
  null_stream,
  async_without_stream,
  blocking_stream,
  pageable_copy,
  managed_memory,
  library_stream,
  creation,
  reconfiguration,
  active_wait,
  host_function,
  graph_launch,
  cooperative_launch,
  device_launch,
  dependent_launch,
  conditional_graph,
  client_limit,
  launch,
  unknown_library,
  measured_blocking,
  bad_mark,
  unused_allow
};
inline constexpr std::size_t rule_count = 26;

/// Where breaking it matters.
enum class Scope : std::uint8_t {
  job,  // what jobs do, directly or through what they call
  all   // start-up, too: what it makes stays
};

struct Rule {
  RuleId id = RuleId::device_sync;
  std::string_view name;  // e.g. `null-stream`: in marks, reports and on the command line
  Level level = Level::error;
  Scope scope = Scope::job;
  Assumption breaks = Assumption::independent_kernels;
  std::string_view says;    // of code that breaks it, as the end of a sentence that begins with the call
  std::string_view remedy;  // an imperative
  std::string_view source;  // who says so
};

/// In the order of the enumeration.
[[nodiscard]] std::span<const Rule> rules();
[[nodiscard]] const Rule& rule(RuleId id);
[[nodiscard]] const Rule* rule_named(std::string_view name);

}  // namespace rta::lint
