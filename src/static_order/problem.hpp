// What the search for an order works on: tasks with lengths, machines, and choices of machines; one hyperepoch, all of its frames.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::static_order {

using Ns = std::int64_t;          // times inside the search; sums of all lengths and releases stay below `never`
using TaskId = std::uint32_t;     // index into Problem::tasks
using MachineId = std::uint32_t;  // index into Problem::machines
using ChoiceId = std::uint32_t;   // index into Problem::options
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
inline constexpr Ns never = std::numeric_limits<Ns>::max() / 8;

/// A machine that a task holds while it runs. Several needs may hang on one choice: option o of it takes `machine[o]`.
struct Need {
  TaskId task = 0;
  ChoiceId choice = none;          // none: there is one machine
  std::vector<MachineId> machine;  // by option
  Ns demand = 1;                   // of the machine's capacity
};

struct Task {
  Ns length = 0;
  Ns release = 0;
  Ns due = never;               // must have ended by then
  Ns weight = 0;                // the objective is the largest of end + weight; -never: not counted
  std::uint32_t priority = 10;  // 1 (first) to 10; breaks ties
  TaskId submittee = none;      // what it puts onto its stream
};

/// `to` starts when `from` has ended, or, `from_start`, when it has started.
struct Arc {
  TaskId from = 0;
  TaskId to = 0;
  bool from_start = false;
};

struct Machine {
  Ns capacity = 1;           // 1: one task at a time
  MachineId follows = none;  // of what streams carry: the stream's machine, whose submitters' order is the order of the submittees here
};

/// Something of which tasks need a part while they run, whatever their order: at most `capacity` of work is done in 1 ns.
struct Load {
  Wide capacity = 1;
  std::vector<std::pair<TaskId, Wide>> work;
  std::size_t resource = 0;  // whose; and which of the amounts that a block takes of it
  std::size_t amount = 0;
};

/// Invariants: arcs have no cycle; every need's demand is at most its machine's capacity; a machine that follows another is used by
/// submittees only, on the same choice as their submitters use the other.
struct Problem {
  std::vector<Task> tasks;
  std::vector<Machine> machines;
  std::vector<Need> needs;             // by task
  std::vector<std::uint32_t> options;  // of each choice: how many
  std::vector<Arc> arcs;
  std::vector<Load> loads;  // for lower bounds alone

  // Filled by `index`.
  std::vector<std::uint32_t> first_need;  // needs of t: first_need[t] .. first_need[t + 1]
  std::vector<std::uint32_t> first_in, first_out;
  std::vector<Arc> in, out;   // arcs by `to`, by `from`
  std::vector<TaskId> order;  // every task after those that arcs put before it
  std::vector<std::uint32_t> first_of_choice, needs_of_choice;
  std::vector<TaskId> submitter;    // by task, or none
  std::vector<bool> starts_others;  // has an arc from its start
  std::vector<MachineId> follower;  // by machine: the one that follows it, or none

  /// Sorts needs by task, drops double arcs and fills the rest. Returns false when the arcs have a cycle.
  [[nodiscard]] bool index();

  [[nodiscard]] std::size_t size() const { return tasks.size(); }
  [[nodiscard]] std::span<const Arc> into(TaskId t) const { return {in.data() + first_in[t], in.data() + first_in[t + 1]}; }
  [[nodiscard]] std::span<const Arc> outof(TaskId t) const { return {out.data() + first_out[t], out.data() + first_out[t + 1]}; }
  [[nodiscard]] std::span<const std::uint32_t> needs_on(ChoiceId c) const {
    return {needs_of_choice.data() + first_of_choice[c], needs_of_choice.data() + first_of_choice[c + 1]};
  }
};

/// How far `arc` moves the start of `to` behind that of `from`.
[[nodiscard]] inline Ns lag(const Problem& problem, const Arc& arc) { return arc.from_start ? 0 : problem.tasks[arc.from].length; }

/// The same problem in reverse time: releases and tails change sides. Requires no arcs from starts and no machine that follows another.
[[nodiscard]] Problem reversed(const Problem& problem, std::span<const Ns> due);

}  // namespace rta::static_order
