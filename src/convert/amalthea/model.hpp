// What a model of Amalthea says, as far as task sets can say it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../notes.hpp"
#include "rta/model/quantity.hpp"

namespace rta::convert::amalthea {

/// A place in the file, from 1.
struct Place {
  std::size_t line = 0;
  std::size_t column = 0;
};

/// What a value lies between.
template <class Quantity>
struct Deviation {
  std::optional<Quantity> least, most, average;
};

/// How many ticks something takes.
using Ticks = Deviation<Wide>;

/// Ticks by the definition of the processing unit that runs them; "": on any other.
using TicksByUnit = std::map<std::string, Ticks>;

struct LabelAccess {
  std::string label;
  bool reads = false, writes = false;  // both: one of them, and which is not said
};

/// What tasks and runnables do, one after another.
struct Item {
  enum class Kind : std::uint8_t { call, trigger, wait, set, ticks, access };
  Kind kind = Kind::call;
  std::string name;  // of a runnable or a stimulus
  std::vector<std::string> events;
  bool active = false;  // a wait that keeps its processor
  TicksByUnit ticks;
  LabelAccess access;
  Place place;
};

struct Task {
  std::string name;
  std::vector<std::string> stimuli;
  std::string preemption;
  std::vector<Item> items;
  std::optional<std::int64_t> priority;  // where it is a property of the task
  Place place;
};
struct Runnable {
  std::string name;
  std::vector<Item> items;
  Place place;
};

struct Stimulus {
  std::string kind;  // PeriodicStimulus, InterProcessStimulus, …
  std::optional<Time> period, offset;
  Deviation<Time> jitter;  // of every release
  std::optional<Time> least_distance;
  Place place;
};

/// How a processing unit reaches a memory.
struct Access {
  std::string memory;
  std::optional<Wide> read_latency, write_latency;  // ticks
  std::optional<Wide> data_rate;                    // bytes per second
};
struct ProcessingUnit {
  std::string name;
  std::string definition;
  std::string frequency_domain;
  bool gpu = false;
  std::vector<Access> accesses;
};

struct SchedulerInfo {
  bool declared = false;  // as more than a name that allocations have
  std::string algorithm;
  std::optional<Time> slice;
  std::vector<std::string> units;
};

struct Allocation {
  std::string scheduler;
  std::vector<std::string> units;  // affinity
  std::optional<std::int64_t> priority;
  std::optional<Time> slice;
  Place place;
};

struct ChainInfo {
  std::string name;
  std::vector<std::string> events;  // in order
};

struct Model {
  std::string version;
  std::vector<Task> tasks;
  std::map<std::string, Runnable> runnables;
  std::map<std::string, Wide> labels;  // bytes
  std::map<std::string, std::string> memory_of_label;
  std::map<std::string, Stimulus> stimuli;
  std::vector<ProcessingUnit> units;
  std::set<std::string> unit_names, definitions, gpu_definitions;
  std::map<std::string, Wide> frequencies;  // Hz, by domain
  std::map<std::string, SchedulerInfo> schedulers;
  std::map<std::string, Allocation> allocations;  // by task
  std::map<std::string, Time> deadlines;          // by task
  std::vector<ChainInfo> chains;
  std::map<std::string, std::string> entity_of_event;  // the task or runnable of an event
};

/// Reads a model. What is not understood is told in `notes`. Throws `io::InputError` with the place of what is wrong.
[[nodiscard]] Model read_model(std::string_view text, Notes& notes);

}  // namespace rta::convert::amalthea
