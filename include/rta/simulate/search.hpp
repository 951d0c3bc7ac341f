// Searches for the worst response times: random restarts and hill climbing over releases, execution times, placement and ties.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rta/simulate/simulate.hpp"

namespace rta::simulate {

/// A response time and the options of the run that showed it: `simulate` with them shows it again.
struct Found {
  Time response;
  std::uint64_t job = 0;
  std::size_t run = 0;  // index into SearchResult::runs
};

struct SearchResult {
  std::vector<std::optional<Found>> dags;                // the worst end to end
  std::vector<std::vector<std::optional<Found>>> nodes;  // the worst of each node
  std::vector<Options> runs;                             // those that some `Found` names
  std::uint64_t tried = 0;                               // simulations
  std::uint64_t late_releases = 0;                       // in all of them
  Ending ending = Ending::complete;                      // `complete`: the given number of runs; else what ended it
};

struct SearchOptions {
  /// Each run simulates `base.duration`; base.limit ends the search. What `base` fixes besides (schedule, streams, copy
  /// rules, limits) holds in all runs.
  Options base;
  std::uint64_t max_runs = 1'000;                     // 0: until stopped
  std::uint64_t climb = 40;                           // a hill is left after so many changes without a worse response
  std::function<void(const SearchResult&)> progress;  // called after each run; may be empty
};

/// Same arguments (and no limit of time), same result. Each restart tries to make one DAG late, in turn; every run counts for all of them.
/// Throws as `simulate`.
[[nodiscard]] SearchResult search(const TaskSet& task_set, const Schedule& schedule, const SearchOptions& options);

}  // namespace rta::simulate
