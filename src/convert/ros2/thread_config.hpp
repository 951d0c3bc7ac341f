// The file by which callback_isolated_executor gives the thread of each callback group its place: read, and written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../io/diagnostics.hpp"

namespace rta::convert {

struct IsolatedCallback {
  std::string kind;  // `Timer`, `Subscription`, `Service`, `Client`
  std::string of;    // its period in ns, its topic or its service
  bool operator==(const IsolatedCallback&) const = default;
};

struct IsolatedThread {
  std::string id;        // as it stands in the file
  bool by_name = false;  // `name` in place of `id`
  std::optional<std::uint64_t> domain;
  std::vector<std::uint32_t> affinity;                  // processors; none: all
  std::string policy;                                   // `SCHED_FIFO`
  std::int64_t priority = 0;                            // of the policy, or nice
  bool nice = false;                                    // the file calls it so
  std::uint64_t runtime = 0, deadline = 0, period = 0;  // ns, of SCHED_DEADLINE
  // Of a callback group, by its id.
  std::string node;  // of ROS 2, with its namespace
  std::vector<IsolatedCallback> callbacks;
  io::Mark at, affinity_at, policy_at;

  [[nodiscard]] bool is_fixed() const { return policy == "SCHED_FIFO" || policy == "SCHED_RR"; }
  [[nodiscard]] bool is_deadline() const { return policy == "SCHED_DEADLINE"; }
  [[nodiscard]] bool is_real_time() const { return is_fixed() || is_deadline(); }
};

struct ThreadConfig {
  std::vector<std::pair<std::string, std::string>> hardware, throttling;  // keys and values as they stand in the file
  std::vector<IsolatedThread> groups, others;
};

/// What is wrong of it is thrown as `io::InputError`, with its places.
[[nodiscard]] ThreadConfig read_thread_config(const std::filesystem::path& file, std::vector<io::Diagnostic>& warnings);
[[nodiscard]] std::string format_thread_config(const ThreadConfig& config);

}  // namespace rta::convert
