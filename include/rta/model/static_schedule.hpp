// A compiled schedule: in which order every resource serves its runnables, and when each has ended at the latest (T15).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta {

/// runnable: a function on a core or an engine. submitter: a function that puts work onto a stream. submittee: that work. frame_sync: the
/// start of an epoch's frame, which nobody runs.
enum class StaticKind : std::uint8_t { runnable, submitter, submittee, frame_sync };

/// What a resource is at run time. Processors, engines and mutexes serve one runnable at a time, in the order of the list; so does a stream
/// its submitters. What a shared resource runs is ordered by nothing but dependencies.
enum class StaticResourceKind : std::uint8_t { processor, engine, stream, mutex, shared };

struct StaticResource {
  std::string name;  // of a stream, as its client registers it
  StaticResourceKind kind = StaticResourceKind::processor;
  bool operator==(const StaticResource&) const = default;
};

struct StaticEpoch {
  std::string name;
  Time period;               // from one frame to the next
  std::uint32_t frames = 1;  // in a frame of its hyperepoch
  bool operator==(const StaticEpoch&) const = default;
};

/// A function or a submittee of a process.
struct StaticStep {
  std::size_t client = 0;
  std::string name;
  bool operator==(const StaticStep&) const = default;
};

/// A runnable in one frame of its epoch. Times count from the start of the hyperepoch's frame.
struct StaticJob {
  /// What takes this slot, in turn: in frame n of the hyperepoch, frame k of the epoch's K takes step (n K + k) mod the number of steps.
  /// Nothing: the slot stays empty in its turn. Of a frame_sync there is none.
  std::vector<std::optional<StaticStep>> steps;
  StaticKind kind = StaticKind::runnable;
  std::size_t epoch = 0;
  std::uint32_t frame = 0;               // of the epoch
  std::vector<std::size_t> resources;    // that it holds
  std::optional<std::size_t> stream;     // of a submittee
  std::vector<std::size_t> submits;      // jobs, of a submitter
  std::vector<std::size_t> after;        // jobs that must have ended; each stands before it
  std::vector<std::size_t> after_start;  // jobs that must have started; each stands before it
  Time release;                          // not before
  Time wcet;
  Time end;  // proven: it ends no later
  bool operator==(const StaticJob&) const = default;
};

struct StaticHyperepoch {
  std::string name;
  std::optional<Time> period;  // none: a frame begins when the one before has ended
  Time length;                 // proven: all has ended
  std::vector<StaticResource> resources;
  std::vector<StaticEpoch> epochs;
  std::vector<StaticJob> jobs;  // in an order that every resource keeps
  bool operator==(const StaticHyperepoch&) const = default;
};

struct StaticSchedule {
  std::string file;    // name of the schedule's file, without its folder
  std::string sha256;  // of that file, 64 hexadecimal digits
  std::uint16_t identifier = 0;
  std::vector<std::string> clients;  // processes
  std::vector<StaticHyperepoch> hyperepochs;
  bool operator==(const StaticSchedule&) const = default;
};

/// The jobs that each job of a hyperepoch waits for: those it must run after, and those that stand before it on its resources and in its
/// stream. Indices, ascending, without repetition; `after_start` is not among them.
[[nodiscard]] std::vector<std::vector<std::size_t>> predecessors(const StaticHyperepoch& hyperepoch);

/// The name of a step in traces and messages: `client.name`.
[[nodiscard]] std::string step_name(const StaticSchedule& schedule, const StaticStep& step);
/// The name of an epoch in traces, its DAG: `hyperepoch.epoch`.
[[nodiscard]] std::string epoch_name(const StaticHyperepoch& hyperepoch, std::size_t epoch);

/// In which frames of the hyperepoch something happens: those that are `phase` modulo `cycle`.
struct StaticTurn {
  std::uint64_t cycle = 1;
  std::uint64_t phase = 0;
  [[nodiscard]] bool includes(std::uint64_t frame) const { return frame % cycle == phase; }
  bool operator==(const StaticTurn&) const = default;
};
/// The turn of a job's step; nothing: it never comes.
[[nodiscard]] std::optional<StaticTurn> turn(const StaticHyperepoch& hyperepoch, const StaticJob& job, std::size_t step);

}  // namespace rta
