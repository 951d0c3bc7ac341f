// The worst that a search found, and how it is seen again.
#pragma once

#include <optional>
#include <string>

#include "rta/simulate/search.hpp"

namespace rta::cli {

struct WorstRun {
  DagId dag = 0;
  simulate::Found found;
};

/// The job that is latest against its deadline, if one is late; else the one with the largest end-to-end response time. Nothing when no
/// job ended.
[[nodiscard]] std::optional<WorstRun> worst_run(const TaskSet& task_set, const simulate::SearchResult& result);

/// The options of `rta simulate` that show a run again, beside those that the search was given.
[[nodiscard]] std::string options_in_words(const TaskSet& task_set, const simulate::Options& run);

/// From the release of a DAG's job to its end, as a run shows it.
struct Seen {
  Time release;
  Time end;
};
[[nodiscard]] std::optional<Seen> seen_job(const TaskSet& task_set, const Schedule& schedule, const simulate::Options& run,
                                           const WorstRun& worst);

}  // namespace rta::cli
