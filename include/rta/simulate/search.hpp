// Searches for the worst response times: short scenarios in which every job is fixed, and long runs by their options.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rta/simulate/simulate.hpp"

namespace rta::simulate {

/// Of a node.
struct FoundResponse {
  Time response;
  std::uint64_t job = 0;
};
/// An end-to-end response time and the options of the run that showed it: `simulate` with them shows it again.
struct Found {
  Time response;
  std::uint64_t job = 0;
  std::size_t run = 0;  // index into SearchResult::runs
};

struct SearchResult {
  std::vector<std::optional<Found>> dags;                        // the worst end to end
  std::vector<std::vector<std::optional<FoundResponse>>> nodes;  // the worst of each node
  std::vector<Options> runs;                                     // those that some `Found` names
  std::uint64_t tried = 0;                                       // simulations
  std::uint64_t late_releases = 0;                               // in all of them
  Ending ending = Ending::complete;                              // `complete`: the given number of runs; else what ended it
};

struct SearchOptions {
  /// base.limit ends the search. What `base` fixes besides releases, execution times, placement and ties (schedule, streams, copy rules,
  /// limits) holds in all runs; those by options simulate `base.duration`.
  Options base;
  std::uint64_t max_runs = 1'000;                     // 0: until stopped
  std::uint64_t climb = 40;                           // a hill is left after so many changes without a worse response
  std::function<void(const SearchResult&)> progress;  // called now and then, by this thread; may be empty
};

/// On all cores, as the calling thread's task arena allows. Same arguments (and no limit of time), same result, however many there are.
/// Eight searches share what they find: six change scenarios, two the options of long runs, for a quarter of the time. Each makes one DAG
/// late after the other, of those that differ in their names alone only one: at last they change places. Throws as `simulate`.
[[nodiscard]] SearchResult search(const TaskSet& task_set, const Schedule& schedule, const SearchOptions& options);

}  // namespace rta::simulate
