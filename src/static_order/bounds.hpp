// Lower bounds: what no order on these machines can beat, and why.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "problem.hpp"
#include "rta/model/quantity.hpp"

namespace rta::static_order {

/// No order ends all tasks earlier, relative to their due times, than `lateness`: some task is late by so much (early, if negative).
struct LowerBound {
  enum class Reason : std::uint8_t {
    chain,     // tasks that wait for one another
    machine,   // tasks that all need one machine
    machines,  // tasks that need one of some machines
    load,      // tasks that need a share of something that holds several
    search     // no order was left
  };
  Ns lateness = -never * 4;
  Reason reason = Reason::chain;
  std::vector<TaskId> tasks;  // chain: in order
  std::vector<MachineId> machines;
  std::size_t load = 0;  // index into Problem::loads
  Ns from = 0;           // the earliest of their starts
  Ns work = 0;           // how long they take from then on, at least, until the last of them has ended
};

/// Heads: the longest path to each start, by arcs and releases. Tails: the longest path from each start, less the due time.
struct HeadsAndTails {
  std::vector<Ns> head, tail;
};
[[nodiscard]] HeadsAndTails heads_and_tails(const Problem& problem, std::span<const Ns> due);

/// The longest chain; for each machine Jackson's preemptive schedule (J. Carlier, EJOR 11, 1982); for machines that are alike the largest
/// over subsets of (lengths + the m least heads + the m least tails)/m; for loads the same with shares. `enough`, asked now and then, ends
/// the search for subsets.
[[nodiscard]] LowerBound lower_bound(const Problem& problem, std::span<const Ns> due, const std::function<bool()>& enough);

/// Whether the windows that due times leave have room for the energy that tasks need in them (Baptiste, Le Pape, Nuijten, Annals of OR 92,
/// 1999), for machines that are alike. False: no order meets the due times. Takes time in the cube of their tasks.
[[nodiscard]] bool has_energy(const Problem& problem, std::span<const Ns> due, std::size_t most_tasks);

}  // namespace rta::static_order
