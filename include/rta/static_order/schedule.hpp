// Static schedules: the order in which every resource serves its runnables, and what each of them waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::static_order {

/// When a submittee may start: when its submitter has ended, or together with it. Then its WCET counts from its submitter's start, and is
/// at least its submitter's.
enum class Submittee : std::uint8_t { after, overlap };
[[nodiscard]] std::string_view to_string(Submittee submittee);

enum class Role : std::uint8_t { runnable, submitter, submittee, frame_sync };
/// `runnable`, `submitter`, `submittee`, `frame-sync`.
[[nodiscard]] std::string_view to_string(Role role);

/// One runnable, or slot of several that take turns, in one frame. Ids are indexes into `ScheduledHyperepoch::runnables`, resources into
/// `ScheduledHyperepoch::resources`; times count from the start of the hyperepoch.
struct ScheduledRunnable {
  std::string name;
  std::string client;              // of a runnable; empty for slots of several and for frame-sync
  std::vector<std::string> steps;  // of such a slot: `client.name`, or empty for nobody
  Role role = Role::runnable;
  std::size_t epoch = 0;  // index into ScheduledHyperepoch::epochs
  std::uint64_t frame = 0;
  std::vector<std::size_t> resources;
  std::optional<std::size_t> stream;  // of a submittee
  std::vector<std::size_t> submits;
  std::vector<std::size_t> after;        // must have ended
  std::vector<std::size_t> after_start;  // must have started
  Time release;
  std::optional<Time> deadline;
  Time wcet;
  Time start;  // latest, as proven; so is `end`
  Time end;
  /// Of a kernel on a resource that is shared: how many blocks it has, and what each of them takes of the capacity. 0: it runs alone.
  std::uint64_t blocks = 0;
  std::int64_t weight = 0;
  bool operator==(const ScheduledRunnable&) const = default;

  /// `client.name`, or the name alone.
  [[nodiscard]] std::string full_name() const { return client.empty() ? name : client + "." + name; }
};

struct ScheduledResource {
  std::string name;
  std::string type;
  std::optional<std::size_t> serves;  // of a stream
  bool operator==(const ScheduledResource&) const = default;
};

/// A GPU without an order of its own: kernels start when they are ready. `weights` (T15w): orders keep those that may overlap so few that
/// all blocks find room at once. `streams` (T15g): they wait for one another.
struct Sharing {
  enum class By : std::uint8_t { weights, streams };
  std::size_t resource = 0;
  By by = By::weights;
  std::int64_t capacity = 0;  // g SMs, each of which holds at least capacity/g of weight whenever a block finds no room on it
  bool operator==(const Sharing&) const = default;
};

struct ScheduledEpoch {
  std::string name;
  Time period;
  std::uint64_t frames = 1;
  bool operator==(const ScheduledEpoch&) const = default;
};

struct ScheduledHyperepoch {
  std::string name;
  Time period;
  Time length;       // the largest `end`
  Time lower_bound;  // no schedule is shorter
  std::vector<ScheduledResource> resources;
  std::vector<Sharing> sharing;
  std::vector<ScheduledEpoch> epochs;
  std::vector<ScheduledRunnable> runnables;  // each after all that it waits for; each resource serves them in this order
  bool operator==(const ScheduledHyperepoch&) const = default;
};

struct Schedule {
  std::string graph;         // the file it was made from
  std::string graph_sha256;  // of its bytes
  std::uint32_t identifier = 0;
  Submittee submittee = Submittee::after;
  std::vector<std::string> clients;
  std::vector<ScheduledHyperepoch> hyperepochs;
  bool operator==(const Schedule&) const = default;
};

}  // namespace rta::static_order
